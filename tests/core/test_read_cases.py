"""Files of cases whose labels are not known."""

import numpy as np
import pytest

from labelrank_core import DatasetError, load_sample
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io import read_cases

SCHEMA = Schema((Column("size"), Column("colour", "nominal", ("blue", "red", "green"))))


def refused(content, schema=SCHEMA):
    with pytest.raises(DatasetError) as error:
        read_cases(("new.csv", content), schema)
    return [str(finding) for finding in error.value.findings]


def test_columns_are_found_by_name_and_others_are_kept():
    table, X = read_cases(
        ("new.csv", b"colour,who,size,rank a\nred,Kim,2.5,\nblue,Lou,-1,2\n"), SCHEMA
    )
    assert X.tolist() == [[2.5, 0, 1, 0], [-1, 1, 0, 0]]
    assert list(table.columns) == ["colour", "who", "size", "rank a"]
    assert table["who"].tolist() == ["Kim", "Lou"]


def test_they_are_the_features_of_a_sample_written_as_a_table():
    for name in ("iris", "drinks"):
        data = load_sample(name)
        frame = data.feature_frame()[::-1]
        table, X = read_cases((f"{name}.csv", frame.to_csv(index=False).encode()), data.schema)
        np.testing.assert_array_equal(X, data.X[::-1])
        assert len(table) == data.n_samples


def test_what_cannot_be_predicted_is_said_with_its_line():
    (absent,) = refused(b"size,hue\n1,red\n")
    assert absent.startswith("The file has no column 'colour'.")
    (number,) = refused(b"size,colour\n1,red\n?,red\nbig,blue\n")
    assert "Line 3, column 'size': expected a number, got '?'." in number
    assert "The same in 1 more line: 4." in number
    (category,) = refused(b"size,colour\n1,red\n2,pink\n")
    assert "Line 3" in category
    assert "expected one of 'blue', 'red', 'green', got 'pink'" in category
    assert refused(b"size,colour\n1,red\n1,red,red,red\n")
    assert refused(b"\x00\x01")
    assert refused(b"")
