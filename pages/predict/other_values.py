"""Chapter 3, what if: tracks to drag, the smallest change, one feature or two in detail."""

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
    first_places_text,
    limit_text,
    smallest_change_text,
    value_text,
)
from pages.predict import chapters, edits, tracks
from pages.predict.folds import fold
from pages.ui import choices, compute, drawing, evidence, jobs, models, text
from pages.ui.charts.what_if import drawn_labels, first_label_map, rank_trajectory
from pages.ui.evidence.changes import WHAT, changes_of, matters_most, smallest_changes
from pages.ui.models import Case
from pages.ui.view import View

_MOST_FEATURES = 200
_MOST_SPARSE = 20
_MAP_VALUES = 32
_RELEVANT, _FIRST = "Other relevant labels", "Another first label"
# Training cases times features of which more than so many are tried at every move.
_MANY, _MOST_CELLS = 40, 100_000


def render(view: View, case: Case, before: Case) -> None:
    """Draw what other values of features would do to a case; `before` has its real values."""
    with chapters.chapter(3, "What if?"):
        if not chapters.is_seen(3):
            chapters.render_wait()
            return
        features = _offered(view.dataset, view.row)
        if not features:
            drawing.caption("Every feature has a single value, so there is nothing to vary.")
        elif _starts(view, case, features):
            _render_sweeps(view, models.sweeps(view, features), _columns(view, features))
        if view.edits:
            with fold("Before and after the change", "before_and_after") as is_open:
                if is_open:
                    sides = evidence.ladder_of(
                        case.explanation, view.dataset, None, earlier=before.explanation
                    )
                    evidence.render_sides(sides, view.dataset, "predict-ladder")
        drawing.before_a_widget()
        edits.choose(view)


def _columns(view: View, features: Sequence[Feature]) -> list[int]:
    """List the columns to draw as tracks: they stay the same while values are changed."""
    return tracks.telling_columns(models.sweeps(replace(view, edits={}), features))


def _render_sweeps(view: View, swept: Sequence[Sweep], columns: Sequence[int]) -> None:
    dataset = view.dataset
    if dataset.n_labels > 1:
        _render_smallest(swept, dataset)
        drawing.before_a_widget()
        tracks.render(view, swept, columns)
        with fold("Smallest change of each feature", "smallest") as is_open:
            if is_open:
                _changes(swept, dataset)
    first = _most_telling(swept)
    chosen = first
    with fold("One feature in detail", "one_feature") as is_open:
        if is_open:
            chosen = _ask("Feature", [each.feature.column.name for each in swept], first, "sweep")
            _trajectory(swept[chosen], dataset)
    if len(swept) > 1:
        with fold("Two features as a map", "two_features") as is_open:
            if is_open:
                _map(view, [each.feature for each in swept], chosen)


