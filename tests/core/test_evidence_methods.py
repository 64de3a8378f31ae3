"""What single methods show: every number recomputed by definition or by the public functions."""

import re
from itertools import zip_longest

import numpy as np
import pytest

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    LabelRankingForest,
    MLkNNClassifier,
    SharedSubspaceClassifier,
)
from labelrank_core.aggregation import aggregate
from labelrank_core.data.samples import load_sample
from labelrank_core.explain.evidence import (
    LABELS_EXPECTED,
    PAIRS_EXPECTED,
    Confidence,
    GapDial,
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    RankParts,
    ScoreParts,
    SubspaceView,
    TreeVotes,
    VotingOrders,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.rankings import generalised_ranks
from tests import problems
from tests.looped import seeds

NAMES = list("abcdefgh")


def forest_case(seed, voting, *, max_depth=None):
    rng = np.random.default_rng(seed)
    X, Y = rng.integers(0, 5, size=(40, 3)).astype(float), problems.positions(rng, 40, 4)
    model = LabelRankingForest(8, voting=voting, max_depth=max_depth, random_state=seed).fit(X, Y)
    return model, X, Y, model.path(X[:1]).at()


@pytest.mark.parametrize("voting", ["scores", "rankings"])
@seeds(4)
class TestForest:
    def test_questions_lead_to_the_leaf(self, seed, voting):
        model, X, Y, point = forest_case(seed, voting, max_depth=[None, 2][seed % 2])
        votes = point.explain(0).evidence(TreeVotes)
        for t, (way, leaf) in enumerate(zip(votes.ways, votes.leaves, strict=True)):
            assert len(way) == votes.depths[t]
            together = np.ones(len(X), dtype=bool)
            for question in way:
                assert (X[0, question.feature] > question.threshold) == question.is_above
                together &= (X[:, question.feature] > question.threshold) == question.is_above
            drawn = model._trees.in_bag(t)
            assert votes.sizes[t] == drawn[together].sum()
            assert leaf.tolist() == generalised_ranks(Y[together & (drawn > 0)]).tolist()

    def test_the_consensus_grows_tree_by_tree(self, seed, voting):
        _, X, Y, point = forest_case(seed, voting)
        explanation = point.explain(0)
        votes = explanation.evidence(TreeVotes)
        for n in range(1, 9):
            fewer = LabelRankingForest(n, voting=voting, random_state=seed).fit(X, Y)
            assert votes.running[n - 1].tolist() == fewer.predict(X[:1])[0].tolist()
        assert votes.prediction.tolist() == explanation.prediction.tolist()
        after = [(row == votes.prediction).all() for row in votes.running]
        assert all(after[votes.settled - 1 :])
        assert votes.settled == 1 or not after[votes.settled - 2]

    def test_votes_are_counted_in_every_way(self, seed, voting):
        model, X, Y, point = forest_case(seed, voting)
        orders = point.explain(0).evidence(VotingOrders)
        own = model.path(X[:1])
        for key in ("rankings", "scores"):
            i = orders.keys.index(key)
            assert orders.positions[i].tolist() == own.at(voting=key).prediction[0].tolist()
            assert orders.ranks[i] == pytest.approx(own.at(voting=key).ranks[0])
        leaves = [tree.apply(X.astype(np.float32)) for tree in model.forest_.estimators_]
        pooled = np.concatenate(
            [
                np.repeat(np.flatnonzero(leaf == leaf[0]), model._trees.in_bag(t)[leaf == leaf[0]])
                for t, leaf in enumerate(leaves)
            ]
        )
        assert orders.positions[2].tolist() == aggregate(Y[pooled]).tolist()
        assert orders.ranks[2] == pytest.approx(generalised_ranks(Y[pooled]).mean(axis=0))
        assert orders.keys[orders.way_in_use] == voting
        assert list(orders.frame(NAMES[:4]))[:3] == ["what counts", "order", "in use"]

    def test_what_questions_change_adds_up_to_the_ranks(self, seed, voting):
        _, _, _, point = forest_case(seed, voting)
        parts = point.explain(0).evidence(RankParts)
        assert parts.ranks == pytest.approx(point.ranks[0])
        grouped = parts.of_columns(np.array([0, 1, 1]))
        assert grouped.ranks == pytest.approx(point.ranks[0])
        assert grouped.changes.shape == (2, 4)
        asked = np.zeros(3, dtype=int)
        for way in point.explain(0).evidence(TreeVotes).ways:
            for question in way:
                asked[question.feature] += 1
        assert parts.n_questions.tolist() == asked.tolist()
        table = parts.frame(NAMES[:4])
        assert table.iloc[:, 2:].to_numpy().sum(axis=0) == pytest.approx(point.ranks[0])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("kind", ["binary", "calibrated"])
@seeds(4)
def test_the_gap_dial_is_the_prediction_at_every_gap(seed, kind, weights):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2))
    make = problems.relevance if kind == "binary" else problems.calibrated
    Y = make(rng, 30, 5)
    model = KNeighborsMultilabelRanker(7, weights=weights, n_virtual_labels=3).fit(X, Y)
    path = model.path(X[:1] + 0.1)
    dial = path.at().explain(0).evidence(GapDial)
    assert dial.gaps.tolist() == list(range(1, 129))
    assert dial.gap_in_use == 3
    sets = []
    for i, p in enumerate(dial.gaps.tolist()):
        point = path.at(n_virtual_labels=p)
        assert dial.leads[i] == pytest.approx(point.scores[0])
        sets.append(set(np.flatnonzero(point.prediction[0]).tolist()))
        if kind == "binary":
            assert dial.bars[i] == point.bar(0)
            assert set(np.flatnonzero(dial.shares > dial.bars[i]).tolist()) == sets[-1]
    found = [(each.gap, each.label, each.enters) for each in dial.crossings]
    expected = [
        (int(p), label, label in now)
        for p, before, now in zip(dial.gaps[1:], sets[:-1], sets[1:], strict=True)
        for label in sorted(before ^ now)
    ]
    assert found == expected
    table = dial.frame(NAMES[:5])
    assert table["number of relevant labels"].tolist() == [len(each) for each in sets]
    assert (dial.bars is None) == (kind == "calibrated")


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("aggregation", ["borda", "median", "kemeny"])
@seeds(4)
def test_a_replaced_neighbour_makes_room_for_the_next(seed, aggregation, weights):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(20, 2)), problems.positions(rng, 20, 4)
    params = {"aggregation": aggregation, "weights": weights}
    model = KNeighborsLabelRanker(5, **params).fit(X, Y)
    query = X[:1] + 0.1
    found = model.path(query).at().explain(0).evidence(LeaveOneOut)
    nearest = np.argsort(np.sqrt(((X - query) ** 2).sum(axis=1)), kind="stable")
    assert found.next_row == nearest[5]
    for i in range(5):
        left = np.delete(np.arange(len(X)), nearest[i])
        without = KNeighborsLabelRanker(5, **params).fit(X[left], Y[left])
        assert found.replaced[i].tolist() == without.predict(query)[0].tolist()
    assert "with the next case instead" in found.frame(NAMES[:4])
    last = KNeighborsLabelRanker(20, **params).fit(X, Y).path(query).at()
    assert last.explain(0).evidence(LeaveOneOut).replaced is None


