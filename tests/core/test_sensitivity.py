"""Sensitivity: every setting equals a fresh fit, bands and bests are what they say."""

from dataclasses import replace

import numpy as np
import pytest

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.comparison.significance import paired_difference
from labelrank_core.data.splits import Fold, Split, cross_validation, delete_labels
from labelrank_core.evaluation.evaluate import evaluate_predictions
from labelrank_core.evaluation.sensitivity import Sensitivity, missing_labels, sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import figures_for
from labelrank_core.evaluation.sensitivity.sweep import fitting_measures, seconds_to_sweep
from labelrank_core.explain.predictions import path_cases, predict_cases
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS
from tests import problems
from tests.pairs import all_pairs

FIGURES = {
    (key, figure.key): figure
    for key, algorithm in ALGORITHMS.items()
    for figure in figures_for(algorithm)
    if figure.kind != "missing"
}
# Every figure of every method, and every method with each of its tasks.
CASES = all_pairs(
    [
        (key, name, task)
        for (key, name), figure in FIGURES.items()
        for task in ALGORITHMS[key].tasks
        if task is not Task.PAIR_PREFERENCES or not any(knob.for_rankings for knob in figure.knobs)
    ],
    columns={(0, 1), (0, 2)},
)


def problem(task, n_samples=60):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_samples, 3))
    Y = problems.targets(rng, task.value, n_samples, 5)
    return Dataset(
        X=X,
        Y=Y,
        task=task,
        feature_names=["x", "y", "z"],
        label_names=list("abcde"),
        name="made",
    )


