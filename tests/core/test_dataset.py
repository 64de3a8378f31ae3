import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from labelrank_core import Dataset, Task
from labelrank_core.data import Column, Schema
from labelrank_core.data.findings import Finding, Severity
from labelrank_core.methods import ALGORITHMS

NAN = float("nan")
VALUES = {
    "X": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
    "Y": [[1, 2, 3], [2, 1, 3], [1, 1, 2]],
    "task": Task.LABEL_RANKING,
    "feature_names": ["x", "y"],
    "label_names": ["a", "b", "c"],
    "name": "tiny",
}
MULTILABEL = {"task": Task.MULTILABEL, "Y": [[1, 0, 0], [0, 0, 0], [1, 1, 1]]}
CALIBRATED = {"task": Task.CALIBRATED_RANKING, "Y": [[1, 2, 4, 3], [2, 3, 4, 1], [1, 2, 2, 2]]}


def dataset(**changes):
    return Dataset(**(VALUES | changes))


NOMINAL = Schema(
    (
        Column("w"),
        Column("hue", "nominal", ("r", "g", "b")),
        Column("sex", "nominal", ("f", "m")),
    )
)


class TestKeepsItsValues:
    def test_it_can_be_neither_changed_nor_assigned(self):
        data = dataset(split=[True, False, False])
        for array in (data.X, data.Y, data.split):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        with pytest.raises(dataclasses.FrozenInstanceError):
            data.name = "other"

    def test_it_copies_what_it_is_given(self):
        X, Y, split = np.array(VALUES["X"]), np.array(VALUES["Y"], float), np.array([1, 0, 0], bool)
        data = dataset(X=X, Y=Y, split=split)
        X[:], Y[:], split[:] = 9, 9, True
        assert data.X.tolist() == VALUES["X"]
        assert data.Y.tolist() == VALUES["Y"]
        assert data.split.tolist() == [True, False, False]

    def test_features_that_nobody_can_change_are_not_copied(self):
        X = np.array(VALUES["X"])
        X.flags.writeable = False
        assert dataset(X=X).X is X
        wide = np.array([[*row, 9] for row in VALUES["X"]])
        view = wide[:, :2]
        view.flags.writeable = False
        assert not np.shares_memory(dataset(X=view).X, wide)
        wide.flags.writeable = False
        assert dataset(X=view).X is view
        assert dataset(X=view).fingerprint == dataset().fingerprint

    def test_sparse_features_stay_sparse_and_are_copied(self):
        X = sparse.csr_matrix(VALUES["X"])
        data = dataset(X=X)
        X.data[:] = 9
        assert sparse.issparse(data.X)
        assert data.is_sparse
        assert data.case(1).tolist() == VALUES["X"][1]
        assert data.X.toarray().tolist() == VALUES["X"]
        with pytest.raises(ValueError, match="read-only"):
            data.X.data[0] = 1
        assert data.feature_frame().to_numpy().tolist() == VALUES["X"]

    def test_sizes(self):
        for changes in ({}, MULTILABEL, CALIBRATED):
            data = dataset(**changes)
            assert (data.n_samples, data.n_features, data.n_labels) == (3, 2, 3)

    def test_it_survives_pickling(self):
        data = dataset()
        assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


