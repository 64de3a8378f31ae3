"""The page Confidence: thresholds, the sentences' numbers, withheld pairs."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.abstention import partial_order, withhold_pairs
from labelrank_core.evaluation.confidence.curves import (
    accuracy_by_confidence,
)
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import risk_coverage
from labelrank_core.evaluation.evaluate import case_accuracy, evaluate_model
from labelrank_core.evaluation.ranking_calibration import (
    LEVELS,
    TOP,
    WHOLE,
    LevelCalibration,
    calibration_levels,
    fit_temperatures,
    forecasts_of_model,
    unseen_forecasts,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.confidence import kept_curve, levels, withheld_pairs
from pages.confidence import rejection as rejection_view
from tests import core_says
from tests.app.visits import ran, session
from tests.core.test_abstention import naive_order

PAGE = "pages/confidence/page.py"
PAIRS = "Pairs"
VEHICLE = load_sample("vehicle")


def opened(**link):
    return session(PAGE, **link)


def words(app):
    return " ".join(element.value for element in app.main.markdown)


def measured(**params):
    split = holdout_split(VEHICLE)
    evaluation = evaluate_model(core_says.pipeline(**params), VEHICLE, split)
    predicted = evaluation.predictions
    accuracy = case_accuracy(VEHICLE, evaluation.rows, positions=predicted.positions)
    return evaluation, predicted.confidence, accuracy.values


@pytest.mark.usefixtures("everything_open")
def test_heading_and_sentences_tell_what_the_core_computes():
    app = opened(data="vehicle")
    evaluation, confidence, accuracy = measured(n_neighbors=5)
    title = "The surer the method is of a vehicle, the better it predicts it"
    assert app.header[0].value == title
    n_cases = len(holdout_split(VEHICLE).test)
    (guide,) = [each for each in app.caption if "Measured on" in each.value]
    assert f"Measured on {n_cases} test vehicles of 846" in guide.value
    # The number is that of 'How good?', so nothing needs to be said about another measure.
    assert guide.proto.help.startswith("The band holds")
    assert "different numbers" in guide.proto.help
    assert (
        "Confidence, from 0 to 1, is how far the similar vehicles agree with the prediction."
    ) in words(app)
    order = risk_coverage(confidence, accuracy)
    said = words(app)
    assert f"**{order.area:.3f}** (0 is best)" in said
    assert f"goes {order.gain:.0%} of the way" in said
    rows = evaluation.rows[confident_mistakes(confidence, accuracy)["case"]] + 1
    shown = next(table.value for table in app.dataframe if "surer than" in table.value)
    assert shown["row"].tolist() == rows.tolist()
    buttons = [button for button in app.main.button if button.label == "Choose this vehicle"]
    assert len(buttons) == 3
    ran(buttons[1].click().run())
    assert app.session_state["row"] == rows[1]
    assert (
        len([button for button in app.main.button if button.label.startswith("Choose this")]) == 2
    )


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ([0.6, 0.9], "The surer the method is of a case, the better it predicts it"),
        ([0.9, 0.6], "High confidence misleads: the surest half of the cases is predicted worse"),
        ([0.8, 0.8], "The surest half of the cases is predicted no better than all cases"),
    ],
)
def test_the_verdict_compares_the_surest_half_with_all(accuracies, verdict):
    curve = accuracy_by_confidence([0.7, 0.9], accuracies)
    assert rejection_view.verdict(curve) == verdict


def component_data(index):
    _, confidence, accuracy = measured(n_neighbors=5)
    curve = accuracy_by_confidence(confidence, accuracy)
    curve = curve.assign(low=np.nan, high=np.nan)
    curve.loc[0, ["low", "high"]] = 0.8, 0.95
    curve = curve[::-1].reset_index(drop=True)
    options = kept_curve.written(curve["confidence_from"].tolist())
    return curve, kept_curve.component_data(curve, "pairs of labels", options, index)


def test_every_level_of_the_picture_has_its_share_and_its_accuracy():
    curve, data = component_data(3)
    assert data["index"] == 3
    assert [level["share"] for level in data["levels"]] == curve["share_kept"].tolist()
    of_100 = (100 * curve["accuracy_at_least"]).tolist()
    assert [level["accuracy"] for level in data["levels"]] == of_100
    assert (data["levels"][-1]["low"], data["levels"][-1]["high"]) == (80, 95)
    assert data["levels"][0]["low"] is None
    at = curve.iloc[3]
    assert data["levels"][3]["values"] == {
        "share": f"{at['share_kept']:.0%}",
        "confidence": f"{at['confidence_from']:.2f}",
        "accuracy": f"{100 * at['accuracy_at_least']:.1f}",
    }
    # The line ends with all cases.
    assert data["levels"][-1]["share"] == 1
    assert data["levels"][-1]["accuracy"] == data["all"]
    assert data["texts"]["all"] == f"all cases: {data['all']:.1f}"
    assert json.loads(json.dumps(data)) == data


def test_the_point_stands_in_the_address_and_an_unknown_one_is_the_surest_half(monkeypatch):
    chosen = []
    monkeypatch.setattr(kept_curve, "_component", lambda data, **_: chosen.append(data))
    opened(data="vehicle", threshold="0.82")
    assert chosen[-1]["levels"][chosen[-1]["index"]]["values"]["confidence"] == "0.82"
    opened(data="vehicle", threshold="0.8251")
    shares = [level["share"] for level in chosen[-1]["levels"]]
    assert shares[chosen[-1]["index"]] == min(shares, key=lambda share: abs(share - 0.5))


@pytest.mark.parametrize(("key", "parameter"), [("knn", "n_neighbors"), ("forest", "n_estimators")])
def test_a_single_voter_says_why_there_is_no_curve(key, parameter):
    title = ALGORITHMS[key].title
    app = opened(data="vehicle", method=title, **{f"{key}_{parameter}": 1})
    assert "same confidence" in app.info[0].value
    assert not app.get("plotly_chart")


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("percent", [50, 62, 70, 95])
@pytest.mark.parametrize("data", ["vehicle", "glass", "election", "drinks"])
def test_the_shares_of_pairs_in_the_text_are_those_drawn_and_tabulated(data, percent):
    app = opened(data=data, held_back=PAIRS, agree=percent)
    heading = app.header[0].value
    if "no pair is clear" in heading:
        return
    (figure,) = (json.loads(e.proto.spec)["data"] for e in app.get("plotly_chart")[:1])
    mark = figure[1]["x"] + figure[1]["y"]
    assert f"That holds for **{mark[0]:.1%}** of the pairs." in words(app)
    assert f"{mark[1]:.1%}" in heading
    table = next(t.value for t in app.dataframe if "share_right" in t.value)
    (row,) = table[np.isclose(table["threshold"], percent / 100)].to_dict("records")
    assert [row["share_predicted"], row["share_right"]] == pytest.approx(mark)


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ((0.8, 0.95), "95.0% of the pairs are right, instead of 90.0%"),
        ((0.8, 0.9), "no more are right: 90.0%, before 90.0%"),
        ((1.0, 0.9), "90.0% of the pairs are right, as with the lowest threshold"),
        ((0.0, np.nan), "no pair is clear"),
    ],
)
def test_the_heading_says_whether_withholding_helps(shares, verdict):
    names = ["share_predicted", "share_right"]
    chosen, every = pd.Series(shares, names), pd.Series((1.0, 0.9), names)
    assert withheld_pairs.verdict(chosen, every).endswith(verdict)


@pytest.mark.parametrize("percent", [50, 70, 90])
@pytest.mark.parametrize("key", ["knn", "forest"])
def test_withheld_pairs_are_counted_as_the_core_counts(key, percent):
    title = ALGORITHMS[key].title
    app = opened(data="vehicle", method=title, held_back=PAIRS, agree=percent)
    split = holdout_split(VEHICLE)
    pipeline = make_pipeline(StandardScaler(), ALGORITHMS[key].build())
    pipeline.fit(VEHICLE.X[split.train], VEHICLE.rankings[split.train])
    table = withhold_pairs(pipeline, VEHICLE, split.test).frame()
    at = table[np.isclose(table["threshold"], percent / 100)].iloc[0]
    assert f"That holds for **{at['share_predicted']:.1%}** of the pairs." in words(app)
    assert f"{at['share_right']:.1%}" in app.header[0].value


def test_the_case_keeps_the_pairs_enough_neighbours_agree_on():
    app = opened(data="vehicle", held_back=PAIRS, row=451)
    split = holdout_split(VEHICLE)
    train = split.train[split.train != 450]
    scaler, model = core_says.fitted(VEHICLE, train, n_neighbors=5)
    near = model.point(scaler.transform(VEHICLE.X[[450]])).path.rows[0, :5]
    rankings = VEHICLE.rankings[train][near]
    votes = (rankings[:, :, None] < rankings[:, None, :]).mean(axis=0)
    before, _ = naive_order(votes.tolist(), 0.7)
    assert f"**{before.sum()} of 6** pairs are predicted" in words(app)
    for first, second, share in partial_order(votes, threshold=0.7).withheld:
        names = VEHICLE.label_names[first], VEHICLE.label_names[second]
        assert f"{names[0]} or {names[1]} ({share:.0%}" in words(app)


def calibrated(**changes):
    values = {
        "level": WHOLE, "n_cases": 214, "n_events": 214, "probability": 0.44, "right": 0.58,
        "error": 0.14, "low": 0.38, "high": 0.5, "chance_error": 0.09, "p": 0.002,
    }  # fmt: skip
    return LevelCalibration(**{**values, **changes})


def test_what_a_method_says_of_a_ranking_is_put_beside_what_is_right():
    row = calibrated()
    assert levels.sentence(row, 1) == (
        "When it says **44%** for the whole ranking, it is right in **58%**: not sure enough."
    )
    assert levels.heading([row, calibrated(level=TOP, right=0.46)], 1) == (
        "The method is not sure enough of the whole ranking: it says 44% and is right in 58%"
    )
    too_sure = calibrated(level=TOP, right=0.3)
    assert levels.heading([too_sure], 2).startswith("The method is too sure of the first 2 labels")
    whole_as_it_should = [calibrated(p=0.06), calibrated(level=TOP, right=0.3)]
    assert levels.heading(whole_as_it_should, 1) == (
        "The method is too sure of the first label: it says 44% and is right in 30%"
    )
    assert levels.sentence(calibrated(p=0.06), 1).endswith("an honest method could show that too.")
    assert levels.sentence(calibrated(right=0.45), 1).endswith("but not at every probability.")
    held = [calibrated(p=0.06), calibrated(level=TOP, n_cases=200, p=0.5)]
    assert levels.heading(held, 1).endswith("on every level, as far as 214 cases can show")


@pytest.mark.parametrize("kind", ["As they are", "Corrected"])
def test_the_page_says_of_each_level_what_the_core_computes(kind):
    app = opened(data="vehicle", held_back="Rankings", levels_corrected=kind)
    split = holdout_split(VEHICLE)
    model = core_says.pipeline(n_neighbors=5).fit(
        VEHICLE.X[split.train], VEHICLE.rankings[split.train]
    )
    forecasts = forecasts_of_model(model, VEHICLE.X[split.test], VEHICLE.rankings[split.test])
    temperatures = {}
    if kind == "Corrected":
        choice = ModelChoice("knn").with_params(n_neighbors=5)
        temperatures = fit_temperatures(unseen_forecasts(choice, VEHICLE, split.train))
        assert f"divided by {temperatures[WHOLE]:.2f}" in words(app)
    rows = calibration_levels(forecasts, temperatures=temperatures)
    assert [row.level for row in rows] == list(LEVELS)
    for row in rows:
        assert f"it is right in **{row.right:.0%}**" in words(app)
        assert f"When it says **{row.probability:.0%}**" in words(app)
        assert f"The error here is {row.error:.3f} (p = {row.p:.3f})." in words(app)
    (figure,) = (json.loads(e.proto.spec)["data"] for e in app.get("plotly_chart"))
    ring = next(each for each in figure if each.get("marker", {}).get("symbol") == "circle-open")
    assert ring["x"] == pytest.approx([row.probability for row in rows])


def test_the_top_may_have_more_labels_and_other_methods_say_that_they_have_no_votes():
    app = opened(data="glass", held_back="Rankings")
    ran(app.segmented_control(key="levels_top").set_value(2).run())
    assert "for the first 2 glass types" in words(app)
    app = opened(data="yeast", held_back="Rankings")
    assert "no votes on pairs" in app.info[0].value


def test_methods_of_label_sets_say_that_they_have_no_pairs():
    app = opened(data="yeast", held_back=PAIRS)
    assert "no votes on pairs" in app.info[0].value


@pytest.mark.parametrize("data", ["drinks", "iris", "glass"])
def test_pairs_are_shown_of_every_kind_of_rankings(data):
    for key in ("knn", "forest"):
        app = opened(data=data, method=ALGORITHMS[key].title, held_back=PAIRS)
        assert not app.error
        assert "pairs are predicted" in words(app)


@pytest.mark.parametrize(
    ("surer_than", "less_sure_than", "compared"),
    [(0.9, 0.05, "Surer than for 90%"), (0.05, 0.9, "Less sure than for 90%")],
)
def test_a_mistake_is_compared_with_the_larger_share_of_cases(surer_than, less_sure_than, compared):
    mistake = SimpleNamespace(
        confidence=0.93, accuracy=0.7, surer_than=surer_than, less_sure_than=less_sure_than
    )
    sentence = f"{compared} of the cases, with a confidence of 0.93. 70% of the pairs are right."
    assert rejection_view.mistake_text(mistake, "pairs") == sentence


@pytest.mark.parametrize(
    ("n_worst", "n_drawn", "sentence"),
    [
        (4, 3, "3 of the worst predicted test cases, the surest first."),
        (4, 0, "The 4 worst predicted test cases, the surest first."),
        (2, 2, "The 2 worst predicted test cases, the surest first."),
        (1, 1, "The worst predicted test case."),
    ],
)
def test_as_many_mistakes_are_announced_as_are_drawn(n_worst, n_drawn, sentence):
    assert rejection_view.mistakes_text(n_worst, n_drawn) == sentence
