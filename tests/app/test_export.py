"""The data in use as files: every format for every sample, and what it says it loses."""

import pytest

from labelrank_core import Task, list_samples, load_sample, read_dataset
from labelrank_core.io import format_losses
from labelrank_core.io.export import archive_name, write_archive
from pages.data import export
from pages.predict import guarantee, smallest_changes
from pages.ui import jobs
from pages.ui.render import widgets
from pages.ui.wording import text
from tests.app.test_pages import DATA, OWN, bring
from tests.app.visits import go_to, ran, session
from tests.parts_open import as_visited, set_open
from tests.written import writable_formats


def opened(app):
    """The Data page with the list of formats open."""
    go_to(app, DATA)
    app.session_state["data_tab"] = "In use now"
    app.session_state["export"] = True
    return ran(app.run())


def files_of_the_data(app):
    """The labels of the buttons that download the data."""
    buttons = [button.proto for button in app.get("download_button")]
    return [button.label for button in buttons if "export_file" in button.id]


NAMES = [sample.name for sample in list_samples()]


def captions(app):
    return "\n".join(caption.value for caption in app.caption)


def formats_to_see(data):
    """Every format of the smallest sample of a task, of others one that warns and one that not."""
    same = [sample for sample in map(load_sample, NAMES) if sample.task is data.task]
    every = list(writable_formats(data))
    if data.name == min(same, key=lambda sample: sample.X.size).name:
        return every
    warns = {any(issue.severity == "warning" for issue in each[1]): each for each in every}
    return list(warns.values())


@pytest.mark.parametrize("name", NAMES)
def test_every_format_says_what_it_loses(name):
    data = load_sample(name)
    app = opened(session(data=name))
    offered = [form.title for form, _ in writable_formats(data)]
    assert app.selectbox(key="export_format").options == offered
    for form, issues in formats_to_see(data):
        ran(app.selectbox(key="export_format").set_value(form.title).run())
        assert files_of_the_data(app) == [text.markdown(archive_name(data, form))]
        assert len(app.warning) == any(issue.severity == "warning" for issue in issues)
    others = [form.title for form, _ in format_losses(data) if form.title not in offered]
    # Calibrated rankings have what every format needs; a split does not fit into one packed file.
    calibrated = data.task is Task.CALIBRATED_RANKING
    assert bool(others) == (not calibrated or data.split is not None)
    assert all(text.markdown(title) in captions(app) for title in others)


def test_nothing_is_worked_out_while_the_list_is_closed(monkeypatch):
    set_open(monkeypatch, as_visited)
    monkeypatch.setattr(export, "_losses", None)
    session(DATA)


@pytest.fixture
def titles(monkeypatch):
    """The titles of all work that pages wait for, with Cancel."""
    listed = []
    for name in ("run", "run_here"):
        run = getattr(jobs, name)
        monkeypatch.setattr(
            jobs,
            name,
            lambda known, key, title, *call, run=run, **how: (
                listed.append(title) or run(known, key, title, *call, **how)
            ),
        )
    return listed


def test_a_file_that_takes_long_is_written_on_request_with_cancel(monkeypatch, titles):
    # As if iris had millions of cells.
    monkeypatch.setattr(export, "_SECONDS_PER_CELL", 3.0 / (150 * 7))
    app = opened(session(data="iris"))
    assert not files_of_the_data(app)
    assert app.toggle(key="export_slow").label == "Prepare iris.csv (about 3 s)"
    ran(app.toggle(key="export_slow").set_value(True).run())
    assert files_of_the_data(app) == ["iris.csv"]
    assert titles[-1] == "Writing iris.csv"


def offered_files(app):
    """What the buttons that download something on a page are called."""
    return [button.proto.label for button in app.get("download_button")]


def prepare(app, file_name):
    """Ask for a file that takes long."""
    start = f"Prepare {text.markdown(file_name)} (about "
    (toggle,) = [toggle for toggle in app.toggle if toggle.label.startswith(start)]
    return ran(toggle.set_value(True).run())


@pytest.mark.parametrize(
    ("name", "key"), [("Predictions of the test set", "predictions"), ("Cases", "cases")]
)
def test_a_table_of_many_test_rows_is_written_on_request_with_cancel(
    monkeypatch, titles, name, key
):
    link = {"data": "iris", "behind": "Flowers by Kendall's tau"}
    assert f"{name} (CSV)" in offered_files(session("pages/evaluate/page.py", **link))
    # As if the 45 test rows were a million.
    monkeypatch.setattr(widgets, "_SECONDS_PER_CELL", 1.0)
    app = session("pages/evaluate/page.py", **link)
    assert f"{name} (CSV)" not in offered_files(app)
    app = prepare(app, f"iris-{key}.csv")
    assert f"{name} (CSV)" in offered_files(app)
    assert titles[-1] == f"Writing {text.markdown(f'iris-{key}.csv')}"


@pytest.mark.usefixtures("everything_open")
def test_the_table_of_many_new_cases_is_written_on_request_with_cancel(monkeypatch, titles):
    monkeypatch.setattr(widgets, "_SECONDS_PER_CELL", 1.0)
    app, data = session(data="iris"), load_sample("iris")
    content = f"{','.join(data.feature_names)}\n{','.join('1' for _ in data.feature_names)}\n"
    (uploader,) = [each for each in app.file_uploader if each.key == "new_cases"]
    ran(uploader.upload("new.csv", content.encode(), "text/csv").run())
    # So are the rankings in words.
    assert "Writing rankings" in titles
    assert "Predictions (CSV)" not in offered_files(app)
    assert "Predictions (CSV)" in offered_files(prepare(app, "predictions.csv"))
    assert titles[-1] == "Writing predictions.csv"


@pytest.mark.parametrize("seconds", [0.0, 5.0])
def test_the_report_of_a_slow_method_is_prepared_on_request_with_cancel(
    monkeypatch, titles, seconds
):
    monkeypatch.setattr(smallest_changes, "seconds", lambda _: seconds)
    monkeypatch.setattr(guarantee, "seconds", lambda *_: 0.0)
    app = session(data="vehicle")
    assert ("Report (web page)" in offered_files(app)) == (seconds == 0)
    if seconds:
        titles.clear()
        app = prepare(app, f"vehicle-row-{app.number_input(key='row').value}.html")
        assert "Report (web page)" in offered_files(app)
        assert {"Trying other values", "Calibrating"} <= {*titles}


def test_own_data_are_offered_too():
    app = session()
    bring(app, "odd.csv", OWN)
    app = opened(app)
    labels = [button.proto.label for button in app.get("download_button")]
    assert text.markdown("odd.csv") in labels


def test_an_archive_of_several_files_is_read_back():
    data = load_sample("yeast")
    again = read_dataset((archive_name(data, "libsvm"), write_archive(data, "libsvm")))
    assert archive_name(data, "libsvm") == "yeast.zip"
    assert again.split.sum() == data.split.sum()
    assert again.label_names == data.label_names