class TestTargets:
    def test_plain_rankings(self):
        data = dataset()
        assert data.rankings.tolist() == VALUES["Y"]
        assert data.targets_in_words() == ["a > b > c", "b > a > c", "a = b > c"]
        with pytest.raises(ValueError, match="do not say which labels are relevant"):
            _ = data.relevance

    def test_relevance(self):
        data = dataset(**MULTILABEL)
        assert data.relevance.tolist() == MULTILABEL["Y"]
        assert data.targets_in_words() == ["a", "", "a, b, c"]
        with pytest.raises(ValueError, match="hold no ranking"):
            _ = data.rankings

    def test_calibrated_rankings(self):
        data = dataset(**CALIBRATED)
        assert data.rankings.tolist() == [[1, 2, 3], [1, 2, 3], [1, 2, 2]]
        assert data.relevance.tolist() == [[1, 1, 0], [0, 0, 0], [1, 0, 0]]
        assert data.targets_in_words([0]) == ["a > b > zero line > c"]

    def test_partial_rankings_are_kept(self):
        data = dataset(Y=[[1, NAN, 2], [NAN, NAN, NAN], [1, 2, 3]])
        assert data.targets_in_words() == ["a > c", "", "a > b > c"]

    def test_labels_of_a_row_come_best_first_ties_together_without_those_not_ranked(self):
        partial = dataset(Y=[[2, NAN, 1], [NAN, NAN, NAN], [1, 1, 2]])
        buckets = [[[2], [0]], [], [[0, 1], [2]]]
        assert [partial.label_buckets(row) for row in range(3)] == buckets
        # Nobody is first alone where two labels tie.
        assert partial.first_labels.tolist() == [2, -1, -1]
        relevant = dataset(**MULTILABEL)
        assert [relevant.label_buckets(row) for row in range(3)] == [[[0]], [], [[0], [1], [2]]]
        assert relevant.first_labels.tolist() == [-1, -1, -1]

    def test_a_part_keeps_names_and_places_and_can_get_other_rankings(self):
        places = [[0.0, 50.0], [1.0, 51.0], [2.0, 52.0]]
        colors = (("#000000", "#ffffff"),) * 3
        whole = dataset(
            case_names=["p", "q", "r"],
            coordinates=places,
            split=[False, True, True],
            label_colors=colors,
        )
        part = whole.part([2, 0])
        assert part.case_names == ("r", "p")
        assert part.coordinates.tolist() == [places[2], places[0]]
        assert part.Y.tolist() == [VALUES["Y"][2], VALUES["Y"][0]]
        assert part.split is None
        assert part.label_colors == colors
        assert whole.fingerprint == dataset(split=[False, True, True]).fingerprint
        assert dataset(**MULTILABEL).part([0], rankings=[[3, 1, 2]]).rankings.tolist() == [
            [3, 1, 2]
        ]

    @pytest.mark.parametrize("task", list(Task))
    def test_only_plain_rankings_and_pairs_have_no_zero_line(self, task):
        plain = (Task.LABEL_RANKING, Task.PAIR_PREFERENCES)
        assert task.has_zero_line == (task not in plain)


class TestFingerprint:
    @pytest.mark.parametrize(
        "changes",
        [
            {"X": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0000001]]},
            {"Y": [[1, 2, 3], [2, 1, 3], [1, 2, 3]]},
            MULTILABEL,
            {"feature_names": ["x", "z"]},
            {"feature_names": ["y", "x"]},
            {"label_names": ["a", "c", "b"]},
            {"name": "other"},
            {"split": [True, False, False]},
            {"X": sparse.csr_matrix(VALUES["X"])},
            {"schema": Schema((Column("width"), Column("height")))},
        ],
        ids=str,
    )
    def test_any_change_of_a_result_changes_it(self, changes):
        assert dataset(**changes).fingerprint != dataset().fingerprint

    def test_equal_data_have_equal_ones(self):
        assert dataset(X=np.asfortranarray(VALUES["X"])).fingerprint == dataset().fingerprint

    def test_another_split_is_another_one(self):
        splits = ([True, False, False], [False, True, False])
        assert len({dataset(split=split).fingerprint for split in splits}) == 2

    def test_one_cell_of_a_large_matrix_counts(self):
        # A hash of samples would miss it.
        X = np.zeros((200_000, 3))
        Y = np.tile([1, 2], (len(X), 1))
        names = {"feature_names": list("xyz"), "label_names": list("ab")}
        before = dataset(X=X, Y=Y, **names).fingerprint
        X[123_457, 1] = 1e-12
        assert dataset(X=X, Y=Y, **names).fingerprint != before


