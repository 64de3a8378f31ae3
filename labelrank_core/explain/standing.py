"""One case among others: its confidence, its errors, and the accuracy of similar cases.

>>> import numpy as np
>>> among = ConfidenceStanding(0.8, np.array([0.5, 0.7, 0.9, 0.8]))
>>> among.n_less, among.n_equal, among.n_more
(2, 1, 1)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.capabilities import Ranker
from labelrank_core.explain.evidence import Explanation, Label, Text
from labelrank_core.explain.predictions import bare_model
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    equal_up_to_rounding,
    place_ranges,
    strict_order,
)

# Fewer other cases do not say whether a confidence is high.
_FEWEST = 3


@dataclass(frozen=True, eq=False)
class ConfidenceStanding:
    """A case's confidence among those of other test cases: the same for words and drawings.

    Parameters
    ----------
    confidence : float
        Of the case.
    confidences : ndarray of shape (n_others,)
        Of the others, at least one; what differs by rounding only is equal.
    n_tests : int
        How many test cases there are; of more than the others and the case some are compared.
    """

    confidence: float
    confidences: FloatArray
    n_tests: int = 0

    @cached_property
    def is_equal(self) -> NDArray[np.bool_]:
        """Which of the others are as sure."""
        return equal_up_to_rounding(self.confidences, self.confidence)

    @cached_property
    def is_less(self) -> NDArray[np.bool_]:
        """Which of the others are less sure."""
        return (self.confidences < self.confidence) & ~self.is_equal

    @property
    def n_less(self) -> int:
        """The number of others that are less sure."""
        return int(self.is_less.sum())

    @property
    def n_equal(self) -> int:
        """The number of others that are as sure."""
        return int(self.is_equal.sum())

    @property
    def n_more(self) -> int:
        """The number of others that are surer."""
        return len(self.confidences) - self.n_less - self.n_equal

    @property
    def compared(self) -> str:
        """The number of cases compared with: "122", or "100 of the 122" of a sample."""
        n = len(self.confidences)
        return f"{n} of the {self.n_tests}" if self.n_tests > n + 1 else f"{n}"

    @property
    def is_comparable(self) -> bool:
        """Whether the others are enough to say whether the confidence is high."""
        return len(self.confidences) >= _FEWEST

    @property
    def text(self) -> Text:
        """The counts of other cases that are less sure, as sure and surer, in a sentence."""
        n = len(self.confidences)
        if not self.is_comparable:
            cases = "case" if n == 1 else "cases"
            few = f"Only {{n}} test {cases} here: too few to say whether that is high."
            return Text(few, {"n": n})
        values = {"less": self.n_less, "equal": self.n_equal, "more": self.n_more}
        equal = ", {equal} as sure" if self.n_equal else ""
        are = "is" if self.n_less == 1 else "are"
        sentence = f"{{less}} {are} less sure{equal} and {{more}} surer."
        return Text(f"Of {self.compared} test cases, {sentence}", values)


@dataclass(frozen=True, eq=False)
class AccuracyByStanding:
    """The accuracy of the less sure and of the other test cases; NaN: not known, and left out."""

    standing: ConfidenceStanding
    accuracies: FloatArray
    accuracy_title: str = "accuracy"

    @property
    def at_least(self) -> float:
        """Mean accuracy of the others that are at least as sure; NaN where there are none."""
        return _mean(self.accuracies[~self.standing.is_less])

    @property
    def below(self) -> float:
        """Mean accuracy of the others that are less sure; NaN where there are none."""
        return _mean(self.accuracies[self.standing.is_less])

    @property
    def text(self) -> Text:
        """The accuracies of both in a sentence or two."""
        n_less, n = self.standing.n_less, len(self.accuracies)
        values: dict[str, Any] = {
            "below": n_less,
            "n": n,
            "above": n - n_less,
            "title": self.accuracy_title,
            "surer": self.at_least,
            "less": self.below,
        }
        if not n_less:
            return Text(_LEAST, values)
        return Text(_MOST if n_less == n else _BETWEEN, values)

    def frame(self) -> pd.DataFrame:
        """Tabulate the number and mean accuracy of the less sure and of the others."""
        n_less = self.standing.n_less
        return pd.DataFrame(
            {
                "cases": ["less sure", "at least as sure"],
                "number": [n_less, len(self.accuracies) - n_less],
                f"mean {self.accuracy_title}": [self.below, self.at_least],
            }
        )


def _mean(values: FloatArray) -> float:
    finite = values[~np.isnan(values)]
    return float(finite.mean()) if len(finite) else float("nan")


_BETWEEN = (
    "{below} of {n} other test cases are less sure. Their mean {title} is {less}, that of the "
    "other {above} is {surer}."
)
_LEAST = "None of {n} other test cases is less sure. Their mean {title} is {surer}."
_MOST = "All {n} other test cases are less sure. Their mean {title} is {less}."


def wrong_pairs(positions: IntArray, truth: FloatArray) -> tuple[list[tuple[int, int]], int]:
    """List the reversed pairs, the label wrongly ahead first, and count the pairs truth orders."""
    order = strict_order(positions)
    pairs = list(combinations(order, 2))
    compared = [(a, b) for a, b in pairs if truth[a] < truth[b] or truth[a] > truth[b]]
    return [(a, b) for a, b in compared if truth[a] > truth[b]], len(compared)


def right_pairs(explanation: Explanation, truth: FloatArray | PairPreferences) -> tuple[int, int]:
    """Count the pairs that a predicted ranking has right, and those that it is compared on.

    A strict ranking is compared on the pairs that the truth orders, one with ties on all ranked
    pairs: a tie is right where the truth ties them, too.
    """
    if isinstance(truth, PairPreferences):
        return count_known_pairs(explanation.ranking, truth)
    if not explanation.has_ties:
        wrong, n_compared = wrong_pairs(explanation.positions, truth)
        return n_compared - len(wrong), n_compared
    differing, n_compared = differing_pairs(explanation.ranking, truth)
    return n_compared - len(differing), n_compared


def count_known_pairs(ranking: IntArray, preferences: PairPreferences) -> tuple[int, int]:
    """Count the known pairs of one case that a predicted ranking has as they are, and all.

    A known tie counts only for a ranking that has ties, too.
    """
    preferences = compared_pairs(ranking, preferences)
    n_known = int(preferences.n_known[0])
    return n_known - int(preferences.n_wrong(ranking[None])[0].sum()) // 2, n_known


def compared_pairs(ranking: IntArray, preferences: PairPreferences) -> PairPreferences:
    """Return the known pairs that a ranking is compared on: without ties, where it has none."""
    if len(set(ranking.tolist())) < len(ranking):
        return preferences
    signs = np.where(preferences.signs == 0, np.nan, preferences.signs)
    return PairPreferences(signs, preferences.label_names)


def contradicted_pairs(ranking: IntArray, preferences: PairPreferences) -> NDArray[np.bool_]:
    """Tell which pairs of one case a ranking has otherwise than known, (n_labels, n_labels)."""
    compared = compared_pairs(ranking, preferences)
    ahead, predicted = compared.ahead()[0], np.sign(ranking[None, :] - ranking[:, None])
    first, second = np.triu_indices(len(ranking), 1)
    is_tied = np.zeros(ahead.shape, dtype=bool)
    is_tied[first, second] = compared.signs[0] == 0
    return (ahead & (predicted <= 0)) | ((is_tied | is_tied.T) & (predicted != 0))


def known_pairs_text(ranking: IntArray, preferences: PairPreferences) -> Text:
    """Write the number of a case's known pairs that a predicted ranking has in the known order.

    Without values where there are none; else with "n", the number of the others.
    """
    n_right, n_known = count_known_pairs(ranking, preferences)
    if not n_known:
        return Text("Nothing is known of this case that a ranking could have right or wrong.", {})
    values = {"n": n_known - n_right, "right": n_right, "known": n_known}
    if n_right < n_known:
        return Text("{right} of {known} known pairs are predicted in their order.", values)
    if n_known == 1:
        return Text("The known pair is predicted in its order.", values)
    return Text("All {known} known pairs are predicted in their order.", values)


def differing_pairs(
    prediction: IntArray, truth: FloatArray
) -> tuple[list[tuple[int, int, bool]], int]:
    """List the pairs that a ranking with ties has otherwise, and count all that the truth ranks.

    Each as the truth has it: the first label, the second, and whether they tie.
    """
    a, b = np.triu_indices(len(truth), k=1)
    true_signs = np.sign(truth[a] - truth[b])
    is_ranked = ~np.isnan(true_signs)
    differs = is_ranked & (np.sign(prediction[a] - prediction[b]) != true_signs)
    ordered = np.where(true_signs <= 0, (a, b), (b, a))[:, differs].T.tolist()
    ties = (true_signs[differs] == 0).tolist()
    pairs = [(first, second, tie) for (first, second), tie in zip(ordered, ties, strict=True)]
    return pairs, int(is_ranked.sum())


def orders_otherwise(
    positions: IntArray, rankings: FloatArray | PairPreferences
) -> NDArray[np.bool_]:
    """Tell which rankings, or known pairs, reverse any pair of a predicted order; NaN: no label."""
    if isinstance(rankings, PairPreferences):
        behind = positions[:, None] > positions[None, :]
        return np.asarray((rankings.ahead() & behind).any(axis=(1, 2)))
    ordered = rankings[:, strict_order(positions)]
    # The worst position of any label that is predicted ahead.
    return np.any(np.fmax.accumulate(ordered, axis=1) > ordered, axis=1)


def place_in_truth(positions: IntArray, truth: FloatArray, label: int) -> tuple[int, int, int]:
    """Return a ranked label's predicted place, and the first and the last it may have by truth.

    Places are those among the labels that the truth ranks; tied labels may have any of theirs.
    """
    first, last = place_ranges(truth[None])
    predicted_place = int((positions[~np.isnan(truth)] <= positions[label]).sum())
    return predicted_place, int(first[0, label]), int(last[0, label])


def wrong_pairs_text(positions: IntArray, truth: FloatArray) -> Text:
    """Count the pairs of labels in the right order, and name the others, at most three."""
    pairs, n_compared = wrong_pairs(positions, truth)
    values: dict[str, Any] = {
        "n": len(pairs),
        "right": n_compared - len(pairs),
        "of": n_compared,
    }
    if not n_compared:
        return Text("The real ranking does not compare two labels.")
    n_labels = len(positions)
    is_complete = n_compared == n_labels * (n_labels - 1) // 2
    condition = "" if is_complete else " that the real ranking compares"
    if not pairs:
        return Text(f"All {{of}} pairs of labels{condition} are right.", values)
    listed = []
    for i, (ahead, behind) in enumerate(pairs[:3]):
        values |= {f"a{i}": Label(ahead), f"b{i}": Label(behind)}
        listed.append(f"{{b{i}}} belongs before {{a{i}}}")
    more = ", and more" if len(pairs) > len(listed) else ""
    return Text(
        f"{{right}} of {{of}} pairs of labels{condition} are right. ✗ {'; '.join(listed)}{more}.",
        values,
    )


def differing_pairs_text(prediction: IntArray, truth: FloatArray) -> Text:
    """Count the pairs that a ranking with ties has right, and name the others, at most three.

    A pair is right where it has the true order, or is tied as in the truth.
    """
    pairs, n_compared = differing_pairs(prediction, truth)
    if not n_compared:
        return Text("The real ranking does not compare two labels.")
    values: dict[str, Any] = {"of": n_compared}
    alone = n_compared == 1
    if not pairs:
        subject = "The pair of labels is" if alone else "All {of} pairs of labels are"
        return Text(f"{subject} as in the real ranking, ties included.", values)
    values |= {"n": len(pairs), "right": n_compared - len(pairs)}
    clauses = []
    for i, (first, second, tie) in enumerate(pairs[:3]):
        values |= {f"a{i}": Label(first), f"b{i}": Label(second)}
        clauses.append(f"{{a{i}}} and {{b{i}}} tie" if tie else f"{{a{i}}} belongs before {{b{i}}}")
    subject = (
        "The pair of labels is wrong" if alone else "{right} of {of} pairs of labels are right"
    )
    more = ", and more" if len(pairs) > len(clauses) else ""
    return Text(f"{subject}. ✗ {'; '.join(clauses)}{more}.", values)


def wrong_labels_text(
    prediction: NDArray[Any], relevance: NDArray[Any], *, has_ranking: bool = False
) -> Text:
    """Count the labels judged rightly, and name those missed and those predicted wrongly.

    `has_ranking`: the truth is also a ranking, of which this judges the zero line alone.
    """
    missed = tuple(Label(int(j)) for j in np.flatnonzero((relevance == 1) & (prediction == 0)))
    extra = tuple(Label(int(j)) for j in np.flatnonzero((relevance == 0) & (prediction == 1)))
    right = len(prediction) - len(missed) - len(extra)
    values: dict[str, Any] = {"right": right, "of": len(prediction)}
    values |= {"missed": missed, "extra": extra}
    verdict = "on the right side of the zero line" if has_ranking else "right"
    if right == len(prediction):
        subject = "All {of} labels are" if right > 1 else "The label is"
        return Text(f"{subject} {verdict}.", values)
    template = f"{{right}} of {{of}} labels are {verdict}."
    template += " ✗ Missed: {missed}." if missed else ""
    template += " ✗ Predicted wrongly: {extra}." if extra else ""
    return Text(template, values)


def similar_cases(
    model: Ranker, X: Any, x: FloatArray, *, n_cases: int = 6
) -> tuple[IntArray, FloatArray]:
    """Find the rows nearest to a case, with Euclidean distances in the estimator's features."""
    (_, candidates), (_, case) = bare_model(model, X), bare_model(model, x[None])
    search = NearestNeighbors(n_neighbors=min(n_cases, X.shape[0]), algorithm="brute")
    distances, rows = search.fit(candidates).kneighbors(case)
    return rows[0], distances[0]


def neighbour_accuracy_text(accuracies: Sequence[float]) -> Text:
    """Count the similar cases that are predicted without a mistake, from their accuracies."""
    right = sum(accuracy >= 1 for accuracy in accuracies)
    values = {"n": len(accuracies), "right": right, "mean": float(np.mean(accuracies))}
    return Text(
        "Of the {n} most similar test cases, {right} are predicted without any mistake.", values
    )
