"""Short meanings of measures, for those who read a picture of their values."""

from dataclasses import dataclass

from labelrank_core.metrics import Measure

_MEANINGS = {
    "kendall_tau_score": "right minus wrong pairs",
    "pair_tau_score": "right minus wrong pairs",
    "top_1_score": "the share of cases whose first label is right",
    "hamming_loss": "the share of wrong labels",
    "subset_accuracy_score": "the share of cases without a wrong label",
    "one_error": "the share of cases whose first label is wrong",
    "ranking_loss": "the share of wrong pairs",
}


def meaning(measure: Measure) -> str:
    """Return what a measure counts, where a few words say it, and its perfect value.

    >>> from labelrank_core.metrics import METRICS
    >>> meaning(METRICS["kendall_tau_score"])
    'right minus wrong pairs (1 is perfect)'
    >>> meaning(METRICS["ndcg_score"])
    '1 is perfect'
    """
    perfect = f"{measure.perfect:g} is perfect"
    counted = _MEANINGS.get(measure.key)
    return f"{counted} ({perfect})" if counted else perfect


@dataclass(frozen=True)
class Counted:
    """What a measure counts, and how many of 100 are right at its value 0 and more per 1."""

    unit: str
    right_at_zero: float
    right_per_value: float

    def right(self, value: float) -> str:
        """Write how many of 100 are right at a value of the measure."""
        return f"{self.right_at_zero + self.right_per_value * value:.1f}"

    def more(self, gain: float) -> str:
        """Write how many more of 100 are right, or fewer are wrong, for a better value."""
        return f"{abs(self.right_per_value) * gain:.1f}"


def counted_of(measure: Measure, *, is_strict: bool) -> Counted | None:
    """Return what a measure counts; None where that are no pairs and no labels.

    Where predictions have ties, a tau counts no pairs: `is_strict` is whether they have none.

    >>> from labelrank_core.metrics import METRICS
    >>> pairs = counted_of(METRICS["kendall_tau_score"], is_strict=True)
    >>> pairs.right(0.86), pairs.more(0.01)
    ('93.0', '0.5')
    >>> labels = counted_of(METRICS["hamming_loss"], is_strict=True)
    >>> labels.right(0.2), labels.more(0.01)
    ('80.0', '1.0')
    """
    if measure.key == "hamming_loss":
        return Counted("labels", 100.0, -100.0)
    if measure.key in ("kendall_tau_score", "pair_tau_score") and is_strict:
        return Counted("pairs of labels", 50.0, 50.0)
    return None
