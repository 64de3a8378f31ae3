"""A printed table beside what was recomputed: a picture, the numbers, the reasons."""

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


def choose(paper: Paper) -> Table:
    """Let the visitor choose one of a paper's tables."""
    st.header("What it prints", anchor=False)
    names = [table.name for table in paper.tables]
    fullest = max(paper.tables, key=_fullness)
    chosen = choices.choose(
        st.pills,
        "Table",
        names,
        fullest.name,
        required=True,
        key=f"table_{paper.key}",
        bind="query-params",
        label_visibility="collapsed",
    )
    return paper.tables[names.index(chosen)]


def _fullness(table: Table) -> tuple[bool, int]:
    """Rank a table by its recomputed numbers, those of methods before sizes of data sets."""
    rows = numbers.of_table(table)
    n_known = int(rows[rows["reading"] == ""]["ours"].count())
    return bool(n_known) and not table.quantities, n_known


def show(table: Table) -> None:
    """Show a table of the ledger as it was recorded."""
    st.subheader(table.title, anchor=False)
    if table.remark:
        st.markdown(text.markdown(table.remark))
    draw(table, numbers.of_table(table), "printed")


def draw(table: Table, rows: pd.DataFrame, key: str) -> None:
    """Draw printed and recomputed numbers, and say why some differ."""
    found = rows[rows["ours"].notna()]
    st.markdown(_summary(table, rows))
    block = _block(table, key)
    own = rows if block is None else rows[rows["block"] == block]
    if own["ours"].notna().sum() > _MOST_IN_A_TABLE:
        _picture(table, own[own["ours"].notna()], f"{key}-{table.slug}")
        with st.expander("All numbers", icon=":material/table:"):
            grid.show(table, own)
    else:
        grid.show(table, own)
    _reasons(table, found)
    rivals.compare(table, own)
    _notes(table, rows, found)
    widgets.download_csv("CSV", rows, f"{table.slug}.csv", key=f"csv-{key}-{table.slug}")


def _summary(table: Table, rows: pd.DataFrame) -> str:
    said = counts(rows)
    done = said["printed"] - said["not computed"]
    if not done:
        why = " yet" if rows["verdict"].eq(_ABSENT).any() else ": their data are not at hand"
        return f"None of {said['printed']} numbers is recomputed{why}."
    words = f"**{said[WITHIN]} of {done} recomputed numbers hold.**"
    for verdict, one, several in _COUNTED:
        if said[verdict]:
            words += f" {said[verdict]} {one if said[verdict] == 1 else several}."
    other = rows[rows["ours"].notna() & (rows["reading"] != "")].to_dict("records")
    readings = dict.fromkeys(grid.title(table, row, "column") for row in other)
    if readings:
        words += f" Shown, but not counted: {', '.join(map(text.markdown, readings))}."
    return words


def _block(table: Table, key: str) -> str | None:
    """Let the visitor choose a section; None: they stand below each other in one table."""
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


def _picture(table: Table, rows: pd.DataFrame, key: str) -> None:
    said = counts(rows)
    measure = METRICS[table.block(rows["block"].iloc[0]).measure]
    gains = rows["difference"] * (1 if measure.greater_is_better else -1)
    drawing.chart(
        differences(rows, gains.tolist(), _titles(table, rows)),
        key=f"differences-{key}",
        alt=f"{table.name}: how far recomputed numbers lie from the print, one dot per data set; "
        f"{said[WITHIN]} within, {said[ABOVE]} better, {said[BELOW]} worse",
        table=_columns(rows),
        caption="One dot per data set. Shaded: within the tolerance. To the right: better than the "
        "print.",
    )


def _titles(table: Table, rows: pd.DataFrame) -> list[str]:
    return [grid.title(table, row, "column") for row in rows.to_dict("records")]


def _columns(rows: pd.DataFrame) -> pd.DataFrame:
    names = ["data", "column", "reading", "printed", "ours", "difference", "verdict", "reason"]
    return rows[names]


def _reasons(table: Table, found: pd.DataFrame) -> None:
    """List the reasons for differences, the most frequent first."""
    differs = found[(found["verdict"] != WITHIN) & (found["reading"] == "")]
    if differs.empty:
        return
    with st.expander(f"Why {len(differs)} differ", icon=":material/help:"):
        grouped = differs.groupby("reason", sort=False)
        for reason, rows in sorted(grouped, key=lambda each: -len(each[1])):
            st.markdown(text.markdown(str(reason) or "No reason is known."))
            st.caption(text.markdown(_places(table, rows)))


def _places(table: Table, rows: pd.DataFrame) -> str:
    """Name the numbers, by section and column: 'AUC: SVM on Arts, Education'."""
    said = []
    for block, own in rows.groupby("block", sort=False):
        by_column: dict[str, list[str]] = {}
        for row in own.to_dict("records"):
            data = grid.title(table, row, "data")
            by_column.setdefault(grid.title(table, row, "column"), []).append(data)
        columns = [
            name if table.rows == "blocks" else f"{name} on {', '.join(data)}"
            for name, data in by_column.items()
        ]
        head = f"{block}: " if len(table.blocks) > 1 else ""
        said.append(head + "; ".join(columns))
    return ". ".join(said) + "."


def _notes(table: Table, rows: pd.DataFrame, found: pd.DataFrame) -> None:
    """Say how it was measured, when, and what is missing."""
    notes = [("Protocol", table.protocol)]
    if not found.empty:
        days = sorted(set(found["date"]))
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        versions = ", ".join(sorted(set(map(str, found["version"]))))
        notes.append(("Here", f"{when}, version {versions}."))
        notes += _protocols(table, found)
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


def _protocols(table: Table, found: pd.DataFrame) -> list[tuple[str, str]]:
    """Say which methods were measured how, and on which data where that is not all of them."""
    if table.facts is not None:
        return []
    every = _named(table, found, "data")
    notes = []
    for how, rows in found.groupby("protocol", sort=False):
        by_data: dict[tuple[str, ...], list[str]] = {}
        for name, own in rows.groupby(_titles(table, rows), sort=False):
            by_data.setdefault(tuple(_named(table, own, "data")), []).append(str(name))
        said = [
            ", ".join(names) + f" on {', '.join(data)}" * (len(data) < len(every))
            for data, names in by_data.items()
        ]
        notes.append((str(how)[:1].upper() + str(how)[1:], f"{'; '.join(said)}."))
    return notes if len(notes) > 1 else [(how, "all numbers.") for how, _ in notes]


def _named(table: Table, rows: pd.DataFrame, what: str) -> list[str]:
    return list(dict.fromkeys(grid.title(table, row, what) for row in rows.to_dict("records")))


def _without_numbers(table: Table, rows: pd.DataFrame, absent: Sequence[str]) -> list[str]:
    own = rows[~rows["column"].isin(absent)]
    known = own["ours"].notna().groupby(own["data"], sort=False).any()
    return [table.titles.get(str(name), str(name)) for name in known.index[~known]]
