"""What holds for every method in the catalog; a new one is tested as soon as it is listed."""

import pickle
from dataclasses import replace
from functools import cache, partial
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.tree import DecisionTreeClassifier

from labelrank_core.aggregation.win_shares import SignTable
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.splits import Split, holdout_split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.explain.capabilities import SupportsPairs
from labelrank_core.explain.evidence import Confidence, Text
from labelrank_core.explain.predictions import path_cases, predict_cases
from labelrank_core.methods import ALGORITHMS, BASELINES, ModelChoice, base
from labelrank_core.methods.algorithm import LABEL_RANKER, MULTILABEL_RANKER, PAIR_RANKER
from labelrank_core.methods.catalog import FAMILIES
from labelrank_core.methods.nearest import sparse_search
from labelrank_core.methods.nearest.distances import SCANNED
from labelrank_core.metrics import METRICS
from tests import memory, problems
from tests.looped import looped
from tests.pairs import all_pairs

N_ROWS, N_FEATURES, N_LABELS = 40, 3, 4
NAMES = [f"label {label}" for label in range(N_LABELS)]
CATALOG_CASES = [(key, task) for key in ALGORITHMS for task in ALGORITHMS[key].tasks]
KNOBS = [(key, knob) for key in ALGORITHMS for knob in ALGORITHMS[key].knobs]
# The same contract holds with a base classifier of one's own, which no entry of the catalog has.
OF_TREES = {
    f"{key}_of_trees": replace(
        ALGORITHMS[key],
        key=f"{key}_of_trees",
        family="trees",
        has_probabilities=key in ("br", "chains", "probabilistic_chains"),
        fixed={"estimator": DecisionTreeClassifier(max_depth=3, random_state=0)},
    )
    for key in ("br", "chains", "probabilistic_chains", "crpc", "rpc")
}
METHODS = {**ALGORITHMS, **OF_TREES}
KEYS = list(METHODS)
CASES = [(key, task) for key in KEYS for task in METHODS[key].tasks]
KINDS = ["continuous", *problems.FEATURES]
ORDERS = [(3, 2, 1, 0), (1, 2, 3, 0), (0, 2, 1, 3), (2, 0, 3, 1)]
FORMS = {"array": np.asarray, "CSR": sparse.csr_matrix, "frame": partial(pd.DataFrame, copy=False)}

# What an estimator takes but a person is not offered.
NOT_OFFERED = {
    # Other names; neighbours of the Euclidean distance; with parameters; for features not scaled.
    "metric": {"l1", "l2", "cityblock", "sqeuclidean", *SCANNED},
    "kernel": {"precomputed"},  # takes a matrix of kernel values in place of features
}


by_method = pytest.mark.parametrize("key", KEYS)


def of_each(names, cases):
    """Let each method go through the cases that begin with its key, in one test."""
    of_key = {key: [case for first, *case in cases if first == key] for key in KEYS}
    having = [key for key in KEYS if of_key[key]]

    def decorate(test):
        return pytest.mark.parametrize("key", having)(looped(names, lambda key: of_key[key])(test))

    return decorate


def crossed(cases, values):
    """Each case with each value."""
    return [(*case, value) for case in cases for value in values]


def by_pairs_with(name, values, cases=CASES):
    """Cases in which every method and every task meet each of some more values."""
    return of_each(
        ["task", name], all_pairs([(*case, value) for case in cases for value in values])
    )


by_case = of_each(["task"], CASES)
by_knob = of_each(["knob"], KNOBS)


@cache
def dataset(task, kind="continuous"):
    rng = np.random.default_rng(0)
    return Dataset(
        X=problems.features(rng, kind, N_ROWS, N_FEATURES),
        Y=problems.targets(rng, task, N_ROWS, N_LABELS),
        task=task,
        feature_names=["a", "b", "c"],
        label_names=NAMES,
        name="random",
    )


def estimator(key, **params):
    return METHODS[key].build(**{**problems.few(METHODS[key]), **params})


def fit(key, data, **params):
    return estimator(key, **params).fit(data.X, METHODS[key].targets(data))


