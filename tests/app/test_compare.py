"""The page Significance: a pasted table, its audit and statistics."""

import re

import numpy as np
import pandas as pd
import pytest

from labelrank_core.comparison.results_tables import read_result_table
from labelrank_core.comparison.significance import CriticalDifferences
from labelrank_core.explain.render.markup import RankedMethod, rank_diagram, score_table
from labelrank_core.papers import find_table
from pages.compare import comparison_view
from pages.ui.render import significance
from tests.app.visits import ran, session

COMPARE = "pages/compare/page.py"


def said(app):
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def shown(app, column):
    """The table that has a column."""
    return next(table.value for table in app.dataframe if column in table.value)


def test_the_example_is_table_3_and_its_audit_finds_nothing():
    app = session(COMPARE)
    (audit,) = [each for each in app.caption if "printed ranks" in each.value]
    assert "All 119 printed ranks and average ranks are right." in audit.value
    assert "With them, F would be 2.93 instead of 2.86" in audit.help
    assert "Yes. If all were equally good, differences this large" in said(app)
    (differ,) = [each for each in app.markdown if "Friedman's test" in each.value]
    assert "F(6, 90) = 2.86, the form of Iman and Davenport" in differ.help
    assert "Published example, [Zhou, Qiu 2018, Table 3](papers?" in said(app)
    assert "): 7 methods on 16 data sets." in said(app)
    reading = (
        "Methods joined by a thick bar do not differ significantly. Hollow: significantly worse "
        "than the best."
    )
    (read,) = [each for each in app.markdown if each.value == reading]
    assert "are more than 2.252 apart, the critical difference of Nemenyi's test" in read.help
    # One statistic a sentence: the others stand in its help.
    assert "χ²" not in said(app)
    ran(app.segmented_control(key="post_hoc").set_value("Against one").run())
    (read,) = [each for each in app.markdown if "thick part of the axis" in each.value]
    assert "are more than 2.015 apart" in read.help
    assert "no method differs significantly from Label" in read.value
    verdict = app.header[0].value.replace("\\", "").replace("\u2060", "")
    best, worst = "Label-ranking random forest", "Plackett–Luce of similar cases"
    assert verdict == f"{worst} (k = 20) is significantly worse than {best}, the best on average"


@pytest.mark.usefixtures("everything_open")
def test_the_tested_table_has_a_column_per_method_with_the_best_one_first():
    app = session(COMPARE)
    table, tested = find_table("lrrf", "3"), shown(app, "data")
    assert tested.columns[1].startswith("Label-ranking random forest")
    assert tested["data"].tolist() == [*table.data_sets, "average rank"]
    printed = read_result_table(table.printed)
    scores = dict(zip(printed.methods, printed.scores.T, strict=True))
    assert tested.iloc[:-1, 1].tolist() == scores["LR-RF"].tolist()
    text = "d\tA\tB\tA\nx\t1\t2\t0\nx\t2\t3\t0\ny\t2\t3\t0"
    ran(app.text_area(key="results").set_value(text).run())
    assert shown(app, "data")["data"].tolist() == ["x", "x", "y", "average rank"]


def test_the_best_scores_of_a_data_set_are_shaded_and_a_missing_one_is_not():
    scores = pd.DataFrame({"a": [0.5, 0.2], "b": [0.5, np.nan]}, ["x", "<y>"])
    means = pd.Series([1.25, 1.75], scores.columns, name="average rank")
    drawing = score_table(scores, greater_is_better=True, summary=means)
    assert re.findall(r'class="best">([^<]+)<', drawing) == ["0.500", "0.500", "0.200"]
    assert ("&lt;y&gt;" in drawing, drawing.count("<td>–</td>")) == (True, 1)
    lower = score_table(scores.assign(b=[0.4, 0.1]), greater_is_better=False, summary=means)
    assert re.findall(r'class="best">([^<]+)<', lower) == ["0.400", "0.100"]


