"""The page of a file of the reader: Python beside the page reads a file and explains a prediction.

The page asks for Pyodide and the package only when somebody has chosen a file, both from the
folder of the site, and sends nothing.
"""

import html
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import labelrank_core
from pages.data.bring import FORM_TITLES
from pages.explorables.document import Page, data_element, script, style_sheet

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn")
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"
_ARCHIVE = "labelrank_core.zip"
_PROGRAM = Path(__file__).with_name("local_data_program.py")
# A script of the site's own folder may be loaded and run, here alone.
_POLICY = "script-src 'unsafe-inline' 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def page() -> Page:
    """Make the page."""
    forms = "".join(
        f'<option value="{form}">{html.escape(title)}</option>'
        for form, title in FORM_TITLES.items()
    )
    program = _PROGRAM.read_text(encoding="utf-8")
    python = {"packages": _PACKAGES, "archive": _ARCHIVE, "program": program}
    body = (
        "<h1>Your own data</h1>"
        '<p class="lead">Drop a table of cases: one row for each, with what is known of it and how '
        "it ranks or rates the labels. The file stays in this browser.</p>"
        '<form class="local-data"><label class="drop" tabindex="0">Choose a CSV file, or drop it '
        'here<input type="file" tabindex="-1" accept=".csv,.txt,.tsv,.arff"></label>'
        '<p class="status" role="status"></p>'
        '<div class="choices" hidden><fieldset><legend>Which columns are labels?</legend>'
        '<div class="columns"></div></fieldset>'
        f'<label>Their numbers are <select name="form">{forms}</select></label>'
        '<label>Row <input name="row" type="number" min="1" value="1"></label>'
        '<label>Similar rows (k) <input name="k" type="number" min="1" value="5"></label>'
        '<button class="button">Explain</button></div></form>'
        '<section class="answer" aria-live="polite"></section>'
        f"{data_element('python', python)}"
    )
    return Page(
        "your-data.html",
        "Your own data",
        "Drop a table of rankings: one prediction is explained, and no byte leaves the browser.",
        body,
        style_sheet("local_data.css"),
        script("local_data.js"),
        policy=_POLICY,
        promise="This page loads Python from its own folder, and sends nothing.",
    )


def write_python(pyodide: Path, folder: Path) -> None:
    """Put Pyodide and the package into the folder of the site.

    Parameters
    ----------
    pyodide : Path
        Pyodide's full distribution, unpacked.
    folder : Path
        The folder of the site.

    Raises
    ------
    FileNotFoundError
        If a file of the distribution is missing.
    """
    lock = json.loads(pyodide.joinpath(_LOCK).read_text(encoding="utf-8"))["packages"]
    wheels = [lock[name]["file_name"] for name in _with_dependencies(_PACKAGES, lock)]
    target = folder / "pyodide"
    target.mkdir(parents=True, exist_ok=True)
    for name in (*_RUNTIME, _LOCK, *wheels):
        shutil.copyfile(pyodide / name, target / name)
    root = Path(labelrank_core.__file__).parent
    with ZipFile(folder / _ARCHIVE, "w", ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, Path(root.name) / path.relative_to(root))


def _with_dependencies(names: Iterable[str], lock: dict[str, dict[str, list[str]]]) -> list[str]:
    needed: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = None
            waiting += lock[name]["depends"]
    return list(needed)
