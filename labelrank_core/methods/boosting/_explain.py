"""Explanations of boosted rules: their votes, the sums that decide, the confidence."""

from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank_core.explain.evidence import Explanation, Question, RuleVotes, Step, Text
from labelrank_core.methods.boosting._rules import probabilities
from labelrank_core.methods.score_steps import (
    ScoreTerms,
    confidence_step,
    edge_values,
    scores_step,
    summary,
)

if TYPE_CHECKING:
    from labelrank_core.methods.boosting._boosted import BoostedPoint

SCORES = ScoreTerms(
    score="score",
    bar="zero line",
    title="Scores that decide",
    rule="A label is relevant where its score is above 0: {n_relevant} of {m} labels are. Labels "
    "are ordered by their scores.",
    scores="scores",
    no_label="No label is relevant: even {edge}, the first, has a score of {score}MADE_OF, not "
    "above 0.",
    one_label="Of the {m} labels, only {edge} has a score above 0: {score}MADE_OF.",
    some_labels="With a score above 0: {relevant} ({n_relevant} of {m} labels). {top} has the "
    "highest, {top_score}; the last, {edge}, has {score}MADE_OF.",
)


def explain_case(point: "BoostedPoint", case: int) -> Explanation:
    """Explain one case: the votes of the rules, the zero line and the confidence."""
    votes = _votes(point, case)
    values = edge_values(point, case) | _counts(votes, edge_values(point, case)["edge"].index)
    title, template = (_TREE_TITLE, _TREE) if votes.is_tree else (_ROUNDS_TITLE, _ROUNDS)
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=summary(SCORES, values, "votes for it: {n_for}, against: {n_against}"),
        steps=(
            Step(title, Text(template, values), votes),
            scores_step(SCORES, point, case, values),
            confidence_step(
                SCORES, point.confidence[case], np.zeros(values["m"]), probabilities, _STANDS_FOR
            ),
        ),
    )


def _votes(point: "BoostedPoint", case: int) -> RuleVotes:
    """Collect the rules that apply to a case."""
    rules, sides = point.path.rules, point.path.sides[: point.n_estimators, case]
    applying = np.flatnonzero(sides >= 0)
    position_of_rule = {int(rule): i for i, rule in enumerate(applying)}
    # Node 0 is the parent of rules that ask all cases.
    parents = (rules.parents[applying] - 1) // 2
    return RuleVotes(
        start=rules.votes[0],
        rounds=applying + 1,
        questions=tuple(
            Question(int(rules.features[rule]), float(rules.thresholds[rule]), bool(sides[rule]))
            for rule in applying
        ),
        parents=np.array(
            [position_of_rule.get(int(parent), -1) for parent in parents], dtype=np.int64
        ),
        votes=rules.votes[2 * applying + 1 + sides[applying]],
        n_rounds=point.n_estimators,
        is_tree=point.path.is_tree,
    )


def _counts(votes: RuleVotes, label: int) -> dict[str, Any]:
    """Return the values of the texts about the votes on a label."""
    label_votes = votes.votes[:, label]
    return {
        "start": float(votes.start[label]),
        "n_rounds": votes.n_rounds,
        "n_rules": len(votes.rounds),
        "n_for": int((label_votes > 0).sum()),
        "n_against": int((label_votes < 0).sum()),
    }


_ROUNDS_TITLE, _TREE_TITLE = "What each round votes", "The way through the tree"
_ROUNDS = (
    "Each round asks one question and votes on all labels. For {edge}, {n_for} of {n_rounds} "
    "rounds vote for it and {n_against} against it; the sum of their votes is its score, {score}."
)
_TREE = (
    "This case reaches {n_rules} of the {n_rounds} questions of the tree. The score of {edge} "
    "starts at {start}; {n_for} answers vote for it and {n_against} against it. All votes add up "
    "to {score}."
)
_STANDS_FOR = (
    "a score f stands for the probability 1 / (1 + exp(-2 f)) that the label is relevant; too high "
    "after many rounds"
)
