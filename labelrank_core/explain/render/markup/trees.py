"""A tree drawn whole, or as the way through it: its questions, its leaves."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.tables import scrollable
from labelrank_core.explain.render.markup.text import percent


def way(questions: Sequence[tuple[str, str]], leaf: str, ranking: Html | None = None) -> Html:
    """Draw the questions on the way to a leaf, the root's first, and the ranking of the leaf.

    Each is the answer that the case gives, such as "size > 2.5", and the value of the case.
    """
    rows = [
        element(
            "li", element("span", answer), element("span", f"here {case_value}", class_="muted")
        )
        for answer, case_value in questions
    ]
    way_down = element("ol", rows, element("li", leaf, ranking, class_="leaf"), class_="lr-way")
    return element("div", way_down, class_="lr")


@dataclass(frozen=True)
class Branch:
    """A node of a tree to draw.

    Parameters
    ----------
    text : str
        Its question, as those on the left answer, or how many training rankings it holds.
    is_passed : bool
        Whether the case passes it.
    chips : Html or None
        The markup of the labels of a leaf, best first.
    children : tuple of Branch
        What is on the left and on the right below it.
    name : str
        What an end of the drawn tree is called, by which it can be tapped; empty: nothing.
    cases : sequence of (str, int)
        The names of cases that were drawn into a leaf, and how often.
    """

    text: str
    is_passed: bool
    chips: Html | None = None
    children: tuple["Branch", ...] = ()
    name: str = ""
    cases: Sequence[tuple[str, int]] = ()


def whole_tree(root: Branch) -> Html:
    """Draw all questions and leaves of a small tree, and the way of the case through it."""
    return scrollable("Tree", element("ol", _branch(root), class_="lr-tree"))


def _branch(branch: Branch) -> Html:
    node = element(
        "div",
        element("b", branch.name) if branch.name else None,
        branch.chips,
        element("span", branch.text),
        [_drawn_case(name, times) for name, times in branch.cases],
        class_="leaf" if branch.chips else "asks",
        data_key=branch.name,
    )
    children = element("ol", map(_branch, branch.children)) if branch.children else None
    return element("li", node, children, class_="passed" if branch.is_passed else "")


def _drawn_case(name: str, times: int) -> Html:
    """Write the name of a case, and how often it was drawn if more than once."""
    if times == 1:
        return element("small", name, data_key=name)
    return element("small", element("span", name), f" × {times}", data_key=name)


def stacked_votes(
    rows: Sequence[tuple[Html, str, Sequence[tuple[str, float]]]],
    look: Sequence[str],
    total_head: str,
) -> Html:
    """Draw bars that add up the votes of the trees for labels.

    A row is the chip of a label, its total in words and its parts, with the tree and the width of
    each from 0 to 1; `look` is the class of the colour of each row, `total_head` heads the totals.
    """
    items = []
    for (chip, total, parts), color in zip(rows, look, strict=True):
        bars = []
        for i, (tree, width) in enumerate(parts):
            style = f"width:{percent(100 * width, 2)};--late:{i}"
            bars.append(element("i", class_=color, title=tree, style=style))
        items.append(
            element("li", chip, element("span", bars, class_="track"), element("b", total))
        )
    head = element(
        "li", element("span"), element("span"), element("span", total_head), class_="head"
    )
    return element("ol", head, items, class_="lr-stacks")
