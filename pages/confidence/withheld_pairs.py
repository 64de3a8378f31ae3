"""Withholding pairs of labels: the remaining predictions and their accuracy."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation import abstention
from labelrank_core.evaluation.abstention import AbstentionCurve, PartialOrder, partial_order
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import true_columns, true_positions
from labelrank_core.methods import ALGORITHMS, Algorithm, Size
from labelrank_core.rankings import equal_up_to_rounding
from pages.ui import compute
from pages.ui.render import drawing, tables, widgets
from pages.ui.render.charts.confidence import abstention_curve, possible_positions
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import models
from pages.ui.toolbar.case import case_title
from pages.ui.view import View
from pages.ui.wording import text

_NAMED = 3
# Comparing one pair of labels by about fifty votes, for one case at every threshold.
_PAIR_SECONDS = 7e-7


def render_withheld_pairs(view: View, split: Split) -> None:
    """Draw the gain of withholding pairs of weak support, and the partial order of one case."""
    dataset, algorithm = view.dataset, view.choice.algorithm
    votes, support = algorithm.votes, algorithm.support
    if not votes:
        render_no_votes(algorithm, "Single pairs can be left open")
        return
    curve = abstention_curve_of_tests(view, split)
    if not curve.n_pairs.any():
        st.info("No test case orders two labels, so there is nothing to compare with.")
        return
    headline_slot = st.container(key="headline")
    picture_slot = st.container(key="abstention_picture")
    enough = f"its {support} is above" if support else f"more than this share of the {votes} agree"
    percent = st.slider(
        drawing.with_nouns(f"A pair is clear if {enough} (%)"),
        50,
        99,
        70,
        key="agree",
        bind="query-params",
        help="Only clear pairs are predicted.",
    )
    chosen = curve.at(percent / 100)
    with headline_slot:
        drawing.render_heading(verdict(chosen, curve.at(0.5)))
        drawing.render_markdown(
            drawing.with_nouns(clear_pairs_text(chosen, percent, votes, support))
        )
    with picture_slot:
        _render_curve(curve, percent, split)
    widgets.render_csv_download("Curve (CSV)", curve.frame(), f"{dataset.name}-abstention.csv")
    order = partial_order(models.pair_support(view), threshold=percent / 100)
    _render_case(dataset, order, view.row, percent, support or f"of the {votes}")


def render_no_votes(algorithm: Algorithm, purpose: str) -> None:
    """Draw the notice that a method has no votes on pairs, and the methods that have."""
    if not algorithm.learns_rankings:
        st.info(
            drawing.with_nouns(
                "This method predicts label sets and takes no votes on pairs of labels. Whether "
                "its confidence is justified stands under Cases."
            )
        )
        return
    voting_titles = [
        other_algorithm.title for other_algorithm in ALGORITHMS.values() if other_algorithm.votes
    ]
    titles, n_more = ", ".join(voting_titles[:_NAMED]), len(voting_titles) - _NAMED
    st.info(
        f"This method takes no votes on pairs of labels. {purpose} by {titles} and {n_more} other "
        "methods."
    )


def abstention_curve_of_tests(view: View, split: Split) -> AbstentionCurve:
    """Withhold label pairs of the test rows at every threshold."""
    dataset, choice = view.dataset, view.choice
    fitted = models.fitted(dataset, choice, split)
    searching = choice.seconds(Size.of(dataset, len(split.train), len(split.test)))
    return compute.once(
        compute.digest("abstention", fitted.key, choice.path_params, split.test.tobytes()),
        "Withholding label pairs",
        partial(abstention.withhold_pairs, setting=choice.path_params),
        fitted.model,
        dataset,
        split.test,
        seconds=searching + _PAIR_SECONDS * len(split.test) * dataset.n_labels**2,
    )


def _render_curve(curve: AbstentionCurve, percent: int, split: Split) -> None:
    table, chosen = curve.frame(), curve.at(percent / 100)
    drawing.render_chart(
        abstention_curve(table, chosen),
        key="abstention",
        alt=drawing.with_nouns(
            f"share of the clear pairs that are right against the share that is clear; at "
            f"{percent}% {chosen['share_predicted']:.1%} are clear"
        ),
        table=table,
        caption=measured_on(split),
        more="The pairs that the real rankings order, of all test cases together. The table also "
        "has the means over test cases of Cheng, Rademaker, De Baets and Hüllermeier 2010. "
        "Correctness: pairs predicted right minus wrong, divided by all predicted (1: all right, "
        "0: as by guessing, −1: all wrong). Completeness: the share of the pairs predicted. "
        f"{OTHER_NUMBERS}",
    )


def verdict(chosen: pd.Series, all_pairs: pd.Series) -> str:
    """Compare how many of the clear pairs are right with how many of all that can be predicted."""
    if not chosen["share_predicted"]:
        return "With so high a threshold no pair is clear"
    gain = chosen["share_right"] - all_pairs["share_right"]
    right = f"{chosen['share_right']:.1%} of the pairs are right"
    if equal_up_to_rounding(gain, 0) and chosen["share_predicted"] == all_pairs["share_predicted"]:
        return f"{right}, as with the lowest threshold"
    if gain > 0 and not equal_up_to_rounding(gain, 0):
        return f"Without the unclear pairs {right}, instead of {all_pairs['share_right']:.1%}"
    return (
        f"Without the unclear pairs no more are right: {chosen['share_right']:.1%}, before "
        f"{all_pairs['share_right']:.1%}"
    )


def clear_pairs_text(chosen: pd.Series, percent: int, votes: str, support: str) -> str:
    """Define a clear pair at a threshold, and write the share of the pairs that are clear."""
    enough = (
        f"its {support} is above {percent}%"
        if support
        else f"more than {percent}% of the {votes} agree"
    )
    return (
        f"A pair of labels is clear if {enough}, or if it follows from clear pairs. That holds for "
        f"**{chosen['share_predicted']:.1%}** of the pairs. The others stay open."
    )


def _render_case(dataset: Dataset, order: PartialOrder, row: int, percent: int, unit: str) -> None:
    title = text.markdown(text.capitalised(case_title(dataset, row)))
    st.header(
        f"{title}: {drawing.with_nouns('the positions each label can have')}",
        anchor=False,
    )
    names = [text.markdown(name) for name in dataset.label_names]
    withheld_pairs = order.withheld
    unit = drawing.with_nouns(unit)
    if withheld_pairs:
        pairs_text = "; ".join(
            f"{names[first]} or {names[second]} ({share:.0%} {unit} for the first)"
            for first, second, share in withheld_pairs[:_NAMED]
        )
        more = f"; and {len(withheld_pairs) - _NAMED} more" if len(withheld_pairs) > _NAMED else ""
        sentence = f"Open: {pairs_text}{more}."
    else:
        sentence = "No pair is open: this is a ranking."
    truth = dataset.rankings[row] if dataset.task.has_rankings else np.full(len(names), np.nan)
    guide = drawing.with_nouns("A label with a long bar is in many open pairs.")
    st.markdown(
        f"**{order.n_predicted} of {order.n_pairs}** pairs are predicted. {sentence} {guide}"
        f"{drawings.about_marks(truth)}"
    )
    if order.threshold > percent / 100:
        st.markdown(
            f"The pairs of this case contradict each other in a preference cycle. More than "
            f"{order.threshold:.0%} is needed here, so that no cycle is left."
        )
    first, last = order.positions
    table = pd.DataFrame(
        {
            "label": dataset.label_names,
            "best position": first,
            "worst position": last,
        }
    ).join(true_columns(truth, "true position"))
    drawing.render_chart(
        possible_positions(order.positions, true_positions(truth), dataset.label_names),
        key="positions",
        alt="positions each label can have where the predicted pairs hold, one bar per label",
        table=table,
    )
    if len(withheld_pairs) > _NAMED:
        with st.expander(f"All {len(withheld_pairs)} open pairs"):
            pairs = [
                (dataset.label_names[i], dataset.label_names[j], f"{share:.0%}")
                for i, j, share in withheld_pairs
            ]
            st.dataframe(
                pd.DataFrame(pairs, columns=["label", "rather than", unit]),
                hide_index=True,
                height=tables.height(len(pairs)),
            )
