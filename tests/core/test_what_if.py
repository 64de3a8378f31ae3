"""Sweeps, maps and smallest changes: every claim is recomputed with the model itself."""

from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from scipy import sparse

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample
from labelrank_core.data import Column, Dataset, Schema, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.predictions import path_cases
from labelrank_core.explain.what_if import (
    Change,
    Feature,
    features_of,
    maps,
    smallest_change,
    sweep,
    top_map,
)
from labelrank_core.explain.what_if.sweeps import sweep_all
from labelrank_core.explain.what_if.texts import (
    coverage_text,
    first_places_text,
    limit_text,
    overtake_text,
    overtaking_text,
    resolution_text,
    smallest_change_text,
)
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.rankings import calibrate, dense_positions
from tests import problems
from tests.pairs import all_pairs

COLOURS = Column("colour", "nominal", ("blue", "green", "red"))
RIPE = Column("ripe", "nominal", ("no", "yes"))


def problem(task, *, whole, n_samples=60, n_labels=4, seed=0):
    """Two numeric columns, one of them whole numbers if asked, and two nominal ones."""
    rng = np.random.default_rng(seed)
    size = rng.integers(0, 6, n_samples) if whole else rng.normal(size=n_samples)
    weight = 100 + 20 * rng.normal(size=n_samples)
    colour, ripe = rng.integers(0, 3, n_samples), rng.integers(0, 2, n_samples)
    X = np.column_stack([size, weight, colour[:, None] == np.arange(3), ripe]).astype(float)
    tastes = np.column_stack([size, -size, weight / 30 - 3, colour + ripe])
    tastes = tastes + rng.normal(size=(n_samples, n_labels))
    positions = (-tastes).argsort(axis=1).argsort(axis=1) + 1.0
    schema = Schema((Column("size"), Column("weight"), COLOURS, RIPE))
    relevance = (tastes > 0).astype(float)
    Y = {
        Task.LABEL_RANKING: positions,
        Task.MULTILABEL: relevance,
        Task.CALIBRATED_RANKING: calibrate(relevance),
        Task.PAIR_PREFERENCES: PairPreferences.from_rankings(positions).without_pairs(0.3),
    }[task]
    return Dataset(
        X=X, Y=Y, task=task, schema=schema, feature_names=schema.feature_names,
        label_names=("a", "b", "c", "d"), name="fruit",
    )  # fmt: skip


def fitted(data, key, *, scaled=True, **params):
    few = problems.few(ALGORITHMS[key])
    choice = ModelChoice(key, (), scaled).with_params(**{**few, **params})
    return choice.build().fit(data.X, choice.algorithm.targets(data))


def predictions(model, X, **setting):
    point = path_cases(model, X).at(**setting)
    return [
        (p.tolist(), q.tolist()) for p, q in zip(point.positions, point.prediction, strict=True)
    ]


def lists_its_changes(key):
    data = problem(ALGORITHMS[key].tasks[0], whole=True)
    return sweep(fitted(data, key), data.X[0], features_of(data)[0]).is_exact


EXACT = [key for key in ALGORITHMS if lists_its_changes(key)]
CASES = [
    pytest.param(*row, id="-".join(row))
    for row in all_pairs(
        [
            (key, task, scaling, numbers)
            for key in EXACT
            for task in ALGORITHMS[key].tasks
            for scaling in ("scaled", "bare")
            for numbers in ("real", "whole")
        ]
    )
]


class Case:
    """A model that is fitted once for all tests, and what is swept with it."""

    def __init__(self, key, task, scaling, numbers):
        self.data = problem(task, whole=numbers == "whole")
        self.model = fitted(self.data, key, scaled=scaling == "scaled")
        self.features = features_of(self.data)

    @cache  # noqa: B019
    def swept(self, row, feature):
        return sweep(self.model, self.data.X[row], self.features[feature])


case_of = cache(Case)


