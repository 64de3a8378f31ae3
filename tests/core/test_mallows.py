"""IB-M and the Mallows model below it: worked by hand, enumerated, at its limits."""

from itertools import combinations, permutations

import numpy as np
import pytest

from labelrank_core.aggregation.mallows import (
    completed,
    distance_probabilities,
    expected_distance,
    pair_probabilities,
    rough_spread,
    spread,
)
from labelrank_core.explain.evidence import Confidence, MallowsFit
from labelrank_core.methods.probabilistic import MallowsLabelRanker
from labelrank_core.rankings import dense_positions, strict_positions
from tests import problems
from tests.oracles_models import extensions, reversed_pairs

NAN = np.nan


def model_of(theta, n_labels):
    """All rankings, and their probabilities around 1, 2, ..."""
    everything = np.array(list(permutations(range(1, n_labels + 1))))
    centre = np.arange(1, n_labels + 1)
    weights = np.array([np.exp(-theta * reversed_pairs(one, centre)) for one in everything])
    return everything, weights / weights.sum()


class TestModel:
    def test_means_and_chances_are_those_of_all_rankings_counted(self):
        for n_labels in (2, 3, 5):
            for theta in (0.0, 0.3, 1.0, 4.0):
                everything, chances = model_of(theta, n_labels)
                centre = np.arange(1, n_labels + 1)
                distances = np.array([reversed_pairs(one, centre) for one in everything])
                mean = expected_distance(np.exp(-theta), n_labels)
                assert mean == pytest.approx(chances @ distances)
                counted = np.bincount(distances, weights=chances)
                np.testing.assert_allclose(
                    distance_probabilities(theta, n_labels), counted, atol=1e-12
                )
                found = pair_probabilities(np.array([theta]), centre[None])[0]
                for i, j in combinations(range(n_labels), 2):
                    ahead = chances @ (everything[:, i] < everything[:, j])
                    assert (found[i, j], found[j, i]) == pytest.approx((ahead, 1 - ahead))

    def test_the_spread_is_the_one_that_expects_the_mean_distance(self):
        for n_labels in (2, 4, 16):
            for theta in (0.01, 0.5, 2.0, 8.0):
                mean = expected_distance(np.exp(-theta), n_labels)
                assert spread(mean, n_labels) == pytest.approx(theta, rel=1e-6)
                assert rough_spread(mean, n_labels) == pytest.approx(theta, abs=1e-3)
        # Two labels, 1 of 4 reversed: exp(-theta) / (1 + exp(-theta)) = 1/4 at theta = log 3.
        assert spread(0.25, 2) == pytest.approx(np.log(3))
        assert spread(np.array([0.0, 3.0, 4.0]), 4).tolist() == [np.inf, 0, 0]

    def test_infinite_and_no_spread(self):
        assert distance_probabilities(np.inf, 3).tolist() == [1, 0, 0, 0]
        centre = np.array([[2, 1, 3]])
        certain = pair_probabilities(np.array([np.inf]), centre)[0]
        assert certain.tolist() == [[0.5, 0, 1], [1, 0.5, 1], [0, 0, 0.5]]
        assert (pair_probabilities(np.array([0.0]), centre) == 0.5).all()

    def test_no_extension_is_nearer_to_the_centre_than_the_completion(self):
        rng = np.random.default_rng(0)
        for case in range(60):
            n_labels = int(rng.integers(2, 6))
            row = problems.positions(rng, 1, n_labels, tied=case % 2 == 0)[0].astype(float)
            row[rng.random(n_labels) < 0.4] = NAN
            centre = rng.permutation(n_labels) + 1
            found = completed(row[None], centre[None])[0]
            nearest = min(reversed_pairs(each, centre) for each in extensions(row))
            assert tuple(found) in extensions(row)
            assert reversed_pairs(found, centre) == nearest

    def test_a_completion_by_hand(self):
        # b > a is given; the centre is a > b > c > d: c and d go last, as in the centre.
        found = completed(np.array([[2.0, 1.0, NAN, NAN]]), np.array([[1, 2, 3, 4]]))
        assert found.tolist() == [[2, 1, 3, 4]]
        # d > a: b and c reverse one pair wherever they go, and go as far ahead as that allows.
        found = completed(np.array([[2.0, NAN, NAN, 1.0]]), np.array([[1, 2, 3, 4]]))
        assert found.tolist() == [[4, 1, 2, 3]]


def fit_all(rankings, **params):
    n = len(rankings)
    return MallowsLabelRanker(n, **params).fit(np.zeros((n, 1)), rankings)


