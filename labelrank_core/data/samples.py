"""The sample data sets of the project: beside the package in a checkout, in it once installed."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns

_PACKAGE = Path(__file__).parents[1]
_INSTALLED, _CHECKOUT = _PACKAGE / "sample_data", _PACKAGE.parent / "sample_data"
_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


@dataclass(frozen=True)
class Sample:
    """Description of a sample data set, known before loading it.

    Parameters
    ----------
    name : str
        The name for `load_sample`.
    title : str
        A short heading.
    summary : str
        One sentence: what a row is, and what is ranked or relevant.
    task : Task
        The kind of targets.
    n_samples : int
        Number of rows.
    feature_names, label_names : tuple of str
        The names of the columns, units included where they are known.
    has_split : bool
        Whether there is a published training and test set.
    source, licence, reference : str
        Where the data come from, under which terms, and which publication to cite.
    derivation : str
        How the targets were made.
    start_row : int or None
        The row, counted from 1, to show first; None: any.
    path : Path
        The CSV file: features, labels, then ``(zero)`` (the position of the virtual label of a
        calibrated ranking) and ``split``, if there are such columns.
    question : str or None
        The question about a case that the sample answers, worded as a heading.
    ranked_by : str or None
        One short sentence about what puts a label first; None where the question says enough.
    name_column : str or None
        The column that names the rows.
    coordinates : tuple of str
        The columns with longitude and latitude; none where there are none.
    nouns : Nouns
        What a row and a label are called.
    label_colors : tuple of (str, str)
        The labels' own colours on a light and on a dark page; none where they have none.
    label_initials : tuple of str
        A few letters for each label; none where the first letters of the names serve.
    """

    name: str
    title: str
    summary: str
    task: Task
    n_samples: int
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    has_split: bool
    source: str
    licence: str
    reference: str
    derivation: str
    start_row: int | None
    path: Path
    question: str | None = None
    ranked_by: str | None = None
    name_column: str | None = None
    coordinates: tuple[str, ...] = ()
    nouns: Nouns = CASE_AND_LABEL
    label_colors: tuple[tuple[str, str], ...] = ()
    label_initials: tuple[str, ...] = ()


def list_samples() -> list[Sample]:
    """List the sample data sets in the order in which they are offered.

    Returns
    -------
    list of Sample
        The first one suits a newcomer.

    Raises
    ------
    FileNotFoundError
        If the folder with the samples is missing.

    Examples
    --------
    >>> sample = next(sample for sample in list_samples() if sample.name == "iris")
    >>> sample.n_samples, sample.label_names
    (150, ('setosa', 'versicolor', 'virginica'))
    """
    return list(_samples(_FOLDER))


@cache
def _samples(folder: Path) -> tuple[Sample, ...]:
    entries = json.loads(_existing(folder / "index.json").read_bytes())
    return tuple(_sample(entry) for entry in entries)


def load_sample(name: str) -> Dataset:
    """Load a sample data set by name.

    Parameters
    ----------
    name : str
        One of the names that `list_samples` gives.

    Returns
    -------
    Dataset
        Features in the units of their source, not scaled; targets as the sample's task says;
        if the sample has a split, True marks test rows.

    Raises
    ------
    ValueError
        If there is no sample of that name; the message lists the names.
    FileNotFoundError
        If its file is missing.

    Examples
    --------
    >>> data = load_sample("outings")
    >>> data.n_samples, data.label_names
    (10, ('swimming', 'hiking', 'museum', 'cinema', 'cycling'))
    >>> data.relevance[0]
    array([0, 0, 1, 0, 0])
    """
    samples = {sample.name: sample for sample in list_samples()}
    if name not in samples:
        raise ValueError(f"Expected name to be one of {', '.join(samples)}, got {name!r}.")
    sample = samples[name]
    frame = pd.read_csv(_existing(sample.path), encoding="utf-8")
    calibrated = sample.task is Task.CALIBRATED_RANKING
    names, coordinates = sample.name_column, list(sample.coordinates)
    targets = [*sample.label_names, *(["(zero)"] if calibrated else [])]
    return Dataset(
        X=frame[list(sample.feature_names)],
        Y=frame[targets],
        task=sample.task,
        feature_names=sample.feature_names,
        label_names=sample.label_names,
        name=sample.name,
        split=(frame["split"] == "test").to_numpy() if sample.has_split else None,
        case_names=frame[names] if names else None,
        coordinates=frame[coordinates] if coordinates else None,
        label_colors=sample.label_colors,
        nouns=sample.nouns,
    )


def _sample(entry: dict[str, Any]) -> Sample:
    return Sample(
        name=entry["name"],
        title=entry["title"],
        summary=entry["summary"],
        task=Task(entry["task"]),
        n_samples=entry["n_samples"],
        feature_names=tuple(entry["features"]),
        label_names=tuple(entry["labels"]),
        has_split=entry["split_column"] is not None,
        source=entry["source"],
        licence=entry["licence"],
        reference=entry["reference"],
        derivation=entry["derivation"],
        start_row=entry.get("start_row"),
        question=entry.get("question"),
        ranked_by=entry.get("ranked_by"),
        name_column=entry.get("name_column"),
        coordinates=tuple(entry.get("coordinates", ())),
        nouns=Nouns(*entry["row_noun"], *entry["label_noun"]),
        label_colors=tuple((light, dark) for light, dark in entry.get("label_colors", ())),
        label_initials=tuple(entry.get("label_initials", ())),
        path=_FOLDER / entry["file"],
    )


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise FileNotFoundError(
            f"Expected the sample data in the folder 'sample_data' in the package labelrank_core "
            f"or beside it, got no file {path}."
        )
    return path
