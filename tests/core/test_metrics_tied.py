"""Measures in which a tie is an answer: by hand, and by enumeration of all bucket orders."""

from fractions import Fraction

import numpy as np
import pytest

from labelrank_core import metrics
from labelrank_core.metrics import _common
from tests import oracles
from tests.core.test_metrics_ranking import random_positions
from tests.looped import seeds

NAN = float("nan")
NAMES = ["tau_x_score", "kemeny_distance", "kendall_p_distance", "footrule_p_distance"]
HALF = Fraction(1, 2)
ORACLES = {
    "tau_x_score": oracles.tau_x,
    "kemeny_distance": lambda *pair: 2 * oracles.kendall_with_ties(*pair, HALF),
    "kendall_p_distance": lambda *pair: oracles.kendall_with_ties(*pair, HALF),
    "footrule_p_distance": lambda *pair: oracles.footrule_with_ties(*pair, HALF),
}


def cases(name, truth, prediction, **options):
    return getattr(metrics, name)(truth, prediction, average=None, **options)


def expected(name, truth, prediction):
    pairs = map(oracles.compared_with_ties, truth.tolist(), prediction.tolist())
    return [NAN if pair is None else float(ORACLES[name](*pair)) for pair in pairs]


def all_pairs(n_labels):
    orders = np.array(oracles.bucket_orders(n_labels))
    first, second = np.indices((len(orders), len(orders)))
    return orders[first.ravel()], orders[second.ravel()]


# Truth a > b = c > d, prediction a = b > d > c. Of the six pairs, ac and ad agree; ab and bc are
# tied in only one; bd agrees; cd is reversed. Places 1 2.5 2.5 4 against 1.5 1.5 4 3.
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tau_x_score", (3 - 1) / 6),
        ("kemeny_distance", 2 + 1 + 1),
        ("kendall_p_distance", 1 + 1 / 2 + 1 / 2),
        ("footrule_p_distance", 0.5 + 1 + 1.5 + 1),
    ],
)
def test_worked_by_hand(name, value):
    assert getattr(metrics, name)([[1, 2, 2, 3]], [[1, 1, 3, 2]]) == pytest.approx(value)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_equal_to_the_definition_for_all_pairs_of_bucket_orders(name, n_labels):
    truth, prediction = all_pairs(n_labels)
    assert cases(name, truth, prediction) == pytest.approx(expected(name, truth, prediction))


@seeds(10)
@pytest.mark.parametrize("name", NAMES)
def test_equal_to_the_definition_for_partial_truths(name, seed):
    rng = np.random.default_rng(seed)
    truth = random_positions(rng, 40, 6, partial=True, tied=True)
    prediction = random_positions(rng, 40, 6, tied=True)
    values = cases(name, truth, prediction)
    assert values == pytest.approx(expected(name, truth, prediction), nan_ok=True)
    assert np.isnan(values).tolist() == ((~np.isnan(truth)).sum(axis=1) < 2).tolist()


@pytest.mark.parametrize("p", [0, 0.3, 0.5, 1])
def test_the_penalty_and_the_place_of_a_bucket_are_those_of_p(p):
    truth, prediction = all_pairs(4)
    pairs = list(zip(truth.tolist(), prediction.tolist(), strict=True))
    kendall = [oracles.kendall_with_ties(*pair, p) for pair in pairs]
    footrule = [oracles.footrule_with_ties(*pair, p) for pair in pairs]
    assert cases("kendall_p_distance", truth, prediction, p=p) == pytest.approx(kendall)
    assert cases("footrule_p_distance", truth, prediction, p=p) == pytest.approx(footrule)


