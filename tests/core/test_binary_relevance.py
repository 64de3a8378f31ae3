"""Binary relevance: every label against its definition, and against scikit-learn."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC

from labelrank_core import BinaryRelevanceClassifier
from labelrank_core.explain.evidence import Confidence, LabelScores, ScoreParts
from labelrank_core.methods import machines
from labelrank_core.rankings import calibrated_positions
from tests import oracles_machines, problems

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 1},
    {"kernel": "poly", "degree": 3},
    {"kernel": "rbf", "gamma": 0.7},
]
NAMES = ["a", "b", "c", "d"]
by_kernel = pytest.mark.parametrize("params", KERNELS, ids=str)


def problem(seed, *, n_rows=30, n_labels=4):
    """Label sets that depend on the features, and cases to predict."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n_rows, 3)), rng.normal(size=(6, 3))
    worth = X @ rng.normal(size=(3, n_labels)) + rng.normal(size=(n_rows, n_labels))
    return X, (worth > rng.normal(size=n_labels)).astype(int), queries


class TestDefinition:
    @pytest.mark.parametrize("C", [0.0625, 1.0, 16.0])
    def test_linear_margins_minimise_the_squared_hinge_loss(self, C):
        X, Y, queries = problem(0)
        model = BinaryRelevanceClassifier(C).fit(X, Y)
        for label in range(4):
            weights, intercept = oracles_machines.squared_hinge(X, 2 * Y[:, label] - 1, C)
            np.testing.assert_allclose(model.coef_[label], weights, atol=1e-4)
            own = model.decision_function(queries)[:, label]
            np.testing.assert_allclose(own, queries @ weights + intercept, atol=1e-3)

    @pytest.mark.parametrize("C", [0.25, 1.0, 16.0])
    def test_linear_margins_with_the_loss_of_the_papers_minimise_the_hinge_loss(self, C):
        X, Y, queries = problem(12)
        model = BinaryRelevanceClassifier(C, loss="hinge").fit(X, Y)
        scores, compared = model.decision_function(queries), 0
        for label in range(4):
            signs = 2 * Y[:, label] - 1
            cases, intercept, is_unique = oracles_machines.hinge(X @ X.T, signs, C)

            def objective(weights, intercept, signs=signs):
                lost = np.maximum(0, 1 - signs * (X @ weights + intercept)).sum()
                return weights @ weights / 2 + C * lost

            reached = objective(model.coef_[label], model.intercept_[label])
            machine = SVC(C=C, kernel="linear", tol=1e-8).fit(X, signs)
            least = objective(machine.coef_[0], machine.intercept_[0])
            assert reached == pytest.approx(least, rel=1e-3)
            if is_unique:
                compared += 1
                expected = queries @ (X.T @ cases) + intercept
                np.testing.assert_allclose(scores[:, label], expected, atol=5e-3)
        assert compared
        squared = BinaryRelevanceClassifier(C).fit(X, Y).decision_function(queries)
        assert np.abs(squared - scores).max() > 1e-2

    def test_the_hinge_loss_learns_sparse_and_large_cases_alike(self):
        X, Y, queries = problem(13)
        X[np.abs(X) < 0.7] = 0
        model = BinaryRelevanceClassifier(loss="hinge").fit(X, Y)
        other = BinaryRelevanceClassifier(loss="hinge").fit(sparse.csr_matrix(X), Y)
        np.testing.assert_allclose(
            other.decision_function(sparse.csr_matrix(queries)),
            model.decision_function(queries),
            atol=1e-8,
        )
        explanation = model.explain(queries[0])
        parts = explanation.evidence(ScoreParts)
        np.testing.assert_allclose(parts.scores, model.decision_function(queries)[0], atol=1e-8)

    @pytest.mark.parametrize("C", [0.25, 4.0])
    @pytest.mark.parametrize("params", KERNELS[1:], ids=str)
    def test_other_margins_solve_the_dual_problem(self, params, C):
        X, Y, queries = problem(1, n_rows=16)
        model = BinaryRelevanceClassifier(C, **params).fit(X, Y)
        scores = model.decision_function(queries)
        compared = 0
        for label in range(4):
            given = {"gamma": 1 / 3} | params
            gram = np.array([[oracles_machines.kernel_value(x, z, **given) for z in X] for x in X])
            own = [[oracles_machines.kernel_value(x, z, **given) for z in X] for x in queries]
            weights, intercept, is_unique = oracles_machines.hinge(gram, 2 * Y[:, label] - 1, C)
            if is_unique:
                compared += 1
                expected = np.array(own) @ weights + intercept
                np.testing.assert_allclose(scores[:, label], expected, atol=5e-3)
        assert compared >= 3

    def test_by_hand(self):
        # Label a: w minimises w² / 2 + 2 C (1 - w)², so w = 4 C / (1 + 4 C), without intercept.
        # Label b is in every set, c in none.
        model = BinaryRelevanceClassifier(0.5).fit([[-1.0], [1.0]], [[0, 1, 0], [1, 1, 0]])
        w = 2 / 3
        assert model.coef_[:, 0] == pytest.approx([w, 0, 0], abs=1e-9)
        assert model.decision_function([[0.3]])[0] == pytest.approx([0.3 * w, 1, -1])
        assert model.predict([[0.3], [-0.3], [0.0]]).tolist() == [[1, 1, 0], [0, 1, 0], [0, 1, 0]]
        assert model.predict_ranking([[0.3], [3.0], [-3.0]]).tolist() == [
            [2, 1, 3],
            [1, 2, 3],
            [3, 1, 2],
        ]
        # (1 + .2) / 2 for a, and certainty for the others; beyond a margin of 1 there is no more.
        assert model.predict_confidence([[0.3], [-0.3], [3.0]]) == pytest.approx(
            [(0.6 + 2) / 3, (0.6 + 2) / 3, 1]
        )

    def test_equal_margins_are_ranked_by_index_and_zero_is_irrelevant(self):
        X, Y = [[-1.0], [1.0]], [[0, 0, 1], [1, 1, 0]]
        model = BinaryRelevanceClassifier().fit(X, Y)
        assert model.predict_ranking([[0.5], [-0.5]]).tolist() == [[1, 2, 3], [2, 3, 1]]
        assert model.predict([[0.0]]).tolist() == [[0, 0, 0]]
        assert model.predict_confidence([[0.0]]).tolist() == [0.5]

    def test_of_calibrated_rankings_only_the_relevance_is_learned(self):
        X, Y, queries = problem(2)
        orders = problems.positions(np.random.default_rng(0), len(X), 4)
        plain = BinaryRelevanceClassifier().fit(X, Y)
        other = BinaryRelevanceClassifier().fit(X, calibrated_positions(orders, Y))
        np.testing.assert_array_equal(
            other.decision_function(queries), plain.decision_function(queries)
        )


