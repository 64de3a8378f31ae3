"""A method as interfaces offer it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from sklearn.base import BaseEstimator

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.methods.params import Knob


@dataclass(frozen=True)
class Size:
    """How much there is to learn and to predict.

    Parameters
    ----------
    n_samples : int
        Training cases.
    n_cases : int
        Cases to predict.
    n_features, n_labels : int
        Columns.
    """

    n_samples: int
    n_cases: int
    n_features: int
    n_labels: int


@dataclass(frozen=True)
class Algorithm:
    """A method as interfaces offer it.

    Parameters
    ----------
    key : str
        Short stable name, used in links.
    title : str
        What a person calls it.
    tasks : tuple of Task
        What it can learn from.
    estimator : type
        The class.
    knobs : tuple of Knob
        The parameters to offer.
    references : tuple of str
        The papers.
    summary : str
        One paragraph for a newcomer.
    seconds : callable
        Seconds that learning and predicting may take, from a `Size` and all parameters offered;
        right to a factor of about three, to tell what is done at once from what takes a while.
    """

    key: str
    title: str
    tasks: tuple[Task, ...]
    estimator: type[BaseEstimator]
    knobs: tuple[Knob, ...]
    references: tuple[str, ...]
    summary: str
    seconds: Callable[[Size, Mapping[str, Any]], float]

    @property
    def defaults(self) -> dict[str, Any]:
        """The estimator's own default of every knob."""
        parameters = signature(self.estimator).parameters
        return {knob.name: parameters[knob.name].default for knob in self.knobs}

    @property
    def learns_rankings(self) -> bool:
        """Whether it learns positions of the labels alone, without a zero line."""
        return not hasattr(self.estimator, "predict_ranking")

    def targets(self, dataset: Dataset, rows: Any = slice(None)) -> Any:
        """Return the targets of a data set in the form the estimator learns from.

        Parameters
        ----------
        dataset : Dataset
            Of one of the method's tasks.
        rows : index of rows, default=all
            Which rows, from 0.

        Returns
        -------
        ndarray
            Positions of the labels for label rankers; 0/1 or calibrated rankings for methods that
            predict a zero line.
        """
        if self.learns_rankings:
            return dataset.rankings[rows]
        return dataset.zero_line_targets(rows)
