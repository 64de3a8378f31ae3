import dataclasses
import re
from functools import partial

import numpy as np
import pytest

from labelrank_core import PairPreferences, metrics
from labelrank_core.data.dataset import Task
from labelrank_core.metrics import METRICS, Measure, measures_for, shown_measures

# Every label is relevant in some rows and not in all.
SETS = np.array([[1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]])
PERFECT = {
    "positions": [[1, 2, 3]] * 3,
    "relevance": SETS,
    "scores": 9 * SETS - np.arange(6),
    "calibrated": [[1, 3, 4, 2]] * 3,
}
PERFECT |= {"ranking": PERFECT["scores"], "raw_scores": PERFECT["scores"]}
PERFECT |= {"probabilities": SETS}
REVERSED = {
    "positions": [[3, 2, 1]] * 3,
    "relevance": 1 - SETS,
    "scores": np.arange(6) - 9 * SETS,
    "calibrated": [[4, 2, 1, 3]] * 3,
}
REVERSED |= {"ranking": REVERSED["scores"], "raw_scores": REVERSED["scores"]}
REVERSED |= {"probabilities": 1 - SETS}
PERFECT |= {"pairs": PERFECT["positions"]}
REVERSED |= {"pairs": REVERSED["positions"]}
# Two labels are relevant in each row: the last of them cannot come sooner.
BEST = {"coverage_error": 1, "coverage_place_error": 2, "raw_coverage_error": 1}
# No more than two of the first three or five labels can be relevant.
BEST |= {"precision_at_3_score": 2 / 3, "precision_at_5_score": 2 / 5}


@pytest.fixture(params=METRICS.values(), ids=METRICS)
def measure(request) -> Measure:
    return request.param


def truth_for(measure):
    if measure.input == "pairs":
        return PairPreferences.from_words(["a>b|b>c", "a>c", "b>c"], "abc")
    own = measure.input in ("positions", "calibrated")
    return PERFECT[measure.input if own else "relevance"]


def function_of(measure):
    """The measure's function; a number in its key is the function's k."""
    name = re.sub(r"_\d+_", "_k_", measure.key.removeprefix("raw_"))
    k = re.search(r"_(\d+)_", measure.key)
    function = getattr(metrics, name)
    return partial(function, k=int(k[1])) if k else function


def test_every_measure_of_the_package_is_listed():
    kinds = ("_score", "_loss", "_error", "_distance")
    functions = {name for name in metrics.__all__ if name.endswith(kinds)}
    keys = {key.removeprefix("raw_") for key in METRICS}
    assert functions == {re.sub(r"_\d+_", "_k_", key) for key in keys}


def test_the_key_names_its_functions(measure):
    truth, prediction = truth_for(measure), REVERSED[measure.input]
    assert measure.mean(truth, prediction) == function_of(measure)(truth, prediction)


def test_a_measure_of_cases_is_the_mean_of_their_values(measure):
    truth, prediction = truth_for(measure), REVERSED[measure.input]
    if measure.has_cases:
        values = measure.per_case(truth, prediction)
        assert values.shape == (3,)
        assert measure.mean(truth, prediction) == values.mean()
    else:
        with pytest.raises(TypeError, match="average"):
            measure.per_case(truth, prediction)


def test_the_key_says_which_way_is_better(measure):
    assert measure.greater_is_better == measure.key.endswith("_score")


def test_the_perfect_prediction_is_better_by_the_stated_direction(measure):
    truth = truth_for(measure)
    best = measure.mean(truth, PERFECT[measure.input])
    worst = measure.mean(truth, REVERSED[measure.input])
    assert (best > worst) == measure.greater_is_better
    perfect = measure.value_range[1 if measure.greater_is_better else 0]
    assert best == pytest.approx(BEST.get(measure.key, perfect))
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
        (Task.MULTILABEL, set(PERFECT) - {"positions", "pairs"}),
        (Task.CALIBRATED_RANKING, set(PERFECT) - {"pairs"}),
        (Task.PAIR_PREFERENCES, {"pairs"}),
    ],
)
def test_tasks_get_the_measures_of_what_they_predict(task, inputs):
    expected = [measure for measure in METRICS.values() if measure.input in inputs]
    assert list(measures_for(task)) == expected


def test_main_measures_come_first_and_are_those_of_the_screen():
    levels = [measure.level for measure in METRICS.values()]
    n_main = levels.count("main")
    assert levels == ["main"] * n_main + ["further"] * (len(levels) - n_main)
    assert n_main == 27
    assert {"samples_jaccard_score", "log_loss", "position_ndcg_score"} < set(
        list(METRICS)[n_main:]
    )


def test_a_screen_shows_tau_x_first_where_rankings_tie_labels():
    keys = list(METRICS)
    strict = shown_measures(keys, ties=False)
    assert strict == tuple(measure for measure in METRICS.values() if measure.level == "main")
    assert shown_measures(keys, ties=True) == (METRICS["tau_x_score"], *strict)
    assert shown_measures(["hamming_loss"], ties=True) == (METRICS["hamming_loss"],)


@pytest.mark.parametrize("task", Task)
def test_ties_change_nothing_but_the_first_measure(task):
    strict, tied = measures_for(task), measures_for(task, ties=True)
    assert sorted(tied, key=strict.index) == list(strict)
    if task.has_rankings:
        assert tied[0].key == "tau_x_score"
        assert [measure for measure in strict if measure is not tied[0]] == list(tied[1:])
    else:
        assert tied == strict


def test_the_registry_cannot_be_changed(measure):
    with pytest.raises(TypeError):
        METRICS["other"] = measure
    with pytest.raises(dataclasses.FrozenInstanceError):
        measure.title = "other"


def test_the_mean_leaves_out_cases_without_value():
    truth = np.array([[1.0, 2.0], [np.nan, 1.0]])
    assert METRICS["kendall_tau_score"].mean(truth, [[1, 2], [2, 1]]) == 1


def test_an_average_is_the_mean_or_none(measure):
    if measure.has_cases:
        with pytest.raises(ValueError, match="'mean' or None, got 'macro'"):
            measure.function([[1]], [[1]], average="macro")


class TestReadings:
    """Ranking measures of what is predicted, and of scores as papers print them."""

    KEYS = ("one_error", "coverage_error", "ranking_loss", "average_precision_score")

    def test_those_that_papers_print_have_a_second_one(self):
        assert {key for key in METRICS if key.startswith("raw_")} == {f"raw_{k}" for k in self.KEYS}
        for key in self.KEYS:
            assert METRICS[key].input == "ranking"
            assert METRICS[f"raw_{key}"].input == "raw_scores"
            assert METRICS[f"raw_{key}"].function is METRICS[key].function
