"""Line drawings of a physical size, written as SVG or PDF: black lines and Helvetica text.

Lengths are points (1/72 inch), from the left and the top. The PDF has one page of the drawing's
size; it names Helvetica, which every viewer has, instead of embedding a font.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

FONT_SIZE = 8.0
_TO_MM = 25.4 / 72
# Advance widths of Helvetica from space to tilde, in thousandths of the font size.
_WIDTHS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_OTHER_WIDTH = 556


@dataclass(frozen=True)
class Line:
    """A straight black line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.6


@dataclass(frozen=True)
class TextLine:
    """One line of text: `anchor` is the end placed at x; y is the baseline."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return the width of text in Helvetica; accented letters are as wide as without accents."""
    letters = (unicodedata.normalize("NFD", letter)[0] for letter in printable(text))
    codes = (ord(letter) - 32 for letter in letters)
    return sum(_WIDTHS[i] if 0 <= i < 95 else _OTHER_WIDTH for i in codes) * size / 1000


def printable(text: str) -> str:
    """Leave out control characters and half characters, which no file may hold."""
    return "".join(letter for letter in text if letter.isprintable())


@dataclass(frozen=True)
class Drawing:
    """Lines and texts on a white page of `width` times `height` points."""

    width: float
    height: float
    lines: Sequence[Line]
    texts: Sequence[TextLine]

    def svg(self) -> str:
        """Write the drawing as an SVG file, its size in millimetres, names escaped."""
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width * _TO_MM:.2f}mm" '
            f'height="{self.height * _TO_MM:.2f}mm" '
            f'viewBox="0 0 {self.width:.2f} {self.height:.2f}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="{FONT_SIZE:g}">',
            f'<rect width="{self.width:.2f}" height="{self.height:.2f}" fill="white"/>',
        ]
        parts += [
            f'<line x1="{line.x1:.2f}" y1="{line.y1:.2f}" x2="{line.x2:.2f}" y2="{line.y2:.2f}" '
            f'stroke="black" stroke-width="{line.width:g}"/>'
            for line in self.lines
        ]
        # As wide as in Helvetica, also where another font stands in for it.
        parts += [
            f'<text x="{text.x:.2f}" y="{text.y:.2f}" text-anchor="{text.anchor}" '
            f'textLength="{text_width(text.text):.2f}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(printable(text.text))}</text>"
            for text in self.texts
        ]
        return "\n".join([*parts, "</svg>", ""])

    @property
    def fits_pdf(self) -> bool:
        """Whether Helvetica has all letters of the texts, so that `pdf` can be written."""
        return not any(
            printable(text.text).encode("cp1252", "ignore").decode("cp1252") != printable(text.text)
            for text in self.texts
        )

    def pdf(self) -> bytes:
        """Write the drawing as a PDF file (1.4) of one page.

        Raises
        ------
        ValueError
            If a text has letters outside Windows-1252, which Helvetica lacks; use `svg` then.
        """
        content = b"\n".join(
            [*(self._pdf_line(line) for line in self.lines), *map(self._pdf_text, self.texts)]
        )
        box = f"[0 0 {self.width:.2f} {self.height:.2f}]"
        bodies = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        file, offsets = b"%PDF-1.4\n", []
        for number, body in enumerate(bodies, 1):
            offsets.append(len(file))
            file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(file)
        file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
        file += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        return file + trailer % (len(bodies) + 1, start)

    def _pdf_line(self, line: Line) -> bytes:
        # PDF counts from the bottom.
        ends = (line.x1, self.height - line.y1, line.x2, self.height - line.y2)
        return "{:.2f} w {:.2f} {:.2f} m {:.2f} {:.2f} l S".format(line.width, *ends).encode()

    def _pdf_text(self, text: TextLine) -> bytes:
        content = printable(text.text)
        try:
            letters = content.encode("cp1252")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"Expected letters of Windows-1252 for PDF, got {content!r}: write SVG instead, or "
                f"use a short name without {content[error.start]!r}."
            ) from None
        for mark in (b"\\", b"(", b")"):
            letters = letters.replace(mark, b"\\" + mark)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * text_width(content)
        position = f"{text.x - shift:.2f} {self.height - text.y:.2f}"
        return f"BT /F1 {FONT_SIZE:g} Tf {position} Td (".encode() + letters + b") Tj ET"
