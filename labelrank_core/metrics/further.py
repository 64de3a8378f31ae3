"""Further measures, as MULAN, MEKA and scikit-learn have them, for comparison with other work."""

from functools import partial
from math import inf

from labelrank_core.metrics import label_sets, labels, multilabel, tied, top_weighted
from labelrank_core.metrics.measure import Measure

TKV10 = (
    "G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Data Mining and Knowledge "
    "Discovery Handbook 2010"
)
GS04 = (
    "S. Godbole, S. Sarawagi: Discriminative methods for multi-labeled classification. PAKDD 2004"
)
V15 = "S. Vigna: A weighted correlation index for rankings with ties. WWW 2015"
JK02 = "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 2002"
EM02 = (
    "E. Emond, D. Mason: A new rank correlation coefficient with application to the consensus "
    "ranking problem. Journal of Multi-Criteria Decision Analysis 11, 2002"
)
KS62 = "J. Kemeny, J. Snell: Mathematical models in the social sciences. 1962"
F06 = (
    "R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee: Comparing partial rankings. SIAM "
    "Journal on Discrete Mathematics 20(3), 2006"
)
PV14 = (
    "Y. Prabhu, M. Varma: FastXML: a fast, accurate and stable tree-classifier for extreme "
    "multi-label learning. KDD 2014"
)


def _precision_at(k: int, first: str) -> Measure:
    return Measure(
        key=f"precision_at_{k}_score",
        title=f"Precision at {k}",
        function=partial(multilabel.precision_at_k_score, k=k),
        input="ranking",
        greater_is_better=True,
        definition=(
            f"The share of relevant labels among the {first} predicted, divided by {k} even where "
            "fewer labels are relevant."
        ),
        reference=PV14,
        level="further",
    )


def _ndcg_at(k: int, first: str) -> Measure:
    return Measure(
        key=f"ndcg_at_{k}_score",
        title=f"NDCG at {k}",
        function=partial(multilabel.ndcg_at_k_score, k=k),
        input="ranking",
        greater_is_better=True,
        definition=(
            f"NDCG of the {first} labels predicted: relevant ones add 1 / log2(place + 1), divided "
            f"by the best sum of {k} places. Cases without relevant labels count 1."
        ),
        reference=f"{JK02}; sklearn.metrics.ndcg_score, k={k}",
        level="further",
    )


