"""Boosted rules: every round against its definition, paths, what explanations add up to."""

import html
import re
from functools import partial
from math import exp, log

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import AdaBoostMHClassifier, ADTBoostMHClassifier
from labelrank_core.data import Column, Schema
from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import Confidence, LabelScores, RuleVotes
from labelrank_core.explain.render import Scene
from labelrank_core.explain.render._rules import rule_votes
from labelrank_core.explain.render.markup.palette import LINE, label_color
from labelrank_core.methods.boosting import _stumps, adt_boost_mh
from labelrank_core.rankings import calibrated_positions
from tests import oracles_boosting, problems
from tests.app.plotted import Plotted

NAMES = ["a", "b", "c"]
METHODS = [AdaBoostMHClassifier, ADTBoostMHClassifier]
by_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)


def problem(seed, *, n_rows=24, kind="continuous"):
    """Label sets that depend on the features, and cases to predict."""
    rng = np.random.default_rng(seed)
    X = problems.features(rng, kind, n_rows + 8, 3)
    worth = np.column_stack([X[:, 0], -X[:, 1], X[:, 0] * X[:, 2]])
    Y = (worth + 0.5 * rng.normal(size=worth.shape) > 0).astype(int)
    return X[:n_rows], Y[:n_rows], X[n_rows:]


class TestAdaBoost:
    @pytest.mark.parametrize("kind", ["continuous", "integer", "constant"])
    def test_every_round_takes_the_stump_of_the_definition(self, kind):
        for seed in range(3):
            X, Y, queries = problem(seed, kind=kind)
            rules = oracles_boosting.adaboost_mh(X.tolist(), Y.tolist(), 6)
            model = AdaBoostMHClassifier(6, max_thresholds=None).fit(X, Y)
            found = model.explain(queries[0]).evidence(RuleVotes).questions
            assert [question.feature for question in found] == [rule[0] for rule in rules]
            thresholds = [question.threshold for question in found]
            np.testing.assert_allclose(thresholds, [rule[1] for rule in rules], rtol=1e-12)
            expected = [oracles_boosting.scores_of_rounds(rules, x, 3) for x in queries.tolist()]
            np.testing.assert_allclose(model.decision_function(queries), expected, atol=1e-9)

    def test_by_hand(self):
        # Four pairs of weight 1/4, ε = 1/4. Label a is on the left: ½ ln((1/4 + ε) / (0 + ε)).
        # Label b is everywhere: the same on both sides.
        model = AdaBoostMHClassifier(2).fit([[0.0], [1.0]], [[1, 1], [0, 1]])
        v = log(2) / 2
        point = model.path([[0.4], [0.6]]).at(n_estimators=1)
        np.testing.assert_allclose(point.scores, [[v, v], [-v, v]])
        assert point.prediction.tolist() == [[1, 1], [0, 1]]
        assert point.positions.tolist() == [[1, 2], [2, 1]]
        # 1 / (1 + exp(-2 v)) = 2/3 for every decision.
        np.testing.assert_allclose(point.confidence, [2 / 3, 2 / 3])
        # All weights are divided by the same √2, so the second round votes as the first.
        np.testing.assert_allclose(model.decision_function([[0.4]]), [[2 * v, 2 * v]])
        (question,) = point.explain(1).evidence(RuleVotes).questions
        assert (question.feature, question.threshold, question.is_above) == (0, 0.5, True)

    def test_cases_that_are_all_alike_are_voted_on_by_how_frequent_labels_are(self):
        # W₊ = 3/8 and W₋ = 1/8 for a, ε = 1/8: ½ ln 2; nothing for b.
        X, Y = np.full((4, 2), 7.0), [[1, 1], [1, 0], [1, 1], [0, 0]]
        for cases in (X, sparse.csr_matrix(X)):
            model = AdaBoostMHClassifier(1).fit(cases, Y)
            np.testing.assert_allclose(model.decision_function(cases)[0], [log(2) / 2, 0])
            assert model.predict(cases)[0].tolist() == [1, 0]


