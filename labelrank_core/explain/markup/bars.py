"""Numbers as bars: a confidence alone, and among those of other cases."""

import html
from collections.abc import Sequence

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.markup.text import percent


def gauge(value: float, lowest: float) -> str:
    """Draw a confidence on the scale from 0 to 1, the range that can occur tinted."""
    shown, at = decimal_text(value), percent(100 * value)
    return (
        f'<div class="lr"><div class="lr-gauge" role="img" aria-label="confidence {shown}, '
        f'{_scale_text(lowest)}"><span class="range" style="left:{percent(100 * lowest)}">'
        f'</span><span class="mark" style="left:{at}"></span><span class="value" '
        f'style="left:{at};transform:translateX({percent(-100 * value)})">{shown}</span></div>'
        f'<div class="muted">{_scale_text(lowest)}</div></div>'
    )


def standing_bar(
    value: float,
    lowest: float,
    share_less: float,
    share_equal: float,
    levels: Sequence[str],
    others: str = "Among the other test cases",
) -> str:
    """Draw the share of other cases that are less sure, beside the confidence as a number.

    The paler part is the share that are as sure; the mark halves it, and lies in one of the equal
    parts of the bar that `levels` names. `others` says what the bar is made of.
    """
    middle = share_less + share_equal / 2
    parts = "".join(
        f'<i class="{kind}" style="width:{percent(100 * share)}"></i>'
        for kind, share in (("less", share_less), ("equal", share_equal))
    )
    named = "".join(f"<span>{html.escape(level)}</span>" for level in levels)
    equal = f", as sure as {share_equal:.0%}" if share_equal else ""
    return (
        f'<div class="lr lr-standing"><p><b>{decimal_text(value)}</b> <span class="muted">'
        f"{_scale_text(lowest)}</span></p>"
        f'<div class="others">{html.escape(others)}</div><div class="track" role="img" '
        f'aria-label="surer than {share_less:.0%} of the other test cases{equal}">{parts}'
        f'<b style="left:{percent(100 * middle)}"></b></div>'
        f'<div class="levels muted" aria-hidden="true">{named}</div></div>'
    )


def _scale_text(lowest: float) -> str:
    """Say the ends of the scale of a confidence.

    >>> _scale_text(0.5)
    'from 0.50 (least) to 1 (most)'
    """
    least = decimal_text(lowest) if lowest else "0"
    return f"from {least} (least) to 1 (most)"


def signed(value: float) -> str:
    """Write a difference with its sign; what rounds to 0 has none.

    >>> signed(0.126), signed(-0.004)
    ('+0.13', '0')
    """
    return decimal_text(value, signed=True) if abs(value) >= 0.005 else "0"
