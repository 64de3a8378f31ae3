"""PrefLib's files of rankings: soc, soi, toc and toi."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    count_of,
    refusal,
    shorten,
    too_large,
)
from labelrank_core.io.cells import MAX_LABELS, BadRows, Cells
from labelrank_core.io.formats.base import Export, Files, Format, Writer
from labelrank_core.io.formats.text import find_encoding, read_lines
from labelrank_core.io.header import column_names
from labelrank_core.io.limits import max_positions
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

MAX_RANKINGS = 1_000_000

_KINDS = ("soc", "soi", "toc", "toi")
# Tournament, majority, weighted majority and pairwise graphs.
_GRAPHS = ("tog", "mjg", "wmg", "pwg")
_DIGITS = "0123456789"
_BUCKET = r"(?:\d{1,9}+|\{\s*+(?>(?:\d{1,9}+\s*+(?>(?:,\s*+\d{1,9}+\s*+)*))?)\})"
_ORDER = re.compile(
    rf"(\d{{1,9}}+)\s*+[:,]\s*+({_BUCKET}(?>(?:\s*+,\s*+{_BUCKET})*))\s*+(?>(?:,\s*+)?)"
)
_BUCKETS, _NUMBERS = re.compile(_BUCKET), re.compile(r"\d++")
_N_LOOKED_AT = 100
_HINT = "Write how often a ranking was given, a colon and its labels, best first: 5: 2,{1,3}."


def recognises(source: Source) -> bool:
    """Tell whether one of the first comments states alternatives."""
    start = islice(io.BytesIO(source.data.removeprefix(b"\xef\xbb\xbf")), _N_LOOKED_AT)
    return any(line.startswith((b"# NUMBER ALTERNATIVES", b"# ALTERNATIVE NAME")) for line in start)


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read rankings without features, each as often as it was given: a column per alternative."""
    encoding, findings = find_encoding(source.data)
    if source.data.count(b"\n") > MAX_RANKINGS:
        raise _too_large(f"more than {MAX_RANKINGS} lines")
    numbered = ((i, line.strip()) for i, line in enumerate(read_lines(source.data, encoding), 1))
    lines = [(number, text) for number, text in numbered if text]
    alternatives = _names([text for _, text in lines if text.startswith("#")])
    body = [line for line in lines if not line[1].startswith("#")]
    names, renamed = column_names(alternatives, lines[0][0])
    bad = BadRows()
    rankings = _rankings(body, len(names), bad, max_positions(len(source.data)))
    if not any(count for _, count, _ in rankings):
        no_rows = Finding("no-rows", Severity.ERROR, "found no ranking.", _HINT)
        raise DatasetError([*bad.findings, no_rows])
    line_numbers, counts, positions = (np.array(part) for part in zip(*rankings, strict=True))
    table = np.repeat(positions, counts, axis=0)
    n_rows = count_of(len(table), "row")
    message = f"{count_of(len(counts), 'ranking')} with counts became {n_rows}."
    return Cells(
        source.stem,
        {name: table[:, j] for j, name in enumerate(names)},
        np.repeat(line_numbers, counts),
        "PrefLib",
        findings=[*findings, *renamed, Finding("counted-rankings", Severity.INFO, message)],
        ragged=bad.findings,
        ragged_lines=sorted(bad.lines),
        roles=dict.fromkeys(names, Role.LABEL),
        form=TargetForm.POSITIONS,
        titles=dict(zip(names, alternatives, strict=True))
        if len(set(alternatives)) == len(alternatives)
        else {},
    )


def _names(facts: Sequence[str]) -> list[str]:
    """Return the alternatives of the header; one without a name is called by its number."""
    names: dict[int, str] = {}
    n_labels = 0
    for fact in facts:
        key, _, value = (part.strip() for part in fact[1:].partition(":"))
        field = key.rstrip(_DIGITS)
        number, field = key.removeprefix(field), field.rstrip()
        if field == "DATA TYPE" and value.lower() not in _KINDS:
            message = f"this is PrefLib's type '{shorten(value)}', which holds no rankings."
            hint = f"The types {', '.join(_KINDS)} do."
            if value.lower() in _GRAPHS:
                message = (
                    f"this is PrefLib's type '{shorten(value)}', a graph that counts all voters "
                    "pair by pair: it does not say which pairs a single voter prefers."
                )
                hint = f"Take the orders that it was made from: {', '.join(_KINDS)}."
            raise refusal("other-format", message, hint)
        if field == "NUMBER ALTERNATIVES" and value.isdecimal():
            n_labels = int(value[:9])
        if field == "ALTERNATIVE NAME" and number:
            names[int(number[:9])] = value
    n_labels = max([n_labels, *names])
    if n_labels > MAX_LABELS:
        raise _too_large(f"{n_labels} alternatives")
    return [names.get(j + 1) or str(j + 1) for j in range(n_labels)]


