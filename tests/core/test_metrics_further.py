"""Further measures: equal to scikit-learn's and SciPy's where these have them, else to oracles."""

import warnings

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics

from labelrank_core import Dataset, Task, metrics
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation import evaluate_model
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import METRICS, _common
from labelrank_core.rankings import generalised_ranks
from tests import problems
from tests.core.test_metrics_multilabel import random_problem
from tests.core.test_metrics_ranking import random_positions
from tests.core.test_scorers import problem
from tests.looped import seeds

NAN = float("nan")
OF_SETS = {
    "samples_precision_score": sklearn.metrics.precision_score,
    "samples_recall_score": sklearn.metrics.recall_score,
    "samples_f1_score": sklearn.metrics.f1_score,
    "samples_jaccard_score": sklearn.metrics.jaccard_score,
}
FURTHER = [key for key, measure in METRICS.items() if measure.level == "further"]


def sets_with_empty_rows(seed):
    """Sets among which are empty and full ones, and predictions that are empty or right."""
    truth, prediction = random_problem("hamming_loss", 6, tied=False, seed=seed)
    rng = np.random.default_rng(seed)
    prediction[rng.random(len(truth)) < 0.2] = 0
    right = rng.random(len(truth)) < 0.2
    prediction[right] = truth[right]
    assert (~(truth | prediction).any(axis=1)).any()
    return truth, prediction


class TestLabelSets:
    # Relevant a b c, predicted a b d e: 2 in common, 3 relevant, 4 predicted, 5 in either.
    TRUTH, PREDICTION = [[1, 1, 1, 0, 0]], [[1, 1, 0, 1, 1]]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("samples_precision_score", 2 / 4),
            ("samples_recall_score", 2 / 3),
            ("samples_f1_score", 4 / 7),
            ("samples_jaccard_score", 2 / 5),
        ],
    )
    def test_worked_by_hand(self, name, expected):
        assert getattr(metrics, name)(self.TRUTH, self.PREDICTION) == pytest.approx(expected)

    @seeds(5)
    @pytest.mark.parametrize("zero_division", [0, 1])
    @pytest.mark.parametrize("name", OF_SETS)
    def test_equal_those_of_scikit_learn(self, name, zero_division, seed):
        truth, prediction = sets_with_empty_rows(seed)
        expected = OF_SETS[name](truth, prediction, average="samples", zero_division=zero_division)
        value = getattr(metrics, name)(truth, prediction, zero_division=zero_division)
        assert value == pytest.approx(expected)

    @pytest.mark.parametrize("name", OF_SETS)
    def test_empty_sets_count_zero_unless_told(self, name):
        measure = getattr(metrics, name)
        assert measure([[0, 0]], [[0, 0]]) == 0
        assert measure([[0, 0]], [[0, 0]], zero_division=1) == 1
        with pytest.raises(ValueError, match="zero_division to be 0 or 1, got 2"):
            measure([[0, 0]], [[0, 0]], zero_division=2)

    @seeds(5)
    @pytest.mark.parametrize("name", ["precision", "recall"])
    @pytest.mark.parametrize("average", ["macro", "micro"])
    def test_those_of_labels_equal_scikit_learn(self, average, name, seed):
        truth, prediction = sets_with_empty_rows(seed)
        truth[:, 0] = prediction[:, 1] = 0
        theirs = getattr(sklearn.metrics, f"{name}_score")
        value = getattr(metrics, f"{average}_{name}_score")(truth, prediction)
        expected = theirs(truth, prediction, average=average, zero_division=0)
        assert value == pytest.approx(expected)


class TestAveragePrecisionOfLabels:
    @seeds(5)
    def test_equals_scikit_learn_on_labels_that_some_case_has(self, seed):
        truth, scores = random_problem("ndcg_score", 6, tied=True, seed=seed)
        truth[:, 2] = 0
        truth[:, 3] = 1
        values = metrics.average_precision_score_per_label(truth, scores)
        assert np.isnan(values).tolist() == [False, False, True, False, False, False]
        rest = [0, 1, 3, 4, 5]
        theirs = sklearn.metrics.average_precision_score
        np.testing.assert_allclose(
            values[rest], theirs(truth[:, rest], scores[:, rest], average=None)
        )
        mean = metrics.macro_average_precision_score(truth, scores)
        assert mean == pytest.approx(theirs(truth[:, rest], scores[:, rest], average="macro"))
        with pytest.warns(UserWarning, match="No positive class"):
            assert theirs(truth[:, 2], scores[:, 2]) == 0

    def test_infinite_scores_are_scores(self):
        truth = [[1, 0], [0, 1], [1, 1]]
        infinite, finite = [[np.inf, 0], [-np.inf, 1], [0, -np.inf]], [[9, 0], [-9, 1], [0, -9]]
        mean = metrics.macro_average_precision_score
        assert mean(truth, infinite) == mean(truth, finite)

    def test_without_relevant_labels_there_is_no_value(self):
        assert np.isnan(metrics.macro_average_precision_score([[0, 0]], [[1, 2]]))


