"""Every consensus rule in k-NN label ranking: paths, partial rankings, explanations."""

from itertools import product

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.aggregation import CONSENSUS_RULES, LOSSES, aggregate
from labelrank_core.aggregation.kemeny import kemeny_order
from labelrank_core.aggregation.win_shares import PairTable, neighborhood_sizes, win_share_sums
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import Confidence, RuleOrders, WinShares
from labelrank_core.explain.render import Scene, picture
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.dummy import ConsensusLabelRanker
from labelrank_core.methods.nearest.base import inverse_distance_weights
from labelrank_core.methods.nearest.search import NeighborSearch
from labelrank_core.metrics import kendall_tau_score
from labelrank_core.rankings import dense_positions, strict_positions
from tests.pairs import all_pairs

NAN = float("nan")
RULES = sorted(CONSENSUS_RULES)
NAMES = list("abcdef")


def problem(seed, *, missing, n=60, m=5):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, 3)).astype(float)
    keys = rng.integers(0, 8, size=(n, m)).astype(float)
    keys[rng.random((n, m)) < missing] = np.nan
    return X, dense_positions(keys)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("rule", RULES)
def test_a_path_point_equals_a_fresh_fit_and_the_consensus_of_its_neighbours(
    rule, weights, missing
):
    X, Y = problem(0, missing=missing)
    path = KNeighborsLabelRanker(3, weights=weights).fit(X, Y).path(X)
    for k in (1, 2, 7, 60):
        fresh = KNeighborsLabelRanker(k, aggregation=rule, weights=weights).fit(X, Y)
        point = path.at(n_neighbors=k, aggregation=rule)
        np.testing.assert_array_equal(point.prediction, fresh.predict(X))
        np.testing.assert_array_equal(point.confidence, fresh.predict_confidence(X))
        assert (np.sort(point.prediction, axis=1) == np.arange(1, 6)).all()
        if rule == "borda" and missing:
            continue  # wider neighbourhoods count, see below
        for case in range(0, 60, 7):
            rows = path.rows[case, :k]
            own = None if path.weights is None else path.weights[case, :k]
            alone = aggregate(Y[rows], method=rule, weights=own)
            np.testing.assert_array_equal(point.prediction[case], alone)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("k", [1, 6])
@pytest.mark.parametrize("rule", RULES)
def test_every_explanation_ends_in_the_prediction_and_speaks(rule, k, missing):
    X, Y = problem(1, missing=missing)
    model = KNeighborsLabelRanker(k, aggregation=rule).fit(X, Y)
    predicted, confidence = model.predict(X), model.predict_confidence(X)
    for row in range(0, 60, 12):
        explanation = model.explain(X[row])
        np.testing.assert_array_equal(explanation.prediction, predicted[row])
        assert "{" not in explanation.summary.plain(NAMES)
        for step in explanation.steps:
            assert "{" not in step.text.plain(NAMES)
            assert len(step.evidence.frame(NAMES[:5]))
        shown = explanation.evidence(Confidence)
        assert shown.lowest - 1e-12 <= shown.value <= 1
        assert shown.value == confidence[row]


@pytest.mark.parametrize(
    ("rule", "weights", "tied"),
    all_pairs(list(product(RULES, ("uniform", "distance"), (False, True)))),
)
def test_no_confidence_is_below_the_range_shown(rule, weights, tied):
    rng = np.random.default_rng(0)
    for k, m in product(range(1, 8), range(2, 6)):
        Y = dense_positions(rng.integers(0, 3, (k, m)) if tied else rng.random((k, m)))
        model = KNeighborsLabelRanker(k, aggregation=rule, weights=weights)
        shown = model.fit(rng.random((k, 1)), Y).explain([2.0]).evidence(Confidence)
        assert shown.lowest - 1e-9 <= shown.value <= 1


def test_kemeny_shows_win_shares_in_the_predicted_order():
    X, Y = problem(2, missing=0.0)
    explanation = KNeighborsLabelRanker(5, aggregation="kemeny").fit(X, Y).explain(X[0])
    pairs = explanation.evidence(WinShares)
    first, second = np.argsort(explanation.positions)[:2]
    assert pairs.shares[first, second] >= 0.5
    np.testing.assert_allclose(pairs.shares + pairs.shares.T, 1)
    table = pairs.frame(NAMES[:5])
    assert table.columns[0] == "preferred"
    assert table.iloc[0, 2] == pairs.shares[first, second]


