"""Printed tables of numbers as data, with their measures and the way to recompute them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from labelrank_core.data import Dataset
from labelrank_core.experiments import Method, Protocol
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.methods.params import Knob
from labelrank_core.papers.curves import Curves

_PRINTED = Path(__file__).with_name("printed")
# A number, with a deviation or a rank where one is printed.
_CELL = re.compile(r"([-+]?\d++(?:\.\d++)?)(?:±(\d++\.\d++))?(?:\(\d++\.\d++\))?")
_AVERAGES = "avg.rank"


@dataclass(frozen=True)
class Cell:
    """One printed number.

    Parameters
    ----------
    block, data, column : str
        The section of the table, the data set, and the method or quantity.
    value : float
        The number.
    deviation : float or None
        The standard deviation printed beside it.
    """

    block: str
    data: str
    column: str
    value: float
    deviation: float | None = None


@dataclass(frozen=True)
class Block:
    """A section of a table: one measure, one protocol.

    Parameters
    ----------
    name : str
        What the section is called on the screen.
    measure : str
        Key of the measure; empty for quantities of the data.
    tolerance : float or None
        How far a recomputed value may lie from the print; None: the deviation printed beside it.
    protocol : Protocol
        How the paper trains and tests.
    rule : str
        The decision rule of methods that tune thresholds for the measure.
    """

    name: str
    measure: str = ""
    tolerance: float | None = 0.0
    protocol: Protocol = field(default_factory=Protocol)
    rule: str = ""


@dataclass(frozen=True)
class PrintedColumn:
    """A printed method, by its key in the catalog, which may come later than the print.

    Parameters
    ----------
    name : str
        As printed.
    key : str
        Key in `ALGORITHMS`; empty where the column is not a method, or is measured apart.
    params : tuple of (str, value)
        Parameters to set.
    tune : tuple of (str, tuple of value)
        Parameters that are tuned within the training set, and their values.
    scaled : bool
        Whether features are standardised first.
    rule : str
        The parameter that takes the decision rule of a block.
    reading : str
        Which of several readings of the paper this is; empty: the one that counts.
    """

    name: str
    key: str = ""
    params: tuple[tuple[str, Any], ...] = ()
    tune: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    scaled: bool = True
    rule: str = ""
    reading: str = ""

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> "PrintedColumn":
        """Read an entry of `columns.json`: a method as in a config, with the printed name."""
        tune = {name: tuple(values) for name, values in entry.get("tune", {}).items()}
        options = {name: entry[name] for name in ("scaled", "rule", "reading") if name in entry}
        params = tuple(entry.get("params", {}).items())
        return cls(entry["name"], entry["key"], params, tuple(tune.items()), **options)

    @property
    def exists(self) -> bool:
        """Whether the catalog has the method."""
        return self.key in ALGORITHMS

    @property
    def measured_apart(self) -> bool:
        """Whether a measurement of its own has its numbers, as no method of the catalog does."""
        return not self.key and bool(self.reading)

    @property
    def title(self) -> str:
        """Its name with its reading."""
        return f"{self.name} ({self.reading})" if self.reading else self.name

    def method(self, block: Block) -> Method:
        """Return the method as an experiment takes it."""
        choice = ModelChoice(self.key, scaled=self.scaled).with_params(**dict(self.params))
        if self.rule and block.rule:
            choice = choice.with_params(**{self.rule: block.rule})
        return Method(choice, self.tune, self.title)


@cache
def _columns() -> dict[str, list[dict[str, Any]]]:
    """Read the methods of all tables: like configs, data that only the catalog understands."""
    entries = json.loads((_PRINTED / "columns.json").read_text(encoding="utf-8"))
    return dict(entries)


@dataclass(frozen=True)
class Trial:
    """A way into the app: a page with its choices."""

    text: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reason:
    """Why some recomputed values differ; '' stands for every block, data set or column."""

    text: str
    data: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ("below", "above", "differs")

    def explains(self, cell: Cell, verdict: str) -> bool:
        """Return True if it is about a number."""
        pairs = (
            (self.data, cell.data), (self.columns, cell.column), (self.blocks, cell.block),
            (self.verdicts, verdict),
        )  # fmt: skip
        return all(not names or name in names for names, name in pairs)


@dataclass(frozen=True)
class Table:
    """A printed table, or the numbers printed of a figure.

    Parameters
    ----------
    key : str
        Its number as printed, such as "4", "II" or "Fig. 2".
    title : str
        What it shows, in one line.
    lines : tuple of (int, int)
        Where it stands in the paper's text: first and last line, from 1.
    rows : {"data", "columns", "blocks"}
        What a printed line is about.
    blocks : tuple of Block
        Its sections, in the order of print.
    source : {"rankings", "bucket orders", "pages", "yeast", "none"}
        The kind of its data sets.
    text : str
        The printed lines; empty: the file of the same name.
    data : str
        The data set where no line or column names one.
    facts : callable or None
        For quantities of the data: their values by column, from a data set and its name in print.
    protocol : str
        How the paper measures, in one sentence.
    reasons : tuple of Reason
        Why recomputed values differ, the first that fits.
    methods : tuple of PrintedColumn
        Its methods, and other readings of them; empty: those of `columns.json`.
    quantities : tuple of str
        Its columns where they are not methods.
    titles : mapping of str to str
        What to call data sets, columns and readings on the screen, where that is not as printed.
    remark : str
        What to know before reading it; empty: nothing.
    rivals : callable or None
        Other printed methods that our numbers are compared with over all data sets: their numbers
        by name, from the name of a block, in the order of `data_sets`.
    curve : callable or None
        For a printed figure: accuracy by confidence, computed again from its data set.
    """

    key: str
    title: str
    lines: tuple[int, int]
    rows: Literal["data", "columns", "blocks"]
    blocks: tuple[Block, ...]
    source: Literal["rankings", "bucket orders", "pages", "yeast", "none"]
    protocol: str
    paper: str = ""
    text: str = ""
    data: str = ""
    facts: Callable[[Dataset | None, str], Mapping[str, float]] | None = None
    reasons: tuple[Reason, ...] = ()
    methods: tuple[PrintedColumn, ...] = ()
    quantities: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""
    rivals: Callable[[str], Mapping[str, Sequence[float]]] | None = None
    curve: Callable[[Dataset], pd.DataFrame] | None = None

    @property
    def name(self) -> str:
        """Its name on the screen."""
        return f"Table {self.key}" if re.fullmatch(r"[IVX]++|\d++", self.key) else self.key

    @property
    def slug(self) -> str:
        """Its name in files: letters and digits."""
        return f"{self.paper}-{re.sub(r'[^A-Za-z0-9]++', '', self.key)}".lower()

    @cached_property
    def printed(self) -> str:
        """The printed lines: names, then a line each, columns separated by blanks."""
        return self.text or (_PRINTED / f"{self.slug}.txt").read_text(encoding="utf-8")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The printed numbers; empty cells of the print are not among them."""
        (_, *heads), *lines = (line.split() for line in self.printed.splitlines())
        block_of: dict[str, int] = {}
        cells = []
        for name, *texts in lines:
            block = block_of[name] = block_of.get(name, -1) + 1
            for head, text in zip(heads, texts, strict=True):
                number = _CELL.fullmatch(text)
                if number is not None and name != _AVERAGES:
                    deviation = float(number[2]) if number[2] else None
                    position = self._place(name, head, block)
                    cells.append(Cell(*position, float(number[1]), deviation))
        return tuple(cells)

    def _place(self, name: str, head: str, block: int) -> tuple[str, str, str]:
        """Return block, data set and column of a number from the names of its line and column."""
        if self.rows == "blocks":
            return name.replace("_", " "), self.data, head
        data, column = (head, name) if self.rows == "columns" else (name, head)
        return self.blocks[block].name, data, column

    @cached_property
    def decimals(self) -> int:
        """The most digits that a number of it has after the point."""
        values = [word[1] for word in map(_CELL.fullmatch, self.printed.split()) if word]
        return max(len(value.partition(".")[2]) for value in values)

    @cached_property
    def data_sets(self) -> tuple[str, ...]:
        """The data sets it names, in the order of print."""
        return tuple(dict.fromkeys(cell.data for cell in self.cells))

    def block(self, name: str) -> Block:
        """Return a block by its name."""
        return next(block for block in self.blocks if block.name == name)

    def tolerance(self, cell: Cell) -> float:
        """Return the largest accepted distance of a value from a printed one."""
        tolerance = self.block(cell.block).tolerance
        return (cell.deviation or 0.0) if tolerance is None else tolerance

    def reason(self, cell: Cell, verdict: str) -> str:
        """Say why a value differs; empty where nobody knows."""
        fitting = (reason.text for reason in self.reasons if reason.explains(cell, verdict))
        return next(fitting, "")

    @cached_property
    def all_columns(self) -> tuple[PrintedColumn, ...]:
        """The columns with their further readings."""
        if self.quantities:
            return tuple(PrintedColumn(name) for name in self.quantities)
        return self.methods or tuple(map(PrintedColumn.read, _columns()[self.slug]))

    @property
    def columns(self) -> tuple[PrintedColumn, ...]:
        """The columns as printed, each in the reading that counts."""
        return tuple(column for column in self.all_columns if not column.reading)

    @property
    def methods_text(self) -> str:
        """Name the method of the catalog behind each printed name, in sentences; may be empty.

        Where several names stand for one method, the parameters in which they differ follow.
        """
        sentences = []
        for key, columns in self._columns_by_method().items():
            names = [
                _with_settings(self.titles.get(column.name, column.name), settings)
                for column, settings in zip(columns, _differing_params(columns), strict=True)
            ]
            sentences.append(f"{', '.join(names)}: {ALGORITHMS[key].long_title}.")
        return " ".join(sentences)

    def plain_names(self) -> dict[tuple[str, str], str]:
        """Name the methods of the catalog in words, by printed name and reading.

        Where several stand for one method, the parameters in which they differ follow.
        """
        names = {}
        for key, columns in self._columns_by_method().items():
            counted = [column for column in columns if not column.reading]
            settings_of = dict(zip(counted, _differing_params(counted or columns), strict=False))
            for column in columns:
                title = self.titles.get(column.name, column.name)
                reading = self.titles.get(column.reading, column.reading)
                is_named = not title.startswith(column.name)
                # What a title adds to the printed name in brackets.
                remark = reading or title.removeprefix(column.name).strip(" ()")
                settings = re.sub(r" \([^)]*\)", "", settings_of.get(column, ""))
                notes = ", ".join(filter(None, (settings, remark)))
                plain_name = f"{ALGORITHMS[key].long_title}{f' ({notes})' if notes else ''}"
                names[column.name, column.reading] = title if is_named else plain_name
        return names

    def _columns_by_method(self) -> dict[str, list[PrintedColumn]]:
        columns_by_method: dict[str, list[PrintedColumn]] = {}
        for column in self.columns:
            if column.exists:
                columns_by_method.setdefault(column.key, []).append(column)
        return columns_by_method