def _too_large(size: str) -> DatasetError:
    message = f"the file holds {size}, more than can be read."
    return DatasetError([too_large(message, "Take a sample of the rankings.")])


def _rankings(
    lines: Sequence[tuple[int, str]], n_labels: int, bad: BadRows, max_positions: int
) -> list[tuple[int, int, NDArray[np.float64]]]:
    """Return line, count and positions of each ranking; note the lines that hold none."""
    wrong = f"this is not a ranking of the alternatives 1 to {n_labels}, each once."
    rankings: list[tuple[int, int, NDArray[np.float64]]] = []
    n_rows = 0
    for line, text in lines:
        match = _ORDER.fullmatch(text)
        bucket_labels = (
            [_NUMBERS.findall(bucket) for bucket in _BUCKETS.findall(match[2])] if match else []
        )
        buckets = [[int(label) - 1 for label in bucket] for bucket in bucket_labels if bucket]
        labels = {label for bucket in buckets for label in bucket}
        once = len(labels) == sum(map(len, buckets))
        if match is None or not once or not labels <= set(range(n_labels)):
            bad.add("not-an-ordering", [line], wrong, _HINT)
            continue
        n_rows += int(match[1])
        if n_rows > MAX_RANKINGS or max(n_rows, len(rankings) + 1) * n_labels > max_positions:
            raise _too_large(f"{n_rows} rankings of {n_labels} labels")
        positions = np.full(n_labels, np.nan)
        for position, bucket in enumerate(buckets, 1):
            positions[bucket] = position
        rankings.append((line, int(match[1]), positions))
    return rankings


def _losses(data: Export) -> list[Finding]:
    findings, dataset = data.no_rankings(), data.dataset
    if findings and findings[0].severity is Severity.ERROR:
        return findings
    findings += data.refused_spaces(dataset.label_names)
    findings += data.odd_text(dataset.label_names)
    n_columns = len(dataset.schema.columns)
    if n_columns:
        message = f"all features ({count_of(n_columns, 'column')}): the format holds rankings only."
        findings.append(Finding("lost-features", Severity.WARNING, message, count=n_columns))
    findings += data.no_empty_rankings()
    if any(finding.severity is Severity.ERROR for finding in findings):
        return findings
    message = "the order of the rows: equal rankings are counted."
    findings.append(Finding("counted-rankings", Severity.INFO, message))
    return [*findings, *data.no_split()]


def _write(data: Export) -> Files:
    """Write one file: strict orders or with ties (s, t), of all labels or not (c, i)."""
    rankings = data.dataset.rankings
    positions = np.sort(rankings[np.isfinite(rankings).any(axis=1)], axis=1)
    tied, incomplete = (np.diff(positions, axis=1) == 0).any(), np.isnan(positions).any()
    kind = ("t" if tied else "s") + "o" + ("i" if incomplete else "c")
    return [(f"{data.stem}.{kind}", partial(_content, data, kind))]


def _content(data: Export, kind: str) -> list[bytes]:
    names = data.dataset.label_names
    counts = Counter(tuple(map(tuple, row)) for row in data.buckets(slice(None)) if row)
    lines = [
        f"# FILE NAME: {data.stem}.{kind}",
        f"# TITLE: {data.stem}",
        f"# DATA TYPE: {kind}",
        f"# NUMBER ALTERNATIVES: {len(names)}",
        f"# NUMBER VOTERS: {counts.total()}",
        f"# NUMBER UNIQUE ORDERS: {len(counts)}",
        *(f"# ALTERNATIVE NAME {j}: {name}" for j, name in enumerate(names, 1)),
        *(f"{count}: {','.join(map(_bucket, row))}" for row, count in counts.most_common()),
    ]
    return [("\n".join(lines) + "\n").encode()]


def _bucket(labels: tuple[int, ...]) -> str:
    numbers = ",".join(str(label + 1) for label in labels)
    return numbers if len(labels) == 1 else f"{{{numbers}}}"


FORMAT = Format(
    "PrefLib",
    recognises,
    read,
    writers=(
        Writer(
            "preflib",
            "PrefLib (soc, soi, toc, toi)",
            "The different rankings with their counts, without features.",
            _losses,
            _write,
        ),
    ),
)
