import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import metrics
from tests import oracles
from tests.looped import seeds

NAN = float("nan")
PER_LABEL = ["precision_score", "recall_score", "f1_score"]
WHOLE = {
    "macro_f1_score": oracles.macro_f1,
    "micro_f1_score": oracles.micro_f1,
    "macro_auc_score": oracles.macro_auc,
}


def whole(name, truth, prediction):
    return getattr(metrics, name)(truth, prediction)


def random_problem(name, n_labels, seed=0):
    """Relevance with labels all rows have, or none, among it."""
    rng = np.random.default_rng(seed)
    share = rng.choice([0, 0.2, 0.6, 1], size=n_labels)
    truth = (rng.random((40, n_labels)) < share).astype(int)
    if "auc" in name:
        return truth, rng.integers(0, 6, truth.shape) / 2
    return truth, (rng.random(truth.shape) < rng.choice([0, 0.5], size=n_labels)).astype(int)


class TestWorkedByHand:
    # Label a: found 2, wrongly included 1, missed 1. b: found 1. c: neither true nor predicted.
    TRUTH = ((1, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0))
    PREDICTION = ((1, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0))

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("precision_score_per_label", [2 / 3, 1, 0]),
            ("recall_score_per_label", [2 / 3, 1, 0]),
            ("f1_score_per_label", [4 / 6, 1, 0]),  # 2 * 2 / (2 * 2 + 1 + 1)
            ("macro_f1_score", (4 / 6 + 1 + 0) / 3),
            ("micro_f1_score", 6 / 8),  # 2 * 3 / (2 * 3 + 1 + 1)
        ],
    )
    def test_sets(self, name, expected):
        assert whole(name, self.TRUTH, self.PREDICTION) == pytest.approx(expected)

    def test_auc(self):
        # a: 0.9 > 0.4, 0.9 > 0.1, 0.4 = 0.4, 0.4 > 0.1: 3.5 of 4. b: one of two. c: none has it.
        truth = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]]
        scores = [[0.9, 0.5, 0], [0.4, 0.6, 0], [0.4, 0.5, 1], [0.1, 0.1, 2]]
        expected = [3.5 / 4, 2 / 4, NAN]
        found = metrics.auc_score_per_label(truth, scores)
        np.testing.assert_allclose(found, expected)
        assert metrics.macro_auc_score(truth, scores) == pytest.approx((3.5 / 4 + 2 / 4) / 2)


@seeds(3)
@pytest.mark.parametrize("n_labels", [2, 3, 8])
@pytest.mark.parametrize("name", WHOLE)
def test_equals_the_definition_in_exact_fractions(name, n_labels, seed):
    truth, prediction = random_problem(name, n_labels, seed)
    expected = WHOLE[name](truth.tolist(), prediction.tolist())
    found = whole(name, truth, prediction)
    assert found == pytest.approx(NAN if expected is None else float(expected), nan_ok=True)


@pytest.mark.parametrize("name", PER_LABEL)
def test_equals_scikit_learn(name):
    truth, prediction = random_problem(name, 14)
    theirs = getattr(sklearn.metrics, name)
    found = getattr(metrics, f"{name}_per_label")(truth, prediction)
    expected = theirs(truth, prediction, average=None, zero_division=0)
    np.testing.assert_array_equal(found, expected)
    if name == "f1_score":
        for average in ("macro", "micro"):
            value = theirs(truth, prediction, average=average, zero_division=0)
            assert whole(f"{average}_f1_score", truth, prediction) == pytest.approx(value)


def test_auc_equals_scikit_learn_on_the_labels_that_have_one():
    truth, scores = random_problem("auc", 14)
    kept = truth.any(axis=0) & ~truth.all(axis=0)
    assert 0 < kept.sum() < 14
    expected = sklearn.metrics.roc_auc_score(truth[:, kept], scores[:, kept], average="macro")
    assert metrics.macro_auc_score(truth, scores) == pytest.approx(expected)


def test_infinite_scores_are_scores():
    truth = [[1, 0], [0, 1], [0, 1]]
    infinite, finite = [[np.inf, 0], [-np.inf, 1], [0, -np.inf]], [[9, 0], [-9, 1], [0, -9]]
    found = metrics.auc_score_per_label(truth, infinite)
    np.testing.assert_array_equal(found, metrics.auc_score_per_label(truth, finite))


@pytest.mark.parametrize("name", WHOLE)
class TestInput:
    def test_no_case_gives_nan(self, name):
        assert np.isnan(whole(name, np.empty((0, 3)), np.empty((0, 3))))

    def test_shapes_must_agree(self, name):
        with pytest.raises(ValueError, match=r"one shape .* got \(1, 2\) and \(1, 3\)"):
            whole(name, [[1, 0]], [[1, 0, 0]])

    def test_truth_may_be_integers_floats_or_truth_values(self, name):
        truth, prediction = random_problem(name, 5)
        expected = whole(name, truth, prediction)
        for kind in (float, bool, np.uint8):
            assert whole(name, truth.astype(kind), prediction) == expected

    def test_inputs_stay_as_they_are(self, name):
        truth, prediction = random_problem(name, 5)
        before = truth.copy(), prediction.copy()
        whole(name, truth, prediction)
        np.testing.assert_array_equal(truth, before[0])
        np.testing.assert_array_equal(prediction, before[1])


@pytest.mark.parametrize("name", ["macro_f1_score", "micro_f1_score"])
def test_a_single_label_is_refused(name):
    with pytest.raises(ValueError, match="two labels, got 1"):
        whole(name, [[1], [0]], [[1], [1]])


def test_scores_must_be_complete():
    with pytest.raises(ValueError, match="for every label, got row 0"):
        metrics.macro_auc_score([[1, 0]], [[1.0, NAN]])


relevance = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=8).map(np.array)


class TestProperties:
    @given(truth=relevance)
    def test_the_truth_is_perfect(self, truth):
        used = truth.any(axis=0)
        assert metrics.macro_f1_score(truth, truth) == pytest.approx(used.mean())
        assert metrics.micro_f1_score(truth, truth) == float(used.any())
        auc = metrics.auc_score_per_label(truth, truth)
        assert set(auc[~np.isnan(auc)]) <= {1.0}

    @given(truth=relevance, data=st.data())
    def test_reversed_scores_have_the_rest_of_the_area(self, truth, data):
        row = st.lists(st.integers(-3, 3), min_size=truth.size, max_size=truth.size)
        scores = np.array(data.draw(row)).reshape(truth.shape)
        both = [metrics.auc_score_per_label(truth, sign * scores) for sign in (1, -1)]
        found = sum(both)
        np.testing.assert_allclose(found[~np.isnan(found)], 1)
