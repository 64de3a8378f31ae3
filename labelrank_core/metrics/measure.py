"""A measure as the registry lists it: its meaning, its input, and which direction is better."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.rankings import FloatArray, calibrate

Input = Literal[
    "positions",
    "relevance",
    "ranking",
    "scores",
    "raw_scores",
    "probabilities",
    "calibrated",
    "pairs",
]


@dataclass(frozen=True)
class Measure:
    """A measure of predictions: a mean over cases, or a value of all cases together.

    Parameters
    ----------
    key : str
        Short stable name: that of its function in `labelrank_core.metrics`, with the number instead
        of ``k``; with the prefix ``raw_`` if its input is raw scores instead of a ranking.
    title : str
        Its name in tables.
    function : callable
        ``(truth, prediction) -> float``; with ``average=None`` one value per case, NaN = none.
    input : {"positions", "relevance", "ranking", "scores", "raw_scores", "probabilities", \
"calibrated", "pairs"}
        The predictions it needs. Positions are compared with true positions, "calibrated" ones with
        those of the labels and the virtual label, "pairs", which are positions too, with
        `PairPreferences`, everything else with relevance. "ranking" is the
        predicted order of the labels; the function gets its positions negated, as scores.
    greater_is_better : bool
        Whether higher values are better.
    definition : str
        What it measures and how it is computed, for a newcomer.
    reference : str
        The publication or function that defines it.
    value_range : tuple of float, default=(0, 1)
        Least and largest value; infinite where the largest grows with the number of labels.
    has_cases : bool, default=True
        Whether single cases have a value; the measure is then their mean.
    level : {"main", "further"}, default="main"
        Further measures are computed and exported with the others, but tables on a screen show the
        main ones.
    for_ties : bool, default=False
        Whether it counts a predicted tie as an answer: where rankings tie labels, tables on a
        screen show it though it is a further one, and it comes first.
    """

    key: str
    title: str
    function: Callable[..., Any]
    input: Input
    greater_is_better: bool
    definition: str
    reference: str
    value_range: tuple[float, float] = (0.0, 1.0)
    has_cases: bool = True
    level: Literal["main", "further"] = "main"
    for_ties: bool = False

    @property
    def better(self) -> Literal["higher", "lower"]:
        """The better direction, in a word."""
        return "higher" if self.greater_is_better else "lower"

    @property
    def perfect(self) -> float:
        """The best value that the measure can have."""
        low, high = self.value_range
        return high if self.greater_is_better else low

    @property
    def title_with_arrow(self) -> str:
        """The title, with an arrow in the better direction."""
        return f"{self.title} {'↑' if self.greater_is_better else '↓'}"

    def fits(self, task: Task) -> bool:
        """Tell whether the measure can be computed for a task.

        Parameters
        ----------
        task : Task
            The kind of targets.

        Returns
        -------
        bool
            For positions, whether labels are ranked; for pairs, whether the targets are some; else
            whether there is a zero line.
        """
        if self.input == "pairs":
            return task is Task.PAIR_PREFERENCES
        return task.has_rankings if self.input == "positions" else task.has_zero_line

    def is_shown(self, *, ties: bool) -> bool:
        """Tell whether tables on a screen show the measure.

        Parameters
        ----------
        ties : bool
            Whether rankings, real or predicted, tie labels.

        Returns
        -------
        bool
            Whether it is a main one, or one for ties and there are some.
        """
        return self.level == "main" or (self.for_ties and ties)

    def truth(self, dataset: Dataset, rows: Any) -> Any:
        """Return the truth that predictions are compared with.

        Parameters
        ----------
        dataset : Dataset
            The data, of a task that fits.
        rows : index of rows
            The rows, from 0.

        Returns
        -------
        ndarray of shape (n_rows, n_labels) or PairPreferences
            Positions or relevance, with a last column for the virtual label where that is ranked;
            or known pairs.
        """
        if self.input == "pairs":
            return dataset.preferences[rows]
        if self.input == "calibrated":
            ranked = dataset.task is Task.CALIBRATED_RANKING
            return dataset.Y[rows] if ranked else calibrate(dataset.relevance[rows])
        return (dataset.rankings if self.input == "positions" else dataset.relevance)[rows]

    def best(self, dataset: Dataset, rows: Any = slice(None)) -> FloatArray:
        """Return the value that a perfect prediction has for each case, where `has_cases`.

        Parameters
        ----------
        dataset : Dataset
            The data, of a task that fits.
        rows : index of rows, default=all
            The rows, from 0.

        Returns
        -------
        ndarray of shape (n_rows,)
            Mostly an end of `value_range`; for coverage it depends on the relevant labels. Of known
            pairs that form a cycle no prediction reaches it.
        """
        truth = self.truth(dataset, rows)
        if self.input == "pairs":
            return np.where(truth.n_known > 0, self.value_range[1], np.nan)
        # Labels that the truth does not rank may be predicted anywhere.
        return self.per_case(truth, np.nan_to_num(truth))

    def mean(self, Y_true: ArrayLike, Y_pred: ArrayLike) -> float:
        """Measure all cases together.

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
        >>> from labelrank_core.metrics import METRICS
        >>> METRICS["hamming_loss"].mean([[1, 0]], [[1, 1]])
        0.5
        """
        return float(self.function(Y_true, Y_pred))

    def per_case(self, Y_true: ArrayLike, Y_pred: ArrayLike) -> FloatArray:
        """Measure every case, where `has_cases`.

        Parameters
        ----------
        Y_true, Y_pred : array-like of shape (n_samples, n_labels)
            Truth and prediction, as `input` says.

        Returns
        -------
        ndarray of shape (n_samples,)
            NaN for a case without a value.
        """
        return self.function(Y_true, Y_pred, average=None)
