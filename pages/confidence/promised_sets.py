"""Label sets with a guarantee: the recall or precision promised, and what test cases realise."""

import numpy as np
import streamlit as st

from labelrank_core.data.splits import Split
from pages.ui import drawing, guaranteed_sets, widgets
from pages.ui.charts.guarantees import promised_against_realised
from pages.ui.guaranteed_sets import MISS_FEW, RISKS
from pages.ui.guarantees import USUAL_PERCENT
from pages.ui.state import Query

_GOOD = {
    MISS_FEW: "relevant labels found",
    guaranteed_sets.FEW_WRONG: "labels that are relevant",
}
_SAID = {
    MISS_FEW: ("relevant labels", "in the sets"),
    guaranteed_sets.FEW_WRONG: ("labels in the sets", "relevant"),
}


def compare(asked: Query, split: Split) -> None:
    """Draw promised against realised, and say how large the sets are."""
    left, right = st.columns(2, gap="large")
    percent = left.slider(
        "How sure (%)", 50, 99, USUAL_PERCENT, key="sets_level", bind="query-params"
    )
    risk = right.segmented_control(
        "What is promised",
        list(RISKS),
        default=MISS_FEW,
        required=True,
        key="kind_of_sets",
        bind="query-params",
    )
    promised = guaranteed_sets.guarantee(asked.dataset, asked.choice, asked.split, risk)
    if promised is None:
        st.info("A guarantee takes two training cases, and one held out with a label.")
        return
    curve = guaranteed_sets.realised(asked, split, promised)
    at = curve[np.isclose(curve["promised"], percent / 100)].iloc[0]
    if np.isnan(at["realised"]):
        st.markdown(
            f"{percent}% cannot be promised with {promised.n_cases} calibration cases and this "
            "method."
        )
    else:
        of, are = _SAID[risk]
        st.markdown(
            f"Of the {of}, **{at['realised']:.1%}** are {are} on average over {at['cases']:.0f} "
            f"test cases (promised: {percent}%). A set has **{at['size']:.1f}** labels on average."
        )
    if curve["realised"].isna().all():
        return
    drawing.heading("Is the promise kept?")
    drawing.chart(
        promised_against_realised(curve, percent / 100, _GOOD[risk]),
        key="promised-sets",
        alt=f"{_GOOD[risk]}, realised against promised",
        table=curve.drop(columns=["low", "high"]),
        caption="Points above the dotted line keep more than is promised.",
        more=f"Calibrated on {promised.n_cases} training cases with a relevant label, which were "
        "held out, by MAPIE. The promise is about all cases together and all draws of them.",
    )
    widgets.download_csv("Curve (CSV)", curve, f"{asked.dataset.name}-guarantee.csv")
