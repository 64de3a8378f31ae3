"""Rankings with the number of people who gave each."""

from dataclasses import dataclass

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.data.profile import RankingProfile
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Votes:
    """Some rankings of a data set, and the number of people who gave each."""

    dataset: Dataset
    rows: IntArray
    counts: IntArray

    @classmethod
    def of_everyone(cls, dataset: Dataset) -> "Votes":
        """Count the different rankings of data with one row per person, most common first."""
        groups = RankingProfile(dataset.rankings, dataset.label_names).groups
        return cls(dataset, groups.first, groups.counts)

    @property
    def rankings(self) -> FloatArray:
        """Positions of the labels."""
        return self.dataset.rankings[self.rows]

    @property
    def n_people(self) -> int:
        """The number of people."""
        return int(self.counts.sum())

    @property
    def can_be_typed(self) -> bool:
        """Whether no label name contains a separator of the typed lines."""
        return not any(set(name) & set(">=:\n") for name in self.dataset.label_names)

    def lines(self) -> str:
        """Write one ranking per line, with its count in front where that is not 1."""
        ranking_texts = self.dataset.targets_in_words(self.rows)
        counts = ["" if count == 1 else f"{count}: " for count in self.counts]
        return "\n".join(count + order for count, order in zip(counts, ranking_texts, strict=True))

    def frame(self, max_rows: int = 1000) -> pd.DataFrame:
        """Tabulate the most common rankings."""
        rows = self.rows[:max_rows]
        return pd.DataFrame(
            {"people": self.counts[:max_rows], "ranking": self.dataset.targets_in_words(rows)}
        )
