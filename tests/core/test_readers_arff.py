"""ARFF and its relatives: the grammar, and what goes wrong."""

import re
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelrank_core import Dataset, DatasetError, Task
from labelrank_core.data.findings import Severity
from labelrank_core.io import inspect_files, read_dataset
from labelrank_core.io.formats import arff, arff_rows, text
from labelrank_core.io.infer.proposal import Proposal

pytestmark = pytest.mark.usefixtures("in_this_program")

DENSE = """% fruit
@RELATION fruit

@Attribute size REAL
@attribute 'skin colour' {red, 'dark green', "it\\'s blue"}
@attribute a {0,1}
@attribute b {0,1}

@DATA
1.5, red, 0, 1
% a comment
-2e-1 , 'dark green',1,0
?,"it\\'s blue",1,1  % the last
"""
LABELS = b'<?xml version="1.0"?><labels><label name="a"/><label name="b"></label></labels>'
SPARSE = """@relation sparse
@attribute w0 numeric
@attribute w1 numeric
@attribute colour {red,blue}
@attribute a {0,1}
@attribute b {1,0}
@data
{0 2.5, 3 1}
{}
{1 -1e1, 2 blue, 4 0}
"""
RANKED = """@relation ranked
@attribute x numeric
@attribute L RANKING {a,b,c}
@data
1, b>a>c
2, c>a
3, a > b > c
"""


def mulan(text, labels=LABELS):
    return [("f.arff", text.encode()), ("f.xml", labels)]


def raw(text):
    return inspect_files(("f.arff", text.encode())).raw


def errors(files):
    found = inspect_files(files).findings
    return {i.code: i for i in found if i.severity is Severity.ERROR}


def rows(*lines, attributes=("x numeric", "c {red,blue}")):
    head = "".join(f"@attribute {attribute}\n" for attribute in attributes)
    return f"@relation r\n{head}@data\n" + "\n".join(lines)


class TestDense:
    def test_every_kind_of_value_is_read_with_its_line(self):
        frame = raw(DENSE).frame
        assert frame.index.tolist() == [10, 12, 13]
        np.testing.assert_array_equal(frame["size"], [1.5, -0.2, np.nan])
        assert frame["skin colour"].tolist() == ["red", "dark green", "it's blue"]
        assert frame["skin colour"].cat.categories.tolist() == ["red", "dark green", "it's blue"]
        assert frame["a"].tolist() == ["0", "1", "1"]

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
    def test_line_ends_and_encodings_do_not_matter(self, end, encoding):
        text = DENSE.replace("blue", "größe").replace("\n", end)
        proposal = inspect_files(("f", text.encode(encoding)))
        assert proposal.format == "ARFF"
        assert proposal.raw.frame.index.tolist() == [10, 12, 13]
        assert proposal.raw.categories(1)[2] == "it's größe"

    def test_values_may_be_separated_by_tabs_or_spaces_alone(self):
        frame = raw(rows("1\tred", "2  blue", "3,\tred")).frame
        assert frame["x"].tolist() == [1, 2, 3]
        assert frame["c"].tolist() == ["red", "blue", "red"]

    def test_strings_and_dates_are_text(self):
        text = rows(
            "'a, b',2020-01-02,7",
            '?,"3 %",8',
            "a b  , x'y ,9",
            attributes=("s string", 'd date "yyyy-MM-dd"', "x integer"),
        )
        frame = raw(text).frame
        assert frame["s"].tolist() == ["a, b", "", "a b"]
        assert frame["d"].tolist() == ["2020-01-02", "3 %", "x'y"]
        assert frame.dtypes.astype(str).tolist() == ["str", "str", "float64"]

    def test_escapes_in_quotes_are_resolved(self):
        text = rows(
            r"'it\'s \\ \"so\" 5\% \t.'", r'"\u00e4\ud83d\ude00\ud83d"', attributes=("s string",)
        )
        assert raw(text).frame["s"].tolist() == ['it\'s \\ "so" 5% \t.', "ä😀\ufffd"]

    def test_a_missing_category_is_missing(self):
        frame = raw(rows("1,?", "2,", ",red")).frame
        assert frame["c"].isna().tolist() == [True, True, False]
        assert frame["x"].isna().tolist() == [False, False, True]

    def test_numbers_may_name_categories(self):
        frame = raw(rows("1", "2.5", " 3 ", attributes=("c {1,2.5,3}",))).frame
        assert frame["c"].tolist() == ["1", "2.5", "3"]

    def test_numbers_are_read_to_the_last_digit(self):
        values = [0.1 + 0.2, 1 / 3, 1e-300, 123456789.123456789, 5e-324, 1.7976931348623157e308]
        frame = raw(rows(*map(repr, values), attributes=("x numeric",))).frame
        assert frame["x"].tolist() == values

    def test_weights_of_rows_are_read_over_and_noted(self):
        proposal = inspect_files(
            ("f", rows("1,red,{0.5}", "2,blue, {1}", "3,red {2} % so", "{0 4},{3}").encode())
        )
        (issue,) = [i for i in proposal.findings if i.code == "row-weight"]
        assert (issue.severity, issue.row, issue.count) == (Severity.WARNING, 5, 2)
        assert proposal.table["x"].tolist() == [1, 2, 3]

    def test_rows_in_several_blocks_are_one_table(self, monkeypatch):
        text = rows(*(f"{i},{('red', 'blue')[i % 2]}" for i in range(100)))
        whole = raw(text).frame
        monkeypatch.setattr(arff, "_BLOCK_LINES", 7)
        pd.testing.assert_frame_equal(raw(text).frame, whole)


