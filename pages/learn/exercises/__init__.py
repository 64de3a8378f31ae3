"""Exercises drawn from a seed, three a topic: the same for everybody who has the seed."""

from zlib import crc32

import numpy as np

from pages.learn.exercises import (
    confidence,
    consensus,
    counts,
    measures,
    missing,
    models,
    neighbours,
    pairs,
    subspace,
    ties,
    trees,
    zero_line,
)
from pages.learn.exercises.base import Sheet, Topic

TOPICS: dict[str, Topic] = {
    module.TOPIC.name: module.TOPIC
    for module in (
        *(neighbours, consensus, zero_line, counts, trees, subspace),
        *(pairs, models, measures, confidence, missing, ties),
    )
}


def situation(topic: str, seed: int) -> object:
    """Draw a situation for the exercises of a topic."""
    return TOPICS[topic].draw_situation(np.random.default_rng([seed, crc32(topic.encode())]))


def sheet(topic: str, seed: int) -> Sheet:
    """Return the three exercises of a topic for a seed."""
    return TOPICS[topic].make_sheet(situation(topic, seed))
