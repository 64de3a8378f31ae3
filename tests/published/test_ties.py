"""MORE-PLR's tables: one method with ties chosen inside, methods by sets, and deleted labels.

`tests/benchmarks/ties.py` and `kept_positions.py` measured what no experiment measures. `pytest -m
slow -s` does so again for iris.
"""

import numpy as np
import pandas as pd
import pytest

from labelrank_core.papers import find_table, ledger, recorded
from labelrank_core.papers.more_plr import BUCKET_ORDERS, DELETED_LABELS
from labelrank_core.papers.reproduce import plan
from tests.benchmarks import kept_positions, ties

# One training more or less in rounding: machines sum in other orders.
SAME = 0.002
# The print of the paper's own method, which is the harder one of its two columns.
PRINTED = {cell.data: cell.value for cell in BUCKET_ORDERS.cells if cell.column == "MORE-PLR"}


def numbers(table, column, reading, block=""):
    rows = ledger(table, recorded(table))
    rows = rows[(rows["column"] == column) & (rows["reading"] == reading) & rows["ours"].notna()]
    return rows[rows["block"] == block if block else rows["block"] != ""].set_index("data")


def chosen():
    return numbers(BUCKET_ORDERS, ties.CHOSEN.name, ties.CHOSEN.reading)


def test_every_set_has_numbers_of_whole_repetitions():
    measured = recorded(BUCKET_ORDERS)
    assert set(measured["n_trainings"]) <= {10, 20, 30, 40, 50}
    repetitions = measured["protocol"].str.extract(r"^(?:(\d) × )?10 folds")[0].fillna("1")
    assert (repetitions.astype(int) * 10 == measured["n_trainings"]).all()


def test_the_method_chosen_inside_is_below_the_print_on_iris_alone():
    ours = chosen()["ours"]
    assert set(ours.index) == set(PRINTED)
    assert {name for name, value in ours.items() if value < PRINTED[name]} == {"iris"}
    assert ours["iris"] > PRINTED["iris"] - BUCKET_ORDERS.blocks[0].tolerance
    # The forest alone is not: choosing costs on so few rows.
    forest = numbers(BUCKET_ORDERS, "MORE-PLR", "forest of rankings")["ours"]
    assert (forest >= pd.Series(PRINTED).loc[forest.index]).all()


@pytest.mark.slow
def test_the_chosen_method_is_as_recorded_on_iris(benchmark_data, monkeypatch, tmp_path):
    monkeypatch.setenv("LABELRANK_BENCHMARK_DATA", str(benchmark_data))
    path = tmp_path / "results.csv"
    kept = chosen().loc["iris"]
    ties.run(path, ["iris"], int(kept["n_trainings"]) // 10, only_chosen=True)
    own = {each.reading: each for each in ties.measured(pd.read_csv(path))}
    assert own[ties.CHOSEN.reading].ours == pytest.approx(kept["ours"], abs=SAME)


@pytest.mark.parametrize("block", DELETED_LABELS.blocks, ids=lambda block: block.name)
def test_kept_positions_tell_the_forest_more_than_the_order_of_the_labels(block):
    order, kept = (
        numbers(DELETED_LABELS, "MORE-PLR", reading, block.name)["ours"]
        for reading in ("exact share", "kept positions")
    )
    assert set(order.index) == set(kept.index) == set(DELETED_LABELS.data_sets)
    assert (kept > order.loc[kept.index]).all()


@pytest.mark.parametrize("block", DELETED_LABELS.blocks, ids=lambda block: block.name)
def test_only_with_kept_positions_a_forest_reaches_the_print(block):
    kept = numbers(DELETED_LABELS, "MORE-PLR", "kept positions", block.name)
    assert (kept["ours"] >= kept["printed"] - block.tolerance).all()
    order = numbers(DELETED_LABELS, "MORE-PLR", "", block.name)
    behind = order["ours"] < order["printed"] - block.tolerance
    assert set(order.index[~behind]) <= {"wine"}


@pytest.mark.slow
def test_kept_positions_are_as_recorded_on_iris(benchmark_data, monkeypatch, tmp_path):
    def only_iris(table, folder, repeats):
        return plan(table, folder, sets=["iris"], repeats=repeats)

    monkeypatch.setenv("LABELRANK_BENCHMARK_DATA", str(benchmark_data))
    monkeypatch.setattr(kept_positions, "plan", only_iris)
    path = tmp_path / "results.csv"
    kept_positions.run(path)
    own = kept_positions.measured(pd.read_csv(path))
    assert len(own) == 4
    for each in own:
        kept = numbers(DELETED_LABELS, "MORE-PLR", each.reading, each.block).loc["iris"]
        assert each.ours == pytest.approx(kept["ours"], abs=SAME)


def test_the_forest_on_deleted_labels_is_that_of_the_ledger_of_its_paper(benchmark_data):
    """Both tables ask for the same trainings, so their numbers are the same."""
    for block, key in zip(DELETED_LABELS.blocks, ("5", "6"), strict=True):
        (units,) = _keys(DELETED_LABELS, benchmark_data, block.name, "MORE-PLR")
        (others,) = _keys(find_table("lrrf", key), benchmark_data, "", "LR-RF (our default)")
        assert units == others
        other = find_table("lrrf", key)
        theirs = numbers(other, "LR-RF", "our default")["ours"]
        own = numbers(DELETED_LABELS, "MORE-PLR", "", block.name)["ours"]
        assert set(own.index) == set(DELETED_LABELS.data_sets)
        assert np.array_equal(own, theirs.loc[own.index])


def _keys(table, folder, block, title):
    for part in plan(table, folder, sets=["iris"]).parts:
        if not block or part.blocks[0].name == block:
            yield {unit.key for unit in part.units() if unit.method.title == title}
