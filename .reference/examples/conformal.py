"""
Predictions with a guarantee
============================

``ConformalLabelRanker`` says which pairs of labels can be relied on: with ``alpha=0.1`` all that it
says of a new case is right with probability 0.9, if new cases come from where the training cases
came from.
"""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import ConformalLabelRanker, KNeighborsLabelRanker, load_sample

data = load_sample("vehicle")
rows = np.random.default_rng(0).permutation(data.n_samples)
train, test = rows[:600], rows[600:]
model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(20))
sure = ConformalLabelRanker(model, alpha=0.1, random_state=0)
sure.fit(data.X[train], data.rankings[train])

# %%
# First and last position that each label can have.

for case in data.X[test[:2]]:
    for label, (first, last) in zip(
        data.label_names, sure.predict_interval(case[None])[0], strict=True
    ):
        print(f"{label}: {first} to {last}")
    print()

# %%
# What is realised on the other cases: the share of cases in which every interval holds the truth,
# and the share of pairs that are decided.

intervals = sure.predict_interval(data.X[test])
truth = data.rankings[test]
holds = ((intervals[:, :, 0] <= truth) & (truth <= intervals[:, :, 1])).all(axis=1)
decided = sure.predict_order(data.X[test])
share = (decided != 0).sum() / decided.size * data.n_labels / (data.n_labels - 1)
print(f"{holds.mean():.3f} of the cases, {share:.3f} of the pairs")

# %%
# An explanation says which pairs are decided and why, then what the ranker itself says.

from labelrank_core import explain_prediction

explain_prediction(sure, data.X[test[0]], data)

# %%
# A model that is fitted already is calibrated by cases that it has not learned.

fitted = model.fit(data.X[train], data.rankings[train])
calibrated = ConformalLabelRanker(fitted, alpha=0.1, calibration="prefit")
print(calibrated.fit(data.X[test], data.rankings[test]).threshold_)
