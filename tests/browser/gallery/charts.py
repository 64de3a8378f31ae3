"""Every chart that Plotly draws, for awkward names and numbers."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import product

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from labelrank_core.data.profile import LabelSetProfile, RankingProfile
from labelrank_core.evaluation.decisions.rules import TARGETS
from labelrank_core.evaluation.ranking_calibration import LEVELS, LevelCalibration
from labelrank_core.evaluation.sensitivity.figures import Figure, figures_for
from labelrank_core.explain.evidence import true_positions
from labelrank_core.explain.standing import ConfidenceStanding
from labelrank_core.explain.what_if import Feature, Sweep, TopMap
from labelrank_core.explain.what_if.sweeps import Piece
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import METRICS
from pages.ui.render import charts
from pages.ui.render.charts import (
    calibration,
    confidence,
    decisions,
    guarantees,
    labels,
    leaderboard,
    papers,
    profile,
    sensitivity,
    what_if,
)
from pages.ui.render.charts.sensitivity import SettingAxis
from pages.ui.wording import choice_text
from pages.ui.wording.subject import initials
from tests.browser.gallery.differences import LONG, METHODS, UNBROKEN
from tests.browser.gallery.labels import SCHEMA, Labels

Figures = Mapping[str, go.Figure]
# Figures without anything in them, which others fill.
_EMPTY = {"blank", "picture"}
_LONG_TITLE = max((measure.title for measure in METRICS.values()), key=len)


def chart_functions() -> set[Callable[..., go.Figure]]:
    """Return every function of the charts that returns a figure."""
    modules = [
        import_module(f"{charts.__name__}.{module.name}")
        for module in pkgutil.iter_modules(charts.__path__)
    ]
    return {
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and name not in _EMPTY
        and inspect.signature(function).return_annotation is go.Figure
    }


def _shown(most: int) -> Iterator[Labels]:
    """Yield two long names, and as many as are drawn at once: with them there is least room."""
    yield from (Labels(2, are_long=True), Labels(most, are_long=True))


def _confidence_curves() -> Figures:
    levels = np.linspace(0.1, 0.98, 12)
    many = pd.DataFrame(
        {
            "confidence": levels,
            "accuracy_at": np.resize([1.0, -0.4, 0.9], 12),
            "accuracy_at_least": levels,
            "share_kept": 1.1 - levels,
            "n_cases": np.resize([1, 999, 20], 12),
            "low": [*levels[:10] - 0.2, np.nan, np.nan],
            "high": [*levels[:10] + 0.1, np.nan, np.nan],
        }
    )
    one = many[:1].drop(columns=["low", "high"])
    return {
        "many": confidence.confidence_curves(many, _LONG_TITLE),
        "one": confidence.confidence_curves(one, "Kendall's tau"),
    }


def _abstention_curve() -> Figures:
    shares = np.linspace(1, 0.02, 20)
    curve = pd.DataFrame(
        {"share_predicted": shares, "share_right": 1.02 - shares / 3, "threshold": 1.5 - shares}
    )
    one = curve[:1].assign(share_right=1.0)
    return {
        "many": confidence.abstention_curve(curve, curve.iloc[-1]),
        "one": confidence.abstention_curve(one, one.iloc[0]),
    }


def _possible_positions() -> Figures:
    drawn = {}
    for shown in _shown(16):
        first = np.maximum(1, shown.positions - 3)
        last = np.minimum(shown.n, shown.positions + shown.positions % 4)
        for name, truth in (("strict", shown.rankings[0]), ("partial", shown.rankings[4])):
            drawn[f"{shown} {name}"] = confidence.possible_positions(
                (first, last), true_positions(truth), shown.names
            )
    return drawn


def _confidence_among() -> Figures:
    spread = np.random.default_rng(0).random(100)
    return {
        "lowest": confidence.confidence_among(
            ConfidenceStanding(0.0, spread), "test cases", "case"
        ),
        "highest": confidence.confidence_among(
            ConfidenceStanding(1.0, spread), "test cases", "case"
        ),
        "equal": confidence.confidence_among(
            ConfidenceStanding(0.5, np.full(9, 0.5)), "test cases", "case"
        ),
    }


def _reliability() -> Figures:
    table = pd.DataFrame(
        {
            "probability": np.linspace(0.5, 1, 6),
            "right": [0.0, 0.6, 0.7, 0.4, 1.0, 1.0],
            "pairs": [1, 10, 100, 1000, 10, 1],
            "chance_low": [np.nan, 0.4, 0.65, 0.78, 0.6, np.nan],
            "chance_high": [np.nan, 0.8, 0.75, 0.82, 1.0, np.nan],
        }
    )
    return {
        "one": guarantees.reliability([("as they are", table[:1])]),
        "two": guarantees.reliability([("as they are", table), ("rising steps", table)]),
    }


def _difference_intervals() -> Figures:
    n = len(METHODS)
    means = np.resize([0.0, 0.012, -0.4], n)
    table = pd.DataFrame(
        {
            "method": METHODS,
            "mean": means,
            "low": [np.nan, *means[1:] - 0.1],
            "high": [np.nan, *means[1:] + 0.3],
            "verdict": np.resize(["unclear", "better", "worse"], n),
        }
    )
    title = f"difference in {_LONG_TITLE}"
    return {
        "many": leaderboard.difference_intervals(table, title),
        "two": leaderboard.difference_intervals(table[:2], title),
    }


def _leaderboard_whiskers() -> Figures:
    n = len(METHODS)
    means = np.linspace(0.9, -0.2, n)
    bands = pd.DataFrame(
        {"method": METHODS, "mean": means, "low": means - 0.1, "high": means + 0.1}
    )
    one = bands[:1].assign(low=np.nan, high=np.nan)
    return {
        "many": leaderboard.leaderboard_whiskers(bands, _LONG_TITLE),
        "one fold": leaderboard.leaderboard_whiskers(one, "Kendall's tau on iris"),
    }


def _rank_bumps() -> Figures:
    n = len(METHODS)
    order = np.arange(1.0, n + 1)
    names = ["iris", LONG, UNBROKEN]
    many = pd.DataFrame(np.column_stack([order, order[::-1], order]), METHODS, names)
    tied = pd.DataFrame({"a": [1.5, 1.5, 3], "b": [2.0, 2, 2]}, METHODS[:3])
    return {
        "many": leaderboard.rank_bumps(many),
        "tied": leaderboard.rank_bumps(tied),
    }


def _said_and_right() -> Figures:
    rows = [
        LevelCalibration(level, 9, 9, said, right, 0.1, low, low + 0.1, 0.1, p)
        for level, said, right, low, p in zip(
            LEVELS, (0.99, 0.7, 0.5, 0.0), (0.95, 0.2, 0.55, 1.0), (0.9, 0.6, 0.5, 0.0),
            (0.5, 0.002, 0.04, 0.002), strict=True,
        )
    ]  # fmt: skip
    names = ["one pair", "order of three labels", "first label", "whole ranking"]
    return {
        "four levels": calibration.said_and_right(rows, names),
        "one level": calibration.said_and_right(rows[:1], [LONG]),
    }


def _level_curves() -> Figures:
    rows = [
        (method, level, level * i, level * i - 0.1, level * i + 0.1)
        for i, method in enumerate(METHODS)
        for level in (0.1, 0.3, 0.9)
    ]
    table = pd.DataFrame(rows, columns=["method", "level", "mean", "low", "high"])
    return {
        "many": leaderboard.level_curves(table, _LONG_TITLE, "share of the labels deleted"),
        "one": leaderboard.level_curves(table[:3], "F1", "share of the training rows"),
    }


def _differences() -> Figures:
    rows = pd.DataFrame(
        {
            "tolerance": 0.01,
            "verdict": ["within", "above", "below", "within"],
            "data": ["iris", LONG, UNBROKEN, ""],
            "printed": [0.9, 0.8, 0.7, 1.0],
            "ours": [0.905, 0.9, 0.1, 1.0],
        }
    )
    return {
        "far": papers.differences(rows, [0.005, 0.1, -0.6, 0.0], METHODS[:4]),
        "one": papers.differences(rows[:1], [0.0], METHODS[:1]),
    }


_NUMBER = Feature(SCHEMA, 1, -0.0001, 123456.789)
_CATEGORY = Feature(SCHEMA, 2)


def _rank_trajectory() -> Figures:
    drawn = {}
    for shown in _shown(16):
        orders = [shown.rng.permutation(shown.n) + 1 for _ in range(3)]
        for feature, ends in ((_NUMBER, (-0.0001, 0.5, 1e5, 123456.789)), (_CATEGORY, (0, 1, 2))):
            starts, stops = (ends, ends) if feature.is_nominal else (ends[:-1], ends[1:])
            pieces = tuple(
                Piece(start, end, end, order, (order <= 2).astype(int))
                for start, end, order in zip(starts, stops, orders, strict=True)
            )
            swept = Sweep(feature, pieces[-1], pieces, 0.0)
            drawn[f"{shown} {feature.column.kind}"] = what_if.rank_trajectory(swept, shown.names)
            tied = replace(swept, pieces=tuple(_with_ties(piece) for piece in pieces))
            drawn[f"{shown} {feature.column.kind}, ties"] = what_if.rank_trajectory(
                tied, shown.names
            )
    return drawn


def _with_ties(piece: Piece) -> Piece:
    """Let each two or three labels that follow each other share a position."""
    return replace(piece, prediction=(piece.positions * 2 + 2) // 5 + 1, has_ties=True)


def _first_label_map() -> Figures:
    drawn = {}
    for shown in _shown(5):
        firsts = tuple((label,) for label in range(shown.n)) + ((0, shown.n - 1),) * (shown.n > 1)
        tops = np.arange(900).reshape(30, 30) // 200 % len(firsts)
        values = np.linspace(-0.0001, 123456.789, 30)
        numbers = TopMap(
            _NUMBER, Feature(SCHEMA, 3, 0, 1), values, values / 123457, tops, (1, 1.0), firsts
        )
        words = TopMap(
            _CATEGORY,
            Feature(SCHEMA, 4),
            np.arange(3.0),
            np.arange(2.0),
            tops[:2, :3],
            (2.0, 0.0),
            firsts,
        )
        drawn[f"{shown} numbers"] = what_if.first_label_map(
            numbers, shown.names, initials(shown.names)
        )
        drawn[f"{shown} words"] = what_if.first_label_map(words, shown.names, initials(shown.names))
    return drawn


def _threshold_spans() -> Figures:
    drawn = {}
    for shown in _shown(30):
        middles = np.linspace(0, 1, shown.n)
        table = pd.DataFrame(
            {
                "label": shown.names,
                "frequency": middles,
                "threshold": middles,
                "own_threshold": 0.5,
                **{f"{side}_low": middles - 0.1 for side in ("with", "without")},
                **{f"{side}_high": middles + 0.2 for side in ("with", "without")},
            }
        )
        drawn[str(shown)] = decisions.threshold_spans(table)
    return drawn


def _trade_off() -> Figures:
    across, up = METRICS["hamming_loss"], METRICS["macro_f1_score"]
    path_knobs = next(each.path_knobs for each in ALGORITHMS.values() if each.zero_line)
    knob = next(iter(path_knobs.values()))
    titles = {
        **{key: target.title for key, target in TARGETS.items()},
        "own": "own rule",
        "plain": "zero line at 0",
    }
    rules = pd.DataFrame(
        {
            "rule": titles.keys(),
            "title": titles.values(),
            across.key: np.linspace(0.1, 0.3, len(titles)),
            up.key: np.linspace(0.9, 0.2, len(titles)) ** 2,
            "labels_per_case": 1.5,
        }
    )
    path = pd.DataFrame(
        {knob.name: [0.0, 0.5, 1.0], across.key: [0.1, 0.2, 0.3], up.key: [0.1, 0.5, 0.9]}
    )
    equal = rules.assign(**{across.key: 0.2, up.key: 0.5})
    return {
        "rules": decisions.trade_off(rules, across, up, "own"),
        "path": decisions.trade_off(rules, across, up, "subset", (knob, path)),
        "equal": decisions.trade_off(equal, across, up, "hamming"),
    }


def _axis(figure: Figure, name: str) -> SettingAxis:
    """Return the axis of a parameter as a page has it."""
    knob = next(knob for knob in figure.knobs if knob.name == name)
    values = figure.grid(300)[name]
    texts = [choice_text.value_text(knob, value) for value in values]
    title = knob.symbol if len(figure.knobs) > 1 else knob.label
    return SettingAxis(name, title, values, texts, knob.scale, knob.ends)


def _figures(kind: str) -> list[Figure]:
    """List the figures of a kind that some methods have, those with most values first."""
    figures = {
        (figure.key, tuple(map(len, figure.grid(300).values()))): figure
        for algorithm in ALGORITHMS.values()
        for figure in figures_for(algorithm)
        if figure.kind == kind
    }
    return [figures[key] for key in sorted(figures, key=lambda key: key[1], reverse=True)]


def _bands(*axes: SettingAxis) -> pd.DataFrame:
    """Return a value for every setting of one axis or two."""
    settings = list(product(*(axis.values for axis in axes)))
    columns = {
        axis.name: pd.Series([setting[i] for setting in settings], dtype=object)
        for i, axis in enumerate(axes)
    }
    means = np.sin(np.arange(len(settings))) / 3 + 0.5
    return pd.DataFrame({**columns, "mean": means, "sd": 0.1, "low": means - 0.1, "high": means})


def _missing_curve() -> Figures:
    shares = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9]
    axis = SettingAxis(
        "deleted", "labels deleted in training", shares, [f"{s:.0%}" for s in shares]
    )
    bands = _bands(axis)
    alone = bands.assign(sd=np.nan, low=np.nan, high=np.nan)
    is_good = [share < 0.5 for share in shares]
    return {
        "folds": sensitivity.missing_curve(bands, axis, _LONG_TITLE, is_good),
        "one split": sensitivity.missing_curve(alone, axis, _LONG_TITLE, is_good),
    }


def _heat_map() -> Figures:
    drawn = {}
    for figure in _figures("map"):
        axes = [_axis(figure, name) for name in figure.parameters]
        ends = [tuple(axis.values[at] for axis in axes) for at in (0, -1)]
        marks = {"best": ends[0], "in use": ends[1]}
        drawn[figure.key] = sensitivity.heat_map(
            _bands(*axes), *axes, _LONG_TITLE, marks, greater_is_better=True
        )
    return drawn


def _position_matrix() -> Figures:
    drawn = {}
    for shown in _shown(30):
        columns = [*map(str, range(1, shown.n + 1)), "tied", "not ranked"]
        counted = RankingProfile(shown.rankings[:6], shown.names)
        drawn[str(shown)] = profile.position_matrix(counted, range(shown.n), columns, 0)
    return drawn


def _pair_matrix() -> Figures:
    return {
        str(shown): profile.pair_matrix(
            RankingProfile(shown.rankings[:6], shown.names), range(shown.n), shown.n**2 - 1
        )
        for shown in _shown(30)
    }


def _together_matrix() -> Figures:
    return {
        f"{shown} {correlation}": profile.together_matrix(
            LabelSetProfile(shown.relevance.astype(int), shown.names),
            range(shown.n),
            0,
            correlation=correlation,
        )
        for shown, correlation in zip(_shown(30), (True, False), strict=True)
    }


def _feature_histogram() -> Figures:
    edges = np.array([-1e-4, 2.5, 99, 123456.789])
    counts = np.array([0, 1, 99999])
    return {
        "wide": profile.feature_histogram(edges, counts, counts + 1, LONG, 2, "rows"),
        "one": profile.feature_histogram(edges[:2], counts[:1], counts[:1], UNBROKEN, None, LONG),
    }


def _label_table(shown: Labels) -> pd.DataFrame:
    shares = np.linspace(0, 1, shown.n)
    same = ("share", "precision", "recall", "f1", "auc", "first_share", "predicted_first_share")
    return pd.DataFrame(
        {"label": shown.names, "mean_error": shares * 20, **dict.fromkeys(same, shares)}
    )


def _label_quality() -> Figures:
    return {str(shown): labels.label_quality(_label_table(shown)) for shown in _shown(30)}


def _place_errors() -> Figures:
    return {str(shown): labels.place_errors(_label_table(shown)) for shown in _shown(30)}


CHARTS: dict[Callable[..., go.Figure], Callable[[], Figures]] = {
    calibration.said_and_right: _said_and_right,
    confidence.abstention_curve: _abstention_curve,
    confidence.confidence_among: _confidence_among,
    confidence.confidence_curves: _confidence_curves,
    confidence.possible_positions: _possible_positions,
    decisions.threshold_spans: _threshold_spans,
    decisions.trade_off: _trade_off,
    guarantees.reliability: _reliability,
    labels.label_quality: _label_quality,
    labels.place_errors: _place_errors,
    leaderboard.difference_intervals: _difference_intervals,
    leaderboard.leaderboard_whiskers: _leaderboard_whiskers,
    leaderboard.level_curves: _level_curves,
    leaderboard.rank_bumps: _rank_bumps,
    papers.differences: _differences,
    profile.feature_histogram: _feature_histogram,
    profile.pair_matrix: _pair_matrix,
    profile.position_matrix: _position_matrix,
    profile.together_matrix: _together_matrix,
    sensitivity.heat_map: _heat_map,
    sensitivity.missing_curve: _missing_curve,
    what_if.first_label_map: _first_label_map,
    what_if.rank_trajectory: _rank_trajectory,
}


def draw_charts() -> dict[str, go.Figure]:
    """Return every chart by its name."""
    return {
        f"{function.__name__} {name}": figure
        for function, draw in CHARTS.items()
        for name, figure in draw().items()
    }
