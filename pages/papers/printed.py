"""A printed table beside the recomputed one: a picture, the numbers, the reasons."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from labelrank_core.metrics import METRICS
from labelrank_core.papers.ledger import ABOVE, BELOW, DIFFERS, WITHIN, counts
from labelrank_core.papers.table import Paper, Table
from pages.papers import grid, numbers, rivals
from pages.ui import choices, drawing, text, widgets
from pages.ui.charts.papers import differences

# With more numbers than these, a picture says more than a table.
_MOST_IN_A_TABLE = 45
_COUNTED = (
    (DIFFERS, "differs", "differ"),
    (ABOVE, "is better than the print", "are better than the print"),
    (BELOW, "is worse", "are worse"),
    ("not computed", "is not recomputed", "are not recomputed"),
)
_ABSENT = "not computed: no such method here yet"


def choose_table(paper: Paper) -> Table:
    """Let the visitor choose one of a paper's tables."""
    st.header("What it prints", anchor=False)
    names = [table.name for table in paper.tables]
    fullest = max(paper.tables, key=_fullness)
    name = choices.choose(
        st.pills,
        "Table",
        names,
        fullest.name,
        required=True,
        key=f"table_{paper.key}",
        bind="query-params",
        label_visibility="collapsed",
    )
    return paper.tables[names.index(name)]


def _fullness(table: Table) -> tuple[bool, int]:
    """Rank a table by its recomputed numbers, those of methods before sizes of data sets."""
    rows = numbers.of_table(table)
    n_known = int(rows[rows["reading"] == ""]["ours"].count())
    return bool(n_known) and not table.quantities, n_known


def render_recorded(table: Table) -> None:
    """Draw a table of the ledger as it was recorded."""
    st.subheader(table.title, anchor=False)
    if table.remark:
        st.markdown(text.markdown(table.remark))
    render_table(table, numbers.of_table(table), "printed")


def render_table(table: Table, rows: pd.DataFrame, key: str) -> None:
    """Draw printed and recomputed numbers, and the reasons for differences."""
    recomputed = rows[rows["ours"].notna()]
    st.markdown(_summary(table, rows))
    block = _choose_block(table, key)
    block_rows = rows if block is None else rows[rows["block"] == block]
    if block_rows["ours"].notna().sum() > _MOST_IN_A_TABLE:
        _render_differences(table, block_rows[block_rows["ours"].notna()], f"{key}-{table.slug}")
        with st.expander("All numbers", icon=":material/table:"):
            grid.render_grid(table, block_rows)
    else:
        grid.render_grid(table, block_rows)
    _render_reasons(table, recomputed)
    rivals.render_rivals(table, block_rows)
    _render_notes(table, rows, recomputed)
    widgets.render_csv_download("CSV", rows, f"{table.slug}.csv", key=f"csv-{key}-{table.slug}")


def _summary(table: Table, rows: pd.DataFrame) -> str:
    verdict_counts = counts(rows)
    n_recomputed = verdict_counts["printed"] - verdict_counts["not computed"]
    if not n_recomputed:
        why = " yet" if rows["verdict"].eq(_ABSENT).any() else ": their data are not at hand"
        return f"None of {verdict_counts['printed']} numbers is recomputed{why}."
    summary = f"**{verdict_counts[WITHIN]} of {n_recomputed} recomputed numbers hold.**"
    for verdict, one, several in _COUNTED:
        if verdict_counts[verdict]:
            summary += (
                f" {verdict_counts[verdict]} {one if verdict_counts[verdict] == 1 else several}."
            )
    uncounted = rows[rows["ours"].notna() & (rows["reading"] != "")].to_dict("records")
    readings = dict.fromkeys(grid.title(table, row, "column") for row in uncounted)
    if readings:
        summary += f" Shown, but not counted: {', '.join(map(text.markdown, readings))}."
    return summary


def _choose_block(table: Table, key: str) -> str | None:
    """Draw the choice of a section; None: they stand below each other in one table."""
    if len(table.blocks) == 1 or table.rows == "blocks":
        return None
    names = [block.name for block in table.blocks]
    measures = {block.measure for block in table.blocks}
    return choices.choose(
        st.segmented_control,
        "Measure" if len(measures) > 1 else "Section",
        names,
        required=True,
        key=f"block-{key}-{table.slug}",
    )


def _render_differences(table: Table, rows: pd.DataFrame, key: str) -> None:
    verdict_counts = counts(rows)
    measure = METRICS[table.block(rows["block"].iloc[0]).measure]
    gains = rows["difference"] * (1 if measure.greater_is_better else -1)
    drawing.render_chart(
        differences(rows, gains.tolist(), _titles(table, rows)),
        key=f"differences-{key}",
        alt=f"{table.name}: how far recomputed numbers lie from the print, one dot per data set; "
        f"{verdict_counts[WITHIN]} within, {verdict_counts[ABOVE]} better, {verdict_counts[BELOW]} "
        "worse",
        table=_columns(rows),
        caption="One dot per data set. Shaded: within the tolerance. To the right: better than the "
        "print.",
    )


