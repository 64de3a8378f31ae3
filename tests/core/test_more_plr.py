"""The measurements of MORE-PLR's tables that no single method of the catalog makes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

from labelrank_core.data import Dataset, Task
from labelrank_core.data.splits import cross_validation
from labelrank_core.experiments import Method, Protocol, Unit
from labelrank_core.experiments.units import split_of
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import tau_x_score
from labelrank_core.papers import find_table, ledger
from labelrank_core.papers.ledger import measured_frame
from labelrank_core.papers.reproduce import plan
from labelrank_core.rankings import dense_positions, strict_positions
from tests.benchmarks import kept_positions, ties

NAN = float("nan")
TABLES = [find_table("moreplr", key) for key in ("Rankings with ties", "Deleted labels")]


def toy(n=40):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    Y = dense_positions(np.round(X @ rng.normal(size=(3, 4))))
    return Dataset(X, Y, Task.LABEL_RANKING, list("abc"), list("wxyz"), "iris")


def units(dataset, fold=1):
    protocol = Protocol(n_folds=4, tuning_folds=3, tuning_measure="tau_x_score")
    near = [ModelChoice("knn").with_params(n_neighbors=k, ties="predict") for k in (20, 5)]
    return [
        Unit(dataset.fingerprint, "iris", Method(choice, title=title), protocol, 0, fold)
        for choice, title in zip(near, ("far", "near"), strict=True)
    ]


def inner_taus(unit, dataset):
    """Tau x of a method for the cases of each of three folds of the training rows."""
    split = split_of(unit.protocol, dataset, 0, 1)
    training = dataset.part(split.train)
    taus = []
    for fold in cross_validation(training, n_folds=3, seed=0):
        train, test = fold.split.train, fold.split.test
        model = unit.method.choice.build().fit(training.X[train], training.rankings[train])
        predicted = model.predict(training.X[test])
        taus.append(tau_x_score(training.rankings[test], predicted, average=None))
    return taus


def test_candidates_are_measured_on_folds_of_the_training_rows(monkeypatch):
    monkeypatch.setattr(ties, "BEHIND", 2.0)
    dataset = toy()
    far, near = units(dataset)
    found = ties.measure_inside([far, near], dataset)
    for unit in (far, near):
        own = found[unit.method.title]
        assert own.n_inner == 3
        assert own.inner == pytest.approx(np.mean(list(map(np.mean, inner_taus(unit, dataset)))))
    gains = np.concatenate(inner_taus(near, dataset)) - np.concatenate(inner_taus(far, dataset))
    assert found["near"].gain == pytest.approx(gains.mean())
    assert found["near"].error == pytest.approx(gains.std(ddof=1) / np.sqrt(30))
    assert (found["far"].gain, found["far"].error) == (0, 0)


def test_those_clearly_behind_after_the_first_inner_fold_run_no_further():
    dataset = toy()
    far, near = units(dataset)
    first = np.mean(inner_taus(far, dataset)[0])
    assert first < np.mean(inner_taus(near, dataset)[0]) - ties.BEHIND
    found = ties.measure_inside([near, far], dataset)
    assert found["far"] == ties.Inner(1, pytest.approx(first), 0, 0)
    # The first one runs on, as the others are compared with it.
    assert ties.measure_inside([far, near], dataset)["far"].n_inner == 3


def test_the_chosen_candidate_is_tested_outside_alone_or_with_all_others():
    dataset = toy()
    pair = units(dataset)
    alone = {line["candidate"]: line for line in ties.measure_fold(pair, dataset, only_chosen=True)}
    whole = {
        line["candidate"]: line for line in ties.measure_fold(pair, dataset, only_chosen=False)
    }
    assert "outer" not in alone["far"]
    assert alone["near"]["outer"] == whole["near"]["outer"]
    split = split_of(pair[1].protocol, dataset, 0, 1)
    model = pair[1].method.choice.build()
    model.fit(dataset.X[split.train], dataset.rankings[split.train])
    tau = tau_x_score(dataset.rankings[split.test], model.predict(dataset.X[split.test]))
    assert whole["near"]["outer"] == pytest.approx(tau, abs=1e-6)


def results(*lines):
    return pd.DataFrame(lines, columns=ties.HEAD[:-1])


def test_the_first_is_chosen_unless_another_gains_more_than_one_standard_error():
    found = ties.chosen(
        results(
            ("iris", 0, 0, "a", 3, 0.5, 0.0, 0.0, 0.1),
            ("iris", 0, 0, "b", 3, 0.6, 0.1, 0.05, 0.2),
            ("iris", 0, 0, "c", 3, 0.7, 0.2, 0.2, 0.3),
            ("iris", 0, 1, "c", 3, 0.6, 0.1, 0.05, 0.4),
            ("iris", 0, 1, "b", 3, 0.6, 0.1, 0.05, 0.5),
            ("iris", 0, 1, "a", 3, 0.5, 0.0, 0.0, 0.6),
            ("iris", 0, 2, "a", 3, 0.5, 0.0, 0.0, 0.7),
            ("iris", 0, 2, "b", 3, 0.6, 0.1, 0.1, 0.8),
            ("iris", 0, 2, "c", 1, 0.9, 0.0, 0.0, 0.9),
        ),
        ["a", "b", "c"],
    )
    assert found["outer"].tolist() == [0.2, 0.5, 0.7]


def test_candidates_are_the_untuned_methods_of_the_table():
    titles = [column.title for column in ties.columns()]
    assert len(titles) == 9
    assert ties.CHOSEN.title not in titles
    assert "MORE-PLR" not in titles


def test_only_whole_repetitions_go_to_the_ledger_with_their_number():
    title = ties.columns()[0].title
    whole = [("iris", 0, fold, title, 3, 0.5, 0.0, 0.0, 0.9 + fold / 100) for fold in range(10)]
    found = measured_frame(ties.measured(results(*whole)))
    assert found["reading"].tolist() == [ties.columns()[0].reading, ties.CHOSEN.reading]
    assert found["ours"].tolist() == [pytest.approx(0.945)] * 2
    assert found["protocol"].tolist() == ["10 folds", "10 folds; method chosen in 3 inner folds"]
    assert ties.measured(results(*whole[:-1])) == []
    begun = [("iris", 1, *line[2:-1], 0.1) for line in whole[:4]]
    assert measured_frame(ties.measured(results(*whole, *begun))).equals(found)


def test_numbers_of_fewer_trainings_do_not_replace_others(tmp_path):
    title = ties.columns()[0].title

    def repetitions(n, value):
        return results(
            *(
                ("iris", r, fold, title, 3, 0.5, 0.0, 0.0, value)
                for r in range(n)
                for fold in range(10)
            )
        )

    ties.record(repetitions(2, 0.7), tmp_path)
    ties.record(repetitions(1, 0.9), tmp_path)
    (path,) = tmp_path.iterdir()
    assert pd.read_csv(path)["ours"].tolist() == [0.7, 0.7]
    ties.record(repetitions(3, 0.8), tmp_path)
    assert pd.read_csv(path)["n_trainings"].tolist() == [30, 30]


def test_a_deleted_label_gets_the_mean_of_the_positions_that_its_row_lacks():
    # Of 1 to 5 the first row lacks 2, 3 and 4, the second 1, 3, 4 and 5, the third none.
    rows = np.array([[1, NAN, 5, NAN, NAN], [NAN, 2, NAN, NAN, NAN], [3, 1, 2, 5, 4]])
    assert kept_positions.filled(rows).tolist() == [
        [1, 3, 5, 3, 3],
        [3.25, 2, 3.25, 3.25, 3.25],
        [3, 1, 2, 5, 4],
    ]


def test_leaves_have_the_mean_of_the_positions_that_are_kept():
    dataset = toy()
    unit = replace(units(dataset)[0], method=Method(ModelChoice("forest")))
    rows = np.argsort(np.random.default_rng(1).random((40, 4)), axis=1) + 1.0
    positions = kept_positions.with_deleted(rows, 0.5, [0])
    X, queries = dataset.X[:30], dataset.X[30:]
    found = kept_positions.learn_positions(unit, X, positions[:30], queries)
    forest = RandomForestRegressor(50, max_features=2, random_state=unit.fold)
    forest.fit(X, kept_positions.filled(positions[:30]))
    for query, own in zip(queries, found, strict=True):
        sums, counts = np.zeros((2, 4))
        for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
            leaf = tree.apply([query.astype(np.float32)])[0]
            cases = [row for row in drawn if tree.apply([X[row].astype(np.float32)])[0] == leaf]
            for row in cases:
                known = ~np.isnan(positions[row])
                sums[known] += positions[row][known] / len(cases)
                counts[known] += 1 / len(cases)
        assert own.tolist() == strict_positions([sums / counts])[0].tolist()


def test_an_exact_share_is_deleted_and_the_other_positions_stay():
    rankings = np.tile([4.0, 2.0, 1.0, 3.0], (25, 1))
    found = kept_positions.with_deleted(rankings, 0.3, [0, 0, 0])
    assert np.isnan(found).sum() == 30
    assert (found == rankings)[~np.isnan(found)].all()


def test_what_is_measured_apart_is_no_missing_method_and_no_training():
    for table in TABLES:
        apart = [column for column in table.all_columns if column.measured_apart]
        assert apart
        planned = plan(table)
        assert planned.missing_methods == ()
        for part in planned.parts:
            assert not set(apart) & set(part.columns)
        empty = ledger(table, measured_frame([]))
        own = empty[empty["reading"].isin([column.reading for column in apart])]
        assert set(own["verdict"]) == {"not computed yet"}
