"""The definitions, naive and exact: plain loops over plain rows, in fractions."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import floor, isnan, isqrt, log2

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


def bucket_orders(n_labels):
    """All complete rankings of some labels, ties allowed, as tuples of positions without gaps."""
    keys = product(range(n_labels), repeat=n_labels)
    return [tuple(k + 1 for k in row) for row in keys if set(row) == set(range(max(row) + 1))]


def compared_with_ties(truth, prediction):
    """Truth and prediction over the labels the truth ranks; None where these are fewer than two."""
    ranked = [label for label, place in enumerate(truth) if not isnan(place)]
    if len(ranked) < 2:
        return None
    return [truth[label] for label in ranked], [prediction[label] for label in ranked]


def tau_x(truth, prediction):
    """Emond and Mason's coefficient, from its two matrices of 1, -1 and, on the diagonal, 0."""
    labels = range(len(truth))

    def matrix(row):
        return [[(i != j) * (1 if row[i] <= row[j] else -1) for j in labels] for i in labels]

    a, b = matrix(truth), matrix(prediction)
    return Fraction(sum(a[i][j] * b[i][j] for i in labels for j in labels), len(a) * (len(a) - 1))


def kendall_with_ties(truth, prediction, p):
    """Cases 1 to 3 of Fagin et al., section 3.1, pair by pair."""
    total = Fraction(0)
    for i, j in combinations(range(len(truth)), 2):
        tied = [row[i] == row[j] for row in (truth, prediction)]
        if not any(tied):
            total += (truth[i] < truth[j]) != (prediction[i] < prediction[j])
        elif tied[0] != tied[1]:
            total += p
    return total


def footrule_with_ties(truth, prediction, p):
    """Differences of ranks, a bucket's being p of the way from its first to its last place."""

    def ranks(row):
        firsts = [1 + sum(other < own for other in row) for own in row]
        lasts = [sum(other <= own for other in row) for own in row]
        return [first + p * (last - first) for first, last in zip(firsts, lasts, strict=True)]

    return sum(abs(a - b) for a, b in zip(ranks(truth), ranks(prediction), strict=True))


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


def coverage_place(relevance, scores):
    return coverage(relevance, scores) + any(relevance)


def hit_at_3(relevance, scores):
    best = sorted(range(len(scores)), key=lambda label: (-scores[label], label))[:3]
    return Fraction(not any(relevance) or any(relevance[label] for label in best))


def ndcg(relevance, scores):
    """The gain by the definition, a tied label having the mean discount of the tie's places."""
    relevant, _ = label_sets(relevance)
    if not relevant:
        return 1.0
    discounts = [1 / log2(place + 1) for place in range(1, len(scores) + 1)]
    gain = 0.0
    for label in relevant:
        ahead = sum(score > scores[label] for score in scores)
        tied = sum(score == scores[label] for score in scores)
        gain += sum(discounts[ahead : ahead + tied]) / tied
    return gain / sum(discounts[: len(relevant)])


def label_counts(truth, prediction, label):
    """True positives, false positives and false negatives of one label, row by row."""
    pairs = [(t[label], p[label]) for t, p in zip(truth, prediction, strict=True)]
    return tuple(sum(pair == kind for pair in pairs) for kind in ((1, 1), (0, 1), (1, 0)))


def f1(tp, fp, fn):
    return Fraction(2 * tp, 2 * tp + fp + fn) if tp + fp + fn else Fraction(0)


def macro_f1(truth, prediction):
    n_labels = len(truth[0])
    return sum(f1(*label_counts(truth, prediction, j)) for j in range(n_labels)) / n_labels


def micro_f1(truth, prediction):
    counts = [label_counts(truth, prediction, j) for j in range(len(truth[0]))]
    return f1(*map(sum, zip(*counts, strict=True)))


def auc(truth, scores, label):
    """Share of the pairs of a row with and a row without the label in order; None without both."""
    own = [s[label] for t, s in zip(truth, scores, strict=True) if t[label]]
    others = [s[label] for t, s in zip(truth, scores, strict=True) if not t[label]]
    if not own or not others:
        return None
    halves = sum(2 * (a > b) + (a == b) for a in own for b in others)
    return Fraction(halves, 2 * len(own) * len(others))


def macro_auc(truth, scores):
    values = [auc(truth, scores, label) for label in range(len(truth[0]))]
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def position_error(truth, prediction):
    """Place from 0 of the first truly first label in the prediction; ties by index."""
    pair = compared(truth, prediction)
    if pair is None:
        return None
    truth, prediction = pair
    order = sorted(range(len(truth)), key=lambda label: (prediction[label], label))
    return next(at for at, label in enumerate(order) if truth[label] == min(truth))


