"""Numbers as bars: a confidence, and the contributions of features to a pair's support."""

import html
from collections.abc import Sequence

from labelrank_core.data.schema import decimal_text


def gauge(value: float, lowest: float) -> str:
    """Draw a confidence on the scale from 0 to 1, the range that can occur tinted."""
    said, least = decimal_text(value), decimal_text(lowest)
    tinted = f", tinted from the lowest possible, {least}" if lowest else ""
    return (
        f'<div class="lr"><div class="lr-gauge" role="img" aria-label="confidence {said}, '
        f'possible from {least} to 1"><span class="range" style="left:{100 * lowest:.1f}%">'
        f'</span><span class="mark" style="left:{100 * value:.1f}%"></span>'
        f'<span class="value" style="left:{100 * value:.1f}%">{said}</span></div>'
        f'<div class="muted">scale from 0 to 1{tinted}</div></div>'
    )


def contributions(bars: Sequence[tuple[str, float]], color: str) -> str:
    """Draw what each feature adds, larger than 0 to the right; names are plain text."""
    largest = max((abs(value) for _, value in bars), default=1.0) or 1.0
    low = min(0.0, min((value for _, value in bars), default=0.0)) / largest
    zero = 100 * -low / (1 - low)
    rows = []
    for name, value in bars:
        width = abs(value) / largest * (100 - zero if low > -1 else 50)
        left = zero if value >= 0 else zero - width
        shade = color if value >= 0 else "color-mix(in srgb, currentColor 45%, transparent)"
        rows.append(
            f'<span class="name">{html.escape(name)}</span><span class="track"><i style="left:'
            f'{zero:.1f}%"></i><span style="left:{left:.1f}%;width:{width:.1f}%;'
            f'background:{shade}"></span></span><span>{signed(value)}</span>'
        )
    return f'<div class="lr"><div class="lr-shares">{"".join(rows)}</div></div>'


def signed(value: float) -> str:
    """Write a difference with its sign; what rounds to 0 has none.

    >>> signed(0.126), signed(-0.004)
    ('+0.13', '0')
    """
    return decimal_text(value, signed=True) if abs(value) >= 0.005 else "0"
