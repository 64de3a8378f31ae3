"""AdaBoost.MH with stumps: rounds of simple rules that vote on all labels."""

from typing import Any

import numpy as np

from labelrank_core.methods.boosting._boosted import BoostedRules
from labelrank_core.methods.boosting._rules import Rules, vote
from labelrank_core.methods.boosting._stumps import StumpSearch
from labelrank_core.rankings import FloatArray, IntArray


class AdaBoostMHClassifier(BoostedRules):
    """Predict label sets by rounds of one-question rules, as BoosTexter does [schapire2000]_.

    Real AdaBoost.MH: every pair of a training case and a label has a weight. Each round takes the
    stump, 'is this feature above that threshold?', that leaves the least weight mixed; each of its
    two sides votes ½ ln((W₊ + ε) / (W₋ + ε)) on every label, W₊ and W₋ being the weights there of
    the cases with and without the label; then pairs that the votes get wrong gain weight. The score
    of a label is the sum of its votes; it is relevant where the score is above 0.

    Parameters
    ----------
    n_estimators : int, default=64
        T, the number of rounds, at least 1.
    max_thresholds : int or None, default=32
        The most thresholds to try per feature, at least 1, at even numbers of cases; None: between
        all neighbouring values, as BoosTexter does.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    ε is 1 / (n_samples n_labels), as in the paper; with weights of cases their sum is in the place
    of n_samples, and thresholds do not depend on them. The paper's attributes of words and n-grams
    are not here: a column of counts does for a word. Thresholds lie halfway between two values.
    Stumps whose mixed weights Z differ by less than 1e-9 tie: lower feature first, then lower
    threshold. Where all training cases are alike, every round votes as their labels are frequent.

    Scores are rounded to 12 decimals; labels with equal scores are ranked by label index, and a
    label with score 0 is irrelevant. Cases are sparse (CSR) or dense; sparse ones stay sparse.
    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [schapire2000] R. Schapire, Y. Singer: BoosTexter: a boosting-based system for text
       categorization. Machine Learning 39(2/3), 2000.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = AdaBoostMHClassifier(n_estimators=3).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    >>> model.path([[0.0, 1.0]]).at(n_estimators=1).prediction
    array([[0, 1, 0]])
    """

    def __init__(self, n_estimators: int = 64, *, max_thresholds: int | None = 32) -> None:
        self.n_estimators = n_estimators
        self.max_thresholds = max_thresholds

    def _boost(self, search: StumpSearch, X: Any, relevance: IntArray, counts: FloatArray) -> Rules:
        """Find the rules of all rounds."""
        m = relevance.shape[1]
        is_relevant, least = relevance == 1, 1 / (counts.sum() * m)
        weights = np.repeat(counts[:, None] * least, m, axis=1)
        features, thresholds, votes = [], [], [np.zeros((1, m))]
        for _ in range(self.n_estimators):
            stump = search.best(weights, is_relevant)
            is_above = self._column(X, stump.feature) > stump.threshold
            both = np.array(
                [vote(weights[at], is_relevant[at], least) for at in (~is_above, is_above)]
            )
            cast = both[is_above.astype(int)]
            weights *= np.exp(np.where(is_relevant, -cast, cast))
            weights /= weights.sum()
            features.append(stump.feature)
            thresholds.append(stump.threshold)
            votes.append(both)
        everywhere = np.zeros(len(features), dtype=np.int64)
        return Rules(np.array(features), np.array(thresholds), everywhere, np.concatenate(votes))
