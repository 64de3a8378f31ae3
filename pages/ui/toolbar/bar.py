"""The bar above every page: data, case, method and its parameters, and the link to them.

A move of the main parameter runs the page that follows it alone, nothing beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core.methods import ModelChoice
from pages.ui import session
from pages.ui.choose import cases, methods
from pages.ui.render import assistants, drawing
from pages.ui.toolbar.buttons import render_buttons
from pages.ui.toolbar.case import choose_row, first_row
from pages.ui.toolbar.data import choose_data
from pages.ui.toolbar.method import (
    choose_method,
    choose_parameter,
    choose_scaling,
    choose_weighting,
    is_followed,
    knob_key,
)
from pages.ui.toolbar.query_params import render_problems
from pages.ui.toolbar.share import link, render_link
from pages.ui.toolbar.split import choose_split
from pages.ui.view import (
    DATA,
    METHOD,
    ROW,
    SCALED,
    SEED,
    SPLIT_KIND,
    TEST_SHARE,
    TFIDF,
    View,
)

_KEYS = (DATA, METHOD, ROW, SCALED, TFIDF, SPLIT_KIND, TEST_SHARE, SEED)
# The fragment of a page that follows its main parameter.
_PAGE_FRAGMENT = "page"
# Pages that run alone when their main parameter is moved.
_FOLLOWING = {"Predict"}


@dataclass(frozen=True, eq=False)
class Toolbar:
    """The view chosen in a run of the app, and the slots that show and share it.

    The widget of the main parameter belongs to the app, not to the page that follows it: Streamlit
    takes a page's widgets out of the address when another page is opened, and Back would lose them.
    """

    page: str
    view: View
    # The widget of the main parameter, where nothing else in the bar changes with it.
    main_key: str | None
    buttons_slot: DeltaGenerator
    link_slot: DeltaGenerator
    notice_slot: DeltaGenerator
    share_slot: DeltaGenerator

    @property
    def is_followed(self) -> bool:
        """Whether the page itself shows and shares the view, because it may run alone."""
        return self.page in _FOLLOWING and self.view.dataset.n_features > 0

    def current_view(self) -> View:
        """Return the view with the value that the main parameter has now."""
        if self.main_key is None:
            return self.view
        choice = self.view.choice
        knob = choice.algorithm.knobs[0]
        choice = choice.with_params(**{knob.name: session.get_state(self.main_key)})
        return replace(self.view, choice=choice)

    def in_containers(self) -> "Toolbar":
        """Return a toolbar with a container in each slot, as Streamlit makes them for a fragment.

        In other containers the focused buttons would be drawn twice until the run ends.
        """
        names = ("buttons_slot", "link_slot", "notice_slot")
        return replace(self, **{name: getattr(self, name).container() for name in names})

    def render_view(self, view: View) -> None:
        """Draw the problems, the buttons and the link of a view."""
        session.set_view(view)
        render_problems(self.notice_slot, view)
        url, left_out = link(view)
        with self.buttons_slot:
            render_buttons(view, url)
        with self.link_slot:
            render_link(url, left_out)


def render(page: str) -> Toolbar:
    """Draw the choices that hold for all pages."""
    with st.container(key="bar"):
        buttons_slot = st.container(key="bar_buttons")
        # The parameter that matters most is always in sight, on a phone too.
        main_slot = st.container(key="bar_knob")
        # Streamlit's own popovers draw a widget only while they are open: one that was never opened
        # shows its default, and reports it, whatever the session or the address says.
        data_panel = st.container(key="bar_data")
        case_panel = st.container(key="bar_case")
        method_panel = st.container(key="bar_method")
        with st.container(key="bar_share"):
            link_slot, share_slot = st.container(), st.container()
    notice_slot = st.container()
    with data_panel:
        dataset = choose_data()
    session.restore_begun_data()
    # Lessons may have data of their own.
    if page != "Learn":
        drawing.use_label_colors(dataset)
        drawing.use_nouns(dataset)
    with case_panel:
        choose_row(dataset)
        cases_slot = st.container()
    with method_panel:
        algorithm = choose_method(dataset)
        browse_slot = st.container()
        basic_slot = st.container()
        more_slot = st.expander("More settings")
    with more_slot:
        split = choose_split(dataset)
    n_cases = max(1, len(split.train) - 1)
    params: dict[str, Any] = {}
    main_knob = algorithm.knobs[0]
    main_key = knob_key(algorithm, main_knob) if is_followed(algorithm) else None
    for knob in algorithm.knobs_for(dataset):
        if knob.matters(params):
            key = knob_key(algorithm, knob)
            start = knob.start(algorithm.defaults[knob.name], n_cases)
            slot = main_slot if knob is main_knob else basic_slot if knob.basic else more_slot
            on_change = rerun_page if key == main_key else None
            params[knob.name] = choose_parameter(knob, start, n_cases, slot, key, on_change)
    with more_slot:
        tfidf = choose_weighting(dataset)
        scaled = choose_scaling(dataset, tfidf)
    # An assistant chooses by name and number.
    if not assistants.is_reading():
        if browse_slot.button(
            "Browse the methods", icon=":material/category:", type="tertiary", key="browse_methods"
        ):
            methods.choose(dataset, split)
        if cases_slot.button(
            "Choose from a table", icon=":material/list:", type="tertiary", key="browse_cases"
        ):
            cases.choose(dataset, split)
    choice = ModelChoice(algorithm.key, tuple(sorted(params.items())), scaled, tfidf)
    row = session.row()
    session.store_row(session.get_state(DATA), row if row != first_row(dataset) else None)
    view = View(dataset, choice, split, row)
    keys = [*_KEYS, *(knob_key(algorithm, knob) for knob in algorithm.knobs)]
    session.set_drawn_values(keys)
    toolbar = Toolbar(page, view, main_key, buttons_slot, link_slot, notice_slot, share_slot)
    session.set_toolbar(toolbar)
    session.set_view(view)
    return toolbar


def render_in_fragment(render_page: Callable[[], None]) -> None:
    """Draw a page that its own widgets and the main parameter draw alone again."""
    toolbar: Toolbar = session.toolbar()
    is_whole = True

    @st.fragment(key=_PAGE_FRAGMENT)
    def page_fragment() -> None:
        nonlocal is_whole
        if not is_whole and session.has_changed_since_drawn(toolbar.main_key):
            st.rerun()
        with session.in_fragment():
            view = toolbar.current_view()
            if is_whole:
                is_whole = False
                toolbar.render_view(view)
                render_page()
                return
            session.set_view(view)
            # The answer first; the bar also where the page ends early.
            try:
                render_page()
            finally:
                toolbar.render_view(view)

    # While somebody waits for slow work, which a button cancels, all is one run.
    if session.pop_waiting():
        # A fragment has a container of its own: what it has drawn is drawn over, not twice.
        with st.container():
            toolbar.in_containers().render_view(toolbar.view)
            render_page()
        return
    page_fragment()
    # Not before: a run that ends early has not drawn everything.
    session.set_follows(True)


def rerun_page() -> None:
    """Run no more than the page, where it follows its main parameter."""
    if session.follows():
        st.rerun(_PAGE_FRAGMENT)
