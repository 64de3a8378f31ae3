"""One case among others: counts and means by hand, pairs against a naive count."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.explain.render.markup import standing_bar
from labelrank_core.explain.standing import (
    AccuracyByStanding,
    ConfidenceStanding,
    differing_pairs_text,
    neighbour_accuracy_text,
    similar_cases,
    wrong_labels_text,
    wrong_pairs,
    wrong_pairs_text,
)
from labelrank_core.explain.what_if.texts import difference_text, moved_labels
from labelrank_core.metrics import tau_x_score

NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("confidence", "said"),
    [
        (0.95, "Of 4 test cases, 3 are less sure, 1 as sure and 0 surer."),
        (0.9, "Of 4 test cases, 2 are less sure, 1 as sure and 1 surer."),
        (0.4, "Of 4 test cases, 0 are less sure, 1 as sure and 3 surer."),
    ],
)
def test_a_confidence_is_high_or_low_for_the_data(confidence, said):
    among = np.array([0.4, 0.7, 0.95, 0.9])
    assert ConfidenceStanding(confidence, among).text.plain(NAMES) == said
    # The case itself is one of five test cases, or of six of which not all were looked at.
    assert ConfidenceStanding(confidence, among, 5).text.plain(NAMES) == said
    of_some = said.replace("Of 4 test cases", "Of 4 of the 6 test cases")
    assert ConfidenceStanding(confidence, among, 6).text.plain(NAMES) == of_some


def test_no_case_is_as_sure_where_none_is():
    said = "Of 4 test cases, 1 is less sure and 3 surer."
    assert ConfidenceStanding(0.5, np.array([0.4, 0.7, 0.95, 0.9])).text.plain(NAMES) == said
    # Two shares of all cases may add up to a little less than 1.
    for n in range(3, 60):
        among = np.append(0.4, np.full(n - 1, 0.9))
        assert "as sure" not in ConfidenceStanding(0.5, among).text.plain(NAMES), n


def test_few_test_cases_do_not_say_whether_a_confidence_is_high():
    few = ConfidenceStanding(0.7, np.array([0.9])).text
    assert few.plain(NAMES) == "Only 1 test case here: too few to say whether that is high."
    few = ConfidenceStanding(0.7, np.array([0.9, 0.8])).text
    assert few.plain(NAMES) == "Only 2 test cases here: too few to say whether that is high."
    three = ConfidenceStanding(0.7, np.array([0.9, 0.8, 0.7])).text
    assert three.plain(NAMES).startswith("Of 3 test cases, ")


@pytest.mark.parametrize(
    ("confidence", "said"),
    [
        (
            0.7,
            "2 of 4 other test cases are less sure. Their mean rho is 0.30, that of the other 2 is",
        ),
        (0.2, "None of 4 other test cases is less sure. Their mean rho is 0.55"),
        (1.0, "All 4 other test cases are less sure. Their mean rho is 0.55"),
    ],
)
def test_a_case_stands_among_the_others(confidence, said):
    standing = ConfidenceStanding(confidence, np.array([0.4, 0.7, 0.9, 0.5]))
    among = AccuracyByStanding(standing, np.array([0.2, 0.6, 1.0, 0.4]), "rho")
    assert said in among.text.plain(NAMES)
    assert among.frame()["number"].sum() == 4


@given(st.integers(0, 6), st.lists(st.integers(0, 6), min_size=3, max_size=12))
def test_words_and_bar_come_from_the_number_of_cases_that_are_less_sure(own, others):
    # Tenths in another order of adding up are equal.
    values = np.array([0.1 * other + 0.2 for other in others])
    standing = ConfidenceStanding(0.2 + own / 10, values)
    n, less, equal = len(others), sum(o < own for o in others), sum(o == own for o in others)
    more = n - less - equal
    assert (standing.n_less, standing.n_equal, standing.n_more) == (less, equal, more)
    drawn = standing_bar(0.5, less, equal, more, f"among {n} test cases")
    mark = float(re.search(r'<b style="left:([\d.]+)%"></b>', drawn)[1])
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", drawn)]
    assert mark == pytest.approx(100 * (less + equal / 2) / n, abs=0.051)
    assert widths == pytest.approx([100 * count / n for count in (less, equal, more)], abs=0.051)
    written = re.findall(r"flex-grow:(\d+)\">(\d+) ([a-z ]+)<", drawn)
    titles = {"less sure": less, "as sure": equal, "surer": more}
    expected = [(f"{count}", f"{count}", title) for title, count in titles.items() if count]
    assert written == expected
    sentence = standing.text.plain(NAMES)
    assert sentence.startswith(
        f"Of {n} test cases, {less} {'is' if less == 1 else 'are'} less sure"
    )


@given(st.permutations(range(1, 5)), st.lists(st.sampled_from([1, 2, 3, None]), min_size=4,
                                              max_size=4))  # fmt: skip
def test_wrong_pairs_are_those_the_truth_turns(positions, truth):
    known = np.array([np.nan if place is None else place for place in truth])
    pairs, n_compared = wrong_pairs(np.array(positions), known)
    expected = {
        (i, j)
        for i in range(4)
        for j in range(4)
        if positions[i] < positions[j] and None not in (truth[i], truth[j]) and truth[i] > truth[j]
    }
    assert set(pairs) == expected
    assert len(pairs) == len(expected)
    ordered = [
        (i, j)
        for i in range(4)
        for j in range(i)
        if None not in (truth[i], truth[j]) and truth[i] != truth[j]
    ]
    assert n_compared == len(ordered)
    sentence = wrong_pairs_text(np.array(positions), known).plain(NAMES)
    assert sentence.count("belongs before") == min(3, len(expected))


def test_sentences_say_what_is_wrong():
    truth = np.array([2.0, 1.0, 3.0, np.nan])
    said = wrong_pairs_text(np.array([1, 2, 3, 4]), truth).plain(NAMES)
    assert said == (
        "2 of 3 pairs of labels that the real ranking compares are right. ✗ b belongs before a."
    )
    assert "All 3 pairs" in wrong_pairs_text(np.array([2, 1, 3, 4]), truth).plain(NAMES)
    tied = wrong_pairs_text(np.array([1, 2]), np.array([1.0, 1.0])).plain("ab")
    assert "does not compare two labels" in tied
    labels = wrong_labels_text(np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])).plain(NAMES)
    assert labels == "2 of 4 labels are right. ✗ Missed: c. ✗ Predicted wrongly: b."
    sides = wrong_labels_text(np.array([1, 0]), np.array([1, 0]), has_ranking=True).plain("ab")
    assert sides == "All 2 labels are on the right side of the zero line."
    similar = neighbour_accuracy_text([1.0, 0.5, 1.0]).plain(NAMES)
    assert similar.startswith("Of the 3 most similar test cases, 2 are")


@pytest.mark.parametrize("scaled", [True, False])
def test_similar_cases_are_nearest_as_the_method_sees_them(scaled):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) * (1, 100, 0.01)
    Y = np.argsort(rng.random((30, 3)), axis=1) + 1
    model = KNeighborsLabelRanker(3)
    model = make_pipeline(StandardScaler(), model) if scaled else model
    model.fit(X, Y)
    seen = (X - X.mean(axis=0)) / X.std(axis=0) if scaled else X
    distances = np.sqrt(((seen[1:] - seen[0]) ** 2).sum(axis=1))
    rows, found = similar_cases(model, X[1:], X[0], n_cases=4)
    assert rows.tolist() == np.argsort(distances)[:4].tolist()
    assert found == pytest.approx(np.sort(distances)[:4])
    assert len(similar_cases(model, X[:2], X[0])[0]) == 2


def test_differences_of_two_predictions_are_named():
    before, after = np.array([1, 2, 3, 4]), np.array([1, 4, 2, 3])
    assert moved_labels(before, after) == [(1, 2, 4), (2, 3, 2), (3, 4, 3)]
    said = difference_text(before, after).plain(NAMES)
    assert said.startswith("2 of 6 pairs of labels are in reverse order: b from place 2")
    same = difference_text(before, before).plain(NAMES)
    assert same == "Both rankings are the same."
    sets = (np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]))
    said = difference_text(before, after, sets).plain(NAMES)
    assert said.endswith("Predicted now, but not before: c; no longer: b.")
    said = difference_text(before, after, (sets[0], sets[0])).plain(NAMES)
    assert said.endswith("The relevant labels are the same.")


@pytest.mark.parametrize(
    ("predicted", "truth", "said"),
    [
        ([1, 2, 2], [1, 2, 2], "All 3 pairs of labels are as in the real ranking, ties included."),
        ([1, 2, 3], [1, 2, 2], "2 of 3 pairs of labels are right. ✗ Bo and Cleo tie."),
        ([1, 1, 2], [2, 1, 3], "2 of 3 pairs of labels are right. ✗ Bo belongs before Anna."),
        (
            [1, 1, 1],
            [1, 2, 2],
            "1 of 3 pairs of labels are right. ✗ Anna belongs before Bo; Anna belongs before Cleo.",
        ),
        ([1, 2, 1], [1, 2, np.nan], "The pair of labels is as in the real ranking, ties included."),
        ([1, 1, 1], [np.nan, 1, np.nan], "The real ranking does not compare two labels."),
    ],
)
def test_ties_are_answers_in_the_sentence_on_pairs(predicted, truth, said):
    names = ["Anna", "Bo", "Cleo"]
    found = differing_pairs_text(np.array(predicted), np.array(truth, dtype=float)).plain(names)
    assert found == said
    # The pairs that are not wrong count for tau x.
    if "wrong" not in said and "All" in said:
        assert tau_x_score([truth], [predicted]) == 1


def test_of_many_differing_pairs_three_are_named():
    said = differing_pairs_text(np.arange(4), np.arange(4.0)[::-1]).plain("abcd")
    assert said.startswith("0 of 6 pairs of labels are right. ✗ b belongs before a; ")
    assert said.endswith(", and more.")
    assert said.count("belongs") == 3
