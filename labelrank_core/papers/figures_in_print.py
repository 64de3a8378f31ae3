"""Figures of three papers without printed numbers, and the statements of their texts."""

from collections.abc import Callable

import pandas as pd

from labelrank_core.papers.curves import Curves, PrintedStatement

_MACHINES, _MOST_FREQUENT = "PW-SVM-LIN", "most frequent"
_RULES = ("median", "Borda")
_SLOWEST, _FASTEST, _OURS = "ASO_SVM", "SVM", "ML_LS"
_FEWEST_LABELS = 10
# Differences of accuracy that do not count.
_NEXT_TO_NOTHING = 0.001
# The forests that the statements on Figs 2 to 4 are compared with, and what the folds of one
# repetition move a mean tau by.
_PROGRAM, _FOLDS_MOVE = "Whole rankings", 0.02


def _values(points: pd.DataFrame, panel: str, line: str) -> pd.Series:
    """Return the values of a curve, by x."""
    curve = points[(points["panel"] == panel) & (points["line"] == line)]
    return curve.set_index("x")["value"].sort_index()


def _seconds(value: float) -> str:
    return f"{value:.0f} s" if value >= 10 else f"{value:.2g} s"


def _times_by_labels(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 5 of Brinker and Hüllermeier 2006 with seconds by the number of labels."""
    training = _values(points, "Training", _MACHINES)
    smaller, largest = training.index[-2:]
    n_pairs = largest * (largest - 1) / (smaller * (smaller - 1))
    growth = training[largest] / training[smaller]
    nearest = _values(points, "Training", "k-NN")
    lines = points.loc[points["panel"] == "Prediction", "line"].unique()
    prediction = {line: _values(points, "Prediction", line) for line in lines}
    machines = prediction.pop(_MACHINES)
    k_nn_growth = max(curve[largest] / curve[smaller] for curve in prediction.values())
    machines_growth = machines[largest] / machines[smaller]
    slowest_line = max(prediction, key=lambda line: prediction[line][largest])
    slowest = prediction[slowest_line][largest]
    return [
        PrintedStatement(
            "The number of machines, and so the time to train them, grows with the square of the "
            "number of labels.",
            bool(0.75 < growth / n_pairs < 1.33),
            f"From {smaller} to {largest} labels there are {n_pairs:.1f} times as many pairs, and "
            f"training takes {growth:.1f} times as long ({_seconds(training[largest])}).",
        ),
        PrintedStatement(
            "Storing the training cases takes next to no time.",
            bool((nearest < 0.1 * training).all()),
            f"k-NN takes {_seconds(nearest[largest])} at {largest} labels.",
        ),
        PrintedStatement(
            "k-NN scales easily to many labels when it predicts, the machines do not.",
            bool(k_nn_growth < 2 < machines_growth and slowest < machines[largest]),
            f"From {smaller} to {largest} labels k-NN takes at most {k_nn_growth:.1f} times as "
            f"long, the machines {machines_growth:.1f} times; at {largest} labels that is "
            f"{_seconds(slowest)} for {slowest_line} and {_seconds(machines[largest])} for the "
            "machines.",
        ),
    ]


def _accuracy_by_rule(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 5 of Brinker and Hüllermeier 2006 with accuracies of consensus rules."""
    n_labels = points["panel"].str.split().str[0].astype(int)
    table = points[n_labels >= _FEWEST_LABELS].pivot_table(
        index=["panel", "measure", "x"], columns="line", values="value"
    )
    best = table.groupby(["panel", "measure"]).max()
    with_one = table.xs(1, level="x")[_MOST_FREQUENT]
    lost = float((best[_MOST_FREQUENT] - with_one).max())
    gaps = best[list(_RULES)].min(axis=1) - best[_MOST_FREQUENT]
    return [
        PrintedStatement(
            "From 10 labels on, the most frequent ranking of the similar cases is best with k = 1.",
            lost < _NEXT_TO_NOTHING,
            f"In {len(best)} settings (numbers of labels and measures) another k is better by at "
            f"most {lost:.4f}. Rankings hardly repeat, and of equally frequent ones the nearest "
            "case's is taken.",
        ),
        PrintedStatement(
            "Median and Borda are ahead of it for every measure.",
            bool((gaps > 0).all()),
            f"Each with its best k, the lower of the two is ahead by {gaps.min():.3f} to "
            f"{gaps.max():.3f}.",
        ),
    ]


def _times_by_pages(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 6.2.2 of Ji, Tang, Yu and Ye 2010 with seconds by the number of pages."""
    table = points.pivot_table(index=["panel", "x"], columns="line", values="value")
    n_all, order = len(table), table[[_FASTEST, _OURS, _SLOWEST]]
    n_fastest = int((order.idxmin(axis=1) == _FASTEST).sum())
    n_slowest = int((order.idxmax(axis=1) == _SLOWEST).sum())
    ratio = table[_OURS] / table[_FASTEST]
    smaller, largest = sorted(points["x"].unique())[-2:]
    last = table.xs(largest, level="x") / table.xs(smaller, level="x")
    growth, svm_growth = last[_OURS], last[_FASTEST]
    return [
        PrintedStatement(
            "SVM is the fastest of the three methods.",
            n_fastest == n_all,
            f"SVM is the fastest at {n_fastest} of {n_all} points.",
        ),
        PrintedStatement(
            "ASO_SVM is the slowest.",
            n_slowest == n_all,
            f"ASO_SVM is the slowest at {n_slowest} of {n_all} points.",
        ),
        PrintedStatement(
            "The difference between ML_LS and SVM is small.",
            bool(ratio.between(0.5, 2).all()),
            f"ML_LS takes {ratio.min():.2g} to {ratio.max():.2g} times as long as SVM: from "
            f"{smaller} to {largest} pages its time grows {growth.max():.1f}-fold, that of SVM "
            f"{svm_growth.max():.1f}-fold. Here it decomposes the inner products of all pages, "
            "which takes the third power of their number while they are fewer than the words.",
        ),
    ]


def _forest_curves(points: pd.DataFrame) -> pd.DataFrame:
    """Return tau of the authors' program's forests: a row per x, a column per data set."""
    program = points[points["panel"] == _PROGRAM]
    return program.pivot_table(index="x", columns="line", values="value", sort=False).sort_index()


def _by_data(values: pd.Series) -> str:
    return ", ".join(f"{value:.3f} on {name}" for name, value in values.items())


def _tau_by_missing_labels(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 6.1 of Zhou and Qiu 2018 with tau by the share of missing labels."""
    curves = _forest_curves(points)
    flat, steep = curves.loc[:0.6], curves.loc[0.6:]
    per_step, steep_per_step = (
        0.1 * (part.iloc[0] - part.iloc[-1]) / (part.index[-1] - part.index[0])
        for part in (flat, steep)
    )
    return [
        PrintedStatement(
            "The curves are relatively flat from p₀ = 0.1 to 0.6.",
            bool((per_step <= _FOLDS_MOVE).all()),
            f"With every 0.1 of p₀ tau falls by {_by_data(per_step)}. Up to {_FOLDS_MOVE} counts "
            "as flat.",
        ),
        PrintedStatement(
            "Beyond 0.6 tau falls rapidly.",
            bool((steep_per_step > 2 * per_step).all()),
            f"There it falls by {_by_data(steep_per_step)} with every 0.1. More than twice as fast "
            "as before counts as rapid.",
        ),
    ]


def _tau_by_trees(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 6.2 of Zhou and Qiu 2018 with tau by the number of trees."""
    return _rises_then_steady(
        points,
        10,
        "From 1 to 10 trees tau improves significantly.",
        "From 10 to 75 trees it keeps relatively steady.",
    )


def _tau_by_depth(points: pd.DataFrame) -> list[PrintedStatement]:
    """Compare section 6.3 of Zhou and Qiu 2018 with tau by the depth of the trees."""
    return _rises_then_steady(
        points,
        8,
        "While trees are shallow, tau increases with their depth.",
        "From depth 8 on it keeps steady.",
    )


def _rises_then_steady(
    points: pd.DataFrame, turn: int, rises: str, keeps_steady: str
) -> list[PrintedStatement]:
    curves = _forest_curves(points)
    gains = curves.loc[turn] - curves.iloc[0]
    steady = curves.loc[turn:]
    spans = steady.max() - steady.min()
    return [
        PrintedStatement(
            rises,
            bool((gains > _FOLDS_MOVE).all()),
            f"From {curves.index[0]:g} to {turn} it rises by {_by_data(gains)}. More than "
            f"{_FOLDS_MOVE} counts.",
        ),
        PrintedStatement(
            keeps_steady,
            bool((spans <= _FOLDS_MOVE).all()),
            f"From {turn} on, its highest and lowest values differ by {_by_data(spans)}. Up to "
            f"{_FOLDS_MOVE} counts as steady.",
        ),
    ]


def _forest_figure(
    number: int, x: str, title: str, statements: Callable[[pd.DataFrame], list[PrintedStatement]]
) -> Curves:
    return Curves(
        key=f"Fig. {number}",
        slug=f"lrrf-fig{number}",
        title=title,
        x=x,
        y="Kendall's tau",
        measure="kendall_tau_score",
        protocol=(
            "The four data sets of the paper, ten folds once (the paper repeats them five times), "
            "50 trees of depth 8 where these do not vary. 'Whole rankings' splits as the authors' "
            "program, with which the statements are compared; 'Top label' as the text says. "
            "Missing labels are deleted from the training rankings."
        ),
        statements=statements,
        scales=("linear", "linear"),
    )


LR06_TIMES = Curves(
    key="Fig. 1",
    slug="lr06-fig1",
    title="Seconds against the number of labels, pairwise machines and similar cases",
    x="labels",
    y="seconds",
    measure="seconds",
    protocol=(
        "As in print: 1000 training and 1000 test cases, 10 features, rankings by expected "
        "utility, linear machines with C = 1000, consensus by medians. Seconds of one processor, "
        "the least of three runs."
    ),
    statements=_times_by_labels,
)
LR06_RULES = Curves(
    key="Section 5",
    slug="lr06-section5",
    title="Most frequent ranking, median and Borda in the synthetic setting",
    x="similar cases (k)",
    y="Kendall's tau",
    measure="kendall_tau_score",
    protocol=(
        "The setting of Fig. 1, the mean of five draws; print tells the finding without numbers. "
        "Measured by Kendall's tau, Spearman's correlation and footrule, of which tau is drawn."
    ),
    statements=_accuracy_by_rule,
    scales=("linear", "linear"),
)
MLLS08_TIMES = Curves(
    key="Figs 1 and 2",
    slug="mlls08-figs1and2",
    title="Seconds against the number of training pages",
    x="training pages",
    y="seconds",
    measure="seconds",
    protocol=(
        "Random pages of the two sets at hand, of which print has eight. One training with the "
        "method's usual parameters, threshold 0. Seconds of one processor, the least of up to "
        "three runs. Print does not say how many pages it takes. Its times for tuning are not "
        "measured here."
    ),
    statements=_times_by_pages,
)
LRRF_FIGURES = (
    _forest_figure(
        2,
        "probability of a missing label (p₀)",
        "Kendall's tau of the forest against the share of missing labels",
        _tau_by_missing_labels,
    ),
    _forest_figure(
        3, "trees", "Kendall's tau of the forest against the number of trees", _tau_by_trees
    ),
    _forest_figure(
        4, "depth of the trees", "Kendall's tau of the forest against their depth", _tau_by_depth
    ),
)
