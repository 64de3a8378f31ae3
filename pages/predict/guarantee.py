"""Which pairs of one case can be relied on: intervals of positions, with a guarantee."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.evaluation.guarantees import Calibration
from labelrank_core.evaluation.guarantees.calibration import fewest_cases, promise
from labelrank_core.explain import pictures
from labelrank_core.explain.evidence import SurePairs
from labelrank_core.explain.pictures import Wanted
from pages.ui import drawing, guarantees, jobs, session
from pages.ui.guarantees import ANY_PAIR, RISKS, USUAL_PERCENT, HeldOutModel
from pages.ui.models import Case
from pages.ui.view import View

# What widgets are called, also in the address.
_LEVEL, _PROMISE = "sure", "promise"


def assess(view: View, case: Case, wanted: Wanted) -> None:
    """Ask how sure to be, and draw what can be said of the case with that guarantee."""
    found = guarantees.fit_held_out(view.dataset, view.choice, view.split, view.row)
    if found is None:
        st.info("A guarantee takes at least two training cases.")
        return
    # What takes long is done before the slider, whose moves then draw this part alone.
    guarantees.scores(view.dataset, view.choice, found, found.rows)
    st.fragment(_relied_on)(view, found, case.explanation.order, wanted)


def _relied_on(view: View, found: HeldOutModel, predicted: list[int], wanted: Wanted) -> None:
    # Run alone, nothing else gathers what it draws.
    with drawing.together():
        _render_promise(view, found, predicted, wanted)


def _render_promise(view: View, found: HeldOutModel, predicted: list[int], wanted: Wanted) -> None:
    drawing.before_a_widget()
    percent, risk = guarantees.choose_guarantee(_LEVEL, _PROMISE, RISKS, guarantees.RISKS_SAID)
    chosen = level()
    chosen.percent, chosen.risk = percent, risk
    promised = guarantees.calibration(view.dataset, view.choice, found, risk)
    threshold = promised.threshold(1 - percent / 100)
    if np.isinf(threshold):
        _too_few(promised, percent)
    else:
        sure = guarantees.pairs(view, found, threshold, promise(1 - percent / 100, RISKS[risk]))
        draw(view, sure, wanted)
        if sure.ranking != predicted:
            st.caption(
                "The order is not the one above: this model is trained without the cases that "
                "calibrate it."
            )
    _how(view, promised, threshold, risk)


def draw(view: View, sure: SurePairs, wanted: Wanted) -> None:
    """Draw the sentence, the intervals, and whether they are right."""
    drawing.render_sentence(sure.text, view.dataset)
    if sure.truth is not None and sure.n_decided:
        drawing.render_sentence(sure.verdict, view.dataset)
    drawing.render_picture(pictures.sure_pairs(sure, view.dataset.label_names, wanted), key="sure")


@dataclass
class Level:
    """How sure to be, in percent, and of what; and whether the view that asks it is open.

    A session has one, which its downloads read when they are made.
    """

    percent: int = USUAL_PERCENT
    risk: str = ANY_PAIR
    is_open: bool = False

    def query(self) -> dict[str, Any]:
        """Return the query parameters of the chapter, if it is open."""
        if not self.is_open:
            return {}
        return {"view": "How sure", _LEVEL: self.percent, _PROMISE: self.risk}


def level() -> Level:
    """Return the level that the session has chosen last."""
    return session.live_value("guarantee", Level)


def of_case(view: View, level: Level) -> SurePairs | None:
    """Return what is guaranteed of a case at a level.

    None where nothing can be, or where that takes long and is not open already.
    """
    if not view.choice.algorithm.learns_rankings or view.dataset.n_labels < 2:
        return None
    if not level.is_open and guarantees.seconds(view) > jobs.SLOW_SECONDS:
        return None
    found = guarantees.fit_held_out(view.dataset, view.choice, view.split, view.row)
    if found is None:
        return None
    promised = guarantees.calibration(view.dataset, view.choice, found, level.risk)
    threshold = promised.threshold(1 - level.percent / 100)
    if np.isinf(threshold):
        return None
    words = promise(1 - level.percent / 100, RISKS[level.risk])
    return guarantees.pairs(view, found, threshold, words)


def _too_few(promised: Calibration, percent: int) -> None:
    st.info(
        f"{percent}% takes at least {fewest_cases(1 - percent / 100)} calibration cases; there are "
        f"{promised.n_cases}, so nothing can be promised. Choose a lower level or more data."
    )


def _how(view: View, promised: Calibration, threshold: float, risk: str) -> None:
    if view.edits:
        drawing.caption(
            "The guarantee is about cases like those of the data; values changed by hand may be "
            "unlike them."
        )
    what = (
        "the largest gap between two labels in the wrong order"
        if risk == ANY_PAIR
        else "the share of pairs in the wrong order"
    )
    apart = "" if np.isinf(threshold) else f" Here they must lie {threshold:.3g} apart."
    drawing.caption(
        f"Calibrated on {promised.n_cases} training cases.",
        f"They were held out from training. In each of them we measure {what}; two labels are "
        "decided only if their scores lie so far apart that this goes wrong rarely enough."
        f"{apart} The guarantee holds for new cases of the same kind, over all of them: single "
        "groups may do worse, and data that have shifted since are not covered.",
    )
