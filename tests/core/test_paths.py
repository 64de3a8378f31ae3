"""A path's points equal fresh fits, whatever the data and however much is kept."""

from itertools import product
from numbers import Integral

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.nearest import base, search
from tests import problems
from tests.pairs import all_pairs

N_ROWS, N_CASES, N_LABELS = 40, 6, 4
KINDS = ["continuous", *problems.FEATURES]
WEIGHTS = ["uniform", "distance"]
MEMORY = ["running sums kept", "too large to keep sums"]
BLOCKS = ["scanned", "one block", "small blocks"]


@pytest.fixture(params=MEMORY)
def memory(request, monkeypatch):
    if request.param == "too large to keep sums":
        monkeypatch.setattr(base, "_PREFIX_CELLS", 0)
    return request.param


@pytest.fixture(params=BLOCKS)
def blocks(request, monkeypatch):
    if request.param != "scanned":
        monkeypatch.setattr(search, "_FEW_CELLS", 0)
    if request.param == "small blocks":
        monkeypatch.setattr(search, "_FIRST_BLOCK_ROWS", 2)
        monkeypatch.setattr(search, "_BLOCK_CELLS", 1)
        monkeypatch.setattr(search, "_CHUNK_CELLS", 256)
    return request.param


def data(kind, task):
    rng = np.random.default_rng(0)
    X = problems.features(rng, kind, N_ROWS, 3)
    queries = np.vstack([problems.features(rng, kind, N_CASES - 2, 3), X[:2]])
    return X, problems.targets(rng, task, N_ROWS, N_LABELS), queries


def assert_same(point, fresh, queries):
    np.testing.assert_array_equal(point.prediction, fresh.predict(queries))
    np.testing.assert_allclose(point.confidence, fresh.predict_confidence(queries), atol=1e-9)
    single = fresh.explain(queries[0])
    for explanation in (point.explain(0), single):
        np.testing.assert_array_equal(explanation.prediction, point.prediction[0])
        np.testing.assert_array_equal(explanation.positions, point.positions[0])


@pytest.mark.parametrize(
    ("kind", "weights", "memory", "blocks"),
    all_pairs(list(product(KINDS, WEIGHTS, MEMORY, BLOCKS))),
    indirect=["memory", "blocks"],
)
def test_every_k_and_rule_of_label_ranking(kind, weights, memory, blocks):  # noqa: ARG001
    X, Y, queries = data(kind, "label_ranking")
    path = KNeighborsLabelRanker(7, weights=weights).fit(X, Y).path(queries)
    assert path.n_neighbors == N_ROWS
    for k in (1, 2, 3, 5, 8, 13, 21, 39, 40):
        for rule in ("borda", "median"):
            fresh = KNeighborsLabelRanker(k, aggregation=rule, weights=weights).fit(X, Y)
            point = path.at(n_neighbors=k, aggregation=rule)
            assert_same(point, fresh, queries)
            scores = fresh.path(queries, n_neighbors=k).at().scores
            np.testing.assert_allclose(point.scores, scores, atol=1e-9)


@pytest.mark.parametrize(
    ("kind", "task", "weights", "memory"),
    all_pairs(list(product(KINDS, ["multilabel", "calibrated_ranking"], WEIGHTS, MEMORY))),
    indirect=["memory"],
)
def test_every_k_and_p_of_multilabel_ranking(kind, task, weights, memory):  # noqa: ARG001
    X, Y, queries = data(kind, task)
    path = KNeighborsMultilabelRanker(7, weights=weights).fit(X, Y).path(queries)
    for k in (1, 2, 5, 13, 40):
        for p, decision in ((1, "zero_line"), (2, "f1"), (2, "subset"), (128, "zero_line")):
            model = KNeighborsMultilabelRanker(
                k, n_virtual_labels=p, decision=decision, weights=weights
            )
            point = path.at(n_neighbors=k, n_virtual_labels=p, decision=decision)
            assert_same(point, model.fit(X, Y), queries)
            np.testing.assert_array_equal(point.positions, model.predict_ranking(queries))
            np.testing.assert_allclose(point.scores, model.decision_function(queries), atol=1e-9)


def test_a_point_without_parameters_is_the_models_own():
    X, Y, queries = data("integer", "label_ranking")
    model = KNeighborsLabelRanker(5, aggregation="median").fit(X, Y)
    np.testing.assert_array_equal(model.path(queries).at().prediction, model.predict(queries))


@pytest.mark.parametrize("own", [3, 180])
def test_a_path_searches_for_151_neighbours_or_the_models_own_if_more(own):
    rng = np.random.default_rng(0)
    model = KNeighborsLabelRanker(own).fit(
        rng.normal(size=(200, 2)), problems.positions(rng, 200, 3)
    )
    assert model.path([[0.0, 0.0]]).n_neighbors == max(own, 151)