def thinned(figure, n_cases):
    """The ends of what a figure shows, and one value between."""
    shown = {}
    for name, values in figure.grid(n_cases).items():
        most = problems.FEW.get(name)
        some = [value for value in values if most is None or value <= most]
        shown[name] = tuple(dict.fromkeys([some[0], some[len(some) // 2], some[-1]]))
    return shown


def refitted(dataset, choice, fold, setting):
    """Every measure after a fit of one's own; trees are cut, since shallow ones grow otherwise."""
    train, test = fold.split.train, fold.split.test
    depth = setting.get("max_depth")
    fitted = choice.with_params(**{**setting, **({"max_depth": None} if depth else {})})
    model = fitted.build().fit(dataset.X[train], choice.algorithm.targets(dataset, train))
    if depth:
        point = path_cases(model, dataset.X[test]).at(max_depth=depth)
        table = evaluate_predictions(dataset, test, positions=point.prediction)
    else:
        found = predict_cases(model, dataset.X[test], task=dataset.task)
        table = evaluate_predictions(
            dataset,
            test,
            positions=found.positions,
            relevance=found.relevance,
            scores=found.scores,
            raw_scores=found.raw_scores,
            probabilities=found.probabilities,
        )
    return table.set_index("measure")["value"]


@pytest.mark.filterwarnings("ignore:n_components")
@pytest.mark.parametrize(("key", "figure", "task"), CASES)
def test_every_setting_equals_a_fit_of_its_own(key, figure, task):
    dataset, figure = problem(task), FIGURES[key, figure]
    choice = ModelChoice(key).with_params(**problems.few(ALGORITHMS[key]))
    folds = cross_validation(dataset, n_folds=2, seed=1)
    measures = [measure.key for measure in fitting_measures(dataset, choice)]
    grid = thinned(figure, 30)
    found = sweep_parameters(dataset, choice, grid=grid, folds=folds, measures=measures)
    assert found.values.shape == (2, len(found.settings), len(measures))
    # Each setting in one of the folds, which take turns; of a single one in both.
    turns = range(len(found.settings)) if len(found.settings) > 1 else (0, 1)
    for turn in turns:
        i, j = turn % 2, turn % len(found.settings)
        setting = found.settings[j]
        fresh = refitted(dataset, choice, folds[i], dict(zip(grid, setting, strict=True)))
        np.testing.assert_allclose(
            found.values[i, j], fresh[measures], atol=1e-9, err_msg=str(setting)
        )


def test_parameters_that_are_not_varied_are_the_chosen_ones():
    dataset = problem(Task.MULTILABEL)
    folds = cross_validation(dataset, n_folds=2)
    choice = ModelChoice("mlr", (("n_virtual_labels", 8), ("weights", "distance")), scaled=False)
    found = sweep_parameters(
        dataset, choice, grid={"n_neighbors": (4,)}, folds=folds, measures=["hamming_loss"]
    )
    for i, fold in enumerate(folds):
        fresh = refitted(dataset, choice, fold, {"n_neighbors": 4})
        assert found.values[i, 0, 0] == pytest.approx(fresh["hamming_loss"], abs=1e-12)


def test_a_curve_worked_by_hand():
    # Cases at 0, 1, 2 and 10; tested at 0.4 with truth a > b > c. k = 1: the case at 0 says
    # a > b > c, tau 1. k = 3: mean ranks of a (1 + 3 + 3) / 3, b (2 + 2 + 2) / 3, c (3 + 1 + 1) / 3
    # give c > b > a, tau -1.
    dataset = Dataset(
        X=[[0.0], [1.0], [2.0], [10.0], [0.4]],
        Y=[[1, 2, 3], [3, 2, 1], [3, 2, 1], [1, 2, 3], [1, 2, 3]],
        task=Task.LABEL_RANKING,
        feature_names=["x"],
        label_names=["a", "b", "c"],
        name="line",
    )
    fold = Fold(0, 0, Split([0, 1, 2, 3], [4], "random", 0, 0.2))
    choice = ModelChoice("knn", scaled=False)
    curve = sweep_parameters(
        dataset,
        choice,
        grid={"n_neighbors": (1, 3)},
        folds=[fold],
        measures=["kendall_tau_score"],
    )
    assert curve.frame()["value"].tolist() == [1.0, -1.0]
    assert curve.bands()["sd"].isna().all()
    best = curve.best("kendall_tau_score", current=(3,))
    assert (best.setting, best.mean, best.own_mean, best.gain) == ((1,), 1.0, -1.0, 2.0)
    assert best.matters


def result(values, measure="hamming_loss"):
    values = np.array(values)[:, :, None]
    settings = tuple((k,) for k in range(1, values.shape[1] + 1))
    folds = tuple((0, i) for i in range(len(values)))
    return Sensitivity(("k",), settings, folds, (measure,), values)


def test_bands_are_one_standard_deviation_of_the_folds():
    # Mean 0.2, deviations -0.1 and 0.1: sd = sqrt((0.01 + 0.01) / (2 - 1)) = 0.1414...
    band = result([[0.1], [0.3]]).bands().iloc[0]
    assert band["mean"] == pytest.approx(0.2)
    assert band["sd"] == pytest.approx(0.02**0.5)
    assert band["low"] == pytest.approx(0.2 - 0.02**0.5)
    assert band["high"] == pytest.approx(0.2 + 0.02**0.5)
    assert band["n_folds"] == 2


def test_the_best_is_compared_fold_by_fold():
    # A loss: k = 2 has the lower mean, 0.25 to 0.35, and is 0.1 lower in every fold, whatever the
    # folds differ among each other.
    found = result([[0.2, 0.1], [0.5, 0.4]])
    best = found.best("hamming_loss", current=(1,))
    assert best.setting == (2,)
    assert (best.gain, best.margin) == (pytest.approx(0.1), pytest.approx(0))
    assert best.sd > best.gain
    assert best.matters
    # Gains of 0.1 and -0.02: mean 0.04, sd 0.085, a margin of 12.7 * 0.085 / sqrt(2).
    unsure = result([[0.2, 0.1], [0.4, 0.42]]).best("hamming_loss", current=(1,))
    assert unsure.gain == pytest.approx(0.04)
    assert not unsure.matters


def test_as_good_is_what_is_not_clearly_worse_than_the_best():
    # k = 2 is the best; k = 1 is 0.1 worse in each fold, k = 3 once better, k = 4 not measured.
    found = result([[0.2, 0.1, 0.12, np.nan], [0.5, 0.4, 0.39, np.nan]])
    assert found.as_good("hamming_loss", than=(2,)) == [(2,), (3,)]
    # Of equal settings all are good, whichever is in use; of a single fold only those.
    single = result([[0.2, 0.5, 0.5]], "kendall_tau_score")
    for best in (2, 3):
        assert single.as_good("kendall_tau_score", than=(best,)) == [(2,), (3,)]
    # What is better than the one compared with is no worse.
    assert single.as_good("kendall_tau_score", than=(1,)) == [(1,), (2,), (3,)]


@pytest.mark.parametrize("measure", ["hamming_loss", "kendall_tau_score"])
def test_a_band_reaches_the_best_mean_exactly_where_a_setting_is_as_good(measure):
    found = result(np.random.default_rng(1).normal(0.5, 0.1, (4, 30)), measure)
    best = found.best(measure, current=(7,))
    bands = found.bands_of_difference(measure, than=best.setting)
    reaches = (bands["low"] <= best.mean) & (best.mean <= bands["high"])
    as_good = [setting in found.as_good(measure, than=best.setting) for setting in found.settings]
    assert 1 < sum(as_good) < 30
    assert reaches.tolist() == as_good


def test_a_difference_is_as_clear_as_in_a_comparison_of_methods():
    values = np.random.default_rng(3).normal(0.5, 0.1, (5, 20))
    found = replace(result(values, "kendall_tau_score"), test_share=1 / 4)
    for k in range(1, 21):
        best = found.best("kendall_tau_score", current=(k,))
        if best.setting == (k,):
            continue
        pair = paired_difference(values[:, best.setting[0] - 1], values[:, k - 1], test_share=1 / 4)
        assert (best.gain, best.margin) == pytest.approx((pair.mean, pair.high - pair.mean))
        assert best.matters == (pair.low > 0)


def test_test_cases_are_counted_per_training_case():
    data = load_sample("iris")
    found = sweep_parameters(
        data,
        ModelChoice("knn"),
        grid={"n_neighbors": (1,)},
        folds=cross_validation(data, n_folds=5),
        measures=["kendall_tau_score"],
    )
    assert found.test_share == pytest.approx(1 / 4)


def test_higher_is_better_for_scores_and_the_setting_in_use_wins_ties():
    found = result([[0.2, 0.5, 0.5]], "kendall_tau_score")
    assert found.best("kendall_tau_score", current=(1,)).setting == (2,)
    kept = found.best("kendall_tau_score", current=(3,))
    assert (kept.setting, kept.gain, kept.matters) == ((3,), 0, False)
    with pytest.raises(ValueError, match="one of the settings"):
        found.best("kendall_tau_score", current=(4,))


def test_folds_without_a_value_are_left_out():
    found = result([[0.1, np.nan], [0.3, np.nan], [np.nan, np.nan]])
    bands = found.bands()
    assert bands["mean"].tolist() == [pytest.approx(0.2), pytest.approx(np.nan, nan_ok=True)]
    assert bands["sd"].iloc[0] == pytest.approx(0.02**0.5)
    assert found.best("hamming_loss", current=(1,)).setting == (1,)


def test_joined_results_keep_each_setting_once():
    first, second = result([[0.1, 0.2]]), result([[0.1, 0.2, 0.3]])
    joined = first.joined(second)
    assert joined.settings == ((1,), (2,), (3,))
    assert joined.values[0, :, 0].tolist() == [0.1, 0.2, 0.3]
    with pytest.raises(ValueError, match="same folds"):
        first.joined(result([[0.1], [0.2]]))


def test_the_frame_is_tidy_and_none_stays_none():
    dataset = problem(Task.LABEL_RANKING)
    folds = cross_validation(dataset, n_folds=2, n_repeats=2)
    grid = {"max_depth": (1, None)}
    measures = ["kendall_tau_score", "footrule_score"]
    found = sweep_parameters(
        dataset, ModelChoice("forest"), grid=grid, folds=folds, measures=measures
    )
    frame = found.frame()
    assert frame.columns.tolist() == ["repeat", "fold", "max_depth", "measure", "value"]
    assert len(frame) == 4 * 2 * 2
    assert not frame.duplicated(["repeat", "fold", "max_depth", "measure"]).any()
    assert set(frame["max_depth"]) == {1, None}
    for i, (repeat, number) in enumerate(found.folds):
        for j, setting in enumerate(found.settings):
            for m, measure in enumerate(measures):
                row = frame[(frame["repeat"] == repeat) & (frame["fold"] == number)]
                row = row[[value == setting[0] for value in row["max_depth"]]]
                (value,) = row[row["measure"] == measure]["value"]
                assert value == found.values[i, j, m]
    bands = found.bands()
    assert set(bands["max_depth"]) == {1, None}
    assert len(bands) == 4


def test_progress_is_told_fold_by_fold():
    dataset, told = load_sample("iris"), []
    folds = cross_validation(dataset, n_folds=3)
    common = {"folds": folds, "measures": ["kendall_tau_score"]}

    def hear(done, of):
        told.append((done, of))

    sweep_parameters(
        dataset, ModelChoice("knn"), grid={"n_neighbors": (1,)}, on_fold=hear, **common
    )
    missing_labels(dataset, ModelChoice("knn"), shares=(0,), on_fold=hear, **common)
    assert told == [(1, 3), (2, 3), (3, 3)] * 2


@pytest.mark.parametrize("key", [key for key, a in ALGORITHMS.items() if a.incomplete])
def test_deleted_labels_are_missing_in_training_only(key):
    dataset = load_sample("iris")
    folds = cross_validation(dataset, n_folds=2, seed=5)
    choice = ModelChoice(key).with_params(**problems.few(ALGORITHMS[key]))
    found = missing_labels(
        dataset, choice, shares=(0, 0.5), folds=folds, measures=["kendall_tau_score"], seed=7
    )
    assert found.parameters == ("share_deleted",)
    for i, fold in enumerate(folds):
        train, test = fold.split.train, fold.split.test
        for j, share in enumerate((0, 0.5)):
            left = delete_labels(dataset.rankings[train], share, seed=(7, 0, fold.number))
            model = choice.build().fit(dataset.X[train], left)
            tau = METRICS["kendall_tau_score"].mean(
                dataset.rankings[test], model.predict(dataset.X[test])
            )
            assert found.values[i, j, 0] == pytest.approx(tau, abs=1e-12)


def test_higher_levels_delete_what_lower_ones_do():
    rankings = load_sample("vehicle").rankings
    few, many = (delete_labels(rankings, share, seed=(0, 0, 1)) for share in (0.3, 0.6))
    assert np.isnan(many[np.isnan(few)]).all()
    assert np.isnan(few).mean() == pytest.approx(0.3, abs=0.02)


def test_a_case_with_no_label_left_says_nothing_among_neighbours():
    # Beside the nearest case, which has lost all labels, the next one decides alone.
    X, nothing = [[0.0], [1.0], [9.0]], [np.nan] * 3
    choice = ModelChoice("knn", (("n_neighbors", 2),), scaled=False)
    model = choice.build().fit(X, [nothing, [3, 1, 2], [1, 2, 3]])
    assert model.predict([[0.1]]).tolist() == [[3, 1, 2]]


@pytest.mark.parametrize(
    ("key", "grid", "measures", "words"),
    [
        ("knn", {"C": (1.0,)}, ["kendall_tau_score"], "Expected parameters among n_neighbors"),
        ("knn", {"n_neighbors": (1,)}, ["hamming_loss"], "Expected measures that fit"),
        ("knn", {"n_neighbors": (1, 500)}, ["kendall_tau_score"], "n_neighbors between 1 and 75"),
    ],
)
def test_what_cannot_be_measured_is_refused(key, grid, measures, words):
    dataset = load_sample("iris")
    folds = cross_validation(dataset, n_folds=2)
    with pytest.raises(ValueError, match=words):
        sweep_parameters(dataset, ModelChoice(key), grid=grid, folds=folds, measures=measures)


def test_labels_are_deleted_from_rankings_alone():
    dataset = problem(Task.CALIBRATED_RANKING)
    folds = cross_validation(dataset, n_folds=2)
    with pytest.raises(ValueError, match="Expected a label ranker"):
        missing_labels(
            dataset, ModelChoice("mlr"), shares=(0,), folds=folds, measures=["hamming_loss"]
        )


def test_what_the_thresholds_serve_is_measured_first():
    for threshold, first in (
        ("label_macro_f1", "macro_f1_score"),
        ("global_micro_f1", "micro_f1_score"),
        ("zero", "hamming_loss"),
    ):
        choice = ModelChoice("mlls", (("threshold", threshold),))
        assert fitting_measures(load_sample("songs"), choice)[0].key == first


def test_every_number_of_a_path_has_a_figure():
    for algorithm in ALGORITHMS.values():
        figures = figures_for(algorithm)
        alone = {figure.key for figure in figures if figure.kind == "curve"}
        numbers = [k for k in algorithm.knobs if not k.choices]
        on_path = {k.name for k in numbers if k.on_path}
        # Without any figure the first number is varied, by a fit for each value.
        has_none = not on_path and not algorithm.incomplete
        assert alone == ({numbers[0].name} if has_none else on_path)
        assert len({figure.key for figure in figures}) == len(figures)
        assert (figures[-1].kind == "missing") == bool(algorithm.incomplete)


def test_figures_stay_within_the_training_cases():
    for algorithm in ALGORITHMS.values():
        for figure in figures_for(algorithm):
            assert max(figure.grid(7).get("n_neighbors", [0])) <= 7


def test_the_estimate_grows_with_settings_and_folds():
    dataset, choice = load_sample("vehicle"), ModelChoice("knn")
    folds = cross_validation(dataset, n_folds=4)

    def seconds(n_values, n_folds):
        grid = {"n_neighbors": range(1, n_values + 1)}
        return seconds_to_sweep(dataset, choice, grid=grid, folds=folds[:n_folds])

    assert seconds(10, 2) == pytest.approx(seconds(10, 1) * 2, rel=0.01)
    assert seconds(1, 2) < seconds(10, 2)


def test_parameters_beside_the_path_cost_a_fit_for_each_value():
    dataset = problem(Task.MULTILABEL)
    folds = cross_validation(dataset, n_folds=2)
    # What is on the path runs slower here, so that the settings of one fit are not neighbours.
    grid = {"alpha": (0.0, 1.0), "kernel": ("linear", "rbf"), "beta": (0.01, 0.1)}
    found = sweep_parameters(
        dataset, ModelChoice("mlls"), grid=grid, folds=folds, measures=["ranking_loss"]
    )
    assert len(found.settings) == 8
    for i, fold in enumerate(folds):
        for j, setting in enumerate(found.settings):
            named = dict(zip(grid, setting, strict=True))
            expected = refitted(dataset, ModelChoice("mlls"), fold, named)["ranking_loss"]
            assert found.values[i, j, 0] == pytest.approx(expected)
    # A large C takes longer than a small one.
    small, large, both = (
        seconds_to_sweep(dataset, ModelChoice("br"), grid={"C": values}, folds=folds)
        for values in ((1.0,), (1e4,), (1.0, 1e4))
    )
    assert large > small
    assert both == pytest.approx(small + large)
