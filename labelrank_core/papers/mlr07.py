"""Brinker and Hüllermeier 2007: the printed tables."""

from labelrank_core.papers.facts import worked_example
from labelrank_core.papers.table import Block, Erratum, Paper, Table, Trial

_EXAMPLE = Table(
    key="Worked example",
    paper="mlr07",
    title="Three similar cases with {1}, {1} and {2} of five labels: mean ranks",
    lines=(269, 290),
    rows="data",
    blocks=(Block("Mean rank", tolerance=0.005),),
    quantities=("zero-line", "label-1"),
    source="none",
    text="data_sets zero-line label-1\np=1 2 2.17\np=2 2.5 2.5\np=3 3 2.83\n",
    facts=worked_example,
    titles={"zero-line": "zero line", "label-1": "label 1"},
    protocol="Computed by hand. A label is relevant if its rank is smaller than that of the line.",
)
PAPER = Paper(
    key="mlr07",
    short="MLR-07",
    title="Case-based multilabel ranking",
    authors="K. Brinker, E. Hüllermeier",
    year="2007",
    where="IJCAI",
    link="http://www.ijcai.org/papers07/Abstracts/IJCAI07-112.html",
    sentences=(
        "Some labels apply to a case and others do not, and both kinds can be put in order.",
        "A virtual label, the zero line, stands between the two kinds.",
        "The rankings of similar cases, with their zero lines, are merged by mean ranks.",
        "Labels ahead of the merged zero line are predicted to apply.",
        "More virtual labels widen the gap around the line, which often makes the sets better.",
    ),
    defines=(
        ("Zero line", "a virtual label between relevant and irrelevant labels"),
        ("p virtual labels", "p copies of the line, so that it is harder to cross by a little"),
        ("Bucket order", "a ranking in which labels may share a place"),
    ),
    tables=(_EXAMPLE,),
    silent=(
        (
            "Fig. 1",
            "curves; only its axes have printed numbers (Hamming loss from 0.19 to 0.28). All our "
            "values on the same data lie on these axes, from 0.199 to 0.245; 'Try it' draws them",
        ),
        ("Table 1", "computing times; its numbers are missing from the text at hand"),
        (
            "Table 2",
            "rank correlations on eight microarray sets; its numbers are missing from the text at "
            "hand",
        ),
    ),
    errata=(
        Erratum(
            "Section 5, example with p = 2",
            "Both ranks are 2.5 and the paper draws lots. Here a label that ties with the line "
            "does not apply.",
            "2.5 = 2.5 exactly, in doubled whole numbers.",
        ),
        Erratum(
            "Fig. 1",
            "The loss does not fall with p everywhere.",
            "On yeast with k = 5 it rises from 0.2184 (p = 1) to 0.2195 (p = 4) before it falls to "
            "0.2091; with k = 1, p has no effect (0.2447).",
        ),
    ),
    trials=(
        Trial(
            "The worked example, step by step",
            "learn",
            {"lesson": "Zero line", "example_mlr": "The paper's example: p = 1, 2, 3"},
        ),
        Trial(
            "Draw Fig. 1 on yeast",
            "sensitivity",
            {"data": "yeast", "method": "k-NN multilabel ranking", "scaled": "False"},
        ),
    ),
)
