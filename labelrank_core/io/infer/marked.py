"""Tables whose headers say what their columns are."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from labelrank_core.io.build.strings import natural_order
from labelrank_core.io.build.table import RawTable
from labelrank_core.io.infer.marks import (
    FORMS,
    NOMINAL,
    RANKING,
    ROLES,
    is_marked,
    labels_of,
    restored,
    split_mark,
)
from labelrank_core.io.infer.vocabulary import Role, TargetForm


def read_marks(raw: RawTable) -> RawTable:
    """Take marks for declarations of a table's format.

    Parameters
    ----------
    raw : RawTable
        A table as a format's reader returns it.

    Returns
    -------
    RawTable
        The same without marks; else with roles, form, labels and names declared, nominal columns
        as categories and text as it was before it was defused.
    """
    if raw.frame is None or raw.declared_roles or not is_marked(raw.names):
        return raw
    marks = dict(zip(raw.names, map(split_mark, raw.names), strict=True))
    nominal = frozenset(name for name, (mark, _) in marks.items() if mark == NOMINAL)
    form = next(FORMS[mark] for mark, _ in marks.values() if mark in FORMS)
    return replace(
        raw,
        frame=_with_categories(raw, marks),
        declared_roles={name: ROLES.get(mark, Role.FEATURE) for name, (mark, _) in marks.items()},
        declared_form=form,
        declared_labels=tuple(labels_of(raw.names)) if form is TargetForm.ORDERING_STRINGS else (),
        nominal=nominal,
        complete=raw.complete and not nominal,
        titles={name: rest for name, (mark, rest) in marks.items() if mark},
    )


def _with_categories(raw: RawTable, marks: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    assert raw.frame is not None
    frame = raw.frame.copy(deep=False)
    for j, (name, (mark, _)) in enumerate(marks.items()):
        if raw.categories(j) or mark not in (NOMINAL, RANKING):
            continue
        codes, texts = pd.factorize(raw.cells(j))
        # Only text files need, and have, an apostrophe before what may run.
        texts = [restored(text) if raw.dialect else text for text in texts]
        if mark == RANKING:
            frame[name] = pd.array([texts[code] for code in codes], dtype="str")
            continue
        known = sorted(filter(None, texts), key=natural_order)
        places = pd.Index(known, dtype=object).get_indexer(pd.Index(texts, dtype=object))
        frame[name] = pd.Categorical.from_codes(places[codes], known)
    return frame
