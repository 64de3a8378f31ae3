"""Who may import whom, and which names stay in one file: DESIGN's shape, read from the code."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from labelrank_core.methods import ALGORITHMS

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
    "_exports": set(),
    "data": {"rankings", "_exports"},
    "io": {"data", "rankings", "_exports"},
    "aggregation": {"rankings"},
    "metrics": {"data", "rankings"},
    "explain": {"aggregation", "data", "rankings"},
    "methods": {"explain", "metrics", "aggregation", "data", "rankings", "_sklearn"},
    "evaluation": {
        *("methods", "explain", "metrics", "aggregation", "data", "rankings", "_sklearn"),
    },
    "comparison": {"metrics", "data", "rankings"},
    "experiments": {
        *("comparison", "evaluation", "methods", "metrics", "io", "data", "rankings", "version"),
    },
    "papers": {
        *("experiments", "comparison", "evaluation", "methods", "metrics", "aggregation", "data"),
        *("rankings", "version"),
    },
    "__main__": {"papers", "experiments", "io", "data"},
    "__init__": {
        *("experiments", "comparison", "evaluation", "explain", "methods", "io", "data", "version"),
        "_exports",
    },
}
FORBIDDEN_IN_CORE = {"streamlit", "plotly", "pages", "app", "pickle", "multiprocessing"}
METHODS = ROOT / "labelrank_core" / "methods"
LESSONS = ROOT / "pages" / "learn" / "lessons"
# A family has a page of the catalog; other folders are for several families, and know none.
FAMILIES = {path.stem for path in METHODS.glob("catalog/*.py")} - {"__init__", "shared"}
SHARED = {path.parent.name for path in METHODS.glob("*/__init__.py")} - FAMILIES - {"catalog"}
# Names of parameters that are words of their own, too: what a score must exceed in tables of
# decision rules, the level of a significance test, and the titles of measures.
OWN_MEANING = {"threshold", "alpha", "loss"}
ASKING = {"get", "pop", "getattr", "hasattr"}


def named(path):
    return str(path.relative_to(ROOT))


@cache
def nodes(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path):
    """Full dotted names of everything a file imports."""
    names = set()
    for node in nodes(path):
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
    called = {
        alias.asname or alias.name
        for node in nodes(path)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == module
    }
    used = {
        node.attr
        for node in nodes(path)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in called
    }
    prefix = f"{module}."
    return used | {name.removeprefix(prefix) for name in imports(path) if name.startswith(prefix)}


def calls(path):
    return {
        node.func.id
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def offences(paths, found):
    """The names that a rule finds in files, by file: `{}` where every file keeps to the rule."""
    assert paths
    return {named(path): names for path in paths if (names := sorted(found(path)))}


def below(path, *package):
    """The part after a package of what a file imports of it: '' for the package itself."""
    names = [tuple(name.split(".")) for name in imports(path)]
    depth = len(package)
    return {"".join(name[depth : depth + 1]) for name in names if name[:depth] == package}


def test_the_core_knows_no_interface():
    def forbidden(path):
        # The command line is a program of its own: starting more of them cannot run a page again.
        allowed = {"multiprocessing"} if path.name == "__main__.py" else set()
        return below(path) & (FORBIDDEN_IN_CORE - allowed)

    assert offences(CORE, forbidden) == {}


def test_arrows_between_rooms_go_one_way():
    def against(path):
        own = room(path)
        used = below(path, "labelrank_core")
        return set() if own == "__init__" else used - ARROWS[own] - {own}

    assert offences(CORE, against) == {}


def test_the_table_of_rooms_is_that_of_the_folder():
    assert {room(path) for path in CORE} == set(ARROWS)
    graph = {own: others & set(ARROWS) for own, others in ARROWS.items()}
    assert list(TopologicalSorter(graph).static_order())


def test_evidence_and_sentences_know_no_drawings():
    package = ROOT / "labelrank_core" / "explain"
    others = [
        path
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] not in {"render", "__init__.py"}
    ]
    assert (
        offences(others, lambda path: below(path, "labelrank_core", "explain") & {"render"}) == {}
    )
    # Nor do imports inside of functions hide a circle.
    assert list(TopologicalSorter(_modules_of(package)).static_order())


def _modules_of(package):
    """The modules of a package, each with those that it imports, wherever in the file."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in package.rglob("*.py")
    }
    return {
        name: {full if full in modules else full.rpartition(".")[0] for full in imports(path)}
        & {*modules}
        for name, path in modules.items()
    }


