"""The data page in a session without a browser: the profile, and rows filtered by a choice."""

import json
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.data.profile import Profile
from labelrank_core.data.profile.conditions import (
    Contradicts,
    HasLabels,
    LabelCount,
    Prefers,
    RankedAt,
    SameLabels,
    matching_rows,
)
from labelrank_core.data.samples import list_samples
from labelrank_core.explain.render.markup.palette import (
    N_COLORS,
    contrast,
    palette_color,
    table_color,
)
from labelrank_core.rankings import orderings_from_positions
from pages.ui import compute
from tests.app.test_pages import DATA, OWN, bring, run_python
from tests.app.visits import ROOT, go_to, python_lines, ran, session

IRIS, YEAST = load_sample("iris"), load_sample("yeast")
SAMPLES_TITLE = "Or take a sample"
ROWS_TITLE = "Examples of tables"
TABS = {
    Task.LABEL_RANKING: ["Rankings", "Positions", "Majorities", "Features", "Duplicates"],
    Task.MULTILABEL: ["{labels}", "Together", "Sets", "Sizes", "Features", "Duplicates"],
    Task.CALIBRATED_RANKING: [
        "Rankings", "Positions", "Majorities", "{labels}", "Together", "Sets", "Sizes", "Features",
        "Duplicates",
    ],
}  # fmt: skip


def tabs_of(dataset):
    labels = dataset.nouns.labels.capitalize()
    return [tab.format(labels=labels) for tab in TABS[dataset.task]]


def profile_of(name, **choices):
    app = session(DATA, data=name)
    return shown(app, dataset=load_sample(name), **choices)


def shown(app, *, tab=None, filters=None, dataset=None):
    app.session_state["data_tab"] = "In use now"
    if tab:
        app.session_state[f"profile-{'-'.join(tabs_of(dataset))}"] = tab
    if filters:
        app.session_state["_filters"] = (dataset.fingerprint, filters)
    return ran(app.run())


def headings(app):
    return [element.value for element in app.header]


def rows_listed(app):
    return app.dataframe[-1].value["row"].tolist()


def words(app):
    return " ".join(element.value for element in app.markdown)


@pytest.mark.parametrize("sample", list_samples(), ids=lambda sample: sample.name)
def test_every_tab_of_every_sample_is_drawn(sample):
    app = session(DATA, data=sample.name)
    dataset = load_sample(sample.name)
    for tab in tabs_of(dataset):
        shown(app, tab=tab, dataset=dataset)
        assert [tab.label for tab in app.tabs][1:-1] == tabs_of(dataset)
        assert f"All {sample.n_samples} {sample.nouns.rows}" in headings(app)


def test_the_profile_is_not_made_before_its_tab_is_open():
    app = session(DATA, data_tab="Bring your own")
    assert headings(app) == [ROWS_TITLE, SAMPLES_TITLE]


def test_a_profile_is_computed_where_it_has_cancel(monkeypatch):
    contexts = []

    def note_thread(function):
        def noting(*arguments, **how):
            contexts.append(get_script_run_ctx(suppress_warning=True))
            return function(*arguments, **how)

        return noting

    package = "labelrank_core.data.profile"
    for name in (
        "_profile.find_alerts",
        "_profile.feature_frame",
        "twins.equal_rows",
        "rankings.equal_rows",
        "rankings.connected_components",
        "label_sets.equal_rows",
    ):
        module, _, function = name.rpartition(".")
        module = import_module(f"{package}.{module}")
        monkeypatch.setattr(module, function, note_thread(getattr(module, function)))
    compute._cache.clear()
    data = load_sample("drinks_calibrated")
    for filters in ({}, {"sizes": LabelCount(2)}):
        for tab in tabs_of(data):
            profile_of(data.name, tab=tab, filters=filters)
    assert len(contexts) > 6
    assert not any(contexts)


def test_the_overview_gives_the_figures_of_the_core():
    app = profile_of("yeast")
    (sentence,) = [each.value for each in app.markdown if "published test set" in each.value]
    assert "2417 genes, each with 103 values (features)." in sentence
    assert "A gene has 4.24 of 14 functions (labels) on average." in sentence
    assert "There are 198 different ones." in words(profile_of("yeast", tab="Sets"))
    assert "917 rows are the published test set." in words(app)
    assert "Class9, Class14" in words(app).replace("\\", "")


