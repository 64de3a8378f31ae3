"""Elements of HTML and SVG; anything else in them is escaped, so that no drawing has to do it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

from labelrank_core.explain.render.markup.text import attribute

# Elements without children, written so that they are well-formed XML, too.
_VOID = frozenset({"circle", "img", "line", "polygon", "polyline"})


class Html(str):
    """Markup that is drawn as it is."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"


def element(
    tag: str, *children: Child, class_: str = "", **attributes: str | int | float | None
) -> Html:
    """Return an element; its texts and attributes are escaped, `Html` within it is not.

    Attributes that are None or empty are left out; in their names "_" stands for "-".

    >>> element("b", "<i>", class_="name", title="", data_key="a&b")
    '<b class="name" data-key="a&amp;b">&lt;i&gt;</b>'
    >>> element("li", [element("b", 1), " = "], None)
    '<li><b>1</b> = </li>'
    """
    attributes_with_class = {"class": class_, **attributes}
    written = "".join(
        f' {name.replace("_", "-")}="{attribute(str(value))}"'
        for name, value in attributes_with_class.items()
        if value not in ("", None)
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}/>")
    return Html(f"<{tag}{written}>{fragment(*children)}</{tag}>")


def fragment(*children: Child) -> Html:
    """Return elements and escaped texts one after the other; None is nothing."""
    return Html("".join(map(_written, children)))


def _written(child: Child) -> str:
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return html.escape(child)
    if child is None:
        return ""
    return str(child) if isinstance(child, int) else fragment(*child)
