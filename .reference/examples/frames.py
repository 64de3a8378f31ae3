"""
A data frame
============

Features and positions of labels are columns of a pandas data frame, as they are in most files.
"""

# %%
# The positions of a case: 1 is the most preferred drink.

import pandas as pd

from labelrank_core import Dataset, KNeighborsLabelRanker, parse_rankings

people = pd.DataFrame(
    {
        "age": [23, 31, 45, 52, 67, 70],
        "cups": [3, 4, 2, 2, 1, 1],
        "coffee": [1, 1, 2, 2, 3, 3],
        "tea": [2, 3, 1, 1, 1, 2],
        "water": [3, 2, 3, 3, 2, 1],
    }
)
features, drinks = ["age", "cups"], ["coffee", "tea", "water"]
model = KNeighborsLabelRanker(n_neighbors=3).fit(people[features], people[drinks])

# %%
# Predictions are a frame of positions with the index of the cases and the names of the labels.

new = pd.DataFrame({"age": [28, 64], "cups": [4, 1]}, index=["first", "second"])
model.predict(new)

# %%
# Targets may be rankings in words. A data set keeps all names, for explanations for example.

rankings = parse_rankings(["coffee > tea > water", "tea > coffee", "water > tea > coffee"])
data = Dataset.from_frame(people.loc[:2, features], rankings)
data

# %%
# The confidence says how far the neighbours agree, 1 where all of them have the same ranking.

pd.Series(model.predict_confidence(new), index=new.index).round(2)
