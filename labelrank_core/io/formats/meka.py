"""MEKA's options in the name of a relation: ``'name: -C 6'``, the first 6 attributes are labels."""

import re
from collections.abc import Sequence

from labelrank_core.data.findings import Finding, Severity, count_of, shorten

_LABELS = re.compile(r"(?:^|\s)-C\s+([+-]?\d{1,9})(?=\s|$|-weka)")
_OTHER = re.compile(r"(?:^|\s)(-(?:split-number|split-percentage|x|T)\s+\S+)")
# What such a filter did to the attributes came after the option was written.
_FILTERED = re.compile(r"weka\.filters\.\w+\.attribute\.")


def label_attributes(
    relation: str, names: Sequence[str]
) -> tuple[tuple[str, ...], str, list[Finding]]:
    """Find the labels that the name of a relation declares."""
    options = relation.partition(":")[2]
    option = _LABELS.search(options)
    if option is None:
        return (), "", []
    findings = [
        Finding(
            "unused-option",
            Severity.INFO,
            f"the option '{shorten(other)}' in the name of the relation is not used.",
            "For a fixed split give a training and a test file.",
        )
        for other in _OTHER.findall(options)
    ]
    count = int(option[1])
    if _FILTERED.search(options):
        why = "a filter that it names too removed or moved attributes after that"
    elif not 0 < abs(count) < len(names):
        why = f"there are {count_of(len(names), 'attribute')}"
    else:
        return tuple(names[:count] if count > 0 else names[count:]), "", findings
    return (), f"The name of the relation says '-C {count}', but {why}.", findings
