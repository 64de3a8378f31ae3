"""The results of an experiment so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.experiments import Unit, units_of
from labelrank_core.experiments.store import Store
from pages.ui import compute


@dataclass(frozen=True, eq=False)
class Results:
    """An experiment with the results there are; more may come while it is running."""

    store: Store
    run: str
    datasets: Mapping[str, Dataset]
    units: Sequence[Unit]
    frame: pd.DataFrame
    running: bool

    def dataset(self, name: str) -> Dataset:
        """Return the data set that results call so."""
        return self.datasets[next(u.fingerprint for u in self.units if u.data_name == name)]


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
