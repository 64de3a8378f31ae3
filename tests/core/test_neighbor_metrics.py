"""Distances beyond the basic ones: against SciPy's, with rows that have no direction."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.neighbors._search import METRICS, NeighborSearch
from labelrank_core.rankings import strict_positions
from tests import oracles

ADDED = ["cosine", "correlation", "hamming", "sqeuclidean"]


def test_every_metric_is_compared_with_another_computation():
    assert set(METRICS) == {*ADDED, *oracles.EXACT_METRICS}


def rows(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.integers(-2, 3, size=(n, d)).astype(float)


def by_scan(metric, X, queries):
    """SciPy's distances; 1 where one of two rows has no direction."""
    with np.errstate(all="ignore"):
        distances = cdist(queries, X, metric)
    return np.where(np.isnan(distances), 1.0, distances)


@pytest.mark.parametrize("d", [1, 3, 9])
@pytest.mark.parametrize("metric", ADDED)
def test_neighbours_are_the_nearest(metric, d):
    for seed in range(30):
        X, queries = rows(seed, 40, d), rows(seed + 1000, 10, d)
        X[::7], queries[0] = 0, 0
        X[3::9] = 2
        found = NeighborSearch(metric, None).fit(X).query(queries, 6)
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
    X = rows(0, 300, 4)
    search = NeighborSearch(metric, None).fit(X)
    most = search.query(X, 40)
    for k in (1, 5, 17):
        np.testing.assert_array_equal(search.query(X, k).rows, most.rows[:, :k])
        np.testing.assert_array_equal(search.query(X[:3], k).rows, most.rows[:3, :k])


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_neighbours_among_the_others_leave_out_the_row_itself(metric):
    X = rows(1, 60, 3)
    X[5:9] = 0
    search = NeighborSearch(metric, None).fit(X)
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
    found = NeighborSearch("cosine", None).fit(X).query(np.array([[3.0, 3.0], [0.0, 1e-200]]), 1)
    assert found.rows.tolist() == [[2], [1]]
    np.testing.assert_allclose(found.distances, 0, atol=1e-15)
