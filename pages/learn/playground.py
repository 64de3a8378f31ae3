"""The aggregation playground: rankings, every consensus rule on them, and who wins by what."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from labelrank_core import Dataset, DatasetError
from labelrank_core.data.profile import Profile
from labelrank_core.explain.consensus import every_rule, winners
from labelrank_core.io import read_dataset
from pages.learn import dragging
from pages.ui import drawing, state, text, widgets
from pages.ui.charts.rankings import ranking_strips

_MOST_RANKINGS, _MOST_LABELS = 40, 10
_EXAMPLES = {
    "Borda against median": "a > b > c > d\na > b > c > d\nb > c > d > a",
    "Three students": "Biology > Maths > History\nMaths > History > Biology\n"
    "Biology > Maths > History",
    "Condorcet's circle": "a > b > c\nb > c > a\nc > a > b",
    "The middle wins by Borda": "a > b > c > d\na > b > c > d\nd > b > c > a\nd > b > c > a",
    "Ties and gaps": "a = b > c\nc > a\nb > c > a",
}


def play() -> None:
    """Let rankings be changed, and show what each rule makes of them."""
    st.markdown(
        "Several people rank the same things. What do they agree on? Each consensus rule answers "
        "differently: type rankings or drag labels, and watch which label wins."
    )
    left, right = st.columns([1, 1.6], gap="large")
    with left:
        name = st.selectbox("Example", list(_EXAMPLES), key="rankings_of", bind="query-params")
        key = f"rankings_{list(_EXAMPLES).index(name)}"
        words = st.text_area(
            "One ranking per line, best first; = for ties",
            _EXAMPLES[name],
            height=180,
            key=key,
            bind="query-params",
        )
        lines = [line.strip().replace('"', "'") for line in words.splitlines() if line.strip()]
        dataset = _read(lines)
        if dataset is not None:
            st.caption("Drag labels, or move them with the arrow keys.")
            moved = partial(_rewrite, key, lines, dataset)
            dragging.draggable_rankings(dataset, f"drag_{key}", moved)
    if dataset is None:
        return
    with right:
        _answers(dataset)


def _read(lines: Sequence[str]) -> Dataset | None:
    rows = [f'{i},"{line}"' for i, line in enumerate(lines, start=1)]
    content = "\n".join(["person,ranking", *rows])
    try:
        dataset = read_dataset(
            ("rankings.csv", content.encode()),
            roles={"person": "feature", "ranking": "ranking"},
            target_form="ordering_strings",
            skip_bad_rows=True,
        )
    except DatasetError as error:
        st.error("These rankings cannot be used.", icon=":material/error:")
        widgets.findings(error.findings, "playground")
        return None
    if dataset.n_samples > _MOST_RANKINGS or dataset.n_labels > _MOST_LABELS:
        st.error(
            f"The playground takes up to {_MOST_RANKINGS} rankings of {_MOST_LABELS} labels.",
            icon=":material/error:",
        )
        return None
    widgets.left_out(dataset, "playground")
    return dataset


def _rewrite(
    key: str, lines: Sequence[str], dataset: Dataset, ranking: int, order: list[list[str]]
) -> None:
    """Write the rankings with another order in one of them; lines left out stay as they are."""
    written = list(lines)
    for line, words in zip(dataset.X[:, 0], dataset.targets_in_words(), strict=True):
        written[int(line) - 1] = words
    written[int(dataset.X[ranking, 0]) - 1] = " > ".join(" = ".join(tied) for tied in order)
    state.put(key, "\n".join(written))


def _answers(dataset: Dataset) -> None:
    names = dataset.label_names
    orders = every_rule(dataset.rankings)
    best = winners(orders)
    st.subheader("What each rule says", anchor=False)
    others = set(orders.others)
    titles = [f"{rule.title}{'  ≠' if rule in others else ''}" for rule in orders.rules]
    table = orders.frame(names).drop(columns="as predicted")
    drawing.chart(
        ranking_strips(
            pd.DataFrame([rule.positions for rule in orders.rules]).to_numpy(),
            titles,
            names,
            row_height=30,
        ),
        key="playground-rules",
        alt="; ".join(
            f"{rule}: {order}"
            for rule, order in zip(table["rule"], table["consensus"], strict=True)
        ),
        table=table,
    )
    if others:
        st.caption("≠ a different order from Borda's.")
    st.subheader("Which rule has the smallest loss", anchor=False)
    for loss, (smallest, keys) in best.items():
        who = ", ".join(rule.title for rule in orders.rules if rule.key in keys)
        who = "all rules" if len(keys) == len(orders.rules) else who
        st.markdown(f"- Fewest {loss}: **{who}**, {smallest:.2f} on average")
    profile = Profile(dataset).rankings
    if profile is not None and profile.cycle:
        cycle = " > ".join(
            text.markdown(names[label]) for label in [*profile.cycle, profile.cycle[0]]
        )
        st.warning(
            f"The majorities contain a preference cycle: {cycle}. No order agrees with them all.",
            icon=":material/sync:",
        )