class TestSparse:
    def test_what_is_left_out_is_0_or_the_first_category(self):
        frame = raw(SPARSE).frame
        assert frame.index.tolist() == [8, 9, 10]
        assert frame["w0"].tolist() == [2.5, 0, 0]
        assert frame["w1"].tolist() == [0, 0, -10]
        assert frame["colour"].tolist() == ["red", "red", "blue"]
        assert frame["a"].tolist() == ["1", "0", "0"]
        assert frame["b"].tolist() == ["1", "1", "0"]

    def test_rows_of_numbers_and_others_keep_their_order(self, monkeypatch):
        text = rows(
            "{0 1}", "{0 '2', 1 blue}", "% no", "{ 0 3 , 1 'red' } % so", "{1 ?}", "{0\t5},{2}"
        )
        expected = {"x": [1, 2, 3, 0, 5], "c": ["red", "blue", "red", np.nan, "red"]}
        for size in (1000, 1):
            monkeypatch.setattr(arff, "_BLOCK_LINES", size)
            frame = raw(text).frame
            assert frame.index.tolist() == [5, 6, 8, 9, 10]
            pd.testing.assert_frame_equal(
                frame.reset_index(drop=True).astype({"c": object}),
                pd.DataFrame(expected).astype({"x": float, "c": object}),
            )

    def test_indices_in_another_order_are_sorted(self):
        assert raw(rows("{1 blue, 0 2}", "{1 1, 0 3}", attributes=("x real", "y real"))).file.ragged
        frame = raw(rows("{1 4, 0 2}", "{1 1}", attributes=("x real", "y real"))).frame
        assert frame.to_numpy().tolist() == [[2, 4], [0, 1]]

    def test_text_is_text_and_blank_where_it_is_left_out(self):
        text = rows("{1 'a, b'}", "{0 1}", "{1 x y, 0 2}", attributes=("x real", "s string"))
        assert raw(text).frame["s"].tolist() == ["a, b", "", "x y"]

    def test_many_features_stay_sparse_beside_the_labels(self):
        n = arff.MANY_ATTRIBUTES
        attributes = [*(f"w{i} numeric" for i in range(n)), "binary {0,1}", "late {1,0}"]
        text = rows(
            f"{{2 0.5, {n} 1, {n + 2} 1}}",
            f"{{0 0, {n + 1} 0}}",
            f"{{{n - 1} 3, {n + 3} 1}}",
            attributes=[*attributes, "a {0,1}", "b {0,1}"],
        )
        proposal = inspect_files(mulan(text))
        assert proposal.raw.names == ["late", "a", "b"]
        assert proposal.raw.sparse.matrix.nnz == 3
        assert proposal.raw.sparse.names == (*(f"w{i}" for i in range(n)), "binary")
        data = read_dataset(proposal)
        features = data.feature_frame()
        assert features["w2"].tolist() == [0.5, 0, 0]
        assert features[f"w{n - 1}"].tolist() == [0, 0, 3]
        assert features["binary"].tolist() == [1, 0, 0]
        assert features["late"].tolist() == [1, 0, 1]
        assert data.relevance.tolist() == [[1, 0], [0, 0], [0, 1]]

    def test_a_sparse_and_a_dense_part_are_not_joined(self):
        names = [*"ab", *(f"w{i}" for i in range(arff.MANY_ATTRIBUTES))]
        attributes = [f"{name} {{0,1}}" for name in names]
        dense = rows(*(",".join("01"[(i + j) % 2] for j in range(102)) for i in range(3)),
                     attributes=attributes)  # fmt: skip
        thin = rows("{0 1}", "{1 1}", attributes=attributes)
        files = [("f-train.arff", thin.encode()), ("f-test.arff", dense.encode())]
        assert "only one of them" in errors([*files, ("f.xml", LABELS)])["other-columns"].message


