"""The data that the first page's component draws: a case, its states under the knob, its kin."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import cos, radians
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.knob_states import KnobStates
from labelrank_core.explain.render.markup import outline
from labelrank_core.rankings import FloatArray, IntArray, label_buckets
from pages.start.sentences import sentences
from pages.ui import compute, live
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import text
from pages.ui.wording.choice_text import number_text
from pages.ui.wording.columns import name_and_unit, value_text
from pages.ui.wording.subject import question_about_case, subject_of

_MOST_SHOWN = 8
_MOST_POINTS = 2000
_MOST_NAMED_CELLS = 12_000
_N_FEATURES = 3
_N_NEIGHBOR_ROWS = 5
_SIZE = (430.0, 540.0)
_MARGIN = 34.0
_HERE = Path(__file__).parent


def style() -> str:
    """Return the style sheet of the component."""
    return live.style(_HERE / "look_alikes.css", "slider")


def script() -> str:
    """Return the script of the component, a module whose default function mounts it."""
    return live.script(_HERE / "look_alikes.js", "dom", "slider", "board", "plane")


_component = st.components.v2.component(
    "labelrank_look_alikes", html='<div class="look-alikes"></div>', css=style(), js=script()
)


def render(key: str, data: Mapping[str, Any], **callbacks: Any) -> None:
    """Draw the component; `on_index_change` and `on_row_change` answer it."""
    _component(key=key, data=dict(data), **callbacks)


def component_data(
    view: View, case: Case, states: KnobStates | None, offered_rows: Sequence[int] | None = None
) -> dict[str, Any]:
    """Return all that the component draws of a view; only `knob.index` changes with the knob.

    `offered_rows` are the cases that can be chosen; None: all.
    """
    dataset, row = view.dataset, view.row
    subject = subject_of(dataset)
    knob = view.choice.algorithm.knobs[0]
    near = case.explanation.find(Neighbors)
    asks_neighbors = near is not None and states is not None and knob.at_most_cases
    neighbor_rows = models.neighbor_rows(view) if asks_neighbors else _evidence_rows(case, near)
    value = dict(view.choice.params).get(knob.name)
    knob_label = f"Similar {subject.rows} (k)" if asks_neighbors else knob.label
    plane, pixels = _plane(dataset, row, [*neighbor_rows, *(offered_rows or ())])
    board_labels, names = _board_labels(dataset, case), dataset.case_names
    features = _features(dataset, row, neighbor_rows) if asks_neighbors else []
    return {
        "version": compute.digest(*_static_key(view, states)),
        "question": question_about_case(dataset, row),
        "texts": sentences(
            subject,
            dataset.task,
            method=view.choice.algorithm.title,
            knob=knob_label,
            asks_neighbors=asks_neighbors,
            sizes=(dataset.n_samples, len(dataset.schema.columns)),
            n_drawn=len(features),
            offers_all=offered_rows is None,
        ),
        "labels": [asdict(style) for style in subject.label_styles],
        "shown": board_labels,
        "isSet": dataset.task is Task.MULTILABEL,
        "canGuess": dataset.n_labels == len(board_labels) > 1,
        "counts": _label_counts(dataset),
        "offered": None if offered_rows is None else list(offered_rows),
        "row": row,
        "case_name": f"Row {row + 1}" if names is None else names[row],
        "truth": _truth(dataset, row),
        "own_first": int(dataset.first_labels[row]),
        "own_buckets": dataset.label_buckets(row),
        "states": _states(case, states),
        "knob": None if states is None else {
            "label": knob_label,
            "values": [v if isinstance(v, int) else number_text(v) for v in states.values],
            "index": states.values.index(value),
            "asksNeighbors": asks_neighbors,
        },
        "neighbors": [_neighbor(dataset, i, pixels[i]) for i in neighbor_rows],
        "plane": plane,
        "features": features,
    }  # fmt: skip


def _static_key(view: View, states: KnobStates | None) -> tuple[Any, ...]:
    knob = view.choice.algorithm.knobs[0].name
    params = [(name, v) for name, v in view.choice.params if states is None or name != knob]
    split = (view.split.kind, view.split.seed, view.split.test_share)
    choice = (view.choice.key, params, view.choice.scaled, view.choice.tfidf)
    return "look-alikes", view.dataset.fingerprint, view.row, choice, split


def _evidence_rows(case: Case, near: Neighbors | None) -> list[int]:
    if near is None:
        return []
    return [int(row) for row in case.training_rows[near.rows[:_N_NEIGHBOR_ROWS]]]


def _board_labels(dataset: Dataset, case: Case) -> list[int]:
    """Return the labels of the board: all, of many the first ones of the answer."""
    if dataset.n_labels <= _MOST_SHOWN:
        return list(range(dataset.n_labels))
    return case.explanation.order[:_MOST_SHOWN]


def _truth(dataset: Dataset, row: int) -> dict[str, Any]:
    is_set = dataset.task is Task.MULTILABEL
    has_sets = dataset.task.has_zero_line
    return {
        "positions": None if is_set else _positions(dataset.rankings[row]),
        "relevance": dataset.relevance[row].tolist() if has_sets else None,
    }


def _label_counts(dataset: Dataset) -> list[int]:
    """Count for each label the rows that have it, or that put it alone first."""
    if dataset.task is Task.MULTILABEL:
        return [int(n) for n in dataset.relevance.sum(axis=0)]
    first = dataset.first_labels
    return np.bincount(first[first >= 0], minlength=dataset.n_labels).tolist()


def _positions(ranking: FloatArray) -> list[float | None]:
    return [None if np.isnan(position) else float(position) for position in ranking]


def _states(case: Case, states: KnobStates | None) -> dict[str, Any]:
    if states is None:
        n_relevant = case.explanation.n_relevant
        return {
            "of_value": [0],
            "rankings": [label_buckets(case.explanation.ranking)],
            "n_relevant": None if n_relevant is None else [n_relevant],
        }
    relevance = states.relevance
    return {
        "of_value": states.state_of_value.tolist(),
        "rankings": [label_buckets(positions) for positions in states.positions],
        "n_relevant": None if relevance is None else relevance.sum(axis=1).tolist(),
    }


def _neighbor(dataset: Dataset, row: int, pixel: FloatArray) -> dict[str, Any]:
    names = dataset.case_names
    truth = _truth(dataset, row)
    return {
        "row": row,
        "name": names[row] if names is not None else f"Row {row + 1}",
        "first": int(dataset.first_labels[row]),
        "place": pixel.tolist(),
        "buckets": dataset.label_buckets(row),
        **truth,
    }


def _plane(
    dataset: Dataset, row: int, drawn_rows: Sequence[int]
) -> tuple[dict[str, Any], FloatArray]:
    """Place cases in a picture: on a map, or by two predictive features, each on its own scale.

    Of many cases some are drawn, with `drawn_rows`. Also return the pixels of all cases.
    """
    is_map = dataset.coordinates is not None
    if is_map:
        points, axes = np.array(dataset.coordinates, dtype=float), None
        points[:, 0] *= cos(radians(float(np.nanmean(points[:, 1]))))
    else:
        points, axes = compute.predictive_plane(dataset)
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    room = np.array(_SIZE) - 2 * _MARGIN
    span = np.where(high > low, high - low, 1.0)
    scale = np.full(2, (room / span).min()) if is_map else room / span
    offset = (np.array(_SIZE) - scale * span) / 2
    pixels = offset + (points - low) * scale
    pixels[:, 1] = _SIZE[1] - pixels[:, 1]
    pixels = pixels.round(1)
    rows = _drawn_rows(dataset.n_samples, [row, *drawn_rows])
    has_names = len(rows) * dataset.n_labels <= _MOST_NAMED_CELLS
    names = dataset.case_names
    picture = {
        "size": list(_SIZE),
        "axes": None if axes is None else list(axes),
        "points": pixels[rows].tolist(),
        "first": dataset.first_labels[rows].tolist(),
        "rows": None if len(rows) == dataset.n_samples else rows.tolist(),
        "names": None if names is None or not has_names else [names[i] for i in rows],
        "buckets": [dataset.label_buckets(int(i)) for i in rows] if has_names else None,
        "own": pixels[row].tolist(),
        "outline": [ring.round(1).tolist() for ring in outline(pixels)] if is_map else [],
    }
    return picture, pixels


def _drawn_rows(n_samples: int, required_rows: Sequence[int]) -> IntArray:
    if n_samples <= _MOST_POINTS:
        return np.arange(n_samples)
    spread = np.linspace(0, n_samples - 1, _MOST_POINTS).round().astype(np.int64)
    return np.unique(np.append(spread, required_rows))


def _features(dataset: Dataset, row: int, neighbor_rows: Sequence[int]) -> list[dict[str, Any]]:
    """Describe the most predictive columns of a case and its nearest neighbours."""
    rows = [row, *neighbor_rows[:_N_NEIGHBOR_ROWS]]
    columns = compute.predictive_columns(dataset)
    if dataset.is_sparse:
        present = set(dataset.schema.column_of_feature[dataset.X[[row]].nonzero()[1]].tolist())
        columns = [column for column in columns if column in present]
    described = []
    frame = dataset.feature_frame(rows)
    for j in columns[:_N_FEATURES]:
        column = dataset.schema.columns[j]
        name, unit = name_and_unit(column.name)
        values = frame.iloc[:, j]
        is_numeric = column.kind == "numeric"
        described.append(
            {
                "name": text.capitalised(name),
                "values": [value_text(v, unit) for v in values],
                "shares": _shares(dataset, j, rows) if is_numeric else [None] * len(rows),
            }
        )
    return described


def _shares(dataset: Dataset, column: int, rows: Sequence[int]) -> list[float]:
    """Return where values of some rows lie from the lowest of all rows, 0, to the highest, 1."""
    values = dataset.X[:, [dataset.schema.starts[column]]]
    all_values = np.asarray(values.todense() if dataset.is_sparse else values).ravel()
    picked = dataset.X[rows][:, [dataset.schema.starts[column]]]
    case_values = np.asarray(picked.todense() if dataset.is_sparse else picked).ravel()
    low, high = all_values.min(), all_values.max()
    return ((case_values - low) / ((high - low) or 1.0)).round(3).tolist()