@pytest.mark.parametrize(("metric", "power"), [("euclidean", 2), ("manhattan", 1)])
def test_the_largest_differences_are_shares_of_the_distance(metric, power):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(20, 9)), problems.positions(rng, 20, 3)
    X[3] = X[0]
    model = KNeighborsLabelRanker(6, metric=metric).fit(X, Y)
    neighbors = model.path(X[:1]).at().explain(0).evidence(Neighbors)
    assert neighbors.differing.shape == neighbors.differences.shape == (6, 8)
    for row, features, shares in zip(
        neighbors.rows, neighbors.differing, neighbors.differences, strict=True
    ):
        parts = np.abs(X[row] - X[0]) ** power
        if not parts.any():
            assert not shares.any()
            continue
        expected = parts / parts.sum()
        assert shares == pytest.approx(expected[features])
        assert shares == pytest.approx(np.sort(expected)[::-1][:8])
    other = KNeighborsLabelRanker(6, metric="chebyshev").fit(X, Y).path(X[:1]).at().explain(0)
    assert other.evidence(Neighbors).differing is None


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_the_view_of_the_subspace_is_its_main_plane(n_components, kernel):
    rng = np.random.default_rng(n_components)
    X, Y = rng.normal(size=(60, 6)), problems.relevance(rng, 60, 5)
    model = SharedSubspaceClassifier(n_components=n_components, kernel=kernel, alpha=1.0).fit(X, Y)
    explanation = model.path(X[:1]).at().explain(0)
    view, parts = explanation.evidence(SubspaceView), explanation.evidence(ScoreParts)
    assert view.shared == pytest.approx(parts.parts["shared part"])
    assert view.n_components == n_components
    shown = view.directions @ view.case
    if n_components <= 2:
        assert view.kept_share == pytest.approx(1)
        assert shown == pytest.approx(parts.parts["shared part"])
    else:
        assert 0 < view.kept_share < 1
    assert list(view.frame(NAMES[:5])["shared part"]) == sorted(
        parts.parts["shared part"], reverse=True
    )


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_the_sentence_follows_the_data(key):
    """With other targets the numbers in the texts are others."""
    name = "iris" if ALGORITHMS[key].learns_rankings else "songs"
    data = load_sample(name).part(slice(120))
    targets = ALGORITHMS[key].targets(data)
    rng = np.random.default_rng(0)
    said = []
    for Y in (targets, targets[rng.permutation(len(targets))]):
        model = ModelChoice(key).with_params(**problems.few(ALGORITHMS[key])).build().fit(data.X, Y)
        explanation = model[-1].explain(model[:-1].transform(data.X[60:61])[0])
        assert explanation.prediction.tolist() == model.predict(data.X[60:61])[0].tolist()
        texts = [explanation.summary, *(step.text for step in explanation.steps)]
        said.append([text.plain(data.label_names) for text in texts])
    # Every method names its confidence in one of three ways, which stand in one column.
    meaning = explanation.evidence(Confidence).meaning
    assert meaning in (PAIRS_EXPECTED, LABELS_EXPECTED) or re.fullmatch(
        r"How far .* agree( with this ranking)? \(1 = all\)\.", meaning
    )
    # A step that only one of them has is a change, too.
    changed = [before != after for before, after in zip_longest(*said)]
    assert changed[0]
    assert sum(changed) >= len(changed) // 2


