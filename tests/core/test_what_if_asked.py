"""What-if in one call: every change found is one, in the names and units of the data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample
from labelrank_core.explain.what_if import features_of, smallest_change, sweep, what_if

IRIS, OUTINGS = load_sample("iris"), load_sample("outings")
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
