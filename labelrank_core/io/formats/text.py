"""From bytes to lines of text: encodings, and files that are not text."""

import codecs
import io
from collections.abc import Iterator

from labelrank_core.data.findings import DatasetError, Finding, Severity, refusal, too_large
from labelrank_core.io.cells import MAX_LINES

MAX_LINE_LENGTH = 10_000_000

NOTHING_IN_IT = Finding(
    "empty-file",
    Severity.ERROR,
    "the file is empty.",
    "Choose a file with a line of column names and a row for every case.",
)

# The longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN_TEXT = (
    ("<?xml", "an XML file"),
    ("<!doctype", "a web page"),
    ("<html", "a web page"),
    ('{"', "a JSON file"),
    ('[{"', "a JSON file"),
)
_SAVE_AS_CSV = "Open it in the program it comes from and save it as CSV (comma-separated, UTF-8)."
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a")) + b"\x7f"


def find_encoding(data: bytes) -> tuple[str, list[Finding]]:
    """Return Python's name of a text file's encoding; a finding where it is not UTF-8.

    A byte order mark decides; without one it is UTF-8 where that fits, else the Windows code
    page 1252, else Latin-1, which fits everything. `DatasetError` if there is no text.
    """
    if not data[:1000].strip() and not data.strip():
        raise DatasetError([NOTHING_IN_IT])
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if marked and not _decodes(data, marked):
        message = (
            f"the file begins like {marked.upper().removesuffix('-SIG')} but holds other bytes."
        )
        raise refusal("encoding", message, "Save it again as CSV UTF-8.")
    if marked is None and _looks_binary(data):
        raise refusal("not-text", "this is not a text file.", _SAVE_AS_CSV)
    encoding = marked or next(
        name for name in ("utf-8", "cp1252", "latin-1") if _decodes(data, name)
    )
    _refuse_other_formats(data, encoding)
    if encoding.startswith("utf-8"):
        return encoding, []
    hint = "" if marked else "If letters with accents look wrong, save the file again as CSV UTF-8."
    message = f"the file is not UTF-8; it was read as {encoding}."
    return encoding, [Finding("encoding", Severity.INFO, message, hint)]


def read_lines(data: bytes, encoding: str) -> Iterator[str]:
    """Yield lines with their ends, as an editor counts them, without holding the whole text."""
    stream = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")
    for number, line in enumerate(stream, start=1):
        check_lines(number)
        if len(line) > MAX_LINE_LENGTH:
            message = f"this line has more than {MAX_LINE_LENGTH} characters."
            hint = "Check that the file is a table with one row per line."
            raise DatasetError([too_large(message, hint, row=number)])
        yield line


def check_lines(n_lines: int) -> None:
    """Refuse a file with too many lines."""
    if n_lines > MAX_LINES:
        message = f"the file has more than {MAX_LINES} lines."
        raise DatasetError([too_large(message, "Take a sample of them.")])


def _decodes(data: bytes, encoding: str) -> bool:
    if encoding == "utf-8" and data.isascii():
        return True
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True


def _looks_binary(data: bytes) -> bool:
    start = data[:100_000]
    n_control = len(start) - len(start.translate(None, _CONTROL))
    return b"\0" in data or n_control > len(start) // 100


def _refuse_other_formats(data: bytes, encoding: str) -> None:
    # Cut where every encoding has whole characters.
    start = data[:4000].decode(encoding, errors="ignore").lstrip("\ufeff \t\r\n").lower()
    lines = [line for line in start.splitlines() if line.strip() and not line.startswith("%")]
    beginning = lines[0].lstrip() if lines else ""
    for word, description in _FOREIGN_TEXT:
        if beginning.startswith(word):
            raise refusal("other-format", f"this is {description}, not a CSV file.", _SAVE_AS_CSV)
