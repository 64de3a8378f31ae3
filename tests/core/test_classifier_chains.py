"""Classifier chains against their definition, one label after the other, and scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain

from labelrank_core import ClassifierChainsClassifier
from labelrank_core.explain.evidence import (
    Confidence,
    LabelScores,
    ScoreParts,
    VotedProbabilities,
)
from labelrank_core.methods.linear import _chains
from labelrank_core.rankings import calibrated_positions
from tests import problems

NAMES = ["a", "b", "c", "d"]

EXACT = {"solver": "newton-cholesky", "tol": 1e-9, "max_iter": 1000}


def problem(seed, *, n_rows=40, n_labels=4):
    """Label sets in which a label depends on the one before, and cases to predict."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n_rows, 3)), rng.normal(size=(8, 3))
    worth = X @ rng.normal(size=(3, n_labels)) + rng.normal(size=(n_rows, n_labels))
    worth[:, 1:] += worth[:, :-1]
    return X, (worth > 0.3).astype(int), queries


def logistic(cases, relevant, C):
    """Weights and intercept that minimise ‖w‖² / 2 + C Σ log(1 + exp(-y f))."""

    def loss(both):
        total = sum(weight**2 for weight in both[:-1]) / 2
        for case, is_relevant in zip(cases, relevant, strict=True):
            score = both[-1] + sum(w * value for w, value in zip(both, case, strict=False))
            total += C * np.log(1 + np.exp(-score if is_relevant else score))
        return total

    return minimize(loss, np.zeros(len(cases[0]) + 1), method="BFGS").x


def decide(x, X, Y, order, C):
    """Probabilities of one chain: every label from the features and the labels before."""
    found, decided = {}, []
    for place, label in enumerate(order):
        cases = [[*row, *(y[before] for before in order[:place])] for row, y in zip(X, Y)]  # noqa: B905
        *weights, intercept = logistic(cases, Y[:, label], C)
        score = intercept + np.dot(weights, [*x, *decided])
        found[label] = 1 / (1 + np.exp(-score))
        decided.append(int(score > 0))
    return [found[label] for label in range(len(order))]


@pytest.mark.parametrize("C", [0.1, 5.0])
def test_each_chain_decides_by_features_and_labels_before(C):
    X, Y, queries = problem(0, n_rows=20, n_labels=3)
    model = ClassifierChainsClassifier(2, C=C).fit(X, Y)
    assert sorted(model.orders_[0]) == [0, 1, 2]
    expected = np.mean(
        [[decide(x, X, Y, list(order), C) for x in queries[:3]] for order in model.orders_], axis=0
    )
    np.testing.assert_allclose(model.predict_proba(queries[:3]), expected, atol=2e-3)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_it_is_the_mean_of_scikit_learns_chains(form, C):
    X, Y, queries = problem(1)
    model = ClassifierChainsClassifier(4, C=C, random_state=3).fit(form(X), Y)
    chains = [
        ClassifierChain(LogisticRegression(C=C, **EXACT), order=list(order)).fit(X, Y)
        for order in model.orders_
    ]
    expected = np.mean([chain.predict_proba(queries) for chain in chains], axis=0)
    found = model.predict_proba(form(queries))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    clear = np.abs(found - 0.5) > 1e-6
    assert (model.predict(queries)[clear] == (expected > 0.5)[clear]).all()
    assert len({tuple(order) for order in model.orders_}) > 1


def test_one_chain_is_scikit_learns_to_the_last_digit():
    X, Y, queries = problem(2)
    model = ClassifierChainsClassifier(1).fit(X, Y)
    chain = ClassifierChain(LogisticRegression(**EXACT), order=list(model.orders_[0]))
    chain.fit(X, Y)
    np.testing.assert_allclose(
        model.predict_proba(queries), chain.predict_proba(queries), atol=1e-10
    )
    np.testing.assert_array_equal(model.predict(queries), chain.predict(queries))


@pytest.mark.parametrize("at_once", [True, False])
def test_fewer_chains_are_the_first_ones(at_once, monkeypatch):
    X, Y, queries = problem(3)
    if not at_once:
        monkeypatch.setattr(_chains, "_TABLE_CELLS", 0)
    path = ClassifierChainsClassifier(5).fit(X, Y).path(queries)
    for n in (3, 1, 5):
        fresh = ClassifierChainsClassifier(n).fit(X, Y)
        np.testing.assert_array_equal(path.at(n_chains=n).scores, fresh.decision_function(queries))
        confidence = fresh.predict_confidence(queries)
        np.testing.assert_array_equal(path.at(n_chains=n).confidence, confidence)
    with pytest.raises(ValueError, match="n_chains between 1 and 5"):
        path.at(n_chains=6)


