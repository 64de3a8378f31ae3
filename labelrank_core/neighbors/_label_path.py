"""k-NN label ranking at every number of neighbours, and why."""

from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES, mean_loss, total_weights
from labelrank_core.evidence import Confidence, Explanation, Label, LabelScores, Step, Text
from labelrank_core.neighbors._base import NeighborPath
from labelrank_core.rankings import FloatArray, IntArray, strict_positions


class LabelRankingPath(NeighborPath):
    """Label rankings of some cases at every number of neighbours."""

    def at(
        self, *, n_neighbors: int | None = None, aggregation: str | None = None
    ) -> "LabelRankingPoint":
        """Predict with other parameters.

        Parameters
        ----------
        n_neighbors : int or None, default=None
            k, up to the path's largest; None: the model's.
        aggregation : str or None, default=None
            The consensus rule; None: the model's.

        Returns
        -------
        LabelRankingPoint
            Predictions, scores, confidence and explanations.
        """
        return LabelRankingPoint(
            self, self.check_k(n_neighbors), aggregation or self.model.aggregation
        )


class LabelRankingPoint:
    """Label rankings of some cases at one setting; parts are computed when asked for."""

    def __init__(self, path: LabelRankingPath, n_neighbors: int, aggregation: str) -> None:
        self._path = path
        self.n_neighbors = n_neighbors
        self.rule = CONSENSUS_RULES[aggregation]

    @cached_property
    def _keys(self) -> IntArray:
        ranks = self._path.model._ranks
        if self.rule.summed:
            return self._path.sums("ranks", ranks, self.n_neighbors)
        return self.rule.keys(ranks, *self._path.first(self.n_neighbors))

    @cached_property
    def prediction(self) -> IntArray:
        """Positions, shape (n_cases, n_labels)."""
        return strict_positions(self._keys)

    @property
    def positions(self) -> IntArray:
        """The same as `prediction`."""
        return self.prediction

    @cached_property
    def ranks(self) -> FloatArray:
        """The mean or median rank of each label, shape (n_cases, n_labels)."""
        if not self.rule.summed:
            return self._keys / 2
        return self._keys / (2 * total_weights(*self._path.first(self.n_neighbors)))

    @property
    def scores(self) -> FloatArray:
        """Labels beaten on average, n_labels - rank: higher = better."""
        return self._path.model.n_labels_ - self.ranks

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the neighbours with the prediction, shape (n_cases,)."""
        rows, weights = self._path.first(self.n_neighbors)
        loss = mean_loss(self.rule, self.prediction, self._path.model._ranks, rows, weights)
        return np.clip(1 - loss / self.rule.largest_loss(self._path.model.n_labels_), 0.0, 1.0)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        Explanation
            Neighbours, the ranks that decide, confidence.
        """
        k, model = self.n_neighbors, self._path.model
        neighbors = self._path.evidence(
            case, k, model._ranks[self._path.rows[case, :k]] / 2, has_zero_line=False
        )
        title = self._rank_title
        scores = LabelScores(title, self.ranks[case], self.positions[case])
        order = np.argsort(self.positions[case])
        top, second = order[0], order[1]
        values = {
            "k": k,
            "title": title,
            "top": Label(int(top)),
            "second": Label(int(second)),
            "top_rank": float(self.ranks[case, top]),
            "second_rank": float(self.ranks[case, second]),
            "agreeing": int((neighbors.rankings[:, top] < neighbors.rankings[:, second]).sum()),
        }
        confidence = self._confidence_evidence(case)
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=self._summary(values),
            steps=(
                Step(
                    "Similar cases",
                    Text(
                        "The {k} most similar training cases; {agreeing} of them prefer {top} "
                        "to {second}.",
                        values,
                    ),
                    neighbors,
                ),
                Step(
                    "Ranks that decide",
                    Text("Labels are ordered by their {title} among these cases.", values),
                    scores,
                ),
                Step(
                    "Confidence",
                    Text(
                        "Confidence {value}, where {lowest} to 1 is possible."
                        if confidence.defined
                        else "With a single case there is nothing to agree with.",
                        {"value": confidence.value, "lowest": confidence.lowest},
                    ),
                    confidence,
                ),
            ),
        )

    @property
    def _rank_title(self) -> str:
        weighted = "weighted " if self._path.weights is not None else ""
        return weighted + self.rule.title

    def _summary(self, values: dict[str, Any]) -> Text:
        if self.n_neighbors == 1:
            return Text("The prediction is the ranking of the single most similar case.", values)
        if values["top_rank"] == values["second_rank"]:
            return Text(
                "{top} and {second} share the best {title}, {top_rank}, among the {k} most "
                "similar cases; of equals the label listed first in the data goes first.",
                values,
            )
        return Text(
            "{top} comes first because its {title} among the {k} most similar cases is "
            "{top_rank}, ahead of {second} with {second_rank}.",
            values,
        )

    def _confidence_evidence(self, case: int) -> Confidence:
        n_labels = self._path.model.n_labels_
        bound = self.rule.largest_mean_loss(n_labels) / self.rule.largest_loss(n_labels)
        # Medians that are no ranking, as equal ones, may lead to a consensus that is not optimal.
        optimal = self.rule.summed or bool((self.ranks[case] == self.positions[case]).all())
        return Confidence(
            value=float(self.confidence[case]),
            lowest=1 - bound if optimal else 0.0,
            definition=(
                "1 - mean loss between the prediction and the neighbours' rankings / largest "
                f"loss, in {self.rule.loss_name} (eq. 5 of Brinker and Hüllermeier 2006)"
            ),
            defined=self._path.asks_several(case, self.n_neighbors),
        )
