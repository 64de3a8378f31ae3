import numpy as np
import pytest

from labelrank_core import DatasetError, Task
from labelrank_core.data.findings import Severity
from labelrank_core.io import inspect_files, read_dataset, reading_preview
from labelrank_core.io.infer.forms import reading_evidence
from labelrank_core.rankings import positions_from_orderings

pytestmark = pytest.mark.usefixtures("in_this_program")
NAN = float("nan")


def read(text, **choices):
    return read_dataset(("t.csv", text.encode()), **choices)


def finding(data, code):
    return next(issue for issue in data.findings if issue.code == code)


def csv_text(data):
    """The data set as a file: features, then label columns, then zero line and split."""
    targets = [*data.label_names] + (["zero"] if data.task is Task.CALIBRATED_RANKING else [])
    header = [*data.feature_names, *targets] + (["part"] if data.split is not None else [])
    lines = [",".join(header)]
    for i in range(data.n_samples):
        cells = [repr(float(v)) for v in data.X[i]]
        cells += ["" if np.isnan(v) else f"{v:g}" for v in data.Y[i]]
        cells += [] if data.split is None else ["test" if data.split[i] else "train"]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def test_positions_and_orders_are_inverse_readings():
    # Orders: label 2 first, then 3, then 1. So label 1 has position 3, label 2 position 1.
    text = "x,L1,L2,L3\n1,2,3,1\n2,1,2,3\n"
    assert read(text, target_form="positions").Y[0].tolist() == [2, 3, 1]
    assert read(text, target_form="orders").Y[0].tolist() == [3, 1, 2]


def test_the_choice_between_positions_and_orders_must_be_made():
    with pytest.raises(DatasetError, match=r"target_form='positions' or target_form='orders'"):
        read("x,L1,L2,L3\n1,2,3,1\n2,1,2,3\n")


@pytest.mark.parametrize(
    "text",
    [
        "x,L1,L2\n1,1,2\n2,2,1\n",  # two labels: each permutation is its own inverse
        "x,L1,L2,L3\n1,2,1,3\n2,1,3,2\n3,3,2,1\n",  # only swaps
        # Ties in every second row: no orders, and no ratings, which would have gaps too.
        "x,L1,L2,L3\n" + "1,1,1,2\n2,2,1,1\n3,2,3,1\n4,1,2,1\n5,3,2,1\n6,3,1,2\n" * 5,
    ],
)
def test_nothing_is_asked_where_both_readings_agree_or_one_is_impossible(text):
    proposal = inspect_files(("t.csv", text.encode()))
    assert proposal.open_choices == ()
    assert proposal.target_form == "positions"
    assert read(text).task is Task.LABEL_RANKING


def test_rows_with_text_do_not_settle_the_form():
    # Read as a blank, the x would make the row one that only positions explain.
    text = "w,L1,L2,L3\n1,2,3,1\n2,1,2,3\n3,x,1,2\n"
    assert "target_form" in inspect_files(("t.csv", text.encode())).open_choices


def test_blank_positions_are_not_ranked_and_noted():
    data = read("x,L1,L2,L3\n1,1,2,\n2,2,1,3\n3,?,1,2\n", target_form="positions")
    assert data.Y.tolist()[1] == [2, 1, 3]
    np.testing.assert_array_equal(data.Y[[0, 2]], [[1, 2, NAN], [NAN, 1, 2]])
    partial = finding(data, "partial-rankings")
    assert (partial.severity, partial.count, partial.row) == (Severity.WARNING, 2, 2)
    assert "in 2 of 3 rankings" in partial.message
    assert "2 cells" in finding(data, "not-ranked").message


def test_orders_may_end_early():
    data = read("x,1st,2nd,3rd\n1,3,1,\n2,2,1,3\n3,3,,\n", target_form="orders")
    # Columns called after places say nothing about the labels, which have only numbers.
    assert data.label_names == ("1", "2", "3")
    np.testing.assert_array_equal(data.Y, [[2, NAN, 1], [2, 1, 3], [NAN, NAN, 1]])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1,1,3", [1, 1, 2]),
        ("1,3,3", [1, 2, 2]),
        ("1.5,1.5,3", [1, 1, 2]),
        ("1,3,", [1, 2, NAN]),
    ],
)
def test_gaps_that_explain_themselves_are_closed_and_counted(row, expected):
    data = read(f"x,L1,L2,L3\n1,1,2,3\n2,{row}\n3,2,2,1\n", target_form="positions")
    np.testing.assert_array_equal(data.Y[1], expected)
    issue = finding(data, "closed-gaps")
    assert (issue.severity, issue.row, issue.count) == (Severity.WARNING, 3, 1)


def test_a_zero_column_makes_calibrated_rankings():
    data = read("x,L1,L2,L3,zero\n1,1,4,3,2\n2,3,1,4,2\n")
    assert data.task is Task.CALIBRATED_RANKING
    assert data.label_names == ("L1", "L2", "L3")
    assert data.Y.tolist() == [[1, 4, 3, 2], [3, 1, 4, 2]]
    assert data.relevance.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_relevance_columns_make_multilabel_data():
    data = read("x,L1,L2\n1,0,1\n2,1,1\n")
    assert data.task is Task.MULTILABEL
    assert data.relevance.tolist() == [[0, 1], [1, 1]]


def test_labels_from_words_come_in_natural_order():
    data = read("x,r\n1,b>a>L10>L2\n2,b > a = L2>L10\n")
    assert data.label_names == ("L2", "L10", "a", "b")


