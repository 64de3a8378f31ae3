"""Knobs: what an interface needs to offer a parameter; the estimator stays its only owner."""

from collections.abc import Mapping
from dataclasses import dataclass
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
        What it is called in an interface.
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
    at_most_cases : bool
        Whether the number of training cases is the largest value.
    on_path : bool
        Whether the fitted model's path takes it, so that moving it needs no new fit.
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
    at_most_cases: bool = False
    on_path: bool = False
    basic: bool = True
    depends_on: tuple[str, tuple[str, ...]] | None = None

    def matters(self, params: Mapping[str, Any]) -> bool:
        """Tell whether moving it changes anything, given the other parameters.

        Parameters
        ----------
        params : mapping of str to value
            Parameters that are set, at least the one this depends on.

        Returns
        -------
        bool
            Whether the parameter it depends on has one of the values named.
        """
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
        if self.at_most_cases and n_cases is not None:
            high = max(low, min(high, n_cases))
        if self.scale == "linear":
            return tuple(range(low, high + 1))
        doublings = [factor * 2**i for i in range(high.bit_length()) for factor in (1, 3)]
        return tuple(sorted(value for value in doublings if low <= value <= high))
