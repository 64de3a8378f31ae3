"""Exports of an experiment from the command line, and folds of one's own."""

import json

import numpy as np
import pandas as pd
import pytest

from labelrank_core import PairPreferences, load_sample, read_dataset
from labelrank_core.__main__ import main
from labelrank_core.experiments import (
    ConfigError,
    read_config,
    read_folds,
    units_of,
    with_fold_files,
)
from labelrank_core.experiments.export import PREDICTION_COLUMNS, write_latex
from labelrank_core.experiments.store import Store
from labelrank_core.experiments.units import parts_of, run_unit, split_of
from labelrank_core.metrics import METRICS, kendall_tau_score, log_loss, pair_tau_score
from tests.core.test_leaderboard import results

KNN = {"key": "knn", "params": {"n_neighbors": 3}, "title": "k-NN_3"}
TUNED = {"key": "knn", "tune": {"n_neighbors": [1, 5]}, "title": "tuned"}
FOREST = {"key": "forest", "params": {"n_estimators": 3}, "title": "forest"}
MLKNN = {"key": "mlknn", "params": {"n_neighbors": 5}}


def write_config(folder, **config):
    path = folder / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def run(tmp_path, **config):
    """Run an experiment from a config file; return the arguments of its store, and its id."""
    home = ["--home", str(tmp_path / "home")]
    path = write_config(tmp_path, **config)
    assert main([*home, "run", str(path), "--workers", "1"]) == 0
    return home, Store(tmp_path / "home").ids()[0]


