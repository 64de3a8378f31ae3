"""Every drawing × awkward data × ground: rows are aligned, nothing overlaps, is cut or faint.

Writes the gallery to test-results/gallery/, for people to look at.
"""

import re
from itertools import product

import plotly.graph_objects as go
import pytest

from labelrank_core.explain.render import picture
from labelrank_core.explain.render.markup.bar_rows import BarRow, RowBar, bar_rows, color_key
from labelrank_core.explain.render.markup.elements import fragment
from tests.browser.driver import PATIENCE, RESULTS
from tests.browser.fitting import FIND_FAULTS
from tests.browser.gallery.charts import CHARTS, chart_functions, draw_charts
from tests.browser.gallery.draw_all import draw_all, draw_parts, drawing_functions
from tests.browser.gallery.drawings import MARKUP
from tests.browser.gallery.evidence import EVIDENCE
from tests.browser.gallery.grounds import (
    DRAW_CHARTS,
    FIND_CHART_FAULTS,
    GROUNDS,
    write_charts,
    write_page,
    write_steps,
)
from tests.browser.gallery.labels import LABELS
from tests.browser.gallery.parts import (
    FILES,
    PARTS,
    file_functions,
    name_of,
    part_functions,
)
from tests.browser.gallery.views import VIEWS, view_functions

WIDTHS = (390, 1280)


