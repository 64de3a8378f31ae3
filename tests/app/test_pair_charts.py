"""Figures of predicted preferences."""

import numpy as np

from labelrank_core.explain.evidence import PairMatrix, PairParts
from pages.ui.charts.pairs import pair_contributions, pair_matrix

NAMES = ("tea", "<b>juice</b>", "water")


def test_pairs_that_contradict_the_ranking_are_outlined_both_ways():
    preferences = np.array([[0.5, 0.9, 0.4], [0.1, 0.5, 0.8], [0.6, 0.2, 0.5]])
    matrix = PairMatrix(preferences, np.array([2, 3, 1]), preferences)
    figure = pair_matrix(matrix, NAMES)
    (heatmap,) = figure.data
    # In the order water, tea, juice; juice is preferred to water, which is ahead of it.
    np.testing.assert_allclose(heatmap.z[0][1:], [0.6, 0.2])
    middles = {((s.x0 + s.x1) / 2, (s.y0 + s.y1) / 2) for s in figure.layout.shapes}
    assert middles == {(2, 0), (0, 2)}


def test_contributions_point_to_the_label_they_are_for():
    parts = PairParts(
        "log-odds",
        np.zeros(3),
        np.array([2.0, 1.0]),
        np.array([[1.0, 0, 0], [-3.0, 0, 0]]),
        np.array([1, 2, 3]),
    )
    table = parts.contributions(0, 1)
    figure = pair_contributions(table, ["b", "a"], NAMES[0], NAMES[1])
    (bars,) = figure.data
    assert list(bars.x) == [-3, 2]
    assert bars.marker.color[0] != bars.marker.color[1]
    assert figure.layout.xaxis.title.text == "← &lt;b&gt;juice&lt;/b&gt; · tea →"
