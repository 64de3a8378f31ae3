"""What Predict offers beyond the steps: what if, how sure, comparing, taking along; and lessons."""

import html
import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import labelrank_core
from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.what_if import features_of, smallest_change, sweep
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.learn import dragging
from pages.predict import report
from pages.ui import compute
from pages.ui.results.models import Case
from pages.ui.view import View
from tests.app.visits import (
    ROOT,
    drawn,
    facts,
    few,
    few_params,
    first_of_cards,
    go_to,
    headings,
    python_lines,
    ran,
    scroll_to,
    sentences,
    session,
)

PREDICT, LEARN = "pages/predict/page.py", "pages/learn/page.py"
VIEWS = ("Why", "What if", "How sure")
SAMPLES = {key: "iris" if each.learns_rankings else "songs" for key, each in ALGORITHMS.items()}


def predict(**link):
    return session(PREDICT, **link)


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_every_view_of_every_method_works(key):
    sample = "drinks" if ALGORITHMS[key].learns_rankings else "outings"
    app = predict(data=sample, method=ALGORITHMS[key].title, **few(key))
    assert ALGORITHMS[key].title in facts(app)
    assert len(first_of_cards(app)) == 5
    assert all("<h2>" in first.value for first in first_of_cards(app))
    for words in VIEWS:
        scroll_to(app, words)
        assert headings(app)
        assert not app.error


@pytest.mark.parametrize("seed", [1, 2])
def test_cases_to_choose_from_are_the_test_part_of_the_split(seed):
    app = predict(data="iris", seed=str(seed))
    assert app.number_input(key="seed").value == seed
    data = load_sample("iris")
    rows = holdout_split(data, kind="random", seed=seed).test
    ran(app.button(key="browse_cases").click().run())
    (shown,) = [t.value for t in app.dataframe if {"row", "truth"} <= set(t.value.columns)]
    assert (shown["row"] == rows + 1).all()
    assert shown["truth"].tolist() == data.targets_in_words(rows)
    assert np.allclose(shown[list(data.feature_names)], data.X[rows])


@pytest.mark.usefixtures("everything_open")
def test_what_if_says_what_the_core_says():
    app = scroll_to(predict(), "What if")
    data = load_sample("iris")
    row = int(app.number_input(key="row").value) - 1
    choice = ModelChoice("knn").with_params(n_neighbors=5)
    split = holdout_split(data, kind="random")
    train = split.train[split.train != row]
    model = choice.build().fit(data.X[train], data.rankings[train])
    shown = next(t.value for t in app.dataframe if "change to" in t.value.columns)
    for feature in features_of(data):
        change = smallest_change(sweep(model, data.X[row], feature))
        line = shown[shown["feature"] == feature.column.name]
        assert len(line) == (change is not None)
        if change is not None:
            assert line["of its range"].iloc[0] == pytest.approx(100 * change.share)
            assert line["then first"].iloc[0] == data.label_names[change.new_label]
            assert f"{change.limit:.4g}" in line["change to"].iloc[0]


@pytest.mark.usefixtures("everything_open")
def test_how_sure_leaves_the_case_out_and_says_each_thing_once():
    app = scroll_to(predict(data="vehicle"), "How sure")
    similar = next(t.value for t in app.dataframe if "truth" in t.value.columns
                   and "predicted" in t.value.columns)  # fmt: skip
    row = int(app.number_input(key="row").value)
    assert row not in similar["row"].tolist()
    assert (np.diff(similar["distance"]) >= 0).all()
    said = " ".join(sentences(app))
    assert re.search("other test vehicles (are|is) less sure", said)
    # Right or wrong, and the two rankings, stand in the answer above.
    drawn = [each.value for each in app.main if type(each).__name__ == "Html"]
    assert sum("pairs of models are" in each for each in drawn) == 1
    assert sum("lr-sides" in each for each in drawn) <= 1
    assert sum("lr-squares" in each for each in drawn) == 1


def test_many_features_are_compared_only_when_asked():
    app = predict(data="yeast")
    assert not any("lr-waterfall" in body for body in drawn(app))
    ran(app.toggle(key="reasons").set_value(True).run())
    assert any("lr-waterfall" in body for body in drawn(app))


def test_a_ranking_is_not_judged_as_a_label_set_where_the_data_have_a_zero_line():
    data = load_sample("drinks_calibrated")
    for key, each in ALGORITHMS.items():
        if key in ("knn", "mlr"):
            app = scroll_to(predict(data=data.name, method=each.title), "How sure")
            said = " ".join(drawn.value for drawn in app.main if type(drawn).__name__ == "Html")
            assert ("pairs of drinks are" in said) == each.learns_rankings
            assert ("on the right side of the zero line" in said) == (not each.learns_rankings)


