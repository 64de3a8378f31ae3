"""Files with chains of labels that no ranking can hold."""

import numpy as np
import pytest

from labelrank_core import DatasetError, PairwiseLabelRanker, read_dataset
from labelrank_core.io import read_pair_preferences
from labelrank_core.metrics import pair_tau_score

RANKED = """@relation ranked
@attribute x numeric
@attribute kind {round,square}
@attribute L RANKING {c,b,a}
@data
1, round, b>a>c
2, square, b>a|c>a
3, round, ?
4, square, 'a>b | b>c | c>a'
"""


def test_the_chains_of_xarff_are_read_with_the_declared_labels():
    X, preferences = read_pair_preferences(("f.xarff", RANKED.encode()))
    assert preferences.label_names == ("c", "b", "a")
    # Pairs: cb ca ba.
    nan = np.nan
    expected = [[-1, -1, 1], [nan, 1, 1], [nan] * 3, [-1, 1, -1]]
    np.testing.assert_array_equal(preferences.signs, expected)
    assert preferences.cyclic.tolist() == [False, False, False, True]
    assert X["x"].tolist() == [1, 2, 3, 4]
    assert X.shape == (4, 2)
    assert X.iloc[:, 1].isin([0, 1]).all()
    assert X.iloc[0, 1] == X.iloc[2, 1] != X.iloc[1, 1] == X.iloc[3, 1]


def test_rankings_of_a_file_are_the_same_pairs(benchmark_data):
    path = benchmark_data / "raw" / "iris_dense.xarff"
    X, preferences = read_pair_preferences(path)
    data = read_dataset(path)
    np.testing.assert_array_equal(X, data.X)
    assert preferences.label_names == data.label_names
    first, second = np.triu_indices(data.n_labels, 1)
    np.testing.assert_array_equal(preferences.signs, np.sign(data.Y[:, second] - data.Y[:, first]))
    model = PairwiseLabelRanker().fit(X, preferences)
    assert pair_tau_score(preferences, model.predict(X)) > 0.8


@pytest.mark.parametrize("column", [None, "likes"])
def test_any_table_may_have_them_as_text(column):
    text = "city,age,likes\nBonn,20,tea>milk|juice>cola\nUlm,31,\nBonn,40,cola>tea=milk\n"
    X, preferences = read_pair_preferences(("f.csv", text.encode()), column=column)
    assert preferences.label_names == ("cola", "juice", "milk", "tea")
    assert preferences.n_known.tolist() == [2, 0, 3]
    assert X["age"].tolist() == [20, 31, 40]
    assert X.shape == (3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "found none"),
        ("a,b\nx>y,y>x\ny>x,x>y\n", "found 2: a, b"),
        ("", "empty|no row"),
    ],
)
def test_files_without_one_column_of_chains_are_refused(text, message):
    with pytest.raises(DatasetError, match=message):
        read_pair_preferences(("f.csv", text.encode()))


def test_wrong_chains_and_columns_are_refused():
    wrong = RANKED.replace("b>a|c>a", "b>a|a>b").encode()
    with pytest.raises(ValueError, match="one preference for a pair in row 1"):
        read_pair_preferences(("f.xarff", wrong))
    with pytest.raises(ValueError, match=r"only labels in \['c', 'b', 'a'\], got 'd'"):
        read_pair_preferences(("f.xarff", RANKED.replace("c>a", "c>d").encode()))
    with pytest.raises(ValueError, match="got 'M'"):
        read_pair_preferences(("f.xarff", RANKED.encode()), column="M")
