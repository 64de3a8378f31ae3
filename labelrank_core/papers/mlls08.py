"""Ji, Tang, Yu and Ye 2010: the printed tables."""

from labelrank_core.experiments import Protocol
from labelrank_core.papers.facts import page_counts
from labelrank_core.papers.figures_in_print import MLLS08_TIMES
from labelrank_core.papers.table import Block, Erratum, Paper, Reason, Table, Trial

_TOLERANCE = 0.01


def _draws(measure: str) -> Protocol:
    return Protocol(
        kind="holdout", n_repeats=30, train_rows=1000, tuning_folds=5, tuning_measure=measure
    )


_BLOCKS = (
    Block("AUC", "macro_auc_score", _TOLERANCE, _draws("macro_f1_score"), "label_macro_f1"),
    Block("Macro F1", "macro_f1_score", _TOLERANCE, _draws("macro_f1_score"), "label_macro_f1"),
    Block("Micro F1", "micro_f1_score", _TOLERANCE, _draws("micro_f1_score"), "global_micro_f1"),
)
_TUNED = (
    "The paper tunes thresholds on training scores, which overfits; here on out-of-fold scores."
)
_OVERFIT = tuple(
    Reason(
        f"{_TUNED} {measured}",
        columns=columns,
        blocks=("Macro F1", "Micro F1"),
        verdicts=("above",),
    )
    for columns, measured in (
        (
            ("ML_LS",),
            "On two draws of Arts that is macro F1 0.33 and 0.34 against 0.42 and 0.41, micro F1 "
            "0.45 and 0.43 against 0.49 and 0.50.",
        ),
        (("SVM",), "On two draws of Arts that is macro F1 0.33 and 0.31 against 0.43 and 0.40."),
        (
            ("CCA+Ridge", "CCA+SVM"),
            "On two draws of Arts that is macro F1 0.33 and 0.34 against 0.42 and 0.41.",
        ),
    )
)
_CENTRED = Reason(
    "Features are centred here, which the paper does not mention.",
    columns=("ML_LS", "CCA+Ridge", "CCA+SVM"),
    blocks=("AUC",),
    verdicts=("above",),
)
_HINGE = Reason(
    "scikit-learn's squared hinge loss here, LIBSVM's plain one in the paper, which reaches 0.770 "
    "on Arts at C = 1 but 0.744 at C = 1000.",
    columns=("SVM",),
    blocks=("AUC",),
    verdicts=("above",),
)
_START = Reason(
    "The paper states neither the dimensions of the subspace nor where the search for it starts, "
    "and the problem is not convex. Thresholds tuned on training scores, as in the paper, explain "
    "little: on two draws of Arts macro F1 0.39 and 0.41 against 0.41 and 0.41.",
    columns=("ASO_SVM",),
)
_UNSTATED = Reason(
    "The paper states C = 5000 and nothing else: neither how features, losses and intercepts are "
    "scaled nor whether thresholds are tuned. Here scores are compared with 0.",
    columns=("SVM_perf",),
)
_PROTOCOL = (
    "1000 random pages that contain every topic train, all others test; parameters are tuned in "
    "five folds of the training pages. The paper has the mean of 30 draws, of 10 for ASO_SVM, and "
    "tunes thresholds on training scores. Here it is 5 draws, and thresholds are tuned on "
    "out-of-fold scores, those of SVM_perf not at all. Within: 0.01."
)
_NOT_AHEAD = (
    "Recomputed, the paper's ML_LS is not ahead: of the six methods it ranks 2nd on Arts and 6th "
    "on Education by AUC, 2nd and 5th by macro F1, 4th and 4th by micro F1. Five draws stand for "
    "the paper's 30."
)


def _table(key: str, title: str, lines: tuple[int, int], remark: str = "") -> Table:
    return Table(
        key=key,
        paper="mlls08",
        title=title,
        lines=lines,
        rows="columns",
        blocks=_BLOCKS,
        source="pages",
        protocol=_PROTOCOL,
        reasons=(*_OVERFIT, _CENTRED, _HINGE, _START, _UNSTATED),
        titles={"Computer": "Computers"},
        remark=remark,
    )