def _with_settings(name: str, settings: str) -> str:
    """Add settings to a printed name, unless it says them already, or ends with their number."""
    number = settings.rpartition(" = ")[2]
    is_said = not settings or settings.replace(" ", "") in name
    is_said |= number.isdigit() and re.search(rf"(?<!\d){number}$", name) is not None
    return name if is_said else f"{name} with {settings}"


def _differing_params(columns: Sequence[PrintedColumn]) -> list[str]:
    """Write the parameters in which some columns of one method differ."""
    knobs = {knob.name: knob for knob in ALGORITHMS[columns[0].key].knobs}
    params = [dict(column.params) for column in columns]
    names = [
        name
        for name in dict.fromkeys(name for values in params for name in values)
        if name in knobs and len({values.get(name) for values in params}) > 1
    ]
    texts = []
    for values in params:
        parts = [_setting_text(knobs[name], values[name]) for name in names if name in values]
        texts.append(", ".join(parts))
    return texts


def _setting_text(knob: Knob, value: Any) -> str:
    """Write a setting: 'k = 5', 'linear kernel', 'rounds 1500'."""
    choices = dict(knob.choices)
    if knob.symbol != knob.label:
        return f"{knob.symbol} = {choices.get(value, value)}"
    label = knob.label.lower()
    return f"{choices[value]} {label}" if value in choices else f"{label} {value}"


