"""The definitions, naive and exact: plain loops over plain rows, in fractions."""

from fractions import Fraction
from math import floor, isnan, isqrt

# Measures: one case each, as plain rows; NaN = not ranked; None = no value.


def ranked_places(row):
    """Mean place of each label's bucket: labels ahead + the middle of those that tie."""
    return [
        1 + sum(other < own for other in row) + Fraction(sum(other == own for other in row) - 1, 2)
        for own in row
    ]


def compared(truth, prediction):
    """Truth and prediction over the labels the truth ranks; None where it orders no pair."""
    ranked = [label for label, place in enumerate(truth) if not isnan(place)]
    if len({truth[label] for label in ranked}) < 2:
        return None
    return [truth[label] for label in ranked], [prediction[label] for label in ranked]


def kendall_loss(truth, prediction):
    """Eq. 2 of LR-06, a predicted tie counting one half; with the number of ordered pairs."""
    loss, pairs = Fraction(0), 0
    for i in range(len(truth)):
        for j in range(len(truth)):
            if truth[i] < truth[j]:
                pairs += 1
                loss += 1 if prediction[i] > prediction[j] else 0
                loss += Fraction(1, 2) if prediction[i] == prediction[j] else 0
    return loss, pairs


def rank_loss(truth, prediction, power):
    """Eq. 3 of LR-06 on mean places; with the loss of a reversed ranking, the largest one."""
    places = zip(ranked_places(truth), ranked_places(prediction), strict=True)
    n_labels = len(truth)
    largest = sum(abs(place - (n_labels + 1 - place)) ** power for place in range(1, n_labels + 1))
    return sum(abs(true - predicted) ** power for true, predicted in places), largest


RANKING_LOSSES = {
    "kendall": kendall_loss,
    "spearman": lambda truth, prediction: rank_loss(truth, prediction, 2),
    "footrule": lambda truth, prediction: rank_loss(truth, prediction, 1),
}


def ranking_distance(loss, truth, prediction):
    pair = compared(truth, prediction)
    return None if pair is None else RANKING_LOSSES[loss](*pair)[0]


def ranking_similarity(loss, truth, prediction):
    pair = compared(truth, prediction)
    if pair is None:
        return None
    value, largest = RANKING_LOSSES[loss](*pair)
    return 1 - 2 * Fraction(value) / largest


def label_sets(relevance):
    """Relevant and irrelevant labels, Y and its complement in ML-kNN's eqs 2 to 6."""
    relevant = [label for label, value in enumerate(relevance) if value]
    return relevant, [label for label, value in enumerate(relevance) if not value]


def hamming_loss(relevance, predicted):
    wrong = set(label_sets(relevance)[0]) ^ set(label_sets(predicted)[0])
    return Fraction(len(wrong), len(relevance))


def subset_accuracy(relevance, predicted):
    return Fraction(label_sets(relevance) == label_sets(predicted))


def one_error(relevance, scores):
    relevant, _ = label_sets(relevance)
    return Fraction(bool(relevant) and scores.index(max(scores)) not in relevant)


def coverage(relevance, scores):
    relevant, _ = label_sets(relevance)
    if not relevant:
        return Fraction(0)
    worst = min(scores[label] for label in relevant)
    return Fraction(sum(score >= worst for score in scores) - 1)


def ranking_loss(relevance, scores):
    relevant, irrelevant = label_sets(relevance)
    if not relevant or not irrelevant:
        return Fraction(0)
    wrong = sum(scores[one] <= scores[zero] for one in relevant for zero in irrelevant)
    return Fraction(wrong, len(relevant) * len(irrelevant))


def average_precision(relevance, scores):
    relevant, irrelevant = label_sets(relevance)
    if not relevant or not irrelevant:
        return Fraction(1)
    shares = [
        Fraction(
            sum(scores[other] >= scores[label] for other in relevant),
            sum(score >= scores[label] for score in scores),
        )
        for label in relevant
    ]
    return sum(shares) / len(relevant)


MULTILABEL_MEASURES = {
    "hamming_loss": hamming_loss,
    "subset_accuracy_score": subset_accuracy,
    "one_error": one_error,
    "coverage_error": coverage,
    "ranking_loss": ranking_loss,
    "average_precision_score": average_precision,
}


# Neighbours and their consensus: LR-06, sections 2 and 3. Features are whole numbers.

