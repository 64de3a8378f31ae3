"""All measurements: budgets, what a visitor waits for, consensus rules, rivals, growth.

python tests/benchmarks            everything but the large lines
python tests/benchmarks yeast      only lines whose name contains the word
python tests/benchmarks large      only the large lines: k-NN and a forest on 1 000 000 rows
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks import (
    app,
    consensus,
    forest,
    knn,
    mlknn,
    pairwise,
    readers,
    rivals,
    sensitivity,
    subspace,
    text,
)
from tests.benchmarks.measure import conclude, table


def main(words):
    methods = (knn, mlknn, forest, subspace)
    scripts = (*methods, text, pairwise, sensitivity, readers, app)
    budgets = [line for script in scripts for line in script.budget_lines()]
    growth = [line for script in methods for line in script.growth_lines()]
    complaints = table("Budgets", budgets, words)
    if not words:
        app.visits()
        consensus.tables()
    complaints += rivals.table(words)
    complaints += table("Growth", growth, words)
    return conclude(complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
