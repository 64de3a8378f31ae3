"""k-NN label ranking at every number of neighbours, and why."""

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core.aggregation import (
    CONSENSUS_RULES,
    LOSSES,
    LabelRanks,
    excess_bound,
    losses_to,
    most_frequent,
    total_weights,
)
from labelrank_core.aggregation.win_shares import SHARE_UNIT, win_share_sums
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Step,
    Text,
    WinShares,
)
from labelrank_core.methods.neighbors._base import NeighborPath, inverse_distance_weights
from labelrank_core.methods.neighbors._leave_one_out import (
    ONE_CASE_TITLE,
    is_quick,
    leave_one_out_of,
    orders_by_every_rule,
)
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

# Circles of neighbours that are asked where training rankings are partial.
_WIDENING, _WIDEST = 4, 100


class LabelRankingPath(NeighborPath):
    """Label rankings of some cases at every number of neighbours.

    Parameters
    ----------
    model : KNeighborsLabelRanker
        Fitted.
    X : ndarray or CSR matrix of shape (n_cases, n_features)
        Checked queries.
    n_neighbors : int or None
        As for `NeighborPath`.
    several_settings : bool, default=True
        Whether more will be asked for than the model's own setting.
    """

    def __init__(
        self, model: Any, X: Any, n_neighbors: int | None, *, several_settings: bool = True
    ) -> None:
        self._several_settings = several_settings
        super().__init__(model, X, n_neighbors)

    def _n_searched(self) -> int:
        if self.model._table.complete:
            return self.n_neighbors
        if self._several_settings:
            return max(self.n_neighbors, min(_WIDEST, self.model.n_samples_fit_))
        if self.model.aggregation != "borda":
            return self.n_neighbors
        return circles_around(self.n_neighbors, self.model.n_samples_fit_)[-1]

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
        aggregation = self.model.aggregation if aggregation is None else aggregation
        if aggregation not in CONSENSUS_RULES:
            raise ValueError(
                f"Expected aggregation in {sorted(CONSENSUS_RULES)}, got {aggregation!r}."
            )
        return LabelRankingPoint(self, self.check_k(n_neighbors), aggregation)


def circles_around(n_neighbors: int, n_samples: int) -> tuple[int, ...]:
    """List the sizes of the circles that are asked where rankings are partial: k, 4 k, 16 k, ...

    They end at 100 and at the number of training cases; k itself may be larger.
    """
    circles = [n_neighbors]
    while _WIDENING * circles[-1] <= min(_WIDEST, n_samples):
        circles.append(_WIDENING * circles[-1])
    return tuple(circles)


