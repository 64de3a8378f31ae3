"""Figures of other feature values: a rank trajectory, the first label over two features."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import plotly.graph_objects as go

from labelrank_core.explain.render.markup.palette import label_color
from labelrank_core.explain.what_if import Feature, Sweep, TopMap
from labelrank_core.explain.what_if.sweeps import Piece
from labelrank_core.explain.what_if.texts import value_text
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    generalised_ranks,
    label_buckets,
    list_names,
)
from pages.ui.render.charts.base import LINE, NO_GRID, Look, dot, picture, text_above, upright
from pages.ui.wording.text import plotly, shorten, shorten_all

_DRAWN_LABELS = 12
_NAME_LETTERS = 14
# Lines of tied labels lie side by side, so far apart in places that they touch.
_TIED_GAP = 0.22
# On a map longer names of labels that tie are written as initials.
_TIED_LETTERS = 18
# The height of each label, and what hovering says.
_Positions: TypeAlias = tuple[FloatArray, dict[int, str]]


def drawn_labels(swept: Sweep) -> list[int]:
    """List the labels to draw: of many those that come nearest to the first place."""
    best = np.min([piece.positions for piece in swept.pieces], axis=0)
    return [int(label) for label in np.argsort(best, kind="stable")[:_DRAWN_LABELS]]


def rank_trajectory(swept: Sweep, label_names: Sequence[str]) -> go.Figure:
    """Draw every label's position while one feature moves through its range.

    The lines of labels that tie run side by side in the middle of the places they share.
    """
    labels = drawn_labels(swept)
    feature, own_value = swept.feature, swept.case_piece.value
    last = int(max(piece.positions[label] for piece in swept.pieces for label in labels))
    short = shorten_all(label_names, _NAME_LETTERS)
    widest = max(len(short[label]) for label in labels) + (2 if swept.pieces[-1].has_ties else 0)
    positions = [(_heights(piece), _hover_texts(piece, label_names)) for piece in swept.pieces]
    return picture(
        150 + 26 * len(labels),
        [
            *(line for label in labels for line in _lines_of(label, swept, positions)),
            *_relevant_above(swept),
        ],
        x={
            **_ticks(feature),
            **(
                {"range": [-0.5, len(feature.column.categories) - 0.5]}
                if feature.is_nominal
                else {}
            ),
            "title": plotly(shorten(feature.column.name, 40)),
        },
        y={
            "title": "position",
            "range": [last + 0.5, 0.5],
            "tickvals": list(range(1, last + 1, max(1, last // 10))),
            "zeroline": False,
        },
        margin={"l": 8, "r": 40 + 7 * widest, "t": 36, "b": 8},
        shapes=[upright(own_value, 2)],
        annotations=[
            *(
                {
                    "x": 1,
                    "xref": "paper",
                    "xanchor": "left",
                    "y": y,
                    "align": "left",
                    "text": "<br>".join(
                        f"{' =' if i else ''} {dot(label)} {plotly(short[label])}"
                        for i, label in enumerate(tied)
                    ),
                    "showarrow": False,
                }
                for y, tied in _end_labels(swept.pieces[-1], labels)
            ),
            text_above(
                own_value,
                f"<b>this case: {plotly(shorten(value_text(feature, own_value), 14))}</b>",
            ),
        ],
    )


def _end_labels(piece: Piece, labels: Sequence[int]) -> list[tuple[float, list[int]]]:
    """List the height and the labels of each name to write: tied labels have one together."""
    heights = _heights(piece)
    buckets = [sorted({*tied} & {*labels}) for tied in label_buckets(piece.ranking)]
    return [(float(heights[tied].mean()), tied) for tied in buckets if tied]


def _heights(piece: Piece) -> FloatArray:
    """Return the labels' places; those of tied labels lie beside the middle of all they share.

    Tied labels lie in the order of the labels, which no change of another feature disturbs.
    """
    heights = generalised_ranks(piece.ranking[None])[0]
    for tied in label_buckets(piece.ranking):
        heights[sorted(tied)] += _TIED_GAP * (np.arange(len(tied)) - (len(tied) - 1) / 2)
    return heights


def _hover_texts(piece: Piece, label_names: Sequence[str]) -> dict[int, str]:
    """Return the hover text of each label's line: its position, and the labels it ties with."""
    texts: dict[int, str] = {}
    for tied in label_buckets(piece.ranking):
        names = list_names(plotly(label_names[label]) for label in tied)
        first, last = piece.positions[tied].min(), piece.positions[tied].max()
        range_text = f" share places {first} to {last}" if len(tied) > 1 else f": place {first}"
        texts |= dict.fromkeys(tied, f"{names}{range_text}")
    return texts


def _lines_of(label: int, swept: Sweep, positions: Sequence[_Positions]) -> list[Look]:
    """Draw the places of a label: thick along its pieces, thin from one to the next."""
    x: list[float | None] = []
    y: list[float] = []
    texts: list[str] = []
    for piece_index, (piece, (heights, hover_texts)) in enumerate(
        zip(swept.pieces, positions, strict=True)
    ):
        nominal = swept.feature.is_nominal
        ends = (piece_index - 0.35, piece_index + 0.35) if nominal else (piece.start, piece.end)
        x += [*ends, None]
        y += [float(heights[label])] * 3
        texts += [hover_texts[label]] * 3
    return [
        {
            "x": x,
            "y": y,
            "mode": "lines",
            "connectgaps": joined,
            "line": {"color": label_color(label), "width": width},
            "customdata": texts,
            "hovertemplate": "%{customdata}<extra></extra>",
            "hoverinfo": "skip" if joined else None,
        }
        for width, joined in ((1, True), (6, False))
    ]


