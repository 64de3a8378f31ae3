"""Hostile features, targets and parameters: every method predicts or says what it expects."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, MLkNNClassifier, PairwiseForestRanker
from labelrank_core.data.findings import DatasetError
from labelrank_core.io import read_dataset
from labelrank_core.io.cases import read_cases
from labelrank_core.methods import ALGORITHMS
from labelrank_core.rankings import check_rankings
from tests import problems
from tests.fuzz import methods

KEYS = list(ALGORITHMS)


def assert_nothing_breaks(step):
    counts, broken = methods.check_all(step)
    assert not broken, "\n".join(f"{one['verdict']}: {one['case']}" for one in broken)
    assert counts["predicted"] > 20
    assert counts["refused"] > 20


def test_a_sample_of_hostile_input_breaks_nothing():
    assert_nothing_breaks(127)


@pytest.mark.slow
def test_much_hostile_input_breaks_nothing():
    assert_nothing_breaks(7)


def learn(key, X, **params):
    algorithm = ALGORITHMS[key]
    rng = np.random.default_rng(0)
    rankings = np.argsort(rng.random((24, 4)), axis=1) + 1
    Y = rankings if algorithm.learns_rankings else rankings % 2
    return algorithm.build(**params).fit(X, Y)


@pytest.mark.parametrize("key", KEYS)
def test_tiny_features_are_refused_before_a_solver_sees_them(key):
    plain = np.random.default_rng(1).normal(size=(24, 3))
    for size in (5e-324, 1e-300, 1e-200, 1e-160, 1e-80):
        X = np.sign(plain) * size
        # Single precision, in which trees keep features, makes zeros of them.
        if ALGORITHMS[key].key not in ("forest", "pairwise_forest"):
            with pytest.raises(ValueError, match=r"at least 1e-70 in size, .*Multiply them"):
                learn(key, X)


@pytest.mark.parametrize("key", KEYS)
def test_indices_outside_of_a_sparse_matrix_are_refused(key):
    for form in (sparse.csr_matrix, sparse.csc_matrix):
        X = form(np.random.default_rng(1).normal(size=(24, 3)))
        X.indices[4] = 10**6
        with pytest.raises(ValueError, match=r"indices within the shape \(24, 3\)"):
            learn(key, X)


@pytest.mark.parametrize("key", ["stacked", "stacked_multilabel"])
@pytest.mark.parametrize("index", [-5, 10**6])
def test_candidates_of_ones_own_get_no_sparse_matrix_that_is_broken(key, index):
    candidates = problems.CANDIDATES[ALGORITHMS[key].learns_rankings]
    for form in (sparse.csr_matrix, sparse.csc_matrix):
        X = form(np.random.default_rng(1).normal(size=(24, 3)))
        X.indices[4] = index
        with pytest.raises(ValueError, match=r"indices within the shape \(24, 3\)"):
            learn(key, X, candidates=candidates)


@pytest.mark.parametrize("key", ["stacked", "stacked_multilabel"])
@pytest.mark.parametrize("X", [None, 1.0])
def test_candidates_of_ones_own_get_no_number_as_cases(key, X):
    candidates = problems.CANDIDATES[ALGORITHMS[key].learns_rankings]
    with pytest.raises(ValueError, match="Expected 2D array, got scalar"):
        learn(key, X, candidates=candidates)


@pytest.mark.parametrize("key", KEYS)
def test_a_case_far_beyond_the_training_cases_is_predicted_and_explained(key):
    algorithm, rng = ALGORITHMS[key], np.random.default_rng(1)
    X = StandardScaler().fit_transform(rng.normal(size=(24, 3)))
    rankings = np.argsort(rng.random((24, 4)), axis=1) + 1
    few = problems.few(algorithm)
    Y = rankings if algorithm.learns_rankings else rankings % 2
    model = algorithm.build(**few).fit(X, Y)
    far = np.array([[1e69, -1e69, 0.0]])
    if key == "rank_svm":  # the paper's kernel is a polynomial of degree 8
        with pytest.raises(ValueError, match="values of the kernel 'poly' up to"):
            model.predict(far)
        return
    prediction = model.predict(far)
    assert prediction.shape == (1, 4)
    assert model.explain(far).prediction.tolist() == prediction[0].tolist()


@pytest.mark.parametrize("value", [10**30, 2**31, 1e300, 1e-300])
def test_parameters_of_no_sensible_size_are_refused(value):
    name = "smoothing" if isinstance(value, float) else "n_neighbors"
    with pytest.raises(ValueError, match=rf"Expected {name} of .* in size, got"):
        MLkNNClassifier(**{name: value}).fit([[0.0], [1.0]], [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("Y", "message"),
    [
        ([[1, 2], [1]], "equally many numbers in every row of Y"),
        (np.array([[1, 2j], [2, 1]]), "real numbers in Y, got complex"),
        ([["a", "b"], ["b", "a"]], "numbers in Y, got others"),
        ([[10**400, 1], [1, 2]], "numbers in Y, got others"),
    ],
)
def test_targets_that_are_no_matrix_of_real_numbers(Y, message):
    for fit in (KNeighborsLabelRanker(1).fit, MLkNNClassifier(1).fit):
        with pytest.raises(ValueError, match=message):
            fit([[0.0], [1.0]], Y)
    with pytest.raises(ValueError, match=message):
        check_rankings(Y)


def test_more_pairs_of_labels_than_can_be_kept():
    Y = np.tile(np.arange(3000) + 1, (24, 1))
    for key in ("lrt", "pairwise_svm", "pairwise_forest"):
        with pytest.raises(ValueError, match="got 3000 labels in 24 rows"):
            ALGORITHMS[key].build().fit(np.zeros((24, 1)), Y)
    assert KNeighborsLabelRanker(1).fit(np.zeros((24, 1)), Y).predict([[0.0]]).shape == (1, 3000)
    assert PairwiseForestRanker(3).fit(np.zeros((24, 1)), Y[:, :40]).n_labels_ == 40


def test_numbers_in_files_that_cannot_be_computed_with_are_found_in_their_place():
    rows = [f"{i},{i},{1 + i % 2},{2 - i % 2}" for i in range(6)]
    rows[2] = "2,-1.7e308,1,2"
    content = ("t.csv", "\n".join(["x,y,L1,L2", *rows]).encode())
    with pytest.raises(DatasetError, match=r"Line 4, column 'y': found '-1.7e308', .* 1e\+70"):
        read_dataset(content, target_form="positions")
    data = read_dataset(content, target_form="positions", skip_bad_rows=True)
    assert data.n_samples == 5
    new = ("new.csv", b"x,y\n1,2\n3,9e307\n")
    with pytest.raises(DatasetError, match=r"Line 3, column 'y': expected a number up to 1e\+70"):
        read_cases(new, data.schema)
    tiny = ("t.csv", b"x,L1,L2\n1e-300,1,2\n2e-300,2,1\n0,1,2\n")
    with pytest.raises(DatasetError, match="No feature is larger than 2e-300"):
        read_dataset(tiny, target_form="positions")
