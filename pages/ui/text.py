"""Names and sentences made safe for where they are shown; the only place that does it."""

import html
import math
import re
from collections.abc import Sequence
from typing import Any

from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import Text, format_value

# No more than Markdown needs, because screen readers read a widget's name with its escapes.
_MARKDOWN = re.compile(r"([]\\`*_[<>#+!|~$:@&-]|(?<=\d)[.)])")
# Invisible; breaks up links, arrows and emoji codes, and tells rows of one name apart.
JOINER = "\u2060"


def markdown(name: str) -> str:
    """Make a name show as it is in Streamlit's Markdown, such as widget labels."""
    one_line = " ".join(name.split())
    escaped = _MARKDOWN.sub(r"\\\1", one_line)
    escaped = re.sub(r"(\\[:@<>~-])", rf"\1{JOINER}", escaped)
    return re.sub(r"(?i)(www)", rf"\1{JOINER}", escaped)


def from_markdown(words: str) -> str:
    """Turn a caption in Markdown, with names made safe for it, into HTML."""
    plain = re.sub(r"\\([^\w\s])", r"\1", words.replace(JOINER, ""))
    return html.escape(plain.replace("**", ""), quote=False)


def plotly(name: str) -> str:
    """Make a name show as it is in Plotly's titles, ticks and texts."""
    return html.escape(name, quote=False).replace("$", f"${JOINER}")


def attribute(words: str) -> str:
    """Make words safe as an attribute of HTML.

    Streamlit's filter drops attributes that hold what could end an element or a comment.
    """
    return html.escape(words.replace("<", f"<{JOINER}").replace(">", f"{JOINER}>"))


def shorten(name: str, length: int = 18) -> str:
    """Cut a long name for a narrow place."""
    return name if len(name) <= length else name[: length - 1].rstrip() + "…"


def shorten_middle(name: str, length: int) -> str:
    """Cut a long name in its middle: names of methods end in their parameters."""
    if len(name) <= length:
        return name
    head = (length - 1) // 2
    return f"{name[:head].rstrip()}…{name[len(name) - (length - 1 - head) :].lstrip()}"


def shorten_all(names: Sequence[str], length: int) -> list[str]:
    """Cut long names for narrow places so that they can still be told apart where possible."""
    short = [shorten(name, length) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    letters = zip(*names, strict=False)
    shared = next((at for at, each in enumerate(letters) if len(set(each)) > 1), 0)
    # Numbers are not cut in two.
    shared = len(names[0][:shared].rstrip("0123456789"))
    return [shorten(name[shared:], length) or name[:length] for name in names]


def with_value(name: str, value: Any) -> str:
    """Name a feature with a value."""
    shown = shorten(value) if isinstance(value, str) else number_text(value)
    return f"{shorten(name)} = {shown}"


def sentence(text: Text, label_names: Sequence[str]) -> str:
    """Fill a text's template as HTML: names escaped, values in bold."""
    values = {
        key: value if key in ("title", "weighted") else f"<b>{html.escape(shown)}</b>"
        for key, value in text.values.items()
        for shown in [format_value(value, label_names)]
    }
    return html.escape(text.template, quote=False).format(**values)


def duration(seconds: float) -> str:
    """Write how long something takes, in the unit that fits."""
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}s"
    return f"about {max(1, round(seconds))} second{'s' * (round(seconds) > 1)}"


def value_range(low: float, high: float) -> str:
    """Write the range of a measure; its upper end may grow with the number of labels."""
    return f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
