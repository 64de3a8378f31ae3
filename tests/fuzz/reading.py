"""What must hold of any bytes: a data set or findings, never another exception."""

from labelrank_core import Dataset, DatasetError, inspect_files, read_dataset
from labelrank_core.data.findings import Severity
from labelrank_core.io import TargetForm

# Stands between the files of one input.
BETWEEN = b"\n%%next file%%\n"
NAMES = (["data"], ["data-train", "data-test"], ["data-train", "data-test", "data-labels"])


def as_files(content):
    """One input as named files."""
    parts = content.split(BETWEEN)[: len(NAMES)]
    return list(zip(NAMES[len(parts) - 1], parts, strict=True))


def check(content):
    """Look at the files of one input, read them with some choices, and use what is read."""
    proposal = inspect_files(as_files(content))
    issues = list(proposal.findings)
    form = list(TargetForm)[len(content) % len(TargetForm)]
    for choices in ({}, {"roles": proposal.roles, "skip_bad_rows": True}, {"target_form": form}):
        try:
            data = read_dataset(proposal, **choices)
        except DatasetError as error:
            errors = [issue for issue in error.findings if issue.severity is Severity.ERROR]
            assert errors, "findings without an error"
            issues += error.findings
        else:
            use(data)
            issues += data.findings
    for issue in issues:
        assert str(issue)
    return issues


def use(data):
    assert isinstance(data, Dataset)
    assert data.fingerprint
    assert len(data.feature_frame(slice(0, 3))) == len(data.targets_in_words(slice(0, 3)))
