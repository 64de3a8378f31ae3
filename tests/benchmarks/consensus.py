"""What each consensus rule costs, and for how many labels in one component Kemeny's is affordable.

python tests/benchmarks/consensus.py

Rankings are drawn at random, the worst case: majorities of unrelated rankings form cycles.
"""

import sys
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core.aggregation import CONSENSUS_RULES, kemeny
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import strict_positions
from tests.benchmarks.measure import seconds

REPEATS, N_QUERIES, K = 3, 500, 10


def typical(run):
    return median(seconds(run) for _ in range(REPEATS))


def rankings(n_labels, noise, rng):
    """Positions of a common order with noise, and what each query asks."""
    keys = np.arange(n_labels) / n_labels + noise * rng.normal(size=(2000, n_labels))
    table = RankTable.from_rankings(strict_positions(keys).astype(float))
    return table, rng.integers(0, 2000, size=(N_QUERIES, K))


def rules(rng):
    sys.stdout.write(f"\nConsensus rules: microseconds a query, k = {K}\n{'labels, noise':<18}")
    sys.stdout.write("".join(f"{name:>10}" for name in CONSENSUS_RULES) + "\n")
    for n_labels in (5, 10, 20, 50):
        for noise in (0.2, 10):
            table, rows = rankings(n_labels, noise, rng)
            times = [
                typical(lambda rule=rule, table=table, rows=rows: rule.rank(table, rows, None))
                for rule in CONSENSUS_RULES.values()
            ]
            shown = "".join(f"{1e6 * time / N_QUERIES:>10.1f}" for time in times)
            sys.stdout.write(f"{n_labels:>4}{noise:>10}    {shown}\n")


def components(rng):
    sys.stdout.write("\nKemeny, labels in one component: ms, and memory of the tables in MB\n")
    for n_labels in range(8, 19, 2):
        counts = rng.integers(0, K + 1, size=(n_labels, n_labels))
        np.fill_diagonal(counts, 0)
        kemeny._subsets_by_size(n_labels)
        time = typical(lambda counts=counts: kemeny._least_costs(kemeny._leading_costs(counts)))
        memory = 8 * (n_labels + 1) * 2**n_labels / 1e6
        mark = " exact" if n_labels <= kemeny.EXACT_LABELS else ""
        sys.stdout.write(f"{n_labels:>4}{1000 * time:>10.2f}{memory:>10.1f}{mark}\n")


def excess(rng):
    sys.stdout.write("\nThe heuristic beside the optimum, 12 labels in one component, 300 draws\n")
    exact, heuristic, bound = 0, 0, 0
    for _ in range(300):
        counts = rng.integers(0, K + 1, size=(12, 12))
        counts = np.triu(counts, 1)
        counts += np.tril(K - counts.T, -1)
        order = kemeny.improved_ordering(counts)
        heuristic += kemeny.contradictions(counts, order)
        exact += kemeny.contradictions(counts, np.array(kemeny.kemeny_order(counts).ordering))
        bound += int(np.minimum(counts, counts.T).sum() // 2)
    sys.stdout.write(
        f"mean excess {heuristic / exact - 1:.2%}, lower bound {1 - bound / exact:.2%} below\n"
    )


def tables():
    """Print the three tables."""
    generator = np.random.default_rng(0)
    rules(generator)
    components(generator)
    excess(generator)


if __name__ == "__main__":
    tables()
