"""The one list of measures: what each means, what it takes, which way is better."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.dataset import Task
from labelrank_core.metrics import multilabel, ranking
from labelrank_core.metrics._common import mean_of_cases
from labelrank_core.rankings import FloatArray

RANKS = (Task.LABEL_RANKING, Task.CALIBRATED_RANKING)
HAS_ZERO_LINE = tuple(task for task in Task if task.has_zero_line)

LR06 = "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006"
MLKNN05 = (
    "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label classification. "
    "IEEE GrC 2005"
)


@dataclass(frozen=True)
class Measure:
    """One measure of predictions.

    Parameters
    ----------
    key : str
        Name of its function in `labelrank_core.metrics`.
    title : str
        What a table calls it.
    per_case : callable
        ``(truth, prediction) -> (n_samples,)``, NaN for a case without a value.
    input : {"positions", "relevance", "scores"}
        What the prediction is; the truth is positions for positions and relevance otherwise.
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
    """

    key: str
    title: str
    per_case: Callable[[ArrayLike, ArrayLike], FloatArray]
    input: Literal["positions", "relevance", "scores"]
    tasks: tuple[Task, ...]
    greater_is_better: bool
    value_range: tuple[float, float]
    definition: str
    reference: str

    def mean(self, Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
        """Average the cases that have a value; NaN where none has.

        Parameters
        ----------
        Y_true, Y_pred : array-like of shape (n_samples, n_labels)
            Truth and prediction, as `input` says.

        Returns
        -------
        float
            The mean.

        Examples
        --------
        >>> METRICS["hamming_loss"].mean([[1, 0]], [[1, 1]])
        0.5
        """
        return mean_of_cases(self.per_case(Y_true, Y_pred))


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