class TestAlternatingTree:
    @pytest.mark.parametrize("kind", ["continuous", "integer"])
    def test_every_step_hangs_the_question_of_the_definition(self, kind):
        depths = set()
        for seed in range(3):
            X, Y, queries = problem(seed, kind=kind)
            nodes = oracles_boosting.alternating_tree(X.tolist(), Y.tolist(), 5)
            model = ADTBoostMHClassifier(5, max_thresholds=None).fit(X, Y)
            expected = [oracles_boosting.scores_of_tree(nodes, x, 3) for x in queries.tolist()]
            np.testing.assert_allclose(model.decision_function(queries), expected, atol=1e-9)
            depths |= {len(conditions) for conditions, _ in nodes}
        assert max(depths) >= 2

    def test_by_hand(self):
        # Root, ε = 1/4: ½ ln((1/4 + ε) / (1/4 + ε)) = 0 for a, ½ ln((1/2 + ε) / ε) for b.
        model = ADTBoostMHClassifier(1).fit([[0.0], [1.0]], [[1, 1], [0, 1]])
        start = model.explain([0.0]).evidence(RuleVotes).start
        np.testing.assert_allclose(start, [0, log(3) / 2])
        # b's weights are now √⅓ / 4 each; of a sum of (2 + 2 √⅓) / 4, a has a share of
        # 1 / (2 + 2 √⅓) on either side.
        share = 1 / (2 + 2 * 3**-0.5)
        b = share * 3**-0.5
        expected = [log((share + 0.25) / 0.25) / 2, log(3) / 2 + log((b + 0.25) / 0.25) / 2]
        np.testing.assert_allclose(model.decision_function([[0.4]])[0], expected)

    def test_a_case_reaches_what_its_answers_lead_to(self):
        X, Y, queries = problem(1, n_rows=60)
        model = ADTBoostMHClassifier(12).fit(X, Y)
        n_below = 0
        for x in queries:
            votes = model.explain(x).evidence(RuleVotes)
            conditions = []
            for question, parent in zip(votes.questions, votes.parents, strict=True):
                assert question.is_above == (x[question.feature] > question.threshold)
                # Earlier rules first, and none whose parent the case does not reach.
                assert parent < len(conditions)
                conditions.append(question)
            n_below += int((votes.parents >= 0).sum())
            assert sorted(votes.as_tree) == list(range(len(votes.rounds)))
            places = {rule: place for place, rule in enumerate(votes.as_tree)}
            for rule, parent in enumerate(votes.parents):
                assert parent < 0 or places[int(parent)] < places[rule]
                assert votes.depths[rule] == (0 if parent < 0 else votes.depths[parent] + 1)
        assert n_below > 0

    def test_weights_that_become_small_are_divided_by_their_sum_without_effect(self, monkeypatch):
        X, Y, queries = problem(3)
        expected = ADTBoostMHClassifier(12).fit(X, Y).decision_function(queries)
        # Of the weights left by the root and eleven steps, after about every other step.
        monkeypatch.setattr(adt_boost_mh, "_LEAST_TOTAL", 0.7)
        scores = ADTBoostMHClassifier(12).fit(X, Y).decision_function(queries)
        np.testing.assert_allclose(scores, expected, atol=1e-9)


