"""What adding costs: a method is one file and its lines in the catalog, a measure one function and
one entry, a page one folder and one line, a format one file and one entry; nothing else of the
project has to know.
"""

import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from labelrank_core import load_sample
from labelrank_core.__main__ import main
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.experiments import DataSource, Experiment, Method, Protocol, read_config
from labelrank_core.experiments.plan import tuning_grid
from labelrank_core.experiments.store import Store
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.methods.algorithm import LABEL_RANKER, MULTILABEL_RANKER, Algorithm
from labelrank_core.methods.params import Knob
from labelrank_core.metrics import registry
from labelrank_core.metrics.registry import Measure
from pages.ui import compute
from tests import parts_open, toys
from tests.app import visits
from tests.app.visits import facts, go_to, ran, session

EXPERIMENTS = "pages/experiments/page.py"
CACHES = shutil.ignore_patterns("__pycache__")
FIRST = Knob(
    "n_first",
    "First cases (f)",
    "How many cases count.",
    low=1,
    high=20,
    at_most_cases=True,
    on_path=True,
    up_to_fitted=True,
    tuned=(1, 3, 999),
)
PULL = Knob(
    "pull",
    "Pull (π)",
    "How flat the line is.",
    low=1,
    high=100,
    scale="powers of 10",
    zero=True,
    ends=("free line", "flat line"),
    on_path=True,
    tuned=(0.0, 1.0),
)
MIDDLE = Knob(
    "middle",
    "Middle",
    "Through which point.",
    choices=(("mean", "the mean"), ("median", "the median")),
    tuned=("mean", "median"),
    basic=False,
)
LIFT = Knob("lift", "Lift (l)", "How high the line is.", low=0, high=3, on_path=True)


def entry(**lines):
    return Algorithm(
        family="toys",
        references=("Nobody: Nothing. Nowhere.",),
        summary="Draws a line.",
        seconds=lambda size, params: 1e-6 * size.n_cases * params["n_first"],
        **lines,
    )


TOYS = (
    entry(
        key="toy",
        title="Toy ranker",
        tasks=LABEL_RANKER,
        estimator=toys.ToyRanker,
        knobs=(FIRST, PULL, MIDDLE),
        incomplete="It takes the middle rank.",
        votes="points of the line",
        figures={("n_first", "pull"): "Fig. 1 of nobody.", ("pull",): "Fig. 2 of nobody."},
    ),
    entry(
        key="toysets",
        title="Toy sets",
        tasks=MULTILABEL_RANKER,
        estimator=toys.ToySets,
        knobs=(FIRST, PULL, MIDDLE, LIFT),
        zero_line="lift",
    ),
)
SAMPLES = {"toy": "iris", "toysets": "outings"}


@pytest.fixture(autouse=True)
def methods(monkeypatch):
    """The catalog with two methods more, each an estimator and its entry."""
    for toy in TOYS:
        monkeypatch.setitem(ALGORITHMS, toy.key, toy)
    compute._cache.clear()
    # Tables are drawn once they are open.
    parts_open.set_open(monkeypatch, parts_open.every)


def words(app):
    shown = [*app.markdown, *app.caption, *app.info, *app.header, *app.title]
    return " ".join(f"{each.value} {getattr(each.proto, 'help', '')}" for each in shown)


