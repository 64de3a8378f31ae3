"""Significance of results over data sets: Friedman's test, critical differences, downloads."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.comparison.significance import (
    AverageRanks,
    cliques,
    critical_difference,
    friedman,
    holm,
    wilcoxon_pairs,
)
from pages.ui import parts, text
from pages.ui.charts.critical_difference import CriticalDifferences

_SVG = "image/svg+xml"
_TESTS = {
    "All pairs": "nemenyi",
    "Against one": "bonferroni-dunn",
}


def draw(scores: pd.DataFrame, ranks: AverageRanks, deviations: pd.DataFrame | None = None) -> None:
    """Draw which methods differ significantly over data sets, all pairs, and the downloads."""
    if ranks.n_data_sets < 2:
        return
    summary, drawing = _post_hoc(list(scores.columns), ranks)
    with st.container(horizontal=True):
        parts.download_csv("Average ranks (CSV)", summary, "average-ranks.csv")
        download("Table (LaTeX)", latex(scores, ranks, deviations), "results.tex", "text/x-tex")
        download("Critical differences (SVG)", drawing, "critical-differences.svg")
    with st.expander("All pairs of methods (Wilcoxon's signed ranks)", icon=":material/compare:"):
        st.dataframe(wilcoxon_pairs(scores.to_numpy(), list(scores.columns)), hide_index=True)
        st.caption("p: probability of such differences if both were equally good; not adjusted.")


_P_FROM = {
    "exact": "from all permutations of the ranks",
    "sampled": "from random permutations of the ranks",
    "f": "from the F distribution",
}


def differences(ranks: AverageRanks) -> None:
    """Say whether the methods differ at all, by Friedman's test."""
    st.subheader("Do the methods differ at all?", anchor=False)
    if ranks.n_data_sets < 2:
        st.markdown("Friedman's test needs at least two data sets.")
        return
    test = friedman(ranks)
    first, second = test.degrees
    verdict = "Yes" if test.p < 0.05 else "No significant difference"
    st.markdown(
        f"**{verdict}.** Friedman's χ² is {test.chi2:.2f} ({test.chi2_corrected:.2f} corrected for "
        f"ties), F({first}, {second}) = **{test.f:.2f}**. If the methods did not differ, a value "
        f"at least as large would have probability **{test.p:.2g}** ({_P_FROM[test.p_from]})."
    )
    if test.caution:
        st.warning(test.caution, icon=":material/warning:")


def _post_hoc(names: Sequence[str], ranks: AverageRanks) -> tuple[pd.DataFrame, str]:
    st.subheader("Which methods differ?", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(
            "Test", list(_TESTS), default=next(iter(_TESTS)), required=True, key="post_hoc",
            bind="query-params",
        )  # fmt: skip
        alpha = st.select_slider(
            "Level α", [0.01, 0.02, 0.05, 0.1, 0.15, 0.2], 0.05, key="alpha", bind="query-params"
        )
        control = None
        if _TESTS[chosen] == "bonferroni-dunn":
            best = int(np.argmin(ranks.means))
            control = st.selectbox(
                "Against", range(len(names)), index=best, format_func=lambda j: names[j]
            )
    difference = critical_difference(
        ranks.n_data_sets,
        ranks.n_methods,
        alpha=alpha,
        test=_TESTS[chosen],  # type: ignore[arg-type]
    )
    summary = pd.DataFrame({"method": names, "average rank": ranks.means}).sort_values(
        "average rank", kind="stable"
    )
    if control is None:
        groups = cliques(ranks.means, difference)
        said = "; ".join(", ".join(names[j] for j in group) for group in groups) or "none"
        sentence = f"Not significantly different: {said}"
    else:
        groups = []
        worse = [
            names[j]
            for j in range(len(names))
            if ranks.means[j] - ranks.means[control] > difference
        ]
        sentence = f"Significantly worse than {names[control]}: {', '.join(worse) or 'none'}"
    st.markdown(
        f"Two average ranks differ significantly if they are more than **{difference:.3f}** apart "
        f"({'Nemenyi' if control is None else 'Bonferroni–Dunn'}). "
        f"{text.markdown(sentence)}."
    )
    drawn = CriticalDifferences(ranks.means, names, difference, groups, control)
    parts.chart(
        drawn.figure(),
        key="critical-differences",
        alt=f"average ranks with the critical difference {difference:.3f}; {sentence}",
        table=summary,
    )
    st.caption(
        "Average ranks, 1 is best. "
        + (
            "Bars join methods that are not significantly different"
            if control is None
            else "The band holds what is not significantly different from the control"
        )
    )
    if control is not None:
        stepwise = holm(ranks, control)
        stepwise["method"] = [names[j] for j in stepwise["method"]]
        with st.popover("Holm's steps", icon=":material/table:", type="tertiary"):
            st.dataframe(stepwise, hide_index=True)
    return summary, drawn.svg()


def download(label: str, content: str, file_name: str, mime: str = _SVG) -> None:
    """Offer a text as a file."""
    st.download_button(
        label, content, file_name, mime, icon=":material/download:", on_click="ignore"
    )


def latex(scores: pd.DataFrame, ranks: AverageRanks, deviations: pd.DataFrame | None = None) -> str:
    """Write the scores with their ranks as a LaTeX table."""

    def escaped(name: str) -> str:
        marks: dict[str, Any] = {c: f"\\{c}" for c in "&%$#_{}"}
        marks |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
        return "".join(marks.get(c, c) for c in name)

    lines = [
        rf"\begin{{tabular}}{{l{'r' * ranks.n_methods}}}",
        " & ".join(["data set", *map(escaped, scores.columns)]) + r" \\",
        r"\hline",
    ]
    for i, name in enumerate(scores.index):
        shown = [f"{score:.3f}" for score in scores.iloc[i]]
        if deviations is not None:
            shown = [
                rf"{score} $\pm$ {sd:.3f}"
                for score, sd in zip(shown, deviations.iloc[i], strict=True)
            ]
        cells = [f"{one} ({place:g})" for one, place in zip(shown, ranks.ranks[i], strict=True)]
        lines.append(" & ".join([escaped(name), *cells]) + r" \\")
    lines += [
        r"\hline",
        " & ".join(["average rank", *(f"{mean:.2f}" for mean in ranks.means)]) + r" \\",
        r"\end{tabular}",
        "",
    ]
    return "\n".join(lines)
