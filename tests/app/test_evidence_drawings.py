"""Evidence drawn: figures from tidy values; what moves without another fit."""

import html
import json
from collections import Counter
from pathlib import Path

import pytest
from sklearn.pipeline import Pipeline
from streamlit.testing.v1 import AppTest

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.params import Knob
from pages.ui import compute
from pages.ui.wording import choice_text, text
from tests.app import visits

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("tea", "<b>juice</b>", "water")


def opened(data, method, **address):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["data"] = data
    app.query_params["method"] = ALGORITHMS[method].title
    for key, value in address.items():
        app.query_params[key] = value
    app.run()
    app.switch_page("pages/predict/page.py").run()
    assert not app.exception
    assert app.selectbox(key="method").value == ALGORITHMS[method].title
    return app


def draw_a_chart():
    import pandas as pd

    from pages.ui.render import drawing
    from pages.ui.render.charts.base import explained, picture

    drawing.new_page()
    figure = picture(200, [], title=explained({"■ rankings": "#000000"}))
    drawing.render_chart(figure, key="chart", alt="a chart", table=pd.DataFrame())


def test_the_key_of_a_chart_is_written_like_text():
    app = AppTest.from_function(draw_a_chart).run()
    assert not app.exception
    (chart,) = app.get("plotly_chart")
    key = json.loads(chart.proto.spec)["layout"]["title"]["text"]
    assert key.startswith("<span style='font-weight:400'>")
    assert key.count("font-weight") == 1


def draw_a_card_that_ends_early():
    import streamlit as st

    from pages.ui import session
    from pages.ui.render import drawing

    drawing.new_page()
    if session.get_state("ended") is None:
        session.set_state("ended", True)
        with drawing.on_paper(), drawing.together():
            drawing.render_markup("<p>on paper</p>")
            st.rerun()
    drawing.render_markup("<p>on the page</p>")


def test_a_run_that_ends_within_a_card_or_a_report_leaves_nothing_behind():
    app = AppTest.from_function(draw_a_card_that_ends_early).run()
    assert not app.exception
    drawn = [each.proto.body for each in app.get("html")]
    assert [body for body in drawn if "<p>" in body] == ["<p>on the page</p>"]


def test_votes_are_called_votes():
    app = opened("songs", "crpc")
    said = " ".join(html.unescape(each) for each in sentences(app))
    assert "Votes: 1 is for the row's mood, 0 for the column's." in said
    assert "How likely the row" not in said + " ".join(each.value for each in app.caption)


def test_a_label_on_the_wrong_side_of_the_zero_line_is_never_called_right():
    app = opened("drinks_calibrated", "crpc", crpc_kernel="polynomial")
    drawn = " ".join(each.proto.body for each in app.main.get("html"))
    assert "Predicted wrongly: <b>water</b>" in drawn
    assert drawn.count("✗ not relevant") == 1
    assert drawn.count("✓ right") == 2


def test_a_label_that_is_rightly_left_out_is_not_called_right_alone():
    app = opened("songs", "mlr", row=3)
    data = load_sample("songs")
    drawn = " ".join(each.proto.body for each in app.main.get("html"))
    n_absent = int((data.relevance[2] == 0).sum())
    assert drawn.count("✗ missed") == 1
    assert drawn.count("✓ absent") == n_absent


def sentences(app):
    return [element.proto.body for element in app.main.get("html")]


def test_short_names_that_would_look_the_same_lose_what_they_share():
    assert text.shorten_all(["Class12", "Class13"], 4) == ["12", "13"]
    assert text.shorten_all(["museum", "cinema"], 4) == ["mus…", "cin…"]
    short = text.shorten_all(["a name that ends in 1", "a name that ends in 2", "another"], 8)
    assert short == ["a n…in 1", "a n…in 2", "another"]


@pytest.mark.parametrize(
    ("value", "written"), [(1e-6, "0.000001"), (0.0, "0"), (0.1, "0.1"), (100.0, "100"), (8, "8")]
)
def test_numbers_are_written_as_a_person_would(value, written):
    assert choice_text.number_text(value) == written


def test_every_value_of_every_knob_has_words():
    for algorithm in ALGORITHMS.values():
        for knob in algorithm.knobs:
            assert choice_text.value_text(knob, algorithm.defaults[knob.name])
    assert choice_text.value_text(Knob("r", "r", "", none="automatic"), None) == "automatic"


@pytest.mark.usefixtures("everything_open")
def test_the_counts_of_another_label_are_a_choice_away():
    app = opened("outings", "mlknn")
    assert "What such counts meant in training" in visits.headings(app)
    (choice,) = [box for box in app.selectbox if box.key.startswith("predict-counts-label")]
    assert sorted(choice.options) == sorted(["swimming", "hiking", "museum", "cinema", "cycling"])
    other = next(j for j, name in enumerate(choice.options) if j > 0)
    choice.select_index(other).run()
    assert not app.exception
    name = choice.options[other]
    assert any("prior" in said and f"<b>{name}</b>" in said for said in sentences(app))


