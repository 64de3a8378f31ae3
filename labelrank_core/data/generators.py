"""Made-up rankings with a known law, for experiments, as scikit-learn's ``make_classification``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray, dense_positions, strict_positions

_UTILITIES = ("linear", "expected")
_MODELS = ("gaussian", "plackett_luce", "mallows")


def make_label_ranking(
    n_samples: int = 100,
    n_features: int = 10,
    n_labels: int = 5,
    *,
    utilities: str = "linear",
    model: str = "gaussian",
    noise: float = 0.0,
    tied: float = 0.0,
    missing: float = 0.0,
    random_state: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Draw cases and rankings of labels by utilities that are linear in the features.

    Parameters
    ----------
    n_samples : int, default=100
        Number of cases.
    n_features : int, default=10
        Number of features.
    n_labels : int, default=5
        Number of labels, at least 2.
    utilities : {"linear", "expected"}, default="linear"
        ``"linear"``: features are standard normal, and so are a label's weights, divided by the
        root of `n_features`. ``"expected"``: a case is a distribution over as many states as there
        are features, all equally likely, a label's utility in each state is uniform in [0, 1], and
        labels are ordered by expected utility: the setting of [furnkranz2003]_ that section 6 of
        [brinker2006]_ repeats.
    model : {"gaussian", "plackett_luce", "mallows"}, default="gaussian"
        What `noise` makes of the order by utilities. ``"gaussian"`` adds normal noise to them;
        ``"plackett_luce"`` draws from the model with strengths exp(utility / noise); ``"mallows"``
        from that with this order as its centre and theta = 1 / noise.
    noise : float, default=0
        Not negative; for the first two in units of the standard deviation of all utilities. 0: the
        order by utilities.
    tied : float, default=0
        The probability that a label shares the position of the one ahead of it, from 0 to 1.
    missing : float, default=0
        The probability that a label is left out of a ranking, at least 0 and below 1.
    random_state : int or None, default=None
        The same seed draws the same; cases and utilities are the same for any `model`, `noise`,
        `tied` and `missing`.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        The cases.
    Y : ndarray of shape (n_samples, n_labels)
        Positions, 1 = most preferred; tied labels share one, NaN = left out.

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    .. [furnkranz2003] J. Fürnkranz, E. Hüllermeier: Pairwise preference learning and ranking. ECML
       2003.
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.

    Examples
    --------
    >>> X, Y = make_label_ranking(3, 2, 4, random_state=0)
    >>> X.shape
    (3, 2)
    >>> Y
    array([[2., 4., 3., 1.],
           [2., 3., 4., 1.],
           [3., 1., 4., 2.]])
    """
    _check_choice("utilities", utilities, _UTILITIES)
    _check_choice("model", model, _MODELS)
    for name, value, least in (
        ("n_samples", n_samples, 1),
        ("n_features", n_features, 1),
        ("n_labels", n_labels, 2),
        ("noise", noise, 0),
    ):
        if not value >= least:
            raise ValueError(f"Expected {name} of at least {least}, got {value!r}.")
    if not (0 <= tied <= 1 and 0 <= missing < 1):
        raise ValueError(
            "Expected tied between 0 and 1 and missing of at least 0 and below 1, got "
            f"{tied!r} and {missing!r}."
        )
    # The cases have a stream of their own.
    case_rng, noise_rng, gap_rng = np.random.default_rng(random_state).spawn(3)
    if utilities == "expected":
        X = case_rng.dirichlet(np.ones(n_features), n_samples)
        values = X @ case_rng.random((n_features, n_labels))
    else:
        X = case_rng.normal(size=(n_samples, n_features))
        values = X @ case_rng.normal(size=(n_features, n_labels)) / np.sqrt(n_features)
    positions = _drawn_positions(values, model, noise, noise_rng)
    return X, _with_gaps(positions, tied, missing, gap_rng)


def _check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"Expected {name} in {sorted(choices)}, got {value!r}.")


def _drawn_positions(
    utilities: FloatArray, model: str, noise: float, rng: np.random.Generator
) -> IntArray:
    """Draw strict rankings by a model around the order of utilities."""
    if model == "mallows":
        centres = np.argsort(strict_positions(-utilities), axis=1)
        orders = _mallows_orders(len(centres), centres.shape[1], noise=noise, rng=rng)
        return np.argsort(np.take_along_axis(centres, orders, axis=1), axis=1) + 1
    # The order of independent Gumbel variables with these means is Plackett and Luce's.
    draw = rng.normal if model == "gaussian" else rng.gumbel
    disturbance = draw(size=utilities.shape)
    return strict_positions(-(utilities + noise * utilities.std() * disturbance))


def _mallows_orders(
    n_samples: int, n_labels: int, *, noise: float, rng: np.random.Generator
) -> IntArray:
    """Draw orders of 0 ... n_labels - 1 around the identity, best first, by repeated insertion."""
    orders = np.zeros((n_samples, 0), dtype=np.int64)
    for label in range(n_labels):
        # The label goes ahead of i of those before it, with a probability ~ exp(-i / noise).
        ahead = np.exp(-np.arange(label + 1) / noise) if noise else np.eye(1, label + 1)[0]
        n_ahead = rng.choice(label + 1, size=n_samples, p=ahead / ahead.sum())
        keys = np.column_stack(
            [2 * np.arange(label)[None].repeat(n_samples, axis=0), 2 * (label - n_ahead) - 1]
        )
        appended = np.column_stack([orders, np.full(n_samples, label)])
        orders = np.take_along_axis(appended, np.argsort(keys, axis=1), axis=1)
    return orders


def _with_gaps(
    positions: IntArray, tied: float, missing: float, rng: np.random.Generator
) -> FloatArray:
    """Let labels share the position of the one ahead, and leave labels out."""
    n_samples, n_labels = positions.shape
    shares: NDArray[np.bool_] = rng.random((n_samples, n_labels)) < tied
    shares[:, 0] = False
    buckets = np.cumsum(~shares, axis=1)
    with_gaps = np.take_along_axis(buckets, positions - 1, axis=1).astype(np.float64)
    with_gaps[rng.random(with_gaps.shape) < missing] = np.nan
    return dense_positions(with_gaps)
