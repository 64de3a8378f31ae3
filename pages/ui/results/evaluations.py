"""A method measured on the test rows, and the baselines beside it."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split, with_fewer_tests
from labelrank_core.evaluation.evaluate import Evaluation, evaluate_fitted, evaluate_model
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.predictions import Predictions, path_cases, predictions_of_path
from labelrank_core.explain.standing import ConfidenceStanding
from labelrank_core.methods import BASELINES, ModelChoice, Size
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui import compute, jobs
from pages.ui.results import models
from pages.ui.view import View

# Pairs of a test and a training row that are measured without asking first.
_QUICK_PAIRS = 200_000_000
_FEWEST_TESTS = 100
# With how many test cases, at even distances, a confidence is compared where that is quick.
_MOST_COMPARED, _QUICK_SECONDS = 300, 0.5
# What their paths keep at most beside their model, which is kept anyway.
_PATHS_BYTES = 64 << 20


def choose_tests(split: Split) -> Split:
    """Return all test rows where the user asks for them, else as many as are measured at once."""
    quick = _quick_tests(split)
    n_all, n_quick = len(split.test), len(quick.test)
    return split if n_all == n_quick or choose_all_tests(n_all, n_quick) else quick


def _quick_tests(split: Split) -> Split:
    return with_fewer_tests(split, max(_FEWEST_TESTS, _QUICK_PAIRS // len(split.train)))


def choose_all_tests(n_all: int, n_quick: int) -> bool:
    """Draw the toggle that measures all test rows of large data."""
    return st.toggle(
        f"Measure all {n_all} test rows, not {n_quick} drawn at random",
        key="all_tests",
        persist_state="session",
        help="These data are large; measuring all rows may take minutes.",
    )


def key_of_method(dataset: Dataset, choice: ModelChoice, split: Split) -> str:
    """Return the key of the predictions of a method on the test rows."""
    fitted = models.fitted(dataset, choice, split)
    return compute.digest("evaluation", fitted.key, choice.path_params, split.test.tobytes())


def of_method(dataset: Dataset, choice: ModelChoice, split: Split) -> Evaluation:
    """Measure a method on the test rows, by the model that all pages share."""
    fitted = models.fitted(dataset, choice, split)
    title, key = choice.algorithm.title, key_of_method(dataset, choice, split)
    sizes = [Size.of(dataset, len(split.train), n) for n in (1, len(split.test))]
    one, every = map(choice.seconds, sizes)
    return compute.once(
        key,
        f"Measuring {title}",
        partial(evaluate_fitted, setting=choice.path_params, method=title),
        fitted.model,
        fitted.seconds,
        dataset,
        split.test,
        seconds=every - one,
    )


def predictions(view: View, split: Split) -> Predictions:
    """Predict the test rows; where it is quick without a new search for every setting."""
    dataset, choice = view.dataset, view.choice
    fitted = models.fitted(dataset, choice, split)
    if models.seconds_of_cases(view, fitted, len(split.test)) > _QUICK_SECONDS:
        return of_method(dataset, choice, split).predictions
    path, key = _path(dataset, fitted, split.test)
    setting = choice.path_params
    return compute.once(
        compute.digest("predicted", key, sorted(setting.items())),
        "Predicting the test cases",
        partial(predictions_of_path, **setting),
        fitted.model,
        path,
        dataset.task,
    )


def _path(dataset: Dataset, fitted: models.Fitted, rows: IntArray) -> tuple[Any, str]:
    """Return the path of some rows, kept for all settings, and its key."""
    key = compute.digest("tests", fitted.key, rows.tobytes())
    title = "Predicting the test cases"
    X = dataset.X[rows]
    return compute.once(key, title, path_cases, fitted.model, X, size=_PATHS_BYTES), key


@dataclass(frozen=True, eq=False)
class ReferenceConfidences:
    """Other test cases with their confidences."""

    rows: IntArray
    confidences: FloatArray


def quick_confidences(view: View) -> ReferenceConfidences | None:
    """Return the confidences of some test cases; None where that takes noticeable time."""
    dataset, choice = view.dataset, view.choice
    # Among those that are measured on request, so that their accuracy is known then; the same for
    # every case and visitor, who share what is found.
    tests = _quick_tests(view.split).test
    tests = tests[:: -(-len(tests) // _MOST_COMPARED)]
    are_others = tests != view.row
    # A training case has a model of its own; the others are compared by the one of all pages.
    n_train, is_trained = len(view.split.train), view.row in view.split.train
    training = choice.for_any_path(n_train).seconds(Size.of(dataset, n_train, 1))
    if not are_others.any() or (is_trained and training > jobs.SLOW_SECONDS):
        return None
    fitted = models.fitted(dataset, choice, view.split)
    if models.seconds_of_cases(view, fitted, len(tests)) > _QUICK_SECONDS:
        return None
    path, key = _path(dataset, fitted, tests)
    setting = choice.path_params
    confidences = compute.once(
        compute.digest("confidences", key, sorted(setting.items())),
        "Predicting the test cases",
        lambda: path.at(**setting).confidence,
    )
    return ReferenceConfidences(tests[are_others], confidences[are_others])


def standing(view: View, confidence: Confidence) -> ConfidenceStanding | None:
    """Return the place of a confidence among test cases; None where that takes noticeable time."""
    compared = quick_confidences(view) if confidence.defined else None
    if compared is None:
        return None
    return ConfidenceStanding(confidence.value, compared.confidences, len(view.split.test))


def of_baselines(dataset: Dataset, choice: ModelChoice, split: Split) -> list[Evaluation]:
    """Measure the baselines."""
    measured = []
    for baseline in BASELINES:
        model = baseline.build(choice, is_sparse=dataset.is_sparse)
        key = (dataset.fingerprint, str(model), split.train.tobytes(), split.test.tobytes())
        measured.append(
            compute.once(
                compute.digest("baseline", key),
                f"Measuring {baseline.title}",
                partial(evaluate_model, method=baseline.title),
                model,
                dataset,
                split,
                seconds=0.0,
            )
        )
    return measured
