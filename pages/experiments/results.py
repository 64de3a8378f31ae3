"""The results of an experiment so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.experiments import Unit, units_of
from labelrank_core.experiments.store import Store
from pages.ui import compute, toolbar


@dataclass(frozen=True, eq=False)
class Results:
    """An experiment with the results there are; more may come while it is running."""

    store: Store
    run: str
    datasets: Mapping[str, Dataset]
    units: Sequence[Unit]
    frame: pd.DataFrame
    running: bool

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles on the screen of data sets, by the names that results have."""
        return {unit.data_name: self.title_of(unit) for unit in self.units}

    def title_of(self, unit: Unit) -> str:
        """Return the title of the data set of a training; a number after its name stays."""
        dataset = self.datasets[unit.fingerprint]
        return unit.data_name.replace(dataset.name, toolbar.data_title(dataset), 1)

    @cached_property
    def titled_frame(self) -> pd.DataFrame:
        """The results with the titles of data sets in place of their names."""
        titled = self.frame["data"].map(lambda name: self.titles.get(name, name))
        return self.frame.assign(data=titled)

    def dataset(self, title: str) -> Dataset:
        """Return the data set of a title."""
        return self.datasets[next(u.fingerprint for u in self.units if self.title_of(u) == title)]


def trainings(store: Store, run: str) -> tuple[dict[str, Dataset], list[Unit]]:
    """Load the data sets of an experiment, by fingerprint, and list its trainings."""

    def load() -> tuple[dict[str, Dataset], list[Unit]]:
        experiment, folder = store.experiment(run)
        datasets = store.datasets(experiment, folder)
        by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
        return by_fingerprint, units_of(experiment, datasets)

    return compute.once(
        compute.digest("trainings", str(store.home), run), "Loading the experiment", load
    )


def frame(store: Store, run: str, n_done: int) -> pd.DataFrame:
    """Read the results of an experiment, of which so many are known to be there."""
    units = trainings(store, run)[1]
    return compute.once(
        compute.digest("results", str(store.home), run, n_done),
        "Reading the results",
        store.frame,
        units,
    )
