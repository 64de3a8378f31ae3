"""Wrong files: what is wrong, in which line and column, and what to do about it."""

import io
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labelrank_core import Dataset, DatasetError
from labelrank_core.data.findings import Finding, Severity, group_findings
from labelrank_core.io import inspect_files, read_dataset, sources
from labelrank_core.io.formats import text

pytestmark = pytest.mark.usefixtures("in_this_program")

GOOD = "x,y,L1,L2,L3\n1,5,1,2,3\n2,7,2,3,1\n3,6,3,1,2\n4,9,1,3,2\n5,8,2,1,3\n"
RELEVANCE = "x,L1,L2\n1.5,0,1\n2.5,1,0\n3.5,1,1\n"
WORDS = "x,r\n1,b>a>c\n2,a>b=c\n3,c>a>b\n4,a>c>b\n"


def errors_of(content, **choices):
    """The errors that reading raises, after checking that inspecting does not raise."""
    data = content.encode() if isinstance(content, str) else content
    proposal = inspect_files(("t.csv", data))
    assert all(isinstance(issue, Finding) for issue in proposal.findings)
    with pytest.raises(DatasetError) as caught:
        read_dataset(("t.csv", data), **choices)
    return [issue for issue in caught.value.findings if issue.severity is Severity.ERROR]


def the_error(content, code, **choices):
    (issue,) = [issue for issue in errors_of(content, **choices) if issue.code == code]
    assert issue.message.endswith(".")
    assert issue.hint.endswith((".", '".'))
    return issue


def warning_of(content, code, **choices):
    data = read_dataset(("t.csv", content.encode()), **choices)
    (issue,) = [issue for issue in data.findings if issue.code == code]
    assert issue.severity is Severity.WARNING
    return issue


def changed(line, new, text=GOOD):
    lines = text.splitlines()
    lines[line - 1] = new
    return "\n".join(lines) + "\n"


# Files that hold no table.


@pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe", b",,,\n,,,\n"])
def test_an_empty_file(content):
    issues = errors_of(content)
    assert [issue.code for issue in issues] == ["empty-file"]
    assert "column names" in issues[0].hint


def test_a_header_without_rows():
    issue = the_error("x,y,L1,L2\n", "no-rows")
    assert issue.row == 1
    assert "Add a row" in issue.hint


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (bytes(range(256)) * 40, "not a text file"),
        (b"x,L1,L2\n1,\x00,2\n", "not a text file"),
        (b"PK\x03\x04" + bytes(100), "not a text file"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "not a text file"),
    ],
)
def test_binary_files(content, what):
    issue = the_error(content, "not-text")
    assert what in issue.message
    assert "save it as CSV" in issue.hint


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("<?xml version='1.0'?><labels/>", "XML"),
        ("<!DOCTYPE html><html></html>", "web page"),
        ('{"x": 1}', "JSON"),
    ],
)
def test_other_formats(content, what):
    assert what in the_error(content, "other-format").message


def test_a_mark_for_utf_16_before_something_else():
    assert "UTF-8" in the_error(b"\xff\xfe\x00\xd8\x41", "encoding").hint


def test_a_file_that_does_not_exist(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path, "bad\0name.csv"):
        (issue,) = inspect_files(path).findings
        assert issue.code == "unreadable-file"
        with pytest.raises(DatasetError, match="cannot be opened"):
            read_dataset(path)


def test_no_file_and_two_files():
    for files in ([], [("a.csv", GOOD.encode()), ("b.csv", GOOD.encode())]):
        with pytest.raises(DatasetError, match="Expected one file"):
            read_dataset(files)


def test_a_file_over_the_size_limit(monkeypatch):
    monkeypatch.setattr(sources, "MAX_BYTES", 20)
    issue = the_error(GOOD, "too-large")
    assert "MB" in issue.message
    assert "sample" in issue.hint
    assert inspect_files(io.BytesIO(GOOD.encode())).findings[0].code == "too-large"