class TestMulan:
    def test_the_xml_names_the_labels(self):
        proposal = inspect_files(mulan(DENSE))
        assert proposal.format == "MULAN (ARFF with XML)"
        assert proposal.certain
        assert [name for name, role in proposal.roles.items() if role == "label"] == ["a", "b"]

    def test_it_wins_over_a_stale_option(self):
        text = DENSE.replace("@RELATION fruit", "@relation 'fruit: -C 2'")
        proposal = inspect_files(mulan(text))
        assert proposal.roles["a"] == "label"
        assert proposal.roles["size"] == "feature"
        assert proposal.certain

    def test_labels_that_are_no_attributes_are_named(self):
        xml = LABELS.replace(b'"b"', b'"bee"')
        assert "'bee'" in errors(mulan(DENSE, xml))["unknown-label"].message

    def test_a_hierarchy_counts_as_a_list(self):
        xml = b'<m:labels xmlns:m="u"><m:label name="a"><m:label name="b"/></m:label></m:labels>'
        proposal = inspect_files(mulan(DENSE, xml))
        assert proposal.roles["b"] == "label"
        assert [i.severity for i in proposal.findings if i.code == "label-hierarchy"] == ["info"]

    @pytest.mark.parametrize(
        ("xml", "code"),
        [
            (b"<labels><label name='a'>", "bad-xml"),
            (b"<labels>\n<label/></labels>", "bad-xml"),
            (b"<?xml version='1.0' encoding='hex'?><labels/>", "bad-xml"),
            (b"<?xml version='1.0' encoding='utf-7'?><labels/>", "bad-xml"),
            (b"<labels></labels><!DOCTYPE x>", "bad-xml"),
        ],
    )
    def test_xml_that_cannot_be_read_is_refused(self, xml, code):
        assert errors(mulan(DENSE, xml))[code].hint

    @pytest.mark.parametrize(
        "doctype",
        [
            b'<!DOCTYPE labels [<!ENTITY a "x">]>',
            b'<!DOCTYPE labels SYSTEM "file:///etc/hostname">',
            b'<!DOCTYPE labels [<!ENTITY % a SYSTEM "http://localhost/x"> %a;]>',
        ],
    )
    def test_entities_and_external_references_are_refused(self, doctype):
        xml = b'<?xml version="1.0"?>\n' + doctype + b'<labels><label name="&a;"/></labels>'
        issue = errors(mulan(DENSE, xml))["xml-doctype"]
        assert issue.row == 2
        assert "DOCTYPE" in issue.hint

    def test_two_lists_are_too_many(self):
        files = [*mulan(DENSE), ("g.xml", LABELS)]
        assert "'g.xml'" in errors(files)["one-label-list"].message

    def test_a_huge_list_is_not_parsed(self, monkeypatch):
        monkeypatch.setattr(arff, "MAX_XML_BYTES", 20)
        assert "too-large" in errors(mulan(DENSE))


