"""Any classifier as base of binary relevance, chains and pairs: scikit-learn's, one by one."""

from inspect import signature
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.parallel import Parallel, delayed

from labelrank_core import (
    BinaryRelevanceClassifier,
    CalibratedPairwiseClassifier,
    ClassifierChainsClassifier,
    PairwiseLabelRanker,
    ProbabilisticChainsClassifier,
)
from labelrank_core.explain.evidence import Confidence, LabelScores
from labelrank_core.methods.pairwise._calibrated_point import line_pairs
from labelrank_core.rankings import calibrate
from tests import problems
from tests.core.test_binary_relevance import problem
from tests.core.test_calibrated_pairwise import count, rankings
from tests.core.test_estimator_checks import EXPECTED_FAILED_CHECKS, SKIPPED_CHECKS, with_targets

PROBABLE = {
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "logistic": LogisticRegression(C=0.7),
    "bayes": GaussianNB(),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
}
DECIDING = {"ridge": RidgeClassifier(), "kernel": SVC(gamma=0.5)}
BASES = {**PROBABLE, **DECIDING}
OF_SETS = [BinaryRelevanceClassifier, ClassifierChainsClassifier, CalibratedPairwiseClassifier]
NAMES = ["a", "b", "c", "d"]
by_base = pytest.mark.parametrize("base", BASES)
by_probable = pytest.mark.parametrize("base", PROBABLE)
by_deciding = pytest.mark.parametrize("base", DECIDING)
by_method = pytest.mark.parametrize("method", OF_SETS)


def build(method, base):
    """The method with few chains, if it has any, of a base classifier."""
    estimator = BASES[base] if isinstance(base, str) else base
    few = {"n_chains": 2} if "n_chains" in signature(method).parameters else {}
    return method(estimator=estimator, **few)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


class TestBinaryRelevance:
    @by_probable
    def test_probabilities_are_those_of_one_against_the_rest(self, base):
        X, Y, queries = problem(0)
        model = BinaryRelevanceClassifier(estimator=BASES[base]).fit(X, Y)
        probabilities = model.predict_proba(queries)
        expected = OneVsRestClassifier(BASES[base]).fit(X, Y)
        np.testing.assert_allclose(probabilities, expected.predict_proba(queries), atol=1e-11)
        separate = MultiOutputClassifier(BASES[base]).fit(X, Y).predict_proba(queries)
        np.testing.assert_allclose(probabilities.T, [p[:, 1] for p in separate], atol=1e-11)
        np.testing.assert_array_equal(model.predict(queries), expected.predict(queries))
        np.testing.assert_allclose(model.decision_function(queries), probabilities - 0.5)
        right = np.maximum(probabilities, 1 - probabilities).mean(axis=1)
        np.testing.assert_allclose(model.predict_confidence(queries), right)
        order = np.argsort(-probabilities.round(12), axis=1, kind="stable")
        np.testing.assert_array_equal(np.argsort(model.predict_ranking(queries)), order)

    @by_deciding
    def test_margins_are_the_decisions_of_one_against_the_rest(self, base):
        X, Y, queries = problem(1)
        model = BinaryRelevanceClassifier(estimator=BASES[base]).fit(X, Y)
        expected = OneVsRestClassifier(BASES[base]).fit(X, Y)
        decisions = expected.decision_function(queries)
        np.testing.assert_allclose(model.decision_function(queries), decisions, atol=1e-11)
        np.testing.assert_array_equal(model.predict(queries), expected.predict(queries))
        right = (1 + np.minimum(np.abs(decisions), 1)).mean(axis=1) / 2
        np.testing.assert_allclose(model.predict_confidence(queries), right)

    @pytest.mark.parametrize(("base", "certain"), [("bayes", 0.5), ("ridge", 1.0)])
    def test_a_label_of_all_or_no_cases_is_certain(self, base, certain):
        X, Y, queries = problem(2)
        Y[:, 1], Y[:, 2] = 1, 0
        model = BinaryRelevanceClassifier(estimator=BASES[base]).fit(X, Y)
        scores = model.decision_function(queries)
        assert (scores[:, 1] == certain).all()
        assert (scores[:, 2] == -certain).all()
        assert [fitted is None for fitted in model.estimators_] == [False, True, True, False]
        only = BinaryRelevanceClassifier(estimator=BASES[base]).fit(X, np.ones_like(Y))
        assert only.predict(queries).all()
        assert only.predict_confidence(queries).tolist() == [1.0] * len(queries)

    def test_it_has_probabilities_where_its_estimator_has_them(self):
        assert not hasattr(BinaryRelevanceClassifier(), "predict_proba")
        assert not hasattr(BinaryRelevanceClassifier(estimator=SVC()), "predict_proba")
        assert hasattr(BinaryRelevanceClassifier(estimator=GaussianNB()), "predict_proba")

    def test_probabilities_have_the_names_of_the_labels(self):
        X, Y, queries = problem(3)
        model = BinaryRelevanceClassifier(estimator=GaussianNB())
        model.fit(X, pd.DataFrame(Y, columns=NAMES))
        frame = model.predict_proba(pd.DataFrame(queries, index=range(5, 11)))
        assert frame.columns.tolist() == NAMES
        assert frame.index.tolist() == list(range(5, 11))

    def test_scikit_learn_predicts_its_probabilities_out_of_fold(self):
        X, Y, _ = problem(4)
        model = BinaryRelevanceClassifier(estimator=GaussianNB())
        held_out = cross_val_predict(model, X, Y, cv=3, method="predict_proba")
        fresh = clone(model).fit(X[10:], Y[10:])
        np.testing.assert_array_equal(held_out[:10], fresh.predict_proba(X[:10]))


