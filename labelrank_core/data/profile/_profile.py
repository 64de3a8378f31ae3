"""The profile of a data set, or of some of its rows."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import Finding
from labelrank_core.data.profile.alerts import find_alerts
from labelrank_core.data.profile.features import feature_frame
from labelrank_core.data.profile.label_sets import LabelSetProfile
from labelrank_core.data.profile.pairs import PairProfile
from labelrank_core.data.profile.rankings import RankingProfile
from labelrank_core.data.profile.twins import Twins
from labelrank_core.rankings import IntArray


@dataclass(frozen=True, eq=False)
class Profile:
    """The profile of a data set; parts are computed when first needed.

    Parameters
    ----------
    dataset : Dataset
        The data.
    rows : ndarray of int or None, default=None
        The rows to describe, at least one; None: all.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> profile = Profile(load_sample("iris"))
    >>> profile.rankings.diversity.n_distinct, profile.rankings.mean_ranks.round(2)
    (3, array([2.33, 1.67, 2.  ]))
    """

    dataset: Dataset
    rows: IntArray | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows described."""
        return self.dataset.n_samples if self.rows is None else len(self.rows)

    @cached_property
    def rankings(self) -> RankingProfile | None:
        """The rankings, the virtual label left out; None for 0/1 targets and pairs."""
        if not self.dataset.task.has_rankings:
            return None
        positions = self.dataset.rankings
        selected = positions if self.rows is None else positions[self.rows]
        return RankingProfile(selected, self.dataset.label_names)

    @cached_property
    def pairs(self) -> PairProfile | None:
        """The known pairs; None for other targets."""
        if self.dataset.task is not Task.PAIR_PREFERENCES:
            return None
        preferences = self.dataset.preferences
        return PairProfile(preferences if self.rows is None else preferences[self.rows])

    @cached_property
    def label_sets(self) -> LabelSetProfile | None:
        """The sets of relevant labels; None for plain rankings."""
        if not self.dataset.task.has_zero_line:
            return None
        relevance = self.dataset.relevance
        selected = relevance if self.rows is None else relevance[self.rows]
        return LabelSetProfile(selected, self.dataset.label_names)

    @cached_property
    def features(self) -> pd.DataFrame:
        """The features, one per row, as `feature_frame` describes them."""
        return feature_frame(self.dataset, self.rows)

    @cached_property
    def twins(self) -> Twins:
        """Rows of the whole data set that have equal features."""
        return Twins(self.dataset)

    @cached_property
    def alerts(self) -> tuple[Finding, ...]:
        """Findings of the whole data set that deserve a look, with hints."""
        full_profile = self if self.rows is None else Profile(self.dataset)
        return find_alerts(
            self.dataset, full_profile.twins, full_profile.rankings, full_profile.label_sets
        )
