"""Neighbours of sparse cases: against exact fractions, and against the search of dense ones."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, MLkNNClassifier
from labelrank_core.methods.base import TooLargeError
from labelrank_core.methods.nearest import base as nearest
from labelrank_core.methods.nearest import directions, sparse_search
from labelrank_core.methods.nearest.searches import SPARSE_METRICS, fit_search
from tests import oracles, problems

METRICS = sorted(SPARSE_METRICS)
EUCLIDEAN = sorted(SPARSE_METRICS - {"cosine"})


@pytest.fixture(params=[1, 40, 1 << 20])
def blocks(request, monkeypatch):
    """Blocks of one query, of a few, and of all."""
    monkeypatch.setattr(sparse_search, "_BLOCK_CELLS", request.param)
    monkeypatch.setattr(directions, "_BLOCK_CELLS", 100 * request.param)


def word_counts(seed):
    """Few pages of few words: zero rows, duplicates and rows without a common word are many."""
    rng = np.random.default_rng(seed)
    n_rows, n_words = int(rng.integers(1, 16)), int(rng.integers(1, 8))
    X = rng.integers(1, 5, (n_rows, n_words)) * (rng.random((n_rows, n_words)) < 0.35)
    X = X[rng.integers(0, n_rows, n_rows)] if seed % 2 else X
    queries = np.vstack([X[:3], rng.integers(0, 3, (3, n_words)), np.zeros((1, n_words), int)])
    k = int(rng.choice([1, n_rows, rng.integers(1, n_rows + 1)]))
    return X.astype(float), queries.astype(float), k


def tfidf_like(seed, n_rows=60, n_words=40, density=0.2):
    rng = np.random.default_rng(seed)
    X = sparse.random(n_rows, n_words, density=density, random_state=rng, format="csr")
    return X, sparse.random(12, n_words, density=density, random_state=rng, format="csr")


def searched(X, metric="euclidean"):
    return fit_search(metric, sparse.csr_matrix(X))


class TestAgainstTheDefinition:
    @pytest.mark.parametrize("metric", EUCLIDEAN)
    def test_counts_of_words_are_exact(self, metric, blocks):  # noqa: ARG002
        for seed in range(60):
            X, queries, k = word_counts(seed)
            found = searched(X, metric).query(sparse.csr_matrix(queries), k)
            for case, x in enumerate(queries):
                rows = oracles.neighbours("euclidean", X, x, k)
                assert found.rows[case].tolist() == rows
                squares = [oracles.comparable_distance("euclidean", X[row], x) for row in rows]
                expected = squares if metric == "sqeuclidean" else np.sqrt(squares).tolist()
                assert found.distances[case].tolist() == expected

    @pytest.mark.parametrize("offset", [0.0, 1e-9, 1e-12])
    def test_nearly_equal_rows_keep_their_small_differences(self, offset):
        rng = np.random.default_rng(0)
        x = rng.random(30) * (rng.random(30) < 0.5)
        word = int(np.flatnonzero(x)[0])
        # In steps that whole floats take without rounding.
        step = np.spacing(x[word]) * max(1, round(offset / np.spacing(x[word])))
        X = np.tile(x, (6, 1))
        X[:, word] += step * np.array([5, 2, 0, 4, 1, 3]) * (offset > 0)
        found = searched(X).query(x[None], 6)
        gaps = [abs(Fraction(row[word]) - Fraction(x[word])) for row in X]
        expected = sorted(range(6), key=lambda row: (gaps[row], row))
        assert found.rows[0].tolist() == expected
        assert found.distances[0].tolist() == [float(gaps[row]) for row in expected]

    def test_rows_without_a_common_word_are_at_cosine_distance_1_in_the_order_of_rows(self):
        rng = np.random.default_rng(1)
        X = np.hstack([rng.random((9, 5)), np.zeros((9, 5))])
        X[4] = 0
        queries = np.hstack([np.zeros((3, 5)), rng.random((3, 5))])
        queries[1] = 0
        found = searched(X, "cosine").query(queries, 9)
        assert found.rows.tolist() == [list(range(9))] * 3
        assert found.distances.tolist() == [[1.0] * 9] * 3


class TestAgainstTheDenseSearch:
    @pytest.mark.parametrize("metric", METRICS)
    @pytest.mark.parametrize("k", [1, 7, 60])
    def test_it_finds_the_same_neighbours(self, metric, k, blocks):  # noqa: ARG002
        for seed in range(8):
            X, queries = tfidf_like(seed, density=0.5)
            X.data -= 0.3 * (seed % 2)  # below 0 too
            dense = fit_search(metric, X.toarray())
            everyone = dense.query(queries.toarray(), 60)
            found = fit_search(metric, X).query(queries, k)
            np.testing.assert_allclose(found.distances, everyone.distances[:, :k], rtol=1e-9)
            # Where no other row is as far to rounding, it is the same row to the last.
            gaps = np.diff(everyone.distances, axis=1) > 1e-12
            alone = np.hstack([gaps[:, :1] | True, gaps]) & np.hstack([gaps, gaps[:, :1] | True])
            assert (found.rows == everyone.rows[:, :k])[alone[:, :k]].all()
            assert alone.mean() > 0.9

    @pytest.mark.parametrize("metric", METRICS)
    def test_neighbours_of_training_rows_leave_themselves_out(self, metric):
        X, _ = tfidf_like(3)
        X = sparse.vstack([X, X[:20]], format="csr")  # duplicates stay
        found = fit_search(metric, X).query_others(5)
        assert (found.rows != np.arange(80)[:, None]).all()
        assert (found.rows[:20, 0] == np.arange(60, 80)).all()
        assert (found.distances[:20, 0] == 0).all()

    def test_what_makes_distances_and_breakpoints(self):
        X, queries = tfidf_like(4)
        x = queries[[0]].toarray()[0]
        dense, thin = fit_search("euclidean", X.toarray()), searched(X)
        rows = np.array([5, 0, 5, 33])
        for one, other in zip(
            thin.largest_differences(x, rows), dense.largest_differences(x, rows), strict=True
        ):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_allclose(thin.squared_distances(x), dense.squared_distances(x))
        assert thin.squared_distances(X[[7]].toarray()[0])[7] == 0
        np.testing.assert_array_equal(thin.column(3), dense.column(3))
        assert searched(X, "cosine").largest_differences(x, rows) == (None, None)


class TestOrder:
    @pytest.mark.parametrize("metric", METRICS)
    def test_batches_and_longer_lists_change_nothing(self, metric, monkeypatch):
        X, queries = tfidf_like(5, density=0.05)  # hardly a common word
        search = fit_search(metric, X)
        longest = search.query(queries, 60)
        for cells in (1, 150):
            for module in (sparse_search, directions):
                monkeypatch.setattr(module, "_BLOCK_CELLS", cells)
            for k in (1, 4, 59):
                found = search.query(queries, k)
                np.testing.assert_array_equal(found.rows, longest.rows[:, :k])
                np.testing.assert_array_equal(found.distances, longest.distances[:, :k])
        alone = [search.query(queries[[case]].toarray(), 9).rows[0] for case in range(12)]
        np.testing.assert_array_equal(alone, longest.rows[:, :9])

    def test_how_a_matrix_is_stored_does_not_matter(self):
        X, queries = tfidf_like(6)
        mixed = X.copy()
        for start, end in zip(mixed.indptr, mixed.indptr[1:], strict=False):
            mixed.indices[start:end] = mixed.indices[start:end][::-1].copy()
            mixed.data[start:end] = mixed.data[start:end][::-1].copy()
        mixed.has_sorted_indices = False
        halves = sparse.csr_matrix(
            (
                np.repeat(X.data / 2, 2),
                np.repeat(X.indices, 2),
                2 * X.indptr,
            ),
            shape=X.shape,
        )
        expected = searched(X).query(queries, 9)
        for stored in (mixed, halves, sparse.csr_array(X), X.tocsc()):
            found = fit_search("euclidean", stored).query(queries, 9)
            np.testing.assert_array_equal(found.rows, expected.rows)
            np.testing.assert_array_equal(found.distances, expected.distances)
        assert halves.nnz == 2 * X.nnz  # the caller's own is not changed


MODELS = [
    (KNeighborsLabelRanker, "label_ranking"),
    (KNeighborsMultilabelRanker, "multilabel"),
    (MLkNNClassifier, "multilabel"),
]


@pytest.mark.parametrize(("model", "task"), MODELS)
class TestMethods:
    @pytest.mark.parametrize("metric", METRICS)
    def test_text_is_never_made_dense(self, model, task, metric):
        rng = np.random.default_rng(7)
        X = sparse.random(1500, 40_000, density=0.001, random_state=rng, format="csr")
        Y = problems.targets(rng, task, 1500, 4)
        tracemalloc.start()
        try:
            point = model(metric=metric).fit(X, Y).point(X[:300])
            assert np.isfinite(point.confidence).all()
            point.explain(0)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 150e6  # dense cases take 480 MB

    def test_other_distances_say_which_keep_it_sparse(self, model, task):
        X = sparse.csr_matrix(([1.0], ([0], [0])), shape=(3000, 40_000))
        Y = problems.targets(np.random.default_rng(0), task, 3000, 4)
        with pytest.raises(TooLargeError, match="with Euclidean or cosine distance"):
            model(metric="manhattan").fit(X, Y)
        with pytest.raises(ValueError, match="metric_params of 'cosine'"):
            model(metric="cosine", metric_params={"p": 3}).fit(X, Y)

    @pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan"])
    def test_everything_said_is_as_of_dense_cases(self, model, task, metric, monkeypatch):
        monkeypatch.setattr(nearest, "_BLOCK_CELLS", 100)
        X, queries = tfidf_like(8, density=0.6)
        X = X.tolil()
        X[:, 0] = np.random.default_rng(1).random((60, 1)) + 0.5  # no two rows are equally far
        X = X.tocsr()
        Y = problems.targets(np.random.default_rng(2), task, 60, 5)
        thin, dense = model(6, metric=metric).fit(X, Y), model(6, metric=metric).fit(X.toarray(), Y)
        paths = thin.path(queries, n_neighbors=20), dense.path(queries.toarray(), n_neighbors=20)
        for k in (1, 6, 20):
            points = [path.at(n_neighbors=k) for path in paths]
            for name in ("prediction", "positions", "scores", "confidence"):
                one, other = (getattr(point, name) for point in points)
                np.testing.assert_allclose(one, other, atol=1e-9, err_msg=name)
            assert str(points[0].explain(3).summary) == str(points[1].explain(3).summary)
