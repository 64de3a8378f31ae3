"""The one style sheet of all markup."""

from pathlib import Path

from labelrank_core.explain.markup.palette import N_COLORS, color_class, ink, label_color

_SHEET = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
_COLORS = "".join(
    f".lr .{color_class(label)} {{background: {color}; color: {ink(color)}}}"
    for label in range(N_COLORS)
    for color in [label_color(label)]
)
STYLE = f"<style>{_SHEET}{_COLORS}</style>"
