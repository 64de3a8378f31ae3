"""Data sets of OpenML by their number: the only requests of this package, made when asked for.

OpenML describes a data set in JSON, with the address of its ARFF file. Unseen so far against the
site itself: the tests have a server of their own.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np

from labelrank_core.data.findings import Finding, Severity, listed, shorten
from labelrank_core.io.cells import Cells, Coded, Column
from labelrank_core.io.vocabulary import Role, TargetForm

SERVER = "https://www.openml.org"
_DESCRIPTION = "/api/v1/json/data/{}"
MAX_DESCRIPTION = 5_000_000
_BLOCK = 1 << 16
# The longest that a server may say nothing.
_SILENCE = 30.0
_TRUTH = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}
_FORMATS = ("arff", "sparse_arff")


class OpenMLError(OSError):
    """OpenML has no such data set, or its answer cannot be used; the message says which."""


@dataclass(frozen=True)
class Description:
    """OpenML's description of a data set.

    Parameters
    ----------
    name : str
        Its name.
    address : str
        Where its file is.
    targets, ignored : tuple of str
        The columns to predict, and those that are neither targets nor features.
    checksum : str
        MD5 of the file in hexadecimal digits; empty: not known.
    """

    name: str
    address: str
    targets: tuple[str, ...]
    ignored: tuple[str, ...]
    checksum: str


def fetch(number: int, server: str, max_bytes: int, timeout: float) -> tuple[Description, bytes]:
    """Return the description and the file of a data set, by two requests.

    OpenMLError for anything else than a file of at most `max_bytes` within `timeout` seconds.
    """
    deadline = time.monotonic() + timeout
    address = urljoin(server, _DESCRIPTION.format(int(number)))
    answer = download(address, server, MAX_DESCRIPTION, deadline)
    description = _described(answer, number)
    content = download(description.address, server, max_bytes, deadline)
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if description.checksum and digest != description.checksum:
        raise OpenMLError(
            f"The file of OpenML's data set {number} arrived damaged: its checksum is {digest}, "
            f"not {description.checksum}. Try again."
        )
    return description, content


def _described(answer: bytes, number: int) -> Description:
    try:
        fields = json.loads(answer)["data_set_description"]
        name, address, form = (str(fields[key]) for key in ("name", "url", "format"))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OpenMLError(f"OpenML's description of data set {number} cannot be read.") from None
    if form.lower() not in _FORMATS:
        raise OpenMLError(
            f"OpenML's data set {number} is a file of type {shorten(form)!r}; only ARFF is read."
        )
    return Description(
        name,
        address,
        _names(fields.get("default_target_attribute")),
        _names(fields.get("ignore_attribute")) + _names(fields.get("row_id_attribute")),
        str(fields.get("md5_checksum") or "").lower(),
    )


def _names(value: Any) -> tuple[str, ...]:
    """Return names of columns: a list, or text with commas between them."""
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return tuple(name for part in parts if (name := str(part).strip()))


class _SameServer(HTTPRedirectHandler):
    """Follows redirects within the hosts of a server only."""

    def __init__(self, server: str) -> None:
        self.server = server

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        _require_same_server(newurl, self.server)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _require_same_server(address: str, server: str) -> None:
    """Refuse addresses on other hosts: a description can name any, also within one's network."""
    try:
        target, origin = urlsplit(address), urlsplit(server)
        same = (target.scheme, target.netloc) == (origin.scheme, origin.netloc)
        domain = ".".join((origin.hostname or "").split(".")[-2:])
        host, is_named = target.hostname or "", not domain.replace(".", "").isdigit()
        related = is_named and target.port is None and f".{host}".endswith(f".{domain}")
    except ValueError:
        same = related = False
    if not same and not (related and target.scheme == "https"):
        raise OpenMLError(f"The address {shorten(address, 200)!r} is not one of {server}.")


def download(address: str, server: str, max_bytes: int, deadline: float) -> bytes:
    """Return the content of an address, up to a size and until a moment."""
    _require_same_server(address, server)
    request = Request(address, headers={"User-Agent": "labelrank-core"})
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise _late(address)
    try:
        opener = build_opener(_SameServer(server))
        with opener.open(request, timeout=min(remaining, _SILENCE)) as answer:
            return _content(answer.read1, address, max_bytes, deadline)
    except HTTPError as error:
        with error:
            raise OpenMLError(f"{address} answers: {_reason(error)}.") from None
    except TimeoutError:
        raise _late(address) from None
    except (HTTPException, ConnectionError) as error:
        raise OpenMLError(f"The answer of {address} ended early: {error!r}.") from None
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _late(address) from None
        raise OpenMLError(f"{address} cannot be reached: {error.reason}.") from None


def _content(read: Callable[[int], bytes], address: str, max_bytes: int, deadline: float) -> bytes:
    blocks, size = [], 0
    while block := read(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > max_bytes:
            raise OpenMLError(
                f"Expected at most {max_bytes / 1e6:g} MB at {address}, got more. Raise max_bytes."
            )
        if time.monotonic() > deadline:
            raise _late(address)
    return b"".join(blocks)


def _late(address: str) -> OpenMLError:
    return OpenMLError(f"{address} took too long; raise timeout.")


def _reason(error: HTTPError) -> str:
    """Return OpenML's message in an answer with an error, else the status."""
    try:
        message = json.loads(error.read(MAX_DESCRIPTION))["error"]["message"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"{error.code} {error.reason}"
    return shorten(str(message), 200)


def with_targets(cells: Cells, description: Description, role: Role | None) -> Cells:
    """Declare the targets that OpenML names, and leave out the columns that it ignores.

    Several columns are labels, those of TRUE and FALSE relevant or not. A single one is a target
    if by its content, `role`, it holds rankings or lists of labels; else nothing is declared.
    """
    if cells.columns is None:
        return cells
    columns = {
        name: column for name, column in cells.columns.items() if name not in description.ignored
    }
    findings = list(cells.findings)
    if ignored := [name for name in cells.columns if name not in columns]:
        message = f"OpenML says that these columns are no features: {listed(ignored)}."
        findings.append(Finding("left-aside", Severity.INFO, message))
    cells = replace(cells, name=description.name, columns=columns, findings=findings)
    targets = [name for name in description.targets if name in columns]
    if len(targets) < 2:
        if not targets or role not in (Role.RANKING, Role.LABEL_LIST):
            return cells
        form = TargetForm.ORDERING_STRINGS if role is Role.RANKING else TargetForm.LABEL_LISTS
        return replace(cells, roles={targets[0]: role}, form=form)
    truths = {name: _as_truth(columns[name]) for name in targets}
    roles = dict.fromkeys(targets, Role.LABEL)
    if any(truth is None for truth in truths.values()):
        return replace(cells, roles=roles)
    decoded: Mapping[str, Any] = {**columns, **truths}
    return replace(cells, columns=decoded, roles=roles, form=TargetForm.RELEVANCE)


def _as_truth(column: Column) -> Column | None:
    """Return a column of TRUE and FALSE, or of 1 and 0, as numbers; None for any other."""
    if not isinstance(column, Coded):
        is_binary = isinstance(column, np.ndarray) and np.isin(column, (0, 1)).all()
        return column if is_binary else None
    numbers = [_TRUTH.get(word.strip().lower()) for word in column.categories]
    if None in numbers:
        return None
    values = np.array([*numbers, np.nan], dtype=np.float64)
    return values[column.codes]  # -1, the last one, is a missing cell
