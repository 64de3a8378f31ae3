"""A case's most predictive values, above those of its neighbours."""

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.data.profile.predictive import far_values
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.render import SHOWN, markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.tables import CaseRow
from pages.ui import compute
from pages.ui.render import tables
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import text

CASES_SHOWN = 5
_CHAINS_SHOWN = 4
_FEATURES_SHOWN = 6


def values_beside(view: View, case: Case) -> str | None:
    """Draw the case's values above those of its neighbours; None: the method has none."""
    near = case.explanation.find(Neighbors)
    if near is None:
        return None
    dataset = view.dataset
    rows = case.training_rows[near.rows][:CASES_SHOWN]
    columns = _columns(view, case)[:_FEATURES_SHOWN]
    names = [dataset.schema.columns[j].name for j in columns]
    case_frame, neighbor_frame = dataset.schema.frame(case.x[None]), dataset.feature_frame(rows)
    first = CaseRow("●", tables.case_name(dataset, view.row), _values(case_frame, 0, names), "?")
    is_far = far_values(dataset, view.row, rows, columns)
    neighbor_rows = [
        CaseRow(
            str(i + 1),
            tables.case_name(dataset, int(row)),
            _values(neighbor_frame, i, names),
            _strip(dataset, int(row)),
            tuple(is_far[i]),
        )
        for i, row in enumerate(rows)
    ]
    targets = "relevant" if dataset.task is Task.MULTILABEL else "ranked"
    if dataset.task is Task.PAIR_PREFERENCES:
        targets = "known pairs"
    return markup.cases_table(first, neighbor_rows, names, (dataset.nouns.row, targets))


def about_values(view: View, case: Case) -> str:
    """Say which cases and features stand in that table."""
    n_cases = len(case.explanation.evidence(Neighbors).rows)
    n_columns = len(_columns(view, case))
    nearest = f"The {CASES_SHOWN} most similar of {n_cases} cases" if n_cases > CASES_SHOWN else ""
    telling = (
        f"the {_FEATURES_SHOWN} most predictive of {n_columns} features"
        + (" that are not 0" if view.dataset.is_sparse else "")
        if n_columns > _FEATURES_SHOWN
        else ""
    )
    selection_text = " and ".join(part for part in (nearest, telling) if part)
    shaded = "Shaded: values far from those of the case."
    return f"{text.capitalised(selection_text)}. {shaded}" if selection_text else shaded


def _columns(view: View, case: Case) -> list[int]:
    """List the raw columns, the most predictive first; of sparse data those that a case has."""
    columns = compute.predictive_columns(view.dataset)
    if not view.dataset.is_sparse:
        return columns
    present_columns = set(view.dataset.schema.column_of_feature[np.flatnonzero(case.x)].tolist())
    return [column for column in columns if column in present_columns]


def _values(frame: pd.DataFrame, row: int, names: list[str]) -> tuple[str, ...]:
    return tuple(_value_text(frame[name].iloc[row]) for name in names)


def _strip(dataset: Dataset, row: int) -> str:
    if dataset.task is Task.PAIR_PREFERENCES:
        chains = dataset.preferences.chains(row)
        return markup.known_pairs(chains, dataset.label_names, max_chains=_CHAINS_SHOWN)
    ranking, names = RankedLabels(dataset.label_buckets(row)), dataset.label_names
    return markup.strip(ranking, names, n_labels=SHOWN) if ranking.buckets else "none"


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else f"{value:,.6g}"
