"""Pages about data whose targets are pairs of labels."""

import json

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.sensitivity.figures import figures_for
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import pair_tau_score
from pages.predict import report
from pages.ui.results.models import Case
from pages.ui.view import View
from tests.app.visits import PAGES, ROOT, few, go_to, ran
from tests.core.test_pair_data import pair_data

DATA = pair_data()
METHODS = [key for key, each in ALGORITHMS.items() if "pair_preferences" in each.tasks]


def opened(page, method="knn", **link):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app._page_hash = calc_hash(page)
    app.session_state["_own_data"] = {"drinks (mine)": DATA}
    link = {"data": "drinks (mine)", "method": ALGORITHMS[method].title, **few(method), **link}
    for name, value in {"tested_on": "2 folds", **link}.items():
        app.query_params[name] = str(value)
    return ran(app.run())


def everything(app):
    """What the page says in Markdown, captions and drawings."""
    texts = [each.value for each in (*app.markdown, *app.caption, *app.title, *app.info)]
    drawn = [each.proto.body for each in app.main if hasattr(getattr(each, "proto", None), "body")]
    return " ".join([*texts, *drawn])


@pytest.mark.parametrize("key", METHODS)
def test_every_page_shows_them_by_every_method(key):
    app = opened("predict", key)
    for page in PAGES:
        go_to(app, page)
        assert not app.error


def test_the_first_page_says_that_there_is_no_ranking_to_guess():
    app = opened("start")
    assert "not a whole ranking: so there is none to guess here" in everything(app)
    assert "before" in everything(app)


def test_the_portrait_counts_the_known_pairs():
    said = everything(opened("data"))
    known = DATA.preferences.n_known.mean()
    assert f"each says of {known:.1f} of 6 pairs" in said


def test_evaluate_measures_the_known_pairs():
    app = opened("evaluate")
    choice, split = ModelChoice("knn"), holdout_split(DATA)
    model = choice.build().fit(DATA.X[split.train], DATA.preferences[split.train])
    expected = pair_tau_score(DATA.preferences[split.test], model.predict(DATA.X[split.test]))
    assert f"{expected:.3f}" in everything(app)


def test_what_needs_rankings_says_so():
    app = opened("confidence", held_back="Rankings")
    assert "takes real rankings; these data have pairs of labels" in app.info[0].value


def test_sensitivity_deletes_pairs_and_varies_no_consensus_rule():
    figures = figures_for(ALGORITHMS["knn"], DATA)
    assert [figure.key for figure in figures] == ["n_neighbors", "missing"]
    app = opened("sensitivity", vary_knn="Missing pairs")
    assert "of the pairs missing" in everything(app)


def test_the_report_has_the_known_pairs():
    choice, split = ModelChoice("knn"), holdout_split(DATA)
    row = int(split.test[DATA.preferences.n_known[split.test].argmax()])
    model = choice.build().fit(DATA.X[split.train], DATA.preferences[split.train])
    explanation = model[-1].explain(model[:-1].transform(DATA.X[[row]])[0])
    view, case = View(DATA, choice, split, row), Case(DATA.X[row], explanation, split.train)
    page = report.web_page(view, case, ["code"], "http://127.0.0.1/predict")
    assert "Known pairs" in page
    assert page.count("<i>before</i>") > DATA.preferences.chains(row)[0].__len__() - 1
    assert json.loads(report.as_json(view, case, ["code"]))["positions"]
