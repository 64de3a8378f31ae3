"""k-NN multilabel ranking against MLR-07, with every virtual label written out."""

import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsMultilabelRanker, load_sample
from labelrank_core.explain.evidence import Confidence, LabelScores, Neighbors
from labelrank_core.metrics import one_error, ranking_loss
from labelrank_core.rankings import calibrate
from tests import oracles, problems
from tests.pairs import all_pairs

VIRTUAL_LABELS = [1, 2, 3, 5, 8]


def random_problem(seed, kind, task):
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.integers(1, 13)), int(rng.integers(1, 5))
    X = problems.features(rng, kind, n_rows, n_features)
    Y = problems.targets(rng, task, n_rows, int(rng.integers(2, 6)))
    queries = np.vstack([problems.features(rng, kind, 2, n_features), X[rng.integers(0, n_rows)]])
    k = int(rng.choice([1, n_rows, rng.integers(1, n_rows + 1)]))
    return X, Y, queries, k, int(rng.choice(VIRTUAL_LABELS))


def bucket_orders(Y, task):
    return [oracles.bucket_order(row) for row in Y] if task == "multilabel" else Y.tolist()


def label_set(order):
    return [key < order[-1] for key in order[:-1]]


class TestAgainstTheDefinition:
    @pytest.mark.parametrize(
        ("kind", "task", "weights", "metric", "tie_breaking"),
        all_pairs(
            list(
                product(
                    problems.FEATURES,
                    ["multilabel", "calibrated_ranking"],
                    ["uniform", "distance"],
                    oracles.EXACT_METRICS,
                    ["wider", "label_index"],
                )
            )
        ),
    )
    def test_the_expansion_written_out_gives_the_same(
        self, kind, task, weights, metric, tie_breaking
    ):
        for seed in range(12):
            X, Y, queries, k, p = random_problem(seed, kind, task)
            model = KNeighborsMultilabelRanker(
                k, n_virtual_labels=p, weights=weights, metric=metric, tie_breaking=tie_breaking
            ).fit(X, Y)
            point = model.path(queries, n_neighbors=k).at()
            orders = bucket_orders(Y, task)
            for case, x in enumerate(queries):
                wider = oracles.neighbours(metric, X, x, min(4 * k, len(X)))
                votes = [1] * len(wider)
                if weights == "distance":
                    votes = oracles.neighbour_weights(metric, X, x, wider)
                rows, given = wider[:k], votes[:k]
                own = [orders[row] for row in rows]
                *means, line = oracles.mean_ranks(own, given, p)
                keys = [means]
                if tie_breaking == "wider":
                    near = [orders[row] for row in wider]
                    keys.append(oracles.mean_ranks(near, votes, p)[:-1])
                    keys.append(oracles.mean_ranks(orders, [1] * len(orders), p)[:-1])
                relevant = [int(mean < line) for mean in means]
                agreement = oracles.weighted_mean(
                    [1 - oracles.hamming_loss(label_set(order), relevant) for order in own], given
                )
                assert point.prediction[case].tolist() == relevant
                assert point.positions[case].tolist() == oracles.strict_order(
                    [*zip(*keys, strict=True)]
                )
                assert point.scores[case].tolist() == pytest.approx(
                    [float(line - mean) for mean in means], abs=1e-9
                )
                assert point.mean_ranks[case, -1] == pytest.approx(float(line))
                assert point.confidence[case] == pytest.approx(float(agreement), abs=1e-9)
                assert point.explain(case).evidence(Neighbors).rows.tolist() == rows

    def test_the_closed_form_decides_the_same(self):
        # As SPEC: j is relevant iff its share exceeds (m - mean number of labels + p) / (m + 2p).
        rng = np.random.default_rng(0)
        for k, n_labels in product(range(1, 9), range(2, 7)):
            X, queries = problems.crowds(75, k)
            Y = problems.relevance(rng, 75 * k, n_labels)
            p = int(rng.integers(1, 10))
            predicted = KNeighborsMultilabelRanker(k, n_virtual_labels=p).fit(X, Y).predict(queries)
            for own, rows in zip(predicted, Y.reshape(75, k, n_labels), strict=True):
                expected = oracles.relevant_by_closed_form(rows.tolist(), [1] * k, p)
                assert own.tolist() == expected

    def test_the_order_of_the_labels_is_that_of_their_shares_whatever_p(self):
        rng = np.random.default_rng(1)
        for k in range(1, 9):
            X, queries = problems.crowds(30, k)
            Y = problems.relevance(rng, 30 * k, 5)
            model = KNeighborsMultilabelRanker(k, tie_breaking="label_index")
            path = model.fit(X, Y).path(queries)
            votes = Y.reshape(30, k, 5).sum(axis=1)
            expected = [oracles.strict_order((-own).tolist()) for own in votes]
            for p in (1, 4, 64):
                assert path.at(n_virtual_labels=p).positions.tolist() == expected

    def test_very_many_virtual_labels_give_the_majority_vote(self):
        rng = np.random.default_rng(2)
        for k in range(1, 9):
            X, queries = problems.crowds(30, k)
            Y = problems.relevance(rng, 30 * k, 5)
            votes = Y.reshape(30, k, 5).sum(axis=1)
            decided = 2 * votes != k
            model = KNeighborsMultilabelRanker(k, n_virtual_labels=10**6).fit(X, Y)
            assert (model.predict(queries) == (2 * votes > k))[decided].all()


