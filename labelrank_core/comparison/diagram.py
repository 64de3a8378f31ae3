"""The diagram of average ranks with their critical difference, as in Fig. 1 of [demsar2006]_.

References
----------
.. [demsar2006] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7,
   2006.
"""

from collections.abc import Mapping
from math import ceil

from labelrank_core.comparison.drawing import Drawing, Line, TextLine, printable, text_width
from labelrank_core.comparison.significance import CriticalDifferences

_ROW, _GAP = 13.0, 5.0
_AXIS_Y, _RULER_Y = 40.0, 16.0
_GROUP_STEP = 4.5
# The width of the number of a rank, with air.
_NUMBER = 14.0


def critical_difference_diagram(
    ranks: CriticalDifferences,
    *,
    short_names: Mapping[str, str] | None = None,
    axis_width: float = 230.0,
) -> Drawing:
    """Draw average ranks on an axis, best at the left; bars join methods without a difference.

    Bars join methods whose average ranks differ by no more than the critical difference (Nemenyi).
    With a control, the thick part of the axis holds the methods that do not differ from it
    significantly (Bonferroni-Dunn). The drawing is as wide as the names need.

    Parameters
    ----------
    ranks : CriticalDifferences
        The ranks, from `critical_differences`.
    short_names : mapping of str to str or None, default=None
        Names to write instead of those of methods.
    axis_width : float, default=230.0
        Width of the axis in points.

    Returns
    -------
    Drawing
        Has `svg()` and `pdf()`.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = CriticalDifferences(("A", "B", "C"), np.array([1.2, 2.0, 2.8]), 0.9)
    >>> critical_difference_diagram(ranks).svg().count("<text")
    7
    """
    names = [printable((short_names or {}).get(name, name)) for name in ranks.names]
    labels = [f"{name}  {mean:.2f}" for name, mean in zip(names, ranks.means, strict=True)]
    n = len(names)
    half = (n + 1) // 2
    order = ranks.order
    axis_start = 2 * _GAP + max(text_width(labels[method]) for method in order[:half]) + _GAP
    right_margin = 2 * _GAP + max([text_width(labels[method]) for method in order[half:]] or [0.0])
    ruler = axis_width * ranks.difference / (n - 1)
    width = axis_start + max(axis_width + _GAP + right_margin, ruler + 2 * _GAP)
    lines, texts = [Line(axis_start, _AXIS_Y, axis_start + axis_width, _AXIS_Y, 0.8)], []

    def at(rank: float) -> float:
        return axis_start + axis_width * (rank - 1) / (n - 1)

    rank_step = ceil(_NUMBER * (n - 1) / axis_width)
    for rank in range(1, n + 1):
        lines.append(Line(at(rank), _AXIS_Y - 4, at(rank), _AXIS_Y))
        if (rank - 1) % rank_step == 0:
            texts.append(TextLine(at(rank), _AXIS_Y - 6, f"{rank}"))
    ends = (axis_start, axis_start + ruler)
    lines += [Line(ends[0], _RULER_Y, ends[1], _RULER_Y, 0.8)]
    lines += [Line(x, _RULER_Y - 2.5, x, _RULER_Y + 2.5, 0.8) for x in ends]
    texts.append(TextLine(axis_start, _RULER_Y - 5, f"CD = {ranks.difference:.3f}", "start"))
    if ranks.control is not None:
        low, high = (at(min(max(rank, 1), n)) for rank in ranks.around_control)
        lines.append(Line(low, _AXIS_Y, high, _AXIS_Y, 4.0))
    for row, group in enumerate(ranks.groups):
        y = _AXIS_Y + 6 + _GROUP_STEP * row
        means = ranks.means[list(group)]
        lines.append(Line(at(means.min()) - 2, y, at(means.max()) + 2, y, 2.4))
    first = _AXIS_Y + 12 + _GROUP_STEP * len(ranks.groups)
    for row, method in enumerate(order):
        is_left = row < half
        y = first + _ROW * (row if is_left else n - 1 - row)
        x = at(ranks.means[method])
        side = axis_start - _GAP if is_left else axis_start + axis_width + _GAP
        lines += [Line(x, _AXIS_Y, x, y), Line(x, y, side, y)]
        edge, anchor = (side - 3, "end") if is_left else (side + 3, "start")
        texts.append(TextLine(edge, y + 2.8, labels[method], "end" if anchor == "end" else "start"))
    return Drawing(width, first + _ROW * half, lines, texts)
