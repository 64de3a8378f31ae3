"""
Calibrated rankings
===================

A calibrated ranking has a zero line, the virtual label: what is ranked before it is relevant. It
says in which order to look at labels and where to stop.
"""

from labelrank_core import CalibratedPairwiseClassifier, load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation import evaluate_model
from labelrank_core.rankings import calibrated_positions, format_ranking

data = load_sample("diabetes")
split = holdout_split(data, seed=0)
model = CalibratedPairwiseClassifier().fit(data.X[split.train], data.Y[split.train])

# %%
# Sets of labels, rankings of them, and both in one.

cases = data.X[split.test[:3]]
relevance, rankings = model.predict(cases), model.predict_ranking(cases)
names = [*data.label_names, "(zero)"]
for row in calibrated_positions(rankings, relevance):
    print(format_ranking(row, names))

# %%
# Measures of the ranking and of the sets.

evaluate_model(model, data, split).frame()[["measure", "value"]].round(3)
