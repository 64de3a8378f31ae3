"""Explanations of ranking trees, single or in bags and forests."""

from typing import Any

import numpy as np

from labelrank_core.aggregation.mallows import (
    completed,
    distance_probabilities,
    distances,
    largest_distance,
    spread,
)
from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    MallowsFit,
    Neighbors,
    Question,
    Step,
    Text,
    TreeVotes,
    agreement_with,
)
from labelrank_core.methods.tied_labels import IN_LEAF, IN_LEAVES, explain_ties
from labelrank_core.methods.trees._votes import CLOSEST_PAIR_IN_LEAVES, agreement_of_trees
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    generalised_ranks,
    strict_order,
    strict_positions,
)

_SHOWN_CASES, _SHOWN_RANKINGS = 10, 50


def explain_tree(point: Any, case: int) -> Explanation:
    """Explain one case of a single tree: its path, the leaf's rankings and their spread."""
    votes = _tree_votes(point, case)
    table, end = point.path.trees[0], int(point.ends[0, case])
    leaf_rows = table.tree.rows[table.tree.start[end] : table.tree.end[end]]
    fit = _leaf_fit(point, leaf_rows, case)
    leaf_rankings = generalised_ranks(point.path.learned.rankings[leaf_rows])
    values = _values(point, case, leaf_rankings) | {
        "leaf": int(votes.sizes[0]),
        "questions": int(votes.depths[0]),
        "distance": fit.mean_distance if fit.observed.sum() else 0.0,
        "pairs": largest_distance(len(point.positions[case])),
        "theta": fit.theta,
    }
    centre = "" if point.predicts_ties else _CENTRE
    path_step = Step("Path through the tree", Text(f"{_WAY}{centre}.{_LEAF_PAIR}", values), votes)
    if point.predicts_ties:
        return _explain_ties(point, case, IN_LEAF, path_step)
    confidence = float(point.confidence[case])
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=_summary(values, _TOP_TREE),
        steps=(
            path_step,
            Step("The leaf's spread", Text(_spread_text(fit), values), fit),
            _ranks_step(point, case, values),
            Step(
                "Confidence",
                Text(
                    "Confidence {value}, where 0.5 to 1 is possible.",
                    {"value": confidence},
                ),
                Confidence(confidence, 0.5, _LEAF_MEANING, _LEAF_DEFINITION),
            ),
        ),
        closest_pair=closest_pair(point, case),
    )


def explain_trees(point: Any, case: int) -> Explanation:
    """Explain one case of several trees: cases that share leaves, votes and ranks."""
    votes = _tree_votes(point, case)
    neighbors = _sharing_cases(point, case)
    values = _values(point, case, neighbors.rankings) | {
        "trees": point.n_trees,
        "settled": votes.settled,
        "first_votes": int((votes.rankings[:, np.argmin(point.positions[case])] == 1).sum()),
    }
    similar = Step("Similar cases", Text(CLOSEST_PAIR_IN_LEAVES, values), neighbors)
    if votes.weights is not None:
        values |= {"least": float(votes.weights.min()), "most": float(votes.weights.max())}
    if point.predicts_ties:
        return _explain_ties(point, case, IN_LEAVES, similar)
    confidence = agreement_of_trees(
        float(point.confidence[case]), point.vote, point.n_trees, has_weights=point.path.has_weights
    )
    bounds = {"value": confidence.value, "lowest": confidence.lowest}
    confidence_text = "Confidence {value}, where {lowest} to 1 is possible."
    if not confidence.defined:
        confidence_text = "With a single tree there is no agreement to measure."
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=_summary(values, _TOP_TREES),
        steps=(
            similar,
            Step("Votes of the trees", Text(_votes_text(votes), values), votes),
            _ranks_step(point, case, values),
            Step("Confidence", Text(confidence_text, bounds), confidence),
        ),
        closest_pair=closest_pair(point, case),
    )


def _explain_ties(point: Any, case: int, voters: str, first: Step) -> Explanation:
    """Explain a bucket order by the votes of the rankings in the leaves."""
    # All labels tied fits every complete ranking by half at least.
    lowest = 0.5 if point.path.learned.pairs.known.all() else 0.0
    return explain_ties(
        point, case, voters=voters, first=(first,), scores=_scores(point, case), lowest=lowest
    )


def _values(point: Any, case: int, rankings: FloatArray) -> dict[str, Any]:
    """Return the values of the texts; `rankings` are those counted for the closest pair."""
    order = strict_order(point.positions[case])
    ahead, behind = closest_pair(point, case)
    ranks = len(order) - point.scores[case]
    return {
        "top": Label(int(order[0])),
        "second": Label(int(order[1])),
        "top_rank": float(ranks[order[0]]),
        "second_rank": float(ranks[order[1]]),
        "title": point.rank_title,
        "ahead": Label(ahead),
        "behind": Label(behind),
        "agreeing": int((rankings[:, ahead] < rankings[:, behind]).sum()),
    }


def _summary(values: dict[str, Any], top: str) -> Text:
    return Text(_TIE if values["top_rank"] == values["second_rank"] else top, values)


def _ranks_step(point: Any, case: int, values: dict[str, Any]) -> Step:
    text = Text("Labels are ordered by their {title}.", values)
    return Step("Ranks that decide", text, _scores(point, case))


