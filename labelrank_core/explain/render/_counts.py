"""The meaning of a count of neighbours with a label, drawn."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.evidence import CountEvidence
from labelrank_core.explain.render.markup.bar_rows import color_key
from labelrank_core.explain.render.markup.palette import ACCENT, label_color, mark_class
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.text import shorten_all
from labelrank_core.explain.render.markup.ticks import round_numbers

_HEIGHT, _LETTERS, _TICKS = 280, 18, 12
_TRAINING_HEIGHT, _TRAINING_TICKS = 150, 4
_WITHOUT = "#8a93a3"
# Above the curves there is room for what is said of the case.
_HEADROOM = 1.15


def count_likelihoods(counts: CountEvidence, label: int, label_names: Sequence[str]) -> str:
    """Draw the likelihood of every count of neighbours for cases with and without a label."""
    table, case_count = counts.by_count(label), int(counts.case_counts[label])
    name, last = shorten_all(label_names, _LETTERS)[label], len(table) - 1
    ticks = [(n, f"{n:.0f}") for n in round_numbers(0, last, _TICKS).tolist() if n == int(n)]
    across = Axis(-0.6, last + 0.4, ticks, f"{name} among the {last} nearest")
    sides = table[["likelihood with it", "likelihood without it"]].to_numpy()
    highest = _HEADROOM * float(np.max(sides)) or 1.0
    shares = [(share, f"{share:.6g}") for share in round_numbers(0, highest, 5).tolist()]
    plot = Plot(across, Axis(0.0, highest, shares, "likelihood"))
    plot.shade(case_count - 0.4, case_count + 0.4)
    # No label has the accent; some are grey.
    looks = {
        "with": (label_color(label), mark_class(label), ""),
        "without": (ACCENT, "crossed", "3 3"),
    }
    for side, (color, look, dashes) in looks.items():
        likelihoods = table[f"likelihood {side} it"].tolist()
        plot.curve(range(last + 1), likelihoods, color, 2.5, dashes)
        n_cases = table[f"training cases {side} it"]
        for count, (likelihood, n) in enumerate(zip(likelihoods, n_cases, strict=True)):
            tooltip = f"{side} {name}: {likelihood:.3f} ({n} training cases)"
            plot.spot(
                count, likelihood, f"{'near' if count == case_count else 'dot'} {look}", tooltip
            )
    plot.upright(case_count, f"counted here: {case_count}")
    key = [("●", label_color(label), f"with {name}"), ("×", ACCENT, f"without {name}")]
    return color_key(key) + plot.drawn(_HEIGHT)


def training_counts(
    counts: CountEvidence, label: int, label_names: Sequence[str], rows: str
) -> str:
    """Draw how many training cases have each count of neighbours, and how many have the label.

    The bar of the case's count is the one that its probability comes from; `rows` names the cases.
    """
    table, case_count = counts.by_count(label), int(counts.case_counts[label])
    with_label = table["training cases with it"].to_numpy()
    totals = with_label + table["training cases without it"].to_numpy()
    name, k = shorten_all(label_names, _LETTERS)[label], len(table) - 1
    last = max(int(np.flatnonzero(totals).max(initial=0)), case_count)
    ticks = [(n, f"{n:.0f}") for n in round_numbers(0, last, _TICKS).tolist() if n == int(n)]
    across = Axis(-0.6, last + 0.6, ticks, f"{name} among the {k} nearest")
    highest = _HEADROOM * float(totals.max()) or 1.0
    numbers = [(n, f"{n:g}") for n in round_numbers(0, highest, _TRAINING_TICKS).tolist()]
    plot = Plot(across, Axis(0.0, highest, numbers, f"training {rows}"))
    plot.shade(case_count - 0.5, case_count + 0.5)
    for count in range(last + 1):
        n, n_with = int(totals[count]), int(with_label[count])
        tooltip = f"{count} of {k}: {n_with} of {n} training {rows} have {name}"
        ends = (count - 0.36, count + 0.36)
        plot.bar(ends, n, _WITHOUT, tooltip)
        plot.bar(ends, n_with, label_color(label), tooltip)
    here = f"here: {with_label[case_count]} of {totals[case_count]}"
    plot.upright(case_count, here)
    key = [("■", label_color(label), f"have {name}"), ("■", _WITHOUT, "do not")]
    return color_key(key) + plot.drawn(_TRAINING_HEIGHT)
