import dataclasses
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import Ridge
from sklearn.metrics import (
    f1_score,
    label_ranking_average_precision_score,
    label_ranking_loss,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample, metrics
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.evaluation import evaluate_model, evaluate_predictions
from labelrank_core.evaluation.evaluate import case_accuracy, evaluate_fitted, train_model
from labelrank_core.explain.predictions import Predictions, predict_cases
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS, measures_for
from labelrank_core.rankings import (
    calibrate,
    dense_positions,
    relevance_from_calibrated,
    strict_positions,
)

NAN = float("nan")
ON_POSITIONS = [m.key for m in METRICS.values() if m.input == "positions"]
ON_RELEVANCE = [m.key for m in METRICS.values() if m.input == "relevance"]
ON_RANKING = [m.key for m in METRICS.values() if m.input == "ranking"]
ON_SCORES = [m.key for m in METRICS.values() if m.input == "scores"]
ON_PROBABILITIES = [m.key for m in METRICS.values() if m.input == "probabilities"]
RAW = [m.key for m in METRICS.values() if m.input == "raw_scores"]
ON_CALIBRATED = [m.key for m in METRICS.values() if m.input == "calibrated"]
WHOLE = [m.key for m in METRICS.values() if not m.has_cases]


def in_order(*lists):
    """The measures of some lists as the registry orders them."""
    return [key for key in METRICS if any(key in keys for keys in lists)]


def without_probabilities(data):
    measures = measures_for(data.task, ties=data.has_ties)
    return [m.key for m in measures if m.input != "probabilities"]


class PositionsOnly(BaseEstimator):
    """Learns the mean positions and predicts them for every case: fit and predict, no more."""

    def fit(self, X, Y):
        self.n_features_in_ = X.shape[1]
        self.targets_ = np.array(Y)
        self.ranking_ = strict_positions(np.nan_to_num(np.nanmean(Y, axis=0))[None])
        return self

    def predict(self, X):
        return np.repeat(self.ranking_, X.shape[0], axis=0)


class StubOfScikitLR(BaseEstimator):
    """What scikit-lr 0.3 offers: ``fit(X, y)`` of positions, NaN = not ranked; whole positions.

    Its label rankers refuse ties and predict none; its partial label rankers do both.
    """

    def __init__(self, ties=False):
        self.ties = ties

    def fit(self, X, y):
        assert y.dtype == np.float64
        ranked = [row[~np.isnan(row)] for row in y]
        if not self.ties and any(len(set(row)) < len(row) for row in ranked):
            raise ValueError("Expected rankings without ties in y.")
        self.n_features_in_ = X.shape[1]
        self.means_ = np.nan_to_num(np.nanmean(y, axis=0)).round(0 if self.ties else 9)
        return self

    def predict(self, X):
        rank = dense_positions if self.ties else strict_positions
        return np.tile(rank(self.means_[None]).astype(np.int64), (X.shape[0], 1))


def rankers_of_scikit_lr():
    """The package's own where it is installed, and the stub."""
    rankers = [StubOfScikitLR(), StubOfScikitLR(ties=True)]
    if find_spec("sklr") is not None:
        module = import_module("sklr.neighbors")
        rankers += [module.KNeighborsLabelRanker(), module.KNeighborsPartialLabelRanker()]
    return rankers


class SureOfLargeValues(PositionsOnly):
    """Is as confident as the mean feature of the case, as it gets it, is large."""

    def predict_confidence(self, X):
        return X.mean(axis=1)


class LinearRanker(BaseEstimator):
    """Multi-label ranker in the contract's words: scores, their sign, their order."""

    def fit(self, X, Y):
        self.n_labels_ = Y.shape[1]
        self.targets_ = np.array(Y)
        binary = np.isin(Y, (0, 1)).all()
        relevance = Y if binary else relevance_from_calibrated(Y)
        self.ridge_ = Ridge().fit(X, 2 * relevance - 1)
        return self

    def decision_function(self, X):
        return self.ridge_.predict(X)

    def predict(self, X):
        return (self.decision_function(X) > 0).astype(int)

    def predict_ranking(self, X):
        return strict_positions(-self.decision_function(X))


class RankerWithoutScores(LinearRanker):
    decision_function = property()

    def predict(self, X):
        return (self.ridge_.predict(X) > 0).astype(int)

    def predict_ranking(self, X):
        return strict_positions(-self.ridge_.predict(X))


def make_dataset(task, n_samples=30, *, split=None, sparse_X=False):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 3)) * [1, 10, 100] + 5
    keys = X[:, [0, 1, 2, 0]] * [1, 0.1, 0.01, -1] + rng.normal(size=(n_samples, 4))
    positions = strict_positions(keys).astype(float)
    relevance = (positions <= rng.integers(1, 4, size=(n_samples, 1))).astype(int)
    targets = {
        Task.LABEL_RANKING: positions,
        Task.MULTILABEL: relevance,
        Task.CALIBRATED_RANKING: calibrate(relevance),
        Task.PAIR_PREFERENCES: PairPreferences.from_rankings(positions).without_pairs(0.3),
    }[task]
    return Dataset(
        X=sparse.csr_matrix(X) if sparse_X else X,
        Y=targets,
        task=task,
        feature_names=["x", "y", "z"],
        label_names=["a", "b", "c", "d"],
        name="made",
        split=split,
    )