class TestRanker:
    def test_by_hand(self):
        # a > b > c twice, and b > a > c, which reverses 1 of 3 pairs: mean distance 1/3.
        model = fit_all([[1, 2, 3], [1, 2, 3], [2, 1, 3]])
        assert model.predict([[0.0]]).tolist() == [[1, 2, 3]]
        assert model.predict_confidence([[0.0]]) == pytest.approx([1 - 1 / 9])
        theta = model.predict_spread([[0.0]])[0]
        assert expected_distance(np.exp(-theta), 3) == pytest.approx(1 / 3)
        fit = model.explain([0.0]).evidence(MallowsFit)
        assert fit.observed.tolist() == [2, 1, 0, 0]
        assert fit.mean_distance == pytest.approx(1 / 3)
        assert fit.expected @ np.arange(4) == pytest.approx(1)

    def test_the_centre_is_a_fixed_point_and_as_near_as_its_rule_says(self):
        rng = np.random.default_rng(2)
        for case in range(30):
            n, n_labels = int(rng.integers(2, 8)), int(rng.integers(2, 5))
            Y = problems.positions(rng, n, n_labels).astype(float)
            if case % 2:
                Y[:, 0] = np.where(rng.random(n) < 0.5, NAN, Y[:, 0])
                Y = np.array([[NAN if np.isnan(p) else (row <= p).sum() for p in row] for row in Y])
            for rule in ("borda", "kemeny"):
                model = fit_all(Y, aggregation=rule)
                centre = model.predict([[0.0]])[0]
                # What does not rank two labels is ignored.
                told = [row for row in Y if (~np.isnan(row)).sum() >= 2] or [centre]
                whole = completed(np.array(told), np.tile(centre, (len(told), 1)))
                distances = [reversed_pairs(row, centre) for row in whole]
                confidence = 1 - min(np.mean(distances) / (n_labels * (n_labels - 1) / 2), 0.5)
                if len(told) > 1 or not np.isnan(Y).any():
                    assert model.predict_confidence([[0.0]])[0] == pytest.approx(confidence)
                if rule == "borda":
                    expected = np.argsort(np.argsort(whole.mean(axis=0), kind="stable"))
                    assert (centre - 1).tolist() == expected.tolist()
                else:
                    least = min(
                        sum(reversed_pairs(row, order) for row in whole)
                        for order in permutations(range(1, n_labels + 1))
                    )
                    assert sum(distances) == least

    def test_the_centre_is_a_fixed_point_however_many_rounds_it_takes(self):
        # Computed 27 times before it no longer changes.
        rng = np.random.default_rng(5)
        Y = rng.permuted(np.tile(np.arange(1.0, 61.0), (20, 1)), axis=1)
        Y[rng.random(Y.shape) < 0.8] = NAN
        Y = dense_positions(Y)
        centre = fit_all(Y).predict([[0.0]])[0]
        whole = completed(Y, np.tile(centre, (len(Y), 1)))
        assert centre.tolist() == strict_positions(whole.mean(axis=0)[None])[0].tolist()

    def test_unanimous_neighbours_leave_no_spread(self):
        model = fit_all([[2, 1, 3]] * 4)
        assert model.predict_spread([[0.0]]) == np.inf
        assert model.predict_confidence([[0.0]]) == 1
        explanation = model.explain([0.0])
        assert "infinite" in explanation.steps[2].text.plain(["a", "b", "c"])
        assert not fit_all([[1, 2]]).explain([0.0]).evidence(Confidence).defined

    def test_nothing_ranked_predicts_the_listed_order_without_confidence(self):
        model = fit_all([[NAN] * 3, [NAN, 1, NAN]])
        assert model.predict([[0.0]]).tolist() == [[1, 2, 3]]
        assert model.predict_confidence([[0.0]]) == 0.5
        assert len(model.explain([0.0]).evidence(MallowsFit).frame(["a", "b", "c"])) == 4

    def test_a_label_never_ranked_goes_where_it_reverses_nothing(self):
        model = fit_all([[1, NAN, 2], [1, NAN, 2]])
        assert model.predict_confidence([[0.0]]) == 1
        positions = model.predict([[0.0]])[0]
        assert positions[0] < positions[2]

    def test_a_point_equals_a_fresh_fit(self):
        rng = np.random.default_rng(1)
        X, Y = rng.normal(size=(30, 2)), problems.positions(rng, 30, 4, tied=True).astype(float)
        Y[Y.max(axis=1) == Y[:, 3], 3] = NAN
        Y = np.array([[NAN if np.isnan(p) else len(set(row[row <= p])) for p in row] for row in Y])
        path = MallowsLabelRanker(3).fit(X, Y).path(X)
        for k in (1, 7, 30):
            for rule in ("borda", "kemeny"):
                fresh = MallowsLabelRanker(k, aggregation=rule).fit(X, Y)
                point = path.at(n_neighbors=k, aggregation=rule)
                np.testing.assert_array_equal(point.prediction, fresh.predict(X))
                np.testing.assert_allclose(point.confidence, fresh.predict_confidence(X))
