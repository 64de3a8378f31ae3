"""Distances beyond the basic ones: against SciPy's, with rows that have no direction."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import VALID_METRICS, NearestNeighbors

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
)
from labelrank_core.methods.nearest.distances import BINARY, SCANNED
from labelrank_core.methods.nearest.searches import METRICS, fit_search
from labelrank_core.rankings import strict_positions
from tests import oracles

ADDED = ["cosine", "correlation", "hamming", "sqeuclidean", "l1", "l2", "cityblock"]
WITH_PARAMS = {
    "seuclidean": {"V": np.array([1.0, 4.0, 0.5, 2.0, 1.0])},
    "mahalanobis": {"VI": np.diag([1.0, 0.5, 2.0, 1.0, 3.0]) + 0.1},
}
MINKOWSKI = [{}, {"p": 3}, {"p": 1.5, "w": np.array([1.0, 2.0, 0.5, 1.0, 3.0])}]


def params_of(metric, d=5):
    cut = {"seuclidean": {"V": np.ones(d)}, "mahalanobis": {"VI": np.eye(d)}}
    return cut.get(metric, {})


def test_every_metric_is_compared_with_another_computation():
    assert set(METRICS) == {*ADDED, *oracles.EXACT_METRICS, *SCANNED}


def test_every_metric_of_scikit_learns_brute_search_is_there_but_those_named():
    left_out = {"haversine", "nan_euclidean", "precomputed"}
    assert set(VALID_METRICS["brute"]) - set(METRICS) == left_out


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        *((metric, WITH_PARAMS.get(metric, {})) for metric in sorted(SCANNED)),
        *(("minkowski", params) for params in MINKOWSKI),
    ],
)
def test_other_metrics_are_scikit_learns(metric, params):
    for seed in range(20):
        random = np.random.default_rng(seed)
        X, queries = random.integers(0, 2 if metric in BINARY else 6, (2, 30, 5)).astype(float)
        X[:, 0] = queries[:, 0] = 1  # scikit-learn gives no number where nothing is there
        found = fit_search(metric, X, params=params).query(queries, 7)
        kind = bool if metric in BINARY else float
        known = NearestNeighbors(
            metric=metric,
            p=params.get("p", 2),
            metric_params={name: value for name, value in params.items() if name != "p"} or None,
            algorithm="brute",
        )
        expected, _ = known.fit(X.astype(kind)).kneighbors(queries.astype(kind), 7)
        np.testing.assert_allclose(found.distances, expected, atol=1e-12)
        own = pairwise_distances(queries.astype(kind), X.astype(kind), metric=metric, **params)
        assert np.take_along_axis(own, found.rows, 1) == pytest.approx(expected)
        equal = np.diff(found.distances, axis=1) == 0
        assert (np.diff(found.rows, axis=1)[equal] > 0).all()


@pytest.mark.parametrize("metric", ["braycurtis", "dice", "jaccard", "sokalsneath"])
def test_rows_without_anything_are_nearest_to_each_other(metric):
    X = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = fit_search(metric, X).query(np.zeros((1, 2)), 3)
    assert found.rows.tolist() == [[1, 3, 0]]
    assert found.distances[0, :2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("metric", "params", "words"),
    [
        ("minkowski", {"q": 3}, r"metric_params of 'minkowski' .*'p'.* got \['q'\]"),
        ("mahalanobis", None, r"metric_params of 'mahalanobis' with \['VI'\]"),
        ("euclidean", {"p": 3}, r"metric_params of 'euclidean'"),
        ("jaccard", None, r"features of 0 and 1, not scaled, for metric='jaccard', got 2.5"),
    ],
)
def test_what_a_metric_cannot_use_is_refused_in_words(metric, params, words):
    model = KNeighborsLabelRanker(1, metric=metric, metric_params=params)
    with pytest.raises(ValueError, match=words):
        model.fit([[0.0, 1.0], [2.5, 1.0]], [[1, 2], [2, 1]])
    binary = KNeighborsLabelRanker(1, metric="dice").fit([[0, 1], [1, 1]], [[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="features of 0 and 1"):
        binary.predict([[0.0, 3.0]])


def test_parameters_of_a_metric_reach_every_method():
    X, Y = rows(3, 40, 3), np.random.default_rng(0).integers(0, 2, (40, 4))
    far = {"metric": "minkowski", "metric_params": {"p": 1}}
    for kind in (KNeighborsMultilabelRanker, MLkNNClassifier):
        scores = kind(5, **far).fit(X, Y).decision_function(X)
        expected = kind(5, metric="manhattan").fit(X, Y).decision_function(X)
        np.testing.assert_array_equal(scores, expected)
        assert (scores != kind(5).fit(X, Y).decision_function(X)).any()


def rows(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.integers(-2, 3, size=(n, d)).astype(float)


def by_scan(metric, X, queries):
    """SciPy's distances; 1 where one of two rows has no direction."""
    with np.errstate(all="ignore"):
        distances = cdist(queries, X, {"l1": "cityblock", "l2": "euclidean"}.get(metric, metric))
    return np.where(np.isnan(distances), 1.0, distances)


