"""A link carries data, method, parameters, split and case; whatever else it says does no harm."""

import re
from urllib.parse import urlencode

from playwright.sync_api import expect

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from tests import core_says
from tests.browser.visitor import (
    K_SLIDER,
    PAGES,
    case_number,
    choose,
    close_panels,
    expect_neighbors,
    facts_of,
    go_to,
    heading,
    menu,
    open_page,
    open_panel,
    open_settings,
    press,
    status,
    summary,
)

WRONG = (
    "knn_n_neighbors=abc&row=151&method=unknown&split=published&knn_metric=%3Cb%3E"
    "&test_share=1000&seed=-5&scaled=perhaps&nonsense=1"
)


def test_a_link_shows_the_fitted_parameters_to_another_visitor(page):
    link = {
        "data": "glass",
        "row": 3,
        "knn_n_neighbors": 12,
        "knn_aggregation": "median rank",
        "knn_weights": "nearer counts more",
        "knn_metric": "Manhattan",
        "scaled": "false",
        "test_share": 50,
        "seed": 7,
    }
    open_page(page, f"/predict?{urlencode(link)}")
    glass = load_sample("glass")
    settings = {
        "split": holdout_split(glass, kind="random", test_share=0.5, seed=7),
        "scaled": False,
        "n_neighbors": 12,
        "aggregation": "median",
        "weights": "distance",
        "metric": "manhattan",
    }
    expect(summary(page)).to_have_text(core_says.sentence(glass, 3, **settings))
    expect(status(page)).to_contain_text("Similar cases (k) 12, Consensus median rank · row 3")
    expect_neighbors(page, core_says.neighbor_rows(glass, 3, **settings))


def test_the_address_after_clicking_around_shows_another_visitor_the_same(visit, app_server):
    page = visit(app_server)
    # Tall enough for every widget: a list of options closes when what holds it is scrolled.
    page.set_viewport_size({"width": 1280, "height": 1600})
    open_page(page)
    choose(page, "Data", "outings")
    expect(status(page)).to_contain_text("outings")
    press(page, K_SLIDER, "Home", "ArrowRight", "ArrowRight")
    expect(status(page)).to_contain_text("(k) 3")
    open_settings(page)
    choose(page, "Weight of a day", "nearer counts more")
    go_to(page, "Predict")
    case_number(page).fill("4")
    case_number(page).press("Enter")
    expect(status(page)).to_contain_text("row 4")
    expected = core_says.sentence(load_sample("outings"), 4, n_neighbors=3, weights="distance")
    expect(summary(page)).to_have_text(expected)
    page.wait_for_url(re.compile("row=4"))

    other = open_page(visit(app_server), page.url)
    expect(summary(other)).to_have_text(expected)
    expect(status(other)).to_have_text(facts_of(page))


def test_what_a_link_says_wrongly_is_left_out(page):
    open_page(page, f"/predict?data=iris&{WRONG}")
    expect(summary(page)).to_have_text(core_says.sentence(load_sample("iris"), 73))
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_the_bar_shows_is_what_is_fitted_after_a_change_of_data(page):
    open_page(page)
    open_settings(page)
    methods = {"outings": "k-NN multilabel ranking", "drinks": "k-NN label ranking"}
    for name, method in (*methods.items(), *methods.items()):
        choose(page, "Data", name)
        expect(status(page)).to_contain_text(f"{name} · ")
        expect(status(page)).to_contain_text(method)
        panel = open_panel(page, "Method")
        expect(panel.get_by_role("combobox", name="Method")).to_have_value(method)
        expect(panel.get_by_role("combobox", name="Test set")).to_have_value("published")
        close_panels(page)
        dataset, row = load_sample(name), core_says.first_row(name)
        k = int(page.get_by_role("slider", name=K_SLIDER).input_value())
        expect(summary(page)).to_have_text(core_says.sentence(dataset, row, n_neighbors=k))
        expect(status(page)).to_contain_text(f"Similar cases (k) {k},")


def test_data_method_parameters_and_case_stay_on_every_page(page):
    link = {
        "data": "diabetes",
        "method": "k-NN multilabel ranking",
        "mlr_n_neighbors": 9,
        "row": 17,
    }
    open_page(page, f"/predict?{urlencode(link)}")
    expected = core_says.sentence(load_sample("diabetes"), 17, multilabel=True, n_neighbors=9)
    expect(summary(page)).to_have_text(expected)
    facts = facts_of(page)
    for title in ("Evaluate", "Confidence", "Data", "Start", "Predict"):
        go_to(page, title)
        expect(status(page)).to_have_text(facts)
        if title == "Predict":
            expect(summary(page)).to_have_text(expected)
        for part in ("mlr_n_neighbors=9", "row=17"):
            expect(page).to_have_url(re.compile(part))
    # A page that was left is fitted with what is set elsewhere.
    go_to(page, "Evaluate")
    press(page, K_SLIDER, "ArrowLeft", "ArrowLeft")
    expect(status(page)).to_contain_text("(k) 7")
    go_to(page, "Predict")
    expected = core_says.sentence(load_sample("diabetes"), 17, multilabel=True, n_neighbors=7)
    expect(summary(page)).to_have_text(expected)


def test_the_first_visitor_of_a_server_can_come_by_a_link(cold_server, visit):
    server = cold_server()
    page = open_page(visit(server), server.url + "/learn")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(heading(page)).to_have_text(PAGES["/learn"])
    expect(menu(page)).to_have_text(["Start", "Data", "Predict", "Evaluate", "Learn", "Papers"])


def test_an_address_left_behind_by_quick_moves_says_again_what_is_shown(page):
    open_page(page, "/predict?data=iris&knn_n_neighbors=6")
    expect(summary(page)).to_contain_text("6 most similar")
    page.evaluate(
        "history.replaceState({}, '', location.href.replace('n_neighbors=6', 'n_neighbors=9'))"
    )
    expect(page).to_have_url(re.compile("n_neighbors=9"))
    choose(page, "Consensus", "median rank")
    expect(status(page)).to_contain_text("Similar cases (k) 6, Consensus median rank")
    expect(page).to_have_url(re.compile("n_neighbors=6"))
    go_to(page, "Evaluate")
    expect(status(page)).to_contain_text("Similar cases (k) 6, Consensus median rank")
