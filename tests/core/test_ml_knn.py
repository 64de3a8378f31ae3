"""ML-kNN against Fig. 1 of its paper in exact fractions, its path, ties and explanations."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import MLkNNClassifier
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import (
    Confidence,
    CountEvidence,
    LabelScores,
    LeaveOneOutSets,
    Neighbors,
)
from labelrank_core.methods import ALGORITHMS
from labelrank_core.methods.nearest.search import NeighborSearch
from labelrank_core.rankings import calibrate
from tests import oracles
from tests.looped import seeds

LEFT_RIGHT = ([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], [[1, 0]] * 3 + [[0, 1]] * 3)


def random_problem(seed):
    """Whole-number features with duplicates and constants; labels that none or all may have."""
    rng = np.random.default_rng(seed)
    n, d, m = rng.integers(1, 13), rng.integers(1, 4), rng.integers(2, 5)
    X = rng.integers(0, rng.integers(1, 5), size=(n, d))
    Y = (rng.random((n, m)) < rng.choice([0.0, 0.3, 0.6, 1.0], size=m)).astype(int)
    queries = rng.integers(0, 5, size=(3, d))
    k = int(rng.integers(1, n + 1))
    s = [1.0, 0.5, 0.1, 3.0, 1e-6][rng.integers(5)]
    return X, Y, queries, k, s


def fitted(seed, n=60, d=3, m=4, **params):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, d)).astype(float)
    Y = (rng.random((n, m)) < 0.4).astype(int)
    return MLkNNClassifier(**params).fit(X, Y), X, Y


@seeds(150)
def test_posteriors_are_those_of_fig_1(seed):
    X, Y, queries, k, s = random_problem(seed)
    model = MLkNNClassifier(k, smoothing=s).fit(X, Y)
    got, lead, predicted = (
        method(queries) for method in (model.predict_proba, model.decision_function, model.predict)
    )
    for case, query in enumerate(queries.tolist()):
        exact = oracles.ml_knn(X.tolist(), Y.tolist(), query, k, Fraction(s))
        assert got[case].tolist() == [float(value) for value in exact]
        assert lead[case].tolist() == [float(value - Fraction(1, 2)) for value in exact]
        assert predicted[case].tolist() == [value > Fraction(1, 2) for value in exact]


@seeds(30)
def test_a_label_with_its_own_k_is_decided_by_as_many_neighbours(seed):
    X, Y, queries, k, s = random_problem(seed)
    model = MLkNNClassifier(k, smoothing=s, label_neighbors="own").fit(X, Y)
    sizes = oracles.ml_knn_own_neighbors(X.tolist(), Y.tolist(), k, Fraction(s))
    assert model.label_neighbors_.tolist() == sizes
    got, predicted = model.predict_proba(queries), model.predict(queries)
    for case, query in enumerate(queries.tolist()):
        by_k = {
            size: oracles.ml_knn(X.tolist(), Y.tolist(), query, size, Fraction(s))
            for size in set(sizes)
        }
        exact = [by_k[size][label] for label, size in enumerate(sizes)]
        assert got[case].tolist() == [float(value) for value in exact]
        assert predicted[case].tolist() == [value > Fraction(1, 2) for value in exact]


def test_an_own_k_is_found_in_whole_numbers_of_any_size_and_block_by_block(monkeypatch):
    model, X, Y = fitted(11, m=6, n_neighbors=9, label_neighbors="own")
    found = {s: model._training.own_sizes(9, s).tolist() for s in (0.1, 1.0)}
    assert len(set(found[1.0])) > 1
    for s, sizes in found.items():
        assert oracles.ml_knn_own_neighbors(X.tolist(), Y.tolist(), 9, Fraction(s)) == sizes
    monkeypatch.setitem(type(model._training).table.__globals__, "_KEPT_CELLS", 200)
    again = clone(model).fit(X, Y)
    assert again._training.own_sizes(9, 1.0).tolist() == found[1.0]


@seeds(8)
def test_the_path_equals_a_fresh_fit_where_labels_have_their_own_k(seed):
    X, Y, queries, _, _ = random_problem(seed)
    path = MLkNNClassifier(1).fit(X, Y).path(queries)
    for k in range(1, len(X) + 1):
        for own in ("own", "same"):
            params = {"smoothing": 0.5, "label_neighbors": own}
            fresh = MLkNNClassifier(k, **params).fit(X, Y)
            point = path.at(n_neighbors=k, **params)
            np.testing.assert_array_equal(point.scores, fresh.decision_function(queries))
            np.testing.assert_array_equal(point.positions, fresh.predict_ranking(queries))
            assert point.sizes == tuple(sorted(set(fresh.label_neighbors_.tolist())))
    with pytest.raises(ValueError, match="got 'each'"):
        path.at(label_neighbors="each")


@seeds(3)
def test_every_step_of_the_explanation_knows_the_own_k_of_each_label(seed):
    model, X, Y = fitted(seed, n_neighbors=6, label_neighbors="own")
    point, names = model.path(X[:4]).at(), list("abcd")
    sizes = model.label_neighbors_.tolist()
    for case in range(4):
        found = point.explain(case)
        counts, sets = found.evidence(CountEvidence), found.evidence(LeaveOneOutSets)
        near = Y[found.evidence(Neighbors).rows]
        own = [near[:size, label].sum() for label, size in enumerate(sizes)]
        assert counts.case_counts.tolist() == own
        listed = ", ".join(f"{name} {size}" for name, size in zip(names, sizes, strict=True))
        counted = next(step for step in found.steps if step.evidence is counts)
        assert counted.text.plain(names).endswith(f"wrongly: {listed}.")
        assert counts.frame(names).sort_values("label")["neighbours"].tolist() == sizes
        for label, size in enumerate(sizes):
            table = counts.by_count(label)
            assert len(table) == size + 1
            assert table["training cases with it"].sum() == Y[:, label].sum()
            for side in ("with", "without"):
                assert table[f"likelihood {side} it"].sum() == pytest.approx(1)
        assert sets.running[-1].tolist() == (found.prediction == 1).tolist()
        for n in range(1, 7):
            fresh = MLkNNClassifier(n, label_neighbors="own").fit(X, Y).predict(X[case : case + 1])
            assert sets.running[n - 1].tolist() == (fresh[0] == 1).tolist()


@seeds(20)
def test_the_path_equals_a_fresh_fit_at_every_k_and_s(seed):
    X, Y, queries, _, _ = random_problem(seed)
    path = MLkNNClassifier(1).fit(X, Y).path(queries)
    for k in range(1, len(X) + 1):
        for s in (0.01, 1, 7.5):
            fresh = MLkNNClassifier(k, smoothing=s).fit(X, Y)
            point = path.at(n_neighbors=k, smoothing=s)
            np.testing.assert_array_equal(point.prediction, fresh.predict(queries))
            np.testing.assert_array_equal(point.scores, fresh.decision_function(queries))
            np.testing.assert_array_equal(point.positions, fresh.predict_ranking(queries))
            np.testing.assert_array_equal(point.confidence, fresh.predict_confidence(queries))


def test_a_worked_example():
    # k = 2, left label: each left case has 2 such neighbours, each right case none, so
    # c[2] = 3, c'[0] = 3; prior (1 + 3) / (2 + 6) = 1/2. A query on the left counts 2:
    # P(E_2 | H1) = (1 + 3) / (3 + 3), P(E_2 | H0) = (1 + 0) / (3 + 3); posterior 4 / (4 + 1).
    model = MLkNNClassifier(2).fit(*LEFT_RIGHT)
    assert model.prior_.tolist() == [0.5, 0.5]
    assert model.counts_[1, :, 0].tolist() == [0, 0, 3]
    assert model.counts_[0, :, 0].tolist() == [3, 0, 0]
    assert model.predict_proba([[0.5]]).tolist() == [[0.8, 0.2]]


def test_a_training_case_is_left_out_by_its_index_and_its_duplicates_are_not():
    # All cases are the same point: neighbours are the lowest indices other than the case's own.
    model = MLkNNClassifier(2).fit(np.zeros((4, 1)), [[1, 0], [1, 0], [0, 0], [0, 0]])
    # Of label 0, case 0 finds one among cases 1 and 2, case 1 one, cases 2 and 3 two.
    assert model.counts_[:, :, 0].tolist() == [[0, 0, 2], [0, 2, 0]]


@seeds(40)
def test_neighbours_of_training_cases_keep_the_order_of_the_search(seed):
    X = random_problem(seed)[0].astype(float)
    for k in range(len(X)):
        rows = NeighborSearch("euclidean", None).fit(X).query_others(k).rows
        for i in range(len(X)):
            assert rows[i].tolist() == oracles.nearest(X.tolist(), X[i].tolist(), k, without=i)


def test_neighbours_of_many_duplicated_training_cases_are_exact():
    X = np.random.default_rng(0).integers(0, 3, size=(5000, 2)).astype(float)
    rows = NeighborSearch("euclidean", None).fit(X).query_others(7).rows
    for i in (0, 17, 4999):
        assert rows[i].tolist() == oracles.nearest(X.tolist(), X[i].tolist(), 7, without=i)


@pytest.mark.parametrize("s", [1.0, 0.1, 1 / 3, 1e-6])
def test_equally_probable_hypotheses_score_exactly_zero_and_make_a_label_irrelevant(s):
    # Four pairs of neighbours, k = 1. Label 0: (1, 1), (1, 0), (1, 0), (0, 0), so that
    # c[1] = c'[1] = 2 and c[0] = c'[0] = 2, and half of the cases have it.
    X = [[0.0], [1.0], [10.0], [11.0], [20.0], [21.0], [30.0], [31.0]]
    Y = [[1, 1], [1, 1], [1, 1], [0, 1], [1, 0], [0, 0], [0, 0], [0, 0]]
    model = MLkNNClassifier(1, smoothing=s).fit(X, Y)
    assert model.predict_proba(X)[:, 0].tolist() == [0.5] * 8
    assert model.decision_function(X)[:, 0].tolist() == [0] * 8
    assert model.predict(X)[:, 0].tolist() == [0] * 8


def test_labels_with_equal_posteriors_stand_by_index():
    model = MLkNNClassifier(2).fit([[0.0], [1.0], [2.0]], [[0, 1, 1], [0, 1, 1], [0, 0, 0]])
    assert model.predict_ranking([[0.0]]).tolist() == [[3, 1, 2]]


def test_calibrated_targets_count_through_their_relevance():
    model, X, Y = fitted(1, n_neighbors=5)
    calibrated = MLkNNClassifier(5).fit(X, calibrate(Y))
    np.testing.assert_array_equal(model.predict_proba(X), calibrated.predict_proba(X))


def test_scores_decisions_and_rankings_never_contradict():
    model, X, _ = fitted(2, n_neighbors=7, n=200)
    scores, proba = model.decision_function(X), model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), scores > 0)
    np.testing.assert_array_equal(model.predict(X), proba > 0.5)
    ordered = np.take_along_axis(scores, np.argsort(model.predict_ranking(X), axis=1), axis=1)
    assert (np.diff(ordered, axis=1) <= 0).all()


def test_confidence_is_the_expected_share_of_right_decisions():
    model, X, _ = fitted(3, n_neighbors=4)
    proba = model.predict_proba(X)
    expected = np.maximum(proba, 1 - proba).mean(axis=1)
    np.testing.assert_allclose(model.predict_confidence(X), expected, atol=1e-12)


def test_the_explanation_ends_in_the_prediction():
    model, X, _ = fitted(4, n_neighbors=6)
    names = list("abcd")
    for row in range(len(X)):
        explanation = model.explain(X[row])
        np.testing.assert_array_equal(explanation.prediction, model.predict(X[row : row + 1])[0])
        np.testing.assert_array_equal(explanation.prediction, model.predict(X)[row])
        table = explanation.evidence(LabelScores).frame(names)
        assert table["relevant"].sum() == explanation.prediction.sum()
        assert explanation.summary.plain(names)
        for step in explanation.steps:
            assert step.text.plain(names)
            assert len(step.evidence.frame(names))
    assert len(explanation.evidence(Neighbors).rows) == 6
    assert 0.5 <= explanation.evidence(Confidence).value <= 1


def test_the_first_step_says_what_the_count_of_the_least_certain_label_meant_in_training():
    model, X, Y = fitted(4, n_neighbors=6)
    queries = np.unique(X, axis=0) + 0.25

    def count_in_six_nearest(x, label, rows):
        nearest = sorted(rows, key=lambda row: (float(((X[row] - x) ** 2).sum()), row))[:6]
        return int(Y[nearest, label].sum())

    for x in queries[:12]:
        explanation = model.explain(x)
        label = explanation.closest_pair[0]
        count = count_in_six_nearest(x, label, range(60))
        alike = [
            Y[row, label]
            for row in range(60)
            if count_in_six_nearest(X[row], label, [i for i in range(60) if i != row]) == count
        ]
        sentence = explanation.steps[0].text.plain("abcd")
        assert f"{count} of the 6 most similar cases" in sentence
        posterior = explanation.evidence(CountEvidence).posterior[label]
        probability = f"the probability is {decimal_text(posterior)}."
        if not alike:
            about = "No training case has that count; from all counts, smoothed, "
            assert sentence.endswith(about + probability)
            continue
        share = decimal_text(sum(alike) / len(alike))
        with_that_count = f"Of {len(alike)} training cases with that count, {sum(alike)} have it"
        about = f"{with_that_count} themselves, a share of {share}; with all counts smoothed, "
        assert sentence.endswith(about + probability)


def test_the_evidence_adds_up_to_the_posterior():
    model, X, Y = fitted(5, n_neighbors=6)
    counts = model.explain(X[0]).evidence(CountEvidence)
    labels = np.arange(4)
    with_label = counts.prior * counts.likelihood_with[labels, counts.case_counts]
    without = (1 - counts.prior) * counts.likelihood_without[labels, counts.case_counts]
    np.testing.assert_allclose(with_label / (with_label + without), counts.posterior)
    np.testing.assert_array_equal(counts.cases_with.sum(axis=1), Y.sum(axis=0))
    np.testing.assert_array_equal(counts.cases_without.sum(axis=1), (1 - Y).sum(axis=0))
    np.testing.assert_allclose(counts.likelihood_with.sum(axis=1), 1)
    by_count = counts.by_count(2)
    assert len(by_count) == 7
    assert by_count.loc[by_count["own"], "neighbours with it"].tolist() == [counts.case_counts[2]]


def test_renaming_labels_renames_predictions():
    model, X, Y = fitted(6, n_neighbors=5)
    shuffled = [2, 0, 3, 1]
    renamed = MLkNNClassifier(5).fit(X, Y[:, shuffled])
    np.testing.assert_array_equal(model.predict_proba(X)[:, shuffled], renamed.predict_proba(X))


def test_paths_of_a_shared_model_do_not_change_it():
    model, X, _ = fitted(7, n_neighbors=3)
    before = model.predict_proba(X)
    model.path(X).at(n_neighbors=50)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), before)


def test_tables_too_large_to_keep_are_made_again(monkeypatch):
    model, X, _ = fitted(8, n_neighbors=3)
    path = model.path(X)
    expected = {k: path.at(n_neighbors=k).scores for k in (2, 30)}
    monkeypatch.setitem(type(model._training).table.__globals__, "_KEPT_CELLS", 10)
    for k, scores in expected.items():
        fresh = clone(model).fit(X, fitted(8)[2]).path(X)
        np.testing.assert_array_equal(fresh.at(n_neighbors=k).scores, scores)


def test_it_works_in_pipelines_searches_and_cross_validation():
    _, X, Y = fitted(9)
    pipeline = make_pipeline(StandardScaler(), MLkNNClassifier())
    grid = {"mlknnclassifier__n_neighbors": [2, 4], "mlknnclassifier__smoothing": [0.1, 1]}
    assert GridSearchCV(pipeline, grid, cv=3).fit(X, Y).best_score_ > 0
    assert cross_val_predict(pipeline, X, Y, cv=3).shape == Y.shape


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"smoothing": 0}, "smoothing"),
        ({"smoothing": float("inf")}, "smoothing"),
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"n_neighbors": 7}, "n_samples = 6"),
        ({"metric": "no such"}, "metric"),
    ],
)
def test_wrong_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        MLkNNClassifier(**{"n_neighbors": 2, **params}).fit(*LEFT_RIGHT)


def test_wrong_arrays_are_named():
    with pytest.raises(ValueError, match="as many rows"):
        MLkNNClassifier(1).fit([[0.0], [1.0]], [[1, 0]])
    with pytest.raises(ValueError, match="two labels"):
        MLkNNClassifier(1).fit([[0.0], [1.0]], [[1], [0]])
    path = MLkNNClassifier(2).fit(*LEFT_RIGHT).path([[0.0]])
    with pytest.raises(ValueError, match="smoothing above 0"):
        path.at(smoothing=-1)
    with pytest.raises(ValueError, match="n_neighbors between 1 and 6"):
        path.at(n_neighbors=7)


def test_the_catalog_offers_the_default_smoothing():
    knobs = {knob.name: knob for knob in ALGORITHMS["mlknn"].knobs}
    assert knobs["smoothing"].offered() == (0.01, 0.1, 1.0, 10.0, 100.0)
    assert ALGORITHMS["mlknn"].defaults["smoothing"] in knobs["smoothing"].offered()
