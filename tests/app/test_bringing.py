"""Bringing a file: doubts are asked about, corrections change the rest, and there is a way back."""

import json
import re
from threading import Event
from time import sleep

import pytest
from streamlit.runtime import caching

from labelrank_core import list_samples, load_sample
from labelrank_core.data import Nouns
from labelrank_core.io import inspect_files, read_dataset
from pages.data import bring, column_heads
from pages.data.examples import EXAMPLES
from pages.ui import jobs
from pages.ui.session import MOST_OWN
from pages.ui.uploads import (
    PROPOSALS,
    WORKSPACES,
    Proposals,
    Workspace,
    Workspaces,
    new_key,
    size_in_bytes,
)
from tests.app.visits import drawn, go_to, ran, sent, session

DATA = "pages/data/page.py"
FORMS = {"highest": "ratings", "lowest": "positions", None: "relevance"}
NOTES = ("lost, please help", "thanks", "late, again", "lost, late", "thanks, late")
TICKETS = "customer_id,w,note,lost,late,thanks\n" + "".join(
    f'{1000 + i},{i / 2},"{NOTES[i % 5]}",{i % 2},{i // 2 % 2},{i // 3 % 2}\n' for i in range(24)
)


def brought(content=TICKETS, name="tickets.csv"):
    return upload(session(DATA), content, name)


def upload(app, content, name):
    return ran(app.file_uploader[0].upload(name, content.encode(), "text/csv").run())


def roles(app):
    table = next(t.value for t in app.dataframe if "role" in t.value.columns)
    words = [words.partition(":")[0] for words in table["role"]]
    return dict(zip(table["column"], words, strict=True))


def press(app, label):
    return ran(next(button for button in app.button if button.label == label).click().run())


def test_competing_readings_are_asked_about_and_either_can_be_used():
    app = brought()
    expected = inspect_files(("tickets.csv", TICKETS.encode())).roles
    assert roles(app) == expected
    assert roles(app)["customer_id"] == roles(app)["note"] == "ignore"
    assert "It is not certain which columns are labels" in app.warning[0].value
    (asked,) = [radio for radio in app.radio if "Which columns" in radio.label]
    plain = [option.replace("\\", "").replace("\u2060", "") for option in asked.options]
    assert [option.split(" (")[0] for option in plain] == [
        "3 columns: 'lost', 'late', 'thanks'", "the lists in 'note', such as 'lost, please help'",
    ]  # fmt: skip
    ran(asked.set_value(1).run())
    shown = roles(app)
    assert shown["note"] == "list of labels"
    assert {shown[name] for name in ("lost", "late", "thanks")} == {"ignore"}
    press(app, "Use these data")
    assert app.session_state["_view"].dataset.task == "multilabel"

    press(app, "Change what its columns are")
    assert roles(app)["note"] == "list of labels"
    ran(next(radio for radio in app.radio if "Which columns" in radio.label).set_value(0).run())
    assert roles(app) == expected
    press(app, "Use these data")
    press(app, "Remove these data")
    assert app.selectbox(key="data").value == list_samples()[0].name
    assert not any("mine" in option for option in app.selectbox(key="data").options)


ORCHARD = "tree_id,x,apple,pear,plum\n" + "".join(
    f"{1000 + i},{i},{ranks}\n"
    for i, ranks in enumerate(["1,2,3", "2,1,3", "3,1,2", "1,3,2", ",,"] * 4)
)


def test_positions_or_orders_is_asked_before_the_data_can_be_used():
    app = brought(ORCHARD, "orchard.csv")
    order = [getattr(each, "label", "") or getattr(each, "value", "") for each in app.main]
    asked, form, use = (
        next(i for i, said in enumerate(order) if isinstance(said, str) and start in said)
        for start in ("Positions or orders?", "How the labels are written", "Use these data")
    )
    assert asked < form < use
    # Without that doubt, the way on comes first.
    labels = [getattr(each, "label", "") for each in brought().main]
    assert labels.index("Use these data") < labels.index("How the labels are written")


