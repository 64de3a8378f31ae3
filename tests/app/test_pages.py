"""Every page in a session without a browser: what is shown is what the core says."""

import contextlib
import io
import re
import subprocess
import sys

import numpy as np
import pytest

from labelrank_core import SharedSubspaceClassifier, load_sample
from labelrank_core.data.samples import list_samples
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.io import read_dataset
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.metrics import METRICS, kendall_tau_score
from pages.ui import compute
from tests import core_says
from tests.app.visits import (
    PAGES,
    ROOT,
    START,
    facts,
    few,
    go_to,
    neighbors_table,
    python_lines,
    ran,
    scroll_to,
    sent,
    sentences,
    session,
)
from tests.pairs import all_pairs

PREDICT, EVALUATE = "pages/predict/page.py", "pages/evaluate/page.py"
DATA, CONFIDENCE = "pages/data/page.py", "pages/confidence/page.py"
OFFERED = [
    (sample.name, algorithm)
    for sample in list_samples()
    for algorithm in ALGORITHMS.values()
    if sample.task in algorithm.tasks
]
TASKS = {sample.name: sample.task for sample in list_samples()}
# Every sample, and every method that has a k with every task.
WITH_K = [
    (name, ALGORITHMS[key])
    for name, key, _ in all_pairs(
        [
            (name, method.key, TASKS[name])
            for name, method in OFFERED
            if "n_neighbors" in method.defaults
        ],
        {(0, 2), (1, 2)},
    )
]
IRIS = load_sample("iris")
OWN = b"x,y,apple,pear,plum\n" + b"".join(
    f"{i},{i * i % 7},{i % 3 + 1},{(i + 1) % 3 + 1},{(i + 2) % 3 + 1}\n".encode() for i in range(9)
)

SKIES = ["red", "grey", "*blue*"]
TRIPS = b"wind,sky,swim,hike,read\n" + b"".join(
    f"{i},{SKIES[i % 3]},{i % 3 + 1},{(i + 1) % 3 + 1},{(i + 2) % 3 + 1}\n".encode()
    for i in range(18)
)
TAGS = b"wind,sky,tag:swim,tag:hike\n" + b"".join(
    f"{i % 7},{SKIES[i % 3]},{int(i % 3 == 0)},{int(i % 4 < 2)}\n".encode() for i in range(24)
)


def slider(app, name):
    return next(slider for slider in app.slider if slider.key == name)


# In `test_explanations.py`, `test_sensitivity_page.py` and `test_start_page.py`.
SEEN_ELSEWHERE = ("pages/predict/page.py", "pages/sensitivity/page.py", START)


def pages_to_see():
    """Pages for samples and methods: all of them of every sample, and of every method.

    Samples are shown by the quickest method, methods with the smallest sample of each task. Every
    visit begins on Predict. The pages that show every method in tests of their own see more of
    them there.
    """

    samples = {name: load_sample(name) for name in TASKS}

    def seconds(offered):
        data, method = samples[offered[0]], offered[1]
        return ModelChoice(method.key).seconds(Size.of(data, data.n_samples, 1))

    others = [page for page in PAGES if page not in (START, PREDICT)]
    quickest = {name: method.key for name, method in sorted(OFFERED, key=seconds, reverse=True)}
    pages = {seen: list(others) for seen in quickest.items()}
    smallest = {
        (method.key, TASKS[name]): name
        for name, method in sorted(OFFERED, key=lambda offered: -samples[offered[0]].X.size)
    }
    others = [page for page in others if page not in SEEN_ELSEWHERE]
    for key, task, page in all_pairs([(*case, page) for case in smallest for page in others]):
        seen = pages.setdefault((smallest[key, task], key), [])
        seen += [page] * (page not in seen)
    return pages


PAGES_TO_SEE = pages_to_see()


@pytest.mark.parametrize(
    ("name", "key", "pages"),
    [(*seen, pages) for seen, pages in PAGES_TO_SEE.items()],
    ids=[f"{name}-{key}" for name, key in PAGES_TO_SEE],
)
def test_pages_show_every_sample_and_every_method(name, key, pages):
    def shown(app):
        assert app.title
        assert ALGORITHMS[key].title in facts(app)
        assert not app.error

    app = session(data=name, method=ALGORITHMS[key].title, tested_on="2 folds", **few(key))
    shown(app)
    for page in pages:
        shown(go_to(app, page))


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize(
    ("name", "algorithm"), WITH_K, ids=[f"{name}-{algorithm.key}" for name, algorithm in WITH_K]
)
def test_moving_k_moves_the_k_that_is_fitted(name, algorithm):
    dataset, row = load_sample(name), core_says.first_row(name)
    app = session(data=name, method=algorithm.title)
    for k in (2, 7, 1):
        ran(slider(app, f"{algorithm.key}_n_neighbors").set_value(k).run())
        multilabel = hasattr(algorithm.estimator, "predict_ranking")
        settings = {"multilabel": multilabel, "kind": algorithm.estimator, "n_neighbors": k}
        assert sentences(app)[0] == core_says.sentence(dataset, row, **settings)
        expected = core_says.neighbor_rows(dataset, row, **settings)
        assert neighbors_table(app)["row"].tolist() == expected


