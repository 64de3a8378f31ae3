"""The page Experiments: what is asked for runs beside the server, is shown, and can be undone."""

import json
import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from scipy import stats

from labelrank_core import Task, list_samples, load_sample
from labelrank_core.comparison.board_verdict import board_verdict
from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.experiments import (
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
    read_config,
    units_of,
)
from labelrank_core.experiments.example import example_names, measure_example, recorded_example
from labelrank_core.experiments.plan import quickest_methods
from labelrank_core.experiments.store import GOING, Store
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.experiments import runs
from tests.app.visits import go_to, ran, session

PAGE = "pages/experiments/page.py"
RANKERS = [key for key, algorithm in ALGORITHMS.items() if algorithm.learns_rankings]
TINY = Experiment(
    (DataSource("sample", ("drinks",)),),
    tuple(Method(ModelChoice("knn", (("n_neighbors", k),))) for k in (1, 3)),
    Protocol(n_folds=2),
    "two *folds*",
)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The store of a server that starts with nothing."""
    monkeypatch.setenv("LABELRANK_HOME", str(tmp_path))
    return Store()


def plain(*elements):
    """Texts as people see them, without what keeps names from being Markdown."""
    return " ".join(each.value for each in elements).replace("\\", "").replace("\u2060", "")


def said(app):
    return plain(*app.markdown, *app.caption, *app.header)


def button(app, words):
    return next(each for each in app.button if each.label == words)


def board_table(app):
    """Return the leaderboard that is shown as a table."""
    return next(each.value for each in app.dataframe if "mean seconds" in each.value)


def choose_methods(app):
    """Let the methods be chosen one by one."""
    ran(app.segmented_control(key="ex_preset").set_value("My choice").run())


def finished(store, run, seconds=120):
    """Wait for a run's end and return it."""
    end = time.monotonic() + seconds
    while store.status(run).state in GOING and time.monotonic() < end:
        time.sleep(0.2)
    return store.status(run)


def done(store, experiment=TINY, ends=0):
    """An experiment with all its results, as its program leaves it; how that ends."""
    from labelrank_core.__main__ import main

    run = store.create(experiment)
    assert main(["--home", str(store.home), "run", run, "--workers", "1"]) == ends
    return run


def opened(run):
    return session(PAGE, run=run)


def form(data="drinks"):
    """The form of an experiment on one data set."""
    app = session(PAGE, data=data)
    return ran(app.multiselect(key="ex_data").set_value([data]).run())


@pytest.mark.usefixtures("store")
def test_an_experiment_begins_with_all_samples_of_the_task_and_three_quick_methods():
    app = session(PAGE, data="drinks")
    alike = [sample.name for sample in list_samples() if sample.task is Task.LABEL_RANKING]
    selected = app.multiselect(key="ex_data").value
    assert selected[0] == "drinks"
    assert sorted(selected) == sorted(alike)
    assert len(alike) > 2
    (effort,) = [each for each in app.markdown if "trainings**" in each.value]
    assert effort.help == f"{len(alike)} data sets × 3 methods × 5 folds"


@pytest.mark.usefixtures("everything_open")
@pytest.mark.usefixtures("store")
def test_a_recorded_result_shows_what_comes_out_before_the_first_start():
    app = session(PAGE, data="drinks")
    (table,) = [
        each.value for each in app.dataframe if "average rank" in set(each.value.get("data", ()))
    ]
    titles = [sample.title for sample in list_samples() if sample.task is Task.LABEL_RANKING]
    assert table["data"].tolist() == [*titles, "average rank"]
    scores = table.set_index("data").loc[titles]
    best = scores.columns[0]
    assert scores.idxmax(axis=1).eq(best).all()
    # Methods that predict the same would teach nothing.
    assert not any(scores[name].equals(scores[best]) for name in scores.columns[1:])
    leads = scores[best] - scores.drop(columns=best).max(axis=1)
    n_ahead = int((leads > 0).sum())
    assert n_ahead < len(titles)
    n_tied = int((leads == 0).sum())
    heading = f"{best} leads on {n_ahead} of {len(titles)} data sets"
    heading += f", ties on {n_tied}" if n_tied else ""
    assert heading in said(app).replace("\\", "")
    (drawing,) = [each.value for each in app.main if "lr-scores" in str(getattr(each, "value", ""))]
    by_title = {sample.name: sample.title for sample in list_samples()}
    recorded = recorded_example().replace({"data": by_title})
    spread = recorded.pivot_table(index="data", columns="method", values="deviation")
    shown = re.findall(r"±(0\.\d{3})<", drawing)
    assert sorted(shown) == sorted(f"{value:.3f}" for value in spread.to_numpy().flat)
    assert "[Significance](compare) tests which methods differ." in said(app)


