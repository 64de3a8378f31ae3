"""Pieces that several pages share: the bar of facts, tables with downloads, findings, code."""

import html
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import labelrank_core
from labelrank_core import Dataset, Finding, Task
from labelrank_core.data.findings import findings_frame
from labelrank_core.data.splits import Fold, Split, smallest_training
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.io.marks import defused
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import Measure
from pages.ui import compute, params, state, text

_SPARSE_SHOWN = 50
_FOLDS = "cross_validation"


# What has been drawn since a page began to keep it, in order.
_KEPT: ContextVar[list[Any] | None] = ContextVar("kept", default=None)
_LARGE: ContextVar[bool] = ContextVar("large", default=False)
_LARGER = 1.3


def for_a_projector() -> None:
    """Make the page readable from afar: larger words and pictures, no sidebar."""
    _LARGE.set(True)
    st.html(
        "<style>@media (min-width: 800px) {[data-testid=stSidebar],"
        " [data-testid=stExpandSidebarButton] {display: none}}"
        " .stMain p, .stMain li, .stMain td, .stMain th {font-size: 1.15rem}</style>"
    )


def status_bar(*, shown: bool) -> None:
    """Show data, task, method and case in one line."""
    _LARGE.set(False)
    _KEPT.set(None)
    st.html("<style>.stMainBlockContainer {padding-top: 4.5rem}</style>")
    if shown:
        st.caption(params.in_a_line(state.dataset(), state.choice(), state.row()))


@dataclass(frozen=True, eq=False)
class Shown:
    """A figure as it was drawn."""

    figure: Any
    alt: str
    table: pd.DataFrame


def keep_what_is_drawn() -> list[Any]:
    """Return a list to which everything is added that this run draws from now on."""
    kept: list[Any] = []
    _KEPT.set(kept)
    return kept


def keep(what: Any) -> None:
    """Add something to what is drawn, if that is kept."""
    kept = _KEPT.get()
    if kept is not None:
        kept.append(what)


def heading(words: str) -> None:
    """Write a heading."""
    keep(f"<h2>{html.escape(words)}</h2>")
    st.subheader(words, anchor=False)


def chart(
    figure: Any,
    *,
    key: str,
    alt: str,
    table: pd.DataFrame,
    on_click: Callable[[int], None] | None = None,
) -> None:
    """Show a figure, with the same numbers as a table behind a click."""
    keep(Shown(figure, alt, table))
    if _LARGE.get():
        figure.update_layout(font_size=16, height=_LARGER * figure.layout.height)
        figure.update_xaxes(tickfont_size=15, title_font_size=15)
        figure.update_yaxes(tickfont_size=15, title_font_size=15)
        figure.update_traces(textfont_size=15, selector={"type": "bar"})
    config = {"displayModeBar": False}
    if on_click is None:
        st.plotly_chart(figure, key=key, alt=alt, config=config)
    else:
        st.plotly_chart(
            figure,
            key=key,
            alt=alt,
            config=config,
            selection_mode="points",
            on_select=lambda: _clicked(key, on_click),
        )
    with st.popover("Table", icon=":material/table:", type="tertiary"):
        st.dataframe(table, hide_index=True)


def _clicked(key: str, on_click: Callable[[int], None]) -> None:
    points = state.get(key)["selection"]["point_indices"]
    if points:
        on_click(points[-1])


def test_part(split: Split, quick: Split) -> Split:
    """Let the user measure all test rows where only some were taken to answer at once."""
    if len(quick.test) == len(split.test):
        return split
    return split if measures_all(len(split.test), len(quick.test)) else quick


def measures_all(n_all: int, n_quick: int) -> bool:
    """Ask whether to measure all test rows of large data."""
    return st.toggle(
        f"Measure all {n_all} test rows, not {n_quick} drawn at random",
        key="all_tests",
        persist_state="session",
        help="The data are large; all rows may take minutes.",
    )


def csv_bytes(table: pd.DataFrame) -> bytes:
    """Write a table as CSV that a spreadsheet opens without running anything in it."""
    safe = table.copy()
    for column in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[column]):
            safe[column] = [_defused(value) for value in safe[column]]
    safe.columns = pd.Index([_defused(name) for name in safe.columns])
    buffer = io.StringIO()
    # With this line end, single carriage returns in a text are quoted too.
    safe.to_csv(buffer, index=False, lineterminator="\r\n")
    return buffer.getvalue().encode("utf-8-sig")


def _defused(value: Any) -> Any:
    return defused(value) if isinstance(value, str) else value


def download_csv(label: str, table: pd.DataFrame, file_name: str, key: str | None = None) -> None:
    """Offer a table as a CSV file."""
    st.download_button(
        label,
        lambda: csv_bytes(table),
        file_name=file_name,
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=key,
    )


