"""The chapters of Predict: waterfall, tracks to drag, groups of methods, squares."""

import json
import re

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.explain.cases import explain_prediction
from labelrank_core.explain.contributions import PairGame, level_among
from labelrank_core.explain.evidence import LabelScores
from labelrank_core.explain.knob_states import KnobStates
from labelrank_core.explain.render import markup, predicted_ranking, with_scores
from labelrank_core.explain.render.markup import Span
from labelrank_core.explain.render.markup.position_counts import counts_by_position
from labelrank_core.explain.what_if import features_of
from labelrank_core.explain.what_if.sweeps import sweep_all
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.rankings import label_buckets, strict_order
from pages.predict import agreement, chapters, knob_preview, tracks
from pages.ui.render.evidence.changes import smallest_changes
from pages.ui.results import evaluations
from pages.ui.view import View
from tests import parts_open
from tests.app.visits import PREDICT, drawn, headings, plain, ran, scroll_to, session

TITLES = ["Who was asked?", "What made the difference?", "What if?", "Can I rely on it?"]
TITLES += ["Would others say the same?"]


def component(app, name):
    """What a component is given to draw."""
    protos = [each.proto for each in app.get("bidi_component")]
    (proto,) = [proto for proto in protos if proto.component_name == name]
    return json.loads(proto.json)


def fitted_view(name, key, row=None):
    """A view of a case of a sample, with its fitted model."""
    data = load_sample(name)
    split = holdout_split(data)
    row = int(split.test[0]) if row is None else row
    choice = ModelChoice(key)
    rows = split.train[split.train != row]
    targets = choice.algorithm.targets(data, rows)
    return View(data, choice, split, row), choice.build().fit(data.X[rows], targets)


@pytest.mark.usefixtures("all_methods_are_some")
def test_later_chapters_are_drawn_as_they_come_near_and_start_anew_on_the_next_visit():
    app = session(PREDICT)
    assert [each for each in headings(app) if each in TITLES] == TITLES
    assert sum("lr-wait" in body for body in drawn(app)) == 3
    scroll_to(app, "How sure")
    assert sum("lr-wait" in body for body in drawn(app)) == 1
    assert "view" not in app.query_params
    ran(app.slider(key="knn_n_neighbors").set_value(9).run())
    assert sum("lr-wait" in body for body in drawn(app)) == 1
    ran(app.switch_page("pages/evaluate/page.py").run())
    ran(app.switch_page(PREDICT).run())
    assert sum("lr-wait" in body for body in drawn(app)) == 3


@pytest.mark.parametrize("sent", [None, "5", 0, -3, 99, 2.5, [], True])
def test_what_no_scrolling_sends_draws_no_other_chapter(sent, monkeypatch):
    progress = chapters.ChapterProgress()
    monkeypatch.setattr(chapters, "progress", lambda: progress)
    monkeypatch.setattr(chapters.session, "get_state", lambda *_: {"seen": sent})
    chapters._update_progress()
    assert progress.n_seen in (2, 5)
    assert (progress.n_seen == 5) == (sent == 99)


@pytest.mark.parametrize(
    ("name", "key"), [("iris", "knn"), ("iris", "forest"), ("iris", "rpc"), ("songs", "mlknn")]
)
def test_a_pair_without_features_is_even_where_its_support_is_that_of_no_vote(name, key):
    view, model = fitted_view(name, key)
    game = PairGame(model, view.dataset.X[view.row], view.dataset.X[view.split.train[:5]])
    forth, back = game.contributions((0, 1)), game.contributions((1, 0))
    # What one label has more than its half, or than nothing, the other one has less.
    assert forth.total - forth.even == pytest.approx(back.even - back.total)
    assert forth.base - forth.even == pytest.approx(back.even - back.base)
    assert forth.is_share == (forth.even > 0.0)