def test_rankings_in_words_know_ties_braces_and_labels_left_out():
    data = read('x,r\n1,b>a>c\n2,"a>{b,c}"\n3,c ≻ a=b\n4,b>c\n')
    assert data.label_names == ("a", "b", "c")
    np.testing.assert_array_equal(data.Y, [[2, 1, 3], [1, 2, 2], [2, 2, 1], [NAN, 1, 2]])
    assert finding(data, "partial-rankings").row == 5


def test_split_words_become_the_published_split():
    data = read("x,part,L1,L2\n1,train,1,2\n2,TEST,2,1\n3,training,2,1\n")
    assert data.split.tolist() == [False, True, False]


def test_roles_given_replace_the_proposed_ones_column_by_column():
    text = "w,smoker,red,blue\n1.5,0,0,1\n2.5,1,1,1\n3.5,0,0,0\n"
    data = read(text, roles={"smoker": "feature"})
    assert data.feature_names == ("w", "smoker")
    assert data.label_names == ("red", "blue")
    proposal = inspect_files(("t.csv", text.encode()))
    assert read_dataset(proposal, roles=proposal.roles).n_labels == 3


def test_rows_with_errors_are_left_out_only_knowingly():
    text = "x,L1,L2\n1,1,2\nabc,2,1\n3,2,1\n4,1,7\n5,1\n6,2,1\n"
    # A number beyond the labels could be a rating, so the form is asked.
    with pytest.raises(DatasetError, match="target_form='ratings'"):
        read(text)
    with pytest.raises(DatasetError) as caught:
        read(text, target_form="positions")
    assert {issue.row for issue in caught.value.findings if issue.row} >= {3, 5, 6}
    data = read(text, target_form="positions", skip_bad_rows=True)
    assert data.X[:, 0].tolist() == [1, 3, 6]
    issue = finding(data, "rows-left-out")
    assert (issue.severity, issue.row, issue.count) == (Severity.WARNING, 3, 3)
    assert "5, 6" in issue.message
    # What is no matter of rows stays an error.
    with pytest.raises(DatasetError, match="stands 2 times"):
        read("x,x,L1,L2\n1,1,1,2\n2,2,2,1\n", skip_bad_rows=True)


@pytest.mark.parametrize(
    "text",
    [
        "x,L1,L2,L3\n0.1,1,2,3\n0.30000000000000004,2,3,1\n",
        "x,y,L1,L2,L3\n1,-2e-05,1,1,2\n5e-324,3,2,,1\n7,1,1,2,1\n",
        "x,part,L1,L2\n1,train,1,2\n2,test,2,1\n",
        "x,L1,L2\n1,0,1\n2,1,1\n",
        "x,L1,L2,zero\n1,1,3,2\n2,2,2,1\n",
    ],
)
def test_a_written_data_set_reads_as_it_was(text):
    forms = {"target_form": "positions"} if "0,1" not in text else {}
    data = read(text, **forms)
    again = read(csv_text(data), **forms)
    assert again.fingerprint == data.fingerprint


def test_the_preview_shows_rows_in_which_the_readings_differ():
    proposal = inspect_files(("t.csv", b"x,L1,L2,L3\n1,1,2,3\n2,2,3,1\n3,2,2,1\n"))
    preview = reading_preview(proposal, n_rows=2)
    assert preview["line"].tolist() == [3, 4]
    assert preview["in the file"].tolist() == ["2, 3, 1", "2, 2, 1"]
    assert preview["as positions"].tolist() == ["L3 > L1 > L2", "L3 > L1 = L2"]
    assert preview["as orders"].tolist() == ["L2 > L3 > L1", "not possible"]


def test_the_preview_needs_two_label_columns():
    proposal = inspect_files(("t.csv", b"x,r\n1,a>b\n2,b>a\n"))
    with pytest.raises(DatasetError, match="two readings need at least two"):
        reading_preview(proposal)


@pytest.mark.parametrize("truth", ["positions", "orders"])
def test_the_evidence_picks_the_reading_in_which_similar_cases_agree(truth):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 2))
    scores = X @ rng.normal(size=(2, 5)) + np.arange(5) / 5
    orders = np.argsort(-scores, axis=1)
    written = positions_from_orderings(orders) if truth == "positions" else orders + 1
    rows = [",".join(map(str, [*x, *y])) for x, y in zip(X, written, strict=True)]
    text = "u,v,L1,L2,L3,L4,L5\n" + "\n".join(rows)
    proposal = inspect_files(("t.csv", text.encode()))
    evidence = reading_evidence(proposal)
    assert evidence.better == truth
    assert proposal.target_form == truth
    assert abs(evidence.positions - evidence.orders) > 0.05
    assert f"read as {truth}" in evidence.text


def test_evidence_from_too_few_rows_is_no_evidence():
    evidence = reading_evidence(inspect_files(("t.csv", b"x,L1,L2,L3\n1,2,3,1\n2,1,2,3\n")))
    assert evidence.better is None
    assert "do not show" in evidence.text


def test_the_evidence_is_right_on_the_published_sets(benchmark_data):
    for path in sorted((benchmark_data / "kebi").glob("*.csv")):
        proposal = inspect_files(path)
        assert reading_evidence(proposal).better == "positions", path
        data = read_dataset(proposal, target_form="positions")
        assert data.n_samples == len(path.read_text().split()) - 1
