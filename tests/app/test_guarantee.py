"""What can be relied on: intervals of one case on Predict, promised and realised on Confidence."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from labelrank_core import ConformalLabelRanker, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation import guarantees as core
from labelrank_core.evaluation.abstention import withhold_pairs
from labelrank_core.evaluation.guarantees import Exchangeability, realise
from labelrank_core.evaluation.guarantees.realised import commonest, first_labels
from labelrank_core.evaluation.guarantees.semiorder import label_scores
from labelrank_core.evaluation.pair_calibration import PairCalibration, pair_calibration
from labelrank_core.evaluation.pair_probabilities import (
    fit_recalibration,
    of_model,
    unseen_pairs,
)
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import PairMatrix, SurePairs, positions_within
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.rankings import strict_order
from pages.confidence import promised_pairs
from pages.confidence.groups import verdict_on_groups
from pages.confidence.reliability import honest_text, verdict
from pages.predict.guarantee import comparison_text, second_model_text
from pages.ui import compute
from pages.ui.render.charts import guarantees as charts
from pages.ui.results import guarantees, models
from pages.ui.view import View
from tests import core_says, parts_open
from tests.app.plotted import Plotted
from tests.app.visits import drawn, ran, sentences, session

PREDICT, CONFIDENCE = "pages/predict/page.py", "pages/confidence/page.py"
PROMISED = "Guarantee"
DATA = load_sample("vehicle")
SPLIT = holdout_split(DATA)
TEST_ROW, TRAINING_ROW = int(SPLIT.test[2]), int(SPLIT.train[2])


def opened(**link):
    return session(PREDICT, **{"data": "vehicle", "view": "How sure", **link})


def said_by_core(
    row,
    alpha,
    risk="any_pair",
    promise="All decided pairs are right with a probability of at least 90%. Decided here",
    **params,
):
    train = SPLIT.train[SPLIT.train != row]
    model = ConformalLabelRanker(core_says.pipeline(**params), alpha, risk=risk, random_state=0)
    model.fit(DATA.X[train], DATA.rankings[train])
    order = model.predict_order(DATA.X[[row]])[0]
    # Undecided pairs stand as the model predicts them that all training cases have trained.
    positions = positions_within(order, strict_order(predicted_positions(row, **params)))
    return SurePairs(order, positions, promise, DATA.rankings[row])


def predicted_positions(row, **params):
    train = SPLIT.train[SPLIT.train != row]
    model = core_says.pipeline(**params).fit(DATA.X[train], DATA.rankings[train])
    return model.predict(DATA.X[[row]])[0]


def never(*_, **__):
    raise AssertionError("This has been computed already.")


def relied_on_in(said):
    return [each for each in said if ". Decided here: " in each]


def relied_on(app):
    return relied_on_in(sentences(app))


@pytest.mark.parametrize("row", [TEST_ROW, TRAINING_ROW])
def test_the_sentence_is_that_of_the_core(row):
    app = opened(row=row + 1)
    sure = said_by_core(row, 0.1, n_neighbors=5)
    assert relied_on(app) == [sure.text.plain(DATA.label_names, DATA.nouns)]
    assert sure.n_decided > 0
    assert sure.verdict.plain(DATA.label_names, DATA.nouns) in sentences(app)
    ran(app.segmented_control(key="promise").set_value("Few pairs wrong").run())
    ran(app.slider(key="sure").set_value(95).run())
    promise = "On average at most 5% of the pairs are wrong. Decided here"
    sure = said_by_core(row, 0.05, "share_of_pairs", promise, n_neighbors=5)
    assert relied_on(app) == [sure.text.plain(DATA.label_names, DATA.nouns)]


# In row 450 the second model has an undecided pair in another order.
@pytest.mark.parametrize(("row", "is_another"), [(119, True), (450, False), (TEST_ROW, False)])
def test_a_pair_that_is_decided_against_the_prediction_is_told_of(row, is_another):
    predicted = predicted_positions(row, n_neighbors=5)
    decided = said_by_core(row, 0.1, n_neighbors=5).order > 0
    assert (decided & (predicted[:, None] > predicted)).any() == is_another
    said = sentences(opened(row=row + 1))
    notes = [i for i, each in enumerate(said) if "unlike the prediction" in each]
    assert bool(notes) == is_another
    # It stands before the promise, not behind it.
    assert all(i < said.index(relied_on_in(said)[0]) for i in notes)


def test_gaps_of_the_second_model_stand_beside_those_of_the_model_that_predicts():
    data = load_sample("election")
    split = holdout_split(data)
    view = View(data, ModelChoice("rpc"), split, core_says.first_row("election") - 1)
    case = models.case(view)
    held_out = guarantees.fit_held_out(data, view.choice, split, view.row)
    calibration = guarantees.calibration(data, view.choice, held_out, guarantees.ANY_PAIR)
    threshold = calibration.threshold(0.1)
    sure = guarantees.pairs(view, held_out, threshold, "Surely", case.explanation)
    predicted = guarantees.predicted_scores(view)
    # The matrix of chapter 1 has these sums, too.
    matrix = case.explanation.evidence(PairMatrix)
    assert np.allclose(predicted, matrix.preferences.sum(axis=1) - 0.5)
    picture = drawings.pair_gaps(sure, predicted, data.label_names)
    ranking = sure.ranking
    own, other = (-np.diff(scores[ranking]) for scores in (sure.scores, predicted))
    assert np.allclose(picture.table["difference"], own)
    assert np.allclose(picture.table["difference in the prediction"], other)
    assert picture.table["decided"].tolist() == (own > threshold).tolist()
    # The two models see opposite pairs as close; the words say what each is trained on.
    assert ((own > threshold) & (other < threshold)).any()
    comparison = comparison_text(len(case.training_rows), sure, predicted)
    about_second = second_model_text(calibration.n_cases, sure.open_reason)
    tested = f"{len(held_out.rows)} training districts test this promise"
    assert tested in about_second.plain(data.label_names, data.nouns)
    said = comparison.plain(data.label_names, data.nouns)
    rows = split.train[split.train != view.row]
    assert f"The model of the prediction, which learned from all {len(rows)} " in said
    # The pairs that are named are decided by one model and not by the other, the farthest first.
    differing = (own > threshold) != (other > threshold)
    farthest = sorted(np.flatnonzero(differing), key=lambda i: -abs(own[i] - other[i]))

    def written(i, how=""):
        first, second = (data.label_names[label] for label in ranking[i : i + 2])
        return f"{first} and {second} {how}({other[i]:.2f} apart, not {own[i]:.2f})"

    assert len(farthest) == 2
    assert f"decides 2 of these pairs differently: {', '.join(map(written, farthest))}." in said
    # With this gap alone as in the prediction, it is the only such pair.
    most = farthest[0]
    shifted = sure.scores.copy()
    shifted[ranking[most + 1 :]] += own[most] - other[most]
    only = comparison_text(len(case.training_rows), sure, shifted)
    words = only.plain(data.label_names, data.nouns)
    assert f"decides {written(most, 'differently ')}. There" in words
    assert comparison_text(len(case.training_rows), sure, sure.scores) is None


def test_the_slider_neither_fits_nor_searches_again(monkeypatch):
    compute._cache.clear()
    app = opened(row=TEST_ROW + 1)
    for name in ("train_model", "label_scores", "calibrate"):
        monkeypatch.setattr(guarantees, name, never)
    before = relied_on(app)
    for percent in (55, 99, 70):
        ran(app.slider(key="sure").set_value(percent).run())
        start = f"All decided pairs are right with a probability of at least {percent}%."
        assert relied_on(app)[0].startswith(start)
        assert relied_on(app) != before


def test_another_k_calibrates_the_same_model_anew(monkeypatch):
    app = opened(row=TEST_ROW + 1)
    monkeypatch.setattr(guarantees, "train_model", never)
    ran(app.slider(key="knn_n_neighbors").set_value(9).run())
    sure = said_by_core(TEST_ROW, 0.1, n_neighbors=9)
    assert relied_on(app) == [sure.text.plain(DATA.label_names, DATA.nouns)]


def test_too_few_cases_promise_nothing_and_say_so():
    # 105 rows of iris train, of which 32 calibrate.
    app = opened(data="iris", sure=99)
    assert not relied_on(app)
    assert any(
        "99% takes at least 99 calibration flowers; there are 32, so nothing" in info.value
        for info in app.info
    )


def test_the_first_page_does_not_compute_it(monkeypatch):
    monkeypatch.setattr(guarantees, "fit_held_out", never)
    assert not relied_on(opened(view="Why"))


def test_values_changed_by_hand_are_outside_the_guarantee():
    app = opened(data="iris", changed="0~7.0")
    assert relied_on(app)
    said = [each for each in sentences(app) if each[0] in "✓✗"]
    assert not any("promise" in each or "decided pair" in each for each in said)
    assert any("values changed by hand may be unlike them" in body for body in drawn(app))


def compared(**link):
    return session(CONFIDENCE, **{"data": "vehicle", "held_back": PROMISED, **link})


def words(app):
    return " ".join(each.value for each in app.main.markdown)


def figures(app):
    """The drawings of a page, none of which is Plotly's."""
    assert not app.main.get("plotly_chart")
    bodies = [each.value for each in app.main if type(each).__name__ == "Html"]
    return [ElementTree.fromstring(body) for body in bodies if body.startswith("<figure")]


