"""Everything that a paper needs of an experiment, as files: tables, report, folds, predictions.

`write_folds` names the rows and seeds of every training, `write_predictions` trains again and
writes what was predicted for every test case, `write_latex` and `write_report` compare the methods.
Rows are counted from 1, as in the file that the data came from.
"""

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd

from labelrank_core.comparison.leaderboard import Leaderboard, leaderboard, levels
from labelrank_core.data import Dataset, Task
from labelrank_core.evaluation.evaluate import Evaluation
from labelrank_core.experiments.config import ConfigError, Experiment, untuned_variants
from labelrank_core.experiments.units import (
    Unit,
    UnitResult,
    evaluate_unit,
    random_state_of,
    split_of,
)
from labelrank_core.io.spreadsheets import defused_table
from labelrank_core.methods import tie_labels
from labelrank_core.metrics import Measure, shown_measures
from labelrank_core.rankings import equal_up_to_rounding
from labelrank_core.version import __version__

PREDICTION_COLUMNS = (
    *("data", "method", "missing", "train_share", "repeat", "fold", "row", "label"),
    *("true_position", "true_relevance", "position", "relevant", "score", "probability"),
    "known_pairs",
)
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")


def write_folds(
    folder: Path, experiment: Experiment, units: Sequence[Unit], datasets: Sequence[Dataset]
) -> list[Path]:
    """Write ``folds.csv``, ``trainings.csv`` and ``versions.json``.

    Parameters
    ----------
    folder : Path
        Where to.
    experiment : Experiment
        The experiment, which is part of ``versions.json``.
    units : sequence of Unit
        Its trainings.
    datasets : sequence of Dataset
        Its data sets.

    Returns
    -------
    list of Path
        The files: the training and test rows of every fold; the parameters and the seed
        (``random_state``) of every training before tuning; the versions that run here, of Python
        and packages, with the config.
    """
    by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
    tables = []
    fold_keys = set()
    for unit in units:
        fold_key = (unit.data_name, unit.repeat, unit.fold, unit.train_share)
        if fold_key not in fold_keys:
            fold_keys.add(fold_key)
            tables.append(_fold_rows(unit, by_fingerprint[unit.fingerprint]))
    versions = {
        "labelrank_core": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        "data": [
            {"name": unit_name, "fingerprint": fingerprint}
            for unit_name, fingerprint in dict.fromkeys(
                (unit.data_name, unit.fingerprint) for unit in units
            )
        ],
        "config": json.loads(experiment.to_json()),
    }
    paths = [folder / name for name in ("folds.csv", "trainings.csv", "versions.json")]
    defused_table(pd.concat(tables)).to_csv(paths[0], index=False)
    defused_table(_trainings(units)).to_csv(paths[1], index=False)
    text = json.dumps(versions, indent=1, ensure_ascii=False)
    paths[2].write_text(f"{text}\n", encoding="utf-8")
    return paths


def _fold_rows(unit: Unit, dataset: Dataset) -> pd.DataFrame:
    split = split_of(unit.protocol, dataset, unit.repeat, unit.fold, unit.train_share)
    rows = np.concatenate([split.train, split.test])
    return pd.DataFrame(
        {
            "data": unit.data_name,
            "repeat": unit.repeat,
            "fold": unit.fold,
            "train_share": unit.train_share,
            "row": rows + 1,
            "set": np.repeat(["train", "test"], [len(split.train), len(split.test)]),
        }
    )


def _trainings(units: Sequence[Unit]) -> pd.DataFrame:
    columns = ["data", "method", "missing", "train_share", "repeat", "fold", "seed"]
    rows = [
        (
            *(unit.data_name, unit.method.name, unit.missing, unit.train_share),
            *(unit.repeat, unit.fold, unit.protocol.seed, random_state_of(unit)),
            json.dumps(unit.method.as_dict(), sort_keys=True),
        )
        for unit in units
    ]
    return pd.DataFrame(rows, columns=[*columns, "random_state", "method_config"]).astype(
        {"random_state": "Int64"}
    )


