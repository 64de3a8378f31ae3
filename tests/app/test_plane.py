"""Where the neighbours lie: the circle of k holds them and no other case, where there is one."""

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.explain.evidence import Neighbors
from pages.ui import drawing, evidence
from pages.ui.models import Case


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn, in place of a page."""
    figures = []
    monkeypatch.setattr(drawing, "chart", lambda figure, **_: figures.append(figure))
    return figures


def show(data, x, scale=None, *, row=None, metric="euclidean"):
    """Draw the four nearest of a case whose features a model sees divided by a scale."""
    rows = np.arange(data.n_samples)
    units = None if scale is None else (np.zeros(len(scale)), scale)
    by = np.ones(data.n_features) if scale is None else scale
    model = KNeighborsLabelRanker(n_neighbors=4, metric=metric).fit(data.X / by, data.rankings)
    case = Case(x, model.explain(x / by), rows, units)
    near = case.explanation.evidence(Neighbors)
    evidence.where(data, case, near, "here", row=row)
    return near


def circle(figure):
    found = [trace for trace in figure.data if trace.mode == "lines" and len(trace.x) == 73]
    return found[0] if found else None


@pytest.mark.parametrize("scale", [None, np.array([2.0, 0.5])])
def test_with_two_features_the_circle_holds_the_neighbours_and_nobody_else(drawn, scale):
    data = load_sample("drinks")
    x = np.array([19.0, 4.0])
    near = show(data, x, scale)
    ring = circle(drawn[0])
    across, up = drawn[0].layout.xaxis.title.text, drawn[0].layout.yaxis.title.text
    of = [data.feature_names.index(title) for title in (across, up)]
    axes = np.array([np.ptp(ring.x), np.ptp(ring.y)]) / 2
    away = np.hypot(*((data.X - x)[:, of] / axes).T)
    assert set(np.flatnonzero(away <= 1 + 1e-9)) == set(near.rows)
    own = drawn[0].data[-2]
    assert (own.x[0], own.y[0]) == (x[of[0]], x[of[1]])


def test_there_is_no_circle_where_distances_are_others_or_features_more(drawn):
    drinks, iris = load_sample("drinks"), load_sample("iris")
    show(drinks, np.array([19.0, 4.0]), metric="manhattan")
    show(iris, iris.X[7], row=7)
    assert [circle(figure) for figure in drawn] == [None, None]
    assert all(len(figure.data) == 4 for figure in drawn)


def test_of_a_new_case_on_a_map_nothing_is_drawn(drawn):
    election = load_sample("election")
    show(election, election.X[3])
    assert not drawn
    show(election, election.X[3], row=3)
    assert len(drawn) == 1
