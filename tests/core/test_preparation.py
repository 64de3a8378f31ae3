"""TF-IDF in front of a method: by its definition, of the training cases only."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from labelrank_core import Dataset, Task
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.methods import ALGORITHMS, BASELINES, ModelChoice
from labelrank_core.methods.preparation import preparation
from tests import problems
from tests.pairs import all_pairs

COUNTS = [[2, 0, 1], [0, 0, 3], [1, 0, 1], [0, 0, 0]]


def weighted(counts, new, *, unit):
    """The weights as scikit-learn's user guide defines them, in plain loops."""
    n = len(counts)
    having = [sum(row[j] > 0 for row in counts) for j in range(len(new))]
    weights = [c * (log((1 + n) / (1 + h)) + 1) for c, h in zip(new, having, strict=True)]
    length = sqrt(sum(weight**2 for weight in weights)) if unit else 1
    return [weight / (length or 1) for weight in weights]


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
@pytest.mark.parametrize("scaled", [True, False])
def test_counts_are_weighted_by_the_definition(form, scaled):
    (step,) = preparation(scaled=scaled, tfidf=True, is_sparse=form is not np.array)
    step.fit(form(np.array(COUNTS, dtype=float)))
    for new in ([1, 0, 0], [3, 2, 1], [0, 0, 0], COUNTS[0]):
        found = step.transform(form(np.array([new], dtype=float)))
        assert sparse.issparse(found)
        expected = weighted(COUNTS, new, unit=scaled)
        assert found.toarray()[0].tolist() == pytest.approx(expected)


def test_it_is_scikit_learns_so_that_the_python_lines_say_the_same():
    (step,) = preparation(scaled=True, tfidf=True, is_sparse=True)
    own, known = (
        each.fit_transform(sparse.csr_matrix(COUNTS)) for each in (step, TfidfTransformer())
    )
    assert (own != known).nnz == 0


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_numbers_below_0_are_refused(form):
    (step,) = preparation(scaled=True, tfidf=True, is_sparse=False)
    with pytest.raises(ValueError, match=r"at least 0 for TF-IDF, got -1\.5"):
        step.fit(form([[0, 1.0], [-1.5, 2]]))
    step.fit(form([[0, 1.0]])).transform(form([[-1.0, 1]]))  # a case may be tried with anything


def words(task=Task.MULTILABEL, form=sparse.csr_matrix):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.4, (60, 12)) * rng.integers(1, 4, (60, 12))
    return Dataset(
        X=form(X.astype(float)),
        Y=problems.targets(rng, task, 60, 4),
        task=task,
        feature_names=[f"w{j}" for j in range(12)],
        label_names=list("abcd"),
        name="words",
    )


@pytest.mark.parametrize(
    ("key", "task", "form"),
    all_pairs(
        [
            (key, task, form)
            for key, method in ALGORITHMS.items()
            for task in method.tasks
            for form in (np.array, sparse.csr_matrix)
        ]
    ),
)
def test_every_method_and_baseline_learns_from_it(key, task, form):
    data = words(task, form)
    split = Split(np.arange(45), np.arange(45, 60), "random", 0, 0.25)
    choice = ModelChoice(key, tfidf=True).with_params(**problems.few(ALGORITHMS[key]))
    for model in (
        choice.build(is_sparse=data.is_sparse),
        *(baseline.build(choice, is_sparse=data.is_sparse) for baseline in BASELINES),
    ):
        assert isinstance(model[0], TfidfTransformer)
        said = evaluate_model(model, data, split).predictions
        train = data.X[:45]
        prepared = TfidfTransformer().fit(train)
        bare = model[-1].fit(prepared.transform(train), choice.algorithm.targets(data, split.train))
        expected = bare.predict(prepared.transform(data.X[45:]))
        own = said.positions if said.relevance is None else said.relevance
        np.testing.assert_array_equal(own, expected)


def test_word_counts_are_mostly_0_and_none_is_below():
    def holds(X):
        return Dataset(
            X=X, Y=[[1, 2]] * 20, task=Task.LABEL_RANKING, name="x", label_names="ab",
            feature_names=[f"f{j}" for j in range(X.shape[1])],
        ).has_word_counts  # fmt: skip

    X = np.zeros((20, 10))
    X[:, 0] = 2  # one in ten
    for form in (np.array, sparse.csr_matrix):
        assert holds(form(X))
        assert not holds(form(X + np.eye(20, 10)))
        assert not holds(form(np.where(X > 0, -1.0, 0.0)))
    assert not holds(np.empty((20, 0)))
