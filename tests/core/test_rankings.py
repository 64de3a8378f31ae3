import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import rankings
from tests import oracles

NAN = float("nan")

n_labels = st.integers(2, 6)
complete_keys = n_labels.flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 4), min_size=m, max_size=m), min_size=1, max_size=5)
)
partial_keys = n_labels.flatmap(
    lambda m: st.lists(
        st.lists(st.sampled_from([0.0, 1.0, 2.0, NAN]), min_size=m, max_size=m),
        min_size=1,
        max_size=5,
    )
)
relevance_matrices = n_labels.flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 1), min_size=m, max_size=m), min_size=1, max_size=5)
)
any_numbers = st.one_of(
    st.integers(-1, 6).map(float), st.sampled_from([NAN, np.inf, -np.inf, 1.5, 1e300])
)


class TestCheck:
    @pytest.mark.parametrize("row", [[1, 2, 3], [3, 1, 2], [1, 1, 2], [1, 1, 1], [2, 1, 1]])
    def test_rankings_pass_as_they_are(self, row):
        assert rankings.check_rankings([row]).tolist() == [row]

    @pytest.mark.parametrize(
        "row",
        [[0, 1, 2], [2, 3, 4], [1, 2, 2.5], [1, 2, np.inf], [-1, 1, 2], [1.5, 1.5, 1.5], [1, 2, 4]],
    )
    def test_what_is_no_ranking_is_refused_with_its_row(self, row):
        with pytest.raises(ValueError, match=r"positions 1, 2, ... without gaps.*got row 1: "):
            rankings.check_rankings([[1, 2, 3], row, row])

    @pytest.mark.parametrize(
        ("rows", "expected"),
        [
            # Two labels share the second place; the next is third, or fourth.
            ([[1, 2, 2, 4], [4, 1, 2, 3]], [[1, 2, 2, 3], [4, 1, 2, 3]]),
            ([[1, 3, 3, 4]], [[1, 2, 2, 3]]),
            ([[1, 2.5, 2.5, 4]], [[1, 2, 2, 3]]),
            ([[2, 2, 2]], [[1, 1, 1]]),
            ([[1, 1, 3, NAN]], [[1, 1, 2, NAN]]),
        ],
    )
    def test_places_that_ties_skip_are_closed(self, rows, expected):
        checked = rankings.check_rankings(rows, allow_partial=True)
        np.testing.assert_array_equal(checked, expected)

    @pytest.mark.parametrize(
        "rows",
        [
            [[1, 2, 2, 4], [1, 1, 2, 3]],  # after a tie: one skips a place, one does not
            [[1, 2, 2, 4], [1, 2.5, 2.5, 4]],
        ],
    )
    def test_rows_that_skip_places_in_different_ways_are_refused(self, rows):
        with pytest.raises(ValueError, match=r"without gaps.*`dense_positions\(Y\)`"):
            rankings.check_rankings(rows)

    @pytest.mark.parametrize(
        ("rows", "cures"),
        [
            ([[0, 2, 1], [1, 0, 2]], ["dense_positions(Y)", "positions_from_orderings(Y)", "NaN"]),
            ([[0, 1, 1], [1, 0, 0]], ["multi-label method", "dense_positions(Y)", "NaN"]),
            ([[0, 1, 1, 2]], ["dense_positions(Y)", "NaN instead of 0"]),
            ([[0.1, 0.7, 0.2]], ["dense_positions(Y)", "dense_positions(-Y)"]),
        ],
    )
    def test_the_message_names_the_functions_that_cure(self, rows, cures):
        with pytest.raises(ValueError, match="without gaps") as raised:
            rankings.check_rankings(rows)
        assert all(cure in str(raised.value) for cure in cures)

    def test_na_of_nullable_columns_is_not_ranked(self):
        frame = pd.DataFrame({"a": [1, 2], "b": [2, None], "c": [3, 1]}, dtype="Int64")
        checked = rankings.check_rankings(frame, allow_partial=True)
        np.testing.assert_array_equal(checked, [[1, 2, 3], [2, NAN, 1]])
        with pytest.raises(ValueError, match="without unranked labels"):
            rankings.check_rankings(frame)

    def test_ties_can_be_refused(self):
        with pytest.raises(ValueError, match=r"without ties.*got row 1: \[1. 1. 2.\]"):
            rankings.check_rankings([[1, 2, 3], [1, 1, 2]], allow_ties=False)
        assert rankings.check_rankings([[2, 1, 3]], allow_ties=False).tolist() == [[2, 1, 3]]

    def test_partial_rankings_pass_only_where_allowed(self):
        partial = [[1, 2, 3], [2, NAN, 1], [NAN, NAN, NAN]]
        with pytest.raises(ValueError, match=r"complete rankings in Z.*row 1: \[ 2. nan  1.\]"):
            rankings.check_rankings(partial, name="Z")
        checked = rankings.check_rankings(partial, allow_partial=True)
        np.testing.assert_array_equal(checked, partial)

    @pytest.mark.parametrize("row", [[1, NAN, 3], [2, NAN, NAN], [0, NAN, 1]])
    def test_partial_rankings_have_no_gaps_either(self, row):
        with pytest.raises(ValueError, match="without gaps"):
            rankings.check_rankings([row], allow_partial=True)

    @pytest.mark.parametrize("ties", [True, False])
    def test_a_partial_ranking_may_leave_one_label(self, ties):
        checked = rankings.check_rankings([[NAN, 1, NAN]], allow_partial=True, allow_ties=ties)
        np.testing.assert_array_equal(checked, [[NAN, 1, NAN]])

    @pytest.mark.parametrize(
        ("shape", "message"),
        [
            ((3,), "1 dimension"),
            ((1, 2, 3), "3 dimension"),
            ((0, 3), "at least one ranking in Y, got 0"),
            ((3, 1), "at least two labels in Y, got 1"),
            ((3, 0), "at least two labels in Y, got 0"),
        ],
    )
    def test_other_shapes_are_refused(self, shape, message):
        with pytest.raises(ValueError, match=message):
            rankings.check_rankings(np.ones(shape))

    def test_the_result_is_a_copy(self):
        given_array = np.array([[1.0, 2.0]])
        rankings.check_rankings(given_array)[0, 0] = 9
        assert given_array[0, 0] == 1

    @given(keys=partial_keys)
    def test_dense_positions_pass(self, keys):
        positions = rankings.dense_positions(keys)
        np.testing.assert_array_equal(
            rankings.check_rankings(positions, allow_partial=True), positions
        )


