"""The samples as cards, to choose one: what a row is, its labels, its size, what can learn it."""

from collections.abc import Callable

import streamlit as st

from labelrank_core import Task, list_samples
from labelrank_core.data.samples import Sample
from labelrank_core.explain import markup
from labelrank_core.methods import ALGORITHMS
from pages.ui import session
from pages.ui.view import DATA

_LABELS_SHOWN = 8
_TARGETS = {
    Task.LABEL_RANKING: "Rankings of labels",
    Task.MULTILABEL: "Sets of labels",
    Task.CALIBRATED_RANKING: "Rankings with a zero line",
}


@st.dialog("Choose a sample", width="large")
def choose(start: Callable[[str], None]) -> None:
    """List the samples by what is learned from them; `start` chooses one by its name."""
    for task, title in _TARGETS.items():
        st.subheader(title, anchor=False)
        with st.grid(min_column_width=300, gap="small"):
            for sample in list_samples():
                if sample.task is task:
                    with st.container(border=True, height="stretch"):
                        _card(sample, start)


def _card(sample: Sample, start: Callable[[str], None]) -> None:
    chosen = session.get(DATA) == sample.name
    if st.button(
        sample.title,
        type="tertiary",
        icon=":material/check:" if chosen else ":material/arrow_forward:",
        key=f"sample_{sample.name}",
        on_click=start,
        args=(sample.name,),
    ):
        st.rerun()
    names = sample.label_names
    chips = markup.strip([[label] for label in range(len(names))], names, n_labels=_LABELS_SHOWN)
    st.html(f'<div class="lr">{chips}</div>')
    st.markdown(sample.summary)
    n_methods = sum(sample.task in each.tasks for each in ALGORITHMS.values())
    st.caption(
        f"{sample.n_samples} rows × {len(sample.feature_names)} features × {len(names)} labels · "
        f"{n_methods} methods"
    )
