"""The consensus rules on rankings: their orders, and the numbers that decide."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from labelrank_core.explain.consensus import every_rule, winners
from labelrank_core.explain.evidence import RuleOrders
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup.grids import NUMBERS_UP_TO, Tinted
from labelrank_core.explain.tally import RuleNumbers, Tally, tally_of
from pages.learn.votes import Votes
from pages.ui import compute
from pages.ui.render import drawing
from pages.ui.wording import text

SHOWN = 12


def render_rules(votes: Votes) -> None:
    """Draw the order by each rule, the smallest loss marked."""
    names = votes.dataset.label_names
    orders = compute.once(
        _key("rules", votes),
        "Aggregating the rankings",
        partial(every_rule, counts=votes.counts),
        votes.rankings,
    )
    st.header(verdict(_tally_of(votes), names), anchor=False)
    if orders.others:
        st.caption("≠ another order than Borda's")
    titles = titles_of_rules(orders)
    table = orders.frame(names).drop(columns="as predicted")
    drawing.render_figure(
        markup.strips(
            markup.ranked_rows(np.array([rule.positions for rule in orders.rules]), titles),
            names,
            n_places=SHOWN,
        ),
        key="playground-rules",
        alt="; ".join(
            f"{rule}: {order}"
            for rule, order in zip(table["rule"], table["consensus"], strict=True)
        ),
        table=table,
    )
    if orders.optima_sentence:
        st.caption(orders.optima_sentence)
    with st.expander("Which rule has the smallest loss?"):
        for loss, (smallest, keys) in winners(orders).items():
            who = ", ".join(rule.title for rule in orders.rules if rule.key in keys)
            who = "all rules" if len(keys) == len(orders.rules) else who
            st.markdown(f"- Fewest {loss}: **{who}**, {smallest:.2f} on average")


def titles_of_rules(orders: RuleOrders) -> list[str]:
    """Return the titles of rules, those marked that order the labels otherwise than Borda's."""
    others = set(orders.others)
    return [f"{rule.counted_title}{'  ≠' if rule in others else ''}" for rule in orders.rules]


def verdict(tally: Tally, names: Sequence[str]) -> str:
    """Say in Markdown which labels the rules put first, that of most rules at the front."""
    titles_by_winner: dict[int | None, list[str]] = {}
    for numbers in tally.numbers:
        winner = None if numbers.is_tied else numbers.first
        titles_by_winner.setdefault(winner, []).append(numbers.title)
    n_rules, parts = len(tally.numbers), []
    for winner, titles in sorted(titles_by_winner.items(), key=lambda item: -len(item[1])):
        is_one = len(titles) == 1
        number = f"All {n_rules}" if len(titles) == n_rules else f"{len(titles)} of {n_rules}"
        subject = text.capitalised(titles[0]) if is_one else f"{number} rules"
        if winner is None:
            parts.append(f"{subject} {'has' if is_one else 'have'} a tie for the first place.")
        else:
            name = text.markdown(names[winner])
            parts.append(f"{subject} {'puts' if is_one else 'put'} {name} first.")
    return " ".join(parts)


def render_reasons(votes: Votes) -> None:
    """Draw the number by which each rule chooses its first label, and the labels pair by pair."""
    tally = _tally_of(votes)
    deciding_column, pairs_column = st.columns([1.4, 1], gap="large")
    with deciding_column:
        st.header("Which number decides", anchor=False)
        _render_deciding(tally, votes)
    with pairs_column:
        st.header("One label against another", anchor=False)
        _render_pairs(tally, votes)


def _tally_of(votes: Votes) -> Tally:
    tally: Tally = compute.once(
        _key("tally", votes),
        "Counting the rankings",
        partial(tally_of, counts=votes.counts),
        votes.rankings,
    )
    return tally


def _key(result: str, votes: Votes) -> str:
    return compute.digest(result, votes.rankings.tobytes(), votes.counts.tobytes())


def _render_deciding(tally: Tally, votes: Votes) -> None:
    names = votes.dataset.label_names
    rows = [(numbers.title, _number_name(numbers), _cells(numbers)) for numbers in tally.numbers]
    drawing.render_figure(
        markup.deciding_table(names, rows),
        key="playground-deciding",
        alt="; ".join(
            f"{numbers.title}: {names[numbers.first]} first, {numbers.meaning} "
            f"{_number(numbers.values[numbers.first])}"
            for numbers in tally.numbers
        ),
        table=tally.frame(names),
        caption="Framed: the number that puts a label first, the lowest, of votes the highest.",
    )


def _number_name(numbers: RuleNumbers) -> str:
    return "" if numbers.meaning in numbers.title else numbers.meaning


def _cells(numbers: RuleNumbers) -> list[tuple[str, str]]:
    """Write the numbers of a rule, and mark the one that decides."""
    mark = "tie" if numbers.is_tied else "decides"
    return [
        (_number(value), mark if label == numbers.first else "")
        for label, value in enumerate(numbers.values)
    ]


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}".removesuffix(".00")


def _render_pairs(tally: Tally, votes: Votes) -> None:
    names = votes.dataset.label_names
    margins = (tally.ahead - tally.ahead.T) / max(1, votes.n_people)
    np.fill_diagonal(margins, np.nan)
    cycle = [*zip(tally.cycle, (*tally.cycle[1:], *tally.cycle[:1]), strict=True)]
    framed = " Framed: the cycle." if cycle else ""
    cells = Tinted(
        margins,
        [[str(count) for count in line] for line in tally.ahead],
        names,
        names,
        frozenset(cycle),
    )
    beaten = ", ".join(
        f"{names[i]} beats {names[j]} {tally.ahead[i, j]} to {tally.ahead[j, i]}"
        for i, j in np.argwhere(tally.majorities)[:NUMBERS_UP_TO]
    )
    drawing.render_figure(
        markup.matrix(cells),
        key="playground-pairs",
        alt=f"how often a label is ahead of another: {beaten or 'no label beats another'}",
        table=tally.pair_frame(names),
        caption=f"How often the row's label is ahead of the column's.{framed}",
    )
    _render_majorities(tally, names)


def _render_majorities(tally: Tally, names: Sequence[str]) -> None:
    """Name the Condorcet winner, a cycle, or neither."""
    if sentence := condorcet_text(tally, names):
        st.markdown(sentence)
    if sentence := cycle_text(tally, names):
        st.warning(sentence, icon=":material/sync:")


def condorcet_text(tally: Tally, names: Sequence[str]) -> str:
    """Name in Markdown the label that beats every other one; empty where there is a cycle."""
    if tally.beats_all is not None:
        winner = text.markdown(names[tally.beats_all])
        return f"**{winner}** beats every other label: the Condorcet winner."
    return "" if tally.cycle else "No label beats every other one: some pairs are level."


def cycle_text(tally: Tally, names: Sequence[str]) -> str:
    """Name in Markdown a cycle of majorities; empty without one."""
    if not tally.cycle:
        return ""
    cycle = " > ".join(text.markdown(names[label]) for label in (*tally.cycle, tally.cycle[0]))
    return f"The majorities contain a preference cycle: {cycle}. No order agrees with them all."
