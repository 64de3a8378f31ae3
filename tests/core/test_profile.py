"""The profile of a data set against definitions worked out naively, and published figures."""

import re
from collections import Counter
from itertools import combinations, permutations, product
from math import isnan, log2

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from labelrank_core import Dataset, PairPreferences, Task, load_sample, read_dataset
from labelrank_core.data.findings import Severity
from labelrank_core.data.profile import LabelSetProfile, Profile, RankingProfile, Twins
from labelrank_core.data.profile.conditions import (
    Contradicts,
    FeatureIs,
    FeatureWithin,
    HasLabels,
    LabelCount,
    NotRanked,
    Prefers,
    RankedAt,
    Repeats,
    SameLabels,
    SameRanking,
    Tied,
    condition_text,
    matching_rows,
    rows_where,
)
from labelrank_core.data.profile.diversity import diversity, n_possible_rankings
from labelrank_core.data.profile.features import feature_bins, feature_frame
from labelrank_core.metrics import METRICS, pair_tau_score
from tests import oracles as oracles_of_rankings
from tests import oracles_profile as oracles
from tests import problems
from tests.looped import seeds

SEEDS = range(12)
NAN = float("nan")


def names(n_labels):
    return [f"label {j}" for j in range(n_labels)]


def rankings(seed):
    """Rankings with ties and labels left out, of two to five labels; some rows rank none."""
    rng = np.random.default_rng(seed)
    n_labels = int(rng.integers(2, 6))
    Y = problems.positions(rng, int(rng.integers(1, 9)), n_labels, tied=seed % 2 == 0)
    if seed % 3 == 0:
        return Y.astype(float)
    keys = np.where(rng.random(Y.shape) < 0.3, np.nan, Y)
    return np.array(
        [
            [1.0 + len({o for o in row if o < own}) if own == own else NAN for own in row]
            for row in keys.tolist()
        ]
    )


def dataset(X, Y, task=Task.LABEL_RANKING):
    X = X if sparse.issparse(X) else np.asarray(X, dtype=float)
    n_labels = len(Y[0]) - (task is Task.CALIBRATED_RANKING)
    return Dataset(
        X=X,
        Y=Y,
        task=task,
        feature_names=[f"x{j}" for j in range(X.shape[1])],
        label_names=names(n_labels),
        name="d",
    )


@pytest.fixture(params=SEEDS)
def votes(request):
    return rankings(request.param)


def test_counts_of_rankings_are_those_of_the_definitions(votes):
    rows, m = votes.tolist(), votes.shape[1]
    profile = RankingProfile(votes, names(m))
    assert profile.position_counts.tolist() == oracles.position_counts(rows, m)
    assert profile.ranked_counts.tolist() == [
        sum(not isnan(row[j]) for row in rows) for j in range(m)
    ]
    assert profile.tied_counts.tolist() == oracles.tied_counts(rows, m)
    assert profile.pair_counts.tolist() == oracles.pair_counts(rows, m)
    for label in range(m):
        mean = oracles.mean_rank(rows, label)
        expected = NAN if mean is None else float(mean)
        assert profile.mean_ranks[label] == pytest.approx(expected, nan_ok=True)


def test_counts_do_not_depend_on_where_rows_are_cut(monkeypatch):
    votes = np.vstack([rankings(seed) for seed in range(60) if rankings(seed).shape[1] == 4])
    whole = RankingProfile(votes, names(4))
    expected = whole.pair_counts.tolist(), whole.tied_counts.tolist()
    monkeypatch.setattr("labelrank_core.data.profile.rankings._CHUNK_CELLS", 28)
    cut = RankingProfile(votes, names(4))
    assert (cut.pair_counts.tolist(), cut.tied_counts.tolist()) == expected


