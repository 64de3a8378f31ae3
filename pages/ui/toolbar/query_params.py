"""The query parameters of the address: read at the start, kept, mended, and their problems."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset, list_samples
from pages.ui import compute, session
from pages.ui.toolbar.case import first_row
from pages.ui.toolbar.data import data_name
from pages.ui.toolbar.method import methods_for, set_case
from pages.ui.view import (
    CASES,
    DATA,
    METHOD,
    ROW,
    SEED,
    SPLIT_KIND,
    TEST_SHARE,
    UNBOUND,
    Problem,
    View,
    is_same_word,
    meant_option,
    read_rows,
)
from pages.ui.wording.text import lowered

_MAX_PROBLEMS = 5
# What choices were called once, with the nouns of no data set.
_FORMER_NAMES = {
    "Pairs of labels": "Pairs",
    "Probabilities of pairs": "Probabilities",
    "Calibration of rankings": "Rankings",
    "Whole rankings": "Rankings",
    "With a guarantee": "Guarantee",
    "Labels deleted (p₀)": "Missing labels",
}
# The words of a choice before the name of a measure or a label, which is left as it is.
_BEFORE_A_NAME = ("Cases by ", "Cases with a wrong ")


def read_address() -> None:
    """Take over the parts of the address that no widget holds, at the start of a session.

    Whatever it asks for and does not get is told until it is changed or the page is left.
    """
    query = st.query_params.to_dict()
    if not session.has_read_link():
        _read_link(query)
    if any(key in query for key in UNBOUND):
        # From now on the session holds them.
        for key in UNBOUND:
            st.query_params.pop(key, None)
    # Widgets of whole numbers would fail at infinite ones.
    infinite = [key for key in st.query_params if _is_infinite(query[key])]
    if infinite:
        for key in infinite:
            del st.query_params[key]
        st.rerun()


def _read_link(query: Mapping[str, str]) -> None:
    samples_by_name = {sample.name: sample for sample in list_samples()}
    own_data = session.own_data()
    datasets: dict[str, Callable[[], Dataset]] = {
        name: partial(compute.sample, name) for name in samples_by_name
    }
    datasets |= {name: partial(own_data.__getitem__, name) for name in own_data}
    titles = {sample.title: name for name, sample in samples_by_name.items()}
    problems = list[Problem]()
    name = query.get(DATA)
    if name is not None and name not in datasets:
        meant = meant_option(name, titles)
        if meant is not None:
            problems.append(
                replace(
                    Problem.of_meant_option(DATA, "Data", name, meant), shown_word=titles[meant]
                )
            )
            query = {**query, DATA: titles[meant]}
    view, other_problems = View.from_query(query, datasets, first_row)
    problems += other_problems
    if CASES in query:
        rows, messages = read_rows(query[CASES], samples_by_name)
        problems += [Problem(CASES, message) for message in messages]
        for name, row in rows.items():
            if name != query.get(DATA):
                session.store_row(name, row)
    if view.edits:
        session.set_changed_values(view.dataset, view.row, view.changed_values())
    if view.pins:
        session.set_pins(view.dataset, view.pins)
    session.set_problems(list(dict.fromkeys(problems)))
    is_renamed = _rename_choices(query, view.dataset)
    if is_renamed or any(problem.is_read for problem in problems):
        st.query_params.update(
            {problem.key: problem.shown_word for problem in problems if problem.is_read}
        )
        # The widgets of this run read the address as it was.
        st.rerun()


def _rename_choices(query: Mapping[str, str], dataset: Dataset) -> bool:
    """Put today's names of choices into the address of an older link; tell whether any changed."""
    is_renamed = False
    for key, name in query.items():
        if key not in ("held_back", "behind") and not key.startswith("vary_"):
            continue
        today = _FORMER_NAMES.get(name, name)
        if key.startswith("vary_") and " × " in today:
            first, *others = today.split(" × ")
            today = " and ".join([first, *map(lowered, others)])
        words = next((start for start in _BEFORE_A_NAME if today.startswith(start)), today)
        renamed = dataset.nouns.insert(words) + today.removeprefix(words)
        if renamed != name:
            st.query_params[key] = renamed
            is_renamed = True
    return is_renamed


def _is_infinite(word: str) -> bool:
    with suppress(ValueError):
        return math.isinf(float(word))
    return False


def restore_choices(page: str) -> None:
    """Go on with the choices in use where one goes back to a page without parameters.

    On the same page an address without parameters says that what widgets start with was chosen.
    """
    view = session.last_view()
    if (
        view is not None
        and session.is_other_page(page)
        and not st.query_params
        and session.may_mend(bool(_unlike_address(view, data_name(view.dataset))))
    ):
        session.run_again(partial(_set_view, view))


def _set_view(view: View) -> None:
    """Choose everything in the toolbar as a view has it; for callbacks."""
    set_case(data_name(view.dataset), view.choice, view.row)
    session.set_state(SPLIT_KIND, view.split.kind)
    if view.split.kind == "random":
        session.set_state(SEED, view.split.seed)
        session.set_state(TEST_SHARE, round(100 * view.split.test_share))


def mend_address(view: View) -> None:
    """Put the values of the toolbar's widgets into the address, where it says otherwise.

    A click into the menu before the page is drawn loses some of it.
    """
    wrong = _unlike_address(view, session.get_state(DATA))
    if session.may_mend(bool(wrong)):
        session.assign_again(wrong)


def _unlike_address(view: View, name: str) -> list[str]:
    """List the widgets of the toolbar for which the address says something else."""
    dataset = view.dataset
    expected = {key: (s.word, s.default) for key, s in view.settings.items()}
    # A link always carries them; the address does not where they are those the widgets start with.
    expected[DATA] = name, list_samples()[0].name
    expected[METHOD] = expected[METHOD][0], methods_for(dataset)[0].title
    expected[ROW] = expected[ROW][0], str(first_row(dataset) + 1)
    return [
        key
        for key, (word, default) in expected.items()
        if not is_same_word(st.query_params.get(key, default), word)
    ]


def render_problems(slot: DeltaGenerator, view: View) -> None:
    """Name the settings that the link did not get, as long as the other value is shown."""
    settings = view.settings
    problems = []
    for problem in session.problems():
        setting = settings.get(problem.key)
        if problem.is_read:
            # It is said until another option is chosen.
            is_data = problem.key == DATA
            word = data_name(view.dataset) if is_data else setting.word if setting else ""
            if is_same_word(problem.shown_word, word):
                problems.append(problem)
        elif problem.message:
            problems.append(problem)
        elif setting is not None and not is_same_word(problem.word, setting.word):
            # A widget may come closer to what was asked for than the default.
            instead = problem.shown_word or setting.word
            if instead == setting.word:
                problems.append(replace(problem, shown_word=instead))
    session.set_problems(problems)
    messages = [problem.message for problem in problems if problem.message and not problem.is_read]
    notices = [problem.message for problem in problems if problem.is_read]
    clauses = [problem.clause() for problem in problems if not problem.message]
    with slot:
        if notices:
            # Nothing is missing.
            st.caption(" ".join(notices[:_MAX_PROBLEMS]))
        if messages:
            n_more = len(messages) - _MAX_PROBLEMS
            more = [f"And {n_more} more."] if n_more > 0 else []
            st.info("\n\n".join([*messages[:_MAX_PROBLEMS], *more]), icon=":material/link_off:")
        if clauses:
            st.info(
                f"The link asks for what is not possible here: {', '.join(clauses)}.",
                icon=":material/link_off:",
            )
