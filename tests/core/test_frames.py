"""Frames and rankings in words as features and targets, for every estimator."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow
import pytest
from narwhals import from_native
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    BinaryRelevanceClassifier,
    ConformalLabelRanker,
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
    RiskControlledLabelSets,
    load_sample,
    read_dataset,
)
from labelrank_core.data.frames import as_pandas, named_targets
from labelrank_core.data.ranking_words import parse_ranking, parse_rankings
from labelrank_core.explain import explain_prediction
from labelrank_core.explain.what_if import what_if
from labelrank_core.methods import ALGORITHMS, BASELINES, named_labels
from labelrank_core.rankings import format_ranking
from tests.core.test_estimators import dataset, estimator

NAN = float("nan")
NAMES = ["tea", "juice", "water", "milk"]
METHODS = ["predict", "predict_ranking", "predict_proba", "decision_function", "raw_scores"]


def framed(algorithm):
    """Features and targets of a small data set as frames, and as arrays."""
    data = dataset(algorithm.tasks[0])
    targets = algorithm.targets(data)
    X = pd.DataFrame(data.X, columns=list(data.feature_names)).set_axis(
        [f"case {row}" for row in range(len(data.X))]
    )
    return X, pd.DataFrame(targets, columns=NAMES, index=X.index), data.X, targets


class ArrowOnly:
    """A frame that has nothing but Arrow's interface."""

    def __init__(self, frame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)


class InterchangeOnly:
    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, **options):
        return self.frame.__dataframe__(**options)


@pytest.mark.parametrize("key", ALGORITHMS)
def test_every_method_predicts_frames_where_labels_have_names(key):
    X, Y, features, targets = framed(ALGORITHMS[key])
    plain = estimator(key).fit(features, targets)
    named = estimator(key).fit(X, Y)
    assert named.label_names_in_.tolist() == NAMES
    assert named.feature_names_in_.tolist() == X.columns.tolist()
    assert not hasattr(plain, "label_names_in_")
    for method in [method for method in METHODS if hasattr(plain, method)]:
        frame, array = getattr(named, method)(X), getattr(plain, method)(features)
        assert isinstance(array, np.ndarray)
        expected = pd.DataFrame(array, index=X.index, columns=NAMES)
        pd.testing.assert_frame_equal(frame, expected, check_column_type=False)
    assert named.score(X, Y) == plain.score(features, targets)
    assert named.explain(X.iloc[[3]]).about.label_names == tuple(NAMES)
    named.fit(features, targets)
    assert not hasattr(named, "label_names_in_")
    assert isinstance(named.predict(features), np.ndarray)


@pytest.mark.parametrize("baseline", BASELINES)
def test_baselines_predict_frames(baseline):
    Y = pd.DataFrame([[1, 2], [2, 1], [1, 2]], columns=["a", "b"])
    X = pd.DataFrame({"x": [0.0, 1.0, 2.0]}, index=[7, 8, 9])
    for model, targets in ((baseline.label_ranker, Y), (baseline.multilabel_ranker, Y - 1)):
        predicted = model.fit(X, targets).predict(X)
        assert predicted.columns.tolist() == ["a", "b"]
        assert predicted.index.tolist() == [7, 8, 9]


def test_wrappers_of_estimators_predict_frames():
    data = load_sample("iris")
    X = pd.DataFrame(data.X, columns=data.feature_names)
    Y = pd.DataFrame(data.rankings, columns=data.label_names)
    ranker = ConformalLabelRanker(KNeighborsLabelRanker(), random_state=0).fit(X, Y)
    assert ranker.predict(X).columns.tolist() == list(data.label_names)
    sets = RiskControlledLabelSets(KNeighborsMultilabelRanker(), random_state=0)
    sets.fit(X, (Y <= 2).astype(int))
    assert sets.predict(X).columns.tolist() == list(data.label_names)