@pytest.mark.parametrize("d", [1, 3, 9])
@pytest.mark.parametrize("metric", ADDED)
def test_neighbours_are_the_nearest(metric, d):
    for seed in range(30):
        X, queries = rows(seed, 40, d), rows(seed + 1000, 10, d)
        X[::7], queries[0] = 0, 0
        X[3::9] = 2
        found = fit_search(metric, X).query(queries, 6)
        expected = by_scan(metric, X, queries)
        np.testing.assert_allclose(
            found.distances, np.sort(expected, axis=1)[:, :6], atol=1e-12, rtol=1e-12
        )
        np.testing.assert_allclose(
            np.take_along_axis(expected, found.rows, axis=1), found.distances, atol=1e-12
        )
        equal = np.diff(found.distances, axis=1) == 0
        assert (np.diff(found.rows, axis=1)[equal] > 0).all()


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_fewer_neighbours_are_a_prefix(metric):
    X = rows(0, 300, 4) if metric not in BINARY else np.abs(np.sign(rows(0, 300, 4)))
    search = fit_search(metric, X, params=params_of(metric, 4))
    most = search.query(X, 40)
    for k in (1, 5, 17):
        np.testing.assert_array_equal(search.query(X, k).rows, most.rows[:, :k])
        np.testing.assert_array_equal(search.query(X[:3], k).rows, most.rows[:3, :k])


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_neighbours_among_the_others_leave_out_the_row_itself(metric):
    X = rows(1, 60, 3) if metric not in BINARY else np.abs(np.sign(rows(1, 60, 3)))
    X[5:9] = 0
    search = fit_search(metric, X, params=params_of(metric, 3))
    everything = search.query(X, 60).rows
    others = search.query_others(59).rows
    for row in range(60):
        assert others[row].tolist() == [other for other in everything[row] if other != row]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ADDED)
def test_rows_without_a_direction_are_predicted(metric, weights):
    X = rows(2, 50, 3)
    X[::5] = 0
    Y = strict_positions(np.random.default_rng(0).random((50, 4)))
    model = KNeighborsLabelRanker(4, metric=metric, weights=weights).fit(X, Y)
    assert (np.sort(model.predict(np.zeros((2, 3))), axis=1) == [1, 2, 3, 4]).all()
    assert np.isfinite(model.predict_confidence(X)).all()


def test_cosine_ignores_length_and_huge_numbers():
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1e200, 1e200]])
    found = fit_search("cosine", X).query(np.array([[3.0, 3.0], [0.0, 1e-200]]), 1)
    assert found.rows.tolist() == [[2], [1]]
    np.testing.assert_allclose(found.distances, 0, atol=1e-15)