class TestPermutations:
    @given(
        st.integers(1, 5).flatmap(
            lambda m: st.lists(
                st.one_of(
                    st.permutations([float(j) for j in range(1, m + 1)]),
                    st.lists(any_numbers, min_size=m, max_size=m),
                ),
                min_size=1,
                max_size=6,
            )
        )
    )
    def test_a_permutation_is_its_numbers_sorted(self, rows):
        expected = [sorted(row) == list(range(1, len(row) + 1)) for row in rows]
        assert rankings.are_permutations(np.array(rows, dtype=float)).tolist() == expected

    @pytest.mark.parametrize("n_labels", [2, 60, 61, 62, 63, 64, 65, 200])
    def test_any_number_of_labels(self, n_labels):
        rng = np.random.default_rng(0)
        rows = rng.permuted(np.tile(np.arange(1.0, n_labels + 1), (3000, 1)), axis=1)
        assert rankings.are_permutations(rows).all()
        rows[1700, 1] = rows[1700, 0]
        assert np.flatnonzero(~rankings.are_permutations(rows)).tolist() == [1700]


class TestRanks:
    @given(keys=complete_keys)
    def test_strict_positions_break_ties_by_index(self, keys):
        expected = [oracles.strict_order(row) for row in keys]
        assert rankings.strict_positions(keys).tolist() == expected

    @given(keys=complete_keys)
    def test_further_keys_order_what_is_equal(self, keys):
        signs = [[(key > 0) - (key < 0) for key in row] for row in keys]
        flipped = [[-key for key in row] for row in keys]
        expected = [
            oracles.strict_order([*zip(sign, flip, strict=True)])
            for sign, flip in zip(signs, flipped, strict=True)
        ]
        assert rankings.strict_positions(signs, flipped).tolist() == expected

    @given(keys=partial_keys)
    def test_dense_positions_count_the_better_levels(self, keys):
        for row, positions in zip(keys, rankings.dense_positions(keys), strict=True):
            levels = sorted({key for key in row if not np.isnan(key)})
            for key, position in zip(row, positions, strict=True):
                if np.isnan(key):
                    assert np.isnan(position)
                else:
                    assert position == levels.index(key) + 1

    @given(keys=complete_keys)
    def test_generalised_ranks_are_mean_places_and_sum_to_those_of_a_strict_ranking(self, keys):
        ranks = rankings.generalised_ranks(keys)
        assert ranks.tolist() == [oracles.ranked_places(row) for row in keys]
        m = len(keys[0])
        assert (ranks.sum(axis=1) == m * (m + 1) / 2).all()

    def test_generalised_ranks_of_partial_rankings_are_places_among_the_ranked(self):
        ranks = rankings.generalised_ranks([[2, NAN, 1, 2]])
        np.testing.assert_array_equal(ranks, [[2.5, NAN, 1, 2.5]])


