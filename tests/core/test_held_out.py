"""The cases that a number was measured on, in words."""

from itertools import product

import numpy as np
import pytest

from labelrank_core.data import Fold, Split, cross_validation, load_sample
from labelrank_core.data.held_out import HeldOutCases


def test_cases_of_a_split_are_counted_and_named_by_where_it_comes_from():
    parts = np.arange(7), np.arange(7, 10)
    published = HeldOutCases.of_split(Split(*parts, "published", None, 0.3))
    assert published.text == "the 3 test cases of the published split"
    random = HeldOutCases.of_split(Split(*parts, "random", 4, 0.3))
    assert random.text == "3 test cases of 10, one random split"
    assert HeldOutCases("random", 1200, 10).text == "10 random splits of 1,200 cases"


@pytest.mark.parametrize(("n_folds", "n_repeats"), list(product((2, 5), (1, 3))))
def test_folds_name_every_case_once_however_often_they_are_repeated(n_folds, n_repeats):
    folds = cross_validation(load_sample("iris"), n_folds=n_folds, n_repeats=n_repeats)
    times = "" if n_repeats == 1 else f"{n_repeats} × "
    assert HeldOutCases.of_folds(folds).text == f"{times}{n_folds} folds of all 150 cases"


def test_folds_of_one_case_each_say_so_and_one_fold_is_a_split():
    dataset = load_sample("drinks")
    folds = cross_validation(dataset, n_folds=dataset.n_samples)
    expected = f"{dataset.n_samples} cases, each predicted by the others"
    assert HeldOutCases.of_folds(folds).text == expected
    split = Split(np.arange(3), np.arange(3, 5), "published", None, 0.4)
    assert HeldOutCases.of_folds([Fold(0, 0, split)]) == HeldOutCases.of_split(split)


def test_folds_of_training_cases_and_of_several_data_sets_are_told_apart():
    training = HeldOutCases("fold", 285, 5, are_training=True)
    assert training.text == "5 folds of the 285 training cases"
    assert HeldOutCases("fold", None, 5).sentence == "Measured on 5 folds of all cases."
