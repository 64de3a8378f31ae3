"""Drawings that pages make of HTML themselves, and drawings to download, for awkward labels."""

import ast
import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Dataset, PairPreferences, Task
from labelrank_core.comparison import diagram
from labelrank_core.comparison.diagram import critical_difference_diagram
from labelrank_core.comparison.drawing import Drawing
from labelrank_core.explain.evidence import LabelScores
from labelrank_core.explain.render import Picture
from labelrank_core.rankings import dense_positions
from pages.data import count_rows, examples, portrait, preview
from pages.evaluate import example
from pages.learn import story
from pages.learn.classroom import figures
from pages.learn.exercises.base import GivenTable
from pages.predict import answer, chapters
from pages.ui.render import drawing
from pages.ui.render.charts import svg
from pages.ui.render.evidence import verdict
from tests.browser.gallery.differences import LONG, METHODS, UNBROKEN, awkward_differences
from tests.browser.gallery.evidence import first_example
from tests.browser.gallery.grounds import ROOT
from tests.browser.gallery.labels import LABELS, Labels

Drawings = Mapping[str, str]
# What HTML of a drawing begins with.
_STARTS = ('class="lr', "<svg", "<table", "<figure")
# Functions that put a drawing of the gallery into an element, one that draws an empty room, and two
# about the text that assistants read instead of drawings.
_FRAMES = {
    "pages/start/case_text.py case_markup",
    "pages/ui/wording/as_text.py text_of",
    "pages/data/sample_cards.py _labels",
    "pages/learn/handout.py _table",
    "pages/learn/question.py _render_orders",
    "pages/papers/story.py of_papers",
    "pages/predict/answer.py render_known_pairs",
    "pages/predict/chapters.py render_wait",
    "pages/predict/guaranteed_set.py _render_set",
    "pages/predict/unlike_neighbor.py render",
    "pages/start/pair_answer.py render",
    "pages/ui/render/charts/guarantees.py kept_against_realised",
    "pages/ui/render/charts/svg.py drawing",
    "pages/ui/render/drawing.py before_a_widget",
    "pages/ui/render/drawing.py render_chart",
    "pages/ui/render/drawing.py _figure_html",
    "pages/ui/render/drawing.py _render_stacked",
    "pages/ui/render/evidence/verdict.py render_change",
    "pages/ui/choose/samples.py _render_card",
}


def part_functions() -> set[str]:
    """Return where pages write HTML of drawings, besides frames for those of the package.

    Pages of the static site are looked at whole (tests/browser/test_explorables.py).
    """
    return {
        f"{path.relative_to(ROOT).as_posix()} {function.name}"
        for path in (ROOT / "pages").rglob("*.py")
        if path.parent.name != "explorables"
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for part in ast.walk(function)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and (part.value.startswith("lr ") or any(start in part.value for start in _STARTS))
    } - _FRAMES


def name_of(function: Callable[..., Any]) -> str:
    """Return where a function of a page stands."""
    return f"{function.__module__.replace('.', '/')}.py {function.__name__}"


