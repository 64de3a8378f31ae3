"""Weights of cases: the same as equal cases, and handed on by scikit-learn's routing."""

from inspect import signature

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    AdaBoostMHClassifier,
    ConformalLabelRanker,
    KNeighborsLabelRanker,
    LogLinearRanker,
    PairwiseLabelRanker,
    RiskControlledLabelSets,
    StackedLabelRanker,
    StackedMultilabelClassifier,
    methods,
    scorers,
)
from labelrank_core.methods import ALGORITHMS
from tests import problems

WEIGHTED = [
    key
    for key, algorithm in ALGORITHMS.items()
    if "sample_weight" in signature(algorithm.estimator.fit).parameters
]


def problem(learns_rankings, seed=0, n=30):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    Y = problems.positions(rng, n, 4) if learns_rankings else problems.relevance(rng, n, 4)
    return X, Y, rng.integers(0, 4, n)


def scores_of(model, X):
    return model.point(X).scores


def test_the_methods_with_weights_are_those_that_the_package_names():
    text = methods.__doc__.partition("Weights of cases")[2].partition(";")[0]
    named = {word for word in text.replace("\n", " ").split("`") if word[:1].isupper()}
    assert named == {ALGORITHMS[key].estimator.__name__ for key in WEIGHTED}


@pytest.mark.parametrize("key", WEIGHTED)
def test_a_weight_is_a_number_of_equal_cases(key):
    algorithm = ALGORITHMS[key]
    X, Y, counts = problem(algorithm.learns_rankings)
    few = problems.few(algorithm)
    weighted = algorithm.build(**few).fit(X, Y, sample_weight=counts)
    repeated = algorithm.build(**few).fit(
        np.repeat(X, counts, axis=0), np.repeat(Y, counts, axis=0)
    )
    queries = np.random.default_rng(9).normal(size=(20, 3))
    np.testing.assert_allclose(
        scores_of(weighted, queries), scores_of(repeated, queries), atol=1e-6
    )
    alike = algorithm.build(**few).fit(X, Y, sample_weight=np.ones(len(X)))
    plain = algorithm.build(**few).fit(X, Y)
    np.testing.assert_allclose(scores_of(alike, queries), scores_of(plain, queries), atol=1e-9)
    of_sparse = algorithm.build(**few).fit(sparse.csr_matrix(X), Y, sample_weight=counts)
    np.testing.assert_allclose(
        scores_of(of_sparse, queries), scores_of(weighted, queries), atol=1e-9
    )
    explanation = weighted.explain(queries[0])
    np.testing.assert_array_equal(explanation.prediction, weighted.predict(queries[:1])[0])


@pytest.mark.parametrize("options", [{"n_knots": 3}, {"estimator": LogisticRegression()}])
def test_pairs_of_any_kind_take_weights(options):
    X, Y, counts = problem(True, n=60)
    model = PairwiseLabelRanker(**options).fit(X, Y, counts)
    plain = PairwiseLabelRanker(**options).fit(X, Y)
    repeated = np.repeat(X, counts, axis=0), np.repeat(Y, counts, axis=0)
    assert model.score(*repeated) > plain.score(*repeated)


@pytest.mark.parametrize("model", [LogLinearRanker(), AdaBoostMHClassifier(3)])
@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.ones((30, 1)), "a number for each of 30 cases"),
        ([1.0], "a number for each of 30 cases"),
        (np.zeros(30), "not all of them zero"),
        (np.full(30, -1.0), "of at least 0"),
        (np.full(30, np.nan), "finite"),
    ],
)
def test_wrong_weights_are_refused(model, weights, said):
    X, Y, _ = problem(isinstance(model, LogLinearRanker))
    with pytest.raises(ValueError, match=said):
        model.fit(X, Y, sample_weight=weights)


class Recorder(KNeighborsLabelRanker):
    """Remembers how many cases and weights it was given."""

    def fit(self, X, Y, sample_weight=None):
        self.sizes_ = len(X), None if sample_weight is None else len(sample_weight)
        return super().fit(X, Y)


class SetRecorder(BaseEstimator):
    def fit(self, X, Y, sample_weight=None):
        self.sizes_ = len(X), None if sample_weight is None else len(sample_weight)
        self.shares_ = np.mean(Y, axis=0)
        return self

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
class TestRouting:
    def test_searches_and_pipelines_hand_weights_on(self):
        X, Y, counts = problem(True)
        ranker = LogLinearRanker().set_fit_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), ranker)
        grid = {"loglinearranker__penalty": [1e-3]}
        search = GridSearchCV(model, grid, cv=2, scoring=scorers["kendall_tau"])
        search.fit(X, Y, sample_weight=counts)
        scaled = StandardScaler().fit_transform(X)
        alone = LogLinearRanker(1e-3).fit(scaled, Y, sample_weight=counts)
        np.testing.assert_allclose(search.best_estimator_[-1].coef_, alone.coef_)

    @pytest.mark.parametrize("calibration", [0.3, 3])
    def test_guarantees_hand_on_the_weights_of_the_cases_that_are_learned(self, calibration):
        X, Y, counts = problem(True)
        ranker = Recorder(3).set_fit_request(sample_weight=True)
        sure = ConformalLabelRanker(ranker, 0.5, calibration=calibration, random_state=0)
        sure.fit(X, Y, sample_weight=counts)
        for fitted, part in zip(sure.estimators_, sure.held_out_, strict=True):
            assert fitted.sizes_ == (30 - len(part), 30 - len(part))
        X, Y, counts = problem(False)
        classifier = SetRecorder().set_fit_request(sample_weight=True)
        sets = RiskControlledLabelSets(classifier, 0.5, random_state=0)
        assert sets.fit(X, Y, sample_weight=counts).estimator_.sizes_ == (21, 21)

    def test_blends_hand_weights_to_the_candidates_that_ask_for_them(self):
        X, Y, counts = problem(True)
        asks = Recorder(3).set_fit_request(sample_weight=True)
        silent = Recorder(5).set_fit_request(sample_weight=False)
        model = StackedLabelRanker([("asks", asks), ("silent", silent)], inner_folds=2)
        model.fit(X, Y, sample_weight=counts)
        expected = {"asks": (30, 30), "silent": (30, None)}
        assert model.members_
        for name, member in model.members_.items():
            assert member.sizes_ == expected[name]
        X, Y, counts = problem(False)
        asks = SetRecorder().set_fit_request(sample_weight=True)
        model = StackedMultilabelClassifier([asks], inner_folds=2).fit(X, Y, sample_weight=counts)
        assert model.members_["setrecorder"].sizes_ == (30, 30)

    def test_what_nobody_asks_for_is_refused(self):
        X, Y, counts = problem(True)
        with pytest.raises(TypeError, match="sample_weight"):
            ConformalLabelRanker(KNeighborsLabelRanker(3)).fit(X, Y, sample_weight=counts)


def test_without_routing_weights_are_refused():
    X, Y, counts = problem(True)
    with pytest.raises(ValueError, match="enable_metadata_routing=True"):
        StackedLabelRanker().fit(X, Y, sample_weight=counts)
    with pytest.raises(ValueError, match="enable_metadata_routing=True"):
        ConformalLabelRanker(LogLinearRanker()).fit(X, Y, sample_weight=counts)
