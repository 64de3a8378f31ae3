"""The race of methods on Best method: seen as it goes, stopped, over, and its winner used."""

import re
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import holdout_split
from labelrank_core.experiments.plan import duration
from labelrank_core.experiments.race import (
    Field,
    MethodRace,
    Recommendation,
    Runner,
    run_race,
    seconds_to_race,
)
from labelrank_core.explain.render.markup import Standing, standings
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS
from pages.best_method import leaderboard, race_view
from pages.ui import compute
from pages.ui.jobs import JobLostError
from pages.ui.render import row_buttons
from pages.ui.wording import text
from tests.app.visits import go_to, ran, session

BEST_METHOD = "pages/best_method/page.py"
# The second is far worse on these data.
KNN, MOST = ModelChoice("knn"), ModelChoice("knn", (("n_neighbors", 50),))
TREES = ModelChoice("pairwise_forest", (("n_estimators", 5),))
CASES = HeldOutCases("fold", 150, n_splits=5, are_training=True)


class Job:
    """A race that is run here, and gets on by one report whenever somebody looks."""

    def __init__(self, function):
        self.reports = []
        self.end = function(report=self.reports.append)
        self.progress, self.seconds, self.is_given_up = None, 3.0, False

    def keep(self):
        if self.reports:
            self.progress = (self.reports.pop(0),)
        return bool(self.reports) and not self.is_given_up

    def result(self):
        return self.end


@pytest.fixture(autouse=True)
def jobs(monkeypatch):
    """The jobs started, of a race of three methods."""
    begun = []

    def started(key, function, reports):
        assert (len(key), reports) == (32, "report")
        begun.append(Job(function))
        return begun[-1]

    monkeypatch.setattr(compute, "started", started)
    # The one in use is quick, the others wait.
    monkeypatch.setattr(
        race_view, "_SECONDS_AT_ONCE", seconds_to_race(load_sample("glass"), (KNN,), 150)
    )
    monkeypatch.setattr(race_view, "field_of", lambda *_, **__: Field((KNN, MOST, TREES), {}))
    return begun


def opened(**link):
    return session(BEST_METHOD, **{"data": "glass", **link})


def click(app, key):
    return ran(app.button(key=key).click().run())


def words(app):
    return " ".join(each.value for each in (*app.markdown, *app.caption))


def figure(app):
    bodies = [each.value for each in app.main if type(each).__name__ == "Html"]
    (body,) = [body for body in bodies if "lr-race timed" in body]
    return body


def families(app):
    """The folded methods that are not measured yet."""
    bodies = [each.value for each in app.main if type(each).__name__ == "Html"]
    (body,) = [body for body in bodies if "lr-families" in body]
    return body


def drawn(app):
    """Names and notes of the methods in the picture, from top to bottom."""
    return re.findall(
        r'class="name"><span title="[^"]+">([^<]+)</span><small[^>]*>([^<]+)<', figure(app)
    )


def offered(app):
    """The rows that have a button."""
    return [int(row) for row in re.findall(r'data-row="(\d+)"', figure(app))]


def in_use(app):
    """The row that is marked as the method in use."""
    rows = re.findall('<li class="(?!heads).*?</li>', figure(app))
    (row,) = (row for row, item in enumerate(rows) if ">in use<" in item)
    return row


def test_before_a_race_the_one_in_use_is_measured_and_the_others_wait(jobs):
    app = opened()
    data = load_sample("glass")
    (in_use,) = run_race(data, holdout_split(data).train, [KNN], "kendall_tau_score").standings
    name = text.markdown("k-NN label ranking")
    score = f"{name} scores {in_use.mean:.3f}. Is one of 2 others better?"
    assert app.header[0].value == score
    seconds = seconds_to_race(data, (KNN, MOST, TREES), 150)
    assert duration(seconds) in words(app)
    assert [note for _, note in drawn(app)] == ["similar fragments"]
    assert "<small>in use</small>" in figure(app)
    before = figure(app)
    assert ('class="waiting"' in before, before.count('class="track"')) == (False, 1)
    assert f'class="value">{in_use.mean:.3f}<' in before
    # Methods without a score are grouped by family, with the idea of each.
    ideas = re.findall(r"<li><b>([^<]*)</b><span[^>]*>([^<]*)<", families(app))
    assert ideas == [
        ("Similar fragments", "let the most similar fragments vote"),
        ("Pairwise", "set one glass type against another"),
    ]
    assert not offered(app)
    assert not jobs
    # The race reports the same value from its first round on, and nothing moves it.
    click(app, "race_start")
    while jobs[0].reports:
        assert f'class="value">{in_use.mean:.3f}<' in figure(app)
        ran(app.run())
    assert f'class="value">{in_use.mean:.3f}<' in figure(app)


