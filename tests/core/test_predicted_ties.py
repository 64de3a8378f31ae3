"""Label rankers with ``ties="predict"``: bucket orders of the votes that a method counts."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

from labelrank_core import KNeighborsLabelRanker, LabelRankingForest
from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
from labelrank_core.explain.evidence import Confidence
from labelrank_core.methods import ModelChoice
from labelrank_core.methods.catalog import ALGORITHMS
from labelrank_core.methods.choices import BASELINES
from labelrank_core.methods.dummy import ConsensusLabelRanker
from labelrank_core.methods.ensemble import StackedLabelRanker
from labelrank_core.methods.linear import ConstraintClassificationRanker, LogLinearRanker
from labelrank_core.methods.pairwise import (
    KernelPairwiseRanker,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    PairwiseSVMRanker,
)
from labelrank_core.methods.probabilistic import MallowsLabelRanker, PlackettLuceLabelRanker
from labelrank_core.methods.trees import (
    BaggedTreesLabelRanker,
    BoostedTreesLabelRanker,
    RankingTreeLabelRanker,
)
from labelrank_core.metrics import kendall_tau_score, tau_x_score
from labelrank_core.rankings import are_permutations, dense_positions, strict_positions
from tests import oracles

NAN = float("nan")
FORESTS = [ALGORITHMS[key].build(n_estimators=5, ties="predict") for key in ("lrf_rt", "lrf_ert")]
MODELS = [
    *(KNeighborsLabelRanker(5, aggregation=rule, ties="predict") for rule in CONSENSUS_RULES),
    KNeighborsLabelRanker(5, weights="distance", ties="predict", tie_gap=0.5),
    KNeighborsLabelRanker(5, aggregation="kemeny", random_state=1, ties="predict"),
    LabelRankingForest(5, ties="predict"),
    LabelRankingForest(5, max_depth=2, voting="rankings", split_on="ranking", ties="predict"),
    RankingTreeLabelRanker(ties="predict"),
    RankingTreeLabelRanker(criterion="kemeny", ties="predict"),
    RankingTreeLabelRanker(criterion="correlation", ties="predict"),
    BaggedTreesLabelRanker(5, ties="predict"),
    BaggedTreesLabelRanker(5, thresholds="middle", max_depth=2, ties="predict"),
    BoostedTreesLabelRanker(5, ties="predict"),
    BoostedTreesLabelRanker(5, max_depth=2, loss="largest", voting="scores", ties="predict"),
    BaggedTreesLabelRanker(5, thresholds="median", ties="predict"),
    *FORESTS,
    PairwiseForestRanker(5, ties="predict"),
    PairwiseForestRanker(5, splitter="random", ties="predict"),
    PairwiseLabelRanker(ties="predict"),
    PairwiseLabelRanker(voting="binary", n_knots=3, ties="predict"),
    PairwiseLabelRanker(estimator=GaussianNB(), ties="predict"),
    KernelPairwiseRanker(ties="predict"),
    PairwiseSVMRanker(ties="predict"),
    LogLinearRanker(ties="predict"),
    ConstraintClassificationRanker(ties="predict"),
    MallowsLabelRanker(ties="predict"),
    MallowsLabelRanker(aggregation="kemeny", ties="predict"),
    PlackettLuceLabelRanker(ties="predict"),
    StackedLabelRanker(ties="predict", inner_folds=2),
]
by_model = pytest.mark.parametrize("model", MODELS, ids=str)


def data(seed=0, n=60, n_labels=4, *, scale=1.0, partial=False):
    """Rankings with ties that depend on the features; the last ten rows are queries."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    keys = X @ rng.normal(size=(3, n_labels)) + 0.3 * rng.normal(size=(n, n_labels))
    keys = np.round(scale * keys)
    if partial:
        keys[rng.random(keys.shape) < 0.2] = NAN
    return X[:-10], dense_positions(keys)[:-10], X[-10:]


def fitted(model, **options):
    X, Y, queries = data(**options)
    return clone(model).fit(X, Y), queries


def test_all_label_rankers_of_the_catalog_predict_ties():
    rankers = {method.estimator for method in ALGORITHMS.values() if method.learns_rankings}
    assert rankers == {type(model) for model in MODELS}
    for method in ALGORITHMS.values():
        ties = [knob for knob in method.knobs if knob.for_ties]
        assert [knob.name for knob in ties] == ["ties"] * method.learns_rankings, method.key


@by_model
def test_labels_share_positions_without_gaps(model):
    model, queries = fitted(model)
    predicted = model.predict(queries)
    assert np.array_equal(predicted, dense_positions(predicted))
    assert not are_permutations(predicted.astype(float)).all()


