r"""Headers that say what their columns are, as this package writes them.

A mark stands before the name: ``label_position:apple``. A table with such label columns is read
without a question, and its names are those behind the marks. In its text, an apostrophe that keeps
a spreadsheet from running a cell as a formula is taken away.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from labelrank_core.io.build.orderings import natural_order
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, TargetForm

POSITION, RELEVANT = "label_position:", "label_relevant:"
RANKING, ZERO, SPLIT = "label_ranking:", "label_zero:", "split:"
NOMINAL, FEATURE = "nominal:", "feature:"

# Comments in libsvm text, before the names as a list in JSON.
LABEL_LINE, FEATURE_LINE = "# labels: ", "# features: "

ROLES = {
    POSITION: Role.LABEL,
    RELEVANT: Role.LABEL,
    RANKING: Role.RANKING,
    ZERO: Role.ZERO,
    SPLIT: Role.SPLIT,
    NOMINAL: Role.FEATURE,
    FEATURE: Role.FEATURE,
}
FORMS = {
    POSITION: TargetForm.POSITIONS,
    RELEVANT: TargetForm.RELEVANCE,
    RANKING: TargetForm.ORDERING_STRINGS,
}
# What spreadsheets take for a formula, also in the wide letters of East Asian keyboards.
_FORMULA = re.compile(r"'*(\s*[=+\-@＝＋－＠]|[\t\r\n])")


def split_mark(name: str) -> tuple[str, str]:
    """Return the mark of a column's name, empty where it has none, and the name behind it."""
    mark = next((mark for mark in ROLES if name.startswith(mark)), "")
    return mark, name.removeprefix(mark)


def may_run(text: str) -> bool:
    """Tell whether a spreadsheet may take text for a formula."""
    return _FORMULA.match(text) is not None


def defused(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet may take for a formula."""
    return f"'{text}" if may_run(text) else text


def restored(text: str) -> str:
    """Take away the apostrophe that `defused` has put before text."""
    return text[1:] if text.startswith("'") and may_run(text[1:]) else text


def is_marked(header: Sequence[str]) -> bool:
    """Tell whether names of columns say themselves what the columns are."""
    marks = [split_mark(name) for name in header]
    targets = [mark for mark, _ in marks if mark in FORMS]
    if len(set(targets)) != 1:
        return False
    counts = {role: sum(ROLES.get(mark) is role for mark, _ in marks) for role in Role}
    if max(counts[role] for role in (Role.RANKING, Role.ZERO, Role.SPLIT)) > 1:
        return False
    if counts[Role.ZERO] and targets[0] != POSITION:
        return False
    labels = labels_of(header)
    features = [rest for mark, rest in marks if mark in ("", NOMINAL, FEATURE)]
    return len(labels) > 1 and all(len(set(names)) == len(names) for names in (labels, features))


def labels_of(header: Sequence[str]) -> list[str]:
    """Return the names of the labels in names of columns that are marked."""
    columns = [split_mark(name) for name in header if split_mark(name)[0] in FORMS]
    in_words = [rest for mark, rest in columns if mark == RANKING]
    return in_words[0].split("=") if in_words else [rest for _, rest in columns]


def read_marks(raw: RawTable) -> RawTable:
    """Take marks for declarations of a table's format."""
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