class TestExport:
    def test_rows_seeds_and_versions_of_every_fold(self, tmp_path):
        protocol = {"n_folds": 3, "n_repeats": 2, "seed": 5}
        home, name = run(tmp_path, data=["iris"], methods=[KNN, FOREST], protocol=protocol)
        out = tmp_path / "out"
        assert main([*home, "export", name, "--folds", "--folder", str(out)]) == 0
        folds = pd.read_csv(out / "folds.csv")
        data = load_sample("iris")
        units = units_of(Store(tmp_path / "home").experiment(name)[0], [data])
        for unit in units:
            split = split_of(unit.protocol, data, unit.repeat, unit.fold)
            rows = folds[(folds["repeat"] == unit.repeat) & (folds["fold"] == unit.fold)]
            for part in ("train", "test"):
                written = rows.loc[rows["set"] == part, "row"].to_numpy()
                np.testing.assert_array_equal(written, getattr(split, part) + 1)
        assert len(folds) == 6 * data.n_samples
        trainings = pd.read_csv(out / "trainings.csv")
        assert len(trainings) == 12
        assert trainings.loc[trainings["method"] == "k-NN_3", "random_state"].isna().all()
        states = trainings.loc[trainings["method"] == "forest", "random_state"]
        assert states.nunique() == 6
        assert (trainings["seed"] == 5).all()
        versions = json.loads((out / "versions.json").read_text(encoding="utf-8"))
        assert versions["numpy"] == np.__version__
        assert versions["config"]["protocol"]["seed"] == 5
        assert versions["data"] == [{"name": "iris", "fingerprint": data.fingerprint}]

    def test_predictions_give_the_stored_values(self, tmp_path):
        home, name = run(tmp_path, data=["iris"], methods=[TUNED], protocol={"n_folds": 3})
        out = tmp_path / "out"
        assert main([*home, "export", name, "--predictions", "--folder", str(out)]) == 0
        table = pd.read_csv(out / "predictions.csv")
        assert tuple(table) == PREDICTION_COLUMNS
        data, store = load_sample("iris"), Store(tmp_path / "home")
        results = store.results(units_of(store.experiment(name)[0], [data]))
        assert len(table) == data.n_samples * data.n_labels
        for unit, result in results:
            wide = table[table["fold"] == unit.fold].pivot_table(
                index="row", columns="label", values=["true_position", "position"]
            )
            tau = kendall_tau_score(wide["true_position"], wide["position"])
            assert tau == pytest.approx(result.values["kendall_tau_score"])
        assert table[["true_relevance", "relevant", "probability"]].isna().all(axis=None)

    def test_predictions_of_label_sets_have_probabilities(self, tmp_path):
        home, name = run(tmp_path, data=["outings"], methods=[MLKNN], protocol={"kind": "holdout"})
        assert main([*home, "export", name, "--predictions", "--folder", str(tmp_path)]) == 0
        table = pd.read_csv(tmp_path / "predictions.csv")
        wide = table.pivot_table(
            index="row", columns="label", values=["true_relevance", "probability"]
        )
        store = Store(tmp_path / "home")
        ((_, result),) = store.results(
            units_of(store.experiment(name)[0], [load_sample("outings")])
        )
        value = log_loss(wide["true_relevance"], wide["probability"])
        assert value == pytest.approx(result.values["log_loss"])

    def test_predictions_of_pairs_carry_the_true_pairs(self, tmp_path):
        lines = ["tea>milk|juice>cola", "cola>tea", "milk=tea|cola>milk"] * 8
        rows = "".join(f"{20 + i},{line}\n" for i, line in enumerate(lines))
        (tmp_path / "drinks.csv").write_text(f"age,likes\n{rows}", encoding="utf-8")
        home, name = run(
            tmp_path, data=[{"files": ["drinks.csv"]}], methods=[KNN], protocol={"kind": "holdout"}
        )
        out = tmp_path / "out"
        assert main([*home, "export", name, "--predictions", "--folder", str(out)]) == 0
        table = pd.read_csv(out / "predictions.csv")
        assert table["true_position"].isna().all()
        order = ["cola", "juice", "milk", "tea"]
        wide = table.pivot(index="row", columns="label", values="position")[order]
        texts = table.drop_duplicates("row").set_index("row")["known_pairs"][wide.index]
        written = PairPreferences.from_words(texts, order)
        asked = PairPreferences.from_words([lines[row - 1] for row in wide.index], order)
        np.testing.assert_array_equal(written.signs, asked.signs)
        assert table.groupby("row")["known_pairs"].nunique().eq(1).all()
        ((_, result),) = Store(tmp_path / "home").results(
            units_of(
                Store(tmp_path / "home").experiment(name)[0],
                [read_dataset(tmp_path / "drinks.csv")],
            )
        )
        tau = pair_tau_score(written, wide.to_numpy())
        assert tau == pytest.approx(result.values["pair_tau_score"])

    def test_what_is_measured_differently_again_is_told(self, tmp_path, capsys, monkeypatch):
        home, name = run(tmp_path, data=["iris"], methods=[KNN], protocol={"kind": "holdout"})
        store = Store(tmp_path / "home")
        stored = store.results

        def changed(_, units):
            return [
                (unit, type(result)({"kendall_tau_score": 0.1}, {}, 0.0, 0.0, 0.0, {}))
                for unit, result in stored(units)
            ]

        monkeypatch.setattr(Store, "results", changed)
        assert main([*home, "export", name, "--predictions", "--folder", str(tmp_path)]) == 1
        message = "differs from the stored results: k-NN_3 on iris, repetition 0, fold 0"
        assert message in capsys.readouterr().err

    def test_tables_and_report(self, tmp_path):
        config = {
            "data": ["iris", "wine"],
            "methods": [KNN, {"key": "lrt", "title": "tree"}, FOREST],
        }
        home, name = run(tmp_path, **config, protocol={"n_folds": 3})
        out = tmp_path / "out"
        words = ["--latex", "--report", "--folder", str(out)]
        assert main([*home, "export", name, str(tmp_path / "all.csv"), *words]) == 0
        text = (out / "results.tex").read_text(encoding="utf-8")
        assert text.count(r"\begin{table}") == text.count(r"\toprule")
        assert r"data set & k-NN\_3 & tree & forest \\" in text
        assert r"\label{tab:kendall_tau_score}" in text
        frame = pd.read_csv(tmp_path / "all.csv")
        assert {"position_ndcg_score", "top_weighted_tau_score"} < set(frame["measure"])
        levels = {METRICS[key].level for key in re_labels(text)}
        assert levels == {"main"}
        report = (out / "report.txt").read_text(encoding="utf-8")
        assert "3 methods were compared on 2 data sets by Kendall's tau" in report
        assert (out / "critical-differences-kendall_tau_score.svg").exists()
        assert (out / "critical-differences-kendall_tau_score.pdf").exists()

    def test_a_caption_says_which_data_sets_have_part_in_the_average_ranks(self, tmp_path):
        both, one = results({"A": [0.2], "B": [0.5]}, data="x"), results({"A": [0.7]}, data="y")
        remark = "The average ranks are those over the 1 data set with all methods."
        text = write_latex(tmp_path, pd.concat([both, one]), [], []).read_text(encoding="utf-8")
        assert text.count(remark) == 1
        assert "--" in text
        assert remark not in write_latex(tmp_path, both, [], []).read_text(encoding="utf-8")

    def test_nothing_to_write_is_an_error(self, tmp_path, capsys):
        home, name = run(tmp_path, data=["iris"], methods=[KNN], protocol={"kind": "holdout"})
        assert main([*home, "export", name]) == 2
        assert "one of --latex, --report, --folds, --predictions" in capsys.readouterr().err
        assert main([*home, "export", name, "--report", "--folder", str(tmp_path)]) == 2
        assert "two or more data sets and methods" in capsys.readouterr().err
        (tmp_path / "file").write_text("")
        assert main([*home, "export", name, "--latex", "--folder", str(tmp_path / "file")]) == 6


