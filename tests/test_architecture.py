"""Who may import whom, and which names stay in one file: DESIGN's shape, read from the code."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = sorted((ROOT / "labelrank_core").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
APP = ROOT / "app.py"
FILES = [APP, *PAGES, *CORE]

# Which other rooms of the core each room may import.
ARROWS = {
    "rankings": set(),
    "version": set(),
    "_sklearn": set(),
    "data": {"rankings"},
    "io": {"data", "rankings"},
    "aggregation": {"rankings"},
    "metrics": {"data", "rankings"},
    "explain": {"aggregation", "data", "rankings"},
    "methods": {"explain", "metrics", "aggregation", "data", "rankings", "_sklearn"},
    "evaluation": {"methods", "explain", "metrics", "data", "rankings"},
    "comparison": {"metrics", "data", "rankings"},
    "experiments": {
        *("comparison", "evaluation", "methods", "metrics", "io", "data", "rankings", "version"),
    },
    "__main__": {"experiments", "data"},
    "__init__": {"methods", "io", "data", "version"},
}
FORBIDDEN_IN_CORE = {"streamlit", "plotly", "pages", "app", "pickle", "multiprocessing"}
FAMILIES = {"neighbors", "trees", "linear"}


def named(path):
    return str(path.relative_to(ROOT))


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=named)


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path):
    """Full dotted names of everything a file imports."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {named(path)}"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def room(path):
    return path.relative_to(ROOT / "labelrank_core").with_suffix("").parts[0]


def attributes(path, module):
    """Names used of an imported module, however it is called in the file."""
    nodes = list(ast.walk(tree(path)))
    called = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == module
    }
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in called
    }
    prefix = f"{module}."
    return used | {name.removeprefix(prefix) for name in imports(path) if name.startswith(prefix)}


def calls(path):
    return {
        node.func.id
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


@each(CORE)
def test_the_core_knows_no_interface(path):
    # The command line is a program of its own: starting more of them cannot run a page again.
    allowed = {"multiprocessing"} if path.name == "__main__.py" else set()
    assert not {name.split(".")[0] for name in imports(path)} & (FORBIDDEN_IN_CORE - allowed)


@each(CORE)
def test_arrows_between_rooms_go_one_way(path):
    own = room(path)
    for name in imports(path):
        package, _, rest = name.partition(".")
        if package == "labelrank_core" and own != "__init__":
            other = rest.split(".")[0]
            assert other == own or other in ARROWS[own], f"{named(path)} imports {name}"


def test_the_table_of_rooms_is_that_of_the_folder():
    assert {room(path) for path in CORE} == set(ARROWS)
    graph = {own: others & set(ARROWS) for own, others in ARROWS.items()}
    assert list(TopologicalSorter(graph).static_order())


def test_families_of_methods_do_not_import_each_other():
    for path in CORE:
        family = path.parent.name
        if family in FAMILIES:
            own = [name.split(".") for name in imports(path)]
            found = {parts[2] for parts in own if parts[:2] == ["labelrank_core", "methods"]}
            assert not found & (FAMILIES - {family}), named(path)


@each(PAGES)
def test_pages_import_ui_and_ui_imports_no_page(path):
    page = path.relative_to(ROOT / "pages").parts[0]
    for name in imports(path):
        parts = name.split(".")
        assert parts[0] != "app"
        if parts[0] == "pages":
            assert parts[1] in ("ui", page), f"{named(path)} imports {name}"


def test_no_script_lies_directly_in_pages():
    # With one, the first visitor by deep link after a start would bypass app.py.
    assert not list((ROOT / "pages").glob("*.py"))


@each([path for path in [APP, *PAGES] if named(path) != "pages/ui/state.py"])
def test_only_state_touches_the_session(path):
    used = attributes(path, "streamlit")
    assert not {name for name in used if name.split(".")[0] == "session_state"}


@each([path for path in [APP, *PAGES] if named(path) != "pages/ui/compute.py"])
def test_only_compute_caches(path):
    used = attributes(path, "streamlit")
    assert not {name for name in used if name.startswith("cache")}


@each([path for path in PAGES if path.parent.name == "charts"])
def test_charts_know_no_streamlit(path):
    assert not {name for name in imports(path) if name.split(".")[0] == "streamlit"}


@each([path for path in FILES if path.name != "_sklearn.py"])
def test_private_names_of_scikit_learn_are_in_one_file(path):
    private = {
        name
        for name in imports(path)
        if name.startswith("sklearn") and any(part.startswith("_") for part in name.split("."))
    }
    assert not private


@each(FILES)
def test_nothing_is_printed_or_evaluated(path):
    assert not calls(path) & {"print", "eval", "exec", "compile", "__import__"}


def test_the_entry_is_short():
    assert len(APP.read_text(encoding="utf-8").splitlines()) < 60