class TestChains:
    @by_probable
    def test_probabilities_are_the_mean_of_scikit_learns_chains(self, base):
        X, Y, queries = problem(5)
        model = ClassifierChainsClassifier(3, estimator=BASES[base]).fit(X, Y)
        chains = [
            ClassifierChain(BASES[base], order=list(order)).fit(X, Y) for order in model.orders_
        ]
        expected = np.mean([chain.predict_proba(queries) for chain in chains], axis=0)
        np.testing.assert_allclose(model.predict_proba(queries), expected, atol=1e-11)
        assert len({tuple(order) for order in model.orders_}) > 1
        # Fewer chains are the first ones.
        first = ClassifierChainsClassifier(1, estimator=BASES[base]).fit(X, Y)
        point = model.path(queries).at(n_chains=1)
        np.testing.assert_array_equal(point.scores, first.decision_function(queries))

    @by_deciding
    def test_without_probabilities_chains_vote(self, base):
        X, Y, queries = problem(6)
        model = ClassifierChainsClassifier(3, estimator=BASES[base]).fit(X, Y)
        votes = [
            ClassifierChain(BASES[base], order=list(order)).fit(X, Y).predict(queries)
            for order in model.orders_
        ]
        np.testing.assert_allclose(model.predict_proba(queries), np.mean(votes, axis=0))
        one = ClassifierChainsClassifier(1, estimator=BASES[base]).fit(X, Y)
        np.testing.assert_array_equal(one.predict(queries), votes[0])

    def test_constant_labels_are_no_features_of_the_others(self):
        X, Y, queries = problem(7)
        wide = np.insert(Y, [0, 2], [1, 0], axis=1)
        model = ClassifierChainsClassifier(2, estimator=GaussianNB()).fit(X, wide)
        probabilities = model.predict_proba(queries)
        np.testing.assert_allclose(probabilities[:, 0], 31 / 32)
        np.testing.assert_allclose(probabilities[:, 3], 1 / 32)
        expected = ClassifierChainsClassifier(2, estimator=GaussianNB()).fit(X, Y)
        np.testing.assert_array_equal(
            probabilities[:, [1, 2, 4, 5]], expected.predict_proba(queries)
        )
        only = ClassifierChainsClassifier(2, estimator=GaussianNB()).fit(X, np.ones_like(Y))
        assert only.predict(queries).all()
        assert only.estimators_ == [None, None]
        assert only.explain(queries[0]).prediction.all()


