"""The choices of data, case, method and parameters on every page, and the link to what is shown.

A move of the main parameter runs the page that follows it alone, nothing beside it.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset, list_samples
from labelrank_core.data.splits import Split
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from labelrank_core.methods.params import Knob
from pages.ui import choices, compute, methods, opening, samples, session, text, turns
from pages.ui.choice_text import TASK_TITLES, method_text, number_text, value_text
from pages.ui.view import (
    CASES,
    CHANGED,
    DATA,
    DEFAULT_TEST_PERCENT,
    LEAST_TEST_PERCENT,
    METHOD,
    MOST_SEED,
    MOST_TEST_PERCENT,
    PINS,
    ROW,
    SCALED,
    SEED,
    SPLIT_KIND,
    TEST_SHARE,
    TFIDF,
    UNBOUND,
    Problem,
    View,
    default_split_kind,
    encode_changes,
    is_same_word,
    read_rows,
    write_rows,
)

# Some programs cut an address after 2000 characters.
_MAX_UNBOUND_CHARACTERS = 1500
_MAX_PROBLEMS = 5
# Whoever is sent a copied link is no teacher by it.
TEACHER = "teacher"
_KEYS = (DATA, METHOD, ROW, SCALED, TFIDF, SPLIT_KIND, TEST_SHARE, SEED)
_TFIDF = (
    "Weighs each count of a word: the fewer training cases have the word, the more it counts. "
    "Similar texts are found better with it."
)
# By whether cases are scaled instead of features.
_SCALING = {
    False: (
        "Scale features",
        "Scales every feature to mean 0 and standard deviation 1, so that no unit counts more than "
        "another.",
    ),
    True: (
        "Scale cases",
        "Scales every case to length 1, so that long texts do not count more than short ones. "
        "Features are not scaled, because most are 0 in most rows and rare words would count too "
        "much.",
    ),
}


# The fragment of a page that follows its main parameter.
_PAGE_FRAGMENT = "page"
# Pages that run alone when their main parameter is moved.
_FOLLOWING = {"Start", "Predict"}


@dataclass(frozen=True, eq=False)
class Toolbar:
    """What was chosen in a run of the app, and the slots that tell and share it.

    The widget of the main parameter belongs to the app, not to the page that follows it: Streamlit
    takes a page's widgets out of the address when another page is opened, and Back would lose them.
    """

    page: str
    view: View
    notice_slot: DeltaGenerator
    caption_slot: DeltaGenerator
    share_slot: DeltaGenerator

    @property
    def is_followed(self) -> bool:
        """Whether the page draws what tells and shares the view, because it may run alone."""
        return self.page in _FOLLOWING and self.view.dataset.n_features > 0

    def render_view(self, view: View) -> None:
        """Draw what tells and shares a view."""
        session.set_view(view)
        _render_problems(self.notice_slot, view)
        self.caption_slot.caption(view_text(view))
        _render_share(self.share_slot, view)


def render(page: str) -> Toolbar:
    """Draw the choices that hold for all pages."""
    with st.sidebar:
        dataset = _choose_data()
        gallery_slot = st.container()
        row_slot = st.container()
        algorithm = _choose_method(dataset)
        browse_slot = st.container()
        basic_slot = st.container()
        more_slot = st.expander("More settings")
    notice_slot = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="choices"):
        # The parameter that matters most is always in sight, on a phone too.
        main_slot = st.container(width=300)
        caption_slot = st.container()
        with more_slot:
            split = _choose_split(dataset)
        n_cases = max(1, len(split.train) - 1)
        params: dict[str, Any] = {}
        main_knob = algorithm.knobs[0]
        follow_key = _key(algorithm, main_knob) if _is_followed(algorithm) else None
        for knob in algorithm.knobs:
            if knob.matters(params):
                key = _key(algorithm, knob)
                start = knob.start(algorithm.defaults[knob.name], n_cases)
                slot = main_slot if knob is main_knob else basic_slot if knob.basic else more_slot
                on_change = rerun_page if key == follow_key else None
                params[knob.name] = knob_widget(knob, start, n_cases, slot, key, on_change)
        with more_slot:
            tfidf = _choose_weighting(dataset)
            scaled = _choose_scaling(dataset, tfidf)
        with row_slot:
            _choose_row(dataset)
        if browse_slot.button(
            "Browse the methods", icon=":material/category:", type="tertiary", width="stretch"
        ):
            methods.choose(dataset, split)
        if gallery_slot.button(
            "Browse the samples", icon=":material/apps:", type="tertiary", width="stretch"
        ):
            samples.choose(_take_sample)
        share_slot = st.container(width="content")
    choice = ModelChoice(algorithm.key, tuple(sorted(params.items())), scaled, tfidf)
    row = session.row()
    session.store_row(session.get(DATA), row if row != first_row(dataset) else None)
    view = View(dataset, choice, split, row)
    keys = [*_KEYS, *(_key(algorithm, knob) for knob in algorithm.knobs)]
    session.set_drawn([key for key in keys if key != follow_key])
    toolbar = Toolbar(page, view, notice_slot, caption_slot, share_slot)
    session.set_toolbar(toolbar)
    session.set_view(view)
    return toolbar


def follow(render_page: Callable[[], None]) -> None:
    """Draw a page; what is moved or clicked in it, and the main parameter, draw it alone again."""
    toolbar: Toolbar = session.toolbar()
    is_whole = True

    @st.fragment(key=_PAGE_FRAGMENT)
    def page_fragment() -> None:
        nonlocal is_whole
        if not is_whole and session.has_changed_since_drawn():
            st.rerun()
        # The first time much is computed, later little: such runs do not hold each other up.
        turn = nullcontext() if is_whole else turns.MOVES.wait()
        is_whole = False
        with turn, session.in_fragment():
            toolbar.render_view(_with_main_parameter(toolbar.view))
            render_page()

    # While somebody waits for slow work, which a button cancels, all is one run.
    if session.pop_waiting():
        toolbar.render_view(toolbar.view)
        render_page()
        return
    page_fragment()
    # Not before: a run that ends early has not drawn everything.
    session.set_follows(True)


def rerun_page() -> None:
    """Run no more than the page, where it follows its main parameter."""
    if session.follows():
        st.rerun(_PAGE_FRAGMENT)


def _with_main_parameter(view: View) -> View:
    """Return a view with the value that the main parameter has now."""
    algorithm = view.choice.algorithm
    if not _is_followed(algorithm):
        return view
    knob = algorithm.knobs[0]
    params = {**dict(view.choice.params), knob.name: session.get(_key(algorithm, knob))}
    return replace(view, choice=replace(view.choice, params=tuple(sorted(params.items()))))


def _is_followed(algorithm: Algorithm) -> bool:
    """Tell whether nothing of the choices changes with the first parameter but itself."""
    first = algorithm.knobs[0]
    names = {knob.depends_on[0] for knob in algorithm.knobs if knob.depends_on}
    return not first.none and first.name not in names


def _key(algorithm: Algorithm, knob: Knob) -> str:
    return f"{algorithm.key}_{knob.name}"


def _choose_weighting(dataset: Dataset) -> bool:
    """Ask whether counts of words are weighted."""
    return dataset.has_word_counts and st.toggle(
        "TF-IDF", value=True, key=TFIDF, bind="query-params", help=_TFIDF
    )


def _choose_scaling(dataset: Dataset, tfidf: bool) -> bool:
    """Ask whether features, or the cases of sparse data, are scaled."""
    label, explained = _SCALING[dataset.is_sparse or tfidf]
    return st.toggle(label, value=True, key=SCALED, bind="query-params", help=explained)


def _choose_data() -> Dataset:
    samples = {sample.name: sample for sample in list_samples()}
    own = session.own_data()
    options = [*own, *samples]
    name = choices.choose(
        st.selectbox,
        "Data",
        options,
        options[len(own)],
        key=DATA,
        bind="query-params",
        on_change=lambda: start(_in_use(session.get(DATA)), session.rows().get(session.get(DATA))),
        help="Samples that come with the program, and data you add on the page Data.",
    )
    st.caption(
        "Your data; kept for this browser alone, they are not part of the link."
        if name in own
        else samples[name].summary
    )
    return _in_use(name)


def _in_use(name: str) -> Dataset:
    own = session.own_data()
    return own[name] if name in own else compute.sample(name)


def _take_sample(name: str) -> None:
    session.put(DATA, name)
    _go_on()


def _go_on() -> None:
    """Go on with the case of the data now chosen that was looked at last."""
    name = session.get(DATA)
    start(_in_use(name), session.rows().get(name))


def start(dataset: Dataset, row: int | None = None) -> None:
    """Begin with other data: a case, their own split if they have one; for callbacks."""
    known = row is not None and row < dataset.n_samples
    session.set_row(row if row is not None and known else first_row(dataset))
    session.put(SPLIT_KIND, default_split_kind(dataset))


def first_row(dataset: Dataset) -> int:
    """Choose the case to open with: the sample's own, or the first test row."""
    sample = compute.known_sample(dataset)
    own = sample.start_row if sample else None
    return own - 1 if own else int(compute.split(dataset).test[0])


