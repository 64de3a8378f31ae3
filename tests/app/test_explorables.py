"""The static site: its pages hold the app's states, ask nobody for anything, and stay small."""

import gzip
import html
import json
import re
import shutil
import subprocess
import sys
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode
from zipfile import ZipFile

import numpy as np
import pytest

import launch
from labelrank_core import KNeighborsLabelRanker, list_samples, load_sample, read_dataset
from labelrank_core import __main__ as library
from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.papers import PAPERS
from pages.explorables import command, local_data_program, samples
from pages.explorables.document import minify, squeeze
from pages.learn import rows
from pages.learn.lessons import LESSONS
from pages.learn.playground import EXAMPLES
from pages.papers import numbers, printed
from pages.ui import compute
from pages.ui.results import models
from pages.ui.view import View
from tests.core.test_without_processes import LACKING as WITHOUT_PROCESSES

LOGO = Path(samples.__file__).parents[1].joinpath("ui/frame/logo.svg").read_text("utf-8").strip()
NAMES = ["drinks", "songs"]
MOST_PACKED, MOST_SCRIPT = 150_000, 30_000
# What makes a browser ask for another file; addresses in sentences are links to follow by hand.
FETCHED = {"src", "srcset", "poster", "data", "action", "formaction", "background"}


class Reader(HTMLParser):
    """Notes what a page would fetch, and the texts of its scripts."""

    def __init__(self):
        super().__init__()
        self.fetched, self.links, self.ids, self.scripts = [], [], set(), []
        self.is_script = False

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.add(values.get("id"))
        self.fetched += [values[name] for name in FETCHED & set(values)]
        if tag == "link":
            self.fetched.append(values["href"])
        elif "href" in values:
            self.links.append(values["href"])
        self.is_script = tag == "script" and values.get("type") is None

    def handle_data(self, data):
        if self.is_script:
            self.scripts.append(data)

    def handle_endtag(self, _):
        self.is_script = False


def read(content):
    reader = Reader()
    reader.feed(content)
    return reader


@pytest.fixture(scope="module")
def contents():
    return {page.file: page.html() for page in command.site(NAMES, 2, "http://127.0.0.1:8501/")}


def cases(content):
    text = re.search(r'<script type="application/json" id="cases">(.*?)</script>', content)[1]
    return json.loads(text)["cases"]


def test_there_is_a_page_for_every_sample_and_a_front_page(contents):
    assert {"index.html", "drinks.html", "songs.html"} <= set(contents)
    assert command.main.__module__ == "pages.explorables.command"


def test_every_lesson_has_a_page_with_all_its_steps_and_answers(contents):
    for lesson in LESSONS:
        content = contents[f"lesson-{lesson.key}.html"]
        setting = rows.example_setting(lesson, lesson.examples[0])
        steps = lesson.make_steps(setting)
        assert content.count('<section class="step"') == len(steps)
        for step in steps:
            assert f"<h2>{html.escape(step.title)}</h2>" in content
            if step.ask is not None and not step.ask.is_kept:
                assert step.ask.reason.html(setting.names, setting.nouns) in content


def test_the_playground_answers_every_number_of_people_as_the_rules_do(contents):
    text = re.search(r'id="playground">(.*?)</script>', contents["playground.html"])[1]
    data = json.loads(text)
    assert [example["name"] for example in data["examples"]] == list(EXAMPLES)
    example = data["examples"][0]
    assert example["orders"] == ["pizza > sushi > curry > salad", "sushi > curry > salad > pizza"]
    assert example["counts"] == [2, 1]
    answers = [example["answers"][i] for i in example["answer_of"]]
    side = data["most"] + 1
    assert len(answers) == side**2
    n = len(CONSENSUS_RULES)
    others = f"{n - 1} of {n} rules put pizza first"
    assert all(others in answers[i * side + 1] for i in (2, 3))
    # By Borda, sushi's mean rank is (2 * 2 + 1) / 3 and pizza's (2 * 1 + 4) / 3; with a third
    # friend for pizza both have 7 / 4, and with a fourth pizza leads by 8 / 5 to 9 / 5.
    borda_first = {2: "Borda (mean rank) puts sushi first.", 3: "has a tie for the first place."}
    for n_pizza, sentence in borda_first.items():
        assert sentence in answers[n_pizza * side + 1]
    assert f"All {n} rules put pizza first." in answers[4 * side + 1]
    assert "Nobody" in answers[0]
    assert f"All {n} rules put sushi first." in answers[1]


