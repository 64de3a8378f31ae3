"""Data sets as Excel workbooks, with numbers to the last digit and text that is never a formula."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from xml.sax.saxutils import escape

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.marks import may_run
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import heads, text_blocks
from labelrank_core.io.writing.file_names import Files, file_stem
from labelrank_core.io.writing.losses import Losses
from labelrank_core.io.writing.packed import zipped

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_TEXT = 32_767

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STYLE = 'numFmtId="0" fontId="0" fillId="0" borderId="0"'
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # The second style is that of text typed with an apostrophe before it: editing the cell does
    # not turn it into a formula.
    "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}">'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    f'<cellStyleXfs count="1"><xf {_STYLE}/></cellStyleXfs>'
    f'<cellXfs count="2"><xf {_STYLE} xfId="0"/><xf {_STYLE} xfId="0" quotePrefix="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>",
}
_LINE_ENDS = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
# What workbooks take for the code of a character.
_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def excel_losses(dataset: Dataset) -> Losses:
    """Say what a workbook does not hold."""
    columns = heads(dataset)
    if dataset.n_samples >= MAX_ROWS or len(columns) > MAX_COLUMNS:
        message = (
            f"a sheet has at most {MAX_ROWS} rows and {MAX_COLUMNS} columns; the data would be "
            f"{dataset.n_samples + 1} rows in {len(columns)} columns."
        )
        return [Finding("too-large", Severity.ERROR, message, "Choose Parquet or CSV.")]
    texts = [*(head.name for head in columns), *losses.all_names(dataset)]
    return [
        *losses.odd_text(dataset),
        *losses.refused_names(
            texts, _fits_cell, f"is longer than {MAX_TEXT} characters", what="column or category"
        ),
        *losses.no_declared_categories(dataset),
        *losses.written_dense(dataset),
    ]


def _fits_cell(text: str) -> bool:
    return len(text) <= MAX_TEXT


def write_excel(dataset: Dataset) -> Files:
    """Write a workbook with one sheet, a column a label."""
    return [(f"{file_stem(dataset.name)}.xlsx", partial(_book, dataset))]


def _book(dataset: Dataset) -> bytes:
    parts = [(name, partial(_encoded, [_XML, content])) for name, content in _PARTS.items()]
    return zipped([*parts, ("xl/worksheets/sheet1.xml", lambda: _encoded(_sheet(dataset)))])


def _encoded(pieces: Iterable[str]) -> Iterator[bytes]:
    return (piece.encode() for piece in pieces)


def _sheet(dataset: Dataset) -> Iterator[str]:
    columns = heads(dataset)
    yield f'{_XML}<worksheet xmlns="{_SHEET}"><sheetData><row>'
    yield "".join(_text_cell(head.name) for head in columns) + "</row>"
    for block in text_blocks(dataset, _text_cell):
        cells = [
            column if head.is_text else [_number_cell(text) for text in column]
            for head, column in zip(columns, block, strict=True)
        ]
        yield "".join(f"<row>{''.join(row)}</row>" for row in zip(*cells, strict=True))
    yield "</sheetData></worksheet>"


def _number_cell(text: str) -> str:
    return f"<c><v>{text}</v></c>" if text else "<c/>"


def _text_cell(text: str) -> str:
    style = ' s="1"' if may_run(text) else ""
    written = escape(_CODE.sub("_x005F_", text), _LINE_ENDS)
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{written}</t></is></c>'