WEIGHT_UNIT = 2**30


def comparable_distance(metric, a, b):
    """The distance, exact; for the Euclidean one its square, which sorts alike."""
    gaps = [abs(int(one) - int(other)) for one, other in zip(a, b, strict=True)]
    if metric == "euclidean":
        return sum(gap * gap for gap in gaps)
    if metric == "canberra":
        sizes = [abs(int(one)) + abs(int(other)) for one, other in zip(a, b, strict=True)]
        return sum(Fraction(gap, size) for gap, size in zip(gaps, sizes, strict=True) if size)
    return {"manhattan": sum, "chebyshev": max}[metric](gaps)


def neighbours(metric, X, x, k):
    """The k nearest rows by full scan, ordered by (distance, row)."""
    order = sorted(range(len(X)), key=lambda row: (comparable_distance(metric, X[row], x), row))
    return order[:k]


def neighbour_weights(metric, X, x, rows):
    """d_1 / d_i to the nearest multiple of 2**-30; at distance 0 only its equals count."""
    distances = [comparable_distance(metric, X[row], x) for row in rows]
    nearest = distances[0]
    if nearest == 0:
        return [int(distance == 0) * WEIGHT_UNIT for distance in distances]
    ratios = [Fraction(nearest) / distance for distance in distances]
    if metric != "euclidean":
        return [round(ratio * WEIGHT_UNIT) for ratio in ratios]
    # The nearest whole number to s is floor(2 s + 1) // 2; 2 s is the root of 4 s ** 2.
    return [(isqrt(floor(4 * WEIGHT_UNIT**2 * ratio)) + 1) // 2 for ratio in ratios]


def weighted_mean(values, weights):
    total = sum(weight * value for value, weight in zip(values, weights, strict=True))
    return Fraction(total) / sum(weights)


def lower_median(values, weights):
    """The smallest value that at least half of the weight does not exceed."""
    half = Fraction(sum(weights), 2)
    return next(
        value
        for value in sorted(values)
        if sum(w for other, w in zip(values, weights, strict=True) if other <= value) >= half
    )


CONSENSUS_KEYS = {"borda": weighted_mean, "median": lower_median}
CONSENSUS_LOSS = {"borda": 2, "median": 1}


def consensus_keys(rule, rankings, weights):
    """Each label's mean or lower median of the generalised ranks."""
    places = [ranked_places(row) for row in rankings]
    return [CONSENSUS_KEYS[rule](list(own), weights) for own in zip(*places, strict=True)]


def strict_order(keys):
    """Positions by key, the lowest first; of equals the first label."""
    order = sorted(range(len(keys)), key=lambda label: (keys[label], label))
    return [order.index(label) + 1 for label in range(len(keys))]


def confidence(rule, prediction, rankings, weights):
    """Eq. 5 of LR-06, weighted."""
    losses = [rank_loss(prediction, ranking, CONSENSUS_LOSS[rule]) for ranking in rankings]
    return weighted_mean([1 - Fraction(loss) / largest for loss, largest in losses], weights)


def summed_loss(rule, prediction, rankings):
    """Eq. 1 of LR-06."""
    return sum(rank_loss(prediction, ranking, CONSENSUS_LOSS[rule])[0] for ranking in rankings)


# Virtual labels: MLR-07, sections 4 and 5.


def bucket_order(relevance):
    """Keys of (P, {λ0}, N), the virtual label's last; lower = better."""
    return [0 if value else 2 for value in relevance] + [1]


def expanded_places(calibrated, p):
    """Generalised ranks with p virtual labels written out; the last is that of each of them."""
    *labels, line = calibrated
    return ranked_places([*labels, *[line] * p])[: len(labels) + 1]


def mean_ranks(calibrated_rows, weights, p):
    """Mean generalised ranks of the labels and, last, of the virtual labels."""
    places = [expanded_places(row, p) for row in calibrated_rows]
    return [weighted_mean(own, weights) for own in zip(*places, strict=True)]


def relevant_by_closed_form(relevance_rows, weights, p):
    """f_j > (m - P̄ + p) / (m + 2p), for 0/1 targets."""
    shares = [weighted_mean(own, weights) for own in zip(*relevance_rows, strict=True)]
    m = len(shares)
    bar = (m - sum(shares) + p) / (m + 2 * p)
    return [int(share > bar) for share in shares]
