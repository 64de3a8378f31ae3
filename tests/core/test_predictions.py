"""What any model predicts, in words and in the units of the data."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.explain.predictions import Predictions, feature_units

IRIS = load_sample("iris")


def test_predictions_are_written_as_label_sets_or_as_rankings():
    positions, relevance = np.array([[2, 1, 3], [1, 3, 2]]), np.array([[0, 1, 1], [0, 0, 0]])
    names = ["a", "b", "c"]
    assert Predictions(positions).texts(names) == ["b > a > c", "a > c > b"]
    assert Predictions(positions, relevance).texts(names) == ["b, c", "none"]
    assert Predictions(positions, relevance).texts(names, [1]) == ["none"]
    assert Predictions().texts(names) == []


@pytest.mark.parametrize(
    ("scaler", "shift", "scale"),
    [
        (StandardScaler(), IRIS.X.mean(axis=0), IRIS.X.std(axis=0)),
        (StandardScaler(with_mean=False), np.zeros(4), IRIS.X.std(axis=0)),
        (StandardScaler(with_std=False), IRIS.X.mean(axis=0), np.ones(4)),
        (None, np.zeros(4), np.ones(4)),
    ],
    ids=["scaled", "without means", "without deviations", "bare"],
)
def test_units_turn_what_the_estimator_gets_into_the_data(scaler, shift, scale):
    steps = [step for step in (scaler, KNeighborsLabelRanker()) if step is not None]
    found = feature_units(make_pipeline(*steps).fit(IRIS.X, IRIS.rankings))
    np.testing.assert_allclose(found, (shift, scale))


def test_other_preparations_have_no_units():
    model = make_pipeline(Normalizer(), KNeighborsLabelRanker()).fit(IRIS.X, IRIS.rankings)
    assert feature_units(model) is None
