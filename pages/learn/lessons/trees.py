"""Trees and forests: a question divides the rows, leaves vote, and the votes flow together."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.explain.evidence import (
    Confidence,
    Label,
    LabelScores,
    Question,
    Text,
    TreeNode,
    TreeVotes,
)
from labelrank_core.explain.render import Picture, markup, tree_votes, whole_tree
from labelrank_core.explain.render.markup.grids import NUMBERS_UP_TO, Tinted
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.rankings import FloatArray, IntArray, generalised_ranks
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS, how_sure
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick, stacked
from pages.ui import compute

_COLUMNS_ASKED, _COLUMNS_SAID, _WORDS_OF_CASE = 2, 3, 13
_HEIGHT, _DECIMALS = 230, 12
_MOST_TREES, _MOST_NAMED = 8, 10


@dataclass(frozen=True)
class FeatureSplit:
    """A question about a feature, and the variance of rankings left on its two sides."""

    question: str
    column: int
    feature: int
    threshold: float
    variance: float


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on a question that divides rankings, and on the votes of all trees."""
    votes = setting.explanation.evidence(TreeVotes)
    offered = splits(setting)
    # The first tree stays above the votes, those of a small forest above what is made of them.
    basis: Picture | None = None
    steps = [shared.rankings(setting)]
    if len(offered) > 1:
        steps.append(_split(setting, offered, votes.roots[0].question))
    steps.append(_way(setting, votes))
    if len(votes.rankings) > 1:
        if len(votes.rankings) <= _MOST_TREES:
            basis = scenes.plain(tree_votes(votes, setting.scene, "each"))
        steps += [_votes(setting, votes), _flow(setting, votes, basis)]
        confidence = setting.explanation.evidence(Confidence)
        reason = how_sure(setting, confidence, votes.rankings.astype(np.float64))
        gauge = scenes.evidence_picture(setting, Confidence)
        steps.append(LessonStep("How sure?", reason, scenes.below(basis, gauge)))
    return [*steps, shared.answer(setting, basis=basis)]


def splits(setting: LessonSetting) -> list[FeatureSplit]:
    """Offer the best question on each of two features, and one further along; any order."""
    dataset, rows = setting.dataset, setting.case.training_rows
    if dataset.is_sparse:
        return []
    ranks, offered = generalised_ranks(dataset.rankings[rows]), []
    columns = [
        int(j)
        for j in compute.predictive_columns(dataset)
        if dataset.schema.columns[j].kind == "numeric"
    ]
    for column in columns[:_COLUMNS_ASKED]:
        feature = int(dataset.schema.starts[column])
        values = dataset.X[rows, feature]
        middles, variances = variances_of_cuts(ranks, values)
        order = np.argsort(variances, kind="stable")
        for split_index in dict.fromkeys([0, len(order) - 1] if len(order) else []):
            cut = float(middles[order[split_index]])
            question = f"{dataset.schema.columns[column].name} ≤ {number_text(cut)}"
            offered.append(
                FeatureSplit(question, column, feature, cut, float(variances[order[split_index]]))
            )
    return sorted(offered, key=lambda split: split.question)


