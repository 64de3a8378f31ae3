"""Where the leaves of a case change as one of its features varies."""

import numpy as np
from numpy.typing import NDArray

from labelrank_core.methods.trees._grown import GrownTrees
from labelrank_core.rankings import FloatArray

_LEAF = -1


def tree_breakpoints(
    trees: GrownTrees, n_trees: int, x: NDArray[np.float32], feature: int, max_depth: int | None
) -> FloatArray:
    """List the thresholds of a feature that a case can meet in the first trees."""
    met: set[float] = set()
    for t in range(n_trees):
        tree = trees.tree(t)
        children_left, children_right = tree.children_left, tree.children_right
        split_feature, threshold = tree.feature, tree.threshold
        open_nodes = [(0, 0)]
        while open_nodes:
            node, depth = open_nodes.pop()
            if children_left[node] == _LEAF or depth == max_depth:
                continue
            if split_feature[node] == feature:
                met.add(float(threshold[node]))
                following = [children_left[node], children_right[node]]
            else:
                goes_left = x[split_feature[node]] <= threshold[node]
                following = [children_left[node] if goes_left else children_right[node]]
            open_nodes += [(int(child), depth + 1) for child in following]
    return np.array(sorted(met))