class TestCalibratedPairs:
    @by_base
    @pytest.mark.parametrize("kind", ["label sets", "rankings"])
    def test_every_vote_is_that_of_a_classifier_of_the_pair_alone(self, base, kind):
        X, Y, queries = problem(8, n_labels=3) if kind == "label sets" else rankings(8)
        queries = queries[:2]
        positions = calibrate(Y) if kind == "label sets" else Y

        def margin_of(cases, signs, x):
            classifier = clone(BASES[base]).fit(cases, signs > 0)
            if base in DECIDING:
                return classifier.decision_function([x])[0].round(12)
            ahead = classifier.predict_proba([x])[0, 1]
            return (2 * ahead - 1).round(12)

        model = CalibratedPairwiseClassifier(estimator=BASES[base]).fit(X, Y)
        votes = count(X, positions, queries, margin_of)
        np.testing.assert_array_equal(model.point(queries).totals, votes)
        np.testing.assert_array_equal(
            model.predict(queries), (votes[:, :-1] > votes[:, -1:]).astype(int)
        )

    def test_its_votes_against_the_zero_line_are_binary_relevance(self):
        X, Y, queries = problem(9)
        pairs = CalibratedPairwiseClassifier(estimator=GaussianNB()).fit(X, Y)
        labels = BinaryRelevanceClassifier(estimator=GaussianNB()).fit(X, Y)
        np.testing.assert_array_equal(
            pairs.point(queries).votes[:, line_pairs(4)], labels.predict(queries)
        )

    def test_a_pair_without_a_classifier_has_its_constant_outcome(self):
        X, _, queries = problem(10)
        Y = np.tile([0, 1, 1], (len(X), 1))
        Y[0, 0] = 1
        model = CalibratedPairwiseClassifier(estimator=GaussianNB()).fit(X[1:], Y[1:])
        assert model.estimators_ == [None] * 6
        # b and c tie with one half, and beat a and the zero line.
        assert model.point(queries).totals[0].tolist() == [0, 2.5, 2.5, 1]


class TestPairs:
    def test_classifiers_without_probabilities_vote(self):
        rng = np.random.default_rng(0)
        X, Y, queries = rng.normal(size=(30, 3)), problems.positions(rng, 30, 4), rng.normal(size=3)
        model = PairwiseLabelRanker(voting="binary", estimator=SVC()).fit(X, Y)
        (support,) = model.predict_pair_support([queries])
        votes = np.full((4, 4), 0.5)
        for i, j in permutations(range(4), 2):
            votes[i, j] = SVC().fit(X, Y[:, i] < Y[:, j]).predict([queries])[0]
        np.testing.assert_array_equal(support, votes)
        score = model.explain(queries).evidence(Confidence).value
        assert score == model.predict_confidence([queries])[0]

    def test_they_cannot_vote_with_probabilities(self):
        X, Y = [[0.0], [1.0]], [[1, 2], [2, 1]]
        message = "with predict_proba for voting='weighted', got SVC. Choose voting='binary'"
        with pytest.raises(ValueError, match=message):
            PairwiseLabelRanker(estimator=SVC()).fit(X, Y)
        model = PairwiseLabelRanker(voting="binary", estimator=SVC()).fit(X, Y)
        with pytest.raises(ValueError, match=message):
            model.path(X).at(voting="weighted")

    def test_log_odds_are_those_of_the_estimator(self):
        X, Y = [[0.0], [1.0], [2.0], [3.0]], [[1, 2], [1, 2], [2, 1], [2, 1]]
        model = PairwiseLabelRanker(estimator=LogisticRegression()).fit(X, Y)
        regression = LogisticRegression().fit(X, [1, 1, 0, 0])
        support = model.predict_pair_support([[0.3]])[0, 0, 1]
        assert support == pytest.approx(expit(regression.decision_function([[0.3]])[0]))


