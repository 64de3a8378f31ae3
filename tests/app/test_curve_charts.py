"""Curves with the names of their lines beside them."""

import re

import pandas as pd
import pytest

from pages.ui.render.charts import curves as charts


def points(ends):
    return pd.DataFrame(
        [
            {"line": name, "x": x, "value": value}
            for name, end in ends.items()
            for x, value in ((10, 1.0), (100, end), (1000, end))
        ]
    )


def names_down(drawn):
    """Where the names stand, in per cent from the top."""
    pattern = r'<span class="name" style="left:100.0%;top:([-\d.]+)%"><span[^>]*>■</span> (.*?)<'
    found = re.findall(pattern, drawn)
    return {name: float(top) for top, name in found}


def test_logarithmic_axes_put_powers_of_ten_at_equal_distances():
    drawn = charts.curves(points({"one": 100.0}), ("labels", "seconds"), ("log", "log"))
    ticks = [float(x) for x in re.findall(r'class="tick-x" style="left:([\d.]+)%', drawn)]
    assert len(ticks) == 3
    assert ticks[1] - ticks[0] == pytest.approx(ticks[2] - ticks[1], abs=0.02)
    assert re.findall(r'class="tick-y"[^>]*>([\d.]+)<', drawn) == ["1", "10", "100"]


def test_linear_axes_keep_distances():
    apart = points({"one": 3.0}).replace({"x": {100: 400}})
    drawn = charts.curves(apart, ("k", "tau"), ("linear", "linear"))
    ticks = [float(x) for x in re.findall(r'class="tick-x" style="left:([\d.]+)%', drawn)]
    assert (ticks[2] - ticks[1]) / (ticks[1] - ticks[0]) == pytest.approx(600 / 390, rel=0.01)


def test_a_number_at_an_axis_that_another_would_cover_is_left_out():
    drawn = charts.curves(points({"one": 3.0}), ("k", "tau"), ("linear", "linear"))
    assert re.findall(r'class="tick-x"[^>]*>([\d.]+)<', drawn) == ["10", "1000"]


def test_names_stand_at_the_ends_of_their_lines_and_do_not_overlap():
    ends = {"a": 100.0, "b": 1.0, "c": 1.001, "d": 1.002}
    drawn = charts.curves(points(ends), ("labels", "seconds"), ("log", "log"))
    down = names_down(drawn)
    # The line of a ends alone: 6 % of the range below the upper end.
    assert down["a"] == pytest.approx(100 * 0.06 / 1.12, abs=0.1)
    assert down["d"] < down["c"] < down["b"]
    least = 100 * charts._NAME_HEIGHT / charts._HEIGHT
    assert down["b"] - down["c"] == pytest.approx(least, abs=0.1)
    assert down["c"] - down["d"] == pytest.approx(least, abs=0.1)
    assert down["c"] == pytest.approx(100 - 100 * 0.06 / 1.12, abs=0.2)


def test_a_point_says_its_numbers():
    drawn = charts.curves(points({"SVM": 2.5}), ("labels", "seconds"), ("log", "log"))
    assert 'title="SVM: 2.5 at 100 labels"' in drawn