@seeds(40)
def test_cycles_are_those_found_by_trying_all(seed):
    rng = np.random.default_rng(seed)
    votes = problems.positions(rng, 5, int(rng.integers(2, 6)), tied=seed % 4 == 0).astype(float)
    rows, m = votes.tolist(), votes.shape[1]
    profile = RankingProfile(votes, names(m))
    assert profile.in_cycle.tolist() == oracles.in_cycle(rows, m)
    cycle, beat = profile.cycle, oracles.beats(rows, m)
    assert len(cycle) == len(set(cycle)) == oracles.shortest_cycle(rows, m)
    assert all(beat[a][b] for a, b in zip(cycle, (*cycle[1:], *cycle[:1]), strict=True))


def test_condorcets_paradox_is_one_cycle_of_three_labels():
    # a beats b, b beats c, c beats a, two to one each; d is last in all rows.
    votes = np.array([[1.0, 2, 3, 4], [3, 1, 2, 4], [2, 3, 1, 4]])
    profile = RankingProfile(votes, ["a", "b", "c", "d"])
    assert profile.cycle == (0, 1, 2)
    assert profile.cycle_members.tolist() == [1, 1, 1, 0]
    assert profile.in_cycle.sum() == 3
    assert profile.majority_order == ((0, 1, 2), (3,))


def test_the_best_mean_rank_and_most_often_first_are_two_things():
    # Mean ranks: a (1+1+3+3+3)/5 = 2.2, b (2+2+2+2+1)/5 = 1.8, c (3+3+1+1+2)/5 = 2.0; first: a
    # and c twice each, b once. Majorities, three to two each: b over a, c over a, b over c.
    votes = np.array([[1.0, 2, 3]] * 2 + [[3.0, 2, 1]] * 2 + [[3.0, 1, 2]])
    profile = RankingProfile(votes, ["a", "b", "c"])
    assert profile.order[0] == 1
    assert profile.most_often_first == (0, 2)
    assert profile.majority_order == ((1,), (2,), (0,))
    assert profile.n_even_pairs == 0
    assert RankingProfile(votes[:4], ["a", "b", "c"]).n_even_pairs == 3


def test_the_largest_majority_against_the_mean_ranks_is_named():
    # Three of five rank a ahead of b, but the others rank a last.
    votes = np.array([[1, 2, 3]] * 3 + [[3, 1, 2]] * 2, dtype=float)
    profile = RankingProfile(votes, ["a", "b", "c"])
    assert profile.mean_ranks.tolist() == [1.8, 1.6, 2.6]
    assert profile.majority_against_means == (0, 1)
    assert RankingProfile(votes[:3], ["a", "b", "c"]).majority_against_means is None


def test_no_label_is_behind_one_it_beats_in_the_majority_order():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        votes = problems.positions(rng, 5, int(rng.integers(2, 6)), tied=seed % 4 == 0)
        m = votes.shape[1]
        order = RankingProfile(votes.astype(float), names(m)).majority_order
        beat, cyclic = oracles.beats(votes.tolist(), m), oracles.in_cycle(votes.tolist(), m)
        assert sorted(label for group in order for label in group) == list(range(m))
        for (place, group), (later, others) in combinations(enumerate(order), 2):
            assert place < later
            assert not any(beat[second][first] for first in group for second in others)
        for group in order:
            assert len(group) == 1 or all(any(cyclic[label]) for label in group)
            assert len(group) > 1 or not any(cyclic[group[0]])


def test_different_rankings_are_counted_commonest_first(votes):
    expected = Counter(tuple(np.nan_to_num(row)) for row in votes)
    profile = RankingProfile(votes, names(votes.shape[1]))
    groups = profile.groups
    first = [tuple(np.nan_to_num(votes[row])) for row in groups.first]
    assert dict(zip(first, groups.counts.tolist(), strict=True)) == expected
    assert groups.counts.tolist() == sorted(groups.counts, reverse=True)
    assert [first[group] for group in groups.of_row] == [tuple(np.nan_to_num(r)) for r in votes]
    shares = [count / len(votes) for count in expected.values()]
    assert profile.diversity.entropy == pytest.approx(-sum(p * log2(p) for p in shares))


