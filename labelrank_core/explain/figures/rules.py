"""The figure of boosted rules: how scores grow from round to round."""

from collections.abc import Sequence

from labelrank_core.explain.evidence import RuleVotes
from labelrank_core.explain.markup.figures import LINE, NO_GRID, Look, dot, figure
from labelrank_core.explain.markup.palette import label_color
from labelrank_core.explain.markup.text import plotly, shorten

_NAME_LETTERS = 14
# Names closer together than this share of the height would lie on each other.
_APART = 0.055


def running_scores(votes: RuleVotes, labels: Sequence[int], label_names: Sequence[str]) -> Look:
    """Draw the score of each label after every round, one line per label, named at its end."""
    running = votes.running[:, list(labels)]
    rounds = list(range(len(running)))
    low, high = float(running.min()), float(running.max())
    lines = [
        {
            "x": rounds,
            "y": running[:, place],
            "mode": "lines",
            "line": {"color": label_color(label), "width": 2, "shape": "hv"},
            "hovertemplate": f"{plotly(label_names[label])} %{{y:.2f}} after %{{x}} rounds"
            "<extra></extra>",
        }
        for place, label in enumerate(labels)
    ]
    names = [
        {
            "x": 1.01,
            "xref": "paper",
            "xanchor": "left",
            "y": height,
            "text": f"{dot(label)} {plotly(shorten(label_names[label], _NAME_LETTERS))}",
            "showarrow": False,
            "font": {"size": 11},
        }
        for label, height in _apart(labels, running[-1], _APART * ((high - low) or 1.0))
    ]
    zero = {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": 0,
        "y1": 0,
        "line": {"dash": "dot", "color": LINE, "width": 2},
    }
    widest = max(len(shorten(label_names[label], _NAME_LETTERS)) for label in labels)
    return figure(
        320,
        lines,
        x={"title": "rounds", "range": [0, len(rounds) - 1], **NO_GRID},
        y={"title": "score", "zeroline": False},
        shapes=[zero],
        annotations=names,
        margin={"l": 8, "t": 8, "b": 8, "r": 26 + 7 * widest},
    )


def _apart(labels: Sequence[int], ends: Sequence[float], least: float) -> list[tuple[int, float]]:
    """Return where each label's name stands: at its end, or below the one above it."""
    places: list[tuple[int, float]] = []
    for end, label in sorted(zip(ends, labels, strict=True), key=lambda each: -each[0]):
        highest = places[-1][1] - least if places else end
        places.append((label, min(float(end), highest)))
    return places
