"""The best number in print for each of nine data sets, beside the stacked ranker and its members.

A column of maxima over some twenty published columns, so no single method reaches it. Columns
whose deleted labels come back, or that contradict themselves, are left out.
"""

from collections.abc import Mapping

from labelrank_core.experiments import Protocol
from labelrank_core.papers.table import Block, Reason, Table

LEVELS = (0.0, 0.3, 0.6)
_TOLERANCE = 0.01
# Where each number is from, by data set, for every share of deleted labels.
_METHODS = {
    "bodyfat": ("RPC-SVR", "RPC", "LL"),
    "glass": ("LWRF", "RPC", "LRT+bag"),
    "housing": ("LWRF", "LRT+bag", "LRT+bag"),
    "iris": ("LRF+RT", "F-LRT+bag", "IB-PL"),
    "segment": ("PWRF", "LRT+bag", "LRT+bag"),
    "stock": ("RPC-RF", "LRT+bag", "LRT+bag"),
    "vehicle": ("LWRF", "LRT+bag", "LRT+bag"),
    "vowel": ("RPC-RF", "IB-M", "LRT+bag"),
    "wine": ("PWRF", "LL", "IB-PL"),
}
_THESIS = (
    "G. Gkrinias: Label ranking with pairwise and label-wise random forests. Diploma thesis, "
    "National Technical University of Athens, 2023, Tables 6.3 and 6.4."
)
_CURVES = "A thesis on ranking by pairwise comparison; read off its curves, within 0.003."
_TABLES = "Y. Zhou, G. Qiu: Random forest for label ranking, 2018, Tables 4 to 6."
_WORKS = {"LWRF": _THESIS, "PWRF": _THESIS, "RPC-SVR": _CURVES, "RPC-RF": _CURVES}


def block_name(missing: float) -> str:
    """Return the name of the section for a share of deleted labels."""
    return f"p₀ = {missing:g}"


SOURCES: Mapping[tuple[str, float], tuple[str, str]] = {
    (data, missing): (method, _WORKS.get(method, _TABLES))
    for data, methods in _METHODS.items()
    for missing, method in zip(LEVELS, methods, strict=True)
}
BEST = Table(
    key="best",
    paper="print",
    title="The best number in print for nine data sets, with 0, 30 and 60 % of the labels deleted",
    lines=(0, 0),
    rows="data",
    blocks=tuple(
        Block(
            block_name(missing),
            "kendall_tau_score",
            _TOLERANCE,
            Protocol(n_folds=10, n_repeats=5, missing=(missing,)),
        )
        for missing in LEVELS
    ),
    source="rankings",
    protocol=(
        "Ten folds; labels are deleted from the training folds only. Each number is the largest of "
        "some twenty columns of several works. The candidates of the blend were chosen on other "
        "folds of the same sets; everything else is chosen inside the training folds."
    ),
    reasons=(
        Reason(
            "With three of seven labels left, 227 rankings are too few to tell the candidates "
            "apart: straight pairs alone have 0.235, and with eight candidates, LL among them, the "
            "blend is no better.",
            data=("bodyfat",),
            blocks=(block_name(0.6),),
            verdicts=("below",),
        ),
    ),
    titles={"best": "best in print"},
)
