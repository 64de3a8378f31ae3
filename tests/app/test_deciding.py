"""The section of Evaluate that decides for a measure."""

import re

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.decisions import tuned_rules
from labelrank_core.evaluation.decisions.trade_off import MEASURES
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import METRICS
from pages.ui.render.charts.decisions import rule_matrix, threshold_spans, trade_off
from tests.app.visits import python_lines, ran, session

EVALUATE = "pages/evaluate/page.py"
QUESTION = "What should be good?"
GOOD = {
    "Right decisions": "hamming",
    "Rare labels too": "macro_f1",
    "Labels overall": "micro_f1",
    "Whole sets": "subset",
    "The order": "ranking",
}
METHODS = ["k-NN multilabel ranking", "ML-kNN", "Shared-subspace least squares"]


@pytest.fixture(scope="module")
def decisions():
    data = load_sample("outings")
    return tuned_rules(ModelChoice("mlr", (("n_neighbors", 3),)), data, holdout_split(data))


def said(app):
    words = [*app.markdown, *app.caption]
    return " ".join(f"{element.value} {element.proto.help}" for element in words)


@pytest.mark.parametrize("method", METHODS)
def test_every_answer_has_a_rule_for_every_method(method):
    app = session(EVALUATE, data="outings", method=method)
    assert app.segmented_control(key="good").label == QUESTION
    assert "tuned" not in said(app)
    for answer in GOOD:
        ran(app.segmented_control(key="good").set_value(answer).run())
        assert "the method's own rule has" in said(app)
        assert len(app.selectbox(key="against").options) == len(MEASURES) - 1


def test_the_sentence_says_what_the_core_finds():
    app = session(EVALUATE, data="yeast", method=METHODS[0])
    ran(app.segmented_control(key="good").set_value("Rare labels too").run())
    data = load_sample("yeast")
    choice = ModelChoice("mlr")
    table = tuned_rules(choice, data, holdout_split(data)).frame().set_index("rule")
    own, rule = table.loc["own"], table.loc["macro_f1"]
    words = said(app)
    assert f"predicts **{rule['labels_per_case']:.1f}** labels per case" in words
    assert f"Macro F1 is **{rule['macro_f1_score']:.3f}**" in words
    assert f"own rule has {own['macro_f1_score']:.3f}" in words
    assert f"Hamming loss {own['hamming_loss']:.3f} → {rule['hamming_loss']:.3f}" in words
    assert "from p = 1 to p = 128: one threshold per case" in words


def test_rankings_without_a_zero_line_have_nothing_to_decide():
    app = session(EVALUATE, data="iris")
    assert "Decide for a measure" not in [heading.value for heading in app.header]


@pytest.mark.parametrize("scaled", ["true", "false"])
def test_the_python_lines_run_and_decide_as_shown(scaled, capsys):
    app = session(EVALUATE, data="outings", method=METHODS[2], scaled=scaled)
    ran(app.segmented_control(key="good").set_value("Labels overall").run())
    lines = python_lines(app)
    assert 'rule("micro_f1")' in lines
    assert f"scaled={scaled == 'true'}" in lines
    names = {}
    exec(lines, names)
    assert "micro F1" in capsys.readouterr().out
    value = names["decisions"].against_own("micro_f1").set_index("measure")["value"]
    assert f"Micro F1 is **{value['micro_f1_score']:.3f}**" in said(app)


def test_the_thresholds_are_drawn_most_frequent_label_first(decisions):
    table = decisions.label_frame("macro_f1", load_sample("outings").label_names)
    figure = threshold_spans(table)
    tuned = next(trace for trace in figure.data if trace.name == "tuned threshold")
    order = table.sort_values("frequency", ascending=False, kind="stable")
    assert tuned.x == pytest.approx(order["threshold"])
    assert list(figure.layout.yaxis.ticktext) == list(order["label"])
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]


def test_of_many_labels_those_that_move_most_are_drawn(decisions):
    table = decisions.label_frame("macro_f1", list("abcde"))
    many = table.loc[np.repeat(0, 50)].reset_index(drop=True)
    many["threshold"] = np.arange(50.0)
    many["own_threshold"] = 0.0
    figure = threshold_spans(many)
    assert sorted(figure.data[-1].x) == list(range(20, 50))


def test_every_rule_has_a_mark_and_the_better_corner_is_named(decisions):
    table = decisions.frame()
    loss, score = METRICS["hamming_loss"], METRICS["macro_f1_score"]
    knob = ALGORITHMS["mlr"].path_knobs["n_virtual_labels"]
    figure = trade_off(table, loss, score, "macro_f1", (knob, decisions.zero_line))
    marks = {trace.name.replace("<br>", " "): (trace.x[0], trace.y[0]) for trace in figure.data[1:]}
    assert marks == {
        row.title: (row.hamming_loss, row.macro_f1_score) for row in table.itertuples()
    }
    assert figure.data[0].x == pytest.approx(decisions.zero_line["hamming_loss"])
    texts = [note.text for note in figure.layout.annotations]
    assert texts[-1] == "better ↖"
    assert [text for text in texts if re.match("p = ", text)] == ["p = 1", "p = 128"]


def test_the_best_of_each_measure_is_darkest(decisions):
    table = decisions.frame()
    picture = rule_matrix(table, [METRICS[key] for key in MEASURES])
    best = {"hamming_loss": "min", "ranking_loss": "min"}
    n_best = sum(
        (table[key] == table[key].agg(best.get(key, "max"))).sum()
        for key in MEASURES
        if table[key].nunique() > 1
    )
    assert picture.markup.count("--t:100%") == n_best
    assert f"Hamming loss {table['hamming_loss'].min():.3f} by" in picture.alt


def test_a_method_that_decides_on_whole_sets_has_no_thresholds_to_draw():
    data = load_sample("outings")
    choice = ModelChoice("mlr", (("decision", "f1"), ("n_neighbors", 3)))
    decisions = tuned_rules(choice, data, holdout_split(data))
    figure = threshold_spans(decisions.label_frame("macro_f1", data.label_names))
    assert "own threshold" not in [trace.name for trace in figure.data]
    assert len(figure.data[-1].x) == data.n_labels
    app = session(
        EVALUATE, data="outings", method=METHODS[0], mlr_decision="the set with the best F1"
    )
    ran(app.segmented_control(key="good").set_value("Whole sets").run())
    assert "Optimised for, measured by" in said(app)
