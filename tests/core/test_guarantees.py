"""Conformal orders of pairs: worked examples, the definition, and validity by simulation."""

import pickle
import re
import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from labelrank_core import (
    ConformalLabelRanker,
    KNeighborsLabelRanker,
    explain_prediction,
    load_sample,
)
from labelrank_core.evaluation.guarantees.calibration import (
    RISKS,
    Calibration,
    fewest_cases,
    pair_losses,
    promise,
)
from labelrank_core.evaluation.guarantees.semiorder import score_gaps, sure_pairs
from labelrank_core.explain.evidence import LabelScores, Neighbors, SurePairs
from labelrank_core.explain.predictions import last_step
from labelrank_core.rankings import dense_positions, strict_positions
from tests.core.test_estimator_checks import EXPECTED_FAILED_CHECKS, SKIPPED_CHECKS, with_targets
from tests.looped import seeds

# How unlikely a count must be before a simulation fails: one run in ten thousand.
RARE = 1e-4


class Given(BaseEstimator):
    """A ranker whose scores are the features themselves."""

    class _Point:
        def __init__(self, X):
            self.scores = np.asarray(X, dtype=float)

    def fit(self, X, Y):  # noqa: ARG002
        self.n_features_in_ = np.shape(X)[1]
        return self

    def point(self, X):
        return self._Point(X)


class OnlyRanks(BaseEstimator):
    """A ranker of somebody else: it has no scores."""

    def fit(self, X, Y):  # noqa: ARG002
        self.fitted_ = True
        return self

    def predict(self, X):
        return strict_positions(-np.asarray(X))


def calibration(scores, truth, risk="any_pair"):
    return Calibration(pair_losses(np.asarray(scores, dtype=float), truth, risk), risk)


def test_the_threshold_of_a_worked_example():
    # Three cases, truth a > b > c. The first is right. The second has b ahead of a by 2 and c ahead
    # of a by 1: its largest wrong gap is 2. The third has c ahead of b by 3, and no more is wrong.
    scores, truth = [[3, 2, 1], [1, 3, 2], [9, 1, 4]], np.tile([1, 2, 3], (3, 1))
    found = calibration(scores, truth)
    # n = 3: at alpha = 1/4 the ceil(3/4 * 4) = 3rd smallest of 0, 2, 3; at 1/2 the 2nd; at 3/4 the
    # 1st. Below 1/4 the 4th of three would be needed.
    assert [found.threshold(alpha) for alpha in (0.25, 0.5, 0.75)] == [3, 2, 0]
    assert found.threshold(0.24) == np.inf
    # Shares of 3 pairs: t = 0 loses 0 + 2/3 + 1/3 = 1, which needs 4 alpha - 1 >= 1; from t = 1 on
    # the second loses 1/3, together 2/3; from t = 2 on only the third, 1/3; from t = 3 on none.
    shares = calibration(scores, truth, "share_of_pairs")
    thresholds = [shares.threshold(alpha) for alpha in (0.25, 0.34, 0.42, 0.5)]
    assert thresholds == [3, 2, 1, 0]


def naive_threshold(scores, truth, alpha, risk):
    """The smallest of all possible thresholds that keeps the definition."""
    n, m = np.shape(scores)
    pairs = [(a, b) for a in range(m) for b in range(m)]
    gaps = {0.0} | {round(s[a] - s[b], 10) for s in scores for a, b in pairs if s[a] > s[b]}
    for t in sorted(gaps):
        lost = 0.0
        for s, y in zip(scores, truth, strict=True):
            ordered = [(a, b) for a, b in pairs if y[a] < y[b]]
            wrong = sum(round(s[b] - s[a], 10) > t for a, b in ordered)
            lost += bool(wrong) if risk == "any_pair" else wrong / len(ordered)
        if (lost + 1) / (n + 1) <= alpha + 1e-12:
            return t
    return np.inf


