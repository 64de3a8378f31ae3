"""A drawing between two axes, taken to pieces again."""

from base64 import b64decode
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


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
        image = self.root.find(".//img").get("src").removeprefix("data:image/svg+xml;base64,")
        self._image = ElementTree.fromstring(b64decode(image))

    def behind(self, tag):
        """Elements of the image behind the words."""
        return list(self._image.iter(SVG + tag))

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


def _told(element, *names):
    told = dict(part.split(":") for part in element.get("style").split(";"))
    return tuple(float(told.get(name, "0%").rstrip("%")) for name in names)
