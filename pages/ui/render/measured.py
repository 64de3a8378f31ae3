"""The line below a picture that says which cases its numbers were measured on."""

from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import Split
from pages.ui.render import drawing

# Why one method has other numbers on other pages.
OTHER_NUMBERS = (
    "Each page measures on cases that the model has not seen, but on others: 'How good?' and "
    "'Confidence' on the test cases of one split, 'Best method' on folds of the training cases of "
    "that split, 'Sensitivity' and 'Experiments' on folds of all cases. So one method has slightly "
    "different numbers on them."
)


def measured_on(split: Split) -> str:
    """Return the sentence that names the test cases of a split, with the nouns of the data."""
    return drawing.with_nouns(HeldOutCases.of_split(split).sentence)