@pytest.mark.parametrize("wrap", [from_native, ArrowOnly, pyarrow.Table.from_pandas])
def test_frames_of_other_libraries_are_those_of_pandas(wrap):
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    X, Y = X.reset_index(drop=True), Y.reset_index(drop=True)
    expected = KNeighborsLabelRanker().fit(X, Y).predict(X)
    model = KNeighborsLabelRanker().fit(wrap(X), wrap(Y))
    pd.testing.assert_frame_equal(model.predict(wrap(X)), expected)
    assert model.score(wrap(X), wrap(Y)) == model.score(X, Y)
    np.testing.assert_array_equal(model.point(wrap(X)).prediction, expected)
    assert explain_prediction(model, wrap(X[:1])).prediction.tolist() == expected.iloc[0].tolist()


@pytest.mark.filterwarnings("ignore:The Dataframe Interchange Protocol")
def test_frames_with_the_old_interchange_protocol_are_read():
    frame = pd.DataFrame({"a": [1, 2], "b": [2, 1]})
    pd.testing.assert_frame_equal(as_pandas(InterchangeOnly(frame)), frame)


def test_series_of_other_libraries_hold_rankings_in_words():
    values, names = named_targets(pyarrow.array(["b>a", None, "a=b"]))
    assert names == ("a", "b")
    np.testing.assert_array_equal(values, [[2, 1], [NAN, NAN], [1, 1]])
    assert named_targets(pyarrow.table({"drinks": ["b>a", "a>b"]}))[1] == ("a", "b")


def test_only_texts_are_names():
    X, Y = np.arange(4.0)[:, None], pd.DataFrame([[1, 2], [2, 1]] * 2)
    model = KNeighborsLabelRanker(n_neighbors=1).fit(X, Y)
    assert not hasattr(model, "label_names_in_")
    assert isinstance(model.predict(X), np.ndarray)


def test_a_name_that_occurs_twice_is_refused():
    Y = pd.DataFrame([[1, 2], [2, 1]], columns=["a", "a"])
    with pytest.raises(ValueError, match="every label name once in Y, got 'a'"):
        KNeighborsLabelRanker().fit([[0.0], [1.0]], Y)


