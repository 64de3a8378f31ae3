"""Missing labels: a misleading middle rank, and the evidence on the labels that rankings hold."""

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.data.splits import delete_labels
from labelrank_core.explain.evidence import Label, LabelScores, Neighbors, Text, WinShares
from labelrank_core.explain.predictions import case_path
from labelrank_core.explain.render import Picture
from labelrank_core.explain.tally import Tally, tally_of
from labelrank_core.rankings import FloatArray
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.rules import pairs_picture
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, stacked
from pages.ui import compute
from pages.ui.results.models import Case

_ONE_MORE = "One more vote"
_SHARE, _MOST_WORKED, _MOST_DRAWN, _MOST_ADDED = 0.4, 4, 10, 6
_ROWS = """day,temperature (°C),sunshine (h),ranking
Mon,17,5,tea>water>lemonade
Tue,16,4,zobo>tea>water
Wed,12,3,tea>water>lemonade
Thu,20,6,water>lemonade
Fri,19,7,tea>water>lemonade
Sat,18,6,zobo>tea>lemonade
Sun,29,11,lemonade>water>tea
May Day,30,12,lemonade>water>tea>zobo
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on a label that few rank, with gaps filled and with gaps left."""
    setting = with_gaps(setting)
    near = setting.explanation.evidence(Neighbors)
    filled = mean_filled(near.rankings)
    rare = int(np.argmax(np.isnan(near.rankings).sum(axis=0)))
    first = int(np.argmin(filled))
    steps = [_rows(setting), _middle(setting, near), _filled(setting, near, filled, rare)]
    rival = first if first != rare else int(np.argsort(filled)[1])
    tally = tally_of(near.rankings)
    if tally.ahead[rare, rival] + tally.ahead[rival, rare]:
        steps.append(_both(setting, filled, rare, rival))
        steps += _one_more_vote(setting, tally, rare, rival)
    is_of_all = steps[-1].title == _ONE_MORE
    vote = "that vote" if is_of_all else "one vote of wider neighbourhoods"
    summary, last_text = shared.summary(setting), None
    if is_of_all:
        more = " Each pair has one more vote, its share among all {all} cases."
        every = {"all": len(setting.case.training_rows)}
        last_text = Text(summary.template + more, {**summary.values, **every})
    basis = shared.rankings_that_stay(setting)
    return [
        *steps,
        _first_now(setting, filled, vote),
        shared.answer(setting, last_text, basis=basis),
    ]


def with_gaps(setting: LessonSetting) -> LessonSetting:
    """Return the setting itself, or one without some labels where no row lacks any."""
    dataset, rows = setting.dataset, setting.case.training_rows
    if np.isnan(dataset.rankings[rows]).any():
        return setting
    key = compute.digest(
        "gaps", dataset.fingerprint, setting.choice, rows.tobytes(), setting.case.x.tolist()
    )

    def thin_out() -> LessonSetting:
        thinned = delete_labels(dataset.rankings, _SHARE, seed=0)
        part = dataset.part(slice(None), rankings=thinned)
        model = setting.choice.build().fit(part.X[rows], part.rankings[rows])
        path_of_case = case_path(model, setting.case.x)
        explanation = path_of_case.path.at().explain(0)
        case = Case(path_of_case.x, explanation, rows, path_of_case.units)
        return LessonSetting(part, setting.choice, case, setting.case_with, setting.row)

    return compute.once(key, "Training without some labels", thin_out)


def mean_filled(rankings: FloatArray) -> FloatArray:
    """Return the mean ranks where every label that is not ranked gets the middle rank."""
    middle = (rankings.shape[1] + 1) / 2
    return np.asarray(np.where(np.isnan(rankings), middle, rankings).mean(axis=0))


def _rows(setting: LessonSetting) -> LessonStep:
    training = setting.dataset.rankings[setting.case.training_rows]
    values = {
        "n": len(training),
        "m": setting.dataset.n_labels,
        "some": int(np.isnan(training).any(axis=1).sum()),
    }
    return LessonStep(
        "Rows with gaps",
        Text("{some} of {n} cases rank only some of the {m} labels.", values),
        scenes.rows_picture(setting),
        Ask(
            Text("Which ranking do you expect for the case at the top?"),
            shared.order(setting),
            shared.summary(setting),
            is_kept=True,
        ),
    )


