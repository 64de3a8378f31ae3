"""Rejecting whole cases: accuracy against confidence, and the mistakes it does not see."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.confidence.band import accuracy_band
from labelrank_core.evaluation.confidence.curves import accuracy_by_confidence
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import RiskCoverage, risk_coverage
from labelrank_core.evaluation.evaluate import CaseAccuracy, Evaluation, case_accuracy
from labelrank_core.methods import tie_labels
from labelrank_core.metrics import shown_measures
from labelrank_core.rankings import FloatArray, IntArray, equal_up_to_rounding
from pages.confidence import kept_curve
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import drawing, tables, widgets
from pages.ui.render.charts.confidence import confidence_curves
from pages.ui.results import evaluations
from pages.ui.view import View


def render_rejection(view: View, split: Split) -> None:
    """Draw the gain of rejecting the least confident cases."""
    dataset = view.dataset
    evaluation = evaluations.of_method(dataset, view.choice, split)
    predicted = evaluation.predictions
    confidences = predicted.confidence
    if confidences is None:
        st.info("This method has no confidence.")
        return
    accuracy = case_accuracy(
        dataset, evaluation.rows, positions=predicted.positions, relevance=predicted.relevance
    )
    curve = accuracy_by_confidence(confidences, accuracy.values)
    if len(curve) < 2:
        st.info(
            "Every test case has the same confidence, so there is no curve to draw. With a single "
            "similar case (k = 1) or a single tree confidence is always 1. Choose more."
        )
        return
    levels = curve["confidence_from"].tolist()
    band = compute.once(
        compute.digest("band", confidences.tobytes(), accuracy.values.tobytes()),
        "Resampling the test cases",
        partial(accuracy_band, levels=levels),
        confidences,
        accuracy.values,
    )
    curve = pd.concat([curve, band[["low", "high"]]], axis=1)
    order = risk_coverage(confidences, accuracy.values)
    drawing.render_heading(verdict(curve))
    kept_curve.render(curve, order, accuracy.title)
    ties = tie_labels(dataset, view.choice)
    measures = [measure.title for measure in shown_measures(evaluation.totals, ties=ties)]
    _render_reading_guide(curve, accuracy, measures)
    _render_details(dataset, curve, order, accuracy)
    _render_mistakes(dataset, evaluation, confidences, accuracy)


def verdict(curve: pd.DataFrame) -> str:
    """Compare the mean accuracy of the surest half, or nearly half, with that of all cases.

    The numbers stand in the sentence that follows the point on the line.
    """
    half, everything = curve.iloc[kept_curve.half_index(curve)], curve.iloc[0]
    surest, overall = half["accuracy_at_least"], everything["accuracy_at_least"]
    if equal_up_to_rounding(surest, overall):
        return "The surest half of the cases is predicted no better than all cases"
    if surest > overall:
        return "The surer the method is of a case, the better it predicts it"
    return "High confidence misleads: the surest half of the cases is predicted worse"


def _render_reading_guide(
    curve: pd.DataFrame, accuracy: CaseAccuracy, measures: Sequence[str]
) -> None:
    """Say what is measured, on which cases, and what the lines are."""
    n_cases = int(np.isfinite(accuracy.values).sum())
    measured = f"Means of {accuracy.title} over {n_cases} test cases."
    if measures and measures[0] != accuracy.title:
        measured += f" How good? uses {measures[0]}, so its number differs."
    drawing.render_caption(
        drawing.with_nouns(
            f"Drag the point. {measured} Band: 95% interval. Best possible: the most accurate "
            "first, known only afterwards. Random order: the mean of all."
        ),
        "The band holds the mean in 95% of 1000 resamples of the test cases. It is drawn where at "
        "least 10 cases are kept."
        + (" Levels with few cases are joined." if curve["binned"].any() else ""),
    )


def _render_details(
    dataset: Dataset, curve: pd.DataFrame, order: RiskCoverage, accuracy: CaseAccuracy
) -> None:
    """Draw the details of the picture: the printed figure, the areas, the numbers."""
    expander = st.expander("How is this computed?", key="kept_details", on_change="rerun")
    if not expander.open:
        return
    with expander:
        gain = ""
        if not np.isnan(order.gain):
            gain = (
                f" So confidence goes {order.gain:.0%} of the way from a random to the best order."
            )
        st.markdown(
            f"The area under the risk–coverage curve is **{order.area:.3f}** (0 is best). The best "
            f"possible order of the same predictions has {order.best_area:.3f}, a random order "
            f"{order.random_area:.3f}.{gain}"
        )
        drawing.render_chart(
            confidence_curves(curve, accuracy.title),
            key="curves",
            alt=f"mean {accuracy.title} from {curve['accuracy_at_least'].iloc[0]:.2f} for all "
            f"cases to {curve['accuracy_at_least'].iloc[-1]:.2f} for the most certain",
            table=curve,
            caption="Above: cases with exactly this confidence. Middle: cases with at least this "
            "confidence. Below: the share of the cases kept.",
            more="Means of the cases, as in Fig. 2 of Brinker and Hüllermeier 2006. A larger dot "
            "stands for more cases. The area is the AURC of Geifman, Uziel and El-Yaniv 2019: the "
            f"mean {accuracy.loss_title} of the most confident cases, averaged over all shares.",
        )
        widgets.render_csv_download("Curves (CSV)", curve, f"{dataset.name}-confidence.csv")


def _case_column(dataset: Dataset, rows: IntArray) -> dict[str, Any]:
    """Return the column that says which cases they are: by their names, else by their numbers."""
    if dataset.case_names is None:
        return {"row": rows + 1}
    return {dataset.nouns.row: [dataset.case_names[row] for row in rows]}


def _render_mistakes(
    dataset: Dataset, evaluation: Evaluation, confidences: FloatArray, accuracy: CaseAccuracy
) -> None:
    drawing.render_heading("The worst mistakes, most confident first")
    worst = confident_mistakes(confidences, accuracy.values)
    if not len(worst):
        st.info("All test cases are predicted equally well.")
        return
    cases = worst["case"].to_numpy()
    rows = evaluation.rows[cases]
    table = pd.DataFrame(
        {
            # On a phone the first columns are in sight.
            accuracy.title: worst["accuracy"],
            "confidence": worst["confidence"],
            **_case_column(dataset, rows),
            "predicted": evaluation.predictions.texts(dataset.label_names, cases),
            "truth": dataset.targets_in_words(rows),
            "surer than": 100 * worst["surer_than"],
        }
    )
    key = choices.table_key("mistakes", rows.tolist())
    percent = st.column_config.NumberColumn(format=drawing.with_nouns("%.0f%% of cases"))
    number = st.column_config.NumberColumn(format="%.2f")
    st.dataframe(
        table,
        hide_index=True,
        height=tables.height(len(table)),
        key=key,
        selection_mode="single-row",
        on_select=lambda: session.set_ticked_row(key, rows),
        column_config={
            "surer than": percent,
            "confidence": number,
            accuracy.title: number,
        },
    )
    drawing.render_caption(
        drawing.with_nouns(
            f"Among the tenth of the test cases with the lowest {accuracy.title}, those with the "
            "highest confidence. Tick a row to select its case."
        )
    )
    if session.row() in rows:
        link_text = f"Look at row {session.row() + 1}: why was it predicted so?"
        widgets.render_link_card(st, "predict", link_text, ":material/search:")
