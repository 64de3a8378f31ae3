"""What numbers in label columns mean: 0/1, ranks, scores, and what is 'not ranked'."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import DatasetError, Task, inspect_files, read_dataset
from labelrank_core.io.infer.choices import unranked_values
from labelrank_core.io.infer.forms import possible_forms, possible_unranked

pytestmark = pytest.mark.usefixtures("in_this_program")


def table(rows, names="L1,L2,L3,L4"):
    lines = [f"{i % 7},{','.join(map(str, row))}" for i, row in enumerate(rows)]
    return ("t.csv", "\n".join([f"x,{names}", *lines, ""]).encode())


TOP = [(1, 2, 0, 0), (2, 1, 3, 0), (0, 0, 0, 1), (4, 3, 2, 1)]
# The same with the number of labels and one where TOP has 0.
BEYOND = [tuple(value or 5 for value in row) for row in TOP]
POSITIONS = [[1, 2, None, None], [2, 1, 3, None], [None, None, None, 1], [4, 3, 2, 1]]


def positions(data):
    return [[None if np.isnan(v) else v for v in row] for row in data.rankings.tolist()]


def the_error(file, code, **choices):
    with pytest.raises(DatasetError) as caught:
        read_dataset(file, **choices)
    return next(issue for issue in caught.value.findings if issue.code == code)


class TestUnranked:
    @pytest.mark.parametrize(
        ("rows", "choice", "number"), [(TOP, "zero", "0"), (BEYOND, "beyond", "5")]
    )
    def test_a_number_is_taken_for_not_ranked_and_named(self, rows, choice, number):
        file = table(rows)
        assert unranked_values(inspect_files(file), target_form="positions")[0] == choice
        data = read_dataset(file, target_form="positions")
        assert positions(data) == POSITIONS
        (issue,) = [issue for issue in data.findings if issue.code == "unranked-number"]
        assert issue.message.startswith(
            f"found {number} in 6 cells of label columns, which was read as 'not ranked'."
        )
        assert "unranked='blank'" in issue.hint
        assert (issue.row, issue.count) == (2, 3)

    def test_other_choices_refuse_it(self):
        issue = the_error(table(TOP), "zero-position", target_form="positions", unranked="blank")
        assert "unranked='zero'" in issue.hint
        choices = {"target_form": "positions", "unranked": "zero"}
        issue = the_error(table(BEYOND), "not-a-position", **choices)
        assert "if 5 means 'not ranked', choose unranked='beyond'" in issue.hint
        assert (
            "'blank', 'zero', 'beyond'"
            in the_error(
                table(TOP), "unknown-unranked", target_form="positions", unranked="nil"
            ).hint
        )

    def test_orders_end_with_it(self):
        rows = [(2, 1, 0, 0), (3, 0, 0, 0), (4, 3, 1, 2)]
        data = read_dataset(table(rows), target_form="orders")
        assert positions(data) == [[2, 1, None, None], [None, None, 1, None], [3, 4, 2, 1]]

    def test_orders_do_not_begin_with_it(self):
        rows = [(0, 0, 0, 1), (2, 1, 0, 0)]
        choices = {"target_form": "orders", "unranked": "zero"}
        assert the_error(table(rows), "not-an-order", **choices).row == 2

    def test_counting_from_0_is_no_missing_label(self):
        rows = [(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2)]
        issue = the_error(table(rows), "zero-position", target_form="positions")
        assert "begin at 0" in issue.hint
        data = read_dataset(table(rows), target_form="positions", unranked="zero")
        assert positions(data)[0] == [None, 1, 2, 3]

    def test_a_number_in_few_rows_is_a_mistake(self):
        rows = [(1, 2, 3, 4)] * 30 + [(1, 2, 3, 0)]
        assert the_error(table(rows), "zero-position", target_form="positions").row == 32
        rows[-1] = (1, 2, 3, 5)
        assert the_error(table(rows), "not-a-position", target_form="positions").row == 32

    def test_blanks_and_question_marks_need_no_choice(self):
        rows = [(1, 2, "?", ""), (2, 1, 3, "NA"), (4, 3, 2, 1)]
        data = read_dataset(table(rows), target_form="positions")
        assert positions(data) == [POSITIONS[0], POSITIONS[1], POSITIONS[3]]
        assert not [issue for issue in data.findings if issue.code == "unranked-number"]

    @given(
        st.lists(
            st.lists(st.sampled_from([-1, 0, 0.5, 1, 2, 3, 4, np.nan]), min_size=3, max_size=3),
            min_size=1,
            max_size=6,
        )
    )
    def test_every_table_has_a_meaning(self, rows):
        numbers = np.array(rows, dtype=float)
        assert possible_forms(numbers)
        assert "blank" in possible_unranked(numbers)


class TestZeroOneOrRanks:
    def test_0_and_1_alone_are_relevance(self):
        data = read_dataset(table([(1, 0, 0, 1), (0, 1, 0, 0)] * 3))
        assert data.task is Task.MULTILABEL

    def test_rankings_of_mostly_one_label_are_asked_about(self):
        file = table([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 2, 0, 0), (0, 1, 3, 2)])
        proposal = inspect_files(file)
        assert proposal.open_choices == ("target_form",)
        issue = the_error(file, "choose-target-form")
        assert "target_form='positions' or target_form='relevance'" in issue.hint
        assert "whether the label of this column is relevant" in issue.message
        data = read_dataset(file, target_form="positions")
        assert positions(data)[4] == [None, 1, 3, 2]

    def test_a_mistake_among_0_and_1_is_no_ranking(self):
        rows = [(1, 0, 0, 1), (0, 1, 0, 0)] * 15 + [(1, 2, 0, 0)]
        assert the_error(table(rows), "not-relevance").row == 32


class TestScores:
    ROWS = ((-0.5, 1.2, 0, 0.3), (2.5, -1, -1, -7), (1, 2, 3, 4))

    def test_numbers_of_both_signs_are_proposed_and_asked_about(self):
        proposal = inspect_files(table(self.ROWS))
        assert [proposal.roles[name] for name in ("x", "L1", "L4")] == ["feature", "label", "label"]
        assert (proposal.target_form, proposal.open_choices) == ("scores", ("target_form",))
        issue = the_error(proposal, "choose-target-form")
        assert "higher is better, above 0 is relevant" in issue.message
        assert issue.hint == "Choose target_form='scores'."

    def test_they_become_a_ranking_with_a_zero_line(self):
        data = read_dataset(table(self.ROWS), target_form="scores")
        assert data.task is Task.CALIBRATED_RANKING
        # Row 1: L2 (1.2) > L4 (0.3) > L3 = the zero line (0) > L1 (-0.5).
        # Row 2: L1 (2.5) > the zero line > L2 = L3 (-1) > L4 (-7). Row 3: all above it.
        assert data.Y.tolist() == [[4, 1, 3, 2, 3], [1, 3, 3, 4, 2], [4, 3, 2, 1, 5]]
        assert data.relevance.tolist() == [[0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]]

    def test_every_label_needs_one(self):
        for cell, code in (("", "missing-score"), ("inf", "missing-score"), ("a", "not-a-number")):
            rows = [*self.ROWS, (1, cell, -1, 2)]
            issue = the_error(table(rows), code, target_form="scores")
            assert (issue.row, issue.column) == (5, "L2")

    def test_other_columns_of_both_signs_are_features(self):
        assert "label" not in inspect_files(table(self.ROWS, "a,b,c,d")).roles.values()

    def test_a_zero_column_goes_with_positions_only(self):
        file = table(self.ROWS, "L1,L2,L3,zero")
        with pytest.raises(DatasetError, match="zero column, with targets that are scores"):
            read_dataset(
                file,
                roles=dict.fromkeys(["L1", "L2", "L3"], "label") | {"zero": "zero"},
                target_form="scores",
            )
