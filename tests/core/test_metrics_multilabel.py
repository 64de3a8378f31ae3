import numpy as np
import pytest
import sklearn.exceptions
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import metrics
from labelrank_core.metrics import _common
from tests import oracles

NAN = float("nan")
ON_SETS = ["hamming_loss", "subset_accuracy_score"]
ON_SCORES = [
    "one_error",
    "coverage_error",
    "coverage_place_error",
    "ranking_loss",
    "average_precision_score",
    "hit_at_k_score",
    "ndcg_score",
]
NAMES = ON_SETS + ON_SCORES
# What scikit-learn calls the same thing, and how much more it says.
IN_SKLEARN = {
    "hamming_loss": (sklearn.metrics.hamming_loss, 0),
    "subset_accuracy_score": (sklearn.metrics.accuracy_score, 0),
    "coverage_error": (sklearn.metrics.coverage_error, 1),
    "coverage_place_error": (sklearn.metrics.coverage_error, 0),
    "ndcg_score": (sklearn.metrics.ndcg_score, 0),
    "ranking_loss": (sklearn.metrics.label_ranking_loss, 0),
    "average_precision_score": (sklearn.metrics.label_ranking_average_precision_score, 0),
}


def mean(name, truth, prediction):
    return getattr(metrics, name)(truth, prediction)


def cases(name, truth, prediction):
    return getattr(metrics, name)(truth, prediction, average=None)


def random_problem(name, n_labels, *, tied, n_samples=80, seed=0):
    """Relevance with empty and full rows among it, and a prediction as the measure takes it."""
    rng = np.random.default_rng(seed)
    share = rng.choice([0, 0.2, 0.6, 1], size=(n_samples, 1))
    truth = (rng.random((n_samples, n_labels)) < share).astype(int)
    if name in ON_SETS:
        return truth, np.where(rng.random(truth.shape) < 0.2, 1 - truth, truth)
    scores = rng.integers(0, 3, truth.shape) / 2 if tied else rng.normal(size=truth.shape)
    return truth, scores


class TestWorkedByHand:
    # Relevant: a, c. Scores order the labels b > a > d > c.
    TRUTH, SCORES = [[1, 0, 1, 0]], [[0.7, 0.9, 0.1, 0.3]]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("one_error", 1),  # b is not relevant
            ("coverage_error", 3),  # c is last of four
            ("coverage_place_error", 4),
            ("hit_at_k_score", 1),  # a is second
            # a at place 2, c at place 4, instead of 1 and 2
            ("ndcg_score", (1 / np.log2(3) + 1 / np.log2(5)) / (1 + 1 / np.log2(3))),
            ("ranking_loss", 0.75),  # b > a, b > c, d > c of the pairs ab, ad, cb, cd
            ("average_precision_score", 0.5),  # (1/2 for a + 2/4 for c) / 2
        ],
    )
    def test_scores(self, name, expected):
        assert mean(name, self.TRUTH, self.SCORES) == pytest.approx(expected)

    # Relevant: b. All labels tie.
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("one_error", 1),  # of equal best scores the lower index, a, which is not relevant
            ("coverage_error", 2),  # three labels score at least as high
            ("coverage_place_error", 3),
            ("ranking_loss", 1),  # both pairs tie: errors
            ("average_precision_score", 1 / 3),
        ],
    )
    def test_ties_count_as_errors(self, name, expected):
        assert mean(name, [[0, 1, 0]], [[0.5, 0.5, 0.5]]) == pytest.approx(expected)

    def test_tied_labels_share_the_discounts_of_their_places(self):
        expected = (1 + 1 / np.log2(3) + 1 / np.log2(4)) / 3
        assert metrics.ndcg_score([[0, 1, 0]], [[0.5, 0.5, 0.5]]) == pytest.approx(expected)

    @pytest.mark.parametrize(("k", "expected"), [(1, 0), (2, 0), (3, 1), (9, 1)])
    def test_of_tied_labels_the_lower_index_is_among_the_best(self, k, expected):
        assert metrics.hit_at_k_score([[0, 0, 1]], [[0.5, 0.5, 0.5]], k=k) == expected

    def test_sets(self):
        truth, prediction = [[1, 0, 1], [0, 0, 1]], [[1, 1, 0], [0, 0, 1]]
        assert metrics.hamming_loss(truth, prediction) == pytest.approx(2 / 6)
        assert metrics.subset_accuracy_score(truth, prediction) == 1 / 2

    def test_one_error_of_tied_best_scores_looks_at_the_lower_index(self):
        assert cases("one_error", [[1, 0], [0, 1]], [[2, 2], [2, 2]]).tolist() == [0, 1]


