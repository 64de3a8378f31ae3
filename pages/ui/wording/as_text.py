"""Drawings as plain text: their words for screen readers, and all other words in them."""

import re
from html.parser import HTMLParser

from labelrank_core.explain.render.markup.text import JOINER

# Elements that are never closed. A line break is none of them: it is not left out, so nothing is
# lost if it ends with the element around it.
_VOID = {"circle", "hr", "img", "input", "line", "polygon", "polyline"}
_WITHOUT_WORDS = {"script", "style", "svg", "template"}
_LINES = {"details", "div", "figure", "h1", "h2", "h3", "h4", "li", "ol", "p", "section", "table"}
_LINES |= {"tr", "ul"}
_MARKS = {"b", "i"}
_WITHIN_WORDS = {"a", "b", "code", "em", "i", "mark", "strong"}
# Behind the last place of a ranking in a cell.
_LAST = re.compile(r" >(?= \|| *$)(?: \|)?")


def text_of(markup: str) -> str:
    r"""Return a drawing as lines of text.

    A figure is its words, a place of a ranking is followed by '>', labels that share one by '='.

    >>> text_of('<figure class="lr" aria-label="k 5: tau 0.85"><img src="data:,"></figure>')
    'k 5: tau 0.85'
    >>> text_of('<b class="lr-chip">tea</b><i class="lr-tied"><b>milk</b><i>=</i><b>rum</b></i>')
    'tea > milk = rum'
    >>> text_of("<table><tr><th>k</th><td>5</td></tr></table><p>Five <b>districts</b>.</p>")
    'k | 5\nFive districts.'
    """
    reader = _Reader()
    reader.feed(markup.replace(JOINER, ""))
    reader.close()
    lines = (_LAST.sub(" |", " ".join(line.split())) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line.strip(" |>") for line in lines if line.strip(" |>"))


class _Reader(HTMLParser):
    """Gathers the text of a drawing in `parts`."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        # Of each open element its tag, whether it is left out, what follows it, and, where labels
        # of one place stand in it, at which part they begin.
        self._open: list[tuple[str, bool, str, int | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_left_out = self._is_left_out()
        label = values.get("aria-label") or ""
        is_picture = bool(label) and (tag == "figure" or values.get("role") == "img")
        if not is_left_out:
            self.parts.append("\n" if tag in _LINES else "" if tag in _WITHIN_WORDS else " ")
            if is_picture:
                self.parts.append(f" {label} {'> ' if values.get('class') == 'zero' else ''}")
            elif tag in _MARKS and values.get("title"):
                self.parts.append(f" {values['title']}; ")
        if tag in _VOID:
            return
        is_silent = tag in _WITHOUT_WORDS or values.get("aria-hidden") == "true" or is_picture
        is_place = _is_place(values) and all(start is None for *_, start in self._open)
        # In a list a label stands alone in its line.
        is_place = is_place and not (self._open and self._open[-1][0] == "li")
        start = len(self.parts) if is_place else None
        self._open.append((tag, is_left_out or is_silent, _end_of(tag), start))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while tag not in _VOID and self._open:
            name, is_left_out, end, start = self._open.pop()
            if start is not None and not is_left_out:
                labels = [part.strip() for part in self.parts[start:] if part.strip(" =\n")]
                self.parts[start:] = [" = ".join(labels)]
                end = " > "
            if not is_left_out:
                self.parts.append(end)
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._is_left_out():
            self.parts.append(data)

    def _is_left_out(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def _is_place(attributes: dict[str, str | None]) -> bool:
    """Tell whether the labels of one place of a ranking stand in an element."""
    return not {"lr-tied", "lr-chip"}.isdisjoint((attributes.get("class") or "").split())


def _end_of(tag: str) -> str:
    if tag in _LINES:
        return "\n"
    if tag in ("td", "th"):
        return " | "
    return "" if tag in _WITHIN_WORDS else " "
