"""What reading large files costs, beside the bare parsers.

python tests/benchmarks/readers.py

The bare calls are ``pandas.read_csv(BytesIO(content))``, its parser in C on one thread, and
``pandas.read_parquet(path)``, pyarrow on its own threads. ``pandas.read_csv(path)`` parses parts of
a file on several threads; the lines beside it have no budget. `read_dataset` parses on as many
threads as there are processors, four at most. Each line writes its file first.
"""

import atexit
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import read_dataset
from tests.benchmarks.measure import Line, Task, main

N_ROWS, N_FEATURES, N_LABELS = 1_000_000, 50, 4
ARRAY_MB = 8 * N_ROWS * N_FEATURES / 1e6
BLOCK = 10_000
CSV_BUDGET, PARQUET_BUDGET, MEMORY_BUDGET, ARFF_MS = 1.5, 2.5, 3.0, 20_000


def folder() -> Path:
    """A folder that is removed when the process ends."""
    path = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def names() -> list[str]:
    features = [f"A{j}" for j in range(1, N_FEATURES + 1)]
    return features + [f"L{j}" for j in range(1, N_LABELS + 1)]


def blocks() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Random features and permutations."""
    rng = np.random.default_rng(0)
    for _ in range(0, N_ROWS, BLOCK):
        X = rng.uniform(size=(BLOCK, N_FEATURES))
        yield X, rng.permuted(np.tile(np.arange(1, N_LABELS + 1), (BLOCK, 1)), axis=1)


def csv(form: str, *, bare: str) -> Task:
    """Features in a printf form, beside one of the bare calls."""
    path = folder() / "large.csv"
    line = ",".join([form] * N_FEATURES + ["%d"] * N_LABELS) + "\n"
    with path.open("w") as file:
        file.write(",".join(names()) + "\n")
        for X, ranks in blocks():
            rows = zip(X.tolist(), ranks.tolist(), strict=True)
            file.writelines(line % (*x, *y) for x, y in rows)
    calls = {
        "bytes, 1 thread": lambda: pd.read_csv(io.BytesIO(path.read_bytes())),
        "path, threads": lambda: pd.read_csv(path),
    }
    return reading(path, calls[bare], f"read_csv, {bare}")


def parquet() -> Task:
    path = folder() / "large.parquet"
    frame = pd.DataFrame(np.vstack([np.hstack(block) for block in blocks()]), columns=names())
    frame.to_parquet(path)
    del frame
    os.sync()
    return reading(path, lambda: pd.read_parquet(path), "read_parquet")


def reading(path: Path, bare, name: str) -> Task:
    return Task(lambda: read_dataset(path, target_form="positions"), {name: bare})


def sparse_arff() -> Task:
    """50 MB, about a hundred of 20 000 features in every row, 50 labels in MULAN's XML."""
    path, n_features, n_labels = folder() / "large.arff", 20_000, 50
    rng = np.random.default_rng(0)
    labels = [f"L{j}" for j in range(n_labels)]
    declared = [f"@attribute w{j} numeric\n" for j in range(n_features)]
    declared += [f"@attribute {label} {{0,1}}\n" for label in labels]
    with path.open("w") as file:
        file.writelines(["@relation large\n", *declared, "@data\n"])
        while file.tell() < 50_000_000:
            words = np.unique(rng.integers(0, n_features, 100)).tolist()
            ones = np.unique(rng.integers(n_features, n_features + n_labels, 3)).tolist()
            cells = [*(f"{j} {j % 7 + 1}" for j in words), *(f"{j} 1" for j in ones)]
            file.write("{" + ",".join(cells) + "}\n")
    xml = "".join(f'<label name="{label}"></label>' for label in labels)
    path.with_suffix(".xml").write_text(f"<labels>{xml}</labels>")
    return Task(lambda: read_dataset([path, path.with_suffix(".xml")]))


def budget_lines() -> Iterator[Line]:
    memory = {"megabytes": MEMORY_BUDGET * ARRAY_MB}
    size = f"{N_ROWS} x {N_FEATURES}"
    for form in ("%.1f", "%.6f"):
        name = f"read CSV, {size}, {form}"
        yield Line(name, partial(csv, form, bare="bytes, 1 thread"), CSV_BUDGET, **memory)
        yield Line(f"{name}, beside threads", partial(csv, form, bare="path, threads"))
    yield Line(f"read Parquet, {size}", parquet, PARQUET_BUDGET, fewest_pairs=11, **memory)
    yield Line("read sparse ARFF with XML, 50 MB", sparse_arff, ARFF_MS, "ms", fewest_pairs=1)


if __name__ == "__main__":
    sys.exit(main(budget_lines(), (), sys.argv[1:]))
