"""Input and output of drawings of evidence."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.findings import count_of
from labelrank_core.data.schema import Schema
from labelrank_core.explain.evidence import SHOWN as SHOWN
from labelrank_core.explain.evidence import Explanation, Question
from labelrank_core.explain.render.markup.plane import stacked_plots
from labelrank_core.explain.render.markup.text import attribute, from_markdown, with_value
from labelrank_core.rankings import FloatArray, IntArray

# Of rankings, fewer places are drawn than there may be labels.
_PLACES_SHOWN = 10


@dataclass(frozen=True)
class LabelSelection:
    """Labels to draw besides the first ones; `everything` draws them all."""

    further: frozenset[int] = frozenset()
    everything: bool = False

    def of(self, order: Sequence[int], relevant: Collection[int] = ()) -> list[int]:
        """Return the labels to draw, in an order: the first, the relevant and the wanted ones."""
        return [
            label
            for i, label in enumerate(order)
            if self.everything or i < SHOWN or label in relevant or label in self.further
        ]


@dataclass(frozen=True, eq=False)
class Scene:
    """One case as it is drawn: its explanation, and the names and values of the data."""

    explanation: Explanation
    label_names: Sequence[str]
    schema: Schema
    # The features of the case, in the units of the data; None where nobody knows them.
    x: FloatArray | None
    # The row of the data of each training case.
    training_rows: IntArray | None = None
    # What the model's features are in the units of the data, as `feature_units` says.
    units: tuple[FloatArray, FloatArray] | None = None
    # Of many labels, those to draw besides the first and the relevant ones.
    label_selection: LabelSelection = field(default_factory=LabelSelection)
    # The names of the cases, by the row of the data; None where they have none.
    case_names: Sequence[str] | None = None

    @property
    def order(self) -> list[int]:
        """Labels in the predicted order."""
        return self.explanation.order

    @property
    def shown(self) -> list[int]:
        """The labels to draw, in the predicted order: the first ones and all relevant ones."""
        relevance = self.explanation.relevance
        relevant = set() if relevance is None else set(np.flatnonzero(relevance).tolist())
        return self.label_selection.of(self.order, relevant)

    @property
    def n_places(self) -> int:
        """Number of places of rankings to draw."""
        return len(self.order) if self.label_selection.everything else _PLACES_SHOWN

    def with_places(self, caption: str, n_places: int | None = None) -> str:
        """Add to a caption the number of positions of the rankings drawn, unless all are."""
        n_drawn, n_labels = n_places or self.n_places, len(self.order)
        if n_labels <= n_drawn:
            return caption
        return (
            f"{caption.removesuffix('.')}. The first {n_drawn} of {n_labels} positions are drawn."
        )

    @property
    def middle_label(self) -> int:
        """The label to look at closer: the last relevant one, or else the first."""
        return self.order[max(0, int(self.explanation.prediction.sum()) - 1)]

    def rests_on(self, kind: type) -> bool:
        """Tell whether a step of the explanation has evidence of a kind."""
        return self.explanation.find(kind) is not None

    def rows(self, training_rows: IntArray) -> IntArray:
        """Return the rows of the data of some training cases."""
        data_rows = self.training_rows
        return training_rows if data_rows is None else data_rows[training_rows]

    def named_values(self) -> list[str]:
        """Name each column of the data, with the case's own value where it is known."""
        names = [column.name for column in self.schema.columns]
        if self.x is None:
            return names
        values = self.schema.frame(self.x[None]).to_numpy(dtype=object)[0]
        return [with_value(name, value) for name, value in zip(names, values, strict=True)]

    def answer(self, question: Question) -> str:
        """Write the case's answer to a question, in the units of the data where known."""
        n_features = self.schema.starts[-1]
        shift, scale = self.units or (np.zeros(n_features), np.ones(n_features))
        at = question.feature
        return question.words(self.schema, float(shift[at]), float(scale[at]))

    def inputs(self, input_kind: str, table: pd.DataFrame, n_inputs: int) -> list[str]:
        """Name the contributions in a table: features or training rows, and the others."""
        if input_kind == "feature":
            names = self.named_values()
        else:
            names = [f"#{row + 1}" for row in self.rows(np.arange(n_inputs))]
        n_others = len(names) - len(table) + 1
        others_name = count_of(n_others, "other")
        return [names[i] if i >= 0 else others_name for i in table[input_kind]]


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawing with its words, its table and its caption.

    Parameters
    ----------
    key : str
        What it shows, in a word.
    alt : str
        The same in words.
    numbers : DataFrame or callable
        The same in numbers, or what tabulates them: few tables are ever looked at.
    caption : str
        One line about the drawing, in Markdown, which stands above it.
    markup : str
        The drawing; empty where there is none.
    behind : str
        A drawing on which it lies, which stays the same while what is explained changes.
    """

    key: str
    alt: str
    numbers: pd.DataFrame | Callable[[], pd.DataFrame]
    caption: str = ""
    markup: str = ""
    behind: str = ""

    @property
    def whole_markup(self) -> str:
        """The drawing upon the one behind it."""
        return stacked_plots(self.behind, self.markup) if self.behind else self.markup

    @property
    def table(self) -> pd.DataFrame:
        """The same in numbers."""
        return self.numbers() if callable(self.numbers) else self.numbers

    def html(self) -> str:
        """Return caption and drawing as HTML without scripts; the table where there are none."""
        parts = []
        if self.caption:
            parts.append(f"<p>{from_markdown(self.caption)}</p>")
        if self.markup:
            label = f'aria-label="{attribute(self.alt)}"'
            parts.append(f'<figure class="lr" {label}>{self.whole_markup}</figure>')
        if not parts:
            cells = self.table.to_html(index=False, border=0)
            parts.append(f'<div class="lr-scroll">{cells}</div>')
        return "".join(parts)


@singledispatch
def picture(evidence: Any, scene: Scene) -> Picture:
    """Draw a piece of evidence; one of an unknown kind has its table only."""
    return Picture("table", "", evidence.frame(scene.label_names))
