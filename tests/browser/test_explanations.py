"""What if, comparing, taking along and lessons, as visitors use them."""

import html
import json
import re

import pytest
from playwright.sync_api import expect

from labelrank_core import load_sample
from tests import core_says
from tests.browser.driver import settled
from tests.browser.fitting import SIZES
from tests.browser.visitor import (
    choices,
    choose,
    close_panels,
    copied_link,
    download,
    go_to,
    open_chapter,
    open_expander,
    open_page,
    open_panel,
    press,
    status,
    summary,
)


def test_another_feature_is_swept_and_the_link_keeps_it(page, visit, app_server):
    open_page(page, "/predict?data=iris")
    open_chapter(page, "What if?")
    open_expander(page, "One feature in detail")
    choose(page, "Feature", "petal width (cm)")
    expect(page.get_by_text("First place by petal width (cm)")).to_be_visible()
    expect(page).to_have_url(re.compile("sweep=petal"))
    # Links of earlier versions name a view: they lead to the chapter.
    other = visit(app_server)
    open_page(other, f"{page.url.removeprefix(app_server.url)}&view=How+sure")
    expect(other.get_by_role("heading", name="Can I rely on it?")).to_be_in_viewport()
    expect(other).not_to_have_url(re.compile("view="))
    open_expander(other, "One feature in detail")
    expect(other.get_by_text("First place by petal width (cm)")).to_be_visible()


COUNT_MESSAGES = """() => {
  const send = WebSocket.prototype.send
  window.messages = 0
  WebSocket.prototype.send = function (...message) {
    window.messages += 1
    return send.apply(this, message)
  }
}"""
# Chips from top to bottom, where they are while they glide.
DRAWN_ORDER = """() => [...document.querySelectorAll(".st-key-answer .lr-ladder .lr-chip")]
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
  .map(chip => chip.textContent).join()"""


def test_the_answer_follows_the_slider_and_nothing_is_sent_before_it_is_let_go(page):
    open_page(page, "/")
    go_to(page, "Predict")
    choose(page, "Data", "songs")
    expect(summary(page)).to_contain_text("happy, surprised")
    expect(page.get_by_text("every value gives this answer")).to_be_visible()
    # A chapter that comes near begins the script: all are drawn before messages are counted.
    open_chapter(page, "Would others say the same?")
    # While a run lasts, the page has two sliders: the old one and the new one.
    settled(page)
    slider = page.locator(".st-key-bar_knob [role=group]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.evaluate(COUNT_MESSAGES)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"], box["y"] + box["height"] / 2, steps=8)
    songs = load_sample("songs")
    order = core_says.explanation(songs, 10, n_neighbors=1).order
    expected = ",".join(songs.label_names[label] for label in order)
    page.wait_for_function(f"({DRAWN_ORDER})() == {expected!r}")
    assert page.evaluate("window.messages") == 0
    page.mouse.up()
    expect(status(page)).to_contain_text("(k) 1,")
    expect(page.locator(".previewing")).to_have_count(0)
    expect(settled(page)).to_have_url(re.compile("mlr_n_neighbors=1$"))
    assert page.evaluate(DRAWN_ORDER) == expected
    # It is the slider of the bar: Back leaves the page.
    page.go_back()
    expect(page.locator(".look-alikes h1")).to_be_visible()


def test_a_prediction_is_pinned_and_compared(page):
    open_page(page, "/predict?data=vehicle")
    page.get_by_role("button", name="Pin this prediction").click()
    open_chapter(page, "Would others say the same?")
    expect(page.get_by_role("heading", name="Pinned and now")).to_be_visible()
    expect(page.get_by_role("img", name="no pair is swapped").last).to_be_visible()
    choices(page).get_by_role("button", name="Random case").click()
    expect(page.get_by_text("Where the cases differ")).to_be_visible()


def taken_along(page, button, path):
    """A file that the menu Share gives, kept under a path."""
    offered = open_panel(page, "Share").get_by_role("button", name=button, exact=True)
    download(page, offered).save_as(path)
    close_panels(page)
    return path


@pytest.fixture(scope="module")
def readers(browser):
    """Pages without script and network, by the size of their window and their theme."""
    found = {
        (width, scheme): browser.new_context(
            offline=True,
            java_script_enabled=False,
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
        ).new_page()
        for width, scheme in SIZES.values()
    }
    yield found
    for page in found.values():
        page.context.close()


