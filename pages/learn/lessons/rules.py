"""Consensus rules: ways to agree on one ranking, with their losses."""

import numpy as np
import pandas as pd

from labelrank_core.aggregation import CONSENSUS_RULES, consensus_losses
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Label, Neighbors, RuleOrders, RuleOutcome, Text
from labelrank_core.explain.overtaking import LISTED_FIRST
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.tally import RuleNumbers, Tally, tally_of
from labelrank_core.rankings import FloatArray, strict_order
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.story import (
    Ask,
    Example,
    Lesson,
    LessonSetting,
    LessonStep,
    Number,
    Pick,
    stacked,
)

_SQUARED, _FOOTRULE, _KENDALL = "squared", "footrule", "kendall"
_LOSSES = {
    _SQUARED: "moves²",
    _FOOTRULE: "moves",
    _KENDALL: "pairs",
}
_N_ROTATED, _MOST_WORKED = 3, 3
_COOL_AND_HOT_DAYS = """day,temperature (°C),sunshine (h),ranking
Mon,16,4,lemonade>tea>water>zobo
Tue,17,4,lemonade>tea>water>zobo
Wed,16,5,tea>water>zobo>lemonade
Thu,23,11,zobo>water>tea>lemonade
Fri,24,10,zobo>water>lemonade>tea
Sat,22,12,water>zobo>tea>lemonade
"""
_CYCLE = """day,temperature (°C),sunshine (h),ranking
Mon,16,4,lemonade>tea>water
Tue,17,4,tea>water>lemonade
Wed,16,5,water>lemonade>tea
Thu,23,11,water>tea>lemonade
Fri,24,10,tea>lemonade>water
Sat,22,12,lemonade>water>tea
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on the numbers of each rule, and on their differences."""
    near = setting.explanation.evidence(Neighbors)
    tally = tally_of(near.rankings)
    means, medians = tally.numbers[:2]
    orders = setting.explanation.find(RuleOrders)
    answer_text = shared.summary(setting) if orders is None else _answer(setting, orders)
    steps = [
        _rankings(setting, answer_text),
        _by(setting, means, " in these rankings"),
        _by(setting, medians, " (the middle one, once a label's ranks are sorted)"),
        _pairs(setting, tally),
    ]
    if not tally.cycle and setting.dataset.n_labels >= _N_ROTATED:
        steps.append(_made_cycle(setting))
    if orders is not None:
        steps += [_orders(setting, orders), _losses(setting, orders)]
    return [*steps, shared.answer(setting, answer_text, basis=shared.rankings_that_stay(setting))]


def _answer(setting: LessonSetting, orders: RuleOrders) -> Text:
    """Return a sentence on the rule in use, and the number of others that decide otherwise."""
    rule = CONSENSUS_RULES[str(setting.choice.values["aggregation"])]
    values = {"chosen": rule.title, "n": len(orders.others), "rules": len(orders.rules)}
    template = "The rule in use, {chosen}, decides"
    template += ": no order has fewer squared moves. " if rule.loss == _SQUARED else ". "
    if not orders.others:
        return Text(template + "The other rules give the same order.", values)
    template += (
        "{n} of {rules} rules order the labels otherwise; each can be chosen for this lesson."
    )
    return Text(template, values)


def _rankings(setting: LessonSetting, answer_text: Text) -> LessonStep:
    rows = shared.near_rows(setting)
    return LessonStep(
        "One for all",
        Text(
            "The {k} cases most similar to a new one, at the top, and their rankings. One ranking "
            "must stand for them.",
            {"k": len(rows)},
        ),
        scenes.rows_picture(setting, rows),
        Ask(
            Text("Which one would you choose?"),
            shared.order(setting),
            answer_text,
            is_kept=True,
        ),
    )