def test_rows_without_labels_are_said_to_be_cases_to_predict():
    app = brought(ORCHARD, "orchard.csv")
    (found,) = [t.value for t in app.dataframe if "what to do" in t.value.columns]
    (row,) = [each for each in found.to_dict("records") if "no label is ranked" in each["message"]]
    assert row["line"] == "6"
    assert "'Predict new cases from a file'" in row["what to do"]
    # The finding about the identifiers is about no line.
    assert set(found["line"]) == {"", "6"}


def test_a_correction_changes_the_rest_until_it_is_undone():
    app = brought()
    before = roles(app)
    made = app.session_state["_corrected"]
    app.session_state["_corrections"] = {"lost": "feature"}
    app.session_state["_corrected"] = made + 1
    ran(app.run())
    assert roles(app) == {**before, "lost": "feature"}
    assert any("2 labels" in each.value for each in app.success)
    press(app, "Undo my corrections")
    assert roles(app) == before


def test_what_is_not_used_is_said_and_counted():
    app = brought()
    (findings,) = [t.value for t in app.dataframe if "what to do" in t.value.columns]
    (expander,) = [each for each in app.expander if "on the file" in each.label]
    assert expander.label.startswith(f"{len(findings)} notes on the file")
    order = [getattr(each, "label", "") for each in app.main]
    assert order.index(expander.label) < order.index("Use these data")


def test_the_page_says_before_an_upload_how_long_it_is_kept():
    app = session(DATA)
    assert any("kept for a day, for you alone" in caption.value for caption in app.caption)


def column_heads_of(app):
    """What the browser gets to draw the first rows under their heads."""
    protos = [each.proto for each in app.get("bidi_component")]
    (proto,) = [each for each in protos if each.component_name == "labelrank_column_heads"]
    return json.loads(proto.json)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_the_cards_show_what_is_read(example):
    names, *rows = example.rows
    features = example.content.split(",")[:2]
    dataset = read_dataset(
        (example.file_name, example.content.encode()),
        roles=dict.fromkeys(features, "feature") | dict.fromkeys(names, "label"),
        target_form=FORMS[example.best_number],
    )
    assert list(dataset.label_names) == names
    assert len(dataset.schema.columns) == 2
    shown = [example.ranking(cells).buckets for cells in rows]
    assert shown == [dataset.label_buckets(row) for row in range(dataset.n_samples)]
    app = session(DATA)
    ran(app.button(key=f"try-{example.file_name}").click().run())
    table = column_heads_of(app)
    assert [target["buckets"] for target in table["targets"]] == shown
    assert [label["name"] for label in table["labels"]] == names
    assert [column["name"] for column in table["columns"]] == [*features, *names]
    press(app, "Back to the start")
    assert any("lr-example" in body for body in drawn(app))


def test_rows_are_pasted_and_shown_first_once_they_are_in_use():
    app = session(DATA)
    ran(app.text_area(key="pasted").set_value("x,ranking\n1,b>a\n2,a>b\n3,b>a\n4,a>b\n").run())
    press(app, "Read them")
    press(app, "Use these data")
    assert app.session_state["data_tab"] == "In use now"
    assert "pasted is in use." in [each.value for each in app.success]
    assert app.session_state["_view"].dataset.label_names == ("a", "b")


def test_the_nouns_asked_for_stand_in_the_sentences_of_predict():
    app = brought(SURVEY, "survey.csv")
    row, label = (field for field in app.text_input if "(optional)" in field.label)
    assert label.label == "What are Lavazza, Illy? (optional)"
    ran(row.set_value("customer").run())
    ran(label.set_value("brand, brands").run())
    press(app, "Use these data")
    nouns = app.session_state["_view"].dataset.nouns
    assert nouns == Nouns("customer", "customers", "brand", "brands")
    go_to(app, "pages/predict/page.py")
    assert "Which brand comes first, and why?" in [title.value for title in app.title]
    shown = "".join(drawn(app))
    assert "most similar customers" in shown
    assert "the 5 most similar cases" not in shown


@pytest.mark.parametrize("noun", ["<b>", "{0}", "a*b*"])
def test_a_noun_that_is_no_word_is_refused_and_nothing_is_lost(noun):
    app = brought(SURVEY, "survey.csv")
    row = next(field for field in app.text_input if field.label == "What is a row? (optional)")
    ran(row.set_value(noun).run())
    assert "A noun has letters only" in app.error[0].value
    press(app, "Use these data")
    assert app.session_state["_view"].dataset.nouns == Nouns()


