"""Have every method of the catalog learn hostile features, targets and parameters.

python3 tests/run fuzz methods           every case
python3 tests/run fuzz methods 7         every seventh case
python3 tests/run fuzz methods 7 2       every seventh case from number 2 on

Each case must end in a prediction or in a ValueError or TypeError that says what was expected. A
child program runs them one after the other; it is replaced where a case hangs or ends it. A case
hangs after 20 s, or as many times longer as programs share a processor.
"""

import json
import subprocess
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from tests.fuzz.growth import sharing

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS, MOST_MEMORY = 20, 4_000_000_000
VERDICTS = ("predicted", "refused", "unclear", "other exceptions", "wrong", "hangs", "worker ended")
BAD = VERDICTS[2:]


def check_all(step=1, first=0, most_seconds=MOST_SECONDS, report=lambda _: None):
    """Run every step-th case from a number on; return counts by verdict, and what broke.

    `report` is called with every case.
    """
    counts, broken = Counter(), []

    def note(result):
        counts[result["verdict"]] += 1
        if result["verdict"] in BAD:
            broken.append(result)
        report(result)

    while first is not None:
        first = _check_from(first, step, most_seconds, note)
    return counts, broken


def _check_from(first, step, most_seconds, note):
    """Run cases in one child from a number on; return the number to go on with, None at the end."""
    command = [sys.executable, "-m", "tests.fuzz.methods", "child", str(first), str(step)]
    child = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    lines = SimpleQueue()

    def listen():
        with child.stdout:
            for line in child.stdout:
                lines.put(json.loads(line))
        lines.put(None)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    current, patience = None, 120
    try:
        while True:
            try:
                line = lines.get(timeout=patience)
            except Empty:
                line = {"verdict": "hangs"}
            if line is None and current is None:
                return None
            if line is not None and "case" in line:
                current, patience = line, most_seconds * sharing()
                continue
            result = line or {"verdict": "worker ended"}
            note({"seconds": most_seconds, **current, **result})
            if "details" not in result:
                return current["number"] + step
            current, patience = None, 120
    finally:
        child.kill()
        child.wait()
        listener.join()


def _verdict(case):
    """Run one case here; return its verdict and details."""
    from tests.fuzz.hostile import run

    try:
        wrong = run(*case[1:])
    except (ValueError, TypeError) as error:
        return "refused" if is_clear(error) else "unclear", traceback.format_exc()
    except Exception:  # noqa: BLE001 - that is what is looked for
        return "other exceptions", traceback.format_exc()
    return ("wrong" if wrong else "predicted"), wrong


def is_clear(error):
    """Tell whether an error is of this package or of scikit-learn's checks, with what was got."""
    *_, last = traceback.extract_tb(error.__traceback__)
    checks = ("sklearn/utils/", "sklearn/base.py", "labelrank_core/")
    return any(part in last.filename.replace("\\", "/") for part in checks)


def _child(first, step):
    import resource

    from tests.fuzz.hostile import cases

    warnings.simplefilter("ignore")
    warnings.filterwarnings("error", category=RuntimeWarning, module="labelrank_core")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    listed = cases()
    for number in range(first, len(listed), step):
        name, key, scaled, *_ = listed[number]
        _say({"number": number, "case": f"{key}, {name}{', scaled' * scaled}"})
        start = time.perf_counter()
        verdict, details = _verdict(listed[number])
        _say(
            {
                "verdict": verdict,
                "details": details,
                "seconds": time.perf_counter() - start,
            }
        )


def _print(one):
    if one["verdict"] in BAD:
        sys.stdout.write(f"\n{one['verdict']}: {one['case']}\n{one.get('details', '')}\n")
        sys.stdout.flush()


def _say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main(arguments):
    if arguments[:1] == ["child"]:
        _child(*map(int, arguments[1:]))
        return 0
    results = []

    def report(result):
        results.append((result["seconds"], result["case"]))
        _print(result)

    counts, broken = check_all(*map(int, arguments), report=report)
    slowest = ", ".join(f"{name} {seconds:.1f}" for seconds, name in sorted(results)[:-6:-1])
    for verdict in VERDICTS:
        sys.stdout.write(f"{verdict:18}{counts[verdict]:>7}\n")
    sys.stdout.write(f"{'cases':18}{len(results):>7}\nslowest, seconds: {slowest}\n")
    return int(bool(broken) or not results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
