"""Rules that turn scores into label sets: exact where they say so, tuned on unseen cases only."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn import metrics as judge
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, TunedThresholdClassifierCV

from labelrank_core import (
    Dataset,
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    SharedSubspaceClassifier,
    Task,
    load_sample,
)
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.evaluation.decisions import raw_scores, tuned_rules
from labelrank_core.evaluation.decisions.rules import TARGETS, DecisionRule, fit_rule
from labelrank_core.evaluation.decisions.trade_off import zero_line_path
from labelrank_core.evaluation.decisions.tuned import Decisions
from labelrank_core.explain.predictions import path_cases
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics.thresholds import RULES, global_subset
from tests.oracles_subspace import cuts
from tests.problems import few

# Higher is better, by scikit-learn.
GOOD = {
    "hamming": lambda truth, decided: -judge.hamming_loss(truth, decided),
    "macro_f1": lambda truth, decided: judge.f1_score(
        truth, decided, average="macro", zero_division=0
    ),
    "micro_f1": lambda truth, decided: judge.f1_score(
        truth, decided, average="micro", zero_division=0
    ),
    "subset": judge.accuracy_score,
}
CHOICES = [
    ModelChoice("mlr", (("n_neighbors", 7),)),
    ModelChoice("mlknn", (("n_neighbors", 7),)),
    ModelChoice("mlls", (("alpha", 0.1),)),
]

# Few values, so that scores tie often.
sizes = st.tuples(st.integers(1, 6), st.integers(2, 3))
tables = sizes.flatmap(
    lambda size: st.tuples(
        arrays.arrays(np.float64, size, elements=st.sampled_from([-1.5, -0.2, 0.0, 0.3, 1.0])),
        arrays.arrays(np.int64, size, elements=st.integers(0, 1)),
    )
)


def decided(scores, relevance, target):
    return fit_rule(scores, relevance, target=target).decide(scores)


@pytest.mark.parametrize("target", ["hamming", "macro_f1", "micro_f1"])
@given(tables)
def test_thresholds_reach_the_best_of_all_combinations(target, table):
    scores, relevance = table
    best = max(
        GOOD[target](relevance, (scores > np.array(cut)).astype(int))
        for cut in product(*(cuts(column) for column in scores.T))
    )
    assert GOOD[target](relevance, decided(*table, target)) == pytest.approx(best)


@given(tables)
def test_one_threshold_gets_as_many_sets_right_as_any_cut_does(table):
    scores, relevance = table
    thresholds = global_subset(scores, relevance)
    assert len(set(thresholds)) == 1
    right = [((scores > cut) == relevance).all(axis=1).sum() for cut in cuts(scores)]
    assert ((scores > thresholds) == relevance).all(axis=1).sum() == max(right)


@given(tables)
def test_no_single_threshold_gets_more_sets_right(table):
    scores, relevance = table
    rule = fit_rule(scores, relevance, target="subset")
    own = judge.accuracy_score(relevance, rule.decide(scores))
    for label, column in enumerate(scores.T):
        for cut in cuts(column):
            moved = rule.thresholds.copy()
            moved[label] = cut
            others = (scores > moved).astype(int)
            assert judge.accuracy_score(relevance, others) <= own


@given(tables)
def test_no_rule_serves_a_measure_better_than_the_one_tuned_for_it(table):
    scores, relevance = table
    rules = [DecisionRule("own", "own", np.zeros(scores.shape[1]))]
    rules += [fit_rule(scores, relevance, target=target) for target in TARGETS]
    for target, good in GOOD.items():
        values = {rule.key: good(relevance, rule.decide(scores)) for rule in rules}
        assert values[target] >= max(values.values()) - 1e-12
    losses = {r.key: judge.label_ranking_loss(relevance, -r.rank(scores)) for r in rules}
    assert losses["ranking"] <= min(losses.values()) + 1e-12


def test_a_worked_example():
    scores = np.array([[0.9, 0.6], [0.7, 0.5], [0.4, 0.2], [0.1, 0.1]])
    relevance = np.array([[1, 0], [0, 0], [1, 1], [0, 0]])
    # Label 1: taking 0.9 only is wrong once (the third), so is taking three (the second): the
    # fewest labels. Label 2: taking none is wrong once, taking three twice.
    rule = fit_rule(scores, relevance, target="hamming")
    assert rule.thresholds[0] == pytest.approx((0.9 + 0.7) / 2)
    assert rule.decide(scores).tolist() == [[1, 0], [0, 0], [0, 0], [0, 0]]
    # Label 1: one taken F1 = 2/3, three taken 4/5. Label 2: three taken 2 / (3 + 1) = 1/2.
    rule = fit_rule(scores, relevance, target="macro_f1")
    assert rule.thresholds == pytest.approx([(0.4 + 0.1) / 2, (0.2 + 0.1) / 2])
    # Three of label 1 and none of label 2: 2·2 / (3 + 3) = 2/3; with three of label 2 as well
    # 2·3 / (6 + 3) = 2/3; one and none 2·1 / (1 + 3) = 1/2. Of equal ones the fewest labels.
    rule = fit_rule(scores, relevance, target="micro_f1")
    assert rule.decide(scores).sum(axis=0).tolist() == [3, 0]
    # Any of the rules has two or three sets right; 0.9 alone and none of label 2 has 1, 2 and 4.
    rule = fit_rule(scores, relevance, target="subset")
    assert judge.accuracy_score(relevance, rule.decide(scores)) == pytest.approx(3 / 4)


def test_labels_that_none_or_all_cases_have_are_never_or_always_predicted():
    scores, relevance = np.array([[0.2, 0.1], [-0.3, -0.4]]), np.array([[0, 1], [0, 1]])
    for target in GOOD:
        assert decided(scores, relevance, target).tolist() == relevance.tolist()


def test_one_threshold_for_all_leaves_the_order_and_different_ones_change_it():
    # Case 1 has label 1, case 2 label 2; label 1 always scores 1 more than it should.
    scores, relevance = np.array([[1.8, 0.2], [1.1, 0.9]]), np.array([[1, 0], [0, 1]])
    order = [
        DecisionRule("own", "", np.array(thresholds)).leads(scores)
        for thresholds in ([0.0, 0.0], [0.7, 0.7], [1.0, 0.0])
    ]
    losses = [judge.label_ranking_loss(relevance, each) for each in order]
    assert losses == [0.5, 0.5, 0.0]
    rule = fit_rule(scores, relevance, target="ranking")
    assert judge.label_ranking_loss(relevance, rule.leads(scores)) == 0
    assert rule.taken_from == "hamming"
    assert fit_rule(scores, [[1, 0], [1, 0]], target="ranking").taken_from == "plain"


class Scored(ClassifierMixin, BaseEstimator):
    """Says the first feature is the score."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]

    def predict(self, X):
        return (self.decision_function(X) > 0).astype(int)


