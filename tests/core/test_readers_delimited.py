import io
from itertools import pairwise

import pytest

from labelrank_core.data.findings import Severity
from labelrank_core.io import inspect_files

pytestmark = pytest.mark.usefixtures("in_this_program")
RANKINGS = "x,L1,L2,L3\n1,1,2,3\n2,2,3,1\n3,3,1,2\n"


def table(text, encoding="utf-8"):
    return inspect_files(("t.csv", text.encode(encoding))).table


def codes(proposal):
    return [issue.code for issue in proposal.findings]


def find(proposal, code):
    return next(issue for issue in proposal.findings if issue.code == code)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_recognised(delimiter, end):
    text = RANKINGS.replace(",", delimiter).replace("\n", end)
    proposal = inspect_files(("t.csv", text.encode()))
    name = {",": "comma", ";": "semicolon", "\t": "tab"}[delimiter]
    assert proposal.format == f"{name}-separated text"
    assert proposal.table.columns.tolist() == ["x", "L1", "L2", "L3"]
    assert proposal.table.index.tolist() == [2, 3, 4]
    assert proposal.table.to_numpy().tolist()[1] == ["2", "2", "3", "1"]


@pytest.mark.parametrize(
    ("encoding", "found", "noted"),
    [
        ("utf-8", "utf-8", False),
        ("utf-8-sig", "utf-8-sig", False),
        ("utf-16", "utf-16", True),
        ("utf-32", "utf-32", True),
        ("latin-1", "cp1252", True),
    ],
)
def test_encodings_are_recognised_and_unusual_ones_noted(encoding, found, noted):
    text = "größe,L1,L2\n1,1,2\n2,2,1\n"
    proposal = inspect_files(("t.csv", text.encode(encoding)))
    assert proposal.table.columns[0] == "größe"
    assert proposal.encoding == found
    assert ("encoding" in codes(proposal)) == noted


def test_bytes_undefined_in_windows_1252_are_read_as_latin_1():
    proposal = inspect_files(("t.csv", b"\x81\xe4,L1,L2\n1,1,2\n2,2,1\n"))
    assert proposal.encoding == "latin-1"


def test_quoted_fields_hold_delimiters_quotes_and_line_breaks():
    text = 'x,"the ""first"", or best","L\n2"\n1,"1","2"\n"\n2\n",2,1\n3,1,2\n'
    frame = table(text)
    assert frame.columns.tolist() == ["x", 'the "first", or best', "L 2"]
    # The header takes lines 1 and 2; the second row takes lines 4 to 6.
    assert frame.index.tolist() == [3, 4, 7]


def test_the_delimiter_is_judged_by_all_lines_not_only_the_first():
    # The header has as many commas as semicolons, the rows have decimal commas.
    frame = table("a,b;c,d\n1,5;2\n2,5;3\n1;4\n")
    assert frame.columns.tolist() == ["a,b", "c,d"]


def test_the_separator_line_of_excel_is_obeyed():
    frame = table("sep=;\nx;L1;L2\n1;1;2\n2;2;1\n")
    assert frame.columns.tolist() == ["x", "L1", "L2"]
    assert frame.index.tolist() == [3, 4]


def test_every_cell_stays_the_text_it_was():
    cells = ["007", " 1.50 ", "NA", "null", "None", "nan", "True", "1e400", "=1+1", "<b>", "0x1F"]
    frame = table("x,y\n" + "\n".join(f"{cell},1" for cell in cells))
    assert frame["x"].tolist() == cells


def test_labels_called_na_null_and_none_keep_their_names():
    proposal = inspect_files(("t.csv", b"x,L:NA,L:null,L:None\n1,1,2,3\n2,2,3,1\n"))
    assert [c.name for c in proposal.columns if c.role == "label"] == ["L:NA", "L:null", "L:None"]


def test_blank_lines_are_skipped_and_counted():
    proposal = inspect_files(("t.csv", b"\nx,L1,L2\n\n1,1,2\n,,\n  \n2,2,1\n\n"))
    assert proposal.table.index.tolist() == [4, 7]
    issue = find(proposal, "blank-lines")
    assert (issue.severity, issue.row, issue.count) == (Severity.INFO, 1, 5)


