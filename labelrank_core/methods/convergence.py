"""Warnings of iterative methods that stop before they have converged."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sklearn.exceptions import ConvergenceWarning

from labelrank_core._sklearn import warn
from labelrank_core.data.findings import count_of

_messages: ContextVar[list[str] | None] = ContextVar("convergence_messages", default=None)


def warn_not_converged(message: str) -> None:
    """Issue scikit-learn's ConvergenceWarning, and note its message for `collect_messages`."""
    messages = _messages.get()
    if messages is not None and message not in messages:
        messages.append(message)
    warn(message, ConvergenceWarning)


@contextmanager
def collect_messages() -> Iterator[list[str]]:
    """List the messages of `warn_not_converged` in this thread, each once."""
    messages: list[str] = []
    token = _messages.set(messages)
    try:
        yield messages
    finally:
        _messages.reset(token)


def warn_of_stopped(n_stopped: int, model: str, most_steps: int, remedy: str) -> None:
    """Warn if any of several models, named in the singular, stopped after the most steps."""
    if n_stopped:
        warn_not_converged(
            f"{count_of(n_stopped, model)} stopped after {count_of(most_steps, 'step')}, before "
            f"convergence. {remedy}"
        )


@contextmanager
def one_warning_for_all() -> Iterator[None]:
    """Silence scikit-learn's warning of every single machine: the caller warns once for all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


@contextmanager
def platt_fits() -> Iterator[None]:
    """Replace scikit-learn's warnings of the fits of probabilities to margins by one of ours."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        yield
    n_stopped = 0
    for warning in caught:
        if issubclass(warning.category, ConvergenceWarning):
            n_stopped += 1
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    if n_stopped:
        warn_not_converged(
            f"{count_of(n_stopped, 'fit')} of probabilities to the margins of a label stopped "
            "before convergence. Scale the features."
        )
