"""The lessons: a few rows, a new case, a method, and what each step is for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from labelrank_core.explain.evidence import (
    Confidence,
    CountEvidence,
    GapDial,
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    RankParts,
    RuleOrders,
    ScoreParts,
    SubspaceView,
    TreeVotes,
    VotingOrders,
    WinShares,
)

_DRINKS = """temperature,sunshine,ranking
17,5,tea>water>lemonade
16,4,tea>water>lemonade
12,3,tea>water>lemonade
22,6,water>lemonade>tea
23,7,water>lemonade>tea
27,9,lemonade>water>tea
30,11,lemonade>water>tea
5,1,tea>water>lemonade
"""
_OUTINGS = """temperature,rain,labels
15,6,museum
13,7,museum
16,8,cinema
9,14,museum;cinema
19,1,hiking;cycling
22,2,hiking;cycling
27,1,swimming;cycling
30,0,swimming
"""
_THREE_CASES = """x,labels
1,a
2,a
3,b
9,c;d
10,e
"""


@dataclass(frozen=True)
class Example:
    """Rows, a case and parameters that a lesson can start from."""

    title: str
    rows: str
    case: tuple[float, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Lesson:
    """A method's name and idea, and the examples it is shown on."""

    key: str
    name: str
    title: str
    idea: str
    examples: tuple[Example, ...]
    params: tuple[str, ...]


LESSONS = (
    Lesson(
        "knn",
        "Neighbours",
        "Ask the neighbours",
        "Similar cases have similar rankings. Find the k most similar ones and let them agree on "
        "one ranking.",
        (
            Example("A mild day", _DRINKS, (20.0, 6.0), {"n_neighbors": 3}),
            Example(
                "Mean or median?",
                "x,ranking\n1,a>b>c>d\n2,a>b>c>d\n3,b>c>d>a\n8,d>c>b>a\n9,d>c>a>b\n10,c>d>b>a\n",
                (2.0,),
                {"n_neighbors": 3, "aggregation": "borda"},
                "Two of three put a first and one puts it last: mean ranks tie a with b, medians "
                "do not. Change the consensus.",
            ),
        ),
        ("n_neighbors", "aggregation"),
    ),
    Lesson(
        "mlr",
        "Zero line",
        "A line between yes and no",
        "Rank the labels together with a virtual label, the zero line: labels ahead of it are "
        "relevant. More virtual labels raise or lower what a label needs.",
        (
            Example("A changeable day", _OUTINGS, (16.0, 5.0), {"n_neighbors": 3}),
            Example(
                "The paper's example: p = 1, 2, 3",
                _THREE_CASES,
                (2.0,),
                {"n_neighbors": 3, "n_virtual_labels": 1},
                "Two of three similar cases have a, one has b, of five labels. With p = 1 the mean "
                "rank of the line is 2.00 and that of a 2.17: no label is relevant. With p = 2 "
                "both are 2.50. With p = 3 a is ahead, 2.83 against 3.00 (Brinker and Hüllermeier "
                "2007).",
            ),
        ),
        ("n_neighbors", "n_virtual_labels"),
    ),
    Lesson(
        "mlknn",
        "Counts",
        "What a count meant before",
        "Count how many of k similar cases have a label; then look up how often training cases "
        "with that count had the label themselves.",
        (Example("A changeable day", _OUTINGS, (16.0, 5.0), {"n_neighbors": 3}),),
        ("n_neighbors", "smoothing"),
    ),
    Lesson(
        "forest",
        "Trees",
        "Many trees vote",
        "Every tree asks its own questions and ends in a leaf with a few training rankings. The "
        "trees' answers are averaged.",
        (Example("A mild day", _DRINKS, (20.0, 6.0), {"n_estimators": 9, "random_state": 0}),),
        ("n_estimators", "max_depth"),
    ),
    Lesson(
        "mlls",
        "Shared subspace",
        "Labels share what they learn",
        "Each label's score is a sum over the features. One part of the weights is the label's "
        "own, the other lies in a subspace that all labels share.",
        (
            Example(
                "A changeable day",
                _OUTINGS,
                (16.0, 5.0),
                {"alpha": 1.0, "beta": 0.1, "threshold": "zero"},
            ),
        ),
        ("alpha", "beta"),
    ),
)

# What the step is for, before its own sentence with the numbers.
PURPOSES: Mapping[type, str] = {
    Neighbors: "Who resembles the new case? The nearest are at the top.",
    LabelScores: "One number per label decides the order.",
    Confidence: "The more the similar cases, or the trees, agree, the surer the prediction.",
    RuleOrders: "There are several ways to agree. Do they lead to the same order?",
    LeaveOneOut: "Would one case fewer change it? Remove one and see.",
    LeaveOneOutSets: "Would one case fewer change it? Remove one and see.",
    WinShares: "Compare the labels two by two.",
    GapDial: "Virtual labels widen the gap around the line. What becomes relevant?",
    CountEvidence: "What did such a count mean in training?",
    TreeVotes: "Every tree votes. Follow the path through one of them.",
    VotingOrders: "The same leaves can be counted in different ways.",
    RankParts: "Which questions moved the labels?",
    ScoreParts: "What is each score made of?",
    SubspaceView: "Where does the case lie among the directions that labels share?",
}
