"""A drawing between two axes, taken to pieces again."""

import re
from base64 import b64decode
from dataclasses import dataclass
from types import SimpleNamespace
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
LAYER = re.compile(r"background:(?P<color>.+);mask:url\((?P<source>.+)\) 0 0 / 100% 100%")


@dataclass
class Spot:
    """A dot, which may say something, or a ring: its centre and its size in per cent."""

    place: tuple[float, float]
    size: tuple[float, float]
    said: str | None
    looks: list[str]


class Plotted:
    """The parts of a drawing, which must be well-formed."""

    def __init__(self, markup):
        is_text = isinstance(markup, str)
        self.root = ElementTree.fromstring(f"<figure>{markup}</figure>") if is_text else markup
        self._images = [("", _image(each.get("src"))) for each in self.root.iter("img")]
        self._images += layers(self.root)

    def behind(self, tag):
        """Elements of the images behind the words, those of a layer with its `color`."""
        found = []
        for color, image in self._images:
            for element in image.iter(SVG + tag):
                element.set("color", color)
                found.append(element)
        return found

    def spots(self, look):
        """The dots or rings of a look."""
        found = [(each, each.get("class").split()) for each in self.root.iter("i")]
        return [
            Spot(_told(e, "left", "top"), _told(e, "width", "height"), e.get("title"), looks)
            for e, looks in found
            if look in looks
        ]

    def texts(self, look):
        """The words of a look."""
        found = [
            each for each in self.root.iter("span") if look in (each.get("class") or "").split()
        ]
        return [" ".join("".join(each.itertext()).split()) for each in found]

    def words(self, look):
        """The only words of a look."""
        (said,) = self.texts(look)
        return said


class Rows:
    """Rows of bars and marks, which must be well-formed: places in per cent of the scale."""

    def __init__(self, markup):
        root = ElementTree.fromstring(f"<figure>{markup}</figure>")
        items = [each for each in root.iter("li") if each.get("class") != "scale"]
        self.names = ["".join(each[0].itertext()) for each in items]
        self.numbers = [each[1].text for each in items]
        tracks = [each[2] for each in items]
        self.bars = [[_bar(part) for part in track.iter("b")] for track in tracks]
        self.marks = [
            {
                part.get("class"): _told(part, "left")[0]
                for part in track.iter("i")
                if part.get("class") != "vote"
            }
            for track in tracks
        ]
        self.votes = [
            [_told(part, "left")[0] for part in track.iter("i") if part.get("class") == "vote"]
            for track in tracks
        ]
        self.key = ["".join(part.itertext()) for part in root.iterfind("div/span")]
        self.title = root.find("p").text
        ticks = root.findall("ol/li[@class='scale']/span/span")
        self.ticks = {float(each.text): _told(each, "left")[0] for each in ticks}


def _bar(element):
    (left, width), title = _told(element, "left", "width"), element.get("title")
    color = element.get("style").partition("background:")[2]
    return SimpleNamespace(left=left, right=left + width, width=width, title=title, color=color)


def layers(root):
    """The layers of a drawing, each with its colour and its image."""
    found = [each for each in root.iter("span") if each.get("class") == "lr-layer"]
    looks = [LAYER.fullmatch(each.get("style")) for each in found]
    return [(look["color"], _image(look["source"])) for look in looks]


def _image(source):
    return ElementTree.fromstring(b64decode(source.removeprefix("data:image/svg+xml;base64,")))


def _told(element, *names):
    told = dict(part.split(":") for part in element.get("style").split(";"))
    return tuple(float(told.get(name, "0%").rstrip("%")) for name in names)
