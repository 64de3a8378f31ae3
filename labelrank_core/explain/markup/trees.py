"""A tree drawn whole, or as the way through it: its questions, its leaves."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.text import keyed, percent


def way(questions: Sequence[tuple[str, str]], leaf: str) -> str:
    """Draw the questions on the way to a leaf, the root's first.

    Each is the answer that the case gives, such as "size > 2.5", and the value of the case.
    """
    rows = [
        f'<li><span>{html.escape(answer)}</span><span class="muted">here {html.escape(own)}</span>'
        "</li>"
        for answer, own in questions
    ]
    return (
        f'<div class="lr"><ol class="lr-way">{"".join(rows)}<li class="leaf">{html.escape(leaf)}'
        "</li></ol></div>"
    )


@dataclass(frozen=True)
class Branch:
    """A node of a tree to draw.

    Parameters
    ----------
    said : str
        Its question, as those on the left answer, or how many training rankings it holds.
    is_passed : bool
        Whether the case passes it.
    chips : str
        The markup of the labels of a leaf, best first.
    below : tuple of Branch
        What is on the left and on the right below it.
    name : str
        What an end of the drawn tree is called, by which it can be tapped; empty: nothing.
    """

    said: str
    is_passed: bool
    chips: str = ""
    below: tuple["Branch", ...] = ()
    name: str = ""


def whole_tree(root: Branch) -> str:
    """Draw all questions and leaves of a small tree, and the way of the case through it."""
    return (
        '<div class="lr lr-scroll" tabindex="0" role="region" aria-label="Tree">'
        f'<ol class="lr-tree">{_branch(root)}</ol></div>'
    )


def _branch(branch: Branch) -> str:
    below = f"<ol>{''.join(map(_branch, branch.below))}</ol>" if branch.below else ""
    kind = "leaf" if branch.chips else "asks"
    passed = "passed" if branch.is_passed else ""
    name = f"<b>{html.escape(branch.name)}</b>" if branch.name else ""
    return (
        f'<li class="{passed}"><div class="{kind}"{keyed(branch.name)}>'
        f"{name}{branch.chips}<span>{html.escape(branch.said)}</span></div>{below}</li>"
    )


def stacked_votes(
    rows: Sequence[tuple[str, str, Sequence[tuple[str, float]]]], look: Sequence[str], said: str
) -> str:
    """Draw bars that add up what each tree gives to labels.

    A row is the chip of a label, its total in words and its parts, with the tree and the width
    of each from 0 to 1; `look` is the class of the colour of each row, `said` heads the totals.
    """
    drawn = []
    for (chip, total, parts), color in zip(rows, look, strict=True):
        bars = "".join(
            f'<i class="{color}" title="{html.escape(tree)}" '
            f'style="width:{percent(100 * width, 2)};--late:{place}"></i>'
            for place, (tree, width) in enumerate(parts)
        )
        drawn.append(f'<li>{chip}<span class="track">{bars}</span><b>{html.escape(total)}</b></li>')
    head = f'<li class="head"><span></span><span></span><span>{html.escape(said)}</span></li>'
    return f'<ol class="lr-stacks">{head}{"".join(drawn)}</ol>'
