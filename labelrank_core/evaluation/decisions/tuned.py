"""Decision rules tuned inside a training set and measured on a test set."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.decisions.rules import (
    OWN,
    PLAIN,
    TARGETS,
    DecisionRule,
    PredictedSets,
    fit_rule,
)
from labelrank_core.evaluation.decisions.trade_off import MEASURES, trade_off, zero_line_path
from labelrank_core.explain.capabilities import Point, Ranker, method_of
from labelrank_core.explain.predictions import bare_model, last_step, predict_cases
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import FloatArray, IntArray

# The quantiles of a label's scores that are tabulated.
_SPAN = (0.1, 0.9)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Rules tuned on a training set, with the scores they were tuned on and are tested on."""

    # The method's own, a zero line at 0 where that differs, and one for each of `TARGETS`.
    rules: tuple[DecisionRule, ...]
    # Of the training cases, out of fold: by models that have not seen them.
    unseen_scores: FloatArray
    unseen_relevance: IntArray
    # Of the test cases, by the model of the whole training set.
    scores: FloatArray
    relevance: IntArray
    # The model's own ranking of them, which orders labels of one score; None: their indices do.
    positions: IntArray | None = None
    # Of the test cases, by the settings of the method that decide on sets as a whole.
    set_rules: tuple[PredictedSets, ...] = ()
    # See `zero_line_path`.
    zero_line: pd.DataFrame | None = None

    def rule(self, key: str) -> DecisionRule:
        """Return one of the rules; the method's own for ``"plain"`` if that is the same rule."""
        return next((rule for rule in self.rules if rule.key == key), self.rules[0])

    def frame(self) -> pd.DataFrame:
        """Measure every rule on the test cases, as `trade_off` does."""
        return self._table.copy()

    @cached_property
    def _table(self) -> pd.DataFrame:
        rules = (*self.rules, *self.set_rules)
        return trade_off(rules, self.scores, self.relevance, self.positions)

    def against_own(self, key: str) -> pd.DataFrame:
        """Compare a rule with the method's own on the test cases; a gain is positive if better."""
        table = self._table.set_index("rule")
        own_row, rule_row = table.loc[OWN], table.loc[self.rule(key).key]
        return pd.DataFrame(
            [
                {
                    "measure": measure.key,
                    "title": measure.title,
                    "greater_is_better": measure.greater_is_better,
                    "own": own_row[measure.key],
                    "value": rule_row[measure.key],
                    "gain": (rule_row[measure.key] - own_row[measure.key])
                    * (1 if measure.greater_is_better else -1),
                }
                for measure in (METRICS[key] for key in MEASURES)
            ]
        )

    def label_frame(self, key: str, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the labels' thresholds, frequencies, and scores of cases with and without them.

        ``with_low`` to ``with_high`` holds the middle 80 % of the unseen training cases that have
        the label, ``without_low`` to ``without_high`` of those that do not. The own threshold is
        NaN where the method decides on sets as a whole.
        """
        rule, own_rule = self.rule(key), self.rule(OWN)
        has = self.unseen_relevance == 1
        spans = {
            f"{name}_{end}": [
                np.quantile(column[rows], share) if rows.any() else np.nan
                for column, rows in zip(self.unseen_scores.T, mask.T, strict=True)
            ]
            for name, mask in (("with", has), ("without", ~has))
            for end, share in zip(("low", "high"), _SPAN, strict=True)
        }
        return pd.DataFrame(
            {
                "label": list(label_names),
                "threshold": rule.thresholds,
                "own_threshold": own_rule.thresholds,
                "frequency": self.relevance.mean(axis=0),
                "predicted": rule.decide(self.scores).mean(axis=0),
                "own_predicted": own_rule.decide(self.scores).mean(axis=0),
                **spans,
            }
        )


def raw_scores(model: Ranker, X: Any) -> FloatArray:
    """Score the labels of some cases, before any threshold.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        One with ``raw_scores`` or, if no label has a threshold of its own, ``decision_function``.
    X : array-like or CSR matrix of shape (n_samples, n_features)
        Cases.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        Higher = better.

    Raises
    ------
    ValueError
        If the model does not score labels.
    """
    if not method_of(last_step(model), "decision_function"):
        raise ValueError(f"Expected a model that scores labels, got {last_step(model)}.")
    return _scored(model, X)[0]


def _scored(model: Ranker, X: Any) -> tuple[FloatArray, NDArray[Any]]:
    """Return the scores before any threshold, and the ranking predicted."""
    predicted = predict_cases(model, X, task=Task.MULTILABEL)
    raw = predicted.scores if predicted.raw_scores is None else predicted.raw_scores
    return np.asarray(raw), np.asarray(predicted.positions)


def tuned_rules(
    choice: ModelChoice,
    dataset: Dataset,
    split: Split,
    *,
    n_folds: int = 5,
    seed: int = 0,
    full_model: Any = None,
) -> Decisions:
    """Tune a rule for every target inside the training set, and score the test set.

    The training set is divided into folds at random; each is scored by a model trained on the
    others. If they have fewer cases than the neighbours chosen, all of them are neighbours.

    Parameters
    ----------
    choice : ModelChoice
        A multi-label ranker.
    dataset : Dataset
        Data with a zero line.
    split : Split
        The training set, at least two rows, and the test set, which tunes nothing.
    n_folds : int, default=5
        Folds of the training set, at least 2; no more than it has rows.
    seed : int, default=0
        The same seed gives the same folds.
    full_model : fitted estimator or Pipeline, default=None
        A model of the whole training set whose path reaches the method's setting; None: one is
        fitted.

    Returns
    -------
    Decisions
        The rules and the scores.

    Raises
    ------
    ValueError
        If the data have no zero line, the method does not score labels or there is a single
        training row.

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> from labelrank_core.data.splits import holdout_split
    >>> data = load_sample("outings")
    >>> choice = ModelChoice("mlr", (("n_neighbors", 5),))
    >>> decisions = tuned_rules(choice, data, holdout_split(data))
    >>> decisions.rule("hamming").decide(decisions.scores).shape == decisions.relevance.shape
    True
    """
    train, relevance = split.train, dataset.relevance
    if len(train) < 2:
        raise ValueError("Expected at least two training rows to divide into folds, got 1.")

    def fitted(rows: IntArray) -> Any:
        model = choice.within(len(rows)).build(is_sparse=dataset.is_sparse)
        return model.fit(dataset.X[rows], dataset.zero_line_targets(rows))

    unseen = np.empty((len(train), dataset.n_labels))
    ranked = np.empty(unseen.shape, dtype=np.int64)
    folds = KFold(min(n_folds, len(train)), shuffle=True, random_state=seed)
    for fold_train, fold in folds.split(train):
        unseen[fold], ranked[fold] = _scored(fitted(train[fold_train]), dataset.X[train[fold]])
    full_choice, zeros = choice.within(len(train)), np.zeros(dataset.n_labels)
    full_model = fitted(train) if full_model is None else full_model
    estimator, tests = bare_model(full_model, dataset.X[split.test])
    point = estimator.point(tests, **full_choice.path_params)
    own_rule = _own_rule(point)
    plain = [DecisionRule(PLAIN, "zero line at 0", zeros)] if own_rule.thresholds.any() else []
    tuned = (
        fit_rule(unseen, relevance[train], target=target, positions=ranked) for target in TARGETS
    )
    decisions = Decisions(
        rules=(own_rule, *plain, *tuned),
        unseen_scores=unseen,
        unseen_relevance=relevance[train],
        scores=np.asarray(point.raw_scores),
        relevance=relevance[split.test],
        positions=np.asarray(point.positions),
        set_rules=_set_rules(full_choice, estimator, tests),
        zero_line=zero_line_path(full_choice, full_model, dataset, split.test),
    )
    # Computed here and kept, so that the time is spent in the job and not on the page.
    decisions.frame()
    return decisions


def _own_rule(point: Point) -> DecisionRule:
    if point.decides_whole_sets:
        return _predicted_sets(OWN, "own rule", point)
    return DecisionRule(OWN, "own rule", np.asarray(point.thresholds))


def _predicted_sets(key: str, title: str, point: Point) -> PredictedSets:
    sets, positions = np.asarray(point.prediction), np.asarray(point.positions)
    return PredictedSets(key, title, np.full(sets.shape[1], np.nan), None, sets, positions)


def _set_rules(choice: ModelChoice, estimator: Any, cases: Any) -> tuple[PredictedSets, ...]:
    """Predict with every setting of the path that decides on sets as a whole for a measure."""
    rules = []
    for knob in choice.algorithm.path_knobs.values():
        for value, measure in knob.serves:
            point = estimator.point(cases, **{**choice.path_params, knob.name: value})
            if point.decides_whole_sets:
                title = f"{METRICS[measure].title}, by whole sets"
                rules.append(_predicted_sets(f"sets_{value}", title, point))
    return tuple(rules)
