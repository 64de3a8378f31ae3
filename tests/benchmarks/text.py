"""What methods cost on text, as ratios to bare searches of the same CSR matrices.

python tests/benchmarks/text.py             all lines, and what the catalog estimates
python tests/benchmarks/text.py cosine      only lines whose name contains the word

Pages are drawn with words as frequent as in natural text (Zipf's law); Yahoo's, if the folder that
LABELRANK_BENCHMARK_DATA names has them. Estimates are compared with the processor's seconds of fit
and predict on one thread; right to a factor of three is what the catalog promises.
"""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from threadpoolctl import threadpool_limits

from labelrank_core import (
    Dataset,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
    Task,
    read_dataset,
)
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.methods.preparation import preparation
from tests.benchmarks import measure
from tests.benchmarks.measure import Line, conclude, in_a_process, seconds, table

K = 10
FACTOR = 3.0
# Pages, words in use, words of a page.
DRAWN = {"short": (6000, 5000, 10), "usual": (6000, 20_000, 110), "long": (2000, 20_000, 600)}
YAHOO = ("arts", "education")


def folder() -> Path | None:
    """Return where Yahoo's pages lie."""
    named = os.environ.get("LABELRANK_BENCHMARK_DATA")
    return Path(named) / "yahoo" if named and (Path(named) / "yahoo").is_dir() else None


def sets() -> list[str]:
    """Name the sets of pages that can be measured."""
    return [*DRAWN, *(YAHOO if folder() else ())]


def pages(name: str) -> Dataset:
    """Return pages as counts of words."""
    if name in YAHOO:
        return read_dataset(folder() / f"{name}.svm.gz")
    n_pages, n_words, length = DRAWN[name]
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, n_words + 1)
    words = rng.choice(n_words, size=n_pages * length, p=frequency / frequency.sum())
    counts = (np.ones(len(words)), (np.repeat(np.arange(n_pages), length), words))
    return Dataset(
        X=sparse.coo_matrix(counts, shape=(n_pages, n_words)).tocsr(),
        Y=(rng.random((n_pages, 20)) < 0.1).astype(int),
        task=Task.MULTILABEL,
        feature_names=[f"w{j}" for j in range(n_words)],
        label_names=[f"l{j}" for j in range(20)],
        name=name,
    )


def parts(name: str) -> tuple:
    """Return weighted training pages, their labels, and weighted test pages."""
    data = pages(name)
    split = holdout_split(data)
    (step,) = preparation(scaled=True, tfidf=True, is_sparse=True)
    train = step.fit_transform(data.X[split.train])
    return train, data.Y[split.train], step.transform(data.X[split.test])


def neighbours(name: str, metric: str) -> measure.Task:
    train, Y, queries = parts(name)
    return measure.Task(
        lambda: KNeighborsMultilabelRanker(K, metric=metric).fit(train, Y).predict(queries),
        {
            "brute": lambda: (
                NearestNeighbors(n_neighbors=K, algorithm="brute", metric=metric)
                .fit(train)
                .kneighbors(queries)
            )
        },
    )


def ml_knn(name: str) -> measure.Task:
    train, Y, queries = parts(name)

    def both() -> None:
        found = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(train)
        found.kneighbors()
        found.kneighbors(queries)

    return measure.Task(lambda: MLkNNClassifier(K).fit(train, Y).predict(queries), {"brute": both})


def budget_lines() -> Iterator[Line]:
    for name in sets():
        for metric in ("euclidean", "cosine"):
            title = f"k-NN of text, fit + predict, {name} pages, {metric}"
            run = partial(neighbours, name, metric)
            # Of short pages the search takes so little that the consensus counts.
            budget = 1.5 if name == "short" else 1.2
            yield Line(title, run, budget, megabytes=100, clock="processor")
        title = f"ML-kNN of text, fit + predict, {name} pages"
        yield Line(title, partial(ml_knn, name), 1.2, megabytes=100, clock="processor")


def estimate(name: str, key: str) -> tuple[float, float]:
    """Return what fit and predict take, and what the catalog says."""
    data = pages(name)
    split, choice = holdout_split(data), ModelChoice(key, tfidf=True)
    model, targets = choice.build(is_sparse=True), choice.algorithm.targets(data, split.train)

    def work() -> None:
        model.fit(data.X[split.train], targets).predict(data.X[split.test])

    with threadpool_limits(1):
        took = seconds(work, "processor")
    return took, choice.seconds(Size.of(data, len(split.train), len(split.test)))


def estimates(words: list[str]) -> list[str]:
    """Print what methods take and what is estimated; return where that is wrong."""
    keys = [key for key, each in ALGORITHMS.items() if Task.MULTILABEL in each.tasks]
    complaints = []
    print(f"\n{'Estimates of fit + predict':<40}{'s':>10}{'estimate':>10}")
    for name in (f"estimate of {key}, {name} pages" for name in sets() for key in keys):
        if not all(word in name for word in words):
            continue
        key, pages_of = name.removeprefix("estimate of ").removesuffix(" pages").split(", ")
        took, said = in_a_process(estimate, pages_of, key)
        print(f"{name:<40}{took:>10.2f}{said:>10.2f}", flush=True)
        if not 1 / FACTOR <= said / took <= FACTOR:
            complaints.append(f"wrong: {name}")
    return complaints


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(conclude(table("Budgets", budget_lines(), asked) + estimates(asked)))
