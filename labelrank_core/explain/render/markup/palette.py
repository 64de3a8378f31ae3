"""Colours of labels, the ink to write on them, and the accent, which no label has.

Drawings name a label's colour by a custom property of style sheets, so that one drawing has the
colours of its data set, where that has some, on light and on dark ground; else the palette's.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

# A property of the style sheet, and its values on light and on dark ground.
ACCENT = "var(--accent, #5b5bd6)"
_ACCENTS = ("#5b5bd6", "#a5a5f5")
# What is against something, and what must be exceeded.
THRESHOLD = "#C11F5B"
# Lines without a label.
LINE = "#888888"

# Okabe and Ito's colours, distinguishable with colour blindness; then darker and lighter ones.
_BASE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
_SHADES = ((1.0, 0), (0.6, 0), (0.55, 110))
# Labels beyond these begin with the first colour again.
N_COLORS = len(_BASE) * len(_SHADES)
# The ground of cards in the light and in the dark theme: marks stand out less on it than on pages.
_GROUNDS = ("#f5f6fa", "#1b202b")
# What WCAG 2.2 asks of marks.
_LEAST_CONTRAST = 3.0
_N_SHADES = 50
# Tables of Streamlit write black on colours of a luminance above 0.5.
_LIGHT = 0.52
# Circle, square, triangle, diamond, and a triangle upside down.
_N_SHAPES = 5
_MARK = re.compile(r"var\(--m(\d+), (#[0-9a-f]{6})\)")


def palette_color(index: int) -> str:
    """Return a colour of the palette as hexadecimal text."""
    factor, lift = _SHADES[(index // len(_BASE)) % len(_SHADES)]
    channels = (int(_BASE[index % len(_BASE)][i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{min(255, int(c * factor) + lift):02x}" for c in channels)


def label_color(index: int) -> str:
    """Return the colour of a label's lines and marks, for style sheets and SVG."""
    return f"var(--m{index % N_COLORS}, {palette_color(index)})"


def color_class(index: int) -> str:
    """Return the class of text on a label's colour."""
    return f"l{index % N_COLORS}"


def mark_class(index: int) -> str:
    """Return the class of a mark in a label's colour, with an edge that stands out."""
    return f"m{index % N_COLORS}"


def shape_class(index: int) -> str:
    """Return the class of the shape of a label's marks on a map, a second cue beside the colour."""
    return f"s{index % _N_SHAPES}"


def color_rules() -> str:
    """Return the style rules of both classes for every colour of the palette."""
    rules = []
    for index in range(N_COLORS):
        color, mark = palette_color(index), label_color(index)
        ground = f"background: var(--l{index}, {color})"
        rules.append(
            f".lr-chip.l{index}, .lr .l{index} {{{ground}; "
            f"color: var(--i{index}, {ink(color)})}}"
            f":is(.lr-chip, .lr-squares i).l{index} {{border-color: {mark}}}"
            f".lr .m{index} {{{ground}; border: 1px solid {mark}; box-sizing: border-box}}"
        )
    return f":where(:root) {{{_marks_on_dark_ground()}}}" + "".join(rules)


def _marks_on_dark_ground() -> str:
    """Return the properties of the palette's marks, lighter where they would be lost on dark."""
    colors = [palette_color(index) for index in range(N_COLORS)]
    return "".join(
        f"--m{index}:light-dark({color},{mark_color((color, color), is_dark=True)});"
        for index, color in enumerate(colors)
    )


def color_properties(colors: Sequence[tuple[str, str]]) -> str:
    """Return custom properties that give labels colours of their own, on light and dark ground.

    None where there are more labels than the palette has colours: some would share a property.
    """
    if len(colors) > N_COLORS:
        return ""
    return "".join(
        f"--{name}{index}:light-dark({light},{dark});"
        for index, pair in enumerate(colors)
        for name, (light, dark) in (
            ("l", pair),
            ("i", (ink(pair[0]), ink(pair[1]))),
            ("m", (mark_color(pair, is_dark=False), mark_color(pair, is_dark=True))),
        )
    )  # fmt: skip


def palette_properties() -> str:
    """Return custom properties that give labels the palette's colours instead of the page's."""
    return color_properties([(palette_color(index),) * 2 for index in range(N_COLORS)])


def plain_colors(text: str, colors: Sequence[tuple[str, str]], *, is_dark: bool) -> str:
    """Replace the custom properties in a text by colours, for viewers without style sheets.

    >>> plain_colors(f"{label_color(0)} {ACCENT}", [], is_dark=True)
    '#0072b2 #a5a5f5'
    """

    def plain(match: re.Match[str]) -> str:
        index = int(match[1])
        has_own = index < len(colors) <= N_COLORS
        return mark_color(colors[index], is_dark=is_dark) if has_own else match[2]

    return _MARK.sub(plain, text.replace(ACCENT, _ACCENTS[is_dark]))


def mark_color(color: tuple[str, str], *, is_dark: bool) -> str:
    """Return the shade of a colour in which marks stand out from the ground."""
    original, ground, end = color[is_dark], _GROUNDS[is_dark], "#ffffff" if is_dark else "#000000"
    shades = (_mixed(original, end, step / _N_SHADES) for step in range(_N_SHADES + 1))
    return next(shade for shade in shades if contrast(shade, ground) >= _LEAST_CONTRAST)


def table_color(color: str) -> str:
    """Return the shade of a colour on which tables of Streamlit write legibly.

    They write in white, on light colours in black: where black is more legible, the shade is light.
    """
    if ink(color) == "#ffffff":
        return color
    shades = (_mixed(color, "#ffffff", step / _N_SHADES) for step in range(_N_SHADES + 1))
    return next(shade for shade in shades if _luminance(shade) >= _LIGHT)


@lru_cache(maxsize=512)
def ink(color: str) -> str:
    """Return black or white, whichever has the higher contrast on a colour."""
    return max(("#ffffff", "#000000"), key=lambda word: contrast(word, color))


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _mixed(color: str, end: str, share: float) -> str:
    pairs = zip(_channels(color), _channels(end), strict=True)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def _channels(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def _luminance(color: str) -> float:
    shares = (channel / 255 for channel in _channels(color))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
