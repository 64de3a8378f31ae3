"""Pictures that lessons share, made of the drawings of explanations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.explain import markup, pictures
from labelrank_core.explain.evidence import (
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
)
from labelrank_core.explain.markup.dots import Bar
from labelrank_core.explain.markup.tables import CaseRow
from labelrank_core.explain.markup.text import shorten
from labelrank_core.explain.pictures import Picture, answer
from labelrank_core.rankings import FloatArray, IntArray, format_ranking, label_buckets
from pages.learn.story import LessonSetting
from pages.ui import compute, evidence

_ROWS_SHOWN, _FEATURES_SHOWN, _PLACES_SHOWN = 10, 3, 6
PLANE_HEIGHT = 330


def rows_picture(
    setting: LessonSetting, rows: Sequence[int] | None = None, top: int | None = None
) -> Picture:
    """Draw some rows, or the first ones, and above them the case in question, or a row."""
    dataset = setting.dataset
    chosen = setting.case.training_rows if rows is None else np.array(rows)
    training = chosen[:_ROWS_SHOWN]
    columns = _columns(dataset)
    heads = [shorten(dataset.schema.columns[j].name, 14) for j in columns]
    x, name = setting.case.x, "new" if setting.row is None else "this case"
    if top is not None:
        x, name = dataset.case(top), f"#{top + 1}"
    own = CaseRow("", name, _values(dataset, x[None], columns)[0], "?")
    others = [
        CaseRow("", f"#{row + 1}", values, target_strip(dataset, row))
        for row, values in zip(
            training, _values(dataset, _dense(dataset, training), columns), strict=True
        )
    ]
    said = dataset.targets_in_words(training)
    targets = "ranking" if dataset.task is Task.LABEL_RANKING else "labels"
    return Picture(
        "rows",
        "; ".join(f"row {row + 1}: {words}" for row, words in zip(training, said, strict=True)),
        pd.DataFrame({"row": training + 1, targets: said}),
        markup=markup.cases_table(own, others, heads, ("case", targets)),
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
    return markup.strip(dataset.label_buckets(row), names, n_labels=_PLACES_SHOWN)


def evidence_picture(setting: LessonSetting, kind: type) -> Picture:
    """Draw a kind of evidence as explanations do, without its caption."""
    return plain(pictures.picture(setting.explanation.evidence(kind), setting.scene))


def cases_picture(
    setting: LessonSetting, n_neighbors: int, marks: Mapping[int, str] | None = None
) -> Picture:
    """Draw all cases, some with a name, and the first neighbours in the circle around them."""
    near = setting.explanation.evidence(Neighbors)
    found = evidence.plane(
        setting.dataset,
        setting.case,
        near,
        row=setting.row,
        height=PLANE_HEIGHT,
        n_drawn=n_neighbors,
        marks=marks or {row: f"#{row + 1}" for row in setting.case.training_rows[near.rows]},
    )
    if found is None:
        return rows_picture(setting)
    return plain(found if n_neighbors else replace(found, numbers=rows_picture(setting).numbers))


def has_circle(setting: LessonSetting) -> bool:
    """Tell whether near means near in the picture: it holds all features, not a projection."""
    dataset = setting.dataset
    return dataset.n_features == 2 and dataset.coordinates is None and not dataset.is_sparse


def plain(picture: Picture) -> Picture:
    """Leave the caption out, where the step says what is to be said."""
    return replace(picture, caption="")


def some_rows(
    setting: LessonSetting, first: Sequence[int], most: int, without: int | None = None
) -> list[int]:
    """Choose rows to tap: some that must be among them, and others of the training cases."""
    others = [int(row) for row in setting.case.training_rows if row not in {*first, without}]
    drawn = np.random.default_rng(0).permutation(others)[: max(0, most - len(first))]
    return sorted([*first, *drawn.tolist()])


def dots(
    title: str,
    values: FloatArray,
    setting: LessonSetting,
    *,
    ends: tuple[float, float] | None = None,
    bar: Bar | None = None,
    ascending: bool = True,
) -> Picture:
    """Draw one number per label as a dot, the best label first, with what it must beat.

    Ranks lie on a scale from the first place to the last, others from 0 to 1, or between other
    `ends`: the same in every step, so that nothing but the numbers moves.
    """
    last = float(setting.dataset.n_labels)
    scale = ends or ((1.0, last) if ascending else (0.0, 1.0))
    order = np.argsort(values if ascending else -values, kind="stable").tolist()
    names = setting.names
    rows = [(i, label, float(values[label])) for i, label in enumerate(order, start=1)]
    shown = [row for row in rows if row[1] in set(setting.scene.shown)]
    table = pd.DataFrame({"label": [names[j] for j in order], title: values[order]})
    spoken = "; ".join(f"{names[j]} {decimal_text(values[j])}" for j in order)
    return Picture(
        title, f"{title}: {spoken}", table, markup=markup.dot_rows(shown, names, bar, scale)
    )


def strips(
    rankings: FloatArray,
    called: Sequence[str],
    setting: LessonSetting,
    what: str,
    *,
    zero: bool = False,
) -> Picture:
    """Draw rankings below each other."""
    names = [*setting.names, "zero line"] if zero else list(setting.names)
    words = [format_ranking(row, names) for row in rankings]
    return Picture(
        what,
        "; ".join(f"{name}: {said}" for name, said in zip(called, words, strict=True)),
        pd.DataFrame({"case": list(called), what: words}),
        markup=markup.strips(
            rankings, called, setting.names, has_zero_line=zero, n_places=setting.scene.n_places
        ),
    )


def near_sets(setting: LessonSetting) -> Picture:
    """Draw which labels each neighbour has."""
    near, names = setting.explanation.evidence(Neighbors), setting.names
    called = [f"#{row + 1}" for row in setting.case.training_rows[near.rows]]
    relevant = near.rankings[:, :-1] < near.rankings[:, -1:]
    drawn = markup.label_sets(relevant, called, names, setting.scene.shown)
    said = setting.dataset.targets_in_words(setting.case.training_rows[near.rows])
    return Picture(
        "sets",
        "; ".join(f"{name}: {words}" for name, words in zip(called, said, strict=True)),
        pd.DataFrame({"case": called, "labels": said}),
        markup=drawn,
    )


def answer_picture(setting: LessonSetting) -> Picture:
    """Draw the predicted ranking with what orders it."""
    names, order = setting.names, setting.explanation.order
    scores = setting.explanation.evidence(LabelScores)
    return Picture(
        "answer",
        ", ".join(names[j] for j in order),
        scores.frame(names),
        markup=answer(setting.scene, says_scale=True),
    )


def with_row(
    setting: LessonSetting, rankings: FloatArray, called: Sequence[str], last: IntArray, name: str
) -> Picture:
    """Draw rankings below each other, and one more as the last row."""
    every = np.vstack([rankings, last])
    return strips(every, [*called, name], setting, "ranking")


def shares(
    setting: LessonSetting, values: FloatArray, against: Sequence[tuple[int, int]] = ()
) -> Picture:
    """Draw pairwise shares of labels in the order of the data, which gives no ranking away."""
    names, shown = setting.names, sorted(setting.scene.shown)
    pairs = [(a, b) for a in shown for b in shown if a != b]
    said = [decimal_text(values[a, b]) for a, b in pairs]
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
            for (a, b), share in zip(pairs[:10], said, strict=False)
        ),
        table,
        markup=pictures.pair_shares(
            np.nan_to_num(values, nan=0.5), shown, names, against, is_ranked=False
        ),
    )


def left_out(
    setting: LessonSetting, evidence: LeaveOneOut | LeaveOneOutSets, called: Sequence[str]
) -> Picture:
    """Draw what all of some cases predict, and below what they predict without each of them."""
    deciding, names = set(evidence.deciding.tolist()), setting.names
    rows = [f"all {len(evidence.rows)}"]
    rows += [f"without {each}{'  ≠' * (i in deciding)}" for i, each in enumerate(called)]
    found = np.vstack([evidence.prediction, evidence.without[: len(called)]])
    if isinstance(evidence, LeaveOneOut):
        return strips(found, rows, setting, "prediction")
    words = [", ".join(np.array(names)[own]) or "none" for own in found]
    return Picture(
        "prediction",
        "; ".join(f"{row}: {said}" for row, said in zip(rows, words, strict=True)),
        pd.DataFrame({"cases": rows, "labels": words}),
        markup=markup.label_sets(found, rows, names, setting.scene.shown),
    )


def side_by_side(
    setting: LessonSetting, left: tuple[str, FloatArray], right: tuple[str, FloatArray]
) -> Picture:
    """Draw two rankings joined by lines, which cross where two labels are swapped."""
    names, shown = setting.names, set(setting.scene.shown)
    sides, words = [], []
    for title, positions in (left, right):
        groups = tuple(map(tuple, label_buckets(positions)))
        sides.append(markup.Side(title, groups).only(shown))
        words.append(f"{title}: {format_ranking(positions, names)}")
    table = pd.DataFrame({"ranking": words})
    return Picture(
        "joined", "; ".join(words), table, markup=markup.side_by_side(sides[0], sides[1], names)
    )
