"""What-if in one call: every change found is one, in the names and units of the data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    ConformalLabelRanker,
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
    RiskControlledLabelSets,
    load_sample,
)
from labelrank_core.explain.what_if import features_of, smallest_change, sweep, what_if

IRIS, OUTINGS, SONGS = (load_sample(name) for name in ("iris", "outings", "songs"))
MODEL = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=5))
MODEL.fit(IRIS.X, IRIS.rankings)


def test_every_value_in_the_table_has_the_ranking_in_its_row():
    x = IRIS.X[70]
    found = what_if(MODEL, x, IRIS)
    table = found.frame()
    assert set(table["changes"]) == {"first", "order"}
    assert table["exact"].all()
    for row in table.itertuples():
        changed = x.copy()
        changed[IRIS.feature_names.index(row.column)] = row.value
        order = np.argsort(MODEL.predict(changed[None])[0])
        assert row.ranking == " > ".join(IRIS.label_names[label] for label in order)
        assert row.own == x[IRIS.feature_names.index(row.column)]
    first = table[table["changes"] == "first"]
    assert first["share"].is_monotonic_increasing
    (smallest, *_) = found.changes("first")
    alone = [smallest_change(sweep(MODEL, x, feature)) for feature in features_of(IRIS)]
    assert smallest[1].share == min(each.share for each in alone)


def test_it_prints_a_sentence_for_each_column():
    said = str(what_if(MODEL, IRIS.X[70], IRIS)).splitlines()
    assert len(said) == 4
    assert said[0].startswith("If sepal width (cm) rises from 3.2 past 3.347")
    html = what_if(MODEL, IRIS.X[70], IRIS)._repr_html_()
    assert html.count("<li>") == 4


def test_columns_that_change_nothing_are_named():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([0.0, 1.0], 10), 1e-6 * rng.normal(size=20)])
    data = IRIS.part(np.arange(20))
    data = type(data)(X, np.repeat([[1, 2], [2, 1]], 10, axis=0), data.task, ["<b>x</b>", "noise"],
                      ["a", "b"], "steps")  # fmt: skip
    model = KNeighborsLabelRanker(n_neighbors=1).fit(X, data.rankings)
    found = what_if(model, X[0], data)
    assert (
        str(found).splitlines()[1] == "No value in the range of the data changes anything: noise."
    )
    assert "&lt;b&gt;x" in found._repr_html_()
    assert "<b>" not in found._repr_html_()


def test_label_sets_say_which_labels_are_relevant_then():
    model = KNeighborsMultilabelRanker(n_neighbors=3).fit(OUTINGS.X, OUTINGS.Y)
    x = OUTINGS.X[2]
    table = what_if(model, x, OUTINGS, [0]).frame()
    row = table[table["changes"] == "relevant"].iloc[0]
    changed = x.copy()
    changed[0] = row["value"]
    labels = np.flatnonzero(model.predict(changed[None])[0])
    assert row["relevant"] == ", ".join(OUTINGS.label_names[label] for label in labels)


def test_columns_are_asked_for_by_name_and_a_case_may_be_a_row_of_a_frame():
    frame = pd.DataFrame(IRIS.X, columns=IRIS.feature_names)
    by_row = what_if(MODEL, frame.iloc[70], IRIS, ["petal width (cm)"])
    by_array = what_if(MODEL, IRIS.X[70], IRIS, [3])
    pd.testing.assert_frame_equal(by_row.frame(), by_array.frame())
    with pytest.raises(ValueError, match="got 'width'"):
        what_if(MODEL, IRIS.X[70], IRIS, ["width"])


def test_a_setting_of_the_path_is_another_model():
    found = what_if(MODEL, IRIS.X[70], IRIS, n_neighbors=1).frame()
    again = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=1))
    again.fit(IRIS.X, IRIS.rankings)
    pd.testing.assert_frame_equal(found, what_if(again, IRIS.X[70], IRIS).frame())


def test_plain_rows_do_where_names_are_not_needed():
    named = what_if(MODEL, IRIS.X[70], IRIS).frame()
    frame = pd.DataFrame(IRIS.X, columns=IRIS.feature_names)
    for rows, case in ((frame, frame.iloc[70]), (IRIS.X.tolist(), IRIS.X[70])):
        found = what_if(MODEL, case, rows).frame()
        assert found["value"].tolist() == named["value"].tolist()
        assert found["ranking"][0].count("label ") == 3
    assert found["column"][0] == "feature 1"
    sets = make_pipeline(StandardScaler(), KNeighborsMultilabelRanker(n_neighbors=3))
    sets.fit(OUTINGS.X, OUTINGS.Y)
    relevant = what_if(sets, OUTINGS.X[2], OUTINGS.X, [0]).frame()["relevant"]
    assert relevant.str.fullmatch(r"(label \d+(, )?)*").all()


WITHOUT_A_PATH = {
    "guarantee": ConformalLabelRanker(MODEL, calibration=3, random_state=0),
    "pipeline of a guarantee": make_pipeline(
        StandardScaler(), ConformalLabelRanker(KNeighborsLabelRanker(), random_state=0)
    ),
    "regression on positions": Ridge(),
}


@pytest.mark.parametrize("model", WITHOUT_A_PATH.values(), ids=WITHOUT_A_PATH)
@pytest.mark.parametrize("data", [IRIS, IRIS.X], ids=["data set", "array"])
def test_rankers_without_a_path_are_asked_by_their_predictions(model, data):
    x = IRIS.X[70]
    model.fit(IRIS.X, IRIS.rankings)
    table = what_if(model, x, data).frame()
    assert len(table)
    assert not table["exact"].any()
    columns = IRIS.feature_names if data is IRIS else [f"feature {j}" for j in range(4)]
    names = IRIS.label_names if data is IRIS else ["label 0", "label 1", "label 2"]
    for row in table.itertuples():
        changed = x.copy()
        changed[columns.index(row.column)] = row.value
        order = np.argsort(model.predict(changed[None])[0])
        assert row.ranking == " > ".join(names[label] for label in order)


def test_positions_that_a_regression_predicts_for_two_labels_may_tie():
    class Rounded(Ridge):
        def predict(self, X):
            return super().predict(X).round()

    model = Rounded().fit(IRIS.X, IRIS.rankings)
    rankings = what_if(model, IRIS.X[70], IRIS).frame()["ranking"]
    assert rankings.str.contains(" = ").any()


@pytest.mark.parametrize("level", [0.6, 0.8])
def test_label_sets_without_a_path_are_asked_by_their_predictions(level):
    model = RiskControlledLabelSets(MLkNNClassifier(), 0.8, random_state=0)
    model.fit(SONGS.X, SONGS.relevance)
    x = SONGS.X[2]
    table = what_if(model, x, SONGS, [0], level=level).frame()
    assert set(table["changes"]) == {"relevant", "order"}
    for row in table.itertuples():
        changed = x.copy()
        changed[SONGS.feature_names.index(row.column)] = row.value
        (taken,) = model.predict(changed[None], level=level)
        assert row.relevant == ", ".join(np.array(SONGS.label_names)[taken == 1])


def test_a_classifier_of_another_library_orders_labels_by_its_probabilities():
    model = RandomForestClassifier(10, random_state=0).fit(SONGS.X, SONGS.relevance)
    table = what_if(model, SONGS.X[2], SONGS.X).frame()
    assert set(table["changes"]) == {"relevant", "order"}
    for row in table.itertuples():
        changed = SONGS.X[2].copy()
        changed[int(row.column.removeprefix("feature "))] = row.value
        shares = [float(label[0, 1]) for label in model.predict_proba(changed[None])]
        first = row.ranking.split(" > ")[0]
        assert shares[int(first.removeprefix("label "))] == max(shares)
