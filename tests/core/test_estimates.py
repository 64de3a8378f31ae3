"""Estimates of the seconds that methods take: what they depend on."""

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ModelChoice, Size

POLYNOMIAL = {"kernel": "poly", "degree": 3}
HINGE = {"kernel": "linear", "loss": "hinge"}


def size_of(sample):
    """The size of a sample's usual split."""
    dataset = load_sample(sample)
    split = holdout_split(dataset)
    return Size.of(dataset, len(split.train), len(split.test))


@pytest.mark.parametrize(("key", "params"), [("crpc", POLYNOMIAL), ("br", POLYNOMIAL)])
def test_large_features_that_are_not_scaled_take_a_kernel_machine_long(key, params):
    # Training took 26 s of which 0.07 s were estimated.
    dataset = load_sample("diabetes")
    size = Size.of(dataset, 274, 118)
    scaled, raw = (
        ModelChoice(key, tuple(params.items()), scaled).seconds(size) for scaled in (True, False)
    )
    assert scaled < 0.5
    assert raw > 5.0


def test_the_scale_of_features_matters_to_no_estimate_of_similarities_that_fade():
    size = Size.of(load_sample("diabetes"), 274, 118)
    seconds = [ModelChoice("crpc", (("kernel", "rbf"),), flag).seconds(size) for flag in (0, 1)]
    assert seconds[0] == seconds[1]


@pytest.mark.parametrize("key", ["crpc", "br"])
def test_a_linear_machine_with_the_hinge_loss_takes_longer_on_large_features(key):
    small, large = Size(200, 50, 5, 4), Size(200, 50, 5, 4, mean_square=1e4)
    choice = ModelChoice(key, tuple(HINGE.items()), scaled=False)
    assert choice.seconds(large) > 10 * choice.seconds(small)


@pytest.mark.parametrize(
    ("sample", "key", "params", "C", "seconds"),
    [
        ("diabetes", "crpc", POLYNOMIAL, 1000.0, 9.0),
        ("diabetes", "crpc", HINGE, 1000.0, 3.8),
        ("vehicle", "pairwise_svm", HINGE, 1000.0, 1.7),
        ("yeast", "br", HINGE, 100.0, 99.0),
        ("yeast", "br", {"kernel": "linear", "loss": "squared_hinge"}, 100.0, 1.5),
    ],
)
def test_little_penalty_takes_a_machine_long(sample, key, params, C, seconds):
    # What it took on one thread; without C a hundredth was estimated.
    size = size_of(sample)
    much, little = (
        ModelChoice(key, (("C", value), *params.items())).seconds(size) for value in (1e-3, C)
    )
    assert little > seconds / 3
    assert much < seconds / 4


def test_more_dimensions_than_cases_leave_little_to_a_machine_whatever_the_penalty():
    # Both took 0.6 s.
    choice = ModelChoice("br", tuple(POLYNOMIAL.items()))
    for C in (1.0, 1000.0):
        assert choice.with_params(C=C).seconds(size_of("yeast")) < 2.0


def test_similarities_of_sparse_cases_are_those_of_cases_of_length_1():
    size = Size(1_000, 100, 20_000, 10, n_nonzero=80.0)
    (once, often) = (
        ModelChoice("br", (("C", C), *HINGE.items())).seconds(size) for C in (0.01, 1.0)
    )
    assert often < 2 * once


@pytest.mark.parametrize(("metric", "least"), [("manhattan", 3), ("canberra", 5), ("hamming", 15)])
def test_distances_that_are_no_products_of_matrices_take_long(metric, least):
    size = Size(3_000, 3_000, 100, 4)
    plain, other = (
        ModelChoice("knn", (("metric", name),)).seconds(size) for name in ("euclidean", metric)
    )
    assert other > least * plain


@pytest.mark.parametrize(
    ("params", "seconds"),
    [
        ({"kernel": "linear"}, 0.04),
        ({"kernel": "poly", "degree": 2}, 0.42),
        ({"kernel": "poly"}, 2.8),
        ({"kernel": "poly", "C": 100.0}, 6.8),
        ({"kernel": "rbf", "C": 1000.0}, 9.0),
    ],
)
def test_rank_svm_takes_as_many_seconds_as_its_kernel_has_dimensions_for(params, seconds):
    # On one thread. Large weights only are an interior-point method's hard work.
    estimate = ModelChoice("rank_svm", tuple(params.items())).seconds(size_of("diabetes"))
    assert seconds / 3 < estimate < max(3 * seconds, 0.5)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_mean_square_of_features_counts_every_value(form):
    dataset = Dataset(
        X=form([[1.0, 0.0], [0.0, 3.0]]),
        Y=np.array([[0, 1], [1, 0]]),
        task=Task.MULTILABEL,
        feature_names=["x", "y"],
        label_names=["a", "b"],
        name="small",
    )
    assert dataset.mean_square == (1 + 9) / 4