@pytest.mark.parametrize("risk", RISKS)
@seeds(6)
def test_thresholds_are_those_of_the_definition(risk, seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 5, size=(11, 4)) / 2 if seed % 2 else rng.normal(size=(11, 4))
    truth = dense_positions(rng.integers(0, 3 if seed % 3 else 99, size=(11, 4)))
    truth[rng.random(truth.shape) < 0.2] = np.nan
    truth = truth[(np.nanmin(truth, axis=1) < np.nanmax(truth, axis=1))]
    scores = scores[: len(truth)]
    found = calibration(scores, truth, risk)
    for alpha in (0.05, 0.1, 0.2, 1 / 3, 0.5, 0.9):
        assert found.threshold(alpha) == naive_threshold(scores, truth, alpha, risk)


def test_ties_and_labels_not_ranked_order_no_pair():
    # b ties with a, and c is not ranked: nothing that is predicted of them can be wrong.
    truth = np.array([[1, 1, np.nan, 2]])
    losses = pair_losses(np.array([[0, 5, 9, 4.0]]), truth, "any_pair")
    # Only d is behind a in truth and ahead by 4; b is rightly ahead of d.
    assert (losses.gap.tolist(), losses.n_cases) == ([4], 1)


def test_orders_and_intervals_of_a_worked_example():
    # Gap .5 decided at threshold .4: a ahead of both; b and c lie .1 apart.
    model = ConformalLabelRanker(Given(), 0.5, calibration=0.5, random_state=0)
    wrong = [[0.0, 0.4], [0.4, 0.0]] * 4
    model.fit(np.array(wrong), np.array([[1, 2], [2, 1]] * 4))
    assert model.threshold_ == 0.4
    order = model.predict_order(np.array([[1.0, 0.5, 0.4]]))
    assert order[0].tolist() == [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]
    intervals = model.predict_interval(np.array([[1.0, 0.5, 0.4]]))
    assert intervals[0].tolist() == [[1, 1], [2, 3], [2, 3]]
    # A gap that equals the threshold is not enough, equal scores never are.
    assert not model.predict_order(np.array([[0.4, 0.0]])).any()
    assert not model.predict_order(np.array([[0.7, 0.7]]), alpha=0.99).any()


def completions(truth):
    """All strict rankings that keep to what a truth orders."""
    pairs = [(a, b) for a, b in permutations(range(len(truth)), 2) if truth[a] < truth[b]]
    for ranking in permutations(range(1, len(truth) + 1)):
        if all(ranking[a] < ranking[b] for a, b in pairs):
            yield ranking


def test_intervals_hold_for_a_completion_of_what_the_order_does_not_contradict():
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 60:
        truth = dense_positions(rng.integers(0, 3, size=(1, 4)))[0]
        truth[rng.random(4) < 0.3] = np.nan
        order = sure_pairs(score_gaps(rng.normal(size=(1, 4))), 0.5)[0]
        if ((order > 0) & (truth[:, None] > truth)).any():
            continue
        tried += 1
        first = 1 + (order < 0).sum(axis=1)
        last = 4 - (order > 0).sum(axis=1)
        assert any(((first <= r) & (r <= last)).all() for r in completions(truth))


@pytest.mark.parametrize("held", [0.4, 4])
def test_orders_are_transitive_and_keep_to_the_predicted_ranking(held):
    data = load_sample("glass")
    sure = ConformalLabelRanker(KNeighborsLabelRanker(), 0.3, calibration=held, random_state=1)
    sure.fit(data.X[:120], data.rankings[:120])
    order, ranking = sure.predict_order(data.X[120:]), sure.predict(data.X[120:])
    ahead = order > 0
    assert (order == -order.transpose(0, 2, 1)).all()
    assert 0.1 < ahead.mean() < 0.45
    # a before b and b before c: a before c.
    followed = np.einsum("nab,nbc->nac", ahead.astype(int), ahead.astype(int)) > 0
    assert not (followed & ~ahead).any()
    assert not (ahead & (ranking[:, :, None] > ranking[:, None, :])).any()
    intervals = sure.predict_interval(data.X[120:])
    assert ((intervals[..., 0] <= ranking) & (ranking <= intervals[..., 1])).all()
    # Fewer pairs are decided where less may be wrong.
    assert (np.abs(sure.predict_order(data.X[120:], alpha=0.05)) <= np.abs(order)).all()