def _titles(table: Table, rows: pd.DataFrame) -> list[str]:
    return [grid.title(table, row, "column") for row in rows.to_dict("records")]


def _columns(rows: pd.DataFrame) -> pd.DataFrame:
    names = ["data", "column", "reading", "printed", "ours", "difference", "verdict", "reason"]
    return rows[names]


def _render_reasons(table: Table, recomputed: pd.DataFrame) -> None:
    """Draw the reasons for differences, the most frequent first."""
    differs = recomputed[(recomputed["verdict"] != WITHIN) & (recomputed["reading"] == "")]
    if differs.empty:
        return
    with st.expander(f"Why {len(differs)} differ", icon=":material/help:"):
        grouped = differs.groupby("reason", sort=False)
        for reason, rows in sorted(grouped, key=lambda group: -len(group[1])):
            st.markdown(text.markdown(str(reason) or "No reason is known."))
            st.caption(text.markdown(_numbers_text(table, rows)))


def _numbers_text(table: Table, rows: pd.DataFrame) -> str:
    """Name the numbers, by section and column: 'AUC: SVM on Arts, Education'."""
    block_texts = []
    for block, block_rows in rows.groupby("block", sort=False):
        by_column: dict[str, list[str]] = {}
        for row in block_rows.to_dict("records"):
            data = grid.title(table, row, "data")
            by_column.setdefault(grid.title(table, row, "column"), []).append(data)
        columns = [
            name if table.rows == "blocks" else f"{name} on {', '.join(data)}"
            for name, data in by_column.items()
        ]
        head = f"{block}: " if len(table.blocks) > 1 else ""
        block_texts.append(head + "; ".join(columns))
    return ". ".join(block_texts) + "."


def _render_notes(table: Table, rows: pd.DataFrame, recomputed: pd.DataFrame) -> None:
    """Draw the protocol and date of the recomputation, and the missing numbers."""
    notes = [("Protocol", table.protocol)]
    if not recomputed.empty:
        days = sorted(set(recomputed["date"]))
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        versions = ", ".join(sorted(set(map(str, recomputed["version"]))))
        notes.append(("Here", f"{when}, version {versions}."))
        notes += _protocols(table, recomputed)
    absent = list(dict.fromkeys(rows[rows["verdict"] == _ABSENT]["column"]))
    if absent:
        notes.append(("No such method here yet", f"{', '.join(absent)}."))
    missing = _without_numbers(table, rows, absent)
    if missing:
        notes.append(("Not recomputed, their data are not at hand", f"{', '.join(missing)}."))
    with st.expander("How it was measured", icon=":material/science:"):
        for name, note in notes:
            st.markdown(f"**{name}:** {text.markdown(note)}")
        st.caption("The same by a command, with the paper's data in a folder:")
        st.code(
            f'python -m labelrank_core reproduce {table.paper} "{table.key}" --data FOLDER',
            language="bash",
        )


def _protocols(table: Table, recomputed: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the protocols with their methods, and their data where these are not all."""
    if table.facts is not None:
        return []
    every = _titles_of(table, recomputed, "data")
    notes = []
    for protocol, rows in recomputed.groupby("protocol", sort=False):
        by_data: dict[tuple[str, ...], list[str]] = {}
        for name, method_rows in rows.groupby(_titles(table, rows), sort=False):
            by_data.setdefault(tuple(_titles_of(table, method_rows, "data")), []).append(str(name))
        method_texts = [
            ", ".join(names) + f" on {', '.join(data)}" * (len(data) < len(every))
            for data, names in by_data.items()
        ]
        notes.append((str(protocol)[:1].upper() + str(protocol)[1:], f"{'; '.join(method_texts)}."))
    return notes if len(notes) > 1 else [(protocol, "all numbers.") for protocol, _ in notes]


def _titles_of(table: Table, rows: pd.DataFrame, name: str) -> list[str]:
    return list(dict.fromkeys(grid.title(table, row, name) for row in rows.to_dict("records")))


def _without_numbers(table: Table, rows: pd.DataFrame, absent: Sequence[str]) -> list[str]:
    present_rows = rows[~rows["column"].isin(absent)]
    has_numbers = present_rows["ours"].notna().groupby(present_rows["data"], sort=False).any()
    return [table.titles.get(str(name), str(name)) for name in has_numbers.index[~has_numbers]]
