"""What several lessons have: rows to start from, the first step and the last."""

import numpy as np

from labelrank_core.explain.evidence import Label, LeaveOneOut, LeaveOneOutSets, Neighbors, Text
from labelrank_core.explain.pictures import Picture
from pages.learn import scenes
from pages.learn.story import Ask, Order, Pick, Setting, Step

_MOST_TAPPED = 8
DRINKS = """temperature,sunshine,ranking
17,5,tea>water>lemonade
16,4,tea>water>lemonade
12,3,tea>water>lemonade
22,6,water>lemonade>tea
23,7,water>lemonade>tea
27,9,lemonade>water>tea
30,11,lemonade>water>tea
5,1,tea>water>lemonade
"""
OUTINGS = """temperature,rain,labels
15,6,museum
13,7,museum
16,8,cinema
9,14,museum;cinema
19,1,hiking;cycling
22,2,hiking;cycling
27,1,swimming;cycling
30,0,swimming
"""


def rankings(setting: Setting) -> Step:
    """Show the rows and ask for the ranking of the case."""
    values = {"n": len(setting.case.training_rows), "m": setting.dataset.n_labels}
    words = "{n} cases, and how each ranks {m} labels. At the top: a case without a ranking."
    return Step(
        "The rows",
        Text(words, values),
        scenes.rows_picture(setting),
        Ask(
            Text("Which ranking do you expect for it?"),
            order(setting),
            setting.explanation.summary,
        ),
    )


def order(setting: Setting) -> Order:
    """Ask for the predicted order."""
    return Order(setting.explanation.positions)


def label_sets(setting: Setting) -> Step:
    """Show the rows and ask for the labels of the case."""
    values = {"n": len(setting.case.training_rows), "m": setting.dataset.n_labels}
    words = "{n} cases, and which of {m} labels each has. At the top: a case without labels."
    return Step(
        "The rows",
        Text(words, values),
        scenes.rows_picture(setting),
        Ask(
            Text("Which labels do you expect for it?"),
            relevant(setting),
            setting.explanation.summary,
        ),
    )


def relevant(setting: Setting) -> Pick:
    """Ask for the labels that are predicted relevant, among those that are drawn."""
    shown = setting.scene.shown
    found = np.flatnonzero(setting.explanation.prediction).tolist()
    right = frozenset(place for place, label in enumerate(sorted(shown)) if label in found)
    return Pick(tuple(setting.names[label] for label in sorted(shown)), right)


def one_label(setting: Setting, right: Label) -> Pick:
    """Ask for one label among those that are drawn."""
    shown = sorted({*setting.scene.shown, right.index})
    names = tuple(setting.names[label] for label in shown)
    return Pick(names, frozenset({shown.index(right.index)}), several=False)


def near_rows(setting: Setting) -> list[int]:
    """Return the rows of the data of the neighbours, from 0."""
    near = setting.explanation.evidence(Neighbors)
    return [int(row) for row in setting.case.training_rows[near.rows]]


def listed(labels: list[int]) -> tuple[Label, ...]:
    """Return labels as a text says them."""
    return tuple(Label(label) for label in labels)


def decides(setting: Setting, evidence: LeaveOneOut | LeaveOneOutSets, before: Picture) -> Step:
    """Ask which of the similar cases decide alone, and show what is predicted without each."""
    rows = setting.case.training_rows[evidence.rows]
    called = [f"#{row + 1}" for row in rows]
    right = frozenset(int(i) for i in evidence.deciding if i < _MOST_TAPPED)
    deciding = ", ".join(called[i] for i in evidence.deciding[:_MOST_TAPPED])
    said = "No single case decides: without any one of the {k} the prediction stays the same."
    if deciding:
        said = (
            "{cases}: leave one of them out, and the prediction changes. {n} of {k} cases decide."
        )
    values = {"k": len(rows), "n": len(evidence.deciding), "cases": deciding}
    return Step(
        "Does one case decide?",
        Text("Leave one of the {k} cases out: does the prediction stay the same?", values),
        before,
        Ask(
            Text("Tap the cases without which it changes."),
            Pick(tuple(called[:_MOST_TAPPED]), right),
            Text(said, values),
            scenes.evidence_picture(setting, type(evidence)),
        ),
    )


def answer(setting: Setting) -> Step:
    """Show what is predicted, and why in one sentence."""
    return Step("The answer", setting.explanation.summary, scenes.answer_picture(setting))
