"""Drawings of pictures that are no kind of evidence, such as the answer and its views."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from labelrank_core.explain import pictures
from labelrank_core.explain.evidence import (
    CountEvidence,
    LabelScores,
    PairParts,
    RuleVotes,
    ScoreParts,
    TreeVotes,
    WinShares,
)
from tests.browser.gallery.evidence import EVIDENCE, first_example
from tests.browser.gallery.labels import Labels

Drawings = Mapping[str, str]

# Kinds of evidence have a picture each, which is drawn with them, and so are whole trees.
_DRAWN_WITH_EVIDENCE = {pictures.sure_pairs, pictures.way, pictures.whole_tree}
# Functions that return words.
_WORDS = {pictures.about_marks, pictures.prior_to_posterior}


def view_functions() -> set[Callable[..., Any]]:
    """Return every function of the pictures that draws, besides those of kinds of evidence."""
    return {
        function
        for name, function in inspect.getmembers(pictures, inspect.isfunction)
        if name != pictures.picture.__name__
        and inspect.signature(function).return_annotation in (str, pictures.Picture)
    } - (_DRAWN_WITH_EVIDENCE | _WORDS)


def _answer(labels: Labels) -> Drawings:
    drawings = {}
    for name, scores in EVIDENCE[LabelScores](labels).items():
        scene = labels.scene(scores, is_set=name != "mean ranks")
        truth = {j: ("really 12", bool(j % 2)) for j in scene.shown}
        drawings[f"answer {labels} {name}"] = pictures.answer(scene, truth, says_scale=True)
    return drawings


def _rule_votes(labels: Labels) -> Drawings:
    return {
        f"rule votes {labels} {name} {view}": pictures.rule_votes(
            votes, labels.scene(votes, is_set=True), view
        ).html()
        for name, votes in EVIDENCE[RuleVotes](labels).items()
        for view in ("running", "features")
    }


def _count_evidence(labels: Labels) -> Drawings:
    counts = first_example(CountEvidence, labels)
    scene = labels.scene(counts, is_set=True)
    return {
        f"counts {labels} of {label}": pictures.count_evidence(counts, scene, label).html()
        for label in (labels.order[0], labels.order[-1])
    }


def _leaf(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    return {f"leaf {labels}": pictures.leaf(votes, labels.scene(votes), 0).html()}


def _running_trees(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    picture = pictures.tree_votes(votes, labels.scene(votes), "running")
    return {f"running trees {labels}": picture.html()}


def _contributions(labels: Labels) -> Drawings:
    return {
        f"contributions {labels} {name}": pictures.contributions(
            parts, labels.scene(parts, is_set=True), labels.order[0]
        ).html()
        for name, parts in EVIDENCE[ScoreParts](labels).items()
    }


def _pair_parts(labels: Labels) -> Drawings:
    if labels.n == 1:
        return {}
    pair = tuple(labels.order[-2:])
    return {
        f"pair parts {labels} {name}": pictures.pair_parts(parts, labels.scene(parts), pair).html()
        for name, parts in EVIDENCE[PairParts](labels).items()
    }


def _pair_shares(labels: Labels) -> Drawings:
    if labels.n == 1:
        return {}
    shares = first_example(WinShares, labels).shares
    framed = pictures.pair_shares(
        shares, labels.order[:15], labels.names, [tuple(labels.order[:2])], is_ranked=False
    )
    return {f"framed pairs {labels}": f'<figure class="lr">{framed}</figure>'}


VIEWS: dict[Callable[..., Any], Callable[[Labels], Drawings]] = {
    pictures.answer: _answer,
    pictures.contributions: _contributions,
    pictures.count_evidence: _count_evidence,
    pictures.leaf: _leaf,
    pictures.pair_parts: _pair_parts,
    pictures.pair_shares: _pair_shares,
    pictures.rule_votes: _rule_votes,
    pictures.tree_votes: _running_trees,
}
