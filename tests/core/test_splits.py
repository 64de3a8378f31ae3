import numpy as np
import pytest
from scipy.stats import chisquare

from labelrank_core import load_sample
from labelrank_core.data.dataset import Task
from labelrank_core.data.splits import (
    cross_validation,
    delete_labels,
    holdout_split,
    with_fewer_tests,
)
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.methods import ALGORITHMS

SAMPLES = ["iris", "yeast", "drinks"]


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
class TestCrossValidation:
    def test_every_row_is_tested_once_a_repetition(self, name, stratify):
        data = load_sample(name)
        folds = cross_validation(data, n_folds=5, n_repeats=3, seed=7, stratify=stratify)
        assert [(fold.repeat, fold.number) for fold in folds] == [
            (repeat, number) for repeat in range(3) for number in range(5)
        ]
        for repeat in range(3):
            tests = [fold.split.test for fold in folds if fold.repeat == repeat]
            assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(data.n_samples))
        for fold in folds:
            both = np.concatenate([fold.split.train, fold.split.test])
            assert np.array_equal(np.sort(both), np.arange(data.n_samples))

    def test_the_first_repetitions_do_not_depend_on_how_many_follow(self, name, stratify):
        data = load_sample(name)
        few = cross_validation(data, n_folds=4, n_repeats=1, seed=3, stratify=stratify)
        many = cross_validation(data, n_folds=4, n_repeats=2, seed=3, stratify=stratify)
        for one, other in zip(few, many, strict=False):
            assert np.array_equal(one.split.test, other.split.test)
        first, second = many[0].split.test, many[4].split.test
        assert not np.array_equal(first, second)

    def test_sizes_are_even(self, name, stratify):
        data = load_sample(name)
        sizes = [len(f.split.test) for f in cross_validation(data, n_folds=5, stratify=stratify)]
        assert max(sizes) - min(sizes) <= (0.05 * data.n_samples if stratify else 1)


def spread(marks, folds):
    """The largest difference, over labels and folds, of a label's rows from its even share."""
    counts = np.array([marks[fold.split.test].sum(axis=0) for fold in folds])
    return np.abs(counts - marks.sum(axis=0) / len(folds)).max()


@pytest.mark.parametrize("name", ["iris", "yeast"])
def test_stratified_folds_have_their_share_of_every_label(name):
    data = load_sample(name)
    marks = data.rankings == 1 if data.task is Task.LABEL_RANKING else data.relevance == 1
    stratified = spread(marks, cross_validation(data, n_folds=10, stratify=True))
    assert stratified < 0.5 * spread(marks, cross_validation(data, n_folds=10))
    assert stratified <= (1 if name == "iris" else 4)


def test_folds_that_cannot_be_are_refused():
    data = load_sample("drinks")
    with pytest.raises(ValueError, match="folds of"):
        cross_validation(data, n_folds=data.n_samples + 1)
    with pytest.raises(ValueError, match="folds of"):
        cross_validation(data, n_folds=1)
    with pytest.raises(ValueError, match="one repetition"):
        cross_validation(data, n_folds=2, n_repeats=0)


class TestDeleteLabels:
    RANKINGS = np.array([np.random.default_rng(i).permutation(5) + 1 for i in range(4000)])

    def test_every_label_goes_with_the_probability_asked_for(self):
        gone = np.isnan(delete_labels(self.RANKINGS, 0.3, seed=0))
        counts = gone.sum(axis=0)
        assert chisquare(counts, np.full(5, counts.mean())).pvalue > 0.001
        assert gone.mean() == pytest.approx(0.3, abs=0.01)
        # Labels go independently of each other: the rows without any have 0.3^5 of all.
        assert gone.all(axis=1).sum() == pytest.approx(4000 * 0.3**5, abs=12)

    def test_the_order_of_what_is_left_stays_and_counts_from_1(self):
        left = delete_labels(self.RANKINGS, 0.6, seed=1)
        for before, after in zip(self.RANKINGS, left, strict=True):
            kept = ~np.isnan(after)
            assert sorted(after[kept]) == list(range(1, kept.sum() + 1))
            assert np.array_equal(np.argsort(after[kept]), np.argsort(before[kept]))

    def test_nothing_goes_at_0_and_no_other_share_is_taken(self):
        assert np.array_equal(delete_labels(self.RANKINGS, 0, seed=0), self.RANKINGS)
        for share in (1, -0.1, float("nan")):
            with pytest.raises(ValueError, match="probability"):
                delete_labels(self.RANKINGS, share, seed=0)


@pytest.mark.parametrize("key", [a.key for a in ALGORITHMS.values() if a.incomplete])
def test_rows_without_a_label_left_can_be_learned_from(key):
    data = load_sample("iris")
    split = holdout_split(data)
    rankings = delete_labels(data.rankings[split.train], 0.8, seed=0)
    assert np.isnan(rankings).all(axis=1).any()
    model = ALGORITHMS[key].build()
    evaluation = evaluate_model(model, data, split, train_rankings=rankings)
    complete = evaluate_model(model, data, split)
    value, best = (e.frame()["value"].iloc[0] for e in (evaluation, complete))
    assert 0.3 < value < best


def test_label_sets_are_not_learned_from_rankings_with_gaps():
    data = load_sample("yeast")
    split = holdout_split(data)
    with pytest.raises(ValueError, match="label ranker"):
        evaluate_model(
            ALGORITHMS["mlr"].build(), data, split, train_rankings=data.relevance[split.train]
        )


def test_fewer_test_rows_are_some_of_them_and_the_training_rows_stay():
    split = holdout_split(load_sample("iris"), kind="random", test_share=0.4, seed=3)
    fewer = with_fewer_tests(split, 7, seed=1)
    assert len(fewer.test) == 7
    assert set(fewer.test) < set(split.test)
    assert (np.diff(fewer.test) > 0).all()
    np.testing.assert_array_equal(fewer.train, split.train)
    assert with_fewer_tests(split, 60) is split
    np.testing.assert_array_equal(with_fewer_tests(split, 7, seed=1).test, fewer.test)
