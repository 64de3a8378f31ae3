"""What a link carries, and what it says that cannot be shown."""

import pytest

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from tests import core_says
from tests.app.visits import facts, go_to, ran, sentences, session

PREDICT = "pages/predict/page.py"


def told(app):
    notices = [each.value for each in app.caption if "in the link is read as" in each.value]
    return [*notices, *(info.value for info in app.info)]


def test_a_number_without_end_in_a_link_is_replaced_and_told():
    for name, word in (("row", "inf"), ("row", "1e400"), ("seed", "-inf"), ("test_share", "inf")):
        app = session(data="iris", split="random", **{name: word})
        assert "iris" in facts(app)
        (info,) = told(app)
        assert f" {word} (" in info.replace("\\", "").replace("\u2060", "")
        assert name not in app.query_params


def test_what_is_not_possible_is_told_and_what_is_possible_is_not():
    for link, words in (
        ({"row": 151}, ["Case 151 (73 is shown)"]),
        ({"row": "9" * 5000}, ["9… (73 is shown)"]),
        ({"row": "nan"}, ["Case nan (73 is shown)"]),
        ({"knn_n_neighbors": 9999}, ["Similar cases (k) 9999 (", "is shown)"]),
        ({"knn_metric": "by feel"}, ["by feel (Euclidean is shown)"]),
        ({"scaled": "perhaps"}, ["Scaling perhaps (True is shown)"]),
        ({"method": "unknown"}, ["Method unknown (k-NN label ranking is shown)"]),
    ):
        (info,) = told(session(data="iris", **link))
        for word in words:
            assert word in info.replace("\\", "").replace("\u2060", ""), link
    fine = {"data": "iris", "row": 3, "knn_aggregation": "median rank", "scaled": "false"}
    app = session(**fine, knn_metric="Euclidean", seed=0, nonsense=1, mlr_n_neighbors=9999)
    assert told(app) == []


@pytest.mark.parametrize(
    ("link", "key", "word"),
    [
        ({"method": "forest"}, "method", "Label-ranking random forest"),
        ({"method": "Mallows"}, "method", "Mallows model of similar cases (IB-M)"),
        ({"knn_aggregation": "Kemeny"}, "knn_aggregation", "Kemeny optimum"),
        ({"data": "Songs and"}, "data", "songs"),
    ],
)
def test_a_part_of_a_name_that_only_one_option_has_is_taken_and_told(link, key, word):
    app = session(**{"data": "iris", **link})
    (info,) = told(app)
    assert f"{link[key]} in the link is read as " in info
    assert app.query_params[key] == word
    # What several have chooses none of them.
    (info,) = told(session(data="iris", method="tree"))
    assert "Method tree (" in info


def test_it_is_told_until_the_value_is_changed_or_the_page_is_left():
    app = session(data="iris", row=151, knn_n_neighbors=9999)
    ran(app.number_input(key="row").set_value(80).run())
    (info,) = told(app)
    assert "Case" not in info
    assert "9999" in info
    ran(app.switch_page("pages/data/page.py").run())
    assert told(app) == []


def test_what_a_click_into_the_menu_loses_comes_back_into_the_address():
    method = "k-NN multilabel ranking"
    app = session(data="diabetes", method=method, mlr_n_neighbors=9, row=17)
    shown, address = facts(app), {key: app.query_params[key] for key in app.query_params}
    app.query_params = {key: address[key] for key in ("data", "method")}
    go_to(app, "pages/evaluate/page.py")
    assert facts(app) == shown
    assert {key: app.query_params[key] for key in app.query_params} == address


def test_a_link_carries_method_virtual_labels_and_kind_of_split():
    link = {"mlr_n_neighbors": 4, "mlr_n_virtual_labels": 8, "split": "random", "row": 9}
    app = session(data="drinks_calibrated", method="k-NN multilabel ranking", **link)
    drinks = load_sample("drinks_calibrated")
    split = holdout_split(drinks, kind="random")
    settings = {"multilabel": True, "n_neighbors": 4, "n_virtual_labels": 8, "split": split}
    assert sentences(app)[0] == core_says.sentence(drinks, 9, **settings)


@pytest.mark.parametrize(
    "wrong",
    [
        {"knn_n_neighbors": 9999, "row": 0, "method": "unknown", "split": "published"},
        {"knn_n_neighbors": "abc", "row": "abc"},
        {"knn_n_neighbors": -1, "row": 151, "knn_metric": "<b>", "test_share": 1000, "seed": -5,
         "scaled": "perhaps", "nonsense": 1},
    ],
)  # fmt: skip
def test_what_a_link_says_wrongly_is_left_out(wrong):
    app = session(PREDICT, data="iris", **wrong)
    assert sentences(app)[0] == core_says.sentence(load_sample("iris"), 73)


def test_a_link_to_data_that_are_not_here_says_so_and_shows_a_sample():
    app = session(PREDICT, data="fruit (mine)")
    (info,) = told(app)
    assert "A sample is shown." in info
    assert "election" in facts(app)


@pytest.mark.parametrize(
    ("page", "key", "former", "today"),
    [
        ("confidence", "held_back", "Pairs of labels", "Pairs"),
        ("confidence", "held_back", "Probabilities of pairs", "Probabilities"),
        ("confidence", "held_back", "Calibration of rankings", "Rankings"),
        ("confidence", "held_back", "Whole rankings", "Rankings"),
        ("confidence", "held_back", "With a guarantee", "Guarantee"),
        ("sensitivity", "vary_knn", "Labels deleted (p₀)", "Missing labels"),
        ("sensitivity", "vary_knn", "k × Consensus", "k and consensus"),
        ("evaluate", "behind", "Cases by Kendall's tau", "Cases by Kendall's tau"),
        ("evaluate", "behind", "Cases with a wrong SPD", "Cases with a wrong SPD"),
    ],
)
def test_a_link_from_before_a_choice_was_renamed_opens_it(page, key, former, today):
    app = session(data="election", **{key: former})
    go_to(app, f"pages/{page}/page.py")
    choices = [*app.get("selectbox"), *app.get("button_group")]
    (choice,) = [widget for widget in choices if widget.key == key]
    value = choice.value[0] if isinstance(choice.value, list) else choice.value
    # Its own word, in which the screen puts the nouns of the data.
    assert value == today