@pytest.mark.parametrize("n_labels", [2, 3, 4])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("partial", [False, True])
def test_possible_rankings_are_counted(n_labels, ties, partial):
    listed = oracles.all_rankings(n_labels, ties=ties, partial=partial)
    assert n_possible_rankings(n_labels, ties=ties, partial=partial) == len(listed)


def test_normalised_entropy_runs_from_all_equal_to_as_different_as_can_be():
    assert diversity(np.array([7]), 6).normalised_entropy == 0
    assert diversity(np.array([2] * 6), 6).normalised_entropy == pytest.approx(1)
    # Four rows cannot have more than four different rankings, however many there are.
    assert diversity(np.ones(4, dtype=int), 24).normalised_entropy == pytest.approx(1)
    assert diversity(np.array([1]), 1).normalised_entropy == 0


def test_a_profile_of_rankings_as_tables():
    votes = np.array([[1.0, 2, 2], [1, NAN, 2], [2, 1, 3], [1, 2, 2]])
    profile = RankingProfile(votes, ["a", "b", "c"])
    labels = profile.label_frame().set_index("label")
    # Generalised ranks: a 1, 1, 2, 1; b 2.5, 1, 2.5 in three rows; c 2.5, 2, 3, 2.5.
    assert labels["mean rank"].to_dict() == {"a": 1.25, "b": 2.0, "c": 2.5}
    assert labels["not ranked"].to_dict() == {"a": 0, "b": 0.25, "c": 0}
    assert labels["tied"].to_dict() == {"a": 0, "b": 0.5, "c": 0.5}
    assert labels.loc["b", ["position 1", "position 2", "position 3"]].tolist() == [0.25, 0.5, 0]
    pairs = profile.pair_frame().set_index(["first", "second"])
    assert pairs.loc[("a", "b")].tolist() == [2, 1, 0, 2 / 3, False]
    assert pairs.loc[("b", "c")].tolist() == [1, 0, 2, 1.0, False]
    different = profile.ranking_frame()
    assert different["ranking"].tolist() == ["a > b = c", "a > c", "b > a > c"]
    assert different["rows"].tolist() == [2, 1, 1]
    assert profile.ranking_frame(1)["share"].tolist() == [0.5]


def relevance(seed):
    rng = np.random.default_rng(seed)
    Y = problems.relevance(rng, int(rng.integers(1, 12)), int(rng.integers(2, 6)))
    if seed == 0:
        Y[:] = 0
    return Y


@pytest.mark.parametrize("seed", SEEDS)
def test_figures_of_label_sets_are_those_of_the_definitions(seed):
    Y = relevance(seed)
    n, m = Y.shape
    profile = LabelSetProfile(Y, names(m))
    sets = [frozenset(np.flatnonzero(row)) for row in Y]
    counts = [sum(label in own for own in sets) for label in range(m)]
    assert profile.label_counts.tolist() == counts
    assert profile.cardinality == pytest.approx(sum(map(len, sets)) / n)
    assert profile.density == pytest.approx(sum(len(own) / m for own in sets) / n)
    assert profile.size_counts.tolist() == [
        sum(len(own) == size for own in sets) for size in range(m + 1)
    ]
    assert profile.diversity.n_distinct == len(set(sets))
    assert profile.pair_counts.tolist() == [
        [sum({i, j} <= own for own in sets) for j in range(m)] for i in range(m)
    ]
    ratios = [max(counts) / count for count in counts if count]
    found = profile.imbalance[np.isfinite(profile.imbalance)]
    assert found.tolist() == pytest.approx(ratios)
    expected = sum(ratios) / len(ratios) if ratios else NAN
    assert profile.mean_imbalance == pytest.approx(expected, nan_ok=True)
    for i, j in product(range(m), repeat=2):
        constant = counts[i] in (0, n) or counts[j] in (0, n)
        phi = NAN if constant else np.corrcoef(Y[:, i], Y[:, j])[0, 1]
        assert profile.correlation[i, j] == pytest.approx(phi, nan_ok=True)


