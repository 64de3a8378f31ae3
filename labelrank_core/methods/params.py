"""Knobs, by which an interface offers the parameters of an estimator."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Any, Literal


@dataclass(frozen=True)
class Knob:
    """One parameter as an interface offers it; the estimator has its default and constraints."""

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
    # Whether it is offered only for data whose rankings tie labels.
    for_ties: bool = False
    # Whether it is offered only for rankings, not for preferences between pairs of labels.
    for_rankings: bool = False

    @property
    def symbol(self) -> str:
        """The letter in brackets at the end of the label, else the label."""
        return self.label[:-1].rpartition("(")[2] if self.label.endswith(")") else self.label

    def matters(self, params: Mapping[str, Any]) -> bool:
        """Tell whether the knob has an effect, given the parameter it depends on."""
        return self.depends_on is None or params[self.depends_on[0]] in self.depends_on[1]

    def offered(self, n_cases: int | None = None) -> tuple[float, ...]:
        """List the values of a knob that is a number, ascending."""
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
        """List the values of any knob to compare: choices, powers of two, or all numbers."""
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
        """Return the value to start with: the default, but at most half of the training cases."""
        return min(default, max(1, n_cases // 2)) if self.at_most_cases else default
