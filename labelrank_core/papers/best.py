"""The best number in print for each of nine data sets, beside the stacked ranker and its members.

A column of maxima over some twenty published columns, so no single method reaches it. Columns
whose deleted labels come back, or that contradict themselves, are left out.
"""

from collections.abc import Mapping, Sequence

from labelrank_core.experiments import Protocol
from labelrank_core.papers import lrrf
from labelrank_core.papers.promises import PROMISES
from labelrank_core.papers.table import Block, Erratum, Paper, Reason, Table, Trial

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
# The package that ran it deletes labels when it votes, so they come back.
_COME_BACK = "LR-RF"
_WORKS = {"LWRF": _THESIS, "PWRF": _THESIS, "RPC-SVR": _CURVES, "RPC-RF": _CURVES}


def block_name(missing: float) -> str:
    """Return the name of the section for a share of deleted labels."""
    return f"p₀ = {missing:g}"


SOURCES: Mapping[tuple[str, float], tuple[str, str]] = {
    (data, missing): (method, _WORKS.get(method, _TABLES))
    for data, methods in _METHODS.items()
    for missing, method in zip(LEVELS, methods, strict=True)
}


def rivals(block: str) -> Mapping[str, Sequence[float]]:
    """Return the printed methods that have a number for all nine sets, in the order of `BEST`."""
    missing = next(level for level in LEVELS if block_name(level) == block)
    (table,) = (
        printed for printed in lrrf.PAPER.tables if printed.key == str(4 + LEVELS.index(missing))
    )
    printed_values = {(cell.column, cell.data): cell.value for cell in table.cells}
    columns = {
        column.name: [printed_values.get((column.name, data)) for data in _METHODS]
        for column in table.columns
        if not (missing and column.name == _COME_BACK)
    }
    return {
        name: [value for value in values if value is not None]
        for name, values in columns.items()
        if None not in values
    }


_MEMBERS = ("straight pairs", "curved pairs", "kernel ridge", "extra trees")
BEST = Table(
    key="Nine data sets",
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
            "The best reached is 0.220, ± 0.059 over the trainings; one of the members, straight "
            "pairs, has 0.232 alone. With three of seven labels left, 227 rankings are too few to "
            "tell the candidates apart. Tried without gain: eight candidates instead of four, LL "
            "among them. The print is the largest of some twenty columns, so it is a little lucky.",
            data=("bodyfat",),
            blocks=(block_name(0.6),),
            verdicts=("below",),
        ),
        Reason(
            "No work prints pairs that follow curves over a feature, nor a blend, the weighted "
            "mean of methods that are wrong on different cases.",
            verdicts=("above",),
        ),
    ),
    titles={
        "best": "Best blend",
        **{f"{member} alone": member for member in _MEMBERS},
    },
    rivals=rivals,
)
PAPER = Paper(
    key="print",
    short="Best in print",
    title="The best in print on nine data sets",
    authors="Y. Zhou, G. Qiu; G. Gkrinias; a thesis on pairwise comparison",
    year="2018 to 2023",
    where="printed",
    sentences=(
        "In print another method is best on almost every data set, so the hardest rival is a list.",
        "It holds, for each set, the largest number that any work prints.",
        "One method is compared with it: the best blend, which chooses and weighs its members on "
        "the training rows only.",
        "Nine sets are tried with 0, 30 and 60% of the labels deleted.",
        "Each member of the blend is shown alone, too.",
    ),
    defines=(
        ("p₀", "the share of labels that are deleted from the training rankings"),
        ("Best in print", "the largest of some twenty printed columns for a data set"),
        ("Blend", "a weighted mean of what several methods say of each pair of labels"),
    ),
    tables=(BEST,),
    promises=PROMISES,
    silent=(
        (
            "Printed deviations",
            "the works that print the largest numbers print none, so differences of a few "
            "thousandths mean nothing",
        ),
    ),
    errata=(
        Erratum(
            "Random forest for label ranking, Tables 5 and 6, column LR-RF",
            "Left out: its numbers are larger than those of its own method on such data.",
            "The authors' program trains on complete rankings and deletes labels when it votes, so "
            "its trees have seen them.",
        ),
        Erratum(
            "A thesis on pairwise comparison, RPC-SVR and RPC-RF",
            "Its numbers are not printed but drawn; we read them off.",
            "The curves can be read within 0.003.",
        ),
    ),
    trials=(
        Trial("Find the best method for your data", "evaluate", {"data": "vehicle"}),
        Trial(
            "The blend on one case",
            "predict",
            {"data": "vehicle", "method": "Best blend of methods"},
        ),
    ),
    is_comparison=True,
)
