import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from labelrank_core import SharedSubspaceClassifier
from labelrank_core.explain.evidence import Confidence, LabelScores, ScoreParts
from labelrank_core.methods.linear import _decomposition
from tests.core.test_shared_subspace import KERNELS, problem

RULES = ["label_macro_f1", "label_micro_f1", "global_macro_f1", "global_micro_f1", "zero"]


def cases_for(kernel, X, fitted):
    return X @ fitted.T if kernel == "precomputed" else X


@pytest.mark.filterwarnings("ignore:n_components")
@pytest.mark.parametrize("size", [(40, 6, 7), (20, 30, 7)])
@pytest.mark.parametrize("kernel", [*KERNELS, "sparse"])
def test_every_point_equals_a_fresh_fit(kernel, size, monkeypatch):
    X, Y = problem(*size)
    T, _ = problem(15, *size[1:], seed=9)
    fitted, queries = cases_for(kernel, X, X), cases_for(kernel, T, X)
    if kernel == "sparse":
        fitted, queries, kernel = sparse.csr_matrix(X), sparse.csr_matrix(T), "linear"
    path = SharedSubspaceClassifier(kernel=kernel).fit(fitted, Y).path(queries)
    settings = [
        {"alpha": alpha, "beta": beta, "n_components": r, "threshold": rule}
        for alpha, beta, r, rule in zip(
            [0.0, 1e-3, 1.0, 100.0, 1.0],
            [1e-2, 1.0, 1e-3, 1e-2, 0.1],
            [1, 2, 3, 4, 9],
            RULES,
            strict=True,
        )
    ]
    fresh = [SharedSubspaceClassifier(kernel=kernel, **p).fit(fitted, Y) for p in settings]
    for name in ("features_spectrum", "cases_spectrum"):
        monkeypatch.setattr(_decomposition, name, None)  # no factorisation from here on
    for params, model in zip(settings, fresh, strict=True):
        point = path.at(**params)
        np.testing.assert_allclose(point.scores, model.decision_function(queries), atol=1e-9)
        np.testing.assert_allclose(point.solution.thresholds, model.thresholds_, atol=1e-9)
        np.testing.assert_array_equal(point.prediction, model.predict(queries))
        np.testing.assert_array_equal(point.positions, model.predict_ranking(queries))
        np.testing.assert_allclose(point.confidence, model.predict_confidence(queries))
        assert point.n_components == model.n_components_


def test_a_point_without_settings_is_the_model():
    X, Y = problem(40, 6, 7)
    model = SharedSubspaceClassifier(0.3, n_components=2).fit(X, Y)
    point = model.path(X).at()
    np.testing.assert_array_equal(point.scores, model.decision_function(X))
    assert point.n_components == 2


@pytest.mark.parametrize(
    "params", [{"alpha": -1}, {"beta": np.inf}, {"n_components": 0}, {"threshold": "best"}]
)
def test_settings_out_of_range_are_refused(params):
    X, Y = problem(20, 4, 3)
    with pytest.raises(ValueError, match=f"Expected .*{next(iter(params))}"):
        SharedSubspaceClassifier().fit(X, Y).path(X).at(**params)


def test_thresholds_cannot_be_tuned_without_folds():
    X, Y = problem(20, 4, 3)
    model = SharedSubspaceClassifier(threshold="zero").fit(X, Y)
    assert not model.path(X).at(alpha=1).solution.thresholds.any()
    with pytest.raises(ValueError, match="no out-of-fold scores"):
        model.path(X).at(threshold="global_micro_f1")
    with pytest.raises(ValueError, match="Expected a model with folds"):
        model.out_of_fold_scores()


def scores_of_models_without(rows, model, X, Y, kernel):
    others = np.setdiff1d(np.arange(len(Y)), rows)
    if kernel == "precomputed":
        fitted = clone(model).fit(X[np.ix_(others, others)], Y[others])
        return fitted.raw_scores(X[np.ix_(rows, others)])
    return clone(model).fit(X[others], Y[others]).raw_scores(X[rows])


@pytest.mark.parametrize("size", [(43, 6, 6), (22, 30, 6)])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("intercept", [True, False])
def test_out_of_fold_scores_are_those_of_models_fitted_without_the_rows(kernel, size, intercept):
    X, Y = problem(*size)
    fitted = cases_for(kernel, X, X)
    model = SharedSubspaceClassifier(kernel=kernel, fit_intercept=intercept).fit(fitted, Y)
    for alpha, beta in ((0.0, 0.1), (1.0, 0.1), (0.1, 1e-3)):
        other = SharedSubspaceClassifier(
            alpha,
            beta=beta,
            n_components=2,
            kernel=kernel,
            fit_intercept=intercept,
            threshold="zero",
        )
        scores = np.empty(Y.shape)
        for fold in range(5):  # row i is held out by fold i modulo 5
            rows = np.arange(fold, len(Y), 5)
            scores[rows] = scores_of_models_without(rows, other, fitted, Y, kernel)
        own = model.out_of_fold_scores(alpha=alpha, beta=beta, n_components=2)
        np.testing.assert_allclose(own, scores, atol=1e-9)
        csr = sparse.csr_matrix(fitted)
        if kernel != "precomputed":
            again = SharedSubspaceClassifier(kernel=kernel, fit_intercept=intercept).fit(csr, Y)
            own = again.out_of_fold_scores(alpha=alpha, beta=beta, n_components=2)
            np.testing.assert_allclose(own, scores, atol=1e-9)


