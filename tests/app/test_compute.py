"""What is kept between runs is never shown for other data, methods or cases."""

import gc
import sys
from pathlib import Path
from threading import Thread
from time import monotonic

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from labelrank_core import Dataset, KNeighborsLabelRanker, Task, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.methods import ModelChoice
from pages.ui import compute
from pages.ui.results import evaluations, models
from pages.ui.view import View
from tests import core_says
from tests.app import visits

CHOICE = ModelChoice("knn", (("n_neighbors", 3),))


@pytest.fixture(scope="module")
def big():
    """600 000 cells, of which Streamlit would hash a sample."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 100))
    return X, np.argsort(rng.normal(size=(6000, 3)), axis=1) + 1


def dataset(X, Y):
    return Dataset(
        X=X,
        Y=Y,
        task=Task.LABEL_RANKING,
        feature_names=[f"f{j}" for j in range(X.shape[1])],
        label_names=["a", "b", "c"],
        name="big",
    )


def neighbors(data, row=0):
    case = models.case(View(data, CHOICE, holdout_split(data), row, {}))
    found = case.explanation.evidence(Neighbors)
    return case.training_rows[found.rows], found.distances


def test_one_changed_cell_of_large_data_is_noticed(big):
    X, Y = big
    rows, distances = neighbors(dataset(X, Y))
    for column in (0, 57, 99):
        changed = X.copy()
        changed[rows[0], column] += 1000
        others, _ = neighbors(dataset(changed, Y))
        assert rows[0] not in others
        own = X.copy()
        own[0, column] += 1
        assert not np.allclose(neighbors(dataset(own, Y))[1], distances)


def test_one_changed_target_of_large_data_is_noticed(big):
    X, Y = big
    data = dataset(X, Y)
    split, row = holdout_split(data), 17
    before = evaluations.of_method(data, CHOICE, split).values["kendall_tau_score"]
    changed = Y.copy()
    tested = split.test[row]
    changed[tested] = 4 - changed[tested]
    after = evaluations.of_method(dataset(X, changed), CHOICE, split).values["kendall_tau_score"]
    assert after[row] == pytest.approx(-before[row])
    assert np.delete(after, row) == pytest.approx(np.delete(before, row))


def test_a_case_of_the_training_part_is_predicted_without_itself():
    iris = load_sample("iris")
    split = holdout_split(iris)
    for row in (*split.train[:3], *split.test[:3]):
        rows, _ = neighbors(iris, int(row))
        assert row not in rows
        assert rows.tolist() == [
            n - 1 for n in core_says.neighbor_rows(iris, int(row) + 1, n_neighbors=3)
        ]


def test_every_part_of_the_choice_reaches_the_model():
    glass = load_sample("glass")
    split = holdout_split(glass)
    settings = {"n_neighbors": 6, "aggregation": "median", "metric": "manhattan"}
    for params in (settings, {**settings, "weights": "distance"}, {**settings, "n_neighbors": 9}):
        for scaled in (True, False):
            choice = ModelChoice("knn", tuple(sorted(params.items())), scaled)
            shown = models.case(View(glass, choice, split, 4, {})).explanation
            expected = core_says.explanation(glass, 5, split=split, scaled=scaled, **params)
            assert shown.prediction.tolist() == expected.prediction.tolist()
            assert shown.summary.plain(glass.label_names) == expected.summary.plain(
                glass.label_names
            )


@pytest.fixture
def fits(monkeypatch):
    """Training cases of every fit of a label ranker by neighbours, with the threads of BLAS."""
    noted, fit = [], KNeighborsLabelRanker.fit

    def noting(self, X, Y):
        threads = {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}
        # The baseline that copies the nearest case asks one.
        if self.n_neighbors > 1:
            noted.append((len(X), threads))
        return fit(self, X, Y)

    monkeypatch.setattr(KNeighborsLabelRanker, "fit", noting)
    compute._cache.clear()
    return noted


def test_pages_share_the_model_of_a_training_set_whatever_the_sliders_say(fits):
    # The case that iris opens with is a test row.
    app = visits.session(data="iris")
    for k in (3, 8):
        visits.ran(app.slider(key="knn_n_neighbors").set_value(k).run())
        for page in ("predict", "evaluate", "confidence"):
            visits.go_to(app, f"pages/{page}/page.py")
    visits.ran(app.segmented_control(key="held_back").set_value("Pairs").run())
    assert [n for n, _ in fits] == [105]
    # A training row is predicted by a model that has not seen it.
    row = int(holdout_split(load_sample("iris")).train[0]) + 1
    visits.ran(app.number_input(key="row").set_value(row).run())
    assert [n for n, _ in fits] == [105, 104]


def test_fits_of_the_app_use_one_thread_each(fits):
    # Of several threads that set limits only the first has its way, as long as it lives.
    others = Thread(target=threadpool_limits, args=(2, "blas"))
    others.start()
    others.join()
    compute.prepare_process.clear()
    visits.session(data="iris")
    assert [threads for _, threads in fits] == [{1}]


def test_garbage_is_collected_now_and_then_instead_of_after_every_run(monkeypatch):
    collected, collect = [], gc.collect
    monkeypatch.setattr(
        gc, "collect", lambda *args: collected.append(monotonic()) or collect(*args)
    )
    app = visits.session(data="iris")
    compute.tidy.clear()
    for _ in range(3):
        visits.ran(app.run())
    assert collected
    assert (np.diff(collected) >= 19).all()


def resident_bytes():
    lines = Path("/proc/self/status").read_text().splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith("VmRSS:"))
    return int(size) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel's sizes of this process")
def test_memory_of_uploads_that_are_gone_goes_back_to_the_system():
    # From then on blocks of up to 30 MB come from the heap, which shrinks from its end alone.
    large = b"x" * (30 << 20)
    del large
    uploads = [b"x" * (4 << 20) for _ in range(50)]
    at_the_end = b"x" * (1 << 20)
    before = resident_bytes()
    del uploads
    compute.tidy.clear()
    compute.tidy()
    assert at_the_end
    assert before - resident_bytes() > 40 * (4 << 20)


def test_edits_are_part_of_what_is_kept():
    iris = load_sample("iris")
    split = holdout_split(iris)
    for edits in ({}, {2: 6.9}, {2: 1.0}, {3: 6.9}, {}):
        case = models.case(View(iris, CHOICE, split, 72, edits))
        expected = core_says.explanation(iris, 73, edits=edits, n_neighbors=3)
        assert case.explanation.prediction.tolist() == expected.prediction.tolist()
        assert case.x.tolist() == [edits.get(j, value) for j, value in enumerate(iris.X[72])]


def test_values_that_read_alike_have_different_keys():
    assert compute.digest("a", "b") != compute.digest("ab")
    assert compute.digest(("a", "b"), "c") != compute.digest("a", ("b", "c"))
    assert compute.digest(1) != compute.digest("1")


def test_the_cache_drops_what_was_not_used_for_longest_when_bytes_run_out():
    cache = compute.ByteBoundedCache(100)
    made = []

    def get(key, size=40):
        return cache.get(key, size, lambda: made.append(key) or key.upper())

    assert [get("a"), get("b"), get("a")] == ["A", "B", "A"]
    get("c")  # 120 bytes: b goes, it is the longest unused
    assert made == ["a", "b", "c"]
    get("a")
    assert made == ["a", "b", "c"]
    get("b")
    assert made == ["a", "b", "c", "b"]


def test_two_results_larger_than_half_the_cache_are_kept_beside_the_others():
    cache = compute.ByteBoundedCache(100)
    cache.get("small", 10, lambda: 1)
    assert cache.get("large", 60, lambda: 2) == 2
    assert cache.get("larger", 2000, lambda: 3) == 3
    for name, value in (("large", 2), ("larger", 3), ("large", 2), ("small", 1)):
        assert cache.get(name, None, lambda: pytest.fail("made again")) == value
    assert cache.get("largest", 3000, lambda: 4) == 4
    assert cache.get("large", 60, lambda: 5) == 2
    assert cache.get("larger", 2000, lambda: 6) == 6
    assert cache.get("small", 10, lambda: 7) == 1
