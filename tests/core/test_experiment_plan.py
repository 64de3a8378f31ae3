"""What to expect of an experiment: sizes of parts, grids that fit them, seconds."""

from dataclasses import replace

import pytest

from labelrank_core import load_sample
from labelrank_core.experiments import (
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
    units_of,
)
from labelrank_core.experiments import run_unit as run
from labelrank_core.experiments.plan import (
    expected_seconds,
    ratio_of_tests,
    smallest_part,
    tuning_grid,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice

DRINKS = load_sample("drinks")


@pytest.mark.parametrize(
    ("protocol", "share", "ratio"),
    [
        (Protocol(n_folds=10), 1.0, 1 / 9),
        (Protocol(n_folds=2), 0.5, 2.0),
        (Protocol("holdout", test_share=0.2), 1.0, 0.25),
    ],
)
def test_the_ratio_of_tests(protocol, share, ratio):
    assert ratio_of_tests(protocol, load_sample("iris"), share) == pytest.approx(ratio)


def test_the_smallest_part_counts_inner_folds_and_shares():
    # 10 rows, 5 folds: 8 to learn from, half of them 4, of which tuning in 4 folds learns from 3.
    protocol = Protocol(n_folds=5, train_shares=(1.0, 0.5), tuning_folds=4)
    assert smallest_part(protocol, [load_sample("iris"), DRINKS]) == 3


@pytest.mark.parametrize("key", ALGORITHMS)
@pytest.mark.parametrize("tuned", [False, True])
def test_what_is_made_to_fit_runs_on_the_smallest_sample(key, tuned):
    algorithm = ALGORITHMS[key]
    data = load_sample("drinks" if algorithm.learns_rankings else "outings")
    protocol = Protocol(n_folds=2, tuning_folds=2)
    n_cases = smallest_part(protocol, [data])
    grid = tuning_grid(algorithm, n_cases) if tuned else ()
    choice = ModelChoice(key) if tuned else ModelChoice(key).starting(n_cases)
    method = Method(choice, tuple((name, values[:2]) for name, values in grid))
    experiment = Experiment((DataSource("sample", (data.name,)),), (method,), protocol)
    units = units_of(experiment, [data])
    result = run(units[0], data)
    assert set(result.chosen) == {name for name, _ in grid}
    seconds = expected_seconds(units, {data.fingerprint: data}, 1)
    assert 4 < seconds < 10
    assert expected_seconds(units, {data.fingerprint: data}, 2) < seconds


def test_parameters_that_fit_stay_as_they_are():
    nine = ModelChoice("knn", (("n_neighbors", 9),))
    assert nine.starting(100) == nine.within(100) == nine
    assert ModelChoice("knn").starting(100) == ModelChoice("knn")
    assert dict(nine.starting(4).params) == {"n_neighbors": 2}
    assert dict(nine.within(4).params) == {"n_neighbors": 4}


def test_data_of_one_name_are_told_apart_and_the_same_data_stand_there_once():
    other = replace(DRINKS, X=DRINKS.X + 1)
    sources = (DataSource("sample", ("drinks",)), DataSource("stored", (other.fingerprint,)))
    experiment = Experiment(sources, (Method(ModelChoice("knn")),), Protocol(n_folds=2))
    units = units_of(experiment, [DRINKS, other])
    assert [unit.data_name for unit in units] == ["drinks"] * 2 + ["drinks (2)"] * 2
    with pytest.raises(ConfigError, match=r"data\[1\]: 'drinks' is there twice"):
        units_of(experiment, [DRINKS, DRINKS])