class TestNothingToOrder:
    @pytest.mark.parametrize(
        ("name", "none", "all_of_three"),
        [
            ("one_error", 0, 0),
            ("coverage_error", 0, 2),
            ("coverage_place_error", 0, 3),
            ("ranking_loss", 0, 0),
            ("average_precision_score", 1, 1),
            ("hit_at_k_score", 1, 1),
            ("ndcg_score", 1, 1),
        ],
    )
    @pytest.mark.parametrize("scores", [[0.3, 0.9, 0.1], [0.5, 0.5, 0.5]], ids=str)
    def test_counts_as_perfect(self, name, none, all_of_three, scores):
        found = cases(name, [[0, 0, 0], [1, 1, 1]], [scores, scores])
        assert found.tolist() == [none, all_of_three]

    @pytest.mark.parametrize(
        ("name", "difference"),
        [
            ("ranking_loss", (0, 0)),
            ("average_precision_score", (0, 0)),
            ("coverage_error", (0, 1)),
            ("coverage_place_error", (0, 0)),
            ("ndcg_score", (-1, 0)),
        ],
    )
    def test_compared_with_scikit_learn(self, name, difference):
        reference, _ = IN_SKLEARN[name]
        scores = [[0.3, 0.9, 0.1]]
        for truth, larger in zip(([[0, 0, 0]], [[1, 1, 1]]), difference, strict=True):
            assert reference(truth, scores) == mean(name, truth, scores) + larger


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("n_labels", [2, 3, 8])
@pytest.mark.parametrize("name", NAMES)
def test_equals_the_definition_in_exact_fractions(name, n_labels, tied):
    truth, prediction = random_problem(name, n_labels, tied=tied)
    oracle = oracles.MULTILABEL_MEASURES[name]
    expected = [oracle(*pair) for pair in zip(truth.tolist(), prediction.tolist(), strict=True)]
    found = cases(name, truth, prediction)
    np.testing.assert_allclose(found, [float(value) for value in expected], atol=1e-12)
    assert mean(name, truth, prediction) == pytest.approx(float(sum(expected) / len(expected)))


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("n_labels", [3, 14])
@pytest.mark.parametrize("name", IN_SKLEARN)
def test_equals_scikit_learn(name, n_labels, tied):
    truth, prediction = random_problem(name, n_labels, tied=tied)
    kept = truth.any(axis=1)
    reference, larger = IN_SKLEARN[name]
    expected = reference(truth[kept], prediction[kept])
    assert mean(name, truth[kept], prediction[kept]) + larger == pytest.approx(expected)