class TestWorkedExample:
    """Section 5 of MLR-07: neighbours with P = {1}, {1}, {2} of five labels."""

    Y = ((1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))

    @pytest.mark.parametrize(
        ("p", "line", "first", "relevant"),
        [
            # Line 2; label 1: ranks 1, 1, and 2 + 5/2 = 4.5: 6.5 / 3 = 2.17 (13/6).
            (1, Fraction(2), Fraction(13, 6), []),
            # Line 1 + 3/2 = 2.5; label 1: 1, 1, 5.5: a tie, which is irrelevant.
            (2, Fraction(5, 2), Fraction(5, 2), []),
            # Line 3; label 1: 1, 1, 6.5: 17/6 = 2.83.
            (3, Fraction(3), Fraction(17, 6), [0]),
        ],
    )
    def test_printed_mean_ranks(self, p, line, first, relevant):
        written_out = oracles.mean_ranks([oracles.bucket_order(row) for row in self.Y], [1] * 3, p)
        assert (written_out[-1], written_out[0]) == (line, first)
        model = KNeighborsMultilabelRanker(3, n_virtual_labels=p).fit(np.zeros((3, 1)), self.Y)
        shares, ranks = (
            step.evidence
            for step in model.explain([0.0]).steps
            if isinstance(step.evidence, LabelScores)
        )
        assert (ranks.bar, ranks.values[0]) == (float(line), float(first))
        # Shares and mean ranks decide alike.
        assert (shares.values > shares.bar).tolist() == (ranks.values < ranks.bar).tolist()
        assert shares.text_of(0) == "2 of 3"
        assert np.flatnonzero(model.predict([[0.0]])[0]).tolist() == relevant

    def test_more_virtual_labels_can_also_make_a_label_irrelevant(self):
        Y = [[1, 1, 1]] * 2 + [[1, 1, 0]] * 3
        path = KNeighborsMultilabelRanker(5).fit(np.zeros((5, 1)), Y).path([[0.0]])
        # Mean number 2.4: bars (0.6 + 1)/5 = 0.32 and (0.6 + 8)/19 = 0.45; the share is 0.4.
        assert path.at(n_virtual_labels=1).prediction.tolist() == [[1, 1, 1]]
        assert path.at(n_virtual_labels=8).prediction.tolist() == [[1, 1, 0]]