def _dataset(labels: Labels, task: Task) -> Dataset:
    """Return rows with rankings, tied and incomplete ones too, with sets or pairs, or none."""
    Y: Any = labels.relevance[[0, 6, 1, 2]]
    if task is not Task.MULTILABEL:
        Y = labels.rankings[[0, 2, 4, 3]]
    if task is Task.PAIR_PREFERENCES:
        whole = PairPreferences.from_rankings(dense_positions(Y)).signs
        few = np.arange(whole.shape[1]) % max(1, whole.shape[1] // 5) == 0
        Y = np.array([whole[0], *np.where(few, whole[1:3], np.nan), np.nan * whole[3]])
    return Dataset(
        X=np.arange(4.0)[:, None],
        Y=Y,
        task=task,
        feature_names=["x"],
        label_names=labels.names,
        name="rows",
        case_names=["A", LONG, "17", "D"],
    )


def _first_rows() -> Drawings:
    return {
        f"{labels} {task}": preview.first_rows(_dataset(labels, task))
        for labels in LABELS
        if labels.n > 1
        for task in (Task.LABEL_RANKING, Task.MULTILABEL, Task.PAIR_PREFERENCES)
    }


def _cards() -> Drawings:
    return {example.title: examples._card(example) for example in examples.EXAMPLES}


def _stacked() -> Drawings:
    first, second = list(_cards().values())[:2]
    pictures = [Picture("", "", None, markup=card) for card in (first, second)]
    return {"": story.stacked(*pictures).markup}


def _portraits() -> Drawings:
    drawn = {}
    for labels in LABELS:
        if labels.n == 1:
            continue
        for task in (Task.LABEL_RANKING, Task.MULTILABEL):
            drawn[f"{labels} {task}"] = portrait.portrait_card(_dataset(labels, task), 0)
    return drawn


def _count_rows() -> Drawings:
    drawn = {}
    for labels in LABELS:
        if labels.n == 1:
            continue
        for task in (Task.LABEL_RANKING, Task.MULTILABEL):
            dataset = _dataset(labels, task)
            rows = [
                count_rows.CountRow(count_rows.target_strip(dataset, row), 100 * row, 99999, "×1.5")
                for row in range(3)
            ]
            drawn[f"{labels} {task}"] = count_rows.count_rows(rows, 1)
    words = [count_rows.CountRow(word, 5, 7) for word in (LONG, UNBROKEN, "")]
    return drawn | {"words": count_rows.count_rows(words)}


def _jumps() -> Drawings:
    drawn = {}
    for without in ((), (2, 5)):
        with drawing.on_paper() as parts:
            chapters.render_jumps(LONG, without=without)
        drawn[f"without {without}"] = "".join(parts)
    return drawn


def _strips() -> Drawings:
    drawn = {}
    for labels in LABELS:
        scores = first_example(LabelScores, labels)
        for is_set in (False, True):
            case = SimpleNamespace(explanation=labels.scene(scores, is_set=is_set).explanation)
            view = SimpleNamespace(dataset=SimpleNamespace(label_names=labels.names))
            with drawing.on_paper() as parts:
                answer.render_strip(view, case)
            drawn[f"{labels} {'set' if is_set else 'ranking'}"] = "".join(parts)
    return drawn


def _verdicts() -> Drawings:
    drawn = {}
    for labels in LABELS:
        if labels.n == 1:
            continue
        explanation = labels.scene(first_example(LabelScores, labels)).explanation
        dataset = _dataset(labels, Task.LABEL_RANKING)
        for row in (0, 1, None):
            with drawing.on_paper() as parts:
                verdict.render_verdict(dataset, explanation, row)
            drawn[f"{labels} of {row}"] = "".join(parts)
    return drawn


def _examples() -> Drawings:
    return {
        f"{labels} {task}": drawn.markup
        for labels in LABELS
        if labels.n > 1
        for task in (Task.LABEL_RANKING, Task.MULTILABEL)
        if (drawn := example.example_of(_dataset(labels, task))) is not None
    }


def _class_tables() -> Drawings:
    rule = ".class-table {overflow-x: auto}"
    assert rule in (ROOT / "pages/learn/classroom/phone.css").read_text("utf-8")
    table = GivenTable(("day", LONG, "hours of sun"), (("Monday", "12.5 °C", "3"), (LONG, "", "")))
    return {"": f"<style>{rule}</style>{figures.table_markup(table)}"}


PARTS: dict[Callable[..., Any], Callable[[], Drawings]] = {
    answer.render_strip: _strips,
    example.example_of: _examples,
    examples._card: _cards,
    figures.table_markup: _class_tables,
    portrait.portrait_card: _portraits,
    count_rows.count_rows: _count_rows,
    chapters.render_jumps: _jumps,
    preview.first_rows: _first_rows,
    story.stacked: _stacked,
    verdict.render_verdict: _verdicts,
}


def _diagrams() -> Drawings:
    return {
        name: critical_difference_diagram(differences).svg()
        for name, differences in awkward_differences().items()
    }


def _intervals() -> Drawings:
    means = np.resize([0.0, 0.012, -0.4], len(METHODS))
    table = pd.DataFrame(
        {"method": METHODS, "mean": means, "low": means - 0.1, "high": means + 0.3}
    )
    table.loc[0, ["low", "high"]] = np.nan
    return {
        "many": svg.intervals(table, title=f"difference from {LONG}"[:60], zero=True),
        "one": svg.intervals(table[:1], title="Hamming loss"),
    }


# As large as they are printed, whatever the width of the window.
FILES: dict[Callable[..., Any], Callable[[], Drawings]] = {
    critical_difference_diagram: _diagrams,
    svg.intervals: _intervals,
}


def file_functions() -> set[Callable[..., Any]]:
    """Return the functions of charts that write a file with a title, and of diagrams."""
    functions = {
        function
        for module in (svg, diagram)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    return {
        function
        for function in functions
        if inspect.signature(function).return_annotation in (Drawing, str)
    } - {svg.drawing, svg.line, svg.text_element}
