"""The cases that a number was measured on, in words that are the same wherever it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from labelrank_core.data.splits import Fold, Split


@dataclass(frozen=True)
class HeldOutCases:
    """The cases that a number was measured on, each predicted by a model that has not seen it.

    Parameters
    ----------
    kind : {"published", "random", "fold"}
        The data set's own split, random splits, or folds.
    n_cases : int or None
        The test cases of one split, or all that are divided; None: those of several data sets.
    n_splits : int, default=1
        Random splits, or folds of one repetition.
    n_repeats : int, default=1
        Repetitions of the folds.
    are_training : bool, default=False
        Whether the folds are those of a training set, whose test set is not used.
    n_all : int or None, default=None
        All cases of the data set, of which the split takes some for its test set.

    Examples
    --------
    >>> HeldOutCases("random", 122, n_all=407).text
    '122 test cases of 407, one random split'
    >>> HeldOutCases("fold", 407, n_splits=5).text
    '5 folds of all 407 cases'
    >>> HeldOutCases("fold", 12, n_splits=12).text
    '12 cases, each predicted by the others'
    """

    kind: Literal["published", "random", "fold"]
    n_cases: int | None
    n_splits: int = 1
    n_repeats: int = 1
    are_training: bool = False
    n_all: int | None = None

    @classmethod
    def of_split(cls, split: Split) -> "HeldOutCases":
        """Return the test cases of one split."""
        return cls(split.kind, len(split.test), n_all=len(split.train) + len(split.test))

    @classmethod
    def of_folds(cls, folds: Sequence[Fold]) -> "HeldOutCases":
        """Return the test cases of all folds; of a single one, those of its split."""
        if len(folds) == 1:
            return cls.of_split(folds[0].split)
        n_repeats = len({fold.repeat for fold in folds})
        n_cases = sum(len(fold.split.test) for fold in folds) // n_repeats
        return cls("fold", n_cases, len(folds) // n_repeats, n_repeats)

    @property
    def sentence(self) -> str:
        """The sentence that names the cases of a number."""
        return f"Measured on {self.text}."

    @property
    def text(self) -> str:
        """Which cases and splits, after 'Measured on'."""
        training = "training " if self.are_training else ""
        cases = f"{training}cases"
        counted = f"all {cases}" if self.n_cases is None else f"{self.n_cases:,} {cases}"
        if self.kind == "published":
            test_cases = "test cases" if self.n_cases is None else f"{self.n_cases:,} test cases"
            return f"the {test_cases} of the published split"
        if self.kind == "random" and self.n_splits == 1:
            of_all = "" if self.n_all is None else f" of {self.n_all:,}"
            return f"{counted.replace('cases', 'test cases')}{of_all}, one random split"
        if self.kind == "random":
            return f"{self.n_splits} random splits of {counted}"
        times = f"{self.n_repeats} × " if self.n_repeats > 1 else ""
        if self.n_splits == self.n_cases:
            return f"{times}{counted}, each predicted by the others"
        which = "the" if self.are_training else "all"
        counted = f"all {cases}" if self.n_cases is None else f"{which} {self.n_cases:,} {cases}"
        return f"{times}{self.n_splits} folds of {counted}"