def first_labels_of(found):
    scores = np.full((len(SPLIT.test), DATA.n_labels), -np.inf)
    scores[found.cases] = found.scores
    return first_labels(scores, DATA.label_names)


def realised_by_core(risk):
    train, tests = SPLIT.train, SPLIT.test
    model = ConformalLabelRanker(core_says.pipeline(n_neighbors=5), risk=risk, random_state=0)
    model.fit(DATA.X[train], DATA.rankings[train])
    scores = label_scores(model.estimators_[0], DATA.X[tests])
    return model, realise(model.calibration_, scores, DATA.rankings[tests])


def test_promised_and_realised_are_what_the_core_computes():
    app = compared()
    model, found = realised_by_core("any_pair")
    at = found.frame([0.9]).iloc[0]
    order, truth = model.predict_order(DATA.X[SPLIT.test]), DATA.rankings[SPLIT.test]
    right = ~((order > 0) & (truth[:, :, None] > truth[:, None, :])).any(axis=(1, 2))
    assert at["realised"] == pytest.approx(right.mean())
    assert app.header[0].value == (
        f"The promise of 90% is kept: in {right.mean():.1%} of the test vehicles "
        "all decided pairs are right"
    )
    share = (order > 0).sum() / (6 * 254)
    assert f"The method decides **{share:.0%}** of the pairs of models" in words(app)
    decided, _, kept, groups = figures(app)
    assert Plotted(decided).texts("at") == [f"{share:.0%}"]
    assert "beside pairs withheld by their votes" in kept.get("aria-label")
    said = [row.get("title") for row in groups.iter("li") if row.get("title")]
    firsts = found.groups(0.1, first_labels_of(found))
    assert said == [
        f"{row.group}: {row.realised:.1%} of {row.cases} cases, {row.kept:.0%} of the pairs decided"
        for row in firsts.itertuples()
    ]
    ran(app.segmented_control(key="kind_of_promise").set_value("Few pairs wrong").run())
    at = realised_by_core("share_of_pairs")[1].frame([0.9]).iloc[0]
    assert app.header[0].value == (
        f"The promise of at most 10% wrong is kept: {1 - at['realised']:.1%} of the pairs are "
        "decided wrongly"
    )