class TestSearch:
    """The order of neighbours: by distance, then by row."""

    @staticmethod
    def scan(X, x, k):
        distances = np.sqrt(np.square(X - x).sum(axis=1))
        order = np.lexsort((np.arange(len(X)), distances))[:k]
        return order.tolist(), distances[order].tolist()

    @pytest.mark.parametrize("n_features", [3, 9])
    @pytest.mark.parametrize("kind", KINDS)
    def test_prefixes_of_longer_lists_and_single_queries(self, kind, n_features, blocks):  # noqa: ARG002
        rng = np.random.default_rng(1)
        X = problems.features(rng, kind, 200, n_features)
        queries = np.vstack([problems.features(rng, kind, 5, n_features), X[:3]])
        index = search.NeighborSearch("euclidean", None).fit(X)
        longest = index.query(queries, 120)
        for k in (1, 5, 60, 120):
            found = index.query(queries, k)
            np.testing.assert_array_equal(found.rows, longest.rows[:, :k])
            np.testing.assert_array_equal(found.distances, longest.distances[:, :k])
        for case, x in enumerate(queries):
            alone = index.query(x[None], 60)
            np.testing.assert_array_equal(alone.rows[0], longest.rows[case, :60])
            assert self.scan(X, x, 120) == (
                longest.rows[case].tolist(),
                pytest.approx(longest.distances[case].tolist()),
            )

    @pytest.mark.parametrize("n_features", [2, 8])
    @pytest.mark.parametrize(
        ("offset", "scale"), [(1e6, 1.0), (1e8, 1e-3), (0.0, 1e-9), (0.0, 1e9), (-1e4, 1e4)]
    )
    def test_rounding_hides_no_neighbour(self, offset, scale, n_features, blocks):  # noqa: ARG002
        # Far from the origin inner products lose the digits that tell these rows apart.
        rng = np.random.default_rng(2)
        X = offset + scale * rng.integers(0, 6, size=(300, n_features))
        index = search.NeighborSearch("euclidean", None).fit(X)
        found = index.query(X[:40], 7)
        for case in range(40):
            assert found.rows[case].tolist() == self.scan(X, X[case], 7)[0]

    @pytest.mark.parametrize("n_features", [2, 8])
    @pytest.mark.parametrize("largest", [3, 200, 10**5, 10**7])
    def test_whole_numbers_of_any_size(self, largest, n_features, blocks):  # noqa: ARG002
        rng = np.random.default_rng(largest)
        X = largest * rng.integers(0, 3, size=(300, n_features)) + rng.integers(0, 2, (300, 1))
        index = search.NeighborSearch("euclidean", None).fit(X.astype(float))
        for queries in (X[:30].astype(float), X[:30] + 0.5, np.full((2, n_features), 1e12)):
            found = index.query(queries, 9)
            for case, x in enumerate(queries):
                assert found.rows[case].tolist() == self.scan(X, x, 9)[0]

    def test_all_rows_equal_come_in_order(self, blocks):  # noqa: ARG002
        index = search.NeighborSearch("euclidean", None).fit(np.full((500, 10), 0.1))
        found = index.query(np.full((3, 10), 0.1), 250)
        assert found.rows.tolist() == [list(range(250))] * 3
        assert not found.distances.any()


SETTINGS = [
    (key, knob.name)
    for key, algorithm in ALGORITHMS.items()
    for knob in algorithm.knobs
    if knob.on_path
]


def wrong_values(key, name):
    """Values that a setting cannot have, and a word of the sentence that refuses them."""
    algorithm = ALGORITHMS[key]
    choices = [value for value, _ in algorithm.path_knobs[name].choices]
    if choices:
        return ["nonsense", "", 3], repr(choices[-1])
    kinds = algorithm.estimator._parameter_constraints[name]
    whole = any(getattr(kind, "type", None) is Integral for kind in kinds)
    return [2.5, 0, "nonsense"] if whole else [-1], name


@pytest.mark.parametrize(("key", "name"), SETTINGS)
def test_a_setting_that_is_none_is_refused_in_words_before_anything_is_computed(key, name):
    X, Y, queries = data("continuous", ALGORITHMS[key].tasks[0])
    algorithm = ALGORITHMS[key]
    path = algorithm.build(**problems.few(algorithm)).fit(X, Y).path(queries)
    wrong, named = wrong_values(key, name)
    for value in wrong:
        with pytest.raises(ValueError, match=f"Expected .*{named}"):
            path.at(**{name: value})
