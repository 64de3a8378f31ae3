"""Hostile features, targets and parameters for every method of the catalog, by name."""

import numpy as np
from scipy import sparse

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.methods import ALGORITHMS, ModelChoice
from tests import problems

N_ROWS, N_FEATURES, N_LABELS = 24, 3, 4
_MOST_LABELS = 300


def _features():
    rng = np.random.default_rng(0)
    plain = rng.normal(size=(N_ROWS, N_FEATURES))
    signs = np.sign(plain)
    sizes = (5e-324, 1e-310, 1e-300, 1e-200, 1e-160, 1e-110, 1e70, 1e76, 1e154, 1e300, 1.7e308)
    found = {"plain": plain}
    for size in sizes:
        text = f"{size:g}".replace("+", "")
        with np.errstate(over="ignore", under="ignore"):
            found[text] = signs * size if size == 5e-324 else plain * (size / 4)
        found[f"one column of {text}"] = plain * [size / 4 if size > 1e-320 else 0, 1, 1]
        spike = plain.copy()
        spike[7, 1] = size
        found[f"one cell of {text}"] = spike
    found["columns of all sizes"] = plain * [1e-300, 1, 1e60]
    found["zeros"] = plain * 0
    found["constants"] = np.full_like(plain, 0.1)
    found["huge constants"] = np.full_like(plain, 1e69)
    found["tiny constants"] = np.full_like(plain, 1e-300)
    found["equal rows"] = np.tile(plain[:1], (N_ROWS, 1))
    found["far from 0"] = 1e9 + plain * 1e-6
    found["one feature"] = plain[:, :1]
    found["wide"] = rng.normal(size=(N_ROWS, 300))
    found["integers"] = rng.integers(-3, 4, plain.shape)
    found["large integers"] = rng.integers(-(2**62), 2**62, plain.shape)
    found["booleans"] = plain > 0
    found["numbers as objects"] = plain.astype(object)
    found["integers beyond 64 bits"] = np.full(plain.shape, 10**30, dtype=object)
    found["integers beyond floats"] = np.full(plain.shape, 10**400, dtype=object)
    found["words"] = np.full(plain.shape, "word")
    found["complex"] = plain + 1j
    found["dates"] = np.full(plain.shape, np.datetime64("2020-01-01"))
    found["ragged lists"] = [[1.0, 2.0], [3.0]] * (N_ROWS // 2)
    found["nested"] = plain[None]
    found["flat"] = plain[:, 0]
    found["no rows"] = plain[:0]
    found["no features"] = plain[:, :0]
    found["None"] = None
    found["a number"] = 1.0
    for name, value in (("not a number", np.nan), ("infinite", np.inf)):
        found[name] = plain.copy()
        found[name][3, 1] = value
    found["sparse"] = sparse.csr_matrix(plain * (plain > 0))
    found["sparse of no entries"] = sparse.csr_matrix(plain.shape)
    found["sparse of 1e-300"] = found["sparse"] * 1e-300
    found["sparse of 1e300"] = found["sparse"] * 1e300
    found["sparse columns"] = sparse.csc_array(plain)
    found["sparse triplets"] = sparse.coo_array(plain)
    for name, index in (("too high", 10**6), ("below 0", -5)):
        found[f"sparse with an index {name}"] = _with_index(sparse.csr_matrix(plain), index)
        found[f"sparse columns with an index {name}"] = _with_index(sparse.csc_matrix(plain), index)
    twice = sparse.csr_matrix(plain)
    twice.indices[:3] = 1
    found["sparse with an index twice"] = twice
    pointers = sparse.csr_matrix(plain)
    pointers.indptr[-1] = 10**6
    found["sparse with rows beyond the end"] = pointers
    return found


def _with_index(X, index):
    X.indices[4] = index
    return X


def _targets(task):
    rng = np.random.default_rng(1)
    plain = problems.targets(rng, task, N_ROWS, N_LABELS)
    top = plain.max()
    found = {
        "plain": plain,
        "all tied": np.ones_like(plain),
        "all equal": np.tile(plain[:1], (N_ROWS, 1)),
        "zeros": plain * 0,
        "below 0": -plain,
        "halves": plain / 2,
        "huge": plain * 10.0**300,
        "tiny": plain * 1e-300,
        "integers beyond 64 bits": plain.astype(object) * 10**30,
        "complex": plain + 1j,
        "words": plain.astype(str),
        "letters": np.full(plain.shape, "b>a"),
        "ragged lists": [[1, 2], [1]] * (N_ROWS // 2),
        "numbers and lists": [1, [1, 2]] * (N_ROWS // 2),
        "one label": plain[:, :1],
        "no labels": plain[:, :0],
        "flat": plain[:, 0],
        "nested": plain[None],
        "fewer rows": plain[:-1],
        "None": None,
        "a number": 3,
        "an object": object(),
        "a dictionary": {"a": [1, 2]},
        "booleans": plain > 1,
        "sparse": sparse.csr_matrix(plain),
        "3000 labels": np.tile(np.arange(3000) + 1, (N_ROWS, 1)),
        "40 relevant labels": (rng.random((N_ROWS, 40)) < 0.1).astype(int),
    }
    for name, value in (("not a number", np.nan), ("infinite", np.inf), ("too high", top + 7)):
        found[name] = plain.astype(float)
        found[name][3, 1] = value
    found["nothing ranked"] = np.full(plain.shape, np.nan)
    found["one row ranked"] = np.full(plain.shape, np.nan)
    found["one row ranked"][0] = plain[0]
    return found


_VALUES = (
    10**30,
    2**63,
    -1,
    0,
    0.5,
    1e-300,
    1e300,
    np.nan,
    np.inf,
    "word",
    None,
    True,
    [1],
    1 + 1j,
)


def cases():
    """List every case: name, key of the method, whether scaled, features, targets, parameters."""
    X_of, listed = _features(), []
    for key, algorithm in ALGORITHMS.items():
        for task in algorithm.tasks:
            Y_of = _targets(task)
            for scaled in (False, True):
                for name, X in X_of.items():
                    listed.append((f"X {name}", key, scaled, X, Y_of["plain"], {}))
            for name, Y in Y_of.items():
                listed.append((f"Y {name}", key, True, X_of["plain"], Y, {}))
        Y = _targets(algorithm.tasks[0])["plain"]
        for parameter in algorithm.build().get_params(deep=False):
            for value in _VALUES:
                params = {parameter: value}
                listed.append((f"{parameter}={value!r}", key, True, X_of["plain"], Y, params))
            if parameter == "kernel":
                for kernel in ("rbf", "poly"):
                    for name in (
                        "1e-300",
                        "1e-110",
                        "1e154",
                        "sparse of 1e-300",
                        "one cell of 1e70",
                    ):
                        params = {parameter: kernel}
                        listed.append((f"X {name}, {kernel}", key, False, X_of[name], Y, params))
    return listed


def run(key, scaled, X, Y, params):
    """Fit, predict and explain; return what is wrong with the answer, or nothing.

    With `scaled` as in the app: as a `Dataset`, with the preparation in front.
    """
    algorithm = ALGORITHMS[key]
    few = {name: value for name, value in problems.few(algorithm).items() if name not in params}
    estimator = algorithm.build(**{**few, **params})
    if scaled:
        task = algorithm.tasks[-1 if _n_columns(Y) == N_LABELS + 1 else 0]
        names = [[f"{kind}{i}" for i in range(_n_columns(of))] for kind, of in (("x", X), ("l", Y))]
        names[1] = names[1][: -1 if task is Task.CALIBRATED_RANKING else None]
        dataset = Dataset(X, Y, task, *names, name="hostile")
        X, Y = dataset.X, algorithm.targets(dataset)
    choice = ModelChoice(key, scaled=scaled)
    model = choice.pipeline(estimator, is_sparse=sparse.issparse(X))
    model.fit(X, Y)
    # With more labels a single case takes seconds, and explanations compare all of them in pairs.
    has_few = _n_columns(Y) <= _MOST_LABELS
    predicted = model.predict(X if has_few else X[:1])
    if has_few:
        model[-1].explain(model[:-1].transform(X[:1]) if scaled else X[:1])
    if not algorithm.learns_rankings:
        return "" if np.isin(predicted, (0, 1)).all() else "no label sets"
    order = np.arange(predicted.shape[1]) + 1
    return "" if (np.sort(predicted, axis=1) == order).all() else "no rankings"


def _n_columns(values):
    """The number of columns that names are made for, of what may have none."""
    shape = getattr(values, "shape", ())
    return shape[1] if len(shape) > 1 else N_FEATURES
