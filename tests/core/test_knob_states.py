"""What one knob can show for a case: every state is that of a fresh fit."""

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.explain.knob_states import knob_states
from labelrank_core.methods import ALGORITHMS, ModelChoice
from tests import problems

SAMPLES = {task: name for name in ("songs", "iris", "drinks_calibrated")
           for task in [load_sample(name).task]}  # fmt: skip
ON_PATH = [
    key
    for key, algorithm in ALGORITHMS.items()
    if algorithm.knobs[0].on_path and not algorithm.knobs[0].choices and not algorithm.knobs[0].none
]


def targets(data, algorithm):
    return data.rankings if not hasattr(algorithm.estimator, "predict_ranking") else data.Y


@pytest.mark.parametrize("key", ON_PATH)
def test_states_are_those_of_fresh_fits(key):
    algorithm = ALGORITHMS[key]
    name = algorithm.knobs[0].name
    data = load_sample(SAMPLES[algorithm.tasks[0]])
    few = problems.few(algorithm)
    setting = {k: v for k, v in few.items() if k != name}
    largest = min(12, data.n_samples - 2)
    values = [v for v in algorithm.knobs[0].offered(largest) if v <= max(largest, 1)][:8]
    general = ModelChoice(key, tuple(setting.items())).for_any_path(data.n_samples - 1)
    estimator = general.build()[-1]
    if algorithm.knobs[0].up_to_fitted:
        estimator.set_params(**{name: max(values)})
    model = estimator.fit(data.X[1:], targets(data, algorithm)[1:])
    path = model.path(data.X[:1])
    states = knob_states(path, name, values, value=values[-1], most_seconds=600)
    assert states.values == tuple(values)
    assert states.n_offered == len(values)
    for value in values[:: max(1, len(values) // 3)]:
        fresh = model.point(data.X[:1], **{name: value})
        state = states.state_at(value)
        np.testing.assert_array_equal(states.positions[state], fresh.positions[0])
        if states.relevance is not None:
            np.testing.assert_array_equal(states.relevance[state], fresh.prediction[0])
    if name == "n_neighbors":
        for value in values:
            refitted = type(estimator)(**{**estimator.get_params(), name: value})
            refitted.fit(data.X[1:], targets(data, algorithm)[1:])
            predicted = refitted.point(data.X[:1]).positions[0]
            np.testing.assert_array_equal(states.positions[states.state_at(value)], predicted)


class Path:
    """A path whose prediction is the value itself, and which counts what it is asked."""

    def __init__(self, predict, seconds=0.0):
        self.predict, self.seconds, self.n_asked = predict, seconds, 0

    def at(self, *, k, other=None):
        from time import sleep

        self.n_asked += 1
        sleep(self.seconds)
        positions = np.array([self.predict(k)])
        return type("Point", (), {"positions": positions, "prediction": positions,
                                  "predicts_ties": False,
                                  "confidence": np.array([k / 10 + (other or 0)])})()  # fmt: skip


def test_equal_predictions_share_a_state_and_flips_are_where_it_changes():
    path = Path(lambda k: [1, 2] if k in (1, 2, 5) else [2, 1])
    states = knob_states(path, "k", range(1, 7), value=3, setting={"other": 1})
    assert states.state_of_value.tolist() == [0, 0, 1, 1, 0, 1]
    assert states.positions.tolist() == [[1, 2], [2, 1]]
    assert states.flips == [3, 5, 6]
    assert states.relevance is None
    np.testing.assert_allclose(states.confidence, np.arange(1, 7) / 10 + 1)


def test_where_all_values_take_too_long_some_are_tried_the_one_in_use_among_them():
    path = Path(lambda k: [k], seconds=0.01)
    states = knob_states(path, "k", range(1, 101), value=38, most_seconds=0.1)
    assert states.n_offered == 100
    assert path.n_asked == len(states.values) < 30
    assert {1, 38, 100} <= set(states.values)
    assert list(states.values) == sorted(states.values)


def test_a_value_that_is_not_offered_is_an_error():
    with pytest.raises(ValueError, match="Expected value to be one of"):
        knob_states(Path(lambda k: [k]), "k", range(1, 3), value=9)