def assert_pieces_hold(model, x, swept, **setting):
    """Values drawn anywhere on a piece get its prediction."""
    rng = np.random.default_rng(1)
    for piece in swept.pieces:
        width = piece.end - piece.start
        values = rng.uniform(piece.start + 1e-6 * width, piece.end - 1e-6 * width, 20)
        expected = (piece.positions.tolist(), piece.prediction.tolist())
        found = predictions(model, swept.feature.cases(x, values), **setting)
        assert found == [expected] * len(values)


@pytest.mark.parametrize(("key", "task", "scaling", "numbers"), CASES)
class TestSweep:
    def test_every_value_on_a_piece_has_its_prediction(self, key, task, scaling, numbers):
        case = case_of(key, task, scaling, numbers)
        data, model = case.data, case.model
        for row in (0, 3):
            x = data.X[row]
            for number, feature in enumerate(case.features[:2]):
                swept = case.swept(row, number)
                assert swept.is_exact
                assert swept.pieces[0].start == feature.low
                assert swept.pieces[-1].end == feature.high
                assert_pieces_hold(model, x, swept)
                own = (swept.case_piece.positions.tolist(), swept.case_piece.prediction.tolist())
                assert [own] == predictions(model, x[None])
                assert swept.at_own.predicts(swept.case_piece)

    def test_categories_are_tried_one_by_one(self, key, task, scaling, numbers):
        case = case_of(key, task, scaling, numbers)
        data, model = case.data, case.model
        for number, n_categories in ((2, 3), (3, 2)):
            feature, swept = case.features[number], case.swept(3, number)
            assert swept.is_exact
            assert len(swept.pieces) == n_categories
            for code, piece in enumerate(swept.pieces):
                frame = data.feature_frame([3])
                frame[feature.column.name] = feature.column.categories[code]
                (expected,) = predictions(model, data.schema.encode(frame))
                assert (piece.positions.tolist(), piece.prediction.tolist()) == expected
            assert swept.at_own is swept.pieces[int(feature.value(data.X[3]))]

    def test_the_smallest_change_is_the_smallest(self, key, task, scaling, numbers):
        case = case_of(key, task, scaling, numbers)
        model = case.model
        for row in range(4):
            x = case.data.X[row]
            for number, feature in enumerate(case.features):
                swept = case.swept(row, number)
                change = smallest_change(swept)
                tops = {piece.top for piece in swept.pieces}
                if change is None:
                    assert tops == {swept.case_piece.top}
                    continue
                assert change.old_label == swept.case_piece.top != change.new_label
                (changed,) = predictions(model, feature.cases(x, [change.value]))
                assert np.argmin(changed[0]) == change.new_label
                if feature.is_nominal:
                    continue
                nearer = x[feature.first] + np.linspace(-1, 1, 41) * (
                    0.999 * abs(change.limit - change.case_value)
                )
                nearer = nearer[(nearer >= feature.low) & (nearer <= feature.high)]
                for positions, _ in predictions(model, feature.cases(x, nearer)):
                    assert np.argmin(positions) == change.old_label

    def test_the_smallest_change_of_the_label_set_is_the_smallest(
        self, key, task, scaling, numbers
    ):
        case = case_of(key, task, scaling, numbers)
        model = case.model
        learns_sets = not ALGORITHMS[key].learns_rankings
        for row in range(4):
            x = case.data.X[row]
            ((_, own),) = predictions(model, x[None])
            for number, feature in enumerate(case.features):
                swept = case.swept(row, number)
                change = smallest_change(swept, of="relevant")
                others = [p for p in swept.pieces if p.prediction.tolist() != own]
                assert (change is None) == (not learns_sets or not others)
                if change is None:
                    continue
                ((_, changed),) = predictions(model, feature.cases(x, [change.value]))
                gained = [j for j in range(4) if changed[j] > own[j]]
                lost = [j for j in range(4) if changed[j] < own[j]]
                assert (list(change.entering), list(change.leaving)) == (gained, lost)
                assert gained or lost
                if feature.is_nominal:
                    continue
                nearer = x[feature.first] + np.linspace(-1, 1, 21) * (
                    0.999 * abs(change.limit - change.case_value)
                )
                nearer = nearer[(nearer >= feature.low) & (nearer <= feature.high)]
                for _, prediction in predictions(model, feature.cases(x, nearer)):
                    assert prediction == own


