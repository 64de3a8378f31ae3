"""Pictures of leaderboards: what they draw, and drawings as SVG."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from pages.ui.render.charts import svg
from pages.ui.render.charts.leaderboard import difference_intervals, level_curves

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing):
    return [each.text for each in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def table():
    return pd.DataFrame(
        {
            "method": ["<b>", "B", "C"],
            "mean": [0.1, -0.2, 0.3],
            "low": [0.05, -0.3, np.nan],
            "high": [0.15, 0.1, np.nan],
            "verdict": ["better", "unclear", "unclear"],
        }
    )


def test_a_difference_has_its_interval_and_its_colour():
    figure = difference_intervals(table(), "difference")
    first, second, dots = figure.data
    assert [tuple(line.x) for line in (first, second)] == [(0.05, 0.15), (-0.3, 0.1)]
    assert list(dots.x) == [0.1, -0.2, 0.3]
    assert dots.marker.color[0] != dots.marker.color[1] == dots.marker.color[2]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "B", "C"]


def test_a_line_a_method_with_its_band():
    frame = pd.DataFrame(
        {"method": ["A", "A"], "level": [0.5, 0.2], "mean": [2, 1], "low": [1.5, 1], "high": [3, 1]}
    )
    band, line = level_curves(frame, "value", "share").data
    assert (list(line.x), list(line.y)) == ([0.2, 0.5], [1, 2])
    assert band.fillcolor == line.line.color
    assert (list(band.x), list(band.y)) == ([0.2, 0.5, 0.5, 0.2], [1, 3, 1.5, 1])


def test_intervals_as_svg():
    drawing = svg.intervals(table(), title="d", zero=True)
    dots = [float(dot.get("cx")) for dot in ElementTree.fromstring(drawing).iter(f"{SVG}circle")]
    assert len(dots) == 3
    # Equal steps of the values are equal steps of the drawing.
    assert dots[0] - dots[1] == pytest.approx(1.5 * (dots[2] - dots[0]), abs=0.1)
    assert {"<b>", "B", "C", "0", "d"} <= set(texts(drawing))


@pytest.mark.parametrize("values", [[0.5], [0.0, 0.0], [1e-9, 2e-9], [1e6, -1e6]])
def test_any_numbers_can_be_drawn(values):
    names = [f"\x00{i}" for i in range(len(values))]
    rows = pd.DataFrame({"method": names, "mean": values, "low": np.nan, "high": np.nan})
    assert texts(svg.intervals(rows, title="t"))
