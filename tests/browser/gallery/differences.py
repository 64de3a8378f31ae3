"""Awkward names of methods, and differences of methods with them."""

import numpy as np

from labelrank_core.comparison.significance import average_ranks, critical_differences

LONG = "A name that somebody has given to this row, and that nobody has ever shortened since then"
UNBROKEN = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
METHODS = ("k-NN", LONG, UNBROKEN, *(f"Pairwise comparison of {i} trees" for i in range(13)))


def awkward_differences():
    """Return critical differences of two methods and many, alike and unlike, against one."""
    rng = np.random.default_rng(0)
    drawn = {}
    for n in (2, len(METHODS)):
        for name, apart in (("close", 0), ("apart", 1)):
            scores = rng.random((20, n)) - apart * np.arange(n)
            ranks = average_ranks(scores)
            drawn[f"{n} {name}"] = critical_differences(ranks, METHODS[:n])
            drawn[f"{n} {name} against one"] = critical_differences(ranks, METHODS[:n], control=1)
    equal = average_ranks(np.zeros((4, 5)))
    return {**drawn, "5 equal": critical_differences(equal, METHODS[:5])}
