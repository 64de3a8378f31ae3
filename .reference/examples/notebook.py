"""
An explanation in a notebook
============================

At the end of a cell an explanation draws itself, as on the page *Predict* of the app. It goes
through pipelines and takes names from the data.
"""

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import KNeighborsLabelRanker, load_sample
from labelrank_core.explain import explain_prediction
from labelrank_core.explain.what_if import what_if

data = load_sample("iris")
model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=5))
model.fit(data.X, data.rankings)
explanation = explain_prediction(model, data.X[70], data)
explanation

# %%
# The same as text, and as data: ``explanation.as_dict()``.

print(explanation)

# %%
# What would change the prediction: the smallest change of each feature.

what_if(model, data.X[70], data)
