"""Similar cases drawn: their rankings, cases that decide alone, counts and gaps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd

from labelrank_core.explain.evidence import (
    CountEvidence,
    Crossing,
    GapDial,
    Label,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    RuleOrders,
    Text,
    TreeVotes,
)
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._counts import count_likelihoods, training_counts
from labelrank_core.explain.render._gap import gap_dial, marked_labels
from labelrank_core.explain.render._scene import SHOWN, Picture, Scene, picture
from labelrank_core.explain.render.markup.elements import fragment
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels
from labelrank_core.explain.render.markup.text import markdown, shorten_all
from labelrank_core.rankings import IntArray, format_ranking, list_names

NEIGHBORS_SHOWN, _SHARING_SHOWN = 30, 10
# Cases whose known pairs are drawn, and chains of pairs of each of them.
_PAIRS_OF_CASES_SHOWN, _CHAINS_SHOWN = 8, 4
# More rankings than these are counted by position, below the first few of them.
_MOST_READ, _SHOWN_BESIDE_COUNTS, _MOST_COUNTED = 8, 5, 8
_ABOUT_COUNTS = " The {shown} nearest of {n}, and how many of the {n} put which label where."
# Of a caption that says where labels cross the zero line.
_CROSSINGS_SAID, _CROSSING_LETTERS = 5, 24
_PRIOR_TO_POSTERIOR = (
    "{label}: prior {prior} → posterior {posterior}. {own} of {k} neighbours have it; that count "
    "has likelihood {with_it} among training cases with the label, {without} among the others."
)


@picture.register
def _neighbors(evidence: Neighbors, scene: Scene) -> Picture:
    names = scene.label_names
    rows = scene.rows(evidence.rows)
    of_forest = scene.rests_on(TreeVotes)
    row_names, caption = _row_names(evidence, rows, scene.case_names, of_forest=of_forest)
    counted = None
    if evidence.preferences is not None:
        preferences = evidence.preferences
        n_shown = min(len(rows), _PAIRS_OF_CASES_SHOWN)
        chains = [preferences.chains(row) for row in range(n_shown)]
        max_chains = None if scene.label_selection.everything else _CHAINS_SHOWN
        drawing = markup.known_pairs_rows(chains, row_names[:n_shown], names, max_chains=max_chains)
        if n_shown < len(rows):
            caption += f" The {n_shown} nearest of {len(rows)}."
    elif evidence.are_sets:
        relevant = evidence.rankings[:, :-1] < evidence.rankings[:, -1:]
        drawing = markup.label_sets(relevant, row_names, names, scene.shown)
    else:
        first_rows = slice(_SHARING_SHOWN if of_forest else None)
        if _are_counted(evidence) and not of_forest:
            first_rows = slice(_SHOWN_BESIDE_COUNTS)
            counted = markup.position_counts(evidence.rankings, names)
            caption += _ABOUT_COUNTS.format(shown=_SHOWN_BESIDE_COUNTS, n=len(rows))
        n_places = max(scene.n_places, SHOWN)
        caption = scene.with_places(caption, n_places)
        drawing = markup.strips(
            markup.ranked_rows(evidence.rankings[first_rows], row_names[first_rows]),
            names,
            n_zero_lines=int(evidence.has_zero_line),
            n_places=n_places,
        )
    nearest = "; ".join(evidence.in_words(names)[:5])
    spoken = f"{len(rows)} similar cases, nearest first; {nearest}"
    return Picture(
        "neighbors",
        spoken,
        lambda: _numbered(evidence, scene),
        caption.strip(),
        fragment(drawing, counted),
    )


def _are_counted(evidence: Neighbors) -> bool:
    """Tell whether there are too many rankings to read them all, of few labels without a line."""
    n_rankings, n_labels = evidence.rankings.shape
    return n_rankings > _MOST_READ and n_labels <= _MOST_COUNTED and not evidence.has_zero_line


def _numbered(evidence: Neighbors | LeaveOneOut | LeaveOneOutSets, scene: Scene) -> pd.DataFrame:
    """Tabulate cases by the rows of the data, counted from 1."""
    table = evidence.frame(scene.label_names).rename(columns={"training row": "row"})
    return table.assign(row=scene.rows(evidence.rows) + 1)


def _with_its_number(name: str) -> str:
    """Keep the number at the end of a name on the line of the word before it."""
    return re.sub(r" (?=\d+$)", "\N{NO-BREAK SPACE}", name)


def _row_names(
    evidence: Neighbors, rows: IntArray, case_names: Sequence[str] | None, *, of_forest: bool
) -> tuple[list[str], str]:
    """Name the neighbours, and write a caption on the numbers in the names."""
    if of_forest:
        rows_with_shares = zip(rows, evidence.weights, strict=True)
        caption = "The cases in the most leaves, and in what share of the trees:"
        names = case_names or [f"#{row + 1}" for row in range(max(rows, default=-1) + 1)]
        return [
            f"{share:.0%} {_with_its_number(names[row])}" for row, share in rows_with_shares
        ], caption
    weighted = bool(np.ptp(evidence.weights) > 0)
    # The numbers in front are those of the map.
    if case_names is not None:
        row_names = [
            f"{number}. {_with_its_number(case_names[row])}"
            + (f"  w {weight:.2f}" if weighted else "")
            for number, (row, weight) in enumerate(
                zip(rows, evidence.weights, strict=True), start=1
            )
        ]
        about = "Their labels." if evidence.are_sets else "Their rankings, best on the left."
        return row_names, f"{about} w is the weight of a case.".strip() if weighted else about
    row_names = [
        f"{number}  #{row + 1}  d {distance:.2f}" + (f"  w {weight:.2f}" if weighted else "")
        for number, (row, distance, weight) in enumerate(
            zip(rows, evidence.distances, evidence.weights, strict=True), start=1
        )
    ]
    weight_note = ", w the weight" if weighted else ""
    caption = rf"\# is the row of the data, d the distance{weight_note}."
    return row_names, caption


@dataclass(frozen=True, eq=False)
class _Running:
    """Cases added one after the other: their names, and which of them decide."""

    evidence: LeaveOneOut | LeaveOneOutSets
    scene: Scene

    @property
    def rows(self) -> IntArray:
        """The rows of the cases, counted from 1."""
        return self.scene.rows(self.evidence.rows) + 1

    @property
    def names(self) -> list[str]:
        """The names of the first of them."""
        deciding = set(self.evidence.deciding.tolist())
        return [
            f"{'+ ' if i else ''}#{row}{'  decides' if i in deciding else ''}"
            for i, row in enumerate(self.rows[:NEIGHBORS_SHOWN])
        ]

    def picture(self, subject: str, changes: str, alt: str, drawing: str) -> Picture:
        """Return the drawing with its caption."""
        are_rankings = isinstance(self.evidence, LeaveOneOut)
        n, n_shown = len(self.rows), len(self.names)
        note = f", the first {n_shown} of {n}" if n_shown < n else ""
        decides = f". 'decides': removing this case alone changes the {changes}"
        caption = f"{subject} as cases are added, nearest first{note}"
        caption += decides if len(self.evidence.deciding) else ""
        return Picture(
            "leave-one-out",
            f"{alt}; {'; '.join(self.evidence.in_words(self.scene.label_names)[:5])}",
            lambda: _numbered(self.evidence, self.scene),
            self.scene.with_places(caption) if are_rankings else caption,
            drawing,
        )


@picture.register
def _leave_one_out(evidence: LeaveOneOut, scene: Scene) -> Picture:
    running, names = _Running(evidence, scene), scene.label_names
    return running.picture(
        "The consensus",
        "ranking",
        "consensus of the nearest case, of the nearest two, and so on",
        markup.strips(
            markup.ranked_rows(evidence.running[:NEIGHBORS_SHOWN], running.names),
            names,
            n_places=scene.n_places,
            is_dense=True,
        ),
    )


@picture.register
def _leave_one_out_sets(evidence: LeaveOneOutSets, scene: Scene) -> Picture:
    running, names = _Running(evidence, scene), scene.label_names
    relevant = evidence.running[:NEIGHBORS_SHOWN]
    return running.picture(
        "The labels predicted",
        "labels",
        "relevant labels from the nearest case, from the nearest two, and so on",
        markup.label_sets(relevant, running.names, names, scene.shown),
    )


@picture.register
def _rule_orders(evidence: RuleOrders, scene: Scene) -> Picture:
    names = scene.label_names
    differing = set(evidence.others)
    spoken = "; ".join(
        f"{rule.counted_title}: {format_ranking(rule.positions, names)}" for rule in evidence.rules
    )

    def numbers() -> pd.DataFrame:
        return evidence.frame(names)

    if not differing:
        # Equal strips below each other would show nothing.
        compared = ", ".join(rule.counted_title for rule in evidence.rules)
        return Picture("rules", spoken, numbers, f"Compared: {compared}.")
    rankings = [
        RankedLabels.from_positions(
            rule.positions, f"{rule.counted_title}{'  ≠' if rule in differing else ''}"
        )
        for rule in evidence.rules
    ]
    return Picture(
        "rules",
        spoken,
        numbers,
        scene.with_places(
            "≠ a different order. Table: mean loss against these rankings: l2 (squared) and l1 "
            "(absolute) rank differences, Kendall (discordant pairs)."
        ),
        markup.strips(rankings, names, n_places=scene.n_places),
    )


@picture.register
def _gap_dial(evidence: GapDial, scene: Scene) -> Picture:
    names = shorten_all(scene.label_names, _CROSSING_LETTERS)
    crossings = evidence.crossings
    crossings_text = _crossings_text(crossings[:_CROSSINGS_SAID], names)
    if len(crossings) > _CROSSINGS_SAID:
        crossings_text += f"; {len(crossings) - _CROSSINGS_SAID} more in the table"
    marked = marked_labels(evidence, range(len(names)))
    n_crossing = len({crossing.label for crossing in crossings})
    note = ""
    if len(marked) < n_crossing:
        note = (
            f". Lines with a dot: the {len(marked)} of these {n_crossing} labels that cross the "
            f"zero line nearest to p = {evidence.gap_in_use}"
        )
    meaning = (
        "Thick: the zero line, the share of the similar cases that a label must exceed; thin: the "
        "labels' shares"
        if evidence.bars is not None
        else "How far each label's mean rank is ahead of the zero line (above 0: relevant)"
    )
    return Picture(
        "gap",
        f"labels against the zero line for p from 1 to {evidence.gaps[-1]}; "
        + (crossings_text or "no change"),
        evidence.frame(scene.label_names),
        f"{meaning}. {crossings_text[:1].upper()}{markdown(crossings_text[1:])}{note}"
        if crossings_text
        else meaning,
        gap_dial(evidence, scene.label_names, {*scene.shown, *marked}),
    )


def _crossings_text(crossings: Sequence[Crossing], names: Sequence[str]) -> str:
    """Say at which p labels cross the zero line, those that do so together at once."""
    clauses = []
    for (gap, enters), together in groupby(
        crossings, key=lambda crossing: (crossing.gap, crossing.enters)
    ):
        labels = [names[crossing.label] for crossing in together]
        verb = ("enter" if enters else "leave") + ("" if len(labels) > 1 else "s")
        clauses.append(f"at p = {gap}, {list_names(labels)} {verb}")
    return "; ".join(clauses)


def prior_to_posterior(evidence: CountEvidence, label: int) -> Text:
    """Write the sentence on a label's probability before and after its neighbours are counted."""
    count = int(evidence.case_counts[label])
    values = {
        "label": Label(label),
        "own": count,
        "k": evidence.neighbors_of(label),
        "prior": float(evidence.prior[label]),
        "with_it": float(evidence.likelihood_with[label, count]),
        "without": float(evidence.likelihood_without[label, count]),
        "posterior": float(evidence.posterior[label]),
    }
    return Text(_PRIOR_TO_POSTERIOR, values)


@picture.register
def count_evidence(evidence: CountEvidence, scene: Scene, label: int | None = None) -> Picture:
    """Draw the meaning of each count of neighbours, by default for the last relevant label."""
    label = scene.middle_label if label is None else label
    names = scene.label_names
    return Picture(
        "counts",
        prior_to_posterior(evidence, label).plain(names),
        evidence.by_count(label),
        markup=count_likelihoods(evidence, label, names),
    )


def counts_in_training(
    evidence: CountEvidence, scene: Scene, label: int, rows: str = "cases"
) -> Picture:
    """Draw where the probability of a label comes from: training cases by their counts.

    `rows` is what the cases are called.
    """
    names = scene.label_names
    return Picture(
        "training counts",
        prior_to_posterior(evidence, label).plain(names),
        evidence.by_count(label),
        markup=training_counts(evidence, label, names, rows),
    )