def _choose_method(dataset: Dataset) -> Algorithm:
    offered = {algorithm.title: algorithm for algorithm in _methods(dataset)}
    title = choices.choose(
        st.selectbox,
        "Method",
        list(offered),
        key=METHOD,
        follows_default=False,
        bind="query-params",
        help=lambda title: offered[title].summary,
    )
    return offered[title]


def _methods(dataset: Dataset) -> list[Algorithm]:
    return [algorithm for algorithm in ALGORITHMS.values() if algorithm.learns(dataset)]


def knob_widget(
    knob: Knob,
    default: Any,
    n_cases: int,
    place: Any,
    key: str,
    on_change: Callable[[], None] | None = None,
) -> Any:
    """Draw the one widget of a parameter and return its value."""
    common: dict[str, Any] = {
        "key": key,
        "bind": "query-params",
        "help": knob.help,
        "on_change": on_change,
    }
    if knob.choices:
        labels = dict(knob.choices)
        values = list(labels)
        return choices.choose(
            place.selectbox, knob.label, values, default, format_func=labels.__getitem__, **common
        )
    offered = knob.offered(n_cases)
    if knob.none:
        return _number_or_none(knob, offered, default, place, common)
    if knob.at_most_cases:
        default = min(default, offered[-1])
    if len(offered) == 1:
        place.caption(f"{knob.label}: {offered[0]}, the only value possible with these data.")
        return offered[0]
    if knob.scale == "linear":
        return place.slider(knob.label, offered[0], offered[-1], int(default), **common)
    return choices.choose(
        place.select_slider, knob.label, offered, default, format_func=number_text, **common
    )


