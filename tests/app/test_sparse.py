"""Data with mostly zeros, as texts are, on every page with every method."""

import re

import numpy as np
import pytest
from scipy import sparse
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from labelrank_core import Dataset, Task
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.evaluate import train_recorded
from labelrank_core.explain.predictions import predict_cases
from labelrank_core.io import write_dataset
from labelrank_core.methods import ALGORITHMS, ModelChoice, base
from pages.ui import compute
from pages.ui.results import models
from pages.ui.view import View
from pages.ui.wording import snippets
from tests import problems
from tests.app.visits import PAGES, ROOT, START, drawn, facts, few, go_to, ran, scroll_to, sentences
from tests.pairs import all_pairs

N_ROWS, N_WORDS = 30, 120


def pages_of_words(task):
    rng = np.random.default_rng(0)
    return Dataset(
        X=sparse.random(N_ROWS, N_WORDS, density=0.05, random_state=0, format="csr"),
        Y=problems.targets(rng, task, N_ROWS, 4),
        task=task,
        feature_names=[f"word {j}" for j in range(N_WORDS)],
        label_names=["art", "music", "film", "books"],
        name="words",
    )


def opened(data, method, page="predict"):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app._page_hash = calc_hash(page)
    app.session_state["_own_data"] = {"words (mine)": data}
    app.query_params["data"] = "words (mine)"
    app.query_params["method"] = ALGORITHMS[method].title
    for name, value in {"tested_on": "2 folds", **few(method)}.items():
        app.query_params[name] = str(value)
    return ran(app.run())


def pages_to_see():
    """Pages by method and task: all of them with every family of methods, and with every task.

    Methods of a family take the same cases; each of them is on some page besides the first, with
    one of its tasks.
    Every page with every method, of dense data, is shown by `test_pages.py`.
    """
    rows = [
        (key, task, ALGORITHMS[key].family, page)
        for key, algorithm in ALGORITHMS.items()
        for task in algorithm.tasks
        for page in PAGES
        if page != START
    ]
    pages = {}
    for key, task, _, page in all_pairs(rows, columns={(0, 2), (1, 3), (2, 3)}):
        pages.setdefault((key, task), []).append(page)
    return pages


@pytest.mark.parametrize(
    ("key", "task", "pages"),
    [(*case, pages) for case, pages in pages_to_see().items()],
    ids=[f"{key}-{task}" for key, task in pages_to_see()],
)
def test_every_page_shows_them_by_every_method(key, task, pages):
    app = opened(pages_of_words(task), key)
    assert app.toggle(key="scaled").label == "Scale cases"
    for page in pages:
        go_to(app, page)
        assert "words" in facts(app)
        assert not app.error


@pytest.mark.parametrize("scaled", [True, False])
def test_the_case_shown_is_the_one_predicted_and_its_words_can_be_changed(scaled):
    data, split = pages_of_words(Task.MULTILABEL), holdout_split(pages_of_words(Task.MULTILABEL))
    choice, row = ModelChoice("mlls", scaled=scaled), int(split.test[0])
    model = choice.build(is_sparse=True).fit(data.X[split.train], data.Y[split.train])
    word = int(data.X[[row]].indices[0])
    for edits in ({}, {word: 5.0}):
        x = data.case(row)
        x[list(edits)] = list(edits.values())
        shown = models.case(View(data, choice, split, row, edits))
        np.testing.assert_array_equal(shown.x, x)
        np.testing.assert_array_equal(shown.explanation.prediction, model.predict(x[None])[0])


def test_counts_of_words_are_weighted_unless_switched_off():
    app = opened(pages_of_words(Task.MULTILABEL), "mlr")
    assert app.toggle(key="tfidf").value is True
    assert app.session_state["_view"].choice.tfidf
    before = sentences(app)
    ran(app.toggle(key="tfidf").set_value(False).run())
    assert not app.session_state["_view"].choice.tfidf
    assert sentences(app) != before
    ran(app.selectbox(key="data").set_value("iris").run())
    assert "tfidf" not in [each.key for each in app.toggle]
    assert not app.session_state["_view"].choice.tfidf