def write_predictions(
    folder: Path, results: Sequence[tuple[Unit, UnitResult]], datasets: Sequence[Dataset]
) -> tuple[Path, list[str]]:
    """Train again and write ``predictions.csv``, one row per test case and label.

    Takes as long as the experiment without tuning: parameters tuned then are set now.

    Parameters
    ----------
    folder : Path
        Where to.
    results : sequence of (Unit, UnitResult)
        Trainings with what they measured.
    datasets : sequence of Dataset
        The data sets.

    Returns
    -------
    path : Path
        The file, with the columns `PREDICTION_COLUMNS`; a cell is empty where the truth is not
        known or the method does not predict it. ``known_pairs`` are all true preferences between
        pairs of labels of the case in chains such as ``a>b|c>d``, the same for each of its labels,
        where these are the targets; `labelrank_core.PairPreferences.from_words` reads
        them.
    different : list of str
        Trainings that measure something else than before, such as on another machine.
    """
    by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
    path = folder / "predictions.csv"
    different = []
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{','.join(PREDICTION_COLUMNS)}\n")
        for unit, result in results:
            dataset = by_fingerprint[unit.fingerprint]
            evaluation = evaluate_unit(unit, dataset, result.chosen)
            if not _equal(evaluation.totals, result.values):
                different.append(
                    f"{unit.method.name} on {unit.data_name}, repetition {unit.repeat}, fold "
                    f"{unit.fold}"
                )
            _write_cases(file, unit, dataset, evaluation)
    return path, different


def _equal(totals: Mapping[str, float], values: Mapping[str, float]) -> bool:
    return all(
        bool(equal_up_to_rounding(totals[key], value)) or bool(np.isnan([totals[key], value]).all())
        for key, value in values.items()
    )


def _write_cases(file: TextIO, unit: Unit, dataset: Dataset, evaluation: Evaluation) -> None:
    predicted, rows = evaluation.predictions, evaluation.rows
    ranked = dataset.task.has_rankings
    parts: dict[str, Any] = {
        "true_position": dataset.rankings[rows] if ranked else None,
        "true_relevance": dataset.relevance[rows] if dataset.task.has_zero_line else None,
        "position": predicted.positions,
        "relevant": predicted.relevance,
        "score": predicted.scores,
        "probability": predicted.probabilities,
    }
    n_labels = dataset.n_labels
    unit_key = (unit.data_name, unit.method.name, unit.missing, unit.train_share)
    table = pd.DataFrame(
        {
            **dict(zip(PREDICTION_COLUMNS, (*unit_key, unit.repeat, unit.fold), strict=False)),
            "row": np.repeat(rows + 1, n_labels),
            "label": np.tile(np.array(dataset.label_names, dtype=object), len(rows)),
            **{
                name: np.nan if values is None else np.asarray(values)[:, :n_labels].ravel()
                for name, values in parts.items()
            },
            "known_pairs": _known_pairs(dataset, rows),
        }
    )
    defused_table(table).to_csv(file, index=False, header=False, lineterminator="\n")


def _known_pairs(dataset: Dataset, rows: Any) -> Any:
    """Return the true pairs of the cases in words, once for each label; NaN for other targets."""
    if dataset.task is not Task.PAIR_PREFERENCES:
        return np.nan
    return np.repeat(np.array(dataset.preferences[rows].to_words(), dtype=object), dataset.n_labels)


def measures_of_results(
    frame: pd.DataFrame, units: Sequence[Unit], datasets: Iterable[Dataset]
) -> tuple[Measure, ...]:
    """List the measures in a table of results that screens show, the one to compare by first.

    Parameters
    ----------
    frame : DataFrame
        Results, as `labelrank_core.experiments.results_frame` returns them.
    units : sequence of Unit
        The trainings.
    datasets : iterable of Dataset
        The data sets.

    Returns
    -------
    tuple of Measure
        The main ones; where rankings tie labels, tau_x before them.
    """
    choices = {unit.method.choice for unit in units}
    ties = any(tie_labels(dataset, *choices) for dataset in datasets)
    return shown_measures(dict.fromkeys(frame["measure"]), ties=ties)