@pytest.mark.usefixtures("everything_open")
@pytest.mark.usefixtures("store")
def test_the_differences_of_the_example_are_those_of_its_folds():
    app = session(PAGE, data="drinks")
    (table,) = [each.value for each in app.dataframe if "verdict" in each.value]
    recorded = recorded_example()
    by_title = {sample.title: sample.name for sample in list_samples()}
    keys = {"Kernel": "kernel_pairwise", "Log-linear": "ll", "k-NN": "knn"}

    def folds(title, method):
        (key,) = [key for start, key in keys.items() if method.startswith(start)]
        is_asked = (recorded["data"] == by_title[title]) & (recorded["method"] == key)
        return np.array(recorded.loc[is_asked, "folds"].item())

    for row in table.itertuples():
        gains = folds(row.data, row.method) - folds(row.data, row.control)
        assert row.mean == pytest.approx(gains.mean(), abs=1e-9)
        if gains.any():
            # Five folds, each with a quarter as many test as training cases.
            reach = stats.t.ppf(0.975, 4) * gains.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)
            assert (row.low, row.high) == pytest.approx((row.mean - reach, row.mean + reach))
    clear = [data for data, verdicts in table.groupby("data") if (verdicts["high"] < 0).all()]
    n_all = table["data"].nunique()
    sentence = f"Its lead is clear on {len(clear)} of {n_all} data sets"
    assert f"{sentence}: {', '.join(clear)}." in said(app)
    (drawing,) = [
        each.value for each in app.main if "lr-differences" in str(getattr(each, "value", ""))
    ]
    # What is drawn as clearly behind is what the sentence and the table call so.
    assert drawing.count('class="track behind"') == int((table["high"] < 0).sum())
    shown = re.findall(r'class="value">([^<]+)<', drawing)
    numbers = {f"{mean:+.3f}".replace("-", "−") for mean in table["mean"] if abs(mean) >= 0.0005}
    first = recorded[recorded["method"] == "kernel_pairwise"]["value"]
    scores, average_ranks = {f"{score:.3f}" for score in first}, shown[-3:]
    assert numbers | scores | {"0.000"} >= set(shown[:-3]) >= numbers | scores
    ranks = recorded.groupby("data")["value"].rank(ascending=False)
    means = sorted(ranks.groupby(recorded["method"]).mean())
    assert average_ranks == [f"{rank:.2f}" for rank in means]


def test_the_recorded_example_is_what_is_measured_today():
    recorded = recorded_example().set_index(["method", "data"])[["value", "deviation"]]
    today = measure_example(["iris", "drinks"]).set_index(["method", "data"])
    measured = today[["value", "deviation"]]
    assert len(measured) == 6
    params = recorded_example().set_index(["method", "data"])["params"]
    assert params[measured.index].tolist() == today["params"].tolist()
    pd.testing.assert_frame_equal(recorded.loc[measured.index], measured, atol=1e-3)
    all_folds = recorded_example().set_index(["method", "data"])["folds"]
    for index, folds in today["folds"].items():
        np.testing.assert_allclose(all_folds[index], folds, atol=1e-3)
    for folds, value, deviation in zip(
        all_folds, recorded["value"], recorded["deviation"], strict=True
    ):
        assert np.mean(folds) == pytest.approx(value, abs=2e-6)
        assert np.std(folds, ddof=1) == pytest.approx(deviation, abs=2e-6)
    assert sorted(recorded.index.unique("data")) == sorted(example_names())


