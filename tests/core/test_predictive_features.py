"""Which columns tell most about the targets, against scikit-learn's linear fits."""

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.data.profile.predictive import (
    explained_shares,
    far_values,
    plane_of_features,
)
from labelrank_core.data.schema import Column, Schema


def fitted_share(X, Y):
    """R² of an ordinary fit, labels weighted by their variances."""
    return r2_score(Y, LinearRegression().fit(X, Y).predict(X), multioutput="variance_weighted")


def test_a_numeric_column_explains_what_a_straight_line_does():
    for name in ("iris", "vehicle", "outings"):
        data = load_sample(name)
        targets = data.relevance if data.task is Task.MULTILABEL else data.rankings
        expected = [fitted_share(data.X[:, [j]], targets) for j in range(data.n_features)]
        np.testing.assert_allclose(explained_shares(data), expected, atol=1e-10)


def test_values_are_far_by_standard_deviations_and_categories_where_they_differ():
    schema = Schema((Column("x"), Column("colour", "nominal", ("blue", "green", "red"))))
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3], "colour": ["blue", "red", "blue", "green"]})
    dense = schema.encode(frame)
    for X in (dense, sparse.csr_matrix(dense)):
        data = Dataset(
            X=X,
            Y=[[1, 2], [2, 1], [1, 2], [1, 2]],
            task=Task.LABEL_RANKING,
            feature_names=schema.feature_names,
            label_names=["a", "b"],
            name="colours",
            schema=schema,
        )
        # The standard deviation is 1.12: 0.84 is far.
        assert far_values(data, 0, [0, 1, 2], [0, 1]).tolist() == [
            [False, False],
            [True, True],
            [True, False],
        ]


def test_a_nominal_column_explains_what_the_means_of_its_categories_do():
    schema = Schema((Column("x"), Column("colour", "nominal", ("blue", "green", "red"))))
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": generator.normal(size=60), "colour": generator.choice(["blue", "green", "red"], 60)}
    )
    X = schema.encode(frame)
    Y = np.argsort(np.argsort(generator.normal(size=(60, 4)) + X[:, [1]] * [2, 0, 0, 0])) + 1
    data = Dataset(
        X=X,
        Y=Y,
        task=Task.LABEL_RANKING,
        feature_names=schema.feature_names,
        label_names=list("abcd"),
        name="n",
        schema=schema,
    )
    expected = [fitted_share(X[:, :1], Y), fitted_share(X[:, 1:], Y)]
    np.testing.assert_allclose(explained_shares(data), expected, atol=1e-10)


def test_sparse_features_constant_ones_and_labels_not_ranked_are_fine():
    Y = np.array([[1, 2, np.nan], [2, 1, 3], [1, 2, 3]])
    dense = np.array([[0.0, 5, 1], [2, 5, 0], [0, 5, 0]])
    shares = [
        explained_shares(
            Dataset(
                X=X,
                Y=Y,
                task=Task.LABEL_RANKING,
                feature_names=list("xyz"),
                label_names=list("abc"),
                name="s",
            )
        )
        for X in (dense, sparse.csr_matrix(dense))
    ]
    np.testing.assert_allclose(*shares)
    np.testing.assert_allclose(shares[0][0], 1.0)
    assert shares[0][1] == 0.0


def test_the_plane_is_that_of_the_two_most_predictive_numeric_columns():
    data = load_sample("iris")
    places, titles = plane_of_features(data, [2, 3, 0, 1])
    np.testing.assert_array_equal(places, data.X[:, [2, 3]])
    assert titles == data.feature_names[2:]


def test_without_two_numeric_columns_the_plane_is_that_of_principal_components():
    colours, shapes = ["blue", "green", "red"], ["flat", "round", "tall"]
    schema = Schema((Column("colour", "nominal", colours), Column("shape", "nominal", shapes)))
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"colour": generator.choice(colours, 40), "shape": generator.choice(shapes, 40)}
    )
    X = schema.encode(frame)
    places, titles = plane_of_features(rankings_of(X, schema), [0, 1])
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = PCA(2).fit_transform(scaled)
    np.testing.assert_allclose(np.abs(places), np.abs(expected), atol=1e-8)
    assert titles == ("first principal component", "second principal component")


def test_columns_of_two_numbers_span_no_plane():
    X = np.random.default_rng(0).integers(0, 2, size=(40, 3)).astype(float)
    schema = Schema((Column("a"), Column("b"), Column("c")))
    _, titles = plane_of_features(rankings_of(X, schema), [0, 1, 2])
    assert titles == ("first principal component", "second principal component")
    X[:, :2] += np.arange(40)[:, None]
    places, titles = plane_of_features(rankings_of(X, schema), [2, 1, 0])
    assert titles == ("b", "a")
    np.testing.assert_array_equal(places, X[:, [1, 0]])


def test_sparse_cases_lie_along_their_two_main_directions():
    """Cases of a few words, at any length, keep their cosines where two directions hold all."""
    X = np.array([[1.0, 0, 2], [2, 0, 4], [0, 3, 0], [1, 1, 2]])
    schema = Schema((Column("a"), Column("b"), Column("c")))
    data = rankings_of(sparse.csr_matrix(X), schema)
    places, titles = plane_of_features(data, [0, 1, 2])
    unit = X / np.linalg.norm(X, axis=1)[:, None]
    np.testing.assert_allclose(places @ places.T, unit @ unit.T, atol=1e-9)
    assert titles == ("first component", "second component")


def test_a_single_column_is_a_line():
    schema = Schema((Column("x"),))
    places, titles = plane_of_features(rankings_of(np.array([[3.0], [5.0]]), schema), [0])
    assert places.tolist() == [[3, 0], [5, 0]]
    assert titles == ("x", "")


def rankings_of(X, schema):
    return Dataset(
        X=X,
        Y=np.tile([1, 2], (X.shape[0], 1)),
        task=Task.LABEL_RANKING,
        feature_names=schema.feature_names,
        label_names=["a", "b"],
        name="n",
        schema=schema,
    )