def test_the_ends_of_the_ranges_are_reached_by_all_bucket_orders_of_five_labels():
    truth, prediction = all_pairs(5)
    assert len(truth) == 541**2
    ranges = {"tau_x_score": (-1, 1), "kemeny_distance": (0, 20), "kendall_p_distance": (0, 10)}
    for name, (low, high) in (ranges | {"footrule_p_distance": (0, 12)}).items():
        values = cases(name, truth, prediction)
        assert (values.min(), values.max()) == (low, high)
    same = (truth == prediction).all(axis=1)
    assert np.array_equal(cases("tau_x_score", truth, prediction) == 1, same)
    # Theorem 5 of Fagin et al.
    kendall = cases("kendall_p_distance", truth, prediction)
    footrule = cases("footrule_p_distance", truth, prediction)
    assert (kendall <= footrule).all()
    assert (footrule <= 2 * kendall).all()


@pytest.mark.parametrize(("p", "is_metric"), [(0.4, False), (0.5, True), (1, True)])
def test_the_triangle_inequality_holds_from_one_half_on(p, is_metric):
    truth, prediction = all_pairs(3)
    n = len(oracles.bucket_orders(3))
    d = cases("kendall_p_distance", truth, prediction, p=p).reshape(n, n)
    assert (d[:, :, None] <= d[:, None, :] + d.T[None, :, :] + 1e-12).all() == is_metric


@seeds(5)
def test_without_ties_they_are_the_measures_of_strict_rankings(seed):
    rng = np.random.default_rng(seed)
    truth, prediction = random_positions(rng, 30, 6, partial=True), random_positions(rng, 30, 6)
    for tied, strict, factor in [
        ("tau_x_score", "kendall_tau_score", 1),
        ("kemeny_distance", "kendall_distance", 2),
        ("kendall_p_distance", "kendall_distance", 1),
        ("footrule_p_distance", "footrule_distance", 1),
    ]:
        values = factor * cases(strict, truth, prediction)
        assert cases(tied, truth, prediction) == pytest.approx(values, nan_ok=True)


# The values in scikit-lr 0.3: the example of `sklr.metrics.tau_x_score`, and its tests of ties.
@pytest.mark.parametrize(
    ("truth", "prediction", "value"),
    [
        ([[1, 1, 2], [1, 2, 3]], [[1, 1, 2], [1, 1, 1]], 0.5),
        ([[1, 1, 1]], [[1, 1, 1]], 1),
        ([[1, 1, 1]], [[3, 1, 2]], 0),
        ([[1, 1, 2]], [[1, 2, 3]], 2 / 3),
        ([[1, 1, 2]], [[2, 2, 1]], -1 / 3),
    ],
)
def test_tau_x_is_that_of_scikit_lr(truth, prediction, value):
    assert metrics.tau_x_score(truth, prediction) == pytest.approx(value)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_order_counts_and_blocks_of_rows_change_nothing(name, monkeypatch):
    rng = np.random.default_rng(0)
    truth = random_positions(rng, 50, 5, partial=True, tied=True)
    prediction = random_positions(rng, 50, 5, tied=True)
    whole = cases(name, truth, prediction)
    monkeypatch.setattr(_common, "CHUNK_CELLS", 15)
    assert np.array_equal(cases(name, truth * 7.5, prediction - 3), whole, equal_nan=True)
    assert getattr(metrics, name)(truth, prediction) == pytest.approx(np.nanmean(whole))


@pytest.mark.parametrize("name", NAMES[2:])
@pytest.mark.parametrize("p", [-0.1, 1.1, NAN])
def test_p_is_a_share(name, p):
    with pytest.raises(ValueError, match="Expected p between 0 and 1, got"):
        getattr(metrics, name)([[1, 2]], [[1, 2]], p=p)


@pytest.mark.parametrize("name", NAMES)
def test_predictions_must_be_complete(name):
    with pytest.raises(ValueError, match="Expected a prediction for every label"):
        getattr(metrics, name)([[1, 2]], [[1, NAN]])


@pytest.mark.parametrize("name", NAMES)
def test_no_case_has_no_mean(name):
    assert np.isnan(getattr(metrics, name)([[1, NAN]], [[1, 2]]))