def drawn(rng, n, kind, m=4, noise=1.0):
    """Draw scores of cases and their truth: the order of the scores with noise."""
    scores = rng.normal(size=(n, m))
    worth = scores + noise * rng.normal(size=(n, m))
    if kind == "tied scores":
        scores = scores.round()
    keys = -worth.round() if kind == "tied truth" else -worth
    truth = dense_positions(keys)
    if kind == "partial truth":
        truth[rng.random(truth.shape) < 0.4] = np.nan
        truth = dense_positions(truth)
    return scores, truth


def realised(model, X, truth):
    """Whether any decided pair of a case is reversed, and the share of its pairs that are."""
    order = model.predict_order(X)
    truly = truth[:, :, None] < truth[:, None, :]
    wrong = (truly & (order < 0)).sum(axis=(1, 2))
    return wrong > 0, wrong / np.maximum(truly.sum(axis=(1, 2)), 1)


KINDS = ("plain", "tied scores", "tied truth", "partial truth")


def simulated(kind, *, alpha, n, n_draws=150, risk="any_pair", held=0.5, seed=0, shift=1.0):
    """The losses of one new case in each of many draws of calibration cases."""
    rng = np.random.default_rng(seed)
    any_wrong, shares = np.zeros(n_draws), np.zeros(n_draws)
    model = ConformalLabelRanker(Given(), alpha, risk=risk, calibration=held, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # too few cases to decide anything
        for i in range(n_draws):
            model.fit(*drawn(rng, n, kind))
            any_wrong[i], shares[i] = map(
                np.squeeze, realised(model, *drawn(rng, 1, kind, noise=shift))
            )
    return any_wrong, shares


@pytest.mark.parametrize("kind", KINDS)
def test_no_decided_pair_is_wrong_as_often_as_promised(kind):
    wrong, _ = simulated(kind, alpha=0.2, n=38)
    assert wrong.sum() <= binom.ppf(1 - RARE, len(wrong), 0.2)


def test_the_promise_is_not_kept_by_deciding_nothing():
    # Without ties, 1 - alpha + 1/(n + 1) is the most that can be right: here 19 cases calibrate and
    # nearly all of them have a wrong pair.
    wrong, _ = simulated("plain", alpha=0.2, n=38)
    assert wrong.sum() >= binom.ppf(RARE, len(wrong), 0.2 - 1 / 20)


@pytest.mark.parametrize("kind", KINDS)
def test_few_cases_keep_the_promise_too(kind):
    wrong, _ = simulated(kind, alpha=0.4, n=6)
    assert wrong.sum() <= binom.ppf(1 - RARE, len(wrong), 0.4)


def test_the_share_of_wrong_pairs_is_as_promised():
    _, shares = simulated("plain", alpha=0.1, n=80, risk="share_of_pairs")
    # Mean of independent values between 0 and 1: Hoeffding's bound at RARE, and not 0.
    assert shares.mean() <= 0.1 + np.sqrt(np.log(1 / RARE) / (2 * len(shares)))
    assert shares.mean() > 0.03


def test_folds_keep_what_is_proven():
    wrong, _ = simulated("plain", alpha=0.2, n=20, held=5, n_draws=100)
    proven = 0.2 + 0.8 * 3 / 24
    assert wrong.sum() <= binom.ppf(1 - RARE, len(wrong), proven)


def test_the_promise_does_not_hold_for_shifted_cases():
    # New cases are three times as noisy as those that calibrated.
    wrong, _ = simulated("plain", alpha=0.2, n=38, shift=3.0)
    assert wrong.sum() > binom.ppf(1 - RARE, len(wrong), 0.2)


def test_what_is_proven_for_folds():
    losses = calibration(np.zeros((20, 2)), np.tile([1, 2], (20, 1))).losses
    proven = [Calibration(losses, risk, m).proven_risk(0.1) for risk in RISKS for m in (1, 4)]
    # m = 4 of n = 20: .1 + .9 * 3 / 24 = .2125, less than 2 * .1 + 2 * .8 / 5 = .52.
    assert proven == pytest.approx([0.1, 0.2125, 0.1, 0.2125])
    many = calibration(np.zeros((10_000, 2)), np.tile([1, 2], (10_000, 1))).losses
    # m = 1000 of n = 10 000: .01 + .99 * 999 / 11000 = .0999, more than .02 + 1.8 / 1001 = .0218.
    assert Calibration(many, "any_pair", 1000).proven_risk(0.01) == pytest.approx(0.0218, abs=1e-5)


def test_too_few_cases_decide_nothing_and_warn():
    rng = np.random.default_rng(0)
    model = ConformalLabelRanker(Given(), 0.1, calibration=0.5, random_state=0)
    with pytest.warns(UserWarning, match=r"takes at least 9 calibration cases, there are 8"):
        model.fit(*drawn(rng, 16, "plain"))
    assert not model.predict_order(drawn(rng, 5, "plain")[0]).any()
    assert model.predict_interval(np.ones((1, 3)))[0].tolist() == [[1, 3]] * 3
    model.fit(*drawn(rng, 18, "plain"))
    assert np.isfinite(model.threshold_)
    assert [fewest_cases(alpha) for alpha in (0.5, 0.3, 0.01)] == [1, 3, 99]


def test_cases_that_order_no_pair_do_not_calibrate():
    rng = np.random.default_rng(0)
    X, Y = drawn(rng, 40, "plain")
    Y[::2] = np.nan
    held = ConformalLabelRanker(Given(), 0.3, calibration=0.5, random_state=0).fit(X, Y)
    folds = ConformalLabelRanker(Given(), 0.3, calibration=3, random_state=0).fit(X, Y)
    assert 5 < held.calibration_.n_cases < 15
    # 20 cases fill three folds of 6.
    assert (folds.calibration_.n_cases, folds.calibration_.fold_size) == (18, 6)
    with pytest.raises(ValueError, match=r"at least 3 cases whose truth orders two labels"):
        folds.fit(X[:4], Y[:4])
    with pytest.warns(UserWarning, match="there are 0"):
        assert clone(held).fit(X[::2], Y[::2]).threshold_ == np.inf
    with pytest.raises(ValueError, match="to train beside those that calibrate, got 1 sample"):
        held.fit(X[1:2], Y[1:2])


def test_a_ranker_without_scores_is_judged_by_its_positions():
    X, Y = drawn(np.random.default_rng(1), 60, "plain", noise=0.3)
    model = ConformalLabelRanker(OnlyRanks(), 0.2, random_state=0).fit(X, Y)
    assert model.threshold_ in (0, 1, 2, 3)
    assert (model.predict(X) == strict_positions(-X)).all()


def test_it_works_in_pipelines_grids_copies_and_on_frames():
    data = load_sample("glass")
    X = pd.DataFrame(data.X, columns=data.feature_names)
    model = ConformalLabelRanker(
        make_pipeline(StandardScaler(), KNeighborsLabelRanker()), 0.2, random_state=0
    )
    whole = model.fit(X, data.rankings)
    again = pickle.loads(pickle.dumps(whole))
    assert (again.predict_order(X) == clone(model).fit(X, data.rankings).predict_order(X)).all()
    grid = {"estimator__kneighborslabelranker__n_neighbors": [1, 9]}
    search = GridSearchCV(model, grid, cv=2).fit(X, data.rankings)
    assert search.best_score_ > 0.5
    assert search.feature_names_in_.tolist() == list(data.feature_names)
    assert not hasattr(model.fit(data.X, data.rankings), "feature_names_in_")
    assert model.n_features_in_ == data.n_features


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"alpha": 0}, "alpha"), ({"risk": "none"}, "risk"), ({"calibration": 1}, "calibration")],
)
def test_parameters_are_checked(changed, said):
    X, Y = drawn(np.random.default_rng(1), 20, "plain")
    with pytest.raises(ValueError, match=f"The '{said}' parameter"):
        ConformalLabelRanker(Given()).set_params(**changed).fit(X, Y)