def test_a_profile_of_label_sets_as_tables():
    profile = LabelSetProfile(np.array([[1, 0, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0]]), list("abc"))
    labels = profile.label_frame()
    assert labels["label"].tolist() == ["c", "a", "b"]
    assert labels["imbalance"].tolist() == [1, 1.5, np.inf]
    assert profile.size_frame()["rows"].tolist() == [1, 1, 2]
    assert profile.set_frame()["labels"].tolist() == ["a, c", "c", ""]
    pairs = profile.pair_frame().set_index(["first", "second"])
    # phi of c = (1, 1, 1, 0) and a = (1, 0, 1, 0): (4 * 2 - 3 * 2) / sqrt(3 * 1 * 2 * 2)
    assert pairs.loc[("c", "a"), "correlation"] == pytest.approx(2 / 12**0.5)


# http://mulan.sourceforge.net/datasets-mlc.html: cardinality, density and, last, distinct label
# sets; between them the mean imbalance of F. Charte et al., Neurocomputing 163 (2015). The
# cardinality of emotions is 1108 / 593 = 1.8685, so the last digit printed is one off.
MULAN = {
    "emotions": (593, 6, 1.869, 0.311, 1.478, 27),
    "flags": (194, 7, 3.392, 0.485, 2.255, 54),
    "medical": (978, 45, 1.245, 0.028, 89.501, 94),
}


def mulan_targets(folder, name):
    """The 0/1 matrix of a set: its labels are the last attributes."""
    n_labels = len(re.findall("<label ", (folder / f"{name}.xml").read_text()))
    rows = []
    for path in sorted(folder.glob(f"{name}*.arff")):
        text = path.read_text().lower()
        n_columns = len(re.findall(r"^@attribute", text, re.MULTILINE))
        first = n_columns - n_labels
        for line in text.split("@data")[1].strip().splitlines():
            if line.startswith("{"):
                own = {int(pair.split()[0]): pair.split()[1] for pair in line[1:-1].split(",")}
                rows.append([int(own.get(first + j, 0)) for j in range(n_labels)])
            else:
                rows.append([int(value) for value in line.split(",")[first:]])
    return np.array(rows)


def figures(Y):
    profile = LabelSetProfile(Y, names(Y.shape[1]))
    measured = profile.cardinality, profile.density, profile.mean_imbalance
    return (*Y.shape, *measured, profile.diversity.n_distinct)


@pytest.mark.parametrize("name", MULAN)
def test_published_figures_of_mulans_data_are_met(name, benchmark_data):
    found = figures(mulan_targets(benchmark_data / "mulan", name))
    assert found == pytest.approx(MULAN[name], abs=6e-4)


def test_published_figures_of_yeast_are_met():
    found = figures(load_sample("yeast").relevance)
    assert found == pytest.approx((2417, 14, 4.237, 0.303, 7.197, 198), abs=5e-4)


def twin_problem(seed, make):
    rng = np.random.default_rng(seed)
    Y = make(seed)
    return rng.integers(0, 2, size=(len(Y), 1 + seed % 2)).astype(float), Y


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_and_contradictions_are_those_of_the_definitions(seed):
    X, Y = twin_problem(seed, rankings)
    rows = X.tolist(), Y.tolist()
    for features in (X, sparse.csr_matrix(X)):
        twins = Twins(dataset(features, Y))
        assert twins.contradicting.tolist() == oracles.contradicting(*rows)
        assert twins.repeating.tolist() == oracles.repeating(*rows)
        expected = {
            tuple(group)
            for group in oracles.groups(rows[0])
            if oracles.contradicting(*rows)[group[0]]
        }
        table = twins.frame()
        assert {tuple(own["row"] - 1) for _, own in table.groupby("group")} == expected
        assert twins.n_contradicting_groups == len(expected)


