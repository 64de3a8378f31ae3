"""An example of what an experiment ends with, so that one sees it before the first start."""

import streamlit as st

from labelrank_core import list_samples
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.experiments.example import MEASURE, PROTOCOL, recorded_example
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import METRICS
from pages.ui.render import drawing, significance
from pages.ui.wording import text


def render_example() -> None:
    """Draw the recorded results of an experiment as those of a visitor are going to look."""
    recorded = recorded_example()
    titles = {sample.name: sample.title for sample in list_samples()}
    named = recorded.assign(
        data=recorded["data"].map(titles),
        method=[ALGORITHMS[key].long_title for key in recorded["method"]],
    )
    scores = named.pivot_table(index="data", columns="method", values="value", sort=False)
    scores = scores.rename_axis(index=None, columns=None)
    measure = METRICS[MEASURE]
    ranks = average_ranks(scores.to_numpy(), greater_is_better=measure.greater_is_better)
    first = int(ranks.means.argmin())
    n_best = int((ranks.ranks[:, first] == ranks.ranks.min(axis=1)).sum())
    best_on = f"all {len(scores)}" if n_best == len(scores) else f"{n_best} of {len(scores)}"
    name = text.markdown(str(scores.columns[first]))
    drawing.render_heading(f"Example of a result: {name} is best on {best_on} data sets")
    significance.render_scores(scores, ranks, greater_is_better=measure.greater_is_better)
    st.caption(
        f"{measure.title} ({measure.better} is better), mean of {PROTOCOL.n_folds} folds, measured "
        f"on {max(recorded['date'])}. Yours adds intervals and tests."
    )
