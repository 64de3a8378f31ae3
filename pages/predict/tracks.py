"""Features as tracks to drag, painted by their predictions: the answer follows the finger."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import streamlit as st

from labelrank_core.data.findings import count_of
from labelrank_core.explain.standing import wrong_pairs
from labelrank_core.explain.what_if import Sweep
from labelrank_core.explain.what_if.sweeps import Piece
from labelrank_core.rankings import label_buckets, list_names
from pages.predict import difference
from pages.ui import live, session
from pages.ui.render import drawing
from pages.ui.render.evidence.changes import matters_most, smallest_changes
from pages.ui.view import View
from pages.ui.wording import text
from pages.ui.wording.columns import name_and_unit, value_text
from pages.ui.wording.subject import LabelStyle, subject_of

# The index of each ranking, as buckets of tied labels.
_Rankings: TypeAlias = dict[tuple[tuple[int, ...], ...], int]
_KEY = "tracks"
_N_TRACKS = 6
# Columns whose change alone changes nothing are added up to so many tracks.
_N_FILLED = 2
# Where there are more pieces, so many are sent, evenly spread over the range.
_MOST_PIECES = 300
_TEXTS = {
    "changed": "your value",
    "same": "no change",
    # Of a whole track.
    "never": "changes nothing alone",
}

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "labelrank_tracks",
    html='<div class="tracks"></div>',
    css=(_HERE / "tracks.css").read_text(encoding="utf-8"),
    js=live.script(_HERE / "tracks.js", "dom", "preview"),
)


def render(view: View, sweeps: Sequence[Sweep], columns: Sequence[int]) -> None:
    """Draw the tracks of some numeric columns."""
    by_column = {sweep.feature.index: sweep for sweep in sweeps}
    track_sweeps = [by_column[column] for column in columns if column in by_column]
    if not track_sweeps:
        return
    data = component_data(view, track_sweeps)

    def change_value() -> None:
        change = read_change(session.get_state(_KEY, {}).get("change"), track_sweeps)
        if change:
            session.change_values(view.dataset, view.row, change)
            session.reset_edits()

    _component(key=_KEY, data=data, on_change_change=change_value)


def read_change(message: Any, sweeps: Sequence[Sweep]) -> dict[int, float]:
    """Return the column and the value that a browser sent; nothing where no track has them."""
    if not isinstance(message, dict):
        return {}
    column, value = message.get("column"), message.get("value")
    sweep = next((s for s in sweeps if s.feature.index == column), None)
    if sweep is None or not isinstance(value, int | float):
        return {}
    low, high = sweep.feature.ends(sweep.case_piece.value)
    return {sweep.feature.index: float(value)} if low <= value <= high else {}


def telling_columns(sweeps: Sequence[Sweep], by_contribution: Sequence[int] = ()) -> list[int]:
    """List the numeric columns to draw.

    The smallest change that matters most and the smallest of the order come first, then the other
    columns with a change. Where these are few, those of `by_contribution` follow. On tracks of
    label sets the order is not painted.
    """
    first_kind = matters_most(sweeps)
    kinds = [first_kind] if sweeps[0].case_piece.is_set else dict.fromkeys((first_kind, "order"))
    changing = [[sweep.feature.index for sweep, _ in smallest_changes(sweeps, of)] for of in kinds]
    heads = [column for columns in changing for column in columns[:1]]
    numeric = [sweep.feature.index for sweep in sweeps if not sweep.feature.is_nominal]
    ranked = [column for column in dict.fromkeys([*heads, *chain(*changing)]) if column in numeric]
    others = [column for column in [*by_contribution, *numeric] if column in numeric]
    filled = list(dict.fromkeys([*ranked, *others]))[:_N_FILLED]
    return max(ranked[:_N_TRACKS], filled, key=len)


def component_data(view: View, sweeps: Sequence[Sweep]) -> dict[str, Any]:
    """Return the data of the component: tracks with their pieces, and the rankings on them."""
    rankings: _Rankings = {}
    original_values = view.dataset.feature_frame([view.row]).iloc[0]
    tracks = [
        _track(view, sweep, float(original_values.iloc[sweep.feature.index]), rankings)
        for sweep in sweeps
    ]
    return {
        "labels": [asdict(style) for style in subject_of(view.dataset).label_styles],
        "rankings": [[list(bucket) for bucket in ranking] for ranking in rankings],
        "tracks": tracks,
        "texts": {**_TEXTS, "hint": _hint(tracks)},
    }


def _hint(tracks: Sequence[dict[str, Any]]) -> str:
    """Return the instruction for the tracks, with the meaning of their colours."""
    if any(track["is_set"] for track in tracks):
        is_lost = any(
            note and label is None
            for track in tracks
            for note, label in zip(track["notes"], track["gains"], strict=True)
        )
        loss = " Striped: one is only lost." if is_lost else ""
        return drawing.with_nouns(
            f"Drag a handle to change a value. Coloured: a label is added.{loss}"
        )
    colours = "Coloured: the ranking changes, and the label of that colour gains."
    if any(track["has_ties"] for track in tracks):
        colours += " Grey: labels tie."
    return drawing.with_nouns(f"Drag a handle to change a value. {colours}")


def _track(view: View, sweep: Sweep, original: float, rankings: _Rankings) -> dict[str, Any]:
    feature = sweep.feature
    name, unit = name_and_unit(feature.column.name)
    low, high = feature.ends(sweep.case_piece.value)
    value = sweep.case_piece.value
    value_names = {"0": "no", "1": "yes"} if difference.is_yes_or_no(feature.column.name) else {}
    pieces = _drawn_pieces(sweep)
    styles = subject_of(view.dataset).label_styles
    differences = [_difference(piece, sweep.case_piece, styles) for piece in pieces]
    return {
        "column": feature.index,
        "name": text.capitalised(name),
        "unit": unit,
        "low": low,
        "high": high,
        "end_texts": [value_names.get(f"{end:g}", value_text(end, "")) for end in (low, high)],
        "value": value,
        "value_text": value_names.get(f"{value:g}", value_text(value, unit)),
        # Where there are some, these are the values that the handle can have.
        "value_names": value_names,
        "original": original,
        "own_ranking": _ranking_index(sweep.case_piece, rankings),
        # The start of each piece; its end is the start of the next.
        "starts": [piece.start for piece in pieces],
        "ranking": [_ranking_index(piece, rankings) for piece in pieces],
        "notes": [note for note, _ in differences],
        "gains": [label for _, label in differences],
        "is_set": sweep.case_piece.is_set,
        "has_ties": sweep.case_piece.has_ties,
    }  # fmt: skip


def _drawn_pieces(sweep: Sweep) -> list[Piece]:
    pieces = list(sweep.pieces)
    if len(pieces) <= _MOST_PIECES:
        return pieces
    picked = np.linspace(0, len(pieces) - 1, _MOST_PIECES).round().astype(int)
    return [pieces[i] for i in np.unique(picked)]


def _ranking_index(piece: Piece, rankings: _Rankings) -> int:
    ranking = tuple(tuple(bucket) for bucket in label_buckets(piece.ranking))
    return rankings.setdefault(ranking, len(rankings))


def _first_labels(piece: Piece) -> list[int]:
    return label_buckets(piece.ranking)[0]


def _difference(
    piece: Piece, case_piece: Piece, styles: Sequence[LabelStyle]
) -> tuple[str, int | None]:
    """Describe the change of a piece, and return its label, if one gains."""
    if piece.predicts(case_piece):
        return "", None
    if piece.is_set and case_piece.is_set:
        entering = np.flatnonzero(piece.prediction > case_piece.prediction).tolist()
        leaving = np.flatnonzero(piece.prediction < case_piece.prediction).tolist()
        changes = [(entering, "added"), (leaving, "lost")]
        note = ", ".join(
            f"{list_names([styles[label].name for label in labels])} {verb}"
            for labels, verb in changes
            if labels
        )
        return note, entering[0] if entering else None
    if piece.has_ties:
        return _difference_of_ties(piece, case_piece, styles)
    if piece.top != case_piece.top:
        return f"{styles[piece.top].name} first", piece.top
    pairs, _ = wrong_pairs(piece.positions, case_piece.positions.astype(float))
    return _overtaking_text(pairs, styles), pairs[0][0]


def _overtaking_text(pairs: Sequence[Sequence[int]], styles: Sequence[LabelStyle]) -> str:
    """Name the labels that the first one overtakes, and count the other pairs.

    >>> from types import SimpleNamespace
    >>> styles = [SimpleNamespace(name=name) for name in "abcd"]
    >>> _overtaking_text([(1, 0), (1, 2), (3, 0)], styles)
    'b ahead of a and c, and 1 more pair'
    """
    ahead = pairs[0][0]
    overtaken = [styles[behind].name for first, behind in pairs if first == ahead]
    n_more = len(pairs) - len(overtaken)
    more_note = f", and {count_of(n_more, 'more pair')}" if n_more else ""
    return f"{styles[ahead].name} ahead of {list_names(overtaken)}{more_note}"


def _difference_of_ties(
    piece: Piece, case_piece: Piece, styles: Sequence[LabelStyle]
) -> tuple[str, int | None]:
    """Describe the change of a ranking with ties; no label gains where labels come to tie."""
    ranking, case_ranking = piece.ranking, case_piece.ranking
    first = _first_labels(piece)
    if first != _first_labels(case_piece):
        names = " = ".join(styles[label].name for label in first)
        return f"{names} first", first[0] if len(first) == 1 else None
    is_ahead = ranking[:, None] < ranking
    was_ahead = case_ranking[:, None] < case_ranking
    was_tied = case_ranking[:, None] == case_ranking
    passing = np.argwhere(is_ahead & ~was_ahead).tolist()
    joining = np.argwhere(np.triu((ranking[:, None] == ranking) & ~was_tied, 1)).tolist()
    changes = [*passing, *joining]
    if not changes:
        return "", None
    if passing and not joining:
        return _overtaking_text(passing, styles), passing[0][0]
    more_note = f", and {count_of(len(changes) - 1, 'more pair')}" if len(changes) > 1 else ""
    first_style, second_style = (styles[label] for label in changes[0])
    if passing:
        return f"{first_style.name} ahead of {second_style.name}{more_note}", passing[0][0]
    return f"{first_style.name} ties with {second_style.name}{more_note}", None
