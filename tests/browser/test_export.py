"""The data in use leave as a file that reads as they are."""

from playwright.sync_api import expect

from labelrank_core import load_sample, read_dataset
from tests.browser.visitor import choose, download, open_page


def test_a_sample_is_downloaded_and_reads_as_it_is(page):
    open_page(page, "/data?data=outings")
    page.get_by_role("tab", name="In use now").click()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("button", name="outings.csv")).to_be_visible()
    choose(page, "Format", "Multi-label libsvm")
    expect(page.get_by_text("Labels from 0, features from 1;")).to_be_visible()
    expect(page.get_by_text("Nothing is lost.", exact=True)).to_be_visible()
    file = download(page, page.get_by_role("button", name="outings.zip"))
    assert file.suggested_filename == "outings.zip"
    data, again = load_sample("outings"), read_dataset(file.path())
    assert again.label_names == data.label_names
    assert again.feature_names == data.feature_names
    assert again.X[~again.split].tolist() == data.X[~data.split].tolist()
    assert again.relevance[again.split].tolist() == data.relevance[data.split].tolist()
