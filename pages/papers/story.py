"""A paper: its sentences and definitions, links to try it, its errata."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup.elements import element, fragment
from labelrank_core.papers import PAPERS
from labelrank_core.papers.table import Paper, Trial
from pages.papers import numbers
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render import assistants, drawing, row_buttons, widgets
from pages.ui.wording import text

PAPER_PARAMETER = "publication"
_OLD_PARAMETER = "paper"
_LEGEND = (
    ("within", "holds"),
    ("above", "ours is better"),
    ("below", "ours is worse"),
    ("differs", "differs, neither is better"),
    ("none", "not recomputed, mostly for want of data"),
)
_COMPARISON_LEGEND = (("within", "about as good"), ("above", "better"), ("below", "worse"))
# The verbs of one number and of several.
_VERDICTS = {
    "within": ("holds", "hold"),
    "above": ("is better", "are better"),
    "below": ("is worse", "are worse"),
    "differs": ("differs", "differ"),
}


@dataclass(frozen=True)
class Overview:
    """The numbers that were recomputed and hold, in words and as a drawing.

    Parameters
    ----------
    verdict : str
        Counts the numbers of papers that were recomputed.
    figure : str
        The drawing of papers and comparisons, each row by its verdicts, with its legend.
    """

    verdict: str
    figure: str

    @classmethod
    def of_papers(cls, chosen_paper: Paper | None = None) -> "Overview":
        """Count the numbers of all papers; names are buttons where one is chosen among them."""
        papers = _listed_papers()
        chosen_row = None if chosen_paper is None else papers.index(chosen_paper)
        recomputed = [paper for paper in papers if not paper.is_comparison]
        compared = papers[len(recomputed) :]
        shares_html = fragment(
            markup.shares([_share_row(paper) for paper in recomputed], chosen_row),
            markup.shares_legend(_LEGEND),
            element("p", _comparison_text(_total(compared)), class_="lr-held-question"),
            markup.shares(
                [_share_row(paper) for paper in compared],
                chosen_row,
                first_row=len(recomputed),
                are_compared=True,
            ),
            markup.shares_legend(_COMPARISON_LEGEND, are_compared=True),
        )
        descriptions = [
            f"{paper.citation}: {_counts_text(numbers.of_paper(paper.key))}" for paper in papers
        ]
        figure_html = f'aria-label="{". ".join(descriptions)}">{shares_html}</figure>'
        return cls(_counts_text(_total(recomputed)), f'<figure class="lr" {figure_html}')


def _listed_papers() -> list[Paper]:
    """List the papers in the order of the overview: comparisons come last."""
    return sorted(PAPERS.values(), key=lambda paper: paper.is_comparison)


def _total(papers: Sequence[Paper]) -> Counter[str]:
    total: Counter[str] = Counter()
    for paper in papers:
        total.update(numbers.of_paper(paper.key))
    return total


def _share_row(paper: Paper) -> markup.Share:
    counts = numbers.of_paper(paper.key)
    brief = _brief(counts)
    if paper.is_comparison:
        brief = brief.replace("hold", "as good")
    return paper.citation, counts, counts["printed"], brief


def _comparison_text(counts: Mapping[str, int]) -> str:
    """Count the numbers in print beside which our best methods stand."""
    return (
        "Do our best methods beat the best numbers in print? Of "
        f"{counts['printed']}, {counts['within']} are about as good, {counts['above']} better, "
        f"{counts['below']} worse."
    )


def render_overview(paper: Paper) -> None:
    """Draw the share of each paper's numbers that was recomputed and holds, below the verdict.

    A click on a paper opens it, in place of `paper`.
    """
    is_read = assistants.is_reading()
    overview = Overview.of_papers(None if is_read else paper)
    st.markdown(
        f"**We recomputed {overview.verdict}.** A number holds if ours lies close to it. Each "
        "table says how close."
    )
    with st.container(key="shares_of_papers"):
        drawing.render_markup(overview.figure)
        if not is_read:
            row_buttons.listen("paper_rows", "shares_of_papers", _open_paper)


def _open_paper(row: int) -> None:
    papers = _listed_papers()
    if row < len(papers):
        session.set_state(PAPER_PARAMETER, papers[row].citation)


def _counts_text(counts: Mapping[str, int]) -> str:
    n_recomputed = counts["printed"] - counts["not computed"]
    parts = [
        f"{counts[name]:,} {verbs[counts[name] > 1]}"
        for name, verbs in _VERDICTS.items()
        if counts[name]
    ]
    return f"{n_recomputed:,} of {counts['printed']:,} numbers: {', '.join(parts)}"


def _brief(counts: Mapping[str, int]) -> str:
    """Count the verdicts of a row of the overview, whose whole stands before its bar."""
    if counts["within"] == counts["printed"]:
        return "all hold"
    counts_text = re.sub(r" of [\d,]+ numbers| is| are", "", _counts_text(counts))
    first, verdicts = counts_text.split(": ")
    return verdicts if not counts["not computed"] else f"{first} recomputed: {verdicts}"


def choose_paper() -> Paper:
    """Return the paper that the address names; older links name it by its code.

    An assistant chooses in a list, a visitor among the rows of the overview.
    """
    papers = {paper.citation: paper for paper in PAPERS.values()}
    code = st.query_params.get(_OLD_PARAMETER)
    linked = next((paper for paper in PAPERS.values() if paper.short == code), None)
    # Out of sight: the address follows a widget.
    with st.container(key="paper_choice"):
        citation = choices.choose(
            st.pills,
            "Paper",
            list(papers),
            linked.citation if linked else next(iter(papers)),
            required=True,
            key=PAPER_PARAMETER,
            bind="query-params",
            label_visibility="collapsed",
        )
    return papers[citation]


def render_paper(paper: Paper) -> None:
    """Draw the five sentences on a paper, and its definitions."""
    st.header(paper.title, anchor=False)
    reference = f"{paper.authors}, {paper.where} {paper.year}"
    if paper.link:
        address = re.sub(r"^https?://(?:doi\.org/)?", "", paper.link)
        name = f"DOI {address}" if "//doi.org/" in paper.link else address.partition("/")[0]
        reference += f" · [{text.markdown(name)}]({paper.link})"
    st.markdown(reference)
    st.markdown(" ".join(paper.sentences))
    drawing.render_markup(
        markup.links("Try it", [(trial.text, _address(trial)) for trial in paper.trials])
    )
    with widgets.expander("What it defines", "definitions") as is_drawn:
        if is_drawn:
            definitions = [f"- **{name}**: {definition}" for name, definition in paper.defines]
            st.markdown("\n".join(definitions))


def _address(trial: Trial) -> str:
    return f"{trial.page}?{urlencode(trial.query)}" if trial.query else trial.page


def render_errata(paper: Paper) -> None:
    """Draw the errors and gaps in print, each with its evidence."""
    st.caption("Wrong or unclear in print, counted apart from the numbers above.")
    for erratum in paper.errata:
        st.markdown(f"**{erratum.where}.** {erratum.instead}")
        st.caption(f"How we know: {erratum.evidence}")


def render_tables_without_numbers(paper: Paper) -> None:
    """Draw the tables without numbers to check here, and the reasons."""
    lines = [f"- **{name}**: {why}." for name, why in paper.silent]
    st.markdown("\n".join(["Not checked here:", "", *lines]))
