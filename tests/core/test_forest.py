"""The forest against the definition: consensus of the leaves scikit-learn itself reports."""

import pickle
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import LabelRankingForest, load_sample
from labelrank_core.explain.evidence import Confidence, LabelScores, Neighbors, TreeVotes
from labelrank_core.methods.trees import VARIANTS, _completion, _path, _votes
from labelrank_core.methods.trees._completion import complete_rankings, generalised_borda
from labelrank_core.methods.trees._path import ForestPath
from labelrank_core.rankings import dense_positions
from tests.oracles_forest import (
    forest_agreement,
    forest_consensus,
    leaf_rows,
    top_label_entropy,
)
from tests.pairs import all_pairs

TARGETS = ("borda", "top_label", "ranking")
VOTES = ("scores", "rankings")


def problem(seed, n=40, d=3, m=4, *, levels=4, ties=True):
    """Integer features with many duplicates, tied rankings."""
    random = np.random.default_rng(seed)
    X = random.integers(0, levels, (n, d)).astype(float)
    noise = random.normal(size=(n, m)) + X[:, :1] * np.arange(m)
    keys = np.round(noise) if ties else noise
    return X, dense_positions(keys)


def masked(Y, share, seed):
    random = np.random.default_rng(seed)
    return dense_positions(np.where(random.random(Y.shape) < share, np.nan, Y))


@pytest.fixture
def few_trees_complete(monkeypatch):
    """Rankings are completed with ten trees in place of a hundred."""
    monkeypatch.setattr(_completion, "_N_TREES", 10)


def counted(path):
    return {(n, depth) for n in (1, 3, len(path.trees)) for depth in (1, 2, None)}


