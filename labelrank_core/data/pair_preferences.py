"""Preferences between two labels, any set of them for every case."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.data.findings import shorten
from labelrank_core.data.ranking_words import natural_order, split_chains
from labelrank_core.rankings import FloatArray, check_rankings, numeric_array

_MISSING = ("", "?")


@dataclass(frozen=True, eq=False)
class PairPreferences:
    """Targets that say of some pairs of labels which one a case prefers, and nothing of the others.

    Positions with gaps hold what a case says only if all labels that it names can be put in one
    row: 'a before b' and 'c before d' without an order between them is no such ranking, nor is a
    cycle. Here every case has a sign for each pair of labels: so any set of pairs can be held, of
    rankings too (`from_rankings`), and a pair more or less changes no other. It is the form in
    which methods that compare pairs learn from rankings, so that they need nothing else: pass it
    as Y to `fit` and `score` of `PairwiseLabelRanker`, `PairwiseSVMRanker`,
    `PairwiseForestRanker`, `KernelPairwiseRanker`, `KNeighborsLabelRanker` (by win shares),
    `ConstraintClassificationRanker` and `LogLinearRanker`. Each pair's model learns from the cases
    that know the pair; utilities, from each case's pairs. Other methods need positions, and say
    so. Predictions are rankings of all labels, which no case has to have stated.

    Nothing is derived: 'a before b' and 'b before c' do not say 'a before c' unless `closed` is
    asked for. Rows are taken by index, so that folds of scikit-learn divide it like an array.

    Parameters
    ----------
    signs : array-like of shape (n_samples, n_pairs)
        1: the case prefers the first label of the pair, -1: the second, 0: they tie, NaN: not
        known. Pairs are those of ``numpy.triu_indices(n_labels, 1)``: label 0 with every later
        one, then label 1, ...
    label_names : sequence of str or None, default=None
        The labels; None: they have no names.

    Raises
    ------
    ValueError
        If signs are others, their number is not that of all pairs, or names do not fit.

    Examples
    --------
    >>> preferences = PairPreferences.from_words(["a > b | c > d", "b > c"])
    >>> preferences.label_names, preferences.n_labels
    (('a', 'b', 'c', 'd'), 4)
    >>> preferences.signs
    array([[ 1., nan, nan, nan, nan,  1.],
           [nan, nan, nan,  1., nan, nan]])
    >>> preferences.n_known
    array([2, 1])
    """

    signs: FloatArray
    label_names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        signs = np.array(numeric_array(self.signs, "signs"), dtype=np.float64)
        if signs.ndim != 2 or not _is_triangular(signs.shape[1]):
            raise ValueError(
                "Expected signs with a column for each of 1, 3, 6, 10, ... pairs of labels, got "
                f"shape {signs.shape}."
            )
        if not (np.isnan(signs) | np.isin(signs, (-1, 0, 1))).all():
            raise ValueError("Expected signs of -1, 0, 1 or NaN.")
        signs.setflags(write=False)
        object.__setattr__(self, "signs", signs)
        if self.label_names is not None:
            names = tuple(str(name) for name in self.label_names)
            if len(set(names)) != self.n_labels or len(names) != self.n_labels:
                raise ValueError(
                    f"Expected {self.n_labels} different label names, got {len(names)}."
                )
            object.__setattr__(self, "label_names", names)

    @classmethod
    def from_rankings(cls, Y: ArrayLike, label_names: Sequence[str] | None = None) -> Self:
        """Return the pairs that rankings order or tie.

        Parameters
        ----------
        Y : array-like of shape (n_samples, n_labels)
            Positions, 1 = most preferred; labels may tie, NaN = not ranked.
        label_names : sequence of str or None, default=None
            The labels.

        Returns
        -------
        PairPreferences
            All pairs of labels that a case ranks both.
        """
        rankings = check_rankings(Y, allow_partial=True)
        first, second = np.triu_indices(rankings.shape[1], 1)
        return cls(np.sign(rankings[:, second] - rankings[:, first]), label_names)

    @classmethod
    def from_words(cls, texts: Iterable[Any], label_names: Sequence[str] | None = None) -> Self:
        """Read chains of labels, as `xarff` files have them.

        Parameters
        ----------
        texts : iterable of str
            Chains such as ``b>a=c``, separated by ``|``; every chain holds the pairs of its labels.
            An empty text, ``?`` and None hold no pair.
        label_names : sequence of str or None, default=None
            All labels, in the order wanted; None: those in the texts, in natural order.

        Returns
        -------
        PairPreferences
            A row for each text.

        Raises
        ------
        ValueError
            If a text is no such chain, names another label, or says two things of one pair.
        """
        rows = [_chains(text, i) for i, text in enumerate(texts)]
        mentioned = {
            name for chains in rows for buckets in chains for part in buckets for name in part
        }
        names = sorted(mentioned, key=natural_order) if label_names is None else list(label_names)
        if unknown := mentioned - set(names):
            raise ValueError(f"Expected only labels in {names}, got {sorted(unknown)[0]!r}.")
        if len(names) < 2:
            raise ValueError(f"Expected at least two labels, got {len(names)}.")
        signs = np.empty((len(rows), len(names) * (len(names) - 1) // 2))
        for row, chains in enumerate(rows):
            try:
                signs[row] = chain_signs(chains, names)
            except ValueError as error:
                raise ValueError(
                    f"Expected one preference for a pair in row {row}: {error}."
                ) from error
        return cls(signs, names)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return (1 + isqrt(1 + 8 * self.signs.shape[1])) // 2

    @property
    def shape(self) -> tuple[int, int]:
        """The number of cases and of pairs."""
        n_samples, n_pairs = self.signs.shape
        return n_samples, n_pairs

    def __len__(self) -> int:
        return len(self.signs)

    def __getitem__(self, rows: Any) -> Self:
        """Return some rows; an index of scikit-learn may come with an ellipsis."""
        rows = rows[0] if isinstance(rows, tuple) else rows
        return type(self)(np.atleast_2d(self.signs[rows]), self.label_names)

    @property
    def n_known(self) -> NDArray[np.int64]:
        """The number of known pairs of each case, shape (n_samples,)."""
        return (~np.isnan(self.signs)).sum(axis=1)

    @property
    def n_known_of_labels(self) -> NDArray[np.int64]:
        """The number of known pairs of each case with each label, shape (n_samples, n_labels)."""
        return (~np.isnan(_sign_matrices(self.signs, self.n_labels))).sum(axis=2)

    def chains(self, row: int) -> list[list[list[int]]]:
        """Write the known pairs of a case as few chains of labels.

        Parameters
        ----------
        row : int
            The case, from 0.

        Returns
        -------
        list of list of list of int
            Chains of groups of tied labels, the preferred first; all pairs of the labels of a chain
            are known. Every known pair is in a chain. A chain starts with the first pair that is
            in none yet, and takes in other labels by index.

        Examples
        --------
        >>> preferences = PairPreferences.from_words(["a > b > c | d = c | a > d"])
        >>> preferences.chains(0)
        [[[0], [1], [2]], [[0], [2, 3]]]
        """
        matrix = _sign_matrices(self[[row]].signs, self.n_labels)[0]
        unwritten = np.triu(~np.isnan(matrix))
        chains = []
        while unwritten.any():
            first = np.unravel_index(int(np.argmax(unwritten)), unwritten.shape)
            members = [int(label) for label in first]
            # Labels whose pairs with all members are known.
            is_known = ~np.isnan(matrix[members]).any(axis=0)
            for label in range(self.n_labels):
                if not is_known[label] or label in members:
                    continue
                more = sorted({*members, label})
                is_new = unwritten[members, label].any() or unwritten[label, members].any()
                if is_new and _buckets(matrix, more):
                    members = more
                    is_known &= ~np.isnan(matrix[label])
            unwritten[np.ix_(members, members)] = False
            chains.append(_buckets(matrix, members))
        return chains

    def to_words(self) -> list[str]:
        """Write the pairs of every case as chains, which `from_words` reads again.

        Returns
        -------
        list of str
            Such as ``b>a=c|c>d``, by `chains`; an empty text for a case that knows no pair. Labels
            without names are called by their numbers, from 1.

        Examples
        --------
        >>> PairPreferences.from_words(["c > d | a > b", "b = a", ""]).to_words()
        ['a>b|c>d', 'a=b', '']
        """
        return self._joined("=", ">", "|")

    def in_words(self) -> list[str]:
        """Write the pairs of every case for people, such as ``b before a, b before c = d``.

        Returns
        -------
        list of str
            Chains by `chains`, with commas between them.

        Examples
        --------
        >>> PairPreferences.from_words(["c > d | a > b"]).in_words()
        ['a before b, c before d']
        """
        return self._joined(" = ", " before ", ", ")

    def _joined(self, tied: str, ahead: str, apart: str) -> list[str]:
        """Write the chains of every case with words between tied labels, buckets and chains."""
        names = self.label_names or [str(label + 1) for label in range(self.n_labels)]
        return [
            apart.join(
                ahead.join(tied.join(names[label] for label in bucket) for bucket in chain)
                for chain in self.chains(row)
            )
            for row in range(len(self))
        ]

    def n_wrong(self, positions: ArrayLike) -> NDArray[np.int64]:
        """Count for each label the known pairs that rankings do not order, or tie, as known.

        Parameters
        ----------
        positions : array-like of shape (n_samples, n_labels)
            Complete rankings of the same cases; labels may tie.

        Returns
        -------
        ndarray of int, shape (n_samples, n_labels)
            A pair counts for both of its labels.

        Examples
        --------
        >>> PairPreferences.from_words(["a > b | c > d"]).n_wrong([[1, 2, 4, 3]])
        array([[0, 0, 1, 1]])
        """
        matrices, ranks = _sign_matrices(self.signs, self.n_labels), check_rankings(positions)
        predicted = np.sign(ranks[:, None, :] - ranks[:, :, None])
        return (~np.isnan(matrices) & (matrices != predicted)).sum(axis=2)

    def with_labels(self, label_names: Sequence[str]) -> Self:
        """Return the same preferences with the labels in another order.

        Parameters
        ----------
        label_names : sequence of str
            The same names in the order wanted.

        Returns
        -------
        PairPreferences
            With the pairs in their order.

        Raises
        ------
        ValueError
            If the labels have no names, or others.
        """
        names = self.label_names
        if names is None or sorted(names) != sorted(label_names):
            raise ValueError(f"Expected the labels {list(label_names)}, got {names}.")
        order = [list(names).index(name) for name in label_names]
        first, second = np.triu_indices(self.n_labels, 1)
        return type(self)(
            _sign_matrices(self.signs, self.n_labels)[:, order][:, :, order][:, first, second],
            label_names,
        )

    def without_pairs(self, share: float, *, random_state: int | Sequence[int] | None = 0) -> Self:
        """Forget known pairs at random, for experiments.

        Parameters
        ----------
        share : float
            The probability of each known pair to be forgotten, from 0 to 1.
        random_state : int, sequence of int or None, default=0
            Seed of the draw. With the same one, a larger share also forgets what a smaller does.

        Returns
        -------
        PairPreferences
            The pairs that are left.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"Expected share between 0 and 1, got {share!r}.")
        forgotten = np.random.default_rng(random_state).random(self.signs.shape) < share
        return type(self)(np.where(forgotten, np.nan, self.signs), self.label_names)

    def ahead(self) -> NDArray[np.bool_]:
        """Tell which labels are known to come before which, (n_samples, n_labels, n_labels)."""
        with np.errstate(invalid="ignore"):
            return np.asarray(_sign_matrices(self.signs, self.n_labels) > 0)

    @property
    def undefeated(self) -> NDArray[np.bool_]:
        """Labels that a case prefers to another one and none to them, (n_samples, n_labels)."""
        ahead = self.ahead()
        return np.asarray(ahead.any(axis=2) & ~ahead.any(axis=1))

    @property
    def cyclic(self) -> NDArray[np.bool_]:
        """Whether the pairs of each case contradict every ranking, shape (n_samples,)."""
        ahead_or_tied, ahead = self._reachable()
        back = ahead & ahead_or_tied.transpose(0, 2, 1)
        return np.asarray(back.any(axis=(1, 2)))

    def closed(self) -> Self:
        """Add the pairs that follow from others: from 'a before b' and 'b before c', 'a before c'.

        Returns
        -------
        PairPreferences
            With all that follows; pairs that are known stay as they are.

        Raises
        ------
        ValueError
            If the pairs of a case contradict every ranking: see `cyclic`.
        """
        if self.cyclic.any():
            row = int(np.argmax(self.cyclic))
            raise ValueError(f"Expected preferences without a cycle, got one in row {row}.")
        ahead_or_tied, ahead = self._reachable()
        first, second = np.triu_indices(self.n_labels, 1)
        both = ahead_or_tied & ahead_or_tied.transpose(0, 2, 1)
        signs = np.where(both, 0.0, np.nan)
        signs[ahead], signs[ahead.transpose(0, 2, 1)] = 1.0, -1.0
        return type(self)(signs[:, first, second], self.label_names)

    def _reachable(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which labels are ahead of others by a chain of pairs, or tied; strictly ahead."""
        matrices = _sign_matrices(self.signs, self.n_labels)
        with np.errstate(invalid="ignore"):
            reached, ahead = matrices >= 0, matrices > 0
        # Warshall's closure; a chain is strict where one of its pairs is.
        for label in range(self.n_labels):
            sources, targets = reached[:, :, label], reached[:, label]
            strict = (ahead[:, :, label, None] & targets[:, None]) | (
                sources[:, :, None] & ahead[:, label, None]
            )
            reached |= sources[:, :, None] & targets[:, None]
            ahead |= strict
        return reached, ahead


def _sign_matrices(signs: FloatArray, n_labels: int) -> FloatArray:
    """Return the sign of every ordered pair, (n_samples, n_labels, n_labels)."""
    first, second = np.triu_indices(n_labels, 1)
    matrices = np.full((len(signs), n_labels, n_labels), np.nan)
    matrices[:, first, second], matrices[:, second, first] = signs, -signs
    return matrices


def preferences_of(Y: Any) -> PairPreferences:
    """Return preferences between pairs, given as such, as chains in words, or in a single column.

    Parameters
    ----------
    Y : PairPreferences, sequence of str, or frame with one column
        The targets.

    Returns
    -------
    PairPreferences
        With the labels that the words name.
    """
    if isinstance(Y, PairPreferences):
        return Y
    columns = getattr(Y, "iloc", None)
    texts = columns[:, 0] if columns is not None and Y.ndim == 2 and Y.shape[1] == 1 else Y
    return PairPreferences.from_words(texts)


def _buckets(matrix: FloatArray, labels: Sequence[int]) -> list[list[int]]:
    """Group labels by the positions that all of their signs agree with; empty: there are none."""
    signs = matrix[np.ix_(labels, labels)]
    np.fill_diagonal(signs, 0)
    n_ahead = (signs < 0).sum(axis=1)
    if not (signs == np.sign(n_ahead - n_ahead[:, None])).all():
        return []
    return [
        [label for label, n in zip(labels, n_ahead, strict=True) if n == position]
        for position in sorted(set(n_ahead.tolist()))
    ]


def _is_triangular(n_pairs: int) -> bool:
    return n_pairs > 0 and isqrt(1 + 8 * n_pairs) ** 2 == 1 + 8 * n_pairs


def chain_signs(chains: Sequence[Sequence[Sequence[str]]], labels: Sequence[str]) -> FloatArray:
    """Return the signs of all pairs of labels in chains of buckets of names.

    Parameters
    ----------
    chains : sequence of sequence of sequence of str
        Chains of groups of tied labels, the preferred first.
    labels : sequence of str
        All labels.

    Returns
    -------
    ndarray of shape (n_pairs,)
        As those of `PairPreferences`.

    Raises
    ------
    ValueError
        If chains name another label, or say two things of one pair.
    """
    index = {name: i for i, name in enumerate(labels)}
    matrix = np.full((len(labels), len(labels)), np.nan)
    for buckets in chains:
        positions = {name: position for position, bucket in enumerate(buckets) for name in bucket}
        if unknown := positions.keys() - index.keys():
            raise ValueError(f"'{shorten(min(unknown))}' is none of the labels")
        for (a, position_a), (b, position_b) in permutations(positions.items(), 2):
            sign, previous = np.sign(position_b - position_a), matrix[index[a], index[b]]
            if not np.isnan(previous) and previous != sign:
                first, second = (shorten(name) for name in sorted((a, b)))
                raise ValueError(f"it says two things of '{first}' and '{second}'")
            matrix[index[a], index[b]] = sign
    return matrix[np.triu_indices(len(labels), 1)]


def _chains(text: Any, row: int) -> list[list[list[str]]]:
    """Split a text into chains of buckets of tied labels."""
    if text is None or (isinstance(text, float) and np.isnan(text)):
        return []
    if not isinstance(text, str):
        raise ValueError(f"Expected chains such as 'b>a|c>d' in row {row}, got {text!r}.")
    if text.strip() in _MISSING:
        return []
    try:
        return split_chains(text)
    except ValueError as error:
        raise ValueError(f"Expected chains such as 'b>a|c>d' in row {row}: {error}.") from error
