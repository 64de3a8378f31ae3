"""Decision rules: from the same scores, the label sets that are best by a chosen measure."""

from functools import partial

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.decisions.rules import TARGETS
from labelrank_core.evaluation.decisions.trade_off import MEASURES
from labelrank_core.evaluation.decisions.tuned import Decisions, tuned_rules
from labelrank_core.methods import ModelChoice, Size
from labelrank_core.methods.params import Knob
from labelrank_core.metrics import METRICS
from pages.ui import compute
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.decisions import rule_matrix, threshold_spans, trade_off
from pages.ui.results import models
from pages.ui.wording import snippets

_GOOD = {
    "Right decisions": "hamming",
    "Rare labels too": "macro_f1",
    "Labels overall": "micro_f1",
    "Whole sets": "subset",
    "The order": "ranking",
}
_EXPLAINED = {
    "hamming": "Fewest wrong decisions over all cases and labels; rare labels are often left out.",
    "macro_f1": "Every label counts equally: rare labels are predicted early, often wrongly.",
    "micro_f1": "Most relevant labels found with few false ones; frequent labels count most.",
    "subset": "As many cases as possible get exactly their labels.",
    "ranking": "Relevant labels ahead of the others, wherever the zero line is.",
}


def render_decisions(dataset: Dataset, choice: ModelChoice, split: Split) -> None:
    """Draw the choice of a measure, and the decision rule tuned for it with its trade-off."""
    if choice.algorithm.learns_rankings or len(split.train) < 2:
        return
    st.header("Decide for a measure", anchor=False)
    st.markdown(
        "The method scores every label; thresholds turn scores into a label set. Which thresholds "
        "are best depends on the measure."
    )
    good = st.segmented_control(
        "What should be good?", list(_GOOD), key="good", bind="query-params"
    )
    if good is None:
        return
    key = _GOOD[good]
    decisions = _decisions(dataset, choice, split)
    st.caption(_EXPLAINED[key])
    st.markdown(_in_a_sentence(decisions, key))
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        _render_trade_off(decisions, choice, key)
    with right_column:
        _render_thresholds(decisions, dataset, key)
    _render_matrix(decisions)
    widgets.render_python_code(snippets.decision(dataset, choice, split, key))


