"""Linear utilities: constraint classification and log-linear models against plain loops."""

from math import exp, log, log1p

import numpy as np
import pytest
from scipy.optimize import minimize

from labelrank_core.explain.evidence import PairMatrix, PairParts
from labelrank_core.methods.linear import ConstraintClassificationRanker, LogLinearRanker
from labelrank_core.methods.linear._utilities import incidence
from labelrank_core.methods.linear.constraint_classification import perceptron
from labelrank_core.methods.pairs import pair_signs
from tests.core.test_pairwise import problem, random_problems

NAN = float("nan")


def preferences(y):
    """The pairs that a ranking orders, the preferred label first."""
    m = len(y)
    return [(i, j) for i in range(m) for j in range(m) if y[i] < y[j]]


def naive_loss(flat, X, Y, penalty):
    """The objective as the docstring has it."""
    m = Y.shape[1]
    W = flat.reshape(X.shape[1] + 1, m)
    total = 0.0
    for x, y in zip(X, Y, strict=True):
        f = [sum(x[k] * W[k, i] for k in range(len(x))) + W[-1, i] for i in range(m)]
        own = preferences(y)
        for i, j in own:
            total += log1p(exp(f[j] - f[i])) / len(own) / len(X)
    return total + penalty / 2 * float((flat**2).sum())


class TestLogLinear:
    def test_the_minimum_is_that_of_the_plain_formula(self):
        for X, Y, _ in random_problems(6):
            X, Y = X[:12, :2], Y[:12]
            model = LogLinearRanker(0.05).fit(X, Y)
            start = np.zeros(3 * Y.shape[1])
            found = minimize(naive_loss, start, args=(X, Y, 0.05), tol=1e-10)
            assert model.objective_ == pytest.approx(found.fun, abs=1e-7)
            weights = np.column_stack([model.coef_, model.intercept_]).T
            assert naive_loss(weights.ravel(), X, Y, 0.05) == pytest.approx(model.objective_)
            np.testing.assert_allclose(weights.ravel(), found.x, atol=1e-4)

    def test_by_hand(self):
        # Two labels, one case at 0: u = b_a - b_b minimises log(1 + exp(-u)) + penalty u² / 4.
        model = LogLinearRanker(0.5).fit([[0.0]], [[1, 2]])
        u = 0.0
        for _ in range(100):
            u = 0.5 * u + 0.5 * 4 / (1 + exp(u))
        assert model.intercept_.tolist() == pytest.approx([u / 2, -u / 2], abs=1e-6)
        assert model.coef_.tolist() == [[0], [0]]
        assert model.predict_confidence([[3.0]])[0] == pytest.approx(1 / (1 + exp(-u)))
        assert model.objective_ == pytest.approx(log(1 + exp(-u)) + 0.5 * u * u / 4)

    def test_a_label_nobody_ranks_has_utility_0(self):
        model = LogLinearRanker().fit([[0.0], [1.0]], [[1, NAN, 2], [1, NAN, 2]])
        assert model.coef_[1].tolist() == [0]
        assert model.intercept_[1] == 0
        assert model.predict([[0.5]]).tolist() == [[1, 2, 3]]

    def test_small_parts_give_the_same(self, monkeypatch):
        X, Y, _ = problem(np.random.default_rng(0))
        whole = LogLinearRanker(0.01).fit(X, Y)
        monkeypatch.setattr("labelrank_core.methods.linear.log_linear.CHUNK_CELLS", 20)
        parts = LogLinearRanker(0.01).fit(X, Y)
        np.testing.assert_allclose(parts.coef_, whole.coef_, atol=1e-6)


def naive_perceptron(X, Y, orders, max_updates):
    """Kesler's construction, a step a case; the mean of the weights after every step."""
    d, m = X.shape[1], Y.shape[1]
    W, steps, times, n_updates = np.zeros((d, m)), [], {}, 0
    for order in orders:
        for case in order:
            violated = [
                (i, j)
                for i, j in preferences(Y[case])
                if X[case] @ (W[:, i] - W[:, j]) <= 1e-12
                and (max_updates is None or times.get((case, i, j), 0) < max_updates)
            ]
            for i, j in violated:
                W[:, i] += X[case]
                W[:, j] -= X[case]
                times[case, i, j] = times.get((case, i, j), 0) + 1
                n_updates += 1
            steps.append(W.copy())
    return np.mean(steps, axis=0), n_updates


