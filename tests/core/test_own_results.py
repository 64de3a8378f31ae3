"""Results from elsewhere join an experiment: an own estimator on the same folds, a CSV file."""

import io
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.data.splits import cross_validation
from labelrank_core.experiments import (
    DataSource,
    Experiment,
    Method,
    Protocol,
    ResultsError,
    join_results,
    read_results,
    results_frame,
    results_of,
    run_unit,
    units_of,
)
from labelrank_core.experiments.results import write_results
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import kendall_tau_score
from labelrank_core.rankings import strict_positions

pytestmark = pytest.mark.usefixtures("in_this_program")
IRIS, OUTINGS = load_sample("iris"), load_sample("outings")
FEW = Protocol(n_folds=3, seed=4)


def experiment(protocol=FEW):
    method = Method(ModelChoice("knn", (("n_neighbors", 5),), scaled=False))
    found = Experiment((DataSource("sample", ("iris",)),), (method,), protocol)
    return results_frame([(unit, run_unit(unit, IRIS)) for unit in units_of(found, [IRIS])])


def test_an_estimator_of_the_package_gets_what_an_experiment_gives_it():
    protocol = Protocol(n_folds=3, seed=4, missing=(0.0, 0.3), train_shares=(1.0, 0.5))
    theirs = experiment(protocol)
    own = results_of(KNeighborsLabelRanker(n_neighbors=5), [IRIS], protocol, name="mine")
    place = ["missing", "train_share", "repeat", "fold", "measure"]
    both = theirs.merge(own, on=["data", *place], suffixes=("", "_own"))
    assert len(both) == len(theirs) == len(own)
    assert (both["value"] == both["value_own"]).all()


def test_numbers_that_a_regression_predicts_order_the_labels_and_join_the_leaderboard():
    own = results_of(Ridge(), [IRIS], FEW, name="ridge")
    fold = cross_validation(IRIS, n_folds=3, seed=4)[1].split
    model = Ridge().fit(IRIS.X[fold.train], IRIS.rankings[fold.train])
    predicted = strict_positions(model.predict(IRIS.X[fold.test]))
    expected = kendall_tau_score(IRIS.rankings[fold.test], predicted)
    value = own[(own["fold"] == 1) & (own["measure"] == "kendall_tau_score")]["value"]
    assert value.item() == expected
    board = leaderboard(join_results(experiment(), own), "kendall_tau_score")
    assert set(board.methods) == {"ridge", "k-NN label ranking (n_neighbors=5, not scaled)"}
    assert board.n_folds("iris") == 3


def test_a_classifier_of_scikit_learn_is_measured_on_label_sets():
    own = results_of(KNeighborsClassifier(1), [OUTINGS], FEW, name="nearest")
    # Its probabilities order the labels.
    assert {"hamming_loss", "macro_f1_score", "average_precision_score"} <= set(own["measure"])
    assert set(own["fold"]) == {0, 1, 2}


def csv(**columns):
    return io.BytesIO(pd.DataFrame(columns).to_csv(index=False).encode())


def test_a_file_comes_back_as_it_was_written(tmp_path):
    theirs = experiment()
    theirs.to_csv(tmp_path / "results.csv", index=False)
    again = read_results(tmp_path / "results.csv")
    pd.testing.assert_frame_equal(again, theirs, check_dtype=False, rtol=1e-12)


def test_four_columns_are_enough():
    found = read_results(
        csv(data=["iris"], method=["<b>"], measure=["kendall_tau_score"], value=[0.5])
    )
    row = found.iloc[0]
    assert (row["missing"], row["train_share"], row["repeat"], row["fold"]) == (0, 1, 0, 0)
    board = leaderboard(found, "kendall_tau_score")
    assert board.methods == ("<b>",)
    # Nobody said how long it took.
    assert np.isnan(board.frame()["seconds"].item())
    with pytest.raises(ValueError, match=r"Expected a measure \(kendall_tau_score, .*got 'tau'"):
        leaderboard(found, "tau")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measure": ["tau", "tau"]}, "Row 2, column measure: found 'tau'"),
        ({"fold": [0, 0.5]}, "Row 3, column fold: expected a number, found '0.5'"),
        ({"fold": [0, -1]}, "Row 3, column fold: expected a number, found"),
        ({"value": [0.1, "good"]}, "Row 3, column value: expected a number, found 'good'"),
        ({"fold": [1, 1]}, "Method 'A' is there twice on 'iris', repetition 0, fold 1."),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place(change, said):
    good = {
        "data": ["iris"] * 2,
        "method": ["A"] * 2,
        "measure": ["kendall_tau_score"] * 2,
        "value": [0.1, 0.2],
        "fold": [0, 1],
    }
    assert len(read_results(csv(**good))) == 2
    with pytest.raises(ResultsError, match=said.replace("(", r"\(")):
        read_results(csv(**(good | change)))


def test_what_is_no_table_of_results_is_refused():
    with pytest.raises(ResultsError, match="found no data, method, measure, value among x"):
        read_results(io.BytesIO(b"x,y\n1,2\n"))
    for content in (b"", b"\xff\xfe\x00data,method\n", b"data,method,measure,value\n"):
        with pytest.raises(ResultsError, match="Expected a CSV file of results"):
            read_results(io.BytesIO(content))


def test_what_a_program_leaves_blank_is_missing():
    row = "iris,{},kendall_tau_score,{},{}\n"
    head = "data,method,measure,value,seconds_fit\n"
    found = read_results(io.BytesIO((head + row.format("NA", "", "nan")).encode()))
    assert found["method"].tolist() == ["NA"]
    assert found[["value", "seconds_fit"]].isna().all(axis=None)
    with pytest.raises(ResultsError, match="Row 2, column value: expected a number, found 'x'"):
        read_results(io.BytesIO((head + row.format("A", "x", "")).encode()))


@pytest.mark.usefixtures("in_a_child")
def test_a_file_that_would_take_the_server_is_read_beside_it(monkeypatch):
    # 0.6 MB of commas took pandas a minute and 600 MB.
    wide = b"data,method,measure,value" + b"," * 300_000 + b"\na,b,c,1" + b"," * 300_000 + b"\n"

    def here(*_, **__):
        raise AssertionError

    monkeypatch.setattr(pd, "read_csv", here)
    tracemalloc.start()
    with pytest.raises(ResultsError, match="columns"):
        read_results(io.BytesIO(wide))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000


def test_a_title_that_a_spreadsheet_would_run_comes_back_from_an_exported_file(tmp_path):
    theirs = experiment().assign(method="=HYPERLINK(1)")
    write_results(theirs, tmp_path / "results.csv")
    assert set(pd.read_csv(tmp_path / "results.csv")["method"]) == {"'=HYPERLINK(1)"}
    assert set(read_results(tmp_path / "results.csv")["method"]) == {"=HYPERLINK(1)"}
