"""Ratings, grades and ranks with ties in label columns: no reading is upside down in silence."""

from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from labelrank_core import DatasetError, Task, inspect_files, read_dataset
from labelrank_core.io import reading_preview
from labelrank_core.io.datasets import propose_again
from labelrank_core.io.infer.choices import could_be_ratings, unranked_values

pytestmark = pytest.mark.usefixtures("in_this_program")

BRANDS = ("Lavazza", "Illy", "Jacobs", "Tchibo")
ROLES = dict.fromkeys(BRANDS, "label")


def survey(stars, names=BRANDS):
    """A file of customers with age, city and what they gave each brand; NaN: nothing."""
    lines = [",".join(("age", "city", *names))]
    for i, row in enumerate(stars):
        cells = ("" if np.isnan(value) else f"{value:g}" for value in row)
        lines.append(f"{18 + i * 7 % 60},{('Bonn', 'Ulm', 'Kiel')[i % 3]},{','.join(cells)}")
    return ("survey.csv", "\n".join([*lines, ""]).encode())


def drawn(low, high, n_rows=60, n_labels=4, seed=0, step=1.0):
    """Numbers from `low` to `high`, each alike often in each column."""
    rng = np.random.default_rng(seed)
    return low + step * rng.integers(0, round((high - low) / step) + 1, (n_rows, n_labels))


def ranked(method, n_rows=60, n_labels=4, seed=0):
    """Ranks whose ties are numbered in one of SciPy's ways."""
    keys = drawn(1, n_labels, n_rows, n_labels, seed)
    return np.array([rankdata(row, method=method) for row in keys])


def permutations(n_rows=60, n_labels=4, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(n_labels) + 1.0 for _ in range(n_rows)])


def some_missing(numbers, seed=0):
    lacking = np.random.default_rng(seed).random(numbers.shape) < 0.1
    return np.where(lacking, np.nan, numbers)


class TestStars:
    STARS = drawn(1, 5)

    @pytest.mark.parametrize("stars", [STARS, some_missing(STARS)], ids=["whole", "with gaps"])
    def test_the_columns_of_brands_are_recognised_and_both_choices_are_open(self, stars):
        proposal = inspect_files(survey(stars))
        labels = [name for name, role in proposal.roles.items() if role == "label"]
        assert labels == list(BRANDS)
        assert proposal.target_form == "ratings"
        assert proposal.open_choices == ("roles", "target_form")

    @pytest.mark.parametrize("columns", [(2, 3, 4, 5, 0, 1), (0, 2, 3, 4, 5, 1)])
    def test_they_are_recognised_wherever_they_stand_side_by_side(self, columns):
        name, content = survey(self.STARS)
        lines = [line.split(",") for line in content.decode().splitlines()]
        text = "\n".join(",".join(line[j] for j in columns) for line in lines)
        proposal = inspect_files((name, text.encode()))
        assert {name for name, role in proposal.roles.items() if role == "label"} == set(BRANDS)

    def test_without_choices_the_error_names_them(self):
        with pytest.raises(DatasetError, match=r"target_form='ratings' or target_form='grades'"):
            read_dataset(survey(self.STARS), roles=ROLES)
        with pytest.raises(DatasetError, match=r"not certain which columns are labels.*roles="):
            read_dataset(survey(self.STARS), target_form="ratings")

    def test_more_stars_are_better_and_equal_stars_tie(self):
        stars = np.array([[5, 3, 3, 1], [2, 2, 5, 4], [4, 4, 4, 4], [1, np.nan, 5, 3]] * 6, float)
        data = read_dataset(survey(stars), roles=ROLES, target_form="ratings")
        assert data.task is Task.LABEL_RANKING
        assert data.n_samples == 24
        assert data.Y[:4].tolist()[:3] == [[1, 2, 2, 3], [3, 3, 1, 2], [1, 1, 1, 1]]
        assert np.array_equal(data.Y[3], [3, np.nan, 1, 2], equal_nan=True)

    def test_a_unit_that_all_names_share_is_left_out_of_them(self):
        def names_of(*names):
            labels = dict.fromkeys(names, "label")
            return read_dataset(survey(self.STARS, names), roles=labels, target_form="ratings")

        with_unit = names_of(*(f"{brand} (stars)" for brand in BRANDS))
        assert with_unit.label_names == BRANDS
        assert "shared-unit" in {finding.code for finding in with_unit.findings}
        for others in ((*BRANDS[:3], "Tchibo (stars)"), ("a (x)", "a(x)", "b (x)", "c (x)")):
            assert names_of(*others).label_names == others

    def test_grades_are_the_same_upside_down(self):
        stars = np.array([[5, 3, 3, 1], [1, np.nan, 5, 3]] * 6)
        data = read_dataset(survey(stars), roles=ROLES, target_form="grades")
        assert data.Y[0].tolist() == [3, 2, 2, 1]
        assert np.array_equal(data.Y[1], [1, np.nan, 3, 2], equal_nan=True)

    def test_a_0_can_mean_that_nothing_was_given(self):
        stars = np.array([[5, 3, 0, 1], [0, 2, 5, 4]] * 6, float)
        proposal = propose_again(inspect_files(survey(stars)), ROLES)
        assert unranked_values(proposal, target_form="ratings") == ("blank", "zero")
        data = read_dataset(proposal, target_form="ratings", unranked="zero")
        assert np.array_equal(data.Y[0], [1, 2, np.nan, 3], equal_nan=True)
        assert read_dataset(proposal, target_form="ratings").Y[0].tolist() == [1, 2, 4, 3]

    def test_the_preview_shows_both_directions(self):
        proposal = propose_again(inspect_files(survey([[5, 3, 3, 1]] * 3)), ROLES)
        preview = reading_preview(proposal, forms=["ratings", "grades", "positions"], n_rows=1)
        assert preview.iloc[0].to_dict() == {
            "line": 2,
            "in the file": "5, 3, 3, 1",
            "as ratings": "Lavazza > Illy = Jacobs > Tchibo",
            "as grades": "Tchibo > Illy = Jacobs > Lavazza",
            "as positions": "not possible",
        }

    def test_what_is_no_number_is_an_error(self):
        name, content = survey(self.STARS)
        for cell, code in (("inf", "not-finite"), ("many", "not-a-number")):
            text = content.decode().rstrip().rsplit(",", 1)[0] + f",{cell}\n"
            with pytest.raises(DatasetError) as caught:
                read_dataset((name, text.encode()), roles=ROLES, target_form="ratings")
            error = next(each for each in caught.value.findings if each.code == code)
            assert (error.row, error.column) == (61, "Tchibo")