@by_model
def test_the_strict_order_behind_it_agrees(model):
    model, queries = fitted(model)
    point = model.point(queries)
    assert are_permutations(point.positions.astype(float)).all()
    ahead = point.prediction[:, :, None] < point.prediction[:, None, :]
    assert (point.positions[:, :, None] < point.positions[:, None, :])[ahead].all()


@by_model
def test_targets_without_ties_that_features_tell_are_predicted_without(model):
    X = np.repeat([[0.0], [1.0]], 20, axis=0) + np.linspace(0, 0.1, 40)[:, None]
    Y = np.repeat([[1, 2, 3], [3, 1, 2]], 20, axis=0)
    assert clone(model).fit(X, Y).predict([[0.02], [1.08]]).tolist() == [[1, 2, 3], [3, 1, 2]]


@by_model
def test_labels_that_tie_in_all_cases_tie_in_predictions(model):
    X = np.repeat([[0.0], [1.0]], 20, axis=0) + np.linspace(0, 0.1, 40)[:, None]
    Y = np.repeat([[1, 2, 2], [1, 1, 1]], 20, axis=0)
    assert clone(model).fit(X, Y).predict([[0.02], [1.08]]).tolist() == [[1, 2, 2], [1, 1, 1]]


@by_model
def test_one_row_alone_is_predicted_as_in_a_batch(model):
    model, queries = fitted(model)
    together = model.predict(queries)
    confidence = model.predict_confidence(queries)
    for row, query in enumerate(queries):
        assert np.array_equal(model.predict([query])[0], together[row])
        assert model.predict_confidence([query])[0] == pytest.approx(confidence[row])
    assert ((confidence >= 0) & (confidence <= 1)).all()


@by_model
def test_the_explanation_ends_in_the_prediction(model):
    model, queries = fitted(model)
    predicted, confidence = model.predict(queries), model.predict_confidence(queries)
    for row, query in enumerate(queries):
        explanation = model.explain(query)
        assert np.array_equal(explanation.prediction, predicted[row])
        assert np.array_equal(explanation.positions, model.point([query]).positions[0])
        assert explanation.relevance is None
        (sure,) = (
            step.evidence for step in explanation.steps if isinstance(step.evidence, Confidence)
        )
        assert sure.value == pytest.approx(confidence[row])
        assert sure.lowest <= confidence[row] + 1e-12
        names = ["a", "b", "c", "d"]
        first = [name for name, place in zip(names, predicted[row], strict=True) if place == 1]
        text = explanation.summary.plain(names)
        shared = f"{', '.join(first[:-1])} and {first[-1]} share the first position. "
        assert text.startswith(shared if len(first) > 1 else f"{first[0]} comes first. ")
        for step in explanation.steps:
            step.text.plain(names)
            step.evidence.frame(names)


@by_model
def test_partial_rankings_with_ties_are_learned_where_the_method_learns_partial_ones(model):
    if any(model is forest for forest in FORESTS):
        with pytest.raises(ValueError, match="Expected complete rankings"):
            fitted(model, partial=True)
        return
    model, queries = fitted(model, partial=True)
    predicted = model.predict(queries)
    assert np.array_equal(predicted, dense_positions(predicted))


@by_model
def test_the_score_is_tau_x(model):
    X, Y, _ = data()
    model = clone(model).fit(X, Y)
    assert model.score(X, Y) == tau_x_score(Y, model.predict(X))
    model = clone(model).set_params(ties="break").fit(X, Y)
    assert model.score(X, Y) == kendall_tau_score(Y, model.predict(X))


@by_model
def test_it_is_nearer_to_ties_than_a_strict_prediction(model):
    X, Y, _ = data(1, n=250, scale=0.4)
    truth = tau_x_score(Y[150:], clone(model).fit(X[:150], Y[:150]).predict(X[150:]))
    strict = clone(model).set_params(ties="break").fit(X[:150], Y[:150])
    assert truth > tau_x_score(Y[150:], strict.predict(X[150:]))


@by_model
def test_other_words_are_refused(model):
    X, Y, _ = data()
    with pytest.raises(ValueError, match=r"'ties' parameter .* must be a str among"):
        clone(model).set_params(ties="keep").fit(X, Y)


