"""Predictions of label sets by blends of methods, for any number of members, and why."""

from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from labelrank_core._sklearn import rows_of
from labelrank_core.explain.capabilities import SupportsExplanation
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    LabelScores,
    MemberProbabilities,
    Step,
    Text,
)
from labelrank_core.methods.base import check_count
from labelrank_core.methods.ensemble._blend import blended
from labelrank_core.methods.ensemble._label_members import probabilities
from labelrank_core.methods.ensemble._stacked_point import explain_member, explains
from labelrank_core.methods.label_probabilities import LabelProbabilitiesPoint, probability_values
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray

# Evidence that the blend has itself.
_SAID_ALREADY = (Confidence, LabelScores)


class StackedSetsPath:
    """Predictions of all members for some cases."""

    def __init__(self, model: Any, X: Any, weights: FloatArray) -> None:
        self.model = model
        self.X = X
        # A row for each number of members.
        self.weights = weights

    @cached_property
    def supports(self) -> FloatArray:
        """Each member's probability that a label is relevant, (n_members, n_cases, n_labels)."""
        return np.stack([probabilities(member, self.X) for member in self.model.members_.values()])

    def at(self, *, n_members: int | None = None) -> "StackedSetsPoint":
        """Blend at most n members; None: the model's own number. ValueError for more than that."""
        max_members = self.model.n_members
        n = max_members if n_members is None else n_members
        check_count("n_members", n, max_members, "those learned")
        return StackedSetsPoint(self, self.weights[min(n, len(self.weights)) - 1])


class StackedSetsPoint(LabelProbabilitiesPoint):
    """Predictions of the blend with some weights, computed when first needed."""

    def __init__(self, path: StackedSetsPath, weights: FloatArray) -> None:
        self.path = path
        self.weights = weights

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        return np.clip(blended(self.path.supports, self.weights), 0.0, 1.0).round(DECIMALS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the members, the blend, and a member's own reasons."""
        evidence = self._members(case)
        values = self._values(case, evidence)
        is_blend = len(evidence.names) > 1
        text = Text(_MEMBERS if is_blend else _ALONE, values)
        return self.explain_probabilities(
            case,
            values,
            stands_for=_STANDS_FOR,
            made_of=_MADE_OF if is_blend else "",
            first_steps=[Step("What each method says", text, evidence)],
            last_steps=self._member_step(case, evidence.names),
        )

    def _values(self, case: int, evidence: MemberProbabilities) -> dict[str, Any]:
        values = probability_values(self, case)
        label_probabilities = evidence.probabilities[:, values["edge"].index]
        return {
            **values,
            "n": len(evidence.names),
            "n_for": int((label_probabilities > 0.5).sum()),
            "lead": evidence.names[0],
            "weight": float(evidence.weights[0]),
            "own": float(label_probabilities[0]),
            "lowest": float(label_probabilities.min()),
            "highest": float(label_probabilities.max()),
        }

    def _members(self, case: int) -> MemberProbabilities:
        heaviest = [i for i in np.argsort(-self.weights, kind="stable") if self.weights[i] > 0]
        members, x = self.path.model.members_, rows_of(self.path.X, [case])
        names = list(members)
        able = [names[i] for i in heaviest if explains(members[names[i]])]
        return MemberProbabilities(
            tuple(names[i] for i in heaviest),
            self.weights[heaviest],
            self.path.supports[heaviest, case],
            self.positions[case],
            {name: partial(explain_member, members[name], x) for name in able},
        )

    def _member_step(self, case: int, names: tuple[str, ...]) -> list[Step]:
        """Return the first step of the heaviest member that explains itself, if any does."""
        members = self.path.model.members_
        name = next(
            (name for name in names if isinstance(members[name], SupportsExplanation)), None
        )
        if name is None:
            return []
        steps = members[name].explain(rows_of(self.path.X, [case])).steps
        new_steps = [step for step in steps if not isinstance(step.evidence, _SAID_ALREADY)]
        return [replace(step, title=f"{step.title} ({name})") for step in new_steps[:1]]


_MADE_OF = "a blend of {n} methods, which predict {lowest} to {highest}"
_MEMBERS = (
    "{n_for} of {n} methods find {edge} more likely than not; the weighted mean of "
    "its probabilities is {score}. The method called {lead} has the largest weight, {weight}, and "
    "predicts {own}."
)
_ALONE = (
    "One method decides alone: {lead}. No blend with others was clearly better on cases that they "
    "had not learned."
)
_STANDS_FOR = (
    "the probability that a label is relevant is the mean over the members by their weights"
)
