"""A file with everything wrong, brought by a visitor."""

import random
import re

from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.fitting import expect_fitting
from tests.browser.visitor import download, go_to, open_page, status, summary


def upload(page, **files):
    """Give several files at once; a name's last underscore stands for the point."""
    names = {name: ".".join(name.rsplit("_", 1)) for name in files}
    page.get_by_role("tab", name="Bring your own").click()
    settled(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [
            {"name": names[name], "mimeType": "application/octet-stream", "buffer": content}
            for name, content in files.items()
        ]
    )


def ready(page):
    return page.get_by_test_id("stAlert").last


def everything_wrong() -> bytes:
    """Two hundred rows of which a few are wrong, each in another way."""
    rng = random.Random(2)
    rows = [["when", "note", "size", "colour", "a", "b", "c"]]
    for i in range(200):
        places = rng.sample("123", 3)
        date = f"2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}"
        rows.append([date, f"words of row {i}", f"{i / 4}", rng.choice(["red", "blue"]), *places])
    rows[3][2], rows[4][2], rows[5][2] = "big", "", "1e999"
    rows[6][4], rows[7][4], rows[8][4] = "first", "9", "0"
    rows[9].append("7")
    rows[10].pop()
    rows[11][4:] = "", "", ""
    rows[12][4:] = "2", "2", "2"
    rows[13][3] = "?"
    return "\n".join(map(",".join, rows)).encode()


def test_ten_kinds_of_errors_are_listed_at_once_and_the_rest_can_be_used_on_a_phone_too(page):
    page.set_viewport_size({"width": 390, "height": 800})
    open_page(page, "/data")
    upload(page, mess_csv=everything_wrong())
    page.get_by_text("positions: one column per label").click()
    # Read as orders, as proposed, ten rows cannot be used.
    expect(page.get_by_text("9 rows cannot be used.")).to_be_visible()
    # The way on is in sight, without scrolling and at the end.
    button = settled(page).get_by_role("button", name=re.compile(r"Use \d+ of \d+ rows"))
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    expect(button).to_be_in_viewport(ratio=1)
    expect_fitting(page)
    findings = page.get_by_role("button", name="All findings").filter(visible=True).first
    listed = download(page, findings).path().read_text(encoding="utf-8-sig")
    assert listed.splitlines()[0] == "severity,line,column,message,what to do,code"
    for kind in (
        "expected 7 fields, found 8",
        "expected 7 fields, found 6",
        "found 'big', which is not a number",
        "found '1e999', which is not a finite number",
        "found an empty cell, but a value is needed",
        "found '?', but a value is needed",
        "found 'first', which is not a number",
        "found '9', but positions must be",
        "found 0, but counting begins at 1",
        "dates or times that are not used",
        "no label is ranked in this row",
        "gaps were closed",
    ):
        assert kind in listed, kind
    expect(ready(page)).to_contain_text("2 features, 3 labels")
    button.click()
    expect(status(page)).to_contain_text("mess · ")
    go_to(page, "Predict")
    expect(summary(page)).to_contain_text("most similar cases")
    expect(page.get_by_test_id("stException")).to_have_count(0)


STARS = "size,age,Lavazza,Illy,Jacobs\n" + "".join(
    f"{i / 4},{20.5 + i},{1 + i % 5},{1 + i * 2 % 5},{1 + i // 3 % 5}\n" for i in range(30)
)


def test_the_heads_of_the_columns_change_what_they_are(page):
    open_page(page, "/data")
    upload(page, stars_csv=STARS.encode())
    heads = page.locator(".column-heads")
    role = heads.get_by_role("combobox", name="Role of age")
    expect(role).to_have_value("0")
    first = heads.locator("td.target").first.locator(".chip")
    expect(first).to_have_count(3)
    role.select_option("ignore")
    expect(page.get_by_text("1 feature, 3 labels")).to_be_visible()
    expect(role).to_have_value("7")
    # Two at once.
    for name in ("age", "Illy"):
        heads.get_by_role("button", name=name, exact=True).click()
    expect(heads.locator(".several")).to_contain_text("2 marked columns are")
    heads.get_by_role("combobox", name="Role of the marked columns").select_option("ignore")
    expect(first).to_have_count(2)
    expect(heads.get_by_role("combobox", name="Role of Illy")).to_have_value("7")
    page.get_by_role("button", name="Undo my corrections").click()
    expect(first).to_have_count(3)
    expect(role).to_have_value("0")