def test_no_two_classes_of_the_core_share_a_name():
    places = {}
    for path in CORE:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(named(path))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_capabilities_of_models_are_not_asked_for_by_name():
    """They are lines of the catalog, or types and `method_of` of `explain.capabilities`."""

    def asked(path):
        for node in nodes(path):
            match node:
                case ast.Call(func=ast.Name(id="hasattr"), args=[owner, *_]):
                    if ast.unparse(owner) not in imports(path):
                        yield f"line {node.lineno}: {ast.unparse(node)}"
                # What estimators have learned ends in _, after scikit-learn.
                case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(name), _]):
                    if ast.unparse(owner) in MODELS and not name.endswith("_"):
                        yield f"line {node.lineno}: {ast.unparse(node)}"

    # Files, frames and arrays are no models; nor are modules, which differ with the system.
    data = {path for path in CORE if room(path) in {"io", "data", "rankings"}}
    assert offences([path for path in FILES if path not in data], asked) == {}


# What models, paths and points are called in the code.
MODELS = {"model", "estimator", "fitted", "member", "ranker", "classifier", "path", "point"}


def is_private_read(node):
    """Tell whether an expression reads a private name of another object than its own."""
    if not isinstance(node, ast.Attribute) or not re.match(r"_(?!_)", node.attr):
        return False
    owner = ast.unparse(node.value)
    return owner not in {"self", "cls", "super()", "os", "sys"} and node.attr != CONSTRAINTS


# Classes hand their constraints to those that inherit them.
CONSTRAINTS = "_parameter_constraints"


def test_private_names_of_other_objects_are_not_read():
    """What a model has learned is handed to its paths, and their points read it there."""

    def private_reads(path):
        for node in nodes(path):
            if is_private_read(node):
                yield f"line {node.lineno}: {ast.unparse(node)}"

    assert offences([*CORE, *PAGES], private_reads) == {}


def test_families_of_methods_do_not_import_each_other():
    def siblings(path):
        return below(path, "labelrank_core", "methods") & FAMILIES - {path.parent.name}

    folders = FAMILIES | SHARED
    assert offences([path for path in CORE if path.parent.name in folders], siblings) == {}


def compared(path):
    """What tables and conditions are made of: keys, elements, subscripts and names asked for."""
    for node in nodes(path):
        match node:
            case ast.Dict(keys=keys):
                yield from keys
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                yield from elements
            case ast.Subscript(slice=index):
                yield index
            case ast.Compare(left=left, comparators=others):
                yield from (left, *others)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given):
                yield from given if name in ASKING else ()


def test_methods_and_their_parameters_are_named_in_the_catalog_alone():
    knobs = {knob.name for algorithm in ALGORITHMS.values() for knob in algorithm.knobs}
    names = {*ALGORITHMS, *knobs} - OWN_MEANING

    def written(path):
        return names & {part.value for part in compared(path) if isinstance(part, ast.Constant)}

    # Lessons are about single methods.
    others = [path for path in FILES if not {METHODS, LESSONS} & {*path.parents}]
    assert offences(others, written) == {}


def test_pages_import_ui_and_ui_imports_no_page():
    def others(path):
        page = path.relative_to(ROOT / "pages").parts[0]
        return (below(path, "pages") - {"ui", page}) | (below(path) & {"app"})

    # The static site is made of what the pages draw.
    pages = [path for path in PAGES if not path.is_relative_to(ROOT / "pages" / "explorables")]
    assert offences(pages, others) == {}


def test_no_script_lies_directly_in_pages():
    # With one, the first visitor by deep link after a start would bypass app.py.
    assert not list((ROOT / "pages").glob("*.py"))


def test_what_pages_share_lies_on_shelves():
    loose = {path.stem for path in (ROOT / "pages" / "ui").glob("*.py")}
    assert loose == {"compute", "jobs", "session", "uploads", "view"}


