"""One lesson: rows that can be edited, a new case, and the steps of the method."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from labelrank_core import Dataset, DatasetError, Task
from labelrank_core.explain.predictions import case_path
from labelrank_core.io import inspect_files, read_dataset
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.learn.lessons import PURPOSES, Example, Lesson
from pages.ui import compute, drawing, evidence, params, state, tables, text, widgets
from pages.ui.models import Case

_MOST_ROWS, _MOST_FEATURES = 60, 4
_ROWS_FIRST = "The rows"
_ANSWER = "The answer"


@dataclass(frozen=True, eq=False)
class Setting:
    """The current data, case and parameters of a lesson."""

    dataset: Dataset
    case: Case


def teach(lesson: Lesson) -> None:
    """Show a lesson: what can be changed, and its steps."""
    st.header(lesson.title, anchor=False)
    st.markdown(lesson.idea)
    controls, stage = st.columns([1, 2.2], gap="large")
    with controls:
        setting = _ask(lesson)
    if setting is None:
        return
    with stage:
        _steps(lesson, setting)


def _ask(lesson: Lesson) -> Setting | None:
    """Ask for rows, case and parameters; None, with findings on the page, where rows are wrong."""
    example = _example(lesson)
    if example.note:
        st.info(example.note, icon=":material/lightbulb:")
    place = f"{lesson.key}{lesson.examples.index(example) or ''}"
    with st.expander("Edit the rows", icon=":material/edit:"):
        rows = st.text_area(
            "One row per line; the first line names the columns",
            example.rows,
            height=260,
            key=f"rows_{place}",
            bind="query-params",
        )
    dataset = _read(rows, sets=not ALGORITHMS[lesson.key].learns_rankings)
    if dataset is None:
        return None
    st.markdown("**The new case**")
    x = np.array(
        [
            st.number_input(
                text.markdown(name), value=_own(example, dataset, j), key=f"x{j}_{place}",
                bind="query-params",
            )
            for j, name in enumerate(dataset.feature_names)
        ]
    )  # fmt: skip
    choice = ModelChoice(lesson.key, (), scaled=False).with_params(**example.params)
    for name in lesson.params:
        knob = next(knob for knob in choice.algorithm.knobs if knob.name == name)
        start, key = choice.values[name], f"{name}_{place}"
        given = params.knob_widget(knob, start, dataset.n_samples, st, key)
        choice = choice.with_params(**{name: given})
    model = choice.build().fit(dataset.X, choice.algorithm.targets(dataset))
    found = case_path(model, x)
    everyone = np.arange(dataset.n_samples)
    return Setting(dataset, Case(x, found.path.at().explain(0), everyone, found.units))


def _example(lesson: Lesson) -> Example:
    if len(lesson.examples) == 1:
        return lesson.examples[0]
    titles = [example.title for example in lesson.examples]
    title = st.selectbox("Example", titles, key=f"example_{lesson.key}", bind="query-params")
    return lesson.examples[titles.index(title)]


def _read(rows: str, *, sets: bool) -> Dataset | None:
    """Read rows of label sets or rankings; None, with the findings on the page, if impossible."""
    try:
        key = compute.digest("lesson", rows, sets)
        dataset = compute.once(key, lambda: _read_rows(rows, sets=sets))
    except DatasetError as error:
        st.error("These rows cannot be used.", icon=":material/error:")
        widgets.findings(error.findings, "lesson")
        return None
    problem = ""
    if not 2 <= dataset.n_samples <= _MOST_ROWS:
        problem = f"A lesson needs 2 to {_MOST_ROWS} rows."
    elif not 1 <= len(dataset.schema.columns) <= _MOST_FEATURES or not dataset.schema.is_numeric:
        problem = f"A lesson needs 1 to {_MOST_FEATURES} features, all numbers."
    elif dataset.task is Task.LABEL_RANKING and np.isnan(dataset.Y).any():
        problem = "In a lesson every row must rank every label."
    if problem:
        st.error(problem, icon=":material/error:")
        return None
    widgets.left_out(dataset, "lesson")
    return dataset


def _read_rows(rows: str, *, sets: bool) -> Dataset:
    form, role = ("label_lists", "label_list") if sets else ("ordering_strings", "ranking")
    proposal = inspect_files(("lesson.csv", rows.encode()))
    names = [column.name for column in proposal.columns]
    # The last column holds the targets, whatever its name is.
    roles = dict.fromkeys(names[:-1], "feature") | dict.fromkeys(names[-1:], role)
    return read_dataset(proposal, roles=roles, target_form=form, skip_bad_rows=True)


def _own(example: Example, dataset: Dataset, feature: int) -> float:
    if feature < len(example.case):
        return example.case[feature]
    return float(dataset.X[:, feature].mean())


def _steps(lesson: Lesson, setting: Setting) -> None:
    steps = setting.case.explanation.steps
    titles = [_ROWS_FIRST, *(step.title for step in steps), _ANSWER]
    key = f"step_{lesson.key}"
    state.forget_if(key, lambda value: value not in titles)
    now = state.get(key, titles[0])
    with st.container(horizontal=True, vertical_alignment="center"):
        for words, icon, by, shortcut in (
            ("Back", ":material/arrow_back:", -1, "Left"),
            ("Next", ":material/arrow_forward:", 1, "Right"),
        ):
            target = titles.index(now) + by
            st.button(
                words,
                icon=icon,
                key=f"{words}-{key}",
                type="primary" if by > 0 else "secondary",
                disabled=not 0 <= target < len(titles),
                on_click=state.put,
                args=(key, titles[min(max(target, 0), len(titles) - 1)]),
                shortcut=shortcut,
            )
        st.caption(f"Step {titles.index(now) + 1} of {len(titles)} (arrow keys work too)")
    shown = st.selectbox("Step", titles, key=key, bind="query-params", label_visibility="collapsed")
    scene = evidence.Scene(setting.dataset, setting.case, f"lesson-{lesson.key}")
    place = titles.index(shown)
    if place == 0:
        _rows(setting)
    elif shown == _ANSWER:
        _answer(setting, lesson)
    else:
        step = steps[place - 1]
        st.caption(PURPOSES.get(type(step.evidence), ""))
        evidence.draw_step(step, scene)


def _rows(setting: Setting) -> None:
    dataset = setting.dataset
    st.header("The rows", anchor=False)
    own = ", ".join(
        f"{text.markdown(name)} {value:g}"
        for name, value in zip(dataset.feature_names, setting.case.x, strict=True)
    )
    what = "rank the labels" if dataset.task is Task.LABEL_RANKING else "have labels"
    st.markdown(
        f"{dataset.n_samples} cases {what}. What is predicted for a new case with **{own}**?"
    )
    said = dataset.targets_in_words(np.arange(dataset.n_samples))
    everyone = dataset.schema.frame(np.vstack([dataset.X, setting.case.x]))
    table = everyone.map(lambda value: f"{value:g}")
    names = {"row": [*map(str, range(1, dataset.n_samples + 1)), "new"]}
    st.table(tables.around_features(table, names, {"says": [*said, "?"]}).set_index("row"))


def _answer(setting: Setting, lesson: Lesson) -> None:
    st.header("The answer", anchor=False)
    drawing.say(setting.case.explanation.summary, setting.dataset)
    columns = evidence.ladder_of(setting.case.explanation, setting.dataset, None, earlier=None)
    evidence.draw_ladder(columns, setting.dataset, f"lesson-{lesson.key}-ladder")
