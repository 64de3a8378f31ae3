"""What is written is read back, apart from what the format is said to lose."""

import pytest
from hypothesis import given, settings

from labelrank_core import read_dataset
from labelrank_core.io import inspect_files, write_dataset
from labelrank_core.io.export import WRITERS
from tests.written import content, datasets, in_any_order, without, writable_formats

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


def check_round_trip(key, data):
    losses = {form.key: losses for form, losses in writable_formats(data)}
    if key in losses:
        again, left = content(read_again(write_dataset(data, key))), without(data, losses[key])
        if key == "preflib":
            again, left = in_any_order(again), in_any_order(left)
        assert again == left


def read_again(files):
    """Read files; ARFF does not say that what looks like row numbers or a split is a feature."""
    proposal = inspect_files(files)
    assert proposal.certain
    odd = [c.name for c in proposal.columns if c.why in ("row numbers", "the words train and test")]
    return read_dataset(proposal, roles=dict.fromkeys(odd, "feature"))


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
