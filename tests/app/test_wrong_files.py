"""Files that cannot be used: each says why, and the data in use stay."""

import re

import pytest

from tests.app.visits import facts, ran, session

# Each with words that the table of findings then has.
WRONG = {
    "empty": (b"", "empty"),
    "header only": (b"x,a,b\n", "row"),
    "ragged rows": (b"x,a,b\n1,1,2\n2,2,1,7\n3,1\n", "expected 3 fields, found 2"),
    "binary junk": (bytes(range(256)) * 20, "text"),
    "one label": (b"x,y,ranking\n1,2,a\n2,3,a\n", "label"),
    "not a number": (b"x,a,b\n1,1,2\nnan,2,1\n3,1,2\n", "a value is needed"),
    "infinity": (b"x,a,b\n1,1,2\n1e400,2,1\n3,1,2\n", "not a finite number"),
    "gaps and repeats": (
        b"x,label_position:a,label_position:b,label_position:c\n"
        b"1,1,2,3\n2,2,2,5\n3,1,1,1\n4,3,2,1\n5,9,1,2\n",
        "position",
    ),
    "no targets": (b"x,y\n1.5,2.5\n2.5,3.25\n", "label"),
    "workbook": (b"PK\x03\x04" + bytes(200), "text"),
}


def tables(app):
    return [each.value for each in app.dataframe if "what to do" in each.value.columns]


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_file_is_explained_and_changes_nothing(kind):
    content, word = WRONG[kind]
    app = session("pages/data/page.py", data="glass", knn_n_neighbors=4)
    before = facts(app)
    ran(app.file_uploader[0].upload(f"{kind}.csv", content, "text/csv").run())
    alerts = [each.value for each in (*app.error, *app.warning)]
    assert any("The data in use are unchanged." in said for said in alerts)
    labels = [button.label for button in app.button]
    assert "Use these data" not in labels
    # Where other rows are offered, their finding is a warning that names the error.
    offers = any(re.fullmatch(r"Use \d+ of \d+ rows", label) for label in labels)
    found = next(t for t in tables(app) if ("warning" if offers else "error") in set(t["severity"]))
    assert found["message"].str.lower().str.contains(word, regex=False).any()
    assert facts(app) == before
