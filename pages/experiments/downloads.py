"""The results of an experiment as files, in one menu."""

import streamlit as st

from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.comparison.significance import average_ranks
from pages.experiments import runs
from pages.experiments.results import Results
from pages.ui.render import significance, widgets
from pages.ui.render.charts import svg
from pages.ui.render.significance import SignificanceTests
from pages.ui.wording import text


def render_menu(
    results: Results, board: Leaderboard, data: str, ratio: float, tests: SignificanceTests | None
) -> None:
    """Draw the menu of downloads: tables, drawings, and the config that repeats the experiment."""
    with st.popover("Export", icon=":material/download:", key="ex_export"):
        _render_tables(results, board, ratio, tests)
        _render_drawings(board, data, ratio, tests)
        _render_config(results)


def _render_tables(
    results: Results, board: Leaderboard, ratio: float, tests: SignificanceTests | None
) -> None:
    frame = results.frame
    widgets.render_csv_download("Leaderboard (CSV)", board.frame(), "leaderboard.csv")
    widgets.render_large_csv_download(
        "All results (CSV)",
        lambda: frame,
        "results.csv",
        *(results.run, len(frame)),
        n_cells=frame.size,
        key="results-csv",
    )
    widgets.render_csv_download("All pairs of methods (CSV)", board.every_pair(ratio), "pairs.csv")
    if tests is not None:
        significance.render_test_downloads(tests)
        return
    scores = board.scores()
    if len(scores) == 1 and scores.shape[1] > 1:
        better = board.measure.greater_is_better
        ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
        significance.render_latex_download(scores, ranks, board.deviations(scores))


def _render_drawings(
    board: Leaderboard, data: str, ratio: float, tests: SignificanceTests | None
) -> None:
    bands = board.bands(data)
    title = board.measure.title
    svg_text = svg.intervals(bands, title=title)
    significance.render_svg_download("Leaderboard (SVG)", svg_text, "leaderboard.svg")
    if len(bands) > 1:
        first = str(bands["method"].iloc[0])
        svg_text = svg.intervals(
            board.against(data, first, ratio),
            title=f"difference in {title} from {text.shorten(first, 40)}",
            zero=True,
        )
        significance.render_svg_download("Differences (SVG)", svg_text, "differences.svg")
    if tests is not None:
        significance.render_diagram_download(tests)


def _render_config(results: Results) -> None:
    experiment, _ = results.store.experiment(results.run)
    config = experiment.to_json()
    widgets.render_download("Config (JSON)", config, "config.json", "application/json")
    st.caption("The config repeats the experiment on any computer that has the package:")
    st.code("python -m labelrank_core run config.json", language="bash", wrap_lines=True)
    if any(source.kind == "stored" for source in experiment.data):
        st.caption(
            f"Your own data are kept on this {runs.host()} only. Elsewhere, name your files in the "
            'config: {"files": ["mine.csv"]}.'
        )