FURTHER = (
    Measure(
        key="top_weighted_tau_score",
        title="Top-weighted tau",
        function=top_weighted.top_weighted_tau_score,
        input="positions",
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Kendall's tau in which a pair of labels at the true positions r and s weighs "
            "1/r + 1/s, so that errors at the top cost most."
        ),
        reference=f"{V15}; scipy.stats.weightedtau, rank = true position - 1",
        level="further",
    ),
    Measure(
        key="position_ndcg_score",
        title="NDCG of positions",
        function=top_weighted.position_ndcg_score,
        input="positions",
        greater_is_better=True,
        definition=(
            "Each label adds m minus its true position, divided by log2(predicted position + 1): "
            "the sum, divided by its value in the true order. Reversed rankings stay above 0."
        ),
        reference=f"{JK02}; sklearn.metrics.ndcg_score of these gains",
        level="further",
    ),
    Measure(
        key="tau_x_score",
        title="Tau x",
        function=tied.tau_x_score,
        input="positions",
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Kendall's tau in which a tie is an answer: of all pairs of labels, those predicted as "
            "in the truth, ties included, minus those predicted in the opposite order; a pair tied "
            "in only one of the two counts neither way."
        ),
        reference=EM02,
        level="further",
        for_ties=True,
    ),
    Measure(
        key="kemeny_distance",
        title="Kemeny distance",
        function=tied.kemeny_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "How far two rankings with ties are apart, 0 to m(m-1): a pair of labels in opposite "
            "order adds 2, one that is tied in only one of them 1."
        ),
        reference=KS62,
        level="further",
    ),
    Measure(
        key="kendall_p_distance",
        title="Kendall distance with ties",
        function=tied.kendall_p_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "How many pairs of labels are predicted in the opposite order, plus one half of those "
            "tied in either the truth or the prediction only, 0 to m(m-1)/2."
        ),
        reference=f"{F06}, K_prof",
        level="further",
    ),
    Measure(
        key="footrule_p_distance",
        title="Footrule distance with ties",
        function=tied.footrule_p_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "The difference between predicted and true place of a label, without its sign, summed "
            "over the labels, 0 to ⌊m²/2⌋; tied labels have the mean of their places, and cases "
            "whose true labels all tie count too."
        ),
        reference=f"{F06}, F_prof",
        level="further",
    ),
    Measure(
        key="samples_precision_score",
        title="Precision per case",
        function=label_sets.samples_precision_score,
        input="relevance",
        greater_is_better=True,
        definition=(
            "The share of a case's predicted labels that are relevant; 0 if none is predicted. The "
            "mean of the cases."
        ),
        reference=f"{TKV10}; sklearn.metrics.precision_score, average='samples', zero_division=0",
        level="further",
    ),
    Measure(
        key="samples_recall_score",
        title="Recall per case",
        function=label_sets.samples_recall_score,
        input="relevance",
        greater_is_better=True,
        definition=(
            "The share of a case's relevant labels that are predicted; 0 if none is relevant. The "
            "mean of the cases."
        ),
        reference=f"{TKV10}; sklearn.metrics.recall_score, average='samples', zero_division=0",
        level="further",
    ),
    Measure(
        key="samples_f1_score",
        title="F1 per case",
        function=label_sets.samples_f1_score,
        input="relevance",
        greater_is_better=True,
        definition=(
            "Twice the labels that are both relevant and predicted, divided by the number of "
            "relevant plus that of predicted ones; 0 if there are none. The mean of the cases."
        ),
        reference=f"{TKV10}; sklearn.metrics.f1_score, average='samples', zero_division=0",
        level="further",
    ),
    Measure(
        key="samples_jaccard_score",
        title="Jaccard similarity",
        function=label_sets.samples_jaccard_score,
        input="relevance",
        greater_is_better=True,
        definition=(
            "The labels that are both relevant and predicted, divided by those that are either; 0 "
            "if there are none. The mean of the cases; called accuracy in MULAN and MEKA."
        ),
        reference=f"{GS04}; sklearn.metrics.jaccard_score, average='samples', zero_division=0",
        level="further",
    ),
    Measure(
        key="macro_precision_score",
        title="Macro precision",
        function=labels.macro_precision_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
        definition=(
            "Of the cases a label is predicted for, the share that has it; 0 for a label never "
            "predicted. The mean of the labels."
        ),
        reference=f"{TKV10}; sklearn.metrics.precision_score, zero_division=0",
        level="further",
    ),
    Measure(
        key="macro_recall_score",
        title="Macro recall",
        function=labels.macro_recall_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
        definition=(
            "Of the cases that have a label, the share it is predicted for; 0 for a label that no "
            "case has. The mean of the labels."
        ),
        reference=f"{TKV10}; sklearn.metrics.recall_score, zero_division=0",
        level="further",
    ),
    Measure(
        key="micro_precision_score",
        title="Micro precision",
        function=labels.micro_precision_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
        definition="Of all labels predicted for all cases, the share that is relevant.",
        reference=f"{TKV10}; sklearn.metrics.precision_score, zero_division=0",
        level="further",
    ),
    Measure(
        key="micro_recall_score",
        title="Micro recall",
        function=labels.micro_recall_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
        definition="Of all relevant labels of all cases, the share that is predicted.",
        reference=f"{TKV10}; sklearn.metrics.recall_score, zero_division=0",
        level="further",
    ),
    _precision_at(1, "first label"),
    _precision_at(3, "first three labels"),
    _precision_at(5, "first five labels"),
    _ndcg_at(3, "first three"),
    _ndcg_at(5, "first five"),
    Measure(
        key="macro_average_precision_score",
        title="Average precision per label",
        function=labels.macro_average_precision_score,
        has_cases=False,
        input="scores",
        greater_is_better=True,
        definition=(
            "The cases in the order of their scores for a label: down to each that has it, the "
            "share that has it. The mean of these shares and of the labels (MAP); labels that no "
            "case has are left out."
        ),
        reference=f"{TKV10}; sklearn.metrics.average_precision_score",
        level="further",
    ),
    Measure(
        key="log_loss",
        title="Log loss",
        function=multilabel.log_loss,
        input="probabilities",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "The negative natural logarithm of the probability given to the truth of a label, on "
            "average over labels; 0.693 for probabilities of one half. Only of methods that "
            "predict probabilities."
        ),
        reference="sklearn.metrics.log_loss, mean of the labels; J. Read: Scalable multi-label "
        "classification. University of Waikato 2010",
        level="further",
    ),
)
