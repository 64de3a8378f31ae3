"""Methods that add up the votes of many simple rules."""

from labelrank_core.methods.boosting.adaboost_mh import AdaBoostMHClassifier
from labelrank_core.methods.boosting.adt_boost_mh import ADTBoostMHClassifier
from labelrank_core.methods.boosting.gradient_boosting import GradientBoostingLabelsClassifier

__all__ = ["ADTBoostMHClassifier", "AdaBoostMHClassifier", "GradientBoostingLabelsClassifier"]
