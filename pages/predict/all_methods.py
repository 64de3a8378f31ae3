"""All methods on one case, side by side, and the nearest real case with another first label."""

from dataclasses import replace

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.aggregation import aggregate
from labelrank_core.explain.evidence import Confidence, Explanation, Neighbors
from labelrank_core.explain.standing import wrong_pairs
from labelrank_core.methods import ALGORITHMS
from pages.ui import compute, drawing, jobs, markup, models, params, tables, text
from pages.ui.evidence import verdict
from pages.ui.models import Case
from pages.ui.state import Query

Row = tuple[str, str, str, str]


def side_by_side(asked: Query, case: Case) -> None:
    """Draw what every method that learns these data says of the case."""
    dataset, own = asked.dataset, asked.choice
    choices = [
        own if each is own.algorithm else replace(own, key=each.key, params=())
        for each in ALGORITHMS.values()
        if each.learns(dataset)
    ]
    size = models.size_of(dataset, len(asked.split.train), 1)
    slow = [each for each in choices if each != own and each.seconds(size) > jobs.SLOW_SECONDS]
    waits = bool(slow) and st.toggle(f"Include {len(slow)} slow methods", key="slow_methods")
    shown = [each for each in choices if waits or each not in slow]
    rows = [_predicted(replace(asked, choice=each)) for each in shown]
    rows += [] if asked.edits else _reference(dataset, case, asked.row)
    drawing.heading("All methods on this case")
    drawing.show(markup.methods_table(rows, shown.index(own)))
    if not asked.edits and dataset.task is not Task.MULTILABEL:
        _nearest_other(dataset, case)


def _predicted(asked: Query) -> Row:
    dataset, found = asked.dataset, models.case(asked).explanation
    sure = found.evidence(Confidence)
    confidence = f"{sure.value:.2f}" if sure.defined else "not defined"
    return (
        params.method_text(asked.choice),
        _strip(dataset, found),
        confidence,
        _right(asked, found),
    )


def _strip(dataset: Dataset, found: Explanation) -> str:
    return markup.strip(found.order[: verdict.LABELS_SHOWN], dataset.label_names, found.n_relevant)


def _right(asked: Query, found: Explanation) -> str:
    dataset, row = asked.dataset, asked.row
    if asked.edits:
        return "–"
    if found.relevance is not None:
        right = int((found.relevance == dataset.relevance[row]).sum())
        return f"{right} / {dataset.n_labels} labels"
    wrong, n_compared = wrong_pairs(found.positions, dataset.rankings[row])
    return f"{n_compared - len(wrong)} / {n_compared}"


def _reference(dataset: Dataset, case: Case, row: int) -> list[Row]:
    """Add the consensus of all training cases, and the truth."""
    names, order = dataset.label_names, dataset.ordered_labels(row)
    if dataset.task is Task.MULTILABEL:
        return [("True labels", markup.strip(order, names) if order else "none", "", "")]
    truth = dataset.rankings[row]
    consensus = compute.once(
        compute.digest("consensus", dataset.fingerprint, case.training_rows.tobytes()),
        lambda: aggregate(dataset.rankings[case.training_rows], method="borda"),
    )
    wrong, n_compared = wrong_pairs(consensus, truth)
    of_all = [int(label) for label in np.argsort(consensus)][: verdict.LABELS_SHOWN]
    right = f"{n_compared - len(wrong)} / {n_compared}"
    return [
        ("Consensus of all training cases", markup.strip(of_all, names), "–", right),
        ("True order", markup.strip(order[: verdict.LABELS_SHOWN], names), "", ""),
    ]


def _nearest_other(dataset: Dataset, case: Case) -> None:
    """Name the most similar training case whose true first label is another one."""
    near = case.explanation.find(Neighbors)
    if near is None:
        return
    rows, tops = case.training_rows[near.rows], dataset.first_labels
    others = rows[(tops[rows] >= 0) & (tops[rows] != case.explanation.order[0])]
    if not len(others):
        st.caption("All of the most similar cases have the same first label.")
        return
    name = text.markdown(tables.case_name(dataset, int(others[0])))
    label = text.markdown(dataset.label_names[int(tops[others[0]])])
    st.markdown(f"Nearest case with another first label: **{name}** ({label} first).")
