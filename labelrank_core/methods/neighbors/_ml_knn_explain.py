"""Explanations of ML-kNN."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.closest import closest_label
from labelrank_core.explain.evidence import (
    LABELS_EXPECTED,
    Confidence,
    CountEvidence,
    Explanation,
    Label,
    LabelScores,
    Step,
    Text,
)
from labelrank_core.methods.nearest.leave_one_out import (
    is_quick_for_sets,
    leave_one_out_of_sets,
)
from labelrank_core.methods.neighbors._ml_knn_counts import (
    likelihoods,
    of_counts,
    posteriors,
    prior,
)
from labelrank_core.rankings import IntArray, calibrate, generalised_ranks, strict_order

if TYPE_CHECKING:
    from labelrank_core.methods.neighbors._ml_knn_path import MLkNNPoint


def explain_case(point: "MLkNNPoint", case: int) -> Explanation:
    """Explain one case: neighbours, posteriors, counts in training, confidence, leave-one-out."""
    k, path = point.n_neighbors, point.path
    relevance = path.training.relevance[path.rows[case, :k]]
    ranks = generalised_ranks(calibrate(relevance))
    counts = _count_evidence(point, case)
    values = _values(point, case, counts)
    label = closest_label(point, case)
    votes = int(counts.case_counts[label])
    alike_with = int(counts.cases_with[label, votes])
    alike = alike_with + int(counts.cases_without[label, votes])
    similar_values = {
        "found": k,
        "k": int(point.n_used[label]),
        "label": Label(label),
        "votes": votes,
        "alike_with": alike_with,
        "alike": alike,
        "share": alike_with / alike if alike else 0.0,
        "smoothing": _smoothing(point),
        "probability": float(counts.posterior[label]),
    }
    template = (_NO_LABEL, _ONE_LABEL, _SOME_LABELS)[min(2, values["n_relevant"])]
    return Explanation(
        prediction=point.prediction[case],
        positions=point.positions[case],
        summary=Text(template, values),
        steps=(
            Step(
                "Similar cases",
                Text(
                    (_SIMILAR_OF_OWN if point.has_own else _SIMILAR)
                    + (_ALIKE if alike else _NONE_ALIKE),
                    similar_values,
                ),
                path.evidence(case, k, ranks, has_zero_line=True),
            ),
            _posterior_step(point, case, values),
            _counts_step(point, values, counts),
            _confidence_step(point, case),
            *([_one_case_step(point, case)] if is_quick_for_sets(k) else []),
        ),
        closest_pair=(label, None),
    )


def _count_evidence(point: "MLkNNPoint", case: int) -> CountEvidence:
    without, with_label = likelihoods(point.table, point.smoothing, point.n_used)
    return CountEvidence(
        case_counts=point.counts[case],
        prior=prior(point.table, point.smoothing),
        cases_with=point.table[1].T,
        cases_without=point.table[0].T,
        likelihood_with=with_label.T,
        likelihood_without=without.T,
        posterior=point.posterior[case],
        n_neighbors=point.n_used,
    )


def _values(point: "MLkNNPoint", case: int, counts: CountEvidence) -> dict[str, Any]:
    """Return the values of the texts, about the first label and the last relevant one."""
    order = strict_order(point.positions[case])
    relevant = [label for label in order if point.prediction[case, label]]
    edge = relevant[-1] if relevant else order[0]
    edge_count = int(counts.case_counts[edge])
    return {
        "k": int(point.n_used[edge]),
        "m": len(order),
        "relevant": tuple(Label(label) for label in relevant),
        "n_relevant": len(relevant),
        "edge": Label(edge),
        "own": edge_count,
        "with_label": int(counts.cases_with[edge, edge_count]),
        "without": int(counts.cases_without[edge, edge_count]),
        "posterior": float(counts.posterior[edge]),
        "smoothing": _smoothing(point),
    }


def _smoothing(point: "MLkNNPoint") -> int | float:
    """Return what is added to each count, a whole number where it is one."""
    smoothing = float(point.smoothing)
    return int(smoothing) if smoothing.is_integer() else smoothing


def _counts_step(point: "MLkNNPoint", values: dict[str, Any], counts: CountEvidence) -> Step:
    template = _COUNTS
    if point.has_own:
        listed = point.n_used[:_LISTED].tolist()
        more = f", {len(point.n_used) - _LISTED} more in the table" * (len(point.n_used) > _LISTED)
        sizes = ", ".join(f"{{label{i}}} {{size{i}}}" for i in range(len(listed)))
        values = values | {"most": point.n_neighbors}
        for i, size in enumerate(listed):
            values |= {f"label{i}": Label(i), f"size{i}": size}
        template += _OWN_SIZES + sizes + more + "."
    return Step("What such counts meant in training", Text(template, values), counts)


def _posterior_step(point: "MLkNNPoint", case: int, values: dict[str, Any]) -> Step:
    has_ties = len(np.unique(point.scores[case])) < point.scores.shape[1]
    scores = LabelScores(
        "probability",
        point.posterior[case],
        point.positions[case],
        greater_is_better=True,
        bar=0.5,
        highest=1.0,
    )
    template = _POSTERIORS + (_TIES if has_ties else "")
    return Step("Posteriors that decide", Text(template, values), scores)


def _confidence_step(point: "MLkNNPoint", case: int) -> Step:
    confidence = Confidence(
        value=float(point.confidence[case]),
        lowest=0.5,
        meaning=LABELS_EXPECTED,
        definition=(
            "mean posterior of the label decisions taken, the share of them expected to be right"
        ),
    )
    text = Text(_CONFIDENCE, {"value": confidence.value, "lowest": confidence.lowest})
    return Step("Confidence", text, confidence)


def _one_case_step(point: "MLkNNPoint", case: int) -> Step:
    k, path = point.n_neighbors, point.path
    has_next = path.rows.shape[1] > k
    rows = path.rows[case, : k + has_next]
    relevance = path.training.relevance[rows]

    def predict(subsets: IntArray) -> NDArray[np.bool_]:
        sizes = point.label_sizes(subsets.shape[1])
        nearest = np.arange(subsets.shape[1])[:, None] < sizes
        counts = (relevance[subsets] & nearest).sum(axis=1)
        table = path.training.tables(sizes)
        return of_counts(posteriors(table, counts, point.smoothing, sizes)[1], counts) > 0

    return leave_one_out_of_sets(rows, relevance, predict, has_next=has_next)


# Of more labels, the own numbers of neighbours are in the table only.
_LISTED = 20
_SIMILAR = "Least certain: {label}. {votes} of the {found} most similar cases have it."
_SIMILAR_OF_OWN = (
    "The {found} most similar cases and their labels. Of the {k} that count for "
    "{label}, {votes} have it."
)
_ALIKE = (
    " Of {alike} training cases with that count, {alike_with} have it themselves, a share of "
    "{share}; with all counts smoothed, the probability is {probability}."
)
_NONE_ALIKE = (
    " No training case has that count; from all counts, smoothed, the probability is {probability}."
)
_OWN_SIZES = (
    " Each label has its own number of similar cases, at most {most}, by which the fewest training "
    "cases are decided wrongly: "
)
_COUNTS = (
    "Of the training cases of which {own} of {k} neighbours have {edge}, {with_label} have it "
    "themselves and {without} do not. {smoothing} is added to each count. The posterior is "
    "prior × likelihood with the label, divided by the sum of that with and without it."
)
_POSTERIORS = "Labels with a probability (posterior) above 0.5 are relevant."
_TIES = " Labels with equal posteriors keep the order of the list of labels."
_CONFIDENCE = (
    "By these posteriors {value} of the label decisions are expected to be right; {lowest} to 1 is "
    "possible."
)
_NO_LABEL = (
    "No label is more probable than not: even {edge}, the first, which {own} of the {k} most "
    "similar cases have, has a probability of {posterior}."
)
_ONE_LABEL = (
    "Of the {m} labels, only {edge} is more probable than not: {own} of the {k} most similar cases "
    "have it, which gives a probability of {posterior}."
)
_SOME_LABELS = "More probable than not: {relevant}."
