"""Similar cases: their places, their differences, the prediction without one of them."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import (
    CountEvidence,
    Label,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    Text,
    TreeVotes,
)
from labelrank_core.explain.overtaking import are_tied, passing
from labelrank_core.explain.render import (
    NEIGHBORS_SHOWN,
    count_evidence,
    markup,
    prior_to_posterior,
    way,
)
from labelrank_core.rankings import format_ranking
from pages.ui.choose import choices
from pages.ui.render import drawing, tables
from pages.ui.render.evidence._plane import plane
from pages.ui.render.evidence._scene import EvidenceScene, choose_label, render_evidence
from pages.ui.wording import text

_SMALLEST_SHARE = 0.05
_DIFFERENCES_SHOWN = 3
_OVERTAKES_SHOWN, _LETTERS = 3, 24
_AGAINST = "This tree has {b} ahead of {a}; {n} of {trees} trees have {a} ahead."
_VOTES = "{n} of {trees} trees have {a} ahead of {b}:"


@render_evidence.register
def _render_neighbors(evidence: Neighbors, scene: EvidenceScene) -> None:
    picture = drawings.picture(evidence, scene.plain)
    rows, differ = scene.case.training_rows[evidence.rows], _differences(evidence, scene)

    def detailed() -> pd.DataFrame:
        extra_columns = dict(picture.table.items()) | (
            {"differs most in": differ} if differ else {}
        )
        return tables.around_features(tables.features(scene.dataset, rows), extra_columns)

    def rankings() -> None:
        drawing.render_picture(picture, key=scene.key, detailed=detailed)

    if scene.brief:
        rankings()
    elif (votes := scene.case.explanation.find(TreeVotes)) is not None:
        _render_beside_tree(votes, scene, rankings)
    else:
        _render_beside_map(evidence, scene, rankings)


def _render_beside_map(
    evidence: Neighbors, scene: EvidenceScene, draw_rankings: Callable[[], None]
) -> None:
    """Draw where the neighbours lie beside their rankings; alone where the case has no place."""
    map_picture = plane(scene.dataset, scene.case, evidence, row=scene.row, height=300)
    if map_picture is None:
        draw_rankings()
        return
    counts = scene.case.explanation.find(CountEvidence)
    closest = scene.case.explanation.closest_pair

    def draw_rankings_and_counts() -> None:
        draw_rankings()
        if counts is not None and closest is not None:
            picture = drawings.counts_in_training(
                counts, scene.plain, closest[0], scene.dataset.nouns.rows
            )
            drawing.render_picture(picture, key=scene.key)

    draw_map = partial(drawing.render_picture, map_picture, key=scene.key)
    _render_abreast(draw_map, draw_rankings_and_counts)


def _render_beside_tree(
    votes: TreeVotes, scene: EvidenceScene, draw_rankings: Callable[[], None]
) -> None:
    """Draw the votes on the closest pair, then a tree that ranks as the forest does.

    Beside them stand the rankings that all trees lead to.
    """
    tree, n_trees = votes.typical_tree(), len(votes.rankings)

    def render_pair(template: str, pair: tuple[int, int, int]) -> None:
        values = {"a": Label(pair[0]), "b": Label(pair[1]), "n": pair[2], "trees": n_trees}
        drawing.render_sentence(Text(template, values), scene.dataset)

    def draw_votes_and_questions() -> None:
        closest = votes.closest_pair()
        # A tree whose vote has a weight is more or less than one square.
        if closest is not None and votes.weights is None:
            ahead, behind, n_agreeing = closest
            render_pair(_VOTES, closest)
            counts = [(ahead, n_agreeing), (behind, n_trees - n_agreeing)]
            drawing.render_markup(markup.vote_squares(counts, scene.dataset.label_names))
        reversed_pair = votes.reversed_pair(tree)
        title = f"What tree {tree + 1} of {n_trees} asks, and the answers:"
        if reversed_pair is None:
            title = f"Tree {tree + 1} ranks like all {n_trees} together. It asks:"
        drawing.render_markdown(title)
        drawing.render_markup(way(votes, scene.plain, tree))
        if reversed_pair is not None:
            render_pair(_AGAINST, reversed_pair)

    _render_abreast(draw_votes_and_questions, draw_rankings)


def _render_abreast(draw_left: Callable[[], None], draw_right: Callable[[], None]) -> None:
    drawing.before_a_widget()
    for column, draw in zip(st.columns([5, 7], gap="medium"), (draw_left, draw_right), strict=True):
        with column:
            draw()
            drawing.before_a_widget()


def _differences(evidence: Neighbors, scene: EvidenceScene) -> list[str]:
    """Say in which features each neighbour differs most, and which share they have."""
    if evidence.differing is None or evidence.differences is None:
        return []
    schema = scene.dataset.schema
    sentences = []
    for features, shares in zip(evidence.differing, evidence.differences, strict=True):
        # The features that stand for one nominal column count as one.
        by_column: dict[int, float] = {}
        for j, share in zip(schema.column_of_feature[features], shares, strict=True):
            by_column[int(j)] = by_column.get(int(j), 0.0) + float(share)
        largest = sorted(by_column, key=lambda j: -by_column[j])[:_DIFFERENCES_SHOWN]
        sentences.append(
            ", ".join(
                f"{text.shorten(schema.columns[j].name, 24)} {by_column[j]:.0%}"
                for j in largest
                if by_column[j] >= _SMALLEST_SHARE
            )
        )
    return sentences


@render_evidence.register
def _render_leave_one_out(evidence: LeaveOneOut, scene: EvidenceScene) -> None:
    drawing.render_picture(drawings.picture(evidence, scene.plain), key=scene.key)
    if not scene.brief:
        _render_ranking_without_case(evidence, scene, scene.case.training_rows[evidence.rows] + 1)


@render_evidence.register
def _render_leave_one_out_sets(evidence: LeaveOneOutSets, scene: EvidenceScene) -> None:
    drawing.render_picture(drawings.picture(evidence, scene.plain), key=scene.key)
    if not scene.brief:
        _render_set_without_case(evidence, scene, scene.case.training_rows[evidence.rows] + 1)


def _render_set_without_case(
    evidence: LeaveOneOutSets, scene: EvidenceScene, rows: NDArray[np.int64]
) -> None:
    """Draw the choice of a case to drop or replace by the next, and the set without it."""
    position = _choose_case(scene, evidence.deciding, rows)
    ways = [(f"without #{rows[position]}", evidence.without[position])]
    if evidence.replaced is not None and evidence.next_row is not None:
        name = f"#{scene.case.training_rows[evidence.next_row] + 1}, the next nearest, instead"
        ways.append((name, evidence.replaced[position]))
    names = scene.dataset.label_names
    for title, labels in ways:
        entering, leaving = evidence.changed_by(labels)
        changes = [f"+ {names[j]}" for j in entering] + [f"− {names[j]}" for j in leaving]
        changes_text = ", ".join(changes) or "the same labels"
        drawing.render_markdown(f"{text.markdown(title)}: {text.markdown(changes_text)}")


def _choose_case(scene: EvidenceScene, deciding: NDArray[np.int64], rows: NDArray[np.int64]) -> int:
    """Draw the choice of a near case to take away; at first one that decides."""
    offered = rows[:NEIGHBORS_SHOWN].tolist()
    first = int(deciding[0]) if len(deciding) and deciding[0] < len(offered) else 0
    drawing.before_a_widget()
    number = choices.choose(
        st.selectbox,
        "Remove one case",
        offered,
        offered[first],
        format_func=lambda row: f"#{row}, the {_ordinal(offered.index(row) + 1)} nearest",
        key=f"{scene.key}-drop",
    )
    return offered.index(number)


def _render_ranking_without_case(
    evidence: LeaveOneOut, scene: EvidenceScene, rows: NDArray[np.int64]
) -> None:
    """Draw the choice of a case to drop or replace by the next, and the ranking without it."""
    position = _choose_case(scene, evidence.deciding, rows)
    rankings = [evidence.prediction, evidence.without[position]]
    keys = [evidence.keys_without[position]]
    titles = ["with all", f"without #{rows[position]}"]
    descriptions = titles[1:]
    if evidence.replaced is not None and evidence.keys_replaced is not None:
        rankings.append(evidence.replaced[position])
        keys.append(evidence.keys_replaced[position])
        next_case = f"#{scene.case.training_rows[evidence.next_row] + 1}"
        titles.append(f"{next_case} instead")
        descriptions.append(f"{next_case}, the next nearest, instead")
    names = scene.dataset.label_names
    sentences = []
    short = [text.shorten(name, _LETTERS) for name in names]
    for title, ranking, keys_now in zip(descriptions, rankings[1:], keys, strict=True):
        reversed_pairs = evidence.discordant_pairs(ranking)
        changes = "; ".join(
            passing(short[b], short[a], are_tied(evidence.keys, a, b), are_tied(keys_now, a, b))
            for a, b in reversed_pairs[:_OVERTAKES_SHOWN]
        )
        if len(reversed_pairs) > _OVERTAKES_SHOWN:
            changes += f"; and {len(reversed_pairs) - _OVERTAKES_SHOWN} more"
        sentences.append(f"{title}: {changes or 'the same ranking'}")
    drawing.render_figure(
        markup.strips(
            markup.ranked_rows(np.array(rankings), titles), names, n_places=scene.plain.n_places
        ),
        key=f"{scene.key}-dropped",
        alt="; ".join(sentences),
        table=lambda: pd.DataFrame(
            {"cases": titles, "ranking": [format_ranking(ranking, names) for ranking in rankings]}
        ),
        caption=scene.plain.with_places(
            ". ".join(text.markdown(sentence) for sentence in sentences)
        ),
    )


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


@render_evidence.register
def _render_count_evidence(evidence: CountEvidence, scene: EvidenceScene) -> None:
    label = choose_label(scene, "counts")
    drawing.render_sentence(prior_to_posterior(evidence, label), scene.dataset)
    drawing.render_picture(count_evidence(evidence, scene.plain, label), key=scene.key)
    if scene.brief:
        return
    drawing.before_a_widget()
    with st.popover("All labels", icon=":material/table:", type="tertiary"):
        st.dataframe(evidence.frame(scene.dataset.label_names), hide_index=True)
