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
from labelrank_core.explain.evidence import (
    Explanation,
    LabelScores,
    SurePairs,
    positions_within,
)
from labelrank_core.methods import ModelChoice, Size
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.results import models
from pages.ui.view import View

ANY_PAIR, SHARE_OF_PAIRS = "All decided pairs right", "Few pairs wrong"
RISKS = {ANY_PAIR: "any_pair", SHARE_OF_PAIRS: "share_of_pairs"}
RISKS_SAID = (
    f"{ANY_PAIR}: in at least this share of cases. "
    f"{SHARE_OF_PAIRS}: on average over cases, at most the rest of the pairs are decided wrongly; "
    "more pairs are decided."
)
USUAL_PERCENT = 90
# The test takes the square of the cases, and a second or two to begin with.
_MOST_TESTED, _DRIFT_SECONDS = 500, 4.0


def choose_guarantee(
    level: str, promise: str, risks: Collection[str], help: str | None = None
) -> tuple[int, str]:
    """Draw the choice of promise and of level, in percent; `level`, `promise`: keys of widgets."""
    with st.grid(2, min_column_width=270, gap="medium"):
        # On a phone the handle stands above the picture whose mark follows it.
        kind = _choose_promise(promise, risks, help)
        return _choose_level(level), kind


def _choose_level(key: str) -> int:
    lowest, highest = (round(100 * level_share) for level_share in LEVELS[[0, -1]])
    return st.slider("Promise (%)", lowest, highest, USUAL_PERCENT, key=key, bind="query-params")


def _choose_promise(key: str, risks: Collection[str], help: str | None) -> str:
    return choices.choose(
        st.segmented_control,
        "What is promised",
        list(risks),
        required=True,
        key=key,
        bind="query-params",
        format_func=session.nouns().insert,
        help=help,
    )


@dataclass(frozen=True, eq=False)
class HeldOutModel:
    """A model at a setting of its path, and the training cases that it has not seen."""

    key: str
    model: Any
    setting: Mapping[str, Any]
    rows: IntArray


def fit_held_out(
    dataset: Dataset, choice: ModelChoice, split: Split, row: int | None = None
) -> HeldOutModel | None:
    """Train without the cases that calibrate, and without one row; None: there are too few."""
    rows = split.train if row is None else split.train[split.train != row]
    if len(rows) < 2:
        return None
    training_rows, unseen = hold_out(rows)
    fitting_choice = choice.within(len(training_rows))
    general = fitting_choice.for_any_path(len(training_rows))
    fit = compute.digest("guaranteed", dataset.fingerprint, general, rows.tobytes())
    with models.limits(choice):
        model, _ = compute.once(
            fit,
            f"Training on {len(training_rows)} cases",
            train_model,
            general.build(is_sparse=dataset.is_sparse),
            dataset,
            training_rows,
            seconds=general.seconds(Size.of(dataset, len(training_rows), 1)),
            algorithm=general.algorithm,
        )
    setting = fitting_choice.path_params
    return HeldOutModel(compute.digest(fit, sorted(setting.items())), model, setting, unseen)


def seconds(view: View) -> float:
    """Estimate the seconds that training and calibrating take."""
    training_rows, unseen = hold_out(view.split.train)
    return view.choice.seconds(Size.of(view.dataset, len(training_rows), len(unseen)))


def calibration(
    dataset: Dataset, choice: ModelChoice, held_out: HeldOutModel, risk: str
) -> Calibration:
    """Calibrate a model on the cases it has not seen, for every level at once."""
    held_out_scores = scores(dataset, choice, held_out, held_out.rows)
    return compute.once(
        compute.digest("calibration", held_out.key, risk),
        "Calibrating",
        calibrate,
        held_out_scores,
        dataset.orders[held_out.rows],
        RISKS[risk],
    )