@pytest.mark.parametrize("n_virtual_labels", [1, 2, 3, 128])
def test_moving_p_moves_the_p_that_is_fitted(n_virtual_labels):
    app = session(data="outings")
    knob = next(s for s in app.select_slider if s.key == "mlr_n_virtual_labels")
    ran(knob.set_value(n_virtual_labels).run())
    row = core_says.first_row("outings")
    k = slider(app, "mlr_n_neighbors").value
    settings = {"n_neighbors": int(k), "n_virtual_labels": n_virtual_labels}
    assert sentences(app)[0] == core_says.sentence(load_sample("outings"), row, **settings)


def test_the_kernel_that_is_chosen_is_fitted_with_the_parameters_it_shows(monkeypatch):
    fitted = []
    fit = SharedSubspaceClassifier.fit

    def noted(self, X, Y):
        fitted.append(self.get_params())
        return fit(self, X, Y)

    monkeypatch.setattr(SharedSubspaceClassifier, "fit", noted)
    compute._cache.clear()
    app = session(data="outings", method="Shared-subspace least squares")

    def shown():
        keys = {widget.key for widget in [*app.slider, *app.select_slider]}
        return {name for name in ("gamma", "degree", "coef0") if f"mlls_{name}" in keys}

    def knob(name):
        widgets = [*app.slider, *app.select_slider, *app.selectbox]
        return next(widget for widget in widgets if widget.key == f"mlls_{name}")

    default = {"gamma": None, "degree": 3, "coef0": 1}
    assert shown() == set()
    assert fitted[-1].items() >= {"kernel": "linear", **default}.items()
    ran(knob("kernel").set_value("rbf").run())
    assert shown() == {"gamma"}
    assert fitted[-1].items() >= {"kernel": "rbf", **default}.items()
    ran(knob("gamma").set_value("0.01").run())
    assert fitted[-1].items() >= {"kernel": "rbf", **default, "gamma": 0.01}.items()
    ran(knob("kernel").set_value("poly").run())
    assert shown() == {"gamma", "degree", "coef0"}
    ran(knob("degree").set_value(2).run())
    ran(knob("coef0").set_value(0).run())
    chosen = {"kernel": "poly", "gamma": 0.01, "degree": 2, "coef0": 0}
    assert fitted[-1].items() >= chosen.items()
    go_to(app, EVALUATE)
    assert fitted[-1].items() >= chosen.items()
    # The model of the linear kernel is still kept.
    compute._cache.clear()
    ran(knob("kernel").set_value("linear").run())
    assert shown() == set()
    assert fitted[-1].items() >= {"kernel": "linear", **default}.items()


def test_a_link_carries_the_parameters_of_a_kernel():
    link = {"mlls_kernel": "Gaussian (rbf)", "mlls_gamma": "0.01"}
    app = session(PREDICT, data="outings", method="Shared-subspace least squares", **link)
    lines = python_lines(app)
    assert "kernel='rbf'" in lines
    assert "gamma=0.01" in lines


def test_parameters_stay_fitted_through_page_switches():
    app = session()
    ran(slider(app, "knn_n_neighbors").set_value(9).run())
    for page in (EVALUATE, DATA, CONFIDENCE, PREDICT):
        go_to(app, page)
        assert slider(app, "knn_n_neighbors").value == 9
    assert sentences(app)[0] == core_says.sentence(IRIS, 73, n_neighbors=9)

    ran(slider(app, "knn_n_neighbors").set_value(4).run())
    split = holdout_split(IRIS)
    go_to(app, EVALUATE)
    scaler, model = core_says.fitted(IRIS, split.train, n_neighbors=4)
    predicted = model.predict(scaler.transform(IRIS.X[split.test]))
    own = shown_measures(app)
    tau = kendall_tau_score(IRIS.rankings[split.test], predicted)
    assert own[METRICS["kendall_tau_score"].title] == pytest.approx(tau, abs=5e-4)
    reference = evaluate_model(core_says.pipeline(n_neighbors=4), IRIS, split).frame()
    shown = [METRICS[key].level == "main" for key in reference["measure"]]
    for measure, value in zip(
        *(reference.loc[shown, c] for c in ("measure", "value")), strict=True
    ):
        assert own[METRICS[measure].title] == pytest.approx(value, abs=5e-4)


