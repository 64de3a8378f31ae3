"""The data and the case of a lesson: a few rows to edit, or the data in use."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, DatasetError, Task
from labelrank_core.data.splits import Split
from labelrank_core.explain.predictions import case_path
from labelrank_core.io import inspect_files, read_dataset
from labelrank_core.methods import ModelChoice, Size
from pages.learn.story import Example, Lesson, LessonSetting
from pages.ui import compute, session, toolbar
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import text

_MOST_ROWS, _MOST_FEATURES = 60, 4
# The beginnings of the query parameters that change rows or case.
_CHANGES = ("on_data", "example_", "rows_", "x0_", "x1_", "x2_", "x3_")


def choose_setting(lesson: Lesson) -> LessonSetting | None:
    """Draw the choice of data, case and parameters; None, with findings drawn, for wrong rows.

    It is folded, unless the link has changed something: then wrong rows are seen at once.
    """
    is_changed_key = f"_{lesson.key}_is_changed"
    session.begin(is_changed_key, any(name.startswith(_CHANGES) for name in st.query_params))
    with st.expander(
        "Change the example",
        expanded=bool(session.get_state(is_changed_key)),
        icon=":material/tune:",
    ):
        return _choose_setting(lesson)


def _choose_setting(lesson: Lesson) -> LessonSetting | None:
    rows_column, case_column = st.columns(2, gap="large")
    with rows_column:
        if _choose_data_in_use(lesson):
            return _choose_case_in_use(lesson, case_column)
        example = _choose_example(lesson)
        example_key = f"{lesson.key}{lesson.examples.index(example) or ''}"
        with st.expander("Edit the rows"):
            rows = st.text_area(
                "One row per line; the first line names the columns",
                example.rows,
                height=260,
                key=f"rows_{example_key}",
                bind="query-params",
            )
        dataset = _read(rows, lesson)
        if dataset is None:
            return None
        if all(name in example.rows for name in dataset.label_names):
            dataset = replace(dataset, nouns=example.nouns)
        drawing.use_nouns(dataset)
    choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
    with case_column:
        x = _choose_case(example, dataset, example_key)
        if example.note:
            st.caption(example.note)
        choice = _choose_params(lesson, choice, dataset.n_samples, example_key)
    return make_setting(dataset, choice, x)


def example_setting(lesson: Lesson, example: Example) -> LessonSetting:
    """Make the setting of an example as it is before anything is changed."""
    dataset = replace(read_rows(example.rows, lesson), nouns=example.nouns)
    x = [_start_value(example, dataset, j) for j in range(dataset.n_features)]
    choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
    return make_setting(dataset, choice, np.array(x))


def make_setting(dataset: Dataset, choice: ModelChoice, x: Any) -> LessonSetting:
    """Let a method learn all rows, and explain a new case."""
    make_case = partial(_case_of, dataset, x)
    return LessonSetting(dataset, choice, make_case(choice), make_case)


def _case_of(dataset: Dataset, x: Any, choice: ModelChoice) -> Case:
    return compute.once(
        compute.digest("lesson's case", dataset.fingerprint, choice, x.tolist()),
        f"Training on {dataset.n_samples} cases",
        explain_new_case,
        dataset,
        x,
        choice,
        seconds=choice.seconds(Size.of(dataset, dataset.n_samples, 1)),
        algorithm=choice.algorithm,
    )


def explain_new_case(dataset: Dataset, x: Any, choice: ModelChoice) -> Case:
    """Train a method on all rows, and explain a new case."""
    model = choice.build().fit(dataset.X, choice.algorithm.targets(dataset))
    path_of_case = case_path(model, x)
    explanation = path_of_case.path.at().explain(0)
    return Case(x, explanation, np.arange(dataset.n_samples), path_of_case.units)


def _case_in_use(dataset: Dataset, split: Split, row: int, choice: ModelChoice) -> Case:
    return models.case(View(dataset, choice, split, row, {}))


def _choose_data_in_use(lesson: Lesson) -> bool:
    """Ask whether the lesson is about the data in use; they may be of another kind."""
    dataset = session.dataset()
    fits = learns(lesson, dataset)
    kinds = "label sets" if lesson.task is Task.MULTILABEL else "rankings"
    if lesson.is_complete and kinds == "rankings":
        kinds = "complete rankings"
    return (
        st.toggle(
            f"On my data: {text.markdown(toolbar.data_title(dataset))}",
            key="on_data",
            bind="query-params",
            disabled=not fits,
            help="The data chosen on the other pages." if fits else f"This lesson needs {kinds}.",
        )
        and fits
    )


def learns(lesson: Lesson, dataset: Dataset) -> bool:
    """Tell whether a lesson can be about a data set."""
    is_whole = dataset.task is Task.MULTILABEL or not np.isnan(dataset.Y).any()
    is_possible = dataset.n_features > 0 and dataset.task is lesson.task
    return is_possible and (is_whole or not lesson.is_complete)


def _choose_case_in_use(lesson: Lesson, container: Any) -> LessonSetting:
    dataset, split, row = session.dataset(), session.split(), session.row()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Row {row + 1} of {dataset.n_samples}, predicted from the training rows.")
        st.button(
            "Random case",
            icon=":material/casino:",
            key="lesson_case",
            on_click=session.set_another_row,
            args=(dataset.n_samples,),
        )
    n_cases = max(1, len(split.train) - 1)
    usual = ModelChoice(lesson.method, (), scaled=True)
    start = usual.with_params(
        **{
            knob.name: knob.start(usual.values[knob.name], n_cases)
            for knob in usual.algorithm.knobs
            if knob.name in lesson.params
        }
    )
    with container:
        choice = _choose_params(lesson, start, n_cases, f"{lesson.key}_data")
    make_case = partial(_case_in_use, dataset, split, row)
    return LessonSetting(dataset, choice, make_case(choice), make_case, row)


def _choose_params(
    lesson: Lesson, choice: ModelChoice, n_cases: int, example_key: str
) -> ModelChoice:
    for name in lesson.params:
        knob = next(knob for knob in choice.algorithm.knobs if knob.name == name)
        param_value = toolbar.choose_parameter(
            knob, choice.values[name], n_cases, st, f"{name}_{example_key}"
        )
        choice = choice.with_params(**{name: param_value})
    return choice


def _choose_example(lesson: Lesson) -> Example:
    if len(lesson.examples) == 1:
        return lesson.examples[0]
    titles = [example.title for example in lesson.examples]
    title = choices.choose(
        st.selectbox, "Example", titles, key=f"example_{lesson.key}", bind="query-params"
    )
    return lesson.examples[titles.index(title)]


def _choose_case(example: Example, dataset: Dataset, example_key: str) -> Any:
    """Ask for the values of the new case."""
    with st.container(horizontal=True):
        return np.array(
            [
                st.number_input(
                    f"{drawing.with_nouns('New case')}: {text.markdown(name)}",
                    value=_start_value(example, dataset, j),
                    step=1.0,
                    format="%g",
                    key=f"x{j}_{example_key}",
                    bind="query-params",
                )
                for j, name in enumerate(dataset.feature_names)
            ]
        )


def _start_value(example: Example, dataset: Dataset, feature: int) -> float:
    if feature < len(example.case):
        return example.case[feature]
    return float(dataset.X[:, feature].mean())


def _read(rows: str, lesson: Lesson) -> Dataset | None:
    """Read rows of label sets or rankings; None, with the findings on the page, if impossible."""
    try:
        dataset = compute.once(
            compute.digest("lesson", rows, lesson.key), "Reading the rows", read_rows, rows, lesson
        )
    except DatasetError as error:
        st.error("These rows cannot be used.", icon=":material/error:")
        widgets.render_findings(error.findings, "lesson")
        return None
    problem = ""
    if not 2 <= dataset.n_samples <= _MOST_ROWS:
        problem = f"A lesson needs 2 to {_MOST_ROWS} rows."
    elif not 1 <= len(dataset.schema.columns) <= _MOST_FEATURES or not dataset.schema.is_numeric:
        problem = f"A lesson needs 1 to {_MOST_FEATURES} features, all numbers."
    elif dataset.n_labels < 2:
        problem = "A lesson needs two labels or more."
    elif not learns(lesson, dataset):
        problem = "In this lesson every row must rank every label."
    if problem:
        st.error(problem, icon=":material/error:")
        return None
    widgets.render_left_out_rows(dataset, "lesson")
    return dataset


def read_rows(rows: str, lesson: Lesson) -> Dataset:
    """Read the rows of a lesson, its last column as rankings or label lists.

    A first column of text, such as days of the week, has the names of the rows.
    """
    form, role = "label_lists", "label_list"
    if lesson.task is Task.LABEL_RANKING:
        form, role = "ordering_strings", "ranking"
    proposal = inspect_files(("lesson.csv", rows.encode()))
    names = [column.name for column in proposal.columns]
    # The last column holds the targets, whatever its name is.
    roles = dict.fromkeys(names[:-1], "feature") | dict.fromkeys(names[-1:], role)
    first_cells = pd.Series(proposal.raw.cells(0)) if len(names) > 2 else pd.Series([1.0])
    has_names = pd.to_numeric(first_cells, errors="coerce").isna().all()
    if has_names:
        roles[names[0]] = "name"
    return read_dataset(proposal, roles=roles, target_form=form, skip_bad_rows=True)