def test_only_state_touches_the_session():
    def session(path):
        used = attributes(path, "streamlit")
        return {name for name in used if name.split(".")[0] == "session_state"}

    paths = [path for path in [APP, *PAGES] if named(path) != "pages/ui/session.py"]
    assert offences(paths, session) == {}


def test_only_compute_caches():
    def caches(path):
        return {name for name in attributes(path, "streamlit") if name.startswith("cache")}

    paths = [path for path in [APP, *PAGES] if named(path) != "pages/ui/compute.py"]
    assert offences(paths, caches) == {}


# What takes long on large data, or with a slow method. Names of the core, and methods of models.
SLOW = {
    *("train_model", "train_recorded", "evaluate_fitted", "evaluate_model", "tuned_rules"),
    *("case_path", "path_cases", "point_cases", "predict_cases", "timed_predictions"),
    *("predictions_of_path", "PairGame", "sweep_all", "top_map", "features_of", "similar_cases"),
    *("calibrate", "realise", "label_scores", "controlled_thresholds", "exchangeability_test"),
    *("accuracy_band", "fit_recalibration", "unseen_pairs", "of_model", "withhold_pairs"),
    *("sweep_parameters", "missing_labels", "run_race", "recompute", "ledger", "at_hand"),
    *("aggregate", "every_rule", "differing_profile", "wilcoxon_pairs", "explained_shares"),
    *("plane_of_features", "holdout_split", "cross_validation", "read_cases", "read_dataset"),
    *("inspect_files", "format_losses", "units_of", "ConformalLabelRanker"),
    *("fit", "explain", "predict", "predict_order", "predict_interval", "pair_support"),
}
# Functions of `compute` that run others where they can be cancelled.
WITH_CANCEL = {"once", "run", "started"}
# Files are read by programs with limits of their own, and the rest is of a few cases or of printed
# tables.
WITHOUT_CANCEL = {
    "pages/data/bring.py": {"inspect_files"},
    "pages/ui/view.py": {"holdout_split"},
    "pages/experiments/new_experiment.py": {"units_of"},
    "pages/learn/lessons/neighbours.py": {"aggregate"},
    "pages/papers/recomputation.py": {"ledger"},
    "pages/papers/rivals.py": {"wilcoxon_pairs"},
}


