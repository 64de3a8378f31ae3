"""What is wrong on a page is noticed: axe finds it, and words of pictures that are faint.

`test_looks.py` looks at the pages, and at what is opened on them.
"""

from tests.browser.axe import FAINT, expect_no_faint_words, findings
from tests.browser.visitor import heading, open_page


def test_what_is_wrong_on_a_page_is_noticed(page):
    open_page(page, "/evaluate")
    tick = page.locator(".xtick text").first.text_content()
    heading(page).evaluate(
        "title => title.insertAdjacentHTML('afterend',"
        " '<h5>Title</h5><p style=\"color: #999\">faint words</p><p><img src=data:,></p>')"
    )
    lines, _ = findings(page)
    for start in ("heading-order", "color-contrast (serious)", "image-alt"):
        assert any(line.startswith(start) for line in lines), lines
    expect_no_faint_words(page)
    # At once: a chart that is drawn anew would have its own colour again.
    make_faint = (
        "document.querySelector('.xtick text').style.setProperty('fill', '#999', 'important')"
    )
    assert page.evaluate(f"() => {{ {make_faint}; return ({FAINT})() }}") == [f"{tick}: 2.85"]
