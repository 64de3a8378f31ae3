"""The first page: what its component draws is what the core predicts."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest

from labelrank_core import Task, load_sample
from labelrank_core.data.samples import list_samples
from labelrank_core.explain.render.markup.outline import _rings, outline
from labelrank_core.methods import ALGORITHMS
from labelrank_core.rankings import label_buckets
from pages.start import look_alikes as component
from pages.ui.results import models
from pages.ui.wording.subject import initials, label_styles, subject_of
from tests import core_says
from tests.app.visits import START, facts, few, look_alikes, session

SAMPLES = {sample.name: sample for sample in list_samples()}
# Every method once, with the smallest sample that it learns.
METHODS = [
    (min((s for s in SAMPLES.values() if s.task in method.tasks), key=lambda s: s.n_samples), key)
    for key, method in ALGORITHMS.items()
]


@pytest.mark.parametrize(("sample", "key"), METHODS, ids=[key for _, key in METHODS])
def test_every_method_answers(sample, key):
    app = session(START, data=sample.name, method=ALGORITHMS[key].title, **few(key))
    drawn = look_alikes(app)
    assert not app.error
    assert ALGORITHMS[key].title in facts(app)
    view = app.session_state["_view"]
    explanation = models.case(view).explanation
    index = drawn["knob"]["index"] if drawn["knob"] else 0
    state = drawn["states"]["of_value"][index]
    assert drawn["states"]["rankings"][state] == label_buckets(explanation.ranking)
    if explanation.n_relevant is not None:
        assert drawn["states"]["n_relevant"][state] == explanation.n_relevant
    assert drawn["own_buckets"] == view.dataset.label_buckets(view.row)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_asks_in_its_own_words(name):
    sample, dataset = SAMPLES[name], load_sample(name)
    drawn = look_alikes(session(START, data=name))
    row, rows = sample.nouns.row, sample.nouns.rows
    label, labels = sample.nouns.label, sample.nouns.labels
    assert row in drawn["question"] or name == "election"
    assert labels in drawn["texts"]["intro"]
    if drawn["knob"] and drawn["knob"]["asksNeighbors"]:
        assert "the {k} {rows} most like it" in drawn["texts"]["intro"]
    assert drawn["texts"]["rows"] == rows
    asked = " ".join([drawn["question"], *drawn["texts"].values()])
    if row != "case":
        assert " case" not in asked
    if label != "label":
        assert " label" not in asked
    assert [one["name"] for one in drawn["labels"]] == list(dataset.label_names)
    assert drawn["canGuess"] == (dataset.n_labels <= 8)
    assert drawn["isSet"] == (dataset.task is Task.MULTILABEL)


def test_the_question_names_the_case_where_its_name_is_one():
    assert look_alikes(session(START, data="election"))["question"] == (
        "How did Hamburg rank the parties?"
    )
    other = look_alikes(session(START, data="election", row=17))
    assert other["question"] == "How did this district rank the parties?"
    assert other["case_name"] == "Urban Lower Saxony, south-east 1"
    # Many songs share a name.
    assert (
        look_alikes(session(START, data="songs"))["question"] == "Which moods does this song have?"
    )


@pytest.mark.parametrize("name", ["election", "songs"])
def test_states_and_neighbours_are_those_of_a_fresh_fit_for_every_k(name):
    data = load_sample(name)
    app = session(START, data=name)
    drawn = look_alikes(app)
    row = core_says.first_row(name)
    settings = {"multilabel": name == "songs"}
    assert drawn["knob"]["values"] == list(range(1, 51))
    for index, k in enumerate(drawn["knob"]["values"][::7]):
        explanation = core_says.explanation(data, row, n_neighbors=k, **settings)
        state = drawn["states"]["of_value"][7 * index]
        assert drawn["states"]["rankings"][state] == label_buckets(explanation.ranking)
        if name == "songs":
            assert drawn["states"]["n_relevant"][state] == explanation.n_relevant
    rows = core_says.neighbor_rows(data, row, n_neighbors=50, **settings)
    assert [one["row"] + 1 for one in drawn["neighbors"]] == rows
    for one in drawn["neighbors"]:
        assert one["buckets"] == data.label_buckets(one["row"])


def test_a_moved_k_only_moves_the_index():
    before, after = (
        look_alikes(session(START, data="election", knn_n_neighbors=k)) for k in (5, 12)
    )
    assert (before["knob"].pop("index"), after["knob"].pop("index")) == (4, 11)
    assert before == after


def test_other_settings_cases_and_data_are_another_version():
    versions = [
        look_alikes(session(START, **link))["version"]
        for link in (
            {"data": "election"},
            {"data": "election", "row": 17},
            {"data": "election", "scaled": "False"},
            {"data": "election", "seed": 1},
            {"data": "iris"},
        )
    ]
    assert len(set(versions)) == len(versions)


def test_many_cases_are_drawn_in_part_with_the_case_and_its_neighbours():
    drawn = look_alikes(session(START, data="yeast"))
    plane = drawn["plane"]
    assert len(plane["points"]) <= component._MOST_POINTS + 51
    assert plane["names"] is None
    assert plane["buckets"] is None
    assert drawn["row"] in plane["rows"]
    assert all(one["row"] in plane["rows"] for one in drawn["neighbors"])


def test_values_say_their_units_and_where_they_lie_among_all():
    drawn = look_alikes(session(START, data="election"))
    data = load_sample("election")
    for feature in drawn["features"]:
        j = next(
            j for j, name in enumerate(data.feature_names)
            if name.lower().startswith(feature["name"].lower() + " (")
        )  # fmt: skip
        rows = [drawn["row"], *(one["row"] for one in drawn["neighbors"][:5])]
        values = data.X[:, j]
        expected = (values[rows] - values.min()) / np.ptp(values)
        np.testing.assert_allclose(feature["shares"], expected, atol=6e-4)
        unit = data.feature_names[j].rpartition("(")[2].rstrip(")")
        assert all(value.endswith(unit) for value in feature["values"])


def test_the_value_in_use_is_drawn_where_not_all_values_can_be_tried(monkeypatch):
    monkeypatch.setattr(models, "knob_states_of", partial(models.knob_states_of, most_seconds=0))
    for k in (20, 30):
        knob = look_alikes(session(START, data="glass", row=99, knn_n_neighbors=k))["knob"]
        assert len(knob["values"]) < 50
        assert knob["values"][knob["index"]] == k


def test_initials_tell_labels_apart():
    assert initials(["tea", "water", "lemonade"]) == ["T", "W", "L"]
    assert initials(["float window", "vehicle window", "tableware"]) == ["F", "V", "T"]
    assert initials(["cultivar 1", "cultivar 2"]) == ["C1", "C2"]
    assert initials(["Att1", "Att2"]) == ["A1", "A2"]
    assert initials(["same", "same too", "samesame"]) == ["1", "2", "3"]
    for names in (SAMPLES[name].label_names for name in SAMPLES):
        short = initials(names)
        assert len(set(short)) == len(names)
        assert all(1 <= len(one) <= 3 for one in short)


def test_labels_of_own_data_have_the_colours_of_the_palette():
    subject = subject_of(load_sample("iris"))
    assert subject.label_styles == label_styles(load_sample("iris").label_names)
    parties = subject_of(load_sample("election")).label_styles
    assert [party.initials for party in parties] == ["C", "F", "G", "S", "L"]
    assert parties[0].color == ("#2B2B2B", "#B9C0CE")
    assert parties[0].ink == ("#ffffff", "#000000")


@pytest.mark.parametrize("name", ["election", "songs", "drinks_calibrated"])
def test_before_the_answer_labels_are_counted_over_all_rows(name):
    data, drawn = load_sample(name), look_alikes(session(START, data=name))
    assert drawn["texts"]["lead"].startswith("LabelRank Lab predicts ")
    if name == "songs":
        expected = data.relevance.sum(axis=0)
    else:
        alone = [row for row in data.rankings if (row == 1).sum() == 1]
        expected = (np.array(alone) == 1).sum(axis=0)
    assert drawn["counts"] == expected.tolist()


def test_an_outline_encloses_all_points_and_leaves_out_what_is_far():
    grid = np.array([(x, y) for x in range(6) for y in range(6)], dtype=float)
    (ring,) = outline(grid)
    assert len(ring) == 20
    assert {tuple(point) for point in ring} == {
        (x, y) for x, y in map(tuple, grid) if x in (0, 5) or y in (0, 5)
    }
    two = outline(np.vstack([grid, grid + np.array([100, 0])]))
    assert len(two) == 2
    fine = np.array([(x, y) for x in range(12) for y in range(12)], dtype=float)
    away = np.abs(fine - 5.5).max(axis=1) > 3
    assert len(outline(fine[away])) == 1
    # A square without the triangle 0-4-5, which touches the edge at a corner.
    triangles = np.array([[0, 1, 4], [1, 2, 4], [4, 2, 5], [2, 3, 5], [3, 0, 5]])
    for order in permutations(triangles):
        assert sorted(map(sorted, _rings(np.array(order)))) == [[0, 1, 2, 3], [0, 4, 5]]
    assert outline(grid[:5]) == []
    assert outline(np.column_stack([np.arange(20.0), np.arange(20.0)])) == []
