"""Guarantees kept ready: models trained without the cases that calibrate them, and these."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import train_model
from labelrank_core.evaluation.guarantees import (
    LEVELS,
    Calibration,
    Exchangeability,
    Realised,
    exchangeability_test,
    realise,
)
from labelrank_core.evaluation.guarantees.calibration import (
    calibrate,
    hold_out,
    orders_pairs,
)
from labelrank_core.evaluation.guarantees.semiorder import label_scores, score_gaps, sure_pairs
from labelrank_core.explain.evidence import SurePairs
from labelrank_core.methods import ModelChoice, Size
from labelrank_core.rankings import FloatArray, IntArray, strict_positions
from pages.ui import choices, compute, models
from pages.ui.view import View

ANY_PAIR, SHARE_OF_PAIRS = "No decided pair wrong", "Few pairs wrong"
RISKS = {ANY_PAIR: "any_pair", SHARE_OF_PAIRS: "share_of_pairs"}
RISKS_SAID = (
    f"{ANY_PAIR}: all decided pairs are right in at least this share of cases. "
    f"{SHARE_OF_PAIRS}: on average over cases, at most the rest of the pairs are decided wrongly; "
    "more pairs are decided."
)
USUAL_PERCENT = 90
# The test takes the square of the cases, and a second or two to begin with.
_MOST_TESTED, _DRIFT_SECONDS = 500, 4.0


def ask(
    level: str, promise: str, risks: Collection[str], help: str | None = None
) -> tuple[int, str]:
    """Ask how sure to be, in percent, and what is promised; their widgets have these keys."""
    left, right = st.columns(2, gap="large")
    least, most = (round(100 * each) for each in LEVELS[[0, -1]])
    percent = left.slider(
        "How sure (%)", least, most, USUAL_PERCENT, key=level, bind="query-params"
    )
    kinds = list(risks)
    risk = choices.choose(
        right.segmented_control,
        "What is promised",
        kinds,
        required=True,
        key=promise,
        bind="query-params",
        help=help,
    )
    return percent, risk


@dataclass(frozen=True, eq=False)
class Held:
    """A model at a setting of its path, and the training cases that it has not seen."""

    key: str
    model: Any
    setting: Mapping[str, Any]
    rows: IntArray


def held(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int | None = None
) -> Held | None:
    """Train without the cases that calibrate, and without one row; None: there are too few."""
    rows = split.train if row is None else split.train[split.train != row]
    if len(rows) < 2:
        return None
    others, unseen = hold_out(rows)
    own = choice.within(len(others))
    general = own.for_any_path(len(others))
    fit = compute.digest("guaranteed", dataset.fingerprint, general, rows.tobytes())
    with models.limits(choice):
        model, _ = compute.once(
            fit,
            f"Training on {len(others)} cases",
            train_model,
            general.build(is_sparse=dataset.is_sparse),
            dataset,
            others,
            seconds=general.seconds(Size.of(dataset, len(others), 1)),
            algorithm=general.algorithm,
        )
    setting = own.path_params
    return Held(compute.digest(fit, sorted(setting.items())), model, setting, unseen)


def seconds(asked: View) -> float:
    """Estimate how long it takes to train and to calibrate."""
    others, unseen = hold_out(asked.split.train)
    return asked.choice.seconds(Size.of(asked.dataset, len(others), len(unseen)))


def calibration(dataset: Dataset, choice: ModelChoice, found: Held, risk: str) -> Calibration:
    """Calibrate a model on the cases it has not seen, for every level at once."""
    own = scores(dataset, choice, found, found.rows)
    return compute.once(
        compute.digest("calibration", found.key, risk),
        "Calibrating",
        calibrate,
        own,
        dataset.rankings[found.rows],
        RISKS[risk],
    )


def realised(asked: View, split: Split, risk: str) -> Realised | None:
    """Compare what is promised with the test cases; None: too few cases, or none to compare."""
    dataset, choice = asked.dataset, asked.choice
    found = held(dataset, choice, split)
    truth = dataset.rankings[split.test]
    if found is None or not orders_pairs(truth).any():
        return None
    own = scores(dataset, choice, found, split.test)
    promised = calibration(dataset, choice, found, risk)
    return compute.once(
        compute.digest("realised", found.key, risk, split.test.tobytes()),
        "Comparing with the test cases",
        realise,
        promised,
        own,
        truth,
    )


def curve(asked: View, split: Split, risk: str, found: Realised) -> pd.DataFrame:
    """Tabulate promised and realised at every level."""
    key = (asked.dataset.fingerprint, asked.choice, split.train.tobytes(), split.test.tobytes())
    title = "Counting kept promises"
    return compute.once(compute.digest("promised", key, risk), title, found.frame)


def drift(asked: View, split: Split) -> tuple[Exchangeability, bool] | None:
    """Test whether unseen cases drift, by the largest gap that is wrong in each; see `shift`."""
    dataset, choice = asked.dataset, asked.choice
    found, test = held(dataset, choice, split), realised(asked, split, ANY_PAIR)
    if found is None or test is None:
        return None
    held_rows = found.rows[orders_pairs(dataset.rankings[found.rows])]
    held_losses = calibration(dataset, choice, found, ANY_PAIR).losses
    rows = np.append(held_rows, split.test[test.cases])
    values = np.append(held_losses.largest(), test.losses.largest())
    return shift(found, split, rows, values, len(held_rows))


def shift(
    found: Held, split: Split, rows: IntArray, values: FloatArray, n_held: int
) -> tuple[Exchangeability, bool] | None:
    """Test values of held-out cases, the first, and of test cases.

    Also tell whether training cases are followed by test cases: where a split is published its test
    cases come last, else cases come as they stand in the data. None: there are too few.
    """
    is_test = np.arange(len(rows)) >= n_held
    follows = split.kind == "published"
    order = np.lexsort((rows, is_test)) if follows else np.argsort(rows)
    order = order[:: -(-len(order) // _MOST_TESTED)]
    if len(order) < 2:
        return None
    tested = compute.once(
        compute.digest("drift", found.key, split.test.tobytes(), follows),
        "Testing random orders",
        exchangeability_test,
        values[order],
        seconds=_DRIFT_SECONDS,
    )
    return tested, follows


def pairs(asked: View, found: Held, threshold: float, promise: str) -> SurePairs:
    """Tell which labels are surely ahead of which in the case that is shown."""
    scores = case_scores(asked, found)[None]
    return SurePairs(
        sure_pairs(score_gaps(scores), threshold)[0],
        strict_positions(-scores)[0],
        promise,
        None if asked.edits else asked.dataset.rankings[asked.row],
    )


def case_scores(asked: View, found: Held) -> FloatArray:
    """Score the labels of the case that is shown."""
    x, edits = models.edited(asked), sorted(asked.edits.items())
    scores = compute.once(
        compute.digest("guaranteed case", found.key, asked.row, edits),
        "Predicting",
        label_scores,
        found.model,
        x[None],
        found.setting,
    )
    return scores[0]


def scores(dataset: Dataset, choice: ModelChoice, found: Held, rows: IntArray) -> FloatArray:
    """Score the labels of rows that a model has not been trained on, or has."""
    sizes = [Size.of(dataset, dataset.n_samples, n) for n in (1, len(rows))]
    one, every = map(choice.seconds, sizes)
    return compute.once(
        compute.digest("guaranteed scores", found.key, rows.tobytes()),
        "Calibrating",
        partial(label_scores, setting=found.setting),
        found.model,
        dataset.X[rows],
        seconds=every - one,
    )