def called(node):
    """The name of what a call calls, without the object or module that has it."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def handed_over(path):
    """All nodes of the functions of a file that are handed over to be computed with Cancel."""
    functions = {node.name: node for node in nodes(path) if isinstance(node, ast.FunctionDef)}
    handed = [
        part
        for node in nodes(path)
        if called(node) in WITH_CANCEL
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]
        for part in ast.walk(argument)
    ]
    computed = [part for part in handed if isinstance(part, ast.Lambda)]
    names = {part.id for part in handed if isinstance(part, ast.Name)}
    names |= {called(part) for node in computed for part in ast.walk(node)}
    # What such a function calls is computed with it.
    while reached := names & {*functions}:
        computed += [functions.pop(name) for name in reached]
        names = {called(part) for node in computed for part in ast.walk(node)}
    return {id(part) for node in computed for part in ast.walk(node)}


def test_pages_compute_what_may_take_long_where_it_has_cancel():
    def outside(path):
        inside = handed_over(path)
        modules = {name.rpartition(".")[2] for name in imports(path) if name.startswith("pages.")}
        slow = {
            called(node)
            for node in nodes(path)
            if id(node) not in inside
            # Functions of other pages may bear such a name.
            and ast.unparse(node).partition(".")[0] not in modules
        }
        return slow & SLOW - WITHOUT_CANCEL.get(named(path), set())

    # A sheet of exercises, on a handful of cases, is one such computation; the static site is
    # built by a command.
    paths = [path for path in PAGES if path.parent.name not in {"exercises", "explorables"}]
    assert offences(paths, outside) == {}


def test_charts_know_no_streamlit():
    charts = [path for path in PAGES if path.parent.name == "charts"]
    assert offences(charts, lambda path: below(path) & {"streamlit"}) == {}


def test_private_names_of_scikit_learn_are_in_one_file():
    def private(path):
        names = {name for name in imports(path) if name.startswith("sklearn")}
        return {name for name in names if any(part.startswith("_") for part in name.split("."))}

    assert offences([path for path in FILES if path.name != "_sklearn.py"], private) == {}


def test_mapie_is_imported_where_it_is_used_and_nowhere_else():
    # It takes longer to import than the app takes to start.
    using = [path for path in FILES if any(name.startswith("mapie") for name in imports(path))]
    assert [path.name for path in using] == ["exchangeability.py", "label_sets.py"]
    for path in using:
        assert not re.search(r"^(from|import) mapie", path.read_text("utf-8"), re.MULTILINE)


def test_nothing_is_printed_or_evaluated():
    dangerous = {"print", "eval", "exec", "compile", "__import__"}
    assert offences(FILES, lambda path: calls(path) & dangerous) == {}


def test_only_the_readers_parse_files_which_run_beside_the_server():
    # What the package ships, and what the command line is given, may be read by pandas.
    trusted = {
        *("labelrank_core/data/samples.py", "labelrank_core/papers/data_sets.py"),
        *("labelrank_core/papers/curves.py", "labelrank_core/papers/ledger.py"),
    }

    def parses(path):
        libraries = ("xml.", "csv", "defusedxml", "openpyxl", "xlrd", "pyarrow.parquet")
        return {name for name in attributes(path, "pandas") if name.startswith("read_")} | {
            name for name in imports(path) if name.startswith(libraries)
        }

    readers = (ROOT / "labelrank_core" / "io").rglob("*.py")
    others = [path for path in {*FILES} - {*readers} if named(path) not in trusted]
    assert offences(others, parses) == {}


def test_only_the_ground_orders_labels_by_their_positions():
    """Sorting breaks ties by label; `label_buckets` keeps them, `strict_order` refuses them."""
    positions = {"positions", "rankings", "ranking", "truth", "prediction"}

    def sorted_positions(path):
        return {
            ast.unparse(node)
            for node in nodes(path)
            if isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in ("argsort", "lexsort")
            and positions & set(re.findall(r"\w+", ast.unparse(node)))
        }

    explained = [
        path for path in CORE if "explain" in named(path) or "data" in path.relative_to(ROOT).parts
    ]
    assert offences([*explained, *PAGES], sorted_positions) == {}


def test_the_entry_is_short():
    assert len(APP.read_text(encoding="utf-8").splitlines()) < 60


CHOICES = {"selectbox", "multiselect", "radio", "pills", "segmented_control", "select_slider"}


def is_constant(node):
    """Tell whether an argument is written down in the code, or a constant of its module."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return all(map(is_constant, elements))
        case ast.Call(func=ast.Name(id="list" | "tuple" | "range"), args=arguments):
            return all(map(is_constant, arguments))
    return False


def test_choices_among_options_that_may_change_go_one_way():
    # A key alone is a widget's identity: only `choices.choose` tells the browser of new options.
    def loose(path):
        for node in nodes(path):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            settings = {keyword.arg: keyword.value for keyword in node.keywords}
            options = [*node.args[1:2], *([settings["options"]] if "options" in settings else [])]
            keyed = "key" in settings or None in settings
            if node.func.attr in CHOICES and keyed and not all(map(is_constant, options)):
                yield f"line {node.lineno}"

    assert offences([APP, *PAGES], loose) == {}


def test_a_table_of_other_rows_has_another_key():
    def fixed(path):
        for node in nodes(path):
            settings = {key.arg: key.value for key in getattr(node, "keywords", [])}
            ticks = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".dataframe")
            if ticks and "on_select" in settings and isinstance(settings["key"], ast.Constant):
                yield settings["key"].value

    assert offences([APP, *PAGES], fixed) == {}


def test_only_openml_makes_requests_and_never_for_the_app():
    def requests(path):
        return {
            name for name in imports(path) if name.startswith(("urllib.request", "http.client"))
        }

    assert set(offences(FILES, requests)) == {"labelrank_core/io/openml.py"}
    asking = {"labelrank_core/__main__.py", "labelrank_core/io/datasets.py"}

    def reached(path):
        return {name for name in imports(path) if "openml" in name.lower()}

    assert set(offences(FILES, reached)) == {*asking, "labelrank_core/io/openml_tasks.py"}
