"""What is computed from a file follows its size: memory, work, and how long one call may take."""

import gc
import sys
import tracemalloc
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

from labelrank_core import DatasetError
from labelrank_core.io import inspect_files, read, read_dataset, reading_preview
from labelrank_core.io.build import features, finding_list, texts
from labelrank_core.io.cells import CELLS_AT_ONCE, Cells, Coded, SparseCells, release
from labelrank_core.io.datasets import propose_again
from labelrank_core.io.formats import parquet
from labelrank_core.io.infer import roles
from labelrank_core.io.infer.choices import missing_values, unranked_values
from labelrank_core.io.infer.ratings import add_ratings
from labelrank_core.io.limits import max_answer, max_features, max_positions
from labelrank_core.io.vocabulary import Role, TargetForm
from tests.fuzz import growth
from tests.fuzz.bombs import BOMBS, different_texts, same_numbers, wide
from tests.fuzz.growth import KINDS, table, visit

pytestmark = pytest.mark.usefixtures("in_this_program")

# A million texts, and the files with which other threads wait longest.
LONGEST = ("gzip-3", "wide-1", "wide-2", "wide-4", "same-number-5")
# Such a file took 2 400 MB.
N_BYTES = 30_000
N_NUMBERS = max_answer(N_BYTES) // 8


def joined(sign, n_names):
    return sign.join(f"{j:x}" for j in range(n_names))


def categories(words, n_rows):
    codes = np.arange(n_rows, dtype=np.int32) % len(words)
    return {"x": np.arange(float(n_rows)), "y": Coded(codes, words)}


def ranked_columns(n_labels):
    n_rows = max_positions(N_BYTES) // n_labels
    ranks = np.tile(np.arange(1.0, n_labels + 1), (n_rows, 1))
    ranks[::2, :2] = 1.5
    return {f"L{j}": ranks[:, j] for j in range(n_labels)}


def sparse_cells():
    n_features = max_features(N_BYTES)
    rows = 1_500
    names = tuple(f"f{j}" for j in range(n_features))
    far = np.full(rows, n_features - 1, dtype=np.int32)
    return SparseCells(names, np.ones(rows), far, np.arange(rows + 1), is_open=True)