def run(code):
    """Run Python lines that a page shows; what they define."""
    made = {}
    exec(compile(code, "shown", "exec"), made)
    return made


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.key)
def test_every_page_shows_a_method_that_only_the_catalog_knows(toy):
    app = session(data=SAMPLES[toy.key], method=toy.title)
    for page in visits.PAGES:
        go_to(app, page)
        assert toy.title in facts(app)
        assert not app.error, page


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.key)
def test_its_link_restores_what_was_chosen_and_its_python_lines_run(toy):
    app = session(data=SAMPLES[toy.key], method=toy.title)
    ran(app.slider(key=f"{toy.key}_n_first").set_value(7).run())
    ran(app.select_slider(key=f"{toy.key}_pull").set_value(10.0).run())
    ran(app.selectbox(key=f"{toy.key}_middle").set_value("median").run())
    chosen = {"n_first": 7, "pull": 10, "middle": "median"}
    link = {f"{toy.key}_{name}": value for name, value in chosen.items()}
    link[f"{toy.key}_middle"] = "the median"
    again = session(data=SAMPLES[toy.key], method=toy.title, **link)
    assert "First cases (f) 7, Pull (π) 10" in facts(again)
    moved, *others = [each for each in visits.sentences(app) if each.startswith("Middle the mean")]
    assert moved.startswith("Middle the mean → the median: ")
    assert others == []
    assert visits.sentences(again) == [s for s in visits.sentences(app) if s != moved]
    go_to(again, "pages/predict/page.py")
    made = run(visits.python_lines(again))
    assert made["model"].get_params().items() >= chosen.items()
    assert made["explanation"].summary.plain(made["data"].label_names) in visits.sentences(again)[0]
    for view in ("What if", "How sure"):
        visits.scroll_to(again, view)
        assert len(again.main.get("plotly_chart")) > 0


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.key)
def test_sensitivity_draws_its_figures(toy):
    app = go_to(
        session(data=SAMPLES[toy.key], method=toy.title, tested_on="2 folds"),
        "pages/sensitivity/page.py",
    )
    (control,) = [each for each in app.main if each.type == "button_group"]
    expected = {
        "toy": ["First cases (f)", "Pull (π)", "f and π", "Missing labels"],
        "toysets": ["First cases (f)", "Pull (π)", "Lift (l)"],
    }
    titles, nouns = expected[toy.key], load_sample(SAMPLES[toy.key]).nouns
    assert [option.content for option in control.proto.options] == [*map(nouns.insert, titles)]
    captions = {"f and π": "Fig. 1 of nobody.", "Pull (π)": "Fig. 2 of nobody.",
                "Missing labels": "It takes the middle rank."}  # fmt: skip
    for title in titles:
        app.session_state[f"vary_{toy.key}"] = title
        ran(app.run())
        curves = [
            curve
            for curve in app.main.get("bidi_component")
            if curve.proto.component_name == "labelrank_value_curve"
        ]
        assert len(app.main.get("plotly_chart")) + len(curves) == 1
        if toy.figures:
            assert captions.get(title, "") in words(app)
        run(visits.python_lines(app))


def test_pairs_are_withheld_by_what_it_says_votes():
    app = session(data="iris", method=TOYS[0].title, held_back="Pairs")
    go_to(app, "pages/confidence/page.py")
    assert "of the points of the line" in app.slider(key="agree").label
    # Methods without votes name the first that have some, and count the others.
    able = [each.title for each in ALGORITHMS.values() if each.votes]
    assert TOYS[0].title in able
    silent = next(each for each in ALGORITHMS.values() if each.learns_rankings and not each.votes)
    app = session(data="iris", method=silent.title, held_back="Pairs")
    go_to(app, "pages/confidence/page.py")
    assert f"{', '.join(able[:3])} and {len(able) - 3} other methods" in words(app)
    app = session(data="outings", method=TOYS[1].title, held_back="Pairs")
    go_to(app, "pages/confidence/page.py")
    assert "predicts label sets and takes no votes" in words(app)


def test_its_sets_are_decided_for_a_measure_along_its_own_line():
    app = session(data="outings", method=TOYS[1].title, good="Rare labels too")
    go_to(app, "pages/evaluate/page.py")
    assert "from l = 0 to l = 3" in words(app)
    assert any("lift" in table.value.columns for table in app.dataframe)
    assert len(run(visits.python_lines(app))["decisions"].frame()) > 1


def finished(tmp_path, experiment):
    """The page of an experiment that has run in this process."""
    store = Store(tmp_path)
    run = store.create(experiment)
    assert main(["--home", str(tmp_path), "run", run, "--workers", "1"]) == 0
    return go_to(session(run=run), EXPERIMENTS)


def test_experiments_offer_run_and_rank_it(tmp_path, monkeypatch):
    monkeypatch.setenv("LABELRANK_HOME", str(tmp_path))
    app = go_to(session(data="iris"), EXPERIMENTS)
    ran(app.segmented_control(key="ex_preset").set_value("My choice").run())
    ran(app.multiselect(key="ex_data").set_value(["iris"]).run())
    chosen = app.multiselect(key="ex_methods")
    assert {"Toy ranker", "Toy ranker, tuned"} <= set(chosen.options)
    ran(chosen.set_value(["toy", "toy*"]).run())
    ran(app.multiselect(key="ex_missing").set_value([0.0, 0.3]).run())
    ran(app.number_input(key="ex_folds").set_value(2).run())
    experiment = read_config(app.code[0].value)
    assert experiment.methods == (
        Method(ModelChoice("toy")),
        Method(ModelChoice("toy"), tuning_grid(TOYS[0], 60)),
    )
    assert dict(experiment.methods[1].tune)["n_first"] == (1, 3)
    app = finished(tmp_path, experiment)
    table = next(each.value for each in app.dataframe if "mean seconds" in each.value)
    assert set(table["method"]) == {method.name for method in experiment.methods}


def last_label_found(Y_true, Y_pred, *, average="mean"):
    """How often the last label is the last predicted one."""
    truth, found = (np.nanargmax(ranks, axis=1) for ranks in (Y_true, Y_pred))
    values = (truth == found).astype(float)
    return values if average is None else values.mean()