def test_scikit_learns_checks_hold():
    checked = with_targets(ConformalLabelRanker)(KNeighborsLabelRanker(n_neighbors=1), 0.6)
    results = check_estimator(
        checked, expected_failed_checks=EXPECTED_FAILED_CHECKS, on_fail=None, on_skip=None
    )
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert failed == {}
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= SKIPPED_CHECKS


def test_every_pair_of_a_gap_is_its_two_scores_apart():
    scores = np.random.default_rng(0).normal(size=(3, 5))
    gaps = score_gaps(scores)
    for a, b in permutations(range(5), 2):
        assert gaps[:, a, b] == pytest.approx(scores[:, a] - scores[:, b])
    both = score_gaps(np.stack([scores, scores[:, ::-1]]))
    assert (both <= gaps).all()


def fitted_and_others(names=None):
    """A ranker fitted on half of glass, and the other half."""
    data = load_sample("glass")
    rows = np.random.default_rng(0).permutation(data.n_samples)
    Y = data.rankings if names is None else pd.DataFrame(data.rankings, columns=names)
    part = (lambda i: Y.iloc[i]) if names else (lambda i: Y[i])
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(9))
    model.fit(data.X[rows[:100]], part(rows[:100]))
    return model, data.X[rows[100:]], part(rows[100:])


