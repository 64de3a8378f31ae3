"""How the benchmarks measure, judge and print; nothing here is timed."""

import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from labelrank_core import Task as Kind
from labelrank_core.methods import ALGORITHMS, ModelChoice
from tests.benchmarks import (
    app,
    estimates,
    forest,
    knn,
    measure,
    methods,
    mlknn,
    readers,
    rival_work,
    rivals,
    sensitivity,
    subspace,
    text,
)
from tests.benchmarks.measure import Line, Result, Task

METHODS = (forest, knn, mlknn, subspace)


def lines():
    growth = [line for script in METHODS for line in script.growth_lines()]
    scripts = (app, readers, sensitivity, text, *METHODS)
    return [line for script in scripts for line in script.budget_lines()] + growth


def test_every_line_has_a_name_of_its_own_and_can_go_to_a_process():
    names = [line.name for line in lines()]
    assert len(set(names)) == len(names)
    for line in lines():
        assert pickle.loads(pickle.dumps(line)) is not None


def test_words_choose_lines_and_large_ones_only_when_asked_for():
    small, large = Line("forest fit", Task), Line("forest fit, all rows", Task, large=True)
    other = Line("k-NN", Task)
    assert measure.chosen([small, large, other], []) == [small, other]
    assert measure.chosen([small, large, other], ["forest", "fit"]) == [small]
    assert measure.chosen([small, large, other], ["large"]) == [large]


@pytest.fixture
def clock(monkeypatch):
    """A clock that only `takes` moves on."""
    now = [0.0]
    monkeypatch.setattr(measure, "CLOCKS", {"wall": lambda: now[0]})

    def takes(seconds):
        def run():
            now[0] += seconds

        return run

    return takes


def test_the_result_is_the_ratio_to_the_fastest_floor(clock):
    task = Task(clock(3), {"slow": clock(4), "fast": clock(2)})
    result = measure.measure(Line("", lambda: task))
    assert (result.floor, result.work, result.value) == (2, 3, 1.5)
    assert result.remark == "fast; slow 2.0 x"


def test_the_seconds_of_what_the_floor_lacks_are_taken_off(clock):
    task = Task(clock(5), {"floor": clock(2)}, without=clock(1))
    assert measure.measure(Line("", lambda: task)).value == 2


@pytest.mark.parametrize(("unit", "value"), [("x", 1.5), ("ms", 3000), ("ms more", 1000)])
def test_units(clock, unit, value):
    task = Task(clock(3), {"floor": clock(2)})
    assert measure.measure(Line("", lambda: task, unit=unit)).value == value


def test_without_a_floor_there_are_only_seconds(clock):
    result = measure.measure(Line("", lambda: Task(clock(3))))
    assert (result.floor, result.work, result.value) == (None, 3, None)


def test_a_long_line_that_needs_one_pair_is_run_once(clock):
    runs = []
    long = clock(100)
    task = Task(lambda: (runs.append(1), long()))
    measure.measure(Line("", lambda: task, fewest_pairs=1))
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("budgets", "value", "megabytes", "missed"),
    [
        ({"budget": 1.2}, 1.2, 900, False),
        ({"budget": 1.2}, 1.21, 900, True),
        ({"megabytes": 1000}, 9.0, 1000, False),
        ({"megabytes": 1000}, 9.0, 1001, True),
        ({"megabytes": 1000}, 9.0, None, False),
        ({"budget": 1.2, "megabytes": 1000}, 1.1, 1001, True),
        ({}, 9.0, 9000, False),
    ],
)
def test_a_row_says_whether_a_budget_is_missed(budgets, value, megabytes, missed):
    line, result = Line("name", Task, **budgets), Result(1.0, value, value, megabytes)
    assert measure.missed(line, result) == missed
    shown = measure.row(line, result)
    assert ("MISSED" in shown) == missed
    assert (" met " in shown) == (bool(budgets) and not missed)


def test_a_table_goes_on_after_a_failure_and_the_end_repeats_what_was_missed(monkeypatch, capsys):
    results = {
        "broken": ValueError("no such data"),
        "slow": Result(1.0, 2.0, 2.0, 1.0),
        "fast": Result(1.0, 1.0, 1.0, 1.0),
    }
    monkeypatch.setattr(measure, "in_a_process", lambda _, line: results[line.name])
    complaints = measure.table("Budgets", [Line(name, Task, 1.2) for name in results])
    assert complaints == ["failed: broken", "missed: slow"]
    assert "FAILED: ValueError('no such data')" in capsys.readouterr().out
    assert measure.conclude(complaints) == 1
    assert capsys.readouterr().out == "\nfailed: broken\nmissed: slow\n"
    assert measure.conclude([]) == 0


def test_lines_run_in_another_process_which_hands_back_its_error():
    assert measure.in_a_process(os.getpid) != os.getpid()
    assert isinstance(measure.in_a_process(int, "x"), ValueError)


def test_a_process_that_dies_says_how():
    error = measure.in_a_process(os._exit, 7)
    assert isinstance(error, RuntimeError)
    assert "[7]" in str(error)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the peak")
