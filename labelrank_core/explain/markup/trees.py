"""The way through a tree: its questions one below the other, the leaf at the end."""

import html
from collections.abc import Sequence


def way(questions: Sequence[tuple[str, str]], leaf: str) -> str:
    """Draw the questions on the way to a leaf, the root's first.

    Each is the answer that the case gives, such as "size > 2.5", and the value of the case.
    """
    rows = [
        f'<li><span>{html.escape(answer)}</span><span class="muted">here {html.escape(own)}</span>'
        "</li>"
        for answer, own in questions
    ]
    return (
        f'<div class="lr"><ol class="lr-way">{"".join(rows)}<li class="leaf">{html.escape(leaf)}'
        "</li></ol></div>"
    )