class TestMeka:
    @pytest.mark.parametrize(
        ("option", "labels"), [("-C 2", "ab"), ("-C -2", "xy"), ("-T n -C 3 -x 1", "abx")]
    )
    def test_the_first_or_the_last_attributes_are_labels(self, option, labels):
        text = rows("0,1,1,0", "1,0,0,1", attributes=[f"{name} {{0,1}}" for name in "abxy"])
        proposal = inspect_files(
            ("f", text.replace("@relation r", f"@relation 'r: {option}'").encode())
        )
        assert proposal.format == "MEKA (ARFF)"
        assert proposal.certain
        assert [name for name, role in proposal.roles.items() if role == "label"] == list(labels)

    @pytest.mark.parametrize(
        "option",
        [
            "-C 0",
            "-C 4",
            "-C -9",
            "-C 2-weka.filters.unsupervised.attribute.Remove-R1",
            "-C 999999999",
        ],
    )
    def test_an_option_that_cannot_be_right_makes_the_user_choose(self, option):
        text = DENSE.replace("@RELATION fruit", f"@relation 'fruit: {option}'")
        proposal = inspect_files(("f", text.encode()))
        assert proposal.open_choices[0] == "roles"
        with pytest.raises(DatasetError, match=option[:4]):
            read_dataset(proposal)


class TestXarff:
    def test_rankings_are_read_with_the_declared_labels(self):
        proposal = inspect_files(("f.xarff", RANKED.replace("{a,b,c}", "{c,b,a}").encode()))
        assert proposal.format == "WEKA-LR (xarff)"
        assert proposal.certain
        data = read_dataset(proposal)
        assert data.task is Task.LABEL_RANKING
        assert data.label_names == ("c", "b", "a")
        np.testing.assert_array_equal(data.Y, [[3, 1, 2], [1, np.nan, 2], [3, 2, 1]])

    def test_a_missing_ranking_ranks_nothing(self):
        data = read_dataset(("f", (RANKED + "4,?\n").encode()))
        assert np.isnan(data.Y[3]).all()

    def test_undeclared_and_repeated_labels_are_errors_in_their_lines(self):
        found = errors(("f", (RANKED + "4, a>d\n5, a>b>a\n").encode()))
        assert (found["unknown-label"].row, found["not-an-ordering"].row) == (8, 9)

    def test_independent_chains_are_no_rankings_and_can_be_left_out(self):
        file = ("f", (RANKED + "4, a>b|c>a\n5, a>b|a>c\n6, a>b|c\n7, a>b|b>a\n").encode())
        with pytest.raises(DatasetError) as caught:
            read_dataset(file, target_form="ordering_strings")
        found = next(i for i in caught.value.findings if i.code == "independent-chains")
        assert (found.row, found.count, found.column) == (8, 4, "L")
        assert "'a>b|c>a'" in found.message
        assert "Positions cannot hold that." in found.hint
        data = read_dataset(file, target_form="ordering_strings", skip_bad_rows=True)
        assert data.n_samples == 3
        assert "rows-left-out" in {i.code for i in data.findings}

    def test_independent_chains_are_pairs(self):
        text = RANKED + "4, a>b|c>a\n5, a>b|c\n"
        data = read_dataset(("f", text.encode()))
        assert data.task is Task.PAIR_PREFERENCES
        # Pairs: ab ac bc.
        nan = np.nan
        expected = [[-1, 1, 1], [nan, nan, -1], [1, 1, -1], [1, -1, nan], [1, nan, nan]]
        np.testing.assert_array_equal(data.Y[3:], expected[3:])
        found = errors(("f", (text + "6, a>b|b>a\n").encode()))["not-pairs"]
        assert found.row == 10
        assert "two things of 'a' and 'b'" in found.message

    def test_two_rankings_make_the_user_choose(self):
        text = RANKED.replace("L RANKING {a,b,c}", "L ranking {a,b,c}\n@attribute M RANKING {a,b}")
        text = re.sub(r"^(\d, .*)$", r"\1, b>a", text, flags=re.MULTILINE)
        proposal = inspect_files(("f", text.encode()))
        assert "roles" in proposal.open_choices
        assert read_dataset(proposal, roles={"L": "ignore"}).label_names == ("a", "b")

    def test_sparse_rows_can_hold_rankings(self):
        text = RANKED.split("@data")[0] + "@data\n{0 1, 1 b>a>c}\n{1 'c>a>b'}\n{0 1}\n"
        data = read_dataset(("f", text.encode()))
        np.testing.assert_array_equal(data.Y, [[2, 1, 3], [2, 3, 1], [np.nan] * 3])