def shown_measures(app):
    """The method's column of the table of measures, by the measures' titles."""
    table = next(t.value for t in app.dataframe if "range" in t.value.columns)
    return dict(zip(table["measure"].str[:-2], table.iloc[:, 1], strict=True))


@pytest.mark.usefixtures("everything_open")
def test_changed_features_are_predicted_and_compared_with_before():
    app = session(PREDICT, view="What if")
    petal = next(s for s in app.slider if s.key.startswith("whatif_") and s.key.endswith("_2"))
    ran(petal.set_value(6.9).run())
    assert sentences(app)[0] == core_says.sentence(IRIS, 73, edits={2: 6.9})
    assert "petal length" in app.info[0].value
    ladder = next(t.value for t in app.dataframe if "Predicted" in t.value.columns)
    assert list(ladder.columns) == ["place", "Before", "Predicted"]

    back = next(b for b in app.button if b.label == "Restore the original values")
    ran(back.click().run())
    assert sentences(app)[0] == core_says.sentence(IRIS, 73)
    assert not app.info


@pytest.mark.usefixtures("everything_open")
def test_edits_belong_to_their_case_alone():
    app = session(PREDICT, view="What if")
    petal = next(s for s in app.slider if s.key.startswith("whatif_") and s.key.endswith("_2"))
    ran(petal.set_value(6.9).run())
    ran(app.number_input(key="row").set_value(80).run())
    assert sentences(app)[0] == core_says.sentence(IRIS, 80)


def bring(app, name, content):
    go_to(app, DATA)
    ran(app.file_uploader[0].upload(name, content, "text/csv").run())
    use = next(b for b in app.button if b.label == "Use these data")
    return ran(use.click().run())


NEW = b"who,y,x\nKim,1,0.5\nLou,4,7\n"


def upload_new_cases(app, content):
    """Upload cases without labels on Predict."""
    go_to(app, PREDICT)
    place = next(each for each in app.file_uploader if each.key == "new_cases")
    return ran(place.upload("new.csv", content, "text/csv").run())


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("name", ["fruit", "outings"])
def test_new_cases_of_a_file_are_predicted_and_given_back(name):
    app = session(data="outings")
    if name == "outings":
        own = load_sample(name)
        content = f"who,{','.join(own.feature_names)}\nKim,20,0\nLou,9,3\n".encode()
    else:
        bring(app, "fruit.csv", OWN)
        own, content = read_dataset(("fruit.csv", OWN), target_form="positions"), NEW
    upload_new_cases(app, content)
    shown = next(t.value for t in app.dataframe if "predicted ranking" in t.value.columns)
    assert list(shown.columns[:3]) == content.decode().splitlines()[0].split(",")
    assert shown["who"].tolist() == ["Kim", "Lou"]

    k = int(slider(app, "mlr_n_neighbors" if name == "outings" else "knn_n_neighbors").value)
    scaler, model = core_says.fitted(own, holdout_split(own).train, n_neighbors=k)
    X = scaler.transform(shown[list(own.feature_names)].to_numpy(float))
    positions = model.predict_ranking(X) if name == "outings" else model.predict(X)
    columns = [f"position {label}" for label in own.label_names]
    assert shown[columns].to_numpy().tolist() == positions.tolist()
    assert shown["confidence"].tolist() == model.predict_confidence(X).tolist()
    assert ("predicted labels" in shown) == (name == "outings")


@pytest.mark.usefixtures("everything_open")
def test_new_cases_that_do_not_fit_are_refused_with_their_line():
    app = upload_new_cases(session(data="drinks"), b"who,x\nKim,<b>1</b>\n")
    assert "cannot be predicted" in app.error[0].value
    assert facts(app)


def test_own_data_are_predicted_and_other_sessions_do_not_see_them():
    app, other = session(), session()
    bring(app, "fruit.csv", OWN)
    assert "fruit · label ranking" in facts(app)
    go_to(app, PREDICT)
    own = read_dataset(("fruit.csv", OWN), target_form="positions")
    row = int(app.number_input(key="row").value)
    k = int(slider(app, "knn_n_neighbors").value)
    assert sentences(app)[0] == core_says.sentence(own, row, n_neighbors=k)

    ran(other.run())
    assert "fruit (mine)" in app.selectbox(key="data").options
    assert "fruit (mine)" not in other.selectbox(key="data").options
    assert "iris" in facts(other)
    for page in sorted(ROOT.glob("pages/*/page.py")):
        go_to(other, page.relative_to(ROOT).as_posix())
        assert not re.search(r"fruit (·|\(mine\))", sent(other))
    # Where it is, it is seen.
    assert {"fruit ·", "fruit (mine)"} == set(re.findall(r"fruit ·|fruit \(mine\)", sent(app)))