@seeds(30)
def test_no_prediction_by_features_beats_the_bound_of_kendalls_tau(seed, monkeypatch):
    monkeypatch.setattr("labelrank_core.data.profile.twins._CHUNK_CELLS", 1 + seed)
    X, Y = twin_problem(seed, rankings)
    bound = Twins(dataset(X, Y)).best_kendall_tau
    expected = oracles.majority_bound(X.tolist(), Y.tolist())
    if expected is None:
        assert isnan(bound)
        return
    assert bound == pytest.approx(float(expected))

    measure, m = METRICS["kendall_tau_score"], Y.shape[1]
    best, cyclic = np.empty(len(Y)), False
    for group in oracles.groups(X.tolist()):
        own = Y[group]
        taus = [
            measure.per_case(own, np.tile(order, (len(own), 1)))
            for order in permutations(range(1, m + 1))
        ]
        best[group] = max(taus, key=np.nansum)
        weighted = [row for row in own.tolist() if len(set(row) - {NAN}) > 1]
        cyclic |= bool(weighted) and oracles.shortest_cycle(weighted, m) > 0
    reached = np.nanmean(best)
    assert reached <= bound + 1e-12
    complete_and_strict = all(sorted(row) == list(range(1, m + 1)) for row in Y.tolist())
    if complete_and_strict and not cyclic:
        assert reached == pytest.approx(bound)


