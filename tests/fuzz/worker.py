"""Reads mutated files in this program, one after the other, and says what each came to.

python -m tests.fuzz.worker SEED FIRST LAST   (a line of JSON for every input)
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import ExitStack, contextmanager
from pathlib import Path

import labelrank_core.io.read
from labelrank_core.io.child import ChildError
from tests.fuzz.mutations import mutated
from tests.fuzz.reading import check
from tests.fuzz.seeds import seeds

PACKAGE = str(Path(labelrank_core.__file__).parent)
MOST_SECONDS, MOST_BYTES = 10, 1_000_000_000
MOST_MEMORY = 3_000_000_000  # as a child program has
# How often a format's turn comes; what libraries read takes longer.
SHARES = {
    "delimited": 20,
    "arff": 20,
    "libsvm": 13,
    "scikit-lr": 8,
    "preflib": 10,
    "xlsx": 8,
    "xls": 7,
    "parquet": 8,
    "packed": 6,
}
FORMATS = [name for name, share in SHARES.items() for _ in range(share)]
_MOST_KEPT = 100
# Findings that say so of a whole file.
DAMAGED = {"unreadable-file", "bad-archive"}


class TooSlowError(BaseException):
    """Raised by the alarm; no reader may take it for damage of the file."""


def here(function, request, max_answer, **_):
    """Read in this program; what a library raises means that the file is damaged."""
    with ExitStack() as closing:
        answer = closing.enter_context(tempfile.TemporaryFile())
        try:
            function(request, answer)
        except MemoryError:
            raise ChildError("memory") from None
        except Exception as error:
            if in_our_code(error):
                raise
            raise ChildError("damaged") from error
        if answer.seek(0, os.SEEK_END) >= max_answer:
            raise ChildError("answer")
        closing.pop_all()
    return answer


def in_our_code(error):
    """Tell whether an exception was raised by the package itself rather than by a library."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return last.filename.startswith(PACKAGE)


def inputs(seed, first, last):
    """Yield the number, format and content of each input; what was new becomes a seed too."""
    pools = {name: list(files.values()) for name, files in seeds().items()}
    known: dict[str, set] = {name: set() for name in pools}
    for number in range(first, last):
        chance = random.Random(f"{seed} {number}")
        name = FORMATS[number % len(FORMATS)]
        content = mutated(chance.choice(pools[name]), pools[name], chance)
        codes = yield number, name, content
        if codes and codes not in known[name] and len(pools[name]) < _MOST_KEPT:
            known[name].add(codes)
            pools[name].append(content)


@contextmanager
def alarm():
    def ring(*_):
        raise TooSlowError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def tried(content, test=check):
    """What reading one input comes to: a verdict, its details, the codes of its findings."""
    reset_peak()
    start = time.perf_counter()
    verdict, details, codes = "read", "", ()
    try:
        with alarm():
            findings = test(content)
        codes = tuple(sorted({finding.code for finding in findings}))
        if DAMAGED.intersection(codes):
            verdict = "damaged"
    except TooSlowError:
        verdict = "over 10 s"
    except Exception:  # noqa: BLE001 - that is what is looked for
        verdict, details = "other exceptions", traceback.format_exc()
    seconds = time.perf_counter() - start
    if peak() > MOST_BYTES and verdict in ("read", "damaged"):
        verdict = "over 1 GB"
    return {"verdict": verdict, "details": details, "seconds": seconds, "codes": codes}


def reset_peak():
    """Have the kernel measure the largest size of this process anew."""
    Path("/proc/self/clear_refs").write_text("5")


def peak():
    """The largest size of this process since then, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(size) * 1024


def main():
    import resource

    seed, first, last = map(int, sys.argv[1:])
    # Those of libraries would end a reading that goes on in the app.
    warnings.simplefilter("ignore")
    warnings.filterwarnings("error", module="labelrank_core")
    labelrank_core.io.read.call = here
    # What a library prints must not come between the lines.
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    files = inputs(seed, first, last)
    number, name, content = next(files)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    while True:
        lines.write(json.dumps({"number": number, "format": name}) + "\n")
        lines.flush()
        result = tried(content)
        codes = result.pop("codes")
        bad = result["verdict"] not in ("read", "damaged")
        shown = {**result, "content": content.hex() if bad else ""}
        lines.write(json.dumps(shown) + "\n")
        lines.flush()
        try:
            number, name, content = files.send(codes)
        except StopIteration:
            return


if __name__ == "__main__":
    main()
