"""Names in libsvm text: comments in its first two lines, as this package writes them."""

import json
from typing import Any

from numpy.typing import NDArray

from labelrank_core.io.marks import FEATURE_LINE, LABEL_LINE

_MAX_BYTES = 20_000_000


def is_named(data: bytes) -> bool:
    """Tell whether text begins with a comment that names labels."""
    return data.startswith(LABEL_LINE.encode())


def read_names(
    data: bytes, labels: NDArray[Any], features: NDArray[Any]
) -> tuple[list[str], list[str]] | None:
    """Return the names of labels, which count from 0 then, and of features, which count from 1."""
    lines = data[:_MAX_BYTES].split(b"\n", 2)[:2]
    names = [_names(line, start) for line, start in zip(lines, (LABEL_LINE, FEATURE_LINE),
                                                        strict=False)]  # fmt: skip
    if len(names) < 2 or names[0] is None or names[1] is None:
        return None
    fits = _all_within(labels, 0, len(names[0]) - 1) and _all_within(features, 1, len(names[1]))
    return (names[0], names[1]) if fits else None


def _names(line: bytes, start: str) -> list[str] | None:
    if not line.startswith(start.encode()):
        return None
    try:
        names = json.loads(line[len(start) :])
    except (ValueError, RecursionError):
        return None
    right = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return names if right and len(set(names)) == len(names) else None


def _all_within(numbers: NDArray[Any], low: int, high: int) -> bool:
    return not len(numbers) or bool(low <= numbers.min() and numbers.max() <= high)
