"""Neighbours by cosine and correlation: against exact fractions, dense and sparse alike."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, MLkNNClassifier
from labelrank_core.methods.nearest import directions
from labelrank_core.methods.nearest.searches import METRICS, fit_search
from labelrank_core.methods.probabilistic import MallowsLabelRanker, PlackettLuceLabelRanker
from tests import oracles, problems
from tests.looped import seeds

METHODS = {
    KNeighborsLabelRanker: "label_ranking",
    MallowsLabelRanker: "label_ranking",
    PlackettLuceLabelRanker: "label_ranking",
    KNeighborsMultilabelRanker: "multilabel",
    MLkNNClassifier: "multilabel",
}


def binary(rng, shape):
    return (rng.random(shape) < 0.3).astype(float)


def signed(rng, shape):
    return rng.integers(-3, 4, shape).astype(float)


def large(rng, shape):
    """Counts whose products are not exact in floating point."""
    return (rng.random(shape) < 0.4) * rng.integers(1, 3, shape) * 94_906_267.0


def decimals(rng, shape):
    return (rng.random(shape) < 0.4) * rng.integers(-2, 9, shape) * 0.1


def lengths(rng, shape):
    """Few directions, at lengths of all sizes that features may have."""
    return rng.integers(0, 3, shape) * 2.0 ** rng.integers(-1070, 230, (shape[0], 1))


def standardised(rng, shape):
    """Columns of two values as scaling leaves them: many distances differ by rounding only."""
    X = np.sign(rng.random(shape) - 0.4)
    return np.where(X > 0, 0.7071067811865476, -1.4142135623730951)


KINDS = [binary, signed, large, decimals, lengths, standardised]


def problem(kind, seed):
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.integers(1, 25)), int(rng.integers(1, 8))
    X = kind(rng, (n_rows, n_features))
    X = X[rng.integers(0, n_rows, n_rows)] if seed % 3 == 0 else X
    queries = np.vstack([kind(rng, (3, n_features)), X[:2], np.zeros((1, n_features))])
    return X, queries, int(rng.integers(1, n_rows + 1))


@pytest.fixture(params=[200, 1 << 20])
def blocks(request, monkeypatch):
    """Blocks of few queries, and of all."""
    monkeypatch.setattr(directions, "_BLOCK_CELLS", request.param)


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_are_ordered_by_exact_cosine_then_by_row(kind, blocks):  # noqa: ARG001
    for seed in range(20):
        X, queries, k = problem(kind, seed)
        for metric in ("cosine", "correlation"):
            tables = [fit_search(metric, X).query(queries, k)]
            if metric == "cosine":
                thin = fit_search(metric, sparse.csr_matrix(X))
                tables.append(thin.query(sparse.csr_matrix(queries), k))
            for case, x in enumerate(queries):
                rows, distances = oracles.nearest_directions(metric, X, x, k)
                for table in tables:
                    assert table.rows[case].tolist() == rows
                    np.testing.assert_allclose(table.distances[case], distances, atol=1e-14)


def test_equal_cosines_are_equal_distances():
    for seed in range(60):
        X, queries, _ = problem(KINDS[seed % len(KINDS)], seed)
        for metric in ("cosine", "correlation"):
            table = fit_search(metric, X).query(queries, len(X))
            for case, x in enumerate(queries):
                keys = [
                    oracles.signed_squared_cosine(metric, X[row], x) for row in table.rows[case]
                ]
                equal = np.array([one == other for one, other in pairwise(keys)], dtype=bool)
                gaps = np.diff(table.distances[case])
                assert (gaps[equal] == 0).all()
                assert (gaps >= 0).all()


@seeds(30)
def test_a_case_has_the_same_neighbours_in_any_batch_and_longer_list(seed):
    X, queries, k = problem(KINDS[seed % len(KINDS)], seed)
    for metric in ("cosine", "correlation"):
        search = fit_search(metric, X)
        longest = search.query(queries, len(X))
        for case in range(len(queries)):
            table = search.query(queries[case : case + 1], k)
            assert table.rows[0].tolist() == longest.rows[case, :k].tolist()
            assert table.distances[0].tolist() == longest.distances[case, :k].tolist()


def test_cases_without_a_direction_get_the_first_rows():
    rng = np.random.default_rng(0)
    X = binary(rng, (60, 15))
    for metric, query in (("cosine", 0.0), ("correlation", 0.3)):
        for features in (X, X * 0.1, X - X.mean(axis=0)):
            table = fit_search(metric, features).query(np.full((2, 15), query), 10)
            assert table.rows.tolist() == [list(range(10))] * 2
            assert (table.distances == 1).all()


@pytest.mark.parametrize("model", METHODS)
def test_dense_and_sparse_forms_predict_the_same(model):
    for seed in range(6 * len(KINDS)):
        kind = KINDS[seed % len(KINDS)]
        if kind is lengths:  # Mallows and others refuse such features
            continue
        X, queries, k = problem(kind, seed)
        Y = problems.targets(np.random.default_rng(seed), METHODS[model], len(X), 4)
        for metric in ("cosine", "euclidean", "manhattan", "correlation"):
            if metric == "euclidean" and kind not in (binary, signed):
                continue  # rounded as they are summed
            dense = model(k, metric=metric).fit(X, Y)
            thin = model(k, metric=metric).fit(sparse.csr_matrix(X), Y)
            np.testing.assert_array_equal(
                dense.predict(queries), thin.predict(sparse.csr_matrix(queries))
            )


def test_every_metric_breaks_ties_by_row():
    X = np.tile(np.random.default_rng(1).integers(0, 2, (1, 6)).astype(float), (9, 1))
    needed = {"seuclidean": {"V": np.ones(6)}, "mahalanobis": {"VI": np.eye(6)}}
    for metric in sorted(METRICS):
        table = fit_search(metric, X, params=needed.get(metric)).query(1 - X[:1], 9)
        assert table.rows.tolist() == [list(range(9))]
