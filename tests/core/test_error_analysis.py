import numpy as np
import pytest

from labelrank_core import metrics
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.evaluation.error_analysis import (
    case_texts,
    label_cases,
    label_frame,
    worst_cases,
)
from labelrank_core.evaluation.evaluate import Evaluation, prediction_for
from labelrank_core.explain.predictions import Predictions
from labelrank_core.metrics import METRICS

NAN = float("nan")
NAMES = ["a", "b", "c"]


def made(task, Y, predictions, keys=()):
    """A data set of which rows 1, 2 and 3 are predicted."""
    Y = np.array(Y, dtype=float)
    data = Dataset(np.zeros((4, 1)), np.vstack([Y[:1], Y]), task, ["x"], NAMES, "tiny")
    values = {}
    for key in keys:
        given = prediction_for(METRICS[key], predictions)
        values[key] = METRICS[key].per_case(METRICS[key].truth(data, [1, 2, 3]), given)
    return data, Evaluation("m", np.array([1, 2, 3]), values, {}, predictions, 0.0, 0.0)


@pytest.fixture
def rankings():
    positions = np.array([[1, 2, 3], [2, 3, 1], [2, 1, 3]])
    truth = [[1, 2, 3], [1, 2, 3], [1, 2, NAN]]
    return made(Task.LABEL_RANKING, truth, Predictions(positions=positions), ["kendall_tau_score"])


@pytest.fixture
def sets():
    relevance = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]])
    scores = np.array([[0.5, 0.2, -1.0], [-0.9, 0.3, -0.2], [-0.4, -0.1, -0.6]])
    positions = np.array([[1, 2, 3], [3, 1, 2], [2, 1, 3]])
    truth = [[1, 0, 0], [1, 1, 0], [1, 0, 0]]
    given = Predictions(positions, relevance, scores)
    return made(Task.MULTILABEL, truth, given, ["hamming_loss", "average_precision_score"])


class TestLabels:
    def test_of_rankings(self, rankings):
        table = label_frame(*rankings).set_index("label")
        # a is second in two of three predictions: off by 0, 1, 1 places. c is ranked in two truths:
        # off by 0 and -2. b: 0, +1, -1.
        assert table["mean_error"].tolist() == pytest.approx([2 / 3, 2 / 3, 1])
        assert table["mean_shift"].tolist() == pytest.approx([2 / 3, 0, -1])
        assert table["first_share"].tolist() == [1, 0, 0]
        assert table["predicted_first_share"].tolist() == pytest.approx([1 / 3] * 3)
        assert table["n_wrong"].tolist() == [2, 2, 1]

    def test_a_label_is_wrong_only_out_of_the_places_that_its_tie_fills(self):
        # a and b share the first two places; c and all labels that tie can be nowhere else.
        truth, places = [[1, 1, 2], [1, 1, 1], [1, 1, 2]], [[2, 1, 3], [3, 2, 1], [1, 3, 2]]
        given = Predictions(positions=np.array(places))
        found = made(Task.LABEL_RANKING, truth, given, ["kendall_tau_score"])
        assert label_frame(*found)["n_wrong"].tolist() == [0, 1, 1]
        # a and b are in place 1.5 on average: b in place 3 is 1.5 too far back, c in 2 one ahead.
        assert label_cases(*found, 1)["value"].tolist() == [1.5]
        assert label_cases(*found, 2)["value"].tolist() == [-1]

    def test_of_sets(self, sets):
        table = label_frame(*sets).set_index("label")
        # a: found once of three; b: found once, included wrongly once; c: never true or predicted.
        assert table["share"].tolist() == pytest.approx([1, 1 / 3, 0])
        assert table["predicted_share"].tolist() == pytest.approx([1 / 3, 2 / 3, 0])
        assert table["precision"].tolist() == [1, 0.5, 0]
        assert table["recall"].tolist() == pytest.approx([1 / 3, 1, 0])
        assert table["f1"].tolist() == pytest.approx([2 / 4, 2 / 3, 0])
        # Only b is relevant in some rows and not in others; it has the highest score there.
        np.testing.assert_array_equal(table["auc"], [NAN, 1, NAN])
        assert table["n_wrong"].tolist() == [2, 1, 0]

    def test_of_calibrated_rankings_both(self):
        given = Predictions(
            np.array([[1, 2, 3]] * 3), np.array([[1, 0, 0]] * 3), np.array([[3, 2, 1]] * 3)
        )
        truth = [[1, 3, 4, 2], [2, 1, 4, 3], [4, 2, 3, 1]]
        table = label_frame(*made(Task.CALIBRATED_RANKING, truth, given))
        assert {"f1", "mean_error"} <= set(table)
        # Wrong is a label on the wrong side: row 2 misses b, row 3 wrongly includes a.
        assert table["n_wrong"].tolist() == [1, 1, 0]

    def test_without_a_truth_to_compare_there_is_no_mean(self):
        given = Predictions(positions=np.array([[1, 2, 3]] * 3))
        table = label_frame(*made(Task.LABEL_RANKING, [[1, 2, NAN]] * 3, given))
        np.testing.assert_array_equal(table["mean_error"], [0, 0, NAN])

    def test_wrong_cases_are_as_many_as_are_counted(self, sets, rankings):
        for dataset, evaluation in (sets, rankings):
            counts = label_frame(dataset, evaluation)["n_wrong"]
            listed = [len(label_cases(dataset, evaluation, label)) for label in range(3)]
            assert counts.tolist() == listed


