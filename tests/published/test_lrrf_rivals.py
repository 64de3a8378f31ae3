"""Tables 3 to 6 of Zhou and Qiu, Random forest for label ranking: the methods it compares with.

Kendall's tau in 10-fold cross-validation, one repetition where the paper has five, on nine of its
16 sets; labels are deleted from the training part only, with probability 0.3 and 0.6. Of similar
cases, the number is the best of 5, 10, 15 and 20 in five inner folds. Bagged trees take 10 to 60 s
a fold on segment. `pytest -m slow -s` prints every number.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold

from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import kendall_tau_score
from labelrank_core.papers import find_table
from labelrank_core.rankings import dense_positions

pytestmark = pytest.mark.slow

SETS = ("bodyfat", "glass", "housing", "iris", "segment", "stock", "vehicle", "vowel", "wine")
# As the tables call them; the headers of the last two are confused with each other in print.
METHODS = {
    "rpc": "RPC",
    "cc": "CC",
    "ll": "LL",
    "ib_m": "IB-M",
    "ib_pl": "IB-PL",
    "lrt": "LRT",
    "lrt_bag": "LRT+bag",
    "w_lrt_bag": "W-LRT+bag",
    "f_lrt_bag": "F-LRT+bag",
    "lrf_rt": "LRF+RT",
    "lrf_ert": "LRT+ERT",
}
COMPLETE_ONLY = ("lrf_rt", "lrf_ert")
TABLES = {0.0: "4", 0.3: "5", 0.6: "6"}
TOLERANCE = 0.02


@cache
def printed(missing):
    return values_of(TABLES[missing])


def values_of(key):
    return {(cell.data, cell.column): cell.value for cell in find_table("lrrf", key).cells}


@cache
def read(path):
    table = pd.read_csv(path)
    return table.filter(regex="^A").to_numpy(), table.filter(regex="^L").to_numpy(dtype=float)


def parts(X, Y, missing, repeat, at_least):
    """Ten folds; the training rankings lack labels, and `at_least` so many are left in each."""
    for fold, (train, test) in enumerate(KFold(10, shuffle=True, random_state=repeat).split(X)):
        random = np.random.default_rng(100 * repeat + fold)
        kept = random.random(Y[train].shape) >= missing
        while (few := kept.sum(axis=1) < at_least).any():
            kept[few] = random.random(kept[few].shape) >= missing
        yield X[train], dense_positions(np.where(kept, Y[train], np.nan)), X[test], Y[test]


def tau(choice, X, Y, queries, truth):
    return kendall_tau_score(truth, choice.build().fit(X, Y).predict(queries))


def tuned(key, X, Y):
    choice = ModelChoice(key)
    if "n_neighbors" not in choice.values:
        return choice
    inner = list(KFold(5, shuffle=True, random_state=0).split(X))
    choices = [choice.with_params(n_neighbors=k) for k in (5, 10, 15, 20)]
    means = [np.mean([tau(each, X[a], Y[a], X[b], Y[b]) for a, b in inner]) for each in choices]
    return choices[int(np.argmax(means))]


def cross_validated(folder, name, key, missing, repeat=0, at_least=0, **params):
    found = []
    data = read(folder / "kebi" / f"{name}.csv")
    for X, Y, queries, truth in parts(*data, missing, repeat, at_least):
        choice = ModelChoice(key).with_params(**params) if params else tuned(key, X, Y)
        found.append(tau(choice, X, Y, queries, truth))
    return float(np.mean(found))


# Below the print by more than the tolerance, with the cause that a test below shows.
SMALL = "the folds of one repetition: the mean of five is within the tolerance"
STOPS = "a node with fewer than 2m cases is a leaf, as the paper of the tree says"
FEW = "of 20 neighbours few have two labels left; with 50 it is within the tolerance"
EMPTY = (
    "a ranking with one label or none says nothing, which at p0 = 0.6 most of three labels are; "
    "drawn again until two are left, which the paper does not say, it is within the tolerance"
)
BELOW = {
    (0.0, "cc", "iris"): SMALL,
    (0.0, "ib_pl", "wine"): SMALL,
    (0.0, "lrf_ert", "bodyfat"): SMALL,
    (0.0, "lrt", "glass"): STOPS,
    (0.0, "lrt", "vowel"): STOPS,
    (0.3, "lrt", "iris"): SMALL,
    (0.6, "lrt", "iris"): SMALL,
    (0.6, "ll", "bodyfat"): SMALL,
    (0.6, "lrt_bag", "bodyfat"): EMPTY,
    (0.6, "lrt_bag", "iris"): EMPTY,
    (0.6, "lrt_bag", "wine"): EMPTY,
    (0.6, "w_lrt_bag", "bodyfat"): EMPTY,
    (0.6, "f_lrt_bag", "bodyfat"): SMALL,
    (0.6, "ib_m", "bodyfat"): FEW,
    (0.6, "ib_m", "wine"): FEW,
    (0.6, "ib_pl", "bodyfat"): FEW,
    (0.6, "ib_pl", "iris"): EMPTY,
    (0.6, "ib_pl", "wine"): FEW,
}


@pytest.mark.parametrize("missing", TABLES)
@pytest.mark.parametrize("key", METHODS)
def test_no_method_is_below_the_print_but_where_the_cause_is_known(benchmark_data, key, missing):
    if missing and key in COMPLETE_ONLY:
        pytest.skip("needs complete rankings")
    found = {name: cross_validated(benchmark_data, name, key, missing) for name in SETS}
    differences = {
        name: value - printed(missing)[name, METHODS[key]] for name, value in found.items()
    }
    lines = [f"{name:8} {found[name]:.3f} {differences[name]:+.3f}" for name in SETS]
    print("", f"{METHODS[key]}, p0 = {missing}", *lines, sep="\n")  # noqa: T201
    below = {(missing, key, name) for name in SETS if is_below(found[name], missing, key, name)}
    assert below <= BELOW.keys()


def is_below(found, missing, key, name):
    """Tell whether a value is too far below the print, both with three decimals."""
    return round(printed(missing)[name, METHODS[key]] - round(found, 3), 3) > TOLERANCE


def of_cause(cause):
    return [where for where, known in BELOW.items() if known is cause]


@pytest.mark.parametrize(("missing", "key", "name"), of_cause(SMALL))
def test_the_mean_of_five_repetitions_is_within_the_tolerance(benchmark_data, missing, key, name):
    found = np.mean(
        [cross_validated(benchmark_data, name, key, missing, repeat=i) for i in range(5)]
    )
    print(missing, key, name, found)  # noqa: T201
    assert not is_below(found, missing, key, name)


@pytest.mark.parametrize(("missing", "key", "name"), of_cause(STOPS))
def test_trees_that_stop_later_are_within_the_tolerance(benchmark_data, missing, key, name):
    found = cross_validated(benchmark_data, name, key, missing, min_samples_split=4)
    assert not is_below(found, missing, key, name)


@pytest.mark.parametrize(("missing", "key", "name"), of_cause(FEW))
def test_more_neighbours_are_within_the_tolerance(benchmark_data, missing, key, name):
    found = cross_validated(benchmark_data, name, key, missing, n_neighbors=50)
    print(missing, key, name, found)  # noqa: T201
    assert not is_below(found, missing, key, name)


@pytest.mark.parametrize(("missing", "key", "name"), of_cause(EMPTY))
def test_rankings_of_two_labels_are_within_the_tolerance(benchmark_data, missing, key, name):
    found = cross_validated(benchmark_data, name, key, missing, at_least=2)
    print(missing, key, name, found)  # noqa: T201
    assert not is_below(found, missing, key, name)


@pytest.mark.parametrize("key", ["rpc", "lrt"])
def test_table_3_has_the_same_methods_again(benchmark_data, key):
    table = values_of("3")
    found = {name: cross_validated(benchmark_data, name, key, 0.0) for name in SETS}
    below = {name for name in SETS if found[name] < table[name, METHODS[key]] - TOLERANCE}
    assert below <= ({"glass", "iris", "vowel"} if key == "lrt" else set())


def test_table_3_contradicts_table_4_where_it_names_plackett_luce():
    """No method ranks all of glass and segment right; the same method has .841 and .950 there."""
    first, second = values_of("3"), printed(0.0)
    for name in ("glass", "segment"):
        assert {first[name, f"IB-PL{k}"] for k in (5, 10, 15, 20)} == {1.0}
        assert second[name, "IB-PL"] < 0.96
