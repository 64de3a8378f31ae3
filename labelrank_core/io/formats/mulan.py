"""MULAN's XML file, which lists the labels of an ARFF file."""

import re
from collections.abc import Collection, Sequence
from xml.parsers import expat

from labelrank_core.data.findings import DatasetError, Finding, Severity, count_of, shorten
from labelrank_core.io.sources import Source

MAX_XML_BYTES = 20_000_000

_ROOT = re.compile(
    rb"\s*+(?:(?><\?xml.*?\?>)\s*+)?+(?:(?><!--.*?-->)\s*+)*+"
    rb"<(?:!DOCTYPE\s++)?+(?:\w++:)?labels[\s>/]",
    re.DOTALL,
)


def is_label_list(source: Source) -> bool:
    """Tell whether a file is an XML list of labels."""
    # Without zero bytes and mark, whatever the encoding, the names of elements are plain letters.
    start = source.data[:20_000].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    return _ROOT.match(start) is not None


def read_label_list(source: Source) -> tuple[tuple[str, ...], bool]:
    """Read the names of the labels; entities and external references are refused."""
    if len(source.data) > MAX_XML_BYTES:
        message = f"the list of labels '{shorten(source.name)}' is larger than 20 MB."
        raise _refused("too-large", message, "Choose the XML file that belongs to the ARFF file.")
    reader = _Reader()
    try:
        reader.parser.Parse(source.data, True)
    except DatasetError:
        raise
    except (expat.ExpatError, ValueError, LookupError) as error:
        # LookupError: an encoding that does not exist.
        line = getattr(error, "lineno", None)
        where = f"'{shorten(source.name)}' is no well-formed XML: {str(error).split(':')[0]}."
        raise _refused("bad-xml", where, "Correct it, or leave it out.", line) from error
    return tuple(dict.fromkeys(reader.names)), reader.nested


def label_findings(
    labels: Sequence[str], attributes: Collection[str], *, nested: bool
) -> list[Finding]:
    """Compare a list of labels with the attributes of an ARFF file."""
    findings = []
    unknown = [label for label in labels if label not in attributes]
    if unknown:
        listed = ", ".join(f"'{shorten(label)}'" for label in unknown[:5])
        message = (
            f"{count_of(len(unknown), 'label')} of the XML file not among the attributes: {listed}"
            f"{', ...' if len(unknown) > 5 else ''}."
        )
        hint = "Correct the names, or choose the XML file that belongs to the ARFF file."
        findings.append(Finding("unknown-label", Severity.ERROR, message, hint))
    if nested:
        message = "the labels form a hierarchy, which is not used: each counts for itself."
        findings.append(Finding("label-hierarchy", Severity.INFO, message))
    return findings


class _Reader:
    """Collects the names while the parser runs."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.nested = False
        self._depth = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        # No document type, no entities: neither files of this machine nor texts that explode.
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] != "label":
            return
        self._depth += 1
        self.nested |= self._depth > 1
        name = " ".join(attributes.get("name", "").split())
        if not name:
            line = self.parser.CurrentLineNumber
            message = "a label in the XML file has no name."
            raise _refused("bad-xml", message, 'Write <label name="...">.', line)
        self.names.append(name)

    def _end(self, tag: str) -> None:
        self._depth -= tag.rpartition(":")[2] == "label"

    def _refuse(self, *_: object) -> None:
        message = "the XML file declares a document type, which may hold entities; it is not read."
        hint = "Remove the <!DOCTYPE ...> part; a list of labels needs none."
        raise _refused("xml-doctype", message, hint, self.parser.CurrentLineNumber)


def _refused(code: str, message: str, hint: str, line: int | None = None) -> DatasetError:
    return DatasetError([Finding(code, Severity.ERROR, message, hint, row=line)])
