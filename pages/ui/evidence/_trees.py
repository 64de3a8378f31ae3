"""Trees drawn: their votes, a way through one of them, what their questions change."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import markup
from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import RankParts, TreeVotes, VotingOrders
from labelrank_core.markup.grids import Tinted
from labelrank_core.rankings import FloatArray, format_ranking
from pages.ui import drawing, state, text
from pages.ui.evidence._scene import Scene, draw

_TREES_SHOWN = 6
_LEAF_RANKINGS = 4
_FEATURES_SHOWN = 5
_EACH, _SO_FAR, _ONE = "Each tree", "Consensus so far", "One tree"


@draw.register
def _tree_votes(evidence: TreeVotes, scene: Scene) -> None:
    names = scene.dataset.label_names
    n_trees, n_labels = evidence.rankings.shape
    if n_trees == 1:
        _way(evidence, scene, 0)
        return
    shown = min(n_trees, _TREES_SHOWN)
    view = _EACH
    if not scene.brief:
        view = st.segmented_control(
            "Trees",
            [_EACH, _SO_FAR, _ONE],
            default=_EACH,
            required=True,
            key=f"{scene.key}-trees-view",
            label_visibility="collapsed",
        )
    if view == _ONE:
        key = f"{scene.key}-tree-{scene.dataset.fingerprint[:8]}"
        state.forget_if(key, lambda value: not 1 <= value <= n_trees)
        _way(evidence, scene, st.number_input("Tree", 1, n_trees, 1, key=key) - 1)
        return
    rankings = evidence.rankings if view == _EACH else evidence.running
    row_names = [
        f"tree {tree + 1} (n {evidence.sizes[tree]})" if view == _EACH else f"{tree + 1} trees"
        for tree in range(shown)
    ]
    table = evidence.frame(names)
    column = "ranking" if view == _EACH else "consensus so far"
    trees = f"{shown} of {n_trees} trees" if shown < n_trees else f"All {n_trees} trees"
    n_places = scene.n_places
    places = f", the first {n_places} of {n_labels} places" if n_labels > n_places else ""
    meaning = (
        "n: training rankings in this case's leaf"
        if view == _EACH
        else "the consensus of the first tree, the first two, …"
    )
    drawing.picture(
        markup.strips(rankings[:shown], row_names, names, n_places=scene.n_places, is_dense=True),
        key=f"{scene.key}-trees",
        alt=f"{column} of {n_trees} trees; " + "; ".join(table[column].head(5)),
        table=table,
        caption=f"{trees}{places}; {meaning}",
    )


def _way(evidence: TreeVotes, scene: Scene, tree: int) -> None:
    """Draw the questions that lead to a leaf, and the rankings there."""
    schema, names = scene.dataset.schema, scene.dataset.label_names
    own = schema.frame(scene.case.x[None]).iloc[0]
    n_features = schema.starts[-1]
    shift, scale = scene.case.units or (np.zeros(n_features), np.ones(n_features))
    questions = []
    for question in evidence.ways[tree]:
        answer = question.words(
            schema, float(shift[question.feature]), float(scale[question.feature])
        )
        value = own.iloc[schema.column_of_feature[question.feature]]
        questions.append((answer, value if isinstance(value, str) else number_text(value)))
    leaf, size = evidence.leaves[tree], evidence.sizes[tree]
    # Trees in bags are grown from drawn cases.
    drawn = " (repeated draws counted)" if len(evidence.ways) > 1 else ""
    holds = "1 training ranking" if size == 1 else f"{size} training rankings"
    drawing.show(markup.way(questions, f"leaf with {holds}{drawn}"))
    if scene.brief:
        return
    different, counts = np.unique(leaf, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:_LEAF_RANKINGS]
    drawing.picture(
        markup.strips(
            different[order], [f"{counts[i]} ×" for i in order], names, n_places=scene.n_places
        ),
        key=f"{scene.key}-leaf",
        alt=f"the {len(order)} most frequent rankings in the leaf of tree {tree + 1}",
        table=pd.DataFrame(
            {
                "ranking": [format_ranking(different[i], names) for i in order],
                "training rankings": counts[order],
            }
        ),
        caption="The most frequent rankings in this leaf, each training case counted once.",
    )


@draw.register
def _voting_orders(evidence: VotingOrders, scene: Scene) -> None:
    names = scene.dataset.label_names
    others = set(evidence.others)
    if not others:
        # Three equal strips would show nothing.
        drawing.caption(f"Counted: {'; '.join(evidence.titles)}.")
        return
    titles = [f"{title}{'  ≠' if i in others else ''}" for i, title in enumerate(evidence.titles)]
    table = evidence.frame(names)
    own = evidence.titles[evidence.own]
    drawing.picture(
        markup.strips(evidence.positions, titles, names, n_places=scene.n_places),
        key=f"{scene.key}-counts",
        alt="; ".join(
            f"{what}: {order}"
            for what, order in zip(table["what counts"], table["order"], strict=True)
        ),
        table=table,
        caption=f"The prediction counts {own}; ≠ a different order.",
    )


def _most(shown: int, parts_: RankParts) -> str:
    asked = int((parts_.n_questions > 0).sum())
    return "" if shown == asked else f" (the {shown} largest)"


@draw.register
def _rank_parts(evidence: RankParts, scene: Scene) -> None:
    names = scene.dataset.label_names
    by_column = evidence.of_columns(scene.dataset.schema.column_of_feature)
    columns = [column.name for column in scene.dataset.schema.columns]
    shown = by_column.largest_changes(_FEATURES_SHOWN)
    table = by_column.frame(names)
    table["feature"] = ["(at the roots)" if j < 0 else columns[j] for j in table["feature"]]
    own = scene.dataset.schema.frame(scene.case.x[None]).to_numpy(dtype=object)[0]
    rows = [text.with_value(columns[j], own[j]) for j in shown]
    drawing.picture(
        _changes(by_column.changes[shown], rows, scene),
        key=f"{scene.key}-mattered",
        alt="what the questions change: "
        + "; ".join(
            f"{row} moves {names[scene.order[0]]} by {by_column.changes[j, scene.order[0]]:+.2f}"
            for row, j in zip(rows, shown, strict=True)
        ),
        table=table,
        caption=f"Change of the mean rank{_most(len(shown), by_column)}: blue moves a label up.",
    )


def _changes(changes: FloatArray, row_names: Sequence[str], scene: Scene) -> str:
    """Draw what the questions for each feature change in the ranks of the labels."""
    values = changes[:, scene.shown]
    widest = float(np.abs(values).max(initial=0.0)) or 1.0
    names = [scene.dataset.label_names[label] for label in scene.shown]
    said = [[markup.signed(value) for value in row] for row in values]
    return markup.matrix(Tinted(-values / widest, said, row_names, names))
