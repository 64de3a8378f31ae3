"""Ties: the price of each answer on a pair by its votes, and the ranking with the least sum."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from labelrank_core.aggregation.bucket_orders import EXACT_LABELS
from labelrank_core.data.findings import count_of
from labelrank_core.explain.evidence import Label, Neighbors, Text
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.metrics import kemeny_distance
from labelrank_core.rankings import FloatArray, IntArray, label_buckets, strict_order
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick

_MOST_PAIRS = 3
_ROWS = """day,temperature (°C),sunshine (h),ranking
Mon,21,7,tea=lemonade>water>zobo
Tue,23,6,lemonade>tea>water>zobo
Wed,24,8,tea>lemonade>zobo=water
Thu,26,6,tea=lemonade>zobo>water
Fri,22,5,lemonade=tea>water>zobo
Sat,6,2,zobo>water>lemonade>tea
Sun,8,3,water=zobo>tea=lemonade
New Year,1,2,zobo=water>lemonade>tea
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps from the votes on one pair to a ranking with ties."""
    choice = setting.choice.with_params(ties="predict", aggregation="kemeny")
    setting = replace(setting, choice=choice, case=setting.case_with(choice))
    near = setting.explanation.evidence(Neighbors).rankings
    pair = _pair(setting)
    has_ties = len(label_buckets(setting.explanation.ranking)) < setting.dataset.n_labels
    return [
        _rows(setting),
        _votes(setting, near, pair),
        _costs(setting, near, pair),
        _all_pairs(setting, near),
        *([_forced(setting, near)] if has_ties else []),
        LessonStep(
            "The answer",
            shared.summary(setting),
            scenes.below(shared.rankings_that_stay(setting), _prediction(setting)),
        ),
    ]


def distance(ranking: IntArray, rankings: FloatArray | IntArray) -> int:
    """Add up Kemeny's distances: 2 for a reversed pair, 1 where only one of both ties it."""
    distances = kemeny_distance(rankings, np.tile(ranking, (len(rankings), 1)), average=None)
    return int(np.nansum(distances))


def _count_votes(near: FloatArray, pair: tuple[int, int]) -> tuple[int, int, int]:
    """Count the votes for the first label ahead, for the second one, and for a tie."""
    first, second = near[:, pair[0]], near[:, pair[1]]
    return int((first < second).sum()), int((first > second).sum()), int((first == second).sum())


def _pair(setting: LessonSetting) -> tuple[int, int]:
    """Choose two labels that the prediction ties, or else the first two."""
    buckets = label_buckets(setting.explanation.ranking)
    tied = next((bucket for bucket in buckets if len(bucket) > 1), None)
    first, second = (tied or strict_order(setting.explanation.positions))[:2]
    return first, second


def _prediction(setting: LessonSetting) -> Picture:
    ranking = setting.explanation.ranking.astype(np.float64)
    return scenes.strips(ranking[None], ["predicted"], setting, "ranking")


def _rows(setting: LessonSetting) -> LessonStep:
    first = label_buckets(setting.explanation.ranking)[0]
    drawn_labels = sorted({*setting.scene.shown, *first})
    return LessonStep(
        "The rows",
        Text("Labels in one frame are tied. The case at the top has no ranking."),
        scenes.rows_picture(setting),
        Ask(
            Text("Which label do you expect in the first position?"),
            Pick(
                tuple(setting.names[label] for label in drawn_labels),
                frozenset(drawn_labels.index(label) for label in first),
                several=False,
            ),
            shared.summary(setting),
            is_kept=True,
        ),
    )


def _votes(setting: LessonSetting, near: FloatArray, pair: tuple[int, int]) -> LessonStep:
    a, b = pair
    ahead, behind, ties = _count_votes(near, pair)
    values = {"a": Label(a), "b": Label(b), "k": len(near)}
    return LessonStep(
        "Three kinds of votes",
        Text(
            "The {k} most similar cases vote on {a} and {b}: one of them is ahead, or they tie.",
            values,
        ),
        scenes.strips(near, shared.near_names(setting), setting, "ranking"),
        Ask(
            Text("How many of them tie the two?"),
            Number(float(ties), 0.0, float(max(1, len(near))), 1.0),
            Text(
                "Ties: {ties}. Votes for {a} ahead: {ahead}, for {b} ahead: {behind}.",
                {**values, "ties": ties, "ahead": ahead, "behind": behind},
            ),
        ),
    )


def _costs(setting: LessonSetting, near: FloatArray, pair: tuple[int, int]) -> LessonStep:
    a, b = pair
    ahead, behind, ties = _count_votes(near, pair)
    first, tie, second = (
        distance(np.array(answer), near[:, pair]) for answer in ((1, 2), (1, 1), (2, 1))
    )
    votes, costs = (ahead, ties, behind), (first, tie, second)
    rankings_picture = scenes.strips(near, shared.near_names(setting), setting, "ranking")
    values = {"a": Label(a), "b": Label(b), "ahead": ahead, "behind": behind, "ties": ties}
    values |= {"first": first, "tie": tie, "second": second}
    return LessonStep(
        "What an answer costs",
        Text(
            "Each vote charges an answer: nothing if they agree, 2 if they are the other way "
            "round, and 1 if only one of them is a tie."
        ),
        scenes.below(rankings_picture, _charges_picture(setting, pair, votes)),
        Ask(
            Text("What does the answer that {a} and {b} tie cost?", values),
            Number(float(tie), 0.0, float(2 * len(near)), 1.0),
            Text(
                "A tie costs {ahead} + {behind} = {tie}. {a} ahead costs 2 · {behind} + {ties} = "
                "{first}, {b} ahead 2 · {ahead} + {ties} = {second}.",
                values,
            ),
            scenes.below(rankings_picture, _charges_picture(setting, pair, votes, costs)),
        ),
    )