class TestOtherThanScikitLearn:
    """One test for each line of the table in the docstring of `metrics.multilabel`."""

    TRUTH = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])
    SCORES = np.array([[0.1, 0.9, 0.5], [0.3, 0.2, 0.1], [0.4, 0.4, 0.4]])

    def test_coverage_is_larger_by_one_where_something_is_relevant(self):
        own = cases("coverage_error", self.TRUTH, self.SCORES)
        theirs = [
            sklearn.metrics.coverage_error([truth], [scores])
            for truth, scores in zip(self.TRUTH, self.SCORES, strict=True)
        ]
        assert (own + np.array([1, 0, 1])).tolist() == theirs
        assert cases("coverage_place_error", self.TRUTH, self.SCORES).tolist() == theirs

    def test_average_precision_is_that_of_rows_not_of_labels(self):
        # In both rows the relevant label comes first; of label a, the row that lacks it does.
        truth, scores = [[1, 0], [0, 1]], [[0.5, 0.1], [0.6, 0.9]]
        assert metrics.average_precision_score(truth, scores) == 1
        assert sklearn.metrics.label_ranking_average_precision_score(truth, scores) == 1
        assert sklearn.metrics.average_precision_score(truth, scores) == 0.75

    def test_ndcg_of_a_row_without_relevant_labels(self):
        assert sklearn.metrics.ndcg_score(self.TRUTH[[1]], self.SCORES[[1]]) == 0
        assert metrics.ndcg_score(self.TRUTH[[1]], self.SCORES[[1]]) == 1

    @pytest.mark.parametrize("k", [1, 2])
    def test_top_k_agrees_without_ties_and_takes_the_other_index_with_them(self, k):
        rng = np.random.default_rng(0)
        label, scores = rng.integers(0, 4, 50), rng.random((50, 4))
        theirs = sklearn.metrics.top_k_accuracy_score
        assert metrics.hit_at_k_score(np.eye(4)[label], scores, k=k) == theirs(label, scores, k=k)
        tied, first = np.zeros((4, 4)), np.array([0, 1, 2, 3])
        own = metrics.hit_at_k_score(np.eye(4), tied, k=k, average=None)
        assert own.tolist() == [float(j < k) for j in range(4)]
        found = [theirs([j], tied[:1], k=k, labels=first) for j in range(4)]
        assert found == own[::-1].tolist()

    def test_one_error_has_no_function(self):
        assert not [name for name in sklearn.metrics.__all__ if "one_error" in name]

    def test_f1_of_a_label_neither_relevant_nor_predicted_warns(self):
        truth, prediction = [[1, 0], [1, 0]], [[1, 0], [0, 0]]
        with pytest.warns(sklearn.exceptions.UndefinedMetricWarning):
            theirs = sklearn.metrics.f1_score(truth, prediction, average="macro")
        assert metrics.macro_f1_score(truth, prediction) == theirs == pytest.approx(1 / 3)
        nothing = np.zeros((2, 2), dtype=int)
        with pytest.warns(sklearn.exceptions.UndefinedMetricWarning):
            assert sklearn.metrics.f1_score(nothing, nothing, average="micro") == 0
        assert metrics.micro_f1_score(nothing, nothing) == 0

    def test_auc_of_a_label_that_all_rows_have_or_none(self):
        truth, scores = np.array([[1, 1, 0], [0, 1, 0]]), np.array([[0.9, 0.1, 0.2], [0.3, 0.4, 0]])
        with pytest.warns(sklearn.exceptions.UndefinedMetricWarning):
            assert np.isnan(sklearn.metrics.roc_auc_score(truth, scores))
        assert metrics.macro_auc_score(truth, scores) == 1
        np.testing.assert_array_equal(metrics.auc_score_per_label(truth, scores), [1, NAN, NAN])

    @pytest.mark.parametrize(
        ("name", "theirs"),
        [
            *((name, reference) for name, (reference, _) in IN_SKLEARN.items()),
            ("macro_f1_score", sklearn.metrics.f1_score),
            ("macro_auc_score", sklearn.metrics.roc_auc_score),
        ],
    )
    def test_no_case_is_an_error_there(self, name, theirs):
        nothing = np.empty((0, 3))
        with pytest.raises(ValueError, match=r"0 sample|[Ee]mpty"):
            theirs(nothing, nothing)
        assert np.isnan(mean(name, nothing, nothing))