@pytest.fixture(params=list(Task))
def dataset(request):
    return make_dataset(request.param)


@pytest.fixture
def rankings():
    return make_dataset(Task.LABEL_RANKING)


@pytest.fixture
def multilabel():
    return make_dataset(Task.MULTILABEL)


@pytest.fixture
def calibrated():
    return make_dataset(Task.CALIBRATED_RANKING)


class TestSplit:
    @pytest.mark.parametrize("n_samples", [2, 3, 10, 917])
    @pytest.mark.parametrize("test_share", [0.01, 0.3, 0.5, 0.99])
    def test_every_row_is_in_exactly_one_of_two_parts(self, n_samples, test_share):
        data = make_dataset(Task.LABEL_RANKING, n_samples)
        split = holdout_split(data, test_share=test_share)
        assert sorted([*split.train, *split.test]) == list(range(n_samples))
        assert min(len(split.train), len(split.test)) >= 1
        assert len(split.test) == min(max(round(test_share * n_samples), 1), n_samples - 1)

    def test_rows_rise(self, rankings):
        split = holdout_split(rankings)
        assert (np.diff(split.train) > 0).all()
        assert (np.diff(split.test) > 0).all()

    def test_the_same_seed_gives_the_same_split_and_another_seed_another(self, rankings):
        first, again, other = (holdout_split(rankings, seed=seed).test for seed in (1, 1, 2))
        assert first.tolist() == again.tolist() != other.tolist()

    def test_the_global_random_state_stays_out_of_it(self, rankings):
        np.random.seed(0)  # noqa: NPY002
        first = holdout_split(rankings).test
        assert first.tolist() == holdout_split(rankings).test.tolist()
        state = np.random.get_state()[2]  # noqa: NPY002
        holdout_split(rankings)
        assert np.random.get_state()[2] == state  # noqa: NPY002

    @pytest.mark.parametrize("kind", ["auto", "published"])
    def test_a_published_split_is_taken(self, kind):
        data = make_dataset(Task.MULTILABEL, 4, split=[True, False, False, True])
        split = holdout_split(data, kind=kind)
        assert (split.train.tolist(), split.test.tolist()) == ([1, 2], [0, 3])
        assert (split.kind, split.seed, split.test_share) == ("published", None, 0.5)

    def test_a_random_split_of_data_with_a_published_one(self):
        data = make_dataset(Task.MULTILABEL, 4, split=[True, False, False, True])
        split = holdout_split(data, kind="random", seed=3, test_share=0.25)
        assert (split.kind, split.seed, split.test_share) == ("random", 3, 0.25)
        assert len(split.test) == 1

    def test_there_is_no_published_split_to_take(self, rankings):
        with pytest.raises(ValueError, match="'made' has no published split"):
            holdout_split(rankings, kind="published")

    @pytest.mark.parametrize("test_share", [0, 1, -0.1, NAN])
    def test_the_share_must_leave_both_parts(self, rankings, test_share):
        with pytest.raises(ValueError, match="test_share between 0 and 1"):
            holdout_split(rankings, test_share=test_share)

    def test_an_unknown_kind(self, rankings):
        with pytest.raises(ValueError, match="got 'fold'"):
            holdout_split(rankings, kind="fold")

    def test_one_row_cannot_be_divided(self):
        data = make_dataset(Task.LABEL_RANKING, 1)
        with pytest.raises(ValueError, match="two rows to divide, got 1"):
            holdout_split(data)

    @pytest.mark.parametrize(("train", "test"), [([], [0]), ([0], []), ([0, 1], [1])], ids=str)
    def test_parts_must_hold_rows_and_share_none(self, train, test):
        with pytest.raises(ValueError, match="none in common"):
            Split(np.array(train), np.array(test), "random", 0, 0.5)

    def test_a_split_does_not_change(self, rankings):
        split = holdout_split(rankings)
        with pytest.raises(dataclasses.FrozenInstanceError):
            split.seed = 1
        with pytest.raises(ValueError, match="read-only"):
            split.test[0] = 7


