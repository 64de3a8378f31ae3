"""What a link to the app looks like where it is pasted: a title, a description and a picture."""

import html
import json
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PICTURE_PATH = "/preview.png"
_TITLE = "LabelRank Lab: which order, and why?"
_DESCRIPTION = (
    "See label ranking and multi-label ranking at work: what is predicted for one case, which "
    "known cases stand behind it, how sure it is, and how good."
)
_SIZE = (1200, 630)
_PAPER, _INK, _ACCENT = "#fbfaf7", "#0b1220", "#5b5bd6"
_MARGIN = 80
_MOST_CHIPS = 8
_SECONDS_KEPT = 86_400


def read_samples(root):
    """Read the descriptions of the samples by name, beside or within the package."""
    folders = [Path(root) / "sample_data"]
    spec = find_spec("labelrank_core")
    if spec is not None and spec.origin:
        folders.append(Path(spec.origin).parent / "sample_data")
    for folder in folders:
        path = folder / "index.json"
        if path.is_file():
            return {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}
    return {}


class Previews:
    """Writes the elements of a page's head, and draws its picture; `samples` by their names."""

    def __init__(self, samples):
        self.samples = samples

    def title_and_description(self, name):
        """Return what a link says that names a data set; None and others: the app itself."""
        sample = self.samples.get(name)
        if sample is None:
            return _TITLE, _DESCRIPTION
        return sample.get("question") or sample["title"], sample["summary"]

    def head(self, scope):
        """Write the elements for the address of a request."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        (name,) = query.get("data", [""])[:1]
        name = name if name in self.samples else ""
        title, description = map(html.escape, self.title_and_description(name))
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        is_https = b"https" in (headers.get(b"x-forwarded-proto"), scope["scheme"].encode())
        picture = f"http{'s' * is_https}://{host}{scope.get('root_path', '')}{PICTURE_PATH}"
        picture = html.escape(picture + (f"?data={name}" if name else ""))
        return (
            f'<title>{title}</title><meta name="description" content="{description}">'
            f'<meta property="og:title" content="{title}">'
            f'<meta property="og:description" content="{description}">'
            f'<meta property="og:type" content="website">'
            f'<meta property="og:image" content="{picture}">'
            f'<meta property="og:image:width" content="{_SIZE[0]}">'
            f'<meta property="og:image:height" content="{_SIZE[1]}">'
            '<meta name="twitter:card" content="summary_large_image">'
        ).encode()

    def route(self):
        """Return the route to the pictures."""

        # Not a coroutine: it is drawn on a thread of its own.
        def answer(request):
            name = request.query_params.get("data", "")
            if name and name not in self.samples:
                return PlainTextResponse("Not found.", 404)
            headers = {"Cache-Control": f"public, max-age={_SECONDS_KEPT}"}
            return Response(self.picture(name), media_type="image/png", headers=headers)

        return Route(PICTURE_PATH, answer)

    @lru_cache(maxsize=32)  # noqa: B019 - it lives as long as the server
    def picture(self, name):
        """Draw the question of a sample and its labels, as the bytes of a PNG."""
        from PIL import Image, ImageDraw, ImageFont

        from labelrank_core.explain.render.markup.palette import ink, palette_color

        image = Image.new("RGB", _SIZE, _PAPER)
        draw = ImageDraw.Draw(image)
        for row, width in enumerate((66, 45, 27)):
            top = _MARGIN + 22 * row
            draw.rounded_rectangle((_MARGIN, top, _MARGIN + width, top + 14), 6, _ACCENT)
        small, large = ImageFont.load_default(34), ImageFont.load_default(72)
        draw.text((_MARGIN + 90, _MARGIN + 8), "LabelRank Lab", _ACCENT, small)
        title, _ = self.title_and_description(name)
        room = _SIZE[0] - 2 * _MARGIN
        top = 200
        for line in _lines(title, large, room):
            draw.text((_MARGIN, top), line, _INK, large)
            top += 88
        sample = self.samples.get(name)
        labels = ["first", "second", "third"] if sample is None else sample["labels"]
        colors = [] if sample is None else sample.get("label_colors") or []
        left, top = _MARGIN, top + 36
        chip = ImageFont.load_default(34)
        for i, label in enumerate(labels[:_MOST_CHIPS]):
            width = chip.getlength(label) + 44
            if left + width > _SIZE[0] - _MARGIN:
                left, top = _MARGIN, top + 74
            if top > _SIZE[1] - _MARGIN:
                break
            color = colors[i][0] if colors else palette_color(i)
            draw.rounded_rectangle((left, top, left + width, top + 58), 12, color)
            draw.text((left + 22, top + 8), label, ink(color), chip)
            left += width + 14
        stream = BytesIO()
        image.save(stream, "PNG", optimize=True)
        return stream.getvalue()


def _lines(text, font, room):
    """Break a text into lines that fit into a width."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
