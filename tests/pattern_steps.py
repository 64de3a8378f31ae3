"""How many steps a pattern takes: its parsed form, run by the book of backtracking, counting.

Steps, unlike seconds, are the same on every machine, and a search that explodes ends at a limit.
"""

import re
from functools import cache

# The standard library's own parser of patterns; it has no public name.
from re import _constants as op
from re import _parser as parser

FOREIGN = "\0"  # what no pattern of ours takes for anything
_SIGNS = "a0 \t\n.,:;_-+>'\"\\{}()[]<@#%=?!/|*xXZ\u00e9"
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_MANY = 20  # repeats of at most that many are bounded


class TooManyStepsError(Exception):
    """Raised where a search takes more steps than it may."""


class Counted:
    """A pattern as nested functions of a place and of what comes next; each try is a step."""

    def __init__(self, pattern, most=5_000):
        self.most, self.steps, self.text = most, 0, ""
        source = pattern.pattern
        if isinstance(source, bytes):
            source, self.flags = source.decode("latin-1"), pattern.flags | re.ASCII
        else:
            self.flags = pattern.flags
        self.tree = list(parser.parse(source, self.flags))
        self._match = self._sequence(self.tree, self.flags)

    def run(self, method, text):
        """Do what a method of `re.Pattern` does; return the spans of what it finds."""
        self.text, self.steps = text, 0
        if method in ("match", "fullmatch"):
            return [span for span in [self._at(0, whole=method == "fullmatch")] if span]
        spans, start = [], 0
        while start <= len(text):
            span = self._at(start)
            spans += [span] if span else []
            if span and method == "search":
                break
            start = max(start + 1, span[1]) if span else start + 1
        return spans

    def _at(self, start, *, whole=False):
        ends = []

        def done(end):
            if whole and end != len(self.text):
                return False
            ends.append(end)
            return True

        return (start, ends[0]) if self._match(start, done) else None

    def _step(self):
        self.steps += 1
        if self.steps > self.most:
            raise TooManyStepsError

    def _sequence(self, items, flags):
        match = _nothing
        for what, argument in reversed(list(items)):
            match = _then(self._item(what, argument, flags), match)
        return match

    def _item(self, what, argument, flags):
        if what in _SINGLE:
            return self._sign(takes(what, argument, flags))
        if what is op.SUBPATTERN:
            _, added, removed, inner = argument
            return self._sequence(inner, (flags | added) & ~removed)
        if what is op.BRANCH:
            return self._branch([self._sequence(way, flags) for way in argument[1]])
        if what is op.ATOMIC_GROUP:
            return _atomic(self._sequence(argument, flags))
        if what in _REPEATS:
            least, most, inner = argument
            repeat = self._repeat(self._sequence(inner, flags), least, most, what is op.MIN_REPEAT)
            return _atomic(repeat) if what is op.POSSESSIVE_REPEAT else repeat
        if what in (op.ASSERT, op.ASSERT_NOT):
            direction, inner = argument
            width = inner.getwidth()[1] if direction < 0 else 0
            return self._look(self._sequence(inner, flags), width, what is op.ASSERT)
        if what is op.AT:
            return self._place(argument, flags)
        raise NotImplementedError(str(what))

    def _sign(self, fits):
        def sign(i, go_on):
            self._step()
            return i < len(self.text) and fits(self.text[i]) and go_on(i + 1)

        return sign

    def _branch(self, ways):
        def branch(i, go_on):
            self._step()
            return any(way(i, go_on) for way in ways)

        return branch

    def _repeat(self, body, least, most, lazy):
        def repeat(i, count, go_on):
            self._step()

            def again():
                # What takes nothing is not repeated.
                return count < most and body(
                    i, lambda j: (j > i or count < least) and repeat(j, count + 1, go_on)
                )

            if count < least:
                return again()
            return go_on(i) or again() if lazy else again() or go_on(i)

        return lambda i, go_on: repeat(i, 0, go_on)

    def _look(self, inner, width, wanted):
        def look(i, go_on):
            found = i >= width and inner(i - width, lambda j: not width or j == i)
            return bool(found) is wanted and go_on(i)

        return look

    def _place(self, where, flags):
        kept = flags & (re.ASCII | re.MULTILINE)
        shape = {op.AT_BEGINNING: "^", op.AT_END: "$", op.AT_BOUNDARY: r"\b"}[where]
        check = re.compile(shape, kept)

        def place(i, go_on):
            self._step()
            return check.match(self.text, i) is not None and go_on(i)

        return place


