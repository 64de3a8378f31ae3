"""The same work done by scikit-lr and scikit-multilearn, each in an environment of its own.

python tests/benchmarks/rivals.py            all lines, some minutes
python tests/benchmarks/rivals.py ML-kNN     only lines whose name contains the word

All libraries read the same files, and every run has a process of its own. Where a run takes long
it is made once, else thrice, the libraries in turn; times are medians. Each rival's last column
says how far its predictions are ours, and how good both are where they are not meant to be equal.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from labelrank_core import load_sample  # noqa: E402
from labelrank_core.metrics import kendall_tau_score, tau_x_score  # noqa: E402
from labelrank_core.rankings import dense_positions, strict_positions  # noqa: E402
from tests.environments import bootstrap, environment  # noqa: E402

PROGRAM = Path(__file__).with_name("rival_work.py")
REPEATS, LONG_SECONDS = 3, 5.0
# A rival uses the same ones as the project.
LIBRARIES = re.compile("numpy|scipy|scikit-learn")
SCIKIT_LR, SCIKIT_MULTILEARN = ("scikit-lr", "3.13"), ("scikit-multilearn", None)


@dataclass(frozen=True)
class Contest:
    """Work that we do and a rival does, on one set of data; named functions of rival_work.py."""

    name: str
    own: str
    rival: str
    package: tuple[str, str | None]
    data: Callable
    size: tuple[int, int, int]


def rankings(n, d, m):
    """Cases with rankings that depend on the features; the second half are the queries."""
    X, scores = drawn(n, d, m)
    return X, strict_positions(scores), kendall_tau_score


def rankings_with_ties(n, d, m):
    """Such cases with scores rounded, so that labels tie."""
    X, scores = drawn(n, d, m)
    return X, dense_positions(np.round(scores / 5)).astype(int), tau_x_score


def label_sets(n, d, m):
    X, scores = drawn(n, d, m)
    relevance = (scores > np.quantile(scores, 0.7, axis=0)).astype(int)
    return X, relevance, accuracy


def yeast(*_):
    """The sample, its training set first."""
    data = load_sample("yeast")
    order = np.argsort(data.split, kind="stable")
    return data.X[order], data.relevance[order].astype(int), accuracy


def accuracy(truth, found):
    return np.mean(truth == found)


def drawn(n, d, m):
    random = np.random.default_rng(d)
    X = random.normal(size=(2 * n, d))
    return X, X @ random.normal(size=(d, m)) + np.sqrt(d) * random.normal(size=(2 * n, m))


def contests():
    for d in (10, 50):
        for rival, title in (("sklr_knn", "scikit-lr"), ("sklr_knn_brute", "scikit-lr, brute")):
            if d == 10 or rival == "sklr_knn":
                name = f"k-NN, 10000 + 10000 x {d}, 20 labels: {title}"
                yield Contest(name, "own_knn", rival, SCIKIT_LR, rankings, (10_000, d, 20))
    for n_labels in (6, 12):
        name = f"2000 + 2000 x 10, {n_labels} labels with ties, k-NN: scikit-lr's bucket orders"
        size = (2000, 10, n_labels)
        works = "own_knn_with_ties", "sklr_knn_with_ties"
        yield Contest(name, *works, SCIKIT_LR, rankings_with_ties, size)
    name = "forest, 20 trees, depth 8, 2000 + 2000 x 10, 10 labels: scikit-lr's trees"
    yield Contest(name, "own_forest", "sklr_trees", SCIKIT_LR, rankings, (2000, 10, 10))
    for own, rival, title in (
        ("own_ib_m", "sklr_knn", "IB-M: scikit-lr's Mallows model"),
        ("own_ib_pl", "sklr_plackett_luce", "IB-PL: scikit-lr's Plackett-Luce model"),
        ("own_tree", "sklr_tree", "LRT: scikit-lr's tree"),
    ):
        name = f"2000 + 2000 x 10, 7 labels, {title}"
        yield Contest(name, own, rival, SCIKIT_LR, rankings, (2000, 10, 7))
    released, corrected = "skmultilearn_ml_knn", "skmultilearn_ml_knn_others"
    for d, m, rival in (
        (10, 5, released),
        (10, 5, corrected),
        (10, 20, released),
        (10, 100, released),
    ):
        title = "" if rival == released else ", without the own row"
        name = f"ML-kNN, 10000 + 10000 x {d}, {m} labels: scikit-multilearn{title}"
        yield Contest(name, "own_ml_knn", rival, SCIKIT_MULTILEARN, label_sets, (10_000, d, m))

    for own, rival, title in (
        ("own_ml_knn", corrected, "ML-kNN, without the own row"),
        ("own_br", "skmultilearn_br", "binary relevance, linear SVMs"),
        ("own_chain", "skmultilearn_chain", "a classifier chain, logistic regression"),
    ):
        name = f"yeast, {title}: scikit-multilearn"
        yield Contest(name, own, rival, SCIKIT_MULTILEARN, yeast, (1500, 103, 14))


@cache
def python_of(package, version):
    """Return the Python of a package's environment, or the reason why there is none."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if LIBRARIES.match(line)]
    try:
        return environment(bootstrap.VENV / "rivals" / package, [package, *own], version), ""
    except bootstrap.SetupError as reason:
        return None, str(reason)


