"""Chapter 3: other feature values, on tracks to drag, as smallest changes, in detail."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.what_if import (
    Change,
    Feature,
    Sweep,
    TopMap,
    top_map,
)
from labelrank_core.explain.what_if.sweeps import N_VALUES
from labelrank_core.explain.what_if.texts import (
    coverage_text,
    first_places_text,
    limit_text,
    overtake_text,
    smallest_change_text,
    value_text,
)
from labelrank_core.rankings import list_names
from pages.predict import chapters, difference, edits, side_by_side, tracks
from pages.predict.expanders import compact_expander, expander_row
from pages.ui import compute, jobs
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.render.charts.what_if import drawn_labels, first_label_map, rank_trajectory
from pages.ui.render.evidence.changes import WHAT, changes_of, matters_most, smallest_changes
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import text
from pages.ui.wording.subject import subject_of

_MOST_FEATURES = 200
_MOST_SPARSE = 20
_MAP_VALUES = 32
_RELEVANT, _FIRST = "Other relevant labels", "Another first label"
# With more features than the first number, and more training cases times features than the second,
# a toggle starts the sweeps.
_MANY_FEATURES, _MOST_CELLS = 40, 100_000


def render(view: View, case: Case, original_case: Case) -> None:
    """Draw the effect of other feature values; `original_case` has the values of the data."""
    with chapters.chapter(3):
        if not chapters.is_seen(3):
            chapters.render_wait()
            return
        features = _varied_features(view.dataset, view.row)
        if not features:
            drawing.render_caption("Every feature has a single value, so there is nothing to vary.")
        sweeps: Sequence[Sweep] = ()
        if features and _choose_start(view, case, features):
            sweeps = models.sweeps(view, features)
            columns = _track_columns(view, original_case, features)
            _render_tracks(view, sweeps, columns)
        with expander_row(3):
            if sweeps:
                _render_sweeps(view, sweeps)
            if view.edits:
                with compact_expander("Before and after the change", "before_and_after") as is_open:
                    if is_open:
                        side_by_side.render_change(
                            view.dataset, original_case.explanation, case.explanation
                        )
            edits.render(view)


def _track_columns(view: View, original_case: Case, features: Sequence[Feature]) -> list[int]:
    """List the columns to draw as tracks: they stay the same while values are changed."""
    original_view = replace(view, edits={})
    by_contribution: Sequence[int] = ()
    if difference.can_render_first(original_view):
        by_contribution = difference.columns_by_contribution(original_view, original_case)
    return tracks.telling_columns(models.sweeps(original_view, features), by_contribution)


def _render_tracks(view: View, sweeps: Sequence[Sweep], columns: Sequence[int]) -> None:
    if view.dataset.n_labels > 1:
        _render_smallest(sweeps, view.dataset)
        drawing.before_a_widget()
        tracks.render(view, sweeps, columns)
        if coverage := coverage_text(sweeps):
            drawing.render_caption(coverage)


def _render_sweeps(view: View, sweeps: Sequence[Sweep]) -> None:
    dataset = view.dataset
    if dataset.n_labels > 1:
        with compact_expander("Smallest change of each feature", "smallest") as is_open:
            if is_open:
                _render_changes(sweeps, dataset)
    default_index = _default_index(sweeps)
    sweep_index = default_index
    with compact_expander("One feature in detail", "one_feature") as is_open:
        if is_open:
            names = [sweep.feature.column.name for sweep in sweeps]
            sweep_index = _choose_feature(names, default_index)
            _render_trajectory(sweeps[sweep_index], dataset)
    if len(sweeps) > 1:
        with compact_expander("Two features as a map", "two_features") as is_open:
            if is_open:
                _render_map(view, [sweep.feature for sweep in sweeps], sweep_index)


def _choose_start(view: View, case: Case, features: Sequence[Feature]) -> bool:
    """Return True where sweeps are quick, else the state of a toggle that starts them."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    seconds = models.seconds_of_cases(view, fitted, N_VALUES * len(features))
    # Only methods that look for neighbours take longer with more training cases.
    n_searched = 0 if case.explanation.find(Neighbors) is None else len(fitted.training_rows)
    if seconds > jobs.SLOW_SECONDS:
        takes = f"about {seconds:.0f} s"
    elif len(features) > _MANY_FEATURES and n_searched * view.dataset.n_features > _MOST_CELLS:
        takes = "takes a moment each time"
    else:
        return True
    drawing.before_a_widget()
    return st.toggle(f"Try other values of {len(features)} features ({takes})", key="try_values")


