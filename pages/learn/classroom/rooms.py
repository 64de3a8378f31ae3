"""All classes of this server: opened by a teacher, joined by a code, gone after the hour."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import blake2b
from threading import RLock, Timer
from time import monotonic

from pages.learn.classroom.limiter import Limiter
from pages.learn.classroom.room import Classroom

MOST_ROOMS = 32
SECONDS_WITHOUT_TEACHER = 3600.0
# Neither vowels, which would make words, nor letters that look like others or like digits.
LETTERS = "BCDFGHJKMNPQRTVWXY"
CODE_LENGTH = 6
# Of 34 million codes, 60 wrong ones a minute meet one of 32 rooms within an hour in 1 of 300 cases.
_WRONG_CODES, _WRONG_CODES_IN_ALL = 20, 60
# A school has one address for all its teachers.
_OPENED, _OPENED_IN_ALL = 8, 30
_MOST_ENDED = 256


class JoinProblem(Enum):
    """Why a phone is not in a class."""

    WRONG_CODE = auto()
    ENDED = auto()
    FULL = auto()
    TOO_MANY_TRIES = auto()


@dataclass(frozen=True)
class Joined:
    """A phone in a class: the room, and the number that it has there."""

    room: Classroom
    phone: int


class Classrooms:
    """The classes of one server process, found by a code or by the teacher's key."""

    def __init__(self, clock: Callable[[], float] = monotonic, *, ends_by_itself: bool = True):
        """Take a clock in seconds; a room ends by itself, or when somebody next asks for one."""
        self._clock, self._ends_by_itself = clock, ends_by_itself
        self._lock = RLock()
        self._by_code: dict[str, Classroom] = {}
        # By a digest: neither the keys nor how long a comparison takes tell anything.
        self._codes: dict[bytes, str] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._wrong_codes = Limiter(_WRONG_CODES, _WRONG_CODES_IN_ALL, clock)
        self._openings = Limiter(_OPENED, _OPENED_IN_ALL, clock)
        self._timer: Timer | None = None

    def open(self, client: str) -> str | None:
        """Open a room and return the teacher's key; None: too many are open, or opened at once."""
        with self._lock:
            self._end_old()
            if not self._openings.allows(client):
                return None
            if len(self._by_code) >= MOST_ROOMS and not self._end_an_empty_room():
                return None
            self._openings.take_token(client)
            code = _draw_code()
            while code in self._by_code or code in self._ended:
                code = _draw_code()
            key = secrets.token_urlsafe(32)
            self._by_code[code] = Classroom(code, secrets.token_bytes(32), self._clock)
            self._codes[_digest(key)] = code
            self._set_timer()
            return key

    def with_key(self, key: str) -> Classroom | None:
        """Return the room of a teacher, None if it has ended."""
        with self._lock:
            self._end_old()
            code = self._codes.get(_digest(key))
            return None if code is None else self._by_code[code]

    def end(self, key: str) -> None:
        """End a class, with all that its phones have answered."""
        with self._lock:
            code = self._codes.get(_digest(key))
            if code is not None:
                self._end(code)

    def join(self, code: str, visitor: str, client: str) -> Joined | JoinProblem:
        """Let a browser into the room of a code; one that has joined comes back to its number."""
        code = clean_code(code)
        with self._lock:
            self._end_old()
            room = self._by_code.get(code)
            if room is None or not room.knows(visitor):
                if not self._wrong_codes.allows(client):
                    return JoinProblem.TOO_MANY_TRIES
                if room is None:
                    self._wrong_codes.take_token(client)
                    return JoinProblem.ENDED if code in self._ended else JoinProblem.WRONG_CODE
        phone = room.join(visitor)
        return JoinProblem.FULL if phone is None else Joined(room, phone)

    def version(self, code: str) -> int | None:
        """Return the version of a class's scene, None once it has ended: for phones in it."""
        with self._lock:
            self._end_old()
            room = self._by_code.get(code)
        return None if room is None else room.version

    def __len__(self) -> int:
        """Count the rooms."""
        with self._lock:
            self._end_old()
            return len(self._by_code)

    def _end(self, code: str) -> None:
        del self._by_code[code]
        self._codes = {digest: other for digest, other in self._codes.items() if other != code}
        self._ended[code] = None
        if len(self._ended) > _MOST_ENDED:
            self._ended.popitem(last=False)

    def _end_old(self) -> None:
        limit = self._clock() - SECONDS_WITHOUT_TEACHER
        for code in [code for code, room in self._by_code.items() if room.used_at <= limit]:
            self._end(code)

    def _end_an_empty_room(self) -> bool:
        """End the room without phones that was left alone longest; False if there is none."""
        empty_rooms = [room for room in self._by_code.values() if not room.n_phones]
        if not empty_rooms:
            return False
        self._end(min(empty_rooms, key=lambda room: room.used_at).code)
        return True

    def _set_timer(self) -> None:
        """Wake up when the next room ends, though nobody asks for one by then."""
        if not self._ends_by_itself or self._timer is not None or not self._by_code:
            return
        first = min(room.used_at for room in self._by_code.values())
        delay = max(0.0, first + SECONDS_WITHOUT_TEACHER - self._clock())
        self._timer = Timer(delay, self._wake)
        self._timer.daemon = True
        self._timer.start()

    def _wake(self) -> None:
        with self._lock:
            self._timer = None
            self._end_old()
            self._set_timer()


def clean_code(code: str) -> str:
    """Return a code as it is kept: people type small letters and spaces."""
    return "".join(code.upper().split())[: 2 * CODE_LENGTH]


def _draw_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def _digest(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=32).digest()


# As long as the server lives: Streamlit's caches can be emptied by a client.
CLASSROOMS = Classrooms()