def test_the_python_lines_weigh_words_as_the_page_does():
    data, split = pages_of_words(Task.MULTILABEL), holdout_split(pages_of_words(Task.MULTILABEL))
    row = int(split.test[0])
    for scaled in (True, False):
        asked = View(data, ModelChoice("mlr", scaled=scaled, tfidf=True), split, row, {})
        lines = [line for line in snippets.prediction(asked) if not line.startswith("data = ")]
        known = {"data": data}
        exec("\n".join(lines), known)
        shown = models.case(asked).explanation
        np.testing.assert_array_equal(known["explanation"].prediction, shown.prediction)
        assert str(known["explanation"].summary) == str(shown.summary)


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("key", ["mlr", "mlls", "br"])
def test_shares_are_those_of_the_words_of_the_case(key):
    data = pages_of_words(Task.MULTILABEL)
    app = opened(data, key)
    go_to(app, "pages/predict/page.py")
    (said,) = [body for body in drawn(app) if "Shapley value" in body]
    assert "Only the features that this case has are compared." in said
    asked = View(data, app.session_state["_view"].choice, holdout_split(data), 3, {7: 2.0})
    words = models.compared_columns(asked)
    assert words == sorted({*data.X[3].indices.tolist(), 7})
    found = models.contributions(asked, (0, 1))
    assert len(found.values) == len(words)
    assert found.base + found.values.sum() == pytest.approx(found.total)
    # A case without a word has nothing to share.
    empty = View(data, asked.choice, asked.split, 3, dict.fromkeys(data.X[3].indices.tolist(), 0.0))
    assert models.compared_columns(empty) == []


def test_tables_hold_the_words_that_most_rows_have():
    app = go_to(opened(pages_of_words(Task.MULTILABEL), "mlls"), "pages/data/page.py")
    app.session_state["data_tab"] = "In use now"
    ran(app.run())
    table = next(t.value for t in app.dataframe if "row" in t.value.columns)
    data = pages_of_words(Task.MULTILABEL)
    counts = np.diff(data.X.tocsc().indptr)
    shown = [int(name.removeprefix("word ")) for name in table.columns if "word" in name]
    assert len(shown) == 50
    assert counts[shown].min() >= np.sort(counts)[-50]
    assert any(re.search("Of the 120 features, .* the 50", c.value) for c in app.caption)


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("form", ["libsvm", "mulan-sparse", "csv"])
@pytest.mark.parametrize("key", ["mlls", "mlr", "br"])
def test_new_cases_of_a_file_are_predicted(key, form):
    data = pages_of_words(Task.MULTILABEL)
    app = go_to(opened(data, key), "pages/predict/page.py")
    place = next(each for each in app.file_uploader if each.key == "new_cases")
    ran(place.upload("new", write_dataset(data, form)[0][1]).run())
    assert not app.error
    shown = next(t.value for t in app.dataframe if "predicted ranking" in t.value.columns)
    asked = View(data, app.session_state["_view"].choice, holdout_split(data), 0, {})
    model = models.fitted(data, asked.choice, asked.split).model
    found = predict_cases(model, data.X, task=data.task)
    assert shown["predicted labels"].tolist() == found.texts(data.label_names)


@pytest.mark.usefixtures("everything_open")
def test_new_cases_may_be_pairs_alone():
    data = Dataset(
        X=sparse.random(N_ROWS, 9, density=0.5, random_state=0, format="csr"),
        Y=problems.targets(np.random.default_rng(0), Task.MULTILABEL, N_ROWS, 3),
        task=Task.MULTILABEL,
        feature_names=[f"f{j + 1}" for j in range(9)],
        label_names=["a", "b", "c"],
        name="words",
    )
    app = go_to(opened(data, "mlr"), "pages/predict/page.py")
    place = next(each for each in app.file_uploader if each.key == "new_cases")
    ran(place.upload("new.svm", b"1:2 4:1\n2:1\n").run())
    shown = next(t.value for t in app.dataframe if "predicted ranking" in t.value.columns)
    assert shown["line"].tolist() == [1, 2]


@pytest.mark.parametrize("key", ["mlls", "mlknn"])
def test_one_fit_serves_all_pages_and_views(key, monkeypatch):
    fits = []

    def counted(model, dataset, rows):
        fits.append(rows)
        return train_recorded(model, dataset, rows)

    monkeypatch.setattr(models, "train_recorded", counted)
    compute._cache.clear()
    app = opened(pages_of_words(Task.MULTILABEL), key)
    for page in ("predict", "evaluate", "confidence", "data", "predict"):
        go_to(app, f"pages/{page}/page.py")
        if page == "predict":
            for view in ("What if", "How sure", "Why"):
                scroll_to(app, view)
    assert len(fits) == 1


def test_data_too_large_to_be_made_dense_are_shown_by_methods_that_need_not(monkeypatch):
    monkeypatch.setattr(base, "DENSE_CELLS", 1000)
    compute._cache.clear()
    app = opened(pages_of_words(Task.MULTILABEL), "mlr")
    assert sentences(app)
    go_to(app, "pages/evaluate/page.py")
    assert not app.error
    assert not any("too large" in c.value for c in app.caption)
    ran(app.selectbox(key="mlr_metric").set_value("manhattan").run())
    assert "makes sparse cases dense" in app.error[0].value
    assert "with Euclidean or cosine distance" in app.error[0].value