class TestPredictionsGiven:
    def test_values_are_those_of_the_measures(self, calibrated):
        rows = [3, 1, 20]
        positions = strict_positions(np.random.default_rng(1).random((3, 4)))
        relevance, scores = (positions < 3).astype(int), 1 / positions
        table = evaluate_predictions(
            calibrated,
            rows,
            positions=positions,
            relevance=relevance,
            scores=scores,
            raw_scores=scores**2,
            probabilities=scores / 2,
        )
        given = {"positions": positions, "relevance": relevance, "scores": scores}
        given |= {"ranking": -positions, "raw_scores": scores**2}
        given["probabilities"] = scores / 2
        truths = {"positions": calibrated.rankings[rows], "calibrated": calibrated.Y[rows]}
        # Two relevant labels: the zero line stands third.
        line = np.full((3, 1), 3)
        given["calibrated"] = np.hstack([positions + (positions > 2), line])
        for row in table.itertuples():
            measure = METRICS[row.measure]
            truth = truths.get(measure.input, calibrated.relevance[rows])
            value = measure.mean(truth, given[measure.input])
            assert row.value == pytest.approx(value, nan_ok=True)
            assert (row.title, row.greater_is_better) == (measure.title, measure.greater_is_better)
        # These rankings tie labels.
        assert table["measure"].tolist() == [
            measure.key for measure in measures_for(calibrated.task, ties=True)
        ]

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({"relevance"}, ON_RELEVANCE),
            ({"scores"}, in_order(ON_RANKING, ON_SCORES, RAW)),
            ({"raw_scores"}, RAW),
            ({"positions"}, in_order(ON_RANKING, ON_SCORES)),
            (
                {"relevance", "positions"},
                in_order(ON_RELEVANCE, ON_RANKING, ON_SCORES, ON_CALIBRATED),
            ),
        ],
    )
    def test_what_is_not_given_is_not_measured(self, multilabel, given, expected):
        table = evaluate_predictions(multilabel, [0], **{key: [[1, 2, 3, 4]] for key in given})
        assert table["measure"].tolist() == expected

    def test_nothing_given_gives_an_empty_table(self, dataset):
        table = evaluate_predictions(dataset, [0])
        assert len(table) == 0
        assert list(table) == ["measure", "title", "value", "n_cases", "greater_is_better"]

    def test_positions_and_scores_stand_in_for_each_other(self, multilabel):
        positions, keys = [[2, 1, 4, 3]], in_order(ON_RANKING, ON_SCORES)
        by_positions = evaluate_predictions(multilabel, [5], positions=positions)
        by_scores = evaluate_predictions(
            multilabel, [5], scores=-np.array(positions), measures=keys
        )
        pd.testing.assert_frame_equal(by_positions, by_scores)

    def test_ties_of_scores_are_errors_in_the_raw_reading_and_broken_in_the_ranking(self):
        # Labels a and b tie, and a, listed first, is the relevant one.
        data = Dataset([[0.0]], [[1, 0, 0]], Task.MULTILABEL, ["x"], ["a", "b", "c"], "tied")
        scores = np.array([[0.5, 0.5, 0.1]])
        found = evaluate_predictions(data, [0], positions=[[1, 2, 3]], scores=scores)
        values = found.set_index("measure")["value"]
        assert values[["ranking_loss", "raw_ranking_loss"]].tolist() == [0, 0.5]
        keys = ["average_precision_score", "raw_average_precision_score"]
        assert values[keys].tolist() == [1, 0.5]
        assert values[["coverage_error", "raw_coverage_error"]].tolist() == [0, 1]

    def test_thresholds_that_reorder_labels_show_beside_the_raw_scores(self):
        data = Dataset([[0.0]], [[1, 0]], Task.MULTILABEL, ["x"], ["a", "b"], "reordered")
        raw = np.array([[0.9, 0.1]])
        found = evaluate_predictions(data, [0], scores=raw - [0.9, 0.0], raw_scores=raw)
        values = found.set_index("measure")["value"]
        assert values[["ranking_loss", "raw_ranking_loss"]].tolist() == [1, 0]

    def test_cases_without_a_value_are_not_counted(self):
        data = Dataset(
            X=[[0.0], [1.0], [2.0]],
            Y=[[1, 2], [NAN, 1], [2, 1]],
            task=Task.LABEL_RANKING,
            feature_names=["x"],
            label_names=["a", "b"],
            name="partial",
        )
        table = evaluate_predictions(data, [0, 1, 2], positions=[[1, 2]] * 3)
        assert set(table["n_cases"]) == {2}
        assert table.set_index("measure").loc["kendall_tau_score", "value"] == 0

    def test_measures_are_chosen_in_the_order_asked_for(self, rankings):
        keys = ["footrule_score", "kendall_tau_score"]
        table = evaluate_predictions(rankings, [0], positions=[[1, 2, 3, 4]], measures=keys)
        assert table["measure"].tolist() == keys

    @pytest.mark.parametrize("key", ["hamming_loss", "no_such_measure"])
    def test_a_measure_that_does_not_fit(self, rankings, key):
        with pytest.raises(ValueError, match=f"kendall_tau_score.* got '{key}'"):
            evaluate_predictions(rankings, [0], positions=[[1, 2, 3, 4]], measures=[key])