@by_method
class TestBoth:
    def test_the_mean_exponential_loss_falls_and_bounds_the_hamming_loss(self, method):
        X, Y, _ = problem(4, n_rows=60)
        model = method(20).fit(X, Y)
        path, losses = model.path(X), []
        for n in range(1, 21):
            point = path.at(n_estimators=n)
            losses.append(np.exp(np.where(Y == 1, -1, 1) * point.scores).mean())
            assert np.mean(point.prediction != Y) <= losses[-1]
        assert (np.diff(losses) < 1e-9).all()
        assert losses[-1] < 0.7 * losses[0]

    def test_fewer_rounds_are_a_fresh_fit(self, method):
        X, Y, queries = problem(5)
        path = method(9).fit(X, Y).path(queries)
        for n in (1, 4, 9):
            fresh = method(n).fit(X, Y)
            point = path.at(n_estimators=n)
            np.testing.assert_array_equal(point.scores, fresh.decision_function(queries))
            np.testing.assert_array_equal(point.prediction, fresh.predict(queries))
            np.testing.assert_array_equal(point.confidence, fresh.predict_confidence(queries))
            one, other = point.explain(3), fresh.explain(queries[3])
            assert one.as_dict(NAMES) == other.as_dict(NAMES)
        with pytest.raises(ValueError, match="between 1 and 9"):
            path.at(n_estimators=10)

    def test_sparse_cases_get_the_same_rules(self, method, monkeypatch):
        X, Y, queries = problem(6)
        X[np.abs(X) < 0.7], queries[np.abs(queries) < 0.7] = 0, 0
        expected = method(8, max_thresholds=3).fit(X, Y)
        monkeypatch.setattr(sparse.csr_matrix, "todense", None)
        model = method(8, max_thresholds=3).fit(sparse.csr_matrix(X), Y)
        for cases in (queries, sparse.csr_matrix(queries)):
            np.testing.assert_array_equal(
                model.decision_function(cases), expected.decision_function(queries)
            )

    def test_many_features_are_searched_part_by_part_alike(self, method, monkeypatch):
        X, Y, queries = problem(7, n_rows=40)
        whole = method(6).fit(X, Y).decision_function(queries)
        monkeypatch.setattr(_stumps, "_BLOCK_CELLS", 1)
        np.testing.assert_array_equal(method(6).fit(X, Y).decision_function(queries), whole)

    def test_of_calibrated_rankings_only_the_relevance_is_learned(self, method):
        X, Y, queries = problem(8)
        orders = problems.positions(np.random.default_rng(0), len(X), 3)
        plain, other = method(5).fit(X, Y), method(5).fit(X, calibrated_positions(orders, Y))
        np.testing.assert_array_equal(
            other.decision_function(queries), plain.decision_function(queries)
        )

    def test_the_votes_add_up_to_the_scores_that_decide(self, method):
        X, Y, queries = problem(9)
        model = method(7).fit(X, Y)
        for case, x in enumerate(queries):
            explanation = model.explain(x)
            votes, scores = explanation.evidence(RuleVotes), model.decision_function(queries)[case]
            np.testing.assert_allclose(votes.scores, scores, atol=1e-11)
            np.testing.assert_allclose(votes.running[-1], scores, atol=1e-11)
            path = model.path(queries)
            for n in (1, 4):
                own = path.at(n_estimators=n).scores[case]
                np.testing.assert_allclose(votes.running[n], own, atol=1e-11)
            features, sums = votes.by_feature()
            np.testing.assert_allclose(votes.start + sums.sum(axis=0), scores, atol=1e-11)
            assert set(features) == {question.feature for question in votes.questions}
            table = votes.frame(NAMES)
            np.testing.assert_allclose(table[NAMES].sum(), scores, atol=1e-11)
            shown = explanation.evidence(LabelScores)
            assert ((shown.values > shown.bar) == explanation.prediction).all()
            mean = np.mean([1 / (1 + exp(-2 * abs(score))) for score in scores])
            assert explanation.evidence(Confidence).value == pytest.approx(mean)

    def test_the_sentence_counts_the_votes_on_the_label_it_is_about(self, method):
        X, Y, queries = problem(10)
        for x in queries:
            explanation = method(7).fit(X, Y).explain(x)
            edge = explanation.order[max(0, explanation.prediction.sum() - 1)]
            own = explanation.evidence(RuleVotes).votes[:, edge]
            said = explanation.summary.plain(NAMES)
            assert f"(votes for it: {(own > 0).sum()}, against: {(own < 0).sum()})" in said
            assert NAMES[edge] in said
            for_it = f"{(own > 0).sum()} " + ("answers" if method is METHODS[1] else "of 7 rounds")
            assert f"{for_it} vote for it" in explanation.steps[0].text.plain(NAMES)


