"""Tied labels share a cell in every drawing, and no sentence or file orders them."""

import html
import re
from itertools import chain, combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labelrank_core import Dataset, Task, read_dataset
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import Neighbors, SurePairs, true_positions
from labelrank_core.explain.predictions import case_path, point_cases
from labelrank_core.explain.render import LabelSelection, markup
from labelrank_core.explain.render._sure_pairs import sure_pairs
from labelrank_core.explain.render.markup import RankedLabels, ranked_rows
from labelrank_core.explain.standing import place_in_truth, wrong_pairs
from labelrank_core.explain.what_if.sweeps import Piece
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.rankings import (
    dense_positions,
    format_ranking,
    label_buckets,
    strict_order,
    strict_positions,
)
from pages.predict import tracks
from pages.ui import session as ui_session
from pages.ui.render.charts.confidence import possible_positions
from pages.ui.results import models
from tests.app.plotted import layers
from tests.app.test_chapters import component
from tests.app.test_markup import said, tree
from tests.app.test_profile_page import tabs_of
from tests.app.visits import (
    PAGES,
    START,
    few_params,
    go_to,
    look_alikes,
    ran,
    scroll_to,
    session,
)

M = 6
NAMES = [f"Brand {letter}" for letter in "ABCDEF"]
NAN = float("nan")
scores = st.lists(st.sampled_from([1.0, 2.0, 3.0, NAN]), min_size=M, max_size=M)


def name(element):
    """The whole name of a label, which hovering says where it is cut."""
    return element.get("title", said(element))


def cells(row):
    """The labels of each cell of a row, the first cell first; empty ones and lines are left out."""
    found = []
    for cell in row:
        if "lr-tied" in (cell.get("class") or ""):
            found.append({name(part) for part in cell if part.tag == "span"})
        elif cell.get("class") not in ("none", "zero", "lr-zero", "more") and said(cell):
            found.append({name(cell)})
    return found


def named(positions):
    """The names of the labels of each bucket."""
    return [{NAMES[label] for label in bucket} for bucket in label_buckets(positions)]


@given(scores)
def test_buckets_hold_the_labels_of_one_position_in_the_order_of_positions(positions):
    buckets = label_buckets(positions)
    assert sorted(chain(*buckets)) == [j for j in range(M) if positions[j] == positions[j]]
    place = {label: i for i, bucket in enumerate(buckets) for label in bucket}
    for a, b in combinations(place, 2):
        assert (place[a] < place[b]) == (positions[a] < positions[b])
        assert (place[a] == place[b]) == (positions[a] == positions[b])
    assert all(bucket == sorted(bucket) for bucket in buckets)


def test_no_strict_order_is_made_of_ties_or_of_labels_that_are_not_ranked():
    assert strict_order(np.array([2, 3, 1])) == [2, 0, 1]
    for positions in ([1, 1, 2], [1.0, 2.0, NAN]):
        with pytest.raises(ValueError, match="complete ranking without ties"):
            strict_order(positions)


@given(st.lists(scores, min_size=1, max_size=3), st.booleans())
def test_tied_labels_share_a_cell_of_a_strip(rankings, is_dense):
    rankings = np.array(rankings)
    row_names = [f"#{i}" for i in range(len(rankings))]
    _, *rows = tree(markup.strips(ranked_rows(rankings, row_names), NAMES, is_dense=is_dense))
    for ranking, row in zip(rankings, rows, strict=True):
        drawn = list(row.find("ol"))
        # A cell is as wide as the places it fills, so that places stand in columns.
        widths = [int(cell.get("style", "--fills:1").removeprefix("--fills:")) for cell in drawn]
        assert sum(widths) == M
        assert cells(drawn) == named(ranking)


@given(scores, st.integers(1, M))
def test_of_many_labels_a_cell_says_how_many_more_are_tied(positions, n_labels):
    drawn = tree(markup.strip(RankedLabels.from_positions(positions), NAMES, n_labels=n_labels))
    sizes = [len(bucket) for bucket in named(positions)]
    n_drawn = [len(cell) for cell in cells(drawn)]
    assert sum(n_drawn) == min(n_labels, sum(sizes))
    more = [part.text for part in drawn.iter("small")]
    n_tied = sum(int(number.removeprefix("= ")) for number in more if number.startswith("="))
    n_behind = sum(int(number) for number in more if number.startswith("+"))
    whole = [*n_drawn[:-1], n_drawn[-1] + n_tied] if n_drawn else []
    assert whole == sizes[: len(whole)]
    assert n_behind == sum(sizes[len(whole) :])


