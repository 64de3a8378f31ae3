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