def test_a_pinned_prediction_is_compared_with_another_method():
    app = predict()
    before = sentences(app)[0]
    ran(
        next(button for button in app.button if button.label == "Pin this prediction").click().run()
    )
    ran(app.selectbox(key="method").set_value("Label-ranking random forest").run())
    now = sentences(app)[0]
    assert now != before
    scroll_to(app, "Side by side")
    assert "Pinned and now" in headings(app)
    drawn = [each.value for each in app.main if "lr-sides" in str(getattr(each, "value", ""))]
    heads = [re.findall('<span class="head">([^<]*)</span>', each) for each in drawn]
    assert heads.count(["Pinned", "Now"]) == 1
    assert any("Both have the same feature values" in each.value for each in app.caption)
    ran(next(button for button in app.button if button.label == "Unpin").click().run())
    assert not [button for button in app.button if button.label == "Unpin"]
    assert "Pinned and now" not in headings(app)


@cache
def learned(name, key):
    """A method and the model of the training part of a sample, which no test changes."""
    data = load_sample(name)
    choice = ModelChoice(key).with_params(**few_params(key))
    train = holdout_split(data, kind="random").train
    return choice, choice.build().fit(data.X[train], choice.algorithm.targets(data, train))


def drawn_case(name, key):
    data, (choice, model) = load_sample(name), learned(name, key)
    split = holdout_split(data, kind="random")
    row = int(split.test[0])
    explanation = model[-1].explain(model[:-1].transform(data.X[[row]])[0])
    return View(data, choice, split, row, {}), Case(data.X[row], explanation, split.train)


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_the_json_holds_the_whole_explanation(key):
    asked, case = drawn_case(SAMPLES[key], key)
    data = asked.dataset
    whole = json.loads(report.as_json(asked, case, ["lines"]))
    assert whole["positions"] == case.explanation.positions.tolist()
    assert whole["prediction"] == case.explanation.prediction.tolist()
    assert [step["title"] for step in whole["steps"]] == [s.title for s in case.explanation.steps]
    for step, own in zip(whole["steps"], case.explanation.steps, strict=True):
        assert step["text"] == own.text.plain(data.label_names, data.nouns)
        frame = own.evidence.frame(data.label_names)
        assert step["table"]["columns"] == list(frame.columns)
        assert len(step["table"]["data"]) == len(frame)
    assert [each["value"] for each in whole["features"]] == pytest.approx(
        data.X[asked.row].tolist()
    )


def written(name, key, dataset=None):
    """The report of a case as a web page, and what it is about."""
    asked, case = drawn_case(name, key)
    data = asked.dataset
    if dataset is not None:
        asked = replace(asked, dataset=dataset)
    link = f"http://127.0.0.1:8501/predict?data={data.name}&row={asked.row + 1}"
    return report.web_page(asked, case, ["a < b"], link), asked, case


def check_words_and_bar(page):
    """Find parts as wide as the words below them say, and the mark in the middle of its part."""
    (bar,) = re.findall('<div class="lr lr-standing">.*?</div></div>', page)
    n = int(re.search(r"compared with (\d+) (?:of the \d+ )?test \w+:<", bar)[1])
    counts = {
        title: int(count) for count, title in re.findall(r">(\d+) (less sure|as sure|surer)<", bar)
    }
    assert sum(counts.values()) == n
    less, equal = counts.get("less sure", 0), counts.get("as sure", 0)
    widths = [float(width) for width in re.findall(r'<i class="\w+" style="width:([\d.]+)%"', bar)]
    expected = [100 * part / n for part in (less, equal, n - less - equal)]
    assert widths == pytest.approx(expected, abs=0.051)
    mark = float(re.search(r'<b style="left:([\d.]+)%"', bar)[1])
    assert mark == pytest.approx(100 * (less + equal / 2) / n, abs=0.051)


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_the_web_page_answers_every_question_in_little_room(key):
    page, asked, case = written(SAMPLES[key], key)
    assert len(page.encode()) < 200_000
    assert "<script" not in page
    assert page.count("data:font/woff2;base64,") == 2
    assert set(re.findall('(?:src|href)="([^",?]*)', page)) <= {
        "data:image/svg+xml;base64",
        "http://127.0.0.1:8501/predict",
    }
    assert '<meta name="viewport"' in page
    names, nouns = asked.dataset.label_names, asked.dataset.nouns
    said = " ".join(html.unescape(re.sub("<[^>]+>", "", page)).split())
    assert case.explanation.summary.plain(names, nouns) in said
    headings = re.findall("<h2>(.*?)</h2>", page)
    assert headings[0] == "What is predicted"
    assert headings[1] in (
        "Who was asked?", "What was weighed?", "Which questions led here?",
        nouns.insert("Which of two labels is ahead?"),
    )  # fmt: skip
    # A glossary, if any, comes last.
    chapters_after = ["What made the difference?", "What if?", "Can I rely on it?"]
    assert headings[2:5] == chapters_after
    assert ("with a probability of at least 90%" in said) == asked.choice.algorithm.learns_rankings
    check_words_and_bar(page)
    for step in case.explanation.steps:
        assert step.text.plain(names, nouns) in said
    assert f"LabelRank Lab {labelrank_core.__version__}" in said
    assert str(datetime.now(UTC).astimezone().year) in said
    assert f'href="http://127.0.0.1:8501/predict?data={asked.dataset.name}&amp;row=' in page
    assert "a < b" in said