@pytest.mark.parametrize(("target", "scoring"), [("hamming", "accuracy"), ("macro_f1", "f1")])
def test_scikit_learn_finds_no_better_threshold_for_a_label(target, scoring):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(60, 1))
    truth = (scores[:, 0] + rng.normal(size=60) > 0.4).astype(int)
    tuned = TunedThresholdClassifierCV(
        Scored().fit(scores, truth),
        scoring=scoring,
        thresholds=np.sort(scores[:, 0]),
        cv="prefit",
        refit=False,
    ).fit(scores, truth)
    own = fit_rule(scores, truth[:, None], target=target).decide(scores)[:, 0]
    measure = {"accuracy": judge.accuracy_score, "f1": judge.f1_score}[scoring]
    assert measure(truth, own) == pytest.approx(tuned.best_score_)


@pytest.fixture(scope="module")
def yeast():
    data = load_sample("yeast")
    rows = np.random.default_rng(0).permutation(data.n_samples)
    return data, Split(np.sort(rows[:300]), np.sort(rows[300:400]), "random", 0, 0.25)


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.key)
def test_the_own_rule_is_what_the_method_predicts(yeast, choice):
    data, split = yeast
    decisions = tuned_rules(choice, data, split)
    fitted = choice.build().fit(data.X[split.train], data.Y[split.train])
    own = decisions.rule("own")
    assert own.decide(decisions.scores).tolist() == fitted.predict(data.X[split.test]).tolist()
    leads = fitted.decision_function(data.X[split.test])
    assert own.leads(decisions.scores) == pytest.approx(leads, abs=1e-11)
    ranking = fitted[-1].predict_ranking(fitted[:-1].transform(data.X[split.test]))
    assert own.rank(decisions.scores, decisions.positions).tolist() == ranking.tolist()


