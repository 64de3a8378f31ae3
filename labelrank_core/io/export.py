"""Data sets to files: the formats that can hold one, the losses of each, the files."""

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import DatasetError, Finding, Severity
from labelrank_core.io.archives import zipped
from labelrank_core.io.content import Export, file_stem
from labelrank_core.io.formats import FORMATS
from labelrank_core.io.formats.base import Files, Writer

WRITERS = tuple(writer for form in FORMATS for writer in form.writers)


def format_losses(dataset: Dataset) -> list[tuple[Writer, tuple[Finding, ...]]]:
    """List all formats with their losses of a data set.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    list of (Writer, tuple of Finding)
        Counted from the data; an error says why a format cannot hold them at all.
    """
    return [(writer, tuple(writer.losses(Export(dataset)))) for writer in WRITERS]


def write_dataset(dataset: Dataset, form: Writer | str) -> list[tuple[str, bytes]]:
    r"""Write a data set.

    `read_dataset` reads the files together, without a choice, as the same data apart from what
    the format loses; only roles of ARFF attributes that look like row numbers or like a split need
    to be given. It takes names of data sets from names of files.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Writer or str
        The format or its key, such as ``"csv"``.

    Returns
    -------
    list of (str, bytes)
        Names and contents: one file, or an ARFF file with its XML file, or a training and a test
        file where the data have a split that one file cannot hold.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.

    Examples
    --------
    >>> from labelrank_core import Task
    >>> data = Dataset(X=[[0.5], [0.25]], Y=[[1, 2], [2, 1]], task=Task.LABEL_RANKING,
    ...                feature_names=["x"], label_names=["a", "b"], name="tiny")
    >>> write_dataset(data, "csv")[0][1].decode("utf-8-sig")
    'x,label_position:a,label_position:b\n0.5,1,2\n0.25,2,1\n'
    """
    return [(name, b"".join(content())) for name, content in _files(dataset, form)]


def archive_name(dataset: Dataset, form: Writer | str) -> str:
    """Return the name of the one file that `write_archive` makes, without making it."""
    names = [name for name, _ in _files(dataset, form)]
    return names[0] if len(names) == 1 else f"{file_stem(dataset.name)}.zip"


def write_archive(dataset: Dataset, form: Writer | str) -> bytes:
    """Write a data set as one file, a zip archive where the format needs several."""
    files = _files(dataset, form)
    return zipped(files) if len(files) > 1 else b"".join(files[0][1]())


def _files(dataset: Dataset, form: Writer | str) -> Files:
    writers = {writer.key: writer for writer in WRITERS}
    key = form.key if isinstance(form, Writer) else form
    if key not in writers:
        raise ValueError(f"Expected form to be one of {', '.join(writers)}, got {form!r}.")
    lost = writers[key].losses(Export(dataset))
    if any(finding.severity is Severity.ERROR for finding in lost):
        raise DatasetError(lost)
    return writers[key].files(Export(dataset))
