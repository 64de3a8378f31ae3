"""Stacking: nothing is judged on what it has learned, and the blend is the best there is."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from labelrank_core import (
    BinaryRelevanceClassifier,
    ClassifierChainsClassifier,
    KNeighborsLabelRanker,
    LogLinearRanker,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    RankingTreeLabelRanker,
    StackedLabelRanker,
    StackedMultilabelClassifier,
    explain_prediction,
)
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import Explanation, MemberSupports, PairMatrix, Text
from labelrank_core.explain.render import Scene, picture
from labelrank_core.methods.ensemble._blend import (
    Blend,
    Errors,
    blended,
    case_losses,
    clearly_behind,
)
from labelrank_core.methods.ensemble._out_of_fold import NamedEstimator, predict_out_of_fold
from labelrank_core.methods.pairs import pair_signs
from labelrank_core.rankings import dense_positions
from tests import problems
from tests.looped import seeds

NAN = np.nan
NAMES = list("abcd")


def predictions(rng, n_candidates=4, n_cases=30, n_cells=6, missing=0.3):
    """Random predictions of various worth, and a truth with holes and ties."""
    truth = rng.choice([0.0, 0.5, 1.0], size=(n_cases, n_cells), p=[0.45, 0.1, 0.45])
    noise = rng.uniform(0.2, 1.5, size=(n_candidates, 1, 1))
    own = truth + noise * rng.normal(size=(n_candidates, n_cases, n_cells))
    truth[rng.random(truth.shape) < missing] = NAN
    truth[0] = NAN
    return np.clip(own, 0, 1), truth


def naive_loss(predicted, truth):
    """The mean over cases of their mean squared errors on what was observed."""
    cases = []
    for own, told in zip(predicted, truth, strict=True):
        errors = [(p - t) ** 2 for p, t in zip(own, told, strict=True) if not np.isnan(t)]
        if errors:
            cases.append(sum(errors) / len(errors))
    return sum(cases) / len(cases)


class TestBlend:
    @seeds(4)
    def test_the_weights_are_those_of_the_least_error(self, seed):
        predicted, truth = predictions(np.random.default_rng(seed))
        members = [2, 0, 3]
        errors = Errors.of(predicted, truth)
        weights = errors.best_weights(members)
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1)
        found = errors.of_blend(members, weights)
        assert found == pytest.approx(naive_loss(blended(predicted[members], weights), truth))

        def loss(own):
            return naive_loss(np.tensordot(own, predicted[members], 1), truth)

        expected = minimize(
            loss,
            np.full(3, 1 / 3),
            bounds=[(0, 1)] * 3,
            constraints={"type": "eq", "fun": lambda own: own.sum() - 1},
            options={"ftol": 1e-14},
        )
        assert found <= expected.fun + 1e-9
        np.testing.assert_allclose(weights, expected.x, atol=1e-3)

    def test_by_hand(self):
        # One case, two cells, truth 1 and 0. First: .8 and .4; second: .6 and .1. With weight w of
        # the first: (.4 - .2 w)^2 + (.1 + .3 w)^2 is least where -.16 + .08 w + .06 + .18 w = 0.
        predicted, truth = np.array([[[0.8, 0.4]], [[0.6, 0.1]]]), np.array([[1.0, 0.0]])
        assert case_losses(predicted[0], truth) == pytest.approx([(0.04 + 0.16) / 2])
        weights = Errors.of(predicted, truth).best_weights([0, 1])
        assert weights == pytest.approx([0.1 / 0.26, 0.16 / 0.26])

    @seeds(4)
    def test_each_step_adds_the_candidate_that_helps_most(self, seed):
        predicted, truth = predictions(np.random.default_rng(seed))
        blend, errors = Blend.grown(predicted, truth, 4), Errors.of(predicted, truth)
        assert sorted(blend.order) == [0, 1, 2, 3]
        for k in range(4):
            before = blend.order[:k].tolist()
            losses = {
                i: errors.of_blend([*before, i], errors.best_weights([*before, i]))
                for i in range(4)
                if i not in before
            }
            assert losses[blend.order[k]] == min(losses.values())
        fewer = Blend.grown(predicted, truth, 2)
        np.testing.assert_array_equal(fewer.order, blend.order[:2])
        np.testing.assert_array_equal(fewer.weights, blend.weights[:2, :2])

    def test_the_best_alone_decides_unless_the_gain_is_more_than_its_standard_error(self):
        predicted, truth = predictions(np.random.default_rng(0), missing=0.0)
        blend = Blend.grown(predicted, truth, 3)
        own = case_losses(predicted[blend.order[0]], truth)[1:]
        together = case_losses(blended(predicted[blend.order], blend.weights[2]), truth)[1:]
        gain, error = (own - together).mean(), (own - together).std(ddof=1) / np.sqrt(len(own))
        assert (blend.gains[2], blend.errors[2]) == pytest.approx((gain, error))
        assert blend.pays(3) == (gain > error)
        assert blend.pays(3)
        assert blend.of(3).tolist() == blend.weights[2].tolist()
        # What is no better than guessing has nothing to add.
        good = np.where(np.isnan(truth), NAN, 0.1 + 0.8 * truth)
        guessed = np.random.default_rng(5).random(truth.shape)
        blend = Blend.grown(np.stack([good, guessed]), truth, 2)
        assert blend.order[0] == 0
        assert not blend.pays(2)
        assert blend.of(2).tolist() == [1, 0]

    def test_what_is_behind_and_wanted_by_no_blend_is_named(self):
        rng = np.random.default_rng(1)
        truth = rng.integers(0, 2, size=(40, 5)).astype(float)
        good = np.where(truth == 1, 0.9, 0.1)
        predicted = np.stack([good, 1 - good, 0.5 + 0.99 * (good - 0.5)])
        assert clearly_behind(predicted, truth).tolist() == [False, True, True]
        assert not clearly_behind(predicted, np.full_like(truth, np.nan)).any()


class Share(BaseEstimator):
    """The same support for the first label of every pair, or as told for cases it has seen."""

    def __init__(self, share=0.5, *, fails=False):
        self.share = share
        self.fails = fails

    def fit(self, X, Y):
        if self.fails:
            raise ValueError("It never learns.")
        self.seen_ = {row.tobytes() for row in np.asarray(X)}
        self.n_labels_ = np.shape(Y)[1]
        return self

    def predict_pair_support(self, X):
        known = [row.tobytes() in self.seen_ for row in np.asarray(X)]
        own = np.where(known, NAN, self.share)
        return np.tile(own[:, None, None], (1, self.n_labels_, self.n_labels_))


def out_of_fold_predictions(candidates, n=20, **options):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n, 2)), problems.positions(rng, n, 3)
    truth = (1 + pair_signs(Y)) / 2
    folds = list(KFold(4).split(X))
    return predict_out_of_fold(
        [NamedEstimator(f"{i}", each) for i, each in enumerate(candidates)],
        X,
        Y,
        truth,
        folds=folds,
        predict=lambda model, X: model.predict_pair_support(X)[:, [0, 0, 1], [1, 2, 2]],
        **options,
    )


class TestOutOfFoldPredictions:
    def test_no_candidate_predicts_a_case_that_it_has_learned(self):
        # Share answers NaN to cases it has seen.
        out_of_fold = out_of_fold_predictions([Share(0.5), Share(0.4)])
        np.testing.assert_array_equal(out_of_fold.predicted[0], np.full((20, 3), 0.5))

    def test_a_candidate_that_cannot_learn_is_left_out_with_its_words(self):
        out_of_fold = out_of_fold_predictions([Share(fails=True), Share(0.4)])
        assert [each.name for each in out_of_fold.candidates] == ["1"]
        assert out_of_fold.left_out == {"0": "It never learns."}
        with pytest.raises(ValueError, match="It never learns"):
            out_of_fold_predictions([Share(fails=True)])

    def test_one_that_is_clearly_behind_runs_two_folds(self):
        out_of_fold = out_of_fold_predictions([Share(0.5), Share(-3.0)])
        assert [each.name for each in out_of_fold.candidates] == ["0"]
        assert out_of_fold.left_out == {"1": "clearly behind after two folds"}

    def test_no_fold_begins_when_the_time_is_over(self):
        out_of_fold = out_of_fold_predictions([Share(0.5), Share(0.4)], time_budget=1e-9)
        assert [each.name for each in out_of_fold.candidates] == ["0"]
        assert out_of_fold.left_out == {"1": "the time limit was reached"}
        is_predicted = ~np.isnan(out_of_fold.predicted[0]).any(axis=1)
        np.testing.assert_array_equal(is_predicted, np.arange(20) < 5)


def own_candidates():
    return [
        ("lines", PairwiseLabelRanker(0.1)),
        ("utilities", LogLinearRanker()),
        ("similar", KNeighborsLabelRanker(5)),
    ]


def problem(seed, missing=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    worth = X @ rng.normal(size=(3, 4)) + np.sin(3 * X[:, :1]) * [1, -1, 1, -1]
    Y = np.argsort(np.argsort(-worth, axis=1), axis=1) + 1.0
    Y = dense_positions(np.where(rng.random(Y.shape) < missing, NAN, Y))
    return X, Y, rng.normal(size=(6, 3))


class TestStackedLabelRanker:
    @pytest.mark.parametrize("missing", [0.0, 0.5])
    def test_it_is_the_blend_of_its_members_ordered_by_summed_supports(self, missing):
        X, Y, queries = problem(1, missing)
        model = StackedLabelRanker(own_candidates(), inner_folds=4).fit(X, Y)
        assert model.candidate_names_ == ["lines", "utilities", "similar"]
        assert {*model.losses_} | {*model.left_out_} == {*model.candidate_names_}
        weights = model.blend_.of(4)
        assert (weights > 0).sum() > 1
        names = [list(model.losses_)[i] for i in model.blend_.order]
        total = np.zeros((6, 4, 4))
        for name, weight in zip(names, weights, strict=True):
            member = dict(own_candidates())[name].fit(X, Y)
            total += weight * member.predict_pair_support(queries)
        np.testing.assert_allclose(model.predict_pair_support(queries), total, atol=1e-9)
        scores = total.sum(axis=2).round(9)
        for own, positions in zip(scores, model.predict(queries), strict=True):
            order = sorted(range(4), key=lambda label, own=own: (-own[label], label))
            assert [positions[label] for label in order] == [1, 2, 3, 4]

    def test_errors_are_those_on_pairs_that_held_out_cases_rank(self):
        X, Y, _ = problem(2, 0.5)
        model = StackedLabelRanker(own_candidates(), inner_folds=3, random_state=4).fit(X, Y)
        seed = int(np.random.RandomState(4).randint(2**31 - 1))
        folds = list(KFold(3, shuffle=True, random_state=seed).split(X))
        for name, estimator in own_candidates():
            cases = []
            for train, test in folds:
                support = estimator.fit(X[train], Y[train]).predict_pair_support(X[test])
                for own, y in zip(support, Y[test], strict=True):
                    errors = [
                        (own[i, j] - (y[i] < y[j])) ** 2
                        for i in range(4)
                        for j in range(i + 1, 4)
                        if y[i] < y[j] or y[j] < y[i]
                    ]
                    cases += [np.mean(errors)] if errors else []
            if name not in model.left_out_:
                assert model.losses_[name] == pytest.approx(np.mean(cases), abs=1e-9)

    def test_it_is_as_good_as_the_better_member_where_they_differ(self):
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, size=(300, 2))
        straight = np.where(X[:, :1] > 0, [[1, 2]], [[2, 1]])
        middle = np.where(np.abs(X[:, 1:]) < 0.5, [[1, 2]], [[2, 1]])
        for Y in (straight, middle):
            model = StackedLabelRanker().fit(X[:200], Y[:200])
            alone = [each.score(X[200:], Y[200:]) for each in model.members_.values()]
            assert model.score(X[200:], Y[200:]) >= max(alone) - 0.02
            assert model.score(X[200:], Y[200:]) > 0.85

    def test_members_learn_all_cases_and_no_more_than_asked_for(self):
        X, Y, _ = problem(3)
        model = StackedLabelRanker(own_candidates(), n_members=2, inner_folds=4).fit(X, Y)
        assert 1 <= len(model.members_) <= 2
        more = StackedLabelRanker(own_candidates(), n_members=3, inner_folds=4).fit(X, Y)
        np.testing.assert_array_equal(
            more.path(X).at(n_members=2).preferences, model.point(X).preferences
        )
        with pytest.raises(ValueError, match="n_members between 1 and 2"):
            model.path(X).at(n_members=3)

    @pytest.mark.parametrize("candidates", [[], [("a", Share()), ("a", Share())]])
    def test_candidates_need_names_of_their_own(self, candidates):
        X, Y, _ = problem(4)
        with pytest.raises(ValueError, match="with different names"):
            StackedLabelRanker(candidates).fit(X, Y)

    def test_one_case_is_enough(self):
        model = StackedLabelRanker().fit([[1.0]], [[2, 1, 3]])
        assert model.predict([[1.0]]).tolist() == [[2, 1, 3]]

    def test_the_explanation_says_who_speaks_for_the_order_and_adds_up(self):
        X, Y, queries = problem(1)
        model = StackedLabelRanker(own_candidates(), inner_folds=4).fit(X, Y)
        explanation = model.explain(queries[0])
        found = explanation.evidence(MemberSupports)
        assert found.weights.sum() == pytest.approx(1)
        assert (np.diff(found.weights) <= 0).all()
        total = np.tensordot(found.weights, found.supports, 1)
        np.testing.assert_allclose(total, explanation.evidence(PairMatrix).preferences, atol=1e-9)
        for name, support in zip(found.names, found.supports, strict=True):
            own = model.members_[name].predict_pair_support(queries[:1])[0]
            np.testing.assert_allclose(support, own, atol=1e-12)
        order = explanation.order
        table = found.frame(NAMES)
        assert table.columns.tolist()[2:] == [
            f"{NAMES[a]} before {NAMES[b]}" for a, b in pairwise(order)
        ]
        assert table["member"].tolist() == [*found.names, "all together"]
        assert explanation.steps[-1].title.endswith(f"({found.names[0]})")
        said = explanation.steps[0].text.plain(NAMES)
        assert f"goes to {found.names[0]}, whose" in said

    def test_the_drawing_has_a_row_per_step_and_a_column_per_member(self):
        supports = np.full((2, 3, 3), 0.5)
        supports[:, 2, 0], supports[:, 0, 1] = [0.9, 0.4], [0.7, 0.6]
        evidence = MemberSupports(
            ("<b>one</b>", "two"), np.array([0.75, 0.25]), supports, np.array([2, 3, 1])
        )
        explanation = Explanation(evidence.positions, evidence.positions, Text("Why."), ())
        scene = Scene(explanation, ["a", "b", "c"], numeric_schema(["x"]), None)
        rows = re.findall(r"<tr[^>]*>.*?</tr>", picture(evidence, scene).markup)
        cells = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows]
        # c before a: .75 * .9 + .25 * .4; a before b: .75 * .7 + .25 * .6.
        assert cells[1:] == [["75%", "25%", "100%"], ["90%", "40%", "78%"], ["70%", "60%", "68%"]]
        assert [re.search(r"row\">([^<]*)<", row)[1] for row in rows[1:]] == [
            "weight",
            "c before a",
            "a before b",
        ]
        assert "&lt;b&gt;one" in rows[0]
        alone = replace(evidence, names=("one",), weights=np.ones(1), supports=supports[:1])
        assert "all together" not in picture(alone, scene).markup

    def test_one_that_decides_alone_is_said_to(self):
        X, Y, queries = problem(1)
        model = StackedLabelRanker(own_candidates(), n_members=1).fit(X, Y)
        (name,) = model.members_
        said = model.explain(queries[0]).steps[0].text.plain(NAMES)
        assert said.startswith(f"One method decides alone: {name}.")


def people(n=60):
    """A frame with a column of text, and rankings that depend on both columns."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(20, 80, n), "sex": rng.choice(["f", "m"], n)})
    order = (X["age"] > 50).to_numpy() ^ (X["sex"] == "m").to_numpy()
    return X, np.where(order[:, None], [[1, 2, 3]], [[3, 2, 1]])