class TestTies:
    """Labels with equal mean ranks: asked again among more cases."""

    # One neighbour, then three more, then the rest of the training set.
    Y = ((1, 0, 0, 0, 0), *((0, 0, 1, 0, 0),) * 3, *((0, 0, 0, 0, 1),) * 5)
    X = np.arange(9.0)[:, None]

    def fitted(self, **params):
        return KNeighborsMultilabelRanker(1, **params).fit(self.X, self.Y)

    def test_more_cases_decide_then_all_then_the_label_index(self):
        # Of labels 2 to 5, which tie, three of the four nearest have 3, five of all nine 5.
        assert self.fitted().predict_ranking([[0.0]]).tolist() == [[1, 4, 2, 5, 3]]
        by_index = self.fitted(tie_breaking="label_index")
        assert by_index.predict_ranking([[0.0]]).tolist() == [[1, 2, 3, 4, 5]]

    @pytest.mark.parametrize(
        ("Y", "said"),
        [
            (Y, "c and e tie; the 4 most similar cases put c ahead. 2 more ties are broken in"),
            (Y[:1] + Y[4:], "e and b tie; the 4 most similar cases put e ahead. 2 more ties are"),
            ([Y[0]] * 4 + [Y[4]], "e and b tie; among the 4 most similar cases too, and all "
             "training cases put e ahead."),
            ([Y[0]] * 9, "b and c tie; among all training cases too, so they keep the order of "
             "the list"),
        ],
    )  # fmt: skip
    def test_the_explanation_says_that_a_tie_was_broken_and_by_what(self, Y, said):
        model = KNeighborsMultilabelRanker(1).fit(self.X[: len(Y)], Y)
        text = model.explain([0.0]).steps[1].text.plain("abcde")
        assert said in text
        scores = model.explain([0.0]).evidence(LabelScores)
        assert scores.tie_rule.startswith(
            "by the 4 most similar cases, then by all, then "
            if len(Y) > 4
            else "by all 4 training cases, then "
        )

    def test_by_label_index_it_says_that_the_order_of_the_data_is_kept(self):
        found = self.fitted(tie_breaking="label_index").explain([0.0])
        assert found.steps[1].text.plain("abcde").endswith("keep the order of the list of labels.")
        assert found.evidence(LabelScores).tie_rule == "first in the list of labels"
        clear = KNeighborsMultilabelRanker(2).fit(self.X[:2], [[1, 1], [1, 0]]).explain([0.0])
        assert "tie" not in clear.steps[1].text.plain("ab")

    def test_the_wider_neighbourhood_is_four_times_as_large_and_bounded(self):
        rng = np.random.default_rng(0)
        model = KNeighborsMultilabelRanker(1).fit(
            rng.normal(size=(130, 1)), problems.relevance(rng, 130, 3)
        )
        path = model.path([[0.0]], n_neighbors=130)
        sizes = {k: path.at(n_neighbors=k).sizes for k in (1, 25, 26, 100, 101, 130)}
        assert sizes == {
            1: (1, 4), 25: (25, 100), 26: (26, 100), 100: (100, 100), 101: (101, 101),
            130: (130, 130),
        }  # fmt: skip
        few = model.path([[0.0]], n_neighbors=40)
        assert few.rows.shape == (1, 100)
        assert few.at(n_neighbors=7).positions.tolist() == path.at(n_neighbors=7).positions.tolist()

    @pytest.mark.parametrize(
        ("k", "tie_breaking", "error", "loss"),
        [
            (5, "label_index", 0.289, 0.182),
            (5, "wider", 0.250, 0.175),
            (10, "label_index", 0.263, 0.174),
            (10, "wider", 0.244, 0.171),
        ],
    )
    def test_on_yeast_it_is_worth_what_the_documentation_says(self, k, tie_breaking, error, loss):
        data = load_sample("yeast")
        scaler = StandardScaler().fit(data.X[~data.split])
        model = KNeighborsMultilabelRanker(k, tie_breaking=tie_breaking)
        model.fit(scaler.transform(data.X[~data.split]), data.relevance[~data.split])
        order = -model.predict_ranking(scaler.transform(data.X[data.split]))
        truth = data.relevance[data.split]
        assert round(one_error(truth, order), 3) == error
        assert round(ranking_loss(truth, order), 3) == loss


def crowd_paths(task, weights):
    """Paths over ten neighbourhoods each, with a k and a p to look at."""
    rng = np.random.default_rng(3)
    for k, p in product(range(1, 8), (1, 2, 3)):
        X, queries = problems.crowds(10, k)
        X = X + rng.integers(0, 4, size=X.shape)
        Y = problems.targets(rng, task, 10 * k, 6)
        model = KNeighborsMultilabelRanker(k, weights=weights).fit(X, Y)
        yield model.path(queries, n_neighbors=k), k, p


