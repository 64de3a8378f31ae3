"""A test whether cases shift, so that a guarantee from early ones may fail for late ones."""

from collections.abc import Callable

import streamlit as st

from labelrank_core.evaluation.guarantees import Exchangeability
from pages.ui.render import drawing

_LEVEL = 0.05


def render_drift_test(
    test: Callable[[], tuple[Exchangeability, bool] | None], quantity: str
) -> None:
    """Draw a test of drift, computed once its expander is open; `quantity`: the values compared."""
    expander = st.expander(
        drawing.with_nouns("Are later cases like the earlier ones?"), key="drift", on_change="rerun"
    )
    if not expander.open:
        return
    with expander:
        tested = test()
        if tested is None:
            st.info("There are too few cases to test.")
            return
        result, follows = tested
        along = "from the training set to the test set" if follows else "along the rows of the data"
        verdict = (
            f"The cases shift {along}: the guarantee need not hold for later ones."
            if result.p_value <= _LEVEL
            else f"No shift is found {along}. That proves nothing about cases of another origin."
        )
        st.markdown(f"{verdict} (p = {result.p_value:.3f}, {result.n_cases} cases)")
        drawing.render_caption(
            "A guarantee is about cases like those that calibrated.",
            f"A permutation test by MAPIE: {quantity}, against 199 random orders of the cases. p "
            "is how often a random order shows a shift as large as the given one.",
        )
