"""Files that cannot be used: each says why, and the data in use stay usable."""

import re

from playwright.sync_api import expect

from labelrank_core import load_sample
from tests import core_says
from tests.app.test_wrong_files import WRONG
from tests.browser.driver import settled
from tests.browser.visitor import (
    K_SLIDER,
    cells,
    facts_of,
    go_to,
    open_page,
    press,
    status,
    summary,
    upload,
    use_these_data,
)

GOOD = "x,ranking\n1,b>a\n2,a>b\n3,b>a\n4,a>b\n5,b>a\n"
# `tests/app` looks at what is said of each; here, that it is seen and can be removed.
SEEN = ("gaps and repeats", "workbook")


def test_a_wrong_file_is_explained_and_the_data_in_use_are_predicted_as_before(page):
    open_page(page, "/data?data=glass&knn_n_neighbors=4")
    facts = facts_of(page)
    for kind in SEEN:
        content, word = WRONG[kind]
        name = f"{kind}.csv"
        upload(page, name, content)
        alerts = page.get_by_test_id("stAlert")
        expect(alerts.filter(has_text="The data in use are unchanged.")).to_be_visible()
        expect(page.get_by_role("button", name="Use these data")).to_have_count(0)
        found = settled(page).get_by_test_id("stDataFrame").filter(has_text="what to do")
        # Where other rows are offered, their finding is a warning that names the error.
        offers = page.get_by_role("button", name=re.compile(r"Use \d+ of \d+ rows")).count()
        severity = "warning" if offers else "error"
        expect(found.filter(has_text=severity).first).to_be_attached()
        messages = [cell for table in found.all() for row in cells(table) for cell in row]
        assert any(word in message.lower() for message in messages), (kind, messages)
        assert severity in messages, kind
        expect(status(page)).to_have_text(facts)
        page.get_by_role("button", name=f"Remove {name}").click()
        expect(alerts.filter(has_text="The data in use are unchanged.")).to_have_count(0)
    upload(page, "wrong.csv", WRONG["binary junk"][0])
    expect(page.get_by_test_id("stAlert").first).to_contain_text("The data in use are unchanged.")
    go_to(page, "Predict")
    row = core_says.first_row("glass")
    expect(summary(page)).to_have_text(core_says.sentence(load_sample("glass"), row, n_neighbors=4))
    press(page, K_SLIDER, "ArrowRight")
    expect(summary(page)).to_have_text(core_says.sentence(load_sample("glass"), row, n_neighbors=5))


def test_a_better_file_takes_the_place_of_a_wrong_one(page):
    open_page(page, "/data")
    upload(page, "wrong.csv", b"")
    expect(page.get_by_test_id("stAlert").first).to_contain_text("cannot be read")
    upload(page, "right.csv", GOOD.encode())
    expect(page.get_by_text("Read: right.csv; the other files were ignored.")).to_be_visible()
    expect(page.get_by_test_id("stAlert").last).to_contain_text("right is a label ranking")
    use_these_data(page)
    expect(status(page)).to_contain_text("right · label ranking")
