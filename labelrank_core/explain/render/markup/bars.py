"""Numbers as bars: a confidence alone, and among those of other cases."""

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


def standing_bar(value: float, n_less: int, n_equal: int, n_more: int, among: str) -> Html:
    """Draw a confidence, and a bar of the cases that are less sure, as sure and surer.

    The mark halves the part of the cases that are as sure; `among` says which cases they are.
    """
    counts = {"less": n_less, "equal": n_equal, "more": n_more}
    titles = {"less": "less sure", "equal": "as sure", "more": "surer"}
    n = sum(counts.values())
    parts = [
        element("i", class_=kind, style=f"width:{percent(100 * count / n)}")
        for kind, count in counts.items()
    ]
    texts = {kind: f"{count} {titles[kind]}" for kind, count in counts.items() if count}
    track = element(
        "div",
        parts,
        element("b", style=f"left:{percent(100 * (n_less + n_equal / 2) / n)}"),
        class_="track",
        role="img",
        aria_label=f"{among}: {', '.join(texts.values())}",
    )
    names = [
        element("span", text, style=f"flex-grow:{counts[kind]}") for kind, text in texts.items()
    ]
    return element(
        "div",
        element(
            "p",
            element("b", decimal_text(value)),
            " ",
            element("span", f"{among}:", class_="muted"),
        ),
        track,
        element("div", names, class_="parts muted", aria_hidden="true"),
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