@pytest.mark.parametrize(
    ("realised", "judgement"),
    [
        (0.9, "is kept"),
        (0.86, "is missed, but with so few cases that can happen"),
        (0.8, "is not kept here"),
    ],
)
def test_a_promise_is_judged_with_what_chance_allows(realised, judgement):
    at = pd.Series({"promised": 0.9, "realised": realised, "kept": 0.7, "low": 0.85, "high": 0.95})
    said = promised_pairs.verdict(at, guarantees.ANY_PAIR)
    assert said.startswith(f"The promise of 90% {judgement}: in {realised:.1%} of the test cases")
    none = promised_pairs.verdict(at.replace({0.7: 0.0}), guarantees.ANY_PAIR)
    assert none == "At 90%, no pair is decided"


@pytest.mark.parametrize(
    ("realised", "said"),
    [
        ([1.0, 0.9], "Every group gets what is promised"),
        ([1.0, 0.85], "1 of 2 groups gets less than is promised, as can happen with so few cases"),
        (
            [0.7, 0.95],
            "1 of 2 groups gets less than is promised; for 'a' that is too little even for so few "
            "cases",
        ),
    ],
)
def test_groups_are_judged_by_the_bar_of_chance_that_is_drawn(realised, said):
    table = pd.DataFrame(
        {"group": ["a", "b"], "cases": 20, "realised": realised, "kept": 1.0, "low": 0.75}
    )
    assert verdict_on_groups(table, 0.9) == said
    drawn = ElementTree.fromstring(f"<div>{charts.realised_by(table, 0.9, 'good', '{}')}</div>")
    bars = [bar.get("style") for bar in drawn.iterfind(".//li//span[@class='chance']")]
    left = 100 * (0.75 - 0.45) / (1 - 0.45)
    assert bars == 2 * [f"left:{left:.1f}%"]
    assert (drawn.find(".//b[@class='beyond']") is not None) == ("too little" in said)


