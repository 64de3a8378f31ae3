"""Label sets whose recall or precision is promised, and the test of exchangeability."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import binom
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    MLkNNClassifier,
    RiskControlledLabelSets,
    explain_prediction,
    load_sample,
)
from labelrank_core.evaluation.guarantees import exchangeability, exchangeability_test

SONGS = load_sample("songs")


class Given(BaseEstimator):
    """A classifier whose scores are the features themselves."""

    def fit(self, X, Y):  # noqa: ARG002
        self.fitted_ = True
        return self

    def decision_function(self, X):
        return np.asarray(X, dtype=float)


class Untrainable(Given):
    def fit(self, X, Y):  # noqa: ARG002
        raise AssertionError("trained")


class GivenProbabilities(Given):
    def predict_proba(self, X):
        return expit(X)


def drawn(rng, n, m=5):
    X = rng.normal(size=(n, m)) - 0.5
    Y = (rng.random((n, m)) < expit(2 * X)).astype(int)
    Y[~Y.any(axis=1), 0] = 1
    return X, Y


def shares(sets, relevance):
    """Recall and precision of each case; an empty set has no wrong label."""
    right = (sets * relevance).sum(axis=1)
    precision = np.where(sets.any(axis=1), right / np.maximum(sets.sum(axis=1), 1), 1.0)
    return right / relevance.sum(axis=1), precision


def test_the_threshold_is_that_of_conformal_risk_control():
    rng = np.random.default_rng(0)
    X, Y = drawn(rng, 60)
    model = RiskControlledLabelSets(GivenProbabilities(), 0.8, calibration=0.5, random_state=1)
    model.fit(X, Y)
    shuffled = np.random.RandomState(1).permutation(60)
    held = shuffled[:30]
    probabilities, truth = expit(X[held]), Y[held]
    # The largest of 0, .01, ... .99 up to which (n/(n+1)) mean miss + 1/(n+1) is at most 1 - .8.
    good = []
    for t in np.arange(0, 1, 0.01):
        missed = 1 - shares(probabilities > t, truth)[0]
        good.append((missed.sum() + 1) / 31 <= 0.2 + 1e-12)
    assert model.n_calibration_ == 30
    assert model.threshold() == pytest.approx((np.argmin(good) - 1) / 100)
    assert (model.predict(X) == (expit(X) > model.threshold())).all()


@pytest.mark.parametrize("made", [Given, GivenProbabilities])
def test_the_recall_promised_is_found_on_average(made):
    rng = np.random.default_rng(5)
    found = []
    for seed in range(25):
        model = RiskControlledLabelSets(made(), 0.8, calibration=0.5, random_state=seed)
        model.fit(*drawn(rng, 40))
        X, Y = drawn(rng, 100)
        found.append(shares(model.predict(X), Y)[0].mean())
    # Means of 25 draws, each between 0 and 1 around the promise: Hoeffding is far too wide, so
    # their own spread, four standard errors.
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) >= 0.8 - 4 * error
    assert np.mean(found) < 0.95  # not by taking every label


def hoeffding_bentkus(mean_loss, n, alpha):
    """The p-value of 'the mean of n losses is above alpha' (section 1.2 of learn then test)."""
    a, b = min(mean_loss, alpha), alpha
    entropy = a * np.log(a / b) if a else 0.0
    entropy += (1 - a) * np.log((1 - a) / (1 - b))
    bentkus = np.e * binom.cdf(np.ceil(n * mean_loss), n, alpha)
    return min(np.exp(-n * entropy), bentkus)


@pytest.mark.parametrize("seed", range(4))
def test_the_threshold_on_precision_is_the_last_of_a_fixed_sequence(seed):
    X, Y = drawn(np.random.default_rng(seed), 200)
    model = RiskControlledLabelSets(
        GivenProbabilities(), 0.6, risk="precision", calibration=0.5, random_state=1
    ).fit(X, Y)
    held = np.random.RandomState(1).permutation(200)[:100]
    for level in (0.5, 0.6, 0.7, 0.8):
        last = np.nan
        for t in np.arange(0, 1, 0.01)[::-1]:
            sets = expit(X[held]) > t
            p_value = hoeffding_bentkus(1 - shares(sets, Y[held])[1].mean(), 100, 1 - level)
            if p_value > 0.1:
                break
            last = t if sets.any() else last
        assert model.thresholds_[np.isclose(model.levels_, level)] == pytest.approx(
            last, nan_ok=True
        )


def test_a_promised_precision_leaves_sets_with_labels():
    # An empty set that counted as wrong, with all thresholds tested at once, left all sets empty.
    for seed in range(3):
        model = RiskControlledLabelSets(
            make_pipeline(StandardScaler(), MLkNNClassifier()), 0.8, risk="precision",
            random_state=seed,
        ).fit(SONGS.X, SONGS.Y)  # fmt: skip
        assert model.predict(SONGS.X).any(axis=1).mean() > 0.5


def test_the_precision_promised_holds_in_most_draws():
    rng = np.random.default_rng(6)
    kept = []
    for seed in range(12):
        model = RiskControlledLabelSets(
            GivenProbabilities(), 0.6, risk="precision", calibration=0.6, random_state=seed
        ).fit(*drawn(rng, 150))
        X, Y = drawn(rng, 1000)
        kept.append(shares(model.predict(X), Y)[1].mean() >= 0.6)
    # Each with probability .9: 8 or fewer of 12 happen in 4 of 1000 runs.
    assert sum(kept) > 8


def test_higher_levels_take_more_labels_without_a_new_fit():
    model = RiskControlledLabelSets(
        make_pipeline(StandardScaler(), MLkNNClassifier()), 0.9, random_state=0
    ).fit(SONGS.X, SONGS.Y)
    sizes = [model.predict(SONGS.X, level=level).sum() for level in (0.5, 0.7, 0.9, 0.97)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert (model.predict(SONGS.X) == model.predict(SONGS.X, level=0.9)).all()
    with pytest.raises(ValueError, match=r"Expected one of levels_, got 0.123"):
        model.predict(SONGS.X, level=0.123)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(SONGS.X) == clone(model).fit(SONGS.X, SONGS.Y).predict(SONGS.X)).all()


def test_what_cannot_be_promised_takes_all_labels_or_none():
    X, Y = drawn(np.random.default_rng(0), 20)
    every, empty = "predicted set has all labels", "predicted set is empty"
    recall = RiskControlledLabelSets(GivenProbabilities(), 0.95, random_state=0)
    with pytest.warns(UserWarning, match=every):
        recall.fit(X, Y)
    assert np.isnan(recall.thresholds_[-1])
    with pytest.warns(UserWarning, match=every):
        assert recall.predict(X).all()
    precision = RiskControlledLabelSets(
        GivenProbabilities(), 0.99, risk="precision", random_state=0
    )
    with pytest.warns(UserWarning, match="precision of 0.99 cannot be promised .*" + empty):
        precision.fit(X, Y)
    with pytest.warns(UserWarning, match=empty):
        assert not precision.predict(X).any()


def test_a_threshold_above_which_nothing_is_kept_promises_nothing():
    X, Y = drawn(np.random.default_rng(0), 200)
    # The probability of every label is so small that only empty sets are without wrong labels.
    model = RiskControlledLabelSets(GivenProbabilities(), 0.9, risk="precision", random_state=0)
    with pytest.warns(UserWarning, match="predicted set is empty"):
        model.fit(X * 0 - 9, Y)
    assert np.isnan(model.thresholds_[np.isclose(model.levels_, 0.9)])


def test_without_mapie_nothing_is_trained_and_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(exchangeability, "find_spec", lambda _: None)
    needs = re.escape('pip install "labelrank-core[guarantees]"')
    with pytest.raises(ImportError, match=needs):
        RiskControlledLabelSets(Untrainable()).fit([[0.0], [1.0]], [[1], [0]])
    with pytest.raises(ImportError, match=needs):
        exchangeability_test([0.0, 1.0])


def test_classifiers_of_scikit_learn_and_cases_without_labels():
    X, Y = drawn(np.random.default_rng(0), 80)
    Y[::4] = 0
    forest = RandomForestClassifier(10, random_state=0)
    model = RiskControlledLabelSets(forest, 0.7, random_state=0).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert 10 < model.n_calibration_ < 24
    with pytest.raises(ValueError, match="a held-out case with a relevant label, got none"):
        model.fit(X[::4], Y[::4])


def test_shifted_cases_are_found_and_steady_ones_are_not():
    rng = np.random.default_rng(0)
    steady = [exchangeability_test(rng.random(60), seed=i).p_value for i in range(6)]
    assert min(steady) > 0.01
    later = rng.random(60) + np.repeat([0, 0.5], 30)
    found = exchangeability_test(later)
    assert (found.p_value, found.n_cases) == (1 / 200, 60)
    with pytest.raises(ValueError, match="at least two values"):
        exchangeability_test([1.0])


@pytest.mark.parametrize("classifier", [GivenProbabilities(), Given()])
def test_all_cases_calibrate_a_classifier_that_is_fitted(classifier):
    X, Y = drawn(np.random.default_rng(0), 60)
    model = RiskControlledLabelSets(classifier.fit(X, Y), 0.8, calibration="prefit").fit(X, Y)
    assert model.estimator_ is classifier
    assert model.n_calibration_ == 60
    np.testing.assert_allclose(model.predict_proba(X), expit(X))
    frozen = RiskControlledLabelSets(FrozenEstimator(classifier), 0.8, calibration="prefit")
    np.testing.assert_array_equal(clone(frozen).fit(X, Y).predict(X), model.predict(X))
    with pytest.raises(ValueError, match="Expected the 5 labels that the classifier has learned"):
        model.fit(X, np.column_stack([Y, Y]))


def test_labels_keep_the_names_of_a_fitted_classifier():
    names = [*SONGS.label_names]
    Y = pd.DataFrame(SONGS.relevance, columns=names)
    classifier = MLkNNClassifier().fit(SONGS.X[:80], Y.iloc[:80])
    model = RiskControlledLabelSets(classifier, 0.7, calibration="prefit")
    predicted = model.fit(SONGS.X[80:], Y.iloc[80:][names[::-1]]).predict(SONGS.X)
    assert predicted.columns.tolist() == names
    assert model.fit(SONGS.X[80:], SONGS.relevance[80:]).predict(SONGS.X).equals(predicted)


def test_the_wrapper_knows_the_names_of_the_features():
    X = pd.DataFrame(SONGS.X, columns=SONGS.feature_names)
    model = RiskControlledLabelSets(MLkNNClassifier(), 0.6, random_state=0)
    assert tuple(model.fit(X, SONGS.relevance).feature_names_in_) == tuple(SONGS.feature_names)
    assert not hasattr(model.fit(SONGS.X, SONGS.relevance), "feature_names_in_")
    assert model.n_features_in_ == SONGS.n_features


@pytest.mark.parametrize("risk", ["recall", "precision"])
def test_the_explanation_ends_in_the_set_and_says_why(risk):
    model = RiskControlledLabelSets(
        make_pipeline(StandardScaler(), MLkNNClassifier()), 0.6, risk=risk, random_state=0
    ).fit(SONGS.X, SONGS.relevance)
    for level in (None, 0.55):
        own = model.explain(SONGS.X[3], level=level)
        np.testing.assert_array_equal(own.prediction, model.predict(SONGS.X[3:4], level=level)[0])
        first, *others = own.steps
        table = first.evidence.frame(SONGS.label_names).set_index("label")
        taken = table.loc[list(SONGS.label_names), "relevant"].to_numpy()
        np.testing.assert_array_equal(taken, own.prediction)
        assert f"{taken.sum()} of {SONGS.n_labels} labels" in first.text.plain(SONGS.label_names)
    named = explain_prediction(model, SONGS.X[3], SONGS, level=0.55)
    assert [step.text for step in named.steps] == [step.text for step in own.steps]
    assert named.about.schema == SONGS.schema
    assert all(step.title.endswith("(before the guarantee)") for step in others)
    assert len(others) > 1
    assert named._repr_html_()


@pytest.mark.filterwarnings("ignore:A (recall|precision) of")
@pytest.mark.parametrize(("risk", "words"), [("recall", "all 5 labels"), ("precision", "none of")])
def test_a_level_that_cannot_be_promised_is_said(risk, words):
    X, Y = drawn(np.random.default_rng(0), 12)
    model = RiskControlledLabelSets(GivenProbabilities(), 0.99, risk=risk, random_state=0)
    own = model.fit(X, Y).explain(X[0])
    (step,) = own.steps
    assert words in step.text.plain("abcde")
    assert own.prediction.tolist() == [int(risk == "recall")] * 5
