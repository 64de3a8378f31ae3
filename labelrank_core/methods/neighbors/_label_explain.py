"""Explanations of k-NN label ranking."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.aggregation.losses import losses_to
from labelrank_core.aggregation.rules import ConsensusRule
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.closest import CLOSEST_PAIR_OF_SIMILAR, closest_pair
from labelrank_core.explain.consensus import rule_orders
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    LeaveOneOut,
    Step,
    Text,
    WinShares,
    agreement_with,
    loss_arithmetic,
)
from labelrank_core.explain.overtaking import are_tied, new_ties, passing
from labelrank_core.methods.nearest.base import inverse_distance_weights
from labelrank_core.methods.nearest.leave_one_out import (
    BUT_THE_NEXT,
    ONE_CASE_TITLE,
    is_quick,
    leave_one_out,
)
from labelrank_core.methods.random_ties import RandomTies, broken_tie, tie_rule
from labelrank_core.methods.tied_labels import LISTED, explain_ties
from labelrank_core.rankings import FloatArray, IntArray, strict_order, strict_positions

if TYPE_CHECKING:
    from labelrank_core.methods.neighbors._label_path import LabelRankingPoint


def explain_case(point: "LabelRankingPoint", case: int) -> Explanation:
    """Explain one case: neighbours, ranks, confidence, other rules and leave-one-out."""
    path = point.path
    ranks = point.table.ranks(path.rows[case, : point.n_neighbors])
    neighbors = path.evidence(case, point.n_neighbors, ranks, has_zero_line=False)
    values = _values(point, case, neighbors.rankings)
    if point.predicts_ties:
        return _explain_ties(
            point, case, Step("Similar cases", Text(CLOSEST_PAIR_OF_SIMILAR, values), neighbors)
        )
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=_summary(point, values),
        steps=(
            Step("Similar cases", Text(CLOSEST_PAIR_OF_SIMILAR, values), neighbors),
            *_deciding_steps(point, case, values),
            _confidence_step(point, case),
            *_other_steps(point, case),
        ),
        closest_pair=closest_pair(point, case),
    )


def _explain_ties(point: "LabelRankingPoint", case: int, similar: Step) -> Explanation:
    """Explain a bucket order by the votes of the neighbours and the consensus rule."""
    k, rule, gap = point.n_neighbors, point.rule, point.path.model.tie_gap
    by_ranks = rule.buckets == "cut" or not rule.chooses_orders
    values = {"k": k, "title": _rank_title(point), "gap": gap}
    scores = LabelScores(
        _rank_title(point),
        point.ranks[case],
        point.positions[case],
        tie_rule=tie_rule(point.path.model.random_state),
    )
    reason = {
        "cut": _BY_CUT if gap is None else _BY_GAP,
        "ranks": _BY_FREQUENCY if rule.chooses_orders else _BY_EQUAL_RANKS,
    }.get(rule.buckets)
    cuts_best = rule.buckets == "cut" and gap is None
    nearest = point.table.complete and (rule.buckets == "optimum" or cuts_best)
    return explain_ties(
        point,
        case,
        voters=f"the {k} most similar cases",
        first=(similar,),
        scores=scores,
        order=_BY_RANKS if by_ranks else LISTED,
        reason=None if reason is None else Text(reason, values),
        fits_best=reason is None or cuts_best,
        # All labels tied are among the rankings to choose from, and half of that fits every vote.
        lowest=0.5 if nearest else 0.0,
        defined=point.path.several_count(case, k),
    )


def _values(point: "LabelRankingPoint", case: int, rankings: FloatArray) -> dict[str, Any]:
    """Return the values of the texts for one case."""
    rule = point.rule
    order = strict_order(point.positions[case])
    top, second = order[0], order[1]
    ahead, behind = closest_pair(point, case)
    values = {
        "k": point.n_neighbors,
        "title": _rank_title(point),
        "top": Label(int(top)),
        "second": Label(int(second)),
        "top_rank": float(point.ranks[case, top]),
        "second_rank": float(point.ranks[case, second]),
        "ahead": Label(ahead),
        "behind": Label(behind),
        "agreeing": int((rankings[:, ahead] < rankings[:, behind]).sum()),
        "first_votes": int((rankings[:, top] == np.fmin.reduce(rankings, axis=1)).sum()),
        "widest": point.sizes[-1],
    }
    rows, weights = _one_case(point, case)
    seed = point.path.model.random_state
    values["tie"] = broken_tie(seed)
    values["decider"] = "the list of labels" if seed is None else f"a random draw (seed {seed})"
    if rule.reason is not None:
        consensus = point.positions[case : case + 1]
        losses = losses_to(rule.measure, consensus, point.table, rows, weights)
        values["loss"] = float(losses.mean[0])
    if rule.details is not None:
        values |= rule.details(*_drawn_query(point, case, rows, weights))
    return values


def _one_case(point: "LabelRankingPoint", case: int) -> tuple[IntArray, IntArray | None]:
    """Return rows and weights of the k nearest of one case, as a single query."""
    rows, weights = point.path.first(point.n_neighbors)
    return rows[case : case + 1], None if weights is None else weights[case : case + 1]


def _drawn_query(
    point: "LabelRankingPoint", case: int, rows: IntArray, weights: IntArray | None
) -> tuple[RankTable, IntArray, IntArray | None]:
    """Return the query with labels and neighbours in the random orders that break ties, if any."""
    ties = point.path.random_ties
    if ties is None:
        return point.table, rows, weights
    case_weights = None if weights is None else weights[0]
    return ties.query(point.table, rows[0], case_weights, case, np.arange(rows.shape[1]))


def _rank_title(point: "LabelRankingPoint") -> str:
    weighted = "weighted " if point.path.weights is not None else ""
    return weighted + (point.rule.title if point.table.complete else point.rule.partial_title)


def _summary(point: "LabelRankingPoint", values: dict[str, Any]) -> Text:
    if point.n_neighbors == 1 and point.table.complete:
        return Text("The prediction is the ranking of the single most similar case.", values)
    if point.rule.reason is not None:
        return _reason(point.rule, values)
    if values["top_rank"] == values["second_rank"]:
        return Text(_TIE, values)
    # Where all put a label first its mean rank says nothing more.
    is_unanimous = values["first_votes"] == values["k"]
    return Text(_TOP if is_unanimous else _TOP + _LOWEST, values)


def _reason(rule: ConsensusRule, values: dict[str, Any]) -> Text:
    if values.get("excess"):
        return Text(rule.unproven_reason or "", values)
    template = rule.reason or ""
    if values.get("optima", 1) > 1:
        template += _EQUALLY_GOOD if values["counts_all"] else _SOME_EQUALLY_GOOD
    return Text(template, values)


def _deciding_steps(point: "LabelRankingPoint", case: int, values: dict[str, Any]) -> list[Step]:
    rule = point.rule
    scores = LabelScores(
        _rank_title(point),
        point.ranks[case],
        point.positions[case],
        tie_rule=tie_rule(point.path.model.random_state),
    )
    if rule.reason is None:
        steps = [Step("Ranks that decide", Text(_BY_RANKS, values), scores)]
    else:
        steps = [Step("The order that decides", _reason(rule, values), scores)]
    if rule.compares_pairs or not point.table.complete:
        template = _PAIRS + (_WIDER if rule.widens(point.table) else "")
        shares = point.pair_support(slice(case, case + 1))[0]
        steps.append(
            Step("Pair by pair", Text(template, values), WinShares(shares, point.positions[case]))
        )
    return steps


def _confidence_step(point: "LabelRankingPoint", case: int) -> Step:
    value, largest = float(point.confidence[case]), point.rule.measure.largest(point.table.n_labels)
    confidence = Confidence(
        value=value,
        lowest=_lowest_confidence(point, case),
        meaning=agreement_with("this ranking", "the similar cases"),
        definition=(
            "1 - mean loss between the prediction and the neighbours' rankings / largest "
            f"loss, in {point.rule.measure.title} (eq. 5 of Brinker and Hüllermeier 2006), here "
            f"{loss_arithmetic(value, largest)}"
        ),
        defined=point.path.several_count(case, point.n_neighbors),
    )
    template = _CONFIDENCE if confidence.defined else _NO_CONFIDENCE
    text = Text(template, {"value": confidence.value, "lowest": confidence.lowest})
    return Step("Confidence", text, confidence)


def _lowest_confidence(point: "LabelRankingPoint", case: int) -> float:
    """Return a lower bound of the confidence; 0 where the consensus need not be optimal."""
    n_labels, rule = point.table.n_labels, point.rule
    is_ranking = bool((point.ranks[case] == point.positions[case]).all())
    is_optimal = {"always": True, "as ranking": is_ranking, "never": False}[rule.optimal]
    if not (point.table.complete and is_optimal):
        return 0.0
    largest = rule.measure.largest(n_labels)
    return 1 - rule.measure.largest_mean(n_labels, point.n_neighbors) / largest


def _other_steps(point: "LabelRankingPoint", case: int) -> list[Step]:
    """Return the steps on other rules and leave-one-out, if the consensus is quick."""
    k, n_labels = point.n_neighbors, point.table.n_labels
    n_samples, n_searched = point.path.model.n_samples_fit_, point.path.rows.shape[1]
    if not is_quick(k, n_labels, point.rule):
        return []
    # Without one neighbour, one fewer has been searched for.
    if n_searched - 1 < point.rule.sizes(point.table, k - 1, n_samples - 1)[-1]:
        return []
    enough = n_searched > point.rule.sizes(point.table, k, n_samples - 1)[-1]
    return [_rules_step(point, case), _one_case_step(point, case, n_samples > k and enough)]


def _rules_step(point: "LabelRankingPoint", case: int) -> Step:
    table, path, k = point.table, point.path, point.n_neighbors
    n_searched = path.rows.shape[1]
    everyone = np.arange(n_searched)[None]
    rules = [
        rule
        for rule in CONSENSUS_RULES.values()
        if is_quick(k, table.n_labels, rule)
        and rule.sizes(table, k, path.model.n_samples_fit_)[-1] <= n_searched
    ]
    last = point.path.last_keys(slice(case, case + 1))
    consensus = [
        strict_positions(_keys_of(point, case, everyone, k, rule), *last) for rule in rules
    ]
    rows, weights = _one_case(point, case)
    orders = rule_orders(rules, consensus, table, rows, weights, point.prediction[case])
    n_others = len(orders.others)
    template = (_ALL_AGREE, _ONE_DIFFERS, _SOME_DIFFER)[min(2, n_others)]
    values = {"n": n_others, "rules": len(rules)}
    if path.random_ties is None and orders.optima_sentence:
        template += f" {orders.optima_sentence}"
    return Step("Other consensus rules", Text(template, values), orders)


def _one_case_step(point: "LabelRankingPoint", case: int, has_next: bool) -> Step:
    rows = point.path.rows[case]
    evidence = leave_one_out(
        rows,
        point.table.ranks(rows[: point.n_neighbors]),
        lambda subsets, size: _keys_of(point, case, subsets, size, point.rule),
        has_next=has_next,
        last_keys=point.path.last_keys(case),
    )
    seed = point.path.model.random_state
    reversed_pairs = Counter(
        pair for i in evidence.deciding for pair in evidence.discordant_pairs(evidence.without[i])
    )
    values: dict[str, Any] = {"k": point.n_neighbors, "n": len(evidence.deciding)}
    if not reversed_pairs:
        order = np.array(strict_order(evidence.prediction))
        values["by_tie"] = int(new_ties(order, evidence.keys, evidence.keys_without).sum())
        values["others"] = len(evidence.changed_by_next)
        but = _BUT_FOR_A_TIE if seed is None else _BUT_FOR_A_DRAW
        template = _NONE_DECIDES + (but if values["by_tie"] else ".")
        template += BUT_THE_NEXT if values["others"] else ""
        return Step(ONE_CASE_TITLE, Text(template, values), evidence)
    (first, second), times = reversed_pairs.most_common(1)[0]
    often = "each time" if times == values["n"] else f"{times} times" if times > 1 else "once"
    values |= {"first": Label(first), "second": Label(second)}
    template = _ONE_DECIDES if values["n"] == 1 else f"{_SOME_DECIDE}{often} "
    return Step(
        ONE_CASE_TITLE,
        Text(template + _passing(evidence, first, second, tie_rule(seed)), values),
        evidence,
    )


def _passing(evidence: LeaveOneOut, first: int, second: int, rule: str) -> str:
    """Write the clause in which the second of two labels gets ahead as a case is removed."""
    tied = [
        are_tied(evidence.keys_without[i], first, second)
        for i in evidence.deciding
        if evidence.without[i, first] > evidence.without[i, second]
    ]
    if any(tied) and not all(tied):
        return f"{{second}} overtakes {{first}}, or draws level with it and wins the tie ({rule})."
    was_tied = are_tied(evidence.keys, first, second)
    return passing("{second}", "{first}", was_tied, all(tied), rule) + "."


def _keys_of(
    point: "LabelRankingPoint", case: int, subsets: IntArray, k: int, rule: ConsensusRule
) -> IntArray:
    """Return sort keys of the labels from the k nearest of each subset, (n_sets, n_labels)."""
    path, weights = point.path, None
    if path.weights is not None:
        # The nearest remaining one has weight 1.
        weights = inverse_distance_weights(path.distances[case][subsets])
    n_left_out = path.rows.shape[1] - subsets.shape[1]
    ties = path.random_ties
    if ties is not None and rule.chooses_orders:
        subsets = subsets[:, :k]
        nearest_weights = None if weights is None else weights[:, :k]
        repeated = RandomTies(
            ties.label_keys[[case] * len(subsets)], ties.neighbor_keys[[case] * len(subsets)]
        )
        return repeated.rank(
            rule, point.table, path.rows[case][subsets], nearest_weights, subsets
        ).keys
    sizes = rule.sizes(point.table, k, path.model.n_samples_fit_ - n_left_out)
    return rule.rank_nearest(point.table, path.rows[case][subsets], weights, sizes).keys


_BY_RANKS = "Labels are ordered by their {title} among these cases."
_TIES_COUNT = " In the table a tie counts one half."
_BY_CUT = (
    "Labels in this order share a position where no cut between them fits the rankings of the "
    "similar cases better." + _TIES_COUNT
)
_BY_GAP = (
    "Labels share a position if their {title} differs by at most {gap} from that of the first of "
    "them." + _TIES_COUNT
)
_BY_EQUAL_RANKS = "Labels with the same {title} share a position." + _TIES_COUNT
_BY_FREQUENCY = (
    "This is the most frequent ranking among the {k} most similar cases, with its ties."
    + _TIES_COUNT
)
_PAIRS = "How often one label is preferred to another among those of these cases that rank both."
_WIDER = (
    " One vote is added for what wider neighbourhoods of up to {widest} similar cases, and at last "
    "all training cases, prefer."
)
_TOP = "Of the {k} most similar cases, {first_votes} put {top} first."
_LOWEST = " {top} has the lowest {title}, {top_rank}. {second} follows with {second_rank}."
_TIE = (
    "{top} and {second} share the best {title}, {top_rank}, among the {k} most similar cases; "
    "{tie}."
)
_EQUALLY_GOOD = " {optima} orders do equally well, and {decider} decides."
_SOME_EQUALLY_GOOD = " At least {optima} orders do equally well, and {decider} decides."
_ALL_AGREE = "All {rules} consensus rules give the same order."
_ONE_DIFFERS = "1 of the {rules} consensus rules gives a different order."
_SOME_DIFFER = "{n} of the {rules} consensus rules give a different order."
_NONE_DECIDES = "No single case decides: without any one of the {k} the ranking stays the same"
_BUT_FOR_A_TIE = (
    ", though without {by_tie} of them labels tie, and only the list of labels decides."
)
_BUT_FOR_A_DRAW = ", though without {by_tie} of them labels tie, and only a random draw decides."
_ONE_DECIDES = "One of the {k} cases decides alone: without it, "
_SOME_DECIDE = "{n} of the {k} cases decide: removing any one of them changes the ranking; "
_CONFIDENCE = "Confidence {value}, where {lowest} to 1 is possible."
_NO_CONFIDENCE = "With a single case there is no agreement to measure."