@pytest.mark.parametrize(
    ("split_on", "voting", "seed"), all_pairs(list(product(TARGETS, VOTES, range(8))))
)
def test_predictions_are_the_consensus_of_the_leaves(split_on, voting, seed):
    X, Y = problem(seed, n=5 + 5 * seed, m=2 + seed % 4, ties=seed % 2 == 0)
    model = LabelRankingForest(
        7,
        split_on=split_on,
        voting=voting,
        splitter=["best", "random"][seed // 2 % 2],
        max_depth=[None, 2][seed % 2],
        random_state=seed,
    ).fit(X, Y)
    queries = np.vstack([X[:6], X[:4] + 0.5])
    confidence = model.predict_confidence(queries)
    point = model.path(queries).at()
    for case, (positions, x) in enumerate(zip(model.predict(queries), queries, strict=True)):
        leaves = leaf_rows(model.forest_, X, x)
        expected, ranks = forest_consensus(Y, leaves, voting)
        assert positions.tolist() == expected
        assert point.scores[case] == pytest.approx([Y.shape[1] - float(r) for r in ranks])
        agreement = forest_agreement(Y, leaves, expected)
        assert confidence[case] == pytest.approx(float(agreement), abs=1e-12)
    assert (point.confidence == confidence).all()


def test_the_trees_are_those_scikit_learn_grows():
    from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

    X, Y = problem(3, ties=False)
    for own, bare in (
        ({}, RandomForestRegressor(9, max_features=2, random_state=5)),
        (
            {"splitter": "random", "max_features": "all"},
            ExtraTreesRegressor(9, bootstrap=True, random_state=5),
        ),
    ):
        model = LabelRankingForest(9, random_state=5, **own).fit(X, Y)
        bare.fit(X, 2 * Y)
        assert (model.forest_.apply(X) == bare.apply(X)).all()
        assert model.path(X).at().ranks == pytest.approx(bare.predict(X) / 2)


@pytest.mark.parametrize(("d", "expected"), [(1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4)])
def test_the_papers_number_of_features_has_the_plus_one(d, expected):
    X = np.random.default_rng(0).normal(size=(10, d))
    model = LabelRankingForest(2).fit(X, [[1, 2]] * 5 + [[2, 1]] * 5)
    assert model.forest_.estimators_[0].max_features_ == expected


def test_votes_of_three_leaves_by_hand():
    # Single-row leaves: each tree votes with one ranking; two of three training rows agree.
    X, Y = [[0.0], [0.0], [0.0]], [[1, 2, 3], [1, 2, 3], [3, 2, 1]]
    model = LabelRankingForest(1, voting="rankings").fit(X, Y)
    drawn = np.bincount(model.forest_.estimators_samples_[0], minlength=3)
    mean = (drawn[:, None] * np.array(Y)).sum(0) / 3
    assert model.predict([[0.0]])[0].tolist() == (1 + np.argsort(np.argsort(mean))).tolist()


def test_equal_sums_tie_exactly_and_the_lower_label_goes_first():
    # One leaf of up to 21 rankings: labels 0 and 1 have the same mean in thirds and sevenths.
    n_ties = 0
    for n, seed in product((3, 5, 6, 7, 9, 11, 14, 21), range(6)):
        Y = np.array([[1, 2, 3], [2, 1, 3]] * n)[:n]
        model = LabelRankingForest(6, random_state=100 * n + seed).fit(np.zeros((n, 1)), Y)
        leaves = [np.bincount(s, minlength=n) for s in model.forest_.estimators_samples_]
        first, second = (
            sum(Fraction(int(tree @ Y[:, label]), n) for tree in leaves) for label in (0, 1)
        )
        assert (model.predict([[0.0]])[0][0] == 1) == (first <= second)
        ranks = model.path([[0.0]]).at().ranks[0]
        assert (ranks[0] == ranks[1]) == (first == second)
        tied = "the tie goes to the first in the list of labels" in model.explain(
            [0.0]
        ).summary.plain("abc")
        assert tied == (first == second)
        n_ties += tied
    assert n_ties > 3


@pytest.mark.parametrize("voting", VOTES)
def test_labels_that_always_tie_stand_by_index(voting):
    X, Y = problem(1, m=3, ties=False)
    doubled = dense_positions(np.hstack([Y[:, [0]], Y]))
    predicted = LabelRankingForest(11, voting=voting).fit(X, doubled).predict(X)
    # Averaged places of strict votes may put another label between the two.
    assert (predicted[:, 0] < predicted[:, 1]).all()
    if voting == "scores":
        assert (predicted[:, 1] == predicted[:, 0] + 1).all()


@pytest.mark.parametrize("split_on", TARGETS)
def test_one_row_constant_features_and_duplicates(split_on):
    one = LabelRankingForest(3, split_on=split_on).fit([[1.0]], [[2, 1, 3]])
    assert one.predict([[9.0]]).tolist() == [[2, 1, 3]]
    same = LabelRankingForest(5, split_on=split_on).fit(np.ones((6, 2)), [[1, 2]] * 6)
    assert same.predict([[0, 0]]).tolist() == [[1, 2]]
    assert same.predict_confidence([[0, 0]]).tolist() == [1.0]
    assert same.explain([0, 0]).evidence(TreeVotes).sizes.tolist() == [6] * 5


@pytest.mark.parametrize("split_on", TARGETS)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.usefixtures("few_trees_complete")
def test_the_first_trees_are_a_smaller_forest(split_on, partial):
    X, Y = problem(4)
    Y = masked(Y, 0.4, 0) if partial else Y
    model = LabelRankingForest(12, split_on=split_on, completion_rounds=1).fit(X, Y)
    for n in (1, 5, 12):
        fresh = clone(model).set_params(n_estimators=n).fit(X, Y)
        for path in (model.path(X), large_path(model, X)):
            point = path.at(n_estimators=n)
            assert (point.prediction == fresh.predict(X)).all()
            assert point.scores == pytest.approx(fresh.path(X).at().scores, abs=1e-9)
            assert (point.confidence == fresh.predict_confidence(X)).all()


def large_path(model, X):
    return ForestPath(model, X.astype(np.float32), model._learned, several_settings=False)


@pytest.mark.parametrize("split_on", TARGETS)
@pytest.mark.parametrize("voting", VOTES)
def test_a_smaller_depth_cuts_the_same_trees(split_on, voting):
    X, Y = problem(7)
    model = LabelRankingForest(6, split_on=split_on).fit(X, Y)
    small, large = model.path(X), large_path(model, X)
    for n in (1, 4, 6):
        for depth in (1, 2, 3, 50):
            point = small.at(n_estimators=n, max_depth=depth, voting=voting)
            other = large.at(n_estimators=n, max_depth=depth, voting=voting)
            assert (point.prediction == other.prediction).all()
            assert (point.confidence == other.confidence).all()
            for case in (0, 5):
                cut = leaf_rows(model.forest_, X, X[case], depth=depth)[:n]
                assert point.prediction[case].tolist() == forest_consensus(Y, cut, voting)[0]
                assert point.explain(case).evidence(TreeVotes).sizes.tolist() == [
                    len(rows) for rows in cut
                ]
    full = small.at(max_depth=1000)
    assert (full.scores == small.at().scores).all()


@pytest.mark.parametrize("split_on", ["borda", "top_label"])
def test_the_entropy_threshold_cuts_where_the_first_labels_are_surer(split_on):
    X, Y = problem(9, n=60)
    model = LabelRankingForest(5, split_on=split_on).fit(X, Y)
    for threshold in (0.3, 0.9, 5.0):
        point = model.path(X).at(min_entropy=threshold)
        assert (point.prediction == large_path(model, X).at(min_entropy=threshold).prediction).all()
        cut_model = clone(model).set_params(min_entropy=threshold).fit(X, Y)
        assert (cut_model.predict(X) == point.prediction).all()
        assert (cut_model.predict_confidence(X) == point.confidence).all()
        for case in (0, 7):
            rows = leaf_rows(
                model.forest_, X, X[case], stop=lambda r, t=threshold: top_label_entropy(Y, r) < t
            )
            assert point.prediction[case].tolist() == forest_consensus(Y, rows, "scores")[0]
    assert len({tuple(row) for row in model.path(X).at(min_entropy=99.0).scores}) == 1


def test_nodes_are_numbered_from_the_root_left_subtree_first():
    X, Y = problem(2, n=80)
    for tree in LabelRankingForest(4).fit(X, Y).forest_.estimators_:
        left = tree.tree_.children_left
        inner = np.flatnonzero(left >= 0)
        assert (left[inner] == inner + 1).all()


def test_in_bag_rows_are_scikit_learns():
    X, Y = problem(2)
    for splitter in ("best", "random"):
        model = LabelRankingForest(4, splitter=splitter).fit(X, Y)
        for t, rows in enumerate(model.forest_.estimators_samples_):
            assert (model._trees.in_bag(t) == np.bincount(rows, minlength=len(X))).all()


@pytest.mark.parametrize("split_on", TARGETS)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.usefixtures("few_trees_complete")
def test_threads_and_batches_change_nothing(split_on, partial, monkeypatch):
    monkeypatch.setattr(_path, "_TABLE_CELLS", 0)
    monkeypatch.setattr(_votes, "_BLOCK_ROWS", 500)
    X, Y = problem(8, n=120)
    Y = masked(Y, 0.4, 1) if partial else Y
    one = LabelRankingForest(10, split_on=split_on).fit(X, Y)
    two = LabelRankingForest(10, split_on=split_on, n_jobs=2).fit(X, Y)
    many = np.tile(X, (18, 1))  # a thread takes at least 1024
    assert (one.path(many).at().scores == two.path(many).at().scores).all()
    assert (one.predict(many)[:120] == one.predict(X)).all()
    assert (one.predict_confidence(many) == two.predict_confidence(many)).all()


def test_no_seed_leaves_global_random_state_alone_and_differs():
    X, Y = problem(5)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, second = (LabelRankingForest(3, random_state=None).fit(X, Y) for _ in range(2))
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
    assert (first.path(X).at().scores != second.path(X).at().scores).any()


@pytest.mark.parametrize("voting", VOTES)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.usefixtures("few_trees_complete")
def test_an_explanation_ends_in_the_prediction(voting, partial):
    X, Y = problem(6)
    Y = masked(Y, 0.3, 2) if partial else Y
    splitter = "random" if partial else "best"
    model = LabelRankingForest(8, voting=voting, splitter=splitter).fit(X, Y)
    names = list("abcd")
    predicted = model.predict(X)
    for case in range(0, len(X), 5):
        positions, told = predicted[case], model.explain(X[case])
        assert (told.prediction == positions).all()
        assert (told.prediction == model.predict(X[case : case + 1])[0]).all()
        scores = told.evidence(LabelScores)
        assert scores.frame(names)["label"].tolist() == [
            names[j] for j in np.argsort(told.prediction)
        ]
        votes = told.evidence(TreeVotes)
        if voting == "rankings":
            assert votes.rankings.mean(axis=0) == pytest.approx(scores.values)
        assert len(votes.frame(names)) == 8
        assert told.evidence(Confidence).value == model.predict_confidence(X[case : case + 1])[0]
        assert told.summary.plain(names)
        assert all(step.text.plain(names) for step in told.steps)


def test_a_pair_that_a_tree_reverses_is_the_one_the_fewest_trees_have_as_predicted():
    data = load_sample("election")
    forest = LabelRankingForest(n_estimators=20, random_state=0).fit(data.X, data.rankings)
    n_told = 0
    for case in range(0, 100, 5):
        votes = forest.explain(data.X[case]).evidence(TreeVotes)
        order = np.argsort(votes.prediction, kind="stable").tolist()
        as_predicted = {
            pair: sum(ranking[pair[0]] < ranking[pair[1]] for ranking in votes.rankings)
            for pair in pairwise(order)
        }
        closest = votes.closest_pair()
        assert as_predicted[closest[:2]] == closest[2] == min(as_predicted.values())
        distances = [
            stats.kendalltau(ranking, votes.prediction).statistic for ranking in votes.rankings
        ]
        nearest = [t for t, tau in enumerate(distances) if np.isclose(tau, max(distances))]
        typical = votes.typical_tree()
        assert typical in nearest
        assert len(votes.ways[typical]) == min(len(votes.ways[t]) for t in nearest)
        for tree, ranking in enumerate(votes.rankings):
            agreeing = {}
            for first, second in pairwise(order):
                if ranking[first] > ranking[second]:
                    agreeing[first, second] = sum(
                        other[first] < other[second] for other in votes.rankings
                    )
            told = votes.reversed_pair(tree)
            assert (told is None) == (agreeing == {})
            if told is not None:
                n_told += 1
                assert agreeing[told[:2]] == told[2] == min(agreeing.values())
    assert n_told > 50


def test_a_case_with_more_votes_than_are_kept_is_explained(monkeypatch):
    X, Y = problem(6)
    model = LabelRankingForest(8).fit(X, Y)
    expected = model.predict(X[:2])
    monkeypatch.setattr(_path, "_TABLE_CELLS", 0)
    for path in (model.path(X[:2]), model.path(X[:1])):
        assert path.at().explain(0).prediction.tolist() == expected[0].tolist()


def test_neighbours_are_the_rows_that_share_most_leaves():
    X, Y = problem(11, n=50)
    model = LabelRankingForest(9).fit(X, Y)
    for case in (0, 3, 20):
        evidence = model.path(X).at(n_estimators=7, max_depth=3).explain(case).evidence(Neighbors)
        leaves = leaf_rows(model.forest_, X, X[case], depth=3)[:7]
        together = [sum(row in rows for rows in leaves) for row in range(len(X))]
        order = sorted(range(len(X)), key=lambda row: (-together[row], row))[:10]
        order = [row for row in order if together[row]]
        assert evidence.rows.tolist() == order
        assert evidence.weights == pytest.approx([together[row] / 7 for row in order])
        assert evidence.distances == pytest.approx(1 - evidence.weights)


def test_without_rounds_rows_that_rank_fewer_than_two_labels_are_left_out():
    X, Y = problem(12, ties=False)
    Y[::3] = np.nan
    Y[1, :] = [np.nan, 1, np.nan, np.nan]
    told = np.flatnonzero((~np.isnan(Y)).sum(axis=1) > 1)
    model = LabelRankingForest(6, completion_rounds=0).fit(X, Y)
    other = LabelRankingForest(6, completion_rounds=0).fit(X[told], Y[told])
    assert (model.path(X).at().scores == other.path(X).at().scores).all()
    assert set(model.explain(X[0]).evidence(Neighbors).rows) <= set(told.tolist())


def test_a_row_without_labels_takes_its_neighbours_ranking():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    Y = np.repeat([[1.0, 2, 3], [3, 2, 1]], 20, axis=0)
    Y[::4] = np.nan
    completed = complete_rankings(
        X.astype(np.float32),
        Y,
        rounds=3,
        splitter="best",
        max_features=None,
        random_state=np.random.RandomState(0),
        n_jobs=None,
    )
    assert completed[::4] == pytest.approx(2 * np.repeat([[1.0, 2, 3], [3, 2, 1]], 5, axis=0))


def test_no_row_with_two_labels_is_an_error():
    with pytest.raises(ValueError, match="ranks at least two labels"):
        LabelRankingForest().fit([[0.0], [1.0]], [[1, np.nan], [np.nan, np.nan]])


def test_generalised_borda_is_definition_2():
    # m = 4, m' = 2: present labels score (3 - r) * 5 / 3, missing ones 5 / 2; rank = 5 - score.
    ranks = generalised_borda(np.array([[1, np.nan, 2, np.nan], [4, 3, 2, 1.0]])) / 2
    assert ranks == pytest.approx(
        np.array([[5 - 10 / 3, 2.5, 5 - 5 / 3, 2.5], [4, 3, 2, 1]]), abs=1e-4
    )


def test_completion_keeps_the_order_a_row_states_and_is_the_identity_on_complete_rows():
    X, Y = problem(13, ties=False)
    Y[::2] = masked(Y[::2], 0.4, 3)
    completed = complete_rankings(
        X.astype(np.float32),
        Y,
        rounds=2,
        splitter="best",
        max_features="log2+1",
        random_state=np.random.RandomState(0),
        n_jobs=None,
    )
    assert completed[1::2] == pytest.approx(2 * Y[1::2])
    assert completed.sum(axis=1) == pytest.approx(np.full(len(Y), 20.0), abs=1e-3)
    assert not np.isnan(completed).any()


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.usefixtures("few_trees_complete")
def test_deleted_labels_do_not_leak(splitter):
    # The labels a training row does not rank cannot matter: whatever stood there is gone.
    X, Y = problem(14, ties=False)
    other = Y[:, ::-1].copy()
    hidden = np.random.default_rng(0).random(Y.shape) < 0.5
    one, two = np.where(hidden, np.nan, Y), np.where(hidden, np.nan, other)
    two[~hidden] = one[~hidden]
    first = LabelRankingForest(5, splitter=splitter).fit(X, dense_positions(one))
    second = LabelRankingForest(5, splitter=splitter).fit(X, dense_positions(two))
    assert (first.path(X).at().scores == second.path(X).at().scores).all()


@pytest.mark.usefixtures("few_trees_complete")
def test_completion_pair_by_pair_or_all_at_once_is_the_same(monkeypatch):
    X, Y = problem(15, m=6)
    Y = masked(Y, 0.5, 5)
    at_once = LabelRankingForest(5, completion_rounds=2).fit(X, Y).path(X).at().scores
    monkeypatch.setattr(_completion, "_BLOCK_CELLS", 1)
    for n_jobs in (1, 2):
        model = LabelRankingForest(5, completion_rounds=2, n_jobs=n_jobs).fit(X, Y)
        assert (model.path(X).at().scores == at_once).all()


def test_completion_beats_the_middle_score_of_definition_2():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    Y = dense_positions(X @ random.normal(size=(3, 6)) + 0.1 * random.normal(size=(300, 6)))
    partial = masked(Y[:200], 0.6, 4)
    scores = [
        LabelRankingForest(50, completion_rounds=r).fit(X[:200], partial).score(X[200:], Y[200:])
        for r in (0, 2)
    ]
    assert scores[1] > scores[0] + 0.03


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.permutations(range(4)))
def test_renaming_labels_renames_predictions_where_nothing_ties(seed, order):
    X, Y = problem(seed % 50, ties=False)
    order = list(order)
    model = LabelRankingForest(3, voting="scores", random_state=seed).fit(X, Y)
    renamed = LabelRankingForest(3, voting="scores", random_state=seed).fit(X, Y[:, order])
    ranks, others = model.path(X).at().ranks, renamed.path(X).at().ranks
    strict = (np.diff(np.sort(ranks, axis=1), axis=1) > 1e-9).all(axis=1)
    # Sums of variances over the labels may round differently and so choose another split.
    same = np.isclose(ranks[:, order], others).all(axis=1)
    assert same.mean() > 0.5
    kept = strict & same
    assert (model.predict(X)[kept][:, order] == renamed.predict(X)[kept]).all()
    assert (np.sort(model.predict(X), axis=1) == np.arange(1, 5)).all()


