"""Pages of drawings: on the grounds on which they stand in the app, in reports and in notebooks."""

import base64
import html
from collections.abc import Mapping
from pathlib import Path

import plotly.graph_objects as go
import streamlit
from plotly.offline import get_plotlyjs

from labelrank_core.explain.render import explanation, markup
from labelrank_core.explain.render.markup.palette import plain_colors

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
_MEDIA = Path(streamlit.__file__).parent / "static" / "static" / "media"
# Streamlit's own font: texts are as wide as in the app, whatever fonts the machine has.
_FONT = base64.b64encode(next(_MEDIA.glob("SourceSansVF-Upright*")).read_bytes()).decode()
_FONT_FACE = (
    '@font-face {font-family: "Source Sans"; font-weight: 200 900; '
    f"src: url(data:font/woff2;base64,{_FONT})}}"
)
_REPORT = (ROOT / "pages/predict/report.css").read_text("utf-8")
_SHEETS = {
    "page": _FONT_FACE
    + "body {font: 1rem/1.6 'Source Sans', sans-serif}"
    + (ROOT / "pages/ui/frame/page.css").read_text("utf-8"),
    "report": _REPORT + "body {max-width: none; padding: 0}",
    "notebook": "body {font: 14px/1.4 system-ui, sans-serif}",
}


# The template that Streamlit makes of the theme, in the sizes that it has with the app's settings.
_AXIS = {"tickfont": {"size": 11}, "automargin": True, "gridcolor": "#8888", "zeroline": False}
_TEMPLATE = {
    "layout": {
        "font": {"family": "Source Sans", "size": 11},
        "title": {"font": {"size": 15}, "x": 0, "xanchor": "left"},
        "legend": {"font": {"size": 11}},
        "xaxis": {**_AXIS, "title": {"font": {"size": 13}, "standoff": 19}, "showgrid": False},
        "yaxis": {**_AXIS, "title": {"font": {"size": 13}, "standoff": 22}},
        "margin": {"pad": 7, "l": 0, "r": 0},
    }
}
DRAW_CHARTS = """async () => {
  await document.fonts.load('12px "Source Sans"')
  await Promise.all([...document.querySelectorAll(".plot")].map((plot, i) =>
    Plotly.newPlot(plot, figures[i].data, figures[i].layout, { displayModeBar: false })))
}"""
FIND_CHART_FAULTS = Path(__file__).with_name("charts.js").read_text("utf-8")


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
    sheets = explanation._SHEET if ground == "notebook" else ""
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


def write_charts(charts: Mapping[str, go.Figure]) -> str:
    """Write a page of cards in which `DRAW_CHARTS` draws charts, as Streamlit has Plotly do it."""
    cards = "".join(
        f'<section class="card"><h6>{html.escape(name)}</h6>'
        f'<div class="plot" data-name="{html.escape(name)}"></div></section>'
        for name in charts
    )
    figures = [
        plain_colors(figure.update_layout(template=_TEMPLATE).to_json(), (), is_dark=False)
        for figure in charts.values()
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery: charts</title>'
        f"<style>{_FONT_FACE}{_CARDS}"
        'h6 {font-family: "Source Sans"}</style>'
        f"<body><main>{cards}</main><script>{get_plotlyjs()}</script>"
        f"<script>window.figures = [{','.join(figures)}]</script></body></html>"
    )
