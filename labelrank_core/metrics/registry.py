"""The one list of measures: what each means, what it takes, which way is better."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Task
from labelrank_core.metrics import labels, multilabel, ranking
from labelrank_core.metrics._common import mean_of_cases
from labelrank_core.rankings import FloatArray

RANKS = (Task.LABEL_RANKING, Task.CALIBRATED_RANKING)
HAS_ZERO_LINE = tuple(task for task in Task if task.has_zero_line)

LR06 = "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006"
MLKNN05 = (
    "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label classification. "
    "IEEE GrC 2005"
)
MLR07 = "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007"
HF07 = "E. Hüllermeier, J. Fürnkranz: On minimizing the position error in label ranking. ECML 2007"
JK02 = "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 2002"
MLLS08 = (
    "S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label "
    "classification. ACM TKDD 2010"
)


@dataclass(frozen=True)
class Measure:
    """One measure of predictions: a mean of cases, or made of all cases together.

    Parameters
    ----------
    key : str
        Name of its function in `labelrank_core.metrics`, with the number in place of ``k``.
    title : str
        What a table calls it.
    input : {"positions", "relevance", "scores", "calibrated"}
        What the prediction is; the truth is positions for positions, positions with the virtual
        label's last for calibrated ones, and relevance otherwise.
    tasks : tuple of Task
        The tasks whose predictions it measures. For calibrated rankings, measures on positions
        look at the ranking of the labels alone.
    greater_is_better : bool
        Which way is better.
    value_range : tuple of float
        Least and largest value; infinite where the largest grows with the number of labels.
    definition : str
        What it measures and how it is computed, for a newcomer.
    reference : str
        Where it is defined.
    per_case : callable or None
        ``(truth, prediction) -> (n_samples,)``, NaN for a case without a value; None for a
        measure that no single case has.
    per_label : callable or None
        ``(truth, prediction) -> (n_labels,)`` for a measure that is made of labels, NaN for a
        label without a value.
    whole : callable or None
        ``(truth, prediction) -> float`` for a measure that is not the mean of cases.
    """

    key: str
    title: str
    input: Literal["positions", "relevance", "scores", "calibrated"]
    tasks: tuple[Task, ...]
    greater_is_better: bool
    value_range: tuple[float, float]
    definition: str
    reference: str
    per_case: Callable[[ArrayLike, ArrayLike], FloatArray] | None = None
    per_label: Callable[[ArrayLike, ArrayLike], FloatArray] | None = None
    whole: Callable[[ArrayLike, ArrayLike], float] | None = None

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which way is better, in a word."""
        return "higher" if self.greater_is_better else "lower"

    @property
    def title_with_arrow(self) -> str:
        """The title, and an arrow that points to the better side."""
        return f"{self.title} {'↑' if self.greater_is_better else '↓'}"

    def mean(self, Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
        """Measure all cases: the mean of those that have a value, or what `whole` says of them.

        Parameters
        ----------
        Y_true, Y_pred : array-like of shape (n_samples, n_labels)
            Truth and prediction, as `input` says.

        Returns
        -------
        float
            The value; NaN where no case has one.

        Examples
        --------
        >>> METRICS["hamming_loss"].mean([[1, 0]], [[1, 1]])
        0.5
        """
        if self.per_case is not None:
            return mean_of_cases(self.per_case(Y_true, Y_pred))
        if self.whole is None:
            raise ValueError(f"Expected cases or a whole to measure in {self.key}.")
        return self.whole(Y_true, Y_pred)


_MEASURES = (
    Measure(
        key="kendall_tau_score",
        title="Kendall's tau",
        per_case=ranking.kendall_tau_score_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Of the pairs of labels that the true ranking orders, how many more are predicted in "
            "the right order than in the wrong one: (right - wrong) / pairs."
        ),
        reference=f"{LR06}, section 5",
    ),
    Measure(
        key="spearman_rho_score",
        title="Spearman's rho",
        per_case=ranking.spearman_rho_score_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "How close the predicted places of the labels are to the true ones, large misses "
            "weighing most: 1 - 2 * sum of squared differences / its largest value, m(m²-1)/3."
        ),
        reference=f"{LR06}, section 5",
    ),
    Measure(
        key="footrule_score",
        title="Footrule similarity",
        per_case=ranking.footrule_score_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "How close the predicted places of the labels are to the true ones, every place "
            "weighing the same: 1 - 2 * sum of absolute differences / its largest value, ⌊m²/2⌋."
        ),
        reference=f"{LR06}, section 5",
    ),
    Measure(
        key="kendall_distance",
        title="Kendall distance",
        per_case=ranking.kendall_distance_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "How many pairs of labels are predicted in the wrong order, 0 to m(m-1)/2; a predicted "
            "tie counts one half."
        ),
        reference=f"{LR06}, eq. 2",
    ),
    Measure(
        key="spearman_distance",
        title="Squared rank distance",
        per_case=ranking.spearman_distance_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "The difference between predicted and true place of a label, squared and summed over "
            "the labels, 0 to m(m²-1)/3."
        ),
        reference=f"{LR06}, section 3",
    ),
    Measure(
        key="footrule_distance",
        title="Footrule distance",
        per_case=ranking.footrule_distance_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "The difference between predicted and true place of a label, without its sign, summed "
            "over the labels, 0 to ⌊m²/2⌋."
        ),
        reference=f"{LR06}, section 3",
    ),
    Measure(
        key="position_error",
        title="Position error",
        per_case=ranking.position_error_per_case,
        input="positions",
        tasks=RANKS,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "How many labels one tries in vain, going down the predicted ranking, before the truly "
            "first one: its predicted place minus 1, 0 to m-1."
        ),
        reference=HF07,
    ),
    Measure(
        key="top_1_score",
        title="First label right",
        per_case=partial(ranking.top_k_score_per_case, k=1),
        input="positions",
        tasks=RANKS,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition="The share of cases whose truly first label is predicted first.",
        reference="sklearn.metrics.top_k_accuracy_score of the first label, k=1",
    ),
    Measure(
        key="top_2_score",
        title="First label in the top 2",
        per_case=partial(ranking.top_k_score_per_case, k=2),
        input="positions",
        tasks=RANKS,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "The share of cases whose truly first label is the first or the second predicted one."
        ),
        reference="sklearn.metrics.top_k_accuracy_score of the first label, k=2",
    ),
    Measure(
        key="hamming_loss",
        title="Hamming loss",
        per_case=multilabel.hamming_loss_per_case,
        input="relevance",
        tasks=HAS_ZERO_LINE,
        greater_is_better=False,
        value_range=(0.0, 1.0),
        definition=(
            "The share of labels predicted wrongly: relevant ones left out and irrelevant ones "
            "included, divided by the number of labels."
        ),
        reference=f"{MLKNN05}, eq. 2",
    ),
    Measure(
        key="subset_accuracy_score",
        title="Subset accuracy",
        per_case=multilabel.subset_accuracy_score_per_case,
        input="relevance",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition="The share of cases whose set of relevant labels is predicted without an error.",
        reference=(
            "G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Data Mining and "
            "Knowledge Discovery Handbook 2010 (there: classification accuracy)"
        ),
    ),
    Measure(
        key="macro_f1_score",
        title="Macro F1",
        per_label=labels.f1_score_per_label,
        whole=labels.macro_f1_score,
        input="relevance",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "The mean of the labels' F1, rare labels weighing as much as frequent ones. F1 = 2 "
            "found / (2 found + wrongly included + missed); 0 for a label neither true nor "
            "predicted anywhere."
        ),
        reference=f"{MLLS08}, section 6; sklearn.metrics.f1_score, zero_division=0",
    ),
    Measure(
        key="micro_f1_score",
        title="Micro F1",
        per_label=labels.f1_score_per_label,
        whole=labels.micro_f1_score,
        input="relevance",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "F1 of the decisions about all labels together, so that frequent labels weigh most: "
            "2 found / (2 found + wrongly included + missed)."
        ),
        reference=f"{MLLS08}, section 6; sklearn.metrics.f1_score, zero_division=0",
    ),
    Measure(
        key="one_error",
        title="One-error",
        per_case=multilabel.one_error_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=False,
        value_range=(0.0, 1.0),
        definition=(
            "The share of cases in which the label with the highest score is not a relevant one."
        ),
        reference=f"{MLKNN05}, eq. 3",
    ),
    Measure(
        key="coverage_error",
        title="Coverage",
        per_case=multilabel.coverage_error_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "How many steps one goes down the predicted order of the labels, on average, until all "
            "relevant ones are found: the place of the last one minus 1, 0 to m-1."
        ),
        reference=f"{MLKNN05}, eq. 4",
    ),
    Measure(
        key="coverage_place_error",
        title="Coverage (scikit-learn)",
        per_case=multilabel.coverage_place_error_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=False,
        value_range=(0.0, np.inf),
        definition=(
            "The place of the last relevant label in the predicted order, counted from 1, so up to "
            "m: the paper's coverage plus 1. Cases without relevant labels count 0 in both."
        ),
        reference="sklearn.metrics.coverage_error",
    ),
    Measure(
        key="ranking_loss",
        title="Ranking loss",
        per_case=multilabel.ranking_loss_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=False,
        value_range=(0.0, 1.0),
        definition=(
            "Of the pairs of a relevant and an irrelevant label, the share in which the relevant "
            "one does not have the higher score."
        ),
        reference=f"{MLKNN05}, eq. 5",
    ),
    Measure(
        key="average_precision_score",
        title="Average precision",
        per_case=multilabel.average_precision_score_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "Going down the predicted order to each relevant label in turn, which share of the "
            "labels passed is relevant: the mean of these shares."
        ),
        reference=f"{MLKNN05}, eq. 6",
    ),
    Measure(
        key="hit_at_3_score",
        title="Relevant label in the top 3",
        per_case=partial(multilabel.hit_at_k_score_per_case, k=3),
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "The share of cases with a relevant label among the three with the highest scores; "
            "cases without relevant labels count as right."
        ),
        reference="sklearn.metrics.top_k_accuracy_score, where one label is relevant, k=3",
    ),
    Measure(
        key="ndcg_score",
        title="NDCG",
        per_case=multilabel.ndcg_score_per_case,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "Relevant labels add 1 / log2(place + 1), the more the further ahead they are "
            "predicted: the sum, divided by its value in the best order. Ties share their places; "
            "cases without relevant labels count 1."
        ),
        reference=f"{JK02}; sklearn.metrics.ndcg_score",
    ),
    Measure(
        key="macro_auc_score",
        title="AUC",
        per_label=labels.auc_score_per_label,
        whole=labels.macro_auc_score,
        input="scores",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(0.0, 1.0),
        definition=(
            "Of a case with a label and one without it, how often the former has the higher score "
            "for it; 0.5 by guessing. The mean of the labels; those that all cases have, or none, "
            "are left out."
        ),
        reference=f"{MLLS08}, section 6; sklearn.metrics.roc_auc_score",
    ),
    Measure(
        key="calibrated_spearman_score",
        title="Rho with the zero line",
        per_case=ranking.calibrated_spearman_score_per_case,
        input="calibrated",
        tasks=HAS_ZERO_LINE,
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Spearman's rho of the predicted ranking with the zero line in it; of labels without a "
            "true order the truth is three buckets: relevant, zero line, others. Tied labels have "
            "the mean of their places, so the best prediction of tied ones stays below 1."
        ),
        reference=f"{MLR07}, eq. 1 and section 6",
    ),
)

METRICS: Mapping[str, Measure] = MappingProxyType({measure.key: measure for measure in _MEASURES})


def measures_for(task: Task) -> tuple[Measure, ...]:
    """List the measures that fit a task, the one to look at first leading.

    Parameters
    ----------
    task : Task
        What the targets are.

    Returns
    -------
    tuple of Measure
        Ranking measures, then those of label sets and scores.

    Examples
    --------
    >>> [measure.key for measure in measures_for(Task.LABEL_RANKING)][:2]
    ['kendall_tau_score', 'spearman_rho_score']
    """
    return tuple(measure for measure in _MEASURES if task in measure.tasks)
