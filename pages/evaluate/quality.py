"""The verdict on the method: a sentence and a picture, both of one comparison."""

from collections.abc import Sequence
from math import isfinite, isnan

import numpy as np
import streamlit as st

from labelrank_core.comparison.cases import case_difference
from labelrank_core.comparison.quality import Comparison, Quality
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import Evaluation
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup.ticks import round_numbers
from labelrank_core.methods import BASELINES
from labelrank_core.metrics import Measure
from pages.ui.choose.measures import choose_measure
from pages.ui.render import drawing
from pages.ui.render.measured import OTHER_NUMBERS, measured_on, render_other_cases
from pages.ui.wording import measure_text

_N_TICKS = 4
# The share of the scale that the number at its start takes, on a phone.
_TICK_ROOM = 0.14


def render_quality(
    measures: Sequence[Measure],
    evaluations: Sequence[Evaluation],
    split: Split,
    *,
    is_strict: bool,
) -> None:
    """Draw the verdict as a heading, the method between simple rules and perfect, and the measure.

    `is_strict`: whether predictions have no ties.
    """
    verdict_column, measure_column = st.columns([3, 1], gap="medium")
    verdict_slot = verdict_column.container(key="headline")
    picture_slot = st.container(key="quality_picture")
    with measure_column:
        with_cases = [measure for measure in measures if measure.has_cases]
        measure = choose_measure(with_cases, "quality_measure")
    quality = quality_of(evaluations, measure)
    if isnan(quality.total):
        with verdict_slot:
            st.info(f"No test case says anything about {measure.title}.")
        return
    with verdict_slot:
        number = in_100(quality, is_strict=is_strict)
        drawing.render_heading(number or quality.verdict)
        if number:
            drawing.render_markdown(drawing.with_nouns(quality.verdict))
    with picture_slot:
        _render_picture(quality, split, is_strict=is_strict)


def _render_picture(quality: Quality, split: Split, *, is_strict: bool) -> None:
    """Draw the method, the simple rules and perfect on one scale, below how to read it."""
    measure = quality.measure
    is_any_clear = any(rival.difference.verdict != "unclear" for rival in quality.others)
    drawing.render_markdown(
        drawing.with_nouns(
            f"{_meaning(quality, is_strict=is_strict)}. Bars: 95% intervals of the difference."
            + " Hollow: clearly different." * is_any_clear
        ),
        f"{measure.title}: {measure.definition} It is the mean of {quality.n_cases} test cases. "
        "Bar: 95% interval of the difference from the method, which learned from "
        f"{len(split.train)} other cases{_seed_text(split)}. Everyone's average predicts one "
        "ranking for all cases.",
    )
    drawing.render_figure(
        markup.quality_plot(
            _rows(quality),
            "← worse",
            f"perfect: {quality.perfect:g}",
            _ticks(quality),
        ),
        key="quality",
        alt=f"{measure.title}: {quality.method} {quality.total:.3f}; "
        + "; ".join(
            f"{comparison.name} {comparison.total:.3f}, {comparison.sentence}"
            for comparison in quality.others
        ),
        table=quality.frame,
        caption=measured_on(split),
        more=OTHER_NUMBERS,
    )
    render_other_cases("sensitivity", "Sensitivity tests all cases: slightly other numbers")


def in_100(quality: Quality, *, is_strict: bool) -> str:
    """Return a mean Kendall's tau or Hamming loss as a number of 100 that are right; else nothing.

    Where predictions have ties, a tau counts no pairs.
    """
    if quality.measure.key == "hamming_loss":
        return f"{100 * (1 - quality.total):.0f} of 100 labels are right"
    if quality.measure.key == "kendall_tau_score" and is_strict:
        return f"{50 * (1 + quality.total):.0f} of 100 pairs of labels are in the right order"
    return ""


def _meaning(quality: Quality, *, is_strict: bool) -> str:
    """Say what a measure counts, where that is how its number and the heading's hang together."""
    measure = quality.measure
    if measure.key == "kendall_tau_score" and is_strict:
        # With four digits, so that what is written adds up and is a share of the pairs.
        total = round(quality.total, 4)
        right, wrong = 50 * (1 + total), 50 * (1 - total)
        return f"{measure.title}: {right:.2f}% right − {wrong:.2f}% wrong pairs = {total:.4f}"
    return f"{measure.title}: {measure_text.meaning(measure)}"


def quality_of(evaluations: Sequence[Evaluation], measure: Measure) -> Quality:
    """Compare the first evaluation with the others, case by case."""
    evaluation, *rivals = evaluations
    values = evaluation.values[measure.key]
    phrases = {baseline.title: baseline.phrase for baseline in BASELINES}
    return Quality(
        evaluation.method,
        measure,
        evaluation.totals[measure.key],
        int(np.count_nonzero(~np.isnan(values))),
        [
            Comparison(
                drawing.with_nouns(rival.method),
                phrases.get(rival.method, rival.method),
                rival.totals[measure.key],
                case_difference(values, rival.values[measure.key], measure),
            )
            for rival in rivals
            if measure.key in rival.values
        ],
    )


def _ticks(quality: Quality) -> list[tuple[float, str]]:
    """Return the start of the scale and round numbers up to perfect: their places, and texts."""
    start = quality.scale_start
    if not isfinite(start):
        return []
    low, high = sorted((start, quality.perfect))
    values = [round(float(value), 6) for value in round_numbers(low, high, _N_TICKS)]
    ticks = [(quality.share(value), f"{value:g}") for value in values]
    # The scale does not begin at zero.
    first = (0.0, f"{start:g}")
    others = [tick for tick in ticks if tick[0] > _TICK_ROOM]
    return [first, *others] if low == start else [*others, first]


def _rows(quality: Quality) -> list[markup.QualityRow]:
    method_row = markup.QualityRow(
        quality.method,
        "this method",
        f"{quality.total:.3f}",
        quality.share(quality.total),
        float("nan"),
        float("nan"),
        "first",
    )
    return [method_row, *(_comparison_row(quality, comparison) for comparison in quality.others)]


def _comparison_row(quality: Quality, comparison: Comparison) -> markup.QualityRow:
    low, high = quality.interval(comparison)
    return markup.QualityRow(
        comparison.name,
        comparison.sentence,
        f"{comparison.total:.3f}",
        quality.share(comparison.total),
        quality.share(low),
        quality.share(high),
        "level" if comparison.difference.verdict == "unclear" else "behind",
    )


def _seed_text(split: Split) -> str:
    return "" if split.kind == "published" else f", drawn with seed {split.seed}"
