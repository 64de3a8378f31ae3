"""Small files that grow: compressed, repeated, wide, deep, shared, counted or declared."""

import gzip
import io
import json
import random
import zipfile
from functools import partial

import numpy as np

_SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}'
    "</sheetData></worksheet>"
)
_BOOK = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
    '.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override '
    'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/'
    '2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet '
    'name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/'
    '2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship '
    'Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'sharedStrings" Target="sharedStrings.xml"/></Relationships>',
}
_RANKED, _LISTED = " > ".join, "; ".join


def parquet(columns):
    """A compressed Parquet file of columns."""
    import pyarrow
    from pyarrow import parquet as files

    stream = io.BytesIO()
    files.write_table(pyarrow.table(columns), stream, compression="zstd", compression_level=19)
    return stream.getvalue()


def one_category(join, n_names, n_rows, n_words=1):
    """Parquet of few long categories, each of many names, in every row."""
    import pyarrow

    names = [f"{j:x}" for j in range(n_names)]
    words = [join(names[k:] + names[:k]) for k in range(n_words)]
    codes = pyarrow.array(np.arange(n_rows) % n_words, pyarrow.int32())
    column = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(words))
    return parquet({"x": np.zeros(n_rows), "y": column})


def one_text(join, n_names, n_rows):
    """Parquet of one long text in every row, which is no category."""
    names = [f"{j:x}" for j in range(n_names)]
    return parquet({"x": np.zeros(n_rows), "y": [join(names)] * n_rows})


def lists_of_numbers(n_numbers, n_rows):
    """Parquet of lists."""
    return parquet({"x": np.zeros(n_rows), "y": [[*range(n_numbers)]] * n_rows})


def same_numbers(n_rows, n_columns, value=0.0):
    """Parquet of one number in every cell."""
    return parquet({f"l{j}": np.full(n_rows, value) for j in range(n_columns)})


def whole_rankings(n_rows, n_columns):
    """Parquet of one ranking in every row."""
    return parquet({f"L{j}": np.full(n_rows, j + 1) for j in range(n_columns)})


def counted(n_labels, n_votes, kind="soc"):
    """PrefLib's file of one ranking that many have given."""
    lines = [f"# DATA TYPE: {kind}", f"# NUMBER ALTERNATIVES: {n_labels}"]
    order = [str(j + 1) for j in range(n_labels)]
    if kind == "toc":
        order = [f"{{{order[0]},{order[1]}}}", *order[2:]]
    return "\n".join([*lines, f"{n_votes}: {','.join(order)}", ""]).encode()


def declared(n_categories, n_rows, n_columns=1):
    """ARFF of declared categories, sparse: an empty pair of braces is a row."""
    words = ",".join(f"c{k}" for k in range(n_categories))
    heads = [f"@attribute a{j} {{{words}}}" for j in range(n_columns)]
    heads += ["@attribute l1 {0,1}", "@attribute l2 {0,1}"]
    return "\n".join(["@relation r", *heads, "@data", *["{}"] * n_rows, ""]).encode()


def many_categories(n_categories, n_rows):
    """A table of a column of text with as many categories as are taken for a feature."""
    rows = "".join(f"{chr(48 + i % n_categories)},{1 + i % 2},{2 - i % 2}\n" for i in range(n_rows))
    return b"c,l1,l2\n" + rows.encode()


def different_texts(n_rows, text="customer {}"):
    """A table of a column of texts, all different."""
    rows = "".join(f"{text.format(i)},1,2\n" for i in range(n_rows))
    return b"name,l1,l2\n" + rows.encode()


def wide(n_rows, n_columns, cell="1.5"):
    """A table of many columns, as of gene expression."""
    head = ",".join([*(f"g{j}" for j in range(n_columns)), "l1", "l2", "l3"])
    rows = [",".join([*[cell] * n_columns, *("123" if i % 2 else "312")]) for i in range(n_rows)]
    return "\n".join([head, *rows, ""]).encode()


def far(n_rows, n_features):
    """libsvm of features that are nearly all 0, of which the last is given."""
    return "".join(f"{1 + i % 2},3 {n_features}:1\n" for i in range(n_rows)).encode()


def packed(content, name="a.csv"):
    """A zip archive of one file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def gzipped(content):
    """A file packed by gzip."""
    return gzip.compress(content, mtime=0)


def workbook(rows, shared=""):
    """A workbook of rows in XML."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in _BOOK.items():
            archive.writestr(name, content)
        archive.writestr("xl/worksheets/sheet1.xml", _SHEET.format(rows))
        strings = f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{shared}'
        archive.writestr("xl/sharedStrings.xml", strings + "</sst>")
    return stream.getvalue()


def shared_strings(n_names, n_rows):
    """A workbook of one long shared string in every row."""
    long = " > ".join(f"{j:x}" for j in range(n_names))
    shared = "".join(f"<si><t>{text}</t></si>" for text in ("x", "y", long))
    rows = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
    rows += '<row><c><v>1</v></c><c t="s"><v>2</v></c></row>' * n_rows
    return workbook(rows.replace("&", "&amp;").replace(" > ", " &gt; "), shared)


def numbers_in_a_workbook(n_rows, n_columns):
    """A workbook of one number in every cell."""
    head = "".join(f'<c t="inlineStr"><is><t>l{j}</t></is></c>' for j in range(n_columns))
    return workbook(f"<row>{head}</row>" + f"<row>{'<c><v>1</v></c>' * n_columns}</row>" * n_rows)


