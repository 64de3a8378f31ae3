"""Which columns of a small file are read as the labels, where only their numbers tell."""

import itertools

import pytest

from labelrank_core.io import Role, inspect_files

DISHES = ("pizza", "sushi", "curry", "salad")
# Ratings of four dishes, such that each row has ties and each dish has a 1 and a 5.
RATED = [(5, 1, 2, 4), (2, 3, 5, 5), (4, 5, 1, 4), (1, 2, 2, 1), (3, 4, 3, 5), (5, 5, 4, 2)] * 4


def _file(**columns):
    names = list(columns)
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return "\n".join([",".join(names), *rows]).encode()


def _cycle(*numbers):
    return list(itertools.islice(itertools.cycle(numbers), len(RATED)))


DISHES_RATED = {dish: [row[k] for row in RATED] for k, dish in enumerate(DISHES)}
PEOPLE = {
    "name": [f"guest {i}" for i in range(len(RATED))],
    "age": [20 + 3 * i % 50 for i in range(len(RATED))],
}
SCORES = {
    dish: [(17 * i + 29 * k + i * i * 7) % 101 for i in range(len(RATED))]
    for k, dish in enumerate(DISHES)
}
RANKS = {
    dish: [1 + (k + shift) % 4 for shift in _cycle(0, 1, 3, 2, 3)] for k, dish in enumerate(DISHES)
}
TAGS = {
    "pizza": _cycle(0, 1, 1), "sushi": _cycle(1, 0), "curry": _cycle(1, 1, 0, 0),
    "salad": _cycle(0, 0, 1, 0, 1),
}  # fmt: skip
FILES = {
    "ratings after a count on a longer scale": {
        **PEOPLE, "visits": _cycle(1, 2, 3, 4, 5, 6, 7), **DISHES_RATED,
    },
    "dishes that nobody gave an end of the scale": {
        **PEOPLE, "visits": _cycle(1, 2, 3, 4, 5, 6, 7), **DISHES_RATED,
        "curry": _cycle(2, 3, 4), "salad": _cycle(2, 3),
    },
    "a count without a telling name": {
        **PEOPLE, "loyalty": _cycle(1, 2, 3, 4, 5, 6, 7), **DISHES_RATED,
    },
    "two features on a longer scale": {
        **PEOPLE, "loyalty": _cycle(1, 2, 7), "mood": _cycle(7, 4, 1, 3), **DISHES_RATED,
    },
    "a count on the same scale": {**PEOPLE, "visits": _cycle(1, 2, 3, 4, 5), **DISHES_RATED},
    "a dish with one number": {**PEOPLE, **DISHES_RATED, "salad": _cycle(3)},
    "a dish with two numbers first": {
        **PEOPLE, "loyalty": _cycle(1, 2, 9), **DISHES_RATED, "pizza": _cycle(3, 4),
    },
    "codes beside the ratings": {**PEOPLE, "member": _cycle(1, 2, 2), **DISHES_RATED},
    "a number that nobody gave": {
        **PEOPLE,
        **{dish: [5 if x == 3 else x for x in ratings] for dish, ratings in DISHES_RATED.items()},
    },
    "a column of text between": {
        **PEOPLE, "pizza": DISHES_RATED["pizza"], "sushi": DISHES_RATED["sushi"],
        "comment": [f"text {i} of many" for i in range(len(RATED))],
        "curry": DISHES_RATED["curry"], "salad": DISHES_RATED["salad"],
    },
    "ratings before the features": {
        **DISHES_RATED, "loyalty": _cycle(1, 2, 3, 4, 5, 6, 7), "income": _cycle(2100, 3400, 1800),
    },
    "missing ratings": {
        **PEOPLE, "loyalty": _cycle(1, 2, 3, 4, 5, 6, 7), **DISHES_RATED,
        "curry": ["" if i % 3 == 0 else x for i, x in enumerate(DISHES_RATED["curry"])],
    },
    "halves of stars": {
        **PEOPLE,
        **{dish: [x - 0.5 if x == 4 else x for x in r] for dish, r in DISHES_RATED.items()},
    },
    "scores to 100": {**PEOPLE, **SCORES},
    "ranks": {**PEOPLE, "visits": _cycle(1, 2, 3, 4, 5, 6, 7), **RANKS},
    "0 and 1": {**PEOPLE, "visits": _cycle(1, 2, 3, 4, 5, 6, 7), **TAGS},
}  # fmt: skip


@pytest.mark.parametrize("columns", FILES.values(), ids=FILES)
def test_the_labels_are_the_columns_on_one_scale(columns):
    proposal = inspect_files(("dishes.csv", _file(**columns)))
    labels = {name for name, role in proposal.roles.items() if role is Role.LABEL}
    assert labels == set(DISHES)


def test_a_prefix_that_says_liking_names_the_labels():
    columns = {f"like_{dish}": ratings for dish, ratings in DISHES_RATED.items()}
    proposal = inspect_files(("dishes.csv", _file(**PEOPLE, mood=_cycle(1, 2, 3, 4, 5), **columns)))
    labels = {name for name, role in proposal.roles.items() if role is Role.LABEL}
    assert labels == set(columns)


@pytest.mark.parametrize(
    "columns",
    [columns for name, columns in FILES.items() if name not in ("ranks", "0 and 1")],
    ids=[name for name in FILES if name not in ("ranks", "0 and 1")],
)
def test_what_only_the_scale_says_is_asked(columns):
    assert "roles" in inspect_files(("dishes.csv", _file(**columns))).open_choices


def test_columns_on_different_scales_are_no_labels():
    proposal = inspect_files(
        ("shop.csv", _file(**PEOPLE, loyalty=_cycle(1, 2, 3), rooms=_cycle(4, 5, 9, 8, 12)))
    )
    assert Role.LABEL not in proposal.roles.values()
