"""Compressed files that do not look like bombs: tables of zeros shrink a thousandfold."""

import gzip
import io
import zipfile
from collections.abc import Callable, Iterable, Sequence

from labelrank_core.io.archives import may_unpack

_LEVELS = (6, 1, 0)


def zipped(files: Sequence[tuple[str, Callable[[], Iterable[bytes]]]]) -> bytes:
    """Pack files into a zip archive, less tightly where this program would not unpack them."""
    buffer = io.BytesIO()
    for level in _LEVELS:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            for name, pieces in files:
                with archive.open(name, "w", force_zip64=True) as member:
                    for piece in pieces():
                        member.write(piece)
            sizes = [(one.file_size, one.compress_size) for one in archive.infolist()]
        if all(may_unpack(*pair) for pair in sizes):
            break
    return buffer.getvalue()


def gzipped(data: bytes) -> bytes:
    """Pack one file, less tightly where this program would not unpack it."""
    packed = data
    for level in _LEVELS:
        packed = gzip.compress(data, level, mtime=0)
        if may_unpack(len(data), len(packed)):
            break
    return packed