def _starts(view: View, case: Case, features: Sequence[Feature]) -> bool:
    """Ask before what takes long, so that nothing else waits for it."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    seconds = models.seconds_of_cases(view, fitted, N_VALUES * len(features))
    # Only what looks for neighbours takes longer with more training cases.
    n_searched = 0 if case.explanation.find(Neighbors) is None else len(fitted.training_rows)
    if seconds > jobs.SLOW_SECONDS:
        takes = f"about {seconds:.0f} s"
    elif len(features) > _MANY and n_searched * view.dataset.n_features > _MOST_CELLS:
        takes = "takes a moment each time"
    else:
        return True
    drawing.before_a_widget()
    return st.toggle(f"Try other values of {len(features)} features ({takes})", key="try_values")


def _render_smallest(swept: Sequence[Sweep], dataset: Dataset) -> None:
    """Say which is the smallest change of a single feature that matters."""
    found = changes_of(swept)
    for kind in found.without:
        drawing.write(f"No change of a single feature {WHAT[kind]}.")
    if found.changes:
        drawing.render_sentence(smallest_change_text(*found.changes[0], of=found.of), dataset)


def _first_labels(view: View, features: tuple[Feature, Feature]) -> TopMap:
    """Predict a case with every pair of values of two features."""
    found = models.fitted(view.dataset, view.choice, view.split, view.row)
    x, setting = models.edited(view), view.choice.path_params
    key = compute.digest(
        "map", models.result_key(view, found), [feature.index for feature in features]
    )
    return compute.once(
        key,
        "Trying pairs of values",
        partial(top_map, n_values=_MAP_VALUES, **setting),
        found.model,
        x,
        *features,
        seconds=models.seconds_of_cases(view, found, _MAP_VALUES**2),
    )


def _offered(dataset: Dataset, row: int) -> list[Feature]:
    """List the features to vary: of sparse data those that are not 0 in the case."""
    if not dataset.is_sparse:
        return compute.features(dataset)[:_MOST_FEATURES]
    own = np.unique(dataset.schema.column_of_feature[dataset.X[[row]].nonzero()[1]])
    return compute.features(dataset, [int(j) for j in own[:_MOST_SPARSE]])


def _most_telling(swept: Sequence[Sweep]) -> int:
    """Return the feature whose smallest change changes the prediction, else the first one."""
    changes = smallest_changes(swept, matters_most(swept))
    numeric = [sweep for sweep, change in changes if not change.feature.is_nominal]
    return swept.index(numeric[0]) if numeric else 0


def _ask(words: str, names: list[str], first: int, key: str) -> int:
    return int(
        choices.choose(
            st.selectbox,
            words,
            range(len(names)),
            first,
            format_func=names.__getitem__,
            key=key,
            bind="query-params",
        )
    )


def _trajectory(swept: Sweep, dataset: Dataset) -> None:
    names = dataset.label_names
    sentence = first_places_text(swept)
    drawing.render_sentence(sentence, dataset)
    table = swept.frame(names)
    drawing.chart(
        rank_trajectory(swept, names),
        key="trajectory",
        alt=sentence.plain(names),
        table=table,
    )
    if swept.overtakes:
        with st.popover(
            "Where labels swap positions", icon=":material/swap_vert:", type="tertiary"
        ):
            st.dataframe(
                pd.DataFrame(
                    {
                        swept.feature.column.name: [each.value for each in swept.overtakes],
                        "gets ahead": [names[each.up] for each in swept.overtakes],
                        "of": [names[each.down] for each in swept.overtakes],
                    }
                ),
                hide_index=True,
            )
    n_drawn = len(drawn_labels(swept))
    drawn = (
        f"Only the {n_drawn} labels that come nearest to the top are drawn. "
        if n_drawn < len(names)
        else ""
    )
    how = (
        "Exact: nothing changes in between."
        if swept.is_exact
        else f"Tried in steps of {swept.step:.3g}."
    )
    if swept.own.is_set:
        drawn += "Labels above the dotted line are relevant. "
    st.caption(f"{drawn}All other features stay unchanged. {how}")


def _changes(swept: Sequence[Sweep], dataset: Dataset) -> None:
    names = dataset.label_names
    of = _what_changes(swept)
    changes = smallest_changes(swept, of)
    if not changes:
        _say_none(swept, of, dataset)
        return
    if of == "first":
        then = {"then first": [names[change.after] for _, change in changes]}
    else:
        then = {
            "then relevant": [
                ", ".join(
                    [f"+ {names[j]}" for j in c.entering] + [f"− {names[j]}" for j in c.leaving]
                )
                for _, c in changes
            ]
        }
    table = pd.DataFrame(
        {
            "feature": [change.feature.column.name for _, change in changes],
            "now": [value_text(change.feature, change.own) for _, change in changes],
            "change to": [_beyond(each, change) for each, change in changes],
            **then,
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
    rest = len(swept) - len(changes)
    others = f"{count_of(rest, 'feature')} cannot, within the range of the data. " if rest else ""
    exact = all(each.is_exact for each in swept)
    what = "puts another label first" if of == "first" else "changes the relevant labels"
    st.caption(
        f"The smallest change of each feature alone that {what}. {others}"
        + ("Exact." if exact else "Found by trying 100 values of each feature.")
    )


def _what_changes(swept: Sequence[Sweep]) -> Literal["first", "relevant"]:
    """Ask, where a set of labels is predicted, which change is looked for."""
    if not swept[0].own.is_set:
        return "first"
    wanted = st.segmented_control(
        "What should change",
        [_RELEVANT, _FIRST],
        default=_RELEVANT,
        required=True,
        key="changes",
        bind="query-params",
        label_visibility="collapsed",
    )
    return "first" if wanted == _FIRST else "relevant"


def _say_none(swept: Sequence[Sweep], of: str, dataset: Dataset) -> None:
    top = text.markdown(dataset.label_names[swept[0].own.top])
    how = (
        "exactly"
        if all(each.is_exact for each in swept)
        else "in 100 steps each, so short intervals may be missed"
    )
    what = f"puts a label other than **{top}** first" if of == "first" else "changes the label set"
    st.markdown(
        f"No feature alone, within the range of the data, {what}: all {len(swept)} were tried, "
        f"{how}. Change several at once below."
    )


def _beyond(swept: Sweep, change: Change) -> str:
    limit = limit_text(change)
    if change.feature.is_nominal or not swept.is_exact:
        return limit
    return f"{'above' if change.value > change.own else 'below'} {limit}"


def _map(view: View, features: list[Feature], across: int) -> None:
    dataset = view.dataset
    names = [feature.column.name for feature in features]
    others = [j for j in range(len(features)) if j != across]
    up = choices.choose(
        st.selectbox,
        f"Horizontal axis: {text.markdown(names[across])}. Vertical axis:",
        others,
        format_func=names.__getitem__,
        key="upwards",
        bind="query-params",
    )
    pair = (features[across], features[up])
    shown = _first_labels(view, pair)
    said = ", ".join(
        f"{dataset.label_names[label]} on {share:.0%}" for label, share in shown.shares[:5]
    )
    drawing.chart(
        first_label_map(shown, dataset.label_names),
        key="map",
        alt=f"first label over {names[across]} and {names[up]}: {said} of the map",
        table=pd.DataFrame(
            [
                {
                    names[across]: value_text(pair[0], x),
                    f"{names[up]} (up)" if names[up] == names[across] else names[up]: value_text(
                        pair[1], y
                    ),
                    "first": dataset.label_names[shown.tops[i, j]],
                }
                for i, y in enumerate(shown.y_values)
                for j, x in enumerate(shown.x_values)
            ]
        ),
        caption="Which label comes first if only these two features change; the ring is this case "
        f"({len(shown.x_values)} × {len(shown.y_values)} predictions).",
    )
