"""Columns and targets from which nothing can be learnt: identifiers, equal rankings."""

import numpy as np
import pytest

from labelrank_core import inspect_files, read_dataset

pytestmark = pytest.mark.usefixtures("in_this_program")

# As in MULAN's genbase: a nominal attribute with one value per row, declared, before the features.
N_ROWS = 60
PROTEINS = [f"PS{1000 + 7 * i}" for i in range(N_ROWS)]
XML = b"""<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="PDOC1"></label><label name="PDOC2"></label></labels>"""


def proteins(names=PROTEINS, declared=None):
    declared = declared or sorted(set(names))
    rows = "".join(
        f"{name},{'YES' if i % 3 else 'NO'},{i % 2},{i // 2 % 2}\n" for i, name in enumerate(names)
    )
    head = (
        f"@relation genes\n@attribute protein {{{','.join(declared)}}}\n"
        "@attribute PS00010 {YES,NO}\n@attribute PDOC1 {0,1}\n@attribute PDOC2 {0,1}\n@data\n"
    )
    return [("genes.arff", (head + rows).encode()), ("genes.xml", XML)]


def findings(data, code):
    return [finding for finding in data.findings if finding.code == code]


@pytest.mark.parametrize("n_repeated", [0, 2])
def test_declared_categories_of_one_row_each_are_identifiers(n_repeated):
    names = [*PROTEINS[n_repeated:], *PROTEINS[-1:] * n_repeated]
    proposal = inspect_files(proteins(names))
    n_texts = N_ROWS - n_repeated
    assert (proposal.roles["protein"], proposal.certain) == ("ignore", True)
    assert proposal.columns[0].why == f"identifiers ({n_texts} different texts in {N_ROWS} rows)"
    data = read_dataset(proposal)
    assert [column.name for column in data.schema.columns] == ["PS00010"]
    (finding,) = findings(data, "identifiers")
    assert (finding.column, finding.severity) == ("protein", "warning")
    assert "role 'feature'" in finding.hint


def test_identifiers_can_be_chosen_as_a_feature():
    data = read_dataset(proteins(), roles={"protein": "feature"})
    assert data.n_features == N_ROWS + 1
    assert not findings(data, "identifiers")


def test_categories_that_recur_stay_a_feature():
    names = [PROTEINS[i % 40] for i in range(N_ROWS)]
    assert inspect_files(proteins(names)).roles["protein"] == "feature"


def table(rows, header):
    lines = [f"{i * 0.5},{','.join(map(str, row))}" for i, row in enumerate(rows)]
    return ("t.csv", "\n".join([f"x,{header}", *lines, ""]).encode())


def test_equal_rankings_are_told():
    rows = [(2, 1, 3)] * 285
    data = read_dataset(table(rows, "L1,L2,L3"), target_form="positions")
    (finding,) = findings(data, "equal-targets")
    assert finding.message == "all 285 rankings are equal."
    assert finding.severity == "warning"
    rows[:10] = [(1, 2, 3)] * 10
    (finding,) = findings(
        read_dataset(table(rows, "L1,L2,L3"), target_form="positions"), "equal-targets"
    )
    assert finding.message == "275 of 285 rankings are equal."


def test_equal_label_sets_are_told():
    data = read_dataset(table([(0, 1)] * 30 + [(1, 1)], "tag:a,tag:b"))
    (finding,) = findings(data, "equal-targets")
    assert finding.message == "30 of 31 label sets are equal."


def test_partial_rankings_that_are_equal_are_told():
    rows = [(2, 1, "")] * 20 + [("", "", "")] * 5
    data = read_dataset(table(rows, "L1,L2,L3"), target_form="positions")
    (finding,) = findings(data, "equal-targets")
    assert finding.message == "all 20 rankings are equal."


@pytest.mark.parametrize("n_rows", [9, 30])
def test_other_targets_are_not_mentioned(n_rows):
    rng = np.random.default_rng(0)
    rows = [(1, 2, 3)] * 9 if n_rows == 9 else [tuple(rng.permutation(3) + 1) for _ in range(30)]
    data = read_dataset(table(rows, "L1,L2,L3"), target_form="positions")
    assert not findings(data, "equal-targets")