def realised(view: View, split: Split, risk: str) -> Realised | None:
    """Compare promised and realised risks; None: too few cases, or none to compare."""
    dataset, choice = view.dataset, view.choice
    held_out = fit_held_out(dataset, choice, split)
    truth = dataset.orders[split.test]
    if held_out is None or not orders_pairs(truth).any():
        return None
    test_scores = scores(dataset, choice, held_out, split.test)
    promised = calibration(dataset, choice, held_out, risk)
    return compute.once(
        compute.digest("realised", held_out.key, risk, split.test.tobytes()),
        "Comparing with the test cases",
        realise,
        promised,
        test_scores,
        truth,
    )


def curve(view: View, split: Split, risk: str, realised_risks: Realised) -> pd.DataFrame:
    """Tabulate promised and realised at every level."""
    key = (view.dataset.fingerprint, view.choice, split.train.tobytes(), split.test.tobytes())
    title = "Counting kept promises"
    return compute.once(compute.digest("promised", key, risk), title, realised_risks.frame)


def drift(view: View, split: Split) -> tuple[Exchangeability, bool] | None:
    """Test whether unseen cases drift, by the largest gap that is wrong in each; see `shift`."""
    dataset, choice = view.dataset, view.choice
    held_out, test = fit_held_out(dataset, choice, split), realised(view, split, ANY_PAIR)
    if held_out is None or test is None:
        return None
    held_rows = held_out.rows[orders_pairs(dataset.orders[held_out.rows])]
    held_losses = calibration(dataset, choice, held_out, ANY_PAIR).losses
    rows = np.append(held_rows, split.test[test.cases])
    values = np.append(held_losses.largest(), test.losses.largest())
    return shift(held_out, split, rows, values, len(held_rows))


def shift(
    held_out: HeldOutModel, split: Split, rows: IntArray, values: FloatArray, n_held: int
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
        compute.digest("drift", held_out.key, split.test.tobytes(), follows),
        "Testing random orders",
        exchangeability_test,
        values[order],
        seconds=_DRIFT_SECONDS,
    )
    return tested, follows


def pairs(
    view: View,
    held_out: HeldOutModel,
    threshold: float,
    promise: str,
    explanation: Explanation,
) -> SurePairs:
    """Return the pairs of labels surely in order in the case that is shown.

    Where a pair is undecided, the order is that of the explained prediction.
    """
    scores, has_rankings = case_scores(view, held_out), view.dataset.task.has_rankings
    order = sure_pairs(score_gaps(scores[None]), threshold)[0]
    label_scores = explanation.find(LabelScores)
    return SurePairs(
        order,
        positions_within(order, explanation.order),
        promise,
        None if view.edits or not has_rankings else view.dataset.rankings[view.row],
        scores,
        threshold,
        "score" if label_scores is None else label_scores.title,
    )


def case_scores(view: View, held_out: HeldOutModel) -> FloatArray:
    """Score the labels of the case that is shown."""
    x, edits = models.edited(view), sorted(view.edits.items())
    scores = compute.once(
        compute.digest("guaranteed case", held_out.key, view.row, edits),
        "Predicting",
        label_scores,
        held_out.model,
        x[None],
        held_out.setting,
    )
    return scores[0]


def predicted_scores(view: View) -> FloatArray:
    """Score the labels of the case that is shown by the model that predicts it."""
    model = models.fitted(view.dataset, view.choice, view.split, view.row)
    setting, x = view.choice.path_params, models.edited(view)
    by_model = compute.once(
        compute.digest("predicted scores", *models.result_key(view, model)),
        "Predicting",
        label_scores,
        model.model,
        x[None],
        setting,
    )
    return by_model[0]


def scores(
    dataset: Dataset, choice: ModelChoice, held_out: HeldOutModel, rows: IntArray
) -> FloatArray:
    """Score the labels of rows that a model has not been trained on, or has."""
    sizes = [Size.of(dataset, dataset.n_samples, n) for n in (1, len(rows))]
    one, every = map(choice.seconds, sizes)
    return compute.once(
        compute.digest("guaranteed scores", held_out.key, rows.tobytes()),
        "Calibrating",
        partial(label_scores, setting=held_out.setting),
        held_out.model,
        dataset.X[rows],
        seconds=every - one,
    )
