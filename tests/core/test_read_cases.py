"""Files of cases whose labels are not known."""

import json

import numpy as np
import pytest
from scipy.sparse import issparse

from labelrank_core import DatasetError, load_sample
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io import read_cases
from labelrank_core.io.formats import arff

pytestmark = pytest.mark.usefixtures("in_this_program")

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


def wide(n_features):
    """A schema of numbers, and rows that have only some of them."""
    X = np.zeros((3, n_features))
    X[0, 1], X[1, n_features - 1], X[1, 0] = 2.5, -1, 3
    return Schema(tuple(Column(f"f{j + 1}") for j in range(n_features))), X


def pairs(X, template, first):
    return [[template.format(j + first, row[j]) for j in np.flatnonzero(row).tolist()] for row in X]


def sparse_arff(schema, X, *, relation="new", label="@attribute genre {0,1}\n"):
    rows = "".join("{" + ",".join(row) + "}\n" for row in pairs(X, "{} {}", int(bool(label))))
    attributes = "".join(f"@attribute {name} numeric\n" for name in schema.feature_names)
    return f"@relation '{relation}'\n{label}{attributes}@data\n{rows}".encode()


def libsvm(X, *, labels):
    rows = pairs(X, "{}:{}", 1)
    return "".join(" ".join([*labels, *row]) + " \n" for row in rows).encode()


def assert_read(content, schema, X):
    for sparse in (False, True):
        table, read = read_cases(("new", content), schema, sparse=sparse)
        assert issparse(read) is sparse
        np.testing.assert_array_equal(read.toarray() if sparse else read, X)
        assert len(table) == len(X)
    return table


@pytest.mark.parametrize("n_features", [5, 150])
@pytest.mark.parametrize("relation", ["new", "new: -C 1"])
def test_sparse_arff_has_them_in_its_table_or_beside_it(n_features, relation):
    schema, X = wide(n_features)
    table = assert_read(sparse_arff(schema, X, relation=relation), schema, X)
    assert ("f1" in table) == (n_features == 5 or relation == "new")
    assert "genre" in table


def test_more_attributes_than_a_table_has_columns_stay_sparse_whatever_are_labels(monkeypatch):
    monkeypatch.setattr(arff, "MAX_COLUMNS", 20)
    schema, X = wide(30)
    table = assert_read(sparse_arff(schema, X), schema, X)
    assert list(table.columns) == ["genre"]


@pytest.mark.parametrize("labels", [[], ["0"]])
def test_libsvm_leaves_out_what_is_0_in_all_cases(labels):
    schema, X = wide(7)
    assert_read(libsvm(X, labels=labels), schema, X)
    names = f"# labels: []\n# features: {json.dumps(schema.feature_names)}\n".encode()
    assert_read(names + libsvm(X, labels=[]), schema, X)


def test_features_that_the_data_lack_are_not_used():
    _, X = wide(7)
    schema = Schema((Column("f7"), Column("f9"), Column("f2")))
    assert_read(libsvm(X, labels=["1"]), schema, np.column_stack([X[:, 6], np.zeros(3), X[:, 1]]))


def test_categories_stand_between_features_that_stay_sparse():
    schema, X = wide(150)
    kinds = Column("kind", "nominal", ("old", "new", "other"))
    mixed = Schema((schema.columns[0], kinds, *schema.columns[1:]))
    content = sparse_arff(
        schema, X, relation="new: -C 1", label="@attribute kind {old,new,other}\n"
    )
    content = content.replace(b"@data\n{", b"@data\n{0 new,")
    content = content.replace(b"new: -C 1", b"new: -C -1").replace(
        b"@data", b"@attribute genre {0,1}\n@data"
    )
    assert_read(content, mixed, np.column_stack([X[:, 0], np.eye(3)[[1, 0, 0]], X[:, 1:]]))


def test_what_is_wrong_in_sparse_rows_is_said_with_its_line():
    schema, X = wide(150)
    content = sparse_arff(schema, X, relation="new: -C 1")
    (absent,) = refused(content, Schema((*schema.columns, Column("colour"))))
    assert absent.startswith("The file has no column 'colour'.")
    (number,) = refused(content.replace(b"2.5", b"?"), schema)
    assert number.startswith("Line 154, column 'f2': expected a number, got 'nan'.")
    colours = Schema((*schema.columns[:149], Column("f150", "nominal", ("red", "blue"))))
    assert "no column 'f150'" in refused(content, colours)[0]
    assert "no column" in refused(libsvm(X, labels=["1"]), SCHEMA)[0]


def test_a_matrix_that_is_too_large_with_its_zeros_is_refused(monkeypatch):
    monkeypatch.setattr("labelrank_core.io.limits.MAX_ENCODED", 20)
    schema, X = wide(7)
    assert "3 rows of 7 features" in refused(libsvm(X, labels=[]), schema)[0]
    assert read_cases(("new", libsvm(X, labels=[])), schema, sparse=True)[1].shape == (3, 7)
