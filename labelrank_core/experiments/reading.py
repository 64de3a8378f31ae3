"""Configs read from any text: checked, bounded, and refused in one sentence."""

import json
from collections.abc import Sequence
from dataclasses import fields
from inspect import Parameter, signature
from math import prod
from typing import Any

from labelrank_core.data import list_samples
from labelrank_core.experiments.config import (
    PROTOCOLS,
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
)
from labelrank_core.io import read_dataset
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS

# More than any experiment needs; without limits a text could exhaust time or memory.
MOST_CHARACTERS = 1_000_000
MOST_UNITS = 100_000
_MOST_ITEMS = 1000
_MOST_SETTINGS = 10_000
_LARGEST_COUNT = 100_000
_LONGEST_NAME = 1000
_LARGEST_SEED = 2**32 - 1
_CHOICES = {
    name
    for name, parameter in signature(read_dataset).parameters.items()
    if parameter.kind is Parameter.KEYWORD_ONLY
}


def read_config(text: str) -> Experiment:
    """Read a config.

    Parameters
    ----------
    text : str
        JSON, as in the example of `labelrank_core.experiments.config`.

    Returns
    -------
    Experiment
        Checked, except that files are not opened yet.

    Raises
    ------
    ConfigError
        If something is missing, unknown or out of range; the message says where.

    Examples
    --------
    >>> experiment = read_config('{"data": ["iris"], "methods": [{"key": "knn"}]}')
    >>> experiment.protocol.n_folds, experiment.methods[0].name
    (10, 'k-NN label ranking')
    >>> read_config('{"data": ["iris"], "methods": []}')
    Traceback (most recent call last):
    ...
    labelrank_core.experiments.config.ConfigError: methods: expected a list of at least one, got [].
    """
    if len(text) > MOST_CHARACTERS:
        raise ConfigError(
            f"Expected a config of at most {MOST_CHARACTERS:,} characters, got {len(text):,}."
        )
    try:
        return _experiment(_parsed(text))
    except RecursionError:
        raise ConfigError("Expected a config, got brackets within brackets too deep.") from None


