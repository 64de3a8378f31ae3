"""The objects of pictures: a day, a label in its ranking, the new day; the same in the next one."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from labelrank_core.explain.render.markup.text import JOINER, attribute

_VOID = frozenset({"img", "line", "circle", "polygon", "polyline"})
# The rows of the new case, and of what is predicted for it.
_NEW = re.compile(r"new|this .+|predicted|centre|all \d+")
_NEW_CASE = "new"
# The classes of a label's name on its colour, and of a mark in its colour.
_ON_COLOR, _MARK = re.compile(r"\bl(\d+)\b"), re.compile(r"\bm(\d+)\b")


@dataclass(frozen=True)
class PictureObject:
    """A part of a picture that is the same in every picture that has its key.

    Where the picture before has not, it comes from the first of its `origins` there.
    """

    key: str
    origins: tuple[str, ...] = ()


def with_keys(markup: str, label_names: Sequence[str], row_names: Collection[str]) -> str:
    """Write its key, and those of its origins, into each object of a picture."""
    parts, start = [], 0
    for end, picture_object in _Reader(markup, label_names, row_names).placed:
        origins = "|".join(picture_object.origins)
        parts += [markup[start:end], f' data-object="{attribute(picture_object.key)}"']
        parts += [f' data-origins="{attribute(origins)}"'] if origins else []
        start = end
    return "".join([*parts, markup[start:]])


def objects_of(
    markup: str, label_names: Sequence[str], row_names: Collection[str]
) -> list[PictureObject]:
    """List the objects of a picture."""
    return [picture_object for _, picture_object in _Reader(markup, label_names, row_names).placed]


@dataclass
class _Node:
    tag: str
    attributes: dict[str, str]
    # Where its first tag ends.
    end: int
    text: str = ""
    is_leaf: bool = True


class _Reader(HTMLParser):
    """Reads the leaves of a picture, from its beginning to its end."""

    def __init__(self, markup: str, label_names: Sequence[str], row_names: Collection[str]) -> None:
        super().__init__()
        self._row_names = frozenset(row_names)
        self._labels = {name: label for label, name in enumerate(label_names)}
        self.placed: list[tuple[int, PictureObject]] = []
        self._starts = [0, *(match.end() for match in re.finditer("\n", markup))]
        self._path: list[_Node] = []
        self._counts: Counter[str] = Counter()
        self.feed(markup)
        self.close()
        self.placed.sort(key=lambda place: place[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._path:
            self._path[-1].is_leaf = False
        if tag in _VOID:
            return
        line, column = self.getpos()
        end = self._starts[line - 1] + column + len(self.get_starttag_text() or "") - 1
        attributes = {name: (value or "").replace(JOINER, "") for name, value in attrs}
        self._path.append(_Node(tag, attributes, end))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._path.pop()

    def handle_data(self, data: str) -> None:
        if self._path:
            self._path[-1].text += data

    def handle_endtag(self, tag: str) -> None:
        # A tag that is never closed ends with what it is in.
        while self._path and self._path[-1].tag != tag:
            self._path.pop()
        if not self._path:
            return
        node = self._path[-1]
        is_drawing = any(part.tag == "svg" for part in self._path)
        if node.is_leaf and not is_drawing:
            picture_object = self._object(node)
            self._counts[picture_object.key] += 1
            n_same = self._counts[picture_object.key]
            key = picture_object.key if n_same == 1 else f"{picture_object.key} {n_same}"
            self.placed.append((node.end, PictureObject(key, picture_object.origins)))
        self._path.pop()

    def _object(self, node: _Node) -> PictureObject:
        keys = (part.attributes.get("data-key", "") for part in reversed(self._path))
        row = next(filter(None, keys), "")
        is_row = row in self._row_names
        case = row if is_row else _NEW_CASE if _NEW.fullmatch(row) else ""
        look = node.attributes.get("class", "")
        if match := _ON_COLOR.search(look):
            label = f"label {match[1]}"
            if is_row:
                return PictureObject(f"{case} {label}", (f"dot {case}", label))
            if case or not row or row in self._labels:
                return PictureObject(label)
            return PictureObject(f"{row} {label}", (label,))
        if node.text in self._labels:
            return PictureObject(f"label {self._labels[node.text]}")
        if node.tag == "i" and "own" in look.split():
            return PictureObject(f"dot {_NEW_CASE}", (f"name {_NEW_CASE}",))
        if node.tag == "i" and is_row:
            return PictureObject(f"dot {case}", (f"name {case}",))
        if mark := _MARK.search(look):
            return PictureObject(f"mark {mark[1]}", (f"label {mark[1]}",))
        if row and node.text == row:
            return PictureObject(f"name {case or row}", (f"dot {case or row}",))
        return PictureObject(f"{case or row} {node.tag}.{look}".strip())
