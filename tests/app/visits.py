"""A session of the app without a browser."""

import html
import json
import re
from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.util import calc_hash

from labelrank_core.methods import ALGORITHMS
from pages.ui.toolbar import bar as toolbar
from tests import problems

# AppTest looks for components in every package that is installed, for every session anew.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# It also compiles the scripts of the app anew in every run, those of pages by a cache of their own.
local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)
app_test.ScriptCache = local_script_runner.ScriptCache
# AppTest has only what its last run drew: a moved parameter draws the whole page, and what stands
# beside it. `draws_alone` is what it does for visitors.
draws_alone, toolbar.rerun_page = toolbar.rerun_page, lambda: None

ROOT = Path(__file__).resolve().parents[2]
START, PREDICT = "pages/start/page.py", "pages/predict/page.py"
# Lessons, pasted tables, experiments and papers bring their own data; all other pages are about
# those in use.
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in sorted(ROOT.glob("pages/*/page.py"))
    if path.parent.name not in ("learn", "compare", "experiments", "papers")
]


def session(page=PREDICT, **link):
    """Open a page by a link; with iris, unless it names other data."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    # Before the first run AppTest knows no page by its file: it is asked for by its address.
    if page != START:
        app._page_hash = calc_hash(Path(page).parent.name)
    for key, value in {"data": "iris", **link}.items():
        app.query_params[key] = str(value)
    return ran(app.run())


def few_params(key):
    """Parameters a link can carry with which a method of the catalog is fitted fast."""
    of_method = problems.few(ALGORITHMS[key])
    return {name: value for name, value in of_method.items() if name in problems.FEW}


def few(key):
    """The same as a link has them."""
    return {f"{key}_{name}": value for name, value in few_params(key).items()}


def ran(app):
    """Return the app, after looking for what no page may show."""
    assert not app.exception, app.exception[0].stack_trace
    return app


def scroll_to(app, view):
    """Come to a chapter of Predict, called as links of earlier versions call it."""
    app.query_params["view"] = view
    return ran(app.run())


def go_to(app, page):
    return ran(app.switch_page(page).run())


def bar(app):
    """What the buttons of the bar say, and the link that Share copies."""
    (buttons,) = [each for each in app.main if '"facts":' in getattr(each.proto, "json", "")]
    return json.loads(buttons.proto.json)


def facts(app):
    """What the bar says of data, task, method and case."""
    return bar(app)["facts"]


def sentences(app):
    """The sentences of explanations as plain text, without captions."""
    # Of a verdict only the sentence that sums the prediction up.
    said = [re.sub(r"<p>(?:(?!</p>).)*</p>(?=<p class=.summary)", "", each) for each in drawn(app)]
    paragraphs = [found for body in said for found in re.findall(r"<p\b([^>]*)>(.*?)</p>", body)]
    return [plain(words) for attributes, words in paragraphs if "muted" not in attributes]


def headings(app):
    """The headings below that of the page, wherever they stand."""
    found = [each for body in drawn(app) for each in re.findall("<h2>(.*?)</h2>", body)]
    return [*(each.value for each in app.header), *map(plain, found)]


def drawn(app):
    """What is drawn as HTML."""
    return [element.value for element in app.main if type(element).__name__ == "Html"]


def look_alikes(app):
    """What the component of the first page is given to draw."""
    protos = [component.proto for component in app.get("bidi_component")]
    (proto,) = [proto for proto in protos if proto.component_name == "labelrank_look_alikes"]
    return json.loads(proto.json)


def sent(app):
    """All that a page was sent; what the bar says, as it is read."""
    return " ".join([facts(app), *(str(each.proto) for each in app.main)])


def first_of_cards(app):
    """What stands first in each card with a border: its heading, unless a widget got ahead."""
    found = []

    def look(block):
        children = [each for each in block.children.values() if each.type != "empty"]
        if block.type == "flex_container" and block.proto.flex_container.border and children:
            found.append(children[0])
        for child in children:
            if hasattr(child, "children"):
                look(child)

    look(app.main)
    return found


def plain(markup):
    return html.unescape(re.sub("<[^>]+>", "", markup))


def neighbors_table(app):
    """The table beside the picture of the neighbours."""
    return next(table.value for table in app.dataframe if "distance" in table.value.columns)


def python_lines(app):
    """Open the Python code of a page, and return it."""
    app.session_state["python"] = True
    return ran(app.run()).code[-1].value
