"""Accuracy of the kept predictions against the share kept: one picture with a point to drag."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui import live, session
from pages.ui.render import assistants, drawing

_KEY = "kept_curve"
# The level of confidence in the address.
_PARAMETER = "threshold"
_HALF = 0.5
_N_LEVELS_READ = 11
_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "labelrank_kept_curve",
    html='<div class="curve kept-curve"></div>',
    css=live.style(_HERE / "kept_curve.css", "curve"),
    js=live.script(_HERE / "kept_curve.js", "dom", "curve"),
)


def render(curve: pd.DataFrame, unit: str) -> None:
    """Draw the picture; the point that is chosen stands in the address.

    `unit`: what accuracies are shares of.
    """
    # From the surest cases to all.
    curve = curve[::-1].reset_index(drop=True)
    options = written(curve["confidence_from"].tolist())
    data = component_data(curve, unit, options, chosen_index(curve, options))
    if assistants.is_reading():
        st.text(data_text(data))
        return

    def choose_level() -> None:
        index = session.get_state(_KEY, {}).get("level")
        if isinstance(index, int) and 0 <= index < len(options):
            st.query_params[_PARAMETER] = options[index]

    with st.container(key="kept_curve_frame"):
        _component(key=_KEY, data=data, on_level_change=choose_level)


def data_text(data: Mapping[str, Any]) -> str:
    """Write the curve as text: a sentence for the surest cases at ten levels and for all cases."""
    levels = data["levels"]
    picked = {round(i) for i in np.linspace(0, len(levels) - 1, _N_LEVELS_READ)}
    sentence = data["texts"]["sentence"]
    lines = [sentence.format_map(levels[i]["values"]) for i in sorted(picked)]
    return "\n".join([f"{data['texts']['alt']}.", *lines])


def chosen_index(curve: pd.DataFrame, options: Sequence[str]) -> int:
    """Return the level that the address names, or else that of the surest half."""
    level = st.query_params.get(_PARAMETER)
    return options.index(level) if level in options else half_index(curve)


def half_index(curve: pd.DataFrame) -> int:
    """Return the level at which the share of cases kept is nearest to one half."""
    return int((curve["share_kept"] - _HALF).abs().argmin())


def written(levels: Sequence[float]) -> list[str]:
    """Write levels with two decimals, or as many as distinguish them."""
    for digits in range(2, 13):
        options = [f"{level:.{digits}f}" for level in levels]
        if len(set(options)) == len(options):
            break
    return options


def of_100(share: float) -> str:
    """Write a share as a number of 100, as exactly as the picture has it."""
    return f"{100 * share:.1f}"


def component_data(
    curve: pd.DataFrame, unit: str, options: Sequence[str], index: int
) -> dict[str, Any]:
    """Return the data of the component: the lines, and a sentence for each level.

    The curve runs from the surest cases to all of them.
    """
    everything = float(curve["accuracy_at_least"].iloc[-1])
    return {
        "levels": [
            {
                "share": float(row.share_kept),
                "accuracy": 100 * float(row.accuracy_at_least),
                "low": None if np.isnan(row.low) else 100 * float(row.low),
                "high": None if np.isnan(row.high) else 100 * float(row.high),
                "values": {
                    "share": f"{row.share_kept:.0%}",
                    "confidence": options[i],
                    "accuracy": of_100(row.accuracy_at_least),
                },
            }
            for i, row in enumerate(curve.itertuples())
        ],
        "all": 100 * everything,
        "index": index,
        "texts": {
            "sentence": drawing.with_nouns(
                f"Of the surest {{share}} of the cases, {{accuracy}} of 100 {unit} are right. "
                "Their confidence is at least {confidence}."
            ),
            "accuracy": drawing.with_nouns(f"{unit} right, of 100"),
            "share": drawing.with_nouns("share of the cases kept, the surest first"),
            "handle": drawing.with_nouns("Cases kept"),
            "all": drawing.with_nouns(f"all cases: {of_100(everything)}"),
            "alt": drawing.with_nouns(f"{unit} right, of 100, against the share of cases kept"),
        },
    }