def slow_workbook(number=0, n_cells=900_000):
    """A workbook of 26 kB that takes all the time that it may; each number makes another.

    It grows as much as an archive may: its comment packs badly.
    """
    comment = random.Random(number).randbytes(n_cells // 50).hex()
    return workbook(f"<row>{'<c/>' * n_cells}</row><!--{comment}-->")


def deep(n_levels):
    """A list in brackets within brackets, in every row."""
    cell = "[" * n_levels + "]" * n_levels
    return ("x,tags\n" + "".join(f'{i},"{cell}"\n' for i in range(20))).encode()


def long_numbers(n_digits, n_rows):
    """Digits and letters in turn, as natural order takes apart."""
    rows = "".join(f"{'1a' * n_digits}{i},1,2\n" for i in range(n_rows))
    return b"name,l1,l2\n" + rows.encode()


def many_labels(n_rows, n_names, sign):
    """Rankings or lists in words, of other names in every row."""
    rows = (sign.join(f"{i}_{j}" for j in range(n_names)) for i in range(n_rows))
    return ("x,y\n" + "".join(f'{i},"{row}"\n' for i, row in enumerate(rows))).encode()


def long_json(n_names, n_rows):
    """Lists of labels as JSON, alike."""
    cell = json.dumps([f"{j:x}" for j in range(n_names)])
    return parquet({"x": np.zeros(n_rows), "tags": [cell] * n_rows})


def _table(n_rows, cell):
    return b"a,l1,l2\n" + f"{cell},1,2\n".encode() * n_rows


BOMBS = {}


def _add(kind, name, make, *arguments):
    for number, own in enumerate(arguments):
        BOMBS[f"{kind}-{number + 1}"] = (name, partial(make, *own))


_add(
    "ranked-category",
    "a.parquet",
    one_category,
    (_RANKED, 33_000, 1_000),
    (_RANKED, 33_000, 2_000),
    (_RANKED, 5_000, 20_000),
    (_RANKED, 300, 100_000),
    (_RANKED, 3_000, 3_000, 20),
    (_RANKED, 20, 500_000, 20),
)
_add(
    "listed-category",
    "a.parquet",
    one_category,
    (_LISTED, 33_000, 1_000),
    (_LISTED, 33_000, 2_000),
    (_LISTED, 5_000, 20_000),
    (_LISTED, 300, 100_000),
    (_LISTED, 3_000, 3_000, 20),
    (_LISTED, 20, 500_000, 20),
)
_add(
    "long-text",
    "a.parquet",
    one_text,
    (_RANKED, 33_000, 1_000),
    (_LISTED, 33_000, 1_000),
    (_LISTED, 1_000, 40_000),
)
_add("lists", "a.parquet", lists_of_numbers, (10_000, 500), (100_000, 50), (100, 100_000))
_add("json", "a.parquet", long_json, (10_000, 1_000), (100, 100_000))
_add(
    "same-number",
    "a.parquet",
    same_numbers,
    (1_000_000, 5),
    (5_000, 5_000),
    (100_000, 50, 1.0),
    (2_000_000, 12),
    (50, 20_000),
)
_add("same-ranking", "a.parquet", whole_rankings, (1_000_000, 5), (20_000, 500), (5_000, 2_000))
_add(
    "counted",
    "a.soc",
    counted,
    (25, 1_000_000),
    (5_000, 5_000),
    (3, 1_000_000),
    (500, 50_000),
    (100, 200_000, "toc"),
    (5_000, 4_999, "toc"),
)
_add(
    "declared",
    "a.arff",
    declared,
    (1_000, 20_000),
    (1_000, 5_000, 20),
    (50, 100_000),
    (900, 90_000),
)
_add("categories", "a.csv", many_categories, (40, 20_000), (40, 200_000), (10, 500_000))
_add(
    "different",
    "a.csv",
    different_texts,
    (100_000,),
    (300_000, "{0}{0}"),
    (50_000, "{} > b"),
    (50_000, "{};b"),
    (300_000, "a{}b"),
)
_add("wide", "a.csv", wide, (3, 20_000 - 3), (3, 19_000, "x"), (40, 5_000), (3, 10_000, ""))
_add("far", "a.txt", far, (5_000, 5_000), (2_000, 12_000), (10_000, 20_000), (1_000, 1_000_000))
_add("deep", "a.csv", deep, (900,), (100_000,))
_add("digits", "a.csv", long_numbers, (20_000, 10), (2, 100_000))
_add(
    "names",
    "a.csv",
    many_labels,
    (10, 4_000, ">"),
    (10, 4_000, ";"),
    (2_000, 100, ">"),
    (2_000, 100, ";"),
    (40_000, 3, ">"),
)
_add("shared-string", "a.xlsx", shared_strings, (30_000, 1_000), (30_000, 20_000), (500, 20_000))
_add("workbook", "a.xlsx", numbers_in_a_workbook, (20_000, 10), (1_000, 1_000), (5, 10_000))
_add("slow", "a.xlsx", slow_workbook, (0,), (1, 300_000))
_add("zip", "a.zip", lambda make: packed(make()),
     (partial(_table, 1_000_000, "0"),), (partial(_table, 200_000, "a" * 100),),
     (partial(_table, 500_000, "b>a"),), (partial(_table, 500_000, "b;a"),),
     (partial(_table, 2_000_000, ""),), (partial(wide, 300, 5_000, "0"),),
     (partial(many_labels, 2_000, 200, ">"),), (partial(far, 400_000, 10),))  # fmt: skip
_add("gzip", "a.csv.gz", lambda make: gzipped(make()),
     (partial(_table, 1_000_000, "0"),), (partial(_table, 200_000, "a" * 100),),
     (partial(different_texts, 1_000_000),), (partial(far, 400_000, 20_000),))  # fmt: skip
