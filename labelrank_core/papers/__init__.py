"""The tables that the five papers print, as data, and the experiments that recompute them."""

from labelrank_core.papers.ledger import ledger, recorded
from labelrank_core.papers.library import PAPERS, find_table
from labelrank_core.papers.reproduce import recompute

__all__ = ["PAPERS", "find_table", "ledger", "recompute", "recorded"]
