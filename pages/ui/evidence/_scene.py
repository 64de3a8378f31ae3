"""What drawings of evidence need to know, and the step that they belong to."""

from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.evidence import Step
from pages.ui import drawing, state
from pages.ui.labels import Wanted
from pages.ui.models import Case

_PLACES_SHOWN = 10


@dataclass(frozen=True, eq=False)
class Scene:
    """What the drawings need to know besides the evidence."""

    dataset: Dataset
    case: Case
    # Makes the names of elements unique on a page.
    key: str
    # Leaves out what only a closer look needs.
    brief: bool = False
    # The case's row; None where it is a new case.
    row: int | None = None
    # Of many labels, those to draw besides the first and the relevant ones.
    wanted: Wanted = field(default_factory=Wanted)

    @property
    def order(self) -> list[int]:
        """Labels in the predicted order."""
        return self.case.explanation.order

    @property
    def shown(self) -> list[int]:
        """The labels to draw, in the predicted order: the first ones and all relevant ones."""
        found = self.case.explanation
        known = found.relevance
        relevant = set() if known is None else set(np.flatnonzero(known).tolist())
        return self.wanted.of(self.order, relevant)

    @property
    def n_places(self) -> int:
        """How many places of rankings to draw."""
        return len(self.order) if self.wanted.everything else _PLACES_SHOWN

    def rests_on(self, kind: type) -> bool:
        """Tell whether a step of the explanation has evidence of a kind."""
        return self.case.explanation.find(kind) is not None


def draw_step(step: Step, scene: Scene) -> None:
    """Draw one step of an explanation: heading, sentence, evidence."""
    drawing.heading(step.title)
    drawing.say(step.text, scene.dataset)
    draw(step.evidence, scene)


@singledispatch
def draw(evidence: Any, scene: Scene) -> None:
    """Draw a piece of evidence."""
    drawing.table(evidence.frame(scene.dataset.label_names))


def ask_label(scene: Scene, of: str) -> int:
    """Ask which label to look at closer; unless chosen, the last relevant one of the summary."""
    names = scene.dataset.label_names
    place = max(0, int(scene.case.explanation.prediction.sum()) - 1)
    if scene.brief:
        return scene.order[place]
    key = f"{scene.key}-{of}-label-{scene.dataset.fingerprint[:8]}"
    state.follow(key, None, scene.order[place])
    return st.selectbox(
        "Label", scene.order, index=place, format_func=lambda label: names[label], key=key
    )
