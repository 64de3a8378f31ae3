"""One method beside single printed methods over all data sets, and its realised guarantees."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.comparison.significance import average_ranks, friedman, wilcoxon_pairs
from labelrank_core.papers.table import Promises, Table
from pages.ui.render import drawing, tables, widgets
from pages.ui.wording import text


def has_rivals(table: Table, rows: pd.DataFrame) -> bool:
    """Tell whether printed methods and a recomputed one have numbers for all data sets."""
    return table.rivals is not None and set(_method_rows(rows).index) == set(table.data_sets)


def _method_rows(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["reading"] == "") & rows["ours"].notna()].set_index("data")


def render_rivals(table: Table, rows: pd.DataFrame) -> None:
    """Draw the tests of a method against the printed ones of a table."""
    assert table.rivals is not None
    method_rows = _method_rows(rows).loc[list(table.data_sets)]
    name = table.titles.get(method_rows["column"].iloc[0], method_rows["column"].iloc[0])
    rival_scores = table.rivals(method_rows["block"].iloc[0])
    drawing.render_heading("Is it ahead of every single method in print?")
    scores = np.column_stack([method_rows["ours"], *rival_scores.values()])
    ranks = average_ranks(scores)
    test = friedman(ranks)
    best = wilcoxon_pairs(
        np.column_stack([method_rows["ours"], method_rows["printed"]]), [name, "best"]
    ).iloc[0]
    verdict = "The methods differ" if test.p < 0.05 else "No significant difference"
    sentences = (
        f"**{verdict}** (Friedman's χ² = {test.chi2_corrected:.1f}, p = {test.p:.2g}).",
        f"{text.markdown(name)} has average rank **{ranks.means[0]:.2f}** of {ranks.n_methods}",
        f"over {ranks.n_data_sets} data sets.",
        f"It is ahead of the best in print on **{best['first has more']}** of them, behind on",
        f"{best['second has more']} (Wilcoxon p = {best['p']:.2g}).",
    )
    st.markdown(" ".join(sentences))
    pairs = wilcoxon_pairs(scores, [name, *rival_scores])
    against = pairs[pairs["first"] == name].set_index("second")
    st.dataframe(
        pd.DataFrame(
            {
                "method": list(rival_scores),
                "mean in print": scores[:, 1:].mean(axis=0),
                "average rank": ranks.means[1:],
                "sets behind": [against.loc[rival, "first has more"] for rival in rival_scores],
                "p": [against.loc[rival, "p"] for rival in rival_scores],
            }
        ),
        hide_index=True,
        height=tables.height(len(rival_scores), shows_all=True),
        column_config={
            name: st.column_config.NumberColumn(format=form)
            for name, form in (("mean in print", "%.3f"), ("average rank", "%.2f"), ("p", "%.4f"))
        },
    )
    drawing.render_caption(
        "Printed methods with a number for every set. p: Wilcoxon's signed ranks, not adjusted.",
        "Sets behind: on how many data sets the printed number is smaller than that of the blend.",
    )


def render_promises(promises: Promises) -> None:
    """Draw the realised guarantees of orders on a paper's data sets."""
    recorded = promises.recorded()
    level, n_draws = f"{recorded['promised'].iloc[0]:.0%}", int(recorded["n_draws"].iloc[0])
    drawing.render_heading(f"Is a guarantee of {level} kept?")
    held = int((recorded["worst"] >= recorded["expected"]).sum())
    st.markdown(
        f"Between **{recorded['realised'].min():.1%}** and **{recorded['realised'].max():.1%}** of "
        "the cases have no wrong decided pair. The worst draw is no worse than is to be expected "
        f"on **{held} of {len(recorded)}** data sets."
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
        recorded.round(3).rename(columns=titles)[["data", *titles.values()]],
        hide_index=True,
        height=tables.height(len(recorded)),
        column_config={
            **{column: st.column_config.NumberColumn(format="percent") for column in shares},
            titles["width"]: st.column_config.NumberColumn(format="%.1f"),
        },
    )
    drawing.render_caption(
        "Forests of 50 trees; 30% of the cases test, 30% of the others calibrate.",
        "Worst to be expected: with 95% probability no draw is lower, by the beta-binomial "
        "distribution of a guarantee that is just kept. Few pairs are decided where labels are "
        "hard to tell apart.",
    )
    widgets.render_csv_download("Promises (CSV)", recorded, "promises.csv")
