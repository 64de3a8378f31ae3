"""What the shared-subspace classifier costs, as ratios to bare factorisations, and its memory.

python tests/benchmarks/subspace.py            all lines, a few minutes
python tests/benchmarks/subspace.py yeast      only lines whose name contains the word

Floor and work run in turn, in processor seconds on one thread, so that other load on the machine
spoils neither; a ratio is the median of the ratios of such pairs. Peak memory is what the work
allocates beyond its input, by a run of its own.
"""

import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
from scipy import linalg, sparse  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.preprocessing import StandardScaler, normalize  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import SharedSubspaceClassifier, load_sample  # noqa: E402

REPEATS = 5
GRID = [0.0] + [10.0**i for i in range(-6, 1)]


@dataclass(frozen=True)
class Line:
    """One row of the table; without a floor the number is processor milliseconds."""

    name: str
    work: Callable[[], object]
    floor: Callable[[], object] | None = None
    without: Callable[[], object] | None = None
    budget: float | None = None


def seconds(run):
    start = process_time()
    run()
    return process_time() - start


def peak_megabytes(run):
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def measure(line):
    """Median seconds of floor and work, and the median of their ratios (or milliseconds)."""
    floors, works = [], []
    for _ in range(REPEATS):
        floors.append(seconds(line.floor) if line.floor else 1e-3)
        works.append(seconds(line.work) - (seconds(line.without) if line.without else 0))
    ratios = [work / floor for floor, work in zip(floors, works, strict=True)]
    return median(floors), median(works), median(ratios)


def targets(scores):
    return (scores > np.quantile(scores, 0.8, axis=0)).astype(int)


def dense(n, d, m):
    random = np.random.default_rng(n + d + m)
    X = random.normal(size=(n, d))
    return X, targets(X @ random.normal(size=(d, m)) + np.sqrt(d) * random.normal(size=(n, m)))


def text(n, d, m, n_words=100):
    """Pages of words with Zipf's frequencies, unit length."""
    random = np.random.default_rng(n + d + m)
    frequencies = 1 / np.arange(1, d + 1)
    words = random.choice(d, n * n_words, p=frequencies / frequencies.sum())
    rows = np.repeat(np.arange(n), n_words)
    X = normalize(sparse.csr_matrix((np.ones(len(rows)), (rows, words)), shape=(n, d)))
    return X, targets(X @ random.normal(size=(d, m)) + 0.3 * random.normal(size=(n, m)))


def yeast():
    data = load_sample("yeast")
    return StandardScaler().fit_transform(data.X), data.relevance


def factorisations(X):
    """Five bare ones: the Gram matrix's eigenvectors where d > n, else the SVD."""
    dense_X = X.toarray() if sparse.issparse(X) else X
    runs = []
    for fold in range(5):
        part = np.delete(dense_X, np.arange(fold, len(dense_X), 5), axis=0)
        part = part - part.mean(axis=0)
        if part.shape[1] > len(part):
            gram = part @ part.T
            runs.append(lambda g=gram: linalg.eigh(g, driver="evd", check_finite=False))
        else:
            runs.append(lambda p=part: np.linalg.svd(p, full_matrices=False))
    return lambda: [run() for run in runs]


def with_grid(X, Y):
    model = SharedSubspaceClassifier().fit(X, Y)
    for beta in GRID:
        model.out_of_fold_scores(alpha=GRID, beta=beta)


def ridges(X, Y):
    for alpha in GRID:
        for beta in GRID:
            Ridge(alpha=max(len(Y) * (alpha + beta), 1e-9)).fit(X, Y)


def grid_lines() -> Iterator[Line]:
    for name, (X, Y) in (
        ("text 1000 x 20000, 20 labels", text(1000, 20_000, 20)),
        ("dense 1000 x 5000, 20 labels", dense(1000, 5000, 20)),
        ("yeast 2417 x 103, 14 labels", yeast()),
        ("dense 20000 x 100, 20 labels", dense(20_000, 100, 20)),
    ):
        floor = factorisations(X)
        whole = lambda X=X, Y=Y: with_grid(X, Y)  # noqa: E731
        final = lambda X=X, Y=Y: SharedSubspaceClassifier(threshold="zero").fit(X, Y)  # noqa: E731
        yield Line(f"8 x 8 grid, 5 folds: {name}", whole, floor, final, 2.0)
        yield Line(f"  and the final model with thresholds: {name}", whole, floor)
    X, Y = yeast()
    single = lambda: np.linalg.svd(X, full_matrices=False)  # noqa: E731
    yield Line("yeast: 64 ridge fits, in SVDs", lambda: ridges(X, Y), single)


def move_lines() -> Iterator[Line]:
    for name, (X, Y) in (("yeast", yeast()), ("text 1000 x 20000", text(1000, 20_000, 20))):
        path = SharedSubspaceClassifier().fit(X, Y).path(X[:1])
        yield Line(
            f"a slider move with explanation, thresholds tuned anew, ms: {name}",
            lambda path=path: path.at(alpha=0.3, beta=0.02).explain(0),
            budget=150,
        )


def growth_lines() -> Iterator[Line]:
    sizes = (
        *((dense, n, 100, 20) for n in (10_000, 20_000, 40_000)),
        *((dense, 5000, d, 20) for d in (100, 200, 400)),
        *((dense, 10_000, 50, m) for m in (25, 50, 100)),
        *((text, n, 20_000, 20) for n in (500, 1000, 2000)),
        *((text, 1000, d, 20) for d in (10_000, 20_000, 40_000)),
    )
    for make, *size in sizes:
        X, Y = make(*size)
        name = "{} {} x {}, {} labels".format(make.__name__, *size)
        yield Line(f"fit, ms: {name}", lambda X=X, Y=Y: SharedSubspaceClassifier().fit(X, Y))


def main(word=""):
    columns = ("floor s", "work s", "ratio/ms", "budget", "peak MB")
    sys.stdout.write(f"{'':<74}" + "".join(f"{column:>10}" for column in columns) + "\n")
    for lines in (grid_lines, move_lines, growth_lines):
        for line in lines():
            if word in line.name:
                floor, work, ratio = measure(line)
                shown = f"{floor:.4f}" if line.floor else "-"
                budget = line.budget or "-"
                sys.stdout.write(
                    f"{line.name:<74}{shown:>10}{work:>10.4f}{ratio:>10.2f}{budget:>10}"
                    f"{peak_megabytes(line.work):>10.1f}\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
