"""Ties broken at random: every order as likely, nothing else changed, alike in any batch."""

import pickle
from itertools import permutations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, LabelRankingForest
from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.evaluation.evaluate import train_model
from labelrank_core.methods.random_ties import RandomTies
from tests import problems

ORDERS = list(permutations([1, 2, 3]))


def models(seed):
    """The methods that can break ties at random, each with a seed; None: by index."""
    return [
        *(
            KNeighborsLabelRanker(6, aggregation=rule, weights=weights, random_state=seed)
            for rule in CONSENSUS_RULES
            for weights in ("uniform", "distance")
        ),
        *(
            KNeighborsMultilabelRanker(6, tie_breaking=ties, random_state=seed)
            for ties in ("wider", "label_index")
        ),
        *(
            LabelRankingForest(3, voting=voting, random_state=5, random_ties=seed is not None)
            for voting in ("scores", "rankings")
        ),
    ]


MODELS = range(len(models(0)))


def is_forest(index):
    return isinstance(models(0)[index], LabelRankingForest)


def fitted(index, seed, X, rng):
    model = models(seed)[index]
    sets = hasattr(model, "predict_ranking")
    Y = (problems.relevance if sets else problems.positions)(rng, len(X), 4)
    return model.fit(X, Y)


def ranked(model, X):
    return model.point(X).positions


def counts_of_orders(positions):
    rankings = [tuple(row) for row in positions.tolist()]
    return [rankings.count(order) for order in ORDERS]


# 100 of each order are expected, with a standard deviation of 9.1.
LEAST, MOST = 55, 145


@pytest.mark.parametrize("index", [i for i in MODELS if not is_forest(i)])
def test_every_order_of_tied_labels_is_as_likely(index):
    X, model = np.zeros((6, 1)), models(1)[index]
    Y = np.zeros((6, 3)) if hasattr(model, "predict_ranking") else np.array(ORDERS)
    model.fit(X, Y)
    # Each case has a draw of its own.
    counts = counts_of_orders(ranked(model, np.arange(600.0)[:, None] * 1e-9))
    assert min(counts) > LEAST
    assert max(counts) < MOST


@pytest.mark.parametrize("voting", ["scores", "rankings"])
def test_a_forest_draws_the_order_of_tied_labels_by_its_seed(voting):
    X, Y = np.zeros((6, 1)), np.ones((6, 3))
    drawn = [
        LabelRankingForest(1, voting=voting, random_state=seed, random_ties=True)
        .fit(X, Y)
        .predict(X[:1])[0]
        for seed in range(600)
    ]
    counts = counts_of_orders(np.array(drawn, dtype=int))
    assert min(counts) > LEAST
    assert max(counts) < MOST


@pytest.mark.parametrize("index", MODELS)
def test_a_case_is_predicted_alike_in_any_batch(index):
    rng = np.random.default_rng(0)
    X = problems.features(rng, "integer", 12, 2)
    model = fitted(index, 5, X, rng)
    cases = np.vstack([X, rng.normal(size=(8, 2))])
    together, order = ranked(model, cases), rng.permutation(20)
    assert ranked(model, cases[order]).tolist() == together[order].tolist()
    alone = [ranked(model, cases[i : i + 1])[0].tolist() for i in range(20)]
    assert alone == together.tolist()
    assert ranked(model, sparse.csr_matrix(cases)).tolist() == together.tolist()
    again = pickle.loads(pickle.dumps(model))
    assert ranked(again, cases).tolist() == together.tolist()
    assert clone(model).get_params() == model.get_params()
    if not hasattr(model, "predict_ranking"):
        assert model.predict(cases).tolist() == together.tolist()


@pytest.mark.parametrize("index", MODELS)
def test_scores_stay_and_no_order_contradicts_them(index):
    rng = np.random.default_rng(1)
    X = problems.features(rng, "integer", 12, 2)
    drawn = fitted(index, 5, X, np.random.default_rng(2)).point(X)
    listed = fitted(index, None, X, np.random.default_rng(2)).point(X)
    if isinstance(models(0)[index], KNeighborsLabelRanker) and drawn.rule.chooses_orders:
        return
    if getattr(drawn, "setting", None) is not None and drawn.setting.voting == "rankings":
        return
    assert np.array_equal(drawn.scores, listed.scores)
    for scores, positions in zip(drawn.scores, drawn.positions, strict=True):
        assert (np.diff(scores[np.argsort(positions)]) <= 0).all()


@pytest.mark.parametrize("rule", ["footrule", "kemeny", "majority"])
def test_a_drawn_order_is_as_good_as_the_listed_one(rule):
    rng = np.random.default_rng(3)
    X, Y = problems.features(rng, "integer", 30, 2), problems.positions(rng, 30, 4)
    points = [
        KNeighborsLabelRanker(2, aggregation=rule, random_state=seed).fit(X, Y).point(X)
        for seed in (None, 7)
    ]
    assert np.allclose(points[0].confidence, points[1].confidence)
    assert (points[0].positions != points[1].positions).any()


@pytest.mark.parametrize("rule", CONSENSUS_RULES)
def test_a_path_equals_a_fresh_fit_and_the_explanation_the_prediction(rule):
    rng = np.random.default_rng(4)
    X, Y = problems.features(rng, "integer", 30, 2), problems.positions(rng, 30, 4)
    path = KNeighborsLabelRanker(5, aggregation=rule, random_state=7).fit(X, Y).path(X)
    for k in (2, 5):
        model = KNeighborsLabelRanker(k, aggregation=rule, random_state=7).fit(X, Y)
        expected = model.predict(X)
        assert path.at(n_neighbors=k).positions.tolist() == expected.tolist()
        for case in range(5):
            assert model.explain(X[case]).positions.tolist() == expected[case].tolist()


@pytest.mark.parametrize("index", MODELS)
def test_explanations_say_that_ties_are_drawn(index):
    model = models(3)[index]
    Y = np.eye(3) * 0 if hasattr(model, "predict_ranking") else np.array(ORDERS)
    X = np.zeros((len(Y), 1))
    if hasattr(model, "predict_ranking"):
        model.set_params(n_neighbors=3)
    found = str(model.fit(X, Y).explain(np.zeros(1)).as_dict(list("abc")))
    assert "list of labels" not in found


def test_without_a_seed_experiments_break_ties_by_index():
    dataset = problems.sparse_label_sets(20)
    assert (
        train_model(KNeighborsMultilabelRanker(3, n_virtual_labels=32), dataset, np.arange(20))[
            0
        ].random_state
        is None
    )


def test_orders_depend_on_the_seed():
    X = np.ones((1, 2))
    orders = {tuple(RandomTies.draw(seed, X, 5).label_keys[0]) for seed in range(30)}
    assert len(orders) > 20
