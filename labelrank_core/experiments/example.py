"""The experiment that *Experiments* shows before a visitor has one, and its recorded results."""

import json
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from labelrank_core.data.dataset import Task
from labelrank_core.data.samples import list_samples, load_sample
from labelrank_core.experiments.config import DataSource, Experiment, Method, Protocol
from labelrank_core.experiments.plan import quickest_methods, smallest_part
from labelrank_core.experiments.units import results_frame, run_unit, units_of
from labelrank_core.methods import ModelChoice

RESULTS = Path(__file__).with_name("example_results.json")
MEASURE = "kendall_tau_score"
PROTOCOL = Protocol(n_folds=5)


def example_names() -> list[str]:
    """Name the samples of the example: all with label rankings."""
    return [sample.name for sample in list_samples() if sample.task is Task.LABEL_RANKING]


def measure_example(names: Sequence[str] | None = None) -> pd.DataFrame:
    """Measure the example, or the part of it on some of its samples.

    Returns
    -------
    DataFrame
        One row per method and data set: ``method`` (its key), ``params`` (those that are no
        defaults), ``data``, ``value`` and ``deviation`` (mean and standard deviation over the
        folds), ``folds`` (a list of the values of the folds).
    """
    datasets = {name: load_sample(name) for name in example_names()}
    n_cases = smallest_part(PROTOCOL, list(datasets.values()))
    choices = [
        ModelChoice(key).starting(n_cases)
        for key in quickest_methods(next(iter(datasets.values())))
    ]
    methods = {Method(choice).name: Method(choice) for choice in choices}
    sources = tuple(DataSource("sample", (name,)) for name in datasets)
    experiment = Experiment(sources, tuple(methods.values()), PROTOCOL, "example")
    units = units_of(experiment, list(datasets.values()))
    measured = [unit for unit in units if unit.data_name in (names or datasets)]
    frame = results_frame([(unit, run_unit(unit, datasets[unit.data_name])) for unit in measured])
    frame = frame[frame["measure"] == MEASURE]
    groups = frame.groupby(["method", "data"], sort=False)["value"]
    means = groups.agg(value="mean", deviation="std", folds=list).reset_index()
    measured_choices = [methods[name].choice for name in means["method"]]
    return means.assign(
        method=[choice.key for choice in measured_choices],
        params=[dict(choice.params) for choice in measured_choices],
    )


def recorded_example() -> pd.DataFrame:
    """Return the recorded results of `measure_example`, with ``version`` and ``date``."""
    return pd.DataFrame(json.loads(RESULTS.read_text("utf-8")))


def example_folds(recorded: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the folds of recorded results, a row each, as a leaderboard takes them."""
    folds = recorded[["data", "method", "folds"]].explode("folds", ignore_index=True)
    number = folds.groupby(["data", "method"], sort=False).cumcount()
    values = folds.pop("folds").astype(float)
    return folds.assign(
        value=values, fold=number, repeat=0, measure=MEASURE, missing=0.0, train_share=1.0,
        seconds_tune=0.0, seconds_fit=0.0, seconds_predict=0.0,
    )  # fmt: skip
