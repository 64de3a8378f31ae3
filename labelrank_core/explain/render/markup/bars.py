"""Numbers as bars: a confidence alone, and among those of other cases."""

from collections.abc import Sequence

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent


def gauge(value: float, lowest: float) -> Html:
    """Draw a confidence on the scale from 0 to 1, the range that can occur tinted."""
    text, at = decimal_text(value), percent(100 * value)
    style = f"left:{at};transform:translateX({percent(-100 * value)})"
    scale = element(
        "div",
        element("span", class_="range", style=f"left:{percent(100 * lowest)}"),
        element("span", class_="mark", style=f"left:{at}"),
        element("span", text, class_="value", style=style),
        class_="lr-gauge",
        role="img",
        aria_label=f"confidence {text}, {_scale_text(lowest)}",
    )
    return element("div", scale, element("div", _scale_text(lowest), class_="muted"), class_="lr")


def standing_bar(
    value: float,
    share_less: float,
    share_equal: float,
    levels: Sequence[str],
) -> Html:
    """Draw the share of other cases that are less sure, below the confidence as a number.

    The paler part is the share that are as sure; the mark halves it, and lies in one of the equal
    parts of the bar that `levels` names.
    """
    middle = share_less + share_equal / 2
    parts = [
        element("i", class_=kind, style=f"width:{percent(100 * share)}")
        for kind, share in (("less", share_less), ("equal", share_equal))
    ]
    equal = f", as sure as {share_equal:.0%}" if share_equal else ""
    number = element("b", decimal_text(value))
    track = element(
        "div",
        parts,
        element("b", style=f"left:{percent(100 * middle)}"),
        class_="track",
        role="img",
        aria_label=f"surer than {share_less:.0%} of the other test cases{equal}",
    )
    level_names = [element("span", level) for level in levels]
    return element(
        "div",
        element("p", number),
        track,
        element("div", level_names, class_="levels muted", aria_hidden="true"),
        class_="lr lr-standing",
    )


def _scale_text(lowest: float) -> str:
    """Say the ends of the scale of a confidence.

    >>> _scale_text(0.5)
    'from 0.50 (least) to 1 (most)'
    """
    least = decimal_text(lowest) if lowest else "0"
    return f"from {least} (least) to 1 (most)"


def signed(value: float) -> str:
    """Write a difference with its sign; one that rounds to 0 has none.

    >>> signed(0.126), signed(-0.004)
    ('+0.13', '0')
    """
    return decimal_text(value, signed=True) if abs(value) >= 0.005 else "0"
