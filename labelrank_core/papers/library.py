"""The papers, and the best in print, by their short names."""

from labelrank_core.papers import best, lr06, lrrf, mlknn05, mlls08, mlr07, more_plr
from labelrank_core.papers.table import Paper, Table

PAPERS: dict[str, Paper] = {
    module.PAPER.key: module.PAPER
    for module in (lr06, mlr07, mlknn05, lrrf, mlls08, best, more_plr)
}


def find_table(paper: str, key: str) -> Table:
    """Return a table by its paper and its number, however that is written.

    Parameters
    ----------
    paper : str
        Key of `PAPERS`.
    key : str
        The number as printed, with or without 'Table'.

    Returns
    -------
    Table
        The printed table.

    Raises
    ------
    ValueError
        If there is no such paper or table.

    Examples
    --------
    >>> table = find_table("lrrf", "Table 4")
    >>> len(table.cells), table.data_sets[:2]
    (190, ('authorship', 'bodyfat'))
    """
    if paper not in PAPERS:
        raise ValueError(f"Expected a paper ({', '.join(PAPERS)}), got {paper!r}.")

    def plain(word: str) -> str:
        return "".join(letter for letter in word.lower() if letter.isalnum())

    for table in PAPERS[paper].tables:
        if plain(key) in (plain(table.key), plain(table.name)):
            return table
    keys = ", ".join(repr(table.key) for table in PAPERS[paper].tables)
    raise ValueError(f"Expected a table of {PAPERS[paper].short} ({keys}), got {key!r}.")