class TestCases:
    def test_the_worst_come_first_whichever_way_is_better(self, rankings, sets):
        # Taus: 1; pairs a-b right, a-c and b-c wrong: -1/3; the one pair wrong: -1.
        table = worst_cases(*rankings, "kendall_tau_score")
        assert table["value"].tolist() == pytest.approx([-1, -1 / 3])
        assert table["row"].tolist() == [3, 2]
        assert table["case"].tolist() == [2, 1]
        losses = worst_cases(*sets, "hamming_loss")
        # One wrong label each: the order of the evaluation.
        assert losses["row"].tolist() == [1, 2, 3]

    def test_cases_without_a_value_are_left_out(self):
        given = Predictions(positions=np.array([[1, 2, 3]] * 3))
        truth = [[1, 2, 3], [1, NAN, NAN], [2, 1, 3]]
        data, evaluation = made(Task.LABEL_RANKING, truth, given, ["kendall_tau_score"])
        assert worst_cases(data, evaluation, "kendall_tau_score")["row"].tolist() == [3]

    def test_perfect_cases_are_not_among_the_worst_whatever_perfect_is(self):
        # Row 1 has two relevant labels, both first: a coverage of 1 is the best it can have. Row 2
        # has one, predicted second: also 1, but it could be 0. Row 3 has none.
        given = Predictions(positions=np.array([[1, 2, 3], [2, 1, 3], [1, 2, 3]]))
        truth = [[1, 1, 0], [1, 0, 0], [0, 0, 0]]
        keys = ["coverage_error", "ranking_loss", "ndcg_score"]
        data, evaluation = made(Task.MULTILABEL, truth, given, keys)
        assert evaluation.values["coverage_error"].tolist() == [1, 1, 0]
        for key in keys:
            assert worst_cases(data, evaluation, key)["row"].tolist() == [2]

    @pytest.mark.parametrize("key", ["macro_f1_score", "no_such_measure"])
    def test_a_measure_no_case_has(self, sets, key):
        with pytest.raises(ValueError, match=f"hamming_loss.* got '{key}'"):
            worst_cases(*sets, key)

    def test_of_a_label_the_surest_mistakes_come_first(self, sets):
        table = label_cases(*sets, 0)
        assert table["row"].tolist() == [2, 3]  # scores -0.9 and -0.4
        assert table["value"].tolist() == [-1, -1]
        assert label_cases(*sets, 1)["value"].tolist() == [1]

    def test_of_a_label_the_farthest_places_come_first(self, rankings):
        table = label_cases(*rankings, 1)
        assert table["row"].tolist() == [2, 3]
        assert table["value"].tolist() == [1, -1]
        assert label_cases(*rankings, 2)["value"].tolist() == [-2]


class TestWords:
    def test_of_rankings(self, rankings):
        table = case_texts(*rankings, [2, 0])
        assert table["predicted"].tolist() == ["b > a > c", "a > b > c"]
        assert table["true"].tolist() == ["a > b", "a > b > c"]

    def test_of_sets_in_the_order_predicted(self, sets):
        table = case_texts(*sets, [0, 1, 2])
        assert table["predicted"].tolist() == ["a, b", "b", ""]
        assert table["true"].tolist() == ["a", "a, b", "a"]
        assert table["order"].tolist()[1] == "b > zero line > c > a"

    def test_of_calibrated_rankings_with_the_zero_line(self):
        given = Predictions(np.array([[2, 1, 3]] * 3), np.array([[1, 1, 0]] * 3))
        data, evaluation = made(Task.CALIBRATED_RANKING, [[1, 3, 4, 2]] * 3, given)
        table = case_texts(data, evaluation, [0])
        assert table.loc[0].tolist() == ["b > a > zero line > c", "a > zero line > b > c"]

    def test_of_sets_without_an_order(self):
        given = Predictions(relevance=np.array([[0, 1, 1]] * 3))
        data, evaluation = made(Task.MULTILABEL, [[1, 0, 0]] * 3, given)
        assert case_texts(data, evaluation, [1]).loc[0].tolist() == ["b, c", "a"]

    def test_of_no_case(self, sets):
        assert len(case_texts(*sets, [])) == 0


@pytest.mark.parametrize("partial", [False, True])
def test_place_differences_add_up_to_the_distances(partial):
    rng = np.random.default_rng(0)
    truth = rng.permuted(np.tile(np.arange(1.0, 7), (30, 1)), axis=1)
    truth[rng.random(truth.shape) < 0.3 * partial] = NAN
    predicted = rng.permuted(np.tile(np.arange(1, 7), (30, 1)), axis=1)
    found = metrics.place_differences(truth, predicted)
    np.testing.assert_array_equal(np.isnan(found).all(axis=1), (~np.isnan(truth)).sum(axis=1) < 2)
    kept = ~np.isnan(found).all(axis=1)
    for power, name in ((1, "footrule"), (2, "spearman")):
        expected = getattr(metrics, f"{name}_distance")(truth, predicted, average=None)
        total = np.nansum(np.abs(found) ** power, axis=1)
        np.testing.assert_allclose(total[kept], expected[kept])
