"""The buttons of the bar: the present choice, a case at random, and the link, copied at once."""

from pathlib import Path

import streamlit as st

from pages.ui import session
from pages.ui.render import assistants
from pages.ui.toolbar.case import case_title
from pages.ui.toolbar.data import data_title
from pages.ui.toolbar.share import keys_of_bar, view_facts
from pages.ui.view import View
from pages.ui.wording.choice_text import setting_text
from pages.ui.wording.subject import subject_of

_HERE = Path(__file__).parent
_buttons = st.components.v2.component(
    "labelrank_bar",
    html=(_HERE / "buttons.html").read_text(encoding="utf-8"),
    js=(_HERE / "buttons.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def render_buttons(view: View, url: str) -> None:
    """Draw the buttons; each opens the container of the bar with its name."""
    if assistants.is_reading():
        # The buttons open what an assistant has before it anyway.
        st.text(" · ".join(view_facts(view)))
        return
    dataset, row = view.dataset, view.row
    _buttons(
        key="buttons",
        data={
            "data": data_title(dataset),
            "case": case_title(dataset, row),
            "method": method_title(view),
            "random": f"Another {subject_of(dataset).row} at random",
            "facts": " · ".join(view_facts(view)),
            "link": url,
            "keys": keys_of_bar(view),
        },
        on_random_change=lambda: session.set_another_row(dataset.n_samples),
    )


def method_title(view: View) -> str:
    """Return the text of a method's button: its title and its main parameter."""
    knob = view.choice.algorithm.knobs[0]
    value = setting_text(knob, view.choice.values[knob.name], knob.symbol)
    return f"{view.choice.algorithm.title} · {value}"
