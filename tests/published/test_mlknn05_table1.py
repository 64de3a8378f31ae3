"""Table I of M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label
classification (2005): ML-kNN on the yeast data, 1500 training and 917 test genes.

Every number is met within 0.003 (Hamming loss, ranking loss, average precision) or 0.02 (one-error,
coverage).
"""

import pytest

from labelrank_core import MLkNNClassifier, load_sample
from labelrank_core.metrics import METRICS

TABLE_1 = {
    6: (0.197, 0.241, 6.374, 0.170, 0.758),
    7: (0.197, 0.239, 6.302, 0.168, 0.761),
    8: (0.197, 0.248, 6.357, 0.171, 0.756),
    9: (0.197, 0.251, 6.424, 0.173, 0.755),
}
TOLERANCES = {
    "hamming_loss": 0.003,
    "one_error": 0.02,
    "coverage_error": 0.02,
    "ranking_loss": 0.003,
    "average_precision_score": 0.003,
}


@pytest.fixture(scope="module")
def yeast():
    data = load_sample("yeast")
    return data.X, data.relevance, data.split


@pytest.fixture(scope="module")
def path(yeast):
    X, relevance, test = yeast
    return MLkNNClassifier(n_neighbors=9).fit(X[~test], relevance[~test]).path(X[test])


@pytest.mark.parametrize("k", TABLE_1)
def test_table_1(k, path, yeast):
    _, relevance, test = yeast
    point = path.at(n_neighbors=k)
    for (key, tolerance), printed in zip(TOLERANCES.items(), TABLE_1[k], strict=True):
        measure = METRICS[key]
        predicted = point.prediction if measure.input == "relevance" else point.scores
        value = measure.mean(relevance[test], predicted)
        assert value == pytest.approx(printed, abs=tolerance), key