def _parsed(text: str) -> Any:
    def no_number(word: str) -> Any:
        raise ConfigError(f"Expected numbers, got {word}.")

    try:
        config = json.loads(text, parse_constant=no_number)
        # JSON escapes may hold unpaired surrogates, which no file or table can.
        json.dumps(config, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ConfigError(f"Line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except UnicodeEncodeError as error:
        character = ascii(error.object[error.start])
        raise ConfigError(f"Expected text, got {character}, which is half a character.") from None
    except ConfigError:
        raise
    except ValueError:
        raise ConfigError("Expected numbers of at most 4300 digits.") from None
    return config


def _experiment(config: Any) -> Experiment:
    _check_keys("config", config, {"name", "data", "methods", "protocol", "scheduler"})
    data = _listed("data", config.get("data"))
    methods = _listed("methods", config.get("methods"))
    experiment = Experiment(
        tuple(_source(f"data[{i}]", entry) for i, entry in enumerate(data)),
        tuple(_method(f"methods[{i}]", entry) for i, entry in enumerate(methods)),
        _protocol(config.get("protocol", {})),
        _text("name", config.get("name", "experiment")),
        _text("scheduler", config.get("scheduler", "")),
    )
    names = [method.name for method in experiment.methods]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ConfigError(f"methods[{i}]: {_quoted(name)} is there twice; give one a title.")
    n_given = len(experiment.protocol.folds or experiment.protocol.fold_files)
    if n_given not in (0, len(experiment.data)):
        raise ConfigError(
            f"protocol: expected folds of all {len(experiment.data)} data sets, got {n_given}."
        )
    _check_size(experiment)
    return experiment


def _check_size(experiment: Experiment) -> None:
    protocol = experiment.protocol
    levels = len(protocol.missing) * len(protocol.train_shares)
    n_units = len(experiment.data) * len(experiment.methods) * protocol.n_parts * levels
    if n_units > MOST_UNITS:
        raise ConfigError(f"Expected at most {MOST_UNITS:,} trainings, got {n_units:,}.")


def _check_keys(location: str, entry: Any, allowed: set[str]) -> None:
    if not isinstance(entry, dict):
        raise ConfigError(f"{location}: expected an object with names, got {_quoted(entry)}.")
    for name in entry:
        if name not in allowed:
            raise ConfigError(
                f"{location}: unknown name {_quoted(name)}; known are {', '.join(sorted(allowed))}."
            )


def _listed(location: str, values: Any) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise ConfigError(f"{location}: expected a list of at least one, got {_quoted(values)}.")
    if len(values) > _MOST_ITEMS:
        raise ConfigError(f"{location}: expected at most {_MOST_ITEMS:,}, got {len(values):,}.")
    return values


def _text(location: str, text: Any) -> str:
    if not isinstance(text, str):
        raise ConfigError(f"{location}: expected text, got {_quoted(text)}.")
    if len(text) > _LONGEST_NAME:
        raise ConfigError(
            f"{location}: expected at most {_LONGEST_NAME:,} characters, got {len(text):,}."
        )
    return text


def _quoted(value: Any) -> str:
    return _short(repr(value) if isinstance(value, str) else json.dumps(value), 60)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _source(location: str, entry: Any) -> DataSource:
    if isinstance(entry, str):
        samples = [sample.name for sample in list_samples()]
        if entry not in samples:
            raise ConfigError(
                f"{location}: expected a sample ({', '.join(samples)}) or files, got "
                f"{_quoted(entry)}."
            )
        return DataSource("sample", (entry,))
    _check_keys(location, entry, {"files", "choices", "stored"})
    if "stored" in entry:
        return DataSource("stored", (_text(f"{location}.stored", entry["stored"]),))
    names = _listed(f"{location}.files", entry.get("files"))
    files = [_text(f"{location}.files", name) for name in names]
    choices = entry.get("choices", {})
    _check_keys(f"{location}.choices", choices, _CHOICES)
    return DataSource("files", tuple(files), json.dumps(choices, sort_keys=True))


def _method(location: str, entry: Any) -> Method:
    _check_keys(location, entry, {"key", "params", "scaled", "tfidf", "tune", "title"})
    key = entry.get("key")
    if not isinstance(key, str) or key not in ALGORITHMS:
        keys = ", ".join(ALGORITHMS)
        raise ConfigError(f"{location}.key: expected one of {keys}, got {_quoted(key)}.")
    params, tune = entry.get("params", {}), entry.get("tune", {})
    names = set(ALGORITHMS[key].build().get_params())
    _check_keys(f"{location}.params", params, names)
    _check_keys(f"{location}.tune", tune, names - set(params))
    for name, value in params.items():
        _check_value(f"{location}.params.{name}", key, name, value)
    for name, values in tune.items():
        for value in _listed(f"{location}.tune.{name}", values):
            _check_value(f"{location}.tune.{name}", key, name, value)
    n_settings = prod(len(values) for values in tune.values())
    if n_settings > _MOST_SETTINGS:
        raise ConfigError(
            f"{location}.tune: expected at most {_MOST_SETTINGS:,} settings, got {n_settings:,}."
        )
    prepared = {"scaled": True, "tfidf": False}
    prepared |= {name: entry[name] for name in prepared if name in entry}
    for name, value in prepared.items():
        if not isinstance(value, bool):
            raise ConfigError(f"{location}.{name}: expected true or false, got {_quoted(value)}.")
    choice = ModelChoice(key, (), prepared["scaled"], prepared["tfidf"]).with_params(**params)
    grid = tuple((name, tuple(values)) for name, values in tune.items())
    return Method(choice, grid, _text(f"{location}.title", entry.get("title", "")))


def _check_value(location: str, key: str, name: str, value: Any) -> None:
    """Check one value of a parameter by the estimator, and that a count is not too large."""
    counts = {knob.name for knob in ALGORITHMS[key].knobs}
    if isinstance(value, int) and name in counts and abs(value) > _LARGEST_COUNT:
        raise ConfigError(
            f"{location}: expected a number up to {_LARGEST_COUNT:,}, got {_quoted(value)}."
        )
    try:
        ALGORITHMS[key].check_params(**{name: value})
    except ValueError as error:
        raise ConfigError(f"{location}: {_short(str(error), 500)}") from None


def _protocol(entry: Any) -> Protocol:
    _check_keys("protocol", entry, {field.name for field in fields(Protocol)})
    values = dict(entry)
    for name in ("missing", "train_shares"):
        if name in values:
            values[name] = tuple(_listed(f"protocol.{name}", values[name]))
    values |= _given_folds(values)
    protocol = Protocol(**values)
    low = (0, 1)
    ranges: Sequence[tuple[str, Sequence[Any], type, tuple[float, float]]] = (
        ("n_folds", [protocol.n_folds], int, (2, 1000)),
        ("n_repeats", [protocol.n_repeats], int, (1, 1000)),
        ("seed", [protocol.seed], int, (0, _LARGEST_SEED)),
        ("test_share", [protocol.test_share], float, low),
        ("train_rows", [protocol.train_rows], int, (0, _LARGEST_COUNT)),
        ("missing", protocol.missing, float, low),
        ("train_shares", protocol.train_shares, float, low),
        ("tuning_folds", [protocol.tuning_folds], int, (2, 1000)),
    )
    for name, numbers, kind, (least, largest) in ranges:
        for value in numbers:
            right = isinstance(value, int if kind is int else (int, float))
            if not right or isinstance(value, bool) or not least <= value <= largest:
                raise ConfigError(
                    f"protocol.{name}: expected a number from {least} to {largest}, "
                    f"got {_quoted(value)}."
                )
    _check_shares(protocol)
    return protocol


def _given_folds(values: dict[str, Any]) -> dict[str, Any]:
    """Check folds in a config, or the files to read them from; one of both if they are given."""
    folds, files = values.get("folds", []), values.get("fold_files", [])
    is_given = values.get("kind") == "given"
    if is_given != bool(folds or files) or (folds and files):
        raise ConfigError(
            'protocol: expected either folds or fold_files with "kind": "given", and neither '
            "without it."
        )
    if not is_given:
        return {}
    if files:
        names = _listed("protocol.fold_files", files)
        return {"fold_files": tuple(_text("protocol.fold_files", name) for name in names)}
    return {
        "folds": tuple(
            tuple(
                _fold_numbers(f"protocol.folds[{i}][{j}]", numbers)
                for j, numbers in enumerate(_listed(f"protocol.folds[{i}]", repetitions))
            )
            for i, repetitions in enumerate(_listed("protocol.folds", folds))
        )
    }


def _fold_numbers(location: str, numbers: Any) -> tuple[int, ...]:
    is_list = isinstance(numbers, list) and bool(numbers)
    if not is_list or not all(type(n) is int and -1 <= n <= _LARGEST_COUNT for n in numbers):
        raise ConfigError(
            f"{location}: expected a list of one fold number per row, -1 to {_LARGEST_COUNT:,}, "
            f"got {_quoted(numbers)}."
        )
    return tuple(numbers)


def _check_shares(protocol: Protocol) -> None:
    if protocol.kind not in PROTOCOLS:
        raise ConfigError(
            f"protocol.kind: expected one of {', '.join(PROTOCOLS)}, got {_quoted(protocol.kind)}."
        )
    if not isinstance(protocol.stratify, bool):
        raise ConfigError(
            f"protocol.stratify: expected true or false, got {_quoted(protocol.stratify)}."
        )
    if protocol.test_share in (0, 1) or 1 in protocol.missing or 0 in protocol.train_shares:
        raise ConfigError(
            "protocol: expected a test_share between 0 and 1, missing below 1 and train_shares "
            "above 0."
        )
    if protocol.tuning_measure not in ["", *METRICS]:
        raise ConfigError(
            f"protocol.tuning_measure: expected one of {', '.join(METRICS)}, "
            f"got {_quoted(protocol.tuning_measure)}."
        )