class OnlyDecides(ClassifierMixin, BaseEstimator):
    def fit(self, X, Y):
        self.model_ = KNeighborsClassifier(3).fit(X, Y)
        return self

    def predict(self, X):
        return self.model_.predict(X)


class TestModels:
    def test_a_label_ranker_gets_positions(self, rankings):
        split = holdout_split(rankings)
        evaluation = evaluate_model(PositionsOnly(), rankings, split)
        expected = PositionsOnly().fit(rankings.X[split.train], rankings.Y[split.train])
        positions = expected.predict(rankings.X[split.test])
        table = evaluation.frame().set_index("measure")
        assert list(table.index) == ON_POSITIONS
        for key in ON_POSITIONS:
            assert table.loc[key, "value"] == METRICS[key].mean(rankings.Y[split.test], positions)
        np.testing.assert_array_equal(evaluation.predictions.positions, positions)
        assert evaluation.predictions.relevance is None

    def test_a_label_ranker_on_calibrated_rankings_gets_the_labels_alone(self, calibrated):
        split = holdout_split(calibrated)
        evaluation = evaluate_model(PositionsOnly(), calibrated, split)
        assert evaluation.predictions.positions.shape == (9, 4)
        assert set(evaluation.totals) == {*ON_POSITIONS, *ON_RANKING, *ON_SCORES}

    @pytest.mark.parametrize("missing", [0.0, 0.3])
    @pytest.mark.parametrize("model", rankers_of_scikit_lr(), ids=str)
    def test_rankers_of_scikit_lr_are_measured_as_they_are(self, model, missing):
        data = make_dataset(Task.LABEL_RANKING)
        gone = np.random.default_rng(0).random(data.Y.shape) < missing
        Y = dense_positions(np.where(gone, NAN, strict_positions(data.Y)))
        data = dataclasses.replace(data, Y=Y)
        split = holdout_split(data)
        for pipeline in (model, make_pipeline(StandardScaler(), model)):
            evaluation = evaluate_model(pipeline, data, split)
            fitted = clone(pipeline).fit(data.X[split.train], Y[split.train])
            positions = fitted.predict(data.X[split.test])
            np.testing.assert_array_equal(evaluation.predictions.positions, positions)
            assert set(evaluation.values) == set(ON_POSITIONS)
            for key, values in evaluation.values.items():
                expected = METRICS[key].per_case(Y[split.test], positions)
                np.testing.assert_array_equal(values, expected)

    @pytest.mark.parametrize("task", [Task.MULTILABEL, Task.CALIBRATED_RANKING])
    def test_a_multilabel_ranker_gets_the_targets_themselves(self, task):
        data = make_dataset(task)
        split = holdout_split(data)
        evaluation = evaluate_model(LinearRanker(), data, split)
        expected = LinearRanker().fit(data.X[split.train], data.Y[split.train])
        X, truth = data.X[split.test], data.relevance[split.test]
        values = evaluation.frame().set_index("measure")["value"]
        assert list(values.index) == without_probabilities(data)
        assert values["hamming_loss"] == pytest.approx(
            metrics.hamming_loss(truth, expected.predict(X))
        )
        assert values["ranking_loss"] == metrics.ranking_loss(truth, expected.decision_function(X))
        if task is Task.CALIBRATED_RANKING:
            assert values["kendall_tau_score"] == metrics.kendall_tau_score(
                data.rankings[split.test], expected.predict_ranking(X)
            )

    def test_a_multilabel_ranker_without_scores_is_measured_by_its_ranking(self, multilabel):
        split = holdout_split(multilabel)
        with_scores = evaluate_model(LinearRanker(), multilabel, split, method="m").values
        without = evaluate_model(RankerWithoutScores(), multilabel, split, method="m").values
        assert set(with_scores) == {*without, *RAW}
        for key, values in without.items():
            np.testing.assert_array_equal(with_scores[key], values)

    @pytest.mark.parametrize(
        ("tie_breaking", "ranked", "precise"),
        [("label_index", 0.1737, 0.7555), ("wider", 0.1709, 0.7589)],
    )
    def test_ties_of_neighbour_shares_are_no_errors_of_the_ranking_predicted(
        self, tie_breaking, ranked, precise
    ):
        data = load_sample("yeast")
        model = KNeighborsMultilabelRanker(n_neighbors=10, tie_breaking=tie_breaking)
        found = evaluate_model(make_pipeline(StandardScaler(), model), data, holdout_split(data))
        truth, ranking = data.relevance[found.rows], -found.predictions.positions
        loss = label_ranking_loss(truth, ranking)
        assert (
            found.totals["ranking_loss"] == pytest.approx(loss) == pytest.approx(ranked, abs=5e-5)
        )
        precision = label_ranking_average_precision_score(truth, ranking)
        assert found.totals["average_precision_score"] == pytest.approx(precision)
        assert precision == pytest.approx(precise, abs=5e-5)
        # As papers print them, ties counting as errors.
        assert found.totals["raw_ranking_loss"] == pytest.approx(0.2140, abs=5e-5)
        assert found.totals["raw_average_precision_score"] == pytest.approx(0.7341, abs=5e-5)

    def test_any_multilabel_classifier_is_measured_by_its_label_sets(self, multilabel):
        split = holdout_split(multilabel)
        evaluation = evaluate_model(OnlyDecides(), multilabel, split)
        assert list(evaluation.totals) == ON_RELEVANCE
        assert evaluation.method == "OnlyDecides"
        # One that says how likely labels are is measured by the order that this gives as well.
        evaluation = evaluate_model(KNeighborsClassifier(3), multilabel, split)
        expected = in_order(ON_RELEVANCE, ON_RANKING, ON_SCORES, RAW, ON_PROBABILITIES)
        assert list(evaluation.totals) == expected
        model = KNeighborsClassifier(3).fit(multilabel.X[split.train], multilabel.Y[split.train])
        given = model.predict_proba(multilabel.X[split.test])
        # Of labels that all training cases have, or none, there is a single column.
        expected = [each @ values for each, values in zip(given, model.classes_, strict=True)]
        np.testing.assert_allclose(evaluation.predictions.probabilities, np.transpose(expected))

    def test_a_multilabel_ranker_cannot_learn_plain_rankings(self, rankings):
        with pytest.raises(ValueError, match="got LinearRanker, which needs to know"):
            evaluate_model(LinearRanker(), rankings, holdout_split(rankings))

    @pytest.mark.parametrize("steps", [[], [StandardScaler()], [StandardScaler(), "passthrough"]])
    def test_a_pipeline_is_measured_as_its_steps_by_hand(self, calibrated, steps):
        split = holdout_split(calibrated)
        model = make_pipeline(*steps, LinearRanker())
        evaluation = evaluate_model(model, calibrated, split)
        train, test = calibrated.X[split.train], calibrated.X[split.test]
        if steps:
            scaler = StandardScaler().fit(train)
            train, test = scaler.transform(train), scaler.transform(test)
        expected = LinearRanker().fit(train, calibrated.Y[split.train])
        found = evaluation.predictions
        np.testing.assert_array_equal(found.relevance, expected.predict(test))
        np.testing.assert_array_equal(found.scores, expected.decision_function(test))
        np.testing.assert_array_equal(found.positions, expected.predict_ranking(test))
        assert evaluation.method == "LinearRanker"

    @pytest.mark.parametrize("key", ["mlr", "mlknn", "mlls", "br"])
    def test_labels_that_all_tie_with_the_zero_line_are_irrelevant_not_relevant(self, key):
        # Positions that are all 1 look like a 0/1 matrix of one label more; only the task tells.
        X = np.arange(20.0)[:, None]
        Y = np.ones((20, 4))
        Y[15:] = [1, 3, 4, 2]
        data = Dataset(X, Y, Task.CALIBRATED_RANKING, ["x"], ["a", "b", "c"], "tied")
        split = Split(np.arange(15), np.arange(15, 20), "random", 0, 0.25)
        evaluation = evaluate_model(ALGORITHMS[key].build(), data, split)
        assert evaluation.predictions.relevance.tolist() == [[0, 0, 0]] * 5
        assert evaluation.values["hamming_loss"] == pytest.approx(1 / 3)
        assert ALGORITHMS[key].targets(data).shape == (20, 4)
        assert ALGORITHMS[key].targets(data, split.train).tolist() == [[0, 0, 0]] * 15

    @pytest.mark.parametrize("key", ALGORITHMS)
    def test_a_model_fitted_for_any_setting_is_measured_as_one_fitted_with_it(self, key):
        algorithm = ALGORITHMS[key]
        data = make_dataset(algorithm.tasks[0])
        split = holdout_split(data)
        # Depth and entropy cut the same trees, which a fresh fit does not grow.
        numbers = (
            knob
            for knob in algorithm.knobs
            if knob.on_path and not knob.choices and not knob.none and knob.name != "min_entropy"
        )
        setting = {knob.name: knob.offered(9)[2] for knob in numbers}
        choice = ModelChoice(key).with_params(**setting)
        anything = choice.for_any_path(len(split.train)).build()
        found = evaluate_fitted(
            *train_model(anything, data, split.train), data, split.test, setting=setting
        )
        expected = evaluate_model(choice.build(), data, split)
        assert found.totals == pytest.approx(expected.totals)
        for said, wanted in zip(
            vars(found.predictions).values(), vars(expected.predictions).values(), strict=True
        ):
            assert (said is None) == (wanted is None)
            if said is not None:
                np.testing.assert_allclose(said, wanted, rtol=0, atol=1e-9)

    def test_sparse_features(self):
        dense, csr = (make_dataset(Task.MULTILABEL, sparse_X=kind) for kind in (False, True))
        split = holdout_split(dense)
        first, second = (evaluate_model(LinearRanker(), data, split) for data in (dense, csr))
        np.testing.assert_array_equal(first.predictions.relevance, second.predictions.relevance)

    def test_the_model_given_stays_unfitted(self, rankings):
        scaler, ranker = StandardScaler(), PositionsOnly()
        evaluate_model(make_pipeline(scaler, ranker), rankings, holdout_split(rankings))
        assert not hasattr(ranker, "ranking_")
        assert not hasattr(scaler, "mean_")

    def test_measures_and_name_can_be_chosen(self, rankings):
        split = holdout_split(rankings)
        evaluation = evaluate_model(
            PositionsOnly(), rankings, split, measures=["footrule_score"], method="mean ranks"
        )
        table = evaluation.frame()
        assert table[["method", "measure"]].values.tolist() == [["mean ranks", "footrule_score"]]

    def test_predictions_of_a_fitted_model(self, multilabel):
        model = make_pipeline(StandardScaler(), LinearRanker()).fit(multilabel.X, multilabel.Y)
        found = predict_cases(model, multilabel.X[:2], task=Task.MULTILABEL)
        assert isinstance(found, Predictions)
        np.testing.assert_array_equal(found.relevance, model.predict(multilabel.X[:2]))
        np.testing.assert_array_equal(found.scores, model.decision_function(multilabel.X[:2]))


