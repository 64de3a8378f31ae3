"""How much a file may grow to: limits that follow its size.

A program that reads the files of strangers grows by about 20 MB and 100 times the file at most.
Plain text stays far below every limit here: a number takes at least two of its bytes.
"""

MAX_POSITIONS, MAX_ENCODED = 25_000_000, 100_000_000
# Features that are mostly 0 are kept like others up to here: most methods take no sparse matrix.
MAX_DENSE = 25_000_000


def max_seconds(n_bytes: int) -> int:
    """Return how many seconds the reading of files of a size may take."""
    return 8 + n_bytes // 100_000


def max_answer(n_bytes: int) -> int:
    """Return how many bytes the table of files of a size may take."""
    return 4_000_000 + 25 * n_bytes


def max_text_cells(n_bytes: int) -> int:
    """Return how many cells the columns of text of a file may have."""
    return 350_000 + 4 * n_bytes


def max_positions(n_bytes: int) -> int:
    """Return how many positions, or 0/1, the targets of a file may have."""
    return min(MAX_POSITIONS, 300_000 + 3 * n_bytes)


def max_encoded(n_bytes: int) -> int:
    """Return how many numbers the encoded features of a file may have."""
    return min(MAX_ENCODED, 500_000 + 5 * n_bytes)


def max_dense(n_bytes: int) -> int:
    """Return how many numbers sparse features may have when their zeros are written out."""
    return min(MAX_DENSE, max_encoded(n_bytes))


def max_features(n_bytes: int) -> int:
    """Return how many features, each with a name, a file of sparse rows may have."""
    return 20_000 + n_bytes // 4


def max_names(n_bytes: int) -> int:
    """Return how many names the different rankings or lists in words may have together."""
    return 20_000 + n_bytes
