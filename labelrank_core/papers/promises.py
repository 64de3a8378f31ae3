"""What a guarantee of 90 % keeps on seven data sets, in many draws of their test cases."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import betabinom

from labelrank_core.data import Dataset
from labelrank_core.evaluation.guarantees import ConformalLabelRanker, realise
from labelrank_core.evaluation.guarantees.semiorder import label_scores
from labelrank_core.methods.trees import LabelRankingForest
from labelrank_core.papers.data_sets import read_rankings
from labelrank_core.papers.ledger import RECORDED

SETS = ("iris", "stock", "vehicle", "glass", "vowel", "housing", "bodyfat")
PROMISED, N_DRAWS = 0.9, 20
_TEST_SHARE, _N_TREES = 0.3, 50
_FILE = RECORDED / "promises.json"


def kept_promises(dataset: Dataset, n_draws: int = N_DRAWS) -> dict[str, float]:
    """Draw test cases again and again, and count those without a wrong decided pair.

    A part of the other cases calibrates a forest, and the rest train it. ``expected`` is what the
    worst draw is below with a probability of at most 5 %, whatever the data.
    """
    X, Y = dataset.X, dataset.rankings
    n_tests = round(_TEST_SHARE * len(X))
    draws = []
    for seed in range(n_draws):
        shuffled = np.random.default_rng(seed).permutation(len(X))
        tests, train = shuffled[:n_tests], shuffled[n_tests:]
        forest = LabelRankingForest(_N_TREES, random_state=seed)
        model = ConformalLabelRanker(forest, 1 - PROMISED, random_state=seed).fit(
            X[train], Y[train]
        )
        scores = label_scores(model.estimators_[0], X[tests])
        draws.append(realise(model.calibration_, scores, Y[tests]).frame([PROMISED]).iloc[0])
    found = pd.DataFrame(draws)
    n = model.calibration_.n_cases
    most = int((1 - PROMISED) * (n + 1) + 1e-9)
    # Every draw by itself, so that it holds for draws that overlap.
    wrong = betabinom(n_tests, most, n + 1 - most).ppf(1 - 0.05 / n_draws)
    return {
        "n_calibration": n,
        "n_tests": n_tests,
        "n_draws": n_draws,
        "promised": PROMISED,
        "realised": found["realised"].mean(),
        "worst": found["realised"].min(),
        "expected": 1 - wrong / n_tests,
        "kept": found["kept"].mean(),
        "width": found["width"].mean(),
    }


def recorded_promises() -> pd.DataFrame:
    """Return what was measured before: one row per data set."""
    return pd.DataFrame(json.loads(_FILE.read_text(encoding="utf-8")))


def record_promises(folder: Path, sets: Sequence[str] = SETS) -> None:
    """Measure data sets of a folder, and write the numbers into the package."""
    rows = [
        {"data": name, **kept_promises(read_rankings(folder / f"{name}.csv", name))}
        for name in sets
    ]
    words = pd.DataFrame(rows).round(6).to_json(orient="records", indent=1)
    _FILE.write_text(f"{words}\n", encoding="utf-8")
