"""Nominal features, text that is none, missing values: what becomes of them, what is said."""

import numpy as np
import pandas as pd
import pytest

from labelrank_core import DatasetError
from labelrank_core.data.findings import Severity
from labelrank_core.io import inspect_files, read_dataset
from labelrank_core.io.build.features import are_dates
from labelrank_core.io.infer.choices import missing_values

pytestmark = pytest.mark.usefixtures("in_this_program")
COLOURS = (
    "x,colour,sex,L1,L2\n1,red,m,1,2\n2,blue,f,2,1\n3,red,f,1,2\n4,green,m,2,1\n"
    "5, blue ,f,1,2\n6,green,m,1,2\n"
)
GAPS = "x,colour,L1,L2\n1,red,1,2\n,blue,2,1\n3,,1,2\n4,red,2,1\n10,blue,1,2\n,red,1,2\n"


def read(text, **choices):
    return read_dataset(("t.csv", text.encode()), **choices)


def found(data, code):
    return [issue for issue in data.findings if issue.code == code]


def proposed(text):
    proposal = inspect_files(("t.csv", text.encode()))
    return {column.name: (str(column.role), column.why) for column in proposal.columns}


def errors_of(text, **choices):
    with pytest.raises(DatasetError) as caught:
        read(text, **choices)
    return [issue for issue in caught.value.findings if issue.severity is Severity.ERROR]


def column_of(cells):
    rows = "".join(f"{i},{cell},{i % 2 + 1},{2 - i % 2}\n" for i, cell in enumerate(cells))
    return "x,c,L1,L2\n" + rows


class TestNominal:
    def test_text_of_few_categories_is_proposed_as_a_feature(self):
        assert proposed(COLOURS)["colour"] == ("feature", "3 categories: blue, green, red")
        assert proposed(COLOURS)["sex"] == ("feature", "2 categories: f, m")

    def test_it_is_encoded_and_stays_itself(self):
        data = read(COLOURS)
        assert data.feature_names == ("x", "colour=blue", "colour=green", "colour=red", "sex=m")
        assert data.X.tolist()[:2] == [[1, 0, 0, 1, 1], [2, 1, 0, 0, 0]]
        frame = data.feature_frame([4, 0])
        assert frame["colour"].tolist() == ["blue", "red"]
        assert frame["sex"].tolist() == ["f", "m"]
        assert frame["x"].tolist() == [5, 1]
        np.testing.assert_array_equal(data.schema.encode(data.feature_frame()), data.X)

    def test_categories_come_in_natural_order(self):
        data = read(column_of(["t10", "t9", "t10", "t9", "t100", "t100"]))
        assert data.schema.columns[1].categories == ("t9", "t10", "t100")

    def test_categories_that_are_words_for_no_value_are_none(self):
        data = read(column_of(["a", "NA", "b", "a", "b", "?"]), missing="drop_rows")
        assert data.schema.columns[1].categories == ("a", "b")

    def test_encoded_names_stay_apart(self):
        text = "c=b,c,L1,L2\n" + "".join(f"{i},{'ab'[i % 2]},1,2\n" for i in range(6))
        assert read(text).feature_names == ("c=b", "c=b'")

    def test_a_column_of_one_category_is_proposed_away(self):
        text = column_of(["only"] * 6)
        assert proposed(text)["c"][0] == "ignore"
        data = read(text, roles={"c": "feature"})
        assert data.X[:, 1].tolist() == [1] * 6

    def test_what_is_not_clearly_nominal_can_be_used_knowingly(self):
        text = column_of(["a", "b", "c", "a"])
        assert proposed(text)["c"][0] == "ignore"
        assert "'feature'" in found(read(text), "text-column")[0].hint
        assert read(text, roles={"c": "feature"}).n_features == 4

    @pytest.mark.parametrize(
        ("cells", "reason"),
        [
            (["2024-01-05", "2024-01-06", "2024-01-05", "2024-02-01"], "dates or times"),
            ([f"text {i}" for i in range(9)], "a different text in every row"),
            ([f"t{i % 60}" for i in range(200)], "60 different texts"),
        ],
    )
    def test_dates_and_free_text_are_refused_with_the_reason(self, cells, reason):
        text = column_of(cells)
        assert proposed(text)["c"] == ("ignore", reason)
        (issue,) = errors_of(text, roles={"c": "feature"})
        assert (issue.code, issue.column) == ("text-feature", "c")
        assert reason in issue.message
        assert "numbers" in issue.hint
        assert read(text).n_features == 1

    @pytest.mark.parametrize(
        "text",
        ["2024-02-01", "2024-02-01T10:30:00Z", "01.02.2024", "2/1/24", "1 May 2024", "May 1, 2024",
         "10:30", "2024-02-01 10:30", "10:30 PM"],
    )  # fmt: skip
    def test_dates_and_times_are_known(self, text):
        assert are_dates([text])

    @pytest.mark.parametrize("text", ["red", "1.2", "12-14", "v1.2.3", "May", "a:b", "3/4"])
    def test_other_words_are_no_dates(self, text):
        assert not are_dates([text])

    def test_more_encoded_values_than_can_be_kept(self, monkeypatch):
        monkeypatch.setattr("labelrank_core.io.limits.MAX_ENCODED", 20)
        assert "too-large" in {issue.code for issue in errors_of(COLOURS)}

    def test_columns_change_the_fingerprint(self):
        swapped = COLOURS.replace("colour", "hue")
        assert read(COLOURS).fingerprint != read(swapped).fingerprint


