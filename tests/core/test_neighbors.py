"""k-NN label ranking against LR-06, neighbour by neighbour."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsRegressor

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.explain.evidence import Confidence, LabelScores, Neighbors
from tests import oracles, problems
from tests.pairs import all_pairs

RULES = ["borda", "median"]


def random_problem(seed, kind):
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.integers(1, 13)), int(rng.integers(1, 5))
    n_labels = int(rng.integers(2, 6))
    X = problems.features(rng, kind, n_rows, n_features)
    queries = np.vstack([problems.features(rng, kind, 2, n_features), X[rng.integers(0, n_rows)]])
    k = int(rng.choice([1, n_rows, rng.integers(1, n_rows + 1)]))
    return X, problems.targets(rng, "label_ranking", n_rows, n_labels), queries, k


class TestAgainstTheDefinition:
    @pytest.mark.parametrize(
        ("kind", "aggregation", "weights", "metric"),
        all_pairs(
            list(product(problems.FEATURES, RULES, ["uniform", "distance"], oracles.EXACT_METRICS))
        ),
    )
    def test_neighbours_consensus_and_confidence_are_exact(
        self, kind, aggregation, weights, metric
    ):
        for seed in range(12):
            X, Y, queries, k = random_problem(seed, kind)
            model = KNeighborsLabelRanker(k, aggregation=aggregation, weights=weights)
            point = model.set_params(metric=metric).fit(X, Y).path(queries, n_neighbors=k).at()
            for case, x in enumerate(queries):
                rows = oracles.neighbours(metric, X, x, k)
                given = [1] * k
                if weights == "distance":
                    given = oracles.neighbour_weights(metric, X, x, rows)
                keys = oracles.consensus_keys(aggregation, Y[rows].tolist(), given)
                expected = oracles.strict_order(keys)
                sure = oracles.confidence(aggregation, expected, Y[rows].tolist(), given)
                shown = point.explain(case).evidence(Neighbors)
                assert shown.rows.tolist() == rows
                assert (shown.weights / shown.weights[0]).tolist() == pytest.approx(
                    [weight / given[0] for weight in given], abs=1e-9
                )
                assert point.prediction[case].tolist() == expected
                assert point.ranks[case].tolist() == pytest.approx([float(key) for key in keys])
                assert point.confidence[case] == pytest.approx(float(sure), abs=1e-12)

    def test_scores_are_the_labels_beaten_on_average(self):
        # Mean ranks 1.5, 1.5, 3 of three labels.
        model = KNeighborsLabelRanker(2).fit([[0.0], [1.0]], [[1, 2, 3], [2, 1, 3]])
        assert model.path([[0.0]], n_neighbors=2).at().scores.tolist() == [[1.5, 1.5, 0.0]]


class TestWorkedByHand:
    # Distances of x = 0: 1, 1, 2, 4.
    X = ((1.0,), (-1.0,), (2.0,), (4.0,))
    Y = ((1, 2, 3), (3, 2, 1), (2, 1, 3), (2, 1, 3))

    def test_of_equally_near_cases_the_first_counts(self):
        model = KNeighborsLabelRanker(1).fit(self.X, self.Y)
        assert model.predict([[0.0]]).tolist() == [[1, 2, 3]]
        assert model.fit(self.X[1::-1] + self.X[2:], self.Y[1::-1] + self.Y[2:]).predict(
            [[0.0]]
        ).tolist() == [[3, 2, 1]]

    def test_labels_with_equal_mean_ranks_stand_by_index(self):
        # Mean ranks of the two nearest: 2, 2, 2.
        model = KNeighborsLabelRanker(2).fit(self.X, self.Y)
        assert model.predict([[0.0]]).tolist() == [[1, 2, 3]]

    def test_mean_ranks(self):
        # Four neighbours: (1+3+2+2, 2+2+1+1, 3+1+3+3) / 4 = 2, 1.5, 2.5.
        model = KNeighborsLabelRanker(4).fit(self.X, self.Y)
        assert model.explain([0.0]).evidence(LabelScores).values.tolist() == [2, 1.5, 2.5]

    def test_distance_weights(self):
        # Weights 1, 1, 1/2, 1/4: (1 + 3 + 1 + 1/2, 2 + 2 + 1/2 + 1/4, 3 + 1 + 3/2 + 3/4) / 2.75.
        model = KNeighborsLabelRanker(4, weights="distance").fit(self.X, self.Y)
        values = model.explain([0.0]).evidence(LabelScores).values
        assert values.tolist() == pytest.approx([5.5 / 2.75, 4.75 / 2.75, 6.25 / 2.75])

    def test_at_distance_zero_only_equal_cases_count(self):
        model = KNeighborsLabelRanker(4, weights="distance").fit(self.X, self.Y)
        assert model.predict([[-1.0]]).tolist() == [[3, 2, 1]]
        assert model.predict_confidence([[-1.0]]).tolist() == [1.0]

    def test_confidence(self):
        # Prediction a > b > c; neighbours equal (loss 0) and reversed (8 of 8): 1 - 4/8.
        model = KNeighborsLabelRanker(2).fit(self.X, self.Y)
        assert model.predict_confidence([[0.0]]).tolist() == [0.5]


class TestConfidenceRange:
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("aggregation", RULES)
    def test_no_confidence_is_outside_the_range_shown(self, aggregation, tied):
        rng = np.random.default_rng(0)
        for k, n_labels in product(range(1, 8), range(2, 6)):
            X, queries = problems.crowds(20, k)
            Y = problems.positions(rng, 20 * k, n_labels, tied=tied)
            model = KNeighborsLabelRanker(k, aggregation=aggregation).fit(X, Y)
            point = model.path(queries, n_neighbors=k).at()
            for case in range(20):
                shown = point.explain(case).evidence(Confidence)
                assert shown.lowest - 1e-12 <= shown.value <= 1 + 1e-12

    @pytest.mark.parametrize(
        ("aggregation", "n_labels", "lowest"),
        # The mean squared loss to all rankings is half the largest; the absolute (m²-1)/3.
        [("borda", 4, 0.5), ("median", 3, 1 - (8 / 3) / 4), ("median", 4, 1 - 5 / 8)],
    )
    def test_lowest_possible_value(self, aggregation, n_labels, lowest):
        Y = [np.arange(n_labels) + 1] * 2
        model = KNeighborsLabelRanker(2, aggregation=aggregation).fit([[0.0], [1.0]], Y)
        assert model.explain([0.0]).evidence(Confidence).lowest == pytest.approx(lowest)

    def test_equal_medians_promise_nothing(self):
        # Places (2, 3, 1) and (2, 2, 2): lower medians 2, 2, 1 are no ranking.
        Y = [[2, 3, 1], [1, 1, 1]]
        model = KNeighborsLabelRanker(2, aggregation="median").fit([[0.0], [1.0]], Y)
        ranks = model.explain([0.0]).evidence(LabelScores).values
        assert ranks.tolist() == [2, 2, 1]
        assert model.explain([0.0]).evidence(Confidence).lowest == 0.0

    def test_the_definition_has_the_arithmetic_of_the_number(self):
        # Squared rank differences of 3 labels are 8 at most: swapped neighbours differ by 2.
        X, Y = [[0.0], [0.0], [0.0], [0.0]], [[1, 2, 3]] * 3 + [[2, 1, 3]]
        explanation = KNeighborsLabelRanker(4).fit(X, Y).explain([0.0])
        definition = explanation.evidence(Confidence).definition
        assert definition.endswith("here 1 - 0.50 / 8 = 0.94")

    def test_one_neighbour_defines_no_confidence(self):
        model = KNeighborsLabelRanker(1).fit([[0.0], [1.0]], [[1, 2], [2, 1]])
        shown = model.explain([0.0]).evidence(Confidence)
        assert not shown.defined
        assert shown.frame(["a", "b"])["confidence"].isna().all()


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("n_features", [2, 12])
    @pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
    @pytest.mark.parametrize("weights", ["uniform", "distance"])
    def test_mean_ranks_are_those_of_k_nn_regression(self, weights, metric, n_features):
        rng = np.random.default_rng(1)
        X, queries = rng.normal(size=(300, n_features)), rng.normal(size=(50, n_features))
        Y = problems.positions(rng, 300, 6)
        ours = KNeighborsLabelRanker(7, weights=weights, metric=metric).fit(X, Y)
        theirs = KNeighborsRegressor(7, weights=weights, metric=metric).fit(X, Y)
        ranks = ours.path(queries, n_neighbors=7).at().ranks
        np.testing.assert_allclose(ranks, theirs.predict(queries), atol=1e-7)


class TestInput:
    def test_k_beyond_the_training_cases_is_refused(self):
        with pytest.raises(ValueError, match=r"n_neighbors between 1 and 2 .*n_samples = 2.*got 3"):
            KNeighborsLabelRanker(3).fit([[0.0], [1.0]], [[1, 2], [2, 1]])

    def test_row_counts_must_agree(self):
        with pytest.raises(ValueError, match="as many rows in X as in Y, got 2 and 1"):
            KNeighborsLabelRanker(1).fit([[0.0], [1.0]], [[1, 2]])

    @pytest.mark.parametrize("n_neighbors", [0, -1, 3])
    def test_a_path_searches_for_possible_numbers_only(self, n_neighbors):
        model = KNeighborsLabelRanker(1).fit([[0.0], [1.0]], [[1, 2], [2, 1]])
        with pytest.raises(ValueError, match=r"between 1 and 2 .the training cases"):
            model.path([[0.0]], n_neighbors=n_neighbors)

    @pytest.mark.parametrize("n_neighbors", [0, 3])
    def test_a_point_beyond_the_path_is_refused(self, n_neighbors):
        model = KNeighborsLabelRanker(1).fit([[0.0], [1.0], [2.0]], [[1, 2]] * 3)
        with pytest.raises(ValueError, match=r"between 1 and 2 .the most this path"):
            model.path([[0.0]], n_neighbors=2).at(n_neighbors=n_neighbors)

    def test_a_series_explains_itself_with_its_names(self):
        X = pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0]})
        model = KNeighborsLabelRanker(1).fit(X, [[1, 2], [2, 1]])
        for case in (X.iloc[1], X.iloc[[1]]):
            assert model.explain(case).prediction.tolist() == [2, 1]
