"""k-NN multilabel ranking at every number of neighbours and of virtual labels, and why."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation import WEIGHT_UNIT, total_weights
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    GapDial,
    Label,
    LabelScores,
    Step,
    Text,
)
from labelrank_core.methods.base import is_count
from labelrank_core.methods.neighbors._base import NeighborPath, inverse_distance_weights
from labelrank_core.methods.neighbors._leave_one_out import (
    is_quick_for_sets,
    leave_one_out_sets_step,
)
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

_BY_RANKS = (
    "In the ranking of a similar case its labels share the first places, the zero line comes next, "
    "then all others. Labels whose {weighted}mean rank is ahead of the zero line's, {line}, are "
    "relevant."
)
_TIES = " Of labels with equal mean ranks the one listed first in the data goes first."
# The dial turns as far as the largest p of Fig. 1 of [brinker2007].
_GAPS = 128
_NO_CROSSING = (
    "The relevant labels are the same for any number of virtual labels from 1 to {most}; {p} in "
    "use."
)
_ONE_WAY = (
    "As the number of virtual labels p runs from 1 to {most}, {changing} {way} the set of relevant "
    "labels; {p} in use."
)
_BOTH = (
    "As the number of virtual labels p runs from 1 to {most}, {entering} enters and {leaving} "
    "leaves the set of relevant labels; {p} in use."
)


class MultilabelRankingPath(NeighborPath):
    """Multilabel rankings of some cases at every number of neighbours and virtual labels."""

    def at(
        self, *, n_neighbors: int | None = None, n_virtual_labels: int | None = None
    ) -> "MultilabelRankingPoint":
        """Predict with other parameters.

        Parameters
        ----------
        n_neighbors : int or None, default=None
            k, up to the path's largest; None: the model's.
        n_virtual_labels : int or None, default=None
            p, at least 1; None: the model's.

        Returns
        -------
        MultilabelRankingPoint
            Predictions, scores, confidence and explanations.
        """
        p = self.model.n_virtual_labels if n_virtual_labels is None else n_virtual_labels
        if not is_count(p):
            raise ValueError(f"Expected a whole n_virtual_labels of at least 1, got {p!r}.")
        k = self.check_k(n_neighbors)
        unit = 1 if self.weights is None else WEIGHT_UNIT
        if 2 * (self.model.n_labels_ + int(p)) * k * unit > np.iinfo(np.int64).max:
            raise ValueError(f"Expected n_virtual_labels that keep sums exact, got {p}.")
        return MultilabelRankingPoint(self, k, int(p))


class MultilabelRankingPoint:
    """Multilabel rankings of some cases at one setting; parts are computed when asked for."""

    def __init__(
        self, path: MultilabelRankingPath, n_neighbors: int, n_virtual_labels: int
    ) -> None:
        self._path = path
        self.n_neighbors = n_neighbors
        self.n_virtual_labels = n_virtual_labels

    def _sums(self, name: str) -> IntArray:
        return self._path.sums(name, getattr(self._path.model._targets, name), self.n_neighbors)

    @cached_property
    def _rank_sums(self) -> IntArray:
        """Summed doubled ranks of the labels and, last, of the virtual labels."""
        if self.n_virtual_labels == 1:
            return self._sums("ranks")
        return self._sums("ranks") + (self.n_virtual_labels - 1) * self._sums("slopes")

    @cached_property
    def _lead(self) -> IntArray:
        return self._rank_sums[:, -1:] - self._rank_sums[:, :-1]

    @cached_property
    def _total(self) -> IntArray:
        return total_weights(*self._path.first(self.n_neighbors))

    @cached_property
    def prediction(self) -> IntArray:
        """The relevant labels, 0/1, shape (n_cases, n_labels)."""
        return (self._lead > 0).astype(np.int64)

    @cached_property
    def positions(self) -> IntArray:
        """The predicted ranking of the labels, shape (n_cases, n_labels)."""
        return strict_positions(-self._lead)

    @cached_property
    def scores(self) -> FloatArray:
        """Places each label is ahead of the virtual labels, shape (n_cases, n_labels)."""
        return self._lead / (2 * self._total)

    @property
    def raw_scores(self) -> FloatArray:
        """The same as `scores`: no label has a threshold of its own."""
        return self.scores

    @cached_property
    def mean_ranks(self) -> FloatArray:
        """Mean ranks of the labels and, last, of the virtual labels."""
        return self._rank_sums / (2 * self._total)

    @cached_property
    def shares(self) -> FloatArray:
        """The (weighted) share of the neighbours for which each label is relevant."""
        return self._sums("relevance") / self._total

    @cached_property
    def confidence(self) -> FloatArray:
        """Mean agreement of the neighbours' label sets with the predicted one, (n_cases,)."""
        agreement = np.where(self.prediction == 1, self.shares, 1 - self.shares)
        return agreement.mean(axis=1)

    def bar(self, case: int) -> float:
        """Return the share of neighbours a label must exceed to be relevant, for 0/1 targets.

        (m - mean number of labels of the neighbours + p) / (m + 2 p); follows from sorting by
        mean rank.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        float
            The bar.
        """
        return self._bar_with(case, self.n_virtual_labels)

    def _bar_with(self, case: int, p: int) -> float:
        m = self._path.model.n_labels_
        total = int(self._total[case, 0])
        # One division of whole numbers, so that a share equal to the bar is not above it.
        return (total * (m + p) - int(self._sums("relevance")[case].sum())) / (total * (m + 2 * p))

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
            Neighbours, mean ranks against the zero line, shares against the bar (0/1 targets
            only), confidence.
        """
        k, model = self.n_neighbors, self._path.model
        neighbors = self._path.evidence(
            case, k, model._targets.ranks[self._path.rows[case, :k]] / 2, has_zero_line=True
        )
        weighted = "weighted " if self._path.weights is not None else ""
        relevant = tuple(
            Label(int(label))
            for label in np.argsort(self.positions[case])
            if self.prediction[case, label]
        )
        values: dict[str, Any] = {
            "k": k,
            "p": self.n_virtual_labels,
            "m": model.n_labels_,
            "n_relevant": len(relevant),
            "relevant": relevant,
            "line": float(self.mean_ranks[case, -1]),
            "weighted": weighted,
        }
        steps = [
            Step(
                "Similar cases",
                Text("The {k} most similar training cases and the labels they have.", values),
                neighbors,
            ),
            Step(
                "Ranks that decide",
                Text(
                    _BY_RANKS + (_TIES if self._has_ties(case) else ""),
                    values,
                ),
                LabelScores(
                    f"{weighted}mean rank",
                    self.mean_ranks[case, :-1],
                    self.positions[case],
                    bar=values["line"],
                ),
            ),
        ]
        if model._targets.binary:
            steps.append(self._bar_step(case, values))
        steps.append(self._gap_step(case))
        steps.append(self._confidence_step(case))
        if is_quick_for_sets(k):
            steps.append(self._leave_one_out_step(case))
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=self._summary(case, values),
            steps=tuple(steps),
        )

    def _has_ties(self, case: int) -> bool:
        return len(np.unique(self._lead[case])) < self._lead.shape[1]

    def _summary(self, case: int, values: dict[str, Any]) -> Text:
        order = np.argsort(self.positions[case])
        n_relevant = values["n_relevant"]
        edge = order[max(0, n_relevant - 1)]
        values = values | {"edge": Label(int(edge)), "rank": float(self.mean_ranks[case, edge])}
        if n_relevant == 0:
            return Text(
                "No label is relevant: even {edge}, the first, has a {weighted}mean rank of "
                "{rank} among the {k} most similar cases, not ahead of the zero line at {line}.",
                values,
            )
        if n_relevant == 1:
            return Text(
                "Only {edge} of {m} labels is ahead of the zero line: its {weighted}mean rank "
                "among the {k} most similar cases is {rank}, the line's {line}.",
                values,
            )
        return Text(
            "Ahead of the zero line: {relevant} ({n_relevant} of {m} labels). The last of them, "
            "{edge}, has a {weighted}mean rank of {rank} among the {k} most similar cases, the "
            "line {line}.",
            values,
        )

    def _bar_step(self, case: int, values: dict[str, Any]) -> Step:
        bar = self.bar(case)
        return Step(
            "The bar a label must clear",
            Text(
                "The same said in shares: with p = {p}, a label is relevant where more than {bar} "
                "of the cases have it.",
                values | {"bar": bar},
            ),
            LabelScores(
                "share of the cases",
                self.shares[case],
                self.positions[case],
                greater_is_better=True,
                bar=bar,
            ),
        )

    def gap_dial(self, case: int) -> GapDial:
        """Compare every label with the zero line for 1 to 128 virtual labels.

        Parameters
        ----------
        case : int
            Which of the path's cases.

        Returns
        -------
        GapDial
            Up to the number in use where that is larger.
        """
        gaps = np.arange(1, max(_GAPS, self.n_virtual_labels) + 1)
        ranks, slopes = (self._sums(name)[case] for name in ("ranks", "slopes"))
        sums = ranks + (gaps[:, None] - 1) * slopes
        leads = (sums[:, -1:] - sums[:, :-1]) / (2 * int(self._total[case, 0]))
        bars = shares = None
        if self._path.model._targets.binary:
            shares = self.shares[case]
            bars = np.array([self._bar_with(case, int(p)) for p in gaps])
        return GapDial(gaps, leads, bars, shares, self.n_virtual_labels)

    def _leave_one_out_step(self, case: int) -> Step:
        k, path = self.n_neighbors, self._path
        has_next = path.rows.shape[1] > k
        rows, targets = path.rows[case, : k + has_next], path.model._targets
        sums = targets.ranks[rows] + (self.n_virtual_labels - 1) * targets.slopes[rows]
        leads = (sums[:, -1:] - sums[:, :-1]).astype(np.int64)

        def predict(chosen: IntArray) -> NDArray[np.bool_]:
            own = leads[chosen]
            if path.weights is not None:
                distances = path.distances[case][chosen]
                own = own * inverse_distance_weights(distances)[:, :, None]
            return own.sum(axis=1) > 0

        relevance = targets.relevance[rows] == 1
        return leave_one_out_sets_step(rows, relevance, predict, has_next=has_next)

    def _gap_step(self, case: int) -> Step:
        dial = self.gap_dial(case)
        values: dict[str, Any] = {"p": self.n_virtual_labels, "most": int(dial.gaps[-1])}
        for enters, word in ((True, "entering"), (False, "leaving")):
            labels = {each.label for each in dial.crossings if each.enters is enters}
            values[word] = tuple(Label(label) for label in sorted(labels))
        template = _NO_CROSSING
        if values["entering"] or values["leaving"]:
            template = _BOTH if values["entering"] and values["leaving"] else _ONE_WAY
            values["changing"] = values["entering"] or values["leaving"]
            values["way"] = "enters" if values["entering"] else "leaves"
        return Step("The gap dial", Text(template, values), dial)

    def _confidence_step(self, case: int) -> Step:
        bar = self.bar(case) if self._path.model._targets.binary else 0.0
        confidence = Confidence(
            value=float(self.confidence[case]),
            lowest=min(bar, 1 - bar),
            definition=(
                "mean share of the neighbours' label decisions that agree with the predicted set"
            ),
            defined=self._path.asks_several(case, self.n_neighbors),
        )
        return Step(
            "Confidence",
            Text(
                "On average {value} of the label decisions of these cases agree with the "
                "prediction; {lowest} to 1 is possible.",
                {"value": confidence.value, "lowest": confidence.lowest},
            ),
            confidence,
        )