class TestConstraints:
    def test_the_weights_are_those_of_the_plain_perceptron(self):
        for seed, (X, Y, _) in enumerate(random_problems(12)):
            # Whole numbers, so that what is 0 is 0.
            design = np.column_stack([np.round(3 * X), np.ones(len(X))])
            rng = np.random.default_rng(seed)
            orders = [rng.permutation(len(X)) for _ in range(3)]
            bound = (None, 1, 2)[seed % 3]
            signs = np.nan_to_num(pair_signs(Y))
            found, n_updates = perceptron(design, signs, incidence(Y.shape[1]), orders, bound)
            expected, n_expected = naive_perceptron(design, Y, orders, bound)
            np.testing.assert_allclose(found, expected, atol=1e-9)
            assert n_updates == n_expected

    def test_separable_preferences_are_learned_without_error(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(40, 3))
        worth = X @ rng.normal(size=(3, 4))
        Y = np.argsort(np.argsort(-worth, axis=1), axis=1) + 1
        model = ConstraintClassificationRanker(n_epochs=100).fit(X, Y)
        assert (model.predict(X) == Y).mean() > 0.9

    def test_the_unit_fits_the_preferences_best(self):
        X, Y, _ = problem(np.random.default_rng(0))
        model = ConstraintClassificationRanker().fit(X, Y)
        utilities = X @ model.coef_.T + model.intercept_

        def lost(factor):
            pairs = [
                (u, i, j) for u, y in zip(utilities, Y, strict=True) for i, j in preferences(y)
            ]
            truth = (len(pairs) + 1) / (len(pairs) + 2)
            return sum(
                truth * log1p(exp(-factor * (u[i] - u[j])))
                + (1 - truth) * log1p(exp(factor * (u[i] - u[j])))
                for u, i, j in pairs
            )

        assert lost(1.0) <= min(lost(0.97), lost(1.03))

    def test_cases_that_say_nothing_give_no_update(self):
        model = ConstraintClassificationRanker().fit([[1.0], [2.0]], [[1, 1], [NAN, 1]])
        assert model.n_updates_ == 0
        assert model.predict([[1.0]]).tolist() == [[1, 2]]
        assert model.predict_confidence([[1.0]]).tolist() == [0.5]


@pytest.mark.parametrize("kind", [LogLinearRanker, ConstraintClassificationRanker])
def test_utilities_order_labels_and_say_how_likely_each_pair_is(kind):
    for X, Y, queries in random_problems(4):
        model = kind().fit(X, Y)
        utilities = queries @ model.coef_.T + model.intercept_
        for x, own, positions, support, sure in zip(
            queries,
            utilities,
            model.predict(queries),
            model.predict_pair_support(queries),
            model.predict_confidence(queries),
            strict=True,
        ):
            assert np.argsort(positions).tolist() == np.argsort(-own, kind="stable").tolist()
            m = len(own)
            ahead = []
            for i in range(m):
                for j in range(m):
                    assert support[i, j] == pytest.approx(1 / (1 + exp(own[j] - own[i])))
                    if positions[i] < positions[j]:
                        ahead.append(support[i, j])
            assert sure == pytest.approx(np.mean(ahead))
            explanation = model.explain(x)
            assert explanation.evidence(PairMatrix).against == []
            assert explanation.evidence(PairMatrix).cycles == []
            parts = explanation.evidence(PairParts)
            assert parts.total(0, m - 1) == pytest.approx(own[0] - own[m - 1])


@pytest.mark.parametrize("kind", [LogLinearRanker, ConstraintClassificationRanker])
def test_the_order_turns_just_where_two_utilities_meet(kind):
    X, Y, queries = problem(np.random.default_rng(2))
    model = kind().fit(X, Y)
    for x in queries:
        places = model.point(x[None]).breakpoints(x, 0, (-3.0, 3.0))
        grid = np.linspace(-3, 3, 2001)
        cases = np.tile(x, (len(grid), 1))
        cases[:, 0] = grid
        turned = np.flatnonzero((np.diff(model.predict(cases), axis=0) != 0).any(axis=1))
        assert all(((grid[t] <= places) & (places <= grid[t + 1])).any() for t in turned)
        assert len(places) <= 6
