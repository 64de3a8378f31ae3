"""What is done to features before a method learns from them."""

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import Normalizer, StandardScaler


class CountTfidf(TfidfTransformer):
    """scikit-learn's TF-IDF of counts of words; numbers below 0 are refused when it is fitted.

    A count is multiplied by ln((1 + n) / (1 + n_w)) + 1, where n_w of the n training cases have
    the word, and then, with ``norm="l2"``, every case is scaled to length 1. The result is sparse.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count in how many cases each word occurs."""
        values = X.data if sparse.issparse(X) else np.asarray(X)
        if values.size and values.min() < 0:
            raise ValueError(
                f"Expected counts of at least 0 for TF-IDF, got {values.min():g}. Leave TF-IDF out."
            )
        return super().fit(X, y)


def preparation(*, scaled: bool, tfidf: bool, is_sparse: bool) -> list[TransformerMixin]:
    """Return the unfitted steps in front of an estimator.

    Parameters
    ----------
    scaled : bool
        Whether features are brought to mean 0 and standard deviation 1; of sparse data, which must
        keep their zeros, and of TF-IDF, every case to length 1 instead.
    tfidf : bool
        Whether counts of words are weighted by TF-IDF.
    is_sparse : bool
        Whether the features are a sparse matrix.

    Returns
    -------
    list of transformers
        None or one.
    """
    if tfidf:
        return [CountTfidf(norm="l2" if scaled else None)]
    if scaled:
        return [Normalizer() if is_sparse else StandardScaler()]
    return []
