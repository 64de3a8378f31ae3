"""Sentences about sweeps and about differences between two predictions."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import Label, SharedPlace, Text
from labelrank_core.explain.overtaking import LISTED_FIRST, Keys, are_tied, passing
from labelrank_core.explain.what_if.changes import Change, WhatChanges
from labelrank_core.explain.what_if.feature import Feature
from labelrank_core.explain.what_if.sweeps import N_VALUES, Overtake, Sweep
from labelrank_core.rankings import IntArray

# More intervals or labels than this are counted, not listed.
_LISTED = 4


def value_text(feature: Feature, value: float) -> str:
    """Write a value of a feature: a number in short, or the category."""
    return feature.column.categories[int(value)] if feature.is_nominal else number_text(value)


def limit_text(change: Change) -> str:
    """Write the value that a change has to pass, with the digits that tell it from the own one."""
    limit, case_value = (
        value_text(change.feature, change.limit),
        value_text(change.feature, change.case_value),
    )
    digits = 5
    while limit == case_value and change.limit != change.case_value:
        limit, case_value = f"{change.limit:.{digits}g}", f"{change.case_value:.{digits}g}"
        digits += 1
    return limit


def first_places_text(swept: Sweep) -> Text:
    """Say which label comes first at which values."""
    feature = swept.feature
    values: dict[str, Any] = {"feature": feature.column.name}
    stretches = [
        (firsts, list(pieces))
        for firsts, pieces in groupby(swept.pieces, key=lambda piece: piece.firsts)
    ]
    values["n"] = len(swept.overtakes)
    if len(stretches) == 1:
        values["first"] = _labels(stretches[0][0])
        return Text(_ALWAYS if len(stretches[0][0]) == 1 else _ALWAYS_SHARED, values)
    if len(stretches) > _LISTED:
        values["times"] = len(stretches) - 1
        return Text(_OFTEN, values)
    parts = []
    for i, (firsts, pieces) in enumerate(stretches):
        values[f"label{i}"] = _labels(firsts)
        first = f"{{label{i}}}" if len(firsts) == 1 else f"{{label{i}}} (tied)"
        if feature.is_nominal:
            values[f"at{i}"] = " / ".join(value_text(feature, piece.value) for piece in pieces)
            parts.append(f"{first} with {{at{i}}}")
        elif i < len(stretches) - 1:
            values[f"at{i}"] = value_text(feature, pieces[-1].end)
            parts.append(f"{first} up to {{at{i}}}")
        else:
            parts.append(f"then {first}")
    return Text("First place by {feature}: " + ", ".join(parts) + ".", values)


def overtake_text(overtake: Overtake) -> Text:
    """Write the clause in which one label gains on another."""
    if overtake.is_tied:
        template = "{up} ties with {down}"
    else:
        template = passing("{up}", "{down}", overtake.was_tied)
    return Text(template, {"up": Label(overtake.up), "down": Label(overtake.down)})


def smallest_change_text(sweep: Sweep, change: Change | None, *, of: WhatChanges = "first") -> Text:
    """Say which change of a feature would change the prediction."""
    feature = sweep.feature
    values: dict[str, Any] = {
        "feature": feature.column.name,
        "own": value_text(feature, sweep.case_piece.value),
        "before": _labels(sweep.case_piece.firsts),
    }
    if change is None:
        shared = len(sweep.case_piece.firsts) > 1
        template = _NO_CATEGORY if feature.is_nominal else _NO_VALUE
        template += _STILL_SHARED if shared else _STILL_FIRST
        if of == "relevant":
            template = _SAME_SET
        return Text(template, values)
    values |= {
        "limit": limit_text(change),
        "before": Label(change.old_label),
        "after": Label(change.new_label),
        "share": f"{change.share:.1%}",
        "firsts": _labels(change.firsts),
    }
    outcome = " {after} ties with {before}." if change.is_tie else " {after} is ahead of {before}."
    if of == "first":
        alone = " alone" if set(change.firsts) < set(change.firsts_before) else ""
        shared = len(change.firsts) > 1
        outcome = (
            " {firsts} share the first place." if shared else f" {{firsts}}{alone} comes first."
        )
    if of == "relevant":
        values["entering"] = tuple(Label(label) for label in change.entering)
        values["leaving"] = tuple(Label(label) for label in change.leaving)
        outcome = f" {_enter_and_leave(len(change.entering), len(change.leaving))}."
    if feature.is_nominal:
        return Text(_CATEGORY + outcome, values)
    is_rise = change.value > change.case_value
    if change.limit == change.case_value:
        # The case lies just where the prediction changes.
        side = "above" if is_rise else "below"
        return Text(f"If {{feature}} is anything {side} {{own}},{outcome}", values)
    way = "rises" if is_rise else "falls"
    if feature.is_either_end(change.case_value):
        return Text(f"If {{feature}} {way} from {{own}} to {{limit}},{outcome}", values)
    past = "past" if sweep.is_exact else "to"
    return Text(f"If {{feature}} {way} from {{own}} {past} {_LIMIT}{outcome}", values)


def resolution_text(sweep: Sweep) -> str:
    """Say in which steps values were tried; empty where all of them are covered."""
    return "" if sweep.is_exact else _TRIED.format(step=f"{sweep.step:.3g}")


def coverage_text(sweeps: Iterable[Sweep]) -> str:
    """Say in how many steps several features were tried; empty where all values are covered.

    The length of a step differs from feature to feature.
    """
    return "" if all(sweep.is_exact for sweep in sweeps) else _TRIED_RANGES


def _labels(labels: Sequence[int]) -> SharedPlace:
    return SharedPlace(Label(label) for label in labels)


def _enter_and_leave(n_entering: int, n_leaving: int) -> str:
    """Say in a template which labels are predicted then and which no longer are."""
    enter = f"{{entering}} {'are' if n_entering > 1 else 'is'} predicted too"
    are = "are" if n_leaving > 1 else "is"
    if not n_entering:
        return f"{{leaving}} {are} no longer predicted"
    return f"{enter} and {{leaving}} no longer {are}" if n_leaving else enter


def moved_labels(old: IntArray, new: IntArray) -> list[tuple[int, int, int]]:
    """List the labels that move, with their places before and after, the farthest first."""
    order = np.argsort(-np.abs(new - old), kind="stable")
    return [(int(j), int(old[j]), int(new[j])) for j in order if old[j] != new[j]]


def difference_text(
    old: IntArray,
    new: IntArray,
    relevant: tuple[NDArray[Any], NDArray[Any]] | None = None,
) -> Text:
    """Write the differences between two predicted rankings and, where given, the label sets."""
    moved = moved_labels(old, new)
    first, second = np.triu_indices(len(old), k=1)
    ahead, still = old[first] < old[second], new[first] < new[second]
    values: dict[str, Any] = {"reversed": int((ahead != still).sum()), "of": len(ahead)}
    template = "Both rankings are the same."
    if moved:
        listed = []
        for i, (label, position, new_position) in enumerate(moved[:_LISTED]):
            values |= {f"label{i}": Label(label), f"from{i}": position, f"to{i}": new_position}
            listed.append(f"{{label{i}}} from place {{from{i}}} to {{to{i}}}")
        more = f", and {len(moved) - _LISTED} more" if len(moved) > _LISTED else ""
        template = (
            "{reversed} of {of} pairs of labels are in reverse order: "
            + ", ".join(listed)
            + more
            + "."
        )
    if relevant is not None:
        old_set, new_set = (np.asarray(label_set) == 1 for label_set in relevant)
        values["enter"] = tuple(Label(int(j)) for j in np.flatnonzero(new_set & ~old_set))
        values["leave"] = tuple(Label(int(j)) for j in np.flatnonzero(old_set & ~new_set))
        same = (old_set == new_set).all()
        template += " The relevant labels are the same." if same else _SETS_DIFFER
    return Text(template, values)


def overtaking_text(
    old: IntArray,
    new: IntArray,
    relevant: tuple[NDArray[Any], NDArray[Any]] | None = None,
    keys: tuple[Keys | None, Keys | None] = (None, None),
    tie_rule: str = LISTED_FIRST,
) -> Text | None:
    """Say which labels overtake which others, and which are relevant now; None if none does."""
    # `keys` order the labels before and now, and are equal for tied labels; `tie_rule` says what
    # orders those.
    ahead = old[:, None] < old
    pairs = [(int(j), int(i)) for i, j in np.argwhere(ahead & (new[:, None] > new))]
    # Adjacent labels first: which others they have passed follows from the new order.
    pairs.sort(key=lambda pair: (new[pair[1]] - new[pair[0]], new[pair[0]]))
    values: dict[str, Any] = {}
    parts = []
    for i, (winner, loser) in enumerate(pairs[:_LISTED]):
        values |= {f"winner{i}": Label(winner), f"loser{i}": Label(loser)}
        was_tied, is_tied = (are_tied(order_keys, winner, loser) for order_keys in keys)
        parts.append(passing(f"{{winner{i}}}", f"{{loser{i}}}", was_tied, is_tied, tie_rule))
    if len(pairs) > _LISTED:
        parts.append(f"{len(pairs) - _LISTED} more")
    if relevant is not None:
        old_set, new_set = (np.asarray(order_keys) == 1 for order_keys in relevant)
        for name, phrase, changed in (
            ("enter", "predicted now: {enter}", new_set & ~old_set),
            ("leave", "no longer predicted: {leave}", old_set & ~new_set),
        ):
            if changed.any():
                values[name] = tuple(Label(int(j)) for j in np.flatnonzero(changed))
                parts.append(phrase)
    return Text("; ".join(parts) + ".", values) if parts else None


_ALWAYS = "{first} comes first whatever the value of {feature}."
_OFTEN = "As {feature} runs through its range, the label that comes first changes {times} times."
_ALWAYS_SHARED = "{first} share the first place whatever the value of {feature}."
_NO_VALUE = "No value of {feature} in the range of the data"
_NO_CATEGORY = "No category of {feature}"
_STILL_FIRST = " puts a label other than {before} first."
_STILL_SHARED = " changes that {before} share the first place."
_SAME_SET = "No value of {feature} in the range of the data changes which labels are predicted."
_LIMIT = "{limit} ({share} of its range),"
_TRIED = "Values were tried in steps of {step}; shorter stretches can be missed."
_TRIED_RANGES = f"Each range was tried in {N_VALUES - 1} steps; shorter stretches can be missed."
_CATEGORY = "If {feature} is {limit} instead of {own},"
_SETS_DIFFER = " Predicted now, but not before: {enter}; no longer: {leave}."
