"""LR boosting against its definition, written down round by round."""

from math import log

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.explain.evidence import Confidence, TreeVotes
from labelrank_core.explain.render import Scene, tree_votes
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.trees import BoostedTreesLabelRanker, RankingTreeLabelRanker
from labelrank_core.rankings import generalised_ranks
from tests import oracles, problems

NAN = float("nan")


def data(seed=0, n=40, *, tied=False, partial=False):
    rng = np.random.default_rng(seed)
    X = problems.features(rng, "continuous", n, 3)
    Y = problems.positions(rng, n, 4, tied=tied).astype(float)
    if partial:
        Y[np.arange(0, n, 3), rng.integers(0, 4, size=len(range(0, n, 3)))] = NAN
        Y = np.array([dense(row) for row in Y])
    return X, Y


def dense(row):
    values = np.unique(row[~np.isnan(row)])
    return [NAN if np.isnan(place) else 1 + np.searchsorted(values, place) for place in row]


def share_reversed(truth, predicted):
    """The share of the pairs that the truth orders and the prediction reverses; ties count half."""
    pairs = [(i, j) for i in range(len(truth)) for j in range(len(truth)) if truth[i] < truth[j]]
    wrong = sum((1 + np.sign(predicted[i] - predicted[j])) / 2 for i, j in pairs)
    return wrong / len(pairs) if pairs else 0.0


def share_with_ties(truth, predicted):
    """Kemeny's distance on the labels that the truth ranks / largest one."""
    pair = oracles.compared_with_ties(truth, predicted)
    if not pair:
        return 0.0
    m = len(pair[0])
    return float(oracles.kendall_with_ties(*pair, 0.5) / (m * (m - 1) / 2))


def places(tree, X):
    """The places of the labels in a tree's leaves; tied labels share the mean of theirs."""
    return generalised_ranks(-tree.point(X).scores)


def boosted(X, Y, n_rounds, *, loss="share", ties="break", **params):
    """Weights of the rounds' trees, their errors, the trees, and the last weights of the cases."""
    n = len(X)
    weights = [1 / n] * n
    votes, errors, trees = [], [], []
    for seed in np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=n_rounds):
        rows = np.random.default_rng(seed).choice(n, size=n, p=weights)
        tree = RankingTreeLabelRanker(ties=ties, **params).fit(X[rows], Y[rows])
        own, predicted = share_reversed, places(tree, X)
        if ties == "predict":
            own, predicted = share_with_ties, tree.predict(X)
        losses = [own(t, p) for t, p in zip(Y.tolist(), predicted.tolist(), strict=True)]
        scale = {"share": 1, "largest": max(losses), "sum": sum(losses)}[loss] or 1
        losses = [each / scale for each in losses]
        error = max(sum(w * each for w, each in zip(weights, losses, strict=True)), 1 / (2 * n))
        if error >= 1 / 2:
            break
        b = error / (1 - error)
        weights = [w * b ** (1 - each) for w, each in zip(weights, losses, strict=True)]
        weights = [w / sum(weights) for w in weights]
        votes.append(log(1 / b))
        errors.append(error)
        trees.append(tree)
    return votes, errors, trees, weights


@pytest.mark.parametrize("loss", ["share", "largest", "sum"])
@pytest.mark.parametrize(
    ("ties", "tied", "partial"),
    [("break", False, False), ("break", True, True), ("predict", True, False)],
)
def test_rounds_are_those_of_the_definition(loss, ties, tied, partial):
    X, Y = data(tied=tied, partial=partial)
    params = {"max_depth": 3, "min_samples_split": 4, "loss": loss, "ties": ties}
    model = BoostedTreesLabelRanker(12, **params).fit(X, Y)
    votes, errors, trees, _ = boosted(X, Y, 12, **params)
    assert len(votes) >= 3
    np.testing.assert_allclose(model.estimator_errors_, errors)
    np.testing.assert_allclose(model.estimator_weights_, votes)
    for table, tree in zip(model._trees, trees, strict=True):
        np.testing.assert_array_equal(table.tree.threshold, tree._trees[0].tree.threshold)