class TestPrefit:
    def test_all_cases_calibrate_the_model_that_is_fitted(self):
        model, X, Y = fitted_and_others()
        sure = ConformalLabelRanker(model, 0.2, calibration="prefit").fit(X, Y)
        assert sure.estimators_ == [model]
        assert sure.calibration_.n_cases == len(X)
        assert sure.guaranteed_risk_ == 0.2
        scores = model[-1].point(model[:-1].transform(X)).scores
        gaps = pair_losses(scores, Y, "any_pair").largest()
        place = int(np.ceil(0.8 * (len(X) + 1)))
        assert sure.threshold_ == np.sort(gaps)[place - 1]
        one = ConformalLabelRanker(model, 0.6, calibration="prefit").fit(X[:1], Y[:1])
        assert one.calibration_.n_cases == 1

    def test_copies_keep_a_frozen_model(self):
        model, X, Y = fitted_and_others()
        frozen = ConformalLabelRanker(FrozenEstimator(model), 0.2, calibration="prefit")
        plain = ConformalLabelRanker(model, 0.2, calibration="prefit").fit(X, Y)
        assert (clone(frozen).fit(X, Y).predict_order(X) == plain.predict_order(X)).all()
        with pytest.raises(NotFittedError):
            clone(plain).fit(X, Y)

    def test_labels_are_those_that_the_model_has_learned(self):
        names = ["e", "d", "c", "b", "a", "f"]
        model, X, Y = fitted_and_others(names)
        sure = ConformalLabelRanker(model, 0.2, calibration="prefit").fit(X, Y[sorted(names)])
        assert sure.predict(X).columns.tolist() == names
        unnamed = ConformalLabelRanker(model, 0.2, calibration="prefit").fit(X, Y.to_numpy())
        pd.testing.assert_frame_equal(unnamed.predict(X), sure.predict(X))
        with pytest.raises(ValueError, match="of the 6 labels that the ranker has learned, got 5"):
            sure.fit(X, dense_positions(Y.to_numpy()[:, :5]))
        with pytest.raises(ValueError, match="Expected the labels"):
            sure.fit(X, Y.rename(columns={"a": "z"}))


