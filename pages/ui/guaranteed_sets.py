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
from pages.ui import compute, guarantees
from pages.ui.guarantees import Held
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

    found: Held
    scale: float
    thresholds: FloatArray
    n_cases: int
    risk: str

    def is_promised(self, percent: int) -> bool:
        """Tell whether a level can be promised at all."""
        return bool(np.isfinite(self.thresholds[_place(percent)]))

    def threshold(self, percent: int) -> float:
        """Return above which probability a label is taken."""
        return threshold_or_default(float(self.thresholds[_place(percent)]), RISKS[self.risk])

    def refusal(self, percent: int) -> str:
        """Say that a level cannot be promised."""
        return (
            f"{percent}% cannot be promised with {self.n_cases} calibration cases and this method."
        )


def guarantee(
    dataset: Dataset, choice: ModelChoice, split: Split, risk: str, row: int | None = None
) -> SetGuarantee | None:
    """Choose thresholds by cases held out of training; None: there are too few."""
    found = guarantees.held(dataset, choice, split, row)
    if found is None:
        return None
    rows = found.rows[dataset.relevance[found.rows].any(axis=1)]
    if not len(rows):
        return None
    trained = np.setdiff1d(split.train, np.append(found.rows, [] if row is None else row))
    some = trained[:: -(-len(trained) // _MOST_SCORED)]
    scale = float(np.std(guarantees.scores(dataset, choice, found, some)))
    own = scores_to_probabilities(guarantees.scores(dataset, choice, found, rows), scale)
    thresholds = compute.once(
        compute.digest("set thresholds", found.key, risk),
        "Calibrating",
        partial(controlled_thresholds, levels=LEVELS, risk=RISKS[risk]),
        own,
        dataset.relevance[rows],
        seconds=_SECONDS,
    )
    return SetGuarantee(found, scale, thresholds, len(rows), risk)


def of_case(asked: View, promised: SetGuarantee, percent: int) -> tuple[list[int], IntArray]:
    """Return the labels of a case by falling score, and which of them are in its set."""
    scores = guarantees.case_scores(asked, promised.found)
    taken = scores_to_probabilities(scores, promised.scale) > promised.threshold(percent)
    order = np.argsort(-scores, kind="stable")
    return order.tolist(), taken.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Tested(RealisedSets):
    """The same with their rows."""

    rows: IntArray


def tested(asked: View, rows: IntArray, promised: SetGuarantee) -> Tested:
    """Score those of some rows that have a relevant label."""
    dataset = asked.dataset
    known = rows[dataset.relevance[rows].any(axis=1)]
    scores = guarantees.scores(dataset, asked.choice, promised.found, known)
    probabilities = scores_to_probabilities(scores, promised.scale)
    return Tested(probabilities, dataset.relevance[known] == 1, known)


def realised(found: Tested, promised: SetGuarantee) -> pd.DataFrame:
    """Tabulate what test cases realise at every level, and the set sizes."""
    table = []
    for level in LEVELS:
        percent = round(100 * level)
        share, size = found.at(promised.threshold(percent), RISKS[promised.risk])
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


def drift(asked: View, split: Split, promised: SetGuarantee) -> tuple[Exchangeability, bool] | None:
    """Test whether unseen cases drift, by the least probable relevant label of each."""
    own, others = (tested(asked, rows, promised) for rows in (promised.found.rows, split.test))
    rows = np.append(own.rows, others.rows)
    values = np.append(own.lowest, others.lowest)
    return guarantees.shift(promised.found, split, rows, values, len(own.rows))


def _place(percent: int) -> int:
    return percent - round(100 * LEVELS[0])
