"""Values changed by hand, pins and cases outlive a page, a change of data and a link."""

import re
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from labelrank_core import list_samples, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.ui import toolbar
from pages.ui.view import View, encode_changes, read_pins, write_pins
from tests import core_says
from tests.app.visits import ROOT, bar, go_to, ran, scroll_to, sentences, session

PREDICT, EVALUATE = "pages/predict/page.py", "pages/evaluate/page.py"
IRIS, GLASS = load_sample("iris"), load_sample("glass")


def petal(app):
    scroll_to(app, "What if")
    return next(s for s in app.slider if s.key.startswith("whatif_") and s.key.endswith("_2"))


def press(app, label):
    return ran(next(button for button in app.button if button.label == label).click().run())


def choose(app, name):
    return ran(app.selectbox(key="data").set_value(name).run())


def case(app, row):
    return ran(app.number_input(key="row").set_value(row).run())


def carried(app):
    """What the link to copy carries beyond what widgets hold."""
    said = parse_qs(bar(app)["link"].partition("?")[2])
    return {key: said[key][0] for key in ("changed", "pins", "cases") if key in said}


def told(app):
    return [info.value.replace("\\", "").replace("\u2060", "") for info in app.info]


def at_predict(**link):
    return session(PREDICT, **link)


@pytest.mark.usefixtures("everything_open")
def test_changed_values_pins_and_cases_open_again_from_the_copied_link():
    app = case(at_predict(data="glass"), 7)
    app = case(choose(app, "iris"), 80)
    press(app, "Pin this prediction")
    ran(petal(app).set_value(6.9).run())
    expected = core_says.sentence(IRIS, 80, edits={2: 6.9})
    assert sentences(app)[0] == expected
    link = carried(app)
    assert link == {"changed": "2~6.9", "pins": "80~knn", "cases": "glass~7"}

    other = at_predict(**link, data="iris", row=80)
    for _ in range(2):
        assert sentences(other)[0] == expected
        assert petal(other).value == 6.9
        (pinned,) = other.session_state["_pinned"][IRIS.fingerprint]
        assert (pinned.row, pinned.edits, pinned.choice.key) == (79, {}, "knn")
        choose(other, "glass")
        assert other.number_input(key="row").value == 7
        choose(other, "iris")
        assert other.number_input(key="row").value == 80


@pytest.mark.usefixtures("everything_open")
def test_changed_values_outlive_the_page_and_another_case():
    app = at_predict()
    ran(petal(app).set_value(6.9).run())
    expected = core_says.sentence(IRIS, 73, edits={2: 6.9})
    go_to(app, EVALUATE)
    assert carried(app)["changed"] == "2~6.9"
    go_to(app, PREDICT)
    assert sentences(app)[0] == expected
    case(app, 80)
    assert sentences(app)[0] == core_says.sentence(IRIS, 80)
    assert "changed" not in carried(app)
    case(app, 73)
    assert sentences(app)[0] == expected
    assert petal(app).value == 6.9
    press(app, "Restore the original values")
    assert sentences(app)[0] == core_says.sentence(IRIS, 73)
    assert petal(app).value != 6.9
    assert "changed" not in carried(app)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"changed": "2~99"}, "the changed value 99, which is not between 1 and 6.9, as petal"),
        ({"changed": "2~nan"}, "the changed value nan, which is not a number"),
        ({"changed": "2"}, "the changed value '', which is not a number"),
        ({"changed": "9~1"}, "the changed value 1, which names a column that is not there"),
        ({"changed": "<b>~![a](b)"}, "the changed value ![a](b), which names a column"),
        ({"changed": "2~" + "9" * 5000}, "which is not a number"),
        ({"changed": "2~6.9", "row": 999}, "values changed by hand, which are of another case"),
        ({"changed": "2~6.9", "data": "mine"}, "values changed by hand, which are of another"),
        ({"pins": "999~knn"}, "the pin 999~knn, which names a case that is not between 1 and 150"),
        ({"pins": "80~mlknn"}, "the pin 80~mlknn, which names a method that is not possible"),
        ({"pins": "80~knn~n_neighbors~0"}, "asks for a value that Similar cases (k) cannot have"),
        ({"pins": "80~knn~colour~red"}, "names a parameter that the method does not have"),
        ({"pins": "80~knn~2~99"}, "which is not between 1 and 6.9"),
        ({"pins": "~~~~"}, "the pin '', which names a case"),
        ({"pins": "~~".join(["80~knn"] * 5)}, "which is one more than the 4 possible"),
        ({"cases": "glass~999"}, "case 999 of glass, which is not between 1 and 214; the first"),
        ({"cases": "../etc~1"}, "case 1 of ../etc, which is of data that are not here"),
    ],
)
def test_what_a_link_says_wrongly_of_them_is_left_out_and_told(link, words):
    app = at_predict(**link)
    row = 73 if link.get("data", "iris") == "iris" else None
    assert row is None or sentences(app)[0] == core_says.sentence(IRIS, row)
    # On the page that the link opened, which is the first one.
    opened = session(**link)
    messages = [message for info in told(opened) for message in info.split("\n\n")]
    (info,) = [each for each in messages if re.match("The link asks for .*, which", each)]
    assert info.endswith(("is used instead.", "left out."))
    assert words in info


def test_much_that_is_wrong_with_a_link_is_told_in_one_place_and_counted():
    app = session(cases="~".join(f"d{i}~1" for i in range(9)))
    (info,) = [each for each in told(app) if "not here" in each]
    assert info.count("The link asks for") == 5
    assert info.endswith("And 4 more.")


