"""An explanation in a notebook: text and drawings with the data's names, through pipelines."""

import html
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, LabelRankingForest
from labelrank_core.data import Dataset
from labelrank_core.explain import explain_prediction
from labelrank_core.explain.render import picture
from labelrank_core.explain.render.explanation import scene_of
from labelrank_core.methods import ALGORITHMS, ModelChoice
from tests import problems

NAMES = ("tea", "<b>juice</b>", "a & b", "water")


def data_for(algorithm, n_rows=24):
    rng = np.random.default_rng(3)
    task = algorithm.tasks[0]
    X = problems.features(rng, "continuous", n_rows, 3)
    Y = problems.targets(rng, task, n_rows, len(NAMES))
    return Dataset(X, Y, task, ("size", "<i>hue</i>", "age"), NAMES, "four")


def fitted(key):
    algorithm = ALGORITHMS[key]
    data = data_for(algorithm)
    model = ModelChoice(key, problems.few(algorithm)).build()
    return model.fit(data.X, algorithm.targets(data)), data


def tree(drawn):
    """What is drawn, without its style sheet, which must be well-formed."""
    body = re.sub("<style>.*?</style>", "", drawn, flags=re.DOTALL)
    assert "<script" not in body
    return ElementTree.fromstring(f"<all>{body}</all>")


@pytest.mark.parametrize("key", ALGORITHMS)
def test_every_method_is_drawn_with_the_drawings_of_the_pages(key):
    model, data = fitted(key)
    found = explain_prediction(model, data.X[5], data)
    assert np.array_equal(found.prediction, model.predict(data.X)[5])
    drawn, scene = found._repr_html_(), scene_of(found)
    for step in found.steps:
        assert picture(step.evidence, scene).html() in drawn
        assert html.escape(step.title) in drawn
    whole = tree(drawn)
    words = " ".join("".join(whole.itertext()).split())
    assert found.summary.plain(NAMES) in words
    chips = [each.text for each in whole.iter("span") if "lr-chip" in each.get("class", "")]
    assert chips[: len(NAMES)] == [NAMES[label] for label in found.order]
    assert "juice" not in {each.text for each in whole.iter("b")}
    assert "hue" not in {each.text for each in whole.iter("i")}


def test_labels_have_the_colours_of_their_data():
    model, data = fitted("knn")
    colors = [("#101010", "#e0e0e0")] * len(NAMES)
    found = explain_prediction(model, data.X[5], replace(data, label_colors=colors))
    assert "--l3:light-dark(#101010,#e0e0e0);" in tree(found._repr_html_())[0].get("style")
    assert not tree(explain_prediction(model, data.X[5], data)._repr_html_())[0].get("style")


def test_text_begins_with_the_prediction_and_says_every_step():
    model, data = fitted("knn")
    found = explain_prediction(model, data.X[5], data)
    lines = str(found).splitlines()
    assert lines[0] == "Predicted: " + " > ".join(NAMES[label] for label in found.order)
    assert lines[1] == found.summary.plain(NAMES)
    said = " ".join(str(found).split())
    for place, step in enumerate(found.steps, start=1):
        assert f"{place}. {step.title} {' '.join(step.text.plain(NAMES).split())}" in said
    assert repr(found) == str(found)
    assert max(map(len, lines[2:])) <= 88


def test_text_of_label_sets_says_which_are_relevant_and_their_order():
    X = np.arange(6.0)[:, None]
    Y = np.tile([[0, 1, 1]], (6, 1))
    model = KNeighborsMultilabelRanker(n_neighbors=3).fit(X, Y)
    first = str(model.explain([2.0])).splitlines()[0]
    assert first == "Predicted: label 1, label 2 (order: label 1 > label 2 > label 0)"
    none = KNeighborsMultilabelRanker(n_neighbors=3).fit(X, 1 - Y[:, [1, 1, 1]])
    assert str(none.explain([2.0])).startswith("Predicted: no label (order: ")


def test_without_a_data_set_columns_of_a_frame_give_the_features_their_names():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"height": rng.normal(size=30), "width": rng.normal(size=30)})
    Y = np.where(frame[["height"]] > 0, [[1, 2]], [[2, 1]])
    model = make_pipeline(StandardScaler(), LabelRankingForest(3, random_state=0)).fit(frame, Y)
    for case in (frame.iloc[4], frame.iloc[[4]]):
        found = explain_prediction(model, case, label_names=["up", "down"])
        assert np.array_equal(found.prediction, model.predict(frame)[4])
        assert f"height = {frame['height'][4]:.4g}" in found._repr_html_()


def test_features_made_by_a_pipeline_are_called_what_it_calls_them():
    frame = pd.DataFrame({"size": [1.0, 2, 3, 4] * 5, "colour": ["red", "blue"] * 10})
    Y = np.array([[1, 2], [2, 1]] * 10)
    made = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["colour"]),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    model = make_pipeline(made, LabelRankingForest(3, random_state=0)).fit(frame, Y)
    found = explain_prediction(model, frame.iloc[3])
    assert np.array_equal(found.prediction, model.predict(frame.iloc[[3]])[0])
    assert re.search("colour_(blue = 1|red = 0)", found._repr_html_())


def test_a_case_goes_through_steps_that_turn_features_into_others():
    data = data_for(ALGORITHMS["knn"])
    forest = LabelRankingForest(3, random_state=0)
    model = make_pipeline(StandardScaler(), PCA(2), forest)
    model.fit(data.X, data.rankings)
    found = explain_prediction(model, data.X[3], data)
    assert np.array_equal(found.prediction, model.predict(data.X)[3])
    assert re.search("pca[01] = ", found._repr_html_())


def test_the_best_model_of_a_search_is_explained_at_any_setting_of_its_path():
    data = data_for(ALGORITHMS["knn"])
    knn = KNeighborsLabelRanker()
    search = GridSearchCV(knn, {"n_neighbors": [7]}, cv=2).fit(data.X, data.rankings)
    found = explain_prediction(search, data.X[0], data, n_neighbors=3)
    expected = KNeighborsLabelRanker(n_neighbors=3).fit(data.X, data.rankings).explain(data.X[0])
    assert np.array_equal(found.prediction, expected.prediction)
    assert found.summary == expected.summary


def test_neighbours_are_called_by_the_rows_of_the_data():
    rows = np.array([20, 3, 11, 7, 16])
    data = data_for(ALGORITHMS["knn"])
    model = KNeighborsLabelRanker(n_neighbors=1).fit(data.X[rows], data.rankings[rows])
    assert "#12  d 0.00" in explain_prediction(model, data.X[11], data, rows=rows)._repr_html_()
    assert "#3  d 0.00" in explain_prediction(model, data.X[11], data)._repr_html_()


def test_what_cannot_be_explained_is_refused_in_a_sentence():
    data = data_for(ALGORITHMS["knn"])
    bare = make_pipeline(StandardScaler(), SVC()).fit(data.X, data.rankings[:, 0])
    with pytest.raises(TypeError, match="explains its predictions, got SVC"):
        explain_prediction(bare, data.X[0])
    model, _ = fitted("knn")
    with pytest.raises(ValueError, match="one case, got 2 rows"):
        explain_prediction(model, pd.DataFrame(data.X[:2]))
    with pytest.raises(ValueError, match="one case, got 2 rows"):
        explain_prediction(model, data.X[:2])
    with pytest.raises(ValueError, match="Expected 4 label names, got 2"):
        str(explain_prediction(model, data.X[0], label_names=["a", "b"]))
