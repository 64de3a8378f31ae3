"""The zero line: a virtual label that divides relevant labels from the others, and moves with p."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from labelrank_core import Task
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import (
    Explanation,
    GapDial,
    Label,
    LabelScores,
    LeaveOneOutSets,
    Neighbors,
    Text,
)
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup import CutBar
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.elements import Html
from labelrank_core.rankings import FloatArray, label_buckets
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_OUTINGS, OUTINGS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick

_GAPS = (1, 2, 3)
_MOST_WORKED = 5
# Of more rankings only these are drawn.
_MOST_DRAWN, _DRAWN_OF_MANY = 6, 3
_THREE_CASES = """x,labels
1,a
2,a
3,b
9,c;d
10,e
11,c
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on labels ranked with a line among them, and on more virtual labels."""
    n_virtual_labels = int(setting.choice.values["n_virtual_labels"])
    scores = _mean_ranks(setting.explanation)
    prefix = f"Here p = {n_virtual_labels}. "
    ahead_text = _ahead(setting.explanation, scores, n_virtual_labels)
    answer_text = Text(prefix + ahead_text.template, ahead_text.values)
    steps = [shared.label_sets(setting, answer_text), _shares(setting), _positions(setting)]
    steps += [_gap(setting, gap) for gap in _GAPS]
    steps += [_from_ranks_to_shares(setting), _line_moves(setting)]
    decides = setting.explanation.find(LeaveOneOutSets)
    if decides is not None and len(decides.rows) > 1:
        steps.append(shared.decides(setting, decides, scenes.near_sets(setting), prefix))
    order = setting.explanation.order
    picture = _mean_rank_dots(setting, scores, n_virtual_labels, has_line=True, order=order)
    basis = shared.sets_that_stay(setting)
    return [*steps, shared.answer(setting, answer_text, scores, basis=basis, picture=picture)]


def _mean_ranks(explanation: Explanation) -> LabelScores:
    """Return the mean ranks of the labels; the shares that decide come before them."""
    return next(
        step.evidence
        for step in explanation.steps
        if isinstance(step.evidence, LabelScores) and not step.evidence.greater_is_better
    )


def _shares(setting: LessonSetting) -> LessonStep:
    near, dial = setting.explanation.evidence(Neighbors), setting.explanation.evidence(GapDial)
    top, k = setting.explanation.order[0], len(near.rows)
    share = float(dial.shares[top])
    values = {"k": k, "top": Label(top), "n": round(share * k), "share": share}
    return LessonStep(
        "Similar cases",
        Text("The {k} most similar cases, the nearest first, and the labels they have.", values),
        scenes.near_sets(setting),
        Ask(
            Text("What share of them has {top}?", values),
            Number(share, 0.0, 1.0),
            shared.with_ties(
                Text("{n} of {k}. Shares order the labels: {top} leads with {share}.", values),
                dial.shares,
                setting,
                setting.explanation.evidence(LabelScores).tie_rule,
            ),
            scenes.dots("share of the similar cases", dial.shares, setting, ascending=False),
            is_added=True,
        ),
    )


def _with_virtual_labels(rankings: FloatArray, gap: int) -> FloatArray:
    """Return rankings with `gap` virtual labels, those of the evidence with the one in them.

    Virtual labels come last; each further one moves the labels behind them by 1.
    """
    line = rankings[:, -1:]
    labels = rankings[:, :-1] + (gap - 1) * (rankings[:, :-1] > line)
    return np.hstack([labels, np.repeat(line + (gap - 1) / 2, gap, axis=1)])


def _drawn_rankings(setting: LessonSetting, gap: int = 1) -> FloatArray:
    """Return the rankings of the nearest cases with virtual labels, which come last."""
    rankings = setting.explanation.evidence(Neighbors).rankings
    drawn = rankings if len(rankings) <= _MOST_DRAWN else rankings[:_DRAWN_OF_MANY]
    return _with_virtual_labels(drawn, gap)


def _ranking_strips(setting: LessonSetting, gap: int = 1) -> Picture:
    """Draw the rankings of the nearest cases with virtual labels among the labels."""
    rankings = _drawn_rankings(setting, gap)
    # A ranking has other objects than the set of the same case.
    row_names = [f"{name}, ranked" for name in shared.near_names(setting)[: len(rankings)]]
    return scenes.strips(rankings, row_names, setting, "ranking", n_virtual_labels=gap)


def _positions(setting: LessonSetting) -> LessonStep:
    """Ask for the mean position of the largest group of tied labels."""
    rankings = _drawn_rankings(setting)
    row, group = max(
        (
            (row, bucket)
            for row, ranking in enumerate(rankings)
            for bucket in label_buckets(ranking)
        ),
        key=lambda row_group: len(row_group[1]),
    )
    n_tied, value = len(group), float(rankings[row, group[0]])
    first = round(value - (n_tied - 1) / 2)
    positions = range(first, first + n_tied)
    worked = f"({' + '.join(map(str, positions))}) / {n_tied}"
    if n_tied > _MOST_WORKED:
        worked = f"({first} + {positions[-1]}) / 2"
    values = {
        "row": shared.near_names(setting)[row],
        "label": Label(group[0]),
        "first": first,
        "last": positions[-1],
        "worked": worked,
        "value": f"{value:g}",
    }
    reason = "{label} and those tied with it fill positions {first} to {last}: {worked} = {value}."
    if n_tied == 1:
        reason = "{label} is alone in position {value}."
    return LessonStep(
        "A virtual label",
        Text(
            "Rank each case: its labels first, then an invented virtual label (zero), then the "
            "other labels. Labels on the same side tie and share the mean of their positions."
        ),
        _ranking_strips(setting),
        Ask(
            Text("Which position does {label} get for {row}?", values),
            Number(value, 1.0, float(rankings.shape[1]), 0.5),
            Text(reason, values),
        ),
    )


def _mean_rank_dots(
    setting: LessonSetting,
    scores: LabelScores,
    gap: int,
    *,
    has_line: bool,
    order: Sequence[int] | None = None,
) -> Picture:
    """Draw mean ranks on the scale of all numbers of virtual labels, perhaps with their line."""
    ends = (1.0, float(setting.dataset.n_labels + _GAPS[-1]))
    bar = Bar(float(scores.bar or 0.0), f"zero line, p = {gap}") if has_line else None
    return scenes.dots("mean rank", scores.values, setting, ends=ends, bar=bar, order=order)


def _gap(setting: LessonSetting, gap: int) -> LessonStep:
    explanation = setting.explanation_with(n_virtual_labels=gap)
    scores = _mean_ranks(explanation)
    intro = (
        "With p = {p}, {p} virtual labels stand between the labels of a case and the others. "
        "The zero line is their mean rank: {bar}."
    )
    basis = None if shared.sets_that_stay(setting) is None else _ranking_strips(setting, gap)
    if gap == _GAPS[0]:
        intro = (
            "The mean rank of a label is its mean position over the {k} similar cases. That of the "
            "p = {p} virtual label is the zero line: {bar}."
        )
    labels = sorted(setting.scene.shown)
    ahead = np.flatnonzero(explanation.prediction).tolist()
    right = frozenset(labels.index(label) for label in ahead)
    values = {"p": gap, "k": len(shared.near_rows(setting)), "bar": float(scores.bar or 0.0)}
    before, after = (
        scenes.below(basis, _mean_rank_dots(setting, scores, gap, has_line=has_line))
        for has_line in (False, True)
    )
    return LessonStep(
        f"p = {gap}",
        Text(intro, values),
        before,
        Ask(
            Text("Which labels are ahead of the line?"),
            Pick(tuple(setting.names[label] for label in labels), right),
            _ahead(explanation, scores, gap),
            after,
        ),
    )


def _worked(explanation: Explanation, label: int, gap: int) -> str:
    """Return the arithmetic from the positions of a label to its mean rank."""
    rankings = explanation.evidence(Neighbors).rankings
    if len(rankings) > _MOST_WORKED:
        return ""
    positions = _with_virtual_labels(rankings, gap)[:, label]
    return f"({' + '.join(f'{position:g}' for position in positions)}) / {len(positions)} = "


def _ahead(explanation: Explanation, scores: LabelScores, gap: int) -> Text:
    """Say which labels are ahead of the line, and name a tie with it as one."""
    top = explanation.order[0]
    values = {
        "ahead": shared.listed(
            [label for label in explanation.order if explanation.prediction[label]]
        ),
        "top": Label(top),
        "mean": _worked(explanation, top, gap) + decimal_text(scores.values[top]),
        "bar": float(scores.bar or 0.0),
    }
    tied = [label for label in explanation.order if scores.values[label] == scores.bar]
    if tied:
        values["tied"] = shared.listed(tied)
        return Text(
            "A tie: {tied} and the line share the mean rank {bar}. A label must be ahead of the "
            "line. Predicted: {ahead}.",
            values,
        )
    if not explanation.prediction.any():
        return Text("None: even {top}, the first, has {mean}; the line has {bar}.", values)
    return Text("{top} has {mean}, the line {bar}. Predicted: {ahead}.", values)


def _share_dots(
    setting: LessonSetting, bar: Bar | None = None, above: Html | None = None
) -> Picture:
    shares = setting.explanation.evidence(GapDial).shares
    return scenes.dots(
        "share of the similar cases", shares, setting, bar=bar, ascending=False, above=above
    )


def _from_ranks_to_shares(setting: LessonSetting) -> LessonStep:
    """Ask which share has the mean rank of the zero line, with one virtual label."""
    explanation, dial = (
        setting.explanation_with(n_virtual_labels=1),
        setting.explanation.evidence(GapDial),
    )
    scores, m = _mean_ranks(explanation), setting.dataset.n_labels
    mean_size = float(dial.shares.sum())
    # Labels that all similar cases have, and that none has, by SPEC's generalised ranks.
    best, worst = (mean_size + 1) / 2, (mean_size + m + 1) / 2 + 1
    share, line, top = float(dial.bars[0]), float(scores.bar or 0.0), explanation.order[0]
    bar = Bar(share, "zero line, p = 1")
    values = {
        "best": best,
        "worst": worst,
        "line": line,
        "share": share,
        "top": Label(top),
        "own": float(dial.shares[top]),
    }
    as_written = [round(number, 2) for number in (worst, line, best)]
    written_share = (as_written[0] - as_written[1]) / (as_written[0] - as_written[2])
    note = "" if decimal_text(written_share) == decimal_text(share) else " (rounded)"
    reason = (
        f"({{worst}} − {{line}}) / ({{worst}} − {{best}}) = {{share}}{note}. A label with more, "
        "further right, is ahead; {top}, the first, has {own}."
    )
    return LessonStep(
        "From ranks to shares",
        Text(
            "The more similar cases have a label, the lower its mean rank. With p = 1 it is "
            "{worst} if none has it, and {best} if all have it.",
            values,
        ),
        _mean_rank_dots(setting, scores, 1, has_line=True),
        Ask(
            Text("At which share is it {line}, the line?", values),
            Number(share, 0.0, 1.0),
            Text(reason, values),
            _share_dots(setting, bar),
            is_added=True,
        ),
    )


def _line_moves(setting: LessonSetting) -> LessonStep:
    dial = setting.explanation.evidence(GapDial)
    p, line, last_line = int(dial.gaps[-1]), float(dial.bars[0]), float(dial.bars[-1])
    had = float(dial.shares.sum())
    lacked = setting.dataset.n_labels - had
    values: dict[str, Any] = {
        "m": setting.dataset.n_labels,
        "s": had,
        "lacked": lacked,
        "last": last_line,
        "p": p,
    }
    basis = shared.sets_that_stay(setting)

    def before(bar: Bar, guess: float | None = None) -> Picture:
        bars = _cut_rows({1: line, p: guess}, lacked, had)
        return scenes.below(basis, _share_dots(setting, bar, bars))

    after = _share_dots(
        setting,
        Bar(last_line, f"zero line, p = {p}"),
        _cut_rows({1: line, p: last_line}, lacked, had),
    )
    crossing = next(iter(dial.crossings), None)
    changed = ""
    if crossing is not None:
        values |= {"from": crossing.gap, "changed": Label(crossing.label)}
        way = "is predicted" if crossing.enters else "is not predicted"
        changed = f" From p = {{from}} on, {{changed}} {way}."
    return LessonStep(
        "The line moves",
        Text(
            "Put side by side: the {lacked} labels that a similar case lacks on average, p virtual "
            "ones twice, and the {s} it has. The line cuts the virtual ones in half.",
            values,
        ),
        before(Bar(line, "zero line, p = 1")),
        Ask(
            Text("Where is the line with p = {p}?", values),
            Number(last_line, 0.0, 1.0),
            Text(
                "({lacked} + {p}) / ({m} + 2 × {p}) = {last}: the larger p, the closer to one "
                "half, a majority vote." + changed,
                values,
            ),
            scenes.below(basis, after),
            guessed=lambda guess: before(Bar(guess, "your line"), guess),
        ),
    )


def _cut_rows(lines: Mapping[int, float | None], lacked: float, had: float) -> Html:
    """Draw the labels of a case and p virtual ones as bars, cut at their zero lines.

    `lines`: the share at which the line of each p stands; None for a line that is asked for.
    """
    bars = [
        CutBar(
            f"p = {p}",
            "?" if line is None else decimal_text(line),
            ((lacked, f"{round(lacked, 2):g}", "without"), (p, str(p), "line")),
            ((p, str(p), "line"), (had, f"{round(had, 2):g}", "with")),
            line,
        )
        for p, line in lines.items()
    ]
    key = [("without", "lacked"), ("line", "p virtual labels"), ("with", "had")]
    return markup.cut_rows(bars, key)


LESSON = Lesson(
    "mlr",
    "Zero line",
    "A line between yes and no",
    "Rank the labels together with a virtual label, the zero line: labels ahead of "
    "it are relevant.",
    "mlr",
    (
        Example(
            "A changeable day", OUTINGS, (16.0, 5.0), {"n_neighbors": 3}, nouns=DAYS_AND_OUTINGS
        ),
        Example(
            "The paper's example: p = 1, 2, 3",
            _THREE_CASES,
            (2.0,),
            {"n_neighbors": 3, "n_virtual_labels": 1},
            "Brinker and Hüllermeier 2007, two of three cases have a.",
        ),
    ),
    ("n_neighbors", "n_virtual_labels"),
    make_steps,
    Task.MULTILABEL,
    skill="compute by hand which labels a case has",
    skill_details=": rank them with a zero line, and move the line with p",
    minutes=6,
)
