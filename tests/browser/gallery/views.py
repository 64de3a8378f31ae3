"""Drawings of pictures that are no kind of evidence, such as the answer and its views."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from labelrank_core.evaluation.guarantees.semiorder import score_gaps, sure_pairs
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import (
    CountEvidence,
    LabelScores,
    PairParts,
    RuleVotes,
    ScoreParts,
    SurePairs,
    TreeVotes,
    WinShares,
)
from tests.browser.gallery.evidence import EVIDENCE, first_example
from tests.browser.gallery.labels import Labels

Drawings = Mapping[str, str]

# Kinds of evidence have a picture each, which is drawn with them, and so are whole trees.
_DRAWN_WITH_EVIDENCE = {drawings.sure_pairs, drawings.way, drawings.whole_tree}
# Functions that return words.
_WORDS = {drawings.about_marks, drawings.prior_to_posterior}


def view_functions() -> set[Callable[..., Any]]:
    """Return every function of the pictures that draws, besides those of kinds of evidence."""
    return {
        function
        for name, function in inspect.getmembers(drawings, inspect.isfunction)
        if name != drawings.picture.__name__
        and inspect.signature(function).return_annotation in (str, drawings.Picture)
    } - (_DRAWN_WITH_EVIDENCE | _WORDS)


def _answer(labels: Labels) -> Drawings:
    views = {}
    for name, scores in EVIDENCE[LabelScores](labels).items():
        scene = labels.scene(scores, is_set=name != "mean ranks")
        truth = {j: ("really 12", bool(j % 2)) for j in scene.shown}
        views[f"answer {labels} {name}"] = drawings.answer(scene, truth, says_scale=True)
    return views


def _rule_votes(labels: Labels) -> Drawings:
    return {
        f"rule votes {labels} {name} {view}": drawings.rule_votes(
            votes, labels.scene(votes, is_set=True), view
        ).html()
        for name, votes in EVIDENCE[RuleVotes](labels).items()
        for view in ("running", "features")
    }


def _count_evidence(labels: Labels) -> Drawings:
    counts = first_example(CountEvidence, labels)
    scene = labels.scene(counts, is_set=True)
    return {
        f"counts {labels} of {label}": drawings.count_evidence(counts, scene, label).html()
        for label in (labels.order[0], labels.order[-1])
    }


def _counts_in_training(labels: Labels) -> Drawings:
    counts = first_example(CountEvidence, labels)
    scene = labels.scene(counts, is_set=True)
    return {
        f"training {labels} of {label}": drawings.counts_in_training(counts, scene, label).html()
        for label in (labels.order[0], labels.order[-1])
    }


def _leaf(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    return {f"leaf {labels}": drawings.leaf(votes, labels.scene(votes), 0).html()}


def _running_trees(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    picture = drawings.tree_votes(votes, labels.scene(votes), "running")
    return {f"running trees {labels}": picture.html()}


def _contributions(labels: Labels) -> Drawings:
    return {
        f"contributions {labels} {name}": drawings.contributions(
            parts, labels.scene(parts, is_set=True), labels.order[0]
        ).html()
        for name, parts in EVIDENCE[ScoreParts](labels).items()
    }


def _pair_parts(labels: Labels) -> Drawings:
    if labels.n == 1:
        return {}
    pair = tuple(labels.order[-2:])
    return {
        f"pair parts {labels} {name}": drawings.pair_parts(parts, labels.scene(parts), pair).html()
        for name, parts in EVIDENCE[PairParts](labels).items()
    }


def _pair_shares(labels: Labels) -> Drawings:
    if labels.n == 1:
        return {}
    shares = first_example(WinShares, labels).shares
    framed = drawings.pair_shares(
        shares, labels.order[:15], labels.names, [tuple(labels.order[:2])], is_ranked=False
    )
    return {f"framed pairs {labels}": f'<figure class="lr">{framed}</figure>'}


def _pair_gaps(labels: Labels) -> Drawings:
    n = len(labels.positions)
    if not 1 < n <= drawings.MOST_GAPS:
        return {}
    scores = -1.5 * labels.positions.astype(float)
    order = sure_pairs(score_gaps(scores[None]), 0.98)[0]
    promise = "All decided pairs are right with a probability of at least 90%. Decided here"
    sure = SurePairs(order, labels.positions, promise, None, scores, 0.98, "mean rank")
    drawn = {"alike": scores, "reversed": -scores, "even": np.zeros(n)}
    return {
        f"gaps {labels} {name}": drawings.pair_gaps(sure, predicted, labels.names).html()
        for name, predicted in drawn.items()
    }


VIEWS: dict[Callable[..., Any], Callable[[Labels], Drawings]] = {
    drawings.answer: _answer,
    drawings.contributions: _contributions,
    drawings.count_evidence: _count_evidence,
    drawings.counts_in_training: _counts_in_training,
    drawings.leaf: _leaf,
    drawings.pair_gaps: _pair_gaps,
    drawings.pair_parts: _pair_parts,
    drawings.pair_shares: _pair_shares,
    drawings.rule_votes: _rule_votes,
    drawings.tree_votes: _running_trees,
}
