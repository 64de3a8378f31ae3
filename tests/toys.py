"""Methods that nobody needs: a line through the first cases, label by label."""

from functools import cached_property
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    Label,
    LabelScores,
    Step,
    Text,
)
from labelrank_core.methods.base import (
    LabelRankerMixin,
    LabelSetsMixin,
    PathMixin,
    PathPoint,
    check_count,
    dense_cases,
)
from labelrank_core.rankings import check_rankings, strict_positions


class ToyPath:
    """Cases that a line through the first so many training cases predicts."""

    def __init__(self, model, X, n_first=None):
        self.model, self.X, self.n_first = model, X, n_first or model.n_first

    def at(self, *, n_first=None, pull=None, lift=None):
        given = {"n_first": n_first, "pull": pull, "lift": lift}
        setting = {**self.model.get_params(), **{k: v for k, v in given.items() if v is not None}}
        check_count("n_first", setting["n_first"], self.n_first, "the cases prepared for")
        return ToyPoint(self, setting)


class ToyPoint(PathPoint):
    """Their predictions at one setting."""

    def __init__(self, path, setting):
        self.path, self.setting = path, setting

    @cached_property
    def raw_scores(self):
        X, worth = (part[: self.setting["n_first"]] for part in self.path.model._learned)
        middle = getattr(np, self.setting["middle"])(worth, axis=0)
        slopes = (X - X.mean(axis=0)).T @ (worth - middle) / (len(X) + self.setting["pull"])
        return middle + (self.path.X - X.mean(axis=0)) @ slopes

    @property
    def scores(self):
        return self.raw_scores + self.setting.get("lift", 0)

    @property
    def positions(self):
        return strict_positions(-self.raw_scores)

    @property
    def prediction(self):
        sets = isinstance(self.path.model, ToySets)
        return (self.scores > 0).astype(int) if sets else self.positions

    @property
    def confidence(self):
        best = np.sort(self.raw_scores, axis=1)
        return 1 / (1 + np.exp(best[:, -2] - best[:, -1]))

    def pair_support(self, cases=slice(None)):
        scores = self.raw_scores[cases]
        return 1 / (1 + np.exp(scores[:, None, :] - scores[:, :, None]))

    def explain(self, case):
        positions, first = self.positions[case], int(np.argmin(self.positions[case]))
        scores = LabelScores("worth", self.scores[case], positions, greater_is_better=True)
        value = float(self.confidence[case])
        sure = Confidence(value, 0.5, "How far the first label is ahead.", "the lead")
        text = Text("A line puts {first} first.", {"first": Label(first)})
        steps = (Step("Worth", text, scores), Step("Confidence", text, sure))
        return Explanation(self.prediction[case], positions, text, steps)


class ToyBase(PathMixin, BaseEstimator):
    """A line for each label through the first training cases."""

    _parameter_constraints: ClassVar[dict] = {
        "n_first": [Interval(Integral, 1, None, closed="left")],
        "pull": [Interval(Real, 0, None, closed="left")],
        "middle": [StrOptions({"mean", "median"})],
    }

    def _fit(self, X, Y, worth):
        X = dense_cases(validate_data(self, X, accept_sparse="csr"), self)
        if self.n_first > len(X):
            raise ValueError(f"Expected n_first of at most {len(X)}, the cases.")
        self._learned = X, worth(np.asarray(Y, dtype=float))
        return self

    def path(self, X, *, n_first=None):
        check_is_fitted(self, "_learned")
        X = dense_cases(validate_data(self, X, accept_sparse="csr", reset=False), self)
        return ToyPath(self, X, n_first)

    def predict_confidence(self, X):
        return self.point(X).confidence


class ToyRanker(LabelRankerMixin, ToyBase):
    """Ranks labels by the line."""

    def __init__(self, *, n_first=20, pull=1.0, middle="mean"):
        self.n_first, self.pull, self.middle = n_first, pull, middle

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, Y):
        Y = check_rankings(Y, allow_partial=True)
        return self._fit(X, Y, lambda ranks: -np.where(np.isnan(ranks), ranks.shape[1] / 2, ranks))

    def predict_pair_support(self, X):
        return self.point(X).pair_support()


class ToySets(LabelSetsMixin, ToyBase):
    """Takes the labels above 0 of the line, which `lift` moves."""

    _parameter_constraints: ClassVar[dict] = {
        **ToyBase._parameter_constraints,
        "lift": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, n_first=20, pull=1.0, middle="mean", lift=0):
        self.n_first, self.pull, self.middle, self.lift = n_first, pull, middle, lift

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, Y):
        n_labels = np.shape(Y)[1]
        calibrated = not np.isin(Y, (0, 1)).all()

        def worth(targets):
            return targets[:, -1:] - targets[:, :-1] if calibrated else 2 * targets - 1

        self._n_labels = n_labels - calibrated
        return self._fit(X, Y, worth)

    def decision_function(self, X):
        return self.point(X).scores
