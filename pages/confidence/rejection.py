"""Rejecting whole cases: accuracy against confidence, and the mistakes it does not see."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.confidence.band import accuracy_band
from labelrank_core.evaluation.confidence.curves import (
    accuracy_after_rejecting,
    accuracy_by_confidence,
)
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import RiskCoverage, risk_coverage
from labelrank_core.evaluation.evaluate import CaseAccuracy, Evaluation, case_accuracy
from labelrank_core.rankings import FloatArray, equal_up_to_rounding
from pages.ui import choices, compute, drawing, evaluations, session, tables, widgets
from pages.ui.charts.confidence import confidence_curves, risk_coverage_curve
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
            "similar case (k = 1) or a single tree confidence is always 1; choose more."
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
    drawing.render_heading(_verdict(order))
    _render_share(confidences, accuracy)
    _render_threshold(dataset, curve, accuracy.title)
    _render_order(order, accuracy)
    _render_mistakes(dataset, evaluation, confidences, accuracy)


def _render_share(confidences: FloatArray, accuracy: CaseAccuracy) -> None:
    share = st.slider("Reject the least certain (%)", 5, 90, 10, 5, key="reject") / 100
    rejection = accuracy_after_rejecting(confidences, accuracy.values, share=share)
    accuracy_before, accuracy_after = rejection.accuracy_before, rejection.accuracy_after
    if equal_up_to_rounding(accuracy_before, accuracy_after):
        moved = f"leaves the mean {accuracy.title} at **{accuracy_before:.3f}**"
    else:
        way = "raises" if accuracy_after > accuracy_before else "lowers"
        moved = (
            f"{way} the mean {accuracy.title} from **{accuracy_before:.3f}** to "
            f"**{accuracy_after:.3f}**"
        )
    st.markdown(
        f"Rejecting the {share:.0%} least certain of {len(confidences)} test cases {moved}. The "
        f"cases kept have a confidence of at least {rejection.threshold:.2f}."
    )


def _render_threshold(dataset: Dataset, curve: pd.DataFrame, title: str) -> None:
    drawing.render_heading("Keep only cases with enough confidence")
    options = _written(curve["confidence_from"].tolist())
    level = choices.choose(
        st.select_slider,
        "Confidence of at least",
        options,
        options[len(options) // 2],
        key="threshold",
        bind="query-params",
        help="Levels of confidence that test cases have. A click on a point of the chart chooses "
        "its level too.",
    )
    at = curve.iloc[options.index(level)]
    has_interval = not np.isnan(at["low"])
    st.markdown(
        f"With a confidence of at least {level}, **{at['share_kept']:.0%}** of the test cases are "
        f"kept; their mean {title} is **{at['accuracy_at_least']:.3f}**"
        + (
            f" ({at['low']:.3f} to {at['high']:.3f} in 95% of 1000 resamples of the test cases)."
            if has_interval
            else "."
        )
    )
    drawing.render_chart(
        confidence_curves(curve, title, at["confidence_from"]),
        key="curves",
        alt=f"mean {title} from {curve['accuracy_at_least'].iloc[0]:.2f} for all "
        f"cases to {curve['accuracy_at_least'].iloc[-1]:.2f} for the most certain",
        table=curve,
        on_click=lambda point: session.set_state("threshold", options[point]),
        caption="(a) cases with exactly this confidence, (b) cases with at least this confidence; "
        "below: the share kept.",
        more="Means of the cases, as in Fig. 2 of Brinker and Hüllermeier 2006; larger dots stand "
        "for more cases. Band: the middle 95% of the means of 1000 bootstrap resamples of the test "
        "cases, where at least 10 are kept."
        + (" Levels with few cases are joined." if curve["binned"].any() else ""),
    )
    widgets.render_csv_download("Curves (CSV)", curve, f"{dataset.name}-confidence.csv")


def _written(levels: list[float]) -> list[str]:
    """Write levels with two decimals, or as many as distinguish them."""
    for digits in range(2, 13):
        options = [f"{level:.{digits}f}" for level in levels]
        if len(set(options)) == len(options):
            break
    return options


def _verdict(order: RiskCoverage) -> str:
    """Say whether surer cases are predicted better, and how much that gains."""
    if np.isnan(order.gain):
        return "All test cases are predicted equally well, so no order of them gains anything"
    if order.gain < 0:
        return "High confidence misleads: a random order would do better"
    return f"The surer, the better: confidence gains {order.gain:.0%} of what can be gained"


def _render_order(order: RiskCoverage, accuracy: CaseAccuracy) -> None:
    drawing.render_heading("Against the best possible order")
    areas = (
        f"Area under the risk–coverage curve: **{order.area:.3f}** (0 is best). The best possible "
        f"order of the same predictions has {order.best_area:.3f}, a random order "
        f"{order.random_area:.3f}."
    )
    st.markdown(areas)
    table = order.frame()
    drawing.render_chart(
        risk_coverage_curve(table, accuracy.loss_title),
        key="risk-coverage",
        alt=f"mean {accuracy.loss_title} of the most confident cases against the share kept; area "
        f"{order.area:.3f} between {order.best_area:.3f} (best possible) and "
        f"{order.random_area:.3f} (random)",
        table=table,
        caption=f"Risk–coverage curve: the mean {accuracy.loss_title} of the most confident cases "
        "by the share kept.",
        more="Best possible: the most accurate cases first, which is known only afterwards. The "
        "area is the AURC of Geifman, Uziel and El-Yaniv 2019; cases with equal confidence count "
        "with their mean.",
    )


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
            "row": rows + 1,
            "confidence": worst["confidence"],
            accuracy.title: worst["accuracy"],
            "predicted": evaluation.predictions.texts(dataset.label_names, cases),
            "truth": dataset.targets_in_words(rows),
            "surer than": 100 * worst["surer_than"],
        }
    )
    key = choices.table_key("mistakes", rows.tolist())
    percent = st.column_config.NumberColumn(format="%.0f%% of cases")
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
    st.caption(
        f"Among the tenth of the test cases with the lowest {accuracy.title}, those with the "
        "highest confidence. Tick a row to select its case."
    )
    if session.row() in rows:
        link_text = f"Look at row {session.row() + 1}: why was it predicted so?"
        widgets.render_link_card(st, "predict", link_text, ":material/search:")
