"""Experiments: data sets x methods x protocol, fold by fold, kept as they come."""

from labelrank_core.experiments.config import (
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
)
from labelrank_core.experiments.fold_files import read_folds, with_fold_files
from labelrank_core.experiments.reading import read_config
from labelrank_core.experiments.results import (
    ResultsError,
    join_results,
    read_results,
    results_of,
)
from labelrank_core.experiments.units import Unit, UnitResult, results_frame, run_unit, units_of

__all__ = [
    "ConfigError",
    "DataSource",
    "Experiment",
    "Method",
    "Protocol",
    "ResultsError",
    "Unit",
    "UnitResult",
    "join_results",
    "read_config",
    "read_folds",
    "read_results",
    "results_frame",
    "results_of",
    "run_unit",
    "units_of",
    "with_fold_files",
]