def feature_table(dataset: Dataset, rows: Any) -> pd.DataFrame:
    """Tabulate the features of some rows; of sparse ones those that most of the rows have."""
    if not dataset.is_sparse:
        return dataset.feature_frame(rows)
    part = dataset.X[rows]
    most = np.sort(np.argsort(-part.getnnz(axis=0), kind="stable")[:_SPARSE_SHOWN])
    return pd.DataFrame(part[:, most].toarray(), columns=[dataset.feature_names[j] for j in most])


def note_on_features(dataset: Dataset) -> None:
    """Say where a table holds only some of the features."""
    if dataset.is_sparse and dataset.n_features > _SPARSE_SHOWN:
        st.caption(
            f"Of the {dataset.n_features} features, most of them 0 in most rows, the "
            f"{_SPARSE_SHOWN} that most of these rows have."
        )


def around_features(
    features: pd.DataFrame, before: Mapping[Any, Any], after: Mapping[Any, Any] | None = None
) -> pd.DataFrame:
    """Put columns around those of the features, which may have the same names."""
    after = after or {}
    taken = {*before, *after}
    names = [f"{name} (feature)" if name in taken else name for name in features.columns]
    middle = features.set_axis(names, axis=1)
    own = [pd.DataFrame(dict(columns), index=middle.index) for columns in (before, after)]
    return pd.concat([own[0], middle, own[1]], axis=1)


def findings(issues: Sequence[Finding], key: str) -> None:
    """List findings as a table of plain text, the first 20 and the count, and offer them all."""
    if not issues:
        return
    table = findings_frame(issues)
    st.dataframe(table.head(20).drop(columns="code"), hide_index=True)
    if len(table) > 20:
        st.caption(f"{len(table)} findings, the first 20 shown.")
    download_csv("All findings", table, "findings.csv", f"findings-{key}")


def left_out(dataset: Dataset, key: str) -> None:
    """Say which rows of a table typed or pasted were left out because of errors."""
    rows = [each for each in dataset.findings if each.code == "rows-left-out"]
    if rows:
        st.warning("Some rows were left out; the others are used.", icon=":material/warning:")
        findings(rows, key)


def python_lines(
    dataset: Dataset, choice: ModelChoice, row: int, edits: Mapping[int, float]
) -> None:
    """Show the Python lines that reproduce a prediction with the package."""
    with st.expander("The same in Python", icon=":material/code:"):
        st.code(python_code(dataset, choice, row, edits), language="python")


def python_profile(dataset: Dataset) -> None:
    """Show the Python lines that make the tables of a profile with the package."""
    load, source = _loaded(dataset)
    part = "label_sets" if dataset.task is Task.MULTILABEL else "rankings"
    lines = [
        f"from labelrank_core import {load}",
        "from labelrank_core.data.profile import Profile",
        "",
        f"profile = Profile({load}({source}))",
        f"print(profile.{part}.label_frame())",
        f"print(profile.{part}.pair_frame())",
        f"print(profile.{part}.diversity)",
        "print(profile.features)",
        "print(profile.twins.bounds())",
        'print(*profile.alerts, sep="\\n")',
    ]
    with st.expander("The same in Python", icon=":material/code:"):
        st.code("\n".join(lines), language="python")


def _loaded(dataset: Dataset) -> tuple[str, str]:
    """Return the function that loads the data, and its arguments."""
    if compute.known_sample(dataset) is not None:
        return "load_sample", repr(dataset.name)
    files, how = state.how_read(dataset)
    read = repr(files[0] if len(files) == 1 else list(files))
    choices = [f"{name}={value!r}" for name, value in how.items()]
    return "read_dataset", ", ".join([read, *choices])


def _arguments(params: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in params)


def _imports(choice: ModelChoice, load: str) -> list[str]:
    """Return the lines that import the estimator, from the root where it is, and the reader."""
    estimator = choice.algorithm.estimator
    if estimator.__name__ in labelrank_core.__all__:
        return [f"from labelrank_core import {estimator.__name__}, {load}"]
    return [
        f"from labelrank_core import {load}",
        f"from {estimator.__module__} import {estimator.__name__}",
    ]


