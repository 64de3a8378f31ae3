"""What an experiment is: data sets x methods x protocol, as a small JSON file.

    {"name": "iris twice",
     "data": ["iris", {"files": ["mine.csv"], "choices": {"target_form": "positions"}}],
     "methods": [{"key": "knn", "params": {"n_neighbors": 5}},
                 {"key": "knn", "tune": {"n_neighbors": [1, 3, 5, 7, 9, 11, 13, 15, 21]}}],
     "protocol": {"kind": "cross_validation", "n_folds": 10, "n_repeats": 5, "seed": 0,
                  "missing": [0, 0.3, 0.6]}}

A data set is the name of a sample, or files with the choices of `read_dataset` (paths count from
the config's folder), or ``{"stored": fingerprint}`` for data kept in the store.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from labelrank_core.data.samples import list_samples, load_sample
from labelrank_core.io import read_dataset
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS

MOST_UNITS = 100_000
PROTOCOLS = ("cross_validation", "holdout", "published")


class ConfigError(ValueError):
    """A config that cannot be run; the message says where and what is expected."""


@dataclass(frozen=True)
class Method:
    """A method of an experiment, with parameters to set and parameters to tune.

    Parameters
    ----------
    choice : ModelChoice
        The method and the parameters that are set.
    tune : tuple of (str, tuple of value)
        Parameters to choose within each training part, with the values to try.
    title : str
        Name in tables; empty: the method's title with its parameters.
    """

    choice: ModelChoice
    tune: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    title: str = ""

    @property
    def name(self) -> str:
        """What tables call it."""
        if self.title:
            return self.title
        said = [f"{name}={value}" for name, value in self.choice.params]
        said += [f"{name} tuned" for name, _ in self.tune]
        said += [] if self.choice.scaled else ["not scaled"]
        return f"{self.choice.algorithm.title} ({', '.join(said)})" if said else (
            self.choice.algorithm.title
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Return it as a config has it.

        Returns
        -------
        dict
            Of plain values.
        """
        whole: dict[str, Any] = {"key": self.choice.key, "params": dict(self.choice.params)}
        if not self.choice.scaled:
            whole["scaled"] = False
        if self.tune:
            whole["tune"] = {name: list(values) for name, values in self.tune}
        if self.title:
            whole["title"] = self.title
        return whole


def untuned_twins(methods: Iterable[Method]) -> set[str]:
    """Name the methods that are settings which a tuned method among the others chooses from."""

    def fixed(method: Method, tuned: Method) -> tuple[Any, ...]:
        choice, free = method.choice, dict(tuned.tune)
        values = {**choice.algorithm.defaults, **dict(choice.params)}
        return choice.key, choice.scaled, {n: v for n, v in values.items() if n not in free}

    # Trainings share their methods: each is looked at once.
    known = {id(method): method for method in methods}.values()
    return {
        plain.name
        for plain in known
        for tuned in known
        if tuned.tune and not plain.tune and fixed(plain, tuned) == fixed(tuned, tuned)
    }


@dataclass(frozen=True)
class Protocol:
    """How methods are trained and tested.

    Parameters
    ----------
    kind : {"cross_validation", "holdout", "published"}, default="cross_validation"
        Repeated folds, repeated random parts, or the data sets' own split.
    n_folds : int, default=10
        Folds a repetition, for cross-validation.
    n_repeats : int, default=1
        Repetitions; a published split has one.
    seed : int, default=0
        Where all randomness starts.
    stratify : bool, default=False
        Whether folds get their share of every label.
    test_share : float, default=0.3
        Share of test rows of a random part.
    missing : tuple of float, default=(0.0,)
        Probabilities p0 with which labels of the training part are deleted, for label rankers.
    train_shares : tuple of float, default=(1.0,)
        Shares of the training part to learn from: more than one make a learning curve.
    tuning_folds : int, default=5
        Folds within a training part, for parameters to tune.
    tuning_measure : str, default=""
        Key of `METRICS` that tuning makes good; empty: the first that fits the task.
    """

    kind: Literal["cross_validation", "holdout", "published"] = "cross_validation"
    n_folds: int = 10
    n_repeats: int = 1
    seed: int = 0
    stratify: bool = False
    test_share: float = 0.3
    missing: tuple[float, ...] = (0.0,)
    train_shares: tuple[float, ...] = (1.0,)
    tuning_folds: int = 5
    tuning_measure: str = ""

    @property
    def n_parts(self) -> int:
        """Trainings a data set, method, level of missing labels and share of the training part."""
        folds = self.n_folds if self.kind == "cross_validation" else 1
        return folds * (1 if self.kind == "published" else self.n_repeats)