def test_a_circle_too_long_to_solve_is_admitted(monkeypatch):
    X, Y = problem(3, missing=0.0)
    model = KNeighborsLabelRanker(5, aggregation="kemeny").fit(X, Y)
    monkeypatch.setitem(kemeny_order.__globals__, "EXACT_LABELS", 1)
    said = (model.explain(x).summary.plain(NAMES) for x in X)
    assert any("fewer are possible" in sentence for sentence in said)


@pytest.mark.parametrize("seed", [None, 7])
def test_the_number_of_equally_good_orders_is_in_words_and_picture(seed):
    # A cycle of three: a > b > c, b > c > a and c > a > b each reverse 4 pairs of 9.
    Y = [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    model = KNeighborsLabelRanker(3, aggregation="kemeny", random_state=seed)
    explanation = model.fit([[0.0], [1.0], [2.0]], Y).explain([0.0])
    decider = "the list of labels" if seed is None else "a random draw (seed 7)"
    expected = f" 3 orders do equally well, and {decider} decides."
    assert explanation.summary.plain(NAMES).endswith(expected)
    orders = explanation.evidence(RuleOrders)
    assert "Kemeny optimum (1 of 3)" in orders.frame(NAMES[:3])["rule"].tolist()
    drawn = picture(orders, Scene(explanation, NAMES[:3], numeric_schema(["x"]), None))
    assert "Kemeny optimum (1 of 3)" in drawn.alt
    model.fit([[0.0], [1.0], [2.0]], [Y[0]] * 3)
    assert "equally well" not in model.explain([0.0]).summary.plain(NAMES)


@pytest.mark.parametrize("loss", LOSSES)
def test_confidence_in_every_loss(loss):
    X, Y = problem(4, missing=0.0)
    model = KNeighborsLabelRanker(5).fit(X, Y)
    sure = model.predict_confidence(X, loss=loss)
    assert ((sure >= 0) & (sure <= 1)).all()
    if loss == "squared":
        np.testing.assert_array_equal(sure, model.predict_confidence(X))


def test_unknown_losses_and_rules_are_named():
    X, Y = problem(5, missing=0.0)
    model = KNeighborsLabelRanker(5).fit(X, Y)
    with pytest.raises(ValueError, match="loss in"):
        model.predict_confidence(X, loss="hinge")
    with pytest.raises(ValueError, match="aggregation in"):
        model.path(X).at(aggregation="mean")
    with pytest.raises(ValueError, match="aggregation"):
        KNeighborsLabelRanker(aggregation="mean").fit(X, Y)


def test_rows_that_rank_nothing_have_no_say():
    X = [[0.0], [0.1], [5.0]]
    model = KNeighborsLabelRanker(2).fit(X, [[NAN, NAN, NAN], [3, 2, 1], [1, 2, 3]])
    assert model.predict([[0.0]]).tolist() == [[3, 2, 1]]
    assert model.predict_confidence([[0.0]]).tolist() == [1.0]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_borda_of_partial_rankings_counts_wider_neighbourhoods(weights):
    X, Y = problem(7, missing=0.6, n=300)
    for k, sizes in ((1, (1, 4, 16, 64)), (5, (5, 20, 80)), (70, (70,)), (300, (300,))):
        model = KNeighborsLabelRanker(k, weights=weights).fit(X, Y)
        assert neighborhood_sizes(k, 300) == sizes
        assert neighborhood_sizes(k, 60) == tuple(size for size in sizes if size <= max(k, 60))
        near = NeighborSearch("euclidean", None).fit(X).query(X[:20], sizes[-1])
        own = inverse_distance_weights(near.distances) if weights == "distance" else None
        sums = win_share_sums(PairTable.from_rankings(Y), near.rows, own, sizes)
        np.testing.assert_array_equal(model.predict(X[:20]), strict_positions(-sums))
        path = KNeighborsLabelRanker(300, weights=weights).fit(X, Y).path(X[:20])
        np.testing.assert_array_equal(path.at(n_neighbors=k).prediction, model.predict(X[:20]))


def test_a_point_by_another_rule_searches_as_far_as_that_rule_needs():
    X, Y = problem(9, missing=0.5, n=120)
    for own, other in (("median", "borda"), ("borda", "kemeny")):
        model = KNeighborsLabelRanker(4, aggregation=own).fit(X, Y)
        fresh = KNeighborsLabelRanker(3, aggregation=other).fit(X, Y)
        found = model.point(X[:30], n_neighbors=3, aggregation=other)
        np.testing.assert_array_equal(found.prediction, fresh.predict(X[:30]))
        with pytest.raises(ValueError, match="Expected aggregation in"):
            model.point(X[:2], aggregation="nonsense")


def test_the_pairs_shown_are_those_that_decide():
    X, Y = problem(8, missing=0.5)
    model = KNeighborsLabelRanker(4).fit(X, Y)
    for row in range(0, 60, 6):
        explanation, point = model.explain(X[row]), model.point(X[row : row + 1])
        shares = explanation.evidence(WinShares).shares
        assert shares.sum(axis=1) - 0.5 == pytest.approx(point.scores[0], abs=1e-6)
        (step,) = (step for step in explanation.steps if isinstance(step.evidence, WinShares))
        assert "up to 16 similar cases" in step.text.plain(NAMES)


def preferences(seed, *, missing=0.6):
    """Cases whose labels have utilities linear in the features; most labels are left out."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 3))
    utilities = X @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(600, 7))
    truth = dense_positions(-utilities)
    Y = dense_positions(np.where(rng.random(truth.shape) < missing, np.nan, truth))
    return X[:400], Y[:400], X[400:], truth[400:]


def generalised_borda_score(model, Y, queries, truth):
    """Kendall's tau of Definition 2's scores, the middle one for missing labels, summed over the k.

    A present label at rank r of m' scores (m' + 1 - r)(m + 1) / (m' + 1), others (m + 1) / 2.
    """
    m, present = Y.shape[1], (~np.isnan(Y)).sum(axis=1, keepdims=True)
    scores = np.where(np.isnan(Y), (m + 1) / 2, (present + 1 - Y) * (m + 1) / (present + 1))
    rows = model.path(queries).rows[:, : model.n_neighbors]
    return kendall_tau_score(truth, strict_positions(-scores[rows].sum(axis=1)))


@pytest.mark.parametrize("k", [1, 3, 5, 10, 20])
def test_wider_circles_predict_better_than_the_middle_score_of_definition_2(k):
    X, Y, queries, truth = preferences(1)
    model = KNeighborsLabelRanker(k).fit(X, Y)
    assert model.score(queries, truth) > generalised_borda_score(model, Y, queries, truth) + 0.02


@pytest.mark.parametrize("missing", [0.3, 0.6])
@pytest.mark.parametrize("name", ["glass", "iris", "vehicle"])
def test_they_do_on_data_of_the_field_too(name, missing):
    data = load_sample(name)
    X, own, middle = StandardScaler().fit_transform(data.X), [], []
    for fold, (train, test) in enumerate(KFold(5, shuffle=True, random_state=0).split(X)):
        gone = np.random.default_rng(fold).random((len(train), data.n_labels)) < missing
        Y = dense_positions(np.where(gone, NAN, data.rankings[train]))
        model = KNeighborsLabelRanker().fit(X[train], Y)
        own.append(model.score(X[test], data.rankings[test]))
        middle.append(generalised_borda_score(model, Y, X[test], data.rankings[test]))
    assert np.mean(own) > np.mean(middle) + 0.02


def test_win_shares_beat_mean_observed_ranks_on_rankings_with_missing_labels():
    X, Y, queries, truth = preferences(0)
    model = KNeighborsLabelRanker(20).fit(X, Y)
    rows = model.path(queries).rows[:, :20]
    with np.errstate(invalid="ignore"):
        gathered = Y[rows]
        known = ~np.isnan(gathered)
        observed = np.where(known, gathered, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    shares = kendall_tau_score(truth, model.predict(queries))
    assert shares > kendall_tau_score(truth, dense_positions(observed)) + 0.02


def test_the_catalog_offers_every_rule():
    knobs = {knob.name: knob for knob in ALGORITHMS["knn"].knobs}
    assert {value for value, _ in knobs["aggregation"].choices} == set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_the_baseline_predicts_the_consensus_of_partial_rankings_too(rule):
    X, Y = problem(6, missing=0.4)
    model = ConsensusLabelRanker(aggregation=rule).fit(X, Y)
    expected = aggregate(Y, method=rule)
    np.testing.assert_array_equal(model.predict(X[:2]), [expected, expected])
