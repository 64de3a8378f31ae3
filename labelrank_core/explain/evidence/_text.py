"""Sentences as templates with typed values; names are filled in where they are shown."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from labelrank_core.data.schema import decimal_text
from labelrank_core.rankings import list_names

_COUNTED_NOUNS = (
    "case",
    "feature",
    "label",
    "label pair",
    "method",
    "neighbour",
    "pair",
    "question",
    "ranking",
    "round",
    "row",
    "step",
    "tree",
    "vote",
)
_VERBS = {
    "are": "is",
    "call": "calls",
    "decide": "decides",
    "have": "has",
    "lead": "leads",
    "lie": "lies",
    "rank": "ranks",
    "reverse": "reverses",
}
# Values that are words of the sentence, not what it is about.
_WORDS = ("title", "weighted", "numbers", "bar_text")
_COUNTED = re.compile(
    r"\{(?P<name>\w+)\} (?P<what>(?:training |calibration |similar )?)"
    rf"(?P<noun>(?:{'|'.join(_COUNTED_NOUNS)})s)\b(?P<verb> [a-z]+\b)?"
)


@dataclass(frozen=True)
class Label:
    """A label in a text.

    Parameters
    ----------
    index : int
        Its index, from 0.
    """

    index: int


class SharedPlace(tuple[Label, ...]):
    """Labels that share a place, named as in 'cola and milk'.

    Parameters
    ----------
    iterable : iterable of Label
        The labels.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Text:
    """A sentence with named placeholders.

    Parameters
    ----------
    template : str
        In `str.format` syntax with names, such as ``"{top} comes first of {n}"``.
    values : mapping
        `Label`, tuple of `Label`, number or text for every name.
    """

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def plain(self, label_names: Sequence[str], nouns: Nouns = CASE_AND_LABEL) -> str:
        """Return the sentence with the names as they are, not escaped."""
        return nouns.insert(_in_number(self.template, self.values)).format(
            **{key: format_value(value, label_names) for key, value in self.values.items()}
        )

    def html(self, label_names: Sequence[str], nouns: Nouns = CASE_AND_LABEL) -> str:
        """Return the sentence as HTML: names escaped, values in bold."""
        values = {
            key: value if key in _WORDS else f"<b>{html.escape(text)}</b>"
            for key, value in self.values.items()
            for text in [format_value(value, label_names)]
        }
        template = nouns.insert(_in_number(self.template, self.values))
        return html.escape(template, quote=False).format(**values)


def _in_number(template: str, values: Mapping[str, Any]) -> str:
    """Put nouns, and verbs right behind them, in the singular where their number is 1."""

    def singular(match: re.Match[str]) -> str:
        value = values.get(match["name"])
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value != 1:
            return match[0]
        verb = match["verb"] or ""
        # In 'of 5 cases rank' the verb belongs to another number.
        is_part = template[: match.start()].endswith(("of ", "of the "))
        if verb.strip() in _VERBS and not is_part:
            verb = f" {_VERBS[verb.strip()]}"
        return f"{{{match['name']}}} {match['what']}{match['noun'][:-1]}{verb}"

    return _COUNTED.sub(singular, template)


def format_value(value: Any, label_names: Sequence[str]) -> str:
    """Write one value of a text: label names, whole numbers, others with two decimals.

    Parameters
    ----------
    value : Label, tuple of Label, number or str
        The value of a placeholder.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    str
        The text for the value.
    """
    if isinstance(value, Label):
        return label_names[value.index]
    if isinstance(value, tuple):
        names = [label_names[label.index] for label in value]
        return list_names(names) if isinstance(value, SharedPlace) else ", ".join(names) or "none"
    if isinstance(value, float):
        return decimal_text(value)
    return str(value)
