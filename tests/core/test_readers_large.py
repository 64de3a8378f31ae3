"""Large delimited files: what pyarrow reads is what reading row by row finds."""

import gc
import re
import weakref
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyarrow import csv

from labelrank_core import DatasetError
from labelrank_core.io import inspect_files, read_dataset
from labelrank_core.io.build import finding_list
from labelrank_core.io.cells import is_missing
from labelrank_core.io.formats import delimited

pytestmark = pytest.mark.usefixtures("in_this_program")

CELLS = ["1", "2", "3", "1", "2", "3", "0", "0.5", "-1.25", "7.0", "007", "+3", " 2", "1e-3", ""]
ODD = [
    "a", "nan", "NA", "inf", "-Infinity", "1e400", "9" * 400, "1.5", "12345678901234567890",
    "True", "0x1F", "1_000", "--1", "1e", ".", "1.", ".5", "1 2", "\x0b1", "\x1a", "é", "\r", '"1"',
    "?", "  ", "a>b", "train", "4.9406564584124654e-324", "123456789.123456789", "- 1", "1d5", "%",
]  # fmt: skip


def as_numbers(findings):
    """Findings with the numbers they quote, however the file writes them or that there is none."""

    def number(text):
        try:
            return "" if is_missing(text) else f"{float(text):g}"
        except ValueError:
            return text

    def numbers(quoted):
        if is_missing(quoted[1]):
            return "an empty cell"
        return "'" + ", ".join(number(text.strip()) for text in quoted[1].split(",")) + "'"

    return [
        replace(finding, message=re.sub("'([^']*)'", numbers, finding.message))
        for finding in findings
    ]


def both(data, monkeypatch, **choices):
    """What is found and read without a detour, and as text."""
    results = []
    for least in (0, 10**12):
        monkeypatch.setattr(delimited, "LARGE_BYTES", least)
        monkeypatch.setattr(delimited, "_BLOCK", 64)
        monkeypatch.setattr(delimited, "_n_threads", lambda: 3)
        # Columns are told apart: which of them say the same depends on how a cell was written.
        monkeypatch.setattr(finding_list, "_SEVERAL", 10**9)
        proposal = inspect_files(("t.csv", data))
        seen = [proposal.roles, proposal.target_form, proposal.open_choices]
        seen += as_numbers(proposal.findings)
        seen += [[column.why for column in proposal.columns], proposal.encoding, proposal.format]
        for skip in (False, True):
            try:
                dataset = read_dataset(proposal, skip_bad_rows=skip, **choices)
            except DatasetError as error:
                seen += as_numbers(error.findings)
            else:
                seen += [dataset.fingerprint, *as_numbers(dataset.findings)]
        results.append((proposal, seen))
    return results


def is_fast(proposal):
    return proposal.table is not None and not any(
        proposal.raw.is_text(j) for j in range(len(proposal.raw.names))
    )


def table(rows, delimiter=",", header="x,L1,L2,L3", end="\n"):
    return end.join([header.replace(",", delimiter), *(delimiter.join(row) for row in rows)])


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield monkeypatch


@pytest.mark.parametrize(
    "lines",
    [
        "1,1,2\n\n2,2,1\n",
        "1,1,2\r\n\r\n2,2,1\r\n",
        # A return alone makes up for the empty line.
        "1,1,2\n2,2,1\r3,1,2\n\n4,2,1\n",
        "1,1,2\n,,\n2,2,1\n",
        "1,1,2\r\n,,\r\n2,2,1\r\n",
        "1,1,2\n2,2,1\n\n",
        "1,1,2\n,2,1\n3,,2\n4,1,\n",
    ],
)
def test_empty_lines_and_rows_are_noted_either_way(monkeypatch, lines):
    (_, fast), (_, slow) = both(f"x,L1,L2\n{lines}".encode(), monkeypatch)
    assert fast == slow


ROWS = st.lists(st.lists(st.sampled_from(CELLS), min_size=4, max_size=4), min_size=1, max_size=8)


