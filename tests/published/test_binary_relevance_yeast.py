"""Binary relevance on yeast's published split, 1500 training and 917 test rows.

Measured outside the project with scikit-learn's untuned machines (Gaussian kernel, C = 1, features
standardised): Hamming loss .187, ranking loss .169, average precision .768. Tables 1 and 2 of
MLR-07, which compare linear and polynomial machines, are not in the text at hand.
"""

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import BinaryRelevanceClassifier, load_sample
from labelrank_core.metrics import average_precision_score, hamming_loss, ranking_loss


def test_untuned_machines_are_as_good_as_measured_elsewhere():
    data = load_sample("yeast")
    train, test = ~data.split, data.split
    assert (train.sum(), test.sum()) == (1500, 917)
    model = make_pipeline(StandardScaler(), BinaryRelevanceClassifier(kernel="rbf"))
    model.fit(data.X[train], data.relevance[train])
    truth, scores = data.relevance[test], model.decision_function(data.X[test])
    assert hamming_loss(truth, model.predict(data.X[test])) == pytest.approx(0.187, abs=5e-4)
    assert ranking_loss(truth, scores) == pytest.approx(0.169, abs=5e-4)
    assert average_precision_score(truth, scores) == pytest.approx(0.768, abs=5e-4)
