"""The data in use as files: every format for every sample, and what it says it loses."""

import pytest

from labelrank_core import Task, list_samples, load_sample, read_dataset
from labelrank_core.io import format_losses
from labelrank_core.io.export import archive_name, write_archive
from pages.data import export
from pages.ui import jobs, text
from tests.app.test_pages import DATA, OWN, bring
from tests.app.visits import go_to, ran, session
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
    monkeypatch.setattr(export, "_losses", None)
    session(DATA)


def test_a_file_that_takes_long_is_written_on_request_with_cancel(monkeypatch):
    titles, run = [], jobs.run
    monkeypatch.setattr(
        jobs,
        "run",
        lambda known, key, title, *call, **how: (
            titles.append(title) or run(known, key, title, *call, **how)
        ),
    )
    # As if iris had millions of cells.
    monkeypatch.setattr(export, "_SECONDS_PER_CELL", 3.0 / (150 * 7))
    app = opened(session(data="iris"))
    assert not files_of_the_data(app)
    assert app.toggle(key="export_slow").label == "Prepare the file (about 3 s)"
    ran(app.toggle(key="export_slow").set_value(True).run())
    assert files_of_the_data(app) == ["iris.csv"]
    assert titles == ["Writing iris.csv"]


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