# What columns of numbers can mean to somebody who knows nothing else of them.
RATINGS = {
    "1 to 5 stars": drawn(1, 5),
    "five stars for three": drawn(1, 5, n_labels=3),
    "five stars for two": drawn(1, 5, n_labels=2),
    "five stars for eight": drawn(1, 5, n_labels=8),
    "as many stars as labels": drawn(1, 4),
    "three stars for three": drawn(1, 3, n_labels=3),
    "two points for two": drawn(1, 2, n_labels=2),
    "1 for no and 2 for yes": drawn(1, 2),
    "half stars": drawn(0.5, 5, step=0.5),
    "1 to 10": drawn(1, 10),
    "0 to 10": drawn(0, 10),
    "0 to 100": drawn(0, 100),
    "0 to 3": drawn(0, 3),
    "all below 0": drawn(-10, -1),
    "few rows": drawn(1, 5, n_rows=6),
    "gaps": some_missing(drawn(1, 5)),
    "nearly all the best": np.minimum(drawn(1, 12), 5),
    "one opinion of all": np.clip(drawn(1, 5)[:, :1] + drawn(-1, 1), 1, 5),
    "points for ranks": 4 - permutations(),
    "ranks from 0": permutations() - 1,
}
RANKS = {
    "permutations": permutations(),
    "dense": ranked("dense"),
    "competition": ranked("min"),
    "modified competition": ranked("max"),
    "average": ranked("average"),
    "two best of five": np.where((best := permutations(n_labels=5)) > 2, np.nan, best),
    "some left out": some_missing(permutations()),
    "one mistake": np.vstack([permutations(), [[1, 2, 3, 9]]]),
}


@pytest.mark.parametrize("kind", RATINGS)
def test_numbers_that_can_be_ratings_are_never_read_without_being_asked_about(kind):
    numbers = RATINGS[kind]
    file = survey(numbers, BRANDS[:4] if numbers.shape[1] == 4 else "ABCDEFGH"[: numbers.shape[1]])
    names = dict.fromkeys(inspect_files(file).raw.names[2:], "label")
    proposal = propose_again(inspect_files(file), names)
    assert "target_form" in proposal.open_choices
    with pytest.raises(DatasetError, match=r"target_form='ratings'"):
        read_dataset(proposal)
    higher = read_dataset(proposal, target_form="ratings", unranked="blank").Y
    lower = read_dataset(proposal, target_form="grades", unranked="blank").Y
    # By definition: how many different numbers of the row are better, and one.
    for row, up, down in zip(numbers, higher, lower, strict=True):
        for j, value in enumerate(row):
            if np.isnan(value):
                assert np.isnan([up[j], down[j]]).all()
            else:
                assert up[j] == len(set(row[row > value])) + 1
                assert down[j] == len(set(row[row < value])) + 1