def beta_binomial(k, n, a, b):
    """P(k of n) where the share is Beta(a, b): a and b are whole numbers."""
    whole = math.comb(n, k) * math.factorial(a + b - 1) * math.factorial(k + a - 1)
    return (
        whole
        * math.factorial(n - k + b - 1)
        / (math.factorial(a - 1) * math.factorial(b - 1) * math.factorial(n + a + b - 1))
    )


def test_chance_in_a_group_is_that_of_draws_of_calibration_and_test_cases():
    model, found = realised_by_core("any_pair")
    n_calibrating = model.calibration_.n_cases
    allowed = (n_calibrating + 1) // 10
    groups = first_labels_of(found)
    table = found.groups(0.1, groups, level=0.05)

    def at_least(n_lost, n_cases):
        counts = range(n_lost, n_cases + 1)
        return sum(beta_binomial(k, n_cases, allowed, n_calibrating + 1 - allowed) for k in counts)

    # The more groups there are, the less one of them proves.
    for row in table.itertuples():
        n_lost = round((1 - row.low) * row.cases)
        assert at_least(n_lost, row.cases) >= 0.05 / len(table)
        assert n_lost == row.cases or at_least(n_lost + 1, row.cases) < 0.05 / len(table)
    alone = found.groups(0.1, groups[:1], level=0.05)
    assert alone["low"][0] > table["low"][0]
    _, of_shares = realised_by_core("share_of_pairs")
    assert of_shares.groups(0.1, groups)["low"].isna().all()


def test_the_python_lines_decide_as_many_pairs_as_the_page(monkeypatch, capsys):
    parts_open.set_open(monkeypatch, parts_open.that_can_tell)
    monkeypatch.setattr(guarantees, "drift", lambda *_: None)
    app = compared(data="iris", level=80)
    exec(compile(app.code[-1].value, "shown", "exec"), {})
    (decided,) = re.findall(r"(\d+)% decided", capsys.readouterr().out)
    assert f"The method decides **{decided}%** of the pairs" in words(app)


def test_another_level_fits_and_searches_nothing(monkeypatch):
    app = compared()
    for name in ("train_model", "label_scores", "calibrate", "realise"):
        monkeypatch.setattr(guarantees, name, never)
    before = drawn(app)
    ran(app.slider(key="level").set_value(60).run())
    assert "The promise of 60%" in app.header[0].value
    assert drawn(app) != before


