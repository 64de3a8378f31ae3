"""Data sets as CSV and tab-separated text, safe to open in a spreadsheet."""

import io
import re
from functools import partial

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.marks import defused
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import heads, text_blocks
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.losses import Losses

# What stands without quotes whatever reader looks for the delimiter or the kind of file.
_PLAIN = re.compile(r"[^\W_][\w .:()/%+=>-]*")


def csv_losses(dataset: Dataset) -> Losses:
    """Say what CSV or tab-separated text with a column a label does not hold."""
    return [
        *losses.odd_text(dataset),
        *losses.no_declared_categories(dataset),
        *losses.written_dense(dataset),
    ]


def words_losses(dataset: Dataset) -> Losses:
    """Say what CSV with rankings in words does not hold."""
    return [*losses.no_rankings(dataset), *losses.in_words(dataset), *csv_losses(dataset)]


def write_csv(dataset: Dataset) -> Files:
    """Write CSV with a column a label: positions or 0/1."""
    return [(f"{file_stem(dataset.name)}.csv", partial(_delimited, dataset, ","))]


def write_tsv(dataset: Dataset) -> Files:
    """Write tab-separated text with a column a label: positions or 0/1."""
    return [(f"{file_stem(dataset.name)}.tsv", partial(_delimited, dataset, "\t"))]


def write_words(dataset: Dataset) -> Files:
    """Write CSV with rankings such as ``b>a=c`` in one column."""
    return [(f"{file_stem(dataset.name)}.csv", partial(_delimited, dataset, ",", in_words=True))]


def _delimited(dataset: Dataset, delimiter: str, *, in_words: bool = False) -> bytes:
    names = [_quoted(head.name) for head in heads(dataset, in_words=in_words)]
    buffer = io.BytesIO()
    # The mark makes Excel read UTF-8.
    buffer.write("\ufeff".encode() + (delimiter.join(names) + "\n").encode())
    for block in text_blocks(dataset, _cell, in_words=in_words):
        lines = map(delimiter.join, zip(*block, strict=True))
        buffer.write(("\n".join(lines) + "\n").encode())
    return buffer.getvalue()


def _cell(text: str) -> str:
    return _quoted(defused(text))


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'
