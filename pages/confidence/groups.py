"""The verdict on a promise in groups of test cases."""

import pandas as pd

from labelrank_core.evaluation.guarantees.realised import less_than_promised
from labelrank_core.rankings import list_names
from pages.ui.wording import text


def verdict_on_groups(table: pd.DataFrame, promised: float) -> str:
    """Return the verdict on groups of cases, naming those with less than chance explains."""
    is_less, is_beyond = less_than_promised(table, promised)
    if not is_less.any():
        return "Every group gets what is promised"
    gets = "gets" if is_less.sum() == 1 else "get"
    verdict = f"{is_less.sum()} of {len(table)} groups {gets} less than is promised"
    if table["low"].isna().any():
        return verdict
    if not is_beyond.any():
        return f"{verdict}, as can happen with so few cases"
    beyond = list_names([f"'{text.markdown(name)}'" for name in table["group"][is_beyond]])
    return f"{verdict}; for {beyond} that is too little even for so few cases"
