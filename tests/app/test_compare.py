"""The page Significance: a pasted table, its audit and statistics."""

import numpy as np

from labelrank_core.comparison.significance import CriticalDifferences
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.papers import find_table
from pages.compare import comparison_view
from pages.ui import significance
from pages.ui.charts.critical_difference import critical_difference_figure
from tests.app.visits import ran, session

COMPARE = "pages/compare/page.py"


def said(app):
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def test_the_example_is_table_3_and_its_audit_finds_nothing():
    app = session(COMPARE)
    assert "All 119 printed ranks and average ranks are right." in app.success[0].value
    assert "F(6, 90) = **2.86**" in said(app)
    assert "Computed from the printed average ranks, F is 2.93." in said(app)
    ran(app.segmented_control(key="post_hoc").set_value("Against one").run())
    assert "**2.015**" in said(app)
    assert "Significantly worse than LR-RF: IB-PL20." in said(app).replace("\\", "").replace(
        "\u2060", ""
    )


def test_discrepancies_are_listed_and_the_direction_matters():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value(find_table("lrrf", "6").printed).run())
    assert "11 of 170 printed ranks" in app.warning[0].value
    found = app.dataframe[0].value
    assert found["where"].tolist()[:2] == ["vehicle, LL", "vehicle, IB-PL"]
    ran(app.toggle(key="higher").set_value(False).run())
    assert "11 of 170" not in app.warning[0].value


def test_names_stay_text_and_what_is_no_table_is_said_so():
    app = session(COMPARE)
    text = "d *A* <b>B</b>\n:smile: 0.9 0.8\n$x$ 0.7 0.6\n"
    ran(app.text_area(key="results").set_value(text).run())
    assert "No ranks are printed" in said(app)
    assert "*A*" not in said(app).replace("\\*A\\*", "")
    ran(app.text_area(key="results").set_value("nothing").run())
    assert "cannot be read" in app.error[0].value


def test_a_line_that_cannot_be_read_is_named_and_the_others_are_compared():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value("data;A;B\niris;1;2\nwine;1\nx;2;1").run())
    assert "found 1 scores" in app.dataframe[0].value["message"].iloc[0]
    assert app.dataframe[0].value["line"].tolist() == [3]
    assert "Friedman's χ²" in said(app)
    assert "Only 2 data sets" in app.warning[0].value


def test_a_name_that_may_be_a_score_is_asked_for():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value("task A B\nSet 1 0.9 0.8\nSet 2 0.7 0.6").run())
    assert "Choose on the left" in app.info[0].value
    assert "'task' may be a method" in app.dataframe[0].value["message"].iloc[0]
    ran(app.radio(key="heading").set_value("the heading of the names below it").run())
    assert not app.info
    shown = " ".join(str(table.value) for table in app.dataframe)
    assert "task" not in shown
    ran(app.radio(key="heading").set_value("a method").run())
    assert "task" in " ".join(str(table.value) for table in app.dataframe)


def test_bars_join_what_does_not_differ_significantly():
    means = np.array([3.0, 1.0, 1.5, 2.8])
    names = ["a", "<b>", "c", "d"]
    figure = critical_difference_figure(CriticalDifferences(names, means, 0.6))
    dots, *bars = figure.data
    assert list(dots.x) == [1.0, 1.5, 2.8, 3.0]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "c", "d", "a"]
    assert [tuple(bar.y) for bar in bars] == [(-0.2, 1.2), (1.8, 3.2)]
    assert bars[0].x[0] > 3.0
    around = critical_difference_figure(CriticalDifferences(names, means, 0.6, control=2))
    (band,) = around.layout.shapes
    # 1.5 - 0.6 to 1.5 + 0.6, but for ranks below 1, which do not exist.
    assert (band.x0, band.x1) == (1, 2.1)
    assert list(around.data[0].marker.color) == [ACCENT, "#C11F5B", ACCENT, ACCENT]


def test_the_largest_table_is_read_and_tested_once(monkeypatch):
    scores = np.random.default_rng(0).random((500, 60)).round(3)
    lines = ["data\t" + "\t".join(f"m{j}" for j in range(60))]
    lines += [f"d{i}\t" + "\t".join(map(str, row)) for i, row in enumerate(scores)]
    calls = []
    for module, name in ((comparison_view, "read_result_table"), (significance, "wilcoxon_pairs")):
        function = getattr(module, name)

        def counted(*arguments, _function=function, _name=name, **how):
            calls.append(_name)
            return _function(*arguments, **how)

        monkeypatch.setattr(module, name, counted)
    app = session(COMPARE)
    calls.clear()
    ran(app.text_area(key="results").set_value("\n".join(lines)).run())
    assert calls == ["read_result_table", "wilcoxon_pairs"]
    ran(app.select_slider(key="alpha").set_value(0.1).run())
    ran(app.segmented_control(key="post_hoc").set_value("Against one").run())
    assert len(calls) == 2
