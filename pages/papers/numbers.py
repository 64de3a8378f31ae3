"""The ledger of the papers' tables, kept once it is made."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from labelrank_core.methods import ALGORITHMS
from labelrank_core.papers import PAPERS, ledger, recorded
from labelrank_core.papers.ledger import counts
from labelrank_core.papers.table import Paper, Table
from pages.ui import compute


def of_table(table: Table) -> pd.DataFrame:
    """Return print and recorded numbers of a table, side by side."""
    key = compute.digest("ledger", table.paper, table.key, tuple(ALGORITHMS))
    return compute.once(key, "Comparing print and results", lambda: ledger(table, recorded(table)))


def usual_tolerance(papers: Iterable[Paper]) -> float:
    """Return the tolerance of most recomputed numbers of some papers."""
    tolerances: Counter[float] = Counter()
    for paper in papers:
        for table in paper.tables:
            rows = of_table(table)
            is_counted = rows["ours"].notna() & (rows["reading"] == "")
            tolerances.update(rows.loc[is_counted, "tolerance"].tolist())
    return tolerances.most_common(1)[0][0]


def count_recomputed(verdict_counts: Mapping[str, int]) -> int:
    """Return how many of the numbers in print are recomputed."""
    return verdict_counts["printed"] - verdict_counts["not computed"]


def of_paper(key: str) -> Mapping[str, int]:
    """Count the verdicts of all numbers of a paper."""
    total: Counter[str] = Counter()
    for table in PAPERS[key].tables:
        total.update(counts(of_table(table)))
    return total
