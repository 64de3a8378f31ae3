"""Known pairs of labels drawn: 'a before b' in chips."""

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.markup.rankings import chip, tied_cell
from labelrank_core.explain.markup.text import keyed, shorten_all

# Names in letters, and of a long chain the first buckets.
_LETTERS, _MOST_BUCKETS = 24, 8
_MOST_CHAINS = 12
_NONE = '<span class="muted">no pair known</span>'


def known_pairs(
    chains: Sequence[Sequence[Sequence[int]]],
    names: Sequence[str],
    *,
    most: int | None = _MOST_CHAINS,
    wrong: NDArray[np.bool_] | None = None,
) -> str:
    """Draw chains of labels, such as `PairPreferences.chains` returns, each in a frame of its own.

    Tied labels share a cell. Of more than `most` chains the first are drawn, and the number of the
    others. With `wrong`, (n_labels, n_labels), chains are marked: ✗ where a pair of theirs is one.
    """
    if not chains:
        return f'<div class="lr-known">{_NONE}</div>'
    short = shorten_all(names, _LETTERS)
    shown = chains[:most]
    drawn = [_chain(chain, short, names, wrong) for chain in shown]
    n_more = len(chains) - len(shown)
    more = f'<small class="more">+{n_more}</small>' if n_more else ""
    return f'<div class="lr-known">{"".join(drawn)}{more}</div>'


def known_pairs_rows(
    rows: Sequence[Sequence[Sequence[Sequence[int]]]],
    row_names: Sequence[str],
    names: Sequence[str],
    *,
    most: int | None = _MOST_CHAINS,
) -> str:
    """Draw the known pairs of several cases, one below the other."""
    drawn = [
        f'<li{keyed(name)}><span class="name">{html.escape(name)}</span>'
        f"{known_pairs(chains, names, most=most)}</li>"
        for chains, name in zip(rows, row_names, strict=True)
    ]
    return f'<ol class="lr-known-rows">{"".join(drawn)}</ol>'


def _chain(
    chain: Sequence[Sequence[int]],
    short: Sequence[str],
    names: Sequence[str],
    wrong: NDArray[np.bool_] | None,
) -> str:
    cells = [
        tied_cell([chip(label, short, "small", names[label]) for label in bucket])
        for bucket in chain[:_MOST_BUCKETS]
    ]
    n_more = sum(map(len, chain[_MOST_BUCKETS:]))
    cells += [f'<small class="more" title="further labels">+{n_more}</small>'] if n_more else []
    sign = ""
    if wrong is not None and len(chain) > 1:
        labels = [label for bucket in chain for label in bucket]
        is_wrong = wrong[np.ix_(labels, labels)].any()
        kind, mark, said = (
            ("wrong", "✗", "not as predicted") if is_wrong else ("right", "✓", "right")
        )
        sign = f' <small class="{kind}" title="{said}">{mark}</small>'
    return f'<span class="chain">{" <i>before</i> ".join(cells)}{sign}</span>'
