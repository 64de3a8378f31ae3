"""A printed figure without numbers: the statements of print, and its curves measured here."""

import streamlit as st

from labelrank_core.papers.curves import Curves
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.curves import curves
from pages.ui.wording import text


def render_curves(figure: Curves) -> None:
    """Draw the statements of print beside the measurements, and the curves of a panel."""
    points = figure.points()
    statements = figure.statements(points)
    n_holding = sum(statement.holds for statement in statements)
    heading = f"{figure.key}: {n_holding} of {len(statements)} statements of the paper hold"
    st.subheader(heading, anchor=False)
    st.markdown(f"{text.markdown(text.capitalised(figure.title))}.")
    for statement in statements:
        mark = "✓" if statement.holds else "≠"
        st.markdown(f"{mark} {text.markdown(statement.printed)}")
        st.caption(f"Measured here: {text.markdown(statement.measured)}")
    panels = list(points["panel"].unique())
    panel = choices.choose(
        st.segmented_control,
        "Curves of",
        panels,
        required=True,
        key=f"curves-{figure.slug}",
    )
    panel_points = points[(points["panel"] == panel) & (points["measure"] == figure.measure)]
    drawing.render_figure(
        curves(panel_points, (figure.x, figure.y), figure.scales),
        key=f"curves-drawn-{figure.slug}",
        alt=f"{figure.key}, {panel}: {figure.y} against {figure.x}, "
        + "; ".join(
            f"{line} {rows['value'].iloc[0]:.3g} to {rows['value'].iloc[-1]:.3g}"
            for line, rows in panel_points.groupby("line", sort=False)
        ),
        table=panel_points[["line", "x", "value", "n_runs"]].rename(
            columns={"x": figure.x, "value": figure.y, "n_runs": "runs"}
        ),
        caption=f"{figure.protocol} Print has curves, but no numbers. Measured on "
        f"{max(points['date'])}.",
    )
    widgets.render_csv_download(f"{figure.key} (CSV)", points, f"{figure.slug}.csv")
    st.code(f"python tests/benchmarks/figures_in_print.py {figure.slug}", language="bash")
