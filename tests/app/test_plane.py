"""Where the neighbours lie: the circle of k holds them and no other case, where there is one."""

import re

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.render import markup
from pages.ui.render import drawing, evidence
from pages.ui.results.models import Case
from tests.app.plotted import Plotted


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn, in place of a page."""
    pictures = []
    monkeypatch.setattr(
        drawing,
        "render_picture",
        lambda picture, **_: pictures.append(Plotted(picture.whole_markup)),
    )
    return pictures


def show(data, x, scale=None, *, row=None, metric="euclidean"):
    """Draw the four nearest of a case whose features a model sees divided by a scale."""
    rows = np.arange(data.n_samples)
    units = None if scale is None else (np.zeros(len(scale)), scale)
    by = np.ones(data.n_features) if scale is None else scale
    model = KNeighborsLabelRanker(n_neighbors=4, metric=metric).fit(data.X / by, data.rankings)
    case = Case(x, model.explain(x / by), rows, units)
    near = case.explanation.evidence(Neighbors)
    evidence.render_plane(data, case, near, "here", row=row)
    return near


def stacked(*values, **options):
    """The drawing of a neighbourhood, upon that of all cases."""
    return markup.stacked_plots(*markup.neighborhood(*values, **options))


def places(elements):
    """Where some marks stand, in per cent: their centres."""
    said = [[each.get("x"), each.get("y")] for each in elements]
    return np.array([[float(value.rstrip("%")) for value in pair] for pair in said]).reshape(-1, 2)


@pytest.mark.parametrize("scale", [None, np.array([2.0, 0.5])])
def test_with_two_features_the_circle_holds_the_neighbours_and_nobody_else(drawn, scale):
    data = load_sample("drinks")
    near = show(data, np.array([19.0, 4.0]), scale)
    (picture,) = drawn
    (ring,) = picture.spots("reach")
    (own,) = picture.spots("own")
    assert np.allclose(ring.place, own.place, atol=0.1)
    reach = np.array(ring.size) / 2
    spots = picture.spots("near")
    assert [each.said for each in spots] == [f"row {row + 1}" for row in near.rows]
    away = np.hypot(*((np.array([each.place for each in spots]) - own.place) / reach).T)
    assert away.max() == pytest.approx(1, abs=0.01)
    drawn_cases = places(picture.behind("use"))
    assert len(drawn_cases) == data.n_samples
    away = np.hypot(*((drawn_cases - own.place) / reach).T)
    assert (away > 1.01).sum() == data.n_samples - len(spots)


def test_places_are_those_of_the_data_and_lines_join_the_neighbours(drawn):
    data = load_sample("drinks")
    x = np.array([19.0, 4.0])
    near = show(data, x)
    (picture,) = drawn
    across, up = (
        data.feature_names.index(picture.words(look).strip("↑→ "))
        for look in ("title-x", "title-y")
    )
    spots = picture.spots("near")
    own = picture.spots("own")[0].place
    moved = np.array([each.place for each in spots]) - own
    apart = (data.X[near.rows] - x)[:, [across, up]]
    # Per cent of the drawing for one unit of each feature; up is counted from the top.
    scale = np.abs(moved).max(axis=0) / np.abs(apart).max(axis=0)
    assert np.allclose(moved, apart * scale * [1, -1], atol=0.2)
    assert numbers(picture) == ["1", "2", "3", "4"]
    joins = [each for each in picture.behind("line") if each.get("stroke-opacity") == "1"]
    starts = np.array([[float(e.get(k).rstrip("%")) for k in ("x1", "y1")] for e in joins])
    assert np.allclose(starts, [each.place for each in spots], atol=0.1)


def numbers(picture):
    """The numbers in marks."""
    return [each.findtext("b") for each in picture.root.iter("i") if each.find("b") is not None]


def test_of_marks_that_lie_on_each_other_the_nearest_is_on_top():
    near = np.array([[0, 0], [50, 50], [1, 1], [50, 56], [51, 51], [100, 100], [49, 49]])
    shown = stacked(
        markup.Plane(near.astype(float), ("x", "y")),
        (20, 80),
        np.arange(7),
        np.zeros(7, dtype=int),
        [f"row {row}" for row in range(7)],
    )
    picture = Plotted(shown)
    assert numbers(picture) == ["1", "2", "3", "4", "5", "6", "7"]
    styles = [each.get("style") for each in picture.root.iter("i") if each.find("b") is not None]
    heights = [int(style.partition("z-index:")[2]) for style in styles]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == len(heights)


def test_there_is_no_circle_where_distances_are_others_or_features_more(drawn):
    drinks, iris = load_sample("drinks"), load_sample("iris")
    show(drinks, np.array([19.0, 4.0]), metric="manhattan")
    show(iris, iris.X[7], row=7)
    assert [picture.spots("reach") for picture in drawn] == [[], []]


def test_on_a_map_every_case_says_its_name_and_nothing_is_drawn_of_a_new_case(drawn):
    election = load_sample("election")
    show(election, election.X[3])
    assert not drawn
    show(election, election.X[3], row=3)
    (picture,) = drawn
    assert {each.said for each in picture.spots("near")} < {
        each.said for each in picture.spots("dot")
    }
    assert {each.said for each in picture.spots("dot")} == {
        f"{i + 1}: {name}" for i, name in enumerate(election.case_names)
    }


def test_of_many_cases_the_same_ones_are_drawn_whoever_the_neighbours_are():
    spread = np.random.default_rng(1).uniform(size=(900, 2))
    spread[:2] = [[-1, -1], [2, 2]]
    clouds = []
    for near in ([5, 6, 7], [5, 8]):
        shown = stacked(
            markup.Plane(spread, ("x", "y")),
            (0.5, 0.5),
            np.array([0, 1, *near]),
            np.zeros(900, dtype=int),
            [f"row {row}" for row in range(900)],
        )
        clouds.append(set(map(tuple, places(Plotted(shown).behind("use")))))
    assert len(clouds[0]) > 450
    assert clouds[0] == clouds[1]


def test_marks_that_would_lie_on_each_other_or_on_the_case_stand_apart():
    near = np.array([[50, 50], [50, 50], [51, 51], [20, 81], [90, 10]], dtype=float)
    shown = stacked(
        markup.Plane(np.vstack([near, [[0, 0], [100, 100]]]), ("x", "y")),
        (20, 80),
        np.arange(5),
        np.zeros(7, dtype=int),
        [f"row {row}" for row in range(7)],
        height=300,
    )
    picture = Plotted(shown)
    marks = [each for each in picture.root.iter("i") if each.find("b") is not None]
    # The places are those of the data, from which pixels lead away: 300 are 110 units.
    places = np.array([each.place for each in picture.spots("near")]) * 3
    assert np.allclose(places[0], places[1])
    moves = [
        [float(n) for n in re.findall(r"translate:(-?[\d.]+)px (-?[\d.]+)px", each.get("style"))[0]]
        if "translate" in each.get("style")
        else [0.0, 0.0]
        for each in marks
    ]
    own = np.array([picture.spots("own")[0].place]) * 3
    stand = np.vstack([places + moves, own])
    apart = np.linalg.norm(stand[:, None] - stand, axis=2) + 99 * np.eye(6)
    assert apart.min() > 23
    # Alone, a mark stays where it belongs.
    assert moves[-1] == [0, 0]
    assert shown.count('class="leader"') == sum(np.hypot(*move) > 12.5 for move in moves) > 0


def test_what_lies_behind_stays_the_same_while_the_neighbours_change():
    data = load_sample("election")
    plane = markup.Plane(data.coordinates, ("longitude", "latitude"), is_map=True)
    names = list(data.case_names)
    drawings = [
        markup.neighborhood(
            plane, tuple(data.coordinates[3]), rows, data.first_labels, names, are_named=True
        )
        for rows in (np.array([5, 9]), np.array([5, 9, 40]))
    ]
    (behind, front), (behind_more, front_more) = drawings
    assert behind == behind_more
    assert front != front_more
    assert len(front_more) < len(behind) / 5
    # The one lies upon the other: both have the same room and the same size.
    rooms = [
        re.findall(r'style="(padding:[^"]*|[^"]*aspect-ratio:[^"]*)"', each) for each in drawings[0]
    ]
    assert rooms[0][:2] == rooms[1][:2]
