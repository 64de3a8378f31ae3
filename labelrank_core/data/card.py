"""A data set at a glance."""

from typing import Any

import numpy as np

from labelrank_core.data.findings import count_of, listed


def card(dataset: Any) -> list[tuple[str, str]]:
    """List the contents of a `Dataset` as titles and texts."""
    columns = [column.name for column in dataset.schema.columns]
    sparse_text = "sparse " if dataset.is_sparse else ""
    rows = [
        ("Data set", f"{dataset.name} ({dataset.task.replace('_', ' ')})"),
        ("Rows", f"{dataset.n_samples}"),
        ("Features", f"{dataset.n_features} {sparse_text}({listed(columns, quote='')})"),
        ("Labels", f"{dataset.n_labels} ({listed(dataset.label_names, quote='')})"),
        ("Targets", ", ".join(_targets(dataset))),
    ]
    if dataset.split is not None:
        n_test = int(dataset.split.sum())
        sizes = (dataset.n_samples - n_test, "training row"), (n_test, "test row")
        rows.append(("Split", ", ".join(count_of(size, part) for size, part in sizes)))
    if dataset.findings:
        rows.append(("Findings", f"{len(dataset.findings)}"))
    return rows


def _targets(dataset: Any) -> list[str]:
    parts = []
    if dataset.task == "pair_preferences":
        preferences = dataset.preferences
        n_cyclic = int(preferences.cyclic.sum())
        mean_known = preferences.n_known.mean() if len(preferences) else 0.0
        parts = [f"{mean_known:.1f} of {preferences.shape[1]} pairs known per row"]
        return [*parts, f"cycles in {count_of(n_cyclic, 'row')}" if n_cyclic else "no cycles"]
    if dataset.task != "multilabel":
        ascending = np.sort(dataset.rankings, axis=1)
        n_tied = int((np.diff(ascending, axis=1) == 0).any(axis=1).sum())
        unranked = float(np.isnan(ascending).mean())
        parts = [f"{unranked:.1%} of the positions missing" if unranked else "complete rankings"]
        parts.append(f"ties in {count_of(n_tied, 'row')}" if n_tied else "no ties")
    if dataset.task.has_zero_line:
        parts.append(f"{dataset.relevance.sum(axis=1).mean():.2f} relevant labels per row")
    return parts