@by_method
class TestPictures:
    """The same votes drawn."""

    def scene(self, method, n_rounds=12):
        X, Y, _ = problem(11, n_rows=60)
        columns = (Column("size"), Column("weight"), Column("ripe", "nominal", ("no", "yes")))
        X[:, 2] = X[:, 2] > 0
        explanation = method(n_rounds).fit(X, Y).explain(X[0])
        units = np.array([10.0, 0, 0]), np.array([2.0, 1, 1])
        scene = Scene(explanation, ["a", "<b>", "c"], Schema(columns), X[0], units=units)
        return explanation.evidence(RuleVotes), scene

    def test_rows_are_rules_and_the_last_is_their_sum(self, method):
        votes, scene = self.scene(method)
        drawn = rule_votes(votes, scene)
        cells = re.findall(r'<td class="(?:up|down)[^>]*>([^<]*)</td>', drawn.markup)
        rows = re.findall(r'<th scope="row"([^>]*)>([^<]*)</th>', drawn.markup)
        numbers = np.array([float(cell) for cell in cells[-3:]])
        np.testing.assert_allclose(numbers, votes.scores[scene.order], atol=0.006)
        assert rows[-1][1] == "score"
        names = [html.unescape(name) for _, name in rows]
        is_tree = method is ADTBoostMHClassifier
        assert (names[0] == "start") == is_tree
        assert len(names) == len(cells) / 3
        # Thresholds are in the units of the data.
        at = next(rule for rule, asked in enumerate(votes.questions) if asked.feature == 0)
        sign = ">" if votes.questions[at].is_above else "≤"
        threshold = number_text(10 + 2 * votes.questions[at].threshold)
        assert f"{votes.rounds[at]}  size {sign} {threshold}" in names
        indented = ["padding" in style for style, _ in rows[is_tree:-1]]
        expected = [votes.depths[rule] > 0 for rule in votes.as_tree]
        assert indented[: len(expected)] == expected[: len(indented)]
        assert any(indented) == is_tree
        assert ("4 other rounds" in names) == (not is_tree)
        assert list(drawn.table.columns) == ["round", "depends on round", "answer", "a", "<b>", "c"]
        np.testing.assert_allclose(drawn.table.iloc[:, 3:].sum(), votes.scores)

    def test_by_feature_all_votes_are_counted_once(self, method):
        votes, scene = self.scene(method)
        drawn = rule_votes(votes, scene, "features")
        names = re.findall(r'<th scope="row">([^<]*)</th>', drawn.markup)
        n_features = len({question.feature for question in votes.questions})
        assert len(names) == n_features + 1 + (method is ADTBoostMHClassifier)
        cells = re.findall(r'<td class="(?:up|down)[^>]*>([^<]*)</td>', drawn.markup)
        numbers = np.array([float(cell) for cell in cells]).reshape(-1, 3)
        np.testing.assert_allclose(numbers[:-1].sum(axis=0), numbers[-1], atol=0.03)

    def test_lines_end_at_the_scores_with_names_apart(self, method):
        votes, scene = self.scene(method)
        drawn = rule_votes(votes, scene, "running")
        plot = Plotted(f"<div>{drawn.markup}</div>")
        lines = {each.get("color"): each.get("points") for each in plot.behind("polyline")}
        ends = [float(lines[label_color(j)].split(",")[-1]) for j in scene.order]
        zero = float(lines[LINE].split(",")[-1])
        # Heights are counted from the top, in per cent.
        unit = (ends[0] - ends[-1]) / (votes.scores[scene.order[0]] - votes.scores[scene.order[-1]])
        assert unit < 0
        np.testing.assert_allclose(ends, zero + unit * votes.scores[scene.order], atol=0.1)
        names = [each for each in plot.root.iter("span") if each.get("class") == "name"]
        heights = [float(each.get("style").partition("top:")[2].rstrip("%")) for each in names]
        assert (np.diff(np.sort(heights)) >= 5).all()
        assert any("<b>" in "".join(each.itertext()) for each in names)


class TestThresholds:
    """Which values of a feature are tried."""

    thresholds = staticmethod(partial(_stumps._thresholds, feature=0))

    def test_all_lie_halfway_between_neighbouring_values(self):
        X = np.array([[3.0], [1.0], [1.0], [4.0]])
        assert self.thresholds(X, max_thresholds=None).tolist() == [2, 3.5]
        assert self.thresholds(sparse.csc_matrix(X), max_thresholds=None).tolist() == [2, 3.5]
        with_zeros = sparse.csc_matrix([[3.0], [0.0], [-1.0], [0.0]])
        assert self.thresholds(with_zeros, max_thresholds=None).tolist() == [-0.5, 1.5]
        assert self.thresholds(np.array([[2.0], [2.0]]), max_thresholds=None).tolist() == []

    def test_few_part_the_cases_evenly(self):
        X = np.arange(12.0)[:, None]
        # After 3, 6 and 9 of the 12 cases.
        assert self.thresholds(X, max_thresholds=3).tolist() == [2.5, 5.5, 8.5]
        assert self.thresholds(X[X[:, 0] != 0], max_thresholds=1).tolist() == [6.5]
        # Nine zeros, so that all three even parts end there.
        many = sparse.csc_matrix(np.maximum(X - 8, 0))
        assert self.thresholds(many, max_thresholds=1).tolist() == [0.5]
        assert self.thresholds(many, max_thresholds=2).tolist() == [0.5]

    def test_neighbouring_floats_are_still_parted(self):
        low = 1.0
        high = np.nextafter(low, 2)
        (threshold,) = self.thresholds(np.array([[low], [high]]), max_thresholds=None)
        assert low <= threshold < high
