"""Table III of S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
classification (2010), column SVM, on the Yahoo sets Arts and Education.

Means of 5 draws (the paper: 30). C of the paper's grid, by the out-of-fold scores of 5 folds on the
training pages, for the measure the thresholds are tuned for; AUC from the model tuned for macro F1.
Everything else is as in test_mlls_table3.

All figures are above the print, by more than 5 standard errors. Measured on two draws of Arts: with
the same scores, thresholds tuned on training scores (as the paper says) give a macro F1 of .326 and
.311 in place of .427 and .395. The plain hinge loss of LIBSVM, with thresholds tuned on training
scores, gives .263 to .390, and an AUC of .770 at C = 1, but .757 and .744 at C = 1000 (printed:
.7425). So the print is that of thresholds that overfit, and perhaps of a C that is too large.
"""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score, roc_auc_score

from labelrank_core import OneVsRestSVMClassifier
from labelrank_core.metrics.thresholds import RULES
from tests.published.test_mlls_table3 import SETS, draw, printed, read_pages

GRID = [10.0**i for i in range(-5, 6)]
N_DRAWS = 5


def models(X, Y):
    """One for each C; beyond C = 100 some labels stop at the largest number of steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return [OneVsRestSVMClassifier(C).fit(X, Y) for C in GRID]


def best(fitted, Y, rule):
    """The model whose out-of-fold scores have the best F1 with the rule's thresholds."""
    average = "macro" if "macro" in rule else "micro"

    def value(model):
        scores = model.out_of_fold_scores()
        predicted = scores > RULES[rule](scores, Y)
        return f1_score(Y, predicted, average=average, zero_division=0)

    return max(fitted, key=value)


def figures(X, Y, seed, grid=models):
    """AUC and macro F1 with label_macro_f1, micro F1 with global_micro_f1 and label_micro_f1."""
    train, test = draw(Y, seed)
    fitted = grid(X[train], Y[train])
    points = [
        best(fitted, Y[train], rule).path(X[test]).at(threshold=rule)
        for rule in ("label_macro_f1", "global_micro_f1", "label_micro_f1")
    ]
    return (
        roc_auc_score(Y[test], points[0].raw_scores),
        f1_score(Y[test], points[0].prediction, average="macro"),
        *(f1_score(Y[test], point.prediction, average="micro") for point in points[1:]),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_table_3(name, benchmark_data, capsys):
    X, Y = read_pages(benchmark_data / "yahoo" / f"{name.lower()}.svm.gz")
    values = np.array([figures(X, Y, seed) for seed in range(N_DRAWS)])
    means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(N_DRAWS)
    expected = printed(name, "SVM")
    expected.append(expected[-1])
    keys = ("AUC", "macro F1", "micro F1, one threshold", "micro F1, one per label")
    with capsys.disabled():
        for key, mean, error, figure in zip(keys, means, errors, expected, strict=True):
            print(f"\n{name} {key}: {mean:.4f} ± {error:.4f}, printed {figure:.4f}", end="")  # noqa: T201
    assert (means >= np.array(expected) - errors).all()