def test_ranks_stand_on_the_axis_and_bars_join_groups():
    methods = [RankedMethod("a", 1.0, "best"), RankedMethod("<b>", 2.0), RankedMethod("c", 3.0)]
    drawing = rank_diagram(methods, 3, 1.5, groups=[(1.0, 2.0), (2.0, 3.0)])
    assert re.findall(r"--at:([\d.]+);--half:(\d)", drawing) == [
        ("0.0000", "0"), ("0.5000", "1"), ("1.0000", "0"),
    ]  # fmt: skip
    assert re.findall(r'class="bar" style="--from:([\d.]+);--to:([\d.]+)', drawing) == [
        ("0.0000", "0.5000"), ("0.5000", "1.0000"),
    ]  # fmt: skip
    # With one line for each method, a bar joins lines at their left.
    assert re.findall(r'<u class="([^"]*)" style="--row:(\d)', drawing) == [
        ("from", "0"), ("to", "0"), ("from", "1"), ("to", "1"),
    ]  # fmt: skip
    assert "critical difference 1.50: methods closer than this are not separated" in drawing
    assert '<i style="width:75.0' in drawing
    assert "<b>b" not in drawing
    against = rank_diagram(methods, 3, 1.5, band=(-0.5, 2.5))
    assert 'class="band" style="--from:0.0000;--to:0.7500' in against


def test_discrepancies_are_listed_and_the_direction_matters():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value(find_table("lrrf", "6").printed).run())
    assert "11 of 170 printed ranks" in app.warning[0].value
    (opened,) = [each for each in app.expander if "11 printed ranks wrong" in each.label]
    assert opened.proto.expanded
    found = shown(app, "where")
    assert found["where"].tolist()[:2] == ["vehicle, LL", "vehicle, IB-PL"]
    ran(app.toggle(key="higher").set_value(False).run())
    assert "11 of 170" not in app.warning[0].value


def test_names_stay_text_and_what_is_no_table_is_said_so():
    app = session(COMPARE)
    text = "d *A* <b>B</b>\n:smile: 0.9 0.8\n$x$ 0.7 0.6\n"
    ran(app.text_area(key="results").set_value(text).run())
    assert "printed ranks" not in said(app)
    assert "*A*" not in said(app).replace("\\*A\\*", "")
    ran(app.text_area(key="results").set_value("nothing").run())
    assert "cannot be read" in app.error[0].value


def test_a_line_that_cannot_be_read_is_named_and_the_others_are_compared():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value("data;A;B\niris;1;2\nwine;1\nx;2;1").run())
    findings = shown(app, "message")
    assert "found 1 scores" in findings["message"].iloc[0]
    assert findings["line"].tolist() == [3]
    assert "(Friedman's test" in said(app)
    assert "2 data sets are few" in app.warning[0].value


def test_a_name_that_may_be_a_score_is_asked_for():
    app = session(COMPARE)
    ran(app.text_area(key="results").set_value("task A B\nSet 1 0.9 0.8\nSet 2 0.7 0.6").run())
    assert "Choose what the first name is" in app.info[0].value
    assert "'task' may be a method" in shown(app, "message")["message"].iloc[0]
    ran(app.radio(key="heading").set_value("the heading of the names below it").run())
    assert not app.info
    assert "task" not in " ".join(str(table.value) for table in app.dataframe)
    ran(app.radio(key="heading").set_value("a method").run())
    assert "task" in " ".join(str(table.value) for table in app.dataframe)


def test_the_verdict_names_what_is_significantly_worse_as_the_core_counts_it():
    means = np.array([3.0, 1.0, 1.5, 2.8])
    names = ["a", "*b*", "c", "d"]
    differences = CriticalDifferences(names, means, 0.6)
    verdict = significance._verdict(differences, methods_differ=True)
    assert verdict == r"d, a are significantly worse than \*b\*, the best on average"
    against = CriticalDifferences(names, means, 0.6, control=3)
    assert (
        significance._verdict(against, methods_differ=True)
        == "No method is significantly worse than d"
    )
    for control in range(4):
        against = CriticalDifferences(names, means, 1.4, control=control)
        listed, _, rest = significance._verdict(against, methods_differ=True).partition(
            " significantly worse than "
        )
        assert rest.split(",")[0].replace("\\", "") == names[control]
        worse = re.sub(" (is|are)$", "", listed).replace("\\", "").split(", ")
        assert sorted(worse) == sorted(against.worse or ["No method"])
    many = CriticalDifferences([*"abcdefg"], np.arange(7.0), 0.5)
    assert significance._verdict(many, methods_differ=True).startswith("b, c, d, e and 2 more are")


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


def test_no_method_is_called_worse_where_the_methods_do_not_differ_at_all():
    differences = CriticalDifferences(["a", "b"], np.array([1.0, 2.0]), 0.6)
    verdict = significance._verdict(differences, methods_differ=False)
    assert verdict == "The methods do not differ significantly"
