"""Rank-SVM: its dual and its thresholds against their definitions, and its support cases."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from labelrank_core import RankSVMClassifier, load_sample
from labelrank_core.explain.evidence import Confidence, LabelScores, ScoreParts
from labelrank_core.methods.linear import _rank_margins, rank_svm
from labelrank_core.methods.linear._rank_margins import best_thresholds
from labelrank_core.rankings import calibrated_positions
from tests import memory, oracles_machines, oracles_rank_svm, problems

NAMES = ["a", "b", "c"]
KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 2},
    {"kernel": "rbf", "gamma": 0.7},
]
by_kernel = pytest.mark.parametrize("params", KERNELS, ids=str)
TIGHT = {"tol": 1e-9}


def problem(seed, *, n_rows=14):
    """Label sets that depend on the features, two of them extreme, and cases to predict."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n_rows, 2)), rng.normal(size=(6, 2))
    worth = X @ rng.normal(size=(2, 3)) + 0.5 * rng.normal(size=(n_rows, 3))
    Y = (worth > 0).astype(int)
    Y[0], Y[1] = 0, 1
    return X, Y, queries


def kernel_of(X, Z, params):
    if params["kernel"] == "linear":
        return X @ Z.T
    own = {"gamma": 0.5} | params
    return np.array([[oracles_machines.kernel_value(x, z, **own) for z in Z] for x in X])


