"""Every ARFF file of the benchmark data loads as it was published."""

import numpy as np
import pandas as pd
import pytest

from labelrank_core import Task, inspect_files, read_dataset

pytestmark = pytest.mark.usefixtures("in_this_program")
# Rows, features as the file has them, labels, rows of the test file.
MULAN = {
    "emotions": (593, 72, 6, 202),
    "yeast": (2417, 103, 14, 917),
    "medical": (978, 1449, 45, 645),
}
# Mean number of labels a case, as lists of these sets print it.
CARDINALITY = {"emotions": 1.869, "yeast": 4.237, "medical": 1.245, "flags": 3.392}


def mulan_files(folder, name, *parts):
    return [*(folder / "mulan" / f"{name}{part}.arff" for part in parts),
            folder / "mulan" / f"{name}.xml"]  # fmt: skip


@pytest.mark.parametrize("name", MULAN)
def test_a_mulan_pair_loads_without_a_question(benchmark_data, name):
    n_rows, n_features, n_labels, n_test = MULAN[name]
    proposal = inspect_files(mulan_files(benchmark_data, name, "-train", "-test"))
    assert proposal.format == "MULAN (ARFF with XML)"
    assert proposal.certain
    data = read_dataset(proposal)
    assert (data.name, data.task) == (name, Task.MULTILABEL)
    assert data.X.shape == (n_rows, n_features)
    assert data.n_labels == n_labels
    assert data.split.sum() == n_test
    assert not data.split[: n_rows - n_test].any()
    assert data.relevance.sum(axis=1).mean() == pytest.approx(CARDINALITY[name], abs=1e-3)
    assert (proposal.raw.sparse is not None) == (name == "medical")


def test_nominal_features_are_columns_as_declared(benchmark_data):
    proposal = inspect_files(mulan_files(benchmark_data, "flags", ""))
    data = read_dataset(proposal)
    assert data.feature_frame().shape == (194, 19)
    assert data.label_names == ("red", "green", "blue", "yellow", "white", "black", "orange")
    assert data.relevance.sum(axis=1).mean() == pytest.approx(CARDINALITY["flags"], abs=1e-3)
    assert proposal.raw.categories(0) == ("1", "2", "3", "4", "5", "6")


def test_the_stale_option_of_medical_is_not_relied_on(benchmark_data):
    proposal = inspect_files(benchmark_data / "mulan" / "medical-train.arff")
    assert "roles" in proposal.open_choices
    with_list = inspect_files(mulan_files(benchmark_data, "medical", "-train"))
    labels = [name for name, role in with_list.roles.items() if role == "label"]
    assert labels[0] == "Class-0-593_70"
    assert len(labels) == 45


@pytest.mark.parametrize(("file", "csv"), [("iris_dense", "iris"), ("heat_dense", "heat")])
def test_xarff_says_the_same_as_the_positions_of_kebi(benchmark_data, file, csv):
    data = read_dataset(benchmark_data / "raw" / f"{file}.xarff")
    table = pd.read_csv(benchmark_data / "kebi" / f"{csv}.csv")
    labels = [name for name in table if name.startswith("L")]
    assert data.label_names == tuple(labels)
    np.testing.assert_array_equal(data.Y, table[labels])
    np.testing.assert_array_equal(data.X, table.drop(columns=labels))


def test_sushi_has_ten_features_of_which_six_are_nominal(benchmark_data):
    proposal = inspect_files(benchmark_data / "raw" / "sushi.xarff")
    data = read_dataset(proposal)
    assert (data.n_samples, data.n_labels) == (5000, 10)
    assert sum(bool(proposal.raw.categories(j)) for j in range(10)) == 6
    assert data.feature_frame().shape == (5000, 10)
    assert data.targets_in_words([0]) == ["f > a > d > e > g > j > i > b > h > c"]