def naive_precision_at(truth, scores, k):
    order = sorted(range(len(scores)), key=lambda label: (-scores[label], label))
    return sum(truth[label] for label in order[:k]) / k


class TestTopLabels:
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("k", [1, 3, 5, 8, 20])
    def test_ndcg_equals_scikit_learn_where_labels_are_relevant(self, k, tied):
        truth, scores = random_problem("ndcg_score", 8, tied=tied)
        values = metrics.ndcg_at_k_score(truth, scores, k=k, average=None)
        some = truth.any(axis=1)
        assert not some.all()
        expected = [
            sklearn.metrics.ndcg_score(truth[[row]], scores[[row]], k=k)
            for row in np.flatnonzero(some)
        ]
        np.testing.assert_allclose(values[some], expected)
        assert (values[~some] == 1).all()

    def test_ndcg_of_all_places_is_ndcg(self):
        truth, scores = random_problem("ndcg_score", 8, tied=True)
        expected = metrics.ndcg_score(truth, scores)
        assert metrics.ndcg_at_k_score(truth, scores, k=8) == expected

    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("k", [1, 3, 5, 20])
    def test_precision_counts_relevant_labels_among_the_first(self, k, tied):
        truth, scores = random_problem("one_error", 8, tied=tied)
        values = metrics.precision_at_k_score(truth, scores, k=k, average=None)
        pairs = zip(truth.tolist(), scores.tolist(), strict=True)
        expected = [naive_precision_at(*pair, k) for pair in pairs]
        np.testing.assert_allclose(values, expected)

    def test_precision_at_one_is_the_rest_of_one_error_where_labels_are_relevant(self):
        truth, scores = random_problem("one_error", 8, tied=True)
        some = truth.any(axis=1)
        value = metrics.precision_at_k_score(truth[some], scores[some], k=1)
        assert value == pytest.approx(1 - metrics.one_error(truth[some], scores[some]))

    @pytest.mark.parametrize("name", ["precision_at_k_score", "ndcg_at_k_score"])
    def test_k_is_at_least_one(self, name):
        with pytest.raises(ValueError, match="k of at least 1, got 0"):
            getattr(metrics, name)([[1, 0]], [[0.5, 0.1]], k=0)


class TestLogLoss:
    def test_worked_by_hand(self):
        # -log 0.8 - log(1 - 0.4), then -log 0.5 - log(1 - 0.1): halves, then their mean.
        value = metrics.log_loss([[1, 0], [1, 0]], [[0.8, 0.4], [0.5, 0.1]])
        assert value == pytest.approx(-np.log([0.8, 0.6, 0.5, 0.9]).sum() / 4)

    @seeds(5)
    def test_is_the_mean_of_scikit_learns_over_labels(self, seed):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, (30, 4))
        truth[:, 0], truth[:, 1] = 0, 1
        given = rng.choice([0, 0.3, 0.5, 1, rng.random()], truth.shape)
        expected = [
            sklearn.metrics.log_loss(truth[:, label], given[:, label], labels=[0, 1])
            for label in range(4)
        ]
        assert metrics.log_loss(truth, given) == pytest.approx(np.mean(expected))

    def test_a_certain_error_is_bounded_and_certainty_costs_nothing(self):
        values = metrics.log_loss([[1, 0], [1, 0]], [[0, 1], [1, 0]], average=None)
        assert values.tolist() == [pytest.approx(52 * np.log(2)), 0]

    @pytest.mark.parametrize("wrong", [-0.1, 1.1])
    def test_other_numbers_are_no_probabilities(self, wrong):
        with pytest.raises(ValueError, match=f"between 0 and 1, got {wrong}"):
            metrics.log_loss([[1, 0]], [[0.5, wrong]])

    def test_methods_with_probabilities_have_it_and_others_do_not(self):
        X, Y = problem(Task.MULTILABEL)
        names = ["a", "b", "c", "d"]
        data = Dataset(X, Y, Task.MULTILABEL, list("xyz"), names, "random")
        split = holdout_split(data)
        for algorithm in ALGORITHMS.values():
            if algorithm.learns_rankings:
                continue
            model = algorithm.build(**problems.few(algorithm))
            evaluation = evaluate_model(model, data, split)
            assert ("log_loss" in evaluation.totals) == hasattr(model, "predict_proba")
            if "log_loss" in evaluation.totals:
                model.fit(X[split.train], Y[split.train])
                given = model.predict_proba(X[split.test])
                expected = metrics.log_loss(Y[split.test], given)
                assert evaluation.totals["log_loss"] == pytest.approx(expected)


