import csv
import json
from fractions import Fraction
from math import dist, log, pi, sqrt
from statistics import fmean, pvariance

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets

from labelrank_core.data import samples
from labelrank_core.data.dataset import Task
from labelrank_core.data.samples import list_samples, load_sample

FOLDER = samples._FOLDER
NAMES = [
    "election",
    "songs",
    "iris",
    "drinks",
    "outings",
    "drinks_calibrated",
    "wine",
    "glass",
    "vehicle",
    "diabetes",
    "yeast",
]
SHAPES = {
    "election": (407, 27, 5),
    "songs": (240, 7, 6),
    "iris": (150, 4, 3),
    "drinks": (10, 2, 3),
    "outings": (10, 2, 5),
    "drinks_calibrated": (10, 2, 3),
    "wine": (178, 13, 3),
    "glass": (214, 9, 6),
    "vehicle": (846, 18, 4),
    "diabetes": (442, 5, 6),
    "yeast": (2417, 103, 14),
}
TEACHING = ["drinks", "drinks_calibrated", "outings"]


def index():
    return json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))


def before(entry):
    """Columns that stand before the features: what names a row, and where it lies."""
    return [*filter(None, [entry.get("name_column")]), *entry.get("coordinates", ())]


def test_samples_are_listed_in_the_order_of_the_index():
    assert [sample.name for sample in list_samples()] == [entry["name"] for entry in index()]
    assert [sample.name for sample in list_samples()] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_loads_with_the_shape_it_promises(name):
    data = load_sample(name)
    sample = next(sample for sample in list_samples() if sample.name == name)
    assert (data.n_samples, data.n_features, data.n_labels) == SHAPES[name]
    assert data.n_samples == sample.n_samples
    assert data.task is sample.task
    assert data.name == name
    assert data.feature_names == sample.feature_names
    assert data.label_names == sample.label_names
    assert (data.split is not None) == sample.has_split


@pytest.mark.parametrize("name", NAMES)
def test_targets_are_permutations_or_zeros_and_ones(name):
    data = load_sample(name)
    if data.task is Task.MULTILABEL:
        assert set(np.unique(data.Y)) == {0, 1}
    else:
        m = data.n_labels + (data.task is Task.CALIBRATED_RANKING)
        assert (np.sort(data.Y, axis=1) == np.arange(1, m + 1)).all()


@pytest.mark.parametrize("entry", index(), ids=lambda entry: entry["name"])
def test_the_index_and_its_files_agree(entry):
    content = (FOLDER / entry["file"]).read_bytes()
    assert b"\r" not in content
    rows = list(csv.reader(content.decode("utf-8").splitlines()))
    extra = [entry[key] for key in ("zero_column", "split_column") if entry[key]]
    assert rows[0] == [*before(entry), *entry["features"], *entry["labels"], *extra]
    assert len(rows) - 1 == entry["n_samples"]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert (entry["zero_column"] == "(zero)") == (entry["task"] == "calibrated_ranking")
    assert entry["split_column"] in (None, "split")
    for key in ("title", "summary", "source", "licence", "reference", "derivation"):
        assert entry[key]