def _middle(setting: LessonSetting, near: Neighbors) -> LessonStep:
    m = setting.dataset.n_labels
    middle = (m + 1) / 2
    gaps = int(np.isnan(near.rankings).sum())
    values = {"k": len(near.rows), "gaps": gaps, "m": m, "middle": middle}
    return LessonStep(
        "Fill the gaps?",
        Text(
            "The {k} similar cases leave out {gaps} labels in all. One idea: a missing "
            "label gets the middle rank.",
            values,
        ),
        scenes.strips(near.rankings, shared.near_names(setting), setting, "ranking"),
        Ask(
            Text("What is the middle rank of {m} labels?", values),
            Number(middle, 1.0, float(m), 0.5),
            Text("({m} + 1) / 2 = {middle}. It seems neutral: neither good nor bad.", values),
        ),
    )


def _filled(setting: LessonSetting, near: Neighbors, filled: FloatArray, rare: int) -> LessonStep:
    first = Label(int(np.argmin(filled)))
    middle = (setting.dataset.n_labels + 1) / 2
    ranks = np.nan_to_num(near.rankings[:, first.index], nan=middle)
    worked = f"({' + '.join(f'{rank:g}' for rank in ranks)}) / {len(ranks)} = "
    missing = int(np.isnan(near.rankings[:, rare]).sum())
    ranked = near.rankings[:, rare][~np.isnan(near.rankings[:, rare])]
    values = {
        "first": first,
        "mean": f"{worked if len(ranks) <= _MOST_ADDED else ''}{decimal_text(filled[first.index])}",
        "rare": Label(rare),
        "n": missing,
        "k": len(near.rows),
        "filled": float(filled[rare]),
        "own": float(ranked.mean()) if len(ranked) else 0.0,
    }
    reason = (
        "{first}, {mean}. {rare} has {filled}: {n} of its {k} ranks are only the middle. "
        "Where it is ranked its mean is {own}."
    )
    if not len(ranked):
        reason = (
            "{first}, {mean}. Nothing is known of {rare} here, but the middle puts it at {filled}."
        )
    return LessonStep(
        "With gaps filled",
        Text("Fill every gap with the middle rank, then order by mean rank."),
        scenes.strips(near.rankings, shared.near_names(setting), setting, "ranking"),
        Ask(
            Text("Which label is first then?"),
            shared.one_label(setting, first),
            shared.with_ties(Text(reason, values), filled, setting),
            scenes.dots("mean rank, gaps filled", filled, setting),
            is_added=True,
        ),
    )


def _both(setting: LessonSetting, filled: FloatArray, rare: int, rival: int) -> LessonStep:
    near = setting.explanation.evidence(Neighbors)
    tally = tally_of(near.rankings)
    wins, losses = int(tally.ahead[rare, rival]), int(tally.ahead[rival, rare])
    share = wins / (wins + losses)
    values = {
        "a": Label(rare),
        "b": Label(rival),
        "wins": wins,
        "both": wins + losses,
        "share": share,
        "filled_a": float(filled[rare]),
        "filled_b": float(filled[rival]),
    }
    reason = "{wins} of {both}: {share}. "
    if share > 0.5 and filled[rare] > filled[rival]:
        reason += (
            "Yet with gaps filled {b} was ahead, {filled_b} against {filled_a}: the middle rank "
            "counts against {a} in rankings that leave it out."
        )
    else:
        reason += "With gaps filled, the mean ranks were {filled_a} for {a} and {filled_b} for {b}."
    return LessonStep(
        "Only who ranks both",
        Text(
            "A ranking without a label says nothing of it. Count the row's label ahead "
            "of the column's where both are ranked. Blue: more often than not; shade: the share."
        ),
        stacked(
            scenes.strips(near.rankings, shared.near_names(setting), setting, "ranking"),
            pairs_picture(setting, tally),
        ),
        Ask(
            Text("In what share of those is {a} ahead of {b}?", values),
            Number(share, 0.0, 1.0),
            Text(reason, values),
        ),
    )


