r"""Tables in LaTeX with the rules of the package booktabs, and names that TeX reads as text.

>>> print(tabular(["method", "tau"], [["k-NN_5", "0.9"]], "lr"))
\begin{tabular}{lr}
\toprule
method & tau \\
\midrule
k-NN\_5 & 0.9 \\
\bottomrule
\end{tabular}
"""

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

# What pdfLaTeX cannot read in its default encoding, in names of measures and methods.
_SYMBOLS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "→": r"$\rightarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "−": "$-$",
    "∞": r"$\infty$",
    "τ": r"$\tau$",
    "ρ": r"$\rho$",
    "α": r"$\alpha$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "₀": r"$_0$",
    "…": r"\dots{}",
    "\u2013": "--",
    "\u2014": "---",
    "'": r"\textquotesingle{}",
}
_SYMBOLS |= {letter: f"\\{letter}" for letter in "&%$#_{}"}
# Ligatures of TeX would change these.
_SYMBOLS |= {"-": "-", "`": r"\textasciigrave{}"}

# The head of a column is about as wide as a mean and its deviation.
_HEAD_LETTERS = 14
# Letters in a line of the class article at 10 points, and between two columns.
_LINE_LETTERS, _GAP_LETTERS = 68, 2


@dataclass(frozen=True)
class Raw:
    """Text that is LaTeX already."""

    text: str


def escape(name: str) -> str:
    r"""Write a name so that LaTeX shows it as it is.

    Characters that TeX obeys are escaped, white space and control characters become one space, and
    common symbols their commands. Other letters stay: LaTeX since 2018 reads UTF-8.

    >>> escape("a_b & 50% {x}^2 \\input{f}")
    'a\\_b \\& 50\\% \\{x\\}\\textasciicircum{}2 \\textbackslash{}input\\{f\\}'
    """
    spaced = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in name)
    text = "".join(_SYMBOLS.get(c, c) for c in " ".join(spaced.split()))
    # Two hyphens would become a dash, and a bracket at the start of a row an option of \\.
    text = text.replace("--", "-{}-") if "--" in name else text
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def bold(cell: str) -> Raw:
    r"""Make a cell bold, numbers outside of formulas as well as inside.

    >>> bold("0.9 $\\pm$ 0.1").text
    '\\textbf{0.9} $\\pm$ 0.1'
    """
    number, *deviation = cell.split(" ", 1)
    return Raw(" ".join([rf"\textbf{{{number}}}", *deviation]))


def stacked(name: str) -> str | Raw:
    r"""Break a long name for the head of a column into lines, at spaces.

    >>> print(stacked("a long name of a method").text)
    \begin{tabular}[b]{@{}r@{}}a long name of\\a method\end{tabular}
    """
    lines = head_lines(name)
    if len(lines) < 2:
        return name
    text = r"\\".join(escape(line) for line in lines)
    return Raw(rf"\begin{{tabular}}[b]{{@{{}}r@{{}}}}{text}\end{{tabular}}")


def head_lines(name: str) -> list[str]:
    """Return the lines of a name in the head of a column."""
    return textwrap.wrap(name, _HEAD_LETTERS, break_long_words=False, break_on_hyphens=False)


def fitted(table: str, columns: Sequence[Sequence[str]]) -> str:
    """Shrink a table to the width of a line, if the texts that its columns show may be wider."""
    letters = sum(max(map(len, texts), default=0) + _GAP_LETTERS for texts in columns)
    if letters <= _LINE_LETTERS:
        return table
    # TeX measures it: what would fit after all stays as it is.
    width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
    return f"\\resizebox{{{width}}}{{!}}{{%\n{table}}}"


def tabular(
    head: Sequence[str | Raw],
    rows: Sequence[Sequence[str | Raw]],
    columns: str,
    foot: Sequence[Sequence[str | Raw]] = (),
) -> str:
    """Write a table: a head, rows, and a foot below a further rule."""
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _row(head), r"\midrule"]
    lines += [_row(cells) for cells in rows]
    lines += [r"\midrule", *(_row(cells) for cells in foot)] if foot else []
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def floating(table: str, *, caption: str = "", label: str = "") -> str:
    r"""Wrap a table in a ``table`` environment if it has a caption or a label.

    The caption is plain text, which is escaped; the label may hold letters, digits and ``:._-/``.
    """
    if not (caption or label):
        return f"{table}\n"
    wrong = set(label) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:._-/")
    if wrong:
        raise ValueError(f"Expected letters, digits and :._-/ in a label, got {label!r}.")
    lines = [r"\begin{table}", r"\centering"]
    # Within a word it is an apostrophe, not the straight mark of a name.
    caption = re.sub(r"(?<=\w)'(?=\w)", "\u2019", caption)
    lines += [rf"\caption{{{escape(caption)}}}"] if caption else []
    lines += [rf"\label{{{label}}}"] if label else []
    return "\n".join([*lines, table, r"\end{table}", ""])


def _row(cells: Sequence[str | Raw]) -> str:
    texts = [cell.text if isinstance(cell, Raw) else escape(cell) for cell in cells]
    return " & ".join(texts) + r" \\"
