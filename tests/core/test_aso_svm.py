"""ASO-SVM against naive turns: quadratic programs for machines, eigenvectors for the subspace."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from labelrank_core import ASOSVMClassifier
from labelrank_core.explain.evidence import ScoreParts, SubspaceView
from labelrank_core.methods.linear._alternation import INSIDE, leading_directions, learn_sharing
from labelrank_core.metrics.thresholds import RULES
from tests.core.test_shared_subspace import problem

# Rounds are counted here; most searches end before they have converged.
pytestmark = pytest.mark.filterwarnings("ignore:The last of max_iter")


def learned(X, signs, alpha, r, max_iter):
    return learn_sharing(X, signs, alpha, r, tol=0.0, max_iter=max_iter)


def program(X, signs, penalties):
    """Weights of one label by slacks and constraints, a general optimiser, and their mean slack."""
    n, d = X.shape
    rules = {
        "type": "ineq",
        "fun": lambda z: signs * (X @ z[:d] + z[d]) - 1 + z[d + 1 :],
        "jac": lambda _: np.column_stack([signs[:, None] * X, signs, np.eye(n)]),
    }
    found = minimize(
        lambda z: z[d + 1 :].mean() + z[:d] @ penalties @ z[:d],
        np.append(np.zeros(d + 1), np.ones(n)),
        jac=lambda z: np.concatenate([2 * penalties @ z[:d], [0.0], np.full(n, 1 / n)]),
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
        constraints=[rules],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    return found.x[:d], found.x[d + 1 :].mean()


def turns(X, signs, alpha, r, n_rounds):
    """The objective after each round, and the last subspace, (r, d)."""
    theta, objectives = np.zeros((0, X.shape[1])), []

    def penalties():
        within = theta.T @ theta
        return alpha * (np.eye(X.shape[1]) - within + INSIDE * within)

    for _ in range(n_rounds):
        solved = [program(X, column, penalties()) for column in signs.T]
        U = np.array([weights for weights, _ in solved])
        theta = np.linalg.eigh(U.T @ U)[1].T[::-1][:r]
        objectives.append(sum(slack + u @ penalties() @ u for u, slack in solved))
    return objectives, theta


@pytest.mark.parametrize("alpha", [0.05, 1.0])
def test_turns_reach_the_objective_of_exact_programs(alpha):
    X, Y = problem(14, 4, 3)
    signs = 2.0 * Y - 1
    spread = np.sqrt(X.var(axis=0).sum())
    objectives, theta = turns(X / spread, signs, alpha, 1, 2)
    found = [learned(X, signs, alpha, 1, n_rounds) for n_rounds in (1, 2)]
    np.testing.assert_allclose([each.objective for each in found], objectives, rtol=2e-3)
    assert abs(theta[0] @ leading_directions(found[-1].weights, 1)[:, 0]) > 0.999


def test_no_round_raises_the_objective():
    X, Y = problem(30, 6, 5)
    signs = 2.0 * Y - 1
    values = [learned(X, signs, 0.1, 2, n_rounds).objective for n_rounds in (1, 2, 4, 8)]
    assert (np.diff(values) <= 1e-6).all()


def test_own_parts_are_orthogonal_to_the_subspace_and_add_up_with_the_shared_ones():
    X, Y = problem(30, 6, 5)
    model = ASOSVMClassifier(n_components=2).fit(X, Y)
    theta = model.components_
    np.testing.assert_allclose(theta @ theta.T, np.eye(2), atol=1e-12)
    found = model.explain(X[4])
    parts = found.evidence(ScoreParts)
    assert list(parts.parts) == ["own part", "shared part"]
    np.testing.assert_allclose(theta @ parts.weights["own part"], 0, atol=1e-10)
    np.testing.assert_allclose(parts.scores, model.raw_scores(X[4:5])[0], atol=1e-9)
    np.testing.assert_allclose(found.evidence(SubspaceView).shared, parts.parts["shared part"])
    np.testing.assert_array_equal(found.prediction, model.predict(X)[4])


def test_of_as_many_dimensions_as_labels_nothing_is_left_outside():
    X, Y = problem(30, 6, 3)
    model = ASOSVMClassifier(n_components=20, max_iter=2).fit(X, Y)
    assert model.n_components_ == 3
    own = model.coef_ - model.coef_ @ model.components_.T @ model.components_
    np.testing.assert_allclose(own, 0, atol=1e-10)


def test_sparse_cases_are_learned_like_dense_ones():
    X, Y = problem(30, 12, 3)
    X[X < 0.5] = 0
    dense, other = ASOSVMClassifier().fit(X, Y), ASOSVMClassifier().fit(sparse.csr_matrix(X), Y)
    np.testing.assert_allclose(other.raw_scores(X), dense.raw_scores(X), atol=1e-10)


@pytest.mark.parametrize("rule", list(RULES))
def test_a_point_with_another_rule_equals_a_fresh_fit(rule):
    X, Y = problem(30, 4, 3)
    point = ASOSVMClassifier().fit(X, Y).path(X).at(threshold=rule)
    fresh = ASOSVMClassifier(threshold=rule).fit(X, Y)
    np.testing.assert_array_equal(point.scores, fresh.decision_function(X))
    np.testing.assert_array_equal(point.prediction, fresh.predict(X))


def test_labels_that_all_or_no_rows_have_are_constant():
    X, Y = problem(20, 4, 4)
    Y[:, 1], Y[:, 2] = 0, 1
    model = ASOSVMClassifier().fit(X, Y)
    assert model.predict(X)[:, [1, 2]].tolist() == [[0, 1]] * 20
    assert not model.coef_[[1, 2]].any()
    assert model.intercept_[[1, 2]].tolist() == [-1, 1]


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**40])
def test_features_of_any_size_are_learned_alike(factor):
    X, Y = problem(30, 4, 3)
    model, other = ASOSVMClassifier().fit(X, Y), ASOSVMClassifier().fit(X * factor, Y)
    np.testing.assert_allclose(other.raw_scores(X * factor), model.raw_scores(X), atol=1e-9)
    assert other.objective_ == pytest.approx(model.objective_)


def test_equal_labels_share_one_direction():
    X, Y = problem(30, 4, 1)
    model = ASOSVMClassifier(n_components=2).fit(X, np.column_stack([Y, Y]))
    assert model.n_components_ == 1
    np.testing.assert_array_equal(*model.raw_scores(X).T)