def _by(setting: LessonSetting, numbers: RuleNumbers, about: str) -> LessonStep:
    """Show the numbers of the labels by a rule, and ask which label it puts first.

    `about` says more of the numbers.
    """
    near = setting.explanation.evidence(Neighbors)
    row_names = shared.near_names(setting)
    first = Label(numbers.first)
    tied = [j for j, value in enumerate(numbers.values) if value == numbers.values[numbers.first]]
    value = float(numbers.values[numbers.first])
    values = {"said": numbers.meaning, "first": first, "value": value, "tied": shared.listed(tied)}
    reason = "{first}: its {said} is {value}, the lowest."
    if len(tied) > 1:
        reason = (
            "A tie: {tied} share the {said} {value}. The first in the list of labels wins: {first}."
        )
    return LessonStep(
        f"By {numbers.meaning}",
        Text(f"Order the labels by their {{said}}{about}; the lowest is first.", values),
        scenes.strips(near.rankings, row_names, setting, "ranking"),
        Ask(
            Text("Which label is first?"),
            shared.one_label(setting, first),
            shared.with_ties(Text(reason, values), numbers.values, setting),
            scenes.dots(numbers.meaning, numbers.values, setting),
            is_added=True,
        ),
    )


def pairs_picture(setting: LessonSetting, tally: Tally, *, shows_cycle: bool = True) -> Picture:
    """Draw the counts of rankings with the row label ahead of the column label."""
    # In the order of the data: that of the prediction would give it away.
    names, drawn_labels = setting.names, sorted(setting.scene.shown)
    ahead = tally.ahead[np.ix_(drawn_labels, drawn_labels)]
    total = np.maximum(1, ahead + ahead.T)
    margins = (ahead - ahead.T) / total
    np.fill_diagonal(margins, np.nan)
    labels = tally.cycle if shows_cycle else ()
    cycle = [*zip(labels, (*labels[1:], *labels[:1]), strict=True)]
    index_of = {label: i for i, label in enumerate(drawn_labels)}
    framed = frozenset(
        (index_of[a], index_of[b]) for a, b in cycle if a in index_of and b in index_of
    )
    label_names = [names[label] for label in drawn_labels]
    cell_texts = [[str(count) for count in row] for row in ahead]
    spoken = "; ".join(
        f"{names[i]} ahead of {names[j]} {tally.ahead[i, j]} times"
        for i, j in np.argwhere(tally.ahead)[:10]
    )
    markup_html = markup.matrix(Tinted(margins, cell_texts, label_names, label_names, framed))
    return Picture("pairs", spoken, tally.pair_frame(names), markup=markup_html)


def winner(setting: LessonSetting, tally: Tally) -> tuple[Pick, Text]:
    """Ask which label beats every other one; perhaps none does."""
    names, best = setting.names, tally.beats_all
    labels = sorted({*setting.scene.shown} | ({best} if best is not None else set()))
    options = (*(names[label] for label in labels), "none")
    right_option = len(labels)
    reason = Text("None: some pairs are level, so no label beats all others.")
    if tally.cycle:
        cycle_text = " beats ".join(names[label] for label in (*tally.cycle, tally.cycle[0]))
        reason = Text(
            "None, the majorities run in a cycle: {cycle}. No order agrees with them all.",
            {"cycle": cycle_text},
        )
    if best is not None:
        right_option = labels.index(best)
        reason = Text(
            "{best} beats each other label in more rankings than not: the Condorcet winner.",
            {"best": Label(best)},
        )
    return Pick(options, frozenset({right_option}), several=False), reason


def _pairs(setting: LessonSetting, tally: Tally) -> LessonStep:
    near = setting.explanation.evidence(Neighbors)
    rankings_picture = scenes.strips(near.rankings, shared.near_names(setting), setting, "ranking")
    text = Text("How many rankings put the row's label ahead of the column's. Blue: most do.")
    return _ask_for_winner(setting, "Two by two", text, rankings_picture, tally)


