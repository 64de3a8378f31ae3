"""Known pairs of labels drawn: 'a before b' in chips."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.rankings import chip, tied_cell
from labelrank_core.explain.render.markup.text import shorten_all

# Names in letters, and of a long chain the first buckets.
_LETTERS, _MOST_BUCKETS = 24, 8
_MOST_CHAINS = 12


def known_pairs(
    chains: Sequence[Sequence[Sequence[int]]],
    names: Sequence[str],
    *,
    max_chains: int | None = _MOST_CHAINS,
    wrong: NDArray[np.bool_] | None = None,
) -> Html:
    """Draw chains of labels, such as `PairPreferences.chains` returns, each in a frame of its own.

    Tied labels share a cell. Of more than `max_chains` chains the first are drawn, and the number
    of the others. With `wrong`, (n_labels, n_labels), chains are marked: ✗ where a pair of theirs
    is one.
    """
    if not chains:
        return element("div", element("span", "no pair known", class_="muted"), class_="lr-known")
    short = shorten_all(names, _LETTERS)
    first_chains = chains[:max_chains]
    parts = [_chain(chain, short, names, wrong) for chain in first_chains]
    n_more = len(chains) - len(first_chains)
    more = element("small", f"+{n_more}", class_="more") if n_more else None
    return element("div", parts, more, class_="lr-known")


def known_pairs_rows(
    rows: Sequence[Sequence[Sequence[Sequence[int]]]],
    row_names: Sequence[str],
    names: Sequence[str],
    *,
    max_chains: int | None = _MOST_CHAINS,
) -> Html:
    """Draw the known pairs of several cases, one below the other."""
    items = [
        element(
            "li",
            element("span", name, class_="name"),
            known_pairs(chains, names, max_chains=max_chains),
            data_key=name,
        )
        for chains, name in zip(rows, row_names, strict=True)
    ]
    return element("ol", items, class_="lr-known-rows")


def _chain(
    chain: Sequence[Sequence[int]],
    short: Sequence[str],
    names: Sequence[str],
    wrong: NDArray[np.bool_] | None,
) -> Html:
    cells = [
        tied_cell([chip(label, short, "small", names[label]) for label in bucket])
        for bucket in chain[:_MOST_BUCKETS]
    ]
    if n_more := sum(map(len, chain[_MOST_BUCKETS:])):
        cells.append(element("small", f"+{n_more}", class_="more", title="further labels"))
    separator = [" ", element("i", "before"), " "]
    parts = [(separator if i else None, cell) for i, cell in enumerate(cells)]
    sign = None
    if wrong is not None and len(chain) > 1:
        labels = [label for bucket in chain for label in bucket]
        is_wrong = wrong[np.ix_(labels, labels)].any()
        kind, mark, title = (
            ("wrong", "✗", "not as predicted") if is_wrong else ("right", "✓", "right")
        )
        sign = (" ", element("small", mark, class_=kind, title=title))
    return element("span", parts, sign, class_="chain")