@pytest.fixture(scope="module")
def canvas(browser):
    """A page without the app."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


@pytest.fixture(scope="module")
def drawings():
    return draw_all()


@pytest.fixture(scope="module")
def charts():
    return draw_charts()


def test_the_gallery_has_every_kind_of_evidence_and_every_drawing():
    assert set(EVIDENCE) == set(picture.registry) - {object}
    assert set(MARKUP) == drawing_functions()
    assert set(VIEWS) == view_functions()
    assert set(CHARTS) == chart_functions()
    assert {name_of(function) for function in PARTS} == part_functions()
    assert set(FILES) == file_functions()


@pytest.mark.parametrize("labels", [each for each in LABELS if each.n > 15], ids=str)
def test_rankings_that_are_cut_say_so(drawings, labels):
    cut = {
        name: drawing
        for name, drawing in drawings.items()
        if f" {labels} " in f"{name} " and re.search(r'lr-strips [a-z ]*cut"', drawing)
    }
    kinds = {name.split(f" {labels}")[0] for name in cut}
    assert {"LeaveOneOut", "Neighbors", "RuleOrders", "TreeVotes", "VotingOrders"} <= kinds
    assert {"leaf", "running trees"} <= kinds
    for name, drawing in cut.items():
        places = re.search(r"--n:(\d+)", drawing)[1]
        said = f"The first {places} of {labels.n} positions are drawn."
        assert said in drawing or name.startswith("strips"), name


@pytest.mark.parametrize("ground", GROUNDS)
def test_nothing_is_wrong_with_the_geometry_of_any_drawing(canvas, drawings, ground):
    (RESULTS / "gallery").mkdir(parents=True, exist_ok=True)
    path = RESULTS / "gallery" / f"{ground}.html"
    shown = drawings | draw_parts() if ground == "page" else drawings
    path.write_text(write_page(shown, ground), encoding="utf-8")
    faults = {}
    for width in WIDTHS:
        canvas.set_viewport_size({"width": width, "height": 900})
        canvas.goto(path.as_uri())
        canvas.evaluate("() => document.fonts.ready.then(() => null)")
        faults[width, "light"] = canvas.evaluate(FIND_FAULTS, ".card")
        # Colours take no room.
        canvas.evaluate("() => document.body.classList.add('dark')")
        request = {"selector": ".card", "onlyColors": True}
        faults[width, "dark"] = canvas.evaluate(FIND_FAULTS, request)
        canvas.evaluate("() => document.body.classList.remove('dark')")
    assert faults == {key: [] for key in product(WIDTHS, ("light", "dark"))}


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wrong_with_the_geometry_of_any_chart(canvas, charts, width):
    path = RESULTS / "gallery" / "charts.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_charts(charts), encoding="utf-8")
    canvas.set_viewport_size({"width": width, "height": 900})
    canvas.goto(path.as_uri())
    canvas.evaluate(DRAW_CHARTS)
    assert canvas.evaluate(FIND_CHART_FAULTS, ".plot") == []


# A chart with a fault, as a change of its layout makes it, and how it is told.
BROKEN_CHARTS = {
    "text leaves the chart": {"xaxis_title_text": "average rank " * 9},
    "texts lie on each other": {"yaxis_tickvals": [0, 0.1], "yaxis_ticktext": ["one", "two"]},
    "a mark is cut": {"yaxis_range": [0.5, -0.1]},
    "a legend is cut": {"showlegend": True, "legend_maxheight": 30},
}


def test_charts_with_faults_are_found(canvas, charts):
    broken = {
        fault: go.Figure(charts["differences far"]).update_layout(**change)
        for fault, change in BROKEN_CHARTS.items()
    }
    canvas.set_viewport_size({"width": 390, "height": 900})
    canvas.set_content(write_charts(broken))
    canvas.evaluate(DRAW_CHARTS)
    found = "; ".join(canvas.evaluate(FIND_CHART_FAULTS, ".plot"))
    assert [fault for fault in BROKEN_CHARTS if f"{fault}: {fault}" not in found] == [], found


# Elements that reach out of the section of their drawing, as its printed page has no scroll bars.
BEYOND = """() => [...document.querySelectorAll('.steps > section')].flatMap(section => {
  const right = section.getBoundingClientRect().right + 1
  const reach = Math.max(...[...section.querySelectorAll('*')]
    .map(part => part.getBoundingClientRect().right))
  return reach > right ? [`${section.title}: ${Math.round(reach - right)} px`] : []
})"""
# Pixels of the width of A4 without the margins of the report.
PRINTED_WIDTH = round((210 - 2 * 11) / 25.4 * 96)


def test_no_drawing_of_a_printed_report_is_cut_or_runs_into_the_next_column(browser, drawings):
    canvas = browser.new_page(viewport={"width": PRINTED_WIDTH, "height": 900})
    canvas.emulate_media(media="print")
    canvas.set_content(write_steps(drawings))
    assert canvas.evaluate(BEYOND) == []
    canvas.close()


# A drawing with a fault, as a style sheet makes it, and how it is told. The first is what went
# wrong once: a rule of the ends of another drawing's scale held for the last column of intervals.
BROKEN = {
    "do not stand on one line": ("intervals 2 short", ".extent {grid-column: 3}"),
    "column 2 is not aligned": ("intervals 5 short", "li:last-child .lr-chip {margin-left: 1rem}"),
    "rows run into each other": (
        "Neighbors 159 short rankings",
        ".lr-strips.wrapped > li + li {padding: 0 !important; margin: 0 !important}",
    ),
    "a bar has 20 px": ("intervals 5 short", ".lr-spans .track {width: 20px}"),
    "a bar cannot be seen": (
        "SurePairs 159 short all decided",
        "b {min-width: 0 !important; border: 0 !important}",
    ),
    "both sides are not on one line": (
        "side_by_side 5 short reversed",
        ".side:last-child {translate: 0 9px}",
    ),
    "text leaves the card": ("gauge 1 short 1.0", ".value {left: 115% !important}"),
    "a part leaves the card": ("gauge 1 short 0.5", ".mark {left: 110% !important}"),
    "text leaves the figure: span.tick-x": (
        "named_neighborhood 5 short",
        ".lr-plot {padding-right: 4px !important}",
    ),
    "text is cut": (
        "ladder 5 long names only",
        ".lr-chip {overflow: hidden; white-space: nowrap; max-width: 3rem}",
    ),
    "texts lie on each other": ("LabelScores 5 short mean ranks", ".lr-chip {margin-right: -2rem}"),
    "is broken": ("strips 5 long long rows", ".name {width: 2rem}"),
    '"lemonade" is broken': (
        "lesson missing: Only who ranks both",
        "thead span {all: unset !important; display: block !important; width: 2rem !important; "
        "overflow-wrap: anywhere !important}",
    ),
    "a mark lies on words": (
        "ladder 5 short with a line",
        ".lr-bar i {bottom: -1rem; left: 1rem !important}",
    ),
    "a mark lies on words: span.tick-y": (
        "kept many lowest",
        ".lr-plot .level {left: 0 !important; top: 0 !important}",
    ),
    "the root of a tree is out of sight": (
        "whole_tree 5 long whole",
        "main {width: 390px} .lr-tree > li > div {scroll-snap-align: none !important}",
    ),
    "a mark lies on words: b": (
        "VotedProbabilities 5 short",
        ".lr-bars .vote {translate: -40px}",
    ),
    "letters have 7.0 px": ("strip 5 short None relevant", ".lr-chip.small {font-size: 7px}"),
    "a name is cut twice": (
        "RuleOrders 16 long different",
        ".lr-strips.tight {grid-template-columns: 45% repeat(var(--n), minmax(0, 1fr)) auto "
        "!important}",
    ),
    'a number is cut: span.number "0.6"': (
        "position_counts 16 short",
        "@container (max-width: 9rem) {.lr-counts .number {display: block !important; "
        "flex: 0 1 auto !important; width: 1em; overflow: hidden; text-overflow: ellipsis}}",
    ),
    "a name is broken into": (
        "squares 16 long",
        ".lr-squares .lr-chip {white-space: normal !important; width: 4rem}",
    ),
    "the numbers of places run together": (
        "strips 16 short six places",
        ".lr-strips .head {justify-content: start; gap: 0; "
        "grid-template-columns: 4rem repeat(6, 1ch) !important}",
    ),
    "bars are not as thick as each other": (
        "waterfall 1 short both",
        ".lr-waterfall .track b {inset-block: .3rem; height: auto !important; "
        "margin: 0 !important}",
    ),
    "a mark has contrast": (
        "squares 16 short no truth",
        "body {color-scheme: dark; background: #10131a; color: #f1f3f7} "
        ".lr-squares i {border: 0 !important}",
    ),
    "contrast": ("LabelScores 5 short mean ranks", ".lr-dots b {color: #aaa}"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_drawing_with_a_fault_is_found(canvas, drawings, fault):
    name, style = BROKEN[fault]
    shown = {each: drawn for each, drawn in drawings.items() if each.strip() == name}
    canvas.set_viewport_size({"width": 1280, "height": 900})
    canvas.set_content(write_page(shown, style=style))
    assert any(fault in found for found in canvas.evaluate(FIND_FAULTS, ".card"))


def test_a_number_that_is_none_is_found(canvas):
    for number in ("-0.0%", "nan%", "-0"):
        canvas.set_content(write_page({"a bar": f'<b style="left:{number}">1</b>'}))
        assert any("no number" in found for found in canvas.evaluate(FIND_FAULTS, ".card"))
    canvas.set_content(write_page({"a bar": '<b style="left:-0.5%">1</b>'}))
    assert canvas.evaluate(FIND_FAULTS, ".card") == []


def test_a_number_that_is_cut_is_found(canvas):
    for words, is_cut in (("age = 1234…", True), ("age of the… = 123457", False), ("+1…", False)):
        canvas.set_content(write_page({"a bar": f"<b>{words}</b>"}))
        faults = canvas.evaluate(FIND_FAULTS, ".card")
        assert any("a number is cut" in fault for fault in faults) == is_cut


def test_a_colour_that_is_explained_but_not_drawn_is_found(canvas):
    key = color_key([("▎", "#c11f5b", "one half")])
    for color, is_found in (("#888888", True), ("#c11f5b", False)):
        rows = bar_rows([BarRow("a", "1", [RowBar(0.0, 1.0, color, "")])], "score")
        drawn = fragment(key, rows)
        canvas.set_content(write_page({"a figure": drawn}))
        faults = canvas.evaluate(FIND_FAULTS, ".card")
        assert any("explained but not drawn" in fault for fault in faults) == is_found
