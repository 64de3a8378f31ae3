"""A printed table beside the recomputed one: verdict, picture, numbers, reasons."""

from collections.abc import Callable, Iterable, Sequence

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.render import markup
from labelrank_core.metrics import METRICS
from labelrank_core.papers.curves import Curves
from labelrank_core.papers.ledger import ABOVE, BELOW, DIFFERS, WITHIN, counts
from labelrank_core.papers.reproduce import at_hand
from labelrank_core.papers.table import Block, Paper, Table
from pages.papers import grid, numbers
from pages.ui import compute
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.confidence import confidence_curves
from pages.ui.render.charts.papers import differences
from pages.ui.wording import text

# More numbers than these are drawn as differences, a row per method.
_MOST_ROWS = 30
_COUNTED = (
    (ABOVE, "is better", "are better"),
    (BELOW, "is worse", "are worse"),
    (DIFFERS, "differs", "differ"),
)
_ABSENT = "not computed: no such method here yet"


def choose_table(paper: Paper) -> Table | Curves:
    """Let the visitor choose one of a paper's tables, or a figure without printed numbers."""
    tables = {table.name: table for table in paper.tables}
    offered: dict[str, Table | Curves] = tables | {figure.key: figure for figure in paper.figures}
    fullest = max(paper.tables, key=_fullness)
    name = choices.choose(
        st.segmented_control,
        "Table or figure",
        _in_order(offered),
        fullest.name,
        required=True,
        key=f"table_{paper.key}",
        bind="query-params",
    )
    return offered[name]


def _in_order(names: Iterable[str]) -> list[str]:
    """Sort tables and figures of one kind by their number, kinds as they come."""
    kinds = [name.split()[0] for name in names]
    return sorted(names, key=lambda name: (kinds.index(name.split()[0]), name))


def _fullness(table: Table) -> tuple[bool, int]:
    """Rank a table by its recomputed numbers, those of methods before sizes of data sets."""
    rows = numbers.of_table(table)
    n_known = int(rows[rows["reading"] == ""]["ours"].count())
    return bool(n_known) and not table.quantities, n_known


def render_verdict(table: Table, rows: pd.DataFrame) -> None:
    """Head a table with its verdict, its subject, and the numbers that are not recomputed."""
    verdict_counts = counts(rows)
    n_missing = verdict_counts["not computed"]
    missing = ""
    if n_missing and n_missing < verdict_counts["printed"]:
        numbers_are = "number is" if n_missing == 1 else "numbers are"
        missing = f" {n_missing} printed {numbers_are} not recomputed."
    # One line where there is room, so that the picture stands high.
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(heading(table, rows), anchor=False, width="content")
        st.markdown(f"{text.markdown(table.title)}.{missing}", width="content")


def heading(table: Table, rows: pd.DataFrame) -> str:
    """Name a table, and count its recomputed numbers by their verdict."""
    return f"{table.name}: {text.lowered(verdict(rows))}"


def _elsewhere(paper: Paper, table: Table) -> str:
    """Count the numbers of a paper that its other tables have."""
    other_tables = [candidate for candidate in paper.tables if candidate is not table]
    if not other_tables:
        return ""
    n_numbers = sum(
        counts(numbers.of_table(other_table))["printed"] for other_table in other_tables
    )
    n_tables = len(other_tables)
    where = other_tables[0].name if n_tables == 1 else f"{n_tables} other tables"
    is_one = n_numbers == 1
    return f"The paper's other {'number is' if is_one else f'{n_numbers} numbers are'} in {where}."


def verdict(rows: pd.DataFrame) -> str:
    """Return a heading with the counts of recomputed numbers by their verdict."""
    verdict_counts = counts(rows)
    n_recomputed = numbers.count_recomputed(verdict_counts)
    if not n_recomputed:
        why = " yet" if rows["verdict"].eq(_ABSENT).any() else ": their data are not at hand"
        return f"None of {verdict_counts['printed']} numbers is recomputed{why}"
    if verdict_counts[WITHIN] == n_recomputed:
        return f"All {n_recomputed} recomputed numbers hold"
    parts = [f"{verdict_counts[WITHIN]} of {n_recomputed} recomputed numbers hold"]
    for name, one, several in _COUNTED:
        if verdict_counts[name]:
            parts.append(f"{verdict_counts[name]} {one if verdict_counts[name] == 1 else several}")
    return ", ".join(parts)


def _render_uncounted(table: Table, rows: pd.DataFrame) -> None:
    """Name the columns that are shown, but not counted."""
    uncounted = rows[rows["ours"].notna() & (rows["reading"] != "")].to_dict("records")
    readings = dict.fromkeys(grid.title(table, row, "column") for row in uncounted)
    if readings:
        st.markdown(f"Shown, but not counted: {', '.join(map(text.markdown, readings))}.")


