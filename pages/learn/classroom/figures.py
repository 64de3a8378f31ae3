"""Drawings of the answers of a class as HTML: the histogram, and the gain of a lesson."""

import html
from collections.abc import Sequence

from pages.learn.classroom.gain import Gain, signed
from pages.learn.classroom.questions import AnswerBar
from pages.learn.exercises.base import GivenTable

# Titles of up to so many letters are written beside the bars; if one is longer, all above them.
_MOST_LETTERS_BESIDE = 12


def histogram_markup(bars: Sequence[AnswerBar], *, is_revealed: bool) -> str:
    """Draw the number of phones for each answer; the right one stands out once it is revealed."""
    most = max([bar.count for bar in bars], default=0) or 1
    rows = []
    for bar in bars:
        state = ("right" if bar.is_right else "other") if is_revealed else ""
        mark = '<b class="mark" aria-label="right">✓</b> ' if state == "right" else ""
        rows.append(
            f'<li class="{state}"><span class="title">{mark}{html.escape(bar.title)}</span>'
            f'<span class="track"><i style="width:{100 * bar.count / most:.1f}%"></i></span>'
            f"<b>{bar.count}</b></li>"
        )
    is_short = max([len(bar.title) for bar in bars], default=0) <= _MOST_LETTERS_BESIDE
    look = "class-bars short" if is_short else "class-bars"
    return f'<ul class="{look}">{"".join(rows)}</ul>'


def progress_markup(n_finished: int, n_phones: int) -> str:
    """Draw the number of phones that have finished."""
    share = 100 * n_finished / n_phones if n_phones else 0.0
    return (
        f'<p class="class-number"><b>{n_finished}</b> of {n_phones} phones have finished.</p>'
        f'<div class="class-progress"><i style="width:{share:.1f}%"></i></div>'
    )


def gain_markup(gain: Gain) -> str:
    """Draw the shares before and after, question by question, and the gain with its interval."""
    rows = [
        (shares.title, f"such as: {shares.example}", shares.before, shares.after)
        for shares in gain.questions
    ]
    rows.append(("All questions", "", gain.before, gain.after))
    lines = "".join(
        f'<li><span class="title">{html.escape(title)}'
        f'<small>{html.escape(example)}</small></span><span class="track">'
        f'<i class="line" style="left:{100 * min(before, after):.1f}%;'
        f'width:{100 * abs(after - before):.1f}%"></i>'
        f'<i class="before" style="left:{100 * before:.1f}%"></i>'
        f'<i class="after" style="left:{100 * after:.1f}%"></i></span>'
        f'<span class="numbers">{100 * before:.0f}% → <b>{100 * after:.0f}%</b></span></li>'
        for title, example, before, after in rows
    )
    head = (
        '<li class="head"><span class="title"></span><span class="track">'
        '<span>0%</span><span class="key"><i class="before"></i> before '
        '<i class="after"></i> after</span><span>100% right</span></span>'
        '<span class="numbers"></span></li>'
    )
    return f'<ul class="class-gain">{head}{lines}{_interval_row(gain)}</ul>'


def _interval_row(gain: Gain) -> str:
    """Draw the gain on a scale from −100 to +100 points; nothing with too few phones."""
    if not gain.has_interval:
        return ""

    def at(share: float) -> float:
        return 50 + 50 * share

    ends = f"left:{at(gain.low):.1f}%;width:{at(gain.high) - at(gain.low):.1f}%"

    return (
        f'<li class="interval {gain.direction}"><span class="title">Gain</span>'
        '<span class="track">'
        '<i class="zero"></i>'
        f'<i class="line" style="{ends}"></i>'
        f'<i class="after" style="left:{at(gain.difference):.1f}%"></i></span>'
        f'<span class="numbers"><b>{signed(gain.points)}</b> points</span></li>'
        '<li class="head"><span class="title"></span><span class="track"><span>−100</span>'
        '<span>no change</span><span>+100</span></span><span class="numbers"></span></li>'
    )


def table_markup(table: GivenTable) -> str:
    """Draw the data of a test as a small table."""
    head = "".join(f'<th scope="col">{html.escape(title)}</th>' for title in table.heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return (
        '<div class="class-table" tabindex="0" role="region" aria-label="What is given"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