def test_nothing_pasted_is_not_read():
    app = session(DATA)
    press(app, "Read them")
    assert not app.error


def test_data_are_kept_for_a_reload_until_they_are_removed():
    app = brought()
    press(app, "Use these data")
    dataset, visitor = app.session_state["_view"].dataset, app.session_state["_visitor"]
    workspace = WORKSPACES.find(visitor)
    assert [data.fingerprint for data in workspace.data.values()] == [dataset.fingerprint]
    assert visitor not in sent(app)
    press(app, "Remove these data")
    assert WORKSPACES.find(visitor) is None


def test_what_is_kept_for_a_reload_is_bounded_and_found_by_its_key_alone():
    iris, keys = load_sample("iris"), [new_key() for _ in range(3)]
    workspace = Workspace({"iris (mine)": iris})
    workspaces = Workspaces(max_bytes=2 * size_in_bytes(iris) + 40_000, seconds=60)
    for key in keys:
        workspaces.store(key, workspace)
    assert [workspaces.find(key) is workspace for key in keys] == [False, True, True]
    for key in (None, "", "x", "../" + keys[1], keys[1][:-1], new_key()):
        assert workspaces.find(key) is None
    workspaces.find(keys[1])
    workspaces.store(keys[0], workspace)
    assert [workspaces.find(key) is workspace for key in keys] == [True, True, False]
    workspaces.store(keys[0], Workspace())
    assert workspaces.find(keys[0]) is None
    late = Workspaces(seconds=-1)
    late.store(keys[0], workspace)
    assert late.find(keys[0]) is None


def test_an_answer_given_at_the_same_moment_counts():
    content = "x,apple,pear,plum\n" + "".join(
        f"{i},{i % 3 + 1},{(i + 1) % 3 + 1},{(i + 2) % 3 + 1}\n" for i in range(12)
    )
    app = brought(content, "fruit.csv")
    next(radio for radio in app.radio if radio.label == "How the labels are written").set_value(
        "orders"
    )
    press(app, "Use these data")
    expected = read_dataset(("fruit.csv", content.encode()), target_form="orders")
    assert app.session_state["_view"].dataset.fingerprint == expected.fingerprint


def test_the_page_says_which_data_set_makes_room_and_forgets_what_was_done_with_it():
    app, content = session(), "x,ranking\n1,b>a\n2,a>b\n3,b>a\n4,a>b\n5,b>a\n"
    for number in range(MOST_OWN):
        go_to(app, DATA)
        upload(app, content, f"d{number}.csv")
        assert not [c for c in app.caption if "are kept" in c.value]
        press(app, "Use these data")
        if number == 0:
            app.session_state["_pinned"] = {
                app.session_state["_view"].dataset.fingerprint: (app.session_state["_view"],)
            }
    go_to(app, DATA)
    upload(app, content.replace("5,", "6,"), "last.csv")
    (said,) = [c.value for c in app.caption if "are kept" in c.value]
    assert said.endswith("using these removes d0, the oldest.")
    press(app, "Use these data")
    options = app.selectbox(key="data").options
    assert "d0 (mine)" not in options
    assert {"d1 (mine)", "last (mine)"} <= set(options)
    assert app.session_state["_pinned"] == {}


def test_the_way_to_use_a_file_is_not_behind_what_was_said_before_it():
    app = brought()
    assert not [each for each in app.markdown if "One row per case" in each.value]
    assert [each for each in app.button if each.label == "Use these data"]


SURVEY = "age,city,Lavazza,Illy,Jacobs,Tchibo\n" + "".join(
    f"{20 + i},{('Bonn', 'Ulm')[i % 2]},{1 + i % 5},{1 + i * 3 % 5},{5 - i % 3},{1 + i * i % 5}\n"
    for i in range(60)
)


