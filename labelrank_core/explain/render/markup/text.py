"""Names and sentences made safe for where they are shown; the only place that does it."""

import html
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from labelrank_core.data.schema import number_text
from labelrank_core.rankings import isolated

# No more than Markdown needs, because screen readers read a widget's name with its escapes.
_MARKDOWN = re.compile(r"([]\\`*_[<>#+!|~$:@&-]|(?<=\d)[.)])")
# Invisible; breaks up links, arrows and emoji codes, and tells rows of one name apart.
JOINER = "\u2060"
# A name before a long value is not cut further.
_FEWEST_LETTERS = 8
# Of a feature's name beside its value: its unit mostly has room.
_NAME_LETTERS = 26


def markdown(name: str) -> str:
    """Make a name show as it is in Streamlit's Markdown, such as widget labels."""
    one_line = isolated(" ".join(name.split()))
    escaped = _MARKDOWN.sub(r"\\\1", one_line)
    escaped = re.sub(r"(\\[:@<>~-])", rf"\1{JOINER}", escaped)
    return re.sub(r"(?i)(www)", rf"\1{JOINER}", escaped)


def from_markdown(caption: str) -> str:
    """Turn a caption in Markdown, with names made safe for it, into HTML."""
    plain = re.sub(r"\\([^\w\s])", r"\1", caption.replace(JOINER, ""))
    return html.escape(plain.replace("**", ""), quote=False)


def attribute(text: str) -> str:
    """Make words safe as an attribute of HTML.

    Streamlit's filter drops attributes that hold what could end an element or a comment.
    """
    return html.escape(text.replace("<", f"<{JOINER}").replace(">", f"{JOINER}>"))


def capitalised(text: str) -> str:
    """Return words with a capital first letter.

    >>> capitalised("mean F1"), capitalised("")
    ('Mean F1', '')
    """
    return text[:1].upper() + text[1:]


def percent(number: float, n_digits: int = 1) -> str:
    """Write a number of per cent for a style sheet; one that rounds to 0 has no sign.

    >>> percent(12.34), percent(-0.0), percent(-0.04), percent(-50.0, 0)
    ('12.3%', '0.0%', '0.0%', '-50%')
    """
    return f"{number:z.{n_digits}f}%"


def keyed(key: str) -> str:
    """Mark an element as that of a case or a label: the same in the next drawing; "" does not."""
    return f' data-key="{attribute(key)}"' if key else ""


def shorten(name: str, length: int = 18) -> str:
    """Cut a long name for a narrow place."""
    return name if len(name) <= length else name[: length - 1].rstrip() + "…"


def shorten_all(names: Sequence[str], length: int) -> list[str]:
    """Cut long names for narrow places so that they can still be told apart where possible."""
    short = [shorten(name, length) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    letters = zip(*names, strict=False)
    shared = next((at for at, column in enumerate(letters) if len(set(column)) > 1), 0)
    # Numbers are not cut in two.
    shared = len(names[0][:shared].rstrip("0123456789"))
    ends = [shorten(name[shared:], length) or name[:length] for name in names]
    if len(set(ends)) == len(set(names)):
        return ends
    counts = Counter(short)
    middle = [
        shorten_middle(name, length) if counts[cut] > 1 else cut
        for name, cut in zip(names, short, strict=True)
    ]
    if len(set(middle)) == len(set(names)):
        return middle
    counts = Counter(middle)
    return [
        f"…{name[1 - length :].lstrip()}" if counts[cut] > 1 and len(name) > length else cut
        for name, cut in zip(names, middle, strict=True)
    ]


def shorten_middle(name: str, length: int) -> str:
    """Cut a long name in its middle: names of methods, for one, end in their parameters."""
    if len(name) <= length:
        return name
    head = (length - 1) // 2
    return f"{name[:head].rstrip()}…{name[len(name) - (length - 1 - head) :].lstrip()}"


def shorten_before_value(text: str, length: int) -> str:
    """Cut the name of a feature before its value: a number that is cut would be another one.

    >>> shorten_before_value("the age of the building = 123457", 26)
    'the age of the b… = 123457'
    """
    name, sign, value = text.rpartition(" = ")
    if not sign:
        return shorten(text, length)
    return f"{shorten(name, max(_FEWEST_LETTERS, length - len(sign) - len(value)))}{sign}{value}"


def with_value(name: str, value: Any) -> str:
    """Name a feature with a value."""
    value_text = isolated(shorten(value)) if isinstance(value, str) else number_text(value)
    return f"{isolated(shorten(name, _NAME_LETTERS))} = {value_text}"