@settings(max_examples=150)
@given(
    ROWS,
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["x,L1,L2,L3", "x,y,L1,L2", "0.5,1,2,3", "a,b,c,zero", "sep=;\nx,L1,L2,L3"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.sampled_from(["positions", "orders", "relevance", None]),
)
def test_numbers_mean_the_same_either_way(patch, rows, delimiter, header, end, last, form):
    text = table(rows, delimiter, header, end) + end * last
    (_, fast), (_, slow) = both(text.encode(), patch, target_form=form, missing="fill")
    assert fast == slow


@settings(max_examples=300)
@example([["1", "1", "2", "3"]] * 3, [(1, 0, "é")], ",", False)
@example([["1", "1", "-1.25", "1"], ["1", "7.0", "1", "7.0"]], [(0, 1, "a")], ",", False)
@example(
    [["1", "1", "1", ""], ["1", "2", "3", "3"], ["1", "1e-3", "", "1"]], [(0, 0, "nan")], ",", False
)
@given(
    ROWS,
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 5), st.sampled_from(ODD)),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_anything_else_is_found_as_in_text(patch, rows, changes, delimiter, blank):
    rows = [list(row) for row in rows]
    for i, j, cell in changes:
        row = rows[i % len(rows)]
        row[j : j + 1] = [cell]  # beyond the end: one field more
    text = table(rows, delimiter) + ("\n\n" if blank else "\n")
    (_, fast), (_, slow) = both(text.encode(), patch, target_form="positions")
    assert fast == slow


@settings(max_examples=150)
@given(
    ROWS,
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 2), st.binary(max_size=2)), max_size=3
    ),
)
def test_damaged_files_are_found_as_in_text(patch, rows, damages):
    data = table(rows).encode()
    for place, n_lost, new in damages:
        cut = place % (len(data) + 1)
        data = data[:cut] + new + data[cut + n_lost :]
    (_, fast), (_, slow) = both(data, patch, target_form="positions")
    assert fast == slow


@pytest.mark.parametrize("rows", [["1,1,2", "2,2", "3,1,2,1"], ["3,1,2,1", "1,1,2", "2,2"]])
@pytest.mark.parametrize("at", [0, 20])
def test_rows_too_long_and_too_short_do_not_make_up_for_each_other(monkeypatch, rows, at):
    good = ["5,1,2"] * 20
    text = "x,L1,L2\n" + "\n".join([*good[:at], *rows, *good[at:]])
    (fast, seen), (_, expected) = both(text.encode(), monkeypatch)
    assert not is_fast(fast)
    assert seen == expected


def test_regular_numbers_do_take_the_short_way(monkeypatch):
    for text in (
        "x,L1,L2\n1,1,2\n2,2,1\n",
        "x;L1;L2\r\n1.5;1;2\r\n;2;1",
        "0.5,1,2\n0.1,2,1\n",
        "sep=\t\nx\tL1\tL2\n1\t1\t2\n2\t2\t1\n",
    ):
        (fast, seen), (slow, expected) = both(text.encode(), monkeypatch)
        assert is_fast(fast)
        assert not is_fast(slow)
        assert seen == expected


@pytest.mark.parametrize(
    "text",
    [
        "x,L1,L2\n1,1,2\n\n2,2,1\n",
        "x,L1,L2\n1,1,2\n2,2\n1,2,1,1\n",
        'x,L1,L2\n1,"1",2\n2,2,1\n',
        "x,L1,L2\n1,1,2\r2,2,1\n",
        "x,L1,L2\n1,1,2\n,,\n",
        "x,L1,L2\n1,1,2\ninf,2,1\n",
        "\nx,L1,L2\n1,1,2\n",
        "x,L1,L2\n",
    ],
)
def test_what_is_not_regular_is_read_as_text(monkeypatch, text):
    (fast, _), _ = both(text.encode(), monkeypatch)
    assert not is_fast(fast)


@pytest.mark.parametrize(("line", "others"), [(1, False), (40, True)])
def test_text_in_the_first_row_makes_a_column_text_and_later_text_all(monkeypatch, line, others):
    rows = [["x", "L1", "L2"], *([f"{i}", "1", "2"] for i in range(100))]
    rows[line][0], rows[line + 1][0], rows[43][2] = "big", "NA", "?"
    text = "\n".join(map(",".join, rows))
    (fast, seen), (_, expected) = both(text.encode(), monkeypatch, target_form="positions")
    assert [fast.raw.is_text(j) for j in range(3)] == [True, others, others]
    assert seen == expected
    found = {(finding.row, finding.column): finding.message for finding in fast.errors}
    assert found[line + 1, "x"] == "found 'big', which is not a number."
    assert found[line + 2, "x"] == "found 'NA', but a value is needed."


