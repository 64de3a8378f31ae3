"""The label set of one case, with a guaranteed recall or precision."""

import numpy as np
import streamlit as st

from labelrank_core.explain.evidence import Label, Text
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from pages.ui.render import drawing
from pages.ui.results import guaranteed_sets, guarantees
from pages.ui.results.guaranteed_sets import MISS_FEW, RISKS, SetGuarantee
from pages.ui.view import View

_PROMISES = {
    MISS_FEW: "On average over cases, at least {percent} of the relevant labels are in such a set.",
    guaranteed_sets.FEW_WRONG: "On average over cases, at least {percent} of the labels in such a "
    "set are relevant.",
}


def render(view: View) -> None:
    """Choose a promise, and draw the label set of the case that keeps it."""
    drawing.before_a_widget()
    st.fragment(_render_fragment)(view)


def _render_fragment(view: View) -> None:
    # Run alone, nothing else gathers what it draws.
    with drawing.together():
        _render_promise(view)


def _render_promise(view: View) -> None:
    percent, risk = guarantees.choose_guarantee("set_level", "set_promise", RISKS)
    guarantee = guaranteed_sets.guarantee(view.dataset, view.choice, view.split, risk, view.row)
    if guarantee is None:
        st.info(guaranteed_sets.TOO_FEW)
    elif not guarantee.is_promised(percent):
        st.info(f"{guarantee.refusal(percent)} Choose a lower level or more data.")
    else:
        _render_set(view, guarantee, percent)


def _render_set(view: View, guarantee: SetGuarantee, percent: int) -> None:
    dataset, names = view.dataset, view.dataset.label_names
    order, in_set = guaranteed_sets.of_case(view, guarantee, percent)
    labels = [label for label in order if in_set[label]]
    drawing.render_sentence(Text(_PROMISES[guarantee.risk], {"percent": f"{percent}%"}), dataset)
    if not labels:
        drawing.render_sentence(Text("The set of this case is empty."), dataset)
    else:
        strip = markup.strip(RankedLabels.from_order(labels), names)
        drawing.render_markup(f'<div class="lr">{strip}</div>')
    if not view.edits:
        drawing.render_sentence(verdict(in_set, dataset.relevance[view.row]), dataset)
    drawing.render_caption(
        drawing.with_nouns(
            f"{guarantee.n_cases} training cases were held out to check which labels are safe."
        ),
        "On them the threshold on the scores is chosen, by conformal risk "
        "control for missed labels and by learn then test for wrong ones (MAPIE), the latter with "
        "90% probability. The guarantee holds for new cases of the same kind with at least one "
        "relevant label, over all of them.",
    )


def verdict(in_set: np.ndarray, relevance: np.ndarray) -> Text:
    """Name the relevant labels that a set misses, and count the relevant ones in it."""
    n_right, missed = int((in_set * relevance).sum()), np.flatnonzero(relevance > in_set)
    values = {
        "right": n_right,
        "size": int(in_set.sum()),
        "missed": tuple(map(Label, missed.tolist())),
    }
    if len(missed):
        return Text("✗ Missed: {missed}. {right} of the {size} labels are relevant.", values)
    return Text("✓ No relevant label is missed. {right} of the {size} are relevant.", values)
