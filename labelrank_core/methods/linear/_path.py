"""Shared-subspace predictions for some cases at every (α, β, r) and threshold rule, and why."""

from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    ScoreParts,
    Step,
    SubspaceView,
    Text,
)
from labelrank_core.methods.linear._basis import CentredCases
from labelrank_core.methods.linear._solution import Solution
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray, IntArray, orderings_from_positions, strict_positions


class SharedSubspacePath:
    """Predictions of a fitted model for some cases without factorising again.

    Parameters
    ----------
    model : SharedSubspaceClassifier
        Fitted.
    X : ndarray or CSR matrix
        Checked cases.
    """

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        self.cases: CentredCases = model._decomposition.basis.centred(X)

    def at(
        self,
        *,
        alpha: float | None = None,
        beta: float | None = None,
        n_components: int | None = None,
        threshold: str | None = None,
    ) -> "SharedSubspacePoint":
        """Predict with other parameters.

        Parameters
        ----------
        alpha, beta : float or None, default=None
            Penalties, at least 0; None: the model's.
        n_components : int or None, default=None
            r; None: the model's. From the rank of XᵀY on all are the same.
        threshold : str or None, default=None
            A rule as in `SharedSubspaceClassifier`; None: the model's. Thresholds are tuned anew
            at every setting, as a fresh fit does. A model fitted with ``"zero"`` has no
            out-of-fold scores and takes no other rule.

        Returns
        -------
        SharedSubspacePoint
            Predictions, scores, confidence and explanations.

        Raises
        ------
        ValueError
            If a value is out of range, or a rule needs scores the model has not got.
        """
        return SharedSubspacePoint(self, self.model._solve(alpha, beta, n_components, threshold))


