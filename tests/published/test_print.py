"""The ledger holds what the papers' texts print, number by number.

The texts lie beside the benchmark data; they are not part of the project.
"""

import re

import pytest

from labelrank_core.papers import PAPERS

FILES = {"mlr07": "000", "mlknn05": "001", "lr06": "002", "lrrf": "003", "mlls08": "004"}
# The best in print is put together from several works.
TABLES = [table for name in FILES for table in PAPERS[name].tables]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def text_of(table, folder):
    (file,) = folder.glob(f"{FILES[table.paper]}_*.txt")
    first, last = table.lines
    return file.read_text(encoding="utf-8").splitlines()[first - 1 : last]


@pytest.fixture
def texts(benchmark_data):
    folder = benchmark_data.parent / "papers"
    if not folder.is_dir():
        pytest.skip("want of benchmark data: no papers beside them")
    return folder


@pytest.mark.parametrize(
    "table", [each for each in TABLES if not each.text], ids=lambda table: table.slug
)
def test_a_table_has_the_numbers_of_its_lines(table, texts):
    typed = table.printed.splitlines()[1:]
    printed = [re.sub(r"</?b>", "", line) for line in text_of(table, texts)][-len(typed) :]
    for own, line in zip(typed, printed, strict=True):
        assert NUMBER.findall(own) == NUMBER.findall(line)


@pytest.mark.parametrize(
    ("paper", "numbers"),
    [
        ("lr06 Fig. 2", ["0.863", "34%", "0.988", "0.913"]),
        ("mlr07 Worked example", ["2.83", "2.5", "m0 =3"]),
        ("lrrf Statistics", ["2.93", "2.01", "4.18", "3.78", "6.67", "9.34", "2.97"]),
        ("lrrf Table 1", ["[1~{}2~{}3]", "[2~{}3~{}1]", "[3~{}1~{}2]"]),
    ],
)
def test_numbers_within_sentences_are_there(paper, numbers, texts):
    table = next(each for each in TABLES if f"{each.paper} {each.name}" == paper)
    text = "\n".join(text_of(table, texts))
    assert [number for number in numbers if number not in text] == []
