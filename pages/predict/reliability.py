"""Chapter 4: guarantees for the case, and the accuracy of test cases as sure as this one."""

from functools import cache

import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.explain.render import LabelSelection
from pages.predict import chapters, guarantee, guaranteed_set, standing
from pages.predict.expanders import compact_expander, expander_row
from pages.ui import jobs
from pages.ui.render import drawing
from pages.ui.results import evaluations, guarantees
from pages.ui.results.models import Case
from pages.ui.view import View


def render(view: View, case: Case, label_selection: LabelSelection) -> None:
    """Draw the guarantees for the case, its standing among test cases, and similar ones."""
    level = guarantee.current_level()
    level.is_open = False

    @cache
    def choose_tests() -> Split:
        """Choose once for all parts of the chapter that are open, in the first of them."""
        return evaluations.choose_tests(view.split)

    with chapters.chapter(4):
        if not chapters.is_seen(4):
            chapters.render_wait()
            return
        drawing.before_a_widget()
        if (
            view.choice.algorithm.learns_rankings
            and view.dataset.n_labels > 1
            and _choose_start(view)
        ):
            level.is_open = True
            guarantee.render(view, case, label_selection)
        is_standing_open = not view.choice.algorithm.learns_rankings and bool(
            evaluations.quick_confidences(view)
        )
        if is_standing_open:
            standing.render_standing(view, case, choose_tests())
        with expander_row(4):
            if not is_standing_open:
                with compact_expander(
                    drawing.with_nouns("Surer and less sure test cases"), "among"
                ) as is_open:
                    if is_open:
                        standing.render_standing(view, case, choose_tests())
            if not view.choice.algorithm.learns_rankings:
                with compact_expander(
                    drawing.with_nouns("Promise a share of the labels"), "relied"
                ) as is_open:
                    # Where MAPIE is not at work yet, that takes seconds.
                    if is_open:
                        guaranteed_set.render(view)
            with compact_expander(
                drawing.with_nouns("How accurate are predictions for similar test cases?"),
                "similar",
            ) as is_open:
                if is_open:
                    standing.render_similar(view, case, choose_tests())


def _choose_start(view: View) -> bool:
    """Return True where training is quick, else the state of a toggle that starts it."""
    seconds = guarantees.seconds(view)
    if seconds <= jobs.SLOW_SECONDS:
        return True
    return st.toggle(f"Train without held-out cases (about {seconds:.0f} s)", key="hold_out")