MULTILABEL_MEASURES = {
    "hamming_loss": hamming_loss,
    "subset_accuracy_score": subset_accuracy,
    "one_error": one_error,
    "coverage_error": coverage,
    "ranking_loss": ranking_loss,
    "average_precision_score": average_precision,
    "coverage_place_error": coverage_place,
    "hit_at_k_score": hit_at_3,
    "ndcg_score": ndcg,
}


# Neighbours and their consensus: LR-06, sections 2 and 3. Features are whole numbers.

WEIGHT_UNIT = 2**30


EXACT_METRICS = ("canberra", "chebyshev", "euclidean", "hamming", "manhattan", "sqeuclidean")


def comparable_distance(metric, a, b):
    """The distance, exact; for the Euclidean one its square, which sorts alike."""
    gaps = [abs(int(one) - int(other)) for one, other in zip(a, b, strict=True)]
    if metric == "hamming":
        return Fraction(sum(gap > 0 for gap in gaps), len(gaps))
    if metric in ("euclidean", "sqeuclidean"):
        return sum(gap * gap for gap in gaps)
    if metric == "canberra":
        sizes = [abs(int(one)) + abs(int(other)) for one, other in zip(a, b, strict=True)]
        return sum(Fraction(gap, size) for gap, size in zip(gaps, sizes, strict=True) if size)
    return {"manhattan": sum, "chebyshev": max}[metric](gaps)


def signed_squared_cosine(metric, a, b):
    """The exact s |s| of the cosine or correlation s; 0 for rows without a direction."""
    a, b = ([Fraction(value) for value in map(float, row)] for row in (a, b))
    if metric == "correlation":
        a, b = ([value - sum(row) / len(row) for value in row] for row in (a, b))
    product = sum(one * other for one, other in zip(a, b, strict=True))
    lengths = sum(one * one for one in a) * sum(one * one for one in b)
    return product * abs(product) / lengths if lengths else Fraction()


def nearest_directions(metric, X, x, k):
    """The k rows of the largest cosine or correlation, equal ones by row, and their distances."""
    keys = [signed_squared_cosine(metric, row, x) for row in X]
    order = sorted(range(len(X)), key=lambda row: (-keys[row], row))[:k]
    return order, [1 - (abs(keys[row]) ** 0.5) * (1 if keys[row] > 0 else -1) for row in order]


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


def ml_knn_errors(rows, relevance, k, s):
    """Per label, the training cases decided wrongly from the counts of all other cases."""
    n_cases, errors = len(rows), []
    around = [nearest(rows, rows[i], k, without=i) for i in range(n_cases)]
    for label in range(len(relevance[0])):
        has = [row[label] for row in relevance]
        counted = [sum(has[a] for a in around[i]) for i in range(n_cases)]
        wrong = 0
        for left_out in range(n_cases):
            others = [i for i in range(n_cases) if i != left_out]
            odds = []
            for kind in (0, 1):
                alike = [i for i in others if has[i] == kind]
                same = sum(counted[i] == counted[left_out] for i in alike)
                odds.append((s + len(alike)) * (s + same) / (s * (k + 1) + len(alike)))
            wrong += has[left_out] != (odds[1] > odds[0])
        errors.append(wrong)
    return errors


def ml_knn_own_neighbors(rows, relevance, largest, s):
    """Per label, the k up to the largest with the fewest errors; of equally good ones the last."""
    by_k = [ml_knn_errors(rows, relevance, k, s) for k in range(1, largest + 1)]
    return [
        max(range(1, largest + 1), key=lambda k, own=own: (-own[k - 1], k))
        for own in zip(*by_k, strict=True)
    ]


# Consensus of rankings that may tie and leave labels out (NaN), by trying every order.


def compares(ranking):
    return sum(not isnan(place) for place in ranking) > 1


def contradicted_pairs(order, ranking):
    """Eq. 2: pairs that the ranking orders strictly and the order the other way round."""
    return sum(
        ranking[order[j]] < ranking[order[i]]  # False where one is NaN
        for i in range(len(order))
        for j in range(i + 1, len(order))
    )


def expected_ranks(ranking):
    """Mean place of each ranked label if the others fell anywhere; None = not ranked."""
    ranked = [label for label, place in enumerate(ranking) if not isnan(place)]
    if len(ranked) < 2:
        return [None] * len(ranking)
    places = ranked_places([ranking[label] for label in ranked])
    scale = Fraction(len(ranking) + 1, len(ranked) + 1)
    by_label = {label: place * scale for label, place in zip(ranked, places, strict=True)}
    return [by_label.get(label) for label in range(len(ranking))]


def displacement(order, ranking):
    """Eq. 3, l1, of the labels that are ranked."""
    expected = expected_ranks(ranking)
    return sum(
        abs(place - expected[label])
        for place, label in enumerate(order, start=1)
        if expected[label] is not None
    )


