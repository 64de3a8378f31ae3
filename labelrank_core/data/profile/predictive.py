"""Which feature columns tell most about the targets, and the plane to draw cases in."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import TruncatedSVD

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.rankings import FloatArray

# So many standard deviations apart, two values are told apart at a glance.
FAR = 0.75


def explained_shares(dataset: Dataset) -> FloatArray:
    """Return for each raw column the share of the targets' variance that it explains alone.

    Targets are positions, or 0/1 of label sets; a label not ranked counts as its mean. A numeric
    column explains by a straight line (the squared correlation, averaged over the labels with
    their variances as weights), a nominal one by the means of its categories (eta squared).
    """
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
    """Return two coordinates of every case, and their titles.

    They are the first two numeric ones of `columns`; where there are not two, the first principal
    components of the standardised features, of which a single one leaves the second at 0.
    """
    schema = dataset.schema
    numeric = [j for j in columns if schema.columns[j].kind == "numeric"][:2]
    if len(numeric) == 2:
        values = dataset.X[:, [schema.starts[j] for j in numeric]]
        places = np.asarray(values.toarray() if sparse.issparse(values) else values)
        return places, (schema.columns[numeric[0]].name, schema.columns[numeric[1]].name)
    X = dataset.X.toarray() if sparse.issparse(dataset.X) else dataset.X
    if X.shape[1] == 1:
        return np.column_stack([X[:, 0], np.zeros(len(X))]), (dataset.feature_names[0], "")
    spread = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    places = TruncatedSVD(2, random_state=0).fit_transform(scaled)
    return places, ("first principal component", "second principal component")


def far_values(
    dataset: Dataset, row: int, others: Sequence[int], columns: Sequence[int]
) -> NDArray[np.bool_]:
    """Tell which values of other cases lie far from those of a case.

    Of shape (n_others, n_columns), for raw columns: numbers that differ by more than `FAR`
    standard deviations of all cases, other categories.
    """
    far = np.empty((len(others), len(columns)), dtype=bool)
    for i, j in enumerate(columns):
        block = dataset.X[:, dataset.schema.starts[j] : dataset.schema.starts[j + 1]]
        values = np.asarray(block.toarray() if sparse.issparse(block) else block)
        numeric = dataset.schema.columns[j].kind == "numeric"
        apart = FAR * values.std() if numeric else 0
        far[:, i] = (np.abs(values[list(others)] - values[row]) > apart).any(axis=1)
    return far


def _targets(dataset: Dataset) -> FloatArray:
    if dataset.task is Task.MULTILABEL:
        return np.asarray(dataset.relevance, dtype=np.float64)
    ranks = np.array(dataset.rankings, dtype=np.float64)
    ranked = ~np.isnan(ranks)
    sums = np.where(ranked, ranks, 0).sum(axis=0)
    return np.where(ranked, ranks, sums / np.maximum(ranked.sum(axis=0), 1))
