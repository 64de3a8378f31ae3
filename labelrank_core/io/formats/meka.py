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
    """Find the labels that the name of a relation declares.

    Parameters
    ----------
    relation : str
        The name, after a colon with options.
    names : sequence of str
        The attributes.

    Returns
    -------
    labels : tuple of str
        The first n attributes for ``-C n``, the last n for ``-C -n``; none where the option is
        missing or cannot be trusted.
    doubt : str
        Why it cannot be trusted.
    findings : list of Finding
        Options that are not used.

    Examples
    --------
    >>> label_attributes("fruit: -C -2", ["x", "y", "a", "b"])[0]
    ('a', 'b')
    """
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
