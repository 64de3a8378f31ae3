"""What the page that Streamlit serves needs so that nothing on it jumps while it is drawn.

What a script draws is styled late: Streamlit loads the part of it that draws HTML after the first
elements, which stood elsewhere until then. So the style sheets of the app's frame are in the page.
It loads the part of each other kind of element as late, with a grey bar of one height in its place
until then. So those of every page are loaded while the app is.
"""

import re
from importlib.util import find_spec
from pathlib import Path

from guard import is_html

# Streamlit's own page; the reference has none.
_ROOT_ELEMENT = b'<div id="root">'
_END, _HEAD = b"</body>", b"</head>"
_TITLE = re.compile(rb"<title>[^<]*</title>")
# They hold for the page without the sheets.
_STALE = {b"content-length", b"etag", b"last-modified"}
# Parts of Streamlit by the names of their files. Those of tables and charts are large.
_PARTS = (
    *("BidiComponent", "Button", "ButtonGroup", "Checkbox", "DownloadButton", "Html"),
    *("NumberInput", "PageLink", "Selectbox", "Slider", "TextArea"),
)
_IMPORT = re.compile(r"""(?:from|import)["']\./([\w.-]+\.js)["']""")


def preload_links(static):
    """Write links to the scripts of Streamlit's parts, and to what these import."""
    scripts = Path(static) / "js"
    waiting = [path.name for part in _PARTS for path in scripts.glob(f"{part}.*.js")]
    found = {}
    while waiting:
        name = waiting.pop()
        if name not in found:
            source = (scripts / name).read_text(encoding="utf-8")
            found[name] = f'<link rel="modulepreload" crossorigin href="./static/js/{name}">'
            waiting += _IMPORT.findall(source)
    return "".join(found[name] for name in sorted(found)).encode()


def read_sheets(root):
    """Read the sheets of drawings, the page's frame, the menu, the bar and lessons as one element.

    That of drawings comes first: the others refine it.
    """
    names = (
        "frame/page.css",
        "frame/heights.css",
        "frame/menu.css",
        "toolbar/bar.css",
        "../learn/lesson.css",
        "../learn/path.css",
    )
    # The package lies beside the pages in a checkout alone.
    package = Path(find_spec("labelrank_core").origin).parent
    sheets = [package / "explain" / "render" / "markup" / "style.css"]
    sheets += [Path(root) / "pages" / "ui" / name for name in names]
    return b"<style>%s</style>" % b"".join(sheet.read_bytes() for sheet in sheets)


class Frame:
    """Adds elements to the end of Streamlit's page, behind all that Streamlit adds.

    `write_head(scope)` writes its title and what else stands in its head for one request.
    """

    def __init__(self, app, elements, write_head):
        self.app = app
        self.elements = elements
        self.write_head = write_head

    async def __call__(self, scope, receive, send):
        """Pass a request on, and add the sheets to the answer where it is the page."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, parts = None, []

        async def send_styled(message):
            nonlocal start
            if message["type"] == "http.response.start" and is_html(message["headers"]):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    body = self._styled(b"".join(parts), scope)
                    headers = [pair for pair in start["headers"] if pair[0].lower() not in _STALE]
                    headers.append((b"content-length", b"%d" % len(body)))
                    await send({**start, "headers": headers})
                    await send({"type": "http.response.body", "body": body})

        # The sheets are added to what can be read, so a page is not compressed.
        headers = scope["headers"]
        if any(name.lower() == b"accept" and b"text/html" in value for name, value in headers):
            headers = [pair for pair in headers if pair[0].lower() != b"accept-encoding"]
        await self.app({**scope, "headers": headers}, receive, send_styled)

    def _styled(self, page, scope):
        if _ROOT_ELEMENT not in page:
            return page
        page = _TITLE.sub(b"", page, 1).replace(_HEAD, self.write_head(scope) + _HEAD, 1)
        before, end, after = page.rpartition(_END)
        return before + self.elements + end + after