def _render_smallest(sweeps: Sequence[Sweep], dataset: Dataset) -> None:
    """Draw the smallest change of a single feature that matters, and a smaller one of the order."""
    smallest = changes_of(sweeps)
    for kind in smallest.without:
        drawing.render_markdown(drawing.with_nouns(f"No change of a single feature {WHAT[kind]}."))
    if not smallest.changes:
        return
    drawing.render_sentence(smallest_change_text(*smallest.changes[0], of=smallest.of), dataset)
    # A smaller change of a later position is coloured on the tracks as well, unless of a set.
    of_order = smallest_changes(sweeps, "order") if smallest.of == "first" else []
    if of_order and of_order[0][1].share < smallest.changes[0][1].share:
        drawing.render_sentence(smallest_change_text(*of_order[0], of="order"), dataset)


def _first_labels(view: View, features: tuple[Feature, Feature]) -> TopMap:
    """Predict a case with every pair of values of two features."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    x, path_params = models.edited(view), view.choice.path_params
    key = compute.digest(
        "map", models.result_key(view, fitted), [feature.index for feature in features]
    )
    return compute.once(
        key,
        "Trying pairs of values",
        partial(top_map, n_values=_MAP_VALUES, **path_params),
        fitted.model,
        x,
        *features,
        seconds=models.seconds_of_cases(view, fitted, _MAP_VALUES**2),
    )


def _varied_features(dataset: Dataset, row: int) -> list[Feature]:
    """List the features to vary: of sparse data those that are not 0 in the case."""
    if not dataset.is_sparse:
        return compute.features(dataset)[:_MOST_FEATURES]
    present_columns = np.unique(dataset.schema.column_of_feature[dataset.X[[row]].nonzero()[1]])
    return compute.features(dataset, [int(j) for j in present_columns[:_MOST_SPARSE]])


def _default_index(sweeps: Sequence[Sweep]) -> int:
    """Return the index of the sweep with the smallest change of the prediction, else 0."""
    changes = smallest_changes(sweeps, matters_most(sweeps))
    numeric = [sweep for sweep, change in changes if not change.feature.is_nominal]
    return sweeps.index(numeric[0]) if numeric else 0


def _choose_feature(names: Sequence[str], default_index: int) -> int:
    """Choose a feature; return its index in `names`."""
    return int(
        choices.choose(
            st.selectbox,
            "Feature",
            range(len(names)),
            default_index,
            format_func=names.__getitem__,
            key="sweep",
            bind="query-params",
        )
    )


def _render_trajectory(sweep: Sweep, dataset: Dataset) -> None:
    names = dataset.label_names
    sentence = first_places_text(sweep)
    drawing.render_sentence(sentence, dataset)
    table = sweep.frame(names)
    drawing.render_chart(
        rank_trajectory(sweep, names),
        key="trajectory",
        alt=sentence.plain(names),
        table=table,
    )
    if sweep.overtakes:
        with st.popover("Where labels change places", icon=":material/swap_vert:", type="tertiary"):
            st.dataframe(
                pd.DataFrame(
                    {
                        sweep.feature.column.name: [overtake.value for overtake in sweep.overtakes],
                        "change": [
                            overtake_text(overtake).plain(names) for overtake in sweep.overtakes
                        ],
                    }
                ),
                hide_index=True,
            )
    n_drawn = len(drawn_labels(sweep))
    labels_note = (
        f"Only the {n_drawn} labels that come nearest to the top are drawn. "
        if n_drawn < len(names)
        else ""
    )
    exactness = (
        "Exact: nothing changes in between."
        if sweep.is_exact
        else f"Tried in steps of {sweep.step:.3g}."
    )
    if sweep.case_piece.is_set:
        labels_note += "Labels above the dotted line are relevant. "
    ties_note = ""
    if any(piece.has_ties for piece in sweep.pieces):
        ties_note = drawing.with_nouns("Lines side by side: labels that tie. ")
    st.caption(f"{ties_note}{labels_note}All other features stay unchanged. {exactness}")


def _render_changes(sweeps: Sequence[Sweep], dataset: Dataset) -> None:
    names = dataset.label_names
    kind = _choose_change_kind(sweeps)
    changes = smallest_changes(sweeps, kind)
    if not changes:
        _render_no_change(sweeps, kind, dataset)
        return
    if kind == "first":
        outcome = {
            "then first": [" = ".join(names[j] for j in change.firsts) for _, change in changes]
        }
    else:
        outcome = {
            "then relevant": [
                ", ".join(
                    [f"+ {names[j]}" for j in change.entering]
                    + [f"− {names[j]}" for j in change.leaving]
                )
                for _, change in changes
            ]
        }
    table = pd.DataFrame(
        {
            "feature": [change.feature.column.name for _, change in changes],
            "now": [value_text(change.feature, change.case_value) for _, change in changes],
            "change to": [_target_text(sweep, change) for sweep, change in changes],
            **outcome,
            "of its range": [
                np.nan if change.feature.is_nominal else 100 * change.share for _, change in changes
            ],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        height=min(420, 38 + 35 * len(table)),
        column_config={"of its range": st.column_config.NumberColumn(format="%.1f %%")},
    )
    n_without = len(sweeps) - len(changes)
    note = (
        f"{count_of(n_without, 'feature')} cannot, within the range of the data. "
        if n_without
        else ""
    )
    is_exact = all(sweep.is_exact for sweep in sweeps)
    st.caption(
        drawing.with_nouns(f"The smallest change of each feature alone that {WHAT[kind]}. {note}")
        + ("Exact." if is_exact else "Found by trying 100 values of each feature.")
    )


def _choose_change_kind(sweeps: Sequence[Sweep]) -> Literal["first", "relevant"]:
    """Choose the kind of change to list, where a set of labels is predicted."""
    if not sweeps[0].case_piece.is_set:
        return "first"
    target = st.segmented_control(
        "What should change",
        [_RELEVANT, _FIRST],
        default=_RELEVANT,
        required=True,
        key="changes",
        bind="query-params",
        label_visibility="collapsed",
    )
    return "first" if target == _FIRST else "relevant"


def _render_no_change(sweeps: Sequence[Sweep], kind: str, dataset: Dataset) -> None:
    firsts = [text.markdown(dataset.label_names[label]) for label in sweeps[0].case_piece.firsts]
    exactness = (
        "exactly"
        if all(sweep.is_exact for sweep in sweeps)
        else "in 100 steps each, so short intervals may be missed"
    )
    effect = "changes the label set"
    if kind == "first":
        effect = f"puts a label other than **{firsts[0]}** first"
        if len(firsts) > 1:
            effect = f"changes that **{list_names(firsts)}** share the first place"
    st.markdown(
        f"No feature alone, within the range of the data, {effect}: all {len(sweeps)} were tried, "
        f"{exactness}. Change several at once below."
    )


def _target_text(sweep: Sweep, change: Change) -> str:
    limit = limit_text(change)
    if change.feature.is_nominal or not sweep.is_exact:
        return limit
    return f"{'above' if change.value > change.case_value else 'below'} {limit}"


def _render_map(view: View, features: list[Feature], horizontal: int) -> None:
    dataset = view.dataset
    names = [feature.column.name for feature in features]
    vertical_indices = [j for j in range(len(features)) if j != horizontal]
    vertical = choices.choose(
        st.selectbox,
        f"Horizontal axis: {text.markdown(names[horizontal])}. Vertical axis:",
        vertical_indices,
        format_func=names.__getitem__,
        key="upwards",
        bind="query-params",
    )
    pair = (features[horizontal], features[vertical])
    first_labels = _first_labels(view, pair)
    first_names = first_labels.names(dataset.label_names)
    shares_text = ", ".join(
        f"{first_names[first]} on {share:.0%}" for first, share in first_labels.shares[:5]
    )
    has_shared = any(len(first_labels.firsts[first]) > 1 for first, _ in first_labels.shares)
    shared_note = ""
    if has_shared:
        shared_note = " Grey: labels share the first place; white lines part different ties."
    drawing.render_chart(
        first_label_map(
            first_labels,
            dataset.label_names,
            [style.initials for style in subject_of(dataset).label_styles],
        ),
        key="map",
        alt=f"first label over {names[horizontal]} and {names[vertical]}: {shares_text} of the map",
        table=pd.DataFrame(
            [
                {
                    names[horizontal]: value_text(pair[0], x),
                    f"{names[vertical]} (up)"
                    if names[vertical] == names[horizontal]
                    else names[vertical]: value_text(pair[1], y),
                    "first": first_names[first_labels.tops[i, j]],
                }
                for i, y in enumerate(first_labels.y_values)
                for j, x in enumerate(first_labels.x_values)
            ]
        ),
        caption=drawing.with_nouns(
            "Which label comes first if only these two features change; the ring is this case "
            f"({len(first_labels.x_values)} × {len(first_labels.y_values)} predictions)."
            f"{shared_note}"
        ),
    )
