"""Differences of the best methods from the first one, on every data set."""

from collections.abc import Sequence

import pandas as pd

from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.data.findings import count_of
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import Difference, DifferenceRow
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
    ranks = board.by_method()["rank"]
    compared = set(table["method"])
    shown = [name for name in ranks.index if name in compared][:_MOST_RIVALS]
    drawn_rows = rows(board, table, shown)
    is_any_behind = any(d and d.kind == "behind" for row in drawn_rows for d in row.differences)
    drawing.render_markdown(
        f"First column: {title}. Dots: distance from it."
        + " Hollow: clearly behind." * is_any_behind
        + " Arrow: off scale." * markup.reach_beyond(drawn_rows),
        "The bar of a hollow dot misses the dotted line. Bars are 95% intervals over folds, "
        "corrected for training cases that folds share (Nadeau and Bengio 2003). "
        f"{more}".strip(),
    )
    drawing.render_figure(
        markup.difference_rows(
            control, shown, drawn_rows, [f"{ranks[name]:.2f}" for name in (control, *shown)]
        ),
        key=key,
        alt=f"differences from {control} in {board.measure.title}: "
        + "; ".join(
            f"{row.method} on {row.data} {row.mean:+.3f}"
            for row in table[table["method"].isin(shown)].itertuples()
        ),
        table=table,
    )


def rows(board: Leaderboard, table: pd.DataFrame, rivals: Sequence[str]) -> list[DifferenceRow]:
    """Return the scores and differences of some methods on each data set, as a picture has them."""
    sign = 1 if board.measure.greater_is_better else -1
    by_pair = {(row.data, row.method): row for row in table.itertuples()}
    scores = board.frame().set_index(["data", "method"])["mean"]
    control = str(table["control"].iloc[0])

    def difference(data: str, method: str) -> Difference | None:
        row = by_pair.get((data, method))
        if row is None:
            return None
        low, high = sorted((sign * row.low, sign * row.high))
        number = f"{row.mean:+.3f}".replace("-", "−") if abs(row.mean) >= _SEEN else "0.000"
        return Difference(
            sign * row.mean,
            low,
            high,
            _KINDS[row.verdict],
            number,
            f"{method} on {data}: {row.mean:+.3f} ({row.low:+.3f} to {row.high:+.3f})",
        )

    return [
        DifferenceRow(
            data, f"{scores[data, control]:.3f}", [difference(data, name) for name in rivals]
        )
        for data in table["data"].unique()
    ]


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
