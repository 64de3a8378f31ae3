"""The realised level of a guarantee of 90 % on seven data sets, in many draws of test cases."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import betabinom

from labelrank_core.data import Dataset
from labelrank_core.evaluation.guarantees import ConformalLabelRanker, realise
from labelrank_core.evaluation.guarantees.semiorder import label_scores
from labelrank_core.methods.trees import LabelRankingForest
from labelrank_core.papers.ledger import RECORDED
from labelrank_core.papers.table import Promises

SETS = ("iris", "stock", "vehicle", "glass", "vowel", "housing", "bodyfat")
PROMISED, N_DRAWS = 0.9, 20
_TEST_SHARE, _N_TREES = 0.3, 50
FILE = "promises.json"


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
    results = pd.DataFrame(draws)
    n = model.calibration_.n_cases
    max_losses = int((1 - PROMISED) * (n + 1) + 1e-9)
    # Every draw by itself, so that it holds for draws that overlap.
    wrong = betabinom(n_tests, max_losses, n + 1 - max_losses).ppf(1 - 0.05 / n_draws)
    return {
        "n_calibration": n,
        "n_tests": n_tests,
        "n_draws": n_draws,
        "promised": PROMISED,
        "realised": results["realised"].mean(),
        "worst": results["realised"].min(),
        "expected": 1 - wrong / n_tests,
        "kept": results["kept"].mean(),
        "width": results["width"].mean(),
    }


def recorded_promises() -> pd.DataFrame:
    """Return the recorded measurements, one row per data set."""
    return pd.DataFrame(json.loads((RECORDED / FILE).read_text(encoding="utf-8")))


def record_promises(rows: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Write rows by data set to a file, in the place of older ones."""
    older = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    merged = {row["data"]: row for row in older}
    merged |= {name: {"data": name, **row} for name, row in rows.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    text = pd.DataFrame(merged.values()).round(6).to_json(orient="records", indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")


PROMISES = Promises(recorded_promises, kept_promises, N_DRAWS)
