"""Trees drawn: their votes, a way through one of them, changes at their questions."""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from string import ascii_uppercase
from typing import Literal

import numpy as np
import pandas as pd

from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import RankParts, TreeNode, TreeVotes, VotingOrders
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels
from labelrank_core.explain.render.markup.text import shorten_all
from labelrank_core.rankings import FloatArray, format_ranking

_TREES_SHOWN = 6
_LEAF_RANKINGS = 4
_FEATURES_SHOWN = 5
_LEAF_LABELS, _LEAF_LETTERS = 3, 12
_WAY_LABELS = 8


@picture.register
def tree_votes(
    evidence: TreeVotes, scene: Scene, view: Literal["each", "running"] = "each"
) -> Picture:
    """Draw the rankings of trees, or the consensus of the first one, two, three and so on."""
    names = scene.label_names
    n_trees = len(evidence.rankings)
    if n_trees == 1:
        return Picture(
            "way", "the way to a leaf", evidence.frame(names), markup=way(evidence, scene)
        )
    n_shown = min(n_trees, _TREES_SHOWN)
    is_each = view == "each"
    row_names = [
        f"tree {tree + 1} ({_size_and_weight(evidence, tree)})"
        if is_each
        else f"{tree + 1} tree{'s' * (tree > 0)}"
        for tree in range(n_shown)
    ]
    table = evidence.frame(names)
    column = "ranking" if is_each else "consensus so far"
    trees = f"{n_shown} of {n_trees} trees" if n_shown < n_trees else f"All {n_trees} trees"
    weight = "" if evidence.weights is None else " w: weight of the tree's vote."
    meaning = (
        f"n: training rankings in this case's leaf.{weight}"
        if is_each
        else "The consensus of the first tree, of the first two, and so on."
    )
    rankings = evidence.rankings if is_each else evidence.running
    return Picture(
        "trees",
        f"{column} of {n_trees} trees; " + "; ".join(table[column].head(5)),
        table,
        scene.with_places(f"{trees}. {meaning}"),
        markup.strips(
            markup.ranked_rows(rankings[:n_shown], row_names),
            names,
            n_places=scene.n_places,
            is_dense=True,
        ),
    )


def _size_and_weight(evidence: TreeVotes, tree: int) -> str:
    """Return the size of a tree's leaf and, if it has one, the weight of its vote."""
    size = f"n {evidence.sizes[tree]}"
    if evidence.weights is None:
        return size
    return f"{size}, w {evidence.weights[tree]:.1f}"


def way(evidence: TreeVotes, scene: Scene, tree: int = 0) -> str:
    """Draw the questions that lead to a leaf."""
    schema = scene.schema
    case_values = None if scene.x is None else schema.frame(scene.x[None]).iloc[0]
    questions = []
    for question in evidence.ways[tree]:
        value = (
            ""
            if case_values is None
            else case_values.iloc[schema.column_of_feature[question.feature]]
        )
        questions.append(
            (scene.answer(question), value if isinstance(value, str) else number_text(value))
        )
    size = evidence.sizes[tree]
    # Trees in bags are grown from drawn cases.
    note = ", with repeats" if len(evidence.ways) > 1 else ""
    holds = "1 training ranking" if size == 1 else f"{size:,} training rankings"
    ranking = RankedLabels.from_positions(evidence.rankings[tree])
    strip = markup.strip(ranking, scene.label_names, n_labels=_WAY_LABELS)
    return markup.way(questions, f"Leaf: {holds}{note}", strip)


def whole_tree(
    evidence: TreeVotes,
    scene: Scene,
    tree: int = 0,
    *,
    shows_way: bool = True,
    cases: Sequence[Sequence[tuple[str, int]]] = (),
) -> str:
    """Draw a tree with all its leaves, or down to its last questions that are listed.

    Its ends have letters, from left to right; the way of the case is framed, or not shown yet.
    `cases` names those drawn into each leaf, in the same order, and says how often.
    """
    ends = zip(ascii_uppercase, chain(cases, repeat(())), strict=False)
    return markup.whole_tree(_branch(evidence.roots[tree], scene, ends, shows_way=shows_way))


