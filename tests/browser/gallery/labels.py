"""Awkward labels, and a case of data that have them."""

from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase

import numpy as np

from labelrank_core.data.schema import Column, Schema
from labelrank_core.explain.evidence import Explanation, Step, Text
from labelrank_core.explain.render import Scene
from labelrank_core.rankings import FloatArray, IntArray

_WORDS = "with a name that goes on and on until nobody can remember how it once began at all"
_WORD = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzesentwurfstexte"
SCHEMA = Schema(
    (
        Column("size"),
        Column("<i>age</i> of the building in years, as far as the owner remembers it today"),
        Column("heating", "nominal", ("gas", "oil", "district heating from the next power plant")),
        Column("x"),
        Column("garden", "nominal", ("no", "yes")),
    )
)
X = np.array([-0.000123456, 123456.789, 0.0, 1.0, 0.0, 3.0, 1.0])


@dataclass(frozen=True)
class Labels:
    """So many labels with names of one letter (numbers where letters run out) or of eighty."""

    n: int
    are_long: bool

    def __str__(self) -> str:
        return f"{self.n} {'long' if self.are_long else 'short'}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Long names: in turn one word that differs at its end, and words that differ at once."""
        if not self.are_long:
            return (
                tuple(map(str, range(self.n))) if self.n > 26 else tuple(ascii_uppercase[: self.n])
            )
        return tuple(
            f"{label} {_WORDS}"[:80] if label % 2 else f"{_WORD[:77]}{label:03}"
            for label in range(self.n)
        )

    @cached_property
    def rng(self) -> np.random.Generator:
        """The same numbers in every run."""
        return np.random.default_rng(self.n)

    @cached_property
    def positions(self) -> IntArray:
        """A predicted ranking."""
        return self.rng.permutation(self.n) + 1

    @cached_property
    def prediction(self) -> IntArray:
        """A predicted set: the first third of the ranking."""
        return (self.positions <= max(1, self.n // 3)).astype(np.int64)

    @cached_property
    def rankings(self) -> FloatArray:
        """Seven rankings: two complete, two with ties, two with missing labels, one of nothing."""
        rows = np.array([self.rng.permutation(self.n) + 1.0 for _ in range(7)])
        rows[2:4] = np.minimum(rows[2:4], max(1, self.n // 2))
        rows[4:6][rows[4:6] > max(1, self.n // 2)] = np.nan
        rows[6] = np.nan
        return rows

    @cached_property
    def relevance(self) -> FloatArray:
        """Seven label sets, the last one empty."""
        sets = self.rng.random((7, self.n)) < 0.4
        sets[6] = False
        return sets

    @cached_property
    def shares(self) -> FloatArray:
        """How often one label is preferred to another, always or never for some."""
        upper = np.round(np.triu(self.rng.random((self.n, self.n)) * 1.4 - 0.2, 1).clip(0, 1), 2)
        return upper + np.tril(1 - upper.T, -1) + 0.5 * np.eye(self.n)

    @property
    def order(self) -> list[int]:
        """The labels as predicted."""
        return [int(label) for label in np.argsort(self.positions)]

    def scene(self, *evidence: object, is_set: bool = False) -> Scene:
        """Return a case that is explained by some evidence."""
        steps = tuple(Step("A step", Text("Words."), each) for each in evidence)
        prediction = self.prediction if is_set else self.positions
        explanation = Explanation(prediction, self.positions, Text("Words."), steps)
        return Scene(explanation, self.names, SCHEMA, X)


LABELS = (
    *(Labels(n, are_long=False) for n in (1, 2, 5, 16, 159)),
    *(Labels(n, are_long=True) for n in (2, 5, 16, 159)),
)