def test_one_click_starts_what_the_page_then_shows(store):
    app = form()
    ran(app.segmented_control(key="ex_preset").set_value("All").run())
    ran(app.number_input(key="ex_folds").set_value(2).run())
    assert f"**{2 * len(RANKERS)} trainings**" in said(app)
    # Where that is, README says: a visitor need not know the folders of the server.
    assert "Kept on this computer." in said(app)
    # One word for one machine.
    assert "server" not in said(app)
    assert str(store.home) not in said(app)
    ran(app.button(key="ex_start_form").click().run())
    (run,) = store.ids()
    assert app.query_params["run"] in (run, [run])
    assert finished(store, run).state == "finished"
    ran(app.run())
    assert "{0} of {0} trainings done".format(2 * len(RANKERS)) in app.get("progress")[0].proto.text
    assert "trainings count" not in said(app)
    experiment, _ = store.experiment(run)
    frame = store.frame(units_of(experiment, [load_sample("drinks")]))
    frame = frame.assign(data="Drinks by weather")
    board = leaderboard(frame, "kendall_tau_score").frame()
    shown = board_table(app)
    assert shown["method"].tolist() == board["method"].tolist()
    first = board.iloc[0]
    assert f"{first['mean']:.3f} ± {first['sd']:.3f}" in shown["on Drinks by weather"].iloc[0]
    assert experiment.protocol == Protocol(n_folds=2)
    verdict = board_verdict(leaderboard(frame, "kendall_tau_score"), "Drinks by weather", 1.0)
    assert verdict.heading in said(app)
    assert verdict.sentence in said(app)


@pytest.mark.usefixtures("store")
def test_data_are_offered_by_their_titles_and_own_ones_by_their_names():
    app = session(data="election")
    app.session_state["_own_data"] = {"drinks (mine)": load_sample("drinks")}
    go_to(app, PAGE)
    offered = app.multiselect(key="ex_data")
    assert offered.value[0] == "election"
    assert {"German election 2009", "drinks (mine)"} <= set(offered.options)
    assert "election" not in offered.options


@pytest.mark.usefixtures("store")
def test_presets_are_three_quick_methods_of_different_families_or_all():
    app = form()
    quick = quickest_methods(load_sample("drinks"))
    assert len({ALGORITHMS[key].family for key in quick}) == len(quick) == 3
    assert f"**{5 * 3} trainings**" in said(app)
    assert all(ALGORITHMS[key].title in said(app) for key in quick)
    ran(app.segmented_control(key="ex_preset").set_value("All").run())
    assert f"**{5 * len(RANKERS)} trainings**" in said(app)
    ran(app.segmented_control(key="ex_preset").set_value("My choice").run())
    assert app.multiselect(key="ex_methods").value == RANKERS
    # Data of the other kind bring their quick methods.
    ran(app.segmented_control(key="ex_preset").set_value("Quick three").run())
    ran(app.multiselect(key="ex_data").set_value(["drinks", "outings"]).run())
    assert all(ALGORITHMS[k].title in said(app) for k in quickest_methods(load_sample("outings")))


def test_everything_to_take_along_is_in_one_menu(store):
    app = opened(done(store))
    labels = [each.proto.label for each in app.get("download_button")]
    assert labels == [
        "Leaderboard (CSV)", "All results (CSV)", "All pairs of methods (CSV)", "Table (LaTeX)",
        "Leaderboard (SVG)", "Differences (SVG)", "Config (JSON)",
    ]  # fmt: skip


def test_own_data_are_copied_for_the_run_and_go_with_it(store):
    own = replace(load_sample("drinks"), X=load_sample("drinks").X + 1, name="drinks")
    app = session(data="drinks")
    app.session_state["_own_data"] = {"drinks (mine)": own}
    go_to(app, PAGE)
    ran(app.multiselect(key="ex_data").set_value(["drinks", "drinks (mine)"]).run())
    choose_methods(app)
    assert "with a copy of your data" in said(app)
    assert not (store.home / "data").exists()
    ran(app.multiselect(key="ex_methods").set_value(["knn"]).run())
    ran(app.number_input(key="ex_folds").set_value(2).run())
    ran(app.button(key="ex_start_form").click().run())
    (run,) = store.ids()
    assert store.data(own.fingerprint).fingerprint == own.fingerprint
    assert finished(store, run).n_done == 4
    ran(app.run())
    assert {"on Drinks by weather", "on drinks (2)"} < set(board_table(app).columns)
    ran(button(app, "Delete permanently").click().run())
    assert not list((store.home / "data").iterdir())


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_a_form_that_nothing_could_run_says_so(store, missing):
    app = form("outings")
    ran(app.multiselect(key="ex_missing").set_value([missing]).run())
    offered = [each.key for each in app.button if each.key == "ex_start_form"]
    assert bool(offered) == (missing == 0)
    if missing:
        assert "can learn from none of these data" in plain(*app.warning)
    assert store.ids() == []


