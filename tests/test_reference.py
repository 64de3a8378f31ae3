"""The reference: what it lists, and how the app serves and names its pages."""

import ast
import asyncio
import inspect
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest
from docutils.utils.math.latex2mathml import tex2mathml
from starlette.applications import Starlette

from pages.ui.render import widgets
from reference import routes
from tests.test_docstrings import CONTENT, exported, missing, packages

ROOT = Path(__file__).resolve().parents[1]
CONF = ROOT / ".reference" / "conf.py"


def listed_packages():
    for node in ast.parse(CONF.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "PACKAGES":
            return ast.literal_eval(node.value)
    raise AssertionError("conf.py has no PACKAGES")


def documented(modules):
    return {
        value
        for module in modules
        for value in (getattr(module, name) for name in exported(module))
        if inspect.isclass(value) or inspect.isfunction(value)
    }


def test_every_exported_class_and_function_is_on_a_page():
    pages = documented(map(import_module, listed_packages()))
    missing = documented(packages()) - pages
    assert {f"{value.__module__}.{value.__qualname__}" for value in missing} == set()


def test_every_function_on_a_page_describes_what_it_takes_and_returns():
    functions = filter(inspect.isfunction, documented(map(import_module, listed_packages())))
    names = [f"{function.__module__}.{function.__qualname__}" for function in functions]
    wrong = {name: errors for name in names if (errors := missing(name, CONTENT))}
    assert wrong == {}


def test_formulas_are_such_that_become_mathml():
    # docutils, which makes it without a request, does not know all of LaTeX.
    pattern = re.compile(r"\.\. math:: (.*?)\n\n", re.DOTALL)
    texts = [inspect.getdoc(value) or "" for value in documented(packages())]
    formulas = [match for text in texts for match in pattern.findall(text)]
    assert len(formulas) > 10
    for formula in formulas:
        assert tex2mathml(formula, as_block=True).startswith("<math")


def test_no_name_that_ends_in_an_underscore_is_taken_for_a_link():
    # Sphinx knows names in backquotes, numpydoc those before a colon; formulas have indices.
    quoted = re.compile(r"``.*?``|`[^`]*`_?", re.DOTALL)
    link = re.compile(r"(?<![\w.*])[A-Za-z]\w*_(?![\w:{]|,? [\w, ]*:)")
    wrong = {}
    for value in documented(packages()):
        text = quoted.sub("", (inspect.getdoc(value) or "").split("Examples\n---")[0])
        if links := link.findall(text):
            wrong[f"{value.__module__}.{value.__qualname__}"] = links
    assert wrong == {}


@pytest.fixture(scope="module")
def conf():
    """The functions of conf.py that need no Sphinx."""
    names = ["missing_sources"]
    tree = ast.parse(CONF.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") in names]
    namespace = {"re": re, "dedent": dedent, "Sequence": Sequence}
    exec(compile(tree, str(CONF), "exec"), namespace)
    return namespace


def test_a_docstring_gets_the_sources_that_its_module_lists_and_it_cites(conf):
    module = """Measures.

    .. [A05] A. Author: A title that is longer than
       a line.
    .. [B06] B. Author: Another.
    """
    missing_sources = conf["missing_sources"]
    assert missing_sources(["Equation 3 of [A05]_."], ["", module]) == [
        *("", "References", "----------"),
        ".. [A05] A. Author: A title that is longer than",
        "   a line.",
        "",
    ]
    complete = ["Of [B06]_.", "", "References", "----------", ".. [B06] B. Author: Another."]
    assert missing_sources(complete, [module]) == []
    assert missing_sources([*complete, "", "And [A05]_."], [module])[0].startswith(".. [A05]")


def test_the_readme_counts_the_examples():
    examples = list((ROOT / ".reference" / "examples").glob("*.py"))
    assert len(examples) == 14
    assert "fourteen examples" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def built(tmp_path):
    (tmp_path / "index.html").write_text("the reference", encoding="utf-8")
    (tmp_path.parent / "secret.txt").write_text("a secret", encoding="utf-8")
    return tmp_path


def get(folder, path):
    """Return the status and the text of an answer."""
    messages = []

    async def receive():
        await asyncio.Event().wait()  # the client stays

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
    scope |= {"query_string": b"", "scheme": "http", "server": ("127.0.0.1", 1)}
    asyncio.run(Starlette(routes=routes(folder))(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in messages)
    return messages[0]["status"], body.decode("utf-8")


def test_built_pages_are_served_and_nothing_beside_them(built):
    assert get(built, "/reference/index.html") == (200, "the reference")
    assert get(built, "/reference/../secret.txt")[0] == 404
    assert get(built, "/reference/%2e%2e/secret.txt")[0] == 404


def test_without_pages_there_is_no_route(tmp_path):
    assert routes(tmp_path) == []


def test_python_code_names_the_pages_or_where_to_read_how_to_build_them(built):
    assert widgets._reference_text(built) == "[Reference and examples](/reference/index.html)"
    assert "README.md" in widgets._reference_text(built / "missing")
