"""The subject of a data set: nouns for rows and labels, the labels' colours and initials."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core import Dataset
from labelrank_core.explain.render.markup.palette import ink, palette_color
from pages.ui import compute

_QUESTION = "Which {label} comes first, and why?"


@dataclass(frozen=True)
class LabelStyle:
    """The style of a label: its name, a few letters, colour and ink on light and dark pages."""

    name: str
    initials: str
    color: tuple[str, str]
    ink: tuple[str, str]


@dataclass(frozen=True)
class Subject:
    """The words for rows and labels, the question asked first, and what puts a label first."""

    row: str
    rows: str
    label: str
    labels: str
    question: str
    ranked_by: str | None
    label_styles: tuple[LabelStyle, ...]

    def question_about(self, name: str | None) -> str:
        """Return the question with the name of a case where that fits into it."""
        # Descriptions, such as 'Rural Hesse, south 2', are not names to ask about.
        if name is None or not name.replace(" ", "").isalpha():
            return self.question
        return self.question.replace(f"this {self.row}", name)


def question_about_case(dataset: Dataset, row: int) -> str:
    """Return the question of the data, with the name of a case that no other case has."""
    names = dataset.case_names
    is_unique = names is not None and names.count(names[row]) == 1
    return subject_of(dataset).question_about(names[row] if names and is_unique else None)


def subject_of(dataset: Dataset) -> Subject:
    """Return the subject of a data set; plain words where nobody has said it."""
    sample, nouns = compute.known_sample(dataset), dataset.nouns
    question = sample.question if sample is not None else None
    ranked_by = sample.ranked_by if sample is not None else None
    initials_of_sample = sample.label_initials if sample is not None else ()
    return Subject(
        nouns.row,
        nouns.rows,
        nouns.label,
        nouns.labels,
        question or _QUESTION.format(label=nouns.label),
        ranked_by,
        label_styles(dataset.label_names, dataset.label_colors, initials_of_sample),
    )


def label_styles(
    names: Sequence[str],
    colors: Sequence[tuple[str, str]] = (),
    given_initials: Sequence[str] = (),
) -> tuple[LabelStyle, ...]:
    """Return the styles of labels; the palette's colours where they have none of their own."""
    palette = colors or [(palette_color(i), palette_color(i)) for i in range(len(names))]
    letters = given_initials or initials(names)
    return tuple(
        LabelStyle(name, short, color, (ink(color[0]), ink(color[1])))
        for name, short, color in zip(names, letters, palette, strict=True)
    )


def initials(names: Sequence[str]) -> list[str]:
    """Return the first letter of every name; where letters are shared, two or three characters.

    >>> initials(["tea", "water", "lemonade"]), initials(["cultivar 1", "cultivar 2"])
    (['T', 'W', 'L'], ['C1', 'C2'])
    """
    short = [name[:1].upper() for name in names]
    if len(set(short)) == len(names):
        return short
    split_names = [name.split() for name in names]
    short = ["".join(word[:1] for word in parts)[:3].upper() for parts in split_names]
    if len(set(short)) == len(names):
        return short
    digits = ["".join(c for c in name if c.isdigit())[-2:] for name in names]
    short = [name[:1].upper() + number for name, number in zip(names, digits, strict=True)]
    if len(set(short)) == len(names):
        return short
    short = [name[:2].capitalize() for name in names]
    return short if len(set(short)) == len(names) else [str(i + 1) for i in range(len(names))]
