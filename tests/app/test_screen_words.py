"""What visitors read of findings and errors: words of the screen, once, without paths."""

import re
from pathlib import Path

import pytest

from labelrank_core.experiments.database import Database, StoreError
from pages.ui.wording.text import error_message, in_screen_words
from tests.app.test_wrong_files import WRONG, tables
from tests.app.visits import ran, session
from tests.test_words import ROOT, sentences

# Python's: an argument with a value, a name with an underscore, a path of the server.
CODE = re.compile(r"\w+='|\w+=\[|\b[a-z]+_[a-z_]+\b|(?<![\w.])/\w+/\w")
# The library's questions; the page asks them in its own words and never shows these.
ASKED_BY_THE_LIBRARY = ("labelrank_core/io/infer/choices.py", "labelrank_core/io/infer/roles.py")
MORE = {
    "a number beyond": b"x,L1,L2,L3\n" + b"1,2,3,1\n2,3,1,2\n3,1,2,3\n" * 7 + b"1,2,4,1\n",
    "not ranked beyond": b"x,L1,L2,L3\n" + b"1,2,4,1\n2,4,1,2\n3,1,2,4\n4,3,1,2\n" * 5,
    "zeros": b"x,L1,L2,L3\n" + b"1,2,0,1\n2,0,1,2\n3,1,2,0\n4,3,1,2\n" * 5,
    "missing": b"x,sky,L1,L2\n1,red,1,2\n,grey,2,1\n3,red,1,2\n4,grey,2,1\n",
    "two targets": b"x,ranking,labels\n1,a>b,a;b\n2,b>a,a\n3,a>b,b\n4,b>a,a;b;c\n",
    "prose": b"It is a truth, generally known,\nthat files\nhold, at times, no table, but text\n",
}


def test_no_finding_of_the_core_holds_a_name_of_code_once_it_is_in_screen_words():
    wrong = [
        (path.name, words)
        for folder in ("io", "data")
        for path in sorted((ROOT / "labelrank_core" / folder).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in ASKED_BY_THE_LIBRARY
        for _, words in sentences(path)
        if words.endswith(".")
        and CODE.search(in_screen_words(words))
        # Told to callers of Python, by a TypeError or ValueError.
        and not words.startswith("Expected ")
    ]
    assert not wrong


@pytest.mark.parametrize("kind", [*WRONG, *MORE])
def test_findings_on_the_page_hold_no_code_and_stand_there_once(kind):
    content = MORE[kind] if kind in MORE else WRONG[kind][0]
    app = session("pages/data/page.py")
    ran(app.file_uploader[0].upload("some.csv", content, "text/csv").run())
    shown = [
        (row["severity"], row.get("line"), row.get("column"), row["message"], row["what to do"])
        for table in tables(app)
        for row in table.to_dict("records")
    ]
    errors = [row for row in shown if row[0] == "error"]
    assert len(errors) == len(set(errors))
    texts = [text for row in shown for text in row[3:]]
    texts += [each.value for each in (*app.error, *app.warning, *app.success, *app.caption)]
    texts = [re.sub(r"label_position:\w", "", text) for text in texts]
    assert not [text for text in texts if CODE.search(text)]


def test_an_error_of_the_store_names_no_path_of_the_server(tmp_path: Path):
    folder = tmp_path / "kept"
    folder.write_text("in the way")
    with pytest.raises(StoreError) as caught:
        Database(folder)
    assert str(folder) in str(caught.value)
    assert str(tmp_path) not in error_message(caught.value)
    assert error_message(caught.value).startswith("The store of experiments cannot be used: ")


def test_an_error_of_the_disk_names_no_path_of_the_server(tmp_path: Path):
    with pytest.raises(OSError, match="No such file") as caught:
        (tmp_path / "gone").read_bytes()
    assert error_message(caught.value) == "No such file or directory."