def _relevant_above(swept: Sweep) -> list[Look]:
    """Draw below which place no label is relevant, where label sets are predicted."""
    if not swept.case_piece.is_set:
        return []
    feature = swept.feature
    x: list[float] = []
    y: list[float] = []
    for piece_index, piece in enumerate(swept.pieces):
        x += (
            (piece_index - 0.5, piece_index + 0.5)
            if feature.is_nominal
            else (piece.start, piece.end)
        )
        y += [float(piece.prediction.sum()) + 0.5] * 2
    return [
        {
            "x": x,
            "y": y,
            "mode": "lines",
            "line": {"color": LINE, "width": 2, "dash": "dot"},
            "hovertemplate": "labels above are relevant<extra></extra>",
        }
    ]


# The colour of labels that share the first place.
_SHARED_FIRST = "#9a9a9a"


def first_label_map(
    top_map: TopMap, label_names: Sequence[str], initials: Sequence[str]
) -> go.Figure:
    """Draw which label comes first for every pair of values of two features; grey: a tie does.

    Initials stand for the names where many labels tie.
    """
    labels = [int(label) for label in np.unique(top_map.tops)]
    index = np.searchsorted(labels, top_map.tops)
    n = len(labels)
    is_alone = [len(first) == 1 for first in top_map.firsts]
    colors = [
        [edge / n, label_color(label) if is_alone[label] else _SHARED_FIRST]
        for i, label in enumerate(labels)
        for edge in (i, i + 1)
    ]
    names = np.array(
        [
            f"{plotly(name)} {'first' if alone else 'share the first place'}"
            for name, alone in zip(top_map.names(label_names), is_alone, strict=True)
        ],
        dtype=object,
    )
    heatmap = {
        "type": "heatmap",
        "x": top_map.x_values,
        "y": top_map.y_values,
        "z": index,
        "zmin": -0.5,
        "zmax": n - 0.5,
        "colorscale": colors,
        "opacity": 0.75,
        "showscale": False,
        "customdata": names[top_map.tops],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    case = {
        "x": [top_map.case_values[0]],
        "y": [top_map.case_values[1]],
        "mode": "markers",
        "marker": {
            "size": 16,
            "color": "rgba(255,255,255,0.9)",
            "line": {"width": 4, "color": "#000000"},
        },
        "hovertemplate": "this case<extra></extra>",
        "cliponaxis": False,
    }
    written_names = []
    short = [
        name if len(name) <= _TIED_LETTERS else letters.replace(" ", "")
        for name, letters in zip(
            top_map.names(shorten_all(label_names, _NAME_LETTERS)),
            top_map.names(initials),
            strict=True,
        )
    ]
    for i, label in enumerate(labels):
        rows, columns = np.nonzero(index == i)
        # The cell of the label nearest to the middle of its cells holds the name.
        middle = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
        row, column = int(rows[middle]), int(columns[middle])
        written_names.append(
            {
                "x": top_map.x_values[column],
                "y": top_map.y_values[row],
                # Names near an edge stay within the map.
                "xanchor": _anchor(column / index.shape[1], ("left", "center", "right"), 0.2),
                "yanchor": _anchor(row / index.shape[0], ("bottom", "middle", "top"), 0.07),
                "text": f"<b>{plotly(short[label])}</b>",
                "showarrow": False,
                "font": {"color": "#000000"},
                "bgcolor": "rgba(255,255,255,0.75)",
            }
        )
    x, y = (
        {
            "title": plotly(shorten(feature.column.name, 40)),
            # Else there would be room for names beyond the map.
            "range": _cell_edges(values)[[0, -1]].tolist(),
            **_ticks(feature),
        }
        for feature, values in ((top_map.across, top_map.x_values), (top_map.up, top_map.y_values))
    )
    return picture(
        420,
        [heatmap, _borders(index, top_map), case],
        x=x,
        y=y,
        margin={"l": 8, "r": 12, "t": 12, "b": 8},
        annotations=written_names,
    )


def _anchor(share: float, anchors: tuple[str, str, str], edge: float) -> str:
    low, middle, high = anchors
    return low if share < edge else high if share > 1 - edge else middle


def _borders(index: IntArray, top_map: TopMap) -> Look:
    """Draw lines between cells of the map that differ: two ties have the same grey."""
    x_edges, y_edges = _cell_edges(top_map.x_values), _cell_edges(top_map.y_values)
    x: list[float | None] = []
    y: list[float | None] = []
    for row, column in np.argwhere(index[:, 1:] != index[:, :-1]).tolist():
        x += [x_edges[column + 1], x_edges[column + 1], None]
        y += [y_edges[row], y_edges[row + 1], None]
    for row, column in np.argwhere(index[1:] != index[:-1]).tolist():
        x += [x_edges[column], x_edges[column + 1], None]
        y += [y_edges[row + 1], y_edges[row + 1], None]
    line = {"color": "#ffffff", "width": 1.5}
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip"}


def _cell_edges(values: FloatArray) -> FloatArray:
    """Return where the cells of a heat map end: half-way between values, as far beyond the ends."""
    if len(values) == 1:
        return values[0] + np.array([-0.5, 0.5])
    middles = (values[:-1] + values[1:]) / 2
    return np.r_[2 * values[0] - middles[0], middles, 2 * values[-1] - middles[-1]]


def _ticks(feature: Feature) -> Look:
    if not feature.is_nominal:
        return NO_GRID
    categories = [plotly(shorten(word, 12)) for word in feature.column.categories]
    return {**NO_GRID, "tickvals": list(range(len(categories))), "ticktext": categories}
