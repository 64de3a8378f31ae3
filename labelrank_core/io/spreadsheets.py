"""Tables whose text no spreadsheet runs as a formula."""

from typing import Any

import pandas as pd

from labelrank_core.io.header import defused, restored


def defused_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with an apostrophe before every text that a spreadsheet may run."""
    safe = table.copy()
    for column in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[column]):
            safe[column] = [_map_text(defused, value) for value in safe[column]]
    safe.columns = pd.Index([_map_text(defused, name) for name in safe.columns])
    return safe


def restored_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the apostrophes that `defused_table` has put before its cells."""
    return table.map(lambda value: _map_text(restored, value))


def _map_text(change: Any, value: Any) -> Any:
    return change(value) if isinstance(value, str) else value
