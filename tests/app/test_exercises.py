"""Exercises: every key against the definitions, and the same for everybody with the seed."""

import html
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import ceil, isnan

import numpy as np
import pytest

from labelrank_core.rankings import format_ranking
from pages.learn.exercises import TOPICS, confidence, missing, sheet, situation, subspace, trees
from pages.learn.exercises.base import DAYS, DRINKS, MUSIC, Choice, NumberAnswer, Several
from pages.learn.exercises.drawn import given_table
from pages.learn.lessons import LESSONS
from pages.ui.wording import text
from tests import oracles, oracles_forest, oracles_profile, oracles_subspace
from tests.app.visits import ran, session
from tests.oracles_models import reversed_pairs

SEEDS = range(5)
sheet_of = cache(sheet)


def ranking(keys, names=DRINKS):
    return format_ranking(oracles.strict_order(keys), names)


def means(rows):
    return oracles.consensus_keys("borda", rows, [1] * len(rows))


def neighbours(of):
    near = oracles.nearest(of.X.tolist(), of.x.tolist(), 3)
    ranks = means(of.Y[near].tolist())
    return {DAYS[row] for row in near}, ranks[0], ranking(ranks)


def consensus_rules(of):
    rows = of.Y.tolist()
    keys = [oracles.consensus_keys(rule, rows, [1] * len(rows)) for rule in ("borda", "median")]
    firsts = {key.index(min(key)) for key in keys}
    said = f"both {DRINKS[firsts.pop()]}" if len(firsts) == 1 else "different labels"
    return keys[0][of.label], keys[1][of.label], said


def zero_line(of):
    weights = [1] * len(of.Y)
    line = oracles.mean_ranks([oracles.bucket_order(row) for row in of.Y.tolist()], weights, 1)[-1]
    found = [oracles.relevant_by_closed_form(of.Y.tolist(), weights, p) for p in (1, 3)]
    return line, *({MUSIC[i] for i, has in enumerate(each) if has} for each in found)


def counts(of):
    X, has, x = of.X.tolist(), of.Y[:, 0].tolist(), of.x.tolist()
    around = [sum(has[j] for j in oracles.nearest(X, X[i], 3, without=i)) for i in range(len(X))]
    own = sum(has[j] for j in oracles.nearest(X, x, 3))
    with_it = [count for count, one in zip(around, has, strict=True) if one]
    posterior = oracles.ml_knn(X, of.Y.tolist(), x, 3, Fraction(1))[0]
    return (
        Fraction(1 + sum(has), 2 + len(has)),
        Fraction(1 + with_it.count(own), 4 + len(with_it)),
        posterior,
    )


def forest(of):
    leaves = oracles_forest.leaf_rows(trees.forest(of).forest_, of.X, of.x)
    positions, ranks = oracles_forest.forest_consensus(of.Y, leaves, "scores")
    first = oracles_forest.mean_ranks(of.Y, leaves[0])
    return ranking(first), ranks[0], format_ranking(positions, DRINKS)


def shared_subspace(of):
    middle, signs = of.X.mean(axis=0), 2.0 * of.Y - 1
    cases, targets = of.X - middle, signs - signs.mean(axis=0)
    theta, U = oracles_subspace.solve(cases, targets, subspace.ALPHA, subspace.BETA, 1)
    scores = signs.mean(axis=0) + (of.x - middle) @ U
    # The direction may point to either side.
    return (
        abs(float(theta[0] @ (of.x - middle))),
        scores[0],
        {name for name, score in zip(MUSIC, scores, strict=False) if score > 0},
    )


def pairs(of):
    rows, beat = of.Y.tolist(), oracles_profile.beats(of.Y.tolist(), 3)
    said = [f"{DRINKS[i]} beats both others" for i in range(3) if sum(beat[i]) == 2]
    said += [
        " > ".join(DRINKS[i] for i in (*order, 0)) + ", a cycle"
        for order in ((0, 1, 2), (0, 2, 1))
        if all(beat[a][b] for a, b in zip(order, (*order[1:], 0), strict=True))
    ]
    (only,) = said
    orders = permutations(range(3))
    least = min(oracles.summed(oracles.contradicted_pairs, o, rows, [1] * 5) for o in orders)
    return sum(row[0] < row[1] for row in rows), only, least


def models(of):
    everything = list(permutations((1, 2, 3)))
    weights = [Fraction(1, of.factor ** reversed_pairs(each, of.centre)) for each in everything]
    own = everything.index(tuple(of.ranking.tolist()))
    left, chance = [int(of.strengths[i]) for i in np.argsort(of.ranking)], Fraction(1)
    while left:
        chance *= Fraction(left[0], sum(left))
        left.pop(0)
    return reversed_pairs(of.ranking, of.centre), weights[own] / sum(weights), chance


def measures(of):
    truth, both = of.truth.tolist(), (of.A.tolist(), of.B.tolist())
    wrong = [oracles.ranking_distance("kendall", truth, each) for each in both]
    places = [oracles.position_error(truth, each) for each in both]
    tau, place = ("AB"[values[1] < values[0]] for values in (wrong, places))
    said = f"{tau} by both" if tau == place else f"{tau} by τ, {place} by place"
    return wrong[0], oracles.ranking_similarity("kendall", truth, both[0]), said


def sure(of):
    surest = sorted(range(9), key=lambda case: -of.confidence[case])[:4]
    limit = sorted(of.gap.tolist())[ceil(Fraction(8, 10) * 10) - 1]
    ahead = {
        f"{DRINKS[i]} before {DRINKS[j]}"
        for i, j in combinations(range(3), 2)
        if of.scores[i] - of.scores[j] > limit
    }
    return Fraction(sum(of.gap[case] == 0 for case in surest), 4), limit, ahead


def left_out(of):
    rows = of.Y.tolist()
    both = [row for row in rows if not isnan(row[0]) and not isnan(row[1])]
    shares = oracles.summed_win_shares(rows, [1] * len(rows))
    # Of two ranked labels one gets 1 and the other 3.
    filled = [
        [2 if isnan(place) else 2 * place - 1 if any(map(isnan, row)) else place for place in row]
        for row in rows
    ]
    return (
        Fraction(sum(row[0] < row[1] for row in both), len(both)),
        ranking([-share for share in shares]),
        ranking(means(filled)),
    )


def tied(of):
    rows = of.Y.tolist()
    ahead, behind = sum(row[0] < row[1] for row in rows), sum(row[0] > row[1] for row in rows)
    (best,) = oracles.least_kemeny_distance(rows, [1] * len(rows))[1]
    return ahead + behind, behind + len(rows) - ahead, format_ranking(best, DRINKS)


ORACLES = {
    "Neighbours": neighbours,
    "Consensus rules": consensus_rules,
    "Zero line": zero_line,
    "Counts": counts,
    "Trees": forest,
    "Shared subspace": shared_subspace,
    "Pairwise comparison": pairs,
    "Ranking models": models,
    "Measures": measures,
    "Confidence": sure,
    "Missing labels": left_out,
    "Ties": tied,
}


def given(answer):
    """What a learner gives who is right, as the page passes it on."""
    if isinstance(answer, Choice):
        return answer.options[answer.right]
    if isinstance(answer, Several):
        return [answer.options[place] for place in answer.right]
    return answer.value


@pytest.mark.parametrize("topic", list(TOPICS))
@pytest.mark.parametrize("seed", SEEDS)
def test_every_key_is_that_of_the_definition(topic, seed):
    expected = ORACLES[topic](situation(topic, seed))
    for exercise, right in zip(sheet_of(topic, seed).exercises, expected, strict=True):
        found = given(exercise.answer)
        if isinstance(exercise.answer, NumberAnswer):
            if "direction" in exercise.question:
                found = abs(found)
            assert found == pytest.approx(float(right), abs=1e-9), exercise.question
        else:
            assert (set(found) if isinstance(right, set) else found) == right, exercise.question


@pytest.mark.parametrize("topic", list(TOPICS))
def test_a_table_is_drawn_as_it_is_with_each_label_on_its_colour(topic):
    n_chips = 0
    for seed in SEEDS:
        table = sheet_of(topic, seed).table
        drawn = given_table(sheet_of(topic, seed))
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", drawn)
        words = [html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in cells]
        assert words == [*table.heads, *(cell for row in table.rows for cell in row)]
        for color, name in re.findall(r'class="lr-chip l(\d+) small">([^<]*)<', drawn):
            names = ("cola", "tea", "juice") if name in DRINKS else MUSIC
            assert names.index(name) == int(color)
            n_chips += 1
        # No name of a label is left without its colour.
        rest = " ".join(re.sub(r"<span[^>]*>.*?</span>", "", cell) for cell in cells)
        assert not re.search(rf"\b({'|'.join((*DRINKS, *MUSIC))})\b", rest)
    # In these topics no label has a name in the table.
    assert (n_chips == 0) == (topic in {"Counts", "Confidence"})


@pytest.mark.parametrize("topic", list(TOPICS))
def test_a_seed_gives_everybody_the_same_exercises_and_another_seed_others(topic):
    assert sheet(topic, 3) == sheet_of(topic, 3)
    assert len({sheet_of(topic, seed).table for seed in SEEDS}) > 1
    keys = [tuple(each.answer.text for each in sheet_of(topic, seed).exercises) for seed in SEEDS]
    assert len(set(keys)) > 2


@pytest.mark.parametrize("topic", list(TOPICS))
def test_right_answers_are_right_and_others_wrong(topic):
    for exercise in sheet_of(topic, 1).exercises:
        answer = exercise.answer
        assert answer.is_right(given(answer))
        match answer:
            case NumberAnswer(value, decimals):
                # As somebody writes it who rounds, and one who does not see the last place.
                assert answer.is_right(round(value, decimals))
                assert not answer.is_right(value + 2.1 * 10.0**-decimals)
                assert not answer.is_right(None)
            case Choice(options, right):
                assert [answer.is_right(each) for each in options].count(True) == 1
                assert not answer.is_right(None)
                assert options[right] == answer.text
            case Several(options, right):
                assert not answer.is_right([each for each in options if each not in given(answer)])
        assert exercise.reason.endswith(".")
        assert exercise.hint.endswith(".")
        assert len(exercise.question.split()) <= 40
    assert len(sheet_of(topic, 1).story.split()) <= 60


def test_the_reason_of_a_number_ends_in_the_number():
    for topic in TOPICS:
        for exercise in sheet_of(topic, 2).exercises:
            if isinstance(exercise.answer, NumberAnswer):
                assert exercise.answer.text in exercise.reason, exercise.question


def answered(app, topic, seed, values):
    """Give and check the answers to all exercises on the page."""
    for i, value in enumerate(values):
        key = f"exercise-{topic}-{seed}-{i}"
        widgets = [*app.get("button_group"), *app.number_input]
        ran(next(each for each in widgets if each.key == key).set_value(value).run())
        ran(app.button(key=f"{key}-check").click().run())


def test_answers_are_checked_with_a_reason_and_stay_out_of_the_link():
    app = session("pages/learn/page.py", exercises="true", exercise_seed=7)
    exercises = sheet_of("Neighbours", 7).exercises
    answered(app, "Neighbours", 7, [["Mon"], 9.0])
    assert [each.value for each in app.warning] == [
        f"Not right. {text.markdown(each.hint)}" for each in exercises[:2]
    ]
    answered(app, "Neighbours", 7, [given(each.answer) for each in exercises])
    assert [each.value.split(" ")[0] for each in app.success] == ["Right."] * 3
    assert any(each.value.startswith("3 of 3 right.") for each in app.caption)
    assert not any("Neighbours-7" in name for name in app.query_params)
    ran(app.number_input(key="exercise_seed").set_value(8).run())
    assert any(each.value.startswith("0 of 3 right.") for each in app.caption)
    ran(app.button(key="exercise-Neighbours-8-0-show").click().run())
    assert app.info[-1].value.startswith(f"**{sheet_of('Neighbours', 8).exercises[0].answer.text}")


def test_situations_are_clear():
    of = situation("Confidence", 0)
    assert (of.right == (of.gap == 0)).all()
    assert confidence.RISK == 0.2
    assert sorted(set(missing.filled(situation("Missing labels", 0)).ravel())) == [1, 2, 3]


def test_every_lesson_has_its_exercises():
    assert {lesson.name for lesson in LESSONS} == set(TOPICS)