@pytest.mark.usefixtures("store")
def test_data_that_no_chosen_method_learns_bring_their_methods():
    app = form()
    choose_methods(app)
    ran(app.multiselect(key="ex_methods").set_value(["knn", "own"]).run())
    ran(app.multiselect(key="ex_data").set_value(["drinks", "iris"]).run())
    assert app.multiselect(key="ex_methods").value == ["knn", "own"]
    ran(app.multiselect(key="ex_data").set_value(["drinks", "outings"]).run())
    learn_sets = [key for key, each in ALGORITHMS.items() if each.learns(load_sample("outings"))]
    assert app.multiselect(key="ex_methods").value == ["knn", "own", *learn_sets]
    # A browser that was asked before it was told sends what it knew, which nobody has chosen.
    ran(app.multiselect(key="ex_methods").set_value(["knn", "own"]).run())
    assert app.multiselect(key="ex_methods").value == ["knn", "own", *learn_sets]
    # Somebody who takes them away again does not want them.
    for chosen in (["knn", "own", *learn_sets[:1]], ["knn", "own"]):
        ran(app.multiselect(key="ex_methods").set_value(chosen).run())
        assert app.multiselect(key="ex_methods").value == chosen


def test_a_shown_config_starts_the_same_and_what_is_wrong_in_one_is_said():
    app = form()
    shown = read_config(app.code[0].value)
    quick = quickest_methods(load_sample("drinks"))
    assert [method.choice.key for method in shown.methods] == quick
    area = app.text_area(key="ex_config")
    wrong = {**json.loads(app.code[0].value), "methods": [{"key": "nn"}]}
    ran(area.set_value(json.dumps(wrong)).run())
    assert "methods[0].key: expected one of" in plain(*app.error)
    ran(app.text_area(key="ex_config").set_value(TINY.to_json()).run())
    assert not app.error
    assert app.button(key="ex_start_config")


@pytest.mark.parametrize("path", ["/etc/passwd", "mine.csv"])
@pytest.mark.usefixtures("store")
def test_a_visitors_config_opens_no_files(path):
    config = json.dumps({"data": [{"files": [path]}], "methods": [{"key": "knn"}]})
    with pytest.raises(ConfigError, match=r"data\[0\]: only the command line reads files"):
        runs.read_visitors_config(config)
    clustered = (
        '{"data": ["iris"], "methods": [{"key": "knn"}], "scheduler": "tcp://10.0.0.1:8786"}'
    )
    with pytest.raises(ConfigError, match="scheduler: only the command line uses clusters"):
        runs.read_visitors_config(clustered)
    app = session(PAGE)
    ran(app.text_area(key="ex_config").set_value(config).run())
    assert "only the command line" in plain(*app.error)
    assert not [each for each in app.button if each.key == "ex_start_config"]
    gone = json.dumps({"data": [{"stored": "../x"}], "methods": [{"key": "knn"}]})
    ran(app.text_area(key="ex_config").set_value(gone).run())
    assert "is not kept here any more" in plain(*app.error)


def test_a_finished_run_is_shown_by_its_link_with_what_stands_behind_the_means(store):
    run = done(store)
    app = opened(run)
    assert "two *folds*" in said(app)
    assert "ranks on the folds of one data set are not independent" in said(app)
    *_, folds, worst = (table.value for table in app.dataframe)
    assert len(board_table(app)) == 2
    assert folds["fold"].tolist() == [1, 2]
    assert worst["row"].between(1, load_sample("drinks").n_samples).all()
    row = int(worst["row"].iloc[0])
    units = units_of(TINY, [load_sample("drinks")])
    own = [store.cases(unit) for unit in units if unit.method.name in said(app)]
    assert any(row - 1 in cases["row"] for cases in own)
    assert "Tick a row to choose it" in said(app)


def test_with_two_data_sets_there_are_tests_over_data_sets(store):
    both = Experiment(
        (*TINY.data, DataSource("sample", ("iris",))), TINY.methods, Protocol(n_folds=2)
    )
    app = opened(done(store, both))
    assert "(Friedman's test" in said(app)
    assert "Friedman's test finds no difference, so no single gap counts." in said(app)
    assert "Ranks on each data set" in said(app)
    # Heading, sentence and the test in detail agree: two data sets show nothing.
    assert "on 2 data sets, but the methods do not differ clearly" in said(app)
    assert "The methods do not differ significantly" in said(app)
    assert board_table(app).columns.tolist()[:4] == [
        "method", "average rank", "on Drinks by weather", "on Iris flowers",
    ]  # fmt: skip