def test_stars_are_asked_about_and_read_the_higher_the_better():
    app = brought(SURVEY, "survey.csv")
    (ticks,) = app.button_group
    assert ticks.label.replace("*", "") == (
        "Which columns do you want to predict? We ticked Lavazza, Illy, Jacobs, Tchibo: "
        "whole numbers from 1 to 5, side by side."
    )
    assert ticks.value == ["Lavazza", "Illy", "Jacobs", "Tchibo"]
    order = [getattr(each, "label", "") or getattr(each, "value", "") for each in app.main]
    question, use = (
        next(i for i, said in enumerate(order) if isinstance(said, str) and start in said)
        for start in ("Is a higher number better", "Use these data")
    )
    assert question < use
    press(app, "Use these data")
    dataset = app.session_state["_view"].dataset
    assert dataset.n_samples == 60
    # Row 2: 2, 4, 4 and 2 stars.
    assert dataset.Y[1].tolist() == [2, 1, 1, 2]


def test_few_permutations_show_both_readings_and_one_click_takes_the_other():
    app = brought("x,tea,milk\n0.5,1,2\n1.5,2,1\n2.5,1,2\n3.5,2,1\n4.5,1,2\n", "few.csv")
    order = [getattr(each, "label", "") or getattr(each, "value", "") for each in app.main]
    said, use = (
        next(i for i, words in enumerate(order) if isinstance(words, str) and start in words)
        for start in ("1 is read as the best number", "Use these data")
    )
    assert said < use
    form = next(radio for radio in app.radio if radio.label == "How the labels are written")
    plain = [re.sub(r"[\\\u2060]", "", each) for each in form.proto.captions if each]
    assert plain == ["line 2 (1, 2): tea > milk", "line 2 (1, 2): milk > tea"]
    assert form.value == "positions"
    ran(form.set_value("ratings").run())
    press(app, "Use these data")
    assert app.session_state["_view"].dataset.Y[0].tolist() == [2, 1]


def test_other_columns_can_be_ticked():
    app = brought(SURVEY, "survey.csv")
    ran(app.button_group[0].set_value(["Lavazza", "Illy"]).run())
    shown = roles(app)
    assert [name for name in shown if shown[name] == "label"] == ["Lavazza", "Illy"]
    assert app.button_group[0].value == ["Lavazza", "Illy"]


def test_the_button_counts_the_rows_that_would_be_lost():
    app = brought(SURVEY, "survey.csv")
    form = next(each for each in app.radio if each.label == "How the labels are written")
    ran(form.set_value("positions").run())
    (button,) = [each for each in app.button if each.label.startswith("Use ")]
    data = read_dataset(
        ("survey.csv", SURVEY.encode()),
        roles=dict.fromkeys(["Lavazza", "Illy", "Jacobs", "Tchibo"], "label"),
        target_form="positions",
        skip_bad_rows=True,
    )
    assert button.label == f"Use {data.n_samples} of 60 rows"
    assert not app.success
    assert any(
        f"{60 - data.n_samples} rows of 60 would be left out" in w.value for w in app.warning
    )


def test_one_message_that_clears_the_caches_takes_nobody_s_data():
    app = brought()
    proposals = PROPOSALS.n_bytes
    press(app, "Use these data")
    visitor = app.session_state["_visitor"]
    caching.cache_data.clear()
    caching.cache_resource.clear()
    assert WORKSPACES.find(visitor).data
    assert PROPOSALS.n_bytes >= proposals > 0
    assert "Change what its columns are" in [button.label for button in ran(app.run()).button]


def test_files_that_are_looked_at_are_bounded_in_bytes_over_all_sessions():
    proposal = inspect_files(("tickets.csv", TICKETS.encode()))
    open_tabs = {"one", "two", "three"}
    stored = Proposals(3 * proposal.n_bytes, open_tabs.__contains__)
    keys = [stored.add(tab, proposal) for tab in ("one", "two", "two", "three")]
    assert [stored.find(key) is not None for key in keys] == [False, True, True, True]
    assert stored.n_bytes <= 3 * proposal.n_bytes
    open_tabs.remove("two")
    stored.remove_ended()
    assert [stored.find(key) is not None for key in keys] == [False, False, False, True]
    assert stored.find(stored.add("one", proposal)) is proposal
    # One file alone may be larger; it counts with what is read of it.
    small = Proposals(1, open_tabs.__contains__)
    key = small.add("one", proposal)
    before = small.n_bytes
    read_dataset(proposal, roles=proposal.roles, target_form="relevance")
    assert small.find(key) is proposal
    assert small.n_bytes >= before > TICKETS.count(",") * 8


