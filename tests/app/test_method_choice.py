"""All methods are offered by family; those that do not fit the data with the reason."""

import pytest

from labelrank_core import list_samples, load_sample
from labelrank_core.methods import ALGORITHMS
from pages.ui import view
from tests.app.visits import facts, ran, session


def browsed(name):
    app = session(data=name)
    ran(next(b for b in app.button if b.label == "Browse the methods").click().run())
    return app, {b.key.removeprefix("choose_"): b for b in app.button if "choose_" in (b.key or "")}


@pytest.mark.parametrize("name", ["iris", "outings", "diabetes"])
def test_every_method_is_there_and_can_be_chosen_where_it_learns_the_data(name):
    app, offered = browsed(name)
    assert offered.keys() == ALGORITHMS.keys()
    data = load_sample(name)
    assert {key for key, button in offered.items() if not button.disabled} == {
        key for key, algorithm in ALGORITHMS.items() if algorithm.learns(data)
    }
    families = {each.family.capitalize() for each in ALGORITHMS.values() if each.learns(data)}
    assert families <= {heading.value for heading in app.subheader}
    tasks = {sample.name: sample.task for sample in list_samples()}
    reasons = [c.value for c in app.caption if c.value.startswith("These ")]
    assert bool(reasons) == any(button.disabled for button in offered.values())
    for reason in reasons:
        sample = reason.rpartition(": ")[2].removesuffix(".")
        assert tasks[sample] is not data.task


def test_a_click_chooses_the_method():
    app, offered = browsed("iris")
    ran(offered["lrt"].click().run())
    assert ALGORITHMS["lrt"].title in facts(app)
    assert app.session_state[view.METHOD] == ALGORITHMS["lrt"].title


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize(
    ("key", "data"), [("br", "songs"), ("crpc", "songs"), ("pairwise_svm", "iris")]
)
def test_linear_machines_offer_both_losses_by_name_and_predict_with_either(key, data):
    app = session("pages/predict/page.py", data=data, method=ALGORITHMS[key].title)
    (loss,) = [box for box in app.selectbox if box.label == "Price of a wrong side"]
    assert loss.options == ["distance squared", "distance (hinge, the papers)"]
    ran(loss.set_value("hinge").run())
    (loss,) = [box for box in app.selectbox if box.label == "Price of a wrong side"]
    assert loss.value == "hinge"
    # The code that the page shows is that of the model in use.
    assert any("loss='hinge'" in block.value.replace('"', "'") for block in app.code)
