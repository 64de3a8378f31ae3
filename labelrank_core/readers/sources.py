"""Files of any sort, a path or an open file, as a name and bytes of bounded size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from labelrank_core.issues import Issue, Severity

MAX_BYTES = 200_000_000

File = str | PathLike[str] | BinaryIO | tuple[str, bytes]


@dataclass(frozen=True)
class Source:
    """The content of one file.

    Parameters
    ----------
    name : str
        The file's name, without its folder.
    data : bytes
        The content; empty where it could not be read.
    findings : tuple of Issue
        Why it could not be read.
    """

    name: str
    data: bytes
    findings: tuple[Issue, ...] = ()

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return PurePath(self.name).stem or self.name


def open_sources(files: File | Sequence[File], *, names: Sequence[str] | None) -> list[Source]:
    """Read files; what cannot be read becomes a source with a finding.

    Parameters
    ----------
    files : path, binary file object, (name, bytes) or a sequence of these
        An open file is read from its beginning where it can be rewound.
    names : sequence of str or None
        Names to use instead of the files' own.

    Returns
    -------
    list of Source
        One for each file.

    Raises
    ------
    TypeError
        If something is neither a path nor a binary file nor a pair of name and bytes.
    ValueError
        If `names` has another length than `files`.
    """
    listed: list[object] = list(files) if _is_collection(files) else [files]  # type: ignore[arg-type]
    if names is not None and len(names) != len(listed):
        raise ValueError(f"Expected a name for each of {len(listed)} file(s), got {len(names)}.")
    opened: list[Source] = []
    left = MAX_BYTES
    for i, file in enumerate(listed):
        opened.append(_open(file, None if names is None else str(names[i]), left))
        left -= len(opened[-1].data)
    return opened


def _is_collection(files: object) -> bool:
    if isinstance(files, (str, PathLike)) or hasattr(files, "read"):
        return False
    pair = isinstance(files, tuple) and len(files) == 2 and _is_bytes(files[1])
    return isinstance(files, Iterable) and not pair and not _is_bytes(files)


def _is_bytes(thing: object) -> bool:
    return isinstance(thing, (bytes, bytearray, memoryview))


def _open(file: object, name: str | None, most: int) -> Source:
    if isinstance(file, tuple) and len(file) == 2 and _is_bytes(file[1]):
        return _bounded(name or Path(str(file[0])).name, bytes(file[1]), most)
    if isinstance(file, (str, PathLike)):
        path = Path(fspath(file))
        try:
            with path.open("rb") as stream:
                return _bounded(name or path.name, stream.read(most + 1), most)
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            reason = getattr(error, "strerror", None) or str(error)
            issue = Issue(
                "unreadable-file",
                Severity.ERROR,
                f"the file '{path.name}' cannot be opened: {reason}.",
                "Check the path and the permissions.",
            )
            return Source(name or path.name, b"", (issue,))
    if not hasattr(file, "read"):
        raise TypeError(
            "Expected a path, a binary file object or a pair (name, bytes), "
            f"got {type(file).__name__}."
        )
    return _bounded(name or _name_of(file), _content_of(file, most), most)


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


def _bounded(name: str, data: bytes, most: int) -> Source:
    if len(data) <= most:
        return Source(name, data)
    together = " together with the files before it" if most < MAX_BYTES else ""
    issue = Issue(
        "too-large",
        Severity.ERROR,
        f"the file '{name}'{together} is larger than {MAX_BYTES // 1_000_000} MB, the most that "
        "is read.",
        "Take a sample of its rows, or leave out columns that are not needed.",
    )
    return Source(name, b"", (issue,))
