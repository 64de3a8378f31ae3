"""The pairs of one case that can be relied on: intervals of positions, with a guarantee."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.data.findings import count_of
from labelrank_core.evaluation.guarantees import Calibration
from labelrank_core.evaluation.guarantees.calibration import fewest_cases, promise
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import Confidence, Explanation, Label, SurePairs, Text
from labelrank_core.explain.render import LabelSelection
from labelrank_core.rankings import FloatArray
from pages.ui import jobs, session
from pages.ui.render import drawing
from pages.ui.results import evaluations, guarantees, models
from pages.ui.results.guarantees import ANY_PAIR, RISKS, USUAL_PERCENT, HeldOutModel
from pages.ui.results.models import Case
from pages.ui.view import View

# The keys of widgets, which are query parameters as well.
_LEVEL, _PROMISE = "sure", "promise"
_WHY_ALL_DECIDED = (
    "{more} of {compared} test cases are surer than this one. Still every pair is decided here: "
    "pairs as far apart as these were rarely wrong."
)
_ABOUT_SECOND_MODEL = (
    "{unseen} training cases test this promise, so a second model decides that has not seen them."
)
_SECOND_MODEL_DECIDES = (
    "A second model decides here: it has not seen {unseen} training cases, which test its promise."
)
_MODEL_OF_PREDICTION = "The model of the prediction, which learned from all {all} cases, decides "
_PAIR = "{{first_{i}}} and {{second_{i}}}"
_APART = "({{predicted_{i}}} apart, not {{gap_{i}}})"
_DEPENDS = "There the answer depends on the training cases."
# More pairs that two models decide differently are counted.
_MOST_DIFFERING = 3
_OTHER_ORDER = (
    "The model that makes this promise ranks {a} ahead of {b}{more}, unlike the prediction."
)


def render(view: View, case: Case, label_selection: LabelSelection) -> None:
    """Choose a guarantee, and draw the pairs of the case that it decides."""
    held_out = guarantees.fit_held_out(view.dataset, view.choice, view.split, view.row)
    if held_out is None:
        st.info(drawing.with_nouns("A guarantee takes at least two training cases."))
        return
    # The slow scores are computed before the slider, whose moves then draw this part alone.
    guarantees.scores(view.dataset, view.choice, held_out, held_out.rows)
    st.fragment(_render_fragment)(view, held_out, case, label_selection)


def _render_fragment(
    view: View, held_out: HeldOutModel, case: Case, label_selection: LabelSelection
) -> None:
    # Run alone, nothing else gathers what it draws.
    with drawing.together():
        _render_promise(view, held_out, case, label_selection)


def _render_promise(
    view: View, held_out: HeldOutModel, case: Case, label_selection: LabelSelection
) -> None:
    drawing.before_a_widget()
    sentence_slot = st.container()
    percent, risk = guarantees.choose_guarantee(_LEVEL, _PROMISE, RISKS, guarantees.RISKS_SAID)
    level = current_level()
    level.percent, level.risk = percent, risk
    calibration = guarantees.calibration(view.dataset, view.choice, held_out, risk)
    threshold = calibration.threshold(1 - percent / 100)
    if np.isinf(threshold):
        _render_too_few_cases(calibration, percent)
    else:
        sure_pairs = guarantees.pairs(
            view, held_out, threshold, promise(1 - percent / 100, RISKS[risk]), case.explanation
        )
        comparison = _comparison(view, case, sure_pairs)
        with sentence_slot:
            if comparison is not None:
                about_model = Text(_SECOND_MODEL_DECIDES, {"unseen": calibration.n_cases})
                drawing.render_sentence(about_model, view.dataset)
            render_other_order(view, case.explanation, sure_pairs)
            drawing.render_sentence(sure_pairs.text, view.dataset)
            if comparison is not None:
                drawing.render_sentence(comparison, view.dataset)
            drawing.before_a_widget()
        picture_column, reason_column = st.columns(2, gap="large")
        with picture_column:
            render_positions(view, sure_pairs, label_selection)
            drawing.before_a_widget()
        with reason_column:
            render_verdict(view, sure_pairs)
            reason = reason_for_pairs(
                view, case.explanation, sure_pairs, is_drawn=_are_gaps_drawn(sure_pairs)
            )
            if comparison is None:
                reason = second_model_text(calibration.n_cases, reason)
            if reason is not None:
                drawing.render_sentence(reason, view.dataset)
            _render_gaps(view, sure_pairs)
            drawing.before_a_widget()
    _render_fine_print(view, threshold, risk)


def render_other_order(view: View, explanation: Explanation, sure_pairs: SurePairs) -> None:
    """Name a pair of labels that the guarantee decides against the prediction."""
    reversed_pairs = sure_pairs.reversals_of(explanation.order)
    if reversed_pairs:
        (ahead, behind), *others = reversed_pairs
        more = f" and has {count_of(len(others), 'more pair')} in another order" if others else ""
        values = {"a": Label(ahead), "b": Label(behind), "more": more}
        drawing.render_sentence(Text(_OTHER_ORDER, values), view.dataset)


def render_verdict(view: View, sure_pairs: SurePairs) -> None:
    """Write whether the guarantee holds for the case, where its truth is known."""
    if sure_pairs.truth is not None and sure_pairs.n_decided:
        drawing.render_sentence(sure_pairs.verdict, view.dataset)


def reason_for_pairs(
    view: View, explanation: Explanation, sure_pairs: SurePairs, *, is_drawn: bool = False
) -> Text | None:
    """Tell why some pairs stay open, or why none does though most test cases are surer.

    `is_drawn`: whether the gaps are drawn; then they need no words.
    """
    if not sure_pairs.n_decided:
        return None
    if sure_pairs.undecided:
        return sure_pairs.threshold_reason if is_drawn else sure_pairs.open_reason
    standing = evaluations.standing(view, explanation.evidence(Confidence))
    if standing is None or not standing.is_comparable or standing.n_more <= standing.n_less:
        return None
    values = {"more": standing.n_more, "compared": standing.compared}
    return Text(_WHY_ALL_DECIDED, values)


def _are_gaps_drawn(sure_pairs: SurePairs) -> bool:
    """Tell whether the gaps of both models are drawn."""
    return len(sure_pairs.ranking) <= drawings.MOST_GAPS


def _comparison(view: View, case: Case, sure_pairs: SurePairs) -> Text | None:
    """Name the pairs whose decision depends on the model, where the gaps of both are drawn."""
    if not _are_gaps_drawn(sure_pairs):
        return None
    scores = guarantees.predicted_scores(view)
    return comparison_text(len(case.training_rows), sure_pairs, scores)


def comparison_text(n_training: int, sure_pairs: SurePairs, scores: FloatArray) -> Text | None:
    """Name the pairs of neighbours that the two models decide differently, the farthest first.

    `n_training`: the training cases of the model of the prediction; `scores`: those that it gives
    the labels, higher = better. None: the two decide the same pairs.
    """
    threshold = sure_pairs.threshold
    differing = [
        gap
        for gap in drawings.gaps_of(sure_pairs, scores)
        if gap.is_decided != (abs(gap.predicted) > threshold)
    ]
    if not differing:
        return None
    differing.sort(key=lambda gap: -abs(gap.gap - gap.predicted))
    named = differing[:_MOST_DIFFERING]
    values: dict[str, Any] = {"all": n_training, "n_differing": len(differing)}
    for i, gap in enumerate(named):
        values |= {f"first_{i}": Label(gap.first), f"second_{i}": Label(gap.second)}
        values |= {f"gap_{i}": gap.gap, f"predicted_{i}": gap.predicted}
    if len(differing) == 1:
        template = f"{_PAIR} differently {_APART}".format(i=0)
    else:
        pairs = ", ".join(f"{_PAIR} {_APART}".format(i=i) for i in range(len(named)))
        most = ", most of all" if len(named) < len(differing) else ""
        template = f"{{n_differing}} of these pairs differently{most}: {pairs}"
    return Text(f"{_MODEL_OF_PREDICTION}{template}. {_DEPENDS}", values)


def second_model_text(n_unseen: int, reason: Text | None) -> Text:
    """Write where the promise comes from and, if there is a reason, why pairs are open or not."""
    values: dict[str, Any] = {"unseen": n_unseen}
    if reason is None:
        return Text(_ABOUT_SECOND_MODEL, values)
    return Text(f"{_ABOUT_SECOND_MODEL} {reason.template}", values | dict(reason.values))


def _render_gaps(view: View, sure_pairs: SurePairs) -> None:
    """Draw the gaps of both models, where there are few."""
    if _are_gaps_drawn(sure_pairs):
        scores = guarantees.predicted_scores(view)
        picture = drawings.pair_gaps(sure_pairs, scores, view.dataset.label_names)
        drawing.render_picture(picture, key="gaps")


def render_positions(view: View, sure_pairs: SurePairs, label_selection: LabelSelection) -> None:
    """Draw the positions that each label can have."""
    drawing.render_picture(
        drawings.sure_pairs(sure_pairs, view.dataset.label_names, label_selection), key="sure"
    )


@dataclass
class Level:
    """The level of the guarantee in percent, its risk, and True while they can be chosen.

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


