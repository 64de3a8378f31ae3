"""Probabilities of pairs: scores by hand, reliability, and recalibration out of fold."""

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.metrics import brier_score_loss, log_loss

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.pair_probabilities import (
    ISOTONIC,
    TEMPERATURE,
    PairProbabilities,
    fit_recalibration,
    of_model,
    pair_probabilities,
    unseen_pairs,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice

DATA = load_sample("glass")
SPLIT = holdout_split(DATA)


def test_a_worked_example():
    # Truth b > a, c not ranked: only a and b count. The model says a with .8, so it is wrong.
    support = [[[0.5, 0.8, 0.9], [0.2, 0.5, 0.6], [0.1, 0.4, 0.5]]]
    found = pair_probabilities(support, [[2, 1, np.nan]])
    assert (found.probability.tolist(), found.outcome.tolist()) == ([0.8], [0.0])
    assert found.brier_score == pytest.approx(0.64)
    assert found.log_loss == pytest.approx(-np.log(0.2))
    # Votes of .5 for both prefer neither, and ties order no pair.
    even = pair_probabilities(np.full((2, 2, 2), 0.5), [[1, 2], [1, 1]])
    assert (even.probability.tolist(), even.outcome.tolist()) == ([0.5], [0.5])
    assert even.brier_score == pytest.approx(0.25)
    assert even.log_loss == pytest.approx(np.log(2))
    # A third votes for neither: .6 against .1 is .75 against .25.
    part = pair_probabilities([[[0, 0.6], [0.1, 0]]], [[1, 2]])
    assert part.probability.tolist() == [0.75]


def simulated(rng, n, temperature=1.0):
    """Pairs whose probabilities are too sure by a temperature."""
    true = rng.uniform(0.5, 1, n)
    outcome = (rng.random(n) < true).astype(float)
    return PairProbabilities(expit(temperature * logit(true)), outcome)


def test_scores_are_those_of_scikit_learn():
    found = simulated(np.random.default_rng(0), 500)
    p = np.clip(found.probability, 1e-3, 1 - 1e-3)
    assert found.log_loss == pytest.approx(log_loss(found.outcome, p))
    assert found.brier_score == pytest.approx(brier_score_loss(found.outcome, found.probability))


def test_reliability_counts_every_pair_once():
    found = PairProbabilities(np.array([0.5, 0.54, 0.55, 0.99, 1.0]), np.array([0.5, 0, 1, 1, 0]))
    table = found.reliability()
    assert table["pairs"].tolist() == [2, 1, 2]
    assert table["low"].tolist() == pytest.approx([0.5, 0.55, 0.95])
    assert table["probability"].tolist() == pytest.approx([0.52, 0.55, 0.995])
    assert table["right"].tolist() == [0.25, 1, 0.5]
    # Two pairs .27 off, one .45 and two .495.
    assert found.calibration_error == pytest.approx(0.396)


def test_a_temperature_that_was_put_in_is_found():
    too_sure = simulated(np.random.default_rng(1), 20_000, temperature=2.0)
    found = fit_recalibration(too_sure, TEMPERATURE)
    assert found.temperature == pytest.approx(2, abs=0.1)
    assert too_sure.changed(found).calibration_error < too_sure.calibration_error / 3


@pytest.mark.parametrize("kind", [TEMPERATURE, ISOTONIC])
def test_recalibration_is_symmetric_rises_and_helps_unseen_pairs(kind):
    rng = np.random.default_rng(2)
    found = fit_recalibration(simulated(rng, 4000, temperature=3.0), kind)
    p = np.linspace(0.01, 0.99, 50)
    assert found(1 - p) == pytest.approx(1 - found(p))
    assert (np.diff(found(p)) >= -1e-12).all()
    new = simulated(rng, 4000, temperature=3.0)
    better = new.changed(found)
    assert better.brier_score < new.brier_score - 0.005
    assert better.log_loss < new.log_loss - 0.05
    assert (better.probability >= 0.5).all()


def test_no_recalibration_changes_nothing_and_unknown_kinds_are_told():
    found = simulated(np.random.default_rng(0), 20)
    assert (found.changed(fit_recalibration(found, "none")).probability == found.probability).all()
    with pytest.raises(ValueError, match="Expected kind in"):
        fit_recalibration(found, "platt")


def test_pairs_are_predicted_by_models_that_have_not_seen_them(monkeypatch):
    choice = ModelChoice("knn", (("n_neighbors", 1),))
    unseen = unseen_pairs(choice, DATA, SPLIT.train)
    # A single neighbour that is the case itself would always be right.
    assert 0.5 < unseen.outcome.mean() < 0.99
    monkeypatch.setattr("labelrank_core.evaluation.pairs._CHUNK_CELLS", 36 * 7)
    again = unseen_pairs(choice, DATA, SPLIT.train)
    assert (again.outcome == unseen.outcome).all()


@pytest.mark.parametrize("key", ["knn", "rpc", "ib_pl"])
def test_recalibrated_out_of_fold_is_no_worse_on_test_cases(key):
    choice = ModelChoice(key).within(len(SPLIT.train) // 2)
    assert ALGORITHMS[key].votes
    model = choice.build().fit(DATA.X[SPLIT.train], DATA.rankings[SPLIT.train])
    tests = of_model(model, DATA.X[SPLIT.test], DATA.rankings[SPLIT.test], **choice.path_params)
    assert len(tests.probability) == 15 * len(SPLIT.test)
    found = fit_recalibration(unseen_pairs(choice, DATA, SPLIT.train), TEMPERATURE)
    assert tests.changed(found).log_loss < tests.log_loss + 0.02