def _decisions(dataset: Dataset, choice: ModelChoice, split: Split) -> Decisions:
    """Tune rules on training cases by models that have not seen them, and score the test rows."""
    fitted = models.fitted(dataset, choice, split)
    n_train = len(split.train)
    n_tests = max(n_train // 5, len(split.test))
    # Five fits on four fifths of the rows each, then sorting and measuring.
    seconds = 5 * choice.seconds(Size.of(dataset, n_train, n_tests))
    seconds += 1e-5 * (n_train + n_tests) * dataset.n_labels
    return compute.once(
        compute.digest("decisions", fitted.key, choice.path_params, split.test.tobytes()),
        "Scoring training cases by models that have not seen them",
        partial(tuned_rules, full_model=fitted.model),
        choice,
        dataset,
        split,
        seconds=seconds,
        algorithm=choice.algorithm,
    )


def _in_a_sentence(decisions: Decisions, key: str) -> str:
    table = decisions.against_own(key).set_index("measure")
    aim = table.loc[TARGETS[key].measure]
    direction = "higher" if aim["greater_is_better"] else "lower"
    reached = (
        f"On the {len(decisions.scores)} test cases {aim['title']} is **{aim['value']:.3f}** "
        f"({direction} is better); the method's own rule has {aim['own']:.3f}"
    )
    if key == "ranking":
        return f"{_order_in_words(decisions)} {reached}."
    rules = decisions.frame().set_index("rule")["labels_per_case"]
    worse = [
        f"{row['title']} {row['own']:.3f} → {row['value']:.3f}"
        for _, row in table.drop(aim.name).iterrows()
        if row["gain"] < -0.0005
    ]
    costs = f"It costs: {', '.join(worse)}." if worse else "No other measure gets worse."
    return (
        f"The rule tuned for it predicts **{rules[key]:.1f}** labels per case instead of "
        f"{rules['own']:.1f}. {reached}. {costs}"
    )


def _order_in_words(decisions: Decisions) -> str:
    source = decisions.rule("ranking").taken_from
    if source == "plain":
        return (
            "One threshold for all labels keeps the order of the scores, and no other thresholds "
            "gave a better order on unseen training cases: the plain scores are best."
        )
    plain = decisions.frame().set_index("rule")["ranking_loss"]
    alone = plain.get("plain", plain["own"])
    return (
        "One threshold for all labels keeps the order of the scores; different ones change it. On "
        "unseen training cases, scores minus the thresholds tuned for "
        f"{decisions.rule(str(source)).title} gave the best order, better than the plain scores "
        f"(on the test cases {alone:.3f})."
    )


def _render_trade_off(decisions: Decisions, choice: ModelChoice, key: str) -> None:
    up = TARGETS["macro_f1"].measure if key == "hamming" else TARGETS[key].measure
    measures = [measure for measure in MEASURES if measure != up]
    offered = {METRICS[measure].title: METRICS[measure] for measure in measures}
    title = choices.choose(
        st.selectbox, "Against", list(offered), key="against", bind="query-params"
    )
    across, up_axis = offered[title], METRICS[up]
    table, path, along = decisions.frame(), None, decisions.zero_line
    if along is not None:
        path = choice.algorithm.path_knobs[choice.algorithm.zero_line], along
    drawing.render_chart(
        trade_off(table, across, up_axis, key, path),
        key="trade-off",
        alt=f"{up_axis.title} and {across.title} of the rules, named by what they are tuned for: "
        + "; ".join(
            f"{row['title']} {row[up]:.3f} and {row[across.key]:.3f}" for _, row in table.iterrows()
        ),
        table=table if along is None else pd.concat([table, along], ignore_index=True),
        caption="Each mark is a rule, named by the measure it is tuned for; the ring is the "
        "method's own.",
        more="" if path is None else _path_explained(*path),
    )


def _render_matrix(decisions: Decisions) -> None:
    st.markdown("**Optimised for, measured by**")
    if decisions.set_rules:
        st.markdown(
            "*By whole sets*: without thresholds, the set that is best by the measure on average "
            "over the label sets that the method takes to be likely."
        )
    measures = [METRICS[key] for key in MEASURES]
    drawing.render_picture(rule_matrix(decisions.frame(), measures), key="rule-matrix")


def _path_explained(knob: Knob, path: pd.DataFrame) -> str:
    first, last = path.iloc[0], path.iloc[-1]
    low, high = (f"{knob.symbol} = {end[knob.name]:g}" for end in (first, last))
    sentence = (
        f"The dotted line is the method itself from {low} to {high}: one threshold per case, the "
        "same for all its labels. The other rules have one per label, the same for all cases."
    )
    if path["votes_needed"].notna().all():
        sentence += (
            f" With {low} a label needs {first['votes_needed']:.0%} of the votes, on average; with "
            f"{high}, {last['votes_needed']:.0%}."
        )
    return sentence


def _render_thresholds(decisions: Decisions, dataset: Dataset, key: str) -> None:
    table = decisions.label_frame(key, dataset.label_names)
    most_changed = table.loc[(table["predicted"] - table["own_predicted"]).abs().idxmax()]
    drawing.render_chart(
        threshold_spans(table),
        key="thresholds",
        alt="thresholds of the labels, tuned and own, among the scores of cases with and without "
        f"them; {most_changed['label']} changes most: predicted for "
        f"{most_changed['predicted']:.0%} of the test cases instead of "
        f"{most_changed['own_predicted']:.0%}",
        table=table,
        caption="A label is predicted to the right of its threshold; bars: cases with it "
        "(coloured) and without it (grey).",
        more="Bars hold the middle 80 % of the training cases, scored by models that have not seen "
        "them. The thresholds are tuned on these scores, never on test cases.",
    )
