"""Scorers for scikit-learn's searches and folds: every measure by name; sparse label sets."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import label_ranking_loss
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    SharedSubspaceClassifier,
    Task,
    load_sample,
)
from labelrank_core.data.splits import Split
from labelrank_core.evaluation import evaluate_model, scorers
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import METRICS, measures_for
from tests import problems

N_ROWS = 40
SETS = [key for key, each in ALGORITHMS.items() if not each.learns_rankings]


def problem(task):
    rng = np.random.default_rng(7)
    X = problems.features(rng, "continuous", N_ROWS, 3)
    return X, problems.targets(rng, task, N_ROWS, 4)


def test_names_are_those_of_scikit_learn_and_losses_are_negated():
    assert {"kendall_tau", "neg_hamming_loss", "top_1", "macro_f1", "neg_one_error"} < set(scorers)
    assert len(scorers) == len(METRICS)
    X, Y = problem(Task.MULTILABEL)
    model = KNeighborsMultilabelRanker(n_neighbors=3).fit(X, Y)
    wrong = np.mean(model.predict(X) != Y)
    assert scorers["neg_hamming_loss"](model, X, Y) == pytest.approx(-wrong)
    assert pickle.loads(pickle.dumps(scorers["kendall_tau"])) == scorers["kendall_tau"]


@pytest.mark.parametrize(
    ("task", "model"),
    [
        (Task.LABEL_RANKING, KNeighborsLabelRanker(n_neighbors=3)),
        (Task.MULTILABEL, SharedSubspaceClassifier()),
        (Task.CALIBRATED_RANKING, KNeighborsMultilabelRanker(n_neighbors=3)),
    ],
)
def test_every_measure_of_a_task_is_what_the_evaluation_says(task, model):
    samples = {"label_ranking": "iris", "multilabel": "outings"}
    data = load_sample(samples.get(task, "drinks_calibrated"))
    assert data.task is task
    train, test = np.arange(0, data.n_samples, 2), np.arange(1, data.n_samples, 2)
    found = evaluate_model(model, data, Split(train, test, "random", 0, 0.5))
    fitted = make_pipeline(StandardScaler(with_mean=False, with_std=False), model)
    fitted.fit(data.X[train], data.Y[train])
    for measure in measures_for(task):
        (scorer,) = [each for each in scorers.values() if each.key == measure.key]
        if measure.input == "probabilities":
            with pytest.raises(ValueError, match="Expected measures of these predictions"):
                scorer(fitted, data.X[test], data.Y[test])
            continue
        sign = 1 if measure.greater_is_better else -1
        value = scorer(fitted, data.X[test], data.Y[test])
        assert value == pytest.approx(sign * found.totals[measure.key], nan_ok=True)


def test_a_search_and_folds_take_them():
    data = load_sample("iris")
    folds = KFold(5, shuffle=True, random_state=0)
    tau = cross_val_score(
        KNeighborsLabelRanker(), data.X, data.rankings, scoring=scorers["kendall_tau"], cv=folds
    )
    assert (
        tau.tolist()
        == cross_val_score(KNeighborsLabelRanker(), data.X, data.rankings, cv=folds).tolist()
    )
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker())
    search = GridSearchCV(
        model,
        {"kneighborslabelranker__n_neighbors": [1, 5]},
        scoring={name: scorers[name] for name in ("kendall_tau", "neg_position_error")},
        refit="kendall_tau",
        cv=folds,
    ).fit(data.X, data.rankings)
    assert (search.cv_results_["mean_test_neg_position_error"] <= 0).all()
    assert search.score(data.X, data.rankings) > 0.8


def test_a_classifier_of_scikit_learn_is_scored_on_its_label_sets():
    X, Y = problem(Task.MULTILABEL)
    model = KNeighborsClassifier(3).fit(X, Y)
    assert scorers["subset_accuracy"](model, X, Y) == (model.predict(X) == Y).all(axis=1).mean()


def test_probabilities_of_a_classifier_of_scikit_learn_order_its_labels():
    X, Y = problem(Task.MULTILABEL)
    some = Y.any(axis=1) & ~Y.all(axis=1)
    X, Y = X[some], np.column_stack([Y, np.zeros(len(Y), dtype=int)])[some]
    for model in (MultiOutputClassifier(GaussianNB()), OneVsRestClassifier(GaussianNB())):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Label not 4 is present in all training")
            model.fit(X, Y)
        given = model.predict_proba(X)
        if isinstance(given, list):
            # Of a label that no case has, the only column is the probability not to have it.
            assert given[-1].shape[1] == 1
            given = np.column_stack([*(each[:, 1] for each in given[:-1]), np.zeros(len(X))])
        expected = label_ranking_loss(Y, given)
        assert -scorers["neg_ranking_loss"](model, X, Y) == pytest.approx(expected)


def test_what_a_model_does_not_predict_is_refused():
    X, Y = problem(Task.LABEL_RANKING)
    model = KNeighborsLabelRanker(n_neighbors=3).fit(X, Y)
    with pytest.raises(ValueError, match="hamming_loss"):
        scorers["neg_hamming_loss"](model, X, Y)


@pytest.mark.parametrize("key", SETS)
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_label_sets_are_learned_and_scored_like_dense_ones(key, kind):
    X, Y = problem(Task.MULTILABEL)
    algorithm = ALGORITHMS[key]
    dense, from_sparse = (
        algorithm.build(**problems.few(algorithm)).fit(X, targets) for targets in (Y, kind(Y))
    )
    assert np.array_equal(dense.decision_function(X), from_sparse.decision_function(X))
    assert dense.score(X, Y) == from_sparse.score(X, kind(Y))
    scorer = scorers["macro_f1"]
    assert scorer(dense, X, Y) == scorer(from_sparse, X, kind(Y))


def test_a_name_that_is_none_is_answered_with_those_like_it():
    with pytest.raises(KeyError, match="no scorer 'kendall_tau_score'; there is kendall_tau"):
        scorers["kendall_tau_score"]
    with pytest.raises(KeyError, match="there is neg_hamming_loss"):
        scorers["hamming_loss"]


def test_frames_are_scored_by_the_names_of_their_labels():
    X, Y = load_sample("iris").as_frame()
    model = KNeighborsLabelRanker().fit(X, Y)
    score = scorers["kendall_tau"]
    assert score(model, X, Y[Y.columns[::-1]]) == score(model, X, Y) == model.score(X, Y)
