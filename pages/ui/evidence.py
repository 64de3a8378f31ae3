"""Evidence drawn: one function for each kind, and the explanation they add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.evidence import (
    Confidence,
    CountEvidence,
    Explanation,
    Label,
    LabelScores,
    NeighborLedger,
    Neighbors,
    RuleOrders,
    ScoreParts,
    Step,
    Text,
    TreeVotes,
    WinShares,
)
from pages.ui import charts, method_charts, parts, text
from pages.ui.charts import LadderColumn
from pages.ui.compute import Case

_TREES_SHOWN = 50
_PLACES_SHOWN = 10
_NEIGHBORS_SHOWN = 30
_PRIOR_TO_POSTERIOR = (
    "Prior {prior} → posterior {posterior} for {label}: a count of {own} of {k} neighbours has a "
    "likelihood of {with_it} among training cases with it, of {without} among those without it."
)
_CARRIED = {
    "feature": "The features that add most, with this case's values. What a feature adds is its "
    "difference from the mean times its weight.",
    "training row": "The training rows that add most, by their row in the data. What a row adds "
    "is its similarity to this case (centred) times its weight.",
}


@dataclass(frozen=True, eq=False)
class Scene:
    """What the drawings need to know besides the evidence.

    Parameters
    ----------
    dataset : Dataset
        The data.
    case : Case
        The case shown.
    key : str
        Makes the names of elements unique on a page.
    brief : bool, default=False
        Whether to leave out what only a closer look needs.
    """

    dataset: Dataset
    case: Case
    key: str
    brief: bool = False

    @property
    def order(self) -> list[int]:
        """Labels in the predicted order."""
        return [int(label) for label in np.argsort(self.case.explanation.positions)]

    def rests_on(self, kind: type) -> bool:
        """Tell whether a step of the explanation has evidence of a kind."""
        return any(isinstance(step.evidence, kind) for step in self.case.explanation.steps)


def say(sentence: Text, dataset: Dataset) -> None:
    """Write a sentence of an explanation.

    Parameters
    ----------
    sentence : Text
        The sentence.
    dataset : Dataset
        For the names of its labels.
    """
    st.html(f"<p style='margin:0'>{text.sentence(sentence, dataset.label_names)}</p>")


def ladder_of(
    explanation: Explanation, dataset: Dataset, row: int | None, *, earlier: Explanation | None
) -> list[LadderColumn]:
    """Put the predicted ranking, the truth and an earlier prediction side by side.

    Parameters
    ----------
    explanation : Explanation
        The prediction.
    dataset : Dataset
        Holds the truth.
    row : int or None
        The row with the truth; None: there is none.
    earlier : Explanation or None
        The prediction before features were changed.

    Returns
    -------
    list of LadderColumn
        From left to right.
    """
    columns = [] if earlier is None else [_predicted("Before", earlier, dataset)]
    columns.append(_predicted("Predicted", explanation, dataset))
    return columns if row is None else [*columns, _truth(dataset, row, explanation.positions)]


def _predicted(title: str, explanation: Explanation, dataset: Dataset) -> LadderColumn:
    order = [int(label) for label in np.argsort(explanation.positions)]
    zero_line = explanation.prediction is not explanation.positions and dataset.task.has_zero_line
    shown = zero_line and set(np.unique(explanation.prediction)) <= {0, 1}
    return LadderColumn(title, order, int(explanation.prediction.sum()) if shown else None)


def _truth(dataset: Dataset, row: int, predicted: Any) -> LadderColumn:
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        order = [int(label) for label in np.lexsort((predicted, -relevance))]
        return LadderColumn("True", order, int(relevance.sum()))
    positions = dataset.rankings[row]
    order = [int(j) for j in np.lexsort((predicted, positions)) if not np.isnan(positions[j])]
    calibrated = dataset.task is Task.CALIBRATED_RANKING
    return LadderColumn("True", order, int(dataset.relevance[row].sum()) if calibrated else None)


def draw_ladder(columns: Sequence[LadderColumn], dataset: Dataset, key: str) -> None:
    """Draw rankings as a ladder with its table.

    Parameters
    ----------
    columns : sequence of LadderColumn
        From left to right.
    dataset : Dataset
        For the names.
    key : str
        Name of the element.
    """
    names = dataset.label_names
    table = pd.DataFrame(
        {
            column.title: pd.Series(
                [
                    names[label]
                    + (" (relevant)" if column.n_relevant and place < column.n_relevant else "")
                    for place, label in enumerate(column.order)
                ]
            )
            for column in columns
        }
    )
    table.insert(0, "place", range(1, len(table) + 1))
    spoken = "; ".join(
        f"{column.title}: {', '.join(names[label] for label in column.order)}" for column in columns
    )
    parts.chart(charts.ladder(columns, names), key=key, alt=spoken, table=table)
    if any(column.n_relevant is not None for column in columns):
        st.caption("Dotted: the zero line. Labels above it are relevant.")


def draw_step(step: Step, scene: Scene) -> None:
    """Draw one step of an explanation: heading, sentence, evidence.

    Parameters
    ----------
    step : Step
        The step.
    scene : Scene
        What else to know.
    """
    st.subheader(step.title, anchor=False)
    say(step.text, scene.dataset)
    draw(step.evidence, scene)


@singledispatch
def draw(evidence: Any, scene: Scene) -> None:
    """Draw a piece of evidence.

    Parameters
    ----------
    evidence : Evidence
        One of the kinds of `labelrank_core.evidence`.
    scene : Scene
        What else to know.
    """
    st.dataframe(evidence.frame(scene.dataset.label_names), hide_index=True)


@draw.register
def _neighbors(evidence: Neighbors, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows]
    row_names, caption = _called(evidence, rows, of_forest=scene.rests_on(TreeVotes))
    table = evidence.frame(names)
    table["training row"] = rows + 1
    table = table.rename(columns={"training row": "row"})
    table = parts.around_features(parts.feature_table(scene.dataset, rows), dict(table.items()))
    if scene.dataset.task is Task.MULTILABEL or scene.rests_on(CountEvidence):
        figure = charts.label_sets(evidence, row_names, names, scene.order)
    else:
        figure = charts.strips(evidence, row_names, names)
    spoken = f"{len(rows)} similar cases, nearest first; " + "; ".join(table["ranking"].head(5))
    parts.chart(figure, key=f"{scene.key}-neighbors", alt=spoken, table=table)
    st.caption(caption)


def _called(evidence: Neighbors, rows: Any, *, of_forest: bool) -> tuple[list[str], str]:
    """Name the neighbours, and say what the numbers in the names are."""
    if of_forest:
        named = zip(rows, evidence.weights, strict=True)
        caption = "Row of the data, and the share of trees in which it is in this case's leaf"
        return [f"#{row + 1}  {share:.0%}" for row, share in named], caption
    weighted = bool(np.ptp(evidence.weights) > 0)
    row_names = [
        f"#{row + 1}  d {distance:.2f}" + (f"  w {weight:.2f}" if weighted else "")
        for row, distance, weight in zip(rows, evidence.distances, evidence.weights, strict=True)
    ]
    caption = r"\# row of the data · d distance to the case" + (" · w weight" if weighted else "")
    return row_names, caption


@draw.register
def _neighbor_ledger(evidence: NeighborLedger, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows] + 1
    deciding = set(evidence.deciding.tolist())
    shown = min(len(rows), _NEIGHBORS_SHOWN)
    row_names = [f"{i + 1}  #{rows[i]}{'  decides' if i in deciding else ''}" for i in range(shown)]
    table = evidence.frame(names)
    table["training row"] = rows
    table = table.rename(columns={"training row": "row"})
    parts.chart(
        charts.ranking_strips(
            evidence.running[:shown], row_names, names, n_places=_PLACES_SHOWN, row_height=20
        ),
        key=f"{scene.key}-ledger",
        alt="consensus of the nearest case, of the nearest two, and so on; "
        + "; ".join(table["consensus so far"].head(5)),
        table=table,
    )
    some = f", the first {shown} of {len(rows)}" if shown < len(rows) else ""
    st.caption(
        f"Consensus of the nearest case, the nearest two, …{some}; 'decides': without this case "
        "alone the ranking would be another"
    )


@draw.register
def _rule_orders(evidence: RuleOrders, scene: Scene) -> None:
    names = scene.dataset.label_names
    others = set(evidence.others)
    rule_names = [f"{rule.title}{'  ≠' if rule in others else ''}" for rule in evidence.rules]
    table = evidence.frame(names)
    spoken = zip(table["rule"], table["consensus"], strict=True)
    parts.chart(
        charts.ranking_strips(
            np.array([rule.positions for rule in evidence.rules]),
            rule_names,
            names,
            n_places=_PLACES_SHOWN,
            row_height=20,
        ),
        key=f"{scene.key}-rules",
        alt="; ".join(f"{rule}: {consensus}" for rule, consensus in spoken),
        table=table,
    )
    st.caption(
        "≠ another order than predicted. The table has the mean loss of each to the rankings of "
        "these cases: l2 (squared) and l1 (absolute rank differences), Kendall (contradicted pairs)"
    )


@draw.register
def _tree_votes(evidence: TreeVotes, scene: Scene) -> None:
    names = scene.dataset.label_names
    n_trees, n_labels = evidence.rankings.shape
    shown = min(n_trees, _TREES_SHOWN)
    row_names = [f"tree {tree + 1} (n {evidence.sizes[tree]})" for tree in range(shown)]
    table = evidence.frame(names)
    parts.chart(
        charts.ranking_strips(
            evidence.rankings[:shown], row_names, names, n_places=_PLACES_SHOWN, row_height=18
        ),
        key=f"{scene.key}-trees",
        alt=f"rankings of {n_trees} trees; " + "; ".join(table["ranking"].head(5)),
        table=table,
    )
    trees = f"{shown} of {n_trees} trees" if shown < n_trees else f"All {n_trees} trees"
    places = f", the first {_PLACES_SHOWN} of {n_labels} places" if n_labels > _PLACES_SHOWN else ""
    st.caption(f"{trees}{places}; n: training rankings in the leaf this case falls into")


@draw.register
def _win_shares(evidence: WinShares, scene: Scene) -> None:
    names = scene.dataset.label_names
    first, *others = scene.order
    spoken = f"shares in which {names[first]} is preferred: " + "; ".join(
        f"to {names[label]} {evidence.shares[first, label]:.2f}" for label in others[:10]
    )
    parts.chart(
        method_charts.win_shares(evidence, names),
        key=f"{scene.key}-pairs",
        alt=spoken,
        table=evidence.frame(names),
    )
    st.caption("Share in which the label of the row is preferred to the label of the column")


@draw.register
def _count_evidence(evidence: CountEvidence, scene: Scene) -> None:
    names = scene.dataset.label_names
    label = _ask_label(scene, "counts")
    own, n_counts = int(evidence.own[label]), evidence.cases_with.shape[1]
    values = {
        "label": Label(label),
        "own": own,
        "k": n_counts - 1,
        "prior": float(evidence.prior[label]),
        "with_it": float(evidence.likelihood_with[label, own]),
        "without": float(evidence.likelihood_without[label, own]),
        "posterior": float(evidence.posterior[label]),
    }
    sentence = Text(_PRIOR_TO_POSTERIOR, values)
    say(sentence, scene.dataset)
    parts.chart(
        method_charts.count_likelihoods(evidence, label, names),
        key=f"{scene.key}-counts",
        alt=sentence.plain(names),
        table=evidence.by_count(label),
    )
    with st.popover("All labels", icon=":material/table:", type="tertiary"):
        st.dataframe(evidence.frame(names), hide_index=True)


@draw.register
def _score_parts(evidence: ScoreParts, scene: Scene) -> None:
    names = scene.dataset.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{label}: score {score:.2f}, threshold {threshold:.2f}"
        for label, score, threshold in zip(
            table["label"], table["score"], table["threshold"], strict=True
        )
    )
    parts.chart(
        method_charts.score_parts(evidence, scene.order, names),
        key=f"{scene.key}-parts",
        alt=spoken,
        table=table,
    )
    if scene.brief:
        return
    label = _ask_label(scene, "parts")
    of_features = evidence.carrier == "feature"
    groups = scene.dataset.schema.column_of_feature if of_features else None
    table = evidence.contributions(label, groups=groups)
    called = _carriers(evidence, table, scene)
    table[evidence.carrier] = called
    added = "; ".join(
        f"{name} {total:+.2f}" for name, total in zip(called, table["sum"], strict=True)
    )
    parts.chart(
        method_charts.contributions(table, called),
        key=f"{scene.key}-contributions",
        alt=f"what adds most to the score of {names[label]}: {added}",
        table=table,
    )
    st.caption(_CARRIED[evidence.carrier])


def _carriers(evidence: ScoreParts, table: pd.DataFrame, scene: Scene) -> list[str]:
    """Name what carries a score, with the case's own value of a feature."""
    if evidence.carrier == "feature":
        own = scene.dataset.schema.frame(scene.case.x[None])
        values = own.to_numpy(dtype=object)[0]
        names = [_with_value(*pair) for pair in zip(own.columns, values, strict=True)]
    else:
        names = [f"#{row + 1}" for row in scene.case.training_rows]
    n_others = len(names) - len(table) + 1
    return [
        names[carrier] if carrier >= 0 else f"{n_others} others"
        for carrier in table[evidence.carrier]
    ]


