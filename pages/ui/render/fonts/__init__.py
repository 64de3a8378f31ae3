"""The fonts of the app as files, for pages that are read without it."""

from base64 import b64encode
from functools import cache
from pathlib import Path

_FAMILIES = {"Lab Sans": ("sans.woff2", "400 700"), "Lab Serif": ("serif.woff2", "600")}


@cache
def font_faces() -> str:
    """Return style rules that hold the fonts themselves: 53 kB of text."""
    rules = []
    for family, (file, weights) in _FAMILIES.items():
        data = b64encode(Path(__file__).with_name(file).read_bytes()).decode()
        rules.append(
            f'@font-face {{font-family: "{family}"; font-weight: {weights}; '
            f'src: url("data:font/woff2;base64,{data}") format("woff2")}}'
        )
    return "".join(rules)
