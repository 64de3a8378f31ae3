"""The whole way of a visitor, from the first look to a file with predictions of own data."""

import csv
import io
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from labelrank_core import load_sample
from labelrank_core.data.splits import holdout_split
from labelrank_core.io import read_dataset
from labelrank_core.metrics import METRICS
from labelrank_core.rankings import format_ranking
from tests import core_says
from tests.browser.driver import settled
from tests.browser.visitor import (
    K_SLIDER,
    at_cell,
    case_number,
    cells,
    chart,
    choices,
    choose,
    download,
    facts_of,
    go_to,
    open_chapter,
    open_expander,
    open_page,
    open_panel,
    press,
    status,
    summary,
    tick_row,
    upload,
    use_these_data,
)

IRIS = load_sample("iris")


def fruit() -> bytes:
    """Thirty cases of two features and a day that is none, with positions of three fruits."""
    rng = np.random.default_rng(1)
    lines = ["day,size,sweetness,apple,pear,plum"]
    for day in range(30):
        size, sweetness = rng.integers(30, 80) / 10, rng.integers(1, 10)
        places = rng.permutation(3) + 1
        lines.append(f"{7 * day % 30 + 1},{size},{sweetness},{','.join(map(str, places))}")
    return "\n".join(lines).encode()


def test_a_prediction_with_its_reasons_is_there_before_any_choice_and_follows_each(page):
    open_page(page)
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, 73))
    nearest = ", ".join(f"row {row}" for row in core_says.neighbor_rows(IRIS, 73))
    expect(chart(page, f"the most similar cases: {nearest}")).to_be_visible()
    predicted = page.locator(".lr-joined .side").first
    expect(predicted.locator(".lr-chip")).to_have_text(["versicolor", "virginica", "setosa"])
    expect(page.locator(".lr-standing > p > b")).to_have_text("0.90")

    # Another sample and another k change sentence and picture.
    choose(page, "Data", "glass")
    glass, row = load_sample("glass"), core_says.first_row("glass")
    expect(status(page)).to_contain_text("glass · label ranking · k-NN label ranking")
    expect(status(page)).to_contain_text(f"row {row}")
    expect(summary(page)).to_have_text(core_says.sentence(glass, row))

    press(page, K_SLIDER, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(summary(page)).to_have_text(core_says.sentence(glass, row, n_neighbors=8))

    press(page, K_SLIDER, "Home")
    expect(summary(page)).to_have_text(core_says.sentence(glass, row, n_neighbors=1))
    nearest = core_says.neighbor_rows(glass, row, n_neighbors=1)[0]
    expect(chart(page, f"the most similar cases: row {nearest}")).to_be_visible()


def test_a_case_is_chosen_in_the_table_and_by_its_number(page):
    open_page(page, "/predict?data=iris")
    open_panel(page, "Case").get_by_role("button", name="Choose from a table").click()
    cases = page.get_by_role("dialog").get_by_test_id("stDataFrame")
    # A table that is drawn anew meanwhile does not hear a click.
    expect(cases).to_be_visible()
    settled(page)
    third = int(holdout_split(IRIS).test[2]) + 1
    assert cells(cases)[2][0] == str(third)
    tick_row(cases, 2)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(status(page)).to_contain_text(f"row {third}")
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, third))

    number = case_number(page)
    number.fill("107")
    number.press("Enter")
    expect(status(page)).to_contain_text("row 107")
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, 107))


def test_a_case_is_drawn_at_random(page):
    open_page(page, "/predict?data=yeast&row=6")
    expect(status(page)).to_have_text(re.compile(r"row 6$"))
    choices(page).get_by_role("button", name="Random case").click()
    expect(status(page)).not_to_have_text(re.compile(r"row 6$"))
    row = int(re.search(r"row (\d+)$", facts_of(page))[1])
    expect(case_number(page)).to_have_value(str(row))
    expect(summary(page)).to_have_text(core_says.sentence(load_sample("yeast"), row))


def test_changed_features_change_the_prediction_until_they_are_put_back(page):
    open_page(page, "/predict?data=iris")
    own = core_says.sentence(IRIS, 73)
    expect(summary(page)).to_have_text(own)
    open_chapter(page, "What if?")
    open_expander(page, "Change any value")
    press(page, "petal length (cm)", "End")
    changed = page.get_by_test_id("stAlert")
    expect(changed).to_contain_text("petal length (cm) 4.9 → 6.9")
    largest = IRIS.X[:, 2].max()
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, 73, edits={2: largest}))
    open_expander(page, "Before and after the change")
    before = "Before: versicolor, virginica, setosa; Predicted: virginica, versicolor, setosa"
    expect(chart(page, before)).to_be_visible()

    settled(page).get_by_role("button", name="Restore the original values").click()
    expect(summary(page)).to_have_text(own)
    expect(changed).to_have_count(0)


