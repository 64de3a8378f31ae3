"""Forest of label sets, label powerset and gradient boosting against scikit-learn's own numbers."""

from functools import partial

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from labelrank_core import (
    GradientBoostingLabelsClassifier,
    LabelPowersetClassifier,
    LabelSetForestClassifier,
    ProbabilisticChainsClassifier,
    RAkELClassifier,
)
from labelrank_core.aggregation import sums
from labelrank_core.aggregation.label_sets import SET_RULES
from labelrank_core.explain.evidence import LabelScores, SetValues
from labelrank_core.methods.label_sets import chains, powerset
from tests import problems
from tests.core.test_label_sets import VALUES


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    return X, (X @ rng.normal(size=(3, 4)) + rng.normal(size=(80, 4)) > 0).astype(int)


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_the_labels_of_a_forest_are_those_of_scikit_learns(data, splitter):
    X, Y = data
    model = LabelSetForestClassifier(20, splitter=splitter, random_state=3).fit(X, Y)
    expected = model.forest_.predict(X.astype(np.float32))
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-8)
    assert len(model.forest_.estimators_) == 20


def test_the_sets_of_a_forest_are_the_bags_in_its_leaves(data):
    X, Y = data
    model = LabelSetForestClassifier(6, min_samples_leaf=3).fit(X, Y)
    expected = np.zeros((len(X), len(model.sets_)))
    for tree, drawn in zip(
        model.forest_.estimators_, model.forest_.estimators_samples_, strict=True
    ):
        leaves = tree.apply(X.astype(np.float32))
        for case, leaf in enumerate(leaves):
            together = Y[drawn[leaves[drawn] == leaf]]
            is_same = (together[:, None] == model.sets_).all(axis=2)
            expected[case] += is_same.mean(axis=0) / 6
    np.testing.assert_allclose(model.predict_set_proba(X), expected, atol=1e-8)


@pytest.mark.parametrize("classifier", ["forest", "logistic"])
def test_a_powerset_is_scikit_learns_classifier_of_the_sets(data, classifier):
    X, Y = data
    classes = np.array(["".join(map(str, row)) for row in Y])
    judge = RandomForestClassifier(15, random_state=2)
    if classifier == "logistic":
        judge = LogisticRegression(C=0.5, max_iter=1000)
    judge.fit(X.astype(np.float32), classes)
    model = LabelPowersetClassifier(
        classifier=classifier, n_estimators=15, C=0.5, random_state=2
    ).fit(X, Y)
    sets = ["".join(map(str, row)) for row in model.sets_]
    assert sets == judge.classes_.tolist()
    likely = judge.predict_proba(X.astype(np.float32))
    np.testing.assert_allclose(model.predict_set_proba(X), likely, atol=1e-6)
    predicted = ["".join(map(str, row)) for row in model.predict(X)]
    clear = np.diff(np.sort(likely, axis=1)[:, -2:]).ravel() > 1e-6
    assert (np.array(predicted) == judge.classes_[likely.argmax(axis=1)])[clear].all()


@pytest.mark.parametrize("decision", SET_RULES)
@pytest.mark.parametrize(
    "method",
    [
        partial(LabelSetForestClassifier, n_estimators=10),
        partial(LabelPowersetClassifier, n_estimators=10),
        partial(ProbabilisticChainsClassifier, n_chains=2),
    ],
)
def test_a_decision_has_the_largest_expected_value(data, method, decision):
    X, Y = data
    model = method(decision=decision).fit(X, Y)
    point = model.path(X[:10]).at()
    every = np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    for case in range(10):
        chances = point.set_probabilities[case]
        expected = [
            sum(
                p * VALUES[decision](one, other)
                for p, other in zip(chances, model.sets_, strict=True)
            )
            for one in (*every, point.prediction[case])
        ]
        assert expected[-1] == pytest.approx(max(expected))
        explanation = point.explain(case)
        shown = explanation.evidence(SetValues)
        assert shown.values.sum() == pytest.approx(1)
        labels = explanation.evidence(LabelScores)
        assert labels.values == pytest.approx(chances @ model.sets_)
        if decision == "f1":
            value = explanation.steps[2].evidence.values[0]
            assert value == pytest.approx(expected[-1])
    assert (model.decision_function(X[:10]) > 0).astype(int).tolist() == point.prediction.tolist()
    fewer = method().fit(X, Y).path(X[:10]).at(decision=decision)
    np.testing.assert_array_equal(fewer.prediction, point.prediction)
    np.testing.assert_array_equal(fewer.positions, model.predict_ranking(X[:10]))


