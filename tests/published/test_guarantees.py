"""Conformal orders on seven published sets and in long simulations: the promise and what is kept.

`pytest -m slow -s` prints the table: realised coverage, pairs kept and widths of intervals.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom, binom

from labelrank_core import ConformalLabelRanker, LabelRankingForest
from labelrank_core.evaluation.guarantees import RISKS
from labelrank_core.papers.data_sets import read_rankings
from labelrank_core.papers.promises import (
    N_DRAWS,
    PROMISED,
    SETS,
    kept_promises,
    recorded_promises,
)
from tests.core.test_guarantees import KINDS, RARE, realised, simulated

pytestmark = pytest.mark.slow

ALPHA = 1 - PROMISED


def measured(folder, name, risk, held):
    """Draw a test set of 30 % again and again; what is wrong, kept and wide on average."""
    table = pd.read_csv(folder / "kebi" / f"{name}.csv")
    X = table.filter(regex="^A").to_numpy()
    Y = table.filter(regex="^L").to_numpy(dtype=float)
    n_tests = round(0.3 * len(X))
    rows = []
    for seed in range(N_DRAWS):
        shuffled = np.random.default_rng(seed).permutation(len(X))
        tests, train = shuffled[:n_tests], shuffled[n_tests:]
        forest = LabelRankingForest(50, random_state=seed)
        model = ConformalLabelRanker(
            forest, ALPHA, risk=risk, calibration=held, random_state=seed
        ).fit(X[train], Y[train])
        wrong, share = realised(model, X[tests], Y[tests])
        order = model.predict_order(X[tests])
        m = Y.shape[1]
        rows.append(
            {
                "n": model.calibration_.n_cases,
                "tests": n_tests,
                "wrong": wrong.sum(),
                "share": share.mean(),
                "kept": (order > 0).sum() / (len(tests) * m * (m - 1) / 2),
                "width": np.ptp(model.predict_interval(X[tests]), axis=2).mean() + 1,
                "proven": model.guaranteed_risk_,
            }
        )
    return pd.DataFrame(rows)


def said(title, name, found, loss):
    kept, width = found["kept"].mean(), found["width"].mean()
    print(  # noqa: T201
        f"{title:26} {name:8} n = {found['n'].iloc[0]:4} kept right {1 - loss.mean():.3f} "
        f"({1 - loss.max():.3f} to {1 - loss.min():.3f})  pairs {kept:.2f}  width {width:.2f}"
    )


@pytest.mark.parametrize("name", SETS)
def test_no_pair_is_wrong_as_often_as_promised(benchmark_data, name):
    found = measured(benchmark_data, name, "any_pair", 0.3)
    said("any pair, held out", name, found, found["wrong"] / found["tests"])
    # Given the calibration cases, the share of right ones is at worst Beta(n + 1 - l, l).
    n, tests = int(found["n"].iloc[0]), int(found["tests"].iloc[0])
    most = int(np.floor(ALPHA * (n + 1) + 1e-9))
    worst = betabinom(tests, most, n + 1 - most)
    assert found["wrong"].max() <= worst.ppf(1 - RARE)
    # The draws overlap, so their mean is no more certain than a single one.
    assert found["wrong"].mean() <= worst.ppf(0.99)


@pytest.mark.parametrize("name", ["iris", "glass"])
def test_promises_are_kept_as_recorded(benchmark_data, name):
    dataset = read_rankings(benchmark_data / "kebi" / f"{name}.csv", name)
    again = kept_promises(dataset)
    kept = recorded_promises().set_index("data").loc[name]
    assert again == pytest.approx(kept.to_dict(), abs=1e-3)
    found = measured(benchmark_data, name, "any_pair", 0.3)
    assert 1 - found["wrong"].mean() / found["tests"].iloc[0] == pytest.approx(again["realised"])
    assert found["kept"].mean() == pytest.approx(again["kept"])
    assert found["width"].mean() == pytest.approx(again["width"])


@pytest.mark.parametrize("name", SETS)
def test_the_share_of_wrong_pairs_is_as_promised(benchmark_data, name):
    found = measured(benchmark_data, name, "share_of_pairs", 0.3)
    said("share of pairs, held out", name, found, found["share"])
    n, tests = int(found["n"].iloc[0]), int(found["tests"].iloc[0])
    margin = np.sqrt(np.log(100) / 2 * (1 / n + 1 / tests))
    assert found["share"].mean() <= ALPHA + margin


@pytest.mark.parametrize("name", ["iris", "glass", "housing"])
def test_folds_keep_what_is_proven(benchmark_data, name):
    found = measured(benchmark_data, name, "any_pair", 10)
    said("any pair, 10 folds", name, found, found["wrong"] / found["tests"])
    proven, tests = float(found["proven"].max()), int(found["tests"].iloc[0])
    assert proven < 2 * ALPHA
    assert found["wrong"].mean() <= binom.ppf(0.99, tests, proven)


@pytest.mark.parametrize("n", [10, 38, 200])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("kind", KINDS)
def test_simulated_promises_are_kept(kind, alpha, n):
    wrong, _ = simulated(kind, alpha=alpha, n=n, n_draws=2000, seed=7)
    assert wrong.sum() <= binom.ppf(1 - RARE, len(wrong), alpha)


@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("n_folds", [2, 5, 20])
def test_simulated_folds_keep_what_is_proven(risk, n_folds):
    wrong, share = simulated("plain", alpha=0.2, n=40, held=n_folds, risk=risk, n_draws=1000)
    m = 40 // n_folds
    proven = 0.2 if m == 1 else 0.2 + 0.8 * (m - 1) / (40 + m)
    loss = wrong if risk == "any_pair" else share
    assert loss.mean() <= proven + np.sqrt(np.log(1 / RARE) / (2 * len(loss)))
