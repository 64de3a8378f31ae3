"""Chapter 4, can I rely on it: what is guaranteed, and how test cases as sure as this one fared."""

from functools import cache

import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.explain.pictures import Wanted
from pages.predict import chapters, guarantee, guaranteed_set, trust
from pages.predict.folds import fold
from pages.ui import drawing, evaluations, guarantees, jobs
from pages.ui.models import Case
from pages.ui.view import View


def render(view: View, case: Case, wanted: Wanted) -> None:
    """Draw what can be promised of a case."""
    level = guarantee.level()
    level.is_open = False

    @cache
    def choose_tests() -> Split:
        """Ask once for all parts of the chapter that are open, in the first of them."""
        return evaluations.choose_tests(view.split)

    with chapters.chapter(4, "Can I rely on it?"):
        if not chapters.is_seen(4):
            chapters.render_wait()
            return
        drawing.before_a_widget()
        if view.choice.algorithm.learns_rankings and view.dataset.n_labels > 1 and _starts(view):
            level.is_open = True
            guarantee.assess(view, case, wanted)
        if not view.choice.algorithm.learns_rankings and evaluations.quick_confidences(view):
            trust.render_standing(view, case, choose_tests())
        else:
            with fold("Surer and less sure test cases", "among") as is_open:
                if is_open:
                    trust.render_standing(view, case, choose_tests())
        if not view.choice.algorithm.learns_rankings:
            with fold("Promise a share of the labels", "relied") as is_open:
                # Where MAPIE is not at work yet, that takes seconds.
                if is_open:
                    guaranteed_set.render(view)
        with fold("How accurate are predictions for similar test cases?", "similar") as is_open:
            if is_open:
                trust.render_similar(view, case, choose_tests())


def _starts(view: View) -> bool:
    """Ask before what takes long."""
    seconds = guarantees.seconds(view)
    if seconds <= jobs.SLOW_SECONDS:
        return True
    return st.toggle(f"Train without held-out cases (about {seconds:.0f} s)", key="hold_out")
