"""A view: data, a case, a method. Pages and results are functions of it, and a link carries it.

The words of a link are those that Streamlit writes for widgets bound to query parameters. Values
changed by hand, pins and cases of other data are tokens joined by `~`, which needs no escape in an
address; two of them separate pins.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core import Dataset
from labelrank_core.data import Column
from labelrank_core.data.bounds import LARGEST_FEATURE
from labelrank_core.data.samples import Sample
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from labelrank_core.methods.params import Knob
from pages.ui.wording import choice_text, text

DATA, METHOD, ROW, SCALED, TFIDF = "data", "method", "row", "scaled", "tfidf"
SPLIT_KIND, TEST_SHARE, SEED = "split", "test_share", "seed"
CHANGED, PINS, CASES = "changed", "pins", "cases"
# Parts of a link that no widget holds.
UNBOUND = {CHANGED: "values changed by hand", PINS: "pins", CASES: "cases of other data"}
LEAST_TEST_PERCENT, MOST_TEST_PERCENT, DEFAULT_TEST_PERCENT = 10, 90, 30
MOST_SEED = 2**31 - 1
MAX_PINS = 4
# Of more columns a table is offered instead of a widget for each.
MAX_WIDGETS = 8
_SEPARATOR = "~"
_WHOLE_NUMBER = re.compile(r"\d{1,9}")
_MAX_TOKEN_LENGTH = 30
_MAX_WORD_LENGTH = 40
_NONE = "none"
_UNKNOWN_DATA = (
    "The link names data that exist only in the session it comes from. A sample is shown."
)

Value = float | str


@dataclass(frozen=True, eq=False)
class View:
    """One case, by its row from 0, and the method that predicts it.

    `edits` are features changed by hand, by their index; `pins` other views of the same data that
    are compared with this one.
    """

    dataset: Dataset
    choice: ModelChoice
    split: Split
    row: int
    edits: Mapping[int, float] = field(default_factory=dict)
    pins: "tuple[View, ...]" = ()

    @property
    def n_cases(self) -> int:
        """The number of cases that predict one of them, on which ranges of parameters depend."""
        return max(1, len(self.split.train) - 1)

    def is_same(self, view: "View") -> bool:
        """Tell whether another view shows the same prediction."""
        return self.identity == view.identity

    @property
    def identity(self) -> tuple[Any, ...]:
        """What makes two views show the same prediction."""
        split = self.split
        return (
            *(self.dataset.fingerprint, self.row, self.choice, dict(self.edits)),
            *(split.kind, split.seed, split.test_share),
        )

    def changed_values(self) -> dict[int, Value]:
        """Return the values that were changed by hand, by the index of their raw column."""
        x = self.dataset.case(self.row)
        x[list(self.edits)] = list(self.edits.values())
        original = self.dataset.feature_frame([self.row]).iloc[0]
        edited = self.dataset.schema.frame(x[None]).iloc[0]
        columns = range(len(original))
        return {j: edited.iloc[j] for j in columns if edited.iloc[j] != original.iloc[j]}

    @cached_property
    def settings(self) -> "dict[str, ToolbarSetting]":
        """The settings of the toolbar, by their names in a link."""
        choice, split, algorithm = self.choice, self.split, self.choice.algorithm
        settings = {
            METHOD: ToolbarSetting("Method", algorithm.title, ""),
            ROW: ToolbarSetting("Case", str(self.row + 1), ""),
            SCALED: ToolbarSetting("Scaling", str(choice.scaled), "True"),
            SPLIT_KIND: ToolbarSetting("Test set", split.kind, default_split_kind(self.dataset)),
        }
        if self.dataset.has_word_counts:
            settings[TFIDF] = ToolbarSetting("TF-IDF", str(choice.tfidf), "True")
        if split.kind == "random":
            percent = f"{100 * split.test_share:.0f}"
            settings[SEED] = ToolbarSetting("Seed", str(split.seed), "0")
            settings[TEST_SHARE] = ToolbarSetting(
                "Share of test rows (%)", percent, str(DEFAULT_TEST_PERCENT)
            )
        defaults = default_parameters(algorithm, self.dataset, self.n_cases)
        for knob in algorithm.knobs_for(self.dataset):
            if knob.name in choice.values and knob.matters(choice.values):
                word = choice_text.value_text(knob, choice.values[knob.name])
                default = (
                    choice_text.value_text(knob, defaults[knob.name])
                    if knob.name in defaults
                    else ""
                )
                settings[f"{algorithm.key}_{knob.name}"] = ToolbarSetting(knob.label, word, default)
        return settings

    def to_query(self, data: str) -> dict[str, str]:
        """Return the query parameters of a link to this view; `data` is the name of the data set.

        Defaults are left out; for `from_query`, which reads them.
        """
        query = {DATA: data}
        query |= {key: s.word for key, s in self.settings.items() if s.word != s.default}
        if changed := write_changes(self.dataset, self.changed_values() if self.edits else {}):
            query[CHANGED] = changed
        if pins := write_pins(self.pins):
            query[PINS] = pins
        return query

    @classmethod
    def from_query(
        cls,
        query: Mapping[str, str],
        datasets: Mapping[str, Callable[[], Dataset]],
        default_row: Callable[[Dataset], int],
    ) -> "tuple[View, list[Problem]]":
        """Return the view that query parameters describe, and a problem for each unusable one.

        What is missing or unusable has its default: the first data set, the first method that
        learns from it, its defaults, `default_row`.
        """
        problems = list[Problem]()
        name = query.get(DATA, next(iter(datasets)))
        is_known = name in datasets
        dataset = datasets[name if is_known else next(iter(datasets))]()
        reader = _QueryReader(query, problems)
        offered = {a.title: a for a in ALGORITHMS.values() if a.learns(dataset)}
        algorithm = reader.option(METHOD, "Method", offered, next(iter(offered.values())))
        split = reader.split(dataset)
        n_cases = max(1, len(split.train) - 1)
        params = dict[str, Any]()
        defaults = default_parameters(algorithm, dataset, n_cases)
        for knob in algorithm.knobs_for(dataset):
            if knob.matters(params):
                default = defaults.get(knob.name, algorithm.defaults[knob.name])
                key = f"{algorithm.key}_{knob.name}"
                params[knob.name] = reader.parameter(key, knob, default, n_cases)
        tfidf = dataset.has_word_counts and reader.boolean(TFIDF, "TF-IDF")
        scaled = reader.boolean(SCALED, "Scaling")
        start = default_row(dataset)
        row = reader.whole_number(ROW, "Case", start + 1, 1, dataset.n_samples) - 1
        choice = ModelChoice(algorithm.key, tuple(sorted(params.items())), scaled, tfidf)
        edits, pins = dict[int, float](), tuple[View, ...]()
        if not is_known:
            problems.append(Problem(DATA, _UNKNOWN_DATA))
            problems += [Problem.of_other_case(key) for key in (CHANGED, PINS) if key in query]
        else:
            edits = reader.edits(dataset, row)
            pins, messages = read_pins(query.get(PINS, ""), dataset)
            problems += [Problem(PINS, message) for message in messages]
        return cls(dataset, choice, split, row, edits, pins), problems


@dataclass(frozen=True)
class ToolbarSetting:
    """A setting of the toolbar: its label, its word in a link, and the word it starts with."""

    label: str
    word: str
    default: str


@dataclass(frozen=True)
class Problem:
    """A part of a link that cannot be had, by the query parameter.

    Either a sentence, or a label and the word asked for; `shown_word` is that of
    the widget instead.
    """

    key: str
    message: str = ""
    label: str = ""
    word: str = ""
    shown_word: str = ""

    @classmethod
    def of_other_case(cls, key: str) -> "Problem":
        """Return the problem of edits or pins that belong to another case."""
        part = UNBOUND[key]
        return cls(key, f"The link asks for {part}, which are of another case; they are left out.")

    @classmethod
    def of_meant_option(cls, key: str, label: str, word: str, meant: str) -> "Problem":
        """Return the notice that an option is called otherwise than in the link."""
        asked = text.markdown(text.shorten(word, _MAX_WORD_LENGTH))
        message = f"{text.markdown(label)} {asked} in the link is read as {text.markdown(meant)}."
        return cls(key, message, label, word, shown_word=meant)

    @property
    def is_read(self) -> bool:
        """Whether an option was chosen that the link calls otherwise."""
        return bool(self.message and self.shown_word)

    def clause(self) -> str:
        """Write the problem as Markdown: "Case 151 (73 is shown)"."""
        label, word = text.markdown(self.label), text.shorten(self.word, _MAX_WORD_LENGTH)
        return f"{label} {text.markdown(word)} ({text.markdown(self.shown_word)} is shown)"


def default_split_kind(dataset: Dataset) -> str:
    """Return the kind of split that data start with: their published one if they have one."""
    return "random" if dataset.split is None else "published"


def default_parameters(algorithm: Algorithm, dataset: Dataset, n_cases: int) -> dict[str, Any]:
    """Return the parameters that a method starts with."""
    values: dict[str, Any] = {}
    for knob in algorithm.knobs_for(dataset):
        if knob.matters(values):
            start = knob.start(algorithm.defaults[knob.name], max(1, n_cases))
            if knob.at_most_cases:
                start = min(start, knob.offered(max(1, n_cases))[-1])
            values[knob.name] = start
    return values


def changeable_columns(dataset: Dataset, row: int) -> list[int]:
    """List the columns that can be changed by hand: of sparse data those not 0 in the case."""
    if not dataset.is_sparse:
        return list(range(len(dataset.schema.columns)))
    features = dataset.X[[row]].nonzero()[1]
    return [int(j) for j in np.unique(dataset.schema.column_of_feature[features])]


def encode_changes(dataset: Dataset, row: int, changed: Mapping[int, Value]) -> dict[int, float]:
    """Return changed values of raw columns as a model meets them, by the index of the feature."""
    if not changed:
        return {}
    original = dataset.feature_frame([row])
    edited = original.copy()
    for column, value in changed.items():
        edited[original.columns[column]] = [value]
    x, edited_x = dataset.schema.encode(original)[0], dataset.schema.encode(edited)[0]
    return {int(j): float(edited_x[j]) for j in np.flatnonzero(x != edited_x)}


def meant_option(word: str, options: Mapping[str, str]) -> str | None:
    """Return the only option that a word can mean: its name, its key, or a part of its name.

    An option that begins with the word is meant before others that contain it.

    `options` are the keys of the options by their names; keys may be empty.

    >>> meant_option("Forest", {"Random forest": "forest", "Forest of trees": "lrf"})
    'Random forest'
    >>> meant_option("trees", {"Random forest": "forest", "Forest of trees": "lrf"})
    'Forest of trees'
    """
    sought = word.strip().lower()
    matches = (
        [name for name, key in options.items() if sought in (name.lower(), key.lower())]
        or [name for name in options if name.lower().startswith(sought)]
        or [name for name in options if sought in name.lower()]
    )
    return matches[0] if sought and len(matches) == 1 else None


def is_same_word(word: str, written_word: str) -> bool:
    """Tell whether two words of a link stand for the same value."""
    if word.strip().lower() == written_word.lower():
        return True
    with suppress(ValueError):
        return float(word) == float(written_word)
    return False


class UnusableError(ValueError):
    """The reason why a part of a link cannot be used, as a clause: 'which …'."""


class _QueryReader:
    """Reads query parameters as bound widgets do, and collects problems."""

    def __init__(self, query: Mapping[str, str], problems: list[Problem]) -> None:
        self._query, self._problems = query, problems

    def option(self, key: str, label: str, options: Mapping[str, Any], default: Any) -> Any:
        """Return the value of an option by its word, or by one that can mean no other option."""
        word = self._query.get(key)
        if word is None or word in options:
            return default if word is None else options[word]
        meant = meant_option(word, {name: getattr(options[name], "key", "") for name in options})
        if meant is not None:
            self._problems.append(Problem.of_meant_option(key, label, word, meant))
            return options[meant]
        self._problems.append(Problem(key, label=label, word=word))
        return default

    def boolean(self, key: str, label: str) -> bool:
        """Return a value that is true unless the link says otherwise."""
        word = self._query.get(key, "True")
        if word.lower() in ("true", "false"):
            return word.lower() == "true"
        self._problems.append(Problem(key, label=label, word=word))
        return True

    def whole_number(self, key: str, label: str, default: int, minimum: int, maximum: int) -> int:
        """Return a whole number between two others."""
        word = self._query.get(key)
        if word is None:
            return default
        with suppress(ValueError, OverflowError):
            number = float(word)
            if number == int(number) and minimum <= number <= maximum:
                return int(number)
        self._problems.append(Problem(key, label=label, word=word))
        return default

    def split(self, dataset: Dataset) -> Split:
        """Return the split into training and test rows."""
        default = default_split_kind(dataset)
        kinds = {kind: kind for kind in dict.fromkeys((default, "random"))}
        if self.option(SPLIT_KIND, "Test set", kinds, default) == "published":
            return holdout_split(dataset, kind="published")
        share = self.whole_number(
            TEST_SHARE,
            "Share of test rows (%)",
            DEFAULT_TEST_PERCENT,
            LEAST_TEST_PERCENT,
            MOST_TEST_PERCENT,
        )
        seed = self.whole_number(SEED, "Seed", 0, 0, MOST_SEED)
        return holdout_split(dataset, kind="random", test_share=share / 100, seed=seed)

    def parameter(self, key: str, knob: Knob, default: Any, n_cases: int) -> Any:
        """Return the value of a parameter of a method."""
        word = self._query.get(key)
        if word is None:
            return default
        values = {
            choice_text.value_text(knob, value): value for value in knob_values(knob, n_cases)
        }
        for text_of_value, value in values.items():
            if is_same_word(word, text_of_value):
                return value
        if knob.choices:
            return self.option(key, knob.label, values, default)
        self._problems.append(Problem(key, label=knob.label, word=word))
        return default

    def edits(self, dataset: Dataset, row: int) -> dict[int, float]:
        """Return the features changed by hand."""
        if CHANGED not in self._query:
            return {}
        word = self._query.get(ROW)
        if word is not None and not is_same_word(word, str(row + 1)):
            self._problems.append(Problem.of_other_case(CHANGED))
            return {}
        changed, messages = read_changes(self._query[CHANGED], dataset, row)
        self._problems.extend(Problem(CHANGED, message) for message in messages)
        return encode_changes(dataset, row, changed)


def knob_values(knob: Knob, n_cases: int) -> list[Any]:
    """List the values that the widget of a parameter offers."""
    if knob.choices:
        return [value for value, _ in knob.choices]
    return [*knob.offered(max(1, n_cases)), *([None] if knob.none else [])]


def write_changes(dataset: Dataset, changed: Mapping[int, Value]) -> str:
    """Write values changed by hand: column and value in turn, categories by their number."""
    columns = dataset.schema.columns
    return _SEPARATOR.join(
        f"{j}{_SEPARATOR}{_value_token(columns[j], value)}" for j, value in sorted(changed.items())
    )


def read_changes(token_text: str, dataset: Dataset, row: int) -> tuple[dict[int, Value], list[str]]:
    """Read values changed by hand; return them, and messages about those that cannot be used."""
    changed, messages = dict[int, Value](), list[str]()
    for column_token, value_token in _token_pairs(token_text):
        try:
            column = _read_column(dataset, row, column_token)
            changed[column] = _read_value(dataset, row, column, value_token)
        except UnusableError as error:
            part = f"the changed value {_quoted(value_token)}"
            messages.append(_message(part, error, "the case's own value is used instead"))
    return changed, messages


def write_pins(pins: Sequence[View]) -> str:
    """Write pins: row, method, and in turn names and values that differ from the defaults."""
    return (2 * _SEPARATOR).join(_pin_tokens(pin) for pin in pins)


def read_pins(token_text: str, dataset: Dataset) -> tuple[tuple[View, ...], list[str]]:
    """Read pins of a data set; return them, and messages about those that cannot be used."""
    pins, messages = list[View](), list[str]()
    for pin_text in token_text.split(2 * _SEPARATOR) if token_text else ():
        try:
            if len(pins) == MAX_PINS:
                raise UnusableError(f"is one more than the {MAX_PINS} possible")
            pins.append(_read_pin(pin_text, dataset))
        except UnusableError as error:
            messages.append(_message(f"the pin {_quoted(pin_text)}", error, "it is left out"))
    return tuple(pins), messages


def write_rows(rows: Mapping[str, int]) -> str:
    """Write the case chosen in each data set."""
    return _SEPARATOR.join(f"{name}{_SEPARATOR}{row + 1}" for name, row in sorted(rows.items()))


def read_rows(token_text: str, samples: Mapping[str, Sample]) -> tuple[dict[str, int], list[str]]:
    """Read the cases chosen in samples; return them, and messages about unusable ones."""
    rows, messages = dict[str, int](), list[str]()
    for name, token in _token_pairs(token_text):
        try:
            if name not in samples:
                raise UnusableError("is of data that are not here")
            n_samples = samples[name].n_samples
            rows[name] = (
                _read_whole(token, n_samples + 1, f"is not between 1 and {n_samples}", 1) - 1
            )
        except UnusableError as error:
            part = f"case {_quoted(token)} of {_quoted(name)}"
            messages.append(_message(part, error, "the first one is used instead"))
    return rows, messages


def _message(part: str, error: UnusableError, instead: str) -> str:
    return f"The link asks for {part}, which {error}; {instead}."


def _quoted(token: str) -> str:
    return text.markdown(text.shorten(token, _MAX_TOKEN_LENGTH)) or "''"


def _token_pairs(token_text: str) -> Iterator[tuple[str, str]]:
    tokens = token_text.split(_SEPARATOR)
    tokens += [""] * (len(tokens) % 2)
    return zip(tokens[::2], tokens[1::2], strict=True)


def _value_token(column: Column, value: Value) -> str:
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return str(column.categories.index(str(value)))


def _read_whole(token: str, stop: int, reason: str, start: int = 0) -> int:
    if not _WHOLE_NUMBER.fullmatch(token) or not start <= int(token) < stop:
        raise UnusableError(reason)
    return int(token)


def _read_column(dataset: Dataset, row: int, token: str) -> int:
    column = _read_whole(token, len(dataset.schema.columns), "names a column that is not there")
    if column not in changeable_columns(dataset, row):
        raise UnusableError("is of a column that is not to be changed")
    return column


def _read_value(dataset: Dataset, row: int, j: int, token: str) -> Value:
    """Read a value of a column, within the bounds that its widget has."""
    column = dataset.schema.columns[j]
    if column.kind == "nominal":
        n = len(column.categories)
        return column.categories[_read_whole(token, n, f"is not one of the {n} categories")]
    number = _read_number(token)
    values = dataset.X[:, [dataset.schema.starts[j]]]
    low, high = float(values.min()), float(values.max())
    if len(changeable_columns(dataset, row)) <= MAX_WIDGETS and not low <= number <= high:
        name = text.markdown(column.name)
        raise UnusableError(f"is not between {low:g} and {high:g}, as {name} is in the data")
    return number


def _read_number(token: str) -> float:
    try:
        number = float(token) if len(token) <= _MAX_TOKEN_LENGTH else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UnusableError("is not a number")
    if abs(number) > LARGEST_FEATURE:
        raise UnusableError(f"is larger than {LARGEST_FEATURE:g}")
    return number


_PIN_SPLIT, _PIN_SEED, _PIN_SHARE = "split", "seed", "share"


def _pin_tokens(pin: View) -> str:
    choice, split = pin.choice, pin.split
    defaults = default_parameters(choice.algorithm, pin.dataset, len(split.train) - 1)
    tokens = {
        name: _NONE if value is None else str(value)
        for name, value in choice.params
        if defaults.get(name) != value
    }
    tokens |= {} if choice.scaled else {SCALED: "0"}
    tokens |= {TFIDF: "0"} if pin.dataset.has_word_counts and not choice.tfidf else {}
    if split.kind == "random":
        tokens |= {_PIN_SPLIT: "random"} if pin.dataset.split is not None else {}
        tokens |= {_PIN_SEED: str(split.seed)} if split.seed else {}
        percent = round(100 * split.test_share)
        tokens |= {_PIN_SHARE: str(percent)} if percent != DEFAULT_TEST_PERCENT else {}
    changed = pin.changed_values() if pin.edits else {}
    changes = [write_changes(pin.dataset, changed)] if changed else []
    pairs = [f"{name}{_SEPARATOR}{value}" for name, value in tokens.items()]
    return _SEPARATOR.join([str(pin.row + 1), choice.key, *pairs, *changes])


def _read_pin(pin_text: str, dataset: Dataset) -> View:
    (row_token, key), *pairs = _token_pairs(pin_text)
    n_samples = dataset.n_samples
    reason = f"names a case that is not between 1 and {n_samples}"
    row = _read_whole(row_token, n_samples + 1, reason, 1) - 1
    if key not in ALGORITHMS or not ALGORITHMS[key].learns(dataset):
        raise UnusableError("names a method that is not possible with these data")
    tokens = {name: token for name, token in pairs if not _WHOLE_NUMBER.fullmatch(name)}
    split = _read_pin_split(dataset, tokens)
    params = _read_pin_parameters(ALGORITHMS[key], tokens, dataset, len(split.train) - 1)
    if tokens.keys() - params.keys() - {SCALED, TFIDF, _PIN_SPLIT, _PIN_SEED, _PIN_SHARE}:
        raise UnusableError("names a parameter that the method does not have")
    changed = dict[int, Value]()
    for name, token in pairs:
        if name not in tokens:
            column = _read_column(dataset, row, name)
            changed[column] = _read_value(dataset, row, column, token)
    tfidf = dataset.has_word_counts and tokens.get(TFIDF) != "0"
    choice = ModelChoice(key, tuple(sorted(params.items())), tokens.get(SCALED) != "0", tfidf)
    return View(dataset, choice, split, row, encode_changes(dataset, row, changed))


def _read_pin_split(dataset: Dataset, tokens: Mapping[str, str]) -> Split:
    if dataset.split is not None and _PIN_SPLIT not in tokens:
        return holdout_split(dataset, kind="published")
    reason = "names a test set that is not possible"
    percent = _read_whole(
        tokens.get(_PIN_SHARE, str(DEFAULT_TEST_PERCENT)),
        MOST_TEST_PERCENT + 1,
        reason,
        LEAST_TEST_PERCENT,
    )
    seed = _read_whole(tokens.get(_PIN_SEED, "0"), MOST_SEED + 1, reason)
    return holdout_split(dataset, kind="random", test_share=percent / 100, seed=seed)


def _read_pin_parameters(
    algorithm: Algorithm, tokens: Mapping[str, str], dataset: Dataset, n_cases: int
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    defaults = default_parameters(algorithm, dataset, n_cases)
    for knob in algorithm.knobs_for(dataset):
        if knob.matters(values):
            values[knob.name] = defaults.get(knob.name, algorithm.defaults[knob.name])
            if knob.name in tokens:
                values[knob.name] = _read_pin_value(knob, tokens[knob.name], n_cases)
    return values


def _read_pin_value(knob: Knob, token: str, n_cases: int) -> Any:
    values = {_NONE if v is None else str(v): v for v in knob_values(knob, n_cases)}
    if token not in values:
        name = text.markdown(knob.label)
        raise UnusableError(f"asks for a value that {name} cannot have")
    return values[token]
