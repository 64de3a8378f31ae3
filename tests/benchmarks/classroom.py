"""A class of forty phones on one server: how long answers take, and whether memory grows.

python tests/benchmarks/classroom.py          40 phones, 12 questions
python tests/benchmarks/classroom.py 20 5     so many phones and questions

Each phone is a connection as a browser's: it asks once a second whether the class has gone on, and
answers some time within three seconds after it has. A second class with five phones goes on beside
it, and no phone may see anything of the other class. Then the phones ask as often as in a lecture
of 45 minutes, without pauses, while the server's memory is looked at.
"""

import asyncio
import random
import re
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from tests.benchmarks.connection import Connection, connected  # noqa: E402
from tests.benchmarks.crowd import processor_seconds  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

PHONES, QUESTIONS, OTHERS = 40, 12, 5
LECTURE_MINUTES = 45
POLL_SECONDS, LOOK_SECONDS, ANSWER_SECONDS = 1.0, 0.5, 3.0
# Seconds, and megabytes that memory may grow by in a lecture.
BUDGET, BUDGET_MB = 1.0, 10.0
N_ROUNDS = 6
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class Device(Connection):
    """A browser that asks by the clock, and hears its buttons and what is written."""

    def __init__(self, socket, query=""):
        super().__init__(socket, "learn", query)
        self.fragment = ""
        self.forget()
        self.lock = asyncio.Lock()

    def has_ended(self, message):
        kind = message.WhichOneof("type")
        if kind == "auto_rerun":
            self.fragment = message.auto_rerun.fragment_id
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished" and message.script_finished == EARLY:
            # The part that runs by the clock has asked for the whole page.
            self.forget()
        return super().has_ended(message)

    def hear(self, element):
        match element.WhichOneof("type"):
            case "button":
                self.buttons[element.button.label] = element.button.id
            case "button_group":
                self.groups[element.button_group.label] = element.button_group.id
            case "number_input":
                self.numbers[element.number_input.label] = element.number_input.id
            case "html":
                self.html.append(element.html.body)

    def forget(self):
        """Forget what the last run of the page has drawn."""
        self.buttons, self.groups, self.numbers, self.html = {}, {}, {}, []

    async def poll(self):
        """Run the part of the page that runs by the clock."""
        async with self.lock:
            return await self.run(fragment=self.fragment)

    async def click(self, label):
        async with self.lock:
            clicked = WidgetState(id=self.buttons[label], trigger_value=True)
            self.forget()
            return await self.run(clicked)

    async def choose(self, group, option):
        state = WidgetState(id=self.groups[group])
        state.string_array_value.data.append(option)
        return await self.change(state)

    async def type_number(self, name, value):
        (widget_id,) = (self.numbers[label] for label in self.numbers if name in label)
        return await self.change(WidgetState(id=widget_id, double_value=value))

    async def change(self, state):
        async with self.lock:
            self.forget()
            return await self.run(state)

    @property
    def text(self):
        return " ".join(self.html)


