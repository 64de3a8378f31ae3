"""The page Papers: every table, its verdicts and reasons, and a table recomputed."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare, wilcoxon

from labelrank_core import list_samples, load_sample
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import LedgerNumber
from labelrank_core.methods import ALGORITHMS
from labelrank_core.papers import PAPERS, find_table, ledger, recorded
from labelrank_core.papers.facts import confident_curve
from labelrank_core.papers.ledger import counts, measured_frame
from labelrank_core.papers.promises import recorded_promises
from pages.papers import grid, numbers, printed, recomputation
from pages.ui import compute
from pages.ui.render.charts.papers import differences
from pages.ui.wording import text
from tests.app.visits import ROOT, facts, ran, session

PAGE = "pages/papers/page.py"
TABLES = [(paper, table) for paper in PAPERS.values() for table in paper.tables]


def opened(paper, **link):
    return session(PAGE, publication=paper.citation, **link)


def verdicts(app):
    return [element.value for element in app.subheader]


def tabs(app):
    return [tab.label for tab in app.tabs]


def tab(app, label):
    return next(each for each in app.tabs if each.label.startswith(label))


def said(app):
    return (
        " ".join(element.value for element in (*app.markdown, *app.caption))
        .replace(text.JOINER, "")
        .replace("\\", "")
    )


def html(app):
    return " ".join(element.value for element in app.main if type(element).__name__ == "Html")


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.key)
def test_a_paper_is_told_with_all_its_tables(paper):
    app = opened(paper)
    assert app.header[0].value == paper.title
    words = said(app)
    assert " ".join(paper.sentences) in words
    for name, what in paper.defines:
        assert f"**{name}**: {what}" in words
    for each in paper.errata:
        assert f"**{each.where}.** {each.instead}" in words
        assert f"How we know: {each.evidence}" in words
    drawn = html(app)
    for trial in paper.trials:
        assert f">{trial.text}</a>" in drawn.replace("&#x27;", "'")
    for table in paper.tables:
        ran(app.segmented_control(key=f"table_{paper.key}").set_value(table.name).run())
        assert f"{table.title}." in said(app)
        assert table.remark in said(app)
        rows = ledger(table, recorded(table))
        done, hold = rows["ours"].notna() & (rows["reading"] == ""), counts(rows)["within"]
        heading = verdicts(app)[0]
        if not done.any():
            assert heading == (
                f"{table.name}: none of {len(table.cells)} numbers is recomputed: "
                "their data are not at hand"
            )
        elif hold == done.sum():
            assert heading == f"{table.name}: all {hold} recomputed numbers hold"
        else:
            start = f"{table.name}: {hold} of {done.sum()} recomputed numbers hold, "
            assert heading.startswith(start)
        assert ("Picture" in tabs(app)) == done.any()
        assert tabs(app)[-1] == "How we recompute"


@pytest.mark.parametrize("key", ["lr06", "mlls08"])
def test_figures_without_printed_numbers_are_drawn_with_what_print_says(key):
    app = opened(PAPERS[key])
    assert PAPERS[key].figures
    for figure in PAPERS[key].figures:
        ran(app.segmented_control(key=f"table_{key}").set_value(figure.key).run())
        own = tab(app, "Picture")
        assert "How we recompute" not in tabs(app)
        points = figure.points()
        statements = figure.statements(points)
        n_holding = sum(statement.holds for statement in statements)
        of_all = f"{n_holding} of {len(statements)}"
        assert own.subheader[0].value == f"{figure.key}: {of_all} statements of the paper hold"
        shown = said(app)
        for statement in statements:
            assert f"{'✓' if statement.holds else '≠'} {statement.printed}" in shown
            assert f"Measured here: {statement.measured}" in shown
        panels = list(points["panel"].unique())
        for panel in (panels[0], panels[-1]):
            ran(app.segmented_control(key=f"curves-{figure.slug}").set_value(panel).run())
            drawn = points[(points["panel"] == panel) & (points["measure"] == figure.measure)]
            for line, value in zip(drawn["line"], drawn["value"], strict=True):
                assert f'title="{line}: {value:.4g} at ' in html(app)


def test_every_recomputed_number_stands_above_the_printed_one():
    app = opened(PAPERS["mlknn05"], table_mlknn05="Table I")
    (table,) = re.findall(r"<table.*?</table>", html(app))
    cells = re.findall(
        r'<td class="(\w+)"[^>]*><b>([\d.]+)</b><small>print ([\d.]+)</small>', table
    )
    assert len(cells) == 20
    assert cells[0] == ("within", "0.197", "0.197")
    assert "Coverage" in table


def test_a_cell_has_the_digits_of_print_and_what_parts_it_from_ours():
    cells = r'<td class="(\w+)"[^>]*><b>(.*?)</b><small>print (.*?)</small>(?:<small>(.*?)<)?'
    app = opened(PAPERS["mlr07"])
    assert re.findall(cells, html(app))[:2] == [
        ("within", "2.00", "2.00", ""), ("within", "2.17", "2.17", ""),
    ]  # fmt: skip
    marks = "✓ holds (within ±0.005, compared before rounding), ≠ differs from the print."
    assert marks in said(app)
    app = opened(PAPERS["lrrf"], table_lrrf="Table 2")
    assert re.findall(cells, html(app))[:2] == [
        ("differs", "252", "452", "−200"), ("within", "7", "7", ""),
    ]  # fmt: skip
    assert "✓ holds (the same number)" in said(app)
    # Samples have as many rows as the files, so no caption about values.
    assert "Its authors derived their own" not in said(app)


def test_a_table_without_any_recomputed_number_shows_its_print():
    app = opened(PAPERS["mlls08"], table_mlls08="Table IV")
    drawn = re.findall(r'<td class="none"><small>print ([\d.]+)</small>', html(app))
    print_ = [c.value for c in find_table("mlls08", "IV").cells if c.block == "AUC"]
    assert sorted(map(float, drawn)) == sorted(print_)
    assert "holds (" not in said(app)


def test_reasons_are_said_for_what_differs():
    app = opened(PAPERS["lrrf"], table_lrrf="Table 2")
    assert verdicts(app)[0] == "Table 2: 24 of 27 recomputed numbers hold, 3 differ"
    assert "Why 3 differ" in tabs(app)
    assert "about 1.8 times as many cases" in said(app)
    assert "#instances on bodyfat" in said(app)
    assert "their data are not at hand:** authorship, calhousing" in said(app)


def test_reasons_name_the_measure_and_ways_of_measuring_name_the_methods():
    app = opened(PAPERS["mlls08"], table_mlls08="Table III")
    words = said(app)
    # Centring is the reason for one measure of three, and not for every method.
    assert "AUC: ML_LS on Arts; CCA+Ridge on Arts, Education; CCA+SVM on Arts, Education." in words
    assert (
        "**5 draws of 1000 training rows; alpha and beta tuned in 5 inner folds:** ML_LS." in words
    )
    assert "**5 draws of 1000 training rows; C tuned in 5 inner folds:** SVM." in words
    assert "**5 draws of 1000 training rows:** SVM_perf." in words
    assert "No reason is known" not in words


@pytest.mark.parametrize("key", ["3", "4", "5", "6"])
def test_each_number_is_named_once_with_its_way_of_measuring(key):
    table = find_table("lrrf", key)
    found = recorded(table)
    sets = set(found["data"])
    named = []
    rows = ledger(table, found)
    for how, words in printed._protocols(table, rows[rows["ours"].notna()]):
        for group in words.removesuffix(".").split("; "):
            methods, _, data = group.partition(" on ")
            of = data.split(", ") if data else sets
            named += [(how, name, each) for name in methods.split(", ") for each in of]
    expected = [
        (row["protocol"].capitalize(), grid.title(table, row, "column"), row["data"])
        for row in found.to_dict("records")
    ]
    assert sorted(named) == sorted(expected)


def test_other_readings_are_said_not_to_count_and_empty_cells_are_explained():
    app = opened(PAPERS["mlknn05"], table_mlknn05="Table II")
    words = said(app)
    assert "Shown, but not counted: Rank-SVM (constant 0.5), ADTBoost.MH (all thresholds)" in words
    drawn = html(app)
    for chosen in ("Rank-SVM (constant 1)", "ADTBoost.MH (15 thresholds)", "BoosTexter (1500 "):
        assert f">{chosen}" in drawn
    assert "–: not printed." in words
    assert "Grey alone" not in words
    words = said(opened(PAPERS["lrrf"], table_lrrf="Table 6"))
    assert "Shown, but not counted: LR-RF (as the text says), LR-RF (our default)." in words
    words = said(opened(PAPERS["lr06"], table_lr06="Table 1"))
    assert "within the deviation printed beside each number, ±" in words


def test_the_blend_stands_beside_the_best_in_print_its_members_and_single_methods():
    paper = PAPERS["print"]
    (table,) = paper.tables
    app = opened(paper)
    for missing in ("p₀ = 0", "p₀ = 0.6"):
        check_the_blend(app, table, missing)


def check_the_blend(app, table, missing):
    ran(app.selectbox(key="block-printed-print-ninedatasets").set_value(missing).run())
    (drawn,) = re.findall(r"<table.*?</table>", html(app))
    heads = re.findall(r'<th scope="col">(.*?)</th>', drawn)
    assert heads == ["Best blend", "straight pairs", "curved pairs", "kernel ridge", "extra trees"]
    found = ledger(table, recorded(table))
    found = found[(found["block"] == missing) & (found["reading"] == "")].set_index("data")["ours"]
    own = found.loc[list(table.data_sets)]
    for name, number in own.items():
        assert re.search(rf">{name}</th><td[^>]*><b>{number:.3f}</b><small>print ", drawn)
    others = table.rivals(missing)
    compared = next(each.value for each in app.dataframe if "average rank" in each.value)
    assert compared["method"].tolist() == list(others)
    assert compared["mean in print"].tolist() == pytest.approx(
        [sum(values) / 9 for values in others.values()]
    )
    ahead = [int((own.to_numpy() > np.array(values)).sum()) for values in others.values()]
    assert compared["sets behind"].tolist() == ahead
    best = wilcoxon(own.to_numpy() - np.array(others["IB-PL"])).pvalue
    assert compared.set_index("method")["p"]["IB-PL"] == pytest.approx(best)
    assert f"χ² = {friedmanchisquare(own, *others.values()).statistic:.1f}" in said(app)


def test_what_promises_keep_is_shown_beside_the_best_in_print():
    app = opened(PAPERS["print"])
    assert "Is a guarantee of 90% kept?" in [each.value for each in app.header]
    shown = next(each.value for each in app.dataframe if "pairs decided" in each.value)
    found = recorded_promises()
    assert shown["realised (promised 90%)"].tolist() == found["realised"].round(3).tolist()
    assert shown["data"].tolist() == found["data"].tolist()
    assert "on **7 of 7** data sets" in said(app)
    assert "Guarantee" not in tabs(opened(PAPERS["lrrf"]))


def test_one_number_that_is_worse_is_said_in_the_singular():
    table = PAPERS["print"].tables[0]
    rows = ledger(table, recorded(table))
    assert printed.verdict(rows) == ("12 of 27 recomputed numbers hold, 14 are better, 1 is worse")
    assert "27 of 27 numbers: 12 hold, 14 are better, 1 is worse" in html(opened(PAPERS["print"]))


def test_columns_without_a_method_are_named():
    columns = {
        column.name: column.exists
        for table in PAPERS["mlls08"].tables
        for column in table.columns
        if column.key
    }
    app = opened(PAPERS["mlls08"], table_mlls08="Table III")
    absent = [name for name, exists in columns.items() if not exists]
    assert (f"**No such method here yet:** {', '.join(absent)}." in said(app)) == bool(absent)
    assert "None of the samples is one of these data sets" in said(app)


def test_a_table_is_recomputed_where_the_page_asks_for_it():
    app = opened(PAPERS["mlr07"])
    assert verdicts(app) == ["Worked example: all 6 recomputed numbers hold"]
    ran(app.button(key="recompute_mlr07-workedexample").click().run())
    assert verdicts(app)[1] == "Recomputed now: all 6 recomputed numbers hold"


def test_what_differs_on_a_sample_is_not_given_the_reasons_of_the_papers_data(monkeypatch):
    table = find_table("lrrf", "3")
    found = recorded(table)
    found = found[found["data"] == "glass"]
    app = opened(PAPERS["lrrf"], table_lrrf="Table 3")
    once = compute.once

    def with_other_numbers(key, title, *call, **how):
        return found if title == "Table 3, recomputed" else once(key, title, *call, **how)

    monkeypatch.setattr(compute, "once", with_other_numbers)
    ran(app.button(key="recompute_lrrf-3").click().run())
    of_print, of_sample = (
        " ".join(each.value for each in (*box.markdown, *box.caption))
        for box in (tab(app, "Why "), tab(app, "How we recompute"))
    )
    assert "The paper contradicts itself" in of_print
    assert "The paper contradicts itself" not in of_sample
    assert "Its authors derived their own" in of_sample


def test_quick_methods_are_recomputed_and_slow_ones_are_left_to_the_command():
    compute._cache.clear()
    app = opened(PAPERS["lr06"])
    assert "the command recomputes them: PW-SVM-LIN, PW-SVM-RBF." in said(app)
    options = app.selectbox(key="again_lr06-1").options
    assert options == ["IRIS", "WINE", "GLASS", "VEHICLE"]


def test_a_store_that_cannot_be_used_is_said_in_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LABELRANK_HOME", str(tmp_path / "file"))
    compute._cache.clear()
    app = opened(PAPERS["mlr07"])
    ran(app.button(key="recompute_mlr07-workedexample").click().run())
    assert len(app.error) == 1
    assert not any(heading.startswith("Recomputed now") for heading in verdicts(app))


def test_trainings_that_all_failed_are_said_so(monkeypatch):
    monkeypatch.setattr(recomputation, "recompute", lambda *_, **__: measured_frame([]))
    compute._cache.clear()
    app = opened(PAPERS["mlr07"])
    ran(app.button(key="recompute_mlr07-workedexample").click().run())
    assert "Every training failed" in app.warning[0].value


TRIALS = [trial for paper in PAPERS.values() for trial in paper.trials]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.text)
def test_links_ask_for_what_there_is(trial):
    assert (ROOT / "pages" / trial.page / "page.py").exists()
    by_title = {algorithm.title: algorithm for algorithm in ALGORITHMS.values()}
    query = dict(trial.query)
    if "method" in query:
        assert query.pop("data") in [sample.name for sample in list_samples()]
        algorithm = by_title[query.pop("method")]
        known = {f"{algorithm.key}_{knob.name}" for knob in algorithm.knobs} | {"scaled"}
        assert set(query) <= known


@pytest.mark.parametrize("trial", [t for t in TRIALS if t.page == "learn" or "Fig. 2" in t.text])
def test_links_open_in_the_state_they_ask_for(trial):
    app = session(f"pages/{trial.page}/page.py", **trial.query)
    assert "The link asks for" not in " ".join(each.value for each in app.info)
    if trial.page == "learn":
        assert app.selectbox(key="example_mlr").value == trial.query["example_mlr"]
    else:
        assert "k-NN label ranking" in facts(app)


def test_the_picture_has_a_row_per_method_and_a_mark_per_verdict():
    rows = pd.DataFrame(
        {
            "data": ["iris", "<b>", "iris", "wine"],
            "column": ["A", "A", "B", "A"],
            "reading": ["", "", "", "other"],
            "printed": [0.9, 0.8, 0.7, 0.6],
            "ours": [0.91, 0.9, 0.6, 0.6],
            "tolerance": [0.02] * 4,
            "verdict": ["within", "above", "below", "within"],
        }
    )
    titles = ["A", "A", "B", "A (other)"]
    figure = differences(rows, (rows["ours"] - rows["printed"]).tolist(), titles)
    assert list(figure.layout.yaxis.ticktext) == ["A", "B", "A (other)"]
    within, above, below = figure.data
    assert list(within.y) == [0, 2]
    assert [round(float(x), 3) for x in (*above.x, *below.x)] == [0.1, -0.1]
    assert above.customdata[0][0] == "&lt;b&gt;"
    assert {trace.marker.symbol for trace in figure.data} == {
        "circle", "triangle-up", "triangle-down",
    }  # fmt: skip
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (-0.02, 0.02)


def picture_rows(drawing):
    """Name, place of the print, place of ours and verdict of each row of a picture."""
    row = r'title="([^:]+): [^"]*"><span.*?class="print" style="left:([\d.]+)%.*?class="ours (\w+)"'
    return [
        (name, float(print_), float(ours), verdict)
        for name, print_, verdict, ours in re.findall(row + r' style="left:([\d.]+)%', drawing)
    ]


def test_a_row_of_the_picture_is_a_printed_number_with_ours_beside_it():
    table = find_table("lr06", "1")
    rows = ledger(table, recorded(table))
    rows = rows[rows["block"] == "Kendall's tau"]
    names, groups = printed._row_names(table, rows)
    assert (names[0], groups[0]) == ("IRIS", "Pairwise support vector machines (linear kernel)")
    app = opened(PAPERS["lr06"], table_lr06="Table 1")
    ran(app.selectbox(key="block-printed-lr06-1").set_value("Kendall's tau").run())
    drawing = html(app)
    shown = picture_rows(drawing)
    assert len(shown) == len(rows)
    for name, data_rows in rows.groupby("data"):
        places = [(print_, ours) for row, print_, ours, _ in shown if row == name]
        by_print = np.polyfit(data_rows["printed"], [place[0] for place in places], 1)
        assert np.polyval(by_print, data_rows["ours"]) == pytest.approx(
            [place[1] for place in places], abs=0.05
        )
    # A heading stands above the numbers of each method, once.
    heads = [group.removesuffix(")").split(" (") for group in dict.fromkeys(groups)]
    heads_html = [f'<b>{name}<span class="muted">{remark}</span></b>' for name, remark in heads]
    assert [drawing.count(head) for head in heads_html] == [1] * 4
    assert "holds within ± the standard deviation in print" in drawing


def test_a_picture_of_differences_says_how_close_a_number_must_be_to_hold():
    table = find_table("lrrf", "4")
    tolerance = ledger(table, recorded(table))["tolerance"].max()
    words = said(opened(PAPERS["lrrf"], table_lrrf="Table 4"))
    assert f"In the shaded band, within ±{tolerance}, a number holds." in words


def test_bars_end_where_the_measure_does():
    number = markup.PrintedNumber("iris", 0.9, 0.8, 0.3, "within")
    (left, width), *_ = re.findall(
        r'class="near" style="left:([\d.]+)%;width:([\d.]+)%',
        markup.print_panels([("", [number])], "tau", "near", (-1.0, 1.0)),
    )
    assert float(left) + float(width) == pytest.approx(97)
    assert float(left) == pytest.approx(3)


def test_a_caption_says_in_which_parameters_two_names_of_one_method_differ():
    app = opened(PAPERS["lr06"], table_lr06="Table 1")
    words = said(app)
    assert "PW-SVM-LIN with linear kernel, PW-SVM-RBF with Gaussian (rbf) kernel: " in words
    assert "KNN-LR-BORDA with Borda (mean rank) consensus: k-NN label ranking." in words
    assert find_table("mlknn05", "I").methods_text == "k=6, k=7, k=8, k=9: ML-kNN."


def test_numbers_far_apart_are_drawn_on_a_logarithmic_scale_each_by_its_verdict():
    table = find_table("lrrf", "2")
    rows = ledger(table, recorded(table))
    rows = rows[rows["ours"].notna()]
    drawing = html(opened(PAPERS["lrrf"], table_lrrf="Table 2"))
    ticks = re.findall(r'<small style="left:([\d.]+)%">([\d,]+)<', drawing)
    places = {text: float(place) for place, text in ticks}
    assert places["1,000"] - places["100"] == pytest.approx(places["100"] - places["10"], abs=0.02)
    assert "<span>only the same number holds</span>" in drawing
    verdicts_shown = Counter(verdict for *_, verdict in picture_rows(drawing))
    assert verdicts_shown == Counter(rows["verdict"])


def test_every_table_with_recomputed_numbers_has_a_picture_and_a_figure_its_curve():
    for paper, table in TABLES:
        app = opened(paper, **{f"table_{paper.key}": table.name})
        rows = ledger(table, recorded(table))
        n_pictures = len(app.get("plotly_chart")) + html(app).count('class="lr-print-key"')
        assert n_pictures == bool(rows["ours"].notna().any()) + (table.curve is not None)
    assert "drawn again from one random half of vehicle." in said(
        opened(PAPERS["lr06"], table_lr06="Fig. 2")
    )


def test_the_curve_of_the_figure_starts_at_the_accuracy_of_all_predictions_of_the_half():
    curve = confident_curve(load_sample("vehicle"))
    assert curve["n_cases"].sum() == 423
    assert curve["accuracy_at_least"].iloc[0] == pytest.approx(
        np.average(curve["accuracy_at"], weights=curve["n_cases"])
    )
    assert curve["accuracy_at_least"].iloc[-1] > curve["accuracy_at_least"].iloc[0]


def test_papers_are_chosen_by_authors_and_year_and_older_links_by_their_code():
    app = session(PAGE, paper="LRRF")
    assert app.header[0].value == PAPERS["lrrf"].title
    assert app.pills(key="publication").options == [
        "Brinker, Hüllermeier 2006", "Brinker, Hüllermeier 2007", "Zhang, Zhou 2005",
        "Zhou, Qiu 2018", "Ji, Tang, Yu, Ye 2010", "Best in print", "Thies, Alfaro, Bengs 2026",
    ]  # fmt: skip
    assert "[DOI 10.1016/j.eswa.2018.06.036](https://doi.org/10.1016/j.eswa.2018.06.036)" in said(
        app
    )
    ran(app.pills(key="publication").set_value("Zhang, Zhou 2005").run())
    assert app.header[0].value == PAPERS["mlknn05"].title


def test_the_heading_adds_up_papers_and_comparisons_are_counted_apart():
    papers, comparisons = (
        sum((Counter(numbers.of_paper(paper.key)) for paper in group), Counter())
        for group in (
            [paper for paper in PAPERS.values() if not paper.is_comparison],
            [paper for paper in PAPERS.values() if paper.is_comparison],
        )
    )
    app = opened(PAPERS["lr06"])
    n_recomputed = papers["printed"] - papers["not computed"]
    assert (
        f"**We recomputed {n_recomputed} of {papers['printed']:,} numbers: "
        f"{papers['within']} hold, {papers['above']} are better, "
        f"{papers['below']} are worse, {papers['differs']} differ.**"
    ) in said(app)
    tolerances = Counter(
        row["tolerance"]
        for paper, table in TABLES
        if not paper.is_comparison
        for row in ledger(table, recorded(table)).to_dict("records")
        if row["reading"] == "" and not np.isnan(row["ours"])
    )
    (tolerance, n_numbers), *_ = tolerances.most_common()
    assert 2 * n_numbers > n_recomputed
    assert f"hold: within the printed deviation, else mostly within {tolerance}" in html(app)
    n_printed = numbers.of_paper("lr06")["printed"]
    assert re.search(rf">{n_printed} of {n_printed}</span>.*?>{n_printed} hold<", html(app))
    assert (
        f"They are better on {comparisons['above']} of {comparisons['printed']} numbers, about as "
        f"good on {comparisons['within']} and worse on {comparisons['below']}."
    ) in html(app)
    assert comparisons["not computed"] == comparisons["differs"] == 0


def test_a_table_says_where_the_other_numbers_of_its_paper_are():
    paper = PAPERS["lr06"]
    n_numbers = {table.name: len(table.cells) for table in paper.tables}
    for table, other in (paper.tables, paper.tables[::-1]):
        app = opened(paper, table_lr06=table.name)
        assert f"The paper's other {n_numbers[other.name]} numbers are in {other.name}." in said(
            app
        )
    assert "other number" not in said(opened(PAPERS["mlr07"]))


KEYS = ("within", "above", "below", "differs")


def test_names_in_tables_bars_and_links_stay_text():
    nasty = "<img src=x>"
    drawn = (
        markup.numbers_table(
            nasty, [nasty], [(nasty, [LedgerNumber(nasty, nasty, "within", nasty)])]
        )
        + markup.shares(
            [markup.PaperShare(nasty, 1, dict.fromkeys(KEYS, 1), dict.fromkeys(KEYS, nasty))]
        )
        + markup.print_panels(
            [(nasty, [markup.PrintedNumber(nasty, 1.0, 1.0, 1.0, "within")])], nasty, nasty
        )
        + markup.links(nasty, [(nasty, "predict?data=<img>")])
    )
    assert "<img" not in drawn
    assert markup.numbers_table("t", ["a"], [("b", [None])]).count("–") == 1
