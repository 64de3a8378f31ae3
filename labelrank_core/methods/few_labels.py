"""Warnings of methods that predict next to nothing on sparse label sets, with a remedy."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from labelrank_core._sklearn import warn


class FewLabelsWarning(UserWarning):
    """A parameter makes a fitted model predict far fewer labels than the training cases have.

    The message names the parameter and a value with which more labels are predicted, chosen on the
    training data.
    """


@dataclass(frozen=True)
class FewLabels:
    """Too few predicted labels: sentences on the fact, its cause, and the remedy.

    Parameters
    ----------
    symptom, reason : str
        What is predicted, and why, with the numbers.
    parameter : str
        The estimator's parameter to change.
    value : int or float
        Its value, chosen on the training data.
    effect : str
        What the model does with it, as an infinitive without "to".
    """

    symptom: str
    reason: str
    parameter: str
    value: Any
    effect: str

    def text(self, setting: str) -> str:
        """Return it in sentences; `setting` names parameter and value."""
        return f"{self.symptom} {self.reason} Set {setting} to {self.effect}."


@runtime_checkable
class SupportsFewLabels(Protocol):
    """An estimator that detects too few predicted labels."""

    def few_labels(self, **setting: Any) -> FewLabels | None:
        """Return the fact, its cause and the remedy at a setting; None where it predicts enough."""


def warn_of_few_labels(estimator: Any) -> None:
    """Issue a `FewLabelsWarning` at the end of a fit that predicts too few labels."""
    few = estimator.few_labels()
    if few is not None:
        message = few.text(f"{few.parameter}={few.value:g}")
        warn(f"{type(estimator).__name__}: {message}", FewLabelsWarning)
