"""Previews of predictions with ties: what glides is true, and what cannot glide is written out."""

import numpy as np
from playwright.sync_api import expect

from labelrank_core import read_dataset
from labelrank_core.rankings import dense_positions, format_ranking
from tests import core_says
from tests.browser.driver import settled
from tests.browser.visitor import go_to, open_page, status, upload, use_these_data

BRANDS = ("tea", "cola", "milk", "water")
COLUMN = """(chips) => chips
  .map((chip) => [chip.getBoundingClientRect().top, chip])
  .sort((a, b) => a[0] - b[0])
  .map(([, chip], i) => (i ? (chip.matches(".tied-above") ? " = " : " > ") : "") + chip.textContent)
  .join("")"""
# The ranking of the answer on Predict, as it is seen.
ANSWER = """() => {
  const lines = [...document.querySelectorAll(".st-key-answer .tied-preview > *")]
  const side = document.querySelector(".st-key-answer .lr-sides > .side")
  const cells = [...side.querySelectorAll("[data-labels]")]
  const top = (one) => one.getBoundingClientRect().top
  const seen = lines.length ? lines : cells.sort((a, b) => top(a) - top(b))
  const chips = (one) => (one.matches(".lr-chip") ? [one] : [...one.querySelectorAll(".lr-chip")])
  const joined = (one) => chips(one).map((chip) => chip.textContent).sort().join(" = ")
  return seen.map(joined).join(" > ")
}"""
ROW, LARGEST = 3, 41


def rated():
    """Customers who gave brands stars, often the same number."""
    rng = np.random.default_rng(1)
    lines = ["age,income,ranking"]
    for _ in range(60):
        positions = dense_positions(rng.integers(1, 6, size=(1, 4)).astype(float))[0]
        ranking = format_ranking(positions, BRANDS).replace(" ", "")
        lines.append(f"{rng.normal():.3f},{rng.normal():.3f},{ranking}")
    return "\n".join(lines).encode()


def open_with_ties(page):
    open_page(page, "/data")
    upload(page, "stars.csv", rated())
    expect(page.get_by_test_id("stAlert").last).to_contain_text("2 features, 4 labels")
    use_these_data(page)
    expect(status(page)).to_contain_text("stars")
    go_to(page, "Predict")
    settled(page)
    address = page.url + ("&" if "?" in page.url else "?") + "knn_ties=yes,+a+tie+is+an+answer"
    open_page(page, address)
    expect(status(page)).to_contain_text("stars")


def predicted(k):
    stars = read_dataset(("stars.csv", rated()))
    explanation = core_says.explanation(stars, ROW, n_neighbors=k, ties="predict")
    return format_ranking(explanation.ranking, stars.label_names)


def test_ties_are_seen_while_the_slider_moves(page):
    open_with_ties(page)
    expect(status(page)).to_contain_text(f"row {ROW}")
    slider = page.locator(".st-key-bar_knob [role=group]")
    box = slider.bounding_box()
    values = (2, 3, 6, 12, 20, 41)
    assert len({predicted(k).count("=") for k in values}) > 2
    page.mouse.move(box["x"] + box["width"] * 4 / (LARGEST - 1), box["y"] + box["height"] / 2)
    page.mouse.down()
    for k in values:
        x = box["x"] + box["width"] * (k - 1) / (LARGEST - 1)
        page.mouse.move(x, box["y"] + box["height"] / 2, steps=4)
        page.wait_for_function(f"({ANSWER})() == {predicted(k)!r}")
    page.mouse.up()
    settled(page)
    expect(page.locator(".tied-preview")).to_have_count(0)
    assert page.evaluate(ANSWER) == predicted(LARGEST)

    go_to(page, "Start")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_be_visible()
    column = page.locator(".chip.predicted")
    for _ in range(50):
        if column.evaluate_all(COLUMN) == predicted(LARGEST):
            break
        page.wait_for_timeout(100)
    assert column.evaluate_all(COLUMN) == predicted(LARGEST)
    assert " = " in page.locator(".chip.real").evaluate_all(COLUMN)