@pytest.mark.parametrize("name", NAMES)
class TestInput:
    def test_no_case_gives_nan(self, name):
        assert np.isnan(mean(name, np.empty((0, 3)), np.empty((0, 3))))

    def test_shapes_must_agree(self, name):
        with pytest.raises(ValueError, match=r"one shape .* got \(1, 2\) and \(1, 3\)"):
            mean(name, [[1, 0]], [[1, 0, 0]])

    def test_truth_may_be_integers_floats_or_truth_values(self, name):
        truth, prediction = random_problem(name, 5, tied=False)
        expected = cases(name, truth, prediction)
        for kind in (float, bool, np.uint8):
            np.testing.assert_array_equal(cases(name, truth.astype(kind), prediction), expected)

    def test_inputs_stay_as_they_are(self, name):
        truth, prediction = random_problem(name, 5, tied=True)
        before = truth.copy(), prediction.copy()
        mean(name, truth, prediction)
        np.testing.assert_array_equal(truth, before[0])
        np.testing.assert_array_equal(prediction, before[1])

    def test_blocks_of_rows_do_not_matter(self, name, monkeypatch):
        truth, prediction = random_problem(name, 5, tied=True)
        expected = cases(name, truth, prediction)
        monkeypatch.setattr(_common, "CHUNK_CELLS", 10)
        np.testing.assert_array_equal(cases(name, truth, prediction), expected)


@pytest.mark.parametrize("k", [0, -1])
def test_k_is_at_least_one(k):
    with pytest.raises(ValueError, match=f"k of at least 1, got {k}"):
        metrics.hit_at_k_score([[1, 0]], [[0.2, 0.1]], k=k)


@pytest.mark.parametrize("name", ON_SCORES)
def test_scores_must_be_complete(name):
    with pytest.raises(ValueError, match="for every label, got row 0"):
        mean(name, [[1, 0]], [[1.0, float("nan")]])


@pytest.mark.parametrize("name", ON_SCORES)
def test_infinite_scores_are_scores(name):
    truth = [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    infinite = [[np.inf, 0, -np.inf], [np.inf, 0, 1], [-np.inf, -np.inf, 0]]
    finite = [[9, 0, -9], [9, 0, 1], [-9, -9, 0]]
    np.testing.assert_array_equal(cases(name, truth, infinite), cases(name, truth, finite))


@pytest.mark.parametrize("name", ON_SCORES)
def test_a_ranking_is_passed_as_negative_positions(name):
    truth, scores = random_problem(name, 6, tied=False)
    positions = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1
    np.testing.assert_array_equal(cases(name, truth, -positions), cases(name, truth, scores))


@st.composite
def scored_cases(draw):
    """Return relevance, scores with ties, and a renaming of the labels."""
    n_labels = draw(st.integers(2, 8))
    row = st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels)
    scores = st.lists(st.integers(-3, 3), min_size=n_labels, max_size=n_labels)
    order = draw(st.permutations(range(n_labels)))
    return np.array([draw(row)]), np.array([draw(scores)]), np.array(order)


class TestProperties:
    @given(problem=scored_cases())
    def test_values_are_in_range(self, problem):
        truth, scores, _ = problem
        for name in ON_SCORES:
            n_labels = truth.shape[1]
            most = {"coverage_error": n_labels - 1, "coverage_place_error": n_labels}
            assert 0 <= mean(name, truth, scores) <= most.get(name, 1) + 1e-12

    @given(problem=scored_cases())
    def test_renaming_labels_changes_nothing(self, problem):
        truth, scores, order = problem
        for name in ("coverage_error", "ranking_loss", "average_precision_score", "ndcg_score"):
            renamed = mean(name, truth[:, order], scores[:, order])
            assert renamed == pytest.approx(mean(name, truth, scores))

    @given(problem=scored_cases())
    def test_the_truth_as_scores_is_perfect(self, problem):
        truth = problem[0]
        assert metrics.ranking_loss(truth, truth) == 0
        assert metrics.one_error(truth, truth) == 0
        assert metrics.average_precision_score(truth, truth) == 1
        assert metrics.ndcg_score(truth, truth) == pytest.approx(1)
        assert metrics.hit_at_k_score(truth, truth, k=1) == 1
        assert metrics.coverage_error(truth, truth) == max(truth.sum() - 1, 0)

    @given(problem=scored_cases())
    def test_reversed_scores_lose_the_other_pairs(self, problem):
        truth, _, order = problem
        if 0 < truth.sum() < truth.size:
            losses = [metrics.ranking_loss(truth, [sign * order]) for sign in (1, -1)]
            assert sum(losses) == pytest.approx(1)
