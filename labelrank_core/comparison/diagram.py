"""The diagram of average ranks with their critical difference, as in Fig. 1 of [demsar2006]_.

References
----------
.. [demsar2006] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7,
   2006.
"""

from collections.abc import Mapping

from labelrank_core.comparison.drawing import Drawing, Line, Text, printable, text_width
from labelrank_core.comparison.significance import CriticalDifferences

_AXIS_WIDTH, _ROW, _GAP = 230.0, 13.0, 5.0
_AXIS_Y, _RULER_Y = 40.0, 16.0
_GROUP_STEP = 4.5


def critical_difference_diagram(
    found: CriticalDifferences, *, short_names: Mapping[str, str] | None = None
) -> Drawing:
    """Draw average ranks on an axis, the best at the left, and what does not differ significantly.

    Bars join methods whose average ranks differ by no more than the critical difference (Nemenyi).
    With a control, the thick part of the axis holds what does not differ significantly from it
    (Bonferroni-Dunn). The drawing is as wide as the names need.

    Parameters
    ----------
    found : CriticalDifferences
        The ranks, from `critical_differences`.
    short_names : mapping of str to str or None, default=None
        Names to write instead of those of methods.

    Returns
    -------
    Drawing
        Has `svg()` and `pdf()`.

    Examples
    --------
    >>> import numpy as np
    >>> found = CriticalDifferences(("A", "B", "C"), np.array([1.2, 2.0, 2.8]), 0.9)
    >>> critical_difference_diagram(found).svg().count("<text")
    7
    """
    names = [printable((short_names or {}).get(name, name)) for name in found.names]
    labels = [f"{name}  {mean:.2f}" for name, mean in zip(names, found.means, strict=True)]
    n = len(names)
    half = (n + 1) // 2
    order = found.order
    left = 2 * _GAP + max(text_width(labels[method]) for method in order[:half]) + _GAP
    right = 2 * _GAP + max([text_width(labels[method]) for method in order[half:]] or [0.0])
    ruler = _AXIS_WIDTH * found.difference / (n - 1)
    width = left + max(_AXIS_WIDTH + _GAP + right, ruler + 2 * _GAP)
    lines, texts = [Line(left, _AXIS_Y, left + _AXIS_WIDTH, _AXIS_Y, 0.8)], []

    def at(rank: float) -> float:
        return left + _AXIS_WIDTH * (rank - 1) / (n - 1)

    for rank in range(1, n + 1):
        lines.append(Line(at(rank), _AXIS_Y - 4, at(rank), _AXIS_Y))
        texts.append(Text(at(rank), _AXIS_Y - 6, f"{rank}"))
    ends = (left, left + ruler)
    lines += [Line(ends[0], _RULER_Y, ends[1], _RULER_Y, 0.8)]
    lines += [Line(x, _RULER_Y - 2.5, x, _RULER_Y + 2.5, 0.8) for x in ends]
    texts.append(Text(left, _RULER_Y - 5, f"CD = {found.difference:.3f}", "start"))
    if found.control is not None:
        low, high = (at(min(max(rank, 1), n)) for rank in found.around_control)
        lines.append(Line(low, _AXIS_Y, high, _AXIS_Y, 4.0))
    for place, group in enumerate(found.groups):
        y = _AXIS_Y + 6 + _GROUP_STEP * place
        means = found.means[list(group)]
        lines.append(Line(at(means.min()) - 2, y, at(means.max()) + 2, y, 2.4))
    first = _AXIS_Y + 12 + _GROUP_STEP * len(found.groups)
    for place, method in enumerate(order):
        is_left = place < half
        y = first + _ROW * (place if is_left else n - 1 - place)
        x = at(found.means[method])
        side = left - _GAP if is_left else left + _AXIS_WIDTH + _GAP
        lines += [Line(x, _AXIS_Y, x, y), Line(x, y, side, y)]
        edge, anchor = (side - 3, "end") if is_left else (side + 3, "start")
        texts.append(Text(edge, y + 2.8, labels[method], "end" if anchor == "end" else "start"))
    return Drawing(width, first + _ROW * half, lines, texts)
