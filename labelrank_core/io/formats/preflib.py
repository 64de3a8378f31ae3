"""PrefLib's files of rankings: soc, soi, toc and toi, with the header of today or the older one."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import pandas as pd

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    shorten,
)
from labelrank_core.io.build.orderings import MAX_LABELS, MAX_POSITIONS
from labelrank_core.io.formats.header import column_names
from labelrank_core.io.formats.text import find_encoding, read_lines
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, TargetForm
from labelrank_core.rankings import FloatArray, dense_positions

MAX_RANKINGS = 1_000_000

_KINDS = ("soc", "soi", "toc", "toi")
_COUNTS = re.compile(rb"\s*+\d++\s*+,\s*+\d++\s*+,\s*+\d++\s*+")
_BUCKET = r"(?:\d{1,9}+|\{\s*+(?:\d{1,9}+\s*+(?:,\s*+\d{1,9}+\s*+)*+)?+\})"
_ORDER = re.compile(
    rf"\s*+(\d{{1,9}}+)\s*+[:,]\s*+({_BUCKET}(?:\s*+,\s*+{_BUCKET})*+)\s*+(?:,\s*+)?+"
)
_BUCKETS, _DIGITS = re.compile(_BUCKET), re.compile(r"\d++")
_N_LOOKED_AT = 100
_HINT = "Write how often a ranking was given, a colon and its labels, best first: 5: 2,{1,3}."


def recognises_preflib(source: Source) -> bool:
    """Tell whether a file begins like PrefLib's."""
    lines = (line for line in io.BytesIO(source.data))
    start = list(islice(lines, _N_LOOKED_AT))
    if any(line.startswith((b"# NUMBER ALTERNATIVES", b"# ALTERNATIVE NAME")) for line in start):
        return True
    if not start or not re.fullmatch(rb"(\xef\xbb\xbf)?\d{1,9}\s*", start[0]):
        return False
    n_labels = int(re.sub(rb"\D", b"", start[0]))
    if not 2 <= n_labels <= MAX_LABELS:
        return False
    head = [*start, *islice(lines, max(0, n_labels + 2 - len(start)))][: n_labels + 2]
    numbered = all(
        line.split(b",")[0].strip() == str(j).encode() for j, line in enumerate(head[1:-1], 1)
    )
    return len(head) == n_labels + 2 and numbered and _COUNTS.fullmatch(head[-1]) is not None


def read_preflib(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read rankings without features, each as often as it was given."""
    if source.data.count(b"\n") > MAX_RANKINGS:
        raise _too_large(f"more than {MAX_RANKINGS} lines")
    encoding, findings = find_encoding(source.data)
    numbered = ((i, line.strip()) for i, line in enumerate(read_lines(source.data, encoding), 1))
    lines = [(number, text) for number, text in numbered if text]
    facts = [text for _, text in lines if text.startswith("#")]
    given = _names(facts) if facts else [text.partition(",")[2] for _, text in _old_names(lines)]
    body = [line for line in lines if not line[1].startswith("#")]
    names, issues = column_names(given, lines[0][0])
    rows = _Rows(len(names))
    for number, text in body if facts else body[len(names) + 2 :]:
        rows.read(number, text)
    if not rows.n_rows:
        no_rows = Finding("no-rows", Severity.ERROR, "found no ranking.", _HINT)
        raise DatasetError([*rows.ragged(), no_rows])
    frame = pd.DataFrame(
        np.repeat(dense_positions(np.array(rows.positions)), rows.counts, axis=0),
        columns=names,
        index=pd.Index(np.repeat(rows.lines, rows.counts), name="line"),
    )
    message = (
        f"{count_of(len(rows.lines), 'ranking')} with counts became {count_of(len(frame), 'row')}."
    )
    return RawTable(
        name=source.stem,
        frame=frame,
        findings=(*findings, *issues, Finding("counted-rankings", Severity.INFO, message)),
        ragged=rows.ragged(),
        ragged_lines=tuple(rows.bad_lines),
        format="PrefLib",
        declared_roles=dict.fromkeys(names, Role.LABEL),
        declared_form=TargetForm.POSITIONS,
        titles=dict(zip(names, given, strict=True)) if len(set(given)) == len(given) else {},
    )


def _old_names(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines with names in the older header, whose first line counts them."""
    return lines[1 : 1 + int(re.sub(r"\D", "", lines[0][1]))]


def _names(facts: Sequence[str]) -> list[str]:
    """Return the alternatives of today's header; one without a name is called by its number."""
    names: dict[int, str] = {}
    n_labels = 0
    for fact in facts:
        key, _, value = fact.removeprefix("#").partition(":")
        what = key.strip().rstrip("0123456789")
        number, what, value = key.strip().removeprefix(what), what.rstrip(), value.strip()
        if what == "DATA TYPE" and value.lower() not in _KINDS:
            message = f"this is PrefLib's type '{shorten(value)}', which holds no rankings."
            hint = f"The types {', '.join(_KINDS)} do."
            raise DatasetError([Finding("other-format", Severity.ERROR, message, hint)])
        if what == "NUMBER ALTERNATIVES" and value.isdecimal():
            n_labels = int(value[:9])
        if what == "ALTERNATIVE NAME" and number:
            names[int(number[:9])] = value
    n_labels = max([n_labels, *names])
    if n_labels > MAX_LABELS:
        raise _too_large(f"{n_labels} alternatives")
    return [names.get(j + 1) or str(j + 1) for j in range(n_labels)]


def _too_large(what: str) -> DatasetError:
    hint = "Take a sample of the rankings."
    message = f"the file holds {what}, more than can be read."
    return DatasetError([Finding("too-large", Severity.ERROR, message, hint)])


@dataclass
class _Rows:
    """The rankings of a file, each once, with how often it was given."""

    n_labels: int
    lines: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    positions: list[FloatArray] = field(default_factory=list)
    bad_lines: list[int] = field(default_factory=list)
    n_rows: int = 0

    def read(self, line: int, text: str) -> None:
        """Read a line; one that is no ranking is noted."""
        match = _ORDER.fullmatch(text)
        buckets = (
            [_DIGITS.findall(bucket) for bucket in _BUCKETS.findall(match[2])] if match else []
        )
        places = [(int(label), k) for k, bucket in enumerate(buckets, 1) for label in bucket]
        labels = {label for label, _ in places}
        known = all(1 <= label <= self.n_labels for label in labels)
        if match is None or not known or len(labels) < len(places):
            self.bad_lines.append(line)
            return
        count = int(match[1])
        self.n_rows += count
        if max(self.n_rows, len(self.lines) + 1) * self.n_labels > MAX_POSITIONS:
            raise _too_large(f"more than {self.n_rows - count} rankings of {self.n_labels} labels")
        positions = np.full(self.n_labels, np.nan)
        for label, place in places:
            positions[label - 1] = place
        self.lines.append(line)
        self.counts.append(count)
        self.positions.append(positions)

    def ragged(self) -> tuple[Finding, ...]:
        """List the lines that are no rankings."""
        if not self.bad_lines:
            return ()
        message = f"this is no ranking of the alternatives 1 to {self.n_labels}, each once."
        issue = Finding("not-an-ordering", Severity.ERROR, message, _HINT)
        return (at_lines(issue, self.bad_lines),)