class TestDefinition:
    @pytest.mark.parametrize("C", [0.3, 3.0])
    @by_kernel
    def test_scores_solve_the_dual_problem(self, params, C):
        X, Y, queries = problem(1)
        model = RankSVMClassifier(C, **params, **TIGHT).fit(X, Y)
        weights, objective = oracles_rank_svm.dual(kernel_of(X, X, params) + 1, Y, C)
        assert model.gap_ <= 1e-9 * model.objective_
        assert objective - model.gap_ <= model.objective_ + 1e-6
        assert model.objective_ <= objective + 1e-6
        # Multipliers need not be unique; scores are. Half the squared distance of all weights from
        # the best ones is at most the gap.
        expected = (kernel_of(queries, X, params) + 1) @ weights
        wrong = np.abs(model.raw_scores(queries) - expected)
        squares = np.diag(kernel_of(queries, queries, params)) + 1
        rounding = 1e-6
        assert (wrong <= np.sqrt(2 * model.gap_ * squares)[:, None] + rounding).all()
        assert wrong.max() < 1e-4
        assert not model.dual_coef_[:2].any()
        np.testing.assert_allclose(model.dual_coef_.sum(axis=1), 0, atol=1e-12)

    def test_thresholds_err_least(self):
        rng = np.random.default_rng(2)
        scores = rng.integers(-2, 3, size=(60, 4)) / 2.0
        Y = problems.relevance(rng, 60, 4)
        expected = [oracles_rank_svm.best_threshold(*row) for row in zip(scores, Y, strict=True)]
        np.testing.assert_allclose(best_thresholds(scores, Y), expected)

    def test_thresholds_are_fitted_by_least_squares(self):
        X, Y, queries = problem(3, n_rows=30)
        model = RankSVMClassifier().fit(X, Y)
        wanted = best_thresholds(model.raw_scores(X), Y)
        # The scores of a case sum to 0: of all solutions the one with the smallest weights counts.
        middle = model.raw_scores(X).mean(axis=0)
        weights = np.linalg.pinv(model.raw_scores(X) - middle, rcond=1e-8) @ wanted
        expected = (model.raw_scores(queries) - middle) @ weights + wanted.mean()
        path = model.path(queries).at()
        np.testing.assert_allclose(path.case_thresholds, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(
            path.scores, model.raw_scores(queries) - path.case_thresholds[:, None], atol=2e-9
        )

    def test_by_hand(self):
        # Kernel plus 1: 2 of each case with itself, 0 with the other. A multiplier α adds
        # α - ½ α² · 2 · 2, most at 1/4, so that scores are 2 α = ½ and -½, and thresholds 0.
        X, Y = [[-1.0], [1.0]], [[0, 1], [1, 0]]
        model = RankSVMClassifier(kernel="linear", tol=1e-9).fit(X, Y)
        np.testing.assert_allclose(model.dual_coef_, [[-0.25, 0.25], [0.25, -0.25]])
        np.testing.assert_allclose(
            model.decision_function([[1.0], [-0.5]]), [[0.5, -0.5], [-0.25, 0.25]]
        )
        assert model.predict([[1.0], [-0.5]]).tolist() == [[1, 0], [0, 1]]
        assert model.predict_ranking([[1.0], [-0.5]]).tolist() == [[1, 2], [2, 1]]
        # Half a margin is certain.
        np.testing.assert_allclose(model.predict_confidence([[1.0], [-0.5]]), [1, 0.75])
        # A smaller C stops α: 2 · 0.1.
        small = RankSVMClassifier(0.1, kernel="linear", tol=1e-9).fit(X, Y)
        np.testing.assert_allclose(small.decision_function([[1.0]]), [[0.2, -0.2]])

    def test_without_any_pair_all_or_no_labels_are_relevant(self):
        X = [[0.0], [1.0]]
        for y in (0, 1):
            model = RankSVMClassifier().fit(X, np.full((2, 3), y))
            assert model.n_iter_ == 0
            # Half a margin beyond the only score.
            assert model.decision_function(X).tolist() == [[y - 0.5] * 3] * 2
            assert (model.predict(X) == y).all()

    def test_of_calibrated_rankings_only_the_relevance_is_learned(self):
        X, Y, queries = problem(4)
        orders = problems.positions(np.random.default_rng(0), len(X), 3)
        plain = RankSVMClassifier().fit(X, Y)
        other = RankSVMClassifier().fit(X, calibrated_positions(orders, Y))
        np.testing.assert_array_equal(
            other.decision_function(queries), plain.decision_function(queries)
        )


class TestScikitLearn:
    @pytest.mark.parametrize("C", [0.1, 2.0])
    def test_two_labels_of_which_one_is_relevant_are_a_support_vector_machine(self, C):
        # With w₁ = -w₂ = v / 2 the squares are those of v, halved: as twice the C.
        X, Y, queries = problem(5, n_rows=30)
        Y = np.column_stack([Y[:, 0], 1 - Y[:, 0]])
        model = RankSVMClassifier(C, kernel="linear", **TIGHT).fit(X, Y)
        machine = LinearSVC(C=2 * C, loss="hinge", tol=1e-10, max_iter=1_000_000).fit(X, Y[:, 0])
        found = model.raw_scores(queries)
        np.testing.assert_allclose(
            found[:, 0] - found[:, 1], machine.decision_function(queries), atol=1e-4
        )


class TestCases:
    @by_kernel
    def test_sparse_cases_are_learned_and_predicted_as_dense_ones(self, params):
        X, Y, queries = problem(6)
        X[np.abs(X) < 0.5] = 0
        model = RankSVMClassifier(**params).fit(X, Y)
        other = RankSVMClassifier(**params).fit(sparse.csr_matrix(X), Y)
        for one, two in ((queries, sparse.csr_matrix(queries)), (sparse.csr_matrix(X), X)):
            expected = model.decision_function(one)
            np.testing.assert_allclose(other.decision_function(two), expected, atol=1e-8)

    def test_large_features_are_learned_on_a_smaller_scale(self):
        X, Y, queries = problem(7)
        small = 1e9 * X / 2.0**22
        assert 500 < np.abs(small).max() <= 1000
        model = RankSVMClassifier(kernel="linear").fit(1e9 * X, Y)
        expected = RankSVMClassifier(kernel="linear").fit(small, Y)
        np.testing.assert_allclose(
            model.decision_function(1e9 * queries),
            expected.decision_function(1e9 * queries / 2.0**22),
            atol=1e-8,
        )

    def test_many_cases_are_predicted_block_by_block_alike(self, monkeypatch):
        X, Y, queries = problem(8)
        model = RankSVMClassifier().fit(X, Y)
        whole = model.decision_function(queries)
        monkeypatch.setattr(rank_svm, "_BLOCK_CELLS", 2 * len(X))
        np.testing.assert_array_equal(model.decision_function(queries), whole)


class TestConvergence:
    @by_kernel
    def test_the_search_ends_where_it_is_told_with_a_warning(self, params):
        X, Y, _ = problem(9, n_rows=40)
        models = []
        for n in (1, 3):
            with pytest.warns(
                ConvergenceWarning, match=f"max_iter={n} rounds.*more than tol=1e-06"
            ):
                models.append(RankSVMClassifier(100, **params, max_iter=n).fit(X, Y))
        few, more = models
        assert (few.n_iter_, more.n_iter_) == (1, 3)
        assert more.objective_ >= few.objective_
        # The gap bounds what is missing.
        assert more.objective_ <= few.objective_ + few.gap_
        loose = RankSVMClassifier(100, **params, tol=2).fit(X, Y)
        assert loose.n_iter_ < RankSVMClassifier(100, **params).fit(X, Y).n_iter_
        assert loose.gap_ <= 2 * loose.objective_

    def test_what_memory_held_before_has_no_influence(self, monkeypatch):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(3, 2))[np.arange(40) % 3], problems.relevance(rng, 40, 4)
        expected = RankSVMClassifier(1000.0, kernel="rbf", gamma=0.7).fit(X, Y)
        memory.fill_with_nan(monkeypatch)
        model = RankSVMClassifier(1000.0, kernel="rbf", gamma=0.7).fit(X, Y)
        monkeypatch.undo()
        assert model.n_iter_ == expected.n_iter_

    @pytest.mark.parametrize("C", [1.0, 1000.0])
    @by_kernel
    def test_equal_cases_with_other_label_sets_converge(self, params, C):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(3, 2))[np.arange(40) % 3], problems.relevance(rng, 40, 4)
        model = RankSVMClassifier(C, **params).fit(X, Y)
        assert model.gap_ <= 1e-6 * model.objective_

    @pytest.mark.parametrize("is_small", [True, False])
    def test_both_ways_of_the_search_find_the_same_scores(self, is_small, monkeypatch):
        X, Y, queries = problem(12, n_rows=20)
        monkeypatch.setattr(_rank_margins, "_PATIENCE", 1)
        monkeypatch.setattr(_rank_margins, "MOST_WEIGHTS", 2000 if is_small else 0)
        model = RankSVMClassifier(3.0, kernel="rbf", tol=1e-9).fit(X, Y)
        weights, _ = oracles_rank_svm.dual(kernel_of(X, X, KERNELS[2] | {"gamma": 0.5}) + 1, Y, 3.0)
        expected = (kernel_of(queries, X, KERNELS[2] | {"gamma": 0.5}) + 1) @ weights
        np.testing.assert_allclose(model.raw_scores(queries), expected, atol=1e-4)

    @pytest.mark.parametrize("seed", range(20))
    def test_random_problems_converge_by_default(self, seed):
        rng = np.random.default_rng(seed)
        n_rows, n_features, n_labels = rng.integers([15, 2, 3], [50, 9, 7])
        X = rng.normal(size=(n_rows, n_features))
        worth = X @ rng.normal(size=(n_features, n_labels)) + rng.normal(size=(n_rows, n_labels))
        kernel, C = ("linear", "rbf", "poly")[seed % 3], 10.0 ** rng.uniform(-2, 2)
        # Every warning is an error.
        model = RankSVMClassifier(C, kernel=kernel).fit(X, (worth > 0).astype(int))
        assert 0 <= model.gap_ <= 1e-6 * model.objective_

    @pytest.mark.parametrize("params", [{}, {"C": 10.0, "kernel": "linear"}], ids=str)
    def test_the_order_of_the_training_rows_changes_no_label_set_of_songs(self, params):
        data = load_sample("songs")
        X, train, test = StandardScaler().fit_transform(data.X), np.arange(160), np.arange(160, 240)
        model = RankSVMClassifier(**params).fit(X[train], data.relevance[train])
        for seed in range(3):
            order = np.random.default_rng(seed).permutation(train)
            other = RankSVMClassifier(**params).fit(X[order], data.relevance[order])
            np.testing.assert_array_equal(other.predict(X[test]), model.predict(X[test]))
            np.testing.assert_allclose(
                other.decision_function(X[test]), model.decision_function(X[test]), atol=1e-3
            )