def test_the_best_mean_rank_the_most_frequent_first_and_the_majority_order_are_in_words():
    # Mean ranks: a 2.2, b 1.8, c 2.0; a and c are first twice, b once; b beats c, both beat a.
    content = b"x,ranking\n1,a>b>c\n2,a>b>c\n3,c>b>a\n4,c>b>a\n5,b>c>a\n"
    app = bring(session(), "five.csv", content)
    data = next(iter(app.session_state["_own_data"].values()))
    app = shown(app, tab="Positions", dataset=data)
    best = "**b** has the best mean rank (1.80)"
    first = "**a** and **c** are ranked first most often (in 40% of the cases each)."
    assert f"{best}; {first}" in words(app)
    app = shown(app, tab="Majorities", dataset=data)
    assert "Majority order: **b > c > a**. It agrees with every majority." in words(app)
    spoken = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert any("Majority order: b > c > a. It agrees" in each for each in spoken)


def test_the_page_shows_a_case_and_the_common_rankings():
    content = b"x,ranking\n1,a>b>c\n2,a>b>c\n3,c>b>a\n4,a>b>c\n5,b>c>a\n"
    app = shown(bring(session(), "five.csv", content))
    (case,), (common,) = (
        [
            re.sub("<[^>]+>", " ", element.value).split()
            for element in app.get("html")
            if f'"lr {kind}' in element.value
        ]
        for kind in ("lr-portrait", "lr-tally")
    )
    row = int(app.number_input(key="row").value)
    ranking = ("abc", "abc", "cba", "abc", "bca")[row - 1]
    assert case[2:] == ["row", str(row), "x", str(row), "Its", "real", "ranking:", *ranking]
    # The case is named beside its ranking.
    expected = []
    for count, other in (("3", "abc"), ("1", "cba"), ("1", "bca")):
        expected += [count, *other, *(["row", str(row)] if other == ranking else [])]
    assert common == expected
    assert "**3 of 5 cases have the most common ranking.** There are 3" in words(app)


def test_only_the_open_tab_is_drawn():
    app = profile_of("iris", tab="Features")
    assert headings(app) == [
        "All features",
        "sepal length (cm)",
        "All 150 flowers",
        ROWS_TITLE,
        SAMPLES_TITLE,
    ]


@pytest.mark.usefixtures("everything_open")
def test_a_choice_filters_the_rows_and_the_other_charts():
    condition = RankedAt(1, 1)
    filters = {"positions": condition}
    app = profile_of("iris", filters=filters)
    rows = matching_rows(IRIS, [condition])
    assert rows_listed(app) == (rows + 1).tolist()
    assert "50 of 150 flowers" in headings(app)
    part, whole = Profile(IRIS, rows).rankings, Profile(IRIS).rankings
    # The chart in which the choice was made still shows all rows, the others the chosen ones.
    expected = {
        "Rankings": part.ranking_frame(),
        "Positions": whole.label_frame(),
        "Majorities": part.pair_frame(),
    }
    for tab, frame in expected.items():
        app = profile_of("iris", tab=tab, filters=filters)
        pd.testing.assert_frame_equal(app.dataframe[0].value, frame, check_dtype=False)


def chips(app):
    return [button for button in app.button if str(button.key).startswith("undo-")]


def test_choices_in_two_charts_hold_together_and_each_can_be_undone():
    label = int(np.flatnonzero(YEAST.relevance[0])[0])
    filters = {"labels": HasLabels((label,)), "sets": SameLabels(0)}
    app = profile_of("yeast", filters=filters)
    both = matching_rows(YEAST, filters.values())
    assert f"{len(both)} of 2417 genes" in headings(app)
    assert chips(app)[0].label == f"has {YEAST.label_names[label]}"
    ran(chips(app)[1].click().run())
    one = matching_rows(YEAST, [filters["labels"]])
    assert rows_listed(app) == (one[:1000] + 1).tolist()
    ran(chips(app)[0].click().run())
    assert "All 2417 genes" in headings(app)
    assert not chips(app)


