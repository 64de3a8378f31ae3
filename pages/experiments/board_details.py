"""What is behind a leaderboard, its single folds and cases, and what to take along."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.comparison.leaderboard import Leaderboard, worst_cases
from labelrank_core.comparison.significance import average_ranks
from labelrank_core.experiments import Unit
from labelrank_core.experiments.plan import ratio_of_tests
from labelrank_core.experiments.store import Store
from pages.ui import compute, params, parts, state, statistics, text
from pages.ui.charts import svg


@dataclass(frozen=True, eq=False)
class Run:
    """An experiment with the results there are."""

    store: Store
    id: str
    datasets: Mapping[str, Dataset]
    units: Sequence[Unit]
    results: pd.DataFrame
    going: bool

    def dataset(self, name: str) -> Dataset:
        """Return the data set that results call so."""
        return self.datasets[next(u.fingerprint for u in self.units if u.data_name == name)]


def wide(board: Leaderboard) -> pd.DataFrame:
    """Put the leaderboard as people read it."""
    long = board.frame()
    long["words"] = [
        f"{'★ ' if row.rank == 1 else ''}{row.mean:.3f}"
        + ("" if pd.isna(row.sd) else f" ± {row.sd:.3f}")
        + f" ({row.rank:g})"
        for row in long.itertuples()
    ]
    ranks = long.groupby("method")["rank"].mean().sort_values(kind="stable")
    cells = long.pivot_table(index="method", columns="data", values="words", aggfunc="first")
    table = cells.reindex(index=ranks.index, columns=list(board.data_sets)).fillna("")
    table.columns = [f"on {name}" for name in table.columns]
    if len(board.data_sets) > 1:
        table.insert(0, "average rank", ranks.round(2))
    table["mean seconds"] = long.groupby("method")["seconds"].mean()
    return table.rename_axis(index="method", columns=None).reset_index()


def draw(
    run: Run, board: Leaderboard, data: str, method: str | None, level: Mapping[str, float]
) -> None:
    """Draw the single folds of a method and the cases it gets most wrong."""
    st.subheader("Behind the means", anchor=False)
    known = [name for name in board.methods if len(board.single_folds(data, name))]
    if method not in known:
        method = st.selectbox("Method", known, key="ex_behind")
    st.markdown(f"**{text.markdown(str(method))}** on **{text.markdown(data)}**")
    left, right = st.columns(2, gap="large")
    with left:
        st.caption("Single folds, counted from 1")
        folds = board.single_folds(data, str(method))
        folds[["repeat", "fold"]] += 1
        st.dataframe(folds, hide_index=True)
    with right:
        units = [
            unit
            for unit in run.units
            if (unit.data_name, unit.method.name) == (data, method)
            and unit.missing == level["missing"]
            and unit.train_share == level["train_share"]
        ]
        _worst(run, board, units)


def _worst(run: Run, board: Leaderboard, units: list[Unit]) -> None:
    cases = []
    for number, unit in enumerate(units, 1):
        try:
            cases.append((number, run.store.cases(unit)))
        except KeyError:
            continue
    table = worst_cases(cases, board.measure.key)
    if not any(board.measure.key in each for _, each in cases):
        st.caption("This measure has no values of single cases.")
        return
    if table.empty:
        st.caption("It gets no test row wrong.")
        return
    st.caption("The test rows it gets most wrong, and in which test part (1, 2, …)")
    table["row"] += 1
    shown = table.rename(columns={"folds": "test parts", "n_tests": "tested"})
    dataset, choice = run.datasets[units[0].fingerprint], units[0].method.choice
    option = _at_hand(dataset)
    if option is None:
        st.dataframe(shown, hide_index=True)
        st.caption("These data are not at hand in this session, so their rows cannot be opened.")
        return
    key = f"ex_worst_{units[0].key[:8]}"

    def take() -> None:
        rows = state.get(key)["selection"]["rows"]
        if rows:
            params.choose(option, choice, int(table["row"].iloc[rows[0]]) - 1)

    event = st.dataframe(
        shown, hide_index=True, on_select=take, selection_mode="single-row", key=key
    )
    rows = event["selection"]["rows"]
    if not rows or rows[0] >= len(table):
        st.caption("Tick a row to choose it, with its data and method, in the sidebar.")
        return
    st.page_link(
        "pages/predict/page.py",
        label=f"Look at row {table['row'].iloc[rows[0]]} on Predict",
        icon=":material/search:",
        query_params=dict(st.query_params),
    )
    st.caption("There a model learns from other rows than in a fold, so it may predict otherwise.")


def _at_hand(dataset: Dataset) -> str | None:
    """Return what the sidebar calls data, if it offers them."""
    if compute.known_sample(dataset):
        return dataset.name
    own = state.own_data().items()
    return next((name for name, each in own if each.fingerprint == dataset.fingerprint), None)


def exports(run: Run, board: Leaderboard, data: str, level: Mapping[str, float]) -> None:
    """Offer results, leaderboard, pairs, pictures and the config that repeats it."""
    st.subheader("Take it along", anchor=False)
    table = board.frame()
    own = table[table["data"] == data]
    experiment, _ = run.store.experiment(run.id)
    ratio = ratio_of_tests(run.units[0].protocol, run.dataset(data), level["train_share"])
    with st.container(horizontal=True):
        parts.download_csv("All results (CSV)", run.results, "results.csv")
        parts.download_csv("Leaderboard (CSV)", table, "leaderboard.csv")
        parts.download_csv("Every two methods (CSV)", board.every_pair(ratio), "pairs.csv")
        drawing = svg.intervals(
            own.assign(low=own["mean"] - own["sd"], high=own["mean"] + own["sd"]),
            title=board.measure.title,
        )
        statistics.download("Leaderboard (SVG)", drawing, "leaderboard.svg")
        scores = board.scores()
        # With more data sets it stands beside the statistics.
        if len(scores) == 1 and scores.shape[1] > 1:
            better = board.measure.greater_is_better
            ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
            written = statistics.latex(scores, ranks, board.deviations(scores))
            statistics.download("Table (LaTeX)", written, "results.tex", "text/x-tex")
        statistics.download(
            "Config (JSON)", experiment.to_json(), "config.json", "application/json"
        )
    st.caption("The config repeats the experiment on any computer that has the package:")
    st.code("python -m labelrank_core run config.json", language="bash")
    if any(source.kind == "stored" for source in experiment.data):
        st.caption(
            "Your own data are kept on this server only: elsewhere, name your files in the config "
            'instead, {"files": ["mine.csv"]}.'
        )
