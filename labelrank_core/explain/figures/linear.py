"""Figures of linear scores: their parts, the contributions to them, the shared subspace."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from labelrank_core.explain.evidence import ScoreParts, SubspaceView, VotedProbabilities
from labelrank_core.explain.figures.names import joined_names, places_of_names
from labelrank_core.explain.markup.figures import (
    LINE,
    MARGIN,
    MUTED,
    ROWS,
    Look,
    dot,
    explained,
    figure,
)
from labelrank_core.explain.markup.palette import ACCENT, label_color
from labelrank_core.explain.markup.text import JOINER, plotly, shorten_all, shorten_before_value
from labelrank_core.rankings import FloatArray

_BASELINE_COLOR, _PART_COLORS = "#8A93A3", ("#A9A9EE", ACCENT)
_THRESHOLD = "#C11F5B"
# Shorter directions lie on each other; their names stand below the drawing.
_NAMED_LENGTH = 0.3
_NAME_LETTERS = 14
# Dots at the ends of a scale of shares do not lie on the names beside it.
_SHARES = [-0.04, 1.04]
_ZERO = {"zeroline": True, "zerolinecolor": LINE, "zerolinewidth": 1}
# The pixels of a plane on a phone, across and up.
_NARROWEST = (250.0, 330.0)


def score_parts(
    parts: ScoreParts,
    order: Sequence[int],
    label_names: Sequence[str],
    shown: Collection[int] | None = None,
) -> Look:
    """Draw what the score of each label shown (None: of all) is made of, with its threshold."""
    rows, order = _label_rows(order, label_names, shown)
    whole = {"baseline": parts.baseline, **parts.parts}
    # A part that is 0 throughout has no bars to explain.
    named = {name: values for name, values in whole.items() if np.any(values[order])}
    colors = {"baseline": _BASELINE_COLOR, **_colors(parts.parts)}
    bars = _stacked(rows, {name: values[order] for name, values in named.items()}, colors)
    looks = {
        "threshold": (parts.thresholds[order], "line-ns", 20, (3, _THRESHOLD)),
        "score": (parts.scores[order], "diamond", 11, (1.5, "#ffffff")),
    }
    marks = [
        {
            "x": values,
            "y": rows,
            "name": name,
            "mode": "markers",
            "marker": {
                "symbol": symbol,
                "size": size,
                "color": "#000000",
                "line": {"width": width, "color": edge},
            },
            "hovertemplate": f"{name} %{{x:.3f}}<extra></extra>",
        }
        for name, (values, symbol, size, (width, edge)) in looks.items()
    ]
    words = {
        **_squares({name: colors[name] for name in named}),
        "◆ score": "",
        "▎threshold": _THRESHOLD,
    }
    return _across(96 + 28 * len(order), [*bars, *marks], words, "score")


def voted_probabilities(
    evidence: VotedProbabilities,
    order: Sequence[int],
    label_names: Sequence[str],
    shown: Collection[int] | None = None,
) -> Look:
    """Draw every model's probability of each label shown (None: of all), and their mean."""
    rows, order = _label_rows(order, label_names, shown)
    n_voters = len(evidence.votes)
    each = {
        "x": evidence.votes[:, order].T.ravel(),
        "y": np.repeat(rows, n_voters),
        "mode": "markers",
        "name": evidence.voter,
        "marker": {"color": ACCENT, "opacity": 0.6, "size": 10},
        "customdata": np.tile(np.arange(1, n_voters + 1), len(order)),
        "hovertemplate": f"{evidence.voter} %{{customdata}}: %{{x:.3f}}<extra></extra>",
        "cliponaxis": False,
    }
    mean = {
        "x": evidence.votes.mean(axis=0)[order],
        "y": rows,
        "mode": "markers",
        "name": "mean",
        "marker": {
            "symbol": "diamond",
            "size": 12,
            "color": "#000000",
            "line": {"width": 1.5, "color": "#ffffff"},
        },
        "hovertemplate": "mean %{x:.3f}<extra></extra>",
        "cliponaxis": False,
    }
    half = {"type": "line", "x0": 0.5, "x1": 0.5, "yref": "y domain", "y0": 0, "y1": 1}
    return figure(
        96 + 28 * len(order),
        [each, mean],
        x={"title": "probability", "range": _SHARES, "zeroline": False},
        y=ROWS,
        title=explained({f"● one {evidence.voter}": ACCENT, "◆ mean": "", "▎one half": _THRESHOLD}),
        margin={**MARGIN, "t": 36},
        shapes=[{**half, "line": {"color": _THRESHOLD, "width": 2}, "layer": "below"}],
    )


def _label_rows(
    order: Sequence[int], label_names: Sequence[str], shown: Collection[int] | None
) -> tuple[list[str], list[int]]:
    """Return the rows of the labels shown, each with its place among all, and these labels."""
    placed = [
        (place, label)
        for place, label in enumerate(order, start=1)
        if shown is None or label in shown
    ]
    short = shorten_all(label_names, _NAME_LETTERS)
    rows = [f"{place}  {plotly(short[label])} {dot(label)}" for place, label in placed]
    return rows, [label for _, label in placed]


