"""Stratified folds for scikit-learn: shares of labels, errors, and use in its tools."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    LabelSetStratifiedKFold,
    MLkNNClassifier,
    RankingStratifiedKFold,
    load_sample,
    scorers_for,
)
from labelrank_core.data import Dataset, Task, cross_validation

NAN = float("nan")


def folds_of(splitter, Y):
    return [test.tolist() for _, test in splitter.split(np.zeros((len(Y), 1)), Y)]


@pytest.mark.parametrize("shuffle", [False, True])
def test_folds_get_their_share_of_the_labels_ranked_first(shuffle):
    rng = np.random.default_rng(0)
    first = np.repeat([0, 1, 2], [60, 25, 10])
    Y = np.array([[1 if j == label else NAN for j in range(3)] for label in first])
    Y = Y[rng.permutation(len(Y))]
    splitter = RankingStratifiedKFold(5, shuffle=shuffle, random_state=1 if shuffle else None)
    folds = folds_of(splitter, Y)
    assert sorted(row for fold in folds for row in fold) == list(range(95))
    # 60, 25 and 10 rows in five folds.
    assert [np.nansum(Y[fold] == 1, axis=0).tolist() for fold in folds] == [[12, 5, 2]] * 5


def test_folds_get_their_share_of_the_relevant_labels():
    # Sechidis et al.: of each label, a fifth of its rows; here no label set occurs in five rows.
    rng = np.random.default_rng(3)
    Y = (rng.random((100, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(int)
    folds = folds_of(LabelSetStratifiedKFold(5), Y)
    counts = np.array([Y[fold].sum(axis=0) for fold in folds])
    rarest = np.argsort(Y.sum(axis=0))[0]
    assert np.ptp(counts[:, rarest]) <= 1
    plain = np.array([Y[fold::5].sum(axis=0) for fold in range(5)])
    assert np.ptp(counts, axis=0).sum() < np.ptp(plain, axis=0).sum()


def test_calibrated_rankings_are_stratified_by_their_relevant_labels():
    sets = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0]])
    calibrated = np.array([[1, 3, 2], [1, 3, 2], [3, 1, 2], [3, 1, 2], [1, 2, 3], [2, 3, 1]])
    splitter = LabelSetStratifiedKFold(2)
    assert folds_of(splitter, calibrated) == folds_of(splitter, sets)


def test_ties_count_for_all_first_labels_and_empty_rows_fill_up():
    Y = np.array([[1, 1, 2], [1, 1, 2], [NAN] * 3, [NAN] * 3])
    assert [len(fold) for fold in folds_of(RankingStratifiedKFold(2), Y)] == [2, 2]
    data = Dataset(np.zeros((4, 1)), Y, Task.LABEL_RANKING, ["x"], list("abc"), "t")
    assert len(cross_validation(data, n_folds=2, stratify=True)) == 2


@pytest.mark.parametrize("form", ["frame", "words"])
def test_named_targets_give_the_folds_of_arrays(form):
    data = load_sample("iris")
    Y = data.as_frame()[1] if form == "frame" else data.targets_in_words()
    splitter = RankingStratifiedKFold(3, shuffle=True, random_state=0)
    assert folds_of(splitter, Y) == folds_of(splitter, data.rankings)


def test_a_seed_repeats_the_folds():
    Y = load_sample("iris").rankings
    folds = [
        folds_of(RankingStratifiedKFold(3, shuffle=True, random_state=s), Y) for s in (0, 0, 1)
    ]
    assert folds[0] == folds[1] != folds[2]


def test_scikit_learn_uses_them():
    X, Y = load_sample("iris").as_frame()
    folds = RankingStratifiedKFold(3)
    assert folds.get_n_splits(X, Y) == 3
    model = KNeighborsLabelRanker()
    assert (cross_val_score(model, X, Y, cv=folds) > 0.5).all()
    results = cross_validate(model, X, Y, cv=folds, scoring=scorers_for(Task.LABEL_RANKING))
    assert (results["test_kendall_tau"] > 0.5).all()
    search = GridSearchCV(clone(model), {"n_neighbors": [1, 5]}, cv=folds).fit(X, Y)
    assert search.predict(X).columns.tolist() == Y.columns.tolist()
    sets = (Y <= 2).astype(int)
    model = KNeighborsMultilabelRanker()
    results = cross_validate(
        model, X, sets, cv=LabelSetStratifiedKFold(3), scoring=scorers_for("multilabel")
    )
    assert len(results["test_neg_hamming_loss"]) == 3
    assert not any(np.isnan(values).all() for values in results.values())
    model = MLkNNClassifier()
    scoring = scorers_for("multilabel", probabilities=True)
    results = cross_validate(model, X, sets, cv=LabelSetStratifiedKFold(3), scoring=scoring)
    assert (results["test_neg_log_loss"] < 0).all()


def test_no_other_measures_are_scored_on_a_task():
    assert "neg_hamming_loss" not in scorers_for("label_ranking")
    assert "kendall_tau" not in scorers_for("multilabel")
    assert {"neg_hamming_loss", "kendall_tau"} <= set(scorers_for(Task.CALIBRATED_RANKING))


@pytest.mark.parametrize("splitter", [RankingStratifiedKFold, LabelSetStratifiedKFold])
def test_what_cannot_be_divided_is_refused(splitter):
    with pytest.raises(ValueError, match="n_splits of 2 or more, got 1"):
        splitter(1)
    with pytest.raises(ValueError, match="shuffle=True with a random_state"):
        splitter(2, random_state=0)
    with pytest.raises(ValueError, match="Expected the targets as y"):
        list(splitter(2).split(np.zeros((4, 1))))
    with pytest.raises(ValueError, match="Expected 5 rows or more, got 3"):
        list(splitter(5).split(np.zeros((3, 1)), pd.DataFrame(np.eye(3) + 1, columns=list("abc"))))
