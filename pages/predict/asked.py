"""Chapter 1, who was asked: what speaks for the prediction, and how that becomes a ranking."""

from labelrank_core.explain.evidence import Confidence, ScoreParts
from labelrank_core.explain.pictures import Wanted
from pages.predict import chapters, knob_preview
from pages.predict.folds import fold
from pages.ui import drawing, evidence, glossary
from pages.ui.models import Case
from pages.ui.view import View


def render(view: View, case: Case, wanted: Wanted) -> None:
    """Draw the first step to the prediction, the others behind a click."""
    dataset = view.dataset
    scene = evidence.Scene(dataset, case, "predict", row=view.row, label_selection=wanted)
    first, *others = [s for s in case.explanation.steps if not isinstance(s.evidence, Confidence)]
    # Linear methods ask nobody: they weigh the features.
    title = "What was weighed?" if isinstance(first.evidence, ScoreParts) else "Who was asked?"
    with chapters.chapter(1, title):
        drawing.render_sentence(first.text, dataset)
        evidence.render_evidence(first.evidence, scene)
        knob_preview.render(view)
        with fold("How is this computed?", "computed") as is_open:
            if is_open:
                for step in others:
                    evidence.render_step(step, scene)
                drawing.before_a_widget()
                glossary.render()
