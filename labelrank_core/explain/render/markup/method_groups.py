"""Predictions of several methods for one case, grouped by prediction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labelrank_core.data.findings import count_of
from labelrank_core.explain.render.markup.elements import Html, element


@dataclass(frozen=True)
class MethodGroup:
    """Methods that give the same ranking, or the same label set.

    Parameters
    ----------
    title : str
        What they have in common, such as "3 methods put Greens before FDP".
    strip : Html or str
        The ranking, drawn.
    score : str
        How much of it is right, such as "9 of 10 pairs right"; may be empty.
    methods : sequence of (int, str, str)
        The number of each method, which its button has; its name; its confidence in words, which
        may be empty.
    method_in_use : str
        The name of the method in use, where it is among them; else empty.
    """

    title: str
    strip: str
    score: str
    methods: Sequence[tuple[int, str, str]]
    method_in_use: str = ""


def method_groups(
    groups: Sequence[MethodGroup], waiting: Mapping[str, Sequence[str]] | None = None
) -> Html:
    """Draw groups of methods below each other: title, ranking, score, a button for each method.

    Below them stand the names of the methods that have not answered yet, by family. The first of
    them is asked now.
    """
    return _list([*map(_group, groups), *([_waiting(waiting)] if waiting else [])])


def _list(items: Sequence[Html]) -> Html:
    return element("div", element("ul", items, class_="lr-groups-of-methods"), class_="lr")


def _waiting(families: Mapping[str, Sequence[str]]) -> Html:
    n_methods = sum(map(len, families.values()))
    return element(
        "li",
        element("h3", f"{count_of(n_methods, 'method')} still running"),
        element("ul", [_family(*family) for family in families.items()], class_="families"),
        class_="waiting",
    )


def _family(name: str, methods: Sequence[str]) -> Html:
    # The place of the confidence is free until the method has answered.
    rows = [element("li", element("span", _whole_end(name)), element("i")) for name in methods]
    return element("li", element("h4", name), element("ul", rows, class_="methods"))


def _group(group: MethodGroup) -> Html:
    score = element("span", group.score, class_="muted") if group.score else None
    methods = [_method(*method, group.method_in_use) for method in group.methods]
    return element(
        "li",
        element("h3", group.title),
        element("div", group.strip, score, class_="answer"),
        element("ul", methods, class_="methods") if methods else None,
    )


def _method(number: int, name: str, confidence: str, method_in_use: str) -> Html:
    confidence_text = element("span", confidence, class_="muted")
    if name == method_in_use:
        return element("li", element("span", _whole_end(name)), confidence_text, class_="own")
    button = element(
        "button", _whole_end(name), type="button", data_row=number, aria_label=f"Use {name}"
    )
    return element("li", button, confidence_text)


def _whole_end(name: str) -> Sequence[Html | str]:
    """Split a name before the brackets at its end, which are not broken into two lines."""
    start, bracket, end = name.partition(" (")
    return [f"{start} ", element("span", f"({end}", class_="whole")] if bracket else [name]