def _ask_for_winner(
    setting: LessonSetting, title: str, text: Text, rankings_picture: Picture, tally: Tally
) -> LessonStep:
    """Return a step that asks which label wins against every other one."""
    pick, reason = winner(setting, tally)
    return LessonStep(
        title,
        text,
        stacked(rankings_picture, pairs_picture(setting, tally, shows_cycle=False)),
        Ask(
            Text("Which label beats every other one?"),
            pick,
            reason,
            stacked(rankings_picture, pairs_picture(setting, tally)),
        ),
    )


def rotated(positions: FloatArray) -> FloatArray:
    """Make three rankings of one, each with its first three labels in another turn.

    >>> rotated([1, 2, 3, 4]).tolist()
    [[1.0, 2.0, 3.0, 4.0], [3.0, 1.0, 2.0, 4.0], [2.0, 3.0, 1.0, 4.0]]
    """
    order = strict_order(positions)
    rankings = np.empty((_N_ROTATED, len(order)))
    for turn, ranking in enumerate(rankings):
        first = [*order[turn:_N_ROTATED], *order[:turn], *order[_N_ROTATED:]]
        ranking[first] = np.arange(1, len(order) + 1)
    return rankings


def _made_cycle(setting: LessonSetting) -> LessonStep:
    """Show a cycle where the rankings have none: three rankings in turn."""
    rankings = rotated(setting.explanation.evidence(Neighbors).rankings[0])
    labels = strict_order(rankings[0])[:_N_ROTATED]
    row_names = [f"ranking {number}" for number in range(1, len(rankings) + 1)]
    rankings_picture = scenes.strips(rankings, row_names, setting, "ranking")
    text = Text(
        "Suppose the rankings were these {n}: each of {labels} is first once, second once and "
        "third once.",
        {"n": len(rankings), "labels": shared.listed(labels)},
    )
    return _ask_for_winner(setting, "No winner?", text, rankings_picture, tally_of(rankings))


def _orders(setting: LessonSetting, orders: RuleOrders) -> LessonStep:
    near = setting.explanation.evidence(Neighbors)
    n_orders = len({rule.positions for rule in orders.rules})
    values = {"n": n_orders, "rules": len(orders.rules), "k": len(near.rows)}
    titles, basis = [r.counted_title for r in orders.rules], shared.rankings_that_stay(setting)
    rankings = np.array([rule.positions for rule in orders.rules], dtype=np.float64)
    reason = "{n} orders from {rules} rules. None is wrong: rules ask for different things."
    if n_orders == 1:
        reason = "All {rules} rules give the same order here."
        if any(numbers.is_tied for numbers in tally_of(near.rankings).numbers):
            reason += f" Their ties go to the {LISTED_FIRST}."
    if orders.optima_sentence:
        reason += f" {orders.optima_sentence}"
    return LessonStep(
        "Every rule",
        Text(
            "{rules} rules decide from these {k} rankings. Each goes by something else.",
            values,
        ),
        scenes.below(basis, _goes_by_picture(orders)),
        Ask(
            Text("How many different orders do they give?"),
            Number(float(n_orders), 1.0, float(max(2, len(orders.rules))), 1.0),
            Text(reason, values),
            scenes.below(basis, scenes.strips(rankings, titles, setting, "consensus")),
        ),
    )


def _goes_by_picture(orders: RuleOrders) -> Picture:
    """Tabulate the rules with what each goes by."""
    titles = [rule.title for rule in orders.rules]
    # The name in brackets stands in the row's head.
    summaries = [CONSENSUS_RULES[rule.key].summary.partition(" (")[0] for rule in orders.rules]
    cells = Tinted(np.zeros((len(titles), 1)), [[each] for each in summaries], titles, ["goes by"])
    return Picture(
        "goes_by",
        "; ".join(f"{title}: {summary}" for title, summary in zip(titles, summaries, strict=True)),
        pd.DataFrame({"rule": titles, "goes by": summaries}),
        markup=markup.matrix(cells),
    )