class TestScikitLearn:
    def test_a_machine_that_can_hardly_be_learned_ends(self):
        # Steps without a limit took minutes here.
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(60, 3)), rng.integers(0, 2, size=(60, 2))
        model = BinaryRelevanceClassifier(1e3, kernel="poly")
        with pytest.warns(ConvergenceWarning):
            model.fit(1e4 * X, Y)
        assert np.isfinite(model.decision_function(1e4 * X)).all()

    @pytest.mark.parametrize("C", [0.1, 10.0])
    @by_kernel
    def test_margins_are_those_of_one_against_the_rest(self, params, C):
        given = {"gamma": 1 / 3, "coef0": 1} | params
        machine = (
            LinearSVC(C=C, dual=False, tol=1e-6)
            if params["kernel"] == "linear"
            else SVC(C=C, **given)
        )
        for seed in range(4):
            X, Y, queries = problem(seed)
            model = BinaryRelevanceClassifier(C, **params).fit(X, Y)
            expected = OneVsRestClassifier(machine).fit(X, Y)
            scores = model.decision_function(queries)
            np.testing.assert_allclose(scores, expected.decision_function(queries), atol=1e-3)
            clear = np.abs(scores) > 1e-3
            np.testing.assert_array_equal(
                model.predict(queries)[clear], expected.predict(queries)[clear]
            )

    @pytest.mark.parametrize("C", [0.1, 10.0])
    @pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
    def test_margins_are_the_same_where_features_outnumber_cases(self, form, C):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(30, 80)), problems.relevance(rng, 30, 3)
        model = BinaryRelevanceClassifier(C).fit(form(X), Y)
        for label in range(3):
            machine = LinearSVC(C=C, dual=False, tol=1e-8, max_iter=10_000).fit(X, Y[:, label])
            expected = machine.decision_function(X)
            np.testing.assert_allclose(model.decision_function(X)[:, label], expected, atol=1e-4)

    @pytest.mark.parametrize("params", KERNELS[1:], ids=str)
    def test_support_cases_are_those_of_scikit_learn(self, params):
        X, Y, _ = problem(3)
        model = BinaryRelevanceClassifier(2.0, **params).fit(X, Y)
        for label in range(4):
            machine = SVC(C=2.0, **{"gamma": 1 / 3, "coef0": 1} | params).fit(X, Y[:, label])
            support = np.flatnonzero(model.dual_coef_[:, label])
            assert support.tolist() == sorted(machine.support_)

    def test_gamma_is_one_over_the_number_of_features_unless_given(self):
        X, Y, queries = problem(4)
        scores = [
            BinaryRelevanceClassifier(kernel="rbf", gamma=g).fit(X, Y).decision_function(queries)
            for g in (None, 1 / 3)
        ]
        np.testing.assert_array_equal(*scores)


