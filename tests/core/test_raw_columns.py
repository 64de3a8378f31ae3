"""Pipelines that choose columns by name: from a data set to results, reasons and what-if."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from labelrank_core import (
    ConformalLabelRanker,
    Dataset,
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    LabelRankingForest,
    StackedLabelRanker,
    explain_prediction,
    results_of,
    what_if,
)
from labelrank_core.experiments import Protocol
from labelrank_core.explain.predictions import feature_units
from labelrank_core.explain.raw_columns import on_raw_columns

RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "age": RNG.integers(20, 80, 90).astype(float),
        "hue": RNG.choice(["red", "green", "blue"], 90),
        "sex": RNG.choice(["f", "m"], 90),
    }
)
OLD = (X["age"] > 50) ^ (X["hue"] == "red")
Y = pd.DataFrame(np.where(OLD.to_numpy()[:, None], [[1, 2, 3]], [[3, 1, 2]]), columns=[*"abc"])
DATA = Dataset.from_frame(X, Y, name="people")
FEW = Protocol(n_folds=3, seed=1)


def by_name(estimator):
    columns = make_column_transformer(
        (OneHotEncoder(), ["hue", "sex"]), (StandardScaler(), ["age"])
    )
    return make_pipeline(columns, estimator)


def by_kind(estimator):
    columns = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_exclude="number")), remainder="passthrough"
    )
    return make_pipeline(columns, estimator)


def tau(results):
    return results[results["measure"] == "kendall_tau_score"]["value"].mean()


@pytest.mark.parametrize("choosing", [by_name, by_kind])
@pytest.mark.parametrize("estimator", [LabelRankingForest(10), Ridge()])
def test_results_are_those_of_the_columns(choosing, estimator):
    results = results_of(choosing(estimator), [DATA], FEW, name="mine")
    assert tau(results) > (0.8 if isinstance(estimator, LabelRankingForest) else 0.1)


def test_results_of_a_search_and_of_a_blend_of_pipelines():
    grid = {"labelrankingforest__n_estimators": [2, 5]}
    search = GridSearchCV(by_name(LabelRankingForest(5)), grid, cv=2)
    assert tau(results_of(search, [DATA], FEW, name="search")) > 0.8
    blend = StackedLabelRanker([by_name(LabelRankingForest(5)), by_kind(Ridge())], inner_folds=2)
    assert tau(results_of(blend, [DATA], FEW, name="blend")) > 0.8


def test_a_pipeline_that_chooses_by_number_gets_encoded_features():
    columns = make_column_transformer((StandardScaler(), [0]), remainder="passthrough")
    model = make_pipeline(columns, KNeighborsLabelRanker(3))
    assert on_raw_columns(model, DATA.schema) is model
    by_slice = make_column_transformer((StandardScaler(), slice("age", "age")))
    assert on_raw_columns(by_slice, DATA.schema) is not by_slice


@pytest.mark.parametrize("choosing", [by_name, by_kind])
def test_an_encoded_case_is_explained_as_its_columns_are(choosing):
    model = choosing(LabelRankingForest(10, random_state=0)).fit(X, Y)
    of_columns = explain_prediction(model, X.iloc[4])
    encoded = explain_prediction(model, DATA.X[4], DATA)
    assert str(encoded) == str(of_columns)
    np.testing.assert_array_equal(encoded.prediction, model.predict(X.iloc[[4]]).to_numpy()[0])
    assert any(name.endswith("hue_red") for name in encoded.about.schema.feature_names)


def search(estimator):
    return GridSearchCV(estimator, {"n_neighbors": [3]}, cv=2)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: make_pipeline("passthrough", model),
        FrozenEstimator,
        lambda model: make_pipeline(model[0], search(model[-1])),
        lambda model: make_pipeline(model[0], make_pipeline("passthrough", search(model[-1]))),
        lambda model: GridSearchCV(model, {"kneighborslabelranker__n_neighbors": [3]}, cv=2),
    ],
)
def test_wrapped_pipelines_are_explained_as_they_are_bare(wrap):
    bare = by_name(KNeighborsLabelRanker(3)).fit(X, Y)
    wrapped = wrap(bare).fit(X, Y)
    wanted = explain_prediction(bare, X.iloc[4])
    explanation = explain_prediction(wrapped, X.iloc[4])
    assert str(explanation) == str(wanted)
    assert explanation.about.schema == wanted.about.schema
    assert str(explain_prediction(wrapped, DATA.X[4], DATA)) == str(wanted)
    assert str(what_if(wrapped, X.iloc[4], DATA)) == str(what_if(bare, X.iloc[4], DATA))


@pytest.mark.parametrize("wrap", [FrozenEstimator, lambda model: make_pipeline(model)])
def test_a_guarantee_of_a_wrapped_pipeline_explains_itself(wrap):
    fitted = by_name(KNeighborsLabelRanker(3)).fit(X[:60], Y[:60])
    sure = ConformalLabelRanker(wrap(fitted), calibration="prefit").fit(X[60:], Y[60:])
    bare = ConformalLabelRanker(fitted, calibration="prefit").fit(X[60:], Y[60:])
    explanation, wanted = (explain_prediction(model, X.iloc[4], DATA) for model in (sure, bare))
    assert str(explanation) == str(wanted)
    assert explanation.about.schema == wanted.about.schema


def test_results_of_a_frozen_pipeline_are_its_predictions():
    frozen = FrozenEstimator(by_name(KNeighborsLabelRanker(3)).fit(X, Y))
    assert tau(results_of(frozen, [DATA], FEW, name="frozen")) > 0.8


def test_a_candidate_has_one_name_before_and_after_its_fit():
    candidate = search(KNeighborsLabelRanker())
    blend = StackedLabelRanker([candidate])
    before = set(blend.get_params())
    candidate.fit(DATA.X, DATA.rankings)
    assert set(blend.get_params()) == before


def test_a_case_with_a_missing_number_is_a_case():
    people = X.assign(age=X["age"].astype("Int64"))
    people.loc[4, "age"] = pd.NA
    columns = make_column_transformer((OneHotEncoder(), ["hue"]), (SimpleImputer(), ["age"]))
    model = make_pipeline(columns, KNeighborsLabelRanker(3)).fit(people, Y)
    wanted = str(explain_prediction(model, people.iloc[[4]]))
    row = people.iloc[4]
    for case in (row, row.to_dict(), {**row.to_dict(), "age": None}):
        assert str(explain_prediction(model, case)) == wanted


def test_what_if_varies_the_columns():
    model = by_name(KNeighborsLabelRanker(3)).fit(X, Y)
    found = what_if(model, X.iloc[4], DATA)
    assert [sweep.feature.column.name for sweep in found.sweeps] == ["age", "hue", "sex"]
    for sweep in found.sweeps:
        for piece in sweep.pieces:
            case, column = X.iloc[[4]].copy(), sweep.feature.column
            is_nominal = column.kind == "nominal"
            case[column.name] = column.categories[int(piece.value)] if is_nominal else piece.value
            np.testing.assert_array_equal(model.predict(case).to_numpy()[0], piece.positions)
    assert {"age", "hue"} <= set(found.frame()["column"])
    assert str(what_if(model, DATA.X[4], DATA)) == str(found)
    assert str(what_if(model, X.iloc[4], X)) == str(found)


def test_a_blend_of_pipelines_answers_what_if_and_why():
    model = StackedLabelRanker([by_name(KNeighborsLabelRanker(3))], inner_folds=2).fit(X, Y)
    found = what_if(model, X.iloc[4], DATA, ["hue"])
    (sweep,) = found.sweeps
    for piece in sweep.pieces:
        case = X.iloc[[4]].assign(hue=sweep.feature.column.categories[int(piece.value)])
        np.testing.assert_array_equal(model.predict(case).to_numpy()[0], piece.positions)
    encoded = explain_prediction(model, DATA.X[4], DATA)
    assert str(encoded) == str(explain_prediction(model, X.iloc[4], DATA))
    assert encoded.about.schema == DATA.schema


def test_label_sets_from_frames():
    sets = pd.DataFrame({"old": OLD.astype(int), "red": (X["hue"] == "red").astype(int)})
    model = by_name(KNeighborsMultilabelRanker(5)).fit(X, sets)
    data = Dataset.from_frame(X, sets)
    results = results_of(model, [data], FEW, name="mine")
    assert results[results["measure"] == "hamming_loss"]["value"].mean() < 0.2
    assert str(what_if(model, X.iloc[0], X)) == str(what_if(model, X.iloc[0], data))


def test_sparse_features_become_sparse_columns():
    frame = pd.DataFrame({f"w{j}": RNG.integers(0, 2, 40) for j in range(6)}).astype(
        pd.SparseDtype(float, 0.0)
    )
    data = Dataset.from_frame(frame, Y.iloc[:40])
    columns = make_column_transformer(("passthrough", ["w0", "w1", "w2"]))
    model = on_raw_columns(make_pipeline(columns, KNeighborsLabelRanker(3)), data.schema)
    assert all(isinstance(kind, pd.SparseDtype) for kind in model[0].transform(data.X).dtypes)
    assert feature_units(model.fit(data.X, data.rankings)) is None
    assert model.predict(data.X).shape == (40, 3)
