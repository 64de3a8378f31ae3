import numpy as np
import pytest

from labelrank_core.io import inspect_files


def propose(text):
    proposal = inspect_files(("t.csv", text.encode()))
    return proposal, [str(column.role) for column in proposal.columns]


def rows_of(header, rows):
    return header + "\n" + "\n".join(",".join(map(str, row)) for row in rows)


PERMUTATIONS = [(1, 2, 3), (2, 3, 1), (3, 1, 2), (2, 1, 3), (1, 3, 2), (3, 2, 1)]


def test_columns_at_the_end_that_are_permutations_are_labels():
    rows = [(i * 0.5, i % 2, *p) for i, p in enumerate(PERMUTATIONS)]
    proposal, roles = propose(rows_of("w,z,apple,pear,fig", rows))
    assert roles == ["feature", "feature", "label", "label", "label"]
    assert proposal.open_choices == ("target_form",)


def test_permutations_at_the_start_are_labels_too():
    rows = [(*p, i * 0.5) for i, p in enumerate(PERMUTATIONS)]
    _, roles = propose(rows_of("apple,pear,fig,w", rows))
    assert roles == ["label", "label", "label", "feature"]


def test_names_of_labels_are_obeyed_wherever_they_stand():
    rows = [(*p, i * 0.5, i % 2, (i + 1) % 2) for i, p in enumerate(PERMUTATIONS)]
    proposal, roles = propose(rows_of("rank_a,rank_b,rank_c,w,y,z", rows))
    assert roles == ["label"] * 3 + ["feature"] * 3
    assert "roles" not in proposal.open_choices


@pytest.mark.parametrize("header", ["w,L1,L2", "w,label_a,label_b", "w,tag:red,tag:blue"])
def test_zero_one_columns_named_like_labels_need_no_confirmation(header):
    proposal, roles = propose(rows_of(header, [(1.5, 0, 1), (2.5, 1, 1), (3.5, 0, 0)]))
    assert roles == ["feature", "label", "label"]
    assert (proposal.target_form, proposal.open_choices) == ("relevance", ())


def test_zero_one_columns_with_other_names_must_be_confirmed():
    proposal, roles = propose(
        rows_of("w,smoker,red,blue", [(1.5, 0, 0, 1), (2.5, 1, 1, 1), (3.5, 0, 0, 0)])
    )
    assert roles == ["feature", "label", "label", "label"]
    assert proposal.open_choices == ("roles",)
    issue = next(issue for issue in proposal.findings if issue.code == "choose-roles")
    assert "cannot tell" in issue.message
    assert "roles=" in issue.hint


def test_zero_one_labels_that_share_a_name_are_told_from_a_binary_feature():
    proposal, roles = propose(
        rows_of("w,smoker,t1,t2", [(1.5, 0, 0, 1), (2.5, 1, 1, 1), (3.5, 0, 0, 0)])
    )
    assert roles == ["feature", "feature", "label", "label"]
    assert proposal.open_choices == ()


def test_features_that_are_binary_and_share_a_name_are_no_labels():
    rows = [(0, 1, 2, 1, 3), (1, 1, 3, 1, 2), (0, 0, 1, 2, 3), (1, 0, 3, 2, 1)]
    _, roles = propose(rows_of("x1,x2,L1,L2,L3", rows))
    assert roles == ["feature", "feature", "label", "label", "label"]


def test_a_constant_column_that_prolongs_permutations_must_be_confirmed():
    rows = [(i * 0.5, 4, *p) for i, p in enumerate(PERMUTATIONS)]
    proposal, _ = propose(rows_of("w,z,apple,pear,fig", rows))
    assert "roles" in proposal.open_choices


def test_tied_and_partial_rankings_are_recognised():
    rows = [(0.5, 1, 1, 2), (0.1, 2, 1, ""), (0.2, 3, 1, 2), (0.7, 1, 2, 2), (0.9, 2, 1, 3)]
    _, roles = propose(rows_of("w,apple,pear,fig", rows))
    assert roles == ["feature", "label", "label", "label"]


def test_rankings_in_words_come_first():
    proposal, roles = propose("w,ranking,note\n1,b>a,x\n2,a > b,y\n3,a=b,z\n")
    assert roles == ["feature", "ranking", "ignore"]
    assert (proposal.target_form, proposal.open_choices) == ("ordering_strings", ())


def test_comparisons_are_no_rankings():
    _, roles = propose("age,L1,L2\n> 50,1,2\n>60,2,1\n")
    assert roles == ["ignore", "label", "label"]


def test_label_columns_beside_rankings_in_words_do_not_become_features():
    proposal, roles = propose("w,L1,L2,ranking\n1,1,2,L1>L2\n2,2,1,L2>L1\n")
    assert roles == ["feature", "ignore", "ignore", "ranking"]
    assert proposal.open_choices == ("roles",)


def test_the_words_train_and_test_make_a_split():
    _, roles = propose("w,part,L1,L2\n1,train,1,2\n2,Test,2,1\n")
    assert roles == ["feature", "split", "label", "label"]


def test_a_column_called_zero_is_the_zero_line():
    proposal, roles = propose("w,L1,L2,L3,zero\n1,1,4,3,2\n2,3,1,4,2\n3,4,2,1,3\n")
    assert roles == ["feature", "label", "label", "label", "zero"]
    assert (proposal.target_form, proposal.open_choices) == ("positions", ())


def test_row_numbers_are_not_used():
    _, roles = propose(",w,L1,L2\n0,0.5,1,2\n1,0.1,2,1\n2,0.2,1,2\n")
    assert roles == ["ignore", "feature", "label", "label"]


def test_without_anything_like_labels_the_roles_are_open():
    proposal, roles = propose("a,b\n0.5,1.5\n2.5,3.5\n")
    assert roles == ["feature", "feature"]
    assert proposal.open_choices == ("roles",)


def test_two_groups_named_like_labels_must_be_confirmed():
    rows = [(i * 0.5, *p, *p) for i, p in enumerate(PERMUTATIONS)]
    proposal, _ = propose(rows_of("w,rank_a,rank_b,rank_c,label_a,label_b,label_c", rows))
    assert "roles" in proposal.open_choices


@pytest.mark.parametrize("n_labels", [2, 3, 7, 30])
def test_random_permutations_beside_whole_numbers_are_found_exactly(n_labels):
    rng = np.random.default_rng(n_labels)
    labels = rng.permuted(np.tile(np.arange(1, n_labels + 1), (60, 1)), axis=1)
    features = rng.integers(0, n_labels + 1, size=(60, 4))
    header = ",".join([f"col{j}x" for j in range(4)] + [f"name{j}q" for j in range(n_labels)])
    _, roles = propose(rows_of(header, np.hstack([features, labels])))
    assert roles == ["feature"] * 4 + ["label"] * n_labels


def test_the_published_sets_are_proposed_right(benchmark_data):
    for path in sorted((benchmark_data / "kebi").glob("*.csv")):
        proposal = inspect_files(path)
        for column in proposal.columns:
            assert column.role == ("label" if column.name.startswith("L") else "feature"), path
        assert proposal.target_form == "positions", path
        assert proposal.open_choices == ("target_form",), path
        assert not proposal.errors, path
