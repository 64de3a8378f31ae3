r"""Data sets to files: what each format would lose, and the files.

>>> from labelrank_core.data.dataset import Dataset, Task
>>> data = Dataset(X=[[0.5], [0.25]], Y=[[1, 2], [2, 1]], task=Task.LABEL_RANKING,
...                feature_names=["x"], label_names=["a", "b"], name="tiny")
>>> [form.key for form, losses in writable_formats(data) if not losses]
['csv', 'tsv', 'words', 'excel', 'parquet', 'xarff', 'scikit-lr']
>>> write_dataset(data, "csv")[0][1].decode("utf-8-sig")
'x,label_position:a,label_position:b\n0.5,1,2\n0.25,2,1\n'
"""

from labelrank_core.io.writing.formats import (
    FORMATS,
    Format,
    archive_name,
    format_losses,
    writable_formats,
    write_archive,
    write_dataset,
)

__all__ = [
    "FORMATS",
    "Format",
    "archive_name",
    "format_losses",
    "writable_formats",
    "write_archive",
    "write_dataset",
]
