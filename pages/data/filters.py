"""Filters of rows for the whole page, chosen by clicks in charts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.profile import LabelSetProfile, Profile, RankingProfile
from labelrank_core.data.profile.conditions import Condition, condition_text, matching_rows
from pages.data.count_rows import CountRow, count_rows
from pages.ui import compute, session
from pages.ui.render import drawing, row_buttons
from pages.ui.wording import text

_LONGEST = 60
_TITLE = "Profiling the data"


@dataclass(frozen=True, eq=False)
class ProfileView:
    """The data with the conditions selected in the charts."""

    dataset: Dataset
    conditions: dict[str, Condition] = field(default_factory=dict)

    @property
    def full_profile(self) -> Profile:
        """The profile of all rows, which fixes the order and the scale of the charts."""
        return _profile(self.dataset, parts=("alerts", "rankings", "label_sets"))

    @property
    def filtered_profile(self) -> Profile:
        """The profile of the rows that meet all conditions."""
        return _profile(self.dataset, self.conditions.values())

    @property
    def features(self) -> pd.DataFrame:
        """The features of the rows that meet all conditions."""
        return _profile(self.dataset, self.conditions.values(), ("features",)).features

    def profile_for(self, chart: str, *parts: str) -> Profile:
        """Return the profile a chart draws: of the rows that meet the other charts' conditions.

        `parts`: those that it draws, such as ``"rankings"``.
        """
        other_conditions = [
            condition for name, condition in self.conditions.items() if name != chart
        ]
        return _profile(self.dataset, other_conditions, parts)

    def marked(self, chart: str, conditions: Sequence[Condition | None]) -> int | None:
        """Return which of the conditions a chart offers is the chosen one."""
        selected = self.conditions.get(chart)
        return (
            None if selected is None or selected not in conditions else conditions.index(selected)
        )


def _profile(
    dataset: Dataset, conditions: Iterable[Condition] = (), parts: Iterable[str] = ()
) -> Profile:
    """Profile the rows that meet some conditions, with some of its parts computed already."""
    active = tuple(conditions)
    # The memory of all parts: copied and grouped rows, tables of label pairs and of features.
    size = 8 * (dataset.n_samples * (dataset.Y.shape[1] + 8) + 8 * dataset.n_labels**2)
    key = compute.digest("profile", dataset.fingerprint, active)
    profile: Profile = compute.once(
        key,
        _TITLE,
        lambda: Profile(dataset, matching_rows(dataset, active) if active else None),
        size=size + 200 * dataset.n_features,
    )
    for part in parts:
        if not _is_computed(profile, part):
            compute.run(compute.digest(key, part), _TITLE, _compute_part, profile, part)
    return profile


def _compute_part(profile: Profile, name: str) -> None:
    """Compute a part of a profile, which keeps it, with all that is in it."""
    part = getattr(profile, name)
    for figure in _figures_of(part):
        getattr(part, figure)


def _is_computed(profile: Profile, name: str) -> bool:
    """Tell whether a profile keeps a part already, with all that is in it."""
    if name not in vars(profile):
        return False
    part = getattr(profile, name)
    return all(figure in vars(part) for figure in _figures_of(part))


def _figures_of(part: Any) -> list[str]:
    """Return the names of the cached properties of a part."""
    if not isinstance(part, RankingProfile | LabelSetProfile):
        return []
    return [name for name, value in vars(type(part)).items() if isinstance(value, cached_property)]


def current_view(dataset: Dataset) -> ProfileView:
    """Return the data with the conditions selected now."""
    return ProfileView(dataset, session.filters(dataset))


def render_chips(view: ProfileView) -> None:
    """Draw the number of rows listed as a heading, with a button to undo each condition."""
    n_rows, nouns = view.dataset.n_samples, view.dataset.nouns
    with st.container(horizontal=True, vertical_alignment="center", key="filters"):
        if not view.conditions:
            st.header(f"All {n_rows} {nouns.rows}", anchor=False)
            return
        n_left = view.filtered_profile.n_rows
        st.header(f"{n_left} of {n_rows} {nouns.rows}", anchor=False, width="content")
        for chart, condition in view.conditions.items():
            condition_title = text.shorten(condition_text(view.dataset, condition), _LONGEST)
            st.button(
                text.markdown(condition_title),
                key=f"undo-{chart}",
                icon=":material/close:",
                help="Remove this condition",
                on_click=session.set_filter,
                args=(view.dataset, chart, None),
            )


def render_clickable(
    figure: Any,
    view: ProfileView,
    chart: str,
    conditions: Sequence[Condition | None],
    *,
    alt: str,
    table: pd.DataFrame,
    caption: str,
) -> None:
    """Draw a figure of a profile below its caption; a click filters the rows, another undoes it."""
    st.caption(drawing.with_nouns(caption))
    # With another number the figure is a new one, without a selection.
    figure.update_layout(meta=session.clicks())
    drawing.render_chart(
        figure,
        key=f"profile-{chart}",
        alt=alt,
        table=table,
        on_click=partial(_toggle_filter, view, chart, conditions),
    )


def render_count_rows(
    view: ProfileView,
    chart: str,
    rows: Sequence[CountRow],
    conditions: Sequence[Condition],
    *,
    alt: str,
    table: pd.DataFrame,
    caption: str,
) -> None:
    """Draw counts below their caption; a click at one filters the rows, another undoes it."""
    st.caption(drawing.with_nouns(caption))
    container_key = f"tally_{chart}"
    with st.container(key=container_key):
        drawing.render_figure(
            count_rows(rows, view.marked(chart, conditions)),
            key=f"profile-{chart}",
            alt=alt,
            table=table,
        )
        toggle = partial(_toggle_filter, view, chart, conditions)
        row_buttons.listen(f"{chart}_rows", container_key, toggle)


def _toggle_filter(
    view: ProfileView, chart: str, conditions: Sequence[Condition | None], position: int
) -> None:
    """Keep only the rows that meet a condition of a chart; all if it was chosen already."""
    condition = conditions[position]
    if condition is not None:
        is_selected = view.conditions.get(chart) == condition
        session.set_filter(view.dataset, chart, None if is_selected else condition)