class TestExplanation:
    @pytest.mark.parametrize("calibration", [0.3, 4, "prefit"])
    @pytest.mark.parametrize("risk", RISKS)
    def test_it_ends_in_the_prediction_and_shows_what_is_decided(self, calibration, risk):
        model, X, Y = fitted_and_others()
        sure = ConformalLabelRanker(
            model, 0.25, risk=risk, calibration=calibration, random_state=0
        ).fit(X, Y)
        for alpha in (None, 0.4):
            own = sure.explain(X[3], alpha=alpha)
            np.testing.assert_array_equal(own.prediction, sure.predict(X[3:4])[0])
            pairs = own.steps[0].evidence
            assert isinstance(pairs, SurePairs)
            np.testing.assert_array_equal(pairs.order, sure.predict_order(X[3:4], alpha=alpha)[0])
            proven = sure.calibration_.proven_risk(alpha or 0.25)
            assert pairs.promise == promise(proven, risk)
        assert str(explain_prediction(sure, X[3], alpha=0.4)) == str(own)
        assert f"{pairs.n_decided} of 15 pairs" in own.steps[0].text.plain("abcdef")
        inner = explain_prediction(sure.estimators_[0], X[3])
        steps = [step.text.template for step in own.steps[1:]]
        if calibration == 4:
            (scores,) = (step.evidence for step in own.steps[1:])
            assert isinstance(scores, LabelScores)
            assert "the mean of their scores from 4 rankers" in steps[0].format(n=4)
        else:
            assert steps == [step.text.template for step in inner.steps]

    def test_it_has_the_names_and_units_of_the_data(self):
        data = load_sample("glass")
        sure = ConformalLabelRanker(
            make_pipeline(StandardScaler(), KNeighborsLabelRanker(9)), 0.2, random_state=0
        )
        for model in (sure, make_pipeline(StandardScaler(with_mean=False), sure)):
            own = explain_prediction(model.fit(data.X, data.rankings), data.X[0], data)
            assert own.about.schema == data.schema
            np.testing.assert_array_equal(own.about.x, data.X[0])
            assert own.about.label_names == data.label_names
            shift, scale = own.about.units
            ranker = last_step(model)
            seen = (data.X - shift) / scale
            learned = ranker.estimators_[0][0].n_samples_seen_
            assert 0.6 < learned / len(seen) < 0.8
            assert np.abs(seen.mean(axis=0)).max() < 0.2
            assert own._repr_html_()

    @pytest.mark.parametrize("rows", [None, np.arange(214)[::-1]])
    def test_similar_cases_are_those_of_the_cases_given(self, rows):
        data = load_sample("glass")
        order = np.arange(214) if rows is None else rows
        sure = ConformalLabelRanker(KNeighborsLabelRanker(3), 0.2, random_state=0)
        sure.fit(data.X[order], data.rankings[order])
        own = explain_prediction(sure, data.X[5], data, rows=rows)
        near = own.evidence(Neighbors)
        learned = own.about.training_rows[near.rows]
        distances = np.linalg.norm(data.X[learned] - data.X[5], axis=1)
        np.testing.assert_allclose(distances, near.distances)
        np.testing.assert_array_equal(data.rankings[learned], near.rankings)
        assert not np.isin(learned, order[sure.held_out_[0]]).any()

    def test_a_ranker_that_does_not_explain_itself_shows_its_scores(self):
        X, Y = drawn(np.random.default_rng(1), 60, "plain", noise=0.3)
        model = ConformalLabelRanker(OnlyRanks(), 0.2, random_state=0).fit(X, Y)
        own = model.explain(X[0])
        assert [type(step.evidence) for step in own.steps] == [SurePairs, LabelScores]
        assert str(own).startswith("Predicted: ")

    @pytest.mark.filterwarnings("ignore:Nothing can be decided")
    def test_without_enough_cases_it_says_so(self):
        X, Y = drawn(np.random.default_rng(1), 16, "plain")
        own = ConformalLabelRanker(Given(), 0.01, random_state=0).fit(X, Y).explain(X[0])
        said = own.steps[0].text.plain("abc")
        assert re.fullmatch(
            r"With \d calibration cases nothing can be decided at this level.", said
        )
        assert "no pair. All 6 pairs stay open" in own.summary.plain("abc")