class TestRaw:
    def test_columns_come_in_the_users_names(self):
        frame = dataset().feature_frame([2, 0])
        assert list(frame) == ["x", "y"]
        assert frame.to_numpy().tolist() == [[4, 5], [0, 1]]

    def test_a_schema_of_its_own_goes_first(self):
        schema = Schema((Column("width (cm)"), Column("height (cm)")))
        assert list(dataset(schema=schema).feature_frame()) == ["width (cm)", "height (cm)"]

    def test_nominal_columns_are_encoded_and_decoded(self):
        frame = pd.DataFrame({"w": [1.5, 2, 3], "hue": ["r", "b", "g"], "sex": ["m", "f", "m"]})
        X = NOMINAL.encode(frame)
        assert X.tolist() == [[1.5, 1, 0, 0, 1], [2, 0, 0, 1, 0], [3, 0, 1, 0, 1]]
        assert NOMINAL.feature_names == ("w", "hue=r", "hue=g", "hue=b", "sex=m")
        for made in (X, sparse.csr_matrix(X)):
            data = dataset(X=made, schema=NOMINAL, feature_names=NOMINAL.feature_names)
            assert data.feature_frame().astype(frame.dtypes).equals(frame)
            assert data.feature_frame([1])["hue"].tolist() == ["b"]

    def test_an_unknown_category_is_refused_in_words(self):
        frame = pd.DataFrame({"w": [1, 2], "hue": ["r", "x"], "sex": ["m", "f"]})
        with pytest.raises(ValueError, match="'hue', got 'x' in row 1"):
            NOMINAL.encode(frame)

    def test_findings_are_kept(self):
        issue = Finding("gap", Severity.INFO, "something")
        assert dataset(findings=[issue]).findings == (issue,)


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"X": [[0.0], [1.0], [2.0]]}, "X with 2 named columns"),
            ({"X": [0.0, 1.0]}, "X with 2 named columns"),
            ({"X": [[0.0, NAN], [2.0, 3.0], [4.0, 5.0]]}, "finite numbers in X"),
            ({"X": [[0.0, np.inf], [2.0, 3.0], [4.0, 5.0]]}, "finite numbers in X"),
            ({"schema": Schema((Column("x"),))}, "encodes to 2 features, got 1"),
            ({"schema": Schema((Column("x"), Column("y", "nominal", ("a", "b"))))}, "0 and 1"),
            ({"X": VALUES["X"][:2]}, "as many rows in X as in Y, got 2 and 3"),
            ({"Y": [[1, 2, 4]] * 3}, "without gaps"),
            ({"Y": [[1, 2]] * 3}, "3 columns in Y, got 2"),
            ({"label_names": ["a", "b", "b"]}, "label name once, got 'b'"),
            ({"feature_names": ["x", "x"]}, "feature name once, got 'x'"),
            (MULTILABEL | {"Y": [[1, 0, 2]] * 3}, "matrix of 0 and 1"),
            (MULTILABEL | {"Y": [[1, 0, NAN]] * 3}, "matrix of 0 and 1"),
            (MULTILABEL | {"Y": [[1], [0], [1]], "label_names": ["a"]}, "two labels, got 1"),
            (CALIBRATED | {"Y": [[1, 2, 3]] * 3}, "4 columns in Y, got 3"),
            (CALIBRATED | {"Y": [[1, 2, 3, NAN]] * 3}, "complete rankings"),
            ({"split": [True, False]}, "one boolean per row"),
            ({"case_names": ["p", "q"]}, "one name per row, got 2 for 3"),
            ({"label_colors": [("#000000", "#ffffff")]}, "two colours per label, got 1 for 3"),
            ({"label_colors": [("#000000", "red")] * 3}, "in label_colors, got 'red'"),
            ({"label_colors": [("#000;}", "#ffffff")] * 3}, "in label_colors, got '#000;}'"),
            ({"coordinates": [[0.0, 1.0]] * 2}, "longitude and latitude per row"),
            ({"coordinates": [[0.0, np.inf]] * 3}, "longitude and latitude per row"),
            ({"split": [True] * 3}, "both parts present"),
            ({"split": [False] * 3}, "both parts present"),
            ({"task": "sorting"}, "Expected a task"),
        ],
        ids=str,
    )
    def test_what_does_not_fit_is_refused_in_words(self, changes, message):
        with pytest.raises(ValueError, match=message):
            dataset(**changes)

    def test_features_must_be_of_a_size_to_compute_with(self):
        X = np.array([[1e70, 1e70], [-1e70, 1e70], [0.0, 5e-324]])
        assert dataset(X=X).X.tolist() == X.tolist()
        for size in (1.7976931348623157e308, -1.1e70):
            with pytest.raises(ValueError, match=r"at most 1e\+70 in size, got 1\..*Scale them"):
                dataset(X=[[size, 0.0], [0.0, 1.0], [1.0, 1.0]])
        with pytest.raises(ValueError, match=r"at least 1e-70 in size, .* none above 4.94066e-324"):
            dataset(X=[[5e-324, 0.0], [0.0, 0.0], [0.0, 0.0]])
        assert not dataset(X=np.zeros((3, 2))).X.any()

    def test_sparse_features_must_be_finite_too(self):
        with pytest.raises(ValueError, match="finite"):
            dataset(X=sparse.csr_matrix([[NAN, 0.0], [0.0, 1.0], [1.0, 1.0]]))


def test_ties_are_those_of_labels_that_are_ranked():
    nan = float("nan")
    for Y, has_ties in (
        ([[1, 2, nan, nan], [2, 1, 3, 4]], False),
        ([[1, 2, 2, nan], [2, 1, 3, 4]], True),
    ):
        data = Dataset(np.zeros((2, 1)), Y, Task.LABEL_RANKING, ["x"], list("abcd"), "tiny")
        assert data.has_ties == has_ties
        offered = ALGORITHMS["knn"].knobs_for(data)
        assert any(knob.name == "ties" for knob in offered) == has_ties
    sets = Dataset([[0.0]], [[1, 1]], Task.MULTILABEL, ["x"], ["a", "b"], "tiny")
    assert not sets.has_ties
