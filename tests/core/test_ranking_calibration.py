"""Calibration of rankings at four levels: against enumeration of all rankings, and by hand."""

from collections import defaultdict
from itertools import combinations, permutations
from math import exp, prod

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.evaluation.ranking_calibration import (
    LEVELS,
    RankingForecasts,
    calibration_levels,
    events_of,
    fit_temperatures,
    forecasts_of_model,
    simulated_positions,
    unseen_forecasts,
    utilities_of_pairs,
)
from labelrank_core.methods import ModelChoice


def naive_probability(utilities, ranking):
    """Return the Plackett-Luce probability of a ranking, label by label from the top."""
    strengths = [exp(utility) for utility in utilities]
    return prod(
        strengths[label] / sum(strengths[other] for other in ranking[i:])
        for i, label in enumerate(ranking)
    )


def naive_event_probability(utilities, labels, is_top):
    """Sum the probabilities of all whole rankings in which an event happens."""
    total = 0.0
    for ranking in permutations(range(len(utilities))):
        places = [ranking.index(label) for label in labels]
        happens = places == list(range(len(labels))) if is_top else places == sorted(places)
        total += naive_probability(utilities, ranking) * happens
    return total


def naive_error(probabilities, outcomes):
    """Return the calibration error over ten bins of equal width, bin by bin."""
    bins = defaultdict(list)
    for probability, outcome in zip(probabilities, outcomes, strict=True):
        bins[min(int(10 * probability), 9)].append((probability, outcome))
    return sum(
        len(own)
        / len(probabilities)
        * abs(sum(p for p, _ in own) / len(own) - sum(y for _, y in own) / len(own))
        for own in bins.values()
    )


def random_forecasts(n_cases, n_labels, seed, *, spread=1.0):
    """Return forecasts whose real rankings are drawn from the model itself."""
    rng = np.random.default_rng(seed)
    utilities = rng.normal(scale=spread, size=(n_cases, n_labels))
    predicted = np.argsort(np.argsort(-utilities, axis=1), axis=1) + 1
    (positions,) = simulated_positions(utilities, 1, seed)
    return RankingForecasts(utilities, predicted, positions)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("k", [1, 2])
def test_probabilities_of_events_are_sums_over_all_rankings(level, k):
    forecasts = random_forecasts(4, 5, 1)
    events = events_of(forecasts, level, k=k)
    for case, labels, probability in zip(
        events.cases, events.labels.tolist(), events.probability, strict=True
    ):
        expected = naive_event_probability(forecasts.utilities[case], labels, events.is_top)
        assert probability == pytest.approx(expected)
    n = {"pair": 10, "sub-ranking": 10, "top": 1, "whole": 1}[level]
    assert len(events.cases) == 4 * n


def test_outcomes_and_errors_are_those_of_counting():
    forecasts = random_forecasts(40, 4, 2)
    for row in calibration_levels(forecasts, k=2, n_draws=9):
        probabilities, outcomes = [], []
        size = {"pair": 2, "sub-ranking": 3, "top": 2, "whole": 4}[row.level]
        for utilities, predicted, real in zip(
            forecasts.utilities, forecasts.predicted, forecasts.positions, strict=True
        ):
            order, truth = np.argsort(predicted).tolist(), np.argsort(real).tolist()
            is_top = row.level in ("top", "whole")
            for labels in [order[:size]] if is_top else combinations(order, size):
                probabilities.append(naive_event_probability(utilities, labels, is_top))
                shared = [label for label in truth if label in labels]
                outcomes.append(truth[:size] == list(labels) if is_top else shared == list(labels))
        assert row.n_events == len(probabilities)
        assert row.probability == pytest.approx(np.mean(probabilities))
        assert row.right == pytest.approx(np.mean(outcomes))
        assert row.error == pytest.approx(naive_error(probabilities, outcomes))


def test_rankings_are_drawn_as_often_as_they_are_probable():
    utilities = np.array([[1.0, 0.0, -0.5]])
    counts = defaultdict(int)
    for positions in simulated_positions(utilities, 20_000, 0):
        counts[tuple(np.argsort(positions[0]).tolist())] += 1
    for ranking in permutations(range(3)):
        p = naive_probability(utilities[0], ranking)
        # Four standard deviations of a share of 20 000 draws.
        assert abs(counts[ranking] / 20_000 - p) < 4 * (p * (1 - p) / 20_000) ** 0.5


