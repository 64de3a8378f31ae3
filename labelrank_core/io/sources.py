"""Files of any sort, a path or an open file, as a name and bytes of bounded size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from labelrank_core.data.findings import DatasetError, Finding, Severity

MAX_BYTES = 1_000_000_000
# What a Parquet file begins with: its parts are read where they lie.
PARQUET_MARK = b"PAR1"

File = str | PathLike[str] | BinaryIO | tuple[str, bytes]


@dataclass(frozen=True)
class Source:
    """The content of one file."""

    name: str
    data: bytes
    findings: tuple[Finding, ...] = ()
    path: Path | None = None

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return PurePath(self.name).stem or self.name

    @property
    def n_bytes(self) -> int:
        """How large the content is."""
        return len(self.data) if self.path is None else self.path.stat().st_size

    def whole(self) -> bytes:
        """Return all of the content."""
        if self.path is None:
            return self.data
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise DatasetError([_cannot_be_opened(self.path, error)]) from error


def open_sources(
    files: File | Sequence[File], *, names: Sequence[str] | None, max_bytes: int | None = None
) -> list[Source]:
    """Read files; what cannot be read becomes a source with a finding."""
    listed: list[object] = list(files) if _is_collection(files) else [files]  # type: ignore[arg-type]
    if names is not None and len(names) != len(listed):
        raise ValueError(f"Expected a name for each of {len(listed)} file(s), got {len(names)}.")
    opened: list[Source] = []
    most = MAX_BYTES if max_bytes is None else max_bytes
    left = most
    for i, file in enumerate(listed):
        source = _open(file, None if names is None else str(names[i]), left)
        if source.n_bytes > left:
            issue = _too_large(source.name, most, alone=not opened)
            source = Source(source.name, b"", (issue,))
        opened.append(source)
        left -= source.n_bytes
    return opened


def _is_collection(files: object) -> bool:
    if isinstance(files, (str, PathLike)) or hasattr(files, "read"):
        return False
    pair = isinstance(files, tuple) and len(files) == 2 and _is_bytes(files[1])
    return isinstance(files, Iterable) and not pair and not _is_bytes(files)


def _is_bytes(thing: object) -> bool:
    return isinstance(thing, (bytes, bytearray, memoryview))


def _open(file: object, name: str | None, most: int) -> Source:
    """Read a file, and of one that is larger than the limit one byte more than that."""
    if isinstance(file, tuple) and len(file) == 2 and _is_bytes(file[1]):
        return Source(name or Path(str(file[0])).name, bytes(file[1]))
    if isinstance(file, (str, PathLike)):
        path = Path(fspath(file))
        try:
            with path.open("rb") as stream:
                size = path.stat().st_size or most  # what is no plain file has no size
                start = stream.read(min(len(PARQUET_MARK), size))
                if start == PARQUET_MARK and path.is_file() and size <= most:
                    return Source(name or path.name, start, path=path.absolute())
                return Source(name or path.name, start + stream.read(min(size, most) + 1))
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            return Source(name or path.name, b"", (_cannot_be_opened(path, error),))
    if not hasattr(file, "read"):
        raise TypeError(
            "Expected a path, a binary file object or a pair (name, bytes), "
            f"got {type(file).__name__}."
        )
    return Source(name or _name_of(file), _content_of(file, most))


def _cannot_be_opened(path: Path, error: Exception) -> Finding:
    reason = getattr(error, "strerror", None) or str(error)
    message = f"the file '{path.name}' cannot be opened: {reason}."
    return Finding(
        "unreadable-file", Severity.ERROR, message, "Check the path and the permissions."
    )


def _content_of(file: Any, most: int) -> bytes:
    # An uploaded file is read again whenever the page runs: always start at its beginning.
    if hasattr(file, "seekable") and file.seekable():
        file.seek(0)
    data = file.read(most + 1)
    if not _is_bytes(data):
        raise TypeError(
            f"Expected a file opened in binary mode, got one that reads {type(data).__name__}."
        )
    return bytes(data)


def _name_of(file: object) -> str:
    name = getattr(file, "name", None)
    return Path(name).name if isinstance(name, str) and name else "data"


def _too_large(name: str, most: int, *, alone: bool) -> Finding:
    together = "" if alone else " together with the files before it"
    return Finding(
        "too-large",
        Severity.ERROR,
        f"the file '{name}'{together} is larger than {most // 1_000_000} MB, the most that is "
        "read.",
        "Take a sample of its rows, or leave out columns that are not needed.",
    )
