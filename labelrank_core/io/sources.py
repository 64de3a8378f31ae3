"""Files of any sort, a path or an open file, as a name and bytes of bounded size."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from labelrank_core.data.findings import Finding, Severity, shorten, too_large

MAX_BYTES = 1_000_000_000
# Names that a file system would not take are looked at word by word all the same.
_MAX_NAME = 255
_BYTES = (bytes, bytearray, memoryview)

File = str | PathLike[str] | BinaryIO | tuple[str, bytes]


@dataclass(frozen=True)
class Source:
    """One file: its name without the folder, and its content or where that is read from."""

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
        """The size of the content in bytes."""
        return len(self.data) if self.path is None else self.path.stat().st_size

    @property
    def is_text(self) -> bool:
        """Whether the content is there and holds no zero byte, as all that is packed does."""
        return self.path is None and b"\0" not in self.data

    def whole(self) -> "Source":
        """Return the file with its content; `OSError` if it cannot be read any more."""
        return self if self.path is None else Source(self.name, self.path.read_bytes())


def open_sources(files: File | Sequence[File], *, max_bytes: int | None = None) -> list[Source]:
    """Open files from their beginning; one that cannot be read becomes a source with a finding."""
    # A dictionary of columns is no sequence of files.
    is_one = isinstance(files, (str, PathLike, Mapping, *_BYTES)) or hasattr(files, "read")
    is_one = is_one or _is_pair(files) or not isinstance(files, Iterable)
    opened: list[Source] = []
    limit = remaining = MAX_BYTES if max_bytes is None else max_bytes
    for file in [files] if is_one else files:  # type: ignore[union-attr]
        source = _open(file, remaining)
        if source.n_bytes > remaining:
            together = " together with the files before it" if opened else ""
            message = (
                f"the file '{shorten(source.name)}'{together} is larger than "
                f"{limit // 1_000_000} MB, the most that is read."
            )
            source = Source(source.name, b"", (too_large(message),))
        opened.append(source)
        remaining -= source.n_bytes
    return opened


def _is_pair(file: object) -> bool:
    return isinstance(file, tuple) and len(file) == 2 and isinstance(file[1], _BYTES)


def _open(file: Any, limit: int) -> Source:
    """Open a file; of one without a path that is larger than the limit take one byte more."""
    if _is_pair(file):
        return Source(_tidy(file[0]), bytes(file[1]))
    if hasattr(file, "read"):
        name = getattr(file, "name", None)
        return Source(
            _tidy(name if isinstance(name, str) and name else "data"), _content(file, limit)
        )
    if not isinstance(file, (str, PathLike)):
        raise TypeError(
            "Expected a path, a binary file object, a pair (name, bytes) or a frame, "
            f"got {type(file).__name__}."
        )
    path = Path(fspath(file))
    try:
        with path.open("rb") as stream:
            if path.is_file():
                return Source(_tidy(path), b"", path=path.absolute())
            return Source(_tidy(path), stream.read(limit + 1))
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error)
        message = f"the file '{path.name}' cannot be opened: {reason}."
        hint = "Check the path and the permissions."
        finding = Finding("unreadable-file", Severity.ERROR, message, hint)
        return Source(_tidy(path), b"", (finding,))


def _tidy(name: object) -> str:
    return Path(str(name)).name[-_MAX_NAME:]


def _content(file: Any, limit: int) -> bytes:
    # An uploaded file is read again whenever the page runs: always start at its beginning.
    if hasattr(file, "seekable") and file.seekable():
        file.seek(0)
    data = file.read(limit + 1)
    if not isinstance(data, _BYTES):
        raise TypeError(
            f"Expected a file opened in binary mode, got one that reads {type(data).__name__}."
        )
    return bytes(data)
