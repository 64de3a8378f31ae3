"""The files that people who join or cite the project read first."""

import re
import tomllib
from pathlib import Path

import yaml

from labelrank_core import __version__
from tests import versions

ROOT = Path(__file__).resolve().parents[1]
CONTRIBUTING = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
PAPERS = {
    ("Case-Based Label Ranking", 2006, ("Brinker", "Hüllermeier")),
    ("Case-Based Multilabel Ranking", 2007, ("Brinker", "Hüllermeier")),
    (
        "A k-Nearest Neighbor Based Algorithm for Multi-label Classification",
        2005,
        ("Zhang", "Zhou"),
    ),
    ("Random forest for label ranking", 2018, ("Zhou", "Qiu")),
    (
        "A Shared-Subspace Learning Framework for Multi-Label Classification",
        2010,
        ("Ji", "Tang", "Yu", "Ye"),
    ),
}


def test_the_citation_file_names_the_software_and_the_five_papers():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # What version 1.2.0 of the format requires.
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert (cited["title"], cited["version"]) == ("LabelRank Lab", __version__)
    assert cited["authors"] == [{"name": "LabelRank Lab contributors"}]
    for paper in cited["references"]:
        assert {"type", "title", "authors"} <= set(paper)
    found = {
        (each["title"], each["year"], tuple(author["family-names"] for author in each["authors"]))
        for each in cited["references"]
    }
    assert found == PAPERS


def test_the_package_says_whose_it_is_what_it_is_and_where_to_read_more():
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    assert project["authors"] == [{"name": "LabelRank Lab maintainers"}]
    assert {"label ranking", "multi-label ranking"} <= set(project["keywords"])
    python = "Programming Language :: Python :: 3."
    listed = [line for line in project["classifiers"] if line.startswith(python)]
    assert [line.rpartition(" ")[2] for line in listed] == list(versions.PYTHONS)
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert len(project["urls"]) == 2
    for address in project["urls"].values():
        assert f"url: {address}" in cited or f"doi: {address.partition('doi.org/')[2]}" in cited


def test_the_changelog_has_this_version_and_what_comes():
    assert re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)[:2] == ["Unreleased", __version__]


def test_the_files_that_contributors_are_sent_to_exist():
    places = set(
        re.findall(r"`((?:labelrank_core|pages|tests)/[\w/.]+|\w+\.(?:py|md))`", CONTRIBUTING)
    )
    assert len(places) > 12
    for place in places - {"page.py"}:
        assert (ROOT / place).exists(), place


def test_its_commands_are_those_of_the_project():
    commands = re.findall(r"^    (\S.*?)(?:  +#.*)?$", CONTRIBUTING, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        for word in re.findall(r"tests/[\w/.]+|app\.py", command):
            assert (ROOT / word).exists(), word


def test_adding_says_the_same_here_and_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for place in (
        "labelrank_core/methods/base.py",
        "labelrank_core/methods/catalog/",
        "labelrank_core/metrics/registry.py",
        "tests/test_adding.py",
    ):
        assert place in readme
        assert place in CONTRIBUTING


def read_yaml(*parts):
    return yaml.safe_load(ROOT.joinpath(".github", *parts).read_text(encoding="utf-8"))


def test_the_workflow_runs_the_two_commands_and_every_version():
    jobs = read_yaml("workflows", "tests.yml")["jobs"]
    commands = {
        name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()
    }
    assert commands["all"] == ["python3 tests/run"]
    matrix = jobs["versions"]["strategy"]["matrix"]["version"]
    assert [*matrix, versions.WHEEL] == list(versions.NAMES)
    assert commands["wheel"][-1] == f"python3 tests/run versions {versions.WHEEL}"
    (setup,) = (step for step in jobs["versions"]["steps"] if "setup-python" in str(step))
    assert setup["with"]["python-version"].split() == list(versions.PYTHONS)
    assert jobs["untried"]["continue-on-error"] is True
    assert not any("continue-on-error" in job for name, job in jobs.items() if name != "untried")


def test_every_question_of_an_issue_form_has_a_label_and_an_identifier():
    for path in ("bug.yml", "method.yml"):
        form = read_yaml("ISSUE_TEMPLATE", path)
        assert {"name", "description", "body"} <= set(form)
        questions = [part for part in form["body"] if part["type"] != "markdown"]
        names = [question["id"] for question in questions]
        assert len(names) == len(set(names)) >= 4
        assert all(question["attributes"]["label"] for question in questions)


def test_programs_lie_in_four_folders_alone():
    folders = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[!.]*/**/*.py")}
    assert folders == {"labelrank_core", "pages", "sample_data", "tests"}
