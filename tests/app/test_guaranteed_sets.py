"""Label sets with a promise: of one case on Predict, promised and realised on Confidence."""

import html
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from labelrank_core import MLkNNClassifier, RiskControlledLabelSets, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.guarantees import LEVELS, Exchangeability, label_sets
from labelrank_core.methods import ModelChoice
from pages.predict import guaranteed_set
from pages.ui.results import guaranteed_sets, guarantees
from pages.ui.results.guaranteed_sets import FEW_WRONG, MISS_FEW
from pages.ui.view import View
from tests import parts_open
from tests.app.plotted import Plotted
from tests.app.visits import go_to, ran, sentences, session

PREDICT, CONFIDENCE = "pages/predict/page.py", "pages/confidence/page.py"
DATA = load_sample("songs")
SPLIT = holdout_split(DATA)
ROW = int(SPLIT.test[0])
CHOICE = ModelChoice("mlknn")


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Choose thresholds in this program, at once; open what opens on a click."""
    monkeypatch.setattr(guaranteed_sets, "_SECONDS", 0.0)
    monkeypatch.setattr(guarantees, "_DRIFT_SECONDS", 0.0)
    monkeypatch.setattr(
        guarantees, "exchangeability_test", lambda values: Exchangeability(0.02, len(values))
    )
    parts_open.set_open(monkeypatch, parts_open.that_can_tell)


def promised(risk=MISS_FEW):
    return guaranteed_sets.guarantee(DATA, CHOICE, SPLIT, risk, ROW)


def test_thresholds_are_those_of_the_library_on_the_same_cases():
    found = promised()
    held = found.held_out.rows[DATA.relevance[found.held_out.rows].any(axis=1)]
    assert found.n_cases == len(held)
    assert not set(held) & set(SPLIT.test)
    X = found.held_out.model[:-1].transform(DATA.X[held])
    scores = found.held_out.model[-1].decision_function(X)
    probabilities = label_sets.scores_to_probabilities(scores, found.scale)
    expected = label_sets.controlled_thresholds(
        probabilities, DATA.relevance[held], LEVELS, "recall"
    )
    np.testing.assert_array_equal(found.thresholds, expected)


def test_predict_draws_the_set_of_the_case():
    app = session(PREDICT, data="songs", method="ML-kNN", view="How sure", row=ROW + 1)
    for percent in (90, 60):
        ran(app.slider(key="set_level").set_value(percent).run())
        order, taken = guaranteed_sets.of_case(View(DATA, CHOICE, SPLIT, ROW, {}), promised(),
                                               percent)  # fmt: skip
        strips = [e.value for e in app.main if type(e).__name__ == "Html" and "lr-strip" in e.value]
        chips = [re.findall(r"<span class=.lr-chip[^>]*>([^<]*)", strip) for strip in strips]
        labels = [DATA.label_names[label] for label in order if taken[label]]
        assert labels in [[html.unescape(name) for name in each] for each in chips]
        said = sentences(app)
        assert f"at least {percent}% of the relevant moods" in " ".join(said)
        verdict = guaranteed_set.verdict(taken, DATA.relevance[ROW])
        assert verdict.plain(DATA.label_names, DATA.nouns) in said


def test_the_verdict_counts_missed_and_relevant_labels():
    found = guaranteed_set.verdict(np.array([1, 0, 1]), np.array([1, 1, 0]))
    assert found.plain("abc") == "✗ Missed: b. 1 of the 2 labels are relevant."
    found = guaranteed_set.verdict(np.array([1, 1, 1]), np.array([1, 1, 0]))
    assert found.plain("abc") == "✓ No relevant label is missed. 2 of the 3 are relevant."


def test_confidence_tells_what_test_cases_realise():
    app = session(CONFIDENCE, data="songs", method="ML-kNN", held_back="Guarantee")
    train = SPLIT.train
    model = guaranteed_sets.guarantee(DATA, CHOICE, SPLIT, MISS_FEW)
    assert model.n_cases <= round(0.3 * len(train))
    rows = SPLIT.test[DATA.relevance[SPLIT.test].any(axis=1)]
    pipeline = model.held_out.model
    scores = pipeline[-1].decision_function(pipeline[:-1].transform(DATA.X[rows]))
    taken = label_sets.scores_to_probabilities(scores, model.scale) > model.threshold(90)
    truth = DATA.relevance[rows] == 1
    recall = ((taken & truth).sum(axis=1) / truth.sum(axis=1)).mean()
    assert app.header[0].value == (
        f"The promise of 90% is kept: {recall:.1%} of the relevant moods are in the sets"
    )
    size = f"{taken.sum(axis=1).mean():.1f}"
    said = " ".join(each.value for each in app.main.markdown)
    assert f"A predicted set has **{size}** moods on average." in said
    figures = [each.value for each in app.main if type(each).__name__ == "Html"]
    priced = next(each for each in figures if "moods in a set against" in each)
    assert Plotted(ElementTree.fromstring(priced)).texts("at") == [size]


def test_confidence_counts_the_sets_that_are_empty():
    app = session(
        CONFIDENCE, data="songs", method="ML-kNN", held_back="Guarantee", sets_level=80,
        kind_of_sets=DATA.nouns.insert(FEW_WRONG),
    )  # fmt: skip
    model = guaranteed_sets.guarantee(DATA, CHOICE, SPLIT, FEW_WRONG)
    rows = SPLIT.test[DATA.relevance[SPLIT.test].any(axis=1)]
    pipeline = model.held_out.model
    scores = pipeline[-1].decision_function(pipeline[:-1].transform(DATA.X[rows]))
    taken = label_sets.scores_to_probabilities(scores, model.scale) > model.threshold(80)
    empty = (~taken.any(axis=1)).mean()
    assert 0 < empty < 1
    page = " ".join(element.value for element in app.main.markdown)
    assert f"**{empty:.0%}** of the sets are empty. An empty set has no wrong mood" in page


def held_back(**link):
    return go_to(session(data="songs", method="ML-kNN", held_back="Guarantee", **link), CONFIDENCE)


def test_groups_of_cases_stand_beside_the_promise(monkeypatch):
    parts_open.set_open(monkeypatch, parts_open.every)
    app = held_back(sets_level=80)
    found = guaranteed_sets.guarantee(DATA, CHOICE, SPLIT, MISS_FEW)
    tests = guaranteed_sets.tested(View(DATA, CHOICE, SPLIT, ROW, {}), SPLIT.test, found)
    taken = tests.probabilities > found.threshold(80)
    table = next(each.value for each in app.dataframe if "group" in each.value).set_index("group")
    for label, name in enumerate(DATA.label_names):
        own = tests.truth[:, label]
        if own.any():
            recall = (taken & tests.truth)[own].sum(axis=1) / tests.truth[own].sum(axis=1)
            row = table.loc[f"with {name}"]
            assert (row["cases"], row["realised"]) == (own.sum(), pytest.approx(recall.mean()))
            assert row["labels in a set"] == pytest.approx(taken[own].sum(axis=1).mean())
    said = " ".join(each.value for each in app.main.markdown)
    unseen = np.append(found.held_out.rows, SPLIT.test)
    n_known = int(DATA.relevance[unseen].any(axis=1).sum())
    assert "The cases shift along the rows of the data" in said
    assert f"(p = 0.020, {n_known} cases)" in said


def test_a_precision_that_cannot_be_promised_is_told():
    app = go_to(
        session(data="songs", method="ML-kNN", held_back="Guarantee", sets_level=99,
                kind_of_sets=DATA.nouns.insert(FEW_WRONG)), CONFIDENCE)  # fmt: skip
    said = " ".join(each.value for each in app.main.markdown)
    assert "99% cannot be promised with" in said


def test_the_wrapper_and_the_page_hold_out_the_same_cases():
    found = guaranteed_sets.guarantee(DATA, CHOICE, SPLIT, MISS_FEW)
    wrapper = RiskControlledLabelSets(MLkNNClassifier(), random_state=0)
    wrapper.fit(DATA.X[SPLIT.train], DATA.Y[SPLIT.train])
    assert wrapper.n_calibration_ == found.n_cases