def upload(app, files):
    go_to(app, DATA)
    return ran(app.file_uploader[0].set_value(files).run())


@pytest.mark.usefixtures("everything_open")
def test_categories_are_chosen_in_words_and_shown_as_they_are():
    app = session()
    bring(app, "trips.csv", TRIPS)
    go_to(app, PREDICT)
    own = read_dataset(("trips.csv", TRIPS), target_form="positions")
    row = int(app.number_input(key="row").value) - 1
    scroll_to(app, "What if")
    sky = next(box for box in app.selectbox if box.label == "sky")
    assert sky.options == ["*blue*", "grey", "red"]
    before = own.feature_frame([row])["sky"].iloc[0]
    assert sky.value == before
    other = next(category for category in own.schema.columns[1].categories if category != before)
    ran(sky.set_value(other).run())
    assert "sky" in app.info[0].value
    j = own.feature_names.index
    edits = {j(f"sky={category}"): float(category == other) for category in (before, other)}
    k = int(slider(app, "knn_n_neighbors").value)
    assert sentences(app)[0] == core_says.sentence(own, row + 1, n_neighbors=k, edits=edits)
    table = neighbors_table(app)
    assert set(table["sky"]) <= {"red", "grey", "*blue*"}
    ran(app.button(key="browse_cases").click().run())
    (cases,) = [t.value for t in app.dataframe if {"row", "truth"} <= set(t.value.columns)]
    assert set(cases["sky"]) == {"red", "grey", "*blue*"}


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("method", ["Shared-subspace", "ML-kNN"])
def test_categories_stay_themselves_in_every_explanation(method):
    app = session()
    bring(app, "trips.csv", TAGS)
    title = next(o for o in app.selectbox(key="method").options if o.startswith(method))
    ran(app.selectbox(key="method").set_value(title).run())
    for page in PAGES:
        go_to(app, page)
        shown = " ".join(str(table.value.to_numpy().tolist()) for table in app.dataframe)
        assert "sky=" not in shown
    go_to(app, PREDICT)
    if method == "Shared-subspace":
        inputs = next(t.value for t in app.dataframe if "feature" in t.value.columns)
        assert any(name.startswith("sky = ") for name in inputs["feature"])


def test_missing_values_are_asked_about_and_the_choice_stays_visible(tmp_path):
    app, content = session(), TRIPS.replace(b"3,red", b",red").replace(b"4,grey", b"4,")
    upload(app, [("trips.csv", content, "text/csv")])
    asked = next(radio for radio in app.radio if "missing" in radio.label)
    assert any("2 cells" in m.value and "wind (1), sky (1)" in m.value for m in app.markdown)
    assert not [b for b in app.button if b.label == "Use these data"]
    ran(asked.set_value("fill").run())
    ran(next(b for b in app.button if b.label == "Use these data").click().run())
    go_to(app, DATA)
    app.session_state["data_tab"] = "In use now"
    ran(app.run())
    findings = next(t.value for t in app.dataframe if "what to do" in t.value.columns)
    assert findings["message"].str.contains("filled in with the median").any()
    go_to(app, PREDICT)
    (tmp_path / "trips.csv").write_bytes(content)
    assert sentences(app)[0] in run_python(python_lines(app), tmp_path)


def test_a_row_with_an_error_is_left_out_with_a_finding_and_the_others_are_offered():
    app = upload(session(), [("fruit.csv", OWN + b"9,4,1,2,last\n", "text/csv")])
    assert app.error[0].value.startswith("1 row cannot be used.")
    found, left_out = (t.value for t in app.dataframe if "what to do" in t.value.columns)
    assert "found 'last', which is not a number." in found["message"].iloc[0]
    assert "this row was left out" in left_out["message"].iloc[0]
    ran(next(b for b in app.button if b.label == "Use 9 of 10 rows").click().run())
    assert "fruit · label ranking" in facts(app)


def test_a_training_and_a_test_file_are_one_data_set(tmp_path):
    files = {"fruit-train.csv": OWN, "fruit-test.csv": OWN}
    app = upload(session(), [(name, content, "text/csv") for name, content in files.items()])
    assert any("9 training and 9 test rows" in caption.value for caption in app.caption)
    ran(next(b for b in app.button if b.label == "Use these data").click().run())
    assert app.selectbox(key="split").value == "published"
    go_to(app, PREDICT)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert sentences(app)[0] in run_python(python_lines(app), tmp_path)