@pytest.mark.parametrize("odd", ["big", "NA", "7"])
@pytest.mark.parametrize("other", ["big", "7"])
def test_text_in_parts_is_found_as_in_text(monkeypatch, odd, other):
    files = [
        (name, f"x,L1,L2\n1,1,2\n{cell},2,1\n3,1,2\n".encode())
        for name, cell in (("f-train.csv", odd), ("f-test.csv", other))
    ]
    found = []
    for least in (0, 10**12):
        monkeypatch.setattr(delimited, "LARGE_BYTES", least)
        found.append(as_numbers(inspect_files(files).findings))
    assert found[0] == found[1]


def test_numbers_are_exact(monkeypatch):
    monkeypatch.setattr(delimited, "LARGE_BYTES", 0)
    rng = np.random.default_rng(0)
    values = rng.uniform(size=3000) * 10.0 ** rng.integers(-300, 300, size=3000)
    lines = [f"{value!r},1,2" for value in values.tolist()]
    proposal = inspect_files(("t.csv", ("x,L1,L2\n" + "\n".join(lines)).encode()))
    assert is_fast(proposal)
    assert (proposal.raw.numbers[:, 0] == values).all()


@pytest.mark.parametrize(("other", "is_one"), [("2", True), ("2.5", False)])
def test_a_decimal_comma_is_one_where_no_column_has_points(monkeypatch, other, is_one):
    monkeypatch.setattr(delimited, "LARGE_BYTES", 0)
    text = f"x;y;L1;L2\n1,5;{other};1;2\n2;{other};2;1\n"
    assert inspect_files(("t.csv", text.encode())).raw.decimal_comma is is_one


@pytest.mark.parametrize(("bound", "cell"), [("MAX_NUMBERS", "1"), ("MAX_TEXT_CELLS", "a")])
def test_more_cells_than_can_be_read_are_refused(monkeypatch, bound, cell):
    monkeypatch.setattr(delimited, "LARGE_BYTES", 0)
    monkeypatch.setattr(delimited, bound, 1)
    proposal = inspect_files(("t.csv", f"x,L1,L2\n{cell},1,2\n{cell},2,1\n".encode()))
    assert "too-large" in {finding.code for finding in proposal.errors}


def test_pyarrow_reads_without_threads_that_may_wait_for_ever(monkeypatch):
    asked = []

    def read_csv(data, options, *others):
        asked.append(options.use_threads)
        return csv.read_csv(data, options, *others)

    reader = SimpleNamespace(**{**vars(csv), "read_csv": read_csv})
    modules = {"pyarrow": pyarrow, "pyarrow.csv": reader}
    monkeypatch.setattr(delimited, "LARGE_BYTES", 0)
    monkeypatch.setattr(delimited, "import_module", modules.__getitem__)
    assert is_fast(inspect_files(("t.csv", b"x,L1,L2\n1,1,2\n2,2,1\n")))
    assert set(asked) == {False}


def test_without_pyarrow_rows_are_read_one_by_one(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(delimited, "LARGE_BYTES", 0)
    monkeypatch.setattr(delimited, "import_module", missing)
    proposal = inspect_files(("t.csv", b"x,L1,L2\n1,1,2\n2,2,1\n"))
    assert proposal.raw.is_text(0)
    assert not proposal.errors


def test_a_table_is_freed_as_soon_as_nobody_uses_it():
    proposal = inspect_files(("t.csv", b"x,L1,L2\n1,1,2\n2,2,1\na,1,2\n"))
    read_dataset(proposal, target_form="positions", skip_bad_rows=True)
    table = weakref.ref(proposal.raw)
    gc.disable()  # large tables must not wait for it
    try:
        del proposal
        assert table() is None
    finally:
        gc.enable()
