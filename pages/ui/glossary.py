"""Terms of the field, each in one line."""

import streamlit as st

TERMS = {
    "Borda": "a consensus that orders labels by their mean rank",
    "Confidence": "how far those who were asked agree with the prediction, between 0 and 1",
    "Footrule": "the sum of the differences between two rankings' places, label by label (l1)",
    "Hamming loss": "the share of labels whose being relevant or not is predicted wrongly",
    "Kemeny": "a consensus that contradicts as few preferences between two labels as possible",
    "Likelihood": "how often a count of neighbours occurs among cases with, or without, a label",
    "Mean rank": "the average place of a label; labels that share places have the mean of these",
    "Posterior": "the probability of a label after the neighbours were asked",
    "Prior": "the probability of a label before any neighbour was asked",
    "Spearman's rho": "how alike two rankings are: 1 the same, 0 unrelated, -1 reversed",
    "Virtual label": "a label that no case has; ranked with the others it marks the zero line",
    "Zero line": "the place in a ranking that separates relevant labels from the others",
}

_LISTED = "\n".join(f"- **{term}**: {words}" for term, words in TERMS.items())


def offer() -> None:
    """Offer the terms behind a click."""
    with st.popover("Words", icon=":material/dictionary:", type="tertiary"):
        st.markdown(_LISTED)
