import dataclasses

import numpy as np
import pytest

from labelrank_core import metrics
from labelrank_core.dataset import Task
from labelrank_core.metrics import METRICS, Measure, measures_for

PERFECT = {"positions": [[1, 2, 3]], "relevance": [[1, 0, 0]], "scores": [[3, 2, 1]]}
REVERSED = {"positions": [[3, 2, 1]], "relevance": [[0, 1, 1]], "scores": [[1, 2, 3]]}


@pytest.fixture(params=METRICS.values(), ids=METRICS)
def measure(request) -> Measure:
    return request.param


def truth_for(measure):
    return PERFECT["positions" if measure.input == "positions" else "relevance"]


def test_every_measure_of_the_package_is_listed():
    functions = {name.removesuffix("_per_case") for name in metrics.__all__ if "_per_" in name}
    assert functions == set(METRICS)


def test_the_key_names_its_functions(measure):
    assert measure.per_case is getattr(metrics, f"{measure.key}_per_case")
    truth, prediction = truth_for(measure), REVERSED[measure.input]
    assert measure.mean(truth, prediction) == getattr(metrics, measure.key)(truth, prediction)


def test_the_key_says_which_way_is_better(measure):
    assert measure.greater_is_better == measure.key.endswith("_score")


def test_the_perfect_prediction_is_better_by_the_stated_direction(measure):
    truth = truth_for(measure)
    best = measure.mean(truth, PERFECT[measure.input])
    worst = measure.mean(truth, REVERSED[measure.input])
    assert (best > worst) == measure.greater_is_better
    assert best == measure.value_range[1 if measure.greater_is_better else 0]
    assert measure.value_range[0] <= worst <= measure.value_range[1]


def test_words_are_given(measure):
    assert measure.title
    assert measure.definition.endswith(".")
    assert measure.reference
    assert len({other.title for other in METRICS.values()}) == len(METRICS)


@pytest.mark.parametrize(
    ("task", "inputs"),
    [
        (Task.LABEL_RANKING, {"positions"}),
        (Task.MULTILABEL, {"relevance", "scores"}),
        (Task.CALIBRATED_RANKING, {"positions", "relevance", "scores"}),
    ],
)
def test_tasks_get_the_measures_of_what_they_predict(task, inputs):
    expected = [measure for measure in METRICS.values() if measure.input in inputs]
    assert list(measures_for(task)) == expected


def test_the_registry_cannot_be_changed(measure):
    with pytest.raises(TypeError):
        METRICS["other"] = measure
    with pytest.raises(dataclasses.FrozenInstanceError):
        measure.title = "other"


def test_the_mean_leaves_out_cases_without_value():
    truth = np.array([[1.0, 2.0], [np.nan, 1.0]])
    assert METRICS["kendall_tau_score"].mean(truth, [[1, 2], [2, 1]]) == 1
