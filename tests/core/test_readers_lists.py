"""Columns of label lists, and the CSV files of scikit-lr."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import DatasetError, Task, inspect_files, read_dataset
from labelrank_core.io.build import texts
from labelrank_core.io.build.texts import are_lists, find_delimiter, split_list

pytestmark = pytest.mark.usefixtures("in_this_program")


def table(*cells, name="tags"):
    rows = "".join(f'{i},"{cell}"\n' for i, cell in enumerate(cells))
    return ("t.csv", f"x,{name}\n{rows}".encode())


class TestLists:
    @pytest.mark.parametrize(
        "cells",
        [
            ("a;b", "a", "", "b"),
            ("a | b", "a", "?", "b"),
            ("a,b", "a", "", "b"),
            ('[""a"", ""b""]', '[""a""]', "[]", '[""b""]'),
            ("['a', 'b']", "['a']", "[]", "['b']"),
            ("a;b;", "a", ";", "b"),
        ],
    )
    def test_delimiters_and_brackets(self, cells):
        data = read_dataset(table(*cells))
        assert data.task is Task.MULTILABEL
        assert data.label_names == ("a", "b")
        assert data.relevance.tolist() == [[1, 1], [1, 0], [0, 0], [0, 1]]
        (issue,) = [issue for issue in data.findings if issue.code == "no-label"]
        assert issue.row == 4

    def test_names_decide_whether_to_ask(self):
        cells = ("a;b", "a", "b;c", "c", "b")
        assert inspect_files(table(*cells, name="Topics")).certain
        proposal = inspect_files(table(*cells, name="ingredients"))
        assert proposal.roles["ingredients"] == "label_list"
        assert proposal.open_choices == ("roles",)
        with pytest.raises(DatasetError, match="may be labels or a feature"):
            read_dataset(proposal)
        assert read_dataset(proposal, roles=proposal.roles).n_labels == 3

    def test_label_columns_come_first(self):
        rows = "a;b,1,2\na,2,1\nb;c,1,2\nc,2,1\nb,1,2\n"
        proposal = inspect_files(("t.csv", f"tags,L1,L2\n{rows}".encode()))
        assert proposal.roles == {"tags": "ignore", "L1": "label", "L2": "label"}

    def test_spaces_separate_where_the_user_says_so(self):
        proposal = inspect_files(table("a b", "a", "b c", "c", "b", "a"))
        assert proposal.roles["tags"] != "label_list"
        data = read_dataset(proposal, roles={"tags": "label_list"})
        assert data.relevance[:3].tolist() == [[1, 1, 0], [1, 0, 0], [0, 1, 1]]

    def test_a_label_listed_twice_counts_once(self):
        data = read_dataset(table("b;a;b", *["a", "b", "a;b"] * 7))
        assert data.relevance[0].tolist() == [1, 1]
        (issue,) = [issue for issue in data.findings if issue.code == "repeated-label"]
        assert (issue.row, issue.column) == (2, "tags")

    def test_numbers_are_names_in_their_order(self):
        assert read_dataset(table("10;2", "2", "1;2", "10", "1")).label_names == ("1", "2", "10")

    @pytest.mark.parametrize(
        "cells",
        [
            ["Rome, Italy", "Oslo, Norway", "Rome, Italy", "Rome, Italy"],
            ["red", "blue", "red"],
            ["a sunny day", "a day", "a sunny day"],
            ["He came, and saw.", "Nothing; really.", "Yes, no, maybe."],
            ["a;a", "a;a;b", "b;b"],
        ],
    )
    def test_other_text_is_no_list(self, cells):
        assert not are_lists(Counter(cells))

    def test_roles_that_do_not_fit(self):
        proposal = inspect_files(table("a;b", "a", "b;c", "c", "b"))
        with pytest.raises(DatasetError, match="cannot hold positions"):
            read_dataset(proposal, target_form="positions")
        with pytest.raises(DatasetError, match="one column with the role 'label_list'"):
            read_dataset(("t.csv", b"x,L1,L2\n1,1,2\n2,2,1\n"), target_form="label_lists")
        with pytest.raises(DatasetError, match="argets are given more than once"):
            read_dataset(
                ("t.csv", b"x,tags,r\n1,a;b,a>b\n2,b,b>a\n"),
                roles={"tags": "label_list", "r": "ranking"},
            )

    def test_too_many_labels_and_too_few(self, monkeypatch):
        with pytest.raises(DatasetError, match="found 1 label;"):
            read_dataset(table("a", "a", "", "a"), roles={"tags": "label_list"})
        monkeypatch.setattr(texts, "MAX_LABELS", 2)
        with pytest.raises(DatasetError, match="more than 2 different labels in 5 rows, more than"):
            read_dataset(table("a;b", "a", "b;c", "c", "b"))

    @given(st.lists(st.text(max_size=12), min_size=1, max_size=8))
    def test_any_cells_are_split(self, cells):
        are_lists(Counter(cells))
        delimiter = find_delimiter(cells)
        for cell in cells:
            assert all(split_list(cell, delimiter))

    @given(st.lists(st.text("ab;,|[]\"' ", min_size=1, max_size=5).map(str.strip).filter(bool)))
    def test_json_keeps_any_name(self, names):
        assert split_list(json.dumps(names), ";") == names

    def test_deep_brackets_are_no_trap(self):
        assert split_list("[" * 100_000 + "]" * 100_000, ";")


class TestScikitLr:
    TEXT = b"3,2,3\n0.5,7,1,2,3\n1.5,8,1,2,2\n2.5,9,3,2,1\n"

    def test_the_first_line_says_what_columns_are(self):
        data = read_dataset(("fruit.csv", self.TEXT))
        assert data.feature_names == ("A1", "A2")
        assert data.label_names == ("L1", "L2", "L3")
        assert data.X.tolist() == [[0.5, 7], [1.5, 8], [2.5, 9]]
        assert data.rankings.tolist() == [[1, 2, 3], [1, 2, 2], [3, 2, 1]]
        assert inspect_files(("f", self.TEXT)).format == "scikit-lr's CSV"

    def test_nothing_is_asked_and_lines_are_the_files(self):
        proposal = inspect_files(("f", self.TEXT.replace(b"9", b"x").replace(b"\n", b"\r\n")))
        assert proposal.certain
        (issue,) = proposal.errors
        assert (issue.code, issue.row, issue.column) == ("not-a-number", 4, "A2")

    def test_other_counts_of_rows_are_a_finding(self):
        proposal = inspect_files(("f", self.TEXT.replace(b"3,2,3", b"5,2,3", 1)))
        (issue,) = [issue for issue in proposal.findings if issue.code == "other-count"]
        assert "announces 5 rows; found 3" in issue.message

    @pytest.mark.parametrize(
        "text",
        [b"5,1,2\n0.5,1,2\n1,2,1\n", b"3,2,3\n1,2\n", b"3,1,1\n1,2\n", b"a,b,c\n1,2,3\n", b"3,2,3"],
    )
    def test_other_files_are_not_taken_for_it(self, text):
        assert inspect_files(("f", text)).format != "scikit-lr's CSV"

    def test_three_fields_need_the_right_count(self):
        data = read_dataset(("f", b"2,1,2\n0.5,1,2\n1,2,1\n"))
        assert np.array_equal(data.rankings, [[1, 2], [2, 1]])
