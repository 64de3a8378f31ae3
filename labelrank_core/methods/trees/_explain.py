"""Explanations of the label-ranking random forest."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank_core.explain.closest import closest_pair
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Neighbors,
    Question,
    RankParts,
    Step,
    Text,
    TreeNode,
    TreeVotes,
    VotingOrders,
)
from labelrank_core.methods.random_ties import broken_tie, tie_rule
from labelrank_core.methods.tied_labels import IN_LEAVES, explain_ties
from labelrank_core.methods.trees._votes import (
    CLOSEST_PAIR_IN_LEAVES,
    RANK_TITLES,
    VOTING,
    agreement_of_trees,
    tree_votes,
    vote_unit,
)
from labelrank_core.rankings import IntArray, generalised_ranks, strict_order, strict_positions

if TYPE_CHECKING:
    from labelrank_core.methods.trees._path import ForestPath, ForestPoint

# Training cases shown of those that share most leaves, and rankings shown per leaf.
_SHOWN_CASES, _SHOWN_RANKINGS = 10, 50
_SHOWN_TREES, _SHOWN_DEPTH = 6, 3


def explain_case(point: "ForestPoint", case: int) -> Explanation:
    """Explain one case of a point whose path keeps the nodes that cases pass."""
    path, voting = point.path, point.setting.voting
    stops = path.stops(point.setting)[:, case]
    votes = _tree_votes(point, case, stops)
    neighbors = _sharing_cases(path, case, stops)
    seed = path.learned.tie_seed
    scores = LabelScores(
        RANK_TITLES[voting], point.ranks[case], point.positions[case], tie_rule=tie_rule(seed)
    )
    confidence = agreement_of_trees(
        float(point.confidence[case]), voting, point.setting.n_estimators
    )
    values = _values(point, case, votes)
    similar = Step("Similar cases", Text(CLOSEST_PAIR_IN_LEAVES, values), neighbors)
    if point.predicts_ties:
        complete = not np.isnan(path.learned.rankings).any()
        lowest = 0.5 if complete else 0.0
        return explain_ties(
            point, case, voters=IN_LEAVES, first=(similar,), scores=scores, lowest=lowest
        )
    orders = _voting_orders(point, case)
    parts = _rank_parts(point, case, stops)
    values |= {
        "title": RANK_TITLES[voting],
        "ends": _ENDS_OF_PARTS[voting],
        "tie": broken_tie(seed),
        "settled": votes.settled,
        "ways": len(orders.titles),
        "used": int((parts.n_questions > 0).sum()),
    }
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=_summary(values),
        steps=(
            similar,
            Step("Votes of the trees", Text(_VOTING[voting], values), votes),
            Step(
                "Other ways to count",
                Text(_OTHER_WAYS[len(orders.others)], values),
                orders,
            ),
            Step("Features that mattered", Text(_PARTS, values), parts),
            Step("Ranks that decide", Text(_BY_RANKS[voting], values), scores),
            Step("Confidence", _confidence_text(confidence, values), confidence),
        ),
        closest_pair=closest_pair(point, case),
    )


_VOTING = {
    "scores": "{first_votes} of {trees} trees put {top} first, by the mean ranks in this case's "
    "leaf; these are averaged. From tree {settled} on the consensus no longer changes.",
    "rankings": "{first_votes} of {trees} trees put {top} first; the places in the trees' "
    "rankings are averaged. From tree {settled} on the consensus no longer changes.",
}
_OTHER_WAYS = (
    "All {ways} ways to count the same leaves give the same order.",
    "1 of the {ways} ways to count the same leaves gives a different order.",
    "2 of the {ways} ways to count the same leaves give a different order.",
)
_PARTS = (
    "{used} features decide the paths to the leaves, and move the mean ranks from those of all "
    "training cases to {ends}. Compared with other cases, others may matter."
)
_ENDS_OF_PARTS = {
    "scores": "those in the leaves",
    "rankings": "the mean places in the trees' rankings",
}
_BY_RANKS = {
    "scores": "Labels are ordered by their mean rank, averaged over the leaves of all trees.",
    "rankings": "Labels are ordered by their mean place in the trees' rankings.",
}


def _tree_votes(point: "ForestPoint", case: int, stops: Any) -> TreeVotes:
    path, trees = point.path, point.path.trees
    nodes = path.chains[np.arange(len(stops)), case, stops]
    ends = [nodes[t : t + 1] for t in range(len(nodes))]
    votes = [tree_votes(trees, t, end, point.setting.voting)[0] for t, end in enumerate(ends)]
    reach = path.reach(case)
    rows = [np.flatnonzero(reach[t] >= stop)[:_SHOWN_RANKINGS] for t, stop in enumerate(stops)]
    return TreeVotes(
        rankings=np.stack([trees.ranking_votes(t, end)[0] for t, end in enumerate(ends)]),
        sizes=np.array([round(trees.sizes(t)[node]) for t, node in enumerate(nodes)]),
        depths=stops,
        running=_positions(path, case, np.cumsum(votes, axis=0)),
        ways=tuple(_way(path, t, case, stop) for t, stop in enumerate(stops)),
        leaves=tuple(generalised_ranks(path.learned.rankings[shown_rows]) for shown_rows in rows),
        draws=tuple(path.in_bag_counts[t, shown_rows] for t, shown_rows in enumerate(rows)),
        roots=tuple(
            _node(point, t, 0, 0, set(path.chains[t, case, : stop + 1].tolist()))
            for t, stop in enumerate(stops[:_SHOWN_TREES])
        ),
        first_draws=path.in_bag_counts[0].astype(np.int64),
    )


def _positions(path: "ForestPath", case: int, votes: Any) -> IntArray:
    """Rank the labels by each row of votes for one case."""
    return strict_positions(votes, *(np.tile(key[case], (len(votes), 1)) for key in path.last_keys))


def _node(point: "ForestPoint", t: int, node: int, depth: int, passed: set[int]) -> TreeNode:
    trees, setting = point.path.trees, point.setting
    tree = trees.tree(t)
    tree_node = TreeNode(
        round(trees.sizes(t)[node]),
        trees.ranking_votes(t, np.array([node]))[0],
        is_passed=node in passed,
    )
    ends = tree.children_left[node] < 0 or depth == setting.max_depth
    if ends or (setting.min_entropy > 0 and trees.entropies(t)[node] < setting.min_entropy):
        return tree_node
    question = Question(int(tree.feature[node]), float(tree.threshold[node]), is_above=False)
    if depth == _SHOWN_DEPTH:
        return replace(tree_node, question=question)
    child_nodes = (int(tree.children_left[node]), int(tree.children_right[node]))
    children = tuple(_node(point, t, child, depth + 1, passed) for child in child_nodes)
    return replace(tree_node, question=question, children=children)


def _way(path: "ForestPath", t: int, case: int, stop: int) -> tuple[Question, ...]:
    tree, x = path.trees.tree(t), path.X[case]
    return tuple(
        Question(
            int(tree.feature[node]),
            float(tree.threshold[node]),
            bool(x[tree.feature[node]] > tree.threshold[node]),
        )
        for node in path.chains[t, case, :stop]
    )


def _voting_orders(point: "ForestPoint", case: int) -> VotingOrders:
    path, setting = point.path, point.setting
    n_trees, trees = setting.n_estimators, path.trees
    stops = path.stops(setting)[:, case]
    nodes = path.chains[np.arange(n_trees), case, stops]
    sums = [path.votes(setting, kind)[case] for kind in ("rankings", "scores")]
    sizes = np.array([trees.sizes(t)[node] for t, node in enumerate(nodes)])
    leaf_votes = [trees.score_votes(t, nodes[t : t + 1])[0] for t in range(n_trees)]
    sums.append((sizes[:, None] * np.stack(leaf_votes)).sum(axis=0))
    counts = (n_trees, n_trees, sizes.sum())
    units = (1, vote_unit("scores"), vote_unit("scores"))
    return VotingOrders(
        keys=("rankings", "scores", "pooled"),
        titles=("the trees' rankings", "the trees' mean ranks", "all rankings in the leaves"),
        ranks=np.stack([s / (u * n) for s, u, n in zip(sums, units, counts, strict=True)]),
        positions=_positions(path, case, np.stack(sums)),
        way_in_use=VOTING[::-1].index(setting.voting),
    )


def _rank_parts(point: "ForestPoint", case: int, stops: Any) -> RankParts:
    path, voting, trees = point.path, point.setting.voting, point.path.trees
    n_features = path.X.shape[1]
    changes = np.zeros((n_features, trees.n_labels))
    baseline = np.zeros(trees.n_labels)
    n_splits = np.zeros(n_features, dtype=np.int64)
    for t, stop in enumerate(stops):
        nodes = path.chains[t, case, : stop + 1]
        votes = tree_votes(trees, t, nodes, voting)
        features = trees.tree(t).feature[nodes[:-1]]
        baseline += votes[0]
        np.add.at(changes, features, np.diff(votes, axis=0))
        np.add.at(n_splits, features, 1)
    unit = vote_unit(voting) * len(stops)
    return RankParts(baseline / unit, changes / unit, n_splits)


def _sharing_cases(path: "ForestPath", case: int, stops: Any) -> Neighbors:
    """Return the cases that share most leaves with a case."""
    together = (path.reach(case)[: len(stops)] >= stops[:, None]).sum(axis=0)
    order = np.argsort(-together, kind="stable")[:_SHOWN_CASES]
    order = order[together[order] > 0]
    shares = together[order] / len(stops)
    return Neighbors(
        rows=path.learned.rows[order],
        distances=1 - shares,
        weights=shares,
        rankings=generalised_ranks(path.learned.rankings[order]),
    )


def _values(point: "ForestPoint", case: int, votes: TreeVotes) -> dict[str, Any]:
    order = strict_order(point.positions[case])
    top, second = int(order[0]), int(order[1])
    ahead, behind = closest_pair(point, case)
    ranks = point.ranks[case]
    return {
        "trees": point.setting.n_estimators,
        "ahead": Label(ahead),
        "behind": Label(behind),
        "top": Label(top),
        "second": Label(second),
        "top_rank": float(ranks[top]),
        "second_rank": float(ranks[second]),
        "first_votes": int((votes.rankings[:, top] == 1).sum()),
    }


def _summary(values: dict[str, Any]) -> Text:
    if values["top_rank"] == values["second_rank"]:
        return Text(
            "{top} and {second} share the best {title}, {top_rank}, over {trees} trees; {tie}.",
            values,
        )
    return Text(
        "{top} comes first. Over {trees} trees its {title} is {top_rank}, that of {second} is "
        "{second_rank}.",
        values,
    )


def _confidence_text(confidence: Confidence, values: dict[str, Any]) -> Text:
    if not confidence.defined:
        return Text("With a single tree there is no agreement to measure.")
    return Text(
        "Over all places {value}. At the first place alone {first_votes} of {trees} trees have "
        "{top}.",
        {**values, "value": confidence.value},
    )