@given(st.permutations(range(1, M + 1)), scores)
def test_lines_of_tied_labels_end_at_one_place(predicted, truth):
    left = RankedLabels.from_positions(predicted, "Predicted")
    right = RankedLabels.from_positions(truth, "Real")
    drawn = markup.side_by_side(left, right, NAMES)
    ends = [float(image[0].get("y2")) for _, image in layers(tree(drawn))]
    # Lines are drawn in the order of the left side.
    order = [label for label in strict_order(predicted) if truth[label] == truth[label]]
    at = dict(zip(order, ends, strict=True))
    for a, b in combinations(order, 2):
        assert (at[a] == at[b]) == (truth[a] == truth[b])
        assert (at[a] < at[b]) == (truth[a] < truth[b])
    (column,) = [e for e in tree(drawn).iter("div") if e.get("class") == "side"][1:]
    assert [cell for side in column for cell in cells(side)] == named(truth)


@given(st.permutations(range(1, M + 1)), scores)
def test_a_label_is_wrong_only_where_a_pair_that_the_truth_orders_is(predicted, truth):
    predicted, truth = np.array(predicted), np.array(truth)
    in_wrong_pair = set(chain(*wrong_pairs(predicted, truth)[0]))
    ranked = [j for j in range(M) if truth[j] == truth[j]]
    is_right = {}
    for label in ranked:
        place, first, last = place_in_truth(predicted, truth, label)
        assert place == 1 + sum(predicted[j] < predicted[label] for j in ranked)
        assert last - first + 1 == sum(truth == truth[label])
        is_right[label] = first <= place <= last
    assert all(is_right.values()) == (not in_wrong_pair)


def brands(ratings):
    """A data set of customers who gave brands stars."""
    ratings = np.asarray(ratings, dtype=float)
    X = np.random.default_rng(0).normal(size=(len(ratings), 2))
    return Dataset(
        X=X,
        Y=dense_positions(-ratings),
        task=Task.LABEL_RANKING,
        feature_names=["age", "income"],
        label_names=NAMES[: ratings.shape[1]],
        name="brands",
        schema=numeric_schema(["age", "income"]),
    )


@pytest.fixture(scope="module")
def rated():
    """Sixty customers and four brands, with many ties; the first gave all the same."""
    ratings = np.random.default_rng(1).integers(1, 6, size=(60, 4))
    ratings[0] = 3
    return brands(ratings)


def test_similar_cases_are_drawn_with_their_ties(rated):
    model = ModelChoice("knn").build().fit(rated.X, rated.Y)
    explanation = case_path(model, rated.X[0]).path.at().explain(0)
    near = explanation.evidence(Neighbors)
    assert (near.rankings[0] == 2.5).all()
    drawn = explanation._repr_html_()
    strips = re.search(r'<ol class="lr-strips.*?</ol></li></ol>', drawn)[0]
    rows = [row for row in tree(strips) if row.get("class") != "head"]
    assert [cells(row.find("ol")) for row in rows] == [
        [{f"label {j}" for j in bucket} for bucket in label_buckets(rated.Y[row])]
        for row in near.rows
    ]
    assert " = ".join(rated.label_names) in near.in_words(rated.label_names)[0]


@given(scores)
def test_words_say_ties_as_the_reader_reads_them(positions):
    assume(not np.isnan(positions).all())
    # The other rows name every label.
    whole = " > ".join(NAMES)
    lines = ["x,ranking", f"1,{format_ranking(positions, NAMES)}", f"2,{whole}", f"3,{whole}"]
    read = read_dataset(
        ("brands.csv", "\n".join(lines).encode()),
        roles={"x": "feature", "ranking": "ranking"},
        target_form="ordering_strings",
    )
    again = [[read.label_names[j] for j in bucket] for bucket in read.label_buckets(0)]
    assert [set(bucket) for bucket in again] == named(positions)


