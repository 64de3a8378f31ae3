"""Elements of HTML: texts and attributes are escaped, elements within them are not."""

import pytest

from labelrank_core.explain.render.markup.elements import Html, element, fragment


def test_texts_are_escaped_and_elements_are_not():
    inner = element("b", "<i>")
    assert element("p", inner, " & ", 3, None) == "<p><b>&lt;i&gt;</b> &amp; 3</p>"
    assert fragment("a", [inner, ["<"]], (part for part in (None, 0))) == f"a{inner}&lt;0"


def test_what_is_put_together_of_markup_and_text_is_text_again():
    assert element("p", element("b", "x") + "<") == "<p>&lt;b&gt;x&lt;/b&gt;&lt;</p>"


@pytest.mark.parametrize("words", ["a > b", "-->", "<b>", "]]>"])
def test_attributes_hold_nothing_that_ends_an_element(words):
    (attribute,) = element("i", title=words).split('"')[1::2]
    assert "<" not in attribute
    assert ">" not in attribute


def test_attributes_without_a_value_are_left_out_and_zero_is_one():
    assert element("i", class_="", title=None, data_labels=0) == '<i data-labels="0"></i>'
    assert element("img", alt_text='"') == '<img alt-text="&quot;"/>'
    assert isinstance(fragment(), Html)
