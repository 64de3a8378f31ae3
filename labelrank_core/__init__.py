"""Label ranking and multi-label ranking: methods, explanations, measures."""

from labelrank_core.dataset import Dataset, Task
from labelrank_core.issues import DatasetError, Issue
from labelrank_core.neighbors import KNeighborsLabelRanker, KNeighborsMultilabelRanker
from labelrank_core.readers import inspect_files, read_dataset
from labelrank_core.samples import list_samples, load_sample
from labelrank_core.trees import LabelRankingForest

__version__ = "0.1.0"

__all__ = [
    "Dataset",
    "DatasetError",
    "Issue",
    "KNeighborsLabelRanker",
    "KNeighborsMultilabelRanker",
    "LabelRankingForest",
    "Task",
    "inspect_files",
    "list_samples",
    "load_sample",
    "read_dataset",
]
