"""Shapley values of the support for a pair of labels, against their definition."""

from itertools import permutations

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    LabelRankingForest,
    MLkNNClassifier,
    SharedSubspaceClassifier,
    load_sample,
)
from labelrank_core.explain.contributions import MOST_EXACT, PairGame


def by_definition(support, x, background, groups):
    """The mean gain of each group over all orders and all background cases."""
    gains = np.zeros(len(groups))
    orders = list(permutations(range(len(groups))))
    for z in background:
        for order in orders:
            mixed = z.copy()
            before = support(mixed)
            for group in order:
                mixed[groups[group]] = x[groups[group]]
                after = support(mixed)
                gains[group] += after - before
                before = after
    return gains / (len(orders) * len(background))


def pair_share(model, a, b):
    scaler, estimator = model[:-1], model[-1]
    return lambda case: estimator.predict_pair_support(scaler.transform(case[None]))[0, a, b]


@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsLabelRanker(n_neighbors=5),
        KNeighborsLabelRanker(n_neighbors=7, weights="distance"),
        LabelRankingForest(n_estimators=3, random_state=0),
    ],
    ids=["knn", "weighted", "forest"],
)
def test_values_are_the_mean_gains_over_all_orders(estimator):
    data = load_sample("iris")
    model = make_pipeline(StandardScaler(), estimator).fit(data.X[10:], data.rankings[10:])
    background, x = data.X[20:150:50], data.X[0]
    for pair in ((0, 1), (2, 0)):
        found = PairGame(model, x, background).contributions(pair)
        expected = by_definition(
            pair_share(model, *pair), x, background, [[j] for j in range(len(x))]
        )
        np.testing.assert_allclose(found.values, expected, atol=1e-12)
        assert found.is_exact
        assert not found.errors.any()
        assert found.base + found.values.sum() == pytest.approx(found.total, abs=1e-12)
        assert found.total == pytest.approx(pair_share(model, *pair)(x))


@pytest.mark.parametrize("name", ["k-NN", "ML-kNN", "subspace"])
def test_a_single_label_is_a_game_too(name):
    """Support is the share of neighbours, the probability, or the score above its threshold."""
    data = load_sample("songs")
    X, Y, label = data.X[10:, :5], data.relevance[10:], 2
    model = {
        "k-NN": KNeighborsMultilabelRanker(n_neighbors=7),
        "ML-kNN": MLkNNClassifier(n_neighbors=7),
        "subspace": SharedSubspaceClassifier(threshold="zero"),
    }[name].fit(X, Y)

    def support(case):
        if name == "k-NN":
            nearest = np.argsort(((X - case) ** 2).sum(axis=1), kind="stable")[:7]
            return Y[nearest, label].mean()
        if name == "ML-kNN":
            return model.predict_proba(case[None])[0, label]
        return model.decision_function(case[None])[0, label]

    x, background = data.X[3, :5], X[20:150:50]
    contributions = PairGame(model, x, background).contributions((label, None))
    expected = by_definition(support, x, background, [[j] for j in range(len(x))])
    np.testing.assert_allclose(contributions.values, expected, atol=1e-9)
    assert contributions.total == pytest.approx(support(x))
    # More than that makes the label relevant.
    is_relevant = bool(model.predict(x[None])[0, label])
    assert (contributions.total > contributions.even) == is_relevant
    assert contributions.is_share == (name != "subspace")


def test_a_sparse_background_is_the_same_cases():
    data = load_sample("iris")
    model = LabelRankingForest(n_estimators=3, random_state=0).fit(data.X[10:], data.rankings[10:])
    dense, thin = (
        PairGame(model, data.X[0], background).contributions((0, 1))
        for background in (data.X[20:150:50], sparse.csr_matrix(data.X[20:150:50]))
    )
    np.testing.assert_array_equal(thin.values, dense.values)


def test_features_of_a_group_change_together_and_others_stay_as_they_are():
    data = load_sample("iris")
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=5))
    model.fit(data.X, data.rankings)
    x, background, groups = data.X[60], data.X[:100:25], [[0, 2], [3]]
    found = PairGame(model, x, background, groups=groups).contributions((1, 2))
    fixed = background.copy()
    fixed[:, 1] = x[1]
    expected = by_definition(pair_share(model, 1, 2), x, fixed, groups)
    np.testing.assert_allclose(found.values, expected, atol=1e-12)


def test_of_linear_scores_a_value_is_the_weight_times_the_difference_from_the_mean():
    data = load_sample("outings")
    model = SharedSubspaceClassifier(threshold="zero").fit(data.X, data.Y)
    x, background = data.X[0], data.X[3:7]
    found = PairGame(model, x, background).contributions((2, 0))
    weights = model.coef_[2] - model.coef_[0]
    np.testing.assert_allclose(found.values, weights * (x - background.mean(axis=0)), atol=1e-12)


def test_beyond_the_exact_number_of_features_orders_are_sampled_with_their_error():
    data = load_sample("vehicle")
    assert data.n_features > MOST_EXACT
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=10))
    model.fit(data.X[1:], data.rankings[1:])
    x, background = data.X[0], data.X[5:600:60]
    found = PairGame(model, x, background, n_rounds=4).contributions((0, 1))
    assert not found.is_exact
    share = pair_share(model, 0, 1)
    assert found.base == pytest.approx(np.mean([share(z) for z in background]))
    assert found.base + found.values.sum() == pytest.approx(found.total, abs=1e-12)
    # The same game on the six features with the largest values, exactly and sampled.
    wide = np.argsort(-np.abs(found.values))[:6]
    groups = [[int(j)] for j in wide]
    exact = PairGame(model, x, background, groups=groups).contributions((0, 1))
    sampled = PairGame(
        model, x, background, groups=groups, n_rounds=20, most_exact=2
    ).contributions((0, 1))
    assert not sampled.is_exact
    np.testing.assert_allclose(sampled.values, exact.values, atol=0.03)
    assert sampled.total == pytest.approx(exact.total)


def test_the_same_seed_gives_the_same_values():
    data = load_sample("vehicle")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    again = [PairGame(model, data.X[0], data.X[1:4]).contributions((0, 1)).values for _ in range(2)]
    np.testing.assert_array_equal(*again)


def test_a_game_gives_for_every_k_what_a_new_one_gives():
    data = load_sample("vehicle")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    game = PairGame(model, data.X[0], data.X[1:4])
    for k in (5, 9, 2):
        for pair in ((0, 1), (2, 3)):
            fresh = PairGame(model, data.X[0], data.X[1:4]).contributions(pair, n_neighbors=k)
            found = game.contributions(pair, n_neighbors=k)
            np.testing.assert_array_equal(found.values, fresh.values)
            assert (found.base, found.total) == (fresh.base, fresh.total)


def test_no_mixed_case_is_searched_for_twice(monkeypatch):
    data = load_sample("iris")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    searched = []
    path = KNeighborsLabelRanker.path
    monkeypatch.setattr(
        KNeighborsLabelRanker, "path", lambda self, X: searched.append(len(X)) or path(self, X)
    )
    game = PairGame(model, data.X[0], data.X[1:4])
    for k in (5, 6):
        game.contributions((0, 1), n_neighbors=k)
    assert searched == [3 * 16]
