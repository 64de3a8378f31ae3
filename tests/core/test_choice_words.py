"""What the command line prints of findings: entries of configs and options, no Python."""

import json
import re
from pathlib import Path

import pytest

import labelrank_core
from labelrank_core.__main__ import WRONG, main
from labelrank_core.data.findings import refusal
from labelrank_core.experiments.choice_words import in_config_words, in_option_words
from tests.test_words import sentences

PACKAGE = Path(labelrank_core.__file__).parent
# An argument of Python, and what a program can call.
PYTHON = re.compile(r"\w+=['{\[]|\w+=\w+\.|inspect_files|reading_preview")
LABELS = {"L1": "label", "L2": "label", "L3": "label"}
FILES = {
    "beyond": (
        "x,L1,L2,L3\n1,1,2,3\n2,2,1,3\n3,3,1,9\n",
        {"roles": {"x": "feature", **LABELS}, "target_form": "positions"},
        'if 4 means \'not ranked\', choose "unranked": "beyond".',
    ),
    "missing": (
        "x,L1,L2,L3\n1,1,2,3\n,1,3,2\n3,3,1,2\n",
        {"target_form": "positions"},
        'choose "missing": "fill" (the median or the most frequent category) or "missing": '
        '"drop_rows".',
    ),
    "two forms": (
        "x,L1,L2,L3\n1,1,2,3\n2,1,3,2\n3,3,1,2\n",
        {"roles": {"x": "feature", **LABELS}},
        'Choose "target_form": "orders" or "target_form": "positions"',
    ),
    "no labels": (
        "x,y\n1,2\n2,3\n3,4\n",
        {},
        'Say what each column is, in "roles": {"column": "label", ...}.',
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_run_says_what_to_write_in_the_config(tmp_path, capsys, kind):
    content, choices, expected = FILES[kind]
    (tmp_path / "mine.csv").write_text(content)
    config = tmp_path / "config.json"
    data = [{"files": ["mine.csv"], "choices": choices}]
    config.write_text(json.dumps({"data": data, "methods": [{"key": "knn"}]}))
    assert main(["--home", str(tmp_path / "home"), "run", str(config)]) == WRONG
    printed = capsys.readouterr().err
    assert expected in printed
    assert 'in "choices" beside "files"' in printed
    assert not PYTHON.search(printed)


@pytest.mark.parametrize("in_words", [in_config_words, in_option_words])
def test_no_finding_names_arguments_of_python_on_the_command_line(in_words):
    found = [
        (path.name, words)
        for folder in ("io", "data")
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for _, words in sentences(path)
        if words.endswith(".") and not words.startswith("Expected ")
    ]
    assert any(PYTHON.search(words) for _, words in found)
    assert not [(name, words) for name, words in found if PYTHON.search(in_words(words))]


def test_a_download_says_which_options_to_give_and_takes_them(tmp_path, capsys, monkeypatch):
    taken = []

    def refuse(number, **choices):
        taken.append(choices)
        hint = "Choose target_form='positions', unranked='beyond' or missing='drop_rows'."
        raise refusal("some-code", f"data set {number} is not clear.", hint)

    monkeypatch.setattr("labelrank_core.__main__.read_openml", refuse)
    command = ["--home", str(tmp_path), "openml", "7"]
    assert main(command) == WRONG
    printed = capsys.readouterr().err.strip()
    options = "--target-form positions, --unranked beyond or --missing drop_rows"
    assert printed == f"Data set 7 is not clear. Choose {options}."
    assert main([*command, *re.findall(r"--[\w-]+|positions|beyond|drop_rows", options)]) == WRONG
    given = {name: taken[-1][name] for name in ("target_form", "unranked", "missing")}
    assert given == {"target_form": "positions", "unranked": "beyond", "missing": "drop_rows"}
