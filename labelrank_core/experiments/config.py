"""Experiments: data sets x methods x protocol, as a small JSON file.

    {"name": "iris twice",
     "data": ["iris", {"files": ["mine.csv"], "choices": {"target_form": "positions"}}],
     "methods": [{"key": "knn", "params": {"n_neighbors": 5}},
                 {"key": "knn", "tune": {"n_neighbors": [1, 3, 5, 7, 9, 11, 13, 15, 21]}}],
     "protocol": {"kind": "cross_validation", "n_folds": 10, "n_repeats": 5, "seed": 0,
                  "missing": [0, 0.3, 0.6]}}

A data set is the name of a sample, or files with the choices of `read_dataset` (paths are relative
to the config's folder), or ``{"stored": fingerprint}`` for data kept in the store.

Folds of one's own are read from CSV files, one per data set in their order, as
`labelrank_core.experiments.fold_files` describes them:

    "protocol": {"kind": "given", "fold_files": ["iris-folds.csv", "mine-folds.csv"]}
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from labelrank_core.data import Dataset, DatasetError, load_sample
from labelrank_core.io import read_dataset
from labelrank_core.methods import ModelChoice

PROTOCOLS = ("cross_validation", "holdout", "published", "given")
# Numbers of folds: by data set, repetition and row.
Folds = tuple[tuple[tuple[int, ...], ...], ...]


class ConfigError(ValueError):
    """A config that cannot be run; the message names the entry and the value expected."""


@dataclass(frozen=True)
class Method:
    """A method of an experiment, with parameters to set and parameters to tune.

    Parameters
    ----------
    choice : ModelChoice
        The method and the parameters that are set.
    tune : tuple of (str, tuple of value)
        Parameters to choose within each training set, with the values to try.
    title : str
        Name in tables; empty: the method's title with its parameters.
    """

    choice: ModelChoice
    tune: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    title: str = ""

    @property
    def name(self) -> str:
        """Name in tables: its title, or the algorithm's with the settings that are no defaults."""
        if self.title:
            return self.title
        settings = [f"{name}={value}" for name, value in self.choice.params]
        settings += [f"{name} tuned" for name, _ in self.tune]
        settings += [] if self.choice.scaled else ["not scaled"]
        settings += ["TF-IDF"] if self.choice.tfidf else []
        return f"{self.choice.algorithm.title} ({', '.join(settings)})" if settings else (
            self.choice.algorithm.title
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Return its entry in a config, in plain values."""
        entry: dict[str, Any] = {"key": self.choice.key, "params": dict(self.choice.params)}
        if not self.choice.scaled:
            entry["scaled"] = False
        if self.choice.tfidf:
            entry["tfidf"] = True
        if self.tune:
            entry["tune"] = {name: list(values) for name, values in self.tune}
        if self.title:
            entry["title"] = self.title
        return entry


def untuned_variants(methods: Iterable[Method]) -> set[str]:
    """Name the untuned methods that are one of the settings a tuned method chooses from."""

    def fixed(method: Method, tuned: Method) -> tuple[Any, ...]:
        choice, free = method.choice, dict(tuned.tune)
        fixed_params = {name: value for name, value in choice.values.items() if name not in free}
        return choice.key, choice.scaled, choice.tfidf, fixed_params

    # Trainings share their methods; compare each one only once.
    distinct = {id(method): method for method in methods}.values()
    return {
        plain.name
        for plain in distinct
        for tuned in distinct
        if tuned.tune and not plain.tune and fixed(plain, tuned) == fixed(tuned, tuned)
    }


@dataclass(frozen=True)
class Protocol:
    """The protocol by which methods are trained and tested.

    Parameters
    ----------
    kind : {"cross_validation", "holdout", "published", "given"}, default="cross_validation"
        Repeated folds, repeated random splits, the data sets' own split, or the folds given here.
    n_folds : int, default=10
        Folds per repetition, for cross-validation.
    n_repeats : int, default=1
        Repetitions; a published split has one.
    seed : int, default=0
        Seed of everything random.
    stratify : bool, default=False
        Whether every fold has its share of every label.
    test_share : float, default=0.3
        Share of test rows in a random split.
    missing : tuple of float, default=(0.0,)
        Probabilities p0 with which training labels are deleted, for label rankers; of data with
        pairs of labels, known pairs.
    train_shares : tuple of float, default=(1.0,)
        Shares of the training set to learn from; more than one make a learning curve.
    tuning_folds : int, default=5
        Folds within a training set, for parameters to tune.
    tuning_measure : str, default=""
        Key of the measure in `METRICS` to tune for; empty: the first that fits the task,
        which is tau_x where rankings tie labels.
    train_rows : int, default=0
        Training rows of a random split of label sets, drawn until they contain every label, as in
        Ji, Tang, Yu, Ye 2008; 0: what `test_share` leaves.
    folds : tuple, default=()
        For given folds: by data set, in the experiment's order, and by repetition the number of
        the fold that tests each row; -1 = the row always trains.
    fold_files : tuple of str, default=()
        CSV files that `labelrank_core.experiments.with_fold_files` reads into `folds`.
    """

    kind: Literal["cross_validation", "holdout", "published", "given"] = "cross_validation"
    n_folds: int = 10
    n_repeats: int = 1
    seed: int = 0
    stratify: bool = False
    test_share: float = 0.3
    missing: tuple[float, ...] = (0.0,)
    train_shares: tuple[float, ...] = (1.0,)
    tuning_folds: int = 5
    tuning_measure: str = ""
    train_rows: int = 0
    folds: Folds = ()
    fold_files: tuple[str, ...] = ()

    def of_data_set(self, index: int) -> "Protocol":
        """Return the protocol of the data set at a place: of given folds, its own alone."""
        if self.kind != "given":
            return self
        if not self.folds:
            raise ConfigError(
                "protocol.fold_files: are read by `with_fold_files`, or by the command line."
            )
        folds = self.folds[index]
        n_folds = max(len(set(numbers) - {-1}) for numbers in folds)
        return replace(self, folds=(folds,), n_folds=n_folds, n_repeats=len(folds))

    @property
    def n_parts(self) -> int:
        """Trainings per data set, method, level of missing labels and share of the training set.

        Of given folds, those of the data set that has most.
        """
        if self.kind == "given":
            return max(
                (sum(len(set(numbers) - {-1}) for numbers in folds) for folds in self.folds),
                default=0,
            )
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
        Keyword arguments of `read_dataset` for files, as JSON.
    """

    kind: Literal["sample", "files", "stored"]
    names: tuple[str, ...]
    choices: str = "{}"

    def as_config(self) -> Any:
        """Return its entry in a config, in plain values."""
        if self.kind == "sample":
            return self.names[0]
        if self.kind == "stored":
            return {"stored": self.names[0]}
        return {"files": list(self.names), "choices": json.loads(self.choices)}

    def load(self, folder: Path) -> Dataset:
        """Read a sample, or files whose paths are relative to a folder."""
        if self.kind == "sample":
            return load_sample(self.names[0])
        try:
            return read_dataset([folder / name for name in self.names], **json.loads(self.choices))
        except DatasetError:
            raise
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{', '.join(self.names)} with {self.choices}: {error}") from None


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
        Its name on the screen.
    scheduler : str, default=""
        Address of a Dask scheduler whose workers do the work; empty: this machine does.
    """

    data: tuple[DataSource, ...]
    methods: tuple[Method, ...]
    protocol: Protocol = field(default_factory=Protocol)
    name: str = "experiment"
    scheduler: str = ""

    def to_json(self) -> str:
        """Write the config that repeats the experiment, for `read_config`."""
        protocol = {
            name: value
            for name, value in asdict(self.protocol).items()
            if value != getattr(Protocol(), name)
        }
        config = {
            "name": self.name,
            "data": [source.as_config() for source in self.data],
            "methods": [method.as_dict() for method in self.methods],
            "protocol": protocol,
        }
        if self.scheduler:
            config["scheduler"] = self.scheduler
        return json.dumps(config, indent=1, ensure_ascii=False)
