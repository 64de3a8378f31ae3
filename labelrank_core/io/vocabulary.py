"""The words in which a table is described: roles of columns, forms of targets, parts of a split."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

TRAIN_WORDS = frozenset(("train", "training", "trn", "learn", "learning"))
TEST_WORDS = frozenset(("test", "testing", "tst", "holdout"))


def say_train_and_test(texts: Iterable[str]) -> bool:
    """Tell whether texts are words for a training and a test set, both of them, and no others."""
    terms = {text.strip().lower() for text in texts}
    return bool(terms & TRAIN_WORDS and terms & TEST_WORDS and terms <= TRAIN_WORDS | TEST_WORDS)


class Role(StrEnum):
    """The role of a column.

    ``FEATURE``: a number or a category that describes the case. ``LABEL``: one label's position,
    0/1 or score, or the label at one place. ``RANKING``: a whole ranking as text, such as
    ``b>a=c``. ``LABEL_LIST``: all relevant labels as text, such as ``a;c``. ``ZERO``: the position
    of the virtual label between relevant and irrelevant labels. ``SPLIT``: train or test.
    ``NAME``: what the case is called. ``IGNORE``: not used.
    """

    FEATURE = "feature"
    LABEL = "label"
    RANKING = "ranking"
    LABEL_LIST = "label_list"
    ZERO = "zero"
    SPLIT = "split"
    NAME = "name"
    IGNORE = "ignore"


class TargetForm(StrEnum):
    """The form of the targets.

    ``POSITIONS``: one column per label with its position, 1 = best. ``ORDERS``: one column per
    place with the number of the label there. ``ORDERING_STRINGS``: one column of text such as
    ``b>a=c``. ``RELEVANCE``: one column per label, 1 = relevant, 0 = not. ``LABEL_LISTS``: one
    column of text such as ``a;c``, the relevant labels. ``SCORES``: one column per label with a
    number, higher = better, above 0 = relevant. ``RATINGS``: one column per label with a number,
    higher = better, such as stars. ``GRADES``: the same, but lower = better. With ratings and
    grades equal numbers are ties and an empty cell is a label that is not ranked. ``PAIRS``: one
    column of text such as ``a>b|c>d``, chains of labels that are independent of each other.
    """

    POSITIONS = "positions"
    ORDERS = "orders"
    ORDERING_STRINGS = "ordering_strings"
    RELEVANCE = "relevance"
    LABEL_LISTS = "label_lists"
    SCORES = "scores"
    RATINGS = "ratings"
    GRADES = "grades"
    PAIRS = "pairs"


class Missing(StrEnum):
    """The policy for features without a value.

    ``REFUSE``: they are errors. ``FILL``: the median of numbers or the most frequent category is
    filled in, computed from the training set if there is a split. ``DROP_ROWS``: their rows are
    left out.
    """

    REFUSE = "refuse"
    FILL = "fill"
    DROP_ROWS = "drop_rows"


class Unranked(StrEnum):
    """The mark for 'not ranked' in columns of positions or orders.

    ``BLANK``: only an empty cell, or a word such as ``?`` or ``NA``. ``ZERO``: also 0. ``BEYOND``:
    also the number of labels plus one, such as 6 with 5 labels.
    """

    BLANK = "blank"
    ZERO = "zero"
    BEYOND = "beyond"


@dataclass(frozen=True)
class Choices:
    """Roles of columns, forms of targets, and the marks for 'missing' or 'not ranked'."""

    roles: Mapping[str, Role]
    target_form: TargetForm | None
    missing: Missing = Missing.REFUSE
    unranked: Unranked = Unranked.BLANK

    def columns(self, names: Sequence[str], role: Role) -> list[int]:
        """Return the indices of the columns with a role, ascending."""
        return [j for j, name in enumerate(names) if self.roles[name] is role]