@cache
def fitted(key, task, kind="continuous"):
    """Return a model that is fitted once for all tests, and its data."""
    data = dataset(task, kind)
    return fit(key, data), data


@cache
def said_by(key, task, kind="continuous"):
    """Return what that model says about its own training cases."""
    model, data = fitted(key, task, kind)
    return outputs(model, data.X)


def outputs(model, X):
    """Everything a model says about cases."""
    names = (
        *("predict", "predict_ranking", "decision_function", "raw_scores"),
        "predict_confidence",
    )
    return {name: getattr(model, name)(X) for name in names if hasattr(model, name)}


def assert_equal_outputs(one, other):
    assert one.keys() == other.keys()
    for name, values in one.items():
        np.testing.assert_array_equal(values, other[name], err_msg=name)


def values_of(knob):
    if knob.choices:
        return [value for value, _ in knob.choices]
    return [*knob.offered(N_ROWS), *([None] if knob.none else [])]


def ends_of(knob):
    """The first, middle and last of many whole numbers, all of few values."""
    values = values_of(knob)
    if len(values) <= 15:
        return values
    numbers = [value for value in values if value is not None]
    return [numbers[0], numbers[len(numbers) // 2], numbers[-1], *values[len(numbers) :]]


def settings_in_which_it_matters(knob):
    if knob.depends_on is None:
        return [{}]
    name, values = knob.depends_on
    return [{name: value} for value in values]


def as_array(targets):
    """A copy of targets; of pairs of labels their signs."""
    return np.array(targets.signs if isinstance(targets, PairPreferences) else targets)


def as_targets(task, Y):
    """An array as the targets of a task."""
    return PairPreferences(Y) if task is Task.PAIR_PREFERENCES else Y


@by_pairs_with("kind", KINDS)
class TestPredictions:
    def test_rankings_are_permutations(self, key, task, kind):
        said = said_by(key, task, kind)
        rankings = said.get("predict_ranking", said["predict"])
        np.testing.assert_array_equal(
            np.sort(rankings, axis=1), np.tile(np.arange(N_LABELS) + 1, (N_ROWS, 1))
        )

    def test_label_sets_and_rankings_follow_the_decision_function(self, key, task, kind):
        (model, data), said = fitted(key, task, kind), said_by(key, task, kind)
        scores = said.get("decision_function", model.path(data.X).at().scores)
        if "predict_ranking" in said:
            np.testing.assert_array_equal(said["predict"], (scores > 0).astype(int))
        rankings = said.get("predict_ranking", said["predict"])
        if getattr(model, "tie_breaking", "label_index") != "label_index":
            # No ranking contradicts the scores; where those tie, the method has its own rule.
            ordered = np.take_along_axis(scores, np.argsort(rankings, axis=1), axis=1)
            assert (np.diff(ordered, axis=1) <= 0).all()
            rankings = fit(key, data, tie_breaking="label_index").predict_ranking(data.X)
        for row, ranking in zip(scores, rankings, strict=True):
            expected = sorted(range(N_LABELS), key=lambda label, row=row: (-row[label], label))
            assert np.argsort(ranking).tolist() == expected

    def test_confidence_is_a_share(self, key, task, kind):
        confidence = said_by(key, task, kind)["predict_confidence"]
        assert confidence.shape == (N_ROWS,)
        assert ((confidence >= 0) & (confidence <= 1)).all()

    def test_one_row_alone_is_predicted_as_in_a_batch(self, key, task, kind):
        (model, data), batch = fitted(key, task, kind), said_by(key, task, kind)
        for row in range(0, N_ROWS, 13):
            for name, values in outputs(model, data.X[row : row + 1]).items():
                np.testing.assert_array_equal(values[0], batch[name][row])

    def test_one_point_says_all(self, key, task, kind):
        (model, data), said = fitted(key, task, kind), said_by(key, task, kind)
        point = model.point(data.X)
        np.testing.assert_array_equal(point.prediction, said["predict"])
        rankings = said.get("predict_ranking", said["predict"])
        np.testing.assert_array_equal(point.positions, rankings)
        np.testing.assert_array_equal(point.confidence, said["predict_confidence"])
        scores = said.get("decision_function", model.path(data.X).at().scores)
        np.testing.assert_array_equal(point.scores, scores)
        if not METHODS[key].learns_rankings:
            np.testing.assert_array_equal(point.raw_scores, said["raw_scores"])
            collected = predict_cases(model, data.X, task=task)
            np.testing.assert_array_equal(collected.scores, said["decision_function"])
            np.testing.assert_array_equal(collected.raw_scores, said["raw_scores"])

    def test_the_explanation_ends_in_the_prediction(self, key, task, kind):
        (model, data), batch = fitted(key, task, kind), said_by(key, task, kind)["predict"]
        path = model.path(data.X).at()
        for row in range(0, N_ROWS, 13):
            for explanation in (model.explain(data.X[row]), path.explain(row)):
                np.testing.assert_array_equal(explanation.prediction, batch[row])
                np.testing.assert_array_equal(explanation.positions, path.positions[row])


class TestNumbersOfTheCaller:
    @staticmethod
    def said(model, algorithm, queries):
        """Predictions, and scores at the first and the last value of every knob of the path."""
        path = model.path(queries)
        ends = {
            f"{name} {value}": path.at(**{name: value}).scores
            for name, knob in algorithm.path_knobs.items()
            if not (knob.for_rankings and isinstance(getattr(model, "_table", None), SignTable))
            for value in (values_of(knob)[0], problems.FEW.get(name, values_of(knob)[-1]))
        }
        return outputs(model, queries) | ends

    @by_pairs_with("given_as", [(form, dtype) for form in FORMS for dtype in ("f8", "f4")])
    def test_training_data_that_change_after_the_fit_change_nothing(self, key, task, given_as):
        algorithm, data = METHODS[key], dataset(task)
        form, dtype = FORMS[given_as[0]], given_as[1]
        X, Y = data.X.astype(dtype), as_array(algorithm.targets(data))
        given, queries = form(X), form(data.X[:5] + 0.01)
        model = estimator(key).fit(given, as_targets(task, Y))
        before = self.said(model, algorithm, queries)
        explained = model.explain(queries[:1]).as_dict(NAMES)
        X[:], Y[:] = 7, Y[::-1].copy()
        if sparse.issparse(given):
            given.data[:] = 7
        assert_equal_outputs(self.said(model, algorithm, queries), before)
        assert model.explain(queries[:1]).as_dict(NAMES) == explained

    @of_each(["task", "size"], crossed(CASES, [1e71, np.finfo(np.float64).max]))
    def test_features_whose_squares_may_overflow_are_refused(self, key, task, size):
        model, data = fitted(key, task)
        large, targets = data.X.copy(), METHODS[key].targets(data)
        large[3, 1] = -size
        for X in (large, sparse.csr_matrix(large)):
            with pytest.raises(ValueError, match=r"Expected features|too large for dtype"):
                estimator(key).fit(X, targets)
            with pytest.raises(ValueError, match=r"Expected features|too large for dtype"):
                model.predict(X)

    @by_case
    def test_large_features_give_finite_numbers(self, key, task):
        algorithm, data = METHODS[key], dataset(task)
        # Trees keep features in single precision.
        for size in (1e30, 1e70) if algorithm.family != "trees" else (1e30,):
            X = data.X / np.abs(data.X).max() * size
            model = estimator(key).fit(X, algorithm.targets(data))
            for name, values in outputs(model, X).items():
                assert np.isfinite(values).all(), name


class TestSparseCases:
    """Text and the like: a CSR matrix in place of a dense one."""

    STAY_SPARSE = (
        "knn",
        "mlr",
        "mlknn",
        "ib_pl",
        "ib_m",
        "mlls",
        "br",
        "ovr_svm",
        "svm_perf",
        "aso_svm",
        "chains",
        "cca_ridge",
        "cca_svm",
        "adaboost_mh",
        "rank_svm",
        "adt_boost_mh",
        "crpc",
    )

    @staticmethod
    @cache
    def sparse_dataset(task, n_features=40):
        rng = np.random.default_rng(3)
        X = sparse.random(N_ROWS, n_features, density=0.15, random_state=3, format="lil")
        # A word of every case: without a common one all would be equally far, but for rounding.
        X[:, 0] = rng.random((N_ROWS, 1)) + 0.5
        X = X.tocsr()
        return Dataset(
            X=X,
            Y=problems.targets(rng, task, N_ROWS, N_LABELS),
            task=task,
            feature_names=[f"word {j}" for j in range(n_features)],
            label_names=NAMES,
            name="sparse",
        )

    @by_pairs_with("scaled", [True, False], CATALOG_CASES)
    def test_they_are_predicted_and_explained_as_dense_ones(self, key, task, scaled, monkeypatch):
        monkeypatch.setattr(sparse_search, "_BLOCK_CELLS", 100)
        data = self.sparse_dataset(task, n_features=15)
        targets = METHODS[key].targets(data)
        train, test = np.arange(30), np.arange(30, N_ROWS)
        choice = ModelChoice(key, scaled=scaled).with_params(**problems.few(METHODS[key]))
        model = choice.build(is_sparse=True).fit(data.X[train], targets[train])
        # Scaled alike to the last digit.
        X = (normalize(data.X) if scaled else data.X).toarray()
        dense = estimator(key).fit(X[train], targets[train])
        split = Split(train, test, "random", 0, 0.25)
        said = evaluate_model(choice.build(is_sparse=True), data, split).predictions
        path, expected = path_cases(model, data.X[test]), dense.path(X[test])
        for name in ("prediction", "positions", "scores", "confidence"):
            values = getattr(expected.at(), name)
            np.testing.assert_allclose(getattr(path.at(), name), values, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(said.confidence, expected.at().confidence, atol=1e-9)
        # A case may be sparse or dense, whatever the training cases were.
        for explanation in (model[-1].explain(X[35]), path.at().explain(5)):
            np.testing.assert_array_equal(explanation.prediction, expected.at().prediction[5])

    @by_case
    def test_too_many_to_be_made_dense_are_refused_in_words(self, key, task, monkeypatch):
        # Candidates of one's own get sparse cases as they are.
        named = {"candidates": "quick"} if key.startswith("stacked") else {}
        data, model = self.sparse_dataset(task), estimator(key, **named)
        monkeypatch.setattr(base, "DENSE_CELLS", N_ROWS * data.n_features - 1)
        if key.removesuffix("_of_trees") in self.STAY_SPARSE:
            model.fit(data.X, METHODS[key].targets(data))
            return
        with pytest.raises(ValueError, match=r"at most 1,599 numbers .* got shape \(40, 40\)"):
            model.fit(data.X, METHODS[key].targets(data))

    @of_each(["task", "baseline"], crossed(CATALOG_CASES, BASELINES))
    def test_baselines_take_them_too(self, key, task, baseline):
        data = self.sparse_dataset(task)
        split = holdout_split(data)
        model = baseline.build(ModelChoice(key), is_sparse=True)
        evaluation = evaluate_model(model, data, split)
        assert np.isfinite(evaluation.frame()["value"]).all()


@by_case
class TestExplanations:
    def test_every_sentence_can_be_filled_in(self, key, task):
        model, data = fitted(key, task)
        explanation = model.explain(data.X[0])
        texts = [explanation.summary, *(step.text for step in explanation.steps)]
        for text in texts:
            assert isinstance(text, Text)
            assert "{" not in text.plain(NAMES)

    def test_every_evidence_is_a_table(self, key, task):
        model, data = fitted(key, task)
        for step in model.explain(data.X[0]).steps:
            assert len(step.evidence.frame(NAMES)) > 0

    def test_the_confidence_shown_is_the_one_predicted(self, key, task):
        model, data = fitted(key, task)
        shown = model.explain(data.X[3]).evidence(Confidence)
        assert shown.value == model.predict_confidence(data.X[3:4])[0]
        assert shown.lowest <= shown.value <= 1


@by_case
class TestScikitLearnManners:
    def test_clone_and_pickle(self, key, task):
        (model, data), expected = fitted(key, task), said_by(key, task)
        assert_equal_outputs(outputs(pickle.loads(pickle.dumps(model)), data.X), expected)
        targets = METHODS[key].targets(data)
        assert_equal_outputs(outputs(clone(model).fit(data.X, targets), data.X), expected)

    def test_the_same_twice_and_no_global_randomness(self, key, task):
        data, expected = dataset(task), said_by(key, task)
        np.random.seed(1)  # noqa: NPY002
        state = np.random.get_state()[1].copy()  # noqa: NPY002
        assert_equal_outputs(outputs(fit(key, data), data.X), expected)
        np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002

    def test_inputs_are_left_as_they_are(self, key, task):
        data = dataset(task)
        X, Y = data.X.copy(), as_array(METHODS[key].targets(data))
        model = estimator(key).fit(X, as_targets(task, Y))
        outputs(model, X)
        model.path(X).at().explain(0)
        np.testing.assert_array_equal(X, data.X)
        np.testing.assert_array_equal(Y, as_array(METHODS[key].targets(data)))

    def test_tables_with_names(self, key, task):
        plain, data = fitted(key, task)
        X = pd.DataFrame(data.X, columns=data.feature_names)
        Y = METHODS[key].targets(data)
        Y = Y if task is Task.PAIR_PREFERENCES else pd.DataFrame(Y)
        model = estimator(key).fit(X, Y)
        assert model.feature_names_in_.tolist() == list(data.feature_names)
        assert_equal_outputs(outputs(model, X), said_by(key, task))
        expected = plain.explain(data.X[5]).prediction
        assert model.explain(X.iloc[5]).prediction.tolist() == expected.tolist()

    def test_other_names_are_refused(self, key, task):
        data = dataset(task)
        X = pd.DataFrame(data.X, columns=data.feature_names)
        model = estimator(key).fit(X, METHODS[key].targets(data))
        with pytest.raises(ValueError, match="feature names"):
            model.predict(X.rename(columns={"a": "z"}))

    def test_a_pipeline_is_searched_by_cross_validation(self, key, task):
        algorithm, data = METHODS[key], dataset(task)
        model, Y = make_pipeline(StandardScaler(), estimator(key)), algorithm.targets(data)
        # One that makes no fit slow, where there is one.
        knob = min(algorithm.knobs, key=lambda each: each.name in problems.few(algorithm))
        grid = {f"{model.steps[-1][0]}__{knob.name}": values_of(knob)[:2]}
        search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(data.X, Y)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
        np.testing.assert_array_equal(search.predict(data.X).shape, (N_ROWS, N_LABELS))

    def test_parameters_are_stored_untouched(self, key, task):
        model, _ = fitted(key, task)
        unfitted = estimator(key)
        assert model.get_params() == unfitted.get_params()
        for name, default in unfitted.get_params().items():
            assert unfitted.set_params(**{name: default}).get_params()[name] is default

    def test_wrong_parameters_are_refused_in_words(self, key, task):
        data = dataset(task)
        for knob in METHODS[key].knobs:
            model = METHODS[key].build(**{knob.name: "nonsense"})
            with pytest.raises(ValueError, match=f"'{knob.name}' parameter"):
                model.fit(data.X, METHODS[key].targets(data))


class TestCatalog:
    @by_method
    def test_an_entry_says_what_it_is(self, key):
        algorithm = METHODS[key]
        assert algorithm.key == key
        assert algorithm.title
        assert algorithm.references
        assert algorithm.summary.endswith(".")
        assert algorithm.tasks in (LABEL_RANKER, PAIR_RANKER, MULTILABEL_RANKER)
        learns_pairs = algorithm.estimator._learns_pair_preferences
        assert learns_pairs == (algorithm.tasks == PAIR_RANKER)
        assert algorithm.family

    @by_method
    def test_what_an_entry_says_of_its_estimator_is_so(self, key):
        algorithm = METHODS[key]
        estimator, on_path = algorithm.estimator, algorithm.path_knobs
        assert algorithm.learns_rankings != hasattr(estimator, "predict_ranking")
        assert bool(algorithm.votes) == hasattr(estimator, "predict_pair_support")
        assert algorithm.has_probabilities == hasattr(algorithm.build(), "predict_proba")
        assert algorithm.learns_rankings or not algorithm.incomplete
        assert set().union(*algorithm.figures) | {algorithm.zero_line} <= {*on_path, ""}
        assert {knob.name for knob in on_path.values() if knob.at_most_cases} == {
            *signature(estimator.path).parameters
        } - {"self", "X"}

    @by_method
    def test_points_support_pairs_where_the_entry_names_voters(self, key):
        algorithm = METHODS[key]
        model, data = fitted(key, algorithm.tasks[0])
        point = model.point(data.X)
        assert isinstance(point, SupportsPairs) == bool(algorithm.votes)
        if algorithm.votes:
            assert point.pair_support().shape == (N_ROWS, N_LABELS, N_LABELS)

    @by_knob
    def test_tuned_values_are_valid_and_served_measures_exist(self, key, knob):
        data = dataset(METHODS[key].tasks[0])
        for value in knob.possible(knob.tuned, data.n_samples):
            choice = ModelChoice(key).with_params(**problems.few(METHODS[key]))
            choice = choice.with_params(**{knob.name: value})
            choice.build().fit(data.X, METHODS[key].targets(data))
        assert {value for value, _ in knob.serves} <= {value for value, _ in knob.choices}
        assert {measure for _, measure in knob.serves} <= set(METRICS)

    def test_every_entry_counts(self):
        # The title stands in links and names the method in lists.
        entries = [entry for page in FAMILIES for entry in page.METHODS]
        assert [entry.key for entry in entries] == list(ALGORITHMS)
        assert len({entry.title for entry in entries}) == len(entries)

    @pytest.mark.parametrize("task", list(Task))
    def test_every_task_has_a_method(self, task):
        assert any(task in algorithm.tasks for algorithm in ALGORITHMS.values())

    @by_knob
    def test_a_knob_is_a_parameter_and_offers_its_default(self, key, knob):
        parameters = signature(METHODS[key].estimator).parameters
        assert knob.name in parameters
        assert parameters[knob.name].default in values_of(knob)
        assert METHODS[key].defaults[knob.name] == METHODS[key].build().get_params()[knob.name]

    # Valid, and warned of: r beyond the rank, which depends on the data, and an end of a scale at
    # which Rank-SVM stops before it has converged, which depends on rounding.
    @pytest.mark.filterwarnings("ignore:n_components = .* is not below the rank of X")
    @pytest.mark.filterwarnings("ignore:Rank-SVM stopped after max_iter")
    @by_knob
    def test_every_value_offered_is_valid(self, key, knob):
        data = dataset(METHODS[key].tasks[0])
        for params in settings_in_which_it_matters(knob):
            for value in ends_of(knob):
                fit(key, data, **params, **{knob.name: value})

    @of_each(["knob"], [pair for pair in KNOBS if pair[1].depends_on])
    def test_a_knob_that_depends_on_another_matters_just_where_it_says(self, key, knob):
        algorithm, data = METHODS[key], dataset(METHODS[key].tasks[0])
        name, values = knob.depends_on
        other = next(other for other in algorithm.knobs if other.name == name)
        assert algorithm.knobs.index(other) < algorithm.knobs.index(knob)
        for value, _ in other.choices:
            models = (
                algorithm.build(**{name: value, knob.name: choice})
                for choice in (values_of(knob)[0], values_of(knob)[-1])
            )
            Y = algorithm.targets(data)
            low, high = (model.fit(data.X, Y).path(data.X).at().scores for model in models)
            assert (low != high).any() == (value in values)
            assert knob.matters({name: value}) == (value in values)

    @of_each(["knob"], [pair for pair in KNOBS if pair[1].choices])
    def test_a_choice_offers_all_there_are(self, key, knob):
        constraints = METHODS[key].estimator._parameter_constraints[knob.name]
        options = set().union(*(getattr(one, "options", ()) for one in constraints))
        not_offered = NOT_OFFERED.get(knob.name, set()) & options
        assert {value for value, _ in knob.choices} == options - not_offered

    @by_knob
    def test_knobs_on_the_path_move_without_a_new_fit(self, key, knob):
        model, data = fitted(key, METHODS[key].tasks[0])
        accepted = signature(type(model.path(data.X)).at).parameters
        assert knob.on_path == (knob.name in accepted)

    @by_pairs_with("scaled", [True, False], CATALOG_CASES)
    def test_a_choice_builds_a_model_that_fits(self, key, task, scaled):
        data = dataset(task)
        choice = ModelChoice(key, scaled=scaled).with_params(**METHODS[key].defaults)
        model = choice.build().fit(data.X, METHODS[key].targets(data))
        assert model[-1].get_params().items() >= METHODS[key].defaults.items()
        assert len(model) == 1 + scaled

    @of_each(["task", "baseline"], crossed(CATALOG_CASES, BASELINES))
    def test_baselines_fit_beside_every_method(self, key, task, baseline):
        data = dataset(task)
        model = baseline.build(ModelChoice(key)).fit(data.X, METHODS[key].targets(data))
        assert model.predict(data.X).shape == (N_ROWS, N_LABELS)


def strict_targets(task, rng, n_rows):
    """Strict rankings, signs of pairs, or a 0/1 matrix."""
    if task is Task.PAIR_PREFERENCES:
        return problems.signs(rng, n_rows, N_LABELS)
    if task is Task.MULTILABEL:
        return problems.relevance(rng, n_rows, N_LABELS)
    width = N_LABELS + (task is Task.CALIBRATED_RANKING)
    return problems.positions(rng, n_rows, width)


@by_pairs_with("order", ORDERS)
def test_renaming_labels_commutes_with_fitting_where_nothing_ties(key, task, order):
    # Enough cases to be solved to the last digits.
    rng, n_rows = np.random.default_rng(order), 60
    X, queries = rng.normal(size=(n_rows, 2)), rng.normal(size=(20, 2))
    Y = strict_targets(task, rng, n_rows)
    columns = [*order, N_LABELS] if task is Task.CALIBRATED_RANKING else list(order)
    if task is Task.PAIR_PREFERENCES:
        renamed = PairPreferences(Y, NAMES).with_labels([NAMES[label] for label in order]).signs
    else:
        renamed = Y[:, columns]
    points = []
    for targets in (Y, renamed):
        data = Dataset(X, targets, task, ["a", "b"], NAMES, "renamed")
        points.append(fit(key, data).path(queries).at())
    before, after = points
    np.testing.assert_allclose(after.scores, before.scores[:, order], atol=1e-12)
    # Tied labels go by index, which renaming changes.
    clear = np.array([len(np.unique(row)) == N_LABELS for row in before.scores.round(9)])
    np.testing.assert_array_equal(after.positions[clear], before.positions[clear][:, order])
    np.testing.assert_allclose(after.confidence[clear], before.confidence[clear], atol=1e-12)


@pytest.mark.parametrize("key", [key for key in KEYS if not METHODS[key].learns_rankings])
def test_scikit_learn_predicts_scores_of_label_sets_out_of_fold(key):
    algorithm = METHODS[key]
    rng = np.random.default_rng(4)
    X, Y = rng.normal(size=(24, 3)), problems.relevance(rng, 24, N_LABELS)
    Y[:2] = [0, 1, 0, 1], [1, 0, 1, 0]
    model = make_pipeline(StandardScaler(), algorithm.build(**problems.few(algorithm)))
    with pytest.raises(AttributeError):
        _ = model.classes_
    methods = [name for name in ("predict_proba", "decision_function") if hasattr(model, name)]
    assert "decision_function" in methods
    for method in methods:
        found = cross_val_predict(model, X, Y, cv=KFold(2), method=method)
        half = clone(model).fit(X[:12], Y[:12])
        np.testing.assert_array_equal(found[12:], getattr(half, method)(X[12:]))
    assert half.classes_.tolist() == [0, 1, 2, 3]


@by_case
def test_what_memory_held_before_has_no_influence(key, task, monkeypatch):
    data, expected = dataset(task), said_by(key, task)
    memory.fill_with_nan(monkeypatch)
    assert_equal_outputs(outputs(fit(key, data), data.X), expected)
