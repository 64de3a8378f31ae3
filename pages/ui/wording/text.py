"""Words of the pages, and those that are made safe for where they are shown."""

import html
import math
import re
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from labelrank_core import DatasetError
from labelrank_core.experiments.database import StoreError
from labelrank_core.experiments.plan import duration
from labelrank_core.explain.render.markup.text import (
    JOINER,
    attribute,
    capitalised,
    from_markdown,
    markdown,
    shorten,
    shorten_all,
    shorten_middle,
    with_value,
)
from labelrank_core.rankings import isolated

__all__ = [
    "JOINER",
    "attribute",
    "capitalised",
    "duration",
    "error_message",
    "from_markdown",
    "in_screen_words",
    "listed_runs",
    "lowered",
    "markdown",
    "plotly",
    "shorten",
    "shorten_all",
    "shorten_middle",
    "value_range",
    "with_value",
]

# What findings call by the arguments of the library, and where it is chosen on the screen.
_CHOICES = {
    "unranked='blank'": '"only an empty cell" under "What stands for \'not ranked\'"',
    "unranked='zero'": "0 under \"What stands for 'not ranked'\"",
    "unranked='beyond'": "that number under \"What stands for 'not ranked'\"",
    "missing='fill'": '"fill them in" under "What to do about missing values"',
    "missing='drop_rows'": '"leave out their rows"',
    "'label_list'": "'list of labels'",
}
_CHOICE = re.compile("|".join(map(re.escape, _CHOICES)))
_STORE = "the store of experiments"


def plotly(name: str) -> str:
    """Make a name show as it is in Plotly's titles, ticks and texts."""
    return html.escape(isolated(name), quote=False).replace("$", f"${JOINER}")


def in_screen_words(message: str) -> str:
    """Replace the library's arguments in a finding by their names on the screen."""
    return _CHOICE.sub(lambda match: _CHOICES[match[0]], message)


def error_message(error: Exception) -> str:
    """Return the message of an error for a visitor, without paths on the server."""
    message = str(error)
    if isinstance(error, StoreError) and error.path is not None:
        message = message.replace(str(error.path), _STORE)
        return capitalised(message)
    if isinstance(error, DatasetError):
        return in_screen_words(message)
    return f"{error.strerror}." if isinstance(error, OSError) and error.strerror else message


def lowered(words: str) -> str:
    """Return words with a small first letter, to follow a colon."""
    return words[:1].lower() + words[1:]


def listed_runs(values: Sequence[str], are_listed: Sequence[bool]) -> str:
    """List some of the values in a row, more than two in succession by their ends.

    >>> listed_runs("123456789", [False, True, True, True, True, False, True, False, True])
    '2 to 5, 7 and 9'
    """
    parts: list[str] = []
    for is_listed, group in groupby(zip(values, are_listed, strict=True), itemgetter(1)):
        run = [value for value, _ in group]
        if is_listed:
            parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def value_range(low: float, high: float) -> str:
    """Write the range of a measure; its upper end may grow with the number of labels."""
    return f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
