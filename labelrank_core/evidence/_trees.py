"""What a forest shows besides similar cases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from labelrank_core.rankings import IntArray, format_ranking


@dataclass(frozen=True, eq=False)
class TreeVotes:
    """What each tree of a forest says.

    Parameters
    ----------
    rankings : ndarray of shape (n_trees, n_labels)
        The strict consensus of the rankings in the leaf of each tree.
    sizes : ndarray of shape (n_trees,)
        How many training rankings the leaf holds, repeated draws counted.
    depths : ndarray of shape (n_trees,)
        How many questions lead to the leaf.
    """

    rankings: IntArray
    sizes: IntArray
    depths: IntArray

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate ranking, leaf size and depth of each tree.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a tree, numbered from 1.
        """
        return pd.DataFrame(
            {
                "tree": np.arange(1, len(self.rankings) + 1),
                "ranking": [format_ranking(row, label_names) for row in self.rankings],
                "rankings in the leaf": self.sizes,
                "depth": self.depths,
            }
        )
