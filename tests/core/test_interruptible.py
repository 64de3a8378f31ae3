"""Which methods train in one call of liblinear or libsvm, which nothing interrupts."""

from itertools import chain

import numpy as np
import pytest
from sklearn.svm import SVC, LinearSVC

from labelrank_core import Dataset, Task
from labelrank_core.methods import ALGORITHMS, ModelChoice

# The parameters that decide which solver learns.
_DECIDING = ("kernel", "candidates")


@pytest.fixture
def machine_fits(monkeypatch):
    """The machines trained so far, in this program."""
    trained = []
    for machine in (SVC, LinearSVC):
        fit = machine.fit

        def record(self, *data, fit=fit, **how):
            trained.append(type(self).__name__)
            return fit(self, *data, **how)

        monkeypatch.setattr(machine, "fit", record)
    return trained


def small_data(task):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    scores = X @ rng.normal(size=(3, 3)) + 0.1 * rng.normal(size=(40, 3))
    Y = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1.0
    return Dataset(
        X=X,
        Y=Y if task == Task.LABEL_RANKING else scores > 0,
        task=task,
        feature_names=list("uvw"),
        label_names=list("abc"),
        name="small",
    )


@pytest.mark.parametrize("key", ALGORITHMS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_method_is_interruptible_if_it_trains_no_support_vector_machine(key, machine_fits):
    algorithm = ALGORITHMS[key]
    task = Task.LABEL_RANKING if algorithm.learns_rankings else Task.MULTILABEL
    dataset = small_data(task)
    settings = [
        {knob.name: value}
        for knob in algorithm.knobs
        for value, _ in knob.choices
        if knob.name in _DECIDING
    ]
    for setting in chain([{}], settings):
        model = ModelChoice(key).with_params(**setting).build()
        model.fit(dataset.X, algorithm.targets(dataset))
    assert algorithm.is_interruptible == (not machine_fits)
