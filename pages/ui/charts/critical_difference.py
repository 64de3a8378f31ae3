"""Average ranks with the critical difference: on the page, and as an SVG file for papers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from labelrank_core.rankings import FloatArray
from pages.ui.charts import svg
from pages.ui.charts.base import ACCENT, LINE, MUTED, Look, numbered_rows, picture
from pages.ui.text import plotly, shorten_middle

_CONTROL = "#D55E00"
_LETTERS, _SVG_LETTERS = 22, 30


@dataclass(frozen=True, eq=False)
class CriticalDifferences:
    """What is drawn: groups of methods that do not differ significantly, or a control."""

    means: FloatArray
    names: Sequence[str]
    difference: float
    groups: Sequence[Sequence[int]] = ()
    control: int | None = None

    @property
    def order(self) -> list[int]:
        """The methods, best average rank first."""
        return [int(method) for method in np.argsort(self.means, kind="stable")]

    @property
    def around_control(self) -> tuple[float, float]:
        """The average ranks that do not differ significantly from that of the control."""
        middle = float(self.means[self.control or 0])
        return middle - self.difference, middle + self.difference

    def figure(self) -> go.Figure:
        """Draw one row for each method, the best at the top, and bars beside the groups."""
        low, high = float(self.means.min()), float(self.means.max())
        # Bars stand to the right of all ranks, one beside the other.
        step = 0.04 * (high - low or 1.0)
        bars = [high + (3 + 1.5 * place) * step for place in range(len(self.groups) + 1)]
        ends = [low - 2 * step, bars[-1] + 0.5 * step]
        band: list[Look] = []
        if self.control is not None:
            left, right = self.around_control
            ends = [min(ends[0], left), max(ends[1], right)]
            box = {"type": "rect", "x0": left, "x1": right, "y0": 0, "y1": 1, "yref": "paper"}
            band = [{**box, "fillcolor": MUTED, "line": {"width": 0}, "layer": "below"}]
        groups = [self._bar(group, x) for group, x in zip(self.groups, bars, strict=False)]
        names = [plotly(shorten_middle(self.names[method], _LETTERS)) for method in self.order]
        return picture(
            110 + 30 * len(self.order),
            [self._dots(), *groups],
            x={"title": "average rank (lower is better)", "range": ends, "zeroline": False},
            y={**numbered_rows(names), "range": [len(names) - 0.5, -0.7]},
            shapes=band,
        )

    def _dots(self) -> Look:
        means = self.means[self.order]
        return {
            "x": means,
            "y": list(range(len(means))),
            "mode": "markers+text",
            "text": [f"<b>{mean:.2f}</b>" for mean in means],
            "textposition": "top center",
            "marker": {
                "size": 14,
                "color": [_CONTROL if each == self.control else ACCENT for each in self.order],
            },
            "customdata": [plotly(self.names[method]) for method in self.order],
            "hovertemplate": "%{customdata}: %{x:.3f}<extra></extra>",
            "cliponaxis": False,
        }

    def _bar(self, group: Sequence[int], x: float) -> Look:
        rows = [self.order.index(method) for method in group]
        return {
            "x": [x, x],
            "y": [min(rows) - 0.2, max(rows) + 0.2],
            "mode": "lines",
            "line": {"width": 6, "color": LINE},
            "hovertemplate": ", ".join(plotly(self.names[method]) for method in group)
            + "<extra></extra>",
        }

    def svg(self) -> str:
        """Draw what Fig. 1 of Demšar 2006 shows, the best rank at the left."""
        n = len(self.means)
        left, right, axis = svg.SIDE, svg.WIDTH - svg.SIDE, 62.0

        def at(rank: float) -> float:
            return left + (right - left) * (rank - 1) / (n - 1)

        parts = [svg.line(left, axis, right, axis, 1.5)]
        for rank in range(1, n + 1):
            parts.append(svg.line(at(rank), axis - 6, at(rank), axis))
            parts.append(svg.words(at(rank), axis - 10, f"{rank}"))
        ruler = [left, min(at(1 + self.difference), svg.WIDTH - 20)]
        parts += [svg.line(ruler[0], 22, ruler[1], 22, 1.5)]
        parts += [svg.line(x, 18, x, 26, 1.5) for x in ruler]
        parts.append(svg.words(ruler[0], 13, f"CD = {self.difference:.3f}", "start"))
        if self.control is not None:
            ends = [at(min(max(rank, 1), n)) for rank in self.around_control]
            parts.append(svg.line(ends[0], axis, ends[1], axis, 7, ' stroke-opacity="0.45"'))
        for place, group in enumerate(self.groups):
            y = axis + 10 + 7 * place
            low, high = min(self.means[list(group)]), max(self.means[list(group)])
            parts.append(svg.line(at(low) - 4, y, at(high) + 4, y, 4))
        first, half = axis + 22 + 7 * len(self.groups), (n + 1) // 2
        for place, method in enumerate(self.order):
            is_left = place < half
            y = first + svg.ROW * (place if is_left else n - 1 - place)
            x, side = at(self.means[method]), left - 8 if is_left else right + 8
            parts += [svg.line(x, axis, x, y), svg.line(x, y, side, y)]
            name = f"{shorten_middle(self.names[method], _SVG_LETTERS)}  {self.means[method]:.2f}"
            edge, anchor = (side - 4, "end") if is_left else (side + 4, "start")
            parts.append(svg.words(edge, y + 4, name, anchor))
        return svg.drawing(svg.WIDTH, first + svg.ROW * half, parts)
