"""Knobs: what an interface needs to offer a parameter; the estimator stays its only owner."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Any, Literal


@dataclass(frozen=True)
class Knob:
    """One parameter as a person meets it.

    Default and validity come from the estimator (`__init__` and `_parameter_constraints`).

    Parameters
    ----------
    name : str
        The estimator's parameter.
    label : str
        What interfaces call it; a symbol in brackets at the end stands for it in figures.
    help : str
        One sentence: what moving it does.
    low, high : float or None
        Soft range offered for a number; a wider value stays valid for the estimator.
    scale : {"linear", "doubling", "powers of 10"}
        How the offered values are spaced.
    choices : tuple of (value, label)
        The values offered where the parameter is a choice.
    none : str
        What the value None, beyond the highest number, is called; empty: it is not offered.
    zero : bool
        Whether 0 is offered before the powers of ten.
    ends : (str, str)
        What the method is known as at 0 and as the value grows; empty: nothing special.
    at_most_cases : bool
        Whether it counts training cases, so that their number is the largest value. On a path,
        `path` takes it too, as the largest value to prepare for.
    on_path : bool
        Whether the fitted model's path takes it, so that moving it needs no new fit.
    up_to_fitted : bool
        Whether the path reaches only values up to the fitted one.
    tuned : tuple of value
        Values that tuning tries; empty: it is not tuned unless asked for.
    serves : tuple of (value, str)
        Choices that make one measure of `METRICS` good, with its key.
    basic : bool
        Whether a newcomer should see it at once.
    depends_on : (str, tuple of value) or None
        Another parameter and the values of it with which this one matters; None: it always does.
    """

    name: str
    label: str
    help: str
    low: float | None = None
    high: float | None = None
    scale: Literal["linear", "doubling", "powers of 10"] = "linear"
    choices: tuple[tuple[str, str], ...] = ()
    none: str = ""
    zero: bool = False
    ends: tuple[str, str] = ("", "")
    at_most_cases: bool = False
    on_path: bool = False
    up_to_fitted: bool = False
    tuned: tuple[Any, ...] = ()
    serves: tuple[tuple[str, str], ...] = ()
    basic: bool = True
    depends_on: tuple[str, tuple[str, ...]] | None = None

    @property
    def symbol(self) -> str:
        """The letter in brackets at the end of the label, else the label."""
        return self.label[:-1].rpartition("(")[2] if self.label.endswith(")") else self.label

    def matters(self, params: Mapping[str, Any]) -> bool:
        """Tell whether moving it changes anything, given the parameter it depends on."""
        return self.depends_on is None or params[self.depends_on[0]] in self.depends_on[1]

    def offered(self, n_cases: int | None = None) -> tuple[float, ...]:
        """List the values of a knob that is a number, ascending.

        Parameters
        ----------
        n_cases : int or None
            Number of training cases, which bounds some knobs; None: no bound.

        Returns
        -------
        tuple of int or float
            Every whole number of the range; or the powers of two in it and three times them, 1, 2,
            3, 4, 6, 8, ...; or the powers of ten, which are floats and may be below 1.
        """
        if self.low is None or self.high is None:
            raise ValueError(f"The knob {self.name!r} has no range.")
        if self.scale == "powers of 10":
            powers = tuple(10.0**i for i in range(-9, 10) if self.low <= 10.0**i <= self.high)
            return (0.0, *powers) if self.zero else powers
        low, high = int(self.low), int(self.high)
        if self.scale == "linear":
            numbers = list(range(low, high + 1))
        else:
            doublings = [factor * 2**i for i in range(high.bit_length()) for factor in (1, 3)]
            numbers = sorted(value for value in doublings if low <= value <= high)
        return self.possible(numbers, n_cases) or (low,)

    def steps(self, n_cases: int | None = None) -> tuple[Any, ...]:
        """List the values of any knob to compare: choices, or numbers, of doublings only these."""
        if self.choices:
            return tuple(value for value, _ in self.choices)
        numbers = self.offered(n_cases)
        if self.scale == "doubling":
            return tuple(value for value in numbers if log2(value) % 1 == 0)
        return (*numbers, None) if self.none else numbers

    def possible(self, values: Iterable[Any], n_cases: int | None) -> tuple[Any, ...]:
        """Leave out values larger than the number of training cases, where that bounds them."""
        if not self.at_most_cases or n_cases is None:
            return tuple(values)
        return tuple(value for value in values if value <= n_cases)

    def start(self, default: Any, n_cases: int) -> Any:
        """Return the value to begin with: the default, but of few cases no more than half."""
        return min(default, max(1, n_cases // 2)) if self.at_most_cases else default
