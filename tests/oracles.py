"""The definitions, naive and exact: plain loops over plain rows, in fractions."""

from fractions import Fraction
from math import isnan

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


# Neighbours and ML-kNN, on small whole numbers so that distances are exact.


def nearest(rows, query, k, *, without=None):
    """Indices of the k nearest rows by (squared distance, index), one row left out by index."""
    others = [index for index in range(len(rows)) if index != without]
    squared = {
        index: sum((a - b) ** 2 for a, b in zip(rows[index], query, strict=True))
        for index in others
    }
    return sorted(others, key=lambda index: (squared[index], index))[:k]


def ml_knn(rows, relevance, query, k, s):
    """Posteriors P(H1 | E) of every label: Fig. 1 of MLkNN-05, step by step."""
    n_cases = len(rows)
    neighbors = nearest(rows, query, k)
    around = [nearest(rows, rows[i], k, without=i) for i in range(n_cases)]
    posteriors = []
    for label in range(len(relevance[0])):
        has = [row[label] for row in relevance]
        prior = (s + sum(has)) / (s * 2 + n_cases)
        c = [Fraction(0)] * (k + 1)
        c_without = [Fraction(0)] * (k + 1)
        for i in range(n_cases):
            delta = sum(has[a] for a in around[i])
            (c if has[i] else c_without)[delta] += 1
        own = sum(has[a] for a in neighbors)
        with_label = prior * (s + c[own]) / (s * (k + 1) + sum(c))
        without = (1 - prior) * (s + c_without[own]) / (s * (k + 1) + sum(c_without))
        posteriors.append(with_label / (with_label + without))
    return posteriors