def test_a_case_at_the_end_of_the_range_may_be_on_no_piece():
    # Trees that split at medians may send the smallest value alone to the left.
    case = case_of("f_lrt_bag", Task.LABEL_RANKING, "bare", "whole")
    alone = [swept for row in range(10) if (swept := case.swept(row, 0)).at_own is swept.case_piece]
    assert alone
    for swept in alone:
        assert swept.case_piece.value == swept.feature.low == swept.pieces[0].start
        assert not swept.pieces[0].predicts(swept.case_piece)


def test_what_was_exact_stays_so():
    boosted = {"adaboost_mh", "adt_boost_mh"}
    assert {"knn", "forest", "mlr", "mlknn", "mlls", "br", *boosted} <= set(EXACT)


@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("knn", {"weights": "distance"}),
        ("mlls", {"kernel": "rbf"}),
        ("br", {"kernel": "poly"}),
        *((key, {}) for key in ALGORITHMS if key not in EXACT),
    ],
)
def test_other_settings_are_tried_value_by_value(key, params):
    algorithm = ALGORITHMS[key]
    data = problem(algorithm.tasks[0], whole=False)
    model = fitted(data, key, **params)
    swept = sweep(model, data.X[0], features_of(data)[0])
    feature = swept.feature
    assert not swept.is_exact
    assert swept.step == pytest.approx((feature.high - feature.low) / 100)
    for piece in swept.pieces:
        (expected,) = predictions(model, feature.cases(data.X[0], [piece.value]))
        assert (piece.positions.tolist(), piece.prediction.tolist()) == expected
    change = smallest_change(swept)
    if change is not None:
        (changed,) = predictions(model, feature.cases(data.X[0], [change.value]))
        assert np.argmin(changed[0]) == change.new_label


@pytest.mark.parametrize("key", ["knn", "forest"])
def test_the_smallest_change_of_the_order_swaps_the_labels_it_names(key):
    data = problem(Task.LABEL_RANKING, whole=False)
    model, feature, n_found = fitted(data, key), features_of(data)[0], 0
    for x in data.X[:8]:
        swept = sweep(model, x, feature)
        change, first = smallest_change(swept, of="order"), smallest_change(swept)
        if change is None:
            assert len(swept.pieces) == 1
            continue
        n_found += 1
        assert first is None or change.share <= first.share
        before, after = swept.case_piece.positions[[change.old_label, change.new_label]]
        assert before < after
        ((ranks, _),) = predictions(model, feature.cases(x, [change.value]))
        assert ranks[change.new_label] < ranks[change.old_label]
        said = smallest_change_text(swept, change, of="order").plain("wxyz")
        assert f"{'wxyz'[change.new_label]} is ahead of {'wxyz'[change.old_label]}" in said
    assert n_found


def tied_problem(seed=0):
    """The problem with rankings in which labels share positions, on its two numeric columns."""
    data = problem(Task.LABEL_RANKING, whole=False, seed=seed)
    schema = Schema(data.schema.columns[:2])
    return Dataset(
        X=data.X[:, :2], Y=dense_positions(np.ceil(np.asarray(data.Y) / 2)), task=data.task,
        schema=schema, feature_names=schema.feature_names, label_names=data.label_names,
        name="tied",
    )  # fmt: skip


def bucket_orders(model, X):
    return np.asarray(model.predict(X))