class SharedSubspacePoint:
    """Predictions for some cases at one setting; parts are computed when asked for."""

    def __init__(self, path: SharedSubspacePath, solution: Solution) -> None:
        self._path = path
        self.solution = solution

    @property
    def n_components(self) -> int:
        """The number of shared dimensions in use."""
        return self.solution.settings.n_components

    @cached_property
    def raw_scores(self) -> FloatArray:
        """Scores before thresholds, targets being +1 and -1, shape (n_cases, n_labels)."""
        scores = self._path.cases.dot(self.solution.weights)
        return np.round(self.solution.decomposition.baseline + scores, DECIMALS)

    @cached_property
    def scores(self) -> FloatArray:
        """How far each label's score is above its threshold, shape (n_cases, n_labels)."""
        return np.round(self.raw_scores - self.solution.thresholds, DECIMALS)

    @property
    def leads(self) -> FloatArray:
        """The same, not rounded."""
        scores = self._path.cases.dot(self.solution.weights)
        return self.solution.decomposition.baseline + scores - self.solution.thresholds

    @cached_property
    def prediction(self) -> IntArray:
        """The relevant labels, 0/1, shape (n_cases, n_labels)."""
        return (self.scores > 0).astype(np.int64)

    @cached_property
    def positions(self) -> IntArray:
        """The predicted ranking of the labels, shape (n_cases, n_labels)."""
        return strict_positions(-self.scores)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        probabilities = _probabilities(self.raw_scores)
        return np.where(self.prediction == 1, probabilities, 1 - probabilities).mean(axis=1)

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where a prediction can change while a feature moves.

        Parameters
        ----------
        x, feature, ends
            As in `base.PathPoint`.

        Returns
        -------
        ndarray or None
            Where two labels score the same above their thresholds, or one meets its threshold;
            None with another kernel than the linear.
        """
        if self._path.model._kernel.name != "linear":
            return None
        slopes = np.append(self.solution.weights[feature], 0.0)
        leads = np.append(self._path.model.path(x[None]).at(**self._setting).leads[0], 0.0)
        first, second = np.triu_indices(len(slopes), k=1)
        steeper = slopes[first] - slopes[second]
        crossing = steeper != 0
        met = x[feature] - (leads[first] - leads[second])[crossing] / steeper[crossing]
        return np.unique(met[(met > ends[0]) & (met < ends[1])])

    @property
    def _setting(self) -> dict[str, Any]:
        return asdict(self.solution.settings)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        Explanation
            Baseline, own and shared part of every score; scores against their thresholds;
            confidence.
        """
        parts = self._parts(case)
        order = orderings_from_positions(self.positions[[case]])[0]
        relevant = tuple(Label(int(label)) for label in order if self.prediction[case, label])
        edge = int(order[max(0, len(relevant) - 1)])
        values: dict[str, Any] = {
            "m": len(order),
            "r": self.n_components,
            "n_relevant": len(relevant),
            "relevant": relevant,
            "edge": Label(edge),
            "score": float(self.raw_scores[case, edge]),
            "baseline": float(parts.baseline[edge]),
            "own": float(parts.own[edge]),
            "shared": float(parts.shared[edge]),
            "threshold": float(parts.thresholds[edge]),
        }
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=_summary(values),
            steps=(
                _parts_step(values, parts),
                self._view_step(parts),
                self._threshold_step(case, values),
                self._confidence_step(case),
            ),
        )

    def _parts(self, case: int) -> ScoreParts:
        carriers = self._path.cases.row(case)
        solution = self.solution
        return ScoreParts(
            baseline=solution.decomposition.baseline,
            own=carriers @ solution.own_weights,
            shared=carriers @ solution.shared_weights,
            thresholds=solution.thresholds,
            carriers=carriers,
            own_weights=solution.own_weights,
            shared_weights=solution.shared_weights,
            carrier="feature" if self._path.model._kernel.name == "linear" else "training row",
        )

    def _view_step(self, parts: ScoreParts) -> Step:
        inside, directions = self.solution.shared_coordinates
        axes, lengths, _ = np.linalg.svd(directions, full_matrices=False)
        axes = np.pad(axes[:, :2], ((0, 0), (0, max(0, 2 - axes.shape[1]))))
        total = float(np.square(lengths).sum())
        view = SubspaceView(
            case=parts.carriers @ inside @ axes,
            directions=directions.T @ axes,
            shared=parts.shared,
            n_components=self.n_components,
            kept=float(np.square(lengths[:2]).sum()) / total if total > 0 else 1.0,
        )
        order = np.argsort(-parts.shared, kind="stable")
        values = {
            "r": self.n_components,
            "kept": f"{view.kept:.0%}",
            "most": Label(int(order[0])),
            "least": Label(int(order[-1])),
        }
        template = _VIEW + (_SOME_KEPT if self.n_components > 2 else _ALL_KEPT)
        return Step("The case in the shared subspace", Text(template, values), view)

    def _threshold_step(self, case: int, values: dict[str, Any]) -> Step:
        return Step(
            "Scores against their thresholds",
            Text(
                "A label is relevant where its score exceeds its threshold: {n_relevant} of {m} "
                "labels are. Labels are ordered by how far they exceed it.",
                values,
            ),
            LabelScores(
                "score above its threshold",
                self.scores[case],
                self.positions[case],
                greater_is_better=True,
                bar=0.0,
            ),
        )

    def _confidence_step(self, case: int) -> Step:
        at_threshold = _probabilities(self.solution.thresholds)
        confidence = Confidence(
            value=float(self.confidence[case]),
            lowest=float(np.minimum(at_threshold, 1 - at_threshold).mean()),
            definition=(
                "expected share of right label decisions, a score f standing for the probability "
                "(1 + f) / 2 that the label is relevant; thresholds are tuned, so a label below "
                "one half can be relevant, and one above it not"
            ),
        )
        return Step(
            "Confidence",
            Text(
                "The scores expect {value} of the label decisions to be right; {lowest} to 1 is "
                "possible.",
                {"value": confidence.value, "lowest": confidence.lowest},
            ),
            confidence,
        )


_VIEW = (
    "The shared part is large where the case lies in a label's direction: largest for {most}, "
    "smallest for {least}."
)
_SOME_KEPT = " Of the {r} shared dimensions the two shown keep {kept} of the directions."
_ALL_KEPT = " The subspace has no more dimensions than are shown."


def _probabilities(scores: FloatArray) -> FloatArray:
    """Read scores as probabilities: least squares on +1 and -1 estimates 2 p - 1."""
    return np.clip((1 + scores) / 2, 0, 1)


def _parts_step(values: dict[str, Any], parts: ScoreParts) -> Step:
    return Step(
        "What each score is made of",
        Text(
            "A label's score is the mean of all cases, its baseline, plus what its own weights "
            "and what the shared subspace (r = {r}) adds for this case.",
            values,
        ),
        parts,
    )


def _summary(values: dict[str, Any]) -> Text:
    made_of = "{score} (baseline {baseline}, own part {own}, shared part {shared})"
    if values["n_relevant"] == 0:
        return Text(
            f"No label is relevant: even {{edge}}, the first, scores {made_of}, not above its "
            "threshold {threshold}.",
            values,
        )
    if values["n_relevant"] == 1:
        return Text(
            f"Only {{edge}} of {{m}} labels scores above its threshold {{threshold}}: {made_of}.",
            values,
        )
    return Text(
        "Above their thresholds: {relevant} ({n_relevant} of {m} labels). The last of them, "
        f"{{edge}}, scores {made_of}, its threshold is {{threshold}}.",
        values,
    )
