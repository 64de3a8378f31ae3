"""Data with too few cases to measure a method: a message, and a way on."""

import pytest

from labelrank_core import list_samples, load_sample
from labelrank_core.comparison.cases import FEWEST
from labelrank_core.data.splits import holdout_split
from tests.app.visits import facts, ran, session

SMALL = [sample for sample in list_samples() if sample.n_samples < 20]


@pytest.mark.parametrize("page", ["evaluate", "confidence", "best_method"])
@pytest.mark.parametrize("sample", SMALL, ids=lambda sample: sample.name)
def test_few_cases_are_said_to_decide_nothing_and_larger_data_are_one_click_away(page, sample):
    app = session(f"pages/{page}/page.py", data=sample.name)
    (message,) = [info.value for info in app.info if "too few" in info.value]
    split = holdout_split(load_sample(sample.name))
    n_cases = len(split.train if page == "best_method" else split.test)
    assert message.startswith(f"{n_cases} ")
    assert page == "best_method" or n_cases < FEWEST
    app = ran(app.button(key="take_larger_data").click().run())
    assert not [info for info in app.info if "too few" in info.value]
    larger = next(each for each in list_samples() if each.name == app.session_state["data"])
    assert larger.n_samples >= 100
    assert larger.name in facts(app)


@pytest.mark.parametrize("page", ["evaluate", "confidence", "best_method"])
def test_enough_cases_need_no_message(page):
    app = session(f"pages/{page}/page.py", data="iris")
    assert not [info for info in app.info if "too few" in info.value]