def summed(loss, order, rankings, weights):
    return sum(
        weight * loss(order, ranking) for ranking, weight in zip(rankings, weights, strict=True)
    )


def kemeny_order(rankings, weights):
    """The first of the optimal orders."""
    orders = permutations(range(len(rankings[0])))
    return min(
        orders, key=lambda order: (summed(contradicted_pairs, order, rankings, weights), order)
    )


def least_displacement(rankings, weights):
    orders = permutations(range(len(rankings[0])))
    return min(summed(displacement, order, rankings, weights) for order in orders)


def footrule_order(rankings, weights):
    """The first of the orders of least displacement."""
    orders = permutations(range(len(rankings[0])))
    return min(orders, key=lambda order: (summed(displacement, order, rankings, weights), order))


def summed_win_shares(rankings, weights):
    """Of each label over all others; where no ranking with a weight ranks both, all decide."""
    labels = range(len(rankings[0]))

    def share(one, other, counting):
        known = [
            (weight, row[one], row[other])
            for row, weight in zip(rankings, counting, strict=True)
            if weight and not isnan(row[one]) and not isnan(row[other])
        ]
        if not known:
            return None
        wins = sum(
            weight * (1 if mine < its else Fraction(mine == its, 2)) for weight, mine, its in known
        )
        return Fraction(wins) / sum(weight for weight, *_ in known)

    def decided(one, other):
        for counting in (weights, [1] * len(rankings)):
            found = share(one, other, counting)
            if found is not None:
                return found
        return Fraction(1, 2)

    return [sum(decided(one, other) for other in labels if other != one) for one in labels]


def ranked_median(label, rankings, weights):
    """Lower weighted median of the expected ranks of the rankings with the label."""
    known = sorted(
        (expected_ranks(row)[label], weight)
        for row, weight in zip(rankings, weights, strict=True)
        if expected_ranks(row)[label] is not None
    )
    total, reached = sum(weight for _, weight in known), 0
    for value, weight in known:
        reached += weight
        if 2 * reached >= total > 0:
            return value
    return Fraction(len(rankings[0]) + 1, 2)


def order_by(keys):
    return sorted(range(len(keys)), key=lambda label: (keys[label], label))


def restricted_loss(loss, order, ranking):
    """Loss of an order on the labels that the ranking ranks, and the largest there is."""
    pairs = contradicted_pairs(order, ranking)
    kept = [label for label in order if not isnan(ranking[label])]
    m = len(kept)
    if loss == "contradicted":
        return int(pairs > 0), 1
    if loss == "kendall":
        return pairs, m * (m - 1) // 2
    power = {"squared": 2, "footrule": 1}[loss]
    largest = {"squared": m * (m * m - 1) // 3, "footrule": m * m // 2}[loss]
    return rank_loss([ranking[label] for label in kept], list(range(m)), power)[0], largest


def agreement(loss, order, rankings, weights):
    """Eq. 5, each ranking compared with the order of its labels; None without any to compare."""
    shares, total = Fraction(0), 0
    for ranking, weight in zip(rankings, weights, strict=True):
        if compares(ranking):
            value, largest = restricted_loss(loss, order, ranking)
            shares += weight * Fraction(value) / largest
            total += weight
    return 1 - shares / total if total else None


# Bucket orders: rankings in which a tie is an answer.


def least_kemeny_distance(rankings, weights):
    """The least summed distance of a bucket order to (partial) rankings, and all that reach it."""

    def distance(order):
        return sum(
            weight * 2 * kendall_with_ties(*pair, Fraction(1, 2))
            for ranking, weight in zip(rankings, weights, strict=True)
            if (pair := compared_with_ties(ranking, order))
        )

    distances = {order: distance(order) for order in bucket_orders(len(rankings[0]))}
    least = min(distances.values())
    return least, [order for order, own in distances.items() if own == least]


def preferred_bucket_order(orders):
    """Of some bucket orders that with the larger first buckets, then the lower labels in them."""

    def key(order):
        buckets = [
            [label for label, own in enumerate(order) if own == position]
            for position in range(1, max(order) + 1)
        ]
        return [(-len(bucket), bucket) for bucket in buckets]

    return min(orders, key=key)


def cuts(keys):
    """All bucket orders that cut the labels in the order of their keys, ties by label index."""
    ordering = sorted(range(len(keys)), key=lambda label: (keys[label], label))
    for opens in product((0, 1), repeat=len(keys) - 1):
        positions, position = [0] * len(keys), 1
        for label, opened in zip(ordering, (0, *opens), strict=True):
            position += opened
            positions[label] = position
        yield tuple(positions)
