"""Whether two tables of an experiment's results are the same."""

import numpy as np
import pandas as pd

TIMES = ["seconds_tune", "seconds_fit", "seconds_predict"]


def assert_same_results(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """Demand equal rows, and values up to rounding; how long it took differs."""
    assert len(one) > 0
    facts, others = (table.drop(columns=[*TIMES, "value"]) for table in (one, other))
    assert facts.equals(others)
    assert np.abs(one["value"] - other["value"]).max() <= 1e-12
