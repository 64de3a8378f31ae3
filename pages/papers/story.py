"""A paper in words: what it says and defines, how to try it, what is wrong in print."""

from urllib.parse import urlencode

import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.papers import PAPERS
from labelrank_core.papers.table import Paper, Trial
from pages.papers import numbers
from pages.ui import drawing

_WORDS = {"within": "hold", "above": "better", "below": "worse", "differs": "differ"}


def overview() -> None:
    """Draw which share of each paper's numbers was recomputed and holds."""
    rows, spoken = [], []
    for key, paper in PAPERS.items():
        counts = numbers.of_paper(key)
        done = counts["printed"] - counts["not computed"]
        parts = [f"{counts[name]} {words}" for name, words in _WORDS.items() if counts[name]]
        words = f"{done} of {counts['printed']} recomputed: {', '.join(parts)}"
        rows.append(((paper.short, paper.title), counts, counts["printed"], words))
        spoken.append(f"{paper.short}: {words}")
    st.markdown(
        "Five papers define what this program does. We recomputed what they print, as far as their "
        "data are at hand. The last line compares our best method with the best in print."
    )
    with st.container(key="shares_of_papers"):
        drawing.show(
            f'<figure class="lr" aria-label="{". ".join(spoken)}">{markup.shares(rows)}</figure>'
        )
    st.caption(
        "Blue: it holds, within the tolerance of its table. Green: better. Orange: worse, or "
        "different where neither is better. Empty: not recomputed, mostly because the data are not "
        "at hand."
    )


def tell(paper: Paper) -> None:
    """Say what a paper is about, in five sentences, and what it defines."""
    st.header(paper.title, anchor=False)
    st.caption(f"{paper.authors}, {paper.where} {paper.year}")
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        st.markdown(" ".join(paper.sentences))
        drawing.show(
            markup.links("Try it", [(trial.words, _address(trial)) for trial in paper.trials])
        )
    with right:
        st.markdown("It defines:")
        st.markdown("\n".join(f"- **{name}**: {what}" for name, what in paper.defines))


def _address(trial: Trial) -> str:
    return f"{trial.page}?{urlencode(trial.query)}" if trial.query else trial.page


def errata(paper: Paper) -> None:
    """List what is wrong or missing in print, and how that is known."""
    n = len(paper.errata)
    with st.expander(f"What is wrong or unclear in print ({n})", icon=":material/edit_note:"):
        for each in paper.errata:
            st.markdown(f"**{each.where}.** {each.instead}")
            st.caption(f"How we know: {each.evidence}")


def silent(paper: Paper) -> None:
    """Name what has no numbers to check here, and why."""
    with st.expander("What is not checked here", icon=":material/block:"):
        st.markdown("\n".join(f"- **{name}**: {why}." for name, why in paper.silent))