# The worst that the child program may return for a file of such a size.
WORST = {
    "a ranking in every row": lambda: {"columns": categories([joined(">", 33_000)], 1_000)},
    "a list in every row": lambda: {"columns": categories([joined(";", 33_000)], 1_000)},
    "long rankings": lambda: {
        "columns": categories([joined(">", 4_000 + k) for k in range(40)], 10_000)
    },
    "long lists": lambda: {
        "columns": categories([joined(";", 300 + k) for k in range(40)], N_NUMBERS // 4)
    },
    "numbers": lambda: {"columns": {f"a{j}": np.zeros(N_NUMBERS // 10) for j in range(10)}},
    "ranks": lambda: {"columns": ranked_columns(5)},
    "many ranks": lambda: {"columns": ranked_columns(500)},
    "categories": lambda: {
        "columns": {
            **categories([f"c{k}" for k in range(1_000)], N_NUMBERS // 4),
            "a": np.ones(N_NUMBERS // 4),
            "b": np.zeros(N_NUMBERS // 4),
        },
        "roles": {"a": Role.LABEL, "b": Role.LABEL},
        "form": TargetForm.RELEVANCE,
        "nominal": ["y"],
    },
    "sparse": lambda: {
        "columns": {"L1": np.ones(1_500), "L2": np.zeros(1_500)},
        "sparse": sparse_cells(),
        "roles": {"L1": Role.LABEL, "L2": Role.LABEL},
        "form": TargetForm.RELEVANCE,
    },
}


def cells(name):
    parts = WORST[name]()
    n_rows = len(next(iter(parts["columns"].values())))
    return Cells("t", lines=np.arange(1, n_rows + 1), format="t", n_bytes=N_BYTES, **parts)


def look(content, monkeypatch):
    """Look at a file, or at what the child program returned for one."""
    is_file = isinstance(content, bytes)
    if not is_file:
        monkeypatch.setattr("labelrank_core.io.datasets.read_files", lambda *_: content)
    return inspect_files(("a.csv", content if is_file else b""))


def confirm(proposal):
    """Do what each run of Data does with a proposal: correct, preview and read."""
    roles = dict(proposal.roles)
    again = propose_again(proposal, roles)
    again.raw.head(5, 50)
    missing_values(again)
    unranked_values(again)
    for choices in ({"roles": roles}, {"roles": roles, "skip_bad_rows": True}):
        with suppress(DatasetError):
            assert read_dataset(again, **choices).fingerprint
    if list(roles.values()).count(Role.LABEL) > 1:
        reading_preview(proposal)


@pytest.mark.parametrize("name", WORST)
def test_no_step_takes_more_memory_than_the_size_of_a_file_allows(name, monkeypatch):
    worst = cells(name)
    gc.collect()
    tracemalloc.start()
    try:
        confirm(look(worst, monkeypatch))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 32_000_000


def steps_of_python(work, *arguments):
    """Count the instructions of Python that some work takes."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count


def is_linear(small, middle, large):
    return large - middle <= 2.5 * (middle - small) + 0.05 * small


@pytest.mark.parametrize("cell", ["1.5", "", "x", "a;b"])
def test_twice_the_columns_or_rows_take_twice_the_work_at_most(cell, monkeypatch):
    confirm(look(wide(6, 6, cell), monkeypatch))  # what happens in the first run alone
    for sizes in ([(6, 12 * n) for n in (1, 2, 4)], [(12 * n, 6) for n in (1, 2, 4)]):
        files = [wide(*size, cell) for size in sizes]
        assert is_linear(*(steps_of_python(look, file, monkeypatch) for file in files))
    for sizes in ([(6, 150 * n) for n in (1, 2, 4)], [(150 * n, 6) for n in (1, 2, 4)]):
        proposals = [look(wide(*size, cell), monkeypatch) for size in sizes]
        assert is_linear(*(steps_of_python(confirm, proposal) for proposal in proposals))


def count_calls(monkeypatch, owner, name):
    """Count the calls of a function from now on, as a list of their first arguments."""
    calls, function = [], getattr(owner, name)

    def call(*arguments, **keywords):
        calls.append(arguments[0])
        return function(*arguments, **keywords)

    monkeypatch.setattr(owner, name, call)
    return calls


def test_many_short_columns_of_text_are_made_and_parsed_together(monkeypatch):
    calls = [count_calls(monkeypatch, pd, name) for name in ("concat", "to_numeric")]
    proposal = inspect_files(("t.csv", wide(3, 500, "x")))
    assert proposal.table["g499"].tolist() == ["x", "x", "x"]
    assert max(map(len, calls)) <= 2


def test_columns_are_looked_at_once(monkeypatch):
    looked_at = count_calls(monkeypatch, roles, "_held_in_words")
    proposal = inspect_files(("t.csv", wide(3, 40, "x")))
    propose_again(proposal, {**proposal.roles, "g0": "feature"})
    assert len(looked_at) == 40


def test_the_same_finding_about_many_columns_stands_once():
    raw = inspect_files(("t.csv", wide(3, 40, "x"))).raw
    found = finding_list.FindingList(raw)
    for name in raw.names:
        found.note("text-column", "text that is not used.", column=name)
    assert len({id(finding) for finding, *_ in found._entries}) == 1


def test_only_columns_with_errors_are_looked_at_for_them(monkeypatch):
    proposal = inspect_files(("a.parquet", same_numbers(5, 400)))
    refused = count_calls(monkeypatch, finding_list.FindingList, "refuse")
    with suppress(DatasetError):
        read_dataset(proposal, roles=dict.fromkeys(proposal.roles, "label"), target_form="scores")
    assert len(refused) < 10


@pytest.mark.parametrize("bomb", ["long-text-1", "long-text-2"])
def test_text_that_is_too_long_is_refused_before_it_is_written_out(bomb, monkeypatch):
    monkeypatch.setattr(parquet, "_column", None)
    name, make = BOMBS[bomb]
    (finding,) = inspect_files((name, make())).findings
    assert finding.code == "too-large"
    assert "characters" in finding.message


def test_text_of_a_small_file_has_a_bound(monkeypatch):
    monkeypatch.setattr(read, "max_answer", lambda _: 20)
    assert read._bounded(Cells("t", {"a": ["x" * 10] * 2}, np.arange(2)), 1).columns
    (finding,) = read._bounded(Cells("t", {"a": ["x" * 11] * 2}, np.arange(2)), 1).findings
    assert finding.code == "too-large"


def test_rows_of_many_labels_are_shuffled_a_few_at_a_time():
    numbers = np.ones((5, 10_000))
    numbers[:, ::3] = 7
    add_ratings(numbers, (TargetForm.POSITIONS,))
    tracemalloc.start()
    try:
        add_ratings(numbers, (TargetForm.POSITIONS,))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 16 * numbers.nbytes


def test_names_are_collected_until_they_are_too_many():
    def rankings():
        for number in range(2 * texts.MAX_LABELS):
            looked_at.append(number)
            yield (f"a{number}", 1)

    looked_at = []
    assert len(texts._different(rankings())) == len(looked_at) == texts.MAX_LABELS + 1


@pytest.mark.parametrize("text", ["a{} > b", "a{};b;b", "a{} > a{}"])
def test_different_texts_are_no_work_for_the_garbage_collector(text):
    """A million of them, in lists or objects, would hold up other threads at each collection."""
    raw = inspect_files(("t.csv", different_texts(5_000, text.replace("{}", "{0}")))).raw
    read = texts.read_lists if ";" in text else texts.read_orderings
    numbers, largest, thresholds = [], [], gc.get_threshold()
    before = {id(tracked) for tracked in gc.get_objects()}

    def look(phase, _):
        if phase == "start":
            tracked = gc.get_objects()
            new = [
                one for one in tracked if isinstance(one, (list, dict)) and id(one) not in before
            ]
            numbers.append(len(tracked))
            largest.append(max(map(len, new), default=0))

    gc.set_threshold(200, 1, 1)
    gc.callbacks.append(look)
    try:
        read(raw, 0, finding_list.FindingList(raw))
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*thresholds)
    # Where hardly anything is tracked, there are few collections.
    assert numbers
    assert max(numbers) - numbers[0] < 2_000
    assert max(largest) < 2_000


def test_objects_are_dropped_a_block_at_a_time(monkeypatch):
    monkeypatch.setattr("labelrank_core.io.cells.CELLS_AT_ONCE", 3)
    dropped = []

    class Noting(np.ndarray):
        def __setitem__(self, rows, value):
            dropped.append(rows)
            super().__setitem__(rows, value)

    objects = np.array(list("abcdefg"), dtype=object).view(Noting)
    release(objects)
    assert dropped == [slice(0, 3), slice(3, 6), slice(6, 9)]
    assert objects.tolist() == [None] * 7


@pytest.mark.parametrize("text", ["customer {}", "{} > b", "{}; b"])
def test_texts_are_counted_as_too_many_before_they_are_sorted(text, monkeypatch):
    n_sorted = 0

    def count(order):
        def key(name):
            nonlocal n_sorted
            n_sorted += 1
            return order(name)

        return key

    for module in (features, texts):
        monkeypatch.setattr(module, "natural_order", count(module.natural_order))
    proposal = inspect_files(("t.csv", different_texts(20_000, text)))
    assert proposal.findings
    assert n_sorted <= texts.MAX_LABELS


def test_no_call_of_a_library_looks_at_more_cells_of_text_than_let_other_threads_run(monkeypatch):
    longest = 0

    def measure(function):
        def call(values, *arguments, **keywords):
            nonlocal longest
            if not isinstance(values, np.ndarray) or values.dtype.kind == "O":
                longest = max(longest, len(values))
            return function(values, *arguments, **keywords)

        return call

    for name in ("factorize", "to_numeric", "unique", "array"):
        monkeypatch.setattr(pd, name, measure(getattr(pd, name)))
    n_rows = 2 * CELLS_AT_ONCE + 1
    rows = "".join(f"{i % 7},{i % 9},a{i},{1 + i % 2},{2 - i % 2}\n" for i in range(n_rows))
    proposal = inspect_files(("t.csv", b"x,c,name,l1,l2\n" + rows.encode()))
    read_dataset(proposal, roles={**proposal.roles, "c": "feature", "name": "ignore"})
    assert 0 < longest <= CELLS_AT_ONCE


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_tables_of_every_kind_are_read_or_refused_with_a_reason(number):
    # `tests/run fuzz growth` reads 8 400 of them, and measures what they cost.
    for sample in range(number, 3 * len(KINDS), len(KINDS)):
        visit(("t.csv", table(sample)))


@pytest.mark.usefixtures("in_a_child")
@pytest.mark.parametrize("bomb", ["ranked-category-2", "counted-1", "declared-1", "far-1"])
def test_a_small_file_that_grows_is_refused_or_read(bomb):
    name, make = BOMBS[bomb]
    visit((name, make()))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel's sizes of a program")
@pytest.mark.parametrize(
    "bomb", ["different-2", *(pytest.param(name, marks=pytest.mark.slow) for name in LONGEST)]
)
def test_no_call_of_a_reading_keeps_other_threads_waiting(bomb):
    """A column of 1 000 000 different texts once stopped every thread for 4.5 s."""
    (result,) = growth.in_a_worker([bomb])
    assert result["verdict"] == "fine", result
    assert result["silence"] < 0.2
