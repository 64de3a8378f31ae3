"""Label sets with a guarantee: recall or precision, as promised and as realised."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.guarantees.realised import commonest
from labelrank_core.rankings import equal_up_to_rounding
from pages.confidence import shifts
from pages.confidence.groups import verdict_on_groups
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.guarantees import (
    PROMISE_GUIDE,
    promised_against_realised,
    realised_by,
    set_size_against_promised,
)
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import guaranteed_sets, guarantees
from pages.ui.results.guaranteed_sets import MISS_FEW, RISKS, SetGuarantee, Tested
from pages.ui.view import View

_GOOD = {
    MISS_FEW: "relevant labels found",
    guaranteed_sets.FEW_WRONG: "labels that are relevant",
}
_PRICE = {
    MISS_FEW: "The more is promised, the larger are the sets.",
    guaranteed_sets.FEW_WRONG: "The more is promised, the smaller are the sets.",
}
_TESTED = "the least probable relevant label of each case that the model has not seen"
_SAID = {
    MISS_FEW: ("relevant labels", "in the sets"),
    guaranteed_sets.FEW_WRONG: ("labels in the sets", "relevant"),
}


def render_promised_sets(view: View, split: Split) -> None:
    """Draw the realised against the promised recall or precision, and the sizes of sets."""
    # What takes long is done before the slider, whose moves then draw only what depends on it.
    promised = guaranteed_sets.guarantee(view.dataset, view.choice, view.split, MISS_FEW)
    if promised is None:
        st.info(guaranteed_sets.TOO_FEW)
        return
    guaranteed_sets.tested(view, split.test, promised)
    st.fragment(_render_at_level)(view, split)
    shifts.render_drift_test(partial(guaranteed_sets.drift, view, split, promised), _TESTED)


def _render_at_level(view: View, split: Split) -> None:
    headline_slot = st.container(key="headline")
    percent, risk = guarantees.choose_guarantee("sets_level", "kind_of_sets", RISKS)
    with st.grid(2, min_column_width=300, gap="medium", key="promise_picture"):
        price_slot, kept_slot = st.container(), st.container()
    promised = guaranteed_sets.guarantee(view.dataset, view.choice, view.split, risk)
    assert promised is not None
    tests = guaranteed_sets.tested(view, split.test, promised)
    curve = guaranteed_sets.realised(tests, promised)
    at = curve[np.isclose(curve["promised"], percent / 100)].iloc[0]
    with headline_slot:
        drawing.render_heading(verdict(at, risk))
        _render_numbers(at, promised)
    if curve["realised"].isna().all():
        return
    with price_slot:
        _render_price(curve, at, risk)
    with kept_slot:
        drawing.render_markdown(PROMISE_GUIDE)
        good = drawing.with_nouns(_GOOD[risk])
        drawing.render_figure(
            promised_against_realised(curve, percent / 100, good),
            key="promised-sets",
            alt=f"{good}, realised against promised",
            table=curve.drop(columns=["low", "high"]),
            caption=measured_on(split),
            more=f"Calibrated on {promised.n_cases} training cases with a relevant label, which "
            "were held out, by MAPIE. The promise is about all cases together and all draws of "
            f"them. {OTHER_NUMBERS}",
        )
    with widgets.expander("More about this promise", "promise_open") as is_drawn:
        if is_drawn:
            if promised.is_promised(percent):
                _render_groups(view.dataset, tests, promised, percent)
            file_name = f"{view.dataset.name}-guarantee.csv"
            widgets.render_csv_download("Curve (CSV)", curve, file_name)


def _render_price(curve: pd.DataFrame, at: pd.Series, risk: str) -> None:
    """Draw the mean size of a set at each level, which a higher promise changes."""
    drawing.render_markdown(drawing.with_nouns(f"{_PRICE[risk]} ◆ is your promise."))
    drawing.render_figure(
        set_size_against_promised(curve, at["promised"], drawing.with_nouns("labels in a set")),
        key="set-sizes",
        alt=drawing.with_nouns(
            f"labels in a set against the promise; at {at['promised']:.0%}, {at['size']:.1f}"
        ),
        table=curve[["promised", "size"]],
    )


def verdict(at: pd.Series, risk: str) -> str:
    """Compare the promised share of cases with the realised one, in a sentence."""
    percent = round(100 * at["promised"])
    if np.isnan(at["realised"]):
        return f"{percent}% cannot be promised"
    is_kept = at["realised"] >= at["promised"] or equal_up_to_rounding(
        at["realised"], at["promised"]
    )
    of, are = _SAID[risk]
    return (
        f"The promise of {percent}% is {'kept' if is_kept else 'not kept'}: {at['realised']:.1%} "
        f"of the {of} are {are}"
    )


def _render_numbers(at: pd.Series, promised: SetGuarantee) -> None:
    percent = round(100 * at["promised"])
    if np.isnan(at["realised"]):
        st.markdown(promised.refusal(percent))
        return
    sentences = [f"A predicted set has **{at['size']:.1f}** labels on average."]
    if at["empty"] > 0:
        sentences.append(f"**{at['empty']:.0%}** of the sets are empty.")
        if promised.risk == guaranteed_sets.FEW_WRONG:
            sentences.append("An empty set has no wrong label and counts as 100%.")
    st.markdown(drawing.with_nouns(" ".join(sentences)))


def _render_groups(dataset: Dataset, tests: Tested, promised: SetGuarantee, percent: int) -> None:
    good = drawing.with_nouns(_GOOD[promised.risk])
    groups = commonest(
        [
            (f"with {name}", is_relevant)
            for name, is_relevant in zip(dataset.label_names, tests.truth.T, strict=True)
        ]
    )
    table = tests.groups(promised.threshold(percent), RISKS[promised.risk], groups)
    table["low"] = np.nan
    drawing.render_heading(verdict_on_groups(table, percent / 100))
    drawing.render_markdown(
        drawing.with_nouns(
            "The promise is about all cases together: a single group, here by a label that its "
            "cases have, may get less."
        )
    )
    drawing.render_figure(
        realised_by(
            table.rename(columns={"size": "kept"}),
            percent / 100,
            good,
            drawing.with_nouns("{:.1f} labels in a set"),
        ),
        key="groups-of-sets",
        alt=f"{good} by group: "
        + "; ".join(f"{row.group} {row.realised:.0%}" for row in table.itertuples()),
        table=table.drop(columns="low").rename(columns={"size": "labels in a set"}),
    )
