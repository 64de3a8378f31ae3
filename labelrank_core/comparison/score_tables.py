"""Methods on data sets as a wide table: mean and standard deviation, for reading and for LaTeX."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from labelrank_core.comparison.latex import (
    Raw,
    bold,
    fitted,
    floating,
    head_lines,
    stacked,
    tabular,
)

_MISSING = "--"


def wide_table(
    means: pd.DataFrame, deviations: pd.DataFrame | None = None, *, digits: int = 3
) -> pd.DataFrame:
    """Write means and standard deviations of methods (columns) on data sets (rows) as text.

    Parameters
    ----------
    means : DataFrame
        One value per data set and method; NaN = not measured, an empty cell.
    deviations : DataFrame or None, default=None
        Standard deviations, shaped like the means; NaN, as of a single fold, is left out.
    digits : int, default=3
        Digits after the decimal point.

    Returns
    -------
    DataFrame
        Texts such as ``0.812 ± 0.031``, shaped like the means.

    Examples
    --------
    >>> means = pd.DataFrame({"A": [0.81234]}, index=["iris"])
    >>> wide_table(means, means * 0 + 0.0309)
                      A
    iris  0.812 ± 0.031
    """
    cells = _cells(means, deviations, digits, " ± ", missing="")
    return pd.DataFrame(cells, index=means.index, columns=means.columns, dtype="str")


def latex_table(
    means: pd.DataFrame,
    ranks: pd.DataFrame,
    *,
    deviations: pd.DataFrame | None = None,
    show_ranks: bool = True,
    methods_as_rows: bool = False,
    digits: int = 3,
    short_names: Mapping[str, str] | None = None,
    caption: str = "",
    label: str = "",
) -> str:
    r"""Write methods on data sets as a LaTeX table with the rules of booktabs, the best in bold.

    The document needs ``\usepackage{booktabs}``, and ``\usepackage{textcomp}`` before LaTeX 2020.
    Long names in the head are broken into lines, and a table that is still wider than a line is
    shrunk to its width, for which ``\usepackage{graphicx}`` is needed.

    Parameters
    ----------
    means : DataFrame
        One value per data set (index) and method (columns); NaN = not measured.
    ranks : DataFrame
        Ranks of the methods on each data set, shaped like the means, 1 = best. The lowest rank of
        a data set is bold, all of those that share it. Average ranks, over the data sets that all
        methods have, are the last line.
    deviations : DataFrame or None, default=None
        Standard deviations, shaped like the means; NaN is left out.
    show_ranks : bool, default=True
        Whether ranks follow the values in parentheses.
    methods_as_rows : bool, default=False
        Whether methods are rows and data sets columns, for many methods on few data sets.
    digits : int, default=3
        Digits after the decimal point, from 0 to 15.
    short_names : mapping of str to str or None, default=None
        Names to print instead of those of methods and data sets. Plain text, as all names are:
        what TeX would obey is escaped.
    caption, label : str, default=""
        Plain text, and a key for ``\ref``; with either the table stands in a ``table`` environment.

    Returns
    -------
    str
        LaTeX that ends with a line break.

    Raises
    ------
    ValueError
        If the digits or the label cannot be written, or two different names become the same.

    Examples
    --------
    >>> means = pd.DataFrame({"A": [0.9], "B_1": [0.8]}, index=["iris"])
    >>> print(latex_table(means, means.rank(axis=1, ascending=False), digits=1), end="")
    \begin{tabular}{lrr}
    \toprule
    data set & A & B\_1 \\
    \midrule
    iris & \textbf{0.9} (1) & 0.8 (2) \\
    \midrule
    average rank & 1.00 & 2.00 \\
    \bottomrule
    \end{tabular}
    """
    if not 0 <= digits <= 15:
        raise ValueError(f"Expected digits from 0 to 15, got {digits}.")
    best = ranks.eq(ranks.min(axis=1), axis=0).to_numpy()
    cells = _cells(means, deviations, digits, r" $\pm$ ", missing=_MISSING)
    body = [
        [
            _with_rank(cell, rank, bold_face=is_best, show_rank=show_ranks)
            for cell, rank, is_best in zip(*row, strict=True)
        ]
        for row in zip(cells, ranks.to_numpy(dtype=float), best, strict=True)
    ]
    averages = [Raw(f"{mean:.2f}") for mean in ranks.dropna().mean()]
    has_averages = len(ranks.dropna()) > 0
    data_sets = _names(means.index, short_names)
    methods = _names(means.columns, short_names)
    if methods_as_rows:
        lines = [list(column) for column in zip(*body, *([averages] * has_averages), strict=True)]
        head = ["method", *data_sets, *(["average rank"] * has_averages)]
        foot: list[list[str | Raw]] = []
        rows = [[name, *line] for name, line in zip(methods, lines, strict=True)]
    else:
        head = ["data set", *methods]
        foot = [["average rank", *averages]] if has_averages else []
        rows = [[name, *line] for name, line in zip(data_sets, body, strict=True)]
    texts = [[_plain_text(cell) for cell in column] for column in zip(*rows, *foot, strict=True)]
    columns = [
        [*head_lines(name), *column_texts] for name, column_texts in zip(head, texts, strict=True)
    ]
    heads = [stacked(name) for name in head]
    table = fitted(tabular(heads, rows, "l" + "r" * (len(head) - 1), foot), columns)
    return floating(table, caption=caption, label=label)


def _plain_text(cell: str | Raw) -> str:
    """Return a cell as plain text, about as wide as it is printed."""
    if isinstance(cell, str):
        return cell
    return cell.text.replace(r"\textbf{", "").replace("}", "").replace(r"$\pm$", "±")


def _cells(
    means: pd.DataFrame,
    deviations: pd.DataFrame | None,
    digits: int,
    plus_minus: str,
    *,
    missing: str,
) -> list[list[str]]:
    values = means.to_numpy(dtype=float)
    spreads = np.full_like(values, np.nan)
    if deviations is not None:
        spreads = deviations.to_numpy(dtype=float)

    def cell(value: float, spread: float) -> str:
        if np.isnan(value):
            return missing
        text = f"{value:z.{digits}f}"
        return text if np.isnan(spread) else f"{text}{plus_minus}{spread:.{digits}f}"

    return [
        [cell(*pair) for pair in zip(*row, strict=True)]
        for row in zip(values, spreads, strict=True)
    ]


def _with_rank(cell: str, rank: float, *, bold_face: bool, show_rank: bool) -> Raw:
    text = bold(cell) if bold_face else Raw(cell)
    return Raw(f"{text.text} ({rank:g})") if show_rank and not np.isnan(rank) else text


def _names(names: pd.Index, short_names: Mapping[str, str] | None) -> list[str]:
    printed = [(short_names or {}).get(name, name) for name in names.astype(str)]
    if len(set(printed)) < names.nunique():
        repeated = next(name for position, name in enumerate(printed) if name in printed[:position])
        raise ValueError(f"Expected different names, got {repeated!r} for two of them.")
    return printed
