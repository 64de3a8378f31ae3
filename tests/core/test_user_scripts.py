"""Whole scripts as users write them, with names from the data to the explanation."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import labelrank_core as lr


def test_frames():
    people = pd.DataFrame(
        {
            "age": [20, 30, 40, 50, 60, 70],
            "sex": ["f", "m", "f", "m", "f", "m"],
            "drinks": ["tea>milk"] * 3 + ["milk>tea"] * 3,
        },
        index=["ann", "bob", "eve", "joe", "kim", "leo"],
    )
    X, Y = people[["age", "sex"]], lr.parse_rankings(people["drinks"])
    encode = make_column_transformer((OneHotEncoder(), ["sex"]), remainder="passthrough")
    encode.set_output(transform="default")
    model = make_pipeline(encode, lr.KNeighborsLabelRanker(n_neighbors=1)).fit(X, Y)
    predicted = model.predict(X)
    assert predicted.columns.tolist() == ["milk", "tea"]
    assert predicted["tea"].tolist() == [1, 1, 1, 2, 2, 2]
    text = str(lr.explain_prediction(model, X.loc["eve"]))
    assert text.startswith("Predicted: tea > milk")
    data = lr.Dataset.from_frame(X, Y, name="drinks")
    assert data.case_names == tuple(people.index)
    assert lr.write_dataset(data, "csv")[0][0] == "drinks.csv"


def test_sparse_text():
    texts = ["rain and wind", "sun and heat", "wind and heat", "rain", "sun", "wind"] * 5
    Y = pd.DataFrame(
        {name: [int(name in text) for text in texts] for name in ("rain", "sun", "wind")}
    )
    model = make_pipeline(TfidfVectorizer(), lr.BinaryRelevanceClassifier()).fit(texts, Y)
    predicted = model.predict(["rain", "sun and wind"])
    assert predicted.columns.tolist() == ["rain", "sun", "wind"]
    assert predicted.to_numpy().tolist() == [[1, 0, 0], [0, 1, 1]]
    scores = model.decision_function(["rain"])
    assert scores.iloc[0].idxmax() == "rain"
    folds = lr.LabelSetStratifiedKFold(3, shuffle=True, random_state=0)
    losses = cross_val_score(model, texts, Y, cv=folds, scoring=lr.scorers["neg_hamming_loss"])
    assert (losses == 0).all()


def test_partial_rankings():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.random(60)})
    words = pd.Series(np.where(X["x"] < 0.5, "a > b", "b > a"))
    words[::3] += " > c"
    words[1] = None
    Y = lr.parse_rankings(words)
    assert Y["c"].isna().sum() == 40
    assert Y.loc[1].isna().all()
    train, test, Y_train, Y_test = train_test_split(X, Y.astype("Int64"), random_state=0)
    model = lr.KNeighborsLabelRanker(n_neighbors=3).fit(train, Y_train)
    predicted = model.predict(test)
    assert predicted.index.equals(test.index)
    assert (predicted["c"] == 3).all()
    assert model.score(test, Y_test) > 0.8


def test_a_data_set_in_a_notebook():
    data = lr.load_sample("iris")
    assert repr(data).startswith("Data set: iris (label ranking)\nRows: 150\n")
    assert data._repr_html_().startswith("<table><tr><th>Data set</th><td>iris (label ranking)")