def test_the_web_page_puts_the_values_of_the_case_beside_its_neighbours():
    page, asked, case = written("iris", "knn")
    near = case.training_rows[case.explanation.evidence(Neighbors).rows]
    (beside,) = re.findall('<table><thead><tr><td></td><th class="text">flower.*?</table>', page)
    rows = [re.findall("<td[^>]*>([^<]*)", row) for row in beside.split("<tr")[2:]]
    assert [row[1] for row in rows] == [f"row {row + 1}" for row in (asked.row, *near[:5])]
    order = re.findall("<th>([^<]+)", beside)
    assert sorted(order) == sorted(asked.dataset.feature_names)
    values = asked.dataset.feature_frame([asked.row, *near[:5]])[order]
    assert [[float(cell) for cell in row[2:6]] for row in rows] == values.to_numpy().tolist()


def test_the_web_page_says_what_the_data_are_and_what_puts_a_label_first():
    page, asked, _ = written("iris", "knn")
    sample = compute.known_sample(asked.dataset)
    assert html.escape(sample.summary) in page
    assert f"<p>{html.escape(sample.ranked_by)} " in page


def test_the_web_page_explains_the_terms_it_uses_and_no_others():
    terms = {
        key: set(re.findall("<dt>(.*?)</dt>", written(SAMPLES[key], key)[0]))
        for key in ("knn", "mlknn")
    }
    assert {"Mean rank", "Confidence", "Kemeny"} <= terms["knn"]
    assert "Prior" not in terms["knn"]
    assert {"Prior", "Posterior", "Likelihood"} <= terms["mlknn"]
    assert "Kemeny" not in terms["mlknn"]


def test_the_web_page_holds_names_as_text():
    data = load_sample("iris")
    columns = tuple(
        replace(column, name=f"<script>{column.name}</script>") for column in data.schema.columns
    )
    nasty = replace(
        data,
        name="<i>fruit</i>",
        label_names=("<b>x</b>", '"><img src=x onerror=alert(1)>', "a<br>b"),
        feature_names=tuple(column.name for column in columns),
        schema=replace(data.schema, columns=columns),
    )
    page, _, _ = written("iris", "knn", nasty)
    assert not re.search("<(script|img src=x|i|br)>", page)
    assert "&lt;i&gt;fruit&lt;/i&gt;" in page
    assert "&lt;script&gt;" in page