class LabelRankingPoint:
    """Label rankings of some cases at one setting; parts are computed when asked for."""

    def __init__(self, path: LabelRankingPath, n_neighbors: int, aggregation: str) -> None:
        self._path = path
        self._table = path.model._table
        self.n_neighbors = n_neighbors
        self.aggregation = aggregation
        self.rule = CONSENSUS_RULES[aggregation]

    @cached_property
    def _label_ranks(self) -> LabelRanks:
        rows, weights = self._path.first(self.n_neighbors)
        if self.aggregation != "borda":
            return self.rule.rank(self._table, rows, weights)
        if self._table.complete:
            sums = self._path.sums("ranks", self._table.places, self.n_neighbors)
            return LabelRanks(sums, 2 * total_weights(rows, weights))
        wide, wide_weights = self._path.first(self._circles[-1])
        sums = win_share_sums(self._table.pairs, wide, wide_weights, self._circles)
        return LabelRanks(self._table.n_labels * SHARE_UNIT - sums, SHARE_UNIT)

    @property
    def _widened(self) -> bool:
        return self.aggregation == "borda" and not self._table.complete

    @property
    def _circles(self) -> tuple[int, ...]:
        return circles_around(self.n_neighbors, self._path.model.n_samples_fit_)

    @cached_property
    def prediction(self) -> IntArray:
        """Positions, shape (n_cases, n_labels)."""
        return strict_positions(self._label_ranks.keys)

    @property
    def positions(self) -> IntArray:
        """The same as `prediction`."""
        return self.prediction

    @cached_property
    def ranks(self) -> FloatArray:
        """The number by which labels are ordered, as a rank, shape (n_cases, n_labels)."""
        return self._label_ranks.values

    @property
    def scores(self) -> FloatArray:
        """Labels beaten, n_labels - rank: higher = better."""
        return self._table.n_labels - self.ranks

    @cached_property
    def confidence(self) -> FloatArray:
        """Agreement of the neighbours with the prediction, shape (n_cases,)."""
        return self.confidence_by(self.rule.loss)

    def confidence_by(self, loss: str) -> FloatArray:
        """Return the agreement of the neighbours with the prediction in any loss, eq. 5.

        Parameters
        ----------
        loss : {"squared", "footrule", "kendall", "contradicted"}
            Which loss; the last counts the neighbours whose ranking the prediction contradicts.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.
        """
        if loss not in LOSSES:
            raise ValueError(f"Expected loss in {sorted(LOSSES)}, got {loss!r}.")
        rows, weights = self._path.first(self.n_neighbors)
        return losses_to(LOSSES[loss], self.prediction, self._table, rows, weights).agreement

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return how far the neighbours prefer each label to each other.

        Among those that rank both labels; where none does, what all training cases say. With
        partial rankings and Borda's rule wider circles of neighbours are asked too, as for the
        prediction.

        Parameters
        ----------
        cases : slice, default=all
            Which of the path's cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: the (weighted) share that has i ahead of j, ties counted half.
        """
        circles = self._circles if self._widened else ()
        rows, weights = self._path.first(circles[-1] if circles else self.n_neighbors)
        own = None if weights is None else weights[cases]
        return self._table.win_shares(rows[cases], own, circles)

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
        sizes = self._circles if self._widened else (self.n_neighbors,)
        return self._path.breakpoints(x, feature, ends, sizes)

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        Explanation
            Neighbours, what decides (label ranks; for pairwise rules win shares too), confidence.
        """
        ranks = self._table.ranks(self._path.rows[case, : self.n_neighbors])
        neighbors = self._path.evidence(case, self.n_neighbors, ranks, has_zero_line=False)
        values = self._values(case, neighbors.rankings)
        confidence = self._confidence_evidence(case)
        leave_one_out = self._leave_one_out_steps(case)
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=self._summary(values),
            steps=(
                Step("Similar cases", Text(_SIMILAR, values), neighbors),
                *self._deciding_steps(case, values),
                Step(
                    "Confidence",
                    Text(
                        _CONFIDENCE if confidence.defined else _NO_CONFIDENCE,
                        {"value": confidence.value, "lowest": confidence.lowest},
                    ),
                    confidence,
                ),
                *leave_one_out,
            ),
        )

    def _case(self, case: int, k: int | None = None) -> tuple[IntArray, IntArray | None]:
        """Return rows and weights of one case; k: how many, None: those that are asked."""
        rows, weights = self._path.first(k or self.n_neighbors)
        return rows[case : case + 1], None if weights is None else weights[case : case + 1]

    def _values(self, case: int, rankings: FloatArray) -> dict[str, Any]:
        """Collect what the texts say of one case."""
        order = np.argsort(self.positions[case])
        top, second = order[0], order[1]
        values = {
            "k": self.n_neighbors,
            "title": self._rank_title,
            "top": Label(int(top)),
            "second": Label(int(second)),
            "top_rank": float(self.ranks[case, top]),
            "second_rank": float(self.ranks[case, second]),
            "agreeing": int((rankings[:, top] < rankings[:, second]).sum()),
        }
        rows, weights = self._case(case)
        if self.rule.reason is not None:
            consensus = self.prediction[case : case + 1]
            losses = losses_to(self.rule.measure, consensus, self._table, rows, weights)
            values["loss"] = float(losses.mean[0])
        if self.aggregation == "kemeny":
            values["excess"] = float(excess_bound(self._table, rows, weights)[0])
        if self.aggregation == "majority":
            votes = most_frequent(self._table, rows, weights)[1]
            values["votes"] = float(votes[0] / total_weights(rows, weights)[0, 0])
        return values

    def _deciding_steps(self, case: int, values: dict[str, Any]) -> list[Step]:
        scores = LabelScores(self._rank_title, self.ranks[case], self.positions[case])
        if self.rule.reason is None:
            steps = [Step("Ranks that decide", Text(_BY_RANKS, values), scores)]
        else:
            steps = [Step("The order that decides", self._reason(values), scores)]
        if self._widened:
            steps.append(self._pairs_step(case, _PAIRS_IN_CIRCLES, values))
        elif self.aggregation == "kemeny" or not self._table.complete:
            steps.append(self._pairs_step(case, _PAIRS, values))
        return steps

    def _pairs_step(self, case: int, template: str, values: dict[str, Any]) -> Step:
        shares = self.pair_support(slice(case, case + 1))[0]
        values = {**values, "widest": self._circles[-1]}
        return Step("Pair by pair", Text(template, values), WinShares(shares, self.positions[case]))

    def _leave_one_out_steps(self, case: int) -> list[Step]:
        """Say whether single neighbours decide, where the consensus is quick to recompute."""
        k, n_searched = self.n_neighbors, self._path.rows.shape[1]
        if not is_quick(self._table.n_labels, k, self.aggregation):
            return []
        n_samples = self._path.model.n_samples_fit_
        # One less can be asked when one has been taken away.
        if n_searched - 1 < self._n_asked(k - 1, n_samples - 1):
            return []
        has_next = n_samples > k and n_searched - 1 >= self._n_asked(k, n_samples - 1)
        rows, weights = self._case(case)
        everyone = np.arange(n_searched)[None]
        orders = orders_by_every_rule(
            self._table,
            rows,
            weights,
            self.prediction[case],
            lambda rule: self._consensus_of(case, everyone, k, rule),
        )
        found = leave_one_out_of(
            self._path.rows[case],
            self._table.ranks(rows[0]),
            k,
            lambda chosen, size: self._consensus_of(case, chosen, size, self.aggregation),
            has_next=has_next,
        )
        turned = Counter(
            pair for i in found.deciding for pair in found.discordant_pairs(found.without[i])
        )
        values: dict[str, Any] = {"k": self.n_neighbors, "n": len(found.deciding)}
        template = _NONE_DECIDES
        if turned:
            (first, second), values["times"] = turned.most_common(1)[0]
            values |= {"first": Label(first), "second": Label(second)}
            template = _ONE_DECIDES if values["n"] == 1 else _SOME_DECIDE
        n_others = {"n": len(orders.others), "rules": len(orders.rules)}
        return [
            Step(
                "Other consensus rules",
                Text((_AGREED, _ONE_DIFFERS, _SOME_DIFFER)[min(2, len(orders.others))], n_others),
                orders,
            ),
            Step(ONE_CASE_TITLE, Text(template, values), found),
        ]

    def _n_asked(self, k: int, n_samples: int) -> int:
        """Count the neighbours that a consensus of the k nearest asks."""
        return circles_around(k, n_samples)[-1] if self._widened else k

    def _consensus_of(self, case: int, chosen: IntArray, k: int, aggregation: str) -> IntArray:
        """Let the k nearest of some of the neighbours searched for agree, (n_sets, n_labels)."""
        rows, weights = self._path.rows[case][chosen], None
        if self._path.weights is not None:
            weights = inverse_distance_weights(self._path.distances[case][chosen])
        if aggregation != "borda" or self._table.complete:
            own = None if weights is None else weights[:, :k]
            return strict_positions(
                CONSENSUS_RULES[aggregation].rank(self._table, rows[:, :k], own).keys
            )
        n_left_out = self._path.rows.shape[1] - chosen.shape[1]
        circles = circles_around(k, self._path.model.n_samples_fit_ - n_left_out)
        wide = None if weights is None else weights[:, : circles[-1]]
        sums = win_share_sums(self._table.pairs, rows[:, : circles[-1]], wide, circles)
        return strict_positions(-sums)

    def _reason(self, values: dict[str, Any]) -> Text:
        template = self.rule.reason or _BY_RANKS
        return Text(_NOT_PROVEN if values.get("excess") else template, values)

    @property
    def _rank_title(self) -> str:
        weighted = "weighted " if self._path.weights is not None else ""
        return weighted + (self.rule.title if self._table.complete else self.rule.partial_title)

    def _summary(self, values: dict[str, Any]) -> Text:
        if self.n_neighbors == 1 and self._table.complete:
            return Text("The prediction is the ranking of the single most similar case.", values)
        if self.rule.reason is not None:
            return self._reason(values)
        return Text(_EQUALS if values["top_rank"] == values["second_rank"] else _TOP, values)

    def _confidence_evidence(self, case: int) -> Confidence:
        return Confidence(
            value=float(self.confidence[case]),
            lowest=self._lowest_confidence(case),
            definition=(
                "1 - mean loss between the prediction and the neighbours' rankings / largest "
                f"loss, in {self.rule.measure.title} (eq. 5 of Brinker and Hüllermeier 2006)"
            ),
            defined=self._path.asks_several(case, self.n_neighbors),
        )

    def _lowest_confidence(self, case: int) -> float:
        """Bound the confidence from below; 0 where nothing is known of the consensus's loss."""
        n_labels = self._table.n_labels
        is_ranking = bool((self.ranks[case] == self.positions[case]).all())
        if not self._table.complete or (self.rule.optimal_as_ranking_only and not is_ranking):
            return 0.0
        measure = self.rule.measure
        return 1 - measure.largest_mean(n_labels, self.n_neighbors) / measure.largest(n_labels)


_SIMILAR = "The {k} most similar training cases; {agreeing} of them prefer {top} to {second}."
_BY_RANKS = "Labels are ordered by their {title} among these cases."
_PAIRS = "How often one label is preferred to another among those of these cases that rank both."
_PAIRS_IN_CIRCLES = (
    "How often one label is preferred to another among those of these cases that rank both. One "
    "vote is added for what wider circles of similar cases, up to {widest}, and at last all "
    "training cases prefer."
)
_TOP = (
    "{top} comes first because its {title} among the {k} most similar cases is {top_rank}, ahead "
    "of {second} with {second_rank}."
)
_EQUALS = (
    "{top} and {second} share the best {title}, {top_rank}, among the {k} most similar cases; of "
    "equals the label listed first in the data goes first."
)
_NOT_PROVEN = (
    "This order contradicts {loss} preferences between two labels of each of the {k} most similar "
    "cases on average. Too many labels run in a circle to prove that no order contradicts fewer; "
    "at most {excess} fewer are possible."
)
_AGREED = "All {rules} consensus rules give the same order."
_ONE_DIFFERS = "1 of the {rules} consensus rules gives a different order."
_SOME_DIFFER = "{n} of the {rules} consensus rules give a different order."
_NONE_DECIDES = "No single case decides: without any one of the {k} the ranking stays the same."
_ONE_DECIDES = "One of the {k} cases decides alone: without it, {second} overtakes {first}."
_SOME_DECIDE = (
    "{n} of the {k} cases each change the ranking when removed; in {times} of them {second} "
    "overtakes {first}."
)
_CONFIDENCE = "Confidence {value}, where {lowest} to 1 is possible."
_NO_CONFIDENCE = "With a single case there is nothing to agree with."