def test_every_file_of_the_folder_is_in_the_index_and_in_the_readme():
    files = {path.name for path in FOLDER.glob("*.csv")}
    assert files == {entry["file"] for entry in index()}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{file}`" in readme for file in files)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_in_the_file_to_the_last_bit(name):
    data = load_sample(name)
    rows = csv.reader((FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()[1:])
    first = len(before(next(entry for entry in index() if entry["name"] == name)))
    features = slice(first, first + data.n_features)
    assert data.X.tolist() == [[float(cell) for cell in row[features]] for row in rows]


def test_an_unknown_name_is_answered_with_the_names_there_are():
    with pytest.raises(
        ValueError, match=r"one of election, songs, iris, .*, yeast, got 'irises'\."
    ):
        load_sample("irises")


def test_a_missing_folder_is_explained(monkeypatch, tmp_path):
    monkeypatch.setattr(samples, "_FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="'sample_data' in the package"):
        list_samples()


def test_yeast_has_the_published_split_with_the_test_part_first():
    split = load_sample("yeast").split
    assert split.sum() == 917
    assert (~split).sum() == 1500
    assert split[:917].all()


@pytest.mark.parametrize("name", TEACHING)
def test_teaching_sets_end_in_two_queries(name):
    assert load_sample(name).split.tolist() == [False] * 8 + [True] * 2


# The derivations once more, from the definitions, without the libraries that build.py uses.


def log_normal(x, mean, variance):
    return -log(2 * pi * variance) / 2 - (x - mean) ** 2 / (2 * variance)


def naive_bayes_orderings(X, y):
    models = []
    for label in sorted(set(y)):
        columns = zip(*(x for x, target in zip(X, y, strict=True) if target == label), strict=True)
        moments = [(fmean(column), pvariance(column)) for column in columns]
        models.append((log(y.count(label) / len(y)), moments))
    for x in X:
        scores = [
            prior
            + sum(log_normal(value, *moment) for value, moment in zip(x, moments, strict=True))
            for prior, moments in models
        ]
        yield sorted(range(len(scores)), key=lambda label: -scores[label])


@pytest.mark.parametrize(("name", "load"), [("iris", "load_iris"), ("wine", "load_wine")])
def test_naive_bayes_rankings_follow_from_their_definition(name, load):
    bunch = getattr(datasets, load)()
    data = load_sample(name)
    assert np.array_equal(data.X, bunch.data)
    orderings = naive_bayes_orderings(bunch.data.tolist(), bunch.target.tolist())
    for positions, ordering in zip(data.rankings, orderings, strict=True):
        assert [positions[label] for label in ordering] == list(range(1, len(ordering) + 1))


def test_diabetes_rankings_follow_from_standardised_values():
    bunch = datasets.load_diabetes(scaled=False)
    data = load_sample("diabetes")
    assert np.array_equal(data.X, np.column_stack([bunch.data[:, :4], bunch.target]))
    columns = bunch.data[:, 4:].T.tolist()
    moments = [(fmean(column), sqrt(pvariance(column))) for column in columns]
    for values, row in zip(bunch.data[:, 4:].tolist(), data.Y.tolist(), strict=True):
        heights = [(v - mean) / sd for v, (mean, sd) in zip(values, moments, strict=True)]
        expected = [1 + sum(other > own for other in [*heights, 0.0]) for own in [*heights, 0.0]]
        assert row == expected  # counting suffices: no two heights are equal


def test_labels_ahead_of_the_zero_point_are_those_above_the_mean():
    bunch = datasets.load_diabetes(scaled=False)
    blood = bunch.data[:, 4:]
    assert (load_sample("diabetes").relevance == (blood > blood.mean(axis=0))).all()


# The promises of the teaching sets, by hand and by a naive search.


def neighbours(data, query):
    """Training rows by distance from a test row: as they are, and z-scored over all or training."""
    train, x = data.X[~data.split], data.X[data.split][query]
    searches = []
    for mean, scale in (
        (0, 1),
        (train.mean(axis=0), train.std(axis=0)),
        (data.X.mean(axis=0), data.X.std(axis=0)),
    ):
        distances = [dist((row - mean) / scale, (x - mean) / scale) for row in train]
        assert np.diff(sorted(distances)).min() > 0.05
        searches.append(np.argsort(distances))
    return searches


@pytest.mark.parametrize("name", TEACHING)
@pytest.mark.parametrize("query", [0, 1])
def test_no_two_neighbours_of_a_query_are_equally_far(name, query):
    neighbours(load_sample(name), query)


def names_by(keys, names):
    return [names[j] for j in sorted(range(len(names)), key=lambda j: (keys[j], j))]


@pytest.mark.parametrize(
    ("k", "sums", "borda", "medians", "median"),
    [
        # 1 × tea > water > lemonade
        (1, [1, 2, 3], "tea water lemonade", [1, 2, 3], "tea water lemonade"),
        # 3 × tea > water > lemonade
        (3, [3, 6, 9], "tea water lemonade", [1, 2, 3], "tea water lemonade"),
        # and 2 × water > lemonade > tea: tea 3·1 + 2·3, water 3·2 + 2·1, lemonade 3·3 + 2·2
        (5, [9, 8, 13], "water tea lemonade", [1, 2, 3], "tea water lemonade"),
    ],
)
def test_drinks_first_query_turns_on_k_and_on_the_consensus(k, sums, borda, medians, median):
    data = load_sample("drinks")
    train = data.Y[~data.split]
    for order in neighbours(data, 0):
        near = train[order[:k]]
        assert near.sum(axis=0).tolist() == sums
        assert names_by(sums, data.label_names) == borda.split()
        assert np.sort(near, axis=0)[(k - 1) // 2].tolist() == medians
        assert names_by(medians, data.label_names) == median.split()


def test_drinks_with_and_without_zero_point_rank_alike():
    plain, calibrated = load_sample("drinks"), load_sample("drinks_calibrated")
    assert np.array_equal(plain.X, calibrated.X)
    assert np.array_equal(plain.Y, calibrated.rankings)
    assert sorted(set(calibrated.relevance.sum(axis=1))) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("k", "sums"),
    [
        # tea; water; lemonade; zero point
        (1, [1, 2, 4, 3]),  # tea > water > zero > lemonade
        (3, [3, 8, 12, 7]),  # and 2 × tea > zero > water > lemonade
        (5, [11, 10, 16, 13]),  # and 2 × water > lemonade > zero > tea
    ],
)
def test_calibrated_drinks_first_query_has_the_printed_sums(k, sums):
    data = load_sample("drinks_calibrated")
    for order in neighbours(data, 0):
        assert data.Y[~data.split][order[:k]].sum(axis=0).tolist() == sums


def test_outings_first_query_has_the_neighbours_of_the_worked_example():
    data = load_sample("outings")
    for order in neighbours(data, 0):
        sets = [
            {name for name, bit in zip(data.label_names, row, strict=True) if bit}
            for row in data.relevance[~data.split][order[:3]]
        ]
        assert sets == [{"museum"}, {"museum"}, {"cinema"}]


@pytest.mark.parametrize(
    ("p", "virtual", "museum", "relevant"),
    [
        # With one relevant label it has rank 1, the virtual label 1 + (p+1)/2 and the other four
        # 1 + p + 5/2. Museum is relevant on two days of three: a third of 1 + 1 + 1 + p + 5/2.
        (1, Fraction(2), Fraction(13, 6), []),
        (2, Fraction(5, 2), Fraction(5, 2), []),  # a tie with the virtual label: irrelevant
        (3, Fraction(3), Fraction(17, 6), ["museum"]),
    ],
)
def test_outings_first_query_depends_on_the_number_of_virtual_labels(p, virtual, museum, relevant):
    data = load_sample("outings")
    near = data.relevance[~data.split][neighbours(data, 0)[0][:3]]
    ranks = np.zeros(data.n_labels + 1, dtype=object)
    for row in near.tolist():
        n_relevant = sum(row)
        irrelevant = n_relevant + p + Fraction(len(row) - n_relevant + 1, 2)
        ranks[:-1] += [Fraction(n_relevant + 1, 2) if bit else irrelevant for bit in row]
        ranks[-1] += n_relevant + Fraction(p + 1, 2)
    ranks /= 3
    assert ranks[-1] == virtual
    assert ranks[data.label_names.index("museum")] == museum
    assert [
        name for name, rank in zip(data.label_names, ranks[:-1], strict=True) if rank < virtual
    ] == relevant


# Against published files.


@pytest.mark.parametrize(
    ("name", "order", "matched", "same_ranking", "same_first"),
    [
        ("iris", [0, 1, 2], 148, 0.6554, 1.0),  # two flowers are misprinted there
        ("wine", [0, 1, 2], 178, 0.6573, 0.9944),
        ("glass", [0, 1, 2, 3, 4, 5], 214, 0.0561, 0.9720),
        ("vehicle", [1, 2, 0, 3], 846, 0.6525, 0.9669),
    ],
)
def test_agreement_with_published_rankings_is_as_measured(
    benchmark_data, name, order, matched, same_ranking, same_first
):
    published = pd.read_csv(benchmark_data / "kebi" / f"{name}.csv")
    data = load_sample(name)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    gaps = np.abs(2 * (data.X - low) / (high - low) - 1 - published.filter(regex="^A"))
    rows = (gaps < 2e-5).all(axis=1).to_numpy()
    ours, theirs = data.Y[rows][:, order], published.filter(regex="^L").to_numpy()[rows]
    assert rows.sum() == matched
    assert (ours == theirs).all(axis=1).mean() == pytest.approx(same_ranking, abs=5e-5)
    assert (ours.argmin(axis=1) == theirs.argmin(axis=1)).mean() == pytest.approx(
        same_first, abs=5e-5
    )


@pytest.mark.parametrize(("name", "agreement"), [("iris", 0.9797), ("wine", 0.9944)])
def test_published_rankings_are_those_of_probabilities_rounded_to_three_places(
    benchmark_data, name, agreement
):
    bunch = getattr(datasets, f"load_{name}")()
    published = pd.read_csv(benchmark_data / "kebi" / f"{name}.csv").filter(regex="^L").to_numpy()
    low, high = bunch.data.min(axis=0), bunch.data.max(axis=0)
    scaled = 2 * (bunch.data - low) / (high - low) - 1
    features = pd.read_csv(benchmark_data / "kebi" / f"{name}.csv").filter(regex="^A").to_numpy()
    rows = (np.abs(scaled - features) < 2e-5).all(axis=1)
    probabilities = posterior(bunch.data, bunch.target)
    rounded = np.array([rank_down(np.round(row, 3)) for row in probabilities])
    assert (rounded == published).all(axis=1)[rows].mean() == pytest.approx(agreement, abs=5e-5)


def posterior(X, y):
    scores = []
    for label in np.unique(y):
        part = X[y == label]
        variance = part.var(axis=0)
        terms = -np.log(2 * np.pi * variance) / 2 - (X - part.mean(axis=0)) ** 2 / (2 * variance)
        scores.append(np.log(len(part) / len(X)) + terms.sum(axis=1))
    scores = np.exp(np.array(scores).T - np.max(scores, axis=0)[:, None])
    return scores / scores.sum(axis=1, keepdims=True)


def rank_down(values):
    return [
        1 + sum(other > own or (other == own and i < j) for i, other in enumerate(values))
        for j, own in enumerate(values)
    ]


def test_the_election_is_the_published_file_digit_for_digit(benchmark_data):
    text = (benchmark_data / "raw" / "german2009.xarff").read_text(encoding="utf-8")
    published = list(csv.reader(text.partition("@data\n")[2].splitlines(), quotechar="'"))
    content = (FOLDER / "election.csv").read_text(encoding="utf-8")
    parties = dict(zip(["CDU/CSU", "SPD", "FDP", "Greens", "The Left"], "abcde", strict=True))
    rows = list(csv.DictReader(content.splitlines()))
    for row, (kind, state, _, *features, latitude, longitude, order) in zip(
        rows, published, strict=True
    ):
        state = {"NRW": "North Rhine-Westphalia", "Baden-Wuerttemberg": "Baden-Württemberg"}.get(
            state, state
        )
        assert row["district"] == state or row["district"].startswith(f"{kind} {state}")
        assert [row["latitude"], row["longitude"]] == [latitude, longitude]
        assert list(row.values())[3:-5] == features
        assert order == ">".join(parties[name] for name in sorted(parties, key=row.get))


def test_only_parties_have_colours_of_their_own():
    for sample in list_samples():
        assert load_sample(sample.name).label_colors == sample.label_colors
        assert bool(sample.label_colors) == (sample.name == "election")


def test_districts_have_names_of_their_own_that_say_where_in_the_state_they_lie():
    election = load_sample("election")
    names, (longitude, latitude) = election.case_names, election.coordinates.T
    assert len(set(names)) == len(names)
    assert names[15] == "Hamburg"
    bavaria = [i for i, name in enumerate(names) if "Bavaria" in name]
    for word, value, is_more in (
        *(("north", latitude, True), ("south", latitude, False)),
        *(("east", longitude, True), ("west", longitude, False)),
    ):
        mean = np.mean(value[bavaria])
        there = [i for i in bavaria if names[i].rpartition(", ")[2].split(" ")[0] == word]
        assert there
        assert all((value[i] > mean) == is_more for i in there)


@pytest.mark.parametrize(("file", "test"), [("yeast-train", False), ("yeast-test", True)])
def test_yeast_is_the_published_file_digit_for_digit(benchmark_data, file, test):
    text = (benchmark_data / "mulan" / f"{file}.arff").read_text(encoding="utf-8")
    published = text.partition("@data")[2].split()
    rows = (FOLDER / "yeast.csv").read_text(encoding="utf-8").splitlines()[1:]
    part = "test" if test else "train"
    assert [row.rpartition(",")[0] for row in rows if row.endswith(part)] == published