def _scores(point: Any, case: int) -> LabelScores:
    positions = point.positions[case]
    return LabelScores(point.rank_title, len(positions) - point.scores[case], positions)


def _tree_votes(point: Any, case: int) -> TreeVotes:
    tables, ends = point.path.trees[: point.n_trees], point.ends[:, case]
    pairs = list(zip(tables, (int(end) for end in ends), strict=True))
    votes = np.stack([getattr(table, point.voting)[end] for table, end in pairs])
    sums = np.cumsum(point.weights[:, None] * votes, axis=0)
    sizes = np.array([table.tree.end[end] - table.tree.start[end] for table, end in pairs])
    rankings, x = point.path.learned.rankings, point.path.X[case]
    held = [
        np.unique(table.tree.rows[table.tree.start[end] : table.tree.end[end]], return_counts=True)
        for table, end in pairs
    ]
    return TreeVotes(
        rankings=np.stack([table.positions[end] for table, end in pairs]),
        sizes=sizes,
        depths=np.array([table.tree.depth[end] for table, end in pairs]),
        running=strict_positions(point.keys_of(sums)),
        ways=tuple(_way(table.tree, end, x) for table, end in pairs),
        leaves=tuple(generalised_ranks(rankings[rows[:_SHOWN_RANKINGS]]) for rows, _ in held),
        draws=tuple(counts[:_SHOWN_RANKINGS] for _, counts in held),
        weights=point.weights if point.path.has_weights else None,
    )


def _votes_text(votes: TreeVotes) -> str:
    return _VOTES if votes.weights is None else f"{_VOTES} {_WEIGHTS}"


def _leaf_rows(tree: Any, end: int) -> IntArray:
    return np.unique(tree.rows[tree.start[end] : tree.end[end]])


def _way(tree: Any, end: int, x: Any) -> tuple[Question, ...]:
    way, node = [], int(tree.parent[end])
    while node >= 0:
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        way.append(Question(feature, threshold, bool(x[feature] > threshold)))
        node = int(tree.parent[node])
    return tuple(reversed(way))


def _leaf_fit(point: Any, rows: IntArray, case: int) -> MallowsFit:
    rankings, centre = point.path.learned.rankings[rows], point.positions[case]
    compared = rankings[(~np.isnan(rankings)).sum(axis=1) >= 2]
    n_labels = len(centre)
    complete = completed(compared, np.broadcast_to(centre, compared.shape))
    reversed_pairs = distances(complete[None], centre[None])[0]
    largest = largest_distance(n_labels)
    mean = float(reversed_pairs.mean()) if len(reversed_pairs) else largest / 2
    theta = float(spread(np.array(mean), n_labels))
    expected = distance_probabilities(theta, n_labels) * len(reversed_pairs)
    return MallowsFit(centre, theta, np.bincount(reversed_pairs, minlength=largest + 1), expected)


def _spread_text(fit: MallowsFit) -> str:
    if not np.isfinite(fit.theta):
        return _NO_SPREAD
    return _SPREAD if fit.theta > 0 else _NO_CENTRE


def _sharing_cases(point: Any, case: int) -> Neighbors:
    rankings = point.path.learned.rankings
    together = np.zeros(len(rankings), dtype=np.int64)
    for table, end in zip(point.path.trees, point.ends[:, case], strict=False):
        together[_leaf_rows(table.tree, int(end))] += 1
    order = np.argsort(-together, kind="stable")[:_SHOWN_CASES]
    order = order[together[order] > 0]
    shares = together[order] / point.n_trees
    ranks = generalised_ranks(rankings[order])
    return Neighbors(order, 1 - shares, shares, ranks)


_WAY = "{questions} questions lead to a leaf with {leaf} training rankings"
_CENTRE = ", whose centre is predicted"
_LEAF_PAIR = " {agreeing} of them rank {ahead} ahead of {behind}."
_SPREAD = (
    "On average the leaf's rankings reverse {distance} of the {pairs} label pairs of the centre, "
    "which is expected at θ = {theta} of the Mallows model."
)
_NO_SPREAD = "All rankings of the leaf agree with the centre: there is no spread (θ is infinite)."
_NO_CENTRE = "The leaf's rankings reverse as many label pairs as random ones (θ = 0)."
_TOP_TREE = (
    "{top} comes first. Among the {leaf} training rankings of the leaf its {title} is {top_rank}, "
    "that of {second} is {second_rank}."
)
_TOP_TREES = (
    "{top} comes first. Over {trees} trees its {title} is {top_rank}, that of {second} is "
    "{second_rank}."
)
_TIE = (
    "{top} and {second} share the best {title}, {top_rank}; the tie goes to the first in the list "
    "of labels."
)
_VOTES = (
    "{first_votes} of {trees} trees put {top} first. From tree {settled} on the consensus no "
    "longer changes."
)
_WEIGHTS = (
    "The fewer label pairs a tree reverses in the training cases of its round, the more its vote "
    "counts: here from {least} to {most}."
)
_LEAF_MEANING = agreement_with("this ranking", "the cases of the leaf")
_LEAF_DEFINITION = (
    "1 - the share of compared label pairs that the leaf's rankings reverse, with one "
    "pseudo-ranking that reverses half of them: the smaller a leaf, the less sure it is"
)
