"""Significance tests over data sets: Friedman's, critical differences, all pairs; downloads."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.comparison.diagram import critical_difference_diagram
from labelrank_core.comparison.drawing import Drawing
from labelrank_core.comparison.score_tables import latex_table
from labelrank_core.comparison.significance import (
    AverageRanks,
    CriticalDifferences,
    critical_differences,
    friedman,
    holm,
    wilcoxon_pairs,
)
from labelrank_core.explain.render import markup
from pages.ui import compute
from pages.ui.render import drawing, tables, widgets
from pages.ui.wording import text

_LETTERS = 44
_NAMED = 4
_ALL, _ONE = "All pairs", "Against one"
_LEVELS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2]
_SHADE = "background-color: rgba(91, 91, 214, 0.34)"
# Shading larger tables takes longer than testing them.
_MOST_SHADED = 2000
_P_FROM = {
    "exact": "counted over all permutations of the ranks",
    "sampled": "counted over random permutations of the ranks",
    "f": "by the F distribution",
}


def render_scores(
    scores: pd.DataFrame,
    ranks: AverageRanks,
    *,
    greater_is_better: bool,
    deviations: pd.DataFrame | None = None,
) -> None:
    """Draw the scores: a column per method, the best on average first, a row per data set.

    `deviations` have the shape of the scores. Each is written beside its score.
    """
    order = np.argsort(ranks.means, kind="stable")
    heads: list[str] = []
    for name in map(str, scores.columns[order]):
        # Methods may share a name, and so may data sets.
        numbered = (f"{name} ({i})" for i in count(2))
        heads.append(name if name not in heads else next(n for n in numbered if n not in heads))
    frame = scores.iloc[:, order].set_axis(heads, axis=1)
    means = pd.Series(ranks.means[order], heads, name="average rank")
    table = pd.concat([frame, means.to_frame().T]).rename_axis(index="data").reset_index()
    if frame.size > _MOST_SHADED:
        st.dataframe(table, height=tables.height(len(table)), hide_index=True)
        return
    drawing.render_figure(
        markup.score_table(
            frame,
            greater_is_better=greater_is_better,
            summary=means.rename("average rank, 1 = best"),
            deviations=None
            if deviations is None
            else deviations.iloc[:, order].set_axis(heads, axis=1),
        ),
        key="scores",
        alt="scores of methods on data sets",
        table=table,
    )


def render_friedman_test(ranks: AverageRanks) -> None:
    """Draw the result of Friedman's test: whether the methods differ at all."""
    question = "**Do the methods differ at all?**"
    if ranks.n_data_sets < 2:
        st.markdown(f"{question} Friedman's test needs at least two data sets.")
        return
    test = friedman(ranks)
    first, second = test.degrees
    verdict = "Yes" if test.p < 0.05 else "Not significantly"
    f_text = f", Iman–Davenport F = {test.f:.2f}" if test.p_from == "f" else ""
    st.markdown(
        f"{question} {verdict}. If all were equally good, differences this large would have a "
        f"probability of **{test.p:.2g}** (Friedman's test{f_text}).",
        help=f"F({first}, {second}) = {test.f:.2f}, the form of Iman and Davenport of Friedman's "
        f"χ², which is {test.chi2:.2f}, or {test.chi2_corrected:.2f} corrected for ties. The "
        f"probability is {_P_FROM[test.p_from]}.",
    )
    if test.caution:
        st.warning(test.caution, icon=":material/warning:")


@dataclass(frozen=True, eq=False)
class SignificanceTests:
    """The scores of methods over data sets, their critical differences and the diagram of these."""

    scores: pd.DataFrame
    ranks: AverageRanks
    deviations: pd.DataFrame | None
    differences: CriticalDifferences
    diagram: Drawing


def render_pairwise_tests(
    scores: pd.DataFrame, ranks: AverageRanks, deviations: pd.DataFrame | None = None
) -> SignificanceTests | None:
    """Draw the significant differences of methods over data sets; return the tests."""
    if ranks.n_data_sets < 2:
        return None
    names = list(scores.columns)
    verdict_slot = st.container()
    differences, alpha = _choose_test(names, ranks)
    diagram_slot = st.container(key="average_ranks")
    methods_differ = friedman(ranks).p < alpha
    with verdict_slot:
        st.header(_verdict(differences, methods_differ=methods_differ), anchor=False)
    with diagram_slot:
        render_diagram(differences, ranks.n_data_sets, methods_differ=methods_differ)
    diagram = critical_difference_diagram(differences, short_names=_short_names(names))
    if differences.control is not None:
        stepwise = holm(ranks, differences.control)
        stepwise["method"] = [names[j] for j in stepwise["method"]]
        with st.popover("Holm's steps", icon=":material/table:", type="tertiary"):
            st.dataframe(stepwise, hide_index=True)
    return SignificanceTests(scores, ranks, deviations, differences, diagram)


def render_all_pairs(tests: SignificanceTests) -> None:
    """Draw the tests of all pairs of methods, folded."""
    names = list(tests.scores.columns)
    title = "All pairs of methods (Wilcoxon's signed ranks)"
    with widgets.expander(title, "all_pairs") as is_drawn:
        if is_drawn:
            values = np.ascontiguousarray(tests.scores.to_numpy())
            key = compute.digest("pairs of methods", values.tobytes(), values.shape, names)
            pairs = compute.once(key, "Testing all pairs of methods", wilcoxon_pairs, values, names)
            st.dataframe(pairs, hide_index=True, height=tables.height(len(pairs)))
            st.caption(
                "p: probability of such differences if both were equally good; not adjusted."
            )