class Lecture:
    """One class: its teacher, its phones, and the seconds that things take."""

    def __init__(self, server, stack):
        self.server, self.stack = server, stack
        self.phones, self.code = [], ""
        self.joins, self.runs, self.on_screen, self.moves = [], [], [], []

    async def device(self, query=""):
        socket = await self.stack.enter_async_context(connected(self.server))
        return Device(socket, query)

    async def open(self, n_phones):
        self.teacher = await self.device()
        # On a server that nobody has visited the first run may end before the page is whole.
        while "Teach a class" not in self.teacher.buttons:
            await self.teacher.run()
        await self.teacher.click("Teach a class")
        (self.code,) = re.findall(r'class="code">(\w+)<', self.teacher.text)

        async def join():
            phone = await self.device(f"class={self.code}")
            self.joins.append(await phone.run())
            assert self.code in phone.text, phone.text
            return phone

        self.phones = list(await asyncio.gather(*(join() for _ in range(n_phones))))
        await self.teacher.choose("Part of the class", "Lesson")

    async def ask(self, number):
        """Let all phones answer a question about another case, and the teacher see it."""
        await self.teacher.type_number("temperature", 10.0 + number)
        polls = [asyncio.create_task(self.answer(phone, number)) for phone in self.phones]
        shown = asyncio.create_task(self.watch())
        sent = sorted(await asyncio.gather(*polls))
        for start, end in zip(sent, await shown, strict=True):
            self.on_screen.append(end - start)

    async def answer(self, phone, number):
        """Ask by the clock until the step is there, answer it, and go on asking."""
        begun = time.perf_counter()
        end = begun + random.uniform(1.2, ANSWER_SECONDS)
        await asyncio.sleep(random.uniform(0, POLL_SECONDS))
        while time.perf_counter() < end or not phone.buttons:
            await phone.poll()
            await asyncio.sleep(POLL_SECONDS)
        labels = [label for label in phone.buttons if "tea" in label]
        start = time.perf_counter()
        self.runs.append(await phone.click(labels[number % len(labels)]))
        assert "Your answer" in phone.text, phone.text
        return start

    async def watch(self):
        """Return the times at which the teacher's histogram has one answer, two, and so on."""
        times = []
        while len(times) < len(self.phones):
            self.teacher.html = []
            await self.teacher.poll()
            (n_answers,) = re.findall(r"<b>(\d+)</b> of", self.teacher.text)
            times += [time.perf_counter()] * (int(n_answers) - len(times))
            await asyncio.sleep(LOOK_SECONDS)
        return times

    async def move(self, label, phrase):
        """Let the teacher go on or back; wait until all phones are there."""
        start = time.perf_counter()
        await self.teacher.click(label)

        async def follow(phone):
            await asyncio.sleep(random.uniform(0, POLL_SECONDS))
            while phrase not in phone.text:
                await phone.poll()
                if phrase not in phone.text:
                    await asyncio.sleep(POLL_SECONDS)
            self.moves.append(time.perf_counter() - start)

        await asyncio.gather(*map(follow, self.phones))


def row(title, seconds):
    middle, high = np.percentile(seconds, (50, 95))
    print(f"{title:<58} {middle:7.2f} s {high:7.2f} s", flush=True)
    return high


def megabytes(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


async def teach(server, n_phones, n_questions):
    async with AsyncExitStack() as stack:
        lecture, other = Lecture(server, stack), Lecture(server, stack)
        await lecture.open(n_phones)
        await other.open(OTHERS)
        for number in range(n_questions):
            await asyncio.gather(lecture.ask(number), other.ask(number + 1))
            await lecture.move("Next", "Step 2 of 9")
            await lecture.move("Back", "Step 1 of 9")
            assert all(other.code in phone.text for phone in other.phones)
            assert not any(lecture.code in phone.text for phone in other.phones)
            assert not any(other.code in phone.text for phone in lecture.phones)
        print(f"{'':<58}    median      95 %", flush=True)
        row(f"{n_phones} phones join at once, until drawn", lecture.joins)
        high = row("an answer, until the class has it and the phone says so", lecture.runs)
        seen = row("an answer, until it is drawn in the teacher's histogram", lecture.on_screen)
        row("a step, until a phone shows it", lecture.moves)
        grown = await measure_memory(server, lecture)
    return int(max(high, seen) > BUDGET or grown > BUDGET_MB)


async def measure_memory(server, lecture):
    """Let phones ask as often as in a lecture; return the megabytes that memory grows by."""
    n_polls = int(LECTURE_MINUTES * 60 / POLL_SECONDS)

    async def poll_on(phone, n):
        for _ in range(n):
            await phone.poll()

    sizes, before = [], processor_seconds(server)
    for _ in range(N_ROUNDS):
        await asyncio.gather(*(poll_on(phone, n_polls // N_ROUNDS) for phone in lecture.phones))
        sizes.append(megabytes(server))
    spent = processor_seconds(server) - before
    n_all = len(lecture.phones) * (n_polls // N_ROUNDS) * N_ROUNDS
    print(f"{n_all} polls, {1000 * spent / n_all:.1f} ms of the processor each", flush=True)
    print(f"memory after each sixth of them: {', '.join(f'{size:.0f}' for size in sizes)} MB")
    # The first sixth fills what is kept once.
    return sizes[-1] - sizes[0]


def main(words):
    numbers = [int(word) for word in words]
    n_phones, n_questions = [*numbers, *(PHONES, QUESTIONS)[len(numbers) :]]
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name) / "log.txt")
        try:
            server.wait()
            return asyncio.run(teach(server, n_phones, n_questions))
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