@dataclass(frozen=True)
class DataSource:
    """Where a data set comes from.

    Parameters
    ----------
    kind : {"sample", "files", "stored"}
        A sample of the project, files, or data kept in a store.
    names : tuple of str
        The sample's name, the paths, or the fingerprint.
    choices : str, default="{}"
        What `read_dataset` is told about files, as JSON.
    """

    kind: Literal["sample", "files", "stored"]
    names: tuple[str, ...]
    choices: str = "{}"

    def as_config(self) -> Any:
        """Return it as a config has it.

        Returns
        -------
        str or dict
            Of plain values.
        """
        if self.kind == "sample":
            return self.names[0]
        if self.kind == "stored":
            return {"stored": self.names[0]}
        return {"files": list(self.names), "choices": json.loads(self.choices)}

    def load(self, folder: Path) -> Any:
        """Read a sample or files.

        Parameters
        ----------
        folder : Path
            Where paths count from.

        Returns
        -------
        Dataset
            The data set.
        """
        if self.kind == "sample":
            return load_sample(self.names[0])
        return read_dataset([folder / name for name in self.names], **json.loads(self.choices))


@dataclass(frozen=True)
class Experiment:
    """Data sets x methods x protocol.

    Parameters
    ----------
    data : tuple of DataSource
        The data sets, at least one.
    methods : tuple of Method
        The methods, at least one.
    protocol : Protocol
        How they are trained and tested.
    name : str, default="experiment"
        What people call it.
    scheduler : str, default=""
        Address of a Dask scheduler whose workers do the work; empty: this machine does.
    """

    data: tuple[DataSource, ...]
    methods: tuple[Method, ...]
    protocol: Protocol = field(default_factory=Protocol)
    name: str = "experiment"
    scheduler: str = ""

    def to_json(self) -> str:
        """Write the config that repeats it.

        Returns
        -------
        str
            JSON, for `read_config`.
        """
        protocol = {
            name: value
            for name, value in asdict(self.protocol).items()
            if value != getattr(Protocol(), name)
        }
        whole = {
            "name": self.name,
            "data": [source.as_config() for source in self.data],
            "methods": [method.as_dict() for method in self.methods],
            "protocol": protocol,
        }
        if self.scheduler:
            whole["scheduler"] = self.scheduler
        return json.dumps(whole, indent=1, ensure_ascii=False)


def read_config(text: str) -> Experiment:
    """Read a config.

    Parameters
    ----------
    text : str
        JSON, as the module's first lines show it.

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
    >>> read_config('{"data": ["iris"], "methods": [{"key": "nn"}]}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    labelrank_core.experiments.config.ConfigError: methods[0].key: expected one of knn, ...'nn'.
    """
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"Line {error.lineno}, column {error.colno}: {error.msg}.") from None
    _check_keys("config", whole, {"name", "data", "methods", "protocol", "scheduler"})
    data = _listed("data", whole.get("data"))
    methods = _listed("methods", whole.get("methods"))
    experiment = Experiment(
        tuple(_source(f"data[{i}]", each) for i, each in enumerate(data)),
        tuple(_method(f"methods[{i}]", each) for i, each in enumerate(methods)),
        _protocol(whole.get("protocol", {})),
        str(whole.get("name", "experiment")),
        str(whole.get("scheduler", "")),
    )
    names = [method.name for method in experiment.methods]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ConfigError(f"methods[{i}]: {name!r} stands there twice; give one a title.")
    _check_size(experiment)
    return experiment


def _check_size(experiment: Experiment) -> None:
    protocol = experiment.protocol
    levels = len(protocol.missing) * len(protocol.train_shares)
    n_units = len(experiment.data) * len(experiment.methods) * protocol.n_parts * levels
    if n_units > MOST_UNITS:
        raise ConfigError(f"Expected at most {MOST_UNITS:,} trainings, got {n_units:,}.")


def _check_keys(where: str, given: Any, known: set[str]) -> None:
    if not isinstance(given, dict):
        raise ConfigError(f"{where}: expected an object with names, got {_shown(given)}.")
    for name in given:
        if name not in known:
            raise ConfigError(
                f"{where}: unknown name {name!r}; known are {', '.join(sorted(known))}."
            )


