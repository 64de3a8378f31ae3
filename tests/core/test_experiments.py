"""Experiments: their config, their single trainings, their store, and going on after the end."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from labelrank_core import load_sample
from labelrank_core.__main__ import main
from labelrank_core.data.splits import cross_validation, delete_labels
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.evaluation.tuning import tune
from labelrank_core.experiments import (
    ConfigError,
    Experiment,
    Method,
    Protocol,
    read_config,
    run_unit,
    units_of,
)
from labelrank_core.experiments.config import DataSource, untuned_variants
from labelrank_core.experiments.run import most_workers, run_units
from labelrank_core.experiments.store import Store
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS, kendall_tau_score
from tests.same_results import assert_same_results

TWO = '{"data": ["iris"], "methods": [{"key": "knn"}, {"key": "forest"}]}'


WORDS = [
    *("name", "data", "methods", "protocol", "scheduler", "files", "choices", "stored", "key"),
    *("params", "scaled", "tune", "title", "n_neighbors", "n_folds", "seed", "missing", "kind"),
]


def config(**changes):
    return json.dumps({"data": ["iris"], "methods": [{"key": "knn"}], **changes})


def protocol(**values):
    return config(protocol=values)


class TestConfig:
    def test_what_is_written_is_read_again(self):
        text = json.dumps(
            {
                "name": "all of it",
                "data": ["iris", {"files": ["a.csv"], "choices": {"target_form": "positions"}}],
                "methods": [
                    {"key": "knn", "params": {"n_neighbors": 3}, "scaled": False, "title": "three"},
                    {"key": "forest", "tune": {"n_estimators": [5, 10]}},
                    {"key": "knn", "tfidf": True},
                ],
                "protocol": {"n_folds": 3, "missing": [0, 0.3], "stratify": True},
            }
        )
        experiment = read_config(text)
        assert read_config(experiment.to_json()) == experiment
        assert [method.choice.tfidf for method in experiment.methods] == [False, False, True]
        assert experiment.methods[2].name == "k-NN label ranking (TF-IDF)"
        assert json.loads(experiment.to_json())["protocol"] == {
            "n_folds": 3,
            "missing": [0, 0.3],
            "stratify": True,
        }

    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("{", "Line 1, column 2"),
            ("[]", "config: expected an object"),
            (config(data=[]), "data: expected a list of at least one"),
            (config(data="iris"), "data: expected a list"),
            (config(data=["no such"]), r"data\[0\]: expected a sample"),
            (config(data=["iris", {"files": []}]), r"data\[1\].files"),
            (config(data=[{"file": "x"}]), r"data\[0\]: unknown name 'file'"),
            (config(data=[{"files": ["x"], "choices": 3}]), r"data\[0\].choices"),
            (config(data=[7]), r"data\[0\]: expected an object"),
            (config(methods=[{"key": "nn"}]), r"methods\[0\].key: expected one of knn"),
            (config(methods=[{"key": ["knn"]}]), r"methods\[0\].key"),
            (config(methods=[{"key": "knn", "params": {"k": 1}}]), r"methods\[0\].params: unknown"),
            (
                config(methods=[{"key": "knn", "params": {"n_neighbors": 0}}]),
                r"methods\[0\].params.n_neighbors",
            ),
            (
                config(methods=[{"key": "knn", "tune": {"n_neighbors": [1, "x"]}}]),
                r"methods\[0\].tune.n_neighbors",
            ),
            (
                config(methods=[{"key": "knn", "tune": {"n_neighbors": []}}]),
                r"methods\[0\].tune.n_neighbors: expected a list",
            ),
            (config(methods=[{"key": "knn", "scaled": "no"}]), r"methods\[0\].scaled"),
            (config(methods=[{"key": "knn", "tfidf": 1}]), r"methods\[0\].tfidf: expected true"),
            (config(methods=[{"key": "knn"}, {"key": "knn"}]), r"methods\[1\].*twice"),
            (protocol(n_folds=1), "protocol.n_folds: expected a number from 2"),
            (protocol(n_folds=2.5), "protocol.n_folds"),
            (protocol(n_folds=True), "protocol.n_folds"),
            (protocol(missing=[1]), "missing below 1"),
            (protocol(missing=0.3), "protocol.missing: expected a list"),
            (protocol(train_shares=[0]), "train_shares above 0"),
            (protocol(test_share=1), "test_share between"),
            (protocol(kind="loo"), "protocol.kind: expected one of"),
            (protocol(stratify=1), "protocol.stratify"),
            (protocol(tuning_measure="tau"), "protocol.tuning_measure"),
            (protocol(parts=3), "protocol: unknown name 'parts'"),
            (protocol(folds=3), "protocol: expected either folds or fold_files"),
            (protocol(n_folds=1000, n_repeats=1000), "at most 100,000 trainings"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_place(self, text, place):
        with pytest.raises(ConfigError, match=place):
            read_config(text)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[" * 100_000, "brackets"),
            ('{"data": ' + "[" * 400_000 + "]" * 400_000 + "}", "brackets"),
            (config(name="x" * 1_000_001), "at most 1,000,000 characters, got 1,000,"),
            (protocol(seed=0).replace("0", "7" * 5000), "at most 4300 digits"),
            (protocol(seed=0).replace("0", "7" * 4000), "protocol.seed: expected a number from 0"),
            (protocol(seed=0).replace("0", "1e400"), "protocol.seed"),
            (protocol(seed=float("inf")), "Expected numbers, got Infinity"),
            (protocol(test_share=float("nan")), "Expected numbers, got NaN"),
            (protocol(missing=[0.1] * 2000), "protocol.missing: expected at most 1,000"),
            (config(name="\ud800"), r"Expected text, got '\\ud800', which is half"),
            (config(name="\ud800").encode().decode("unicode_escape"), "half a character"),
            (config(name=7), "name: expected text, got 7"),
            (config(name="x" * 2000), "name: expected at most 1,000 characters, got 2,000"),
            (config(scheduler=["x"]), "scheduler: expected text"),
            (config(data=["iris"] * 2000), "data: expected at most 1,000, got 2,000"),
            (config(data=[{"files": [["a"]]}]), r"data\[0\].files: expected text"),
            (config(data=[{"stored": 7}]), r"data\[0\].stored: expected text"),
            (
                config(data=[{"files": ["a"], "choices": {"x": 1}}]),
                r"data\[0\].choices: unknown name 'x'",
            ),
            (
                config(methods=[{"key": "forest", "params": {"n_estimators": 10**9}}]),
                r"methods\[0\].params.n_estimators: expected a number up to 100,000, got 10{9}",
            ),
            (
                config(methods=[{"key": "knn", "tune": {"n_neighbors": [1] * 200_000}}]),
                r"methods\[0\].tune.n_neighbors: expected at most 1,000, got 200,000",
            ),
            (
                config(
                    methods=[
                        {
                            "key": "mlls",
                            "tune": {"alpha": [0.5] * 200, "beta": [0.5] * 200},
                        }
                    ]
                ),
                r"methods\[0\].tune: expected at most 10,000 settings, got 40,000",
            ),
            (config(methods=[{"key": "knn", "title": "x" * 9999}]), r"methods\[0\].title"),
            (
                config(methods=[{"key": "knn", "params": {"metric": "x" * 900_000}}]),
                r"methods\[0\].params.metric",
            ),
        ],
        ids=range(23),
    )
    def test_what_would_take_the_machine_is_bounded_and_told(self, text, said):
        start = time.monotonic()
        with pytest.raises(ConfigError, match=said) as error:
            read_config(text)
        assert len(str(error.value)) < 1000
        assert time.monotonic() - start < 2

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda each: st.lists(each) | st.dictionaries(st.sampled_from(WORDS) | st.text(), each),
        )
    )
    def test_any_json_is_an_experiment_or_wrong_in_a_sentence(self, whole):
        parts = {"data": ["iris"], "methods": [{"key": "knn"}]}
        texts = [json.dumps(whole)]
        for name in ("data", "methods", "protocol", "name", "scheduler"):
            texts += [json.dumps({**parts, name: whole}), json.dumps({**parts, name: [whole]})]
        texts += [json.dumps({**parts, "methods": [{"key": "knn", "params": whole}]})]
        for text in texts:
            try:
                again = read_config(text)
            except ConfigError as error:
                assert str(error)  # noqa: PT017
            else:
                assert read_config(again.to_json()) == again

    @pytest.mark.parametrize(
        ("text", "place"),
        [
            (config(methods=[{"key": "mlr"}]), r"methods\[0\].*none of these data"),
            (config(data=["iris", "yeast"]), r"data\[1\]: no method here"),
            (protocol(kind="published"), "'iris' has no published split"),
            (config(data=["drinks"], protocol={"n_folds": 999}), "'drinks' has only"),
        ],
    )
    def test_what_cannot_be_done_with_the_data_is_said_before_the_start(self, text, place):
        experiment = read_config(text)
        datasets = [load_sample(source.names[0]) for source in experiment.data]
        with pytest.raises(ConfigError, match=place):
            units_of(experiment, datasets)


def test_an_untuned_twin_is_a_setting_that_a_tuned_method_chooses_from():
    methods = read_config(
        config(
            methods=[
                {"key": "knn", "title": "default"},
                {"key": "knn", "params": {"n_neighbors": 9}, "title": "nine"},
                {"key": "knn", "params": {"weights": "distance"}, "title": "weighted"},
                {"key": "knn", "scaled": False, "title": "raw"},
                {"key": "knn", "tune": {"n_neighbors": [1, 3]}, "title": "tuned"},
                {"key": "forest"},
            ]
        )
    ).methods
    assert untuned_variants(methods) == {"default", "nine"}
    assert untuned_variants(methods[:4]) == set()


def units(text):
    experiment = read_config(text)
    return units_of(experiment, [load_sample(source.names[0]) for source in experiment.data])


class TestUnits:
    def test_every_training_has_a_key_of_its_own(self):
        text = config(
            methods=[{"key": "knn"}, {"key": "forest"}],
            protocol={"n_folds": 3, "n_repeats": 2, "missing": [0, 0.5], "train_shares": [0.5, 1]},
        )
        found = units(text)
        assert len(found) == 2 * 3 * 2 * 2 * 2
        assert len({unit.key for unit in found}) == len(found)

    def test_titles_and_further_repetitions_change_no_key(self):
        few = units(config(protocol={"n_folds": 3}))
        many = units(
            config(methods=[{"key": "knn", "title": "k"}], protocol={"n_folds": 3, "n_repeats": 2})
        )
        assert [unit.key for unit in many[:3]] == [unit.key for unit in few]

    @pytest.mark.parametrize(
        "change",
        [
            {"seed": 1},
            {"n_folds": 4},
            {"stratify": True},
            {"kind": "holdout"},
            {"missing": [0.1]},
            {"train_shares": [0.9]},
        ],
    )
    def test_whatever_changes_a_result_changes_the_key(self, change):
        before = units(config(protocol={"n_folds": 3}))[0]
        after = units(config(protocol={"n_folds": 3, **change}))[0]
        assert before.key != after.key

    def test_methods_that_learn_label_sets_have_no_deleted_labels(self):
        found = units(
            config(
                data=["iris", "yeast"],
                methods=[{"key": "knn"}, {"key": "mlr"}],
                protocol={"kind": "holdout", "missing": [0, 0.3]},
            )
        )
        assert [(unit.data_name, unit.missing) for unit in found] == [
            ("iris", 0),
            ("iris", 0.3),
            ("yeast", 0),
        ]

    def test_a_fold_is_trained_as_written_out_by_hand(self):
        data = load_sample("vehicle")
        unit = units(config(data=["vehicle"], protocol={"n_folds": 4, "n_repeats": 2, "seed": 9}))[
            6
        ]
        assert (unit.repeat, unit.fold) == (1, 2)
        split = cross_validation(data, n_folds=4, n_repeats=2, seed=9)[6].split
        model = ModelChoice("knn").build().fit(data.X[split.train], data.rankings[split.train])
        expected = kendall_tau_score(data.rankings[split.test], model.predict(data.X[split.test]))
        result = run_unit(unit, data)
        assert result.values["kendall_tau_score"] == pytest.approx(expected, abs=1e-12)
        assert np.array_equal(result.cases["row"], split.test)
        assert result.cases["kendall_tau_score"].mean() == pytest.approx(expected, abs=1e-12)

    def test_labels_are_deleted_in_the_training_part_only_and_more_of_them_at_higher_levels(self):
        data = load_sample("vehicle")
        low, high = units(
            config(data=["vehicle"], protocol={"kind": "holdout", "missing": [0.3, 0.6]})
        )
        rankings = {
            unit.missing: delete_labels(data.rankings, unit.missing, seed=[0, 0, 0])
            for unit in (low, high)
        }
        assert np.isnan(rankings[0.6])[np.isnan(rankings[0.3])].all()
        for unit in (low, high):
            split_rows = run_unit(unit, data).cases["row"]
            train = np.setdiff1d(np.arange(data.n_samples), split_rows)
            model = ModelChoice("knn").build().fit(data.X[train], rankings[unit.missing][train])
            tau = kendall_tau_score(data.rankings[split_rows], model.predict(data.X[split_rows]))
            assert run_unit(unit, data).values["kendall_tau_score"] == pytest.approx(tau, abs=1e-12)

    def test_a_learning_curve_learns_from_growing_parts_of_the_same_rows(self):
        data = load_sample("vehicle")
        text = config(
            data=["vehicle"],
            protocol={"kind": "holdout", "test_share": 0.5, "train_shares": [0.05, 0.2, 1]},
        )
        values = [run_unit(unit, data).values["kendall_tau_score"] for unit in units(text)]
        assert values == sorted(values)

    def test_a_forest_gets_a_seed_of_its_fold_unless_it_has_one(self):
        data = load_sample("iris")
        text = config(methods=[{"key": "forest"}, {"key": "forest", "params": {"random_state": 3}}])
        free, fixed = units(text)[:2]
        assert run_unit(free, data).values == run_unit(free, data).values
        split = cross_validation(data)[0].split
        own = evaluate_model(ModelChoice("forest").with_params(random_state=3).build(), data, split)
        tau = float(own.frame().set_index("measure").loc["kendall_tau_score", "value"])
        assert run_unit(fixed, data).values["kendall_tau_score"] == pytest.approx(tau, abs=1e-12)


def few_rows(name):
    data = load_sample(name)
    return data.part(range(0, data.n_samples, data.n_samples // 300 + 1))


def naive_tuning(choice, grid_name, values, training, measure, folds):
    """The best value by fits of its own for every value and fold."""
    means = []
    for value in values:
        model = choice.with_params(**{grid_name: value}).build()
        found = [
            dict(
                evaluate_model(clone(model), training, fold.split)
                .frame()[["measure", "value"]]
                .to_numpy()
            )[measure]
            for fold in folds
        ]
        means.append(np.mean(found) * (1 if METRICS[measure].greater_is_better else -1))
    return values[int(np.flatnonzero(np.array(means) >= max(means) - 1e-12)[0])]


@pytest.mark.parametrize(
    ("name", "key", "knob", "values", "measure"),
    [
        ("vehicle", "knn", "n_neighbors", [1, 3, 5, 9, 15, 21], "kendall_tau_score"),
        ("vehicle", "knn", "weights", ["uniform", "distance"], "kendall_tau_score"),
        ("yeast", "mlr", "n_virtual_labels", [1, 2, 4, 8], "hamming_loss"),
        ("yeast", "mlr", "n_neighbors", [1, 3, 199, 201], "ranking_loss"),
        ("yeast", "mlknn", "n_neighbors", [3, 7, 11], "hamming_loss"),
        ("yeast", "mlls", "beta", [1e-6, 1e-3, 1.0, 100.0], "ranking_loss"),
        ("iris", "forest", "n_estimators", [1, 60], "kendall_tau_score"),
    ],
)
def test_tuning_over_a_path_chooses_what_fits_of_their_own_choose(name, key, knob, values, measure):
    training = few_rows(name)
    choice = ModelChoice(key)
    if key == "forest":
        choice = choice.with_params(random_state=0)
    chosen = tune(choice, {knob: values}, training, measure=measure, n_folds=3, seed=5)
    folds = cross_validation(training, n_folds=3, seed=5)
    allowed = [
        v for v in values if knob != "n_neighbors" or v <= min(len(f.split.train) for f in folds)
    ]
    assert chosen == {knob: naive_tuning(choice, knob, allowed, training, measure, folds)}


def test_knobs_on_and_off_the_path_are_tuned_together():
    training = few_rows("vehicle")
    grid = {"weights": ["uniform", "distance"], "n_neighbors": [1, 4, 9]}
    folds = cross_validation(training, n_folds=3, seed=1)
    chosen = tune(ModelChoice("knn"), grid, training, measure="kendall_distance", n_folds=3, seed=1)
    means = {
        (weights, k): np.mean(
            [
                evaluate_model(
                    ModelChoice("knn").with_params(weights=weights, n_neighbors=k).build(),
                    training,
                    fold.split,
                    measures=["kendall_distance"],
                ).frame()["value"]
                for fold in folds
            ]
        )
        for weights in grid["weights"]
        for k in grid["n_neighbors"]
    }
    assert (chosen["weights"], chosen["n_neighbors"]) == min(means, key=means.get)


def test_a_grid_that_no_fold_can_try_is_refused():
    with pytest.raises(ValueError, match="at most"):
        tune(ModelChoice("knn"), {"n_neighbors": [500]}, load_sample("drinks"),
             measure="kendall_tau_score")  # fmt: skip


def test_nested_tuning_never_sees_the_test_part(monkeypatch):
    data = load_sample("vehicle")
    unit = units(
        config(data=["vehicle"], methods=[{"key": "knn", "tune": {"n_neighbors": [1, 5, 21]}}])
    )[0]
    seen = []

    def spy(choice, grid, training, **options):
        seen.append(training)
        return tune(choice, grid, training, **options)

    monkeypatch.setattr("labelrank_core.experiments.units.tune", spy)
    result = run_unit(unit, data)
    split = cross_validation(data)[0].split
    assert np.array_equal(seen[0].X, data.X[split.train])
    assert result.chosen["n_neighbors"] in (1, 5, 21)
    assert result.seconds_tune > 0


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


SMALL = config(
    data=["iris", "drinks"],
    methods=[{"key": "knn"}, {"key": "forest", "params": {"n_estimators": 5}}],
    protocol={"n_folds": 3, "n_repeats": 2, "stratify": True},
)


def n_attempts(store):
    with closing(sqlite3.connect(store.home / "experiments.sqlite")) as connection:
        return connection.execute("SELECT count(*) FROM attempts").fetchone()[0]


def run_small(store, **options):
    experiment = read_config(SMALL)
    datasets = store.datasets(experiment, store.home)
    every = units_of(experiment, datasets)
    run_units(every, {d.fingerprint: d for d in datasets}, store, **options)
    return store.frame(every)


def test_results_do_not_depend_on_the_workers(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        threads = run_small(Store(tmp_path / "threads"), executor=pool, n_at_once=3)
    # Processes as workers: as a program of its own, below.
    assert_same_results(run_small(Store(tmp_path / "alone")), threads)


def test_what_is_there_is_not_trained_again(store):
    run_small(store)
    n = n_attempts(store)
    assert n == 2 * 2 * 3 * 2
    run_small(store)
    assert n_attempts(store) == n


def test_a_training_that_cannot_be_done_is_named_and_the_others_go_on(store):
    experiment = Experiment(
        (DataSource("sample", ("drinks",)),),
        (Method(ModelChoice("knn").with_params(n_neighbors=10_000)), Method(ModelChoice("forest"))),
        Protocol(n_folds=2),
    )
    name = store.create(experiment)
    datasets = store.datasets(experiment, store.home)
    every = units_of(experiment, datasets)
    assert store.begin(name, "me", every)
    progress = run_units(every, {d.fingerprint: d for d in datasets}, store)
    assert (progress.n_done, progress.n_failed, progress.n_units) == (2, 2, 4)
    assert "10000" in store.failures(name)[0]
    assert store.status(name).n_failed == 2


def test_workers_are_bounded_by_processors_and_memory(monkeypatch):
    data = [load_sample("iris")]
    assert 1 <= most_workers(data) <= (os.cpu_count() or 1)
    monkeypatch.setattr("labelrank_core.experiments.run._memory", lambda: 1 << 30)
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert most_workers(data) == 1
    monkeypatch.setattr("labelrank_core.experiments.run._memory", lambda: 64 << 30)
    assert 1 < most_workers(data) < 64 * 2


class TestCommandLine:
    def test_names_are_harmless_in_a_terminal_and_titles_in_a_spreadsheet(self, tmp_path, capsys):
        store = Store(tmp_path / "home")
        title = "=HYPERLINK(1)"
        text = config(
            name="\x1b[2J\x1b]0;mine\x07 \u202edesrever",
            data=["drinks"],
            methods=[{"key": "knn", "title": title}],
            protocol={"n_folds": 2},
        )
        experiment = read_config(text)
        run = store.create(experiment)
        datasets = store.datasets(experiment, store.home)
        run_units(units_of(experiment, datasets), {d.fingerprint: d for d in datasets}, store)
        assert main(["--home", str(store.home), "list"]) == 0
        listed = capsys.readouterr().out
        assert listed.removesuffix("\n").isprintable()
        assert "[2J" in listed
        assert "desrever" in listed
        assert main(["--home", str(store.home), "export", run, str(tmp_path / "a.csv")]) == 0
        methods = pd.read_csv(tmp_path / "a.csv")["method"]
        assert set(methods) == {f"'{title}"}

    def test_an_experiment_runs_is_listed_exported_and_deleted(self, tmp_path, capsys):
        home, path = tmp_path / "home", tmp_path / "small.json"
        path.write_text(SMALL)

        def command(*words):
            code = main(["--home", str(home), *words])
            return code, capsys.readouterr().out

        # As a program of its own, with workers; all else it does alone.
        words = ["run", str(path), "--workers", "2", "--csv", str(tmp_path / "a.csv")]
        done = subprocess.run(
            [sys.executable, "-m", "labelrank_core", "--home", str(home), *words],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "24/24 trainings" in done.stderr
        assert_same_results(run_small(Store(tmp_path / "alone")), run_small(Store(home)))
        assert n_attempts(Store(home)) == 24
        code, listed = command("list")
        assert code == 0
        assert "finished" in listed
        name = listed.split()[0]
        assert command("export", name, str(tmp_path / "b.csv")) == (0, "")
        assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
        assert command("delete", name)[0] == 0
        assert command("list") == (0, "")
        assert command("export", name, str(tmp_path / "c.csv"))[0] == 2

    def test_paths_count_from_the_configs_folder(self, tmp_path, monkeypatch):
        rows = "\n".join(f"{i},{1 + i % 2},{2 - i % 2}" for i in range(12))
        (tmp_path / "mine.csv").write_text(f"x,L1,L2\n{rows}\n")
        source = {"files": ["mine.csv"], "choices": {"target_form": "positions"}}
        (tmp_path / "c.json").write_text(config(data=[source], protocol={"n_folds": 2}))
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        words = ["run", str(tmp_path / "c.json"), "--csv", "r.csv", "--workers", "1"]
        assert main(["--home", str(tmp_path / "home"), *words]) == 0
        data = pd.read_csv(tmp_path / "elsewhere" / "r.csv")["data"]
        assert set(data) == {"mine"}

    def test_a_wrong_config_ends_with_2_and_one_sentence(self, tmp_path, capsys):
        gone = [{"files": ["no.csv"]}]
        odd = [{"files": ["c.json"], "choices": {"roles": 7, "missing": ["x"]}}]
        texts = ["{", "[" * 100_000, config(data=["nothing"]), config(data=gone), config(data=odd)]
        for text in [*texts, b"\xff\xfe", "x" * 2_000_000, None]:
            path = tmp_path / "c.json"
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            assert main(["--home", str(tmp_path / "home"), "run", str(path)]) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert len(line) < 1000

    @pytest.mark.parametrize("n", ["0", "-3", "two", "9" * 5000])
    def test_a_wrong_number_of_workers_ends_with_2(self, n, capsys):
        with pytest.raises(SystemExit) as ended:
            main(["run", "x.json", "--workers", n])
        assert ended.value.code == 2
        assert "expected a number from 1 on" in capsys.readouterr().err
