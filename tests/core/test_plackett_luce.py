"""IB-PL: worked by hand, against a naive likelihood, at its limits."""

import numpy as np
import pytest

from labelrank_core.explain.evidence import ChoiceChances, LabelScores
from labelrank_core.methods.probabilistic import PlackettLuceLabelRanker
from tests import problems
from tests.oracles_models import plackett_luce

NAN = np.nan


def strengths(rankings, smoothing=0.1):
    """Of all training rankings, for one case."""
    n = len(rankings)
    model = PlackettLuceLabelRanker(n, smoothing=smoothing).fit(np.zeros((n, 1)), rankings)
    return model.path([[0.0]]).at().scores[0]


def test_two_labels_are_as_strong_as_they_win():
    # The first wins 3 of 4; one more win for each is imagined: 4 of 6.
    four = [[1, 2], [1, 2], [1, 2], [2, 1]]
    assert strengths(four, smoothing=1.0) == pytest.approx([4 / 6, 2 / 6])
    # A tie says nothing, nor does a ranking of one label.
    assert strengths([*four, [1, 1], [NAN, 1]], smoothing=1.0) == pytest.approx([4 / 6, 2 / 6])
    # One that always wins has a finite strength: 4.5 to 0.5.
    assert strengths([[1, 2]] * 4, smoothing=0.5) == pytest.approx([0.9, 0.1])


def test_strengths_have_the_greatest_likelihood():
    rng = np.random.default_rng(0)
    for case in range(40):
        n, n_labels = int(rng.integers(1, 8)), int(rng.integers(2, 6))
        rankings = problems.positions(rng, n, n_labels, tied=case % 2 == 0).astype(float)
        if case % 3:
            rankings[rng.random(rankings.shape) < 0.3] = NAN
            rankings = np.array([dense(row) for row in rankings])
        smoothing = float(rng.choice([0.05, 0.1, 2.0]))
        expected = plackett_luce(rankings, smoothing)
        assert strengths(rankings, smoothing) == pytest.approx(expected, abs=1e-6)


def dense(row):
    """Positions without gaps."""
    values = np.unique(row[~np.isnan(row)])
    return [NAN if np.isnan(place) else 1 + np.searchsorted(values, place) for place in row]


def test_a_label_never_ranked_stays_in_the_middle():
    found = strengths([[1, 2, NAN, 3], [1, 2, NAN, 3]])
    assert np.argsort(-found).tolist() in ([0, 1, 2, 3], [0, 2, 1, 3])
    # With nothing at all every label is as strong, and the first listed leads.
    assert strengths([[NAN] * 3]) == pytest.approx([1 / 3] * 3)
    nothing = PlackettLuceLabelRanker(1).fit([[0.0]], [[NAN] * 3])
    assert nothing.predict([[0.0]]).tolist() == [[1, 2, 3]]
    assert nothing.predict_confidence([[0.0]]) == pytest.approx([0.5])


def test_unanimous_neighbours_are_repeated_with_more_confidence_the_more_they_are():
    Y = np.tile([2, 4, 1, 3], (200, 1))
    model = PlackettLuceLabelRanker(200).fit(np.zeros((200, 1)), Y)
    path = model.path([[0.0]])
    sure = [path.at(n_neighbors=k).confidence[0] for k in (1, 10, 200)]
    assert path.at(n_neighbors=200).prediction.tolist() == [[2, 4, 1, 3]]
    assert sure == sorted(sure)
    assert sure[0] < 0.95
    assert sure[2] > 0.99


def test_equal_evidence_ties_by_label_index():
    # The last two labels are swapped between the two rankings.
    model = PlackettLuceLabelRanker(2).fit([[0.0], [0.0]], [[3, 1, 2], [3, 2, 1]])
    assert model.predict([[0.0]]).tolist() == [[3, 1, 2]]


def test_a_point_equals_a_fresh_fit():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(30, 2)), problems.positions(rng, 30, 4, tied=True).astype(float)
    Y[:6, 3] = NAN
    Y = np.array([dense(row) for row in Y])
    path = PlackettLuceLabelRanker(3).fit(X, Y).path(X)
    for k in (1, 7, 30):
        for smoothing in (0.01, 1.0):
            fresh = PlackettLuceLabelRanker(k, smoothing=smoothing).fit(X, Y)
            point = path.at(n_neighbors=k, smoothing=smoothing)
            np.testing.assert_array_equal(point.prediction, fresh.predict(X))
            np.testing.assert_allclose(point.scores, fresh.path(X).at().scores, atol=1e-9)
            np.testing.assert_allclose(point.confidence, fresh.predict_confidence(X), atol=1e-9)


def test_the_explanation_tells_the_choices():
    explanation = (
        PlackettLuceLabelRanker(4, smoothing=1.0)
        .fit(np.zeros((4, 1)), [[1, 2], [1, 2], [1, 2], [2, 1]])
        .explain([0.0])
    )
    assert explanation.evidence(LabelScores).values == pytest.approx([4 / 6, 2 / 6])
    assert explanation.evidence(ChoiceChances).chances == pytest.approx(np.array([[4 / 6, 2 / 6]]))
    story = ChoiceChances(np.array([0.2, 0.5, 0.3]), np.array([3, 1, 2]))
    # Second comes 0.3 against 0.2, once 0.5 has been taken.
    np.testing.assert_allclose(story.chances, [[0.5, 0.3, 0.2], [NAN, 0.6, 0.4]])
    table = story.frame(["a", "b", "c"])
    assert table["predicted"].tolist() == ["b", "c"]
