"""Sentences as templates with typed values; names are filled in where they are shown."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelrank_core.data.schema import decimal_text


@dataclass(frozen=True)
class Label:
    """A label in a text.

    Parameters
    ----------
    index : int
        Its index, from 0.
    """

    index: int


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

    def plain(self, label_names: Sequence[str]) -> str:
        """Return the sentence with the names as they are, not escaped."""
        return self.template.format(
            **{key: format_value(value, label_names) for key, value in self.values.items()}
        )

    def html(self, label_names: Sequence[str]) -> str:
        """Return the sentence as HTML: names escaped, values in bold."""
        values = {
            key: value if key in ("title", "weighted") else f"<b>{html.escape(shown)}</b>"
            for key, value in self.values.items()
            for shown in [format_value(value, label_names)]
        }
        return html.escape(self.template, quote=False).format(**values)


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
        return ", ".join(label_names[label.index] for label in value) or "none"
    if isinstance(value, float):
        return decimal_text(value)
    return str(value)
