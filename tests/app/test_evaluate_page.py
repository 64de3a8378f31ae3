"""What is behind the numbers of the page Evaluate."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from labelrank_core import Dataset, KNeighborsMultilabelRanker, Task, load_sample
from labelrank_core.comparison.cases import case_difference
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.error_analysis import label_cases, label_frame, worst_cases
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.methods import ALGORITHMS, BASELINES, ModelChoice, machines
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import format_ranking
from pages.evaluate import breakdown, tables
from pages.evaluate.example import example_of
from pages.ui.render.charts.labels import label_quality, place_errors
from pages.ui.wording import text
from tests import core_says, problems
from tests.app.visits import ROOT, drawn, ran, session

EVALUATE = "pages/evaluate/page.py"
GLASS = load_sample("glass")


def opened(**link):
    return session(EVALUATE, **link)


def show(app, what):
    return ran(app.selectbox(key="behind").set_value(what).run())


def table_with(app, column):
    return next(t.value for t in app.dataframe if column in t.value.columns)


@pytest.fixture(scope="module")
def glass():
    model = core_says.pipeline(n_neighbors=5)
    return evaluate_model(model, GLASS, holdout_split(GLASS))


def test_every_measure_has_its_range_direction_and_definition():
    app = opened(data="outings")
    table = table_with(app, "range")
    by_name = {
        f"{measure.title} {'↑' if measure.greater_is_better else '↓'}": measure
        for measure in METRICS.values()
        if measure.level == "main"
    }
    for name, reach in zip(table["measure"], table["range"], strict=True):
        measure = by_name[name]
        definition = f"**{measure.title}** ({reach}, {measure.better} is better)."
        (shown,) = [each.value for each in app.markdown if each.value.startswith(definition)]
        assert shown.startswith(f"{definition} {measure.definition}")
        # Of a macro or micro measure, a single case has no value.
        assert ("In the example: **" in shown) == measure.has_cases
        assert reach in ("0 to 1", "-1 to 1", "0 or more")
        assert reach.split()[0] == f"{measure.value_range[0]:g}"
    assert {"Macro F1 ↑", "Micro F1 ↑", "AUC ↑", "NDCG ↑", "Coverage ↓"} <= set(table["measure"])


@pytest.mark.parametrize(
    ("ties", "ranked", "precise"),
    [("list of labels", 0.174, 0.756), ("more similar cases", 0.171, 0.759)],
)
def test_the_ranking_predicted_and_the_scores_are_measured_each_by_its_name(ties, ranked, precise):
    app = opened(data="yeast", mlr_tie_breaking=ties)
    table = table_with(app, "range").set_index("measure")
    own = table["k-NN multilabel ranking"]
    assert own["Ranking loss ↓"] == pytest.approx(ranked, abs=5e-4)
    assert own["Ranking loss (raw scores) ↓"] == pytest.approx(0.214, abs=5e-4)
    assert own["Average precision ↑"] == pytest.approx(precise, abs=5e-4)
    assert own["Average precision (raw scores) ↑"] == pytest.approx(0.734, abs=5e-4)


def test_the_cases_of_a_measure_are_the_worst_first_in_words(glass):
    app = show(opened(data="glass"), "Cases by Kendall's tau")
    shown = table_with(app, "predicted")
    expected = worst_cases(GLASS, glass, "kendall_tau_score")
    assert shown["row"].tolist() == (expected["row"] + 1).tolist()
    np.testing.assert_allclose(shown["Kendall's tau"], expected["value"])
    case = expected["case"][0]
    positions = glass.predictions.positions[case]
    assert shown["predicted"][0] == format_ranking(positions, GLASS.label_names)
    assert shown["true"][0] == GLASS.targets_in_words([expected["row"][0]])[0]


def test_the_cases_of_a_label_are_those_in_which_it_is_wrong(glass):
    name = GLASS.label_names[2]
    app = show(opened(data="glass"), f"Cases with a wrong {name}")
    shown, expected = table_with(app, "predicted"), label_cases(GLASS, glass, 2)
    assert shown["row"].tolist() == (expected["row"] + 1).tolist()
    assert shown["positions too far back"].tolist() == expected["value"].tolist()


def test_each_label_has_a_button_with_its_wrong_cases_that_opens_them(glass, monkeypatch):
    app = opened(data="glass")
    (buttons,) = [each for each in app.main if each.type == "button_group"]
    table = label_frame(GLASS, glass).sort_values("mean_error", ascending=False, kind="stable")
    assert [option.content for option in buttons.proto.options] == [
        f"{text.markdown(row.label)}: {row.n_wrong} fragments" for row in table.itertuples()
    ]
    name = GLASS.label_names[2]
    drawn_buttons, state = {}, {}
    monkeypatch.setattr(
        breakdown.choices, "choose", lambda *_, **given: drawn_buttons.update(given)
    )
    monkeypatch.setattr(breakdown.session, "get_state", lambda _: name)
    monkeypatch.setattr(breakdown.session, "set_state", state.__setitem__)
    monkeypatch.setattr(breakdown.drawing, "with_nouns", str)
    breakdown._render_label_buttons(table)
    drawn_buttons["on_change"]()
    assert state == {"behind": f"Cases with a wrong {name}"}


def test_labels_of_sets_are_missed_or_included_wrongly():
    app = show(opened(data="yeast"), "Cases with a wrong Class4")
    shown = table_with(app, "mistake")
    for row in shown.head(20).itertuples():
        said, true = (text.split(", ") for text in (row.predicted, row.true))
        assert row.mistake == ("missed" if "Class4" in true else "included wrongly")
        assert ("Class4" in said) != ("Class4" in true)


def test_no_more_than_200_cases_are_drawn_and_the_file_has_all():
    app = show(opened(data="yeast"), "Cases by Hamming loss")
    assert len(table_with(app, "predicted")) == 200
    # 127 of 917 have no wrong label.
    assert any("The first 200 of 790" in caption.value for caption in app.caption)


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("method", ["Everyone's average", "Nearest single case"])
def test_baselines_have_labels_and_cases_too(method):
    app = opened(data="glass")
    ran(app.selectbox(key="of").set_value(method).run())
    labels = table_with(app, "wrong cases")
    assert len(labels) == GLASS.n_labels
    values = table_with(show(app, "Cases by Position error"), "predicted")["Position error"]
    measures = table_with(app, "range").set_index("measure")
    n_cases = len(holdout_split(GLASS).test)
    assert values.sum() / n_cases == pytest.approx(measures.loc["Position error ↓", method])


def test_cases_without_an_error_are_counted_instead_of_listed(glass):
    app = show(opened(data="glass"), "Cases by Kendall's tau")
    taus = glass.values["kendall_tau_score"]
    assert table_with(app, "predicted")["Kendall's tau"].max() < 1
    assert f"{(taus == 1).sum()} of them are perfect and are not listed." in said(app)


def said(app):
    return " ".join(each.value for each in app.markdown)


def test_the_labels_that_are_placed_worst_and_best_are_said_in_words():
    data = load_sample("iris")
    evaluation = evaluate_model(ModelChoice("knn").build(), data, holdout_split(data))
    errors = label_frame(data, evaluation).set_index("label")["mean_error"]
    worst, best = errors.idxmax(), errors.idxmin()
    expected = (
        f"Predictions miss **{worst}** most, by {errors[worst]:.2f} positions on average, and "
        f"**{best}** least, by {errors[best]:.2f}."
    )
    assert expected in said(opened(data="iris"))


def test_the_baselines_it_clearly_beats_are_named_with_the_difference():
    data = load_sample("iris")
    split = holdout_split(data)
    app = opened(data="iris")
    own = evaluate_model(ModelChoice("knn").build(), data, split).values["kendall_tau_score"]
    consensus = evaluate_model(BASELINES[0].label_ranker, data, split).values["kendall_tau_score"]
    found = case_difference(own, consensus, METRICS["kendall_tau_score"])
    assert found.verdict == "better"
    right = f"{50 * (1 + own.mean()):.0f} of 100 pairs of species are in the right order"
    assert app.header[0].value == right
    assert "Clearly better than everyone's average" in said(app)
    (plot,) = [body for body in drawn(app) if "lr-quality" in body]
    behind = f"clearly behind, by {found.gain:.3f} ({found.low:.3f} to {found.high:.3f})"
    assert behind in plot
    # The row says the distance, and the bar its interval.
    assert f"<small>{behind}</small>" in plot
    assert f">{own.mean():.3f}<" in plot
    (terms,) = re.findall(
        r"Kendall's tau: ([\d.]+)% right − ([\d.]+)% wrong pairs = (\d\.\d+)",
        said(app),
    )
    right_share, wrong_share, tau = map(float, terms)
    assert tau == pytest.approx(own.mean(), abs=5e-5)
    assert right_share + wrong_share == pytest.approx(100)
    assert right_share - wrong_share == pytest.approx(100 * tau)
    assert f">{consensus.mean():.3f}<" in plot


def test_another_measure_gives_another_verdict_and_picture():
    app = opened(data="iris")
    ran(app.selectbox(key="quality_measure").set_value("kendall_distance").run())
    (plot,) = [body for body in drawn(app) if "lr-quality" in body]
    assert "perfect: 0" in plot
    ticks = re.findall(r'left:([\d.]+)%">([\d.]+)</small>', plot)
    places, values = zip(*((float(place), float(value)) for place, value in ticks), strict=True)
    assert len(ticks) > 1
    # Less is better: the values fall from the left to the right.
    assert list(zip(places, values, strict=True)) == list(
        zip(sorted(places, reverse=True), sorted(values), strict=True)
    )
    assert places[values.index(0.0)] == 100
    table = table_with(app, "range").set_index("measure")
    average = table.loc["Kendall distance ↓", "Everyone's average"]
    assert f">{average:.3f}<" in plot


@pytest.mark.parametrize("name", ["iris", "songs", "drinks_calibrated"])
def test_every_measure_of_the_example_is_that_of_its_two_rankings(name):
    data = load_sample(name)
    example = example_of(data)
    # The second and third label change places.
    m = min(data.n_labels, 4)
    if data.task is not Task.MULTILABEL:
        assert example.values["kendall_tau_score"] == pytest.approx(1 - 4 / (m * (m - 1)))
        assert example.values["position_error"] == 0
    if data.task is not Task.LABEL_RANKING:
        assert example.values["hamming_loss"] == pytest.approx(2 / m)
        assert example.values["subset_accuracy_score"] == 0
    assert (
        example_of(Dataset([[0.0]], [[1, 2]], Task.LABEL_RANKING, ["x"], ["a", "b"], "t")) is None
    )


def test_a_difference_on_few_rows_is_not_clear_whichever_way_it_goes():
    app = opened(data="drinks")
    (plot,) = [body for body in drawn(app) if "lr-quality" in body]
    assert "not clear: only 2 cases differ" in plot
    assert any(each.value.startswith("Not clearly different from") for each in app.markdown)


def test_the_number_of_100_that_are_right_is_that_of_the_first_measure():
    songs = load_sample("songs")
    found = evaluate_model(ModelChoice("mlr").build(), songs, holdout_split(songs))
    share = 1 - found.totals["hamming_loss"]
    assert opened(data="songs").header[0].value == f"{100 * share:.0f} of 100 moods are right"


@pytest.mark.usefixtures("everything_open")
def test_what_is_not_offered_for_other_data_falls_back_to_the_labels():
    app = show(opened(data="glass"), "Cases by Kendall's tau")
    ran(app.selectbox(key="data").set_value("outings").run())
    assert app.selectbox(key="behind").value == breakdown.ALL_LABELS
    assert table_with(app, "F1") is not None


def test_a_number_opens_its_cases_and_one_made_of_labels_the_labels(monkeypatch):
    kept = {}
    monkeypatch.setattr(breakdown.session, "set_state", kept.__setitem__)
    breakdown.open_measure("one_error", "m")
    assert kept == {"of": "m", "behind": "Cases by One-error"}
    for key in ("macro_f1_score", "micro_f1_score", "macro_auc_score"):
        breakdown.open_measure(key, "m")
        assert kept["behind"] == breakdown.ALL_LABELS


def test_the_best_values_are_bold_whichever_way_is_better():
    table = pd.DataFrame({"measure": ["u", "d"], "a": [0.5, 0.5], "b": [0.7, 0.7], "c": [0.7, 0.5]})
    styles = tables.bold_best(table, ["a", "b", "c"], [True, False])
    bold = "font-weight: bold"
    assert styles.to_numpy().tolist() == [["", "", bold, bold], ["", bold, "", bold]]


class TestFigures:
    def test_places_and_first_labels(self, glass):
        table = label_frame(GLASS, glass)
        bars, true, predicted = place_errors(table).data
        np.testing.assert_allclose(bars.x, table["mean_error"])
        assert list(bars.text) == [f"{error:.2f}" for error in table["mean_error"]]
        np.testing.assert_allclose(true.x, table["first_share"])
        np.testing.assert_allclose(predicted.x, table["predicted_first_share"])
        assert list(bars.y) == list(true.y) == list(range(GLASS.n_labels))

    @pytest.mark.parametrize(("most", "step"), [(1.0, 0.5), (0.45, 0.2), (0.3, 0.2), (0.02, 0.01)])
    def test_the_axis_of_first_places_has_two_ticks_or_more(self, glass, most, step):
        table = label_frame(GLASS, glass).assign(first_share=most, predicted_first_share=0.0)
        axis = place_errors(table).layout.xaxis2
        assert axis.dtick == step
        assert axis.range[1] > step

    def test_quality_of_label_sets(self):
        data = load_sample("outings")
        model = KNeighborsMultilabelRanker(n_neighbors=3)
        table = label_frame(data, evaluate_model(model, data, holdout_split(data)))
        figure = label_quality(table)
        assert [trace.name for trace in figure.data] == [
            "cases that have it",
            "precision",
            "recall",
            "F1",
            "AUC",
        ]
        columns = ["share", "precision", "recall", "f1", "auc"]
        for trace, column in zip(figure.data, columns, strict=True):
            np.testing.assert_allclose(trace.x, table[column])
        without = label_quality(table.drop(columns="auc"))
        assert len(without.data) == 4

    def test_names_are_text_not_markup(self, glass):
        table = label_frame(GLASS, glass).assign(label=["<b>x</b>", *GLASS.label_names[1:]])
        ticks = place_errors(table).layout.yaxis.ticktext
        assert ticks[0] == "&lt;b&gt;x&lt;/b&gt;"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.usefixtures("jobs_run_here")
@pytest.mark.parametrize("page", ["predict", "evaluate"])
def test_a_method_that_stopped_early_says_so_above_its_results(page, monkeypatch):
    monkeypatch.setattr(machines, "_MOST_PASSES", 1)
    app = session(f"pages/{page}/page.py", data="songs", method="Binary relevance")
    (warning,) = [each.value for each in app.warning if "settled" in each.value]
    assert warning.startswith("Binary relevance stopped before its result had settled.")
    assert "support vector machines stopped after 1 step, before" in warning
    monkeypatch.undo()
    app = session(f"pages/{page}/page.py", data="outings", method="Binary relevance")
    assert not [each for each in app.warning if "settled" in each.value]


@pytest.mark.filterwarnings("ignore::labelrank_core.FewLabelsWarning")
@pytest.mark.parametrize("page", ["predict", "evaluate"])
def test_too_few_predicted_labels_are_explained_with_what_to_set(page):
    app = with_sets(f"pages/{page}/page.py", mlr_n_virtual_labels=1)
    (warning,) = [each.value for each in app.warning if "labels on average" in each.value]
    value = int(re.search(r"Set Virtual labels \(p\) to (\d+) to predict \d\.\d\d\.$", warning)[1])
    assert "With p = 1, about 92% of the similar cases must have a label." in warning
    app = with_sets(f"pages/{page}/page.py", mlr_n_virtual_labels=value)
    assert not [each for each in app.warning if "labels on average" in each.value]


def with_sets(page, **link):
    """Open a page on sparse label sets, with a case for which nothing is predicted at p = 1."""
    dataset = problems.sparse_label_sets(150)
    split = holdout_split(dataset)
    model = ModelChoice("mlr").build().fit(dataset.X[split.train], dataset.Y[split.train])
    empty = split.test[np.flatnonzero(~model.predict(dataset.X[split.test]).any(axis=1))[0]]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app._page_hash = calc_hash(Path(page).parent.name)
    app.session_state["_own_data"] = {"sets (mine)": dataset}
    title = ALGORITHMS["mlr"].title
    for name, value in {"data": "sets (mine)", "method": title, "row": empty + 1, **link}.items():
        app.query_params[name] = str(value)
    return ran(app.run())
