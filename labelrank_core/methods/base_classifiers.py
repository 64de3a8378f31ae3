"""Any classifiers of scikit-learn as the base of a method: one for every column of signs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.multioutput import ClassifierChain
from sklearn.utils import Tags, get_tags

from labelrank_core._sklearn import HasMethods
from labelrank_core.explain.capabilities import method_of
from labelrank_core.methods.machines import columns_with_both, constant_signs
from labelrank_core.methods.routing import RoutingMixin, metadata_of_rows
from labelrank_core.rankings import FloatArray, IntArray

# The constraints of a parameter `estimator`, with or without a need for probabilities.
PROBABILISTIC_BASE = [HasMethods(["fit", "predict_proba"]), None]
BASE_CLASSIFIER = [HasMethods(["fit", "decision_function"]), *PROBABILISTIC_BASE]


def predicts_probabilities(estimator: Any) -> bool:
    """Tell whether a base classifier predicts probabilities, not only a decision function."""
    return method_of(estimator, "predict_proba") is not None


class BaseClassifierMixin(RoutingMixin):
    """Estimator whose parameter `estimator` is a base classifier; None: its own solver."""

    estimator: Any
    # Whether sparse cases are made dense for the estimator.
    _makes_dense: ClassVar[bool] = False

    def _estimators_by_name(self) -> Mapping[str, Any]:
        return {} if self.estimator is None else {"estimator": self.estimator}

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        if self.estimator is not None and not self._makes_dense:
            tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags


@dataclass(frozen=True, eq=False)
class BaseClassifiers:
    """Fitted classifiers of columns of signs, each for the probability or margin of sign 1."""

    # None: a column with one sign, or without any.
    estimators: Sequence[Any]
    # The sign of those columns, 1, -1 or 0; 0 for all others.
    constant: FloatArray
    has_probabilities: bool

    def probabilities(self, X: Any) -> FloatArray:
        """Return the probability that the sign of each column is 1, (n_cases, n_columns)."""
        return self._outputs(X, (1 + self.constant) / 2, _probability)

    def log_odds(self, X: Any) -> FloatArray:
        """Return the log-odds of these probabilities, infinite for columns with one sign."""
        with np.errstate(divide="ignore"):
            return self._outputs(X, self.certain_log_odds, _log_odds)

    @property
    def certain_log_odds(self) -> FloatArray:
        """The log-odds of columns with one sign, infinite; 0 for all others."""
        return np.where(self.constant == 0, 0.0, np.copysign(np.inf, self.constant))

    def of(self, X: Any) -> FloatArray:
        """Return margins, (n_cases, n_columns): 2 p - 1 of probabilities p, else the decisions."""
        if self.has_probabilities:
            return 2 * self.probabilities(X) - 1
        return self._outputs(X, self.constant, _decision)

    def _outputs(
        self, X: Any, constant: FloatArray, output: Callable[[Any, Any], FloatArray]
    ) -> FloatArray:
        outputs = np.tile(constant, (X.shape[0], 1))
        for column, estimator in enumerate(self.estimators):
            if estimator is not None:
                outputs[:, column] = output(estimator, X)
        return outputs


def _probability(estimator: Any, X: Any) -> FloatArray:
    probabilities: FloatArray = estimator.predict_proba(X)[:, 1]
    return probabilities


def _log_odds(estimator: Any, X: Any) -> FloatArray:
    probabilities = estimator.predict_proba(X)
    return np.log(probabilities[:, 1]) - np.log(probabilities[:, 0])


def _decision(estimator: Any, X: Any) -> FloatArray:
    return np.ravel(estimator.decision_function(X))


@contextmanager
def checked_parameters() -> Iterator[None]:
    """Let base classifiers of users check their parameters, within a ``fit`` that has its own."""
    with config_context(skip_parameter_validation=False):
        yield


def learn_classifiers(
    estimator: Any, X: Any, signs: FloatArray, params: Mapping[str, Any]
) -> BaseClassifiers:
    """Fit a clone to every column with both signs, on the rows where its sign is 1 or -1.

    `params`: of its ``fit``; those with a value for each row are cut down to a column's rows.
    """
    fitted: list[Any] = [None] * signs.shape[1]
    for column, rows in columns_with_both(signs):
        cases = X if len(rows) == X.shape[0] else X[rows]
        targets = (signs[rows, column] > 0).astype(np.int64)
        fit_params = metadata_of_rows(params, rows, X.shape[0])
        fitted[column] = clone(estimator).fit(cases, targets, **fit_params)
    return BaseClassifiers(fitted, constant_signs(signs), predicts_probabilities(estimator))


def fit_chain(
    estimator: Any, X: Any, relevance: IntArray, params: Mapping[str, Any]
) -> ClassifierChain | None:
    """Fit a chain of clones to the columns in their order; None without any."""
    chain = ClassifierChain(estimator)
    return chain.fit(X, relevance, **params) if relevance.shape[1] else None