def test_a_delimiter_at_the_end_of_every_line_makes_an_empty_column_that_is_not_used():
    proposal = inspect_files(("t.csv", b"x,L1,L2,\n1,1,2,\n2,2,1,\n"))
    assert proposal.columns[3].role == "ignore"
    assert "empty-column" in codes(proposal)
    assert not proposal.errors


def test_a_delimiter_at_the_end_of_rows_only_is_cut_off_and_counted():
    proposal = inspect_files(("t.csv", b"x,L1,L2\n1,1,2,\n2,2,1,\n"))
    assert proposal.table.shape == (2, 3)
    assert find(proposal, "surplus-fields").count == 2


def test_spaces_in_names_are_trimmed():
    proposal = inspect_files(("t.csv", b" x  y , L1,L2\n1,1,2\n2,2,1\n"))
    assert proposal.table.columns.tolist() == ["x y", "L1", "L2"]


def test_decimal_commas_are_read_and_noted():
    proposal = inspect_files(("t.csv", b"x;L1;L2\n1,5;1;2\n-2,25e1;2;1\n"))
    assert proposal.raw.numbers[:, 0].tolist() == [1.5, -22.5]
    assert find(proposal, "decimal-comma").severity is Severity.INFO
    quoted = inspect_files(("t.csv", b'x,L1,L2\n"1,5",1,2\n"2,5",2,1\n'))
    assert quoted.raw.numbers[:, 0].tolist() == [1.5, 2.5]


def test_commas_that_may_separate_thousands_are_a_warning():
    proposal = inspect_files(("t.csv", b"x;L1;L2\n1,500;1;2\n2,250;2;1\n"))
    assert find(proposal, "decimal-comma").severity is Severity.WARNING


def test_a_stray_comma_among_decimal_points_is_an_error_in_its_line():
    proposal = inspect_files(("t.csv", b"x;L1;L2\n1.5;1;2\n2,5;2;1\n3.5;2;1\n"))
    issue = find(proposal, "not-a-number")
    assert (issue.row, issue.column) == (3, "x")
    assert "'2,5'" in issue.message


def test_numbers_are_read_to_the_last_digit():
    values = [0.1 + 0.2, 1 / 3, 1e-300, 123456789.123456789, 5e-324, 1.7976931348623157e308]
    text = "x,L1,L2\n" + "".join(f"{value!r},1,2\n" for value in values)
    assert inspect_files(("t.csv", text.encode())).raw.numbers[:, 0].tolist() == values


def test_a_file_without_a_header_gets_names_and_a_warning():
    proposal = inspect_files(("t.csv", b"0.5,1,2,3\n0.6,2,3,1\n0.2,3,1,2\n"))
    assert proposal.table.columns.tolist() == ["c1", "c2", "c3", "c4"]
    assert len(proposal.table) == 3
    issue = find(proposal, "no-header")
    assert (issue.severity, issue.row) == (Severity.WARNING, 1)


def test_files_can_be_paths_open_files_and_pairs(tmp_path):
    path = tmp_path / "fruit.csv"
    path.write_text(RANKINGS)
    stream = io.BytesIO(RANKINGS.encode())
    stream.read()  # an uploaded file that was read before
    stream.name = "fruit.csv"
    with path.open("rb") as opened:
        proposals = [
            inspect_files(path),
            inspect_files(str(path)),
            inspect_files([path]),
            inspect_files(opened),
            inspect_files(stream),
            inspect_files(("fruit.csv", RANKINGS.encode())),
        ]
    assert {proposal.name for proposal in proposals} == {"fruit"}
    assert all(a.table.equals(b.table) for a, b in pairwise(proposals))


def test_what_is_no_file_is_a_mistake_of_the_caller():
    with pytest.raises(TypeError, match="binary mode"):
        inspect_files(io.StringIO(RANKINGS))
    with pytest.raises(TypeError, match="Expected a path"):
        inspect_files(7)
    with pytest.raises(TypeError, match="or a frame, got dict"):
        inspect_files({"x": [1, 2], "ranking": ["a>b", "b>a"]})