@pytest.mark.parametrize("key", ["knn", "forest", "lrt"])
def test_with_ties_the_smallest_change_changes_the_labels_that_share_a_place(key):
    data = tied_problem()
    model = fitted(data, key, ties="predict")
    n_shared = n_ties = 0
    for row, feature in product(range(8), features_of(data)):
        x = data.X[row]
        swept, own = sweep(model, x, feature), bucket_orders(model, x[None])[0]
        firsts = tuple(np.flatnonzero(own == 1))
        change = smallest_change(swept)
        if change is not None:
            then = bucket_orders(model, feature.cases(x, [change.value]))[0]
            assert change.firsts_before == firsts
            assert change.firsts == tuple(np.flatnonzero(then == 1)) != firsts
            assert change.new_label in change.firsts
            said = smallest_change_text(swept, change).plain("wxyz")
            n_shared += len(change.firsts) > 1
            assert ("share the first place" in said) == (len(change.firsts) > 1)
            is_alone = len(change.firsts) == 1 and set(change.firsts) < set(firsts)
            assert ("alone comes first" in said) == is_alone
        reach = 1.0 if change is None else 0.999 * abs(change.limit - change.case_value)
        nearer = x[feature.first] + np.linspace(-reach, reach, 41)
        nearer = nearer[(nearer >= feature.low) & (nearer <= feature.high)]
        if swept.is_exact:
            for order in bucket_orders(model, feature.cases(x, nearer)):
                assert change is None or tuple(np.flatnonzero(order == 1)) == firsts
        change = smallest_change(swept, of="order")
        if change is None:
            assert all(np.array_equal(piece.ranking, own) for piece in swept.pieces)
            continue
        then = bucket_orders(model, feature.cases(x, [change.value]))[0]
        before, after = own[[change.old_label, change.new_label]]
        now_before, now_after = then[[change.old_label, change.new_label]]
        assert np.sign(before - after) < np.sign(now_before - now_after)
        assert change.is_tie == (now_before == now_after)
        n_ties += change.is_tie
        names = "wxyz"[change.new_label], "wxyz"[change.old_label]
        said = smallest_change_text(swept, change, of="order").plain("wxyz")
        assert (" ties with " if change.is_tie else " is ahead of ").join(names) in said
    assert n_shared
    assert n_ties or key != "forest"


def naive_changes(swept):
    """Every pair of labels whose order differs between two pieces, by comparing all of them."""
    changes = []
    for lower, upper in pairwise(swept.pieces):
        for up, down in permutations(range(len(upper.ranking)), 2):
            gap = [int(piece.ranking[down]) - int(piece.ranking[up]) for piece in (lower, upper)]
            before, after = ((d > 0) - (d < 0) for d in gap)
            if after > before:
                changes.append((upper.start, up, down, before == 0, after == 0))
    return changes


@pytest.mark.parametrize("key", ["knn", "forest", "lrt", "pairwise_forest"])
def test_coming_to_tie_and_leaving_a_tie_are_changes_of_their_own(key):
    data = tied_problem()
    model = fitted(data, key, ties="predict")
    kinds = set()
    for row, feature in product(range(4), features_of(data)):
        swept = sweep(model, data.X[row], feature)
        changes = [(o.value, o.up, o.down, o.was_tied, o.is_tied) for o in swept.overtakes]
        assert sorted(changes) == sorted(naive_changes(swept))
        assert [change[0] for change in changes] == sorted(change[0] for change in changes)
        kinds |= {change[3:] for change in changes}
    # Never tied before and after.
    assert {(True, False), (False, True)} <= kinds <= {(True, False), (False, True), (False, False)}


def test_changes_of_ties_are_said():
    schema = Schema((Column("size"),))
    model = KNeighborsLabelRanker(1, ties="predict").fit(
        [[-2.0], [0.0], [2.0]], [[1, 2, 3], [1, 1, 2], [2, 1, 2]]
    )
    swept = sweep(model, np.array([0.5]), Feature(schema, 0, -3.0, 3.0))
    assert [(o.value, overtake_text(o).plain("wxy")) for o in swept.overtakes] == [
        (-1, "x ties with w"),
        (1, "x goes ahead of w after a tie"),
        (1, "y ties with w"),
    ]


