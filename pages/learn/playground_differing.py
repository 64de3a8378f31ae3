"""Rankings on which two consensus rules differ: which rules, and which of the profiles found."""

from collections import Counter

import streamlit as st

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.explain.differing import differing_profile
from labelrank_core.rankings import format_ranking
from pages.ui import compute, session
from pages.ui.choose import choices

EXAMPLE = "Where two rules differ"
_NUMBER, _MOST = "differ_number", 9999


def render_button(example: str, key: str, *, disabled: bool) -> None:
    """Draw the button to the example of two rules that differ; the next click finds another one."""
    st.button(
        "Find where two rules differ",
        icon=":material/search:",
        on_click=_find_next,
        args=(example, key),
        disabled=disabled,
        help="A few rankings that put different labels first by two rules, without a tie; "
        "others with every click.",
    )


def _find_next(example: str, key: str) -> None:
    if example == EXAMPLE:
        session.set_state(_NUMBER, session.get_state(_NUMBER) % _MOST + 1)
    session.set_state(key, EXAMPLE)


def choose_rules() -> tuple[str, str]:
    """Draw the choice of two rules; return rankings as lines, and a key to them."""
    names = [rule.name for rule in CONSENSUS_RULES.values()]
    first_column, second_column = st.columns(2)
    one = choices.choose(
        first_column.selectbox, "One rule", names, key="differ_one", bind="query-params"
    )
    other_rules = [name for name in names if name != one]
    another = choices.choose(
        second_column.selectbox,
        "Another rule",
        other_rules,
        key="differ_other",
        bind="query-params",
    )
    number = st.number_input("Profile", 1, _MOST, 1, key=_NUMBER, bind="query-params", width=150)
    profile_key = "-".join(str(names.index(name)) for name in (one, another)) + f"-{number}"
    lines = compute.once(
        compute.digest("differing", profile_key),
        "Searching for rankings",
        _lines,
        one,
        another,
        number,
    )
    return lines, profile_key


def _lines(one: str, another: str, number: int) -> str:
    """Search two rules' profile of a number, and write it down."""
    keys = {rule.name: rule.key for rule in CONSENSUS_RULES.values()}
    profile = differing_profile(keys[one], keys[another], seed=number)
    orders = Counter(format_ranking(row, "abcde") for row in profile).most_common()
    return "\n".join(order if count == 1 else f"{count}: {order}" for order, count in orders)
