"""Stacking for label sets: the blend of what is learned out of fold, and what it says of itself."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from labelrank_core import (
    ClassifierChainsClassifier,
    MLkNNClassifier,
    SharedSubspaceClassifier,
    StackedMultilabelClassifier,
)
from labelrank_core.data.schema import Schema
from labelrank_core.explain.evidence import LabelScores, MemberProbabilities
from labelrank_core.explain.render import Scene, picture
from labelrank_core.methods.ensemble._candidates import LABEL_SETS
from labelrank_core.methods.ensemble._label_members import (
    LabelSetForest,
    MarginProbabilities,
    probabilities,
)

NAMES = list("abcd")


def problem(seed, n=80):
    """Label sets that depend on the features, partly in curves; cases to predict."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    worth = X @ rng.normal(size=(3, 4)) + np.sin(2 * X[:, :1]) + rng.normal(size=(n, 4))
    return X, (worth > 0.2).astype(int), rng.normal(size=(6, 3))


def own_candidates():
    ridge = SharedSubspaceClassifier(0.0, beta=0.01, kernel="rbf", threshold="zero")
    return [
        ("ridge", ridge),
        ("similar", MLkNNClassifier(7)),
        ("chains", ClassifierChainsClassifier(2)),
    ]


def said_by(model, X):
    """What a member says, by its own words: a probability, or least squares on 1 and -1."""
    if isinstance(model, SharedSubspaceClassifier):
        return np.array([[min(max((1 + s) / 2, 0), 1) for s in row] for row in model.raw_scores(X)])
    return model.predict_proba(X)


class TestBlend:
    def test_it_is_the_blend_of_its_members_that_learned_all_cases(self):
        X, Y, queries = problem(1)
        model = StackedMultilabelClassifier(own_candidates(), inner_folds=4).fit(X, Y)
        weights = model.blend_.of(4)
        assert weights.sum() == pytest.approx(1)
        assert (weights > 0).sum() > 1
        names = [list(model.losses_)[i] for i in model.blend_.order]
        expected = sum(
            weight * said_by(dict(own_candidates())[name].fit(X, Y), queries)
            for name, weight in zip(names, weights, strict=True)
        )
        np.testing.assert_allclose(model.predict_proba(queries), expected, atol=1e-9)
        np.testing.assert_array_equal(model.predict(queries), (expected > 0.5).astype(int))
        for own, positions in zip(expected.round(9), model.predict_ranking(queries), strict=True):
            order = sorted(range(4), key=lambda label, own=own: (-own[label], label))
            assert [positions[label] for label in order] == [1, 2, 3, 4]

    def test_errors_are_those_on_cases_that_were_not_learned(self):
        X, Y, _ = problem(2)
        model = StackedMultilabelClassifier(own_candidates(), inner_folds=3, random_state=4)
        model.fit(X, Y)
        seed = int(np.random.RandomState(4).randint(2**31 - 1))
        found = {}
        for name, estimator in own_candidates():
            errors = np.empty(Y.shape)
            for train, test in KFold(3, shuffle=True, random_state=seed).split(X):
                said = said_by(estimator.fit(X[train], Y[train]), X[test])
                errors[test] = (said - Y[test]) ** 2
            found[name] = errors.mean()
        assert model.losses_ == pytest.approx({name: found[name] for name in model.losses_})
        # The first member is the best of them alone.
        assert next(iter(model.members_)) == min(model.losses_, key=model.losses_.__getitem__)

    def test_fewer_members_are_those_of_a_fresh_fit(self):
        X, Y, queries = problem(3)
        whole = StackedMultilabelClassifier(own_candidates(), n_members=3, inner_folds=4).fit(X, Y)
        for n in (1, 2, 3):
            fresh = StackedMultilabelClassifier(own_candidates(), n_members=n, inner_folds=4)
            found = whole.path(queries).at(n_members=n).probabilities
            np.testing.assert_array_equal(found, fresh.fit(X, Y).predict_proba(queries))
        with pytest.raises(ValueError, match="n_members between 1 and 3"):
            whole.path(queries).at(n_members=4)

    def test_it_predicts_as_well_as_its_best_candidate(self):
        X, Y, _ = problem(4, n=400)
        model = StackedMultilabelClassifier(inner_folds=3).fit(X[:200], Y[:200])
        alone = [
            ((probabilities(each, X[200:]) > 0.5) == Y[200:]).mean()
            for each in model.members_.values()
        ]
        assert model.score(X[200:], Y[200:]) >= max(alone) - 0.01
        assert model.score(X[200:], Y[200:]) > 0.7

    def test_one_case_and_labels_that_never_vary_are_enough(self):
        model = StackedMultilabelClassifier().fit([[1.0]], [[1, 0]])
        assert model.predict([[1.0]]).tolist() == [[1, 0]]
        X, Y, queries = problem(5, n=12)
        Y[:, 0], Y[:, 1] = 0, 1
        for name in LABEL_SETS:
            params = {"candidates": name, "inner_folds": 2}
            said = StackedMultilabelClassifier(**params).fit(X, Y).predict(queries)
            assert (said[:, :2] == [0, 1]).all()


