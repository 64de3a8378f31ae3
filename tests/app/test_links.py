"""What a link carries, and what it says that cannot be shown."""

from tests.app.visits import facts, go_to, ran, session


def told(app):
    return [info.value for info in app.info]


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


def test_it_is_told_until_the_value_is_changed_or_the_page_is_left():
    app = session(data="iris", row=151, knn_n_neighbors=9999)
    ran(app.number_input(key="row").set_value(80).run())
    (info,) = told(app)
    assert "Case" not in info
    assert "9999" in info
    ran(app.switch_page("pages/predict/page.py").run())
    assert told(app) == []


def test_what_a_click_into_the_menu_loses_comes_back_into_the_address():
    method = "k-NN multilabel ranking"
    app = session(data="diabetes", method=method, mlr_n_neighbors=9, row=17)
    shown, address = facts(app), {key: app.query_params[key] for key in app.query_params}
    app.query_params = {key: address[key] for key in ("data", "method")}
    go_to(app, "pages/evaluate/page.py")
    assert facts(app) == shown
    assert {key: app.query_params[key] for key in app.query_params} == address
