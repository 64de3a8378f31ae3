"""Printed figures without numbers: their curves measured again, and the print's statements."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

CURVES = Path(__file__).with_name("measured_curves")


@dataclass(frozen=True)
class PrintedStatement:
    """A statement of print on a figure, and whether the measured curves agree.

    Parameters
    ----------
    printed : str
        What print says, as a sentence.
    holds : bool
        Whether it is so here.
    measured : str
        The numbers that show it, as a sentence.
    """

    printed: str
    holds: bool
    measured: str


@dataclass(frozen=True)
class Curves:
    """A printed figure without numbers, as it was measured here.

    Parameters
    ----------
    key : str
        Its name as printed, such as "Fig. 1".
    slug : str
        Its name in files.
    title : str
        What it shows, in one line.
    x, y : str
        The titles of the axes.
    measure : str
        Which of the recorded measures is drawn.
    protocol : str
        How it was measured.
    statements : callable
        Compares what print says with the recorded points.
    scales : tuple of (str, str), default=("log", "log")
        The scales of the axes, each "log" or "linear".
    """

    key: str
    slug: str
    title: str
    x: str
    y: str
    measure: str
    protocol: str
    statements: Callable[[pd.DataFrame], list[PrintedStatement]]
    scales: tuple[str, str] = ("log", "log")

    def points(self) -> pd.DataFrame:
        """Return the recorded points.

        Returns
        -------
        DataFrame
            One row per point: ``panel, measure, line, x, value, n_runs, version, date``.
        """
        return pd.read_csv(CURVES / f"{self.slug}.csv", dtype={"version": str})


def write_points(points: pd.DataFrame, path: Path) -> None:
    """Write measured points to a file, with six digits."""
    rounded = points.assign(value=[float(f"{value:.6g}") for value in points["value"]])
    rounded.to_csv(path, index=False)
