"""ARFF, libsvm, PrefLib and scikit-lr's CSV to the letter."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_svmlight_file

from labelrank_core import Task, read_dataset
from labelrank_core.data import Column, Schema
from labelrank_core.io import inspect_files, write_dataset
from labelrank_core.io.export import archive_name
from tests.written import colours, content, losses_of, tiny, without

pytestmark = pytest.mark.usefixtures("in_this_program")


class TestArff:
    def test_names_and_categories_are_quoted(self):
        data = colours(["it's 5%", "a,b", "x\\", "plain"], [0, 1, 2, 3], name="{odd} 'name'")
        ((name, written),) = write_dataset(data, "xarff")
        assert name == "tiny.xarff"
        assert written.decode().splitlines() == [
            "@relation tiny", "",
            "@attribute size numeric",
            "@attribute '{odd} \\'name\\'' {'it\\'s 5%','a,b','x\\\\',plain}",
            "@attribute ranking RANKING {a,b,c}", "", "@data",
            "0,'it\\'s 5%','a>b>c'", "1,'a,b','a>b>c'", "2,'x\\\\','a>b>c'", "3,plain,'b>a>c'",
        ]  # fmt: skip

    def test_features_called_like_labels_are_refused(self):
        data = tiny(Y=[[1, 0, 0]] * 3, task=Task.MULTILABEL, feature_names=["a", "x"])
        for key in ("mulan", "mulan-sparse", "meka"):
            assert "the column name 'a' is also that of a label" in str(losses_of(data, key))

    def test_sparse_rows_leave_out_zeros_and_first_categories(self):
        data = colours(["blue", "red"], [0, 1, 0])
        data = tiny(X=data.X, schema=data.schema, feature_names=data.feature_names,
                    Y=[[0, 0, 1], [1, 0, 0], [0, 0, 0]], task=Task.MULTILABEL)  # fmt: skip
        rows = write_dataset(data, "mulan-sparse")[0][1].decode().splitlines()[-3:]
        assert rows == ["{4 1}", "{0 1,1 red,2 1}", "{0 2}"]

    @pytest.mark.parametrize("place", [0, 60, 120])
    def test_many_sparse_columns_keep_their_order_or_it_is_said(self, place):
        columns = [Column(f"w{j}") for j in range(120)]
        columns.insert(place, Column("colour", "nominal", ("red", "blue", "green")))
        schema = Schema(tuple(columns))
        frame = pd.DataFrame({column.name: np.arange(3.0) for column in columns})
        frame["colour"] = ["red", "green", "blue"]
        data = tiny(X=schema.encode(frame), schema=schema, feature_names=schema.feature_names,
                    Y=[[0, 0, 1], [1, 0, 0], [0, 1, 0]], task=Task.MULTILABEL)  # fmt: skip
        lost = losses_of(data, "mulan-sparse")
        assert ("lost-column-order" in {finding.code for finding in lost}) == (place > 0)
        again = read_dataset(write_dataset(data, "mulan-sparse"))
        assert content(again) == without(data, lost)

    def test_meka_counts_the_labels_that_come_first(self):
        data = tiny(Y=[[1, 0, 0]] * 3, task=Task.MULTILABEL, name="a: -C 7")
        lines = write_dataset(data, "meka")[0][1].decode().splitlines()
        assert lines[0] == "@relation 'a_ -C 7: -C 3'"
        assert lines[2] == "@attribute a {0,1}"
        assert content(read_dataset(write_dataset(data, "meka"))) == content(data)

    def test_xml_is_escaped(self):
        data = tiny(
            Y=[[1, 0, 0]] * 3, task=Task.MULTILABEL, label_names=['<a b="c">', "&amp;", "c"]
        )
        assert b'<label name="&amp;amp;">' in write_dataset(data, "mulan")[1][1]
        assert read_dataset(write_dataset(data, "mulan")).label_names == data.label_names


class TestPreflib:
    @pytest.mark.parametrize(
        ("Y", "kind"),
        [
            ([[1, 2, 3], [3, 2, 1], [1, 2, 3]], "soc"),
            ([[1, 2, np.nan]] * 3, "soi"),
            ([[1, 1, 2]] * 3, "toc"),
            ([[1, 1, np.nan], [1, 2, 3], [1, 2, 3]], "toi"),
        ],
    )
    def test_the_type_is_chosen_by_the_rankings(self, Y, kind):
        assert archive_name(tiny(Y=Y), "preflib") == f"tiny.{kind}"

    def test_equal_rankings_are_counted(self):
        data = tiny(Y=[[2, 1, 1], [3, 2, 1], [2, 1, 1]])
        ((_, written),) = write_dataset(data, "preflib")
        assert written.decode().splitlines() == [
            "# FILE NAME: tiny.toc", "# TITLE: tiny", "# DATA TYPE: toc",
            "# NUMBER ALTERNATIVES: 3", "# NUMBER VOTERS: 3", "# NUMBER UNIQUE ORDERS: 2",
            "# ALTERNATIVE NAME 1: a", "# ALTERNATIVE NAME 2: b", "# ALTERNATIVE NAME 3: c",
            "2: {2,3},1", "1: 3,2,1",
        ]  # fmt: skip


class TestLibsvm:
    def test_labels_count_from_0_and_features_from_1(self):
        data = tiny(Y=[[1, 0, 1], [0, 0, 0], [0, 1, 0]], X=[[0.5, 2], [0, -3], [0, 0]],
                    task=Task.MULTILABEL)  # fmt: skip
        ((name, written),) = write_dataset(data, "libsvm")
        assert name == "tiny.svm"
        assert written.decode().splitlines() == [
            '# labels: ["a", "b", "c"]', '# features: ["size", "x"]', "0,2 1:0.5 2:2", " 2:-3", "1",
        ]  # fmt: skip
        X, Y = load_svmlight_file(io.BytesIO(written), multilabel=True, zero_based=False)
        assert X.toarray().tolist() == data.X.tolist()
        assert Y == [(0, 2), (), (1,)]

    def test_names_that_do_not_fit_are_not_used(self):
        for names in ("[1]", '["a", "a"]', '{"a": 1}', "[", '["a"]'):
            text = f'# labels: {names}\n# features: ["x"]\n0 1:2\n1 1:3\n'
            assert read_dataset(("f.svm", text.encode())).label_names == ("L0", "L1")


class TestScikitLr:
    def test_counts_and_names_come_first(self):
        data = tiny(Y=[[1, 1, 2]] * 3, feature_names=["a", "x, y"])
        ((_, written),) = write_dataset(data, "scikit-lr")
        assert written.decode().splitlines()[:2] == ['3,2,3,a,"x, y",a,b,c', "0.5,0,1,1,2"]
        assert content(read_dataset(("f.csv", written))) == content(data)

    @pytest.mark.parametrize(
        "text",
        [
            "3,1,2,x,a,b\n1,1,2\n2,2,1\n",
            "2,1,2,x,a\n1,1,2\n2,2,1\n",
            "2,1,2,x,a,\xff\n1,1,2\n2,2,1\n",
        ],
    )
    def test_a_wrong_first_line_is_no_surprise(self, text):
        inspect_files(("f.csv", text.encode("latin-1")))

    def test_a_name_that_is_a_formula_is_refused(self):
        data = tiny(Y=[[1, 1, 2]] * 3, label_names=["=a", "b", "c"])
        assert losses_of(data, "scikit-lr")[0].code == "name"
