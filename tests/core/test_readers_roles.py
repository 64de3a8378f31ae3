from functools import partial

import numpy as np
import pytest

from labelrank_core import DatasetError
from labelrank_core.io import Role, TargetForm, inspect_files, read_dataset
from labelrank_core.io.datasets import propose_again

pytestmark = pytest.mark.usefixtures("in_this_program")


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


NAMED = "{},w,L1,L2\n{},0.5,1,2\n{},0.1,2,1\n{},0.2,1,2\n"


@pytest.mark.parametrize(
    ("column", "cells", "role"),
    [
        ("guest", ("Ann", "Bo", "Cy"), "name"),
        ("guest", ("no. 7", "no. 8", "no. 9"), "name"),
        ("guest", ("Ann", "Bo", "Bo"), "ignore"),
        ("guest", ("Ann", "Bo", ""), "ignore"),
        ("guest", ("2026-01-01", "2026-01-02", "2026-01-03"), "ignore"),
        ("guest", (">50", ">60", ">70"), "ignore"),
        ("guest", ("Ann", "Bo", "C" * 41), "ignore"),
    ],
)
def test_short_words_of_which_every_row_has_its_own_are_names(column, cells, role):
    text = NAMED.format(column, *cells)
    assert propose(text)[1] == [role, "feature", "label", "label"]
    names = read_dataset(("t.csv", text.encode())).case_names
    assert names == (cells if role == "name" else None)


def test_further_columns_are_names_only_if_they_are_called_so():
    lines = NAMED.format("w2", 1, 2, 3).splitlines()
    for column, role in (("first name", "name"), ("title", "name"), ("note", "ignore")):
        words = [column, "x", "y", "z"]
        text = "".join(f"{line},{word}\n" for line, word in zip(lines, words, strict=True))
        assert propose(text)[1][-1] == role
        data = read_dataset(("t.csv", text.encode()))
        assert data.case_names == (("x", "y", "z") if role == "name" else None)


def test_only_one_column_names_the_cases():
    text = "name,title,w,L1,L2\na,x,1,1,2\nb,y,2,2,1\nc,z,3,1,2\n"
    assert propose(text)[1][:2] == ["name", "ignore"]
    read = partial(read_dataset, ("t.csv", text.encode()))
    assert read(roles={"name": "ignore"}).case_names is None
    with pytest.raises(DatasetError, match="2 columns with the role 'name'"):
        read(roles={"title": "name"})
    corrected = propose_again(propose(text)[0], {"title": Role.NAME})
    assert read_dataset(corrected).case_names == ("x", "y", "z")


def test_names_stay_with_their_rows():
    text = NAMED.format("guest", "Ann", "Bo", "Cy").replace("0.1", "low")
    data = read_dataset(("t.csv", text.encode()), skip_bad_rows=True)
    assert data.case_names == ("Ann", "Cy")
    unnamed = read_dataset(("t.csv", NAMED.format("w2", 1, "", 3).encode()), roles={"w2": "name"})
    assert unnamed.case_names == ("1", "row 2", "3")


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


@pytest.mark.parametrize("name", ["customer_id", "PatientID", "ID", "order id", "uuid"])
def test_identifiers_are_not_used(name):
    rows = [(i * 0.5, 1000 + 7 * i, *p) for i, p in enumerate(PERMUTATIONS)]
    proposal, roles = propose(rows_of(f"w,{name},apple,pear,fig", rows))
    assert roles == ["feature", "ignore", "label", "label", "label"]
    assert proposal.columns[1].why == "identifiers: a different number in every row"


