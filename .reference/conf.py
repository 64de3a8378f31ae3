"""Sphinx's settings for the reference and the gallery: `python3 tests/run reference` builds them.

The pages of the interface are listed from what the packages export, so that none is forgotten.
"""

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

from docutils.nodes import Node, SkipNode
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.ext.autosummary import Autosummary

from labelrank_core import __version__

HERE = Path(__file__).parent
# The packages in the order of the reference, with the title of their page.
PACKAGES = {
    "labelrank_core": "labelrank_core: what most programs need",
    "labelrank_core.rankings": "rankings: positions, orders and ties",
    "labelrank_core.data": "data: data sets and findings",
    "labelrank_core.data.profile": "data.profile: profiles of data sets",
    "labelrank_core.io": "io: files",
    "labelrank_core.aggregation": "aggregation: consensus of rankings",
    "labelrank_core.metrics": "metrics: measures",
    "labelrank_core.methods": "methods: the catalog of methods",
    "labelrank_core.evaluation": "evaluation: quality of methods",
    "labelrank_core.evaluation.decisions": "evaluation.decisions: label sets from scores",
    "labelrank_core.evaluation.guarantees": "evaluation.guarantees: predictions with a guarantee",
    "labelrank_core.evaluation.sensitivity": "evaluation.sensitivity: quality by setting",
    "labelrank_core.explain": "explain: explanations",
    "labelrank_core.explain.evidence": "explain.evidence: steps of explanations",
    "labelrank_core.explain.what_if": "explain.what_if: changes of a case",
    "labelrank_core.comparison.leaderboard": "comparison.leaderboard: tables of results",
    "labelrank_core.comparison.significance": "comparison.significance: tests of differences",
    "labelrank_core.experiments": "experiments: methods on several data sets",
    "labelrank_core.papers": "papers: tables that papers print",
}

project = "LabelRank Lab"
author = "LabelRank Lab maintainers"
copyright = author
version = release = __version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["html", "doctrees", "examples"]
templates_path = ["templates"]
default_role = "code"

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_use_plots = False

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"LabelRank Lab {version}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

sphinx_gallery_conf = {
    "examples_dirs": str(HERE / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "image_scrapers": (),
    "reset_modules": (),
    "capture_repr": ("_repr_html_", "__repr__"),
    "abort_on_example_error": True,
    "show_memory": False,
    "min_reported_time": 1_000_000,
    "write_computation_times": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "plot_gallery": "True",
}


def exported(module: Any) -> list[str]:
    """List the public classes and functions of a module, constants left out."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    ]
    return [name for name in names if is_documented(getattr(module, name))]


def is_documented(value: Any) -> bool:
    return inspect.isclass(value) or inspect.isfunction(value)


def listed(path: str, pages: dict[Any, str]) -> Iterator[str]:
    """Yield the lines of a package's page: its summary, tables, and what has a page already."""
    module = import_module(path)
    title = PACKAGES[path]
    yield from (title, "=" * len(title), "", f".. currentmodule:: {path}", "")
    yield from (inspect.getdoc(module) or "").split(">>>")[0].strip().splitlines()
    values = {name: getattr(module, name) for name in exported(module)}
    names = [name for name in values if values[name] not in pages]
    elsewhere = [pages[value] for value in values.values() if value in pages]
    pages.update((values[name], f"{path}.{name}") for name in names)
    classes = [name for name in names if inspect.isclass(getattr(module, name))]
    functions = [name for name in names if name not in classes]
    for heading, part in (("Classes", classes), ("Functions", functions)):
        if part:
            yield from ("", heading, "-" * len(heading), "", ".. autosummary::")
            yield from ("   :toctree: generated", "   :nosignatures:", "")
            yield from (f"   {name}" for name in part)
    if elsewhere:
        yield from ("", "Also here: " + ", ".join(f":py:obj:`{name}`" for name in elsewhere) + ".")
    yield ""


def write_pages() -> None:
    """Write a page for each package, and the one that lists them."""
    folder = HERE / "interface"
    folder.mkdir(exist_ok=True)
    pages: dict[Any, str] = {}
    for path in PACKAGES:
        text = "\n".join(listed(path, pages))
        (folder / f"{path}.rst").write_text(text, encoding="utf-8")


write_pages()


class Summaries(Autosummary):
    """Tables of summaries without sources, whose keys numpydoc has made unreadable there."""

    def get_items(self, names: list[str]) -> list[tuple[Any, ...]]:
        return [
            (name, signature, re.sub(r" ?\[[\w-]+\]_", "", summary), real_name)
            for name, signature, summary, real_name in super().get_items(names)
        ]


def write_formula(translator: Any, node: Node) -> None:
    """Write a formula as MathML, which browsers typeset themselves: nothing is requested."""
    is_block = node.tagname == "math_block"
    formula = tex2mathml(node.astext(), as_block=is_block)
    translator.body.append(f'<div class="formula">{formula}</div>' if is_block else formula)
    raise SkipNode


def setup(app: Any) -> None:
    renderer = (write_formula, None)
    app.add_html_math_renderer("mathml", inline_renderers=renderer, block_renderers=renderer)
    app.add_directive("autosummary", Summaries, override=True)
    # Before numpydoc, which gives the keys of each docstring names of their own.
    app.connect("autodoc-process-docstring", add_sources, priority=100)


def add_sources(_app: Any, _kind: str, _name: str, value: Any, _options: Any, lines: Any) -> None:
    """Append the sources that a docstring cites and its class or module lists."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    owner = getattr(module, getattr(value, "__qualname__", "").partition(".")[0], None)
    lines += missing_sources(lines, [inspect.getdoc(holder) or "" for holder in (owner, module)])


def missing_sources(lines: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return a section with the sources cited in `lines` that only other texts describe."""
    docstring = "\n".join(lines)
    cited = dict.fromkeys(re.findall(r"\[(\w+)\]_", docstring))
    found = []
    for key in cited:
        pattern = rf"^( *)\.\. \[{key}\].*\n?(?:\1 +\S.*\n?)*"
        if not re.search(pattern, docstring, re.MULTILINE):
            sources = (re.search(pattern, text, re.MULTILINE) for text in texts)
            found += next((dedent(match[0]).splitlines() for match in sources if match), [])
    if not found:
        return []
    heading = [] if "References" in lines else ["", "References", "----------"]
    return [*heading, *found, ""]