def _number_or_none(
    knob: Knob,
    offered: tuple[float, ...],
    default: float | None,
    place: Any,
    common: dict[str, Any],
) -> float | None:
    """Draw a slider whose last step stands for None."""
    options = {**{number_text(value): value for value in offered}, knob.none: None}
    start = knob.none if default is None else number_text(default)
    return options[choices.choose(place.select_slider, knob.label, list(options), start, **common)]


def _choose_split(dataset: Dataset) -> Split:
    """Ask which rows test the method."""
    kinds = ["random"] if dataset.split is None else ["published", "random"]
    kind = choices.choose(
        st.selectbox,
        "Test set",
        kinds,
        key=SPLIT_KIND,
        bind="query-params",
        help="Rows kept from the method to measure it: the test set the data were published with, "
        "or rows drawn at random.",
    )
    if kind == "published":
        return compute.split(dataset, kind="published")
    share = st.slider(
        "Share of test rows (%)",
        LEAST_TEST_PERCENT,
        MOST_TEST_PERCENT,
        DEFAULT_TEST_PERCENT,
        5,
        key=TEST_SHARE,
        bind="query-params",
    )
    seed = st.number_input(
        "Seed",
        0,
        MOST_SEED,
        0,
        key=SEED,
        bind="query-params",
        help="The same seed draws the same rows again.",
    )
    return compute.split(dataset, kind="random", test_share=share / 100, seed=int(seed))


