"""Figures without printed numbers: their recorded curves, and what is found in them."""

import numpy as np
import pandas as pd
import pytest

from labelrank_core.papers import PAPERS
from labelrank_core.papers.figures_in_print import (
    LR06_RULES,
    LR06_TIMES,
    LRRF_FIGURES,
    MLLS08_TIMES,
)
from tests.benchmarks import figures_in_print

FIGURES = [figure for paper in PAPERS.values() for figure in paper.figures]


def points_of(curves, **more):
    rows = [
        {"panel": panel, "line": line, "x": x, "value": value, **more}
        for (panel, line), curve in curves.items()
        for x, value in curve.items()
    ]
    return pd.DataFrame(rows)


def test_a_script_measures_every_figure():
    assert {figure.slug for figure in FIGURES} == set(figures_in_print.FIGURES)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.slug)
def test_the_recorded_curves_are_whole(figure):
    points = figure.points()
    assert list(points) == [
        "panel", "measure", "line", "x", "value", "n_runs", "version", "date",
    ]  # fmt: skip
    assert figure.measure in set(points["measure"])
    assert np.isfinite(points["value"]).all()
    assert (points["value"] > 0).all()
    for _, panel in points.groupby(["panel", "measure"]):
        counts = panel.groupby("line")["x"].agg(["count", "nunique"])
        assert (counts == panel["x"].nunique()).all(axis=None)
    for statement in figure.statements(points):
        assert isinstance(statement.holds, bool)
        assert "nan" not in statement.measured


def test_times_by_labels_are_compared_with_the_square_of_the_number_of_labels():
    labels = np.array([5, 10, 50, 100])

    def curves(machines, neighbors):
        return points_of(
            {
                ("Training", "PW-SVM-LIN"): dict(zip(labels, machines, strict=True)),
                ("Training", "k-NN"): dict.fromkeys(labels, 1e-3),
                ("Prediction", "PW-SVM-LIN"): dict(zip(labels, machines / 100, strict=True)),
                ("Prediction", "k-NN, k = 5"): dict(zip(labels, neighbors, strict=True)),
            }
        )

    squared, linear = labels**2 / 100, labels / 10
    held = LR06_TIMES.statements(curves(squared, 0.01 + linear / 1e4))
    assert [statement.holds for statement in held] == [True, True, True]
    # 100 * 99 / (50 * 49) pairs, and 100 ** 2 / 50 ** 2 seconds.
    assert "4.0 times as many pairs, and training takes 4.0 times as long (100 s)" in (
        held[0].measured
    )
    lost = LR06_TIMES.statements(curves(linear, linear))
    assert [statement.holds for statement in lost] == [False, True, False]


def test_accuracies_are_compared_from_ten_labels_on():
    def curves(most_frequent):
        panels = {
            "5 labels": (0.9, 0.99, 0.1),
            "10 labels": (0.8, most_frequent, 0.95),
        }
        return points_of(
            {
                (panel, line): {1: one, 5: five if line == "most frequent" else better}
                for panel, (one, five, better) in panels.items()
                for line in ("most frequent", "median", "Borda")
            },
            measure="kendall_tau_score",
        )

    assert [each.holds for each in LR06_RULES.statements(curves(0.7))] == [True, True]
    assert [each.holds for each in LR06_RULES.statements(curves(0.96))] == [False, False]
    assert "ahead by 0.150 to 0.150" in LR06_RULES.statements(curves(0.7))[1].measured


def test_times_by_pages_are_compared_method_by_method():
    def curves(ours, fastest, slowest):
        lines = {"ML_LS": ours, "SVM": fastest, "ASO_SVM": slowest}
        return points_of({("Arts", line): {100: s, 200: 2 * s} for line, s in lines.items()})

    assert [each.holds for each in MLLS08_TIMES.statements(curves(1.5, 1, 9))] == [True] * 3
    turned = MLLS08_TIMES.statements(curves(0.1, 1, 0.5))
    assert [each.holds for each in turned] == [False, False, False]
    assert turned[0].measured == "SVM is the fastest at 0 of 2 points."


def test_the_script_measures_the_setting_of_print(monkeypatch):
    monkeypatch.setattr(figures_in_print, "N_LABELS", (3, 4))
    monkeypatch.setattr(figures_in_print, "N_CASES", 40)
    monkeypatch.setattr(figures_in_print, "N_DRAWS", 1)
    times = pd.DataFrame(figures_in_print.times_by_labels())
    lines = times.groupby("panel")["line"].unique().map(list).to_dict()
    neighbors = ["k-NN, k = 5", "k-NN, k = 11", "k-NN, k = 21"]
    assert lines == {
        "Training": ["PW-SVM-LIN", "k-NN"],
        "Prediction": ["PW-SVM-LIN", *neighbors],
    }
    assert (times["value"] > 0).all()
    accuracies = pd.DataFrame(figures_in_print.accuracy_by_rule())
    # With one similar case all rules give its ranking.
    first = accuracies[accuracies["x"] == 1].groupby(["panel", "measure"])["value"]
    assert (first.nunique() == 1).all()
    assert set(accuracies["panel"]) == {"3 labels", "4 labels"}


def test_forests_are_flat_where_the_folds_move_them_no_more():
    missing, trees, depth = LRRF_FIGURES

    def held(figure, **values_by_data):
        xs = {"lrrf-fig2": [0.1, 0.6, 0.8], "lrrf-fig3": [1, 10, 75], "lrrf-fig4": [1, 8, 15]}
        program = {
            ("Whole rankings", name): dict(zip(xs[figure.slug], values, strict=True))
            for name, values in values_by_data.items()
        }
        # The text's forests, of which nothing is said, do not count.
        text = {("Top label", "iris"): dict.fromkeys(xs[figure.slug], 0.1)}
        return [statement.holds for statement in figure.statements(points_of(program | text))]

    # 0.05 in five steps of p0, then 0.3 in two.
    assert held(missing, iris=(0.95, 0.9, 0.6), wine=(0.9, 0.9, 0.8)) == [True, True]
    # 0.3 in one step of the two values up to 0.6; then 0.1 in two.
    assert held(missing, iris=(0.9, 0.6, 0.5)) == [False, False]
    for figure in (trees, depth):
        assert held(figure, iris=(0.8, 0.9, 0.91), wine=(0.7, 0.9, 0.89)) == [True, True]
        assert held(figure, iris=(0.89, 0.9, 0.91), wine=(0.7, 0.9, 0.95)) == [False, False]


def test_a_forest_is_measured_for_every_value_of_its_parameter(monkeypatch):
    monkeypatch.setattr(figures_in_print, "FOREST_DATA", ("iris",))
    monkeypatch.setattr(figures_in_print, "data_folder", lambda: None)
    points = pd.DataFrame(figures_in_print.forest_accuracy("n_estimators", (1, 2)))
    assert points["x"].tolist() == [1, 2, 1, 2]
    assert points["panel"].unique().tolist() == ["Whole rankings", "Top label"]
    masked = pd.DataFrame(figures_in_print.forest_accuracy("missing", (0.9,)))
    assert masked["value"].max() < points["value"].max()
