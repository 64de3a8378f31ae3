"""A paper: its sentences and definitions, links to try it, its errata."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from labelrank_core.data.findings import count_of
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
# The verbs of one number and of several.
_VERDICTS = {
    "within": ("holds", "hold"),
    "above": ("is better", "are better"),
    "below": ("is worse", "are worse"),
    "differs": ("differs", "differ"),
}

# Of the sentences of a paper, in pixels: longer lines are hard to read.
_TEXT_WIDTH = 720
_BRIEF = {"within": "hold", "above": "better", "below": "worse", "differs": "differ"}


@dataclass(frozen=True)
class Overview:
    """The numbers that were recomputed and hold, in words and as a drawing.

    Parameters
    ----------
    verdict : str
        Counts the numbers of papers that were recomputed.
    figure : str
        The drawing of papers, each row by its verdicts below what these mean, and the line of
        comparisons below it.
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
        comparison_names = [
            markup.row_button(paper.citation, row, chosen_row)
            for row, paper in enumerate(compared, len(recomputed))
        ]
        shares_html = fragment(
            markup.shares_key(_verdict_meanings(recomputed)),
            markup.shares([_paper_share(paper) for paper in recomputed], chosen_row),
            element(
                "p",
                element("b", "Do our best methods beat the best in print?"),
                f" {_comparison_text(_total(compared))} See ",
                fragment(
                    comparison_names[0], *(fragment(" and ", name) for name in comparison_names[1:])
                ),
                ".",
                class_="lr-held-question",
            ),
        )
        descriptions = [
            f"{paper.citation}: {_counts_text(numbers.of_paper(paper.key))}" for paper in papers
        ]
        figure_html = f'aria-label="{". ".join(descriptions)}">{shares_html}</figure>'
        return cls(
            _counts_text(_total(recomputed)),
            f'<figure class="lr" {figure_html}',
        )


def _listed_papers() -> list[Paper]:
    """List the papers in the order of the overview: comparisons come last."""
    return sorted(PAPERS.values(), key=lambda paper: paper.is_comparison)


def _verdict_meanings(papers: Sequence[Paper]) -> list[tuple[Sequence[str], str]]:
    """Say what each colour of the bars means."""
    tolerance = numbers.usual_tolerance(papers)
    return [
        (["within"], f"hold: within the printed deviation, else mostly within {tolerance:g}"),
        (["above", "below"], "better, worse: further off"),
        (["differs"], "differ: further off, neither is better"),
        ([""], "not recomputed: data or method not at hand"),
    ]


def _total(papers: Sequence[Paper]) -> Counter[str]:
    total: Counter[str] = Counter()
    for paper in papers:
        total.update(numbers.of_paper(paper.key))
    return total


def _paper_share(paper: Paper) -> markup.PaperShare:
    counts = numbers.of_paper(paper.key)
    texts = {
        verdict: f"{counts[verdict]:,} {word}"
        for verdict, word in _BRIEF.items()
        if counts[verdict]
    }
    return markup.PaperShare(paper.citation, counts["printed"], counts, texts)


def _comparison_text(counts: Mapping[str, int]) -> str:
    """Count the numbers in print beside which our best methods stand."""
    return (
        f"They are better on {counts['above']} of {counts['printed']} numbers, about as good on "
        f"{counts['within']} and worse on {counts['below']}."
    )


def render_overview(paper: Paper) -> None:
    """Draw the share of each paper's numbers that was recomputed and holds, below the verdict.

    A click on a paper opens it, in place of `paper`.
    """
    is_read = assistants.is_reading()
    overview = Overview.of_papers(None if is_read else paper)
    st.markdown(f"**We recomputed {overview.verdict}.**")
    with st.container(key="shares_of_papers"):
        drawing.render_markup(overview.figure)
        if not is_read:
            row_buttons.listen("paper_rows", "shares_of_papers", _open_paper)


def _open_paper(row: int) -> None:
    papers = _listed_papers()
    if row < len(papers):
        session.set_state(PAPER_PARAMETER, papers[row].citation)


def _counts_text(counts: Mapping[str, int]) -> str:
    n_recomputed = numbers.count_recomputed(counts)
    parts = [
        f"{counts[name]:,} {verbs[counts[name] > 1]}"
        for name, verbs in _VERDICTS.items()
        if counts[name]
    ]
    return f"{n_recomputed:,} of {counts['printed']:,} numbers: {', '.join(parts)}"


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
    """Draw the title of a paper, its reference, and the paper in five sentences."""
    st.header(paper.title, anchor=False)
    reference = f"{paper.authors}, {paper.where} {paper.year}"
    if paper.link:
        address = paper.link.partition("://")[2]
        doi = address.removeprefix("doi.org/")
        name = f"DOI {doi}" if doi != address else address.partition("/")[0]
        reference += f" · [{text.markdown(name)}]({paper.link})"
    st.markdown(reference)
    st.markdown(" ".join(paper.sentences), width=_TEXT_WIDTH)


def render_more(paper: Paper) -> None:
    """Draw ways to try a paper and, folded, its definitions and misprints."""
    drawing.render_markup(
        markup.links("Try it", [(trial.text, _address(trial)) for trial in paper.trials])
    )
    n_misprints = count_of(len(paper.errata), "misprint")
    title = f"What the paper defines, and {n_misprints}"
    with widgets.expander(title, "more_on_paper") as is_drawn:
        if is_drawn:
            definitions = [f"- **{name}**: {definition}" for name, definition in paper.defines]
            st.markdown("\n".join(definitions))
            _render_errata(paper)
            _render_tables_without_numbers(paper)


def _address(trial: Trial) -> str:
    return f"{trial.page}?{urlencode(trial.query)}" if trial.query else trial.page


def _render_errata(paper: Paper) -> None:
    """Draw the errors and gaps in print, each with its evidence."""
    drawing.render_heading("Wrong or unclear in print")
    for erratum in paper.errata:
        st.markdown(f"**{erratum.where}.** {erratum.instead}")
        st.caption(f"How we know: {erratum.evidence}")


def _render_tables_without_numbers(paper: Paper) -> None:
    """Draw the tables without numbers to check here, and the reasons."""
    lines = [f"- **{name}**: {why}." for name, why in paper.silent]
    st.markdown("\n".join(["Not checked here:", "", *lines]))
