"""A case's confidence is compared with those of test cases as the same model predicts them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.methods import ModelChoice
from pages.ui.results import evaluations, models
from pages.ui.view import View
from tests.app.visits import drawn, sentences, session


@pytest.mark.parametrize(("name", "key"), [("election", "knn"), ("yeast", "mlr")])
def test_the_others_are_test_cases_at_even_distances_as_the_model_predicts_them(name, key):
    data = load_sample(name)
    split = holdout_split(data)
    row = int(split.test[0])
    asked = View(data, ModelChoice(key), split, row, {})
    compared = evaluations.quick_confidences(asked)
    confidences = compared.confidences
    assert min(len(split.test) - 1, 150) <= len(confidences) <= 300
    others = split.test[:: -(-len(split.test) // 300)][1:]
    assert compared.rows.tolist() == others.tolist()
    of_each = models.case(replace(asked, row=int(others[1]))).explanation
    (own,) = (s.evidence for s in of_each.steps if s.title == "Confidence")
    assert np.isclose(confidences[1], own.value)


@pytest.mark.parametrize(("name", "key"), [("election", "knn"), ("election", "forest")])
def test_another_setting_predicts_the_test_rows_as_when_they_are_measured(name, key, monkeypatch):
    data = load_sample(name)
    split = holdout_split(data)
    main = ModelChoice(key).algorithm.knobs[0].name
    monkeypatch.setattr(evaluations, "of_method", None)
    found = [
        evaluations.predictions(
            View(data, ModelChoice(key, ((main, value),)), split, int(split.test[0]), {}), split
        )
        for value in (3, 20)
    ]
    monkeypatch.undo()
    for value, quick in zip((3, 20), found, strict=True):
        choice = ModelChoice(key, ((main, value),))
        measured = evaluations.of_method(data, choice, split).predictions
        assert np.array_equal(quick.positions, measured.positions)
        assert np.allclose(quick.confidence, measured.confidence)
    assert not np.array_equal(found[0].positions, found[1].positions)


def test_of_a_single_test_case_there_is_nothing_to_compare_with():
    data = load_sample("election")
    split = replace(holdout_split(data), test=np.array([5]))
    asked = View(data, ModelChoice("knn"), split, 5, {})
    assert evaluations.quick_confidences(asked) is None


@pytest.mark.parametrize(("row", "method"), [(3, "k-NN multilabel ranking"), (2, "ML-kNN")])
def test_how_sure_counts_the_same_cases_as_the_card_above_it(row, method):
    app = session(data="yeast", method=method, row=str(row), view="How sure")
    said = " ".join(sentences(app))
    n, n_tests = re.search(r"compared with (\d+) of the (\d+) test genes:", said).groups()
    assert n_tests == "917"
    less = re.search(r">(\d+) less sure<", " ".join(drawn(app)))[1]
    below, of = re.search(r"(\d+) of (\d+) other test genes are less sure", said).groups()
    assert (of, below) == (n, less)