@pytest.mark.parametrize("kind", RANKS)
def test_ranks_with_ties_stay_positions(kind):
    numbers = RANKS[kind]
    names = tuple("ABCDE"[: numbers.shape[1]])
    proposal = propose_again(inspect_files(survey(numbers, names)), dict.fromkeys(names, "label"))
    assert proposal.target_form == "positions"
    assert ("target_form" in proposal.open_choices) == (kind in ("permutations", "one mistake"))
    data = read_dataset(proposal, target_form="positions", skip_bad_rows=kind == "one mistake")
    # The lower number is the better one, whatever the way in which ties are numbered.
    for row, positions in zip(numbers, data.Y, strict=False):
        assert np.array_equal(
            np.sign(row[:, None] - row), np.sign(positions[:, None] - positions), equal_nan=True
        )


def test_few_rows_with_ties_can_be_either_and_are_asked_about():
    rows = [[1, 1, 2], [2, 1, 1], [2, 3, 1], [1, 2, 1]]
    proposal = propose_again(
        inspect_files(survey(np.array(rows, float), "abc")), dict.fromkeys("abc", "label")
    )
    assert (proposal.target_form, proposal.open_choices) == ("positions", ("target_form",))
    with pytest.raises(DatasetError, match=r"target_form='positions' or target_form='ratings'"):
        read_dataset(proposal)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(3, 7), st.integers(10, 80))
def test_drawn_stars_are_always_asked_about(seed, n_labels, n_stars, n_rows):
    stars = drawn(1, n_stars, n_rows, n_labels, seed)
    names = "ABCDEF"[:n_labels]
    proposal = propose_again(inspect_files(survey(stars, names)), dict.fromkeys(names, "label"))
    assert "target_form" in proposal.open_choices


def few_rows(seed):
    """Two to four columns and three to eight rows: permutations if `seed` is even, else stars."""
    rng = np.random.default_rng(seed)
    n_labels, n_rows = int(rng.integers(2, 5)), int(rng.integers(3, 9))
    stars = drawn(1, n_labels, n_rows, n_labels, seed)
    return stars if seed % 2 else permutations(n_rows, n_labels, seed)


@pytest.mark.parametrize("seed", range(20))
def test_of_few_rows_no_reading_is_silent_unless_chance_rules_the_other_out(seed):
    numbers = few_rows(seed)
    names = "ABCD"[: numbers.shape[1]]
    proposal = propose_again(inspect_files(survey(numbers, names)), dict.fromkeys(names, "label"))
    is_shown = "target_form" in proposal.open_choices or could_be_ratings(proposal)
    if all(len(set(row)) == len(row) for row in numbers):
        n = numbers.shape[1]
        assert is_shown or (factorial(n) / n**n) ** len(numbers) < 1e-3
    else:
        assert "target_form" in proposal.open_choices


def test_five_rows_of_two_stars_with_one_tie_are_asked_about():
    numbers = np.array([[1, 2], [2, 1], [1, 2], [2, 2], [1, 2]], float)
    proposal = propose_again(inspect_files(survey(numbers, "AB")), dict.fromkeys("AB", "label"))
    assert proposal.open_choices == ("target_form",)


def test_features_of_one_scale_do_not_win_over_labels():
    rows = np.hstack([drawn(1, 5), permutations(seed=1)])
    proposal = inspect_files(survey(rows, (*BRANDS, *"abcd")))
    assert [name for name, role in proposal.roles.items() if role == "label"] == list("abcd")


def test_few_permutations_are_read_as_positions_with_a_finding_that_says_so():
    few = b"x,a,b\n1,1,2\n2,2,1\n3,2,1\n"
    (finding,) = read_dataset(("few.csv", few)).findings
    assert finding.code == "few-permutations"
    assert "1 as the best" in finding.message
    assert "target form 'ratings'" in finding.hint
    assert read_dataset(("few.csv", few), target_form="positions").findings == ()
    many = b"x,a,b\n" + b"1,1,2\n2,2,1\n3,2,1\n" * 4
    codes = [each.code for each in read_dataset(("many.csv", many)).findings]
    assert finding.code not in codes
