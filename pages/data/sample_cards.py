"""Some samples as cards: the labels of each, and a button that opens its portrait."""

from collections.abc import Callable

import streamlit as st

from labelrank_core import list_samples
from labelrank_core.data.samples import Sample
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.palette import color_properties, palette_properties
from pages.ui import session, toolbar
from pages.ui.render import drawing

# One of each kind of data, those that need no explanation.
_SHOWN = ("election", "songs", "iris")


def render_samples(open_portrait: Callable[[], None]) -> None:
    """Draw the cards; a click uses a sample and calls `open_portrait`."""

    def look_at(name: str) -> None:
        toolbar.take_sample(name)
        open_portrait()

    samples_by_name = {sample.name: sample for sample in list_samples()}
    with st.container(key="samples"):
        drawing.render_heading("Or take a sample")
    with st.container(key="doors_samples"), st.grid(3, min_column_width=230, gap="small"):
        for name in _SHOWN:
            sample = samples_by_name[name]
            is_used = session.dataset().name == name
            card_key = f"sample_{name}_in_use" if is_used else f"sample_{name}"
            with st.container(border=True, height="stretch", gap="xsmall", key=card_key):
                st.button(
                    sample.title,
                    type="tertiary",
                    icon=":material/arrow_forward:",
                    key=f"look_at_{name}",
                    on_click=look_at,
                    args=(name,),
                )
                drawing.render_at_once(_labels(sample))
                st.caption(
                    f"{sample.n_samples} {sample.nouns.rows}, {len(sample.label_names)} "
                    f"{sample.nouns.labels}" + " · **in use**" * is_used
                )


def _labels(sample: Sample) -> str:
    """Draw the labels of a sample in its own colours."""
    names = sample.label_names
    colors = color_properties(sample.label_colors) or palette_properties()
    chips = markup.strip(RankedLabels.from_order(range(len(names))), names)
    return f'<div class="lr" style="{colors}">{chips}</div>'