@pytest.mark.parametrize("rule", CONSENSUS_RULES)
@pytest.mark.parametrize("gap", [None, 0.4])
@pytest.mark.parametrize("partial", [False, True])
def test_neighbours_are_aggregated(rule, gap, partial):
    X, Y, queries = data(partial=partial)
    model = KNeighborsLabelRanker(7, aggregation=rule, ties="predict", tie_gap=gap).fit(X, Y)
    for query, found in zip(queries, model.predict(queries), strict=True):
        nearest = np.argsort(((X - query) ** 2).sum(axis=1))[:7]
        if partial and rule == "borda":
            continue  # Wider neighbourhoods count, too.
        expected = aggregate(Y[nearest], method=rule, ties="predict", tie_gap=gap)
        assert found.tolist() == expected.tolist()


def test_confidence_is_the_neighbours_mean_tau_x_as_a_share():
    X, Y, queries = data()
    model = KNeighborsLabelRanker(7, ties="predict").fit(X, Y)
    for query in queries:
        nearest = np.argsort(((X - query) ** 2).sum(axis=1))[:7]
        tau = tau_x_score(Y[nearest], np.repeat(model.predict([query]), 7, axis=0))
        assert model.predict_confidence([query])[0] == pytest.approx((1 + tau) / 2)


def test_k_of_the_path_equals_a_fresh_fit():
    X, Y, queries = data()
    path = KNeighborsLabelRanker(7, ties="predict").fit(X, Y).path(queries)
    for k in (1, 4, 20):
        fresh = KNeighborsLabelRanker(k, aggregation="kemeny", ties="predict").fit(X, Y)
        point = path.at(n_neighbors=k, aggregation="kemeny")
        assert np.array_equal(point.prediction, fresh.predict(queries))


def nearest_bucket_orders(shares):
    """All bucket orders with the least expected distance; a bound for rounding is allowed."""
    orders = np.array(oracles.bucket_orders(len(shares)))
    ahead = orders[:, :, None] < orders[:, None, :]
    tied = 1 - shares - shares.T
    cost = (ahead * (tied + 2 * shares.T)).sum(axis=(1, 2))
    both = np.triu(orders[:, :, None] == orders[:, None, :], 1)
    cost += (both * (shares + shares.T)).sum(axis=(1, 2))
    return [tuple(order) for order in orders[cost < cost.min() + 1e-6].tolist()]


@pytest.mark.parametrize("max_depth", [None, 2])
def test_a_forest_has_one_vote_for_each_tree_shared_out_in_its_leaf(max_depth):
    X, Y, queries = data()
    model = LabelRankingForest(5, ties="predict").fit(X, Y)
    point = model.path(queries).at(max_depth=max_depth)
    whole = model.path(queries)
    for case, found in enumerate(point.prediction):
        shares = np.zeros((4, 4))
        for t in range(5):
            # Rows that share the case's node at the depth, as often as they were drawn.
            reach = whole.reach(case)[t]
            stop = whole.stops(point.setting)[t, case]
            weights = whole.in_bag_counts[t] * (reach >= stop)
            ahead = Y[:, :, None] < Y[:, None, :]
            shares += (weights[:, None, None] * ahead).sum(axis=0) / weights.sum() / 5
        assert tuple(found.tolist()) in nearest_bucket_orders(shares)


def test_a_ranking_tree_predicts_the_bucket_order_nearest_to_its_leaf():
    X, Y, queries = data()
    model = RankingTreeLabelRanker(ties="predict", max_depth=3).fit(X, Y)
    tree = model._trees[0].tree
    for query, found in zip(queries, model.predict(queries), strict=True):
        end = model.path([query]).ends(0, 3)[0]
        rows = tree.rows[tree.start[end] : tree.end[end]]
        best = oracles.least_kemeny_distance(Y[rows].tolist(), [1] * len(rows))[1]
        assert tuple(found.tolist()) in best


def test_a_pairwise_forest_learns_who_is_strictly_ahead():
    X, Y, queries = data()
    model = PairwiseForestRanker(1, splitter="random", max_features=1.0, ties="predict").fit(X, Y)
    signs = np.where(Y[:, :, None] < Y[:, None, :], 1.0, -1.0).reshape(len(Y), -1)
    # The targets determine each other, so that the same tree grows on all of them.
    seed = model.forest_.estimators_[0].random_state
    first, second = np.triu_indices(4, 1)
    targets = np.hstack([signs[:, first * 4 + second], signs[:, second * 4 + first]])
    tree = DecisionTreeRegressor(splitter="random", random_state=seed).fit(X, targets)
    predicted = (1 + tree.predict(queries)) / 2
    for own, found in zip(predicted, model.predict(queries), strict=True):
        shares = np.zeros((4, 4))
        shares[first, second], shares[second, first] = np.hsplit(own, 2)
        assert tuple(found.tolist()) in nearest_bucket_orders(shares)


