"""Decision rules: from the same scores, the label sets that serve a chosen measure.

A model scores labels; a rule decides which of them are relevant. Thresholds are tuned on scores of
training cases that the scoring model has not seen: on its own training cases they overfit. Two
rules of the papers are special cases. `SharedSubspaceClassifier` tunes a threshold for each label
inside its fit. p virtual labels [brinker2007]_ set one for each case, the same for all labels: with
0/1 targets a label is relevant if more than (m - P + p) / (m + 2 p) of the neighbours have it, for
m labels of which the neighbours have P on average. This approaches the majority vote as p grows.

References
----------
.. [brinker2007] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.
"""

from labelrank_core.evaluation.decisions.tuned import raw_scores, tuned_rules

__all__ = ["raw_scores", "tuned_rules"]
