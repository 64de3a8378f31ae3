"""Rejecting whole cases: accuracy against confidence, and the mistakes it does not see."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.confidence.band import FEWEST, accuracy_band
from labelrank_core.evaluation.confidence.curves import accuracy_by_confidence
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import RiskCoverage, risk_coverage
from labelrank_core.evaluation.evaluate import CaseAccuracy, Evaluation, case_accuracy
from labelrank_core.explain.render import markup, true_ranking
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.methods import Algorithm, tie_labels
from labelrank_core.metrics import METRICS, Measure, shown_measures
from labelrank_core.rankings import FloatArray, IntArray, equal_up_to_rounding
from pages.confidence import kept_curve
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import drawing, tables, widgets
from pages.ui.render.charts.confidence import confidence_curves
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import evaluations
from pages.ui.toolbar.case import case_title
from pages.ui.view import View
from pages.ui.wording import text

# Longer rankings are only tabulated.
_MOST_LABELS = 12
_N_DRAWN = 3
_HALF = 0.5


def render_rejection(view: View, split: Split) -> None:
    """Draw the accuracy of the surest cases against that of all, and the most wrong predictions."""
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
    with st.container(key="headline"):
        drawing.render_heading(verdict(curve))
        drawing.render_markdown(drawing.with_nouns(definition(view.choice.algorithm)))
    kept_curve.render(curve, accuracy.unit)
    ties = tie_labels(dataset, view.choice)
    _render_reading_guide(curve, accuracy, shown_measures(evaluation.totals, ties=ties), split)
    _render_details(dataset, evaluation, curve, order, accuracy)
    _render_mistakes(dataset, evaluation, confidences, accuracy)


def definition(algorithm: Algorithm) -> str:
    """Define the confidence of a method, and how to read the picture."""
    meaning = (
        f"how far the {algorithm.votes} agree with the prediction"
        if algorithm.votes
        else "how sure the method is of its prediction"
    )
    return (
        f"Confidence, from 0 to 1, is {meaning}. Drag the ring to keep only the surest cases. "
        "Band: 95% interval."
    )


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
    curve: pd.DataFrame, accuracy: CaseAccuracy, measures: Sequence[Measure], split: Split
) -> None:
    """Draw a caption on the test cases, with the band and the measure in its help."""
    more = "The band holds the mean in 95% of 1000 resamples of the test cases."
    if curve["binned"].any():
        more += " Levels with few cases are joined."
    if measures and measures[0].key != accuracy.measure:
        more += (
            f" The page 'How good?' uses {measures[0].title}, so its number differs from this "
            f"{accuracy.title}."
        )
    few = f" Dotted line: under {FEWEST} cases." if curve["low"].isna().any() else ""
    drawing.render_caption(
        f"{measured_on(split)}{drawing.with_nouns(few)}", f"{more} {OTHER_NUMBERS}"
    )


def _render_details(
    dataset: Dataset,
    evaluation: Evaluation,
    curve: pd.DataFrame,
    order: RiskCoverage,
    accuracy: CaseAccuracy,
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
        printed_curve, title = _printed_curve(evaluation, curve, accuracy)
        drawing.render_chart(
            confidence_curves(printed_curve, title),
            key="curves",
            alt=f"mean {title} from {printed_curve['accuracy_at_least'].iloc[0]:.2f} for all "
            f"cases to {printed_curve['accuracy_at_least'].iloc[-1]:.2f} for the most certain",
            table=printed_curve,
            caption="Above: cases with exactly this confidence. Middle: cases with at least this "
            "confidence. Below: the share of the cases kept.",
            more="Means of the cases, as in Fig. 2 of Brinker and Hüllermeier 2006. A larger dot "
            "stands for more cases. The area is the AURC of Geifman, Uziel and El-Yaniv 2019: the "
            f"mean {accuracy.loss_title} of the most confident cases, averaged over all shares.",
        )
        widgets.render_csv_download("Curves (CSV)", curve, f"{dataset.name}-confidence.csv")


def _printed_curve(
    evaluation: Evaluation, curve: pd.DataFrame, accuracy: CaseAccuracy
) -> tuple[pd.DataFrame, str]:
    """Return the curve of the paper's figure, with its title: of rankings by Spearman's rho."""
    measure = METRICS["spearman_rho_score"]
    if accuracy.measure != "kendall_tau_score" or evaluation.predictions.confidence is None:
        return curve, accuracy.title
    values = evaluation.values[measure.key]
    return accuracy_by_confidence(evaluation.predictions.confidence, values), measure.title


def _case_column(dataset: Dataset, rows: IntArray) -> dict[str, Any]:
    """Return the column that says which cases they are: by their names, else by their numbers."""
    if dataset.case_names is None:
        return {"row": rows + 1}
    return {dataset.nouns.row: [dataset.case_names[row] for row in rows]}


def _render_mistakes(
    dataset: Dataset, evaluation: Evaluation, confidences: FloatArray, accuracy: CaseAccuracy
) -> None:
    worst = confident_mistakes(confidences, accuracy.values)
    drawing.render_heading(mistakes_heading(worst["surer_than"]))
    if not len(worst):
        st.info(drawing.with_nouns("All test cases are predicted equally well."))
        return
    cases = worst["case"].to_numpy()
    rows = evaluation.rows[cases]
    crossing = ""
    if _are_drawn(dataset, evaluation):
        crossing = " Two labels whose lines cross are a wrong pair."
    n_drawn = min(len(worst), _N_DRAWN) if crossing else 0
    listed = mistakes_text(len(worst), n_drawn)
    drawing.render_caption(drawing.with_nouns(f"{listed}{crossing}"))
    if n_drawn:
        _render_drawn_mistakes(dataset, evaluation, worst.head(n_drawn), accuracy)
        with st.expander(
            drawing.with_nouns(f"All {len(worst)} cases") if len(worst) > 1 else "As a table"
        ):
            _render_table_of_mistakes(dataset, evaluation, worst, accuracy)
    else:
        _render_table_of_mistakes(dataset, evaluation, worst, accuracy)
    if session.row() in rows[n_drawn:]:
        link_text = f"Look at row {session.row() + 1}: why was it predicted so?"
        widgets.render_link_card(st, "predict", link_text, ":material/search:")


def mistakes_heading(surer_than: pd.Series) -> str:
    """Say whether the worst predictions are less sure than most, as they should be."""
    if not len(surer_than):
        return "The worst predictions"
    if surer_than.max() < _HALF:
        return "The worst predictions are among the less sure half"
    return "Some of the worst predictions are among the surer half"


def mistakes_text(n_worst: int, n_drawn: int) -> str:
    """Say how many of the worst predicted cases are drawn, or else tabulated."""
    if n_worst == 1:
        return "The worst predicted test case."
    if 0 < n_drawn < n_worst:
        return f"{n_drawn} of the worst predicted test cases, the surest first."
    return f"The {n_worst} worst predicted test cases, the surest first."


def _are_drawn(dataset: Dataset, evaluation: Evaluation) -> bool:
    """Tell whether predictions are rankings short enough to be drawn beside the real ones."""
    return (
        evaluation.predictions.positions is not None
        and dataset.n_labels <= _MOST_LABELS
        and dataset.task is not Task.PAIR_PREFERENCES
    )


def mistake_text(mistake: Any, unit: str) -> str:
    """Compare the confidence of a mistake with that of most other cases, and count its pairs."""
    compared, share = "Surer than for", mistake.surer_than
    if mistake.less_sure_than > share:
        compared, share = "Less sure than for", mistake.less_sure_than
    return (
        f"{compared} {share:.0%} of the cases, with a confidence of {mistake.confidence:.2f}. "
        f"{mistake.accuracy:.0%} of the {unit} are right."
    )


def _render_drawn_mistakes(
    dataset: Dataset, evaluation: Evaluation, mistakes: pd.DataFrame, accuracy: CaseAccuracy
) -> None:
    """Draw mistakes beside the real rankings."""
    with st.grid(_N_DRAWN, min_column_width=300, gap="medium"):
        for mistake in mistakes.itertuples():
            row = int(evaluation.rows[mistake.case])
            with st.container(border=True, key=f"mistake_{row}"):
                st.markdown(f"**{text.markdown(text.capitalised(case_title(dataset, row)))}**")
                drawing.render_caption(drawing.with_nouns(mistake_text(mistake, accuracy.unit)))
                drawing.render_markup(_joined(dataset, evaluation, mistake.case))
                if row == session.row():
                    widgets.render_link("predict", "Why was it predicted so?", ":material/search:")
                    continue
                st.button(
                    drawing.with_nouns("Choose this case"),
                    key=f"choose_mistake_{row}",
                    on_click=session.set_row,
                    args=(row,),
                    icon=":material/check:",
                    help=drawing.with_nouns("Then all pages show this case."),
                )


def _joined(dataset: Dataset, evaluation: Evaluation, case: int) -> str:
    """Draw a prediction joined with the real ranking."""
    predicted = evaluation.predictions
    assert predicted.positions is not None
    n_relevant = None if predicted.relevance is None else int(predicted.relevance[case].sum())
    ranking = RankedLabels.from_positions(predicted.positions[case], "Predicted", n_relevant)
    real = true_ranking(dataset, int(evaluation.rows[case]), "Real", ranking)
    ranking = ranking.align(real)
    if dataset.task is Task.MULTILABEL:
        ranking, real = ranking.without_ties(), real.without_ties()
    return markup.side_by_side(ranking, real, dataset.label_names)


def _render_table_of_mistakes(
    dataset: Dataset, evaluation: Evaluation, worst: pd.DataFrame, accuracy: CaseAccuracy
) -> None:
    cases = worst["case"].to_numpy()
    rows = evaluation.rows[cases]
    table = pd.DataFrame(
        {
            **_case_column(dataset, rows),
            "predicted": evaluation.predictions.texts(dataset.label_names, cases),
            "truth": dataset.targets_in_words(rows),
            drawing.with_nouns(accuracy.title): 100 * worst["accuracy"],
            "confidence": worst["confidence"],
            "surer than": 100 * worst["surer_than"],
        }
    )
    key = choices.table_key("mistakes", rows.tolist())
    percent = st.column_config.NumberColumn(format=drawing.with_nouns("%.0f%% of cases"))
    number = st.column_config.NumberColumn(format="%.2f")
    share = st.column_config.NumberColumn(format="%.0f%%")
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
            drawing.with_nouns(accuracy.title): share,
        },
    )
    drawing.render_caption(drawing.with_nouns("Tick a row to select its case."))
