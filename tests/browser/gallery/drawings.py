"""Every drawing made of markup for awkward labels, besides the kinds of evidence."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import cycle
from math import exp, inf, nan

import numpy as np
import pandas as pd

from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import (
    TreeVotes,
)
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import (
    MethodGroup,
    Span,
    Waterfall,
    bar_rows,
    groups,
)
from labelrank_core.explain.render.markup.differences import Difference
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels, ranked_rows
from labelrank_core.explain.render.markup.rankings import LabelBar
from labelrank_core.explain.render.markup.tables import CaseRow
from labelrank_core.explain.render.markup.text import shorten_middle
from tests.browser.gallery.differences import LONG, UNBROKEN, awkward_differences
from tests.browser.gallery.evidence import first_example
from tests.browser.gallery.labels import Labels

Drawings = Mapping[str, str]


def _chips(labels: Labels) -> Drawings:
    drawn = {
        kind: [markup.chip(label, labels.names, kind) for label in labels.order[:16]]
        for kind in ("", "small", "open")
    }
    return {kind: f'<div class="lr">{" ".join(chips)}</div>' for kind, chips in drawn.items()}


def _strip(labels: Labels) -> Drawings:
    order = labels.order[:15]
    tied = [labels.order[:2], labels.order[2:]] if labels.n > 2 else [labels.order]
    drawn = {
        **{
            f"{n} relevant": markup.strip(
                RankedLabels.from_order(order, n_relevant=n), labels.names
            )
            for n in (None, 0, len(order))
        },
        "tied": markup.strip(RankedLabels(tied, n_relevant=2), labels.names, n_labels=15),
    }
    return {name: f'<div class="lr">{strip}</div>' for name, strip in drawn.items()}


_LINE_TEXT = "Above the zero line: predicted. At least 4 of 10 have it."


def _ladder(labels: Labels) -> Drawings:
    order = labels.order[:15]
    verdicts = ("✓ right", "really 12", "✗ not relevant", "not ranked", "")
    bars = {
        j: LabelBar(
            1 - i / 7 if i < 7 else 0.0, f"probability {i / 7:.2f}", verdicts[i % 5], i % 2 == 0
        )
        for i, j in enumerate(order)
    }
    lined = {
        j: LabelBar(i / len(order), "score 0.10", line=0.5, start=0.5) for i, j in enumerate(order)
    }
    ranking, names = RankedLabels.from_order(order), labels.names
    half, whole, none = (replace(ranking, n_relevant=n) for n in (len(order) // 2, len(order), 0))
    # Behind so many other labels that positions have three digits.
    last = RankedLabels([[j] for j in labels.order if j not in lined] + [[j] for j in order])
    return {
        "with bars": markup.ladder(ranking, names, bars),
        "with a line": markup.ladder(half, names, lined, line_text=_LINE_TEXT, ends=("-1", "159")),
        "all relevant": markup.ladder(whole, names, lined, line_text=_LINE_TEXT),
        "last labels": markup.ladder(last, names, lined, labels=lined),
        "names only": markup.ladder(none, names),
    }


def _side_by_side(labels: Labels) -> Drawings:
    shown = labels.order[:15]
    split = max(1, len(shown) // 3)
    whole, ranked = RankedLabels.from_order(shown, "Predicted"), RankedLabels.from_order
    ties = [shown[i : i + 3] for i in range(0, len(shown), 3)][::-1]
    pairs = {
        "reversed": (whole, ranked(shown[::-1], "Real")),
        "tied": (whole, RankedLabels(ties, "Method")),
        "partial": [
            replace(ranking, line="relevant above")
            for ranking in (ranked(shown, "Predicted", split), ranked(shown[:split], LONG, 0))
        ],
    }
    return {name: markup.side_by_side(*pair, labels.names) for name, pair in pairs.items()}


def _strips(labels: Labels) -> Drawings:
    rows = [f"#{10**i}  d {i / 3:.2f}  w 0.12" for i in range(7)]
    options = {
        "rankings": {},
        "dense": {"is_dense": True},
        "six places": {"n_places": 6},
        "ten places": {"n_places": 10},
        "long rows": {"n_places": 4},
    }
    if labels.n > 16 and labels.are_long:
        # No page draws so many long names: the number of places is limited.
        del options["rankings"], options["dense"]
    return {
        name: markup.strips(
            ranked_rows(labels.rankings, [LONG] * 7 if name == "long rows" else rows),
            labels.names,
            **option,
        )
        for name, option in options.items()
    }


def _chains(labels: Labels) -> list[list[list[list[int]]]]:
    pairs = [[[a], [b]] for a, b in zip(labels.order[:6], labels.order[1:7], strict=False)]
    whole = [[[label] for label in labels.order[:9]]]
    return [pairs, whole, [[labels.order[:2]]], []]


def _known_pairs(labels: Labels) -> Drawings:
    kinds = dict(zip(("pairs", "chain", "tied", "none"), _chains(labels), strict=True))
    drawn = {kind: markup.known_pairs(chains, labels.names) for kind, chains in kinds.items()}
    drawn["three"] = markup.known_pairs(kinds["pairs"], labels.names, max_chains=3)
    return {kind: f'<div class="lr">{each}</div>' for kind, each in drawn.items()}


def _known_pairs_rows(labels: Labels) -> Drawings:
    rows = ["#7  d 0.25", LONG, "Berlin", "1  Ulm"]
    return {"": markup.known_pairs_rows(_chains(labels), rows, labels.names, max_chains=3)}


def _dot_rows(labels: Labels) -> Drawings:
    rows = [(i, j, i / 3 - 0.001) for i, j in enumerate(labels.order[:15], start=1)]
    equal = [(i, j, 0.0) for i, j, _ in rows]
    bars = {
        "alone": None,
        "low bar": Bar(-5.0, "zero line"),
        "high bar": Bar(12345.678, "threshold of the label"),
    }
    drawn = {name: markup.dot_rows(rows, labels.names, bar, (0, 1)) for name, bar in bars.items()}
    return {**drawn, "equal": markup.dot_rows(equal, labels.names, Bar(0.0, "zero line"))}


def _label_sets(labels: Labels) -> Drawings:
    order = labels.order[:15]
    names = {"numbers": [f"#{10**i}" for i in range(7)], "long": [LONG, UNBROKEN] * 3 + ["+"]}
    return {
        name: markup.label_sets(labels.relevance, rows, labels.names, order)
        for name, rows in names.items()
    }


def _matrix(labels: Labels) -> Drawings:
    names = [labels.names[j] for j in labels.order[:15]]
    tints = np.resize([1.0, -1.0, 0.0, nan, 0.3, -0.04], (4, len(names)))
    rows = ["1  A", LONG, UNBROKEN, ""]
    texts = {"shares": "100%", "votes": "-12.34", "cases": "12345"}
    drawn = {
        name: Tinted(
            tints, [[said] * len(names)] * 4, rows, names, frozenset([(0, 1)]), labels=[0, 1, 2, 9]
        )
        for name, said in texts.items()
    }
    shares = [["0.96"] * len(names)] * 4
    drawn["sums"] = replace(drawn["shares"], texts=shares, totals=["12.34"] * 4, totals_title="Sum")
    return {name: markup.matrix(cells) for name, cells in drawn.items()}


def _tint_key(_: Labels) -> Drawings:
    return {"": markup.tint_key("0: behind", "1: ahead")}


def _intervals(labels: Labels) -> Drawings:
    n = labels.n
    truths = [(i + 0.5, i + 0.5) if i < n else (i, i) for i in range(1, n + 1)]
    spans = [
        markup.Span(
            j,
            i,
            max(1, i - 2),
            min(n, i + i % 5),
            None if i % 2 else (truths[i - 1] if i % 4 else (i / 2, (i + n) / 2)),
        )
        for i, j in enumerate(labels.order[:15], start=1)
    ]
    return {"": markup.intervals(spans, labels.names, n)}


def _stacked_votes(labels: Labels) -> Drawings:
    order = labels.order[:15]
    rows = [
        (
            markup.chip(j, labels.names, "small"),
            f"{i + 1 / 3:.2f}",
            [("tree 1", i / 60), ("tree 2", 0.5)],
        )
        for i, j in enumerate(order)
    ]
    return {"": markup.stacked_votes(rows, [mark_class(j) for j in order], "mean rank")}


def _cases_table(labels: Labels) -> Drawings:
    buckets = [bucket for bucket in (labels.order[:2], labels.order[2:]) if bucket]
    strip = markup.strip(RankedLabels(buckets), labels.names, n_labels=6)
    heads = ("size", LONG, UNBROKEN)
    own = CaseRow("●", "this case", ("1.5", "district heating", "0.0001235"), "?")
    others = [
        CaseRow(str(i + 1), f"#{10**i}", ("-123456", "gas", "3e+20"), strip, (True, False, True))
        for i in range(5)
    ]
    bare = [CaseRow("", row.name, (), row.strip) for row in others]
    return {
        "values": markup.cases_table(own, others, heads, ("case", "ranking")),
        "no values": markup.cases_table(bare[0], bare[1:], (), ("case", "labels")),
    }


def _method_groups(labels: Labels) -> Drawings:
    order = labels.order[:15]
    strip = markup.strip(RankedLabels.from_order(order, n_relevant=len(order) // 2), labels.names)
    many = [(i, f"method {i}", "0.93") for i in range(14)]
    groups = [
        MethodGroup("2 methods: this answer", strip, "9 of 10 pairs right", many, "method 3"),
        MethodGroup(LONG, strip, "", [(7, UNBROKEN, ""), (8, LONG, "0.50")]),
        MethodGroup("1 method: not A", "no label", "12 of 28 labels right", []),
    ]
    waiting = {"Trees": [LONG, UNBROKEN], "Linear": [f"method {i}" for i in range(9)]}
    return {"": markup.method_groups(groups), "some": markup.method_groups(groups[:1], waiting)}


def _deciding_table(labels: Labels) -> Drawings:
    few = labels.names[:9]
    cells = [[("12.34", "decides" if j == i else "") for j in range(len(few))] for i in range(3)]
    rows = [("Borda", "mean rank", cells[0]), (LONG, "pairs won", cells[1]), ("", "", cells[2])]
    return {"": markup.deciding_table(few, rows)}


def _plane(labels: Labels) -> Drawings:
    places = np.random.default_rng(0).normal(size=(60, 2)) * [1e-4, 1e6]
    firsts = np.arange(60) % labels.n - (np.arange(60) % 7 == 0)
    said = [f"case {i}" for i in range(60)]
    plane = markup.Plane(places, (LONG, "x"))
    own, near = tuple(places[0]), np.arange(1, 8)
    map_ = markup.Plane(places * [1e4, 1e-6] + [10, 50], ("longitude", "latitude"), True)
    same = markup.Plane(np.zeros((60, 2)), ("a", "b"))
    reach = np.array([2e-4, 2e6])
    drawn = {
        "map": markup.neighborhood(map_, (10.0, 50.0), near, firsts, said, are_named=True),
        "circle": markup.neighborhood(plane, own, near, firsts, said, reach=reach),
        "one place": markup.neighborhood(same, (0.0, 0.0), near, firsts, said),
    }
    return {name: markup.stacked_plots(*layers) for name, layers in drawn.items()}


def _named_plane(labels: Labels) -> Drawings:
    places = np.random.default_rng(0).normal(size=(60, 2)) * [1e-4, 1e6]
    firsts = np.arange(60) % labels.n - (np.arange(60) % 7 == 0)
    said = [f"case {i}" for i in range(60)]
    plane = markup.Plane(places, (LONG, "x"))
    own, near, reach = tuple(places[0]), np.arange(1, 8), np.array([2e-4, 2e6])
    draw = partial(markup.named_neighborhood, plane, own, near, firsts, said)
    return {"": draw({5: "#99999"}), "circle": draw({}, reach=reach, room=reach)}


def _legend(labels: Labels) -> Drawings:
    firsts = np.arange(-1, min(7, labels.n))
    names = [LONG, UNBROKEN, *labels.names[2:]]
    return {"": markup.legend(firsts, names, "First:", "none alone")}


def _divided(labels: Labels) -> Drawings:
    places = np.random.default_rng(0).random((40, 2))
    plane = markup.Plane(places, ("size", UNBROKEN))
    said = [f"case {i}" for i in range(40)]
    cuts = [(0, 0.1, "A", "A"), (0, 0.95, "B", "B"), (1, 0.5, "C", "C"), (1, 0.97, "D", "D")]
    return {"": markup.divided(plane, np.arange(40) % labels.n, said, cuts, 330)}


def _trees(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    return {
        "whole": drawings.whole_tree(votes, labels.scene(votes)),
        "guess": drawings.whole_tree(votes, labels.scene(votes), shows_way=False),
    }


def _way(labels: Labels) -> Drawings:
    votes = first_example(TreeVotes, labels)
    return {"": drawings.way(votes, labels.scene(votes))}


def _gauge(_: Labels) -> Drawings:
    values = ((0.0, 0.0), (0.5, 0.25), (1.0, 0.98), (0.999, 0.0))
    return {f"{value}": markup.gauge(value, lowest) for value, lowest in values}


def _standing_bar(_: Labels) -> Drawings:
    counts = ((0, 0, 5), (0, 5, 0), (998, 1, 1), (64, 36, 22))
    return {
        " ".join(map(str, parts)): markup.standing_bar(
            0.5, *parts, f"among {sum(parts)} test cases"
        )
        for parts in counts
    }


def _waterfall(labels: Labels) -> Drawings:
    steps = {
        "both": [("size", "3", 1.5), (LONG, "12.34", -2.5), (UNBROKEN, "", 0.004), ("", "", 0.5)],
        "one way": [("size", "3", 0.5), ("age", "4", 0.25)],
        "nothing": [("size", "1", 0.0), ("age", "2", -0.0)],
        "none": [],
    }
    chart = Waterfall((0, 1), ("An average case", 0.1), [], "This case", 0.0, is_share=False)
    shares = Waterfall((0, 1), ("An average district", 0.875), [("cars", "400", -0.4)],
                       "This district", 0.5, is_share=True)  # fmt: skip
    drawn = {name: markup.waterfall(replace(chart, steps=each)) for name, each in steps.items()}
    named = replace(shares, label_names=(labels.names[0], labels.names[-1]))
    return {
        **drawn,
        "shares": markup.waterfall(shares),
        "of a pair": markup.waterfall(named),
        "of a label": markup.waterfall(replace(named, labels=(0, None))),
    }


def _position_counts(labels: Labels) -> Drawings:
    # Of more labels, rankings are not counted.
    n = min(labels.n, 8)
    rankings = np.tile(labels.rankings[:6, :n], (3, 1))
    return {"": f'<div class="lr">{markup.position_counts(rankings, labels.names[:n])}</div>'}


def _squares(labels: Labels) -> Drawings:
    n = min(labels.n, 10)
    spans = [Span(j, j + 1, max(1, j), min(n, j + 2), (j + 1.0, j + 1.0)) for j in range(n)]
    tied = [replace(span, truth=((n + 1) / 2,) * 2) for span in spans]
    return {
        "": markup.squares(spans, labels.names, n),
        "tied": markup.squares(tied, labels.names, n),
        "no truth": markup.squares([replace(s, truth=None) for s in spans], labels.names, n),
    }


def _standings(_: Labels) -> Drawings:
    Standing = markup.Standing
    rows = [
        Standing(
            "k-NN",
            "0.912",
            0.7,
            0.7,
            0.7,
            "similar cases · in use",
            "first",
            LONG,
            summary=LONG,
            is_advised=True,
        ),
        Standing(LONG, "0.91", 0.69, 0.4, 1.2, "trees", "level"),
        Standing(UNBROKEN, "-12345.678", 0.4, 0.2, 0.5, "pairwise · out after round 2", "behind"),
        Standing("failed", "–", nan, nan, nan, f"failed: {LONG}", "behind"),
        Standing("no interval", "0.1", 0.0, -inf, inf, "few cases", "behind"),
        Standing(LONG, "", nan, nan, nan, "trees", "waiting"),
    ]
    equal = [
        Standing(name, "1", 1.0, 1.0, 1.0, "", kind)
        for name, kind in (("a", "first"), ("b", "level"))
    ]
    ends = "everyone's average: 0.612", "perfect: 1"
    return {
        "race": markup.standings(rows, *ends),
        "equal": markup.standings(equal, *ends),
        "one": markup.standings(rows[:1], *ends),
        "waiting": markup.standings(rows[-1:], *ends),
        "timed": markup.standings(
            [
                replace(row, time="12345 s", time_share=share, action="Use" if share else "")
                for row, share in zip(rows, (1.0, 0.5, 0.01, 0.0, 0.9, 0.0), strict=True)
            ],
            *ends,
            ticks=[(0.0, "0.612"), (0.5, "0.8"), (1.0, "1")],
        ),
    }


def _quality(_: Labels) -> Drawings:
    Row = markup.QualityRow
    own = Row("k-NN", "this method", "0.912", 0.7, nan, nan, "first")
    rows = [
        Row(LONG, "clearly behind, by 0.174 (0.132 to 0.216)", "0.677", 0.1, 0.0, 0.2, "behind"),
        Row(UNBROKEN, "not clearly behind", "-12345.678", 0.6, 0.45, 0.75, "level"),
        Row("better", "clearly ahead", "1.000", 1.0, 0.9, 1.0, "behind"),
        Row("few cases", "not clear", "0.9", 0.7, nan, nan, "level"),
    ]
    best = replace(own, share=1.0)
    return {
        "": markup.quality_plot(
            [own, *rows], "starts at 0.6", "perfect: 1", [(0.0, "0.6"), (1.0, "1")]
        ),
        "at the end": markup.quality_plot([best, *rows], "starts at 0.6", "perfect: 0"),
        "alone": markup.quality_plot([own], "starts at 0.6", "perfect: 1"),
    }


def _method_families(_: Labels) -> Drawings:
    trees = "Trees", "ask about features", [(LONG, LONG), (UNBROKEN, ""), ("a", "b")]
    return {"": markup.method_families([trees, (LONG, "", [])])}


def _rank_diagrams(_: Labels) -> Drawings:
    return {
        name: markup.rank_diagram(
            [
                markup.RankedMethod(
                    shorten_middle(differences.names[method], 44), differences.means[method], mark
                )
                for method, mark in zip(differences.order, cycle(("best", "", "worse")))
            ],
            len(differences.names),
            differences.difference,
            groups=[
                (differences.means[group[0]], differences.means[group[-1]])
                for group in differences.groups
            ],
            band=None if differences.control is None else differences.around_control,
        )
        for name, differences in awkward_differences().items()
    }


def _ledgers(_: Labels) -> Drawings:
    keys = ("within", "above", "below", "differs")
    papers = [
        _paper_share("Hüllermeier 2008", (10, 0, 1, 2), keys),
        _paper_share("", (0, 0, 0, 0), keys),
        _paper_share(UNBROKEN, (25, 25, 25, 25), keys),
    ]
    return {"": markup.shares(papers), "with buttons": markup.shares(papers, 1)}


def _vote_squares(labels: Labels) -> Drawings:
    last = labels.n - 1
    numbers = {"none": (50, 0), "most squares": (37, 63), "bars": (12345, 101)}
    return {
        name: markup.vote_squares([(0, ahead), (last, behind)], labels.names)
        for name, (ahead, behind) in numbers.items()
    }


def _shares_key(_: Labels) -> Drawings:
    meanings = [(["within"], LONG), (["above", "below"], "better, worse"), ([""], UNBROKEN)]
    return {"": markup.shares_key(meanings)}


def _paper_share(name: str, numbers: tuple[int, ...], keys: tuple[str, ...]) -> markup.PaperShare:
    counts = dict(zip(keys, numbers, strict=True))
    texts = {key: f"{count} {key}" for key, count in counts.items() if count}
    return markup.PaperShare(name, 1000, counts, texts)


def _print_panels(_: Labels) -> Drawings:
    Number = markup.PrintedNumber
    numbers = [
        Number("iris", 0.9, 0.905, 0.05, "within"), Number(LONG, 0.8, 0.9, 0.05, "above"),
        Number(UNBROKEN, 0.7, 0.1, 0.05, "below"), Number("", 0.2, 1.0, 0.05, "differs"),
    ]  # fmt: skip
    counts = [Number("iris", 1.0, 1.0, 0.0, "within"), Number("wine", 9999.0, 9.0, 0.0, "differs")]
    near = "holds within ± the standard deviation in print"
    return {
        "each verdict": markup.print_panels([("", numbers)], LONG, near),
        "far apart": markup.print_panels([("", counts)], "Counts", "only the same number holds"),
        "groups": markup.print_panels(
            [(LONG, numbers), (UNBROKEN, numbers[:2]), ("c (d)", numbers[2:])],
            "Tau",
            near,
            (-1.0, 1.0),
        ),
        "one": markup.print_panels([("", numbers[:1])], "Kendall's tau", near),
    }


def _numbers_table(_: Labels) -> Drawings:
    Number = markup.LedgerNumber
    cells = [
        Number("0.912", "0.910", "within", "within"), Number("0.91", "0.8", "above", "x", "+0.11"),
        Number("", "0.123"), None, Number("12345.678", "1", "differs", "y", "+12344.678"),
    ]  # fmt: skip
    return {
        "": markup.numbers_table(
            "Table 3", ("iris", LONG, "c", "d", "e"), [("k-NN", cells), (UNBROKEN, cells)]
        )
    }


def _links(_: Labels) -> Drawings:
    return {
        "": markup.links("Try it", [("k-NN on iris", "/predict"), (LONG, "/"), (UNBROKEN, "/")])
    }


def _plain_table(_: Labels) -> Drawings:
    rows = [["1", "A > B > C"], [LONG, "0.25"], [UNBROKEN, ""]]
    return {"": markup.plain_table("What is given", ["case", "ranking"], rows)}


def _group_rows(_: Labels) -> Drawings:
    Group = groups.Group
    rows = [
        Group("size ≤ 3", 0.0, 0.0, "0 of 1", "less", ""),
        Group(LONG, 1.0, 0.85, "999 of 999", "kept", ""),
        Group(UNBROKEN, 0.699, 0.75, "21 of 30", "beyond", ""),
    ]
    ends = {"low": 0.0, "middle": 0.9, "high": 1.0}
    return {
        name: groups.group_rows(rows, at, "pairs that are right", 0.45) for name, at in ends.items()
    }


def _score_table(_: Labels) -> Drawings:
    names = [LONG, UNBROKEN, "a", "b", "c", "d"]
    scores = pd.DataFrame([[0.5, -0.123, nan, 1.0, 0.0, 12345.678]] * 2, [LONG, "x"], names)
    means = pd.Series(range(1, 7), names, name="average rank")
    draw = partial(markup.score_table, greater_is_better=True)
    few = draw(scores.iloc[:, :2], summary=means[:2])
    spread = draw(scores.iloc[:, :2], summary=means[:2], deviations=scores.iloc[:, :2].abs() / 10)
    return {"many": draw(scores, summary=means), "few": few, "with deviations": spread}


def _difference_rows(_: Labels) -> Drawings:
    usual = [
        Difference(-0.02, -0.05, 0.01, "level", "−0.020", LONG),
        Difference(-0.04, -0.06, -0.02, "behind", "−0.040", "a on b"),
        Difference(0.03, 0.01, 0.05, "ahead", "+0.030", "a on b"),
    ]
    far = [
        Difference(-0.9, -2.0, 1.0, "level", "−0.900", "a on b"),
        Difference(0.9, nan, nan, "level", "+0.900", "one fold"),
        Difference(0.0, 0.0, 0.0, "level", "0.000", "a on b"),
    ]
    rows = [
        markup.DifferenceRow("iris", "0.912", usual),
        markup.DifferenceRow(LONG, "−0.003", usual[::-1]),
        markup.DifferenceRow(UNBROKEN, "0.900", [None, *usual[:2]]),
        markup.DifferenceRow("far", "0.000", far),
    ]
    two = [replace(row, differences=row.differences[:2]) for row in rows]
    three_names, two_names = [LONG, "k-NN label ranking, k = 3", UNBROKEN], ["Log-linear", "k-NN"]
    equal = replace(rows[0], differences=far[2:])
    return {
        "three": markup.difference_rows("Kernel pairwise ridge", three_names, rows),
        "two": markup.difference_rows(UNBROKEN, two_names, two, ["1.25", "2.25", "2.50"]),
        "one, equal": markup.difference_rows("b", ["a"], [equal], ["1.50", "1.50"]),
    }


def _bar_rows(labels: Labels) -> Drawings:
    # Those of evidence are drawn with it.
    rows = [
        bar_rows.BarRow(name, "-0.12", bar_rows.stacked([("part", -1e-9, "#8a93a3")]))
        for name in (LONG, UNBROKEN, labels.names[0])
    ]
    return {"near zero": bar_rows.bar_rows(rows, "adds to the score")}


def _dots_below_cut_rows(labels: Labels) -> Drawings:
    key = [("without", "lacked"), ("line", "p virtual labels"), ("with", "had")]
    bars = [
        markup.CutBar(
            f"p = {p}",
            f"{(lacked + p) / (lacked + had + 2 * p):.2f}",
            [(lacked, f"{lacked:g}", "without"), (p, str(p), "line")],
            [(p, str(p), "line"), (had, f"{had:g}", "with")],
            (lacked + p) / (lacked + had + 2 * p) if p == 1 else None,
        )
        for p, lacked, had in ((1, 3.67, 1.33), (128, 3.67, 1.33), (1, 0.0, 20.0), (1, 983.0, 0.0))
    ]
    values = [(place, label, 0.5) for place, label in enumerate(labels.order[:5], start=1)]
    above = markup.cut_rows(bars, key)
    bar = Bar(0.71, "zero line, p = 1")
    return {"": markup.dot_rows(values, labels.names, bar, (0.0, 1.0), above)}


def _choice_bars(labels: Labels) -> Drawings:
    order, n = labels.order, labels.n
    if n < 2:
        return {}
    drawn = {}
    for kind, strengths in (("alike", np.ones(n)), ("falling", 0.6 ** np.arange(n))):
        left = np.triu(np.tile(strengths, (n, 1)))[:-1]
        chances = left / left.sum(axis=1, keepdims=True)
        chances[np.tril_indices(n - 1, -1, n)] = nan
        drawn[kind] = markup.choice_bars(chances, order, labels.names, 10)
    return drawn


def _part_rows(labels: Labels) -> Drawings:
    solid = markup.BarPart(0.171, "171", "part", labels.names[0], class_="other")
    pale = markup.BarPart(0.829, "829", "part", background="#8a93a340")
    rows = [(LONG, [solid, pale]), ("count 2", [pale, solid]), (labels.names[0], [pale, solid])]
    key = [(solid, labels.names[0]), (pale, LONG)]
    return {"": markup.part_rows(rows, key)}


def _cycle_of(labels: Labels) -> Drawings:
    shares = np.full((labels.n, labels.n), 0.625)
    return {
        f"of {n}": markup.cycle_of(
            labels.order[:n], labels.names, shares, [(labels.order[0], labels.order[n - 1])]
        )
        for n in (3, 4, 6)
        if n <= labels.n
    }


def _logistic_curve(labels: Labels) -> Drawings:
    name = labels.names[0]
    return {
        f"{total:g}": markup.logistic_curve(total, 1 / (1 + exp(-total)), name)
        for total in (-1.34, 0.0, 12.0)
    }


MARKUP: dict[Callable[..., str], Callable[[Labels], Drawings]] = {
    groups.group_rows: _group_rows,
    markup.cases_table: _cases_table,
    markup.choice_bars: _choice_bars,
    markup.cut_rows: _dots_below_cut_rows,
    markup.cycle_of: _cycle_of,
    markup.part_rows: _part_rows,
    markup.logistic_curve: _logistic_curve,
    markup.chip: _chips,
    markup.deciding_table: _deciding_table,
    markup.divided: _divided,
    markup.dot_rows: _dot_rows,
    markup.gauge: _gauge,
    markup.intervals: _intervals,
    markup.known_pairs: _known_pairs,
    markup.known_pairs_rows: _known_pairs_rows,
    markup.label_sets: _label_sets,
    markup.ladder: _ladder,
    markup.legend: _legend,
    markup.links: _links,
    markup.matrix: _matrix,
    markup.tint_key: _tint_key,
    markup.method_groups: _method_groups,
    markup.position_counts: _position_counts,
    markup.squares: _squares,
    markup.waterfall: _waterfall,
    markup.named_neighborhood: _named_plane,
    markup.stacked_plots: _plane,
    markup.numbers_table: _numbers_table,
    markup.plain_table: _plain_table,
    markup.shares: _ledgers,
    markup.shares_key: _shares_key,
    markup.vote_squares: _vote_squares,
    markup.print_panels: _print_panels,
    markup.method_families: _method_families,
    markup.rank_diagram: _rank_diagrams,
    markup.score_table: _score_table,
    markup.difference_rows: _difference_rows,
    markup.side_by_side: _side_by_side,
    markup.stacked_votes: _stacked_votes,
    markup.standing_bar: _standing_bar,
    markup.quality_plot: _quality,
    markup.standings: _standings,
    markup.strip: _strip,
    markup.strips: _strips,
    markup.way: _way,
    markup.whole_tree: _trees,
    bar_rows.bar_rows: _bar_rows,
}