def naive_weighted_tau(truth, prediction):
    """Right minus wrong weight of the pairs that the truth orders, by all of it; None: no pair."""
    ranked = [label for label in range(len(truth)) if not np.isnan(truth[label])]
    place = {
        a: sum(truth[b] < truth[a] for b in ranked)
        + (sum(truth[b] == truth[a] for b in ranked) + 1) / 2
        for a in ranked
    }
    value = total = 0.0
    for a in ranked:
        for b in ranked:
            if truth[a] < truth[b]:
                weight = 1 / place[a] + 1 / place[b]
                total += weight
                value += weight * np.sign(prediction[b] - prediction[a])
    return value / total if total else None


class TestTopWeightedTau:
    def test_worked_by_hand(self):
        # Pairs ab, ac, bc weigh 1 + 1/2, 1 + 1/3, 1/2 + 1/3: 9, 8 and 5 sixths.
        mean = metrics.top_weighted_tau_score
        assert mean([[1, 2, 3]], [[1, 3, 2]]) == pytest.approx((9 + 8 - 5) / 22)
        assert mean([[1, 2, 3]], [[2, 1, 3]]) == pytest.approx((8 + 5 - 9) / 22)

    @pytest.mark.parametrize("n_labels", [2, 5, 9])
    def test_equals_scipy_for_strict_rankings(self, n_labels):
        rng = np.random.default_rng(n_labels)
        truth, prediction = (random_positions(rng, 40, n_labels) for _ in range(2))
        expected = [
            scipy.stats.weightedtau(-t, -p, rank=t.astype(int) - 1).statistic
            for t, p in zip(truth, prediction, strict=True)
        ]
        values = metrics.top_weighted_tau_score(truth, prediction, average=None)
        np.testing.assert_allclose(values, expected)

    @pytest.mark.parametrize("n_labels", [2, 5, 9])
    def test_equals_the_definition_with_ties_and_gaps(self, n_labels):
        rng = np.random.default_rng(n_labels)
        truth = random_positions(rng, 80, n_labels, partial=True, tied=True)
        prediction = random_positions(rng, 80, n_labels, tied=True)
        expected = [naive_weighted_tau(*pair) for pair in zip(truth, prediction, strict=True)]
        assert None in expected
        values = metrics.top_weighted_tau_score(truth, prediction, average=None)
        np.testing.assert_allclose(values, np.array(expected, dtype=float), atol=1e-12)

    def test_a_pair_predicted_as_tied_is_neither_right_nor_wrong(self):
        assert metrics.top_weighted_tau_score([[1, 2]], [[1, 1]]) == 0


class TestNDCGOfPositions:
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("n_labels", [2, 5, 9])
    def test_equals_scikit_learn_with_gaps_left_out(self, n_labels, tied):
        rng = np.random.default_rng(n_labels)
        truth = random_positions(rng, 60, n_labels, partial=True, tied=tied)
        prediction = random_positions(rng, 60, n_labels, tied=tied)
        values = metrics.position_ndcg_score(truth, prediction, average=None)
        for value, t, p in zip(values, truth, prediction, strict=True):
            ranked = ~np.isnan(t)
            gains = ranked.sum() - generalised_ranks(t[None, ranked])
            if len(set(t[ranked])) < 2:
                assert np.isnan(value)
            else:
                assert value == pytest.approx(sklearn.metrics.ndcg_score(gains, -p[None, ranked]))

    def test_worked_by_hand(self):
        # Gains 2, 1, 0. b, a, c: 1 / log2(2) + 2 / log2(3), instead of 2 / log2(2) + 1 / log2(3).
        value = metrics.position_ndcg_score([[1, 2, 3]], [[2, 1, 3]])
        assert value == pytest.approx((1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3)))


@pytest.mark.parametrize("key", FURTHER)
class TestAll:
    def problem(self, measure):
        rng = np.random.default_rng(5)
        if measure.input == "positions":
            truth = random_positions(rng, 50, 6, partial=True, tied=True)
            return truth, random_positions(rng, 50, 6, tied=True)
        truth, scores = random_problem("ndcg_score", 6, tied=True)
        if measure.input == "relevance":
            return truth, (scores > 0.5).astype(int)
        return truth, scores

    def test_chunks_do_not_change_values(self, key, monkeypatch):
        measure = METRICS[key]
        problem = self.problem(measure)
        whole = measure.mean(*problem)
        monkeypatch.setattr(_common, "CHUNK_CELLS", 12)
        assert measure.mean(*problem) == whole

    def test_values_stay_in_the_range_and_inputs_as_they_are(self, key):
        measure = METRICS[key]
        truth, prediction = self.problem(measure)
        before = truth.copy(), prediction.copy()
        value = measure.mean(truth, prediction)
        assert measure.value_range[0] <= value <= measure.value_range[1]
        np.testing.assert_array_equal(truth, before[0])
        np.testing.assert_array_equal(prediction, before[1])

    def test_no_case_gives_nan_without_a_warning(self, key):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isnan(METRICS[key].mean(np.empty((0, 3)), np.empty((0, 3))))

    def test_a_wrong_shape_is_refused(self, key):
        with pytest.raises(ValueError, match="of one shape"):
            METRICS[key].mean([[1, 2]], [[1, 2, 3]])
