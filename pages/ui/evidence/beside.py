"""A case's most predictive values above those of its neighbours."""

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.data.profile.predictive import far_values
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.markup.tables import CaseRow
from labelrank_core.explain.pictures import SHOWN
from pages.ui import compute, tables
from pages.ui.models import Case
from pages.ui.view import View

CASES_SHOWN = 5
_FEATURES_SHOWN = 6


def values_beside(asked: View, case: Case) -> str | None:
    """Draw the case's values above those of its neighbours; None: the method has none."""
    near = case.explanation.find(Neighbors)
    if near is None:
        return None
    dataset = asked.dataset
    rows = case.training_rows[near.rows][:CASES_SHOWN]
    columns = _columns(asked, case)[:_FEATURES_SHOWN]
    names = [dataset.schema.columns[j].name for j in columns]
    own, others = dataset.schema.frame(case.x[None]), dataset.feature_frame(rows)
    first = CaseRow("●", tables.case_name(dataset, asked.row), _values(own, 0, names), "?")
    far = far_values(dataset, asked.row, rows, columns)
    drawn = [
        CaseRow(
            str(i + 1),
            tables.case_name(dataset, int(row)),
            _values(others, i, names),
            _strip(dataset, int(row)),
            tuple(far[i]),
        )
        for i, row in enumerate(rows)
    ]
    targets = "relevant" if dataset.task is Task.MULTILABEL else "ranked"
    return markup.cases_table(first, drawn, names, ("case", targets))


def about_values(asked: View, case: Case) -> str:
    """Say which cases and features stand in that table."""
    n_cases = len(case.explanation.evidence(Neighbors).rows)
    n_columns = len(_columns(asked, case))
    nearest = f"The {CASES_SHOWN} most similar of {n_cases} cases" if n_cases > CASES_SHOWN else ""
    telling = (
        f"the {_FEATURES_SHOWN} most predictive of {n_columns} features"
        + (" that are not 0" if asked.dataset.is_sparse else "")
        if n_columns > _FEATURES_SHOWN
        else ""
    )
    which = " and ".join(part for part in (nearest, telling) if part)
    shaded = "Shaded: values far from those of the case."
    return f"{which[0].upper()}{which[1:]}. {shaded}" if which else shaded


def _columns(asked: View, case: Case) -> list[int]:
    """List the raw columns, the most predictive first; of sparse data those that a case has."""
    columns = compute.predictive_columns(asked.dataset)
    if not asked.dataset.is_sparse:
        return columns
    own = set(asked.dataset.schema.column_of_feature[np.flatnonzero(case.x)].tolist())
    return [column for column in columns if column in own]


def _values(frame: pd.DataFrame, place: int, names: list[str]) -> tuple[str, ...]:
    return tuple(_shown(frame[name].iloc[place]) for name in names)


def _strip(dataset: Dataset, row: int) -> str:
    buckets = dataset.label_buckets(row)
    return markup.strip(buckets, dataset.label_names, n_labels=SHOWN) if buckets else "none"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
