"""Estimates of the seconds that methods take: what they depend on."""

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.methods import ModelChoice, Size

POLYNOMIAL = {"kernel": "poly", "degree": 3}
HINGE = {"kernel": "linear", "loss": "hinge"}


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
