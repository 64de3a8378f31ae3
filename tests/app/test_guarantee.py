"""What can be relied on: intervals of one case on Predict, promised and realised on Confidence."""

import numpy as np
import pytest

from labelrank_core import ConformalLabelRanker, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation import guarantees as core
from labelrank_core.explain.evidence import SurePairs
from pages.ui import compute, guarantees
from tests import core_says
from tests.app.visits import go_to, ran, sentences, session

PREDICT = "pages/predict/page.py"
DATA = load_sample("vehicle")
SPLIT = holdout_split(DATA)
TEST_ROW, TRAINING_ROW = int(SPLIT.test[2]), int(SPLIT.train[2])


def opened(**link):
    return go_to(session(**{"data": "vehicle", "view": "How sure", **link}), PREDICT)


def said_by_core(row, alpha, risk="any_pair", promise="With 90% guarantee", **params):
    train = SPLIT.train[SPLIT.train != row]
    model = ConformalLabelRanker(core_says.pipeline(**params), alpha, risk=risk, random_state=0)
    model.fit(DATA.X[train], DATA.rankings[train])
    X = DATA.X[[row]]
    return SurePairs(model.predict_order(X)[0], model.predict(X)[0], promise, DATA.rankings[row])


def never(*_, **__):
    raise AssertionError("This has been computed already.")


def relied_on(app):
    return [each for each in sentences(app) if "guarantee:" in each or "on average:" in each]


@pytest.mark.parametrize("row", [TEST_ROW, TRAINING_ROW])
def test_the_sentence_is_that_of_the_core(row):
    app = opened(row=row + 1)
    sure = said_by_core(row, 0.1, n_neighbors=5)
    assert relied_on(app) == [sure.text.plain(DATA.label_names)]
    assert sure.n_decided > 0
    assert sure.verdict.plain(DATA.label_names) in sentences(app)
    ran(app.segmented_control(key="promise").set_value("Few pairs wrong").run())
    ran(app.slider(key="sure").set_value(95).run())
    promise = "At most 5% of the pairs wrong on average"
    sure = said_by_core(row, 0.05, "share_of_pairs", promise, n_neighbors=5)
    assert relied_on(app) == [sure.text.plain(DATA.label_names)]


def test_the_slider_neither_fits_nor_searches_again(monkeypatch):
    compute._cache.clear()
    app = opened(row=TEST_ROW + 1)
    for name in ("train_model", "label_scores", "calibrate"):
        monkeypatch.setattr(guarantees, name, never)
    before = relied_on(app)
    for percent in (55, 99, 70):
        ran(app.slider(key="sure").set_value(percent).run())
        assert relied_on(app)[0].startswith(f"With {percent}% guarantee")
        assert relied_on(app) != before


def test_another_k_calibrates_the_same_model_anew(monkeypatch):
    app = opened(row=TEST_ROW + 1)
    monkeypatch.setattr(guarantees, "train_model", never)
    ran(app.slider(key="knn_n_neighbors").set_value(9).run())
    sure = said_by_core(TEST_ROW, 0.1, n_neighbors=9)
    assert relied_on(app) == [sure.text.plain(DATA.label_names)]


def test_too_few_cases_promise_nothing_and_say_so():
    # 105 rows of iris train, of which 32 calibrate.
    app = opened(data="iris", sure=99)
    assert not relied_on(app)
    assert any(
        "99% takes at least 99 calibration cases; there are 32, so nothing" in info.value
        for info in app.info
    )


def test_the_first_page_does_not_compute_it(monkeypatch):
    monkeypatch.setattr(guarantees, "held", never)
    assert opened(view="Why").segmented_control(key="view").value == "Why"


def test_label_sets_have_no_order_of_pairs():
    assert not relied_on(opened(data="outings", method="ML-kNN"))


def test_values_changed_by_hand_are_outside_the_guarantee():
    app = opened(data="iris", changed="0~7.0")
    assert relied_on(app)
    assert not any("decided pair" in each for each in sentences(app) if each[0] in "✓✗")
    assert any("values changed by hand may be unlike them" in each.value for each in app.caption)


def test_it_is_exported():
    assert np.all([hasattr(core, name) for name in core.__all__])