class TestTables:
    @pytest.fixture
    def evaluation(self, dataset):
        if dataset.task is Task.PAIR_PREFERENCES:
            model = KNeighborsLabelRanker(3)
        else:
            model = LinearRanker() if dataset.task.has_zero_line else PositionsOnly()
        return evaluate_model(model, dataset, holdout_split(dataset))

    def test_the_frame_has_one_row_a_measure(self, evaluation, dataset):
        table = evaluation.frame()
        assert list(table) == [
            "method",
            "measure",
            "title",
            "value",
            "n_cases",
            "greater_is_better",
            "seconds_fit",
            "seconds_predict",
        ]
        assert table["measure"].tolist() == without_probabilities(dataset)
        assert (table["n_cases"] == 9).all()
        assert (table[["seconds_fit", "seconds_predict"]] >= 0).all(axis=None)

    def test_the_means_of_the_cases_are_the_values(self, evaluation, dataset):
        cases = evaluation.cases()
        assert next(iter(cases)) == "row"
        assert cases["row"].tolist() == holdout_split(dataset).test.tolist()
        table = evaluation.frame().set_index("measure")["value"]
        assert set(table.index) - set(cases) == {key for key in table.index if key in WHOLE}
        for measure in set(table.index) & set(cases):
            assert cases[measure].mean() == pytest.approx(table[measure])

    @pytest.mark.parametrize("dataset", [Task.MULTILABEL], indirect=True)
    def test_what_no_case_has_is_measured_of_all_together(self, evaluation, dataset):
        truth, predicted = dataset.relevance[evaluation.rows], evaluation.predictions
        table = evaluation.frame().set_index("measure")
        f1 = f1_score(truth, predicted.relevance, average="macro", zero_division=0)
        assert table.loc["macro_f1_score", "value"] == pytest.approx(f1)
        auc = metrics.macro_auc_score(truth, predicted.scores)
        assert table.loc["macro_auc_score", "value"] == auc
        assert table.loc["macro_auc_score", "n_cases"] == 9


