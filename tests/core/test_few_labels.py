"""Methods that predict next to nothing on sparse label sets warn, and their remedy helps."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from labelrank_core import FewLabelsWarning, KNeighborsMultilabelRanker, SVMPerfClassifier
from labelrank_core.evaluation.evaluate import train_recorded
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import calibrate
from tests.problems import sparse_label_sets


def fitted_with_warning(model, X, Y):
    with pytest.warns(FewLabelsWarning) as record:
        model.fit(X, Y)
    (warning,) = record
    assert warning.filename == __file__
    return model, str(warning.message)


def micro_f1(Y, predicted):
    return f1_score(Y, predicted, average="micro", zero_division=0)


def others_predicted(X, Y, k, sizes, **params):
    """Each case predicted by a model of all others, for every number of virtual labels."""
    rows = {p: [] for p in sizes}
    for i in range(len(X)):
        others = np.delete(np.arange(len(X)), i)
        model = KNeighborsMultilabelRanker(k, n_virtual_labels=128, **params)
        path = model.fit(X[others], Y[others]).path(X[i : i + 1], n_neighbors=k)
        for p in sizes:
            rows[p].append(path.at(n_virtual_labels=p).prediction[0])
    return {p: np.array(predicted) for p, predicted in rows.items()}


class TestNeighbors:
    def test_the_remedy_predicts_more_labels_of_new_cases(self):
        dataset = sparse_label_sets(400)
        X, Y = dataset.X[:200], dataset.Y[:200]
        model, message = fitted_with_warning(KNeighborsMultilabelRanker(), X, Y)
        few = model.few_labels()
        assert message.startswith("KNeighborsMultilabelRanker: A training case has ")
        assert message.endswith(f"Set n_virtual_labels={few.value} to {few.effect}.")
        assert few.parameter == "n_virtual_labels"
        # Every warning is an error.
        better = KNeighborsMultilabelRanker(n_virtual_labels=few.value).fit(X, Y)
        assert better.few_labels() is None
        truth = dataset.Y[200:]
        before, after = (micro_f1(truth, each.predict(dataset.X[200:])) for each in (model, better))
        assert before < 0.15
        assert after > 0.4

    @pytest.mark.parametrize("weights", ["uniform", "distance"])
    @pytest.mark.parametrize("metric", ["euclidean", "cosine"])
    def test_the_numbers_are_those_of_models_without_each_case(self, weights, metric):
        dataset = sparse_label_sets(150, seed=3)
        X, Y = dataset.X, dataset.Y
        params = {"weights": weights, "metric": metric}
        model, _ = fitted_with_warning(KNeighborsMultilabelRanker(**params), X, Y)
        predicted = others_predicted(X, Y, 10, (1, 2, 4, 8, 16, 32), **params)
        values = {p: micro_f1(Y, sets) for p, sets in predicted.items() if p > 1}
        few = model.few_labels(most_virtual_labels=63)
        assert few.value == max(values, key=values.get)
        own, count, then = (sets.sum() / len(X) for sets in (Y, predicted[1], predicted[few.value]))
        assert few.symptom == (
            f"A training case has {own:.2f} labels on average, but {count:.2f} are predicted."
        )
        assert few.effect == f"predict {then:.2f}"

    @pytest.mark.parametrize("metric", ["euclidean", "cosine"])
    def test_sparse_cases_and_calibrated_rankings_give_the_same_advice(self, metric):
        dataset = sparse_label_sets(80)
        models = [
            fitted_with_warning(KNeighborsMultilabelRanker(metric=metric), *data)[0]
            for data in (
                (dataset.X, dataset.Y),
                (sparse.csr_matrix(dataset.X), dataset.Y),
                (dataset.X, calibrate(dataset.Y)),
            )
        ]
        assert len({model.few_labels() for model in models}) == 1

    def test_advice_for_another_setting_is_that_of_a_model_with_it(self):
        dataset = sparse_label_sets(80)
        model, _ = fitted_with_warning(KNeighborsMultilabelRanker(), dataset.X, dataset.Y)
        other, _ = fitted_with_warning(
            KNeighborsMultilabelRanker(6, n_virtual_labels=2), dataset.X, dataset.Y
        )
        assert model.few_labels(n_neighbors=6, n_virtual_labels=2) == other.few_labels()
        assert other.few_labels() != model.few_labels()
        assert model.few_labels(n_virtual_labels=128) is None

    def test_a_case_alone_and_data_without_any_label_are_not_warned_of(self):
        Y = np.zeros((20, 12), dtype=int)
        KNeighborsMultilabelRanker().fit(np.arange(20.0)[:, None], Y)
        KNeighborsMultilabelRanker(1).fit([[0.0]], np.eye(12, dtype=int)[:1])

    def test_no_p_is_suggested_where_none_predicts_better(self):
        # Every case has a label of its own: no neighbour has it.
        model = KNeighborsMultilabelRanker().fit(np.arange(30.0)[:, None], np.eye(30, dtype=int))
        assert not model.predict(np.arange(30.0)[:, None]).any()


class TestMachines:
    def test_the_remedy_predicts_labels_that_were_not(self):
        dataset = sparse_label_sets(300, separable=True)
        X, Y = dataset.X[:150] / 50, dataset.Y[:150]
        model, message = fitted_with_warning(SVMPerfClassifier(0.01), X, Y)
        few = model.few_labels()
        assert message.endswith(f"Set C={few.value:g} to {few.effect}.")
        better = SVMPerfClassifier(few.value).fit(X, Y)
        assert better.few_labels() is None
        before, after = (
            f1_score(
                dataset.Y[150:],
                each.predict(dataset.X[150:] / 50),
                average="macro",
                zero_division=0,
            )
            for each in (model, better)
        )
        assert after > before + 0.2

    def test_labels_that_no_penalty_predicts_are_not_warned_of(self):
        rng = np.random.default_rng(1)
        X = rng.normal(size=(90, 2))
        SVMPerfClassifier().fit(X, (rng.random((90, 3)) < 0.04).astype(int))

    @pytest.mark.filterwarnings("ignore::labelrank_core.FewLabelsWarning")
    @pytest.mark.parametrize("rule", ["label_macro_f1", "global_micro_f1"])
    def test_the_labels_counted_are_those_of_the_threshold_rule(self, rule):
        dataset = sparse_label_sets(60, separable=True)
        X = dataset.X / 50
        model = SVMPerfClassifier(0.01).fit(X, dataset.Y)
        other = SVMPerfClassifier(0.01, threshold=rule).fit(X, dataset.Y)
        predicted = other.out_of_fold_scores() > other.thresholds_
        n_never = (~predicted.any(axis=0) & (dataset.Y.sum(axis=0) >= 2)).sum()
        few = model.few_labels(threshold=rule)
        if 2 * n_never < (dataset.Y.sum(axis=0) >= 2).sum():
            assert few is None
        else:
            assert few.symptom == f"{n_never} of 24 labels are never predicted."


def test_an_interface_that_trains_for_any_setting_gets_no_warning():
    dataset = sparse_label_sets(80)
    model, _, messages = train_recorded(ModelChoice("mlr").build(), dataset, np.arange(80))
    assert messages == ()
    assert model[-1].few_labels() is not None