def test_more_lines_columns_or_cells_than_the_limit(monkeypatch):
    monkeypatch.setattr(text, "MAX_LINES", 4)
    assert "4 lines" in the_error(GOOD, "too-large").message
    monkeypatch.undo()
    monkeypatch.setattr(text, "MAX_LINE_LENGTH", 8)
    assert the_error(GOOD, "too-large").row == 1
    monkeypatch.undo()
    monkeypatch.setattr("labelrank_core.io.formats.delimited.MAX_TEXT_CELLS", 10)
    assert "10 cells" in the_error(GOOD, "too-large", target_form="positions").message
    monkeypatch.undo()
    assert "20000 columns" in the_error("a," * 20_001 + "\n", "too-large").message


def test_5000_columns_are_read_in_seconds():
    rng = np.random.default_rng(0)
    labels = rng.permuted(np.tile(np.arange(1, 6), (30, 1)), axis=1)
    names = [f"A{j}" for j in range(4995)] + [f"L{j}" for j in range(1, 6)]
    rows = [",".join(names)]
    rows += [",".join(map(str, [*rng.integers(0, 9, 4995), *labels[i]])) for i in range(30)]
    start = time.perf_counter()
    data = read_dataset(("wide.csv", "\n".join(rows).encode()), target_form="positions")
    assert (data.n_features, data.n_labels) == (4995, 5)
    assert time.perf_counter() - start < 20


# Rows and columns that do not fit together.


def test_rows_with_too_few_and_too_many_fields():
    content = changed(3, "2,7,2,3")
    content = changed(5, "4,9,1,3,2,8", content)
    content = changed(6, "5,8,2,1", content)
    few, many = [
        issue for issue in errors_of(content, target_form="positions") if issue.code == "ragged-row"
    ]
    assert (few.row, few.count) == (3, 2)
    assert few.message.startswith("expected 5 fields, found 4.")
    assert "1 more line: 6" in few.message
    assert (many.row, many.count) == (5, 1)
    assert "double quotes" in many.hint


def test_every_row_has_one_field_more_than_the_header():
    issue = the_error("x,L1,L2\na,1,1,2\nb,2,2,1\n", "header-length")
    assert issue.row == 1
    assert "names 3 columns, but every row has 4 fields" in issue.message


def test_a_title_above_the_header():
    assert the_error("My data\n" + GOOD, "header-length").row == 1


def test_a_quote_that_does_not_close():
    issue = the_error(changed(4, '3,"6,3,1,2'), "quotes", target_form="positions")
    assert issue.row == 4
    assert "Close the quote" in issue.hint


def test_text_after_a_closing_quote():
    issue = the_error(changed(4, '3,"6"x,3,1,2'), "quotes", target_form="positions")
    assert issue.row == 4


def test_a_repeated_column_name():
    issue = the_error("x,L1,x,L2\n1,1,5,2\n2,2,6,1\n", "duplicate-column")
    assert (issue.row, issue.column) == (1, "x")
    assert "columns 1, 3" in issue.message


def test_one_column():
    assert "commas" in the_error("x\n1\n2\n", "one-column").hint
    assert "commas" in the_error("x y\n1 2\n2 1\n", "one-column").hint


def test_one_row():
    assert "two" in the_error("x,L1,L2\n1,1,2\n", "one-row").hint


def test_no_feature():
    assert "'feature'" in the_error("L1,L2\n1,2\n2,1\n", "no-features").hint


def test_one_label():
    issue = the_error("x,y,L1\n1.5,2,1\n2.5,3.5,1\n", "one-label", roles={"L1": "label"})
    assert issue.column == "L1"
    assert "at least two" in issue.message


def test_no_label():
    issues = errors_of("x,y\n1.5,2.5\n2.5,3.5\n")
    assert {issue.code for issue in issues} == {"choose-roles", "no-labels"}
    assert "roles=" in next(issue.hint for issue in issues if issue.code == "choose-roles")


# Cells that are not what they should be.


