"""The list of all measures, the main ones first."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from types import MappingProxyType

from labelrank_core.data.dataset import Task
from labelrank_core.metrics import labels, multilabel, ranking
from labelrank_core.metrics.further import FURTHER, JK02
from labelrank_core.metrics.known_pairs import pair_tau_score
from labelrank_core.metrics.measure import Measure

LR06 = "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006"
MLKNN05 = (
    "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label classification. "
    "IEEE GrC 2005"
)
MLR07 = "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007"
HF07 = "E. Hüllermeier, J. Fürnkranz: On minimizing the position error in label ranking. ECML 2007"
MLLS08 = (
    "S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label "
    "classification. ACM TKDD 2010"
)


_MEASURES = (
    Measure(
        key="kendall_tau_score",
        title="Kendall's tau",
        function=ranking.kendall_tau_score,
        input="positions",
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
        function=ranking.spearman_rho_score,
        input="positions",
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
        function=ranking.footrule_score,
        input="positions",
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
        function=ranking.kendall_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "How many pairs of labels are predicted in the wrong order, 0 to m(m-1)/2; a predicted "
            "tie counts one half."
        ),
        reference=f"{LR06}, eq. 2",
    ),
    Measure(
        key="spearman_distance",
        title="Squared rank distance",
        function=ranking.spearman_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "The difference between predicted and true place of a label, squared and summed over "
            "the labels, 0 to m(m²-1)/3."
        ),
        reference=f"{LR06}, section 3",
    ),
    Measure(
        key="footrule_distance",
        title="Footrule distance",
        function=ranking.footrule_distance,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "The difference between predicted and true place of a label, without its sign, summed "
            "over the labels, 0 to ⌊m²/2⌋."
        ),
        reference=f"{LR06}, section 3",
    ),
    Measure(
        key="position_error",
        title="Position error",
        function=ranking.position_error,
        input="positions",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "How many labels are predicted ahead of the truly first one: its predicted place minus "
            "1, 0 to m-1."
        ),
        reference=HF07,
    ),
    Measure(
        key="top_1_score",
        title="First label right",
        function=partial(ranking.top_k_score, k=1),
        input="positions",
        greater_is_better=True,
        definition="The share of cases whose truly first label is predicted first.",
        reference="sklearn.metrics.top_k_accuracy_score of the first label, k=1",
    ),
    Measure(
        key="top_2_score",
        title="First label in the top 2",
        function=partial(ranking.top_k_score, k=2),
        input="positions",
        greater_is_better=True,
        definition=(
            "The share of cases whose truly first label is the first or the second predicted one."
        ),
        reference="sklearn.metrics.top_k_accuracy_score of the first label, k=2",
    ),
    Measure(
        key="hamming_loss",
        title="Hamming loss",
        function=multilabel.hamming_loss,
        input="relevance",
        greater_is_better=False,
        definition=(
            "The share of labels predicted wrongly: relevant ones left out and irrelevant ones "
            "included, divided by the number of labels."
        ),
        reference=f"{MLKNN05}, eq. 2",
    ),
    Measure(
        key="subset_accuracy_score",
        title="Subset accuracy",
        function=multilabel.subset_accuracy_score,
        input="relevance",
        greater_is_better=True,
        definition="The share of cases whose set of relevant labels is predicted without an error.",
        reference=(
            "G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Data Mining and "
            "Knowledge Discovery Handbook 2010 (there: classification accuracy)"
        ),
    ),
    Measure(
        key="macro_f1_score",
        title="Macro F1",
        function=labels.macro_f1_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
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
        function=labels.micro_f1_score,
        has_cases=False,
        input="relevance",
        greater_is_better=True,
        definition=(
            "F1 of the decisions about all labels together, so that frequent labels weigh most: "
            "2 found / (2 found + wrongly included + missed)."
        ),
        reference=f"{MLLS08}, section 6; sklearn.metrics.f1_score, zero_division=0",
    ),
    Measure(
        key="one_error",
        title="One-error",
        function=multilabel.one_error,
        input="ranking",
        greater_is_better=False,
        definition="The share of cases in which the label predicted first is not a relevant one.",
        reference=f"{MLKNN05}, eq. 3",
    ),
    Measure(
        key="coverage_error",
        title="Coverage",
        function=multilabel.coverage_error,
        input="ranking",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "How many steps one goes down the predicted order of the labels, on average, until all "
            "relevant ones are found: the place of the last one minus 1, 0 to m-1."
        ),
        reference=f"{MLKNN05}, eq. 4",
    ),
    Measure(
        key="coverage_place_error",
        title="Coverage (scikit-learn)",
        function=multilabel.coverage_place_error,
        input="ranking",
        greater_is_better=False,
        value_range=(0.0, inf),
        definition=(
            "The place of the last relevant label in the predicted order, counted from 1, so up to "
            "m: the paper's coverage plus 1. Cases without relevant labels count 0 in both."
        ),
        reference="sklearn.metrics.coverage_error",
    ),
    Measure(
        key="ranking_loss",
        title="Ranking loss",
        function=multilabel.ranking_loss,
        input="ranking",
        greater_is_better=False,
        definition=(
            "Of the pairs of a relevant and an irrelevant label, the share in which the irrelevant "
            "one is predicted ahead."
        ),
        reference=f"{MLKNN05}, eq. 5",
    ),
    Measure(
        key="average_precision_score",
        title="Average precision",
        function=multilabel.average_precision_score,
        input="ranking",
        greater_is_better=True,
        definition=(
            "Going down the predicted order to each relevant label in turn, which share of the "
            "labels passed is relevant: the mean of these shares."
        ),
        reference=f"{MLKNN05}, eq. 6",
    ),
    Measure(
        key="hit_at_3_score",
        title="Relevant label in the top 3",
        function=partial(multilabel.hit_at_k_score, k=3),
        input="ranking",
        greater_is_better=True,
        definition=(
            "The share of cases with a relevant label among the first three predicted; cases "
            "without relevant labels count as right."
        ),
        reference="sklearn.metrics.top_k_accuracy_score, where one label is relevant, k=3",
    ),
    Measure(
        key="ndcg_score",
        title="NDCG",
        function=multilabel.ndcg_score,
        input="ranking",
        greater_is_better=True,
        definition=(
            "Relevant labels add 1 / log2(place + 1), the more the further ahead they are "
            "predicted: the sum, divided by its value in the best order. Cases without relevant "
            "labels count 1."
        ),
        reference=f"{JK02}; sklearn.metrics.ndcg_score",
    ),
    Measure(
        key="macro_auc_score",
        title="AUC",
        function=labels.macro_auc_score,
        has_cases=False,
        input="scores",
        greater_is_better=True,
        definition=(
            "Of a case with a label and one without it, how often the former has the higher score "
            "for it; 0.5 by chance. The mean of the labels; those that all cases have, or none, "
            "are left out."
        ),
        reference=f"{MLLS08}, section 6; sklearn.metrics.roc_auc_score",
    ),
    Measure(
        key="calibrated_spearman_score",
        title="Rho with the zero line",
        function=ranking.calibrated_spearman_score,
        input="calibrated",
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Spearman's rho of the predicted ranking with the zero line in it; of labels without a "
            "true order the truth is three buckets: relevant, zero line, others. Tied labels have "
            "the mean of their places, so the best prediction of tied ones stays below 1."
        ),
        reference=f"{MLR07}, eq. 1 and section 6",
    ),
    Measure(
        key="pair_tau_score",
        title="Kendall's tau of known pairs",
        function=pair_tau_score,
        input="pairs",
        greater_is_better=True,
        value_range=(-1.0, 1.0),
        definition=(
            "Of the pairs of labels that a case is known to compare, how many more are predicted "
            "in the right order than in the wrong one: (right - wrong) / known pairs."
        ),
        reference=f"{LR06}, section 6",
    ),
)


def _of_raw_scores(key: str, ties: str) -> Measure:
    """Return a ranking measure as papers print it: of the scores before thresholds."""
    measure = next(candidate for candidate in _MEASURES if candidate.key == key)
    definition = f"{measure.title} of the scores before thresholds, as papers print it: {ties}"
    return replace(
        measure,
        key=f"raw_{key}",
        title=f"{measure.title} (raw scores)",
        input="raw_scores",
        definition=definition,
    )


_TIES_ARE_ERRORS = "a label with the same score as a relevant one counts as ahead of it."
# Thresholds and broken ties change the order of the scores.
_READINGS = (
    _of_raw_scores(
        "one_error", "of labels with the same score the first in the list of labels counts."
    ),
    _of_raw_scores("coverage_error", _TIES_ARE_ERRORS),
    _of_raw_scores("ranking_loss", _TIES_ARE_ERRORS),
    _of_raw_scores("average_precision_score", _TIES_ARE_ERRORS),
)
_BY_KEY = {measure.key: measure for measure in (*_MEASURES, *_READINGS, *FURTHER)}
METRICS: Mapping[str, Measure] = MappingProxyType(_BY_KEY)


def measures_for(task: Task, *, ties: bool = False) -> tuple[Measure, ...]:
    """List the measures that fit a task, the most important one first.

    Pages, experiments and tuning judge by the first one.

    Parameters
    ----------
    task : Task
        The kind of targets.
    ties : bool, default=False
        Whether rankings, real or predicted, tie labels. tau_x, for which a tie is an answer, is
        then the first measure of rankings.

    Returns
    -------
    tuple of Measure
        Main measures first; among those of a level ranking measures, then those of label sets and
        scores.

    Examples
    --------
    >>> [measure.key for measure in measures_for(Task.LABEL_RANKING)][:2]
    ['kendall_tau_score', 'spearman_rho_score']
    >>> [measure.key for measure in measures_for(Task.LABEL_RANKING, ties=True)][:2]
    ['tau_x_score', 'kendall_tau_score']
    """
    fitting = (measure for measure in METRICS.values() if measure.fits(task))
    return _by_importance(fitting, ties=ties)


def shown_measures(keys: Iterable[str], *, ties: bool) -> tuple[Measure, ...]:
    """List the measures that tables on a screen show, the most important one first.

    Parameters
    ----------
    keys : iterable of str
        Keys of `METRICS`.
    ties : bool
        Whether rankings, real or predicted, tie labels: as for `measures_for`.

    Returns
    -------
    tuple of Measure
        Those in the order of the keys, but tau_x first where rankings tie labels.

    Examples
    --------
    >>> shown = shown_measures(["kendall_tau_score", "tau_x_score", "log_loss"], ties=True)
    >>> [measure.key for measure in shown]
    ['tau_x_score', 'kendall_tau_score']
    """
    measures = [METRICS[key] for key in keys if METRICS[key].is_shown(ties=ties)]
    return _by_importance(measures, ties=ties)


def _by_importance(measures: Iterable[Measure], *, ties: bool) -> tuple[Measure, ...]:
    """Put the measure for which a tie is an answer first where rankings tie labels."""
    return tuple(sorted(measures, key=lambda measure: not (ties and measure.for_ties)))
