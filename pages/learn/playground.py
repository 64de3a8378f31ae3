"""The aggregation playground: rankings that are typed, dragged or opened."""

import re
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset, DatasetError
from labelrank_core.explain.render import markup
from labelrank_core.io import inspect_files, read_dataset
from pages.learn import dragging, playground_answers, playground_differing
from pages.learn.playground_answers import SHOWN
from pages.learn.votes import Votes
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets

_MOST_LINES, _MOST_LABELS, _MOST_PEOPLE = 40, 10, 1_000_000
_MOST_FILE_LABELS, _LARGEST_MB = 30, 20
EXAMPLES = {
    "Where three friends eat": "pizza > sushi > curry > salad\npizza > sushi > curry > salad\n"
    "sushi > curry > salad > pizza",
    "Three students": "Biology > Maths > History\nMaths > History > Biology\n"
    "Biology > Maths > History",
    "Condorcet's circle": "a > b > c\nb > c > a\nc > a > b",
    "The middle wins by Borda": "a > b > c > d\na > b > c > d\nd > b > c > a\nd > b > c > a",
    "Ties and gaps": "a = b > c\nc > a\nb > c > a",
    "A majority of one": "5: a > b > c > d\n4: b > c > d > a",
}
_PREFLIB = "PrefLib"
_COUNT = re.compile(r"\s*+(\d{1,6}+)\s*+:(.*)", re.DOTALL)


def render_playground() -> None:
    """Draw the rankings to change, and the consensus by each rule."""
    st.markdown(
        "Several people rank the same things. What do they agree on? Each rule is a judge of its "
        "own: drag a name, and watch whom the judges put first."
    )
    rankings_column, answers_column = st.columns([1, 1.6], gap="large")
    with rankings_column:
        names = [*EXAMPLES, playground_differing.EXAMPLE]
        name = choices.choose(
            st.selectbox, "Example", names, key="rankings_of", bind="query-params"
        )
        # What is moved comes first, but a file takes its place.
        rankings_slot = st.container()
        playground_differing.render_button(
            name, "rankings_of", disabled=bool(session.get_state("preflib"))
        )
        with st.expander("Open a PrefLib file"):
            file = st.file_uploader(
                "Rankings with counts (.soc, .soi, .toc, .toi)",
                key="preflib",
                max_upload_size=_LARGEST_MB,
                help="The counts weight the rankings. Files of preflib.github.io.",
            )
        with rankings_slot:
            if file is not None:
                votes = _choose_opened(file)
            else:
                typed_rankings, example_key = EXAMPLES.get(name), str(names.index(name))
                if typed_rankings is None:
                    typed_rankings, example_key = playground_differing.choose_rules()
                key = f"rankings_{example_key}"
                votes = _choose_typed(typed_rankings, key, bind="query-params")
    if votes is None:
        return
    with answers_column:
        playground_answers.render_rules(votes)
    playground_answers.render_reasons(votes)


def _choose_opened(file: Any) -> Votes | None:
    """Read a file; small ones can then be changed as if they had been typed."""
    content = file.getvalue()
    digest = compute.digest("preflib", file.name, blake2b(content).digest())
    try:
        votes = compute.once(digest, "Reading the file", _read_file, file.name, content)
    except DatasetError as error:
        st.error("This file cannot be used.", icon=":material/error:")
        widgets.render_findings(error.findings, "preflib")
        return None
    if votes is None:
        st.error("This is not a PrefLib file of rankings.", icon=":material/error:")
        return None
    n_labels, n_lines = votes.dataset.n_labels, len(votes.counts)
    if n_labels > _MOST_FILE_LABELS:
        st.error(f"The playground takes up to {_MOST_FILE_LABELS} labels.", icon=":material/error:")
        return None
    if n_lines <= _MOST_LINES and n_labels <= _MOST_LABELS and votes.can_be_typed:
        return _choose_typed(votes.lines(), f"rankings_{digest[:8]}")
    _render_most_common(votes)
    return votes


def _read_file(name: str, content: bytes) -> Votes | None:
    """Read a file; None if it is not in a PrefLib format."""
    proposal = inspect_files((name, content), max_bytes=_LARGEST_MB * 1_000_000)
    if proposal.table is None:
        raise DatasetError(proposal.findings)
    if proposal.format != _PREFLIB:
        return None
    return Votes.of_everyone(read_dataset(proposal))


