"""One case among others: its confidence, its errors, and the accuracy of similar cases.

>>> import numpy as np
>>> among = Standing(0.8, np.array([0.5, 0.7, 0.9, 0.8]), np.array([0.2, 0.4, 1.0, 0.6]))
>>> among.accuracy_at_least, round(among.accuracy_below, 2)
(0.8, 0.3)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from labelrank_core.explain.evidence import Label, Text
from labelrank_core.explain.predictions import bare_model
from labelrank_core.rankings import FloatArray, IntArray, strict_order


@dataclass(frozen=True, eq=False)
class Standing:
    """A case's confidence among those of other cases, at least one, and these cases' accuracies.

    An accuracy that is not known is NaN, and is left out of the means.
    """

    confidence: float
    confidences: FloatArray
    accuracies: FloatArray
    accuracy_title: str = "accuracy"

    @property
    def accuracy_at_least(self) -> float:
        """Mean accuracy of the others that are at least as sure; NaN where there are none."""
        return _mean(self.accuracies[self.confidences >= self.confidence])

    @property
    def accuracy_below(self) -> float:
        """Mean accuracy of the others that are less sure; NaN where there are none."""
        return _mean(self.accuracies[self.confidences < self.confidence])

    @property
    def text(self) -> Text:
        """The confidence compared with that of the other cases, in a sentence or two."""
        below, n = int((self.confidences < self.confidence).sum()), len(self.confidences)
        values: dict[str, Any] = {
            "confidence": self.confidence,
            "below": below,
            "n": n,
            "above": n - below,
            "title": self.accuracy_title,
            "surer": self.accuracy_at_least,
            "less": self.accuracy_below,
        }
        if not below:
            return Text(_LEAST, values)
        return Text(_MOST if below == n else _BETWEEN, values)

    def frame(self) -> pd.DataFrame:
        """Tabulate the number and mean accuracy of the less sure and of the others."""
        less = int((self.confidences < self.confidence).sum())
        return pd.DataFrame(
            {
                "cases": ["less sure", "at least as sure"],
                "number": [less, len(self.confidences) - less],
                f"mean {self.accuracy_title}": [self.accuracy_below, self.accuracy_at_least],
            }
        )


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


_BETWEEN = (
    "Confidence {confidence}: {below} of {n} other test cases are less sure. Their mean {title} is "
    "{less}, that of the other {above} is {surer}."
)
_LEAST = (
    "Confidence {confidence}: none of {n} other test cases is less sure. Their mean {title} is "
    "{surer}."
)
_MOST = (
    "Confidence {confidence}: all {n} other test cases are less sure. Their mean {title} is {less}."
)


_FEWEST = 3


def confidence_text(confidence: float, confidences: FloatArray, n_tests: int = 0) -> Text:
    """Say whether a confidence is high among those of other cases, at least one, of so many tests.

    High or low: two thirds of the others are on the other side, those of equal confidence halved.
    Fewer than three others say nothing.
    """
    n = len(confidences)
    if n < _FEWEST:
        cases = "case" if n == 1 else "cases"
        return Text(f"Only {{n}} test {cases} here: too few to say whether that is high.", {"n": n})
    less, more = float((confidences < confidence).mean()), float((confidences > confidence).mean())
    lead = (1 + less - more) / 2
    word = "High" if lead >= 2 / 3 else "Low" if lead <= 1 / 3 else "Usual"
    values = {"n": n, "less": f"{less:.0%}", "more": f"{more:.0%}", "all": n_tests}
    some = "{n} of the {all}" if n_tests > n + 1 else "{n}"
    said = f"{word} for these data: of {some} test cases {{less}} are less sure, {{more}} surer"
    if equal := float((confidences == confidence).mean()):
        values["equal"] = f"{equal:.0%}"
        said += ", {equal} as sure"
    return Text(f"{said}.", values)


def wrong_pairs(positions: IntArray, truth: FloatArray) -> tuple[list[tuple[int, int]], int]:
    """List the reversed pairs, the label wrongly ahead first, and count the pairs truth orders."""
    order = strict_order(positions)
    pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    compared = [(a, b) for a, b in pairs if truth[a] < truth[b] or truth[a] > truth[b]]
    return [(a, b) for a, b in compared if truth[a] > truth[b]], len(compared)


def orders_otherwise(positions: IntArray, rankings: FloatArray) -> NDArray[np.bool_]:
    """Tell which rankings reverse any pair of a predicted order; NaN = not ranked."""
    ordered = rankings[:, strict_order(positions)]
    # The worst position of any label that is predicted ahead.
    return np.any(np.fmax.accumulate(ordered, axis=1) > ordered, axis=1)


def place_in_truth(positions: IntArray, truth: FloatArray, label: int) -> tuple[int, int, int]:
    """Return a ranked label's predicted place, and the first and the last it may have by truth.

    Places are those among the labels that the truth ranks; tied labels may have any of theirs.
    """
    ranked = ~np.isnan(truth)
    first = int((truth < truth[label]).sum()) + 1
    last = int((truth <= truth[label]).sum())
    return int((positions[ranked] <= positions[label]).sum()), first, last


def wrong_pairs_text(positions: IntArray, truth: FloatArray) -> Text:
    """Say which pairs of labels are in reverse order; of many the first three."""
    pairs, n_compared = wrong_pairs(positions, truth)
    values: dict[str, Any] = {"n": len(pairs), "of": n_compared}
    if not n_compared:
        return Text("The truth orders no two labels.")
    n_labels = len(positions)
    which = "" if n_compared == n_labels * (n_labels - 1) // 2 else " that the truth orders"
    if not pairs:
        return Text(f"All {{of}} pairs of labels{which} are in the true order.", values)
    listed = []
    for i, (ahead, behind) in enumerate(pairs[:3]):
        values |= {f"a{i}": Label(ahead), f"b{i}": Label(behind)}
        listed.append(f"{{b{i}}} belongs before {{a{i}}}")
    more = ", and more" if len(pairs) > len(listed) else ""
    return Text(
        f"{{n}} of {{of}} pairs of labels{which} are wrong: " + "; ".join(listed) + more + ".",
        values,
    )


def wrong_labels_text(prediction: NDArray[Any], relevance: NDArray[Any]) -> Text:
    """Say which relevant labels were missed, and which were predicted wrongly."""
    missed = tuple(Label(int(j)) for j in np.flatnonzero((relevance == 1) & (prediction == 0)))
    extra = tuple(Label(int(j)) for j in np.flatnonzero((relevance == 0) & (prediction == 1)))
    right = len(prediction) - len(missed) - len(extra)
    values: dict[str, Any] = {"right": right, "of": len(prediction)}
    values |= {"missed": missed, "extra": extra}
    template = "{right} of {of} label decisions are right"
    template += "; missed: {missed}" if missed else ""
    template += "; predicted wrongly: {extra}" if extra else ""
    return Text(template + ".", values)


def similar_cases(
    model: Any, X: Any, x: FloatArray, *, n_cases: int = 6
) -> tuple[IntArray, FloatArray]:
    """Find the rows nearest to a case, with Euclidean distances in the estimator's features."""
    (_, seen), (_, own) = bare_model(model, X), bare_model(model, x[None])
    search = NearestNeighbors(n_neighbors=min(n_cases, X.shape[0]), algorithm="brute").fit(seen)
    distances, rows = search.kneighbors(own)
    return rows[0], distances[0]


def neighbour_accuracy_text(accuracies: Sequence[float]) -> Text:
    """Say how many of the similar cases are predicted without a mistake, from their accuracies."""
    right = sum(accuracy >= 1 for accuracy in accuracies)
    values = {"n": len(accuracies), "right": right, "mean": float(np.mean(accuracies))}
    return Text(
        "Of the {n} most similar test cases, {right} are predicted without any mistake.", values
    )
