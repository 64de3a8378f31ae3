"""
A saved model
=============

skops keeps a fitted model in a file that, unlike a pickle, cannot run code when it is read. What is
not a type of scikit-learn or NumPy has to be trusted by name.
"""

import numpy as np
import skops.io

from labelrank_core import LabelRankingForest, load_sample

data = load_sample("iris")
model = LabelRankingForest(20, random_state=0).fit(data.X, data.rankings)
content = skops.io.dumps(model)
unknown = skops.io.get_untrusted_types(data=content)
print(*unknown, sep="\n")

# %%
# These are this package's own.

again = skops.io.loads(content, trusted=unknown)
print(np.array_equal(again.predict(data.X), model.predict(data.X)))
