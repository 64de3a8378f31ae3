"""A method as interfaces offer it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from labelrank_core._sklearn import validate_params
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.methods.params import Knob

LABEL_RANKER = (Task.LABEL_RANKING, Task.CALIBRATED_RANKING)
# Label rankers that learn from preferences between pairs of labels, too.
PAIR_RANKER = (*LABEL_RANKER, Task.PAIR_PREFERENCES)
MULTILABEL_RANKER = (Task.MULTILABEL, Task.CALIBRATED_RANKING)


@dataclass(frozen=True)
class Size:
    """The size of the data to learn from and to predict.

    Parameters
    ----------
    n_samples : int
        Training cases.
    n_cases : int
        Cases to predict.
    n_features, n_labels : int
        Numbers of columns.
    n_nonzero : float or None, default=None
        For sparse data, the mean number of features of a case that are not 0; None: dense data.
    mean_square : float, default=1.0
        Mean of the squared values of the features, as the estimator gets them; 1: standardised.
    """

    n_samples: int
    n_cases: int
    n_features: int
    n_labels: int
    n_nonzero: float | None = None
    mean_square: float = 1.0

    @classmethod
    def of(cls, dataset: Dataset, n_samples: int, n_cases: int) -> "Size":
        """Return the size for numbers of training cases and cases to predict of a data set.

        Parameters
        ----------
        dataset : Dataset
            The data.
        n_samples, n_cases : int
            Training cases, cases to predict.

        Returns
        -------
        Size
            The size, with the columns of the data.
        """
        n_nonzero = dataset.X.nnz / max(1, dataset.n_samples) if dataset.is_sparse else None
        columns = (dataset.n_features, dataset.n_labels)
        return cls(n_samples, n_cases, *columns, n_nonzero, dataset.mean_square)


Seconds = Callable[[Size, Mapping[str, Any]], float]


def ordering_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    """Estimate the seconds to order the labels of all cases by their scores."""
    return 3e-4 + 6e-8 * size.n_labels * size.n_cases


@dataclass(frozen=True)
class Algorithm:
    """A method as interfaces offer it: all that is known of it outside its family.

    Parameters
    ----------
    key : str
        Short stable name, used in links.
    title : str
        Its name on the screen.
    family : str
        The kind of method, in a word or two.
    tasks : tuple of Task
        The tasks it can learn: `LABEL_RANKER`, `PAIR_RANKER` or `MULTILABEL_RANKER`.
    estimator : type
        The estimator class; with `fixed`, which names some of its parameters, it is the method.
    knobs : tuple of Knob
        The parameters to offer.
    references : tuple of str
        The papers that describe it.
    summary : str
        One paragraph for a newcomer.
    seconds : callable
        Seconds that learning and predicting may take, from a `Size` and all parameters offered,
        within a factor of about three: enough to decide what runs as a job.
    setting_seconds : callable
        The same for one more setting of its path.
    is_interruptible : bool, default=True
        Whether learning can be stopped at any moment: within liblinear and libsvm, which have a
        method's machines each in one call, it cannot.
    incomplete : str, default=""
        For label rankers: how it learns from a training case without any label ranked, in one
        sentence; empty: it needs complete rankings.
    votes : str, default=""
        The voters on pairs of labels, such as ``"trees"``; empty: its points have no
        ``pair_support``.
    support : str, default=""
        What ``pair_support`` holds; empty: shares of the votes.
    has_probabilities : bool, default=False
        Whether it predicts the probability of every label, with ``predict_proba``.
    zero_line : str, default=""
        The knob on the path that moves the zero line without changing the order of the labels.
    fixed : mapping of str to object
        Parameters of the estimator that make it this method; of a knob the value to begin with.
    figures : mapping of tuple of str to str
        One or two knobs that a figure of a paper varies, and its caption; the first knob is on the
        horizontal axis. Other numbers on the path are varied alone, without a caption.
    """

    key: str
    title: str
    family: str
    tasks: tuple[Task, ...]
    estimator: type[BaseEstimator]
    knobs: tuple[Knob, ...]
    references: tuple[str, ...]
    summary: str
    seconds: Seconds
    setting_seconds: Seconds = field(default_factory=lambda: ordering_seconds)
    is_interruptible: bool = True
    incomplete: str = ""
    votes: str = ""
    support: str = ""
    has_probabilities: bool = False
    zero_line: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The value that every knob begins with."""
        parameters = signature(self.estimator).parameters
        return {
            knob.name: self.fixed.get(knob.name, parameters[knob.name].default)
            for knob in self.knobs
        }

    def build(self, **params: Any) -> BaseEstimator:
        """Return the unfitted method.

        Parameters
        ----------
        **params
            Parameters of the estimator that are not as they begin.

        Returns
        -------
        estimator
            An estimator of its class.
        """
        return self.estimator(**{**self.fixed, **params})

    def check_params(self, **params: Any) -> None:
        """Check parameters as a fit does.

        Parameters
        ----------
        **params
            Parameters; others are as in `build`.

        Raises
        ------
        ValueError
            If the estimator does not take a value.
        """
        validate_params(self.build(**params))

    @property
    def path_knobs(self) -> dict[str, Knob]:
        """The knobs that need no new fit, by name."""
        return {knob.name: knob for knob in self.knobs if knob.on_path}

    def knobs_for(self, dataset: Dataset) -> tuple[Knob, ...]:
        """List the parameters to offer for a data set.

        Parameters
        ----------
        dataset : Dataset
            The data.

        Returns
        -------
        tuple of Knob
            All, without those for ties where no ranking ties labels, and without those for
            rankings where targets are pairs of labels.
        """
        are_pairs = dataset.task is Task.PAIR_PREFERENCES
        return tuple(
            knob
            for knob in self.knobs
            if (dataset.has_ties or not knob.for_ties) and not (are_pairs and knob.for_rankings)
        )

    @property
    def long_title(self) -> str:
        """The title without the short name that some have in brackets at its end."""
        return re.sub(r" \([A-Z][^)]*\)$", "", self.title)

    @property
    def learns_rankings(self) -> bool:
        """Whether the method learns positions of the labels alone, without a zero line."""
        return Task.LABEL_RANKING in self.tasks

    def learns(self, dataset: Dataset) -> bool:
        """Tell whether the method can learn a data set.

        Parameters
        ----------
        dataset : Dataset
            The data.

        Returns
        -------
        bool
            Whether the method has its task and its rankings are complete if they must be.
        """
        if dataset.task not in self.tasks:
            return False
        if dataset.task is Task.PAIR_PREFERENCES:
            return True
        return bool(self.incomplete) or not self.learns_rankings or not np.isnan(dataset.Y).any()

    def targets(self, dataset: Dataset, rows: Any = slice(None)) -> Any:
        """Return the targets of a data set in the form the estimator learns from.

        Parameters
        ----------
        dataset : Dataset
            The data, of one of the method's tasks.
        rows : index of rows, default=all
            The rows, from 0.

        Returns
        -------
        ndarray or PairPreferences
            Positions of the labels for label rankers, or the pairs of data that hold those; 0/1 or
            calibrated rankings for methods that predict a zero line.
        """
        if dataset.task is Task.PAIR_PREFERENCES:
            return PairPreferences(dataset.Y[rows])
        if self.learns_rankings:
            return dataset.rankings[rows]
        return dataset.zero_line_targets(rows)
