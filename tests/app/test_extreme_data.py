"""Data that readers take although nothing can be learned from them: every page shows them."""

import pytest

from tests.app.test_bringing import press, upload
from tests.app.test_compare import COMPARE
from tests.app.visits import PAGES, go_to, ran, session

ALL_TIED = "x,A,B,C\n" + "".join(f"{i + 0.5},1,1,1\n" for i in range(30))
ORDERS = ("a>b>c", "b>c>a", "c>a>b")
LARGE = "x,y,r\n" + "".join(f"{(-1) ** i}e70,{i % 5}e69,{ORDERS[i % 3]}\n" for i in range(30))
TINY = "x,y,r\n" + "".join(f"{i}e-70,{i % 5}e-300,{ORDERS[i % 3]}\n" for i in range(30))


@pytest.mark.parametrize("content", [ALL_TIED, LARGE, TINY], ids=["all tied", "large", "tiny"])
def test_every_page_shows_them(content):
    app = upload(session("pages/data/page.py"), content, "extreme.csv")
    press(app, "Use these data")
    for page in PAGES:
        go_to(app, page)


def test_scores_beyond_all_measures_are_left_out_with_their_line():
    app = session(COMPARE)
    text = "data;A;B\niris;.9;.8\nwine;1e999;.7\nglass;.6;-1e300\nx;.5;.6"
    ran(app.text_area(key="results").set_value(text).run())
    assert app.dataframe[0].value["line"].tolist() == [3, 4]
    assert "found '1e999', but expected a number" in app.dataframe[0].value["message"].iloc[0]
