"""The closest call of a prediction, which explanations and the page begin with."""

import numpy as np
import pytest

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
    load_sample,
)
from labelrank_core.explain.closest import closest_label, closest_pair
from labelrank_core.explain.evidence import Label
from labelrank_core.methods import ALGORITHMS
from labelrank_core.rankings import strict_order


def of_votes(rankings, **params):
    """The point of a ranker that asks all of some rankings."""
    model = KNeighborsLabelRanker(n_neighbors=len(rankings), **params)
    return model.fit(np.arange(len(rankings))[:, None], rankings).point([[0.0]])


@pytest.mark.parametrize(
    ("rankings", "closest"),
    [
        # a > b for all, b > c for 2 of 3.
        ([[1, 2, 3], [1, 2, 3], [1, 3, 2]], (1, 2)),
        # a > b for 2 of 3, b > c for all.
        ([[1, 2, 3], [1, 2, 3], [2, 1, 3]], (0, 1)),
        # Both pairs have all votes: the first.
        ([[1, 2, 3]] * 3, (0, 1)),
        # a and b have one vote each: undecided, unlike b > c.
        ([[1, 2, 3], [2, 1, 3]], (1, 2)),
        # Nothing is decided: the first pair.
        ([[1, 2], [2, 1]], (0, 1)),
    ],
)
def test_the_closest_pair_has_the_fewest_votes_of_those_that_a_majority_decides(rankings, closest):
    assert closest_pair(of_votes(rankings), 0) == closest


def test_labels_that_tie_are_no_closest_pair():
    # a = b share the first position, and both are ahead of c.
    point = of_votes([[1, 2, 3], [2, 1, 3], [1, 2, 3], [2, 1, 3]], ties="predict")
    assert point.prediction[0, 0] == point.prediction[0, 1]
    assert closest_pair(point, 0) == (1, 2)


def test_the_closest_label_is_nearest_to_the_votes_it_needs():
    # All five have a, three b, one c: three votes are needed.
    Y = [[1, 1, 1], [1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0]]
    X = np.arange(5)[:, None]
    model = KNeighborsMultilabelRanker(n_neighbors=5, decision="hamming").fit(X, Y)
    assert closest_label(model.point([[2.0]]), 0) == 1
    explanation = model.explain([2.0])
    assert explanation.closest_pair == (1, None)
    first = explanation.steps[0].text
    assert first.plain("abc") == "Least certain: b. 3 of the 5 most similar cases have it."


@pytest.mark.parametrize("key", [key for key, a in ALGORITHMS.items() if a.learns_rankings])
def test_the_first_sentence_of_every_label_ranker_is_about_the_closest_pair(key):
    data = load_sample("iris")
    explanation = ALGORITHMS[key].build().fit(data.X[::2], data.rankings[::2]).explain(data.X[1])
    order = strict_order(explanation.positions)
    a, b = explanation.closest_pair
    assert order.index(b) == order.index(a) + 1
    values = explanation.steps[0].text.values
    assert (values["ahead"], values["behind"]) == (Label(a), Label(b))


def test_ml_knn_begins_with_the_label_nearest_to_one_half():
    data = load_sample("songs")
    model = MLkNNClassifier().fit(data.X[10:], data.relevance[10:])
    for row in range(10):
        explanation = model.explain(data.X[row])
        distances = np.abs(model.predict_proba(data.X[[row]])[0] - 0.5)
        label, other = explanation.closest_pair
        assert other is None
        assert distances[label] == pytest.approx(distances.min())