def current_level() -> Level:
    """Return the level that the session has chosen last."""
    return session.live_value("guarantee", Level)


def seconds(view: View, level: Level) -> float:
    """Estimate the seconds that `guaranteed_pairs` takes where the page has not computed it."""
    return 0.0 if level.is_open or not _is_guaranteed(view, level) else guarantees.seconds(view)


def _is_guaranteed(view: View, level: Level) -> bool:
    """Tell whether pairs can be guaranteed, and that does not take long or is open already."""
    if not view.choice.algorithm.learns_rankings or view.dataset.n_labels < 2:
        return False
    return level.is_open or guarantees.seconds(view) <= jobs.SLOW_SECONDS


def guaranteed_pairs(view: View, level: Level) -> tuple[SurePairs, int] | None:
    """Return the pairs of a case that are guaranteed at a level, and how many cases check it.

    None where nothing can be guaranteed, or where that takes long and is not open already.
    """
    if not _is_guaranteed(view, level):
        return None
    held_out = guarantees.fit_held_out(view.dataset, view.choice, view.split, view.row)
    if held_out is None:
        return None
    calibration = guarantees.calibration(view.dataset, view.choice, held_out, level.risk)
    threshold = calibration.threshold(1 - level.percent / 100)
    if np.isinf(threshold):
        return None
    promise_text = promise(1 - level.percent / 100, RISKS[level.risk])
    explanation = models.case(view).explanation
    sure_pairs = guarantees.pairs(view, held_out, threshold, promise_text, explanation)
    return sure_pairs, calibration.n_cases


def _render_too_few_cases(calibration: Calibration, percent: int) -> None:
    n_fewest = fewest_cases(1 - percent / 100)
    st.info(
        drawing.with_nouns(
            f"{percent}% takes at least {n_fewest} calibration cases; there are "
            f"{calibration.n_cases}, so nothing can be promised. Choose a lower level or more data."
        )
    )


def _render_fine_print(view: View, threshold: float, risk: str) -> None:
    if view.edits:
        drawing.render_caption(
            drawing.with_nouns(
                "The guarantee is about cases like those of the data; values changed by hand may "
                "be unlike them."
            )
        )
    measure = (
        "the largest gap between two labels in the wrong order"
        if risk == ANY_PAIR
        else "the share of pairs in the wrong order"
    )
    gap_note = "" if np.isinf(threshold) else f" Here they must lie {threshold:.3g} apart."
    drawing.render_caption(
        drawing.with_nouns("The promise is about all new cases of the same kind together."),
        f"In each case that checks it we measure {measure}. Two labels are decided only if their "
        f"scores lie so far apart that this goes wrong rarely enough.{gap_note} "
        "Single groups may do worse, and data that have shifted since are not covered.",
    )
