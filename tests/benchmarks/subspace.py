"""What the shared-subspace classifier costs, as ratios to bare factorisations.

python tests/benchmarks/subspace.py            all lines, some minutes
python tests/benchmarks/subspace.py yeast      only lines whose name contains the word
"""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy import linalg, sparse
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler, normalize

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core import SharedSubspaceClassifier, load_sample
from tests.benchmarks.measure import Line, Task, main

GRID = [0.0] + [10.0**i for i in range(-6, 1)]


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


def grid(make, *size, whole):
    """The grid alone, or with the final model and its thresholds."""
    X, Y = make(*size)
    final = None if whole else lambda: SharedSubspaceClassifier(threshold="zero").fit(X, Y)
    return Task(lambda: with_grid(X, Y), {"5 factorisations": factorisations(X)}, final)


def ridge_fits():
    X, Y = yeast()
    return Task(lambda: ridges(X, Y), {"1 SVD": lambda: np.linalg.svd(X, full_matrices=False)})


def move(make, *size):
    X, Y = make(*size)
    path = SharedSubspaceClassifier().fit(X, Y).path(X[:1])
    return Task(lambda: path.at(alpha=0.3, beta=0.02).explain(0))


def fit(make, *size):
    X, Y = make(*size)
    return Task(lambda: SharedSubspaceClassifier().fit(X, Y))


def budget_lines() -> Iterator[Line]:
    for name, *made in (
        ("text 1000 x 20000, 20 labels", text, 1000, 20_000, 20),
        ("dense 1000 x 5000, 20 labels", dense, 1000, 5000, 20),
        ("yeast 2417 x 103, 14 labels", yeast),
        ("dense 20000 x 100, 20 labels", dense, 20_000, 100, 20),
    ):
        alone, whole = (partial(grid, *made, whole=whole) for whole in (False, True))
        yield Line(f"8 x 8 grid, 5 folds: {name}", alone, 2.0, clock="processor")
        yield Line(f"  with final model, thresholds: {name}", whole, clock="processor")
    yield Line("64 ridge fits on yeast", ridge_fits, clock="processor")
    for name, *made in (("yeast", yeast), ("text 1000 x 20000", text, 1000, 20_000, 20)):
        title = f"subspace, a move with explanation, thresholds tuned anew: {name}"
        yield Line(title, partial(move, *made), 150, "ms", clock="processor")


def growth_lines() -> Iterator[Line]:
    """From one size each of dense data and of text, n, d and m at three sizes."""
    sizes = (
        *((dense, n, 100, 20) for n in (10_000, 20_000, 40_000)),
        *((dense, 20_000, d, 20) for d in (50, 200)),
        *((dense, 20_000, 100, m) for m in (50, 100)),
        *((text, n, 20_000, 20) for n in (500, 1000, 2000)),
        *((text, 1000, d, 20) for d in (10_000, 40_000)),
    )
    for make, n, d, m in sizes:
        name = f"subspace fit, {make.__name__} {n} x {d}, {m} labels"
        yield Line(name, partial(fit, make, n, d, m), clock="processor", fewest_pairs=1)


if __name__ == "__main__":
    sys.exit(main(budget_lines(), growth_lines(), sys.argv[1:]))
