"""Pictures that lessons share, made of the drawings of explanations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import (
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
)
from labelrank_core.explain.render import Picture, answer, markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.elements import Html
from labelrank_core.explain.render.markup.tables import CaseRow
from labelrank_core.explain.render.markup.text import shorten
from labelrank_core.rankings import FloatArray, IntArray, format_ranking
from pages.learn.story import LessonSetting, stacked
from pages.ui import compute
from pages.ui.render import evidence

_ROWS_SHOWN, _FEATURES_SHOWN, _PLACES_SHOWN = 10, 3, 6
PLANE_HEIGHT = 200
# The keys of the pictures that are tables themselves.
TABLES = ("rows", "held_out")


def rows_picture(
    setting: LessonSetting, rows: Sequence[int] | None = None, top: int | None = None
) -> Picture:
    """Draw some rows, or the first ones, and above them the case in question, or a row."""
    dataset = setting.dataset
    all_rows = setting.case.training_rows if rows is None else np.array(rows)
    training = all_rows[:_ROWS_SHOWN]
    columns = _columns(dataset)
    heads = [shorten(dataset.schema.columns[j].name, 18) for j in columns]
    x, name = setting.case.x, "new" if setting.row is None else f"this {setting.nouns.row}"
    if top is not None:
        x, name = dataset.case(top), setting.row_names[top]
    case_row = CaseRow("", name, _values(dataset, x[None], columns)[0], "?")
    other_rows = [
        CaseRow("", setting.row_names[row], values, target_strip(dataset, row))
        for row, values in zip(
            training, _values(dataset, _dense(dataset, training), columns), strict=True
        )
    ]
    target_texts = dataset.targets_in_words(training)
    targets = "ranking" if dataset.task is Task.LABEL_RANKING else setting.nouns.labels
    targets_head = f"{targets}, best first" if targets == "ranking" else targets
    return Picture(
        "rows",
        "; ".join(
            f"{setting.row_names[row]}: {target_text}"
            for row, target_text in zip(training, target_texts, strict=True)
        ),
        pd.DataFrame({"row": training + 1, targets: target_texts}),
        markup=markup.cases_table(case_row, other_rows, heads, (setting.nouns.row, targets_head)),
    )


def _columns(dataset: Dataset) -> list[int]:
    if len(dataset.schema.columns) <= _FEATURES_SHOWN:
        return list(range(len(dataset.schema.columns)))
    return compute.predictive_columns(dataset)[:_FEATURES_SHOWN]


def _dense(dataset: Dataset, rows: Sequence[int] | np.ndarray) -> FloatArray:
    return np.array([dataset.case(int(row)) for row in rows])


def _values(dataset: Dataset, X: FloatArray, columns: Sequence[int]) -> list[tuple[str, ...]]:
    frame = dataset.schema.frame(X)
    return [
        tuple(shorten(v, 14) if isinstance(v, str) else number_text(v) for v in row)
        for row in frame.iloc[:, list(columns)].itertuples(index=False)
    ]


def target_strip(dataset: Dataset, row: int) -> str:
    """Draw the ranking or the labels of a row."""
    names = [shorten(name, 16) for name in dataset.label_names]
    return markup.strip(RankedLabels(dataset.label_buckets(row)), names, n_labels=_PLACES_SHOWN)


def evidence_picture(setting: LessonSetting, kind: type) -> Picture:
    """Draw a kind of evidence as explanations do, without its caption."""
    return plain(drawings.picture(setting.explanation.evidence(kind), setting.scene))


def cases_picture(
    setting: LessonSetting, n_neighbors: int, marks: Mapping[int, str] | None = None
) -> Picture:
    """Draw all cases, some with a name, and the first neighbours in the circle around them.

    Of few cases all have their names, so that each is the same one in the next picture.
    """
    near, rows = setting.explanation.evidence(Neighbors), setting.case.training_rows
    named_rows = rows if len(rows) <= _ROWS_SHOWN else rows[near.rows]
    picture = evidence.plane(
        setting.dataset,
        setting.case,
        near,
        row=setting.row,
        height=PLANE_HEIGHT,
        n_drawn=n_neighbors,
        marks=marks or {int(row): setting.row_names[row] for row in named_rows},
    )
    if picture is None:
        return rows_picture(setting)
    return plain(
        picture if n_neighbors else replace(picture, numbers=rows_picture(setting).numbers)
    )


def below(basis: Picture | None, picture: Picture) -> Picture:
    """Draw a picture below what stays on the stage, if anything does."""
    return picture if basis is None else stacked(basis, picture)


def has_circle(setting: LessonSetting) -> bool:
    """Tell whether near means near in the picture: it holds all features, not a projection."""
    dataset = setting.dataset
    return dataset.n_features == 2 and dataset.coordinates is None and not dataset.is_sparse


def plain(picture: Picture) -> Picture:
    """Return the picture without its caption, where the step has the text."""
    return replace(picture, caption="")


def some_rows(
    setting: LessonSetting, first: Sequence[int], max_rows: int, without: int | None = None
) -> list[int]:
    """Choose rows to tap: some that must be among them, and others of the training cases."""
    candidates = [int(row) for row in setting.case.training_rows if row not in {*first, without}]
    sampled = np.random.default_rng(0).permutation(candidates)[: max(0, max_rows - len(first))]
    return sorted([*first, *sampled.tolist()])


def dots(
    title: str,
    values: FloatArray,
    setting: LessonSetting,
    *,
    ends: tuple[float, float] | None = None,
    bar: Bar | None = None,
    ascending: bool = True,
    order: Sequence[int] | None = None,
    above: Html | None = None,
) -> Picture:
    """Draw one number per label as a dot, the best label first, with the bar to beat.

    `order`: that of the labels where more than their numbers decides it; `above`: rows that stand
    above on the same scale.

    Ranks lie on a scale from the first place to the last, others from 0 to 1, or between other
    `ends`: the same in every step, so that nothing but the numbers moves.
    """
    last = float(setting.dataset.n_labels)
    scale = ends or ((1.0, last) if ascending else (0.0, 1.0))
    order = order or np.argsort(values if ascending else -values, kind="stable").tolist()
    names = setting.names
    rows = [(i, label, float(values[label])) for i, label in enumerate(order, start=1)]
    drawn_rows = [row for row in rows if row[1] in set(setting.scene.shown)]
    table = pd.DataFrame({"label": [names[j] for j in order], title: values[list(order)]})
    spoken = "; ".join(f"{names[j]} {decimal_text(values[j])}" for j in order)
    return Picture(
        title,
        f"{title}: {spoken}",
        table,
        markup=markup.dot_rows(drawn_rows, names, bar, scale, above),
    )


def strips(
    rankings: FloatArray,
    row_names: Sequence[str],
    setting: LessonSetting,
    kind: str,
    *,
    n_virtual_labels: int = 0,
) -> Picture:
    """Draw rankings below each other, those with virtual labels behind the others."""
    names = [*setting.names, *["zero line"] * n_virtual_labels]
    ranking_texts = [format_ranking(row, names) for row in rankings]
    return Picture(
        kind,
        "; ".join(
            f"{name}: {ranking_text}"
            for name, ranking_text in zip(row_names, ranking_texts, strict=True)
        ),
        pd.DataFrame({"case": list(row_names), kind: ranking_texts}),
        markup=markup.strips(
            markup.ranked_rows(rankings, row_names),
            setting.names,
            n_zero_lines=n_virtual_labels,
            n_places=setting.scene.n_places + n_virtual_labels,
        ),
    )


def near_sets(setting: LessonSetting) -> Picture:
    """Draw which labels each neighbour has."""
    near = setting.explanation.evidence(Neighbors)
    return sets_of(setting, setting.case.training_rows[near.rows])


def sets_of(setting: LessonSetting, rows: IntArray) -> Picture:
    """Draw which labels each of some rows has."""
    row_names = [setting.row_names[row] for row in rows]
    relevant = np.asarray(setting.dataset.relevance[rows] > 0)
    markup_html = markup.label_sets(relevant, row_names, setting.names, setting.scene.shown)
    target_texts = setting.dataset.targets_in_words(rows)
    return Picture(
        "sets",
        "; ".join(
            f"{name}: {target_text}"
            for name, target_text in zip(row_names, target_texts, strict=True)
        ),
        pd.DataFrame({"case": row_names, "labels": target_texts}),
        markup=markup_html,
    )


def answer_picture(setting: LessonSetting, scores: LabelScores) -> Picture:
    """Draw the predicted ranking with the scores that order it."""
    names, order = setting.names, setting.explanation.order
    return Picture(
        "answer",
        ", ".join(names[j] for j in order),
        scores.frame(names),
        markup=answer(setting.scene, scores=scores, says_scale=True),
    )


def with_row(
    setting: LessonSetting,
    rankings: FloatArray,
    row_names: Sequence[str],
    last: IntArray,
    name: str,
) -> Picture:
    """Draw rankings below each other, and one more as the last row."""
    every = np.vstack([rankings, last])
    return strips(every, [*row_names, name], setting, "ranking")


def shares(
    setting: LessonSetting,
    values: FloatArray,
    against: Sequence[tuple[int, int]] = (),
    labels: Collection[int] | None = None,
) -> Picture:
    """Draw pairwise shares of labels in the order of the data, which gives no ranking away.

    `labels`: which ones; None: all that are drawn.
    """
    names, labels = setting.names, sorted(setting.scene.shown if labels is None else labels)
    pairs = [(a, b) for a in labels for b in labels if a != b]
    share_texts = [decimal_text(values[a, b]) for a, b in pairs]
    table = pd.DataFrame(
        {
            "ahead": [names[a] for a, _ in pairs],
            "behind": [names[b] for _, b in pairs],
            "share": [float(values[a, b]) for a, b in pairs],
        }
    )
    return Picture(
        "shares",
        "; ".join(
            f"{names[a]} before {names[b]} {share}"
            for (a, b), share in zip(pairs[:10], share_texts, strict=False)
        ),
        table,
        markup=drawings.pair_shares(
            np.nan_to_num(values, nan=0.5), labels, names, against, is_ranked=False
        ),
    )


def left_out(
    setting: LessonSetting, evidence: LeaveOneOut | LeaveOneOutSets, row_names: Sequence[str]
) -> Picture:
    """Draw the prediction from all of some cases, and below those without each of them."""
    deciding, names = set(evidence.deciding.tolist()), setting.names
    rows = [f"all {len(evidence.rows)}"]
    rows += [f"without {row_name}{'  ≠' * (i in deciding)}" for i, row_name in enumerate(row_names)]
    predictions = np.vstack([evidence.prediction, evidence.without[: len(row_names)]])
    if isinstance(evidence, LeaveOneOut):
        return strips(predictions, rows, setting, "prediction")
    label_texts = [", ".join(np.array(names)[is_relevant]) or "none" for is_relevant in predictions]
    return Picture(
        "prediction",
        "; ".join(
            f"{row}: {label_text}" for row, label_text in zip(rows, label_texts, strict=True)
        ),
        pd.DataFrame({"cases": rows, "labels": label_texts}),
        markup=markup.label_sets(predictions, rows, names, setting.scene.shown),
    )


def side_by_side(
    setting: LessonSetting,
    left_ranking: tuple[str, FloatArray],
    right_ranking: tuple[str, FloatArray],
    numbers: Mapping[int, str] | None = None,
    numbers_title: str = "",
) -> Picture:
    """Draw two rankings joined by lines, which cross where two labels are swapped.

    `numbers` stand where the lines of labels begin.
    """
    names, drawn_labels = setting.names, set(setting.scene.shown)
    rankings, ranking_texts = [], []
    for title, positions in (left_ranking, right_ranking):
        rankings.append(RankedLabels.from_positions(positions, title).select(drawn_labels))
        ranking_texts.append(f"{title}: {format_ranking(positions, names)}")
    rankings[0] = replace(rankings[0], numbers=numbers or {}, numbers_title=numbers_title)
    table = pd.DataFrame({"ranking": ranking_texts})
    return Picture(
        "joined",
        "; ".join(ranking_texts),
        table,
        markup=markup.side_by_side(rankings[0], rankings[1], names),
    )
