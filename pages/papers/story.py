"""A paper: its sentences and definitions, links to try it, its errata."""

from urllib.parse import urlencode

import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.papers import PAPERS
from labelrank_core.papers.table import Paper, Trial
from pages.papers import numbers
from pages.ui import drawing

_WORDS = {"within": "hold", "above": "better", "below": "worse", "differs": "differ"}


def render_overview() -> None:
    """Draw the share of each paper's numbers that was recomputed and holds."""
    rows, spoken = [], []
    for key, paper in PAPERS.items():
        counts = numbers.of_paper(key)
        n_recomputed = counts["printed"] - counts["not computed"]
        parts = [
            f"{counts[name]} {verdict_text}"
            for name, verdict_text in _WORDS.items()
            if counts[name]
        ]
        counts_text = f"{n_recomputed} of {counts['printed']} recomputed: {', '.join(parts)}"
        rows.append(((paper.short, paper.title), counts, counts["printed"], counts_text))
        spoken.append(f"{paper.short}: {counts_text}")
    st.markdown(
        "Five papers define what this program does. We recomputed what they print, as far as their "
        "data are at hand. The last line compares our best method with the best in print."
    )
    with st.container(key="shares_of_papers"):
        drawing.render_markup(
            f'<figure class="lr" aria-label="{". ".join(spoken)}">{markup.shares(rows)}</figure>'
        )
    st.caption(
        "Blue: it holds, within the tolerance of its table. Green: better. Orange: worse, or "
        "different where neither is better. Empty: not recomputed, mostly because the data are not "
        "at hand."
    )


def render_paper(paper: Paper) -> None:
    """Draw the five sentences on a paper, and its definitions."""
    st.header(paper.title, anchor=False)
    st.caption(f"{paper.authors}, {paper.where} {paper.year}")
    sentences_column, definitions_column = st.columns([1.5, 1], gap="large")
    with sentences_column:
        st.markdown(" ".join(paper.sentences))
        drawing.render_markup(
            markup.links("Try it", [(trial.words, _address(trial)) for trial in paper.trials])
        )
    with definitions_column:
        st.markdown("It defines:")
        st.markdown("\n".join(f"- **{name}**: {definition}" for name, definition in paper.defines))


def _address(trial: Trial) -> str:
    return f"{trial.page}?{urlencode(trial.query)}" if trial.query else trial.page


def render_errata(paper: Paper) -> None:
    """Draw the errors and gaps in print, each with its evidence."""
    n = len(paper.errata)
    with st.expander(f"What is wrong or unclear in print ({n})", icon=":material/edit_note:"):
        for erratum in paper.errata:
            st.markdown(f"**{erratum.where}.** {erratum.instead}")
            st.caption(f"How we know: {erratum.evidence}")


def render_tables_without_numbers(paper: Paper) -> None:
    """Draw the tables without numbers to check here, and the reasons."""
    with st.expander("What is not checked here", icon=":material/block:"):
        st.markdown("\n".join(f"- **{name}**: {why}." for name, why in paper.silent))
