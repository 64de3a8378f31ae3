"""Files of the field's own formats, and a file with everything wrong, brought by a visitor."""

import io
import random
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.fitting import expect_fitting
from tests.browser.visitor import go_to, open_page, status, summary

RNG = random.Random(1)
TREES = [[RNG.randrange(90) / 10, RNG.choice(["dry", "wet"])] for _ in range(30)]
XARFF = "@relation trees\n@attribute height numeric\n@attribute soil {dry,wet}\n"
XARFF += "@attribute L ranking {oak,elm,ash}\n@data\n"
XARFF += "".join(
    f"{height},{soil},{'oak>elm>ash' if soil == 'dry' else 'ash>elm>oak'}\n"
    for height, soil in TREES
)
MULAN = "@relation birds\n@attribute weight numeric\n@attribute sings {0,1}\n"
MULAN += "@attribute dives {0,1}\n@data\n"
MULAN += "".join(f"{height},{int(height < 5)},{int(soil == 'wet')}\n" for height, soil in TREES)
LABELS = '<?xml version="1.0"?><labels xmlns="http://mulan.sourceforge.net/labels">'
LABELS += '<label name="sings"></label><label name="dives"></label></labels>'


def upload(page, **files):
    """Give several files at once; a name's last underscore stands for the point."""
    names = {name: ".".join(name.rsplit("_", 1)) for name in files}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [
            {"name": names[name], "mimeType": "application/octet-stream", "buffer": content}
            for name, content in files.items()
        ]
    )


def ready(page):
    return page.get_by_test_id("stAlert").last


def expect_prediction(page, name, button="Use these data"):
    page.get_by_role("button", name=button).click()
    expect(status(page)).to_contain_text(f"{name} · ")
    go_to(page, "Predict")
    expect(summary(page)).to_contain_text("most similar cases")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_on_a_phone_the_data_can_be_used_without_scrolling(page):
    page.set_viewport_size({"width": 390, "height": 800})
    open_page(page, "/data")
    upload(page, mess_csv=everything_wrong())
    page.get_by_text("positions: one column per label").click()
    button = page.get_by_role("button", name="Use the other")
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    expect(button).to_be_in_viewport(ratio=1)
    expect_fitting(page)


def test_a_pair_of_mulan_is_read_as_one(page):
    open_page(page, "/data")
    upload(page, birds_arff=MULAN.encode(), birds_xml=LABELS.encode())
    expect(ready(page)).to_contain_text("birds is multi-label data: 30 rows, 1 feature, 2 labels")
    expect(page.get_by_text("30 rows, 3 columns; MULAN (ARFF with XML)")).to_be_visible()
    expect_prediction(page, "birds")


def test_categories_of_an_xarff_file_stay_what_they_are(page):
    open_page(page, "/data")
    upload(page, trees_xarff=XARFF.encode())
    expect(ready(page)).to_contain_text("trees is a label ranking: 30 rows, 2 features, 3 labels")
    expect_prediction(page, "trees")
    page.get_by_test_id("stExpander").filter(has_text="What if?").locator("summary").click()
    expect(page.get_by_role("combobox", name="soil")).to_be_visible()


def test_an_old_workbook_without_names_of_columns(page, benchmark_data):
    open_page(page, "/data")
    upload(page, flowers_xls=(benchmark_data / "raw" / "iris_dense.xls").read_bytes())
    expect(page.get_by_text("Excel workbook (.xls)")).to_be_visible()
    page.get_by_text("positions: one column per label").click()
    expect(ready(page)).to_contain_text(
        "flowers is a label ranking: 150 rows, 4 features, 3 labels"
    )
    expect_prediction(page, "flowers")


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


def test_ten_kinds_of_errors_are_listed_at_once_and_the_rest_can_be_used(page):
    open_page(page, "/data")
    upload(page, mess_csv=everything_wrong())
    page.get_by_text("positions: one column per label").click()
    # Read as orders, as proposed, ten rows cannot be used.
    expect(page.get_by_text("9 rows cannot be used.")).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="All findings").filter(visible=True).first.click()
    listed = download.value.path().read_text(encoding="utf-8-sig")
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
        "holds dates or times",
        "no label is ranked in this row",
        "gaps were closed",
    ):
        assert kind in listed, kind
    expect(ready(page)).to_contain_text("2 features, 3 labels")
    expect_prediction(page, "mess", button="Use the other")


@pytest.mark.parametrize("name", ["attack.zip", "attack.arff"])
def test_what_grows_or_reads_files_is_refused(page, name):
    if name.endswith("zip"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("big.csv", b"0" * 300_000_000)
        files = {"attack_zip": buffer.getvalue()}
    else:
        entity = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        entity += "<labels><label name='&x;'/><label name='dives'/></labels>"
        files = {"attack_arff": MULAN.encode(), "attack_xml": entity.encode()}
    open_page(page, "/data")
    facts = status(page).inner_text()
    upload(page, **files)
    alert = page.get_by_test_id("stAlert").first
    expect(alert).to_contain_text("The data in use are unchanged.")
    expect(page.get_by_text("root:")).to_have_count(0)
    expect(status(page)).to_have_text(facts)
