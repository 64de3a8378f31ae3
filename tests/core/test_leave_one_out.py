"""Leave-one-out of a consensus: every claim recomputed by the public functions."""

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.aggregation import CONSENSUS_RULES, aggregate, consensus_losses
from labelrank_core.explain.evidence import LeaveOneOut, Neighbors, RuleOrders
from labelrank_core.rankings import dense_positions, format_ranking
from tests import problems
from tests.looped import seeds


def explained(X, Y, query, **params):
    explanation = KNeighborsLabelRanker(**params).fit(X, Y).path(query).at().explain(0)
    return explanation.evidence(LeaveOneOut), explanation.evidence(Neighbors), explanation


@pytest.mark.parametrize("aggregation", list(CONSENSUS_RULES))
@seeds(6)
def test_every_consensus_is_what_the_neighbours_left_agree_on(aggregation, seed):
    rng = np.random.default_rng(seed)
    n, k, m = 12, int(rng.integers(2, 8)), int(rng.integers(2, 6))
    X, Y = rng.integers(0, 4, size=(n, 2)).astype(float), problems.positions(rng, n, m)
    params = {"n_neighbors": k, "aggregation": aggregation}
    found, neighbors, explanation = explained(X, Y, X[:1], **params)
    given = Y[neighbors.rows]
    assert found.rows.tolist() == neighbors.rows.tolist()
    assert found.prediction.tolist() == explanation.prediction.tolist()
    for i in range(k):
        others = np.delete(given, i, axis=0)
        assert found.without[i].tolist() == aggregate(others, method=aggregation).tolist()
        fewer = KNeighborsLabelRanker(n_neighbors=i + 1, aggregation=aggregation).fit(X, Y)
        assert found.running[i].tolist() == fewer.predict(X[:1])[0].tolist()
    changed = [i for i in range(k) if (found.without[i] != explanation.prediction).any()]
    assert found.deciding.tolist() == changed
    orders = explanation.evidence(RuleOrders)
    for rule in orders.rules:
        assert list(rule.positions) == aggregate(given, method=rule.key).tolist()
        losses = consensus_losses(given, rule.positions)
        assert (rule.squared, rule.footrule, rule.kendall) == pytest.approx(
            (losses.squared, losses.footrule, losses.kendall)
        )
    assert {rule.key for rule in orders.rules} == set(CONSENSUS_RULES)
    differ = [rule for rule in orders.rules if rule.positions != tuple(explanation.prediction)]
    assert orders.others == differ


@seeds(4)
def test_weights_are_those_of_the_neighbours(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(15, 2)), problems.positions(rng, 15, 4)
    found, neighbors, _ = explained(X, Y, X[:1] + 0.1, n_neighbors=6, weights="distance")
    given, weights = Y[neighbors.rows], neighbors.weights
    for i in range(6):
        left = np.arange(6) != i
        expected = aggregate(given[left], weights=weights[left])
        assert found.without[i].tolist() == expected.tolist()


@seeds(6)
def test_without_a_case_that_has_all_the_weight_the_others_have_their_own(seed):
    rng = np.random.default_rng(seed)
    # A distance of 0 takes all the weight; ties and copies occur.
    X, Y = rng.integers(0, 3, size=(9, 1)).astype(float), problems.positions(rng, 9, 4)
    params = {"n_neighbors": 5, "weights": "distance"}
    found, neighbors, explanation = explained(X, Y, X[:1], **params)
    assert neighbors.distances[0] == 0
    for i in range(5):
        left = np.delete(neighbors.rows, i)
        model = KNeighborsLabelRanker(n_neighbors=4, weights="distance").fit(X[left], Y[left])
        assert found.without[i].tolist() == model.predict(X[:1])[0].tolist()
    assert found.prediction.tolist() == explanation.prediction.tolist()


