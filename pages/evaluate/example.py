"""One small prediction beside the truth, with the value of every measure."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from labelrank_core import Dataset, PairPreferences, Task
from labelrank_core.evaluation.evaluate import evaluate_predictions
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.metrics import METRICS

_N_LABELS = 4


@dataclass(frozen=True)
class MeasureExample:
    """The drawing of a true and a predicted ranking or label set, and the measures' values."""

    markup: str
    values: Mapping[str, float]


def example_of(dataset: Dataset) -> MeasureExample | None:
    """Swap the second and third label of a ranking; None where there are fewer than three.

    Of a label set the first two are relevant, so that a wrong one takes the place of a right one.
    """
    names = dataset.label_names[:_N_LABELS]
    n_labels = len(names)
    if n_labels < 3:
        return None
    true_positions = np.arange(1, n_labels + 1)
    positions = true_positions.copy()
    positions[[1, 2]] = positions[[2, 1]]
    relevance = (true_positions <= 2).astype(int)
    predicted_relevance = (positions <= 2).astype(int)
    targets = {
        Task.LABEL_RANKING: true_positions,
        Task.MULTILABEL: relevance,
        # The zero line follows the first two labels.
        Task.CALIBRATED_RANKING: np.append(true_positions + (true_positions > 2), 3),
        Task.PAIR_PREFERENCES: PairPreferences.from_rankings(true_positions[None]).signs[0],
    }[dataset.task]
    case = Dataset([[0.0]], np.array([targets], dtype=float), dataset.task, ["x"], names, "example")
    is_set = dataset.task.has_zero_line
    table = evaluate_predictions(
        case,
        [0],
        positions=positions[None],
        relevance=predicted_relevance[None] if is_set else None,
        scores=-positions[None].astype(float) if is_set else None,
    )
    values = {
        key: float(value)
        for key, value in zip(table["measure"], table["value"], strict=True)
        if METRICS[key].has_cases and np.isfinite(value)
    }
    n_relevant = 2 if is_set else None
    rows = "".join(
        f"<tr><th>{ranking.title}</th><td>{markup.strip(ranking, names)}</td></tr>"
        for ranking in (
            RankedLabels.from_positions(true_positions, "Real", n_relevant),
            RankedLabels.from_positions(positions, "Predicted", n_relevant),
        )
    )
    return MeasureExample(
        f'<div class="lr lr-first-rows"><table><tbody>{rows}</tbody></table></div>', values
    )
