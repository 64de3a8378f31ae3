"""What the package exports, each name from its module: read by type checkers and by `__init__`."""

from labelrank_core.io.cases import read_cases
from labelrank_core.io.datasets import inspect_files, read_dataset, read_openml, read_openml_task
from labelrank_core.io.export import format_losses, write_dataset
from labelrank_core.io.formats.base import Writer
from labelrank_core.io.infer.forms import reading_preview
from labelrank_core.io.infer.proposal import Proposal
from labelrank_core.io.openml import OpenMLError
from labelrank_core.io.openml_tasks import OpenMLTask
from labelrank_core.io.pair_preferences import read_pair_preferences
from labelrank_core.io.vocabulary import Missing, Role, TargetForm, Unranked

__all__ = [
    "Missing",
    "OpenMLError",
    "OpenMLTask",
    "Proposal",
    "Role",
    "TargetForm",
    "Unranked",
    "Writer",
    "format_losses",
    "inspect_files",
    "read_cases",
    "read_dataset",
    "read_openml",
    "read_openml_task",
    "read_pair_preferences",
    "reading_preview",
    "write_dataset",
]