def test_the_waterfall_of_the_page_ends_at_the_support_of_the_case():
    app = session(PREDICT, data="election", row=16)
    (body,) = [body for body in drawn(app) if "lr-waterfall" in body]
    axis, *rows, scale = [plain(row) for row in re.findall("<li.*?</li>", body)]
    assert scale == "050100"
    assert axis == "even: 50%support in %"
    assert rows[0].startswith("An average district")
    assert rows[-1].startswith("This district")
    first, last = (int(re.search(r"(\d+)$", row)[1]) for row in (rows[0], rows[-1]))
    changes = [int(re.search(r"([+-]?\d+)$", row)[1]) for row in rows[1:-1]]
    assert first + sum(changes) == last
    said = " ".join(map(plain, drawn(app)))
    # Both chapters begin with the closest call: three of five similar districts are for it.
    assert "Closest pair: Greens ahead of FDP, as in 3 of the 5 most similar districts." in said
    average = f"For an average district, {first}% of the similar districts rank Greens "
    assert f"{average}ahead of FDP." in said
    assert last == 60
    # Steps are ordered by size, so the first one of each sign is the largest.
    names = [re.match(r"[a-z- ]+[a-z]", row)[0] for row in rows[1:-2]]
    for label, sign in (("Greens", "+"), ("FDP", "-")):
        largest = next(
            name for name, row in zip(names, rows[1:-2], strict=True) if sign in row[len(name) :]
        )
        assert f"What helps {label} most is {largest}." in said