def test_a_move_of_the_level_changes_no_curve_but_the_mark():
    app = compared()
    frame = realised_by_core("any_pair")[1].frame()
    for percent in (90, 60):
        ran(app.slider(key="level").set_value(percent).run())
        decided, promised, kept, _ = figures(app)
        at = frame.iloc[percent - 50]
        (chosen,) = Plotted(promised).spots("level")
        # At both ends of the axis there is room for the mark.
        assert chosen.place[0] == pytest.approx(100 * ((percent - 50) / 49 + 0.03) / 1.06, abs=0.1)
        columns = [each.said for each in Plotted(promised).spots("column")]
        assert columns[percent - 50] == f"promised {percent}%, realised {at['realised']:.1%}"
        assert len(columns) == len(frame)
        (priced,) = Plotted(decided).spots("level")
        assert priced.place == pytest.approx(
            (chosen.place[0], 100 * (1.12 - at["kept"]) / (1.12 + 0.05)), abs=0.1
        )
        assert Plotted(decided).texts("at") == [f"{at['kept']:.0%}"]
        assert f"The method decides **{at['kept']:.0%}** of the pairs" in words(app)
        (chosen,) = Plotted(kept).spots("level")
        (point,) = [each for each in Plotted(kept).spots("point") if each.place == chosen.place]
        said = f"{at['kept']:.0%} of the pairs, realised {at['realised']:.1%}"
        assert point.said.startswith("promised ")
        assert point.said.endswith(said)
        if percent == 90:
            curves = [each.find(".//img").get("src") for each in (promised, kept)]
    assert [each.find(".//img").get("src") for each in (promised, kept)] == curves


def test_the_same_pairs_withheld_by_votes_count_as_the_guarantees_do():
    # Where every pair with a majority is decided, both count the wrong pairs of the same ranking.
    asked = View(DATA, ModelChoice("knn"), SPLIT, 0, {})
    table = promised_pairs._withheld_frame(asked, SPLIT, guarantees.ANY_PAIR)
    curve = withhold_pairs(core_says.pipeline(n_neighbors=5).fit(
        DATA.X[SPLIT.train], DATA.rankings[SPLIT.train]), DATA, SPLIT.test)  # fmt: skip
    assert table["realised"].tolist() == pytest.approx((curve.n_wrong == 0).mean(axis=0).tolist())
    assert table["kept"].tolist() == pytest.approx(curve.frame()["share_predicted"].tolist())


def opened_drift(monkeypatch, **link):
    parts_open.set_open(monkeypatch, parts_open.that_can_tell)
    # The test itself is the core's; what matters here are the values and their order.
    given = []

    def tested(values):
        given.append(values)
        return Exchangeability(0.02, len(values))

    monkeypatch.setattr(guarantees, "exchangeability_test", tested)
    monkeypatch.setattr(guarantees, "_DRIFT_SECONDS", 0.0)
    compute._cache.clear()
    return compared(**link), given


def test_drift_is_tested_in_the_order_of_the_rows(monkeypatch):
    app, (values,) = opened_drift(monkeypatch)
    assert "The cases shift along the rows of the data: the guarantee need not hold" in words(app)
    assert f"(p = 0.020, {len(values)} cases)" in words(app)
    model, found = realised_by_core("any_pair")
    order = np.random.RandomState(0).permutation(len(SPLIT.train))[: model.calibration_.n_cases]
    rows = np.append(SPLIT.train[order], SPLIT.test)
    largest = np.append(model.calibration_.losses.largest(), found.losses.largest())
    assert values.tolist() == largest[np.argsort(rows)].tolist()


def test_reliability_tells_what_the_core_computes():
    app = session(CONFIDENCE, data="vehicle", held_back="Probabilities")
    choice = ModelChoice("knn")
    model = choice.build().fit(DATA.X[SPLIT.train], DATA.rankings[SPLIT.train])
    found = of_model(model, DATA.X[SPLIT.test], DATA.rankings[SPLIT.test])
    said = words(app)
    assert f"says {found.probability.mean():.0%} on average" in app.header[0].value
    assert f"is right in {found.outcome.mean():.0%}" in app.header[0].value
    test = pair_calibration(found)
    assert f"Among only {test.n_cases} test vehicles, it would be right in" in said
    assert f"right in **{test.low:.0%} to {test.high:.0%}**" in said
    ps = f"p = {test.p:.3f}, Spiegelhalter's test of the Brier score (1986) p = {test.brier_p:.3f}."
    assert ps in said
    scores = f"Brier score {found.brier_score:.3f}, log loss {found.log_loss:.3f}."
    assert scores in said
    ran(app.segmented_control(key="corrected").set_value("One temperature").run())
    how = fit_recalibration(unseen_pairs(choice, DATA, SPLIT.train), "temperature")
    corrected = found.changed(how)
    said = words(app)
    assert f"Corrected (temperature {how.temperature:.2f})" in said
    assert f"→ {corrected.log_loss:.3f}." in said
    sentence = verdict(pair_calibration(corrected), is_corrected=True)
    assert app.header[0].value == DATA.nouns.insert(sentence)


