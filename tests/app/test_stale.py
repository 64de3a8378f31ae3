"""After a change of case, of method or of data no widget shows what belongs to the one before."""

import re
from functools import cache
from itertools import pairwise

import pytest

from labelrank_core.methods import ALGORITHMS
from tests.app.visits import ran, scroll_to, session

pytestmark = pytest.mark.usefixtures("all_methods_are_some")
PREDICT, EVALUATE = "pages/predict/page.py", "pages/evaluate/page.py"
SCENES = [
    ("pages/start/page.py", None),
    *((PREDICT, view) for view in ("Why", "All methods", "What if", "How sure", "Side by side")),
    (EVALUATE, None),
    ("pages/confidence/page.py", "Pairs"),
    ("pages/confidence/page.py", None),
    ("pages/sensitivity/page.py", None),
    ("pages/data/page.py", None),
]
KINDS = ("selectbox", "radio", "slider", "select_slider", "number_input", "toggle", "checkbox")
KINDS += ("button_group", "segmented_control", "multiselect", "text_input", "button")
OF_BAR = {
    *("data", "method", "row", "split", "test_share", "seed", "scaled", "tfidf"),
    *(f"{key}_{knob.name}" for key, each in ALGORITHMS.items() for knob in each.knobs),
}
RANKING, FOREST = "k-NN label ranking", "Label-ranking random forest"
# One step of a walk each: what changes, and what a link to the same place says.
WALKS = {
    "iris": [
        {"data": "iris", "method": RANKING, "row": 73},
        {"data": "iris", "method": RANKING, "row": 107},
        {"data": "iris", "method": FOREST, "row": 107},
        {"data": "glass", "method": FOREST, "row": 1},
    ],
    "outings": [
        {"data": "outings", "method": "ML-kNN", "row": 2},
        {"data": "outings", "method": "ML-kNN", "row": 9},
        {"data": "outings", "method": "k-NN multilabel ranking", "row": 9},
        {"data": "drinks_calibrated", "method": "k-NN multilabel ranking", "row": 1},
    ],
}


CHAPTERS = {view for page, view in SCENES if page == PREDICT}


def opened(place, page, view):
    """Open a view of a page by a link."""
    views = {} if view is None else {"view" if page == PREDICT else "held_back": view}
    return seen(session(page, **views, **place), view)


def seen(app, view):
    """Choose the view of a page, or come to the chapter."""
    if view in CHAPTERS:
        return scroll_to(app, view)
    for group in app.segmented_control:
        if view in group.options and group.value != view:
            ran(group.set_value(view).run())
    return app


def widgets(app):
    """Every widget's name, and what it offers and says, by its kind and key or label."""
    found = {}
    for kind in KINDS:
        for each in getattr(app, kind, []):
            options = tuple(getattr(each, "options", ()))
            bounds = (getattr(each, "min", None), getattr(each, "max", None))
            value = None if kind == "button" else each.value
            if kind == "selectbox":
                value = options[each.index]
            found[kind, each.label, each.key or ""] = (options or bounds, value)
    return found


def names_of(options):
    """Leave out the counts of wrong cases of a label, which come with choices that were made."""
    return tuple(re.sub(r": \d+ \w+$", "", option) for option in options)


def contents(app):
    """What tables and sentences of the page say."""
    tables = [table.value.to_csv() for table in app.dataframe]
    said = [each.value for kind in ("caption", "markdown", "header") for each in getattr(app, kind)]
    return sorted(tables), said


@cache
def by_link(page, view, **place):
    """What a page shows that is opened by a link, which no test changes."""
    app = opened(place, page, view)
    return widgets(app), contents(app)


def change(app, before, after):
    """Choose data, method and case as a visitor does."""
    for key in ("data", "method"):
        if before[key] != after[key]:
            ran(app.selectbox(key=key).set_value(after[key]).run())
    if app.number_input(key="row").value != after["row"]:
        ran(app.number_input(key="row").set_value(after["row"]).run())


def touch(app):
    """Move every widget that chooses what to look at, so neither data nor method nor values."""
    kept = {"view", "held_back", *OF_BAR}
    for kind in ("selectbox", "number_input", "slider"):
        for label, key in [(each.label, each.key) for each in getattr(app, kind)]:
            now = [e for e in getattr(app, kind) if (e.label, e.key) == (label, key)]
            if not now or key in kept or str(key).endswith("_n_neighbors"):
                continue
            last = now[0].options[-1] if kind == "selectbox" else now[0].max
            if last is not None and not str(key).startswith(("knn_", "whatif_")):
                ran(now[0].set_value(last).run())


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(("page", "view"), SCENES, ids=[f"{p[6:-8]}-{v}" for p, v in SCENES])
def test_everything_is_as_if_the_page_had_been_opened_so(page, view, walk):
    places = WALKS[walk]
    app = opened(places[0], page, view)
    for before, after in pairwise(places):
        change(app, before, after)
        seen(app, view)
        fresh = by_link(page, view, **after)
        assert widgets(app) == fresh[0], after
        assert contents(app) == fresh[1], after


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(
    ("page", "view"),
    [(PREDICT, "Why"), (PREDICT, "What if"), (PREDICT, "All methods"), (EVALUATE, None)],
)
def test_a_choice_that_was_made_outlives_a_change_only_where_the_same_is_offered(page, view, walk):
    places = WALKS[walk]
    app = opened(places[0], page, view)
    for before, after in pairwise(places):
        touch(app)
        former = widgets(app)
        change(app, before, after)
        seen(app, view)
        fresh, _ = by_link(page, view, **after)
        for name, (offered, value) in widgets(app).items():
            if name not in fresh:
                continue  # comes with another choice that was made
            own = name[2] or name[1]
            fresh_options = fresh[name][0]
            if name[2].startswith("label_buttons"):
                offered, fresh_options = names_of(offered), names_of(fresh_options)
            assert offered == fresh_options, (after, name)
            chosen = [of[1] for known, of in former.items() if (known[2] or known[1]) == own]
            assert value in (*chosen, fresh[name][1]), (after, name)