def test_the_prediction_orders_by_the_weighted_mean_places_of_the_trees():
    X, Y = data(1)
    queries = problems.features(np.random.default_rng(9), "continuous", 30, 3)
    model = BoostedTreesLabelRanker(9, max_depth=3).fit(X, Y)
    votes, _, trees, _ = boosted(X, Y, 9, max_depth=3)
    for query, predicted in zip(queries, model.predict(queries), strict=True):
        means = np.average([places(tree, [query])[0] for tree in trees], axis=0, weights=votes)
        assert predicted.tolist() == oracles.strict_order(np.round(means, 9))
    # Counted alike, the trees would predict something else for some query.
    alike = [
        oracles.strict_order(np.mean([places(tree, [query])[0] for tree in trees], axis=0))
        for query in queries
    ]
    assert alike != model.predict(queries).tolist()


def test_cases_that_are_ranked_badly_gain_weight():
    X, Y = data(2)
    _, _, (tree,), weights = boosted(X, Y, 1)
    losses = [share_reversed(t, p) for t, p in zip(Y, places(tree, X), strict=True)]
    order = np.argsort(losses, kind="stable")
    assert (np.diff(np.array(weights)[order]) >= -1e-12).all()
    assert max(weights) > 1.5 * min(weights)


def test_points_of_fewer_rounds_equal_fresh_fits():
    X, Y = data(3)
    model = BoostedTreesLabelRanker(10).fit(X, Y)
    path = model.path(X)
    for n_rounds in (1, 4, 10):
        for voting in ("rankings", "scores"):
            params = {"n_estimators": n_rounds, "voting": voting}
            fresh = BoostedTreesLabelRanker(**params).fit(X, Y)
            point = path.at(**params)
            np.testing.assert_array_equal(point.prediction, fresh.predict(X))
            np.testing.assert_allclose(point.confidence, fresh.predict_confidence(X))
            np.testing.assert_allclose(point.pair_support(), fresh.predict_pair_support(X))
    with pytest.raises(ValueError, match="between 1 and 10"):
        path.at(n_estimators=11)


def test_a_useless_first_tree_votes_alone_and_a_later_one_ends_the_boosting():
    # No feature tells the two rankings apart, so that half of the pairs are reversed.
    X, Y = np.zeros((6, 1)), np.array([[1, 2], [2, 1]] * 3)
    model = BoostedTreesLabelRanker(20).fit(X, Y)
    assert len(model.estimator_weights_) < 20
    assert (model.estimator_errors_[:-1] < 0.5).all()
    assert model.path(X).at(n_estimators=20).n_trees == len(model.estimator_weights_)
    first = [BoostedTreesLabelRanker(5, random_state=seed).fit(X, Y) for seed in range(30)]
    useless = [each for each in first if each.estimator_errors_[0] >= 0.5]
    assert useless
    assert {tuple(each.estimator_weights_) for each in useless} == {(1.0,)}


def test_trees_without_a_mistake_have_a_finite_vote():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    Y = np.repeat([[1, 2, 3], [3, 1, 2]], 10, axis=0)
    model = BoostedTreesLabelRanker(4).fit(X, Y)
    # log((1 - 1/40) / (1/40)) = log 39.
    assert model.estimator_weights_ == pytest.approx([log(39)] * 4)
    assert model.predict_confidence(X) == pytest.approx(np.ones(20))


def test_the_weights_stand_in_explanation_table_and_drawing():
    iris = load_sample("iris")
    method = ALGORITHMS["lr_boost"]
    model = method.build(n_estimators=8).fit(iris.X[::2], iris.rankings[::2])
    explanation = model.explain(iris.X[1])
    votes = explanation.evidence(TreeVotes)
    np.testing.assert_array_equal(votes.weights, model.estimator_weights_)
    np.testing.assert_array_equal(votes.prediction, explanation.prediction)
    assert votes.frame(iris.label_names)["weight of its vote"].tolist() == votes.weights.tolist()
    least, most = votes.weights.min(), votes.weights.max()
    (text,) = (step.text for step in explanation.steps if step.evidence is votes)
    assert (text.values["least"], text.values["most"]) == (least, most)
    assert "the more its vote counts" in text.plain(iris.label_names)
    drawn = tree_votes(votes, Scene(explanation, iris.label_names, iris.schema, None))
    assert f"w {votes.weights[0]:.1f}" in drawn.markup
    assert explanation.evidence(Confidence).definition.startswith("1 - weighted mean loss")
