"""What random thresholds among all features gain for the forest where 60 % of the labels lack."""

import json
from pathlib import Path

import numpy as np
import pytest

from labelrank_core.experiments import read_config
from labelrank_core.experiments.units import run_unit, units_of

NINE = Path(__file__).with_name("nine_sets.json")
RANDOM = {"splitter": "random", "max_features": "all"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "vowel"])
def test_random_thresholds_predict_better_from_partial_rankings(benchmark_data, name):
    config = json.loads(NINE.read_text(encoding="utf-8"))
    config["data"] = [each for each in config["data"] if each["files"] == [f"kebi/{name}.csv"]]
    config["methods"] = [{"key": "forest"}, {"key": "forest", "params": RANDOM, "title": "random"}]
    config["protocol"] |= {"n_repeats": 1, "missing": [0.6]}
    experiment = read_config(json.dumps(config))
    dataset = experiment.data[0].load(benchmark_data)
    taus = {True: [], False: []}
    for unit in units_of(experiment, [dataset]):
        is_random = dict(unit.method.choice.params).get("splitter") == "random"
        taus[is_random].append(run_unit(unit, dataset).values["kendall_tau_score"])
    paper, random = np.mean(taus[False]), np.mean(taus[True])
    print(name, paper, random)  # noqa: T201
    assert random > paper + 0.01