def test_the_counts_of_ml_knn_are_those_of_its_neighbours():
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(30, 2)), problems.relevance(rng, 30, 4)
    explanation = MLkNNClassifier(5).fit(X, Y).path(X[:1]).at().explain(0)
    neighbors = explanation.evidence(Neighbors)
    zero = neighbors.rankings[:, -1:]
    counts = (neighbors.rankings[:, :-1] < zero).sum(axis=0)
    assert Y[neighbors.rows].sum(axis=0).tolist() == counts.tolist()


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("key", ["knn", "mlr"])
def test_what_neighbours_say_adds_up_to_the_mean_ranks(key, weights):
    """Borda and multilabel ranking: the weighted mean of the neighbours' ranks decides."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(30, 2))
    make = problems.positions if key == "knn" else problems.relevance
    model = ALGORITHMS[key].build(n_neighbors=6, weights=weights).fit(X, make(rng, 30, 4))
    explanation = model.path(X[:1] + 0.1).at().explain(0)
    neighbors = explanation.evidence(Neighbors)
    means = np.average(neighbors.rankings, axis=0, weights=neighbors.weights)
    # The shares that say the same of label sets come first.
    *_, scores = (
        step.evidence for step in explanation.steps if isinstance(step.evidence, LabelScores)
    )
    assert scores.values == pytest.approx(means[:4], abs=1e-6)
    order = np.argsort(scores.values, kind="stable")
    assert (np.diff(scores.values[order]) >= 0).all()
    assert explanation.positions[order].tolist() == sorted(explanation.positions)
    if key == "mlr":
        assert scores.bar == pytest.approx(means[4], abs=1e-6)


def test_parts_of_linear_scores_add_up_by_feature():
    rng = np.random.default_rng(8)
    X, Y = rng.normal(size=(50, 6)), problems.relevance(rng, 50, 4)
    point = SharedSubspaceClassifier(n_components=2).fit(X, Y).path(X[:1]).at()
    parts = point.explain(0).evidence(ScoreParts)
    assert parts.scores == pytest.approx(point.raw_scores[0], abs=1e-9)
    for label in range(4):
        table = parts.contributions(label, n_largest=3)
        assert table["own part"].sum() == pytest.approx(parts.parts["own part"][label])
        assert table["shared part"].sum() == pytest.approx(parts.parts["shared part"][label])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("kind", ["binary", "calibrated"])
@seeds(4)
def test_label_sets_without_each_neighbour_are_those_of_fresh_fits(seed, kind, weights):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 2))
    make = problems.relevance if kind == "binary" else problems.calibrated
    Y, query = make(rng, 20, 4), X[:1] + 0.1
    params = {"weights": weights, "n_virtual_labels": 2}
    model = KNeighborsMultilabelRanker(5, **params).fit(X, Y)
    explanation = model.path(query).at().explain(0)
    found = explanation.evidence(LeaveOneOutSets)
    assert found.prediction.tolist() == (explanation.prediction == 1).tolist()
    for i, row in enumerate(found.rows):
        left = np.delete(np.arange(20), row)

        def fresh(k, left=left):
            return KNeighborsMultilabelRanker(k, **params).fit(X[left], Y[left]).predict(query)[0]

        first = KNeighborsMultilabelRanker(i + 1, **params).fit(X, Y).predict(query)[0]
        assert found.running[i].tolist() == (first == 1).tolist()
        assert found.without[i].tolist() == (fresh(4) == 1).tolist()
        assert found.replaced[i].tolist() == (fresh(5) == 1).tolist()
    changed = [i for i in range(5) if (found.without[i] != found.prediction).any()]
    assert found.deciding.tolist() == changed
    said = explanation.steps[-1].text.plain(NAMES[:4])
    n = len(changed)
    by_next = sum(bool((each != found.prediction).any()) for each in found.replaced)
    next_said = f"With the next nearest case in its place, the prediction changes for {by_next} of"
    assert (next_said in said) == (not n and by_next > 0)
    assert said.startswith(
        "No single" if not n else "One of" if n == 1 else f"{n} of the 5 cases decide: "
    )
    assert len(found.frame(NAMES[:4])) == 5


@seeds(4)
def test_ml_knn_without_each_neighbour_asks_the_counts_of_one_less(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(30, 2)), problems.relevance(rng, 30, 4)
    query = X[:1] + 0.1
    found = MLkNNClassifier(5).fit(X, Y).path(query).at().explain(0).evidence(LeaveOneOutSets)
    nearest = np.argsort(np.sqrt(((X - query) ** 2).sum(axis=1)), kind="stable")

    def predicted(neighbors):
        k = len(neighbors)
        without, with_it = MLkNNClassifier(k).fit(X, Y).counts_
        counts = Y[neighbors].sum(axis=0)
        relevant = []
        for label, count in enumerate(counts):
            n_with, n_without = with_it[:, label].sum(), without[:, label].sum()
            prior = (1 + n_with) / (2 + n_with + n_without)
            likely = (1 + with_it[count, label]) / (k + 1 + n_with)
            unlikely = (1 + without[count, label]) / (k + 1 + n_without)
            relevant.append(bool(prior * likely > (1 - prior) * unlikely))
        return relevant

    for i in range(5):
        others = np.delete(nearest[:5], i)
        assert found.running[i].tolist() == predicted(nearest[: i + 1])
        assert found.without[i].tolist() == predicted(others)
        assert found.replaced[i].tolist() == predicted(np.append(others, nearest[5]))
