"""What several methods say of one case, those together that say the same."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.text import attribute


@dataclass(frozen=True)
class MethodGroup:
    """Methods that give the same ranking, or the same label set.

    Parameters
    ----------
    title : str
        What they have in common, such as "3 methods put Greens before FDP".
    strip : str
        The ranking, drawn.
    score : str
        How much of it is right, such as "9 of 10 pairs right"; may be empty.
    methods : sequence of (int, str, str)
        The number of each method, which its button has; its name; its confidence in words, which
        may be empty.
    chosen : str
        The name of the method in use, where it is among them; else empty.
    """

    title: str
    strip: str
    score: str
    methods: Sequence[tuple[int, str, str]]
    chosen: str = ""


def method_groups(groups: Sequence[MethodGroup]) -> str:
    """Draw groups of methods below each other: title, ranking, score, a button for each method."""
    items = "".join(map(_group, groups))
    return f'<div class="lr"><ul class="lr-groups-of-methods">{items}</ul></div>'


def _group(group: MethodGroup) -> str:
    score = f'<span class="muted">{html.escape(group.score)}</span>' if group.score else ""
    names = "".join(_method(*method, group.chosen) for method in group.methods)
    listed = f'<ul class="methods">{names}</ul>' if names else ""
    title = f"<h3>{html.escape(group.title)}</h3>"
    return f'<li>{title}<div class="answer">{group.strip}{score}</div>{listed}</li>'


def _method(number: int, name: str, confidence: str, chosen: str) -> str:
    shown = f'<span class="muted">{html.escape(confidence)}</span>'
    escaped = html.escape(name)
    if name == chosen:
        return f'<li class="own"><span>{escaped}</span>{shown}</li>'
    title = f"Use {attribute(name)}"
    button = f'<button type="button" data-row="{number}" aria-label="{title}">{escaped}</button>'
    return f"<li>{button}{shown}</li>"
