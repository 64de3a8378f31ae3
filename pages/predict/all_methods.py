"""All methods on one case, side by side, and any of them joined with the one in use by lines."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.aggregation import aggregate
from labelrank_core.data.findings import count_of
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence, Explanation
from labelrank_core.explain.pictures import SHOWN
from labelrank_core.explain.standing import wrong_pairs
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.rankings import label_buckets
from pages.predict import joined, nearest
from pages.ui import choice_text, choices, compute, drawing, jobs, models
from pages.ui.models import Case
from pages.ui.view import View

Row = tuple[str, str, str, str]


def side_by_side(asked: View, case: Case) -> None:
    """Draw what every method that learns these data says of the case."""
    dataset, own = asked.dataset, asked.choice
    choices = [
        own if each is own.algorithm else replace(own, key=each.key, params=())
        for each in ALGORITHMS.values()
        if each.learns(dataset)
    ]
    size = Size.of(dataset, len(asked.split.train), 1)
    slow = [each for each in choices if each != own and each.seconds(size) > jobs.SLOW_SECONDS]
    waits = bool(slow) and st.toggle(
        f"Include {count_of(len(slow), 'slow method')}", key="slow_methods"
    )
    shown = [each for each in choices if waits or each not in slow]
    rows = [_predicted(replace(asked, choice=each)) for each in shown]
    rows += [] if asked.edits else _reference(dataset, case, asked.row)
    drawing.heading("All methods on this case")
    drawing.show(markup.methods_table(rows, shown.index(own)))
    with st.grid(2, min_column_width=330, gap="small"):
        with st.container(border=True, height="stretch"):
            _joined(asked, case, [each for each in shown if each != own])
        with st.container(border=True, height="stretch"):
            nearest.offer(asked, case)


def _joined(asked: View, case: Case, others: list[ModelChoice]) -> None:
    """Join the prediction with that of another method, the most different one unless chosen."""
    drawing.heading("Two methods")
    if not others:
        st.caption("No other method is shown.")
        return
    found = {each: models.case(replace(asked, choice=each)).explanation for each in others}
    own_positions = case.explanation.positions
    wrong = [
        len(wrong_pairs(own_positions, each.positions.astype(float))[0]) for each in found.values()
    ]
    titles = [each.algorithm.title for each in others]
    most_different = titles[int(np.argmax(wrong))]
    chosen = choices.choose(
        st.selectbox, "Compare with", titles, most_different, key="against_method"
    )
    other = others[titles.index(chosen)]
    own = asked.choice.algorithm.title
    joined.draw(asked.dataset, (own, case.explanation), (chosen, found[other]))


def _predicted(asked: View) -> Row:
    dataset, found = asked.dataset, models.case(asked).explanation
    sure = found.evidence(Confidence)
    confidence = f"{sure.value:.2f}" if sure.defined else "not defined"
    return (
        choice_text.method_text(asked.choice),
        _strip(dataset, found),
        confidence,
        _right(asked, found),
    )


def _strip(dataset: Dataset, found: Explanation) -> str:
    buckets = label_buckets(found.positions)
    return markup.strip(buckets, dataset.label_names, found.n_relevant, n_labels=SHOWN)


def _right(asked: View, found: Explanation) -> str:
    dataset, row = asked.dataset, asked.row
    if asked.edits:
        return "–"
    if found.relevance is not None:
        right = int((found.relevance == dataset.relevance[row]).sum())
        return f"{right} / {dataset.n_labels} labels"
    wrong, n_compared = wrong_pairs(found.positions, dataset.rankings[row])
    return _right_pairs(len(wrong), n_compared)


def _right_pairs(n_wrong: int, n_compared: int) -> str:
    return f"{n_compared - n_wrong} / {n_compared} pairs" if n_compared else "–"


def _reference(dataset: Dataset, case: Case, row: int) -> list[Row]:
    """Add the consensus of all training cases, and the truth."""
    names, buckets = dataset.label_names, dataset.label_buckets(row)
    if dataset.task is Task.MULTILABEL:
        return [("True labels", markup.strip(buckets, names) if buckets else "none", "", "")]
    truth = dataset.rankings[row]
    consensus = compute.once(
        compute.digest("consensus", dataset.fingerprint, case.training_rows.tobytes()),
        "Aggregating all training cases",
        partial(aggregate, method="borda"),
        dataset.rankings[case.training_rows],
    )
    wrong, n_compared = wrong_pairs(consensus, truth)
    of_all = markup.strip(label_buckets(consensus), names, n_labels=SHOWN)
    right = _right_pairs(len(wrong), n_compared)
    return [
        ("Consensus of all training cases", of_all, "–", right),
        ("True order", markup.strip(buckets, names, n_labels=SHOWN), "", ""),
    ]