def test_the_quickest_of_each_family_are_measured_at_once_and_one_is_recommended(jobs, monkeypatch):
    monkeypatch.setattr(race_view, "_SECONDS_AT_ONCE", 100.0)
    app = opened()
    data = load_sample("glass")
    race_on = partial(run_race, data, holdout_split(data).train, measure="kendall_tau_score")
    race = race_on([KNN, TREES], previous=race_on([TREES]))
    values = re.findall(r'class="value">([\d.]+)<', figure(app))
    assert values == [f"{standing.mean:.3f}" for standing in race.standings]
    (advised,) = re.findall(
        r'<span title="[^"]+">([^<]+)</span><small[^>]*>[^<]*<em class="tag">recommended<',
        figure(app),
    )
    assert app.header[0].value.startswith(("So far, keep ", "So far, use ", "So far, all "))
    assert text.markdown(advised) in app.header[0].value
    # The other one measured can be used, and one more of a family waits.
    assert sorted([*offered(app), in_use(app)]) == [0, 1]
    assert "Not measured yet: 1 method" in [each.label for each in app.expander]
    assert ">k-NN label ranking, Similar cases" in families(app)
    assert app.button(key="race_start").label == "Measure 1 more method"
    assert not jobs
    click(app, "race_start")
    # What was measured before is not measured anew: at most four of five rounds, and the end.
    assert len(jobs[0].reports) <= 5


def test_a_quick_method_that_is_better_than_the_one_in_use_has_a_button(monkeypatch):
    monkeypatch.setattr(race_view, "_SECONDS_AT_ONCE", 100.0)
    monkeypatch.setattr(race_view, "field_of", lambda *_, **__: Field((MOST, TREES), {}))
    app = opened(knn_n_neighbors="50")
    forest = text.markdown("Pairwise forest")
    assert app.header[0].value == f"Use {forest}, clearly ahead of all others"
    # All are measured, so no race is offered.
    assert not [button for button in app.button if button.key == "race_start"]
    click(app, "race_use_advised")
    assert not [button for button in app.button if button.key == "race_use_advised"]


def test_one_whose_measuring_takes_long_waits_too(monkeypatch):
    monkeypatch.setattr(race_view, "_SECONDS_AT_ONCE", 0.0)
    app = opened()
    name = text.markdown("k-NN label ranking")
    assert app.header[0].value == f"Is one of 2 others better than {name}?"
    assert figure(app).count('class="waiting"') == 3
    assert not [each for each in app.expander if "Not measured" in each.label]
    click(app, "race_start")
    assert "Round 1 of 5: 1 of 3 methods measured, 3 s so far" in words(app)


def test_a_race_is_seen_as_it_goes_and_its_winner_can_be_used(jobs):
    app = click(opened(), "race_start")
    (job,) = jobs
    # The one in use has run all rounds before.
    assert "Round 1 of 5: 2 of 3 methods measured, 3 s so far" in words(app)
    # Nothing is offered to use while places change.
    assert not offered(app)
    while job.reports:
        assert app.header[0].value.endswith("Is one of 2 others better?")
        ran(app.run())
    assert 'class="waiting"' not in figure(app)
    ran(app.run())
    assert not [each for each in app.button if each.key in ("race_start", "race_stop")]
    data = load_sample("glass")
    race = run_race(data, holdout_split(data).train, [KNN, MOST, TREES], "kendall_tau_score")
    first = race.standings[0]
    shown = drawn(app)
    assert len(shown) == 3
    assert shown[-1] == (
        "k-NN label ranking, Similar cases (k) 50, Consensus Borda (mean rank)",
        "similar fragments, out after round 2",
    )
    assert f'class="value">{first.mean:.3f}<' in figure(app)
    use = "Keep" if in_use(app) == 0 else "Use"
    assert app.header[0].value == f"{use} {shown[0][0]}, clearly ahead of all others"
    # The one in use has no button.
    assert sorted([*offered(app), in_use(app)]) == [0, 1, 2]
    app.session_state["knn_n_neighbors"] = 50
    ran(app.run())
    assert offered(app) == [0, 1]
    # The race that is known stays, and nothing runs anew.
    assert drawn(app)[0][0] == shown[0][0]
    assert len(jobs) == 1


def test_what_is_known_stays_when_a_race_is_stopped_and_it_goes_on_from_there(jobs):
    app = click(opened(), "race_start")
    click(app, "race_stop")
    assert app.button(key="race_start").label == "Continue the race"
    assert drawn(app)
    (known,) = app.session_state["_races"].values()
    n_known = sum(len(each.rounds) for each in known.runners)
    click(app, "race_start")
    n_left = sum(len(each.rounds) for each in jobs[1].end.runners) - n_known
    # One report is taken by the page, and one more says that the race is over.
    assert len(jobs[1].reports) == n_left