class TestExplanation:
    @pytest.mark.parametrize("weights", ["uniform", "distance"])
    @pytest.mark.parametrize("task", ["multilabel", "calibrated_ranking"])
    def test_every_table_marks_the_predicted_labels(self, task, weights):
        names = list("abcdef")
        for path, k, p in crowd_paths(task, weights):
            point = path.at(n_neighbors=k, n_virtual_labels=p)
            for case in range(0, len(path.rows), 4):
                explanation = point.explain(case)
                steps = [step.evidence for step in explanation.steps]
                tables = [shown for shown in steps if isinstance(shown, LabelScores)]
                assert len(tables) == (2 if task == "multilabel" else 1)
                for shown in tables:
                    marked = shown.frame(names).sort_values("label")["relevant"]
                    assert marked.tolist() == explanation.prediction.astype(bool).tolist()

    @pytest.mark.parametrize("task", ["multilabel", "calibrated_ranking"])
    def test_no_confidence_is_outside_the_range_shown(self, task):
        for path, k, p in crowd_paths(task, "uniform"):
            point = path.at(n_neighbors=k, n_virtual_labels=p)
            for case in range(len(path.rows)):
                shown = point.explain(case).evidence(Confidence)
                assert shown.lowest - 1e-12 <= shown.value <= 1 + 1e-12


class TestTargets:
    def test_a_0_1_matrix_and_its_calibrated_rankings_predict_alike(self):
        for seed in range(50):
            X, Y, queries, k, p = random_problem(seed, "integer", "multilabel")
            model = KNeighborsMultilabelRanker(k, n_virtual_labels=p)
            points = [model.fit(X, T).path(queries).at() for T in (Y, calibrate(Y))]
            if (calibrate(Y) > 1).any():
                np.testing.assert_array_equal(points[0].scores, points[1].scores)
                np.testing.assert_array_equal(points[0].confidence, points[1].confidence)

    def test_rows_with_no_label_or_all_labels_count_like_any(self):
        # No label: line 1, labels 3; all labels: labels 2, line 4 (m = 3). Mean 2.5 each: a tie.
        model = KNeighborsMultilabelRanker(2).fit([[0.0], [1.0]], [[0, 0, 0], [1, 1, 1]])
        assert model.decision_function([[0.0]]).tolist() == [[0, 0, 0]]
        assert model.predict([[0.0]]).tolist() == [[0, 0, 0]]

    def test_the_score_of_calibrated_truth_is_that_of_its_relevance(self):
        Y = [[1, 3, 2], [3, 1, 2]]
        model = KNeighborsMultilabelRanker(1).fit([[0.0], [1.0]], Y)
        assert model.score([[0.0], [0.2]], Y) == model.score([[0.0], [0.2]], [[1, 0], [0, 1]])
        assert model.score([[0.0], [0.2]], Y) == 0.5


class TestWords:
    @pytest.mark.parametrize("k", [3, 10, 25])
    def test_the_share_that_a_label_needs_is_above_the_zero_line(self, k):
        data = load_sample("songs")
        model = KNeighborsMultilabelRanker(k).fit(data.X, data.relevance)
        explanation = model.explain(data.X[5])
        rows = explanation.evidence(Neighbors).rows
        mean_size = data.relevance[rows].sum() / k
        m, p = data.n_labels, model.n_virtual_labels
        bar = explanation.evidence(LabelScores).bar
        assert bar == pytest.approx((m - mean_size + p) / (m + 2 * p))
        needed = int(np.floor(bar * k)) + 1
        reason = f" A label needs {needed} of {k}, as the zero line is at "
        summary = explanation.summary.plain(data.label_names)
        written = re.search(re.escape(reason) + r"([\d.]+)%\.$", summary)
        assert float(written[1]) == pytest.approx(100 * bar, abs=0.5)


class TestInput:
    def test_more_virtual_labels_than_sums_can_hold_are_refused(self):
        X, Y = [[0.0], [1.0]], [[1, 0], [0, 1]]
        model = KNeighborsMultilabelRanker(2, n_virtual_labels=2**31 - 1, weights="distance")
        with pytest.raises(ValueError, match="keep sums exact"):
            model.fit(X, Y).predict(X)

    @pytest.mark.parametrize("p", [0, -1])
    def test_a_path_needs_a_virtual_label(self, p):
        model = KNeighborsMultilabelRanker(1).fit([[0.0], [1.0]], [[1, 0], [0, 1]])
        with pytest.raises(ValueError, match=f"at least 1, got {p}"):
            model.path([[0.0]]).at(n_virtual_labels=p)

    @pytest.mark.parametrize("Y", [[[0], [1]], [[1, 2], [2, 1]], [[1, 3, 3], [1, 1, 3]]], ids=str)
    def test_targets_of_another_form_are_refused(self, Y):
        with pytest.raises(ValueError, match="Expected"):
            KNeighborsMultilabelRanker(1).fit([[0.0], [1.0]], Y)
