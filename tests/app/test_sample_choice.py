"""The samples are offered as cards: what a row is, the labels, the size, what can learn it."""

from labelrank_core import list_samples
from labelrank_core.methods import ALGORITHMS
from pages.ui import view
from tests.app.visits import facts, ran, session


def browsed(**address):
    app = session(**address)
    ran(next(b for b in app.button if b.label == "Browse the samples").click().run())
    return app, {b.key.removeprefix("sample_"): b for b in app.button if "sample_" in (b.key or "")}


def test_every_sample_is_told_by_title_summary_size_and_methods():
    app, offered = browsed(data="songs")
    assert offered.keys() == {sample.name for sample in list_samples()}
    captions = [caption.value for caption in app.caption]
    for sample in list_samples():
        assert offered[sample.name].label == sample.title
        assert any(sample.summary == each.value for each in app.markdown)
        n_methods = sum(sample.task in each.tasks for each in ALGORITHMS.values())
        size = f"{sample.n_samples} rows × {len(sample.feature_names)} features"
        assert any(size in said and f"{n_methods} methods" in said for said in captions)
    assert [b.key for b in app.button if "check" in (b.proto.icon or "")] == ["sample_songs"]


def test_a_click_takes_the_sample_its_first_case_and_a_method_that_learns_it():
    app, offered = browsed(data="election", row="300")
    ran(offered["songs"].click().run())
    assert app.session_state[view.DATA] == "songs"
    assert facts(app).startswith("songs · multi-label ranking · ")
    assert facts(app).endswith("row 10")
