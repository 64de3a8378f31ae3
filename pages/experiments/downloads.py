"""The results of an experiment as files."""

from collections.abc import Mapping

import streamlit as st

from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.experiments.plan import ratio_of_tests
from pages.experiments.results import Results
from pages.ui import significance, widgets
from pages.ui.charts import svg


def render_downloads(
    results: Results, board: Leaderboard, data: str, level: Mapping[str, float]
) -> None:
    """Draw the downloads: results, leaderboard, pairs, drawings and the config that repeats it."""
    st.header("Download", anchor=False)
    experiment, _ = results.store.experiment(results.run)
    protocol = results.units[0].protocol
    ratio = ratio_of_tests(protocol, results.dataset(data), level["train_share"])
    with st.container(horizontal=True):
        frame = results.frame
        widgets.render_large_csv_download(
            "All results (CSV)",
            lambda: frame,
            "results.csv",
            *(results.run, len(frame)),
            n_cells=frame.size,
            key="results-csv",
        )
        widgets.render_csv_download("Leaderboard (CSV)", board.frame(), "leaderboard.csv")
        widgets.render_csv_download(
            "All pairs of methods (CSV)", board.every_pair(ratio), "pairs.csv"
        )
        svg_text = svg.intervals(board.bands(data), title=board.measure.title)
        significance.render_svg_download("Leaderboard (SVG)", svg_text, "leaderboard.svg")
        scores = board.scores()
        # With more data sets it is offered with the tests.
        if len(scores) == 1 and scores.shape[1] > 1:
            better = board.measure.greater_is_better
            ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
            significance.render_latex_download(scores, ranks, board.deviations(scores))
        config = experiment.to_json()
        widgets.render_download("Config (JSON)", config, "config.json", "application/json")
    st.caption("The config repeats the experiment on any computer that has the package:")
    st.code("python -m labelrank_core run config.json", language="bash", wrap_lines=True)
    if any(source.kind == "stored" for source in experiment.data):
        st.caption(
            "Your own data are kept on this server only. Elsewhere, name your files in the config: "
            '{"files": ["mine.csv"]}.'
        )
