"""Methods that fit a probability model of rankings to the most similar training cases."""

from labelrank_core.methods.probabilistic.mallows import MallowsLabelRanker
from labelrank_core.methods.probabilistic.plackett_luce import PlackettLuceLabelRanker

__all__ = ["MallowsLabelRanker", "PlackettLuceLabelRanker"]
