"""Label sets with a promised recall or precision, kept ready for every level at once."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.guarantees import LEVELS, Exchangeability
from labelrank_core.evaluation.guarantees.label_sets import (
    PRECISION,
    RECALL,
    controlled_thresholds,
    scores_to_probabilities,
    threshold_or_default,
)
from labelrank_core.evaluation.guarantees.realised_sets import RealisedSets
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui import compute
from pages.ui.results import guarantees
from pages.ui.results.guarantees import HeldOutModel
from pages.ui.view import View

MISS_FEW, FEW_WRONG = "Few relevant labels missed", "Few wrong labels"
RISKS = {MISS_FEW: RECALL, FEW_WRONG: PRECISION}
TOO_FEW = "A guarantee takes two training cases, and one held out with a label."
# So many training cases tell the standard deviation of scores.
_MOST_SCORED = 300
# MAPIE takes seconds to import, which is left to a child program.
_SECONDS = 4.0


@dataclass(frozen=True, eq=False)
class SetGuarantee:
    """Thresholds for every level, of cases that the model has not been trained on."""

    held_out: HeldOutModel
    scale: float
    thresholds: FloatArray
    n_cases: int
    risk: str

    def is_promised(self, percent: int) -> bool:
        """Tell whether a level can be promised at all."""
        return bool(np.isfinite(self.thresholds[_level_index(percent)]))

    def threshold(self, percent: int) -> float:
        """Return above which probability a label is taken."""
        return threshold_or_default(float(self.thresholds[_level_index(percent)]), RISKS[self.risk])

    def refusal(self, percent: int) -> str:
        """Say that a level cannot be promised."""
        return (
            f"{percent}% cannot be promised with {self.n_cases} calibration cases and this method."
        )


def guarantee(
    dataset: Dataset, choice: ModelChoice, split: Split, risk: str, row: int | None = None
) -> SetGuarantee | None:
    """Choose thresholds by cases held out of training; None: there are too few."""
    held_out = guarantees.fit_held_out(dataset, choice, split, row)
    if held_out is None:
        return None
    rows = held_out.rows[dataset.relevance[held_out.rows].any(axis=1)]
    if not len(rows):
        return None
    trained = np.setdiff1d(split.train, np.append(held_out.rows, [] if row is None else row))
    scored_rows = trained[:: -(-len(trained) // _MOST_SCORED)]
    scale = float(np.std(guarantees.scores(dataset, choice, held_out, scored_rows)))
    probabilities = scores_to_probabilities(
        guarantees.scores(dataset, choice, held_out, rows), scale
    )
    thresholds = compute.once(
        compute.digest("set thresholds", held_out.key, risk),
        "Calibrating",
        partial(controlled_thresholds, levels=LEVELS, risk=RISKS[risk]),
        probabilities,
        dataset.relevance[rows],
        seconds=_SECONDS,
    )
    return SetGuarantee(held_out, scale, thresholds, len(rows), risk)


def of_case(view: View, promised: SetGuarantee, percent: int) -> tuple[list[int], IntArray]:
    """Return the labels of a case by falling score, and which of them are in its set."""
    scores = guarantees.case_scores(view, promised.held_out)
    in_set = scores_to_probabilities(scores, promised.scale) > promised.threshold(percent)
    order = np.argsort(-scores, kind="stable")
    return order.tolist(), in_set.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Tested(RealisedSets):
    """The same with their rows."""

    rows: IntArray


def tested(view: View, rows: IntArray, promised: SetGuarantee) -> Tested:
    """Score those of some rows that have a relevant label."""
    dataset = view.dataset
    tested_rows = rows[dataset.relevance[rows].any(axis=1)]
    scores = guarantees.scores(dataset, view.choice, promised.held_out, tested_rows)
    probabilities = scores_to_probabilities(scores, promised.scale)
    return Tested(probabilities, dataset.relevance[tested_rows] == 1, tested_rows)


def realised(tests: Tested, promised: SetGuarantee) -> pd.DataFrame:
    """Tabulate the recall or precision of test cases at every level, and the set sizes."""
    table = []
    for level in LEVELS:
        percent = round(100 * level)
        share, size = tests.at(promised.threshold(percent), RISKS[promised.risk])
        is_known = promised.is_promised(percent) and len(share)
        table.append(
            {
                "promised": level,
                "realised": share.mean() if is_known else np.nan,
                "size": size.mean() if len(size) else np.nan,
                "empty": (size == 0).mean() if len(size) else np.nan,
                "low": np.nan,
                "high": np.nan,
                "cases": len(share),
            }
        )
    return pd.DataFrame(table)


def drift(view: View, split: Split, promised: SetGuarantee) -> tuple[Exchangeability, bool] | None:
    """Test whether unseen cases drift, by the least probable relevant label of each."""
    held_out_tests, tests = (
        tested(view, rows, promised) for rows in (promised.held_out.rows, split.test)
    )
    rows = np.append(held_out_tests.rows, tests.rows)
    values = np.append(held_out_tests.lowest, tests.lowest)
    return guarantees.shift(promised.held_out, split, rows, values, len(held_out_tests.rows))


def _level_index(percent: int) -> int:
    return percent - round(100 * LEVELS[0])