def outcome_chances(lead, threshold):
    """The chances of the first label ahead, the second ahead, and a tie, by Rao and Kupper."""
    first, second = 1 / (1 + np.exp(threshold - lead)), 1 / (1 + np.exp(threshold + lead))
    return first, second, 1 - first - second


@pytest.mark.parametrize("rule", ["borda", "kemeny"])
def test_the_centre_of_a_mallows_model_is_the_neighbours_bucket_order(rule):
    X, Y, queries = data()
    for k in (1, 7, 20):
        centre = MallowsLabelRanker(k, aggregation=rule, ties="predict").fit(X, Y)
        nearest = KNeighborsLabelRanker(k, aggregation=rule, ties="predict").fit(X, Y)
        assert np.array_equal(centre.predict(queries), nearest.predict(queries))
        confidence = nearest.predict_confidence(queries)
        assert centre.predict_confidence(queries) == pytest.approx(confidence)


def test_a_log_linear_model_has_the_greatest_penalised_likelihood_of_three_outcomes():
    X, Y, _ = data(partial=True)
    model = LogLinearRanker(1e-2, ties="predict").fit(X, Y)

    def objective(weights, threshold):
        utilities = np.column_stack([X, np.ones(len(X))]) @ weights
        losses = []
        for own, positions in zip(utilities, Y, strict=True):
            pairs = [
                np.log(outcome_chances(own[i] - own[j], threshold)[outcome])
                for i in range(4)
                for j in range(i + 1, 4)
                if not np.isnan(positions[[i, j]]).any()
                for outcome in [[2, 0, 1][int(np.sign(positions[j] - positions[i]))]]
            ]
            losses.append(-np.mean(pairs) if pairs else 0.0)
        return np.mean(losses) + 1e-2 / 2 * ((weights**2).sum() + threshold**2)

    weights = np.vstack([model.coef_.T, model.intercept_])
    least = objective(weights, model.tie_threshold_)
    assert model.objective_ == pytest.approx(least)
    rng = np.random.default_rng(0)
    for _ in range(50):
        change = 0.01 * rng.normal(size=weights.shape)
        near = model.tie_threshold_ + 0.01 * rng.normal()
        assert objective(weights + change, near) > least


def test_without_ties_a_log_linear_model_is_the_same_as_ever():
    X, Y, queries = data()
    Y = strict_positions(Y)
    strict, tied = (LogLinearRanker(ties=ties).fit(X, Y) for ties in ("break", "predict"))
    assert tied.tie_threshold_ == 0
    assert np.array_equal(tied.coef_, strict.coef_)
    assert np.array_equal(tied.predict(queries), strict.predict(queries))


@pytest.mark.parametrize("model", [LogLinearRanker(), ConstraintClassificationRanker()], ids=str)
def test_utilities_give_three_chances_to_a_pair(model):
    X, Y, queries = data()
    model = clone(model).set_params(ties="predict").fit(X, Y)
    assert model.tie_threshold_ > 0
    utilities = queries @ model.coef_.T + model.intercept_
    for own, tied in zip(utilities, model.predict(queries), strict=True):
        shares, _, _ = outcome_chances(own[:, None] - own, model.tie_threshold_)
        np.fill_diagonal(shares, 0)
        assert tuple(tied.tolist()) in nearest_bucket_orders(shares)


@pytest.mark.parametrize("partial", [False, True])
def test_strengths_get_the_threshold_that_makes_the_neighbours_ties_most_probable(partial):
    X, Y, queries = data(partial=partial)
    model = PlackettLuceLabelRanker(8, smoothing=0.2, ties="predict").fit(X, Y)
    point = model.point(queries)
    for case, query in enumerate(queries):
        logs = np.log(point.scores[case])
        nearest = Y[np.argsort(((X - query) ** 2).sum(axis=1))[:8]]

        def loss(threshold, logs=logs, nearest=nearest):
            total = 0.0
            for i in range(4):
                for j in range(i + 1, 4):
                    first, second, tie = outcome_chances(logs[i] - logs[j], threshold)
                    a, b = nearest[:, i], nearest[:, j]
                    total += ((a < b).sum() + 0.2) * np.log(first)
                    total += ((a > b).sum() + 0.2) * np.log(second)
                    total += (a == b).sum() * np.log(tie) if (a == b).any() else 0.0
            return -total

        found = point.tie_thresholds[case]
        best = minimize_scalar(loss, bounds=(1e-9, 30), method="bounded", options={"xatol": 1e-9})
        assert found == pytest.approx(best.x, abs=1e-5)
        shares, _, _ = outcome_chances(logs[:, None] - logs, found)
        np.fill_diagonal(shares, 0)
        assert tuple(point.prediction[case].tolist()) in nearest_bucket_orders(shares)


