"""What the package exports, each name from its module: read by type checkers and by `__init__`."""

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import DatasetError, Finding, Severity
from labelrank_core.data.nouns import Nouns
from labelrank_core.data.samples import Sample, list_samples, load_sample
from labelrank_core.data.schema import Column, Schema
from labelrank_core.data.splits import Fold, Split, cross_validation, delete_labels, holdout_split

__all__ = [
    "Column",
    "Dataset",
    "DatasetError",
    "Finding",
    "Fold",
    "Nouns",
    "Sample",
    "Schema",
    "Severity",
    "Split",
    "Task",
    "cross_validation",
    "delete_labels",
    "holdout_split",
    "list_samples",
    "load_sample",
]