def test_labels_of_all_or_no_cases_are_no_features_of_the_others():
    X, Y, queries = problem(4)
    wide = np.insert(Y, [0, 2], [1, 0], axis=1)
    model = ClassifierChainsClassifier(3).fit(X, wide)
    found = model.predict_proba(queries)
    # All 40 and one more of 42, none and one more of 42.
    np.testing.assert_allclose(found[:, 0], 41 / 42)
    np.testing.assert_allclose(found[:, 3], 1 / 42)
    expected = ClassifierChainsClassifier(3).fit(X, Y).predict_proba(queries)
    np.testing.assert_array_equal(found[:, [1, 2, 4, 5]], expected)
    only = ClassifierChainsClassifier().fit(X, np.ones((40, 2), dtype=int))
    assert only.predict(queries).all()
    assert only.explain(queries[0]).prediction.tolist() == [1, 1]


def test_large_features_are_learned_on_a_smaller_scale():
    X, Y, queries = problem(5)
    small = ClassifierChainsClassifier(2).fit(1e9 * X / 2.0**22, Y)
    large = ClassifierChainsClassifier(2).fit(1e9 * X, Y)
    expected = small.predict_proba(1e9 * queries / 2.0**22)
    np.testing.assert_allclose(large.predict_proba(1e9 * queries), expected, atol=1e-9)


def test_of_calibrated_rankings_only_the_relevance_is_learned():
    X, Y, queries = problem(6)
    orders = problems.positions(np.random.default_rng(0), len(X), 4)
    other = ClassifierChainsClassifier(2).fit(X, calibrated_positions(orders, Y))
    expected = ClassifierChainsClassifier(2).fit(X, Y).predict_proba(queries)
    np.testing.assert_array_equal(other.predict_proba(queries), expected)


@pytest.mark.parametrize("n_chains", [1, 5])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_explanation_ends_in_the_prediction(n_chains, form):
    X, Y, queries = problem(7)
    model = ClassifierChainsClassifier(n_chains).fit(form(X), Y)
    probabilities = model.predict_proba(queries)
    for case in range(len(queries)):
        explanation = model.explain(form(queries[[case]]))
        assert explanation.prediction.tolist() == model.predict(queries)[case].tolist()
        shown = explanation.evidence(LabelScores)
        np.testing.assert_allclose(shown.values, probabilities[case], atol=1e-12)
        assert (shown.values > shown.bar).astype(int).tolist() == explanation.prediction.tolist()
        confidence = explanation.evidence(Confidence)
        sure = np.maximum(probabilities[case], 1 - probabilities[case]).mean()
        assert confidence.value == pytest.approx(sure)
        parts = explanation.evidence(ScoreParts)
        order = np.argsort(explanation.positions)
        edge = order[max(0, explanation.prediction.sum() - 1)]
        if n_chains == 1:
            np.testing.assert_allclose(expit(parts.scores), probabilities[case], atol=1e-9)
            continue
        votes = explanation.evidence(VotedProbabilities)
        np.testing.assert_allclose(votes.votes.mean(axis=0), probabilities[case], atol=1e-12)
        assert votes.frame(NAMES)["label"].tolist() == [NAMES[label] for label in order]
        # The chain in detail is the one nearest to the mean.
        gaps = np.abs(votes.votes - probabilities[case])[:, edge]
        detail = np.abs(expit(parts.scores)[edge] - probabilities[case][edge])
        assert detail == pytest.approx(gaps.min(), abs=1e-9)


def test_the_sentence_names_the_labels_decided_before():
    X, Y, queries = problem(8)
    model = ClassifierChainsClassifier(1).fit(X, Y)
    order = [NAMES[label] for label in model.orders_[0]]
    first = some = 0
    for x in queries:
        explanation = model.explain(x)
        decided = model.predict([x])[0]
        ranked = np.argsort(explanation.positions)
        edge = NAMES[ranked[max(0, decided.sum() - 1)]]
        before = [name for name in order[: order.index(edge)] if decided[NAMES.index(name)]]
        said = explanation.steps[0].text.plain(NAMES)
        if edge == order[0]:
            first += 1
            assert said.endswith(f"{edge} is the first label of this chain.")
        elif before:
            some += 1
            assert said.endswith(f"these are predicted: {', '.join(before)}.")
        else:
            assert said.endswith("in this chain is predicted.")
    assert first
    assert some


def test_the_summary_says_the_probabilities_of_the_first_and_the_last_relevant_label():
    X, Y, queries = problem(3)
    model = ClassifierChainsClassifier(3).fit(X, Y)
    cases = np.flatnonzero(model.predict(queries).sum(axis=1) > 1)
    assert len(cases)
    for case in cases:
        own = model.predict_proba(queries)[case]
        said = model.explain(queries[case]).summary.plain(NAMES)
        assert f"has the highest probability, {own.max():.2f}; the last, " in said
        assert f"has {own[own > 0.5].min():.2f} (" in said