def test_a_tuned_method_and_its_untuned_twin_count_once_in_tests_over_data_sets(store):
    methods = (*TINY.methods, Method(ModelChoice("knn"), (("n_neighbors", (1, 3)),), "tuned"))
    two = (*TINY.data, DataSource("sample", ("iris",)))
    app = opened(done(store, Experiment(two, methods, Protocol(n_folds=2))))
    assert len(board_table(app)) == 3
    # What is left of three methods is one, so there is nothing to test.
    assert "(Friedman's test" not in said(app)
    forest = Method(ModelChoice("forest", (("n_estimators", 2),)))
    app = opened(done(store, Experiment(two, (*methods, forest), Protocol(n_folds=2))))
    assert "Not tested: k-NN label ranking (n_neighbors=1), k-NN label ranking" in said(app)
    (differ,) = [each for each in app.markdown if "(Friedman's test" in each.value]
    assert "F(1, 1)" in differ.help


def test_levels_are_chosen_and_drawn(store):
    levels = Protocol(n_folds=2, missing=(0.0, 0.5), train_shares=(0.8, 1.0))
    iris = Experiment((DataSource("sample", ("iris",)),), TINY.methods, levels)
    app = opened(done(store, iris))
    words = said(app)
    assert "Missing labels" in words
    assert "Learning curve" in words
    assert "one level of missing labels" not in words
    before = board_table(app)["on Iris flowers"].tolist()
    ran(app.selectbox(key="ex_at_missing").set_value(0.5).run())
    assert board_table(app)["on Iris flowers"].tolist() != before


@pytest.mark.parametrize(
    ("address", "url", "is_own"),
    [
        ("127.0.0.1", None, True),
        ("127.0.0.1", "http://localhost:8501/experiments", True),
        ("::1", "http://[::1]:8501", True),
        # Behind a proxy of the same machine.
        ("127.0.0.1", "https://rankings.example.org/experiments", False),
        ("0.0.0.0", "http://localhost:8501", False),
        (None, None, False),
    ],
)
def test_a_computer_is_the_visitors_own_if_both_ends_are_on_it(address, url, is_own):
    assert runs.is_local(address, url) == is_own


def test_the_method_that_is_first_is_found_once(store, monkeypatch):
    done(store)
    session(PAGE, data="drinks")
    monkeypatch.setattr(Store, "datasets", lambda *_: pytest.fail("loaded again"))
    assert "is first with a Kendall's tau of" in said(session(PAGE, data="drinks"))


@pytest.mark.usefixtures("store")
def test_an_unknown_run_is_said_so():
    app = opened("nobody")
    assert "leads to no experiment" in plain(*app.error)
    ran(button(app, "New experiment").click().run())
    assert app.multiselect(key="ex_data")


def test_an_earlier_experiment_stands_with_the_method_that_is_first(store):
    done(store)
    app = form()
    board = leaderboard(store.frame(units_of(TINY, [load_sample("drinks")])), "kendall_tau_score")
    best = board.bands("drinks").iloc[0]
    assert f"{best['method']} is first with a Kendall's tau of {best['mean']:.3f}" in said(app)


def test_a_store_that_cannot_be_used_is_said_in_a_sentence(store):
    run = store.create(TINY)
    (store.home / "experiments.sqlite").write_bytes(b"no database at all " * 100)
    app = opened(run)
    (sentence,) = [each.value for each in app.error]
    assert "is damaged" in sentence
    app = form()
    assert {each.value for each in app.error} == {sentence}
    assert app.multiselect(key="ex_data").value == ["drinks"]


def test_an_experiment_of_a_method_that_is_gone_is_named_and_can_be_deleted(store):
    run, other = store.create(TINY), store.create(TINY)
    with closing(sqlite3.connect(store.home / "experiments.sqlite")) as connection, connection:
        connection.execute(
            "UPDATE experiments SET config = replace(config, 'knn', 'gone'), heartbeat = 0 "
            "WHERE id = ?",
            (run,),
        )
    app = opened(run)
    assert "methods[0].key: expected one of" in plain(*app.error)
    # Nobody has begun it, and nobody can: it is not waiting for ever.
    assert store.status(run).state == "interrupted"
    ran(button(app, "Delete permanently").click().run())
    assert store.ids() == [other]


def test_deleting_asks_first_and_leaves_nothing(store):
    run = done(store)
    app = opened(run)
    assert store.ids() == [run]
    ran(button(app, "Delete permanently").click().run())
    assert store.ids() == []
    assert store.done([unit.key for unit in units_of(TINY, [load_sample("drinks")])]) == set()
    assert app.multiselect(key="ex_data")