def test_a_file_whose_proposal_was_dropped_is_looked_at_again_with_its_corrections():
    app = brought()
    (asked,) = [radio for radio in app.radio if "Which columns" in radio.label]
    ran(asked.set_value(1).run())
    shown = roles(app)
    PROPOSALS.remove(app.session_state["_proposal"])
    assert roles(ran(app.run())) == shown
    assert PROPOSALS.find(app.session_state["_proposal"]) is not None


def test_a_file_that_is_looked_at_no_more_takes_no_memory():
    app = brought()
    key = app.session_state["_proposal"]
    upload(app, TICKETS.replace("late", "soon"), "others.csv")
    assert PROPOSALS.find(key) is None
    key = app.session_state["_proposal"]
    press(app, "Use these data")
    assert PROPOSALS.find(key) is not None  # to change what its columns are
    press(app, "Remove these data")
    assert PROPOSALS.find(key) is None


def test_looking_at_a_file_is_cancelled_and_started_again(monkeypatch):
    button = bring.st.button

    def look(files, **how):
        how["on_wait"](False)
        return inspect_files(files, max_bytes=how["max_bytes"])

    def press_cancel(label, **how):
        if label == "Cancel":
            how["on_click"](*how["args"])
            bring.st.rerun()
        return button(label, **how)

    monkeypatch.setattr(bring, "inspect_files", look)
    monkeypatch.setattr(bring.st, "button", press_cancel)
    app = brought()
    assert [info.value for info in app.info] == ["Cancelled: reading the file."]
    assert "Use these data" not in [each.label for each in app.button]
    ran(app.run())
    assert [info.value for info in app.info] == ["Cancelled: reading the file."]
    monkeypatch.setattr(bring.st, "button", button)
    press(app, "Start again")
    assert not app.info
    assert "Use these data" in [each.label for each in app.button]


# A thread that is stopped may be about to close a file.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_reading_the_rows_is_cancelled_and_started_again(monkeypatch):
    button, may_end = jobs.st.button, Event()

    def read(proposal, **choices):
        while not may_end.is_set():
            sleep(0.001)
        return read_dataset(proposal, **choices)

    def press_cancel(label, **how):
        if label == "Cancel":
            how["on_click"](*how["args"])
            jobs.st.rerun()
        return button(label, **how)

    monkeypatch.setattr(bring, "read_dataset", read)
    monkeypatch.setattr(jobs, "UNNOTICED_SECONDS", 0.0)
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(jobs.st, "button", press_cancel)
    app = brought()
    assert [info.value for info in app.info] == ["Cancelled: Reading the rows."]
    may_end.set()
    monkeypatch.setattr(jobs.st, "button", button)
    press(app, "Start again")
    assert not app.info
    assert "Use these data" in [each.label for each in app.button]


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ({"columns": [0, 2], "role": 7}, {"a": "ignore", "c": "ignore"}),
        ({"columns": [], "role": 1}, {}),
        ({"columns": [3], "role": 1}, {}),
        ({"columns": [True], "role": 1}, {}),
        ({"columns": [0], "role": 8}, {}),
        ({"columns": [0], "role": "label"}, {}),
        ({"columns": "0", "role": 1}, {}),
        ([0, 1], {}),
        (None, {}),
    ],
)
def test_only_what_a_head_can_send_changes_roles(message, changed):
    assert column_heads.read_change(message, ["a", "b", "c"]) == changed


def test_the_heads_say_the_proposed_roles():
    app = brought(SURVEY, "survey.csv")
    table = column_heads_of(app)
    names = [column["name"] for column in table["columns"]]
    shown = [table["roles"][column["role"]]["key"] for column in table["columns"]]
    assert dict(zip(names, shown, strict=True)) == {
        name: str(role) for name, role in inspect_files(("s.csv", SURVEY.encode())).roles.items()
    }


def test_a_table_that_loses_rows_shows_no_ranking_beside_the_wrong_row():
    lines = SURVEY.splitlines()
    app = brought("\n".join([*lines[:2], ",".join(["", *["x"] * 3]), *lines[2:]]), "s.csv")
    assert column_heads_of(app)["targets"] == []
