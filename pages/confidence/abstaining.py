"""Withholding pairs of labels: the remaining predictions and their accuracy."""

from functools import partial

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation import abstention
from labelrank_core.evaluation.abstention import AbstentionCurve, PartialOrder, partial_order
from labelrank_core.explain import pictures
from labelrank_core.explain.evidence import true_columns, true_positions
from labelrank_core.methods import ALGORITHMS, Algorithm, Size
from pages.ui import compute, drawing, models, tables, text, widgets
from pages.ui.charts.confidence import abstention_curve, possible_positions
from pages.ui.view import View

_NAMED = 3
# Comparing one pair of labels by about fifty votes, for one case at every threshold.
_PAIR_SECONDS = 7e-7


def withhold_pairs(asked: View, split: Split) -> None:
    """Draw the gain of withholding pairs of weak support, and the partial order of one case."""
    dataset, algorithm = asked.dataset, asked.choice.algorithm
    votes, support = algorithm.votes, algorithm.support
    if not votes:
        no_votes(algorithm, "Single pairs can be withheld")
        return
    curve = withheld(asked, split)
    if not curve.n_pairs.any():
        st.info("No test case orders two labels, so there is nothing to compare with.")
        return
    enough = f"its {support} is above" if support else f"more than this share of the {votes} agree"
    percent = st.slider(
        f"Predict a pair only if {enough} (%)",
        50,
        99,
        70,
        key="agree",
        bind="query-params",
        help="Pairs that follow from predicted ones are predicted too.",
    )
    _curve(dataset, curve, percent)
    order = partial_order(models.pair_support(asked), threshold=percent / 100)
    _case(dataset, order, asked.row, percent, support or f"of the {votes}")


def no_votes(own: Algorithm, what: str) -> None:
    """Say that a method has no votes on pairs, and where else to look."""
    if not own.learns_rankings:
        st.info(
            "This method predicts label sets and takes no votes on pairs of labels. Whether its "
            "confidence is justified stands under Whole cases."
        )
        return
    able = [each.title for each in ALGORITHMS.values() if each.votes]
    shown, n_more = ", ".join(able[:_NAMED]), len(able) - _NAMED
    st.info(
        f"This method takes no votes on pairs of labels. {what} by {shown} and {n_more} other "
        "methods."
    )


def withheld(asked: View, split: Split) -> AbstentionCurve:
    """Withhold label pairs of the test rows at every threshold."""
    dataset, choice = asked.dataset, asked.choice
    found = models.fitted(dataset, choice, split)
    searching = choice.seconds(Size.of(dataset, len(split.train), len(split.test)))
    return compute.once(
        compute.digest("abstention", found.key, choice.path_params, split.test.tobytes()),
        "Withholding label pairs",
        partial(abstention.withhold_pairs, setting=choice.path_params),
        found.model,
        dataset,
        split.test,
        seconds=searching + _PAIR_SECONDS * len(split.test) * dataset.n_labels**2,
    )


def _curve(dataset: Dataset, curve: AbstentionCurve, percent: int) -> None:
    table, chosen = curve.frame(), curve.at(percent / 100)
    shares = _shares_text(chosen)
    st.markdown(
        f"At {percent}%, {shares}. At 50%, which withholds least, {_shares_text(curve.at(0.5))}."
    )
    drawing.chart(
        abstention_curve(table, chosen),
        key="abstention",
        alt=f"share of the predicted pairs that are right against the share predicted; at "
        f"{percent}% {shares.replace('*', '')}",
        table=table,
        caption="One point per threshold; the diamond is the one chosen.",
        more="The pairs that the truth orders, of all test cases together. The table also has the "
        "means over test cases of Cheng, Rademaker, De Baets and Hüllermeier 2010. Correctness: "
        "pairs predicted right minus wrong, divided by all predicted (1: all right, 0: as by "
        "chance, −1: all wrong). Completeness: the share of the pairs predicted.",
    )
    widgets.download_csv("Curve (CSV)", table, f"{dataset.name}-abstention.csv")


def _shares_text(row: pd.Series) -> str:
    """Say of a row of the curve how many pairs are predicted, and how many of these are right."""
    if not row["share_predicted"]:
        return "no label pair is predicted"
    return (
        f"**{row['share_predicted']:.1%}** of the label pairs are predicted, "
        f"**{row['share_right']:.1%}** of them right"
    )


def _case(dataset: Dataset, order: PartialOrder, row: int, percent: int, unit: str) -> None:
    drawing.heading(f"Row {row + 1}: the positions each label can have")
    names = [text.markdown(name) for name in dataset.label_names]
    withheld = order.withheld
    if withheld:
        shown = "; ".join(
            f"{names[first]} or {names[second]} ({share:.0%} {unit} for the first)"
            for first, second, share in withheld[:_NAMED]
        )
        more = f"; and {len(withheld) - _NAMED} more" if len(withheld) > _NAMED else ""
        said = f"Withheld: {shown}{more}."
    else:
        said = "No pair is withheld: this is a ranking."
    st.markdown(f"**{order.n_predicted} of {order.n_pairs}** pairs are predicted. {said}")
    if order.threshold > percent / 100:
        st.markdown(
            f"The pairs of this case contradict each other in a preference cycle. More than "
            f"{order.threshold:.0%} is needed here, so that no cycle is left."
        )
    first, last = order.positions
    truth = dataset.rankings[row]
    table = pd.DataFrame(
        {
            "label": dataset.label_names,
            "best position": first,
            "worst position": last,
        }
    ).join(true_columns(truth, "true position"))
    drawing.chart(
        possible_positions(order.positions, true_positions(truth), dataset.label_names),
        key="positions",
        alt="positions each label can have where the predicted pairs hold, one bar per label",
        table=table,
        caption="Long bars: labels with many withheld pairs." + pictures.about_marks(truth),
    )
    if len(withheld) > _NAMED:
        with st.expander(f"All {len(withheld)} withheld pairs", icon=":material/list:"):
            pairs = [
                (dataset.label_names[i], dataset.label_names[j], f"{share:.0%}")
                for i, j, share in withheld
            ]
            st.dataframe(
                pd.DataFrame(pairs, columns=["label", "rather than", unit]),
                hide_index=True,
                height=tables.height(len(pairs)),
            )