def test_cancelling_and_going_on(store):
    long = Experiment(
        (DataSource("sample", ("vehicle",)),),
        (Method(ModelChoice("forest", (("n_estimators", 150),))),),
        Protocol(n_folds=10, n_repeats=20),
    )
    run = runs.create(long, 1)
    end = time.monotonic() + 60
    while store.status(run).n_done == 0 and time.monotonic() < end:
        time.sleep(0.1)
    app = opened(run)
    ran(button(app, "Cancel").click().run())
    status = finished(store, run)
    assert status.state == "cancelled"
    assert 0 < status.n_done < 200
    ran(app.run())
    # All of a single method: a fold that is done counts.
    assert f"{status.n_done} of 200 trainings count," in said(app)
    ran(button(app, "Continue").click().run())
    end = time.monotonic() + 60
    while store.status(run).n_done <= status.n_done and time.monotonic() < end:
        time.sleep(0.1)
    assert store.status(run).n_done > status.n_done
    store.delete(run)


def test_a_method_whose_trainings_all_failed_is_named(store):
    too_many = Method(ModelChoice("knn", (("n_neighbors", 4000),)))
    run = done(store, replace(TINY, methods=(*TINY.methods, too_many)), ends=1)
    app = opened(run)
    assert ran(app).get("progress")[0].proto.text.endswith("4 of 6 trainings done, 2 failed")
    assert f"No results of {too_many.name}." in said(app)
    assert "trainings count" not in said(app)


def test_no_more_than_two_run_at_once(store):
    for _ in range(runs.MOST_AT_ONCE):
        store.create(TINY)
    with pytest.raises(runs.TooManyError):
        runs.create(TINY, 1)
    assert len(store.ids()) == runs.MOST_AT_ONCE
    app = form()
    ran(app.button(key="ex_start_form").click().run())
    assert "the most it allows" in plain(*app.warning)


def test_a_program_that_cannot_begin_says_so(store, monkeypatch):
    monkeypatch.setattr(runs.sys, "executable", "/bin/false")
    run = runs.create(TINY, 1)
    assert finished(store, run, 20).state == "refused"
    assert "ended with code 1" in store.status(run).message


@pytest.mark.parametrize(
    ("address", "local"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), (None, False)],
)
def test_who_lists_all_experiments(store, address, local, monkeypatch):
    monkeypatch.setattr(st, "get_option", lambda _: address)
    run = store.create(TINY)
    monkeypatch.setattr(runs.session, "get_state", lambda *_: [])
    found, n_older, alone = runs.listed()
    assert (alone, [status.id for status in found]) == (local, [run] if local else [])
    assert n_older == 0
    monkeypatch.setattr(runs.session, "get_state", lambda *_: [run])
    assert [status.id for status in runs.listed()[0]] == [run]


def test_the_newest_experiments_are_listed_and_the_others_counted(store, monkeypatch):
    monkeypatch.setattr(st, "get_option", lambda _: "127.0.0.1")
    created = [store.create(TINY) for _ in range(23)]
    found, n_older, _ = runs.listed()
    assert [status.id for status in found] == created[:2:-1]
    assert n_older == 3


def test_results_of_another_program_join_the_leaderboard(store):
    app = opened(done(store))
    rows = "".join(f"drinks,<i>mine</i>,kendall_tau_score,1,0,{fold}\n" for fold in (0, 1))
    other = "tea,other,kendall_tau_score,1,0,0\n"
    content = f"data,method,measure,value,repeat,fold\n{rows}{other}"
    ran(app.file_uploader[0].upload("mine.csv", content.encode(), "text/csv").run())
    table = board_table(app)
    assert table["method"].iloc[0] == "<i>mine</i>"
    assert table["on Drinks by weather"].iloc[0].startswith("★ 1.000")
    assert "Added: <i>mine</i>. Rows left out, on other data: 1." in said(app)
    ran(app.selectbox(key="ex_behind").set_value("<i>mine</i>").run())
    assert "Results from a file have no single cases." in said(app)
    wrong = content.replace("kendall_tau_score", "tau")
    ran(app.file_uploader[0].upload("wrong.csv", wrong.encode(), "text/csv").run())
    assert "Row 2, column measure" in plain(*app.error)
    assert "<i>mine</i>" not in set(board_table(app)["method"])
