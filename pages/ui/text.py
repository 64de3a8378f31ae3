"""Names and sentences made safe for where they are shown; the only place that does it."""

import html
import re
from collections.abc import Sequence

from labelrank_core.evidence import Text, format_value

# No more than Markdown needs, because screen readers read a widget's name with its escapes.
_MARKDOWN = re.compile(r"([]\\`*_[<>#+!|~$:@&-]|(?<=\d)[.)])")
_JOINER = "\u2060"  # invisible, and breaks up links, arrows and emoji codes


def markdown(name: str) -> str:
    """Make a name show as it is in Streamlit's Markdown, such as widget labels.

    Parameters
    ----------
    name : str
        Any text of a user.

    Returns
    -------
    str
        Punctuation escaped; links, arrows and emoji codes broken up by an invisible joiner.
    """
    one_line = " ".join(name.split())
    escaped = _MARKDOWN.sub(r"\\\1", one_line)
    escaped = re.sub(r"(\\[:@<>~-])", rf"\1{_JOINER}", escaped)
    return re.sub(r"(?i)(www)", rf"\1{_JOINER}", escaped)


def plotly(name: str) -> str:
    """Make a name show as it is in Plotly's titles, ticks and texts.

    Parameters
    ----------
    name : str
        Any text of a user.

    Returns
    -------
    str
        Pseudo-HTML escaped.
    """
    return html.escape(name, quote=False).replace("$", f"${_JOINER}")


def shorten(name: str, length: int = 18) -> str:
    """Cut a long name for a narrow place.

    Parameters
    ----------
    name : str
        Any text.
    length : int, default=18
        The most characters to keep.

    Returns
    -------
    str
        The name, or its beginning and an ellipsis.
    """
    return name if len(name) <= length else name[: length - 1].rstrip() + "…"


def sentence(text: Text, label_names: Sequence[str]) -> str:
    """Fill a text's template as HTML: names escaped, values in bold.

    Parameters
    ----------
    text : Text
        Template and values.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    str
        HTML for `streamlit.html`.
    """
    values = {
        key: value if key in ("title", "weighted") else f"<b>{html.escape(shown)}</b>"
        for key, value in text.values.items()
        for shown in [format_value(value, label_names)]
    }
    return html.escape(text.template, quote=False).format(**values)