def _choose_row(dataset: Dataset) -> None:
    st.number_input(
        f"Case (row 1 to {dataset.n_samples})",
        1,
        dataset.n_samples,
        first_row(dataset) + 1,
        key=ROW,
        bind="query-params",
        help="The row of the data to predict. A row of the training set is predicted by a model "
        "that has not seen it.",
    )
    st.button(
        "Random case",
        icon=":material/casino:",
        width="stretch",
        on_click=session.set_another_row,
        args=(dataset.n_samples,),
    )


def set_case(data: str, choice: ModelChoice, row: int) -> None:
    """Choose data, method and case in the sidebar; for callbacks."""
    session.put(DATA, data)
    set_method(_in_use(data), choice)
    session.set_row(row)


def set_method(dataset: Dataset, choice: ModelChoice) -> None:
    """Choose a method with all its parameters in the sidebar; for callbacks."""
    session.put(METHOD, choice.algorithm.title)
    session.put(SCALED, choice.scaled)
    if dataset.has_word_counts:
        session.put(TFIDF, choice.tfidf)
    set_values(choice.algorithm, choice.values)


def set_values(algorithm: Algorithm, values: Mapping[str, Any]) -> None:
    """Set parameters of a method in the sidebar; for callbacks."""
    for knob in algorithm.knobs:
        if knob.name in values:
            value = values[knob.name]
            shown = value_text(knob, value) if knob.none else value
            session.put(f"{algorithm.key}_{knob.name}", shown)


def view_text(view: View) -> str:
    """Write what is looked at in one line of Markdown."""
    name, *others = view_facts(view)
    return " · ".join([text.markdown(name), *others])


def view_facts(view: View) -> list[str]:
    """Write data, task, method and case in a few words each; the first may hold anything."""
    task = TASK_TITLES[view.dataset.task]
    return [view.dataset.name, task, method_text(view.choice), f"row {view.row + 1}"]