def _render_most_common(votes: Votes) -> None:
    rankings, counts = votes.rankings[:SHOWN], votes.counts[:SHOWN]
    ranking_texts = votes.dataset.targets_in_words(votes.rows[:SHOWN])
    drawing.render_figure(
        markup.strips(
            markup.ranked_rows(rankings, [f"{count} ×" for count in counts]),
            votes.dataset.label_names,
            n_places=SHOWN,
        ),
        key="playground-file",
        alt=f"the most common rankings: {'; '.join(ranking_texts[:3])}",
        table=votes.frame(),
    )
    st.caption(
        f"{votes.n_people} rankings, {len(votes.counts)} of them different; the most common first."
    )


def _choose_typed(initial_text: str, key: str, **bind: Any) -> Votes | None:
    """Draw the text and the labels to drag of rankings."""
    drag_slot = st.container()
    written = st.text_area(
        "Or type: one ranking per line, best first. = for ties, 3: for three people",
        initial_text,
        height=120,
        key=key,
        **bind,
    )
    lines = [line.strip().replace('"', "'") for line in written.splitlines() if line.strip()]
    parsed = [parse_line(line) for line in lines]
    counts, orders = [count for count, _ in parsed], [order for _, order in parsed]
    dataset = _read(orders)
    if dataset is None:
        return None
    moved = partial(_rewrite, key, orders, counts, dataset)
    with drag_slot:
        st.caption("Drag the names, or move them with the arrow keys. Best first.")
        dragging.draggable_rankings(dataset, f"drag_{key}", moved)
    # Lines that are left out have no row.
    of_rows = np.array(counts)[dataset.X[:, 0].astype(int) - 1]
    rows = np.flatnonzero(of_rows)
    if not 1 <= of_rows.sum() <= _MOST_PEOPLE:
        st.error(f"The counts must add up to 1 to {_MOST_PEOPLE:,}.", icon=":material/error:")
        return None
    return Votes(dataset, rows, of_rows[rows])


def parse_line(line: str) -> tuple[int, str]:
    """Return the number of people who give a typed ranking, and the ranking.

    >>> parse_line("3: a > b"), parse_line("a > b")
    ((3, 'a > b'), (1, 'a > b'))
    """
    match = _COUNT.fullmatch(line)
    return (1, line) if match is None else (int(match[1]), match[2].strip())


def rankings_file(orders: Sequence[str]) -> str:
    """Write typed rankings as a table, for `read_rankings`."""
    rows = [f'{i},"{order}"' for i, order in enumerate(orders, start=1)]
    return "\n".join(["person,ranking", *rows])


def _read(orders: Sequence[str]) -> Dataset | None:
    content = rankings_file(orders)
    try:
        dataset = compute.once(
            compute.digest("rankings", content), "Reading the rankings", read_rankings, content
        )
    except DatasetError as error:
        st.error("These rankings cannot be used.", icon=":material/error:")
        widgets.render_findings(error.findings, "playground")
        return None
    if dataset.n_samples > _MOST_LINES or dataset.n_labels > _MOST_LABELS:
        st.error(
            f"The playground takes up to {_MOST_LINES} lines and {_MOST_LABELS} labels.",
            icon=":material/error:",
        )
        return None
    widgets.render_left_out_rows(dataset, "playground")
    return dataset


def read_rankings(content: str) -> Dataset:
    """Read a table of typed rankings; those that cannot be read are left out."""
    return read_dataset(
        ("rankings.csv", content.encode()),
        roles={"person": "feature", "ranking": "ranking"},
        target_form="ordering_strings",
        skip_bad_rows=True,
    )


def _rewrite(
    key: str,
    orders: Sequence[str],
    counts: Sequence[int],
    dataset: Dataset,
    moved: Sequence[dragging.Order],
) -> None:
    """Write the rankings as they are after a move; lines left out stay as they are."""
    written = list(orders)
    for line, order in zip(dataset.X[:, 0], moved, strict=True):
        written[int(line) - 1] = " > ".join(" = ".join(tied) for tied in order)
    prefixes = ["" if count == 1 else f"{count}: " for count in counts]
    lines = [
        prefix + written_order.strip()
        for prefix, written_order in zip(prefixes, written, strict=True)
    ]
    session.set_state(key, "\n".join(lines))
