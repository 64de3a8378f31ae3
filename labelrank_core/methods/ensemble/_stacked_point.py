"""Predictions by blends of label rankers, for any number of members, and why."""

from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from labelrank_core._sklearn import rows_of
from labelrank_core.explain.capabilities import (
    SupportsExplanation,
    SupportsPairSupport,
    SupportsPoint,
)
from labelrank_core.explain.cases import explain_prediction
from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    MemberSupports,
    PairMatrix,
    Step,
    Text,
    WinShares,
    agreement_with,
)
from labelrank_core.explain.predictions import bare_model, last_step
from labelrank_core.methods.base import LabelRankerMixin, RankingPoint, check_count
from labelrank_core.methods.ensemble._blend import blended
from labelrank_core.methods.pairs import PairPath, PairPoint, PairTerms, pair_signs, square
from labelrank_core.rankings import FloatArray

_TERMS = PairTerms(
    score="sum of supports",
    pair="{ahead} ahead of {behind}: the blended support is {share}.",
    meaning=agreement_with("this ranking", "the blended methods"),
    definition=(
        "mean over all pairs of labels of the support, averaged over the members by their weights, "
        "for the label that is predicted ahead"
    ),
    voters="the blended methods' support",
    sums_shares=True,
)
# Evidence that the blend has itself, or that says the same.
_SAID_ALREADY = (Confidence, LabelScores, PairMatrix, WinShares)


def pair_preferences(model: Any, X: Any) -> FloatArray:
    """Return the support for the first label of every pair, (n_cases, n_pairs).

    Of a ranker without ``predict_pair_support`` 1, 0 or, for a tie, one half, by what it predicts.
    """
    estimator, cases = bare_model(model, X)
    if isinstance(estimator, SupportsPairSupport):
        support = estimator.predict_pair_support(cases)
        first, second = np.triu_indices(support.shape[1], 1)
        return np.asarray(support[:, first, second])
    return (1 + pair_signs(np.asarray(estimator.predict(cases), dtype=np.float64))) / 2


def pair_outcomes(model: Any, X: Any) -> FloatArray:
    """Return the support for each label of every pair to be strictly ahead, (n_cases, 2 * n_pairs).

    The first labels of all pairs, then the second ones. Of a ranker that predicts no ties as
    `pair_preferences`, so that both have the sum 1; of one without votes by what it predicts.
    """
    estimator, cases = bare_model(model, X)
    predicts_ties = isinstance(estimator, LabelRankerMixin) and estimator.ties == "predict"
    if predicts_ties and isinstance(estimator, SupportsPoint):
        point = estimator.point(cases)
        if isinstance(point, RankingPoint):
            votes = point.pair_votes(slice(None))
            first, second = np.triu_indices(votes.ahead.shape[1], 1)
            unknown = np.full(votes.ahead.shape, 0.5)
            shares = np.divide(votes.ahead, votes.compared, out=unknown, where=votes.compared > 0)
            return np.hstack([shares[:, first, second], shares[:, second, first]])
    if isinstance(estimator, SupportsPairSupport):
        preferences = pair_preferences(model, X)
        return np.hstack([preferences, 1 - preferences])
    signs = pair_signs(np.asarray(estimator.predict(cases), dtype=np.float64))
    return np.hstack([signs > 0, signs < 0]).astype(np.float64)


def explains(member: Any) -> bool:
    """Tell whether a member, at the end of a pipeline or found by a search, explains itself."""
    return isinstance(last_step(member), SupportsExplanation)


def explain_member(member: Any, x: Any) -> Explanation:
    """Explain a member's prediction for one case, a row."""
    explanation: Explanation = (
        member.explain(x)
        if isinstance(member, SupportsExplanation)
        else explain_prediction(member, x)
    )
    return explanation


class StackedPath(PairPath):
    """Predictions of all members for some cases."""

    def __init__(self, model: Any, X: Any, observed: FloatArray, weights: FloatArray) -> None:
        super().__init__(model, X, observed)
        # A row for each number of members.
        self.weights = weights

    @cached_property
    def supports(self) -> FloatArray:
        """Each member's support for the first label of a pair, (n_members, n_cases, n_pairs).

        With ``ties="predict"`` as in `pair_outcomes`.
        """
        predict = pair_outcomes if self.model.ties == "predict" else pair_preferences
        return np.stack([predict(member, self.X) for member in self.model.members_.values()])

    def at(self, *, n_members: int | None = None) -> "StackedPoint":
        """Blend at most n members; None: the model's own number. ValueError for more than that."""
        max_members = self.model.n_members
        n = max_members if n_members is None else n_members
        check_count("n_members", n, max_members, "the members learned")
        return StackedPoint(self, self.weights[min(n, len(self.weights)) - 1])


class StackedPoint(PairPoint):
    """Predictions of the blend with some weights."""

    def __init__(self, path: StackedPath, weights: FloatArray) -> None:
        self.weights = weights
        super().__init__(path, np.clip(blended(path.supports, weights), 0.0, 1.0), _TERMS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the members, the blend, and the heaviest member's own reasons."""
        blend_explanation = super().explain(case)
        evidence = self._members(case)
        ahead, behind = closest_pair(self, case)
        supports = evidence.for_pair(ahead, behind)
        values = {
            "ahead": Label(ahead),
            "behind": Label(behind),
            "n": len(evidence.names),
            "lead": evidence.names[0],
            "weight": float(evidence.weights[0]),
            "support": float(supports[0]),
            "blend": float(evidence.weights @ supports),
            "agreeing": int((supports > 0.5).sum()),
        }
        template = _MEMBERS if len(evidence.names) > 1 else _ALONE
        text = Text(template + (_TIES_COUNT if self.predicts_ties else ""), values)
        member_steps = self._member_step(case, evidence.names[0])
        steps = (
            Step("Which methods support the order", text, evidence),
            *blend_explanation.steps,
            *member_steps,
        )
        return replace(blend_explanation, steps=steps)

    def _members(self, case: int) -> MemberSupports:
        heaviest = [i for i in np.argsort(-self.weights, kind="stable") if self.weights[i] > 0]
        members, x = self.path.model.members_, rows_of(self.path.X, [case])
        names = list(members)
        able = [names[i] for i in heaviest if explains(members[names[i]])]
        supports = self.path.supports[heaviest, case]
        if self.predicts_ties:
            first, second = np.hsplit(supports, 2)
            supports = (1 + first - second) / 2
        return MemberSupports(
            tuple(names[i] for i in heaviest),
            self.weights[heaviest],
            square(supports, self.n_labels),
            self.positions[case],
            {name: partial(explain_member, members[name], x) for name in able},
        )

    def _member_step(self, case: int, name: str) -> list[Step]:
        """Return the first step of a member's explanation that the blend has none of, if any."""
        member = self.path.model.members_[name]
        # The steps of a pipeline speak of other features than those of the blend.
        if not isinstance(member, SupportsExplanation):
            return []
        steps = member.explain(rows_of(self.path.X, [case])).steps
        new_steps = [step for step in steps if not isinstance(step.evidence, _SAID_ALREADY)]
        return [replace(step, title=f"{step.title} ({name})") for step in new_steps[:1]]


_MEMBERS = (
    "{agreeing} of {n} methods put {ahead} ahead of {behind}; weighted, their support is {blend}. "
    "The largest weight, {weight}, goes to {lead}, whose own support is {support}."
)
_ALONE = (
    "One method decides alone: {lead}. No blend with others was clearly better on cases that they "
    "had not learned. Its support for {ahead} ahead of {behind} is {support}."
)
_TIES_COUNT = " A tie of the two counts one half."
