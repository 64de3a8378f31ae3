"""The base class of probability models of the neighbours' rankings."""

from typing import Any, ClassVar

from numpy.typing import ArrayLike, NDArray

from labelrank_core._sklearn import StrOptions
from labelrank_core.aggregation import TIES
from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.closest import CLOSEST_PAIR_OF_SIMILAR, closest_pair
from labelrank_core.explain.evidence import (
    PAIRS_EXPECTED,
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Neighbors,
    Step,
    Text,
)
from labelrank_core.methods.base import LabelRankerMixin, RankingPoint, require_targets
from labelrank_core.methods.nearest.base import NeighborPath, NeighborPoint, NeighborsEstimator
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.tied_labels import LISTED, explain_ties
from labelrank_core.rankings import (
    FloatArray,
    check_rankings,
    generalised_ranks,
    strict_order,
)


class NeighborModel(LabelRankerMixin, NeighborsEstimator):
    """A label ranker that fits a model to the rankings of the k nearest training cases."""

    n_neighbors: int
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **NeighborsEstimator._parameter_constraints,
        "ties": [StrOptions(set(TIES))],
    }

    def _fit_rankings(self, X: ArrayLike, Y: ArrayLike) -> FloatArray:
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=True)
        self._fit_search(X, len(rankings))
        self.n_labels_ = rankings.shape[1]
        self._rankings = rankings
        self._table = RankTable.from_rankings(rankings)
        return rankings


class NeighborModelPath(NeighborPath):
    """The neighbours of some cases, searched once, with the rankings of all training cases."""

    def __init__(
        self,
        model: NeighborModel,
        X: Any,
        search: Search,
        rankings: FloatArray,
        table: RankTable,
        n_neighbors: int | None,
    ) -> None:
        super().__init__(model, X, search, n_neighbors)
        self.rankings = rankings
        self.table = table


class NeighborModelPoint(RankingPoint, NeighborPoint):
    """Label rankings of some cases by a model of their k nearest."""

    def __init__(self, path: NeighborModelPath, n_neighbors: int) -> None:
        self.path, self.n_neighbors = path, n_neighbors

    @property
    def scores(self) -> FloatArray:
        """The scores that order the labels, higher = better, shape (n_cases, n_labels)."""
        raise NotImplementedError

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """The key that orders the labels: their scores."""
        return (-self.scores,)

    def neighbor_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the neighbours on every pair of labels."""
        rows, _ = self.path.first(self.n_neighbors)
        return PairVotes.of_rankings(self.path.table, rows[cases], None)

    def neighbors(self, case: int) -> Neighbors:
        """Return the k nearest of a case with their rankings."""
        rows = self.path.rows[case, : self.n_neighbors]
        ranks = generalised_ranks(self.path.rankings[rows])
        return self.path.evidence(case, self.n_neighbors, ranks, has_zero_line=False)

    def values(self, case: int, neighbors: Neighbors) -> dict[str, Any]:
        """Return the values of the texts that all models share for one case."""
        order = strict_order(self.positions[case])
        top, second = int(order[0]), int(order[1])
        ahead, behind = closest_pair(self, case)
        ranks = neighbors.rankings
        return {
            "k": self.n_neighbors,
            "top": Label(top),
            "second": Label(second),
            "last": Label(int(order[-1])),
            "ahead": Label(ahead),
            "behind": Label(behind),
            "agreeing": int((ranks[:, ahead] < ranks[:, behind]).sum()),
            "confidence": float(self.confidence[case]),
        }

    def explain_ties(
        self,
        case: int,
        scores: LabelScores,
        *,
        voters: str,
        order: str = LISTED,
        reason: Text | None = None,
        fits_best: bool | None = None,
        lowest: float = 0.5,
        defined: bool = True,
    ) -> Explanation:
        """Explain a prediction with ties by the similar cases and the votes on pairs."""
        neighbors = self.neighbors(case)
        similar = Step(
            "Similar cases", Text(CLOSEST_PAIR_OF_SIMILAR, self.values(case, neighbors)), neighbors
        )
        return explain_ties(
            self,
            case,
            voters=voters,
            first=(similar,),
            scores=scores,
            order=order,
            reason=reason,
            fits_best=fits_best,
            lowest=lowest,
            defined=defined,
        )

    def confidence_of(self, case: int, definition: str, *, defined: bool = True) -> Confidence:
        """Return the confidence of a case as evidence."""
        return Confidence(
            value=float(self.confidence[case]),
            lowest=0.5,
            meaning=PAIRS_EXPECTED,
            definition=definition,
            defined=defined,
        )

    @property
    def confidence(self) -> FloatArray:
        """The share of label pairs that the model expects in the predicted order, (n_cases,)."""
        raise NotImplementedError


CERTAIN = "The model expects a share of {confidence} of the label pairs in the predicted order."
