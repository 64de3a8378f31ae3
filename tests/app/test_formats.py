"""Files of the field's own formats, and files that grow or read others, brought by a visitor."""

import io
import random
import zipfile

import pytest

from labelrank_core.io import read_dataset
from tests import core_says
from tests.app.visits import facts, go_to, ran, scroll_to, sent, sentences, session

DATA, PREDICT = "pages/data/page.py", "pages/predict/page.py"
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


def brought(**files):
    """Give several files at once; a name's last underscore stands for the point."""
    app = session(DATA)
    given = [
        (".".join(name.rsplit("_", 1)), content, "application/octet-stream")
        for name, content in files.items()
    ]
    return ran(app.file_uploader[0].set_value(given).run())


def ready(app):
    return " ".join(each.value for each in app.success)


def used(app):
    """Use the data, and go on to Predict."""
    ran(next(b for b in app.button if b.label == "Use these data").click().run())
    return go_to(app, PREDICT)


def expect_prediction(app, own):
    row = int(app.number_input(key="row").value)
    assert f"{own.name} · " in facts(app)
    assert sentences(app)[0] == core_says.sentence(own, row)


def test_a_pair_of_mulan_is_read_as_one():
    app = brought(birds_arff=MULAN.encode(), birds_xml=LABELS.encode())
    assert "birds is multi-label data: 30 rows, 1 feature, 2 labels" in ready(app)
    assert any("30 rows, 3 columns; MULAN (ARFF with XML)" in each.value for each in app.caption)
    files = [("birds.arff", MULAN.encode()), ("birds.xml", LABELS.encode())]
    expect_prediction(used(app), read_dataset(files))


@pytest.mark.usefixtures("everything_open")
def test_categories_of_an_xarff_file_stay_what_they_are():
    app = brought(trees_xarff=XARFF.encode())
    assert "trees is a label ranking: 30 rows, 2 features, 3 labels" in ready(app)
    app = used(app)
    expect_prediction(app, read_dataset(("trees.xarff", XARFF.encode())))
    (soil,) = [box for box in scroll_to(app, "What if").selectbox if box.label == "soil"]
    assert soil.options == ["dry", "wet"]


def test_an_old_workbook_without_names_of_columns(benchmark_data):
    content = (benchmark_data / "raw" / "iris_dense.xls").read_bytes()
    app = brought(flowers_xls=content)
    assert any("Excel workbook (.xls)" in each.value for each in app.caption)
    (asked,) = [radio for radio in app.radio if radio.options[0].startswith("positions:")]
    ran(asked.set_value("positions").run())
    assert "flowers is a label ranking: 150 rows, 4 features, 3 labels" in ready(app)
    own = read_dataset(("flowers.xls", content), target_form="positions")
    expect_prediction(used(app), own)


@pytest.mark.parametrize("name", ["attack.zip", "attack.arff"])
def test_what_grows_or_reads_files_is_refused(name):
    if name.endswith("zip"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("big.csv", b"0" * 300_000_000)
        files = {"attack_zip": buffer.getvalue()}
    else:
        entity = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        entity += "<labels><label name='&x;'/><label name='dives'/></labels>"
        files = {"attack_arff": MULAN.encode(), "attack_xml": entity.encode()}
    before = facts(session(DATA))
    app = brought(**files)
    alerts = [each.value for each in (*app.error, *app.warning)]
    assert any("The data in use are unchanged." in said for said in alerts)
    assert "root:" not in sent(app)
    assert facts(app) == before
