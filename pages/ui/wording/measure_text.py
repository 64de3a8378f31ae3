"""Short meanings of measures, for those who read a picture of their values."""

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
