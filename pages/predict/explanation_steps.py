"""Chapter 1: the steps of the explanation, from the evidence to the predicted ranking."""

from labelrank_core.explain.evidence import (
    Confidence,
    Neighbors,
    PairMatrix,
    ScoreParts,
    Step,
    TreeVotes,
)
from labelrank_core.explain.render import LabelSelection
from pages.predict import chapters, knob_preview
from pages.predict.expanders import compact_expander, expander_row
from pages.ui.render import drawing, evidence
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import glossary


def render(view: View, case: Case, label_selection: LabelSelection) -> None:
    """Draw the first step to the prediction, and the later ones behind a click."""
    dataset = view.dataset
    scene = evidence.EvidenceScene(
        dataset, case, "predict", row=view.row, label_selection=label_selection
    )
    first_step, *later_steps = steps_of(case)
    with chapters.chapter(1, title_of(first_step)):
        drawing.render_sentence(first_step.text, dataset)
        knob_preview.render_sentence(view)
        evidence.render_evidence(first_step.evidence, scene)
        knob_preview.render(view)
        with expander_row(1):
            if isinstance(first_step.evidence, Neighbors) and scene.rests_on(TreeVotes):
                _render_map_on_demand(first_step.evidence, scene)
            with compact_expander("How is this computed?", "computed") as is_open:
                if is_open:
                    for step in later_steps:
                        evidence.render_step(step, scene)
                    drawing.before_a_widget()
                    glossary.render()


def _render_map_on_demand(near: Neighbors, scene: evidence.EvidenceScene) -> None:
    """Of a forest the trees say more: its cases are drawn when somebody asks where they lie."""
    with compact_expander("Where they lie", "where") as is_open:
        if is_open:
            evidence.render_plane(
                scene.dataset, scene.case, near, scene.key, row=scene.row, height=260
            )


def steps_of(case: Case) -> list[Step]:
    """List the steps of the explanation, without that of the confidence."""
    return [step for step in case.explanation.steps if not isinstance(step.evidence, Confidence)]


def title_of(first_step: Step) -> str:
    """Return the title of the chapter: not every method asks others for their votes."""
    evidence = first_step.evidence
    if isinstance(evidence, ScoreParts):
        return "What was weighed?"
    if isinstance(evidence, PairMatrix):
        return "Which of two labels is ahead?"
    if isinstance(evidence, TreeVotes) and len(evidence.rankings) == 1:
        return "Which questions led here?"
    return "Who was asked?"
