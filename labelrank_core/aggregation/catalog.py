"""The consensus rules by their names, in the order in which they are offered."""

from labelrank_core.aggregation.kemeny import count_optima, preference_counts
from labelrank_core.aggregation.majorities import copeland, ranked_pairs, schulze
from labelrank_core.aggregation.rules import (
    ConsensusRule,
    borda,
    excess_bound,
    footrule,
    kemeny,
    majority,
    mean_ranks,
    median,
    most_frequent,
)
from labelrank_core.aggregation.sums import total_weights
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import IntArray


def _proof(table: RankTable, rows: IntArray, weights: IntArray | None) -> dict[str, float]:
    """Return the bound beyond the optimum, and the number of optimal orders where it is counted."""
    counted = count_optima(preference_counts(table, rows, weights)[0])
    excess = {"excess": float(excess_bound(table, rows, weights)[0])}
    if counted is None:
        return excess
    return excess | {"optima": counted.number, "counts_all": counted.is_exact}


def _vote_share(table: RankTable, rows: IntArray, weights: IntArray | None) -> dict[str, float]:
    votes = most_frequent(table, rows, weights)[1]
    return {"votes": float(votes[0] / total_weights(rows, weights)[0, 0])}


CONSENSUS_RULES = {
    rule.key: rule
    for rule in (
        ConsensusRule(
            key="borda",
            name="Borda (mean rank)",
            summary="mean rank (Borda)",
            title="mean rank",
            partial_title="rank by win shares",
            rank=borda,
            rank_sums=mean_ranks,
            rank_widened=borda,
            loss="squared",
        ),
        ConsensusRule(
            key="median",
            name="median rank",
            summary="median rank",
            title="median rank",
            partial_title="median expected rank",
            rank=median,
            loss="footrule",
            optimal="as ranking",
        ),
        ConsensusRule(
            key="footrule",
            name="footrule optimum",
            summary="fewest places moved (footrule)",
            title="place of least cost",
            partial_title="place of least cost",
            rank=footrule,
            loss="footrule",
            reason=(
                "No other order of the labels differs less from the rankings of the {k} most "
                "similar cases, in places summed over labels; on average it differs by {loss}."
            ),
        ),
        ConsensusRule(
            key="kemeny",
            name="Kemeny optimum",
            summary="fewest pairs reversed (Kemeny)",
            title="place in the order",
            partial_title="place in the order",
            rank=kemeny,
            loss="kendall",
            compares_pairs=True,
            buckets="optimum",
            # Dynamic programming over the subsets of one component doubles with each label.
            most_labels=12,
            details=_proof,
            reason=(
                "No other order contradicts fewer preferences between two labels of the {k} most "
                "similar cases; on average it contradicts {loss} of a case's."
            ),
            unproven_reason=(
                "This order contradicts {loss} preferences between two labels of each of the {k} "
                "most similar cases on average. Too many labels form a preference cycle to prove "
                "that no order contradicts fewer; at most {excess} fewer are possible."
            ),
        ),
        ConsensusRule(
            key="majority",
            name="most frequent ranking",
            summary="the most frequent ranking",
            title="rank in the most frequent ranking",
            partial_title="rank in the most frequent ranking",
            rank=majority,
            loss="contradicted",
            buckets="ranks",
            details=_vote_share,
            reason=(
                "This is the most frequent ranking among the {k} most similar cases; its share is "
                "{votes}."
            ),
        ),
        ConsensusRule(
            key="copeland",
            name="Copeland",
            summary="most majorities won (Copeland)",
            title="rank by majorities",
            partial_title="rank by majorities",
            rank=copeland,
            loss="kendall",
            optimal="never",
            compares_pairs=True,
            buckets="ranks",
        ),
        ConsensusRule(
            key="schulze",
            name="Schulze",
            summary="strongest chains of majorities (Schulze)",
            title="rank by strongest paths",
            partial_title="rank by strongest paths",
            rank=schulze,
            loss="kendall",
            optimal="never",
            compares_pairs=True,
            buckets="ranks",
        ),
        ConsensusRule(
            key="ranked_pairs",
            name="ranked pairs",
            summary="largest majorities first (ranked pairs)",
            title="place in the order",
            partial_title="place in the order",
            rank=ranked_pairs,
            loss="kendall",
            optimal="never",
            compares_pairs=True,
            # Each query takes a loop over all pairs of labels.
            most_labels=24,
            reason=(
                "The order follows the majorities of the {k} most similar cases, the largest "
                "first. A majority that would close a preference cycle is left out."
            ),
        ),
    )
}