@pytest.mark.parametrize(
    "estimator", [None, GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
)
def test_chains_multiply_the_probabilities_of_scikit_learns(data, estimator):
    X, Y = data
    model = ProbabilisticChainsClassifier(3, C=0.7, random_state=4, estimator=estimator).fit(X, Y)
    regression = LogisticRegression(C=0.7, solver="newton-cholesky", max_iter=1000)
    assert len(model.sets_) == 16
    expected = np.zeros((len(X), 16))
    for order in model.orders_:
        chain = ClassifierChain(estimator or regression, order=list(order))
        chain.fit(X.astype(np.float32).astype(float), Y)
        for column, label_set in enumerate(model.sets_):
            chances = np.ones(len(X))
            for place, label in enumerate(order):
                before = np.tile(label_set[order[:place]], (len(X), 1))
                own = chain.estimators_[place].predict_proba(np.hstack([X, before]))
                chances *= own[:, label_set[label]]
            expected[:, column] += chances / 3
    np.testing.assert_allclose(model.predict_set_proba(X), expected, atol=1e-5)


def test_chains_of_any_classifier_need_probabilities(data, monkeypatch):
    with pytest.raises(ValueError, match=r"'estimator' parameter .* 'predict_proba' or None"):
        ProbabilisticChainsClassifier(estimator=SVC()).fit(*data)
    X, Y = data
    wide = np.insert(Y, [0, 2], [1, 0], axis=1)
    model = ProbabilisticChainsClassifier(2, estimator=GaussianNB()).fit(X, wide)
    narrow = ProbabilisticChainsClassifier(2, estimator=GaussianNB()).fit(X, Y)
    whole = narrow.predict_set_proba(X)
    np.testing.assert_array_equal(model.predict_set_proba(X), whole)
    only = ProbabilisticChainsClassifier(2, estimator=GaussianNB()).fit(X, np.ones_like(Y))
    assert only.estimators_ == [None, None]
    assert only.predict_set_proba(X[:1]).tolist() == [[1.0]]
    # Sets that begin alike are predicted at once, in parts that fit in memory.
    monkeypatch.setattr(chains, "chunks", partial(sums.chunks, at_once=1))
    np.testing.assert_array_equal(narrow.predict_set_proba(X), whole)


def test_of_many_labels_the_sets_seen_in_training_are_compared(data, monkeypatch):
    X, Y = data
    every = ProbabilisticChainsClassifier(2).fit(X, Y)
    monkeypatch.setattr(chains, "_MOST_COMPARED", 3)
    seen = ProbabilisticChainsClassifier(2).fit(X, Y[:, :4])
    np.testing.assert_array_equal(seen.sets_, np.unique(Y, axis=0))
    columns = [every.sets_.tolist().index(row) for row in seen.sets_.tolist()]
    per_chain = [
        np.exp(chain.log_probabilities(X.astype(np.float32), seen.sets_)) for chain in every._chains
    ]
    np.testing.assert_allclose(
        np.mean(per_chain, axis=0), every.predict_set_proba(X)[:, columns], atol=1e-8
    )
    expected = np.mean([own / own.sum(axis=1, keepdims=True) for own in per_chain], axis=0)
    np.testing.assert_allclose(seen.predict_set_proba(X), expected, atol=1e-8)


def test_labels_of_all_or_no_cases_stay_as_they_are(data):
    X, Y = data
    wide = np.insert(Y, [0, 2], [1, 0], axis=1)
    model = ProbabilisticChainsClassifier(2).fit(X, wide)
    narrow = ProbabilisticChainsClassifier(2).fit(X, Y)
    assert set(model.predict(X)[:, 0]) == {1}
    assert set(model.predict(X)[:, 3]) == {0}
    np.testing.assert_array_equal(model.predict(X)[:, [1, 2, 4, 5]], narrow.predict(X))


def test_a_logistic_regression_that_stops_early_says_so(data, monkeypatch):
    monkeypatch.setattr(powerset, "_MOST_STEPS", 1)
    with pytest.warns(ConvergenceWarning, match="1 regression stopped after 1 step"):
        LabelPowersetClassifier(classifier="logistic").fit(*data)
    monkeypatch.setattr(chains, "_MOST_STEPS", 1)
    with pytest.warns(ConvergenceWarning, match="4 logistic regressions stopped after 1 step"):
        ProbabilisticChainsClassifier(1).fit(*data)


def test_one_label_set_is_certain():
    X, Y = [[0.0], [1.0], [2.0]], [[1, 0]] * 3
    for model in (
        LabelSetForestClassifier(3),
        LabelPowersetClassifier(n_estimators=3),
        ProbabilisticChainsClassifier(2),
    ):
        assert model.fit(X, Y).predict([[5.0]]).tolist() == [[1, 0]]
        assert model.predict_set_proba([[5.0]]).tolist() == [[1.0]]


def test_fewer_trees_and_rounds_are_smaller_models(data):
    X, Y = data
    for method in (LabelSetForestClassifier, GradientBoostingLabelsClassifier):
        path = method(12).fit(X, Y).path(X)
        for n in (1, 5):
            fresh = method(n).fit(X, Y)
            np.testing.assert_allclose(
                path.at(n_estimators=n).scores, fresh.decision_function(X), atol=1e-9
            )
        with pytest.raises(ValueError, match="between 1 and 12"):
            path.at(n_estimators=13)


def test_every_label_is_boosted_as_scikit_learn_does(data):
    X, Y = data
    Y = np.column_stack([Y, np.ones(80, dtype=int)])
    model = GradientBoostingLabelsClassifier(7, learning_rate=0.3, max_leaf_nodes=4).fit(X, Y)
    for label in range(4):
        judge = HistGradientBoostingClassifier(
            max_iter=7, learning_rate=0.3, max_leaf_nodes=4, min_samples_leaf=10
        ).fit(X, Y[:, label])
        expected = judge.predict_proba(X)[:, 1]
        np.testing.assert_allclose(model.predict_proba(X)[:, label], expected, atol=1e-9)
    assert model.predict_proba(X)[:, 4] == pytest.approx([81 / 82] * 80)


def test_calibrated_rankings_teach_their_label_sets():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(30, 2)), problems.calibrated(rng, 30, 3)
    relevance = (Y[:, :3] < Y[:, 3:]).astype(int)
    for method in (
        LabelSetForestClassifier,
        LabelPowersetClassifier,
        GradientBoostingLabelsClassifier,
    ):
        models = [method(n_estimators=5).fit(X, targets) for targets in (Y, relevance)]
        one, two = (model.predict_proba(X) for model in models)
        np.testing.assert_array_equal(one, two)


