"""Rules tuned inside a training part, and what they do on a test part."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.decisions._rules import OWN, PLAIN, TARGETS, DecisionRule, fit_rule
from labelrank_core.evaluation.decisions._trade_off import MEASURES, along_zero_line, trade_off
from labelrank_core.explain.predictions import last_step, predict_cases
from labelrank_core.methods.catalog import algorithm_of
from labelrank_core.methods.choices import within_cases
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import FloatArray, IntArray

# Between which shares of the cases a label's scores are tabulated.
_SPAN = (0.1, 0.9)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Rules tuned on a training part, with the scores they were tuned on and are tried on.

    Parameters
    ----------
    rules : tuple of DecisionRule
        The method's own rule; a zero line at 0 where that is another one; one for each of
        `TARGETS`.
    unseen_scores : ndarray of shape (n_train, n_labels)
        Scores of the training cases by models that have not seen them.
    unseen_relevance : ndarray of shape (n_train, n_labels)
        Their true relevance.
    scores : ndarray of shape (n_test, n_labels)
        Scores of the test cases by the model of the whole training part.
    relevance : ndarray of shape (n_test, n_labels)
        Their true relevance.
    zero_line : DataFrame or None
        Measures on the test cases while a parameter, the first column, moves the zero line; None:
        the method has none that does.
    """

    rules: tuple[DecisionRule, ...]
    unseen_scores: FloatArray
    unseen_relevance: IntArray
    scores: FloatArray
    relevance: IntArray
    zero_line: pd.DataFrame | None = None

    def rule(self, key: str) -> DecisionRule:
        """Return one of the rules.

        Parameters
        ----------
        key : str
            One of `TARGETS`, ``"own"``, or ``"plain"``, which is the own one where there is no
            other.

        Returns
        -------
        DecisionRule
            The rule.
        """
        return next((rule for rule in self.rules if rule.key == key), self.rules[0])

    def frame(self) -> pd.DataFrame:
        """Measure every rule on the test cases.

        Returns
        -------
        DataFrame
            As `trade_off` returns it.
        """
        return self._table.copy()

    @cached_property
    def _table(self) -> pd.DataFrame:
        return trade_off(self.rules, self.scores, self.relevance)

    def against_own(self, key: str) -> pd.DataFrame:
        """Compare a rule with the method's own on the test cases.

        Parameters
        ----------
        key : str
            The rule.

        Returns
        -------
        DataFrame
            One row for each of `MEASURES`: ``measure, title, greater_is_better, own, value`` and
            ``gain``, positive where the rule is better.
        """
        table = self._table.set_index("rule")
        own, tried = table.loc[OWN], table.loc[self.rule(key).key]
        return pd.DataFrame(
            [
                {
                    "measure": measure.key,
                    "title": measure.title,
                    "greater_is_better": measure.greater_is_better,
                    "own": own[measure.key],
                    "value": tried[measure.key],
                    "gain": (tried[measure.key] - own[measure.key])
                    * (1 if measure.greater_is_better else -1),
                }
                for measure in (METRICS[key] for key in MEASURES)
            ]
        )

    def label_frame(self, key: str, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate a rule's thresholds beside the scores they divide.

        Parameters
        ----------
        key : str
            The rule.
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a label: ``label, threshold, own_threshold``; the share of test cases that
            have it and for which either rule predicts it: ``frequency, predicted,
            own_predicted``; and between which scores the middle 80 % of the unseen training cases
            lie that have it and that do not: ``with_low, with_high, without_low, without_high``.
        """
        rule, own = self.rule(key), self.rule(OWN)
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
                "own_threshold": own.thresholds,
                "frequency": self.relevance.mean(axis=0),
                "predicted": rule.decide(self.scores).mean(axis=0),
                "own_predicted": own.decide(self.scores).mean(axis=0),
                **spans,
            }
        )


def case_scores(model: Any, X: Any) -> FloatArray:
    """Score the labels of some cases, before any threshold.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        One with ``decision_function``; where its estimator has ``thresholds_``, they are not yet
        subtracted from what is returned.
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
    if not hasattr(last_step(model), "decision_function"):
        raise ValueError(f"Expected a model that scores labels, got {last_step(model)}.")
    scores = np.asarray(predict_cases(model, X, task=Task.MULTILABEL).scores)
    return scores + _own_thresholds(model, scores.shape[1])


def _own_thresholds(model: Any, n_labels: int) -> FloatArray:
    return np.asarray(getattr(last_step(model), "thresholds_", np.zeros(n_labels)))


def tuned_rules(
    model: Any, dataset: Dataset, split: Split, *, n_folds: int = 5, seed: int = 0
) -> Decisions:
    """Tune a rule for every target inside the training part, and score the test part.

    The training part is divided into folds at random; each is scored by a copy of the model
    trained on the others, with all of them for neighbours where it has more than there are.

    Parameters
    ----------
    model : estimator or Pipeline
        A multi-label ranker, left as it is.
    dataset : Dataset
        Data with a zero line.
    split : Split
        The training part, at least two rows, and the test part, which tunes nothing.
    n_folds : int, default=5
        Folds of the training part, at least 2; no more than it has rows.
    seed : int, default=0
        The same seed gives the same folds.

    Returns
    -------
    Decisions
        The rules and the scores.

    Raises
    ------
    ValueError
        If the data have no zero line, the model does not score labels or there is a single
        training row.

    Examples
    --------
    >>> from labelrank_core import KNeighborsMultilabelRanker, load_sample
    >>> from labelrank_core.data.splits import holdout_split
    >>> data = load_sample("outings")
    >>> model = KNeighborsMultilabelRanker(n_neighbors=5)
    >>> decisions = tuned_rules(model, data, holdout_split(data))
    >>> decisions.rule("hamming").decide(decisions.scores).shape == decisions.relevance.shape
    True
    """
    train, relevance = split.train, dataset.relevance
    if len(train) < 2:
        raise ValueError("Expected at least two training rows to divide into folds, got 1.")

    def fitted(rows: IntArray) -> Any:
        targets = dataset.zero_line_targets(rows)
        return within_cases(model, len(rows)).fit(dataset.X[rows], targets)

    unseen = np.empty((len(train), dataset.n_labels))
    folds = KFold(min(n_folds, len(train)), shuffle=True, random_state=seed)
    for others, fold in folds.split(train):
        unseen[fold] = case_scores(fitted(train[others]), dataset.X[train[fold]])
    whole = fitted(train)
    own = DecisionRule(OWN, "own rule", _own_thresholds(whole, dataset.n_labels))
    zeros = np.zeros(dataset.n_labels)
    plain = [DecisionRule(PLAIN, "zero line at 0", zeros)] if own.thresholds.any() else []
    tuned = (fit_rule(unseen, relevance[train], target=target) for target in TARGETS)
    decisions = Decisions(
        rules=(own, *plain, *tuned),
        unseen_scores=unseen,
        unseen_relevance=relevance[train],
        scores=case_scores(whole, dataset.X[split.test]),
        relevance=relevance[split.test],
        zero_line=_along(whole, dataset, split.test),
    )
    # Measured here, where the time is expected, and kept.
    decisions.frame()
    return decisions


def _along(model: Any, dataset: Dataset, rows: IntArray) -> pd.DataFrame | None:
    algorithm = algorithm_of(last_step(model))
    if algorithm is None or not algorithm.zero_line:
        return None
    knob = algorithm.path_knobs[algorithm.zero_line]
    return along_zero_line(model, dataset, rows, knob.name, knob.steps())