@pytest.mark.parametrize("key", [k for k, a in ALGORITHMS.items() if not a.learns_rankings])
def test_the_own_rule_of_every_method_gives_its_sets(key):
    data = load_sample("outings")
    split, choice = holdout_split(data), ModelChoice(key).with_params(**few(ALGORITHMS[key]))
    decisions = tuned_rules(choice, data, split)
    model = choice.within(len(split.train)).build()
    model.fit(data.X[split.train], data.zero_line_targets(split.train))
    decided = decisions.rule("own").decide(decisions.scores)
    assert decided.tolist() == model.predict(data.X[split.test]).tolist()


@pytest.mark.parametrize(
    "choice",
    [
        ModelChoice("mlr", (("n_neighbors", 4), ("n_virtual_labels", 3))),
        ModelChoice("mlls", (("alpha", 0.1), ("beta", 1.0), ("threshold", "label_macro_f1"))),
    ],
    ids=lambda choice: choice.key,
)
def test_a_model_for_any_setting_serves_as_the_one_of_the_whole_training_set(yeast, choice):
    data, split = yeast
    general = choice.for_any_path(len(split.train)).build()
    whole = general.fit(data.X[split.train], data.zero_line_targets(split.train))
    found, expected = (
        tuned_rules(choice, data, split, full_model=whole),
        tuned_rules(choice, data, split),
    )
    pd.testing.assert_frame_equal(found.frame(), expected.frame())
    np.testing.assert_allclose(found.scores, expected.scores, rtol=0, atol=1e-9)
    assert (found.zero_line is None) == (expected.zero_line is None)
    if found.zero_line is not None:
        pd.testing.assert_frame_equal(found.zero_line, expected.zero_line)


def test_rules_are_tuned_on_scores_by_models_that_have_not_seen_the_case(yeast):
    data, split = yeast
    choice = ModelChoice("mlr", (("n_neighbors", 5),))
    decisions = tuned_rules(choice, data, split, n_folds=3, seed=4)
    X, Y = data.X[split.train], data.Y[split.train]
    for seen, unseen in KFold(3, shuffle=True, random_state=4).split(X):
        scores = choice.build().fit(X[seen], Y[seen]).decision_function(X[unseen])
        assert decisions.unseen_scores[unseen].tolist() == scores.tolist()
    for target in TARGETS:
        again = fit_rule(decisions.unseen_scores, Y, target=target)
        assert decisions.rule(target).thresholds.tolist() == again.thresholds.tolist()


def test_the_test_part_tunes_nothing(yeast):
    data, split = yeast
    Y = data.Y.copy()
    Y[split.test] = 1 - Y[split.test]
    other = Dataset(
        X=data.X,
        Y=Y,
        task=data.task,
        feature_names=data.feature_names,
        label_names=data.label_names,
        name="other",
    )
    rules = [tuned_rules(CHOICES[0], each, split).rules for each in (data, other)]
    for one, two in zip(*rules, strict=True):
        assert one.thresholds.tolist() == two.thresholds.tolist()


def test_shared_subspace_tunes_one_of_these_rules_inside_its_fit(yeast):
    data, split = yeast
    relevance = data.relevance[split.train]
    varies = relevance.min(axis=0) < relevance.max(axis=0)
    for target in ("macro_f1", "micro_f1"):
        model = SharedSubspaceClassifier(threshold=f"label_{target}")
        model.fit(data.X[split.train], relevance)
        scores = model.out_of_fold_scores()
        rule = fit_rule(scores, relevance, target=target)
        # The fit shrinks each towards the global threshold.
        n_rows = np.minimum(relevance.sum(axis=0), (1 - relevance).sum(axis=0))
        common = RULES[f"global_{target}"](scores, relevance)
        shrunk = (n_rows * rule.thresholds + 3 * common) / (n_rows + 3)
        assert shrunk[varies] == pytest.approx(model.thresholds_[varies])
    assert raw_scores(model, data.X[split.test]) == pytest.approx(
        model.raw_scores(data.X[split.test])
    )


