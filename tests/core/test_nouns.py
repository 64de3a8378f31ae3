"""Nouns of a data set in sentences: number, article, terms that keep their word."""

import numpy as np
import pytest

from labelrank_core import (
    Dataset,
    KNeighborsLabelRanker,
    Task,
    explain_prediction,
    list_samples,
    load_sample,
)
from labelrank_core.data import Nouns
from labelrank_core.explain.evidence import Text

NOUNS = Nouns("outing", "outings", "party", "parties")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A case has a label.", "An outing has a party."),
        (
            "Of the most similar cases, no case's labels",
            "Of the most similar outings, no outing's parties",
        ),
        ("Cases and Labels", "Outings and Parties"),
        ("an average case", "an average outing"),
        ("{n} label pairs, {case} and {labels}", "{n} party pairs, {case} and {labels}"),
        # Terms of the field, and words that only contain a noun.
        (
            "a label set, label rankings, a virtual label",
            "a label set, label rankings, a virtual label",
        ),
        (
            "multilabel, case-based, labelled, suitcase",
            "multilabel, case-based, labelled, suitcase",
        ),
    ],
)
def test_nouns_take_the_place_of_case_and_label(sentence, expected):
    assert NOUNS.insert(sentence) == expected
    assert Nouns().insert(sentence) == sentence


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("district", "districts"),
        ("party", "parties"),
        ("day", "days"),
        ("dish", "dishes"),
        ("box", "boxes"),
        ("person, people", "people"),
        ("species,species", "species"),
    ],
)
def test_the_plural_follows_the_singular_unless_it_is_given(noun, plural):
    assert Nouns.of(noun, "label").rows == plural


@pytest.mark.parametrize("noun", ["", " ", "a\nb", "{n}", "<b>", "*bold*", "a_b", "x" * 41])
def test_what_is_no_noun_is_refused(noun):
    with pytest.raises(ValueError, match="Expected a noun of letters"):
        Nouns(row=noun)


def test_numbers_decide_between_singular_and_plural():
    text = Text("{n} similar cases have {top}.", {"n": 1, "top": "a case"})
    assert text.plain(["a"], NOUNS) == "1 similar outing has a case."
    assert Text("{n} labels", {"n": 2}).html(["a"], NOUNS) == "<b>2</b> parties"


def test_an_explanation_of_named_data_uses_their_nouns():
    data = load_sample("election")
    model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.Y)
    shown = explain_prediction(model, data.X[15], data=data)
    assert "similar districts" in repr(shown)
    assert "similar districts" in shown._repr_html_()
    assert "similar cases" in repr(explain_prediction(model, data.X[15]))


def test_every_sample_has_nouns_of_its_own_or_says_case_and_label():
    for sample in list_samples():
        assert load_sample(sample.name).nouns == sample.nouns


def test_nouns_change_no_result():
    plain, named = (
        Dataset(
            X=np.eye(2), Y=[[1, 2], [2, 1]], task=Task.LABEL_RANKING, feature_names=["x", "y"],
            label_names=["a", "b"], name="tiny", nouns=nouns,
        )
        for nouns in (Nouns(), NOUNS)
    )  # fmt: skip
    assert plain.fingerprint == named.fingerprint