def test_text_in_a_column_of_numbers():
    issue = the_error(changed(4, "3,abc,3,1,2"), "not-a-number", target_form="positions")
    assert (issue.row, issue.column) == (4, "y")
    assert "'abc'" in issue.message


def test_equal_errors_are_one_that_counts_them():
    rows = "".join(f"{i},n{i},1,2\n" for i in range(30)) + "1,1,2,1\n" * 40
    issue = the_error("x,y,L1,L2\n" + rows, "not-a-number")
    assert (issue.row, issue.count) == (2, 30)
    assert "29 more lines: 3, 4, 5, 6, ..." in issue.message


@pytest.mark.parametrize("cell", ["", "NaN", "?", "NA", " "])
def test_a_missing_feature_value(cell):
    content = changed(4, f"3,{cell},3,1,2")
    issue = the_error(content, "missing-value", target_form="positions")
    assert (issue.row, issue.column) == (4, "y")
    assert "leave the row out" in issue.hint


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e400"])
def test_an_infinite_feature_value(cell):
    content = changed(4, f"3,{cell},3,1,2")
    issue = the_error(content, "not-finite", target_form="positions")
    assert (issue.row, issue.column) == (4, "y")
    assert f"'{cell}'" in issue.message


@pytest.mark.parametrize("cell", ["1_000", "0x1F", "1 000", "$5", "5%", "True", "١", "1,000.5"])
def test_what_only_looks_like_a_number_is_none(cell):
    content = changed(4, f'3,"{cell}",3,1,2')
    assert the_error(content, "not-a-number", target_form="positions").row == 4


def test_a_position_that_is_too_high():
    issue = the_error(changed(4, "3,6,3,7,2"), "not-a-position", target_form="positions")
    assert (issue.row, issue.column) == (4, "L2")
    assert "found '7', but positions must be whole numbers from 1 to 3" in issue.message
    assert "1 (best) to 3" in issue.hint


@pytest.mark.parametrize("cell", ["-1", "1.7", "inf"])
def test_a_position_that_is_none(cell):
    content = changed(4, f"3,6,3,{cell},2")
    issue = the_error(content, "not-a-position", target_form="positions")
    assert (issue.row, issue.column) == (4, "L2")


def test_text_in_a_label_column():
    issue = the_error(changed(4, "3,6,3,best,2"), "not-a-number", target_form="positions")
    assert (issue.row, issue.column) == (4, "L2")


def test_a_gap_in_the_positions():
    content = "x,L1,L2,L3,L4\n1,1,2,3,4\n2,2,3,4,1\n3,1,1,2,4\n4,4,3,2,1\n"
    issue = the_error(content, "gap", target_form="positions")
    assert issue.row == 4
    assert "position 3 is missing" in issue.message
    assert "without gaps" in issue.hint


def test_zero_as_a_position():
    content = changed(4, "3,6,2,0,1")
    choices = {"target_form": "positions", "unranked": "blank"}
    issue = the_error(content, "zero-position", **choices)
    assert (issue.row, issue.column) == (4, "L2")
    assert "unranked='zero'" in issue.hint
    rankings = read_dataset(("t.csv", content.encode()), target_form="positions").rankings
    assert np.isnan(rankings).sum() == 1
    assert np.isnan(rankings[2, 1])


def test_positions_counted_from_zero():
    content = "x,L1,L2,L3\n1,0,1,2\n2,1,2,0\n3,2,0,1\n"
    issues = errors_of(content, target_form="positions")
    assert {issue.code for issue in issues} == {"zero-position"}
    assert "add 1" in issues[0].hint


def test_orders_with_a_label_twice_or_a_hole():
    content = "x,L1,L2,L3\n1,1,2,3\n2,2,3,1\n3,3,3,1\n4,1,,2\n5,4,1,2\n"
    choices = {"target_form": "orders", "unranked": "blank"}
    issue = the_error(content, "not-an-order", **choices)
    assert (issue.row, issue.count) == (4, 2)
    assert the_error(content, "not-a-label-number", **choices).row == 6


