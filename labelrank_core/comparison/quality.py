"""The quality of a method between simple rules on the same cases and a perfect value."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, isnan, log10

import pandas as pd

from labelrank_core.comparison.cases import FEWEST, CaseDifference, Verdict
from labelrank_core.metrics import Measure

_CLAUSES: dict[Verdict, str] = {
    "better": "clearly better than",
    "unclear": "not clearly different from",
    "worse": "clearly worse than",
}


@dataclass(frozen=True)
class Comparison:
    """Another method on the same test cases.

    Parameters
    ----------
    name : str
        The name of the other method in tables.
    phrase : str
        The other method in a sentence.
    total : float
        The value of the measure that the other method reaches.
    difference : CaseDifference
        How much better than the other one the method is.
    """

    name: str
    phrase: str
    total: float
    difference: CaseDifference

    @property
    def distance(self) -> str:
        """A phrase on the distance by which the other one is behind or ahead."""
        difference = self.difference
        if not difference.n_different:
            return "the same in every case"
        if difference.verdict == "unclear" and difference.n_different < FEWEST:
            differ = "case differs" if difference.n_different == 1 else "cases differ"
            return f"not clear: only {difference.n_different} {differ}"
        sign, direction = (1, "behind") if difference.gain >= 0 else (-1, "ahead")
        clearly = "not clearly" if difference.verdict == "unclear" else "clearly"
        return f"{clearly} {direction}, by {sign * difference.gain:.3f}"

    @property
    def sentence(self) -> str:
        """The distance with its interval, where it has one."""
        difference = self.difference
        has_few = difference.verdict == "unclear" and difference.n_different < FEWEST
        if isnan(difference.low) or has_few or not difference.n_different:
            return self.distance
        sign = 1 if difference.gain >= 0 else -1
        low, high = sorted((sign * difference.low, sign * difference.high))
        interval = f"{low:.3f} to {high:.3f}".replace("-", "−")
        return f"{self.distance} ({interval})"


@dataclass(frozen=True)
class Quality:
    """A method's value of a measure, compared with simple rules on the same cases.

    Parameters
    ----------
    method : str
        The name of the method.
    measure : Measure
        The measure.
    total : float
        The mean over the cases.
    n_cases : int
        The number of test cases with a value.
    others : sequence of Comparison
        Simple rules to beat.
    """

    method: str
    measure: Measure
    total: float
    n_cases: int
    others: Sequence[Comparison]

    @property
    def perfect(self) -> float:
        """The best value that the measure can have."""
        return self.measure.perfect

    @property
    def verdict(self) -> str:
        """One sentence on the rules that the method clearly beats, and those it does not."""
        clauses = []
        for verdict, clause in _CLAUSES.items():
            phrases = [rival.phrase for rival in self.others if rival.difference.verdict == verdict]
            if phrases:
                clauses.append(f"{clause} {' and '.join(phrases)}")
        sentence = ", but ".join(clauses)
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def interval(self, rival: Comparison) -> tuple[float, float]:
        """Return where the other method may lie, given this one: the interval of the difference.

        It holds this method's value exactly where zero lies in the interval of the difference,
        and ends at the limits of the measure. NaN where too few cases differ for one.
        """
        difference = rival.difference
        if isnan(difference.low) or difference.n_different < FEWEST:
            return float("nan"), float("nan")
        sign = 1 if self.measure.greater_is_better else -1
        least, largest = self.measure.value_range
        low, high = sorted(self.total - sign * gain for gain in (difference.low, difference.high))
        return max(low, least), min(high, largest)

    @property
    def worst(self) -> float:
        """The worst of all values and ends of intervals; NaN where nothing is known."""
        values = [self.total, *(rival.total for rival in self.others)]
        values += [end for rival in self.others for end in self.interval(rival)]
        finite = [end for end in values if isfinite(end)]
        worst_of = min if self.measure.greater_is_better else max
        return worst_of(finite, default=float("nan"))

    @property
    def scale_start(self) -> float:
        """A round number not better than the worst one, where a scale to perfect can start.

        NaN where nothing is known.
        """
        worst, perfect = self.worst, self.perfect
        if not isfinite(worst) or worst == perfect:
            return worst
        step = 10.0 ** floor(log10(abs(perfect - worst))) / 2
        outwards = floor if worst < perfect else ceil
        start = round(outwards(round(worst / step, 9)) * step, 12)
        least, largest = self.measure.value_range
        return min(max(start, least), largest)

    def share(self, value: float) -> float:
        """Return the place of a value between the start of the scale (0) and perfect (1).

        NaN where nothing is known.
        """
        start = self.scale_start
        if not isfinite(start):
            return float("nan")
        reach = self.perfect - start
        return (value - start) / reach if reach else 1.0

    def frame(self) -> pd.DataFrame:
        """Tabulate the methods: ``method, value, gain, low, high``, the gain over each of them."""
        method_row = {"method": self.method, "value": self.total}
        rows = [
            {
                "method": rival.name,
                "value": rival.total,
                "gain": rival.difference.gain,
                "low": rival.difference.low,
                "high": rival.difference.high,
            }
            for rival in self.others
        ]
        return pd.DataFrame([method_row, *rows])