@given(st.permutations(range(1, M + 1)), scores)
def test_tied_labels_are_marked_at_the_places_that_they_share(predicted, truth):
    order = np.sign(np.subtract.outer(predicted, predicted)) * -1
    evidence = SurePairs(order, np.array(predicted), "With 90% guarantee", np.array(truth))
    rows = tree(sure_pairs(evidence, NAMES, LabelSelection()).markup).iter("li")
    marks: dict[str, list[object]] = {}
    for row in rows:
        chips = (part for part in row.iter() if "lr-chip" in part.get("class", ""))
        name = next(map(said, chips), "")
        for place, cell in enumerate(row):
            for mark in cell.iter():
                if mark.get("title") == "real position":
                    # The place of a square, or that of the mark on a bar.
                    marks.setdefault(name, []).append(mark.get("style") or place)
    assert set(marks) == {NAMES[j] for j in range(M) if truth[j] == truth[j]}
    is_complete = all(score == score for score in truth)
    n_ahead = 0
    for bucket in named(truth):
        shared = {*range(n_ahead + 1, n_ahead + len(bucket) + 1)}
        n_ahead += len(bucket)
        for label in bucket:
            # Every pair is decided, so each label can have one place only.
            possible = {predicted[NAMES.index(label)]}
            if is_complete:
                assert {*marks[label]} == (shared & possible or shared)
        assert is_complete or len({tuple(marks[label]) for label in bucket}) == 1
    positions = true_positions(np.array(truth))
    _, *traces = possible_positions(evidence.intervals.T, positions, NAMES).data
    drawn = {end for trace in traces for end in trace.x if end == end}
    assert drawn == {end for ends in positions.tolist() for end in ends if end == end}


@given(st.permutations(range(1, M + 1)), st.lists(st.booleans(), min_size=M, max_size=M))
def test_a_label_truly_stands_where_some_completion_of_a_partial_truth_puts_it(whole, is_ranked):
    partial = np.where(is_ranked, whole, NAN)
    positions = true_positions(partial)
    ranked = np.flatnonzero(is_ranked)
    for label in ranked:
        n_ahead = sum(whole[other] < whole[label] for other in ranked)
        n_behind = len(ranked) - 1 - n_ahead
        assert positions[label].tolist() == [n_ahead + 1, M - n_behind]
    assert np.isnan(positions[~np.array(is_ranked)]).all()


@pytest.fixture
def app(rated, monkeypatch):
    """A session that has brought these customers, and looks at the one who likes all the same."""
    monkeypatch.setattr(ui_session, "own_data", lambda: {"brands (mine)": rated})
    opened = session()
    ran(opened.selectbox(key="data").set_value("brands (mine)").run())
    return ran(opened.number_input(key="row").set_value(1).run())


def bodies(app):
    """The HTML of all drawings."""
    return [each.value for each in app.main if type(each).__name__ == "Html"]


def check_rows(app, rated):
    """Check the cells of each row of the data in strips; return how many there are."""
    found = re.findall(r'<li data-key="\d +#(\d+)[^"]*d \d.*?(<ol>.*?</ol>)', " ".join(bodies(app)))
    for row, drawn in found:
        assert cells(tree(drawn)) == called(rated, int(row) - 1)
    return len(found)


def called(rated, row):
    return [{rated.label_names[j] for j in bucket} for bucket in rated.label_buckets(row)]


@pytest.mark.usefixtures("all_methods_are_some")
def test_start_and_predict_draw_the_ties_of_cases_and_of_the_truth(app, rated):
    drawn = look_alikes(go_to(app, START))
    assert drawn["own_buckets"] == [[0, 1, 2, 3]]
    assert len(set(drawn["truth"]["positions"])) == 1
    for neighbor in drawn["neighbors"]:
        assert neighbor["buckets"] == label_buckets(rated.rankings[neighbor["row"]])
    assert any(len(tied) > 1 for one in drawn["neighbors"] for tied in one["buckets"])
    go_to(app, "pages/predict/page.py")
    assert check_rows(app, rated) == 5
    joined = next(body for body in bodies(app) if "lr-sides" in body)
    assert joined.count('class="lr-tied"') == 1
    scroll_to(app, "All methods")
    groups = next(body for body in bodies(app) if "lr-groups-of-methods" in body)
    assert groups.count('class="lr-strip"') >= 1


