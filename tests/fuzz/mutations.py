"""Changed copies of valid files; archives are changed inside, so that they can be opened."""

import io
import re
import zipfile
import zlib

_NUMBERS = (b"0", b"-1", b"1e999", b"nan", b"99999999999", b"2147483648", b"0.1", b"1_0")
_SIGNS = [bytes([code]) for code in b",;\n\r\"'\0\xff?>={}#"]
ODD = (*_SIGNS, *_NUMBERS, b"", b" " * 200)
_DIGITS = re.compile(rb"\d{1,9}")
MOST_BYTES = 20_000


def mutated(content, others, random):
    """A file in which a few pieces are replaced, repeated, moved or left out."""
    if content.startswith(b"PK\x03\x04") and random.random() < 0.9:
        return _inside(content, others, random)
    if content.startswith(b"PAR1") and random.random() < 0.8:
        return _in_place(content, random)
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        content = random.choice(_CHANGES)(content, others, random)
    return content[:MOST_BYTES]


def _inside(content, others, random):
    """Change one member of an archive, or what the archive says of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {one.filename: archive.read(one) for one in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, NotImplementedError):
        return random.choice(_CHANGES)(content, others, random)
    if not members:
        return content
    name = random.choice(list(members))
    kind = random.random()
    if kind < 0.05:
        del members[name]
    elif kind < 0.1:
        members[name] = members[random.choice(list(members))]
    else:
        for _ in range(random.choice((1, 1, 2, 4))):
            members[name] = random.choice(_CHANGES)(members[name], list(members.values()), random)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for member, data in members.items():
            # Without the time of day, so that the same number gives the same file.
            archive.writestr(zipfile.ZipInfo(member), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _in_place(content, random):
    """Change bytes of a Parquet file where they stand: its footer counts them.

    Most changes are in the pages before the footer, which is read first.
    """
    end = max(0, len(content) - 8 - int.from_bytes(content[-8:-4], "little"))
    if random.random() < 0.2:
        end = len(content) - 8
    pages = content[4:end]
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        pages = random.choice((_flip, _flip, _extreme))(pages, None, random)[: end - 4]
    return content[:4] + pages + content[end:] if end > 4 else content


def _span(content, random, most=40):
    start = random.randrange(len(content) + 1)
    return start, min(len(content), start + random.randrange(most))


def _replace(content, _, random):
    start, end = _span(content, random, 8)
    return content[:start] + random.choice(ODD) + content[end:]


def _flip(content, _, random):
    if not content:
        return content
    place = random.randrange(len(content))
    return content[:place] + bytes([random.randrange(256)]) + content[place + 1 :]


def _extreme(content, _, random):
    """Put a number of four or eight bytes in, as lengths and places in binary files are."""
    start = random.randrange(len(content) + 1)
    value = random.choice((0, 1, 127, 255, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63))
    width = random.choice((1, 2, 4, 8))
    piece = (value % 256**width).to_bytes(width, "little")
    return content[:start] + piece + content[start + width :]


def _leave_out(content, _, random):
    start, end = _span(content, random)
    return content[:start] + content[end:]


def _repeat(content, _, random):
    start, end = _span(content, random)
    return content[:end] + content[start:end] * random.choice((1, 2, 50)) + content[end:]


def _splice(content, others, random):
    start, end = _span(random.choice(others), random, 200)
    place = random.randrange(len(content) + 1)
    return content[:place] + random.choice(others)[start:end] + content[place:]


def _number(content, _, random):
    found = [*_DIGITS.finditer(content)]
    if not found:
        return content
    start, end = random.choice(found).span()
    return content[:start] + random.choice(_NUMBERS) + content[end:]


_CHANGES = (_replace, _flip, _extreme, _leave_out, _repeat, _splice, _number, _number)