def test_the_bound_of_kendalls_tau_by_hand():
    # Two of three rows with x = 0 say a > b > c, one c > a > b: weights 1/3 a pair. Pair ab: all
    # agree, gain 3/3; ac and bc: 2 against 1, gain 1/3 each. The row alone gains 1: 8/3 over 4.
    X, Y = [[0], [0], [0], [1]], [[1, 2, 3], [1, 2, 3], [2, 3, 1], [3, 2, 1]]
    assert Twins(dataset(X, Y)).best_kendall_tau == pytest.approx((5 / 3 + 1) / 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_of_hamming_loss_is_the_best_a_prediction_by_features_can_do(seed):
    X, Y = twin_problem(seed, relevance)
    found = Twins(dataset(X, Y, Task.MULTILABEL)).least_hamming_loss
    assert found == pytest.approx(float(oracles.minority_share(X.tolist(), Y.tolist())))
    best = np.empty(len(Y))
    for group in oracles.groups(X.tolist()):
        own = Y[group]
        losses = [
            METRICS["hamming_loss"].per_case(own, np.tile(labels, (len(own), 1)))
            for labels in product([0, 1], repeat=Y.shape[1])
        ]
        best[group] = min(losses, key=np.sum)
    assert found == pytest.approx(best.mean())


def test_without_twins_nothing_is_bounded():
    X, Y = [[0], [1], [2]], [[1, 2], [2, 1], [1, 2]]
    assert Twins(dataset(X, Y)).bounds() == {"kendall_tau_score": 1}
    assert Twins(dataset(X, [[1, 0], [0, 0], [0, 0]], Task.MULTILABEL)).bounds() == {
        "hamming_loss": 0
    }


def test_a_calibrated_ranking_has_both_views():
    profile = Profile(load_sample("drinks_calibrated"))
    data = profile.dataset
    assert profile.rankings.positions.tolist() == data.rankings.tolist()
    assert profile.label_sets.label_counts.tolist() == data.relevance.sum(axis=0).tolist()
    assert set(profile.twins.bounds()) == {"kendall_tau_score", "hamming_loss"}


def test_a_profile_of_some_rows_is_that_of_these_rows_alone():
    data, rows = load_sample("vehicle"), np.array([3, 9, 400, 401])
    profile = Profile(data, rows)
    alone = RankingProfile(data.rankings[rows], data.label_names)
    assert profile.n_rows == 4
    assert profile.rankings.pair_counts.tolist() == alone.pair_counts.tolist()
    expected = data.X[rows].max(axis=0).tolist()
    assert profile.features["highest"].tolist() == expected
    assert profile.label_sets is None


@pytest.fixture
def mixed():
    """A file with a numeric feature and a nominal one, of which a value was filled in."""
    rows = ["0,red", "0.25,blue", "0.5,blue", "0.75,", "1,red", "1.25,blue"]
    targets = ["1,2", "2,1"] * 3
    lines = [",".join(pair) for pair in zip(rows, targets, strict=True)]
    content = "\n".join(["size,colour,L1,L2", *lines]).encode()
    return read_dataset(("mixed.csv", content), missing="fill")


def test_features_are_described_in_the_users_own_columns(mixed):
    table = feature_frame(mixed).set_index("feature")
    assert table["kind"].to_dict() == {"size": "number", "colour": "text"}
    assert table["filled in"].to_dict() == {"size": 0, "colour": 1}
    common = table.loc["colour", ["different", "most common", "rows with it"]]
    assert common.tolist() == [2, "blue", 4]
    assert table.loc["size", "lowest":"highest"].tolist() == [0, 0.3125, 0.625, 0.9375, 1.25]
    bins = feature_bins(mixed, 1)
    assert bins == [FeatureIs(1, "blue"), FeatureIs(1, "red")]
    assert [int(rows_where(mixed, part).sum()) for part in bins] == [4, 2]
    assert [condition_text(mixed, part) for part in bins] == ["colour = blue", "colour = red"]


@seeds(8)
def test_quartiles_are_those_of_numpy_dense_and_sparse(seed):
    rng = np.random.default_rng(seed)
    X = problems.features(rng, problems.FEATURES[seed % 3], int(rng.integers(1, 30)), 4)
    X[:, 1] = np.where(rng.random(len(X)) < 0.7, 0, rng.normal(size=len(X)))
    Y = problems.positions(rng, len(X), 3)
    expected = np.quantile(X, [0, 0.25, 0.5, 0.75, 1], axis=0).T
    rows = np.flatnonzero(rng.random(len(X)) < 0.5)
    tables = [feature_frame(dataset(matrix, Y)) for matrix in (X, sparse.csr_matrix(X))]
    for table in tables:
        assert table.loc[:, "lowest":"highest"].to_numpy() == pytest.approx(expected)
        assert table["different"].tolist() == [len(np.unique(X[:, j])) for j in range(4)]
    pd.testing.assert_frame_equal(*tables)
    if len(rows):
        parts = [feature_frame(dataset(m, Y), rows) for m in (X, sparse.csr_matrix(X))]
        pd.testing.assert_frame_equal(*parts)


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0.1, 0.3, 40),
        np.linspace(-3e-9, 7e-9, 50),
        1e9 + np.arange(30),
        1e70 * np.linspace(-1, 1, 30),
        np.array([0.3, 0.1] * 3),
        np.zeros(4),
        1e16 + 2.0 * np.arange(14),
    ],
)
def test_every_value_is_in_just_one_part_of_its_feature(values):
    data = dataset(values[:, None], [[1, 2]] * len(values))
    bins = feature_bins(data, 0)
    counts = np.array([rows_where(data, part) for part in bins]).sum(axis=0)
    assert counts.tolist() == [1] * len(values)
    assert len(bins) <= 33


def test_parts_of_a_feature_have_round_ends():
    data = load_sample("iris")
    bins = feature_bins(data, 0)
    assert bins[0] == FeatureWithin(0, 4.2, 4.4)
    assert bins[-1] == FeatureWithin(0, 7.8, 8.0)
    assert condition_text(data, bins[0]) == "sepal length (cm) 4.2 to below 4.4"


def test_constant_and_repeated_features_are_alerts_with_a_way_out():
    X = [[1, 5, 2, 1], [2, 5, 2, 2], [3, 5, 2, 3]]
    for matrix in (np.array(X, dtype=float), sparse.csr_matrix(X)):
        found = Profile(dataset(matrix, [[1, 2], [2, 1], [2, 1]])).alerts
        messages = {issue.code: issue.message for issue in found}
        assert messages["constant-feature"].endswith("in every row: x1, x2.")
        assert messages["repeated-feature"].endswith("an earlier one: x3 = x0.")
        assert all(issue.hint for issue in found)