class TestMembers:
    def test_a_forest_says_the_share_of_its_leaves(self):
        X = np.array([[0.0], [1.0], [10.0], [11.0]])
        Y = np.array([[1, 0], [0, 0], [1, 1], [1, 1]])
        # A leaf of all four: three have the first label, two the second.
        whole = LabelSetForest(5, "random", 1.0, min_samples_leaf=4).fit(X, Y)
        assert whole.predict_proba(np.array([[5.0]]))[0] == pytest.approx([0.75, 0.5])

    def test_margins_become_probabilities_that_are_right_on_the_whole(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(900, 2))
        p = 1 / (1 + np.exp(-2 * X[:, :1]))
        Y = (rng.random((900, 1)) < p).astype(int)
        Y = np.hstack([Y, np.zeros_like(Y)])
        said = MarginProbabilities(gamma=0.5).fit(X[:600], Y[:600]).predict_proba(X[600:])
        # Squared error hardly more than that of the true probabilities.
        best = ((p[600:] - Y[600:, :1]) ** 2).mean()
        assert ((said[:, 0] - Y[600:, 0]) ** 2).mean() < best + 0.01
        # Nobody has the second label: one more case with and one without it is all that is added.
        np.testing.assert_allclose(said[:, 1], 1 / 602)


class TestExplanation:
    def test_it_says_who_speaks_with_which_weight_and_adds_up(self):
        X, Y, queries = problem(1)
        model = StackedMultilabelClassifier(own_candidates(), inner_folds=4).fit(X, Y)
        for x in queries:
            explanation = model.explain(x)
            found = explanation.evidence(MemberProbabilities)
            assert (np.diff(found.weights) <= 0).all()
            shown = explanation.evidence(LabelScores)
            np.testing.assert_allclose(found.blend, shown.values, atol=1e-9)
            for name, own in zip(found.names, found.probabilities, strict=True):
                np.testing.assert_allclose(own, said_by(model.members_[name], x[None])[0])
            table = found.frame(NAMES)
            assert table.columns.tolist()[2:] == [NAMES[label] for label in explanation.order]
            assert table["member"].tolist() == [*found.names, "all together"]
            said = explanation.steps[0].text.plain(NAMES)
            assert f"called {found.names[0]} has the largest weight" in said
            if explanation.n_relevant > 1:
                highest = found.blend.max()
                assert f"the highest probability, {highest:.2f};" in explanation.summary.plain(
                    NAMES
                )
            assert explanation.steps[-1].title.endswith(f"({found.names[0]})")

    def test_names_of_labels_may_be_those_of_its_columns_and_are_escaped_when_drawn(self):
        X, Y, queries = problem(1)
        model = StackedMultilabelClassifier(own_candidates(), inner_folds=4).fit(X, Y)
        explanation = model.explain(queries[0])
        names = ["weight", "member", "<b>c</b>", "d"]
        found = explanation.evidence(MemberProbabilities)
        assert found.frame(names).shape == (len(found.names) + 1, 6)
        drawn = picture(found, Scene(explanation, names, Schema(()), None))
        assert "&lt;b&gt;c" in drawn.markup
        assert "<b>c" not in drawn.markup
        assert f"weight {found.weights[0]:.2f}" in drawn.alt

    def test_one_that_decides_alone_is_said_to_and_forests_need_no_reasons_of_their_own(self):
        X, Y, queries = problem(1)
        model = StackedMultilabelClassifier([("trees", LabelSetForest(5))], inner_folds=2)
        explanation = model.fit(X, Y).explain(queries[0])
        said = explanation.steps[0].text.plain(NAMES)
        assert said.startswith("One method decides alone: trees.")
        assert len(explanation.steps) == 3