def _listed(where: str, given: Any) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise ConfigError(f"{where}: expected a list of at least one, got {_shown(given)}.")
    return given


def _shown(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _source(where: str, given: Any) -> DataSource:
    if isinstance(given, str):
        known = [sample.name for sample in list_samples()]
        if given not in known:
            raise ConfigError(
                f"{where}: expected a sample ({', '.join(known)}) or files, got {given!r}."
            )
        return DataSource("sample", (given,))
    _check_keys(where, given, {"files", "choices", "stored"})
    if "stored" in given:
        return DataSource("stored", (str(given["stored"]),))
    files = _listed(f"{where}.files", given.get("files"))
    choices = given.get("choices", {})
    if not isinstance(choices, dict):
        raise ConfigError(f"{where}.choices: expected an object, got {_shown(choices)}.")
    return DataSource("files", tuple(map(str, files)), json.dumps(choices, sort_keys=True))


def _method(where: str, given: Any) -> Method:
    _check_keys(where, given, {"key", "params", "scaled", "tune", "title"})
    key = given.get("key")
    if not isinstance(key, str) or key not in ALGORITHMS:
        raise ConfigError(f"{where}.key: expected one of {', '.join(ALGORITHMS)}, got {key!r}.")
    params, tune = given.get("params", {}), given.get("tune", {})
    known = set(ALGORITHMS[key].estimator().get_params())
    _check_keys(f"{where}.params", params, known)
    _check_keys(f"{where}.tune", tune, known - set(params))
    for name, value in params.items():
        _check_params(f"{where}.params.{name}", key, {name: value})
    for name, values in tune.items():
        for value in _listed(f"{where}.tune.{name}", values):
            _check_params(f"{where}.tune.{name}", key, {name: value})
    scaled = given.get("scaled", True)
    if not isinstance(scaled, bool):
        raise ConfigError(f"{where}.scaled: expected true or false, got {_shown(scaled)}.")
    choice = ModelChoice(key, scaled=scaled).with_params(**params)
    grid = tuple((name, tuple(values)) for name, values in tune.items())
    return Method(choice, grid, str(given.get("title", "")))


def _check_params(where: str, key: str, params: Mapping[str, Any]) -> None:
    estimator = ALGORITHMS[key].estimator(**params)
    try:
        estimator._validate_params()
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _protocol(given: Any) -> Protocol:
    _check_keys("protocol", given, {each.name for each in fields(Protocol)})
    values = dict(given)
    for name in ("missing", "train_shares"):
        if name in values:
            values[name] = tuple(_listed(f"protocol.{name}", values[name]))
    protocol = Protocol(**values)
    low, high = (0, 1), (0, float("inf"))
    ranges: Sequence[tuple[str, Sequence[Any], type, tuple[float, float]]] = (
        ("n_folds", [protocol.n_folds], int, (2, 1000)),
        ("n_repeats", [protocol.n_repeats], int, (1, 1000)),
        ("seed", [protocol.seed], int, high),
        ("test_share", [protocol.test_share], float, low),
        ("missing", protocol.missing, float, low),
        ("train_shares", protocol.train_shares, float, low),
        ("tuning_folds", [protocol.tuning_folds], int, (2, 1000)),
    )
    for name, numbers, kind, (least, most) in ranges:
        for value in numbers:
            right = isinstance(value, int if kind is int else (int, float))
            if not right or isinstance(value, bool) or not least <= value <= most:
                raise ConfigError(
                    f"protocol.{name}: expected a number from {least} to {most}, "
                    f"got {_shown(value)}."
                )
    _check_shares(protocol)
    return protocol


def _check_shares(protocol: Protocol) -> None:
    if protocol.kind not in PROTOCOLS:
        raise ConfigError(
            f"protocol.kind: expected one of {', '.join(PROTOCOLS)}, got {_shown(protocol.kind)}."
        )
    if not isinstance(protocol.stratify, bool):
        raise ConfigError(
            f"protocol.stratify: expected true or false, got {_shown(protocol.stratify)}."
        )
    if protocol.test_share in (0, 1) or 1 in protocol.missing or 0 in protocol.train_shares:
        raise ConfigError(
            "protocol: expected a test_share between 0 and 1, missing below 1 and train_shares "
            "above 0."
        )
    if protocol.tuning_measure not in ["", *METRICS]:
        raise ConfigError(
            f"protocol.tuning_measure: expected one of {', '.join(METRICS)}, "
            f"got {_shown(protocol.tuning_measure)}."
        )