def encoded(estimator):
    columns = make_column_transformer(
        (OneHotEncoder(), ["sex"]), (StandardScaler(), make_column_selector(dtype_include="number"))
    )
    return make_pipeline(columns, estimator)


class TestAnyCandidate:
    def test_rankers_without_pair_support_support_what_they_predict(self):
        X, Y, queries = problem(5)
        members = [("tree", RankingTreeLabelRanker()), ("ridge", Ridge())]
        model = StackedLabelRanker(members, inner_folds=3).fit(X, Y)
        assert model.left_out_ == {}
        alone = StackedLabelRanker([members[0]], inner_folds=3).fit(X, Y)
        tree = RankingTreeLabelRanker().fit(X, Y)
        np.testing.assert_array_equal(alone.predict(queries), tree.predict(queries))
        predicted = tree.predict(queries)
        ahead = predicted[:, :, None] < predicted[:, None, :]
        support = np.where(np.eye(4, dtype=bool), 0.5, ahead)
        np.testing.assert_array_equal(alone.predict_pair_support(queries), support)
        assert [*alone.explain(queries[0]).evidence(MemberSupports).explanations] == ["tree"]
        ridge = StackedLabelRanker([Ridge()], inner_folds=3).fit(X, Y)
        order = np.argsort(np.argsort(Ridge().fit(X, Y).predict(queries), axis=1), axis=1) + 1
        np.testing.assert_array_equal(ridge.predict(queries), order)
        assert ridge.explain(queries[0]).evidence(MemberSupports).explanations == {}

    def test_pipelines_choose_columns_of_a_frame(self):
        X, Y = people()
        search = GridSearchCV(encoded(KNeighborsLabelRanker()), SEARCHED, cv=2)
        names = [("forest", encoded(PairwiseForestRanker(10))), ("similar", search)]
        model = StackedLabelRanker(names, inner_folds=3).fit(X, pd.DataFrame(Y, columns=[*"abc"]))
        assert model.left_out_ == {}
        assert model.feature_names_in_.tolist() == ["age", "sex"]
        assert model.predict(X).columns.tolist() == ["a", "b", "c"]
        assert model.score(X, Y) > 0.9
        one = X.iloc[[3]]
        explanation = explain_prediction(model, one)
        np.testing.assert_array_equal(explanation.prediction, model.predict(one).to_numpy()[0])
        assert explanation.about.schema.feature_names[0] == "age"
        own = explanation.evidence(MemberSupports).explanations
        assert {*own} == {*model.members_}
        for name, explain in own.items():
            inner = explain()
            np.testing.assert_array_equal(inner.prediction, model.members_[name].predict(one)[0])
            assert "onehotencoder__sex_f" in inner.about.schema.feature_names
        assert str(explanation).startswith("Predicted: ")

    def test_texts_and_sparse_cases_go_to_candidates_as_they_are(self):
        texts = ["sun and sea", "rain and wind", "sun", "wind", "sea", "rain"] * 4
        Y = [[1, 2] if "s" in text else [2, 1] for text in texts]
        model = StackedLabelRanker([make_pipeline(TfidfVectorizer(), KNeighborsLabelRanker(3))])
        assert model.fit(texts, Y).predict(["sun", "wind"]).tolist() == [[1, 2], [2, 1]]
        X = TfidfVectorizer().fit_transform(texts)
        kept = StackedLabelRanker([("sparse", RemembersSparse())], inner_folds=2).fit(X, Y)
        assert kept.members_["sparse"].was_sparse_

    def test_label_sets_take_any_classifier(self):
        X, _ = people()
        sets = np.column_stack([X["age"] > 50, X["sex"] == "m"]).astype(int)
        members = [
            ("trees", encoded(RandomForestClassifier(10, random_state=0))),
            ("chains", encoded(ClassifierChainsClassifier(n_chains=2))),
            ("margins", encoded(BinaryRelevanceClassifier())),
        ]
        model = StackedMultilabelClassifier(members, inner_folds=3).fit(X, sets)
        assert {*model.losses_} | {*model.left_out_} == {"trees", "chains", "margins"}
        assert {*model.left_out_.values()} <= {"clearly behind after two folds"}
        assert model.score(X, sets) > 0.95
        own = model.explain(X.iloc[[0]])
        assert own.prediction.tolist() == model.predict(X.iloc[[0]])[0].tolist()

    def test_names_are_made_from_classes(self):
        X, Y, _ = problem(6)
        model = StackedLabelRanker(
            [KNeighborsLabelRanker(3), make_pipeline(StandardScaler(), KNeighborsLabelRanker(9))]
        )
        assert model.fit(X, Y).candidate_names_ == [
            "kneighborslabelranker-1",
            "kneighborslabelranker-2",
        ]
        mixed = StackedLabelRanker([("own", LogLinearRanker()), PairwiseLabelRanker()])
        assert mixed.fit(X, Y).candidate_names_ == ["own", "pairwiselabelranker"]

    @pytest.mark.parametrize("candidates", [[("n_members", Share())], [("a__b", Share())], [3]])
    def test_names_that_cannot_be_reached_are_refused(self, candidates):
        X, Y, _ = problem(4)
        model = StackedLabelRanker(candidates)
        assert "n_members" in model.get_params()
        with pytest.raises(ValueError, match="Expected candidates as a list of estimators"):
            model.fit(X, Y)

    def test_parameters_of_candidates_are_reached_by_name(self):
        X, Y, queries = problem(7)
        model = StackedLabelRanker([("lines", PairwiseLabelRanker()), KNeighborsLabelRanker()])
        params = model.get_params()
        assert {"lines", "lines__C", "kneighborslabelranker__n_neighbors"} <= {*params}
        assert not {"lines", "lines__C"} & {*model.get_params(deep=False)}
        copy = clone(model).set_params(lines__C=0.5, kneighborslabelranker__n_neighbors=7)
        assert copy.get_params()["lines__C"] == 0.5
        assert copy.candidates[1].n_neighbors == 7
        assert model.candidates[0][1].C == 10.0
        copy.set_params(lines=LogLinearRanker())
        assert copy.candidates[0][0] == "lines"
        assert isinstance(copy.candidates[0][1], LogLinearRanker)
        copy.set_params(candidates=[Ridge()], ridge__alpha=2.0)
        assert copy.candidates[0].alpha == 2.0
        with pytest.raises(ValueError, match="Invalid parameter 'other'"):
            copy.set_params(other__C=1.0)
        assert StackedLabelRanker().get_params().keys() == (
            StackedLabelRanker().get_params(deep=False).keys()
        )
        search = GridSearchCV(model.set_params(inner_folds=2), {"lines__C": [0.1, 10.0]}, cv=2)
        assert search.fit(X, Y).predict(queries).shape == (6, 4)


SEARCHED = {"kneighborslabelranker__n_neighbors": [1, 5]}


class RemembersSparse(KNeighborsLabelRanker):
    def fit(self, X, Y):
        self.was_sparse_ = sparse.issparse(X)
        return super().fit(X, Y)