def codes(X, Y, task=Task.LABEL_RANKING):
    return {issue.code for issue in Profile(dataset(X, Y, task)).alerts}


def test_alerts_name_what_is_there_and_nothing_else():
    different = np.arange(200.0)[:, None]
    votes = np.tile([[1.0, 2, 3], [3, 1, 2], [2, 3, 1], [1, 2, 3]], (50, 1))
    votes[3::8], votes[7::8] = [3, 1, 2], [2, 3, 1]
    assert codes(different, votes) == {"majority-cycle"}
    assert codes(different, np.tile([[1, 2, 3], [1, 3, 2]], (100, 1))) == set()
    assert codes(different, np.tile([[1.0, 2, 3]], (200, 1))) == {"one-ranking"}
    votes[:] = [1, 2, NAN]
    votes[::2] = [2, 1, NAN]
    assert codes(different, votes) == {"label-never-ranked"}
    votes[:10] = [1, 2, 3]
    assert codes(different, votes) == {"label-rarely-ranked"}

    sets = np.tile([[1, 0, 1, 0], [0, 1, 1, 0]], (100, 1))
    multilabel = {"task": Task.MULTILABEL}
    assert codes(different, sets, **multilabel) == {
        "label-never-relevant",
        "label-always-relevant",
    }
    sets[0] = [0, 0, 0, 1]
    assert codes(different, sets, **multilabel) == {"label-in-few-rows", "imbalance"}
    sets[0] = 0
    assert codes(different, sets[:, :3], **multilabel) == {"no-label"}


