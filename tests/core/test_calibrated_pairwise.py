"""Calibrated pairwise comparison: every vote by its definition, and by scikit-learn's machines."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC, LinearSVC

from labelrank_core import BinaryRelevanceClassifier, CalibratedPairwiseClassifier
from labelrank_core.explain.evidence import (
    Confidence,
    LabelScores,
    PairMatrix,
    PairParts,
    ScoreParts,
)
from labelrank_core.rankings import calibrate, calibrated_positions
from tests import oracles_machines, problems
from tests.core.test_binary_relevance import problem
from tests.looped import seeds

KERNELS = [{"kernel": "linear"}, {"kernel": "poly", "degree": 2}, {"kernel": "rbf", "gamma": 0.7}]
NAMES = ["a", "b", "c", "d"]
by_kernel = pytest.mark.parametrize("params", KERNELS, ids=str)


def rankings(seed):
    """Calibrated rankings of four labels that depend on the features, and cases to predict."""
    X, Y, queries = problem(seed)
    return (
        X,
        calibrated_positions(problems.positions(np.random.default_rng(seed), 30, 4), Y),
        queries,
    )


def ballots(positions, n_labels):
    """To each pair, the line last: the rows that tell both apart, and which they prefer."""
    for first, second in combinations(range(n_labels + 1), 2):
        chosen, signs = [], []
        for row, places in enumerate(positions):
            if second == n_labels:
                # A label that ties with the zero line is behind it.
                chosen.append(row)
                signs.append(1 if places[first] < places[second] else -1)
            elif places[first] != places[second]:
                chosen.append(row)
                signs.append(1 if places[first] < places[second] else -1)
        yield (first, second), chosen, np.array(signs)


def count(X, positions, queries, margin_of):
    """Votes of every label and the line, one pair after the other."""
    n_labels = len(positions[0]) - 1
    votes = np.zeros((len(queries), n_labels + 1))
    for (first, second), chosen, signs in ballots(positions, n_labels):
        for case, x in enumerate(queries):
            if not len(signs):
                margin = 0
            elif len(set(signs)) == 1:
                margin = signs[0]
            else:
                margin = margin_of(X[chosen], signs, x)
            votes[case, first] += 1 if margin > 0 else 0.5 if margin == 0 else 0
            votes[case, second] += 1 if margin < 0 else 0.5 if margin == 0 else 0
    return votes


def by_definition(X, signs, x):
    weights, intercept = oracles_machines.squared_hinge(X, signs, 0.5)
    return weights @ x + intercept


@pytest.mark.parametrize("kind", ["label sets", "rankings"])
def test_votes_are_those_of_the_definition(kind):
    X, Y, queries = problem(0, n_labels=3) if kind == "label sets" else rankings(0)
    positions = calibrate(Y) if kind == "label sets" else Y
    model = CalibratedPairwiseClassifier(0.5).fit(X, Y)
    votes = count(X, positions, queries[:4], by_definition)
    expected = votes[:, :-1] - votes[:, -1:]
    assert model.decision_function(queries[:4]).tolist() == expected.tolist()
    assert model.predict(queries[:4]).tolist() == (expected > 0).astype(int).tolist()


@pytest.mark.parametrize("kind", ["label sets", "rankings"])
@pytest.mark.parametrize("params", [*KERNELS, {"kernel": "linear", "loss": "hinge"}], ids=str)
def test_votes_are_those_of_scikit_learns_machines(params, kind):
    X, Y, queries = problem(1) if kind == "label sets" else rankings(1)
    positions = calibrate(Y) if kind == "label sets" else Y

    def margin_of(cases, signs, x):
        if "loss" in params:
            machine = SVC(C=2.0, kernel="linear")
        elif params["kernel"] == "linear":
            machine = LinearSVC(C=2.0, dual=False, tol=1e-6)
        else:
            machine = SVC(C=2.0, **{"gamma": 1 / 3, "coef0": 1} | params)
        return machine.fit(cases, signs).decision_function(x[None])[0]

    model = CalibratedPairwiseClassifier(2.0, **params).fit(X, Y)
    votes = count(X, positions, queries, margin_of)
    scores = model.decision_function(queries)
    assert scores.tolist() == (votes[:, :-1] - votes[:, -1:]).tolist()
    # Equal votes go by index.
    order = np.argsort(-scores, axis=1, kind="stable")
    assert model.predict_ranking(queries).tolist() == (np.argsort(order, axis=1) + 1).tolist()


@by_kernel
def test_the_machines_of_the_zero_line_are_binary_relevance(params):
    X, Y, queries = problem(2)
    model = CalibratedPairwiseClassifier(**params).fit(X, Y)
    margins = BinaryRelevanceClassifier(**params).fit(X, Y).decision_function(queries)
    for case, x in enumerate(queries):
        shown = model.explain(x).evidence(ScoreParts)
        np.testing.assert_allclose(shown.scores, margins[case], atol=1e-9)


def test_label_sets_and_their_bucket_orders_are_the_same_targets():
    X, Y, queries = problem(3)
    one = CalibratedPairwiseClassifier().fit(X, Y)
    other = CalibratedPairwiseClassifier().fit(X, calibrate(Y))
    np.testing.assert_array_equal(one.decision_function(queries), other.decision_function(queries))
    # The order among relevant labels, and among the others, is learned too.
    X, ranked, queries = rankings(3)
    relevance = (ranked[:, :-1] < ranked[:, -1:]).astype(int)
    more = CalibratedPairwiseClassifier().fit(X, ranked).decision_function(X)
    assert (more != CalibratedPairwiseClassifier().fit(X, relevance).decision_function(X)).any()


def test_by_hand():
    # One feature. Label 0 from 0 upwards, label 1 below, label 2 always, label 3 never.
    model = CalibratedPairwiseClassifier(10.0).fit([[-1.0], [1.0]], [[0, 1, 1, 0], [1, 0, 1, 0]])
    # At 0.5: 0 ahead of 1, of the line and of 3; 2 ahead of 1, 3 and the line, and of 0 because the
    # only case that tells them apart says so; 1 ahead of 3; the line ahead of 1 and 3.
    assert model.decision_function([[0.5]]).tolist() == [[1, -1, 2, -2]]
    assert model.predict([[0.5]]).tolist() == [[1, 0, 1, 0]]
    assert model.predict_ranking([[0.5]]).tolist() == [[2, 3, 1, 4]]
    # w minimises w² / 2 + 2 C (1 - w)², so w = 4 C / (1 + 4 C): three of the ten pairs are only
    # that sure, half of it at 0.5; all others have one outcome.
    assert model.predict_confidence([[0.5]]) == pytest.approx([(7 + 3 * (1 + 20 / 41) / 2) / 10])
    # At 0 the machines of 0, 1 and the line are undecided: 0 and 1 have half a vote from each other
    # and from the line and one against 3; the line two halves and one against 3.
    assert model.decision_function([[0.0]]).tolist() == [[0, 0, 2, -2]]
    assert model.predict([[0.0]]).tolist() == [[0, 0, 1, 0]]


def test_one_vote_is_not_called_votes():
    model = CalibratedPairwiseClassifier(10.0).fit([[-1.0], [1.0]], [[0, 1, 1], [1, 1, 1]])
    said = [step.text.plain("abc") for step in model.explain([-1.0]).steps]
    assert any(each.startswith("The zero line has 1 vote, one for every") for each in said)
    said = [step.text.plain("abc") for step in model.explain([1.0]).steps]
    assert any(each.startswith("The zero line has 0 votes, one for every") for each in said)


@by_kernel
def test_sparse_cases_are_predicted_as_dense_ones(params):
    X, Y, queries = problem(5)
    X[np.abs(X) < 0.5] = 0
    model = CalibratedPairwiseClassifier(**params).fit(X, Y)
    other = CalibratedPairwiseClassifier(**params).fit(sparse.csr_matrix(X), Y)
    for form in (np.asarray, sparse.csr_matrix):
        expected = model.decision_function(queries)
        np.testing.assert_array_equal(other.decision_function(form(queries)), expected)
    row = sparse.csr_matrix(queries)[[1]]
    assert other.explain(row).prediction.tolist() == model.predict(queries)[1].tolist()


@pytest.mark.parametrize("kind", ["label sets", "rankings"])
@by_kernel
def test_the_explanation_ends_in_the_prediction(params, kind):
    X, Y, queries = problem(6) if kind == "label sets" else rankings(6)
    model = CalibratedPairwiseClassifier(**params).fit(X, Y)
    for case, x in enumerate(queries):
        explanation = model.explain(x)
        assert explanation.prediction.tolist() == model.predict(queries)[case].tolist()
        matrix, line = explanation.evidence(PairMatrix), explanation.evidence(ScoreParts)
        # The votes shown, of pairs and against the line, are all that decides.
        own = matrix.preferences.sum(axis=1) - 0.5 + (np.sign(line.scores.round(12)) + 1) / 2
        of_line = ((1 - np.sign(line.scores.round(12))) / 2).sum()
        scores = explanation.evidence(LabelScores)
        np.testing.assert_array_equal(scores.values, own - of_line)
        assert (scores.values > scores.bar).astype(int).tolist() == explanation.prediction.tolist()
        parts = explanation.evidence(PairParts)
        for first, second in combinations(range(4), 2):
            margin = parts.total(first, second)
            vote = (np.sign(np.round(margin, 12)) + 1) / 2
            assert vote == matrix.preferences[first, second]
        values = explanation.summary.plain(NAMES)
        assert "votes" in values
        assert "zero line" in values
        confidence = explanation.evidence(Confidence).value
        ranked = [*np.argsort(explanation.positions)]
        ranked.insert(int(explanation.prediction.sum()), 4)
        right = []
        for ahead, behind in combinations(ranked, 2):
            if 4 in (ahead, behind):
                margin = line.scores[ahead] if behind == 4 else -line.scores[behind]
            else:
                margin = parts.total(ahead, behind)
            right.append(min(1, max(0, (1 + margin) / 2)))
        assert confidence == pytest.approx(np.mean(right))


def test_a_label_of_all_or_no_training_cases_is_said_to_be_so():
    X = [[-1.0], [1.0], [2.0]]
    always = CalibratedPairwiseClassifier().fit(X, [[0, 1], [0, 1], [0, 1]]).explain([5.0])
    said = [step.text.plain(NAMES) for step in always.steps]
    assert "All training cases have b, so its vote is always for b." in said
    never = CalibratedPairwiseClassifier().fit(X, [[0, 0], [0, 0], [0, 0]]).explain([5.0])
    said = [step.text.plain(NAMES) for step in never.steps]
    assert "No training case has a, so its vote is always for the zero line." in said
    assert never.prediction.tolist() == [0, 0]


@seeds(3)
def test_the_prediction_changes_at_breakpoints_and_nowhere_else(seed):
    X, Y, queries = problem(seed)
    model = CalibratedPairwiseClassifier().fit(X, Y)
    edges = [-2.0, *model.point(X).breakpoints(queries[0], 1, (-2.0, 2.0)), 2.0]
    for low, high in pairwise(edges):
        cases = np.tile(queries[0], (5, 1))
        cases[:, 1] = np.linspace(low, high, 7)[1:-1]
        scores = model.decision_function(cases)
        assert (scores == scores[0]).all()
    assert CalibratedPairwiseClassifier(kernel="rbf").fit(X, Y).point(X).breakpoints(
        queries[0], 1, (-2.0, 2.0)
    ) is None  # fmt: skip