@pytest.mark.parametrize(
    ("p", "brier_p", "right", "start"),
    [
        (0.02, 0.5, 0.85, "The method is too sure of a pair of labels: it says 90%"),
        (0.02, 0.5, 0.95, "The method is not sure enough of a pair of labels: it says 90%"),
        (0.5, 0.02, 0.9, "The method is right as often as it says on average, but not at every"),
        (0.5, 0.5, 0.88, "The method is as sure of a pair of labels as it should be: it says 90%"),
    ],
)
def test_the_verdict_on_probabilities_is_that_of_two_tests(p, brier_p, right, start):
    assert verdict(PairCalibration(9, 90, 0.9, right, 0.8, 1.0, p, brier_p)).startswith(start)


def test_no_verdict_on_probabilities_is_made_from_a_single_case():
    nan = float("nan")
    single = PairCalibration(1, 3, 0.9, 1.0, nan, nan, nan, nan)
    assert honest_text(single) == "A single case cannot show whether the method is honest."


def test_methods_without_votes_have_no_probabilities_of_pairs():
    app = session(CONFIDENCE, data="iris", method="Label-ranking tree (LRT)",
                        held_back="Probabilities")  # fmt: skip
    able = sum(bool(each.votes) for each in ALGORITHMS.values())
    assert any(f"and {able - 3} other methods" in info.value for info in app.info)
    app = session(CONFIDENCE, data="songs", held_back="Probabilities")
    assert any("stands under Songs" in info.value for info in app.info)


def test_few_cases_are_told_why_nothing_is_promised():
    app = compared(data="iris", level=99)
    assert app.header[0].value == "At 99%, no pair is decided"
    assert "That takes 99 calibration flowers. There are 32." in words(app)


def test_of_many_labels_those_that_come_first_most_often_are_groups():
    sizes = {"a": 3, "b": 0, "c": 5, "d": 3}
    named = [(name, np.arange(9) < n) for name, n in sizes.items()]
    assert [name for name, _ in commonest(named, 2)] == ["a", "c"]


def test_it_is_exported():
    assert np.all([hasattr(core, name) for name in core.__all__])


def test_no_share_of_pairs_decided_is_below_0():
    levels = np.array([0.98, 0.99])
    curve = pd.DataFrame({"promised": levels, "realised": levels, "kept": [0.0, 0.0]})
    drawn = charts.kept_against_realised(curve, None, 0.99, "right")
    assert ">0%<" in drawn
    assert ">-" not in drawn


def test_two_lines_have_their_names_in_their_colours():
    table = pd.DataFrame({"probability": [0.6, 0.9], "right": [0.5, 0.8], "pairs": [10, 10]})
    table = table.assign(chance_low=[0.4, 0.7], chance_high=[0.8, 1.0])
    tables = [("as they are", table), ("rising steps", table)]
    one, two = charts.reliability(tables[:1]), charts.reliability(tables)
    assert "as they are" not in one.layout.title.text
    *_, before, corrected = two.data
    for line in (before, corrected):
        assert f"color:{line.line.color};" in two.layout.title.text


def test_what_lies_beyond_its_bar_of_chance_has_another_mark():
    table = pd.DataFrame({"probability": [0.6, 0.9], "right": [0.5, 0.8], "pairs": [10, 10]})
    table = table.assign(chance_low=[0.4, 0.85], chance_high=[0.8, 0.95])
    *_, before, corrected = charts.reliability([("as it is", table[:1]), ("new", table)]).data
    assert list(corrected.marker.symbol) == ["circle", "diamond"]
    assert before.marker.symbol == "circle"
