"""The command that writes the site into a folder."""

import argparse
import gzip
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from streamlit.logger import set_log_level

from labelrank_core import list_samples
from pages.explorables import front, lessons, local_data, papers, playground, samples
from pages.explorables.document import MENU, Page

N_CASES = 8
_REFERENCE = Path(__file__).resolve().parents[2] / ".reference" / "html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the site, and print the size of each page."""
    options = _parser().parse_args(arguments)
    # Streamlit warns of each use outside a page that it draws.
    set_log_level("ERROR")
    options.folder.mkdir(parents=True, exist_ok=True)
    has_reference = options.reference.joinpath("index.html").is_file()
    if has_reference:
        shutil.copytree(options.reference, options.folder / "reference", dirs_exist_ok=True)
    pages = site(options.samples or _sample_names(), options.cases, options.app)
    menu = [*MENU, *[("reference/index.html", "Reference")] * has_reference]
    if options.pyodide is not None:
        local_data.write_python(options.pyodide, options.folder)
        pages.append(local_data.page())
        menu.append((pages[-1].file, pages[-1].title))
    for page in pages:
        content = page.html(menu).encode()
        options.folder.joinpath(page.file).write_bytes(content)
        n_packed = len(gzip.compress(content))
        sys.stdout.write(f"{page.file:<28}{len(content):>9,} bytes, compressed {n_packed:>7,}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="site", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pages go; it is made if need be")
    parser.add_argument("--app", default="", help="address of the app, for links into it")
    parser.add_argument(
        "--samples", nargs="+", choices=_sample_names(), metavar="NAME", help="else all"
    )
    parser.add_argument(
        "--cases", type=int, default=N_CASES, help=f"cases to try of a sample, else {N_CASES}"
    )
    parser.add_argument(
        "--reference",
        type=Path,
        default=_REFERENCE,
        metavar="FOLDER",
        help="pages of the reference, as `tests/run reference` builds them; copied where they are",
    )
    parser.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="Pyodide's full distribution, unpacked: adds a page that explains a reader's file in "
        "the browser; what it needs is copied, some 30 MB",
    )
    return parser


def _sample_names() -> list[str]:
    return [sample.name for sample in list_samples()]


def site(sample_names: Sequence[str], n_cases: int, app_address: str = "") -> list[Page]:
    """Make all pages, the front page first; `app_address` is where links into the app lead."""
    app_address = app_address.rstrip("/")
    examples = samples.pages(sample_names, n_cases, app_address)
    lesson_pages = lessons.pages(app_address)
    groups = [
        ("examples", "Examples", "Guess one case, then ask those most like it.", examples),
        ("lessons", "Lessons", "One picture and one question at a time.", lesson_pages),
    ]
    front_page = front.page(sample_names[0], n_cases, groups, app_address)
    further_pages = [playground.page(app_address), *papers.pages(app_address)]
    return [front_page, *examples, *lesson_pages, *further_pages]
