"""Where rankings tie labels, tau_x is the measure to judge and to tune by."""

import json

import numpy as np
import pandas as pd
import pytest

from labelrank_core import Dataset, Task
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.evaluation.sensitivity.sweep import fitting_measures
from labelrank_core.experiments import read_config, results_frame, units_of
from labelrank_core.experiments import units as units_module
from labelrank_core.experiments.export import boards, measures_of_results, write_latex, write_report
from labelrank_core.methods import ALGORITHMS, ModelChoice, tie_labels
from labelrank_core.rankings import dense_positions, strict_positions

BREAKING, PREDICTING = ModelChoice("knn"), ModelChoice("knn", (("ties", "predict"),))


def brands(*, tied):
    """Forty customers and four brands."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    keys = np.round(X @ rng.normal(size=(2, 4)))
    Y = dense_positions(keys) if tied else strict_positions(keys)
    name = "tied" if tied else "strict"
    return Dataset(X, Y, Task.LABEL_RANKING, ["x", "y"], list("abcd"), name)


TIED, STRICT = brands(tied=True), brands(tied=False)
by_ties = pytest.mark.parametrize(
    ("dataset", "choice", "first"),
    [
        (TIED, BREAKING, "tau_x_score"),
        (TIED, PREDICTING, "tau_x_score"),
        (STRICT, PREDICTING, "tau_x_score"),
        (STRICT, BREAKING, "kendall_tau_score"),
    ],
)


@pytest.mark.parametrize("key", ALGORITHMS)
def test_a_choice_knows_whether_its_method_predicts_ties(key):
    choice = ModelChoice(key)
    assert not choice.predicts_ties
    assert choice.can_tie == choice.algorithm.learns_rankings
    assert choice.with_ties(True).predicts_ties == choice.can_tie
    assert choice.with_ties(True).with_ties(False) == choice
    if choice.can_tie:
        assert choice.with_ties(True).build().steps[-1][1].ties == "predict"


@by_ties
def test_ties_of_the_data_or_of_the_method_decide(dataset, choice, first):
    assert tie_labels(dataset, BREAKING, choice) == (first == "tau_x_score")
    assert fitting_measures(dataset, choice)[0].key == first


def test_an_evaluation_begins_with_the_measure_to_judge_by():
    for dataset, first in ((TIED, "tau_x_score"), (STRICT, "kendall_tau_score")):
        evaluation = evaluate_model(BREAKING.build(), dataset, holdout_split(dataset))
        assert next(iter(evaluation.totals)) == first
        assert evaluation.frame()["measure"].iloc[0] == first


def experiment(*methods):
    # The name of the data says nothing: the data themselves are handed to `units_of`.
    config = {"data": ["iris"], "methods": list(methods), "protocol": {"n_folds": 3}}
    return read_config(json.dumps(config))


@pytest.mark.parametrize(
    ("dataset", "params", "tune", "first"),
    [
        (TIED, {}, {"n_neighbors": [3, 5]}, "tau_x_score"),
        (STRICT, {"ties": "predict"}, {"n_neighbors": [3, 5]}, "tau_x_score"),
        (STRICT, {}, {"ties": ["break", "predict"]}, "tau_x_score"),
        (STRICT, {}, {"n_neighbors": [3, 5]}, "kendall_tau_score"),
    ],
)
def test_parameters_are_tuned_for_it(monkeypatch, dataset, params, tune, first):
    tuned_for = []
    tune_for = units_module.tune
    monkeypatch.setattr(
        units_module,
        "tune",
        lambda *args, measure, **kw: (
            tuned_for.append(measure) or tune_for(*args, measure=measure, **kw)
        ),
    )
    method = {"key": "knn", "params": params, "tune": tune}
    unit, *_ = units_of(experiment(method), [dataset])
    units_module.run_unit(unit, dataset)
    assert tuned_for == [first]


def results(dataset, *methods):
    units = units_of(experiment(*methods), [dataset])
    return units, results_frame([(unit, units_module.run_unit(unit, dataset)) for unit in units])


def test_results_are_compared_by_it_first_also_where_one_data_set_of_several_has_ties(tmp_path):
    methods = {"key": "knn"}, {"key": "lrt"}
    (units, strict), (tied_units, tied) = (results(each, *methods) for each in (STRICT, TIED))
    assert measures_of_results(strict, units, [STRICT])[0].key == "kendall_tau_score"
    assert "tau_x_score" not in [m.key for m in measures_of_results(strict, units, [STRICT])]
    both = pd.concat([strict, tied])
    arguments = both, [*units, *tied_units], [STRICT, TIED]
    assert measures_of_results(*arguments)[0].key == "tau_x_score"
    assert next(boards(*arguments)).measure.key == "tau_x_score"
    assert r"\label{tab:tau_x_score}" in write_latex(tmp_path, *arguments).read_text()
    write_report(tmp_path, *arguments)
    assert (tmp_path / "report.txt").read_text().startswith("Tau x\n")


def test_methods_that_predict_ties_are_compared_by_it():
    units, frame = results(STRICT, {"key": "knn", "params": {"ties": "predict"}}, {"key": "lrt"})
    assert measures_of_results(frame, units, [STRICT])[0].key == "tau_x_score"
