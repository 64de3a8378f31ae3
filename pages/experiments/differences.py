"""Differences of the best methods from the first one, on every data set."""

from collections.abc import Sequence

import pandas as pd

from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.data.findings import count_of
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import Difference
from labelrank_core.metrics import Measure
from pages.ui.render import drawing
from pages.ui.wording import text

# Columns of the picture: the best of the other methods.
_MOST_RIVALS = 3
_MOST_NAMED = 3
# A smaller difference is not seen in three decimals.
_SEEN = 0.0005
_KINDS = {"better": "ahead", "worse": "behind", "unclear": "level"}


def render_differences(
    board: Leaderboard, table: pd.DataFrame, *, key: str, more: str = ""
) -> None:
    """Draw the differences that a table has from one method; `more` is said in a help."""
    control = str(table["control"].iloc[0])
    title = text.markdown(board.measure.title)
    drawing.render_markdown(
        f"Dots: difference from {text.markdown(control)} in {title}, with 95% intervals. Hollow "
        "dots are clearly behind: their bar misses the dotted line.",
        "The intervals are over folds, corrected for training cases that folds share (Nadeau and "
        f"Bengio 2003). An arrow is beyond the scale. {more}".strip(),
    )
    shown = [name for name in board.by_method().index if name in set(table["method"])]
    drawing.render_figure(
        markup.difference_rows(
            shown[:_MOST_RIVALS], rows(table, shown[:_MOST_RIVALS], board.measure)
        ),
        key=key,
        alt=f"differences from {control} in {board.measure.title}: "
        + "; ".join(
            f"{row.method} on {row.data} {row.mean:+.3f}"
            for row in table[table["method"].isin(shown[:_MOST_RIVALS])].itertuples()
        ),
        table=table,
    )


def rows(
    table: pd.DataFrame, rivals: Sequence[str], measure: Measure
) -> list[tuple[str, list[Difference | None]]]:
    """Return the differences of some methods on each data set, as a picture takes them."""
    sign = 1 if measure.greater_is_better else -1
    by_pair = {(row.data, row.method): row for row in table.itertuples()}

    def difference(data: str, method: str) -> Difference | None:
        row = by_pair.get((data, method))
        if row is None:
            return None
        low, high = sorted((sign * row.low, sign * row.high))
        number = f"{row.mean:+.3f}".replace("-", "−")
        if abs(row.mean) < _SEEN:
            number = "equal" if row.sd == 0 else "0.000"
        return Difference(
            sign * row.mean,
            low,
            high,
            _KINDS[row.verdict],
            number,
            f"{method} on {data}: {row.mean:+.3f} ({row.low:+.3f} to {row.high:+.3f})",
        )

    return [(data, [difference(data, name) for name in rivals]) for data in table["data"].unique()]


def clear_lead(table: pd.DataFrame, lead: str) -> str:
    """Say on which data sets all other methods are clearly behind; `lead` is the subject."""
    is_behind = table["verdict"] == "worse"
    by_data = is_behind.groupby(table["data"], sort=False).all()
    clear, n_all = [str(name) for name in by_data.index[by_data]], len(by_data)
    lead += " is clear"
    if not clear:
        return f"{lead} on none of {count_of(n_all, 'data set')}"
    named = f": {', '.join(map(text.markdown, clear))}" if len(clear) <= _MOST_NAMED else ""
    where = "all" if len(clear) == n_all else f"{len(clear)} of"
    return f"{lead} on {where} {count_of(n_all, 'data set')}{named}"