def test_tables_say_ties_with_equals(app, rated):
    app.session_state["data_tab"] = "In use now"
    app.session_state[f"profile-{'-'.join(tabs_of(rated))}"] = "Positions"
    go_to(app, "pages/data/page.py")
    rows = next(t.value for t in app.dataframe if len(t.value) == len(rated.Y))
    assert rows["ranking"].tolist() == [format_ranking(row, rated.label_names) for row in rated.Y]
    assert rows["ranking"][0] == " = ".join(rated.label_names)
    assert "ties included" in " ".join(each.value for each in app.markdown)


PREDICTING_TIES = [
    key for key, method in ALGORITHMS.items() if any(knob.for_ties for knob in method.knobs)
]


def predict_ties(app, key):
    """Choose a method, trained fast, that predicts ties."""
    ran(app.selectbox(key="method").set_value(ALGORITHMS[key].title).run())
    for name, value in few_params(key).items():
        app.session_state[f"{key}_{name}"] = value
    return ran(app.selectbox(key=f"{key}_ties").set_value("predict").run())


def test_ties_are_offered_where_rankings_tie_labels(app):
    assert PREDICTING_TIES[:2] == ["knn", "forest"]
    assert any(box.key == "knn_ties" for box in app.selectbox)
    ran(app.selectbox(key="data").set_value("iris").run())
    assert not any(box.key == "knn_ties" for box in app.selectbox)


@pytest.mark.parametrize("key", PREDICTING_TIES)
def test_predicted_ties_are_drawn_and_judged(app, key):
    predict_ties(app, key)
    go_to(app, "pages/predict/page.py")
    joined = next(body for body in bodies(app) if "lr-sides" in body)
    # The truth of this customer ties all labels; the prediction may, too.
    assert joined.count('class="lr-tied"') >= 1
    verdict = next(body for body in bodies(app) if "lr-verdict" in body)
    assert "share the first position" in verdict or "comes first" in verdict
    assert re.search(
        "pairs of labels are (right|as in the real ranking, ties included)",
        re.sub("<[^>]*+>", "", verdict),
    )
    scroll_to(app, "How sure")


def test_a_change_of_ties_is_said_by_both_rankings(app, rated):
    go_to(app, "pages/predict/page.py")
    ran(app.number_input(key="row").set_value(2).run())
    ran(app.selectbox(key="knn_ties").set_value("predict").run())
    (said,) = [body for body in bodies(app) if "lr moved" in body]
    assert "Now a tie is an answer: " in said
    found = re.search("a tie is an answer: (.*?) becomes (.*?)[.]</p>", html.unescape(said))
    before, after = found.groups()
    assert " = " not in before
    assert " = " in after
    assert {*re.split(" [=>] ", before)} == {*re.split(" [=>] ", after)} == {*rated.label_names}


@pytest.mark.parametrize("key", ["knn", "forest"])
def test_previews_of_the_slider_hold_the_ties_that_a_fresh_fit_predicts(app, key):
    predict_ties(app, key)
    go_to(app, START)
    start = look_alikes(app)["states"]
    go_to(app, "pages/predict/page.py")
    shown = component(app, "labelrank_knob_preview")
    view = app.session_state["_view"]
    dataset = view.dataset
    # The case itself is left out.
    rows = models.fitted(dataset, view.choice, view.split, view.row).training_rows
    n_tied = 0
    for value, state in list(zip(shown["inputs"], shown["state_of_value"], strict=True))[:6]:
        params = {**few_params(key), "ties": "predict", view.choice.algorithm.knobs[0].name: value}
        model = ModelChoice(key).with_params(**params).build()
        model.fit(dataset.X[rows], dataset.rankings[rows])
        buckets = label_buckets(model.predict(dataset.X[[view.row]])[0])
        assert shown["rankings"][state] == buckets, value
        n_tied += len(buckets) < dataset.n_labels
    assert n_tied
    assert start["rankings"] == shown["rankings"]
    # Equal rankings are one state, whatever order there is behind their ties.
    assert len({str(ranking) for ranking in shown["rankings"]}) == len(shown["rankings"])


