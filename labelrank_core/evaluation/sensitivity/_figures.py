"""Which figures a method has, and at which values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from labelrank_core.data.splits import Fold
from labelrank_core.evaluation.sensitivity._result import SHARE_DELETED
from labelrank_core.methods import Algorithm, ModelChoice
from labelrank_core.methods.params import Knob

# Two parameters that the papers vary together; the first runs across.
_TOGETHER = {
    "knn": ("n_neighbors", "aggregation"),
    "mlr": ("n_neighbors", "n_virtual_labels"),
    "mlls": ("alpha", "beta"),
}
_SHARES = tuple(i / 10 for i in range(9))


@dataclass(frozen=True)
class Figure:
    """One figure of how much something matters.

    Parameters
    ----------
    kind : {"curve", "lines", "map", "missing"}
        One parameter; several lines over one parameter; two penalties; the share of labels
        deleted from the training rankings.
    knobs : tuple of Knob
        What is varied: across, then line by line or up; none where labels are deleted.
    """

    kind: Literal["curve", "lines", "map", "missing"]
    knobs: tuple[Knob, ...]

    @property
    def key(self) -> str:
        """A short stable name."""
        return "-".join(knob.name for knob in self.knobs) or "missing"

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the columns of results are called."""
        return tuple(knob.name for knob in self.knobs) or (SHARE_DELETED,)

    def own(self, choice: ModelChoice) -> tuple[Any, ...] | None:
        """Return where a choice stands.

        Parameters
        ----------
        choice : ModelChoice
            The method in use.

        Returns
        -------
        tuple or None
            Its values of what is varied; None where labels are deleted.
        """
        if self.kind == "missing":
            return None
        params = {**choice.algorithm.defaults, **dict(choice.params)}
        return tuple(params[knob.name] for knob in self.knobs)

    def grid(self, n_cases: int) -> dict[str, tuple[Any, ...]]:
        """List the values to measure.

        Parameters
        ----------
        n_cases : int
            Number of training cases, which bounds some parameters.

        Returns
        -------
        dict of str to tuple
            Of a curve or map all values offered, None last where it is one; of several lines
            every other number across and the powers of two, as Fig. 1 of [MLR07]_; shares 0, 0.1,
            ... 0.8 as Fig. 2 of [LRRF]_.

        References
        ----------
        .. [MLR07] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.
        .. [LRRF] Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with
           Applications 112, 2018.

        Examples
        --------
        >>> from labelrank_core.methods import ALGORITHMS
        >>> figures_for(ALGORITHMS["mlr"])[0].grid(8)
        {'n_neighbors': (1, 3, 5, 7), 'n_virtual_labels': (1, 2, 4, 8, 16, 32, 64, 128)}
        """
        if self.kind == "missing":
            return {SHARE_DELETED: _SHARES}
        values = {knob.name: _values(knob, n_cases) for knob in self.knobs}
        if self.kind == "lines":
            across, lines = self.knobs
            values[across.name] = values[across.name][::2]
            if lines.scale == "doubling":
                values[lines.name] = tuple(v for v in values[lines.name] if v & (v - 1) == 0)
        return values


def figures_for(algorithm: Algorithm) -> tuple[Figure, ...]:
    """List the figures of a method: two parameters together, each alone, labels deleted.

    Parameters
    ----------
    algorithm : Algorithm
        The method.

    Returns
    -------
    tuple of Figure
        One curve for every number on the method's path; deleted labels where it learns rankings.

    Examples
    --------
    >>> from labelrank_core.methods import ALGORITHMS
    >>> [figure.key for figure in figures_for(ALGORITHMS["forest"])]
    ['n_estimators', 'max_depth', 'min_entropy', 'missing']
    """
    knobs = {knob.name: knob for knob in algorithm.knobs if knob.on_path}
    figures = []
    if algorithm.key in _TOGETHER:
        pair = tuple(knobs[name] for name in _TOGETHER[algorithm.key])
        powers = all(knob.scale == "powers of 10" for knob in pair)
        figures.append(Figure("map" if powers else "lines", pair))
    figures += [Figure("curve", (knob,)) for knob in knobs.values() if not knob.choices]
    if algorithm.learns_rankings:
        figures.append(Figure("missing", ()))
    return tuple(figures)


def _values(knob: Knob, n_cases: int) -> tuple[Any, ...]:
    if knob.choices:
        return tuple(value for value, _ in knob.choices)
    return (*knob.offered(n_cases), *((None,) if knob.none else ()))


def within(choice: ModelChoice, folds: Sequence[Fold]) -> ModelChoice:
    """Return a choice that every fold can train: no more neighbours than it has cases.

    Parameters
    ----------
    choice : ModelChoice
        The method in use.
    folds : sequence of Fold
        What trains and what tests.

    Returns
    -------
    ModelChoice
        The same, or with what is too large set to the cases of the smallest training part.
    """
    n_cases = min(len(fold.split.train) for fold in folds)
    params = {**choice.algorithm.defaults, **dict(choice.params)}
    bounded = {
        knob.name: n_cases
        for knob in choice.algorithm.knobs
        if knob.at_most_cases and params[knob.name] > n_cases
    }
    return choice.with_params(**bounded)
