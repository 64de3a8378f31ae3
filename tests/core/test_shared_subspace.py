import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import SharedSubspaceClassifier
from labelrank_core.rankings import calibrate, strict_positions
from tests.oracles_subspace import objective, solve

KERNELS = ["linear", "rbf", "poly", "precomputed"]


def problem(n, d, m, seed=0):
    """Labels that depend on the features, features of different spread."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)) * np.linspace(0.5, 2, d) + random.normal(size=d)
    Y = (X @ random.normal(size=(d, m)) + random.normal(size=(n, m)) > 0.5).astype(int)
    return X, Y


def signs(Y):
    return 2.0 * np.asarray(Y) - 1


def centred(values):
    return values - values.mean(axis=0)


SIZES = [(30, 6, 4), (8, 15, 4), (12, 12, 5), (40, 3, 6), (25, 4, 2), (6, 30, 7)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (1e-3, 1e-2), (10, 1e-3), (0.1, 2.0)])
def test_it_is_the_papers_solution(size, intercept, alpha, beta):
    X, Y = problem(*size, seed=sum(size))
    model = SharedSubspaceClassifier(alpha, beta=beta, fit_intercept=intercept, threshold="zero")
    model.fit(X, Y)
    cases, targets = (centred(X), centred(signs(Y))) if intercept else (X, signs(Y))
    theta, U = solve(cases, targets, alpha, beta, model.n_components_)
    np.testing.assert_allclose(model.coef_.T, U, atol=1e-9)
    projector = model.components_.T @ model.components_
    np.testing.assert_allclose(projector, theta.T @ theta, atol=1e-7)
    V = model.components_ @ model.coef_.T
    value = objective(cases, targets, model.coef_.T, V, model.components_, alpha, beta)
    assert model.objective_ == pytest.approx(value, abs=1e-10)


def test_the_components_are_orthonormal():
    for n, d, m in SIZES:
        theta = SharedSubspaceClassifier().fit(*problem(n, d, m)).components_
        np.testing.assert_allclose(theta @ theta.T, np.eye(len(theta)), atol=1e-12)


@pytest.mark.parametrize("size", [(30, 6, 4), (8, 15, 5)])
def test_no_perturbation_is_better(size):
    X, Y = problem(*size)
    alpha, beta = 0.3, 0.05
    model = SharedSubspaceClassifier(alpha, beta=beta, n_components=2).fit(X, Y)
    cases, targets = centred(X), centred(signs(Y))
    random = np.random.default_rng(0)
    for size in np.repeat([1e-3, 1e-2, 0.1, 1.0], 50):
        noise = size * random.normal(size=model.components_.shape)
        theta = np.linalg.qr((model.components_ + noise).T)[0].T
        U = model.coef_.T + size * random.normal(size=model.coef_.T.shape)
        value = objective(cases, targets, U, theta @ U, theta, alpha, beta)
        assert value >= model.objective_
        # The best U for the perturbed subspace, eq. 9.
        M = cases.T @ cases / len(X) + (alpha + beta) * np.eye(X.shape[1])
        U = np.linalg.solve(M - alpha * theta.T @ theta, cases.T @ targets) / len(X)
        value = objective(cases, targets, U, theta @ U, theta, alpha, beta)
        assert value >= model.objective_ - 1e-12


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("intercept", [True, False])
def test_without_alpha_it_is_ridge(size, intercept):
    X, Y = problem(*size)
    ridge = Ridge(alpha=len(X) * 0.07, fit_intercept=intercept).fit(X, signs(Y))
    model = SharedSubspaceClassifier(0, beta=0.07, fit_intercept=intercept).fit(X, Y)
    np.testing.assert_allclose(model.coef_, ridge.coef_, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, ridge.intercept_, atol=1e-10)
    np.testing.assert_allclose(model.raw_scores(X), ridge.predict(X), atol=1e-10)


def test_from_the_rank_on_it_is_ridge_and_says_so():
    X, Y = problem(30, 6, 4)
    Y[:, 3] = 1 - Y[:, 0]  # rank 3
    ridge = Ridge(alpha=30 * 0.07).fit(X, signs(Y))
    with pytest.warns(UserWarning, match="rank of XᵀY, 3: .*alpha does nothing"):
        model = SharedSubspaceClassifier(5.0, beta=0.07, n_components=3).fit(X, Y)
    np.testing.assert_allclose(model.coef_, ridge.coef_, atol=1e-10)
    with pytest.warns(UserWarning, match="n_components = 9"):
        assert SharedSubspaceClassifier(n_components=9).fit(X, Y).n_components_ == 3


def test_large_alpha_is_orthonormalised_pls():
    X, Y = problem(40, 6, 5)
    beta, r = 0.1, 2
    model = SharedSubspaceClassifier(1e9, beta=beta, n_components=r).fit(X, Y)
    cases, targets = centred(X), centred(signs(Y))
    # Eq. 29, then ridge regression in its subspace.
    scatter = cases.T @ cases / len(X) + beta * np.eye(6)
    values, vectors = np.linalg.eig(np.linalg.solve(scatter, cases.T @ targets @ targets.T @ cases))
    span = np.linalg.qr(vectors[:, np.argsort(-values.real)[:r]].real)[0]
    projector = model.components_.T @ model.components_
    np.testing.assert_allclose(projector, span @ span.T, atol=1e-7)
    inside = span @ np.linalg.solve(span.T @ scatter @ span, span.T @ cases.T @ targets) / len(X)
    np.testing.assert_allclose(model.coef_.T, inside, atol=1e-6)


def test_without_beta_it_is_ando_zhangs_formulation():
    X, Y = problem(40, 6, 5)
    model = SharedSubspaceClassifier(0.4, beta=0.0, n_components=2).fit(X, Y)
    _, U = solve(centred(X), centred(signs(Y)), 0.4, 0.0, 2)
    np.testing.assert_allclose(model.coef_.T, U, atol=1e-9)
    # Where d > n, the solution with all of U and Θ among the cases.
    X, Y = problem(10, 25, 4)
    model = SharedSubspaceClassifier(0.4, beta=0.0, n_components=2).fit(X, Y)
    limit = SharedSubspaceClassifier(0.4, beta=1e-12, n_components=2).fit(X, Y)
    np.testing.assert_allclose(model.coef_, limit.coef_, atol=1e-8)


@pytest.mark.parametrize("size", SIZES)
def test_sparse_cases_give_the_same(size):
    X, Y = problem(*size)
    X[np.random.default_rng(1).random(X.shape) < 0.6] = 0
    for r in (1, None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dense = SharedSubspaceClassifier(n_components=r).fit(X, Y)
            csr = SharedSubspaceClassifier(n_components=r).fit(sparse.csr_matrix(X), Y)
        np.testing.assert_allclose(csr.coef_, dense.coef_, atol=1e-9)
        np.testing.assert_allclose(csr.thresholds_, dense.thresholds_, atol=1e-9)
        scores = csr.decision_function(sparse.csr_array(X))
        np.testing.assert_allclose(scores, dense.decision_function(X), atol=1e-9)
        np.testing.assert_array_equal(csr.predict(sparse.csc_matrix(X)), dense.predict(X))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("intercept", [True, False])
def test_the_linear_kernel_by_way_of_its_matrix_is_the_same(size, intercept):
    X, Y = problem(*size)
    T, _ = problem(7, size[1], size[2], seed=5)
    linear = SharedSubspaceClassifier(fit_intercept=intercept).fit(X, Y)
    kernel = SharedSubspaceClassifier(kernel="precomputed", fit_intercept=intercept)
    kernel.fit(X @ X.T, Y)
    np.testing.assert_allclose(kernel.raw_scores(T @ X.T), linear.raw_scores(T), atol=1e-9)
    np.testing.assert_allclose(kernel.thresholds_, linear.thresholds_, atol=1e-9)
    assert kernel.objective_ == pytest.approx(linear.objective_, abs=1e-9)
    np.testing.assert_allclose(X.T @ kernel.dual_coef_, linear.coef_.T, atol=1e-9)


@pytest.mark.parametrize(("kernel", "params"), [("rbf", {"gamma": 0.3}), ("poly", {"degree": 2})])
def test_kernels_are_those_of_scikit_learn(kernel, params):
    X, Y = problem(30, 4, 5)
    T, _ = problem(9, 4, 5, seed=3)
    full = {"gamma": None, "degree": 3, "coef0": 1} | params
    own = SharedSubspaceClassifier(kernel=kernel, **params).fit(X, Y)
    matrix = SharedSubspaceClassifier(kernel="precomputed")
    matrix.fit(pairwise_kernels(X, metric=kernel, filter_params=True, **full), Y)
    across = pairwise_kernels(T, X, metric=kernel, filter_params=True, **full)
    np.testing.assert_allclose(own.decision_function(T), matrix.decision_function(across))
    csr = clone(own).fit(sparse.csr_matrix(X), Y)
    np.testing.assert_allclose(csr.decision_function(T), own.decision_function(T), atol=1e-9)
    np.testing.assert_allclose(across @ own.dual_coef_ + own.intercept_, own.raw_scores(T))


def test_a_quadratic_kernel_is_the_linear_one_on_the_squares():
    X, Y = problem(30, 3, 5)
    # (x·z)² is the inner product of all products of two features.
    products = np.einsum("ia,ib->iab", X, X).reshape(30, 9)
    kernel = SharedSubspaceClassifier(kernel="poly", degree=2, coef0=0, gamma=1.0).fit(X, Y)
    linear = SharedSubspaceClassifier().fit(products, Y)
    np.testing.assert_allclose(kernel.raw_scores(X), linear.raw_scores(products), atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_decision_prediction_and_ranking_agree(kernel):
    X, Y = problem(40, 6, 7)
    if kernel == "precomputed":
        X = X @ X.T
    model = SharedSubspaceClassifier(kernel=kernel).fit(X, Y)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), scores > 0)
    np.testing.assert_array_equal(model.predict_ranking(X), strict_positions(-scores))
    np.testing.assert_allclose(model.raw_scores(X) - model.thresholds_, scores, atol=1e-11)
    confidence = model.predict_confidence(X)
    assert ((confidence >= 0) & (confidence <= 1)).all()


def test_the_confidence_expects_the_share_of_right_decisions():
    X, Y = problem(4000, 6, 7)
    model = SharedSubspaceClassifier(threshold="zero").fit(X[:2000], Y[:2000])
    right = (model.predict(X[2000:]) == Y[2000:]).mean(axis=1)
    confidence = model.predict_confidence(X[2000:])
    assert confidence.mean() == pytest.approx(right.mean(), abs=0.1)
    sure = confidence >= np.median(confidence)
    assert right[sure].mean() > right[~sure].mean() + 0.05


def test_labels_with_the_same_targets_stand_by_index():
    X, Y = problem(50, 20, 5)
    Y[:, 3] = Y[:, 1]
    model = SharedSubspaceClassifier().fit(X, Y)
    ranking = model.predict_ranking(X)
    np.testing.assert_array_equal(ranking[:, 3], ranking[:, 1] + 1)
    for i in range(50):
        np.testing.assert_array_equal(model.predict_ranking(X[[i]])[0], ranking[i])


def test_the_default_number_of_components():
    # The paper's 5 ⌊(m − 1) / 5⌋ where the rank allows, at least 1, and below the rank.
    for m, d, expected in ((2, 9, 1), (4, 9, 1), (5, 9, 1), (6, 9, 5), (11, 30, 10), (11, 4, 3)):
        assert SharedSubspaceClassifier().fit(*problem(60, d, m)).n_components_ == expected


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("beta", [0.0, 0.01])
@pytest.mark.parametrize(
    "case", ["constant", "one constant", "duplicates", "none", "all", "two labels", "one row"]
)
def test_degenerate_data(case, kernel, beta):
    X, Y = problem(12, 5, 4)
    if case == "constant":
        X[:] = 0.1
    if case == "one constant":
        X[:, 2] = 1e6 + 0.1
    if case == "duplicates":
        X, Y = np.repeat(X[:3], 4, axis=0), np.repeat(Y[:3], 4, axis=0)
    if case in ("none", "all"):
        Y[:] = case == "all"
    if case == "two labels":
        Y = Y[:, :2]
    if case == "one row":
        X, Y = X[:1], Y[:1]
    if kernel == "precomputed":
        X = X @ X.T
    model = SharedSubspaceClassifier(beta=beta, kernel=kernel).fit(X, Y)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.abs(model.raw_scores(X)).max() < 1e4
    if case in ("none", "all", "one row"):
        np.testing.assert_array_equal(model.predict(X), Y)
    if case == "constant":
        np.testing.assert_allclose(model.raw_scores(X), signs(Y).mean(axis=0)[None] + 0 * X[:, :1])
    explained = model.explain(X[0])
    np.testing.assert_array_equal(explained.prediction, model.predict(X)[0])


@pytest.mark.parametrize("shift", [1e3, 1e6])
@pytest.mark.parametrize("size", [(30, 6, 4), (8, 15, 4)])
def test_a_shift_of_the_features_changes_nothing(size, shift):
    X, Y = problem(*size)
    scores = SharedSubspaceClassifier().fit(X, Y).decision_function(X)
    shifted = SharedSubspaceClassifier().fit(X + shift, Y).decision_function(X + shift)
    np.testing.assert_allclose(shifted, scores, atol=1e-13 * shift + 1e-9)


def test_renaming_labels_commutes_with_fitting():
    X, Y = problem(60, 8, 6)
    order = np.random.default_rng(0).permutation(6)
    scores = SharedSubspaceClassifier().fit(X, Y).decision_function(X)
    renamed = SharedSubspaceClassifier().fit(X, Y[:, order]).decision_function(X)
    np.testing.assert_allclose(renamed, scores[:, order], atol=1e-10)


def test_calibrated_rankings_are_used_through_their_relevance():
    X, Y = problem(30, 6, 4)
    model = SharedSubspaceClassifier().fit(X, Y)
    ranked = SharedSubspaceClassifier().fit(X, calibrate(Y))
    np.testing.assert_array_equal(ranked.decision_function(X), model.decision_function(X))
    assert ranked.score(X, calibrate(Y)) == model.score(X, Y)


def test_it_works_in_scikit_learns_tools():
    X, Y = problem(60, 6, 6)
    before = X.copy(), Y.copy()
    pipeline = make_pipeline(StandardScaler(), SharedSubspaceClassifier())
    grid = {"sharedsubspaceclassifier__alpha": [0.0, 1.0]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, Y)
    model = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(model.predict(X), search.predict(X))
    matrix = SharedSubspaceClassifier(kernel="precomputed")
    linear = GridSearchCV(SharedSubspaceClassifier(), {"beta": [0.1, 1.0]}, cv=3).fit(X, Y)
    kernel = GridSearchCV(matrix, {"beta": [0.1, 1.0]}, cv=3).fit(X @ X.T, Y)
    np.testing.assert_allclose(
        kernel.cv_results_["mean_test_score"], linear.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(Y, before[1])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"alpha": -1}, "alpha"),
        ({"beta": float("inf")}, "beta"),
        ({"n_components": 0}, "n_components"),
        ({"kernel": "cosine"}, "kernel"),
        ({"threshold": "best"}, "threshold"),
        ({"cv": 1}, "cv"),
    ],
)
def test_wrong_parameters_are_refused(params, message):
    with pytest.raises(ValueError, match=f"'{message}' parameter"):
        SharedSubspaceClassifier(**params).fit(*problem(10, 3, 3))


def test_wrong_arrays_are_refused():
    X, Y = problem(10, 3, 3)
    with pytest.raises(ValueError, match="as many rows in X as in Y, got 9 and 10"):
        SharedSubspaceClassifier().fit(X[:9], Y)
    with pytest.raises(ValueError, match="two labels"):
        SharedSubspaceClassifier().fit(X, Y[:, :1])
    with pytest.raises(ValueError, match=r"square precomputed kernel in X, got shape \(10, 3\)"):
        SharedSubspaceClassifier(kernel="precomputed").fit(X, Y)
    with pytest.raises(ValueError, match="has 2 features"):
        SharedSubspaceClassifier().fit(X, Y).predict(X[:, :2])


def test_kernel_values_that_overflow_are_refused():
    X, Y = problem(20, 3, 3)
    model = SharedSubspaceClassifier(kernel="poly", degree=6)
    with pytest.raises(ValueError, match="values of the kernel 'poly' up to"):
        model.fit(1e60 * X, Y)
    with pytest.raises(ValueError, match="lower degree"):
        model.fit(X, Y).predict(1e60 * X)


def test_a_caller_may_change_the_training_cases_afterwards():
    for kernel in ("linear", "rbf"):
        X, Y = problem(8, 15, 4)
        for cases in (X, sparse.csr_matrix(X)):
            model = SharedSubspaceClassifier(kernel=kernel).fit(cases, Y)
            query = X.copy()
            before = model.path(query).at(beta=0.5).scores
            cases *= 2
            np.testing.assert_array_equal(model.path(query).at(beta=0.5).scores, before)
