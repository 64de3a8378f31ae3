"""Zhou and Qiu 2018: the printed tables."""

from dataclasses import replace

from labelrank_core.experiments import Protocol
from labelrank_core.papers.facts import sizes, statistics, top_label
from labelrank_core.papers.figures_in_print import LRRF_FIGURES
from labelrank_core.papers.table import Block, Erratum, Paper, Reason, Table, Trial

_TOLERANCE = 0.02
# The columns of Tables 4 to 6 without a k, but the paper's own.
_RIVALS = ("CC", "LL", "RPC", "LRT", "LRT+bag", "W-LRT+bag", "F-LRT+bag")
_PROTOCOL = (
    "Five repetitions of ten folds. {source} LR-RF counts as the authors' program splits, on whole "
    "rankings; 'as the text says' splits on the top label; 'our default' is the forest as Predict "
    "has it. Within: 0.02, about what the folds of one repetition move a value by."
)
_OWN = "The paper ran every method itself, all but LR-RF by the package WEKA-LR."
_OTHERS = "The paper ran LR-RF itself and took the other columns from other papers."
_DELETED = (
    "LR-RF has the settings of the authors' program here, but is trained on rankings with labels "
    "deleted. Their program trains on complete rankings."
)
_COPIED_K = Reason(
    "The paper took this number from another paper, whose folds, preparation of features and "
    "choice of k are not stated here.",
    columns=("IB-M", "IB-PL"),
)
_COPIED = Reason(
    "The paper took this number from another paper, whose folds and preparation of features are "
    "not stated here.",
    columns=_RIVALS,
)
_COPIED_TOO = replace(_COPIED, columns=(*_RIVALS, "LRF+RT", "LRT+ERT"))
_COPIED_LRT = replace(
    _COPIED,
    text=f"{_COPIED.text} The size of leaves, which explains this column in Tables 3 and 4, is "
    "not tried here with deleted labels.",
    columns=("LRT",),
)
_STOPS = Reason(
    "A node with fewer than twice as many cases as labels is a leaf here, as the tree's own paper "
    "says. Trees that stop later are within 0.02.",
    columns=("LRT",),
    data=("glass", "vowel"),
    verdicts=("below",),
)
_STOPS_EARLY = Reason(
    "A node with fewer than twice as many cases as labels is a leaf here, as the tree's own paper "
    "says. In one repetition of the five, trees that stop only below four cases have "
    "0.107, these 0.146.",
    columns=("LRT",),
    data=("bodyfat",),
    verdicts=("above",),
)
_MASKED = Reason(
    "The authors' program draws which labels are missing anew for every query, tree and neighbour. "
    "Here they are deleted from the training data for good, as the text says.",
    columns=("LR-RF",),
    verdicts=("above",),
)
_BASE = Reason(
    "The package's learner for a pair of labels is not stated; Table 4 prints 0.921 for the same "
    "method.",
    columns=("RPC",),
    data=("wine",),
)
_COMES_BACK = Reason(
    "The authors' program grows its trees on the complete rankings and draws which labels are "
    "missing anew for every query, tree and neighbour, so deleted labels come back. Here they are "
    "deleted from the training data for good, as the text says.",
    columns=("LR-RF",),
    verdicts=("below",),
)
_FEW = Reason(
    "Of the 20 neighbours that tuning may choose here, few have two labels left; with 50 "
    "neighbours it is within 0.02.",
    columns=("IB-M", "IB-PL"),
    data=("bodyfat", "wine"),
    verdicts=("below",),
)
_EMPTY = Reason(
    "A ranking with one label left, or none, says nothing. Drawn again until two are left, which "
    "the paper does not say, it is within 0.02.",
    columns=("LRT+bag", "W-LRT+bag", "IB-PL"),
    data=("bodyfat", "iris", "wine"),
    verdicts=("below",),
)
_OTHER_FOREST = Reason(
    "No cause is known. The text does not state ε₀, so where the program stops splitting is open.",
    columns=("LR-RF",),
)
_MISPRINT = Reason(
    "Worse than .967, which looks like a misprint: Table 4 prints .867 for the same trees.",
    columns=("LR-RF",),
    data=("vowel",),
)
_BROKEN = Reason(
    "The paper contradicts itself: for the same method Table 4 prints .230 on bodyfat, .841 on "
    "glass, .960 on iris, .950 on segment, .947 on wine. The package that ran it lets the strength "
    "of a label that always loses diverge.",
    columns=("IB-PL5", "IB-PL10", "IB-PL15", "IB-PL20"),
)