def _branch(
    node: TreeNode,
    scene: Scene,
    ends: Iterator[tuple[str, Sequence[tuple[str, int]]]],
    *,
    shows_way: bool,
) -> markup.Branch:
    is_passed = node.is_passed and shows_way
    name, cases = ("", ()) if node.children else next(ends)
    if node.question is not None:
        text = scene.answer(node.question) + ("?" if node.children else "? …")
        children = tuple(
            _branch(child, scene, ends, shows_way=shows_way) for child in node.children
        )
        return markup.Branch(text, is_passed, children=children, name=name)
    labels = shorten_all(scene.label_names, _LEAF_LETTERS)
    chips = markup.first_chips(RankedLabels.from_positions(node.ranking), labels, _LEAF_LABELS)
    return markup.Branch(f"n {node.size}", is_passed, chips, name=name, cases=cases)


def leaf(evidence: TreeVotes, scene: Scene, tree: int) -> Picture:
    """Draw the most frequent rankings in a leaf."""
    names = scene.label_names
    different, kind = np.unique(evidence.leaves[tree], axis=0, return_inverse=True)
    counts = np.bincount(kind.ravel(), evidence.draws[tree]).astype(np.int64)
    order = np.argsort(-counts, kind="stable")[:_LEAF_RANKINGS]
    return Picture(
        "leaf",
        f"the {len(order)} most frequent rankings in the leaf of tree {tree + 1}",
        pd.DataFrame(
            {
                "ranking": [format_ranking(different[i], names) for i in order],
                "training rankings": counts[order],
            }
        ),
        scene.with_places(
            "The most frequent rankings in this leaf, each counted as often as it was drawn."
        ),
        markup.strips(
            markup.ranked_rows(different[order], [f"{counts[i]} ×" for i in order]),
            names,
            n_places=scene.n_places,
        ),
    )


@picture.register
def _voting_orders(evidence: VotingOrders, scene: Scene) -> Picture:
    names = scene.label_names
    differing = set(evidence.others)
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{counted}: {order}"
        for counted, order in zip(table["what counts"], table["order"], strict=True)
    )
    if not differing:
        # Three equal strips would show nothing.
        return Picture("counts", spoken, table, f"Counted: {'; '.join(evidence.titles)}.")
    titles = [
        f"{title}{'  ≠' if i in differing else ''}" for i, title in enumerate(evidence.titles)
    ]
    title_in_use = evidence.titles[evidence.way_in_use]
    return Picture(
        "counts",
        spoken,
        table,
        scene.with_places(f"The prediction counts {title_in_use}; ≠ a different order."),
        markup.strips(
            markup.ranked_rows(evidence.positions, titles), names, n_places=scene.n_places
        ),
    )


@picture.register
def _rank_parts(evidence: RankParts, scene: Scene) -> Picture:
    names = scene.label_names
    by_column = evidence.of_columns(scene.schema.column_of_feature)
    columns = [column.name for column in scene.schema.columns]
    largest = by_column.largest_changes(_FEATURES_SHOWN)
    table = by_column.frame(names)
    table["feature"] = ["(at the roots)" if j < 0 else columns[j] for j in table["feature"]]
    column_names = scene.named_values()
    rows = [column_names[j] for j in largest]
    n_asked = int((by_column.n_questions > 0).sum())
    note = "" if len(largest) == n_asked else f" (the {len(largest)} largest)"
    first = scene.order[0]
    return Picture(
        "mattered",
        "what the questions change: "
        + "; ".join(
            f"{row} moves {names[first]} by {by_column.changes[j, first]:+.2f}"
            for row, j in zip(rows, largest, strict=True)
        ),
        table,
        f"Change of the mean rank{note}: blue moves a label up.",
        _changes(by_column.changes[largest], rows, scene),
    )


def _changes(changes: FloatArray, row_names: Sequence[str], scene: Scene) -> str:
    """Draw the changes in the ranks of the labels at the questions for each feature."""
    values = changes[:, scene.shown]
    widest = float(np.abs(values).max(initial=0.0)) or 1.0
    names = [scene.label_names[label] for label in scene.shown]
    texts = [[markup.signed(value) for value in row] for row in values]
    return markup.matrix(Tinted(-values / widest, texts, row_names, names))
