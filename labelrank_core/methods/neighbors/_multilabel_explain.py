"""Explanations of k-NN multilabel ranking."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.label_sets import SET_RULES, f1_by_size
from labelrank_core.aggregation.sums import WEIGHT_UNIT
from labelrank_core.aggregation.virtual_labels import leads_of, ranks_with
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.closest import closest_label
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    GapDial,
    Label,
    LabelScores,
    SetValues,
    Step,
    Text,
    agreement_with,
    share_text,
    votes_needed,
)
from labelrank_core.methods.nearest.base import inverse_distance_weights
from labelrank_core.methods.nearest.leave_one_out import (
    is_quick_for_sets,
    leave_one_out_of_sets,
)
from labelrank_core.methods.neighbors._multilabel_few import MOST_VIRTUAL_LABELS
from labelrank_core.methods.random_ties import tie_rule
from labelrank_core.rankings import FloatArray, IntArray, strict_order

if TYPE_CHECKING:
    from labelrank_core.methods.neighbors._multilabel_path import MultilabelRankingPoint


def explain_case(point: "MultilabelRankingPoint", case: int) -> Explanation:
    """Explain one case: neighbours, decision, confidence and leave-one-out."""
    k, targets = point.n_neighbors, point.targets
    ranks = targets.ranks[point.path.rows[case, :k]] / 2
    values = _values(point, case)
    if point.has_zero_line:
        deciding = [
            *([_votes_step(point, case, values)] if targets.binary else []),
            _ranks_step(point, case, values),
            _gap_step(point, case),
        ]
        templates = _BY_VOTES if targets.binary else _BY_RANK
        if targets.binary and point.path.weights is not None:
            templates = _BY_SHARES
        template = templates[min(2, values["n_relevant"])]
    else:
        decision = _SET_STEPS[point.decision](point, case, values)
        values |= decision.text.values
        deciding = [decision, _order_step(point, case, values)]
        template = _SET_SUMMARIES[point.decision][values["n_relevant"] > 0]
    steps = [
        Step(
            "Similar cases",
            Text(_SIMILAR, _closest_values(point, case, ranks)),
            point.path.evidence(case, k, ranks, has_zero_line=True),
        ),
        *deciding,
        _confidence_step(point, case),
        *([_one_case_step(point, case)] if is_quick_for_sets(k) else []),
    ]
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(template, values),
        steps=tuple(steps),
        closest_pair=(closest_label(point, case), None),
    )


def _closest_values(
    point: "MultilabelRankingPoint", case: int, ranks: FloatArray
) -> dict[str, Any]:
    """Return the values of the sentence on the label that nearly came otherwise."""
    label = closest_label(point, case)
    n_with_it = int((ranks[:, label] < ranks[:, -1]).sum())
    return {"k": point.n_neighbors, "label": Label(label), "votes": n_with_it}


def _values(point: "MultilabelRankingPoint", case: int) -> dict[str, Any]:
    """Return the values of the texts, which are about the last relevant label."""
    order = strict_order(point.positions[case])
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    values = {
        "k": point.n_neighbors,
        "p": point.n_virtual_labels,
        "m": len(order),
        "n_relevant": len(relevant),
        "relevant": tuple(Label(label) for label in relevant),
        "line": float(point.mean_ranks[case, -1]),
        "weighted": "weighted " if point.path.weights is not None else "",
        "edge": Label(edge),
        "rank": float(point.mean_ranks[case, edge]),
    }
    if point.targets.binary:
        share, bar, k = float(point.shares[case, edge]), point.bar(case), point.n_neighbors
        values |= {"share": share, "bar": bar}
        values |= {"votes": round(share * k), "needed": votes_needed(bar, k)}
        values["bar_text"] = share_text(bar, k)
        # The fewer labels the cases have, the higher is the bar.
        size = int(point.sums("relevance")[case].sum()) / int(point.totals[case, 0])
        values["mean_size"] = decimal_text(size).rstrip("0").rstrip(".")
    return values


def _tie_rule(point: "MultilabelRankingPoint") -> str:
    if not point.breaks_ties:
        return tie_rule(point.path.model.random_state)
    is_all = point.n_wider == point.path.model.n_samples_fit_
    template = _TIE_RULE_OF_ALL if is_all else _TIE_RULE
    return template.format(wider=point.n_wider, last=tie_rule(point.path.model.random_state))


def _ranks_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    scores = LabelScores(
        f"{values['weighted']}mean rank",
        point.mean_ranks[case, :-1],
        point.positions[case],
        bar=values["line"],
        bar_name="zero line",
        tie_rule=_tie_rule(point),
    )
    ties, about = ("", {}) if point.targets.binary else _ties(point, case, "mean ranks")
    return Step("Ranks that decide", Text(_BY_RANKS + ties, values | about), scores)


def _ties(point: "MultilabelRankingPoint", case: int, numbers: str) -> tuple[str, dict[str, Any]]:
    """Return the template and values of the sentence on labels with equal `numbers`."""
    about: dict[str, Any] = {"wider": point.n_wider, "numbers": numbers}
    order = strict_order(point.positions[case])
    leads = np.array([point.leads[case], *(tie_leads[case] for tie_leads in point.tie_leads)])
    differ = leads[:, order[:-1]] != leads[:, order[1:]]
    tied = np.flatnonzero(~differ[0])
    seed = point.path.model.random_state
    if not len(tied) or not point.breaks_ties:
        return (_TIES if seed is None else _DRAWN_TIES) if len(tied) else "", about | {"seed": seed}
    at = tied[0]
    # The first neighbourhood in which the two differ; none: the list of labels decides.
    unbroken = _UNBROKEN if seed is None else _DRAWN
    template = _BROKEN[int(np.argmax(differ[1:, at]))] if differ[1:, at].any() else unbroken
    about |= {"first": Label(int(order[at])), "second": Label(int(order[at + 1]))}
    n_more = len(tied) - 1
    about |= {"others": n_more, "seed": seed}
    return template + ("", _ONE_MORE, _SOME_MORE)[min(2, n_more)], about


def _votes_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    is_weighted = point.path.weights is not None
    scores = LabelScores(
        f"{values['weighted']}share",
        point.shares[case],
        point.positions[case],
        greater_is_better=True,
        bar=values["bar"],
        bar_name="zero line",
        tie_rule=_tie_rule(point),
        highest=1.0,
        n_votes=None if is_weighted else point.n_neighbors,
    )
    ties, about = _ties(point, case, "shares")
    template = (_SHARES if is_weighted else _VOTES) + ties
    return Step("Shares that decide", Text(template, values | about), scores)


def _majority_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    scores = LabelScores(
        "share of the cases",
        point.shares[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.5,
        bar_name="half of the cases",
        highest=1.0,
        n_votes=None if point.path.weights is not None else point.n_neighbors,
    )
    return Step("What most cases have", Text(_MAJORITY, values), scores)


def _f1_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    rows, weights = point.path.first(point.n_neighbors)
    one = slice(case, case + 1)
    by_size = f1_by_size(
        point.targets.relevance, rows[one], None if weights is None else weights[one]
    )
    evidence = SetValues("mean F1", *by_size.best_first(0), point.positions[case])
    values = values | {"best": float(evidence.values[0]), "size": int(evidence.sets[0].sum())}
    return Step("Sets that could be predicted", Text(_BEST_F1, values), evidence)


def _frequent_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    rows, weights = point.path.first(point.n_neighbors)
    votes = np.ones(point.n_neighbors) if weights is None else weights[case] / WEIGHT_UNIT
    relevance = point.targets.relevance[rows[case]] == 1
    sets, numbers = np.unique(relevance, axis=0, return_inverse=True)
    shares = np.bincount(numbers.ravel(), votes) / votes.sum()
    evidence = SetValues.by_share(
        "share of the cases", sets, shares, point.prediction[case], point.positions[case]
    )
    rivals = int((evidence.values == evidence.values[0]).sum()) - 1
    values = values | {"best": float(evidence.values[0]), "rivals": rivals}
    template = _MOST_FREQUENT + (_RIVALS if rivals else "")
    return Step("Their label sets", Text(template, values), evidence)


_SET_STEPS = {"hamming": _majority_step, "f1": _f1_step, "subset": _frequent_step}


def _order_step(point: "MultilabelRankingPoint", case: int, values: dict[str, Any]) -> Step:
    scores = LabelScores(
        f"{values['weighted']}mean rank",
        point.mean_ranks[case, :-1],
        point.positions[case],
        tie_rule=_tie_rule(point),
    )
    return Step("The order of the labels", Text(_SET_ORDER, values), scores)


def _gap_dial(point: "MultilabelRankingPoint", case: int) -> GapDial:
    """Compare every label with the zero line for 1 to 128 virtual labels, or the p in use."""
    gaps = np.arange(1, max(MOST_VIRTUAL_LABELS, point.n_virtual_labels) + 1)
    ranks, slopes = point.sums("ranks")[case], point.sums("slopes")[case]
    leads = leads_of(ranks_with(ranks, slopes, gaps[:, None])) / (2 * int(point.totals[case, 0]))
    bars = shares = None
    if point.targets.binary:
        shares = point.shares[case]
        bars = np.array([point.bar(case, int(p)) for p in gaps])
    return GapDial(gaps, leads, bars, shares, point.n_virtual_labels)


def _gap_step(point: "MultilabelRankingPoint", case: int) -> Step:
    dial = _gap_dial(point, case)
    values: dict[str, Any] = {"p": point.n_virtual_labels, "most": int(dial.gaps[-1])}
    for enters, word in ((True, "entering"), (False, "leaving")):
        labels = {crossing.label for crossing in dial.crossings if crossing.enters is enters}
        values[word] = tuple(Label(label) for label in sorted(labels))
    template = _NO_CROSSING
    if values["entering"] and values["leaving"]:
        template = _BOTH
    elif values["entering"]:
        template = _ENTER if len(values["entering"]) > 1 else _ENTERS
    elif values["leaving"]:
        template = _LEAVE if len(values["leaving"]) > 1 else _LEAVES
    return Step("Number of virtual labels", Text(template + _IN_USE, values), dial)


def _confidence_step(point: "MultilabelRankingPoint", case: int) -> Step:
    bar = point.bar(case) if point.targets.binary and point.has_zero_line else 0.0
    if point.decision == "hamming":
        bar = 0.5
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=min(bar, 1 - bar),
        meaning=agreement_with("", "the similar cases"),
        definition=(
            "mean share of the neighbours' label decisions that agree with the predicted set"
        ),
        defined=point.path.several_count(case, point.n_neighbors),
    )
    text = Text(_CONFIDENCE, {"value": confidence.value, "lowest": confidence.lowest})
    return Step("Confidence", text, confidence)


def _one_case_step(point: "MultilabelRankingPoint", case: int) -> Step:
    k, path, targets = point.n_neighbors, point.path, point.targets
    has_next = path.rows.shape[1] > k
    rows = path.rows[case, : k + has_next]
    if not point.has_zero_line:
        return _one_case_step_of_sets(point, case, rows, has_next=has_next)
    ranks = ranks_with(targets.ranks[rows], targets.slopes[rows], point.n_virtual_labels)
    leads = leads_of(ranks).astype(np.int64)

    def predict(subsets: IntArray) -> NDArray[np.bool_]:
        subset_leads = leads[subsets]
        if path.weights is not None:
            distances = path.distances[case][subsets]
            subset_leads = subset_leads * inverse_distance_weights(distances)[:, :, None]
        return subset_leads.sum(axis=1) > 0

    return leave_one_out_of_sets(rows, targets.relevance[rows] == 1, predict, has_next=has_next)


def _one_case_step_of_sets(
    point: "MultilabelRankingPoint", case: int, rows: IntArray, *, has_next: bool
) -> Step:
    path, relevance = point.path, point.targets.relevance

    def predict(subsets: IntArray) -> NDArray[np.bool_]:
        weights = None
        if path.weights is not None:
            weights = inverse_distance_weights(path.distances[case][subsets])
        return SET_RULES[point.decision](relevance, rows[subsets], weights)

    return leave_one_out_of_sets(rows, relevance[rows] == 1, predict, has_next=has_next)


_SIMILAR = "Least certain: {label}. {votes} of the {k} most similar cases have it."
_BY_RANKS = (
    "In the ranking of a similar case its labels share the first places, the zero line comes next, "
    "then all others. Labels whose {weighted}mean rank is ahead of the zero line's, {line}, are "
    "relevant."
)
_TIES = " Labels with equal {numbers} keep the order of the list of labels."
_TIE = " {first} and {second} tie; "
_BROKEN = (
    _TIE + "the {wider} most similar cases put {first} ahead.",
    _TIE + "among the {wider} most similar cases too, and all training cases put {first} ahead.",
)
_UNBROKEN = _TIE + "among all training cases too, so they keep the order of the list of labels."
_DRAWN_TIES = " The order of labels with equal {numbers} is drawn at random, with seed {seed}."
_DRAWN = _TIE + "among all training cases too, so their order is drawn at random, with seed {seed}."
_ONE_MORE = " Another tie is broken in the same way: by more and more cases."
_SOME_MORE = " {others} more ties are broken in the same way: by more and more cases."
_TIE_RULE = "by the {wider} most similar cases, then by all, then {last}"
_TIE_RULE_OF_ALL = "by all {wider} training cases, then {last}"
_VOTES = (
    "A label is predicted if at least {needed} of the {k} most similar cases have it. These have "
    "{mean_size} of {m} labels on average. With p = {p} virtual labels the zero line is at a share "
    "of ({m} - {mean_size} + {p}) / ({m} + 2 × {p}) = {bar}."
)
_SHARES = (
    "A label is predicted if its weighted share of the similar cases is above {bar}, the zero line "
    "with p = {p} virtual labels."
)
_MAJORITY = (
    "A label is relevant where more than half of the cases have it: that makes the fewest wrong "
    "label decisions if your case is like one of these."
)
_BEST_F1 = (
    "If your case has the labels of one of these cases, what F1 would a set have? For every number "
    "of labels the best set is compared: with {size} labels F1 is {best} on average, the largest."
)
_MOST_FREQUENT = (
    "Which of the cases have exactly the same labels? The most frequent set has a share of {best}."
)
_RIVALS = (
    " Of equally frequent sets the one that agrees best with the labels of all the cases is "
    "predicted, then that of the nearest case."
)
_SET_ORDER = "Labels of the set come first; in it, and behind it, they are ordered by mean rank."
_SET_SUMMARIES = {
    "hamming": (
        "No label is relevant: even {edge}, the first, is one that no more than half of the {k} "
        "most similar cases have.",
        "More than half of the {k} most similar cases have: {relevant} ({n_relevant} of {m} "
        "labels).",
    ),
    "f1": (
        "No label is relevant: among the {k} most similar cases the empty set has the largest mean "
        "F1, {best}.",
        "Among the {k} most similar cases this set has the largest mean F1, {best}: {relevant} "
        "({n_relevant} of {m} labels).",
    ),
    "subset": (
        "No label is relevant: of the {k} most similar cases a share of {best} has no labels, more "
        "than has any other set.",
        "The most frequent label set of the {k} most similar cases, with a share of {best}: "
        "{relevant} ({n_relevant} of {m} labels).",
    ),
}
_NO_CROSSING = (
    "The relevant labels are the same for any number of virtual labels p from 1 to {most}"
)
_RUNS = "As the number of virtual labels p grows from 1 to {most}, "
_ENTERS = _RUNS + "{entering} becomes relevant"
_ENTER = _RUNS + "{entering} become relevant"
_LEAVES = _RUNS + "{leaving} is no longer relevant"
_LEAVE = _RUNS + "{leaving} are no longer relevant"
_BOTH = _RUNS + "labels become relevant ({entering}) and others no longer are ({leaving})"
_IN_USE = "; p = {p} is in use."
_CONFIDENCE = (
    "On average {value} of the label decisions of these cases agree with the prediction; {lowest} "
    "to 1 is possible."
)
_NEEDED = "A label needs {needed} of {k}, as the zero line is at {bar_text}."
# Where no label, one label or several are predicted.
_BY_VOTES = (
    "No label is predicted. Of the {k} most similar cases, {votes} have {edge}, the most frequent. "
    + _NEEDED,
    "Predicted: {edge}. " + _NEEDED,
    "Predicted: {relevant}. " + _NEEDED,
)
_BY_SHARES = (
    "No label is predicted. The weighted share of the {k} most similar cases that have {edge}, the "
    "first, is {share}; it must be above {bar}.",
    "Predicted: {edge}. The weighted share of the {k} most similar cases that have it is {share}; "
    "it must be above {bar}.",
    "Predicted: {relevant}. The weighted share of the {k} most similar cases that have {edge}, the "
    "last of them, is {share}; it must be above {bar}.",
)
_BY_RANK = (
    "No label is predicted. {edge}, the first, has a {weighted}mean rank of {rank} among the {k} "
    "most similar cases, which is not ahead of the zero line at {line}.",
    "Predicted: {edge}. Its {weighted}mean rank among the {k} most similar cases is {rank}, ahead "
    "of the zero line at {line}.",
    "Predicted: {relevant}. The last of them, {edge}, has a {weighted}mean rank of {rank} among "
    "the {k} most similar cases, ahead of the zero line at {line}.",
)