def test_the_table_lists_rankings_and_label_sets_as_chips_in_colours_that_can_be_read():
    election = load_sample("election")
    rows = profile_of("election").dataframe[-1]
    names = np.array(election.label_names)
    assert [list(row) for row in rows.value["ranking"]] == names[
        orderings_from_positions(election.Y)
    ].tolist()
    assert json.loads(rows.proto.columns)["ranking"]["type_config"]["type"] == "multiselect"
    app = profile_of("yeast")
    sets = app.dataframe[-1].value["functions"]
    chips = [
        [name for name, has in zip(YEAST.label_names, row, strict=True) if has] for row in YEAST.Y
    ]
    assert [list(row) for row in sets] == chips[:1000]
    captions = " ".join(caption.value for caption in app.caption)
    assert "The table scrolls sideways and lists 1,000 of 2,417." in captions
    colors = [color for pair in election.label_colors for color in pair]
    for color in (*colors, *map(palette_color, range(N_COLORS))):
        shade = table_color(color)
        # The rule of Streamlit's tables.
        word = "#000000" if contrast(shade, "#000000") > 11 else "#ffffff"
        assert contrast(shade, word) >= 4.5


def test_choices_that_no_row_meets_can_be_taken_away_again():
    label = int(np.flatnonzero(1 - YEAST.relevance[0])[0])
    filters = {"labels": HasLabels((label,)), "sets": SameLabels(0)}
    app = profile_of("yeast", filters=filters)
    assert "0 of 2417 genes" in headings(app)
    assert "No gene meets all of these" in app.info[0].value
    ran(chips(app)[0].click().run())
    assert not app.info
    assert f"{len(matching_rows(YEAST, [SameLabels(0)]))} of 2417 genes" in headings(app)


def test_a_choice_holds_for_its_data_alone():
    app = profile_of("iris", filters={"pairs": Prefers(1, 0)})
    assert "100 of 150 flowers" in headings(app)
    ran(app.selectbox(key="data").set_value("wine").run())
    assert "All 178 wines" in headings(shown(app))


TWINS = b"x,y,apple,pear\n" + b"1,1,1,2\n1,1,2,1\n1,1,2,1\n2,2,1,2\n3,3,2,1\n4,4,1,2\n"


def test_contradictions_are_shown_with_their_bound_and_their_rows():
    app = session()
    bring(app, "twins.csv", TWINS)
    data = next(iter(app.session_state["_own_data"].values()))
    app = shown(app, tab="Duplicates", dataset=data)
    # Three rows gain 2 - 1, the other three 1 each: 4 / 6.
    assert "a mean Kendall's tau above 0.667" in words(app)
    ran(next(button for button in app.button if button.key == "show-contradicts").click().run())
    assert rows_listed(app) == [1, 2, 3]
    assert "3 of 6 cases" in headings(app)


def test_equal_rows_are_offered_where_some_are_among_those_shown():
    app = session()
    bring(app, "twins.csv", TWINS)
    data = next(iter(app.session_state["_own_data"].values()))
    assert matching_rows(data, [Contradicts()]).tolist() == [0, 1, 2]
    found = shown(
        app,
        tab="Duplicates",
        filters={"pairs": Prefers(0, 1)},
        dataset=data,
    )
    assert any(button.key == "show-contradicts" for button in found.button)
    assert not any(button.key == "show-repeats" for button in found.button)


def test_the_python_lines_of_the_profile_print_its_figures(tmp_path):
    app = profile_of("iris")
    printed = run_python(python_lines(app), ROOT)
    assert str(Profile(IRIS).rankings.diversity) in printed
    own = session()
    bring(own, "fruit.csv", OWN)
    (tmp_path / "fruit.csv").write_bytes(OWN)
    assert "mean rank" in run_python(python_lines(shown(own)), tmp_path)


def test_data_whose_rows_rank_nothing_can_be_looked_at():
    own = b"x,ranking\n1,a>b\n2,\n3,b>a\n4,a\n5,\n"
    app = session()
    go_to(app, DATA)
    ran(app.file_uploader[0].upload("gaps.csv", own, "text/csv").run())
    use = [button for button in app.button if button.label == "Use these data"]
    if use:
        ran(use[0].click().run())
        data = next(iter(app.session_state["_own_data"].values()))
        for tab in tabs_of(data):
            shown(app, tab=tab, dataset=data)


def test_labels_that_no_row_has_are_drawn():
    empty = Dataset(
        X=np.arange(4.0)[:, None],
        Y=np.zeros((4, 3)),
        task=Task.MULTILABEL,
        feature_names=["x"],
        label_names=["a", "b", "c"],
        name="empty",
    )
    app = session(DATA)
    app.session_state["_own_data"] = {"empty (mine)": empty}
    ran(ran(app.run()).selectbox(key="data").set_value("empty (mine)").run())
    for tab in tabs_of(empty):
        shown(app, tab=tab, dataset=empty)