def test_a_path_refuses_what_it_does_not_hold():
    X, Y = problem(1)
    path = LabelRankingForest(4, max_depth=3).fit(X, Y).path(X)
    for wrong in ({"n_estimators": 5}, {"n_estimators": 0}, {"max_depth": 4}, {"max_depth": 0}):
        with pytest.raises(ValueError, match=f"Expected a whole {next(iter(wrong))} between 1 and"):
            path.at(**wrong)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_variants_are_valid(variant):
    X, Y = problem(1)
    LabelRankingForest(**VARIANTS[variant]).fit(X, Y).predict(X)


@pytest.mark.parametrize(
    "wrong", [{"split_on": "first"}, {"voting": "mean"}, {"n_estimators": 0}, {"max_depth": 0}]
)
def test_wrong_parameters_are_named(wrong):
    X, Y = problem(1)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        LabelRankingForest(**wrong).fit(X, Y)


def test_it_is_pickled_cloned_searched_and_piped():
    X, Y = problem(1)
    model = LabelRankingForest(5).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.path(X).at().scores == model.path(X).at().scores).all()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LabelRankingForest(5)),
        {"labelrankingforest__max_depth": [1, None], "labelrankingforest__voting": list(VOTES)},
        cv=3,
    ).fit(X, Y)
    assert search.best_score_ > 0
