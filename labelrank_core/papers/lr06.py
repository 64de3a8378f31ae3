"""Brinker and Hüllermeier 2006: the printed tables."""

from labelrank_core.experiments import Protocol
from labelrank_core.papers.facts import confident_curve, confident_halves
from labelrank_core.papers.figures_in_print import LR06_RULES, LR06_TIMES
from labelrank_core.papers.table import Block, Erratum, Paper, Reason, Table, Trial

_BLOCKS = tuple(
    Block(title, key, None, Protocol(n_folds=10, tuning_folds=10, tuning_measure=key))
    for title, key in (
        ("Spearman's footrule", "footrule_score"),
        ("Spearman's rank correlation", "spearman_rho_score"),
        ("Kendall's tau", "kendall_tau_score"),
    )
)
_TABLE_1 = Table(
    key="1",
    paper="lr06",
    title="Similar cases against pairwise support vector machines",
    lines=(98, 110),
    rows="columns",
    blocks=_BLOCKS,
    source="rankings",
    protocol=(
        "Ten folds, and ten folds within each training set to tune for the measure that is "
        "reported. A value counts as within if it is no further from the print than the standard "
        "deviation of the folds printed beside it."
    ),
    reasons=(
        Reason(
            "The rankings at hand come from another naive Bayes than the authors' (Weka's), and "
            "the paper does not say whether features were scaled."
        ),
    ),
)
_FIGURE_2 = Table(
    key="Fig. 2",
    paper="lr06",
    title="Confident predictions are more accurate (k = 5, Borda, random halves)",
    lines=(140, 142),
    rows="data",
    blocks=(Block("Spearman's rank correlation", tolerance=0.02),),
    quantities=("all", "share-at-1.0", "at-1.0", "without-10%"),
    source="rankings",
    text="data_sets all share-at-1.0 at-1.0 without-10%\nVEHICLE 0.863 0.34 0.988 0.913\n",
    facts=confident_halves,
    curve=confident_curve,
    titles={
        "all": "all predictions",
        "share-at-1.0": "share with confidence 1",
        "at-1.0": "those with confidence 1",
        "without-10%": "without the least sure 10%",
    },
    protocol=(
        "A random half of the cases trains, the other tests. The paper has one such split; here it "
        "is the mean of 30, with standardised features."
    ),
)
PAPER = Paper(
    key="lr06",
    short="LR-06",
    title="Case-based label ranking",
    authors="K. Brinker, E. Hüllermeier",
    year="2006",
    where="ECML",
    link="https://doi.org/10.1007/11871842_53",
    sentences=(
        "To rank the labels of a new case, look at the most similar known cases.",
        "Their rankings are merged into the one ranking that is closest to all of them.",
        "Mean ranks and median ranks are quick and nearly as good as the best.",
        "How much the similar cases agree says how far the prediction can be trusted.",
        "On five data sets this does about as well as support vector machines for every pair of "
        "labels.",
    ),
    defines=(
        ("Consensus ranking", "the ranking with the smallest total distance to some rankings"),
        ("Borda and median", "order the labels by their mean or their median rank"),
        ("Confidence", "agreement of the neighbours with the prediction, from 0 to 1"),
    ),
    tables=(_TABLE_1, _FIGURE_2),
    silent=(
        (
            "Fig. 1",
            "computing times on a machine of 2006: curves, without printed numbers. 'Fig. 1' has "
            "ours",
        ),
    ),
    figures=(LR06_TIMES, LR06_RULES),
    errata=(
        Erratum(
            "Eq. 4",
            "The two sides of the bound are the wrong way round: the median's loss is at most "
            "twice the smallest loss.",
            "As printed it would say that the smallest loss is at most twice another one, which "
            "is always so.",
        ),
        Erratum(
            "Section 3, even numbers of neighbours",
            "Of an even number of ranks the lower median must be taken.",
            "With the mean of the two middle ranks, 13 of 930 cases with unique medians are not "
            "the best for the footrule; with the lower median none.",
        ),
    ),
    trials=(
        Trial("Move k on one case", "predict", {"data": "vehicle", "method": "k-NN label ranking"}),
        Trial(
            "Is high confidence justified? (Fig. 2)",
            "confidence",
            {"data": "vehicle", "method": "k-NN label ranking", "knn_n_neighbors": "5"},
        ),
    ),
)
