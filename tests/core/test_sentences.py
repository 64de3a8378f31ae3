"""Sentences with numbers and names: one of a thing is said in the singular."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from labelrank_core.explain.evidence import Label, Text
from labelrank_core.methods.convergence import warn_of_stopped


@pytest.mark.parametrize(
    ("template", "n", "said"),
    [
        ("{n} questions lead to a leaf.", 1, "1 question leads to a leaf."),
        ("{n} questions lead to a leaf.", 2, "2 questions lead to a leaf."),
        ("a leaf with {n} training rankings", 1, "a leaf with 1 training ranking"),
        ("a leaf with {n} training rankings", np.int64(1), "a leaf with 1 training ranking"),
        # The verb belongs to the number of those that rank, not to that of all.
        ("Two of {n} cases rank both.", 1, "Two of 1 case rank both."),
        ("of the {n} label pairs", 1, "of the 1 label pair"),
        # A mean of 1.00, and a truth value, are no counts.
        ("{n} pairs on average", 1.0, "1.00 pairs on average"),
        ("{n} rows", 0, "0 rows"),
        ("{n} casesomething", 1, "1 casesomething"),
    ],
)
def test_one_of_a_thing_is_said_in_the_singular(template, n, said):
    sentence = Text(template, {"n": n})
    assert sentence.plain([]) == said
    assert sentence.html([]).replace("<b>", "").replace("</b>", "") == said


def test_a_name_that_is_the_number_one_stays_a_name():
    assert Text("{a} rows", {"a": Label(0)}).plain(["1"]) == "1 rows"


@pytest.mark.parametrize(
    ("n_stopped", "most_steps", "said"),
    [
        (1, 1, "1 machine stopped after 1 step, before convergence. Scale the features."),
        (3, 20, "3 machines stopped after 20 steps, before convergence. Scale the features."),
    ],
)
def test_a_warning_counts_models_and_steps(n_stopped, most_steps, said):
    with pytest.warns(ConvergenceWarning) as caught:
        warn_of_stopped(n_stopped, "machine", most_steps, "Scale the features.")
    assert [str(warning.message) for warning in caught] == [said]