_TABLE_2 = Table(
    key="II",
    paper="mlls08",
    title="The size of eleven sets of web pages",
    lines=(383, 394),
    rows="data",
    blocks=(Block("Counts"),),
    quantities=("m", "d", "N", "MaxNPI", "MinNPI"),
    source="pages",
    facts=page_counts,
    protocol=(
        "Topics of at least 100 pages, pages with a topic, words in at least 5 pages; m topics, d "
        "words, N pages; MaxNPI and MinNPI are the pages of the most and the least frequent topic."
    ),
)
PAPER = Paper(
    key="mlls08",
    short="MLLS-08",
    title="A shared-subspace learning framework for multi-label classification",
    authors="S. Ji, L. Tang, S. Yu, J. Ye",
    year="2010",
    where="ACM TKDD",
    link=(
        "https://asu.pure.elsevier.com/en/publications/"
        "a-shared-subspace-learning-framework-for-multi-label-classificati"
    ),
    sentences=(
        "Every label gets a score, a weighted sum of the features.",
        "The weights have two parts: one of the label's own, one in a space all labels share.",
        "Two penalties, α and β, say how much is shared and how small the weights are.",
        "The best solution comes from one decomposition of the data, for all penalties at once.",
        "In print, it is better on web pages than methods that learn every label alone.",
    ),
    defines=(
        ("Shared subspace", "a few combinations of features that all labels use"),
        ("α and β", "the penalty on a label's own part, and on all weights"),
        (
            "Special cases",
            "ridge regression (α = 0), partial least squares (α → ∞), Ando–Zhang (β = 0)",
        ),
    ),
    tables=(
        _TABLE_2,
        _table("III", "Six methods on the first six sets of web pages", (406, 424), _NOT_AHEAD),
        _table("IV", "Six methods on the last five sets of web pages", (428, 446)),
    ),
    silent=(
        ("Table I", "costs as formulas, without numbers"),
        ("Tables V and VI", "p-values of differences between 30 draws; not recomputed"),
        ("Tables VII–X", "images of gene expression, whose kernels are not public"),
        (
            "Figs 1 and 2",
            "computing times: curves, without printed numbers. 'Figs 1 and 2' has ours on two sets",
        ),
        (
            "Fig. 3",
            "macro F1 over α and β; only its axes have printed numbers. 'Try it' draws one like it",
        ),
    ),
    figures=(MLLS08_TIMES,),
    errata=(
        Erratum(
            "Section 2, no intercept",
            "Features must be centred.",
            "Without it 1000 pages of Arts give AUC 0.70; with it 0.776; the paper prints 0.761.",
        ),
        Erratum(
            "Section 2.4",
            "The pencil of the eigenproblem is once written the other way round: it is S₁⁻¹S₂.",
            "Only then does Θ span the top directions and α = 0 give ridge regression.",
        ),
        Erratum(
            "Section 6.1, r = 5·⌊(m − 1)/5⌋",
            "For five labels or fewer this is 0; at least 1 is needed.",
            "At r ≥ rank(XᵀY) the solution is plain ridge regression and α has no effect.",
        ),
        Erratum(
            "Section 6.1, thresholds",
            "Thresholds must be tuned on scores of pages that the model has not seen.",
            "On two draws of Arts, macro F1 of ML_LS is 0.33 and 0.34 with thresholds tuned on "
            "training scores, 0.42 and 0.41 out of fold (print 0.357).",
        ),
    ),
    trials=(
        Trial(
            "Own part and shared part of a score",
            "predict",
            {"data": "songs", "method": "Shared-subspace least squares"},
        ),
        Trial(
            "Draw a map like Fig. 3",
            "sensitivity",
            {"data": "songs", "method": "Shared-subspace least squares"},
        ),
    ),
)
