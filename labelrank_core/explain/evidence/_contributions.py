"""Contributions of features or training rows to a number, the largest first."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from labelrank_core.rankings import FloatArray


def largest_contributions(
    input_kind: str,
    values: FloatArray,
    parts: Mapping[str, FloatArray],
    *,
    n_largest: int,
    groups: ArrayLike | None,
) -> pd.DataFrame:
    """Tabulate the inputs with the largest sums of parts, and one row (-1) for the others."""
    if groups is not None:
        sizes = np.bincount(np.asarray(groups))
        values, *summed = (
            np.bincount(groups, weights=amounts).astype(np.float64)
            for amounts in (values, *parts.values())
        )
        values[sizes > 1] = np.nan
        parts = dict(zip(parts, summed, strict=True))
    totals = np.sum(list(parts.values()), axis=0)
    largest = np.argsort(-np.abs(totals), kind="stable")[:n_largest]
    remaining = np.setdiff1d(np.arange(len(totals)), largest)
    if len(remaining):
        # The last entry, which has index -1, stands for the rest.
        largest, values = np.append(largest, -1), np.append(values, np.nan)
        parts = {name: np.append(part, part[remaining].sum()) for name, part in parts.items()}
    columns = {name: part[largest] for name, part in parts.items()}
    return pd.DataFrame({input_kind: largest, "value": values[largest], **columns})
