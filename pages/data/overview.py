"""What the data in use are."""

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from pages.ui import compute, parts

_SHOWN = 200


def show(dataset: Dataset) -> None:
    """Show numbers, first rows, findings and, for samples, the source.

    Parameters
    ----------
    dataset : Dataset
        The data in use.
    """
    for place, (name, value) in zip(
        st.columns(4),
        {
            "Rows": dataset.n_samples,
            "Features": len(dataset.schema.columns),
            "Labels": dataset.n_labels,
            "Test rows published": 0 if dataset.split is None else int(dataset.split.sum()),
        }.items(),
        strict=True,
    ):
        place.metric(name, value)
    sample = compute.known_sample(dataset)
    if sample is not None:
        st.markdown(
            f"{sample.summary} **Source:** {sample.source}. **Licence:** {sample.licence}. "
            f"**Targets:** {sample.derivation}"
        )
    st.dataframe(_table(dataset), hide_index=True, height=320)
    if dataset.n_samples > _SHOWN:
        st.caption(f"The first {_SHOWN} rows.")
    parts.findings(dataset.findings)


def _table(dataset: Dataset) -> pd.DataFrame:
    shown = slice(_SHOWN)
    rows = range(1, min(_SHOWN, dataset.n_samples) + 1)
    return parts.around_features(
        dataset.feature_frame(shown), {"row": rows}, {"target": dataset.targets_in_words(shown)}
    )