class TestCases:
    @by_kernel
    def test_sparse_cases_stay_sparse_and_are_predicted_as_dense_ones(self, params, monkeypatch):
        X, Y, queries = problem(5)
        X[np.abs(X) < 0.5] = 0
        model = BinaryRelevanceClassifier(**params).fit(X, Y)
        monkeypatch.setattr(sparse.csr_matrix, "todense", None)
        other = BinaryRelevanceClassifier(**params).fit(sparse.csr_matrix(X), Y)
        for one, two in ((queries, sparse.csr_matrix(queries)), (sparse.csr_matrix(X), X)):
            expected = model.decision_function(one)
            np.testing.assert_allclose(other.decision_function(two), expected, atol=1e-6)
        row = sparse.csr_matrix(queries)[[2]]
        np.testing.assert_allclose(
            other.explain(row).evidence(ScoreParts).scores,
            other.decision_function(row)[0],
            atol=1e-9,
        )

    def test_large_features_are_learned_on_a_smaller_scale(self):
        X, Y, queries = problem(6)
        small = 1e9 * X / 2.0**22
        assert 500 < np.abs(small).max() <= 1000
        model = BinaryRelevanceClassifier().fit(1e9 * X, Y)
        expected = BinaryRelevanceClassifier().fit(small, Y)
        np.testing.assert_allclose(
            model.decision_function(1e9 * queries),
            expected.decision_function(1e9 * queries / 2.0**22),
            atol=1e-9,
        )

    def test_kernels_that_overflow_are_refused_in_words(self):
        X, Y, _ = problem(7)
        with pytest.raises(ValueError, match="choose a lower degree"):
            BinaryRelevanceClassifier(kernel="poly", degree=5).fit(1e60 * X, Y)

    def test_many_cases_are_predicted_block_by_block_alike(self, monkeypatch):
        X, Y, queries = problem(8)
        model = BinaryRelevanceClassifier(kernel="poly").fit(X, Y)
        whole = model.decision_function(queries)
        monkeypatch.setattr(machines, "_BLOCK_CELLS", 2 * len(X))
        np.testing.assert_array_equal(model.decision_function(queries), whole)


class TestExplanations:
    @by_kernel
    def test_the_parts_are_the_margins_and_the_scores_decide(self, params):
        X, Y, queries = problem(9)
        model = BinaryRelevanceClassifier(**params).fit(X, Y)
        for case, x in enumerate(queries):
            explanation = model.explain(x)
            parts = explanation.evidence(ScoreParts)
            margins = model.decision_function(queries)[case]
            np.testing.assert_allclose(parts.scores, margins, atol=1e-9)
            for label in range(4):
                table = parts.contributions(label, n_largest=5)
                assert table["own part"].sum() == pytest.approx(
                    margins[label] - parts.baseline[label]
                )
                assert table["sum"].tolist() == table["own part"].tolist()
            shown = explanation.evidence(LabelScores)
            assert shown.values.tolist() == margins.tolist()
            relevant = (shown.values > shown.bar).astype(int).tolist()
            assert relevant == explanation.prediction.tolist()
            assert relevant == model.predict(queries)[case].tolist()
            table = parts.frame(NAMES)
            assert list(table) == ["label", "baseline", "own part", "score", "threshold"]
            assert table["label"].tolist() == [NAMES[j] for j in np.argsort(explanation.positions)]

    def test_features_are_compared_with_the_mean_case(self):
        X, Y, _ = problem(10)
        model = BinaryRelevanceClassifier().fit(X, Y)
        parts = model.explain(X.mean(axis=0)).evidence(ScoreParts)
        np.testing.assert_allclose(parts.parts["own part"], 0, atol=1e-12)
        expected = model.decision_function(X).mean(axis=0)
        np.testing.assert_allclose(parts.baseline, expected, atol=1e-9)

    def test_the_sentence_counts_the_support_cases_of_the_label_it_is_about(self):
        X, Y, queries = problem(11)
        model = BinaryRelevanceClassifier(kernel="rbf").fit(X, Y)
        for x in queries:
            explanation = model.explain(x)
            order = np.argsort(explanation.positions)
            edge = order[max(0, explanation.prediction.sum() - 1)]
            counted = np.count_nonzero(model.dual_coef_[:, edge])
            said = explanation.steps[0].text.plain(NAMES)
            assert said.startswith(f"The margin of {NAMES[edge]} is ")
            assert f"Only {counted} of the 30 training cases have a weight" in said

    def test_none_one_and_several_relevant_labels_are_named(self):
        X, Y = [[-1.0], [1.0]], [[0, 0, 1], [1, 1, 0]]
        model = BinaryRelevanceClassifier().fit(X, Y)
        said = [model.explain([x]).summary.plain(NAMES) for x in (0.0, -1.0, 1.0)]
        assert said[0].startswith("No label is relevant: even a, the first, has a margin of 0")
        assert said[1].startswith("Of the 3 labels, only c has a margin above 0: 0.8")
        assert said[2].startswith(
            "With a margin above 0: a, b (2 of 3 labels). a has the largest, 0.80; the last, b, has"
        )

    def test_a_label_of_all_or_no_training_cases_is_said_to_be_so(self):
        X = [[-1.0], [1.0]]
        always = BinaryRelevanceClassifier().fit(X, [[0, 1], [0, 1]]).explain([5.0])
        assert always.steps[0].text.plain(NAMES) == (
            "All training cases have b, so its margin is 1.00 for every case."
        )
        never = BinaryRelevanceClassifier().fit(X, [[0, 0], [0, 0]]).explain([5.0])
        assert never.steps[0].text.plain(NAMES) == (
            "No training case has a, so its margin is -1.00 for every case."
        )
        assert never.evidence(Confidence).value == 1