def re_labels(text):
    return [part.split("}")[0] for part in text.split(r"\label{tab:")[1:]]


class TestGivenFolds:
    def config(self, tmp_path, numbers, **more):
        lines = "\n".join(",".join(map(str, row)) for row in numbers)
        header = ",".join(f"r{i}" for i in range(len(numbers[0])))
        (tmp_path / "folds.csv").write_text(f"{header}\n{lines}\n", encoding="utf-8")
        protocol = {"kind": "given", "fold_files": ["folds.csv"], **more}
        return {"data": ["iris"], "methods": [KNN], "protocol": protocol}

    def units(self, tmp_path, numbers, **more):
        experiment = read_config(json.dumps(self.config(tmp_path, numbers, **more)))
        experiment = with_fold_files(experiment, tmp_path)
        assert read_config(experiment.to_json()) == experiment
        return units_of(experiment, [load_sample("iris")])

    def test_rows_of_a_number_are_tested_together(self, tmp_path):
        data = load_sample("iris")
        first = np.arange(data.n_samples) % 3
        second = np.where(np.arange(data.n_samples) < 100, -1, 7)
        units = self.units(tmp_path, np.column_stack([first, second]).tolist())
        assert [(unit.repeat, unit.fold) for unit in units] == [(0, 0), (0, 1), (0, 2), (1, 0)]
        for unit in units[:3]:
            split = split_of(unit.protocol, data, unit.repeat, unit.fold)
            assert (split.test % 3 == unit.fold).all()
            assert len(split.train) + len(split.test) == data.n_samples
        split = split_of(units[3].protocol, data, 1, 0)
        assert split.test.tolist() == list(range(100, data.n_samples))

    def test_results_are_those_of_the_folds_and_keys_depend_on_them(self, tmp_path):
        data = load_sample("iris")
        numbers = (np.arange(data.n_samples) % 2)[:, None].tolist()
        units = self.units(tmp_path, numbers)
        result = run_unit(units[1], data)
        assert sorted(result.cases["row"].tolist()) == list(range(1, data.n_samples, 2))
        swapped = self.units(tmp_path, [[1 - n] for (n,) in numbers])
        assert units[0].key != swapped[0].key
        assert units[0].key == self.units(tmp_path, numbers)[0].key

    def test_the_command_runs_them_and_needs_the_file_once(self, tmp_path):
        numbers = (np.arange(load_sample("iris").n_samples) % 2)[:, None].tolist()
        home, name = run(tmp_path, **self.config(tmp_path, numbers))
        (tmp_path / "folds.csv").unlink()
        assert main([*home, "run", name, "--workers", "1"]) == 0
        assert main([*home, "export", name, str(tmp_path / "a.csv")]) == 0
        assert set(pd.read_csv(tmp_path / "a.csv")["fold"]) == {0, 1}

    def test_parts_of_data_sets_differ(self):
        folds = [[[0, 1, 2]], [[0, 1], [1, 0]]]
        config = {
            "data": ["iris", "wine"],
            "methods": [KNN],
            "protocol": {"kind": "given", "folds": folds},
        }
        protocol = read_config(json.dumps(config)).protocol
        assert parts_of(protocol.of_data_set(0)) == [(0, 0), (0, 1), (0, 2)]
        assert parts_of(protocol.of_data_set(1)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert protocol.n_parts == 4

    @pytest.mark.parametrize(
        ("numbers", "message"),
        [
            ([[0], [1]], r"150 fold numbers for 'iris', one per row, got 2 in repetition 1\.$"),
            ([[0], [1]] * 74 + [[0]], "got 149 in repetition 1. The first line of a fold file is"),
            ([[0]] * 150, "expected two or more folds for 'iris', or rows with -1"),
        ],
    )
    def test_numbers_must_fit_the_data(self, tmp_path, numbers, message):
        with pytest.raises(ConfigError, match=message):
            self.units(tmp_path, numbers)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "expected a header and one line per row"),
            ("fold\n0\nx\n", "line 3: expected 1 whole numbers from 0 to 99999, or -1, got 'x'"),
            ("a;b\n0;1\n1\n", "line 3: expected 2 whole numbers"),
            ("fold\n0\n-2\n", "line 3"),
            ("fold\n0\n1.0\n", "line 3"),
        ],
    )
    def test_a_wrong_file_is_refused_with_its_line(self, tmp_path, text, message):
        (tmp_path / "f.csv").write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match=message):
            read_folds(tmp_path / "f.csv")

    def test_separators_and_byte_order_marks_are_read(self, tmp_path):
        for text in ("a,b\n0,1\n1,0\n", "\ufeffa;b\r\n0;1\r\n1;0\r\n\r\n", "a\tb\n0\t1\n1\t0"):
            (tmp_path / "f.csv").write_text(text, encoding="utf-8", newline="")
            assert read_folds(tmp_path / "f.csv") == ((0, 1), (1, 0))
        with pytest.raises(ConfigError, match=r"'none\.csv' cannot be read"):
            read_folds(tmp_path / "none.csv")

    @pytest.mark.parametrize(
        ("protocol", "message"),
        [
            ({"kind": "given"}, "either folds or fold_files"),
            ({"folds": [[[0, 1]]]}, "either folds or fold_files"),
            ({"kind": "given", "folds": [[[0, 1]]], "fold_files": ["a"]}, "either folds or"),
            (
                {"kind": "given", "folds": [[[0, "1"]]]},
                r"protocol.folds\[0\]\[0\]: expected a list",
            ),
            ({"kind": "given", "folds": [[[0, True]]]}, r"protocol.folds\[0\]\[0\]"),
            ({"kind": "given", "folds": [[[0, 1]]] * 2}, "folds of all 1 data sets, got 2"),
            ({"kind": "given", "fold_files": [7]}, "protocol.fold_files: expected text"),
        ],
    )
    def test_a_wrong_config_is_refused(self, protocol, message):
        text = json.dumps({"data": ["iris"], "methods": [KNN], "protocol": protocol})
        with pytest.raises(ConfigError, match=message):
            read_config(text)

    def test_fold_files_that_nobody_read_are_refused(self, tmp_path):
        config = self.config(tmp_path, [[0], [1]])
        with pytest.raises(ConfigError, match="are read by `with_fold_files`"):
            units_of(read_config(json.dumps(config)), [load_sample("iris")])
