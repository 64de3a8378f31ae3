"""Made-up rankings follow the law that they are said to follow."""

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, LogLinearRanker, make_label_ranking
from labelrank_core.aggregation.mallows import distance_probabilities
from labelrank_core.metrics import kendall_distance
from labelrank_core.rankings import check_rankings


def test_without_noise_rankings_are_linear_in_the_features():
    for utilities in ("linear", "expected"):
        X, Y = make_label_ranking(400, 5, 4, utilities=utilities, random_state=1)
        model = LogLinearRanker(1e-6).fit(X[:200], Y[:200])
        assert model.score(X[200:], Y[200:]) > 0.95
        assert (np.sort(Y, axis=1) == np.arange(1, 5)).all()


def test_expected_utilities_are_of_distributions_over_states():
    X, _ = make_label_ranking(50, 3, utilities="expected", random_state=0)
    assert X.min() >= 0
    np.testing.assert_allclose(X.sum(axis=1), 1)


def test_distances_from_the_centre_are_those_of_mallows():
    size = {"n_samples": 20_000, "n_features": 3, "n_labels": 4, "random_state": 5}
    X, centres = make_label_ranking(**size)
    same_X, Y = make_label_ranking(**size, model="mallows", noise=2.0)
    np.testing.assert_array_equal(X, same_X)
    distances = kendall_distance(centres, Y, average=None).astype(int)
    found = np.bincount(distances, minlength=7) / len(Y)
    # Four standard deviations of a share of 20 000.
    np.testing.assert_allclose(found, distance_probabilities(0.5, 4), atol=4 * 0.5 / 20_000**0.5)


def test_first_labels_are_those_of_plackett_and_luce():
    # All cases of one distribution over a single state have the same utilities.
    size = {"n_samples": 40_000, "n_features": 1, "n_labels": 3, "utilities": "expected"}
    _, order = make_label_ranking(**size, random_state=2)
    _, Y = make_label_ranking(**size, model="plackett_luce", noise=1.0, random_state=2)
    of_cases = np.random.default_rng(2).spawn(3)[0]
    values = of_cases.dirichlet([1.0], 40_000)[:1] @ of_cases.random((1, 3))
    assert order[0].tolist() == (np.argsort(np.argsort(-values[0])) + 1).tolist()
    strengths = np.exp(values[0] / values.std())
    first = (Y == 1).mean(axis=0)
    np.testing.assert_allclose(first, strengths / strengths.sum(), atol=4 * 0.5 / 40_000**0.5)
    # Without the first label the others are chosen from in the same way.
    rest = strengths[1:] / strengths[1:].sum()
    second = (Y[Y[:, 0] == 1][:, 1:] == 2).mean(axis=0)
    np.testing.assert_allclose(second, rest, atol=0.02)


@pytest.mark.parametrize("model", ["gaussian", "plackett_luce", "mallows"])
def test_more_noise_is_harder_to_learn(model):
    scores = []
    for noise in (0.0, 0.5, 50.0):
        X, Y = make_label_ranking(600, 3, 4, model=model, noise=noise, random_state=3)
        scores.append(KNeighborsLabelRanker(9).fit(X[:400], Y[:400]).score(X[400:], Y[400:]))
    assert scores[0] > scores[1] > scores[2]
    assert abs(scores[2]) < 0.15
    again = make_label_ranking(600, 3, 4, model=model, noise=50.0, random_state=3)
    np.testing.assert_array_equal(again[1], Y)


def test_ties_and_gaps_are_as_frequent_as_asked():
    size = {"n_samples": 4_000, "n_features": 3, "n_labels": 5, "random_state": 4}
    strict = make_label_ranking(**size)[1]
    tied = make_label_ranking(**size, tied=0.3)[1]
    np.testing.assert_array_equal(check_rankings(tied), tied)
    assert (tied.max(axis=1) - 1).mean() / 4 == pytest.approx(0.7, abs=0.02)
    # Ties only bring neighbours together.
    first, second = np.triu_indices(5, 1)
    before, after = (np.sign(Y[:, first] - Y[:, second]) for Y in (strict, tied))
    assert (before * after >= 0).all()
    partial = make_label_ranking(**size, missing=0.4)[1]
    assert np.isnan(partial).mean() == pytest.approx(0.4, abs=0.02)
    check_rankings(partial, allow_partial=True)
    assert (make_label_ranking(**size, tied=1.0)[1] == 1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_labels": 1},
        {"n_samples": 0},
        {"noise": -1},
        {"noise": float("nan")},
        {"tied": 1.5},
        {"missing": 1.0},
        {"model": "normal"},
        {"utilities": "cubic"},
    ],
)
def test_wrong_arguments_are_refused_in_words(wrong):
    with pytest.raises(ValueError, match=f"Expected .*{next(iter(wrong))}"):
        make_label_ranking(**wrong)
