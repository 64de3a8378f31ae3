"""The picture of a race: methods by rank between everyone's average and perfect."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan, nan

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.experiments.race import (
    LEAST_SECONDS,
    N_FOLDS,
    SAME_SPEED,
    MethodRace,
    RaceStanding,
)
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup.ticks import round_numbers
from labelrank_core.methods import ALGORITHMS, FAMILY_IDEAS, ModelChoice
from labelrank_core.metrics import Measure
from pages.ui import toolbar
from pages.ui.render import drawing, row_buttons, widgets
from pages.ui.render.measured import OTHER_NUMBERS
from pages.ui.wording import choice_text, measure_text, text

_ROWS_KEY = "race_rows"
_ORDER = list(ALGORITHMS)
_MOST_TICKS = 6
_PROTOCOL = (
    f"The training cases are cut into {N_FOLDS} folds. In each round every method is trained on "
    "the others and measured on one fold. Methods are compared case by case with the best; those "
    "clearly worse after two rounds drop out. A bar is the 95% interval of the difference from the "
    "best, wide enough that all comparisons of a race hold together, whenever it is stopped. Where "
    "cases are too few there is no bar. The seconds are those of one fold, measuring included."
)
# Of the scale, beside its ends.
_END = 0.03


@dataclass(frozen=True)
class Board:
    """Method in use, candidates, measure and scale of the picture of a race.

    Parameters
    ----------
    choice : ModelChoice
        The method in use.
    candidates : sequence of ModelChoice
        The methods that race.
    measure : Measure
        The measure.
    average : float
        What everyone's average reaches on the same folds: the left end of the scale.
    cases : HeldOutCases
        The cases that methods are measured on.
    """

    choice: ModelChoice
    candidates: Sequence[ModelChoice]
    measure: Measure
    average: float
    cases: HeldOutCases

    def share(self, value: float, race: MethodRace | None) -> float:
        """Return the place of a value between everyone's average (0) and perfect (1).

        Where nothing is known of the average, the worst method in the race takes its place.
        """
        worst = self._worst(race)
        reach = self.measure.perfect - worst
        return (value - worst) / reach if reach else 1.0

    def ticks(self, race: MethodRace | None) -> list[tuple[float, str]]:
        """Return round values between the ends of the scale: the place and the text of each."""
        low, high = sorted((self._worst(race), self.measure.perfect))
        if isnan(low) or isnan(high) or low == high:
            return []
        ticks = [
            (self.share(value, race), f"{value:g}")
            for value in round_numbers(low, high, _MOST_TICKS).tolist()
        ]
        # The ends have words.
        return [tick for tick in ticks if _END < tick[0] < 1 - _END]

    def _worst(self, race: MethodRace | None) -> float:
        if not isnan(self.average) or race is None:
            return self.average
        worst_of = min if self.measure.greater_is_better else max
        return worst_of((standing.mean for standing in race.standings), default=nan)


def render_standings(
    race: MethodRace | None,
    board: Board,
    dataset: Dataset | None = None,
    *,
    has_started: bool = True,
) -> None:
    """Draw the methods by rank, then those that wait; with `dataset`, a button to use each.

    Before the race of all starts, methods without a score are folded, by family.
    """
    standings = [] if race is None else race.standings
    measured_choices = [standing.choice for standing in standings]
    waiting = sorted(
        (candidate for candidate in board.candidates if candidate not in measured_choices),
        key=lambda candidate: (
            not candidate.is_same_model(board.choice),
            _ORDER.index(candidate.key),
        ),
    )
    names = method_names([*measured_choices, *waiting])
    rows = []
    if race is not None:
        rows = [
            _markup_row(standing, name, race, board, is_offered=dataset is not None)
            for standing, name in zip(standings, names, strict=False)
        ]
    waiting_names = names[len(rows) :]
    are_folded = bool(waiting and rows and not has_started)
    if not are_folded:
        rows += [
            _waiting_row(candidate, name, board)
            for candidate, name in zip(waiting, waiting_names, strict=True)
        ]
    measure = board.measure
    drawing.render_markdown(drawing.with_nouns(_definition(race, board)), _PROTOCOL)
    left_end = "everyone's average"
    with st.container(key="standings"):
        drawing.render_figure(
            markup.standings(
                rows,
                left_end if isnan(board.average) else f"{left_end}: {board.average:.3f}",
                f"perfect: {measure.perfect:g}",
                ticks=board.ticks(race),
                value_head="score" if measure.greater_is_better else "loss",
            ),
            key="race",
            alt=f"methods by {measure.title}: "
            + ", ".join(
                [f"{row.name} {row.value}".rstrip() for row in rows[:10]] or waiting_names[:10]
            ),
            table=_standings_frame(standings, names, measure),
            caption=drawing.with_nouns(board.cases.sentence),
            more=OTHER_NUMBERS,
        )
        if dataset is not None:
            row_buttons.listen(_ROWS_KEY, "standings", partial(_use_row, dataset, measured_choices))
    if are_folded:
        title = f"Not measured yet: {count_of(len(waiting), 'method')}"
        with widgets.expander(title, "race_waiting", is_open=len(rows) == 1) as is_drawn:
            if is_drawn:
                drawing.render_markup(markup.method_families(_families(waiting, waiting_names)))


def _definition(race: MethodRace | None, board: Board) -> str:
    """Return what the dots and, once there are any, the hollow ones of a race are."""
    measure = board.measure
    dots = f"Dots: mean {text.markdown(measure.title)}, {measure_text.meaning(measure)}."
    is_any_behind = race is not None and any(
        standing.status == "behind" or standing.is_out for standing in race.standings
    )
    hollow = " Hollow: clearly worse, now or when it dropped out." if is_any_behind else ""
    return f"{dots}{hollow}"


def _use_row(dataset: Dataset, offered: Sequence[ModelChoice], row: int) -> None:
    """Use the method of the row whose button was clicked on all pages."""
    if row < len(offered):
        toolbar.set_method(dataset, offered[row])


def _markup_row(
    standing: RaceStanding, name: str, race: MethodRace, board: Board, *, is_offered: bool
) -> markup.Standing:
    is_in_use = standing.choice.is_same_model(board.choice)
    seconds = standing.seconds_per_round
    times = [rival.seconds_per_round for rival in race.standings]
    longest = max((time for time in times if not isnan(time)), default=0.0)
    sign = 1 if board.measure.greater_is_better else -1
    low, share, high = (
        board.share(standing.mean + sign * (gain - standing.gain), race)
        for gain in (standing.low, standing.gain, standing.high)
    )
    # The first of one is ahead of nobody.
    is_alone = len(race.standings) == 1
    kind = {"first": "level" if is_alone else "first", "failed": "behind"}
    advice = None if is_alone else race.recommend(board.choice)
    shortest = min((time for time in times if not isnan(time)), default=0.0)
    # Bars would show differences that are called too small.
    has_time_bars = longest > SAME_SPEED * max(shortest, LEAST_SECONDS)
    is_advised = advice is not None and standing == advice.advised
    return markup.Standing(
        name,
        "–" if isnan(standing.mean) else f"{standing.mean:.3f}",
        share,
        low,
        high,
        _note(standing.choice, "" if is_advised else _fate(standing, race)),
        kind.get(standing.status, standing.status),
        _hint(standing.choice),
        dropped_out=standing.is_out,
        time="–" if isnan(seconds) else seconds_text(seconds).removesuffix(" s"),
        time_share=min(1.0, seconds / longest) if has_time_bars and longest else 0.0,
        action="Use" if is_offered and standing.status != "failed" and not is_in_use else "",
        summary=_summary(standing.choice),
        is_advised=is_advised,
        is_in_use=is_in_use,
    )


def _fate(standing: RaceStanding, race: MethodRace) -> str:
    """Return the fate of a method in the race; empty where the picture shows it."""
    if standing.status == "failed":
        return f"failed: {standing.error}"
    if standing.is_out and standing.n_rounds < race.n_rounds:
        return f"out after round {standing.n_rounds}"
    return "clearly worse" if standing.is_out else ""


def _waiting_row(candidate: ModelChoice, name: str, board: Board) -> markup.Standing:
    """Return the empty lane of a method that is not measured yet."""
    return markup.Standing(
        name,
        "",
        nan,
        nan,
        nan,
        _note(candidate, ""),
        "waiting",
        _hint(candidate),
        summary=_summary(candidate),
        is_in_use=candidate.is_same_model(board.choice),
    )


def _families(
    choices: Sequence[ModelChoice], names: Sequence[str]
) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Group the names and summaries of methods by family, with the idea of each family."""
    methods_by_family: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for choice, name in zip(choices, names, strict=True):
        family = text.capitalised(drawing.with_nouns(choice.algorithm.family))
        methods = methods_by_family.setdefault((family, _hint(choice)), [])
        methods.append((name, _summary(choice)))
    return [(*key, methods) for key, methods in methods_by_family.items()]


