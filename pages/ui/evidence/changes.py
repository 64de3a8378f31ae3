"""Which small change of a single feature would change a prediction."""

from collections.abc import Iterator, Sequence

from labelrank_core import Dataset
from labelrank_core.explain.what_if import Change, Feature, Sweep, features_of, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.texts import smallest_change_text
from pages.ui import compute, drawing, models
from pages.ui.state import Query

_TRIED = 12
WHAT: dict[WhatChanges, str] = {
    "first": "puts another label first",
    "relevant": "changes the relevant labels",
    "order": "changes the order",
}


def tried_features(dataset: Dataset) -> list[Feature]:
    """Return the most predictive features that have more than one value."""
    telling = features_of(dataset, compute.predictive_columns(dataset)[:_TRIED])
    return [each for each in telling if each.is_nominal or each.low < each.high]


def changes_by_kind(
    swept: Sequence[Sweep],
) -> Iterator[tuple[WhatChanges, list[tuple[Sweep, Change]]]]:
    """Find the changes that matter most, then those of the order, the smallest first."""
    most: WhatChanges = "relevant" if swept[0].own.is_set else "first"
    kinds: tuple[WhatChanges, ...] = (most, "order")
    for of in kinds:
        found = [(each, smallest_change(each, of=of)) for each in swept]
        changes = [(each, change) for each, change in found if change is not None]
        yield of, sorted(changes, key=lambda pair: (pair[1].feature.is_nominal, pair[1].share))


def what_would_change(asked: Query) -> None:
    """Say which small change of one predictive feature would change the prediction."""
    dataset = asked.dataset
    tried = tried_features(dataset)
    if not tried:
        drawing.caption("No feature has more than one value.")
        return
    for of, changes in changes_by_kind(models.sweeps(asked, tried)):
        if changes:
            drawing.say(smallest_change_text(*changes[0], of=of), dataset)
            # Of the order, how many were tried has been said above.
            several = "" if of == "order" else f"; the {len(tried)} most predictive were tried"
            drawing.caption(f"The smallest such change of a single feature{several}.")
            return
        drawing.write(f"None of the {len(tried)} most predictive features alone {WHAT[of]}.")
