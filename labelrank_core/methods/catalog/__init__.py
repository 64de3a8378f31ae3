"""The catalog of methods, one module per kind: all that other rooms know of a method."""

from collections.abc import Mapping

from labelrank_core.methods.algorithm import Algorithm
from labelrank_core.methods.catalog import (
    boosting,
    classifiers,
    ensemble,
    label_sets,
    linear,
    neighbors,
    pairwise,
    probabilistic,
    subspaces,
    trees,
)

# The first method that learns a task is the default.
FAMILIES = (
    neighbors,
    trees,
    pairwise,
    subspaces,
    classifiers,
    label_sets,
    linear,
    boosting,
    probabilistic,
    ensemble,
)
ALGORITHMS: Mapping[str, Algorithm] = {
    algorithm.key: algorithm for family in FAMILIES for algorithm in family.METHODS
}
# How the methods of each family come to a prediction.
FAMILY_IDEAS: Mapping[str, str] = {
    "similar cases": "let the most similar cases vote",
    "trees": "ask about features",
    "pairwise": "set one label against another",
    "linear": "weigh features",
    "probabilistic": "model how rankings vary",
    "label sets": "choose among whole sets",
    "boosting": "correct earlier trees",
    "combination": "mix methods",
}
