"""Rankings on which two consensus rules differ: which rules, and which of the profiles found."""

from collections import Counter

import streamlit as st

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.explain.differing import differing_profile
from labelrank_core.rankings import format_ranking
from pages.ui import choices, compute, session

EXAMPLE = "Where two rules differ"
_NUMBER, _MOST = "differ_number", 9999


def offer(example: str, key: str, *, disabled: bool) -> None:
    """Offer the example of two rules that differ by one click, and another one by the next."""
    st.button(
        "Find where two rules differ",
        icon=":material/search:",
        on_click=_find,
        args=(example, key),
        disabled=disabled,
        help="A few rankings that put different labels first by two rules, without a tie; "
        "others with every click.",
    )


def _find(example: str, key: str) -> None:
    if example == EXAMPLE:
        session.put(_NUMBER, session.get(_NUMBER) % _MOST + 1)
    session.put(key, EXAMPLE)


def ask() -> tuple[str, str]:
    """Ask for two rules; return rankings as lines, and what tells them from others."""
    names = [rule.name for rule in CONSENSUS_RULES.values()]
    left, right = st.columns(2)
    one = choices.choose(left.selectbox, "One rule", names, key="differ_one", bind="query-params")
    others = [name for name in names if name != one]
    other = choices.choose(
        right.selectbox, "Another rule", others, key="differ_other", bind="query-params"
    )
    number = st.number_input("Profile", 1, _MOST, 1, key=_NUMBER, bind="query-params", width=150)
    what = "-".join(str(names.index(name)) for name in (one, other)) + f"-{number}"
    lines = compute.once(
        compute.digest("differing", what), "Searching for rankings", _lines, one, other, number
    )
    return lines, what


def _lines(one: str, other: str, number: int) -> str:
    """Search two rules' profile of a number, and write it down."""
    keys = {rule.name: rule.key for rule in CONSENSUS_RULES.values()}
    found = differing_profile(keys[one], keys[other], seed=number)
    orders = Counter(format_ranking(row, "abcd") for row in found).most_common()
    return "\n".join(order if count == 1 else f"{count}: {order}" for order, count in orders)