def test_own_data_named_like_a_sample_are_not_taken_for_it():
    app = session()
    bring(app, "iris.csv", OWN)
    go_to(app, DATA)
    assert not [m for m in app.markdown if "Source:" in m.value]
    go_to(app, PREDICT)
    assert "load_sample" not in python_lines(app)


def test_features_may_have_the_names_of_the_pages_own_columns():
    names = ["row", "target", "truth", "distance", "weight", "ranking", "value", "place"]
    lines = [",".join([*names, "a", "b"])]
    rng = np.random.default_rng(0)
    for _ in range(12):
        first = int(rng.integers(1, 3))
        lines.append(",".join([*(f"{v:.2f}" for v in rng.normal(size=8)), f"{first},{3 - first}"]))
    app = session()
    bring(app, "columns.csv", "\n".join(lines).encode())
    for page in PAGES:
        go_to(app, page)


@pytest.mark.parametrize(
    ("link", "settings"),
    [
        (
            {"data": "iris", "knn_n_neighbors": 7, "knn_weights": "nearer counts more"},
            {"n_neighbors": 7, "weights": "distance"},
        ),
        ({"data": "yeast", "row": 20, "scaled": "false"}, {"scaled": False}),
        ({"data": "drinks_calibrated", "method": "k-NN multilabel ranking"}, {"multilabel": True}),
        ({"data": "vehicle", "test_share": 40, "seed": 3}, {"seed": 3}),
    ],
)
def test_the_python_lines_print_the_prediction_of_the_page(link, settings):
    app = session(PREDICT, **link)
    printed = run_python(python_lines(app), ROOT)
    assert sentences(app)[0] in printed
    if "seed" in settings:
        dataset = load_sample("vehicle")
        split = holdout_split(dataset, kind="random", test_share=0.4, seed=3)
        prediction = core_says.explanation(dataset, 451, split=split).prediction
    else:
        row = int(link.get("row", core_says.first_row(link["data"])))
        params = dict(settings)
        if "n_neighbors" not in params:
            key = "mlr" if link["data"] in ("yeast", "drinks_calibrated") else "knn"
            params["n_neighbors"] = int(slider(app, f"{key}_n_neighbors").value)
        prediction = core_says.explanation(load_sample(link["data"]), row, **params).prediction
    assert str(prediction) in printed


def test_the_python_lines_for_own_data_run_beside_the_file(tmp_path):
    app = session()
    bring(app, "fruit.csv", OWN)
    go_to(app, PREDICT)
    (tmp_path / "fruit.csv").write_bytes(OWN)
    assert sentences(app)[0] in run_alone(python_lines(app), tmp_path)


def run_python(code, folder):
    """Run lines with names of their own and return what they print."""
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(compile(code, "lines", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def run_alone(code, folder):
    """Run lines in a new program, which has imported nothing, and return what they print."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_mulan_set_is_used_without_a_question():
    head = "@relation f\n@attribute x real\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
    content = head + "".join(f"{i},{i % 2},{i // 2 % 2}\n" for i in range(12))
    labels = "<labels><label name='a'/><label name='b'/></labels>"
    names = ("f-train.arff", "f-test.arff")
    files = [*((name, content.encode(), "text/plain") for name in names),
             ("f.xml", labels.encode(), "text/xml")]  # fmt: skip
    app = upload(session(), files)
    assert any("MULAN" in caption.value for caption in app.caption)
    ran(next(b for b in app.button if b.label == "Use these data").click().run())
    assert "f · multi-label" in facts(app)
    assert app.selectbox(key="split").value == "published"


PREFERENCES = (
    "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: soup\n# ALTERNATIVE NAME 2: salad\n"
    "# ALTERNATIVE NAME 3: rice\n12: 1,2,3\n9: 2,{1,3}\n"
)


def test_rankings_without_features_can_be_used_and_every_page_says_what_is_missing():
    app = session("pages/data/page.py")
    upload(app, [("lunch.toi", PREFERENCES.encode(), "text/plain")])
    assert any("lunch is a label ranking: 21 rows, 0 features, 3 labels" in s.value
               for s in app.success)  # fmt: skip
    ran(next(button for button in app.button if button.label == "Use these data").click().run())
    for page in PAGES:
        go_to(app, page)
        says = any("rankings without features" in info.value for info in app.info)
        assert says == (page != "pages/data/page.py"), page
