"""Fitted models, one for all pages, and one case as its model predicts and explains it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import train_recorded
from labelrank_core.explain.capabilities import SupportsPairs
from labelrank_core.explain.contributions import (
    MOST_EXACT,
    Pair,
    PairContributions,
    PairGame,
)
from labelrank_core.explain.evidence import Explanation, Neighbors
from labelrank_core.explain.knob_states import KnobStates
from labelrank_core.explain.knob_states import knob_states as knob_states_of
from labelrank_core.explain.predictions import CasePath, last_step
from labelrank_core.explain.predictions import case_path as case_path_of
from labelrank_core.explain.what_if import Feature, Sweep
from labelrank_core.explain.what_if.sweeps import N_VALUES, sweep_all
from labelrank_core.methods import ModelChoice, Size
from labelrank_core.methods.base import TooLargeError
from labelrank_core.methods.few_labels import SupportsFewLabels
from pages.ui import compute
from pages.ui.view import View

# Training cases a case is compared with: with exact contributions, and with sampled ones.
_BACKGROUND, _BACKGROUND_SAMPLED = 30, 12
# For sparse data, whose predictions take longer, all subsets of up to this many features are tried.
_EXACT_SPARSE = 6
# What a game keeps at most: 4096 mixed cases with 151 neighbours, or the leaves of 500 trees.
_GAME_BYTES = 16 << 20
# A knob with fewer values is not drawn.
_FEWEST_VALUES = 2
# What a path of one case keeps at most beside its model, which is kept anyway: measured with it, a
# path of a large forest would drop that forest from the cache.
_PATH_BYTES = 8 << 20
# The same of an explanation, whose evidence refers to its model.
_EXPLANATION_BYTES = 1 << 20


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model for any setting of its path, with its training rows and seconds.

    `messages` say where it stopped before it had converged.
    """

    key: tuple[Any, ...]
    model: Any
    training_rows: NDArray[np.int64]
    seconds: float
    messages: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Case:
    """One case as a page shows it: its features, edits included, and its explanation."""

    x: NDArray[np.float64]
    explanation: Explanation
    training_rows: NDArray[np.int64]
    # What the model's features are in the units of the data, as `feature_units` says.
    units: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None


@contextmanager
def limits(choice: ModelChoice) -> Iterator[None]:
    """Say in place of the page where a method cannot take data of this size."""
    try:
        yield
    except TooLargeError as error:
        st.error(
            f"These data are too large for {choice.algorithm.title}. {error}",
            icon=":material/block:",
        )
        st.stop()


def fitted(dataset: Dataset, choice: ModelChoice, split: Split, row: int | None = None) -> Fitted:
    """Fit the training part, without one row if that is to be predicted and others are left."""
    remaining_rows = split.train if row is None else split.train[split.train != row]
    rows = remaining_rows if len(remaining_rows) else split.train
    general = choice.for_any_path(len(rows))
    # The test row is not in the key: all of them share the model of the training set.
    left_out = row if len(rows) < len(split.train) else None
    key = (dataset.fingerprint, general, split.kind, split.seed, split.test_share, left_out)
    with limits(choice):
        model, seconds, messages = compute.once(
            compute.digest("model", key),
            f"Training on {len(rows)} cases",
            train_recorded,
            general.build(is_sparse=dataset.is_sparse),
            dataset,
            rows,
            seconds=general.seconds(Size.of(dataset, len(rows), 1)),
            algorithm=general.algorithm,
        )
    return Fitted(key, model, rows, seconds, messages)


def render_messages(fitted_model: Fitted, choice: ModelChoice) -> None:
    """Warn where a method stopped before it had converged."""
    if fitted_model.messages:
        st.warning(
            f"{choice.algorithm.title} stopped before its result had settled. Longer training may "
            f"predict otherwise. {' '.join(fitted_model.messages)}",
            icon=":material/hourglass_disabled:",
        )


def render_few_labels(fitted_model: Fitted, choice: ModelChoice) -> None:
    """Warn where a method predicts next to no labels, with the parameter to change."""
    estimator, setting = last_step(fitted_model.model), choice.path_params
    if not isinstance(estimator, SupportsFewLabels):
        return
    key = compute.digest("few labels", fitted_model.key, sorted(setting.items()))
    few = compute.once(key, "Counting predicted labels", partial(estimator.few_labels, **setting))
    if few is not None:
        knob = next(knob for knob in choice.algorithm.knobs if knob.name == few.parameter)
        st.warning(few.text(f"{knob.label} to {few.value:g}"), icon=":material/label_off:")


def edited(view: View) -> NDArray[np.float64]:
    """Return the features of a case, some of them changed by hand."""
    x = view.dataset.case(view.row)
    x[list(view.edits)] = list(view.edits.values())
    return x


def _case_path(view: View) -> tuple[CasePath, Fitted]:
    """Return the path of a case, searched anew only if the case changes, and its model."""
    x, edits = edited(view), sorted(view.edits.items())
    fitted_model = fitted(view.dataset, view.choice, view.split, view.row)
    key = compute.digest("path", fitted_model.key, view.row, edits)
    case_path = compute.once(
        key, "Predicting", case_path_of, fitted_model.model, x, size=_PATH_BYTES
    )
    return case_path, fitted_model


def case(view: View) -> Case:
    """Predict and explain one case."""
    case_path, fitted_model = _case_path(view)
    explanation = compute.once(
        compute.digest("explanation", result_key(view, fitted_model)),
        "Explaining the prediction",
        _explain,
        case_path,
        view.choice.path_params,
        size=_EXPLANATION_BYTES,
    )
    return Case(case_path.x, explanation, fitted_model.training_rows, case_path.units)