def test_the_pages_of_papers_have_every_recomputed_number_with_its_verdict(contents):
    for paper in PAPERS.values():
        content = contents[f"paper-{paper.key}.html"]
        for table in paper.tables:
            rows = numbers.of_table(table)
            assert html.escape(printed.heading(table, rows)) in content
            for value in rows["ours"].dropna():
                assert f"{value:,.{table.decimals}f}" in content, (table.slug, value)
        assert paper.title in contents["papers.html"]


def test_no_page_asks_for_anything_outside_it(contents):
    for file, content in contents.items():
        reader = read(content)
        assert all(address.startswith("data:") for address in reader.fetched), file
        assert not re.search(r"url\((?![\"']?data:)", content), file
        assert not re.search(r"@import|\bimport\(|fetch\(|XMLHttpRequest|sendBeacon", content), file
        assert "default-src 'none'" in content


def test_links_lead_to_pages_that_are_there(contents):
    ids = {file: read(content).ids for file, content in contents.items()}
    for content in contents.values():
        for address in read(content).links:
            file, _, part = address.partition("#")
            if file and not file.startswith("http://127.0.0.1:8501/"):
                assert file in contents, address
                assert not part or part in ids[file], address


def test_pages_are_small(contents):
    for file, content in contents.items():
        assert len(gzip.compress(content.encode())) <= MOST_PACKED, file
        script = "".join(read(content).scripts)
        assert len(script.encode()) <= MOST_SCRIPT, file


def test_the_answers_of_a_page_are_those_of_the_method(contents):
    data = load_sample("drinks")
    view, _ = View.from_query({}, {"drinks": lambda: data}, lambda _: 0)
    for case in cases(contents["drinks.html"]):
        row = case.get("row", 0)
        others = view.split.train[view.split.train != row]
        scaled = (data.X - data.X[others].mean(axis=0)) / data.X[others].std(axis=0)
        first = cases(contents["drinks.html"])[0]
        knob, states = case.get("knob", first["knob"]), case.get("states", first["states"])
        for k, state in zip(knob["values"], states["of_value"], strict=True):
            model = KNeighborsLabelRanker(n_neighbors=k).fit(scaled[others], data.rankings[others])
            (positions,) = model.predict(scaled[[row]])
            order = [label for tied in states["rankings"][state] for label in tied]
            assert order == positions.argsort(kind="stable").tolist(), (row, k)


def test_a_page_draws_what_the_app_draws(contents):
    from pages.start import look_alikes

    view, _ = View.from_query({}, {"songs": partial(compute.sample, "songs")}, lambda _: 9)
    drawn = look_alikes.component_data(view, models.case(view), models.knob_states(view))
    (case, _) = cases(contents["songs.html"])
    assert case["offered"] == [9, 129]
    # Only here not every case can be chosen.
    for same in ("states", "knob", "neighbors", "labels", "truth", "plane", "features"):
        assert case[same] == json.loads(json.dumps(drawn[same])), same
    different = {key for key, text in drawn["texts"].items() if case["texts"][key] != text}
    # In the app the bar chooses among all cases.
    assert different == {"another", "click_map", "click_plane"}


def test_the_text_of_a_page_says_every_answer_and_the_real_one(contents):
    text = contents["drinks.html"].partition('class="as-text"')[2]
    data = load_sample("drinks")
    assert data.targets_in_words([0])[0].replace(">", "&gt;") in text
    (first, _) = cases(contents["drinks.html"])
    n_answers = sum(
        a != b
        for a, b in zip(
            first["states"]["of_value"], [None, *first["states"]["of_value"]], strict=False
        )
    )
    section = text.partition("<section>")[2].partition("</section>")[0]
    assert section.count("<tr><th") == n_answers + 1