def _mean_loss(rankings: FloatArray, rule: RuleOutcome, loss: str) -> str:
    """Write the mean loss of a rule's order, of few rankings with the arithmetic."""
    mean = decimal_text(getattr(rule, loss))
    if len(rankings) > _MOST_WORKED:
        return mean
    losses = (getattr(consensus_losses(row[None], rule.positions), loss) for row in rankings)
    return f"({' + '.join(f'{value:g}' for value in losses)}) / {len(rankings)} = {mean}"


def _losses(setting: LessonSetting, orders: RuleOrders) -> LessonStep:
    smallest = min(rule.kendall for rule in orders.rules)
    basis = shared.rankings_that_stay(setting)
    right = frozenset(
        i for i, rule in enumerate(orders.rules) if np.isclose(rule.kendall, smallest)
    )
    rankings, first_rule = setting.explanation.evidence(Neighbors).rankings, orders.rules[0]
    values = {
        "pairs": _mean_loss(rankings, orders.rules[min(right)], _KENDALL),
        "first": first_rule.title,
        "moves": _mean_loss(rankings, first_rule, _FOOTRULE),
    }
    reason = (
        "Kemeny's order always reverses the fewest, here {pairs} per ranking. {first} moves labels "
        "{moves} places. Blue: fewest in a column; orange: most."
    )
    return LessonStep(
        "How far apart?",
        Text(
            "How far is each order from the rankings, on average? Add up the places that labels "
            "move (moves) or their squares (moves²), or count the reversed pairs."
        ),
        scenes.below(
            basis,
            scenes.strips(
                np.array([rule.positions for rule in orders.rules], dtype=np.float64),
                [rule.title for rule in orders.rules],
                setting,
                "consensus",
            ),
        ),
        Ask(
            Text("Which rules reverse the fewest pairs?"),
            Pick(tuple(rule.title for rule in orders.rules), right),
            Text(reason, values),
            scenes.below(basis, _loss_picture(orders)),
        ),
    )


def _loss_picture(orders: RuleOrders) -> Picture:
    values = np.array([[getattr(rule, loss) for loss in _LOSSES] for rule in orders.rules])
    low, high = values.min(axis=0), values.max(axis=0)
    tints = 1 - 2 * (values - low) / np.where(high > low, high - low, np.inf)
    cells = Tinted(
        np.where(high > low, tints, 0.0),
        [[decimal_text(value) for value in row] for row in values],
        [rule.title for rule in orders.rules],
        list(_LOSSES.values()),
    )
    table = pd.DataFrame(values, columns=list(_LOSSES.values()))
    table.insert(0, "rule", [rule.title for rule in orders.rules])
    best = [table["rule"][int(i)] for i in values.argmin(axis=0)]
    spoken = ("; ").join(
        f"fewest {loss}: {who}" for loss, who in zip(_LOSSES.values(), best, strict=True)
    )
    return Picture("losses", spoken, table, markup=markup.matrix(cells))


LESSON = Lesson(
    "rules",
    "Consensus rules",
    "Many rankings, one answer",
    "Several rankings become one. Consensus rules count disagreement in different ways.",
    "knn",
    (
        Example(
            "Mean or median?",
            _COOL_AND_HOT_DAYS,
            (16.25, 4.25),
            {"n_neighbors": 3, "aggregation": "borda"},
            "Two of three put lemonade first, one puts it last.",
            shared.DAYS_AND_DRINKS,
        ),
        Example(
            "A cycle",
            _CYCLE,
            (16.25, 4.25),
            {"n_neighbors": 3, "aggregation": "borda"},
            "Every drink is first, second and third once.",
            shared.DAYS_AND_DRINKS,
        ),
    ),
    ("n_neighbors", "aggregation"),
    make_steps,
    skill="merge rankings in three ways",
    skill_details=": by mean rank, by median rank and pair by pair, and say why the results differ",
)
