"""CCA with ridge regression or machines against the d × d eigenproblem, and scikit-learn's CCA."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn.cross_decomposition import CCA
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

from labelrank_core import CCARidgeClassifier, CCASVMClassifier
from labelrank_core.explain.evidence import Confidence, LabelScores, ScoreParts, SubspaceView
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import calibrated_positions
from tests import problems
from tests.core.test_shared_subspace import problem
from tests.looped import seeds

SIZES = [(40, 6, 4), (24, 30, 4)]  # by features, and by cases
FORMS = {"dense": np.asarray, "sparse": sparse.csr_matrix}
METHODS = [CCARidgeClassifier, CCASVMClassifier]
by_size = pytest.mark.parametrize("size", SIZES, ids=str)
by_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)


def directions(X, Y, gamma, r):
    """Generalised eigenvectors of (XᵀX/n + γI)⁻¹ XᵀY(YᵀY)⁻¹YᵀX, of length one in that metric."""
    X, Y = X - X.mean(axis=0), 2.0 * Y - 1
    Y = Y - Y.mean(axis=0)
    metric = X.T @ X / len(X) + gamma * np.eye(X.shape[1])
    both = X.T @ Y @ np.linalg.inv(Y.T @ Y) @ Y.T @ X / len(X)
    values, vectors = linalg.eig(both, metric)
    vectors = vectors.real[:, np.argsort(-values.real)[:r]]
    lengths = np.sqrt(np.sum(vectors * (metric @ vectors), axis=0))
    return vectors / lengths, np.sqrt(np.sort(values.real)[::-1][:r])


def naive(method, X, Y, queries, gamma, other, r):
    """Scores of a general solver on the values along these directions."""
    found, _ = directions(X, Y, gamma, r)
    Z, own = (X - X.mean(axis=0)) @ found, (queries - X.mean(axis=0)) @ found
    scores = np.empty((len(queries), Y.shape[1]))
    for label in range(Y.shape[1]):
        signs = 2 * Y[:, label] - 1
        if method is CCARidgeClassifier:
            model = Ridge(alpha=len(X) * other, solver="svd").fit(Z, signs)
            scores[:, label] = model.predict(own)
        else:
            model = LinearSVC(C=other, dual=False, tol=1e-8, max_iter=10_000).fit(Z, signs)
            scores[:, label] = model.decision_function(own)
    return scores


@by_size
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("gamma", "other", "r"), [(0.5, 0.1, 4), (0.01, 1.0, 4), (0.5, 0.1, 2)])
@by_method
def test_scores_are_those_of_the_definition(method, gamma, other, r, form, size):
    X, Y = problem(*size)
    queries, _ = problem(10, *size[1:], seed=9)
    model = method(gamma, other, n_components=r).fit(FORMS[form](X), Y)
    expected = naive(method, X, Y, queries, gamma, other, r)
    np.testing.assert_allclose(model.raw_scores(FORMS[form](queries)), expected, atol=1e-4)
    found, correlations = directions(X, Y, gamma, r)
    np.testing.assert_allclose(model.correlations_, correlations, atol=1e-7)
    alike = model.components_ * np.sign(np.sum(model.components_ * found.T, axis=1))[:, None]
    np.testing.assert_allclose(alike, found.T, atol=1e-5)


def test_without_a_penalty_the_directions_are_those_of_scikit_learn():
    X, Y = problem(40, 6, 3)
    model = CCARidgeClassifier(0.0).fit(X, Y)
    other = CCA(n_components=3, scale=False, max_iter=5000, tol=1e-12).fit(X, Y)
    along = (X - X.mean(axis=0)) @ model.components_.T
    theirs = other.transform(X)
    for i in range(3):
        assert abs(np.corrcoef(along[:, i], theirs[:, i])[0, 1]) == pytest.approx(1, abs=1e-6)
    pair = other.transform(X, Y)
    correlations = [np.corrcoef(pair[0][:, i], pair[1][:, i])[0, 1] for i in range(3)]
    np.testing.assert_allclose(model.correlations_, correlations, atol=1e-6)


@by_size
@by_method
def test_thresholds_are_tuned_on_scores_of_models_without_the_rows(method, size):
    X, Y = problem(*size)
    model = method(0.5, 0.1, cv=4).fit(X, Y)
    scores = np.empty(Y.shape)
    for fold in range(4):
        rows = np.arange(fold, len(Y), 4)
        others = np.setdiff1d(np.arange(len(Y)), rows)
        scores[rows] = method(0.5, 0.1).fit(X[others], Y[others]).raw_scores(X[rows])
    np.testing.assert_allclose(model.out_of_fold_scores(), scores, atol=1e-7)
    np.testing.assert_allclose(
        model.thresholds_, RULES["label_macro_f1"](model.out_of_fold_scores(), Y)
    )


@pytest.mark.parametrize(
    "setting",
    [
        {"cca_penalty": 2.0},
        {"ridge_penalty": 0.0},
        {"n_components": 1},
        {"cca_penalty": 0.0, "ridge_penalty": 0.5, "n_components": 9},
        {"threshold": "zero"},
    ],
    ids=str,
)
@by_size
def test_a_point_of_the_path_is_a_fresh_fit(setting, size):
    X, Y = problem(*size)
    point = CCARidgeClassifier(n_components=3).fit(X, Y).path(X).at(**setting)
    fresh = CCARidgeClassifier(**{"n_components": 3, **setting}).fit(X, Y)
    np.testing.assert_array_equal(point.scores, fresh.decision_function(X))
    np.testing.assert_array_equal(point.prediction, fresh.predict(X))
    np.testing.assert_array_equal(point.confidence, fresh.predict_confidence(X))


@pytest.mark.parametrize(
    "setting", [{"cca_penalty": -1.0}, {"ridge_penalty": np.inf}, {"n_components": 0}], ids=str
)
def test_settings_out_of_range_are_refused(setting):
    X, Y = problem(20, 4, 3)
    with pytest.raises(ValueError, match="Expected"):
        CCARidgeClassifier().fit(X, Y).path(X).at(**setting)


@by_method
def test_labels_that_say_nothing_new_add_no_direction(method):
    X, Y = problem(40, 6, 3)
    more = np.column_stack([Y, 1 - Y[:, 0], np.ones(40, dtype=int)])
    model, plain = method(threshold="zero").fit(X, more), method(threshold="zero").fit(X, Y)
    assert model.n_components_ == plain.n_components_ == 3
    scores = model.raw_scores(X)
    np.testing.assert_allclose(scores[:, :3], plain.raw_scores(X), atol=1e-5)
    np.testing.assert_allclose(scores[:, 3], -scores[:, 0], atol=1e-5)
    np.testing.assert_allclose(scores[:, 4], 1)


@by_method
def test_cases_that_are_all_alike_get_the_baseline(method):
    model = method().fit(np.ones((6, 2)), [[0, 1], [0, 1], [1, 0], [1, 0], [1, 0], [1, 1]])
    assert model.n_components_ == 0
    assert np.isfinite(model.raw_scores([[1.0, 1.0], [5.0, 2.0]])).all()
    assert model.explain([1.0, 1.0]).prediction.tolist() == model.predict([[1.0, 1.0]])[0].tolist()
    one = method().fit([[1.0, 2.0]], [[1, 0, 1]])
    assert one.predict([[5.0, -3.0]]).tolist() == [[1, 0, 1]]
    with pytest.raises(ValueError, match="at least two rows"):
        one.out_of_fold_scores()


@by_method
def test_of_calibrated_rankings_only_the_relevance_is_learned(method):
    X, Y = problem(30, 4, 3)
    orders = problems.positions(np.random.default_rng(0), 30, 3)
    other = method().fit(X, calibrated_positions(orders, Y))
    np.testing.assert_array_equal(
        other.decision_function(X), method().fit(X, Y).decision_function(X)
    )


@by_size
@pytest.mark.parametrize("form", FORMS)
@by_method
def test_the_explanation_adds_up_to_the_prediction(method, form, size):
    X, Y = problem(*size)
    model = method().fit(FORMS[form](X), Y)
    for i in range(3):
        explanation = model.explain(FORMS[form](X[[i]]))
        parts = explanation.evidence(ScoreParts)
        np.testing.assert_allclose(parts.scores, model.raw_scores(X)[i], atol=1e-9)
        np.testing.assert_array_equal(parts.scores > parts.thresholds, explanation.prediction)
        assert list(parts.parts) == ["shared part"]
        view = explanation.evidence(SubspaceView)
        assert view.n_components == 4
        np.testing.assert_allclose(view.shared, parts.parts["shared part"])
        # What the case lies along the directions, times what each label makes of it.
        along = model.components_ @ (X[i] - X.mean(axis=0))
        slopes = np.linalg.lstsq(model.components_.T, model.coef_.T, rcond=None)[0]
        np.testing.assert_allclose(along @ slopes, view.shared, atol=1e-7)
        bar = explanation.evidence(LabelScores)
        np.testing.assert_array_equal(bar.values > bar.bar, explanation.prediction)
        confidence = explanation.evidence(Confidence)
        # One row times a matrix may round another way than many rows do.
        assert confidence.value == pytest.approx(model.predict_confidence(X)[i], rel=1e-9)
        assert explanation.summary.plain(list("abcd")).count("shared part") == 1


@seeds(3)
def test_the_prediction_changes_at_breakpoints_and_nowhere_else(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(40, 3)), problems.relevance(rng, 40, 4)
    model = CCARidgeClassifier().fit(X, Y)
    edges = [-2.0, *model.point(X).breakpoints(X[0], 1, (-2.0, 2.0)), 2.0]
    said = []
    for low, high in pairwise(edges):
        cases = np.tile(X[0], (5, 1))
        cases[:, 1] = np.linspace(low, high, 7)[1:-1]
        ranks = np.hstack([model.predict_ranking(cases), model.predict(cases)])
        assert (ranks == ranks[0]).all()
        said.append(ranks[0].tolist())
    assert all(before != after for before, after in pairwise(said))
