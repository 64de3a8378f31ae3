"""What label sets with a promise keep on test cases."""

import numpy as np
import pytest

from labelrank_core.evaluation.guarantees.label_sets import PRECISION, RECALL
from labelrank_core.evaluation.guarantees.realised_sets import RealisedSets

FOUND = RealisedSets(
    np.array([[0.9, 0.6, 0.2], [0.4, 0.3, 0.1], [0.8, 0.7, 0.6]]),
    np.array([[True, False, True], [False, True, False], [True, True, False]]),
)


@pytest.mark.parametrize(
    ("risk", "shares"), [(RECALL, [1 / 2, 0.0, 1.0]), (PRECISION, [1 / 2, 1.0, 2 / 3])]
)
def test_recall_counts_relevant_labels_and_precision_those_that_are_taken(risk, shares):
    share, size = FOUND.at(0.5, risk)
    np.testing.assert_allclose(share, shares)
    assert size.tolist() == [2, 0, 3]
    groups = FOUND.groups(
        0.5, risk, [("outer", np.array([True, False, True])), ("none", np.zeros(3, bool))]
    )
    (row,) = groups.to_dict("records")
    assert row == {
        "group": "outer",
        "cases": 2,
        "realised": pytest.approx((shares[0] + shares[2]) / 2),
        "size": 2.5,
    }


def test_the_least_probable_relevant_label_is_so_far_below_one():
    np.testing.assert_allclose(FOUND.lowest, [0.8, 0.7, 0.3])


def test_of_two_relevant_labels_one_is_missed_and_of_two_taken_one_is_wrong():
    truth = np.array([[True, False, True], [False, True, False]])
    found = RealisedSets(np.array([[0.9, 0.1, 0.6], [0.9, 1, 0.3]]), truth)
    assert found.lowest.tolist() == pytest.approx([0.4, 0.0])
    share, size = found.at(0.8, RECALL)
    assert (share.tolist(), size.tolist()) == ([0.5, 1.0], [1, 2])
    assert found.at(0.8, PRECISION)[0].tolist() == [1.0, 0.5]