def run(python, work, folder):
    """Return seconds and peak MB of one piece of work; a RuntimeError says what it died of."""
    command = [str(python), str(PROGRAM), work, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(bootstrap.last_line(done.stderr))
    return json.loads(done.stdout)


def hold(contest, python, folder):
    """Return the seconds and peaks of both sides and what is to say of the predictions."""
    n = contest.size[0]
    X, Y, score = contest.data(*contest.size)
    for name, array in {"X": X[:n], "Y": Y[:n], "queries": X[n:]}.items():
        np.save(folder / f"{name}.npy", array)
    own, other = [], []
    while not other or (len(other) < REPEATS and other[0][0] < LONG_SECONDS):
        own.append(run(sys.executable, contest.own, folder))
        other.append(run(python, contest.rival, folder))
    found = [np.load(folder / f"{work}.npy") for work in (contest.own, contest.rival)]
    return typical(own), typical(other), agreement(*found, Y[n:], score)


def typical(runs):
    """Return the medians of seconds and of peaks, where peaks are known."""
    times, peaks = zip(*runs, strict=True)
    return median(times), None if None in peaks else median(peaks)


def agreement(own, other, truth, score):
    """Say how many predictions are equal and, where not all are, how good both are."""
    equal = f"{np.mean(np.all(own == other, axis=1)):.2%} equal"
    if np.array_equal(own, other):
        return equal
    return f"{equal}; {score.__name__} {score(truth, own):.4f}, theirs {score(truth, other):.4f}"


def table(words=()):
    """Hold and print the contests whose names contain all words; return what failed."""
    chosen = [one for one in contests() if all(word in one.name for word in words)]
    if chosen:
        columns = ("ours s", "theirs s", "times", "ours MB", "theirs MB")
        print(f"\n{'Rivals':<82}" + "".join(f"{column:>11}" for column in columns), flush=True)
    complaints = []
    for contest in chosen:
        python, reason = python_of(*contest.package)
        said = f"  not available: {reason}"
        if python:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    said = cells(*hold(contest, python, Path(folder)))
            except RuntimeError as error:
                said = f"  FAILED: {error}"
                complaints.append(f"failed: {contest.name}")
        print(f"{contest.name:<82}{said}", flush=True)
    return complaints


def cells(own, other, remark):
    peaks = "".join(f"{'-' if mb is None else f'{mb:.0f}':>11}" for _, mb in (own, other))
    return f"{own[0]:>11.3f}{other[0]:>11.3f}{other[0] / own[0]:>11.1f}{peaks}  {remark}"


if __name__ == "__main__":
    sys.exit(bool(table(sys.argv[1:])))
