"""Fewer combinations than all of them, in which still every two values meet."""

from itertools import combinations


def all_pairs(rows, columns=None):
    """Rows of which every pair of values, in their two columns, occurs as it does in all rows.

    What goes wrong goes wrong of one value or of two that meet, hardly ever of three only.
    Chosen greedily, the row with most new pairs first and of equal ones the first. `columns` are
    the pairs of columns that count; None: all of them.
    """
    pairs = {
        row: {
            (a, b)
            for a, b in combinations(enumerate(row), 2)
            if columns is None or (a[0], b[0]) in columns
        }
        for row in rows
    }
    missing, chosen = set().union(*pairs.values()), []
    while missing:
        best = max(pairs, key=lambda row: len(pairs[row] & missing))
        missing -= pairs[best]
        chosen.append(best)
    return sorted(chosen, key=list(pairs).index)
