"""The names at the top: what they are, whatever was imported before, and the map of the package."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

import labelrank_core

FUNCTIONS = [
    *("explain_prediction", "leaderboard", "list_samples", "load_sample", "parse_ranking"),
    *("parse_rankings", "read_dataset", "read_results", "results_of", "scorers_for", "what_if"),
    "write_dataset",
]
SUB_PACKAGES = [module.name for module in iter_modules(labelrank_core.__path__) if module.ispkg]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_functions(name):
    assert callable(getattr(labelrank_core, name))
    assert name in labelrank_core.__all__
    assert name in dir(labelrank_core)


def test_no_exported_name_is_that_of_a_module():
    # An import of the module would replace it.
    modules = {module.name for module in iter_modules(labelrank_core.__path__)}
    assert not modules & set(labelrank_core.__all__)


def test_explain_is_a_room_and_a_function():
    program = """
import pickle
from labelrank_core import KNeighborsLabelRanker, explain, explain_prediction, load_sample
import labelrank_core.explain.evidence
data = load_sample("iris")
model = KNeighborsLabelRanker().fit(data.X, data.rankings)
said = str(explain(model, data.X[0], data, n_neighbors=1))
assert said == str(explain_prediction(model, data.X[0], data, n_neighbors=1))
assert explain.evidence.Explanation.__name__ == "Explanation"
assert pickle.loads(pickle.dumps(explain)) is explain
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", SUB_PACKAGES)
def test_the_map_lists_the_sub_packages(name):
    assert isinstance(import_module(f"labelrank_core.{name}"), ModuleType)
    assert f"\n- `{name}`: " in labelrank_core.__doc__


def test_measures_of_rankings_do_not_wait_for_slow_imports():
    program = """
import sys
from labelrank_core.metrics import hamming_loss, kendall_tau_score
assert kendall_tau_score([[1, 2]], [[1, 2]]) == 1 and hamming_loss([[1, 0]], [[1, 0]]) == 0
assert not {"sklearn", "scipy.stats"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_order_of_imports_does_not_matter():
    program = """
import labelrank_core, labelrank_core.explain, labelrank_core.comparison.leaderboard
import labelrank_core.evaluation.scorers
from labelrank_core import explain, explain_prediction, leaderboard, scorers, what_if
assert explain is labelrank_core.explain and explain.explain_prediction is explain_prediction
assert callable(leaderboard) and callable(what_if) and "kendall_tau" in scorers
"""
    subprocess.run([sys.executable, "-c", program], check=True)


IMPORTED_AT_ONCE = """
import sys
from importlib import import_module
from threading import Barrier, Thread

import labelrank_core.data, sklearn.pipeline

sys.setswitchinterval(1e-5)
room = "labelrank_core.explain"
errors = []

def bring(name, barrier):
    barrier.wait()
    try:
        import_module(name)
    except Exception as error:
        errors.append(f"{name}: {error}")

for turn in range(12):
    for name in [name for name in sys.modules if name.startswith(room)]:
        del sys.modules[name]
    barrier = Barrier(2)
    names = [room, f"{room}.predictions"] if turn % 2 else [f"{room}.evidence", f"{room}.cases"]
    threads = [Thread(target=bring, args=(name, barrier)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(errors)
"""


def test_two_threads_import_explanations_at_the_same_time():
    command = [sys.executable, "-c", IMPORTED_AT_ONCE]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"