def test_a_perfect_model_is_seldom_found_wrong_and_a_cold_one_always():
    ps = defaultdict(list)
    for seed in range(40):
        for row in calibration_levels(random_forecasts(60, 4, seed), n_draws=99, seed=seed + 1000):
            ps[row.level].append(row.p)
    for level, values in ps.items():
        # 40 tests at the level .05: more than six wrong ones have a probability below .5 %.
        assert sum(p <= 0.05 for p in values) <= 6, level
    wrong = random_forecasts(300, 4, 7).cooled(0.4)
    for row in calibration_levels(wrong, n_draws=99):
        assert row.probability > row.high >= row.low > row.right or row.right < row.low
        assert row.p == 0.01
        assert row.error > row.chance_error


def test_chance_for_one_event_a_case_is_that_of_independent_draws():
    forecasts = random_forecasts(214, 4, 3)
    whole = calibration_levels(forecasts, n_draws=999)[-1]
    probability = events_of(forecasts, "whole").probability
    rng = np.random.default_rng(5)
    drawn = [naive_error(probability, rng.random(214) < probability) for _ in range(999)]
    assert whole.chance_error == pytest.approx(np.quantile(drawn, 0.95), abs=0.01)


def test_a_temperature_is_found_again_on_each_level():
    forecasts = random_forecasts(3000, 4, 4)
    for level, temperature in fit_temperatures(forecasts.cooled(0.5)).items():
        # Log strengths were doubled, so they must be halved.
        assert temperature == pytest.approx(2, rel=0.15), level
    corrected = calibration_levels(
        forecasts.cooled(0.5), temperatures=fit_temperatures(forecasts.cooled(0.5)), n_draws=99
    )
    assert all(row.p > 0.01 for row in corrected)


def test_partial_and_tied_real_rankings_count_where_they_say_something():
    utilities = np.tile([3.0, 2.0, 1.0, 0.0], (3, 1))
    predicted = np.tile([1, 2, 3, 4], (3, 1))
    positions = np.array([[1, 2, 3, 4], [1, 2, np.nan, np.nan], [1, 1, 3, 4]], dtype=float)
    forecasts = RankingForecasts(utilities, predicted, positions)
    # Case 2 orders one pair and no three labels; case 3 ties a pair, and two of four triples.
    counts = {level: len(events_of(forecasts, level).cases) for level in LEVELS}
    assert counts == {"pair": 6 + 1 + 5, "sub-ranking": 4 + 0 + 2, "top": 1, "whole": 1}


def test_strengths_behind_pairs_are_found_again_and_unanimous_votes_stay_finite():
    rng = np.random.default_rng(0)
    utilities = rng.normal(scale=4, size=(5, 6))
    strengths = np.exp(utilities)
    support = strengths[:, :, None] / (strengths[:, :, None] + strengths[:, None, :])
    centred = utilities - utilities.mean(axis=1, keepdims=True)
    assert utilities_of_pairs(support) == pytest.approx(centred, abs=1e-6)
    votes = np.array([[[0.5, 1.0], [0.0, 0.5]]])
    assert np.isfinite(utilities_of_pairs(votes)).all()


def test_the_whole_ranking_of_ib_pl_is_right_more_often_than_it_says():
    vehicle = load_sample("vehicle")
    forecasts = unseen_forecasts(ModelChoice("ib_pl"), vehicle, np.arange(vehicle.n_samples))
    rows = {row.level: row for row in calibration_levels(forecasts)}
    whole, top = rows["whole"], rows["top"]
    # Measured apart from this program: says .554, is .683, error .129, by chance below .052.
    assert (round(whole.probability, 3), round(whole.right, 3)) == (0.554, 0.683)
    assert whole.error == pytest.approx(0.129, abs=0.002)
    assert whole.chance_error == pytest.approx(0.052, abs=0.004)
    assert top.error == pytest.approx(0.084, abs=0.002)
    assert whole.p == 0.002


def test_forecasts_of_a_model_are_in_the_order_of_its_predictions():
    iris = load_sample("iris")
    model = ModelChoice("ib_pl").build().fit(iris.X, iris.rankings)
    forecasts = forecasts_of_model(model, iris.X, iris.rankings)
    assert (forecasts.predicted == model.predict(iris.X)).all()
    order = np.argsort(forecasts.predicted, axis=1)
    assert (np.diff(np.take_along_axis(forecasts.utilities, order, 1), axis=1) <= 1e-9).all()


def test_an_unknown_level_is_named():
    with pytest.raises(ValueError, match="pair, sub-ranking, top, whole"):
        events_of(random_forecasts(2, 3, 0), "all")
