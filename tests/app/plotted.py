"""A drawing between two axes, taken to pieces again."""

from base64 import b64decode
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Spot:
    """A dot that says something: its place in per cent from the left and the top, and its looks."""

    place: tuple[float, float]
    said: str
    looks: list[str]


class Plotted:
    """The parts of a drawing, which must be well-formed."""

    def __init__(self, markup):
        self._root = ElementTree.fromstring(markup)
        image = self._root.find(".//img").get("src").removeprefix("data:image/svg+xml;base64,")
        self._image = ElementTree.fromstring(b64decode(image))

    def behind(self, tag):
        """Elements of the image behind the words."""
        return list(self._image.iter(SVG + tag))

    def spots(self, look):
        """The dots of a look that say something."""
        found = [(each, each.get("class").split()) for each in self._root.iter("i")]
        return [Spot(_place(e), e.get("title"), looks) for e, looks in found if look in looks]

    def texts(self, look):
        """The words of a look."""
        found = [
            each for each in self._root.iter("span") if look in (each.get("class") or "").split()
        ]
        return [" ".join("".join(each.itertext()).split()) for each in found]

    def words(self, look):
        """The only words of a look."""
        (said,) = self.texts(look)
        return said


def _place(element):
    told = dict(part.split(":") for part in element.get("style").split(";"))
    return tuple(float(told[side].rstrip("%")) for side in ("left", "top"))