def _note(choice: ModelChoice, fate: str) -> str:
    """Return the family of a method, with its fate in the race."""
    family = drawing.with_nouns(choice.algorithm.family)
    return ", ".join(filter(None, (family, fate)))


def _summary(choice: ModelChoice) -> str:
    """Return the summary of a method, a sentence or two."""
    return drawing.with_nouns(choice.algorithm.summary)


def _hint(choice: ModelChoice) -> str:
    """Return the idea of the family; empty for one outside the catalog."""
    return drawing.with_nouns(FAMILY_IDEAS.get(choice.algorithm.family, ""))


def _standings_frame(
    standings: Sequence[RaceStanding], names: Sequence[str], measure: Measure
) -> pd.DataFrame:
    """Tabulate the methods; those that wait, with names alone, come last."""
    measured = pd.DataFrame(
        {
            measure.title_with_arrow: [standing.mean for standing in standings],
            "ahead of the first": [standing.gain for standing in standings],
            "from": [standing.low for standing in standings],
            "to": [standing.high for standing in standings],
            "rounds": [standing.n_rounds for standing in standings],
            "seconds": [standing.seconds for standing in standings],
        }
    )
    frame = measured.reindex(range(len(names)))
    frame.insert(0, "method", list(names))
    return frame


def seconds_text(seconds: float) -> str:
    """Write the time of a round in two digits.

    >>> seconds_text(0.0012), seconds_text(0.0123), seconds_text(0.5), seconds_text(12.3)
    ('< 0.01 s', '0.01 s', '0.5 s', '12 s')
    """
    if seconds < 0.005:
        return "< 0.01 s"
    return (
        f"{seconds:.2f} s"
        if seconds < 0.1
        else f"{seconds:.1f} s"
        if seconds < 10
        else f"{seconds:.0f} s"
    )


def method_names(choices: Sequence[ModelChoice]) -> list[str]:
    """Name the methods without short names; with several settings of one, by its settings too."""
    keys = [choice.key for choice in choices]
    return [
        choice_text.method_text(choice)
        if keys.count(choice.key) > 1
        else choice.algorithm.long_title
        for choice in choices
    ]
