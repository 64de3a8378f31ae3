"""Names made safe for Markdown, HTML and Plotly, and tables for spreadsheets."""

import html
import io
import re
import unicodedata

import numpy as np
import pandas as pd
import pytest

from labelrank_core.explain.evidence import Label, Text
from pages.ui.render import tables
from pages.ui.wording import text


@pytest.mark.parametrize(
    "name",
    ["petal length (cm)", "OD280/OD315", "size, 50% off; 'x' \"y\"", "label {0}", "e^x", "a=b"],
)
def test_common_names_need_no_escapes_that_screen_readers_would_read(name):
    assert text.markdown(name) == name


@pytest.mark.parametrize("sign", list(r"\`*_[]<>#+!|~$:@&-"))
def test_signs_of_markdown_are_escaped(sign):
    assert f"\\{sign}" in text.markdown(f"a{sign}b")


@pytest.mark.parametrize("name", ["1. x", "12) x"])
def test_a_number_at_the_start_makes_no_list(name):
    assert re.match(r"\d+\\[.)]", text.markdown(name))


@pytest.mark.parametrize(
    "live",
    ["->", "<-", "<->", "--", ">=", "<=", "~=", ":smile:", "http://", "www.", "WWW.", "me@b"],
)
def test_what_streamlit_replaces_in_text_is_broken_up(live):
    unescaped = re.sub(r"\\(?=[^\w\s])", "", text.markdown(f"a {live} b"))
    assert live not in unescaped
    assert unescaped.replace("\u2060", "") == f"a {live} b"


def test_a_name_stays_on_one_line():
    assert text.markdown("a\n\n# b\r\n c") == r"a \# b c"


@pytest.mark.parametrize("name", ["<b>x</b>", "a<br>b", "<a href='x'>y</a>", "&lt;", "a & b"])
def test_plotly_shows_pseudo_html_as_text(name):
    safe = text.plotly(name)
    assert "<" not in safe
    assert html.unescape(safe) == name


def test_plotly_takes_no_name_for_a_formula():
    assert not re.search(r"\$\\?\w", text.plotly(r"$\alpha$ costs $5"))


@pytest.mark.parametrize(
    ("name", "length", "short"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("ab cd", 4, "ab…"),
        ("", 3, ""),
        ("中文标签", 3, "中文…"),
    ],
)
def test_long_names_keep_their_beginning(name, length, short):
    assert text.shorten(name, length) == short


def test_a_sentence_holds_names_as_text():
    sentence = Text("{top} < {other}", {"top": Label(0), "other": Label(1)})
    filled = sentence.html(["<img src=x>", '{top} & "co"'])
    shown = html.unescape(re.sub(r"</?b>", "", filled))
    assert shown == '<img src=x> < {top} & "co"'
    assert "<img" not in filled


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1"])
def test_a_spreadsheet_runs_no_formula_of_a_csv(formula):
    table = pd.DataFrame({formula: [formula, "a"], "number": [-1.5, 2.0]})
    read = pd.read_csv(io.BytesIO(tables.csv_bytes(table)), keep_default_na=False)
    assert read.columns[0] == f"'{formula}"
    assert read.iloc[0, 0] == f"'{formula}"
    assert read["number"].tolist() == [-1.5, 2.0]


def test_a_csv_keeps_values_names_and_letters():
    table = pd.DataFrame({"a,b": ["x\ny", "ä 中 العربية", ""], "n": [0.1 + 0.2, np.nan, 1e300]})
    read = pd.read_csv(
        io.BytesIO(tables.csv_bytes(table)), keep_default_na=False, na_values={"n": ""}
    )
    pd.testing.assert_frame_equal(read, table)


def test_a_csv_starts_with_the_mark_by_which_spreadsheets_know_utf_8():
    assert tables.csv_bytes(pd.DataFrame({"ä": [1]})).startswith(b"\xef\xbb\xbf")


def test_columns_of_features_and_of_the_page_keep_apart():
    features = pd.DataFrame({"row": [1.0, 2.0], "x": [3.0, 4.0], "truth": [5.0, 6.0]})
    table = tables.around_features(features, {"row": [8, 9]}, {"truth": ["a>b", "b>a"]})
    assert list(table.columns) == ["row", "row (feature)", "x", "truth (feature)", "truth"]
    assert table.iloc[0].tolist() == [8, 1.0, 3.0, 5.0, "a>b"]
    assert list(features.columns) == ["row", "x", "truth"]


def test_names_cut_in_the_middle_keep_both_ends():
    assert text.shorten_middle("k-NN (n_neighbors=15)", 30) == "k-NN (n_neighbors=15)"
    # 11 characters: 5 in front, the ellipsis, 5 behind.
    assert text.shorten_middle("k-NN (n_neighbors=15)", 11) == "k-NN…s=15)"
    cut = [text.shorten_middle(f"k-NN label ranking (n_neighbors={k})", 22) for k in (5, 15)]
    assert len(set(cut)) == 2
    assert max(map(len, cut)) <= 22


def test_cut_names_differ_where_their_beginnings_and_their_ends_are_equal():
    names = [f"Rindfleischetikettierung{number:03}" for number in range(120)]
    names += [f"{number} with a long name" for number in range(9)]
    for length in (4, 10, 24):
        cut = text.shorten_all(names, length)
        assert len(set(cut)) == len(names)
        assert max(map(len, cut)) <= length


@pytest.mark.parametrize("make_safe", [text.markdown, text.plotly])
@pytest.mark.parametrize(
    "name", ["\u202ecba", "a\u2067b", "b\u2069\u2069", "\u200fx", "אב 3", "سلام"]
)
def test_a_name_from_right_to_left_turns_nothing_beside_it_round(make_safe, name):
    shown = make_safe(name)
    # No override or embedding is left, and what runs from right to left is isolated.
    assert not re.search("[\u202a-\u202e\u2066\u2067]", shown)
    inside = shown[1:-1] if shown.startswith("\u2068") else shown
    assert "\u2069" not in inside
    assert shown.startswith("\u2068") == shown.endswith("\u2069")
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in inside)
    assert turns == shown.startswith("\u2068")
    assert text.with_value(name, 12.0).endswith("= 12")


def test_other_names_need_no_isolation():
    assert text.markdown("größe 日本") == "größe 日本"


def test_a_table_has_the_height_of_its_rows_or_of_as_many_as_are_seen_at_once():
    # As Streamlit draws them: a head and rows of 33 pixels each, and their border.
    assert [tables.height(n) for n in (0, 1, 3, 10, 11, 30)] == [68, 68, 134, 365, 398, 400]
    assert tables.height(4, row_height=77) == 343
    assert tables.height(30, shows_all=True) == 1025