@pytest.mark.parametrize(
    ("cell", "code"), [("2", "not-relevance"), ("", "missing-relevance"), ("yes", "not-a-number")]
)
def test_relevance_that_is_neither_0_nor_1(cell, code):
    content = changed(3, f"2.5,1,{cell}", RELEVANCE)
    issue = the_error(content, code, target_form="relevance")
    assert (issue.row, issue.column) == (3, "L2")


@pytest.mark.parametrize(
    ("cell", "what"),
    [("a>>b", "a name is missing"), ("a>b>a", "'a' occurs more than once"), ("{a>b", "braces")],
)
def test_a_ranking_in_words_that_is_none(cell, what):
    issue = the_error(changed(3, f"2,{cell}", WORDS), "not-an-ordering")
    assert (issue.row, issue.column) == (3, "r")
    assert what in issue.message
    assert "b>a>c" in issue.hint


def test_a_label_that_nearly_no_row_knows():
    rows = "x,r\n" + "".join(f"{i},a>b>c\n" for i in range(12)) + "5,a>b>d\n6,c>a>b\n"
    issue = the_error(rows, "unknown-label")
    assert (issue.row, issue.column) == (14, "r")
    assert "'d'" in issue.message
    assert "a, b, c" in issue.hint


def test_a_label_ranked_once_in_partial_data_is_a_label():
    data = read_dataset(("t.csv", b"x,r\n1,a>b\n2,b>c\n3,a>c\n4,c>aa\n5,b>a\n"))
    assert data.label_names == ("a", "aa", "b", "c")
    assert data.n_samples == 5


def test_more_labels_in_words_than_can_be_read(monkeypatch):
    monkeypatch.setattr("labelrank_core.io.build.texts.MAX_LABELS", 2)
    issue = the_error(WORDS, "too-many-labels")
    assert (issue.column, "more than can be read" in issue.message) == ("r", True)
    # No text holds more than two, all of them together do.
    issue = the_error("x,r\n1,a>b\n2,b>c\n3,a>c\n", "too-many-labels")
    assert (issue.column, "more than 2 different labels" in issue.message) == ("r", True)


def test_a_zero_column_needs_complete_positions():
    content = "x,L1,L2,zero\n1,1,3,2\n2,1,,2\n3,3,2,1\n"
    assert the_error(content, "partial-calibrated").row == 3
    issue = the_error(RELEVANCE, "zero-column", roles={"x": "zero"}, target_form="relevance")
    assert "positions" in issue.hint


def test_words_that_are_no_split():
    content = "x,part,L1,L2\n1,train,1,2\n2,test,2,1\n3,validation,2,1\n"
    issue = the_error(content, "split-word", roles={"part": "split"})
    assert (issue.row, issue.column) == (4, "part")
    issue = the_error(content.replace("test", "train"), "split-part", roles={"part": "split"})
    assert issue.column == "part"


def test_two_targets_or_two_splits():
    content = "x,L1,L2,r\n1,1,2,a>b\n2,2,1,b>a\n"
    assert "Choose one" in the_error(content, "too-many-targets", roles={"L1": "label"}).hint
    roles = {"x": "split", "L1": "split"}
    assert "Keep one" in the_error(content, "two-splits", roles=roles).hint


# Choices that do not fit.


def test_unknown_columns_roles_and_forms():
    assert "'x', 'y'" in the_error(GOOD, "unknown-column", roles={"z": "label"}).hint
    issue = the_error(GOOD, "unknown-role", roles={"x": "labels"})
    assert issue.column == "x"
    assert "'label'" in issue.hint
    assert "'orders'" in the_error(GOOD, "unknown-target-form", target_form="order").hint


@pytest.mark.parametrize(
    ("content", "form"), [(GOOD, "ordering_strings"), (WORDS, "orders"), (WORDS, "relevance")]
)
def test_a_form_that_the_columns_cannot_have(content, form):
    assert "Choose" in the_error(content, "target-form", target_form=form).hint