class TestErrors:
    def test_all_are_collected_with_line_column_and_remedy(self):
        text = rows(
            "1,red",
            "one,red",
            "2,green",
            "3,red,4",
            "5",
            "'6,red",
            "'7' 8,red",
            "9,red,{x}",
            "ten,yellow",
            "11,blue",
        )
        proposal = inspect_files(("f", text.encode()))
        found = [(i.code, i.row, i.column, i.count) for i in proposal.raw.file.ragged]
        assert sorted(found, key=str) == [
            ("after-row", 12, None, 1),
            ("not-a-number", 6, "x", 2),
            ("quotes", 10, None, 2),
            ("ragged-row", 8, None, 2),
            ("undeclared-value", 7, "c", 2),
        ]
        assert all(issue.hint.endswith(".") for issue in proposal.raw.file.ragged)
        assert proposal.table["x"].tolist() == [1, 11]
        assert list(proposal.raw.file.ragged_lines) == [6, 7, 8, 9, 10, 11, 12, 13]

    def test_those_of_sparse_rows_too(self):
        text = rows(
            "{0 1}", "{0 one}", "{1 green}", "{2 5}", "{0 1, 0 2}", "{0 1", "{0}", "3,red",
            "{0 2} x", "{1 7}", "{0 'a}", "{1 blue}",
        )  # fmt: skip
        proposal = inspect_files(("f", text.encode()))
        found = [(i.code, i.row, i.column, i.count) for i in proposal.raw.file.ragged]
        assert sorted(found, key=str) == [
            ("after-row", 13, None, 1),
            ("index", 8, None, 1),
            ("not-a-number", 6, "x", 1),
            ("repeated-index", 9, None, 1),
            ("sparse-row", 10, None, 4),
            ("undeclared-value", 7, "c", 2),
        ]
        assert proposal.table["c"].tolist() == ["red", "blue"]

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("@attribute y", "attribute"),
            ("@attribute y colour", "attribute"),
            ("@attribute y {a,b", "attribute"),
            ("@attribute y {a,'b}", "attribute"),
            ("@attribute y { }", "attribute"),
            ("@attribute y relational", "attribute"),
            ("@attribute", "attribute"),
            ("@attribute y ranking", "attribute"),
            ("@attribute {a}", "attribute"),
            ("@attribute x numeric", "duplicate-column"),
            ("y numeric", "header-line"),
            ("@inputs x", "header-line"),
        ],
    )
    def test_of_the_header_are_in_their_line(self, line, code):
        text = f"@relation r\n@attribute x numeric\n{line}\n@data\n1,2\n2,3\n"
        issue = errors(("f", text.encode()))[code]
        assert issue.row == (2 if code == "duplicate-column" else 3)

    def test_what_stands_after_a_type_is_noted(self):
        text = rows("1,red", "2,red", attributes=("x real [0,5]", "c {red,red,blue,} {0.5} % so"))
        found = raw(text).file.findings
        assert {(i.code, i.severity, i.row) for i in found} == {
            ("after-type", Severity.WARNING, 2),
            ("after-type", Severity.WARNING, 3),
            ("repeated-value", Severity.WARNING, 3),
        }
        assert "'{0.5}' after the type is not used." in {i.message for i in found}

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("@relation r\n@attribute x numeric\n", "no-data"),
            ("@relation r\n@data\n1\n", "no-attributes"),
            ("@data", "no-attributes"),
            ("@relation r\n@attribute x numeric\n@data\n% nothing\n\n", "no-rows"),
            ("@relation r\n@attribute x numeric\n@data\nx\n", "not-a-number"),
        ],
    )
    def test_files_without_a_table_say_so(self, text, code):
        assert inspect_files(("f", text.encode())).table is None
        assert code in errors(("f", text.encode()))

    @pytest.mark.parametrize(
        ("module", "bound", "most"),
        [
            (arff, "MAX_ATTRIBUTES", 3),
            (arff, "MAX_ATTRIBUTES", 6),
            (text, "MAX_LINE_LENGTH", 15),
            (arff_rows, "MAX_TEXT_CELLS", 6),
            (text, "MAX_LINES", 9),
            (arff, "MAX_CELLS", 6),
            (arff, "MAX_COLUMNS", 3),
        ],
    )
    def test_what_is_too_large_is_refused(self, monkeypatch, module, bound, most):
        monkeypatch.setattr(module, bound, most)
        assert "too-large" in errors(("f", DENSE.encode()))

    def test_so_is_sparse_text(self, monkeypatch):
        monkeypatch.setattr(arff, "MAX_CELLS", 2)
        text = rows("{1 a}", "{1 b}", "{0 1}", attributes=("x real", "s string"))
        assert "too-large" in errors(("f", text.encode()))

    def test_odd_input_takes_no_time(self):
        odds = ["{" * 10**5, "' " * 10**5, "1 " * 10**5, " " * 10**6 + "x", "\\'" * 10**5,
                "{0 " + " " * 10**6, "{" + "1 1," * 10**5, "," * 10**6, "1 %" * 10**5]  # fmt: skip
        for odd in odds:
            assert errors(("f", (DENSE + odd).encode()))
            assert errors(("f", (SPARSE + odd).encode()))
            assert errors(("f", f"@relation {odd}\n@attribute {odd}\n@data\n1".encode()))


