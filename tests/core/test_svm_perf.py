"""SVM-perf against all 2ⁿ constraints and a general optimiser."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from labelrank_core import SVMPerfClassifier
from labelrank_core.explain.evidence import ScoreParts
from labelrank_core.methods.linear._f1_machines import most_violated
from labelrank_core.metrics.thresholds import RULES
from tests.core.test_shared_subspace import problem
from tests.looped import seeds


@cache
def _vectors(signs):
    """Every vector y' with 1 - F1(y', y), as the definition of F1 says."""
    found = []
    for other in product([-1, 1], repeat=len(signs)):
        both = sum(a > 0 and b > 0 for a, b in zip(signs, other, strict=True))
        either = sum(a > 0 for a in signs) + sum(b > 0 for b in other)
        found.append((np.array(other), 1 - 2 * both / either))
    return found


def vectors(signs):
    return _vectors(tuple(signs))


def violation(scores, signs, other, loss):
    return loss - np.dot(signs - other, scores) / 2 / len(signs)


@seeds(12)
def test_the_most_violated_vector_is_that_of_all_vectors(seed):
    rng = np.random.default_rng(seed)
    signs = np.where(np.arange(8) < 1 + seed % 7, 1.0, -1.0)[rng.permutation(8)]
    # Whole numbers tie; small and large ones make losses or margins decide.
    scores = rng.integers(-3, 4, 8) if seed % 3 else rng.normal(size=8) * 10.0 ** (seed % 2)
    found = most_violated(scores.astype(float), signs)
    values = [violation(scores, signs, *each) for each in vectors(signs)]
    assert found.violation == pytest.approx(max(values), abs=1e-12)
    other = signs.copy()
    other[found.missed], other[found.false] = -1, 1
    (loss,) = [loss for each, loss in vectors(signs) if np.array_equal(each, other)]
    assert found.loss == pytest.approx(loss)
    assert violation(scores, signs, other, found.loss) == pytest.approx(max(values), abs=1e-12)


def objective(weights, X, signs, C):
    """The objective in the docstring, the slack from every constraint."""
    scores = X @ weights
    slack = max(violation(scores, signs, *each) for each in vectors(signs))
    return weights @ weights / 2 + 100 * C * slack


def optimum(X, signs, C):
    """The least objective: every constraint given to a general optimiser."""
    found = list(vectors(signs))
    planes = np.array([(signs - other) @ X / 2 / len(signs) for other, _ in found])
    losses = np.array([loss for _, loss in found])
    # In units in which weights and slack are about 1.
    rules = {
        "type": "ineq",
        "fun": lambda z: planes @ z[:-1] - losses + z[-1],
        "jac": lambda _: np.column_stack([planes, np.ones(len(losses))]),
    }
    result = minimize(
        lambda z: z[:-1] @ z[:-1] / 2 / (100 * C) + z[-1],
        np.append(np.zeros(X.shape[1]), 1.0),
        jac=lambda z: np.append(z[:-1] / (100 * C), 1.0),
        constraints=[rules],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    return 100 * C * result.fun


@pytest.mark.parametrize("C", [0.05, 1.0])
@seeds(3)
def test_the_objective_is_least_among_all_weights(C, seed):
    X, Y = problem(7, 2, 3, seed=seed)
    model = SVMPerfClassifier(C, tol=1e-6).fit(X, Y)
    with_ones = np.column_stack([X, np.ones(7)])
    for label in np.flatnonzero(np.ptp(Y, axis=0)):
        signs = 2.0 * Y[:, label] - 1
        found = np.append(model.coef_[label], model.intercept_[label])
        best = optimum(with_ones, signs, C)
        assert objective(found, with_ones, signs, C) <= best + 1e-4 * C + 1e-6 * best


def rare_label(noise):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    rare = (X[:, 0] + noise * rng.normal(size=400) > 1.9).astype(int)
    return X, np.column_stack([rare, 1 - rare])


def test_a_rare_label_that_can_be_told_apart_is_found():
    X, Y = rare_label(0.0)
    model = SVMPerfClassifier(1e5).fit(X, Y)
    assert np.array_equal(model.predict(X)[:, 0], Y[:, 0])


@pytest.mark.parametrize("C", [1.0, 5000.0])
def test_one_among_many_others_is_never_predicted_whatever_the_penalty(C):
    X, Y = rare_label(0.7)
    model = SVMPerfClassifier(C).fit(X, Y)
    assert not model.predict(X)[:, 0].any()
    assert most_violated(X[:, 0] - 1.5, 2.0 * Y[:, 0] - 1).violation > 1


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_cases_are_learned_like_dense_ones(form):
    X, Y = problem(30, 40, 3)
    X[X < 0.5] = 0
    dense, other = SVMPerfClassifier().fit(X, Y), SVMPerfClassifier().fit(form(X), Y)
    np.testing.assert_allclose(other.raw_scores(form(X)), dense.raw_scores(X), atol=1e-6)


@pytest.mark.parametrize("rule", list(RULES))
def test_a_point_with_another_rule_equals_a_fresh_fit(rule):
    X, Y = problem(30, 4, 3)
    point = SVMPerfClassifier(10.0).fit(X, Y).path(X).at(threshold=rule)
    fresh = SVMPerfClassifier(10.0, threshold=rule).fit(X, Y)
    np.testing.assert_array_equal(point.scores, fresh.decision_function(X))
    np.testing.assert_array_equal(point.prediction, fresh.predict(X))


def test_labels_that_all_or_no_rows_have_are_constant():
    X, Y = problem(20, 4, 4)
    Y[:, 1], Y[:, 2] = 0, 1
    model = SVMPerfClassifier().fit(X, Y)
    assert model.predict(X)[:, [1, 2]].tolist() == [[0, 1]] * 20
    assert not model.coef_[[1, 2]].any()
    assert model.intercept_[[1, 2]].tolist() == [-1, 1]


def test_features_of_any_size_are_learned_in_their_proportions():
    X, Y = problem(30, 4, 3)
    scaled = SVMPerfClassifier().fit(X * 2.0**20, Y)
    largest = np.abs(X).max() * 2.0**20
    factor = 2.0 ** np.ceil(np.log2(largest / 1000))
    again = SVMPerfClassifier().fit(X * 2.0**20 / factor, Y)
    np.testing.assert_allclose(scaled.coef_ * factor, again.coef_, rtol=0.3, atol=0.3)


def test_stopping_early_is_said():
    X, Y = problem(30, 4, 3)
    with pytest.warns(ConvergenceWarning, match="labels need more than max_iter=1 cutting planes"):
        SVMPerfClassifier(1000.0, max_iter=1).fit(X, Y)


def test_the_explanation_ends_in_the_prediction():
    X, Y = problem(30, 4, 3)
    model = SVMPerfClassifier().fit(X, Y)
    found = model.explain(X[3])
    parts = found.evidence(ScoreParts)
    np.testing.assert_allclose(parts.scores, model.raw_scores(X[3:4])[0], atol=1e-9)
    np.testing.assert_array_equal(found.prediction, model.predict(X)[3])