# What is unusual and no error.


def test_columns_of_text_are_a_warning_that_names_them():
    issue = warning_of("x,city,L1,L2\n1,Rome,1,2\n2,Oslo,2,1\n", "text-column")
    assert issue.column == "city"
    assert "0/1" in issue.hint
    issue = warning_of("x,city,sex,L1,L2\n1,Rome,m,1,2\n2,Oslo,f,2,1\n", "text-column")
    assert "'city', 'sex'" in issue.message


def test_rows_without_any_ranked_label_are_a_warning():
    issue = warning_of("x,r\n1,a>b\n2,\n3,b>a\n", "nothing-ranked")
    assert issue.row == 3


def test_names_are_only_text():
    name = '<img src=x onerror="alert(1)"> **b** =cmd()'
    quoted = name.replace('"', '""')
    data = read_dataset(("t.csv", f'"{quoted}",L1,L2\n1,1,2\n2,2,1\n'.encode()))
    assert data.feature_names == (name,)


# Findings.


def test_findings_of_one_kind_are_grouped_whatever_value_they_name():
    found = [
        Finding("a", Severity.WARNING, f"found '{v}'.", row=row, column="x")
        for row, v in ((9, "p"), (4, "q"))
    ]
    other = Finding("b", Severity.ERROR, "found nothing.")
    first, second = group_findings([*found, other])
    assert first == other
    assert (second.row, second.count) == (4, 2)
    assert str(second) == "Line 4, column 'x': found 'q'. The same in 1 more line: 9."


# Anything at all.


def reads_or_says_why(data):
    proposal = inspect_files(("t.csv", data))
    for form in (None, proposal.target_form):
        for skip in (False, True):
            with suppress(DatasetError):
                data_set = read_dataset(
                    proposal, roles=proposal.roles, target_form=form, skip_bad_rows=skip
                )
                assert isinstance(data_set, Dataset)


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    reads_or_says_why(data)


CELLS = st.sampled_from(
    ["", "0", "1", "2", "3", "1,5", "1.5", "-1", "inf", "nan", "?", "a>b", "a=b", "{a,b}>c", ">",
     "x", '"', '""', '"a,b"', " 1 ", "1e400", "train", "test", "\r", "9" * 400, "é", "zero", "L1"]
)  # fmt: skip


@settings(max_examples=200)
@example([["", "inf"], ["inf", ""], ["inf", ""]], ",", "")
@example([["1", "m²>b"], ["2", "b>m²"]], ",", "x,r\n")
@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=6),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["", "x,L1,L2,L3\n", "x,r\n", "a,b,c,zero\n"]),
)
def test_any_cells_are_read_or_refused(rows, delimiter, header):
    body = "\n".join(delimiter.join(row) for row in rows)
    reads_or_says_why((header.replace(",", delimiter) + body).encode())


@settings(max_examples=200)
@given(
    st.sampled_from([GOOD, RELEVANCE, WORDS]),
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 1), st.binary(max_size=3)), max_size=4
    ),
)
def test_damaged_files_are_read_or_refused(content, damages):
    data = content.encode()
    for place, n_lost, new in damages:
        cut = place % (len(data) + 1)
        data = data[:cut] + new + data[cut + n_lost :]
    reads_or_says_why(data)


numbers = st.floats(-1e70, 1e70).filter(lambda x: x == 0 or abs(x) >= 1e-70)


@settings(max_examples=100)
@given(st.lists(st.tuples(numbers, st.permutations([1, 2, 3])), min_size=2, max_size=8))
def test_what_is_written_is_read(rows):
    lines = ["x,L1,L2,L3", *(",".join(map(repr, [x, *ranks])) for x, ranks in rows)]
    data = read_dataset(("t.csv", "\n".join(lines).encode()), target_form="positions")
    assert data.X[:, 0].tolist() == [x for x, _ in rows]
    assert data.Y.tolist() == [list(ranks) for _, ranks in rows]