def _explain(case_path: CasePath, setting: Mapping[str, Any]) -> Explanation:
    explanation: Explanation = case_path.path.at(**setting).explain(0)
    return explanation


def knob_states(view: View) -> KnobStates | None:
    """Predict a case at every value of the main parameter; None where that needs a new fit."""
    algorithm = view.choice.algorithm
    knob = algorithm.knobs[0]
    if not knob.on_path or knob.choices or knob.none:
        return None
    case_path, fitted_model = _case_path(view)
    setting = view.choice.path_params
    value = setting.pop(knob.name, algorithm.defaults[knob.name])
    offered = knob.offered(len(fitted_model.training_rows))
    if knob.up_to_fitted and not knob.at_most_cases:
        # More than were fitted need a new fit.
        largest = max(value, getattr(last_step(fitted_model.model), knob.name))
        offered = tuple(v for v in offered if v <= largest)
    if value not in offered or len(offered) < _FEWEST_VALUES:
        return None
    key = "knob states", fitted_model.key, view.row, sorted(view.edits.items()), setting

    def states_with(in_use: Any, *more: Any) -> KnobStates:
        return compute.once(
            compute.digest(*key, *more),
            "Predicting at every setting",
            partial(knob_states_of, value=in_use, setting=setting),
            case_path.path,
            knob.name,
            offered,
        )

    # Where not all values can be tried, the one in use is among those that are.
    states = states_with(offered[0])
    return states if value in states.values else states_with(value, value)


def neighbor_rows(view: View) -> list[int]:
    """Return the rows of the data that are most similar to a case, as many as can be asked."""
    case_path, fitted_model = _case_path(view)
    training_rows = fitted_model.training_rows
    knob = view.choice.algorithm.knobs[0]
    setting = {**view.choice.path_params, knob.name: knob.offered(len(training_rows))[-1]}
    explanation = compute.once(
        compute.digest(
            "neighbours", fitted_model.key, view.row, sorted(view.edits.items()), setting
        ),
        "Looking for similar cases",
        _explain,
        case_path,
        setting,
        size=_EXPLANATION_BYTES,
    )
    near = explanation.find(Neighbors)
    return [] if near is None else training_rows[near.rows].tolist()


def pair_support(view: View) -> NDArray[np.float64]:
    """Return the support of the votes for one case for each label over each other."""
    case_path, fitted_model = _case_path(view)

    def support() -> NDArray[np.float64]:
        point = case_path.path.at(**view.choice.path_params)
        assert isinstance(point, SupportsPairs)
        return point.pair_support()[0]

    key = compute.digest("pair support", result_key(view, fitted_model))
    return compute.once(key, "Counting votes on pairs of labels", support)


def compared_columns(view: View) -> list[int]:
    """List the raw columns whose shares can be told: all, of sparse data those that a case has."""
    schema = view.dataset.schema
    if not view.dataset.is_sparse:
        return list(range(len(schema.columns)))
    return np.unique(schema.column_of_feature[np.flatnonzero(edited(view))]).tolist()


def contributions(view: View, pair: Pair) -> PairContributions:
    """Share a label's lead over another in a case among its `compared_columns`."""
    dataset, fitted_model = view.dataset, fitted(view.dataset, view.choice, view.split, view.row)
    rows, starts = fitted_model.training_rows, dataset.schema.starts
    groups = [range(starts[column], starts[column + 1]) for column in compared_columns(view)]
    exact = _EXACT_SPARSE if dataset.is_sparse else MOST_EXACT
    n_background = _BACKGROUND if len(groups) <= exact else _BACKGROUND_SAMPLED
    background = rows[:: max(1, len(rows) // n_background)][:n_background]
    case_parts = (fitted_model.key, view.row, sorted(view.edits.items()))
    game = compute.once(
        compute.digest("pair game", case_parts),
        "Comparing with other cases",
        partial(PairGame, groups=groups, most_exact=exact),
        fitted_model.model,
        edited(view),
        dataset.X[background],
        size=_GAME_BYTES,
    )
    return compute.once(
        compute.digest("contributions", result_key(view, fitted_model), pair),
        "Comparing with other cases",
        partial(game.contributions, **view.choice.path_params),
        pair,
    )


def result_key(view: View, fitted_model: Fitted) -> tuple[Any, ...]:
    """Return the key of a result for one case: everything that the result depends on."""
    setting = sorted(view.choice.path_params.items())
    return fitted_model.key, view.row, sorted(view.edits.items()), setting


def sweeps(view: View, features: Sequence[Feature]) -> list[Sweep]:
    """Predict a case with every value of some features, one feature at a time."""
    fitted_model = fitted(view.dataset, view.choice, view.split, view.row)
    # In one order, so that what asks for the same features shares them.
    ordered = sorted(features, key=lambda feature: feature.index)
    indices = [feature.index for feature in ordered]
    ordered_sweeps = compute.once(
        compute.digest("sweeps", result_key(view, fitted_model), indices),
        "Trying other values",
        partial(sweep_all, **view.choice.path_params),
        fitted_model.model,
        edited(view),
        ordered,
        seconds=seconds_of_cases(view, fitted_model, N_VALUES * len(ordered)),
    )
    by_index = dict(zip(indices, ordered_sweeps, strict=True))
    return [by_index[feature.index] for feature in features]


def seconds_of_cases(view: View, fitted_model: Fitted, n_cases: int) -> float:
    """Estimate the seconds that a fitted model takes to predict some cases."""
    sizes = [Size.of(view.dataset, len(fitted_model.training_rows), n) for n in (1, n_cases)]
    seconds_of_one, seconds_of_all = map(view.choice.seconds, sizes)
    return seconds_of_all - seconds_of_one