def test_a_race_nobody_looked_at_is_offered_to_go_on(jobs):
    app = click(opened(), "race_start")
    go_to(app, "pages/data/page.py")
    jobs[0].is_given_up = True
    go_to(app, BEST_METHOD)
    assert app.button(key="race_start").label == "Continue the race"
    assert drawn(app)


def test_another_measure_is_another_race(jobs):
    app = click(opened(), "race_start")
    jobs[0].reports.clear()
    ran(app.run())
    ran(app.selectbox(key="race_measure").set_value("spearman_rho_score").run())
    assert app.button(key="race_start").label == "Find the best method"
    ran(app.selectbox(key="race_measure").set_value("kendall_tau_score").run())
    assert not [each for each in app.button if each.key == "race_start"]


def test_settings_of_ones_own_may_join_a_race_that_is_over(jobs, monkeypatch):
    app = click(opened(), "race_start")
    jobs[0].reports.clear()
    ran(app.run())
    own = Field((ModelChoice("knn", (("n_neighbors", 3),)), KNN, MOST, TREES), {})
    monkeypatch.setattr(race_view, "field_of", lambda *_, **__: own)
    ran(app.run())
    assert app.button(key="race_start").label == "Add your settings to the race"


def test_slow_methods_are_left_out_unless_asked_for(jobs, monkeypatch):
    monkeypatch.setattr(race_view, "field_of", lambda *_, **__: Field((KNN, MOST), {TREES: 100.0}))
    app = click(opened(), "race_start")
    assert [each.choice for each in jobs[0].end.runners] == [KNN, MOST]
    click(app, "race_stop")
    slow = app.toggle(key="race_slow")
    assert slow.label == "Include 1 slow method"
    ran(slow.set_value(True).run())
    click(app, "race_start")
    assert [each.choice for each in jobs[1].end.runners] == [KNN, MOST, TREES]


def raced(seed):
    """A race of random values after three rounds, in which some methods dropped out by chance."""
    random = np.random.default_rng(seed)
    n_cases = int(random.integers(2, 30))
    choices = list(islice((ModelChoice(key) for key in ALGORITHMS), int(random.integers(2, 16))))
    levels = random.normal(0.8, 0.1, len(choices))
    runners = tuple(
        Runner(
            choice,
            tuple(random.normal(level, 0.2, n_cases).round(1) for _ in range(3 - is_out)),
            is_out=bool(is_out),
        )
        for choice, level, is_out in zip(
            choices, levels, random.random(len(levels)) < 0.3, strict=True
        )
    )
    return MethodRace(METRICS["kendall_tau_score"], 5, runners)


@pytest.mark.parametrize("seed", range(25))
def test_the_sentence_and_the_bars_agree_on_who_is_clearly_behind(seed):
    race = raced(seed)
    if not race.standings:
        return  # all have dropped out
    names = leaderboard.method_names([each.choice for each in race.standings])
    board = leaderboard.Board(KNN, [], race.measure, 0.1, CASES)
    rows = [
        leaderboard._markup_row(s, name, race, board, is_offered=False)
        for s, name in zip(race.standings, names, strict=True)
    ]
    level = [row.name for row in rows if row.kind == "level"]
    advice = race_view._advice(race.recommend(), dict(zip(race.standings, names, strict=True)))
    if len(rows) > 1:
        assert ("clearly ahead of all others" in advice) == (not level)
        if level:
            all_level = len(level) + 1 == len(rows)
            counted = f"All {len(rows)}" if all_level else f"{len(level) + 1} of {len(rows)}"
            assert advice.startswith(f"{counted} methods are about equally good. ")
    advised = race.recommend().advised
    assert not advised.is_out
    assert names[race.standings.index(advised)] in advice
    items = re.findall('<li class="(?!heads).*?</li>', standings(rows, "worst", "perfect"))
    for row, item in zip(rows, items, strict=True):
        bar = re.search(r'<span style="left:([\d.]+)%;width:([\d.]+)%', item)
        if bar:
            line = float(re.search(r'<i style="left:([\d.]+)%', item)[1])
            end = float(bar[1]) + float(bar[2])
            assert (end < line) == (row.kind == "behind") or row.high >= 1
            dot = float(re.search(r'<b style="left:([\d.]+)%', item)[1])
            assert dot == pytest.approx(100 * min(max(row.share, 0), 1), abs=0.1)


def test_nobody_is_called_fast_where_all_take_about_as_long():
    first = raced(0).standings[0]

    def texts(n_fastest):
        recommendation = Recommendation(first, first, n_fastest, 5, 5)
        names = {first: "A"}
        return race_view._advice(recommendation, names), race_view._reason(recommendation, names)

    equal = "All 5 methods are about equally good. Use A, "
    assert texts(5) == (
        f"{equal}which scores best", "Their training times differ too little to matter."
    )  # fmt: skip
    advice, reason = texts(3)
    assert advice == f"{equal}the best of the 3 that train fastest"
    assert reason.endswith("and scores best.")
    assert texts(1)[0] == f"{equal}the fastest of them"