def choose_block_rows(table: Table, rows: pd.DataFrame, key: str) -> pd.DataFrame:
    """Let the visitor choose a section of a table, and return its numbers."""
    if len(table.blocks) == 1:
        return rows
    names = [block.name for block in table.blocks]
    measures = {block.measure for block in table.blocks}
    name = choices.choose(
        st.selectbox,
        "Measure" if len(measures) > 1 else "Section",
        names,
        width=260,
        key=f"block-{key}-{table.slug}",
    )
    return rows[rows["block"] == name]


def render_numbers(table: Table, block_rows: pd.DataFrame, rows: pd.DataFrame, key: str) -> None:
    """Draw printed and recomputed numbers of a section, and offer those of all sections."""
    grid.render_grid(table, block_rows)
    _render_uncounted(table, rows)
    if table.methods_text:
        drawing.render_caption(text.markdown(table.methods_text))
    widgets.render_csv_download("CSV", rows, f"{table.slug}.csv", key=f"csv-{key}-{table.slug}")


def render_picture(table: Table, rows: pd.DataFrame, key: str) -> None:
    """Draw recomputed numbers beside the printed ones, or many of them as differences."""
    if table.rows == "blocks":
        rows = choose_block_rows(table, rows, key)
    recomputed = rows[rows["ours"].notna()]
    main_rows = recomputed[recomputed["reading"] == ""]
    key = f"{key}-{table.slug}"
    if main_rows.empty:
        st.markdown("No number of this section is recomputed.")
    elif len(main_rows) > _MOST_ROWS:
        _render_differences(table, recomputed, key)
    else:
        _render_print_and_ours(table, main_rows, key)
    if table.curve is not None:
        _render_curve(table, table.curve, key)
    if table.remark:
        st.markdown(text.markdown(table.remark))


def _render_print_and_ours(table: Table, rows: pd.DataFrame, key: str) -> None:
    order = {name: i for i, name in enumerate(table.data_sets)}
    rows = rows.sort_values("data", key=lambda names: names.map(order), kind="stable")
    block = table.block(rows["block"].iloc[0])
    panels: dict[str, list[markup.PrintedNumber]] = {}
    names, groups = _row_names(table, rows)
    for name, group, row in zip(names, groups or [""] * len(rows), rows.itertuples(), strict=True):
        number = markup.PrintedNumber(name, row.printed, row.ours, row.tolerance, row.verdict)
        panels.setdefault(group, []).append(number)
    drawing.render_figure(
        markup.print_panels(
            list(panels.items()),
            _panels_title(table, block, rows),
            _tolerance_text(block, rows),
            **({"value_range": METRICS[block.measure].value_range} if block.measure else {}),
        ),
        key=f"print-{key}",
        alt=f"{table.name}, {block.name}: recomputed numbers beside the printed ones. "
        f"{verdict(rows)}.",
        table=_columns(rows),
    )


def _tolerance_text(block: Block, rows: pd.DataFrame) -> str:
    """Say how far a number that holds may lie from the print."""
    if not rows["tolerance"].any():
        return "only the same number holds"
    if block.tolerance is None:
        return "holds within ± the standard deviation in print"
    return f"holds within ± {block.tolerance:g}"


def _panels_title(table: Table, block: Block, rows: pd.DataFrame) -> str:
    """Return the measure of a section, and how many of the table's recomputed numbers it has."""
    title = _axis_title(block)
    n_recomputed = numbers.count_recomputed(counts(numbers.of_table(table)))
    return title if len(rows) == n_recomputed else f"{len(rows)} of the {n_recomputed}: {title}"


def _axis_title(block: Block) -> str:
    """Return the measure of a section, with the name of the section where that is another."""
    if not block.measure:
        return block.name
    measure = METRICS[block.measure].title
    return measure if measure.lower() == block.name.lower() else f"{measure} ({block.name})"


