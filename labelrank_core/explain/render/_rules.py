"""Boosted rules drawn: their votes on the labels, the sums so far, the sums by feature."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from labelrank_core.data.findings import count_of
from labelrank_core.explain.evidence import RuleVotes
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.palette import LINE, label_color
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.plot_names import names_at_ends
from labelrank_core.explain.render.markup.text import shorten_all
from labelrank_core.rankings import FloatArray

# Rounds of boosting, and features; of a tree more, because its rules belong together.
_ROWS_SHOWN, _TREE_ROWS_SHOWN = 8, 24
# Votes from this quantile on have the full colour.
_STRONG = 0.95
# Of the drawing of scores: its height and the room of a letter in pixels, and how much of the
# height a name takes.
_HEIGHT, _LETTER, _APART = 290, 7.5, 0.08
_NAME_LETTERS, _MOST_SAID = 14, 5
View = Literal["each", "running", "features"]


@picture.register
def rule_votes(evidence: RuleVotes, scene: Scene, view: View = "each") -> Picture:
    """Draw the votes of each rule, the scores after every round, or the votes by feature."""
    table = _table(evidence, scene)
    at = scene.middle_label
    names = scene.label_names
    if view == "running":
        return Picture(
            "rounds-running",
            f"score of {names[at]}: "
            + "; ".join(
                f"{evidence.running[n, at]:.2f} after {count_of(n, 'round')}"
                for n in np.unique(np.geomspace(1, evidence.n_rounds, 6).astype(int)).tolist()
            ),
            table,
            "The sum of the votes after every round; dotted: the zero line.",
            _running_scores(evidence, scene.shown, names),
        )
    rows, votes, depths, caption = (_features if view == "features" else _rules)(evidence, scene)
    spoken = "; ".join(f"{row} {vote:+.2f}" for row, vote in zip(rows, votes[:, at], strict=True))
    return Picture(
        f"rounds-{view}",
        f"votes on {names[at]}: {spoken}",
        table,
        caption,
        _votes_matrix(votes, rows, depths, scene),
    )


def _running_scores(evidence: RuleVotes, labels: Sequence[int], label_names: Sequence[str]) -> str:
    """Draw the score of each label after every round, one line per label, named at its end."""
    running = evidence.running[:, list(labels)]
    rounds = range(len(running))
    across = Axis.around(np.array(rounds), "rounds")
    across = replace(across, low=0.0, high=max(1.0, rounds[-1]))
    up = Axis.around(np.append(running, 0.0), "score")
    plot = Plot(across, up)
    plot.curve([0, across.high], [0, 0], LINE, 2, "2 3")
    for label, scores in zip(labels, running.T.tolist(), strict=True):
        # A score holds until the next round.
        steps = [n for n in rounds for _ in range(2)]
        held = [score for score in scores for _ in range(2)]
        plot.curve(steps[1:], held[:-1], label_color(label), 2)
    for n, scores in enumerate(running.tolist()):
        listed = ", ".join(
            f"{label_names[label]} {score:.2f}"
            for label, score in list(zip(labels, scores, strict=True))[:_MOST_SAID]
        )
        plot.column(n - 0.5, n + 0.5, f"after {count_of(n, 'round')}: {listed}")
    short = shorten_all(label_names, _NAME_LETTERS)
    last = dict(zip(labels, running[-1].tolist(), strict=True))
    end_names = names_at_ends(last, short, _APART * (up.high - up.low))
    for height, name, label in end_names:
        plot.beside(height, name, label_color(label))
    return plot.drawn(_HEIGHT, free_right=20 + _LETTER * max(len(name) for _, name, _ in end_names))


def _table(evidence: RuleVotes, scene: Scene) -> pd.DataFrame:
    """Tabulate the votes, with the questions in words."""
    table = evidence.frame(scene.label_names)
    answers = [scene.answer(question) for question in evidence.questions]
    column = ["(start)", *answers] if evidence.is_tree else answers
    # By place, because labels may have any names.
    votes = table.iloc[:, 5:]
    return pd.concat([table[["round", "depends on round"]].assign(answer=column), votes], axis=1)


# Names, votes and depths of rows, and a caption.
_Rows = tuple[list[str], FloatArray, list[int], str]


def _rules(evidence: RuleVotes, scene: Scene) -> _Rows:
    """Return the first rules, all others together, and the sum of all."""
    max_rows = _TREE_ROWS_SHOWN if evidence.is_tree else _ROWS_SHOWN
    # A rule stands below the one it depends on, which is always an earlier one.
    first_rules = [rule for rule in evidence.as_tree if rule < max_rows]
    rows = [
        f"{evidence.rounds[rule]}  {scene.answer(evidence.questions[rule])}" for rule in first_rules
    ]
    depths = [evidence.depths[rule] for rule in first_rules]
    caption = "Blue: for a label, orange: against it; the last row is the score."
    if evidence.is_tree:
        caption += " Indented: asked only after the answer above."
    n_others = len(evidence.votes) - len(first_rules)
    others_name = count_of(n_others, "other round")
    return _with_sums(rows, evidence.votes[first_rules], depths, others_name, evidence, caption)


def _features(evidence: RuleVotes, scene: Scene) -> _Rows:
    """Return the columns with most votes, all others together, and the sum of all."""
    features, sums = evidence.by_feature()
    columns = scene.schema.column_of_feature[features]
    column_indices = list(dict.fromkeys(columns.tolist()))
    votes = np.array([sums[columns == column].sum(axis=0) for column in column_indices])
    order = np.argsort(-np.abs(votes).sum(axis=1), kind="stable")[:_ROWS_SHOWN]
    column_names = scene.named_values()
    rows = [column_names[column_indices[i]] for i in order]
    caption = "The votes of all questions about a feature, added up; the last row is the score."
    others_name = count_of(len(column_indices) - len(order), "other feature")
    return _with_sums(rows, votes[order], [0] * len(rows), others_name, evidence, caption)


def _with_sums(
    rows: list[str],
    votes: FloatArray,
    depths: list[int],
    others_name: str,
    evidence: RuleVotes,
    caption: str,
) -> _Rows:
    """Add the start before the rows, and after them the sum of the other rows and of all."""
    if evidence.is_tree:
        rows, votes, depths = ["start", *rows], np.vstack([evidence.start, votes]), [0, *depths]
    scores = evidence.scores
    if not others_name.startswith("0 "):
        rows, votes = [*rows, others_name], np.vstack([votes, scores - votes.sum(axis=0)])
    depths = depths + [0] * (len(rows) + 1 - len(depths))
    return [*rows, "score"], np.vstack([votes, scores]), depths, caption


def _votes_matrix(
    votes: FloatArray, rows: Sequence[str], depths: Sequence[int], scene: Scene
) -> str:
    values = votes[:, scene.shown]
    # Few votes are much larger than all others, and sums are.
    strong = float(np.quantile(np.abs(values[:_ROWS_SHOWN]), _STRONG)) or 1.0
    names = [scene.label_names[label] for label in scene.shown]
    texts = [[markup.signed(value) for value in row] for row in values]
    tints = np.clip(values / strong, -1, 1)
    return markup.matrix(Tinted(tints, texts, rows, names, depths=depths))