def test_a_label_that_catches_up_ties():
    # Left of 0 w > x > y, on the right w = x > y: x catches up with w at 0.
    schema = Schema((Column("size"),))
    model = KNeighborsLabelRanker(1, ties="predict").fit([[-1.0], [1.0]], [[1, 2, 3], [1, 1, 2]])
    swept = sweep(model, np.array([-0.5]), Feature(schema, 0, -2.0, 2.0))
    for of, said in (("order", " x ties with w."), ("first", " w and x share the first place.")):
        change = smallest_change(swept, of=of)
        assert change.limit == 0
        assert smallest_change_text(swept, change, of=of).plain("wxy").endswith(said)
    assert smallest_change(swept, of="order").is_tie
    back = sweep(model, np.array([0.5]), Feature(schema, 0, -2.0, 2.0))
    said = smallest_change_text(back, smallest_change(back)).plain("wxy")
    assert said.endswith(" w alone comes first.")
    assert first_places_text(back).plain("wxy") == (
        "First place by size: w up to 0, then w and x (tied)."
    )


def test_with_ties_no_change_and_first_places_are_said_of_all_that_share_the_place():
    data = tied_problem()
    Y = np.tile([1.0, 1.0, 2.0, 3.0], (60, 1))
    model = KNeighborsLabelRanker(3, ties="predict").fit(data.X, Y)
    swept = sweep(model, data.X[0], features_of(data)[0])
    said = smallest_change_text(swept, smallest_change(swept)).plain("wxyz")
    assert said.endswith("changes that w and x share the first place.")
    said = first_places_text(swept).plain("wxyz")
    assert said == "w and x share the first place whatever the value of size."


@pytest.mark.parametrize("key", ["knn", "forest"])
def test_a_map_of_predictions_with_ties_shows_all_labels_that_share_the_first_place(key):
    data = tied_problem()
    model = fitted(data, key, ties="predict")
    shown = top_map(model, data.X[2], *features_of(data), n_values=9)
    seen = set()
    for i, y in enumerate(shown.y_values):
        for j, value in enumerate(shown.x_values):
            order = bucket_orders(model, np.array([[value, y]]))[0]
            firsts = tuple(np.flatnonzero(order == 1).tolist())
            assert shown.firsts[shown.tops[i, j]] == firsts
            seen.add(firsts)
    assert any(len(firsts) > 1 for firsts in seen)
    assert shown.firsts[:4] == ((0,), (1,), (2,), (3,))
    assert set(shown.firsts[4:]) == {firsts for firsts in seen if len(firsts) > 1}
    names = dict(zip(shown.firsts, shown.names("wxyz"), strict=True))
    assert all(name == " = ".join("wxyz"[label] for label in f) for f, name in names.items())


def test_a_setting_of_the_path_is_swept_as_it_is_predicted():
    data = problem(Task.LABEL_RANKING, whole=False)
    model = fitted(data, "knn", n_neighbors=20)
    feature = features_of(data)[1]
    swept = sweep(model, data.X[0], feature, n_neighbors=3, aggregation="median")
    assert_pieces_hold(model, data.X[0], swept, n_neighbors=3, aggregation="median")


def test_partial_rankings_ask_wider_circles():
    full = problem(Task.LABEL_RANKING, whole=False, n_samples=150)
    Y = np.array(full.Y)
    rng = np.random.default_rng(2)
    for row in Y:
        left_out = rng.choice(4, rng.integers(0, 3), replace=False)
        row[left_out] = np.nan
        ranked = ~np.isnan(row)
        row[ranked] = row[ranked].argsort().argsort() + 1
    data = Dataset(
        X=full.X, Y=Y, task=full.task, schema=full.schema, feature_names=full.feature_names,
        label_names=full.label_names, name="partial",
    )  # fmt: skip
    model = fitted(data, "knn")
    for feature in features_of(data)[:2]:
        swept = sweep(model, data.X[5], feature)
        assert swept.is_exact
        assert_pieces_hold(model, data.X[5], swept)