def _charges_picture(
    setting: LessonSetting,
    pair: tuple[int, int],
    votes: tuple[int, int, int],
    costs: tuple[int, int, int] | None = None,
) -> Picture:
    """Tabulate what each kind of vote charges each answer, perhaps with the sums over all votes."""
    first, second = (setting.names[label] for label in pair)
    answers = [first, "tie", second]
    row_names = [
        f"{count_of(n, 'vote')} for {vote}"
        for n, vote in zip(votes, (first, "a tie", second), strict=True)
    ]
    rows = [[abs(vote - answer) for answer in range(3)] for vote in range(3)]
    tints = np.zeros((3, 3))
    cell_texts = [[str(charge) for charge in row] for row in rows]
    if costs is not None:
        cell_texts = [
            [f"{n} × {charge}" for charge in row] for n, row in zip(votes, rows, strict=True)
        ] + [[str(cost) for cost in costs]]
        rows = [[n * charge for charge in row] for n, row in zip(votes, rows, strict=True)]
        spread = max(1, max(costs) - min(costs))
        tints = np.vstack([tints, [1 - 2 * (cost - min(costs)) / spread for cost in costs]])
        row_names, rows = [*row_names, "cost of all votes"], [*rows, [*costs]]
    table = pd.DataFrame(rows, columns=answers)
    table.insert(0, "votes", row_names)
    cells = Tinted(tints, cell_texts, row_names, answers)
    charges = "; ".join(
        f"{name}: {', '.join(map(str, row))}" for name, row in zip(row_names, rows, strict=True)
    )
    return Picture("costs", charges, table, markup=markup.matrix(cells))


def _all_pairs(setting: LessonSetting, near: FloatArray) -> LessonStep:
    ranking = setting.explanation.ranking
    buckets = label_buckets(ranking)
    tied = sorted(label for bucket in buckets if len(bucket) > 1 for label in bucket)
    drawn_labels = sorted({*setting.scene.shown, *tied})
    values = {"cost": distance(ranking, near), "tied": tuple(Label(label) for label in tied)}
    reason = "{tied} share positions. All pairs together, this ranking costs {cost}"
    if not tied:
        reason = "None. All pairs together, this ranking without ties costs {cost}"
    pair_costs = _pair_costs(ranking, near)
    if len(pair_costs) <= _MOST_PAIRS:
        values["pairs"] = ", ".join(
            f"{setting.names[a]} and {setting.names[b]} {cost}" for (a, b), cost in pair_costs
        )
        reason += ": {pairs}, every other pair 0" if pair_costs else ""
    least = "the least" if setting.dataset.n_labels <= EXACT_LABELS else "the least that was found"
    return LessonStep(
        "All pairs at once",
        Text(
            "Each pair adds its cost. Of all rankings, with or without ties, the prediction is the "
            f"one whose sum is {least}."
        ),
        scenes.strips(near, shared.near_names(setting), setting, "ranking"),
        Ask(
            Text("Which labels share a position with another one?"),
            Pick(
                tuple(setting.names[label] for label in drawn_labels),
                frozenset(drawn_labels.index(label) for label in tied),
            ),
            Text(f"{reason}.", values),
            _prediction(setting),
            is_added=True,
        ),
    )


def _pair_costs(ranking: IntArray, near: FloatArray) -> list[tuple[tuple[int, int], int]]:
    """List the pairs of labels that cost something, and the cost of each."""
    pairs = list(combinations(range(len(ranking)), 2))
    costs = [distance(ranking[[*pair]], near[:, pair]) for pair in pairs]
    return [(pair, cost) for pair, cost in zip(pairs, costs, strict=True) if cost]


def _forced(setting: LessonSetting, near: FloatArray) -> LessonStep:
    explanation = setting.explanation
    rankings = np.array([explanation.ranking, explanation.positions], dtype=np.float64)
    costs = distance(explanation.ranking, near), distance(explanation.positions, near)
    reason = (
        "It costs {strict} instead of {tied}. For two labels a tie is cheaper where one leads the "
        "other by fewer votes than there are ties."
    )
    if costs[0] == costs[1]:
        reason = "It costs {strict}, the same: here a ranking without ties fits as well."
    return LessonStep(
        "Forced to choose",
        Text(
            "With ties the ranking costs {tied}. The second row has no ties: labels that tied are "
            "ordered by mean rank, and equal mean ranks keep the order of the list.",
            {"tied": costs[0]},
        ),
        scenes.below(
            shared.rankings_that_stay(setting),
            scenes.strips(rankings, ["with ties", "without"], setting, "ranking"),
        ),
        Ask(
            Text("Does the ranking without ties cost more?"),
            Pick(("yes", "no"), frozenset({int(costs[0] == costs[1])}), several=False),
            Text(reason, {"tied": costs[0], "strict": costs[1]}),
        ),
    )


LESSON = Lesson(
    "ties",
    "Ties",
    "A tie is an answer",
    "Where similar cases do not put one label ahead, the prediction may say so.",
    "knn",
    (
        Example(
            "Tea or lemonade?",
            _ROWS,
            (23.5, 6.5),
            {"n_neighbors": 5},
            "On mild days both are liked; few days put one ahead.",
            shared.DAYS_AND_DRINKS,
        ),
    ),
    ("n_neighbors",),
    make_steps,
    skill="say when a tie costs less than an order",
    skill_details=", and predict one",
)
