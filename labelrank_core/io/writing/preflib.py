"""Rankings in PrefLib's formats: soc, soi, toc and toi."""

from collections import Counter
from functools import partial

import numpy as np

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import buckets
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.losses import Losses
from labelrank_core.rankings import FloatArray


def preflib_losses(dataset: Dataset) -> Losses:
    """Say what PrefLib's formats do not hold: above all the features."""
    found = losses.no_rankings(dataset)
    if found and found[0].severity is Severity.ERROR:
        return found
    found += losses.refused_spaces(dataset.label_names)
    found += losses.refused_names(
        dataset.label_names, losses.is_plain_text, "has a control character"
    )
    n_columns = len(dataset.schema.columns)
    if n_columns:
        message = f"all features ({count_of(n_columns, 'column')}): the format holds rankings only."
        found.append(Finding("lost-features", Severity.WARNING, message, count=n_columns))
    ranked = np.isfinite(dataset.rankings).any(axis=1)
    if ranked.sum() < 2:
        return losses.refused("no-ranking", "in fewer than two rows is any label ranked.")
    if not ranked.all():
        n_empty = int((~ranked).sum())
        message = f"{count_of(n_empty, 'row')} in which no label is ranked."
        found.append(Finding("lost-empty-rankings", Severity.WARNING, message, count=n_empty))
    message = "the order of the rows: equal rankings are counted."
    found.append(Finding("counted-rankings", Severity.INFO, message))
    return [*found, *losses.no_split(dataset)]


def write_preflib(dataset: Dataset) -> Files:
    """Write each different ranking once, with the number of rows that have it."""
    name = f"{file_stem(dataset.name)}.{_kind(dataset.rankings)}"
    return [(name, partial(_content, dataset, name))]


def _kind(rankings: FloatArray) -> str:
    positions = np.sort(rankings[np.isfinite(rankings).any(axis=1)], axis=1)
    tied = (np.diff(positions, axis=1) == 0).any()
    incomplete = np.isnan(positions).any()
    return ("t" if tied else "s") + "o" + ("i" if incomplete else "c")


def _content(dataset: Dataset, name: str) -> bytes:
    counts = Counter(tuple(map(tuple, row)) for row in buckets(dataset.rankings) if row)
    lines = [
        f"# FILE NAME: {name}",
        f"# TITLE: {file_stem(dataset.name)}",
        f"# DATA TYPE: {name.rpartition('.')[2]}",
        f"# NUMBER ALTERNATIVES: {dataset.n_labels}",
        f"# NUMBER VOTERS: {counts.total()}",
        f"# NUMBER UNIQUE ORDERS: {len(counts)}",
    ]
    lines += [f"# ALTERNATIVE NAME {j}: {label}" for j, label in enumerate(dataset.label_names, 1)]
    lines += [f"{count}: {','.join(map(_bucket, row))}" for row, count in counts.most_common()]
    return ("\n".join(lines) + "\n").encode()


def _bucket(labels: tuple[int, ...]) -> str:
    numbers = ",".join(str(label + 1) for label in labels)
    return numbers if len(labels) == 1 else f"{{{numbers}}}"
