import warnings
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import top_k_accuracy_score

from labelrank_core import metrics
from labelrank_core.metrics import _common
from labelrank_core.rankings import calibrate, calibrated_positions
from tests import oracles

NAN = float("nan")
DISTANCES = {
    "kendall": "kendall_distance",
    "spearman": "spearman_distance",
    "footrule": "footrule_distance",
}
SCORES = {
    "kendall": "kendall_tau_score",
    "spearman": "spearman_rho_score",
    "footrule": "footrule_score",
}
LOSSES = list(DISTANCES)
NAMES = [*DISTANCES.values(), *SCORES.values()]


def mean(name, truth, prediction):
    return getattr(metrics, name)(truth, prediction)


def cases(name, truth, prediction):
    return getattr(metrics, name)(truth, prediction, average=None)


def random_positions(rng, n_samples, n_labels, *, partial=False, tied=False):
    """Positions without gaps; partial rows lose each label with probability 0.4."""
    keys = rng.random((n_samples, n_labels))
    if tied:
        keys = np.floor(keys * rng.integers(1, n_labels + 1, size=(n_samples, 1)))
    if partial:
        keys[rng.random(keys.shape) < 0.4] = NAN
    positions = np.full(keys.shape, NAN)
    for row, key in enumerate(keys):
        ranked = ~np.isnan(key)
        positions[row, ranked] = np.unique(key[ranked], return_inverse=True)[1] + 1
    return positions


class TestWorkedByHand:
    # Truth a > b > c > d, prediction b > a > d > c: places 1 2 3 4 against 2 1 4 3.
    TRUTH, PREDICTION = [[1, 2, 3, 4]], [[2, 1, 4, 3]]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("kendall_distance", 2),  # a-b and c-d of 6 pairs
            ("kendall_tau_score", 1 / 3),  # (4 - 2) / 6
            ("spearman_distance", 4),  # 1 + 1 + 1 + 1
            ("spearman_rho_score", 0.6),  # 1 - 2 * 4 / (4 * 15 / 3)
            ("footrule_distance", 4),  # 1 + 1 + 1 + 1
            ("footrule_score", 0),  # 1 - 2 * 4 / (16 / 2)
        ],
    )
    def test_two_swaps_of_four_labels(self, name, expected):
        assert mean(name, self.TRUTH, self.PREDICTION) == pytest.approx(expected)

    # Truth b > d with a and c not ranked; prediction a > d > c > b leaves d > b: reversed.
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("kendall_distance", 1),
            ("kendall_tau_score", -1),
            ("spearman_distance", 2),  # (1 - 2)² + (2 - 1)²
            ("spearman_rho_score", -1),  # 1 - 2 * 2 / (2 * 3 / 3)
            ("footrule_distance", 2),
            ("footrule_score", -1),  # 1 - 2 * 2 / (4 / 2)
        ],
    )
    def test_partial_truth_ranks_the_prediction_anew(self, name, expected):
        assert mean(name, [[NAN, 1, NAN, 2]], [[1, 4, 3, 2]]) == pytest.approx(expected)

    # Truth a = b > c, prediction a > b > c: ranks 1.5 1.5 3 against 1 2 3.
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("kendall_distance", 0),  # a-c and b-c are right, a-b is not compared
            ("kendall_tau_score", 1),
            ("spearman_distance", 0.5),  # 0.25 + 0.25
            ("spearman_rho_score", 0.875),  # 1 - 2 * 0.5 / 8
            ("footrule_distance", 1),
            ("footrule_score", 0.5),  # 1 - 2 * 1 / 4
        ],
    )
    def test_tied_truth(self, name, expected):
        assert mean(name, [[1, 1, 2]], [[1, 2, 3]]) == pytest.approx(expected)

    # Truth a > b > c, prediction a = b > c: a-b is half an inversion; ranks 1.5 1.5 3.
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("kendall_distance", 0.5),
            ("kendall_tau_score", 2 / 3),  # (2 - 0) / 3
            ("spearman_distance", 0.5),
            ("footrule_distance", 1),
        ],
    )
    def test_predicted_tie(self, name, expected):
        assert mean(name, [[1, 2, 3]], [[1, 1, 2]]) == pytest.approx(expected)


