"""Small valid files of every format, from which mutations start."""

import gzip
import io
import struct
import zipfile
from functools import cache

from tests.fuzz.reading import BETWEEN

DELIMITED = {
    "positions": b"size,apple,pear,plum\n7.1,1,2,3\n6.4,2,1,3\n3.2,3,2,1\n6.9,1,3,2\n",
    "orders": b"x;rank_1;rank_2;rank_3\n0,5;2;3;1\n0,7;3;1;2\n1,5;1;2;3\n",
    "partial": b"x\ta\tb\tc\n1\t1\t\t2\n2\t2\t1\t?\n3\t1\t1\t2\n",
    "words": b"x,ranking\n1,b>a=c\n2,a>c>b\n3,c>b\n4,a=b>c\n",
    "relevance": b'x,"y, z",l1,l2\n1,2,0,1\n2,1,1,0\n3,4,1,1\n4,3,0,0\n',
    "calibrated": b"x,a,b,c,zero\n1,1,2,4,3\n2,4,1,3,2\n3,2,3,4,1\n",
    "split": b"x,a,b,part\n1,1,2,train\n2,2,1,train\n3,1,2,test\n4,2,1,test\n",
    "nominal": b"colour,x,a,b\nred,1,1,2\nblue,2,2,1\nred,3,1,2\nblue,,2,1\n",
    "numbers": b"5.1,3.5,1,2,3\n4.9,3.0,2,1,3\n6.2,3.4,3,2,1\n",
    "lists": b"when,tags\n2024-01-02,a;b\n2024-01-03,b\n2024-02-01,a;c;b\n2024-03-01,\n",
    "marked": b"nominal:c,label_position:a,label_position:b,split:part\n"
    b"'=1,1,2,train\nx,2,1,test\n",
    "pair": b"x,a,b\n1,1,2\n2,2,1\n3,1,2" + BETWEEN + b"x,a,b\n3,1,2\n4,2,1\n",
}

ARFF = {
    "dense": b"% about\n@relation 'a b'\n@attribute x numeric\n@attribute 'c d' {red, 'light blue'}"
    b"\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@data\n1.5,red,0,1\n"
    b"?,'light blue',1,0\n3,red,1,1\n",
    "meka": b"@relation 'n: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n"
    b"@data\n0,1,2\n1,0,3\n1,1,4\n",
    "sparse": b"@relation s\n@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n"
    b"@attribute b {0,1}\n@data\n{0 1,2 1}\n{1 2.5,3 1}\n{2 1}, {2}\n{}\n",
    "mulan": b"@relation m\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
    b"1,0,1\n2,1,0\n3,1,1\n" + BETWEEN + b'<?xml version="1.0"?><labels xmlns="u"><label name="a">'
    b'</label><label name="b"/></labels>',
    "xarff": b"@relation r\n@attribute x numeric\n@attribute L ranking {a,b,c}\n@data\n1,a>b>c\n"
    b"2,b>a|c>a\n3,c>b\n4,a>c>b\n",
}

LIBSVM = {
    "plain": b"# comment\n1,3 1:0.5 4:2\n2 2:1\n 3:1 4:1\n1 1:1 2:1\n",
    "header": b"3 4 2\n0 0:1 3:2\n1 1:1\n0,1 2:3\n",
    "names": b'# labels: ["a", "b"]\n# features: ["x", "y"]\n0 1:0.5\n0,1 2:1.5e3\n1 1:2 2:1\n',
}

SCIKIT_LR = {
    "names": b"3,2,3,x,y,a,b,c\n0.5,1,1,2,3\n0.25,2,2,1,3\n1e3,3,3,2,1\n",
    "numbers": b"3,1,3\n0.5,1,2,3\n0.25,2,1,3\n1,3,2,1\n",
}

PREFLIB = {
    "today": b"# FILE NAME: a.toi\n# DATA TYPE: toi\n# NUMBER ALTERNATIVES: 3\n"
    b"# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: y y\n3: 1,{2,3}\n2: 3,1\n1: 2\n",
}


def xlsx():
    """A workbook written here, and one written by openpyxl, with a date and a second sheet."""
    import openpyxl

    from labelrank_core import read_dataset
    from labelrank_core.io.export import write_archive

    own = write_archive(read_dataset(("a.csv", DELIMITED["marked"])), "excel")
    book = openpyxl.Workbook()
    rows = [["about", "this"], ["size", "kind", "a", "b"], [1.5, "x", 1, 2], [True, "y", 2, 1]]
    for row in rows:
        book.active.append(row)
    book.active["A5"] = "=1+1"
    book.create_sheet("more").append(["x", 1])
    stream = io.BytesIO()
    book.save(stream)
    return {"own": own, "openpyxl": stream.getvalue()}