def test_overtakes_lead_from_the_first_ranking_to_the_last():
    data = problem(Task.LABEL_RANKING, whole=False)
    swept = sweep(fitted(data, "forest"), data.X[0], features_of(data)[0])
    assert swept.overtakes
    ahead = {(i, j) for i in range(4) for j in range(4)
             if swept.pieces[0].positions[i] < swept.pieces[0].positions[j]}  # fmt: skip
    for overtake in swept.overtakes:
        assert (overtake.down, overtake.up) in ahead
        ahead.remove((overtake.down, overtake.up))
        ahead.add((overtake.up, overtake.down))
    last = swept.pieces[-1].positions
    assert ahead == {(i, j) for i in range(4) for j in range(4) if last[i] < last[j]}
    assert [o.value for o in swept.overtakes] == sorted(o.value for o in swept.overtakes)


@pytest.mark.parametrize("at_once", [10, 500])
@pytest.mark.parametrize("key", ["knn", "forest"])
def test_a_map_shows_the_first_label_of_every_pair_of_values(key, at_once, monkeypatch):
    monkeypatch.setattr(maps, "_AT_ONCE", at_once)
    data = problem(Task.LABEL_RANKING, whole=False)
    model = fitted(data, key)
    size, weight, colour, _ = features_of(data)
    shown = top_map(model, data.X[2], size, weight, n_values=7)
    assert shown.tops.shape == (7, 7)
    for i, y in enumerate(shown.y_values):
        for j, value in enumerate(shown.x_values):
            x = data.X[2].copy()
            x[:2] = value, y
            ((positions, _),) = predictions(model, x[None])
            assert shown.tops[i, j] == np.argmin(positions)
    counted = {label: (shown.tops == label).sum() / 49 for label in np.unique(shown.tops)}
    assert dict(shown.shares) == pytest.approx(counted)
    assert [share for _, share in shown.shares] == sorted(counted.values(), reverse=True)
    by_colour = top_map(model, data.X[2], size, colour, n_values=5)
    assert by_colour.tops.shape == (3, 5)
    assert by_colour.case_values == (data.X[2, 0], colour.value(data.X[2]))


def test_the_table_has_a_row_a_piece():
    data = problem(Task.LABEL_RANKING, whole=False)
    model = fitted(data, "forest")
    size, _, colour, _ = features_of(data)
    swept = sweep(model, data.X[0], size)
    table = swept.frame(data.label_names)
    assert list(table) == ["from", "to", "ranking", "this case"]
    assert len(table) == len(swept.pieces)
    assert table["this case"].sum() == 1
    assert sweep(model, data.X[0], colour).frame(data.label_names)["value"].tolist() == [
        "blue", "green", "red",
    ]  # fmt: skip


def test_a_value_outside_the_range_widens_it():
    data = problem(Task.LABEL_RANKING, whole=False)
    model = fitted(data, "knn")
    x, feature = data.X[0].copy(), features_of(data)[0]
    x[0] = feature.high + 5
    swept = sweep(model, x, feature)
    assert swept.pieces[-1].end == x[0]
    assert_pieces_hold(model, x, swept)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-2.0, 3.0)])
def test_of_a_column_with_two_values_no_other_is_tried(ends):
    data = problem(Task.LABEL_RANKING, whole=False)
    X = data.X.copy()
    X[:, 0] = np.where(X[:, 0] > np.median(X[:, 0]), *ends[::-1])
    data = replace(data, X=X)
    model = fitted(data, "knn")
    feature = features_of(data)[0]
    assert feature.is_binary
    assert not features_of(data)[1].is_binary
    changes = 0
    for x in data.X[:20]:
        swept = sweep(model, x, feature)
        assert swept.is_exact
        by_value = [model.predict(np.where(np.arange(len(x)) == 0, end, x)[None]) for end in ends]
        change = smallest_change(swept, of="order")
        assert (change is not None) == (by_value[0] != by_value[1]).any()
        assert len(swept.pieces) == 1 + (change is not None)
        if change is None:
            continue
        changes += 1
        assert (change.case_value, change.value) in [ends, ends[::-1]]
        assert change.limit == change.value
        words = smallest_change_text(swept, change, of="order").plain(data.label_names)
        assert f" from {change.case_value:g} to {change.value:g}, " in words
    assert changes


