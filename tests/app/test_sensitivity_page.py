"""The page Sensitivity: its figures, its sentences, and that they come from the core."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from labelrank_core import load_sample
from labelrank_core.data.splits import cross_validation
from labelrank_core.evaluation.sensitivity import Sensitivity, sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import figures_for
from labelrank_core.evaluation.sensitivity.result import Best
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS
from pages.sensitivity import choices, names, result, value_curve
from pages.sensitivity.comparison import SettingComparison
from pages.ui.render.charts.sensitivity import SettingAxis, heat_map, missing_curve
from pages.ui.wording.measure_text import counted_of
from tests.app import visits

PAGE = "pages/sensitivity/page.py"


def opened(**link):
    return visits.session(PAGE, **link)


def curves(app):
    """The pictures with a ring to drag."""
    drawn = [each.proto for each in app.main.get("bidi_component")]
    return [each for each in drawn if each.component_name.endswith("value_curve")]


def drawn_curves(app):
    return [json.loads(curve.json) for curve in curves(app)]


def words(app):
    """The sentences of the page, and of its picture for the value in use."""
    said = [element.value for element in app.main.markdown]
    for curve in drawn_curves(app):
        level = curve["levels"][curve["index"]]
        said.append(curve["texts"]["sentence"].format_map(level["values"]) + level["comparison"])
    return " ".join(said)


def figures_to_see():
    """The first figure of each method, and each figure, which methods share, of one of them."""
    every = {key: figures_for(algorithm) for key, algorithm in ALGORITHMS.items()}
    shown = {(each.kind, each.key): key for key, figures in every.items() for each in figures}
    return {
        key: [i for i, each in enumerate(figures) if i == 0 or shown[each.kind, each.key] == key]
        for key, figures in every.items()
    }


@pytest.mark.parametrize(("key", "places"), figures_to_see().items())
def test_every_figure_and_every_method_is_drawn(key, places):
    algorithm = ALGORITHMS[key]
    data = "drinks" if algorithm.learns_rankings else "outings"
    app = opened(data=data, method=algorithm.title, tested_on="2 folds", **visits.few(key))
    (control,) = [each for each in app.main if each.type == "button_group"] or [None]
    titles = [names.title(figure) for figure in choices.simplest_first(algorithm)]
    nouns = load_sample(data).nouns
    assert [option.content for option in control.proto.options] == [*map(nouns.insert, titles)]
    for title in [titles[place] for place in places]:
        if title != app.session_state[f"vary_{key}"]:
            app.session_state[f"vary_{key}"] = title
            visits.ran(app.run())
        assert algorithm.title in visits.facts(app)
        assert not app.error, title
        drawings = [*app.main.get("plotly_chart"), *curves(app)]
        assert len(drawings) == 1, title
        assert re.search(r"\d\.\d{3}", words(app)), title


def test_pages_that_measure_on_other_cases_lead_to_each_other():
    for page, other, title in (
        ("sensitivity", "evaluate", "How good? tests one split: slightly other numbers"),
        ("evaluate", "sensitivity", "Sensitivity tests all days: slightly other numbers"),
    ):
        app = visits.session(f"pages/{page}/page.py", data="drinks")
        (link,) = [each for each in app.main.get("page_link") if "numbers" in each.proto.label]
        assert (link.proto.page, link.proto.label) == (other, title)


@pytest.mark.usefixtures("everything_open")
def test_the_sentence_says_what_the_core_measures():
    app = opened(data="vehicle", vary_knn="Similar vehicles (k)", knn_n_neighbors=30)
    data = load_sample("vehicle")
    found = sweep_parameters(
        data,
        ModelChoice("knn"),
        grid={"n_neighbors": range(1, 51)},
        folds=cross_validation(data, n_folds=5),
        measures=["kendall_tau_score"],
    )
    best = found.best("kendall_tau_score", current=(30,))
    said = words(app)
    good = [setting[0] for setting in found.as_good("kendall_tau_score", than=best.setting)]
    (heading,) = [header.value for header in app.header]
    if best.matters:
        assert heading == f"Try k = {best.setting[0]}: it is better than k = 30"
    elif 29 in good or 31 in good:
        first = next(k for k in range(30, 0, -1) if k == 1 or k - 1 not in good)
        last = next(k for k in range(30, 51) if k == 50 or k + 1 not in good)
        values = f"all values from {first} to {last} are about as good"
        assert heading == f"Keep k = 30: {values}"
    else:
        assert heading == "Keep k = 30: no other setting is clearly better"
    buttons = [button.label for button in app.main.button if button.label.startswith("Try ")]
    assert buttons == ([f"Try k = {best.setting[0]}"] if best.matters else [])
    # A pair more that is right is one less that is wrong: half of what the mean gains.
    more = f"{50 * best.gain:.1f} more of 100 pairs of {data.nouns.labels} are right"
    gain = f"With k = {best.setting[0]}, the best, {more}"
    chance = "more than chance explains" if best.matters else "which can be chance"
    assert f"{gain}, {chance}." in said
    (curve,) = drawn_curves(app)
    assert curve["texts"]["best"] == f"best {best.mean:.3f}"
    in_use = curve["levels"][curve["index"]]
    assert in_use["values"] == {
        "setting": "k = 30",
        "mean": f"{best.own_mean:.3f}",
        "right": f"{50 + 50 * best.own_mean:.1f}",
    }
    table = next(t.value for t in app.dataframe if "mean" in t.value.columns)
    pd.testing.assert_series_equal(table["mean"], found.bands()["mean"])


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize(
    "link",
    [
        {"data": "vehicle", "vary_knn": "Missing labels", "tested_on": "2 folds"},
        {"data": "yeast", "tested_on": "the published split", "mlr_n_virtual_labels": 1},
        {"data": "iris", "method": ALGORITHMS["forest"].title, "tested_on": "3 folds"},
    ],
)
def test_the_python_lines_make_the_same_table(link):
    app = opened(**link)
    made = {}
    exec(visits.python_lines(app).replace("print(found.bands())", ""), made)
    shown = next(t.value for t in app.dataframe if "mean" in t.value.columns)
    again = made["found"].bands()
    assert len(shown) >= len(again)
    assert shown["mean"].tolist()[: len(again)] == again["mean"].tolist()


def test_the_button_sets_the_toolbar():
    link = {"data": "yeast", "mlr_n_neighbors": 2, "vary_mlr": "k and p"}
    app = opened(**link, tested_on="the published split")
    (button,) = [button for button in app.main.button if button.label.startswith("Try k = ")]
    k, p = map(int, re.findall(r"= (\d+)", button.label))
    visits.ran(button.click().run())
    assert app.session_state["mlr_n_neighbors"] == k
    assert app.session_state["mlr_n_virtual_labels"] == p
    assert f"Similar cases (k) {k}, Virtual labels (p) {p}" in visits.facts(app)
    assert app.header[0].value.startswith("Keep the setting in use")
    assert not [button for button in app.main.button if button.label.startswith("Try ")]


def test_a_depth_without_limit_can_be_used():
    app = opened(
        data="vehicle",
        method=ALGORITHMS["forest"].title,
        vary_forest="Depth of the trees",
        forest_max_depth="1",
        tested_on="5 folds",
    )
    (button,) = [button for button in app.main.button if button.label.startswith("Try depth")]
    visits.ran(button.click().run())
    assert app.session_state["forest_max_depth"] != "1"
    assert app.session_state["forest_max_depth"] in button.label


@pytest.mark.usefixtures("everything_open")
def test_a_number_of_virtual_labels_between_the_lines_gets_its_own():
    app = opened(data="outings", mlr_n_virtual_labels=3, vary_mlr="k and p")
    assert "p = 3" in words(app)
    table = next(t.value for t in app.dataframe if "mean" in t.value.columns)
    assert sorted(table["p"].unique()) == [1, 2, 3, 4, 8, 16, 32, 64, 128]


def test_few_rows_and_many_neighbours_fit_together():
    app = opened(data="drinks", tested_on="2 folds", test_share=10)
    largest = app.slider(key="knn_n_neighbors").max
    app.slider(key="knn_n_neighbors").set_value(largest)
    visits.ran(app.run())
    assert len(curves(app)) == 1


NUMBERS = SettingAxis("k", "k", [1, 2, 3], ["1", "2", "3"])
BANDS = pd.DataFrame(
    {
        "k": [1, 2, 3],
        "mean": [0.5, 0.7, 0.6],
        "sd": [0.1, 0.1, 0.1],
        "low": [0.4, 0.6, 0.5],
        "high": [0.6, 0.8, 0.7],
    }
)


BEST = Best((2,), 0.7, 0.1, 0.6, 0.1, 0.1, 0.05)
TAU = METRICS["kendall_tau_score"]
LINES, CURVE, *_ = figures_for(ALGORITHMS["mlr"])


def curve_data(bands):
    axis = replace(NUMBERS, name="n_neighbors")
    bands = bands.rename(columns={"k": "n_neighbors"})
    comparison = SettingComparison(CURVE, [(1,), (2,), (3,)], (3,), BEST, [(2,)])
    return value_curve.component_data(bands, [axis], TAU, comparison)


def test_the_picture_has_a_level_for_every_value_and_the_ring_at_the_one_in_use():
    data = curve_data(BANDS)
    assert [level["mean"] for level in data["levels"]] == [0.5, 0.7, 0.6]
    assert [level["low"] for level in data["levels"]] == [0.4, 0.6, 0.5]
    assert [level["high"] for level in data["levels"]] == [0.6, 0.8, 0.7]
    assert [level["isGood"] for level in data["levels"]] == [False, True, False]
    assert (data["index"], data["best"]) == (2, {"x": 2, "mean": 0.7})
    assert data["levels"][0]["values"] == {"setting": "k = 1", "mean": "0.500"}
    assert data["levels"][0]["comparison"] == "The best is 0.700, with k = 2."
    assert data["levels"][1]["comparison"] == "That is the best of all settings."
    worse = "The best (k = 2) is 0.100 better, more than chance explains."
    assert data["levels"][2]["comparison"] == worse
    assert data["texts"]["sentence"] == "With {setting} the mean Kendall's tau is {mean}. "
    assert json.loads(json.dumps(data)) == data
    data = curve_data(BANDS.assign(sd=float("nan"), low=float("nan"), high=float("nan")))
    assert {level["low"] for level in data["levels"]} == {None}
    assert data["levels"][0]["values"]["mean"] == "0.500"


def test_a_tau_and_a_loss_of_labels_are_counted_of_100():
    axis = replace(NUMBERS, name="n_neighbors")
    bands = BANDS.rename(columns={"k": "n_neighbors"})
    counted = counted_of(TAU, is_strict=True)
    comparison = SettingComparison(CURVE, [(1,), (2,), (3,)], (3,), BEST, [(2,)], counted)
    data = value_curve.component_data(bands, [axis], TAU, comparison)
    first, _, in_use = data["levels"]
    # (1 + tau) / 2 of the pairs are right.
    assert first["values"] == {"setting": "k = 1", "mean": "0.500", "right": "75.0"}
    assert first["comparison"] == "10.0 more of 100 are wrong than with k = 2, the best."
    assert in_use["comparison"] == (
        "With k = 2, the best, 5.0 more of 100 pairs of labels are right, "
        "more than chance explains."
    )
    assert data["texts"]["sentence"] == (
        "With {setting}, {right} of 100 pairs of labels are right (Kendall's tau {mean}). "
    )
    loss = counted_of(METRICS["hamming_loss"], is_strict=True)
    assert (loss.right(0.15), loss.more(0.02), loss.unit) == ("85.0", "2.0", "labels")
    # Tied pairs are neither right nor wrong.
    assert counted_of(TAU, is_strict=False) is None


def test_a_second_parameter_has_lines_with_names_and_the_ring_is_on_the_one_in_use():
    # The value 3 is in use and was measured on its line alone.
    settings = [(k, p) for p in (1, 2) for k in (1, 2, 3) if (k, p) != (3, 1)]
    bands = pd.DataFrame(settings, columns=["n_neighbors", "n_virtual_labels"])
    bands["mean"] = [k + 10 * p for k, p in settings]
    bands = bands.assign(sd=1.0, low=bands["mean"] - 1, high=bands["mean"] + 1)
    axes = [
        replace(NUMBERS, name="n_neighbors"),
        SettingAxis("n_virtual_labels", "p", list(np.array([1, 2])), ["1", "2"]),
    ]
    best = replace(BEST, setting=(2, 1))
    comparison = SettingComparison(LINES, settings, (3, 2), best, settings)
    data = value_curve.component_data(bands, axes, TAU, comparison)
    assert [level["mean"] for level in data["levels"]] == [21, 22, 23]
    assert data["others"] == [{"name": "p = 1", "isBest": True, "points": [[1, 11], [2, 12]]}]
    assert data["texts"]["own"] == "p = 2"
    assert data["levels"][0]["values"]["setting"] == "k = 1, p = 2"
    assert json.loads(json.dumps(data)) == data


def test_settings_within_chance_of_the_best_are_kept_and_counted():
    near = replace(BEST, gain=0.04, margin=0.05)
    settings = [(1,), (2,), (3,), (4,)]
    comparison = SettingComparison(CURVE, settings, (3,), near, [(2,), (3,)])
    assert comparison.headline == "Keep k = 3: all values from 2 to 3 are about as good"
    assert comparison.verdict == "The best (k = 2) is 0.040 better, which can be chance."
    gap = replace(comparison, good_settings=[(1,), (3,), (4,)])
    assert gap.headline == "Keep k = 3: 1, 3 and 4 are about as good"
    apart = replace(comparison, good_settings=[(2,), (4,)])
    assert apart.headline == "Try k = 2: it is better than k = 3"
    near_apart = replace(apart, setting_in_use=(4,))
    assert near_apart.headline == "Keep k = 4: no other setting is clearly better"
    in_use = replace(apart, setting_in_use=(2,))
    assert in_use.headline == (
        "Keep k = 2: it is the best, and 1 of the other 3 settings is about as good"
    )
    assert in_use.verdict == ""
    alone = replace(in_use, good_settings=[(2,)])
    assert alone.headline == "Keep k = 2: it is the best of 4 settings"
    # A single split has no spread by which chance could be judged.
    single = replace(in_use, best=replace(near, margin=float("nan")))
    assert single.headline.endswith(" 1 of the other 3 settings is as good")
    worse = replace(single, setting_in_use=(3,))
    assert worse.verdict == "The best (k = 2) is 0.040 better on this one split."


@pytest.mark.parametrize(
    ("means", "headline"),
    [
        ([0.9, 0.89, 0.5], "Up to 10% of the labels can be missing without a clear loss"),
        ([0.9, 0.6, 0.5], "It is clearly worse as soon as 10% of the labels are missing"),
        ([0.9, 0.91, 0.89], "Even 50% of the labels can be missing without a clear loss"),
    ],
)
def test_the_heading_says_how_many_labels_may_be_missing(means, headline):
    noise = np.array([[0, 0.02, -0.02], [0, -0.02, 0.02], [0, 0.01, 0.0]])
    values = (np.array(means) + noise)[:, :, None]
    shares, folds = ((0.0,), (0.1,), (0.5,)), ((0, 0), (0, 1), (0, 2))
    found = Sensitivity(("share_deleted",), shares, folds, (TAU.key,), values)
    missing = figures_for(ALGORITHMS["knn"])[-1]
    assert result.missing_headline(found, TAU, missing) == headline
    single = replace(found, folds=folds[:1], values=values[:1])
    assert " missing cost" in result.missing_headline(single, TAU, missing)


def test_what_varies_is_said_where_it_stands():
    app = opened(data="vehicle", tested_on="2 folds", vary_knn="k and consensus")
    (guide,) = [each for each in app.markdown if "Drag the ring" in each.value]
    assert any(
        "Consensus: how the rankings of the similar vehicles become one." in each.value
        for each in app.markdown
    )
    assert "95% interval of the difference from the best" in guide.help
    (measured,) = [each for each in app.caption if "Measured on" in each.value]
    assert "Measured on 2 folds of all 846 vehicles." in measured.value
    assert "different numbers" in measured.help
    (lines,) = (each for each in figures_for(ALGORITHMS["knn"]) if each.kind == "lines")
    assert names.definition(lines, ["borda", "copeland"]).endswith(
        "become one. Copeland: most majorities won."
    )


def test_where_the_ring_is_let_go_is_the_value_in_the_toolbar(monkeypatch):
    forest = ALGORITHMS["forest"]
    chosen = {}
    monkeypatch.setattr(value_curve.toolbar, "set_values", lambda _, values: chosen.update(values))
    sent = {"value": "no limit"}
    monkeypatch.setattr(value_curve.session, "get_state", lambda *_: sent)
    offered = {"5": 5, "no limit": None}
    value_curve.use_value(forest, "max_depth", offered)
    assert chosen == {"max_depth": None}
    # What another picture offered is no value of this one.
    sent["value"] = "7"
    value_curve.use_value(forest, "max_depth", offered)
    assert chosen == {"max_depth": None}


def test_labels_deleted_have_a_band_only_over_several_folds():
    band, line = missing_curve(BANDS, NUMBERS, "tau", [True, True, False]).data
    assert list(band.y) == [0.6, 0.8, 0.7, 0.5, 0.6, 0.4]
    assert list(line.y) == [0.5, 0.7, 0.6]
    assert list(line.marker.symbol) == ["circle", "circle", "circle-open"]
    alone = BANDS.assign(sd=float("nan"), low=float("nan"), high=float("nan"))
    assert [trace.fill for trace in missing_curve(alone, NUMBERS, "tau", [True] * 3).data] == [None]


def test_powers_doublings_and_none_have_places():
    powers = SettingAxis(
        "a", "α", [0.0, 0.001, 0.1, 10.0], ["0", "0.001", "0.1", "10"], "powers of 10"
    )
    assert [powers.coordinate(value) for value in powers.values] == [-4, -3, -1, 1]
    assert powers.short_texts() == ["0", "10⁻³", "0.1", "10"]
    doublings = SettingAxis("p", "p", [1, 3, 128], ["1", "3", "128"], "doubling")
    assert doublings.coordinate(1) == 0
    assert doublings.coordinate(128) == 7
    chosen = SettingAxis(
        "a", "α", [0.001, 0.1, None], ["0.001", "0.1", "automatic"], "powers of 10"
    )
    assert chosen.ticks() == ([-3.0, -1.0, 0.0], ["10⁻³", "0.1", "automatic"])
    depths = SettingAxis("d", "depth", [1, 2, None], ["1", "2", "as deep as they grow"])
    assert depths.coordinate(None) > depths.coordinate(2)
    assert depths.ticks() == ([1, 2, 3], ["1", "2", "as deep as<br>they grow"])


def test_long_axes_have_few_ticks():
    long = SettingAxis("k", "k", range(1, 51), [str(k) for k in range(1, 51)])
    places, _ = long.ticks()
    assert places == [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]


@pytest.mark.parametrize("better", [True, False])
def test_the_map_names_its_edges_and_lights_the_best(better):
    values = [0.0, 0.1, 10.0]
    frame = pd.DataFrame(
        [
            {"alpha": a, "beta": b, "mean": i + 10 * j, "sd": 0.5}
            for i, a in enumerate(values)
            for j, b in enumerate(values)
        ]
    )
    alpha, beta = (
        SettingAxis(name, sign, values, ["0", "0.1", "10"], "powers of 10", ends)
        for name, sign, ends in (
            ("alpha", "α", ("ridge", "PLS")),
            ("beta", "β", ("Ando–Zhang", "")),
        )
    )
    marks = {"best": (10.0, 0.1), "in use": (0.0, 0.0)}
    figure = heat_map(frame, alpha, beta, "loss", marks, greater_is_better=better)
    cells, best, own = figure.data
    assert cells.z.tolist() == [[0, 1, 2], [10, 11, 12], [20, 21, 22]]
    assert cells.reversescale is not better
    assert (best.x[0], best.y[0], own.x[0], own.y[0]) == (2, 1, 0, 0)
    assert "ridge" in figure.layout.xaxis.ticktext[0]
    assert "PLS" in figure.layout.xaxis.ticktext[-1]
    assert "Zhang" in figure.layout.yaxis.ticktext[0]


@pytest.mark.parametrize("zero", [[], [0.0]])
def test_every_other_of_many_powers_of_ten_has_a_tick(zero):
    values = [*zero, *(10.0**i for i in range(-5, 6))]
    words = [f"{value:g}" for value in values]
    axis = SettingAxis("C", "Inverse penalty (C)", values, words, "powers of 10")
    places, said = axis.ticks()
    assert said == [*(["0"] * len(zero)), "10⁻⁴", "0.01", "1", "100", "10000"]
    assert places == pytest.approx([*([-6.0] * len(zero)), -4, -2, 0, 2, 4])
