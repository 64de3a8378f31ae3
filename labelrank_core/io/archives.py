"""Zip archives and gzip files: bounded before anything is unpacked."""

import gzip
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    count_of,
    listed,
    refusal,
    shorten,
)
from labelrank_core.io.limits import max_answer
from labelrank_core.io.sources import Source

MAX_MEMBERS = 200
MAX_UNPACKED = 200_000_000
MAX_RATIO = 200
# What a few bytes may grow to whatever the ratio.
_HARMLESS = 1_000_000
# A number of the table takes 8 bytes, a cell of text more, and both at least two there: 0,
TEXT_GROWTH = 6.0

_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LEVELS = (6, 1, 0)
_DOCUMENT_PARTS = {"[Content_Types].xml", "META-INF/manifest.xml"}
_ASIDE = re.compile(
    r"(readme|licen[cs]e|copying|changes|citation)\b.*|.*\.(md|html?|pdf|bib)", re.IGNORECASE
)
_DRIVE = re.compile(r"[A-Za-z]:")
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(OSError, ValueError, RuntimeError, NotImplementedError),
)
_MUCH = f"it unpacks to more than {MAX_UNPACKED // 10**6} MB or {MAX_RATIO} times its size"
_SAMPLE = "Take a sample of the rows, or give it unpacked."
_REPACK = "Unpack it yourself and choose the files that hold the data."


def unpack(files: list[Source]) -> tuple[list[Source], list[Finding]]:
    """Replace archives by the files they hold; findings name those left aside."""
    unpacked: list[Source] = []
    findings: list[Finding] = []
    for file in files:
        if is_archive(file.data):
            members, aside = _members(file)
            unpacked += members
            findings += aside
        else:
            unpacked.append(_gunzipped(file) if file.data.startswith(_GZIP) else file)
    return unpacked, findings


def may_unpack(size: int, packed_size: int) -> bool:
    """Tell whether a file grows at most 200 times, or to no more than a megabyte."""
    return size <= max(_HARMLESS, MAX_RATIO * packed_size)


def zipped(
    files: Iterable[tuple[str, Callable[[], Iterable[bytes]]]], *, growth: float = TEXT_GROWTH
) -> bytes:
    """Pack files, given in pieces, less tightly where this program would not read them.

    `growth`: how many bytes of a table can come of one byte.
    """
    buffer = io.BytesIO()
    for level in _LEVELS:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            for name, content in files:
                with archive.open(name, "w", force_zip64=True) as member:
                    member.writelines(content())
        members = archive.infolist()
        n_bytes = growth * sum(member.file_size for member in members)
        may_grow = n_bytes <= max_answer(len(buffer.getvalue()))
        if may_grow and all(may_unpack(one.file_size, one.compress_size) for one in members):
            break
    return buffer.getvalue()


def gzipped(content: bytes) -> bytes:
    """Compress a file, less tightly where this program would not unpack it."""
    packed = (gzip.compress(content, level, mtime=0) for level in _LEVELS)
    size = len(content)
    return next(
        file
        for file in packed
        if may_unpack(size, len(file)) and TEXT_GROWTH * size <= max_answer(len(file))
    )


def is_archive(data: bytes) -> bool:
    """Tell whether a file is a zip archive of files, not an office document."""
    if not data.startswith(_ZIP):
        return False
    try:
        return _DOCUMENT_PARTS.isdisjoint(zipfile.ZipFile(io.BytesIO(data)).namelist())
    except _DAMAGED:
        return False


def open_archive(file: Source) -> zipfile.ZipFile:
    """Open a zip archive that is safe to unpack; a `DatasetError` says why one is not."""
    with _undamaged(file, "it"):
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    if len(archive.infolist()) > MAX_MEMBERS:
        raise _refused("too-large", file, f"it holds more than {MAX_MEMBERS} files")
    for member in archive.infolist():
        _check_member(member, file)
    if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
        raise _refused("too-large", file, _MUCH, _SAMPLE)
    return archive


def _check_member(member: zipfile.ZipInfo, file: Source) -> None:
    name, quoted = member.filename.replace("\\", "/"), f"'{shorten(member.filename)}' in it"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or _DRIVE.match(name):
        raise _refused("bad-archive", file, f"the path of {quoted} leads out of the archive")
    if member.flag_bits & 0x1:
        raise _refused("bad-archive", file, f"{quoted} is encrypted")
    if member.compress_type not in _METHODS:
        hint = "Pack it as an ordinary zip file (deflate)."
        raise _refused("bad-archive", file, f"{quoted} is packed in a way not read here", hint)
    if not may_unpack(member.file_size, member.compress_size):
        raise _refused("too-large", file, f"{quoted} grows to more than {MAX_RATIO} times its size")


def _members(file: Source) -> tuple[list[Source], list[Finding]]:
    members, ignored = [], []
    with open_archive(file) as archive:
        for member in archive.infolist():
            path = PurePosixPath(member.filename.replace("\\", "/"))
            hidden = path.name.startswith((".", "__")) or "__MACOSX" in path.parts
            if member.is_dir() or hidden or not member.file_size:
                continue
            if _ASIDE.fullmatch(path.name):
                ignored.append(path.name)
                continue
            quoted = f"'{shorten(member.filename)}' in it"
            with _undamaged(file, quoted):
                data = read_member(archive, member)
            members.append(Source(path.name, _no_archive(data, file, quoted)))
    if not members:
        raise _refused("bad-archive", file, "it holds no file with data")
    if not ignored:
        return members, []
    message = f"{count_of(len(ignored), 'file')} of the archive not read: {listed(ignored)}."
    return members, [Finding("left-aside", Severity.INFO, message)]


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack one file of an archive, no further than it says it goes."""
    with archive.open(member) as stream:
        return stream.read(member.file_size)


def _gunzipped(file: Source) -> Source:
    max_bytes = min(MAX_UNPACKED, max(_HARMLESS, MAX_RATIO * len(file.data)))
    with _undamaged(file, "it"), gzip.GzipFile(fileobj=io.BytesIO(file.data)) as stream:
        data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise _refused("too-large", file, _MUCH, _SAMPLE)
    return Source(file.name.removesuffix(".gz"), _no_archive(data, file, "what is packed in it"))


def _no_archive(data: bytes, file: Source, subject: str) -> bytes:
    if data.startswith(_GZIP) or is_archive(data):
        raise _refused("bad-archive", file, f"{subject} is an archive itself")
    return data


@contextmanager
def _undamaged(file: Source, subject: str) -> Iterator[None]:
    """Refuse an archive, or a member of it, as damaged where unpacking fails."""
    try:
        yield
    except _DAMAGED as error:
        raise _refused("bad-archive", file, f"{subject} is damaged", "Pack it again.") from error


def _refused(code: str, file: Source, reason: str, hint: str = _REPACK) -> DatasetError:
    return refusal(code, f"the file '{shorten(file.name)}' was not unpacked: {reason}.", hint)