def _table(
    key: str,
    title: str,
    lines: tuple[int, int],
    missing: float,
    reasons: tuple[Reason, ...],
    *,
    source: str = _OTHERS,
) -> Table:
    protocol = Protocol(n_folds=10, n_repeats=5, missing=(missing,))
    return Table(
        key=key,
        paper="lrrf",
        title=title,
        lines=lines,
        rows="data",
        blocks=(Block("Kendall's tau", "kendall_tau_score", _TOLERANCE, protocol),),
        source="rankings",
        protocol=_PROTOCOL.format(source=source),
        titles={"LR-RF": "LR-RF (program's split)", "cup-small": "cpu-small"},
        remark=_DELETED if missing else "",
        reasons=reasons,
    )


_TABLE_1 = Table(
    key="1",
    paper="lrrf",
    title="Six examples of iris: the label ranked first becomes the class",
    lines=(91, 98),
    rows="data",
    blocks=(Block("Number of the label"),),
    quantities=("top-label",),
    source="none",
    text=(
        "data_sets top-label\nexample-1 1\nexample-2 3\nexample-3 3\nexample-4 2\nexample-5 2\n"
        "example-6 3\n"
    ),
    facts=top_label,
    titles={"top-label": "label ranked first"}
    | {f"example-{i}": f"example {i}" for i in range(1, 7)},
    protocol="Read off the printed rankings.",
)
_TABLE_2 = Table(
    key="2",
    paper="lrrf",
    title="The sizes of sixteen data sets",
    lines=(182, 198),
    rows="data",
    blocks=(Block("Counts"),),
    quantities=("#instances", "#features", "#labels"),
    source="rankings",
    facts=sizes,
    protocol="Counted in the files of the repository.",
    reasons=(
        Reason(
            "The paper prints about 1.8 times as many cases for the sets made from regression "
            "data; its other columns agree with the files.",
            columns=("#instances",),
        ),
    ),
)
_STATISTICS = Table(
    key="Statistics",
    paper="lrrf",
    title="Friedman's F and the critical difference of Tables 3 to 6",
    lines=(241, 330),
    rows="data",
    blocks=(Block("Statistic", tolerance=0.01),),
    quantities=("F", "CD"),
    source="none",
    text=(
        "data_sets F CD\nLRRF-3 2.93 2.01\nLRRF-4 4.18 3.78\nLRRF-5 6.67 2.97\nLRRF-6 9.34 2.97\n"
    ),
    facts=statistics,
    titles={f"LRRF-{i}": f"Table {i}" for i in range(3, 7)} | {"CD": "critical difference"},
    protocol="From the printed values of each table.",
    reasons=(
        Reason(
            "The paper computes F from its printed average ranks: rounded to two digits, and in "
            "Tables 4 to 6 with misprinted ranks in them.",
            columns=("F",),
        ),
        Reason("For 12 methods q is 2.838; the paper takes 2.871.", columns=("CD",)),
    ),
)
PAPER = Paper(
    key="lrrf",
    short="LRRF",
    title="Random forest for label ranking",
    authors="Y. Zhou, G. Qiu",
    year="2018",
    where="Expert Systems with Applications",
    link="https://doi.org/10.1016/j.eswa.2018.06.036",
    sentences=(
        "Many random decision trees are grown, each on another draw of the training cases.",
        "A tree asks questions that separate cases by the label they rank first.",
        "A new case falls into one leaf of every tree, among cases with similar answers.",
        "Their rankings are merged by mean ranks, first within each tree, then over all trees.",
        "The paper finds this better than eleven other methods, most of all where labels are "
        "missing.",
    ),
    defines=(
        ("Top label as class", "trees separate cases by the label ranked first"),
        ("Two-step vote", "mean ranks within each leaf, then over the trees"),
        ("p₀", "the probability with which a label is deleted from a training ranking"),
    ),
    tables=(
        _TABLE_1,
        _TABLE_2,
        _table(
            "3",
            "Against the programs of one package, complete rankings",
            (219, 236),
            0.0,
            (_BROKEN, _STOPS, _STOPS_EARLY, _BASE, _MISPRINT, _OTHER_FOREST),
            source=_OWN,
        ),
        _table(
            "4",
            "Against published results, complete rankings",
            (265, 282),
            0.0,
            (_STOPS, _STOPS_EARLY, _OTHER_FOREST, _COPIED_K, _COPIED_TOO),
        ),
        _table(
            "5",
            "Against published results, p₀ = 0.3",
            (285, 302),
            0.3,
            (_COMES_BACK, _MASKED, _COPIED_LRT, _COPIED_K, _COPIED),
        ),
        _table(
            "6",
            "Against published results, p₀ = 0.6",
            (305, 322),
            0.6,
            (_COMES_BACK, _MASKED, _FEW, _EMPTY, _COPIED_LRT, _COPIED_K, _COPIED),
        ),
        _STATISTICS,
    ),
    silent=(
        ("Figs 2–4", "tau over p₀, trees and depth: curves, without printed numbers. 'Fig. 2' to "
         "'Fig. 4' have ours"),
    ),
    figures=LRRF_FIGURES,
    errata=(
        Erratum(
            "Section 4.1, the method",
            "Trees that separate by the top label do not give the printed numbers.",
            "Mean tau over the nine sets recomputed in Table 4: the text 0.765, print 0.822, whole "
            "rankings as classes, as in the authors' program, 0.828.",
        ),
        Erratum(
            "Tables 5 and 6, column LR-RF",
            "With labels deleted from the training data, our default forest is within 0.02 of "
            "Table 5 on all nine sets, but falls short of Table 6 on six.",
            "The authors' program trains on complete rankings and masks labels anew for every "
            "query; doing the same meets the print to 0.005. Trained on the labels that are left, "
            "the forest here has a mean tau of 0.813 and 0.769 over the nine sets of 'Best in "
            "print', with 30 and 60% deleted; with random thresholds among all features 0.820 and "
            "0.781 (five times ten folds; worse on glass). Without a clear gain: other leaves, "
            "rounds and more trees. What limits it: with 60% "
            "deleted, one case in six still ranks both labels of a pair.",
        ),
        Erratum(
            "Definition 1",
            "Sort by increasing mean rank, not decreasing.",
            "The score is the position, and 1 is best.",
        ),
        Erratum(
            "Definition 2",
            "A division sign is lost: (m′ + 1 − r)(m + 1) / (m′ + 1).",
            "Only then does a missing label, at (m + 1)/2, lie in the middle.",
        ),
        Erratum(
            "Table 3, vowel, LR-RF",
            "0.967 in Table 3, 0.867 in Table 4.",
            "Recomputed it is near the second; the two should be equal.",
        ),
        Erratum(
            "Table 2",
            "Sets made from regression data have about 1.8 times fewer cases.",
            "The files have 252 (bodyfat, print 452), 506 (housing, 906) and 950 (stock, 1710).",
        ),
        Erratum(
            "Section 5, statistics",
            "F is 2.86, 4.22, 6.65 and 9.61; the critical difference of Table 4 is 3.74.",
            "These follow from the printed values. The printed average ranks give 2.93, 4.18, 6.67 "
            "and 9.34, as printed.",
        ),
        Erratum(
            "Tables 4 to 6, ranks",
            "Ranks are misprinted in Table 4 (wisconsin), Table 5 (elevators, housing) and Table 6 "
            "(vehicle, wine).",
            "They contradict the scores beside them; Compare recomputes all of them.",
        ),
        Erratum(
            "Table 4, last two headers",
            "LRF+RT and LRT+ERT are LRF-RT and LRF-ERT.",
            "Both are forests; the text calls them so.",
        ),
        Erratum(
            "Section 4.2, bounds",
            "The bounds between Kendall's and Spearman's distance do not hold for the squared "
            "distance.",
            "Three labels reversed: Kendall 3, squared Spearman 8, which is more than 2 · 3.",
        ),
    ),
    trials=(
        Trial("One case, tree by tree", "predict",
              {"data": "vehicle", "method": "Label-ranking random forest"}),
        Trial("Figs 2 to 4 on other data", "sensitivity",
              {"data": "glass", "method": "Label-ranking random forest"}),
        Trial("Check the ranks of Table 3", "compare"),
    ),
)  # fmt: skip