def test_the_measures_stand_beside_two_baselines_and_are_defined(page):
    open_page(page, "/evaluate?data=iris")
    expect(
        page.get_by_role("heading", name="pairs of species are in the right order")
    ).to_be_visible()
    expect(page.get_by_text("Clearly better than everyone's average").first).to_be_visible()
    measures = open_expander(page, "All 9 measures")
    table = measures.get_by_test_id("stDataFrame")
    name, *taus = cells(table)[0][:4]
    assert name == "Kendall's tau ↑"
    assert table.locator("table[role=grid] thead th").all_inner_texts()[:4] == [
        "measure",
        "k-NN label ranking",
        "Everyone's average",
        "Nearest single case",
    ]
    for shown, k in ((taus[0], 5), (taus[2], 1)):
        split = holdout_split(IRIS)
        scaler, model = core_says.fitted(IRIS, split.train, n_neighbors=k)
        predicted = model.predict(scaler.transform(IRIS.X[split.test]))
        tau = METRICS["kendall_tau_score"].per_case(IRIS.rankings[split.test], predicted)
        assert float(shown) == pytest.approx(tau.mean(), abs=5e-4)
    expect(measures.get_by_text(METRICS["kendall_tau_score"].definition[:40])).to_be_visible()


def test_a_number_leads_to_its_cases_and_a_case_to_its_explanation(page):
    open_page(page, "/evaluate?data=glass")
    measures = open_expander(page, "All 9 measures").get_by_test_id("stDataFrame")
    # The second row, in the column of the method itself.
    place = at_cell(measures, 1, 280)
    measures.locator(".dvn-scroller").click(position=place)
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("Spearman's rho is ")
    glass = load_sample("glass")
    split = holdout_split(glass)
    scaler, model = core_says.fitted(glass, split.train, n_neighbors=5)
    predicted = model.predict(scaler.transform(glass.X[split.test]))
    rho = METRICS["spearman_rho_score"].per_case(glass.rankings[split.test], predicted)
    expect(main).to_contain_text(
        f"Spearman's rho is {rho.mean():.3f}, the mean of {len(rho)} cases"
    )
    worst = split.test[np.argsort(rho, kind="stable")[:5]] + 1
    expect(page).to_have_url(re.compile("behind=Fragments"))
    table = settled(page).get_by_test_id("stDataFrame").last
    assert [int(row[0]) for row in cells(table)[:5]] == worst.tolist()

    tick_row(table, 2)
    page.get_by_text(f"Look closer at row {worst[2]}").click()
    expect(case_number(page)).to_have_value(str(worst[2]))
    expect(summary(page)).to_have_text(core_says.sentence(glass, int(worst[2]), n_neighbors=5))


def test_a_label_leads_to_the_cases_in_which_it_is_wrong(page):
    open_page(page, "/evaluate?data=outings")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_attribute(
        "aria-label", re.compile("F1 of each label, the worst first: ")
    )
    outings = load_sample("outings")
    split = holdout_split(outings)
    scaler, model = core_says.fitted(outings, split.train, n_neighbors=3)
    wrong = model.predict(scaler.transform(outings.X[split.test])) != outings.Y[split.test]
    counts = dict(zip(outings.label_names, wrong.sum(axis=0).tolist(), strict=True))
    counted = {name: f"{name}: {n} day{'' if n == 1 else 's'}" for name, n in counts.items()}
    for button_text in counted.values():
        button = page.get_by_role("radio", name=button_text, exact=True)
        expect(button).to_be_visible()
    name = next(name for name, count in counts.items() if count)
    settled(page).get_by_role("radio", name=counted[name], exact=True).click()
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text(f"{name} is wrong in {counts[name]} of 2 cases.")


def test_own_data_are_understood_corrected_predicted_and_taken_along(page):
    open_page(page, "/data")
    upload(page, "fruit.csv", fruit())
    expect(page.get_by_text("30 rows, 6 columns; comma-separated text, utf-8")).to_be_visible()
    heads = settled(page).locator(".column-heads")
    heads.get_by_role("combobox", name="Role of day").select_option("ignore")
    expect(page.get_by_test_id("stAlert").last).to_contain_text("2 features, 3 labels")

    # Both readings are offered, each with what it would mean.
    for reading in ("positions", "orders"):
        expect(page.get_by_role("radio", name=re.compile(f"^{reading}:"))).to_be_attached()
    settled(page).get_by_text("orders: one column per position").click()
    expect(settled(page).get_by_role("radio", name=re.compile("^orders:"))).to_be_checked()
    use_these_data(page)
    own = read_dataset(("fruit.csv", fruit()), roles={"day": "ignore"}, target_form="orders")
    expect(status(page)).to_contain_text("fruit · label ranking")

    go_to(page, "Predict")
    press(page, K_SLIDER, "ArrowLeft", "ArrowLeft")
    row = int(case_number(page).input_value())
    expect(summary(page)).to_have_text(core_says.sentence(own, row, n_neighbors=3))

    go_to(page, "Evaluate")
    predictions = download(page, page.get_by_role("button", name="Predictions of the test set"))
    assert predictions.suggested_filename == "fruit-predictions.csv"
    text = predictions.path().read_text(encoding="utf-8-sig")
    split = holdout_split(own)
    scaler, model = core_says.fitted(own, split.train, n_neighbors=3)
    X = scaler.transform(own.X[split.test])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["row"]) for row in rows] == (split.test + 1).tolist()
    expected = [format_ranking(positions, own.label_names) for positions in model.predict(X)]
    assert [row["ranking"] for row in rows] == expected
    assert [float(row["confidence"]) for row in rows] == pytest.approx(model.predict_confidence(X))