def python_code(dataset: Dataset, choice: ModelChoice, row: int, edits: Mapping[int, float]) -> str:
    """Return the Python lines that `python_lines` shows; the parameters are the same."""
    estimator = choice.algorithm.estimator.__name__
    # What cuts a fitted model down is set as the pages do it, after the fit: trees grown shallow
    # from the start would not be quite the same.
    cuts = {knob.name for knob in choice.algorithm.knobs if knob.on_path and knob.none}
    later = _arguments((name, v) for name, v in choice.params if name in cuts and v is not None)
    arguments = _arguments(item for item in choice.params if item[0] not in cuts)
    scaler = "Normalizer()" if dataset.is_sparse else "StandardScaler()"
    scaler = scaler if choice.scaled else "FunctionTransformer()"
    targets = "rankings" if choice.algorithm.learns_rankings else "Y"
    split = state.split()
    kind = "" if split.seed is None else f", test_share={split.test_share}, seed={split.seed}"
    load, source = _loaded(dataset)
    return "\n".join(
        [
            "from sklearn.pipeline import make_pipeline",
            f"from sklearn.preprocessing import {scaler.removesuffix('()')}",
            *_imports(choice, load),
            "from labelrank_core.data.splits import holdout_split",
            "",
            f"data = {load}({source})",
            f'split = holdout_split(data, kind="{split.kind}"{kind})',
            f"train = split.train[split.train != {row}]",
            f"scaler, model = {scaler}, {estimator}({arguments})",
            f"make_pipeline(scaler, model).fit(data.X[train], data.{targets}[train])",
            f"case = data.X[[{row}]]",
            *(
                [f"case[0, {list(edits)}] = {list(edits.values())}  # the values changed by hand"]
                if edits
                else []
            ),
            "x = scaler.transform(case)",
            f"explanation = model.path(x).at({later}).explain(0)"
            if later
            else "explanation = model.explain(x[0])",
            "print(explanation.prediction, explanation.summary.plain(data.label_names))",
        ]
    )


def python_choice(dataset: Dataset, choice: ModelChoice, split: Split, imported: str) -> list[str]:
    """Return Python lines that name ``data``, ``split`` and ``choice``, and import something."""
    kind = "" if split.seed is None else f", test_share={split.test_share}, seed={split.seed}"
    load, source = _loaded(dataset)
    return [
        f"from labelrank_core import {load}",
        "from labelrank_core.data.splits import holdout_split",
        f"from labelrank_core.{imported}",
        "from labelrank_core.methods import ModelChoice",
        "",
        f"data = {load}({source})",
        f'split = holdout_split(data, kind="{split.kind}"{kind})',
        f"choice = ModelChoice({choice.key!r}, {choice.params}, scaled={choice.scaled})",
    ]


def python_sensitivity(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: Sequence[Fold], measure: str
) -> None:
    """Show the Python lines that measure a figure's settings with the package."""
    load, source = _loaded(dataset)
    grid = figure.grid(smallest_training(folds))
    if figure.kind == "missing":
        function, varied = "missing_labels", f"shares={grid[SHARE_DELETED]}"
    else:
        named = (f'"{name}": {_listed(values)}' for name, values in grid.items())
        function, varied = "sweep_parameters", f"grid={{{', '.join(named)}}}"
    single = folds[0].split.kind == "published"
    lines = [
        f"from labelrank_core import {load}",
        "from labelrank_core.methods import ModelChoice",
        f"from labelrank_core.evaluation.sensitivity import {function}",
        f"from labelrank_core.data.splits import {'Fold, holdout_split' if single else _FOLDS}",
        "",
        f"data = {load}({source})",
        f"choice = ModelChoice({choice.key!r}, {choice.params}, scaled={choice.scaled})",
        'folds = [Fold(0, 0, holdout_split(data, kind="published"))]'
        if single
        else f"folds = {_FOLDS}(data, n_folds={len(folds)})",
        f"found = {function}(",
        f"    data, choice, {varied},",
        f'    folds=folds, measures=["{measure}"],',
        ")",
        "print(found.bands())",
    ]
    with st.expander("The same in Python", icon=":material/code:"):
        st.code("\n".join(lines), language="python")


def _listed(values: Sequence[Any]) -> str:
    """Write values as a range where they are one."""
    whole = len(values) > 2 and all(isinstance(value, int) for value in values)
    if whole:
        written = range(values[0], values[-1] + 1, values[1] - values[0])
        if tuple(written) == tuple(values):
            return repr(written)
    return repr(values)


def need_features(dataset: Dataset) -> None:
    """End the page where the data are rankings without features, from which nothing is learnt."""
    if dataset.n_features:
        return
    st.info(
        f"{text.markdown(dataset.name)} holds rankings without features, so no method can learn "
        "from them. The page Data shows them; choose other data in the sidebar to predict.",
        icon=":material/format_list_numbered:",
    )
    way_on(st, "pages/data/page.py", "Look at the rankings", ":material/folder_open:")
    st.stop()


def way_on(place: Any, page: str, words: str, icon: str) -> None:
    """Offer another page as a large link."""
    with place.container(border=True):
        st.page_link(page, label=words, icon=icon, query_params=dict(st.query_params))


def in_range(measure: Measure) -> str:
    """Write the range of a measure in words."""
    low, high = measure.value_range
    return f"{low:g} or more" if math.isinf(high) else f"{low:g} to {high:g}"
