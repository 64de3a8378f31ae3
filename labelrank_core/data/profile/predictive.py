"""The most predictive feature columns, and the plane that cases are drawn in."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.rankings import FloatArray

# Values that differ by more standard deviations than this are marked as different.
FAR = 0.75


def explained_shares(dataset: Dataset) -> FloatArray:
    """Return for each raw column the share of the targets' variance that it explains alone."""
    # Of a numeric column the squared correlation, averaged over the labels with their variances as
    # weights; of a nominal one eta squared.
    targets = _targets(dataset)
    centred = targets - targets.mean(axis=0)
    total = (centred**2).mean(axis=0).sum()
    if total == 0:
        return np.zeros(len(dataset.schema.columns))
    X = dataset.X
    covariances = np.asarray(X.T @ centred) / len(centred)
    means = np.asarray(X.mean(axis=0)).ravel()
    squares = X.multiply(X) if sparse.issparse(X) else X**2
    variances = np.asarray(squares.mean(axis=0)).ravel() - means**2
    schema = dataset.schema
    sizes = np.array([column.n_encoded for column in schema.columns])
    # Of a category with share p, the mean differs from that of all by covariance / p.
    divisor = np.where((sizes > 1)[schema.column_of_feature], means, variances)
    explained = np.divide(
        (covariances**2).sum(axis=1),
        divisor,
        out=np.zeros(len(divisor)),
        where=divisor > 1e-12 * np.maximum(1.0, means**2),
    )
    return np.add.reduceat(explained, schema.starts[:-1]) / total


def plane_of_features(
    dataset: Dataset, columns: Sequence[int]
) -> tuple[FloatArray, tuple[str, str]]:
    """Return two coordinates of every case, and their titles: numeric columns or components.

    Columns of two numbers would put cases in four places. Sparse cases are scaled to length 1.
    """
    schema, X = dataset.schema, dataset.X
    if sparse.issparse(X):
        coordinates = TruncatedSVD(2, random_state=0).fit_transform(normalize(X))
        return coordinates, ("first component", "second component")
    varied = (
        schema.starts[j]
        for j in columns
        if schema.columns[j].kind == "numeric" and len(np.unique(X[:, schema.starts[j]])) > 2
    )
    numeric = list(islice(varied, 2))
    if len(numeric) == 2:
        first, second = (schema.columns[schema.column_of_feature[j]].name for j in numeric)
        return np.asarray(X[:, numeric]), (first, second)
    if X.shape[1] == 1:
        return np.column_stack([X[:, 0], np.zeros(len(X))]), (dataset.feature_names[0], "")
    spread = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    coordinates = TruncatedSVD(2, random_state=0).fit_transform(scaled)
    return coordinates, ("first principal component", "second principal component")


def far_values(
    dataset: Dataset, row: int, rows: Sequence[int], columns: Sequence[int]
) -> NDArray[np.bool_]:
    """Tell which raw values of other cases differ clearly from a case's, (n_rows, n_columns)."""
    far = np.empty((len(rows), len(columns)), dtype=bool)
    for i, j in enumerate(columns):
        block = dataset.X[:, dataset.schema.starts[j] : dataset.schema.starts[j + 1]]
        values = np.asarray(block.toarray() if sparse.issparse(block) else block)
        numeric = dataset.schema.columns[j].kind == "numeric"
        apart = FAR * values.std() if numeric else 0
        far[:, i] = (np.abs(values[list(rows)] - values[row]) > apart).any(axis=1)
    return far


def _targets(dataset: Dataset) -> FloatArray:
    """Return 0/1 targets, positions or signs of pairs; unknown values become column means."""
    if dataset.task is Task.MULTILABEL:
        return np.asarray(dataset.relevance, dtype=np.float64)
    ranks = np.array(dataset.rankings if dataset.task.has_rankings else dataset.Y, dtype=float)
    ranked = ~np.isnan(ranks)
    sums = np.where(ranked, ranks, 0).sum(axis=0)
    return np.where(ranked, ranks, sums / np.maximum(ranked.sum(axis=0), 1))
