"""The label set of one case, with a promised recall or precision."""

import numpy as np
import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Label, Text
from pages.ui import drawing, guaranteed_sets, guarantees
from pages.ui.guaranteed_sets import MISS_FEW, RISKS, SetGuarantee
from pages.ui.view import View

_SAID = {
    MISS_FEW: "On average over cases, at least {percent} of the relevant labels are in such a set.",
    guaranteed_sets.FEW_WRONG: "On average over cases, at least {percent} of the labels in such a "
    "set are relevant.",
}


def render(view: View) -> None:
    """Ask what to promise, and draw the labels of the case that are taken for it."""
    drawing.before_a_widget()
    st.fragment(_relied_on)(view)


def _relied_on(view: View) -> None:
    # Run alone, nothing else gathers what it draws.
    with drawing.together():
        _render_promise(view)


def _render_promise(view: View) -> None:
    percent, risk = guarantees.choose_guarantee("set_level", "set_promise", RISKS)
    promised = guaranteed_sets.guarantee(view.dataset, view.choice, view.split, risk, view.row)
    if promised is None:
        st.info(guaranteed_sets.TOO_FEW)
    elif not promised.is_promised(percent):
        st.info(f"{promised.refusal(percent)} Choose a lower level or more data.")
    else:
        _draw(view, promised, percent)


def _draw(view: View, promised: SetGuarantee, percent: int) -> None:
    dataset, names = view.dataset, view.dataset.label_names
    order, taken = guaranteed_sets.of_case(view, promised, percent)
    labels = [[label] for label in order if taken[label]]
    drawing.render_sentence(Text(_SAID[promised.risk], {"percent": f"{percent}%"}), dataset)
    if not labels:
        drawing.render_sentence(Text("The set of this case is empty."), dataset)
    else:
        drawing.render_markup(f'<div class="lr">{markup.strip(labels, names)}</div>')
    if not view.edits:
        drawing.render_sentence(verdict(taken, dataset.relevance[view.row]), dataset)
    drawing.caption(
        f"Calibrated on {promised.n_cases} training cases.",
        "They were held out; on them the threshold on the scores is chosen, by conformal risk "
        "control for missed labels and by learn then test for wrong ones (MAPIE), the latter with "
        "90% probability. The guarantee holds for new cases of the same kind with at least one "
        "relevant label, over all of them.",
    )


def verdict(taken: np.ndarray, relevance: np.ndarray) -> Text:
    """Say which relevant labels a set misses, and how many of its labels are relevant."""
    right, missed = int((taken * relevance).sum()), np.flatnonzero(relevance > taken)
    values = {
        "right": right,
        "size": int(taken.sum()),
        "missed": tuple(map(Label, missed.tolist())),
    }
    if len(missed):
        return Text("✗ Missed: {missed}. {right} of the {size} labels are relevant.", values)
    return Text("✓ No relevant label is missed. {right} of the {size} are relevant.", values)
