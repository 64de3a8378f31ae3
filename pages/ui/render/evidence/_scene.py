"""The context of drawings of evidence, and the step that they belong to."""

from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from typing import Any

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import Step
from labelrank_core.explain.render import LabelSelection
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.results.models import Case


@dataclass(frozen=True, eq=False)
class EvidenceScene:
    """The context on a page of drawings, besides the evidence."""

    dataset: Dataset
    case: Case
    # Makes the names of elements unique on a page.
    key: str
    # Leaves out what only a closer look needs.
    brief: bool = False
    # The case's row; None where it is a new case.
    row: int | None = None
    # Of many labels, those to draw besides the first and the relevant ones.
    label_selection: LabelSelection = field(default_factory=LabelSelection)

    @cached_property
    def plain(self) -> drawings.Scene:
        """The case without the context that only pages have."""
        dataset, case = self.dataset, self.case
        return drawings.Scene(
            case.explanation,
            dataset.label_names,
            dataset.schema,
            case.x,
            case.training_rows,
            case.units,
            self.label_selection,
            dataset.case_names,
        )

    @property
    def order(self) -> list[int]:
        """Labels in the predicted order."""
        return self.plain.order

    def rests_on(self, kind: type) -> bool:
        """Tell whether a step of the explanation has evidence of a kind."""
        return self.plain.rests_on(kind)


def render_step(step: Step, scene: EvidenceScene) -> None:
    """Draw one step of an explanation: heading, sentence, evidence."""
    drawing.render_heading(step.title)
    drawing.render_sentence(step.text, scene.dataset)
    render_evidence(step.evidence, scene)


@singledispatch
def render_evidence(evidence: Any, scene: EvidenceScene) -> None:
    """Draw a piece of evidence; kinds that ask for something have a function of their own."""
    drawing.render_picture(drawings.picture(evidence, scene.plain), key=scene.key)


def choose_label(scene: EvidenceScene, of: str) -> int:
    """Draw the choice of a label to look at; at first the last relevant one of the summary."""
    names, first = scene.dataset.label_names, scene.plain.middle_label
    if scene.brief:
        return first
    drawing.before_a_widget()
    return choices.choose(
        st.selectbox,
        drawing.with_nouns("Label"),
        scene.order,
        first,
        format_func=names.__getitem__,
        key=f"{scene.key}-{of}-label",
    )