def test_the_peak_is_what_a_run_takes_even_if_it_is_given_back():
    held = np.ones(10**7)

    def run():
        arrays = [np.ones(10**6) for _ in range(10)]
        return len(arrays)

    for _ in range(2):
        result, megabytes = measure.with_peak(run)
        assert result == 10
        assert 75 < megabytes < 95
    assert measure.with_peak(lambda: held.sum())[1] < 5


def test_without_the_kernel_s_peak_there_is_none(monkeypatch):
    def refuse(*_):
        raise OSError

    monkeypatch.setattr(measure.Path, "write_text", refuse)
    assert measure.with_peak(lambda: 7) == (7, None)


def test_every_contest_names_work_that_there_is():
    for contest in rivals.contests():
        for work in (contest.own, contest.rival):
            assert callable(getattr(rival_work, work))


def test_costs_of_methods_are_kept_once_and_measured_again_in_their_place(tmp_path):
    path = tmp_path / "methods.csv"
    methods.keep(path, "yeast", "mlknn", "LabelRank Lab", (1.0, 2.0, 3.04, 4.0, 5.0))
    methods.keep(path, "yeast", "br", "LabelRank Lab", (1.0, 2.0, 3.0, 4.0, 5.0))
    methods.keep(path, "yeast", "mlknn", "LabelRank Lab", (0.5, 2.0, None, 4.0, None))
    kept = pd.read_csv(path).set_index("method")
    assert kept.loc["ML-kNN", "fit s"] == 0.5
    assert np.isnan(kept.loc["ML-kNN", "fit MB"])
    assert len(kept) == 2


def test_the_kept_costs_name_methods_of_the_catalog_on_both_sets():
    kept = pd.read_csv(Path(methods.__file__).with_suffix(".csv"))
    titles = {each.title for each in ALGORITHMS.values() if Kind.MULTILABEL in each.tasks}
    for name in methods.SETS[Kind.MULTILABEL]:
        own = kept[kept["data"] == name]
        assert set(own["method"]) <= titles
        rival = own[own["library"] == "scikit-multilearn"]["method"]
        assert set(rival) == {ALGORITHMS[key].title for key in rival_work.MODELS}
    assert not kept.duplicated(methods.PLACE).any()
    assert kept.notna().all(axis=None)


def test_predictions_that_differ_are_judged_by_the_truth():
    truth = np.array([[0, 1], [1, 1]])
    assert rivals.agreement(truth, truth, truth, rivals.accuracy) == "100.00% equal"
    found = rivals.agreement(truth, 1 - truth, truth, rivals.accuracy)
    assert found == "0.00% equal; accuracy 1.0000, theirs 0.0000"


def test_a_rival_that_cannot_be_had_is_said_to_be_not_available(monkeypatch, capsys):
    monkeypatch.setattr(rivals, "python_of", lambda *_: (None, "no Python 3.13 was found"))
    assert rivals.table(["forest"]) == []
    assert capsys.readouterr().out.endswith("not available: no Python 3.13 was found\n")


def test_a_rival_that_dies_is_a_failure(monkeypatch, capsys):
    monkeypatch.setattr(rivals, "python_of", lambda *_: (sys.executable, ""))
    monkeypatch.setattr(rivals, "PROGRAM", "no such program")
    (complaint,) = rivals.table(["forest"])
    assert complaint.startswith("failed: forest")
    assert "FAILED: " in capsys.readouterr().out


def test_estimates_are_measured_at_both_ends_of_every_parameter():
    listed = estimates.lines([])
    assert {line.choice.key for line in listed} == set(ALGORITHMS)
    assert pickle.loads(pickle.dumps(listed)) == listed
    values = {}
    for line in listed:
        for name, value in line.choice.params:
            values.setdefault((line.choice.key, name), set()).add(value)
    for algorithm in ALGORITHMS.values():
        for knob in algorithm.knobs:
            if not knob.for_ties and not knob.at_most_cases:
                numbers = () if knob.choices else knob.offered()
                offered = {value for value, _ in knob.choices} or {numbers[0], numbers[-1]}
                usual = {algorithm.defaults[knob.name]}
                assert offered <= values[algorithm.key, knob.name] | usual, knob.name


@pytest.mark.parametrize(
    ("estimate", "real", "is_off", "is_surprise"),
    [
        (0.07, 26.0, True, True),
        (26.0, 0.07, True, False),
        (1.0, 2.9, False, False),
        (0.01, 0.19, False, False),
        (0.05, 0.3, True, False),
    ],
)
def test_an_estimate_is_off_where_that_can_be_noticed(estimate, real, is_off, is_surprise):
    line = estimates.Line("iris", ModelChoice("knn"))
    times = estimates.Times(line, estimate, real)
    assert (times.is_off, times.is_surprise) == (is_off, is_surprise)


def test_estimates_are_measured_in_a_child_program_that_is_replaced_where_it_is_slow(monkeypatch):
    lines = estimates.lines(["iris", "knn"])[:3]
    measured = list(estimates.measure(lines))
    assert [times.line for times in measured] == lines
    assert all(0 < times.real < estimates.MOST_SECONDS for times in measured)
    # No line is done in no time.
    monkeypatch.setattr(estimates, "MOST_SECONDS", 0.0)
    assert [times.real for times in estimates.measure(lines[:2])] == [0.0, 0.0]
