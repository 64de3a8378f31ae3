"""Whatever a file holds, reading it gives a data set or findings."""

import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core.io import read
from labelrank_core.io.child import ChildError
from labelrank_core.io.formats.arff_rows import split_fields
from tests.fuzz import worker
from tests.fuzz.reading import check
from tests.fuzz.seeds import TEXT, seeds

pytestmark = pytest.mark.usefixtures("in_this_program")

SEEDS = [content for files in TEXT.values() for content in files.values()]
FINDS = sorted((Path(__file__).parents[1] / "fuzz" / "finds").glob("*-*"))
ODD = [b"", b",", b"\n", b'"', b"\x00", b"\xff", b"?", b">", b"=", b"1e999", b"-1", b"{", b"}"]


@given(content=st.binary(max_size=300))
def test_any_bytes(content):
    check(content)


@st.composite
def mutations(draw):
    """A valid file in which a few pieces are replaced, repeated or left out."""
    content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(content))] * 2)))
        piece = draw(
            st.sampled_from(ODD)
            | st.binary(max_size=8)
            | st.just(content[start:end] * 2)
            | st.sampled_from(SEEDS)
        )
        content = content[:start] + piece + content[min(end, start + 20) :]
    return content[:4096]


@given(content=mutations())
def test_any_mutation_of_valid_files(content):
    check(content)


def test_valid_files_of_every_format_are_read():
    for name, files in seeds().items():
        for content in files.values():
            issues = check(content)
            assert not any("cannot be read" in issue.message for issue in issues), name


def test_what_once_broke_a_reader():
    assert FINDS
    for path in FINDS:
        check(path.read_bytes())


def test_the_fuzzer_changes_files_of_every_format_and_the_same_way_each_time():
    first, again = ([*islice(worker.inputs(1, 0, 300), 300)] for _ in range(2))
    assert first == again
    known = {content for files in seeds().values() for content in files.values()}
    changed = {name for _, name, content in first if content not in known}
    assert changed == set(seeds()) == set(worker.SHARES)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel for the peak of memory")
@pytest.mark.filterwarnings("ignore")
def test_the_fuzzer_reaches_what_stands_behind_the_head_of_every_format(monkeypatch):
    monkeypatch.setattr(read, "call", worker.here)
    verdicts = {name: Counter() for name in worker.SHARES}
    for _, name, content in worker.inputs(1, 0, 300):
        verdicts[name][worker.tried(content)["verdict"]] += 1
    for name, counts in verdicts.items():
        assert set(counts) <= {"read", "damaged"}
        assert counts["read"] >= 3, (name, counts)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel for the peak of memory")
def test_the_fuzzer_tells_what_breaks_a_reader(monkeypatch):
    monkeypatch.setattr(worker, "MOST_SECONDS", 0.05)
    monkeypatch.setattr(worker, "MOST_BYTES", 1)
    assert worker.tried(b"", list)["verdict"] == "over 1 GB"
    monkeypatch.undo()
    assert worker.tried(b"", list)["verdict"] == "read"
    assert worker.tried(b"", int)["verdict"] == "other exceptions"
    monkeypatch.setattr(worker, "MOST_SECONDS", 0.05)
    assert worker.tried(b"", lambda _: time.sleep(5))["verdict"] == "over 10 s"


def test_an_exception_of_the_package_is_not_taken_for_damage():
    def broken(*_):
        raise KeyError

    def ours(*_):
        split_fields("'")

    with pytest.raises(ChildError, match="damaged"):
        worker.here(broken, b"", 10)
    with pytest.raises(ValueError, match="quote"):
        worker.here(ours, b"", 10)
