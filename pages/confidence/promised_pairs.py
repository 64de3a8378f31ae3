"""Pairs decided with a guarantee: risks as promised and as realised on test cases."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.data.splits import Split
from labelrank_core.evaluation.guarantees import Realised
from labelrank_core.evaluation.guarantees.calibration import fewest_cases
from labelrank_core.evaluation.guarantees.realised import commonest, first_labels
from labelrank_core.rankings import equal_up_to_rounding
from pages.confidence import promised_sets, shifts
from pages.confidence.groups import verdict_on_groups
from pages.confidence.withheld_pairs import abstention_curve_of_tests
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.calibration import LEVEL
from pages.ui.render.charts.guarantees import (
    PROMISE_GUIDE,
    decided_against_promised,
    kept_against_realised,
    promised_against_realised,
    realised_by,
)
from pages.ui.render.measured import OTHER_NUMBERS, measured_on
from pages.ui.results import guarantees
from pages.ui.results.guarantees import ANY_PAIR, RISKS
from pages.ui.view import View
from pages.ui.wording import snippets

_TESTED = "the largest gap that is wrong in each case that the model has not seen"
_PROMISES = {
    ANY_PAIR: "It promises that every pair that it decides in a case is right, with a probability "
    "of at least {percent}%.",
    guarantees.SHARE_OF_PAIRS: "It promises that on average at most {rest}% of the pairs are "
    "decided wrongly.",
}
_GOOD = {
    ANY_PAIR: "cases without a wrong pair",
    guarantees.SHARE_OF_PAIRS: "pairs not decided wrongly",
}


def render_promised_pairs(view: View, split: Split) -> None:
    """Draw realised against promised risks; folded, the share of pairs decided, and groups."""
    if not view.choice.algorithm.learns_rankings:
        promised_sets.render_promised_sets(view, split)
        return
    if view.dataset.n_labels < 2:
        st.info("A single label has no pairs.")
        return
    # What takes long is done before the slider, whose moves then draw only what depends on it.
    if guarantees.realised(view, split, ANY_PAIR) is None:
        st.info("A guarantee takes two training cases, and a test case that orders two labels.")
        return
    st.fragment(_render_at_level)(view, split)
    shifts.render_drift_test(partial(guarantees.drift, view, split), _TESTED)


def _render_at_level(view: View, split: Split) -> None:
    headline_slot = st.container(key="headline")
    percent, risk = guarantees.choose_guarantee(
        "level", "kind_of_promise", RISKS, guarantees.RISKS_SAID
    )
    with st.grid(2, min_column_width=300, gap="medium", key="promise_picture"):
        price_slot, kept_slot = st.container(), st.container()
    realised_risks = guarantees.realised(view, split, risk)
    assert realised_risks is not None
    curve = guarantees.curve(view, split, risk, realised_risks)
    at = curve.iloc[percent - round(100 * curve["promised"].iloc[0])]
    with headline_slot:
        drawing.render_heading(verdict(at, risk))
        promise = promise_text(at, risk) if at["kept"] else _refusal(realised_risks, at)
        drawing.render_markdown(drawing.with_nouns(promise))
    with price_slot:
        _render_price(curve, at)
    with kept_slot:
        _render_promised(curve, at, risk, split)
        if at["kept"]:
            widgets.render_link(
                "predict",
                drawing.with_nouns("The pairs it decides in one case"),
                ":material/arrow_forward:",
                view="How sure",
                sure=str(percent),
                promise=risk,
            )
    with widgets.expander("More about this promise", "promise_open") as is_drawn:
        if is_drawn:
            by_votes = _withheld_frame(view, split, risk) if view.choice.algorithm.votes else None
            _render_decided_share(view, curve, by_votes, percent, risk)
            _render_groups(view, split, realised_risks, percent, risk)
            file_name = f"{view.dataset.name}-guarantee.csv"
            widgets.render_csv_download("Curve (CSV)", curve, file_name)
    alpha = (100 - percent) / 100
    # ConformalLabelRanker learns whole rankings only.
    if view.dataset.task.has_rankings:
        widgets.render_python_code(
            snippets.guarantee(view.dataset, view.choice, split, alpha, RISKS[risk])
        )


def verdict(at: pd.Series, risk: str) -> str:
    """Compare the promised share of cases with the realised one, in a sentence."""
    percent = round(100 * at["promised"])
    if not at["kept"]:
        return f"At {percent}%, no pair is decided"
    if risk == ANY_PAIR:
        promise = f"The promise of {percent}%"
        realised = f"in {at['realised']:.1%} of the test cases all decided pairs are right"
    else:
        promise = f"The promise of at most {100 - percent}% wrong"
        realised = f"{1 - at['realised']:.1%} of the pairs are decided wrongly"
    if at["realised"] >= at["promised"] or equal_up_to_rounding(at["realised"], at["promised"]):
        return f"{promise} is kept: {realised}"
    if at["realised"] >= at["low"]:
        return f"{promise} is missed, but with so few cases that can happen: {realised}"
    return f"{promise} is not kept here: {realised}"


def _refusal(realised_risks: Realised, at: pd.Series) -> str:
    """Return why no pair is decided at a level, in a sentence."""
    n, fewest = realised_risks.calibration.n_cases, fewest_cases(1 - at["promised"])
    if n < fewest:
        return f"That takes {fewest} calibration cases. There are {n}."
    return "No gap between scores is wide enough."


def promise_text(at: pd.Series, risk: str) -> str:
    """Return the share of pairs that is decided, and the promise about them."""
    percent = round(100 * at["promised"])
    promise = _PROMISES[risk].format(percent=percent, rest=100 - percent)
    return (
        f"The method decides **{at['kept']:.0%}** of the pairs of labels and leaves the others "
        f"open. {promise}"
    )


def _render_price(curve: pd.DataFrame, at: pd.Series) -> None:
    """Draw the share of pairs decided at each level, which falls as more is promised."""
    none_decided = curve.loc[curve["kept"] == 0, "promised"]
    none_at = f", at {none_decided.min():.0%} none" if len(none_decided) else ""
    drawing.render_markdown(
        f"The more is promised, the fewer pairs are decided{none_at}. ◆ is your promise."
    )
    drawing.render_figure(
        decided_against_promised(curve, at["promised"]),
        key="decided",
        alt=f"share of pairs decided against the promise; at {at['promised']:.0%}, "
        f"{at['kept']:.0%} of the pairs",
        table=curve[["promised", "kept"]],
    )


def _render_promised(curve: pd.DataFrame, at: pd.Series, risk: str, split: Split) -> None:
    good, level = drawing.with_nouns(_GOOD[risk]), at["promised"]
    has_band = curve["low"].notna().any()
    about_band = " In the band, a miss may be chance." if has_band else ""
    drawing.render_markdown(PROMISE_GUIDE + about_band)
    drawing.render_figure(
        promised_against_realised(curve, level, good),
        key="promised",
        alt=f"{good}, realised against promised; at {level:.0%} realised {at['realised']:.1%}",
        table=curve,
        caption=measured_on(split),
        more="The promise is about all draws of cases together. Band: where the realised share "
        "is in 95% of draws of calibration and test cases, if no gaps between scores tie. The line "
        "moves in steps and can leave it, because equally clear pairs are decided together. Where "
        f"few pairs are wrong anyway, more is kept than promised. {OTHER_NUMBERS}",
    )


def _render_decided_share(
    view: View, curve: pd.DataFrame, by_votes: pd.DataFrame | None, percent: int, risk: str
) -> None:
    drawing.render_heading(f"Pairs decided and {drawing.with_nouns(_GOOD[risk])}")
    votes, good = view.choice.algorithm.votes, drawing.with_nouns(_GOOD[risk])
    drawing.render_figure(
        kept_against_realised(curve, by_votes, percent / 100, good),
        key="kept",
        alt=f"{good} against the share of pairs decided"
        + (", beside pairs withheld by their votes" if votes else ""),
        table=lambda: pd.concat([curve, by_votes], ignore_index=True),
        caption=drawing.with_nouns(
            f"Dashed: a pair is decided where enough {votes} agree. That promises nothing."
            if votes
            else "Each point is a level."
        ),
        more="With a guarantee the level is chosen before any test case is seen. A threshold on "
        "votes has no level: what it keeps is known only from test cases. The guarantee's model is "
        "trained on the other 70% of the training cases.",
    )


def _withheld_frame(view: View, split: Split, risk: str) -> pd.DataFrame:
    """Tabulate withheld pairs of the cases that order two labels as the guarantee is."""
    abstentions = abstention_curve_of_tests(view, split)
    ordered = abstentions.n_pairs > 0
    wrong, n_pairs = abstentions.n_wrong[ordered], abstentions.n_pairs[ordered][:, None]
    lost = wrong > 0 if risk == ANY_PAIR else wrong / n_pairs
    decided = wrong + abstentions.n_right[ordered]
    return pd.DataFrame(
        {
            "threshold": abstentions.thresholds,
            "realised": 1 - lost.mean(axis=0),
            "kept": decided.sum(axis=0) / n_pairs.sum(),
        }
    )


def _render_groups(
    view: View, split: Split, realised_risks: Realised, percent: int, risk: str
) -> None:
    dataset, good = view.dataset, drawing.with_nouns(_GOOD[risk])
    scores = np.full((len(split.test), dataset.n_labels), -np.inf)
    scores[realised_risks.cases] = realised_risks.scores
    groups = commonest(first_labels(scores, dataset.label_names))
    table = realised_risks.groups(1 - percent / 100, groups, level=LEVEL)
    drawing.render_heading(verdict_on_groups(table, percent / 100))
    drawing.render_markdown(
        drawing.with_nouns(
            "The promise is about all cases together: a single group, here by the label that is "
            "predicted first, may get less."
        )
    )
    drawing.render_figure(
        realised_by(table, percent / 100, good, "{:.0%} of the pairs decided"),
        key="groups",
        alt=f"{good} by group: "
        + "; ".join(f"{row.group} {row.realised:.0%}" for row in table.itertuples()),
        table=table,
        caption="How is this computed?",
        more="If every group gets what is promised, all dots lie on their bars in at least "
        f"{1 - LEVEL:.0%} of such samples: a bar reaches down to the share that as many cases fall "
        f"below in at most {LEVEL:.0%} of draws, divided by the number of groups. The "
        "first label is that of the guarantee's model, which learned from 70% of the training "
        "cases. Calibrated on "
        f"{realised_risks.calibration.n_cases} training cases that were held out. The test cases "
        "had no part in it.",
    )