def _with_value(name: str, value: Any) -> str:
    shown = text.shorten(value) if isinstance(value, str) else f"{value:.3g}"
    return f"{text.shorten(name)} = {shown}"


def _ask_label(scene: Scene, of: str) -> int:
    """Ask which label to look at closer; the first of the prediction unless chosen."""
    names = scene.dataset.label_names
    return st.selectbox(
        "Label",
        scene.order,
        format_func=lambda label: names[label],
        key=f"{scene.key}-{of}-label-{scene.dataset.fingerprint[:8]}",
    )


@draw.register
def _label_scores(evidence: LabelScores, scene: Scene) -> None:
    table = evidence.frame(scene.dataset.label_names)
    spoken = f"{evidence.title} of each label: " + "; ".join(
        f"{label} {value:.2f}"
        for label, value in zip(table["label"], table[evidence.title], strict=True)
    )
    parts.chart(
        charts.label_scores(evidence, scene.dataset.label_names),
        key=f"{scene.key}-{evidence.title}",
        alt=spoken,
        table=table,
    )


@draw.register
def _confidence(evidence: Confidence, scene: Scene) -> None:
    if not evidence.defined:
        st.caption("Not defined with a single case: it always agrees with itself.")
        return
    parts.chart(
        charts.confidence_bar(evidence),
        key=f"{scene.key}-confidence",
        alt=f"confidence {evidence.value:.2f} between {evidence.lowest:.2f} and 1",
    )
    st.caption(evidence.definition[0].upper() + evidence.definition[1:] + ".")