def test_the_app_and_the_library_lead_to_one_command():
    (path,) = [part for part in launch.site_command("python", []) if part.endswith(".py")]
    assert library.site_command() == Path(path)


def test_without_the_app_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(library, "find_spec", lambda _: None)
    assert library.main(["site", "folder", "--cases", "1"]) == library.WRONG
    assert 'Write "[app]" behind the name' in capsys.readouterr().err


def test_a_page_says_how_many_cases_it_has_and_why(contents):
    # Data of as many rows as cases have nothing to say.
    assert "2 of 240 songs can be tried here." in contents["songs.html"]
    sample = next(sample for sample in list_samples() if sample.name == "drinks")
    component, _ = samples.component(sample, 1000, "")
    assert "can be tried here" not in component


def test_every_page_knows_the_app(contents):
    for file, content in contents.items():
        assert (
            "http://127.0.0.1:8501/" in content
            or "http://127.0.0.1:8501?" in content
            or (json.dumps("http://127.0.0.1:8501") in content)
        ), file
    paper = PAPERS["mlr07"]
    link = f"http://127.0.0.1:8501/papers?{urlencode({'publication': paper.citation})}"
    assert html.escape(link) in contents["paper-mlr07.html"]


def test_large_data_come_with_few_cases_and_every_case_has_its_mark():
    data = compute.sample("yeast")
    rows = samples._rows(data, 0, 8)
    assert len(rows) == 3
    sample = next(sample for sample in list_samples() if sample.name == "yeast")
    component, _ = samples.component(sample, 2, "")
    first, second = cases(component)
    assert {first["row"], second["row"]} <= set(first["plane"]["rows"])


def test_scripts_lose_comments_and_nothing_else_where_the_minifier_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "minify", None)
    assert minify.__wrapped__("text/javascript", "  a = 1 // b\n// c") == "a = 1 // b"
    assert squeeze("a\n\n  // b\n/* c\nd */  e = 'f // g'") == "a\ne = 'f // g'"


def test_the_command_writes_the_pages_and_says_how_large_they_are(tmp_path):
    arguments = [str(tmp_path / "new" / "site"), "--samples", "drinks", "--cases", "1"]
    reference = tmp_path / "reference"
    reference.mkdir()
    reference.joinpath("index.html").write_text("The reference.", encoding="utf-8")
    command = [sys.executable, "-m", "labelrank_core", "site", *arguments]
    result = subprocess.run(
        [*command, f"--reference={reference}"], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "new" / "site" / "reference" / "index.html").is_file()
    page = (tmp_path / "new" / "site" / "drinks.html").read_text(encoding="utf-8")
    assert '<a href="reference/index.html">Reference</a>' in page
    shutil.rmtree(tmp_path / "new" / "site" / "reference")
    files = {path.name: path.stat().st_size for path in (tmp_path / "new" / "site").iterdir()}
    assert {"index.html", "drinks.html"} <= set(files)
    for file, n_bytes in files.items():
        assert re.search(rf"^{re.escape(file)} +{n_bytes:,} bytes", result.stdout, re.MULTILINE)


STARS = b"age,sugar,Cola,Tea,Milk\n" + b"".join(
    b"%d,%d,%d,%d,%d\n" % (20 + 3 * i % 50, i % 7, 1 + i % 5, 1 + 2 * i % 5, 1 + 3 * i % 4)
    for i in range(30)
)


