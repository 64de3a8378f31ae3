"""Limits of a file's growth that follow its size.

A program that reads the files of strangers grows by about 20 MB and 100 times the file at most.
Plain text stays far below every limit here: a number takes at least two of its bytes.
"""

MAX_POSITIONS, MAX_ENCODED = 25_000_000, 100_000_000
# Features that are mostly 0 are kept like others up to here: most methods take no sparse matrix.
MAX_DENSE = 25_000_000


def max_seconds(n_bytes: int) -> int:
    """Return the most seconds that the reading of files of a size may take."""
    return 8 + n_bytes // 100_000


def max_answer(n_bytes: int) -> int:
    """Return the most bytes that the table of files of a size may take."""
    return 4_000_000 + 25 * n_bytes


def max_text_cells(n_bytes: int) -> int:
    """Return the most cells that the columns of text of a file may have."""
    return 350_000 + 4 * n_bytes


def max_positions(n_bytes: int) -> int:
    """Return the most positions, or 0/1, that the targets of a file may have."""
    return min(MAX_POSITIONS, 300_000 + 3 * n_bytes)


def max_encoded(n_bytes: int) -> int:
    """Return the most numbers that the encoded features of a file may have."""
    return min(MAX_ENCODED, 500_000 + 5 * n_bytes)


def max_dense(n_bytes: int) -> int:
    """Return the most numbers that sparse features may have with their zeros written out."""
    return min(MAX_DENSE, max_encoded(n_bytes))


def max_features(n_bytes: int) -> int:
    """Return the most features, each with a name, that a file of sparse rows may have."""
    return 20_000 + n_bytes // 4


def max_names(n_bytes: int) -> int:
    """Return the most names that the different rankings or lists in words may have together."""
    return 20_000 + n_bytes