def _one_more_vote(setting: LessonSetting, near: Tally, rare: int, rival: int) -> list[LessonStep]:
    """Add the vote of all rows to a pair, where no other wider neighbourhoods have one."""
    training = setting.dataset.rankings[setting.case.training_rows]
    key = compute.digest("tally", setting.dataset.fingerprint, setting.case.training_rows.tobytes())
    every = compute.once(key, "Counting all rankings", tally_of, training)
    wins, both = (
        int(near.ahead[rare, rival]),
        int(near.ahead[rare, rival] + near.ahead[rival, rare]),
    )
    share = every.ahead[rare, rival] / (every.ahead[rare, rival] + every.ahead[rival, rare])
    widened_share = (wins + share) / (both + 1)
    if not np.isclose(widened_share, setting.explanation.evidence(WinShares).shares[rare, rival]):
        return []
    values = {
        "a": Label(rare),
        "b": Label(rival),
        "n": len(training),
        "wins": wins,
        "both": both,
        "share": float(share),
        "found": float(widened_share),
        "more": both + 1,
    }
    step = LessonStep(
        _ONE_MORE,
        Text(
            "Few similar cases rank both, so each pair gets one more vote: its share among all {n} "
            "cases, of those that rank both. {a} is ahead of {b} in {share}.",
            values,
        ),
        scenes.below(_all_rankings(setting), pairs_picture(setting, every)),
        Ask(
            Text("In what share is {a} ahead with this vote?", values),
            Number(float(widened_share), 0.0, 1.0),
            Text(
                "({wins} + {share}) / {more} = {found}, from the {both} votes and one more.", values
            ),
        ),
    )
    return [step]


def _all_rankings(setting: LessonSetting) -> Picture | None:
    """Draw the rankings of all rows, or of many rows none."""
    rows = setting.case.training_rows
    if len(rows) > _MOST_DRAWN:
        return None
    row_names = [setting.row_names[row] for row in rows]
    return scenes.strips(setting.dataset.rankings[rows], row_names, setting, "ranking")


def _first_now(setting: LessonSetting, filled: FloatArray, vote: str) -> LessonStep:
    scores = setting.explanation.evidence(LabelScores)
    first = Label(setting.explanation.order[0])
    first_when_filled = Label(int(np.argmin(filled)))
    shares = setting.explanation.evidence(WinShares).shares[:, first.index]
    losses = [float(loss) for label, loss in enumerate(shares) if label != first.index]
    value = float(scores.values[first.index])
    summed = " + ".join(decimal_text(loss) for loss in losses[:_MOST_WORKED])
    values = {"first": first, "before": first_when_filled, "value": value, "sum": summed}
    worked = f"{{first}}: 1 + {{sum}} = {{value}}{shared.rounded([1.0, *losses], value)}"
    if len(losses) > _MOST_WORKED:
        worked = "{first}: {value}"
    reason = worked + "; with gaps filled it was {before}."
    if first == first_when_filled:
        reason = worked + ", first as with gaps filled; other places may differ."
    if _differs_as_written(setting, scores):
        reason += " Each sum is rounded once, at its end."
    return LessonStep(
        "By win shares",
        Text(
            f"All shares, each with {vote} (rounded). Down its column, a label has the shares of "
            "the others ahead of it. Its rank is 1 plus their sum: from 1 to {m}.",
            {"m": setting.dataset.n_labels},
        ),
        scenes.below(
            shared.rankings_that_stay(setting),
            scenes.shares(setting, setting.explanation.evidence(WinShares).shares),
        ),
        Ask(
            Text("Which label is first now?"),
            shared.one_label(setting, first),
            shared.with_ties(Text(reason, values), scores.values, setting, scores.tie_rule),
            scenes.dots(scores.title, scores.values, setting),
            is_added=True,
        ),
    )


def _differs_as_written(setting: LessonSetting, scores: LabelScores) -> bool:
    """Tell whether the shares as they are drawn make another sum for some label."""
    shares = setting.explanation.evidence(WinShares).shares.copy()
    np.fill_diagonal(shares, 1.0)
    return any(map(shared.rounded, shares.T, scores.values))


LESSON = Lesson(
    "missing",
    "Missing labels",
    "What nobody ranked",
    "Rankings often leave labels out. Filling gaps with the middle rank misleads.",
    "knn",
    (
        Example(
            "A drink few know",
            _ROWS,
            (18.0, 5.5),
            {"n_neighbors": 5},
            "Only some know zobo, a hibiscus drink; those who do like it.",
            nouns=shared.DAYS_AND_DRINKS,
        ),
    ),
    ("n_neighbors",),
    make_steps,
    is_complete=False,
    skill="rank labels where rankings have gaps",
    skill_details=", by win shares, and say why the middle rank misleads",
)
