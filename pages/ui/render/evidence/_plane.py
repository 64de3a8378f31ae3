"""A case among its neighbours: on a map, or in the plane of the most predictive features."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.render import Picture, markup
from labelrank_core.rankings import FloatArray, IntArray
from pages.ui import compute
from pages.ui.render import drawing, tables
from pages.ui.results.models import Case

_NUMBERED = 10


def render_plane(
    dataset: Dataset, case: Case, near: Neighbors, key: str, *, row: int | None, height: int = 300
) -> None:
    """Draw the case, numbered neighbours and all others; without a row the case is a new one."""
    picture = plane(dataset, case, near, row=row, height=height)
    if picture is not None:
        drawing.render_picture(picture, key=key)


def plane(
    dataset: Dataset,
    case: Case,
    near: Neighbors,
    *,
    row: int | None,
    height: int = 300,
    n_drawn: int | None = None,
    marks: Mapping[int, str] | None = None,
) -> Picture | None:
    """Draw the case and its neighbours, `n_drawn` of them; None where it has no place.

    `marks` names rows, near or not; without them neighbours are numbered, and labels have a legend.
    """
    map_plane = _lying(dataset, case, _plane(dataset))
    case_place = _own_place(dataset, case, map_plane, row)
    if case_place is None:
        return None
    n_drawn = len(near.rows) if n_drawn is None else n_drawn
    rows = case.training_rows[near.rows[:n_drawn]]
    case_names = [tables.case_name(dataset, i) for i in range(dataset.n_samples)]
    reaches = _reaches(dataset, case, near, map_plane)
    reach = reaches[n_drawn - 1] if reaches is not None and n_drawn else None
    firsts, first = dataset.first_labels, rows[:_NUMBERED]
    behind = legend_html = ""
    if marks is None:
        legend_html = markup.legend(
            firsts, dataset.label_names, drawing.with_nouns("First label:"), "none alone"
        )
        behind, front = markup.neighborhood(
            map_plane,
            case_place,
            first,
            firsts,
            case_names,
            # Nobody points at paper.
            are_named=dataset.case_names is not None and not drawing.is_on_paper(),
            reach=reach,
            height=height,
        )
    else:
        front = markup.named_neighborhood(
            map_plane,
            case_place,
            first,
            firsts,
            case_names,
            marks,
            reach=reach,
            room=None if reaches is None else reaches[-1],
            height=height,
        )
    n_numbered = min(n_drawn, _NUMBERED)
    sentences = []
    if marks is None and n_numbered:
        numbers_text = "1" if n_numbered == 1 else f"1–{n_numbered}"
        n_columns = len(dataset.schema.columns)
        # More than the two features that are drawn, or the place on the map, decide.
        sentences = [
            f"{numbers_text}: most similar in all {n_columns} features."
            if map_plane.is_map or n_columns > 2
            else f"{numbers_text}: most similar."
        ]
    if not legend_html and (dataset.first_labels >= 0).any():
        grey = " Grey: no label is first alone." if (dataset.first_labels < 0).any() else ""
        sentences.insert(0, f"Colour: the label that a case ranks first.{grey}")
    if reach is not None:
        sentences.append(f"Circle: the {n_drawn} nearest lie in it.")

    def numbers() -> pd.DataFrame:
        is_pairs = dataset.task is Task.PAIR_PREFERENCES
        return tables.around_features(
            tables.features(dataset, rows),
            {
                "case": [case_names[i] for i in rows],
                "row": rows + 1,
                "distance": near.distances[:n_drawn],
            },
            {"known pairs" if is_pairs else "ranking": dataset.targets_in_words(rows)},
        )

    nearest = ", ".join(case_names[i] for i in rows[:_NUMBERED])
    alt = f"the most similar cases: {nearest}" if n_drawn else "all cases, and this one"
    caption = drawing.with_nouns(" ".join(sentences))
    return Picture("where", alt, numbers, caption, front, legend_html + behind)


def _plane(dataset: Dataset) -> markup.Plane:
    if dataset.coordinates is not None:
        return markup.Plane(dataset.coordinates, ("longitude", "latitude"), is_map=True)
    return markup.Plane(*compute.predictive_plane(dataset))


def _lying(dataset: Dataset, case: Case, map_plane: markup.Plane) -> markup.Plane:
    """Turn a plane with one scale for both features so that it is not higher than wide."""
    features = _features(dataset, map_plane)
    if features is None or dataset.n_features != 2 or dataset.is_sparse:
        return map_plane
    scale = np.ones(2) if case.units is None else case.units[1]
    across, up = (np.ptp(dataset.X, axis=0) / scale)[features]
    if up <= across:
        return map_plane
    return markup.Plane(map_plane.coordinates[:, ::-1], (map_plane.titles[1], map_plane.titles[0]))


def _features(dataset: Dataset, map_plane: markup.Plane) -> IntArray | None:
    """Return which features the plane has, None where it has none of the data's own."""
    columns, first = dataset.schema.columns, dataset.schema.starts[:-1]
    starts = {column.name: j for column, j in zip(columns, first, strict=True)}
    if map_plane.is_map or any(title not in starts for title in map_plane.titles):
        return None
    return np.array([starts[title] for title in map_plane.titles])


def _own_place(
    dataset: Dataset, case: Case, map_plane: markup.Plane, row: int | None
) -> tuple[float, float] | None:
    features = _features(dataset, map_plane)
    if features is not None:
        across, up = case.x[features]
    elif row is not None:
        across, up = map_plane.coordinates[row]
    else:
        return None
    return float(across), float(up)


def _reaches(
    dataset: Dataset, case: Case, near: Neighbors, map_plane: markup.Plane
) -> FloatArray | None:
    """Return the half axes of the circle through each neighbour, in units of the data.

    There are some where the plane holds all features and distances are Euclidean in it.
    """
    features = _features(dataset, map_plane)
    if features is None or dataset.n_features != 2 or dataset.is_sparse:
        return None
    scale = np.ones(2) if case.units is None else case.units[1]
    away = (dataset.X[case.training_rows[near.rows]] - case.x) / scale
    if not np.allclose(np.hypot(*away.T), near.distances):
        return None
    return (near.distances[:, None] * scale)[:, features]