@seeds(30)
def test_no_prediction_by_features_beats_the_bound_of_known_pairs(seed):
    rng = np.random.default_rng(seed)
    n_rows, m = int(rng.integers(2, 8)), int(rng.integers(2, 4))
    X = rng.integers(0, 2, size=(n_rows, 1)).astype(float)
    signs = rng.choice([-1.0, 0.0, 1.0, NAN], size=(n_rows, m * (m - 1) // 2))
    bound = Twins(pair_dataset(X, signs)).best_pair_tau
    if np.isnan(signs).all():
        assert isnan(bound)
        return
    orders = np.array(oracles_of_rankings.bucket_orders(m))
    best = np.full(n_rows, NAN)
    for group in oracles.groups(X.tolist()):
        taus = [
            pair_tau_score(
                PairPreferences(signs[group]), np.tile(order, (len(group), 1)), average=None
            )
            for order in orders
        ]
        best[group] = max(taus, key=np.nansum)
    # Of two labels every answer is a ranking; where a group has one target, that may be a cycle.
    assert np.nanmean(best) == pytest.approx(bound) if m == 2 else np.nanmean(best) <= bound + 1e-12


def test_pairs_that_differ_but_can_all_be_right_are_no_alert():
    X = [[0], [0], [1], [2]]
    compatible = [[1, NAN, NAN], [NAN, NAN, 1], [1, 1, 1], [NAN, 1, 1]]
    assert not Profile(pair_dataset(X, compatible)).alerts
    compatible[1] = [-1, NAN, 1]
    (warning,) = Profile(pair_dataset(X, compatible)).alerts
    # Of the two rows at 0 one prediction gets 1 + 0 or -1 + 1: 3 of 4 with the rows alone.
    assert warning.message.endswith("mean Kendall's tau of known pairs at most 0.750.")


def pair_dataset(X, signs):
    n_labels = {1: 2, 3: 3}[np.shape(signs)[1]]
    preferences = PairPreferences(signs, [f"label {j}" for j in range(n_labels)])
    frame = pd.DataFrame(X, columns=["x"], dtype=float)
    return Dataset.from_frame(frame, preferences, task=Task.PAIR_PREFERENCES)


def test_alerts_on_rows_count_copies_and_give_the_bound():
    X, Y = [[0], [0], [0], [1], [2]], [[1, 2], [1, 2], [2, 1], [2, 1], [1, 2]]
    warning, info = Profile(dataset(X, Y)).alerts
    assert (warning.code, warning.severity) == ("contradicting-rows", Severity.WARNING)
    # The three rows with x = 0 gain 2 - 1, the others 1 each: 3 / 5.
    assert warning.message.startswith("3 rows")
    assert "Kendall's tau at most 0.600" in warning.message
    assert (info.code, info.message) == (
        "repeated-rows",
        "1 row repeats an earlier one, features and target.",
    )


def test_rows_without_features_are_no_alert():
    found = codes(np.empty((4, 0)), [[1, 2], [2, 1], [1, 2], [1, 2]])
    assert found == set()


CONDITIONS = {
    RankedAt(0, 2): ("a at position 2", [2, 3]),
    NotRanked(1): ("b not ranked", [1, 4]),
    Tied(2): ("c tied", [0]),
    Prefers(0, 2): ("a before c", [0, 1, 2, 3]),
    SameRanking(1): ("a > c", [1]),
    SameRanking(4): ("no label ranked", [4]),
    FeatureIs(0, 1.0): ("x = 1", [0, 2, 3]),
    FeatureWithin(0, 1.0, 2.0): ("x 1 to below 2", [0, 2, 3]),
    Contradicts(): ("equal features, different targets", [0, 2, 3]),
    Repeats(): ("repeats an earlier row", [3]),
}


@pytest.fixture(scope="module")
def five():
    return Dataset(
        X=[[1.0], [2.0], [1.0], [1.0], [3.0]],
        Y=[[1, 2, 2], [1, NAN, 2], [2, 1, 3], [2, 1, 3], [NAN] * 3],
        task=Task.LABEL_RANKING,
        feature_names=["x"],
        label_names=["a", "b", "c"],
        name="five",
    )


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_chooses_rows_and_says_which(condition, five):
    words, rows = CONDITIONS[condition]
    assert condition_text(five, condition) == words
    assert np.flatnonzero(rows_where(five, condition)).tolist() == rows


def test_conditions_on_label_sets():
    data = dataset(np.zeros((4, 1)), [[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]], Task.MULTILABEL)
    expected = {
        HasLabels((0,)): ("has label 0", [0, 1, 3]),
        HasLabels((0, 1)): ("has label 0 and label 1", [0, 3]),
        SameLabels(1): ("only label 0", [1]),
        SameLabels(2): ("no label", [2]),
        LabelCount(1): ("1 label", [1]),
        LabelCount(3): ("3 labels", [3]),
    }
    for condition, (words, rows) in expected.items():
        assert condition_text(data, condition) == words
        assert matching_rows(data, [condition]).tolist() == rows


def test_conditions_together_choose_what_meets_all(five):
    assert matching_rows(five, []).tolist() == [0, 1, 2, 3, 4]
    assert matching_rows(five, [Contradicts(), Prefers(1, 0)]).tolist() == [2, 3]


@pytest.mark.parametrize("name", ["iris", "glass", "yeast", "drinks_calibrated"])
def test_counts_of_a_profile_are_the_rows_that_their_condition_chooses(name):
    data = load_sample(name)
    profile = Profile(data)

    def count(condition):
        return len(matching_rows(data, [condition]))

    labels = range(data.n_labels)
    if profile.rankings is not None:
        found = profile.rankings
        for i, j in product(labels, repeat=2):
            assert found.pair_counts[i, j] == count(Prefers(i, j))
            assert found.position_counts[i, j] == count(RankedAt(i, j + 1))
        for row, rows in zip(found.groups.first, found.groups.counts, strict=True):
            assert rows == count(SameRanking(int(row)))
    if profile.label_sets is not None:
        sets = profile.label_sets
        for i, j in product(labels, repeat=2):
            assert sets.pair_counts[i, j] == count(HasLabels((i, j)))
        for size, rows in enumerate(sets.size_counts):
            assert rows == count(LabelCount(size))
        for row, rows in list(zip(sets.groups.first, sets.groups.counts, strict=True))[:20]:
            assert rows == count(SameLabels(int(row)))
