"""Words of the pages, and those that are made safe for where they are shown."""

import math

from labelrank_core.experiments.plan import duration
from labelrank_core.explain.markup.text import (
    JOINER,
    attribute,
    from_markdown,
    markdown,
    plotly,
    shorten,
    shorten_all,
    with_value,
)

__all__ = [
    "JOINER",
    "attribute",
    "duration",
    "from_markdown",
    "markdown",
    "plotly",
    "shorten",
    "shorten_all",
    "shorten_middle",
    "value_range",
    "with_value",
]


def shorten_middle(name: str, length: int) -> str:
    """Cut a long name in its middle: names of methods end in their parameters."""
    if len(name) <= length:
        return name
    head = (length - 1) // 2
    return f"{name[:head].rstrip()}…{name[len(name) - (length - 1 - head) :].lstrip()}"


def value_range(low: float, high: float) -> str:
    """Write the range of a measure; its upper end may grow with the number of labels."""
    return f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
