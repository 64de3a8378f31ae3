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


def render(curve: pd.DataFrame, title: str) -> None:
    """Draw the picture; the point that is chosen stands in the address."""
    options = written(curve["confidence_from"].tolist())
    data = component_data(curve, title, options, chosen_index(curve, options))
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


def component_data(
    curve: pd.DataFrame, title: str, options: Sequence[str], index: int
) -> dict[str, Any]:
    """Return the data of the component: the lines, and a sentence for each level."""
    # The axis runs from all cases on the left to the surest ones on the right.
    return {
        "levels": [
            {
                "share": float(row.share_kept),
                "accuracy": float(row.accuracy_at_least),
                "low": None if np.isnan(row.low) else float(row.low),
                "high": None if np.isnan(row.high) else float(row.high),
                "values": {
                    "share": f"{row.share_kept:.0%}",
                    "confidence": options[i],
                    "accuracy": f"{row.accuracy_at_least:.3f}",
                },
            }
            for i, row in enumerate(curve.itertuples())
        ],
        "all": float(curve["accuracy_at_least"].iloc[0]),
        "index": index,
        "texts": {
            "sentence": drawing.with_nouns(
                "The surest {share} of the cases have a confidence of at least {confidence} and a "
                f"mean {title} of {{accuracy}}. Of all cases it is "
                f"{curve['accuracy_at_least'].iloc[0]:.3f}."
            ),
            "accuracy": drawing.with_nouns(f"mean {title} of the cases kept (1 = all right)"),
            "share": drawing.with_nouns("share of the cases kept, the surest ones"),
            "handle": drawing.with_nouns("Cases kept"),
            "surest": drawing.with_nouns("the surest cases"),
            "all": drawing.with_nouns("all cases"),
            "alt": f"mean {title} against the share of cases kept",
        },
    }