class TestWords:
    X = np.arange(4.0)[:, None]
    WORDS = ("b>a=c", "a>b", "", "c > b > a")

    @pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pd.Categorical, pd.Index])
    def test_rankings_in_words_are_targets(self, kind):
        words = kind(self.WORDS)
        words = pd.Series(words) if isinstance(words, pd.Categorical) else words
        model = KNeighborsLabelRanker(n_neighbors=1).fit(self.X, words)
        assert model.label_names_in_.tolist() == ["a", "b", "c"]
        positions = [[2, 1, 2], [1, 2, NAN], [NAN] * 3, [3, 2, 1]]
        plain = KNeighborsLabelRanker(n_neighbors=1).fit(self.X, positions)
        expected = pd.DataFrame(plain.predict(self.X), columns=["a", "b", "c"])
        pd.testing.assert_frame_equal(model.predict(self.X), expected, check_column_type=False)
        assert model.score(self.X, words) == plain.score(self.X, positions)

    def test_words_of_a_score_may_leave_labels_out_but_name_no_other(self):
        model = KNeighborsLabelRanker(n_neighbors=1).fit(self.X, self.WORDS)
        assert model.score(self.X[:1], ["b > c"]) == 1
        with pytest.raises(ValueError, match=r"labels a, b, c in rankings, got 'd' in row 1"):
            model.score(self.X[:2], ["a>b", "a>d"])

    def test_columns_of_a_score_are_brought_into_order(self):
        Y = parse_rankings(self.WORDS[:2] + self.WORDS[3:])
        X = self.X[:3]
        model = KNeighborsLabelRanker(n_neighbors=1).fit(X, Y)
        assert model.score(X, Y[["c", "a", "b"]]) == model.score(X, Y)
        with pytest.raises(ValueError, match="Expected the labels 'a', 'b', 'c' as columns"):
            model.score(X, Y[["a", "b"]])
        with pytest.raises(ValueError, match="Expected the labels 'a', 'b', 'c' as columns"):
            model.score(X, Y.rename(columns={"a": "d"}))

    def test_parsed_rankings_keep_their_labels_in_all_folds(self):
        # The label z is ranked in a single row.
        words = pd.Series([*["x > y", "y > x"] * 6, "z > x > y"])
        X = np.arange(13.0)[:, None]
        Y = parse_rankings(words)
        assert np.isfinite(cross_val_score(KNeighborsLabelRanker(), X, Y, cv=3)).all()
        with pytest.raises(ValueError, match=r"got 'z' in row .*`parse_rankings`"):
            cross_val_score(KNeighborsLabelRanker(), X, words, cv=3, error_score="raise")

    def test_the_zero_line_is_the_last_column(self):
        words = ["a > zero line > b", "b > a > zero line", "zero line > b = a"]
        model = KNeighborsMultilabelRanker(n_neighbors=1).fit(self.X[:3], words)
        assert model.label_names_in_.tolist() == ["a", "b"]
        predicted = model.predict(self.X[:3])
        assert predicted.to_numpy().tolist() == [[1, 0], [1, 1], [0, 0]]
        assert model.score(self.X[:3], words) == 1
        with pytest.raises(ValueError, match="whose last label is called 'zero line'"):
            model.score(self.X[:3], ["a > b", "b > a", "a > b"])
        assert parse_rankings(words).columns.tolist() == ["a", "b", "zero line"]

    @pytest.mark.parametrize(
        "words", [["a > b > c", "b > c > a"], pd.DataFrame({"a": [1, 2], "b": [2, 1], "c": [3, 3]})]
    )
    def test_rankings_without_zero_line_are_no_label_sets(self, words):
        with pytest.raises(ValueError, match="whose last label is called 'zero line'"):
            BinaryRelevanceClassifier().fit(self.X[:2], words)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("b > a = c", [2, 1, 2]),
            ("{a, c} ≻ b", [1, 2, 1]),
            ("a", [1, NAN, NAN]),
            ("  ", [NAN, NAN, NAN]),
        ],
    )
    def test_one_ranking(self, text, expected):
        ranking = parse_ranking(text, ["a", "b", "c"])
        np.testing.assert_array_equal(ranking, expected)
        assert ranking.index.tolist() == ["a", "b", "c"]

    def test_labels_come_in_natural_order(self):
        assert parse_ranking("L10 > L2 > L1").index.tolist() == ["L1", "L2", "L10"]

    @pytest.mark.parametrize("names", [["a", "b c", "d"], ["א", "ב", "x"]])
    def test_what_is_formatted_is_parsed(self, names):
        for positions in ([2, 1, 2], [NAN, 2, 1], [1, 2, 3]):
            text = format_ranking(positions, names)
            np.testing.assert_array_equal(parse_ranking(text, names), positions)

    @pytest.mark.parametrize(
        ("texts", "message"),
        [
            (["a>b", "a>>b"], "row 1: 'a>>b', but a name is missing"),
            (["a>a"], "row 0: 'a>a', but label 'a' occurs more than once"),
            (["a>b", 3], "row 1: 3"),
        ],
    )
    def test_what_is_no_ranking_is_refused_with_its_row(self, texts, message):
        with pytest.raises(ValueError, match=message):
            parse_rankings(texts)

    def test_a_number_is_no_ranking(self):
        with pytest.raises(ValueError, match="Expected a ranking in words"):
            parse_ranking(3)


def test_a_pipeline_keeps_the_names_and_the_index_of_frames():
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    scaled = make_pipeline(StandardScaler(), KNeighborsLabelRanker()).fit(X, Y)
    assert scaled.predict(X).index.tolist() == list(range(len(X)))
    scaled = make_pipeline(StandardScaler().set_output(transform="pandas"), KNeighborsLabelRanker())
    assert scaled.fit(X, Y).predict(X).index.tolist() == X.index.tolist()
    found = explain_prediction(scaled, X.iloc[0])
    assert found.about.label_names == tuple(NAMES)


def test_what_if_names_the_labels_of_the_fit():
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    model = KNeighborsLabelRanker().fit(X, Y)
    assert what_if(model, X.iloc[0], X).label_names == tuple(NAMES)