def boards(
    frame: pd.DataFrame, units: Sequence[Unit], datasets: Iterable[Dataset]
) -> Iterator[Leaderboard]:
    """Compare the methods by each measure that screens show, all labels there where possible."""
    variants = untuned_variants([unit.method for unit in units])
    missing, share = min(levels(frame, "missing")), max(levels(frame, "train_share"))
    for measure in measures_of_results(frame, units, datasets):
        board = leaderboard(
            frame, measure.key, missing=missing, train_share=share, variants=variants
        )
        if board.data_sets:
            yield board


def write_latex(
    folder: Path, frame: pd.DataFrame, units: Sequence[Unit], datasets: Iterable[Dataset]
) -> Path:
    """Write ``results.tex``: one table per measure, mean and standard deviation over folds.

    The measures are those of `measures_of_results`.

    Parameters
    ----------
    folder : Path
        Where to.
    frame : DataFrame
        Results, as `labelrank_core.experiments.results_frame` returns them.
    units : sequence of Unit
        The trainings.
    datasets : iterable of Dataset
        The data sets.

    Returns
    -------
    Path
        The file, for a document that uses the packages booktabs and, for wide tables, graphicx.
    """
    tables = [
        board.to_latex(caption=_caption(board), label=f"tab:{board.measure.key}")
        for board in boards(frame, units, datasets)
    ]
    path = folder / "results.tex"
    path.write_text("\n".join(tables), encoding="utf-8")
    return path


def _caption(board: Leaderboard) -> str:
    text = (
        f"{board.measure.title} ({board.measure.better} is better): mean and standard deviation "
        "over test sets."
    )
    n_complete = len(board.scores())
    if 0 < n_complete < len(board.data_sets):
        noun = "data set" if n_complete == 1 else "data sets"
        text += f" The average ranks are those over the {n_complete} {noun} with all methods."
    return text


def write_report(
    folder: Path, frame: pd.DataFrame, units: Sequence[Unit], datasets: Iterable[Dataset]
) -> list[Path]:
    """Write the statistical comparison by each of `measures_of_results`: a report and diagrams.

    Parameters
    ----------
    folder : Path
        Where to.
    frame : DataFrame
        Results, as `labelrank_core.experiments.results_frame` returns them.
    units : sequence of Unit
        The trainings.
    datasets : iterable of Dataset
        The data sets.

    Returns
    -------
    list of Path
        ``report.txt`` and, with three or more methods, an SVG and a PDF of each diagram of critical
        differences; the PDF is left out where a name has letters that it cannot hold.

    Raises
    ------
    ConfigError
        If fewer than two data sets or methods have results.
    """
    texts, paths = [], [folder / "report.txt"]
    for board in boards(frame, units, datasets):
        scores = board.distinct_scores()
        if len(scores) < 2 or scores.shape[1] < 2:
            raise ConfigError(
                f"Expected two or more data sets and methods to compare, got {len(scores)} and "
                f"{scores.shape[1]}."
            )
        comparison = board.compare()
        texts.append(f"{board.measure.title}\n\n{comparison.report()}")
        if comparison.differences is not None:
            drawing = comparison.diagram()
            stem = f"critical-differences-{board.measure.key}"
            paths.append(folder / f"{stem}.svg")
            paths[-1].write_text(drawing.svg(), encoding="utf-8")
            if drawing.fits_pdf:
                paths.append(folder / f"{stem}.pdf")
                paths[-1].write_bytes(drawing.pdf())
    paths[0].write_text("\n\n".join(texts), encoding="utf-8")
    return paths
