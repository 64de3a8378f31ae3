"""ML-kNN at every number of neighbours and with every smoothing, and why."""

from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.evidence import (
    Confidence,
    CountEvidence,
    Explanation,
    Label,
    LabelScores,
    Step,
    Text,
)
from labelrank_core.methods.neighbors._base import NeighborPath
from labelrank_core.methods.neighbors._leave_one_out import (
    is_quick_for_sets,
    leave_one_out_sets_step,
)
from labelrank_core.methods.neighbors._ml_knn_counts import (
    likelihoods,
    of_counts,
    posteriors,
    prior,
)
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    calibrate,
    generalised_ranks,
    strict_positions,
)


class MLkNNPath(NeighborPath):
    """Label sets of some cases at every number of neighbours and with every smoothing."""

    def __init__(self, model: Any, X: FloatArray, n_neighbors: int | None) -> None:
        super().__init__(model, X, n_neighbors)
        model._training.reach(self.n_neighbors)

    def at(self, *, n_neighbors: int | None = None, smoothing: float | None = None) -> "MLkNNPoint":
        """Predict with other parameters.

        Parameters
        ----------
        n_neighbors : int or None, default=None
            k, up to the path's largest; None: the model's.
        smoothing : float or None, default=None
            s, above 0; None: the model's.

        Returns
        -------
        MLkNNPoint
            Predictions, posteriors, confidence and explanations.
        """
        s = float(self.model.smoothing if smoothing is None else smoothing)
        if not (isfinite(s) and s > 0):
            raise ValueError(f"Expected smoothing above 0, got {s}.")
        return MLkNNPoint(self, self.check_k(n_neighbors), s)


class MLkNNPoint:
    """Label sets of some cases at one setting; parts are computed when asked for."""

    def __init__(self, path: MLkNNPath, n_neighbors: int, smoothing: float) -> None:
        self._path = path
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing

    @cached_property
    def counts(self) -> IntArray:
        """How many of the neighbours have each label, shape (n_cases, n_labels)."""
        return self._path.sums("relevance", self._path.model._relevance, self.n_neighbors)

    @cached_property
    def _table(self) -> IntArray:
        return self._path.model._training.table(self.n_neighbors)

    @cached_property
    def _posteriors(self) -> tuple[FloatArray, FloatArray]:
        return posteriors(self._table, self.counts, self.smoothing)

    @cached_property
    def posterior(self) -> FloatArray:
        """P(H1 | E) of every label, shape (n_cases, n_labels)."""
        return of_counts(self._posteriors[0], self.counts)

    @cached_property
    def scores(self) -> FloatArray:
        """Posterior - 0.5, shape (n_cases, n_labels)."""
        return of_counts(self._posteriors[1], self.counts)

    @property
    def raw_scores(self) -> FloatArray:
        """The same as `scores`: no label has a threshold of its own."""
        return self.scores

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
        """Share of label decisions expected to be right, shape (n_cases,)."""
        return 0.5 + np.abs(self.scores).mean(axis=1)

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
            Where a neighbour is replaced; None where weights move too, or with another metric
            than the Euclidean.
        """
        return self._path.breakpoints(x, feature, ends, (self.n_neighbors,))

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        Explanation
            Neighbours, what counts like theirs meant for training cases, posteriors, confidence.
        """
        relevance = self._path.model._relevance[self._path.rows[case, : self.n_neighbors]]
        neighbors = self._path.evidence(
            case, self.n_neighbors, generalised_ranks(calibrate(relevance)), has_zero_line=True
        )
        counts = self._count_evidence(case)
        values = self._values(case, counts)
        scores = LabelScores(
            "posterior",
            self.posterior[case],
            self.positions[case],
            greater_is_better=True,
            bar=0.5,
        )
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=_summary(values),
            steps=(
                Step("Similar cases", Text(_SIMILAR, values), neighbors),
                Step("What such counts meant in training", Text(_COUNTS, values), counts),
                Step("Posteriors that decide", Text(self._deciding(case), values), scores),
                self._confidence_step(case),
                *([self._leave_one_out_step(case)] if is_quick_for_sets(self.n_neighbors) else []),
            ),
        )

    def _leave_one_out_step(self, case: int) -> Step:
        k, path = self.n_neighbors, self._path
        has_next = path.rows.shape[1] > k
        rows = path.rows[case, : k + has_next]
        relevance = path.model._relevance[rows]

        def predict(chosen: IntArray) -> NDArray[np.bool_]:
            counts = relevance[chosen].sum(axis=1)
            table = path.model._training.table(chosen.shape[1])
            return of_counts(posteriors(table, counts, self.smoothing)[1], counts) > 0

        return leave_one_out_sets_step(rows, relevance, predict, has_next=has_next)

    def _deciding(self, case: int) -> str:
        ties = len(np.unique(self.scores[case])) < self.scores.shape[1]
        return _POSTERIORS + (_TIES if ties else "")

    def _count_evidence(self, case: int) -> CountEvidence:
        without, with_label = likelihoods(self._table, self.smoothing)
        return CountEvidence(
            own=self.counts[case],
            prior=prior(self._table, self.smoothing),
            cases_with=self._table[1].T,
            cases_without=self._table[0].T,
            likelihood_with=with_label.T,
            likelihood_without=without.T,
            posterior=self.posterior[case],
        )

    def _values(self, case: int, counts: CountEvidence) -> dict[str, Any]:
        """Collect what the texts say; the label they speak of is the last relevant one."""
        order = [int(label) for label in np.argsort(self.positions[case])]
        relevant = [label for label in order if self.prediction[case, label]]
        edge = relevant[-1] if relevant else order[0]
        own = int(counts.own[edge])
        return {
            "k": self.n_neighbors,
            "m": len(order),
            "relevant": tuple(Label(label) for label in relevant),
            "n_relevant": len(relevant),
            "edge": Label(edge),
            "own": own,
            "with_label": int(counts.cases_with[edge, own]),
            "without": int(counts.cases_without[edge, own]),
            "posterior": float(counts.posterior[edge]),
        }

    def _confidence_step(self, case: int) -> Step:
        confidence = Confidence(
            value=float(self.confidence[case]),
            lowest=0.5,
            definition=(
                "mean posterior of the label decisions taken, the share of them expected to be "
                "right"
            ),
        )
        return Step(
            "Confidence",
            Text(
                "By these posteriors {value} of the label decisions are expected to be right; "
                "{lowest} to 1 is possible.",
                {"value": confidence.value, "lowest": confidence.lowest},
            ),
            confidence,
        )


_SIMILAR = "The {k} most similar training cases and the labels they have; {own} have {edge}."
_COUNTS = (
    "Of the training cases of which {own} of {k} neighbours have {edge}, {with_label} have it "
    "themselves and {without} do not."
)
_POSTERIORS = "Labels with a posterior above 0.5 are relevant."
_TIES = " Of labels with equal posteriors the one listed first in the data goes first."


def _summary(values: dict[str, Any]) -> Text:
    if values["n_relevant"] == 0:
        return Text(
            "No label is more probable than not: even {edge}, the first, which {own} of the {k} "
            "most similar cases have, has a posterior of {posterior}.",
            values,
        )
    if values["n_relevant"] == 1:
        return Text(
            "Only {edge} of {m} labels is more probable than not: {own} of the {k} most similar "
            "cases have it, which gives a posterior of {posterior}.",
            values,
        )
    return Text(
        "More probable than not: {relevant} ({n_relevant} of {m} labels). The last of them, "
        "{edge}, which {own} of the {k} most similar cases have, has a posterior of {posterior}.",
        values,
    )