@pytest.mark.parametrize("method", ["adaboost_mh", "adt_boost_mh"])
def test_votes_of_rounds_are_summed_in_two_more_ways(method):
    app = opened("outings", method)
    (view,) = [group for group in app.segmented_control if "rounds-view" in group.key]
    alts = []
    for choice in view.options:
        app.segmented_control(key=view.key).set_value(choice).run()
        assert not app.exception
        drawn = " ".join(sentences(app))
        alts.append((drawn.count('aria-label="votes on'), drawn.count("after 1 round;")))
    assert alts == [(1, 0), (0, 1), (1, 0)]


@pytest.mark.usefixtures("jobs_run_here")
@pytest.mark.parametrize(
    ("data", "method", "moves"),
    [
        ("vehicle", "knn", {"n_neighbors": 9, "aggregation": "kemeny"}),
        (
            "vehicle",
            "forest",
            {"n_estimators": 7, "max_depth": "3", "voting": "rankings", "min_entropy": 1},
        ),
        ("yeast", "mlr", {"n_neighbors": 9, "n_virtual_labels": 4, "decision": "f1"}),
        ("yeast", "mlknn", {"n_neighbors": 9, "smoothing": 0.1, "label_neighbors": "own"}),
        (
            "yeast",
            "mlls",
            {"alpha": 0.0, "beta": 0.001, "n_components": "3", "threshold": "zero"},
        ),
        ("songs", "ovr_svm", {"threshold": "zero"}),
        ("songs", "chains", {"n_chains": 4}),
        (
            "songs",
            "cca_ridge",
            {"cca_penalty": 1.0, "ridge_penalty": 0.1, "n_components": "2", "threshold": "zero"},
        ),
        ("outings", "adaboost_mh", {"n_estimators": 5}),
        ("outings", "adt_boost_mh", {"n_estimators": 5}),
    ],
)
def test_moving_what_a_path_takes_fits_nothing_anew(data, method, moves, monkeypatch):
    compute._cache.clear()
    fits = Counter()
    fit = Pipeline.fit

    def counted(self, *args, **kwargs):
        fits["fit"] += 1
        return fit(self, *args, **kwargs)

    monkeypatch.setattr(Pipeline, "fit", counted)
    app = opened(data, method)
    row = app.number_input(key="row").value - 1
    # A training case has a model of its own, and is compared by the one of all pages.
    models = 2 if row in holdout_split(load_sample(data)).train else 1
    assert fits["fit"] == models
    on_path = {knob.name for knob in ALGORITHMS[method].knobs if knob.on_path}
    assert set(moves) == on_path
    widgets = {w.key: w for w in [*app.slider, *app.select_slider, *app.selectbox]}
    for name, value in moves.items():
        widgets[f"{method}_{name}"].set_value(value)
        app.run()
        assert not app.exception
    assert fits["fit"] == models


def test_a_link_with_few_trees_does_not_bind_those_who_ask_for_more():
    compute._cache.clear()
    app = opened("vehicle", "forest", forest_n_estimators="3", forest_max_depth="2")
    assert app.slider(key="forest_n_estimators").value == 3
    app.slider(key="forest_n_estimators").set_value(40)
    app.select_slider(key="forest_max_depth").set_value("no limit")
    app.run()
    assert not app.exception
    assert any("40" in said for said in sentences(app))


@pytest.mark.parametrize(
    ("data", "method", "address"),
    [
        ("vehicle", "forest", {"forest_max_depth": "3", "forest_n_estimators": "20"}),
        ("outings", "mlls", {"mlls_n_components": "2", "mlls_alpha": "0.001"}),
        ("outings", "ovr_svm", {"ovr_svm_C": "0.001"}),
        ("outings", "mlknn", {"mlknn_smoothing": "0.1"}),
    ],
)
def test_the_python_lines_give_the_prediction_shown(data, method, address, capsys):
    app = opened(data, method, **address)
    exec(visits.python_lines(app), {})
    printed = capsys.readouterr().out
    assert visits.sentences(app)[0] in " ".join(printed.split())


@pytest.mark.parametrize("method", ["mlls", "mlknn"])
def test_powers_of_ten_are_read_from_the_address_as_they_are_shown(method):
    name = {"mlls": "mlls_alpha", "mlknn": "mlknn_smoothing"}[method]
    app = opened("outings", method, **{name: "10"})
    assert app.select_slider(key=name).value == 10.0
    assert "0.1" in app.select_slider(key=name).options


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize(("data", "method"), [("drinks", "forest"), ("outings", "mlls")])
def test_other_feature_values_are_predicted_by_the_same_model(data, method):
    app = visits.scroll_to(opened(data, method), "What if")
    before = sentences(app)[1:]
    slider = next(s for s in app.main.slider if s.key.startswith("whatif"))
    slider.set_value(slider.max if slider.value < slider.max else slider.min).run()
    assert not app.exception
    assert sentences(app)[1:] != before
    assert any("Changed" in info.value for info in app.info)
