"""Methods in a race: the folds, who is first, what is clear, dropping out and going on."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import KFold

from labelrank_core import load_sample
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.experiments.race import (
    MOST_ROWS,
    N_FOLDS,
    MethodRace,
    Runner,
    average_value,
    field_of,
    rows_to_race,
    run_race,
)
from labelrank_core.methods import ALGORITHMS, FAMILY_IDEAS, ModelChoice
from labelrank_core.methods.dummy import ConsensusLabelRanker
from labelrank_core.metrics import METRICS

TAU, LOSS = METRICS["kendall_tau_score"], METRICS["hamming_loss"]
GLASS = load_sample("glass")
TRAIN = holdout_split(GLASS).train
# Neighbours by all features, and by almost all cases: the second is far worse.
GOOD, BAD = ModelChoice("knn", (("n_neighbors", 3),)), ModelChoice("knn", (("n_neighbors", 100),))
# Distances that need a parameter which is not given.
BROKEN = ModelChoice("knn", (("metric", "mahalanobis"),))


def race_of(values, measure=TAU, n_rounds=3):
    """A race of methods k-NN with k = 1, 2, ... with these values, one list of rounds each."""
    runners = [
        Runner(ModelChoice("knn", (("n_neighbors", k),)), tuple(map(np.asarray, rounds)))
        for k, rounds in enumerate(values, start=1)
    ]
    return MethodRace(measure, n_rounds, tuple(runners))


def k_of(standing):
    return dict(standing.choice.params)["n_neighbors"]


class TestStandings:
    def test_the_best_mean_is_first_and_lower_is_better_for_losses(self):
        rng = np.random.default_rng(0)
        values = [[rng.random(20) + shift] for shift in (0.0, 0.5, 0.2)]
        assert [k_of(each) for each in race_of(values).standings] == [2, 3, 1]
        assert [k_of(each) for each in race_of(values, LOSS).standings] == [1, 3, 2]
        (first, *_) = race_of(values).standings
        assert (first.status, first.gain, first.low, first.high) == ("first", 0.0, 0.0, 0.0)
        assert first.mean == pytest.approx(np.mean(values[1]))

    def test_within_a_round_all_numbers_are_of_the_complete_ones(self):
        rng = np.random.default_rng(2)
        easy, hard = rng.random(20) + 1, rng.random(20)
        # The first two have run the hard second round, the last has not.
        race = race_of([[easy, hard], [easy - 0.1, hard + 0.5], [easy - 0.2]])
        assert (race.n_complete, race.n_compared, race.n_measured) == (1, 1, 2)
        found = race.standings
        assert [k_of(each) for each in found] == [1, 2, 3]
        means = [easy.mean(), easy.mean() - 0.1, easy.mean() - 0.2]
        assert [each.mean for each in found] == pytest.approx(means)
        assert [each.gain for each in found] == pytest.approx([0, -0.1, -0.2])
        whole = race_of([[easy, hard], [easy - 0.1, hard + 0.5], [easy - 0.2, hard]])
        assert [k_of(each) for each in whole.standings] == [2, 1, 3]

    @pytest.mark.parametrize("measure", [TAU, LOSS], ids=["higher", "lower"])
    def test_intervals_hold_together_over_all_methods_and_rounds(self, measure):
        rng = np.random.default_rng(1)
        sign = 1 if measure.greater_is_better else -1
        values = [[sign * (rng.random(30) + shift)] for shift in (1.0, 0.9, 0.0)]
        found = {k_of(each): each for each in race_of(values, measure).standings}
        for k in (2, 3):
            gain = sign * (values[k - 1][0] - values[0][0])
            # Two methods against the first in three rounds: 95 % for all six.
            expected = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 6)
            assert (found[k].low, found[k].high) == pytest.approx(expected)
            assert found[k].status == ("behind" if expected.high < 0 else "level")
        assert found[3].status == "behind"

    def test_few_cases_that_differ_decide_nothing(self):
        same = np.full(40, 0.5)
        other = same.copy()
        other[:5] = 0.4999
        assert race_of([[same], [other]]).standings[1].status == "level"
        other[:12] = 0.49
        assert race_of([[same], [other]]).standings[1].status == "behind"

    def test_methods_are_compared_on_the_rounds_that_both_have(self):
        rng = np.random.default_rng(2)
        first, second, third = (rng.random(15) for _ in range(3))
        # In the second round, which only the first has run so far, all its values are low.
        race = race_of([[first, second - 2], [third - 0.5]])
        (standing,) = (each for each in race.standings if k_of(each) == 2)
        assert standing.gain == pytest.approx((third - 0.5 - first).mean())
        assert race.n_complete == 1
        assert not race.is_over

    @pytest.mark.parametrize("measure", [TAU, LOSS], ids=["higher", "lower"])
    def test_means_compare_though_rounds_differ(self, measure):
        low, mid, high = np.full(20, 0.2), np.full(20, 0.5), np.full(20, 0.8)
        # The first of the list has run all three rounds: mean 0.5. In the round that both have the
        # other differs from it by 0.1, so its mean would be 0.6.
        race = race_of([[low, mid, high], [low + 0.1]], measure)
        means = {k_of(each): each.mean for each in race.standings}
        assert means == pytest.approx({1: 0.5, 2: 0.6})
        # Within a round, all leads are of the complete ones; at the end all means are their own.
        race = race_of([[low, mid, high], [mid, mid, high], [low + 0.1]], measure)
        means = {k_of(each): each.mean for each in race.standings}
        assert means == pytest.approx({1: 0.5, 2: 0.8, 3: 0.6})
        race = race_of([[low, mid, high], [mid, mid, high], [high, high, high]], measure)
        means = {k_of(each): each.mean for each in race.standings}
        assert means == pytest.approx({1: 0.5, 2: 0.6, 3: 0.8})

    def test_cases_without_a_value_are_left_out(self):
        values = np.array([0.1, 0.9, np.nan, 0.5]), np.array([0.2, np.nan, 0.3, 0.1])
        first, second = race_of([[values[0]], [values[1]]]).standings
        assert first.mean == pytest.approx(0.5)
        # Of both only two cases are known: 0.2 - 0.1 and 0.1 - 0.5.
        assert second.gain == pytest.approx(-0.15)

    def test_of_equal_methods_hardly_ever_one_is_called_worse(self):
        rng = np.random.default_rng(3)
        wrong = 0
        for _ in range(150):
            values = rng.normal(size=(5, 4, 25))
            wrong += any(
                each.status == "behind"
                for n in range(2, 5)
                for each in race_of([list(own[:n]) for own in values], n_rounds=4).standings
            )
        # At most 5 %: of 150 fewer than 15 in all but 1 of 1000 draws.
        assert wrong < stats.binom.ppf(0.999, 150, 0.05)


class TestRace:
    def test_each_round_trains_on_the_other_folds_of_the_rows_alone(self):
        race = run_race(GLASS, TRAIN, [GOOD], TAU.key)
        folds = KFold(N_FOLDS, shuffle=True, random_state=0).split(TRAIN)
        for (others, fold), values in zip(folds, race.runners[0].rounds, strict=True):
            part = Split(TRAIN[others], TRAIN[fold], "random", 0, 0.2)
            expected = evaluate_model(GOOD.build(), GLASS, part).values[TAU.key]
            np.testing.assert_array_equal(values, expected)
        assert race.is_over
        assert sum(map(len, race.runners[0].rounds)) == len(TRAIN)

    def test_who_is_clearly_behind_drops_out_after_two_rounds(self):
        race = run_race(GLASS, TRAIN, [BAD, GOOD], TAU.key)
        bad, good = race.runners
        assert (len(bad.rounds), len(good.rounds)) == (2, N_FOLDS)
        assert bad.is_out
        assert [each.status for each in race.standings] == ["first", "behind"]
        assert race.is_over

    def test_a_method_that_fails_does_not_end_the_race(self):
        race = run_race(GLASS, TRAIN, [BROKEN, GOOD], TAU.key)
        first, last = race.standings
        assert (first.choice, first.n_rounds) == (GOOD, N_FOLDS)
        assert (last.status, last.choice) == ("failed", BROKEN)
        assert "mahalanobis" in last.error
        alone = run_race(GLASS, TRAIN, [BROKEN], TAU.key)
        assert [each.status for each in alone.standings] == ["failed"]
        assert alone.is_over

    def test_a_race_that_is_stopped_goes_on_to_the_same_end(self):
        near = ModelChoice("knn", (("n_neighbors", 5),))
        reports = []
        whole = run_race(GLASS, TRAIN, [GOOD, near, BAD], TAU.key, report=reports.append)
        # Every training is reported, and the end.
        assert len(reports) == sum(len(each.rounds) for each in whole.runners) + 1
        for stopped in (reports[0], reports[4]):
            known = pickle.loads(pickle.dumps(stopped))
            trained = []
            again = run_race(
                GLASS, TRAIN, [GOOD, near, BAD], TAU.key, previous=known, report=trained.append
            )
            n_known = sum(len(each.rounds) for each in stopped.runners)
            assert len(trained) == len(reports) - n_known
            facts = [
                [replace(each, seconds=0.0) for each in race.standings] for race in (whole, again)
            ]
            assert facts[0] == facts[1]

    def test_who_joins_later_runs_what_the_others_have_run(self):
        known = run_race(GLASS, TRAIN, [GOOD], TAU.key)
        near = ModelChoice("knn", (("n_neighbors", 5),))
        joined = run_race(GLASS, TRAIN, [GOOD, near], TAU.key, previous=known)
        together = run_race(GLASS, TRAIN, [GOOD, near], TAU.key)
        assert [each.mean for each in joined.standings] == [
            each.mean for each in together.standings
        ]


class TestField:
    def test_all_methods_that_learn_the_data_and_ones_own_settings_run(self):
        field = field_of(GLASS, ModelChoice("knn"), len(TRAIN))
        learning = {key for key, each in ALGORITHMS.items() if each.learns(GLASS)}
        assert {each.key for each in field.runners} == learning
        assert len(field.runners) == len(learning)
        own = field_of(GLASS, ModelChoice("knn", (("n_neighbors", 7),), False), len(TRAIN))
        assert sorted(each.values["n_neighbors"] for each in own.runners if each.key == "knn") == [
            5, 7,
        ]  # fmt: skip
        assert not any(each.scaled for each in own.runners)

    def test_slow_methods_are_told_apart_and_quick_ones_come_first(self):
        field = field_of(GLASS, ModelChoice("knn"), len(TRAIN), most_seconds=0.05)
        assert field.slow
        assert all(seconds > 0.05 for seconds in field.slow.values())
        everyone = field_of(GLASS, ModelChoice("knn"), len(TRAIN)).runners
        assert set(field.runners) | set(field.slow) == set(everyone)
        assert everyone[: len(field.runners)] == field.runners

    def test_of_many_rows_some_are_drawn(self):
        rows = np.arange(10, MOST_ROWS + 500)
        drawn = rows_to_race(rows)
        assert len(np.unique(drawn)) == MOST_ROWS
        assert set(drawn) <= set(rows)
        assert rows_to_race(rows[:50]) is not None
        np.testing.assert_array_equal(rows_to_race(rows[:50]), rows[:50])
        np.testing.assert_array_equal(drawn, rows_to_race(rows))


def test_everyones_average_is_measured_on_the_folds_of_the_race():
    value = average_value(GLASS, TRAIN, GOOD, TAU.key)
    means = []
    for train, test in KFold(5, shuffle=True, random_state=0).split(TRAIN):
        part = Split(TRAIN[train], TRAIN[test], "random", 0, 0.2)
        model = ConsensusLabelRanker()
        means += list(evaluate_model(model, GLASS, part, measures=[TAU.key]).values[TAU.key])
    assert value == pytest.approx(np.nanmean(means))


def test_every_family_says_how_it_predicts():
    assert set(FAMILY_IDEAS) == {algorithm.family for algorithm in ALGORITHMS.values()}


def test_methods_predict_ties_where_a_tie_is_an_answer():
    own = ModelChoice("knn", (("n_neighbors", 3),))
    strict = field_of(GLASS, own, len(TRAIN))
    tied = field_of(GLASS, own, len(TRAIN), ties=True)
    assert not any(choice.predicts_ties for choice in strict.runners)
    assert own in tied.runners
    others = [choice for choice in tied.runners if choice != own]
    assert {choice.key for choice in others} == {
        choice.key for choice in strict.runners if choice != own
    }
    assert all(choice.predicts_ties for choice in others if choice.can_tie)


@pytest.mark.parametrize(
    ("seconds", "advised"),
    [
        ((0.9, 0.5, 0.1), "rpc"),
        ((0.1, 0.5, 0.9), "knn"),
        # Within a factor of 1.5 two are as fast, so the better one; and all three.
        ((2.0, 0.34, 0.26), "lrt"),
        ((0.34, 0.3, 0.26), "knn"),
        # Nobody notices differences below a tenth of a second.
        ((0.14, 0.05, 0.01), "knn"),
    ],
)
def test_the_method_to_use_is_the_fastest_that_is_not_clearly_behind(seconds, advised):
    # Too few cases for any difference to be clear.
    values = np.array([0.9, 0.8]), np.array([0.8, 0.8]), np.array([0.7, 0.8])
    runners = tuple(
        Runner(ModelChoice(key), (rounds, rounds), seconds=2 * time)
        for key, rounds, time in zip(("knn", "lrt", "rpc"), values, seconds, strict=True)
    )
    recommendation = MethodRace(METRICS["kendall_tau_score"], 2, runners).recommend()
    assert (recommendation.first.choice.key, recommendation.n_level) == ("knn", 3)
    assert recommendation.advised.choice.key == advised
    race = MethodRace(METRICS["kendall_tau_score"], 2, runners)
    # Who uses one of the fastest keeps it.
    for runner in runners:
        kept = race.recommend(ModelChoice(runner.choice.key, scaled=False)).advised.choice
        is_fast = runner.seconds / 2 <= 1.5 * max(min(seconds), 0.1)
        assert kept.key == (runner.choice.key if is_fast else advised)
