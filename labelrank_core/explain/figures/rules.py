"""The figure of boosted rules: how scores grow from round to round."""

from collections.abc import Sequence

from labelrank_core.explain.evidence import RuleVotes
from labelrank_core.explain.figures.names import names_at_ends
from labelrank_core.explain.markup.figures import LINE, NO_GRID, Look, dot, figure
from labelrank_core.explain.markup.palette import label_color
from labelrank_core.explain.markup.text import plotly, shorten_all

_NAME_LETTERS = 14
# How much of the height a name takes.
_APART = 0.08


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
    last = dict(zip(labels, running[-1].tolist(), strict=True))
    short = shorten_all(label_names, _NAME_LETTERS)
    named = names_at_ends(last, short, _APART * ((high - low) or 1.0))
    names = [
        {
            "x": 1.01,
            "xref": "paper",
            "xanchor": "left",
            "y": height,
            "text": f"{dot(label)} {plotly(name)}",
            "showarrow": False,
            "font": {"size": 11},
        }
        for height, name, label in named
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
    widest = max(len(name) for _, name, _ in named)
    return figure(
        320,
        lines,
        x={"title": "rounds", "range": [0, len(rounds) - 1], **NO_GRID},
        y={"title": "score", "zeroline": False, "rangemode": "tozero"},
        shapes=[zero],
        annotations=names,
        margin={"l": 8, "t": 8, "b": 8, "r": 26 + 7 * widest},
    )
