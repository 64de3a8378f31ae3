"""Figures of predicted preferences."""

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.evidence import PairParts
from labelrank_core.explain.figures.pairs import pair_contributions

NAMES = ("tea", "<b>juice</b>", "water")


def test_contributions_point_to_the_label_they_are_for():
    parts = PairParts(
        "log-odds",
        np.zeros(3),
        np.array([2.0, 1.0]),
        np.array([[1.0, 0, 0], [-3.0, 0, 0]]),
        np.array([1, 2, 3]),
    )
    table = parts.contributions(0, 1)
    figure = go.Figure(pair_contributions(table, ["b", "a"], NAMES[0], NAMES[1]))
    (bars,) = figure.data
    assert list(bars.x) == [-3, 2]
    assert bars.marker.color[0] != bars.marker.color[1]
    assert figure.layout.xaxis.title.text == "← &lt;b&gt;juice&lt;/b&gt; · tea →"
