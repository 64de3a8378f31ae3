"""The page Confidence: thresholds, the sentences' numbers, withheld pairs."""

import json
import re

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.abstention import partial_order, withhold_pairs
from labelrank_core.evaluation.confidence.curves import (
    accuracy_after_rejecting,
    accuracy_by_confidence,
)
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import risk_coverage
from labelrank_core.evaluation.evaluate import case_accuracy, evaluate_model
from labelrank_core.methods import ALGORITHMS
from pages.confidence import rejection as rejection_view
from tests import core_says
from tests.app.visits import ran, session
from tests.core.test_abstention import naive_order

PAGE = "pages/confidence/page.py"
PAIRS = "Pairs of labels"
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


def threshold(app):
    return next(widget for widget in app.select_slider if widget.key == "threshold")


def test_the_sentences_tell_what_the_core_computes():
    app = opened(data="vehicle")
    evaluation, confidence, accuracy = measured(n_neighbors=5)
    rejection = accuracy_after_rejecting(confidence, accuracy, share=0.1)
    said = words(app)
    assert (
        f"raises the mean Spearman's rho from **{rejection.accuracy_before:.3f}** to "
        f"**{rejection.accuracy_after:.3f}**" in said
    )
    order = risk_coverage(confidence, accuracy)
    assert f"**{order.area:.3f}** (0 is best)" in said
    assert f"confidence gains {order.gain:.0%} of what can be gained" in app.header[0].value
    rows = evaluation.rows[confident_mistakes(confidence, accuracy)["case"]] + 1
    shown = next(table.value for table in app.dataframe if "surer than" in table.value)
    assert shown["row"].tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("risks", "verdict"),
    [
        ([0.0, 0.1, 0.4], "The surer, the better: confidence gains 100% of what can be gained"),
        ([0.4, 0.1, 0.0], "High confidence misleads"),
        ([0.2, 0.2, 0.2], "All test cases are predicted equally well"),
    ],
)
def test_the_verdict_follows_the_gain_over_a_random_order(risks, verdict):
    order = risk_coverage(np.array([0.9, 0.8, 0.7]), 1 - np.array(risks))
    assert rejection_view._verdict(order).startswith(verdict)


def test_moving_the_threshold_moves_share_and_accuracy():
    app = opened(data="vehicle")
    _, confidence, accuracy = measured(n_neighbors=5)
    curve = accuracy_by_confidence(confidence, accuracy)
    options = threshold(app).options
    assert len(options) == len(curve)
    for place in (0, len(options) - 1):
        ran(threshold(app).set_value(options[place]).run())
        row = curve.iloc[place]
        assert f"**{row['share_kept']:.0%}** of the test cases" in words(app)
        assert f"is **{row['accuracy_at_least']:.3f}**" in words(app)


def test_a_threshold_that_another_method_has_not_is_forgotten():
    app = opened(data="vehicle", threshold="0.82")
    assert threshold(app).value == "0.82"
    method = next(widget for widget in app.selectbox if widget.key == "method")
    ran(method.set_value("Label-ranking random forest").run())
    assert threshold(app).value in threshold(app).options


@pytest.mark.parametrize(("key", "parameter"), [("knn", "n_neighbors"), ("forest", "n_estimators")])
def test_a_single_voter_says_why_there_is_no_curve(key, parameter):
    title = ALGORITHMS[key].title
    app = opened(data="vehicle", method=title, **{f"{key}_{parameter}": 1})
    assert "same confidence" in app.info[0].value
    assert not app.get("plotly_chart")


@pytest.mark.parametrize("percent", [50, 62, 70, 95])
@pytest.mark.parametrize("data", ["vehicle", "glass", "election", "drinks"])
def test_the_shares_of_pairs_in_the_text_are_those_drawn_and_tabulated(data, percent):
    app = opened(data=data, held_back=PAIRS, agree=percent)
    said = re.findall(
        r"\*\*([\d.]+%)\*\* of (?:the label pairs are predicted|them right)", words(app)
    )
    if "no label pair" in words(app):
        return
    (figure,) = (json.loads(e.proto.spec)["data"] for e in app.get("plotly_chart")[:1])
    mark = figure[1]["x"] + figure[1]["y"]
    assert [f"{share:.1%}" for share in mark] == said[:2]
    table = next(t.value for t in app.dataframe if "share_right" in t.value)
    (row,) = table[np.isclose(table["threshold"], percent / 100)].to_dict("records")
    assert [row["share_predicted"], row["share_right"]] == pytest.approx(mark)


@pytest.mark.parametrize("percent", [50, 70, 90])
@pytest.mark.parametrize("key", ["knn", "forest"])
def test_withheld_pairs_are_counted_as_the_core_counts(key, percent):
    title = ALGORITHMS[key].title
    app = opened(data="vehicle", method=title, held_back=PAIRS, agree=percent)
    split = holdout_split(VEHICLE)
    pipeline = make_pipeline(StandardScaler(), ALGORITHMS[key].estimator())
    pipeline.fit(VEHICLE.X[split.train], VEHICLE.rankings[split.train])
    table = withhold_pairs(pipeline, VEHICLE, split.test).frame()
    at = table[np.isclose(table["threshold"], percent / 100)].iloc[0]
    assert f"**{at['share_predicted']:.1%}** of the label pairs" in words(app)
    assert f"**{at['share_right']:.1%}** of them right" in words(app)


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


def test_methods_of_label_sets_say_that_they_have_no_pairs():
    app = opened(data="yeast", held_back=PAIRS)
    assert "no votes on pairs" in app.info[0].value


@pytest.mark.parametrize("data", ["drinks", "iris", "glass"])
def test_pairs_are_shown_of_every_kind_of_rankings(data):
    for key in ("knn", "forest"):
        app = opened(data=data, method=ALGORITHMS[key].title, held_back=PAIRS)
        assert not app.error
        assert "pairs are predicted" in words(app)