class TestConfidence:
    def test_a_model_without_it_has_none(self, rankings):
        for model in (PositionsOnly(), make_pipeline(StandardScaler(), PositionsOnly())):
            model.fit(rankings.X, rankings.Y)
            assert predict_cases(model, rankings.X, task=rankings.task).confidence is None

    def test_a_bare_model(self, rankings):
        model = SureOfLargeValues().fit(rankings.X, rankings.Y)
        found = predict_cases(model, rankings.X, task=rankings.task).confidence
        np.testing.assert_array_equal(found, rankings.X.mean(axis=1))

    def test_a_model_in_a_pipeline_gets_transformed_cases(self, rankings):
        scaler = StandardScaler()
        model = Pipeline([("scale", scaler), ("rank", SureOfLargeValues())])
        model.fit(rankings.X, rankings.Y)
        found = predict_cases(model, rankings.X, task=rankings.task).confidence
        np.testing.assert_array_equal(found, scaler.transform(rankings.X).mean(axis=1))


class TestCaseAccuracy:
    def test_rankings_are_judged_by_their_pairs(self, rankings):
        # One swap of neighbours in four: 1 of 6 pairs is wrong.
        truth = rankings.Y[7]
        swapped = np.where(truth == 1, 2, np.where(truth == 2, 1, truth))
        accuracy = case_accuracy(rankings, [7, 7], positions=[truth, swapped])
        assert (accuracy.title, accuracy.measure) == ("share of pairs right", "kendall_tau_score")
        assert accuracy.values.tolist() == pytest.approx([1, 5 / 6])

    @pytest.mark.parametrize("task", [Task.MULTILABEL, Task.CALIBRATED_RANKING])
    def test_label_sets_are_judged_by_hamming_loss(self, task):
        data = make_dataset(task)
        wrong = data.relevance[7].copy()
        wrong[0] = 1 - wrong[0]
        accuracy = case_accuracy(
            data, [7, 7], relevance=[data.relevance[7], wrong], positions=[[1, 2, 3, 4]] * 2
        )
        assert (accuracy.title, accuracy.loss_title) == ("share of labels right", "Hamming loss")
        assert accuracy.values.tolist() == [1, 0.75]

    def test_nothing_given(self, rankings):
        with pytest.raises(ValueError, match="got neither"):
            case_accuracy(rankings, [0])
