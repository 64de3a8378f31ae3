"""Knobs: what an interface needs to offer a parameter; the estimator stays its only owner."""

from dataclasses import dataclass
from typing import Literal


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
    scale : {"linear", "powers of 2"}
        How the offered values are spaced.
    choices : tuple of (value, label)
        The values offered where the parameter is a choice.
    none : str
        What the value None, beyond the highest number, is called; empty: it is not offered.
    at_most_cases : bool
        Whether the number of training cases is the largest value.
    on_path : bool
        Whether the fitted model's path takes it, so that moving it needs no new fit.
    basic : bool
        Whether a newcomer should see it at once.
    """

    name: str
    label: str
    help: str
    low: float | None = None
    high: float | None = None
    scale: Literal["linear", "powers of 2"] = "linear"
    choices: tuple[tuple[str, str], ...] = ()
    none: str = ""
    at_most_cases: bool = False
    on_path: bool = False
    basic: bool = True

    def offered(self, n_cases: int | None = None) -> tuple[int, ...]:
        """List the values of a whole-number knob, ascending.

        Parameters
        ----------
        n_cases : int or None
            Number of training cases, which bounds some knobs; None: no bound.

        Returns
        -------
        tuple of int
            Every number of the range, or the powers of two in it.
        """
        if self.low is None or self.high is None:
            raise ValueError(f"The knob {self.name!r} has no range.")
        low, high = int(self.low), int(self.high)
        if self.at_most_cases and n_cases is not None:
            high = max(low, min(high, n_cases))
        if self.scale == "linear":
            return tuple(range(low, high + 1))
        return tuple(2**i for i in range(high.bit_length()) if low <= 2**i <= high)
