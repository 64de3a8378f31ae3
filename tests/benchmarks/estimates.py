"""Estimated and real seconds of every method, at both ends of each of its parameters.

python tests/benchmarks/estimates.py                   all sets and methods
python tests/benchmarks/estimates.py diabetes crpc     lines whose name contains all words
python tests/benchmarks/estimates.py 20                every twentieth line

Every set is a sample of a task of the method; a method learns the training cases of its usual split
and predicts the others, with features scaled and as they are. A line has one parameter at its
smallest or largest value, or at one of its choices, beside each choice of those that others depend
on, such as the kernel. Seconds are those of the processor, one thread; what takes longer than 20 s
is stopped. A line is shown where one of both is more than three times the other and over 0.2 s. The
code is 1 where work of over 2 s, which a page does in a child program, is estimated at less than a
third of what it takes.
"""

import itertools
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from threadpoolctl import threadpool_limits

from labelrank_core import Dataset, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.methods.algorithm import Algorithm

SAMPLES = ("iris", "glass", "vehicle", "songs", "diabetes", "yeast")
MOST_SECONDS = 20.0
SLOW_SECONDS, FACTOR, NOTICED_SECONDS = 2.0, 3.0, 0.2
_START_SECONDS = 60.0


@dataclass(frozen=True)
class Line:
    """A method with parameters on a sample."""

    sample: str
    choice: ModelChoice

    @property
    def name(self) -> str:
        """The sample, the method and what is not as usual."""
        params = "".join(f" {name}={value}" for name, value in self.choice.params)
        return (
            f"{self.sample} {self.choice.key}{params}{'' if self.choice.scaled else ' not scaled'}"
        )


@dataclass(frozen=True)
class Times:
    """The seconds of a line; `real` is the limit where it was stopped."""

    line: Line
    estimate: float
    real: float

    @property
    def is_off(self) -> bool:
        """Whether one of both is more than three times the other, and can be noticed."""
        low, high = sorted((self.estimate, self.real))
        return high > NOTICED_SECONDS and high > FACTOR * low

    @property
    def is_surprise(self) -> bool:
        """Whether it takes long although a third of it was not expected."""
        return self.real > SLOW_SECONDS and self.real > FACTOR * self.estimate


def settings(algorithm: Algorithm, n_cases: int) -> Iterator[dict[str, Any]]:
    """Yield the parameters of all lines of a method, the defaults first."""
    knobs = {knob.name: knob for knob in algorithm.knobs}
    leaders = {knob.depends_on[0] for knob in knobs.values() if knob.depends_on}
    offered = (
        [(name, value) for value, _ in knobs[name].choices] for name in knobs if name in leaders
    )
    for leading in itertools.product(*offered):
        values = {**algorithm.defaults, **dict(leading)}
        yield dict(leading)
        for knob in knobs.values():
            if knob.name in leaders or not knob.matters(values) or knob.for_ties:
                continue
            ends = [value for value, _ in knob.choices]
            if not ends:
                numbers = knob.offered(n_cases)
                ends = [numbers[0], numbers[-1]]
            for value in ends:
                if value != values[knob.name]:
                    yield {**dict(leading), knob.name: value}


def lines(words: list[str]) -> list[Line]:
    """List the lines whose names contain all words."""
    listed = []
    for sample in SAMPLES:
        dataset = load_sample(sample)
        n_cases = len(holdout_split(dataset).train)
        for key, algorithm in ALGORITHMS.items():
            if not algorithm.learns(dataset):
                continue
            for params in settings(algorithm, n_cases):
                choice = ModelChoice(key, tuple(sorted(params.items()))).within(n_cases)
                listed += [
                    Line(sample, choice),
                    Line(sample, ModelChoice(key, choice.params, False)),
                ]
    return [line for line in dict.fromkeys(listed) if all(word in line.name for word in words)]


def estimated(line: Line) -> float:
    """Return what the catalog estimates."""
    dataset = load_sample(line.sample)
    split = holdout_split(dataset)
    return line.choice.seconds(Size.of(dataset, len(split.train), len(split.test)))


def real(line: Line, dataset: Dataset) -> float:
    """Return the processor's seconds of learning and predicting."""
    split, algorithm = holdout_split(dataset), line.choice.algorithm
    model = line.choice.build()
    Y = algorithm.targets(dataset, split.train)
    start = time.process_time()
    model.fit(dataset.X[split.train], Y)
    model.predict(dataset.X[split.test])
    return time.process_time() - start


def _work(todo: list[Line], answers: Connection) -> None:
    warnings.simplefilter("ignore")
    data = {sample: load_sample(sample) for sample in {line.sample for line in todo}}
    with threadpool_limits(1):
        for line in todo:
            answers.send(None)
            answers.send(real(line, data[line.sample]))


def measure(todo: list[Line]) -> Iterator[Times]:
    """Yield the seconds of lines, measured in a child program that is replaced where it is slow."""
    context = get_context("spawn")
    while todo:
        answers, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_work, args=(todo, theirs), daemon=True)
        child.start()
        theirs.close()
        try:
            while todo:
                if not answers.poll(_START_SECONDS):
                    raise TimeoutError("The program that measures did not start.")
                answers.recv()
                # On a shared processor the clock is slower than it.
                is_done = answers.poll(3 * MOST_SECONDS)
                seconds = answers.recv() if is_done else MOST_SECONDS
                line, todo = todo[0], todo[1:]
                yield Times(line, estimated(line), seconds)
                if not is_done:
                    break
        finally:
            child.kill()
            child.join()


def main(words: list[str]) -> int:
    """Print the lines that are off, and how many there are."""
    step = next((int(word) for word in words if word.isdigit()), 1)
    todo = lines([word for word in words if not word.isdigit()])[::step]
    results = []
    print(f"{'Estimates':<80}{'said s':>10}{'real s':>10}")
    for times in measure(todo):
        results.append(times)
        if times.is_off:
            print(f"{times.line.name:<80}{times.estimate:>10.2f}{times.real:>10.2f}", flush=True)
    surprises = sum(times.is_surprise for times in results)
    slow = sum(times.real > SLOW_SECONDS for times in results)
    print(
        f"{len(results)} lines, {slow} of over {SLOW_SECONDS:.0f} s; off by more than {FACTOR:.0f} "
        f"times: {sum(times.is_off for times in results)}, of which slow and estimated at less "
        f"than a third: {surprises}"
    )
    return int(bool(surprises) or not results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
