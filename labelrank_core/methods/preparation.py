"""The preparation of features before a method learns from them."""

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import Normalizer, StandardScaler


class CountTfidf(TfidfTransformer):
    """scikit-learn's TF-IDF of word counts, which refuses negative numbers."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count the cases in which each word occurs."""
        values = X.data if sparse.issparse(X) else np.asarray(X)
        if values.size and values.min() < 0:
            raise ValueError(
                f"Expected counts of at least 0 for TF-IDF, got {values.min():g}. Leave TF-IDF out."
            )
        return super().fit(X, y)


def preparation(*, scaled: bool, tfidf: bool, is_sparse: bool) -> list[TransformerMixin]:
    """Return the unfitted steps in front of an estimator; see `ModelChoice`."""
    if tfidf:
        return [CountTfidf(norm="l2" if scaled else None)]
    if scaled:
        return [Normalizer() if is_sparse else StandardScaler()]
    return []
