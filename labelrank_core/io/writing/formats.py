"""The formats that are written, with what each of them would lose of a data set.

A format is a module with two functions and an entry in `FORMATS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import DatasetError, Finding, Severity
from labelrank_core.io.writing import arff, delimited, excel, libsvm, parquet, preflib, scikit_lr
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.packed import zipped


@dataclass(frozen=True)
class Format:
    """One way in which data sets are written.

    Parameters
    ----------
    key : str
        What `write_dataset` takes.
    title : str
        What to call it.
    summary : str
        What is in the file, in a sentence.
    losses : callable
        From a data set to findings: what would be lost; an error where it cannot be written so.
    files : callable
        From a data set to the names of files, each with what makes its content.
    """

    key: str
    title: str
    summary: str
    losses: Callable[[Dataset], list[Finding]]
    files: Callable[[Dataset], Files]


FORMATS = (
    Format(
        "csv",
        "CSV",
        "A table with a column a label: its position, or 1 where it is relevant. Text that a "
        "spreadsheet could run gets an apostrophe, which is taken away when the file is read here.",
        delimited.csv_losses,
        delimited.write_csv,
    ),
    Format(
        "tsv",
        "TSV",
        "The same table, separated by tabs.",
        delimited.csv_losses,
        delimited.write_tsv,
    ),
    Format(
        "words",
        "CSV with rankings in words",
        "A table with rankings such as b>a=c in one column.",
        delimited.words_losses,
        delimited.write_words,
    ),
    Format(
        "excel",
        "Excel workbook",
        "One sheet with a column a label; text never runs as a formula.",
        excel.excel_losses,
        excel.write_excel,
    ),
    Format(
        "parquet",
        "Parquet",
        "A typed, compressed table with a column a label.",
        parquet.parquet_losses,
        parquet.write_parquet,
    ),
    Format(
        "mulan",
        "MULAN (ARFF with XML)",
        "Dense rows, and an XML file that lists the labels.",
        arff.mulan_losses,
        arff.write_mulan,
    ),
    Format(
        "mulan-sparse",
        "MULAN, sparse (ARFF with XML)",
        "Rows that leave zeros out, and an XML file that lists the labels.",
        arff.sparse_mulan_losses,
        arff.write_sparse_mulan,
    ),
    Format(
        "meka",
        "MEKA (ARFF with -C)",
        "Dense rows, labels first; the name of the relation says how many.",
        arff.mulan_losses,
        arff.write_meka,
    ),
    Format(
        "xarff",
        "WEKA-LR (xarff)",
        "Dense rows with a RANKING attribute, labels that are not ranked left out.",
        arff.xarff_losses,
        arff.write_xarff,
    ),
    Format(
        "libsvm",
        "Multi-label libsvm",
        "Labels from 0, features from 1; names in comments, which LIBSVM's own programs refuse.",
        libsvm.libsvm_losses,
        libsvm.write_libsvm,
    ),
    Format(
        "libsvm-gz",
        "Multi-label libsvm, compressed",
        "The same, as .gz.",
        libsvm.compressed_libsvm_losses,
        libsvm.write_compressed_libsvm,
    ),
    Format(
        "scikit-lr",
        "scikit-lr's CSV",
        "Numbers of rows, features and labels and all names first, then numbers only.",
        scikit_lr.scikit_lr_losses,
        scikit_lr.write_scikit_lr,
    ),
    Format(
        "preflib",
        "PrefLib (soc, soi, toc, toi)",
        "The different rankings with their counts, without features.",
        preflib.preflib_losses,
        preflib.write_preflib,
    ),
)


def format_losses(dataset: Dataset) -> list[tuple[Format, tuple[Finding, ...]]]:
    """List all formats with what each would lose.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    list of (Format, tuple of Finding)
        Counted from the data; an error says why a format cannot hold them at all.
    """
    return [(form, tuple(form.losses(dataset))) for form in FORMATS]


def writable_formats(dataset: Dataset) -> list[tuple[Format, tuple[Finding, ...]]]:
    """List the formats that can hold a data set, with what each would lose.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    list of (Format, tuple of Finding)
        Nothing lost: no finding. Names of labels are never lost: a format that cannot hold one to
        the letter is not listed.
    """
    return [(form, issues) for form, issues in format_losses(dataset) if not _has_error(issues)]


def write_dataset(dataset: Dataset, form: Format | str) -> list[tuple[str, bytes]]:
    """Write a data set.

    `read_dataset` reads the files together, without a choice, as the same data apart from what
    the format loses; only roles of ARFF attributes that look like row numbers or like a split need
    to be given. It takes names of data sets from names of files.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Format or str
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
    """
    return [(name, content()) for name, content in _files(dataset, form)]


def archive_name(dataset: Dataset, form: Format | str) -> str:
    """Return the name of the one file that `write_archive` makes, without making it.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Format or str
        The format or its key.

    Returns
    -------
    str
        The name.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.
    """
    names = [name for name, _ in _files(dataset, form)]
    return names[0] if len(names) == 1 else f"{file_stem(dataset.name)}.zip"


def write_archive(dataset: Dataset, form: Format | str) -> bytes:
    """Write a data set as one file, a zip archive where the format needs several.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Format or str
        The format or its key.

    Returns
    -------
    bytes
        The content, which `read_dataset` takes too.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.
    """
    files = _files(dataset, form)
    if len(files) == 1:
        return files[0][1]()
    return zipped([(name, partial(_in_one_piece, content)) for name, content in files])


def _in_one_piece(content: Callable[[], bytes]) -> list[bytes]:
    return [content()]


def _files(dataset: Dataset, form: Format | str) -> Files:
    keys = [known.key for known in FORMATS]
    key = form.key if isinstance(form, Format) else form
    if key not in keys:
        raise ValueError(f"Expected form to be one of {', '.join(keys)}, got {form!r}.")
    chosen = FORMATS[keys.index(key)]
    issues = chosen.losses(dataset)
    if _has_error(issues):
        raise DatasetError(issues)
    return chosen.files(dataset)


def _has_error(issues: Sequence[Finding]) -> bool:
    return any(issue.severity is Severity.ERROR for issue in issues)