def contribution_bars(parts: ScoreParts, table: pd.DataFrame, input_names: Sequence[str]) -> Look:
    """Draw the contributions to the score of one label."""
    rows = [
        f"{plotly(shorten_before_value(name, 26))}{JOINER * place}"
        for place, name in enumerate(input_names)
    ]
    values = {name: table[name].to_numpy() for name in parts.weights}
    colors = _colors(parts.parts)
    words = _squares({name: colors[name] for name in values}) if len(values) > 1 else {}
    bars = _stacked(rows, values, colors)
    return _across(96 + 26 * len(rows), bars, words, "adds to the score")


def _colors(names: Iterable[str]) -> dict[str, str]:
    """Return the colours of one or two parts."""
    names = list(names)
    return dict(zip(names, _PART_COLORS[-len(names) :], strict=True))


def _squares(colors: Mapping[str, str]) -> dict[str, str]:
    """Return the words that explain the colours of parts."""
    return {f"■ {name}": color for name, color in colors.items()}


def _across(height: int, traces: Sequence[Look], words: dict[str, str], title: str) -> Look:
    """Draw bars that go to both sides of 0; small numbers are written out, not as 200µ."""
    return figure(
        height,
        traces,
        x={"title": title, "exponentformat": "none", **_ZERO},
        y=ROWS,
        **({"title": explained(words)} if words else {}),
        margin={**MARGIN, "t": 60 if len(words) > 4 else 36 if words else 8},
        barmode="relative",
        bargap=0.35,
    )


def _stacked(
    rows: Sequence[str], parts: Mapping[str, np.ndarray], colors: Mapping[str, str]
) -> list[Look]:
    return [
        {
            "type": "bar",
            "x": values,
            "y": list(rows),
            "orientation": "h",
            "name": name,
            "marker": {"color": colors[name], "line": {"width": 0}},
            "hovertemplate": f"{name} %{{x:+.3f}}<extra></extra>",
        }
        for name, values in parts.items()
    ]


def unnamed_labels(
    view: SubspaceView, label_names: Sequence[str], shown: Collection[int] | None = None
) -> list[int]:
    """Return the labels shown that `subspace_view` has no room to name."""
    joined, places = _named_ends(view, label_names, shown)
    written = {
        name
        for text, place in zip(joined, places, strict=True)
        if place
        for name in (text, text.rpartition(" +")[0], *text.split(", "))
    }
    short = shorten_all(label_names, _NAME_LETTERS)
    drawn = range(len(short)) if shown is None else shown
    return [label for label in drawn if short[label] not in written]


def _ends(view: SubspaceView) -> tuple[float, FloatArray]:
    """Return how far the case lies from the origin, and the directions scaled to it."""
    longest = float(np.linalg.norm(view.directions, axis=1).max())
    reach = float(np.linalg.norm(view.case)) or 1.0
    return reach, view.directions * (reach / longest if longest > 0 else 1.0)


def _named_ends(
    view: SubspaceView, label_names: Sequence[str], shown: Collection[int] | None
) -> tuple[list[str], list[str | None]]:
    """Return the words at each end, "" for none, and where they stand; None: there is no room."""
    reach, ends = _ends(view)
    lengths = np.linalg.norm(ends, axis=1)
    short = shorten_all(label_names, _NAME_LETTERS)
    names = [
        name if length >= _NAMED_LENGTH * reach and (shown is None or label in shown) else ""
        for label, (name, length) in enumerate(zip(short, lengths, strict=True))
    ]
    scale = (_NARROWEST[0] / (3 * reach), _NARROWEST[1] / (3 * reach))
    for is_whole in (True, False):
        joined = joined_names(names, ends * scale, is_whole=is_whole)
        places = places_of_names(ends, joined, view.case[None], scale, _NARROWEST[0] / 2)
        if all(places[i] for i, name in enumerate(joined) if name not in ("", names[i])):
            break
    return joined, places


def subspace_view(
    view: SubspaceView, label_names: Sequence[str], shown: Collection[int] | None = None
) -> Look:
    """Draw a case and the directions of the labels shown (None: of all) in the main plane."""
    reach, ends = _ends(view)
    joined, places = _named_ends(view, label_names, shown)
    lines = [
        {
            "x": [0, x],
            "y": [0, y],
            "mode": "lines+markers+text",
            "text": ["", plotly(joined[label]) if places[label] else ""],
            "textposition": places[label] or "middle center",
            "line": {"color": label_color(label), "width": 3},
            "marker": {"color": label_color(label), "size": [0, 9]},
            "hovertemplate": f"{plotly(label_names[label])}: shared part "
            f"{view.shared[label]:+.3f}<extra></extra>",
            "cliponaxis": False,
        }
        for label, (x, y) in enumerate(ends)
        if shown is None or label in shown
    ]
    case = {
        "x": [view.case[0]],
        "y": [view.case[1]],
        "mode": "markers",
        "marker": {
            "symbol": "diamond",
            "size": 16,
            "color": "#000000",
            "line": {"width": 2, "color": "#ffffff"},
        },
        "hovertemplate": "this case<extra></extra>",
        "cliponaxis": False,
    }
    both = {"range": [-1.5 * reach, 1.5 * reach], "zerolinecolor": MUTED, "showgrid": False}
    return figure(
        420,
        [*lines, case],
        x={"title": "dimension 1", **both},
        # One scale, so that what lies across a line looks so.
        y={"title": "dimension 2", "scaleanchor": "x", **both},
    )