def test_virtual_labels_are_a_threshold_for_each_case_on_the_same_scores(yeast):
    data, split = yeast
    model = KNeighborsMultilabelRanker(9).fit(data.X[split.train], data.Y[split.train])
    path, m = path_cases(model, data.X[split.test]), data.n_labels
    one = path.at(n_virtual_labels=1)
    mean_relevant = one.shares.sum(axis=1, keepdims=True)
    for p in (2, 5, 40, 10**6):
        # A score with one virtual label is (1 + m/2) (share - bar with one).
        bars = [(m - mean_relevant + q) / (m + 2 * q) for q in (1, p)]
        thresholds = (bars[1] - bars[0]) * (1 + m / 2)
        point = path.at(n_virtual_labels=p)
        clear = np.abs(one.scores - thresholds) > 1e-9
        assert ((one.scores > thresholds) == point.prediction)[clear].all()
        assert clear.mean() > 0.9
    assert (point.prediction == (point.shares > 0.5)).all()


def test_points_of_the_path_are_fits_with_so_many_virtual_labels(yeast):
    data, split = yeast
    fits = {
        p: KNeighborsMultilabelRanker(9, n_virtual_labels=p).fit(
            data.X[split.train], data.Y[split.train]
        )
        for p in (1, 16)
    }
    choice = ModelChoice("mlr", (("n_neighbors", 9),), scaled=False)
    table = zero_line_path(choice, fits[1], data, split.test)
    assert table["n_virtual_labels"].tolist() == [1, 2, 4, 8, 16, 32, 64, 128]
    for row in table[table["n_virtual_labels"].isin(fits)].itertuples():
        predicted = fits[row.n_virtual_labels].predict(data.X[split.test])
        truth = data.relevance[split.test]
        assert row.hamming_loss == pytest.approx(judge.hamming_loss(truth, predicted))
        assert row.labels_per_case == pytest.approx(predicted.sum(axis=1).mean())
        shares = path_cases(fits[1], data.X[split.test]).at(n_neighbors=9).shares
        p = row.n_virtual_labels
        needed = (14 - shares.sum(axis=1).mean() + p) / (14 + 2 * p)
        assert row.votes_needed == pytest.approx(needed)


def test_sets_decided_on_as_a_whole_are_those_the_method_predicts(yeast):
    data, split = yeast
    X, Y, tests = data.X[split.train], data.Y[split.train], data.X[split.test]
    choice = ModelChoice("mlr", (("decision", "f1"), ("n_neighbors", 7)))
    decisions = tuned_rules(choice, data, split)
    own, plain = decisions.rules[:2]
    assert own.decide(decisions.scores).tolist() == choice.build().fit(X, Y).predict(tests).tolist()
    assert np.isnan(own.thresholds).all()
    lines = choice.with_params(decision="zero_line").build().fit(X, Y).predict(tests)
    assert plain.decide(decisions.scores).tolist() == lines.tolist()
    titles = ["Hamming loss", "F1 per case", "Subset accuracy"]
    assert [rule.title for rule in decisions.set_rules] == [f"{t}, by whole sets" for t in titles]
    for rule, decision in zip(decisions.set_rules, ["hamming", "f1", "subset"], strict=True):
        model = choice.with_params(decision=decision).build().fit(X, Y)
        assert rule.decide(decisions.scores).tolist() == model.predict(tests).tolist()
        ranking = model[-1].predict_ranking(model[:-1].transform(tests))
        assert rule.rank(decisions.scores).tolist() == ranking.tolist()
    table = decisions.frame().set_index("rule")
    assert table.loc["sets_f1"].drop("title").equals(table.loc["own"].drop("title"))


