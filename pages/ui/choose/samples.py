"""The samples as cards: rows, labels and size, and the methods that can learn them."""

from collections.abc import Callable

import streamlit as st

from labelrank_core import Task, list_samples
from labelrank_core.data.samples import Sample
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.methods import ALGORITHMS
from pages.ui import session
from pages.ui.render import drawing
from pages.ui.view import DATA

_LABELS_SHOWN = 8
_TARGETS = {
    Task.LABEL_RANKING: "Rankings of labels",
    Task.MULTILABEL: "Sets of labels",
    Task.CALIBRATED_RANKING: "Rankings with a zero line",
}


@st.dialog("Choose a sample", width="large")
def render_cards(start: Callable[[str], None]) -> None:
    """Draw the samples by their kind of target; `start` chooses one by its name."""
    for task, title in _TARGETS.items():
        st.subheader(title, anchor=False)
        with st.grid(min_column_width=300, gap="small"):
            for sample in list_samples():
                if sample.task is task:
                    with st.container(border=True, height="stretch"):
                        _render_card(sample, start)


def _render_card(sample: Sample, start: Callable[[str], None]) -> None:
    is_in_use = session.get_state(DATA) == sample.name
    if st.button(
        sample.title,
        type="tertiary",
        icon=":material/check:" if is_in_use else ":material/arrow_forward:",
        key=f"sample_{sample.name}",
        on_click=start,
        args=(sample.name,),
    ):
        st.rerun()
    names = sample.label_names
    chips = markup.strip(RankedLabels.from_order(range(len(names))), names, n_labels=_LABELS_SHOWN)
    drawing.render_at_once(f'<div class="lr">{chips}</div>')
    st.markdown(sample.summary)
    n_methods = sum(sample.task in algorithm.tasks for algorithm in ALGORITHMS.values())
    st.caption(
        f"{sample.n_samples} rows × {len(sample.feature_names)} features × {len(names)} labels · "
        f"{n_methods} methods"
    )
