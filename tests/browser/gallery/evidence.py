"""Every kind of evidence for awkward labels."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.evidence import (
    ChoiceChances,
    Confidence,
    CountEvidence,
    GapDial,
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    MallowsFit,
    MemberProbabilities,
    MemberSupports,
    Neighbors,
    PairMatrix,
    PairParts,
    Question,
    RankParts,
    RuleOrders,
    RuleOutcome,
    RuleVotes,
    ScoreParts,
    SetValues,
    SubspaceView,
    SurePairs,
    TreeNode,
    TreeVotes,
    VotedProbabilities,
    VotingOrders,
    WinShares,
)
from labelrank_core.rankings import FloatArray
from tests.browser.gallery.labels import SCHEMA, Labels, X

Variants = Mapping[str, Any]
_N_FEATURES = SCHEMA.starts[-1]
_DISTANCES = np.array([0.0, 0.004, 0.25, 1.0, 3.5, 120.0, 12345.678])
_ROWS = np.array([0, 7, 41, 99, 1234, 5678, 99999])
_QUESTIONS = tuple(Question(j, 0.000123456 * 10**j, bool(j % 2)) for j in range(_N_FEATURES))


def _label_scores(labels: Labels) -> Variants:
    values, positions = labels.positions * 1.0, labels.positions
    tied = np.minimum(values, max(1, labels.n // 2))
    return {
        "mean ranks": LabelScores("mean rank", values, positions),
        "tied mean ranks": LabelScores("mean rank", tied, positions, bar=1.5, bar_name="zero line"),
        "probabilities": LabelScores(
            "probability", 1 / values, positions, True, bar=0.5, highest=1.0
        ),
        "scores below 0": LabelScores("score", -values / 7, positions, True, bar=0.0),
        "equal scores": LabelScores("score", 0 * values, positions, True, bar=0.0),
    }


def _set_values(labels: Labels) -> Variants:
    in_set = labels.rng.random((labels.n + 1, labels.n)) < 0.4
    in_set[0] = labels.relevance[0]
    values = np.linspace(1, 0, labels.n + 1)
    return {"": SetValues("mean F1", in_set, values, labels.positions)}


def _win_shares(labels: Labels) -> Variants:
    return {"": WinShares(labels.shares, labels.positions)}


def _confidence(labels: Labels) -> Variants:
    del labels
    said = "How far the neighbours agree.", "1 minus their mean distance."
    return {
        "0": Confidence(0.0, 0.0, *said),
        "half": Confidence(0.5, 0.25, *said),
        "1": Confidence(1.0, 0.98, *said),
        "undefined": Confidence(1.0, 0.0, *said, defined=False),
    }


def _voted_probabilities(labels: Labels) -> Variants:
    votes = np.vstack([np.zeros(labels.n), np.ones(labels.n), labels.rng.random((8, labels.n))])
    return {"": VotedProbabilities("chain", votes, labels.positions)}


def _neighbors(labels: Labels) -> Variants:
    rankings = labels.rankings
    lines = np.full((7, 1), labels.n / 2 + 0.25)
    lines[6] = 1
    sets = np.where(labels.relevance, 1.0, 3.0)
    equal = np.ones(7)
    known: Variants = {}
    if labels.n > 1:
        pairs = PairPreferences.from_rankings(labels.positions[None].repeat(7, axis=0))
        few = pairs.without_pairs(1 - 6 / pairs.shape[1]) if labels.n > 4 else pairs
        none = Neighbors(_ROWS, _DISTANCES, equal, rankings * np.nan)
        known = {"known pairs": replace(none, preferences=few)}
    return {
        **known,
        "rankings": Neighbors(_ROWS, _DISTANCES, equal, rankings),
        "weighted": Neighbors(_ROWS, _DISTANCES, 1 / (1 + _DISTANCES), rankings),
        "zero line": Neighbors(_ROWS, _DISTANCES, equal, np.hstack([rankings, lines]), True),
        "sets": Neighbors(_ROWS, _DISTANCES, equal, np.hstack([sets, np.full((7, 1), 2.0)]), True),
    }


def _count_evidence(labels: Labels) -> Variants:
    counts = labels.rng.integers(0, 40, (2, labels.n, 11))
    likely = (counts + 1) / (counts.sum(axis=2, keepdims=True) + 11)
    own = labels.rng.integers(0, 11, labels.n)
    own[labels.order[0]], own[labels.order[-1]] = 0, 10
    prior = np.full(labels.n, 0.5)
    return {"": CountEvidence(own, prior, *counts, *likely, prior)}


def _permutations(labels: Labels) -> np.ndarray:
    found = np.array([labels.rng.permutation(labels.n) + 1 for _ in range(7)])
    found[-3:] = labels.positions
    return found


def _leave_one_out(labels: Labels) -> Variants:
    keys = np.array(labels.positions)
    running = _permutations(labels)
    without = np.vstack([running[-2:], running[:5]])
    found = LeaveOneOut(_ROWS, labels.rankings, running, without, keys, without)
    return {"": found}


def _leave_one_out_sets(labels: Labels) -> Variants:
    running = labels.relevance.copy()
    without = np.vstack([running[-1:], running[:6]])
    return {"": LeaveOneOutSets(_ROWS, labels.relevance, running, without)}


def _rule_orders(labels: Labels) -> Variants:
    titles = ("Borda (mean rank)", "median rank", "Kemeny (fewest reversed pairs), heuristic", "l1")
    rules = tuple(
        RuleOutcome(title, title, tuple(map(int, row)), 12.5, 3.25, 1.0)
        for title, row in zip(titles, _permutations(labels)[1:], strict=False)
    )
    predicted = tuple(map(int, labels.positions))
    return {
        "different": RuleOrders(rules, predicted),
        "equal": RuleOrders(rules[:1], rules[0].positions),
    }


def _gap_dial(labels: Labels) -> Variants:
    gaps = np.arange(1, 65)
    # A lead is linear in p: all labels cross but every fifth, in turn into the set and out of it.
    crossed = 60 ** ((labels.positions - 0.5) / labels.n)
    slopes = np.where(labels.positions % 2, 1, -1) / (9 + labels.positions)
    leads = slopes * (gaps[:, None] - np.where(labels.positions % 5, crossed, 99))
    shares = np.minimum(1.0, labels.positions / max(1, labels.n - 1))
    bars = gaps / (gaps + 3)
    return {
        "leads": GapDial(gaps, leads, None, None, 8),
        "none crosses": GapDial(gaps, np.abs(leads) + 1, None, None, 8),
        "shares": GapDial(gaps, shares - bars[:, None], bars, shares, 64),
    }


def _score_parts(labels: Labels) -> Variants:
    weights = labels.rng.normal(size=(_N_FEATURES, labels.n))
    zero = np.zeros(labels.n)
    rows = {"own part": labels.rng.normal(size=(7, labels.n))}
    return {
        "features": ScoreParts(
            labels.rng.normal(size=labels.n),
            zero,
            X / 1e5,
            {"own part": weights, "shared part": -weights},
        ),
        "rows": ScoreParts(zero, zero + 0.1, np.ones(7), rows, {}, "training row"),
        "nothing": ScoreParts(zero, zero, np.zeros(_N_FEATURES), {"own part": 0 * weights}),
    }


def _subspace_view(labels: Labels) -> Variants:
    angles = np.linspace(0, 6, labels.n)
    directions = np.column_stack([np.cos(angles), np.sin(angles)]) * labels.rng.random(
        (labels.n, 1)
    )
    case = np.array([0.5, -0.25])
    return {"": SubspaceView(case, directions, directions @ case, 3, 0.9)}


def _member_names() -> tuple[str, ...]:
    return ("k nearest neighbours", "Calibrated ranking by pairwise comparison, polynomial", "SVM")


def _member_probabilities(labels: Labels) -> Variants:
    weights = np.array([0.7, 0.3, 0.0])
    found = labels.rng.random((3, labels.n)).round(1)
    one = MemberProbabilities(_member_names()[:1], np.ones(1), found[:1], labels.positions)
    return {
        "three": MemberProbabilities(_member_names(), weights, found, labels.positions),
        "one": one,
    }


def _member_supports(labels: Labels) -> Variants:
    weights = np.array([0.7, 0.3, 0.0])
    supports = np.array([labels.shares, labels.shares.T, np.full_like(labels.shares, 0.5)])
    return {"": MemberSupports(_member_names(), weights, supports, labels.positions)}


def _choice_chances(labels: Labels) -> Variants:
    return {"": ChoiceChances(2.0 ** -np.minimum(labels.positions, 60), labels.positions)}


def _mallows_fit(labels: Labels) -> Variants:
    n_distances = labels.n * (labels.n - 1) // 2 + 1
    distances = labels.rng.binomial(n_distances - 1, 0.4, 20)
    observed = np.bincount(distances, minlength=n_distances)
    spread = np.arange(n_distances) - 0.4 * (n_distances - 1)
    expected = np.exp(-(spread**2) / n_distances)
    equal = np.zeros(n_distances, dtype=int)
    equal[0] = 20
    return {
        "spread": MallowsFit(labels.positions, 0.5, observed, 20 * expected / expected.sum()),
        "all equal": MallowsFit(labels.positions, np.inf, equal, equal * 1.0),
    }


def _pair_matrix(labels: Labels) -> Variants:
    votes = np.round(labels.shares)
    np.fill_diagonal(votes, 0.5)
    return {
        "shares": PairMatrix(labels.shares, labels.positions, labels.shares),
        "votes": PairMatrix(votes, labels.positions, labels.shares),
    }


def _pair_parts(labels: Labels) -> Variants:
    n_pairs = labels.n * (labels.n - 1) // 2
    weights = labels.rng.normal(size=(_N_FEATURES, n_pairs))
    base, inputs, positions = np.zeros(n_pairs), np.ones(_N_FEATURES), labels.positions
    return {
        "features": PairParts("log-odds", base, inputs, weights, positions),
        "rows": PairParts("log-odds", base, inputs, weights, positions, "training row"),
        "agreed": PairParts("log-odds", base + np.inf, inputs, weights, positions),
    }


def _rule_votes(labels: Labels) -> Variants:
    votes = labels.rng.normal(size=(_N_FEATURES, labels.n)).round(3)
    votes[0], start = -0.001, np.full(labels.n, -0.5)
    rounds = np.arange(1, _N_FEATURES + 1)
    alone, chained = np.full(_N_FEATURES, -1), rounds - 2
    return {
        "rules": RuleVotes(start, rounds, _QUESTIONS, alone, votes, 10, False),
        "tree": RuleVotes(start, rounds, _QUESTIONS, chained, votes, 10, True),
    }


def _node(labels: Labels, depth: int, *, is_passed: bool = True) -> TreeNode:
    if depth == 0:
        return TreeNode(3, labels.positions, is_passed)
    below = tuple(_node(labels, depth - 1, is_passed=is_passed and bool(side)) for side in range(2))
    return TreeNode(3 * 2**depth, labels.positions, is_passed, _QUESTIONS[depth], below)


def _tree_votes(labels: Labels) -> Variants:
    def of(n_trees: int, weights: FloatArray | None = None) -> TreeVotes:
        running = _permutations(labels)[-n_trees:]
        return TreeVotes(
            running, np.arange(1, n_trees + 1) * 13, np.full(n_trees, _N_FEATURES), running,
            (_QUESTIONS,) * n_trees, (labels.rankings[:6],) * n_trees,
            (np.array([1, 2, 30, 400, 5, 6]),) * n_trees, (_node(labels, 3),) * n_trees, weights,
        )  # fmt: skip

    boosted = of(7, np.linspace(5.6, 0.4, 7))
    return {"forest": of(7), "boosted trees": boosted, "one tree": of(1)}


def _voting_orders(labels: Labels) -> Variants:
    titles = ("rankings of trees", "mean ranks of trees", "all rankings in their leaves together")
    positions = _permutations(labels)[2:5]
    return {"": VotingOrders(titles, titles, positions * 1.0, positions, 2)}


def _rank_parts(labels: Labels) -> Variants:
    changes = labels.rng.normal(size=(_N_FEATURES, labels.n)).round(2)
    asked = np.arange(_N_FEATURES)
    return {"": RankParts(labels.positions * 1.0, changes, asked)}


def _sure_pairs(labels: Labels) -> Variants:
    behind = np.subtract.outer(labels.positions, labels.positions)
    order = np.where(np.abs(behind) > 2, -np.sign(behind), 0)
    promise, nothing = "With 90% guarantee", np.zeros_like(order)
    truths = {"tied truth": labels.rankings[2], "partial truth": labels.rankings[4]}
    return {
        "no truth": SurePairs(order, labels.positions, promise),
        "nothing decided": SurePairs(nothing, labels.positions, promise, labels.rankings[0]),
        "all decided": SurePairs(-np.sign(behind), labels.positions, promise, labels.rankings[6]),
        **{
            name: SurePairs(order, labels.positions, promise, truth)
            for name, truth in truths.items()
        },
    }


EVIDENCE: dict[type, Callable[[Labels], Variants]] = {
    ChoiceChances: _choice_chances,
    Confidence: _confidence,
    CountEvidence: _count_evidence,
    GapDial: _gap_dial,
    LabelScores: _label_scores,
    LeaveOneOut: _leave_one_out,
    LeaveOneOutSets: _leave_one_out_sets,
    MallowsFit: _mallows_fit,
    MemberProbabilities: _member_probabilities,
    MemberSupports: _member_supports,
    Neighbors: _neighbors,
    PairMatrix: _pair_matrix,
    PairParts: _pair_parts,
    RankParts: _rank_parts,
    RuleOrders: _rule_orders,
    RuleVotes: _rule_votes,
    ScoreParts: _score_parts,
    SetValues: _set_values,
    SubspaceView: _subspace_view,
    SurePairs: _sure_pairs,
    TreeVotes: _tree_votes,
    VotedProbabilities: _voted_probabilities,
    VotingOrders: _voting_orders,
    WinShares: _win_shares,
}
# Kinds that compare labels, and kinds of methods that predict sets.
OF_PAIRS = {ChoiceChances, MallowsFit, MemberSupports, PairMatrix, PairParts, SurePairs, WinShares}
OF_SETS = {
    *(CountEvidence, GapDial, LeaveOneOutSets, MemberProbabilities, RuleVotes, ScoreParts),
    *(SetValues, SubspaceView, VotedProbabilities),
}


def first_example(kind: type, labels: Labels) -> Any:
    """Return the first evidence of a kind."""
    return next(iter(EVIDENCE[kind](labels).values()))
