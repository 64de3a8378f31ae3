"""What README.md says is so."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from labelrank_core import read_dataset
from labelrank_core.__main__ import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_python_lines_print_what_their_comments_say(code):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    printed = done.stdout.splitlines()
    prints = [line for line in code.splitlines() if line.startswith("print(")]
    assert len(printed) == len(prints)
    said = [re.search(r"  # .*: (.+)$", line) for line in prints]
    assert said[0], "the first print says what it prints"
    for line, comment in zip(printed, said, strict=True):
        if comment:
            assert line == comment[1]


def test_the_read_call_it_mentions_is_one(tmp_path, monkeypatch):
    (call,) = re.findall(r'`(read_dataset\("file\.csv", .*?\))`', README)
    (tmp_path / "file.csv").write_text("x,a,b\n1,1,2\n2,2,1\n3,1,2\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert eval(call, {"read_dataset": read_dataset}).task == "label_ranking"


def test_two_commands_start_and_test():
    commands = re.findall(r"^    (python3 .+)$", README, re.MULTILINE)
    assert commands == ["python3 app.py", "python3 tests/run"]
    for command in commands:
        assert (ROOT / command.split()[1]).is_file()


def test_the_classes_it_names_are_in_the_package():
    import labelrank_core

    named = re.findall(r"\| `(\w+)` \|", README)
    assert named
    for name in named:
        assert hasattr(labelrank_core, name)


def test_the_files_and_folders_it_names_exist():
    places = re.findall(r"^    (\S+?)/? {2,}\S", README, re.MULTILINE)
    places += re.findall(r"\]\(([\w/.]+)\)", README)
    assert places
    for place in places:
        if "<" not in place:
            assert (ROOT / place).exists(), place


def menu(name):
    """The pages of a menu: their titles by their folders."""
    tree = ast.parse((ROOT / "app.py").read_text(encoding="utf-8"))
    (pages,) = (
        ast.literal_eval(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
    )
    return pages


def test_the_pages_of_the_menus_are_the_pages_there_are():
    pages = menu("PAGES") | menu("EVALUATE_PAGES")
    assert sorted(pages) == sorted(path.parent.name for path in ROOT.glob("pages/*/page.py"))


def test_the_picture_shows_every_page_of_the_menu():
    # `python -m tests.browser.start_picture` draws it anew, and writes down the menu it shows.
    with Image.open(ROOT / ".readme" / "start.png") as picture:
        assert picture.text["menu"] == " ".join(menu("PAGES").values())


def test_the_exit_codes_are_those_of_the_program(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    codes = " ".join(capsys.readouterr().out.split()).partition("exit codes: ")[2]
    for code in range(7):
        assert f"{code} " in codes
        assert f"| {code} |" in README