@pytest.mark.parametrize("name", ["w", "paid", "grid", "solid"])
def test_other_numbers_that_differ_in_every_row_are_features(name):
    rows = [(i * 0.5, 1000 + i, *p) for i, p in enumerate(PERMUTATIONS)]
    _, roles = propose(rows_of(f"v,{name},apple,pear,fig", rows))
    assert roles[:2] == ["feature", "feature"]
    rows = [(i * 0.5, 1000 + i // 2, *p) for i, p in enumerate(PERMUTATIONS)]
    assert propose(rows_of("v,group_id,apple,pear,fig", rows))[1][:2] == ["feature", "feature"]


NOTES = ["lost, please help", "thanks", "late, again", "lost, late", "thanks, late", "lost"]


def test_a_comma_in_a_text_does_not_win_over_a_block_of_zero_one_columns():
    rows = [(i * 0.5, f'"{NOTES[i % 6]}"', i % 2, i // 2 % 2, i // 3 % 2) for i in range(24)]
    proposal, roles = propose(rows_of("w,note,lost,late,thanks", rows))
    assert roles == ["feature", "ignore", "label", "label", "label"]
    assert (proposal.target_form, proposal.open_choices) == ("relevance", ("roles",))
    issue = next(issue for issue in proposal.findings if issue.code == "choose-roles")
    assert "could also be the lists in 'note', such as 'lost, please help'" in issue.message
    # A column called like lists of labels stays one.
    assert propose(rows_of("w,tags,lost,late,thanks", rows))[1][1] == "label_list"


def arff(attributes, rows):
    head = "\n".join(f"@attribute {name} {kind}" for name, kind in attributes)
    body = "\n".join(",".join(map(str, row)) for row in rows)
    return inspect_files(("t.arff", f"@relation t\n{head}\n@data\n{body}\n".encode()))


def test_trailing_zero_one_attributes_are_labels_although_a_number_before_them_is_small():
    rng = np.random.default_rng(0)
    labels = (rng.random((200, 12)) < 0.2).astype(int)
    rows = [(f"{rng.normal():.3f}", rng.integers(1, 6), *row) for row in labels]
    kinds = [("age", "numeric"), ("average.income", "numeric")]
    proposal = arff([*kinds, *((f"food{chr(97 + j)}", "{0,1}") for j in range(12))], rows)
    assert list(proposal.roles.values()) == ["feature"] * 2 + ["label"] * 12
    assert (proposal.target_form, proposal.open_choices) == ("relevance", ("roles",))


@pytest.mark.parametrize("feature", ["numeric", "{0,1}"])
def test_labels_of_several_families_of_names_are_found_together(feature):
    rng = np.random.default_rng(0)
    names = [f"{word}.{word}{j}" for word, n in zip("ABCD", (13, 8, 13, 19), strict=True)
             for j in range(1, n + 1)]  # fmt: skip
    rows = (rng.random((60, 40 + len(names))) < 0.3).astype(int)
    kinds = [(f"word{'xyz'[j % 3]}{chr(97 + j % 26)}{'q' * (j // 26)}", feature) for j in range(40)]
    proposal = arff([*kinds, *((name, "{0,1}") for name in names)], rows)
    assert list(proposal.roles.values()) == ["feature"] * 40 + ["label"] * 53
    assert proposal.open_choices == ("roles",)


def test_words_of_texts_are_no_places():
    rows = [(i % 2, i // 2 % 2, i // 3 % 2, i % 3 == 0, i % 5 == 0) for i in range(24)]
    _, roles = propose(rows_of("1st,2nd,lost,Class-0-593_70,Class-1-41", np.array(rows, int)))
    assert roles == ["feature"] * 3 + ["label"] * 2


def test_mulan_sets_without_their_xml_are_proposed_right_or_with_a_doubt(benchmark_data):
    proposed = {
        path.stem: inspect_files(path) for path in (benchmark_data / "mulan").glob("*.arff")
    }
    n_labels = {"emotions-train": 6, "medical-train": 45, "yeast-train": 14, "flags": 7}
    for name, expected in n_labels.items():
        roles = list(proposed[name].roles.values())
        assert roles[-expected:] == ["label"] * expected, name
        assert roles.count("label") == expected or not proposed[name].certain, name
        assert proposed[name].target_form == "relevance", name


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


def tickets(header="w,note,lost,late,thanks"):
    rows = [(i * 0.5, f'"{NOTES[i % 6]}"', i % 2, i // 2 % 2, i // 3 % 2) for i in range(24)]
    return propose(rows_of(header, rows))[0]


def test_competing_readings_are_offered_and_each_can_be_taken():
    proposal = tickets()
    assert [reading.text for reading in proposal.readings] == [
        "3 columns: 'lost', 'late', 'thanks' (0 or 1 at one end of the table)",
        "the lists in 'note', such as 'lost, please help'",
    ]
    for reading, roles in zip(
        proposal.readings,
        (["feature", "ignore"] + ["label"] * 3, ["feature", "label_list"] + ["ignore"] * 3),
        strict=True,
    ):
        again = propose_again(proposal, reading.roles)
        assert list(again.roles.values()) == roles
        assert again.certain
    rows = [(i * 0.5, 4, *p) for i, p in enumerate(PERMUTATIONS)]
    widths = propose(rows_of("w,z,apple,pear,fig", rows))[0].readings
    assert [sorted(reading.roles) for reading in widths] == [
        ["apple", "fig", "pear", "z"], ["apple", "fig", "pear"],
    ]  # fmt: skip
    again = propose_again(propose(rows_of("w,z,apple,pear,fig", rows))[0], widths[1].roles)
    assert list(again.roles.values()) == ["feature"] * 2 + ["label"] * 3
    assert propose(rows_of("w,t1,t2", [(1.5, 0, 1), (2, 1, 1), (3, 0, 0)]))[0].readings == ()


@pytest.mark.parametrize(
    ("known", "roles"),
    [
        ({"smoker": "feature"}, ["feature", "feature", "label", "label"]),
        ({"red": "ignore"}, ["feature", "label", "ignore", "label"]),
        ({"blue": "label"}, ["feature", "label", "label", "label"]),
        ({"x": "ignore"}, ["ignore", "label", "label", "label"]),
        ({"unknown": "label"}, ["feature", "label", "label", "label"]),
    ],
)
def test_after_a_correction_the_rest_is_proposed_again(known, roles):
    rows = [(i / 2, i % 2, i // 2 % 2, i // 3 % 2) for i in range(8)]
    proposal, first = propose(rows_of("x,smoker,red,blue", rows))
    assert first == ["feature", "label", "label", "label"]
    assert list(propose_again(proposal, known).roles.values()) == roles


def test_one_label_brings_the_others_of_its_block():
    proposal = tickets("w,tags,lost,late,thanks")
    assert proposal.roles["tags"] == "label_list"
    again = propose_again(proposal, {"late": "label"})
    assert list(again.roles.values()) == ["feature", "ignore", "label", "label", "label"]
    # What is no 0/1 column cannot be a label of the same block, so it stands alone.
    alone = propose_again(proposal, {"w": "label"})
    assert list(alone.roles.values()).count("label") == 1


LIKERT = ("taste", "hygiene", "menu", "presentation", "average.income")
FOODS = ("street_food", "gourmet", "snacks", "healthy_food", "sweets", "italian_food")


def declared_survey(between=""):
    """Answers from 1 to 5, a feature declared as {0,1}, and foods declared so, as in an ARFF."""
    rng = np.random.default_rng(0)
    kinds = ["numeric"] * len(LIKERT) + ["{0,1}"]
    names = [*LIKERT, "has.work", *([between] if between else []), *FOODS]
    kinds += (["{a,b}"] if between else []) + ["{0,1}"] * len(FOODS)
    head = "".join(f"@attribute {n} {k}\n" for n, k in zip(names, kinds, strict=True))
    rows = []
    for _ in range(120):
        own = [str(v) for v in rng.integers(1, 6, len(LIKERT))] + [str(rng.integers(2))]
        own += [rng.choice(["a", "b"])] if between else []
        rows.append(",".join([*own, *(str(v) for v in rng.integers(2, size=len(FOODS)))]))
    return ("survey.arff", f"@relation survey\n{head}@data\n".encode() + "\n".join(rows).encode())


def labels(roles):
    return [name for name, role in roles.items() if role is Role.LABEL]


def test_what_a_format_declares_as_0_or_1_wins_over_a_ranking_with_other_numbers():
    proposal = inspect_files(declared_survey())
    assert labels(proposal.roles) == ["has.work", *FOODS]
    assert proposal.target_form is TargetForm.RELEVANCE
    assert "roles" in proposal.open_choices
    with_likert = proposal.readings[-1]
    assert "a ranking in every row" in with_likert.text
    assert "taste" in with_likert.roles


def test_a_column_of_another_kind_ends_the_block_of_0_and_1_and_both_readings_are_offered():
    proposal = inspect_files(declared_survey("period"))
    assert labels(proposal.roles) == list(FOODS)
    assert "roles" in proposal.open_choices
    assert labels(proposal.readings[0].roles) == list(FOODS)
    assert labels(proposal.readings[1].roles) == ["has.work", *FOODS]


def test_many_columns_of_0_and_1_alone_are_doubtful():
    rng = np.random.default_rng(1)
    names = [f"w{i}" for i in range(60)] + [
        f"{'ABCD'[i % 4]}.{'ABCD'[i % 4]}{i}" for i in range(53)
    ]
    cells = (rng.random((80, len(names))) < 0.2).astype(int)
    head = "".join(f"@attribute {name} {{0,1}}\n" for name in names)
    rows = "\n".join(",".join(map(str, row)) for row in cells)
    proposal = inspect_files(("mail.arff", f"@relation mail\n{head}@data\n{rows}".encode()))
    assert labels(proposal.roles) == names[60:]
    assert "roles" in proposal.open_choices
    assert any(each.code == "choose-roles" for each in proposal.findings)


def test_what_is_wrong_alike_in_many_columns_is_one_finding():
    names = ["apple", "pear", "plum", "fig"]
    places = [[(i + j) % 4 for j in range(4)] for i in range(9)]
    rows = "\n".join(f"{i / 2},{','.join(map(str, row))}" for i, row in enumerate(places))
    roles = {"x": "feature", **dict.fromkeys(names, "label")}
    with pytest.raises(DatasetError) as error:
        read_dataset(
            ("fruit.csv", f"x,{','.join(names)}\n{rows}\n".encode()),
            roles=roles, target_form="positions", unranked="blank",
        )  # fmt: skip
    found = [each for each in error.value.findings if each.code == "zero-position"]
    assert [(each.column, each.row, each.count) for each in found] == [(None, 2, 9)]
    assert found[0].message.startswith("4 columns ('apple', 'pear', 'plum', 'fig'): found 0")


def test_two_of_many_columns_of_0_and_1_are_not_the_labels_for_a_number_in_their_names():
    names = ["wood 1", "heath 2", "bog 3", "dune 4", "marsh 5", "fen 6", "reed 7", "reed 8"]
    rows = [(i * 0.5, *(((i + 1) >> j) & 1 for j in range(8))) for i in range(40)]
    proposal, roles = propose(rows_of(",".join(["w", *names]), rows))
    assert roles == ["feature"] + ["label"] * 8
    assert "roles" in proposal.open_choices
    assert [labels(reading.roles) for reading in proposal.readings] == [names, names[6:]]
