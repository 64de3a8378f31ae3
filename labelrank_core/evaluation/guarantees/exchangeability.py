"""A permutation test of exchangeability, which every guarantee needs, by MAPIE."""

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import ArrayLike
from sklearn.dummy import DummyRegressor


@dataclass(frozen=True)
class Exchangeability:
    """Whether values in an order may be draws in random order.

    Parameters
    ----------
    p_value : float
        How often a random order shows at least as large a shift of the mean as the given one.
    n_cases : int
        Number of values.
    """

    p_value: float
    n_cases: int


def require_mapie(purpose: str) -> None:
    """Raise an ImportError that names the package to install, before training for `purpose`."""
    if find_spec("mapie") is None:
        raise ImportError(
            f"Expected MAPIE for {purpose}, which is not installed. Install it with: "
            'pip install "labelrank-core[guarantees]"'
        )


def exchangeability_test(
    values: ArrayLike, *, n_permutations: int = 199, seed: int = 0
) -> Exchangeability:
    """Test whether values, in the order in which cases came, could have come in any other order.

    MAPIE's `PValuePermutationTest`: the largest difference of the means before and after any place,
    scaled, against random orders. A small p-value says that cases have shifted, so that a guarantee
    from early ones need not hold for late ones; a large one proves nothing.

    Parameters
    ----------
    values : array-like of shape (n_cases,)
        Such as the largest wrong gap of each case, of models that have seen none of them; at least
        0.
    n_permutations : int, default=199
        Random orders; the smallest p-value is 1 / (n_permutations + 1).
    seed : int, default=0
        The same seed gives the same orders.

    Returns
    -------
    Exchangeability
        The p-value.

    Raises
    ------
    ValueError
        If there are fewer than two values, or one below 0.
    ImportError
        If MAPIE is not installed.

    Examples
    --------
    >>> steady, shifted = [0.0, 1.0] * 20, [0.0] * 20 + [1.0] * 20
    >>> [exchangeability_test(values).p_value < 0.05 for values in (steady, shifted)]
    [False, True]
    """
    require_mapie("the test of exchangeability")
    # Takes seconds to import.
    from mapie.exchangeability_testing import PValuePermutationTest
    from mapie.regression import SplitConformalRegressor

    sequence = np.asarray(values, dtype=np.float64)
    if sequence.ndim != 1 or len(sequence) < 2 or (sequence < 0).any():
        raise ValueError("Expected at least two values of at least 0 in one row.")
    # The residual of a model that predicts 0 is the value.
    zero_model = DummyRegressor(strategy="constant", constant=0.0).fit([[0.0]], [0.0])
    test = PValuePermutationTest(
        mapie_estimator=SplitConformalRegressor(zero_model, prefit=True),
        task="regression",
        random_state=seed,
        num_permutations=n_permutations,
        warn=False,
    )
    test.run(np.zeros((len(sequence), 1)), sequence)
    return Exchangeability(float(test.p_values[-1]), len(sequence))
