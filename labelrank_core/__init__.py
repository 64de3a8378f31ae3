"""Label ranking and multi-label ranking: methods, explanations, measures."""

from labelrank_core.dataset import Dataset, Task
from labelrank_core.issues import DatasetError, Issue

__version__ = "0.1.0"

__all__ = ["Dataset", "DatasetError", "Issue", "Task"]
