"""Every pattern of the readers takes steps in proportion to a text, whatever the text is."""

import ast
import re
import sys
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest

import labelrank_core.io
from labelrank_core.comparison import results_tables
from labelrank_core.data import findings
from labelrank_core.explain.render.markup import text as markup_text
from tests.pattern_steps import FOREIGN, Counted, TooManyStepsError, growing

FOLDER = Path(labelrank_core.io.__file__).parent
ROOT = FOLDER.parents[1]
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
FEW, MANY = 8, 32
# Four times the text: four times the steps if they are linear, sixteen times if quadratic.
MOST_GROWTH = 6


def modules():
    # What is pasted, and names that are shown, are looked at in the server itself.
    others = [Path(module.__file__) for module in (findings, results_tables, markup_text)]
    for path in sorted([*FOLDER.rglob("*.py"), *others]):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        yield import_module(name), ast.parse(path.read_text(encoding="utf-8"))


def uses(module, tree):
    """Each pattern of a module with the method that it is used by."""
    known = vars(module)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        owner = known.get(node.value.id)
        if isinstance(owner, re.Pattern) and node.attr in METHODS:
            yield owner, node.attr
        elif owner is re and node.attr in METHODS | {"compile"}:
            assert id(node) in called, f"{module.__name__}, line {node.lineno}: call it"
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        function = node.func
        owner = known.get(function.value.id) if isinstance(function.value, ast.Name) else None
        if owner is re and function.attr in METHODS:
            flags = [ast.unparse(word.value) for word in node.keywords if word.arg == "flags"]
            # What a test cannot evaluate is no constant, and nobody can vouch for it.
            source = eval(ast.unparse(node.args[0]), known)
            yield re.compile(source, *[eval(flag, known) for flag in flags]), function.attr


@cache
def all_uses():
    found, compiled = {}, {}
    for module, tree in modules():
        for pattern, method in uses(module, tree):
            found[pattern, method] = module.__name__
        own = [value for value in vars(module).values() if isinstance(value, re.Pattern)]
        compiled.update(dict.fromkeys(own, module.__name__))
        n_compiled = sum(
            ast.unparse(node.func) == "re.compile"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        )
        n_here = sum(
            ast.unparse(node.func) == "re.compile"
            for statement in tree.body
            if isinstance(statement, ast.Assign)
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
        )
        assert n_compiled == n_here, f"{module.__name__} compiles a pattern inside a function"
    assert set(compiled) == {p for p, _ in found} & set(compiled), "a pattern that nobody uses"
    return found


def worst(pattern, method):
    """The text on which a pattern's steps grow most when it becomes four times as long."""
    counted, most = Counted(pattern), (0.0, "")
    for before, pump in growing(counted.tree, counted.flags):
        for after in (FOREIGN, ""):
            growth = _growth(counted, method, before, pump, after)
            most = max(most, (growth, before + pump * 3 + after))
            if growth > MOST_GROWTH:
                return most
    return most


def _growth(counted, method, before, pump, after):
    steps = []
    for number in (FEW, MANY):
        try:
            counted.run(method, before + pump * number + after)
        except TooManyStepsError:
            return float("inf")
        steps.append(counted.steps)
    return steps[1] / max(steps[0], FEW)


@pytest.fixture(autouse=True)
def deep():
    """A step of the counting search is a few frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


def test_every_pattern_of_the_readers_takes_linear_time():
    assert len(all_uses()) > 40
    bad = {}
    for (pattern, method), module in all_uses().items():
        growth, text = worst(pattern, method)
        if growth > MOST_GROWTH:
            bad[module, method, pattern.pattern] = (growth, text)
    assert not bad


NUMBER = rb"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan)"
BUCKET = r"(?:\d{1,9}|\{\s*(?:\d{1,9}\s*(?:,\s*\d{1,9}\s*)*)?\})"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        # What readers once had: libsvm's rows, blanks before them, comments before XML, headers.
        (re.compile(rb"((?:(?:^|[ \t]+)\d{1,15}:" + NUMBER + rb")*)[ \t]*"), "fullmatch"),
        (re.compile(rb"[ \t]*((?:\d{1,15},)*)((?:(?:^|[ \t]+)\d:\d)*)[ \t]*"), "fullmatch"),
        (re.compile(rb"\s*(?:<!--.*?-->\s*)*<labels[\s>/]", re.DOTALL), "match"),
        (re.compile(r"#\s*([A-Z][A-Z ]*?)\s*(\d*)\s*:(.*)"), "match"),
        # What is wrong in any textbook.
        (re.compile(r"(a+)+b"), "match"),
        (re.compile(r"(a|a)*b"), "match"),
        (re.compile(r"\d*\d*x"), "match"),
        (re.compile(r"\s+$"), "search"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_pattern_that_explodes_is_found(pattern, method):
    growth, _ = worst(pattern, method)
    assert growth > MOST_GROWTH


def test_the_counting_search_finds_what_re_finds():
    texts = [
        "",
        "a",
        "x, y",
        "1.5e3",
        "  12  ",
        "a1_2",
        "@data {x} % no",
        "'a\\'b' 5",
        "2024-01-02",
    ]
    for pattern, method in all_uses():
        counted = Counted(pattern)
        pairs = growing(counted.tree, counted.flags)
        own = [before + pump * 3 for before, pump in islice(pairs, 20)]
        for text in [*texts, *own]:
            given = text.encode("latin-1") if isinstance(pattern.pattern, bytes) else text
            if method in ("match", "fullmatch", "search"):
                found = getattr(pattern, method)(given)
                expected = [found.span()] if found else []
                assert counted.run(method, text) == expected, (pattern.pattern, text)


def test_no_group_is_repeated_possessively():
    """Python matches those wrongly before 3.11.5; `(?>(?:x)*)` is the same, and right."""
    sources = [str(pattern.pattern) for pattern, _ in all_uses()]
    assert len(sources) > 30
    assert [source for source in sources if re.search(r"(?<!\\)\)[*+?]\+", source)] == []