def _row_names(table: Table, rows: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Name numbers by data set or column; where both differ, the longer names are groups."""
    data = [grid.title(table, row, "data") for row in rows.to_dict("records")]
    columns = _plain_titles(table, rows)
    n_data, n_columns = len(set(data)), len(set(columns))
    if n_data > 1 and n_columns > 1:
        is_by_column = max(map(len, columns)) > max(map(len, data))
        return (data, columns) if is_by_column else (columns, data)
    if n_data == n_columns == 1:
        return [f"{name} · {column}" for name, column in zip(data, columns, strict=True)], []
    return (data if n_data > 1 else columns), []


def _render_curve(table: Table, compute_curve: Callable[[Dataset], pd.DataFrame], key: str) -> None:
    """Draw a printed figure again, where its data set is at hand."""
    (name,) = table.data_sets
    source = compute.once(
        compute.digest("papers at hand", table.slug),
        "Looking for the data sets",
        at_hand,
        table,
        table.data_sets,
    ).get(name)
    if source is None:
        return
    curve = compute.once(
        compute.digest("papers curve", table.slug),
        "Drawing the figure",
        compute_curve,
        source.dataset,
    )
    drawing.render_chart(
        confidence_curves(curve, table.blocks[0].name),
        key=f"curve-{key}",
        alt=f"{table.name}, drawn again: accuracy rises from "
        f"{curve['accuracy_at_least'].iloc[0]:.3f} of all predictions to "
        f"{curve['accuracy_at_least'].iloc[-1]:.3f} of the most confident ones",
        table=curve,
        caption=f"{table.name}, drawn again from one random half of {name.lower()}.",
    )


def _render_differences(table: Table, rows: pd.DataFrame, key: str) -> None:
    measure = METRICS[table.block(rows["block"].iloc[0]).measure]
    near = f"±{rows['tolerance'].max():g}"
    st.markdown(
        f"{measure.title}: a dot is a data set. In the shaded band, within {near}, a number holds. "
        "Dots to the right are better than the print."
    )
    gains = rows["difference"] * (1 if measure.greater_is_better else -1)
    drawing.render_chart(
        differences(rows, gains.tolist(), _plain_titles(table, rows)),
        key=f"differences-{key}",
        alt=f"{table.name}: how far recomputed numbers lie from the print, one dot per data set. "
        f"{verdict(rows)}.",
        table=_columns(rows),
    )


def _titles(table: Table, rows: pd.DataFrame) -> list[str]:
    return [grid.title(table, row, "column") for row in rows.to_dict("records")]


def _plain_titles(table: Table, rows: pd.DataFrame) -> list[str]:
    """Name the methods in words, or as they are printed where the catalog has none."""
    names = table.plain_names()
    titles = []
    for row in rows.to_dict("records"):
        name, title = names.get((row["column"], "")), grid.title(table, row, "column")
        is_told = row["reading"] and row["reading"] not in table.titles
        if name is not None and is_told:
            title = f"{name.partition(' (')[0]} ({row['reading']})"
        elif name is not None and not row["reading"]:
            title = name
        titles.append(title)
    return titles


def _columns(rows: pd.DataFrame) -> pd.DataFrame:
    names = ["data", "column", "reading", "printed", "ours", "difference", "verdict", "reason"]
    return rows[names]


def differing_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the recomputed numbers that count and lie beyond the tolerance."""
    is_counted = rows["ours"].notna() & (rows["reading"] == "")
    return rows[is_counted & (rows["verdict"] != WITHIN)]


def render_reasons(table: Table, rows: pd.DataFrame) -> None:
    """Draw the reasons for differences, the most frequent first."""
    for reason, numbers_text in reasons(table, rows):
        st.markdown(text.markdown(reason))
        st.caption(text.markdown(numbers_text))


def reasons(table: Table, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """List the reasons for differences with the numbers they explain, the most frequent first."""
    grouped = differing_rows(rows).groupby("reason", sort=False)
    return [
        (str(reason) or "No reason is known.", _numbers_text(table, group))
        for reason, group in sorted(grouped, key=lambda pair: -len(pair[1]))
    ]


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


def render_notes(paper: Paper, table: Table, rows: pd.DataFrame) -> None:
    """Draw the protocol and date of the recomputation, and the missing numbers."""
    recomputed = rows[rows["ours"].notna()]
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
    elsewhere = _elsewhere(paper, table)
    if elsewhere:
        notes.append(("Other tables", elsewhere))
    for name, note in notes:
        st.markdown(f"**{name}:** {text.markdown(note)}")
    st.caption("A command does the same with the paper's data in a folder:")
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
        notes.append((text.capitalised(str(protocol)), f"{'; '.join(method_texts)}."))
    return notes if len(notes) > 1 else [(protocol, "all numbers.") for protocol, _ in notes]


def _titles_of(table: Table, rows: pd.DataFrame, name: str) -> list[str]:
    return list(dict.fromkeys(grid.title(table, row, name) for row in rows.to_dict("records")))


def _without_numbers(table: Table, rows: pd.DataFrame, absent: Sequence[str]) -> list[str]:
    present_rows = rows[~rows["column"].isin(absent)]
    has_numbers = present_rows["ours"].notna().groupby(present_rows["data"], sort=False).any()
    return [table.titles.get(str(name), str(name)) for name in has_numbers.index[~has_numbers]]