def read_address() -> None:
    """Take over what the address says beyond the widgets, at the start of a session.

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
    own = session.own_data()
    datasets: dict[str, Callable[[], Dataset]] = {
        name: partial(compute.sample, name) for name in samples_by_name
    }
    datasets |= {name: partial(own.__getitem__, name) for name in own}
    view, problems = View.from_query(query, datasets, first_row)
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


def _is_infinite(word: str) -> bool:
    with suppress(ValueError):
        return math.isinf(float(word))
    return False


def keep_choices() -> None:
    """Go on with the choices in use where one goes back to an address without parameters."""
    view = session.last_view()
    if (
        view is not None
        and not st.query_params
        and session.may_mend(bool(_unlike_address(view, _data_name(view.dataset))))
    ):
        session.run_again(partial(_show, view))


def _show(view: View) -> None:
    """Choose everything in the toolbar as a view has it; for callbacks."""
    set_case(_data_name(view.dataset), view.choice, view.row)
    session.put(SPLIT_KIND, view.split.kind)
    if view.split.kind == "random":
        session.put(SEED, view.split.seed)
        session.put(TEST_SHARE, round(100 * view.split.test_share))


def _data_name(dataset: Dataset) -> str:
    """Return the name under which data are offered."""
    own = session.own_data().items()
    names = (name for name, data in own if data.fingerprint == dataset.fingerprint)
    return next(names, dataset.name)


def mend_address(toolbar: Toolbar) -> None:
    """Put into the address what the widgets of the toolbar hold, where it says otherwise.

    A click into the menu before the page is drawn loses some of it.
    """
    wrong = _unlike_address(toolbar.view, session.get(DATA))
    if session.may_mend(bool(wrong)):
        session.assign_again(wrong)


def _unlike_address(view: View, name: str) -> list[str]:
    """List the widgets of the toolbar for which the address says something else."""
    dataset = view.dataset
    words = {key: (s.word, s.default) for key, s in view.settings().items()}
    # A link always carries them; the address does not where they are those the widgets start with.
    words[DATA] = name, list_samples()[0].name
    words[METHOD] = words[METHOD][0], _methods(dataset)[0].title
    words[ROW] = words[ROW][0], str(first_row(dataset) + 1)
    return [
        key
        for key, (word, default) in words.items()
        if not is_same_word(st.query_params.get(key, default), word)
    ]


def _render_problems(slot: DeltaGenerator, view: View) -> None:
    """Name what the link asked for and did not get, as long as the other value is shown."""
    settings = view.settings()
    problems = []
    for problem in session.problems():
        setting = settings.get(problem.key)
        if problem.message:
            problems.append(problem)
        elif setting is not None and not is_same_word(problem.word, setting.word):
            # A widget may come closer to what was asked for than the default.
            instead = problem.shown or setting.word
            if instead == setting.word:
                problems.append(replace(problem, shown=instead))
    session.set_problems(problems)
    messages = [problem.message for problem in problems if problem.message]
    clauses = [problem.clause() for problem in problems if not problem.message]
    with slot:
        if messages:
            n_more = len(messages) - _MAX_PROBLEMS
            more = [f"And {n_more} more."] if n_more > 0 else []
            st.info("\n\n".join([*messages[:_MAX_PROBLEMS], *more]), icon=":material/link_off:")
        if clauses:
            st.info(
                f"The link asks for what is not possible here: {', '.join(clauses)}.",
                icon=":material/link_off:",
            )


def _render_share(slot: DeltaGenerator, view: View) -> None:
    """Offer the link to what is shown, to copy."""
    popover = slot.popover(
        "Copy link", icon=":material/link:", type="tertiary", key="copy_link", on_change="rerun"
    )
    if not opening.is_open(popover):
        return
    url, left_out = link(view)
    with popover:
        st.text_input(
            "Opens this page with these data, method and case, your changed values and pins", url
        )
        if left_out:
            st.caption(f"Left out, because the link would be too long: {', '.join(left_out)}.")
        if session.get(DATA) in session.own_data():
            st.caption(
                "Your own data are not in the link, nor are changed values and pins: others see a "
                "sample instead."
            )


def with_parameters(url: str, values: Mapping[str, Any]) -> str:
    """Return a link with other values of some query parameters."""
    base, _, query = url.partition("?")
    return f"{base}?{urlencode({**dict(parse_qsl(query)), **values})}" if values else url


def link(view: View) -> tuple[str, list[str]]:
    """Return the address of what is shown, and what does not fit into it."""
    dataset, row, name = view.dataset, view.row, session.get(DATA)
    own = session.own_data()
    edits = encode_changes(dataset, row, session.changed_values(dataset, row))
    query = replace(view, edits=edits, pins=session.pins(dataset)).to_query(name)
    others = {other: r for other, r in session.rows().items() if other not in (name, *own)}
    if others:
        query[CASES] = write_rows(others)
    if name in own:
        query.pop(CHANGED, None)
        query.pop(PINS, None)
    left_out, n_left = [], _MAX_UNBOUND_CHARACTERS
    for key, title in UNBOUND.items():
        if key in query:
            length = len(urlencode({key: query[key]}))
            if length > n_left:
                left_out.append(title)
                del query[key]
            else:
                n_left -= length
    of_toolbar = (DATA, TEACHER, *UNBOUND, *view.settings())
    of_page = {key: word for key, word in st.query_params.items() if key not in of_toolbar}
    unbound = {key: query.pop(key) for key in UNBOUND if key in query}
    return f"{st.context.url}?{urlencode({**query, **of_page, **unbound})}", left_out
