"""What would change a prediction: searched among the most predictive features, also of many."""

import re

import numpy as np
import pytest

from labelrank_core import Dataset, Task
from labelrank_core.explain.what_if.sweeps import sweep_all
from labelrank_core.methods import ModelChoice
from pages.predict import what_if
from pages.ui import compute, jobs
from pages.ui import session as ui_session
from pages.ui.render.evidence.changes import search_changes
from tests.app.visits import PREDICT, drawn, go_to, plain, ran, scroll_to, session

N_FEATURES = 50


@pytest.fixture
def wide():
    """Fifty features; only the fourth one tells the labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, N_FEATURES))
    Y = np.stack([X[:, 3] > 0, X[:, 3] < 0.5, X[:, 3] > -1], axis=1).astype(int)
    return Dataset(
        X, Y, Task.MULTILABEL, [f"f{j}" for j in range(N_FEATURES)], ["a", "b", "c"], "wide"
    )


def searched(dataset, key, row=0):
    """The result, the model, and the groups of features that were tried."""
    choice, groups = ModelChoice(key), []
    model = choice.build().fit(dataset.X, dataset.Y)

    def sweep(features):
        groups.append([each.index for each in features])
        return sweep_all(model, dataset.case(row), features, **choice.path_params)

    return search_changes(dataset, sweep), model, groups


@pytest.mark.parametrize("key", ["mlr", "mlknn", "mlls"])
def test_a_change_that_is_found_changes_the_prediction_and_none_before_its_limit(wide, key):
    found, model, groups = searched(wide, key, row=5)
    x = wide.case(5)
    assert found.of == "relevant"
    shares = [change.share for _, change in found.changes]
    assert shares == sorted(shares)
    before = model.predict(x[None])[0]
    assert found.n_tried == sum(map(len, groups))
    for swept, change in found.changes:
        assert swept.is_exact
        other = x.copy()
        other[change.feature.first] = change.value
        assert not np.array_equal(model.predict(other[None])[0], before)
        other[change.feature.first] = change.case_value + 0.999 * (change.limit - change.case_value)
        assert np.array_equal(model.predict(other[None])[0], before)


def test_the_most_predictive_features_come_first_and_others_only_if_none_matters(wide, monkeypatch):
    _, _, groups = searched(wide, "mlls")
    assert groups == [compute.predictive_columns(wide)[:6]]
    assert groups[0][0] == 3
    # Of the last features none alone can outweigh the fourth one, and only so many are tried.
    backwards = compute.predictive_columns(wide)[::-1]
    monkeypatch.setattr(compute, "predictive_columns", lambda _: backwards)
    constant = wide.X.copy()
    constant[:, backwards[:30]] = np.where(np.arange(60)[:, None] == 0, 1e-9, 0.0)
    still = Dataset(
        constant, wide.Y, Task.MULTILABEL, wide.feature_names, wide.label_names, "still"
    )
    found, _, groups = searched(still, "mlr")
    assert [len(each) for each in groups] == [6, 6, 6, 6]
    assert (found.changes, found.n_tried, found.without) == ([], 24, ("relevant", "order"))


@pytest.fixture
def app(wide, monkeypatch):
    monkeypatch.setattr(ui_session, "own_data", lambda: {"wide (mine)": wide})
    opened = session()
    ran(opened.selectbox(key="data").set_value("wide (mine)").run())
    return opened


def said(app):
    return " ".join(plain(each) for each in drawn(app))


def test_predict_says_of_more_than_forty_features_what_would_change(app):
    scroll_to(go_to(app, PREDICT), "What if")
    assert len(re.findall(r"If f\d+ (rises|falls) from .* of its range", said(app))) == 1


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("data", ["iris", "glass", "election", "songs", "outings", "drinks"])
def test_what_if_says_one_smallest_change_which_is_the_first_of_its_table(data):
    app = session("pages/predict/page.py", data=data, view="What if")
    shares = re.findall(r"([\d.]+%) of its range", said(app))
    changes_of_all = [t.value for t in app.dataframe if "of its range" in t.value]
    if changes_of_all:
        table = changes_of_all[0]
        assert shares[0] == f"{table['of its range'].iloc[0]:.1f}%"
        # A change of a later position is named beside it where it is smaller.
        assert [float(share[:-1]) for share in shares[1:]] < [float(shares[0][:-1])]
        assert len(shares) <= 2
        assert table["feature"].iloc[0] in said(app)
        assert (
            app.selectbox(key="sweep").options[app.selectbox(key="sweep").index]
            == (table["feature"].iloc[0])
        )
    else:
        # All were tried, and change no more than the order.
        assert len(shares) <= 1
        assert "No change of a single feature changes which party comes first." in said(app)


def test_a_search_that_takes_long_is_asked_for_first(app, monkeypatch):
    monkeypatch.setattr(jobs, "SLOW_SECONDS", 0.0)
    scroll_to(go_to(app, PREDICT), "What if")
    ask = app.toggle(key="try_values")
    assert re.fullmatch(r"Try other values of 50 features \(about \d+ s\)", ask.label)
    assert "of its range" not in said(app)
    ran(ask.set_value(True).run())
    assert "of its range" in said(app)


def test_a_search_that_one_would_notice_at_every_move_is_asked_for_first(app, monkeypatch):
    monkeypatch.setattr(what_if, "_MOST_CELLS", 60 * N_FEATURES // 2)
    scroll_to(go_to(app, PREDICT), "What if")
    ask = app.toggle(key="try_values")
    assert ask.label == "Try other values of 50 features (takes a moment each time)"
    assert "of its range" not in said(app)
    ran(ask.set_value(True).run())
    assert "of its range" in said(app)
    ran(ask.set_value(False).run())
    # A method that looks for no neighbours takes no longer than with few cases.
    method = next(each for each in app.selectbox if each.key == "method")
    ran(method.set_value("Shared-subspace least squares").run())
    assert not [each for each in app.toggle if each.key == "try_values"]
    assert "of its range" in said(app)
