"""k-NN from preferences between pairs of labels: win shares against their definition."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import KNeighborsLabelRanker, PairPreferences, explain_prediction
from labelrank_core.explain.evidence import Neighbors, WinShares
from labelrank_core.metrics import pair_tau_score
from labelrank_core.rankings import dense_positions
from tests import problems

# With one feature of distinct values and cases between them neighbours are known by hand.
X = np.arange(12, dtype=float)[:, None]


def win_shares(signs, near, everyone):
    """Share of the cases that prefer the first label, in exact fractions, ties one half.

    The votes of each neighbourhood, from the widest one in, and one more: the share so far.
    """

    def votes(rows):
        known = [signs[row] for row in rows if not np.isnan(signs[row])]
        return sum(Fraction(int(sign) + 1, 2) for sign in known), len(known)

    wins, known = votes(range(everyone))
    share = wins / known if known else Fraction(1, 2)
    for rows in reversed(near):
        wins, known = votes(rows)
        share = (wins + share) / (known + 1)
    return share


def ranked(signs, x, k, m):
    """Order labels by the shares summed over all others, by index where these are equal."""
    by_distance = sorted(range(len(signs)), key=lambda row: (abs(X[row, 0] - x), row))
    sizes = [k]
    while 4 * sizes[-1] <= min(100, len(signs)):
        sizes.append(4 * sizes[-1])
    sums = [Fraction(0)] * m
    for pair, (i, j) in enumerate(combinations(range(m), 2)):
        share = win_shares(signs[:, pair], [by_distance[:n] for n in sizes], len(signs))
        sums[i] += share
        sums[j] += 1 - share
    order = sorted(range(m), key=lambda label: (-sums[label], label))
    return [order.index(label) + 1 for label in range(m)], sums


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 7, 12]))
def test_predictions_are_those_of_the_definition_in_fractions(seed, k):
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1, 0, 1, np.nan], (12, 6), p=[0.3, 0.1, 0.3, 0.3])
    signs[0, 0] = np.nan  # so that wider neighbourhoods count
    model = KNeighborsLabelRanker(k).fit(X, PairPreferences(signs))
    for x in (0.4, 5.7):
        positions, sums = ranked(signs, x, k, 4)
        point = model.point([[x]])
        assert point.scores[0] == pytest.approx([float(each) for each in sums], abs=1e-6)
        # Rounding of shares to whole units may order what ties exactly.
        if len(set(sums)) == 4:
            assert point.prediction[0].tolist() == positions


@given(st.integers(0, 10**6), st.integers(1, 12), st.booleans())
def test_incomplete_rankings_and_their_pairs_are_learned_alike(seed, k, tied):
    rng = np.random.default_rng(seed)
    Y = problems.positions(rng, 12, 4, tied=tied).astype(float)
    Y[rng.random(Y.shape) < 0.3] = np.nan
    Y = dense_positions(Y)
    from_rankings = KNeighborsLabelRanker(k, ties="predict").fit(X, Y)
    from_pairs = KNeighborsLabelRanker(k, ties="predict").fit(X, PairPreferences.from_rankings(Y))
    queries = X + 0.3
    one, two = from_rankings.point(queries), from_pairs.point(queries)
    np.testing.assert_array_equal(one.prediction, two.prediction)
    np.testing.assert_array_equal(one.scores, two.scores)
    np.testing.assert_allclose(one.confidence, two.confidence)
    np.testing.assert_allclose(one.pair_support(), two.pair_support())


def test_the_confidence_counts_the_known_pairs_in_the_predicted_order():
    texts = ["a>b>c", "c>b|a=c", "b>a", *["?"] * 9]
    preferences = PairPreferences.from_words(texts)
    model = KNeighborsLabelRanker(3).fit(X, preferences)
    # Wins of the three nearest: a over b 1 of 2, a over c 1.5 of 2, b over c 1 of 2; smoothed by
    # the same shares of all cases they stay: a 1.25, b 1, c 0.75.
    assert model.predict([[0.0]]).to_numpy().tolist() == [[1, 2, 3]]
    assert model.point([[0.0]]).scores[0] == pytest.approx([1.25, 1.0, 0.75])
    # In this order: a>b, a>c, b>c of the first case, half of the tie of the second.
    assert model.predict_confidence([[0.0]])[0] == 3.5 / 6
    assert model.predict_pair_support([[0.0]])[0, 0] == pytest.approx([0.5, 0.5, 0.75])


def test_neighbours_that_know_nothing_have_no_agreement():
    preferences = PairPreferences.from_words([*["?"] * 11, "b>a"])
    model = KNeighborsLabelRanker(2).fit(X, preferences)
    assert model.predict_confidence([[0.0]])[0] == 0
    # The only pair known anywhere decides.
    assert model.predict([[0.0]]).to_numpy().tolist() == [[2, 1]]
    assert "know no pair" in str(model.explain([0.0]))


def test_an_explanation_has_the_pairs_of_the_neighbours_and_their_wins():
    preferences = PairPreferences.from_words(["a>b|c>d", "b>a", "a>d", *["a>b|d>c"] * 9])
    model = KNeighborsLabelRanker(3).fit(X, preferences)
    explanation = model.explain([0.2])
    np.testing.assert_array_equal(explanation.prediction, model.predict([[0.2]]).to_numpy()[0])
    near = explanation.evidence(Neighbors)
    table = near.frame(preferences.label_names)
    assert table["known pairs"].tolist() == ["a>b|c>d", "b>a", "a>d"]
    np.testing.assert_array_equal(near.preferences.signs, preferences.signs[:3])
    shares = explanation.evidence(WinShares).shares
    np.testing.assert_array_equal(shares, model.predict_pair_support([[0.2]])[0])


@pytest.mark.parametrize("params", [{"weights": "distance"}, {"random_state": 3}, {}])
def test_every_k_of_the_path_is_a_fresh_fit(params):
    rng = np.random.default_rng(5)
    signs = rng.choice([-1, 1, np.nan], (60, 6), p=[0.2, 0.5, 0.3])
    Z = rng.normal(size=(60, 2))
    model = KNeighborsLabelRanker(4, **params).fit(Z, PairPreferences(signs))
    path = model.path(Z[:9])
    for k in (1, 4, 30, 60):
        fresh = KNeighborsLabelRanker(k, **params).fit(Z, PairPreferences(signs))
        np.testing.assert_array_equal(path.at(n_neighbors=k).prediction, fresh.predict(Z[:9]))
        np.testing.assert_array_equal(
            path.at(n_neighbors=k).confidence, fresh.predict_confidence(Z[:9])
        )
    for case in range(9):
        found = model.explain(Z[case])
        np.testing.assert_array_equal(found.prediction, model.predict(Z[case : case + 1])[0])


def test_rules_and_losses_that_need_rankings_are_refused_in_words():
    preferences = PairPreferences.from_words(["a>b"] * 12)
    with pytest.raises(ValueError, match="got 'kemeny', which needs rankings"):
        KNeighborsLabelRanker(aggregation="kemeny").fit(X, preferences)
    model = KNeighborsLabelRanker().fit(X, preferences)
    with pytest.raises(ValueError, match="got 'median', which needs rankings"):
        model.path(X).at(aggregation="median")
    with pytest.raises(ValueError, match="Expected loss=None"):
        model.predict_confidence(X, loss="kendall")
    assert pair_tau_score(preferences, model.predict(X)) == 1


def test_weights_of_cases_are_not_called_pairs():
    pairs = PairPreferences.from_words(["a > b", "b > a", "a > b | c > b", "a > c"])
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    for weights, words in (("uniform", "of 4 known pairs"), ("distance", "each with the weight")):
        model = KNeighborsLabelRanker(n_neighbors=3, weights=weights).fit(X, pairs)
        explanation = explain_prediction(model, np.array([1.4]))
        texts = [step.text.plain(model.label_names_in_) for step in explanation.steps]
        assert words in texts[-1]