def _nothing(i, go_on):
    return go_on(i)


def _then(first, second):
    return lambda i, go_on: first(i, lambda j: second(j, go_on))


def _atomic(inner):
    def atomic(i, go_on):
        ends = []
        return inner(i, lambda j: ends.append(j) or True) and go_on(ends[0])

    return atomic


def takes(what, argument, flags):
    """What tells whether one character fits a literal, a set or a dot."""
    if what is op.ANY:
        return lambda sign: bool(flags & re.DOTALL) or sign != "\n"
    parts = argument if what is op.IN else [(op.LITERAL, argument)]
    negated = what is op.NOT_LITERAL or parts[0][0] is op.NEGATE
    shape = "".join(_shape(*part) for part in parts if part[0] is not op.NEGATE)
    inside = re.compile(f"[{shape}]", flags & (re.ASCII | re.IGNORECASE)).fullmatch
    return cache(lambda sign: (inside(sign) is not None) is not negated)


def _shape(kind, value):
    if kind is op.CATEGORY:
        return _CATEGORIES[value]
    return "-".join(map(_hexadecimal, value)) if kind is op.RANGE else _hexadecimal(value)


def _hexadecimal(code):
    return f"\\U{code:08x}"


def growing(tree, flags):
    """Yield pairs: a text that may stand before a repeat, and one that can be repeated there."""
    known = set()
    for before, inner, own in _repeats(tree, flags, [""]):
        samples = [sample for sample in _samples(inner, own) if sample]
        pumps = [*samples, *(samples[0] + sample for sample in samples[1:])]
        known.update((text, pump) for text in ("", *before) for pump in pumps)
    yield from sorted(known)


def _repeats(items, flags, before):
    """Yield repeats without a small bound: what may precede them, what they repeat, its flags."""
    for what, argument in items:
        if what in _REPEATS and argument[1] > _MANY:
            yield before, argument[2], flags
        for inner, own in _inner(what, argument, flags):
            yield from _repeats(inner, own, before)
        samples = _samples([(what, argument)], flags)
        before = [text + sample for text in before[:2] for sample in samples[:2]]


def _inner(what, argument, flags):
    if what is op.SUBPATTERN:
        return [(argument[3], (flags | argument[1]) & ~argument[2])]
    if what is op.BRANCH:
        return [(way, flags) for way in argument[1]]
    if what is op.ATOMIC_GROUP:
        return [(argument, flags)]
    return [(argument[2], flags)] if what in _REPEATS else []


def _samples(items, flags, most=4):
    """Some short texts that a sequence takes."""
    texts = [""]
    for what, argument in items:
        if what in _SINGLE:
            own = _signs(what, argument, flags)
        elif what in _REPEATS:
            inner = _samples(argument[2], flags)
            own = [sample * max(argument[0], 1) for sample in inner]
            own += [""] if argument[0] == 0 else []
        else:
            inner = _inner(what, argument, flags)
            own = [sample for part, its in inner for sample in _samples(part, its)] or [""]
        longest = max(len(texts), len(own))
        pairs = [(texts[k % len(texts)], own[k % len(own)]) for k in range(longest)]
        pairs += [(text, own[0]) for text in texts] + [(texts[0], sample) for sample in own]
        texts = list(dict.fromkeys(text + sample for text, sample in pairs))[:most]
    return texts


def _signs(what, argument, flags):
    """Characters that fit: those that a set names, and some of what it may hold."""
    fits = takes(what, argument, flags)
    named = "".join(
        chr(value if kind is op.LITERAL else value[0])
        for kind, value in (argument if what is op.IN else [(what, argument)])
        if kind in (op.LITERAL, op.RANGE)
    )
    return [sign for sign in dict.fromkeys(named + _SIGNS) if fits(sign)][:4]
