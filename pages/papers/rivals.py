"""One method beside single printed methods over all data sets, and what its guarantees keep."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.comparison.significance import average_ranks, friedman, wilcoxon_pairs
from labelrank_core.papers.table import Paper, Table
from pages.ui import drawing, tables, text, widgets


def compare(table: Table, rows: pd.DataFrame) -> None:
    """Say whether a method differs from printed ones, where a table has those and all numbers."""
    own = rows[(rows["reading"] == "") & rows["ours"].notna()].set_index("data")
    if table.rivals is None or set(own.index) != set(table.data_sets):
        return
    own = own.loc[list(table.data_sets)]
    name = table.titles.get(own["column"].iloc[0], own["column"].iloc[0])
    others = table.rivals(own["block"].iloc[0])
    drawing.heading("Is it ahead of every single method in print?")
    scores = np.column_stack([own["ours"], *others.values()])
    ranks = average_ranks(scores)
    test = friedman(ranks)
    best = wilcoxon_pairs(np.column_stack([own["ours"], own["printed"]]), [name, "best"]).iloc[0]
    verdict = "The methods differ" if test.p < 0.05 else "No significant difference"
    said = (
        f"**{verdict}** (Friedman's χ² = {test.chi2_corrected:.1f}, p = {test.p:.2g}).",
        f"{text.markdown(name)} has average rank **{ranks.means[0]:.2f}** of {ranks.n_methods}",
        f"over {ranks.n_data_sets} data sets.",
        f"It is ahead of the best in print on **{best['first has more']}** of them, behind on",
        f"{best['second has more']} (Wilcoxon p = {best['p']:.2g}).",
    )
    st.markdown(" ".join(said))
    pairs = wilcoxon_pairs(scores, [name, *others])
    against = pairs[pairs["first"] == name].set_index("second")
    st.dataframe(
        pd.DataFrame(
            {
                "method": list(others),
                "mean in print": scores[:, 1:].mean(axis=0),
                "average rank": ranks.means[1:],
                "sets behind": [against.loc[each, "first has more"] for each in others],
                "p": [against.loc[each, "p"] for each in others],
            }
        ),
        hide_index=True,
        height=tables.height(len(others), shows_all=True),
        column_config={
            name: st.column_config.NumberColumn(format=form)
            for name, form in (("mean in print", "%.3f"), ("average rank", "%.2f"), ("p", "%.4f"))
        },
    )
    drawing.caption(
        "Printed methods with a number for every set. p: Wilcoxon's signed ranks, not adjusted.",
        "Sets behind: on how many data sets the printed number is smaller than that of the blend.",
    )


def promises(paper: Paper) -> None:
    """Show what guarantees of orders keep on the data sets of a paper, where that is recorded."""
    if paper.promises is None:
        return
    found = paper.promises.recorded()
    level, n_draws = f"{found['promised'].iloc[0]:.0%}", int(found["n_draws"].iloc[0])
    st.header(f"Is a promise of {level} kept?", anchor=False)
    held = int((found["worst"] >= found["expected"]).sum())
    st.markdown(
        f"Between **{found['realised'].min():.1%}** and **{found['realised'].max():.1%}** of the "
        "cases have no wrong decided pair. The worst draw is no worse than is to be expected on "
        f"**{held} of {len(found)}** data sets."
    )
    titles = {
        "realised": f"realised (promised {level})",
        "worst": f"worst of {n_draws} draws",
        "expected": "worst to be expected",
        "kept": "pairs decided",
        "width": "positions of a label",
    }
    shares = [titles[name] for name in ("realised", "worst", "expected", "kept")]
    st.dataframe(
        found.round(3).rename(columns=titles)[["data", *titles.values()]],
        hide_index=True,
        height=tables.height(len(found)),
        column_config={
            **{each: st.column_config.NumberColumn(format="percent") for each in shares},
            titles["width"]: st.column_config.NumberColumn(format="%.1f"),
        },
    )
    drawing.caption(
        "Forests of 50 trees; 30% of the cases test, 30% of the others calibrate.",
        "Worst to be expected: with 95% probability no draw is lower, by the beta-binomial "
        "distribution of a guarantee that is just kept. Few pairs are decided where labels are "
        "hard to tell apart.",
    )
    widgets.download_csv("Promises (CSV)", found, "promises.csv")