@dataclass(frozen=True)
class Erratum:
    """An error or a gap in print: its place, the correction and the evidence."""

    where: str
    instead: str
    evidence: str


@dataclass(frozen=True)
class Promises:
    """The realised levels of a guarantee on some data sets, recorded and as a function.

    Parameters
    ----------
    recorded : callable
        Returns the recorded measurements, one row per data set.
    measure : callable
        Returns such a row of a data set, from a number of draws of test cases.
    n_draws : int
        How many draws were recorded.
    """

    recorded: Callable[[], pd.DataFrame]
    measure: Callable[[Dataset, int], Mapping[str, float]]
    n_draws: int


@dataclass(frozen=True)
class Paper:
    """A paper: its reference, contents, printed tables and errata.

    Parameters
    ----------
    key : str
        Short name, as in ``reproduce lr06``.
    short : str
        Short name on the screen.
    title, authors, year, where : str
        The reference.
    sentences : tuple of str
        The paper in five sentences.
    defines : tuple of (str, str)
        What it defines: a name and what it is.
    tables : tuple of Table
        Its tables.
    silent : tuple of (str, str)
        Tables and figures without numbers to check here, and why.
    errata : tuple of Erratum
        What is wrong in print.
    trials : tuple of Trial
        Ways into the app.
    promises : Promises or None
        What guarantees keep on its data sets.
    figures : tuple of Curves
        Figures without printed numbers, measured here.
    link : str
        Where the paper is read: its DOI as an address, or a page on it; empty: several works.
    is_comparison : bool
        Whether our best methods are compared with its numbers, instead of recomputing them.
    """

    key: str
    short: str
    title: str
    authors: str
    year: str
    where: str
    sentences: tuple[str, ...]
    defines: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    silent: tuple[tuple[str, str], ...]
    errata: tuple[Erratum, ...]
    trials: tuple[Trial, ...]
    promises: Promises | None = None
    figures: tuple[Curves, ...] = ()
    link: str = ""
    is_comparison: bool = False

    @property
    def citation(self) -> str:
        """Surnames and year, as papers are cited; the short name of a list of several works."""
        if not self.link:
            return self.short
        surnames = re.sub(r"(?:\S\.[- ]?)+", "", self.authors)
        return f"{surnames} {self.year}"
