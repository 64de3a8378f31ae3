"""Naive statistical models of rankings, from their definitions, and partial rankings for them."""

from itertools import permutations

import numpy as np
from scipy.optimize import minimize


def plackett_luce(rankings, smoothing):
    """Strengths of the greatest likelihood, by a general optimiser; NaN = not ranked."""
    n_labels = len(rankings[0])

    def surprise(logs):
        total = 0.0
        for ranking in rankings:
            for i, place in enumerate(ranking):
                left = [j for j, other in enumerate(ranking) if j == i or other > place]
                if not np.isnan(place):
                    total += np.log(np.exp(logs[left]).sum()) - logs[i]
        for i, j in permutations(range(n_labels), 2):
            total += smoothing * (np.log(np.exp(logs[i]) + np.exp(logs[j])) - logs[i])
        return total

    logs = minimize(surprise, np.zeros(n_labels), method="BFGS", options={"gtol": 1e-7}).x
    strengths = np.exp(logs - logs.max())
    return strengths / strengths.sum()


def reversed_pairs(ranking, centre):
    """How many pairs of labels two rankings order in opposite ways."""
    return sum(
        (ranking[i] - ranking[j]) * (centre[i] - centre[j]) < 0
        for i in range(len(centre))
        for j in range(i)
    )


def extensions(ranking):
    """All strict rankings that order every pair that a ranking orders as it does."""
    n_labels = len(ranking)
    return [
        order
        for order in permutations(range(1, n_labels + 1))
        if all(
            order[i] < order[j]
            for i in range(n_labels)
            for j in range(n_labels)
            if ranking[i] < ranking[j]
        )
    ]
