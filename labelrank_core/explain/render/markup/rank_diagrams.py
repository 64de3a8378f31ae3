"""Average ranks on one axis with their critical difference, as in Fig. 1 of Demšar (2006)."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent

# Of numbers along a scale of ranks.
_MOST_RANKS = 12
# Widths in rem: of a letter of a name, of a rank beside it, of the widest column of names.
_LETTER, _RANK, _WIDEST = 0.48, 3.2, 25.0


@dataclass(frozen=True)
class RankedMethod:
    """A method on the axis.

    Parameters
    ----------
    name : str
        The method.
    rank : float
        Its average rank.
    mark : {"best", "worse", ""}
        Whether it is the one that others are compared with, or significantly worse than that one.
    """

    name: str
    rank: float
    mark: str = ""


def rank_diagram(
    methods: Sequence[RankedMethod],
    n_ranks: int,
    difference: float,
    *,
    groups: Sequence[tuple[float, float]] = (),
    band: tuple[float, float] | None = None,
    axis_title: str = "average rank",
) -> Html:
    """Draw average ranks on an axis, best at the left, each with a line that leads to its name.

    `methods` come best first. Above the axis stands a ruler of the critical difference; bars below
    it join the ranks from the first to the last of a group. Between the ranks of `band` the axis is
    thick. Where there is room, half of the names stand on either side; elsewhere there is one line
    for each method, with its dot on the scale, and bars join such lines at their left.
    """

    def at(rank: float) -> float:
        return min(max((rank - 1) / (n_ranks - 1), 0.0), 1.0)

    def span(start: float, end: float, row: int = 0) -> str:
        return f"--from:{at(start):.4f};--to:{at(end):.4f};--row:{row}"

    def bars_beside(line: int) -> list[Html]:
        """Draw the parts of bars beside the line of a method."""
        parts = []
        for row, (start, end) in enumerate(groups):
            joined = [i for i, method in enumerate(methods) if start <= method.rank <= end]
            if line in joined:
                ends = "from " * (line == joined[0]) + "to " * (line == joined[-1])
                parts.append(element("u", class_=ends.strip(), style=f"--row:{row}"))
        return parts

    n_left = (len(methods) + 1) // 2
    letters = max(len(method.name) for method in methods)
    side = min(_LETTER * letters + _RANK, _WIDEST)
    ranks = range(1, n_ranks + 1, 1 + (n_ranks - 1) // _MOST_RANKS)
    ruler = element(
        "p",
        element("i", style=f"width:{percent(100 * min(difference / (n_ranks - 1), 1.0), 2)}"),
        element(
            "span",
            f"critical difference {difference:.2f}: methods closer than this are not separated",
        ),
        class_="ruler",
    )
    ends = [element("em", text) for text in ("always best", axis_title, "always worst")]
    axis = element(
        "p",
        element("span", ends, class_="ends"),
        [element("small", str(rank), style=f"left:{percent(100 * at(rank), 2)}") for rank in ranks],
        class_="axis",
        aria_hidden="true",
    )
    bars = [element("i", class_="bar", style=span(*group, row)) for row, group in enumerate(groups)]
    if band is not None:
        bars.append(element("i", class_="band", style=span(*band)))
    dots = [
        element("i", class_=f"dot {method.mark}".strip(), style=f"--at:{at(method.rank):.4f}")
        for method in methods
    ]
    names = [
        element(
            "li",
            element("i"),
            bars_beside(row),
            element("span", method.name, " ", element("b", f"{method.rank:.2f}")),
            class_=" ".join(filter(None, ("" if row < n_left else "opposite", method.mark))),
            style=f"--at:{at(method.rank):.4f};"
            f"--half:{row if row < n_left else len(methods) - 1 - row}",
        )
        for row, method in enumerate(methods)
    ]
    step = percent(100 * at(1 + ranks.step), 2)
    sizes = f"--side:{side:.1f}rem;--bars:{len(groups)};--halves:{n_left};--step-of-ranks:{step}"
    drawing = element(
        "div", ruler, axis, element("div", bars, dots, element("ol", names), class_="below")
    )
    return element("div", element("div", drawing, class_="lr-cd", style=sizes), class_="lr-cd-room")
