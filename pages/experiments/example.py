"""The recorded results of an experiment, as an example before the first start."""

import pandas as pd
import streamlit as st

from labelrank_core import list_samples
from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.experiments.example import (
    MEASURE,
    PROTOCOL,
    example_folds,
    recorded_example,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.experiments import differences
from pages.ui.render import drawing, significance
from pages.ui.render.measured import OTHER_NUMBERS
from pages.ui.wording import choice_text, text

# Test rows per training row of each fold.
_TEST_SHARE = 1 / (PROTOCOL.n_folds - 1)


def render_example() -> None:
    """Draw the recorded results of an experiment as those of a visitor are going to look."""
    recorded = recorded_example()
    titles = {sample.name: sample.title for sample in list_samples()}
    titled = recorded.assign(
        data=recorded["data"].map(titles),
        method=[
            choice_text.symbols_text(ModelChoice(key, tuple(params.items())))
            for key, params in zip(recorded["method"], recorded["params"], strict=True)
        ],
    )
    board = leaderboard(example_folds(titled), MEASURE)
    scores, measure = board.scores(), board.measure
    cases = HeldOutCases("fold", None, PROTOCOL.n_folds)
    ranks = average_ranks(scores.to_numpy(), greater_is_better=measure.greater_is_better)
    first = int(ranks.means.argmin())
    n_ahead = int((ranks.ranks[:, first] == 1).sum())
    ahead_on = f"all {len(scores)}" if n_ahead == len(scores) else f"{n_ahead} of {len(scores)}"
    name = str(scores.columns[first])
    n_shared = int((ranks.ranks[:, first] == ranks.ranks.min(axis=1)).sum()) - n_ahead
    shared_on = f", ties on {n_shared}" if n_shared else ""
    drawing.render_heading(
        f"Example: {text.markdown(name)} leads on {ahead_on} data sets{shared_on}"
    )
    table = board.against_everywhere(name, dict.fromkeys(board.data_sets, _TEST_SHARE))
    drawing.render_markdown(f"{differences.clear_lead(table, 'Its lead')}.")
    differences.render_differences(
        board,
        table,
        key="ex_example_differences",
        more=f"{cases.sentence} {' '.join(_settings_notes(recorded))} Recorded on "
        f"{max(recorded['date'])}. {OTHER_NUMBERS}",
    )
    with st.expander("Scores"):
        st.markdown(
            f"{text.capitalised(measure.better)} is better. Shaded: the best. ±: spread over "
            "folds. [Significance](compare) tests which methods differ."
        )
        significance.render_scores(
            scores,
            ranks,
            greater_is_better=measure.greater_is_better,
            deviations=board.deviations(scores),
        )


def _settings_notes(recorded: pd.DataFrame) -> list[str]:
    """Say of settings that are no defaults why they are smaller."""
    notes = []
    for key, params in zip(recorded["method"], recorded["params"], strict=True):
        knobs = {knob.name: knob for knob in ALGORITHMS[key].knobs}
        notes += [
            f"{knobs[name].symbol} is {value}, as the smallest data set has few cases."
            for name, value in params.items()
        ]
    return list(dict.fromkeys(notes))