@pytest.mark.parametrize("key", ["knn", "pairwise_forest"])
def test_tracks_hold_the_ties_that_the_model_predicts(app, key):
    predict_ties(app, key)
    go_to(app, "pages/predict/page.py")
    scroll_to(app, "What if")
    shown = component(app, "labelrank_tracks")
    view = app.session_state["_view"]
    model = models.fitted(view.dataset, view.choice, view.split, view.row).model

    def predicted(x):
        return label_buckets(point_cases(model, x[None], **view.choice.path_params).prediction[0])

    own = predicted(view.dataset.X[view.row])
    n_tied = 0
    for track in shown["tracks"]:
        assert shown["rankings"][track["own_ranking"]] == own
        ends = [*track["starts"][1:], track["high"]]
        for start, end, place, note in zip(
            track["starts"], ends, track["ranking"], track["notes"], strict=True
        ):
            x = view.dataset.X[view.row].copy()
            x[track["column"]] = (start + end) / 2
            buckets = shown["rankings"][place]
            # Values of a method without known breakpoints are tried one by one.
            assert key != "knn" or end - start < 1e-6 or buckets == predicted(x)
            assert bool(note) == (buckets != own)
            n_tied += len(buckets) < view.dataset.n_labels
    assert n_tied


def piece(*ranking):
    positions = strict_positions(np.array([ranking]))[0]
    return Piece(0.0, 1.0, 0.5, positions, np.array(ranking), has_ties=True)


def styles(*names):
    return [SimpleNamespace(name=name) for name in names]


@pytest.mark.parametrize(
    ("now", "note", "gains"),
    [
        ((1, 1, 2), "", None),
        ((1, 2, 3), "tea first", 0),
        ((2, 1, 2), "cola first", 1),
        ((1, 1, 1), "tea = cola = milk first", None),
    ],
)
def test_a_change_to_or_from_ties_is_said_as_one(now, note, gains):
    drinks = styles("tea", "cola", "milk")
    assert tracks._difference(piece(*now), piece(1, 1, 2), drinks) == (note, gains)


def test_labels_behind_the_first_position_pass_or_join_each_other():
    before = piece(1, 2, 2, 3)
    said = [
        tracks._difference(piece(*now), before, styles("a", "b", "c", "d"))
        for now in ((1, 2, 3, 4), (1, 2, 2, 2), (1, 4, 3, 2))
    ]
    assert said == [
        ("b ahead of c", 1),
        ("b ties with d, and 1 more pair", None),
        ("c ahead of b, and 2 more pairs", 2),
    ]


@pytest.mark.usefixtures("all_methods_are_some")
def test_all_methods_are_compared_with_their_ties(app):
    predict_ties(app, "knn")
    go_to(app, "pages/predict/page.py")
    scroll_to(app, "All methods")
    assert any("lr-groups-of-methods" in body and 'class="lr-tied"' in body for body in bodies(app))


@pytest.mark.usefixtures("all_methods_are_some")
def test_other_methods_are_asked_for_ties_where_the_method_in_use_is(app, monkeypatch):
    asked = []
    case_of = models.case
    monkeypatch.setattr(models, "case", lambda view: asked.append(view.choice) or case_of(view))
    predict_ties(app, "knn")
    go_to(app, "pages/predict/page.py")
    scroll_to(app, "All methods")
    others = [choice for choice in asked if choice.key != "knn"]
    assert others
    assert all(choice.predicts_ties for choice in others if choice.can_tie)


@pytest.mark.parametrize(
    ("page", "box"),
    [
        ("evaluate", "quality_measure"),
        ("sensitivity", "judged_by"),
        ("best_method", "race_measure"),
    ],
)
def test_pages_judge_by_tau_x_where_rankings_tie_labels(app, page, box):
    go_to(app, f"pages/{page}/page.py")
    measure = app.selectbox(key=box)
    assert measure.value == "tau_x_score"
    assert measure.options[:2] == ["Tau x ↑", "Kendall's tau ↑"]
    if page == "evaluate":
        table = next(t.value for t in app.dataframe if "range" in t.value.columns)
        assert table["measure"].tolist()[:2] == ["Tau x ↑", "Kendall's tau ↑"]
        assert app.selectbox(key="behind").options[1:3] == [
            "Cases by Tau x",
            "Cases by Kendall's tau",
        ]
    ran(app.selectbox(key="data").set_value("iris").run())
    go_to(app, f"pages/{page}/page.py")
    assert app.selectbox(key=box).options[0] == "Kendall's tau ↑"
    assert app.selectbox(key=box).value == "kendall_tau_score"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("key", ["knn", "pairwise_forest"])
def test_every_page_takes_predictions_with_ties(app, key, page):
    predict_ties(app, key)
    go_to(app, page)