def test_sparse_features_have_ranges_too():
    full = problem(Task.MULTILABEL, whole=False)
    data = Dataset(
        X=sparse.csr_matrix(full.X), Y=full.Y, task=full.task, schema=full.schema,
        feature_names=full.feature_names, label_names=full.label_names, name="sparse",
    )  # fmt: skip
    assert features_of(data) == features_of(full)
    assert features_of(data, [1]) == features_of(full, [1])


def test_columns_that_never_vary_are_left_out():
    full = problem(Task.LABEL_RANKING, whole=False)
    X = full.X.copy()
    X[:, 0] = 3.0
    data = Dataset(
        X=X, Y=full.Y, task=full.task, schema=full.schema, feature_names=full.feature_names,
        label_names=full.label_names, name="constant",
    )  # fmt: skip
    assert [feature.column.name for feature in features_of(data)] == ["weight", "colour", "ripe"]


class TestWords:
    """1-NN on 0, 1, ..., 5: everything changes half-way between 2 and 3."""

    schema = Schema((Column("size"),))
    feature = Feature(schema, 0, 0.0, 5.0)
    X = np.arange(6.0)[:, None]

    def swept(self, model, at=1.0):
        return sweep(model, np.array([at]), self.feature)

    def test_of_first_places(self):
        model = KNeighborsLabelRanker(1).fit(self.X, [[1, 2]] * 3 + [[2, 1]] * 3)
        swept = self.swept(model)
        assert first_places_text(swept).plain("ab") == "First place by size: a up to 2.5, then b."
        said = smallest_change_text(swept, smallest_change(swept)).plain("ab")
        assert said == ("If size rises from 1 past 2.5 (30.0% of its range), b comes first.")
        down = self.swept(model, at=4.0)
        said = smallest_change_text(down, smallest_change(down)).plain("ab")
        assert "falls from 4 past 2.5" in said
        # Just between the rows at 2 and 3 the earlier row is the nearest, above it the later one.
        between = self.swept(model, at=2.5)
        said = smallest_change_text(between, smallest_change(between)).plain("ab")
        assert said == "If size is anything above 2.5, b comes first."

    def test_of_nothing_that_changes(self):
        model = KNeighborsLabelRanker(1).fit(self.X, [[1, 2]] * 6)
        swept = self.swept(model)
        assert first_places_text(swept).plain("ab") == "a comes first whatever the value of size."
        said = smallest_change_text(swept, None).plain("ab")
        assert said.startswith("No value of size in the range of the data puts a label other")

    def test_of_label_sets(self):
        model = KNeighborsMultilabelRanker(1).fit(self.X, [[1, 0]] * 3 + [[0, 1]] * 3)
        swept = self.swept(model)
        change = smallest_change(swept, of="relevant")
        said = smallest_change_text(swept, change, of="relevant").plain("ab")
        assert said == (
            "If size rises from 1 past 2.5 (30.0% of its range), b is predicted too and a no "
            "longer is."
        )
        assert smallest_change(swept, of="first").new_label == 1
        sets = [[1, 0, 1, 0]] * 3 + [[0, 1, 0, 1]] * 3
        swept = self.swept(KNeighborsMultilabelRanker(1).fit(self.X, sets))
        change = smallest_change(swept, of="relevant")
        said = smallest_change_text(swept, change, of="relevant").plain("abcd")
        assert said.endswith(", b, d are predicted too and a, c no longer are.")

    def test_of_a_resolution(self):
        X, Y = self.X, [[1, 2]] * 3 + [[2, 1]] * 3
        swept = self.swept(KNeighborsLabelRanker(2, weights="distance").fit(X, Y))
        said = resolution_text(swept)
        assert said.endswith("Values were tried in steps of 0.05; shorter stretches can be missed.")
        exact = self.swept(KNeighborsLabelRanker(2).fit(X, Y))
        assert coverage_text([exact]) == ""
        said = coverage_text([exact, swept])
        assert said == "Each range was tried in 100 steps; shorter stretches can be missed."

    def test_of_categories(self):
        schema = Schema((COLOURS,))
        X = np.eye(3)
        model = KNeighborsLabelRanker(1).fit(X, [[1, 2], [2, 1], [2, 1]])
        swept = sweep(model, X[0], Feature(schema, 0))
        said = first_places_text(swept).plain("ab")
        assert said == "First place by colour: a with blue, b with green / red."
        said = smallest_change_text(swept, smallest_change(swept)).plain("ab")
        assert said == ("If colour is green instead of blue, b comes first.")


