"""Methods race on the training rows of one data set, fold by fold; those clearly worse drop out.

Every fold is one round. Methods are compared case by case on the folds that both have; intervals
are wide enough that all comparisons of a race hold together, whenever it is stopped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isnan, nan
from time import perf_counter
from typing import Any, Literal

import numpy as np
from scipy import stats
from sklearn.model_selection import KFold

from labelrank_core.comparison.cases import FEWEST
from labelrank_core.comparison.significance import paired_difference
from labelrank_core.data.dataset import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.methods import ALGORITHMS, BASELINES, ModelChoice, Size
from labelrank_core.metrics import METRICS, Measure
from labelrank_core.rankings import FloatArray, IntArray, equal_up_to_rounding

RaceStatus = Literal["first", "level", "behind", "failed"]

N_FOLDS = 5
# A method that takes at most so many times as long as the fastest is called as fast: times vary.
SAME_SPEED = 1.5
# The least seconds that times are compared with: nobody waits for less, and clocks vary more.
LEAST_SECONDS = 0.1
# Of more rows some are drawn: they tell methods apart as well, and every round stays short.
MOST_ROWS = 3_000
# The family-wise error: how likely a race calls any method worse that is not.
_LEVEL = 0.05
# What is clearly worse drops out after this many rounds; one round may be one unlucky fold.
_FEWEST_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class Runner:
    """A method in the race, and its values in each round so far."""

    choice: ModelChoice
    # One array per round with one value per case; NaN = no value.
    rounds: tuple[FloatArray, ...] = ()
    seconds: float = 0.0
    is_out: bool = False
    # Why it could not be trained or measured.
    error: str = ""

    def mean(self, n_rounds: int) -> float:
        """Return its mean over the cases of the first rounds; NaN where no case has a value."""
        values = np.concatenate([np.empty(0), *self.rounds[:n_rounds]])
        return float(np.nanmean(values)) if np.isfinite(values).any() else nan


@dataclass(frozen=True)
class RaceStanding:
    """The state of a method in a race: its mean, and its lead over the first one (mostly negative).

    It is "behind" if its interval lies below 0, and "level" if the interval reaches 0 or there is
    none, also where it has dropped out: it was behind the one that was first then. `mean` is that
    of the first plus the lead, so that means compare though methods have run different rounds; of
    a race that is over, it is a method's own mean if it has run all rounds.
    """

    choice: ModelChoice
    status: RaceStatus
    n_rounds: int
    mean: float
    # With an interval; negative = worse than the first. Infinite where too few cases differ.
    gain: float
    low: float
    high: float
    seconds: float
    is_out: bool
    error: str = ""

    @property
    def seconds_per_round(self) -> float:
        """The mean seconds of a round of training and measuring; NaN before the first."""
        return self.seconds / self.n_rounds if self.n_rounds else nan


@dataclass(frozen=True)
class Recommendation:
    """The first method, and the one to use of those that are not clearly worse.

    That is the best of the fastest still in the race, or the method in use if it is one of these:
    times within a factor of `SAME_SPEED` are equal. `n_fastest` counts these; `n_level` counts all
    that are not clearly different, the first one too.
    """

    first: RaceStanding
    advised: RaceStanding
    n_fastest: int
    n_level: int
    n_methods: int


@dataclass(frozen=True, eq=False)
class MethodRace:
    """Methods on the same folds, as far as they have come."""

    measure: Measure
    n_rounds: int
    runners: tuple[Runner, ...]

    @property
    def running(self) -> list[Runner]:
        """The methods that have not dropped out or failed."""
        return [runner for runner in self.runners if not (runner.is_out or runner.error)]

    @property
    def n_complete(self) -> int:
        """The number of rounds that all methods still in the race have run."""
        return min((len(runner.rounds) for runner in self.running), default=0)

    @property
    def is_over(self) -> bool:
        """Whether every method has run all rounds, dropped out or failed."""
        return self.n_complete == self.n_rounds or not self.running

    @cached_property
    def standings(self) -> list[RaceStanding]:
        """The methods measured so far, the best first; those that failed last."""
        first = self._first()
        if first is None:
            return [self._standing(runner, None) for runner in self.runners if runner.error]
        measured = [runner for runner in self.runners if runner.rounds and not runner.error]
        zero = self._zero(first, measured)
        standings = [self._standing(runner, first, zero) for runner in measured]
        standings.sort(key=lambda standing: (standing.status != "first", -standing.gain))
        return standings + [self._standing(runner, None) for runner in self.runners if runner.error]

    def recommend(self, in_use: ModelChoice | None = None) -> Recommendation | None:
        """Recommend a method, `in_use` if no other is clearly better or faster.

        None before a round.
        """
        measured = [standing for standing in self.standings if standing.status != "failed"]
        if not self.n_complete or not measured:
            return None
        level = [standing for standing in measured if standing.status != "behind"]
        running = [standing for standing in level if not standing.is_out]
        least = min(standing.seconds_per_round for standing in running)
        most = SAME_SPEED * max(least, LEAST_SECONDS)
        fastest = [standing for standing in running if standing.seconds_per_round <= most]
        kept = (
            standing
            for standing in fastest
            if in_use is not None
            and standing.choice.is_same_model(in_use)
            and not isnan(standing.gain)
        )
        advised = next(kept, fastest[0])
        return Recommendation(measured[0], advised, len(fastest), len(level), len(measured))

    @property
    def n_compared(self) -> int:
        """The number of rounds that methods are compared on: the complete ones, or the first."""
        return max(1, self.n_complete)

    @property
    def n_measured(self) -> int:
        """The number of methods still in the race that have run the next incomplete round."""
        return sum(len(runner.rounds) > self.n_complete for runner in self.running)

    @property
    def _sign(self) -> int:
        return 1 if self.measure.greater_is_better else -1

    def _first(self) -> Runner | None:
        """Return the best method over the rounds that all in the race have run."""
        n = self.n_compared
        measured = [runner for runner in self.running if len(runner.rounds) >= n]
        worst_last = [runner for runner in measured if not np.isnan(runner.mean(n))]
        return max(worst_last, key=lambda runner: self._sign * runner.mean(n), default=None)

    def _zero(self, first: Runner, measured: Sequence[Runner]) -> float:
        """Return the mean of the first one, to which all leads are added.

        Once any has run all rounds, the earliest of these in the list keeps its own mean.
        """
        finished = (runner for runner in measured if len(runner.rounds) == self.n_rounds)
        anchor = next(finished, None)
        if anchor is None:
            return first.mean(self.n_compared)
        return anchor.mean(self.n_rounds) - self._sign * self._difference(anchor, first)[0]

    def _standing(self, runner: Runner, first: Runner | None, zero: float = nan) -> RaceStanding:
        gain = low = high = nan
        status: RaceStatus = "failed"
        if first is not None:
            gain, low, high = self._difference(runner, first)
            status = "first" if runner is first else "behind" if high < 0 else "level"
        return RaceStanding(
            choice=runner.choice,
            status=status,
            n_rounds=len(runner.rounds),
            mean=runner.mean(self.n_compared) if isnan(gain) else zero + self._sign * gain,
            gain=gain,
            low=low,
            high=high,
            seconds=runner.seconds,
            is_out=runner.is_out,
            error=runner.error,
        )

    def _difference(self, runner: Runner, first: Runner) -> tuple[float, float, float]:
        """Compare a method with the first, case by case on the complete rounds of both."""
        if runner is first:
            return 0.0, 0.0, 0.0
        n = min(len(runner.rounds), len(first.rounds), self.n_compared)
        a, b = (np.concatenate(method.rounds[:n]) for method in (runner, first))
        has_both = ~(np.isnan(a) | np.isnan(b))
        a, b = a[has_both], b[has_both]
        sign = self._sign
        n_different = int(np.count_nonzero(~equal_up_to_rounding(a, b)))
        if len(a) < 2 or n_different < FEWEST:
            return (float(sign * (a - b).mean()) if len(a) else nan), -inf, inf
        pair = paired_difference(sign * a, sign * b, test_share=0.0)
        # Each method against the first, in every round: any of these may err.
        n_tests = self.n_rounds * max(1, len(self.runners) - 1)
        reach = float(stats.t.ppf(1 - _LEVEL / (2 * n_tests), len(a) - 1)) * pair.sd / len(a) ** 0.5
        return pair.mean, pair.mean - reach, pair.mean + reach


@dataclass(frozen=True)
class Field:
    """The methods that can race: those to train, and those that would take too long."""

    runners: tuple[ModelChoice, ...]
    slow: Mapping[ModelChoice, float]


def field_of(
    dataset: Dataset,
    choice: ModelChoice,
    n_train: int,
    *,
    most_seconds: float = inf,
    ties: bool = False,
) -> Field:
    """List the methods that learn a data set: one's own settings first, then others by default.

    Parameters
    ----------
    dataset : Dataset
        The data.
    choice : ModelChoice
        The user's method and settings; it runs beside its defaults where it differs from them.
    n_train : int
        Rows to race on; a round trains on those of all folds but one.
    most_seconds : float, default=inf
        A method whose round is expected to take more seconds is among the slow ones.
    ties : bool, default=False
        Whether the methods predict ties, all that can, as suits a measure for which a tie is an
        answer.

    Returns
    -------
    Field
        The methods, the quickest first, and the slow ones with their seconds.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> field = field_of(load_sample("iris"), ModelChoice("knn"), 100)
    >>> ModelChoice("knn").key in {choice.key for choice in field.runners}, dict(field.slow)
    (True, {})
    """
    n_trained, n_measured = _rows_of_round(n_train)
    size = Size.of(dataset, n_trained, n_measured)
    default = {
        key: replace(choice, key=key, params=()).starting(n_trained)
        for key, algorithm in ALGORITHMS.items()
        if algorithm.learns(dataset)
    }
    if ties:
        default = {key: candidate.with_ties(True) for key, candidate in default.items()}
    choices = [choice] if choice.values != default[choice.key].values else []
    seconds = {candidate: candidate.seconds(size) for candidate in (*choices, *default.values())}
    slow = {candidate: time for candidate, time in seconds.items() if time > most_seconds}
    # Quick ones first, so that there is something to see at once.
    quick = sorted(
        (candidate for candidate in seconds if candidate not in slow), key=seconds.__getitem__
    )
    return Field(tuple(quick), slow)


def seconds_to_race(dataset: Dataset, choices: Sequence[ModelChoice], n_train: int) -> float:
    """Estimate the seconds of a race, at most: as if no method dropped out.

    Parameters
    ----------
    dataset : Dataset
        The data.
    choices : sequence of ModelChoice
        The methods.
    n_train : int
        Rows to race on.

    Returns
    -------
    float
        A rough estimate, for a computer that has nothing else to do.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> 0 < seconds_to_race(load_sample("iris"), [ModelChoice("knn")], 100) < 60
    True
    """
    size = Size.of(dataset, *_rows_of_round(n_train))
    return N_FOLDS * sum(choice.seconds(size) for choice in choices)


def _rows_of_round(n_train: int) -> tuple[int, int]:
    """Return the numbers of rows that a round trains on, all folds but one, and measures on."""
    n_measured = n_train // N_FOLDS
    return n_train - n_measured, n_measured


def rows_to_race(rows: IntArray, seed: int = 0) -> IntArray:
    """Return the rows, or `MOST_ROWS` of them drawn at random.

    Parameters
    ----------
    rows : ndarray of int of shape (n_rows,)
        Training rows.
    seed : int, default=0
        The same seed draws the same rows.

    Returns
    -------
    ndarray of int
        The rows as they are, or those drawn, ascending.

    Examples
    --------
    >>> len(rows_to_race(np.arange(MOST_ROWS + 1))), len(rows_to_race(np.arange(10)))
    (3000, 10)
    """
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False))


def run_race(
    dataset: Dataset,
    rows: IntArray,
    choices: Sequence[ModelChoice],
    measure: str,
    *,
    previous: MethodRace | None = None,
    report: Callable[[MethodRace], Any] | None = None,
    seed: int = 0,
) -> MethodRace:
    """Race methods on some rows of a data set; each round trains on the other folds.

    Parameters
    ----------
    dataset : Dataset
        The data.
    rows : ndarray of int
        The rows to race on, at least two: a training set, whose test set stays unseen.
    choices : sequence of ModelChoice
        The methods.
    measure : str
        Key of a measure that single cases have.
    previous : MethodRace or None, default=None
        The same race as it was stopped; it goes on from there.
    report : callable or None, default=None
        Called with the race whenever a method has been measured.
    seed : int, default=0
        The same seed draws the same folds.

    Returns
    -------
    MethodRace
        The race when it is over. A method that raises an error fails and does not end it.

    Raises
    ------
    KeyError
        If there is no such measure.
    ValueError
        If there are fewer than two rows.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> iris, choices = load_sample("iris"), [ModelChoice("knn"), ModelChoice("lrt")]
    >>> race = run_race(iris, np.arange(150), choices, "kendall_tau_score")
    >>> race.is_over, race.standings[0].choice.key
    (True, 'knn')
    """
    parts = _parts(rows, seed)
    earlier = {} if previous is None else {runner.choice: runner for runner in previous.runners}
    runners = tuple(earlier.get(choice, Runner(choice)) for choice in choices)
    race = MethodRace(METRICS[measure], len(parts), runners)
    for number, part in enumerate(parts, start=1):
        order = {standing.choice: i for i, standing in enumerate(race.standings)}
        turns = sorted(race.running, key=lambda runner: order.get(runner.choice, len(order)))
        for runner in turns:
            if len(runner.rounds) < number:
                race = _replace_runner(race, runner, _measured(runner, dataset, part, measure))
                if report is not None:
                    report(race)
        if number >= _FEWEST_ROUNDS:
            behind = {standing.choice for standing in race.standings if standing.status == "behind"}
            # Folds that were measured before the race was stopped count for all.
            race = replace(
                race,
                runners=tuple(
                    replace(runner, is_out=runner.is_out or runner.choice in behind)
                    for runner in race.runners
                ),
            )
    if report is not None:
        report(race)
    return race


def average_value(
    dataset: Dataset, rows: IntArray, choice: ModelChoice, measure: str, *, seed: int = 0
) -> float:
    """Return what everyone's average reaches on the folds of a race: the mean over their cases.

    Parameters
    ----------
    dataset : Dataset
        The data.
    rows : ndarray of int
        The rows of the race.
    choice : ModelChoice
        The method in use, whose preparation and ties the average follows.
    measure : str
        Key of a measure that single cases have.
    seed : int, default=0
        That of the race.

    Returns
    -------
    float
        The mean; NaN where no case has a value, or a fold cannot be learned.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> iris = load_sample("iris")
    >>> value = average_value(iris, np.arange(150), ModelChoice("knn"), "kendall_tau_score")
    >>> -1 <= value < 1
    True
    """
    average = BASELINES[0].build(choice, is_sparse=dataset.is_sparse)
    try:
        values = [
            evaluate_model(average, dataset, part, measures=[measure]).values[measure]
            for part in _parts(rows, seed)
        ]
    except ValueError:
        return nan
    return Runner(choice, tuple(values)).mean(len(values))


def _parts(rows: IntArray, seed: int) -> list[Split]:
    """Cut the rows of a race into folds; each part measures on one of them."""
    folds = KFold(min(N_FOLDS, len(rows)), shuffle=True, random_state=seed)
    return [
        Split(np.sort(rows[train]), np.sort(rows[test]), "random", seed, 1 / N_FOLDS)
        for train, test in folds.split(rows)
    ]


def _measured(runner: Runner, dataset: Dataset, part: Split, measure: str) -> Runner:
    """Run one round of one method."""
    start = perf_counter()
    try:
        model = runner.choice.within(len(part.train)).build(is_sparse=dataset.is_sparse)
        evaluation = evaluate_model(model, dataset, part, measures=[measure])
    except Exception as error:  # noqa: BLE001
        # One method that cannot learn a fold must not end the race of the others.
        return replace(runner, error=f"{type(error).__name__}: {error}")
    seconds = runner.seconds + perf_counter() - start
    return replace(runner, rounds=(*runner.rounds, evaluation.values[measure]), seconds=seconds)


def _replace_runner(race: MethodRace, old: Runner, new: Runner) -> MethodRace:
    runners = tuple(new if runner is old else runner for runner in race.runners)
    return replace(race, runners=runners)