def expect_report(page, path, width, scheme, said, figures):
    """A report is read in a window of that width, and asks for nothing else."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    expect(page.get_by_role("figure")).to_have_count(figures)
    expect(page.get_by_text(said)).to_be_visible()
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    families = "() => [...document.fonts].filter(f => f.status == 'loaded').map(f => f.family)"
    assert {name.strip('"') for name in page.evaluate(families)} == {"Lab Sans", "Lab Serif"}
    assert page.locator("html").evaluate("e => e.scrollWidth") <= width
    color = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", color))) < 200) == (scheme == "dark")


@pytest.mark.parametrize(
    ("link", "figures"),
    [
        ("data=election&row=16&knn_n_neighbors=8", 5),
        ("data=yeast&mlr_n_neighbors=7", 5),
        ("data=glass&method=Label-ranking+random+forest", 6),
    ],
)
def test_a_report_stands_alone_on_a_phone_and_a_desk_and_prints_on_two_pages(
    page, readers, tmp_path, link, figures
):
    open_page(page, f"/predict?{link}")
    path = taken_along(page, "Report (web page)", tmp_path / "explanation.html")
    said = summary(page).inner_text()
    assert path.stat().st_size < 200_000
    for (width, scheme), reader in readers.items():
        expect_report(reader, path, width, scheme, said, figures)
        if scheme == "light":
            printed = reader.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
    # As data it says what the page says.
    path = taken_along(page, "JSON", tmp_path / "explanation.json")
    assert json.loads(path.read_text(encoding="utf-8"))["summary"] == said


def test_how_sure_to_be_goes_into_links_and_a_report_which_leads_back(
    page, visit, app_server, tmp_path
):
    open_page(page, "/predict?data=election&row=16&knn_n_neighbors=8&view=How sure")
    expect(summary(page)).to_contain_text("most similar districts")
    # What a run replaces is not laid out for a moment, and has no inner text then.
    said = summary(page).text_content()
    expect(page.get_by_text("a probability of at least 90%")).to_be_visible()
    press(page, "Promise (%)", "ArrowLeft")
    expect(page.get_by_text("a probability of at least 89%")).to_be_visible()
    expect(page).to_have_url(re.compile("sure=89"))
    path = taken_along(page, "Report (web page)", tmp_path / "explanation.html")
    report = path.read_text(encoding="utf-8")
    assert "a probability of at least 89%" in report
    link = html.unescape(re.search('<a href="([^"]+)"', report)[1])
    assert "sure=89" in link
    assert "sure=89" in copied_link(page)
    other = visit(app_server)
    other.goto(link)
    expect(summary(other)).to_have_text(said)
    expect(status(other)).to_contain_text("Similar cases (k) 8")
    expect(other.get_by_text("a probability of at least 89%")).to_be_visible()


def test_a_click_on_a_method_that_was_asked_uses_it(page):
    """Slow methods are waited for in runs of the whole page, after those of the page's part."""
    open_page(page, "/predict?data=election&view=All methods")
    expect(page.get_by_text("17 methods give this answer")).to_be_visible()
    # What listens to the click is there once the run has ended.
    settled(page)
    page.get_by_role("button", name="Use Ranking by pairwise comparison").click()
    expect(status(page)).to_contain_text("Ranking by pairwise comparison")
    expect(page).to_have_url(re.compile("method=Ranking"))


def label_chip(page, name, ranking):
    return page.get_by_role("button", name=re.compile(rf"^{name}, .* in ranking {ranking}$"))


def expect_rankings(page, *lines):
    expect(page.get_by_role("textbox", name="One ranking per line")).to_have_value("\n".join(lines))


def test_a_label_is_dragged_in_the_playground(page):
    open_page(page, "/learn?lesson=Aggregation+playground")
    label_chip(page, "pizza", 3).drag_to(
        label_chip(page, "sushi", 3), target_position={"x": 2, "y": 8}, steps=8
    )
    agreed = "pizza > sushi > curry > salad"
    expect_rankings(page, agreed, agreed, agreed)
    expect(page.get_by_role("heading", name="All 8 rules put pizza first.")).to_be_visible()
    open_expander(page, "Which rule has the smallest loss?")
    expect(page.get_by_text("Fewest squared rank differences: all rules")).to_be_visible()
    expect(page).to_have_url(re.compile("rankings_0="))
    # A tap moves nothing: what is moved next finds every label where it was.
    label_chip(page, "pizza", 1).click()
    label_chip(page, "sushi", 1).press("ArrowLeft")
    expect_rankings(page, "sushi > pizza > curry > salad", agreed, agreed)