def variances_of_cuts(ranks: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the cuts halfway between values of a feature, and `variance` at each of them."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    last_left = np.flatnonzero(ordered[1:] != ordered[:-1])
    cuts = (ordered[last_left] + ordered[last_left + 1]) / 2
    centred = ranks[order] - ranks.mean(axis=0)
    sums = np.cumsum(centred, axis=0)
    n_left = last_left[:, None] + 1.0
    left, right = sums[last_left], sums[-1] - sums[last_left]
    explained = np.square(left) / n_left + np.square(right) / (len(values) - n_left)
    variances = (np.square(centred).sum() - explained.sum(axis=1)) / ranks.size
    # Equal ones differ by rounding: the first of them is meant.
    return cuts, np.round(variances, _DECIMALS)


def variance(ranks: FloatArray, is_left: FloatArray) -> float:
    """Return the mean squared difference of ranks from the mean ranks of their side."""
    sides = [ranks[side] for side in (is_left, ~is_left.astype(bool)) if side.any()]
    squares = sum(float(np.square(side - side.mean(axis=0)).sum()) for side in sides)
    return squares / ranks.size


def _split(
    setting: LessonSetting, offered: Sequence[FeatureSplit], root: Question | None
) -> LessonStep:
    ranks = generalised_ranks(setting.dataset.rankings[setting.case.training_rows])
    variance_before = variance(ranks, np.ones(len(ranks), dtype=bool))
    best = min(offered, key=lambda split: split.variance)
    right = [i for i, split in enumerate(offered) if np.isclose(split.variance, best.variance)]
    # Of equally good ones the table is for the first question of the tree in the next step.
    best = next((offered[i] for i in right if _is_asked(setting, offered[i], root)), best)
    values = {"best": best.question, "after": best.variance, "before": variance_before}
    reason = (
        "{best}: the variance falls from {before} to {after}, the average over the cases on both "
        "sides. It is the mean squared distance of ranks from their mean rank."
    )
    if len(right) > 1:
        values["tied"] = " and ".join(offered[i].question for i in right)
        reason = (
            "A tie: {tied} leave a variance of {after}, the mean squared distance of ranks from "
            "the mean rank of their side. The table is for {best}."
        )
    intro = (
        "A tree divides the cases by a question. The best leaves the rankings on each side most "
        "alike: the lowest variance (0: all equal). Undivided it is {before}."
    )
    options = tuple(
        f"{letter}: {split.question}"
        for letter, split in zip(ascii_uppercase, offered, strict=False)
    )
    lines_picture = _lines(setting, offered, options)
    if lines_picture is not None:
        intro += " Colour: the label ranked first."
    return LessonStep(
        "Choose the split",
        Text(intro, values),
        lines_picture or _sides(setting, None),
        Ask(
            Text("Which line divides them best?" if lines_picture else "Which question is best?"),
            Pick(options, frozenset(right), several=False),
            Text(reason, values),
            _sides(setting, best),
            is_added=lines_picture is not None,
        ),
    )


def _is_asked(setting: LessonSetting, split: FeatureSplit, question: Question | None) -> bool:
    """Tell whether a question of a tree is that of a split."""
    return (
        question is not None
        and question.feature == split.feature
        and bool(np.isclose(_threshold(setting, question), split.threshold))
    )


def _threshold(setting: LessonSetting, question: Question) -> float:
    """Return the threshold of a question in the units of the data."""
    if setting.case.units is None:
        return question.threshold
    shift, scale = setting.case.units
    return float(shift[question.feature] + scale[question.feature] * question.threshold)


def _lines(
    setting: LessonSetting, offered: Sequence[FeatureSplit], options: Sequence[str]
) -> Picture | None:
    """Draw the cases and the questions as lines between them; None unless they are about two."""
    dataset, rows = setting.dataset, setting.case.training_rows
    columns = list(dict.fromkeys(split.column for split in offered))
    if len(columns) != 2:
        return None
    features = [int(dataset.schema.starts[column]) for column in columns]
    across, up = (dataset.schema.columns[column].name for column in columns)
    plane = markup.Plane(dataset.X[np.ix_(rows, np.array(features))], (across, up))
    target_texts = dataset.targets_in_words(rows)
    cuts = [
        (features.index(split.feature), split.threshold, option, option[0])
        for split, option in zip(offered, options, strict=True)
    ]
    rows_picture = scenes.rows_picture(setting)
    is_named = len(rows) <= _MOST_NAMED
    row_names = [setting.row_names[row] if is_named else "" for row in rows]
    markup_html = markup.divided(
        plane, dataset.first_labels[rows], target_texts, cuts, _HEIGHT, marks=row_names
    )
    return Picture(
        "lines",
        f"cases, and lines between them: {'; '.join(options)}",
        rows_picture.numbers,
        markup=markup_html,
    )


def _sides(setting: LessonSetting, split: FeatureSplit | None) -> Picture:
    """Draw the mean ranks of all cases, or those on both sides of a split."""
    dataset, rows = setting.dataset, setting.case.training_rows
    ranks = generalised_ranks(dataset.rankings[rows])
    parts = {"undivided": np.ones(len(rows), dtype=bool)}
    if split is not None:
        is_left = dataset.X[rows, split.feature] <= split.threshold
        parts = {split.question: is_left, split.question.replace(" ≤ ", " > "): ~is_left}
    drawn_labels = setting.scene.shown
    names = [dataset.label_names[label] for label in drawn_labels]
    means = np.array([ranks[part].mean(axis=0)[drawn_labels] for part in parts.values()])
    half = (dataset.n_labels - 1) / 2
    tints = (half + 1 - means) / half
    texts = [[decimal_text(value) for value in row] for row in means]
    table = pd.DataFrame(means, index=list(parts), columns=names).reset_index(names="side")
    if len(names) + 2 <= NUMBERS_UP_TO:
        counts = [int(part.sum()) for part in parts.values()]
        variances = [variance(ranks[part], np.ones(part.sum(), bool)) for part in parts.values()]
        tints = np.column_stack([tints, np.zeros((len(parts), 2))])
        texts = [
            [*row, f"{count}", decimal_text(left)]
            for row, count, left in zip(texts, counts, variances, strict=True)
        ]
        names = [*names, setting.nouns.rows, "variance"]
        table = table.assign(**{setting.nouns.rows: counts, "variance": variances})
    cells = Tinted(tints, texts, list(parts), names)
    return Picture("sides", "mean ranks by side", table, markup=markup.matrix(cells))


def _way(setting: LessonSetting, votes: TreeVotes) -> LessonStep:
    ends = [node.is_passed for node in _ends(votes.roots[0])]
    values = {
        "n": int(votes.sizes[0]),
        "first": Label(int(np.argmin(votes.rankings[0]))),
        "case": _asked_values(setting, votes),
    }
    way = _tree(setting, votes)
    draws, drawn, named = votes.first_draws, "cases drawn at random, some twice", ""
    if draws is not None and _is_named(setting):
        values |= {"draws": int(draws.sum()), "never": int((draws == 0).sum())}
        drawn = "{draws} random draws of the cases"
        drawn += ": {never} cases were never drawn" if values["never"] else ""
        named = " and lists them"
    if len(ends) == 1:
        return LessonStep("One tree", _leaf_text(setting, votes, values), way)
    return LessonStep(
        "One tree",
        Text(
            f"This tree learned from {drawn}. Left means yes. A leaf (end) ranks its n draws"
            f"{named}. The case: {{case}}.",
            values,
        ),
        _tree(setting, votes, shows_way=False),
        Ask(
            Text("Where does the case end?"),
            Pick(tuple(ascii_uppercase[: len(ends)]), frozenset({ends.index(True)}), several=False),
            _leaf_text(setting, votes, values),
            way,
        ),
    )


def _tree(setting: LessonSetting, votes: TreeVotes, *, shows_way: bool = True) -> Picture:
    """Draw the first tree, with few cases in their leaves, and the way of the case through it."""
    cases: list[list[tuple[str, int]]] = []
    if _is_named(setting) and votes.first_draws is not None:
        training_rows = setting.case.training_rows
        times = dict(zip(training_rows.tolist(), votes.first_draws.tolist(), strict=True))
        cases = [
            [(setting.row_names[row], times[row]) for row in rows.tolist() if times[row]]
            for rows in _rows_of_ends(setting, votes.roots[0], training_rows)
        ]
    way = " and the way of the case through it" if shows_way else ""
    return Picture(
        "tree",
        f"the first tree{way}",
        votes.frame(setting.names),
        markup=whole_tree(votes, setting.scene, shows_way=shows_way, cases=cases),
    )


def _is_named(setting: LessonSetting) -> bool:
    return len(setting.case.training_rows) <= _MOST_NAMED and not setting.dataset.is_sparse


def _rows_of_ends(setting: LessonSetting, node: TreeNode, rows: IntArray) -> list[IntArray]:
    """List the rows, of some, that come to each end below a node, from left to right."""
    if node.question is None or not node.children:
        return [rows]
    threshold = _threshold(setting, node.question)
    is_left = setting.dataset.X[rows, node.question.feature] <= threshold
    return [
        end
        for child, side in zip(node.children, (rows[is_left], rows[~is_left]), strict=True)
        for end in _rows_of_ends(setting, child, side)
    ]


def _ends(node: TreeNode) -> list[TreeNode]:
    """List the ends of a tree as it is drawn, from left to right."""
    return [end for child in node.children for end in _ends(child)] or [node]


def _asked_values(setting: LessonSetting, votes: TreeVotes) -> str:
    """Say the values of the case that the first tree asks for."""
    schema = setting.dataset.schema
    case_values = schema.frame(setting.case.x[None]).iloc[0]
    columns = dict.fromkeys(schema.column_of_feature[node.feature] for node in votes.ways[0])
    values = [
        case_values.iloc[j]
        if isinstance(case_values.iloc[j], str)
        else number_text(case_values.iloc[j])
        for j in columns
    ]
    value_texts = [
        f"{schema.columns[j].name} {value}" for j, value in zip(columns, values, strict=True)
    ]
    value_texts = value_texts[:_COLUMNS_SAID]
    while len(" ".join(value_texts).split()) > _WORDS_OF_CASE and len(value_texts) > 1:
        value_texts.pop()
    return ", ".join(value_texts)


def _leaf_text(setting: LessonSetting, votes: TreeVotes, values: dict[str, Any]) -> Text:
    """Return the label that the first tree puts first as text, with the ties in its leaf."""
    text = Text(
        "Its leaf holds {n} training rankings, repeated draws counted; {first} has the best "
        "mean rank there. That is this tree's vote.",
        values,
    )
    if votes.draws[0].sum() < votes.sizes[0]:
        return text
    return shared.with_ties(
        text, np.average(votes.leaves[0], axis=0, weights=votes.draws[0]), setting
    )


def _votes(setting: LessonSetting, votes: TreeVotes) -> LessonStep:
    firsts = np.bincount(np.argmin(votes.rankings, axis=1), minlength=setting.dataset.n_labels)
    top = int(np.argmax(firsts))
    values = {"n": len(votes.rankings), "top": Label(top), "times": int(firsts[top])}
    return LessonStep(
        "Every tree votes",
        Text(
            "In a forest, each of {n} trees learned from other draws of the cases. One tree "
            "depends on its draws, the average of many less so.",
            values,
        ),
        stacked(
            _tree(setting, votes),
            scenes.plain(tree_votes(votes, setting.scene, "each")),
            is_abreast=True,
        ),
        Ask(
            Text("How many trees put {top} first?", values),
            Number(float(firsts[top]), 0.0, float(len(votes.rankings)), 1.0),
            Text(
                "{times} of {n} trees have {top} first. All their places count, not "
                "only the first.",
                values,
            ),
        ),
    )


def _flow(setting: LessonSetting, votes: TreeVotes, basis: Picture | None) -> LessonStep:
    scores = setting.explanation.evidence(LabelScores)
    values = {"n": len(votes.rankings), "settled": votes.settled}
    reason = "From tree {settled} of {n} on the order stays the same."
    if votes.settled == len(votes.rankings):
        reason = "The last of the {n} trees still changes it."
    intro = (
        "Every tree adds a part to the bar of each label: the better its mean rank in the leaf, "
        "the longer. The longest bar comes first."
    )
    return LessonStep(
        "The votes flow together",
        Text(intro, values),
        scenes.below(basis, _stacked(setting, votes)),
        Ask(
            Text("From which tree on does the order stay the same?"),
            Number(float(votes.settled), 1.0, float(len(votes.rankings)), 1.0),
            shared.with_ties(
                Text(reason, values),
                scores.values,
                setting,
                scores.tie_rule,
                tie="Tied after all {n}",
            ),
            scenes.plain(tree_votes(votes, setting.scene, "running")),
            is_added=True,
        ),
    )


def mean_ranks(votes: TreeVotes) -> FloatArray:
    """Return the mean ranks in the leaf of each tree; its places where not all rows are listed."""
    return np.array(
        [
            np.average(rows, axis=0, weights=draws) if draws.sum() == size else ranking
            for rows, draws, size, ranking in zip(
                votes.leaves, votes.draws, votes.sizes, votes.rankings, strict=True
            )
        ]
    )


def _stacked(setting: LessonSetting, votes: TreeVotes) -> Picture:
    """Draw the share of each tree in each label, and the mean rank it makes."""
    ranks, names = mean_ranks(votes), setting.names
    n_trees, n_labels = ranks.shape
    order = [label for label in setting.explanation.order if label in set(setting.scene.shown)]
    parts = (n_labels - ranks) / (n_trees * (n_labels - 1))
    means = {label: decimal_text(float(ranks[:, label].mean())) for label in order}
    tree_titles = [f"tree {tree}: mean rank" for tree in range(1, n_trees + 1)]
    rows = [
        (
            markup.chip(label, names, "small"),
            means[label],
            [
                (f"{name} {decimal_text(float(rank))}", float(part))
                for name, rank, part in zip(
                    tree_titles, ranks[:, label], parts[:, label], strict=True
                )
            ],
        )
        for label in order
    ]
    table = pd.DataFrame(ranks, columns=list(names))
    table.insert(0, "tree", np.arange(1, n_trees + 1))
    return Picture(
        "stacked",
        "mean ranks over all trees: " + "; ".join(f"{names[j]} {means[j]}" for j in order),
        table,
        markup=markup.stacked_votes(rows, [mark_class(label) for label in order], "mean rank"),
    )


LESSON = Lesson(
    "forest",
    "Trees",
    "Many trees vote",
    "Every tree asks its own questions and ends in a leaf with a few rankings; all leaves vote.",
    "forest",
    (
        Example(
            "A mild day",
            DRINKS,
            (19.0, 5.5),
            {"n_estimators": 6, "random_state": 0},
            nouns=DAYS_AND_DRINKS,
        ),
    ),
    ("n_estimators", "max_depth"),
    make_steps,
    skill="predict with a forest by hand",
    skill_details=": grow a tree by its best split, read its leaf, and add up the votes",
)
