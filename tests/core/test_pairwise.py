"""Ranking by pairs: every method against its definition, pair by pair in plain loops."""

from math import exp

import numpy as np
import pytest
from scipy.special import expit
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC

from labelrank_core.explain.evidence import PairMatrix, PairParts
from labelrank_core.methods.pairs import observed_shares, pair_signs, square, summed
from labelrank_core.methods.pairwise import (
    KernelPairwiseRanker,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    PairwiseSVMRanker,
)
from labelrank_core.methods.pairwise.kernel import PENALTIES
from labelrank_core.metrics import kendall_tau_score

NAN = float("nan")


def problem(rng, *, tied=False, missing=0.0, n_rows=30, n_labels=4, n_features=3):
    """Rankings that depend on the features, with ties and labels that are not ranked."""
    X = rng.normal(size=(n_rows, n_features))
    worth = X @ rng.normal(size=(n_features, n_labels)) + rng.normal(size=(n_rows, n_labels))
    worth = worth.round() if tied else worth
    worth[rng.random(worth.shape) < missing] = NAN
    Y = np.full(worth.shape, NAN)
    for row, own in zip(Y, worth, strict=True):
        ranked = ~np.isnan(own)
        row[ranked] = np.unique(-own[ranked], return_inverse=True)[1] + 1
    return X, Y, rng.normal(size=(5, n_features))