class TestExplanations:
    @by_kernel
    def test_the_support_cases_add_up_to_the_scores_that_decide(self, params):
        X, Y, queries = problem(10)
        model = RankSVMClassifier(**params).fit(X, Y)
        for case, x in enumerate(queries):
            explanation = model.explain(x)
            parts = explanation.evidence(ScoreParts)
            raw = model.raw_scores(queries)[case]
            np.testing.assert_allclose(parts.scores, raw, atol=1e-8)
            for label in range(3):
                table = parts.contributions(label, n_largest=5)
                total = parts.baseline[label] + table["sum"].sum()
                assert total == pytest.approx(raw[label], abs=1e-8)
            scores = model.decision_function(queries)[case]
            np.testing.assert_allclose(parts.scores - parts.thresholds, scores, atol=1e-8)
            shown = explanation.evidence(LabelScores)
            assert shown.values.tolist() == scores.tolist()
            assert ((shown.values > shown.bar) == explanation.prediction).all()
            sure = np.clip(0.5 + np.abs(scores), 0, 1).mean()
            assert explanation.evidence(Confidence).value == pytest.approx(sure)
            assert explanation.evidence(Confidence).lowest == 0.5

    def test_the_sentence_counts_the_support_cases_of_the_label_it_is_about(self):
        X, Y, queries = problem(11, n_rows=30)
        model = RankSVMClassifier(kernel="rbf").fit(X, Y)
        for x in queries:
            explanation = model.explain(x)
            edge = explanation.order[max(0, explanation.prediction.sum() - 1)]
            said = explanation.steps[0].text.plain(NAMES)
            counted = np.count_nonzero(model.dual_coef_[:, edge])
            assert said.startswith(f"{NAMES[edge]} scores ")
            assert f"{counted} of the 30 training cases have a weight" in said
            threshold = explanation.evidence(ScoreParts).thresholds[0]
            assert said.endswith(
                f"This case's threshold, {threshold:.2f}, follows from all scores."
            )
