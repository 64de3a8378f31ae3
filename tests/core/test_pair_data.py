"""Data sets whose targets are pairs of labels: from files to folds, measures and back."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from labelrank_core import DatasetError, KNeighborsLabelRanker, PairPreferences, read_dataset
from labelrank_core.data import cross_validation, holdout_split
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.profile.pairs import PairProfile
from labelrank_core.evaluation import evaluate_model, scorers
from labelrank_core.evaluation.error_analysis import case_texts, label_frame, worst_cases
from labelrank_core.explain.standing import contradicted_pairs, count_known_pairs
from labelrank_core.io import format_losses, inspect_files, write_dataset
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.dummy import ConsensusLabelRanker
from labelrank_core.metrics import pair_tau_score

FILE = ("drinks.csv", b"age,likes\n20,tea>milk|juice>cola\n31,cola>tea\n40,milk=tea|cola>milk\n")


def pair_data(n=60, share=0.5):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    utilities = X @ rng.normal(size=(3, 4)) + rng.normal(size=(n, 4)) / 4
    Y = utilities.argsort(axis=1)[:, ::-1].argsort(axis=1) + 1
    pairs = PairPreferences.from_rankings(Y, ["tea", "milk", "cola", "juice"]).without_pairs(share)
    return Dataset.from_frame(pd.DataFrame(X, columns=["x", "y", "z"]), pairs, name="drinks")


def test_chains_in_a_table_become_a_data_set_of_pairs():
    proposal = inspect_files(FILE)
    assert (str(proposal.target_form), proposal.certain) == ("pairs", True)
    data = read_dataset(proposal)
    assert data.task is Task.PAIR_PREFERENCES
    assert data.label_names == ("cola", "juice", "milk", "tea")
    assert data.targets_in_words() == [
        "juice before cola, tea before milk",
        "cola before tea",
        "cola before milk, milk = tea",
    ]
    assert data.has_ties
    assert "1.7 of 6 pairs" in next(f.message for f in data.findings if f.code == "pairs")
    assert "pairs known per row" in repr(data)
    with pytest.raises(ValueError, match="hold no ranking"):
        _ = data.rankings


def test_whole_rankings_are_pairs_only_on_demand():
    file = ("t.csv", b"x,ranking\n0.5,b>a>c\n0.1,a>b\n")
    assert read_dataset(file).task is Task.LABEL_RANKING
    data = read_dataset(file, target_form="pairs")
    assert data.preferences.to_words() == ["b>a>c", "a>b"]
    with pytest.raises(DatasetError, match="independent"):
        read_dataset(FILE, target_form="ordering_strings")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("tea>milk|milk>tea", "it says two things of 'milk' and 'tea'"),
        ("tea>|milk>cola", "a name is missing"),
        ("tea>milk>tea|a>b", "occurs more than once"),
    ],
)
def test_cells_that_are_no_pairs_are_refused_in_their_line(cell, message):
    with pytest.raises(DatasetError, match=message) as caught:
        read_dataset((FILE[0], FILE[1] + f"50,{cell}\n".encode()))
    assert [finding.row for finding in caught.value.findings if finding.code == "not-pairs"] == [5]


def test_cycles_and_rows_without_a_pair_are_noted():
    data = read_dataset((FILE[0], FILE[1] + b"50,tea>milk|milk>cola|cola>tea\n60,\n"))
    rows = {finding.code: finding.row for finding in data.findings}
    assert (rows["preference-cycle"], rows["nothing-ranked"]) == (5, 6)


def losses_of(data):
    return {writer.key: findings for writer, findings in format_losses(data)}


@pytest.mark.parametrize("key", ["xarff", "words"])
def test_what_is_written_is_read_again(key):
    data = pair_data()
    assert not losses_of(data)[key]
    again = read_dataset(write_dataset(data, key))
    np.testing.assert_array_equal(again.Y, data.Y)
    assert again.label_names == data.label_names
    np.testing.assert_array_equal(again.X, data.X)


def test_other_formats_say_that_they_hold_no_pairs():
    losses = losses_of(pair_data())
    for key in losses.keys() - {"xarff", "words"}:
        assert any(
            each.severity == "error" and "pairs of labels" in each.message for each in losses[key]
        ), key


def test_frames_and_parts_keep_the_pairs():
    data = pair_data()
    X, Y = data.as_frame()
    again = Dataset.from_frame(X, Y, task="pair_preferences", name="drinks")
    np.testing.assert_array_equal(
        again.preferences.with_labels(data.label_names).signs, data.preferences.signs
    )
    part = data.part([3, 5])
    np.testing.assert_array_equal(part.Y, data.Y[[3, 5]])
    fewer = data.part([3, 5], rankings=part.preferences.without_pairs(1.0))
    assert fewer.task is Task.PAIR_PREFERENCES
    assert not fewer.preferences.n_known.any()
    assert len({data.fingerprint, fewer.fingerprint, part.fingerprint}) == 3


@pytest.mark.parametrize(
    "key", [key for key, each in ALGORITHMS.items() if Task.PAIR_PREFERENCES in each.tasks]
)
def test_every_method_of_pairs_is_measured_on_the_known_pairs(key):
    data, algorithm = pair_data(), ALGORITHMS[key]
    assert algorithm.learns(data)
    split = holdout_split(data)
    evaluation = evaluate_model(algorithm.build(), data, split)
    fitted = algorithm.build().fit(data.X[split.train], algorithm.targets(data, split.train))
    expected = pair_tau_score(data.preferences[split.test], fitted.predict(data.X[split.test]))
    assert evaluation.totals == {"pair_tau_score": pytest.approx(expected)}
    assert expected > 0.5


def test_training_pairs_may_be_deleted():
    data = pair_data(share=0.0)
    split = holdout_split(data)
    fewer = data.preferences[split.train].without_pairs(0.6)
    evaluation = evaluate_model(KNeighborsLabelRanker(), data, split, train_rankings=fewer)
    fitted = KNeighborsLabelRanker().fit(data.X[split.train], fewer)
    expected = pair_tau_score(data.preferences[split.test], fitted.predict(data.X[split.test]))
    assert evaluation.totals["pair_tau_score"] == pytest.approx(expected)


def test_methods_without_pairs_do_not_learn_them():
    data = pair_data()
    learning = {key for key, algorithm in ALGORITHMS.items() if algorithm.learns(data)}
    assert len(learning) == 7
    assert learning >= {"knn", "rpc", "pairwise_forest"}
    assert "aggregation" not in {knob.name for knob in ALGORITHMS["knn"].knobs_for(data)}
    with pytest.raises(ValueError, match="label ranker for preferences between pairs"):
        evaluate_model(ALGORITHMS["mlr"].build(), data, holdout_split(data))


def test_the_average_of_everyone_is_the_order_by_win_shares():
    preferences = PairPreferences.from_words(["a>b", "a>b", "b>a|c>a", "c>a|c>b", "b=c"])
    model = ConsensusLabelRanker().fit(np.zeros((5, 1)), preferences)
    # Win shares: ab 2/3, ac 0, bc 1/4: a 2/3, b 1/3 + 1/4, c 1 + 3/4.
    assert model.predict(np.zeros((1, 1))).to_numpy().tolist() == [[2, 3, 1]]


def test_folds_spread_the_labels_that_nothing_is_preferred_to():
    data = pair_data(100)
    first = data.preferences.undefeated
    for fold in cross_validation(data, n_folds=4, stratify=True):
        shares = first[fold.split.test].sum(axis=0) / first.sum(axis=0)
        assert np.abs(shares - 0.25).max() < 0.12


def test_the_profile_counts_who_knows_and_wins_each_pair():
    preferences = PairPreferences.from_words(["a>b|c>d", "b>a", "a>b|b>c|c>a", "a=d"])
    profile = PairProfile(preferences)
    assert profile.n_known.tolist() == [[0, 3, 1, 1], [3, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]]
    nan = np.nan
    expected = [[nan, 2 / 3, 0, 0.5], [1 / 3, nan, 1, nan], [1, 0, nan, 1], [0.5, nan, 0, nan]]
    np.testing.assert_allclose(profile.shares, expected)
    assert (profile.mean_known, profile.n_cyclic) == (7 / 4, 1)
    # Sums, unknown pairs one half: a 7/6 + 1/2, b 11/6 + 1/2, c 2 + 1/2 ... d 1 + 1/2.
    assert profile.positions.tolist() == [3, 2, 1, 4]
    assert profile.frame()["rows"].tolist() == [3, 1, 1, 1, 0, 1]


def test_errors_of_labels_are_counted_pair_by_pair():
    data, split = pair_data(), holdout_split(pair_data())
    evaluation = evaluate_model(KNeighborsLabelRanker(), data, split)
    positions = evaluation.predictions.positions
    wrong = np.zeros((len(split.test), 4), dtype=int)
    for i, row in enumerate(split.test):
        for sign, (a, b) in zip(data.Y[row], combinations(range(4), 2), strict=True):
            if not np.isnan(sign) and np.sign(positions[i, b] - positions[i, a]) != sign:
                wrong[i, [a, b]] += 1
    table = label_frame(data, evaluation)
    assert table["n_wrong"].tolist() == (wrong > 0).sum(axis=0).tolist()
    worst = worst_cases(data, evaluation, "pair_tau_score")
    assert worst["value"].is_monotonic_increasing
    assert "before" in case_texts(data, evaluation, [0])["true"].iloc[0]


def test_a_scorer_measures_known_pairs():
    data = pair_data()
    model = KNeighborsLabelRanker().fit(data.X, data.preferences)
    score = scorers["pair_tau"](model, data.X, data.preferences)
    assert score == pytest.approx(pair_tau_score(data.preferences, model.predict(data.X)))


def test_named_pairs_are_put_in_the_order_of_the_labels_of_the_data():
    pairs = PairPreferences.from_words(["a > b", "b > a"])
    settings = {"X": np.zeros((2, 1)), "feature_names": ["x"], "name": "rows"}
    dataset = Dataset(Y=pairs, task=Task.PAIR_PREFERENCES, label_names=["b", "a"], **settings)
    assert dataset.targets_in_words([0, 1]) == ["a before b", "b before a"]
    with pytest.raises(ValueError, match="Expected the labels"):
        Dataset(Y=pairs, task=Task.PAIR_PREFERENCES, label_names=["b", "c"], **settings)


def test_of_equally_preferred_labels_all_are_the_most_preferred():
    assert PairProfile(PairPreferences.from_words(["a > b | b > c | c > a"])).most_preferred == [
        0,
        1,
        2,
    ]
    assert PairProfile(PairPreferences.from_words(["a > b | b > c"])).most_preferred == [0]


def test_pairs_that_a_ranking_contradicts_are_those_it_is_not_counted_right_for():
    random = np.random.default_rng(0)
    for _ in range(200):
        pairs = PairPreferences(random.choice([-1.0, 0.0, 1.0, np.nan], size=(1, 6)))
        ranking = np.unique(random.integers(1, 5, 4), return_inverse=True)[1] + 1
        are_wrong = contradicted_pairs(ranking, pairs)
        assert not (are_wrong & are_wrong.T).any() or len(set(ranking)) < 4
        n_right, n_known = count_known_pairs(ranking, pairs)
        n_wrong = int((are_wrong | are_wrong.T).sum()) // 2
        assert n_right + n_wrong == n_known