def random_problems(n):
    """Problems of all kinds: strict, tied, with a third and with two thirds left out."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        n_labels = int(rng.integers(2, 6))
        missing = (0.0, 0.3, 0.6)[seed % 3]
        yield problem(rng, tied=seed % 2 == 1, missing=missing, n_labels=n_labels)


def naive_targets(Y, i, j):
    """The rows that prefer one of two labels, and whether it is the first."""
    rows = [r for r, y in enumerate(Y) if y[i] < y[j] or y[i] > y[j]]
    return rows, [int(Y[r][i] < Y[r][j]) for r in rows]


def naive_pairs(Y, queries, probability):
    """The preference matrix of every query, from a function that learns one pair."""
    m = Y.shape[1]
    found = np.full((len(queries), m, m), 0.5)
    for i in range(m):
        for j in range(i + 1, m):
            rows, targets = naive_targets(Y, i, j)
            if not rows:
                own = np.full(len(queries), 0.5)
            elif len(set(targets)) == 1:
                own = np.full(len(queries), float(targets[0]))
            else:
                own = probability(rows, targets, i, j)
            found[:, i, j], found[:, j, i] = own, 1 - own
    return found


def naive_design(X, cases, n_knots):
    """The cubic splines of every feature by their recursion (Cox, de Boor)."""
    columns = []
    for j in range(X.shape[1]):
        quantiles = np.quantile(X[:, j], np.linspace(0, 1, n_knots))
        t = [quantiles[0]] * 3 + list(quantiles) + [quantiles[-1]] * 3

        def spline(x, i, degree, t=t):
            if degree == 0:
                last = max(k for k in range(len(t) - 1) if t[k] < t[k + 1] and t[k] <= x)
                return float(i == last)
            found = 0.0
            if t[i + degree] > t[i]:
                found += (x - t[i]) / (t[i + degree] - t[i]) * spline(x, i, degree - 1)
            if t[i + degree + 1] > t[i + 1]:
                right = (t[i + degree + 1] - x) / (t[i + degree + 1] - t[i + 1])
                found += right * spline(x, i + 1, degree - 1)
            return found

        for i in range(n_knots + 2):
            flat = t[0] == t[-1]
            values = np.clip(cases[:, j], t[0], t[-1])
            columns.append([0.0 if flat else spline(x, i, 3) for x in values])
    return np.array(columns).T


def naive_order(matrix):
    """Positions by summed preferences, ties by label index."""
    m = len(matrix)
    sums = [round(sum(matrix[i][j] for j in range(m) if j != i), 9) for i in range(m)]
    order = sorted(range(m), key=lambda label: (-sums[label], label))
    return [order.index(label) + 1 for label in range(m)]


def naive_confidence(matrix, positions):
    """The mean preference for the label that is ahead."""
    m = len(matrix)
    ahead = [matrix[i][j] for i in range(m) for j in range(m) if positions[i] < positions[j]]
    return sum(ahead) / len(ahead)


def assert_follows(model, queries, matrices, atol):
    """Preferences, order, confidence and explanation are those of the naive matrices."""
    np.testing.assert_allclose(model.predict_pair_support(queries), matrices, atol=atol)
    predicted = model.predict(queries)
    exact = model.predict_pair_support(queries)
    for x, own, positions, sure in zip(
        queries, exact, predicted, model.predict_confidence(queries), strict=True
    ):
        assert positions.tolist() == naive_order(own)
        assert sure == pytest.approx(naive_confidence(own, positions))
        explanation = model.explain(x)
        assert explanation.positions.tolist() == positions.tolist()
        shown = explanation.evidence(PairMatrix)
        np.testing.assert_array_equal(shown.preferences, own)


class TestPairs:
    def test_signs_and_sums_by_hand(self):
        # Pairs ab, ac, bc. First row: b before a = c; second: c not ranked.
        signs = pair_signs(np.array([[2.0, 1.0, 2.0], [1.0, 2.0, NAN]]))
        np.testing.assert_array_equal(signs, [[-1, 0, 1], [1, NAN, NAN]])
        # ab: 1 of 2 prefers a; ac: a tie, no preference; bc: 1 of 1 prefers b.
        observed = observed_shares(signs, 3)
        np.testing.assert_array_equal(observed, [[0.5, 0.5, NAN], [0.5, 0.5, 1], [NAN, 0, 0.5]])
        # a: .8 + .4; b: .2 + .9; c: .6 + .1.
        pairs = np.array([[0.8, 0.4, 0.9]])
        assert summed(pairs, 3)[0] == pytest.approx([1.2, 1.1, 0.7])
        assert square(pairs, 3)[0, 2] == pytest.approx([0.6, 0.1, 0.5])

    def test_sums_are_those_of_the_matrix(self):
        rng = np.random.default_rng(0)
        for m in (2, 3, 7):
            pairs = rng.random((4, m * (m - 1) // 2))
            expected = square(pairs, m).sum(axis=2) - 0.5
            np.testing.assert_allclose(summed(pairs, m), expected)


class TestEvidence:
    # a beats b, b beats c, c beats a; d loses to all.
    CYCLE = np.array([[0.5, 0.9, 0.4, 1], [0.1, 0.5, 0.8, 1], [0.6, 0.2, 0.5, 1], [0, 0, 0, 0.5]])

    def test_a_cycle_and_what_contradicts_the_ranking_are_named(self):
        matrix = PairMatrix(self.CYCLE, np.array([1, 2, 3, 4]), np.full((4, 4), NAN))
        assert matrix.cycles == [(0, 1, 2)]
        assert matrix.against == [(0, 2)]
        table = matrix.frame("abcd")
        assert table["in a cycle"].tolist() == [True, True, False, True, False, False]
        assert table["against the ranking"].tolist() == [False, True, *[False] * 4]

    def test_an_even_pair_ties_nothing_together(self):
        even = np.full((3, 3), 0.5)
        matrix = PairMatrix(even, np.array([2, 1, 3]), even)
        assert matrix.cycles == []
        assert matrix.against == []

    def test_parts_add_up_and_turn_with_the_pair(self):
        rng = np.random.default_rng(1)
        m, inputs = 4, rng.normal(size=5)
        weights, baseline = rng.normal(size=(5, 6)), rng.normal(size=6)
        parts = PairParts("sum", baseline, inputs, weights, np.array([3, 1, 4, 2]))
        for pair, (i, j) in enumerate(zip(*np.triu_indices(m, 1), strict=True)):
            total = baseline[pair] + inputs @ weights[:, pair]
            assert parts.total(i, j) == pytest.approx(total)
            assert parts.total(j, i) == pytest.approx(-total)
            for groups in (None, [0, 0, 1, 2, 2]):
                table = parts.contributions(j, i, n_largest=2, groups=groups)
                assert len(table) == 3
                assert table["adds"].sum() == pytest.approx(baseline[pair] - total)
        table = parts.frame("abcd")
        assert table[["ahead", "behind"]].to_numpy().tolist()[0] == ["b", "d"]
        assert table["sum"][0] == pytest.approx(parts.total(1, 3))


class TestComparison:
    def test_every_pair_is_the_logistic_regression_of_its_cases(self):
        for X, Y, queries in random_problems(6):

            def learned(rows, targets, i, j, X=X, queries=queries):  # noqa: ARG001
                model = LogisticRegression(C=0.7, tol=1e-10, max_iter=10_000)
                return model.fit(X[rows], targets).predict_proba(queries)[:, 1]

            model = PairwiseLabelRanker(0.7).fit(X, Y)
            matrices = naive_pairs(Y, queries, learned)
            assert_follows(model, queries, matrices, 1e-5)
            # Votes of the same models.
            votes = (np.sign(matrices - 0.5) + 1) / 2
            binary = PairwiseLabelRanker(0.7, voting="binary").fit(X, Y)
            assert_follows(binary, queries, votes, 0)
            point = model.path(queries).at(voting="binary")
            np.testing.assert_array_equal(point.scores, binary.point(queries).scores)

    def test_by_hand(self):
        # a before b for the first two rows, b before a for the others; c is last throughout.
        X, Y = [[-1.0], [-1.0], [1.0], [1.0]], [[1, 2, 3], [1, 2, 3], [2, 1, 3], [2, 1, 3]]
        model = PairwiseLabelRanker(1.0).fit(X, Y)
        (point,) = model.predict_pair_support([[-1.0]])
        # Log-odds -w x without intercept, where w solves w = 4 / (1 + exp(w)).
        w = 1.0
        for _ in range(200):
            w = 0.5 * w + 0.5 * 4 / (1 + exp(w))
        p = 1 / (1 + exp(-w))
        np.testing.assert_allclose(point, [[0.5, p, 1], [1 - p, 0.5, 1], [0, 0, 0.5]], atol=1e-7)
        assert model.point([[-1.0]]).scores[0] == pytest.approx([1 + p, 2 - p, 0])
        assert model.predict_confidence([[-1.0]])[0] == pytest.approx((p + 2) / 3)
        assert model.coef_[:, 0].tolist() == pytest.approx([-w, 0, 0])
        assert model.intercept_[1:].tolist() == [np.inf, np.inf]

    def test_a_label_nobody_ranks_counts_one_half_against_all(self):
        X, Y = [[0.0], [1.0], [2.0]], [[1, 2, NAN], [1, 2, NAN], [2, 1, NAN]]
        (support,) = PairwiseLabelRanker().fit(X, Y).predict_pair_support([[0.0]])
        assert support[2].tolist() == [0.5, 0.5, 0.5]

    def test_rankings_that_say_nothing_tie_all_labels(self):
        X, Y = [[0.0], [1.0]], [[1, 1, 1], [NAN, NAN, NAN]]
        model = PairwiseLabelRanker().fit(X, Y)
        assert model.predict([[5.0]]).tolist() == [[1, 2, 3]]
        assert model.predict_confidence([[5.0]]).tolist() == [0.5]

    def test_unanimous_rankings_are_predicted_with_certainty(self):
        X = np.arange(5.0)[:, None]
        model = PairwiseLabelRanker().fit(X, [[2, 3, 1]] * 5)
        assert model.predict([[9.0]]).tolist() == [[2, 3, 1]]
        assert model.predict_confidence([[9.0]]).tolist() == [1]
        assert np.isinf(model.explain([9.0]).evidence(PairParts).baseline).all()

    def test_any_classifier_may_learn_the_pairs(self):
        for X, Y, queries in random_problems(3):

            def learned(rows, targets, i, j, X=X, queries=queries):  # noqa: ARG001
                return GaussianNB().fit(X[rows], targets).predict_proba(queries)[:, 1]

            model = PairwiseLabelRanker(estimator=GaussianNB()).fit(X, Y)
            assert_follows(model, queries, naive_pairs(Y, queries, learned), 1e-9)

    def test_the_parts_are_the_log_odds(self):
        X, Y, queries = problem(np.random.default_rng(0))
        model = PairwiseLabelRanker().fit(X, Y)
        for x, support in zip(queries, model.predict_pair_support(queries), strict=True):
            parts = model.explain(x).evidence(PairParts)
            for i in range(4):
                for j in range(4):
                    if i != j:
                        assert expit(parts.total(i, j)) == pytest.approx(support[i, j])

    def test_with_curves_it_is_the_logistic_regression_on_their_splines(self):
        for seed, (X, Y, queries) in enumerate(random_problems(3)):
            X[:, 1] = 7.0
            X[: len(X) // 2, 2] = X[0, 2]  # several quantiles at once
            n_knots = 3 + seed
            design = naive_design(X, X, n_knots)
            means, sizes = design.mean(axis=0), design.std(axis=0)
            vary = sizes > 1e-9
            own, asked = (
                ((each - means) / np.where(vary, sizes, 1))[:, vary]
                for each in (design, naive_design(X, queries, n_knots))
            )

            def learned(rows, targets, i, j, own=own, asked=asked):  # noqa: ARG001
                model = LogisticRegression(C=0.7, tol=1e-10, max_iter=10_000)
                return model.fit(own[rows], targets).predict_proba(asked)[:, 1]

            model = PairwiseLabelRanker(0.7, n_knots=n_knots).fit(X, Y)
            assert_follows(model, queries, naive_pairs(Y, queries, learned), 1e-5)
            assert not np.isin(1, model._pairs.basis.features)

    def test_curves_find_a_label_that_is_best_in_the_middle(self):
        X = np.linspace(-1, 1, 40)[:, None]
        Y = np.where(np.abs(X) < 0.5, [[1, 2]], [[2, 1]])
        assert PairwiseLabelRanker().fit(X, Y).score(X, Y) < 0.5
        assert PairwiseLabelRanker(n_knots=3).fit(X, Y).score(X, Y) == 1

    def test_the_parts_of_curves_are_the_log_odds(self):
        X, Y, queries = problem(np.random.default_rng(0))
        queries[0] = X.mean(axis=0)
        model = PairwiseLabelRanker(n_knots=4).fit(X, Y)
        for x, support in zip(queries, model.predict_pair_support(queries), strict=True):
            parts = model.explain(x).evidence(PairParts)
            assert expit(parts.total(1, 3)) == pytest.approx(support[1, 3])
            # One feature moved from its mean alone adds what it adds here.
            alone = X.mean(axis=0)
            alone[2] = x[2]
            moved = model.explain(alone).evidence(PairParts)
            adds = parts.inputs * parts.weights[:, 4]
            assert moved.total(1, 3) - parts.baseline[4] == pytest.approx(adds[2])

    def test_large_features_are_learned_on_a_smaller_scale(self):
        X, Y, queries = problem(np.random.default_rng(3))
        large, small = 1e9 * X, 1e9 * X / 2.0**22
        assert 500 < np.abs(small).max() <= 1000
        model = PairwiseLabelRanker(1.0).fit(large, Y)
        expected = PairwiseLabelRanker(1.0).fit(small, Y)
        np.testing.assert_allclose(
            model.predict_pair_support(1e9 * queries),
            expected.predict_pair_support(1e9 * queries / 2.0**22),
            atol=1e-6,
        )


def naive_signs(Y, queries, predicted):
    """What is predicted for every pair, from a function that learns one; ties have target 0."""
    m = Y.shape[1]
    found = np.zeros((len(queries), m, m))
    for i in range(m):
        for j in range(i + 1, m):
            rows = [r for r, y in enumerate(Y) if not np.isnan(y[[i, j]]).any()]
            targets = [float(np.sign(Y[r][j] - Y[r][i])) for r in rows]
            if rows:
                found[:, i, j] = predicted(rows, targets)
                found[:, j, i] = -found[:, i, j]
    return found


class TestKernel:
    def test_every_pair_is_the_kernel_ridge_of_its_cases(self):
        for seed, (X, Y, queries) in enumerate(random_problems(12)):
            kernel = ("rbf", "linear")[seed % 4 == 3]
            params = {"gamma": 0.3} if kernel == "rbf" else {}

            def predicted(rows, targets, X=X, queries=queries, kernel=kernel, params=params):
                model = KernelRidge(alpha=0.2, kernel=kernel, **params)
                return model.fit(X[rows], targets).predict(queries)

            model = KernelPairwiseRanker(0.2, kernel=kernel, **params).fit(X, Y)
            signs = naive_signs(Y, queries, predicted)
            for point in (model.point(queries), model.path(queries).at(penalty=0.2)):
                support = np.clip((1 + signs) / 2, 0, 1)
                np.testing.assert_allclose(point.pair_support(), support, atol=1e-9)
                own = (1 + signs).sum(axis=2) / 2 - 0.5
                np.testing.assert_allclose(point.scores, own, atol=1e-9)

    def test_leave_one_out_in_closed_form_is_leaving_out(self):
        for X, Y, _ in random_problems(3):
            X, Y = X[:10], Y[:10]
            model = KernelPairwiseRanker().fit(X, Y)
            best = []
            for penalty in PENALTIES:
                predicted = []
                for left_out in range(len(X)):
                    others = np.arange(len(X)) != left_out
                    fresh = KernelPairwiseRanker(penalty).fit(X[others], Y[others])
                    predicted.append(fresh.predict(X[[left_out]])[0])
                best.append(kendall_tau_score(Y, np.array(predicted)))
            assert model.penalty_ == PENALTIES[int(np.argmax(np.round(best, 9)))]

    def test_every_penalty_of_a_path_is_a_fresh_fit(self, monkeypatch):
        for kept in (1 << 24, 0):
            monkeypatch.setattr("labelrank_core.methods.pairwise.kernel._KEPT_CELLS", kept)
            for X, Y, queries in random_problems(4):
                path = KernelPairwiseRanker().fit(X, Y).path(queries)
                for penalty in (1e-3, 0.5, 1.0, 100.0):
                    fresh = KernelPairwiseRanker(penalty).fit(X, Y).point(queries)
                    np.testing.assert_allclose(
                        path.at(penalty=penalty).scores, fresh.scores, atol=1e-8
                    )

    def test_many_cases_are_predicted_block_by_block_alike(self, monkeypatch):
        X, Y, queries = problem(np.random.default_rng(0))
        for model in (KernelPairwiseRanker(0.1), PairwiseSVMRanker(kernel="rbf")):
            whole = model.fit(X, Y).point(queries)
            with monkeypatch.context() as patched:
                for module in ("pairwise.kernel", "machines"):
                    name = f"labelrank_core.methods.{module}._BLOCK_CELLS"
                    patched.setattr(name, 2 * len(X))
                np.testing.assert_array_equal(model.point(queries).scores, whole.scores)

    def test_by_hand(self):
        # One case, similarity 1 to itself: every sign is y / (1 + penalty).
        model = KernelPairwiseRanker(0.25).fit([[2.0]], [[1, 3, 2]])
        assert model.dual_coef_.tolist() == [[0.8, 0.8, -0.8]]
        assert model.predict([[2.0]]).tolist() == [[1, 3, 2]]
        assert model.predict_confidence([[2.0]]) == pytest.approx([0.9])
        # Far away nothing is known.
        assert model.predict([[1e3]]).tolist() == [[1, 2, 3]]
        assert model.predict_confidence([[1e3]]).tolist() == [0.5]

    def test_the_parts_are_the_predicted_signs(self):
        X, Y, queries = problem(np.random.default_rng(0), missing=0.3)
        model = KernelPairwiseRanker(1.0).fit(X, Y)
        for x, support in zip(queries, model.predict_pair_support(queries), strict=True):
            parts = model.explain(x).evidence(PairParts)
            assert parts.input_kind == "training row"
            assert (1 + parts.total(2, 1)) / 2 == pytest.approx(support[2, 1])


class TestMachines:
    def test_every_pair_is_the_machine_of_its_cases(self):
        for seed, (X, Y, queries) in enumerate(random_problems(12)):
            if seed % 3 == 0:
                model = PairwiseSVMRanker(2.0, kernel="rbf", gamma=0.4)
                machine = SVC(C=2.0, gamma=0.4)
            elif seed % 3 == 1:
                model = PairwiseSVMRanker(2.0, loss="hinge")
                machine = SVC(C=2.0, kernel="linear")
            else:
                model, machine = PairwiseSVMRanker(2.0), LinearSVC(C=2.0, dual=False, tol=1e-6)

            def learned(rows, targets, i, j, X=X, queries=queries, machine=machine):  # noqa: ARG001
                return machine.fit(X[rows], targets).predict(queries).astype(float)

            assert_follows(model.fit(X, Y), queries, naive_pairs(Y, queries, learned), 0)

    def test_a_cycle_is_broken_by_index_and_lowers_the_confidence(self):
        # a before b, b before c, c before a: one pair each.
        X, Y = np.zeros((3, 1)), [[1, 2, NAN], [NAN, 1, 2], [2, NAN, 1]]
        model = PairwiseSVMRanker().fit(X, Y)
        assert model.predict([[0.0]]).tolist() == [[1, 2, 3]]
        assert model.predict_confidence([[0.0]]) == pytest.approx([2 / 3])
        explanation = model.explain([0.0])
        assert explanation.evidence(PairMatrix).cycles == [(0, 1, 2)]
        said = " ".join(step.text.plain("abc") for step in explanation.steps)
        assert "contradicts 1 of the 3 pairs" in said
        assert "ties a, b, c together" in said

    def test_the_parts_are_the_margins(self):
        X, Y, queries = problem(np.random.default_rng(0), missing=0.3)
        for model in (PairwiseSVMRanker(), PairwiseSVMRanker(kernel="rbf")):
            model.fit(X, Y)
            for x, support in zip(queries, model.predict_pair_support(queries), strict=True):
                parts = model.explain(x).evidence(PairParts)
                assert (parts.total(0, 3) > 0) == (support[0, 3] == 1)


class TestForest:
    KINDS = (("best", RandomForestRegressor), ("random", ExtraTreesRegressor))

    def test_preferences_of_complete_rankings_are_those_of_one_forest_on_all_signs(self):
        for seed in range(4):
            X, Y, queries = problem(np.random.default_rng(seed), tied=seed > 1, n_labels=2 + seed)
            splitter, kind = self.KINDS[seed % 2]
            first, second = np.triu_indices(Y.shape[1], 1)
            signs = np.sign(Y[:, second] - Y[:, first])
            forest = kind(8, max_features=0.5, random_state=0)
            forest.fit(X, signs if signs.shape[1] > 1 else signs.ravel())
            model = PairwiseForestRanker(8, splitter=splitter).fit(X, Y)
            matrices = square((1 + forest.predict(queries).reshape(5, -1)) / 2, Y.shape[1])
            np.testing.assert_allclose(model.predict_pair_support(queries), matrices, atol=1e-9)

    def test_leaves_count_the_cases_that_rank_both_labels(self):
        for seed in range(4):
            X, Y, queries = problem(np.random.default_rng(seed), missing=0.2 + 0.2 * seed)
            splitter, _ = self.KINDS[seed % 2]
            model = PairwiseForestRanker(6, splitter=splitter).fit(X, Y)
            for x, support in zip(queries, model.predict_pair_support(queries), strict=True):
                weights = np.zeros(len(X))
                for tree, rows in zip(
                    model.forest_, model.forest_.estimators_samples_, strict=True
                ):
                    drawn = np.bincount(rows, minlength=len(X))
                    leaf = drawn * (tree.apply(X.astype("f4")) == tree.apply(x[None].astype("f4")))
                    weights += leaf / leaf.sum()
                for i, j in ((0, 1), (1, 3), (3, 2)):
                    signs = np.sign(Y[:, j] - Y[:, i])
                    known = ~np.isnan(signs)
                    mean = signs[known].mean()
                    if weights[known].sum() > 0:
                        mean = (weights[known] @ signs[known]) / weights[known].sum()
                    assert support[i, j] == pytest.approx((1 + mean) / 2)

    def test_fewer_trees_are_a_fresh_forest(self, monkeypatch):
        X, Y, queries = problem(np.random.default_rng(0), missing=0.3)
        for kept in (1 << 22, 0):
            monkeypatch.setattr("labelrank_core.methods.pairwise.forest._TABLE_CELLS", kept)
            path = PairwiseForestRanker(9).fit(X, Y).path(queries)
            for n in (1, 4, 9):
                fresh = PairwiseForestRanker(n).fit(X, Y).point(queries)
                np.testing.assert_allclose(path.at(n_estimators=n).scores, fresh.scores)

    def test_unanimous_rankings_are_predicted_with_certainty(self):
        model = PairwiseForestRanker(3).fit([[0.0], [1.0]], [[2, 3, 1]] * 2)
        assert model.predict([[5.0]]).tolist() == [[2, 3, 1]]
        assert model.predict_confidence([[5.0]]).tolist() == [1]
