"""How far a prediction can be trusted: accuracy against confidence."""

import streamlit as st

from labelrank_core.confidence import accuracy_after_rejecting, accuracy_by_confidence
from labelrank_core.evaluation import case_accuracy
from pages.ui import compute, evaluation_charts, parts, state

dataset, choice = state.dataset(), state.choice()

st.title("How sure is it, and how right?", anchor=False)
parts.need_features(dataset)
split = parts.test_part(state.split(), compute.quick_split(state.split()))
evaluation = compute.evaluations(dataset, choice, split)[0]
predicted = evaluation.predictions
confidences = predicted.confidence
if confidences is None:
    st.info("This method does not say how sure it is.")
    st.stop()

accuracy = case_accuracy(
    dataset, evaluation.rows, positions=predicted.positions, relevance=predicted.relevance
)
curve = accuracy_by_confidence(confidences, accuracy.values)
if len(curve) < 2:
    st.info(
        "Every test case has the same confidence, so there is no curve to draw. With a single "
        "similar case (k = 1) confidence is always 1; choose a larger k."
    )
    st.stop()

share = st.slider("Reject the least certain (%)", 5, 90, 10, 5, key="reject") / 100
rejection = accuracy_after_rejecting(confidences, accuracy.values, share=share)
st.markdown(
    f"Rejecting the {share:.0%} least certain of {len(confidences)} test cases moves the mean "
    f"{accuracy.title} from **{rejection.accuracy_before:.3f}** to "
    f"**{rejection.accuracy_after:.3f}**; the cases kept have a confidence of at least "
    f"{rejection.threshold:.2f}."
)
parts.chart(
    evaluation_charts.confidence_curves(curve, accuracy.title, rejection.threshold),
    key="curves",
    alt=f"mean {accuracy.title} rising from {curve['accuracy_at_least'].iloc[0]:.2f} for all "
    f"cases to {curve['accuracy_at_least'].iloc[-1]:.2f} for the most certain",
    table=curve,
)
st.caption(
    "(a) the mean of the cases with just this confidence, larger dots for more cases; (b) the "
    "mean of all cases with at least this confidence; below, the share of cases that is. Fig. 2 "
    "of Brinker and Hüllermeier 2006."
    + (" Levels with few cases are joined." if curve["binned"].any() else "")
)
parts.download_csv("Curves (CSV)", curve, f"{dataset.name}-confidence.csv")
