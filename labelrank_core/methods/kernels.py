"""Kernels of scikit-learn by name, refused in words where their values overflow."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from labelrank_core.data.bounds import LARGEST_FEATURE
from labelrank_core.rankings import FloatArray


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel of scikit-learn by name; parameters that it does not have are ignored."""

    name: str
    params: dict[str, Any]

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the kernel of every row of X with every row of Z (None: X), dense."""
        if self.name == "precomputed":
            return X
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.asarray(
                pairwise_kernels(X, Z, metric=self.name, filter_params=True, **self.params)
            )
        if not np.abs(values).max(initial=0.0) <= LARGEST_FEATURE**2:
            raise ValueError(
                f"Expected features with values of the kernel {self.name!r} up to "
                f"{LARGEST_FEATURE**2:g}. Scale them, or choose a lower degree."
            )
        return values
