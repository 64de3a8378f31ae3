"""What a sweep shows, in sentences."""

from itertools import groupby
from typing import Literal

from labelrank_core.explain.evidence import Label, Text
from labelrank_core.explain.what_if._changes import Change
from labelrank_core.explain.what_if._feature import Feature
from labelrank_core.explain.what_if._sweep import Sweep

# More stretches than these are counted, not listed.
_LISTED = 4


def written(feature: Feature, value: float) -> str:
    """Write a value of a feature as a person would.

    Parameters
    ----------
    feature : Feature
        The feature.
    value : float
        A number, or the index of a category.

    Returns
    -------
    str
        Four digits of a number, or the category.

    Examples
    --------
    >>> from labelrank_core.data import Column, Schema
    >>> written(Feature(Schema((Column("size"),)), 0, 0.0, 1.0), 0.123456)
    '0.1235'
    """
    return feature.column.categories[int(value)] if feature.is_nominal else f"{value:.4g}"


def first_places(swept: Sweep) -> Text:
    """Say which label comes first at which values.

    Parameters
    ----------
    swept : Sweep
        The case with every value of a feature.

    Returns
    -------
    Text
        One sentence.
    """
    feature = swept.feature
    values: dict[str, object] = {"feature": feature.column.name}
    stretches = [
        (top, list(pieces)) for top, pieces in groupby(swept.pieces, key=lambda piece: piece.top)
    ]
    values["n"] = len(swept.overtakes)
    if len(stretches) == 1:
        values["first"] = Label(stretches[0][0])
        return Text(_ALWAYS, values)
    if len(stretches) > _LISTED:
        values["times"] = len(stretches) - 1
        return Text(_OFTEN, values)
    parts = []
    for i, (top, pieces) in enumerate(stretches):
        values[f"label{i}"] = Label(top)
        if feature.is_nominal:
            values[f"at{i}"] = " / ".join(written(feature, piece.value) for piece in pieces)
            parts.append(f"{{label{i}}} with {{at{i}}}")
        elif i < len(stretches) - 1:
            values[f"at{i}"] = written(feature, pieces[-1].end)
            parts.append(f"{{label{i}}} up to {{at{i}}}")
        else:
            parts.append(f"then {{label{i}}}")
    return Text("First place by {feature}: " + ", ".join(parts) + ".", values)


def smallest_change_in_words(
    swept: Sweep, change: Change | None, *, of: Literal["first", "relevant"] = "first"
) -> Text:
    """Say what would have to change for another prediction.

    Parameters
    ----------
    swept : Sweep
        The case with every value of a feature.
    change : Change or None
        What `smallest_change` says of it.
    of : {"first", "relevant"}, default="first"
        What is to change, as there.

    Returns
    -------
    Text
        One sentence, with the resolution where the sweep is not exact.
    """
    feature = swept.feature
    values: dict[str, object] = {
        "feature": feature.column.name,
        "own": written(feature, swept.own.value),
        "before": Label(swept.own.top),
        "step": f"{swept.step:.3g}",
    }
    tried = "" if swept.is_exact else _TRIED
    if change is None:
        template = _NO_CATEGORY if feature.is_nominal else _NO_VALUE
        if of == "relevant":
            template = _SAME_SET
        return Text(template + tried, values)
    values |= {
        "limit": written(feature, change.limit),
        "after": Label(change.after),
        "share": f"{change.share:.1%}",
        "way": "up" if change.value > change.own else "down",
    }
    then = " then {after} is ahead of {before}."
    if of == "relevant":
        values["entering"] = tuple(Label(label) for label in change.entering)
        values["leaving"] = tuple(Label(label) for label in change.leaving)
        enters = "{entering} becomes relevant" if change.entering else ""
        leaves = "{leaving} is so no longer" if change.entering else "{leaving} is relevant no more"
        then = " then " + " and ".join(filter(None, (enters, leaves if change.leaving else "")))
        then += "."
    if feature.is_nominal:
        return Text(_CATEGORY + then, values)
    what = "puts another label first" if of == "first" else "changes the relevant labels"
    past = "past" if swept.is_exact else "to"
    return Text(
        f"The smallest change of {{feature}} that {what}: " + _MOVE[past] + then + tried, values
    )


_ALWAYS = "{first} comes first whatever the value of {feature}."
_OFTEN = "The label that comes first changes {times} times while {feature} moves through its range."
_NO_VALUE = "No value of {feature} in the range of the data puts another label than {before} first."
_NO_CATEGORY = "No category of {feature} puts another label than {before} first."
_SAME_SET = "No value of {feature} in the range of the data changes the relevant labels."
_MOVE = {
    past: f"{{way}} from {{own}} {past} {{limit}}, {{share}} of its range;"
    for past in ("past", "to")
}
_TRIED = " Values were tried in steps of {step}; smaller stretches can be missed."
_CATEGORY = "With {limit} instead of {own} as {feature} the prediction is another:"