def test_random_label_sets_are_averaged_powersets(data):
    X, Y = data
    model = RAkELClassifier(5, n_labels_each=3, n_trees=6, random_state=1).fit(X, Y)
    sums, counts = np.zeros(Y.shape), np.zeros(4)
    for labels, powerset_of in zip(model.label_sets_, model._models, strict=True):
        assert len(set(labels)) == 3
        seed = powerset_of.random_state
        judge = RandomForestClassifier(6, random_state=seed)
        names = ["".join(map(str, row)) for row in Y[:, labels]]
        likely = judge.fit(X.astype(np.float32), names).predict_proba(X.astype(np.float32))
        sets = np.array([list(map(int, name)) for name in judge.classes_])
        sums[:, labels] += likely @ sets
        counts[labels] += 1
    # Fifteen labels of models: each of the four is in three or four of them.
    assert set(counts) <= {3, 4}
    np.testing.assert_allclose(model.predict_proba(X), sums / counts, atol=1e-8)


def test_labels_in_no_model_have_their_share(data):
    X, Y = data
    model = RAkELClassifier(1, n_labels_each=2, n_trees=3).fit(X, Y)
    others = np.setdiff1d(np.arange(4), model.label_sets_[0])
    for label in others:
        assert model.predict_proba(X)[:, label] == pytest.approx([Y[:, label].mean()] * 80)
    path = RAkELClassifier(6, n_trees=3).fit(X, Y).path(X)
    for n in (1, 4):
        fresh = RAkELClassifier(n, n_trees=3).fit(X, Y)
        np.testing.assert_array_equal(path.at(n_estimators=n).scores, fresh.decision_function(X))
    explanation = path.at().explain(0)
    assert explanation.evidence(SetValues).values.sum() == pytest.approx(1)