def test_a_method_in_use_stays_where_no_other_is_clearly_better_or_faster():
    first = raced(0).standings[0]
    second = replace(first, gain=-0.016)
    names = {first: "A", second: "B"}
    recommendation = Recommendation(first, second, 5, 5, 5)
    advice = race_view._advice(recommendation, names, is_in_use=True)
    assert advice == "All 5 methods are about equally good. Keep B"
    assert race_view._reason(recommendation, names) == (
        "A is better by 0.016, which may be chance. Their training times differ too little to "
        "matter."
    )


def test_the_scale_has_the_round_values_between_its_ends():
    board = leaderboard.Board(KNN, [], METRICS["kendall_tau_score"], 0.683, CASES)
    assert [(round(share, 3), number) for share, number in board.ticks(None)] == [
        (0.054, "0.7"), (0.369, "0.8"), (0.685, "0.9"),
    ]  # fmt: skip
    loss = leaderboard.Board(KNN, [], METRICS["hamming_loss"], 0.3, CASES)
    # The average is at the left, so numbers fall.
    assert [number for _, number in sorted(loss.ticks(None))] == ["0.2", "0.1"]
    assert leaderboard.Board(KNN, [], METRICS["hamming_loss"], np.nan, CASES).ticks(None) == []


@pytest.mark.parametrize(("row", "used"), [(1, [MOST]), (7, []), (-1, []), ("0", []), (None, [])])
def test_the_row_that_a_browser_sends_is_used_if_there_is_one(monkeypatch, row, used):
    taken, callbacks = [], []
    monkeypatch.setattr(row_buttons.session, "get_state", lambda *_: {"row": row})
    monkeypatch.setattr(
        row_buttons, "_component", lambda **given: callbacks.append(given["on_row_change"])
    )
    monkeypatch.setattr(leaderboard.toolbar, "set_method", lambda _, choice: taken.append(choice))
    use_row = partial(leaderboard._use_row, load_sample("glass"), [KNN, MOST])
    row_buttons.listen("rows", "standings", use_row)
    callbacks[0]()
    assert taken == used


def test_a_few_training_rows_are_too_few(jobs):
    app = opened(data="drinks")
    (message,) = [info.value for info in app.info if "too few" in info.value]
    assert message.endswith("That takes at least 10.")
    assert not jobs


def test_the_busy_server_says_so(monkeypatch):
    monkeypatch.setattr(compute, "started", lambda *_, **__: None)
    app = click(opened(), "race_start")
    assert "busy with other work" in app.info[0].value


def test_the_drawing_escapes_names_and_keeps_wide_intervals_in_its_place():
    nan, inf = float("nan"), float("inf")
    rows = [
        Standing("<b>x</b>", "0.9", 0.9, 0.9, 0.9, "first & best", "first", 'a "b"'),
        Standing("y", "0.8", 0.8, -9.0, 9.0, "", "level"),
        Standing("z", "–", nan, nan, nan, "failed", "behind"),
        Standing("w", "0.7", -0.2, -inf, inf, "", "level"),
    ]
    drawing = standings(rows, "worst", "perfect")
    assert "&lt;b&gt;x&lt;/b&gt;" in drawing
    assert "first &amp; best" in drawing
    assert 'title="a &quot;b&quot;"' in drawing
    numbers = [float(each) for each in re.findall(r"(?:left|width):([-\d.]+)%", drawing)]
    assert all(0 <= each <= 100 for each in numbers)
    # Three dots and one interval: nothing is known of z, and of w no interval.
    assert (drawing.count("<b style"), drawing.count("<span style")) == (3, 1)


def test_the_dialog_of_methods_leads_to_the_race():
    app = session(data="glass")
    ran(next(each for each in app.button if each.label == "Browse the methods").click().run())
    (link,) = [each for each in app.get("page_link") if "best method" in each.proto.label]
    assert link.proto.page.endswith("best_method")


def test_a_race_whose_program_was_killed_says_so_and_starts_again(jobs, monkeypatch):
    def lost(_):
        raise JobLostError

    app = click(opened(), "race_start")
    with monkeypatch.context() as patch:
        patch.setattr(Job, "keep", lambda _: False)
        patch.setattr(Job, "result", lost)
        ran(app.run())
    assert ["the computer ended this work" in said.value for said in app.warning] == [True]
    # What is known by then stays.
    assert app.button(key="race_start").label == "Continue the race"
    click(app, "race_start")
    assert len(jobs) == 2
    assert not app.warning