def test_the_trade_off_agrees_with_scikit_learn(yeast):
    data, split = yeast
    decisions = tuned_rules(ModelChoice("mlls"), data, split)
    truth = decisions.relevance
    table = decisions.frame()
    assert table["rule"].tolist() == ["own", "plain", *TARGETS]
    for rule, row in zip(decisions.rules, table.itertuples(), strict=True):
        sets, order = (
            rule.decide(decisions.scores),
            -rule.rank(decisions.scores, decisions.positions),
        )
        assert -row.hamming_loss == pytest.approx(GOOD["hamming"](truth, sets))
        assert row.macro_f1_score == pytest.approx(GOOD["macro_f1"](truth, sets))
        assert row.micro_f1_score == pytest.approx(GOOD["micro_f1"](truth, sets))
        assert row.subset_accuracy_score == pytest.approx(GOOD["subset"](truth, sets))
        assert row.ranking_loss == pytest.approx(judge.label_ranking_loss(truth, order))
        precision = judge.label_ranking_average_precision_score(truth, order)
        assert row.average_precision_score == pytest.approx(precision)
        assert row.labels_per_case == sets.sum() / len(sets)


def test_a_gain_is_positive_where_a_rule_is_better_than_the_own_one():
    rules = (
        DecisionRule("own", "own", np.zeros(2)),
        DecisionRule("macro_f1", "macro F1", np.array([0.5, -0.5])),
    )
    scores, relevance = np.array([[0.9, -0.2], [0.4, -0.6]]), np.array([[1, 1], [0, 0]])
    # The own rule predicts {1}, {1}: two of four wrong; the other {1, 2}, {}: none.
    table = Decisions(rules, scores, relevance, scores, relevance).against_own("macro_f1")
    gains = table.set_index("measure")["gain"]
    assert gains["hamming_loss"] == 0.5
    assert gains["subset_accuracy_score"] == 1
    assert gains["macro_f1_score"] == pytest.approx(1 - (2 / 3 + 0) / 2)
    # All or no labels are relevant: no order can be wrong.
    assert gains["ranking_loss"] == 0


def test_labels_are_tabulated_with_the_scores_their_thresholds_divide(yeast):
    data, split = yeast
    decisions = tuned_rules(CHOICES[0], data, split)
    table = decisions.label_frame("micro_f1", data.label_names)
    rule, label = decisions.rule("micro_f1"), 3
    row = table.iloc[label]
    assert row["label"] == data.label_names[label]
    assert row["threshold"] == rule.thresholds[label]
    assert row["own_threshold"] == 0
    assert row["predicted"] == rule.decide(decisions.scores)[:, label].mean()
    have = decisions.unseen_scores[decisions.unseen_relevance[:, label] == 1, label]
    assert (row["with_low"], row["with_high"]) == tuple(np.quantile(have, [0.1, 0.9]))


def test_calibrated_rankings_and_few_cases_have_rules_too():
    data = load_sample("drinks_calibrated")
    assert data.task is Task.CALIBRATED_RANKING
    # Seven training rows: a fold leaves five or six of them to ask.
    decisions = tuned_rules(CHOICES[0], data, holdout_split(data))
    assert decisions.scores.shape == decisions.relevance.shape
    assert decisions.zero_line["votes_needed"].isna().all()


def test_what_does_not_fit_is_refused(yeast):
    data, _ = yeast
    with pytest.raises(ValueError, match="Expected target in"):
        fit_rule([[0.0]], [[1]], target="f1")
    with pytest.raises(ValueError, match=r"got \(1, 1\) and \(2, 1\)"):
        fit_rule([[0.0]], [[1], [0]], target="hamming")
    with pytest.raises(ValueError, match="at least two training rows"):
        tuned_rules(CHOICES[0], data, Split([0], [1], "random", 0, 0.5))
    with pytest.raises(ValueError, match="scores labels"):
        raw_scores(KNeighborsLabelRanker(1).fit([[0.0], [1.0]], [[1, 2], [2, 1]]), [[0.0]])