class TestRounding:
    @given(st.integers(1, 10**6), st.integers(1, 100))
    def test_sums_in_another_order_are_equal_and_a_millionth_is_not(self, numerator, n):
        parts = [numerator / 7] * n
        assert rankings.equal_up_to_rounding(sum(parts), n * numerator / 7)
        value = numerator / 10**6
        assert not rankings.equal_up_to_rounding(value, value + 1e-6)

    def test_what_has_no_value_equals_nothing(self):
        assert not rankings.equal_up_to_rounding(NAN, NAN)
        assert rankings.equal_up_to_rounding(np.inf, np.inf)

    @given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.randoms())
    def test_what_differs_by_rounding_becomes_the_same_in_every_row(self, tenths, random):
        exact = np.array(tenths) / 10
        noisy = np.array([[v + random.uniform(-1, 1) * 1e-13 for v in exact] for _ in range(2)])
        for row in rankings.without_rounding(noisy):
            assert len(set(row)) == len(set(tenths))
            assert np.abs(row - exact).max() <= 1e-12


class TestOrderings:
    def test_by_hand(self):
        # c > a > b
        assert rankings.orderings_from_positions([[2, 3, 1]]).tolist() == [[2, 0, 1]]
        assert rankings.positions_from_orderings([[2, 0, 1]]).tolist() == [[2, 3, 1]]

    @given(order=n_labels.flatmap(lambda m: st.permutations(range(m))))
    def test_there_and_back(self, order):
        positions = rankings.positions_from_orderings([order])
        assert rankings.orderings_from_positions(positions).tolist() == [order]

    def test_tied_labels_come_by_index_and_unranked_ones_last(self):
        assert rankings.orderings_from_positions([[NAN, 2, 1, 1]]).tolist() == [[2, 3, 1, 0]]


class TestCalibrated:
    @given(relevance=relevance_matrices)
    def test_buckets_are_relevant_line_irrelevant(self, relevance):
        calibrated = rankings.calibrate(relevance)
        for row, positions in zip(relevance, calibrated, strict=True):
            buckets = rankings.dense_positions([oracles.bucket_order(row)])[0]
            assert positions.tolist() == buckets.tolist()
        assert rankings.relevance_from_calibrated(calibrated).tolist() == relevance
        np.testing.assert_array_equal(rankings.check_rankings(calibrated), calibrated)

    def test_a_label_tied_with_the_line_is_irrelevant(self):
        assert rankings.relevance_from_calibrated([[1, 2, 3, 2]]).tolist() == [[1, 0, 0]]

    def test_labels_alone_have_no_gap_where_the_line_was(self):
        assert rankings.label_positions([[1, 4, 3, 2], [2, 2, 1, 3]]).tolist() == [
            [1, 3, 2],
            [2, 2, 1],
        ]

    def test_the_line_stands_behind_the_relevant_labels_of_a_ranking(self):
        found = rankings.calibrated_positions([[2, 1, 3]] * 3, [[1, 1, 0], [0, 0, 0], [1, 1, 1]])
        assert found.tolist() == [[2, 1, 4, 3], [3, 2, 4, 1], [2, 1, 3, 4]]

    def test_relevant_labels_come_first_whatever_the_ranking_says(self):
        positions, relevance = [[1, 2, 3], [1, 1, 2]], [[0, 0, 1], [0, 1, 0]]
        found = rankings.calibrated_positions(positions, relevance)
        assert found.tolist() == [[3, 4, 1, 2], [3, 1, 4, 2]]
        assert rankings.relevance_from_calibrated(found).tolist() == relevance


class TestWords:
    @pytest.mark.parametrize(
        ("positions", "text"),
        [
            ([2, 1, 3], "b > a > c"),
            ([1, 2, 1], "a = c > b"),
            ([NAN, 1, 2], "b > c"),
            ([NAN, NAN, NAN], ""),
        ],
    )
    def test_best_first(self, positions, text):
        assert rankings.format_ranking(positions, ["a", "b", "c"]) == text


def test_a_name_from_right_to_left_does_not_turn_a_ranking_in_words_round():
    names = ["אב", "\u202ecba", "c"]
    # Isolated, a name stands between its neighbours whatever its direction; overrides are gone.
    assert rankings.format_ranking([1, 2, 2], names) == "\u200e\u2068אב\u2069 > cba = c"
