"""Parts that several pages share: title, links, downloads, findings, Python code."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset, Finding
from labelrank_core.data.findings import findings_frame
from pages.ui import compute, jobs
from pages.ui.render import assistants, tables
from pages.ui.wording import text

# Where `python3 tests/run reference` writes the pages that the server then has at /reference.
_REFERENCE = Path(__file__).resolve().parents[3] / ".reference" / "html"
_FINDINGS_SHOWN = 20
# Of a CSV file, the words for rankings in it included.
_SECONDS_PER_CELL = 1.5e-6
_TEXT_WIDTH, _CHARACTERS_A_LINE, _MOST_LINES = 300, 38, 8


# Where a button further down leads to another view of the same page.
scroll_to_top = st.components.v2.component(
    "labelrank_to_top",
    html="<span></span>",
    js="""export default function () {
  document.querySelector("[data-testid=stMain]").scrollTo(0, 0)
}
""",
)


def render_title(name: str, question: str = "") -> DeltaGenerator:
    """Head a page: the noun people look for and, unless that is the noun, its question.

    Returns the container of both, which has room for a line below them.
    """
    container = st.container(key="title")
    with container:
        st.title(name, anchor=False)
        if question:
            st.markdown(question)
    return container


def need_features(dataset: Dataset) -> None:
    """End the page where the data are rankings without features, from which nothing is learnt."""
    if dataset.n_features:
        return
    st.info(
        f"{text.markdown(dataset.name)} holds rankings without features, so no method can learn "
        "from them. Look at them on the page Data, or choose other data above.",
        icon=":material/format_list_numbered:",
    )
    render_link_card(st, "data", "Look at the rankings", ":material/folder_open:")
    st.stop()


def render_link_card(slot: Any, page: str, label: str, icon: str) -> None:
    """Offer another page, by its folder, as a large link."""
    with slot.container(border=True):
        render_link(page, label, icon)


def render_link(page: str, label: str, icon: str, **query_params: str) -> None:
    """Link to another page, by its folder, with everything that is chosen now."""
    address = f"pages/{page}/page.py"
    st.page_link(address, label=label, icon=icon, query_params=query_params)


def render_download(label: str, content: Any, file_name: str, mime: str, **more: Any) -> None:
    """Offer a file; its content may be a function that makes it on demand."""
    # Files cannot be handed to an assistant.
    if assistants.is_reading():
        return
    # Made when it is asked for: what is kept ready is gone for a page that another run has redrawn.
    st.download_button(
        label,
        content if callable(content) else lambda: content,
        file_name=file_name,
        mime=mime,
        on_click="ignore",
        **{"icon": ":material/download:", **more},
    )


@contextmanager
def expander(title: str, key: str, *, is_open: bool = False) -> Iterator[bool]:
    """Draw inside an expander; yield whether to do so: an assistant reads only open ones."""
    if not assistants.is_reading():
        with st.expander(title, expanded=is_open):
            yield True
        return
    panel = st.expander(title, key=key, on_change="rerun")
    with panel:
        yield bool(panel.open)


def tabs(titles: Sequence[str], key: str) -> list[tuple[DeltaGenerator, bool]]:
    """Return tabs, and of each whether to draw it: an assistant reads only the open one."""
    if not assistants.is_reading():
        return [(tab, True) for tab in st.tabs(titles, key=key)]
    return [(tab, bool(tab.open)) for tab in st.tabs(titles, key=key, on_change="rerun")]


def render_csv_download(
    label: str, table: pd.DataFrame, file_name: str, key: str | None = None
) -> None:
    """Offer a table as a CSV file; the key tells buttons apart that are equal otherwise."""
    render_download(label, lambda: tables.csv_bytes(table), file_name, "text/csv", key=key)


def render_large_csv_download(
    label: str,
    make: Callable[[], pd.DataFrame],
    file_name: str,
    *parts: Any,
    n_cells: int,
    key: str,
) -> None:
    """Offer a table that may be large, made on demand, as a CSV file; `parts` identify it."""

    def write() -> bytes:
        return tables.csv_bytes(make())

    seconds = _SECONDS_PER_CELL * n_cells
    content = prepare_content(key, file_name, compute.digest(key, *parts), write, seconds)
    if content is not None:
        render_download(label, content, file_name, "text/csv", key=key)


def prepare_content(
    key: str,
    file_name: str,
    digest: str,
    make: Callable[..., Any],
    seconds: float,
    *arguments: Any,
    in_child: bool = False,
) -> Any:
    """Return the content of a download or its maker; None: it is slow and not asked for.

    A download that is made while the browser waits for it has no Cancel; what takes long is made
    here instead, once a toggle asks for it.
    """
    if seconds <= jobs.SLOW_SECONDS:
        return partial(make, *arguments)
    if not is_preparing(key, file_name, seconds):
        return None
    return compute.once(
        digest,
        f"Writing {text.markdown(file_name)}",
        make,
        *arguments,
        seconds=seconds if in_child else None,
    )


def is_preparing(key: str, file_name: str, seconds: float) -> bool:
    """Draw the toggle that asks for a file that takes long; return its state."""
    label = f"Prepare {text.markdown(file_name)} (about {seconds:.0f} s)"
    return st.toggle(label, key=f"{key}_slow")


def render_python_code(
    lines: Sequence[str], *, look: Literal["default", "compact"] = "default"
) -> None:
    """Show the Python lines that do the same with the package, once somebody asks for them.

    `look` is that of the other expanders of the page.
    A browser takes a third of a second to learn how code is coloured, on every page that has some.
    """
    expander = st.expander("Python code", key="python", on_change="rerun", type=look)
    if expander.open:
        expander.code("\n".join(lines), language="python", wrap_lines=True)
        expander.caption(_reference_text(_REFERENCE))


def _reference_text(folder: Path) -> str:
    """Link to the reference if its pages are built, else name the command that builds them."""
    if (folder / "index.html").is_file():
        return "[Reference and examples](/reference/index.html)"
    return "Reference and examples: see README.md."


def render_findings(findings: Sequence[Finding], key: str) -> None:
    """List findings as a table of plain text, the first 20 and the count, and offer them all."""
    if not findings:
        return
    table = findings_frame(findings)
    for column in ("message", "what to do"):
        table[column] = table[column].map(text.in_screen_words)
    first_findings = table.head(_FINDINGS_SHOWN).drop(columns="code")
    blank_columns = [c for c in ("line", "column") if _holds_nothing(first_findings[c])]
    first_findings = first_findings.drop(columns=blank_columns)
    # Where only some findings have a line, nothing stands for none.
    if "line" in first_findings and first_findings["line"].isna().any():
        first_findings["line"] = first_findings["line"].astype("string").fillna("")
    # Rows so high that the longest text is whole: what to do is never cut off.
    longest = int(first_findings[["message", "what to do"]].map(len).to_numpy().max())
    n_lines = min(-(-longest // _CHARACTERS_A_LINE), _MOST_LINES)
    row_height = 14 + 21 * n_lines
    st.dataframe(
        first_findings,
        hide_index=True,
        height=tables.height(len(first_findings), row_height=row_height),
        row_height=row_height,
        column_config={
            "message": st.column_config.TextColumn(width=_TEXT_WIDTH),
            "what to do": st.column_config.TextColumn(width=_TEXT_WIDTH),
        },
    )
    if len(table) > _FINDINGS_SHOWN:
        st.caption(f"{len(table)} findings, the first {_FINDINGS_SHOWN} shown.")
    render_csv_download("All findings", table, "findings.csv", f"findings-{key}")


def _holds_nothing(column: pd.Series) -> bool:
    return bool(((column == "") | column.isna()).all())


def render_left_out_rows(dataset: Dataset, key: str) -> None:
    """Say which rows of a table typed or pasted were left out because of errors."""
    left_out_findings = [finding for finding in dataset.findings if finding.code == "rows-left-out"]
    if left_out_findings:
        st.warning("Some rows were left out; the others are used.", icon=":material/warning:")
        render_findings(left_out_findings, key)
