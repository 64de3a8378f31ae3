"""Rows of groups: dots where their shares lie, on bars of chance, names as text."""

from math import nan
from xml.etree import ElementTree

import pytest

from labelrank_core.explain.render.markup.groups import Group, group_rows


def styles(markup):
    root = ElementTree.fromstring(f"<div>{markup}</div>")
    rows = [row for row in root.iter("li") if row.get("title")]
    lines = [dict(p.split(":") for p in row.find(".//i").get("style").split(";")) for row in rows]
    dots = [row.find("span/b").get("style") for row in rows]
    return rows, lines, [dict(part.split(":") for part in dot.split(";")) for dot in dots]


def test_dots_lie_at_their_shares_on_bars_of_chance_and_the_line_at_the_promise():
    groups = [
        Group("all", 0.9, 0.7, "90 of 100", "kept", "90%"),
        Group("few", 0.75, nan, "25", "less", "75%"),
    ]
    drawn = group_rows(groups, 0.8, "good", 0.5)
    rows, lines, dots = styles(drawn)
    # The scale reaches from 50% to 100%.
    assert [float(dot["left"].rstrip("%")) for dot in dots] == pytest.approx([80, 50])
    assert {line["left"] for line in lines} == {"60.0%"}
    bars = [row.find(".//span[@class='chance']") for row in rows]
    assert (bars[0].get("style"), bars[1]) == ("left:40.0%", None)
    assert "where a kept promise may lie" in drawn
    assert ["".join(row.itertext()) for row in rows] == ["all90%90 of 100", "few75%25"]


def test_the_scale_reaches_to_the_smallest_share():
    _, _, dots = styles(group_rows([Group("a", 0.2, nan, "1", "less", "20%")], 0.9, "good", 0.5))
    assert dots[0]["left"] == "0.0%"
    _, _, dots = styles(group_rows([Group("a", 0.6, 0.2, "1", "less", "60%")], 0.9, "good", 0.5))
    assert dots[0]["left"] == "50.0%"


def test_names_stay_text():
    name = "<b onclick='x'>a & b</b>"
    rows, _, _ = styles(group_rows([Group(name, 1.0, nan, "1 of 1", "kept", name)], 0.9, name, 0.5))
    assert "".join(rows[0].find("span").itertext()) == name
    assert rows[0].get("title").replace("\u2060", "") == name


def test_looks_are_explained_where_a_group_has_less_than_is_promised():
    kept = Group("a", 0.95, nan, "19 of 20", "kept", "")
    beyond = Group("b", 0.5, nan, "10 of 20", "beyond", "")
    assert "lr-group-keys" not in group_rows([kept], 0.9, "good", 0.5)
    drawn = group_rows([kept, beyond], 0.9, "good", 0.5)
    keys = ElementTree.fromstring(f"<div>{drawn}</div>").find("p")
    assert [span.find("i").get("class") for span in keys] == ["kept", "beyond"]
    assert "".join(keys.itertext()) == "as promisedtoo little even for so few"