@pytest.mark.parametrize("size", [(40, 6, 7), (20, 30, 7)])
@pytest.mark.parametrize("kernel", [*KERNELS, "sparse"])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_explanation_adds_up_to_the_prediction(kernel, size, intercept):
    X, Y = problem(*size)
    fitted = cases_for(kernel, X, X)
    if kernel == "sparse":
        fitted, kernel = sparse.csr_matrix(X), "linear"
    model = SharedSubspaceClassifier(0.5, kernel=kernel, fit_intercept=intercept).fit(fitted, Y)
    names = [f"label {j}" for j in range(7)]
    for i in range(5):
        explanation = model.explain(fitted[[i]] if sparse.issparse(fitted) else fitted[i])
        np.testing.assert_array_equal(explanation.prediction, model.predict(fitted)[i])
        np.testing.assert_array_equal(explanation.prediction, model.predict(fitted[[i]])[0])
        np.testing.assert_array_equal(explanation.positions, model.predict_ranking(fitted)[i])
        parts = explanation.evidence(ScoreParts)
        np.testing.assert_allclose(parts.scores, model.raw_scores(fitted)[i], atol=1e-10)
        np.testing.assert_array_equal(parts.scores > parts.thresholds, explanation.prediction)
        table = parts.contributions(2, n_largest=4)
        assert len(table) == 5
        assert table["own part"].sum() == pytest.approx(parts.parts["own part"][2], abs=1e-10)
        assert table["shared part"].sum() == pytest.approx(parts.parts["shared part"][2], abs=1e-10)
        assert table["sum"].abs().iloc[:4].is_monotonic_decreasing
        assert list(parts.frame(names)["label"]) == [
            names[j] for j in np.argsort(explanation.positions)
        ]
        bar = explanation.evidence(LabelScores)
        np.testing.assert_array_equal(bar.values > bar.bar, explanation.prediction)
        value = explanation.evidence(Confidence)
        assert value.value == model.predict_confidence(fitted)[i]
        assert value.lowest - 1e-12 <= value.value <= 1
        assert explanation.summary.plain(names)
        for step in explanation.steps:
            assert step.text.plain(names)
            assert len(step.evidence.frame(names))


def test_the_parts_are_the_papers():
    X, Y = problem(40, 6, 7)
    model = SharedSubspaceClassifier(0.5, n_components=3).fit(X, Y)
    parts = model.explain(X[0]).evidence(ScoreParts)
    theta, x = model.components_, X[0] - X.mean(axis=0)
    V = theta @ model.coef_.T
    np.testing.assert_allclose(parts.parts["shared part"], V.T @ theta @ x, atol=1e-12)
    np.testing.assert_allclose(
        parts.parts["own part"], (model.coef_.T - theta.T @ V).T @ x, atol=1e-12
    )
    np.testing.assert_allclose(parts.baseline, 2 * Y.mean(axis=0) - 1)
    assert list(parts.contributions(0, n_largest=6)["feature"]) == list(
        np.argsort(-np.abs(model.coef_[0] * x))
    )


def test_a_few_labels_named_in_the_summary():
    X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    model = SharedSubspaceClassifier(threshold="zero").fit(
        X, [[0, 1, 1], [0, 1, 0], *[[1, 0, 0]] * 2]
    )
    names = ["a", "b", "c"]
    only = model.explain([1.0, 0.0]).summary.plain(names)
    assert only.startswith("Of the 3 labels, only a scores above its threshold")
    both = model.explain([0.0, 1.0])
    lead = both.evidence(LabelScores).values[1]
    assert (
        f"Above their thresholds: b, c (2 of 3 labels). b comes first, {lead:.2f} above its own."
        in (both.summary.plain(names))
    )
    # The mean case scores 0, 0 and -0.5: the share of cases with each label.
    assert (
        model.explain([0.525, 0.475])
        .summary.plain(names)
        .startswith("No label is relevant: even a,")
    )


def test_inputs_that_stand_for_one_column_are_summed():
    X, Y = problem(40, 6, 7)
    parts = (
        SharedSubspaceClassifier(0.5, n_components=3).fit(X, Y).explain(X[0]).evidence(ScoreParts)
    )
    single = parts.contributions(2).set_index("feature")
    grouped = parts.contributions(2, groups=[0, 1, 1, 1, 2, 3]).set_index("feature")
    assert sorted(grouped.index) == [0, 1, 2, 3]
    for column in ("own part", "shared part", "sum"):
        assert grouped.loc[1, column] == pytest.approx(single.loc[[1, 2, 3], column].sum())
        assert grouped.loc[3, column] == pytest.approx(single.loc[5, column])
    assert grouped["value"].isna().to_dict() == {0: False, 1: True, 2: False, 3: False}
