"""
A pipeline and cross-validation
===============================

Estimators take part in scikit-learn's pipelines and cross-validation; the measures are scorers.
"""

from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import PairwiseLabelRanker, load_sample
from labelrank_core.evaluation import scorers

data = load_sample("glass")
model = make_pipeline(StandardScaler(), PairwiseLabelRanker())
tau = cross_val_score(model, data.X, data.rankings, scoring=scorers["kendall_tau"], cv=5)
print(f"Kendall's tau: {tau.mean():.3f}, standard deviation over folds {tau.std():.3f}")

# %%
# ``scorers`` has every measure; losses and errors are negated, as scikit-learn's convention is.

print(*scorers, sep="\n")

# %%
# A pipeline may choose columns of a frame. Explanations, what-if, results on the folds of an
# experiment and blends take it as it is.

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder

from labelrank_core import (
    Dataset,
    KNeighborsLabelRanker,
    explain_prediction,
    parse_rankings,
    what_if,
)

people = pd.DataFrame({"age": [23, 31, 45, 52, 67, 70], "shift": ["day", "night"] * 3})
drinks = parse_rankings(
    ["tea > milk", "milk > tea", "tea > milk", "milk > tea", "tea > milk", "tea > milk"]
)
columns = make_column_transformer((OneHotEncoder(), ["shift"]), (StandardScaler(), ["age"]))
model = make_pipeline(columns, KNeighborsLabelRanker(n_neighbors=1)).fit(people, drinks)
what_if(model, people.loc[3], Dataset.from_frame(people, drinks))

# %%
# The reasons are those of the features that the last step gets.

explain_prediction(model, people.loc[3])