def xls():
    """A workbook of the older kind: records in a compound document, as Excel 97 has them."""
    table = [["size", "a", "b"], [1.5, 1, 2], [2.5, 2, 1], [3.5, 1, 2]]
    cells = b""
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            place = struct.pack("<HHH", i, j, 0)
            if isinstance(value, str):
                text = value.encode("latin-1")
                cells += _record(0x0204, place + struct.pack("<HB", len(text), 0) + text)
            else:
                cells += _record(0x0203, place + struct.pack("<d", value))
    begin = struct.pack("<HHHHII", 0x0600, 0x0005, 0x0DBB, 0x07CC, 0, 6)
    name = struct.pack("<BB", 1, 0) + b"s"
    start = len(_record(0x0809, begin)) + len(_record(0x0085, bytes(6) + name)) + 4
    book = _record(0x0809, begin) + _record(0x0085, struct.pack("<IH", start, 0) + name)
    begin = begin[:2] + struct.pack("<H", 0x0010) + begin[4:]
    size = struct.pack("<IIHHH", 0, len(table), 0, len(table[0]), 0)
    book += _record(0x000A) + _record(0x0809, begin) + _record(0x0200, size) + cells
    return {"numbers": _compound(book + _record(0x000A))}


def _record(kind, content=b""):
    return struct.pack("<HH", kind, len(content)) + content


def _compound(stream):
    """A compound document with one stream: a header, its table of sectors, a directory."""
    sector, free, end = 512, 0xFFFFFFFF, 0xFFFFFFFE
    stream = stream.ljust(4096, b"\0")  # shorter ones lie elsewhere
    stream += bytes(-len(stream) % sector)
    n = len(stream) // sector
    chain = [0xFFFFFFFD, end, *range(3, n + 2), end]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack(
        "<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0
    )
    head += struct.pack("<109I", 0, *[free] * 108)
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(sector, b"\xff")
    entries = _entry("Root Entry", 5, 1, end, 0) + _entry("Workbook", 2, free, 2, len(stream))
    return head + table + entries.ljust(sector, b"\0") + stream


def _entry(name, kind, child, start, size):
    text = name.encode("utf-16-le") + b"\0\0"
    none = 0xFFFFFFFF
    head = text.ljust(64, b"\0") + struct.pack("<HBBIII", len(text), kind, 1, none, none, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def parquet():
    """A table of every type that is read, and one written here."""
    import pyarrow as arrow
    from pyarrow import parquet

    from labelrank_core import read_dataset
    from labelrank_core.io.export import write_archive

    table = arrow.table(
        {
            "x": arrow.array([0.5, None, 2.5]),
            "kind": arrow.array(["a", "b", "a"]).dictionary_encode(),
            "day": arrow.array([1, 2, 3], arrow.timestamp("s")),
            "tags": arrow.array([["p", "q"], ["p"], ["q"]]),
            "a": arrow.array([1, 0, 1], arrow.int8()),
            "b": arrow.array([True, None, False]),
        }
    )
    files = {
        "own": write_archive(
            read_dataset(("a.csv", DELIMITED["nominal"]), missing="fill"), "parquet"
        )
    }
    for compression in ("none", "snappy"):
        stream = io.BytesIO()
        parquet.write_table(table, stream, compression=compression)
        files[compression] = stream.getvalue()
    # Mostly values, where a changed byte leaves something to be read.
    stream = io.BytesIO()
    plain = {"use_dictionary": False, "write_statistics": False, "store_schema": False}
    parquet.write_table(arrow.concat_tables([table] * 20), stream, compression="none", **plain)
    return {**files, "plain": stream.getvalue()}


def packed():
    """Files in archives."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in zip(("m.arff", "m.xml"), ARFF["mulan"].split(BETWEEN), strict=True):
            archive.writestr(name, content)
        archive.writestr("README", b"about")
    return {"zip": stream.getvalue(), "gzip": gzip.compress(LIBSVM["plain"], mtime=0)}


TEXT = {
    "delimited": DELIMITED,
    "arff": ARFF,
    "libsvm": LIBSVM,
    "scikit-lr": SCIKIT_LR,
    "preflib": PREFLIB,
}


@cache
def seeds():
    """All of them, by format and name."""
    return {**TEXT, "xlsx": xlsx(), "xls": xls(), "parquet": parquet(), "packed": packed()}
