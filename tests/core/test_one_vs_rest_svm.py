"""One-against-rest SVM against a general optimiser, scikit-learn and naive thresholds."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.calibration import _SigmoidCalibration
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from labelrank_core import OneVsRestSVMClassifier
from labelrank_core.explain.evidence import Confidence, LabelScores, ScoreParts
from labelrank_core.methods.linear._linear_scores import sigmoid
from labelrank_core.metrics.thresholds import RULES
from tests import oracles_subspace as oracle
from tests import problems
from tests.core.test_shared_subspace import problem
from tests.looped import seeds

SIZES = [(40, 6, 5), (20, 30, 5)]  # learned on the primal, and on the dual
FORMS = {"dense": np.asarray, "sparse": sparse.csr_matrix}


def objective(flat, X, signs, C):
    """The sum in the docstring, term by term."""
    *weights, intercept = flat
    losses = [
        max(0.0, 1 - sign * (np.dot(weights, x) + intercept)) ** 2
        for sign, x in zip(signs, X, strict=True)
    ]
    return np.dot(flat, flat) / 2 + C * sum(losses)


@pytest.mark.parametrize("size", [(30, 3, 3), (12, 15, 3)])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_weights_minimise_the_objective(size, C):
    X, Y = problem(*size)
    model = OneVsRestSVMClassifier(C, threshold="zero").fit(X, Y)
    for label in range(size[2]):
        args = (X, 2 * Y[:, label] - 1, C)
        best = minimize(objective, np.zeros(size[1] + 1), args, options={"gtol": 1e-7}).x
        found = np.append(model.coef_[label], model.intercept_[label])
        np.testing.assert_allclose(found, best, atol=2e-3 * np.abs(best).max())
        assert objective(found, *args) <= objective(best, *args) * (1 + 1e-5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("form", FORMS)
def test_without_tuning_it_is_scikit_learns_one_against_rest(size, form):
    X, Y = problem(*size)
    queries, _ = problem(15, *size[1:], seed=9)
    machine = LinearSVC(dual=size[0] < size[1], tol=1e-6, random_state=0)
    expected = OneVsRestClassifier(machine).fit(X, Y)
    model = OneVsRestSVMClassifier(threshold="zero").fit(FORMS[form](X), Y)
    scores = expected.decision_function(queries)
    np.testing.assert_allclose(model.raw_scores(FORMS[form](queries)), scores, atol=1e-10)
    np.testing.assert_array_equal(model.predict(queries), expected.predict(queries))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", list(RULES))
def test_thresholds_are_tuned_on_scores_of_models_without_the_rows(size, rule):
    X, Y = problem(*size)
    model = OneVsRestSVMClassifier(0.1, threshold=rule, cv=4).fit(X, Y)
    scores = np.empty(Y.shape)
    for fold in range(4):
        rows = np.arange(fold, len(Y), 4)
        others = np.setdiff1d(np.arange(len(Y)), rows)
        scores[rows] = OneVsRestSVMClassifier(0.1).fit(X[others], Y[others]).raw_scores(X[rows])
    np.testing.assert_allclose(model.out_of_fold_scores(), scores, atol=1e-10)
    np.testing.assert_allclose(model.thresholds_, RULES[rule](scores, Y), atol=1e-9)
    if rule == "global_macro_f1":
        values = [oracle.macro_f1(scores > cut, Y) for cut in oracle.cuts(scores)]
        own = oracle.macro_f1(scores > model.thresholds_, Y)
        assert own == pytest.approx(max(values))


@pytest.mark.parametrize("rule", list(RULES))
def test_a_point_with_another_rule_equals_a_fresh_fit(rule):
    X, Y = problem(40, 6, 5)
    point = OneVsRestSVMClassifier(0.1).fit(X, Y).path(X).at(threshold=rule)
    fresh = OneVsRestSVMClassifier(0.1, threshold=rule).fit(X, Y)
    np.testing.assert_array_equal(point.scores, fresh.decision_function(X))
    np.testing.assert_array_equal(point.prediction, fresh.predict(X))
    np.testing.assert_array_equal(point.confidence, fresh.predict_confidence(X))
    np.testing.assert_array_equal(point.thresholds, fresh.thresholds_)


def test_an_unknown_rule_is_refused():
    X, Y = problem(20, 4, 3)
    with pytest.raises(ValueError, match="Expected threshold in"):
        OneVsRestSVMClassifier().fit(X, Y).path(X).at(threshold="best")


def test_labels_that_all_or_no_rows_have_are_constant():
    X, Y = problem(20, 4, 4)
    Y[:, 1], Y[:, 2] = 0, 1
    model = OneVsRestSVMClassifier().fit(X, Y)
    assert model.predict(X)[:, [1, 2]].tolist() == [[0, 1]] * 20
    assert not model.coef_[[1, 2]].any()
    assert model.intercept_[[1, 2]].tolist() == [-1, 1]
    assert model.thresholds_[[1, 2]].tolist() == [0, 0]


def test_a_single_row_is_repeated_for_every_case():
    model = OneVsRestSVMClassifier().fit([[1.0, 2.0]], [[1, 0, 1]])
    assert model.predict([[5.0, -3.0]]).tolist() == [[1, 0, 1]]
    # (1 + 1) / (1 + 2) for each decision.
    assert model.predict_confidence([[5.0, -3.0]]) == pytest.approx([2 / 3])
    with pytest.raises(ValueError, match="at least two rows"):
        model.out_of_fold_scores()


@seeds(6)
def test_probabilities_are_those_of_platt(seed):
    rng = np.random.default_rng(seed)
    scores, noise = rng.normal(size=80) * 10.0 ** (seed - 2), rng.normal(size=80)
    relevance = (scores / scores.std() + noise > 0.7).astype(int)
    expected = _SigmoidCalibration().fit(scores, relevance).predict(scores)
    slope, intercept = sigmoid(scores, relevance)
    found = 1 / (1 + np.exp(-(slope * scores + intercept)))
    np.testing.assert_allclose(found, expected, atol=2e-3)
    # A score that points the wrong way says nothing.
    slope, intercept = sigmoid(-scores, relevance)
    n = relevance.sum()
    mean = (n * (n + 1) / (n + 2) + (80 - n) / (82 - n)) / 80
    assert slope == 0
    assert 1 / (1 + np.exp(-intercept)) == pytest.approx(mean)


def test_confidence_is_the_expected_share_of_right_decisions():
    X, Y = problem(60, 4, 3)
    model = OneVsRestSVMClassifier().fit(X, Y)
    scores = model.out_of_fold_scores()
    shares = np.zeros(60)
    for label in range(3):
        slope, intercept = sigmoid(scores[:, label], Y[:, label])
        p = 1 / (1 + np.exp(-(slope * model.raw_scores(X)[:, label] + intercept)))
        shares += np.where(model.predict(X)[:, label] == 1, p, 1 - p)
    np.testing.assert_allclose(model.predict_confidence(X), shares / 3)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("form", FORMS)
def test_the_explanation_adds_up_to_the_prediction(size, form):
    X, Y = problem(*size)
    names = [f"label {j}" for j in range(5)]
    model = OneVsRestSVMClassifier().fit(FORMS[form](X), Y)
    for i in range(4):
        explanation = model.explain(FORMS[form](X[[i]]))
        parts = explanation.evidence(ScoreParts)
        np.testing.assert_allclose(parts.scores, model.raw_scores(X)[i], atol=1e-10)
        np.testing.assert_array_equal(parts.scores > parts.thresholds, explanation.prediction)
        np.testing.assert_allclose(
            parts.parts["own part"], model.coef_ @ (X[i] - X.mean(axis=0)), atol=1e-10
        )
        table = parts.contributions(2, n_largest=4)
        assert list(table) == ["feature", "value", "own part", "sum"]
        assert table["sum"].sum() == pytest.approx(parts.parts["own part"][2], abs=1e-10)
        assert "shared part" not in parts.frame(names)
        bar = explanation.evidence(LabelScores)
        np.testing.assert_array_equal(bar.values > bar.bar, explanation.prediction)
        np.testing.assert_array_equal(bar.positions, model.predict_ranking(X)[i])
        confidence = explanation.evidence(Confidence)
        assert confidence.lowest - 1e-12 <= confidence.value <= 1


def test_the_summary_names_the_last_relevant_label_and_its_parts():
    X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    Y = [[0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    explanation = OneVsRestSVMClassifier(threshold="zero").fit(X, Y).explain([1.0, 0.0])
    said = explanation.summary.plain(["a", "b", "c"])
    assert said.startswith("Of the 3 labels, only a scores above its threshold 0.00: ")
    assert "(baseline " in said
    assert ", own part " in said


@seeds(5)
def test_the_prediction_changes_at_breakpoints_and_nowhere_else(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(40, 3)), problems.relevance(rng, 40, 4)
    point = OneVsRestSVMClassifier().fit(X, Y).point(X)
    model, x = point.path.model, X[0]
    edges = [-2.0, *point.breakpoints(x, 1, (-2.0, 2.0)), 2.0]
    assert edges == sorted(edges)
    said = []
    for low, high in pairwise(edges):
        cases = np.tile(x, (9, 1))
        cases[:, 1] = np.linspace(low, high, 11)[1:-1]
        ranks = np.hstack([model.predict_ranking(cases), model.predict(cases)])
        assert (ranks == ranks[0]).all()
        said.append(ranks[0].tolist())
    assert all(before != after for before, after in pairwise(said))


def test_pages_of_words_are_never_made_dense(monkeypatch):
    X = sparse.random(60, 40_000, density=1e-3, random_state=0, format="csr")
    Y = problems.relevance(np.random.default_rng(0), 60, 3)
    for name in ("toarray", "todense"):
        made = getattr(sparse.csr_matrix, name)

        def small(self, *args, made=made, **kwargs):
            assert self.shape[0] == 1  # one case, to be explained
            return made(self, *args, **kwargs)

        monkeypatch.setattr(sparse.csr_matrix, name, small)
    wide = X.copy()
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    model = OneVsRestSVMClassifier().fit(wide, Y)
    expected = OneVsRestSVMClassifier().fit(X, Y)
    np.testing.assert_array_equal(model.decision_function(wide), expected.decision_function(X))
    assert model.explain(X[[3]]).prediction.tolist() == model.predict(X[[3]])[0].tolist()