@pytest.fixture
def measure(monkeypatch):
    """The registry with one measure more, a function and its entry."""
    entry = Measure(
        key="last_label_found",
        title="Last label right",
        function=last_label_found,
        input="positions",
        greater_is_better=True,
        definition="How often the last label is found.",
        reference="Nobody",
    )
    monkeypatch.setitem(registry._BY_KEY, entry.key, entry)
    # Evaluations that another test left in the cache do not have it.
    compute._cache.clear()
    return entry


def test_a_measure_is_shown_wherever_predictions_are_measured(tmp_path, monkeypatch, measure):
    monkeypatch.setenv("LABELRANK_HOME", str(tmp_path))
    data = load_sample("iris")
    (value,) = evaluate_model(
        ModelChoice("toy").build(), data, holdout_split(data), measures=[measure.key]
    ).totals.values()
    app = go_to(session(data="iris", method=TOYS[0].title), "pages/evaluate/page.py")
    table = next(t.value for t in app.dataframe if "range" in t.value.columns)
    row = table.set_index("measure").loc["Last label right ↑"]
    assert row["Toy ranker"] == value
    assert measure.definition in words(app)
    ran(app.selectbox(key="behind").set_value("Cases by Last label right").run())
    assert measure.definition in words(app)
    app = go_to(
        session(data="iris", judged_by="Last label right ↑", tested_on="2 folds"),
        "pages/sensitivity/page.py",
    )
    judged_by = app.selectbox(key="judged_by")
    assert judged_by.value == measure.key
    assert "Last label right ↑" in judged_by.options
    run(visits.python_lines(app))
    protocol = Protocol(n_folds=2, tuning_measure=measure.key)
    tuned = Method(ModelChoice("toy"), (("n_first", (1, 5)),))
    experiment = Experiment((DataSource("sample", ("iris",)),), (tuned,), protocol)
    app = finished(tmp_path, read_config(experiment.to_json()))
    ran(app.selectbox(key="ex_measure").set_value(measure.key).run())
    assert measure.definition in words(app)


def test_the_readme_says_what_adding_takes():
    text = (visits.ROOT / "README.md").read_text(encoding="utf-8")
    text = text[text.index("**To add a method**") : text.index("MIT licence")]
    named = set(re.findall(r"`([^`]+)`", text))
    places = {name for name in named if "/" in name}
    (new,) = (place for place in places if not (visits.ROOT / place).exists())
    assert (visits.ROOT / new).parents[1] == visits.ROOT / "labelrank_core" / "methods"
    written = {
        name
        for kind in (toys.ToyRanker, toys.ToySets, toys.ToyBase)
        for name in vars(kind)
        if not name.startswith("_")
    }
    assert written <= named


def test_a_page_is_a_folder_and_a_line(tmp_path):
    shutil.copytree(visits.ROOT / "pages", tmp_path / "pages", ignore=CACHES)
    lines = (visits.ROOT / "app.py").read_text(encoding="utf-8")
    last = '    "learn": "Learn",\n'
    assert last in lines
    (tmp_path / "app.py").write_text(lines.replace(last, last + '    "toys": "Toys",\n'))
    page = tmp_path / "pages" / "toys" / "page.py"
    page.parent.mkdir()
    page.write_text(
        "import streamlit as st\n\nfrom pages.ui import session\n\n"
        'st.title(f"Toys for {session.dataset().name}")\n'
    )
    app = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=120)
    app.query_params["data"] = "glass"
    ran(app.run())
    go_to(app, "pages/toys/page.py")
    assert app.title[0].value == "Toys for glass"
    assert app.selectbox(key="data").value == "glass"


FORMAT = """
from dataclasses import replace

from labelrank_core.io.formats import delimited
from labelrank_core.io.formats.base import Format


def recognises(file):
    return file.data.startswith(b"TOY ")


def read(file, companions):
    return replace(delimited.read(replace(file, data=file.data[4:])), format="toy text")


FORMAT = Format("toy text", recognises, read)
"""


def test_a_format_is_a_file_and_a_line(tmp_path):
    shutil.copytree(visits.ROOT / "labelrank_core", tmp_path / "labelrank_core", ignore=CACHES)
    formats = tmp_path / "labelrank_core" / "io" / "formats"
    (formats / "toy.py").write_text(FORMAT, encoding="utf-8")
    listed = formats / "__init__.py"
    lines = listed.read_text(encoding="utf-8").split("\n")
    lines.insert(lines.index("_MODULES = (") + 2, '    "toy",')
    listed.write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "some.toy").write_text("TOY x,ranking\n1,a>b\n2,b>a\n", encoding="utf-8")
    code = (
        "from labelrank_core.io import inspect_files\n"
        "proposal = inspect_files('some.toy')\n"
        "print(proposal.format, [column.name for column in proposal.columns])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout == "toy text ['x', 'ranking']\n"