@by_method
class TestEstimators:
    @by_base
    def test_explanations_end_in_the_prediction(self, method, base):
        X, Y, queries = problem(11)
        model = build(method, base).fit(X, Y)
        point = model.point(queries)
        for case, x in enumerate(queries):
            explanation = model.explain(x)
            np.testing.assert_array_equal(explanation.prediction, point.prediction[case])
            np.testing.assert_array_equal(explanation.positions, point.positions[case])
            shown = explanation.evidence(LabelScores)
            relevant = (shown.values > shown.bar).astype(int)
            np.testing.assert_array_equal(relevant, explanation.prediction)
            sure = explanation.evidence(Confidence).value
            assert sure == pytest.approx(point.confidence[case])
            for text in (explanation.summary, *(step.text for step in explanation.steps)):
                assert "{" not in text.plain(NAMES)
        assert point.breakpoints(queries[0], 0, (-1.0, 1.0)) is None

    @by_base
    def test_parallel_fits_are_alike_and_leave_the_estimator_unfitted(self, method, base):
        X, Y, queries = problem(12)
        model = build(method, base)
        fitted = clone(model).fit(X, Y)
        assert fitted.n_features_in_ == 3
        copies = Parallel(n_jobs=2, backend="threading")(
            delayed(clone(model).fit)(X, Y) for _ in "ab"
        )
        for other in copies:
            np.testing.assert_array_equal(
                other.decision_function(queries), fitted.decision_function(queries)
            )
        inner = {f"estimator__{name}" for name in BASES[base].get_params()}
        assert inner <= model.get_params().keys()
        assert "n_features_in_" not in vars(fitted.estimator)
        assert "coef_" not in vars(fitted)

    def test_sparse_cases_are_given_as_they_are(self, method):
        X, Y, queries = problem(14)
        X[np.abs(X) < 0.5] = 0
        tree = DecisionTreeClassifier(random_state=0)
        dense = build(method, tree).fit(X, Y)
        other = build(method, tree).fit(sparse.csr_matrix(X), Y)
        np.testing.assert_array_equal(
            other.decision_function(sparse.csr_matrix(queries)), dense.decision_function(queries)
        )
        with pytest.raises(TypeError, match="Sparse data was passed"):
            method(estimator=GaussianNB()).fit(sparse.csr_matrix(X), Y)
        assert not sklearn.utils.get_tags(method(estimator=GaussianNB())).input_tags.sparse
        assert sklearn.utils.get_tags(method()).input_tags.sparse

    @pytest.mark.parametrize(
        ("estimator", "said"),
        [
            (3, "'estimator' parameter .* 'decision_function'"),
            (LinearRegression(), "'estimator' parameter .* 'predict_proba'"),
            (DecisionTreeClassifier(max_depth=-1), "'max_depth' parameter of DecisionTree"),
        ],
    )
    def test_what_is_no_classifier_is_refused_in_words(self, method, estimator, said):
        X, Y, _ = problem(15)
        with pytest.raises(ValueError, match=said):
            method(estimator=estimator).fit(X, Y)


@pytest.mark.parametrize("method", [*OF_SETS, ProbabilisticChainsClassifier])
class TestScikitLearnManners:
    def test_a_search_varies_its_parameters(self, method):
        X, Y, queries = problem(13)
        model = build(method, DecisionTreeClassifier(random_state=0))
        search = GridSearchCV(model, {"estimator__max_depth": [1, 3]}, cv=2).fit(X, Y)
        depth = search.best_params_["estimator__max_depth"]
        alone = build(method, DecisionTreeClassifier(max_depth=depth, random_state=0)).fit(X, Y)
        np.testing.assert_array_equal(search.predict(queries), alone.predict(queries))

    def test_a_class_in_place_of_an_object_is_refused(self, method):
        X, Y, _ = problem(15)
        with pytest.raises(TypeError, match="got estimator class instead"):
            method(estimator=GaussianNB).fit(X, Y)

    def test_weights_are_not_handed_on_without_routing(self, method):
        X, Y, _ = problem(16)
        with pytest.raises(ValueError, match="Expected no sample_weight without"):
            method(estimator=GaussianNB()).fit(X, Y, sample_weight=np.ones(len(X)))

    @pytest.mark.usefixtures("routing")
    def test_routing_hands_weights_to_an_estimator_that_asks(self, method):
        X, Y, queries = problem(17)
        weights = np.random.default_rng(0).integers(1, 4, len(X))
        forest = RandomForestClassifier(3, bootstrap=False, max_features=None, random_state=0)
        for estimator in (GaussianNB(), forest):
            asking = clone(estimator).set_fit_request(sample_weight=True)
            model = build(method, asking).fit(X, Y, sample_weight=weights)
            many = np.repeat(X, weights, axis=0), np.repeat(Y, weights, axis=0)
            repeated = build(method, estimator).fit(*many)
            np.testing.assert_array_equal(model.predict(queries), repeated.predict(queries))
        with pytest.raises(TypeError, match="sample_weight"):
            method().fit(X, Y, sample_weight=weights)

    def test_scikit_learns_checks_hold(self, method):
        results = check_estimator(
            build(with_targets(method), DecisionTreeClassifier(random_state=0)),
            expected_failed_checks=EXPECTED_FAILED_CHECKS,
            on_fail=None,
            on_skip=None,
        )
        failed = {result["check_name"] for result in results if result["status"] == "failed"}
        skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
        assert failed == set()
        assert skipped <= SKIPPED_CHECKS
