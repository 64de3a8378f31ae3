"""Every iterative method of the catalog converges by default, or says that it has not."""

import numpy as np
import pytest
from scipy import special
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from labelrank_core import ClassifierChainsClassifier, OneVsRestSVMClassifier, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.evaluate import train_recorded
from labelrank_core.methods import ALGORITHMS, ModelChoice, machines
from labelrank_core.methods.convergence import collect_messages, warn_not_converged
from labelrank_core.methods.ensemble import _label_members
from labelrank_core.methods.label_sets import chains as probabilistic_chains
from labelrank_core.methods.linear import _linear_scores, classifier_chains
from labelrank_core.methods.pairwise import comparison
from labelrank_core.methods.probabilistic import _centres, _strengths
from labelrank_core.rankings import dense_positions

# How each method is stopped early: by a parameter, or by a limit of its own.
EARLY = {
    "rank_svm": {"max_iter": 1},
    "svm_perf": {"max_iter": 1},
    "aso_svm": {"max_iter": 1},
    "ll": {"max_iter": 1},
    "br": (machines, "_MOST_PASSES"),
    "crpc": (machines, "_MOST_PASSES"),
    "ovr_svm": (machines, "_MOST_PASSES"),
    "cca_svm": (machines, "_MOST_PASSES"),
    "pairwise_svm": (machines, "_MOST_PASSES"),
    "chains": (classifier_chains, "_MOST_STEPS"),
    "rpc": (comparison, "_MOST_STEPS"),
    "probabilistic_chains": (probabilistic_chains, "_MOST_STEPS"),
    "ib_m": (_centres, "_MOST_ROUNDS"),
    "ib_pl": (_strengths, "_MOST_STEPS"),
}
# Counted, solved, grown or boosted; with a stated number of passes (cc); or made of the others.
DIRECT = {
    *("knn", "mlr", "mlknn", "mlls", "cca_ridge", "kernel_pairwise", "cc"),
    *("adaboost_mh", "adt_boost_mh", "stacked", "stacked_multilabel", "pairwise_forest"),
    *("gradient_boosting", "set_forest", "powerset", "rakel"),
    *("forest", "lrt", "lrt_bag", "w_lrt_bag", "f_lrt_bag", "lr_boost", "lrf_rt", "lrf_ert"),
}
by_method = pytest.mark.parametrize("key", EARLY)


def sample_of(key):
    if key == "ib_m":
        return load_sample("vehicle")
    return load_sample("songs" if ALGORITHMS[key].learns(load_sample("songs")) else "iris")


def targets_of(key, data):
    """Return what a method learns; of IB-M partial rankings, as complete ones need no rounds."""
    targets = ALGORITHMS[key].targets(data)
    if key != "ib_m":
        return targets
    is_missing = np.random.default_rng(0).random(targets.shape) < 0.3
    return dense_positions(np.where(is_missing, np.nan, targets))


def test_every_method_is_listed():
    assert set(EARLY) | DIRECT == set(ALGORITHMS)
    assert not set(EARLY) & DIRECT


@by_method
def test_stopped_early_it_warns_and_says_what_to_change(key, monkeypatch):
    data, early = sample_of(key), EARLY[key]
    model = ALGORITHMS[key].build(**(early if isinstance(early, dict) else {}))
    if isinstance(early, tuple):
        monkeypatch.setattr(*early, 1)
    with pytest.warns(ConvergenceWarning, match=r"Raise|Scale|smaller"):
        model.fit(data.X, targets_of(key, data)).predict(data.X)


@by_method
def test_it_converges_by_default(key):
    # Every warning is an error.
    data = sample_of(key)
    split = holdout_split(data)
    model, _, messages = train_recorded(
        ModelChoice(key, {}).build(is_sparse=False), data, split.train
    )
    model.predict(data.X[split.test])
    assert messages == ()


@pytest.mark.parametrize("key", ["ovr_svm", "stacked_multilabel"])
def test_fits_of_probabilities_that_stop_are_named_in_one_warning(key, monkeypatch):
    # scikit-learn's message is about a solver that no user has chosen.
    def stopped(**params):
        return LogisticRegression(**{**params, "max_iter": 1})

    songs = load_sample("songs")
    X, Y = songs.X, songs.relevance
    if key == "ovr_svm":
        monkeypatch.setattr(_linear_scores, "LogisticRegression", stopped)
        with pytest.warns(ConvergenceWarning) as caught:
            OneVsRestSVMClassifier().fit(X, Y).predict_confidence(X)
    else:
        monkeypatch.setattr(_label_members, "LogisticRegression", stopped)
        with pytest.warns(ConvergenceWarning) as caught:
            _label_members.MarginProbabilities().fit(X, Y)
    assert [str(warning.message) for warning in caught] == [
        f"{Y.shape[1]} fits of probabilities to the margins of a label stopped before "
        "convergence. Scale the features."
    ]


def test_messages_are_collected_once_each_and_only_inside():
    def warn(*messages):
        for message in messages:
            warn_not_converged(message)

    with collect_messages() as outer:
        with collect_messages() as inner, pytest.warns(ConvergenceWarning, match="b"):
            warn("b")
        with pytest.warns(ConvergenceWarning, match="a"):
            warn("a", "a")
    with pytest.warns(ConvergenceWarning, match="c"):
        warn("c")
    assert (outer, inner) == (["a"], ["b"])


def test_probabilities_of_chains_have_the_least_loss():
    """The gradient of a chain's penalised loss is 0 at its weights, and its probabilities."""
    data = load_sample("songs")
    X, Y = data.X / np.abs(data.X).max(axis=0), data.relevance
    model = ClassifierChainsClassifier(2).fit(X, Y)
    for chain in model._chains:
        for place, label in enumerate(chain.order):
            before = chain.order[:place]
            design = np.column_stack([X, Y[:, before], np.ones(len(X))])
            start = np.concatenate(
                [chain.weights[:, label], chain.links[before, label], [chain.intercept[label]]]
            )
            # Newton's method from there, to the end: it changes no probability by 1e-6.
            best = start.copy()
            penalty = np.append(np.ones(len(start) - 1), 0.0)
            for _ in range(20):
                shares = special.expit(design @ best)
                slope = design.T @ (shares - Y[:, label]) + penalty * best
                bend = (design.T * (shares * (1 - shares))) @ design + np.diag(penalty)
                best -= np.linalg.solve(bend, slope)
            assert np.abs(slope).max() < 1e-10
            moved = special.expit(design @ start) - special.expit(design @ best)
            assert np.abs(moved).max() < 1e-6