def test_values_of_the_waterfall_are_low_or_high_by_the_quarters_of_the_column():
    view, _ = fitted_view("election", "knn")
    values = view.dataset.X[:, view.dataset.schema.starts[3]]
    low, high = np.sort(values)[len(values) // 5], np.sort(values)[-len(values) // 5]
    levels = [level_among(values, value) for value in (low, np.median(values), high)]
    assert levels == ["low", "", "high"]
    songs, _ = fitted_view("songs", "mlr")
    is_key = [column.name.startswith("major key") for column in songs.dataset.schema.columns]
    assert level_among(songs.dataset.X[:, is_key.index(True)], 1.0) == ""


@pytest.mark.parametrize("key", ["knn", "forest", "rpc"])
def test_the_numbers_that_order_the_labels_stand_beside_them(key):
    view, model = fitted_view("election", key)
    explanation = explain_prediction(model, view.dataset.X[view.row], view.dataset)
    scores = explanation.evidence(LabelScores)
    ranking = with_scores(predicted_ranking(explanation), explanation)
    assert ranking.numbers_title == scores.short_title
    sign = 1 if scores.greater_is_better else -1
    numbers = [sign * float(ranking.numbers[label]) for label in ranking.order]
    assert numbers == sorted(numbers, reverse=True)
    drawn_sides = markup.side_by_side(ranking, ranking, view.dataset.label_names)
    places = re.findall(r'<small style="top:([\d.]+)%">([^<]+)<', drawn_sides)
    assert [number for _, number in places] == [ranking.numbers[j] for j in ranking.order]
    assert [float(place) for place, _ in places] == [10, 30, 50, 70, 90]


@pytest.mark.parametrize(
    ("name", "key"), [("iris", "knn"), ("songs", "mlr"), ("vehicle", "forest")]
)
def test_tracks_hold_the_rankings_that_the_model_predicts(name, key):
    view, model = fitted_view(name, key)
    x = view.dataset.X[view.row]
    app = session(
        PREDICT,
        data=view.dataset.name,
        method=ALGORITHMS[key].title,
        row=view.row + 1,
        view="What if",
    )
    shown = component(app, "labelrank_tracks")
    assert 1 <= len(shown["tracks"]) <= 6
    rng = np.random.default_rng(0)
    n_changes = 0
    for track in shown["tracks"]:
        column = track["column"]
        assert track["value"] == x[column] == track["original"]
        starts = np.array(track["starts"])
        assert (np.diff(starts) > 0).all()
        for value in rng.uniform(track["low"], track["high"], size=12):
            if np.abs(starts - value).min() < 1e-3 * (track["high"] - track["low"]):
                continue
            other = x.copy()
            other[column] = value
            piece = max(0, int(np.searchsorted(starts, value, side="right")) - 1)
            ranking = core_ranking(model, other)
            buckets = shown["rankings"][track["ranking"][piece]]
            assert buckets == label_buckets(ranking), (column, value)
            n_changes += bool(track["notes"][piece])
    assert n_changes


def test_a_column_with_a_change_has_a_track_before_one_that_made_the_difference():
    view, model = fitted_view("election", "forest", 12)
    sweeps = sweep_all(model, view.dataset.X[view.row], features_of(view.dataset))
    changing = [s.feature.index for s, _ in smallest_changes(sweeps, "order")]
    others = [s.feature.index for s in reversed(sweeps) if s.feature.index not in changing]
    assert len(changing) == 1
    assert tracks.telling_columns(sweeps, others) == [*changing, others[0]]


def test_of_label_sets_the_columns_with_a_change_of_the_set_have_tracks():
    # Where the set changes, it is painted; where only the order does, it is not.
    view, model = fitted_view("songs", "mlknn")
    sweeps = sweep_all(model, view.dataset.X[view.row], features_of(view.dataset))
    changing = {s.feature.index for s, _ in smallest_changes(sweeps, "relevant")}
    of_order = {s.feature.index for s, _ in smallest_changes(sweeps, "order")}
    assert len(changing) >= 2
    assert of_order - changing
    assert set(tracks.telling_columns(sweeps)) == changing


def core_ranking(model, x):
    """The ranking that a fitted model predicts for a case."""
    estimator, x = model[-1], model[:-1].transform(x[None])
    return getattr(estimator, "predict_ranking", estimator.predict)(x)[0]


@pytest.mark.parametrize(
    "sent",
    [None, 3, "x", {}, {"column": 99, "value": 5.0}, {"column": 2, "value": 1e9},
     {"column": 2, "value": "6"}, {"column": 2, "value": float("nan")}, {"column": 2},
     {"column": "2", "value": 6.5}],
)  # fmt: skip
def test_what_no_dragging_sends_changes_no_value(sent):
    view, model = fitted_view("iris", "knn")
    sweeps = sweep_all(model, view.dataset.X[view.row], features_of(view.dataset))
    assert tracks.read_change({"column": 2, "value": 6.5}, sweeps) == {2: 6.5}
    assert tracks.read_change(sent, sweeps) == {}


def test_methods_with_the_same_answer_stand_under_one_ranking(monkeypatch):
    keys = ("knn", "forest", "lrt", "rpc", "ib_m")
    monkeypatch.setattr(agreement, "ALGORITHMS", {key: ALGORITHMS[key] for key in keys})
    for row in (16, 6, 40):
        app = session(PREDICT, data="election", row=row, view="All methods")
        answers = {}
        for key in keys:
            view, model = fitted_view("election", key, row - 1)
            order = strict_order(core_ranking(model, view.dataset.X[view.row]))
            answers.setdefault(tuple(order), []).append(ALGORITHMS[key].title)
        (body,) = [body for body in drawn(app) if "lr-groups-of-methods" in body]
        groups = re.findall(r"<h3>.*?</ul></li>", body, re.DOTALL)
        shown = {}
        for group in groups:
            names = [plain(chip) for chip in re.findall('<span class="lr-chip.*?</span>', group)]
            methods = re.findall(r"<li[^>]*><(?:span|button)[^>]*>([^<]*(?:<span[^<]*)?)<", group)
            methods = [plain(method) for method in methods]
            shown[tuple(view.dataset.label_names.index(name) for name in names)] = methods
        assert {order: set(each) for order, each in shown.items()} == {
            order: set(each) for order, each in answers.items()
        }
        # The method in use stands first, the others by their number.
        assert ALGORITHMS["knn"].title in next(iter(shown.values()))
        sizes = [len(each) for each in list(shown.values())[1:]]
        assert sizes == sorted(sizes, reverse=True)
        n_same = len(next(iter(shown.values())))
        said = " ".join(each.value for each in app.markdown)
        expected = {5: "Yes: all 5 methods give this answer.",
                    1: "No: none of the other 4 methods gives exactly this answer."}  # fmt: skip
        assert expected.get(n_same, f"{n_same} of 5 methods give this answer.") in said


def test_squares_are_coloured_where_a_label_can_stand_and_tell_where_it_does():
    spans = [
        Span(0, 1, 1, 2, (1.0, 1.0)),
        # The truth ties these three in the places 2 to 4.
        Span(1, 2, 1, 3, (2.0, 4.0)),
        Span(2, 4, 4, 4, (2.0, 4.0)),
        Span(3, 1, 1, 1, (2.0, 4.0)),
    ]
    body = markup.squares(spans, ["a", "b", "c", "d"], 4)
    rows = re.findall("<li>(.*?)</li>", body)
    cells = [re.findall(r'<i class="(\w+)"[^>]*>(.?)</i>', row) for row in rows]
    assert cells == [
        [("l0", "✓"), ("l0", ""), ("none", ""), ("none", "")],
        [("l1", ""), ("l1", "✓"), ("l1", "✓"), ("none", "")],
        [("none", ""), ("none", ""), ("none", ""), ("l2", "✓")],
        [("l3", ""), ("none", "✗"), ("none", "✗"), ("none", "✗")],
    ]


def test_rankings_are_counted_by_position():
    rng = np.random.default_rng(1)
    rankings = rng.integers(1, 5, size=(40, 5)).astype(float)
    rankings[rng.random(rankings.shape) < 0.2] = np.nan
    counts = counts_by_position(rankings)
    naive = np.zeros((5, 5))
    for ranking in rankings:
        for label in range(5):
            if np.isnan(ranking[label]):
                continue
            ahead = int((ranking < ranking[label]).sum())
            tied = int((ranking == ranking[label]).sum())
            naive[ahead : ahead + tied, label] += 1 / tied
    assert counts == pytest.approx(naive)
    assert counts.sum() == pytest.approx((~np.isnan(rankings)).sum())
    body = markup.position_counts(rankings[:1] * 0 + [1, 2, 3, 4, 5], list("abcde"))
    assert re.findall(r'title="(\w): ([\d.]+)"', body) == [(name, "1") for name in "abcde"]
    names = [f"a long name that ends in {letter}" for letter in "abcde"]
    body = markup.position_counts(rankings[:1] * 0 + [1, 2, 3, 4, 5], names)
    called = re.findall(r'<span class="name letters-\d+">([^<]+)<', body)
    assert len(set(called)) == len(names)


def test_all_test_cases_of_large_data_are_asked_for_once_however_many_parts_are_open(monkeypatch):
    # Pairs of more test and training cases are compared on request alone.
    monkeypatch.setattr(evaluations, "_QUICK_PAIRS", 1)
    monkeypatch.setattr(evaluations, "_FEWEST_TESTS", 5)
    parts_open.set_open(monkeypatch, parts_open.every)
    app = scroll_to(session(PREDICT), "How sure")
    assert len([toggle for toggle in app.toggle if toggle.key == "all_tests"]) == 1
    ran(app.toggle(key="all_tests").set_value(True).run())


@pytest.mark.parametrize(
    ("name", "key"), [("iris", "knn"), ("songs", "mlr"), ("glass", "forest"), ("songs", "mlls")]
)
def test_the_preview_holds_the_ranking_at_every_value_of_the_slider(name, key):
    view, _ = fitted_view(name, key)
    link = {"data": name, "method": ALGORITHMS[key].title, "row": view.row + 1}
    shown = component(session(PREDICT, **link), "labelrank_knob_preview")
    knob = view.choice.algorithm.knobs[0]
    targets = view.choice.algorithm.targets(view.dataset, view.split.train)
    offered = knob.offered()
    for place, state in list(zip(shown["inputs"], shown["state_of_value"], strict=True))[:8]:
        value = place if knob.scale == "linear" else offered[place]
        model = ModelChoice(key).with_params(**{knob.name: value}).build()
        model.fit(view.dataset.X[view.split.train], targets)
        buckets = label_buckets(core_ranking(model, view.dataset.X[view.row]))
        assert shown["rankings"][state] == buckets, value


def test_a_sentence_says_which_values_give_the_answer_and_what_those_beside_give():
    view, _ = fitted_view("iris", "forest")

    def sentence(states, values, n_offered=0):
        # Of setosa, versicolor and virginica: the first two change places, then the last two.
        positions = np.array([[1, 2, 3], [2, 1, 3], [1, 3, 2]])
        n_offered = n_offered or len(values)
        confidence = np.zeros(len(values))
        return knob_preview.flips_sentence(
            view,
            KnobStates(
                "n_estimators", values, np.array(states), positions, None, confidence, n_offered
            ),
        )

    assert view.choice.values["n_estimators"] == 50
    assert sentence([0, 0, 0], (1, 2, 50)) == "Trees: every value gives this answer."
    assert sentence([1, 0, 0], (1, 2, 50)) == (
        "Trees: 2 and 50 give this answer. With 1: versicolor ahead of setosa. Marked above."
    )
    assert sentence([1, 0, 2], (1, 50, 60)) == (
        "Trees: 50 gives this answer. With 1: versicolor ahead of setosa. With 60: virginica ahead "
        "of versicolor. Marked above."
    )
    assert sentence([0, 1, 0, 0, 1, 0], (1, 2, 50, 60, 70, 80), 50) == (
        "Trees: 1, 50, 60 and 80 give this answer. With 2 or 70: versicolor ahead of setosa. "
        "Marked above. 6 of 50 values were tried."
    )
    assert sentence([1, 0, 1, 0, 1, 0, 1, 0, 0, 0], (1, 2, 3, 4, 5, 6, 7, 40, 50, 60)) == (
        "Trees: 40 to 60 give this answer. With 7: versicolor ahead of setosa. It changes at 7 "
        "values. Marked above."
    )


@pytest.mark.parametrize(
    ("ranking", "reference", "changes"),
    [
        ([2, 1, 3], [1, 2, 3], ["b ahead of a"]),
        ([1, 1, 3], [1, 2, 3], ["a = b"]),
        ([1, 1, 3], [1, 2, 2], ["a = b", "b ahead of c"]),
        ([3, 1, 1], [1, 2, 3], ["b ahead of a", "c ahead of a", "b = c"]),
    ],
)
def test_a_group_says_which_pairs_it_orders_or_ties_otherwise(ranking, reference, changes):
    found = agreement._pair_changes(np.array(ranking), np.array(reference), "abc")
    assert found == changes


@pytest.mark.parametrize(
    ("data", "method", "first"),
    [
        ("election", "knn", "Who was asked?"),
        ("election", "lrt", "Which questions led here?"),
        ("election", "rpc", "Which of two parties is ahead?"),
    ],
)
def test_a_list_leads_to_the_chapters_by_their_titles(data, method, first):
    app = session(PREDICT, data=data, method=ALGORITHMS[method].title)
    (body,) = [body for body in drawn(app) if "lr-jumps" in body]
    buttons = re.findall('data-jump="(.)">.\u2002(.*?)</button>', body)
    assert [number for number, _ in buttons] == list("12345")
    assert [title for _, title in buttons] == [first, *chapters.TITLES.values()]
    assert first in headings(app)


def test_values_that_give_another_set_do_not_give_the_same_answer():
    data = load_sample("drinks_calibrated")
    view = View(data, ModelChoice("mlr", (("n_neighbors", 10),)), holdout_split(data), 0)
    order = np.array([[1, 2, 3, 4]] * 2)[:, : data.n_labels]
    relevance = np.zeros((2, data.n_labels), dtype=int)
    relevance[0, :2], relevance[1, :1] = 1, 1
    states = KnobStates(
        "n_neighbors", (8, 9, 10), np.array([0, 1, 0]), order, relevance, np.zeros(3), 3
    )
    sentence = knob_preview.flips_sentence(view, states)
    assert "8 and 10 give this answer. With 9: not " in sentence