@pytest.mark.parametrize("key", ["knn", "mlr", "stacked"])
def test_predictions_may_be_chosen_to_be_arrays_also_in_clones(key):
    X, Y, _, _ = framed(ALGORITHMS[key])
    model = estimator(key).fit(X, Y)
    expected = model.predict(X)
    assert isinstance(model.set_output().predict(X), pd.DataFrame)
    copied = clone(model.set_output(predict="default")).fit(X, Y)
    for fitted in (model, copied):
        assert isinstance(fitted.predict(X), np.ndarray)
        np.testing.assert_array_equal(fitted.predict(X), expected)
    pd.testing.assert_frame_equal(copied.set_output(predict="pandas").predict(X), expected)
    with pytest.raises(ValueError, match="Expected 'default', 'pandas', 'polars' or None"):
        model.set_output(predict="dask")


@pytest.mark.parametrize("key", ["knn", "mlr", "ll", "stacked"])
def test_labels_without_names_have_numbers_in_frames_that_were_asked_for(key):
    X, Y, _, _ = framed(ALGORITHMS[key])
    expected = estimator(key).fit(X, Y.to_numpy()).predict(X)
    assert isinstance(expected, np.ndarray)
    model = estimator(key).set_output(predict="pandas")
    # Twice: a second fit begins from one that predicts frames.
    predicted = model.fit(X, Y.to_numpy()).fit(X, Y.to_numpy()).predict(X)
    pd.testing.assert_frame_equal(predicted, pd.DataFrame(expected, index=X.index))
    assert model.score(X, Y.to_numpy()) == estimator(key).fit(X, Y.to_numpy()).score(
        X, Y.to_numpy()
    )


def test_a_column_of_words_may_be_an_array():
    words = ["b > a", "a > b", "b > a"]
    column = pd.DataFrame({"ranking": words}).to_numpy(dtype=object)
    model = KNeighborsLabelRanker(1).fit([[0.0], [1.0], [2.0]], column)
    assert model.predict([[0.0]]).to_dict("list") == {"a": [2], "b": [1]}


@pytest.mark.parametrize("container", [np.asarray, lambda Y: pd.DataFrame(Y, columns=["a", "b"])])
def test_a_missing_cell_of_a_label_set_is_named(container):
    sets = container([[1.0, 0.0], [1.0, np.nan], [0.0, 1.0]])
    with pytest.raises(ValueError, match=r"0 or 1 in every cell of Y, got a missing one in row 1"):
        MLkNNClassifier(1).fit([[0.0], [1.0], [2.0]], sets)


def test_predictions_may_be_frames_of_polars(monkeypatch):
    # Polars itself is large; of what it has nothing but this is used.
    modules = {"polars": SimpleNamespace(DataFrame=pyarrow.table)}
    monkeypatch.setattr(named_labels, "import_module", modules.__getitem__)
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    model = KNeighborsLabelRanker().set_output(predict="polars").fit(X, Y)
    predicted = model.predict(pyarrow.Table.from_pandas(X, preserve_index=False))
    assert isinstance(predicted, pyarrow.Table)
    expected = model.set_output(predict="pandas").predict(X).reset_index(drop=True)
    pd.testing.assert_frame_equal(predicted.to_pandas(), expected)


@pytest.mark.parametrize(
    "use",
    [
        read_dataset,
        lambda frame: KNeighborsLabelRanker().fit(frame, [[1, 2]]),
        lambda frame: KNeighborsLabelRanker().fit([[0.0]], frame),
    ],
)
def test_lazy_frames_are_refused_with_the_method_that_cures(use):
    class LazyFrame:
        collect = collect_schema = None

    with pytest.raises(TypeError, match=r"Expected a frame, got LazyFrame\..*collect\(\)"):
        use(LazyFrame())


def test_a_dictionary_is_a_case():
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    model = KNeighborsLabelRanker().fit(X, Y)
    case = X.iloc[0].to_dict()
    assert str(explain_prediction(model, case)) == str(explain_prediction(model, X.iloc[:1]))
    assert str(what_if(model, case, X)) == str(what_if(model, X.iloc[0], X))


def test_a_pipeline_sets_the_output_of_its_transformers():
    X, Y, _, _ = framed(ALGORITHMS["knn"])
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker()).set_output(transform="pandas")
    assert model.fit(X, Y).predict(X).index.tolist() == X.index.tolist()