def test_a_label_moves_by_arrow_keys_in_the_playground(page):
    open_page(page, "/learn?lesson=Aggregation+playground&rankings_of=Ties+and+gaps")
    label_chip(page, "a", 3).focus()
    page.keyboard.press("ArrowLeft")
    expect_rankings(page, "a = b > c", "c > a", "b > a > c")
    expect(label_chip(page, "a", 3)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    # Two keys at once: the second finds the label where the first has put it.
    for key in ("ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect_rankings(page, "a = b > c", "c > a", "a > b > c")
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    # Two rankings at once: neither move is lost.
    label_chip(page, "a", 3).press("ArrowLeft")
    label_chip(page, "a", 2).press("ArrowLeft")
    expect_rankings(page, "a = b > c", "a > c", "b > a > c")
    label_chip(page, "a", 2).press("ArrowRight")
    label_chip(page, "a", 3).press("ArrowRight")
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    label_chip(page, "b", 1).focus()
    page.keyboard.press("ArrowRight")
    expect_rankings(page, "a > b > c", "c > a", "b > c > a")
    expect(label_chip(page, "b", 2)).to_have_accessible_name("b, not ranked in ranking 2")
    label_chip(page, "b", 2).focus()
    page.keyboard.press("ArrowLeft")
    expect_rankings(page, "a > b > c", "c > b > a", "b > c > a")


def test_on_a_phone_nothing_shows_through_the_ranking_that_stays_in_sight(page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/predict?data=iris")
    strip = page.locator(".st-key-ranking_strip .lr").first
    expect(strip).to_be_attached()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        color = strip.evaluate("strip => getComputedStyle(strip).backgroundColor")
        assert color == page.locator(".stApp").evaluate("e => getComputedStyle(e).backgroundColor")


# The names below the bars: where they end too far right or left, or run into each other.
NAMES_BELOW = """scales => scales.map(scale => {
  const names = [...scale.querySelectorAll(".ends small")].map(name => {
    const { left, right, top, bottom } = name.getBoundingClientRect()
    return { text: name.textContent, left, right, top, bottom }
  })
  const isApart = (a, b) =>
    a.right < b.left || b.right < a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1
  const { left, right } = scale.getBoundingClientRect()
  return {
    texts: names.map(name => name.text),
    parts: [...scale.querySelectorAll(".bar i")].map(part => {
      const { left, right } = part.getBoundingClientRect()
      return [part.textContent, part.title, getComputedStyle(part).backgroundColor, left, right]
    }),
    handle: scale.querySelector(".thumb").getBoundingClientRect().left,
    isFree: names.every((name, i) =>
      name.left > left - 1 && name.right < right + 1 &&
      names.every((other, j) => i === j || isApart(name, other))),
  }
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_each_colour_of_a_track_and_what_is_next_to_its_handle_have_a_whole_name(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, "/predict?data=election&row=16&method=Ranking+by+pairwise+comparison")
    open_chapter(page, "What if?")
    bars = page.locator(".tracks .bar i")
    expect(bars.first).to_be_attached()
    tracks = page.locator(".tracks .scale").evaluate_all(NAMES_BELOW)
    below = [text for track in tracks for text in track["texts"] if "↑" in text]
    assert below
    for track in tracks:
        assert track["isFree"], track
        changing = [part for part in track["parts"] if part[1] != "no change"]
        texts = [part[0] for part in track["parts"] if part[0]]
        texts += [text for text in track["texts"] if "↑" in text]
        names = {text.strip("←→↑ ") for text in texts}
        assert names <= {part[1] for part in changing}
        named = [part for part in changing if part[1] in names]
        assert {part[2] for part in named} == {part[2] for part in changing}
        before = [part for part in changing if part[4] < track["handle"]]
        behind = [part for part in changing if part[3] > track["handle"]]
        for part in (*before[-1:], *behind[:1]):
            assert part[1] in names
