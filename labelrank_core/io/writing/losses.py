"""What a format cannot hold of a data set, as findings; an error where it cannot hold it at all."""

from collections.abc import Callable, Iterable

import numpy as np
from scipy import sparse

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import Finding, Severity, count_of, shorten
from labelrank_core.io.build.orderings import natural_order, split_ordering
from labelrank_core.io.formats.delimited import MAX_CELLS, MAX_COLUMNS
from labelrank_core.io.table import is_missing
from labelrank_core.rankings import calibrate

Losses = list[Finding]


def refused(code: str, message: str, hint: str = "Choose another format.") -> Losses:
    """Return the finding that a format cannot hold the data."""
    return [Finding(code, Severity.ERROR, message, hint)]


def no_rankings(dataset: Dataset) -> Losses:
    """Refuse targets that rank nothing; name the zero line where it is lost."""
    if dataset.task is Task.MULTILABEL:
        return refused("no-ranking", "the format holds rankings, and 0/1 labels rank nothing.")
    if dataset.task is Task.LABEL_RANKING:
        return []
    message = "the zero line: the file will not say which labels are relevant."
    return [Finding("lost-zero-line", Severity.WARNING, message)]


def no_relevance(dataset: Dataset) -> Losses:
    """Refuse targets without a zero line; count the rankings that are more than relevance."""
    if dataset.task is Task.LABEL_RANKING:
        message = "the format holds labels that are relevant or not, and plain rankings do not say."
        return refused("no-zero-line", message)
    if dataset.task is Task.MULTILABEL:
        return []
    n_lost = int((calibrate(dataset.relevance) != dataset.Y).any(axis=1).sum())
    if not n_lost:
        message = "that labels have positions; which are relevant says the same here."
        return [Finding("lost-order", Severity.INFO, message)]
    message = (
        f"the order of the labels in {n_lost} of {count_of(dataset.n_samples, 'row')}: the file "
        "will only say which are relevant."
    )
    return [Finding("lost-order", Severity.WARNING, message, count=n_lost)]


def no_split(dataset: Dataset) -> Losses:
    """Name the split into training and test part where it is lost."""
    if dataset.split is None:
        return []
    message = "the split into training and test part."
    return [Finding("lost-split", Severity.WARNING, message)]


def row_order(dataset: Dataset) -> Losses:
    """Say that rows change their order where a training and a test file are written."""
    if dataset.split is None or not (np.diff(dataset.split.astype(np.int8)) < 0).any():
        return []
    message = "the order of the rows: the training and the test part become a file each."
    return [Finding("lost-row-order", Severity.INFO, message)]


def no_categories(dataset: Dataset) -> Losses:
    """Name the nominal columns where only numbers can be held."""
    names = [column.name for column in dataset.schema.columns if column.kind == "nominal"]
    if not names:
        return []
    message = f"that {_listed(names)} hold categories: they become columns of 0 and 1."
    return [Finding("lost-categories", Severity.WARNING, message, count=len(names))]


def no_declared_categories(dataset: Dataset) -> Losses:
    """Name the nominal columns whose categories cannot be told from the cells alone."""
    schema, losses = dataset.schema, Losses()
    reordered, unused = [], []
    for column, start in zip(schema.columns, schema.starts, strict=False):
        if column.kind != "nominal":
            continue
        if "" in column.categories:
            return refused("empty-category", "a category without a name would be a missing value.")
        marked = np.asarray(dataset.X[:, start : start + column.n_encoded].sum(axis=0)).ravel()
        if len(column.categories) == 2:
            marked = np.array([dataset.n_samples - marked[0], marked[0]])
        if (marked == 0).any():
            unused.append(column.name)
        if list(column.categories) != sorted(column.categories, key=natural_order):
            reordered.append(column.name)
    for names, code, what in (
        (reordered, "lost-category-order", "the order of the categories of"),
        (unused, "lost-unused-categories", "the categories that no row has of"),
    ):
        if names:
            issue = Finding(code, Severity.WARNING, f"{what} {_listed(names)}.", count=len(names))
            losses.append(issue)
    return losses


def written_dense(dataset: Dataset) -> Losses:
    """Say that the zeros of sparse features are written out, and what is too much to read back."""
    found = Losses()
    if sparse.issparse(dataset.X):
        n_zeros = dataset.n_samples * dataset.n_features - dataset.X.nnz
        message = f"that the features are sparse: {n_zeros} zeros are written out."
        found.append(Finding("lost-sparseness", Severity.INFO, message))
    n_columns = len(dataset.schema.columns) + dataset.Y.shape[1] + (dataset.split is not None)
    if n_columns > MAX_COLUMNS or dataset.n_samples * n_columns > MAX_CELLS:
        message = (
            f"the way back into this program, which reads tables of at most {MAX_COLUMNS} columns "
            f"and {MAX_CELLS} cells; this one has {n_columns} columns and {dataset.n_samples} rows."
        )
        found.append(Finding("too-large-to-read", Severity.WARNING, message))
    return found


def other_storage() -> Losses:
    """Say that features may be read back dense or sparse, unlike those written."""
    message = "whether features are kept dense or sparse; their values stay the same."
    return [Finding("lost-storage", Severity.INFO, message)]


def refused_names(
    names: Iterable[str], fits: Callable[[str], bool], cannot: str, *, what: str = "label"
) -> Losses:
    """Refuse names that a format cannot hold to the letter."""
    name = next((name for name in names if not fits(name)), None)
    if name is None:
        return []
    message = f"the {what} name '{shorten(name)}' {cannot}."
    return refused("name", message, f"Rename the {what}, or choose another format.")


def all_names(dataset: Dataset) -> list[str]:
    """Return the names of columns and labels, and categories."""
    columns = dataset.schema.columns
    categories = [name for column in columns for name in column.categories]
    return [*dataset.label_names, *(column.name for column in columns), *categories]


def refused_spaces(names: Iterable[str], *, what: str = "label") -> Losses:
    """Refuse names whose spaces would not be read back, and empty ones."""
    cannot = "is empty, or has a line break, a tab or spaces that the format's readers leave out"
    return refused_names(names, _is_tidy, cannot, what=what)


def _is_tidy(name: str) -> bool:
    return name != "" and name == " ".join(name.split())


def is_plain_text(name: str) -> bool:
    """Tell whether a name is text without control characters, apart from tabs and line breaks."""
    odd = any((ord(sign) < 32 and sign not in "\t\r\n") or sign == "\x7f" for sign in name)
    return not odd and is_unicode(name)


def is_unicode(name: str) -> bool:
    """Tell whether a name can be written in UTF-8."""
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


def odd_text(dataset: Dataset) -> Losses:
    """Refuse names and categories with control characters."""
    cannot = "has a control character, which a text file cannot hold"
    return refused_names(
        all_names(dataset), is_plain_text, cannot, what="column, category or label"
    )


def in_words(dataset: Dataset) -> Losses:
    """Refuse label names that rankings in words cannot hold."""
    cannot = "cannot stand in a ranking such as b>a=c"
    return refused_names(dataset.label_names, _fits_words, cannot)


def _fits_words(name: str) -> bool:
    try:
        return split_ordering(name) == [[name]] and not is_missing(name)
    except ValueError:
        return False


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{shorten(name)}'" for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{count_of(len(names), 'column')} ({shown}{more})"