class TestPlayground:
    def test_the_playground_names_winners_and_cycles(self):
        app = session(LEARN, lesson="Aggregation playground")
        said = " ".join(each.value for each in app.markdown)
        assert "squared rank differences" in said
        (verdict,) = [each.value for each in app.header if "first." in each.value]
        assert verdict == "7 of 8 rules put pizza first. Borda (mean rank) puts sushi first."
        ran(app.selectbox(key="rankings_of").set_value("Condorcet's circle").run())
        assert "contain a preference cycle" in app.warning[0].value
        (verdict,) = [each.value for each in app.header if "first place." in each.value]
        assert verdict == "All 8 rules have a tie for the first place."
        area = next(each for each in app.text_area if each.key.startswith("rankings_"))
        ran(area.set_value("*b* > a\n*b* > a").run())
        assert any(each.value == r"All 8 rules put \*b\* first." for each in app.header)

    @pytest.mark.usefixtures("everything_open")
    def test_the_playground_shows_the_numbers_that_decide_and_the_majorities(self):
        app = session(LEARN, lesson="Aggregation playground")
        # pizza > sushi > curry > salad twice, sushi > curry > salad > pizza once; drawn by name.
        deciding = next(t.value for t in app.dataframe if "label" in t.value.columns)
        assert deciding["Borda (mean rank): mean rank"].round(2).tolist() == [2.67, 2, 3.67, 1.67]
        assert deciding["median rank: median rank"].tolist() == [3, 1, 4, 2]
        pairs = next(t.value for t in app.dataframe if "ahead of pizza" in t.value.columns)
        assert pairs["ahead of pizza"].tolist() == [1, 0, 1, 1]
        drawn = " ".join(each.value for each in app.main if type(each).__name__ == "Html")
        assert drawn.count("<small>decides</small>") == 8
        said = " ".join(each.value for each in app.markdown)
        assert "**pizza** beats every other label: the Condorcet winner." in said

    @pytest.mark.usefixtures("everything_open")
    def test_the_playground_finds_rankings_on_which_two_rules_differ(self):
        app = session(LEARN, lesson="Aggregation playground")
        seen = set()
        for rules_asked in (None, ("Kemeny optimum", "median rank"), None):
            button = next(each for each in app.button if "two rules differ" in each.label)
            ran(button.click().run())
            if rules_asked is not None:
                ran(app.selectbox(key="differ_one").set_value(rules_asked[0]).run())
                ran(app.selectbox(key="differ_other").set_value(rules_asked[1]).run())
            rules = next(t.value for t in app.dataframe if "rule" in t.value.columns)
            orders = dict(zip(rules["rule"], rules["consensus"], strict=True))
            one, other = (app.selectbox(key=f"differ_{each}").value for each in ("one", "other"))
            assert orders[one][0] != orders[other][0]
            seen.add(app.text_area[0].value)
        assert (one, other) == ("Kemeny optimum", "median rank")
        assert app.number_input(key="differ_number").value == 3
        assert len(seen) == 3

    @pytest.mark.usefixtures("everything_open")
    def test_the_playground_opens_a_file_of_rankings_with_their_counts(self):
        head = "".join(
            f"# ALTERNATIVE NAME {i}: {name}\n"
            for i, name in enumerate(("soup", "salad", "rice"), 1)
        )
        lunch = f"# NUMBER ALTERNATIVES: 3\n{head}12: 1,2,3\n9: 2,{{1,3}}\n"
        app = session(LEARN, lesson="Aggregation playground")
        ran(app.file_uploader[0].set_value(("lunch.toi", lunch.encode(), "text/plain")).run())
        assert app.text_area[0].value == "12: soup > salad > rice\n9: salad > soup = rice"
        # Mean ranks (12 + 9 * 2.5) / 21 of soup and (24 + 9) / 21 of salad; 12 of 21 prefer soup.
        rules = next(t.value for t in app.dataframe if "rule" in t.value.columns)
        orders = dict(zip(rules["rule"], rules["consensus"], strict=True))
        assert orders["Borda (mean rank)"] == "salad > soup > rice"
        assert orders["Kemeny optimum"] == "soup > salad > rice"
        ran(app.text_area[0].set_value("12: soup > salad > rice\nsalad > soup = rice").run())
        rules = next(t.value for t in app.dataframe if "rule" in t.value.columns)
        assert set(rules["consensus"]) == {"soup > salad > rice"}

    @pytest.mark.usefixtures("everything_open")
    def test_a_file_of_many_rankings_is_aggregated_without_being_typed(self):
        orders = "".join(f"2: {','.join(map(str, order))}\n" for order in permutations(range(1, 6)))
        file = f"# NUMBER ALTERNATIVES: 5\n{orders}3: 5,4,3,2,1\n"
        app = session(LEARN, lesson="Aggregation playground")
        ran(app.file_uploader[0].set_value(("many.soc", file.encode(), "text/plain")).run())
        assert not app.text_area
        assert any("243 rankings, 120 of them different" in c.value for c in app.main.caption)
        rules = next(t.value for t in app.dataframe if "rule" in t.value.columns)
        orders = dict(zip(rules["rule"], rules["consensus"], strict=True))
        assert orders["Borda (mean rank)"] == orders["Kemeny optimum"] == "5 > 4 > 3 > 2 > 1"

    @pytest.mark.parametrize(
        "file", [("x.csv", b"a,b\n1,2\n2,1\n"), ("x.soc", b"\x00\x01"), ("x.soc", b"")]
    )
    def test_the_playground_says_what_is_no_file_of_rankings(self, file):
        app = session(LEARN, lesson="Aggregation playground")
        ran(app.file_uploader[0].set_value((*file, "text/plain")).run())
        assert app.error[0].value.startswith("This")
        assert not app.text_area

    @pytest.mark.parametrize(
        "sent",
        [
            None,
            "moved",
            {"ranking": 0},
            [],
            [[["tea"]]],
            3,
            [3],
            [["tea", 3]],
            [[["tea"], ["tea"]]],
            [[["tea"], []]],
            [[["<b>"]]],
            [[[["tea"]]]],
            [[[1.5]]],
        ],
    )
    def test_what_no_dragging_sends_moves_nothing(self, sent, monkeypatch):
        data = load_sample("drinks")
        assert "tea" in data.label_names
        if isinstance(sent, list) and sent and sent != [[["tea"]]]:
            sent = [*sent, *[[["tea"]]] * (data.n_samples - 1)]
        monkeypatch.setattr(dragging.session, "get_state", lambda *_: {"moved": sent})
        moves = []
        dragging.pass_on("key", data, moves.append)
        assert moves == []

    def test_what_is_dragged_is_passed_on_with_all_rankings(self, monkeypatch):
        data = load_sample("drinks")
        a, b, c = data.label_names[:3]
        sent = [[[c], [a, b]], *[[[a], [b]]] * (data.n_samples - 1)]
        monkeypatch.setattr(dragging.session, "get_state", lambda *_: {"moved": sent})
        moves = []
        dragging.pass_on("key", data, moves.append)
        assert moves == [sent]

    def test_a_ranking_that_is_none_is_said_so(self):
        app = session(LEARN, lesson="Aggregation playground")
        area = next(each for each in app.text_area if each.key.startswith("rankings_"))
        ran(area.set_value("a > a > b\n").run())
        assert app.error
        ran(area.set_value("a > b\na > a > b\nb > a\n").run())
        assert not app.error
        assert app.warning[0].value.startswith("Some rows were left out")