def test_a_threshold_is_0_without_ties_and_bounded_where_all_labels_tie():
    X, Y, queries = data()
    strict = PlackettLuceLabelRanker(5, ties="predict").fit(X, strict_positions(Y)).point(queries)
    assert (strict.tie_thresholds == 0).all()
    model = PlackettLuceLabelRanker(5, smoothing=1e-12, ties="predict").fit(X, np.ones_like(Y))
    assert (model.point(queries).tie_thresholds <= 50).all()
    assert (model.predict(queries) == 1).all()


def test_a_blend_is_the_mean_of_its_members_chances_of_being_strictly_ahead():
    X, Y, queries = data()
    forest = LabelRankingForest(9, ties="predict", random_state=0)
    strict = LogLinearRanker()
    consensus = ConsensusLabelRanker(ties="predict")
    stacked = StackedLabelRanker([forest, strict, consensus], ties="predict").fit(X, Y)
    first, second = np.triu_indices(4, 1)
    for member, outcomes in zip(
        stacked.members_.values(), stacked.path(queries).supports, strict=True
    ):
        if isinstance(member, LabelRankingForest):
            votes = member.point(queries).pair_votes(slice(None))
            ahead = votes.ahead / votes.compared.clip(1)
        elif isinstance(member, LogLinearRanker):
            ahead = member.predict_pair_support(queries)
        else:
            positions = member.predict(queries)
            ahead = (positions[:, :, None] < positions[:, None, :]).astype(float)
        expected = np.hstack([ahead[:, first, second], ahead[:, second, first]])
        assert outcomes == pytest.approx(expected)
    weights = stacked.point(queries).weights
    blend = np.tensordot(weights, stacked.path(queries).supports, 1)
    for own, tied in zip(blend, stacked.predict(queries), strict=True):
        shares = np.zeros((4, 4))
        shares[first, second], shares[second, first] = np.hsplit(own, 2)
        assert tuple(tied.tolist()) in nearest_bucket_orders(shares)


@pytest.mark.parametrize("candidates", ["quick", "thorough"])
def test_candidates_of_the_package_predict_ties_if_the_blend_does(candidates):
    X, Y, _ = data()
    model = StackedLabelRanker(candidates, ties="predict", inner_folds=2).fit(X, Y)
    assert {member.ties for member in model.members_.values()} == {"predict"}
    model = clone(model).set_params(ties="break").fit(X, Y)
    assert {member.ties for member in model.members_.values()} == {"break"}


@pytest.mark.parametrize("baseline", BASELINES, ids=lambda baseline: baseline.title)
def test_a_baseline_predicts_ties_if_the_method_does(baseline):
    X, Y, queries = data()
    for ties in ("break", "predict"):
        model = baseline.build(ModelChoice("forest").with_params(ties=ties)).fit(X, Y)
        predicted = model.predict(queries).astype(float)
        assert are_permutations(predicted).all() == (ties == "break")
        if baseline.title == "Nearest single case" and ties == "predict":
            nearest = model[:-1].transform(queries)[:, None] - model[:-1].transform(X)
            rows = (nearest**2).sum(axis=2).argmin(axis=1)
            assert np.array_equal(predicted, Y[rows])


def test_targets_may_tie_whole_rows_and_the_gap_must_be_a_distance():
    X, Y, queries = data()
    Y[:20] = 1
    for model in MODELS:
        clone(model).fit(X, Y).predict(queries)
    for gap in (-1, NAN, "wide"):
        with pytest.raises(ValueError, match="tie_gap"):
            KNeighborsLabelRanker(ties="predict", tie_gap=gap).fit(X, Y)


@pytest.mark.parametrize(
    ("options", "says_why"),
    [({}, True), ({"aggregation": "kemeny"}, True), ({"tie_gap": 0.5}, False)],
)
def test_a_summary_says_why_labels_tie_behind_the_first_where_votes_decide(options, says_why):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    # The last two labels tie in all cases but one of ten.
    Y = np.column_stack([np.ones(30), np.full(30, 2), 2 + (np.arange(30) % 10 == 0)])
    model = KNeighborsLabelRanker(10, ties="predict", **options).fit(X, Y)
    explanation = model.explain(X[5])
    assert explanation.prediction.tolist() == [1, 2, 2]
    why = "b and c tie: to part them fits no better."
    assert (why in explanation.summary.plain("abc")) == says_why
