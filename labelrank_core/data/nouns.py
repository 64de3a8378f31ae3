"""The nouns that people use for the rows and labels of a data set, inserted into sentences."""

import re
from dataclasses import dataclass, fields

MAX_LETTERS = 40
# Placeholders of a template are names in the code, not words.
_PARTS = re.compile(r"(\{[^{}]*\})")
# Terms of the field keep their word: a virtual label, a label set, a case-based method.
_WORDS = re.compile(
    r"(?P<article>\b[Aa] )?(?<!virtual )\b(?P<word>case|label)(?P<plural>s?)\b"
    r"(?!-| (?:set|ranking|space|decision|powerset|index)s?\b)",
    re.IGNORECASE,
)
_VOWELS = "aeiou"
# Nouns stand in sentences with placeholders, in HTML and in Markdown.
_NOUN = re.compile(r"\w(?:[\w '’-]*\w)?")


@dataclass(frozen=True)
class Nouns:
    """The nouns for a row and a label of a data set.

    Parameters
    ----------
    row, rows : str, default="case", "cases"
        The noun of a row in the singular and in the plural, such as ``district``, ``districts``.
    label, labels : str, default="label", "labels"
        The noun of a label, such as ``party``, ``parties``.

    Raises
    ------
    ValueError
        If a noun is longer than 40 characters or has others than letters, digits, blanks, hyphens
        and apostrophes.

    Examples
    --------
    >>> nouns = Nouns("day", "days", "outing", "outings")
    >>> nouns.insert("Of the {n} most similar cases, a case has a label.")
    'Of the {n} most similar days, a day has an outing.'
    """

    row: str = "case"
    rows: str = "cases"
    label: str = "label"
    labels: str = "labels"

    def __post_init__(self) -> None:
        for field in fields(self):
            noun = getattr(self, field.name)
            if len(noun) > MAX_LETTERS or not _NOUN.fullmatch(noun) or "_" in noun:
                raise ValueError(
                    f"Expected a noun of letters, at most {MAX_LETTERS}, as {field.name}, "
                    f"got {noun!r}."
                )

    @classmethod
    def of(cls, row: str, label: str) -> "Nouns":
        """Return the nouns of a row and a label given in the singular, or as ``person, people``.

        Examples
        --------
        >>> Nouns.of("customer", "person, people")
        Nouns(row='customer', rows='customers', label='person', labels='people')
        """
        return cls(*_both_numbers(row), *_both_numbers(label))

    def insert(self, sentence: str) -> str:
        """Put the nouns in place of 'case' and 'label' in a sentence or a template of one."""
        if self == CASE_AND_LABEL:
            return sentence
        parts = _PARTS.split(sentence)
        return "".join(
            part if part.startswith("{") else _WORDS.sub(self._noun, part) for part in parts
        )

    def _noun(self, match: re.Match[str]) -> str:
        is_plural = bool(match["plural"])
        if match["word"].lower() == "case":
            noun = self.rows if is_plural else self.row
        else:
            noun = self.labels if is_plural else self.label
        if match["word"][0].isupper():
            noun = noun[0].upper() + noun[1:]
        article = match["article"] or ""
        if article and noun[0].lower() in _VOWELS:
            article = f"{article[0]}n "
        return article + noun


CASE_AND_LABEL = Nouns()


def _both_numbers(noun: str) -> tuple[str, str]:
    """Return the singular and the plural of a noun, of which the plural may be given."""
    singular, comma, plural = (part.strip() for part in noun.partition(","))
    if comma and plural:
        return singular, plural
    if singular.endswith("y") and singular[-2:-1] not in _VOWELS:
        return singular, f"{singular[:-1]}ies"
    return singular, f"{singular}es" if singular.endswith(
        ("s", "x", "ch", "sh")
    ) else f"{singular}s"