@pytest.mark.parametrize("tied_prediction", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("n_labels", [2, 3, 7])
@pytest.mark.parametrize("loss", LOSSES)
def test_equals_the_definition_in_exact_fractions(loss, n_labels, partial, tied, tied_prediction):
    rng = np.random.default_rng(n_labels)
    truth = random_positions(rng, 60, n_labels, partial=partial, tied=tied)
    prediction = random_positions(rng, 60, n_labels, tied=tied_prediction)
    for name, oracle in [
        (DISTANCES[loss], oracles.ranking_distance),
        (SCORES[loss], oracles.ranking_similarity),
    ]:
        expected = [
            oracle(loss, *pair) for pair in zip(truth.tolist(), prediction.tolist(), strict=True)
        ]
        expected = np.array([NAN if value is None else float(value) for value in expected])
        np.testing.assert_allclose(cases(name, truth, prediction), expected, atol=1e-12)
        if not np.isnan(expected).all():
            assert mean(name, truth, prediction) == pytest.approx(np.nanmean(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "reference"), [("kendall_tau_score", kendalltau), ("spearman_rho_score", spearmanr)]
)
@pytest.mark.parametrize("n_labels", [2, 5, 40, 300])
def test_equals_scipy_on_strict_complete_rankings(name, reference, n_labels):
    rng = np.random.default_rng(0)
    truth, prediction = (random_positions(rng, 20, n_labels) for _ in range(2))
    expected = [reference(*pair).statistic for pair in zip(truth, prediction, strict=True)]
    np.testing.assert_allclose(cases(name, truth, prediction), expected, atol=1e-12)


def test_tau_is_not_the_tie_corrected_tau_b_of_scipy():
    truth, prediction = [1, 1, 2], [1, 2, 3]
    assert metrics.kendall_tau_score([truth], [prediction]) == 1
    assert kendalltau(truth, prediction).statistic == pytest.approx(2 / np.sqrt(6))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("truth", [[NAN, NAN, NAN], [NAN, 1, NAN], [1, 1, 1], [1, NAN, 1]], ids=str)
class TestNothingToCompare:
    def test_the_case_has_no_value(self, name, truth):
        assert np.isnan(cases(name, [truth], [[1, 2, 3]])).tolist() == [True]

    def test_the_mean_leaves_the_case_out(self, name, truth):
        others = mean(name, [[1, 2, 3]], [[2, 1, 3]])
        assert mean(name, [truth, [1, 2, 3]], [[1, 2, 3], [2, 1, 3]]) == others

    def test_the_mean_of_no_case_is_nan_without_a_warning(self, name, truth):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isnan(mean(name, [truth], [[1, 2, 3]]))


@pytest.mark.parametrize("name", NAMES)
class TestInput:
    def test_no_case_gives_nan(self, name):
        assert np.isnan(mean(name, np.empty((0, 3)), np.empty((0, 3))))

    def test_a_single_label_has_no_value(self, name):
        assert np.isnan(mean(name, [[1]], [[1]]))

    def test_shapes_must_agree(self, name):
        with pytest.raises(ValueError, match=r"one shape .* got \(1, 2\) and \(1, 3\)"):
            mean(name, [[1, 2]], [[1, 2, 3]])

    def test_a_flat_ranking_is_refused(self, name):
        with pytest.raises(ValueError, match="one shape"):
            mean(name, [1, 2], [1, 2])

    def test_predictions_must_be_complete(self, name):
        with pytest.raises(ValueError, match=r"for every label, got row 1: \[ 1. nan\]"):
            mean(name, [[1, 2], [1, 2]], [[1, 2], [1, NAN]])

    def test_integers_and_floats_give_the_same(self, name):
        truth, prediction = np.array([[3, 1, 2]]), np.array([[1, 3, 2]])
        expected = mean(name, truth.astype(float), prediction.astype(float))
        assert mean(name, truth, prediction.astype(np.uint8)) == expected

    def test_only_the_order_of_the_keys_counts(self, name):
        rng = np.random.default_rng(5)
        truth = random_positions(rng, 30, 6, partial=True, tied=True)
        prediction = random_positions(rng, 30, 6)
        expected = cases(name, truth, prediction)
        moved = cases(name, truth * 1000.5 - 7, -np.exp(-prediction))
        np.testing.assert_array_equal(moved, expected)

    def test_inputs_stay_as_they_are(self, name):
        truth, prediction = np.array([[1.0, NAN, 2.0]]), np.array([[3.0, 1.0, 2.0]])
        mean(name, truth, prediction)
        np.testing.assert_array_equal(truth, [[1.0, NAN, 2.0]])
        np.testing.assert_array_equal(prediction, [[3.0, 1.0, 2.0]])

    def test_blocks_of_rows_do_not_matter(self, name, monkeypatch):
        rng = np.random.default_rng(6)
        truth = random_positions(rng, 23, 5, partial=True, tied=True)
        prediction = random_positions(rng, 23, 5)
        expected = cases(name, truth, prediction)
        monkeypatch.setattr(_common, "CHUNK_CELLS", 10)
        np.testing.assert_array_equal(cases(name, truth, prediction), expected)


@st.composite
def ranked_cases(draw):
    """Return a strict truth, a strict prediction and a renaming of the labels."""
    labels = list(range(1, draw(st.integers(2, 9)) + 1))
    return tuple(np.array([draw(st.permutations(labels))]) for _ in range(3))


@pytest.mark.parametrize("loss", LOSSES)
class TestProperties:
    @given(problem=ranked_cases())
    def test_similarity_is_the_rescaled_distance_within_its_range(self, loss, problem):
        truth, prediction, _ = problem
        n_labels = truth.shape[1]
        largest = {
            "kendall": n_labels * (n_labels - 1) / 2,
            "spearman": n_labels * (n_labels**2 - 1) / 3,
            "footrule": n_labels**2 // 2,
        }[loss]
        distance = mean(DISTANCES[loss], truth, prediction)
        assert 0 <= distance <= largest
        score = mean(SCORES[loss], truth, prediction)
        assert score == pytest.approx(1 - 2 * distance / largest, abs=1e-12)

    @given(problem=ranked_cases())
    def test_equal_rankings_give_1_and_reversed_ones_minus_1(self, loss, problem):
        truth = problem[0]
        assert mean(SCORES[loss], truth, truth) == 1
        assert mean(SCORES[loss], truth, truth.shape[1] + 1 - truth) == pytest.approx(-1)

    @given(problem=ranked_cases())
    def test_renaming_labels_and_swapping_the_two_change_nothing(self, loss, problem):
        truth, prediction, names = problem
        order = names[0] - 1
        value = mean(SCORES[loss], truth, prediction)
        assert mean(SCORES[loss], truth[:, order], prediction[:, order]) == value
        assert mean(SCORES[loss], prediction, truth) == value


class TestFirstPlaces:
    # Truth a > b > c > d; a is predicted third, then last.
    TRUTH, PREDICTION = [[1, 2, 3, 4]] * 2, [[3, 1, 2, 4], [4, 1, 2, 3]]

    def test_position_error_counts_the_labels_tried_in_vain(self):
        assert cases("position_error", self.TRUTH, self.PREDICTION).tolist() == [2, 3]
        assert metrics.position_error(self.TRUTH, self.PREDICTION) == 2.5

    @pytest.mark.parametrize(("k", "expected"), [(1, 0), (2, 0), (3, 0.5), (4, 1), (9, 1)])
    def test_top_k_is_the_share_of_those_within_k(self, k, expected):
        assert metrics.top_k_score(self.TRUTH, self.PREDICTION, k=k) == expected

    @pytest.mark.parametrize(
        ("truth", "prediction", "expected"),
        [
            ([1, 1, 2], [3, 2, 1], 1),  # b is the better placed of the two truly first
            ([NAN, 1, 2], [1, 2, 3], 0),  # the first place of a does not count
            ([2, 1, 3], [1, 1, 2], 1),  # a and b tie: the lower index first
            ([1, 2, 3], [1, 1, 2], 0),
            ([1, NAN, NAN], [1, 2, 3], NAN),
            ([1, 1, 1], [1, 2, 3], NAN),
        ],
    )
    def test_ties_and_unranked_labels(self, truth, prediction, expected):
        found = cases("position_error", [truth], [prediction])
        np.testing.assert_array_equal(found, [expected])
        first = metrics.top_k_score([truth], [prediction], k=1, average=None)
        np.testing.assert_array_equal(first, [NAN if np.isnan(expected) else expected == 0])

    @pytest.mark.parametrize("partial", [False, True])
    @pytest.mark.parametrize("n_labels", [2, 3, 7])
    def test_equals_the_definition(self, n_labels, partial):
        rng = np.random.default_rng(n_labels)
        truth = random_positions(rng, 60, n_labels, partial=partial, tied=True)
        prediction = random_positions(rng, 60, n_labels, tied=True)
        pairs = zip(truth.tolist(), prediction.tolist(), strict=True)
        expected = [oracles.position_error(*pair) for pair in pairs]
        expected = [NAN if value is None else value for value in expected]
        np.testing.assert_array_equal(cases("position_error", truth, prediction), expected)

    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_top_k_equals_scikit_learn_on_the_first_label(self, k):
        rng = np.random.default_rng(0)
        truth, prediction = (random_positions(rng, 80, 5) for _ in range(2))
        first = truth.argmin(axis=1)
        expected = top_k_accuracy_score(first, -prediction, k=k, labels=range(5))
        assert metrics.top_k_score(truth, prediction, k=k) == pytest.approx(expected)

    def test_of_tied_scores_scikit_learn_takes_the_higher_index(self):
        tied = [[1, 1, 1]]
        found = [top_k_accuracy_score([j], -np.array(tied), k=1, labels=range(3)) for j in range(3)]
        assert found == [0, 0, 1]
        truths = [[1, 2, 3], [2, 1, 3], [3, 2, 1]]
        assert metrics.top_k_score(truths, tied * 3, k=1, average=None).tolist() == [1, 0, 0]


class TestCalibratedSpearman:
    def test_places_of_the_bucket_order_are_compared(self):
        # Truth {a} > zero > {b, c}: places 1, 3.5, 3.5 and 2. Prediction a > b > zero > c: 1, 2, 4
        # and 3. Squared: 0 + 2.25 + 0.25 + 1 = 3.5 of at most 4 * 15 / 3 = 20: 1 - 2 * 3.5 / 20.
        truth = calibrate([[1, 0, 0]])
        predicted = calibrated_positions([[1, 2, 3]], [[1, 1, 0]])
        assert predicted.tolist() == [[1, 2, 4, 3]]
        assert metrics.calibrated_spearman_score(truth, predicted) == pytest.approx(0.65)

    def test_equal_strict_rankings_have_1_and_reversed_ones_minus_1(self):
        truth = [[1, 3, 4, 2]]
        assert metrics.calibrated_spearman_score(truth, truth) == 1
        assert metrics.calibrated_spearman_score(truth, [[4, 2, 1, 3]]) == -1

    @pytest.mark.parametrize("n_labels", [2, 5])
    def test_equals_the_squared_distance_of_generalised_ranks(self, n_labels):
        rng = np.random.default_rng(0)
        relevance = (rng.random((40, n_labels)) < 0.4).astype(int)
        positions = random_positions(rng, 40, n_labels)
        predicted = calibrated_positions(positions, rng.integers(0, 2, relevance.shape))
        expected = []
        for labels, places in zip(relevance.tolist(), predicted.tolist(), strict=True):
            n_relevant, m = sum(labels), len(labels)
            # Worked out in MLR-07's words: the mean place of a bucket.
            ahead = Fraction(n_relevant + 1, 2)
            behind = n_relevant + 1 + Fraction(m - n_relevant + 1, 2)
            ranks = [ahead if label else behind for label in labels] + [n_relevant + 1]
            distance = sum((a - int(b)) ** 2 for a, b in zip(ranks, places, strict=True))
            expected.append(float(1 - 2 * distance / Fraction((m + 1) * ((m + 1) ** 2 - 1), 3)))
        found = cases("calibrated_spearman_score", calibrate(relevance), predicted)
        np.testing.assert_allclose(found, expected)

    def test_no_prediction_is_better_than_the_true_set(self):
        relevance = np.array([[1, 0, 1, 0]])
        truth = calibrate(relevance)
        values = {
            (places, labels): metrics.calibrated_spearman_score(
                truth, calibrated_positions([places], [labels])
            )
            for places in permutations(range(1, 5))
            for labels in product((0, 1), repeat=4)
        }
        best = max(values.values())
        assert best < 1
        assert all(labels == (1, 0, 1, 0) for (_, labels), v in values.items() if v == best)