def test_a_limit_is_written_with_the_digits_that_tell_it_from_the_own_value():
    feature = features_of(load_sample("iris"))[0]
    for own, limit, said in (
        (13.64, 13.6391, "13.639"),
        (13.64, 14, "14"),
        (20001.0, 20001.25, "20001.2"),
    ):
        change = Change(feature, case_value=own, value=limit, limit=limit, old_label=0, new_label=1)
        assert limit_text(change) == said


def test_who_overtakes_whom_is_said_label_by_label():
    """Before a > b > c, now c > a > b: c has passed both, its neighbour a named first."""
    names = ("a", "b", "c")
    before, now = np.array([1, 2, 3]), np.array([2, 3, 1])
    assert overtaking_text(before, now).plain(names) == "c overtakes a; c overtakes b."
    assert overtaking_text(before, before) is None


def test_a_tie_that_begins_or_ends_is_not_called_overtaking():
    """Mean ranks of a, b, c; labels that tie keep the order of the list of labels."""
    names = ("a", "b", "c")
    keys = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0]), np.array([3.0, 2.0, 1.0])
    places = np.array([1, 2, 3]), np.array([1, 2, 3]), np.array([3, 2, 1])
    assert overtaking_text(places[0], places[1], keys=keys[:2]) is None
    said = overtaking_text(places[1], places[2], keys=keys[1:])
    assert said.plain(names) == (
        "c goes ahead of b after a tie; b goes ahead of a after a tie; "
        "c goes ahead of a after a tie."
    )
    said = overtaking_text(places[2], places[1], keys=(keys[2], keys[1]))
    assert said.plain(names).startswith(
        "a draws level with b and wins the tie (first in the list of labels); "
    )


def test_labels_that_become_relevant_or_no_longer_are_said_after_those_that_overtake():
    names = ("a", "b", "c")
    same = np.array([1, 2, 3])
    sets = np.array([1, 0, 0]), np.array([0, 1, 1])
    said = overtaking_text(same, same, sets)
    assert said.plain(names) == "predicted now: b, c; no longer predicted: a."
    assert overtaking_text(same, same, (sets[0], sets[0])) is None


@pytest.mark.parametrize("at_once", [1, 200, 10_000])
def test_several_features_at_once_are_swept_as_each_on_its_own(monkeypatch, at_once):
    monkeypatch.setattr("labelrank_core.explain.what_if.sweeps._AT_ONCE", at_once)
    for key in ("knn", "forest", "mlknn"):
        data = problem(ALGORITHMS[key].tasks[0], whole=False)
        model, features = fitted(data, key), features_of(data)
        for together, feature in zip(sweep_all(model, data.X[3], features), features, strict=True):
            alone = sweep(model, data.X[3], feature)
            assert together.feature is feature
            assert together.step == alone.step
            assert together.frame(data.label_names).equals(alone.frame(data.label_names))
