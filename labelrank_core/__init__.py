"""Label ranking and multi-label ranking: methods, explanations, measures."""

from labelrank_core.dataset import Dataset, Task
from labelrank_core.issues import DatasetError, Issue
from labelrank_core.linear import SharedSubspaceClassifier
from labelrank_core.neighbors import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
)
from labelrank_core.readers import inspect_files, read_dataset
from labelrank_core.samples import list_samples, load_sample
from labelrank_core.trees import LabelRankingForest
from labelrank_core.version import __version__

__all__ = [
    "Dataset",
    "DatasetError",
    "Issue",
    "KNeighborsLabelRanker",
    "KNeighborsMultilabelRanker",
    "LabelRankingForest",
    "MLkNNClassifier",
    "SharedSubspaceClassifier",
    "Task",
    "__version__",
    "inspect_files",
    "list_samples",
    "load_sample",
    "read_dataset",
]
