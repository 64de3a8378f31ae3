"""What is written is read back, apart from what the format is said to lose."""

import numpy as np
import pytest
from hypothesis import given, settings

from labelrank_core import Dataset, Task, read_dataset
from labelrank_core.data import Column, Schema
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.io import inspect_files, write_dataset
from labelrank_core.io.export import WRITERS
from tests.written import (
    content,
    datasets,
    in_any_order,
    losses_of,
    without,
    writable_formats,
)

pytestmark = pytest.mark.usefixtures("in_this_program")

KEYS = [form.key for form in WRITERS]


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=25)
@given(datasets())
def test_only_what_is_stated_is_lost(key, data):
    check_round_trip(key, data)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=2000)
@given(datasets())
def test_only_what_is_stated_is_lost_in_many_cases(key, data):
    check_round_trip(key, data)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("task", Task)
@pytest.mark.parametrize("n_ranked", [4, 2])
def test_targets_without_features_are_read_back(key, task, n_ranked):
    Y = np.array([[1, 2, 3], [2, 1, 3], [2, 2, 1], [1, 3, 2]], dtype=float)
    if task is Task.MULTILABEL:
        Y = (Y == 1).astype(float)
    elif task is not Task.CALIBRATED_RANKING:
        Y[n_ranked:] = np.nan
    if task is Task.PAIR_PREFERENCES:
        Y = PairPreferences.from_rankings(Y).signs
    names = ["a", "b", "c"][: 3 - (task is Task.CALIBRATED_RANKING)]
    data = Dataset(
        X=np.empty((4, 0)), Y=Y, task=task, feature_names=(), label_names=names, name="targets"
    )
    check_round_trip(key, data)


@pytest.mark.parametrize("key", ["mulan", "mulan-sparse", "meka"])
def test_a_feature_that_looks_like_identifiers_or_a_split_is_stated(key):
    schema = Schema((Column("id"), Column("w"), Column("part", "nominal", ("train", "test"))))
    X = np.array([[3, 0.5, 1], [1, 0.5, 0], [2, 1.5, 0]])
    data = Dataset(
        X=X, Y=[[0, 1], [1, 0], [1, 1]], task=Task.MULTILABEL, schema=schema,
        feature_names=schema.feature_names, label_names=["a", "b"], name="odd",
    )  # fmt: skip
    (finding,) = [each for each in losses_of(data, key) if each.code == "lost-roles"]
    assert (finding.count, "'id', 'part'" in finding.message) == (2, True)
    check_round_trip(key, data)


def check_round_trip(key, data):
    losses = {form.key: losses for form, losses in writable_formats(data)}
    if key in losses:
        again = content(read_again(write_dataset(data, key), losses[key]))
        left = without(data, losses[key])
        if key == "preflib":
            again, left = in_any_order(again), in_any_order(left)
        assert again == left


def read_again(files, losses):
    """Read files; that columns are features is chosen where it is stated to be lost."""
    proposal = inspect_files(files)
    assert proposal.certain
    odd = [
        name
        for name, role in proposal.roles.items()
        if role in ("ignore", "split") and name not in proposal.raw.file.roles
    ]
    stated = sum(finding.count for finding in losses if finding.code == "lost-roles")
    assert len(odd) == stated, odd
    return read_dataset(proposal, roles=dict.fromkeys(odd, "feature") if odd else None)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_published_files_lose_only_what_is_stated(key, benchmark_data):
    written = 0
    for data in published(benchmark_data):
        losses = {form.key: losses for form, losses in writable_formats(data)}.get(key)
        if losses is not None and not any(issue.code == "too-large-to-read" for issue in losses):
            check_round_trip(key, data)
            written += 1
    assert written


def published(folder):
    """Every published file; of those that come in two parts both together."""
    mulan, raw = folder / "mulan", folder / "raw"
    positions = {"target_form": "positions"}
    for path in sorted((folder / "kebi").glob("*.csv")):
        yield read_dataset(path, **positions)
    yield read_dataset(raw / "iris_dense.xls", **positions)
    yield read_dataset(raw / "heat.xls", target_form="orders")
    for path in sorted((folder / "yahoo").glob("*.svm.gz")):
        yield read_dataset(path)
    for name in ("emotions", "yeast", "medical"):
        yield read_dataset(
            [mulan / f"{name}{part}" for part in ("-train.arff", "-test.arff", ".xml")]
        )
    yield read_dataset([mulan / "flags.arff", mulan / "flags.xml"])
    for path in sorted(raw.glob("*.xarff")):
        yield read_dataset(path)
