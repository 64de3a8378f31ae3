"""Terms of the field, each in one line."""

import streamlit as st

TERMS = {
    "Borda": "a consensus rule that orders labels by their mean rank",
    "Bucket order": "a ranking in which several labels may share a position",
    "Confidence": "how strongly the neighbours or trees agree with the prediction, from 0 to 1",
    "Footrule": "the sum of the absolute rank differences of two rankings (l1)",
    "Hamming loss": "the share of labels predicted wrongly as relevant or not relevant",
    "Kemeny": "a consensus rule that contradicts as few pairwise preferences as possible",
    "Likelihood": "how often a count of neighbours occurs among cases with, or without, a label",
    "Mean rank": "the average position of a label; tied labels share the mean of their positions",
    "Posterior": "the probability of a label, given the count of neighbours that have it",
    "Prior": "the probability of a label before the neighbours are looked at",
    "Spearman's rho": "how similar two rankings are: 1 the same, 0 unrelated, −1 reversed",
    "Tau x": "how similar two rankings are, ties included: 1 the same, −1 reversed",
    "Tie": "labels that share a position; as a prediction it says that none of them is ahead",
    "Virtual label": "a label that no case has; ranked with the others, it marks the zero line",
    "Zero line": "the position in a ranking that separates relevant labels from the others",
}

# In reach of the keyboard, so that it can be scrolled where the window is low.
_LISTED = "".join(
    [
        '<ul tabindex="0" role="list" aria-label="Glossary">',
        *(f"<li><b>{term}</b>: {definition}</li>" for term, definition in TERMS.items()),
        "</ul>",
    ]
)


def render() -> None:
    """Offer the terms behind a click."""
    with st.popover("Glossary", icon=":material/dictionary:", type="tertiary"):
        st.html(_LISTED)
