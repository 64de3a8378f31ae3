"""Uploads are read in a child program: its limits, its answers, and files made to burst it."""

import dataclasses
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from labelrank_core import inspect_files, read_dataset
from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io import child, programs
from labelrank_core.io.cells import Cells, Coded, SparseCells, Texts
from labelrank_core.io.child import ChildError, call
from labelrank_core.io.parcel import pack_cells, pack_files, unpack_cells, unpack_files
from labelrank_core.io.read import answer, read_files, read_here
from labelrank_core.io.sources import Source, open_sources
from labelrank_core.io.table import table_of
from labelrank_core.io.vocabulary import Role, TargetForm
from tests.child_tasks import end, fill, rest, say_niceness, say_pid, sleep, spin
from tests.fuzz.reading import as_files
from tests.fuzz.seeds import seeds
from tests.looped import looped

TABLE = b"x,L1,L2\n1,1,2\n2,2,1\n3,1,2\n"


def the_error(files, code):
    issues = inspect_files(files).findings
    (issue,) = [issue for issue in issues if issue.severity is Severity.ERROR]
    assert issue.code == code
    return issue


@pytest.fixture(scope="module", autouse=True)
def tasks():
    """Let child programs find the tasks of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        # Programs that have waited since before would not find them.
        patch.setattr(child, "SPARES", programs.Spares())
        yield


class TestLimits:
    def test_files_are_read(self):
        assert read_dataset(("f", TABLE), target_form="positions").X.tolist() == [[1], [2], [3]]

    def test_what_takes_too_long_is_stopped(self, monkeypatch):
        monkeypatch.setattr(child, "MAX_SECONDS", 1)
        with pytest.raises(ChildError, match="longer than 1 seconds"):
            call(sleep, b"")

    def test_less_time_is_given_to_less(self, monkeypatch):
        monkeypatch.setattr(child, "max_seconds", lambda n_bytes: 2 if n_bytes < 1000 else 60)
        monkeypatch.setattr(child, "QUICK_SECONDS", 1)
        monkeypatch.setattr(child, "_PATIENCE", 30)
        with pytest.raises(ChildError, match="longer than 2 seconds"):
            call(spin, b"")

    def test_a_busy_machine_takes_longer_over_the_same(self, monkeypatch):
        monkeypatch.setattr(child, "max_seconds", lambda _: 1)
        monkeypatch.setattr(child, "_PATIENCE", 40)
        with call(rest, b"2") as stream:  # as long as others have the processors
            assert stream.read() == b"rested"
        monkeypatch.setattr(child, "_PATIENCE", 3)
        with pytest.raises(ChildError, match="longer than 3 seconds"):
            call(sleep, b"")

    def test_a_reading_that_nobody_waits_for_is_ended(self):
        class ClosedTabError(Exception):
            pass

        def close(_):
            raise ClosedTabError

        with pytest.raises(ClosedTabError):
            call(sleep, b"", on_wait=close)
        with call(fill, b"3") as stream:  # its place is free again
            assert len(stream.read()) == 6

    def test_a_small_file_is_read_while_eight_others_take_all_their_time(self):
        is_over = threading.Event()

        def stop(_):
            if is_over.is_set():
                raise InterruptedError

        def take_long():
            with suppress(InterruptedError):
                call(spin, b"", n_bytes=20_000, on_wait=stop)

        threads = [threading.Thread(target=take_long) for _ in range(8)]
        for thread in threads:
            thread.start()
        try:
            assert inspect_files(("f", TABLE)).has_table
            assert all(thread.is_alive() for thread in threads)
        finally:
            is_over.set()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()

    def test_what_needs_too_much_memory_is_stopped(self, monkeypatch):
        monkeypatch.setattr(child, "MAX_MEMORY", 1_000_000)
        with pytest.raises(ChildError, match="more than 1 MB of memory"):
            call(answer, bytes(50_000_000))

    def test_what_answers_too_much_is_stopped(self):
        with call(fill, b"1000000", max_answer=2_000_001) as stream:
            assert len(stream.read()) == 2_000_000
        for size in (b"1000000", b"5000000"):
            with pytest.raises(ChildError, match="more than 2 MB"):
                call(fill, size, max_answer=2_000_000)

    def test_a_failure_is_told_apart_from_an_answer(self):
        for function, request_ in ((answer, b"no parcel"), (end, b""), (end, bytes(1_000_000))):
            with pytest.raises(ChildError, match="damaged"):
                call(function, request_)


def assert_same_cells(one, other):
    for field in dataclasses.fields(Cells):
        same = [as_read(field.name, getattr(cells, field.name)) for cells in (one, other)]
        assert repr(same[0]) == repr(same[1]), field.name


def as_read(name, value):
    """Text as a list, as readers return it; how much the size of a file allows is not read."""
    if name == "n_bytes":
        return None
    if name != "columns" or value is None:
        return value
    return {key: list(own.array) if isinstance(own, Texts) else own for key, own in value.items()}


@looped(["name"], lambda: [(name,) for name in seeds()])
def test_every_format_is_read_there_as_here(name):
    # Most tests of readers read in their own program, which has imported everything.
    files = open_sources(as_files(next(iter(seeds()[name].values()))))
    here = read_here(files)
    assert here.columns or here.sparse is not None
    assert_same_cells(read_files(files), there_and_back(here))


def test_small_text_does_not_wait_for_files_that_are_packed():
    def refuse_to_wait(waits):
        assert not waits

    with ExitStack() as taken:
        while child._QUICK._n_free:
            taken.enter_context(child._QUICK.take(0))
        (text,) = open_sources(("a.csv", b"x,a,b\n1,1,2\n2,2,1\n"))
        assert read_files([text], refuse_to_wait).columns is not None
        packed = open_sources(("a.parquet", seeds()["parquet"]["snappy"]))
        with pytest.raises(AssertionError):
            read_files(packed, refuse_to_wait)


def test_small_text_is_read_by_a_program_that_waits_for_it_and_is_replaced(monkeypatch):
    spares, started = programs.Spares(), []

    class Counted(programs.Program):
        def __init__(self, **how):
            super().__init__(**how)
            started.append((how, self.process.pid))

    monkeypatch.setattr(child, "SPARES", spares)
    monkeypatch.setattr(child, "Program", Counted)
    monkeypatch.setattr(programs, "Program", Counted)
    spares.prepare(1)
    try:
        waiting = [waited_for(spares)]
        for _ in range(2):
            with call(say_pid, b"", is_text=True) as stream:
                assert int(stream.read()) == waiting[-1].process.pid
            assert waiting[-1].process.poll() is not None
            waiting.append(waited_for(spares))
        # One that was ended from outside is replaced before it is asked.
        waiting[-1].process.kill()
        waiting[-1].process.wait()
        ended = waiting[-1].process.pid
        with call(say_pid, b"", is_text=True) as stream:
            # The next one that waits is started meanwhile, before or after this one.
            assert int(stream.read()) in {pid for _, pid in started} - {ended}
        # What is packed or large has none of them.
        last = waited_for(spares)
        for about in ({"is_text": False}, {"is_text": True, "n_bytes": 5_000_000}):
            with call(say_pid, b"", **about) as stream:
                assert int(stream.read()) != last.process.pid
        assert last.process.poll() is None
    finally:
        spares.close()
    assert last.process.poll() is not None


def waited_for(spares):
    """The program that waits."""
    deadline = time.monotonic() + 30
    while not spares._waiting:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return spares._waiting[0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no niceness")
def test_programs_that_read_small_text_go_before_those_that_read_what_is_packed_or_large():
    def niceness(n_bytes, *, is_text):
        with call(say_niceness, b"", n_bytes=n_bytes, is_text=is_text) as stream:
            return int(stream.read()) - os.nice(0)

    text, packed = niceness(20_000, is_text=True), niceness(20_000, is_text=False)
    large = niceness(5_000_000, is_text=True)
    assert 0 == text < packed < large


def test_it_ends_with_its_parent(tmp_path):
    program = (
        "import sys\n"
        "from labelrank_core.io import child\n"
        "from tests.child_tasks import say_who\n"
        "child.call(say_who, sys.argv[1].encode())\n"
    )
    who = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", program, str(who)]) as parent:
        while not (who.exists() and who.read_text()):
            assert parent.poll() is None
            time.sleep(0.05)
        pid = int(who.read_text())
        assert runs(pid)
        parent.kill()
    deadline = time.monotonic() + 5
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(pid)


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


HOSTILE = {
    "libsvm": b"1 " + b" ".join(b"%d:10" % i for i in range(23)) + b" x\n",
    "comments": b"<!--a-->" * 26 + b"x,a,b\n1,1,2\n2,2,1\n",
    "preflib": b"# FILE NAME: a.soc\n# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 2\n"
    b"# NUMBER VOTERS: 2\n# A" + b" " * 4000 + b"x\n1: 1,2\n",
    "blanks": b" " * 40_000 + b"x\n1 1:1\n",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_patterns_do_not_stop_the_program(content):
    start = time.perf_counter()
    inspect_files(("f", content))
    assert time.perf_counter() - start < 5


def packed(table, **options):
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **options)
    return buffer.getvalue()


def word_of_a_megabyte(*, store_schema):
    codes = pa.array(np.zeros(800_000, dtype=np.int32))
    words = pa.DictionaryArray.from_arrays(codes, ["a" * 1_000_000])
    numbers = pa.array(np.ones(800_000, dtype=np.int8))
    table = pa.table({"w": words, "a": numbers, "b": numbers})
    return packed(table, compression="zstd", store_schema=store_schema)


def omitted_megabyte():
    rows = b"{0 1}\n" * 9000
    words = b"{" + b"a" * 1_000_000 + b",b}"
    return b"@relation r\n@attribute x numeric\n@attribute w " + words + b"\n@data\n" + rows


AMPLIFIED = {
    "one word, declared": lambda: word_of_a_megabyte(store_schema=True),
    "one word": lambda: word_of_a_megabyte(store_schema=False),
    "one number": lambda: packed(pa.table({"x": pa.array(np.ones(100_000_000, dtype=np.int8))})),
    "five million rows": lambda: packed(
        pa.table({f"x{j}": pa.array(np.ones(4_000_000, dtype=np.int8)) for j in range(20)})
    ),
    "an omitted category": omitted_megabyte,
}


def test_small_files_do_not_fill_the_memory(tmp_path):
    for name, content in AMPLIFIED.items():
        (tmp_path / name).write_bytes(content())
    # One program for all, whose most memory is measured: none of them takes much.
    program = (
        "import sys, resource\n"
        "from pathlib import Path\n"
        "from labelrank_core import inspect_files\n"
        "from labelrank_core.io import child\n"
        "child.MAX_MEMORY = 1_000_000_000\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    codes = [issue.code for issue in inspect_files(('f', path.read_bytes())).errors]\n"
        "    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "    print(path.name, grown // 1000, *codes, sep=';')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, check=True
    )
    lines = [line.split(";") for line in done.stdout.decode().splitlines()]
    assert {name for name, *_ in lines} == set(AMPLIFIED)
    for name, grown, *codes in lines:
        assert int(grown) < 100, lines
        assert codes in (["too-large"], ["unreadable-file"]), name


def there_and_back(cells):
    with tempfile.TemporaryFile() as stream:
        pack_cells(cells, stream)
        return unpack_cells(stream)


def test_everything_about_a_table_survives():
    cells = Cells(
        "t",
        {
            "text": ["a", "", "ü"],
            "n": np.array([1.5, np.nan, 3]),
            "kind": Coded(np.array([0, -1, 1]), ["b", "a", "c"]),
            "m": np.array([1.0, 2, 3]),
        },
        np.array([2, 3, 9]),
        "made-up",
        findings=[Finding("c", Severity.INFO, "m", "h", row=3, column="n", count=2, file="f")],
        ragged=[Finding("r", Severity.ERROR, "m")],
        ragged_lines=[4, 5],
        encoding="utf-8",
        roles={"n": Role.LABEL},
        form=TargetForm.POSITIONS,
        labels=["b", "a"],
        titles={"n": "number"},
        nominal=["text"],
        doubt="who knows",
        sparse=SparseCells(("u", "v"), np.array([1.5]), np.array([1]), np.array([0, 1, 1, 1])),
        split=np.array([True, False, True]),
        files=["a", "b"],
        ragged_files=["a", "b"],
    )
    same = there_and_back(cells)
    assert_same_cells(same, cells)
    frame = table_of(same).frame
    assert list(frame.columns) == ["text", "n", "kind", "m"]
    assert frame["kind"].tolist() == ["b", np.nan, "a"] or frame["kind"].isna().tolist()[1]


def test_no_table_and_files_survive(tmp_path):
    assert there_and_back(Cells("t")).columns is None
    files = [Source("a", b""), Source("b", b"\0\1"), Source("c", b"", path=tmp_path / "c")]
    assert unpack_files(pack_files(files)) == files


def test_the_program_that_reads_starts_without_what_it_does_not_need():
    program = (
        "import sys\n"
        "from labelrank_core.io import read\n"
        "heavy = {'pandas', 'scipy', 'sklearn', 'pyarrow', 'openpyxl', 'urllib.request'}\n"
        "print(*(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == []
