"""Lessons: every screen in few words, every number the core's own, every link the very step."""

import re
import time
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.tree import DecisionTreeRegressor

from labelrank_core import (
    KNeighborsMultilabelRanker,
    LabelRankingForest,
    MLkNNClassifier,
    PairwiseLabelRanker,
    PlackettLuceLabelRanker,
    SharedSubspaceClassifier,
    Task,
    load_sample,
)
from labelrank_core.aggregation import aggregate, consensus_losses
from labelrank_core.explain.evidence import (
    GapDial,
    LabelScores,
    Neighbors,
    PairMatrix,
    ScoreParts,
    SubspaceView,
    TreeVotes,
    WinShares,
)
from labelrank_core.explain.render.markup.text import keyed
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import format_ranking
from pages.learn import motion, objects, rows
from pages.learn.lessons import (
    LESSONS,
    confidence,
    measures,
    missing,
    neighbours,
    rules,
    shared,
    subspace,
    ties,
    trees,
)
from pages.learn.lessons import (
    models as lesson_models,
)
from pages.learn.story import MOST_WORDS, Number, Order, Pick, parts_of, stops
from tests import oracles
from tests.app.visits import ran, sentences, session

LEARN = "pages/learn/page.py"
BY_KEY = {lesson.key: lesson for lesson in LESSONS}
# Whether a lesson starts from its own rows, by their place, or from a sample.
STARTS = [
    *((lesson, place) for lesson in LESSONS for place in range(len(lesson.examples))),
    *((lesson, "") for lesson in LESSONS),
]


@cache
def told(key, place=0):
    """The setting and the steps of an example of a lesson, or of a case of a sample."""
    lesson = BY_KEY[key]
    if place == "":
        data = load_sample("songs" if lesson.task is Task.MULTILABEL else "iris")
        setting = rows.make_setting(data, ModelChoice(lesson.method, ()), data.case(7))
    else:
        example = lesson.examples[place]
        data = rows.read_rows(example.rows, lesson)
        choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
        setting = rows.make_setting(data, choice, np.array(example.case))
    return setting, lesson.make_steps(setting)


def step(title, key, place=0):
    return next(each for each in told(key, place)[1] if each.title == title)


def screens(steps):
    return [(steps[stop.step], stop.is_answered) for stop in stops(steps)]


@pytest.mark.parametrize(
    ("lesson", "place"), STARTS, ids=lambda value: getattr(value, "key", value)
)
class TestEveryLesson:
    def test_no_screen_says_more_than_forty_words(self, lesson, place):
        setting, steps = told(lesson.key, place)
        for each, answered in screens(steps):
            said = [text.plain(setting.names) for text in each.texts(is_answered=answered)]
            words = " ".join([*said, each.picture_shown(is_answered=answered).caption]).split()
            assert 2 < len(words) <= MOST_WORDS, (each.title, words)

    def test_every_screen_has_one_picture_with_its_words_and_its_table(self, lesson, place):
        for each, answered in screens(told(lesson.key, place)[1]):
            shown = each.picture_shown(is_answered=answered)
            assert shown.markup, each.title
            assert shown.alt
            assert len(shown.table) > 0

    def test_steps_have_names_of_their_own_and_most_ask_first(self, lesson, place):
        _, steps = told(lesson.key, place)
        names = [stop.name for stop in stops(steps)]
        assert len(set(names)) == len(names)
        assert steps[0].ask is not None
        assert sum(each.ask is not None for each in steps) > len(steps) / 2

    def test_answers_are_among_what_is_offered(self, lesson, place):
        setting, steps = told(lesson.key, place)
        for asked in (each.ask.of for each in steps if each.ask is not None):
            match asked:
                case Order(positions=positions):
                    assert sorted(positions) == list(range(1, setting.dataset.n_labels + 1))
                    assert asked.verdict(asked.order) == "You and the method agree."
                case Number(value=value, low=low, high=high):
                    assert low <= value <= high
                    assert asked.verdict(value).startswith("Right")
                case Pick(options=options, right=right, several=several):
                    assert right <= set(range(len(options)))
                    assert len(set(options)) == len(options) > 1
                    assert several or right
                    assert asked.verdict(right) == "Right."

    def test_what_is_to_be_tapped_is_in_the_picture_as_well_as_in_the_list(self, lesson, place):
        setting, steps = told(lesson.key, place)
        for each in steps:
            if each.ask is not None and each.ask.question.plain(setting.names).startswith("Tap"):
                assert all(keyed(option) in each.picture.markup for option in each.ask.of.options)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_rows_have_names_wherever_they_are_shown(lesson):
    for place, example in enumerate(lesson.examples):
        setting, steps = told(lesson.key, place)
        # The examples of papers have x and a, b, c.
        if example.rows.startswith("x,"):
            continue
        assert setting.dataset.case_names == tuple(setting.row_names)
        for each, answered in screens(steps):
            texts = [text.plain(setting.names) for text in each.texts(is_answered=answered)]
            options = each.ask.of.options if each.ask and isinstance(each.ask.of, Pick) else ()
            picture = each.picture_shown(is_answered=answered)
            shown = " ".join(
                [*texts, *options, picture.alt, re.sub("<[^>]+>", " ", picture.markup)]
            )
            assert not re.search(r"#\d", shown), (each.title, shown)


def test_rows_keep_their_names_where_a_row_is_left_out():
    lesson = BY_KEY["knn"]
    example = lesson.examples[0].rows
    broken = rows.read_rows(example.replace("Tue,16", "Tue,warm"), lesson)
    assert broken.n_samples == 7
    assert broken.case_names[:2] == ("Mon", "Wed")
    numbers = "warmth,sun,ranking\n3,4,a>b\n5,6,b>a\n8,2,a>b\n"
    assert rows.read_rows(numbers, lesson).feature_names == ("warmth", "sun")
    assert rows.read_rows(example, lesson).case_names[:2] == ("Mon", "Tue")


class TestWhatIsTapped:
    """What a browser sends after a tap in the picture."""

    @pytest.mark.parametrize(
        ("several", "tapped", "kept"),
        [
            (True, {"chosen": [2, 0], "taps": 2}, [0, 2]),
            (True, {"chosen": [], "taps": 2}, []),
            (False, {"chosen": [1], "taps": 1}, 1),
            (False, {"chosen": [], "taps": 2}, None),
            (False, {"chosen": [0, 1], "taps": 2}, 0),
            (True, {"chosen": [3, -1, "0", None, 1], "taps": 2}, [1]),
            (True, {"chosen": "0", "taps": 2}, "as before"),
            (True, {"chosen": [0]}, "as before"),
            (True, [0], "as before"),
            (True, None, "as before"),
        ],
    )
    def test_only_what_is_offered_is_kept(self, monkeypatch, several, tapped, kept):
        session = {"motion": {"tapped": tapped}, "answers": "as before"}
        monkeypatch.setattr(motion.session, "get_state", session.get)
        monkeypatch.setattr(motion.session, "set_state", session.__setitem__)
        motion.store_taps(
            "motion", Pick(("a", "b", "c"), frozenset({0}), several=several), "answers"
        )
        assert session["answers"] == kept


@pytest.mark.parametrize(
    ("lesson", "place"), STARTS, ids=lambda value: getattr(value, "key", value)
)
class TestObjectsOfASceneStay:
    """What stands in two pictures that follow each other is the same object in both."""

    def test_days_and_labels_keep_their_keys_from_step_to_step(self, lesson, place):
        setting, steps = told(lesson.key, place)
        scenes = [
            (step.title, step.picture_shown(is_answered=answered).markup)
            for step, answered in screens(steps)
        ]
        for (_, before), (title, after) in pairwise(scenes):
            names = setting.names, setting.row_names
            old, new = ({each.key for each in objects.objects_of(drawn, *names)}
                        for drawn in (before, after))  # fmt: skip
            days = [name for name in setting.row_names
                    if all(f">{name}<" in drawn for drawn in (before, after))]  # fmt: skip
            for day in days:
                assert f"name {day}" in old & new, (title, day)
                ranked = [{key for key in keys if key.startswith(f"{day} label")}
                          for keys in (old, new)]  # fmt: skip
                assert not all(ranked) or ranked[0] == ranked[1], (title, day)
            labels = [
                label
                for label, name in enumerate(setting.names)
                if all(
                    re.search(rf"\bl{label}\b|>{re.escape(name)}<", drawn)
                    for drawn in (before, after)
                )
            ]
            for label in labels:
                for keys in (old, new):
                    assert any(re.search(rf"\blabel {label}\b", key) for key in keys), title
            if place != "":
                assert days or labels, f"nothing stays before {title}"

    def test_a_picture_with_keys_is_the_same_picture(self, lesson, place):
        setting, steps = told(lesson.key, place)
        for step, answered in screens(steps):
            drawn = step.picture_shown(is_answered=answered).markup
            keyed_markup = objects.with_keys(drawn, setting.names, setting.row_names)
            keys = re.findall(r' data-object="([^"]*)"', keyed_markup)
            assert len(keys) == len(set(keys)), step.title
            assert re.sub(r' data-(?:object|origins)="[^"]*"', "", keyed_markup) == drawn


@pytest.mark.parametrize(
    ("lesson", "place"), STARTS, ids=lambda value: getattr(value, "key", value)
)
class TestWhatStudentsMayRelyOn:
    def test_a_guess_at_the_start_is_answered_at_the_end_only(self, lesson, place):
        """Else the first answer gives those of the steps between away."""
        steps = told(lesson.key, place)[1]
        if lesson.key == "measures":
            return
        assert steps[0].ask.is_kept
        assert stops(steps)[1].step == 1
        assert not steps[-1].ask

    def test_labels_with_the_same_number_are_named_and_what_parts_them(self, lesson, place):
        setting, steps = told(lesson.key, place)
        # Of tied labels a prediction with ties puts none ahead.
        if lesson.key in {"measures", "ties"} or place == "":
            return
        found = setting.explanation.evidence(LabelScores)
        scores = found.values.round(9)
        last = steps[-1].text.plain(setting.names)
        for number in scores:
            same = np.flatnonzero(scores == number)
            if len(same) > 1:
                assert all(setting.names[label] in last for label in same), last
                assert found.tie_rule in last


class TestTies:
    def test_costs_are_those_of_the_votes_and_the_prediction_has_the_least(self):
        setting, steps = told("ties")
        data = setting.dataset
        rows = np.argsort(((data.X - np.array([23.5, 6.5])) ** 2).sum(axis=1))[:5]
        rankings = data.rankings[rows]
        tea, lemonade = (data.label_names.index(name) for name in ("tea", "lemonade"))
        n_tied = int((rankings[:, tea] == rankings[:, lemonade]).sum())
        values = [each.ask.of.value for each in steps[1:3]]
        assert values == [n_tied, 5 - n_tied] == [3, 2]
        least, best = oracles.least_kemeny_distance(rankings.tolist(), [1] * 5)
        own = setting.case_with(setting.choice.with_params(ties="predict", aggregation="kemeny"))
        ranking = own.explanation.ranking
        assert tuple(ranking.tolist()) in best
        assert format_ranking(ranking, data.label_names) == "lemonade = tea > water > zobo"
        assert ties.distance(ranking, rankings) == least
        reason = step("All pairs at once", "ties").ask.reason
        assert reason.values["cost"] == least
        # Water is ahead of zobo but for a tie and one vote the other way round: 1 + 2.
        assert reason.values["pairs"] == "lemonade and tea 2, water and zobo 3"
        assert "the one whose sum is the least." in step("All pairs at once", "ties").text.template

    def test_the_table_of_charges_adds_up_to_what_each_answer_costs(self):
        asked = step("What an answer costs", "ties")
        charges, total = asked.picture.table, asked.ask.picture.table.iloc[-1]
        n_votes = charges["votes"].str.split().str[0].astype(int)
        assert n_votes.tolist() == [1, 3, 1]
        for answer in charges.columns[1:]:
            assert total[answer] == (n_votes * charges[answer]).sum()
        assert total["tie"] == asked.ask.of.value
        answered = asked.ask.picture.table
        for answer in charges.columns[1:]:
            assert answered[answer].iloc[:-1].sum() == total[answer]
        assert re.findall(r"<td[^>]*>(\d × \d)<", asked.ask.picture.markup)[:3] == [
            "1 × 0", "1 × 1", "1 × 2",
        ]  # fmt: skip

    def test_the_last_sentence_calls_days_days(self):
        setting, steps = told("ties")
        said = steps[-1].text.plain(setting.names, shared.DAYS_AND_DRINKS)
        assert "Of the 5 most similar days, 20% put lemonade ahead of tea" in said

    def test_the_last_step_shows_ties_and_the_one_before_says_what_they_save(self):
        setting, steps = told("ties")
        assert "lemonade = tea > water > zobo" in steps[-1].picture.alt
        assert steps[-1].text.plain(setting.names).startswith("lemonade and tea share the first")
        forced = step("Forced to choose", "ties").ask
        assert forced.reason.values["strict"] > forced.reason.values["tied"]
        assert forced.of.right == {0}

    def test_without_ties_in_the_prediction_no_strict_ranking_is_set_against_it(self):
        _, steps = told("ties", "")
        assert "Forced to choose" not in [each.title for each in steps]


class TestPictures:
    def test_labels_stand_in_the_order_of_the_data_until_it_is_said_which_is_ahead(self):
        for key, title in (
            *(("pairs", each) for each in ("Every pair", "A cycle?", "Added up")),
            *(("missing", each) for each in ("Only who ranks both", "By win shares")),
            ("rules", "Two by two"),
        ):
            drawn = step(title, key).picture.markup
            heads = re.findall(r'<th scope="row">(?:<i class="m\d+"></i>)?(.*?)</th>', drawn)
            assert heads == list(told(key)[0].names), (key, title)

    @pytest.mark.parametrize(
        ("key", "title", "place"), [("rules", "Two by two", 1), ("pairs", "A cycle?", 0)]
    )
    def test_a_cycle_is_framed_once_it_was_asked_for(self, key, title, place):
        asked = step(title, key, place)
        assert ' wrong"' not in asked.picture.markup
        assert ' wrong"' in asked.ask.picture.markup

    @pytest.mark.parametrize("place", [0, 1])
    def test_parts_of_a_preference_add_up_to_it(self, place):
        shown = step("A model of the pair", "pairs", place)
        waterfall, curve = parts_of(shown.picture)[-2:]
        parts = waterfall.table["adds"].to_numpy()
        assert parts[:-1].sum() == pytest.approx(parts[-1])
        assert f"{parts[-1]:+.2f}" == shown.text.values["total"]
        assert curve.table["sum"].tolist() == [parts[-1]]
        assert curve.table["probability"].tolist() == [shown.text.values["share"]]
        assert shown.text.values["share"] == pytest.approx(1 / (1 + np.exp(-parts[-1])))

    @pytest.mark.parametrize("place", [0, ""])
    def test_the_label_that_helps_has_the_most_similar_weights(self, place):
        setting, _ = told("mlls", place)
        asked = step("Who helps?", "mlls", place).ask
        # The shared part is (W V) V', with the same directions V for all labels.
        weights = setting.explanation.evidence(ScoreParts).weights["shared part"]
        rare = subspace.rarest(setting)
        cosines = {
            float(
                weights[:, rare]
                @ weights[:, label]
                / np.linalg.norm(weights[:, rare])
                / np.linalg.norm(weights[:, label])
            ): name
            for label, name in enumerate(setting.names)
            if label != rare
        }
        assert [asked.of.options[i] for i in asked.of.right] == [cosines[max(cosines)]]

    @pytest.mark.parametrize("place", [0, ""])
    def test_parts_of_a_score_add_up_to_it(self, place):
        table = step("What changes", "mlls", place).ask.picture.table.set_index("learned")
        assert table.index.tolist() == ["alone", "together"]
        assert table.iloc[:, :-1].sum(axis=1).tolist() == pytest.approx(table["score"].tolist())

    def test_what_is_left_out_is_left_out_in_the_picture_too(self):
        table = step("Does one case decide?", "knn").ask.picture.table
        assert table["case"].tolist() == [
            "all 3",
            "without Thu  ≠",
            "without Mon",
            "without Fri  ≠",
        ]
        rankings = told("knn")[0].dataset.rankings
        for left, order in zip([None, 3, 0, 4], table["prediction"], strict=True):
            kept = [row for row in (3, 0, 4) if row != left]
            assert order == format_ranking(aggregate(rankings[kept]), told("knn")[0].names)
        sets = step("Does one case decide?", "mlr").ask.picture.table
        assert sets["cases"].tolist() == [
            "all 3",
            "without Mon",
            "without Wed  ≠",
            "without Tue",
        ]
        assert sets["labels"].tolist() == ["none", "none", "museum", "none"]


class TestWhatIsSaidOfAGuess:
    def test_of_an_order_only_what_was_placed_is_compared(self):
        asked = Order(np.array([2, 1, 3]))
        assert asked.verdict([1]) == ""
        assert asked.verdict([2, 1]) == "1 of 1 pair is the other way round."

    def test_numbers_to_choose_from_have_the_digits_that_are_said(self):
        counts = Number(2.0, 0.0, 3.0, 1.0)
        assert [counts.text_of(each) for each in counts.choices] == ["0", "1", "2", "3"]
        shares = Number(0.5, 0.0, 1.0)
        assert len(shares.choices) == 101
        assert shares.text_of(shares.choices[29]) == "0.29"

    def test_of_an_order_the_pairs_the_other_way_round_are_counted(self):
        asked = Order(np.array([2, 1, 3]))
        assert asked.verdict([1, 0, 2]) == "You and the method agree."
        assert asked.verdict([2, 0, 1]) == "3 of 3 pairs are the other way round."

    def test_of_a_number_both_are_said(self):
        assert Number(0.5625, 0.0, 1.0).verdict(0.4) == "You said 0.40, it is 0.56."
        assert Number(0.5625, 0.0, 1.0).verdict(0.56) == "Right: 0.56."
        assert Number(2.0, 0.0, 3.0, 1.0).verdict(1) == "You said 1, it is 2."

    def test_of_what_was_tapped_the_right_ones_are_counted(self):
        asked = Pick(("a", "b", "c"), frozenset({0, 1}))
        assert asked.verdict({0, 2}) == "1 of 2 found, 1 too many."
        one = Pick(("a", "b", "c"), frozenset({0, 1}), several=False)
        assert (one.verdict({1}), one.verdict({2})) == ("Right.", "Not this one.")


class TestNumbers:
    """Each number that is asked for, computed anew from the rows."""

    def test_neighbours(self):
        setting, _ = told("knn")
        # Squared distances of (20, 6) to the rows.
        squares = np.square(setting.dataset.X - [20, 6]).sum(axis=1)
        nearest = np.argsort(squares, kind="stable")[:3]
        ask = step("Who counts?", "knn").ask
        assert {ask.of.options[i] for i in ask.of.right} == {
            setting.row_names[row] for row in nearest
        }
        assert ask.reason.values["far"] == pytest.approx(np.sqrt(squares[nearest].max()))
        mean = setting.dataset.rankings[nearest].mean(axis=0)
        asked = step("Mean ranks", "knn").ask
        assert asked.of.value == pytest.approx(mean[asked.reason.values["last"].index])
        # Squared differences of ranks from the predicted ones, of each neighbour.
        order = setting.explanation.prediction
        squares = np.square(setting.dataset.rankings[nearest] - order).sum(axis=1)
        worked = f"({' + '.join(f'{each:g}' for each in squares)}) / 3 = {squares.mean():.2f}"
        assert step("How sure?", "knn").text.values["summed"] == worked
        assert order.tolist() == aggregate(setting.dataset.rankings[nearest]).tolist()

    def test_a_tie_is_said_aloud(self):
        said = step("k = 2", "knn", 1).ask.reason.plain(told("knn", 1)[0].names)
        assert said == (
            "A tie: tea, water share the best mean rank, 1.50. The first in the list of labels "
            "wins: tea."
        )
        assert neighbours.LESSON.examples[1].title == "A tie"
        # (17, 5) and (23, 7) are equally far from (20, 6).
        entering = step("k = 2", "knn").text.plain(told("knn")[0].names)
        assert entering.endswith("Fri is equally near: the case listed first enters.")

    def test_only_a_plane_of_all_features_promises_a_circle(self):
        assert "circle" in step("Who counts?", "knn").ask.reason.template
        assert "circle" not in step("Who counts?", "knn", "").ask.reason.template
        assert not any("circle" in step(f"k = {k}", "knn", "").text.template for k in (1, 2))

    def test_the_line_moves_as_the_paper_prints(self):
        # Section 4 of Brinker and Hüllermeier 2007: two of three cases have a, of five labels.
        names = told("mlr", 1)[0].names
        said = {p: step(f"p = {p}", "mlr", 1).ask for p in (1, 2, 3)}
        assert "a, the first, has (1 + 1 + 4.5) / 3 = 2.17; the line has 2.00" in said[
            1
        ].reason.plain(names)
        assert (
            said[2].reason.plain(names).startswith("A tie: a and the line share the mean rank 2.50")
        )
        assert said[3].reason.plain(names) == (
            "a has (1 + 1 + 6.5) / 3 = 2.83, the line 3.00. Predicted: a."
        )
        assert [set(ask.of.right) for ask in said.values()] == [set(), set(), {0}]
        setting, _ = told("mlr")
        for p in (1, 2, 3):
            model = KNeighborsMultilabelRanker(n_neighbors=3, n_virtual_labels=p)
            model.fit(setting.dataset.X, setting.dataset.relevance)
            own = set(np.flatnonzero(model.predict([[16.0, 5.0]])[0]).tolist())
            assert set(step(f"p = {p}", "mlr").ask.of.right) == own

    @pytest.mark.parametrize("place", [0, 1, ""])
    def test_positions_and_the_share_of_the_line_are_those_of_generalised_ranks(self, place):
        setting, _ = told("mlr", place)
        sets, m = setting.dataset.relevance[shared.near_rows(setting)], setting.dataset.n_labels
        asked = step("A virtual label", "mlr", place).ask
        row = shared.near_names(setting).index(asked.reason.values["row"])
        label, n_relevant = asked.reason.values["label"].index, int(sets[row].sum())
        behind = n_relevant + 1 + (m - n_relevant + 1) / 2
        assert asked.of.value == ((n_relevant + 1) / 2 if sets[row, label] else behind)
        positions = range(asked.reason.values["first"], asked.reason.values["last"] + 1)
        assert asked.of.value == np.mean(positions)
        # SPEC, MLR-07: relevant if the share is above (m - mean size + p) / (m + 2p).
        bar = (m - sets.sum(axis=1).mean() + 1) / (m + 2)
        assert step("From ranks to shares", "mlr", place).ask.of.value == pytest.approx(bar)
        worked = step("p = 3", "mlr", place).ask.reason.values["mean"]
        if "=" in worked:
            added = [float(each) for each in worked[1 : worked.index(")")].split(" + ")]
            mean = float(worked.split("= ")[1])
            assert sum(added) / len(added) == pytest.approx(mean, abs=0.005)

    @pytest.mark.parametrize("place", [0, 1, ""])
    def test_the_bar_is_cut_where_the_line_is(self, place):
        asked = step("The line moves", "mlr", place)
        setting, _ = told("mlr", place)
        s, p = (asked.text.values[name] for name in ("s", "p"))
        m = setting.dataset.n_labels
        # SPEC, MLR-07: the share of the line is (m - mean size + p) / (m + 2p).
        cuts = [(m - s + 1) / (m + 2), (m - s + p) / (m + 2 * p)]
        assert asked.ask.of.value == pytest.approx(cuts[1])
        # The line that is asked for is not drawn, then that of a guess is, then the answer.
        shown = {
            1: asked.picture_shown(is_answered=False),
            2: asked.ask.guessed(0.25),
            3: asked.picture_shown(is_answered=True),
        }
        for picture, lines in zip(shown.values(), ([cuts[0]], [cuts[0], 0.25], cuts), strict=True):
            markup = parts_of(picture)[-1].markup
            widths = [float(width) for width in re.findall(r"width:([\d.]+)%", markup)]
            assert sum(widths[:2]) == pytest.approx(100 * cuts[0], abs=0.02)
            assert sum(widths[4:6]) == pytest.approx(100 * cuts[1], abs=0.02)
            drawn = [float(at) for at in re.findall(r'<b style="left:([\d.]+)%', markup)]
            assert drawn == pytest.approx([100 * line for line in lines], abs=0.01)
            # The last of them goes on through the dots.
            (dotted,) = set(re.findall(r'<i style="left:([\d.]+)%', markup))
            assert float(dotted) == pytest.approx(100 * lines[-1], abs=0.06)
        # A label that changes sides is named with the p from which on it does.
        shares, said = setting.explanation.evidence(GapDial).shares, asked.ask.reason
        if "changed" in said.values:
            label, first = said.values["changed"].index, said.values["from"]
            sides = [shares[label] > (m - s + n) / (m + 2 * n) for n in (first - 1, first)]
            assert sides[0] != sides[1]
            assert sides[1] == ("is predicted" in said.template)

    def test_each_ranking_holds_as_many_virtual_labels_as_the_step_says(self):
        setting, _ = told("mlr")
        names = setting.names
        rows_of = setting.case.training_rows[setting.explanation.evidence(Neighbors).rows]
        for p in (1, 2, 3):
            drawn = parts_of(step(f"p = {p}", "mlr").picture)[0].table
            for row, text in zip(rows_of, drawn["ranking"], strict=True):
                relevance = setting.dataset.relevance[row]
                groups = [
                    [name for name, has in zip(names, relevance, strict=True) if has],
                    ["zero line"] * p,
                    [name for name, has in zip(names, relevance, strict=True) if not has],
                ]
                assert text == " > ".join(" = ".join(group) for group in groups)

    def test_the_last_picture_of_the_zero_line_is_that_of_its_steps(self):
        drawn = step("The answer", "mlr").picture
        assert parts_of(drawn)[-1].markup == parts_of(step("p = 1", "mlr").ask.picture)[-1].markup

    def test_a_posterior_is_the_models(self):
        setting, _ = told("mlknn")
        data = setting.dataset
        model = MLkNNClassifier(n_neighbors=3).fit(data.X, data.relevance)
        label = setting.explanation.order[0]
        own = model.predict_proba([[16.0, 5.0]])[0, label]
        assert step("Posterior", "mlknn").ask.of.value == pytest.approx(own)
        meant = step("What the count meant", "mlknn")
        table = meant.picture.table
        assert table.to_numpy()[:, 1:].sum() == data.n_samples
        with_it = table["with museum"]
        assert meant.ask.of.value == pytest.approx((1 + with_it[2]) / (4 + with_it.sum()))
        prior = (1 + data.relevance[:, label].sum()) / (2 + data.n_samples)
        assert step("Prior", "mlknn").ask.of.value == pytest.approx(prior)

    @pytest.mark.parametrize("place", [0, ""])
    def test_a_case_counts_its_own_nearest_without_itself(self, place):
        setting, _ = told("mlknn", place)
        asked = step("A known case", "mlknn", place)
        data, k = setting.dataset, asked.ask.reason.values["k"]
        row = setting.row_names.index(asked.ask.reason.values["row"])
        X = data.X if place == 0 else (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
        away = np.square(X - X[row]).sum(axis=1)
        others = [each for each in np.argsort(away, kind="stable") if each != row][:k]
        assert asked.picture.table["case"].tolist() == [setting.row_names[i] for i in others]
        label = setting.explanation.order[0]
        assert asked.ask.of.value == data.relevance[others, label].sum()

    @pytest.mark.parametrize("place", [0, ""])
    def test_cases_to_imagine_make_the_posterior(self, place):
        asked = step("Posterior", "mlknn", place).ask
        with_it, without = (int(asked.reason.values[name]) for name in ("for", "against"))
        assert with_it / (with_it + without) == pytest.approx(asked.of.value, abs=0.01)
        drawn = parts_of(asked.picture)[-1]
        shares = [float(width) / 100 for width in re.findall(r"width:([\d.]+)%", drawn.markup)]
        # All that are imagined, then those with the count alone.
        n = int(asked.reason.values["imagined"])
        assert shares[0] == pytest.approx(with_it / n, abs=1e-4)
        assert shares[3] == pytest.approx(without / n, abs=1e-4)
        assert sum(shares[:2]) == pytest.approx(int(asked.reason.values["imagined_with"]) / n)
        assert shares[4:] == pytest.approx([asked.of.value, 1 - asked.of.value], abs=0.01)
        assert drawn.table.iloc[:, 1:].to_numpy().sum() == n

    def test_the_best_split_is_that_of_a_tree(self):
        setting, _ = told("forest")
        X, ranks = setting.dataset.X, setting.dataset.rankings
        tree = DecisionTreeRegressor(max_depth=1, random_state=0).fit(X, ranks).tree_
        left, right = tree.impurity[1:]
        after = (left * tree.n_node_samples[1] + right * tree.n_node_samples[2]) / len(X)
        offered = trees.splits(setting)
        assert min(split.variance for split in offered) == pytest.approx(after)
        assert (tree.feature[0], tree.threshold[0]) in [
            (split.feature, split.threshold) for split in offered
        ]
        votes = setting.explanation.evidence(TreeVotes)
        assert votes.sizes.tolist() == [draws.sum() for draws in votes.draws]
        ask = step("Choose the split", "forest").ask
        assert ask.reason.values["before"] == pytest.approx(tree.impurity[0])

    def test_every_cut_has_the_variance_of_its_sides(self):
        random = np.random.default_rng(0)
        for n_rows, n_values in ((2, 2), (30, 9), (200, 150)):
            values = random.integers(n_values, size=n_rows) / 4
            ranks = random.permuted(np.tile(np.arange(1.0, 6), (n_rows, 1)), axis=1)
            cuts, variances = trees.variances_of_cuts(ranks, values)
            distinct = np.unique(values)
            assert cuts.tolist() == ((distinct[1:] + distinct[:-1]) / 2).tolist()
            expected = [trees.variance(ranks, values <= cut) for cut in cuts]
            assert variances == pytest.approx(expected, abs=1e-11)

    def test_the_cuts_of_many_rows_are_compared_at_once(self):
        # One after the other, as they once were, 120 000 rows took 43 s of every run.
        random = np.random.default_rng(0)
        ranks = random.permuted(np.tile(np.arange(1.0, 6), (100_000, 1)), axis=1)
        start = time.process_time()
        cuts, _ = trees.variances_of_cuts(ranks, random.normal(size=len(ranks)))
        assert len(cuts) == len(ranks) - 1
        assert time.process_time() - start < 1

    def test_features_with_long_names_leave_room_for_the_question(self):
        data = load_sample("glass")
        setting = rows.make_setting(data, ModelChoice("forest", ()), data.case(7))
        asked = next(each for each in trees.make_steps(setting) if each.title == "One tree")
        said = [text.plain(setting.names) for text in asked.texts(is_answered=False)]
        assert len(" ".join(said).split()) <= MOST_WORDS
        assert "weight %" in said[0]

    def test_the_first_tree_is_drawn_whole(self):
        setting, _ = told("forest")
        data, votes = setting.dataset, setting.explanation.evidence(TreeVotes)
        forest = LabelRankingForest(n_estimators=6, random_state=0).fit(data.X, data.rankings)
        tree = forest.path([[19.0, 5.5]]).trees.tree(0)
        asked = step("One tree", "forest")
        before, drawn = asked.picture.markup, asked.ask.picture.markup
        for each in (before, drawn):
            assert each.count('class="leaf"') == tree.n_leaves
            assert each.count('class="asks"') == tree.node_count - tree.n_leaves
        # Leaves are numbered in the order of the drawing, which is that of the nodes.
        leaf = tree.apply(np.array([[19.0, 5.5]], dtype=np.float32))[0]
        leaves = np.flatnonzero(tree.children_left < 0).tolist()
        assert asked.ask.of.right == {leaves.index(leaf)}
        assert asked.ask.reason.values["n"] == votes.sizes[0] == 5
        # The way of the case, drawn once it was asked for: its questions, and the leaf.
        assert "passed" not in before
        assert drawn.count('<li class="passed">') == len(votes.ways[0]) + 1
        # Every row is drawn with replacement, so that all leaves hold as many as there are.
        assert sum(map(int, re.findall(r"n (\d+)<", drawn))) == data.n_samples
        # A leaf lists as many draws as it counts; a day without a draw is in none.
        for text in re.findall(r'class="leaf".*?</div>', drawn):
            listed = re.findall(r"<small.*?</small>", text)
            times = [int(n[0]) if (n := re.findall(r"× (\d+)", day)) else 1 for day in listed]
            assert sum(times) == int(re.search(r"n (\d+)<", text)[1])
        never = int((forest.path([[19.0, 5.5]]).in_bag_counts[0] == 0).sum())
        assert asked.text.values["never"] == never == data.n_samples - drawn.count("<small")

    def test_the_variance_of_each_side_stands_in_the_table(self):
        setting, _ = told("forest")
        ask = step("Choose the split", "forest").ask
        table = ask.picture.table
        is_left = setting.dataset.X[:, 0] <= 19.5
        for row, side in enumerate((is_left, ~is_left)):
            ranks = setting.dataset.rankings[side]
            assert table["cases"][row] == len(ranks)
            assert table["variance"][row] == pytest.approx(ranks.var(axis=0).mean())
        mean = np.average(table["variance"], weights=table["cases"])
        assert mean == pytest.approx(ask.reason.values["after"])
        # Of two that are equally good the table has the one that the tree asks in the next step.
        asked = ask.reason.values["best"]
        assert asked == table["side"][0] == "temperature (°C) ≤ 19.5"
        assert asked + "?" in re.sub("<[^>]+>", "", step("One tree", "forest").picture.markup)

    def test_what_trees_add_makes_the_numbers_that_decide(self):
        setting, _ = told("forest")
        votes = setting.explanation.evidence(TreeVotes)
        decide = setting.explanation.evidence(LabelScores).values
        assert trees.mean_ranks(votes).mean(axis=0) == pytest.approx(decide)
        drawn = step("The votes flow together", "forest").picture.markup
        for label, row in zip(setting.explanation.order, drawn.split("<li>")[1:], strict=True):
            widths = [float(each) for each in re.findall(r"width:([\d.]+)%", row)]
            assert len(widths) == 6
            assert sum(widths) == pytest.approx(100 * (3 - decide[label]) / 2, abs=0.05)

    def test_sharing_helps_the_label_with_few_examples(self):
        setting, _ = told("mlls")
        data, rare = setting.dataset, setting.names.index("ice cream")
        scores = [
            SharedSubspaceClassifier(alpha=alpha, beta=0.1, n_components=2, threshold="zero")
            .fit(data.X, data.relevance)
            .decision_function([[9.0, 9.0, 1.0]])[0, rare]
            for alpha in (0.0, 100.0)
        ]
        alone = step("Alone or together?", "mlls")
        assert alone.text.values["before"] == pytest.approx(scores[0])
        assert alone.ask.reason.values["after"] == pytest.approx(scores[1])
        assert scores[0] < 0 < scores[1]
        reason = step("What changes", "mlls").ask.reason
        assert reason.values["feature"] == "wind (of 10)"
        # The reason lies in the days: both with ice cream were windy.
        wind = data.X[:, 2]
        assert (wind[data.relevance[:, rare] == 1] > wind.mean()).all()
        assert reason.values["n"] == 2
        assert "have it above the mean, 5.89." in reason.plain(setting.names)
        assert reason.values["mean"] == pytest.approx(wind.mean())

    def test_a_reason_in_the_days_is_said_only_where_it_holds(self):
        lesson = BY_KEY["mlls"]
        example = lesson.examples[0]
        data = rows.read_rows(example.rows.replace("Sun,9,8,9,", "Sun,9,8,1,"), lesson)
        choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
        setting = rows.make_setting(data, choice, np.array(example.case))
        asked = next(
            each.ask for each in lesson.make_steps(setting) if each.title == "What changes"
        )
        said = asked.reason.plain(setting.names)
        assert "wind" not in said or "the mean" not in said

    def test_a_shared_part_is_the_product_that_is_written(self):
        setting, _ = told("mlls")
        asked = step("The shared directions", "mlls")
        assert asked.text.values["r"] == "2 directions"
        said = asked.ask.reason.plain(setting.names)
        value, *numbers = re.match(
            r"hiking, (\S+), the places of ◆ times its weights: "
            r"(\S+) × (\S+) ([+−]) (\S+) × (\S+)\.",
            said,
        ).groups()
        sign = -1 if numbers.pop(2) == "−" else 1
        a, b, c, d = map(float, numbers)
        assert f"{a * b + sign * c * d:.2f}" == value
        # Along the first axis dryness changes most, against the second warmth.
        view, parts = (setting.explanation.evidence(kind) for kind in (SubspaceView, ScoreParts))
        axes = np.linalg.lstsq(view.directions, parts.weights["shared part"].T, rcond=None)[0]
        changes = axes * setting.dataset.X.std(axis=0)
        names = setting.dataset.feature_names
        assert [names[j] for j in np.abs(changes).argmax(axis=1)] == [
            "dryness (of 10)",
            "warmth (of 10)",
        ]
        assert changes[0, 1] > 0 > changes[1, 0]
        ways = "dimension 1 rises most with dryness, dimension 2 falls most with warmth"
        assert ways in asked.text.plain(setting.names)
        made = step("What each score is made of", "mlls").text.plain(setting.names)
        *summands, score = map(float, re.findall(r"[+-]\d\.\d\d", made))
        assert sum(summands) == pytest.approx(score, abs=0.015)
        assert score == pytest.approx(parts.scores[setting.names.index("ice cream")], abs=0.005)

    def test_rules_differ_where_their_numbers_do(self):
        setting, _ = told("rules")
        near = setting.dataset.rankings[:3]
        names = setting.names
        means, medians = near.mean(axis=0), np.median(near, axis=0)
        mean, median = step("By mean rank", "rules").ask, step("By median rank", "rules").ask
        assert mean.reason.values["value"] == pytest.approx(means.min())
        assert median.reason.values["value"] == pytest.approx(medians.min())
        assert [each.of.options[min(each.of.right)] for each in (mean, median)] == [
            "tea", "lemonade",
        ]  # fmt: skip
        fewest = step("How far apart?", "rules").ask
        # Pairs of labels that each order has the other way round than a ranking, on average.
        lost = consensus_losses(near, aggregate(near, method="kemeny")).kendall
        assert fewest.reason.values["pairs"] == f"(0 + 0 + 3) / 3 = {lost:.2f}"
        moved = np.abs(near - aggregate(near)).sum(axis=1)
        expected = f"({' + '.join(f'{each:g}' for each in moved)}) / 3 = {moved.mean():.2f}"
        assert fewest.reason.values["moves"] == expected
        assert names == ("lemonade", "tea", "water", "zobo")
        cycle = step("Two by two", "rules", 1).ask
        words = cycle.reason.plain(told("rules", 1)[0].names)
        assert "lemonade beats tea beats water beats lemonade" in words

    def test_every_lesson_on_rules_has_rankings_without_a_winner(self):
        made = step("No winner?", "rules").ask
        names = told("rules")[0].names
        assert {made.of.options[i] for i in made.of.right} == {"none"}
        assert "lemonade beats tea beats water beats lemonade" in made.reason.plain(names)
        # Rankings with a cycle need none that is made up.
        assert "No winner?" not in [each.title for each in told("rules", 1)[1]]
        for positions in ([1.0, 2.0, 3.0], [4.0, 2.0, 1.0, 3.0]):
            ranks = np.sort(rules.rotated(np.array(positions)), axis=0).T
            in_turn = np.isin(ranks, [1, 2, 3]).all(axis=1)
            assert in_turn.tolist() == [position < 4 for position in positions]
            assert (ranks[in_turn] == [1, 2, 3]).all()

    def test_what_a_rule_goes_by_is_in_the_picture_and_not_in_the_sentence(self):
        asked = step("Every rule", "rules")
        assert asked.picture.table["goes by"].tolist()[:3] == [
            "mean rank", "median rank", "fewest places moved",
        ]  # fmt: skip

    def test_preferences_of_pairs_are_the_models(self):
        setting, _ = told("pairs")
        data, names = setting.dataset, setting.names
        model = PairwiseLabelRanker().fit(data.X, data.rankings)
        explanation = model.explain(setting.case.x)
        scores = explanation.evidence(LabelScores).values
        assert step("Added up", "pairs").ask.of.value == pytest.approx(scores.max())
        turned = step("Every pair", "pairs", 1).ask
        # Of three pairs two are tied; the slider does not give away how many are not.
        assert (turned.of.value, turned.of.high) == (1, 3)
        assert turned.reason.plain(names).startswith(f"1 of 1: {names[0]} now leads {names[2]}. ")
        assert step("A cycle?", "pairs").ask.of.right == {0}
        assert step("A cycle?", "pairs", 1).ask.of.right == {1}
        # Probabilities that are 0 or 1 would add up to no more than the positions.
        preferences = explanation.evidence(PairMatrix).preferences[~np.eye(3, dtype=bool)]
        assert ((preferences > 0.05) & (preferences < 0.95)).all()
        first, second = setting.explanation.order[:2]
        ahead = (data.rankings[:, first] < data.rankings[:, second]).mean()
        assert step("One pair", "pairs").ask.of.value == pytest.approx(ahead)

    def test_a_colour_that_is_named_is_that_of_the_share(self):
        asked = step("Every pair", "pairs")
        assert "blue above one half, orange below." in asked.text.template
        cells = re.findall(r'<td class="(up|down)"[^>]*>([\d.]+)<', asked.picture.markup)
        assert len(cells) == 6
        assert all((kind == "up") == (float(share) >= 0.5) for kind, share in cells)

    def test_strengths_and_theta_are_the_models(self):
        setting, _ = told("models")
        data, x = setting.dataset, [[20.0, 6.0]]
        nearest = np.argsort(np.square(data.X - x[0]).sum(axis=1), kind="stable")[:5]
        fit = PlackettLuceLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
        by_label = fit.explain(x[0]).evidence(LabelScores).values
        strengths = np.sort(by_label)[::-1]
        assert step("Strengths", "models").ask.of.value == pytest.approx(strengths[0])
        # The probability of each of the five rankings, by choices, against one of six.
        gain = 1.0
        for ranking in data.rankings[nearest]:
            first, second, third = by_label[np.argsort(ranking)]
            gain *= 6 * first * second / (second + third)
        said = step("Strengths", "models").ask.reason.plain(setting.names)
        assert f"With equal strengths the 5 rankings are {gain:.1f} times less probable." in said
        after = step("Choice by choice", "models").ask.of.value
        assert after == pytest.approx(strengths[1] / (1 - strengths[0]))
        pair = step("Pair by pair", "models").ask.of.value
        assert pair == pytest.approx(strengths[0] / (strengths[0] + strengths[1]))
        centre = aggregate(data.rankings[nearest])
        lost = consensus_losses(data.rankings[nearest], centre).kendall
        asked = step("A centre", "models").ask
        assert asked.of.value == pytest.approx(lost)
        is_one = any(np.array_equal(data.rankings[row], centre) for row in nearest)
        said = asked.reason.plain(setting.names)
        assert ("The centre is none of these rankings." in said) != is_one
        # The expected distance of three labels at theta (Fligner and Verducci 1986, eq. 3).
        theta = step("What θ means", "models").text.values["theta"]
        expected = sum(
            np.exp(-theta) / (1 - np.exp(-theta))
            - j * np.exp(-j * theta) / (1 - np.exp(-j * theta))
            for j in (2, 3)
        )
        assert expected == pytest.approx(lost, abs=1e-6)

    def test_many_rankings_of_many_labels_gain_more_than_is_said(self):
        ranking = np.arange(1.0, 31)
        many = lesson_models._times_as_probable(np.tile(ranking, (500, 1)), 2.0**-ranking)
        assert many == np.inf
        tied = lesson_models._times_as_probable(
            np.array([[1.5, 1.5, 3.0]]), np.array([0.5, 0.3, 0.2])
        )
        assert tied == np.inf

    def test_a_ranking_has_the_probability_that_is_said(self):
        setting, _ = told("models")
        asked = step("What θ means", "models")
        theta = asked.text.values["theta"]
        # Of three labels 1, 2, 2 and 1 rankings reverse 0, 1, 2 and 3 pairs.
        weights = np.exp(-theta * np.arange(4))
        whole = float(weights @ [1, 2, 2, 1])
        said = asked.ask.reason.plain(setting.names)
        centre, one, two = (weights / whole)[:3]
        times = np.exp(theta)
        assert said == (
            f"By {times:.2f}, from each new bar to the next. θ = {theta:.2f} is its natural "
            f"logarithm. The model expects the centre {5 * centre:.2f} times in 5: probability "
            f"{centre:.2f}. Then {centre:.2f} / {times:.2f} = {one:.2f}, {one:.2f} / {times:.2f} = "
            f"{two:.2f}."
        )
        drawn = parts_of(asked.ask.picture)[-1].table["probability"]
        assert drawn.tolist() == pytest.approx((weights / whole).tolist())
        assert "The dot at 1 stands for 2 rankings" in asked.text.plain(setting.names)
        strengths = np.sort(setting.explanation.evidence(LabelScores).values)[::-1]
        factors = strengths[0], strengths[1] / (1 - strengths[0])
        chosen = step("Choice by choice", "models").ask.reason.plain(setting.names)
        written = f"{factors[0]:.2f} × {factors[1]:.2f} = {factors[0] * factors[1]:.2f}."
        assert chosen.endswith(written)

    def test_the_centre_stays_while_distances_are_measured_from_it(self):
        for title in ("A centre", "How near to the centre: θ", "What θ means"):
            assert ">centre<" in step(title, "models").picture.markup
        fit = step("How near to the centre: θ", "models").text
        # The model does not fit these five days, and the lesson says where.
        assert (fit.values["worst"], fit.values["observed"]) == (2, 2)
        assert fit.values["expected"] < 2

    def test_bars_of_the_answer_end_where_the_dots_before_them_did(self):
        drawn = step("The answer", "pairs").picture.markup
        first = max(map(float, re.findall(r"(?:width|--w|--end):([\d.]+)%", drawn)))
        scores = told("pairs")[0].explanation.evidence(LabelScores).values
        assert first == pytest.approx(100 * scores.max() / 2, abs=0.1)

    def test_both_models_give_all_rankings_the_probabilities_that_are_drawn(self):
        setting, _ = told("models")
        table = parts_of(step("The answer", "models").picture)[-1].table
        strengths = dict(
            zip(setting.names, setting.explanation.evidence(LabelScores).values, strict=True)
        )
        theta = step("What θ means", "models").text.values["theta"]
        centre = ["water", "lemonade", "tea"]
        mallows = {}
        for ranking, chance in zip(table["ranking"], table["Plackett-Luce"], strict=True):
            first, second, third = ranking.split(" > ")
            left = strengths[second] + strengths[third]
            assert chance == pytest.approx(strengths[first] * strengths[second] / left)
            places = [centre.index(name) for name in (first, second, third)]
            n_reversed = sum(places[i] > places[j] for i in range(3) for j in range(i + 1, 3))
            mallows[ranking] = np.exp(-theta * n_reversed)
        assert len(mallows) == 6
        assert table["Plackett-Luce"].sum() == pytest.approx(1)
        assert table["Plackett-Luce"].is_monotonic_decreasing
        assert table["Mallows"].tolist() == pytest.approx(
            [chance / sum(mallows.values()) for chance in mallows.values()]
        )

    def test_measures_disagree_on_the_same_predictions(self):
        setting, _ = told("measures")
        found = measures.compare_predictions(setting)
        truth = setting.dataset.rankings[0]
        others = setting.dataset.rankings[1:]
        assert found.row == 0
        asked = step("The rows", "measures").ask.of
        # (2, 1) is nearest to (1, 1).
        assert [asked.options[i] for i in asked.right] == ["Tue"]
        assert found.predictions["A"].tolist() == others[0].tolist()
        assert found.predictions["B"].tolist() == aggregate(others).tolist()
        for name, predicted in found.predictions.items():
            moves = np.square(truth - predicted).sum()
            assert found.squares(name) == moves
            assert found.score("Spearman's ρ", name) == pytest.approx(1 - 6 * moves / (5 * 24))
            tau = kendalltau(truth, predicted).statistic
            assert found.score("Kendall's τ", name) == pytest.approx(tau)
        joined = [parts_of(step(title, "measures").ask.picture)
                  for title in ("Count pairs", "Square the moves")]  # fmt: skip
        for pictures in joined:
            for picture, (name, predicted) in zip(pictures, found.predictions.items(), strict=True):
                said = format_ranking(predicted, setting.names)
                assert picture.table["ranking"].tolist()[1] == f"{name}: {said}"
        for picture, name in zip(joined[1], found.predictions, strict=True):
            squares = [int(each) for each in re.findall(r"<small[^>]*>(\d+)<", picture.markup)]
            assert sum(squares) == found.squares(name)
        better = [found.better(each) for each in ("Kendall's τ", "Spearman's ρ")]
        assert better == [["A"], ["B"]]
        assert step("Which measure?", "measures").ask.of.right == {1, 2}
        which = step("Two predictions", "measures").ask.of
        assert [which.options[i] for i in which.right] == ["it depends on what counts"]

    def test_the_promise_is_the_calibrated_rankers(self):
        setting, _ = told("confidence")
        data = setting.dataset
        model = confidence.calibrated(setting)
        gaps = np.sort(confidence.wrong_gaps(model))
        limit = step("A limit", "confidence")
        assert limit.ask.of.value == pytest.approx(gaps[limit.ask.reason.values["place"] - 1])
        assert len(gaps) == 5 == data.n_samples / 2
        intro = limit.text.plain(setting.names)
        assert "leave 6 places" in intro
        assert "with 80%, a limit may have at most 1 of these places above it" in intro
        held_out_text = step("Held-out cases", "confidence").text.plain(setting.names)
        assert "predicted by the 3 most similar of the 5 others" in held_out_text
        assert held_out_text.endswith(f"has the largest: {gaps[-1]:.2f}.")
        interval = model.predict_interval([[25.0, 7.0]])[0]
        top = int(np.argmin(model.predict([[25.0, 7.0]])[0]))
        # Those that are held out, predicted by the mean ranks of the others.
        held = model.held_out_[0]
        rest = np.setdiff1d(np.arange(data.n_samples), held)
        worst = {}
        for row in held:
            away = np.square(data.X[rest] - data.X[row]).sum(axis=1)
            means = data.rankings[rest[np.argsort(away, kind="stable")[:3]]].mean(axis=0)
            truth = data.rankings[row]
            wrong = [means[a] - means[b] for a in range(3) for b in range(3) if truth[a] < truth[b]]
            worst[setting.row_names[row]] = f"{max(0, *wrong):.2f}"
        table = step("Held-out cases", "confidence").picture.table
        assert dict(zip(table["case"], table["apart"], strict=True)) == worst
        assert step("Places that are possible", "confidence").ask.of.value == interval[top, 1]
        said = step("The answer", "confidence").text.plain(setting.names)
        assert "promise predict" not in said

    def test_an_order_of_the_half_that_differs_is_said(self):
        data = told("confidence")[0].dataset
        choice = ModelChoice("knn", (), scaled=False).with_params(n_neighbors=3)
        setting = rows.make_setting(data, choice, np.array([20.0, 6.0]))
        model = confidence.calibrated(setting)
        orders = [setting.explanation.ranking, model.estimators_[0].predict([[20.0, 6.0]])[0]]
        assert orders[0].tolist() != orders[1].tolist()
        said = confidence.make_steps(setting)[-1].text.plain(setting.names)
        assert f"promise predict {format_ranking(orders[1], setting.names)}. " in said

    def test_the_sums_that_make_a_confidence_are_said(self):
        setting, _ = told("confidence")
        near = setting.explanation.evidence(Neighbors).rankings
        sums = np.square(near - setting.explanation.positions).sum(axis=1)
        said = step("Agreement", "confidence").ask.reason.plain(setting.names)
        assert said.startswith("The sums are {:.0f}, {:.0f} and {:.0f}, ".format(*sums))
        assert f"1 − {sums.mean():.2f} / 8 = {1 - sums.mean() / 8:.2f}." in said

    def test_the_line_stands_where_labels_are_decided_behind_the_first(self):
        setting, _ = told("confidence")
        model = confidence.calibrated(setting)
        asked = step("Places that are possible", "confidence")
        table = asked.picture.table.set_index("label")["mean rank"]
        limit = float(re.search(r"lemonade \+ 0.67: ([\d.]+)", asked.picture.markup)[1])
        assert limit == pytest.approx(table["lemonade"] + model.threshold_, abs=0.005)

    def test_the_middle_rank_misleads_where_pairs_do_not(self):
        setting, _ = told("missing")
        names, rare = setting.names, setting.names.index("zobo")
        filled = step("With gaps filled", "missing")
        assert filled.ask.reason.values["first"].index == names.index("tea")
        # Of five ranks of zobo two are 1, three the middle rank 2.5.
        assert filled.ask.reason.values["filled"] == pytest.approx((2 * 1 + 3 * 2.5) / 5)
        assert "tea, (2 + 1 + 1 + 2.5 + 2) / 5 = 1.70." in filled.ask.reason.plain(names)
        tea = missing.with_gaps(setting).explanation.evidence(Neighbors).rankings[:, 1]
        assert np.nan_to_num(tea, nan=2.5).tolist() == [2, 1, 1, 2.5, 2]
        both = step("Only who ranks both", "missing").ask
        assert both.of.value == 1.0
        assert "Yet with gaps filled tea was ahead, 1.70 against 1.90" in both.reason.plain(names)
        # Two similar cases have zobo ahead of tea, all rows two of three: (2 + 2 / 3) / 3.
        # The rankings that are counted are those that are drawn.
        counted = parts_of(step("One more vote", "missing").picture)
        assert counted[0].table["case"].tolist() == list(setting.row_names)
        assert counted[1].table["ahead of tea"].tolist() == [
            int((setting.dataset.rankings[:, label] < setting.dataset.rankings[:, 1]).sum())
            for label in range(4)
        ]
        more = step("One more vote", "missing").ask
        assert more.of.value == pytest.approx(8 / 9)
        assert more.reason.plain(names) == "(2 + 0.67) / 3 = 0.89, from the 2 votes and one more."
        assert setting.explanation.order[0] == rare
        shares = setting.explanation.evidence(WinShares).shares
        tea, others = names.index("tea"), [j for j in range(4) if names[j] != "tea"]
        as_drawn = 1 + shares[others, tea].round(2).sum()
        mean = setting.explanation.evidence(LabelScores).values[tea]
        assert round(as_drawn, 2) != round(mean, 2)
        said = step("By win shares", "missing").ask.reason.plain(names)
        assert said.endswith("Each sum is rounded once, at its end.")
        # All drinks that other lessons have keep their colours.
        drinks = told("knn")[0].names
        assert names[: len(drinks)] == drinks

    def test_a_sample_without_gaps_loses_labels_for_the_lesson(self):
        setting, steps = told("missing", "")
        assert not np.isnan(setting.dataset.rankings).any()
        values = steps[0].text.values
        assert 0 < values["some"] <= values["n"] == setting.dataset.n_samples


def button(app, label):
    return next(each for each in app.button if each.label == label)


def drawn(app):
    """What is drawn as HTML."""
    return [each.value for each in app.main if type(each).__name__ == "Html"]


def heading(app):
    """The title of the step."""
    (said,) = [each for each in drawn(app) if each.startswith("<h2>")]
    return said.removeprefix("<h2>").removesuffix("</h2>")


def shown(app):
    """The markup of the picture."""
    (figure,) = [each for each in drawn(app) if each.startswith("<figure")]
    return figure


def place(app):
    return next(each.value for each in app.caption if each.value.startswith("Step "))


def last_of(lesson):
    """The name of the last stop of a lesson's first example."""
    return stops(told(lesson.key)[1])[-1].name


class TestThePathOfCards:
    @pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
    def test_the_minutes_are_those_of_its_words_and_stops(self, lesson):
        setting, steps = told(lesson.key)
        texts = [text for each in steps for text in each.texts(is_answered=False)]
        texts += [each.ask.reason for each in steps if each.ask is not None]
        n_words = sum(len(text.plain(setting.names).split()) for text in texts)
        assert lesson.minutes == round(n_words / 150 + len(stops(steps)) / 6)

    @pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
    def test_the_end_says_what_one_can_do_and_leads_on(self, lesson):
        app = session(LEARN, lesson=lesson.name, **{f"step_{lesson.key}": last_of(lesson)})
        assert lesson.learned.startswith("You can now ")
        assert f"**{lesson.learned}**" in [each.value for each in app.markdown]
        offers = [each for each in app.button if each.label.startswith("Next lesson: ")]
        following = LESSONS[LESSONS.index(lesson) + 1 :][:1]
        assert [each.label for each in offers] == [
            f"Next lesson: {each.name}" for each in following
        ]
        for offer, each in zip(offers, following, strict=True):
            ran(offer.click().run())
            assert app.segmented_control(key="lesson").value == each.name

    def test_the_first_screen_says_what_will_be_learned_and_the_end_that_it_was(self):
        app = session(LEARN, lesson="Neighbours")
        (goal,) = [each.body for each in app.get("html") if "lesson-goal" in each.body]
        # The terms of the way there are not known yet.
        assert f"You will learn to {BY_KEY['knn'].skill}." in goal
        assert not any("You can now" in each.value for each in app.markdown)

    def test_every_card_has_its_picture(self):
        app = session(LEARN)
        (style,) = [each.body for each in app.get("html") if "--picture" in each.body]
        n_cards = len(app.segmented_control(key="lesson").options)
        assert len(set(re.findall(r'--picture: url\("([^"]+)"\)', style))) == n_cards


class TestOnThePage:
    def test_a_link_opens_the_very_step_and_next_goes_on_from_it(self):
        app = session(LEARN, lesson="Neighbours", step_knn="k = 2: answer")
        assert heading(app) == "k = 2"
        assert place(app) == "Step 4 of 9"
        assert "The rows: answer" not in app.selectbox(key="step_knn").options
        ran(button(app, "Next").click().run())
        assert (heading(app), place(app)) == ("k = 3", "Step 5 of 9")
        ran(button(app, "Back").click().run())
        assert app.selectbox(key="step_knn").value == "k = 2: answer"

    def test_nothing_has_to_be_answered_and_a_guess_is_compared(self):
        app = session(LEARN, lesson="Counts", step_mlknn="Posterior")
        ran(button(app, "Show me").click().run())
        assert any(each.value == "**It is 0.56.**" for each in app.markdown)
        ran(button(app, "Back").click().run())
        (slider,) = [
            each for each in app.select_slider if each.label == "Your guess (0.00 to 1.00)"
        ]
        assert (slider.value, slider.options[:2]) == (None, ["?", "0.00"])
        ran(slider.set_value(0.4).run())
        ran(button(app, "Show me").click().run())
        assert any(each.value == "**You said 0.40, it is 0.56.**" for each in app.markdown)
        assert any("171 / (171 + 133) = 0.56" in said for said in sentences(app))

    @pytest.mark.parametrize(
        ("guess", "tint", "score"),
        [
            (None, "open", None),
            (0.56, "right", "You answered 1 of 6 questions, 1 of them right."),
            (0.4, "wrong", "You answered 1 of 6 questions, 0 of them right."),
        ],
    )
    def test_an_answer_is_tinted_by_the_guess_and_the_end_counts_right_ones(
        self, guess, tint, score
    ):
        app = session(LEARN, lesson="Counts", step_mlknn="Posterior")
        if guess is not None:
            (slider,) = [
                each for each in app.select_slider if each.label.startswith("Your guess (")
            ]
            ran(slider.set_value(guess).run())
        ran(button(app, "Show me").click().run())
        ran(app.selectbox(key="step_mlknn").set_value("The answer").run())
        scores = [each.value for each in app.markdown if each.value.startswith("You answered")]
        asks = [each.ask for each in told("mlknn")[1] if each.ask and not each.ask.is_kept]
        expected = [] if score is None else [score.replace("6", str(len(asks)))]
        assert scores == expected
        (number,) = [
            each.ask for each in told("mlknn")[1] if each.title == "Posterior" and each.ask
        ]
        assert {None: "open", True: "right", False: "wrong"}[
            None if guess is None else number.of.is_right(guess)
        ] == tint

    def test_a_picture_that_is_added_leaves_that_of_the_question_where_it_is(self):
        for lesson in LESSONS:
            for each in told(lesson.key)[1]:
                if each.ask is not None and each.ask.is_added:
                    shown = each.picture_shown(is_answered=True)
                    asked = parts_of(each.picture)
                    assert parts_of(shown)[: len(asked)] == asked, each.title
                    assert shown.table.equals(each.ask.picture.table), each.title

    def test_a_guessed_line_is_drawn_where_it_is_set(self):
        app = session(LEARN, lesson="Zero line", step_mlr="The line moves")
        assert "your line" not in shown(app)
        (slider,) = [each for each in app.select_slider if each.label.startswith("Your guess")]
        ran(slider.set_value(0.3).run())
        assert "your line: 0.30" in shown(app)

    def test_the_last_step_ends_and_the_first_begins(self):
        app = session(LEARN, lesson="Trees")
        assert button(app, "Back").disabled
        for _ in stops(told("forest")[1])[1:]:
            onward = [each for each in app.button if each.label in ("Next", "Show me")]
            ran(onward[0].click().run())
        assert heading(app) == "The answer"
        assert button(app, "Next").disabled

    @pytest.mark.parametrize(("data", "lesson"), [("iris", "knn"), ("songs", "mlls")])
    def test_a_lesson_is_about_the_data_in_use_by_one_click(self, data, lesson):
        app = session(LEARN, data=data, lesson=BY_KEY[lesson].name)
        ran(app.toggle(key="on_data").set_value(True).run())
        dataset = load_sample(data)
        assert not app.error
        said = " ".join(sentences(app))
        about = f"some of the {dataset.nouns.labels} {', '.join(dataset.label_names)}"
        if lesson == "knn":
            about = f"a ranking of {dataset.n_labels} {dataset.nouns.labels}, best first"
        assert about in said
        other = session(LEARN, data=data, lesson="Counts" if lesson == "knn" else "Trees")
        assert next(each for each in other.toggle if each.label.startswith("On my")).disabled

    def test_rows_that_cannot_be_used_are_said_so(self):
        app = session(LEARN, lesson="Neighbours")
        box = app.text_area(key="rows_knn")
        for wrong in (
            "x,ranking\n1,a>b\nred,b>a\n",
            "x,ranking\n1,a>b\n",
            "x,ranking\n1,a>b>\n2,b",
        ):
            ran(box.set_value(wrong).run())
            assert app.error
            assert "Back" not in [each.label for each in app.button]
            box = app.text_area(key="rows_knn")
        ran(box.set_value("x,ranking\n1,*a*>$b$\n2,$b$>*a*\n5,*a*>$b$\n").run())
        assert not app.error

    @pytest.mark.parametrize(
        "key", ["knn", "rules", "mlr", "mlknn", "measures", "confidence", "missing", "ties"]
    )
    def test_a_lesson_on_similar_cases_can_be_about_two_rows(self, key):
        lesson = BY_KEY[key]
        app = session(LEARN, lesson=lesson.name)
        targets = ("a", "b") if lesson.task is Task.MULTILABEL else ("a>b", "b>a")
        few_rows = "x,target\n" + "".join(f"{i},{target}\n" for i, target in enumerate(targets))
        ran(app.text_area(key=f"rows_{lesson.key}").set_value(few_rows).run())
        assert not app.error

    def test_one_bad_row_of_a_pasted_table_is_left_out_and_named(self):
        app = session(LEARN, lesson="Neighbours")
        ran(app.text_area(key="rows_knn").set_value("x,ranking\n1,a>b\nred,b>a\n2,b>a\n").run())
        assert not app.error
        assert app.warning[0].value.startswith("Some rows were left out")
        (left_out,) = (t.value for t in app.dataframe if "what to do" in t.value)
        assert left_out["line"].tolist() == [3]
        assert "found 'red', which is not a number" in left_out["message"].iloc[0]

    def test_examples_are_short(self):
        for lesson in LESSONS:
            for example in lesson.examples:
                assert 6 <= example.rows.count("\n") - 1 <= 10
