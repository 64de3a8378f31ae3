"""Ways to write labels as picture cards, each a table that turns into rankings or label sets."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st

from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.palette import palette_properties
from pages.ui import session
from pages.ui.render import drawing, widgets

_MOST_PASTED = 200_000
# Of the rows of an example.
_ROWS_DRAWN = 2


@dataclass(frozen=True)
class ExampleTable:
    """A small table whose last three columns are labels; the best number, None for tags."""

    title: str
    meaning: str
    file_name: str
    content: str
    best_number: Literal["highest", "lowest"] | None

    @property
    def rows(self) -> list[list[str]]:
        """The names of the three labels, then their cells in each row."""
        return [line.split(",")[-3:] for line in self.content.splitlines()]

    @property
    def feature(self) -> list[str]:
        """The shortest name of a feature, then its cell in each row."""
        columns = zip(*(line.split(",")[:-3] for line in self.content.splitlines()), strict=True)
        return min(map(list, columns), key=lambda column: len(column[0]))

    def ranking(self, cells: list[str]) -> RankedLabels:
        """Return the ranking of a row, equal labels tied; of tags the relevant labels."""
        numbers = np.array(cells, dtype=float)
        if self.best_number is None:
            return RankedLabels.from_order(np.flatnonzero(numbers).tolist())
        return RankedLabels.from_positions(numbers if self.best_number == "lowest" else -numbers)


EXAMPLES = (
    ExampleTable(
        "Stars or scores",
        "Rows are people, age is a feature, drinks are labels. More stars are better.",
        "example-stars.csv",
        "age,income,cola,juice,tea\n23,1650,5,3,1\n41,3200,2,5,5\n35,2780,4,1,2\n58,3900,1,4,5\n",
        "highest",
    ),
    ExampleTable(
        "Ranks or orders",
        "Rows are children, age is a feature, fruits are labels. 1 is best. Or in one column: "
        "apple>pear>plum.",
        "example-ranks.csv",
        "age,sweets,apple,pear,plum\n7.1,5,1,2,3\n6.4,8,2,1,3\n3.2,9,3,2,1\n6.9,4,1,3,2\n",
        "lowest",
    ),
    ExampleTable(
        "Tags",
        "Rows are days, rain is a feature, outings are labels. 1 means yes. Or in one column: "
        "swim;hike.",
        "example-tags.csv",
        "temperature,rain,swim,hike,read\n29,0,1,1,0\n14,6,0,0,1\n19,1,0,1,0\n24,0,1,1,0\n",
        None,
    ),
)


def render_examples(inspect: Callable[[str, str], None]) -> None:
    """Draw a card for each way to write labels, with an example and a click to try it.

    `inspect` takes the name of a file and its content.
    """
    columns = st.columns(len(EXAMPLES))
    for column, example in zip(columns, EXAMPLES, strict=True):
        with column.container(border=True, height="stretch"):
            drawing.render_at_once(_card(example))
            with st.container(horizontal=True, key=f"doors_{example.file_name}"):
                st.button(
                    "Open",
                    key=f"try-{example.file_name}",
                    icon=":material/play_arrow:",
                    on_click=partial(inspect, example.file_name, example.content),
                    help=f"Reads {example.file_name} as if it were yours.",
                )
                widgets.render_download(
                    "Download",
                    example.content,
                    example.file_name,
                    "text/csv",
                    key=example.file_name,
                )


def render_paste(inspect: Callable[[str, str], None]) -> None:
    """Let rows be pasted instead of a file; `inspect` takes a name for it, and the rows."""

    def inspect_pasted() -> None:
        pasted = session.get_state("pasted", "").strip()
        if pasted:
            inspect("pasted.csv", pasted)

    with st.popover("Paste rows", icon=":material/content_paste:"):
        st.text_area(
            "Rows from a spreadsheet or a CSV file, their names in the first line",
            key="pasted",
            height=180,
            max_chars=_MOST_PASTED,
        )
        st.button("Read them", on_click=inspect_pasted, icon=":material/play_arrow:")


def _card(example: ExampleTable) -> str:
    names, *rows = example.rows[: 1 + _ROWS_DRAWN]
    feature, *values = example.feature[: 1 + _ROWS_DRAWN]
    chips = [markup.chip(label, names, "small") for label in range(len(names))]
    heads = "".join(f'<th scope="col">{head}</th>' for head in [html.escape(feature), *chips])
    result = "tags" if example.best_number is None else "best first"
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in [value, *cells])}"
        f'<td class="arrow"></td>'
        f"<td>{markup.strip(example.ranking(cells), names)}</td></tr>"
        for value, cells in zip(values, rows, strict=True)
    )
    return (
        f'<div class="lr lr-example" style="{palette_properties()}"><h2>{example.title}</h2>'
        f'<p class="muted">{example.meaning}</p>'
        f"<table><thead><tr>{heads}<td></td><td>{result}</td></tr></thead><tbody>{body}</tbody></table></div>"
    )