def test_the_python_lines_reproduce_the_prediction():
    app = predict(data="drinks")
    code = python_lines(app)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = html.unescape(done.stdout)
    assert sentences(app)[0].split(" because")[0].split(" share")[0] in said


def test_pins_belong_to_their_data():
    app = predict()
    ran(
        next(button for button in app.button if button.label == "Pin this prediction").click().run()
    )
    scroll_to(app, "Side by side")
    for name, n_pins in (("vehicle", 0), ("iris", 1)):
        ran(app.selectbox(key="data").set_value(name).run())
        assert len([button for button in app.button if button.label == "Unpin"]) == n_pins


def test_what_a_setting_changes_is_said_and_forgotten_with_the_case():
    app = session(data="songs")

    def moved():
        return [
            each.proto.body for each in app.get("html") if 'class="lr moved"' in each.proto.body
        ]

    assert not moved()
    ran(app.slider(key="mlr_n_neighbors").set_value(1).run())
    assert "Similar songs (k) 10 → 1: " in moved()[0]
    go_to(app, "pages/predict/page.py")
    assert "Similar songs (k) 10 → 1: " in moved()[0]
    ran(app.number_input(key="row").set_value(11).run())
    assert not moved()


def test_blended_methods_without_an_explanation_of_their_own_are_named():
    app = predict(data="songs", method="Best blend for label sets")
    (pills,) = [each for each in app.button_group if each.label == "Open the explanation of"]
    row = int(app.number_input(key="row").value) - 1
    data = load_sample("songs")
    train = holdout_split(data).train
    train = train[train != row]
    model = ModelChoice("stacked_multilabel").build().fit(data.X[train], data.relevance[train])
    silent = [name for name, own in model[-1].members_.items() if not hasattr(own, "explain")]
    assert "extra trees" in silent
    assert not set(silent) & set(pills.options)
    said = f"Without an explanation of their own: {', '.join(silent)}."
    assert any(said in each for each in drawn(app))


def test_the_explanation_of_every_blended_method_opens():
    data = load_sample("glass")
    app = predict(data="glass", method="Best blend of methods")
    row = int(app.number_input(key="row").value) - 1
    split = holdout_split(data, kind="random")
    train = split.train[split.train != row]
    model = ModelChoice("stacked").build().fit(data.X[train], data.rankings[train])
    members = model[-1].members_
    assert len(members) > 1
    (pills,) = [each for each in app.button_group if each.label == "Open the explanation of"]
    assert set(pills.options) == set(members)
    x = model[:-1].transform(data.X[[row]])[0]
    for name, member in members.items():
        app.session_state[pills.key] = name
        said = sentences(ran(app.run()))
        for step in member.explain(x).steps:
            if step.title != "Confidence":
                assert step.text.plain(data.label_names, data.nouns) in said