def test_a_comma_in_quotes_does_not_make_two_numbers():
    text = rows("'1,5'", "2", attributes=("x real",))
    assert errors(("f", text.encode()))["not-a-number"].row == 4


VALID = [DENSE, SPARSE, RANKED + "4, a>b|c>a\n", DENSE.replace("fruit\n\n", "'fruit: -C -2'\n\n")]
BITS = [*"{}'\",%@?|>\\\n\r\t \0\x1a", "\n{0 1}\n", "RANKING", "@data", "1e999", "-C", "nan",
        "\\u", "\u2028", "99999999999", "<!", "&a;", "é", "{0.5}"]  # fmt: skip


def either_data_or_findings(files):
    proposal = inspect_files(files)
    assert isinstance(proposal, Proposal)
    for skip in (False, True):
        with suppress(DatasetError):
            assert isinstance(read_dataset(files, skip_bad_rows=skip), Dataset)


@st.composite
def mutations(draw, texts):
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 8)))
        text = text[:start] + draw(st.sampled_from(["", *BITS, text[end:start]])) + text[end:]
    return text.encode(draw(st.sampled_from(["utf-8", "utf-16", "latin-1"])), "replace")


@given(mutations(VALID), mutations([LABELS.decode()]), st.booleans())
@settings(max_examples=100)
def test_any_mutation_gives_data_or_findings(content, xml, with_xml):
    files = [("f.arff", content)]
    either_data_or_findings([*files, ("f.xml", xml)] if with_xml else files)


@given(
    st.binary(max_size=60), st.sampled_from([b"@relation r\n", b"@attribute x numeric\n@data\n"])
)
@settings(max_examples=100)
def test_any_bytes_give_data_or_findings(content, start):
    either_data_or_findings(("f.arff", start + content))


def test_many_nominal_attributes_cost_no_column_of_a_data_frame_each(monkeypatch):
    n = 1200
    head = "".join(f"@attribute a{j} {{x,y,z}}\n" for j in range(n))
    rows = "".join(",".join(["xyz"[(i + j) % 3] for j in range(n)]) + ",0\n" for i in range(4))
    text = f"@relation r\n{head}@attribute b {{0,1}}\n@data\n{rows}"

    def refused(*_, **__):
        raise AssertionError

    # Each takes pandas tenths of a millisecond, and there were a dozen for every attribute.
    monkeypatch.setattr(pd.Categorical, "from_codes", refused)
    monkeypatch.setattr(pd.DataFrame, "__init__", refused)
    proposal = inspect_files(("f.arff", text.encode()))
    assert [column.role for column in proposal.columns].count("feature") == n + 1
