"""Why a forest ranks the labels of one case as it does."""

from typing import Any

import numpy as np

from labelrank_core.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Neighbors,
    Step,
    Text,
    TreeVotes,
)
from labelrank_core.rankings import generalised_ranks

# So many of the training cases that share most leaves are shown.
SHOWN_CASES = 10
_TITLES = {"scores": "mean rank in the leaves", "rankings": "mean place in the trees' rankings"}


def explain_case(point: Any, case: int) -> Explanation:
    """Explain one case of a forest's point whose path keeps the nodes on the way."""
    path, voting = point.path, point.setting.voting
    stops = path.stops(point.setting)[:, case]
    votes = _tree_votes(path, case, stops)
    neighbors, n_sharing = _sharing_cases(path, case, stops)
    scores = LabelScores(_TITLES[voting], point.ranks[case], point.positions[case])
    confidence = _confidence(point, case)
    values = _values(point, case, votes, neighbors)
    values |= {"sharing": n_sharing, "title": _TITLES[voting]}
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=_summary(values),
        steps=(
            Step("Similar cases", Text(_SHARING, values), neighbors),
            Step("Votes of the trees", Text(_VOTING[voting], values), votes),
            Step(
                "Ranks that decide",
                Text("Labels are ordered by their {title}, averaged over the trees.", values),
                scores,
            ),
            Step("Confidence", _confidence_text(confidence), confidence),
        ),
    )


_SHARING = (
    "The leaves this case falls into hold {sharing} training cases; of the {shown} that share "
    "most leaves with it, {agreeing} prefer {top} to {second}."
)
_VOTING = {
    "scores": "In the leaves of {first_votes} of {trees} trees {top} has the best mean rank; "
    "the trees' mean ranks are averaged.",
    "rankings": "{first_votes} of {trees} trees put {top} first; the places in the trees' "
    "rankings are averaged.",
}


def _tree_votes(path: Any, case: int, stops: Any) -> TreeVotes:
    nodes = path.chains[np.arange(len(stops)), case, stops]
    trees = path.trees
    return TreeVotes(
        rankings=np.stack([trees.ranking_votes(t, nodes[t : t + 1])[0] for t in range(len(nodes))]),
        sizes=np.array([round(trees.sizes(t)[node]) for t, node in enumerate(nodes)]),
        depths=stops,
    )


def _sharing_cases(path: Any, case: int, stops: Any) -> tuple[Neighbors, int]:
    """Return the training cases that end with this one in most trees, and how many do in any."""
    together = (path.reach(case)[: len(stops)] >= stops[:, None]).sum(axis=0)
    order = np.argsort(-together, kind="stable")[:SHOWN_CASES]
    order = order[together[order] > 0]
    shares = together[order] / len(stops)
    model = path.model
    neighbors = Neighbors(
        rows=model._rows[order],
        distances=1 - shares,
        weights=shares,
        rankings=generalised_ranks(model._rankings[order]),
    )
    return neighbors, int((together > 0).sum())


def _values(point: Any, case: int, votes: TreeVotes, neighbors: Neighbors) -> dict[str, Any]:
    order = np.argsort(point.positions[case])
    top, second = int(order[0]), int(order[1])
    ranks = point.ranks[case]
    return {
        "trees": point.setting.n_estimators,
        "shown": len(neighbors.rows),
        "agreeing": int((neighbors.rankings[:, top] < neighbors.rankings[:, second]).sum()),
        "top": Label(top),
        "second": Label(second),
        "top_rank": float(ranks[top]),
        "second_rank": float(ranks[second]),
        "first_votes": int((votes.rankings[:, top] == 1).sum()),
    }


def _summary(values: dict[str, Any]) -> Text:
    if values["top_rank"] == values["second_rank"]:
        return Text(
            "{top} and {second} share the best {title}, {top_rank}, over {trees} trees; of equals "
            "the label listed first in the data goes first.",
            values,
        )
    return Text(
        "{top} comes first because its {title} is {top_rank} over {trees} trees, ahead of "
        "{second} with {second_rank}.",
        values,
    )


def _confidence(point: Any, case: int) -> Confidence:
    return Confidence(
        value=float(point.confidence[case]),
        lowest=0.5 if point.setting.voting == "rankings" else 0.0,
        definition=(
            "1 - mean loss between the prediction and the trees' rankings / largest loss, in "
            "squared rank differences (eq. 5 of Brinker and Hüllermeier 2006 with trees for "
            "neighbours)"
        ),
        defined=point.setting.n_estimators > 1,
    )


def _confidence_text(confidence: Confidence) -> Text:
    if not confidence.defined:
        return Text("With a single tree there is nothing to agree with.")
    return Text(
        "Confidence {value}, where {lowest} to 1 is possible.",
        {"value": confidence.value, "lowest": confidence.lowest},
    )