def test_the_program_of_the_page_explains_a_row_by_the_other_rows():
    looks = json.loads(local_data_program.look("stars.csv", STARS))
    assert [column["name"] for column in looks["columns"]] == [
        "age",
        "sugar",
        "Cola",
        "Tea",
        "Milk",
    ]
    labels = ["Cola", "Tea", "Milk"]
    answer = json.loads(local_data_program.explain_row("s.csv", STARS, labels, "ratings", 3, 5))
    roles = dict.fromkeys(labels, "label") | {"age": "feature", "sugar": "feature"}
    data = read_dataset(("s.csv", STARS), roles=roles, target_form="ratings")
    others = np.delete(np.arange(30), 2)
    scaled = (data.X - data.X[others].mean(axis=0)) / data.X[others].std(axis=0)
    distances = np.linalg.norm(scaled[others] - scaled[2], axis=1)
    nearest = others[np.argsort(distances, kind="stable")[:5]] + 1
    numbered = [(str(place), str(row)) for place, row in enumerate(nearest, 1)]
    assert re.findall(r'data-key="(\d) +#(\d+)', answer["html"])[:5] == numbered
    assert (answer["row"], answer["n_rows"], answer["n_similar"]) == (3, 30, 5)
    assert answer["truth"] == data.targets_in_words([2])[0]
    # What is beyond the last becomes the last; the other way round reads ratings as grades.
    beyond = json.loads(local_data_program.explain_row("s.csv", STARS, labels, "grades", 99, 99))
    assert (beyond["row"], beyond["n_similar"]) == (30, 29)
    assert beyond["truth"].split(" > ")[0] != answer["truth"]
    for content, given in ((b"\0\1\xff", labels), (b"a,b\n1,2\n", ["a", "b"]), (STARS, ["Cola"])):
        told = json.loads(local_data_program.explain_row("s.csv", content, given, "ratings", 1, 5))
        assert "html" not in told
        assert len(told["problem"]) > 20


@pytest.fixture(scope="module")
def distribution(tmp_path_factory):
    """A folder like Pyodide's distribution: a package without the others, two that need another."""
    folder = tmp_path_factory.mktemp("pyodide")
    needed = {name: [] for name in ("numpy", "six", "unused")}
    needed |= {"scipy": ["numpy"], "pandas": ["numpy", "six"], "scikit-learn": ["scipy"]}
    lock = {name: {"file_name": f"{name}.whl", "depends": on} for name, on in needed.items()}
    folder.joinpath("pyodide-lock.json").write_text(json.dumps({"packages": lock}))
    runtime = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]
    for name in (*runtime, *(f"{name}.whl" for name in needed)):
        folder.joinpath(name).write_text(name)
    return folder


def test_a_site_with_pyodide_has_a_page_for_a_file_of_the_reader(distribution, tmp_path):
    options = ["--samples", "drinks", "--cases", "1", "--pyodide", str(distribution)]
    assert command.main([str(tmp_path), *options]) == 0
    copied = {path.name for path in tmp_path.joinpath("pyodide").iterdir()}
    assert copied == {path.name for path in distribution.iterdir()} - {"unused.whl"}
    content = tmp_path.joinpath("your-data.html").read_text(encoding="utf-8")
    assert read(content).fetched == [f"data:image/svg+xml,{quote(LOGO)}"]
    assert "connect-src 'self'" in content
    for file in ("index.html", "drinks.html"):
        other = tmp_path.joinpath(file).read_text(encoding="utf-8")
        assert 'href="your-data.html"' in other
        assert "connect-src" not in other
    # The package that the page unpacks explains a file where nothing else of ours is.
    with ZipFile(tmp_path / "labelrank_core.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    program = tmp_path / "unpacked" / "program.py"
    source = Path(local_data_program.__file__).read_text(encoding="utf-8")
    call = f"\nprint(explain_row('s.csv', {STARS!r}, ['Cola', 'Tea', 'Milk'], 'ratings', 3, 5))\n"
    program.write_text(f"{WITHOUT_PROCESSES}\n{source}{call}", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(program.parent)!r}); "
         f"exec(open({str(program)!r}).read())"],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    answer = json.loads(done.stdout)
    same = local_data_program.explain_row("s.csv", STARS, ["Cola", "Tea", "Milk"], "ratings", 3, 5)
    assert answer == json.loads(same)
