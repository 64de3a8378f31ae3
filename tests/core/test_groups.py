"""Rows of groups: dots where their shares lie, larger for more cases, names as text."""

from xml.etree import ElementTree

import pytest

from labelrank_core.explain.render.markup.groups import Group, group_rows


def styles(markup):
    root = ElementTree.fromstring(f"<div>{markup}</div>")
    rows = [row for row in root.iter("li") if row.get("title")]
    lines = [dict(p.split(":") for p in row.find(".//i").get("style").split(";")) for row in rows]
    dots = [row.find("span/b").get("style") for row in rows]
    return rows, lines, [dict(part.split(":") for part in dot.split(";")) for dot in dots]


def test_dots_lie_at_their_shares_and_the_line_at_the_promise():
    groups = [Group("all", 0.9, 100, "90%"), Group("few", 0.75, 25, "75%")]
    rows, lines, dots = styles(group_rows(groups, 0.8, "good", 0.5))
    # The scale reaches from 50% to 100%.
    assert [float(dot["left"].rstrip("%")) for dot in dots] == pytest.approx([80, 50])
    assert {line["left"] for line in lines} == {"60.0%"}
    # Areas above the smallest dot go with the square root: half of 8 px more than 7.
    assert [dot["width"] for dot in dots] == ["15px", "11px"]
    assert ["".join(row.itertext()) for row in rows] == ["all90.0%", "few75.0%"]


def test_the_scale_reaches_to_the_smallest_share():
    _, _, dots = styles(group_rows([Group("a", 0.2, 1, "20%")], 0.9, "good", 0.5))
    assert dots[0]["left"] == "0.0%"


def test_names_stay_text():
    name = "<b onclick='x'>a & b</b>"
    rows, _, _ = styles(group_rows([Group(name, 1.0, 1, name)], 0.9, name, 0.5))
    assert "".join(rows[0].find("span").itertext()) == name
    assert rows[0].get("title").replace("\u2060", "") == name
