"""Similar cases drawn: their rankings, whether one decides, what their counts and gaps mean."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Task, markup
from labelrank_core.explain.evidence import (
    CountEvidence,
    GapDial,
    Label,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    RuleOrders,
    Text,
    TreeVotes,
)
from labelrank_core.explain.overtaking import are_tied, passing
from labelrank_core.rankings import format_ranking
from pages.ui import drawing, state, tables, text
from pages.ui.charts.neighbors import count_likelihoods, gap_dial
from pages.ui.evidence._plane import where
from pages.ui.evidence._scene import Scene, ask_label, draw
from pages.ui.labels import SHOWN

_NEIGHBORS_SHOWN, _SHARING_SHOWN = 30, 6
_SMALLEST_SHARE = 0.05
_DIFFERENCES_SHOWN = 3
_OVERTAKES_SHOWN, _LETTERS = 3, 24
_PRIOR_TO_POSTERIOR = (
    "{label}: prior {prior} → posterior {posterior}. {own} of {k} neighbours have it; that count "
    "has likelihood {with_it} among training cases with the label, {without} among the others."
)


@draw.register
def _neighbors(evidence: Neighbors, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows]
    row_names, caption = _called(evidence, rows, of_forest=scene.rests_on(TreeVotes))
    table = evidence.frame(names)
    table["training row"] = rows + 1
    table = table.rename(columns={"training row": "row"})
    differ = _differences(evidence, scene)
    shown = slice(_SHARING_SHOWN if scene.rests_on(TreeVotes) else None)
    if differ:
        table["differs most in"] = differ
    table = tables.around_features(tables.features(scene.dataset, rows), dict(table.items()))
    if scene.dataset.task is Task.MULTILABEL or scene.rests_on(CountEvidence):
        relevant = evidence.rankings[:, :-1] < evidence.rankings[:, -1:]
        drawn = markup.label_sets(relevant, row_names, names, scene.shown)
    else:
        drawn = markup.strips(
            evidence.rankings[shown],
            row_names[shown],
            names,
            has_zero_line=evidence.has_zero_line,
            n_places=max(scene.n_places, SHOWN),
        )
    spoken = f"{len(rows)} similar cases, nearest first; " + "; ".join(table["ranking"].head(5))
    drawing.picture(drawn, key=f"{scene.key}-neighbors", alt=spoken, table=table, caption=caption)
    if differ and evidence.distances[0] > 0:
        nearest = text.markdown(differ[0])
        drawing.caption(f"Where the nearest case differs most (share of the distance): {nearest}.")
    if scene.brief:
        return
    key = f"{scene.key}-where"
    if not scene.rests_on(TreeVotes):
        where(scene.dataset, scene.case, evidence, key, row=scene.row, height=260)
        return
    # Of a forest the trees say more: its cases are drawn when somebody asks where they lie.
    place = st.expander(
        "Where they lie", icon=":material/map:", key=f"{key}-open", on_change="rerun"
    )
    if place.open:
        with place:
            where(scene.dataset, scene.case, evidence, key, row=scene.row, height=260)


def _differences(evidence: Neighbors, scene: Scene) -> list[str]:
    """Say in which features each neighbour differs most, and which share they have."""
    if evidence.differing is None or evidence.differences is None:
        return []
    schema = scene.dataset.schema
    said = []
    for features, shares in zip(evidence.differing, evidence.differences, strict=True):
        # The features that stand for one nominal column count as one.
        by_column: dict[int, float] = {}
        for j, share in zip(schema.column_of_feature[features], shares, strict=True):
            by_column[int(j)] = by_column.get(int(j), 0.0) + float(share)
        largest = sorted(by_column, key=lambda j: -by_column[j])[:_DIFFERENCES_SHOWN]
        said.append(
            ", ".join(
                f"{text.shorten(schema.columns[j].name, 24)} {by_column[j]:.0%}"
                for j in largest
                if by_column[j] >= _SMALLEST_SHARE
            )
        )
    return said


def _called(evidence: Neighbors, rows: Any, *, of_forest: bool) -> tuple[list[str], str]:
    """Name the neighbours, and say what the numbers in the names are."""
    if of_forest:
        named = zip(rows, evidence.weights, strict=True)
        some = f" First {_SHARING_SHOWN} of {len(rows)}." if len(rows) > _SHARING_SHOWN else ""
        caption = f"% of the trees that put it in this case's leaf.{some}"
        return [f"#{row + 1}  {share:.0%}" for row, share in named], caption
    weighted = bool(np.ptp(evidence.weights) > 0)
    row_names = [
        f"#{row + 1}  d {distance:.2f}" + (f"  w {weight:.2f}" if weighted else "")
        for row, distance, weight in zip(rows, evidence.distances, evidence.weights, strict=True)
    ]
    caption = r"\# row of the data · d distance" + (" · w weight" if weighted else "")
    return row_names, caption


@draw.register
def _leave_one_out(evidence: LeaveOneOut, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows] + 1
    deciding = set(evidence.deciding.tolist())
    shown = min(len(rows), _NEIGHBORS_SHOWN)
    row_names = [
        f"{'+ ' if i else ''}#{rows[i]}{'  decides' if i in deciding else ''}" for i in range(shown)
    ]
    table = evidence.frame(names)
    table["training row"] = rows
    table = table.rename(columns={"training row": "row"})
    some = f", the first {shown} of {len(rows)}" if shown < len(rows) else ""
    decides = ". 'decides': removing this case alone changes the ranking"
    drawing.picture(
        markup.strips(
            evidence.running[:shown], row_names, names, n_places=scene.n_places, is_dense=True
        ),
        key=f"{scene.key}-leave-one-out",
        alt="consensus of the nearest case, of the nearest two, and so on; "
        + "; ".join(table["consensus so far"].head(5)),
        table=table,
        caption=f"The consensus as cases are added, nearest first{some}"
        + (decides if deciding else ""),
    )
    if not scene.brief:
        _take_away(evidence, scene, row_names, rows)


@draw.register
def _leave_one_out_sets(evidence: LeaveOneOutSets, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows] + 1
    deciding = set(evidence.deciding.tolist())
    shown = min(len(rows), _NEIGHBORS_SHOWN)
    row_names = [
        f"{'+ ' if i else ''}#{rows[i]}{'  decides' if i in deciding else ''}" for i in range(shown)
    ]
    table = evidence.frame(names)
    table["training row"] = rows
    table = table.rename(columns={"training row": "row"})
    some = f", the first {shown} of {len(rows)}" if shown < len(rows) else ""
    decides = ". 'decides': removing this case alone changes the labels"
    drawing.picture(
        markup.label_sets(evidence.running[:shown], row_names, names, scene.shown),
        key=f"{scene.key}-leave-one-out",
        alt="relevant labels from the nearest case, from the nearest two, and so on; "
        + "; ".join(each or "none" for each in table["relevant so far"].head(5)),
        table=table,
        caption=f"The labels predicted as cases are added, nearest first{some}"
        + (decides if deciding else ""),
    )
    if not scene.brief:
        _take_away_of_sets(evidence, scene, shown, rows)


def _take_away_of_sets(
    evidence: LeaveOneOutSets, scene: Scene, shown: int, rows: NDArray[np.int64]
) -> None:
    """Let one case be dropped, or replaced by the next, and say what remains."""
    chosen = _ask_case(scene, shown, evidence.deciding, rows)
    ways = [(f"without #{rows[chosen]}", evidence.without[chosen])]
    if evidence.replaced is not None and evidence.next_row is not None:
        name = f"#{scene.case.training_rows[evidence.next_row] + 1}, the next nearest, instead"
        ways.append((name, evidence.replaced[chosen]))
    names = scene.dataset.label_names
    for title, labels in ways:
        entering, leaving = evidence.changed_by(labels)
        changes = [f"+ {names[j]}" for j in entering] + [f"− {names[j]}" for j in leaving]
        said = ", ".join(changes) or "the same labels"
        st.markdown(f"{text.markdown(title)}: {text.markdown(said)}")


def _ask_case(
    scene: Scene, shown: int, deciding: NDArray[np.int64], rows: NDArray[np.int64]
) -> int:
    """Ask which of the nearest cases to take away; one that decides unless chosen."""
    first = int(deciding[0]) if len(deciding) and deciding[0] < shown else 0
    key = f"{scene.key}-drop-{scene.dataset.fingerprint[:8]}"
    offered = rows[:shown].tolist()
    state.forget_if(key, lambda value: value not in offered)
    state.follow(key, None, offered[first])
    chosen = st.selectbox(
        "Remove one case",
        offered,
        index=first,
        format_func=lambda row: f"#{row}, the {_ordinal(offered.index(row) + 1)} nearest",
        key=key,
    )
    return offered.index(chosen)


def _take_away(
    evidence: LeaveOneOut, scene: Scene, row_names: list[str], rows: NDArray[np.int64]
) -> None:
    """Let one case be dropped, or replaced by the next, and show what remains."""
    chosen = _ask_case(scene, len(row_names), evidence.deciding, rows)
    rankings = [evidence.prediction, evidence.without[chosen]]
    keys = [evidence.keys_without[chosen]]
    titles = ["with all", f"without #{rows[chosen]}"]
    called = titles[1:]
    if evidence.replaced is not None and evidence.keys_replaced is not None:
        rankings.append(evidence.replaced[chosen])
        keys.append(evidence.keys_replaced[chosen])
        other = f"#{scene.case.training_rows[evidence.next_row] + 1}"
        titles.append(f"{other} instead")
        called.append(f"{other}, the next nearest, instead")
    names = scene.dataset.label_names
    said = []
    short = [text.shorten(name, _LETTERS) for name in names]
    for title, ranking, now in zip(called, rankings[1:], keys, strict=True):
        reversed_pairs = evidence.discordant_pairs(ranking)
        changes = "; ".join(
            passing(short[b], short[a], are_tied(evidence.keys, a, b), are_tied(now, a, b))
            for a, b in reversed_pairs[:_OVERTAKES_SHOWN]
        )
        if len(reversed_pairs) > _OVERTAKES_SHOWN:
            changes += f"; and {len(reversed_pairs) - _OVERTAKES_SHOWN} more"
        said.append(f"{title}: {changes or 'the same ranking'}")
    drawing.picture(
        markup.strips(np.array(rankings), titles, names, n_places=scene.n_places),
        key=f"{scene.key}-dropped",
        alt="; ".join(said),
        table=pd.DataFrame(
            {"cases": titles, "ranking": [format_ranking(each, names) for each in rankings]}
        ),
        caption=". ".join(text.markdown(each) for each in said),
    )


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


@draw.register
def _rule_orders(evidence: RuleOrders, scene: Scene) -> None:
    names = scene.dataset.label_names
    others = set(evidence.others)
    if not others:
        # Equal strips below each other would show nothing.
        drawing.caption(f"Compared: {', '.join(rule.title for rule in evidence.rules)}.")
        return
    rule_names = [f"{rule.title}{'  ≠' if rule in others else ''}" for rule in evidence.rules]
    table = evidence.frame(names)
    spoken = zip(table["rule"], table["consensus"], strict=True)
    drawing.picture(
        markup.strips(
            np.array([rule.positions for rule in evidence.rules]),
            rule_names,
            names,
            n_places=scene.n_places,
        ),
        key=f"{scene.key}-rules",
        alt="; ".join(f"{rule}: {consensus}" for rule, consensus in spoken),
        table=table,
        caption="≠ a different order. Table: mean loss against these rankings: l2 (squared) and l1 "
        "(absolute) rank differences, Kendall (discordant pairs).",
    )


@draw.register
def _gap_dial(evidence: GapDial, scene: Scene) -> None:
    names = scene.dataset.label_names
    said = "; ".join(
        f"at p = {each.gap} {names[each.label]} {'enters' if each.enters else 'leaves'}"
        for each in evidence.crossings
    )
    what = (
        "Thick: the zero line, the share of the similar cases that a label must exceed; thin: the "
        "labels' shares"
        if evidence.bars is not None
        else "How far each label's mean rank is ahead of the zero line (above 0: relevant)"
    )
    drawing.chart(
        gap_dial(evidence, names),
        key=f"{scene.key}-gap",
        alt=f"labels against the zero line for p from 1 to {evidence.gaps[-1]}; "
        + (said or "no change"),
        table=evidence.frame(names),
        caption=f"{what}. {said[:1].upper()}{text.markdown(said[1:])}" if said else what,
    )


@draw.register
def _count_evidence(evidence: CountEvidence, scene: Scene) -> None:
    names = scene.dataset.label_names
    label = ask_label(scene, "counts")
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
    drawing.say(sentence, scene.dataset)
    drawing.chart(
        count_likelihoods(evidence, label, names),
        key=f"{scene.key}-counts",
        alt=sentence.plain(names),
        table=evidence.by_count(label),
    )
    if scene.brief:
        return
    with st.popover("All labels", icon=":material/table:", type="tertiary"):
        st.dataframe(evidence.frame(names), hide_index=True)