def test_what_is_wrong_with_a_link_is_told_on_the_page_it_opened_alone():
    app = session(changed="2~99")
    assert any("99" in each for each in told(app))
    go_to(app, PREDICT)
    go_to(app, "pages/start/page.py")
    assert not any("99" in each for each in told(app))


def test_no_more_pins_than_are_possible_can_be_set():
    app = at_predict()
    for row in (80, 81, 82, 83):
        press(case(app, row), "Pin this prediction")
    case(app, 84)
    assert next(b for b in app.button if b.label == "Pin this prediction").disabled
    assert carried(app)["pins"] == "80~knn~~81~knn~~82~knn~~83~knn"
    case(app, 80)
    assert next(b for b in app.button if b.label == "Pinned").disabled
    scroll_to(app, "Side by side")
    unpin = [b for b in app.button if b.label == "Unpin"]
    assert len(unpin) == 4
    ran(unpin[1].click().run())
    assert carried(app)["pins"] == "80~knn~~82~knn~~83~knn"


def test_a_link_that_would_be_too_long_leaves_out_and_says_what():
    app = at_predict(data="yeast")
    yeast = app.session_state["_view"].dataset
    row = int(app.number_input(key="row").value) - 1
    many = {j: 0.123456789 + j for j in range(100)}
    app.session_state["_changed"] = {(yeast.fingerprint, row): many}
    ran(app.run())
    assert "changed" not in carried(app)
    assert any("Left out" in c.value and "values changed by hand" in c.value for c in app.caption)


@pytest.mark.parametrize("key", [m.key for m in ALGORITHMS.values()])
def test_a_pin_of_any_method_reads_back_as_it_was_written(key):
    method = ALGORITHMS[key]
    data = next(
        each
        for each in map(load_sample, ("iris", "outings", "drinks_calibrated"))
        if method.learns(each)
    )
    split = holdout_split(data, kind="random", test_share=0.4, seed=7)
    n_cases = len(split.train) - 1
    params = {}
    for knob in method.knobs_for(data):
        if knob.matters(params):
            params[knob.name] = knob.steps(n_cases)[-1]
    choice = ModelChoice(key, tuple(sorted(params.items())), False)
    asked = View(data, choice, split, 3, encode_changes(data, 3, {0: float(data.X[5, 0])}))
    (read,), problems = read_pins(write_pins([asked]), data)
    assert problems == []
    assert (read.choice, read.row, read.edits) == (choice, 3, asked.edits)
    assert (read.split.train == split.train).all()
    assert write_pins([read]) == write_pins([asked])


def view_of(query):
    samples = {s.name: partial(load_sample, s.name) for s in list_samples()}
    return View.from_query(query, samples, toolbar.first_row)


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"data": "glass"},
        {"data": "election", "row": "16"},
        {"data": "iris", "row": "150"},
        {"data": "iris", "row": "151"},
        {"data": "iris", "row": "0"},
        {"data": "iris", "row": "3.0"},
        {"data": "iris", "row": "abc"},
        {"data": "iris", "row": "nan"},
        {"data": "iris", "row": "inf"},
        {"data": "iris", "knn_n_neighbors": "12"},
        {"data": "iris", "knn_n_neighbors": "0"},
        {"data": "iris", "knn_n_neighbors": "12.5"},
        {"data": "iris", "knn_aggregation": "median rank", "knn_metric": "Manhattan"},
        {"data": "iris", "knn_metric": "by feel"},
        {"data": "iris", "scaled": "false"},
        {"data": "iris", "scaled": "FALSE"},
        {"data": "iris", "scaled": "perhaps"},
        {"data": "iris", "test_share": "50", "seed": "7"},
        {"data": "iris", "test_share": "1000", "seed": "-5"},
        {"data": "iris", "split": "published"},
        {"data": "drinks", "split": "random", "seed": "3"},
        {"data": "iris", "method": "Label-ranking tree (LRT)"},
        {"data": "iris", "method": "Label-ranking random forest", "forest_n_estimators": "12"},
        {"data": "iris", "method": "ML-kNN"},
        {"data": "iris", "method": "unknown"},
        {"data": "diabetes", "method": "k-NN multilabel ranking", "mlr_n_neighbors": "9"},
        {"data": "drinks_calibrated", "method": "k-NN multilabel ranking", "row": "9"},
        {"data": "outings", "method": "ML-kNN", "mlknn_smoothing": "0.1"},
        {"data": "iris", "row": "80", "changed": "2~6.9", "pins": "80~knn~~73~lrt"},
        {"data": "fruit (mine)", "row": "3"},
        {"nonsense": "1", "mlr_n_neighbors": "9999"},
    ],
)
def test_a_link_says_what_the_widgets_show_that_it_opens(query):
    expected, problems = view_of(query)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in query.items():
        app.query_params[key] = value
    shown = ran(app.run()).session_state["_view"]
    changed = app.session_state["_changed"].get((shown.dataset.fingerprint, shown.row), {})
    pins = app.session_state["_pinned"].get(shown.dataset.fingerprint, ())
    shown = replace(shown, edits=encode_changes(shown.dataset, shown.row, changed), pins=pins)
    clamped = {problem.key for problem in problems if problem.word}
    settings = shown.settings
    for key, setting in expected.settings.items():
        if key not in clamped:
            assert settings[key].word == setting.word, key
    assert shown.dataset.fingerprint == expected.dataset.fingerprint
    assert shown.changed_values() == expected.changed_values()
    assert write_pins(shown.pins) == write_pins(expected.pins)
    if not clamped:
        assert shown.is_same(expected)
    name = query.get("data", "election")
    again, problems = view_of(shown.to_query(name if "mine" not in name else "election"))
    assert problems == []
    assert again.is_same(shown)
    assert write_pins(again.pins) == write_pins(shown.pins)
