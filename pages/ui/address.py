"""A visitor's edits, pins and chosen cases as parts of a link, and back, with what is unusable.

Tokens are joined by `~`, which an address need not escape; two of them separate pins.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from labelrank_core import Dataset
from labelrank_core.data import Column
from labelrank_core.data.bounds import LARGEST_FEATURE
from labelrank_core.data.samples import Sample
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from labelrank_core.methods.params import Knob
from pages.ui import kept, text
from pages.ui.kept import Value
from pages.ui.state import Query

_BETWEEN = "~"
_WHOLE = re.compile(r"\d{1,9}")
_LONGEST = 30
USUAL_SHARE = 30
_NONE, _SCALED, _TFIDF = "none", "scaled", "tfidf"
_SPLIT, _SEED, _SHARE = "split", "seed", "share"


class UnusableError(ValueError):
    """The reason why a part of a link cannot be used, as a clause: 'which …'."""


def write_changes(dataset: Dataset, changed: Mapping[int, Value]) -> str:
    """Write values changed by hand: column and value in turn, categories by their number."""
    columns = dataset.schema.columns
    return _BETWEEN.join(
        f"{j}{_BETWEEN}{_number(value) if isinstance(value, float) else _place(columns[j], value)}"
        for j, value in sorted(changed.items())
    )


def read_changes(words: str, dataset: Dataset, row: int) -> tuple[dict[int, Value], list[str]]:
    """Read values changed by hand; return them, and sentences about what cannot be used."""
    changed, problems = dict[int, Value](), []
    for column, word in _pairs(words):
        try:
            j = _column(dataset, row, column)
            changed[j] = _value(dataset, row, j, word)
        except UnusableError as error:
            asked = f"the changed value {_shown(word)}"
            problems.append(_problem(asked, error, "the case's own value is used instead"))
    return changed, problems


def write_pins(pins: Sequence[Query]) -> str:
    """Write pins: row, method, and in turn names and values that differ from the defaults."""
    return (2 * _BETWEEN).join(_pin(each) for each in pins)


def read_pins(words: str, dataset: Dataset) -> tuple[list[Query], list[str]]:
    """Read pins of a data set; return them, and sentences about what cannot be used."""
    found, problems = list[Query](), []
    for pin in words.split(2 * _BETWEEN):
        try:
            if len(found) == kept.MOST_PINS:
                raise UnusableError(f"is one more than the {kept.MOST_PINS} possible")
            found.append(_read_pin(pin, dataset))
        except UnusableError as error:
            problems.append(_problem(f"the pin {_shown(pin)}", error, "it is left out"))
    return found, problems


def write_rows(rows: Mapping[str, int]) -> str:
    """Write the case chosen of every data set."""
    return _BETWEEN.join(f"{name}{_BETWEEN}{row + 1}" for name, row in sorted(rows.items()))


def read_rows(words: str, samples: Mapping[str, Sample]) -> tuple[dict[str, int], list[str]]:
    """Read the cases chosen of samples; return them, and sentences about what cannot be used."""
    found, problems = dict[str, int](), []
    for name, word in _pairs(words):
        try:
            if name not in samples:
                raise UnusableError("is of data that are not here")
            rows = samples[name].n_samples
            found[name] = _whole(word, rows + 1, f"is not between 1 and {rows}", 1) - 1
        except UnusableError as error:
            asked = f"case {_shown(word)} of {_shown(name)}"
            problems.append(_problem(asked, error, "the first one is used instead"))
    return found, problems


def _problem(asked: str, error: UnusableError, instead: str) -> str:
    return f"The link asks for {asked}, which {error}; {instead}."


def _shown(word: str) -> str:
    return text.markdown(text.shorten(word, _LONGEST)) or "''"


def _pairs(words: str) -> Iterator[tuple[str, str]]:
    tokens = words.split(_BETWEEN)
    tokens += [""] * (len(tokens) % 2)
    return zip(tokens[::2], tokens[1::2], strict=True)


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


def _whole(word: str, below: int, why: str, least: int = 0) -> int:
    if not _WHOLE.fullmatch(word) or not least <= int(word) < below:
        raise UnusableError(why)
    return int(word)


def _place(column: Column, value: Value) -> str:
    return str(column.categories.index(str(value)))


def _column(dataset: Dataset, row: int, word: str) -> int:
    why = "names a column that is not there"
    j = _whole(word, len(dataset.schema.columns), why)
    if j not in kept.changeable(dataset, row):
        raise UnusableError("is of a column that is not to be changed")
    return j


def _value(dataset: Dataset, row: int, j: int, word: str) -> Value:
    """Read a value of a column, within the bounds that its widget has."""
    column = dataset.schema.columns[j]
    if column.kind == "nominal":
        n = len(column.categories)
        return column.categories[_whole(word, n, f"is not one of the {n} categories")]
    number = _float(word)
    values = dataset.X[:, [dataset.schema.starts[j]]]
    low, high = float(values.min()), float(values.max())
    if len(kept.changeable(dataset, row)) <= kept.MOST_WIDGETS and not low <= number <= high:
        name = text.markdown(column.name)
        raise UnusableError(f"is not between {low:g} and {high:g}, as {name} is in the data")
    return number


def _float(word: str) -> float:
    try:
        number = float(word) if len(word) <= _LONGEST else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UnusableError("is not a number")
    if abs(number) > LARGEST_FEATURE:
        raise UnusableError(f"is larger than {LARGEST_FEATURE:g}")
    return number


def _pin(asked: Query) -> str:
    choice, split = asked.choice, asked.split
    start = usual(choice.algorithm, len(split.train) - 1)
    said = {
        name: _NONE if value is None else str(value)
        for name, value in choice.params
        if start.get(name) != value
    }
    said |= {} if choice.scaled else {_SCALED: "0"}
    said |= {_TFIDF: "0"} if asked.dataset.has_word_counts and not choice.tfidf else {}
    if split.kind == "random":
        said |= {_SPLIT: "random"} if asked.dataset.split is not None else {}
        said |= {_SEED: str(split.seed)} if split.seed else {}
        share = round(100 * split.test_share)
        said |= {_SHARE: str(share)} if share != USUAL_SHARE else {}
    changed = kept.changes_of(asked)
    changes = [write_changes(asked.dataset, changed)] if changed else []
    pairs = [f"{name}{_BETWEEN}{value}" for name, value in said.items()]
    return _BETWEEN.join([str(asked.row + 1), choice.key, *pairs, *changes])


def usual(algorithm: Algorithm, n_cases: int) -> dict[str, Any]:
    """Return the parameters that a method starts with."""
    values: dict[str, Any] = {}
    for knob in algorithm.knobs:
        if knob.matters(values):
            start = knob.start(algorithm.defaults[knob.name], max(1, n_cases))
            if knob.at_most_cases:
                start = min(start, knob.offered(max(1, n_cases))[-1])
            values[knob.name] = start
    return values


def _read_pin(words: str, dataset: Dataset) -> Query:
    (row, key), *pairs = _pairs(words)
    rows = dataset.n_samples
    place = _whole(row, rows + 1, f"names a case that is not between 1 and {rows}", 1) - 1
    if key not in ALGORITHMS or not ALGORITHMS[key].learns(dataset):
        raise UnusableError("names a method that is not possible with these data")
    said = {name: word for name, word in pairs if not _WHOLE.fullmatch(name)}
    split = _split(dataset, said)
    params = _params(ALGORITHMS[key], said, len(split.train) - 1)
    if said.keys() - params.keys() - {_SCALED, _TFIDF, _SPLIT, _SEED, _SHARE}:
        raise UnusableError("names a parameter that the method does not have")
    changed = {}
    for name, word in pairs:
        if name not in said:
            j = _column(dataset, place, name)
            changed[j] = _value(dataset, place, j, word)
    tfidf = dataset.has_word_counts and said.get(_TFIDF) != "0"
    choice = ModelChoice(key, tuple(sorted(params.items())), said.get(_SCALED) != "0", tfidf)
    return Query(dataset, choice, split, place, kept.encoded(dataset, place, changed))


def _split(dataset: Dataset, said: Mapping[str, str]) -> Split:
    if dataset.split is not None and _SPLIT not in said:
        return holdout_split(dataset, kind="published")
    why = "names a test set that is not possible"
    share, seed = _whole(said.get(_SHARE, str(USUAL_SHARE)), 91, why, 10), said.get(_SEED, "0")
    return holdout_split(
        dataset, kind="random", test_share=share / 100, seed=_whole(seed, 2**31, why)
    )


def _params(algorithm: Algorithm, said: Mapping[str, str], n_cases: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    start = usual(algorithm, n_cases)
    for knob in algorithm.knobs:
        if knob.matters(values):
            own = said.get(knob.name)
            values[knob.name] = start.get(knob.name, algorithm.defaults[knob.name])
            if own is not None:
                values[knob.name] = _knob_value(knob, own, n_cases)
    return values


def _knob_value(knob: Knob, word: str, n_cases: int) -> Any:
    known: dict[str, Any]
    if knob.choices:
        known = {str(value): value for value, _ in knob.choices}
    else:
        known = {str(value): value for value in knob.offered(max(1, n_cases))}
        if knob.none:
            known[_NONE] = None
    if word not in known:
        name = text.markdown(knob.label)
        raise UnusableError(f"asks for a value that {name} cannot have")
    return known[word]