class TestMissing:
    def test_missing_values_are_errors_that_name_the_choices(self):
        issues = errors_of(GAPS)
        assert {(issue.column, issue.row, issue.count) for issue in issues} == {
            ("x", 3, 2),
            ("colour", 4, 1),
        }
        assert all("missing='fill'" in issue.hint for issue in issues)
        assert all("missing='drop_rows'" in issue.hint for issue in issues)

    def test_they_can_be_counted_before(self):
        proposal = inspect_files(("t.csv", GAPS.encode()))
        assert missing_values(proposal) == {"x": 2, "colour": 1}
        assert missing_values(proposal, {"colour": "ignore"}) == {"x": 2}

    def test_medians_and_most_frequent_categories_fill_them(self):
        data = read(GAPS, missing="fill")
        assert data.X[:, 0].tolist() == [1, 3.5, 3, 4, 10, 3.5]
        assert data.feature_frame()["colour"].tolist() == [
            "red",
            "blue",
            "red",
            "red",
            "blue",
            "red",
        ]
        x, colour = found(data, "filled-in")
        assert (x.severity, x.column, x.row, x.count) == (Severity.WARNING, "x", 3, 2)
        assert "the median, 3.5" in x.message
        assert (colour.column, colour.count) == ("colour", 1)
        assert "'red'" in colour.message

    def test_only_training_rows_say_what_fills_them(self):
        text = "x,part,L1,L2\n1,train,1,2\n,test,2,1\n3,train,1,2\n90,test,2,1\n"
        assert read(text, missing="fill").X[1, 0] == 2

    def test_rows_can_be_dropped(self):
        data = read(GAPS, missing="drop_rows")
        assert data.X[:, 0].tolist() == [1, 4, 10]
        (issue,) = found(data, "rows-dropped")
        assert (issue.severity, issue.row, issue.count) == (Severity.WARNING, 3, 3)

    def test_rows_dropped_and_rows_with_errors_are_told_apart(self):
        text = GAPS.replace("10,blue,1,2", "10,blue,7,2") + "8,red,2,1\n"
        how = {"target_form": "positions", "skip_bad_rows": True}
        data = read(text, missing="drop_rows", **how)
        assert data.X[:, 0].tolist() == [1, 4, 8]
        assert (found(data, "rows-left-out")[0].row, found(data, "rows-dropped")[0].row) == (6, 3)

    @pytest.mark.parametrize("missing", ["fill", "drop_rows"])
    def test_a_column_without_any_value_cannot_be_filled(self, missing):
        text = "x,y,L1,L2\n1,,1,2\n2,,2,1\n"
        assert errors_of(text, roles={"y": "feature"}, missing=missing)
        assert read(text, missing=missing).n_features == 1

    def test_an_unknown_word_is_an_error(self):
        (issue,) = errors_of(COLOURS, missing="guess")
        assert issue.code == "unknown-missing"
        assert "'fill'" in issue.hint

    def test_without_missing_values_the_choice_changes_nothing(self):
        reference = read(COLOURS)
        for missing in ("fill", "drop_rows"):
            data = read(COLOURS, missing=missing)
            assert data.fingerprint == reference.fingerprint
            assert data.findings == reference.findings


def test_a_nominal_column_written_and_read_again_is_the_same():
    data = read(COLOURS)
    frame = data.feature_frame().assign(L1=data.Y[:, 0], L2=data.Y[:, 1])
    assert isinstance(frame["colour"].dtype, pd.CategoricalDtype)
    again = read(frame.to_csv(index=False))
    assert again.fingerprint == data.fingerprint
