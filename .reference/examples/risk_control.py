"""
Label sets with a promised recall
=================================

``RiskControlledLabelSets`` chooses a threshold such that on average at least 80 % of the relevant
labels are predicted. It needs MAPIE: ``pip install ".[guarantees]"``.
"""

from labelrank_core import MLkNNClassifier, RiskControlledLabelSets, load_sample
from labelrank_core.data.splits import holdout_split

data = load_sample("songs")
split = holdout_split(data, seed=0)
model = RiskControlledLabelSets(MLkNNClassifier(), level=0.8, random_state=0)
model.fit(data.X[split.train], data.relevance[split.train])

# %%
# Higher levels predict larger sets, without another fit.

truth = data.relevance[split.test].astype(bool)
for level in (0.6, 0.7, 0.8):
    sets = model.predict(data.X[split.test], level=level).astype(bool)
    recall = (sets & truth).sum(axis=1) / truth.sum(axis=1)
    print(f"{level}: recall {recall.mean():.3f}, {sets.sum(axis=1).mean():.2f} labels per song")