def test_the_pairs_that_one_neighbour_decides_and_the_sentence():
    Y = [[1, 2, 3], [1, 2, 3], [2, 1, 3], [2, 1, 3], [1, 3, 2]]
    X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    found, _, explanation = explained(X, Y, [[0.0]], n_neighbors=5)
    # Sums of ranks: a 7, b 9, c 14; without the last a and b tie at 6, where a goes first.
    assert found.prediction.tolist() == [1, 2, 3]
    assert found.deciding.tolist() == []
    said = explanation.steps[-1].text.plain("abc")
    assert said == (
        "No single case decides: without any one of the 5 the ranking stays the same, though "
        "without 1 of them labels tie, and only the list of labels decides."
    )

    Y[0] = [2, 1, 3]
    found, _, explanation = explained(X, Y, [[0.0]], n_neighbors=5)
    # Sums: a 8, b 8: a goes first as the label listed first, which the second and last decide.
    assert found.deciding.tolist() == [1, 4]
    assert found.discordant_pairs(found.without[1]) == [(0, 1)]
    table = found.frame("abc")
    assert table["pairs it decides"].tolist() == ["", "a before b", "", "", "a before b"]
    assert table["without this one"][1] == format_ranking([2, 1, 3], "abc")
    assert explanation.steps[-1].text.plain("abc") == (
        "2 of the 5 cases decide: removing any one of them changes the ranking; each time b goes "
        "ahead of a after a tie."
    )
    orders = explanation.evidence(RuleOrders)
    assert orders.frame("abc")["as predicted"].tolist()[0] == "yes"
    said = explanation.steps[-2].text.plain("abc")
    # 3 of 5 rankings put b ahead of a, 4 b ahead of c, all a ahead of c: b > a > c by majorities.
    assert said == "7 of the 8 consensus rules give a different order."
    assert len(orders.others) == 7


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("aggregation", list(CONSENSUS_RULES))
@seeds(3)
def test_of_partial_rankings_it_is_what_fresh_fits_say(seed, aggregation, weights):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    Y = problems.positions(rng, 30, 4).astype(float)
    for row in Y:
        row[rng.choice(4, rng.integers(0, 3), replace=False)] = np.nan
    Y = dense_positions(Y)
    query, k = X[:1] + 0.1, 5
    params = {"weights": weights, "aggregation": aggregation}
    explanation = KNeighborsLabelRanker(k, **params).fit(X, Y).path(query).at().explain(0)
    found, orders = explanation.evidence(LeaveOneOut), explanation.evidence(RuleOrders)
    assert found.prediction.tolist() == explanation.prediction.tolist()
    for i, row in enumerate(found.rows):
        left = np.delete(np.arange(30), row)
        for size, consensus in ((k - 1, found.without[i]), (k, found.replaced[i])):
            model = KNeighborsLabelRanker(size, **params).fit(X[left], Y[left])
            assert consensus.tolist() == model.predict(query)[0].tolist()
        first = KNeighborsLabelRanker(i + 1, **params).fit(X, Y)
        assert found.running[i].tolist() == first.predict(query)[0].tolist()
    for rule in orders.rules:
        model = KNeighborsLabelRanker(k, weights=weights, aggregation=rule.key).fit(X, Y)
        assert list(rule.positions) == model.predict(query)[0].tolist()
    assert len(found.frame("abcd")) == k


def test_a_point_that_searched_no_further_says_what_it_can():
    data = load_sample("vehicle")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    alone, on_path = model.explain(data.X[0]), model.path(data.X[:1]).at().explain(0)
    found, whole = (each.evidence(LeaveOneOut) for each in (alone, on_path))
    assert found.without.tolist() == whole.without.tolist()
    assert found.replaced is None
    assert whole.replaced is not None


def test_there_is_none_for_one_neighbour_and_much_work():
    data = load_sample("vehicle")
    for params in ({"n_neighbors": 1}, {"n_neighbors": 201}):
        model = KNeighborsLabelRanker(**params).fit(data.X, data.rankings)
        explanation = model.path(data.X[:1]).at().explain(0)
        with pytest.raises(LookupError):
            explanation.evidence(LeaveOneOut)


def test_a_rule_whose_neighbourhoods_were_not_searched_is_not_shown():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 2)), problems.positions(rng, 40, 4).astype(float)
    Y[rng.random(Y.shape) < 0.4] = np.nan
    Y = dense_positions(Y)
    model = KNeighborsLabelRanker(3, aggregation="median").fit(X, Y)
    # Of partial rankings Borda's rule needs the 12 nearest; alone only 3 are searched for.
    alone, on_path = (
        {rule.key for rule in explanation.evidence(RuleOrders).rules}
        for explanation in (model.explain(X[0]), model.path(X[:1]).at().explain(0))
    )
    assert on_path == set(CONSENSUS_RULES)
    assert alone == on_path - {"borda"}
