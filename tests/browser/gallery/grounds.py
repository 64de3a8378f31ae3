"""Pages of drawings: on the grounds on which they stand in the app, in reports and in notebooks."""

import html
from collections.abc import Mapping
from pathlib import Path

from labelrank_core.explain import markup, shown

ROOT = Path(__file__).resolve().parents[3]
GROUNDS = ("page", "report", "notebook")
# Cards as wide as they are there, beside each other where there is room.
_CARDS = """
body {margin: 0}
main {display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 35rem), 1fr));
  gap: 1rem; padding: 1rem}
.card {min-width: 0; padding: 1rem; border: 1px solid #8888; border-radius: .5rem}
.card > h6 {margin: 0 0 .5rem; font: .7rem monospace; opacity: .7}
.dark {color-scheme: dark; background: #10131a; color: #f1f3f7}
"""
_REPORT = (ROOT / "pages/predict/report.css").read_text("utf-8")
_SHEETS = {
    "page": "body {font: 1rem/1.6 'Source Sans', sans-serif}"
    + (ROOT / "pages/ui/page.css").read_text("utf-8"),
    "report": _REPORT + "body {max-width: none; padding: 0}",
    "notebook": "body {font: 14px/1.4 system-ui, sans-serif}",
}


def write_page(
    drawings: Mapping[str, str], ground: str = "page", style: str = "", *, is_dark: bool = False
) -> str:
    """Write a page of cards, each with the drawing of a name."""
    kind = {"page": "lr-parts", "notebook": "lr-shown"}.get(ground, "")
    cards = "".join(
        f'<section class="card" data-name="{html.escape(name)}"><h6>{html.escape(name)}</h6>'
        f'<div class="{kind}">{drawn}</div></section>'
        for name, drawn in drawings.items()
    )
    sheets = shown._SHEET if ground == "notebook" else ""
    look = "dark" if is_dark else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery: {ground}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{markup.STYLE}{sheets}<style>{_SHEETS[ground]}{_CARDS}{style}</style>"
        f'<body class="{look}"><main>{cards}</main></body></html>'
    )


def write_steps(drawings: Mapping[str, str]) -> str:
    """Write a report that has each drawing in a step of its own."""
    steps = "".join(
        f'<section title="{html.escape(name)}">{drawn}</section>'
        for name, drawn in drawings.items()
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8">{markup.STYLE}'
        f'<style>{_REPORT}</style><body><main><div class="steps">{steps}</div></main></body></html>'
    )
