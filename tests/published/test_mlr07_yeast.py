"""Fig. 1 of MLR-07 on yeast, 1500 training and 917 test rows.

The text holds only the figure's axes (Hamming loss 0.19 to 0.28). The values are SPEC's
measurements, to the digits given there.
"""

import numpy as np
import pytest

from labelrank_core import KNeighborsMultilabelRanker, load_sample
from labelrank_core.data.splits import Fold, holdout_split
from labelrank_core.evaluation.sensitivity import sweep_parameters
from labelrank_core.evaluation.sensitivity.figures import figures_for
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import hamming_loss

N_LABELS = 14
VIRTUAL_LABELS = [1, 2, 4, 8, 16, 32, 64, 128]


def read_arff(path):
    """A dense file of nothing but numbers, the labels last."""
    _, data = path.read_text().lower().split("@data")
    values = np.array([line.split(",") for line in data.split()], dtype=float)
    return values[:, :-N_LABELS], values[:, -N_LABELS:]


def of_the_figure():
    """Hamming loss for each (k, p), as the page Sensitivity has it, unscaled."""
    data = load_sample("yeast")
    fold = Fold(0, 0, holdout_split(data, kind="published"))
    found = sweep_parameters(
        data,
        ModelChoice("mlr", (("tie_breaking", "label_index"),), scaled=False),
        grid=figures_for(ALGORITHMS["mlr"])[0].grid(1500),
        folds=[fold],
        measures=["hamming_loss"],
    )
    return dict(zip(found.settings, found.values[0, :, 0], strict=True))


@pytest.fixture(scope="module", params=["published files", "sample", "figure"])
def losses(request):
    """Hamming loss for each (k, p)."""
    if request.param == "figure":
        return of_the_figure()
    if request.param == "sample":
        data = load_sample("yeast")
        X, Y = data.X[~data.split], data.relevance[~data.split]
        queries, truth = data.X[data.split], data.relevance[data.split]
    else:
        folder = request.getfixturevalue("benchmark_data") / "mulan"
        X, Y = read_arff(folder / "yeast-train.arff")
        queries, truth = read_arff(folder / "yeast-test.arff")
    assert (X.shape, queries.shape) == ((1500, 103), (917, 103))
    model = KNeighborsMultilabelRanker(tie_breaking="label_index")
    path = model.fit(X, Y).path(queries, n_neighbors=49)
    return {
        (k, p): hamming_loss(truth, path.at(n_neighbors=k, n_virtual_labels=p).prediction)
        for k in range(1, 50, 2)
        for p in VIRTUAL_LABELS
    }


@pytest.mark.parametrize(
    ("k", "p", "expected", "digits"),
    [(13, 1, 0.220, 3), (13, 128, 0.202, 3), (25, 1, 0.2205, 4), (25, 128, 0.2014, 4)],
)
def test_a_wider_gap_lowers_the_loss(losses, k, p, expected, digits):
    assert round(losses[k, p], digits) == expected


def test_with_one_neighbour_p_changes_nothing(losses):
    assert {round(losses[1, p], 4) for p in VIRTUAL_LABELS} == {0.2447}


def test_the_loss_does_not_fall_with_p_everywhere(losses):
    values = [round(losses[5, p], 4) for p in VIRTUAL_LABELS]
    assert (values[0], max(values), values[-1]) == (0.2184, values[2], 0.2091)
    assert values[2] == 0.2195


def test_all_values_lie_on_the_axes_of_the_figure(losses):
    assert min(losses.values()) >= 0.19
    assert max(losses.values()) <= 0.28
