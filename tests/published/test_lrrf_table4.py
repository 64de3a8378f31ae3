"""Table 4 (complete rankings) of Zhou and Qiu, Random forest for label ranking, column LR-RF.

Kendall's tau in 10-fold cross-validation, one repetition where the paper has five. Nine of its 16
sets are at hand. `pytest -m slow -s` prints every number.

Tables 5 and 6 (labels deleted with probability 0.3 and 0.6) are no target: the authors' program
grows its trees on the complete rankings and deletes labels only when they vote. Here they are
deleted from the training part, for good; the means to reach are the project's own.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, LabelRankingForest
from labelrank_core.methods.trees import VARIANTS
from labelrank_core.methods.trees._completion import generalised_borda
from labelrank_core.metrics import kendall_tau_score
from labelrank_core.papers import find_table
from labelrank_core.rankings import dense_positions, strict_positions

pytestmark = pytest.mark.slow

SETS = ("bodyfat", "glass", "housing", "iris", "segment", "stock", "vehicle", "vowel", "wine")
PRINTED = {
    cell.data: cell.value
    for cell in find_table("lrrf", "4").cells
    if cell.column == "LR-RF" and cell.data in SETS
}


class GeneralisedBorda(KNeighborsLabelRanker):
    """k-NN on Definition 2's scores: a missing label gets the middle one."""

    def fit(self, X, Y):
        self._scores = -generalised_borda(Y)
        return super().fit(X, Y)

    def score(self, X, Y):
        rows = self.path(X).rows[:, : self.n_neighbors]
        return kendall_tau_score(Y, strict_positions(-self._scores[rows].sum(axis=1)))


def cross_validated(folder, name, model, missing=0.0):
    """Mean tau over ten folds; training labels are deleted with probability `missing`."""
    table = pd.read_csv(folder / "kebi" / f"{name}.csv")
    X = table.filter(regex="^A").to_numpy()
    Y = table.filter(regex="^L").to_numpy(dtype=float)
    scores = []
    for fold, (train, test) in enumerate(KFold(10, shuffle=True, random_state=0).split(X)):
        kept = np.random.default_rng(fold).random(Y[train].shape) >= missing
        rankings = dense_positions(np.where(kept, Y[train], np.nan))
        scores.append(model.fit(X[train], rankings).score(X[test], Y[test]))
    return float(np.mean(scores))


def all_sets(title, folder, missing=0.0, **params):
    return of_model(title, folder, LabelRankingForest(n_jobs=-1, **params), missing)


def of_model(title, folder, model, missing):
    found = {name: cross_validated(folder, name, model, missing) for name in PRINTED}
    lines = [f"{name:8} {tau:.4f}  printed {PRINTED[name]:.3f}" for name, tau in found.items()]
    mean, printed = np.mean(list(found.values())), np.mean(list(PRINTED.values()))
    print("", title, *lines, f"mean     {mean:.4f}  printed {printed:.4f}", sep="\n")  # noqa: T201
    return found, mean


def test_the_authors_program_is_at_most_two_hundredths_below_the_print(benchmark_data):
    found, _ = all_sets("program", benchmark_data, **VARIANTS["program"])
    below = {name: PRINTED[name] - tau for name, tau in found.items() if PRINTED[name] - tau > 0.02}
    assert not below


def test_the_default_is_above_the_print_on_average(benchmark_data):
    _, mean = all_sets("default", benchmark_data)
    assert mean >= 0.835


def test_the_papers_text_does_not_give_its_numbers(benchmark_data):
    _, mean = all_sets("the text: first label as class", benchmark_data, **VARIANTS["paper"])
    assert mean < np.mean(list(PRINTED.values())) - 0.03


@pytest.mark.parametrize(("missing", "least"), [(0.3, 0.81), (0.6, 0.765)])
def test_completed_rankings_reach_the_projects_means_and_beat_definition_2(
    benchmark_data, missing, least
):
    _, mean = all_sets(f"default, p0 = {missing}", benchmark_data, missing)
    title = f"Definition 2, p0 = {missing}"
    _, middle = all_sets(title, benchmark_data, missing, completion_rounds=0)
    assert mean >= least
    assert mean > middle + 0.02


@pytest.mark.parametrize(
    ("missing", "k", "least"),
    [(0.3, 5, 0.785), (0.3, 20, 0.765), (0.6, 5, 0.735), (0.6, 20, 0.725)],
)
def test_nearest_neighbours_clearly_beat_generalised_borda(benchmark_data, missing, k, least):
    model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(k))
    _, mean = of_model(f"k-NN, k = {k}, p0 = {missing}", benchmark_data, model, missing)
    middle = make_pipeline(StandardScaler(), GeneralisedBorda(k))
    title = f"k-NN, k = {k}, Definition 2, p0 = {missing}"
    _, other = of_model(title, benchmark_data, middle, missing)
    assert mean >= least
    assert mean > other + 0.005
