"""Have visitors bring hostile or large files to a server at once, and measure what others notice.

python3 tests/run fuzz visitors          all of it
python3 tests/run fuzz visitors slow     a small file beside eight that are slow to read
python3 tests/run fuzz visitors tabs     60 files that are looked at in tabs that are then closed
python3 tests/run fuzz visitors large    six files of 60 MB at once

`slow`: another visitor's 24 bytes are shown after 2 s at most. `tabs`: the server's memory is never
more than 200 MB above what it is when ten tabs have been closed. `large`: what the server and its
child programs hold at most, without what they share counted twice. Linux only: the memory of a
program is read from the kernel.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from tests.benchmarks.connection import connected  # noqa: E402
from tests.benchmarks.uploads import Browser, first_cookies, megabytes, pids_of  # noqa: E402
from tests.browser.driver import Server  # noqa: E402
from tests.fuzz.bombs import slow_workbook  # noqa: E402

N_SLOW, N_SMALL, MOST_SECONDS = 8, 6, 2.0
N_TABS, N_WARM, MOST_GROWTH = 60, 10, 200.0
# After the last tab.
SECONDS_AFTER = 10
N_LARGE, LARGE_BYTES = 6, 60_000_000
SMALL = b"x,a,b\n1,1,2\n2,2,1\n3,1,2\n"


def numbers(n_bytes, number=0):
    """A table of numbers of a size; each number makes another."""
    random = np.random.default_rng(number)
    block = random.normal(size=(1000, 20)).round(4)
    lines = "".join(",".join(map(str, row)) + ",1,2\n" for row in block.tolist()).encode()
    head = ",".join([*(f"x{j}" for j in range(20)), "l1", "l2"]).encode() + b"\n"
    return head + lines * (n_bytes // len(lines))


async def look(server, name, content):
    """Bring a file in a tab of its own; return the seconds until what it holds is shown."""
    async with connected(server, cookies := first_cookies(server)) as socket:
        browser = Browser(socket, server, cookies)
        await browser.run()
        return await browser.look(name, content)


async def beside_slow_files(server):
    """Bring a small file again and again, alone and then beside slow ones."""

    async def seconds():
        return [await look(server, f"small{k}.csv", SMALL) for k in range(N_SMALL)]

    alone = await seconds()
    slow = [
        asyncio.create_task(look(server, f"slow{k}.xlsx", slow_workbook(k))) for k in range(N_SLOW)
    ]
    try:
        await asyncio.sleep(0.5)
        beside = await seconds()
        n_left = sum(not task.done() for task in slow)
    finally:
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
    say(
        f"24 bytes: {median(alone):.2f} s alone, at most {max(alone):.2f}; beside {N_SLOW} slow "
        f"files {median(beside):.2f} s, at most {max(beside):.2f} ({MOST_SECONDS} s allowed); "
        f"{n_left} of the slow ones were still read in the end"
    )
    return max(beside) <= MOST_SECONDS and n_left > 0


async def closed_tabs(server):
    """Look at files in tabs that are then closed; follow the server's memory all the time."""
    sizes, highest = [], 0.0

    async def follow():
        nonlocal highest
        while True:
            if len(sizes) >= N_WARM:
                highest = max(highest, megabytes(server.process.pid))
            await asyncio.sleep(0.1)

    following = asyncio.create_task(follow())
    for k in range(N_TABS):
        await look(server, f"numbers{k}.csv", numbers(6_000_000, k))
        # A server notices a moment later that a tab is closed.
        await asyncio.sleep(0.2)
        sizes.append(megabytes(server.process.pid))
    await asyncio.sleep(SECONDS_AFTER)
    following.cancel()
    warm, last = sizes[N_WARM - 1], megabytes(server.process.pid)
    shown = ", ".join(f"{size:.0f}" for size in sizes[N_WARM - 1 :: N_WARM])
    say(
        f"{N_TABS} files of 6 MB in closed tabs: at most {highest - warm:+.0f} MB after the first "
        f"{N_WARM} ({MOST_GROWTH:.0f} MB allowed); MB of the server at every tenth: {shown}, "
        f"{SECONDS_AFTER} s later {last:.0f}"
    )
    return highest - warm <= MOST_GROWTH


async def large_files(server):
    """Look at large files at once; say which program holds how much at most."""
    server_before, largest = held_alone(server.process.pid), {}

    async def follow():
        while True:
            children = [held_alone(pid) for pid in pids_of(server.process.pid)]
            now = {"server": held_alone(server.process.pid), "children": sum(children)}
            now["both"], now["programs"] = sum(now.values()), len(children)
            for name, size in now.items():
                largest[name] = max(size, largest.get(name, 0))
            await asyncio.sleep(0.1)

    following = asyncio.create_task(follow())
    content = numbers(LARGE_BYTES)
    seconds = await asyncio.gather(
        *(look(server, f"large{k}.csv", content) for k in range(N_LARGE))
    )
    following.cancel()
    say(
        f"{N_LARGE} files of {LARGE_BYTES // 10**6} MB at once, {max(seconds):.0f} s: MB of the "
        f"server {server_before:.0f}, then at most {largest['server']:.0f}; of its child programs, "
        f"{largest['programs']} at most, {largest['children']:.0f}; of both at one time "
        f"{largest['both']:.0f}"
    )
    return True


def held_alone(pid):
    """The memory of a program in MB, of what several share its part; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1.024e-3


def say(line):
    sys.stdout.write(f"{line}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    sys.stdout.flush()


PARTS = {"slow": beside_slow_files, "tabs": closed_tabs, "large": large_files}


def main(arguments):
    missed = []
    for name in arguments or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder) / "log.txt")
            try:
                server.wait()
                is_met = asyncio.run(PARTS[name](server))
                if "Traceback" in server.said():
                    sys.stdout.write(server.said())
                    is_met = False
            finally:
                server.stop()
        missed += [name] * (not is_met)
    sys.stdout.write(f"missed: {', '.join(missed) or 'none'}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