def render_test_downloads(tests: SignificanceTests) -> None:
    """Draw the downloads of the average ranks and of the scores with their ranks."""
    ranks_frame = tests.differences.frame()
    widgets.render_csv_download("Average ranks (CSV)", ranks_frame, "average-ranks.csv")
    render_latex_download(tests.scores, tests.ranks, tests.deviations)


def render_diagram_download(tests: SignificanceTests) -> None:
    """Draw the download of the diagram of critical differences."""
    label, svg_text = "Critical differences (SVG)", tests.diagram.svg()
    render_svg_download(label, svg_text, "critical-differences.svg")


def _choose_test(names: list[str], ranks: AverageRanks) -> tuple[CriticalDifferences, float]:
    """Draw the choice of all pairs or a control, and of the level; return it, too."""
    with st.container(horizontal=True, vertical_alignment="top", key="significance_test"):
        comparison = st.segmented_control(
            "Compare",
            [_ALL, _ONE],
            default=_ALL,
            required=True,
            key="post_hoc",
            bind="query-params",
        )
        alpha = st.select_slider(
            "Significance level α",
            _LEVELS,
            0.05,
            key="alpha",
            bind="query-params",
            width=360,
            help="The risk you accept of calling methods different that are equally good. At 0.05 "
            "that happens in 5 of 100 such tables at most.",
        )
        control = None
        if comparison == _ONE:
            best = int(np.argmin(ranks.means))
            control = st.selectbox(
                "Against", range(len(names)), index=best, format_func=names.__getitem__
            )
    return critical_differences(ranks, names, alpha=alpha, control=control), alpha


def _verdict(differences: CriticalDifferences, *, methods_differ: bool) -> str:
    """Say in Markdown which methods are significantly worse than the best one, or the control.

    Where Friedman's test finds no difference at all, single differences are not called significant.
    """
    if not methods_differ:
        return "The methods do not differ significantly"
    reference = differences.order[0] if differences.control is None else differences.control
    name = text.markdown(differences.names[reference])
    best = "the best on average" if reference == differences.order[0] else ""
    worse = [text.markdown(differences.names[method]) for method in _worse_methods(differences)]
    if not worse:
        return f"No method is significantly worse than {name}{f', {best}' if best else ''}"
    listed = ", ".join(worse[:_NAMED])
    more = f" and {len(worse) - _NAMED} more" if len(worse) > _NAMED else ""
    are = "is" if len(worse) == 1 else "are"
    return f"{listed}{more} {are} significantly worse than {name}{f', {best}' if best else ''}"


def _worse_methods(differences: CriticalDifferences) -> list[int]:
    """List the methods that are significantly worse than the best one, or the control."""
    reference = differences.order[0] if differences.control is None else differences.control
    means = differences.means
    # As the bars and the band say it.
    return [
        method
        for method in differences.order
        if means[method] - means[reference] > differences.difference
    ]


def render_diagram(
    differences: CriticalDifferences,
    n_data_sets: int,
    *,
    methods_differ: bool,
    key: str = "critical-differences",
) -> None:
    """Draw Demšar's diagram: average ranks on an axis, bars join those that do not differ."""
    order, names = differences.order, differences.names
    short_names = _short_names(names)
    reference = order[0] if differences.control is None else differences.control
    worse = _worse_methods(differences) if methods_differ else []
    marks = {reference: "best", **dict.fromkeys(worse, "worse")} if worse else {}
    reach, band = differences.difference, None
    test, sentence = "Nemenyi", "Methods joined by a thick bar do not differ significantly."
    described = f"Significantly worse than {names[reference]}: "
    described += ", ".join(names[method] for method in worse) or "none"
    if differences.control is not None:
        test, band = "Bonferroni–Dunn", differences.around_control
        name = text.markdown(names[reference])
        sentence = f"On the thick part of the axis no method differs significantly from {name}."
    if not methods_differ:
        sentence = "Friedman's test finds no difference, so no single gap counts."
    if worse:
        reference_text = "the best" if differences.control is None else "it"
        sentence += f" Hollow: significantly worse than {reference_text}."
    drawing.render_markdown(
        sentence,
        "Each data set ranks the methods, 1 is best. Two methods differ significantly where their "
        f"average ranks are more than {reach:.3f} apart, the critical difference of {test}'s test.",
    )
    drawing.render_figure(
        markup.rank_diagram(
            [
                markup.RankedMethod(
                    short_names[names[method]], differences.means[method], marks.get(method, "")
                )
                for method in order
            ],
            len(names),
            reach,
            groups=[
                (differences.means[group[0]], differences.means[group[-1]])
                for group in differences.groups
            ],
            band=band,
            axis_title=f"average rank on {n_data_sets} data sets",
        ),
        key=key,
        alt=f"average ranks with the critical difference {reach:.3f}. {described}",
        table=differences.frame(),
    )


def _short_names(names: Sequence[str]) -> dict[str, str]:
    return {name: text.shorten_middle(name, _LETTERS) for name in names}


def render_svg_download(label: str, svg_text: str, file_name: str) -> None:
    """Draw the download of a drawing."""
    widgets.render_download(label, svg_text, file_name, "image/svg+xml")


def render_latex_download(
    scores: pd.DataFrame, ranks: AverageRanks, deviations: pd.DataFrame | None = None
) -> None:
    """Draw the download of the scores with their ranks as a LaTeX table."""
    rank_frame = pd.DataFrame(ranks.ranks, scores.index, scores.columns)
    table = latex_table(scores, rank_frame, deviations=deviations)
    widgets.render_download("Table (LaTeX)", table, "results.tex", "text/x-tex")
