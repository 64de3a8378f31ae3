"""The frame of every page of the site: head, menu and foot, styles and scripts, all in one file."""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import labelrank_core
from labelrank_core.explain.render import markup

_FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
MENU = (
    ("index.html#examples", "Examples"),
    ("index.html#lessons", "Lessons"),
    ("playground.html", "Playground"),
    ("papers.html", "Papers"),
)


@dataclass(frozen=True)
class Page:
    """One page of the site: the name of its file, its subject, and its parts as HTML.

    `styles` and `scripts` are those of this page alone; `card` is the page on the front page;
    `policy` what it may load beyond what stands in it, and `promise` says so at its foot.
    """

    file: str
    title: str
    description: str
    body: str
    styles: str = ""
    scripts: str = ""
    card: str = ""
    policy: str = "script-src 'unsafe-inline'"
    promise: str = "This page works without a server: it sends nothing and asks for nothing."

    def html(self, menu: Sequence[tuple[str, str]] = MENU) -> str:
        """Write the page as one file; `menu` has the address and the title of each entry."""
        title, description = html.escape(self.title), html.escape(self.description)
        is_front = self.file == "index.html"
        script = f"<script>{self.scripts}</script>" if self.scripts else ""
        return "\n".join(
            [
                '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                '<meta name="color-scheme" content="light dark">',
                '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
                f"style-src 'unsafe-inline'; img-src data:; {self.policy}\">",
                f"<title>{title}{'' if is_front else ' · LabelRank Lab'}</title>",
                f'<meta name="description" content="{description}">',
                f'<meta property="og:title" content="{title}">',
                f'<meta property="og:description" content="{description}">',
                f'<link rel="icon" href="data:image/svg+xml,{_logo_url()}">',
                f"<style>{style_sheet('site.css')}</style>{markup.STYLE}"
                f"<style>{self.styles}</style></head>",
                f"<body>{_top(self.file, menu)}<main>{self.body}</main>{_foot(self.promise)}",
                f"{script}</body></html>",
            ]
        )


def style_sheet(name: str) -> str:
    """Return a style sheet of this folder, minified."""
    return minify("text/css", _read(name))


def script(name: str, *sources: str) -> str:
    """Return a script of this folder, after others, minified; no name of theirs is global."""
    source = "\n".join([*sources, _read(name)])
    return minify("text/javascript", f"{{{source}}}")


def _read(name: str) -> str:
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


@cache
def minify(media_type: str, source: str) -> str:
    """Return a script or a style sheet in fewer bytes; without the minifier not in the fewest."""
    try:
        from minify import string
    except ImportError:
        return squeeze(source)
    return string(media_type, source)


def squeeze(source: str) -> str:
    r"""Return a script or a style sheet without comments, indentation and empty lines.

    >>> squeeze("/* A comment. */\n  // Another.\n  a = 1 // kept\n\n")
    'a = 1 // kept'
    """
    lines = (line.strip() for line in _COMMENT.sub("", source).split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def data_element(name: str, data: Any) -> str:
    """Write data for a script as an element of the page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def as_text(body: str, title: str = "As text") -> str:
    """Fold the text of a drawing, written as HTML; it is printed unfolded."""
    return f'<details class="as-text"><summary>{html.escape(title)}</summary>{body}</details>'


@cache
def _logo() -> str:
    path = _FOLDER.parent / "ui" / "frame" / "logo.svg"
    return path.read_text(encoding="utf-8").strip()


def _logo_url() -> str:
    return quote(_logo())


def _top(file: str, menu: Sequence[tuple[str, str]]) -> str:
    links = "".join(
        f'<a href="{address}"{_current(address, file)}>{title}</a>' for address, title in menu
    )
    return (
        f'<header class="top"><a class="home" href="index.html" aria-label="LabelRank Lab">'
        f'{_logo()}</a><nav aria-label="Site">{links}</nav></header>'
    )


def _current(address: str, file: str) -> str:
    return ' aria-current="page"' if address == file else ""


def _foot(promise: str) -> str:
    return f"<footer>LabelRank Lab {labelrank_core.__version__}. {promise}</footer>"
